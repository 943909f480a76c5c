//! Queries with a tolerance or a budget agree with those without; saved hierarchies give the same answers.

use crate::soup::{Numbers, dirty};
use impinge::geom::bound::{Aabb, Bound, Obb, ObbFit, ObbRss, Rss};
use impinge::mesh::{self, Mesh, SavedError, ScaledPose, Scratch};
use impinge::tree::{Builder, Counts};

fn agrees<B: Bound>() {
    let mut numbers = Numbers::new(17);
    let mut scratch = Scratch::default();
    let (mut undecided, mut apart) = (0, 0);
    for round in 0..40 {
        let (vertices, faces) = dirty(&mut numbers, 60 + 5 * round, 0.3);
        let a: Mesh<B> = Mesh::with_volume(&vertices, &faces).expect("valid");
        let (vertices, faces) = dirty(&mut numbers, 100 + round, 0.2);
        let b: Mesh<B> = Mesh::with_volume(&vertices, &faces).expect("valid");
        let place = ScaledPose {
            pose: numbers.pose([0.8, 4.0][round / 2 % 2]),
            scale: [1.0, 0.7][round % 2],
        };
        let distance = mesh::distance(&a, &b, &place, &mut scratch).distance;
        let tolerances = [distance, distance.next_up(), distance.next_down(), 0.0, 1.0, 10.0];
        for tolerance in tolerances.into_iter().chain([f64::INFINITY, f64::NAN, -1.0]) {
            let near = mesh::within(&a, &b, &place, tolerance, &mut scratch);
            assert_eq!(near, distance <= tolerance, "round {round}: {distance} {tolerance}");
        }
        let meets = mesh::overlap(&a, &b, &place, &mut scratch);
        assert_eq!(meets, mesh::within(&a, &b, &place, 0.0, &mut scratch));
        for budget in [0, 1, 10, 100, 1000, u64::MAX] {
            let mut counts = Counts::default();
            let verdict =
                mesh::overlap_in_budget(&a, &b, &place, budget, &mut scratch, &mut counts);
            assert!(verdict.is_none_or(|verdict| verdict == meets));
            assert!(verdict.is_some() || scratch.remaining().count() > 0);
            assert!(counts.steps + counts.leaves <= budget);
            undecided += usize::from(verdict.is_none());
            let found = mesh::distance_in_budget(&a, &b, &place, budget, &mut scratch, &mut ());
            assert!(found.lower <= distance && distance <= found.upper.distance);
            if budget == u64::MAX {
                assert_eq!((found.lower, found.upper.distance), (distance, distance));
                assert!(verdict.is_some());
            }
        }
        apart += usize::from(!meets);
    }
    assert!(undecided > 20 && apart > 2 && apart < 38, "{undecided} {apart}");
}

#[test]
fn with_axis_aligned_boxes() {
    agrees::<Aabb>();
}

#[test]
fn with_oriented_boxes() {
    agrees::<Obb>();
}

#[test]
fn with_swept_rectangles() {
    agrees::<Rss>();
}

#[test]
fn with_boxes_and_rectangles() {
    agrees::<ObbRss>();
}

#[test]
fn saved_trees_answer_alike_or_are_refused() {
    let mut numbers = Numbers::new(18);
    let mut scratch = Scratch::default();
    let (vertices, faces) = dirty(&mut numbers, 300, 0.1);
    let mesh: Mesh = Mesh::new(&vertices, &faces).expect("valid");
    let bytes = mesh.tree_bytes();
    let again: Mesh = Mesh::from_tree_bytes(&vertices, &faces, &bytes).expect("its own tree");
    let (mut found, mut same) = (Vec::new(), Vec::new());
    for _ in 0..10 {
        let place = numbers.pose(0.5).into();
        mesh::pairs(&mesh, &mesh, &place, &mut scratch, &mut found);
        mesh::pairs(&again, &mesh, &place, &mut scratch, &mut same);
        assert_eq!(found, same);
    }
    let fewer = Mesh::<Obb>::from_tree_bytes(&vertices, &faces[1..], &bytes);
    assert!(matches!(fewer, Err(SavedError::OtherMesh(_))));
    let mut turned = faces.clone();
    turned.rotate_left(7);
    let other = Mesh::<Obb>::from_tree_bytes(&vertices, &turned, &bytes);
    assert!(matches!(other, Err(SavedError::OtherMesh(_))));
    let volume = Mesh::<Aabb>::from_tree_bytes(&vertices, &faces, &bytes);
    assert!(matches!(volume, Err(SavedError::Load(_))));
}

#[test]
fn every_fit_of_boxes_answers_alike() {
    let mut numbers = Numbers::new(19);
    let mut scratch = Scratch::default();
    let (vertices, faces) = dirty(&mut numbers, 200, 0.2);
    let mesh: Mesh = Mesh::new(&vertices, &faces).expect("valid");
    let (mut expected, mut found) = (Vec::new(), Vec::new());
    for fit in [ObbFit::Surface, ObbFit::Vertices, ObbFit::HullVertices, ObbFit::HullFacets] {
        let other = Mesh::with_box_fit(&vertices, &faces, Builder::PrincipalMean, fit);
        let other = other.expect("valid");
        for _ in 0..5 {
            let place = numbers.pose(0.8).into();
            mesh::pairs(&mesh, &mesh, &place, &mut scratch, &mut expected);
            mesh::pairs(&other, &mesh, &place, &mut scratch, &mut found);
            assert_eq!(found, expected, "{fit:?}");
        }
    }
}
