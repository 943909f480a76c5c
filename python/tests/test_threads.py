"""Threads, signals and forks."""

import os
import signal
import subprocess
import sys
import textwrap
import threading

import numpy as np
import pytest

from impinge import Mesh, Shape
from models import ball, rotations

MANY = (rotations(3000, 8), np.random.default_rng(9).normal(size=(3000, 3)) * 2)


def test_the_same_bits_for_any_number_of_threads():
    a, b = Mesh(*ball(3)), Mesh(*ball(2, 0.5))
    points = MANY[1]

    def ask(threads):
        distance = a.distance(b, MANY, signed=True, threads=threads)
        rays = a.cast_rays(points * 3, -points, threads=threads)
        closest = a.closest_point(points, threads=threads)
        columns = [distance.distance, distance.points, distance.triangles, rays.t, rays.point, closest.point]
        return [column.tobytes() for column in columns]

    wanted = ask(1)
    assert ask(2) == wanted and ask(5) == wanted and ask(None) == wanted


def test_the_interpreter_is_released():
    a, b = Mesh(*ball(4)), Mesh(*ball(4, 0.9))
    done, turns = threading.Event(), []

    def count():
        while not done.is_set():
            turns.append(None)
            done.wait(0.0005)

    counter = threading.Thread(target=count)
    counter.start()
    before = len(turns)
    a.triangle_pairs(b, MANY if len(turns) else (MANY[0][:300], MANY[1][:300]))
    during = len(turns) - before
    done.set()
    counter.join()
    assert during > 5


def test_many_threads_share_a_geometry():
    a, b = Mesh(*ball(2)), Mesh(*ball(2, 0.5))
    wanted = a.distance(b, MANY).distance.tobytes()
    found = []
    workers = [threading.Thread(target=lambda: found.append(a.distance(b, MANY).distance.tobytes())) for _ in range(6)]
    [worker.start() for worker in workers]
    [worker.join() for worker in workers]
    assert found == [wanted] * 6


def test_arrays_may_be_written_meanwhile():
    mesh, points = Mesh(*ball(2)), MANY[1].copy()
    wanted = mesh.signed_distance(points)
    stop = threading.Event()

    def write():
        while not stop.is_set():
            points[:] = 7.0
            points[:] = MANY[1]

    writer = threading.Thread(target=write)
    writer.start()
    found = [mesh.signed_distance(points) for _ in range(20)]
    stop.set()
    writer.join()
    # Each point is one that was there at some time, or a mixture of coordinates: finite either way.
    assert all(np.isfinite(answer).all() and answer.shape == wanted.shape for answer in found)


def run(script):
    code = textwrap.dedent(script)
    folder = os.path.dirname(__file__)
    return subprocess.run([sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, timeout=240)


@pytest.mark.skipif(os.name == "nt", reason="alarms are POSIX")
@pytest.mark.parametrize("threads", [None, 1, 2])
def test_keyboard_interrupt(threads):
    """Hours of work, ended by a signal: the subprocess is killed, and the test fails, if it is not noticed."""
    done = run(
        f"""
        import signal, numpy as np
        from impinge import Mesh
        from models import ball, rotations
        a, b = Mesh(*ball(4)), Mesh(*ball(4, 0.9))
        poses = (rotations(1_000_000, 1), np.zeros((1_000_000, 3)))
        signal.signal(signal.SIGALRM, signal.default_int_handler)
        try:
            signal.setitimer(signal.ITIMER_REAL, 0.3)
            a.triangle_pairs(b, poses, threads={threads})
        except KeyboardInterrupt:
            print("interrupted", a.intersects(b))
        """
    )
    assert done.stdout.split() == ["interrupted", "True"], done.stderr


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
def test_fork():
    """A child asks after its parent has used all threads, and gets the parent's bits."""
    done = run(
        """
        import multiprocessing as mp, warnings
        import numpy as np
        from impinge import Mesh
        from models import ball, rotations
        warnings.simplefilter("ignore")
        a, b = Mesh(*ball(4)), Mesh(*ball(3, 0.5))
        poses = (rotations(4000, 2), np.random.default_rng(3).normal(size=(4000, 3)))
        def ask(threads):
            fresh = Mesh(*ball(5))
            return a.distance(b, poses, threads=threads).distance.tobytes(), fresh.is_closed
        wanted = ask(None), ask(2)
        with mp.get_context("fork").Pool(2) as pool:
            found = pool.map(ask, [None, 2, None, 2])
        print(found == [*wanted, *wanted])
        """
    )
    assert done.stdout.split() == ["True"], done.stderr


def test_exit_while_a_thread_works():
    """The interpreter ends while a thread of it is inside a batch: no crash."""
    done = run(
        """
        import threading, time
        import numpy as np
        from impinge import Mesh
        from models import ball, rotations
        a, b = Mesh(*ball(3)), Mesh(*ball(3, 0.9))
        poses = (rotations(20000, 1), np.zeros((20000, 3)))
        threading.Thread(target=lambda: a.distance(b, poses), daemon=True).start()
        time.sleep(0.2)
        print("ends")
        """
    )
    assert done.returncode == 0 and done.stdout.split() == ["ends"], done.stderr


def test_signal_handlers_may_raise_anything():
    if os.name == "nt":
        pytest.skip("alarms are POSIX")

    class Late(Exception):
        pass

    def late(*_):
        raise Late

    a, b = Mesh(*ball(4)), Mesh(*ball(4, 0.9))
    poses = (np.tile(MANY[0], (100, 1)), np.zeros((300_000, 3)))
    old = signal.signal(signal.SIGALRM, late)
    try:
        with pytest.raises(Late):
            signal.setitimer(signal.ITIMER_REAL, 0.3)
            a.triangle_pairs(b, poses)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, old)
    assert Shape.sphere(1.0).signed_distance([3, 0, 0]) == 2.0
