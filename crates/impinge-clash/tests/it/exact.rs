//! Boxes, cylinders and balls are checked as what they are: closed forms, where their triangles would be wrong.

use crate::boxes::checked;
use impinge::geom::Certainty;
use impinge::geom::DAabb;
use impinge::geom::glam::DVec3;
use impinge_clash::{Finding, Kind, Model};
use impinge_io::{
    MeshData, Placement, SceneData, SceneFormat, SceneNode, ScenePart, ShapeData, Unit, parse_scene,
};
use std::sync::Arc;

/// A quarter turn that takes z to x.
const LYING: [[f64; 3]; 3] = [[0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0]];
const UPRIGHT: [[f64; 3]; 3] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
/// Half of a facet of the 64 that stand for a full turn.
const HALF_FACET: f64 = std::f64::consts::PI / 64.0;

type Body = (ShapeData, [[f64; 3]; 3], [f64; 3], f64);

fn model(bodies: &[Body]) -> Model {
    let mut scene = SceneData::default();
    for (index, (shape, rotation, translation, scale)) in bodies.iter().enumerate() {
        scene.shapes.push(shape.clone());
        scene.nodes.push(SceneNode { name: format!("part {index}"), parent: None });
        scene.parts.push(ScenePart {
            name: format!("part {index}"),
            node: index,
            shape: index,
            placement: Placement { rotation: *rotation, translation: *translation, scale: *scale },
            materials: Arc::default(),
            properties: Arc::default(),
            party: None,
            file: 0,
            unit: Unit::Metre,
        });
    }
    Model::new(&scene)
}

fn ball(radius: f64, at: [f64; 3]) -> Body {
    (ShapeData::Sphere { radius }, UPRIGHT, at, 1.0)
}

/// A floor from -5 to 5, whose top is at 0: as a closed box of triangles, or its top alone.
fn floor(closed: bool) -> MeshData {
    if closed {
        let slab = ShapeData::Box { size: [10.0, 10.0, 2.0] }.to_mesh().into_owned();
        let lowered = slab.vertices.iter().map(|[x, y, z]| [*x, *y, z - 1.0]).collect();
        return MeshData::new(lowered, slab.triangles);
    }
    let corners = vec![[-5.0, -5.0, 0.0], [5.0, -5.0, 0.0], [5.0, 5.0, 0.0], [-5.0, 5.0, 0.0]];
    MeshData::new(corners, vec![[0, 1, 2], [0, 2, 3]])
}

/// The only finding of a test for everything, with a tolerance of nothing and a clearance of 0.01.
#[track_caller]
fn only(bodies: &[Body]) -> Finding {
    let test = "[[test]]\nname = \"all\"\ntolerance = 0\nclearance = 0.01\n\
                kinds = [\"hard\", \"contained\", \"clearance\", \"touching\"]";
    let mut found = checked(&model(bodies), test).findings;
    assert_eq!(found.len(), 1, "{found:?}");
    found.remove(0)
}

#[track_caller]
fn assert_distance(found: &Finding, kind: Kind, expected: f64, error: f64) {
    let distance = found.distance.unwrap();
    assert_eq!(found.kind, kind, "{found:?}");
    assert!((distance.value - expected).abs() <= error, "{} is not {expected}", distance.value);
    let [a, b] = found.points.unwrap();
    assert!((a.distance(b) - expected.abs()).abs() <= 1e-9, "{a} {b}");
    assert_eq!(found.triangles, None);
}

#[test]
fn two_balls_within_a_nanometre_of_each_other() {
    // Towards the middle of a facet of both.
    let along = DVec3::new(0.6, 0.64, 0.48);
    for (gap, kind) in [(1e-9, Kind::Clearance), (-1e-9, Kind::Hard)] {
        let found = only(&[ball(0.5, [0.0; 3]), ball(0.25, (along * (0.75 + gap)).to_array())]);
        assert_distance(&found, kind, gap, 1e-14);
        assert_eq!(found.distance.unwrap().certainty, Certainty::Exact);
    }
}

#[test]
fn a_ball_beside_the_middle_of_a_facet_of_a_cylinder() {
    // The facet is 1.2 mm below the cylinder there.
    let [x, y] = [HALF_FACET.cos(), HALF_FACET.sin()];
    let post = ShapeData::Cylinder { radius: 1.0, length: 4.0 };
    for (gap, kind) in [(5e-4, Kind::Clearance), (-5e-4, Kind::Hard)] {
        let far = 1.25 + gap;
        let found =
            only(&[(post.clone(), UPRIGHT, [0.0; 3], 1.0), ball(0.25, [far * x, far * y, 0.5])]);
        assert_distance(&found, kind, gap, 1e-12);
    }
}

#[test]
fn a_ball_over_a_plane_of_triangles() {
    for closed in [false, true] {
        let ground = (ShapeData::Mesh(floor(closed)), UPRIGHT, [0.0; 3], 1.0);
        for (height, kind) in [(0.5 + 1e-9, Kind::Clearance), (0.3, Kind::Hard), (-0.1, Kind::Hard)]
        {
            // A ball that is deeper than its centre must come out of a floor that is filled, and can leave a sheet downwards.
            let expected = if closed || height > 0.0 { height - 0.5 } else { -0.5 - height };
            let found = only(&[ground.clone(), ball(0.5, [1.0, 0.3, height])]);
            assert_distance(&found, kind, expected, 1e-10);
            // Below the centre of the ball the deepest common point is searched for: the depth found is a certified bound.
            let searched = closed && height < 0.0;
            let certainty = if searched { Certainty::Bound } else { Certainty::Exact };
            assert_eq!(found.distance.unwrap().certainty, certainty, "{closed} {height}");
            let swapped = only(&[ball(0.5, [1.0, 0.3, height]), ground.clone()]);
            assert_distance(&swapped, kind, expected, 1e-10);
            let [on_ball, on_floor] = swapped.points.unwrap();
            assert!(
                on_floor.z.abs() < 1e-9
                    && ((on_ball.z - on_floor.z).abs() - expected.abs()).abs() < 1e-9
            );
        }
    }
}

/// A cylinder on its side, turned so that the middle of a facet is below; enlarged in two ways.
#[test]
fn a_cylinder_in_a_floor() {
    let (c, s) = (HALF_FACET.cos(), HALF_FACET.sin());
    // First about its own axis, then laid down: LYING times the turn about z.
    let turned = LYING.map(|row| [row[0] * c + row[1] * s, row[1] * c - row[0] * s, row[2]]);
    for (scale, floor_scale) in [(1.0, 1.0), (2.0, 0.5)] {
        let post = ShapeData::Cylinder { radius: 0.5 / scale, length: 2.0 / scale };
        let ground = (ShapeData::Mesh(floor(true)), UPRIGHT, [0.0; 3], floor_scale);
        let found = only(&[ground.clone(), (post.clone(), turned, [0.1, 0.2, 0.4999], scale)]);
        assert_distance(&found, Kind::Hard, -1e-4, 1e-10);
        let above = only(&[ground, (post, turned, [0.1, 0.2, 0.5001], scale)]);
        assert_distance(&above, Kind::Clearance, 1e-4, 1e-10);
    }
}

#[test]
fn inside_is_inside_exactly() {
    let room = ShapeData::Box { size: [2.0; 3] };
    let mesh = ShapeData::Mesh(room.to_mesh().into_owned());
    for room in [room, mesh] {
        let found = only(&[(room.clone(), UPRIGHT, [0.0; 3], 1.0), ball(0.999_999, [0.0; 3])]);
        assert_eq!((found.kind, found.certain), (Kind::Contained, true));
        // The corners of the box are at the square root of 3; the triangles that stand for the ball cut them off.
        let found = only(&[(room, UPRIGHT, [0.0; 3], 1.0), ball(3f64.sqrt() + 1e-9, [0.0; 3])]);
        assert_eq!((found.kind, found.certain), (Kind::Contained, true));
    }
}

#[test]
fn the_box_around_a_ball_is_that_of_the_ball() {
    let turn = [[0.6, -0.8, 0.0], [0.8, 0.6, 0.0], [0.0, 0.0, 1.0]];
    let model = model(&[(ShapeData::Sphere { radius: 0.5 }, turn, [1.0, 2.0, 3.0], 2.0)]);
    let DAabb { low, high } = model.parts[0].bounds;
    assert!(
        low.abs_diff_eq(DVec3::new(0.0, 1.0, 2.0), 1e-12)
            && low.cmple(DVec3::new(0.0, 1.0, 2.0)).all()
    );
    assert!(high.abs_diff_eq(DVec3::new(2.0, 3.0, 4.0), 1e-12));
}

/// From the file to the report: what is round says that its curve is an estimate.
#[test]
fn a_robot_of_primitives() {
    let robot = br#"<robot name="r"><link name="base"><collision><geometry><cylinder radius="1" length="2"/></geometry></collision></link>
        <link name="between"/><link name="ball"><collision><geometry><sphere radius="0.5"/></geometry></collision></link>
        <link name="plate"><collision><geometry><box size="1 1 1"/></geometry></collision></link>
        <joint name="a" type="fixed"><parent link="base"/><child link="between"/><origin xyz="0 0 1"/></joint>
        <joint name="b" type="fixed"><parent link="between"/><child link="ball"/><origin xyz="0 0 0.4"/></joint>
        <joint name="c" type="fixed"><parent link="ball"/><child link="plate"/><origin xyz="1.4 0 -1"/></joint></robot>"#;
    let options = impinge_io::LoadOptions::default();
    let scene = parse_scene(robot, SceneFormat::Urdf, "robot.urdf", &options).unwrap();
    let model = Model::new(&scene);
    let plan = impinge_clash::Plan::parse("[[test]]\nname = \"all\"", "tests.toml").unwrap();
    let outcome = impinge_clash::check(&model, &plan, &Default::default());
    let run = impinge_clash::report::Run {
        name: "robot.urdf",
        model: &model,
        plan: &plan,
        outcome: &outcome,
        comparison: &Default::default(),
    };
    let json = impinge_clash::report::json(&run);
    for part in ["\"shape\": \"cylinder\"", "\"shape\": \"sphere\"", "\"shape\": \"box\""] {
        assert!(json.contains(part), "{json}");
    }
    // Base and plate are not neighbours: the plate begins at 0.9 of the cylinder's radius.
    let found = &outcome.findings[..];
    assert_eq!(found.len(), 1, "{found:?}");
    assert!((found[0].depth().unwrap() - 0.1).abs() < 1e-9, "{found:?}");
    assert_eq!(found[0].curve_certainty, Certainty::Estimate);
    assert!(
        json.contains("\"curve_method\": \"estimate\"")
            && found[0].explanation.contains("estimated from the tessellation")
    );
}
