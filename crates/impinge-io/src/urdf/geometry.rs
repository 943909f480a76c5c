//! What links look like: meshes of other files, boxes, cylinders and balls.

use super::{origin, package};
use crate::error::{Error, ErrorKind};
use crate::loader::Loader;
use crate::options::RobotGeometry;
use crate::placement::Affine;
use crate::scene::{Bodies, Insertion, SceneData, ScenePart, ShapeData, Taken};
use crate::text::quoted;
use crate::unit::{Unit, UnitSource};
use crate::xml;
use roxmltree::Node;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Reads geometry, each file once.
pub(super) struct Geometry<'a> {
    loader: &'a Loader<'a>,
    path: &'a Path,
    file: &'a str,
    bodies: Bodies,
    read: HashMap<PathBuf, (SceneData, Taken)>,
}

impl<'a> Geometry<'a> {
    pub(super) fn new(loader: &'a Loader<'a>, path: &'a Path, file: &'a str) -> Self {
        Self { loader, path, file, bodies: Bodies::default(), read: HashMap::new() }
    }

    /// Adds the parts of a link under its node.
    pub(super) fn link(
        &mut self,
        link: Node<'_, '_>,
        node: usize,
        map: &Affine,
        scene: &mut SceneData,
    ) -> Result<(), Error> {
        let (first, second) = match self.loader.options.robot_geometry {
            RobotGeometry::Collision => ("collision", "visual"),
            RobotGeometry::Visual => ("visual", "collision"),
        };
        let mut elements: Vec<_> = xml::children(link, first).collect();
        if elements.is_empty() {
            elements = xml::children(link, second).collect();
            if !elements.is_empty() {
                let message =
                    format!("a link has no `{first}` geometry: its `{second}` geometry is used");
                scene.note(crate::scene::Severity::Note, self.file, message);
            }
        }
        let several = elements.len() > 1;
        for (index, element) in elements.into_iter().enumerate() {
            let Some(geometry) = xml::child(element, "geometry") else {
                let message = "the element has no `geometry`: add it";
                return Err(xml::error(element, ErrorKind::Malformed, message));
            };
            let own = scene.nodes.get(node).map_or_else(String::new, |node| node.name.clone());
            let name = match element.attribute("name").filter(|name| several && !name.is_empty()) {
                Some(name) => name.to_string(),
                None if several => format!("{own} #{index}"),
                None => own,
            };
            let material = xml::child(element, "material").and_then(|m| m.attribute("name"));
            let material: Arc<[String]> =
                material.filter(|name| !name.is_empty()).map(str::to_string).into_iter().collect();
            let place = Place { name, node, material, map: map.after(&origin(element)?) };
            self.shape(geometry, place, scene)?;
        }
        Ok(())
    }

    fn shape(
        &mut self,
        geometry: Node<'_, '_>,
        place: Place,
        scene: &mut SceneData,
    ) -> Result<(), Error> {
        let Some(shape) = geometry.children().find(Node::is_element) else {
            let message = "the `geometry` is empty: it needs a mesh, box, cylinder or sphere";
            return Err(xml::error(geometry, ErrorKind::Malformed, message));
        };
        let exact = match shape.tag_name().name() {
            "mesh" => return self.mesh(shape, place, scene),
            "box" => ShapeData::Box { size: sizes(shape, "size")? },
            "cylinder" => {
                let ([radius], [length]) = (sizes(shape, "radius")?, sizes(shape, "length")?);
                ShapeData::Cylinder { radius, length }
            }
            "sphere" => {
                let [radius] = sizes(shape, "radius")?;
                ShapeData::Sphere { radius }
            }
            other => {
                let message = format!(
                    "the geometry {} is not supported: use a mesh, box, cylinder or sphere",
                    quoted(other.as_bytes())
                );
                return Err(xml::error(shape, ErrorKind::Unsupported, message));
            }
        };
        let flat = match &exact {
            ShapeData::Box { size } => size.contains(&0.0),
            ShapeData::Cylinder { radius, length } => *radius == 0.0 || *length == 0.0,
            ShapeData::Sphere { radius } => *radius == 0.0,
            ShapeData::Mesh(_) => false,
        };
        if flat {
            scene.warn(self.file, "a shape of size 0 is left out");
            return Ok(());
        }
        self.loader.budget.parts(1, place.name.len())?;
        let index = match scene.shapes.iter().position(|known| *known == exact) {
            Some(index) if index < 256 => index,
            _ => {
                scene.shapes.push(exact);
                scene.shapes.len() - 1
            }
        };
        let placed = self.bodies.place(scene, index, &place.map, self.file, &self.loader.budget)?;
        if let Some((shape, placement)) = placed {
            scene.parts.push(ScenePart {
                name: place.name,
                node: place.node,
                shape,
                placement,
                materials: place.material,
                properties: Arc::default(),
                party: None,
                file: 0,
                unit: Unit::Metre,
            });
        }
        Ok(())
    }

    fn mesh(
        &mut self,
        mesh: Node<'_, '_>,
        place: Place,
        scene: &mut SceneData,
    ) -> Result<(), Error> {
        let uri = xml::required(mesh, "filename")?;
        let scale = xml::numbers(mesh, "scale")?.unwrap_or([1.0; 3]);
        let candidates = package::candidates(uri, self.path, self.loader.options);
        let path = candidates.iter().find(|path| self.loader.has_file(path)).or(candidates.first());
        let fault = |error: &Error| {
            let packaged = uri.starts_with("package:") || uri.starts_with("model:");
            let cure = if packaged {
                "give the folder that holds the package"
            } else {
                "put it there, or correct the name"
            };
            let message =
                format!("the mesh is in {}: {}; {cure}", quoted(uri.as_bytes()), error.message());
            xml::attribute_error(mesh, "filename", error.kind(), message)
        };
        let path = path.cloned().unwrap_or_default();
        if !self.read.contains_key(&path) {
            let known = self.loader.has_file(&path);
            let mut inner = match self.loader.load_mesh(&path) {
                Ok(inner) => inner,
                // A file that is there and damaged has an error of its own.
                Err(error) if known && error.kind() != ErrorKind::Io => return Err(error),
                Err(error) => return Err(fault(&error)),
            };
            let taken = scene.take_over(&mut inner);
            self.read.insert(path.clone(), (inner, taken));
        }
        let Some((inner, taken)) = self.read.get(&path) else { return Ok(()) };
        // ROS takes the numbers of mesh files as metres, whatever a comment says, but heeds the unit of COLLADA.
        let stated = inner.unit_source == UnitSource::File && is_collada(&path);
        let unit = if stated { inner.unit.metres() } else { 1.0 };
        let map = place.map.after(&Affine::scaling(scale.map(|value| value * unit)));
        let single = inner.parts.len() == 1;
        let insertion = Insertion {
            node: place.node,
            flat: true,
            map: &map,
            bodies: &mut self.bodies,
            budget: &self.loader.budget,
            file: self.file,
        };
        scene.insert(inner, *taken, insertion, |part| {
            if single {
                part.name.clone_from(&place.name);
            }
            if !place.material.is_empty() {
                part.materials = place.material.clone();
            }
            part.unit = Unit::Metre;
        })
    }
}

/// Where geometry goes, and what it is called.
struct Place {
    name: String,
    node: usize,
    material: Arc<[String]>,
    map: Affine,
}

fn is_collada(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("dae"))
}

/// Numbers that must be there and must not be negative.
fn sizes<const N: usize>(shape: Node<'_, '_>, name: &str) -> Result<[f64; N], Error> {
    xml::required(shape, name)?;
    let sizes = xml::numbers::<N>(shape, name)?.unwrap_or([0.0; N]);
    if sizes.iter().any(|&size| size < 0.0) {
        let message = format!("`{name}` is negative: sizes are lengths; correct it");
        return Err(xml::attribute_error(shape, name, ErrorKind::Number, message));
    }
    Ok(sizes)
}
