"""The native module. Use the classes of `impinge`: they bring arguments into the form that it takes."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

_Floats = NDArray[np.float64]
_Ints = NDArray[np.int64]
_Codes = NDArray[np.uint8]
_Signs = NDArray[np.int8]
_Flags = NDArray[np.bool_]

class NativeGeometry:
    def vertices(self) -> _Floats: ...
    def faces(self) -> _Ints: ...
    def counts(self) -> tuple[int, int]: ...
    def is_closed(self) -> bool: ...
    def is_solid(self) -> bool: ...
    def health(self) -> tuple[str, bool]: ...
    def bounds(self, at: _Floats | None = None) -> _Floats: ...
    def scaled(self, factor: float) -> NativeGeometry: ...
    def rounded(self, radius: float) -> NativeGeometry: ...

_Distances = tuple[_Floats, _Floats, _Floats, _Floats, _Ints, _Ints, _Codes, _Ints, _Codes]

class NativeScene:
    def __init__(self) -> None: ...
    def __len__(self) -> int: ...
    def add(self, geometry: NativeGeometry, at: _Floats | None, moves: bool) -> int: ...
    def remove(self, handle: int) -> None: ...
    def set_poses(self, handles: _Ints, at: _Floats | None) -> None: ...
    def step(self, threads: int | None) -> tuple[_Ints, _Ints, _Codes, _Signs, _Codes]: ...
    def pairs_within(self, margin: float, threads: int | None) -> tuple[_Ints, _Distances]: ...
    def overlapping(
        self, geometry: NativeGeometry, at: _Floats | None
    ) -> tuple[_Ints, _Ints, _Codes, _Signs, _Codes]: ...
    def distance_between(self, first: _Ints, second: _Ints) -> tuple[list[int], _Distances] | None: ...

def mesh(vertices: _Floats, faces: _Ints, solid: bool | None = None) -> NativeGeometry: ...
def shape(kind: str, numbers: Sequence[float]) -> NativeGeometry: ...
def compound(ids: Sequence[int], parts: Sequence[NativeGeometry], at: Sequence[_Floats | None]) -> NativeGeometry: ...
def intersects(
    a: NativeGeometry,
    at_a: _Floats | None,
    b: NativeGeometry,
    at_b: _Floats | None,
    threads: int | None,
) -> _Flags: ...
def relation(
    a: NativeGeometry,
    at_a: _Floats | None,
    b: NativeGeometry,
    at_b: _Floats | None,
    threads: int | None,
) -> tuple[_Codes, _Signs, _Codes]: ...
def distance(
    a: NativeGeometry,
    at_a: _Floats | None,
    b: NativeGeometry,
    at_b: _Floats | None,
    signed: bool,
    threads: int | None,
) -> _Distances: ...
def triangle_pairs(
    a: NativeGeometry,
    at_a: _Floats | None,
    b: NativeGeometry,
    at_b: _Floats | None,
    threads: int | None,
) -> tuple[_Ints, _Ints, _Ints, _Flags]: ...
def contacts(
    a: NativeGeometry,
    at_a: _Floats | None,
    b: NativeGeometry,
    at_b: _Floats | None,
    margin: float,
    threads: int | None,
) -> tuple[_Ints, _Floats, _Floats, _Floats, _Ints, _Ints]: ...
def impact(
    a: NativeGeometry,
    from_a: _Floats | None,
    to_a: _Floats | None,
    b: NativeGeometry,
    from_b: _Floats | None,
    to_b: _Floats | None,
    numbers: tuple[float, int, float],
    threads: int | None,
) -> tuple[_Codes, _Floats, _Floats, _Floats, _Codes]: ...
def closest_point(
    geometry: NativeGeometry, at: _Floats | None, to: _Floats, threads: int | None
) -> tuple[_Floats, _Floats, _Ints, _Ints, _Codes, _Ints]: ...
def contains(geometry: NativeGeometry, at: _Floats | None, asked: _Floats, threads: int | None) -> _Flags: ...
def cast_rays(
    geometry: NativeGeometry,
    at: _Floats | None,
    origins: _Floats,
    directions: _Floats,
    threads: int | None,
) -> tuple[_Floats, _Floats, _Floats, _Ints, _Ints, _Flags]: ...
