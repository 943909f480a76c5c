//! One line of input, understood.

use super::fields::{self, Entries, Fields};
use super::meshes::Meshes;
use crate::body::Body;
use impinge::geom::GeometryError;
use impinge::mesh::Mode;
use impinge::{Geometry, Pose, Shape};
use serde_json::value::RawValue;

/// What is asked.
pub(crate) enum Request {
    /// Something about two bodies.
    Pair { ask: Ask, a: Body, b: Body },
    /// Where a ray first meets the boundary of a body.
    Ray { a: Body, origin: [f64; 3], direction: [f64; 3] },
}

/// What is asked about two bodies.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ask {
    /// How they stand to each other.
    Verdict,
    /// The same, and how far apart they are.
    Distance,
    /// The same, and how deep the common points lie.
    Penetration,
    /// Which of their triangles meet.
    Pairs,
}

/// The values of `ask`.
const ASKS: &[&str] = &["verdict", "distance", "penetration", "pairs", "ray"];
/// The keys that name a shape.
const SHAPES: &[&str] = &[
    "triangle",
    "segment",
    "hull",
    "sphere",
    "box",
    "capsule",
    "tapered_capsule",
    "cylinder",
    "cone",
    "ellipsoid",
    "plane",
    "halfspace",
    "mesh",
];

/// The `id` as it was written, where it is a string or a number.
pub(crate) fn id<'a>(entries: &Entries<'a>) -> Result<Option<&'a RawValue>, String> {
    let Some((_, raw)) = entries.0.iter().find(|(key, _)| key == "id") else {
        return Ok(None);
    };
    match fields::kind(raw) {
        "null" => Ok(None),
        "a number" => Ok(Some(raw)),
        "a string" => fields::text(raw, "id").map(|_| Some(*raw)),
        other => Err(format!("id is {other}: it must be a string or a number")),
    }
}

impl Request {
    /// Understands the members of a line.
    pub(crate) fn read(entries: &Entries<'_>, meshes: &mut Meshes) -> Result<Self, String> {
        let ask = entries.0.iter().find(|(key, _)| key == "ask");
        let Some((_, ask)) = ask else {
            return Err("the query lacks the field \"ask\"".to_string());
        };
        let pair = |ask: Ask, meshes: &mut Meshes| {
            let fields = Fields::sort(entries, "the query", &["id", "ask", "a", "b"])?;
            let a = Body::read(fields.required("a")?, "a", meshes)?;
            let b = Body::read(fields.required("b")?, "b", meshes)?;
            Ok(Self::Pair { ask, a, b })
        };
        match fields::text(ask, "ask")?.as_str() {
            "verdict" => pair(Ask::Verdict, meshes),
            "distance" => pair(Ask::Distance, meshes),
            "penetration" => pair(Ask::Penetration, meshes),
            "pairs" => pair(Ask::Pairs, meshes),
            "ray" => {
                const NAMES: &[&str] = &["id", "ask", "a", "origin", "direction"];
                let fields = Fields::sort(entries, "the ray query", NAMES)?;
                Ok(Self::Ray {
                    a: Body::read(fields.required("a")?, "a", meshes)?,
                    origin: fields::numbers(fields.required("origin")?, "origin")?,
                    direction: fields::numbers(fields.required("direction")?, "direction")?,
                })
            }
            other => {
                let other = fields::shortened(other);
                Err(format!("ask is \"{other}\": it must be one of {}", fields::listed(ASKS)))
            }
        }
    }
}

impl Body {
    /// The body at `path`: one shape, perhaps with `pose` and `round` beside it.
    fn read(raw: &RawValue, path: &str, meshes: &mut Meshes) -> Result<Self, String> {
        let (mut named, mut beside) = (None, Vec::new());
        for (key, value) in Entries::read(raw, path)?.0 {
            if let Some(name) = SHAPES.iter().find(|name| **name == key) {
                if let Some((other, _)) = named.replace((*name, value)) {
                    return Err(format!(
                        "{path} has two shapes, \"{other}\" and \"{name}\": it must have one"
                    ));
                }
            } else if key == "pose" || key == "round" {
                beside.push((key, value));
            } else {
                let (key, shapes) = (fields::shortened(&key), fields::listed(SHAPES));
                return Err(format!(
                    "{path} has an unknown field \"{key}\": shapes are {shapes}; \
                     beside one of them there may be \"pose\" and \"round\""
                ));
            }
        }
        let Some((name, value)) = named else {
            return Err(format!("{path} has no shape: give one of {}", fields::listed(SHAPES)));
        };
        let beside = Fields::sort(&Entries(beside), path, &["pose", "round"])?;
        let inner = format!("{path}.{name}");
        let geometry = match (name, beside.optional("round")) {
            ("mesh", None) => {
                let (mesh, solid) = meshes.read(value, &inner)?;
                Geometry::mesh(mesh, if solid { Mode::Solid } else { Mode::Surface })
            }
            ("mesh", Some(_)) => {
                return Err(format!("{path} is a mesh with \"round\": only shapes can be rounded"));
            }
            (_, None) => shape(name, value, &inner)?.into(),
            (_, Some(round)) => {
                let (shape, place) = (shape(name, value, &inner)?, beside.place("round"));
                refused(shape.rounded(fields::number(round, &place)?), &place)?.into()
            }
        };
        let pose = match beside.optional("pose") {
            Some(value) => pose(value, &beside.place("pose"))?,
            None => Pose::IDENTITY,
        };
        Ok(Self { geometry, pose })
    }
}

/// The shape called `name`.
fn shape(name: &str, raw: &RawValue, path: &str) -> Result<Shape, String> {
    let round_and_high = || -> Result<(f64, f64), String> {
        let fields = Fields::read(raw, path, &["radius", "half_height"])?;
        Ok((fields.number("radius")?, fields.number("half_height")?))
    };
    let normal_and_offset = || -> Result<([f64; 3], f64), String> {
        let fields = Fields::read(raw, path, &["normal", "offset"])?;
        Ok((fields.numbers("normal")?, fields.number("offset")?))
    };
    let made = match name {
        "triangle" => Shape::triangle(fields::points_exactly(raw, path)?),
        "segment" => Shape::segment(fields::points_exactly(raw, path)?),
        "hull" => Shape::hull(&fields::points(raw, path)?),
        "sphere" => Shape::sphere(Fields::read(raw, path, &["radius"])?.number("radius")?),
        "box" => Shape::cuboid(Fields::read(raw, path, &["half"])?.numbers("half")?),
        "capsule" => round_and_high().map(|(radius, half)| Shape::capsule(radius, half))?,
        "cylinder" => round_and_high().map(|(radius, half)| Shape::cylinder(radius, half))?,
        "cone" => round_and_high().map(|(radius, half)| Shape::cone(radius, half))?,
        "tapered_capsule" => {
            let fields = Fields::read(raw, path, &["radii", "half_height"])?;
            let [bottom, top] = fields.numbers("radii")?;
            Shape::tapered_capsule(bottom, top, fields.number("half_height")?)
        }
        "ellipsoid" => Shape::ellipsoid(Fields::read(raw, path, &["radii"])?.numbers("radii")?),
        "plane" => normal_and_offset().map(|(normal, offset)| Shape::plane(normal, offset))?,
        "halfspace" => {
            normal_and_offset().map(|(normal, offset)| Shape::half_space(normal, offset))?
        }
        other => return Err(format!("{path}: \"{other}\" is not a shape")),
    };
    refused(made, path)
}

/// The pose at `path`; what is left out is no rotation, no translation.
fn pose(raw: &RawValue, path: &str) -> Result<Pose, String> {
    let fields = Fields::read(raw, path, &["rotation", "translation"])?;
    let rotation = match fields.optional("rotation") {
        Some(value) => fields::numbers(value, &fields.place("rotation"))?,
        None => [1.0, 0.0, 0.0, 0.0],
    };
    let translation = match fields.optional("translation") {
        Some(value) => fields::numbers(value, &fields.place("translation"))?,
        None => [0.0; 3],
    };
    refused(Pose::new(rotation, translation), path)
}

/// What a constructor refused, with the place.
fn refused<T>(made: Result<T, GeometryError>, path: &str) -> Result<T, String> {
    made.map_err(|error| format!("{path}: {error}"))
}
