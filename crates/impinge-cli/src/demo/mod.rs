//! `impinge demo`: the main job on built-in data.

mod gearbox;

use crate::arguments::DemoArguments;
use crate::check::{Checked, Destination, page, set_in_motion};
use crate::notes::note;
use impinge_clash::motion::MotionFile;
use impinge_clash::report::Run;
use impinge_clash::{Model, Plan};
use impinge_io::{
    MeshData, Placement, SceneData, SceneNode, ScenePart, ShapeData, Unit, UnitSource,
    check_writable,
};
use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::Path;
use std::sync::Arc;

/// The tests of the demonstration, as a user would write them.
const TESTS: &str = include_str!("tests.toml");

/// One turn of the carrier, as a user would write it.
const MOTION: &str = include_str!("motion.toml");

/// The default page: in the current directory, since browsers may not be allowed to read temporary ones.
const PAGE: &str = "impinge-demo.html";

/// Checks the gearbox, writes a page about it, and shows how to check another model.
pub(crate) fn run(arguments: &DemoArguments) -> io::Result<bool> {
    let quiet = arguments.report.quiet;
    let destination = Destination::new(&arguments.report)?;
    if let Some(path) = &arguments.model {
        refuse_other_formats(path)?;
        check_writable(path).map_err(io::Error::other)?;
    }
    let mut model = Model::new(&scene(arguments.motion));
    model.display_unit = arguments.report.display_unit.unwrap_or(model.unit);
    if arguments.motion {
        let file = MotionFile::parse(MOTION, "demo/motion.toml").map_err(io::Error::other)?;
        set_in_motion(&mut model, Some(&file), quiet)?;
    }
    let plan = Plan::parse(TESTS, "demo/tests.toml").map_err(io::Error::other)?;
    let checked = Checked { name: "planetary gearbox", model: &model, plan: &plan, brief: false };
    let beside = |run: &Run<'_>| {
        write_page(arguments, run)?;
        let model = arguments.model.as_ref();
        model.map_or(Ok(()), |path| write_model(path, arguments.motion, quiet))
    };
    let found = checked.check(&arguments.report, &destination, None, &beside)?;
    if !quiet && arguments.motion {
        note(format_args!(
            "\nThe motion file for this check:\n\n{MOTION}\nMove your own model: impinge check MODEL --motion FILE.toml"
        ));
    } else if !quiet {
        note(format_args!(
            "\nThe test file for this check:\n\n{TESTS}\nCheck your own model: impinge check MODEL --clearance 0.5mm"
        ));
    }
    Ok(found)
}

/// Writes the page. Where nobody asked for it, a folder that cannot be written to is no failure.
fn write_page(arguments: &DemoArguments, run: &Run<'_>) -> io::Result<()> {
    let quiet = arguments.report.quiet;
    let path = match &arguments.page {
        Some(path) => path,
        None if quiet => return Ok(()),
        None => Path::new(PAGE),
    };
    match (impinge_io::write_file(path, page(run, quiet).as_bytes()), &arguments.page) {
        (Ok(()), _) if quiet => {}
        (Ok(()), _) => {
            let shown = fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
            note(format_args!("\nSee it in 3D: open {} in a browser", shown.display()));
        }
        (Err(error), Some(_)) => return Err(io::Error::other(error)),
        (Err(error), None) => note(format_args!("\nno page was written: {error}")),
    }
    Ok(())
}

fn refuse_other_formats(path: &Path) -> io::Result<()> {
    if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("obj")) {
        return Ok(());
    }
    let message =
        format!("--model {}: the gearbox is written as OBJ; use FILE.obj", path.display());
    Err(io::Error::other(message))
}

/// Writes the gearbox, and its tests beside it.
fn write_model(path: &Path, moving: bool, quiet: bool) -> io::Result<()> {
    let tests = path.with_extension("tests.toml");
    for (path, text) in [(path, obj(moving).as_str()), (&tests, TESTS)] {
        impinge_io::write_file(path, text.as_bytes()).map_err(io::Error::other)?;
    }
    if !quiet {
        let (path, tests) = (path.display(), tests.display());
        note(format_args!("\nModel and tests: impinge check {path} --test {tests}"));
    }
    Ok(())
}

/// The gearbox as the text of an OBJ file.
fn obj(moving: bool) -> String {
    let mut text = String::from("# Units: mm\n");
    let mut first = 1;
    for part in gearbox::parts(moving) {
        // Writing into a text does not fail.
        let _ = writeln!(text, "o {}", part.path);
        for [x, y, z] in &part.vertices {
            let _ = writeln!(text, "v {x} {y} {z}");
        }
        for face in &part.triangles {
            let [a, b, c] = face.map(|k| k + first);
            let _ = writeln!(text, "f {a} {b} {c}");
        }
        first += part.vertices.len() as u32;
    }
    text
}

/// The gearbox as a scene, as if it were read from a file.
pub(crate) fn scene(moving: bool) -> SceneData {
    let mut scene = SceneData {
        unit: Unit::Millimetre,
        unit_source: UnitSource::File,
        files: vec!["gearbox".to_string()],
        ..SceneData::default()
    };
    for part in gearbox::parts(moving) {
        let (node, name) = place(&mut scene, &part.path);
        scene.shapes.push(ShapeData::Mesh(MeshData {
            vertices: part.vertices,
            triangles: part.triangles,
            parts: Vec::new(),
        }));
        scene.parts.push(ScenePart {
            name,
            node,
            shape: scene.shapes.len() - 1,
            placement: Placement::IDENTITY,
            materials: Arc::default(),
            properties: Arc::default(),
            party: None,
            file: 0,
            unit: Unit::Millimetre,
        });
    }
    scene
}

/// The node of a path, which is made where it is missing, and the last name of the path.
fn place(scene: &mut SceneData, path: &str) -> (usize, String) {
    let mut parent = None;
    let mut last = String::new();
    for name in path.split('/') {
        let known = scene.nodes.iter().position(|node| node.name == name && node.parent == parent);
        parent = Some(known.unwrap_or_else(|| {
            scene.nodes.push(SceneNode { name: name.to_string(), parent });
            scene.nodes.len() - 1
        }));
        last = name.to_string();
    }
    (parent.unwrap_or(0), last)
}

#[cfg(test)]
mod tests {
    use super::scene;
    use impinge_clash::Model;

    #[test]
    fn every_part_is_a_sound_solid() {
        let model = Model::new(&scene(true));
        assert!(model.parts.len() >= 60 && model.left_out.is_empty(), "{}", model.parts.len());
        for part in &model.parts {
            let health = part.instance.mesh().health();
            assert!(health.is_solid(), "{}: {health}", part.path);
        }
    }
}
