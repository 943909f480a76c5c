//! One entry for all files: the format is told, the reader called, and files that name files are followed.

use crate::budget::Budget;
use crate::error::{Error, ErrorKind, Place};
use crate::options::Options;
use crate::scene::SceneData;
use crate::scene_format::{SceneFormat, detect_scene};
use crate::unit::{Unit, UnitSource};
use crate::{folder, gltf, single};
use std::cell::RefCell;
use std::path::{Path, PathBuf};

/// How deep scene files may name each other.
const DEEPEST: usize = 32;

/// Reads a scene: a file of any format of [`SceneFormat`], told by content and then by extension, or a folder of them.
///
/// Instances share one shape. What is not read is in [`SceneData::notes`]; what is damaged is refused.
///
/// ```no_run
/// let scene = impinge_io::read_scene("plant.glb", &impinge_io::Options::default())?;
/// println!("{} parts, in {}", scene.parts.len(), scene.unit);
/// # Ok::<(), impinge_io::Error>(())
/// ```
pub fn read_scene(path: impl AsRef<Path>, options: &Options) -> Result<SceneData, Error> {
    let path = path.as_ref();
    let loader = Loader::new(options, true);
    let mut scene = loader.load(path, loader.options.unit)?;
    warn_of_assumed_unit(&mut scene, &path.display().to_string());
    Ok(scene)
}

/// Reads a scene from bytes; `name` is what errors call the file. No other file is read: one that names others is refused.
///
/// ```
/// use impinge_io::{Options, SceneFormat, Unit, parse_scene};
/// let text = b"# unit: mm\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
/// let scene = parse_scene(text, SceneFormat::Obj, "plate.obj", &Options::default())?;
/// assert_eq!((scene.parts[0].name.as_str(), scene.unit), ("plate", Unit::Millimetre));
/// # Ok::<(), impinge_io::Error>(())
/// ```
pub fn parse_scene(
    bytes: &[u8],
    format: SceneFormat,
    name: &str,
    options: &Options,
) -> Result<SceneData, Error> {
    let loader = Loader::new(options, false);
    loader.budget.add_bytes(bytes.len());
    let mut scene = loader.parse(bytes, format, Path::new(name), options.unit)?;
    warn_of_assumed_unit(&mut scene, name);
    Ok(scene)
}

fn warn_of_assumed_unit(scene: &mut SceneData, name: &str) {
    if scene.unit_source == UnitSource::Assumed {
        let message = "no unit is stated: metres are assumed; give the unit if it is another";
        scene.warn(name, message);
    }
}

/// What all readers of one scene share.
pub(crate) struct Loader<'o> {
    pub(crate) options: &'o Options,
    pub(crate) budget: Budget,
    /// May other files be read?
    disk: bool,
    /// The files that are being read, each named by the one before it.
    open: RefCell<Vec<PathBuf>>,
}

impl<'o> Loader<'o> {
    fn new(options: &'o Options, disk: bool) -> Self {
        Self { options, budget: Budget::default(), disk, open: RefCell::default() }
    }

    /// Reads a file or folder; the unit is that of its coordinates, if it is known better than the file knows.
    pub(crate) fn load(&self, path: &Path, unit: Option<Unit>) -> Result<SceneData, Error> {
        let name = path.display().to_string();
        let whole =
            std::fs::canonicalize(path).map_err(|error| Error::io("read", error).in_file(&name))?;
        if self.open.borrow().contains(&whole) {
            let message =
                "it names itself, through other files or directly: take one of the references out";
            return Err(Error::new(ErrorKind::Malformed, Place::File, message).in_file(&name));
        }
        if self.open.borrow().len() >= DEEPEST {
            let message =
                format!("scene files name each other {DEEPEST} levels deep: flatten them");
            return Err(Error::new(ErrorKind::TooMany, Place::File, message).in_file(&name));
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

    /// The bytes of a file beside others, or why it cannot be read.
    pub(crate) fn fetch(&self, path: &Path) -> Result<Vec<u8>, Error> {
        let name = path.display().to_string();
        if !self.disk {
            let message = "it is another file, and here only one is read";
            return Err(Error::new(ErrorKind::Unsupported, Place::File, message).in_file(&name));
        }
        let fault = |error| Error::io("read", error).in_file(&name);
        // Pipes and devices may never end.
        if !std::fs::metadata(path).map_err(fault)?.is_file() {
            let message = "it is neither a file nor a folder: copy what it gives into a file";
            return Err(Error::new(ErrorKind::Io, Place::File, message).in_file(&name));
        }
        let bytes = std::fs::read(path).map_err(fault)?;
        self.budget.add_bytes(bytes.len());
        Ok(bytes)
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
            SceneFormat::Urdf | SceneFormat::Collada | SceneFormat::Toml => {
                let message = format!("{} files are not read: export it as GLB", format.name());
                Err(Error::new(ErrorKind::Unsupported, Place::File, message))
            }
        };
        let mut scene = scene.map_err(|error| error.in_unnamed_file(&name))?;
        settle_unit(&mut scene, unit, &name);
        Ok(scene)
    }
}

/// Gives a scene the unit that was told, and says where that is not what the file says.
fn settle_unit(scene: &mut SceneData, given: Option<Unit>, name: &str) {
    if let Some(unit) = given {
        if scene.unit_source == UnitSource::File && scene.unit != unit {
            let message = format!(
                "the unit was given as {unit}, and the file's own is {}: the one that was given counts",
                scene.unit
            );
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
