"""What is right: by brute force over all triangles, or by bounds that leave no doubt. Nothing here is shared with a system."""

from __future__ import annotations

import numpy as np

BLOCK = 64


def closest(points: np.ndarray, vertices: np.ndarray, faces: np.ndarray) -> np.ndarray:
    """The distance of each point to the nearest triangle: the plane where the foot is inside, else the edges, in f64."""
    a, b, c = (vertices[faces[:, k]] for k in range(3))
    normal = np.cross(b - a, c - a)
    length = np.linalg.norm(normal, axis=1)
    normal = normal / np.where(length > 0, length, 1)[:, None]
    best = np.empty(len(points))
    for start in range(0, len(points), BLOCK):
        p = points[start : start + BLOCK, None, :]
        within = np.broadcast_to(length > 0, (p.shape[0], len(faces)))
        edges = np.full((p.shape[0], len(faces)), np.inf)
        for u, v in ((a, b), (b, c), (c, a)):
            way = v - u
            square = np.einsum("fx,fx->f", way, way)
            along = np.clip(np.einsum("pfx,fx->pf", p - u, way) / np.where(square > 0, square, 1), 0, 1)
            gap = p - (u + along[..., None] * way)
            edges = np.minimum(edges, np.einsum("pfx,pfx->pf", gap, gap))
            within = within & (np.einsum("pfx,fx->pf", p - u, np.cross(normal, way)) >= 0)
        plane = np.einsum("pfx,fx->pf", p - a, normal) ** 2
        best[start : start + BLOCK] = np.sqrt(np.where(within, plane, edges).min(axis=1))
    return best


def inside(points: np.ndarray, vertices: np.ndarray, faces: np.ndarray) -> np.ndarray:
    """Whether the solid angles of all faces add up to a whole sphere (Van Oosterom and Strackee, 1983)."""
    found = np.empty(len(points), dtype=bool)
    for start in range(0, len(points), BLOCK):
        p = points[start : start + BLOCK, None, :]
        a, b, c = (vertices[faces[:, k]] - p for k in range(3))
        la, lb, lc = (np.linalg.norm(x, axis=-1) for x in (a, b, c))
        up = np.einsum("pfx,pfx->pf", a, np.cross(b, c))
        down = la * lb * lc + (a * b).sum(-1) * lc + (b * c).sum(-1) * la + (c * a).sum(-1) * lb
        found[start : start + BLOCK] = np.abs(np.arctan2(up, down).sum(axis=1) / (2 * np.pi)) > 0.5
    return found


def rays(
    origins: np.ndarray, directions: np.ndarray, vertices: np.ndarray, faces: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Where each ray hits first (t, infinite for a miss), and whether that is beyond doubt: no edge is passed closely before it (Möller and Trumbore)."""
    a, b, c = (vertices[faces[:, k]] for k in range(3))
    e, f = b - a, c - a
    t_first, sure = np.empty(len(origins)), np.empty(len(origins), dtype=bool)
    for start in range(0, len(origins), BLOCK):
        o, d = origins[start : start + BLOCK, None, :], directions[start : start + BLOCK, None, :]
        with np.errstate(all="ignore"):
            h = np.cross(d, f)
            det = (e * h).sum(-1)
            s = o - a
            u = (s * h).sum(-1) / det
            q = np.cross(s, e)
            v = (d * q).sum(-1) / det
            t = (f * q).sum(-1) / det
        least = np.minimum(np.minimum(u, v), 1 - u - v)
        hit = (least >= 0) & (t >= 0)
        first = np.where(hit, t, np.inf).min(axis=1)
        doubt = (
            (np.abs(least) < 1e-6)
            & (t > -1e-9)
            & (t < np.where(np.isfinite(first), first * (1 + 1e-6), np.inf)[:, None])
        )
        t_first[start : start + BLOCK], sure[start : start + BLOCK] = first, ~doubt.any(axis=1)
    return t_first, sure


def meeting(vertices: np.ndarray, faces: np.ndarray, poses: np.ndarray) -> set[tuple[int, int]]:
    """The pairs of equal convex bodies around the origin that have a common point: by their inner and outer radii, else by a linear programme."""
    from scipy.optimize import linprog
    from scipy.spatial import cKDTree

    a, b, c = (vertices[faces[:, k]] for k in range(3))
    normals = np.cross(b - a, c - a)
    normals /= np.linalg.norm(normals, axis=1)[:, None]
    offsets = (normals * a).sum(1)
    inner, outer = offsets.min(), np.linalg.norm(vertices, axis=1).max()
    found = set()
    for i, j in cKDTree(poses[:, :3, 3]).query_pairs(2 * outer):
        apart = np.linalg.norm(poses[i, :3, 3] - poses[j, :3, 3])
        if apart > 2 * inner:
            # Is there a point that lies inside all planes? How deep, at best?
            rows, limits = [], []
            for k in (i, j):
                turned = normals @ poses[k, :3, :3].T
                rows.append(np.hstack([turned, np.ones((len(turned), 1))]))
                limits.append(offsets + turned @ poses[k, :3, 3])
            deepest = linprog([0, 0, 0, -1], np.vstack(rows), np.concatenate(limits), bounds=[(None, None)] * 4)
            if -deepest.fun < 0:
                continue
        found.add((int(i), int(j)))
    return found


def mesh_distance(vertices: np.ndarray, faces: np.ndarray, pose: np.ndarray) -> float:
    """The distance of a mesh from itself at a pose: over all pairs of triangles that can be nearest, corners against triangles and edges against edges."""
    from scipy.spatial import cKDTree

    one, two = vertices[faces], vertices[faces] @ pose[:3, :3].T + pose[:3, 3]
    centers = [t.mean(1) for t in (one, two)]
    radii = [np.linalg.norm(t - c[:, None], axis=2).max() for t, c in zip((one, two), centers)]
    best = cKDTree(one.reshape(-1, 3)).query(two.reshape(-1, 3))[0].min()
    near = cKDTree(centers[0]).query_ball_point(centers[1], best + sum(radii))
    pairs = np.array([(i, j) for j, list_ in enumerate(near) for i in list_])
    for start in range(0, len(pairs), 100_000):
        p, q = one[pairs[start : start + 100_000, 0]], two[pairs[start : start + 100_000, 1]]
        for k in range(3):
            best = min(best, _points_triangles(p[:, k], q), _points_triangles(q[:, k], p))
            for m in range(3):
                best = min(best, _edges(p[:, k], p[:, (k + 1) % 3], q[:, m], q[:, (m + 1) % 3]))
    return float(best)


def _points_triangles(p: np.ndarray, t: np.ndarray) -> float:
    a, b, c = t[:, 0], t[:, 1], t[:, 2]
    normal = np.cross(b - a, c - a)
    normal = normal / np.linalg.norm(normal, axis=1)[:, None]
    within = np.ones(len(p), dtype=bool)
    for u, v in ((a, b), (b, c), (c, a)):
        within &= ((p - u) * np.cross(normal, v - u)).sum(1) >= 0
    plane = np.abs(((p - a) * normal).sum(1))
    return float(plane[within].min(initial=np.inf))


def _edges(a: np.ndarray, b: np.ndarray, c: np.ndarray, d: np.ndarray) -> float:
    """Edges by turns of projections: the distance is convex in both parameters, so that this converges; ends are clamped."""
    u, v, w = b - a, d - c, a - c
    uu, uv, vv, uw, vw = ((x * y).sum(1) for x, y in ((u, u), (u, v), (v, v), (u, w), (v, w)))
    det = uu * vv - uv * uv
    s = np.clip(np.where(det > 1e-14 * uu * vv, (uv * vw - vv * uw) / np.where(det > 0, det, 1), 0), 0, 1)
    for _ in range(3):
        t = np.clip((s * uv + vw) / vv, 0, 1)
        s = np.clip((t * uv - uw) / uu, 0, 1)
    return float(np.linalg.norm(w + s[:, None] * u - t[:, None] * v, axis=1).min())
