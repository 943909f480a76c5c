//! The entry for all files: detects the format, calls the reader, and follows references to other files.

use crate::budget::Budget;
use crate::error::{Error, ErrorKind, Place};
use crate::input::read_file;
use crate::options::LoadOptions;
use crate::scene::SceneData;
use crate::scene_format::{SceneFormat, detect_scene};
use crate::unit::{Unit, UnitSource};
use crate::{assembly, collada, folder, gltf, single, urdf};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// How deep scene files may name each other.
const DEEPEST: usize = 32;

/// Reads a scene: a file of any [`SceneFormat`], detected by content and then by extension, or a folder of them.
///
/// Instances share one shape. What is not read is listed in [`SceneData::notes`]; damaged files are rejected.
///
/// ```no_run
/// let scene = impinge_io::read_scene("plant.glb", &impinge_io::LoadOptions::default())?;
/// println!("{} parts, in {}", scene.parts.len(), scene.unit);
/// # Ok::<(), impinge_io::Error>(())
/// ```
pub fn read_scene(path: impl AsRef<Path>, options: &LoadOptions) -> Result<SceneData, Error> {
    let path = path.as_ref();
    let loader = Loader::new(options, true);
    let mut scene = loader.load(path, loader.options.unit)?;
    warn_of_assumed_unit(&mut scene, &path.display().to_string());
    Ok(scene)
}

/// Parses a scene from bytes; `name` is the file name in errors. No other file is read: one that refers to others is rejected.
///
/// ```
/// use impinge_io::{LoadOptions, SceneFormat, Unit, parse_scene};
/// let text = b"# unit: mm\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
/// let scene = parse_scene(text, SceneFormat::Obj, "plate.obj", &LoadOptions::default())?;
/// assert_eq!((scene.parts[0].name.as_str(), scene.unit), ("plate", Unit::Millimetre));
/// # Ok::<(), impinge_io::Error>(())
/// ```
pub fn parse_scene(
    bytes: &[u8],
    format: SceneFormat,
    name: &str,
    options: &LoadOptions,
) -> Result<SceneData, Error> {
    let loader = Loader::new(options, false);
    loader.budget.add_bytes(bytes.len());
    let mut scene = loader.parse(bytes, format, Path::new(name), options.unit)?;
    warn_of_assumed_unit(&mut scene, name);
    Ok(scene)
}

/// Reads several scenes as one: each under a node of its own name, in the unit that they share, else in metres.
///
/// ```no_run
/// let options = impinge_io::LoadOptions::default();
/// let scene = impinge_io::read_scenes(&["walls.glb", "pipes.glb"], &options)?;
/// # Ok::<(), impinge_io::Error>(())
/// ```
pub fn read_scenes(paths: &[impl AsRef<Path>], options: &LoadOptions) -> Result<SceneData, Error> {
    if let [path] = paths {
        return read_scene(path, options);
    }
    let loader = Loader::new(options, true);
    let files: Vec<PathBuf> = paths.iter().map(|path| path.as_ref().to_path_buf()).collect();
    let mut scene = folder::combine(&loader, SceneData::default(), None, &files, options.unit)?;
    let names: Vec<String> = files.iter().map(|path| path.display().to_string()).collect();
    warn_of_assumed_unit(&mut scene, &names.join(", "));
    Ok(scene)
}

fn warn_of_assumed_unit(scene: &mut SceneData, name: &str) {
    if scene.unit_source == UnitSource::Assumed {
        let message = "no unit is stated: metres are assumed; set the unit if that is wrong";
        scene.warn(name, message);
    }
}

/// What all readers of one scene share.
pub(crate) struct Loader<'o> {
    pub(crate) options: &'o LoadOptions,
    pub(crate) budget: Budget,
    /// May other files be read?
    disk: bool,
    /// The files that are being read, each named by the one before it.
    open: RefCell<Vec<PathBuf>>,
    /// The folder of the first of them, with all links followed: what it names must be in it.
    folder: RefCell<PathBuf>,
    /// The positions of joints for the file that is read now, where the file that names it states them.
    joints: RefCell<Option<BTreeMap<String, f64>>>,
}

impl<'o> Loader<'o> {
    fn new(options: &'o LoadOptions, disk: bool) -> Self {
        Self {
            options,
            budget: Budget::default(),
            disk,
            open: RefCell::default(),
            folder: RefCell::default(),
            joints: RefCell::default(),
        }
    }

    /// Reads a file or folder; the unit is that of its coordinates, if it is known better than the file knows.
    pub(crate) fn load(&self, path: &Path, unit: Option<Unit>) -> Result<SceneData, Error> {
        let name = path.display().to_string();
        let whole =
            std::fs::canonicalize(path).map_err(|error| Error::io("read", error).in_file(&name))?;
        if self.open.borrow().contains(&whole) {
            let message =
                "it includes itself, directly or through other files: remove one of the references";
            return Err(Error::new(ErrorKind::Malformed, Place::File, message).in_file(&name));
        }
        if self.open.borrow().len() >= DEEPEST {
            let message = format!("scene files are nested {DEEPEST} levels deep: flatten them");
            return Err(Error::new(ErrorKind::TooMany, Place::File, message).in_file(&name));
        }
        if self.open.borrow().is_empty() {
            *self.folder.borrow_mut() = own_folder(&whole);
        } else {
            self.check_inside(&whole, &name)?;
        }
        self.open.borrow_mut().push(whole);
        let scene = if path.is_dir() {
            folder::read(self, path, unit)
        } else {
            self.fetch(path).and_then(|bytes| {
                let format = detect_scene(&bytes, path)?;
                self.parse(&bytes, format, path, unit)
            })
        };
        self.open.borrow_mut().pop();
        scene
    }

    /// True while the file is read that was asked for, and not one that it names.
    pub(crate) fn is_outermost(&self) -> bool {
        self.open.borrow().len() <= 1
    }

    /// Reads a mesh file that a robot names: a single mesh, or a scene without links of its own.
    pub(crate) fn load_mesh(&self, path: &Path) -> Result<SceneData, Error> {
        let scene = self.load(path, None)?;
        if scene.joints.is_empty() {
            return Ok(scene);
        }
        let message = "it is a robot, but a mesh is needed here: correct the name";
        let error = Error::new(ErrorKind::Unsupported, Place::File, message);
        Err(error.in_file(&path.display().to_string()))
    }

    /// Reads a file or folder, with positions of joints that go before those of the options.
    pub(crate) fn load_with_joints(
        &self,
        path: &Path,
        unit: Option<Unit>,
        joints: Option<BTreeMap<String, f64>>,
    ) -> Result<SceneData, Error> {
        // A robot without positions of its own stands at zero, not where those of another are.
        let before = self.joints.replace(Some(joints.unwrap_or_default()));
        let scene = self.load(path, unit);
        self.joints.replace(before);
        scene
    }

    /// The positions of joints.
    pub(crate) fn joints(&self) -> BTreeMap<String, f64> {
        self.joints.borrow().clone().unwrap_or_else(|| self.options.joints.clone())
    }

    /// The bytes of a file that another names, or why it cannot be read.
    pub(crate) fn fetch(&self, path: &Path) -> Result<Vec<u8>, Error> {
        let name = path.display().to_string();
        self.check_disk(&name)?;
        let whole =
            std::fs::canonicalize(path).map_err(|error| Error::io("read", error).in_file(&name))?;
        self.check_inside(&whole, &name)?;
        let bytes = read_file(path)?;
        self.budget.add_bytes(bytes.len());
        Ok(bytes)
    }

    /// Refuses what is not in the folder of the model: its author may not choose among the files of whoever reads it.
    fn check_inside(&self, whole: &Path, name: &str) -> Result<(), Error> {
        let folder = self.folder.borrow();
        // The file that was asked for is in no folder of another.
        let is_own = self.open.borrow().first().is_none_or(|first| first == whole);
        if self.options.allow_outside || is_own || whole.starts_with(&*folder) {
            return Ok(());
        }
        let given = |package: &PathBuf| {
            std::fs::canonicalize(package).is_ok_and(|package| whole.starts_with(package))
        };
        if self.options.packages.iter().any(given) {
            return Ok(());
        }
        let message = format!(
            "{} is outside the model's folder {}: put it there, or use --allow-outside if you trust the model",
            whole.display(),
            folder.display()
        );
        Err(Error::new(ErrorKind::Unsupported, Place::File, message).in_file(name))
    }

    /// Is there such a file, and may it be read?
    pub(crate) fn has_file(&self, path: &Path) -> bool {
        self.disk && path.is_file()
    }

    fn check_disk(&self, name: &str) -> Result<(), Error> {
        if self.disk {
            return Ok(());
        }
        let message = "it is another file, and here only one is read";
        Err(Error::new(ErrorKind::Unsupported, Place::File, message).in_file(name))
    }

    fn parse(
        &self,
        bytes: &[u8],
        format: SceneFormat,
        path: &Path,
        unit: Option<Unit>,
    ) -> Result<SceneData, Error> {
        let name = path.display().to_string();
        let scene = match format {
            SceneFormat::Stl | SceneFormat::Obj | SceneFormat::Ply | SceneFormat::Off => {
                single::parse(self, bytes, format, path)
            }
            SceneFormat::Gltf | SceneFormat::Glb => gltf::parse(self, bytes, format, path),
            SceneFormat::Urdf => urdf::parse(self, bytes, path),
            SceneFormat::Toml => assembly::parse(self, bytes, path, unit),
            SceneFormat::Collada => collada::parse(self, bytes, path),
        };
        let mut scene = scene.map_err(|error| error.in_unnamed_file(&name))?;
        settle_unit(&mut scene, unit, &name);
        Ok(scene)
    }
}

/// Folders that a robot's package may be above its file.
const PACKAGE_ABOVE: usize = 4;

/// The folder that a model may read: its own. Of a file in a ROS package, which names its meshes from the top, it is the package's.
fn own_folder(whole: &Path) -> PathBuf {
    if whole.is_dir() {
        return whole.to_path_buf();
    }
    let folders = whole.ancestors().skip(1).take(PACKAGE_ABOVE);
    let package = folders.filter(|folder| folder.join("package.xml").is_file()).last();
    package.or(whole.parent()).unwrap_or(Path::new("/")).to_path_buf()
}

/// Gives a scene the unit that was told, and says where that is not what the file says.
fn settle_unit(scene: &mut SceneData, given: Option<Unit>, name: &str) {
    if let Some(unit) = given {
        if scene.unit_source == UnitSource::File && scene.unit != unit {
            let message = format!("unit {unit} overrides {} from the file", scene.unit);
            scene.warn(name, message);
        }
        for part in &mut scene.parts {
            if part.unit == scene.unit {
                part.unit = unit;
            }
        }
        scene.unit = unit;
        scene.unit_source = UnitSource::Given;
    }
}
