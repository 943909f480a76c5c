"""Meshes of other packages, known by their attributes: none of those packages is imported."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


def parts(mesh: Any) -> tuple[Any, Any]:
    """The vertices and triangles of a mesh of trimesh, open3d, pyvista or meshio."""
    if hasattr(mesh, "points") and hasattr(mesh, "cells_dict"):
        return mesh.points, _meshio_triangles(mesh)
    if hasattr(mesh, "points") and hasattr(mesh, "faces"):
        return mesh.points, _pyvista_triangles(np.asarray(mesh.faces))
    # Before open3d: `triangles` of trimesh are coordinates.
    if hasattr(mesh, "vertices") and hasattr(mesh, "faces"):
        return mesh.vertices, mesh.faces
    if hasattr(mesh, "vertices") and hasattr(mesh, "triangles"):
        return np.asarray(mesh.vertices), np.asarray(mesh.triangles)
    raise ValueError(
        f"{type(mesh).__name__} is not a mesh: give vertices and faces, or a mesh of trimesh, open3d, pyvista or meshio"
    )


def _meshio_triangles(mesh: Any) -> NDArray[Any]:
    strange = [kind for kind in mesh.cells_dict if kind not in ("triangle", "line", "vertex")]
    if strange:
        raise ValueError(f"the mesh has cells of the kind {strange[0]}: give its surface as triangles")
    found = mesh.cells_dict.get("triangle")
    return np.empty((0, 3), dtype=np.int64) if found is None else np.asarray(found)


def _pyvista_triangles(flat: NDArray[Any]) -> NDArray[Any]:
    """Faces as they are in VTK: the number of corners before the corners of each."""
    if flat.ndim != 1:
        return flat
    if flat.size % 4 or (flat[::4] != 3).any():
        raise ValueError("the mesh has faces other than triangles: call its triangulate() first")
    return flat.reshape(-1, 4)[:, 1:]
