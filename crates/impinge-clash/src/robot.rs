//! The joints of a scene as a kinematic tree.

use crate::model::Model;
use impinge::geom::glam::DVec3;
use impinge_io::{JointData, JointKind, SceneData};
use impinge_robot::{Freedom, Joint, KinematicTree, Mimic};

/// The tree, with a link for every node of the scene; and for every node the link that it belongs to: itself, or the nearest one above that a
/// joint names.
pub(crate) fn read(
    scene: &SceneData,
    left_out: &mut Vec<String>,
) -> (KinematicTree, Vec<Option<usize>>) {
    let mut is_link = vec![false; scene.nodes.len()];
    for joint in &scene.joints {
        for node in [joint.parent, joint.child] {
            if let Some(link) = is_link.get_mut(node) {
                *link = true;
            }
        }
    }
    let mut links: Vec<Option<usize>> = vec![None; scene.nodes.len()];
    for node in 0..scene.nodes.len() {
        let above = scene.nodes[node].parent.filter(|&parent| parent < node);
        links[node] =
            if is_link[node] { Some(node) } else { above.and_then(|parent| links[parent]) };
    }
    let joints = scene.joints.iter().map(joint).collect();
    let tree = KinematicTree::new(scene.nodes.len(), joints).unwrap_or_else(|error| {
        left_out.push(format!("joints: {error}"));
        KinematicTree::default()
    });
    (tree, links)
}

fn joint(data: &JointData) -> Joint {
    let freedom = data.axis.and_then(|axis| match data.kind {
        JointKind::Revolute | JointKind::Continuous => {
            Freedom::turn(axis.point, axis.direction).ok()
        }
        JointKind::Prismatic => {
            Freedom::slide((DVec3::from_array(axis.direction) * axis.scale).to_array()).ok()
        }
        JointKind::Fixed | JointKind::Floating | JointKind::Planar => None,
    });
    let limited = matches!(data.kind, JointKind::Revolute | JointKind::Prismatic);
    Joint {
        position: data.position,
        limits: data.limits.filter(|_| limited),
        mimic: data.mimic.map(|mimic| Mimic {
            joint: mimic.joint,
            multiplier: mimic.multiplier,
            offset: mimic.offset,
        }),
        ..Joint::new(&data.name, data.parent, data.child, freedom.unwrap_or(Freedom::Fixed))
    }
}

/// The name of a joint below the path of the link above it.
pub(crate) fn joint_path(model: &Model, joint: &Joint) -> String {
    let up = |&node: &usize| model.nodes.get(node)?.parent.filter(|&parent| parent < node);
    let nodes = std::iter::successors(Some(joint.parent), up);
    let mut names: Vec<&str> =
        nodes.filter_map(|node| Some(model.nodes.get(node)?.name.as_str())).collect();
    names.reverse();
    names.push(&joint.name);
    names.join("/")
}
