//! The face, edge or corner with which a core looks along a direction: what a contact manifold is clipped from.
//!
//! A face counts as supporting while its normal is within [`FACE_COSINE`] of the direction, an edge (or the straight line on the
//! side of a cylinder, cone or capsule) while it is within [`EDGE_SINE`] of perpendicular to it; else the core supports with a
//! point. Round caps are stood for by the octagon inscribed in their rim, whose corners are fixed in the body's frame.

use crate::answer::{Feature, FeatureKind};
use crate::number::length::length_and_unit;
use crate::number::tolerance::{EDGE_SINE, PARALLEL_LINES, SLIVER};
use crate::pair::feature::spanned;
use crate::pose::Pose;
use crate::shape::{Cone, Core, Cylinder, Hull, TaperedCapsule};
use crate::support::Support;
use glam::DVec3;

/// How a core supports along a direction, in its own frame.
#[derive(Clone, Copy, Debug)]
pub(super) enum Supporting {
    /// With a single point, which the signed distance already has.
    Point,
    /// With a straight line.
    Line(Line),
    /// With a flat, bounded face.
    Face { normal: DVec3, id: u32 },
    /// With the boundary of a plane or half-space.
    Unbounded { normal: DVec3 },
}

/// A straight line on the surface: the surface points are `ends + radii · normal`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line {
    pub(super) ends: [DVec3; 2],
    pub(super) ids: [u32; 2],
    /// Beside the radius of a rounded shape.
    pub(super) radii: [f64; 2],
    pub(super) normal: DVec3,
}

impl Line {
    /// True if the lines may touch in more than a point: the angle between them is small.
    pub(super) fn is_parallel(&self, other: &Self, other_pose: &Pose) -> bool {
        let unit = |v: DVec3| length_and_unit(v).map_or(DVec3::ZERO, |(_, unit)| unit);
        let first = unit(self.ends[1] - self.ends[0]);
        let second = other_pose.rotate(unit(other.ends[1] - other.ends[0]));
        // Seen along the contact normal the angle is another, but not by much.
        first.cross(second).length_squared() <= 4.0 * PARALLEL_LINES * PARALLEL_LINES
    }
}

/// A corner of a supporting face.
#[derive(Clone, Copy, Debug)]
pub(super) struct Corner {
    pub(super) point: DVec3,
    /// The vertex, or on curved bodies a number below, see [`corner_name`].
    pub(super) id: u32,
}

/// Where on a supporting face a point lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Spot {
    /// Not at the border.
    Inside,
    /// On the side that leaves this corner.
    Edge(u32),
    Corner(u32),
}

/// Corners of the octagon in a rim: those of the upper cap follow those of the lower one.
const RIM: u32 = 8;
/// The lower and the upper end of a line on a curved side.
const LINE_IDS: [u32; 2] = [2 * RIM, 2 * RIM + 1];

impl Supporting {
    /// How the core supports along a unit vector; faces count from the cosine on.
    #[inline]
    pub(super) fn of(core: &Core<'_>, direction: DVec3, cosine: f64) -> Self {
        match core {
            Core::Point | Core::Ellipsoid(_) | Core::Custom(_) => Self::Point,
            Core::Segment(core) => line(core.points(), [0, 1], direction),
            Core::Triangle(core) => triangle(&core.points(), direction, cosine),
            Core::Cuboid(core) => cuboid(core.half(), direction, cosine),
            Core::Hull(core) => hull(core, direction, cosine),
            Core::Cylinder(core) => cylinder(core, direction, cosine),
            Core::Cone(core) => cone(core, direction, cosine),
            Core::TaperedCapsule(core) => tapered_capsule(core, direction),
            Core::Plane(core) => Self::Unbounded { normal: turned(core.normal(), direction) },
            Core::HalfSpace(core) => Self::Unbounded { normal: turned(core.normal(), direction) },
        }
    }

    /// The outward normal of a flat, bounded face.
    #[inline]
    pub(super) fn face_normal(&self) -> Option<DVec3> {
        match self {
            Self::Face { normal, .. } => Some(*normal),
            _ => None,
        }
    }

    /// Fills the list with the corners of the face or line, counter-clockwise seen from outside.
    #[inline]
    pub(super) fn corners(&self, core: &Core<'_>, corners: &mut Vec<Corner>) {
        corners.clear();
        match (*self, core) {
            (Self::Line(line), _) => {
                corners.extend((0..2).map(|k| Corner { point: line.ends[k], id: line.ids[k] }));
            }
            (Self::Face { id, .. }, Core::Cuboid(core)) => {
                corners.extend(cuboid_face(core.half(), id));
            }
            (Self::Face { id, .. }, Core::Hull(core)) => {
                corners.extend(core.face(id).iter().filter_map(|vertex| {
                    let point = *core.vertices().get(*vertex as usize)?;
                    Some(Corner { point, id: *vertex })
                }));
            }
            (Self::Face { id, .. }, Core::Triangle(core)) => {
                let [p, q, r] = core.points();
                let order =
                    if id == 0 { [(p, 0), (q, 1), (r, 2)] } else { [(p, 0), (r, 2), (q, 1)] };
                corners.extend(order.map(|(point, id)| Corner { point, id }));
            }
            (Self::Face { id, .. }, Core::Cylinder(core)) => {
                corners.extend(rim(core.radius(), core.half_height(), id));
            }
            (Self::Face { id, .. }, Core::Cone(core)) => {
                let height = if id == 0 { core.half_height() } else { -core.half_height() };
                corners.extend(rim(core.radius(), height, id));
            }
            _ => {}
        }
    }

    /// The feature at a spot of the face.
    pub(super) fn name(&self, core: &Core<'_>, corners: &[Corner], spot: Spot) -> Feature {
        let id = |k: u32| corners.get(k as usize).map_or(0, |corner| corner.id);
        match (self, spot) {
            (Self::Point, _) => Feature::SURFACE,
            (Self::Unbounded { .. }, _) => Feature::face(0),
            (_, Spot::Corner(k)) => corner_name(core, id(k)),
            (Self::Line(line), _) => match core.is_polytope() {
                true => spanned(core, &line.ids),
                false => Feature::SURFACE,
            },
            (Self::Face { .. }, Spot::Edge(k)) => {
                let next = if k as usize + 1 < corners.len() { k + 1 } else { 0 };
                edge_name(core, [id(k), id(next)])
            }
            (Self::Face { id, .. }, Spot::Inside) => match core {
                Core::Triangle(_) => Feature::face(0),
                _ => Feature::face(*id),
            },
        }
    }
}

/// A corner's name. Corners of octagons in rims are surfaces from 1 on; a line on a curved side ends at rims or at an apex.
fn corner_name(core: &Core<'_>, id: u32) -> Feature {
    if core.is_polytope() {
        return Feature::vertex(id);
    }
    match (core, id.checked_sub(LINE_IDS[0])) {
        (Core::Cylinder(_), Some(end)) => Feature::edge(end),
        (Core::Cone(_), Some(0)) => Feature::edge(0),
        (Core::Cone(_), Some(_)) => Feature::vertex(0),
        _ => Feature { kind: FeatureKind::Surface, index: 1 + id },
    }
}

/// An edge's name; the sides of octagons are surfaces after their corners.
fn edge_name(core: &Core<'_>, ids: [u32; 2]) -> Feature {
    if core.is_polytope() {
        return spanned(core, &ids);
    }
    let (low, high) = (ids[0].min(ids[1]), ids[0].max(ids[1]));
    // The side that closes the octagon is named after its last corner.
    let first = if high - low == 1 { low } else { high };
    Feature { kind: FeatureKind::Surface, index: 1 + LINE_IDS[1] + 1 + first }
}

/// The normal on the side of the direction.
fn turned(normal: DVec3, direction: DVec3) -> DVec3 {
    if normal.dot(direction) < 0.0 { -normal } else { normal }
}

/// A segment that is almost perpendicular to the direction, else a point.
fn line(ends: [DVec3; 2], ids: [u32; 2], direction: DVec3) -> Supporting {
    let Some((_, along)) = length_and_unit(ends[1] - ends[0]) else { return Supporting::Point };
    let slope = along.dot(direction);
    if slope.abs() > EDGE_SINE {
        return Supporting::Point;
    }
    let normal = (direction - along * slope).normalize_or(direction);
    Supporting::Line(Line { ends, ids, radii: [0.0; 2], normal })
}

/// The most level edge from a vertex to one of its neighbours, if it is level enough.
fn level_edge(
    from: (DVec3, u32),
    neighbours: impl Iterator<Item = (DVec3, u32)>,
    direction: DVec3,
) -> Supporting {
    let mut best: Option<(f64, (DVec3, u32))> = None;
    for to in neighbours {
        let Some((_, along)) = length_and_unit(to.0 - from.0) else { continue };
        let slope = along.dot(direction).abs();
        if best.is_none_or(|(least, _)| slope < least) {
            best = Some((slope, to));
        }
    }
    let Some((_, to)) = best else { return Supporting::Point };
    // The smaller vertex first, so that the line is the same from both ends.
    let (first, second) = if from.1 < to.1 { (from, to) } else { (to, from) };
    line([first.0, second.0], [first.1, second.1], direction)
}

#[inline]
fn cuboid(half: DVec3, direction: DVec3, cosine: f64) -> Supporting {
    let (half, size) = (half.to_array(), direction.abs().to_array());
    let bits = direction.cmpge(DVec3::ZERO).bitmask();
    let axis = if size[0] >= size[1] && size[0] >= size[2] {
        0
    } else if size[1] >= size[2] {
        1
    } else {
        2
    };
    let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
    if size[axis] >= cosine && half[u] > 0.0 && half[v] > 0.0 {
        let side = bits >> axis & 1;
        let mut normal = [0.0; 3];
        normal[axis] = if side == 1 { 1.0 } else { -1.0 };
        let id = 2 * axis as u32 + side;
        return Supporting::Face { normal: DVec3::from_array(normal), id };
    }
    // The most level edge; where the box is flat, its face is an edge.
    let along = (0..3).filter(|k| half[*k] > 0.0).min_by(|i, j| size[*i].total_cmp(&size[*j]));
    let Some(along) = along else { return Supporting::Point };
    let ids = [bits & !(1 << along), bits | 1 << along];
    line(ids.map(|bits| cuboid_corner(half, bits)), ids, direction)
}

fn cuboid_corner(half: [f64; 3], bits: u32) -> DVec3 {
    let side = |k: usize| if bits >> k & 1 == 1 { half[k] } else { -half[k] };
    DVec3::new(side(0), side(1), side(2))
}

/// The four corners of a face of a box.
#[inline]
fn cuboid_face(half: DVec3, face: u32) -> [Corner; 4] {
    let (axis, side) = (face / 2 % 3, face & 1);
    let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
    let half = half.to_array();
    // The other way round on the negative side.
    let turns =
        if side == 1 { [[0, 0], [1, 0], [1, 1], [0, 1]] } else { [[0, 0], [0, 1], [1, 1], [1, 0]] };
    turns.map(|[x, y]: [u32; 2]| {
        let id = side << axis | x << u | y << v;
        Corner { point: cuboid_corner(half, id), id }
    })
}

fn triangle(points: &[DVec3; 3], direction: DVec3, cosine: f64) -> Supporting {
    let sides: [DVec3; 3] = std::array::from_fn(|k| points[(k + 1) % 3] - points[k]);
    let squares = sides.map(|side| side.length_squared());
    let longest = (0..3).fold(0, |best, k| if squares[k] > squares[best] { k } else { best });
    let normal = length_and_unit(sides[0].cross(sides[1]));
    match normal {
        Some((area, unit)) if area > SLIVER * squares[longest] => {
            let along = unit.dot(direction);
            if along.abs() >= cosine {
                let id = u32::from(along < 0.0);
                return Supporting::Face { normal: if id == 0 { unit } else { -unit }, id };
            }
            let vertex = crate::support::points_support(points, direction).vertex as usize % 3;
            let other = |k: usize| (points[(vertex + k) % 3], ((vertex + k) % 3) as u32);
            level_edge(other(0), [other(1), other(2)].into_iter(), direction)
        }
        _ => {
            let ids = [longest as u32, (longest as u32 + 1) % 3];
            line(ids.map(|id| points[id as usize]), ids, direction)
        }
    }
}

fn hull(hull: &Hull, direction: DVec3, cosine: f64) -> Supporting {
    let vertex = hull.support(direction).vertex;
    let mut best = (cosine, None);
    for &face in hull.vertex_faces(vertex) {
        let value = hull.face_normal(face).dot(direction);
        if value > best.0 || (value == best.0 && best.1.is_none_or(|old| face < old)) {
            best = (value, Some(face));
        }
    }
    if let Some(id) = best.1 {
        return Supporting::Face { normal: hull.face_normal(id), id };
    }
    let at = |vertex: u32| Some((*hull.vertices().get(vertex as usize)?, vertex));
    let Some(from) = at(vertex) else { return Supporting::Point };
    level_edge(from, hull.neighbours(vertex).iter().filter_map(|to| at(*to)), direction)
}

/// The octagon in the rim of the upper (`cap` 1) or lower (0) cap.
fn rim(radius: f64, half_height: f64, cap: u32) -> [Corner; RIM as usize] {
    let diagonal = std::f64::consts::FRAC_1_SQRT_2;
    let turns = [
        (1.0, 0.0),
        (diagonal, diagonal),
        (0.0, 1.0),
        (-diagonal, diagonal),
        (-1.0, 0.0),
        (-diagonal, -diagonal),
        (0.0, -1.0),
        (diagonal, -diagonal),
    ];
    let z = if cap == 1 { half_height } else { -half_height };
    std::array::from_fn(|k| {
        let place = if cap == 1 { k } else { turns.len() - 1 - k };
        let (x, y) = turns[place];
        let id = RIM * cap + place as u32;
        Corner { point: DVec3::new(radius * x, radius * y, z), id }
    })
}

/// The direction's unit vector away from the z axis.
fn away_from_axis(direction: DVec3) -> Option<DVec3> {
    length_and_unit(direction.with_z(0.0)).map(|(_, unit)| unit)
}

fn cylinder(core: &Cylinder, direction: DVec3, cosine: f64) -> Supporting {
    let (radius, height) = (core.radius(), core.half_height());
    if radius > 0.0 && direction.z.abs() >= cosine {
        let id = u32::from(direction.z >= 0.0);
        let normal = if id == 1 { DVec3::Z } else { DVec3::NEG_Z };
        return Supporting::Face { normal, id };
    }
    let Some(normal) = away_from_axis(direction) else { return Supporting::Point };
    if direction.z.abs() > EDGE_SINE || height == 0.0 {
        return Supporting::Point;
    }
    let ends = [-height, height].map(|z| (normal * radius).with_z(z));
    Supporting::Line(Line { ends, ids: LINE_IDS, radii: [0.0; 2], normal })
}

fn cone(core: &Cone, direction: DVec3, cosine: f64) -> Supporting {
    let (radius, height) = (core.radius(), core.half_height());
    // A cone without height is a disc with two sides.
    if radius > 0.0 && (-direction.z >= cosine || (height == 0.0 && direction.z >= cosine)) {
        let id = u32::from(direction.z >= 0.0);
        let normal = if id == 1 { DVec3::Z } else { DVec3::NEG_Z };
        return Supporting::Face { normal, id };
    }
    let Some(outwards) = away_from_axis(direction) else { return Supporting::Point };
    let ends = [(outwards * radius).with_z(-height), DVec3::new(0.0, 0.0, height)];
    let Some((_, along)) = length_and_unit(ends[1] - ends[0]) else { return Supporting::Point };
    if along.dot(direction).abs() > EDGE_SINE || height == 0.0 {
        return Supporting::Point;
    }
    // Across the line, in the plane of the axis and the direction.
    let across = length_and_unit(outwards * (2.0 * height) + DVec3::Z * radius);
    let normal = across.map_or(outwards, |(_, unit)| unit);
    Supporting::Line(Line { ends, ids: LINE_IDS, radii: [0.0; 2], normal })
}

/// The line along which a plane touches both balls.
fn tapered_capsule(core: &TaperedCapsule, direction: DVec3) -> Supporting {
    let length = 2.0 * core.half_height();
    let sine = if length > 0.0 { (core.bottom() - core.top()) / length } else { 1.0 };
    let Some(outwards) = away_from_axis(direction) else { return Supporting::Point };
    // Where one ball holds the other there is only the ball.
    if sine.abs() >= 1.0 {
        return Supporting::Point;
    }
    let cosine = (1.0 - sine * sine).sqrt();
    let normal = outwards * cosine + DVec3::Z * sine;
    let along = outwards * -sine + DVec3::Z * cosine;
    if along.dot(direction).abs() > EDGE_SINE {
        return Supporting::Point;
    }
    let ends = [-core.half_height(), core.half_height()].map(|z| DVec3::new(0.0, 0.0, z));
    Supporting::Line(Line { ends, ids: LINE_IDS, radii: [core.bottom(), core.top()], normal })
}
