//! A folder of models: every file of a known format in it and below, by name.

use crate::error::{Error, ErrorKind, Place};
use crate::loader::Loader;
use crate::placement::Affine;
use crate::scene::{Bodies, Insertion, SceneData, Severity};
use crate::scene_format::{SceneFormat, by_extension};
use crate::unit::{Unit, UnitSource};
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// How deep folders are entered.
const DEEPEST: usize = 16;

/// Reads a folder.
///
/// Files are read in the order of their names, each under a node of its own; links to folders are not followed, so that there
/// are no circles. Robots and scene files are left out: they name other files of the same folder, and would show them twice.
pub(crate) fn read(
    loader: &Loader<'_>,
    path: &Path,
    unit: Option<Unit>,
) -> Result<SceneData, Error> {
    let name = path.display().to_string();
    let mut files = Vec::new();
    let mut scene = SceneData::default();
    list(path, 0, &mut files, &mut scene)?;
    if files.is_empty() {
        let known = SceneFormat::ALL.map(|format| format!(".{}", format.extension())).join(", ");
        let message = format!("the folder contains no model: supported extensions are {known}");
        return Err(Error::new(ErrorKind::UnknownFormat, Place::File, message).in_file(&name));
    }
    let label = path.file_name().map_or_else(|| name.clone(), |n| n.to_string_lossy().into_owned());
    let top = scene.add_node(label, None);
    combine(loader, scene, Some(top), &files, unit).map_err(|error| error.in_unnamed_file(&name))
}

/// Reads files into one scene. Each is below a node of its own name.
pub(crate) fn combine(
    loader: &Loader<'_>,
    mut scene: SceneData,
    top: Option<usize>,
    files: &[PathBuf],
    unit: Option<Unit>,
) -> Result<SceneData, Error> {
    let mut scenes = Vec::with_capacity(files.len());
    for file in files {
        scenes.push(loader.load(file, unit)?);
    }
    (scene.unit, scene.unit_source) = common_unit(&scenes);
    let mut bodies = Bodies::default();
    let labels = labels(files);
    for ((file, mut inner), label) in files.iter().zip(scenes).zip(labels) {
        let factor = inner.unit.in_unit(scene.unit);
        let taken = scene.take_over(&mut inner);
        // A file of one mesh has a node of its own name already.
        let mut roots = inner.nodes.iter().filter(|node| node.parent.is_none());
        let flat = roots.next().is_some_and(|root| root.name == label) && roots.next().is_none();
        loader.budget.parts(1, label.len())?;
        let node = scene.add_node(label, top);
        let map = Affine::scaling([factor; 3]);
        let file = file.display().to_string();
        let insertion = Insertion {
            node,
            flat,
            map: &map,
            bodies: &mut bodies,
            budget: &loader.budget,
            file: &file,
        };
        scene.insert(&inner, taken, insertion, |_| {})?;
    }
    Ok(scene)
}

/// Names for files: without their extensions, unless two are alike then.
fn labels(files: &[PathBuf]) -> Vec<String> {
    let text = |part: Option<&std::ffi::OsStr>| {
        part.map_or_else(String::new, |name| name.to_string_lossy().into_owned())
    };
    let mut counts: HashMap<String, usize> = HashMap::new();
    for file in files {
        *counts.entry(text(file.file_stem())).or_default() += 1;
    }
    let label = |file: &PathBuf| match text(file.file_stem()) {
        stem if counts.get(&stem) == Some(&1) => stem,
        _ => text(file.file_name()),
    };
    files.iter().map(label).collect()
}

/// The unit of all, if they agree; metres otherwise. What was only assumed counts least.
fn common_unit(scenes: &[SceneData]) -> (Unit, UnitSource) {
    let first = scenes.first().map(|scene| scene.unit).unwrap_or_default();
    let same = scenes.iter().all(|scene| scene.unit == first);
    let unit = if same { first } else { Unit::Metre };
    let has = |source| scenes.iter().any(|scene| scene.unit_source == source);
    let source = if has(UnitSource::Assumed) {
        UnitSource::Assumed
    } else if has(UnitSource::Given) {
        UnitSource::Given
    } else {
        UnitSource::File
    };
    (unit, source)
}

fn list(
    folder: &Path,
    depth: usize,
    files: &mut Vec<PathBuf>,
    scene: &mut SceneData,
) -> Result<(), Error> {
    let name = folder.display().to_string();
    let fault = |error| Error::io("list", error).in_file(&name);
    let mut entries = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(fault)? {
        let entry = entry.map_err(fault)?;
        entries.push((entry.file_name(), entry.file_type().map_err(fault)?));
    }
    entries.sort_by(|a, b| a.0.cmp(&b.0));
    for (entry, kind) in entries {
        if entry.to_string_lossy().starts_with('.') {
            continue;
        }
        let path = folder.join(&entry);
        if kind.is_dir() {
            if depth + 1 < DEEPEST {
                list(&path, depth + 1, files, scene)?;
            } else {
                scene.warn(&name, format!("folders more than {DEEPEST} levels deep are left out"));
            }
            continue;
        }
        match by_extension(&path) {
            Some(format @ (SceneFormat::Urdf | SceneFormat::Toml)) => {
                let message = format!(
                    "a {} in the folder is left out: name the file itself to read it",
                    format.name()
                );
                scene.note(Severity::Note, &path.display().to_string(), message);
            }
            Some(_) => files.push(path),
            None => scene.note(Severity::Note, &name, "files in other formats are left out"),
        }
    }
    Ok(())
}
