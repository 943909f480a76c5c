"""`trimesh.collision.CollisionManager`: named meshes, and who collides with whom.

Where answers differ from those of trimesh with python-fcl:

- Closed meshes are solids: one that lies wholly inside another collides with it. trimesh takes convex meshes for solids and others for surfaces.
- Meshes that touch collide. Verdicts are exact, transforms are 64-bit; trimesh makes them 32-bit.
- Contacts: up to four points for each direction of contact, of each pair. python-fcl returns one for each pair of triangles, up to a limit.
- Distances of meshes that penetrate are negative: the length of a translation that separates them. Where there is nothing to measure: infinity.
"""

from __future__ import annotations

import weakref
from typing import Any, Hashable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._answers import Contacts, Distance
from .._geometry import Geometry, Mesh
from .._poses import nearest_rigid
from .._scene import Scene

EXTERNAL = "__external"
"""What an object is called in answers that is not in a manager, as in trimesh."""


class ContactData:
    """A point at which two objects meet."""

    __slots__ = ("names", "normal", "point", "depth", "_triangles")

    def __init__(self, names: tuple[Any, Any], contacts: Contacts, row: int) -> None:
        self.names = set(names)
        """The two objects."""
        self.normal: NDArray[np.float64] = contacts.normal[row]
        """Unit vector from the first to the second."""
        self.point: NDArray[np.float64] = contacts.points[row].mean(axis=0)
        """Half way between the two surfaces."""
        self.depth = float(-contacts.distance[row])
        """How deep the surfaces lie in each other there."""
        self._triangles = dict(zip(names, contacts.triangles[row].tolist()))

    def index(self, name: Hashable) -> int:
        """The triangle of an object; -1 for a shape."""
        return self._triangles[name]


class DistanceData:
    """How near two objects are, and where."""

    __slots__ = ("names", "distance", "_points", "_triangles")

    def __init__(self, names: tuple[Any, Any], found: Distance) -> None:
        self.names = set(names)
        """The two objects."""
        self.distance = found.distance
        """Negative if they penetrate."""
        self._points = dict(zip(names, found.points))
        self._triangles = dict(zip(names, found.triangles.tolist()))

    def point(self, name: Hashable) -> NDArray[np.float64]:
        """The closest point of an object."""
        return self._points[name]

    def index(self, name: Hashable) -> int:
        """The triangle that it is on; -1 for a shape."""
        return self._triangles[name]


class CollisionManager:
    """Named meshes, each with a transform.

    A mesh is one of trimesh, open3d, pyvista or meshio, or any `impinge.Geometry`. The hierarchy of one of
    trimesh is built once, however often it is added, as long as it is not changed. Transforms are 4 x 4 matrices, rotations within 1e-6, which the nearest rotation replaces.
    """

    def __init__(self) -> None:
        self._scene = Scene()
        self._handles: dict[Any, int] = {}
        self._names: dict[int, Any] = {}
        self._parts: dict[Any, tuple[Geometry, NDArray[np.float64]]] = {}
        self._shared: dict[int, tuple[Any, Any, Geometry]] = {}

    def add_object(self, name: Hashable, mesh: Any, transform: ArrayLike | None = None) -> None:
        """Adds an object, or replaces the one with this name."""
        geometry, pose = self._geometry(mesh), _pose(transform)
        handle = self._scene.add(geometry, pose)
        if name in self._handles:
            self.remove_object(name)
        self._handles[name], self._names[handle] = handle, name
        self._parts[name] = (geometry, pose)

    def remove_object(self, name: Hashable) -> None:
        """Removes an object; `ValueError` if there is none with this name."""
        handle = self._handle(name)
        self._scene.remove(handle)
        del self._handles[name], self._names[handle], self._parts[name]

    def set_transform(self, name: Hashable, transform: ArrayLike) -> None:
        """Gives an object another transform."""
        handle, pose = self._handle(name), _pose(transform)
        self._scene.set_poses([handle], pose[None])
        self._parts[name] = (self._parts[name][0], pose)

    def in_collision_single(
        self,
        mesh: Any,
        transform: ArrayLike | None = None,
        return_names: bool = False,
        return_data: bool = False,
    ) -> Any:
        """Whether a mesh collides with any object; with the names of those, and with contacts, if that is asked for."""
        geometry, pose = self._geometry(mesh), _pose(transform)
        hit = self._hit(geometry, pose)
        contacts = self._contacts(EXTERNAL, geometry, pose, hit) if return_data else []
        return _answer(bool(hit), set(hit), contacts, return_names, return_data)

    def in_collision_internal(self, return_names: bool = False, return_data: bool = False) -> Any:
        """Whether any two objects collide; with the pairs of names, each in order, and with contacts, if that is asked for."""
        found = self._scene.meetings().bodies.tolist()
        pairs = list(dict.fromkeys((self._names[a], self._names[b]) for a, b in found))
        contacts = []
        if return_data:
            for a, b in pairs:
                contacts += self._contacts(a, *self._parts[a], [b])
        return _answer(bool(pairs), {_sorted(pair) for pair in pairs}, contacts, return_names, return_data)

    def in_collision_other(
        self, other_manager: CollisionManager, return_names: bool = False, return_data: bool = False
    ) -> Any:
        """Whether any object collides with any of another manager; with the pairs of names (of this one, of the other), and with contacts."""
        pairs: set[tuple[Any, Any]] = set()
        contacts: list[ContactData] = []
        for name, (geometry, pose) in self._parts.items():
            hit = other_manager._hit(geometry, pose)
            pairs.update((name, other) for other in hit)
            if return_data:
                contacts += other_manager._contacts(name, geometry, pose, hit)
            if pairs and not (return_names or return_data):
                break
        return _answer(bool(pairs), pairs, contacts, return_names, return_data)

    def min_distance_single(
        self,
        mesh: Any,
        transform: ArrayLike | None = None,
        return_name: bool = False,
        return_data: bool = False,
    ) -> Any:
        """The least distance of a mesh to any object; with that object's name and with the closest points, if that is asked for."""
        name, found = self._nearest(self._geometry(mesh), _pose(transform))
        data = None if found is None else DistanceData((EXTERNAL, name), found)
        return _answer(_length(found), name, data, return_name, return_data)

    def min_distance_internal(
        self, name: Hashable | None = None, return_names: bool = False, return_data: bool = False
    ) -> Any:
        """The least distance of any two objects, or of the named one to any other; with both names, in order, and with the closest points."""
        handles = list(self._handles.values())
        first = handles if name is None else [self._handle(name)]
        found = self._within_growing() if name is None else self._scene.distance_between(first, handles)
        if found is None:
            return _answer(np.inf, None, None, return_names, return_data)
        (a, b), distance = found
        names = (self._names[a], self._names[b])
        data = DistanceData(names, distance)
        return _answer(distance.distance, _sorted(names), data, return_names, return_data)

    def min_distance_other(
        self, other_manager: CollisionManager, return_names: bool = False, return_data: bool = False
    ) -> Any:
        """The least distance of any object to any of another manager; with both names (of this one, of the other), and with the closest points."""
        best: tuple[Any, Any, Distance | None] = (None, None, None)
        for name, (geometry, pose) in self._parts.items():
            other, found = other_manager._nearest(geometry, pose)
            if found is not None and found.distance < _length(best[2]):
                best = (name, other, found)
        names = None if best[2] is None else best[:2]
        data = None if best[2] is None else DistanceData((best[0], best[1]), best[2])
        return _answer(_length(best[2]), names, data, return_names, return_data)

    def _handle(self, name: Hashable) -> int:
        if name not in self._handles:
            raise ValueError(f"{name} not in collision manager!")
        return self._handles[name]

    def _geometry(self, mesh: Any) -> Geometry:
        """The geometry of a mesh; the one that was made before, if it is the same mesh and has not changed since."""
        if isinstance(mesh, Geometry):
            return mesh
        state, key = _state(mesh), id(mesh)
        if state is None:
            return Mesh(mesh)
        known = self._shared.get(key)
        if known is not None and known[0]() is mesh and known[1] == state:
            return known[2]
        geometry = Mesh(mesh)
        alive = weakref.ref(mesh, lambda _: self._shared.pop(key, None))
        self._shared[key] = (alive, state, geometry)
        return geometry

    def _hit(self, geometry: Geometry, pose: NDArray[np.float64]) -> list[Any]:
        """The names of the objects that a geometry meets."""
        found = self._scene.overlapping(geometry, pose).bodies[:, 1].tolist()
        return list(dict.fromkeys(self._names[handle] for handle in found))

    def _contacts(
        self, name: Any, geometry: Geometry, pose: NDArray[np.float64], others: list[Any]
    ) -> list[ContactData]:
        contacts = []
        for other in others:
            part, place = self._parts[other]
            found: Any = geometry.contacts(part, place, pose=pose)
            contacts += [ContactData((name, other), found, row) for row in range(len(found))]
        return contacts

    def _nearest(self, geometry: Geometry, pose: NDArray[np.float64]) -> tuple[Any, Distance | None]:
        """The object that is nearest to a geometry, which is a body for the moment."""
        handles = list(self._handles.values())
        guest = self._scene.add(geometry, pose)
        try:
            found = self._scene.distance_between([guest], handles)
        finally:
            self._scene.remove(guest)
        return (None, None) if found is None else (self._names[found[0][1]], found[1])

    def _within_growing(self) -> tuple[tuple[int, int], Distance] | None:
        """The nearest of all pairs: looked for within a margin that grows, so that few pairs are measured."""
        if len(self._parts) < 2:
            return None
        corners = np.stack([part.bounds(pose) for part, pose in self._parts.values()])
        if not np.isfinite(corners).all():
            # Planes have no end: there is no largest margin.
            handles = list(self._handles.values())
            return self._scene.distance_between(handles, handles)
        size = float(np.linalg.norm(corners[:, 1].max(axis=0) - corners[:, 0].min(axis=0)))
        for margin in (0.0, size / 1024, size / 64, size / 8, 2.0 * size):
            bodies, found = self._scene.pairs_within(margin)
            if len(found):
                least = int(found.distance.argmin())
                return (int(bodies[least, 0]), int(bodies[least, 1])), found[least]
        return None


def _pose(transform: ArrayLike | None) -> NDArray[np.float64]:
    if transform is None:
        return np.eye(4)
    pose = np.asarray(transform)
    if pose.shape != (4, 4):
        raise ValueError("transform must be (4,4)!")
    return nearest_rigid(pose)


def _state(mesh: Any) -> int | None:
    """The hash of the contents of a mesh of trimesh, which keeps it until the mesh changes. Other meshes do not tell that they have changed."""
    return hash(mesh) if type(mesh).__module__.partition(".")[0] == "trimesh" else None


def _sorted(names: tuple[Any, Any]) -> tuple[Any, ...]:
    return tuple(sorted(names))


def _length(found: Distance | None) -> float:
    return np.inf if found is None else found.distance


def _answer(first: Any, names: Any, data: Any, with_names: bool, with_data: bool) -> Any:
    """The answer alone, or in a tuple with what was asked for."""
    more = ([names] if with_names else []) + ([data] if with_data else [])
    return (first, *more) if more else first
