"""What goes in: every type and layout, and what is refused, with the words that say why."""

import copy
import pickle
import types

import numpy as np
import pytest

import impinge
from impinge import Mesh, Shape
from models import ball, box

POINTS = np.random.default_rng(6).normal(size=(64, 3)) * 2


@pytest.mark.parametrize("kind", ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", ">i4"])
def test_faces_of_any_integer_type(kind):
    vertices, faces = box()
    mesh = Mesh(vertices, faces.astype(kind))
    assert (mesh.faces == faces).all()


@pytest.mark.parametrize("kind", ["float16", "float32", "float64", "int32", ">f8", "longdouble"])
def test_points_of_any_real_type(kind):
    vertices, faces = box()
    mesh = Mesh(vertices.astype(kind), faces)
    assert (mesh.vertices == vertices).all()
    asked = POINTS.astype(kind)
    assert (mesh.signed_distance(asked) == mesh.signed_distance(asked.astype(float))).all()


def test_any_layout():
    mesh = Mesh(*ball(1))
    wanted = mesh.signed_distance(POINTS)
    wide = np.zeros((128, 7))
    wide[::2, 1:7:2] = POINTS
    locked = POINTS.copy()
    locked.setflags(write=False)
    layouts = [
        np.asfortranarray(POINTS),
        wide[::2, 1:7:2],
        POINTS[::-1][::-1],
        locked,
        POINTS.tolist(),
        memoryview(POINTS),
    ]
    for layout in layouts:
        assert (mesh.signed_distance(layout) == wanted).all()
    assert (mesh.signed_distance(POINTS[::-1]) == wanted[::-1]).all()
    frozen = [np.asfortranarray(part) for part in ball(1)]
    assert (Mesh(*frozen).signed_distance(POINTS) == wanted).all()


def test_arguments_are_copied():
    vertices, faces = box()
    mesh = Mesh(vertices, faces)
    vertices += 100.0
    faces[:] = 0
    assert mesh.signed_distance([0.0, 0.0, 0.0]) == -1.0
    mesh.vertices[:] = 5.0
    assert mesh.signed_distance([0.0, 0.0, 0.0]) == -1.0


NAN, CUBE = float("nan"), Mesh(*box())
REFUSED = {
    "vertices[2] is not a finite number": lambda: Mesh([[0, 0, 0], [1, 0, 0], [0, NAN, 0]], [[0, 1, 2]]),
    "triangles[0] refers to vertex 3, but there are 3 vertices": lambda: Mesh(np.eye(3), [[0, 1, 3]]),
    "triangles[0] refers to vertex -1": lambda: Mesh(np.eye(3), [[0, 1, -1]]),
    "triangles[0] refers to vertex 4294967296": lambda: Mesh(np.eye(3), [[0, 1, 2**32]]),
    "refers to vertex 18446744073709551615": lambda: Mesh(np.eye(3), np.array([[0, 1, 2**64 - 1]], dtype=np.uint64)),
    "the mesh has no triangles": lambda: Mesh(np.eye(3), []),
    "vertices has the shape (3, 2)": lambda: Mesh(np.zeros((3, 2)), [[0, 1, 2]]),
    "faces has the shape (1, 4)": lambda: Mesh(np.zeros((4, 3)), [[0, 1, 2, 3]]),
    "faces has the type float64: give integers": lambda: Mesh(np.eye(3), [[0.0, 1.0, 2.0]]),
    "vertices has the type complex128": lambda: Mesh(np.eye(3) * 1j, [[0, 1, 2]]),
    "vertices has the type <U": lambda: Mesh([["a", "b", "c"]], [[0, 0, 0]]),
    "vertices has the type object": lambda: Mesh(np.array([[None] * 3]), [[0, 0, 0]]),
    "str is not a mesh": lambda: Mesh("bunny.stl"),
    "vertices is not an array": lambda: Mesh([[0, 0, 0], [1, 0]], [[0, 0, 0]]),
    "magnitudes above 2^250": lambda: Mesh(np.eye(3) * 1e80, [[0, 1, 2]]),
    "radius is -1: it must not be negative": lambda: Shape.sphere(-1.0),
    "radius is not a finite number": lambda: Shape.sphere(NAN),
    "half has the shape (2,): it must be (3,)": lambda: Shape.cuboid([1.0, 2.0]),
    "points is empty": lambda: Shape.hull(np.zeros((0, 3))),
    "normal has zero length": lambda: Shape.plane([0, 0, 0], 1.0),
    "radius is -2": lambda: Shape.sphere(1.0).rounded(-2.0),
    "points[1] is not a finite number": lambda: CUBE.signed_distance([[0, 0, 0], [NAN, 0, 0]]),
    "points[0] is 1e80": lambda: CUBE.contains([1e80, 0, 0]),
    "points has the shape (3, 2)": lambda: CUBE.closest_point(np.zeros((3, 2))),
    "ray 1: direction has zero length": lambda: CUBE.cast_rays(np.zeros((2, 3)), [[1, 0, 0], [0, 0, 0]]),
    "there are 2 origins and 3 directions": lambda: CUBE.cast_rays(np.zeros((2, 3)), np.eye(3)),
    "poses: rotation is off an orthonormal basis": lambda: CUBE.distance(CUBE, np.diag([2.0, 1.0, 1.0, 1.0])),
    "poses[1]: translation": lambda: CUBE.distance(CUBE, (None, [[0, 0, 0], [0, NAN, 0]])),
    "poses: rotation has length 2": lambda: CUBE.distance(CUBE, ([2, 0, 0, 0], [0, 0, 0])),
    "the last row of a 4 x 4 pose": lambda: CUBE.distance(CUBE, np.ones((4, 4))),
    "poses has the shape (3, 3)": lambda: CUBE.distance(CUBE, np.eye(3)),
    "there are 2 poses of one and 3 of the other": lambda: CUBE.distance(
        CUBE, (None, np.eye(3)), pose=(None, np.zeros((2, 3)))
    ),
    "pose has 2 poses": lambda: CUBE.contains([0, 0, 0], pose=(None, np.zeros((2, 3)))),
    "threads is 0": lambda: CUBE.distance(CUBE, threads=0),
    "threads is 100000": lambda: CUBE.distance(CUBE, threads=100000),
    "margin is nan": lambda: CUBE.contacts(CUBE, margin=NAN),
    "tolerance is 0": lambda: CUBE.impact(CUBE, None, None, tolerance=0.0),
    "the compound is empty": lambda: impinge.Compound([]),
    "child 0 is a compound": lambda: impinge.Compound([(impinge.Compound([(CUBE, None)] * 2), None)]),
    "scale by up to": lambda: impinge.nearest_rigid(np.eye(4) * 2.0),
}


@pytest.mark.parametrize("words", REFUSED)
def test_refused(words):
    with pytest.raises(ValueError) as error:
        REFUSED[words]()
    assert words in str(error.value)


def test_wrong_classes():
    for wrong in (None, 5, "cube", np.eye(4)):
        with pytest.raises(TypeError, match="is not a Geometry"):
            CUBE.distance(wrong)
    with pytest.raises(TypeError):
        Shape()
    with pytest.raises(TypeError):
        CUBE.distance(CUBE, threads=1.5)


def test_meshes_of_other_packages():
    vertices, faces = box()
    flat = np.hstack([np.full((12, 1), 3), faces]).ravel()
    like = types.SimpleNamespace
    for mesh in [
        like(vertices=vertices, faces=faces),
        like(vertices=vertices, triangles=faces),
        like(points=vertices, faces=flat),
        like(points=vertices, cells_dict={"triangle": faces, "line": [[0, 1]]}),
    ]:
        assert (Mesh(mesh).faces == faces).all()
    with pytest.raises(ValueError, match="triangulate"):
        Mesh(like(points=vertices, faces=np.array([4, 0, 1, 2, 3])))
    with pytest.raises(ValueError, match="tetra"):
        Mesh(like(points=vertices, cells_dict={"tetra": [[0, 1, 2, 3]]}))


def test_real_meshes_of_trimesh_and_meshio():
    trimesh, meshio = pytest.importorskip("trimesh"), pytest.importorskip("meshio")
    vertices, faces = ball(1)
    wanted = Mesh(vertices, faces).signed_distance(POINTS)
    assert (Mesh(trimesh.Trimesh(vertices, faces, process=False)).signed_distance(POINTS) == wanted).all()
    assert (Mesh(meshio.Mesh(vertices, [("triangle", faces)])).signed_distance(POINTS) == wanted).all()


GEOMETRIES = [
    Shape.sphere(1.5),
    Shape.capsule(0.1, 1.0).rounded(0.2),
    Shape.tapered_capsule(0.3, 0.1, 1.0),
    Shape.cuboid([1.0, 2.0, 1 / 3]).rounded(0.1).rounded(0.2),
    Shape.cylinder(0.5, 1.0),
    Shape.cone(0.5, 1.0),
    Shape.ellipsoid([1, 2, 3]),
    Shape.segment([[0, 0, 0], [1, 2, 3]]),
    Shape.triangle([[0, 0, 0], [1, 2, 3], [0, 1, 0]]),
    Shape.plane([0, 0, 2], 1.0),
    Shape.half_space([0, 1, 0], 1.0),
    Shape.hull(POINTS),
    Mesh(*ball(1)),
    Mesh(*ball(1), solid=False),
    impinge.Compound([(Mesh(*box()), None), (Shape.sphere(1.0), ([0, 0, 0, 1], [3, 0, 0]))]),
]


@pytest.mark.parametrize("geometry", GEOMETRIES, ids=lambda g: repr(g)[:40])
def test_pickle_and_copy(geometry):
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        again = pickle.loads(pickle.dumps(geometry, protocol))
        assert type(again) is type(geometry) and repr(again) == repr(geometry)
        assert (again.signed_distance(POINTS) == geometry.signed_distance(POINTS)).all()
    assert copy.copy(geometry) is geometry and copy.deepcopy(geometry) is geometry
    if isinstance(geometry, Shape) and "points>" not in repr(geometry):
        made = eval(repr(geometry))
        assert (made.signed_distance(POINTS) == geometry.signed_distance(POINTS)).all()


def test_hostile_calls():
    """Nonsense of every kind, in every place: an exception or an answer, and never a crash."""
    generator = np.random.default_rng(7)
    odd = [
        None,
        0,
        -1,
        2.5,
        NAN,
        "x",
        b"x",
        [],
        [[]],
        {},
        object(),
        np.zeros(3),
        np.zeros((0, 3)),
        np.full((2, 3), NAN),
        np.eye(4),
    ]
    odd += [
        np.zeros((2, 2, 2)),
        np.array("x"),
        (None, None),
        ([1, 0, 0, 0], [0, 0, 0]),
        np.float64(1),
        10**30,
        -(10**30),
        Shape.sphere(1),
        range(3),
    ]
    calls = [
        Mesh,
        Shape.sphere,
        Shape.cuboid,
        Shape.hull,
        Shape.plane,
        impinge.Compound,
        impinge.nearest_rigid,
        CUBE.scaled,
    ]
    calls += [CUBE.intersects, CUBE.relation, CUBE.distance, CUBE.contacts, CUBE.triangle_pairs, CUBE.impact]
    calls += [
        CUBE.closest_point,
        CUBE.signed_distance,
        CUBE.contains,
        CUBE.cast_rays,
        CUBE.bounds,
        Shape.sphere(1).rounded,
    ]
    names = ["pose", "threads", "poses", "margin"]
    failed = 0
    for _ in range(5000):
        call = calls[generator.integers(len(calls))]
        arguments = [odd[k] for k in generator.integers(len(odd), size=generator.integers(0, 4))]
        keywords = {
            names[k]: odd[generator.integers(len(odd))]
            for k in generator.integers(len(names), size=generator.integers(0, 2))
        }
        if call is CUBE.scaled and arguments and arguments[0] == 10**30:
            continue
        try:
            call(*arguments, **keywords)
        except (TypeError, ValueError, OverflowError):
            failed += 1
    assert 1000 < failed < 5000
