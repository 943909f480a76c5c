//! The lecture's bad boxes: oriented boxes whose directions are taken from points that are not spread evenly.
//!
//! S. Gottschalk, M. Lin and D. Manocha, "OBBTree" (1996), section 4: points inside turn a box that is fitted to all of them,
//! points that crowd on the hull turn one that is fitted to the hull's corners; the surface of the hull is not fooled by either.

use crate::generate::random::Random;
use impinge::geom::bound::{Moments, Obb, ObbFit};
use impinge::geom::glam::{DMat3, DVec3, Vec3A};

/// Half the sides of the block that all cases fill.
const BLOCK: DVec3 = DVec3::new(2.0, 1.2, 0.6);

const FITS: [(&str, ObbFit); 4] = [
    ("surface", ObbFit::Surface),
    ("vertices", ObbFit::Vertices),
    ("hull corners", ObbFit::HullVertices),
    ("hull surface", ObbFit::HullFacets),
];

/// Points that fill the block, and what the lecture calls them.
struct Case {
    name: &'static str,
    points: Vec<DVec3>,
}

/// The block's corners evenly, more and more points along a diagonal inside, and points that crowd about a corner.
fn cases() -> Vec<Case> {
    let mut random = Random::new(11);
    let sign = |code: i32, axis: i32| f64::from(1 - 2 * (code >> axis & 1));
    let corner = |code: i32| DVec3::new(sign(code, 0), sign(code, 1), sign(code, 2)) * BLOCK;
    // Corners, and the same halfway inside: none on sides or edges, where rounding would choose which ones the hull has.
    let even: Vec<DVec3> = (0..8).flat_map(|code| [corner(code), corner(code) * 0.5]).collect();
    let mut inside = |count: usize| -> Vec<DVec3> {
        let diagonal = |t: f64| DVec3::new(t, t, -t) * BLOCK * 0.9;
        let more = (0..count).map(|_| diagonal(random.between(-1.0, 1.0)));
        even.iter().copied().chain(more).collect()
    };
    let (worse, terrible) = (inside(30), inside(3000));
    let mut uneven: Vec<DVec3> = even.clone();
    // Two opposite edges are rounded by many points; the others are not.
    for k in 0..200 {
        let angle = std::f64::consts::FRAC_PI_2 * (f64::from(k) + 0.5) / 200.0;
        let (sin, cos) = angle.sin_cos();
        let (x, y) = (BLOCK.x - 0.05 * (1.0 - cos), BLOCK.y - 0.05 * (1.0 - sin));
        let z = BLOCK.z * (2.0 * f64::from(k % 9) / 8.0 - 1.0);
        uneven.extend([DVec3::new(x, y, z), DVec3::new(-x, -y, z)]);
    }
    // Those corners themselves would cover what is rounded.
    uneven.retain(|p| p.x * p.y < 0.999 * BLOCK.x * BLOCK.y);
    vec![
        Case { name: "even: good box", points: even.clone() },
        Case { name: "30 points inside: worse box", points: worse },
        Case { name: "3000 points inside: terrible box", points: terrible },
        Case { name: "crowded corners: bad box", points: uneven },
    ]
}

/// How much more room each fit takes than the block itself, for each case.
fn looseness() -> Vec<(&'static str, [f64; 4])> {
    // Not along the axes of the frame.
    let turn = DMat3::from_axis_angle(DVec3::new(1.0, 2.0, 3.0).normalize(), 0.7);
    cases()
        .into_iter()
        .map(|Case { name, points }| {
            let points: Vec<Vec3A> = points.iter().map(|p| (turn * *p).as_vec3a()).collect();
            let surface = surface(turn);
            let room = FITS.map(|(_, fit)| {
                let half = Obb::fit_by(&points, &surface, fit, 0.0).half.as_dvec3();
                half.element_product() / BLOCK.element_product()
            });
            (name, room)
        })
        .collect()
}

/// The moments of the block's six sides: what the triangles of a mesh give, however finely some of them are divided.
fn surface(turn: DMat3) -> Moments {
    let mut sum = Moments::default();
    for axis in 0..3 {
        for sign in [-1.0, 1.0] {
            let corner = |s: f64, t: f64| {
                let mut p = [0.0; 3];
                (p[axis], p[(axis + 1) % 3], p[(axis + 2) % 3]) = (sign, s, t);
                turn * (DVec3::from_array(p) * BLOCK)
            };
            let [a, b, c, d] =
                [corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)];
            sum.add(&Moments::of_triangle(a, b, c));
            sum.add(&Moments::of_triangle(a, c, d));
        }
    }
    sum
}

/// Prints the table. True if the surface of the hull is never fooled, and the other ways are where the lecture says so.
pub(super) fn run() -> bool {
    println!("\nthe lecture's bad boxes: volume over that of the block, by what turns the box");
    let columns = FITS.map(|(name, _)| format!("{name:>14}")).concat();
    println!("{:<34}{columns}", "points");
    let cases = looseness();
    for (name, room) in &cases {
        println!("{name:<34}{}", room.map(|ratio| format!("{ratio:>14.3}")).concat());
    }
    let [even, worse, terrible, uneven] = cases[..] else { return false };
    let fooled = 1.05;
    let all = [even, worse, terrible, uneven];
    all.iter().all(|(_, room)| room[0] < fooled && room[3] < fooled)
        && even.1.iter().all(|ratio| *ratio < fooled)
        && fooled < worse.1[1]
        && worse.1[1] < terrible.1[1]
        && terrible.1[2] < fooled
        && fooled < uneven.1[2]
}

#[cfg(test)]
mod tests {
    #[test]
    fn boxes_are_bad_where_the_lecture_says_so() {
        assert!(super::run());
    }
}
