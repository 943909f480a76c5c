"""Exact, fast collision detection and distance queries for 3D shapes and meshes.

>>> import impinge
>>> ball, block = impinge.Shape.sphere(2.0), impinge.Shape.cuboid([1.0, 1.0, 1.0])
>>> block.distance(ball, (None, [0.0, 0.0, 5.0])).distance
2.0

Every question is a method of `Geometry`: a `Shape`, a `Mesh` or a `Compound`. It takes one pose or thousands, and answers with one value or with
arrays. The interpreter is released meanwhile, and Ctrl-C is noticed.
"""

from ._answers import (
    Certainty,
    ClosestPoint,
    ClosestPoints,
    Contacts,
    Distance,
    Distances,
    FeatureKind,
    Impact,
    Impacts,
    RayHit,
    RayHits,
    Relation,
    Relations,
    Start,
    TrianglePairs,
    Verdict,
)
from ._geometry import Compound, Geometry, Mesh, Shape
from ._poses import nearest_rigid
from ._scene import Meetings, Scene

__all__ = [
    "Certainty",
    "ClosestPoint",
    "ClosestPoints",
    "Compound",
    "Contacts",
    "Distance",
    "Distances",
    "FeatureKind",
    "Geometry",
    "Impact",
    "Impacts",
    "Meetings",
    "Mesh",
    "RayHit",
    "RayHits",
    "Relation",
    "Relations",
    "Scene",
    "Shape",
    "Start",
    "TrianglePairs",
    "Verdict",
    "nearest_rigid",
]
