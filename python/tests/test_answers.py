"""Answers against closed forms and against the least over all triangles."""

import doctest
import importlib
import pathlib

import numpy as np
import pytest

import impinge
from impinge import Certainty, FeatureKind, Mesh, Shape, Start, Verdict
from models import ball, box, matrix, nearest_on_triangles, rotations


def test_distance_of_balls():
    centres = np.random.default_rng(1).normal(size=(500, 3)) * 3.0
    found = Shape.sphere(0.5).distance(Shape.sphere(0.75), (None, centres), signed=True)
    assert np.allclose(found.distance, np.linalg.norm(centres, axis=1) - 1.25, atol=1e-14)
    assert np.allclose(found.points[:, 1] - found.points[:, 0], found.normal * found.distance[:, None])
    assert set(found.certainty) == {Certainty.EXACT}
    zero = Shape.sphere(0.5).distance(Shape.sphere(0.75), (None, centres))
    assert (zero.distance >= 0.0).all() and (zero.distance[found.distance < 0] == 0.0).all()


def test_verdicts_of_boxes():
    cube = Mesh(*box())
    steps = [[2.5, 0, 0], [2.0, 0, 0], [1.5, 0, 0], [0, 0, 0]]
    found = cube.relation(Mesh(*box()), (None, steps))
    wanted = [Verdict.SEPARATED, Verdict.TOUCHING, Verdict.PENETRATING, Verdict.CONTAINED]
    assert list(found.verdict) == wanted
    assert cube.intersects(cube, (None, steps)).tolist() == [False, True, True, True]
    small = Mesh(*box((0.5, 0.5, 0.5)))
    assert [cube.relation(small).inside, small.relation(cube).inside] == [1, 0]
    assert Mesh(*box(), solid=False).relation(small).verdict == Verdict.SEPARATED


def test_signed_distance_against_all_triangles():
    vertices, faces = ball(2)
    mesh = Mesh(vertices, faces)
    points = np.random.default_rng(2).normal(size=(400, 3))
    distances = nearest_on_triangles(points, vertices, faces)
    found = mesh.closest_point(points)
    assert np.allclose(np.abs(found.distance), distances, atol=1e-13)
    assert np.allclose(np.linalg.norm(found.point - points, axis=1), distances, atol=1e-13)
    assert (mesh.signed_distance(points) == found.distance).all()
    inside = mesh.contains(points)
    assert (inside == (found.distance <= 0.0)).all() and 50 < inside.sum() < 350
    # A ball of radius 1 around the polyhedron, one of 0.9 within.
    radius = np.linalg.norm(points, axis=1)
    assert inside[radius < 0.9].all() and not inside[radius > 1.0].any()


def test_open_meshes_are_surfaces():
    triangle = Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])
    assert not triangle.is_closed and not triangle.is_solid
    assert triangle.signed_distance([0.25, 0.25, -2.0]) == 2.0


def test_rays_at_a_box():
    cube = Mesh(*box())
    generator = np.random.default_rng(3)
    origins = np.stack([*generator.uniform(-1.5, 1.5, size=(2, 300)), np.full(300, 5.0)], axis=1)
    hits = cube.cast_rays(origins, [0.0, 0.0, -2.0])
    over = (np.abs(origins[:, :2]) <= 1.0).all(axis=1)
    assert (hits.hit == over).all() and 50 < over.sum() < 250
    assert (hits.t[over] == 2.0).all() and np.isinf(hits.t[~over]).all()
    assert (hits.normal[over] == [0.0, 0.0, 1.0]).all() and np.isnan(hits.point[~over]).all()
    assert (hits.triangle[~over] == -1).all() and (hits.triangle[over] >= 0).all()
    leaving = cube.cast_rays([0.1, 0.2, 0.0], [0.0, 0.0, 1.0])
    assert (leaving.t, leaving.inside, leaving.hit) == (1.0, True, True)


def test_poses_in_every_form():
    quaternions, moves = rotations(50, 4), np.random.default_rng(5).normal(size=(50, 3)) * 2
    shape, other = Shape.cuboid([1.0, 0.5, 0.25]), Mesh(*ball(1))
    apart = shape.distance(other, (quaternions, moves), signed=True).distance
    one_by_one = [shape.distance(other, (q, t), signed=True).distance for q, t in zip(quaternions, moves)]
    assert (apart == one_by_one).all()
    matrices = np.array([matrix(q, t) for q, t in zip(quaternions, moves)])
    close = shape.distance(other, matrices, signed=True).distance
    assert np.allclose(apart, close, atol=1e-12)
    turned = shape.distance(other, None, pose=np.linalg.inv(matrices), signed=False).distance
    assert np.allclose(turned, np.maximum(apart, 0.0), atol=1e-9)
    assert shape.bounds((None, [[5, 0, 0], [0, 0, 5]])).shape == (2, 2, 3)


def test_triangle_pairs_and_contacts():
    cube, other = Mesh(*box()), Mesh(*box((0.5, 0.5, 0.5)))
    found = cube.triangle_pairs(other, (None, [1.25, 0.1, 0.2]))
    assert len(found) > 0 and found.crossing.any() and (found.triangles >= 0).all()
    order = [tuple(pair) for pair in found.triangles.tolist()]
    assert order == sorted(order)
    many = cube.triangle_pairs(other, (None, [[1.25, 0.1, 0.2], [9.0, 0.0, 0.0]]))
    assert [len(pairs) for pairs in many] == [len(found), 0]
    resting = Shape.cuboid([2.0, 2.0, 0.5]).contacts(Shape.cuboid([0.5, 0.5, 0.5]), (None, [0, 0, 0.99]))
    assert len(resting) == 4 and (resting.normal == [0.0, 0.0, 1.0]).all()
    assert np.allclose(resting.distance, -0.01)


def test_impact():
    wall, pellet = Shape.cuboid([0.001, 5.0, 5.0]), Mesh(*ball(1, 0.5))
    start, end = (None, [[-10.0, 0.0, 0.0], [-10.0, 8.0, 0.0]]), (None, [[10.0, 0.0, 0.0], [10.0, 8.0, 0.0]])
    found = wall.impact(pellet, start, end)
    assert found.hit.tolist() == [True, False] and np.isnan(found.interval[1]).all()
    low, high = found.interval[0]
    first = (10.0 - 0.5 - 0.001) / 20.0
    assert low <= first + 1e-12 and first <= high + 1e-12 and high - low <= 1e-6
    assert found[0].start == Start.FREE
    assert wall.impact(pellet, None, (None, [1, 0, 0])).start == Start.OVERLAPPING
    both = pellet.impact(pellet, (None, [4, 0, 0]), None, pose=(None, [0, 0, 0]), pose_end=(None, [4, 0, 0]))
    assert abs(both.interval[1] - 3.0 / 8.0) < 2e-6


def test_compounds_tell_the_child():
    arm = impinge.Compound({7: (Shape.sphere(1.0), None), 9: (Mesh(*box()), (None, [10, 0, 0]))})
    assert arm.closest_point([[0, 0, 3], [10, 0, 3]]).child.tolist() == [7, 9]
    found = arm.distance(Shape.sphere(1.0), (None, [13.0, 0.0, 0.0]))
    assert (found.distance, found.children.tolist(), found.kinds[0]) == (1.0, [9, 0], FeatureKind.FACE)


def test_answers_are_columns():
    found = Shape.sphere(1.0).signed_distance(np.zeros((0, 3)))
    assert found.shape == (0,)
    points = Shape.sphere(1.0).closest_point(np.eye(3) * 2.0)
    assert len(points) == 3 and points[-1].distance == 1.0 and len(points[points.distance > 5]) == 0
    assert [one.distance for one in points] == [1.0] * 3 and "3 ClosestPoints" in repr(points)


@pytest.mark.parametrize(
    "name",
    ["impinge", "impinge._geometry", "impinge._poses", "impinge._scene", "impinge._check", "impinge._simulation"],
)
def test_examples(name):
    module = importlib.import_module(name)
    done = doctest.testmod(module)
    assert done.attempted > 0 and done.failed == 0


@pytest.mark.parametrize("page", ["README.md", "docs/guide/python.md"])
def test_pages(page):
    text = (pathlib.Path(__file__).parents[2] / page).read_text(encoding="utf-8")
    blocks = [block.split("```")[0] for block in text.split("```python\n")[1:]]
    assert blocks, f"{page} shows no Python"
    names = {}
    for block in blocks:
        example = doctest.DocTestParser().get_doctest(block, names, page, page, 0)
        assert example.examples, block
        runner = doctest.DocTestRunner()
        runner.run(example, clear_globs=False)
        names.update(example.globs)
        assert runner.failures == 0, block
