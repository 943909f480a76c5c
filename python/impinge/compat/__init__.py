"""The words of trimesh: change the import, keep the script.

    from impinge.compat import CollisionManager    # from trimesh.collision import CollisionManager
    from impinge.compat import proximity           # from trimesh import proximity

Signs and orders are trimesh's: `proximity.signed_distance` is positive inside, the opposite of `impinge.Mesh.signed_distance`.
"""

from . import proximity
from .collision import CollisionManager, ContactData, DistanceData

__all__ = ["CollisionManager", "ContactData", "DistanceData", "proximity"]
