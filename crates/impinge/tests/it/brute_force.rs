//! Every volume and builder gives the answers of asking about each pair of triangles.

use crate::soup::{Numbers, dirty};
use impinge::geom::bound::{Aabb, Bound, Obb, ObbRss, Rss};
use impinge::geom::triangle::{self, TriangleVerdict};
use impinge::mesh::{self, Mesh, Relative, Scratch};
use impinge::tree::Builder;
use impinge::tree::traverse::{Order, Policy};

fn same_as_brute_force<B: Bound>() {
    let mut numbers = Numbers::new(7);
    let mut scratch = Scratch::default();
    let (mut met, mut apart) = (0, 0);
    for round in 0..90 {
        let builder = Builder::ALL[round % 3];
        let (vertices, faces) = dirty(&mut numbers, 1 + round, 0.3);
        let a: Mesh<B> = Mesh::with_builder(&vertices, &faces, builder).expect("valid");
        let (vertices, faces) = dirty(&mut numbers, 2 * round + 1, 0.2);
        let b: Mesh<B> = Mesh::with_builder(&vertices, &faces, builder).expect("valid");
        let reach = [0.5, 1.5, 3.0][round / 3 % 3];
        let place = Relative { pose: numbers.pose(reach), scale: [1.0, 0.7][round % 2] };
        let mut expected = Vec::new();
        let mut least = f64::INFINITY;
        for i in 0..a.triangles().len() as u32 {
            for j in 0..b.triangles().len() as u32 {
                let corners = b.corners(j).map(|p| place.map(p));
                let verdict = triangle::verdict(&a.corners(i), &corners);
                if verdict != TriangleVerdict::Separated {
                    expected.push((i, j, verdict));
                }
                least = least.min(triangle::distance(&a.corners(i), &corners).distance);
            }
        }
        let mut found = Vec::new();
        mesh::pairs(&a, &b, &place, &mut scratch, &mut found);
        assert_eq!(found, expected, "round {round}");
        for policy in Policy::ALL {
            let meets = mesh::overlap_with(&a, &b, &place, policy, &mut scratch, &mut ());
            assert_eq!(meets, !expected.is_empty(), "round {round} {policy:?}");
        }
        for order in [Order::DepthFirst, Order::BestFirst] {
            let distance = mesh::distance_with(&a, &b, &place, order, &mut scratch, &mut ());
            assert_eq!(distance.distance, least, "round {round} {order:?}");
        }
        if expected.is_empty() { apart += 1 } else { met += 1 }
    }
    assert!(met > 20 && apart > 20, "{met} {apart}");
}

#[test]
fn with_axis_aligned_boxes() {
    same_as_brute_force::<Aabb>();
}

#[test]
fn with_oriented_boxes() {
    same_as_brute_force::<Obb>();
}

#[test]
fn with_swept_rectangles() {
    same_as_brute_force::<Rss>();
}

#[test]
fn with_boxes_and_rectangles() {
    same_as_brute_force::<ObbRss>();
}
