//! The models of a folder: files that hold assemblies, robots, and folders of meshes.

use std::path::{Path, PathBuf};

/// A model and the name of its case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Model {
    pub name: String,
    /// A file or a folder, as `impinge check` takes it.
    pub path: PathBuf,
}

const ROBOTS: [&str; 1] = ["urdf"];
const ASSEMBLIES: [&str; 4] = ["glb", "gltf", "dae", "toml"];
const MESHES: [&str; 4] = ["stl", "obj", "ply", "off"];

/// Whether the file's extension is one of these, regardless of case.
pub fn has_extension(path: &Path, known: &[&str]) -> bool {
    let extension = path.extension().unwrap_or_default().to_ascii_lowercase();
    known.iter().any(|known| extension == *known)
}

/// The models of a folder, by name: its robots and nothing else if it has some, else its assemblies, its meshes, each for itself, and
/// what is in the folders below it. Of these, one that holds nothing but meshes is one assembly.
pub fn find(folder: &Path) -> Result<Vec<Model>, String> {
    let (files, folders) = entries(folder)?;
    let robots: Vec<Model> = named(&files, &ROBOTS);
    let mut models = if robots.is_empty() {
        let mut models = named(&files, &ASSEMBLIES);
        models.extend(named(&files, &MESHES));
        for below in folders {
            models.extend(below_top(&below)?);
        }
        models
    } else {
        robots
    };
    models.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(models)
}

fn below_top(folder: &Path) -> Result<Vec<Model>, String> {
    let (files, _) = entries(folder)?;
    for known in [&ROBOTS[..], &ASSEMBLIES] {
        let found = named(&files, known);
        if !found.is_empty() {
            return Ok(found);
        }
    }
    let whole = Model { name: stem(folder), path: folder.to_path_buf() };
    let is_assembly = !named(&files, &MESHES).is_empty();
    Ok(is_assembly.then_some(whole).into_iter().collect())
}

/// The files and the folders in a folder, by name.
fn entries(folder: &Path) -> Result<(Vec<PathBuf>, Vec<PathBuf>), String> {
    let read = std::fs::read_dir(folder);
    let read = read.map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut paths: Vec<PathBuf> = read.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    Ok(paths.into_iter().partition(|path| path.is_file()))
}

fn named(files: &[PathBuf], known: &[&str]) -> Vec<Model> {
    let chosen = files.iter().filter(|path| has_extension(path, known));
    chosen.map(|path| Model { name: stem(path), path: path.clone() }).collect()
}

fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn robots_assemblies_and_folders_of_meshes_are_models() {
        let top = std::env::temp_dir().join(format!("versus-{}-models", std::process::id()));
        let files = [
            "watch.GLB",
            "notes.txt",
            "arm/arm.urdf",
            "arm/hand.stl",
            "cell/wall.obj",
            "cell/robot.obj",
            "halls/east.glb",
            "halls/west.glb",
            "halls/door.stl",
            "texts/readme.md",
        ];
        for file in files {
            let path = top.join(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, "").unwrap();
        }
        let found = find(&top).unwrap();
        let arm = find(&top.join("arm")).unwrap();
        std::fs::remove_dir_all(&top).unwrap();
        let paths: Vec<_> = found
            .iter()
            .map(|model| model.path.strip_prefix(&top).unwrap().to_path_buf())
            .collect();
        let expected = ["arm/arm.urdf", "cell", "halls/east.glb", "watch.GLB", "halls/west.glb"];
        assert_eq!(paths, expected.map(PathBuf::from));
        assert_eq!(arm.len(), 1, "a robot's meshes are no models of their own");
    }
}
