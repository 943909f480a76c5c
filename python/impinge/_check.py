"""Clash tests: which parts of a model overlap, come too close, are enclosed or exist twice."""

from __future__ import annotations

import html as _html
import json as _json
import os
from dataclasses import dataclass
from typing import Any, Iterator, Mapping, Sequence, Union

import numpy as np
from numpy.typing import NDArray

from . import _impinge
from ._files import Reading, _paths
from ._geometry import Geometry, _geometry, _threads
from ._poses import Poses, rows

Path = Union[str, "os.PathLike[str]"]
Parts = Mapping[str, Union[Geometry, tuple[Geometry, Poses]]]
Length = Union[str, float, int, None]


@dataclass(frozen=True, eq=False)
class Finding:
    """One fault to look at. Lengths are in the unit of the report, points in the coordinates of the model."""

    id: str
    """The same from run to run, for the same parts and kind."""
    test: str
    kind: str
    """`hard`, `contained`, `duplicate`, `clearance` or `touching`."""
    parts: tuple[str, ...]
    """The paths of the parts: two, or all that coincide."""
    distance: float | None
    """The gap, or minus the depth; `None` where only the verdict was asked."""
    method: str | None
    """Of the distance: `exact`, `bound` or `estimate`."""
    points: NDArray[np.float64] | None
    """The closest or deepest points of the first and the second part: (2, 3)."""
    volume: float | None
    """An estimate of the common volume, where both are closed."""
    group: str | None
    status: str
    """What people decided: `new`, `active`, `reviewed`, `approved` or `resolved`."""
    change: str
    """`added`, or `persistent` if the last run had it already."""
    explanation: str
    """In plain words."""
    data: dict[str, Any]
    """All that the report says, as docs/clash-json.md describes it."""

    def __repr__(self) -> str:
        return f"<impinge.Finding {self.id}: {self.kind}, {' and '.join(self.parts)}>"


class Report:
    """What a check found. `findings` has the worst first; `save` writes it for people, programs and other tools.

    It is a sequence of its findings.
    """

    __slots__ = ("_native", "data", "findings")

    def __init__(self, native: _impinge.NativeCheck) -> None:
        self._native = native
        self.data: dict[str, Any] = _json.loads(native.report("json"))
        """The report as docs/clash-json.md describes it."""
        self.findings: list[Finding] = [_finding(entry) for entry in self.data["findings"]]

    def __len__(self) -> int:
        return len(self.findings)

    def __getitem__(self, index: int) -> Finding:
        return self.findings[index]

    def __iter__(self) -> Iterator[Finding]:
        return iter(self.findings)

    def __repr__(self) -> str:
        counts = self.data["counts"]
        kinds = [finding.kind for finding in self.findings]
        each = ", ".join(f"{kinds.count(kind)} {kind}" for kind in dict.fromkeys(kinds))
        many = "finding" if len(self) == 1 else "findings"
        return f"<impinge.Report: {len(self)} {many} among {counts['parts']} parts{': ' + each if each else ''}>"

    @property
    def unit(self) -> str:
        """The unit of all lengths."""
        return str(self.data["unit"])

    @property
    def counts(self) -> dict[str, int]:
        """How many parts and pairs there are, and what became of them."""
        return dict(self.data["counts"])

    @property
    def hidden(self) -> list[dict[str, Any]]:
        """What rules hid, and why."""
        return list(self.data["hidden"])

    def to_dataframe(self) -> Any:
        """The findings as a `pandas.DataFrame`, a row for each; pandas must be installed."""
        import pandas  # type: ignore[import-untyped, import-not-found, unused-ignore]

        columns = [
            "id",
            "test",
            "kind",
            "a",
            "b",
            "distance",
            "method",
            "x",
            "y",
            "z",
            "volume",
            "group",
            "status",
            "change",
        ]
        return pandas.DataFrame([_row(finding) for finding in self.findings], columns=columns).set_index("id")

    def table(self) -> str:
        """The report as a table for people."""
        return self._native.report("table")

    def json(self) -> str:
        """The report as docs/clash-json.md describes it."""
        return self._native.report("json")

    def csv(self) -> str:
        """The findings, a line for each."""
        return self._native.report("csv")

    def html(self) -> str:
        """The report as one page that needs no network: in 3D if this package was built where Node.js is, else with pictures."""
        return self._native.report("html")

    def save(self, path: Path, *, author: str = "impinge") -> None:
        """Writes the report by its extension: `.html`, `.json`, `.csv`, `.txt`, or `.bcfzip` for other tools, which shows `author`."""
        ending = os.path.splitext(os.fspath(path))[1].lower()
        if ending in (".bcf", ".bcfzip"):
            _impinge.write_bytes(path, self._native.bcf(author))
            return
        formats = {".html": "html", ".htm": "html", ".json": "json", ".csv": "csv", ".txt": "table"}
        if ending not in formats:
            raise ValueError(f"{os.fspath(path)}: use the extension .html, .json, .csv, .txt or .bcfzip")
        _impinge.write_bytes(path, self._native.report(formats[ending]).encode())

    def show(self) -> str:
        """Opens the report in a browser, and returns the path of its page."""
        return _open(self.html())

    def _repr_html_(self) -> str:
        return _frame(self.html())


def check(
    models: Path | Sequence[Path] | Parts,
    *,
    tests: Path | None = None,
    plan: str | None = None,
    tolerance: Length = None,
    clearance: Length = None,
    group: str = "none",
    decisions: Path | None = None,
    verdicts_only: bool = False,
    threads: int | None = None,
    **reading: Any,
) -> Report:
    """Checks the parts of models against each other, as `impinge check` does.

    `models`: files or folders, or parts by name: geometries, or tuples of a geometry and a pose. `tests`: a file of tests and rules, or its text as
    `plan`; everything against everything without. `tolerance`: overlaps up to this depth are contact; `clearance`: gaps below this are findings;
    both are numbers in the unit of the model, or texts such as `"5mm"`. `group`: `none`, `part`, `pair`, `files` or `cluster:LENGTH`. `decisions`: the
    file that keeps what people decided from run to run (see `decide`). `reading`: see `Reading`.

    >>> from impinge import Shape, check
    >>> box = Shape.cuboid([1.0, 1.0, 1.0])
    >>> report = check({"left": box, "right": (box, (None, [1.5, 0.0, 0.0]))})
    >>> report
    <impinge.Report: 1 finding among 2 parts: 1 hard>
    >>> report[0].kind, report[0].distance
    ('hard', -0.5)
    """
    if tests is not None and plan is not None:
        raise ValueError("tests and plan say the same thing: give one of them")
    text = None
    if tests is not None:
        with open(tests, encoding="utf-8") as file:
            text = (file.read(), os.fspath(tests))
    elif plan is not None:
        text = (plan, "plan")
    question = {
        "tests": text,
        "tolerance": _length(tolerance),
        "clearance": _length(clearance),
        "group": group,
        "decisions": None if decisions is None else os.fspath(decisions),
        "verdicts_only": bool(verdicts_only),
    }
    options = Reading(**reading)._native
    parts = _given(models) if isinstance(models, Mapping) else None
    paths = [] if isinstance(models, Mapping) else _paths(models)
    return Report(_impinge.check(paths, parts, options, question, _threads(threads)))


def decide(
    decisions: Path,
    ids: str | Sequence[str],
    status: str | None = None,
    *,
    comment: str | None = None,
    assignee: str | None = None,
) -> list[str]:
    """Decides about findings in the file of decisions; ids may be cut short. Returns the ids in full."""
    listed = [ids] if isinstance(ids, str) else list(ids)
    return _impinge.decide(os.fspath(decisions), listed, status, comment, assignee)


def show(parts: Parts) -> str:
    """Opens parts in a browser, by name: geometries, or tuples of a geometry and a pose. Returns the path of the page."""
    return _open(page(parts))


def page(parts: Parts) -> str:
    """The page that shows parts: one file that needs no network."""
    return _impinge.view(_given(parts)).report("html")


def _given(parts: Parts) -> list[tuple[str, _impinge.NativeGeometry, NDArray[np.float64] | None]]:
    given = []
    for name, part in parts.items():
        geometry, pose = part if isinstance(part, tuple) else (part, None)
        given.append((str(name), _geometry(geometry), rows(pose, f"the pose of {name}")[0]))
    return given


def _length(length: Length) -> str | None:
    return None if length is None else length if isinstance(length, str) else repr(float(length))


def _finding(data: dict[str, Any]) -> Finding:
    points = None if data["points"] is None else np.array(data["points"])
    same = ("id", "test", "kind", "distance", "method", "volume", "group", "status", "change", "explanation")
    return Finding(parts=tuple(data["paths"]), points=points, data=data, **{name: data[name] for name in same})


def _row(finding: Finding) -> dict[str, Any]:
    place = (np.nan,) * 3 if finding.points is None else tuple(finding.points.mean(axis=0))
    row = {
        name: getattr(finding, name)
        for name in ("id", "test", "kind", "distance", "method", "volume", "group", "status", "change")
    }
    return {**row, "a": finding.parts[0], "b": finding.parts[1], "x": place[0], "y": place[1], "z": place[2]}


def _frame(page: str) -> str:
    """A page within another one."""
    return f'<iframe srcdoc="{_html.escape(page)}" width="100%" height="480" style="border:0"></iframe>'


def _open(page: str) -> str:
    import tempfile
    import webbrowser
    from pathlib import Path as Location

    with tempfile.NamedTemporaryFile("w", suffix=".html", prefix="impinge-", delete=False, encoding="utf-8") as file:
        file.write(page)
    webbrowser.open(Location(file.name).as_uri())
    return file.name
