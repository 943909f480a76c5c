//! The files of `testdata/io`, each with the message by which it is refused or the scene that it gives, as `cases.toml` there
//! states.
//!
//! A case has `file`, relative to the folder, and `what` is odd about it. It may have what the reader is told: `unit`, `joints`,
//! `geometry`. Then either `error`, the whole message, or what must come out: the paths of the `parts`, how many `shapes` and
//! `triangles`, the smallest and largest coordinates `low` and `high` of what is placed, its unit `in`, and all `notes`.

mod generate;

use impinge_io::{LoadOptions, RobotGeometry, SceneData, read_scene};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use toml::de::{DeTable, DeValue};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/io")
}

fn text(value: &DeValue<'_>) -> String {
    value.as_str().unwrap().to_string()
}

fn number(value: &DeValue<'_>) -> f64 {
    let text = value.as_float().map(|float| float.as_str());
    text.or_else(|| value.as_integer().map(|integer| integer.as_str())).unwrap().parse().unwrap()
}

fn list<T>(value: &DeValue<'_>, item: impl Fn(&DeValue<'_>) -> T) -> Vec<T> {
    value.as_array().unwrap().iter().map(|value| item(value.get_ref())).collect()
}

fn options(case: &DeTable<'_>) -> LoadOptions {
    // The folders of the cases share some files.
    let mut options = LoadOptions { allow_outside: true, ..LoadOptions::default() };
    if let Some(unit) = case.get("unit") {
        options.unit = Some(text(unit.get_ref()).parse().unwrap());
    }
    if let Some(joints) = case.get("joints") {
        for (name, value) in joints.get_ref().as_table().unwrap().iter() {
            options.joints.insert(name.get_ref().to_string(), number(value.get_ref()));
        }
    }
    if case.contains_key("geometry") {
        options.robot_geometry = RobotGeometry::Visual;
    }
    options
}

/// The box about all placed vertices.
fn extents(scene: &SceneData) -> [[f64; 3]; 2] {
    let (mut low, mut high) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
    for part in &scene.parts {
        for vertex in &scene.shapes[part.shape].to_mesh().vertices {
            let placed = part.placement.map(*vertex);
            for axis in 0..3 {
                low[axis] = low[axis].min(placed[axis]);
                high[axis] = high[axis].max(placed[axis]);
            }
        }
    }
    [low, high]
}

/// What a reader says, with the folder taken out of it.
fn without_folder(message: &str) -> String {
    message
        .replace(&format!("{}/", folder().display()), "")
        .replace(&folder().display().to_string(), "")
}

#[track_caller]
fn check_scene(file: &str, scene: &SceneData, case: &DeTable<'_>) {
    let get = |key: &str| case.get(key).unwrap_or_else(|| panic!("{file}: no {key}")).get_ref();
    let paths: Vec<_> = (0..scene.parts.len()).map(|part| scene.part_path(part)).collect();
    assert_eq!(paths, list(get("parts"), text), "{file}");
    assert_eq!(scene.shapes.len() as f64, number(get("shapes")), "{file}: shapes");
    assert_eq!(scene.triangle_count() as f64, number(get("triangles")), "{file}: triangles");
    assert_eq!(scene.unit.to_string(), text(get("in")), "{file}");
    let notes: Vec<_> = scene.notes.iter().map(|note| without_folder(&note.to_string())).collect();
    assert_eq!(notes, list(get("notes"), text), "{file}");
    if !scene.parts.is_empty() {
        for (found, key) in extents(scene).iter().zip(["low", "high"]) {
            for (found, expected) in found.iter().zip(list(get(key), number)) {
                assert!(
                    (found - expected).abs() <= 1e-6 * (1.0 + expected.abs()),
                    "{file}: {key} {found}"
                );
            }
        }
    }
    let sound = scene.shapes.len();
    assert!(
        scene.parts.iter().all(|part| part.shape < sound && part.node < scene.nodes.len()),
        "{file}"
    );
}

#[test]
fn every_file_gives_what_its_case_states() {
    let text_of_cases = std::fs::read_to_string(folder().join("cases.toml")).unwrap();
    let root = DeTable::parse(&text_of_cases).unwrap();
    let cases = root.get_ref().get("case").unwrap().get_ref().as_array().unwrap();
    let (mut refused, mut accepted) = (0, 0);
    for case in cases.iter() {
        let case = case.get_ref().as_table().unwrap();
        let file = text(case.get("file").unwrap().get_ref());
        let scene = read_scene(folder().join(&file), &options(case));
        match (case.get("error"), scene) {
            (Some(expected), Err(error)) => {
                assert_eq!(without_folder(&error.to_string()), text(expected.get_ref()), "{file}");
                refused += 1;
            }
            (None, Ok(scene)) => {
                check_scene(&file, &scene, case);
                accepted += 1;
            }
            (Some(_), Ok(_)) => panic!("{file} is refused"),
            (None, Err(error)) => panic!("{file} is accepted, not: {error}"),
        }
    }
    assert!(refused >= 60 && accepted >= 40, "{refused} refused, {accepted} accepted");
}

/// Files that others name, and which are no cases of their own.
const BESIDE: [&str; 6] = [
    "cases.toml",
    "gltf/a buffer.bin",
    "urdf/package/meshes/tetra.obj",
    "toml/circle_b.toml",
    "folder/",
    "text_only/",
];

#[test]
fn every_file_has_a_case() {
    let cases = std::fs::read_to_string(folder().join("cases.toml")).unwrap();
    let mut waiting = vec![folder()];
    let mut missing = BTreeSet::new();
    while let Some(here) = waiting.pop() {
        for entry in std::fs::read_dir(here).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                waiting.push(path);
                continue;
            }
            let name = path.strip_prefix(folder()).unwrap().display().to_string();
            let beside = BESIDE.iter().any(|beside| name.starts_with(beside));
            if !beside && !cases.contains(&format!("file = \"{name}\"")) {
                missing.insert(name);
            }
        }
    }
    assert!(missing.is_empty(), "{missing:?}");
}
