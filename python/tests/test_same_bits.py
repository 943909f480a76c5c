"""One corpus of questions, asked in Python, by `impinge query`, and in Rust by `crates/impinge-py/examples/answer.rs`: the same bits.

The command prints numbers so that they read back exactly; the program in Rust takes and gives bits. The variables IMPINGE_COMMAND and IMPINGE_ANSWER name
them; `cargo xtask test` sets both. What the command does not answer (points, contacts, yes or no) is asked in Rust and Python only.
"""

import json
import os
import subprocess

import numpy as np
import pytest

from impinge import Certainty, Mesh, Shape, Start, Verdict
from models import ball, box, rotations

COUNT = 10_800
COMMAND, RUST = os.environ.get("IMPINGE_COMMAND"), os.environ.get("IMPINGE_ANSWER")


def plain(values):
    """Numbers as the command prints them: a negative zero as a plain one."""
    return (np.asarray(values) + 0.0).tolist()


def mesh(vertices, faces, solid):
    described = {"vertices": np.asarray(vertices).tolist(), "triangles": np.asarray(faces).tolist(), "solid": solid}
    return {"mesh": described}, Mesh(vertices, faces, solid=solid)


def bodies():
    """Every kind of geometry, as the command reads it and as Python has it."""
    hull = np.random.default_rng(20).normal(size=(12, 3))
    return [
        ({"sphere": {"radius": 0.7}}, Shape.sphere(0.7)),
        ({"box": {"half": [0.5, 1.0, 0.7]}}, Shape.cuboid([0.5, 1.0, 0.7])),
        ({"capsule": {"radius": 0.3, "half_height": 0.9}}, Shape.capsule(0.3, 0.9)),
        ({"tapered_capsule": {"radii": [0.5, 0.2], "half_height": 0.8}}, Shape.tapered_capsule(0.5, 0.2, 0.8)),
        ({"cylinder": {"radius": 0.5, "half_height": 0.8}}, Shape.cylinder(0.5, 0.8)),
        ({"cone": {"radius": 0.6, "half_height": 0.8}}, Shape.cone(0.6, 0.8)),
        ({"ellipsoid": {"radii": [0.4, 0.7, 1.1]}}, Shape.ellipsoid([0.4, 0.7, 1.1])),
        ({"segment": [[0, 0, -1], [0.2, 0, 1]]}, Shape.segment([[0, 0, -1], [0.2, 0, 1]])),
        ({"triangle": [[0, 0, 0], [1, 0, 0], [0, 1, 0.5]]}, Shape.triangle([[0, 0, 0], [1, 0, 0], [0, 1, 0.5]])),
        ({"plane": {"normal": [0, 0.6, 0.8], "offset": 0.3}}, Shape.plane([0, 0.6, 0.8], 0.3)),
        ({"halfspace": {"normal": [1, 2, 3], "offset": 0.1}}, Shape.half_space([1, 2, 3], 0.1)),
        ({"hull": hull.tolist()}, Shape.hull(hull)),
        ({"box": {"half": [0.5, 0.2, 0.7]}, "round": 0.25}, Shape.cuboid([0.5, 0.2, 0.7]).rounded(0.25)),
        mesh(*ball(1), True),
        mesh(*box((0.8, 0.6, 0.4)), True),
        mesh(*ball(1, 0.8), False),
        mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]], False),
    ]


def placed(described, pose):
    return {**described, "pose": {"rotation": pose[0].tolist(), "translation": pose[1].tolist()}}


def corpus():
    """Questions, and functions that answer them in Python as the command does."""
    kinds, generator = bodies(), np.random.default_rng(21)
    turns = rotations(3 * COUNT, 22).reshape(COUNT, 3, 4)
    for k in range(COUNT):
        (one, a), (two, b) = (kinds[i] for i in generator.integers(len(kinds), size=2))
        places = generator.normal(size=(3, 3)) * generator.choice([0.3, 1.0, 3.0])
        if k % 7 == 0:
            # Positions in which features meet.
            places, turns[k] = np.round(places * 2) / 2, [1, 0, 0, 0]
        pose_a, pose_b, end = [(turns[k, i], places[i]) for i in range(3)]
        ask = ("verdict", "distance", "pairs", "ray", "impact", "distance")[k % 6]
        first, second = placed(one, pose_a), placed(two, pose_b)
        if ask == "ray":
            ways = (places[1], places[2] if places[2].any() else np.array([0.0, 0.0, 1.0]))
            line = {"ask": ask, "a": first, "origin": ways[0].tolist(), "direction": ways[1].tolist()}
            yield line, (ray, a, pose_a, *ways)
        elif ask == "impact":
            to = placed({}, end)["pose"]
            yield {"ask": ask, "a": first, "b": {**second, "motion": {"to": to}}}, (impact, a, pose_a, b, pose_b, end)
        else:
            yield {"ask": ask, "a": first, "b": second}, (ANSWERS[ask], a, pose_a, b, pose_b)


def verdict(a, pose_a, b, pose_b):
    found = a.relation(b, pose_b, pose=pose_a)
    inside = None if found.inside is None else "ab"[found.inside]
    method = None if found.certainty == Certainty.EXACT else found.certainty.name.lower()
    return {"verdict": found.verdict.name.lower(), "inside": inside, "method": method}


def distance(a, pose_a, b, pose_b):
    found = a.distance(b, pose_b, pose=pose_a, signed=True)
    answer = {**verdict(a, pose_a, b, pose_b), "method": None}
    if not np.isfinite(found.distance):
        return {**answer, "distance": None, "points": None}
    method = found.certainty.name.lower()
    return {**answer, "method": method, "distance": plain(found.distance), "points": plain(found.points)}


def pairs(a, pose_a, b, pose_b):
    return {"pairs": np.maximum(a.triangle_pairs(b, pose_b, pose=pose_a).triangles, 0).tolist()}


def ray(a, pose_a, origin, direction):
    hit = a.cast_rays(origin, direction, pose=pose_a)
    return {"t": plain(hit.t), "points": [plain(hit.point), None]} if hit.hit else {"t": None, "points": None}


STARTS = {
    Start.FREE: "free",
    Start.LEAVING: "touching",
    Start.APPROACHING: "touching",
    Start.OVERLAPPING: "overlapping",
}


def impact(a, pose_a, b, pose_b, end):
    found = a.impact(b, pose_b, end, pose=pose_a)
    answer = {"hit": found.hit, "start": STARTS[found.start]}
    if not found.hit:
        return {**answer, "interval": None}
    return {**answer, "interval": found.interval.tolist(), "points": plain(found.points), "normal": plain(found.normal)}


ANSWERS = {"verdict": verdict, "distance": distance, "pairs": pairs}


@pytest.mark.skipif(COMMAND is None, reason="IMPINGE_COMMAND names no command")
def test_the_command_gives_the_same_bits():
    questions, answers = zip(*corpus())
    lines = "".join(json.dumps({**question, "id": k}) + "\n" for k, question in enumerate(questions))
    done = subprocess.run([COMMAND, "query"], input=lines, capture_output=True, text=True)
    told = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(told) == COUNT >= 10_000
    different = []
    for k, (line, (answer, *arguments)) in enumerate(zip(told, answers)):
        if "error" in line:
            different.append((k, line["error"]))
            continue
        for name, value in answer(*arguments).items():
            if line[name] != value:
                different.append((k, name, line[name], value))
    assert not different, (len(different), different[:3])
    # The corpus has every kind of answer.
    verdicts = {line.get("verdict") for line in told}
    assert verdicts >= {verdict.name.lower() for verdict in Verdict}
    assert {line.get("start") for line in told} >= {"free", "touching", "overlapping"}
    assert sum(bool(line.get("pairs")) for line in told) > 300 and sum(line.get("t") is not None for line in told) > 300


def digits(values):
    """The bits of numbers, as the program in Rust writes them: a negative zero as a plain one."""
    flat = [np.atleast_1d(np.asarray(value, dtype=float)).ravel() for value in values]
    return (np.concatenate(flat) + 0.0).view(np.uint64).tolist() if flat else []


def described(geometry):
    """A body for the program in Rust."""
    if isinstance(geometry, Mesh):
        kind = "solid" if geometry.is_solid else "surface"
        return kind, [[len(geometry.vertices)], geometry.vertices, geometry.faces]
    kind, rounding = geometry._kind, [geometry._round] if geometry._round else []
    kind = {"cuboid": "rounded_box" if rounding else "box"}.get(kind, kind)
    return kind, [*geometry._arguments, *rounding]


def measured(found):
    return [found.distance, found.uncertainty, found.points, found.normal, found.triangles]


def inside_of(found):
    return [found.verdict, -1 if found.inside is None else found.inside]


def hit_of(hit):
    return [hit.t, hit.point, hit.normal, hit.triangle, hit.inside] if hit.hit else [np.inf]


def meeting_of(found):
    return [found.start, found.interval, found.points, found.normal] if found.hit else [found.start]


def triples_of(found):
    return [np.column_stack([found.triangles, found.crossing])]


def manifolds_of(found):
    return [np.column_stack([found.points.reshape(-1, 6), found.distance, found.normal])]


def nearest_of(found):
    return [found.distance, found.point, found.triangle, found.index]


PAIRS = {
    "intersects": lambda a, b, **k: [a.intersects(b, k["poses"], pose=k["pose"])],
    "relation": lambda a, b, **k: inside_of(a.relation(b, k["poses"], pose=k["pose"])),
    "distance": lambda a, b, **k: measured(a.distance(b, k["poses"], pose=k["pose"])),
    "signed": lambda a, b, **k: measured(a.distance(b, k["poses"], pose=k["pose"], signed=True)),
    "pairs": lambda a, b, **k: triples_of(a.triangle_pairs(b, k["poses"], pose=k["pose"])),
    "contacts": lambda a, b, **k: manifolds_of(a.contacts(b, k["poses"], pose=k["pose"], margin=0.1)),
}
NAMES = {verdict: "relation", distance: "signed", pairs: "pairs"}


def asked_in_rust():
    """Lines for the program in Rust, and for each question a function that gives Python's numbers."""
    lines, answers, numbers = [], [], {}

    def number(geometry):
        if id(geometry) not in numbers:
            numbers[id(geometry)] = len(numbers)
            kind, values = described(geometry)
            lines.append(" ".join(["body", kind, *(f"{bits:016x}" for bits in digits(values))]))
        return numbers[id(geometry)]

    def ask(word, values, answer):
        lines.append(" ".join([word, *(f"{bits:016x}" for bits in digits(values))]))
        answers.append((word, answer))

    for k, (_, (answer, a, pose_a, *rest)) in enumerate(corpus()):
        at_a = [*pose_a]
        if answer is ray:
            origin, direction = rest
            ask(
                "ray",
                [number(a), *at_a, origin, direction],
                lambda a=a, p=pose_a, o=origin, d=direction: hit_of(a.cast_rays(o, d, pose=p)),
            )
            ask(
                "closest",
                [number(a), *at_a, origin],
                lambda a=a, p=pose_a, o=origin: nearest_of(a.closest_point(o, pose=p)),
            )
            ask("contains", [number(a), *at_a, origin], lambda a=a, p=pose_a, o=origin: [a.contains(o, pose=p)])
            continue
        b, pose_b, *end = rest
        place = [number(a), number(b), *at_a, *pose_b]
        if answer is impact:
            met = lambda a=a, p=pose_a, b=b, q=pose_b, e=end[0]: meeting_of(a.impact(b, q, e, pose=p))
            ask("impact", [*place, *end[0]], met)
            continue
        words = [NAMES[answer], ("intersects", "distance", "contacts")[k % 3]]
        for word in words:
            ask(word, place, lambda w=word, a=a, p=pose_a, b=b, q=pose_b: PAIRS[w](a, b, poses=q, pose=p))
    return lines, answers


@pytest.mark.skipif(RUST is None, reason="IMPINGE_ANSWER names no program")
def test_rust_gives_the_same_bits():
    lines, answers = asked_in_rust()
    done = subprocess.run([RUST], input="\n".join(lines) + "\n", capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    told = [[int(word, 16) for word in line.split()] for line in done.stdout.splitlines()]
    assert len(told) == len(answers) >= 10_000
    different = []
    for k, (line, (word, answer)) in enumerate(zip(told, answers)):
        if digits(answer()) != line:
            different.append((k, word, line, digits(answer())))
    assert not different, (len(different), different[:3])
    counts = {word: sum(asked == word for asked, _ in answers) for word, _ in answers}
    assert set(counts) == {*PAIRS, "ray", "closest", "contains", "impact"} and min(counts.values()) > 1000, counts
