//! The tree of nodes, their transforms, and instances.

use super::primitive::{Meshes, Shape};
use super::{Document, item, list, numbers};
use crate::error::{Error, ErrorKind};
use crate::json::{Kind, Value};
use crate::loader::Loader;
use crate::placement::{Affine, rotation_of_quaternion};
use crate::scene::{Bodies, SceneData, ScenePart, Severity};
use crate::unit::Unit;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Reads the scene that the file shows first, or all roots if it has no scenes.
pub(super) fn read(
    document: &Document<'_>,
    root: Value<'_>,
    loader: &Loader<'_>,
    file: &str,
    scene: &mut SceneData,
) -> Result<(), Error> {
    let mut walk = Walk {
        document,
        loader,
        file,
        seen: vec![false; document.nodes.len()],
        meshes: Meshes::default(),
        bodies: Bodies::default(),
        waiting: Vec::new(),
    };
    for index in walk.roots(root, scene)?.into_iter().rev() {
        walk.waiting.push(Waiting { index, parent: None, map: Affine::IDENTITY });
    }
    while let Some(next) = walk.waiting.pop() {
        walk.node(next, scene)?;
    }
    if walk.seen.contains(&false) {
        scene.note(Severity::Note, file, "nodes outside the scene are left out");
    }
    if scene.parts.is_empty() {
        scene.warn(file, "the scene has no triangles, so there are no parts");
    }
    Ok(())
}

struct Walk<'d, 'j> {
    document: &'d Document<'j>,
    loader: &'d Loader<'d>,
    file: &'d str,
    seen: Vec<bool>,
    meshes: Meshes,
    bodies: Bodies,
    waiting: Vec<Waiting>,
}

/// A node that is to be visited, and the transform of its parent.
struct Waiting {
    index: usize,
    parent: Option<usize>,
    map: Affine,
}

impl Walk<'_, '_> {
    fn roots(&mut self, root: Value<'_>, scene: &mut SceneData) -> Result<Vec<usize>, Error> {
        let scenes = list(root, "scenes")?;
        let nodes = &self.document.nodes;
        if scenes.is_empty() {
            let mut is_child = vec![false; nodes.len()];
            for child in nodes.iter().filter_map(|node| node.get("children")).flat_map(Value::items)
            {
                is_child[item(nodes, child, "node")?.0] = true;
            }
            return Ok((0..nodes.len()).filter(|&index| !is_child[index]).collect());
        }
        if scenes.len() > 1 {
            let message = format!("the file has {} scenes; only one is read", scenes.len());
            scene.warn(self.file, message);
        }
        let shown = match root.get("scene") {
            Some(named) => item(&scenes, named, "scene")?.1,
            None => scenes[0],
        };
        let named = shown.get("nodes").into_iter().flat_map(Value::items);
        let mut roots = Vec::new();
        for named in named {
            let index = item(nodes, named, "node")?.0;
            self.see(index, named)?;
            roots.push(index);
        }
        for &index in &roots {
            self.seen[index] = false;
        }
        Ok(roots)
    }

    /// Marks a node as visited; a node has one parent, so that it is visited once.
    fn see(&mut self, index: usize, named: Value<'_>) -> Result<(), Error> {
        if std::mem::replace(&mut self.seen[index], true) {
            let message = format!(
                "node {index} is listed twice, but nodes must form a tree: the file is damaged; export it again"
            );
            return Err(named.error(ErrorKind::Malformed, message));
        }
        Ok(())
    }

    fn node(&mut self, next: Waiting, scene: &mut SceneData) -> Result<(), Error> {
        let Waiting { index, parent, map } = next;
        let node = self.document.nodes[index];
        self.see(index, node)?;
        let mesh = node.get("mesh");
        let own_name = node.get("name").and_then(Value::text).filter(|name| !name.is_empty());
        let shape = match mesh {
            Some(named) => {
                self.meshes.shape(self.document, named, self.loader, self.file, scene)?
            }
            None => None,
        };
        let mesh_value = match mesh {
            Some(named) => Some(item(&self.document.meshes, named, "mesh")?.1),
            None => None,
        };
        let mesh_name = mesh_value.and_then(|mesh| mesh.get("name")).and_then(Value::text);
        let name = own_name.or(mesh_name.filter(|name| !name.is_empty()));
        let name = name.map_or_else(|| format!("node {index}"), |name| name.into_owned());
        self.loader.budget.parts(1, name.len())?;
        let here = scene.add_node(name.clone(), parent);
        let map = map.after(&transform(node)?);
        if let Some(shape) = shape {
            let properties = properties(node).or_else(|| properties(mesh_value?));
            let part =
                Found { name, node: here, shape, properties: properties.unwrap_or_default() };
            match instances(node) {
                Some(attributes) => self.add_instances(attributes, &part, &map, scene)?,
                None => self.add(&part, part.name.clone(), &map, scene)?,
            }
        }
        let children = node.get("children").into_iter().flat_map(Value::items);
        let first = self.waiting.len();
        for child in children {
            let index = item(&self.document.nodes, child, "node")?.0;
            if self.seen[index] {
                self.see(index, child)?;
            }
            self.waiting.push(Waiting { index, parent: Some(here), map });
        }
        self.waiting[first..].reverse();
        Ok(())
    }

    fn add(
        &mut self,
        found: &Found,
        name: String,
        map: &Affine,
        scene: &mut SceneData,
    ) -> Result<(), Error> {
        self.loader.budget.parts(1, name.len())?;
        let Shape { shape, materials } = &found.shape;
        let placed = self.bodies.place(scene, *shape, map, self.file, &self.loader.budget)?;
        if let Some((shape, placement)) = placed {
            scene.parts.push(ScenePart {
                name,
                node: found.node,
                shape,
                placement,
                materials: materials.clone(),
                properties: found.properties.clone(),
                party: None,
                file: 0,
                unit: Unit::Metre,
            });
        }
        Ok(())
    }

    /// EXT_mesh_gpu_instancing: a part for each element of its attributes, all of which are optional.
    fn add_instances(
        &mut self,
        attributes: Value<'_>,
        found: &Found,
        map: &Affine,
        scene: &mut SceneData,
    ) -> Result<(), Error> {
        let accessor = |name: &str, width: usize| {
            attributes.get(name).map(|named| self.document.accessor(named, width)).transpose()
        };
        let (translations, rotations, scales) =
            (accessor("TRANSLATION", 3)?, accessor("ROTATION", 4)?, accessor("SCALE", 3)?);
        let counts = [&translations, &rotations, &scales];
        let mut counts = counts.iter().filter_map(|accessor| accessor.as_ref().map(|a| a.count));
        let count = counts.next().unwrap_or(0);
        if counts.any(|other| other != count) {
            let message = "the attributes of the instances have different counts: the file is damaged; export it again";
            return Err(attributes.error(ErrorKind::Malformed, message));
        }
        for i in 0..count {
            let translation = translations.as_ref().map_or([0.0; 3], |a| a.element(i));
            let [x, y, z, w] = rotations.as_ref().map_or([0.0, 0.0, 0.0, 1.0], |a| a.element(i));
            let scale = scales.as_ref().map_or([1.0; 3], |a| a.element(i));
            let sound = translation.iter().chain(&scale).all(|value| value.abs() <= crate::LARGEST);
            let Some(rotation) = rotation_of_quaternion([w, x, y, z]).filter(|_| sound) else {
                let message = format!(
                    "instance {i} has no finite transform: the file is damaged; export it again"
                );
                return Err(attributes.error(ErrorKind::Number, message));
            };
            let own = Affine { linear: rotation, translation }.after(&Affine::scaling(scale));
            self.add(found, format!("{} #{i}", found.name), &map.after(&own), scene)?;
        }
        Ok(())
    }
}

/// A part that may have instances.
struct Found {
    name: String,
    node: usize,
    shape: Shape,
    properties: Arc<BTreeMap<String, String>>,
}

fn instances<'j>(node: Value<'j>) -> Option<Value<'j>> {
    node.get("extensions")?.get("EXT_mesh_gpu_instancing")?.get("attributes")
}

/// The transform of a node: a matrix by columns, or translation, rotation (x, y, z, w) and scale.
fn transform(node: Value<'_>) -> Result<Affine, Error> {
    if let Some(m) = numbers::<16>(node, "matrix")? {
        let row = |i: usize| [m[i], m[4 + i], m[8 + i]];
        let last = [m[3], m[7], m[11], m[15] - 1.0];
        if last.iter().any(|value| value.abs() > 1e-6) {
            let message = "the `matrix` is not an affine transform: its last row is not 0 0 0 1; export it again";
            return Err(node.error(ErrorKind::Number, message));
        }
        return Ok(Affine { linear: [row(0), row(1), row(2)], translation: [m[12], m[13], m[14]] });
    }
    let translation = numbers(node, "translation")?.unwrap_or([0.0; 3]);
    let scale = numbers(node, "scale")?.unwrap_or([1.0; 3]);
    let [x, y, z, w] = numbers(node, "rotation")?.unwrap_or([0.0, 0.0, 0.0, 1.0]);
    let Some(linear) = rotation_of_quaternion([w, x, y, z]) else {
        let message = "the `rotation` is a quaternion of length 0: export it again";
        return Err(node.error(ErrorKind::Number, message));
    };
    Ok(Affine { linear, translation }.after(&Affine::scaling(scale)))
}

/// What `extras` says: members that are text, numbers or flags.
fn properties(owner: Value<'_>) -> Option<Arc<BTreeMap<String, String>>> {
    let extras = owner.get("extras")?;
    let mut found = BTreeMap::new();
    for (name, value) in extras.members() {
        let text = match value.kind() {
            Kind::String => value.text().unwrap_or_default().into_owned(),
            Kind::Number | Kind::Boolean => value.raw().to_string(),
            Kind::Null | Kind::Array | Kind::Object => continue,
        };
        found.insert(name.into_owned(), text);
    }
    (!found.is_empty()).then(|| Arc::new(found))
}
