//! One line of input, understood.

use super::fields::{self, Entries, Fields};
use super::meshes::Meshes;
use super::motion;
use crate::body::Body;
use impinge::geom::GeometryError;
use impinge::mesh::Mode;
use impinge::{Geometry, Pose, Shape};
use serde_json::value::RawValue;

/// What is asked.
pub(crate) enum Request {
    /// Something about two bodies.
    Pair { ask: Ask, a: Body, b: Body },
    /// When two bodies meet on their ways.
    Impact { a: Body, b: Body },
    /// Where a ray first meets the boundary of a body.
    Ray { a: Body, origin: [f64; 3], direction: [f64; 3] },
    /// When four points that move on lines make two features meet.
    Vertices { features: Features, start: [[f64; 3]; 4], end: [[f64; 3]; 4] },
}

/// Which features four points span.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Features {
    /// A vertex, then a triangle.
    VertexFace,
    /// Two edges.
    EdgeEdge,
}

/// What is asked about two bodies.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ask {
    /// How they relate.
    Verdict,
    /// The verdict, and how far apart they are.
    Distance,
    /// The verdict and the distance, and how deep the common points lie.
    Penetration,
    /// Which of their triangles meet.
    Pairs,
}

/// The values of `ask`.
const ASKS: &[&str] =
    &["verdict", "distance", "penetration", "pairs", "ray", "impact", "vertex-face", "edge-edge"];
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

/// What may stand beside a shape.
const BESIDE: &[&str] = &["pose", "round", "motion"];

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
        let both = |meshes: &mut Meshes| {
            let fields = Fields::sort(entries, "the query", &["id", "ask", "a", "b"])?;
            let a = Body::read(fields.required("a")?, "a", meshes)?;
            let b = Body::read(fields.required("b")?, "b", meshes)?;
            Ok::<_, String>([a, b])
        };
        let pair = |ask: Ask, meshes: &mut Meshes| {
            let [a, b] = both(meshes)?;
            Ok(Self::Pair { ask, a: a.at_rest("a")?, b: b.at_rest("b")? })
        };
        match fields::text(ask, "ask")?.as_str() {
            "verdict" => pair(Ask::Verdict, meshes),
            "distance" => pair(Ask::Distance, meshes),
            "penetration" => pair(Ask::Penetration, meshes),
            "pairs" => pair(Ask::Pairs, meshes),
            "impact" => both(meshes).map(|[a, b]| Self::Impact { a, b }),
            "ray" => {
                const NAMES: &[&str] = &["id", "ask", "a", "origin", "direction"];
                let fields = Fields::sort(entries, "the ray query", NAMES)?;
                Ok(Self::Ray {
                    a: Body::read(fields.required("a")?, "a", meshes)?.at_rest("a")?,
                    origin: fields::numbers(fields.required("origin")?, "origin")?,
                    direction: fields::numbers(fields.required("direction")?, "direction")?,
                })
            }
            "vertex-face" => Self::vertices(Features::VertexFace, entries),
            "edge-edge" => Self::vertices(Features::EdgeEdge, entries),
            other => {
                let other = fields::shortened(other);
                Err(format!("ask is \"{other}\": it must be one of {}", fields::listed(ASKS)))
            }
        }
    }
}

impl Request {
    /// Four points at the start and at the end of their motion.
    fn vertices(features: Features, entries: &Entries<'_>) -> Result<Self, String> {
        let fields = Fields::sort(entries, "the query", &["id", "ask", "start", "end"])?;
        let points = |name: &str| -> Result<[[f64; 3]; 4], String> {
            let points = fields::points_exactly(fields.required(name)?, name)?;
            // The constructor of a shape knows which numbers are accepted.
            refused(Shape::hull(&points), name)?;
            Ok(points)
        };
        Ok(Self::Vertices { features, start: points("start")?, end: points("end")? })
    }
}

impl Body {
    /// The body, if it does not move.
    fn at_rest(self, path: &str) -> Result<Self, String> {
        match self.motion {
            None => Ok(self),
            Some(_) => Err(format!("{path} has a \"motion\": only \"impact\" asks about motions")),
        }
    }

    /// The body at `path`: one shape, perhaps with `pose`, `round` and `motion` beside it.
    fn read(raw: &RawValue, path: &str, meshes: &mut Meshes) -> Result<Self, String> {
        let (mut named, mut beside) = (None, Vec::new());
        for (key, value) in Entries::read(raw, path)?.0 {
            if let Some(name) = SHAPES.iter().find(|name| **name == key) {
                if let Some((other, _)) = named.replace((*name, value)) {
                    return Err(format!(
                        "{path} has two shapes, \"{other}\" and \"{name}\": it must have one"
                    ));
                }
            } else if BESIDE.contains(&key.as_str()) {
                beside.push((key, value));
            } else {
                let (key, shapes) = (fields::shortened(&key), fields::listed(SHAPES));
                return Err(format!(
                    "{path} has an unknown field \"{key}\": shapes are {shapes}; \
                     beside one of them there may be \"pose\", \"round\" and \"motion\""
                ));
            }
        }
        let Some((name, value)) = named else {
            return Err(format!("{path} has no shape: give one of {}", fields::listed(SHAPES)));
        };
        let beside = Fields::sort(&Entries(beside), path, BESIDE)?;
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
        let motion = match beside.optional("motion") {
            Some(value) => Some(motion::read(value, &beside.place("motion"), &pose)?),
            None => None,
        };
        Ok(Self { geometry, pose, motion })
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
pub(super) fn pose(raw: &RawValue, path: &str) -> Result<Pose, String> {
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
pub(super) fn refused<T>(made: Result<T, GeometryError>, path: &str) -> Result<T, String> {
    made.map_err(|error| format!("{path}: {error}"))
}
