"""Many bodies: who meets whom, and how near the rest is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _answers as answers
from . import _impinge
from ._geometry import Geometry, _geometry, _threads
from ._poses import Poses, rows


@dataclass(frozen=True, repr=False, eq=False)
class Meetings(answers.Columns[Any]):
    """The pairs of bodies that meet, by handles: one row for each pair of their parts."""

    bodies: answers.Ints
    """(n, 2)."""
    children: answers.Ints
    verdict: answers.Codes
    """Values of `Verdict`."""
    inside: NDArray[np.int8]
    """0 where the first lies in the second, 1 where the second lies in the first, else -1."""
    certainty: answers.Codes

    @staticmethod
    def _one(*c: Any) -> tuple[answers.Ints, answers.Ints, answers.Relation]:
        return c[0], c[1], answers.Relations._one(*c[2:])


class Scene:
    """Bodies in the world, known by handles. Threads may share it: they take turns.

    >>> from impinge import Scene, Shape
    >>> scene, ball = Scene(), Shape.sphere(1.0)
    >>> handles = [scene.add(ball, (None, [x, 0.0, 0.0])) for x in (0.0, 1.5, 9.0)]
    >>> scene.meetings().bodies
    array([[0, 1]])
    >>> scene.set_poses(handles[:1], (None, [[-5.0, 0.0, 0.0]]))
    >>> len(scene.meetings())
    0
    """

    __slots__ = ("_native",)

    def __init__(self) -> None:
        self._native = _impinge.NativeScene()

    def __len__(self) -> int:
        return len(self._native)

    def __repr__(self) -> str:
        return f"<impinge.Scene: {len(self)} bodies>"

    def add(self, geometry: Geometry, pose: Poses = None, *, moves: bool = True) -> int:
        """Adds a body and returns its handle. Bodies share the data of their geometry. Two that do not move are never tested against each other."""
        return self._native.add(_geometry(geometry), rows(pose, "pose")[0], bool(moves))

    def remove(self, handle: int) -> None:
        """Removes a body; `KeyError` if there is none with this handle."""
        self._native.remove(handle)

    def set_poses(self, handles: ArrayLike, poses: Poses) -> None:
        """Moves bodies, each to its own pose."""
        listed = np.atleast_1d(np.ascontiguousarray(handles, dtype=np.int64))
        self._native.set_poses(listed, rows(poses, "poses")[0])

    def meetings(self, *, threads: int | None = None) -> Meetings:
        """The pairs of bodies that have a common point. Only what has moved since the call before is looked at again."""
        return Meetings(*self._native.step(_threads(threads)))

    def pairs_within(self, margin: float, *, threads: int | None = None) -> tuple[answers.Ints, answers.Distances]:
        """The pairs of bodies that are at most `margin` apart: their handles (n, 2), and their distances, negative where they penetrate."""
        bodies, columns = self._native.pairs_within(float(margin), _threads(threads))
        return bodies, answers.Distances(*columns)

    def overlapping(self, geometry: Geometry, pose: Poses = None) -> Meetings:
        """The bodies that have a common point with a geometry that is no body: first the geometry, whose handle is -1, then the body."""
        found = self._native.overlapping(_geometry(geometry), rows(pose, "pose")[0])
        return Meetings(*found)

    def distance_between(self, first: ArrayLike, second: ArrayLike) -> tuple[tuple[int, int], answers.Distance] | None:
        """The body of `first` and that of `second` that are nearest to each other, or penetrate most; `None` if there are no two."""
        groups = [np.atleast_1d(np.ascontiguousarray(g, dtype=np.int64)) for g in (first, second)]
        found = self._native.distance_between(*groups)
        if found is None:
            return None
        (one, two), columns = found
        return (one, two), answers.Distances(*columns)[0]
