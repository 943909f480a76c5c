"""Answers: one class for a single question, one with arrays for many. Lengths, points and normals are in world coordinates."""

from __future__ import annotations

from dataclasses import dataclass, fields
from enum import IntEnum
from typing import Any, Generic, Iterator, TypeVar

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Codes = NDArray[np.uint8]
Flags = NDArray[np.bool_]


class Verdict(IntEnum):
    """How two geometries relate."""

    SEPARATED = 0
    """No common point."""
    TOUCHING = 1
    """Common points of the boundaries alone."""
    PENETRATING = 2
    """The interiors meet."""
    CONTAINED = 3
    """One is a subset of the other."""


class Certainty(IntEnum):
    """How far a number can be trusted."""

    EXACT = 0
    """Right up to rounding."""
    BOUND = 1
    """A certified bound."""
    ESTIMATE = 2
    """An approximation without a certificate."""


class FeatureKind(IntEnum):
    """What a point lies on."""

    VERTEX = 0
    EDGE = 1
    FACE = 2
    SURFACE = 3


class Start(IntEnum):
    """How two geometries relate when their motion begins."""

    FREE = 0
    LEAVING = 1
    """They touch, and part or slide."""
    APPROACHING = 2
    """They touch, and penetrate right after."""
    OVERLAPPING = 3
    """Their interiors meet, or one contains the other."""


One = TypeVar("One")


class Columns(Generic[One]):
    """Answers as columns: arrays of one length. An index gives a single answer, a slice or a mask some of them."""

    def __len__(self) -> int:
        return len(getattr(self, fields(self)[0].name))  # type: ignore[arg-type]

    def __getitem__(self, index: Any) -> Any:
        columns = [getattr(self, field.name)[index] for field in fields(self)]  # type: ignore[arg-type]
        whole = isinstance(index, (int, np.integer))
        return self._one(*columns) if whole else type(self)(*columns)

    def __iter__(self) -> Iterator[One]:
        return (self[index] for index in range(len(self)))

    def __repr__(self) -> str:
        names = ", ".join(field.name for field in fields(self))  # type: ignore[arg-type]
        return f"<{len(self)} {type(self).__name__}: {names}>"

    @staticmethod
    def _one(*columns: Any) -> Any:
        raise NotImplementedError


@dataclass(frozen=True)
class Relation:
    """How two geometries relate."""

    verdict: Verdict
    inside: int | None
    """If one is contained: 0 if it is the first, 1 if the second."""
    certainty: Certainty


@dataclass(frozen=True, repr=False, eq=False)
class Relations(Columns[Relation]):
    """How two geometries relate at each pose."""

    verdict: Codes
    """Values of `Verdict`."""
    inside: NDArray[np.int8]
    """0 where the first lies in the second, 1 where the second lies in the first, else -1."""
    certainty: Codes
    """Values of `Certainty`."""

    @staticmethod
    def _one(verdict: Any, inside: Any, certainty: Any) -> Relation:
        which = int(inside) if inside >= 0 else None
        return Relation(Verdict(int(verdict)), which, Certainty(int(certainty)))


@dataclass(frozen=True, eq=False)
class Distance:
    """How far apart two geometries are, and where."""

    distance: float
    """Positive: the gap. Negative, if that was asked for: the depth."""
    uncertainty: float
    """The true distance is within this, up to rounding; meaningless for an estimate."""
    points: Floats
    """A point of each, `distance` apart: (2, 3)."""
    normal: Floats
    """Unit vector from the first to the second."""
    children: Ints
    """The ids of the children; 0 for geometries that are not compounds."""
    triangles: Ints
    """The triangles; -1 for a shape."""
    kinds: tuple[FeatureKind, FeatureKind]
    """What the points lie on."""
    indices: Ints
    """The index of the vertex, edge or face."""
    certainty: Certainty


@dataclass(frozen=True, repr=False, eq=False)
class Distances(Columns[Distance]):
    """How far apart two geometries are at each pose."""

    distance: Floats
    uncertainty: Floats
    points: Floats
    """(n, 2, 3)."""
    normal: Floats
    children: Ints
    triangles: Ints
    kinds: Codes
    """Values of `FeatureKind`: (n, 2)."""
    indices: Ints
    certainty: Codes
    """Values of `Certainty`."""

    @staticmethod
    def _one(*c: Any) -> Distance:
        kinds = (FeatureKind(int(c[6][0])), FeatureKind(int(c[6][1])))
        return Distance(float(c[0]), float(c[1]), c[2], c[3], c[4], c[5], kinds, c[7], Certainty(int(c[8])))


@dataclass(frozen=True, eq=False)
class ClosestPoint:
    """The closest point of a geometry's boundary."""

    distance: float
    """Negative inside a solid."""
    point: Floats
    child: int
    triangle: int
    """-1 for a shape."""
    kind: FeatureKind
    index: int


@dataclass(frozen=True, repr=False, eq=False)
class ClosestPoints(Columns[ClosestPoint]):
    """The closest point of a geometry's boundary to each point."""

    distance: Floats
    point: Floats
    child: Ints
    triangle: Ints
    kind: Codes
    """Values of `FeatureKind`."""
    index: Ints

    @staticmethod
    def _one(*c: Any) -> ClosestPoint:
        return ClosestPoint(float(c[0]), c[1], int(c[2]), int(c[3]), FeatureKind(int(c[4])), int(c[5]))


@dataclass(frozen=True, eq=False)
class RayHit:
    """What a ray hits first."""

    t: float
    """The hit is at origin + t * direction; infinite for a miss."""
    point: Floats
    """NaN for a miss."""
    normal: Floats
    """The outward unit normal; of a surface the one that faces the ray."""
    child: int
    """-1 for a miss."""
    triangle: int
    """-1 for a shape, or a miss."""
    inside: bool
    """True if the ray leaves a solid here."""

    @property
    def hit(self) -> bool:
        """Whether anything was hit."""
        return self.child >= 0


@dataclass(frozen=True, repr=False, eq=False)
class RayHits(Columns[RayHit]):
    """What each ray hits first."""

    t: Floats
    point: Floats
    normal: Floats
    child: Ints
    triangle: Ints
    inside: Flags

    @property
    def hit(self) -> Flags:
        """Whether each ray hit anything."""
        return self.child >= 0

    @staticmethod
    def _one(*c: Any) -> RayHit:
        return RayHit(float(c[0]), c[1], c[2], int(c[3]), int(c[4]), bool(c[5]))


@dataclass(frozen=True, eq=False)
class Impact:
    """When two moving geometries meet first; times run from 0 to 1."""

    start: Start
    interval: Floats
    """They are certainly apart before the first time, and in contact at the second if the answer is exact. NaN if they stay apart."""
    points: Floats
    """The closest points at the first time."""
    normal: Floats
    certainty: Certainty

    @property
    def hit(self) -> bool:
        """Whether they meet."""
        return not bool(np.isnan(self.interval[0]))


@dataclass(frozen=True, repr=False, eq=False)
class Impacts(Columns[Impact]):
    """When two moving geometries meet first, for each pair of motions."""

    start: Codes
    """Values of `Start`."""
    interval: Floats
    points: Floats
    normal: Floats
    certainty: Codes

    @property
    def hit(self) -> Flags:
        """Where they meet."""
        return ~np.isnan(self.interval[:, 0])

    @staticmethod
    def _one(*c: Any) -> Impact:
        return Impact(Start(int(c[0])), c[1], c[2], c[3], Certainty(int(c[4])))


@dataclass(frozen=True, repr=False, eq=False)
class TrianglePairs(Columns[Any]):
    """The pairs of triangles of two geometries that meet, in ascending order."""

    children: Ints
    triangles: Ints
    """(n, 2); -1 for a shape."""
    crossing: Flags
    """Whether the interiors meet; else the two only touch."""

    @staticmethod
    def _one(*c: Any) -> tuple[Ints, Ints, bool]:
        return c[0], c[1], bool(c[2])


@dataclass(frozen=True, repr=False, eq=False)
class Contacts(Columns[Any]):
    """The points at which two geometries touch or penetrate."""

    points: Floats
    """A point of each surface: (n, 2, 3)."""
    distance: Floats
    """From the first point to the second along the normal: negative for a depth."""
    normal: Floats
    """Unit vectors from the first geometry to the second."""
    children: Ints
    triangles: Ints
    """(n, 2); -1 for a shape."""

    @staticmethod
    def _one(*c: Any) -> tuple[Floats, float, Floats, Ints, Ints]:
        return c[0], float(c[1]), c[2], c[3], c[4]
