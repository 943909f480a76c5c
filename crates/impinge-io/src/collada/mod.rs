//! COLLADA: the triangles and polygons of its geometries, in the places of its visual scene.
//!
//! After the specification of the Khronos Group (COLLADA 1.4.1, 2008; 1.5 differs in nothing that is read here): elements name
//! each other by `#id`. `geometry.rs` reads meshes, this file the nodes and their transforms, which apply in the order in
//! which they stand. Skins, splines and convex meshes are left out, with a note. Coordinates stay as they are: the up axis is
//! not turned.

mod geometry;

use crate::angle::sine_cosine_of_degrees;
use crate::error::{Error, ErrorKind};
use crate::loader::Loader;
use crate::number;
use crate::placement::{Affine, IDENTITY, rotation_about, unit_vector};
use crate::scene::{Bodies, SceneData, ScenePart, Severity};
use crate::text::quoted;
use crate::unit::{Unit, UnitSource};
use crate::xml;
use geometry::Geometries;
use roxmltree::Node;
use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

/// How deep nodes may stand in each other: more is a circle.
const DEEPEST: usize = 500;

/// Reads a file.
pub(crate) fn parse(loader: &Loader<'_>, bytes: &[u8], path: &Path) -> Result<SceneData, Error> {
    let text = xml::text(bytes)?;
    let document = xml::parse(text)?;
    let root = document.root_element();
    if root.tag_name().name() != "COLLADA" {
        let message = format!(
            "the root element is {}, not `COLLADA`: the file is in another format",
            quoted(root.tag_name().name().as_bytes())
        );
        return Err(xml::error(root, ErrorKind::Malformed, message));
    }
    let name = path.display().to_string();
    let (unit, metres) = unit(root)?;
    let mut scene = SceneData {
        files: vec![name.clone()],
        unit,
        unit_source: UnitSource::File,
        ..SceneData::default()
    };
    let mut ids = HashMap::new();
    for element in root.descendants().filter(Node::is_element) {
        if let Some(id) = element.attribute("id") {
            ids.entry(id).or_insert(element);
        }
    }
    let mut reader = Reader {
        loader,
        file: &name,
        ids: &ids,
        geometries: Geometries::new(&ids),
        bodies: Bodies::default(),
        waiting: Vec::new(),
    };
    // A unit that has no name: the scene is in metres, and the map says how many.
    let map = Affine::scaling([metres / unit.metres(); 3]);
    let map = if unit.metres() == metres { Affine::IDENTITY } else { map };
    let stem =
        path.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
    let top = scene.add_node(stem, None);
    for element in reader.shown(root)?.into_iter().rev() {
        reader.waiting.push(Waiting { element, parent: top, map, depth: 0 });
    }
    while let Some(next) = reader.waiting.pop() {
        reader.visit(next, &mut scene)?;
    }
    if scene.parts.is_empty() {
        scene.warn(&name, "the file shows no triangles, so there are no parts");
    }
    Ok(scene)
}

/// The unit that `asset` states, and its metres; metres if it is left out.
fn unit(root: Node<'_, '_>) -> Result<(Unit, f64), Error> {
    let element = xml::child(root, "asset").and_then(|asset| xml::child(asset, "unit"));
    let Some(element) = element else { return Ok((Unit::Metre, 1.0)) };
    let [metres] = xml::numbers(element, "meter")?.unwrap_or([1.0]);
    if !(1e-12..=1e12).contains(&metres) {
        let message = "`meter` must be greater than 0: it is the length of the unit in metres";
        return Err(xml::attribute_error(element, "meter", ErrorKind::Number, message));
    }
    Ok(Unit::of_metres(metres).map_or((Unit::Metre, metres), |unit| (unit, unit.metres())))
}

/// A node or geometry that is to be visited, and the transform above it.
struct Waiting<'a, 'i> {
    element: Node<'a, 'i>,
    parent: usize,
    map: Affine,
    depth: usize,
}

struct Reader<'r, 'a, 'i> {
    loader: &'r Loader<'r>,
    file: &'r str,
    ids: &'r HashMap<&'a str, Node<'a, 'i>>,
    geometries: Geometries<'r, 'a, 'i>,
    bodies: Bodies,
    waiting: Vec<Waiting<'a, 'i>>,
}

impl<'a, 'i> Reader<'_, 'a, 'i> {
    /// What the file shows: the nodes of its scene, or all geometries if it has none.
    fn shown(&self, root: Node<'a, 'i>) -> Result<Vec<Node<'a, 'i>>, Error> {
        let instance =
            xml::child(root, "scene").and_then(|scene| xml::child(scene, "instance_visual_scene"));
        let visual = match instance {
            Some(instance) => Some(target(self.ids, instance, "visual_scene")?),
            None => xml::child(root, "library_visual_scenes")
                .and_then(|library| xml::child(library, "visual_scene")),
        };
        Ok(match visual {
            Some(visual) => xml::children(visual, "node").collect(),
            None => xml::children(root, "library_geometries")
                .flat_map(|library| xml::children(library, "geometry"))
                .collect(),
        })
    }

    fn visit(&mut self, next: Waiting<'a, 'i>, scene: &mut SceneData) -> Result<(), Error> {
        let Waiting { element, parent, map, depth } = next;
        if depth > DEEPEST {
            let message = format!(
                "nodes are nested {DEEPEST} levels deep: a node contains itself; export it again"
            );
            return Err(xml::error(element, ErrorKind::Malformed, message));
        }
        let name = element.attribute("name").or_else(|| element.attribute("id"));
        let name = name.filter(|name| !name.is_empty()).unwrap_or("node");
        self.loader.budget.parts(1, name.len())?;
        let node = scene.add_node(name.to_string(), Some(parent));
        if element.tag_name().name() == "geometry" {
            return self.add(element, name, Arc::default(), node, &map, scene);
        }
        let map = map.after(&transform(element)?);
        let first = self.waiting.len();
        for child in element.children().filter(Node::is_element) {
            match child.tag_name().name() {
                "node" => self.waiting.push(Waiting {
                    element: child,
                    parent: node,
                    map,
                    depth: depth + 1,
                }),
                "instance_node" => {
                    let element = target(self.ids, child, "node")?;
                    self.waiting.push(Waiting { element, parent: node, map, depth: depth + 1 });
                }
                "instance_geometry" => {
                    let geometry = target(self.ids, child, "geometry")?;
                    self.add(geometry, name, materials(self.ids, child), node, &map, scene)?;
                }
                "instance_controller" => scene.warn(self.file, "a skinned mesh is left out"),
                _ => {}
            }
        }
        self.waiting[first..].reverse();
        Ok(())
    }

    fn add(
        &mut self,
        geometry: Node<'a, 'i>,
        name: &str,
        materials: Arc<[String]>,
        node: usize,
        map: &Affine,
        scene: &mut SceneData,
    ) -> Result<(), Error> {
        let Some(shape) = self.geometries.shape(geometry, self.loader, self.file, scene)? else {
            return Ok(());
        };
        self.loader.budget.parts(1, name.len())?;
        let placed = self.bodies.place(scene, shape, map, self.file, &self.loader.budget)?;
        if let Some((shape, placement)) = placed {
            scene.parts.push(ScenePart {
                name: name.to_string(),
                node,
                shape,
                placement,
                materials,
                properties: Arc::default(),
                party: None,
                file: 0,
                unit: scene.unit,
            });
        }
        Ok(())
    }
}

/// The element that an element names by `url` or `source`, which must be of a kind.
fn target<'a, 'i>(
    ids: &HashMap<&'a str, Node<'a, 'i>>,
    element: Node<'a, 'i>,
    kind: &str,
) -> Result<Node<'a, 'i>, Error> {
    let attribute = if element.has_attribute("url") { "url" } else { "source" };
    let uri = xml::required(element, attribute)?;
    let found = uri.strip_prefix('#').and_then(|id| ids.get(id));
    match found {
        Some(found) if found.tag_name().name() == kind => Ok(*found),
        _ => {
            let message = format!(
                "the file has no {kind} {}: it is damaged; export it again",
                quoted(uri.as_bytes())
            );
            Err(xml::attribute_error(element, attribute, ErrorKind::Index, message))
        }
    }
}

/// The materials that an instance binds, by their names or else their ids.
fn materials(ids: &HashMap<&str, Node<'_, '_>>, instance: Node<'_, '_>) -> Arc<[String]> {
    let mut names: Vec<String> = Vec::new();
    for bound in instance.descendants().filter(|n| n.tag_name().name() == "instance_material") {
        let target = bound.attribute("target").or_else(|| bound.attribute("symbol"));
        let id = target.unwrap_or_default().trim_start_matches('#');
        let name = ids.get(id).and_then(|material| material.attribute("name")).unwrap_or(id);
        if names.len() < 16 && !name.is_empty() && !names.iter().any(|known| known == name) {
            names.push(name.to_string());
        }
    }
    names.into()
}

/// The transform of a node: all of its elements, in order.
fn transform(node: Node<'_, '_>) -> Result<Affine, Error> {
    let mut map = Affine::IDENTITY;
    for element in node.children().filter(Node::is_element) {
        let own = match element.tag_name().name() {
            "matrix" => {
                let m: [f64; 16] = numbers_in(element)?;
                let row = |i: usize| [m[4 * i], m[4 * i + 1], m[4 * i + 2]];
                Affine { linear: [row(0), row(1), row(2)], translation: [m[3], m[7], m[11]] }
            }
            "translate" => Affine { linear: IDENTITY, translation: numbers_in(element)? },
            "scale" => Affine::scaling(numbers_in(element)?),
            "rotate" => {
                let [x, y, z, degrees] = numbers_in(element)?;
                let axis = unit_vector([x, y, z]).unwrap_or([0.0, 0.0, 1.0]);
                let linear = rotation_about(axis, sine_cosine_of_degrees(degrees));
                Affine { linear, translation: [0.0; 3] }
            }
            "skew" | "lookat" => {
                let message =
                    "`skew` and `lookat` are not supported: export the model with matrices";
                return Err(xml::error(element, ErrorKind::Unsupported, message));
            }
            _ => continue,
        };
        map = map.after(&own);
    }
    Ok(map)
}

/// The numbers that are the text of an element, exactly the given number.
fn numbers_in<const N: usize>(element: Node<'_, '_>) -> Result<[f64; N], Error> {
    let mut result = [0.0; N];
    let mut words = element.text().unwrap_or_default().split_ascii_whitespace();
    for slot in &mut result {
        let word = words.next().unwrap_or_default();
        *slot = number::coordinate(word.as_bytes()).map_err(|reason| {
            let message = if word.is_empty() {
                format!("{N} numbers are required here: the file is damaged; export it again")
            } else {
                format!("{} {reason}", quoted(word.as_bytes()))
            };
            xml::error(element, ErrorKind::Number, message)
        })?;
    }
    Ok(result)
}

/// Says once that something is left out.
fn leave_out(scene: &mut SceneData, file: &str, what: &str) {
    scene.note(Severity::Warning, file, format!("{what} left out"));
}
