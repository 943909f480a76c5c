"""`./versus/run python`: the Python packages on the same questions, judged by oracles of their own (`oracle.py`)."""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from datetime import date
from pathlib import Path

import numpy as np

import models
import oracle

HERE = Path(__file__).resolve().parent
SYSTEMS = {
    "manager 1000": ["impinge", "trimesh", "coal"],
    "closest": ["impinge", "trimesh", "open3d", "fcpw", "libigl"],
    "signed": ["impinge", "trimesh", "open3d", "libigl", "pysdf"],
    "rays": ["impinge", "trimesh", "embreex", "open3d"],
    "mesh distance": ["impinge", "trimesh", "coal"],
}
# trimesh takes milliseconds for a point or ray where others take microseconds: it is asked the first ones.
FEW = 2000
# Of the diagonal of the model: what f32 loses, ten times.
ROUGH, FINE = 1e-5, 1e-12
IN_F64 = {"impinge", "trimesh", "coal", "libigl"}


def options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="./versus/run python", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a tenth of the questions")
    parser.add_argument("--seed", type=int, default=42)
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write a record")
    parser.add_argument("--models", metavar="DIR", help="also the closed meshes of a folder")
    parser.add_argument("--case", default="", metavar="NAME", help="only cases whose names begin so")
    parser.add_argument("--phases", action="store_true", help=argparse.SUPPRESS)
    return parser.parse_args()


class Measurement:
    def __init__(self, given: argparse.Namespace) -> None:
        self.given, self.rows, self.versions = given, [], {}
        self.work = Path(tempfile.mkdtemp(prefix="versus-python-"))
        self.count = 30_000 if given.quick else 300_000
        self.sample = 500 if given.quick else 2_000

    def ask(self, system: str, case: str, rounds: int = 3, **arrays: np.ndarray) -> dict | None:
        """The answers of a system, or none, with the reason on the terminal."""
        question, answer = self.work / "question.npz", self.work / "answer.npz"
        np.savez(question, **arrays)
        answer.unlink(missing_ok=True)
        one = {
            name: "1"
            for name in (
                "OMP_NUM_THREADS",
                "OPENBLAS_NUM_THREADS",
                "MKL_NUM_THREADS",
                "RAYON_NUM_THREADS",
                "TBB_NUM_THREADS",
            )
        }
        command = [sys.executable, str(HERE / "peers.py"), system, case, str(question), str(answer), str(rounds)]
        if hasattr(os, "sched_getaffinity"):
            # One processor, also for those that cannot be told.
            core = min(os.sched_getaffinity(0))
            limit = lambda: os.sched_setaffinity(0, {core})  # noqa: E731
        else:
            limit = None
        done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, **one}, preexec_fn=limit)
        if done.returncode or not answer.exists():
            reason = (done.stderr.strip().splitlines() or [f"it ended with {done.returncode}"])[-1]
            print(f"  {system:10} left out: {reason}")
            return None
        with np.load(answer) as found:
            told = {name: found[name] for name in found.files}
        self.versions[system] = str(told.pop("version"))
        return told

    def row(
        self, case: str, model: str, system: str, asked: int, found: dict, wrong: int, judged: int, **more: float
    ) -> None:
        row = {"case": case, "model": model, "system": system, "queries": asked, "nanoseconds": round(float(found["nanoseconds"]), 1),
               "wrong": int(wrong), "judged": int(judged), "peak_kib": int(found["peak"]) // 1024,
               **{name: round(float(value), 12) for name, value in more.items()}}  # fmt: skip
        self.rows.append(row)
        tail = "".join(f", {name} {value:.3g}" for name, value in more.items())
        print(
            f"  {system:10} {row['nanoseconds'] / 1e3:12.3f} us  wrong {wrong} of {judged}, {row['peak_kib'] / 1024:.0f} MB{tail}",
            flush=True,
        )

    def points(self, case: str, model: str, vertices: np.ndarray, faces: np.ndarray) -> None:
        diagonal = float(np.linalg.norm(vertices.max(0) - vertices.min(0)))
        asked = models.points(vertices, self.count, self.given.seed)
        # The sample is judged; what trimesh is asked begins with it.
        judged = asked[: self.sample]
        truth = oracle.closest(judged, vertices, faces)
        if case == "signed":
            truth = np.where(oracle.inside(judged, vertices, faces), -truth, truth)
        for system in SYSTEMS[case]:
            some = asked[:FEW] if system == "trimesh" else asked
            found = self.ask(system, case, vertices=vertices, faces=faces, points=some)
            if found is None:
                continue
            error = np.abs(found["distance"][: self.sample] - truth)
            if "point" in found:
                # The point has to be as far away as the distance says.
                error = np.maximum(
                    error, np.abs(np.linalg.norm(found["point"][: self.sample] - judged, axis=1) - truth)
                )
            limit = (FINE if system == "impinge" else ROUGH) * diagonal
            self.row(
                case,
                model,
                system,
                len(some),
                found,
                np.count_nonzero(~(error <= limit)),
                len(judged),
                error=error.max() / diagonal,
                build=found["build"],
            )

    def rays(self, model: str, vertices: np.ndarray, faces: np.ndarray) -> None:
        diagonal = float(np.linalg.norm(vertices.max(0) - vertices.min(0)))
        box = models.points(vertices, 3000, self.given.seed + 7)
        within = box[oracle.inside(box, vertices, faces)]
        deep = within[oracle.closest(within, vertices, faces) > 1e-3 * diagonal]
        origins, directions, enclosed = models.rays(vertices, faces, deep, self.count, self.given.seed)
        # A shuffled order: no system gains by the way in which rays were made, and each is judged on both halves.
        order = np.random.default_rng(self.given.seed).permutation(self.count)
        origins, directions, enclosed = origins[order], directions[order], enclosed[order]
        t, sure = oracle.rays(origins[: self.sample], directions[: self.sample], vertices, faces)
        for system in SYSTEMS["rays"]:
            few = FEW if system == "trimesh" else self.count
            found = self.ask(
                system, "rays", vertices=vertices, faces=faces, origins=origins[:few], directions=directions[:few]
            )
            if found is None:
                continue
            told = found["distance"]
            leaks = np.count_nonzero(~np.isfinite(told) & enclosed[:few])
            mine = told[: self.sample]
            same = (np.isinf(mine) & np.isinf(t)) | (np.abs(mine - t) <= (1e-9 if system == "impinge" else 1e-4))
            self.row(
                "rays",
                model,
                system,
                few,
                found,
                np.count_nonzero(~same & sure),
                np.count_nonzero(sure),
                leaks=leaks,
                build=found["build"],
            )

    def manager(self) -> None:
        vertices, faces, poses = models.manager()
        truth = oracle.meeting(vertices, faces, poses)
        print(f"  {len(truth)} pairs meet")
        for system in SYSTEMS["manager 1000"]:
            found = self.ask(
                system, "manager", rounds=1 if system == "trimesh" else 3, vertices=vertices, faces=faces, poses=poses
            )
            if found is not None:
                pairs = {(int(a), int(b)) for a, b in found["pairs"]}
                seconds = {name: float(found[name]) for name in ("fill", "first", "move", "again")}
                self.row("manager 1000", "balls", system, 1, found, len(pairs ^ truth), len(truth), **seconds)

    def distances(self, model: str, vertices: np.ndarray, faces: np.ndarray) -> None:
        random = np.random.default_rng(self.given.seed)
        count = 10 if self.given.quick else 40
        diagonal = float(np.linalg.norm(vertices.max(0) - vertices.min(0)))
        centered = vertices - (vertices.max(0) + vertices.min(0)) / 2
        poses = np.tile(np.eye(4), (count, 1, 1))
        poses[:, :3, :3] = models.rotations(count, random)
        ways = random.normal(size=(count, 3))
        poses[:, :3, 3] = (
            ways / np.linalg.norm(ways, axis=1)[:, None] * diagonal * random.uniform(1.02, 1.4, count)[:, None]
        )
        truth = np.array([oracle.mesh_distance(centered, faces, pose) for pose in poses])
        for system in SYSTEMS["mesh distance"]:
            found = self.ask(
                system, "distance", rounds=1 if system == "trimesh" else 3, vertices=centered, faces=faces, poses=poses
            )
            if found is not None:
                error = np.abs(found["distance"] - truth)
                limit = (FINE if system == "impinge" else 1e-7) * diagonal
                self.row(
                    "mesh distance",
                    model,
                    system,
                    count,
                    found,
                    np.count_nonzero(~(error <= limit)),
                    count,
                    error=error.max() / diagonal,
                    build=found["build"],
                )

    def run(self) -> None:
        if "binding".startswith(self.given.case):
            self.binding()
        if self.given.case == "binding":
            return
        bodies = {"bumpy": models.bumpy(), "ring": models.torus()}
        if self.given.models:
            bodies.update(models.read(self.given.models))
        wanted = [case for case in SYSTEMS if case.startswith(self.given.case)]
        if not wanted:
            sys.exit(f"there is no case {self.given.case}; there are: {', '.join(SYSTEMS)}")
        if "manager 1000" in wanted:
            print("manager 1000")
            self.manager()
        for name, (vertices, faces) in bodies.items():
            for case in wanted:
                if case != "manager 1000":
                    print(f"{case}, {name}, {len(faces)} triangles")
                if case in ("closest", "signed"):
                    self.points(case, name, vertices, faces)
                elif case == "rays":
                    self.rays(name, vertices, faces)
                elif case == "mesh distance":
                    self.distances(name, vertices, faces)

    def binding(self) -> None:
        """Batches of a thousand in Rust and in Python, both with one thread."""
        program = HERE.parents[1] / "target/adapters/python/impinge"
        if not program.exists():
            print("batches of 1,000 in Rust: left out, the adapter does not compile")
            return
        vertices, faces = models.bumpy()
        points = models.points(vertices, 1000, self.given.seed)
        directions = np.random.default_rng(self.given.seed).normal(size=(1000, 3))
        arrays = {"vertices": vertices, "faces": faces, "points": points, "directions": directions}
        for name, array in arrays.items():
            (self.work / name).write_bytes(np.ascontiguousarray(array, dtype="<f8").tobytes())
        one = {**os.environ, "RAYON_NUM_THREADS": "1"}
        told = subprocess.run([program, str(self.work)], capture_output=True, text=True, env=one, check=True).stdout
        rust = {line.split()[0]: float(line.split()[1]) for line in told.splitlines()}
        found = self.ask("impinge", "batches", rounds=400, **arrays)
        if found is None:
            return
        print("batches of 1,000, nanoseconds per query: Rust, Python, how much more")
        for name, there in rust.items():
            here = float(found[name])
            self.rows.append(
                {"case": "binding", "model": name, "system": "impinge", "rust": there, "nanoseconds": here, "wrong": 0}
            )
            print(f"  {name:12} {there:9.1f} {here:9.1f} {100 * (here / there - 1):6.1f} %")

    def ratios(self) -> None:
        """impinge beside the fastest of the others that gets nothing wrong, if there is one."""
        print("\nThe best of the others that is right, over impinge:")
        for case, model in dict.fromkeys((row["case"], row["model"]) for row in self.rows):
            rows = [row for row in self.rows if (row["case"], row["model"]) == (case, model)]
            ours = next((row for row in rows if row["system"] == "impinge"), None)
            right = [row for row in rows if row["system"] != "impinge" and row["wrong"] == 0 and not row.get("leaks")]
            if ours and right:
                best = min(right, key=lambda row: row["nanoseconds"])
                print(f"  {case} {model}: {best['nanoseconds'] / ours['nanoseconds']:.1f} ({best['system']})")

    def record(self, path: Path) -> None:
        told = {"title": "Python packages: impinge beside its peers", "workload": "python", "date": date.today().isoformat(), "seed": self.given.seed,
                "quick": self.given.quick, "quantity": "least processor time of a round per query, in nanoseconds; manager 1000: of filling it",
                "systems": self.versions, "rows": self.rows}  # fmt: skip
        lines = ",\n    ".join(json.dumps(row) for row in told.pop("rows"))
        text = json.dumps(told, indent=2)[:-2] + f',\n  "rows": [\n    {lines}\n  ]\n}}\n'
        path.write_text(text)


def main() -> int:
    measurement = Measurement(options())
    measurement.run()
    measurement.ratios()
    if measurement.given.json:
        measurement.record(measurement.given.json)
    return int(any(row["wrong"] or row.get("leaks") for row in measurement.rows if row["system"] == "impinge"))


if __name__ == "__main__":
    sys.exit(main())
