//! Scene files: which models stand where, in TOML.
//!
//! ```toml
//! unit = "mm"                       # of the numbers here, and of the scene; metres if it is left out
//!
//! [[part]]
//! file = "housing.stl"              # beside this file; any model, also another scene file
//! unit = "mm"                       # of that file, if it does not say; the scene's if that is left out too
//! name = "housing"
//! party = "casting"                 # who is responsible for it
//! material = "aluminium"
//! properties = { drawing = "A-12" }
//!
//! [[part]]
//! box = [10, 20, 5]                 # or: sphere = RADIUS, or: cylinder = { radius = 4, length = 30 }
//! name = "key"
//! translation = [0, 0, 12.5]
//! rotation = { axis = [0, 0, 1], degrees = 90 }    # or a quaternion [w, x, y, z]
//! scale = 1.0
//!
//! [[part]]
//! file = "bolt.obj"
//! places = [{ translation = [5, 0, 0] }, { translation = [-5, 0, 0] }]
//!
//! [[part]]
//! file = "arm.urdf"
//! joints = { elbow = 1.2 }          # radians or metres
//! ```
//!
//! `variant.rs` has the variants of a scene. `table.rs` reads values with their lines. Unknown keys are rejected: a typo must not go unnoticed.

mod table;
mod variant;

use crate::error::{Error, ErrorKind};
use crate::loader::Loader;
use crate::placement::{Affine, IDENTITY};
use crate::scene::{Bodies, Insertion, SceneData, ScenePart, ShapeData, Taken};
use crate::text::quoted;
use crate::unit::{Unit, UnitSource};
use crate::xml;
use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use table::{Source, Table};
use variant::Variants;

const KEYS: [&str; 4] = ["unit", "part", "name", "variant"];
/// What a part is: one of these.
const SHAPE_KEYS: [&str; 4] = ["file", "box", "sphere", "cylinder"];
const PART_KEYS: [&str; 15] = [
    "file",
    "box",
    "sphere",
    "cylinder",
    "name",
    "unit",
    "party",
    "material",
    "properties",
    "joints",
    "places",
    "translation",
    "rotation",
    "scale",
    "hidden",
];
const PLACE_KEYS: [&str; 4] = ["name", "translation", "rotation", "scale"];

/// Reads a scene file.
pub(crate) fn parse(
    loader: &Loader<'_>,
    bytes: &[u8],
    path: &Path,
    given: Option<Unit>,
) -> Result<SceneData, Error> {
    let source = Source::new(xml::text(bytes)?);
    let root = source.parse()?;
    let root = source.table(&root);
    root.check_keys(&KEYS)?;
    let stated = root.unit("unit")?;
    let name = path.display().to_string();
    let mut scene = SceneData {
        files: vec![name.clone()],
        unit: given.or(stated).unwrap_or_default(),
        unit_source: UnitSource::File,
        ..SceneData::default()
    };
    if let (Some(given), Some(stated)) = (given, stated)
        && given != stated
    {
        scene.warn(&name, format!("unit {given} overrides {stated} from the scene file"));
    }
    let stem =
        path.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
    let label = root.text("name")?.filter(|name| !name.is_empty()).unwrap_or(stem);
    let top = scene.add_node(label, None);
    let mut reader =
        Reader { loader, path, file: &name, top, bodies: Bodies::default(), read: HashMap::new() };
    let parts = root.tables("part")?;
    let variants = Variants::new(&root)?;
    if parts.is_empty() && variants.names.is_empty() {
        let message = "the scene file has no `[[part]]`: add one for each model";
        return Err(root.error(ErrorKind::Malformed, message));
    }
    // Scene files that this one names have no variants to choose from.
    let chosen = loader.options.variant.as_ref().filter(|_| loader.is_outermost());
    if let Some(name) = chosen
        && !variants.names.contains(name)
    {
        let known = match variants.names.as_slice() {
            [] => "it has none".to_string(),
            names => format!("it has {}", names.join(", ")),
        };
        let message = format!("there is no variant {}: {known}", quoted(name.as_bytes()));
        return Err(root.error(ErrorKind::Unsupported, message));
    }
    let tables = variants.parts(&parts, chosen.map_or("", String::as_str))?;
    for (entries, start) in &tables {
        reader.part(&Table::made(&source, entries, *start), &mut scene)?;
    }
    scene.variant = chosen.cloned();
    scene.variants = variants.names;
    Ok(scene)
}

/// A file that was read: what is left of its scene, and where its shapes went.
type Known = (SceneData, Taken);
/// What a file was read for: the same file may be read again in another unit or with other joints.
type Request = (PathBuf, Option<Unit>, Vec<(String, u64)>);

struct Reader<'a> {
    loader: &'a Loader<'a>,
    path: &'a Path,
    file: &'a str,
    top: usize,
    bodies: Bodies,
    read: HashMap<Request, Known>,
}

/// What a part says about itself, whatever it is made of.
struct About {
    name: Option<String>,
    party: Option<Arc<str>>,
    materials: Option<Arc<[String]>>,
    properties: Arc<BTreeMap<String, String>>,
}

impl Reader<'_> {
    fn part(&mut self, part: &Table<'_>, scene: &mut SceneData) -> Result<(), Error> {
        part.check_keys(&PART_KEYS)?;
        if part.flag("hidden")? {
            scene.note(crate::scene::Severity::Note, self.file, "a hidden part is left out");
            return Ok(());
        }
        let about = About {
            name: part.text("name")?.filter(|name| !name.is_empty()),
            party: part.text("party")?.map(Arc::from),
            materials: part.text("material")?.map(|name| Arc::from([name])),
            properties: Arc::new(part.texts("properties")?),
        };
        let base = placement(part)?;
        let mut places = Vec::new();
        if part.has("places") {
            for place in part.tables("places")? {
                place.check_keys(&PLACE_KEYS)?;
                places.push((place.text("name")?, base.after(&placement(&place)?)));
            }
            if places.is_empty() {
                let message = "`places` is empty: add one, or set `hidden = true`";
                return Err(part.error_at("places", ErrorKind::Malformed, message));
            }
        } else {
            places.push((None, base));
        }
        match part.one_of(&SHAPE_KEYS)? {
            "file" => self.model(part, &about, &places, scene),
            kind => self.shape(part, kind, about, &places, scene),
        }
    }

    /// A part that is an exact shape.
    fn shape(
        &mut self,
        part: &Table<'_>,
        kind: &str,
        about: About,
        places: &[(Option<String>, Affine)],
        scene: &mut SceneData,
    ) -> Result<(), Error> {
        for key in ["unit", "joints"] {
            if part.has(key) {
                let message =
                    format!("`{key}` applies to files, but this part is a {kind}: remove it");
                return Err(part.error_at(key, ErrorKind::Malformed, message));
            }
        }
        let positive = |value: f64, owner: &Table<'_>, key: &str| {
            if value > 0.0 {
                return Ok(value);
            }
            let message = format!("`{key}` must be greater than 0: it is a length");
            Err(owner.error_at(key, ErrorKind::Number, message))
        };
        let shape = match kind {
            "box" => {
                let size = part.numbers("box")?.unwrap_or([0.0; 3]);
                for value in size {
                    positive(value, part, "box")?;
                }
                ShapeData::Box { size }
            }
            "sphere" => {
                let radius = positive(part.number("sphere")?.unwrap_or(0.0), part, "sphere")?;
                ShapeData::Sphere { radius }
            }
            _ => {
                let table = part.table("cylinder")?;
                table.check_keys(&["radius", "length"])?;
                let length = |key| positive(table.number(key)?.unwrap_or(0.0), &table, key);
                ShapeData::Cylinder { radius: length("radius")?, length: length("length")? }
            }
        };
        scene.shapes.push(shape);
        let shape = scene.shapes.len() - 1;
        let name = about.name.unwrap_or_else(|| format!("{kind} {}", scene.parts.len()));
        for (index, (own, map)) in places.iter().enumerate() {
            let name = instance_name(own, &name, index, places.len());
            self.loader.budget.parts(2, 2 * name.len())?;
            let node = scene.add_node(name.clone(), Some(self.top));
            let budget = &self.loader.budget;
            let placed = self.bodies.place(scene, shape, map, self.file, budget)?;
            if let Some((shape, placement)) = placed {
                scene.parts.push(ScenePart {
                    name,
                    node,
                    shape,
                    placement,
                    materials: about.materials.clone().unwrap_or_default(),
                    properties: about.properties.clone(),
                    party: about.party.clone(),
                    file: 0,
                    unit: scene.unit,
                });
            }
        }
        Ok(())
    }

    /// A part that is a file.
    fn model(
        &mut self,
        part: &Table<'_>,
        about: &About,
        places: &[(Option<String>, Affine)],
        scene: &mut SceneData,
    ) -> Result<(), Error> {
        let given = part.unit("unit")?;
        let joints = part.has("joints").then(|| part.positions("joints")).transpose()?;
        let text = part.text("file")?.unwrap_or_default();
        if text.is_empty() {
            return Err(part.error_at(
                "file",
                ErrorKind::Malformed,
                "`file` is empty: name a model",
            ));
        }
        let path = self.path.parent().unwrap_or(Path::new("")).join(&text);
        let bits = joints.iter().flatten().map(|(name, value)| (name.clone(), value.to_bits()));
        let key = (path.clone(), given, bits.collect());
        if !self.read.contains_key(&key) {
            let loaded = self.loader.load_with_joints(&path, given, joints);
            let mut inner = loaded.map_err(|error| self.explain(error, part, &path, &text))?;
            if inner.parts.is_empty() {
                scene.warn(&path.display().to_string(), "the file contains no parts");
            }
            let taken = scene.take_over(&mut inner);
            self.read.insert(key.clone(), (inner, taken));
        }
        let Some((inner, taken)) = self.read.get(&key) else { return Ok(()) };
        // A file that does not know its unit has that of the scene.
        let own = if inner.unit_source == UnitSource::Assumed { scene.unit } else { inner.unit };
        let factor = Affine::scaling([own.in_unit(scene.unit); 3]);
        let assumed = inner.unit_source == UnitSource::Assumed;
        let stem =
            path.file_stem().map_or_else(|| text.clone(), |s| s.to_string_lossy().into_owned());
        let name = about.name.clone().unwrap_or(stem);
        let own_bytes = bytes_of(&about.properties);
        for (index, (given, map)) in places.iter().enumerate() {
            if own_bytes > 0 {
                // Properties of both are put together for each part.
                let inner = inner.parts.iter().map(|part| own_bytes + bytes_of(&part.properties));
                self.loader.budget.parts(0, inner.sum())?;
            }
            let name = instance_name(given, &name, index, places.len());
            self.loader.budget.parts(1, name.len())?;
            let node = scene.add_node(name.clone(), Some(self.top));
            let single = inner.parts.len() == 1;
            let insertion = Insertion {
                node,
                flat: true,
                map: &map.after(&factor),
                bodies: &mut self.bodies,
                budget: &self.loader.budget,
                file: self.file,
            };
            let place = |part: &mut ScenePart| {
                if single {
                    part.name.clone_from(&name);
                }
                if assumed {
                    part.unit = own;
                }
                describe(part, about);
            };
            scene
                .insert(inner, *taken, insertion, place)
                .map_err(|error| part.error_at("file", error.kind(), error.message()))?;
        }
        Ok(())
    }

    /// Says which line names a file that is missing; one that is damaged has an error of its own.
    fn explain(&self, error: Error, part: &Table<'_>, path: &Path, text: &str) -> Error {
        let own = error.file() == path.display().to_string();
        let here = match error.kind() {
            ErrorKind::Io => own,
            // A circle, or a depth without end, is a fault of the file that names.
            ErrorKind::Malformed | ErrorKind::TooMany | ErrorKind::Unsupported => {
                own && error.place() == crate::Place::File
            }
            _ => false,
        };
        if !here {
            return error;
        }
        let cure =
            if error.kind() == ErrorKind::Io { "; put it there, or correct the name" } else { "" };
        let message = format!("the file {}: {}{cure}", quoted(text.as_bytes()), error.message());
        part.error_at("file", error.kind(), message)
    }
}

/// How much text names and values are.
fn bytes_of(properties: &BTreeMap<String, String>) -> usize {
    properties.iter().map(|(name, value)| name.len() + value.len()).sum()
}

/// What the scene file says about a part, where it says anything, goes before what the part's own file says.
fn describe(part: &mut ScenePart, about: &About) {
    if let Some(materials) = &about.materials {
        part.materials = materials.clone();
    }
    if about.party.is_some() {
        part.party.clone_from(&about.party);
    }
    if part.properties.is_empty() {
        part.properties = about.properties.clone();
    } else if !about.properties.is_empty() {
        let mut both = (*part.properties).clone();
        both.extend(about.properties.iter().map(|(name, value)| (name.clone(), value.clone())));
        part.properties = Arc::new(both);
    }
}

/// The name of one of several places.
fn instance_name(own: &Option<String>, name: &str, index: usize, count: usize) -> String {
    match own.as_ref().filter(|own| !own.is_empty()) {
        Some(own) => own.clone(),
        None if count > 1 => format!("{name} #{index}"),
        None => name.to_string(),
    }
}

/// The place that a table states.
fn placement(table: &Table<'_>) -> Result<Affine, Error> {
    let translation = table.numbers("translation")?.unwrap_or([0.0; 3]);
    let rotation = table.rotation("rotation")?.unwrap_or(IDENTITY);
    let scale = table.number("scale")?.unwrap_or(1.0);
    if scale <= 0.0 {
        let message =
            "`scale` must be greater than 0: mirror the model in the program that made it";
        return Err(table.error_at("scale", ErrorKind::Number, message));
    }
    Ok(Affine { linear: rotation, translation }.after(&Affine::scaling([scale; 3])))
}
