//! Joints: how they move, and where they are.

use crate::angle::{LARGEST_ANGLE, sine_cosine};
use crate::error::{Error, ErrorKind, Place};
use crate::loader::Loader;
use crate::placement::{Affine, IDENTITY, product, rotation_about, unit_vector};
use crate::scene::{JointAxis, JointKind, MimicData, SceneData};
use crate::text::quoted;
use crate::xml;
use roxmltree::Node;
use std::collections::HashMap;

/// A joint of the file.
pub(super) struct Joint<'a> {
    pub(super) element: Node<'a, 'a>,
    pub(super) name: &'a str,
    pub(super) kind: JointKind,
    pub(super) parent: usize,
    pub(super) child: usize,
    pub(super) origin: Affine,
    pub(super) limits: Option<[f64; 2]>,
    /// Of unit length.
    axis: [f64; 3],
    mimic: Option<Mimic<'a>>,
}

/// A joint that follows another: multiplier · position + offset.
struct Mimic<'a> {
    joint: &'a str,
    multiplier: f64,
    offset: f64,
}

/// The joints in the order of the file.
pub(super) fn read<'a>(
    robot: Node<'a, 'a>,
    links: &HashMap<&str, usize>,
) -> Result<Vec<Joint<'a>>, Error> {
    let mut joints = Vec::new();
    let mut names = HashMap::new();
    // Joints inside of transmissions are references.
    for element in xml::children(robot, "joint") {
        let joint = read_joint(element, links)?;
        if names.insert(joint.name, ()).is_some() {
            let message =
                format!("two joints are called {}: rename one", quoted(joint.name.as_bytes()));
            return Err(xml::attribute_error(element, "name", ErrorKind::Malformed, message));
        }
        joints.push(joint);
    }
    Ok(joints)
}

fn read_joint<'a>(element: Node<'a, 'a>, links: &HashMap<&str, usize>) -> Result<Joint<'a>, Error> {
    let kind = match xml::required(element, "type")? {
        "revolute" => JointKind::Revolute,
        "continuous" => JointKind::Continuous,
        "prismatic" => JointKind::Prismatic,
        "fixed" => JointKind::Fixed,
        "floating" => JointKind::Floating,
        "planar" => JointKind::Planar,
        other => {
            let message = format!(
                "{} is not a joint type; use revolute, continuous, prismatic, fixed, floating or planar",
                quoted(other.as_bytes())
            );
            return Err(xml::attribute_error(element, "type", ErrorKind::Malformed, message));
        }
    };
    let end = |name: &'static str| {
        let Some(end) = xml::child(element, name) else {
            let message = format!("the joint has no `{name}`: add it");
            return Err(xml::error(element, ErrorKind::Malformed, message));
        };
        let link = xml::required(end, "link")?;
        links.get(link).copied().ok_or_else(|| {
            let message =
                format!("the file has no link {}: correct the name", quoted(link.as_bytes()));
            xml::attribute_error(end, "link", ErrorKind::Index, message)
        })
    };
    let limits = match xml::child(element, "limit") {
        Some(limit) => {
            let lower = xml::numbers(limit, "lower")?;
            let upper = xml::numbers(limit, "upper")?;
            (lower.is_some() || upper.is_some())
                .then(|| [lower.unwrap_or([0.0])[0], upper.unwrap_or([0.0])[0]])
        }
        None => None,
    };
    let mimic = match xml::child(element, "mimic") {
        Some(mimic) => Some(Mimic {
            joint: xml::required(mimic, "joint")?,
            multiplier: xml::numbers(mimic, "multiplier")?.unwrap_or([1.0])[0],
            offset: xml::numbers(mimic, "offset")?.unwrap_or([0.0])[0],
        }),
        None => None,
    };
    Ok(Joint {
        element,
        name: xml::required(element, "name")?,
        kind,
        parent: end("parent")?,
        child: end("child")?,
        origin: super::origin(element)?,
        limits,
        axis: axis(element, kind)?,
        mimic,
    })
}

/// The axis, x where it is left out, with the length 1.
fn axis(element: Node<'_, '_>, kind: JointKind) -> Result<[f64; 3], Error> {
    let Some(axis) = xml::child(element, "axis") else { return Ok([1.0, 0.0, 0.0]) };
    let given: [f64; 3] = xml::numbers(axis, "xyz")?.unwrap_or([1.0, 0.0, 0.0]);
    match unit_vector(given) {
        Some(axis) => Ok(axis),
        // Exporters write a zero axis for joints that do not move.
        None if kind == JointKind::Fixed => Ok([1.0, 0.0, 0.0]),
        None => {
            let message = "the axis is 0 0 0: give it a direction";
            Err(xml::attribute_error(axis, "xyz", ErrorKind::Number, message))
        }
    }
}

impl Joint<'_> {
    /// The motion of the child in the joint's frame.
    pub(super) fn motion(&self, position: f64) -> Affine {
        match self.kind {
            JointKind::Revolute | JointKind::Continuous if position != 0.0 => Affine {
                linear: rotation_about(self.axis, sine_cosine(position)),
                translation: [0.0; 3],
            },
            JointKind::Prismatic => {
                let translation = self.axis.map(|value| value * position);
                Affine { linear: IDENTITY, translation }
            }
            _ => Affine::IDENTITY,
        }
    }
}

impl Joint<'_> {
    /// Where the joint moves, seen from the scene; `map` is that of the child.
    pub(super) fn axis_in(&self, map: &Affine) -> Option<JointAxis> {
        let moves =
            matches!(self.kind, JointKind::Revolute | JointKind::Continuous | JointKind::Prismatic);
        let direction = unit_vector(product(&map.linear, self.axis)).filter(|_| moves)?;
        Some(JointAxis { point: map.translation, direction, scale: 1.0 })
    }
}

/// For each joint the one that it follows, with the factor and the offset.
pub(super) fn mimics(joints: &[Joint<'_>]) -> Vec<Option<MimicData>> {
    let by_name: HashMap<&str, usize> =
        joints.iter().enumerate().map(|(index, joint)| (joint.name, index)).collect();
    let mimic = |joint: &Joint<'_>| {
        let Mimic { joint, multiplier, offset } = *joint.mimic.as_ref()?;
        Some(MimicData { joint: *by_name.get(joint)?, multiplier, offset })
    };
    joints.iter().map(mimic).collect()
}

/// The position of every joint: as given, or that of a joint it follows, or 0.
pub(super) fn positions(
    joints: &[Joint<'_>],
    loader: &Loader<'_>,
    scene: &mut SceneData,
    file: &str,
) -> Result<Vec<f64>, Error> {
    let given = loader.joints();
    let by_name: HashMap<&str, usize> =
        joints.iter().enumerate().map(|(index, joint)| (joint.name, index)).collect();
    for (name, &position) in &given {
        let fault = if !by_name.contains_key(name.as_str()) {
            let known: Vec<_> = joints
                .iter()
                .filter(|j| j.kind != JointKind::Fixed)
                .take(12)
                .map(|j| j.name)
                .collect();
            Some(format!("there is no such joint; the robot has {}", quoted_list(&known)))
        } else if position.is_nan() || position.abs() > LARGEST_ANGLE {
            Some("the position must be at most 2^20".to_string())
        } else {
            None
        };
        if let Some(reason) = fault {
            let message =
                format!("a position is given for the joint {}: {reason}", quoted(name.as_bytes()));
            return Err(Error::new(ErrorKind::Unsupported, Place::File, message));
        }
    }
    let mut positions = vec![0.0; joints.len()];
    for (index, joint) in joints.iter().enumerate() {
        let position = position_of(index, joints, &by_name, &given)?;
        let fixed =
            matches!(joint.kind, JointKind::Fixed | JointKind::Floating | JointKind::Planar);
        if fixed && given.contains_key(joint.name) {
            let message = format!(
                "the joint {} has no single position: the given one is ignored",
                quoted(joint.name.as_bytes())
            );
            scene.warn(file, message);
        }
        let limited = matches!(joint.kind, JointKind::Revolute | JointKind::Prismatic);
        if let (true, Some([lower, upper])) = (limited, joint.limits)
            && !(lower <= position && position <= upper)
        {
            let message = format!(
                "the joint {} is at {position}, outside its limits {lower} to {upper}",
                quoted(joint.name.as_bytes())
            );
            scene.warn(file, message);
        }
        positions[index] = if fixed { 0.0 } else { position };
    }
    Ok(positions)
}

fn quoted_list(names: &[&str]) -> String {
    names.iter().map(|name| quoted(name.as_bytes())).collect::<Vec<_>>().join(", ")
}

/// Follows joints that follow others; more steps than joints mean a circle.
fn position_of(
    index: usize,
    joints: &[Joint<'_>],
    by_name: &HashMap<&str, usize>,
    given: &std::collections::BTreeMap<String, f64>,
) -> Result<f64, Error> {
    let (mut factor, mut sum) = (1.0, 0.0);
    let mut here = index;
    for _ in 0..joints.len().min(64) {
        let joint = &joints[here];
        if let Some(&position) = given.get(joint.name) {
            return Ok(bounded(factor * position + sum));
        }
        let Some(mimic) = &joint.mimic else { return Ok(bounded(sum)) };
        sum += factor * mimic.offset;
        factor *= mimic.multiplier;
        here = *by_name.get(mimic.joint).ok_or_else(|| {
            let message = format!(
                "the joint mimics {}, which does not exist: correct the name",
                quoted(mimic.joint.as_bytes())
            );
            xml::error(joint.element, ErrorKind::Index, message)
        })?;
    }
    let message = "the joint mimics itself through others: remove one `mimic`";
    Err(xml::error(joints[index].element, ErrorKind::Malformed, message))
}

/// A position that motions accept.
fn bounded(position: f64) -> f64 {
    if position.abs() <= LARGEST_ANGLE { position } else { 0.0 }
}
