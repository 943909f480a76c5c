//! What is reported about meshes that are whole, and about ones that are not.

use crate::solids::{block, both, mesh, torus, turned_over, unwelded};

#[test]
fn whole_meshes_are_solid_with_shared_vertices_or_without() {
    for raw in [block([0.0; 3], [1.0; 3], 3, false), torus(3.0, 1.0, 12, 9)] {
        for raw in [raw.clone(), unwelded(&raw), turned_over(&raw)] {
            let health = mesh(&raw).health();
            assert!(health.is_solid(), "{health}");
            assert_eq!(health.components, 1);
            assert_eq!(health.to_string(), format!("solid: {} faces in 1 piece", raw.1.len()));
        }
    }
}

#[test]
fn a_missing_face_opens_three_edges() {
    let mut raw = block([0.0; 3], [1.0; 3], 2, false);
    raw.1.remove(5);
    let health = mesh(&raw).health();
    assert!(!health.is_closed() && !health.is_solid());
    assert_eq!(health.open.len(), 3);
    assert!(health.open.iter().all(|edge| edge.faces.len() == 1));
    assert!(
        health.to_string().starts_with("open: 47 faces in 1 piece\n3 open edges, the first from")
    );
}

#[test]
fn a_turned_face_has_three_inconsistent_edges() {
    let mut raw = block([0.0; 3], [1.0; 3], 1, false);
    raw.1[3].swap(0, 1);
    let health = mesh(&raw).health();
    assert_eq!((health.inconsistent.len(), health.open.len()), (3, 0));
    assert!(health.inconsistent.iter().all(|edge| edge.faces.contains(&3)));
    assert!(!health.is_closed());
}

#[test]
fn degenerate_and_duplicate_faces_and_lonely_vertices_are_named() {
    let mut raw = block([0.0; 3], [1.0; 3], 1, false);
    let far = raw.0.len() as u32;
    raw.0.push([5.0; 3]);
    raw.1.push([0, 0, 1]);
    raw.1.push([raw.1[2][1], raw.1[2][2], raw.1[2][0]]);
    let health = mesh(&raw).health();
    assert_eq!(health.degenerate, [12]);
    assert_eq!(health.duplicate, [[13, 2]]);
    assert_eq!(health.self_intersecting, [[2, 13]]);
    assert_eq!(health.unreferenced, [far]);
    // Three edges of the face that is there twice, one of the face without area.
    assert_eq!(health.non_manifold.len(), 4);
    assert!(health.non_manifold.iter().all(|edge| edge.faces.len() == 3));
    let text = health.to_string();
    assert!(text.contains("1 degenerate face, the first is 12"), "{text}");
    assert!(text.contains("1 vertex without a face"), "{text}");
}

#[test]
fn boxes_with_a_common_edge_are_closed_but_not_manifold() {
    let a = block([0.0; 3], [1.0; 3], 1, false);
    let health = mesh(&both(&a, &block([1.0, 1.0, 0.0], [2.0, 2.0, 1.0], 1, false))).health();
    assert!(health.is_closed() && !health.is_solid());
    assert_eq!((health.non_manifold.len(), health.components), (1, 1));
    assert!(health.self_intersecting.is_empty());
    let apart = mesh(&both(&a, &block([2.0, 1.0, 0.0], [3.0, 2.0, 1.0], 1, false))).health();
    assert_eq!(apart.components, 2);
    assert!(apart.is_solid());
}
