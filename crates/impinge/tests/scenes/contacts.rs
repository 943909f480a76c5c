//! Contacts that keep their ids, and normals without ghosts.

use crate::worlds::{Random, at, ball_mesh, box_mesh, crowd, floor_mesh};
use impinge::geom::glam::DVec3;
use impinge::geom::{Certainty, Shape, Verdict};
use impinge::mesh::Mode;
use impinge::query::Geometry;
use impinge::scene::{Body, BodyId, Scene, SceneSettings, StepReport};

fn with_contacts(margin: f64) -> Scene {
    let mut scene = Scene::default();
    scene.set_settings(SceneSettings { contacts: true, ..SceneSettings::default() });
    scene.rules_mut().set_default_margin(margin).unwrap();
    scene
}

/// The normals, and the ids of all contacts, of the only pair.
fn seen(report: &StepReport) -> (Vec<DVec3>, Vec<u64>) {
    let manifolds = report.manifolds(&report.pairs[0]);
    let ids = manifolds.iter().flat_map(|one| report.contacts(one)).map(|contact| contact.id);
    (manifolds.iter().map(|one| one.normal).collect(), ids.collect())
}

/// A floor of triangles, as a surface or as the top of a slab, and something that slides over it.
fn slide(floor: Geometry, slider: Shape, height: f64, points: usize) {
    let mut scene = with_contacts(0.02);
    scene.add(Body::fixed(floor, at([0.0; 3]))).unwrap();
    let body = scene.add(Body::moving(slider, at([0.0, 0.0, height]))).unwrap();
    for step in 0..120 {
        // Along a line that crosses edges, corners and the insides of triangles at all kinds of angles.
        let t = f64::from(step) * 0.03125;
        let place = [-1.9 + t, 0.5 * t - 1.0, height];
        scene.set_pose(body, at(place)).unwrap();
        let report = scene.step();
        assert_eq!(report.pairs.len(), 1, "step {step}");
        let (normals, _) = seen(report);
        assert_eq!(normals, [DVec3::Z], "step {step}");
        let contacts = report.contacts(&report.manifolds(&report.pairs[0])[0]);
        assert_eq!(contacts.len(), points, "step {step}");
        for contact in contacts {
            assert!(contact.points[0].z.abs() < 1e-12, "step {step}");
            assert!(contact.distance < 0.02 && contact.distance > -0.02, "step {step}");
        }
    }
}

#[test]
fn nothing_stumbles_over_inner_edges() {
    let floor = || Geometry::mesh(floor_mesh(12, 0.5), Mode::Surface);
    for height in [0.99, 1.0, 1.01] {
        slide(floor(), Shape::sphere(1.0).unwrap(), height, 1);
    }
    for height in [0.295, 0.305] {
        slide(floor(), Shape::cuboid([0.4, 0.5, 0.3]).unwrap(), height, 4);
        slide(floor(), Shape::cuboid([0.11, 0.07, 0.3]).unwrap(), height, 4);
    }
    let slab = Geometry::mesh(box_mesh([4.0, 4.0, 0.5]), Mode::Solid);
    let mut scene = with_contacts(0.0);
    scene.add(Body::fixed(slab, at([0.0, 0.0, -0.5]))).unwrap();
    let ball = Body::moving(Shape::sphere(1.0).unwrap(), at([0.5, 0.5, 0.9]));
    scene.add(ball).unwrap();
    assert_eq!(seen(scene.step()).0, [DVec3::Z]);
}

#[test]
fn real_edges_keep_their_normals() {
    let block = Geometry::mesh(box_mesh([1.0; 3]), Mode::Solid);
    let mut scene = with_contacts(0.1);
    scene.add(Body::fixed(block, at([0.0; 3]))).unwrap();
    let slant = 1.0 + 0.5f64.sqrt();
    let ball = Shape::sphere(1.0).unwrap();
    let id = scene.add(Body::moving(ball, at([slant, 0.1, slant]))).unwrap();
    let (normals, _) = seen(scene.step());
    assert_eq!(normals.len(), 1);
    assert!((normals[0] - DVec3::new(1.0, 0.0, 1.0) * 0.5f64.sqrt()).length() < 1e-9);
    // Over the middle of a face, although that is made of two triangles.
    scene.set_pose(id, at([1.95, 0.0, 0.0])).unwrap();
    assert_eq!(seen(scene.step()).0, [DVec3::X]);
    // With the centre inside: out of the solid all the same.
    scene.set_pose(id, at([0.9, 0.0, 0.0])).unwrap();
    let report = scene.step();
    assert_eq!(report.pairs[0].verdict, Verdict::Penetrating);
    assert_eq!(seen(report).0, [DVec3::X]);
}

#[test]
fn the_other_order_of_bodies_turns_the_normal() {
    for floor_first in [true, false] {
        let mut scene = with_contacts(0.0);
        let floor = Body::fixed(Geometry::mesh(floor_mesh(4, 1.0), Mode::Surface), at([0.0; 3]));
        let block = Shape::cuboid([0.3; 3]).unwrap();
        let block = Body::moving(block, at([0.2, 0.1, 0.29]));
        let bodies = if floor_first { [floor, block] } else { [block, floor] };
        bodies.into_iter().for_each(|body| {
            scene.add(body).unwrap();
        });
        let up = if floor_first { DVec3::Z } else { -DVec3::Z };
        assert_eq!(seen(scene.step()).0, [up]);
    }
}

#[test]
fn ids_persist_while_features_do() {
    let mut scene = with_contacts(0.01);
    let table = Shape::cuboid([2.0, 2.0, 0.5]).unwrap();
    scene.add(Body::fixed(table, at([0.0; 3]))).unwrap();
    let block = Shape::cuboid([0.5; 3]).unwrap();
    let body = scene.add(Body::moving(block, at([0.0, 0.0, 0.999]))).unwrap();
    let (_, first) = seen(scene.step());
    assert_eq!(first.len(), 4);
    for step in 1..20 {
        scene.set_pose(body, at([0.05 * f64::from(step), 0.0, 0.999])).unwrap();
        let report = scene.step();
        assert_eq!(seen(report).1, first);
        let manifold = report.manifolds(&report.pairs[0])[0];
        assert!(report.contacts(&manifold).iter().all(|contact| contact.age == step as u32));
    }
    // Gone and back: other contacts.
    scene.set_pose(body, at([0.0, 0.0, 3.0])).unwrap();
    assert!(scene.step().pairs.is_empty());
    scene.set_pose(body, at([0.0, 0.0, 0.999])).unwrap();
    let (_, later) = seen(scene.step());
    assert!(later.len() == 4 && later.iter().all(|id| !first.contains(id)));
}

#[test]
fn corners_keep_their_ids_from_triangle_to_triangle() {
    let mut scene = with_contacts(0.01);
    let floor = Geometry::mesh(floor_mesh(16, 0.25), Mode::Surface);
    scene.add(Body::fixed(floor, at([0.0; 3]))).unwrap();
    let block = Shape::cuboid([0.4, 0.3, 0.5]).unwrap();
    let body = scene.add(Body::moving(block, at([-1.0, 0.03, 0.499]))).unwrap();
    let (_, mut ids) = seen(scene.step());
    ids.sort_unstable();
    assert_eq!(ids.len(), 4);
    for step in 1..40 {
        scene.set_pose(body, at([-1.0 + 0.04 * f64::from(step), 0.03, 0.499])).unwrap();
        let (_, mut now) = seen(scene.step());
        now.sort_unstable();
        assert_eq!(now, ids, "step {step}");
    }
}

#[test]
fn meshes_on_meshes() {
    let mut scene = with_contacts(0.01);
    scene.set_settings(SceneSettings {
        contacts: true,
        distances: true,
        ..SceneSettings::default()
    });
    let floor = Geometry::mesh(floor_mesh(8, 0.5), Mode::Surface);
    let floor = scene.add(Body::fixed(floor, at([0.0; 3]))).unwrap();
    let block = Geometry::mesh(box_mesh([0.4, 0.3, 0.5]), Mode::Solid);
    let block = scene.add(Body::moving(block, at([0.07, 0.04, 0.499]))).unwrap();
    let ball = Geometry::mesh(ball_mesh(0.5, 3), Mode::Solid);
    let ball = scene.add(Body::moving(ball, at([-1.2, 1.1, 0.495]))).unwrap();
    let report = scene.step();
    let only = |a: BodyId, b: BodyId| &report.between(a, b)[0];
    for body in [block, ball] {
        let pair = only(floor, body);
        assert_eq!(pair.verdict, Verdict::Penetrating);
        for manifold in report.manifolds(pair) {
            assert_eq!(manifold.normal, DVec3::Z, "{body}");
        }
        let depth = pair.distance.unwrap();
        assert_eq!(depth.certainty, Certainty::Estimate);
        assert!(depth.distance < 0.0 && depth.distance > -0.0051, "{depth:?}");
    }
    assert_eq!(report.contacts(&report.manifolds(only(floor, block))[0]).len(), 4);
    // Just above: within the margin, the contact is a gap.
    scene.set_pose(block, at([0.07, 0.04, 0.505])).unwrap();
    let report = scene.step();
    let pair = &report.between(floor, block)[0];
    assert_eq!(pair.verdict, Verdict::Separated);
    assert!((pair.distance.unwrap().distance - 0.005).abs() < 1e-12);
    assert_eq!(report.manifolds(pair)[0].normal, DVec3::Z);
}

#[test]
fn every_contact_is_what_it_says() {
    let (mut scene, ids) = crowd(60, 2.5, 41);
    let mut random = Random::new(42);
    scene.set_settings(SceneSettings { contacts: true, ..SceneSettings::default() });
    scene.rules_mut().set_default_margin(0.05).unwrap();
    let (mut seen, mut without) = (0, 0);
    for _ in 0..6 {
        let report = scene.step();
        let mut names = Vec::new();
        for pair in &report.pairs {
            let manifolds = report.manifolds(pair);
            without += usize::from(manifolds.is_empty() && pair.verdict == Verdict::Penetrating);
            for manifold in manifolds {
                assert!((manifold.normal.length() - 1.0).abs() < 1e-9, "{manifold:?}");
                assert!(!report.contacts(manifold).is_empty());
                for contact in report.contacts(manifold) {
                    let [p, q] = contact.points;
                    let along = (q - p).dot(manifold.normal);
                    assert!((along - contact.distance).abs() < 1e-3, "{contact:?} {along}");
                    assert!(contact.distance <= 0.05 + 1e-9, "{contact:?}");
                    names.push(contact.id);
                    seen += 1;
                }
            }
        }
        names.sort_unstable();
        assert!(names.windows(2).all(|two| two[0] < two[1]), "no id twice");
        for id in &ids {
            let pose = scene.body(*id).unwrap().pose;
            let place = pose.translation() + random.vector(0.05);
            scene.set_pose(*id, pose.with_translation(place.to_array()).unwrap()).unwrap();
        }
    }
    assert!(seen > 800 && without == 0, "{seen} {without}");
}
