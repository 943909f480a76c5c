//! Bodies far away from each other, and a million times as large.

use crate::brute_force::{agree, meshes};
use crate::soup::{Numbers, Raw, sheet};
use impinge::geom::bound::{Aabb, Bound, Obb, ObbRss, Rss};
use impinge::geom::glam::DVec3;
use impinge::geom::{Pose, triangle};
use impinge::mesh::{self, Mesh, ScaledPose, Scratch};
use impinge::tree::Counts;
use impinge::tree::traverse::Order;

fn scaled((vertices, faces): Raw, by: f64) -> Raw {
    (vertices.into_iter().map(|p| p.map(|x| x * by)).collect(), faces)
}

/// Places a small body at the vertices of a large one, and a bit off them.
fn size_ratio<B: Bound>(small: f64, by_scale: bool, swapped: bool) {
    let mut numbers = Numbers::new(5);
    let mut scratch = Scratch::default();
    let large = sheet(&mut numbers, 9, 0.3);
    let raw = sheet(&mut numbers, 5, 0.5);
    let (tiny, scale) = if by_scale { (raw, small) } else { (scaled(raw, small), 1.0) };
    let (mut met, mut apart) = (0, 0);
    for round in 0..24 {
        let spot = DVec3::from_array(large.0[numbers.below(large.0.len())]);
        let off = small * [0.0, 0.3, 2.0, 50.0][round % 4];
        let off = DVec3::new(numbers.signed(), numbers.signed(), numbers.signed()) * off;
        let pose = Pose::new(numbers.pose(0.0).quaternion(), (spot + off).to_array());
        let pose = pose.expect("valid");
        let name = format!("round {round}");
        let touching = if swapped {
            // The large one in the frame of the small one.
            let [a, b] = meshes::<B>(&tiny, &large, round);
            let back = pose.inverse();
            let place = if by_scale {
                let translation = back.translation() / small;
                let pose = Pose::new(back.quaternion(), translation.to_array()).expect("valid");
                ScaledPose { pose, scale: 1.0 / small }
            } else {
                back.into()
            };
            agree(&a, &b, &place, &mut scratch, &name)
        } else {
            let [a, b] = meshes::<B>(&large, &tiny, round);
            agree(&a, &b, &ScaledPose { pose, scale }, &mut scratch, &name)
        };
        if touching { met += 1 } else { apart += 1 }
    }
    assert!(met >= 4 && apart >= 4, "{met} {apart}");
}

/// Two bodies a billion times their size apart.
fn far_away<B: Bound>() {
    let mut numbers = Numbers::new(6);
    let mut scratch = Scratch::default();
    for round in 0..6 {
        let (a, b) = (sheet(&mut numbers, 12, 0.4), sheet(&mut numbers, 12, 0.4));
        let [a, b] = meshes::<B>(&a, &b, round);
        let place: ScaledPose = numbers.pose([1e6, 1e9][round % 2]).into();
        assert!(!mesh::overlap(&a, &b, &place, &mut scratch));
        let mut least = f64::INFINITY;
        for i in 0..a.triangles().len() as u32 {
            for j in 0..b.triangles().len() as u32 {
                let corners = b.corners(j).map(|p| place.transform_point(p));
                least = least.min(triangle::distance(&a.corners(i), &corners).distance);
            }
        }
        for order in [Order::DepthFirst, Order::BestFirst] {
            let found = mesh::distance_with(&a, &b, &place, order, &mut scratch, &mut ());
            assert_eq!(found.distance, least, "round {round}");
        }
    }
}

/// What two meshes of 3,200 triangles cost at a distance: few pairs of leaves out of more than 160,000.
fn far_work<B: Bound>(distance: f64) -> Counts {
    let mut numbers = Numbers::new(8);
    let (vertices, faces) = sheet(&mut numbers, 40, 0.4);
    let mesh: Mesh<B> = Mesh::with_volume(&vertices, &faces).expect("valid");
    let pose = Pose::new(numbers.pose(0.0).quaternion(), [distance, 0.0, 0.0]).expect("valid");
    let mut counts = Counts::default();
    let order = Order::default();
    let mut scratch = Scratch::default();
    mesh::distance_with(&mesh, &mesh, &pose.into(), order, &mut scratch, &mut counts);
    counts
}

macro_rules! volumes {
    ($($name:ident: $volume:ty),*) => {
        $(mod $name {
            use super::*;

            #[test]
            fn a_million_times_as_large() {
                for swapped in [false, true] {
                    size_ratio::<$volume>(1e-6, false, swapped);
                    size_ratio::<$volume>(1e-6, true, swapped);
                    size_ratio::<$volume>(1e-3, true, swapped);
                }
            }

            #[test]
            fn far_away() {
                super::far_away::<$volume>();
            }

            #[test]
            fn far_away_at_little_cost() {
                let counts = far_work::<$volume>(1e3);
                assert!(counts.leaves < 4000, "{counts:?}");
            }

            #[test]
            fn very_far_away_at_little_cost() {
                for distance in [1e6, 1e9] {
                    let counts = far_work::<$volume>(distance);
                    assert!(counts.leaves < 4000, "{distance:e} {counts:?}");
                }
            }
        })*
    };
}

volumes!(aabb: Aabb, obb: Obb, rss: Rss, obb_rss: ObbRss);
