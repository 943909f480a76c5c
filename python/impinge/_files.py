"""Models from files: STL, OBJ, PLY, OFF, and scenes in glTF, GLB, URDF, COLLADA, folders and scene files."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any, Iterator, Mapping, Sequence, Union

import numpy as np
from numpy.typing import NDArray

from . import _impinge
from ._geometry import Geometry, Mesh, Shape, _geometry

Path = Union[str, "os.PathLike[str]"]


@dataclass(frozen=True)
class Reading:
    """How files are read."""

    unit: str | None = None
    """The unit of coordinates, such as `"mm"`, where that of the file is not to be believed."""
    variant: str | None = None
    """The variant of a scene file."""
    joints: Mapping[str, float] | None = None
    """Joint positions of a robot by name, in radians or metres."""
    packages: Sequence[Path] = ()
    """Folders in which `package://` is looked up."""
    allow_outside: bool = False
    """Whether a model may name files outside of its folder."""

    @property
    def _native(self) -> _impinge.NativeReading:
        packages = [os.fspath(folder) for folder in self.packages]
        return _impinge.NativeReading(self.unit, self.variant, dict(self.joints or {}), packages, self.allow_outside)


@dataclass(frozen=True, eq=False)
class ScenePart:
    """A part of a model in its place."""

    path: str
    """The names above it and its own, joined by slashes."""
    name: str
    file: str
    geometry: Geometry | None
    """In its own frame, with its scale; `None` if it has no triangles."""
    pose: NDArray[np.float64]
    """Where it is: (4, 4)."""
    materials: list[str]
    properties: dict[str, str]
    party: str | None
    """Who is responsible for it."""


@dataclass(frozen=True, eq=False)
class SceneModel:
    """The parts of a model. `unit_source` is `file`, `given` or `assumed`."""

    parts: list[ScenePart]
    unit: str
    unit_source: str
    notes: list[str]
    """What was left out, assumed or changed."""

    def __len__(self) -> int:
        return len(self.parts)

    def __iter__(self) -> Iterator[ScenePart]:
        return iter(self.parts)

    def __repr__(self) -> str:
        return f"<impinge.SceneModel: {len(self)} parts in {self.unit} ({self.unit_source})>"

    def by_path(self) -> dict[str, tuple[Geometry, NDArray[np.float64]]]:
        """Geometries and poses by path, as `check` and `show` take them."""
        return {part.path: (part.geometry, part.pose) for part in self.parts if part.geometry is not None}

    def show(self) -> str:
        """Opens the model in a browser, and returns the path of its page."""
        from ._check import show

        return show(self.by_path())

    def _repr_html_(self) -> str:
        from ._check import _frame, page

        return _frame(page(self.by_path()))


def read(path: Path, *, solid: bool | None = None) -> Mesh:
    """Reads a mesh file: STL, OBJ, PLY or OFF. Coordinates are those of the file."""
    return Mesh(*_impinge.read_mesh(os.fspath(path)), solid=solid)


def write(path: Path, mesh: Mesh) -> None:
    """Writes a mesh in the format of the extension, whole or not at all. All but STL keep every digit."""
    _impinge.write_mesh(os.fspath(path), _geometry(mesh))


def read_scene(models: Path | Sequence[Path], **reading: Any) -> SceneModel:
    """Reads models as placed parts. `reading`: see `Reading`."""
    parts, unit, source, notes = _impinge.read_scene(_paths(models), Reading(**reading)._native)
    return SceneModel(
        [ScenePart(**{**part, "geometry": _taken(part["geometry"])}) for part in parts], unit, source, notes
    )


def _taken(read: Any) -> Geometry | None:
    """A mesh, or a shape of some numbers."""
    if read is None:
        return None
    if not isinstance(read, tuple):
        return Mesh._of(read)
    kind, numbers = read
    made: Geometry = Shape.cuboid(numbers) if kind == "cuboid" else getattr(Shape, kind)(*numbers)
    return made


def _paths(models: Any) -> list[str]:
    several = [models] if isinstance(models, (str, os.PathLike)) else list(models)
    return [os.fspath(path) for path in several]
