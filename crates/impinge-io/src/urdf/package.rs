//! Where the files are that a robot names.

use crate::options::LoadOptions;
use std::path::{Path, PathBuf};

/// How many folders above the robot's own are searched for packages.
const ABOVE: usize = 12;

/// The places where a file may be, in the order of search.
///
/// `package://NAME/rest`, and Gazebo's `model://NAME/rest`, is `rest` in a folder called NAME: among the given folders, or in one of
/// them, or the same with the folders above the robot. Last, `rest` itself below one of those, for folders that were renamed.
/// Anything else is relative to the robot's folder.
pub(super) fn candidates(uri: &str, robot: &Path, options: &LoadOptions) -> Vec<PathBuf> {
    let folder = robot.parent().unwrap_or(Path::new(""));
    let packaged = ["package://", "model://"].iter().find_map(|scheme| uri.strip_prefix(scheme));
    let Some(inside) = packaged else {
        let plain = uri.strip_prefix("file://").unwrap_or(uri);
        return vec![folder.join(plain)];
    };
    let (name, rest) = inside.split_once('/').unwrap_or((inside, ""));
    let mut above = Vec::new();
    let whole = std::path::absolute(folder).unwrap_or_else(|_| folder.to_path_buf());
    let mut here = folder.to_path_buf();
    for ancestor in whole.ancestors().take(ABOVE) {
        above.push((here.clone(), ancestor.to_path_buf()));
        // Stays relative where the robot was named so, for shorter messages.
        here = match here.parent() {
            Some(parent) if parent != Path::new("") && !here.ends_with("..") => {
                parent.to_path_buf()
            }
            _ => ancestor.parent().unwrap_or(ancestor).to_path_buf(),
        };
    }
    let given = options.packages.iter().map(|folder| {
        let whole = std::path::absolute(folder).unwrap_or_else(|_| folder.clone());
        (folder.clone(), whole)
    });
    let folders: Vec<(PathBuf, PathBuf)> = given.chain(above).collect();
    let mut found = Vec::new();
    for (folder, whole) in &folders {
        if whole.file_name().is_some_and(|last| last == name) {
            found.push(folder.join(rest));
        }
        found.push(folder.join(name).join(rest));
    }
    found.extend(folders.iter().map(|(folder, _)| folder.join(rest)));
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn given_folders_come_first_then_those_above() {
        let options = LoadOptions {
            packages: vec![PathBuf::from("/lib/arm"), "/ros".into()],
            ..LoadOptions::default()
        };
        let found =
            candidates("package://arm/meshes/a.stl", Path::new("/x/arm/urdf/arm.urdf"), &options);
        let found: Vec<_> = found.iter().map(|path| path.to_str().unwrap()).collect();
        assert_eq!(
            found[..3],
            ["/lib/arm/meshes/a.stl", "/lib/arm/arm/meshes/a.stl", "/ros/arm/meshes/a.stl"]
        );
        assert!(
            found.contains(&"/x/arm/meshes/a.stl") && found.contains(&"/x/arm/arm/meshes/a.stl")
        );
        assert!(found.contains(&"/meshes/a.stl"));
    }

    #[test]
    fn plain_names_are_relative_to_the_robot() {
        let find = |uri| candidates(uri, Path::new("dir/r.urdf"), &LoadOptions::default());
        assert_eq!(find("meshes/a.stl"), [Path::new("dir/meshes/a.stl")]);
        assert_eq!(find("file:///tmp/a.stl"), [Path::new("/tmp/a.stl")]);
    }
}
