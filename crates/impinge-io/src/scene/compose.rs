//! Scenes within scenes: a file that is used in several places is read once, and its shapes are shared.

use super::{JointAxis, SceneData, SceneNode, ScenePart, ShapeData};
use crate::budget::Budget;
use crate::error::Error;
use crate::mesh::MeshData;
use crate::number::LARGEST;
use crate::placement::{Affine, Kind, Placement, product, unit_vector};
use std::collections::HashMap;

/// The shapes of a scene that is being made, with those that took a map into their vertices.
#[derive(Default)]
pub(crate) struct Bodies {
    /// By shape and the bits of the matrix.
    baked: HashMap<(usize, [u64; 9]), usize>,
}

impl Bodies {
    /// The shape and placement by which `shape` under any map is shown; none if nothing of it is left or it is too large.
    pub(crate) fn place(
        &mut self,
        scene: &mut SceneData,
        shape: usize,
        map: &Affine,
        file: &str,
        budget: &Budget,
    ) -> Result<Option<(usize, Placement)>, Error> {
        if !map.is_sound() {
            scene.warn(file, "a part placed beyond 2^250 is left out");
            return Ok(None);
        }
        match map.kind() {
            Kind::Placed(placement) => Ok(Some((shape, placement))),
            Kind::Vanished => {
                scene.warn(file, "a part with scale 0 is left out");
                Ok(None)
            }
            Kind::Baked => {
                let mut key = [0; 9];
                for (bits, value) in key.iter_mut().zip(map.linear.iter().flatten()) {
                    *bits = (value + 0.0).to_bits();
                }
                let own = match self.baked.get(&(shape, key)) {
                    Some(&own) => own,
                    None => {
                        let Some(own) = bake(scene, shape, map, budget)? else {
                            scene.warn(file, "a part scaled beyond 2^250 is left out");
                            return Ok(None);
                        };
                        self.baked.insert((shape, key), own);
                        own
                    }
                };
                let message = if map.determinant() < 0.0 {
                    "a mirrored part gets its own mesh"
                } else {
                    "a part with a non-uniform scale or a shear gets its own mesh"
                };
                scene.note(super::Severity::Note, file, message);
                let translation = map.translation;
                Ok(Some((own, Placement { translation, ..Placement::IDENTITY })))
            }
        }
    }
}

/// A mesh that took a linear map; turned inside out again where the map mirrors. None if a coordinate is too large.
fn bake(
    scene: &mut SceneData,
    shape: usize,
    map: &Affine,
    budget: &Budget,
) -> Result<Option<usize>, Error> {
    let Some(shape) = scene.shapes.get(shape) else { return Ok(None) };
    let mesh = shape.to_mesh();
    budget.elements(mesh.vertices.len() + mesh.triangles.len())?;
    let linear = |v: &[f64; 3]| product(&map.linear, *v);
    let vertices: Vec<[f64; 3]> = mesh.vertices.iter().map(linear).collect();
    if !vertices.iter().flatten().all(|value| value.abs() <= LARGEST) {
        return Ok(None);
    }
    let mirrored = map.determinant() < 0.0;
    let turn = |&[a, b, c]: &[u32; 3]| if mirrored { [a, c, b] } else { [a, b, c] };
    let triangles = mesh.triangles.iter().map(turn).collect();
    let parts = mesh.parts.clone();
    scene.shapes.push(ShapeData::Mesh(MeshData { vertices, triangles, parts }));
    Ok(Some(scene.shapes.len() - 1))
}

impl SceneData {
    /// Adds a node.
    pub(crate) fn add_node(&mut self, name: String, parent: Option<usize>) -> usize {
        self.nodes.push(SceneNode { name, parent });
        self.nodes.len() - 1
    }

    /// Adds the shapes, files and notes of another scene; gives where the first shape and file are now. What is left of
    /// `inner`, parts and nodes, can then be put in any number of places by [`SceneData::insert`].
    pub(crate) fn take_over(&mut self, inner: &mut SceneData) -> Taken {
        let taken = Taken { shapes: self.shapes.len(), files: self.files.len() };
        self.shapes.append(&mut inner.shapes);
        self.files.append(&mut inner.files);
        for note in inner.notes.drain(..) {
            self.add_note(note);
        }
        taken
    }

    /// Puts the parts of another scene, whose shapes were taken over, under a node and through a map. `change` sees each part
    /// before it is added.
    pub(crate) fn insert(
        &mut self,
        inner: &SceneData,
        taken: Taken,
        place: Insertion<'_>,
        change: impl Fn(&mut ScenePart),
    ) -> Result<(), Error> {
        let Insertion { node, flat, map, bodies, budget, file } = place;
        let first_node = self.nodes.len();
        // A tree of one root is that of the node itself, and a single part belongs to it.
        let single = flat && inner.parts.len() == 1;
        let merged = flat && inner.nodes.iter().filter(|node| node.parent.is_none()).count() == 1;
        let new = |index: usize| match index {
            _ if single => node,
            0 if merged => node,
            _ => first_node + index - usize::from(merged),
        };
        if !single {
            let bytes = inner.nodes.iter().map(|node| node.name.len()).sum();
            budget.parts(inner.nodes.len(), bytes)?;
            for inner_node in inner.nodes.iter().skip(usize::from(merged)) {
                let parent = inner_node.parent.map_or(node, new);
                self.nodes.push(SceneNode { name: inner_node.name.clone(), parent: Some(parent) });
            }
        }
        for part in &inner.parts {
            budget.parts(1, part.name.len())?;
            let whole = map.after(&Affine::of(&part.placement));
            let shape = taken.shapes + part.shape;
            let Some((shape, placement)) = bodies.place(self, shape, &whole, file, budget)? else {
                continue;
            };
            let mut part = ScenePart {
                node: new(part.node),
                shape,
                placement,
                file: taken.files + part.file,
                ..part.clone()
            };
            change(&mut part);
            self.parts.push(part);
        }
        let first_joint = self.joints.len();
        let rigid = matches!(map.kind(), Kind::Placed(_));
        for joint in &inner.joints {
            let mut joint = joint.clone();
            joint.parent = new(joint.parent);
            joint.child = new(joint.child);
            joint.axis = joint.axis.filter(|_| rigid).and_then(|axis| axis.through(map));
            if let Some(mimic) = &mut joint.mimic {
                mimic.joint += first_joint;
            }
            self.joints.push(joint);
        }
        Ok(())
    }
}

impl JointAxis {
    /// The axis under a rotation with one scale.
    fn through(&self, map: &Affine) -> Option<Self> {
        let moved = product(&map.linear, self.point);
        let point = [0, 1, 2].map(|i| moved[i] + map.translation[i]);
        let along = product(&map.linear, self.direction);
        let factor = along.iter().map(|value| value * value).sum::<f64>().sqrt();
        Some(Self { point, direction: unit_vector(along)?, scale: self.scale * factor })
    }
}

/// Where shapes and files went that were taken over.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Taken {
    pub(crate) shapes: usize,
    pub(crate) files: usize,
}

/// Where parts of another scene go.
pub(crate) struct Insertion<'a> {
    pub(crate) node: usize,
    /// Is the root of that scene the node itself?
    pub(crate) flat: bool,
    pub(crate) map: &'a Affine,
    pub(crate) bodies: &'a mut Bodies,
    pub(crate) budget: &'a Budget,
    /// The file that notes are about.
    pub(crate) file: &'a str,
}
