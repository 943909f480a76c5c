//! How much room two solids share, by parallel rays.

use super::{Mesh, ScaledPose, Scratch};
use impinge_geom::bound::Bound;
use impinge_geom::glam::DVec3;
use impinge_geom::ray::Ray;
use impinge_geom::{Certainty, DAabb};

/// The volume that two solids share.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct CommonVolume {
    /// In A's unit, cubed.
    pub volume: f64,
    /// The difference between the estimates of alternate rays: a measure of the error, not a bound.
    pub spread: f64,
    /// Exact if the bounding boxes do not overlap; otherwise an estimate.
    pub certainty: Certainty,
}

/// The volume that two closed meshes share, estimated with a grid of `resolution`² rays through the intersection of their boxes, along its
/// thinnest side.
///
/// The error falls roughly in proportion to the resolution; for axis-aligned boxes there is none. `None` if a mesh is open, and so has no
/// volume, or if the resolution is zero.
///
/// ```
/// use impinge::{Pose, geom::Certainty, mesh::{self, Mesh, Scratch}};
/// let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
/// let faces = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
/// let mesh: Mesh = Mesh::new(&corners, &faces)?;
/// let mut scratch = Scratch::default();
/// let found = mesh::common_volume(&mesh, &mesh, &Pose::IDENTITY.into(), 64, &mut scratch).unwrap();
/// assert!((found.volume - 1.0 / 6.0).abs() < 2e-3 && found.certainty == Certainty::Estimate);
/// let open: Mesh = Mesh::new(&corners, &faces[1..])?;
/// assert!(mesh::common_volume(&mesh, &open, &Pose::IDENTITY.into(), 64, &mut scratch).is_none());
/// # Ok::<(), mesh::MeshError>(())
/// ```
pub fn common_volume<B: Bound>(
    a: &Mesh<B>,
    b: &Mesh<B>,
    b_in_a: &ScaledPose,
    resolution: u32,
    scratch: &mut Scratch,
) -> Option<CommonVolume> {
    if resolution == 0 || !a.is_closed() || !b.is_closed() {
        return None;
    }
    let of_a = DAabb::of_points(a.vertices().iter().copied());
    let of_b = DAabb::of_points(b.vertices().iter().map(|&p| b_in_a.transform_point(p)));
    let (low, high) = (of_a.low.max(of_b.low), of_a.high.min(of_b.high));
    let size = high - low;
    if size.min_element() <= 0.0 {
        return Some(CommonVolume { volume: 0.0, spread: 0.0, certainty: Certainty::Exact });
    }
    let thin = if size.x <= size.y && size.x <= size.z {
        0
    } else if size.y <= size.z {
        1
    } else {
        2
    };
    let (u, v) = ((thin + 1) % 3, (thin + 2) % 3);
    let steps = f64::from(resolution);
    let cell = size[u] / steps * (size[v] / steps);
    let back = b_in_a.pose.inverse();
    let (mut sum, mut halves) = (0.0, [0.0; 2]);
    let (mut hits_a, mut hits_b) = (Vec::new(), Vec::new());
    for i in 0..resolution {
        for j in 0..resolution {
            let mut from = low;
            from[u] += size[u] * (f64::from(i) + WITHIN[0]) / steps;
            from[v] += size[v] * (f64::from(j) + WITHIN[1]) / steps;
            // From outside of both, so that what is met first is entered.
            from[thin] = of_a.low[thin].min(of_b.low[thin]) - size[thin];
            let mut along = DVec3::ZERO;
            along[thin] = 1.0;
            crossings(a, from, along, scratch, &mut hits_a);
            let there = back.transform_point(from) / b_in_a.scale;
            let toward = back.rotate(along) / b_in_a.scale;
            crossings(b, there, toward, scratch, &mut hits_b);
            let share = common_length(&hits_a, &hits_b) * cell;
            sum += share;
            halves[((i + j) % 2) as usize] += share;
        }
    }
    let spread = (halves[0] - halves[1]).abs();
    Some(CommonVolume { volume: sum, spread, certainty: Certainty::Estimate })
}

/// Where in its cell a ray goes: near the middle, and not where edges of regular bodies are, since a ray along an edge meets the faces on both
/// sides of it.
const WITHIN: [f64; 2] = [0.517_639, 0.482_963];

/// Where the ray is inside, as ascending pairs of t: the winding number along it is not zero there.
fn crossings<B: Bound>(
    mesh: &Mesh<B>,
    origin: DVec3,
    direction: DVec3,
    scratch: &mut Scratch,
    inside: &mut Vec<[f64; 2]>,
) {
    inside.clear();
    let Ok(ray) = Ray::new(origin.to_array(), direction.to_array()) else { return };
    let mut hits = Vec::new();
    mesh.cast_ray_all(&ray, scratch, &mut hits);
    // A ray that seems to end inside met an edge after all; it is left out.
    let (mut winding, mut from) = (0i32, 0.0);
    for hit in hits {
        let [p, q, r] = mesh.corners(hit.triangle);
        let facing = (q - p).cross(r - p).dot(direction);
        let before = winding;
        // Along the ray one enters where the normal looks back.
        winding += i32::from(facing < 0.0) - i32::from(facing > 0.0);
        if before == 0 && winding != 0 {
            from = hit.hit.t;
        }
        if before != 0 && winding == 0 {
            inside.push([from, hit.hit.t]);
        }
    }
    if winding != 0 {
        inside.clear();
    }
}

/// The common length of two ascending lists of intervals.
fn common_length(a: &[[f64; 2]], b: &[[f64; 2]]) -> f64 {
    let common = |x: &[f64; 2], y: &[f64; 2]| (x[1].min(y[1]) - x[0].max(y[0])).max(0.0);
    a.iter().map(|x| b.iter().map(|y| common(x, y)).sum::<f64>()).sum()
}
