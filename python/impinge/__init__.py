"""Exact, fast collision detection and distance queries for 3D shapes and meshes.

>>> import impinge
>>> ball, block = impinge.Shape.sphere(2.0), impinge.Shape.cuboid([1.0, 1.0, 1.0])
>>> block.distance(ball, (None, [0.0, 0.0, 5.0])).distance
2.0

Every question is a method of `Geometry`: a `Shape`, a `Mesh` or a `Compound`. It takes one pose or thousands, and answers with one value or with
arrays. `Scene` holds many bodies, `Simulation` lets them fall, `read` and `read_scene` take models from files, and `check` finds what clashes in them.
The interpreter is released meanwhile, and Ctrl-C is noticed.
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
from ._check import Finding, Report, check, decide, page, show
from ._files import Reading, SceneModel, ScenePart, read, read_scene, write
from ._geometry import Compound, Geometry, Mesh, Shape
from ._poses import nearest_rigid
from ._scene import Meetings, Scene
from ._simulation import BodyStates, Simulation

__all__ = [
    "BodyStates",
    "Certainty",
    "ClosestPoint",
    "ClosestPoints",
    "Compound",
    "Contacts",
    "Distance",
    "Distances",
    "FeatureKind",
    "Finding",
    "Geometry",
    "Impact",
    "Impacts",
    "Meetings",
    "Mesh",
    "RayHit",
    "RayHits",
    "Reading",
    "Relation",
    "Relations",
    "Report",
    "Scene",
    "SceneModel",
    "ScenePart",
    "Shape",
    "Simulation",
    "Start",
    "TrianglePairs",
    "Verdict",
    "check",
    "decide",
    "nearest_rigid",
    "page",
    "read",
    "read_scene",
    "show",
    "write",
]
