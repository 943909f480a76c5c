"""What is asked: models that are generated, points, rays and poses, the same for every system."""

from __future__ import annotations

from pathlib import Path

import numpy as np


def icosphere(levels: int) -> tuple[np.ndarray, np.ndarray]:
    """The icosahedron, each triangle divided in four `levels` times, on the unit sphere."""
    t = (1 + 5**0.5) / 2
    vertices = [
        (-1, t, 0),
        (1, t, 0),
        (-1, -t, 0),
        (1, -t, 0),
        (0, -1, t),
        (0, 1, t),
        (0, -1, -t),
        (0, 1, -t),
        (t, 0, -1),
        (t, 0, 1),
        (-t, 0, -1),
        (-t, 0, 1),
    ]
    faces = [(0, 11, 5), (0, 5, 1), (0, 1, 7), (0, 7, 10), (0, 10, 11), (1, 5, 9), (5, 11, 4), (11, 10, 2), (10, 7, 6), (7, 1, 8),
             (3, 9, 4), (3, 4, 2), (3, 2, 6), (3, 6, 8), (3, 8, 9), (4, 9, 5), (2, 4, 11), (6, 2, 10), (8, 6, 7), (9, 8, 1)]  # fmt: skip
    points = [np.array(v) / np.linalg.norm(v) for v in vertices]
    for _ in range(levels):
        middles: dict[tuple[int, int], int] = {}

        def middle(a: int, b: int) -> int:
            key = (min(a, b), max(a, b))
            if key not in middles:
                point = points[a] + points[b]
                middles[key] = len(points)
                points.append(point / np.linalg.norm(point))
            return middles[key]

        divided = []
        for a, b, c in faces:
            ab, bc, ca = middle(a, b), middle(b, c), middle(c, a)
            divided += [(a, ab, ca), (b, bc, ab), (c, ca, bc), (ab, bc, ca)]
        faces = divided
    return np.array(points), np.array(faces, dtype=np.int64)


def bumpy() -> tuple[np.ndarray, np.ndarray]:
    """A closed surface of 20,480 triangles with bumps and hollows."""
    v, faces = icosphere(5)
    height = 1 + 0.15 * np.sin(5 * v[:, 0]) * np.cos(4 * v[:, 1]) + 0.1 * np.sin(9 * v[:, 2] + 3 * v[:, 0])
    return v * height[:, None], faces


def torus(around: int = 160, across: int = 64) -> tuple[np.ndarray, np.ndarray]:
    """A ring with a rippled tube: 20,480 triangles."""
    u, w = np.meshgrid(np.arange(around) * 2 * np.pi / around, np.arange(across) * 2 * np.pi / across, indexing="ij")
    radius = 0.35 * (1 + 0.1 * np.sin(9 * u) * np.cos(5 * w))
    points = np.stack(
        [(1 + radius * np.cos(w)) * np.cos(u), (1 + radius * np.cos(w)) * np.sin(u), radius * np.sin(w)], axis=-1
    )
    at = np.arange(around * across).reshape(around, across)
    right, up, both = np.roll(at, -1, 0), np.roll(at, -1, 1), np.roll(np.roll(at, -1, 0), -1, 1)
    faces = np.concatenate(
        [np.stack([at, right, both], -1).reshape(-1, 3), np.stack([at, both, up], -1).reshape(-1, 3)]
    )
    return points.reshape(-1, 3), faces


def read(folder: str) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """The closed meshes of a folder with at most 200,000 triangles."""
    import trimesh

    found = {}
    for path in sorted(Path(folder).iterdir()):
        if path.suffix.lower() in (".stl", ".obj", ".ply", ".off"):
            mesh = trimesh.load(path, force="mesh")
            if mesh.is_watertight and mesh.is_winding_consistent and len(mesh.faces) <= 200_000:
                found[path.stem] = (np.asarray(mesh.vertices, dtype=float), np.asarray(mesh.faces, dtype=np.int64))
    return found


def rotations(count: int, random: np.random.Generator) -> np.ndarray:
    """Rotation matrices, uniform."""
    w, x, y, z = (q := random.normal(size=(count, 4))).T / np.linalg.norm(q, axis=1)
    rows = [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y), 2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
            2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]  # fmt: skip
    return np.stack(rows, axis=-1).reshape(-1, 3, 3)


def points(vertices: np.ndarray, count: int, seed: int) -> np.ndarray:
    """Uniform in one and a half times the box."""
    low, high = vertices.min(0), vertices.max(0)
    return (low + high) / 2 + (np.random.default_rng(seed).random((count, 3)) - 0.5) * (high - low) * 1.5


def rays(
    vertices: np.ndarray, faces: np.ndarray, inside: np.ndarray, count: int, seed: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Origins and directions, and which of them must hit: half start inside and aim at corners, middles of edges or anywhere; half cross the box."""
    random = np.random.default_rng(seed)
    half = count // 2
    origins = inside[random.integers(len(inside), size=half)]
    corners = vertices[faces[random.integers(len(faces), size=half)]]
    kinds = random.integers(3, size=half)
    anywhere = random.dirichlet(np.ones(3), size=half)
    weights = np.where((kinds == 0)[:, None], [1.0, 0, 0], np.where((kinds == 1)[:, None], [0.5, 0.5, 0], anywhere))
    aimed = np.einsum("nk,nkx->nx", weights, corners) - origins
    box = points(vertices, 2 * (count - half), seed + 1).reshape(2, -1, 3)
    return np.concatenate([origins, box[0]]), np.concatenate([aimed, box[1] - box[0]]), np.arange(count) < half


def manager(seed: int = 0) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A thousand balls of 1,280 triangles in a grid in which neighbours nearly touch, and their poses."""
    random = np.random.default_rng(seed)
    vertices, faces = icosphere(3)
    poses = np.tile(np.eye(4), (1000, 1, 1))
    poses[:, :3, 3] = np.stack(np.meshgrid(*[np.arange(10)] * 3, indexing="ij"), -1).reshape(
        -1, 3
    ) * 2.02 + random.uniform(-0.03, 0.03, (1000, 3))
    poses[:, :3, :3] = rotations(1000, random)
    return vertices, faces, poses
