//! Solid meshes.

use crate::command::{answer, numbers};
use crate::folder::{block, inline};
use crate::meshes::{ask, at, unit_block};
use serde_json::{Value, json};

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
    // The way out: 0.5 to the side of the large block, and the small one's own width.
    assert_depth(&inside, 0.75);
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
    assert_eq!(aligned["verdict"], json!("penetrating"));
    assert_depth(&aligned, 1.0);
}

/// A depth of meshes is a bound: that of a translation that separates them, with the points where they then part.
fn assert_depth(found: &Value, depth: f64) {
    assert_eq!(found["method"], json!("bound"), "{found}");
    assert!((found["distance"].as_f64().unwrap() + depth).abs() < 1e-9, "{found}");
    let [p, q] = [&found["points"][0], &found["points"][1]].map(numbers);
    let apart = p.iter().zip(&q).map(|(x, y)| (x - y) * (x - y)).sum::<f64>().sqrt();
    assert!((apart - depth).abs() < 1e-9, "{found}");
}

#[test]
fn two_unit_boxes_a_tenth_in_each_other() {
    let unit = inline(&block([0.5; 3]), r#","solid":true"#);
    let found = answer(&ask("distance", &unit, &format!("{unit}{}", at([0.9, 0.0, 0.0]))));
    assert_eq!(found["verdict"], json!("penetrating"));
    assert_depth(&found, 0.1);
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
fn pieces_inside_and_outside_penetrate() {
    let (large, mut pieces) = (unit_block(), block([0.25; 3]));
    let outside = block([0.25; 3]);
    pieces.triangles.extend(outside.triangles.iter().map(|face| face.map(|index| index + 8)));
    pieces.vertices.extend(outside.vertices.iter().map(|[x, y, z]| [x + 3.0, *y, *z]));
    let solid = r#","solid":true"#;
    let found = answer(&ask("distance", &inline(&large, solid), &inline(&pieces, solid)));
    assert_eq!((&found["verdict"], &found["inside"]), (&json!("penetrating"), &json!(null)));
    assert_depth(&found, 1.25);
}

#[test]
fn a_surface_in_a_solid_penetrates_and_is_not_contained() {
    let (solid, surface) =
        (inline(&unit_block(), r#","solid":true"#), inline(&block([0.25; 3]), ""));
    for (x, verdict) in [(0.5, "penetrating"), (1.0, "penetrating"), (3.0, "separated")] {
        let placed = format!("{surface}{}", at([x, 0.0, 0.0]));
        assert_eq!(answer(&ask("verdict", &solid, &placed))["verdict"], verdict, "{x}");
        assert_eq!(answer(&ask("verdict", &placed, &solid))["verdict"], verdict, "{x}");
    }
}
