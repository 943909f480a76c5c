//! Models in a folder of files, and what the folder is known by.

use crate::error::LabError;
use crate::file::checksum;
use crate::model::Model;
use std::fmt;
use std::path::{Path, PathBuf};

/// A folder of mesh files.
///
/// It is shown as its name and a checksum of the names and contents of its meshes: a folder of the same name with other models is another
/// one, and so is the same folder after a file was changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelFolder {
    path: PathBuf,
    checksum: u64,
}

impl ModelFolder {
    /// Looks at all its files; an error if it cannot be read.
    pub fn open(path: &Path) -> Result<Self, LabError> {
        let mut seen = Vec::new();
        for file in files(path)? {
            let Ok(bytes) = std::fs::read(&file) else { continue };
            if impinge_io::detect(&bytes, &file).is_ok() {
                let name = file.file_name().unwrap_or_default().as_encoded_bytes();
                seen.extend(checksum(name).to_le_bytes());
                seen.extend(checksum(&bytes).to_le_bytes());
            }
        }
        Ok(Self { path: path.into(), checksum: checksum(&seen) })
    }

    /// The models, by name. Files that are no meshes, and those of more than `largest` triangles, are left out.
    pub fn models(&self, largest: usize) -> Result<Vec<Model>, LabError> {
        let mut models = Vec::new();
        for path in files(&self.path)? {
            let Ok(data) = impinge_io::read(&path) else { continue };
            if (1..=largest).contains(&data.triangles.len()) {
                let name = path.file_stem().unwrap_or_default().to_string_lossy().into();
                models.push(Model { name, vertices: data.vertices, triangles: data.triangles });
            }
        }
        if models.is_empty() {
            let reason = format!("there is no mesh of at most {largest} triangles in this folder");
            return Err(LabError::file(&self.path, reason));
        }
        Ok(models)
    }
}

impl fmt::Display for ModelFolder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // `.` and `..` have no name of their own.
        let whole = self.path.canonicalize().unwrap_or_else(|_| self.path.clone());
        let name = whole.file_name().unwrap_or(whole.as_os_str()).to_string_lossy();
        write!(f, "{} {:016x}", name.replace(char::is_control, " "), self.checksum)
    }
}

/// The files of a folder, by name.
fn files(folder: &Path) -> Result<Vec<PathBuf>, LabError> {
    let entries = std::fs::read_dir(folder).map_err(|error| LabError::file(folder, error))?;
    let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    paths.retain(|path| path.is_file());
    paths.sort();
    Ok(paths)
}

#[cfg(test)]
mod tests {
    use super::*;

    const OFF: &str = "OFF 3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n";

    /// An empty folder that is removed at the end.
    struct Trial(PathBuf);

    impl Trial {
        fn new(name: &str) -> Self {
            let name = format!("impinge-lab-{name}-{}", std::process::id());
            let path = std::env::temp_dir().join(name);
            let _ = std::fs::remove_dir_all(&path);
            std::fs::create_dir_all(&path).unwrap();
            Self(path)
        }
    }

    impl Drop for Trial {
        fn drop(&mut self) {
            let _ = std::fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn folders_are_read_and_what_is_no_mesh_is_left_out() {
        let trial = Trial::new("models");
        std::fs::write(trial.0.join("b.off"), OFF).unwrap();
        std::fs::write(trial.0.join("a.txt"), "no mesh").unwrap();
        let folder = ModelFolder::open(&trial.0).unwrap();
        let models = folder.models(1).unwrap();
        assert_eq!(models.iter().map(|model| model.name.as_str()).collect::<Vec<_>>(), ["b"]);
        assert!(folder.models(0).is_err());
        drop(trial);
        assert!(folder.models(1).is_err() && ModelFolder::open(&folder.path).is_err());
    }

    #[test]
    fn a_folder_is_known_by_what_is_in_it() {
        let trial = Trial::new("known");
        let shown = |name: &str| ModelFolder::open(&trial.0.join(name)).unwrap().to_string();
        for name in ["a/scans", "b/scans"] {
            std::fs::create_dir_all(trial.0.join(name)).unwrap();
            std::fs::write(trial.0.join(name).join("one.off"), OFF).unwrap();
        }
        let first = shown("a/scans");
        assert!(first.starts_with("scans ") && first.len() == "scans ".len() + 16, "{first}");
        assert_eq!(first, shown("b/scans"), "the same models under the same name");
        assert_eq!(first, shown("b/scans/."));
        std::fs::write(trial.0.join("b/scans/notes.txt"), "no mesh").unwrap();
        assert_eq!(first, shown("b/scans"), "only meshes count");
        std::fs::write(trial.0.join("b/scans/one.off"), OFF.replace("0 1 0", "0 2 0")).unwrap();
        assert_ne!(first, shown("b/scans"), "a file was changed");
        std::fs::rename(trial.0.join("a/scans/one.off"), trial.0.join("a/scans/two.off")).unwrap();
        assert_ne!(first, shown("a/scans"), "a file has another name");
    }
}
