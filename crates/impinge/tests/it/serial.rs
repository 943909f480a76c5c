//! What users hold survives JSON (feature `serde`), and what is read is checked.

use impinge::geom::ray::Ray;
use impinge::geom::{Feature, Verdict};
use impinge::mesh::Mode;
use impinge::query::{self, MeshPart, Part};
use impinge::{Geometry, Mesh, Pose, Shape};
use serde_json::{from_str, to_string};

fn wedge() -> Mesh {
    let corners = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    Mesh::new(&corners, &[[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]).expect("valid")
}

#[test]
fn poses_rays_and_shapes_come_back_as_they_were() {
    let pose = Pose::from_axis_angle([1.0, 2.0, 3.0], 0.7, [1e-3, 5.0, -7.25]).expect("valid");
    let read: Pose = from_str(&to_string(&pose).expect("written")).expect("read");
    assert_eq!(read, pose);
    let ray = Ray::new([1.0, 2.0, 3.0], [1e-300, 0.0, -4.0]).expect("valid");
    let read: Ray = from_str(&to_string(&ray).expect("written")).expect("read");
    assert_eq!(read, ray);
    let shapes = [
        Shape::sphere(0.1),
        Shape::capsule(0.1, 0.2),
        Shape::tapered_capsule(0.1, 0.2, 0.3),
        Shape::cuboid([1.0, 2.0, 3.0]),
        Shape::cylinder(0.1, 0.2),
        Shape::cone(0.1, 0.2),
        Shape::ellipsoid([1.0, 2.0, 3.0]),
        Shape::segment([[0.0; 3], [1.0, 2.0, 3.0]]),
        Shape::triangle([[0.0; 3], [1.0, 2.0, 3.0], [0.0, 1.0, 0.0]]),
        Shape::plane([0.0, 0.0, 1.0], 2.0),
        Shape::half_space([0.0, 1.0, 0.0], -2.0),
        Shape::hull(&[[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]),
        Shape::cuboid([1.0; 3]).and_then(|shape| shape.rounded(0.25)),
    ];
    let probe = Shape::sphere(0.5).expect("valid");
    let there = Pose::from_translation([0.3, 0.4, 1.7]).expect("valid");
    for shape in shapes.map(|shape| shape.expect("valid")) {
        let text = to_string(&shape).expect("written");
        let read: Shape = from_str(&text).expect("read");
        assert_eq!(to_string(&read).expect("written"), text);
        let ask = |shape: &Shape| query::signed_distance(&Pose::IDENTITY, shape, &there, &probe);
        assert_eq!(ask(&read), ask(&shape), "{text}");
    }
}

#[test]
fn meshes_geometries_and_answers_come_back_as_they_were() {
    let mesh = wedge();
    let read: Mesh = from_str(&to_string(&mesh).expect("written")).expect("read");
    assert_eq!((read.vertices(), read.triangles()), (mesh.vertices(), mesh.triangles()));
    let part = MeshPart::new(wedge().into(), Mode::Surface).with_scale(2.0).expect("valid");
    let place = Pose::from_translation([3.0, 0.0, 0.0]).expect("valid");
    let ball = Part::from(Shape::sphere(1.0).expect("valid"));
    let both = Geometry::compound([(4, place, part.into()), (9, Pose::IDENTITY, ball)]);
    let geometries = [both.expect("valid"), Geometry::from(wedge())];
    for geometry in geometries {
        let read: Geometry = from_str(&to_string(&geometry).expect("written")).expect("read");
        let ask = |geometry: &Geometry| query::distance(&place, geometry, &Pose::IDENTITY, &mesh);
        let found = ask(&geometry);
        assert_eq!(ask(&read), found);
        let told: query::Distance = from_str(&to_string(&found).expect("written")).expect("read");
        assert_eq!(told, found);
    }
    for verdict in [Verdict::Touching, Verdict::Contained(impinge::geom::Inside::B)] {
        let read: Verdict = from_str(&to_string(&verdict).expect("written")).expect("read");
        assert_eq!(read, verdict);
    }
    assert_eq!(to_string(&Feature::edge(3)).expect("written"), r#"{"kind":"Edge","index":3}"#);
}

#[test]
fn what_could_not_be_constructed_is_not_read() {
    let refused = |error: serde_json::Error| error.to_string();
    let shape = from_str::<Shape>(r#"{"sphere":{"radius":-1.0}}"#).map_err(refused);
    assert!(shape.is_err_and(|error| error.contains("radius")));
    let pose =
        r#"{"rows":[[2.0,0.0,0.0],[0.0,1.0,0.0],[0.0,0.0,1.0]],"translation":[0.0,0.0,0.0]}"#;
    assert!(from_str::<Pose>(pose).map_err(refused).is_err_and(|error| error.contains("rotation")));
    let mesh = r#"{"vertices":[[0.0,0.0,0.0]],"triangles":[[0,0,7]]}"#;
    assert!(from_str::<Mesh>(mesh).map_err(refused).is_err_and(|error| error.contains("vertex 7")));
    assert!(from_str::<Geometry>("[]").is_err());
}
