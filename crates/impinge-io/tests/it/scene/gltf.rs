//! glTF scenes whose buffers are made here.

use impinge_io::{
    Error, LoadOptions, MeshData, SceneData, SceneFormat, ShapeData, Unit, UnitSource, parse_scene,
};

/// A glTF with one buffer of little-endian bytes, as a binary file.
pub(crate) fn binary(json: &str, data: &[u8]) -> Vec<u8> {
    let mut json = json.as_bytes().to_vec();
    json.resize(json.len().next_multiple_of(4), b' ');
    let mut data = data.to_vec();
    data.resize(data.len().next_multiple_of(4), 0);
    let mut bytes = b"glTF\x02\0\0\0".to_vec();
    bytes.extend(((12 + 8 + json.len() + 8 + data.len()) as u32).to_le_bytes());
    bytes.extend((json.len() as u32).to_le_bytes());
    bytes.extend(b"JSON");
    bytes.extend(json);
    bytes.extend((data.len() as u32).to_le_bytes());
    bytes.extend(b"BIN\0");
    bytes.extend(data);
    bytes
}

/// Four corners of a unit square and the indices of a strip; then instance translations and scales.
fn square() -> Vec<u8> {
    let mut data = Vec::new();
    for value in [0f32, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 1.0, 1.0, 0.0] {
        data.extend(value.to_le_bytes());
    }
    data.extend([0, 1, 2, 3]);
    for value in [0f32, 0.0, 5.0, 0.0, 0.0, 6.0, 1.0, 1.0, 1.0, 2.0, 2.0, 2.0] {
        data.extend(value.to_le_bytes());
    }
    data
}

/// A document with the square; `nodes` and `more` are put in.
fn document(mode: u32, nodes: &str, more: &str) -> String {
    format!(
        r#"{{"asset": {{"version": "2.0"}}, "nodes": {nodes}, "buffers": [{{"byteLength": 100}}],
        "bufferViews": [{{"buffer": 0, "byteLength": 48}}, {{"buffer": 0, "byteOffset": 48, "byteLength": 4}},
            {{"buffer": 0, "byteOffset": 52, "byteLength": 48}}],
        "accessors": [{{"bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3"}},
            {{"bufferView": 1, "componentType": 5121, "count": 4, "type": "SCALAR"}},
            {{"bufferView": 2, "componentType": 5126, "count": 2, "type": "VEC3"}},
            {{"bufferView": 2, "byteOffset": 24, "componentType": 5126, "count": 2, "type": "VEC3"}}],
        "materials": [{{"name": "steel"}}, {{}}],
        "meshes": [{{"name": "square", "primitives": [
            {{"attributes": {{"POSITION": 0}}, "indices": 1, "mode": {mode}, "material": 0}}]}}]{more}}}"#
    )
}

fn read(json: &str) -> Result<SceneData, Error> {
    parse_scene(&binary(json, &square()), SceneFormat::Glb, "f.glb", &LoadOptions::default())
}

fn mesh(scene: &SceneData, part: usize) -> &MeshData {
    match &scene.shapes[scene.parts[part].shape] {
        ShapeData::Mesh(mesh) => mesh,
        other => panic!("{other:?} is a mesh"),
    }
}

#[test]
fn strips_and_fans() {
    let scene = read(&document(5, r#"[{"mesh": 0}]"#, "")).unwrap();
    assert_eq!(mesh(&scene, 0).triangles, [[0, 1, 2], [1, 3, 2]]);
    assert_eq!(mesh(&scene, 0).vertices[3], [1.0, 1.0, 0.0]);
    let scene = read(&document(6, r#"[{"mesh": 0}]"#, "")).unwrap();
    let vertices = &mesh(&scene, 0).vertices;
    let corners: Vec<_> =
        mesh(&scene, 0).triangles.iter().map(|t| t.map(|c| vertices[c as usize])).collect();
    let at = |i: usize| [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 1.0, 0.0]][i];
    assert_eq!(corners, [[at(1), at(2), at(0)], [at(2), at(3), at(0)]]);
    let scene = read(&document(1, r#"[{"mesh": 0}]"#, "")).unwrap();
    assert!(scene.parts.is_empty());
    assert_eq!(scene.notes[0].to_string(), "f.glb: a primitive of lines is left out");
}

#[test]
fn names_places_and_instances() {
    let nodes = r#"[{"name": "arm", "children": [1, 2], "translation": [1, 0, 0], "rotation": [0, 0, 1, 0]},
        {"mesh": 0, "translation": [0, 0, 3], "scale": [2, 2, 2], "extras": {"storey": 2, "fire": true, "x": [1]}},
        {"name": "mirror", "mesh": 0, "scale": [-1, 1, 1]},
        {"name": "lost", "mesh": 0}]"#;
    let scene = read(&document(5, nodes, r#", "scenes": [{"nodes": [0]}]"#)).unwrap();
    assert_eq!((scene.unit, scene.unit_source), (Unit::Metre, UnitSource::File));
    assert_eq!([scene.part_path(0), scene.part_path(1)], ["arm/square", "arm/mirror"]);
    let placement = scene.parts[0].placement;
    assert_eq!((placement.scale, placement.translation), (2.0, [1.0, 0.0, 3.0]));
    assert_eq!(placement.map([1.0, 1.0, 0.0]), [-1.0, -2.0, 3.0]);
    assert_eq!(&*scene.parts[0].materials, ["steel"]);
    let properties: Vec<_> = scene.parts[0].properties.iter().collect();
    assert_eq!(format!("{properties:?}"), r#"[("fire", "true"), ("storey", "2")]"#);
    // The mirrored one has a mesh of its own, turned so that its inside stays its inside.
    assert_eq!((scene.parts[0].shape, scene.parts[1].shape), (0, 1));
    assert_eq!(mesh(&scene, 1).triangles, [[0, 2, 1], [1, 2, 3]]);
    let placed = scene.parts[1].placement.map(mesh(&scene, 1).vertices[3]);
    assert_eq!(placed, [2.0, -1.0, 0.0]);
    assert!(scene.notes.iter().any(|note| note.message.contains("mirrored")));
    assert!(scene.notes.iter().any(|note| note.message.contains("outside the scene")));
}

#[test]
fn instances_by_extension() {
    let nodes = r#"[{"mesh": 0, "name": "tree", "translation": [10, 0, 0], "extensions":
        {"EXT_mesh_gpu_instancing": {"attributes": {"TRANSLATION": 2, "SCALE": 3}}}}]"#;
    let scene = read(&document(5, nodes, r#", "extensionsRequired": ["EXT_mesh_gpu_instancing"]"#))
        .unwrap();
    let names: Vec<_> = scene.parts.iter().map(|part| part.name.as_str()).collect();
    assert_eq!((names, scene.shapes.len()), (vec!["tree #0", "tree #1"], 1));
    let last = scene.parts[1].placement;
    assert_eq!((last.translation, last.scale), ([10.0, 0.0, 6.0], 2.0));
}

#[test]
fn one_vertex_for_equal_positions_and_one_shape_for_equal_meshes() {
    let mut json = document(4, r#"[{"mesh": 0}, {"mesh": 1}]"#, "");
    json = json.replace(r#""meshes": ["#, r#""meshes": [{"primitives": [{"attributes": {"POSITION": 0}},
        {"attributes": {"POSITION": 0}, "mode": 6}]}, {"primitives": [{"attributes": {"POSITION": 0}},
        {"attributes": {"POSITION": 0}, "mode": 6, "material": 1}]}, "#);
    let scene = read(&json).unwrap();
    assert_eq!((scene.parts.len(), scene.shapes.len()), (2, 1));
    assert_eq!((mesh(&scene, 0).vertices.len(), mesh(&scene, 0).triangles.len()), (4, 3));
    assert_eq!(&*scene.parts[1].materials, ["material 1"]);
    let left_over = "f.glb: 1 of 4 corners are left over in a list of triangles (2 times)";
    assert_eq!(scene.notes[0].to_string(), left_over);
}

#[test]
fn cycles_and_second_parents() {
    for nodes in [
        r#"[{"children": [1]}, {"children": [0]}]"#,
        r#"[{"children": [1, 1]}, {}]"#,
        r#"[{"children": [2]}, {"children": [2]}, {}]"#,
        r#"[{"children": [0]}]"#,
    ] {
        let scene = read(&document(5, nodes, r#", "scenes": [{"nodes": [0, 1]}]"#));
        if nodes.contains("{\"children\": [0]}]") && !nodes.contains("[1]") {
            assert!(scene.unwrap_err().to_string().contains("node 1 is referenced here"));
            continue;
        }
        let message = scene.unwrap_err().to_string();
        assert!(message.contains("nodes must form a tree"), "{nodes}: {message}");
    }
}

#[test]
fn a_chain_of_a_hundred_thousand_nodes() {
    let count = 100_000;
    let mut nodes = String::from("[");
    for i in 1..count {
        nodes += &format!(r#"{{"children":[{i}]}},"#);
    }
    nodes += r#"{"mesh":0}]"#;
    let scene = read(&document(5, &nodes, "")).unwrap();
    assert_eq!((scene.nodes.len(), scene.parts.len()), (count, 1));
    assert!(scene.part_path(0).starts_with("node 0/node 1/"));
}
