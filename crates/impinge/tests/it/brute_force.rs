//! Every volume, builder, policy and order gives the answers of asking about each pair of triangles.

use crate::soup::{Numbers, Raw, boxes, dirty, sheet};
use impinge::geom::Pose;
use impinge::geom::bound::{
    Aabb, Bound, ConvexHull, Dop14, Dop18, Dop26, Dop36, EllipsoidBound, Hybrid, Lss, Obb, ObbRss,
    RoundedBox, Rss, Sphere, SphericalShell, Tss,
};
use impinge::geom::glam::DVec3;
use impinge::geom::triangle::{self, TriangleVerdict};
use impinge::mesh::{self, BvhSettings, Mesh, ScaledPose, Scratch};
use impinge::tree::Builder;
use impinge::tree::traverse::{Order, Policy};

/// The answers by asking about each pair: those that meet, and the least distance with the vector from B to A.
fn brute_force<B: Bound>(
    a: &Mesh<B>,
    b: &Mesh<B>,
    place: &ScaledPose,
) -> (Vec<(u32, u32, TriangleVerdict)>, f64, DVec3) {
    let (mut met, mut least, mut way) = (Vec::new(), f64::INFINITY, DVec3::ZERO);
    for i in 0..a.triangles().len() as u32 {
        for j in 0..b.triangles().len() as u32 {
            let corners = b.corners(j).map(|p| place.transform_point(p));
            let verdict = triangle::verdict(&a.corners(i), &corners);
            if verdict != TriangleVerdict::Separated {
                met.push((i, j, verdict));
            }
            let found = triangle::distance(&a.corners(i), &corners);
            if found.distance < least {
                (least, way) = (found.distance, found.points[0] - found.points[1]);
            }
        }
    }
    (met, least, way)
}

/// Asks everything by every policy and order, and compares. True if the meshes meet.
pub(crate) fn agree<B: Bound>(
    a: &Mesh<B>,
    b: &Mesh<B>,
    place: &ScaledPose,
    scratch: &mut Scratch,
    name: &str,
) -> bool {
    let (expected, least, _) = brute_force(a, b, place);
    let mut found = Vec::new();
    for policy in Policy::ALL {
        mesh::pairs_with(a, b, place, policy, scratch, &mut found, &mut ());
        assert_eq!(found, expected, "{name} {} {policy:?}", B::NAME);
        let meets = mesh::overlap_with(a, b, place, policy, scratch, &mut ());
        assert_eq!(meets, !expected.is_empty(), "{name} {} {policy:?}", B::NAME);
    }
    for order in [Order::DepthFirst, Order::BestFirst] {
        let distance = mesh::distance_with(a, b, place, order, scratch, &mut ());
        assert_eq!(distance.distance, least, "{name} {} {order:?}", B::NAME);
        assert_eq!(distance.distance == 0.0, !expected.is_empty(), "{name} {}", B::NAME);
    }
    !expected.is_empty()
}

/// Builders and widths take turns: 48 rounds have all of both.
pub(crate) fn hierarchy(round: usize) -> BvhSettings<'static> {
    let builder = Builder::ALL[round % Builder::ALL.len()];
    BvhSettings { width: [8, 2, 4][round % 3], ..builder.into() }
}

pub(crate) fn meshes<B: Bound>(a: &Raw, b: &Raw, round: usize) -> [Mesh<B>; 2] {
    let hierarchy = &hierarchy(round);
    [a, b].map(|(vertices, faces)| Mesh::with_bvh(vertices, faces, hierarchy).expect("valid"))
}

fn anywhere<B: Bound>() {
    let mut numbers = Numbers::new(7);
    let mut scratch = Scratch::default();
    let (mut met, mut apart) = (0, 0);
    for round in 0..90 {
        let (a, b) = (dirty(&mut numbers, 1 + round, 0.3), dirty(&mut numbers, 2 * round + 1, 0.2));
        let [a, b] = meshes::<B>(&a, &b, round);
        let reach = [0.5, 1.5, 3.0][round / 3 % 3];
        let scale = [1.0, 0.7, 1e-3, 30.0][round % 4];
        let place = ScaledPose { pose: numbers.pose(reach * f64::max(scale, 1.0)), scale };
        if agree(&a, &b, &place, &mut scratch, &format!("round {round}")) {
            met += 1;
        } else {
            apart += 1;
        }
    }
    assert!(met > 10 && apart > 20, "{met} {apart}");
}

/// From deep inside each other, to contact, to the least numbers before and behind it.
fn to_within_an_ulp<B: Bound>() {
    let mut numbers = Numbers::new(11);
    let mut scratch = Scratch::default();
    let (mut met, mut apart) = (0, 0);
    for round in 0..36 {
        let raw = |numbers: &mut Numbers| match round / 3 % 3 {
            0 => sheet(numbers, 6, 0.3),
            1 => boxes(&[[[0.0; 3], [1.0, 0.5, 0.25]], [[0.0, 0.5, 0.0], [1.0, 1.0, 1.0]]]),
            _ => dirty(numbers, 40, 0.2),
        };
        let (a, b) = (raw(&mut numbers), raw(&mut numbers));
        let [a, b] = meshes::<B>(&a, &b, round);
        let start = numbers.pose(0.3);
        let away = DVec3::new(numbers.signed(), numbers.signed(), 2.0).normalize() * 5.0;
        let at = |translation: DVec3| {
            Pose::new(start.quaternion(), translation.to_array()).expect("valid").into()
        };
        let (_, _, way) = brute_force(&a, &b, &at(away));
        let contact = away + way;
        let deep = contact - away * 0.05;
        let near = [-1, 0, 1].map(|steps| {
            let step = |x: f64| match steps {
                -1 => x.next_down(),
                0 => x,
                _ => x.next_up(),
            };
            DVec3::new(step(contact.x), step(contact.y), step(contact.z))
        });
        let places = [deep, contact - away * 1e-4, contact - away * 1e-12, contact + away * 1e-12];
        for (index, place) in places.into_iter().chain(near).enumerate() {
            let name = format!("round {round} place {index}");
            if agree(&a, &b, &at(place), &mut scratch, &name) {
                met += 1;
            } else {
                apart += 1;
            }
        }
    }
    assert!(met > 60 && apart > 60, "{met} {apart}");
}

/// Boxes and plates along the axes, at the origin and 1e7 away from it.
fn flush<B: Bound>() {
    let mut scratch = Scratch::default();
    for far in [0.0, 1e7, -1e7] {
        let corner = |p: [f64; 3]| p.map(|x| x + far);
        let solid = |low: [f64; 3], high: [f64; 3]| [corner(low), corner(high)];
        let two = boxes(&[
            solid([0.0; 3], [2.0, 2.0, 2.0]),
            solid([2.0, 0.0, 0.0], [4.0, 2.0, 2.0]),
            solid([0.0, 2.0, 0.0], [4.0, 4.0, 2.0]),
        ]);
        let others = [
            ("overlapping along one axis", boxes(&[solid([1.0, 0.0, 0.0], [3.0, 2.0, 2.0])])),
            ("sharing a face", boxes(&[solid([4.0, 0.0, 0.0], [6.0, 2.0, 2.0])])),
            ("sharing an edge", boxes(&[solid([4.0, 4.0, 0.0], [6.0, 6.0, 2.0])])),
            ("sharing a corner", boxes(&[solid([4.0, 4.0, 2.0], [6.0, 6.0, 4.0])])),
            ("a plate on top", boxes(&[solid([-1.0, -1.0, 2.0], [5.0, 5.0, 2.0])])),
            ("inside", boxes(&[solid([0.5; 3], [1.5; 3])])),
            ("around", boxes(&[solid([-1.0; 3], [5.0; 3])])),
        ];
        for (round, (name, other)) in others.iter().enumerate() {
            let nested = *name == "inside" || *name == "around";
            for turn in 0..Builder::ALL.len() {
                let [a, b] = meshes::<B>(&two, other, round + turn);
                let here = Pose::IDENTITY.into();
                let met = agree(&a, &b, &here, &mut scratch, &format!("{name} at {far}"));
                assert_eq!(met, !nested, "{name} {far}");
                // A step of the last place away from the face of the plate or the box.
                let up = (2.0 + far).next_up() - (2.0 + far);
                let moved = Pose::from_translation([0.0, 0.0, up * round as f64]).expect("valid");
                agree(&a, &b, &moved.into(), &mut scratch, &format!("{name} at {far}, up"));
            }
        }
    }
}

/// One module of tests for each volume.
macro_rules! volumes {
    ($($name:ident: $volume:ty),*) => {
        $(mod $name {
            use super::*;

            #[test]
            fn anywhere() {
                super::anywhere::<$volume>();
            }

            #[test]
            fn to_within_an_ulp() {
                super::to_within_an_ulp::<$volume>();
            }

            #[test]
            fn flush() {
                super::flush::<$volume>();
            }
        })*
    };
}

volumes!(
    aabb: Aabb, obb: Obb, rss: Rss, obb_rss: ObbRss, sphere: Sphere, lss: Lss, tss: Tss, rounded: RoundedBox,
    hull: ConvexHull, dop_14: Dop14, dop_18: Dop18, dop_26: Dop26, dop_36: Dop36, ellipsoid: EllipsoidBound,
    shell: SphericalShell, hybrid: Hybrid
);
