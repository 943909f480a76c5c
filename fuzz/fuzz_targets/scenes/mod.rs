//! Any bytes as a scene of one format: a message of one line, or a scene whose every index and number holds.

use impinge_io::{
    LARGEST, LoadOptions, SceneData, SceneFormat, ShapeData, detect_scene, parse_scene,
};

pub fn check(bytes: &[u8], format: SceneFormat) {
    let _ = detect_scene(bytes, "file");
    match parse_scene(bytes, format, "file", &LoadOptions::default()) {
        Ok(scene) => check_sound(&scene),
        Err(error) => {
            let message = error.to_string();
            assert!(message.starts_with("file: ") && message.len() < 700, "{message}");
            assert!(!message.contains(['\n', '\r']), "{message}");
        }
    }
}

fn check_sound(scene: &SceneData) {
    for shape in &scene.shapes {
        let mesh = shape.to_mesh();
        let count = mesh.vertices.len();
        assert!(mesh.triangles.iter().flatten().all(|&corner| (corner as usize) < count));
        assert!(mesh.vertices.iter().flatten().all(|value| value.abs() <= LARGEST));
        assert!(!matches!(shape, ShapeData::Mesh(_)) || !mesh.triangles.is_empty());
    }
    for (index, node) in scene.nodes.iter().enumerate() {
        assert!(node.parent.is_none_or(|parent| parent < index));
    }
    for part in &scene.parts {
        assert!(part.shape < scene.shapes.len() && part.node < scene.nodes.len());
        assert!(part.file < scene.files.len());
        let placement = &part.placement;
        assert!(placement.scale > 0.0 && placement.scale.is_finite());
        assert!(placement.translation.iter().all(|value| value.abs() <= LARGEST));
        let rows = placement.rotation;
        for i in 0..3 {
            for j in 0..3 {
                let dot: f64 = (0..3).map(|k| rows[i][k] * rows[j][k]).sum();
                let expected = if i == j { 1.0 } else { 0.0 };
                assert!((dot - expected).abs() < 1e-9, "{rows:?}");
            }
        }
    }
    for joint in &scene.joints {
        assert!(joint.parent < joint.child && joint.child < scene.nodes.len());
        assert!(joint.position.is_finite());
    }
    for part in 0..scene.parts.len().min(8) {
        let _ = scene.part_path(part);
    }
    if scene.parts.len() < 100 {
        let (count, adjacency) = (scene.parts.len(), scene.adjacency());
        let pairs = (0..count).flat_map(|b| (0..b).map(move |a| [a, b]));
        let adjacent = pairs.filter(|&[a, b]| adjacency.contains(a, b)).count();
        assert_eq!(adjacent, adjacency.count());
    }
}
