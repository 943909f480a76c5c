//! The parts to check, with a hierarchy over each mesh; parts that share a shape share it.

use crate::fingerprint::Fingerprint;
use crate::motion::Movement;
use crate::plan::ClashTest;
use crate::robot;
use impinge::geom::Support as _;
use impinge::geom::{self, DAabb, glam::DVec3};
use impinge::mesh::{Instance, Mesh, Mode};
use impinge::query::MeshPart;
use impinge::{Geometry, Pose, tree::parallel};
use impinge_io::{Adjacency, Placement, SceneData, SceneNode, ShapeData, Unit};
use impinge_robot::KinematicTree;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The parts of a scene, ready to be checked.
#[derive(Clone, Debug)]
pub struct Model {
    /// The unit of all coordinates.
    pub unit: Unit,
    /// The parts that can be checked.
    pub parts: Vec<ModelPart>,
    /// The joints of robots; its links are the nodes of the scene.
    pub robot: KinematicTree,
    /// The node tree of the files, whose nodes are the links.
    pub nodes: Arc<[SceneNode]>,
    /// Which parts touch by design: neighbouring links of a robot.
    pub adjacent: Adjacency,
    /// Parts that were left out, with the reason.
    pub left_out: Vec<String>,
    /// The variant that this is, if the scene has several.
    pub variant: Option<String>,
    /// How its parts move, if they do; they stand where that begins.
    pub motion: Option<Arc<Movement>>,
    /// The unit of lengths in sentences and tables; that of the coordinates by default.
    pub display_unit: Unit,
}

/// A part in its place.
#[derive(Clone, Debug)]
pub struct ModelPart {
    /// Its name in the file.
    pub name: String,
    /// The names above it and its own, joined by slashes; a number is added where the file has several with one path.
    pub path: String,
    /// The file it comes from.
    pub file: String,
    /// The names of its materials.
    pub materials: Arc<[String]>,
    /// What else the file says.
    pub properties: Arc<BTreeMap<String, String>>,
    /// Who is responsible for it.
    pub party: Option<Arc<str>>,
    /// The link of a robot that it belongs to.
    pub link: Option<usize>,
    /// Its mesh in its place; of a primitive, its tessellation, for pictures and wherever triangles are needed.
    pub instance: Instance,
    /// What it is exactly, if it is no mesh. It is about the origin of its frame; the instance's scale and pose hold for it too.
    pub primitive: Option<Primitive>,
    /// True if the mesh is closed: it has an inside.
    pub closed: bool,
    /// What queries take: the primitive, or the mesh as a surface and as a solid.
    pub(crate) geometry: [Geometry; 2],
    /// The mesh as a solid; of a primitive, its tessellation.
    pub(crate) mesh: MeshPart,
    /// The box around it, in the scene.
    pub bounds: DAabb,
    /// What its geometry and place look like as a number: equal for a part that was only renamed.
    pub fingerprint: u64,
}

/// A body that is known exactly.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Primitive {
    /// A box, with its lengths along x, y and z.
    Box([f64; 3]),
    /// A cylinder along z, with its radius and its length.
    Cylinder(f64, f64),
    /// A ball, with its radius.
    Sphere(f64),
}

impl Primitive {
    fn of(shape: &ShapeData) -> Option<Self> {
        match *shape {
            ShapeData::Mesh(_) => None,
            ShapeData::Box { size } => Some(Self::Box(size)),
            ShapeData::Cylinder { radius, length } => Some(Self::Cylinder(radius, length)),
            ShapeData::Sphere { radius } => Some(Self::Sphere(radius)),
        }
    }

    /// `box`, `cylinder` or `sphere`.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Box(_) => "box",
            Self::Cylinder(..) => "cylinder",
            Self::Sphere(_) => "sphere",
        }
    }

    /// The kernel's shape, enlarged by a factor; none if that is beyond what it accepts.
    pub(crate) fn shape(&self, factor: f64) -> Option<geom::Shape> {
        let half = 0.5 * factor;
        let shape = match *self {
            Self::Box(size) => geom::Shape::cuboid(size.map(|length| length * half)),
            Self::Cylinder(radius, length) => geom::Shape::cylinder(radius * factor, length * half),
            Self::Sphere(radius) => geom::Shape::sphere(radius * factor),
        };
        shape.ok()
    }
}

impl ModelPart {
    /// The part at another pose. Its box and fingerprint stay those of the old one.
    pub(crate) fn at(&self, pose: &Pose) -> Self {
        let (mesh, scale) = (self.instance.mesh().clone(), self.instance.scale());
        match Instance::new(mesh, *pose, scale) {
            Ok(instance) => Self { instance, ..self.clone() },
            // Beyond 2^200: where nothing else is.
            Err(_) => self.clone(),
        }
    }

    /// Puts the part at another pose, with its box. Its fingerprint stays.
    pub(crate) fn place(&mut self, pose: &Pose) {
        *self = self.at(pose);
        let shape = self.primitive.and_then(|primitive| primitive.shape(self.instance.scale()));
        self.bounds = match &shape {
            Some(shape) => exact_bounds(shape, self.pose()),
            None => {
                let points = self.instance.mesh().vertices().iter();
                DAabb::of_points(points.map(|&p| self.instance.to_world(p)))
            }
        };
    }

    /// True if triangles can only approximate it.
    pub fn is_round(&self) -> bool {
        matches!(self.primitive, Some(Primitive::Cylinder(..) | Primitive::Sphere(_)))
    }
}

impl Model {
    /// Builds a hierarchy for each shape that parts have, side by side.
    ///
    /// Nothing fails here: a part that cannot be checked, say one without triangles, is listed in `left_out`.
    pub fn new(scene: &SceneData) -> Self {
        let mut wanted = vec![false; scene.shapes.len()];
        for part in &scene.parts {
            if let Some(wanted) = wanted.get_mut(part.shape) {
                *wanted = true;
            }
        }
        let shapes: Vec<Result<Shape, String>> = shapes(scene, &wanted);
        let mut model = Self {
            unit: scene.unit,
            parts: Vec::new(),
            robot: KinematicTree::default(),
            nodes: scene.nodes.clone().into(),
            adjacent: Adjacency::default(),
            left_out: Vec::new(),
            variant: scene.variant.clone(),
            motion: None,
            display_unit: scene.unit,
        };
        let mut times: BTreeMap<String, usize> = BTreeMap::new();
        let (robot, links) = robot::read(scene, &mut model.left_out);
        model.robot = robot;
        let mut kept = Vec::with_capacity(scene.parts.len());
        for ((index, part), mut path) in scene.parts.iter().enumerate().zip(scene.part_paths()) {
            let count = times.entry(path.clone()).or_insert(0);
            *count += 1;
            if *count > 1 {
                path = format!("{path} #{count}");
            }
            let placed = match shapes.get(part.shape) {
                Some(Ok(shape)) => shape.placed(&part.placement),
                Some(Err(reason)) => Err(reason.clone()),
                None => Err("it has no shape".to_string()),
            };
            match placed {
                Ok(Placed { instance, primitive, geometry, mesh, bounds, fingerprint }) => {
                    kept.push(index);
                    let closed = instance.mesh().is_closed();
                    model.parts.push(ModelPart {
                        name: part.name.clone(),
                        path,
                        file: scene.part_file(index).to_string(),
                        materials: part.materials.clone(),
                        properties: part.properties.clone(),
                        party: part.party.clone(),
                        link: links.get(part.node).copied().flatten(),
                        instance,
                        primitive,
                        closed,
                        geometry,
                        mesh,
                        bounds,
                        fingerprint,
                    });
                }
                Err(reason) => model.left_out.push(format!("{path}: {reason}")),
            }
        }
        model.adjacent = scene.adjacency().of_parts(&kept);
        model
    }

    /// How many triangles there are, each instance counted.
    pub fn triangle_count(&self) -> usize {
        self.parts.iter().map(|part| part.instance.mesh().triangles().len()).sum()
    }

    /// The box around everything; at the origin if there is nothing.
    pub fn bounds(&self) -> DAabb {
        let boxes = self.parts.iter().map(|part| part.bounds);
        boxes.reduce(|a, b| a.joined(&b)).unwrap_or(DAabb::new(DVec3::ZERO, DVec3::ZERO))
    }
}

impl Model {
    /// The depth that is lost when coordinates of this model's size go through f32, as they do in most files: 2^-22 of the largest
    /// coordinate. Parts that were drawn flush overlap by no more.
    pub fn noise(&self) -> f64 {
        let DAabb { low, high } = self.bounds();
        low.abs().max(high.abs()).max_element() / f64::from(1 << 22)
    }

    /// The gap that a test takes for contact: as much as rounding may open between flush faces, unless its tolerance is smaller.
    pub(crate) fn flush(&self, test: &ClashTest) -> f64 {
        self.noise().min(self.tolerance(test))
    }

    /// The tolerance of a test in the unit of this model: its own, or the noise.
    pub(crate) fn tolerance(&self, test: &ClashTest) -> f64 {
        test.tolerance.map_or_else(|| self.noise(), |length| length.in_unit(self.unit))
    }
}

/// A mesh that parts share.
struct Shape {
    mesh: Arc<Mesh>,
    primitive: Option<Primitive>,
    fingerprint: u64,
}

/// A shape in its place.
struct Placed {
    instance: Instance,
    primitive: Option<Primitive>,
    geometry: [Geometry; 2],
    mesh: MeshPart,
    bounds: DAabb,
    fingerprint: u64,
}

fn shapes(scene: &SceneData, wanted: &[bool]) -> Vec<Result<Shape, String>> {
    let build = |index: usize| {
        if wanted.get(index) != Some(&true) {
            return Err("it is not used".to_string());
        }
        let Some(shape) = scene.shapes.get(index) else {
            return Err("it has no shape".to_string());
        };
        let made;
        let data = match shape {
            ShapeData::Mesh(data) => data,
            primitive => {
                made = primitive.to_mesh();
                &*made
            }
        };
        let mesh: Mesh = Mesh::new(&data.vertices, &data.triangles).map_err(|e| e.to_string())?;
        let mut fingerprint = Fingerprint::default();
        data.vertices.iter().for_each(|p| fingerprint.point(*p));
        data.triangles.iter().flatten().for_each(|&k| fingerprint.number(u64::from(k)));
        let primitive = Primitive::of(shape);
        Ok(Shape { mesh: Arc::new(mesh), primitive, fingerprint: fingerprint.value() })
    };
    parallel::tasks(scene.shapes.len(), build)
}

impl Shape {
    fn placed(&self, placement: &Placement) -> Result<Placed, String> {
        // Rows keep quarter turns exact, so that parts that are flush stay flush.
        let pose = Pose::from_rows(placement.rotation, placement.translation)
            .or_else(|_| Pose::new(placement.quaternion(), placement.translation))
            .map_err(|e| e.to_string())?;
        let instance =
            Instance::new(self.mesh.clone(), pose, placement.scale).map_err(|e| e.to_string())?;
        let points = self.mesh.vertices().iter().map(|&p| instance.to_world(p));
        let shape = self.primitive.and_then(|primitive| primitive.shape(placement.scale));
        let bounds = match &shape {
            Some(shape) => exact_bounds(shape, &pose),
            None => DAabb::of_points(points),
        };
        let mesh = MeshPart::new(self.mesh.clone(), Mode::Solid).with_scale(placement.scale);
        let mesh = mesh.map_err(|e| e.to_string())?;
        let geometry = match shape {
            Some(shape) => [Geometry::from(shape.clone()), shape.into()],
            None => [mesh.clone().with_mode(Mode::Surface).into(), mesh.clone().into()],
        };
        let mut fingerprint = Fingerprint::default();
        fingerprint.number(self.fingerprint);
        fingerprint.point(placement.translation);
        placement.quaternion().iter().for_each(|x| fingerprint.number(x.to_bits()));
        fingerprint.number(placement.scale.to_bits());
        let fingerprint = fingerprint.value();
        let primitive = self.primitive;
        Ok(Placed { instance, primitive, geometry, mesh, bounds, fingerprint })
    }
}

/// The box around a shape in the world.
fn exact_bounds(shape: &geom::Shape, pose: &Pose) -> DAabb {
    let (core, radius) = shape.split();
    let far = |along: DVec3| {
        pose.transform_point(core.support(pose.inverse_rotate(along)).point).dot(along) + radius
    };
    let high = DVec3::from_array(DVec3::AXES.map(far));
    let low = -DVec3::from_array(DVec3::AXES.map(|axis| far(-axis)));
    // Outward, for the rounding of the way there.
    let margin = (low.abs().max(high.abs()) + shape.bounding_radius()) * 4.0 * f64::EPSILON;
    DAabb::new(low - margin, high + margin)
}
