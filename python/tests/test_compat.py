"""The words of trimesh: against trimesh itself where it is installed, and against what its documentation says."""

import types

import numpy as np
import pytest

from impinge import Mesh
from impinge.compat import CollisionManager, proximity
from models import ball, box, matrix, rotations


def moved(x, y=0.0, z=0.0):
    return matrix([1, 0, 0, 0], [x, y, z])


def part(vertices, faces):
    return types.SimpleNamespace(vertices=vertices, faces=faces)


def test_manager():
    manager, cube = CollisionManager(), part(*box())
    for name, x in (("left", 0.0), ("middle", 1.5), ("right", 9.0)):
        manager.add_object(name, cube, moved(x))
    assert manager.in_collision_internal() is True
    assert manager.in_collision_internal(return_names=True) == (True, {("left", "middle")})
    hit, names, contacts = manager.in_collision_internal(return_names=True, return_data=True)
    assert contacts and all(contact.names == {"left", "middle"} for contact in contacts)
    assert {contact.index("left") for contact in contacts} <= set(range(12))
    assert all(0.0 <= contact.depth <= 2.0 and 0.4 < contact.point[0] < 1.1 for contact in contacts)
    manager.set_transform("middle", moved(4.0))
    assert manager.in_collision_internal(return_names=True) == (False, set())
    distance, names, data = manager.min_distance_internal(return_names=True, return_data=True)
    assert (distance, names, data.names) == (2.0, ("left", "middle"), {"left", "middle"})
    assert (data.point("left")[0], data.point("middle")[0]) == (1.0, 3.0)
    assert manager.min_distance_internal("right", return_names=True) == (3.0, ("middle", "right"))
    assert manager.in_collision_single(cube, moved(5.5), return_names=True) == (True, {"middle"})
    assert manager.min_distance_single(cube, moved(-5.0), return_name=True) == (3.0, "left")
    manager.remove_object("middle")
    assert manager.min_distance_internal() == 7.0
    for call in (
        manager.remove_object,
        lambda name: manager.set_transform(name, np.eye(4)),
        manager.min_distance_internal,
    ):
        with pytest.raises(ValueError, match="middle not in collision manager!"):
            call("middle")
    with pytest.raises(ValueError, match=r"\(4,4\)"):
        manager.add_object("flat", cube, np.eye(3))


def test_two_managers():
    here, there, cube = CollisionManager(), CollisionManager(), Mesh(*box())
    assert here.min_distance_internal() == np.inf and here.min_distance_other(there) == np.inf
    here.add_object("a", cube)
    there.add_object("b", cube, moved(5.0))
    assert here.in_collision_other(there, return_names=True) == (False, set())
    assert here.min_distance_other(there, return_names=True) == (3.0, ("a", "b"))
    there.set_transform("b", moved(2.0))
    hit, names, contacts = here.in_collision_other(there, return_names=True, return_data=True)
    assert hit and names == {("a", "b")} and contacts[0].names == {"a", "b"}
    assert abs(contacts[0].normal[0]) == 1.0


def test_an_object_is_replaced():
    manager = CollisionManager()
    manager.add_object("a", part(*box()))
    manager.add_object("b", part(*box()), moved(5.0))
    manager.add_object("b", part(*box()), moved(1.0))
    assert manager.in_collision_internal(return_names=True) == (True, {("a", "b")})
    assert len(manager._scene) == 2


def test_single_precision_transforms():
    manager, turns = CollisionManager(), rotations(20, 30)
    for k, turn in enumerate(turns):
        manager.add_object(k, Mesh(*ball(1)), matrix(turn, [3.0 * k, 0, 0]).astype(np.float32))
    assert manager.in_collision_internal() is False
    with pytest.raises(ValueError, match="only rotations"):
        manager.add_object("large", Mesh(*ball(1)), np.diag([2.0, 2.0, 2.0, 1.0]))


def test_signs_of_proximity():
    cube = part(*box())
    assert proximity.signed_distance(cube, [[0, 0, 0], [0, 0, 3]]).tolist() == [1.0, -2.0]
    points, distances, triangles = proximity.closest_point(cube, [[0, 0, 3.0], [0, 0, 0.75]])
    assert points.tolist() == [[0, 0, 1], [0, 0, 1]] and distances.tolist() == [2.0, 0.25]
    query = proximity.ProximityQuery(cube)
    apart, nearest = query.vertex([[2, 2, 2], [-1, -1, -3]])
    assert nearest.tolist() == [7, 0] and apart.tolist() == [3**0.5, 2.0]
    assert (query.on_surface([[0, 0, 3.0]])[2] == triangles[:1]).all()


def test_a_script_for_trimesh():
    """The same calls on both packages; bodies are apart or overlap clearly."""
    trimesh = pytest.importorskip("trimesh")
    pytest.importorskip("fcl")
    from trimesh.collision import CollisionManager as Theirs

    parts = [trimesh.Trimesh(*ball(2, 0.6)), trimesh.creation.torus(0.8, 0.2), trimesh.Trimesh(*box((0.5, 0.3, 0.2)))]
    places = np.random.default_rng(31).uniform(-2.5, 2.5, size=(40, 3))
    transforms = [matrix(turn, place) for turn, place in zip(rotations(40, 32), places)]

    def script(manager):
        for k, transform in enumerate(transforms):
            manager.add_object(f"part {k:02}", parts[k % 3], transform)
        first = manager.in_collision_internal(return_names=True)
        manager.set_transform("part 07", transforms[8])
        second = manager.in_collision_internal(return_names=True)
        single = manager.in_collision_single(parts[0], transforms[3], return_names=True)
        far = matrix([1, 0, 0, 0], [9, 9, 9])
        return first, second, single, manager.min_distance_single(parts[1], far, return_name=True)

    ours, theirs = script(CollisionManager()), script(Theirs())
    assert ours[:3] == theirs[:3] and len(ours[0][1]) > 10
    assert ours[3][1] == theirs[3][1] and ours[3][0] == pytest.approx(theirs[3][0], abs=1e-6)


def test_proximity_against_trimesh():
    trimesh = pytest.importorskip("trimesh")
    pytest.importorskip("scipy")
    pytest.importorskip("rtree")
    mesh = trimesh.creation.torus(1.0, 0.4)
    points = np.random.default_rng(33).normal(size=(200, 3))
    theirs, ours = trimesh.proximity.ProximityQuery(mesh), proximity.ProximityQuery(mesh)
    assert np.allclose(ours.on_surface(points)[1], theirs.on_surface(points)[1], atol=1e-9)
    assert np.allclose(ours.signed_distance(points), theirs.signed_distance(points), atol=1e-9)
    assert np.allclose(ours.vertex(points)[0], theirs.vertex(points)[0], atol=1e-12)
    changed = trimesh.Trimesh(*box())
    manager = CollisionManager()
    manager.add_object("a", changed)
    changed.apply_translation([5.0, 0.0, 0.0])
    manager.add_object("b", changed)
    assert manager.min_distance_internal() == 3.0
