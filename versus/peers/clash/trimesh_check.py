"""Finds the parts of a model that meet, with trimesh and python-fcl.

    trimesh_check.py trimesh|trimesh-shared MODEL [--parts]

`trimesh` is what trimesh offers for that: `trimesh.collision.scene_to_collision` and `CollisionManager.in_collision_internal`,
which build a hierarchy for every instance. `trimesh-shared` calls python-fcl itself: one `BVHModel` per geometry, shared by its
instances, with matrices in f64, and `collide` for the pairs whose boxes meet. Its manager cannot be used then: it tells
geometries, not objects.

MODEL is a file that trimesh reads, or the list of meshes and their places that the driver made of another (`.json`). One line
with the version, the seconds spent and the pairs is printed as JSON. With `--parts` nothing is checked: the parts are printed instead.
"""

import json
import sys
import time

start = time.perf_counter()

import fcl
import numpy
import trimesh


def load(path):
    if not path.endswith(".json"):
        return trimesh.load_scene(path)
    with open(path) as file:
        listed = json.load(file)
    scene = trimesh.Scene()
    meshes = [trimesh.load_mesh(mesh) for mesh in listed["meshes"]]
    for part in listed["parts"]:
        matrix = numpy.array(part["matrix"]).reshape(4, 4)
        index = part["mesh"]
        scene.add_geometry(
            meshes[index], node_name=part["name"], geom_name=f"mesh {index}", transform=matrix
        )
    return scene


def parts(scene):
    for node in scene.graph.nodes_geometry:
        matrix, name = scene.graph[node]
        mesh = scene.geometry[name]
        points = trimesh.transform_points(mesh.vertices, matrix)
        yield {
            "name": node,
            "triangles": len(mesh.faces),
            "low": points.min(axis=0).tolist(),
            "high": points.max(axis=0).tolist(),
        }


def by_trimesh(scene):
    manager, _ = trimesh.collision.scene_to_collision(scene)
    built = time.perf_counter()
    _, pairs = manager.in_collision_internal(return_names=True)
    return built, sorted(pairs)


def shared(scene):
    models = {name: trimesh.collision.mesh_to_BVH(mesh) for name, mesh in scene.geometry.items()}
    names, objects, low, high = [], [], [], []
    for node in scene.graph.nodes_geometry:
        matrix, name = scene.graph[node]
        placed = fcl.Transform(matrix[:3, :3], matrix[:3, 3])
        points = trimesh.transform_points(scene.geometry[name].vertices, matrix)
        names.append(node)
        objects.append(fcl.CollisionObject(models[name], placed))
        low.append(points.min(axis=0))
        high.append(points.max(axis=0))
    low, high = numpy.array(low), numpy.array(high)
    built = time.perf_counter()
    # As much as rounding may take from boxes that meet.
    reach = high + 1e-9 * numpy.abs([low, high]).max()
    request, pairs = fcl.CollisionRequest(), []
    for a, one in enumerate(objects):
        beside = ((low[a] <= reach[a + 1 :]) & (low[a + 1 :] <= reach[a])).all(axis=1)
        for b in a + 1 + numpy.flatnonzero(beside):
            if fcl.collide(one, objects[b], request, fcl.CollisionResult()):
                pairs.append(sorted([names[a], names[b]]))
    return built, sorted(pairs)


def main():
    system, path = sys.argv[1:3]
    imported, spent_importing = time.perf_counter(), time.process_time()
    scene = load(path)
    loaded = time.perf_counter()
    if "--parts" in sys.argv:
        print(json.dumps(list(parts(scene))))
        return
    built, pairs = (shared if system == "trimesh-shared" else by_trimesh)(scene)
    done = time.perf_counter()
    version = f"trimesh {trimesh.__version__}, python-fcl {fcl.__version__}"
    # That of the processor counts from the start of the interpreter.
    spent = {"import": imported - start, "import_processor": spent_importing, "load": loaded - imported, "build": built - loaded, "check": done - built}
    print(json.dumps({"version": version, "seconds": spent, "pairs": pairs}))


main()
