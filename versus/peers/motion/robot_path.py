#!/usr/bin/env python3
"""Checks the report of `impinge check ROBOT.urdf --motion PATH.toml --format json` with other kinematics and FCL's distances of meshes.

    pip install numpy python-fcl
    python3 robot_path.py ROBOT.urdf PATH.toml REPORT.json

Each pair of links is followed in steps as long as its distance lasts at the greatest speed of its points, which is the least number of samples that
certifies it: what is printed is how many those are, how many samples at equal steps would do the same, and each first contact beside the report's.
"""

import json
import math
import struct
import sys
import tomllib
import xml.etree.ElementTree as xml
from pathlib import Path

import fcl
import numpy as np

PRECISION = 1e-6  # of the whole: how exactly the report has its first contacts
SHORTEST = 2e-8  # steps of the search for a contact are no shorter


def numbers(element, name, default):
    text = element.get(name) if element is not None else None
    return np.array([float(x) for x in text.split()]) if text else np.array(default, float)


def rotation(axis, angle):
    x, y, z = axis / np.linalg.norm(axis)
    s, c = math.sin(angle), math.cos(angle)
    k = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + s * k + (1 - c) * k @ k


def transform(turn=np.eye(3), shift=(0, 0, 0)):
    m = np.eye(4)
    m[:3, :3], m[:3, 3] = turn, shift
    return m


def origin(element):
    at = element.find("origin")
    roll, pitch, yaw = numbers(at, "rpy", [0, 0, 0])
    turn = rotation(np.array([0, 0, 1.0]), yaw) @ rotation(np.array([0, 1.0, 0]), pitch) @ rotation(np.array([1.0, 0, 0]), roll)
    return transform(turn, numbers(at, "xyz", [0, 0, 0]))


def stl(path):
    data = path.read_bytes()
    (count,) = struct.unpack_from("<I", data, 80)
    if len(data) != 84 + 50 * count:
        rows = [line.split()[1:] for line in data.decode().splitlines() if line.split()[:1] == ["vertex"]]
        return np.array(rows, float).reshape(-1, 3, 3)
    records = np.frombuffer(data, np.dtype([("n", "<3f4"), ("v", "<9f4"), ("a", "<u2")]), count, 84)
    return records["v"].reshape(-1, 3, 3).astype(float)


def box(size):
    x, y, z = np.array(size) / 2
    c = np.array([[i * x, j * y, k * z] for k in (-1, 1) for j in (-1, 1) for i in (-1, 1)])
    quads = [(0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5)]
    return np.array([[c[a], c[b], c[d]] for q in quads for a, b, d in ((q[0], q[1], q[2]), (q[0], q[2], q[3]))])


class Robot:
    def __init__(self, path, motion):
        root = xml.parse(path).getroot()
        self.joints, self.meshes, self.models = {}, {}, {}
        for joint in root.findall("joint"):
            self.joints[joint.find("child").get("link")] = joint
        for link in root.findall("link"):
            parts = []
            for collision in link.findall("collision"):
                shape = collision.find("geometry")[0]
                if shape.tag == "mesh":
                    t = stl(path.parent / shape.get("filename")) * numbers(shape, "scale", [1, 1, 1])
                elif shape.tag == "box":
                    t = box(numbers(shape, "size", []))
                else:
                    sys.exit(f"{link.get('name')}: no {shape.tag} here")
                m = origin(collision)
                parts.append(t @ m[:3, :3].T + m[:3, 3])
            if parts:
                t = np.concatenate(parts)
                self.meshes[link.get("name")] = t.reshape(-1, 3)
                model = fcl.BVHModel()
                model.beginModel(len(t), 3 * len(t))
                model.addSubModel(t.reshape(-1, 3), np.arange(3 * len(t)).reshape(-1, 3))
                model.endModel()
                self.models[link.get("name")] = model
        self.keys = {}
        for move in motion["move"]:
            self.keys[move["joint"]] = [(float(k["time"].rstrip("s")), k["position"]) for k in move["keys"]]
        times = [t for keys in self.keys.values() for t, _ in keys]
        self.span = (min(times), max(times))

    def place(self, joint, t):
        """Where a joint stands, and how fast it is."""
        mimic = joint.find("mimic")
        if mimic is not None:
            leader = next(j for j in self.joints.values() if j.get("name") == mimic.get("joint"))
            q, v = self.place(leader, t)
            factor = float(mimic.get("multiplier", 1))
            return q * factor + float(mimic.get("offset", 0)), v * factor
        keys = self.keys.get(joint.get("name"))
        if not keys:
            return 0.0, 0.0
        for (t0, q0), (t1, q1) in zip(keys, keys[1:]):
            if t <= t1:
                return q0 + (q1 - q0) * (t - t0) / (t1 - t0), (q1 - q0) / (t1 - t0)
        return keys[-1][1], 0.0

    def pose(self, link, t):
        m = np.eye(4)
        while link in self.joints:
            joint = self.joints[link]
            local = origin(joint)
            if joint.get("type") != "fixed":
                q, _ = self.place(joint, t)
                axis = numbers(joint.find("axis"), "xyz", [1, 0, 0])
                slides = joint.get("type") == "prismatic"
                local = local @ (transform(shift=axis * q) if slides else transform(rotation(axis, q)))
            m, link = local @ m, joint.find("parent").get("link")
        return m

    def solid_parent(self, link):
        """The nearest link above that has a geometry."""
        while link in self.joints:
            link = self.joints[link].find("parent").get("link")
            if link in self.meshes:
                return link
        return None

    def pairs(self):
        links = list(self.meshes)
        for i, a in enumerate(links):
            for b in links[i + 1 :]:
                if a != self.solid_parent(b) and b != self.solid_parent(a):
                    yield a, b

    def between(self, a, b, t):
        return np.linalg.inv(self.pose(a, t)) @ self.pose(b, t)

    def speed(self, a, b):
        """The greatest speed of a point of b seen from a, by the vertices at many moments, and a twentieth more."""
        points = np.c_[self.meshes[b], np.ones(len(self.meshes[b]))]
        (t0, t1), most, h = self.span, 0.0, 1e-6
        for t in np.linspace(t0, t1 - h, 400):
            step = (self.between(a, b, t + h) - self.between(a, b, t)) / h
            most = max(most, np.linalg.norm((points @ step.T)[:, :3], axis=1).max())
        return 1.05 * most

    def distance(self, a, b, t):
        m = self.between(a, b, t)
        one = fcl.CollisionObject(self.models[a], fcl.Transform())
        two = fcl.CollisionObject(self.models[b], fcl.Transform(m[:3, :3].copy(), m[:3, 3].copy()))
        if fcl.collide(one, two, fcl.CollisionRequest(), fcl.CollisionResult()):
            return 0.0
        return fcl.distance(one, two, fcl.DistanceRequest(), fcl.DistanceResult())


def main():
    path = Path(sys.argv[1])
    robot = Robot(path, tomllib.loads(Path(sys.argv[2]).read_text()))
    report = json.loads(Path(sys.argv[3]).read_text())
    known = {}
    for finding in report["findings"]:
        contact = finding["motion"]["first_contact"]
        if contact:
            # Parts of one link have numbers; the first contact of any is that of the link.
            pair = frozenset(name.split("/")[-1].split(" #")[0] for name in finding["paths"])
            known[pair] = min(known.get(pair, (math.inf,)), (contact["from"][0], contact["to"][0]))
    (t0, t1), span = robot.span, robot.span[1] - robot.span[0]
    fewest, finest, moving, wrong = 0, math.inf, 0, 0
    for a, b in robot.pairs():
        speed = robot.speed(a, b)
        if speed < 1e-12:
            continue
        moving += 1
        t, met, least = t0, None, math.inf
        while True:
            gap = robot.distance(a, b, t)
            step = gap / speed
            least = min(least, gap)
            if gap <= 0.0:
                met = t
                break
            if step >= PRECISION * span:
                fewest += 1
                finest = min(finest, 2 * step)
            t = min(t + max(step, SHORTEST * span), t1) if t < t1 else math.inf
            if t > t1:
                break
        told = known.pop(frozenset((a, b)), None)
        if met is None and told is None:
            continue
        finest = min(finest, PRECISION * span)
        agrees = met is not None and told is not None and told[0] <= met + 1e-7 and abs(met - told[1]) <= 2e-6 * span
        wrong += not agrees
        print(f"{a} x {b}: FCL {met}, report {told}, least gap {least:.2e}{'' if agrees else '  DIFFERS'}")
    for pair, told in known.items():
        wrong += 1
        print(f"{sorted(pair)}: only in the report, {told}")
    print(f"{moving} pairs move; {wrong} differ; report {report['motion']['pairs']}")
    print(f"samples that certify the same, as few as can be: {fewest} distances; at equal steps {span / finest:.0f} of all pairs, {span / finest * moving:.0f} distances")
    return wrong != 0


sys.exit(main())
