//! A body whose parts want different volumes: a ball, a rod aslant, a block along the axes and scattered triangles, side by side.

use crate::measure::builders::models::{Model, generated};

/// The parts by name, and where each is.
const PARTS: [(&str, [f64; 3]); 4] = [
    ("smooth ball", [0.0, 0.0, 0.0]),
    ("rod aslant", [2.5, -2.0, 0.0]),
    ("aligned block", [-4.5, 0.0, 0.0]),
    ("scattered soup", [0.0, 4.5, 0.0]),
];

/// All parts as one body of about the given number of triangles.
pub(super) fn assembly(triangles: usize) -> Model {
    let parts = generated(triangles / PARTS.len());
    let (mut vertices, mut faces) = (Vec::new(), Vec::new());
    for (name, place) in PARTS {
        for part in parts.iter().filter(|part| part.name == name) {
            let first = vertices.len() as u32;
            let moved = |p: &[f64; 3]| std::array::from_fn(|axis| p[axis] + place[axis]);
            vertices.extend(part.vertices.iter().map(moved));
            faces.extend(part.triangles.iter().map(|face| face.map(|vertex| vertex + first)));
        }
    }
    Model { name: "assembly".into(), vertices, triangles: faces }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_parts_are_there() {
        let model = assembly(4000);
        assert!((2500..=5500).contains(&model.triangles.len()), "{}", model.triangles.len());
        let used = model.triangles.as_flattened().iter().max().map(|last| *last as usize + 1);
        assert_eq!(used, Some(model.vertices.len()));
    }
}
