//! Bodies that come, go and change; who is tested with whom; what began and ended.

use crate::worlds::at;
use impinge::geom::{Shape, Verdict};
use impinge::mesh::Mode;
use impinge::query::{Geometry, InvalidGeometry, MeshPart};
use impinge::scene::{Body, Event, EventKind, Scene, SceneError, SceneSettings, StepReport};

fn ball(x: f64) -> Body {
    Body::moving(Shape::sphere(1.0).unwrap(), at([x, 0.0, 0.0]))
}

fn kinds(report: &StepReport) -> Vec<EventKind> {
    report.events.iter().map(|event| event.kind).collect()
}

#[test]
fn events_over_time() {
    let mut scene = Scene::default();
    let a = scene.add(ball(0.0)).unwrap();
    let b = scene.add(ball(5.0)).unwrap();
    assert!(scene.step().events.is_empty());
    scene.set_pose(b, at([1.5, 0.0, 0.0])).unwrap();
    assert_eq!(scene.step().events, [Event { kind: EventKind::Begin, bodies: [a, b] }]);
    assert_eq!(kinds(scene.step()), [EventKind::Stay]);
    scene.set_pose(b, at([1.0, 0.0, 0.0])).unwrap();
    assert_eq!(kinds(scene.step()), [EventKind::Stay]);
    scene.set_pose(b, at([2.5, 0.0, 0.0])).unwrap();
    assert_eq!(kinds(scene.step()), [EventKind::End]);
    assert!(scene.step().events.is_empty());
    // Near is not met.
    scene.rules_mut().set_default_margin(1.0).unwrap();
    let report = scene.step();
    assert_eq!((report.pairs.len(), report.pairs[0].verdict), (1, Verdict::Separated));
    assert!(report.events.is_empty());
}

#[test]
fn removal_ends_what_was_met_and_ids_are_not_used_again() {
    let mut scene = Scene::default();
    let [a, b] = [0.0, 1.0].map(|x| scene.add(ball(x)).unwrap());
    scene.step();
    assert_eq!(scene.remove(a).unwrap().pose, at([0.0; 3]));
    assert_eq!(scene.step().events, [Event { kind: EventKind::End, bodies: [a, b] }]);
    scene.remove(b).unwrap();
    let c = scene.add(ball(0.0)).unwrap();
    assert!(c != a && c != b && (c.index() == a.index() || c.index() == b.index()));
    assert_eq!(scene.body(a).unwrap_err(), SceneError::Removed(a));
    assert_eq!((scene.len(), scene.bodies().count()), (1, 1));
    // Removed and replaced between two steps: the one ended, the other began.
    let d = scene.add(ball(1.0)).unwrap();
    scene.step();
    scene.remove(d).unwrap();
    let e = scene.add(ball(-1.0)).unwrap();
    assert_eq!(d.index(), e.index());
    assert_eq!(kinds(scene.step()), [EventKind::End, EventKind::Begin]);
}

#[test]
fn bad_ids_and_values_are_errors() {
    let mut scene = Scene::default();
    let mut other = Scene::default();
    other.add(ball(0.0)).unwrap();
    let foreign = other.add(ball(0.0)).unwrap();
    let own = scene.add(ball(0.0)).unwrap();
    assert_eq!(scene.set_pose(foreign, at([0.0; 3])), Err(SceneError::Unknown(foreign)));
    assert_eq!(scene.remove(foreign).unwrap_err(), SceneError::Unknown(foreign));
    scene.remove(own).unwrap();
    let removed = Err(SceneError::Removed(own));
    assert_eq!(scene.set_pose(own, at([0.0; 3])), removed);
    assert_eq!(scene.set_geometry(own, Shape::sphere(1.0).unwrap()), removed);
    assert_eq!(scene.set_moves(own, true), removed);
    assert_eq!(scene.set_filter(own, 1, 1, 1), removed);
    assert!(scene.remove(own).is_err());
    assert!(SceneError::Removed(own).to_string().contains("was removed"));
    for margin in [-1.0, f64::NAN, f64::INFINITY] {
        assert!(scene.rules_mut().set_default_margin(margin).is_err());
        assert!(scene.rules_mut().set_key_margin(0, 1, margin).is_err());
        assert!(scene.rules_mut().set_body_margin(own, foreign, margin).is_err());
    }
    assert!(matches!(scene.add(ball(1e61)), Err(SceneError::TooFar { .. })));
    assert!(matches!(Geometry::compound([]), Err(InvalidGeometry::NoChildren)));
    let twice = || (4, at([0.0; 3]), Shape::sphere(1.0).unwrap().into());
    let repeated = Geometry::compound([twice(), twice()]);
    assert!(matches!(repeated, Err(InvalidGeometry::RepeatedChild(4))));
    assert!(Geometry::shape(Shape::sphere(1.0).unwrap()).scaled(-1.0).is_err());
    assert!(Geometry::shape(Shape::sphere(1.0).unwrap()).scaled(f64::NAN).is_err());
    assert!(scene.step().pairs.is_empty());
}

#[test]
fn groups_masks_matrix_and_margins() {
    let mut scene = Scene::default();
    let a = scene.add(ball(0.0).with_groups(0b01).with_mask(0b10).with_key(1)).unwrap();
    let b = scene.add(ball(1.0).with_groups(0b10).with_key(2)).unwrap();
    // In a's group only: a does not want it, b does.
    let c = scene.add(ball(0.5).with_groups(0b01).with_key(3)).unwrap();
    let pairs = |scene: &mut Scene| -> Vec<_> {
        scene.step().pairs.iter().map(|pair| pair.bodies).collect()
    };
    assert_eq!(pairs(&mut scene), [[a, b], [b, c]]);
    scene.rules_mut().allow_keys(2, 1);
    assert_eq!(pairs(&mut scene), [[b, c]]);
    scene.rules_mut().allow_bodies(c, b);
    assert!(pairs(&mut scene).is_empty());
    scene.rules_mut().forbid_bodies(b, c);
    scene.rules_mut().forbid_keys(1, 2);
    scene.set_filter(a, 1, u32::MAX, 1).unwrap();
    assert_eq!(pairs(&mut scene), [[a, b], [a, c], [b, c]]);
    // Margins: by default, by keys, by bodies, the last first.
    scene.set_pose(b, at([10.0, 0.0, 0.0])).unwrap();
    scene.set_pose(c, at([20.0, 0.0, 0.0])).unwrap();
    assert!(pairs(&mut scene).is_empty());
    scene.rules_mut().set_key_margin(1, 2, 9.0).unwrap();
    assert_eq!(pairs(&mut scene), [[a, b]]);
    scene.rules_mut().set_body_margin(b, a, 1.0).unwrap();
    scene.rules_mut().set_body_margin(b, c, 8.0).unwrap();
    assert_eq!(pairs(&mut scene), [[b, c]]);
    scene.rules_mut().set_default_margin(18.0).unwrap();
    assert_eq!(pairs(&mut scene), [[a, c], [b, c]]);
    assert_eq!(scene.report().between(c, a).len(), 1);
    assert_eq!(scene.report().between(b, a).len(), 0);
}

#[test]
fn children_have_names_and_moves_matter() {
    let parts = [
        (7, at([0.0; 3]), Shape::sphere(0.5).unwrap().into()),
        (9, at([2.0, 0.0, 0.0]), Shape::cuboid([0.5; 3]).unwrap().into()),
        (
            11,
            at([4.0, 0.0, 0.0]),
            MeshPart::new(crate::worlds::box_mesh([0.5; 3]), Mode::Solid).into(),
        ),
    ];
    let mut scene = Scene::default();
    let compound = Geometry::compound(parts).unwrap();
    let rod = scene.add(Body::moving(compound, at([0.0; 3]))).unwrap();
    let small = Shape::sphere(0.25).unwrap();
    let probe = scene.add(Body::moving(small, at([2.0, 0.6, 0.0]))).unwrap();
    for (x, child) in [(0.0, 7), (2.0, 9), (4.0, 11)] {
        scene.set_pose(probe, at([x, 0.6, 0.0])).unwrap();
        let report = scene.step();
        let found: Vec<_> = report.pairs.iter().map(|pair| (pair.bodies, pair.children)).collect();
        assert_eq!(found, [([rod, probe], [child, 0])]);
        assert_eq!(report.counts.mid, 1);
    }
    scene.set_moves(rod, false).unwrap();
    assert_eq!(scene.step().pairs.len(), 1);
    scene.set_moves(probe, false).unwrap();
    assert_eq!(kinds(scene.step()), [EventKind::End]);
    scene.set_moves(probe, true).unwrap();
    scene.set_geometry(probe, Shape::sphere(2.0).unwrap()).unwrap();
    assert_eq!(scene.step().pairs.len(), 2);
}

#[test]
fn a_thousand_bodies_at_one_point() {
    let mut scene = Scene::default();
    let sphere = Geometry::shape(Shape::sphere(1.0).unwrap());
    for _ in 0..1000 {
        scene.add(Body::moving(sphere.clone(), at([3.0; 3]))).unwrap();
    }
    scene.set_settings(SceneSettings { pair_limit: Some(5000), ..SceneSettings::default() });
    let report = scene.step();
    assert!(report.cut_short);
    assert_eq!((report.counts.broad, report.pairs.len()), (5000, 5000));
    // All of them, without a limit, of fewer bodies.
    let ids: Vec<_> = scene.bodies().map(|(id, _)| id).collect();
    ids.iter().skip(200).for_each(|id| assert!(scene.remove(*id).is_ok()));
    scene.set_settings(SceneSettings::default());
    let report = scene.step();
    assert!(!report.cut_short);
    assert_eq!(report.pairs.len(), 200 * 199 / 2);
}
