"""Type information: strict, and that of what is there."""

import importlib.util
import subprocess
import sys

import pytest

needs_mypy = pytest.mark.skipif(importlib.util.find_spec("mypy") is None, reason="mypy is not installed")


def run(*arguments, folder):
    done = subprocess.run([sys.executable, "-m", *arguments], capture_output=True, text=True, cwd=folder)
    assert done.returncode == 0, done.stdout + done.stderr


@needs_mypy
def test_the_package_is_typed(tmp_path):
    run(
        "mypy",
        "--strict",
        "--no-warn-unused-ignores",
        "--no-warn-return-any",
        "--cache-dir",
        str(tmp_path),
        "--package",
        "impinge",
        folder=tmp_path,
    )


@needs_mypy
def test_the_stubs_are_those_of_the_module(tmp_path):
    run("mypy.stubtest", "impinge._impinge", "--ignore-disjoint-bases", folder=tmp_path)


@needs_mypy
def test_a_script_is_checked(tmp_path):
    right = "from impinge import Mesh, Shape, check\nd: bool = Shape.sphere(1.0).rounded(2.0).__repr__() == ''\nr = check('a.obj', clearance='5mm')\nn: int = len(r.findings)\n"
    (tmp_path / "right.py").write_text(right)
    run("mypy", "--strict", "right.py", folder=tmp_path)
    (tmp_path / "wrong.py").write_text("from impinge import Shape\nShape.sphere(radius='big')\n")
    with pytest.raises(AssertionError, match="incompatible type"):
        run("mypy", "--strict", "wrong.py", folder=tmp_path)
