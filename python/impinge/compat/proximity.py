"""`trimesh.proximity`: closest points, and signed distances that are positive inside."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._geometry import Mesh

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


class ProximityQuery:
    """Questions about points near one mesh. The mesh is taken over when this is made; later changes to it are not seen."""

    def __init__(self, mesh: Any) -> None:
        self._mesh = _taken(mesh)

    def on_surface(self, points: ArrayLike, **_: Any) -> tuple[Floats, Floats, Ints]:
        """The closest points, their distances (never negative), and the triangles that they are on."""
        found: Any = self._mesh.closest_point(_listed(points))
        return found.point, np.abs(found.distance), found.triangle

    def signed_distance(self, points: ArrayLike) -> Floats:
        """Distances to the surface, positive inside and negative outside."""
        found: Any = self._mesh.signed_distance(_listed(points))
        return -found + 0.0

    def vertex(self, points: ArrayLike) -> tuple[Floats, Ints]:
        """The distances to the closest vertices, and their indices; of several equally near, the first."""
        return _closest_vertices(self._mesh.vertices, _listed(points))


def closest_point(mesh: Any, points: ArrayLike) -> tuple[Floats, Floats, Ints]:
    """The closest points of a mesh, their distances (never negative), and the triangles that they are on."""
    return ProximityQuery(mesh).on_surface(points)


def signed_distance(mesh: Any, points: ArrayLike) -> Floats:
    """Distances to the surface of a mesh, positive inside and negative outside."""
    return ProximityQuery(mesh).signed_distance(points)


def _taken(mesh: Any) -> Mesh:
    """The mesh as a solid: open ones go by their winding number, as trimesh's go by theirs of rays."""
    return mesh if isinstance(mesh, Mesh) else Mesh(mesh, solid=True)


def _listed(points: ArrayLike) -> Any:
    listed = np.asanyarray(points)
    return listed.reshape(1, 3) if listed.shape == (3,) else listed


def _closest_vertices(vertices: Floats, points: Any) -> tuple[Floats, Ints]:
    asked = np.asarray(points, dtype=np.float64)
    distances = np.empty(len(asked))
    indices = np.empty(len(asked), dtype=np.int64)
    # In blocks, so that memory follows the larger of the two lists and not their product.
    size = max(1, 2_000_000 // max(1, len(vertices)))
    for start in range(0, len(asked), size):
        block = asked[start : start + size]
        apart = np.linalg.norm(block[:, None, :] - vertices[None, :, :], axis=2)
        found = apart.argmin(axis=1)
        indices[start : start + size] = found
        distances[start : start + size] = apart[np.arange(len(block)), found]
    return distances, indices
