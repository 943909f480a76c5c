//! Assemblies of boxes, as an OBJ file states them.

use impinge_clash::{CheckOptions, Model, Outcome, Plan, check};
use impinge_io::{SceneFormat, parse_scene};
use std::fmt::Write;

/// A named box between two corners.
pub(crate) type Block<'b> = (&'b str, [f64; 3], [f64; 3]);

/// The boxes as the text of an OBJ file.
pub(crate) fn text(blocks: &[Block<'_>]) -> String {
    let mut text = String::new();
    for (index, (name, low, high)) in blocks.iter().enumerate() {
        writeln!(text, "o {name}").unwrap();
        for corner in 0..8 {
            let side = |k: usize| if corner >> k & 1 == 1 { high[k] } else { low[k] };
            writeln!(text, "v {} {} {}", side(0), side(1), side(2)).unwrap();
        }
        for face in
            [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]]
        {
            let [a, b, c, d] = face.map(|k| 8 * index + k + 1);
            writeln!(text, "f {a} {b} {c} {d}").unwrap();
        }
    }
    text
}

/// The boxes as a model, in metres.
pub(crate) fn model(blocks: &[Block<'_>]) -> Model {
    let text = text(blocks);
    let options = impinge_io::LoadOptions::default();
    let scene = parse_scene(text.as_bytes(), SceneFormat::Obj, "boxes.obj", &options).unwrap();
    let model = Model::new(&scene);
    assert!(model.parts.iter().all(|part| part.closed) && model.left_out.is_empty());
    model
}

/// Checks with the tests of a TOML text.
pub(crate) fn checked(model: &Model, tests: &str) -> Outcome {
    let plan = Plan::parse(tests, "tests.toml").unwrap();
    check(model, &plan, &CheckOptions::default())
}
