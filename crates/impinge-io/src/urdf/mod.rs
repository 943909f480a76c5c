//! URDF: the links of a robot, joined in a tree.
//!
//! After the description of the format by its ROS packages (`urdf/XML`): lengths in metres, angles in radians; `rpy` turns about
//! the fixed axes x, y and z in that order; a joint's frame is placed in its parent link by `origin` and moves along or about
//! `axis`, which stands in that frame. `geometry.rs` reads what a link looks like, `package.rs` finds the files it names,
//! `joint.rs` reads joints and finds their positions.

mod geometry;
mod joint;
mod package;

use crate::angle::{LARGEST_ANGLE, sine_cosine};
use crate::error::{Error, ErrorKind};
use crate::loader::Loader;
use crate::placement::Affine;
use crate::scene::{JointData, MimicData, SceneData};
use crate::text::quoted;
use crate::unit::{Unit, UnitSource};
use crate::xml;
use geometry::Geometry;
use joint::Joint;
use roxmltree::Node;
use std::collections::HashMap;
use std::path::Path;

/// Reads a robot.
pub(crate) fn parse(loader: &Loader<'_>, bytes: &[u8], path: &Path) -> Result<SceneData, Error> {
    let text = xml::text(bytes)?;
    let document = xml::parse(text)?;
    let robot = document.root_element();
    if robot.tag_name().name() != "robot" {
        let message = format!(
            "the root element is {}, not `robot`: the file is not URDF",
            quoted(robot.tag_name().name().as_bytes())
        );
        return Err(xml::error(robot, ErrorKind::Malformed, message));
    }
    let name = path.display().to_string();
    let mut scene = SceneData {
        files: vec![name.clone()],
        unit: Unit::Metre,
        unit_source: UnitSource::File,
        ..SceneData::default()
    };
    let links = links(robot)?;
    let joints = joint::read(robot, &links.by_name)?;
    let positions = joint::positions(&joints, loader, &mut scene, &name)?;
    let tree = Tree::new(&links, &joints)?;
    if tree.roots.len() > 1 {
        let [first, second] = [tree.roots[0], tree.roots[1]];
        let message = format!(
            "no joint connects the links {} and {}: both are placed at the origin",
            quoted(links.names[first].as_bytes()),
            quoted(links.names[second].as_bytes())
        );
        scene.warn(&name, message);
    }
    let mut geometry = Geometry::new(loader, path, &name);
    let label = robot.attribute("name").filter(|label| !label.is_empty()).unwrap_or("robot");
    let top = scene.add_node(label.to_string(), None);
    let mut waiting: Vec<(usize, usize, Affine)> =
        tree.roots.iter().rev().map(|&root| (root, top, Affine::IDENTITY)).collect();
    // Where each joint of the file is among those of the scene.
    let mut place_of = vec![None; joints.len()];
    while let Some((link, parent, map)) = waiting.pop() {
        let node = scene.add_node(links.names[link].to_string(), Some(parent));
        if let Some(index) = tree.joint_above[link] {
            let joint = &joints[index];
            place_of[index] = Some(scene.joints.len());
            scene.joints.push(JointData {
                name: joint.name.to_string(),
                kind: joint.kind,
                parent,
                child: node,
                position: positions[index],
                limits: joint.limits,
                axis: joint.axis_in(&map),
                mimic: None,
            });
        }
        geometry.link(links.elements[link], node, &map, &mut scene)?;
        for &index in tree.joints_below[link].iter().rev() {
            let joint: &Joint<'_> = &joints[index];
            let moved = map.after(&joint.origin).after(&joint.motion(positions[index]));
            waiting.push((joint.child, node, moved));
        }
    }
    for (place, mimic) in place_of.iter().zip(joint::mimics(&joints)) {
        if let (Some(place), Some(mimic)) = (*place, mimic) {
            let other = place_of.get(mimic.joint).copied().flatten();
            scene.joints[place].mimic = other.map(|joint| MimicData { joint, ..mimic });
        }
    }
    if scene.parts.is_empty() {
        scene.warn(&name, "no link has any geometry, so there are no parts");
    }
    Ok(scene)
}

/// The links in the order of the file.
struct Links<'a, 'i> {
    elements: Vec<Node<'a, 'i>>,
    names: Vec<&'a str>,
    by_name: HashMap<&'a str, usize>,
}

fn links<'a, 'i>(robot: Node<'a, 'i>) -> Result<Links<'a, 'i>, Error> {
    let mut links = Links { elements: Vec::new(), names: Vec::new(), by_name: HashMap::new() };
    for element in xml::children(robot, "link") {
        let name = xml::required(element, "name")?;
        if links.by_name.insert(name, links.names.len()).is_some() {
            let message = format!("two links are called {}: rename one", quoted(name.as_bytes()));
            return Err(xml::attribute_error(element, "name", ErrorKind::Malformed, message));
        }
        links.elements.push(element);
        links.names.push(name);
    }
    if links.names.is_empty() {
        let message = "the robot has no links: it is damaged, or a macro file; run `xacro` on it";
        return Err(xml::error(robot, ErrorKind::Malformed, message));
    }
    Ok(links)
}

/// How joints connect links: each link has at most one joint above it, and nothing goes in a circle.
struct Tree {
    roots: Vec<usize>,
    joint_above: Vec<Option<usize>>,
    joints_below: Vec<Vec<usize>>,
}

impl Tree {
    fn new(links: &Links<'_, '_>, joints: &[Joint<'_>]) -> Result<Self, Error> {
        let count = links.names.len();
        let mut tree = Self {
            roots: Vec::new(),
            joint_above: vec![None; count],
            joints_below: vec![Vec::new(); count],
        };
        for (index, joint) in joints.iter().enumerate() {
            if let Some(first) = tree.joint_above[joint.child].replace(index) {
                let message = format!(
                    "the link {} is the child of this joint and of {}, but a link has one parent: remove one joint",
                    quoted(links.names[joint.child].as_bytes()),
                    quoted(joints[first].name.as_bytes())
                );
                return Err(xml::error(joint.element, ErrorKind::Malformed, message));
            }
            tree.joints_below[joint.parent].push(index);
        }
        tree.roots = (0..count).filter(|&link| tree.joint_above[link].is_none()).collect();
        // What no root reaches goes in a circle.
        let mut reached = vec![false; count];
        let mut waiting = tree.roots.clone();
        while let Some(link) = waiting.pop() {
            reached[link] = true;
            waiting.extend(tree.joints_below[link].iter().map(|&index| joints[index].child));
        }
        if let Some(link) = reached.iter().position(|reached| !reached) {
            let message = format!(
                "the link {} is its own ancestor: joints must form a tree; remove a joint of the cycle",
                quoted(links.names[link].as_bytes())
            );
            return Err(xml::error(links.elements[link], ErrorKind::Malformed, message));
        }
        Ok(tree)
    }
}

/// The `origin` of an element: `xyz` and `rpy`, both zero where they are left out.
fn origin(owner: Node<'_, '_>) -> Result<Affine, Error> {
    let Some(origin) = xml::child(owner, "origin") else { return Ok(Affine::IDENTITY) };
    let translation = xml::numbers(origin, "xyz")?.unwrap_or([0.0; 3]);
    let angles: [f64; 3] = xml::numbers(origin, "rpy")?.unwrap_or([0.0; 3]);
    if angles.iter().any(|angle| angle.abs() > LARGEST_ANGLE) {
        let message = "an angle in `rpy` is above 2^20 radians: angles are in radians; correct it";
        return Err(xml::attribute_error(origin, "rpy", ErrorKind::Number, message));
    }
    let [[sr, cr], [sp, cp], [sy, cy]] = angles.map(sine_cosine);
    let linear = [
        [cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr],
        [sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr],
        [-sp, cp * sr, cp * cr],
    ];
    Ok(Affine { linear, translation })
}
