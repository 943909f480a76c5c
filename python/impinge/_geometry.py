"""Geometries, and the questions that they answer."""

from __future__ import annotations

import operator
from typing import Any, Callable, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _answers as answers
from . import _arrays, _impinge, _meshes
from ._poses import Poses, rows

Bools = Union[bool, NDArray[np.bool_]]
Rows = Union[NDArray[np.float64], None]
_Pair = tuple[_impinge.NativeGeometry, Rows, _impinge.NativeGeometry, Rows]


class Geometry:
    """A `Shape`, a `Mesh` or a `Compound`. Never changes, so that threads may share it.

    Arguments that questions have in common:

    `poses` (of the other geometry) and `pose` (of this one) are poses in the world. One pose gives one answer, many give answers with arrays;
    where one of the two is single, it stays while the other changes. A pose is a 4 x 4 matrix, a tuple of a quaternion (w, x, y, z), or `None`,
    and a translation, or `None` for the identity.

    `threads`: how many to use; as many as there are processors if it is `None`. Answers are the same bits for any number.

    Arrays that are arguments are copied before the interpreter is released. What is not accepted raises `ValueError`.
    """

    __slots__ = ("_native", "__weakref__")
    _native: _impinge.NativeGeometry

    def __copy__(self) -> Geometry:
        return self

    def __deepcopy__(self, memo: Any) -> Geometry:
        return self

    def show(self) -> str:
        """Opens the geometry in a browser, and returns the path of its page. Meshes, boxes, cylinders and balls can be shown."""
        from ._check import show

        return show({"geometry": self})

    def _repr_html_(self) -> str | None:
        from ._check import _frame, page

        try:
            return _frame(page({"geometry": self}))
        except ValueError:
            return None

    def intersects(
        self, other: Geometry, poses: Poses = None, *, pose: Poses = None, threads: int | None = None
    ) -> Bools:
        """Whether the two have a common point; of solids the inside counts.

        >>> Shape.sphere(1.0).intersects(Shape.sphere(1.0), (None, [[1.5, 0.0, 0.0], [2.5, 0.0, 0.0]]))
        array([ True, False])
        """
        arguments, single = self._pair(other, poses, pose)
        found = _impinge.intersects(*arguments, _threads(threads))
        return bool(found[0]) if single else found

    def relation(
        self, other: Geometry, poses: Poses = None, *, pose: Poses = None, threads: int | None = None
    ) -> answers.Relation | answers.Relations:
        """Separated, touching, penetrating, or one contained in the other: a `Relation`, or `Relations` for many poses.

        Exact for polytopes and closed meshes; an estimate, which the answer says, for open meshes as solids.

        >>> Shape.cuboid([1.0, 1.0, 1.0]).relation(Shape.cuboid([1.0, 1.0, 1.0]), (None, [2.0, 0.0, 0.0])).verdict
        <Verdict.TOUCHING: 1>
        """
        arguments, single = self._pair(other, poses, pose)
        return _one(answers.Relations(*_impinge.relation(*arguments, _threads(threads))), single)

    def distance(
        self,
        other: Geometry,
        poses: Poses = None,
        *,
        pose: Poses = None,
        signed: bool = False,
        threads: int | None = None,
    ) -> answers.Distance | answers.Distances:
        """How far apart the two are, zero where they meet: a `Distance`, or `Distances` for many poses.

        With `signed` it is negative where they penetrate: the length of a translation that separates them. The shortest one for two shapes,
        a bound on it where a mesh takes part.

        >>> Shape.sphere(1.0).distance(Shape.sphere(1.0), (None, [1.5, 0.0, 0.0]), signed=True).distance
        -0.5
        """
        arguments, single = self._pair(other, poses, pose)
        found = _impinge.distance(*arguments, bool(signed), _threads(threads))
        return _one(answers.Distances(*found), single)

    def triangle_pairs(
        self, other: Geometry, poses: Poses = None, *, pose: Poses = None, threads: int | None = None
    ) -> answers.TrianglePairs | list[answers.TrianglePairs]:
        """All pairs of triangles that meet: `TrianglePairs`, or a list of them for many poses. A shape counts as one part without triangles."""
        arguments, single = self._pair(other, poses, pose)
        found = _impinge.triangle_pairs(*arguments, _threads(threads))
        return _parted(answers.TrianglePairs, found, single)

    def contacts(
        self,
        other: Geometry,
        poses: Poses = None,
        *,
        pose: Poses = None,
        margin: float = 0.0,
        threads: int | None = None,
    ) -> answers.Contacts | list[answers.Contacts]:
        """The points at which the two touch or penetrate, or come within `margin`: `Contacts`, or a list of them for many poses.

        Up to four points for each direction of contact. Depths of meshes are estimates along the normals of their surfaces.
        """
        arguments, single = self._pair(other, poses, pose)
        margin = float(margin)
        if not 0.0 <= margin < np.inf:
            raise ValueError(f"margin is {margin}: it must be zero or positive")
        found = _impinge.contacts(*arguments, margin, _threads(threads))
        return _parted(answers.Contacts, found, single)

    def impact(
        self,
        other: Geometry,
        start: Poses,
        end: Poses,
        *,
        pose: Poses = None,
        pose_end: Poses = None,
        tolerance: float = 1e-6,
        clearance: float = 0.0,
        max_steps: int = 1024,
        threads: int | None = None,
    ) -> answers.Impact | answers.Impacts:
        """When the two meet first while the other moves from `start` to `end`: an `Impact`, or `Impacts` for many motions. Never late.

        A moving geometry's origin goes along a line, its rotation the shorter way at constant speed; time runs from 0 to 1. This geometry rests at
        `pose`, unless `pose_end` is given. `tolerance` is how wide the interval of the answer may be, in time; geometries within `clearance` of
        each other count as meeting; `max_steps` bounds the work, and an answer that it cut short is a bound.

        >>> found = Shape.sphere(1.0).impact(Shape.sphere(1.0), (None, [-10.0, 0.0, 0.0]), (None, [10.0, 0.0, 0.0]))
        >>> bool(abs(found.interval[1] - 0.4) < 1e-6)
        True
        """
        here, still = rows(pose, "pose")
        there, rests = (here, still) if pose_end is None else rows(pose_end, "pose_end")
        begin, one_begin = rows(start, "start")
        finish, one_finish = rows(end, "end")
        steps = operator.index(max_steps)
        if not 1 <= steps < 2**32:
            raise ValueError(f"max_steps is {steps}: it must be from 1 to 2^32 - 1")
        numbers = (float(tolerance), steps, float(clearance))
        two = _geometry(other)
        found = _impinge.impact(self._native, here, there, two, begin, finish, numbers, _threads(threads))
        return _one(answers.Impacts(*found), still and rests and one_begin and one_finish)

    def closest_point(
        self, points: ArrayLike, *, pose: Poses = None, threads: int | None = None
    ) -> answers.ClosestPoint | answers.ClosestPoints:
        """The closest point of the boundary to each point, and its distance, negative inside a solid.

        A `ClosestPoint` for a point of shape (3,), `ClosestPoints` for points of shape (n, 3).

        >>> Shape.cuboid([1.0, 1.0, 1.0]).closest_point([0.0, 0.0, 3.0]).point
        array([0., 0., 1.])
        """
        asked, single = _arrays.points(points, "points")
        at, _ = rows(pose, "pose")
        found = _impinge.closest_point(self._native, at, asked, _threads(threads))
        return _one(answers.ClosestPoints(*found), single)

    def signed_distance(
        self, points: ArrayLike, *, pose: Poses = None, threads: int | None = None
    ) -> float | NDArray[np.float64]:
        """The distance of each point to the boundary, negative inside a solid. (trimesh has it the other way; see `impinge.compat`.)

        >>> Shape.sphere(1.0).signed_distance([[3.0, 0.0, 0.0], [0.25, 0.0, 0.0]])
        array([ 2.  , -0.75])
        """
        to, single = _arrays.points(points, "points")
        at, _ = rows(pose, "pose")
        found = _impinge.signed_distance(self._native, at, to, _threads(threads))
        return float(found[0]) if single else found

    def contains(self, points: ArrayLike, *, pose: Poses = None, threads: int | None = None) -> Bools:
        """Whether each point belongs to the geometry: lies on its boundary, or inside a solid. Exact for closed meshes."""
        asked, single = _arrays.points(points, "points")
        at, _ = rows(pose, "pose")
        found = _impinge.contains(self._native, at, asked, _threads(threads))
        return bool(found[0]) if single else found

    def cast_rays(
        self,
        origins: ArrayLike,
        directions: ArrayLike,
        *,
        pose: Poses = None,
        threads: int | None = None,
    ) -> answers.RayHit | answers.RayHits:
        """What each ray hits first: a `RayHit` for one ray, `RayHits` for many. One origin may have many directions, and the other way round.

        Directions may have any length but zero; it is the unit of `t`.

        >>> Shape.sphere(1.0).cast_rays([0.0, 0.0, 5.0], [0.0, 0.0, -1.0]).t
        4.0
        """
        starts, one_start = _arrays.points(origins, "origins")
        ways, one_way = _arrays.points(directions, "directions")
        if one_start and not one_way:
            starts = np.ascontiguousarray(np.broadcast_to(starts, ways.shape))
        elif one_way and not one_start:
            ways = np.ascontiguousarray(np.broadcast_to(ways, starts.shape))
        at, _ = rows(pose, "pose")
        found = _impinge.cast_rays(self._native, at, starts, ways, _threads(threads))
        return _one(answers.RayHits(*found), one_start and one_way)

    def bounds(self, pose: Poses = None) -> NDArray[np.float64]:
        """The corners of an axis-aligned box around the geometry: (2, 3), or (n, 2, 3) for many poses. It holds all that counts as touching."""
        at, single = rows(pose, "pose")
        found = self._native.bounds(at)
        return found[0] if single else found

    def _pair(self, other: Geometry, poses: Poses, pose: Poses) -> tuple[_Pair, bool]:
        here, still = rows(pose, "pose")
        there, single = rows(poses, "poses")
        return (self._native, here, _geometry(other), there), still and single


class Shape(Geometry):
    """A convex shape, a plane or a half-space, in its own frame. Made by the functions below.

    >>> Shape.capsule(radius=0.5, half_height=1.0)
    Shape.capsule(0.5, 1.0)
    """

    __slots__ = ("_kind", "_arguments", "_round")
    _kind: str
    _arguments: tuple[Any, ...]
    _round: float

    def __init__(self) -> None:
        raise TypeError("make a shape with Shape.sphere, Shape.cuboid, Shape.hull ...")

    @classmethod
    def _make(cls, kind: str, arguments: tuple[Any, ...], round: float = 0.0) -> Shape:
        shape = object.__new__(cls)
        flat = np.concatenate([_arrays.floats(value, kind).ravel() for value in arguments])
        native = _impinge.shape(kind, flat.tolist())
        shape._native = native.rounded(round) if round else native
        shape._kind, shape._arguments, shape._round = kind, arguments, round
        return shape

    @classmethod
    def sphere(cls, radius: float) -> Shape:
        """A ball around the origin."""
        return cls._make("sphere", (float(radius),))

    @classmethod
    def capsule(cls, radius: float, half_height: float) -> Shape:
        """The segment from -half_height to half_height along z, swept by a ball."""
        return cls._make("capsule", (float(radius), float(half_height)))

    @classmethod
    def tapered_capsule(cls, bottom: float, top: float, half_height: float) -> Shape:
        """The hull of a ball of radius `bottom` at -half_height and one of radius `top` at half_height on the z axis."""
        return cls._make("tapered_capsule", (float(bottom), float(top), float(half_height)))

    @classmethod
    def cuboid(cls, half: ArrayLike) -> Shape:
        """A box around the origin with these half extents."""
        return cls._make("cuboid", (_numbers(half, "half", (3,)),))

    @classmethod
    def cylinder(cls, radius: float, half_height: float) -> Shape:
        """A cylinder along z around the origin."""
        return cls._make("cylinder", (float(radius), float(half_height)))

    @classmethod
    def cone(cls, radius: float, half_height: float) -> Shape:
        """A cone along z, its base at -half_height, its apex at half_height."""
        return cls._make("cone", (float(radius), float(half_height)))

    @classmethod
    def ellipsoid(cls, radii: ArrayLike) -> Shape:
        """An ellipsoid around the origin with these radii along x, y and z."""
        return cls._make("ellipsoid", (_numbers(radii, "radii", (3,)),))

    @classmethod
    def segment(cls, points: ArrayLike) -> Shape:
        """The segment between two points."""
        return cls._make("segment", (_numbers(points, "points", (2, 3)),))

    @classmethod
    def triangle(cls, points: ArrayLike) -> Shape:
        """The triangle of three points, which may lie on a line."""
        return cls._make("triangle", (_numbers(points, "points", (3, 3)),))

    @classmethod
    def plane(cls, normal: ArrayLike, offset: float) -> Shape:
        """The plane n . x = offset."""
        return cls._make("plane", (_numbers(normal, "normal", (3,)), float(offset)))

    @classmethod
    def half_space(cls, normal: ArrayLike, offset: float) -> Shape:
        """The half-space n . x <= offset."""
        return cls._make("half_space", (_numbers(normal, "normal", (3,)), float(offset)))

    @classmethod
    def hull(cls, points: ArrayLike) -> Shape:
        """The convex hull of one or more points."""
        return cls._make("hull", (_numbers(points, "points", (-1, 3)),))

    def rounded(self, radius: float) -> Shape:
        """The shape swept by a ball."""
        radius = float(radius)
        self._native.rounded(radius)
        return self._make(self._kind, self._arguments, self._round + radius)

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return (Shape._make, (self._kind, self._arguments, self._round))

    def __repr__(self) -> str:
        def shown(value: Any) -> str:
            if isinstance(value, float):
                return repr(value)
            return repr(value.tolist()) if value.size <= 12 else f"<{len(value)} points>"

        base = f"Shape.{self._kind}({', '.join(map(shown, self._arguments))})"
        return f"{base}.rounded({self._round!r})" if self._round else base


class Mesh(Geometry):
    """Triangles with a hierarchy of bounding volumes. Vertices keep the bits that are given.

    `Mesh(vertices, faces)` takes vertices of any real type, shape (n, 3), and faces of any integer type, shape (m, 3); `Mesh(mesh)` takes a mesh of
    trimesh, open3d, pyvista or meshio as it is. Both are copied, so that writing to the arrays later changes nothing.

    `solid`: whether points inside belong to the mesh. If it is not told, a closed mesh is a solid and an open one a surface.

    >>> tetrahedron = Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])
    >>> tetrahedron
    <impinge.Mesh: 4 vertices, 4 faces, solid>
    """

    __slots__ = ()

    def __init__(self, vertices: Any, faces: ArrayLike | None = None, *, solid: bool | None = None) -> None:
        if faces is None:
            vertices, faces = _meshes.parts(vertices)
        corners = _arrays.floats(vertices, "vertices")
        if corners.ndim != 2 or corners.shape[1] != 3:
            raise ValueError(f"vertices has the shape {corners.shape}: it must be (n, 3)")
        solid = None if solid is None else bool(solid)
        self._native = _impinge.mesh(corners, _arrays.faces(faces, "faces"), solid)

    @classmethod
    def _of(cls, native: _impinge.NativeGeometry) -> Mesh:
        mesh = object.__new__(cls)
        mesh._native = native
        return mesh

    @property
    def vertices(self) -> NDArray[np.float64]:
        """A copy of the vertices."""
        return self._native.vertices()

    @property
    def faces(self) -> NDArray[np.int64]:
        """A copy of the triangles."""
        return self._native.faces()

    @property
    def is_closed(self) -> bool:
        """Whether the surface has no boundary. Solid questions are exact then."""
        return self._native.is_closed()

    @property
    def is_solid(self) -> bool:
        """Whether points inside belong to the mesh."""
        return self._native.is_solid()

    def health(self) -> str:
        """The defects of the mesh in a few lines, each with an example: open and flipped edges, degenerate faces, self-intersections."""
        return self._native.health()[0]

    def scaled(self, factor: float) -> Mesh:
        """The mesh scaled about its origin."""
        return self._of(self._native.scaled(float(factor)))

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return (_mesh, (self.vertices, self.faces, self.is_solid))

    def __repr__(self) -> str:
        vertices, faces = self._native.counts()
        kind = "solid" if self.is_solid else "surface"
        return f"<impinge.Mesh: {vertices} vertices, {faces} faces, {kind}>"


def _mesh(vertices: Any, faces: Any, solid: bool) -> Mesh:
    return Mesh(vertices, faces, solid=solid)


class Compound(Geometry):
    """Shapes and meshes that move together: (geometry, pose) pairs, or a mapping from ids of your own to such pairs. Answers tell the id.

    >>> hammer = Compound([(Shape.capsule(0.1, 1.0), None), (Shape.cuboid([0.5, 0.2, 0.2]), (None, [0.0, 0.0, 1.0]))])
    >>> hammer.closest_point([0.0, 0.0, 2.0]).child
    1
    """

    __slots__ = ("_children",)

    def __init__(self, children: Any) -> None:
        pairs = children.items() if hasattr(children, "items") else enumerate(children)
        listed: list[tuple[int, Geometry, Any]] = []
        for key, pair in pairs:
            identity = operator.index(key)
            if not 0 <= identity < 2**32:
                raise ValueError(f"a child has the id {identity}: ids are from 0 to 2^32 - 1")
            geometry, pose = pair
            listed.append((identity, geometry, rows(pose, f"the pose of child {identity}")[0]))
        self._set(listed)

    def _set(self, children: list[tuple[int, Geometry, Any]]) -> None:
        ids = [identity for identity, _, _ in children]
        natives = [_geometry(geometry) for _, geometry, _ in children]
        self._native = _impinge.compound(ids, natives, [at for _, _, at in children])
        self._children = children

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return (_compound, (self._children,))

    def __repr__(self) -> str:
        shown = ", ".join(f"{identity}: {geometry!r}" for identity, geometry, _ in self._children[:4])
        more = ", ..." if len(self._children) > 4 else ""
        return f"<impinge.Compound: {len(self._children)} children: {shown}{more}>"


def _compound(children: list[tuple[int, Geometry, Any]]) -> Compound:
    compound = object.__new__(Compound)
    compound._set(children)
    return compound


def _geometry(other: Any) -> _impinge.NativeGeometry:
    if not isinstance(other, Geometry):
        raise TypeError(f"{type(other).__name__} is not a Geometry: make a Shape, a Mesh or a Compound of it")
    return other._native


def _threads(threads: Any) -> int | None:
    if threads is None:
        return None
    count = operator.index(threads)
    if count < 1:
        raise ValueError(f"threads is {count}: give at least 1")
    return count


def _numbers(value: ArrayLike, name: str, shape: tuple[int, ...]) -> NDArray[np.float64]:
    """A copy of numbers of a shape; -1 stands for any count."""
    array = _arrays.floats(value, name)
    fits = array.ndim == len(shape) and all(want in (-1, got) for want, got in zip(shape, array.shape))
    if not fits:
        wanted = str(shape).replace("-1", "n")
        raise ValueError(f"{name} has the shape {array.shape}: it must be {wanted}")
    return array.copy()


def _one(found: answers.Columns[Any], single: bool) -> Any:
    return found[0] if single else found


def _parted(kind: type[Any], found: tuple[Any, ...], single: bool) -> Any:
    counts, *columns = found
    if single:
        return kind(*columns)
    ends = np.cumsum(counts)
    return [kind(*(column[end - count : end] for column in columns)) for count, end in zip(counts, ends)]
