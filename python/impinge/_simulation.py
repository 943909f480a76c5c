"""Rigid bodies that fall, collide, slide and come to rest."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _answers as answers
from . import _arrays, _impinge
from ._geometry import Geometry, _geometry, _threads
from ._poses import Poses, rows
from ._scene import Meetings


@dataclass(frozen=True, repr=False, eq=False)
class BodyStates(answers.Columns[Any]):
    """Where bodies are, and how they move."""

    pose: answers.Floats
    """(n, 4, 4)."""
    velocity: answers.Floats
    """Of the centre of mass."""
    angular_velocity: answers.Floats
    """Along the axis of rotation, in radians per unit of time."""
    asleep: answers.Flags

    @staticmethod
    def _one(*c: Any) -> tuple[answers.Floats, answers.Floats, answers.Floats, bool]:
        return c[0], c[1], c[2], bool(c[3])


class Simulation:
    """Bodies with mass and velocity, known by handles. The same input gives the same bits for any number of threads. Threads may share it: they take turns.

    `size` is about that of the bodies: it sets the depth at which they rest and the speeds at which they bounce and fall asleep. `solver` is
    `sequential_impulses`, `reflection` or `penalty`. docs/internals/response.md has the equations and the limits.

    >>> from impinge import Shape, Simulation
    >>> world = Simulation()
    >>> floor = world.add(Shape.half_space([0.0, 0.0, 1.0], 0.0), moves=False)
    >>> block = world.add(Shape.cuboid([0.5, 0.5, 0.5]), (None, [0.0, 0.0, 1.0]))
    >>> world.step(120)
    >>> bool(abs(world.state(block).pose[0, 2, 3] - 0.5) < 0.01)
    True
    """

    __slots__ = ("_native",)

    def __init__(
        self,
        *,
        gravity: ArrayLike = (0.0, 0.0, -9.81),
        time_step: float = 1 / 60,
        size: float = 1.0,
        solver: str = "sequential_impulses",
        substeps: int = 4,
        iterations: int = 2,
        damping: float = 0.0,
        sleep: bool = True,
    ) -> None:
        lengths, rest = _impinge.NativeSimulation.lengths_for_size(float(size))
        rounds = [_count(substeps, "substeps"), _count(iterations, "iterations")]
        self._native = _impinge.NativeSimulation(
            _vector(gravity, "gravity"),
            float(time_step),
            solver,
            rounds,
            lengths,
            float(damping),
            rest if sleep else None,
        )

    def __len__(self) -> int:
        return len(self._native)

    def __repr__(self) -> str:
        _, _, awake, steps = self._native.totals()
        return f"<impinge.Simulation: {len(self)} bodies, {awake} awake, after {steps} steps>"

    def add(
        self,
        geometry: Geometry,
        pose: Poses = None,
        *,
        moves: bool = True,
        density: float = 1000.0,
        friction: float = 0.5,
        restitution: float = 0.0,
    ) -> int:
        """Adds a body at rest and returns its handle. Its mass follows from its volume and its density."""
        material = [float(density), float(friction), float(restitution)]
        return self._native.add(_geometry(geometry), rows(pose, "pose")[0], bool(moves), material)

    def remove(self, handle: int) -> None:
        """Removes a body, and wakes what it supported; `KeyError` if there is none with this handle."""
        self._native.remove(handle)

    def step(self, steps: int = 1, *, threads: int | None = None) -> None:
        """Goes on by some time steps."""
        self._native.step(_count(steps, "steps"), _threads(threads))

    def state(self, handles: ArrayLike) -> BodyStates:
        """Where bodies are, and how they move."""
        pose, velocity, angular_velocity, asleep = self._native.state(_handles(handles))
        return BodyStates(pose.reshape(-1, 4, 4), velocity, angular_velocity, asleep)

    def set_poses(self, handles: ArrayLike, poses: Poses) -> None:
        """Moves bodies, each to its own pose, and wakes them. Their velocities stay."""
        self._native.set_poses(_handles(handles), rows(poses, "poses")[0])

    def set_velocity(self, handle: int, velocity: ArrayLike, angular_velocity: ArrayLike = (0.0, 0.0, 0.0)) -> None:
        """Sets the velocity of a body, and wakes it."""
        self._native.set_velocity(handle, _vector(velocity, "velocity"), _vector(angular_velocity, "angular_velocity"))

    def push(self, handle: int, impulse: ArrayLike, point: ArrayLike) -> None:
        """Changes the velocity of a body by an impulse at a point of the world."""
        self._native.push(handle, _vector(impulse, "impulse"), _vector(point, "point"))

    def set_fast(self, handle: int, fast: bool = True) -> None:
        """Whether the way of a body is swept, so that it does not pass through thin ones."""
        self._native.set_fast(handle, bool(fast))

    def meetings(self) -> Meetings:
        """The pairs that the last step looked at: `verdict` is `SEPARATED` for those that are only near."""
        return Meetings(*self._native.meetings())

    @property
    def energy(self) -> tuple[float, float]:
        """Kinetic and potential energy; the latter is zero at the origin."""
        return self._native.totals()[:2]

    @property
    def awake(self) -> int:
        """How many bodies move."""
        return self._native.totals()[2]

    @property
    def steps(self) -> int:
        """How many steps were made."""
        return self._native.totals()[3]

    def state_hash(self) -> int:
        """A number that two simulations share if they are in the same state."""
        return self._native.state_hash()


def _handles(handles: ArrayLike) -> NDArray[np.int64]:
    return np.atleast_1d(np.ascontiguousarray(handles, dtype=np.int64))


def _vector(value: ArrayLike, name: str) -> list[float]:
    array = _arrays.floats(value, name)
    if array.shape != (3,):
        raise ValueError(f"{name} has the shape {array.shape}: it must be (3,)")
    listed: list[float] = array.tolist()
    return listed


def _count(value: int, name: str) -> int:
    if not 0 <= value < 2**32:
        raise ValueError(f"{name} is {value}: it must be from 0 to {2**32 - 1}")
    return int(value)
