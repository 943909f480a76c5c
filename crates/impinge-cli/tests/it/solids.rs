//! Solid meshes.

use crate::command::{answer, error};
use crate::folder::{block, inline};
use crate::meshes::{ask, at, unit_block};
use serde_json::json;

#[test]
fn solids_know_their_inside_and_surfaces_do_not() {
    let (large, small) = (unit_block(), block([0.25; 3]));
    let found = |rest: &str, what: &str, x: f64| {
        let (a, b) = (inline(&large, rest), inline(&small, rest));
        answer(&ask(what, &a, &format!("{b}{}", at([x, 0.0, 0.0]))))
    };
    let solid = r#","solid":true"#;
    let inside = found(solid, "distance", 0.5);
    assert_eq!((&inside["verdict"], &inside["inside"]), (&json!("contained"), &json!("b")));
    assert_eq!((&inside["distance"], &inside["method"]), (&json!(0.0), &json!("exact")));
    assert_eq!(inside["points"][0], inside["points"][1], "a common point");
    assert_eq!(inside["features"], json!([null, {"kind": "vertex", "index": 0}]));
    let hollow = found("", "distance", 0.5);
    assert_eq!((&hollow["verdict"], &hollow["inside"]), (&json!("separated"), &json!(null)));
    assert_eq!(hollow["distance"], json!(0.25));
    for (x, solid_verdict, surface_verdict) in [
        (0.75, "contained", "touching"),
        (1.0, "penetrating", "penetrating"),
        (1.25, "touching", "touching"),
        (1.25f64.next_up(), "separated", "separated"),
    ] {
        assert_eq!(found(solid, "verdict", x)["verdict"], solid_verdict, "{x}");
        assert_eq!(found("", "verdict", x)["verdict"], surface_verdict, "{x}");
    }
    // All triangles only touch, and yet the interiors meet.
    let (a, b) = (inline(&large, solid), inline(&large, solid));
    let aligned = answer(&ask("distance", &a, &format!("{b}{}", at([1.0, 0.0, 0.0]))));
    assert_eq!((&aligned["verdict"], &aligned["distance"]), (&json!("penetrating"), &json!(0.0)));
}

#[test]
fn an_open_solid_is_an_estimate() {
    let mut open = unit_block();
    open.triangles.truncate(11);
    let small = block([0.25; 3]);
    let (a, b) = (inline(&open, r#","solid":true"#), inline(&small, r#","solid":true"#));
    for what in ["verdict", "distance"] {
        let found = answer(&ask(what, &a, &b));
        assert_eq!(
            (&found["verdict"], &found["method"]),
            (&json!("contained"), &json!("estimate"))
        );
    }
    let whole = answer(&ask("verdict", &inline(&unit_block(), r#","solid":true"#), &b));
    assert_eq!((&whole["verdict"], &whole["method"]), (&json!("contained"), &json!(null)));
}

#[test]
fn pieces_inside_and_outside_penetrate_without_a_common_point_to_show() {
    let (large, mut pieces) = (unit_block(), block([0.25; 3]));
    let outside = block([0.25; 3]);
    pieces.triangles.extend(outside.triangles.iter().map(|face| face.map(|index| index + 8)));
    pieces.vertices.extend(outside.vertices.iter().map(|[x, y, z]| [x + 3.0, *y, *z]));
    let solid = r#","solid":true"#;
    let found = answer(&ask("distance", &inline(&large, solid), &inline(&pieces, solid)));
    let expected = json!({"id": null, "verdict": "penetrating", "inside": null, "distance": 0.0,
        "method": "exact", "points": null, "features": null, "t": null});
    assert_eq!(found, expected);
}

#[test]
fn a_solid_and_a_surface_are_refused() {
    let (solid, surface) = (inline(&unit_block(), r#","solid":true"#), inline(&unit_block(), ""));
    let told = error(&ask("verdict", &solid, &surface));
    assert!(told.contains("solid") && told.contains("both"), "{told}");
}
