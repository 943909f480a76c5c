//! Cases that were once answered wrongly.

use crate::pairs::{Case, faults};
use crate::random::Random;
use crate::solids::Solid;
use glam::DVec3;
use impinge_geom::Pose;

fn check(a: Solid, b: Solid, pose: Pose) {
    let found = faults(&Case { a, b, pose }, &mut Random::new(1));
    assert!(found.is_empty(), "{found:?}");
}

#[test]
fn the_closest_points_of_an_ellipsoid_and_a_slanted_cone() {
    let pose = Pose::new(
        [0.261245504622588, 0.7922660529637806, -0.2664433639135512, 0.4827765750967131],
        [0.807676661170394, 0.7876088526259286, 0.7554130813049179],
    );
    let tip = DVec3::new(0.8274173023810297, 1.397493565295953, -0.20005785052907843);
    let slanted = Solid::Custom(0.47517968173359265, tip);
    check(
        Solid::Ellipsoid(DVec3::new(0.4360465414780197, 0.4360465414780197, 1.4731853813040807)),
        Solid::Rounded(Box::new(slanted), 5.379860010365313e-6),
        pose.unwrap(),
    );
}
