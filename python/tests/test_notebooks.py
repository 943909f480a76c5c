"""The notebooks run from their first cell to the last, and what a cell ends with can be shown."""

import ast
import json
from pathlib import Path

import pytest

NOTEBOOKS = sorted((Path(__file__).resolve().parents[1] / "notebooks").glob("*.ipynb"))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook(path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = {"__name__": "__main__"}
    cells = [cell for cell in json.loads(path.read_text(encoding="utf-8"))["cells"] if cell["cell_type"] == "code"]
    assert cells and all(not cell["outputs"] and cell["execution_count"] is None for cell in cells)
    for cell in cells:
        tree = ast.parse("".join(cell["source"]), path.name)
        last = ast.Expression(tree.body.pop().value) if isinstance(tree.body[-1], ast.Expr) else None
        exec(compile(tree, path.name, "exec"), names)
        if last is not None:
            shown = eval(compile(last, path.name, "eval"), names)
            assert repr(shown)
            if hasattr(shown, "_repr_html_"):
                assert shown._repr_html_().startswith("<iframe srcdoc=")


def test_there_are_four():
    assert len(NOTEBOOKS) == 4
