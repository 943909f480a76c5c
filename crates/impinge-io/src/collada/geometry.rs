//! Meshes: positions by way of `vertices` and `source`, and lists of indices into several sources at once.

use super::{leave_out, target};
use crate::error::{Error, ErrorKind};
use crate::faces::{Faces, Fan};
use crate::loader::Loader;
use crate::mesh::MeshData;
use crate::number;
use crate::scene::{SceneData, ShapeData};
use crate::text::quoted;
use crate::weld::Welder;
use crate::xml;
use roxmltree::{Node, NodeId};
use std::collections::HashMap;

/// Geometries that were read.
pub(super) struct Geometries<'r, 'a, 'i> {
    ids: &'r HashMap<&'a str, Node<'a, 'i>>,
    read: HashMap<NodeId, Option<usize>>,
}

impl<'r, 'a, 'i> Geometries<'r, 'a, 'i> {
    pub(super) fn new(ids: &'r HashMap<&'a str, Node<'a, 'i>>) -> Self {
        Self { ids, read: HashMap::new() }
    }

    /// The shape of a geometry; none if it has no triangles.
    pub(super) fn shape(
        &mut self,
        geometry: Node<'a, 'i>,
        loader: &Loader<'_>,
        file: &str,
        scene: &mut SceneData,
    ) -> Result<Option<usize>, Error> {
        if let Some(shape) = self.read.get(&geometry.id()) {
            return Ok(*shape);
        }
        let mesh = match xml::child(geometry, "mesh") {
            Some(mesh) => self.mesh(mesh, loader, file, scene)?,
            None => {
                leave_out(scene, file, "a geometry that is not a mesh is");
                MeshData::default()
            }
        };
        let shape = (!mesh.triangles.is_empty()).then(|| {
            scene.shapes.push(ShapeData::Mesh(mesh));
            scene.shapes.len() - 1
        });
        self.read.insert(geometry.id(), shape);
        Ok(shape)
    }

    fn mesh(
        &self,
        mesh: Node<'a, 'i>,
        loader: &Loader<'_>,
        file: &str,
        scene: &mut SceneData,
    ) -> Result<MeshData, Error> {
        let mut welder = Welder::with_room(0);
        let mut triangles = Vec::new();
        let mut positions: HashMap<NodeId, Vec<[f64; 3]>> = HashMap::new();
        for element in mesh.children().filter(Node::is_element) {
            let kind = match element.tag_name().name() {
                "triangles" => Kind::Triangles,
                "polylist" => Kind::Counted,
                "polygons" => Kind::Each,
                "trifans" => Kind::Fans,
                "tristrips" => Kind::Strips,
                "lines" | "linestrips" => {
                    leave_out(scene, file, "a primitive of lines is");
                    continue;
                }
                _ => continue,
            };
            let corners = Corners::of(element)?;
            let Some(input) = corners.vertices else {
                leave_out(scene, file, "a primitive without vertices is");
                continue;
            };
            let source = self.source(input)?;
            let points = match positions.entry(source.id()) {
                std::collections::hash_map::Entry::Occupied(known) => known.into_mut(),
                std::collections::hash_map::Entry::Vacant(new) => {
                    new.insert(self.positions(source)?)
                }
            };
            let mut faces = faces(element, kind, &corners)?;
            faces
                .check(points.len(), 0)
                .map_err(|(_, message)| xml::error(element, ErrorKind::Index, message))?;
            if kind != Kind::Fans {
                scene.warn_crossed(file, faces.split_polygons(points));
            }
            loader.budget.elements(faces.triangles.len())?;
            for triangle in faces.triangles {
                let mut new = [0; 3];
                for (slot, corner) in new.iter_mut().zip(triangle) {
                    *slot = welder.index(points[corner as usize]).ok_or_else(|| {
                        xml::error(element, ErrorKind::TooMany, number::too_many("vertices"))
                    })?;
                }
                triangles.push(new);
            }
        }
        loader.budget.elements(welder.vertices.len())?;
        Ok(MeshData::new(welder.vertices, triangles))
    }

    /// The source of positions behind an input of vertices.
    fn source(&self, input: Node<'a, 'i>) -> Result<Node<'a, 'i>, Error> {
        let vertices = target(self.ids, input, "vertices")?;
        let position = xml::children(vertices, "input")
            .find(|input| input.attribute("semantic") == Some("POSITION"));
        let Some(position) = position else {
            let message =
                "the `vertices` have no input POSITION: the file is damaged; export it again";
            return Err(xml::error(vertices, ErrorKind::Malformed, message));
        };
        target(self.ids, position, "source")
    }

    /// The positions of a source: every `stride` numbers, three of them.
    fn positions(&self, source: Node<'a, 'i>) -> Result<Vec<[f64; 3]>, Error> {
        let Some(array) = xml::child(source, "float_array") else {
            let message = "the source has no `float_array`: the file is damaged; export it again";
            return Err(xml::error(source, ErrorKind::Malformed, message));
        };
        let accessor = xml::child(source, "technique_common")
            .and_then(|common| xml::child(common, "accessor"));
        let stride = accessor.and_then(|accessor| accessor.attribute("stride"));
        let stride = stride.map_or(Some(3), |text| text.trim().parse::<usize>().ok());
        let Some(stride) = stride.filter(|stride| (3..=64).contains(stride)) else {
            let message =
                "positions need a `stride` of 3 or more: the file is damaged; export it again";
            return Err(xml::error(source, ErrorKind::Malformed, message));
        };
        let mut positions = Vec::new();
        let mut position = [0.0; 3];
        for (index, word) in array.text().unwrap_or_default().split_ascii_whitespace().enumerate() {
            let axis = index % stride;
            if axis < 3 {
                position[axis] = number::coordinate(word.as_bytes()).map_err(|reason| {
                    let message = format!(
                        "number {index} of the list, {}, {reason}",
                        quoted(word.as_bytes())
                    );
                    xml::error(array, ErrorKind::Number, message)
                })?;
            }
            if axis + 1 == stride {
                positions.push(position);
            }
        }
        if positions.len() >= u32::MAX as usize {
            return Err(xml::error(array, ErrorKind::TooMany, number::too_many("vertices")));
        }
        Ok(positions)
    }
}

/// How indices make faces.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Triangles,
    /// Polygons whose corners are counted by `vcount`.
    Counted,
    /// A polygon in each `p`.
    Each,
    Fans,
    Strips,
}

/// Where the vertex is among the indices of a corner.
struct Corners<'a, 'i> {
    vertices: Option<Node<'a, 'i>>,
    offset: usize,
    stride: usize,
}

impl<'a, 'i> Corners<'a, 'i> {
    fn of(element: Node<'a, 'i>) -> Result<Self, Error> {
        let mut corners = Self { vertices: None, offset: 0, stride: 1 };
        for input in xml::children(element, "input") {
            let offset = input.attribute("offset").unwrap_or("0").trim().parse::<usize>().ok();
            let Some(offset) = offset.filter(|&offset| offset < 256) else {
                let message = "the `offset` is not a small whole number: the file is damaged; export it again";
                return Err(xml::attribute_error(input, "offset", ErrorKind::Malformed, message));
            };
            corners.stride = corners.stride.max(offset + 1);
            if input.attribute("semantic") == Some("VERTEX") {
                corners.vertices = Some(input);
                corners.offset = offset;
            }
        }
        Ok(corners)
    }

    /// The vertices that the text of an element names.
    fn vertices<'e>(&self, list: Node<'e, '_>) -> impl Iterator<Item = Result<u32, Error>> {
        let (offset, stride) = (self.offset, self.stride);
        let words = list.text().unwrap_or_default().split_ascii_whitespace();
        words.enumerate().filter(move |(index, _)| index % stride == offset).map(
            move |(_, word)| {
                let index =
                    number::integer(word.as_bytes()).and_then(|index| u32::try_from(index).ok());
                index.ok_or_else(|| {
                    let message = format!(
                        "{} is not a vertex index: the file is damaged; export it again",
                        quoted(word.as_bytes())
                    );
                    xml::error(list, ErrorKind::Malformed, message)
                })
            },
        )
    }
}

/// All faces of a primitive as triangles.
fn faces(element: Node<'_, '_>, kind: Kind, corners: &Corners<'_, '_>) -> Result<Faces, Error> {
    let mut faces = Faces::default();
    if xml::child(element, "ph").is_some() {
        let message = "polygons with holes are not supported: export the model as triangles";
        return Err(xml::error(element, ErrorKind::Unsupported, message));
    }
    let mut counts = xml::child(element, "vcount")
        .and_then(|counts| counts.text())
        .unwrap_or_default()
        .split_ascii_whitespace();
    for list in xml::children(element, "p") {
        let mut fan = Fan::default();
        let mut strip = [0; 2];
        let mut left = 0u64;
        for (position, index) in corners.vertices(list).enumerate() {
            let index = index?;
            if kind == Kind::Strips {
                faces.note(index, list.range().start.max(1));
                let [a, b] = strip;
                let triangle = if position % 2 == 0 { [a, b, index] } else { [b, a, index] };
                if position >= 2 && a != b && b != index && a != index {
                    faces.add_triangle(triangle);
                }
                strip = [b, index];
                continue;
            }
            let new = match kind {
                Kind::Triangles => position % 3 == 0,
                Kind::Counted => left == 0,
                _ => false,
            };
            if new {
                fan = Fan::default();
                if kind == Kind::Counted {
                    let count = counts.next().and_then(|word| word.parse::<u64>().ok());
                    let Some(count) = count.filter(|&count| count > 0) else {
                        let message = "there are more corners than `vcount` states: the file is damaged; export it again";
                        return Err(xml::error(element, ErrorKind::Malformed, message));
                    };
                    left = count;
                }
            }
            left = left.saturating_sub(1);
            faces.add_corner(&mut fan, index, list.range().start.max(1));
        }
        if left > 0 {
            let message = "there are fewer corners than `vcount` states: the file is damaged; export it again";
            return Err(xml::error(element, ErrorKind::Truncated, message));
        }
    }
    Ok(faces)
}
