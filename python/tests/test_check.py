"""Checks: the findings of the command, as objects, as a table, and in files."""

import json
import os
import subprocess
import zipfile

import numpy as np
import pytest

import impinge
from impinge import Mesh, Shape, check
from models import ball, box

COMMAND = os.environ.get("IMPINGE_COMMAND")
PLAN = """
[[test]]
name = "left against right"
a = "left*"
b = "right*"
clearance = 0.5

[[rule]]
name = "screws"
reason = "screws are drawn full"
a = "*screw*"
"""


def parts():
    block = Mesh(*box((1.0, 1.0, 1.0)))
    return {
        "left block": block,
        "right block": (block, (None, [1.5, 0.0, 0.0])),
        "right far": (block, (None, [0.0, 2.25, 0.0])),
        "right screw": (Shape.cylinder(0.1, 2.0), (None, [0.0, 0.0, 1.0])),
        "right ball": (Mesh(*ball(2, 0.5)), (None, [0.1, 0.0, 0.0])),
    }


def test_findings():
    report = check(parts(), plan=PLAN)
    kinds = {finding.parts[1]: finding.kind for finding in report}
    assert kinds == {"right block": "hard", "right far": "clearance", "right ball": "contained"}
    hard = report[0]
    assert hard.kind == "hard" and hard.distance == pytest.approx(-0.5) and hard.points.shape == (2, 3)
    assert hard.volume == pytest.approx(2.0) and hard.status == "new" and hard.change == "added"
    gap = next(finding for finding in report if finding.kind == "clearance")
    assert gap.distance == 0.25 and gap.method == "exact" and "right far" in repr(gap)
    assert [rule["rule"] for rule in report.hidden] == ["screws"] and report.hidden[0]["count"] == 1
    assert report.counts["parts"] == 5 and "3 findings among 5 parts" in repr(report)


def test_lengths_have_units():
    block = Mesh(*box((1.0, 1.0, 1.0)))
    two = {"a": block, "b": (block, (None, [2.001, 0.0, 0.0]))}
    assert len(check(two, clearance="2mm")) == 1 and len(check(two, clearance="0.5mm")) == 0
    assert len(check(two, clearance=0.002)) == 1 and check(two, unit="mm", clearance="1mm").unit == "mm"


def test_the_same_for_any_number_of_threads():
    assert check(parts(), threads=1).json() == check(parts(), threads=4).json()


def test_a_table_of_pandas():
    pytest.importorskip("pandas")
    report = check(parts(), plan=PLAN)
    frame = report.to_dataframe()
    assert list(frame.index) == [finding.id for finding in report]
    assert frame.loc[report[0].id, "b"] == "right block" and frame["distance"].tolist() == [f.distance for f in report]
    assert np.allclose(frame[frame.kind == "clearance"].y, 1.125)


def test_files(tmp_path):
    report = check(parts(), clearance=0.5)
    for ending in ("html", "json", "csv", "txt", "bcfzip"):
        report.save(tmp_path / f"report.{ending}")
    assert json.loads((tmp_path / "report.json").read_text()) == report.data
    assert len((tmp_path / "report.csv").read_text().splitlines()) == len(report) + 1
    assert "clash report" in (tmp_path / "report.html").read_text()
    assert any(name.endswith(".bcf") for name in zipfile.ZipFile(tmp_path / "report.bcfzip").namelist())
    assert report._repr_html_().startswith("<iframe srcdoc=") and 'src="http' not in report._repr_html_()
    with pytest.raises(ValueError, match="use the extension"):
        report.save(tmp_path / "report.docx")


def test_decisions_last(tmp_path):
    file = tmp_path / "decisions.json"
    first = check(parts(), decisions=file)
    assert {finding.change for finding in first} == {"added"}
    decided = impinge.decide(file, first[0].id[:8], "approved", comment="as drawn")
    assert decided == [first[0].id]
    second = check(parts(), decisions=file)
    assert second[0].status == "approved" and second[0].data["comment"] == "as drawn"
    assert {finding.change for finding in second} == {"persistent"}
    with pytest.raises(ValueError, match="no finding"):
        impinge.decide(file, "ffffffff", "approved")
    with pytest.raises(ValueError):
        impinge.decide(file, first[0].id, "fine")


REFUSED = {
    "no such file": lambda: check("no such model.stl"),
    "part b is neither a mesh": lambda: check({"a": Shape.sphere(1.0), "b": Shape.cone(1.0, 1.0)}),
    "no parts": lambda: check({}),
    "the tests cover none": lambda: check({"a": Shape.sphere(1.0)}),
    "there is no group": lambda: check(parts(), group="colour"),
    "matches none of the 5 parts": lambda: check(parts(), plan='[[test]]\nname = "x"\na = "nothing"'),
    "plan:1:3: unknown field": lambda: check(parts(), plan="[[tset]]"),
    "give one of them": lambda: check(parts(), plan="", tests="x"),
    "tolerance|length|number": lambda: check(parts(), tolerance="thick"),
    "pose: the last row of a 4 x 4": lambda: check({"a": Shape.sphere(1.0), "b": (Shape.sphere(1.0), np.ones((4, 4)))}),
}


@pytest.mark.parametrize("words", REFUSED)
def test_refused(words):
    with pytest.raises((ValueError, FileNotFoundError), match=f"(?i){words}"):
        REFUSED[words]()


@pytest.mark.skipif(COMMAND is None, reason="IMPINGE_COMMAND names no command")
def test_the_command_says_the_same(tmp_path):
    for name, (part, pose) in {"a": (ball(3), 0.0), "b": (ball(3, 0.9), 0.4), "c": (box(), 3.0)}.items():
        impinge.write(tmp_path / f"{name}.ply", Mesh(part[0] + [pose, 0.1, 0.0], part[1]))
    paths = [str(tmp_path / f"{name}.ply") for name in "abc"]
    told = subprocess.run(
        [COMMAND, "check", *paths, "--format", "json", "--clearance", "2", "--no-status", "--quiet"],
        capture_output=True,
        text=True,
    )
    assert json.loads(told.stdout) == check(paths, clearance=2).data
