"""Models that the tests make themselves."""

import numpy as np


def box(half=(1.0, 1.0, 1.0)):
    """The vertices and faces of a closed box around the origin."""
    corners = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], dtype=float)
    quads = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]]
    faces = [[q[0], q[1], q[2]] for q in quads] + [[q[0], q[2], q[3]] for q in quads]
    return corners * half, np.array(faces)


def ball(levels=2, radius=1.0):
    """An octahedron that was divided: vertices on the sphere, closed, outward."""
    vertices = [(1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1)]
    faces = [(0, 2, 4), (2, 1, 4), (1, 3, 4), (3, 0, 4), (2, 0, 5), (1, 2, 5), (3, 1, 5), (0, 3, 5)]
    vertices = [np.array(v, dtype=float) for v in vertices]
    for _ in range(levels):
        middle, divided = {}, []

        def between(a, b):
            key = (min(a, b), max(a, b))
            if key not in middle:
                point = vertices[a] + vertices[b]
                middle[key] = len(vertices)
                vertices.append(point / np.linalg.norm(point))
            return middle[key]

        for a, b, c in faces:
            ab, bc, ca = between(a, b), between(b, c), between(c, a)
            divided += [(a, ab, ca), (b, bc, ab), (c, ca, bc), (ab, bc, ca)]
        faces = divided
    return np.array(vertices) * radius, np.array(faces)


def rotations(count, seed):
    """Unit quaternions (w, x, y, z)."""
    numbers = np.random.default_rng(seed).normal(size=(count, 4))
    return numbers / np.linalg.norm(numbers, axis=1)[:, None]


def matrix(quaternion, translation):
    """The 4 x 4 matrix of a quaternion (w, x, y, z) and a translation."""
    w, x, y, z = quaternion
    m = np.eye(4)
    m[:3, :3] = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    m[:3, 3] = translation
    return m


def nearest_on_triangles(points, vertices, faces):
    """The distance of each point to the nearest triangle, by the least over all of them: regions of the plane, then edges."""
    best = np.full(len(points), np.inf)
    for a, b, c in vertices[faces]:
        best = np.minimum(best, _to_triangle(points, a, b, c))
    return best


def _to_triangle(points, a, b, c):
    normal = np.cross(b - a, c - a)
    normal = normal / np.linalg.norm(normal)
    inside = np.ones(len(points), dtype=bool)
    edges = np.full(len(points), np.inf)
    for p, q in ((a, b), (b, c), (c, a)):
        inside &= (points - p) @ np.cross(normal, q - p) >= 0
        along = np.clip((points - p) @ (q - p) / ((q - p) @ (q - p)), 0.0, 1.0)
        edges = np.minimum(edges, np.linalg.norm(points - (p + along[:, None] * (q - p)), axis=1))
    return np.where(inside, np.abs((points - a) @ normal), edges)
