"""Scenes against all pairs, one by one."""

import numpy as np
import pytest

from impinge import Mesh, Scene, Shape
from models import ball


def crowd(count, seed):
    generator = np.random.default_rng(seed)
    shapes = [Shape.sphere(0.5), Shape.cuboid([0.5, 0.4, 0.3]), Mesh(*ball(1, 0.6))]
    return [(shapes[k % 3], (None, place)) for k, place in enumerate(generator.uniform(-3, 3, size=(count, 3)))]


def test_meetings_against_all_pairs():
    bodies = crowd(60, 10)
    scene = Scene()
    handles = [scene.add(geometry, pose) for geometry, pose in bodies]

    def all_pairs():
        meet = lambda i, j: bodies[i][0].intersects(bodies[j][0], bodies[j][1], pose=bodies[i][1])
        return [[i, j] for i in range(60) for j in range(i + 1, 60) if meet(i, j)]

    found = scene.meetings()
    assert len(found) > 10 and sorted(found.bodies.tolist()) == all_pairs()
    moved = np.random.default_rng(11).uniform(-3, 3, size=(30, 3))
    scene.set_poses(handles[:30], (None, moved))
    bodies[:30] = [(geometry, (None, place)) for (geometry, _), place in zip(bodies, moved)]
    assert sorted(scene.meetings().bodies.tolist()) == all_pairs()
    query = Shape.sphere(1.5)
    hit = scene.overlapping(query, (None, [1, 0, 0])).bodies[:, 1].tolist()
    one_by_one = [i for i in range(60) if query.intersects(bodies[i][0], bodies[i][1], pose=(None, [1, 0, 0]))]
    assert hit == one_by_one and len(hit) > 2


def test_distances_against_all_pairs():
    bodies = crowd(25, 12)
    scene = Scene()
    handles = [scene.add(geometry, pose) for geometry, pose in bodies]
    gap = lambda i, j: bodies[i][0].distance(bodies[j][0], bodies[j][1], pose=bodies[i][1], signed=True).distance
    wanted = {(i, j): gap(i, j) for i in range(25) for j in range(i + 1, 25)}
    near, found = scene.pairs_within(0.5)
    assert {tuple(pair) for pair in near.tolist()} == {pair for pair, apart in wanted.items() if apart <= 0.5}
    one_by_one = np.array([wanted[tuple(pair)] for pair in near.tolist()])
    apart = one_by_one > 0.0
    assert np.allclose(found.distance[apart], one_by_one[apart], atol=1e-12) and 0 < apart.sum() < len(apart)
    # Depths of meshes are bounds, and a scene looks for them in another way.
    assert (found.distance[~apart] <= 0.0).all()
    (one, two), least = scene.distance_between(handles[:5], handles[5:])
    between = min(apart for (i, j), apart in wanted.items() if i < 5 <= j)
    assert abs(least.distance - between) < 1e-12 if between > 0.0 else least.distance < 0.0
    far = scene.add(Shape.sphere(0.5), (None, [20.0, 0.0, 0.0]))
    pair, gap_to_far = scene.distance_between([far], handles)
    apart = [
        Shape.sphere(0.5).distance(geometry, pose, pose=(None, [20.0, 0.0, 0.0])).distance for geometry, pose in bodies
    ]
    assert pair == (far, int(np.argmin(apart))) and gap_to_far.distance == min(apart)
    assert one < 5 <= two


def test_handles():
    scene = Scene()
    first, second = scene.add(Shape.sphere(1.0)), scene.add(Shape.sphere(1.0))
    scene.remove(first)
    assert len(scene) == 1 and len(scene.meetings()) == 0 and "1 bodies" in repr(scene)
    for call in (scene.remove, lambda handle: scene.set_poses([handle], (None, [[0, 0, 0]]))):
        with pytest.raises(KeyError):
            call(first)
    third = scene.add(Shape.sphere(1.0))
    assert third not in (first, second) and sorted(scene.meetings().bodies[0].tolist()) == [second, third]
    assert scene.distance_between([second], [second]) is None
    with pytest.raises(ValueError, match="give as many"):
        scene.set_poses([second, third], (None, [[0, 0, 0]]))
