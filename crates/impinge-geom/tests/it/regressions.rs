//! Cases that were once answered wrongly.

use crate::pairs::{Case, faults};
use crate::random::Random;
use crate::solids::Solid;
use glam::DVec3;
use impinge_geom::Pose;

fn check(a: Solid, b: Solid, rotation: [f64; 4], translation: [f64; 3]) {
    let pose = Pose::new(rotation, translation).unwrap();
    let found = faults(&Case { a, b, pose }, &mut Random::new(1));
    assert!(found.is_empty(), "{found:?}");
}

#[test]
fn the_depth_of_a_slanted_cone_in_a_lattice_hull() {
    let points = [
        [0.0, 1.0, 1.0],
        [-1.0, -1.0, -1.0],
        [0.0, -1.0, -1.0],
        [1.0, 0.0, -1.0],
        [0.0, 2.0, 2.0],
        [1.0, -1.0, 1.0],
        [0.0, 0.0, -1.0],
        [2.0, 1.0, -1.0],
        [2.0, 0.0, 0.0],
        [2.0, 1.0, 2.0],
    ];
    let tip = DVec3::new(-0.07868854890762, -0.22042430618283648, -0.2276304955919355);
    check(
        Solid::Points(points.map(DVec3::from_array).to_vec()),
        Solid::Custom(1.1743276771441995, tip),
        [0.0, 0.18968056591488586, 0.9818458549661493, 0.0],
        [0.0, 0.0, -0.10722199962060097],
    );
}

#[test]
fn a_needle_beside_a_rounded_sheet() {
    let sheet = Solid::Box(DVec3::new(1.50000000000011, 4.9e-13, 1.0));
    check(
        Solid::Ellipsoid(DVec3::new(1.5000000000000002e-9, 4.57763671875e-5, 1.0)),
        Solid::Rounded(Box::new(sheet), 1.5),
        [1.0, 0.0, 0.0, 0.0],
        [-1.5, -1.5, -1.5],
    );
}
