"""Models from files and into files."""

import numpy as np
import pytest

import impinge
from impinge import Mesh, Shape
from models import ball, box


@pytest.mark.parametrize("ending", ["ply", "obj", "off", "stl"])
def test_meshes_come_back(tmp_path, ending):
    vertices, faces = ball(2)
    path = tmp_path / f"ball.{ending}"
    impinge.write(path, Mesh(vertices, faces))
    found = impinge.read(path)
    if ending != "stl":
        assert (found.vertices == vertices).all() and (found.faces == faces).all()
    assert len(found.faces) == len(faces) and found.is_solid


def test_a_scene(tmp_path):
    impinge.write(tmp_path / "block.ply", Mesh(*box((5.0, 5.0, 5.0))))
    (tmp_path / "plant.toml").write_text(
        'unit = "mm"\n[[part]]\nfile = "block.ply"\nunit = "cm"\nname = "block"\nmaterial = "steel"\n'
        '[[part]]\nsphere = 3\nname = "ball"\nplaces = [{ translation = [50, 0, 0] }, { translation = [-50, 0, 0] }]\n'
    )
    model = impinge.read_scene(tmp_path / "plant.toml")
    assert (len(model), model.unit, model.unit_source) == (3, "mm", "file")
    assert [part.name for part in model] == ["block", "ball #0", "ball #1"] and model.parts[0].materials == ["steel"]
    assert model.parts[0].geometry.vertices.max() == 50.0 and repr(model.parts[1].geometry) == "Shape.sphere(3.0)"
    assert model.parts[1].pose[:3, 3].tolist() == [50.0, 0.0, 0.0]
    assert len(impinge.check(model.by_path())) == len(impinge.check(tmp_path / "plant.toml")) == 2
    assert impinge.read_scene(tmp_path / "plant.toml", unit="m").unit == "m"


def test_refused(tmp_path):
    with pytest.raises(ValueError, match="broken.obj: line 2"):
        (tmp_path / "broken.obj").write_text("v 0 0 0\nf 1 2 3\n")
        impinge.read(tmp_path / "broken.obj")
    with pytest.raises(ValueError, match="nothing.stl"):
        impinge.read(tmp_path / "nothing.stl")
    with pytest.raises(ValueError):
        impinge.read_scene(tmp_path / "nothing.glb")
    with pytest.raises(ValueError, match="extension"):
        impinge.write(tmp_path / "ball.txt", Mesh(*ball(0)))
    with pytest.raises(ValueError, match="not a mesh"):
        impinge.write(tmp_path / "ball.ply", Shape.sphere(1.0))
    with pytest.raises(ValueError, match="unit"):
        impinge.read_scene(tmp_path, unit="parsec")


def test_pages_need_no_network():
    page = impinge.page({"ball": Mesh(*ball(1)), "box": (Shape.cuboid([1, 1, 1]), np.eye(4))})
    assert page.startswith("<!doctype html>") and "default-src 'none'" in page
    assert Mesh(*ball(1))._repr_html_().startswith("<iframe")
