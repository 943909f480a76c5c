"""Answers the driver about moving vertices with ipctk: Tight-Inclusion and the additive method, with their default settings.

Every query includes Python's call; the time of an empty one is printed beside the answers. The input files are described in
../../MOTION.md.
"""

import struct
import sys
import time

import ipctk
import numpy


def read(path):
    with open(path, "rb") as file:
        data = file.read()
    if data[:8] != b"MOTION01":
        sys.exit(f"{path} is no motion file")
    length, hulls, count, width = struct.unpack_from("<4I", data, 8)
    name = data[24 : 24 + length].decode()
    if hulls:
        return name, None
    record = numpy.dtype([("pair", "<u4", 2), ("numbers", "<f8", width)])
    return name, numpy.frombuffer(data, record, count, 24 + length)["numbers"]


class Case:
    def __init__(self, ask, numbers):
        self.ask = ask
        self.queries = [[numpy.array(p) for p in row.reshape(8, 3)] for row in numbers]
        self.answers = numpy.zeros(len(self.queries))

    def round(self):
        ask, answers = self.ask, self.answers
        start = time.thread_time_ns()
        for index, query in enumerate(self.queries):
            hit, moment = ask(*query)
            answers[index] = moment if hit else -1.0
        return time.thread_time_ns() - start

    def slowest(self):
        ask, most = self.ask, 0
        for query in self.queries:
            start = time.perf_counter_ns()
            ask(*query)
            most = max(most, time.perf_counter_ns() - start)
        return most


def main():
    system = sys.argv[1]
    # It warns about features in one plane, on the stream of the answers.
    ipctk.set_logger_level(ipctk.LoggerLevel.error)
    method = ipctk.TightInclusionCCD() if system == "tight-inclusion" else ipctk.AdditiveCCD()
    asks = {"vertex-face": method.point_triangle_ccd, "edge-edge": method.edge_edge_ccd}
    cases = {}
    for path in sys.argv[2:]:
        name, numbers = read(path)
        kind, _, coplanar = name.partition(" ")
        # In one plane Tight-Inclusion takes gigabytes, and did not answer five queries within a minute.
        if kind in asks and not (coplanar and system == "tight-inclusion"):
            cases[name] = Case(asks[kind], numbers)
    # An empty call: eight arrays in, a tuple out.
    far = [numpy.full(3, float(10 * (i == 0))) for i in range(4)] * 2
    start = time.thread_time_ns()
    for _ in range(1000):
        ipctk.point_triangle_aabb_ccd(*far, 0.0)
    empty = (time.thread_time_ns() - start) // 1000
    print(f"system {system}\nversion ipctk {ipctk.__version__}, an empty call {empty} ns\nprecision f64")
    for name in cases:
        print(f"case {name}")
    print("ready", flush=True)
    for line in sys.stdin:
        command, _, rest = line.rstrip("\n").partition(" ")
        if command == "quit":
            break
        if command == "round":
            print(f"nanoseconds {cases[rest].round()}", flush=True)
        elif command == "slowest":
            print(f"nanoseconds {cases[rest].slowest()}", flush=True)
        elif command == "answers":
            name, _, path = rest.partition("\t")
            cases[name].answers.tofile(path)
            print(f"written {len(cases[name].answers)}", flush=True)


main()
