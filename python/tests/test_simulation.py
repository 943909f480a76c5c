"""Bodies that fall and come to rest."""

import threading

import numpy as np
import pytest

from impinge import Mesh, Shape, Simulation, Verdict
from models import box


def stack(**settings):
    world = Simulation(**settings)
    world.add(Shape.half_space([0, 0, 1], 0.0), moves=False)
    cube = Mesh(*box((0.5, 0.5, 0.5)))
    return world, [
        world.add(cube if k % 2 else Shape.cuboid([0.5, 0.5, 0.5]), (None, [0, 0, 0.5 + 1.02 * k])) for k in range(4)
    ]


def test_a_stack_comes_to_rest():
    world, blocks = stack()
    world.step(240)
    state = world.state(blocks)
    assert np.abs(state.pose[:, 2, 3] - [0.5, 1.5, 2.5, 3.5]).max() < 0.03
    assert state.asleep.all() and world.awake == 0 and world.steps == 240
    assert not state.velocity.any() and "0 awake, after 240 steps" in repr(world)
    found = world.meetings()
    assert len(found) >= 4 and set(found.verdict) <= set(Verdict)


def test_a_body_falls_as_it_should():
    world = Simulation(sleep=False, time_step=0.01, gravity=[0, 0, -10])
    ball = world.add(Shape.sphere(0.1), (None, [0, 0, 100]))
    world.set_velocity(ball, [1, 0, 0], [0, 0, 2])
    before = sum(world.energy)
    world.step(100)
    state = world.state(ball)[0]
    assert state[0][0, 3] == pytest.approx(1.0) and state[0][2, 3] == pytest.approx(95.0, abs=0.1)
    assert state[1][2] == pytest.approx(-10.0) and sum(world.energy) == pytest.approx(before, rel=1e-2)


def test_the_same_bits_for_any_number_of_threads():
    hashes = set()
    for threads in (1, 2, 5, None):
        world, _ = stack()
        world.step(60, threads=threads)
        hashes.add(world.state_hash())
    assert len(hashes) == 1


def test_pushed_and_taken_away():
    world, blocks = stack()
    world.step(240)
    world.push(blocks[3], [3000.0, 0, 0], [0, 0, 3.5])
    world.step(5)
    assert world.state(blocks[3]).velocity[0, 0] > 0
    world.remove(blocks[0])
    world.step(30)
    assert world.state(blocks[1]).pose[0, 2, 3] < 1.4 and len(world) == 4


def test_refused():
    world, blocks = stack()
    for wrong in (
        lambda: world.add(Shape.sphere(1.0), density=-1.0),
        lambda: Simulation(time_step=0.0),
        lambda: Simulation(solver="magic"),
        lambda: world.step(-1),
        lambda: world.set_velocity(blocks[0], [1, 2]),
        lambda: world.set_poses(blocks, [np.eye(4)]),
        lambda: world.push(blocks[0], [np.nan, 0, 0], [0, 0, 0]),
    ):
        with pytest.raises(ValueError):
            wrong()
    with pytest.raises(KeyError):
        world.remove(99)


def test_threads_take_turns():
    world, blocks = stack()
    workers = [threading.Thread(target=world.step, args=(20,)) for _ in range(4)]
    [worker.start() for worker in workers]
    [world.state(blocks) for _ in range(50)]
    [worker.join() for worker in workers]
    assert world.steps == 80
