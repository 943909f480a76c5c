"""Answers the driver about meshes with Klampt, which has PQP inside: `Geometry3D.collides` and `distance`.

Every query includes Python's calls, about two microseconds. The scene and the line protocol are described in ../../README.md.
"""

import struct
import sys
import time

import numpy
from klampt import Geometry3D, TriangleMesh, __version__

MEET, PAIRS, DISTANCE, RAY, COLLISION_TREE, RAY_TREE = range(6)


class Reader:
    def __init__(self, path):
        with open(path, "rb") as file:
            self.data, self.at = file.read(), 0

    def words(self, count):
        return self.array("<u4", count).tolist()

    def array(self, kind, count):
        values = numpy.frombuffer(self.data, kind, count, self.at)
        self.at += values.nbytes
        return values

    def text(self, count):
        return self.array("u1", count).tobytes().decode()


def read_scene(path):
    reader = Reader(path)
    if reader.text(8) != "SCENE001":
        sys.exit(f"{path} is no scene")
    mesh_count, case_count = reader.words(2)
    meshes, cases = [], []
    for _ in range(mesh_count):
        vertices, triangles = reader.words(2)
        points = reader.array("<f8", 3 * vertices).reshape(-1, 3)
        meshes.append((points, reader.array("<u4", 3 * triangles).reshape(-1, 3)))
    for _ in range(case_count):
        question, a, b, threads, queries, length = reader.words(6)
        name, width = reader.text(length), {RAY: 6, COLLISION_TREE: 0, RAY_TREE: 0}.get(question, 7)
        numbers = reader.array("<f8", width * queries).reshape(queries, width)
        cases.append((name, question, a, b, threads, numbers))
    return meshes, cases


def build(mesh):
    """A geometry; Klampt builds the tree at the first query."""
    points, triangles = mesh
    data = TriangleMesh()
    data.setVertices(numpy.ascontiguousarray(points))
    data.setIndices(numpy.ascontiguousarray(triangles, dtype=numpy.int32))
    return Geometry3D(data)


def transform(pose):
    """Column-major rotation and translation."""
    w, x, y, z = pose[:4]
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    return [float(rows[j][i]) for i in range(3) for j in range(3)], [float(value) for value in pose[4:]]


def meet(a, b, poses, answers):
    for index, (rotation, translation) in enumerate(poses):
        b.setCurrentTransform(rotation, translation)
        answers[index] = a.collides(b)


def distance(a, b, poses, answers):
    for index, (rotation, translation) in enumerate(poses):
        b.setCurrentTransform(rotation, translation)
        answers[index] = max(a.distance(b).d, 0.0)


# The library lists the triangles that meet another, but not the pairs.
LOOPS = {MEET: meet, DISTANCE: distance}


class Case:
    def __init__(self, meshes, question, a, b, numbers):
        self.loop = LOOPS[question]
        self.meshes = [build(meshes[a]), build(meshes[b])]
        self.poses = [transform(pose) for pose in numbers]
        self.answers = numpy.zeros(len(self.poses))
        self.meshes[0].collides(self.meshes[1])

    def round(self):
        start = time.thread_time_ns()
        self.loop(*self.meshes, self.poses, self.answers)
        return time.thread_time_ns() - start


def main():
    meshes, listed = read_scene(sys.argv[2])
    cases = {
        name: Case(meshes, question, a, b, numbers)
        for name, question, a, b, _, numbers in listed
        if question in LOOPS
    }
    print(f"system klampt\nversion {__version__}\nprecision f64")
    for name in cases:
        print(f"case {name}")
    print("ready", flush=True)
    for line in sys.stdin:
        command, _, rest = line.rstrip("\n").partition(" ")
        if command == "quit":
            break
        if command == "round":
            print(f"nanoseconds {cases[rest].round()}", flush=True)
        elif command == "answers":
            name, _, path = rest.partition("\t")
            cases[name].answers.tofile(path)
            print(f"written {len(cases[name].answers)}", flush=True)
        else:
            print("error unknown command", flush=True)


main()
