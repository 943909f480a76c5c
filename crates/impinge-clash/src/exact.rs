//! Boxes, cylinders and balls as what they are, against each other and against meshes.
//!
//! Two of them are the kernel's business. Against a mesh, the verdict and the gap are those of [`mesh::shape`]; how deep a shape is in a mesh
//! that need not be convex is searched as [`mesh::penetration`] does it, along directions that the two bodies suggest, but the shape that is
//! tried is the exact one. For a ball there is a bound from below as well: its centre must come as far from the surface as its radius,
//! and nothing comes nearer or farther by more than it moves. Where both bounds agree the depth is exact.

use crate::model::{ModelPart, Primitive};
use crate::relation::Gap;
use impinge::geom::glam::DVec3;
use impinge::geom::pair::{self, Cache};
use impinge::geom::support::Support as _;
use impinge::geom::{Inside, Method, Pose, Shape, Verdict};
use impinge::mesh::{self, Instance, Mesh, Mode, Scratch, parting, shape};

/// Two bounds of a depth that differ by less than this part of it are one value.
const AGREE: f64 = 1e-9;

/// Two parts of which one at least is known exactly.
pub(crate) enum Pair<'p> {
    /// Two shapes, with B's pose in A's frame; `a` takes points to the world.
    Shapes { shapes: Box<[Shape; 2]>, b_in_a: Pose, a: &'p Instance },
    /// A mesh and a shape; all of it in the mesh's frame.
    Mesh { mesh: &'p ModelPart, shape: Box<Shape>, pose: Pose, mesh_is_second: bool },
}

impl<'p> Pair<'p> {
    /// None for two meshes.
    pub(crate) fn new(a: &'p ModelPart, b: &'p ModelPart) -> Option<Self> {
        let shape = |part: &ModelPart, factor: f64| part.primitive.and_then(|p| p.shape(factor));
        let (scale_a, scale_b) = (a.instance.scale(), b.instance.scale());
        if let (Some(one), Some(two)) = (shape(a, scale_a), shape(b, scale_b)) {
            let b_in_a = a.instance.pose().relative(b.instance.pose());
            return Some(Self::Shapes { shapes: Box::new([one, two]), b_in_a, a: &a.instance });
        }
        let beside = |mesh: &'p ModelPart, other: &ModelPart, mesh_is_second| {
            let relative = mesh.instance.relative(&other.instance);
            let shape = Box::new(shape(other, relative.scale)?);
            Some(Self::Mesh { mesh, shape, pose: relative.pose, mesh_is_second })
        };
        beside(a, b, false).or_else(|| beside(b, a, true))
    }

    /// How they stand to each other, and whether that is certain.
    pub(crate) fn verdict(&self, scratch: &mut Scratch) -> (Verdict, bool) {
        match self {
            Self::Shapes { shapes, b_in_a, .. } => {
                let [a, b] = &**shapes;
                (pair::verdict(a, b, b_in_a, &mut Cache::default()), true)
            }
            Self::Mesh { mesh, shape, pose, mesh_is_second } => {
                let (verdict, certain) = beside_mesh(mesh, shape, pose, scratch);
                (if *mesh_is_second { exchanged(verdict) } else { verdict }, certain)
            }
        }
    }

    /// The distance of what is apart or touches.
    pub(crate) fn gap(&self, scratch: &mut Scratch) -> Gap {
        match self {
            Self::Shapes { shapes, b_in_a, a } => {
                let [one, two] = &**shapes;
                let found = pair::distance(one, two, b_in_a, &mut Cache::default());
                let points = found.points.map(|p| a.pose().map(p));
                Gap::new(found.distance.max(0.0), found.method, points)
            }
            Self::Mesh { mesh, shape, pose, mesh_is_second } => {
                let found = shape::distance(mesh.instance.mesh(), shape, pose, scratch);
                let points = found.points.map(|p| mesh.instance.to_world(p));
                let points = if *mesh_is_second { [points[1], points[0]] } else { points };
                Gap::new(found.distance * mesh.instance.scale(), found.method, points)
            }
        }
    }

    /// The depth, negative, of what is in each other; none if no translation was found.
    pub(crate) fn depth(&self, scratch: &mut Scratch) -> Option<Gap> {
        match self {
            Self::Shapes { shapes, b_in_a, a } => {
                let [one, two] = &**shapes;
                let found = pair::signed_distance(one, two, b_in_a, &mut Cache::default())?;
                let points = found.points.map(|p| a.pose().map(p));
                Some(Gap::new(found.distance.min(0.0), found.method, points))
            }
            Self::Mesh { mesh, shape, pose, mesh_is_second } => {
                let mode = if mesh.closed { Mode::Solid } else { Mode::Surface };
                let mut search = Search { mesh: mesh.instance.mesh(), shape, pose, mode, scratch };
                let Gap { distance, points, .. } = search.run()?;
                let points = points.map(|p| mesh.instance.to_world(p));
                let points = if *mesh_is_second { [points[1], points[0]] } else { points };
                let value = distance.value * mesh.instance.scale();
                Some(Gap::new(value, distance.method, points))
            }
        }
    }
}

/// The corners of the box around a part that is known exactly, in the world.
pub(crate) fn corners(primitive: &Primitive, instance: &Instance) -> Option<[DVec3; 2]> {
    let shape = primitive.shape(instance.scale())?;
    let pose = instance.pose();
    let far = |along: DVec3| reach(&shape, pose, along);
    let high = DVec3::from_array(DVec3::AXES.map(far));
    let low = -DVec3::from_array(DVec3::AXES.map(|axis| far(-axis)));
    // Outward, for the rounding of the way there.
    let margin = (low.abs().max(high.abs()) + shape.bounding_radius()) * 4.0 * f64::EPSILON;
    Some([low - margin, high + margin])
}

/// How far a shape reaches along a direction.
fn reach(shape: &Shape, pose: &Pose, along: DVec3) -> f64 {
    let (core, radius) = shape.split();
    pose.map(core.support(pose.turn_back(along)).point).dot(along) + radius
}

fn exchanged(verdict: Verdict) -> Verdict {
    match verdict {
        Verdict::Contained(Inside::A) => Verdict::Contained(Inside::B),
        Verdict::Contained(Inside::B) => Verdict::Contained(Inside::A),
        other => other,
    }
}

/// How a mesh and a shape stand to each other. An open mesh is a surface, which may still lie in the shape.
fn beside_mesh(
    part: &ModelPart,
    shape: &Shape,
    pose: &Pose,
    scratch: &mut Scratch,
) -> (Verdict, bool) {
    let mesh = part.instance.mesh();
    let solid = |scratch: &mut Scratch| shape::verdict(mesh, shape, pose, Mode::Solid, scratch);
    if part.closed {
        let found = solid(scratch);
        return (found.verdict, found.method == Method::Exact);
    }
    let surface = shape::verdict(mesh, shape, pose, Mode::Surface, scratch).verdict;
    let within = Verdict::Contained(Inside::A);
    if surface == Verdict::Penetrating && solid(scratch).verdict == within {
        return (within, true);
    }
    (surface, true)
}

/// How a shape leaves a mesh, in the mesh's frame.
struct Search<'s> {
    mesh: &'s Mesh,
    shape: &'s Shape,
    pose: &'s Pose,
    mode: Mode,
    scratch: &'s mut Scratch,
}

impl Search<'_> {
    /// The depth and the points that part last.
    fn run(&mut self) -> Option<Gap> {
        let directions = self.directions().into_iter();
        let shadows = directions.map(|along| (self.shadow(along), along)).collect();
        let (along, depth) = parting::shortest(shadows, |by| self.is_apart(by))?;
        let translation = along * depth;
        let moved = self.moved(translation)?;
        let [on_mesh, on_shape] =
            shape::distance(self.mesh, self.shape, &moved, self.scratch).points;
        let exact = self.at_least().is_some_and(|least| depth <= least * (1.0 + AGREE));
        let method = if exact { Method::Exact } else { Method::Bound };
        Some(Gap::new(-depth, method, [on_mesh, on_shape - translation]))
    }

    /// How far the shape must go so that nothing of it is beside the mesh as seen along the direction.
    fn shadow(&self, along: DVec3) -> f64 {
        let far = self.mesh.vertices().iter().map(|p| p.dot(along));
        let of_mesh = far.fold(f64::NEG_INFINITY, f64::max);
        let of_shape = reach(self.shape, self.pose, -along);
        let size = of_mesh.abs().max(of_shape.abs());
        (of_mesh + of_shape).max(0.0) + size * 1e-15
    }

    /// Parted is what touches, too: for curved shapes that is a band around the surface.
    fn is_apart(&mut self, translation: DVec3) -> bool {
        let Some(moved) = self.moved(translation) else { return false };
        let found = shape::verdict(self.mesh, self.shape, &moved, self.mode, self.scratch).verdict;
        matches!(found, Verdict::Separated | Verdict::Touching)
    }

    fn moved(&self, by: DVec3) -> Option<Pose> {
        self.pose.with_translation((self.pose.translation() + by).to_array()).ok()
    }

    fn directions(&mut self) -> Vec<DVec3> {
        // The way to the nearest point comes first, so that nothing that is merely like it stands for it: it is what a ball needs.
        let center = self.pose.translation();
        let nearest = self.mesh.closest_point(center, self.scratch).point - center;
        let mut list = vec![nearest, -nearest];
        for axis in DVec3::AXES {
            let turned = self.pose.turn(axis);
            list.extend([axis, -axis, turned, -turned]);
        }
        self.normals(&mut list);
        parting::unlike(list)
    }

    /// The normals of the largest faces that the shape enters, both ways.
    fn normals(&mut self, list: &mut Vec<DVec3>) {
        let mut found = Vec::new();
        shape::triangles(self.mesh, self.shape, self.pose, self.scratch, &mut found);
        let normal = |(face, _): &(u32, Verdict)| {
            let triangle = self.mesh.triangles().get(*face as usize)?;
            let corner = |k: usize| self.mesh.vertices().get(triangle[k] as usize).copied();
            let (p, q, r) = (corner(0)?, corner(1)?, corner(2)?);
            Some((q - p).cross(r - p))
        };
        list.extend(parting::both_ways(found.iter().filter_map(normal).collect()));
    }

    /// A bound from below, for balls.
    fn at_least(&mut self) -> Option<f64> {
        let Shape::Sphere(ball) = self.shape else { return None };
        let center = self.pose.translation();
        let distance = self.mesh.closest_point(center, self.scratch).distance;
        let inside =
            self.mode == Mode::Solid && mesh::winding(self.mesh, center, self.scratch).is_inside();
        Some(ball.radius() + if inside { distance } else { -distance })
    }
}
