"""Hostile calls: wrong shapes, types, layouts, numbers, freed and foreign buffers, threads that write meanwhile. Each must answer or raise.

    python python/tests/hostile.py --calls 100000 --seed 1

It prints how many calls answered and how many raised what, and the resident memory after each tenth. It ends with 1 if anything but an expected
exception was raised, or if memory grew. A crash ends it with a signal. `pytest` makes a few thousand of the same calls.
"""

from __future__ import annotations

import argparse
import array
import collections
import copy
import ctypes
import gc
import mmap
import pickle
import sys
import threading

import numpy as np

import impinge
from impinge import Compound, Mesh, Scene, Shape, Simulation
from impinge.compat import CollisionManager, proximity
from models import ball, box

EXPECTED = (ValueError, TypeError, KeyError, OverflowError, IndexError, AttributeError, FileNotFoundError, MemoryError)
NUMBERS = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    5e-324,
    1e-308,
    1e-30,
    1e30,
    2.0**250,
    2.0**251,
    1e308,
    np.inf,
    -np.inf,
    np.nan,
    2**31,
    2**63,
    -(2**63),
    2**64,
]
KINDS = [
    "f2",
    "f4",
    "f8",
    ">f8",
    "g",
    "i1",
    "u1",
    "i2",
    "i4",
    "u4",
    "i8",
    "u8",
    ">i4",
    "?",
    "c16",
    "O",
    "S3",
    "U3",
    "M8[s]",
    "V4",
]


class Liar:
    """An object that says it is an array, and is not."""

    def __init__(self, what):
        self.what = what

    @property
    def __array_interface__(self):
        return {"version": 3, "shape": self.what, "typestr": "<f8", "data": (8, True)} if self.what is None else {}

    def __array__(self, *_, **__):
        raise ValueError("no array today")

    def __len__(self):
        return 2**40

    def __index__(self):
        return -(2**70)

    def __float__(self):
        raise ZeroDivisionError if self.what == "float" else ValueError("no number today")


class Numbers:
    """Arguments of every hostile kind."""

    def __init__(self, seed):
        self.random = np.random.default_rng(seed)
        self.meshes = [
            Mesh(*ball(1)),
            Mesh(*box()),
            Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]]),
            Mesh(*ball(1), solid=False),
        ]
        self.shapes = [
            Shape.sphere(1.0),
            Shape.cuboid([1, 2, 3]),
            Shape.plane([0, 0, 1], 0.0),
            Shape.hull(np.eye(3)),
            Shape.capsule(0.5, 1.0).rounded(0.1),
        ]
        self.shared = np.zeros((64, 3))

    def pick(self, options):
        return options[self.random.integers(len(options))]

    def number(self):
        return self.pick(NUMBERS) if self.random.random() < 0.5 else self.random.normal()

    def shape(self):
        return tuple(int(n) for n in self.random.choice([0, 1, 2, 3, 3, 4, 7, 64], size=self.random.integers(0, 4)))

    def table(self):
        """An array: of a hostile type, layout or content."""
        shape = self.pick([(3,), (5, 3), (5, 3), (64, 3), (4, 4), (2, 4, 4), self.shape()])
        values = self.random.normal(size=shape)
        if values.size and self.random.random() < 0.3:
            flat = values.reshape(-1)
            flat[self.random.integers(flat.size)] = self.pick([n for n in NUMBERS if abs(n) < 1e309 or n != n])
        way = self.random.integers(10)
        if way == 0:
            with np.errstate(all="ignore"):
                try:
                    return values.astype(self.pick(KINDS))
                except (TypeError, ValueError):
                    return values
        if way == 1:
            return np.asfortranarray(values)
        if way == 2:
            values.setflags(write=False)
            return values
        if way == 3 and values.ndim:
            return values[::-1]
        if way == 4:
            wide = np.zeros([2 * n for n in values.shape] or [2])
            return wide[tuple(slice(None, None, 2) for _ in values.shape)]
        if way == 5:
            return np.broadcast_to(self.random.normal(size=3), (9, 3))
        if way == 6:
            return np.lib.stride_tricks.as_strided(self.random.normal(size=16), (4, 3), (8, 8))
        if way == 7:
            return self.foreign()
        if way == 8:
            return values.tolist()
        return values

    def foreign(self):
        """Buffers that are not numpy's, some of them freed as soon as they can be."""
        way = self.random.integers(6)
        if way == 0:
            return memoryview(bytearray(self.random.normal(size=9).tobytes())).cast("d", (3, 3))
        if way == 1:
            return array.array("d", self.random.normal(size=9).tolist())
        if way == 2:
            return (ctypes.c_double * 9)(*self.random.normal(size=9))
        if way == 3:
            return np.frombuffer(mmap.mmap(-1, 4096), dtype=float)[:9].reshape(3, 3)
        if way == 4:
            unaligned = np.zeros(73, dtype=np.uint8)[1:].view(float).reshape(3, 3)
            return unaligned
        return self.shared

    def thing(self):
        """Anything at all."""
        return self.pick([None, True, "text", b"\x00", [], {}, (), [[]], 3, -1, 2**70, 1.5, np.nan, object(), Liar(None), Liar((5, 3)), Liar("float"),
                          np.array(3), np.datetime64("now"), slice(None), range(9), self.meshes[0], Ellipsis, lambda: 0, np.float64, [None] * 3])  # fmt: skip

    def any(self):
        return self.thing() if self.random.random() < 0.35 else self.table()

    def geometry(self):
        return self.thing() if self.random.random() < 0.1 else self.pick(self.meshes + self.shapes)

    def pose(self):
        way = self.random.integers(6)
        if way == 0:
            return None
        if way == 1:
            return self.any()
        if way == 2:
            return (None, self.random.normal(size=3))
        if way == 3:
            quaternion = self.random.normal(size=(3, 4))
            return (quaternion / np.linalg.norm(quaternion, axis=1)[:, None], self.random.normal(size=(3, 3)))
        return (self.any(), self.any())

    def threads(self):
        return self.pick([None, None, None, None, 1, 2, 0, -1, 10**9, "two", 1.5])


def calls(n):
    """Every kind of call, with hostile arguments."""
    g, p, a, t = n.geometry, n.pose, n.any, n.threads
    scene, world, manager = Scene(), Simulation(), CollisionManager()
    scene.add(n.meshes[0])
    world.add(n.shapes[0])
    return [
        lambda: Mesh(a(), a()),
        lambda: Mesh(n.random.normal(size=(9, 3)), n.random.integers(-2, 12, size=(7, 3)).astype(n.pick(KINDS[5:13]))),
        lambda: Mesh(n.thing()),
        lambda: n.pick([Shape.sphere, Shape.cuboid, Shape.hull, Shape.ellipsoid])(a()),
        lambda: n.pick([Shape.capsule, Shape.cylinder, Shape.cone])(n.number(), n.number()),
        lambda: Shape.tapered_capsule(n.number(), n.number(), n.number()),
        lambda: n.pick([Shape.plane, Shape.half_space])(a(), n.number()),
        lambda: n.pick(n.shapes).rounded(n.number()),
        lambda: n.pick(n.meshes).scaled(n.number()),
        lambda: Compound([(g(), p()), (g(), p())]),
        lambda: Compound({n.thing(): (g(), p())}),
        lambda: g().intersects(g(), p(), pose=p(), threads=t()),
        lambda: g().relation(g(), p(), pose=p(), threads=t()),
        lambda: g().distance(g(), p(), pose=p(), signed=n.pick([True, False, "x"]), threads=t()),
        lambda: g().triangle_pairs(g(), p(), pose=p(), threads=t()),
        lambda: g().contacts(g(), p(), margin=n.number(), threads=t()),
        lambda: g().impact(g(), p(), p(), max_steps=200, threads=t()),
        lambda: g().closest_point(a(), pose=p(), threads=t()),
        lambda: g().signed_distance(a(), pose=p(), threads=t()),
        lambda: g().contains(a(), pose=p(), threads=t()),
        lambda: g().cast_rays(a(), a(), pose=p(), threads=t()),
        lambda: g().bounds(p()),
        lambda: pickle.loads(pickle.dumps(g())),
        lambda: (copy.copy(g()), copy.deepcopy(g()), repr(g())),
        lambda: scene.add(g(), p()),
        lambda: scene.set_poses(a(), p()),
        lambda: (scene.meetings(), scene.pairs_within(n.number()), scene.overlapping(g(), p())),
        lambda: scene.distance_between(a(), a()),
        lambda: scene.remove(n.thing()),
        lambda: world.add(g(), p(), density=n.number(), friction=n.number()),
        lambda: (world.set_velocity(0, a(), a()), world.push(0, a(), a()), world.step(2)),
        lambda: world.state(a()),
        lambda: Simulation(gravity=a(), time_step=n.number(), size=n.number(), substeps=n.thing()),
        lambda: impinge.check(
            {"a": g(), "b": (g(), p())}, tolerance=n.number(), clearance=n.thing(), group=n.pick(["none", "part", "x"])
        ),
        lambda: impinge.read(n.thing()),
        lambda: (
            manager.add_object(n.pick("ab"), n.pick(n.meshes + [n.thing()]), a()),
            manager.in_collision_internal(return_data=True),
        ),
        lambda: manager.min_distance_single(g(), a()),
        lambda: proximity.signed_distance(n.pick(n.meshes), a()),
    ]


def resident():
    """Resident memory in bytes, if the system says."""
    try:
        with open("/proc/self/statm") as file:
            return int(file.read().split()[1]) * mmap.PAGESIZE
    except OSError:
        return 0


def run(count, seed, say=lambda *_: None):
    """Makes calls; gives how each ended, and the memory after each tenth. An unexpected exception is passed on."""
    n = Numbers(seed)
    ends, memory = collections.Counter(), []
    done = threading.Event()

    def write():
        random = np.random.default_rng(0)
        while not done.wait(0.0005):
            n.shared[random.integers(64)] = random.normal(size=3) * 10.0 ** random.integers(-300, 300)

    writer = threading.Thread(target=write)
    writer.start()
    try:
        made = []
        for k in range(count):
            if k % 500 == 0:
                made = calls(n)
            try:
                n.pick(made)()
                ends["answered"] += 1
            except EXPECTED as error:
                ends[type(error).__name__] += 1
            except ZeroDivisionError:
                ends["the argument's own error"] += 1
            if (k + 1) % max(1, count // 10) == 0:
                gc.collect()
                memory.append(resident())
                say(k + 1, ends, memory[-1])
    finally:
        done.set()
        writer.join()
    return ends, memory


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--calls", type=int, default=100_000)
    options.add_argument("--seed", type=int, default=1)
    given = options.parse_args()
    ends, memory = run(
        given.calls,
        given.seed,
        lambda k, ends, rss: print(f"{k:>9} calls, {ends['answered']} answered, {rss / 2**20:.1f} MB", flush=True),
    )
    print(", ".join(f"{name} {count}" for name, count in ends.most_common()))
    # The first tenths warm up caches and allocators.
    grown = memory[-1] - memory[len(memory) // 3]
    print(f"resident memory: {memory[0] / 2**20:.1f} MB after a tenth, {memory[-1] / 2**20:.1f} MB in the end")
    return 1 if grown > 8 * 2**20 else 0


if __name__ == "__main__":
    sys.exit(main())
