"""Asks one system one case, in a process of its own: `peers.py SYSTEM CASE INPUT OUTPUT ROUNDS`.

Each system is called as its documentation has it, in batches where it takes them, with one thread. A time is the least processor time of a round,
the building of hierarchies apart.
"""

from __future__ import annotations

import importlib.metadata
import resource
import sys
import time

import numpy as np

PACKAGES = {
    "coal": "coal",
    "open3d": "open3d",
    "fcpw": "fcpw",
    "libigl": "libigl",
    "embreex": "embreex",
    "pysdf": "pysdf",
    "trimesh": "trimesh",
    "impinge": "impinge",
}


def timed(work, rounds):
    """The least processor time of some rounds, and the last answer."""
    best, answer = np.inf, None
    for _ in range(rounds):
        start = time.process_time()
        answer = work()
        best = min(best, time.process_time() - start)
    return best, answer


def meshed(vertices, faces):
    import trimesh

    return trimesh.Trimesh(vertices, faces, process=False)


def _open3d(vertices, faces):
    import open3d

    scene = open3d.t.geometry.RaycastingScene(nthreads=1)
    scene.add_triangles(np.asarray(vertices, np.float32), np.asarray(faces, np.uint32))
    return scene, lambda array: open3d.core.Tensor(np.ascontiguousarray(array, np.float32))


def build_closest(system, vertices, faces):
    """A function of points that gives distances and closest points (or none)."""
    if system == "impinge":
        import impinge

        mesh = impinge.Mesh(vertices, faces)

        def ask(points):
            found = mesh.closest_point(points, threads=1)
            return np.abs(found.distance), found.point

    elif system == "trimesh":
        mesh = meshed(vertices, faces)

        def ask(points):
            found, distances, _ = mesh.nearest.on_surface(points)
            return distances, found

    elif system == "open3d":
        scene, tensor = _open3d(vertices, faces)

        def ask(points):
            found = scene.compute_closest_points(tensor(points), nthreads=1)["points"].numpy()
            return np.linalg.norm(found - points, axis=1), found

    elif system == "libigl":
        import igl

        tree = igl.AABB()
        tree.init(vertices, faces)

        def ask(points):
            squares, _, found = tree.squared_distance(vertices, faces, points)
            return np.sqrt(squares), found

    elif system == "fcpw":
        import fcpw

        scene = fcpw.scene_3D()
        scene.set_object_count(1)
        scene.set_object_vertices(np.asfortranarray(vertices, np.float32), 0)
        scene.set_object_triangles(np.asfortranarray(faces, np.int32), 0)
        scene.build(fcpw.aggregate_type.bvh_surface_area, True)

        def ask(points):
            found = fcpw.interaction_3D_list()
            radii = np.full(len(points), np.inf, np.float32)
            scene.find_closest_points(np.asfortranarray(points, np.float32), radii, found)
            return np.array([one.d for one in found]), np.array([one.p for one in found])

    else:
        raise LookupError
    return ask


def build_signed(system, vertices, faces):
    """A function of points that gives distances, negative inside."""
    if system == "impinge":
        import impinge

        mesh = impinge.Mesh(vertices, faces)
        return lambda points: mesh.signed_distance(points, threads=1)
    if system == "trimesh":
        mesh = meshed(vertices, faces)
        return lambda points: -mesh.nearest.signed_distance(points)
    if system == "open3d":
        scene, tensor = _open3d(vertices, faces)
        return lambda points: scene.compute_signed_distance(tensor(points), nthreads=1).numpy().astype(float)
    if system == "libigl":
        import igl

        kind = igl.SIGNED_DISTANCE_TYPE_PSEUDONORMAL
        # It builds its hierarchy in each call: large batches make little of that.
        return lambda points: igl.signed_distance(points, vertices, faces, sign_type=kind)[0]
    if system == "pysdf":
        import pysdf

        field = pysdf.SDF(vertices.astype(np.float32), faces.astype(np.uint32))
        return lambda points: -field(points.astype(np.float32), n_threads=1).astype(float)
    raise LookupError


def build_rays(system, vertices, faces):
    """A function of origins and directions that gives t, infinite for a miss."""
    if system == "impinge":
        import impinge

        mesh = impinge.Mesh(vertices, faces)
        return lambda origins, directions: mesh.cast_rays(origins, directions, threads=1).t
    if system == "open3d":
        scene, tensor = _open3d(vertices, faces)
        return lambda origins, directions: (
            scene.cast_rays(tensor(np.hstack([origins, directions])), nthreads=1)["t_hit"].numpy().astype(float)
        )
    if system in ("embreex", "trimesh"):
        import trimesh.ray.ray_pyembree
        import trimesh.ray.ray_triangle

        mesh = meshed(vertices, faces)
        kind = trimesh.ray.ray_pyembree if system == "embreex" else trimesh.ray.ray_triangle
        caster = kind.RayMeshIntersector(mesh)

        def ask(origins, directions):
            first = caster.intersects_first(origins, directions)
            hit = first >= 0
            a, b, c = (vertices[faces[first[hit], k]] for k in range(3))
            normal = np.cross(b - a, c - a)
            t = np.full(len(origins), np.inf)
            t[hit] = ((a - origins[hit]) * normal).sum(1) / (directions[hit] * normal).sum(1)
            return t

        return ask
    if system == "fcpw":
        raise LookupError
    raise LookupError


def point_case(build, given, rounds):
    start = time.process_time()
    ask = build(given["vertices"], given["faces"])
    built = time.process_time() - start
    arrays = [given[name] for name in ("points", "origins", "directions") if name in given]
    ask(*[array[:8] for array in arrays])
    took, answer = timed(lambda: ask(*arrays), rounds)
    answers = dict(zip(("distance", "point"), answer)) if isinstance(answer, tuple) else {"distance": answer}
    return {"nanoseconds": took / len(arrays[0]) * 1e9, "build": built, **answers}


def manager_case(system, given, rounds):
    vertices, faces, poses = (given[name] for name in ("vertices", "faces", "poses"))
    mesh = meshed(vertices, faces)
    if system == "coal":
        import coal

        def fill():
            body = coal.BVHModelOBBRSS()
            body.beginModel(len(faces), len(vertices))
            body.addVertices(np.asarray(vertices))
            body.addTriangles(np.asarray(faces, dtype=np.int64))
            body.endModel()
            manager = coal.DynamicAABBTreeCollisionManager()
            objects = [coal.CollisionObject(body, pose[:3, :3], pose[:3, 3]) for pose in poses]
            for k, one in enumerate(objects):
                manager.registerObject(one)
            manager.setup()
            return manager, objects

        def meet(filled):
            manager, objects = filled
            found = coal.CollisionCallBackCollect(500_000)
            found.init()
            manager.collide(found)
            pairs = set()
            places = {one.id() if hasattr(one, "id") else id(one): k for k, one in enumerate(objects)}
            request, result = coal.CollisionRequest(), coal.CollisionResult()
            for a, b in found.getCollisionPairs():
                result.clear()
                if coal.collide(a, b, request, result):
                    centers = [tuple(x.getTranslation()) for x in (a, b)]
                    pairs.add(tuple(sorted(lookup[center] for center in centers)))
            del places
            return pairs

        lookup = {tuple(pose[:3, 3]): k for k, pose in enumerate(poses)}

        def move(filled):
            for one, pose in zip(filled[1], poses):
                one.setTransform(coal.Transform3s(pose[:3, :3], pose[:3, 3]))
                one.computeAABB()
            filled[0].update()

    else:
        if system == "impinge":
            from impinge.compat import CollisionManager
        else:
            from trimesh.collision import CollisionManager

        names = [f"{k:04}" for k in range(len(poses))]

        def fill():
            manager = CollisionManager()
            for name, pose in zip(names, poses):
                manager.add_object(name, mesh, pose)
            return manager

        def meet(manager):
            return {tuple(sorted(map(int, pair))) for pair in manager.in_collision_internal(return_names=True)[1]}

        def move(manager):
            for name, pose in zip(names, poses):
                manager.set_transform(name, pose)

    filling, manager = timed(fill, rounds)
    meeting, pairs = timed(lambda: meet(fill()), 1)
    first, pairs = timed(lambda: meet(manager), 1)
    moving, _ = timed(lambda: move(manager), rounds)
    again, pairs = timed(lambda: meet(manager), 1)
    return {
        "fill": filling,
        "first": first,
        "move": moving,
        "again": again,
        "pairs": np.array(sorted(pairs)).reshape(-1, 2),
        "nanoseconds": filling * 1e9,
    }


def distance_case(system, given, rounds):
    vertices, faces, poses = (given[name] for name in ("vertices", "faces", "poses"))
    start = time.process_time()
    if system == "impinge":
        import impinge

        mesh = impinge.Mesh(vertices, faces)

        def ask():
            return mesh.distance(mesh, poses, threads=1).distance

    elif system == "trimesh":
        from trimesh.collision import CollisionManager

        mesh, manager = meshed(vertices, faces), CollisionManager()
        manager.add_object("a", mesh)
        manager.add_object("b", mesh)

        def ask():
            found = []
            for pose in poses:
                manager.set_transform("b", pose)
                found.append(manager.min_distance_internal())
            return np.array(found)

    elif system == "coal":
        import coal

        body = coal.BVHModelOBBRSS()
        body.beginModel(len(faces), len(vertices))
        body.addVertices(np.asarray(vertices))
        body.addTriangles(np.asarray(faces, dtype=np.int64))
        body.endModel()

        def ask():
            found = []
            for pose in poses:
                request, result = coal.DistanceRequest(), coal.DistanceResult()
                there = coal.Transform3s(pose[:3, :3], pose[:3, 3])
                found.append(coal.distance(body, coal.Transform3s(), body, there, request, result))
            return np.array(found)

    else:
        raise LookupError
    built = time.process_time() - start
    took, answer = timed(ask, rounds)
    return {"nanoseconds": took / len(poses) * 1e9, "build": built, "distance": answer}


def batch_case(system, given, rounds):
    """Batches of a thousand, as Rust is asked them: threads from the environment, the least time on the wall."""
    import impinge

    mesh, points, directions = (
        impinge.Mesh(given["vertices"], given["faces"].astype(np.int64)),
        given["points"],
        given["directions"],
    )
    places = (None, 4.0 * points)
    asked = {
        "closest": lambda: mesh.closest_point(points),
        "contains": lambda: mesh.contains(points),
        "rays": lambda: mesh.cast_rays(points, directions),
        "intersects": lambda: mesh.intersects(mesh, places),
    }
    found = {}
    for name, ask in asked.items():
        best = np.inf
        for _ in range(rounds):
            start = time.perf_counter()
            ask()
            best = min(best, time.perf_counter() - start)
        found[name] = best / len(points) * 1e9
    return found


CASES = {
    "batches": batch_case,
    "closest": lambda system, given, rounds: point_case(lambda v, f: build_closest(system, v, f), given, rounds),
    "signed": lambda system, given, rounds: point_case(lambda v, f: build_signed(system, v, f), given, rounds),
    "rays": lambda system, given, rounds: point_case(lambda v, f: build_rays(system, v, f), given, rounds),
    "manager": manager_case,
    "distance": distance_case,
}


def main():
    system, case, given, output, rounds = sys.argv[1:]
    found = CASES[case](system, dict(np.load(given)), int(rounds))
    found["peak"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    found["version"] = importlib.metadata.version(PACKAGES[system])
    np.savez(output, **found)


if __name__ == "__main__":
    main()
