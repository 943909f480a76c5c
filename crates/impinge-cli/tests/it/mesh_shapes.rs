//! Meshes against shapes.

use crate::command::{answer, answers, numbers};
use crate::folder::inline;
use crate::meshes::{ask, at, unit_block};
use serde_json::{Value, json};

#[test]
fn shapes_have_one_triangle_for_pairs() {
    let (mesh, ball) = (inline(&unit_block(), ""), r#""sphere":{"radius":0.5}"#);
    let above = format!("{ball}{}", at([-0.25, 0.25, 1.25]));
    assert_eq!(answer(&ask("pairs", &mesh, &above))["pairs"], json!([[10, 0], [11, 0]]));
    assert_eq!(answer(&ask("pairs", &above, &mesh))["pairs"], json!([[0, 10], [0, 11]]));
    assert_eq!(answer(&ask("pairs", ball, ball))["pairs"], json!([[0, 0]]));
    let far = format!("{ball}{}", at([1.0, 0.5, 0.25]));
    assert_eq!(answer(&ask("pairs", ball, &far))["pairs"], json!([]));
}

/// Convex shapes of every kind, each reaching from −1 to 1 in some direction or beyond.
const SHAPES: &[&str] = &[
    r#""sphere":{"radius":1}"#,
    r#""box":{"half":[1,0.5,0.75]}"#,
    r#""capsule":{"radius":0.5,"half_height":0.5}"#,
    r#""tapered_capsule":{"radii":[0.5,0.25],"half_height":0.5}"#,
    r#""cylinder":{"radius":0.75,"half_height":1}"#,
    r#""cone":{"radius":0.75,"half_height":1}"#,
    r#""ellipsoid":{"radii":[1,0.5,0.75]}"#,
    r#""segment":[[-1,0,0],[1,0.5,0]]"#,
    r#""triangle":[[-1,0,0],[1,0.5,0],[0,0.25,1]]"#,
    r#""hull":[[-1,0,0],[1,0,0],[0,1,0],[0,0,1]]"#,
    r#""plane":{"normal":[1,2,2],"offset":0}"#,
    r#""halfspace":{"normal":[1,2,2],"offset":0}"#,
    r#""box":{"half":[0.5,0.5,0.5]},"round":0.25"#,
];

#[test]
fn a_solid_convex_mesh_answers_like_its_hull() {
    let (mesh, hull) =
        (unit_block(), Value::from_iter(unit_block().vertices.iter().map(|v| v.to_vec())));
    let mesh = inline(&mesh, r#","solid":true"#);
    let hull = format!(r#""hull":{hull}"#);
    let turned = r#""rotation":[0.8,0.36,0.48,0],"translation":"#;
    let (mut input, mut count) = (String::new(), 0);
    for shape in SHAPES {
        for translation in ["[0,0,0]", "[1.5,0.25,0.125]", "[0.5,1.75,-1]", "[3,2,1]", "[-5,-3,-4]"]
        {
            let shape = format!(r#"{shape},"pose":{{{turned}{translation}}}"#);
            let (first, second) = (ask("distance", &mesh, &shape), ask("distance", &hull, &shape));
            let (third, fourth) = (ask("distance", &shape, &mesh), ask("distance", &shape, &hull));
            input += &format!("{first}\n{second}\n{third}\n{fourth}\n");
            count += 2;
        }
    }
    let (found, code) = answers(input);
    assert_eq!((found.len(), code), (2 * count, 0));
    let mut seen = [0; 2];
    for (found, place) in found.chunks(2).zip(0..) {
        let [mesh, hull] = found else { panic!("answers come in pairs") };
        let shape = SHAPES[place / 10];
        assert_eq!(mesh["verdict"], hull["verdict"], "{shape} {place}\n{mesh}\n{hull}");
        assert_eq!(mesh["inside"], hull["inside"], "{shape} {place}\n{mesh}\n{hull}");
        let exact = hull["distance"].as_f64().unwrap();
        let distance = mesh["distance"].as_f64().unwrap();
        seen[usize::from(exact > 0.0)] += 1;
        if exact <= 0.0 {
            // A translation that separates: not shorter than the shortest, and not much longer.
            let allowed = (-exact * (1.0 - 1e-9) - 1e-9)..=(-exact * 1.25 + 1e-9);
            assert!(allowed.contains(&-distance), "{shape}: {distance} for {exact}");
        } else {
            assert!((distance - exact).abs() < 1e-9, "{shape}: {distance} for {exact}");
            for (p, q) in numbers(&mesh["points"][0]).iter().zip(numbers(&hull["points"][0])) {
                // Closest points need not be unique: they are here, but for parallel sides.
                assert!((p - q).abs() < 1e-6, "{shape}\n{mesh}\n{hull}");
            }
        }
    }
    assert!(seen[0] > 30 && seen[1] > 30, "{seen:?}");
}
