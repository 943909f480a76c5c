//! Bodies of every kind and rigid motions of every kind, each with what the judge has to know: how far a body reaches, and how fast a motion can be.

use crate::generate::dirty;
use impinge::geom::glam::DVec3;
use impinge::mesh::Mode;
use impinge::{Geometry, Mesh, Motion, MotionPath, Pose, RigidMotion, Shape};
use impinge_lab::Random;

/// A geometry within a ball around its origin.
pub(super) struct Body {
    pub(super) name: String,
    pub(super) geometry: Geometry,
    pub(super) reach: f64,
}

/// A motion with a speed that no point of its body exceeds, computed from how the motion was made and not by the kernel.
pub(super) struct Way {
    pub(super) motion: Box<dyn Motion>,
    pub(super) speed: f64,
    pub(super) name: String,
}

/// Sizes that often make bodies touch or fit exactly.
fn size(random: &mut Random) -> f64 {
    if random.one_in(3) { 0.25 * random.whole(1, 4) as f64 } else { random.between(0.02, 1.0) }
}

fn sizes(random: &mut Random) -> [f64; 3] {
    [(); 3].map(|()| size(random))
}

fn length(p: [f64; 3]) -> f64 {
    DVec3::from_array(p).length()
}

/// A convex shape.
pub(super) fn shape(random: &mut Random) -> Option<Body> {
    let [r, h, s] = sizes(random);
    let points = |random: &mut Random, count: i64| -> Vec<[f64; 3]> {
        (0..count).map(|_| if random.one_in(4) { random.grid(1) } else { random.point() }).collect()
    };
    let farthest = |points: &[[f64; 3]]| points.iter().map(|p| length(*p)).fold(0.0, f64::max);
    let kind = random.below(11);
    let (made, reach) = match kind {
        0 => (Shape::sphere(r), r),
        1 => (Shape::capsule(r, h), r + h),
        2 => (Shape::tapered_capsule(r, s, h), r + s + 2.0 * h),
        3 => (Shape::cuboid([r, h, s]), length([r, h, s])),
        4 => (Shape::cylinder(r, h), r + h),
        5 => (Shape::cone(r, h), r + 2.0 * h),
        6 => (Shape::ellipsoid([r, h, s]), r.max(h).max(s)),
        7 | 8 => {
            let count = random.whole(4, 24);
            let points = points(random, count);
            (Shape::hull(&points), farthest(&points))
        }
        9 => {
            let points = points(random, 3);
            (Shape::triangle([points[0], points[1], points[2]]), farthest(&points))
        }
        _ => {
            let ends = points(random, 2);
            (Shape::segment([ends[0], ends[1]]), farthest(&ends))
        }
    };
    let (shape, reach) = match random.one_in(6) {
        true => (made.ok()?.rounded(0.125).ok()?, reach + 0.125),
        false => (made.ok()?, reach),
    };
    let name = format!("{shape:?}");
    Some(Body { name, geometry: shape.into(), reach })
}

/// A mesh of up to 60 triangles as nobody wants them, or of some hundred; a surface or a solid.
pub(super) fn mesh(random: &mut Random) -> Option<Body> {
    let (name, vertices, triangles) = if random.one_in(8) {
        let (vertices, triangles) = bumpy(random);
        ("bumpy".to_string(), vertices, triangles)
    } else {
        let kinds = &dirty::Kind::ALL;
        let body = dirty::body(kinds[random.below(kinds.len() as u64) as usize], random);
        (body.kind.name().to_string(), body.vertices, body.triangles)
    };
    let farthest = vertices.iter().map(|p| length(*p)).fold(0.0, f64::max);
    // A power of two, so that what is flush stays so.
    let scale = if farthest > 0.0 { 0.5f64.powi(farthest.log2().ceil() as i32) } else { 1.0 };
    let vertices: Vec<_> = vertices.into_iter().map(|p| p.map(|x| x * scale)).collect();
    let mesh = Mesh::new(&vertices, &triangles).ok()?;
    let mode = if mesh.is_closed() && random.one_in(2) { Mode::Solid } else { Mode::Surface };
    Some(Body {
        name: format!("{name} {mode:?}"),
        geometry: Geometry::mesh(mesh, mode),
        reach: farthest * scale,
    })
}

/// A sphere with waves.
fn bumpy(random: &mut Random) -> (Vec<[f64; 3]>, Vec<[u32; 3]>) {
    let (rows, columns) = (random.whole(6, 16) as u32, random.whole(8, 32) as u32);
    let waves = random.between(0.0, 0.2);
    let mut vertices = Vec::new();
    for i in 0..=rows {
        for j in 0..columns {
            let u = std::f64::consts::PI * f64::from(i) / f64::from(rows);
            let v = std::f64::consts::TAU * f64::from(j) / f64::from(columns);
            let r = 1.0 + waves * (5.0 * u).sin() * (4.0 * v).cos();
            vertices.push([r * u.sin() * v.cos(), r * u.sin() * v.sin(), r * u.cos()]);
        }
    }
    let mut triangles = Vec::new();
    for i in 0..rows {
        for j in 0..columns {
            let (a, b) = (i * columns + j, i * columns + (j + 1) % columns);
            triangles.extend([[a, a + columns, b + columns], [a, b + columns, b]]);
        }
    }
    (vertices, triangles)
}

/// A motion of a body with this reach, mostly through the middle of things.
pub(super) fn way(random: &mut Random, reach: f64) -> Option<Way> {
    let grid = random.one_in(4);
    let vector = |random: &mut Random, size: f64| {
        let p = if grid { random.grid(4).map(|x| 0.25 * x) } else { random.point() };
        DVec3::from_array(p) * size
    };
    let start = vector(random, 3.0);
    let rotation = if grid { [1.0, 0.0, 0.0, 0.0] } else { random.quaternion() };
    let pose = Pose::new(rotation, start.to_array()).ok()?;
    let to_middle = vector(random, 1.5) - start * if grid { 2.0 } else { 1.5 };
    let half_turn = std::f64::consts::PI;
    let kind = random.below(8);
    let (motion, speed): (Box<dyn Motion>, f64) = match kind {
        0 => (Box::new(pose), 0.0),
        1 | 2 => (Box::new(RigidMotion::linear(&pose, to_middle).ok()?), to_middle.length()),
        3 | 4 => {
            let center = vector(random, 1.0);
            let turn = vector(random, if kind == 3 { 1.0 } else { 25.0 });
            let speed = to_middle.length() + turn.length() * (reach + center.length());
            (Box::new(RigidMotion::turning(&pose, center, to_middle, turn).ok()?), speed)
        }
        5 => {
            let (axis, point) = (DVec3::from_array(random.direction()), vector(random, 1.0));
            let (angle, advance) = (random.between(-7.0, 7.0), random.between(-2.0, 2.0));
            let off = start - point;
            let arm = (off - axis * axis.dot(off)).length();
            let speed = advance.abs() + angle.abs() * (arm + reach);
            (Box::new(RigidMotion::screw(&pose, axis, point, angle, advance).ok()?), speed)
        }
        6 => {
            let end = Pose::new(random.quaternion(), (start + to_middle).to_array()).ok()?;
            (Box::new(RigidMotion::between(&pose, &end)), to_middle.length() + half_turn * reach)
        }
        _ => {
            let mut frames = vec![(0.0, pose)];
            let mut speed = 0.0f64;
            let steps = random.whole(2, 5);
            for step in 1..=steps {
                let at = vector(random, 2.5);
                let way = at - frames[frames.len() - 1].1.translation();
                speed = speed.max((way.length() + half_turn * reach) * steps as f64);
                frames.push((step as f64, Pose::new(random.quaternion(), at.to_array()).ok()?));
            }
            (Box::new(MotionPath::through(&frames).ok()?), speed)
        }
    };
    let name = format!("kind {kind} from {start:?} by {to_middle:?}");
    // Room for the rounding of the poses.
    Some(Way { motion, speed: speed * (1.0 + 1e-9), name })
}
