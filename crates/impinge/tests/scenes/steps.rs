//! A step against all pairs of bodies, one after the other, by the functions for two bodies.

use crate::worlds::{Random, crowd};
use impinge::Pose;
use impinge::geom::{Inside, Verdict, pair};
use impinge::mesh::{self, Mode, Scratch};
use impinge::query::Part;
use impinge::scene::{BodyId, Scene, SceneSettings};
use std::collections::BTreeMap;

/// What is said of two parts: verdict, and distance if they are apart.
type Said = BTreeMap<([BodyId; 2], [u32; 2]), (Verdict, f64)>;

/// The verdict on two parts, and how far they are apart; written without the scene.
fn two(a: &Part, pose_a: &Pose, b: &Part, pose_b: &Pose) -> (Verdict, f64) {
    let pose = pose_a.relative(pose_b);
    let (scratch, cache) = (&mut Scratch::default(), &mut pair::Cache::default());
    match (a, b) {
        (Part::Shape(a), Part::Shape(b)) => {
            (pair::verdict(a, b, &pose, cache), pair::distance(a, b, &pose, cache).distance)
        }
        (Part::Mesh(a), Part::Shape(b)) => (
            mesh::shape::verdict(a.mesh(), b, &pose, a.mode(), scratch).verdict,
            mesh::shape::distance(a.mesh(), b, &pose, scratch).distance,
        ),
        (Part::Shape(_), Part::Mesh(_)) => {
            let (verdict, distance) = two(b, pose_b, a, pose_a);
            let turned = match verdict {
                Verdict::Contained(Inside::A) => Verdict::Contained(Inside::B),
                Verdict::Contained(Inside::B) => Verdict::Contained(Inside::A),
                other => other,
            };
            (turned, distance)
        }
        (Part::Mesh(a), Part::Mesh(b)) => {
            let distance = mesh::distance(a.mesh(), b.mesh(), &pose.into(), scratch).distance;
            let surfaces = mesh::verdict(a.mesh(), b.mesh(), &pose.into(), Mode::Surface, scratch);
            let verdict = match (a.mode(), b.mode()) {
                (Mode::Surface, Mode::Surface) => surfaces.verdict,
                (Mode::Solid, Mode::Solid) => {
                    mesh::verdict(a.mesh(), b.mesh(), &pose.into(), Mode::Solid, scratch).verdict
                }
                // The meshes of these scenes are closed: what is contained as a solid is inside as a surface.
                (one, _) => {
                    let solid =
                        mesh::verdict(a.mesh(), b.mesh(), &pose.into(), Mode::Solid, scratch);
                    let inside = if one == Mode::Surface { Inside::A } else { Inside::B };
                    if solid.verdict == Verdict::Contained(inside) {
                        Verdict::Penetrating
                    } else {
                        surfaces.verdict
                    }
                }
            };
            (verdict, distance)
        }
    }
}

/// All pairs, except those of two fixed bodies.
fn all_pairs(scene: &Scene, margin: f64) -> Said {
    let mut said = Said::new();
    let bodies: Vec<_> = scene.bodies().collect();
    for (k, (id_b, b)) in bodies.iter().enumerate() {
        for (id_a, a) in &bodies[..k] {
            if !a.moves && !b.moves {
                continue;
            }
            for child_a in a.geometry.children() {
                for child_b in b.geometry.children() {
                    let places =
                        [a.geometry.place(child_a, &a.pose), b.geometry.place(child_b, &b.pose)];
                    let (verdict, distance) =
                        two(&child_a.part, &places[0], &child_b.part, &places[1]);
                    if verdict != Verdict::Separated || distance <= margin {
                        let key = ([*id_a, *id_b], [child_a.id, child_b.id]);
                        said.insert(key, (verdict, distance));
                    }
                }
            }
        }
    }
    said
}

fn compare(scene: &mut Scene, margin: f64) -> usize {
    let expected = all_pairs(scene, margin);
    let distances = scene.settings().distances;
    let report = scene.step();
    assert_eq!(report.pairs.len(), expected.len());
    let sorted = report.pairs.windows(2).all(|two| two[0].bodies <= two[1].bodies);
    assert!(sorted, "in the order of ids");
    for pair in &report.pairs {
        let (verdict, distance) = expected[&(pair.bodies, pair.children)];
        assert_eq!(pair.verdict, verdict, "{:?} {:?}", pair.bodies, pair.children);
        match pair.distance {
            Some(found) if verdict == Verdict::Separated => {
                assert!((found.distance - distance).abs() < 1e-9, "{found:?} {distance}");
                let apart = (found.points[1] - found.points[0]).length();
                assert!((apart - distance).abs() < 1e-9);
            }
            Some(found) => assert!(found.distance <= 1e-12, "{verdict:?} {found:?}"),
            None => assert!(!distances),
        }
    }
    expected.len()
}

#[test]
fn a_step_says_what_all_pairs_say() {
    let mut meeting = 0;
    for (seed, size) in [(1, 3.0), (2, 2.0), (3, 5.0)] {
        let (mut scene, ids) = crowd(32, size, seed);
        let mut random = Random::new(seed + 100);
        for (step, margin) in [0.0, 0.0, 0.3, 0.3, 0.05].into_iter().enumerate() {
            let distances = step % 2 == 1;
            scene.set_settings(SceneSettings {
                distances,
                contacts: step == 3,
                ..SceneSettings::default()
            });
            scene.rules_mut().set_default_margin(margin).unwrap();
            meeting += compare(&mut scene, margin);
            // Some move, some do not: the answers of these are remembered.
            for id in ids.iter().filter(|id| (id.index() as usize + step).is_multiple_of(3)) {
                scene.set_pose(*id, random.pose(size)).unwrap();
            }
        }
        compare(&mut scene, 0.05);
    }
    assert!(meeting > 250, "{meeting}");
}

#[test]
fn what_rests_is_not_decided_again() {
    let (mut scene, ids) = crowd(30, 2.0, 9);
    let first = scene.step().clone();
    assert!(first.counts.narrow == first.counts.mid && first.counts.mid > 0);
    let second = scene.step();
    assert_eq!((second.counts.narrow, second.counts.mid), (0, first.counts.mid));
    assert_eq!(second.pairs, first.pairs);
    let pose = scene.body(ids[0]).unwrap().pose;
    scene.set_pose(ids[0], pose).unwrap();
    let third = scene.step();
    assert!(third.counts.narrow > 0 && third.counts.narrow < third.counts.mid);
    assert_eq!(third.pairs, first.pairs);
}
