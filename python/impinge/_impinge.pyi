"""The native module. Use the classes of `impinge`: they bring arguments into the form that it takes."""

import os
from collections.abc import Sequence
from typing import Any, TypeAlias, final

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "NativeCheck",
    "NativeGeometry",
    "NativeReading",
    "NativeScene",
    "NativeSimulation",
    "cast_rays",
    "check",
    "closest_point",
    "compound",
    "contacts",
    "contains",
    "decide",
    "distance",
    "has_viewer",
    "impact",
    "intersects",
    "mesh",
    "read_mesh",
    "read_scene",
    "relation",
    "shape",
    "signed_distance",
    "triangle_pairs",
    "view",
    "write_bytes",
    "write_mesh",
]

_Floats = NDArray[np.float64]
_Ints = NDArray[np.int64]
_Codes = NDArray[np.uint8]
_Signs = NDArray[np.int8]
_Flags = NDArray[np.bool_]
_Path: TypeAlias = str | os.PathLike[str]
_Given: TypeAlias = tuple[str, NativeGeometry, _Floats | None]

@final
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

@final
class NativeScene:
    def __new__(cls) -> NativeScene: ...
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
def signed_distance(geometry: NativeGeometry, at: _Floats | None, to: _Floats, threads: int | None) -> _Floats: ...
def contains(geometry: NativeGeometry, at: _Floats | None, asked: _Floats, threads: int | None) -> _Flags: ...
def cast_rays(
    geometry: NativeGeometry,
    at: _Floats | None,
    origins: _Floats,
    directions: _Floats,
    threads: int | None,
) -> tuple[_Floats, _Floats, _Floats, _Ints, _Ints, _Flags]: ...
def read_mesh(path: str) -> tuple[_Floats, _Ints]: ...
def write_mesh(path: str, geometry: NativeGeometry) -> None: ...
def read_scene(paths: list[str], reading: NativeReading) -> tuple[list[dict[str, Any]], str, str, list[str]]: ...
def write_bytes(path: _Path, bytes: bytes) -> None: ...
def has_viewer() -> bool: ...
def view(parts: list[_Given]) -> NativeCheck: ...
def decide(path: str, ids: list[str], status: str | None, comment: str | None, assignee: str | None) -> list[str]: ...
def check(
    paths: list[str],
    parts: list[_Given] | None,
    reading: NativeReading,
    question: dict[str, Any],
    threads: int | None,
) -> NativeCheck: ...

@final
class NativeReading:
    def __new__(
        cls,
        unit: str | None,
        variant: str | None,
        joints: dict[str, float],
        packages: list[str],
        allow_outside: bool,
    ) -> NativeReading: ...

@final
class NativeCheck:
    def report(self, format: str) -> str: ...
    def bcf(self, author: str) -> bytes: ...

@final
class NativeSimulation:
    def __new__(
        cls,
        gravity: list[float],
        time_step: float,
        solver: str,
        rounds: list[int],
        lengths: list[float],
        damping: float,
        sleep: list[float] | None,
    ) -> NativeSimulation: ...
    @staticmethod
    def lengths_for_size(size: float) -> tuple[list[float], list[float]]: ...
    def add(self, geometry: NativeGeometry, at: _Floats | None, moves: bool, material: list[float]) -> int: ...
    def remove(self, handle: int) -> None: ...
    def set_poses(self, handles: _Ints, at: _Floats | None) -> None: ...
    def set_velocity(self, handle: int, linear: list[float], angular: list[float]) -> None: ...
    def push(self, handle: int, impulse: list[float], point: list[float]) -> None: ...
    def set_fast(self, handle: int, fast: bool) -> None: ...
    def step(self, steps: int, threads: int | None) -> None: ...
    def state(self, handles: _Ints) -> tuple[_Floats, _Floats, _Floats, _Flags]: ...
    def meetings(self) -> tuple[_Ints, _Ints, _Codes, NDArray[np.int8], _Codes]: ...
    def totals(self) -> tuple[float, float, int, int]: ...
    def state_hash(self) -> int: ...
    def __len__(self) -> int: ...
