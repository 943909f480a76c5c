//! Questions to a scene against the same question to every body.

use crate::worlds::{Random, at, crowd};
use impinge::geom::glam::DVec3;
use impinge::geom::ray::{Ray, cast};
use impinge::geom::{Shape, Verdict, pair, point};
use impinge::mesh::{self, Mode, Scratch, Winding};
use impinge::query::Part;
use impinge::query::Workspace;
use impinge::scene::{Body, Filter, Scene, SceneSettings};

#[test]
fn rays_hit_what_is_first() {
    first_hits(crowd(60, 6.0, 4).0);
    // After a step and a motion, with and without a refit in between.
    for refit in [false, true] {
        let (mut scene, ids) = crowd(60, 6.0, 4);
        scene.step();
        let mut random = Random::new(17);
        for id in ids.iter().step_by(3) {
            scene.set_pose(*id, random.pose(6.0)).unwrap();
        }
        if refit {
            scene.refit();
        }
        first_hits(scene);
    }
}

fn first_hits(mut scene: Scene) {
    let floor = Shape::half_space([0.0, 0.0, 1.0], -7.0).unwrap();
    scene.add(Body::fixed(floor, at([0.0; 3])).with_groups(2)).unwrap();
    let slope = Shape::half_space([1.0, 0.0, 2.0], -30.0).unwrap();
    scene.add(Body::fixed(slope, at([0.0; 3]))).unwrap();
    let (mut random, mut scratch, mut hits) = (Random::new(5), Workspace::default(), 0);
    for k in 0..300 {
        let origin = random.vector(if k % 3 == 0 { 40.0 } else { 8.0 });
        let mut direction = random.vector(6.0) - origin;
        if k % 7 == 0 {
            direction = [DVec3::X, DVec3::NEG_Z, DVec3::Y][k / 7 % 3];
        }
        let ray = Ray::new(origin.to_array(), direction.to_array()).unwrap();
        let filter = if k % 2 == 0 { Filter::default() } else { Filter { mask: 1, groups: 1 } };
        let mut best: Option<(f64, u32, u32)> = None;
        for (id, body) in scene.bodies().filter(|(_, body)| filter.admits(body)) {
            for child in body.geometry.children() {
                let pose = body.geometry.place(child, &body.pose);
                let [o, d] = [pose.inverse_transform_point(origin), pose.inverse_rotate(direction)];
                let local = Ray::new(o.to_array(), d.to_array()).unwrap();
                let t = match &child.part {
                    Part::Shape(shape) => cast(shape, &local).map(|hit| hit.t),
                    Part::Mesh(part) => {
                        part.mesh().cast_ray(&local, &mut Scratch::default()).map(|hit| hit.hit.t)
                    }
                };
                let found = t.map(|t| (t, id.index(), child.id));
                best = [best, found].into_iter().flatten().reduce(|a, b| if b < a { b } else { a });
            }
        }
        let hit = scene.cast_ray_with(&ray, filter, &mut scratch);
        assert_eq!(hit.map(|hit| (hit.t, hit.body.index(), hit.child)), best, "ray {k}");
        if let Some(hit) = hit {
            hits += 1;
            let along = origin + direction * hit.t;
            assert!((hit.point - along).length() < 1e-9 * (1.0 + along.length()), "ray {k}");
            assert!((hit.normal.length() - 1.0).abs() < 1e-9);
            assert_eq!(hit.normal.dot(direction) > 1e-9, hit.inside, "ray {k}");
        }
    }
    assert!(hits > 150, "{hits}");
}

#[test]
fn rays_reach_bodies_that_are_far_away_and_batches_answer_alike() {
    let mut scene = Scene::default();
    let ball = Shape::sphere(1.0).unwrap();
    let near = scene.add(Body::moving(ball.clone(), at([0.0, 0.0, 9.0]))).unwrap();
    let x = Ray::new([-3.0, 0.0, 0.0], [1.0, 0.0, 0.0]).unwrap();
    assert!(scene.cast_ray(&x).is_none());
    // Too far for boxes in f32.
    let far = scene.add(Body::moving(Shape::sphere(1e21).unwrap(), at([1e22, 0.0, 0.0]))).unwrap();
    let z = Ray::new([0.0; 3], [0.0, 0.0, 0.5]).unwrap();
    let from_far = Ray::new([0.0, 0.0, 1e30], [0.0, 0.0, -1e3]).unwrap();
    let found = scene.cast_rays(&[x, z, from_far], Filter::default());
    let bodies: Vec<_> = found.iter().map(|hit| hit.map(|hit| hit.body)).collect();
    assert_eq!(bodies, [Some(far), Some(near), Some(near)]);
    assert_eq!(found[1].map(|hit| hit.t), Some(16.0));
}

#[test]
fn the_closest_body_to_a_point() {
    let (scene, _) = crowd(60, 6.0, 7);
    let (mut random, mut scratch) = (Random::new(8), Workspace::default());
    for k in 0..200 {
        let asked = random.vector(if k % 4 == 0 { 50.0 } else { 7.0 });
        let mut best = f64::INFINITY;
        for (_, body) in scene.bodies() {
            for child in body.geometry.children() {
                let local = body.geometry.place(child, &body.pose).inverse_transform_point(asked);
                best = best.min(match &child.part {
                    Part::Shape(shape) => point::signed_distance(shape, local).distance,
                    Part::Mesh(part) => {
                        let scratch = &mut Scratch::default();
                        let distance = part.mesh().closest_point(local, scratch).distance;
                        let winding = mesh::winding(part.mesh(), local, scratch);
                        let inside = matches!(winding, Winding::Number(number) if number != 0);
                        if inside && part.mode() == Mode::Solid { -distance } else { distance }
                    }
                });
            }
        }
        let limit = if k % 3 == 0 { 2.0 } else { f64::INFINITY };
        let found = scene.closest_with(asked, limit, Filter::default(), &mut scratch);
        assert_eq!(found.map(|found| found.distance), (best <= limit).then_some(best), "point {k}");
        if let Some(found) = found {
            assert!(((found.point - asked).length() - best.abs()).abs() < 1e-9, "point {k}");
        }
    }
    let nowhere = DVec3::new(f64::NAN, 0.0, 0.0);
    assert!(scene.closest_with(nowhere, 1.0, Filter::default(), &mut scratch).is_none());
    let empty = Scene::default();
    assert!(empty.closest_with(DVec3::ZERO, 1e9, Filter::default(), &mut scratch).is_none());
}

#[test]
fn overlap_with_a_shape() {
    let (scene, _) = crowd(60, 4.0, 11);
    let region = Shape::cuboid([1.5, 1.0, 2.0]).unwrap();
    let (mut found, mut random) = (Vec::new(), Random::new(12));
    let mut scratch = Workspace::default();
    for _ in 0..20 {
        let pose = random.pose(4.0);
        scene.overlapping_with(&region, &pose, Filter::default(), &mut scratch, &mut found);
        let mut expected = Vec::new();
        for (id, body) in scene.bodies() {
            for child in body.geometry.children() {
                let place = body.geometry.place(child, &body.pose);
                let meets = match &child.part {
                    Part::Shape(shape) => {
                        let verdict = pair::verdict(
                            shape,
                            &region,
                            &place.relative(&pose),
                            &mut pair::Cache::default(),
                        );
                        verdict != Verdict::Separated
                    }
                    Part::Mesh(part) => {
                        let (mode, scratch) = (part.mode(), &mut Scratch::default());
                        let pose = place.relative(&pose);
                        mesh::shape::verdict(part.mesh(), &region, &pose, mode, scratch).verdict
                            != Verdict::Separated
                    }
                };
                if meets {
                    expected.push((id, child.id));
                }
            }
        }
        let found: Vec<_> = found.iter().map(|one| (one.body, one.child)).collect();
        assert_eq!(found, expected);
    }
}

#[test]
fn distances_of_groups_and_all_pairs_within() {
    let (mut scene, ids) = crowd(40, 5.0, 21);
    let mut scratch = Workspace::default();
    // A step with everything moving and this margin says the same as the question.
    ids.iter().for_each(|id| scene.set_moves(*id, true).unwrap());
    let mut within = Vec::new();
    for margin in [0.0, 0.5, 2.0] {
        scene.pairs_within(margin, &mut scratch, &mut within).unwrap();
        scene.rules_mut().set_default_margin(margin).unwrap();
        scene.set_settings(SceneSettings { distances: true, ..SceneSettings::default() });
        let report = scene.step();
        let said = |pairs: &[impinge::scene::PairReport]| -> Vec<_> {
            pairs.iter().map(|pair| (pair.bodies, pair.children, pair.verdict)).collect()
        };
        assert_eq!(said(&within), said(&report.pairs));
    }
    assert!(within.len() > 40, "{}", within.len());
    assert!(scene.pairs_within(f64::NAN, &mut scratch, &mut within).is_err());
    // Groups: the least of all pairs of two bodies alone.
    for (first, second) in
        [(&ids[..5], &ids[5..]), (&ids[..20], &ids[20..]), (&ids[3..4], &ids[7..9])]
    {
        let found = scene.distance_between(first, second, &mut scratch).unwrap().unwrap();
        let mut least = f64::INFINITY;
        for a in first {
            for b in second {
                let one = scene.distance_between(&[*a], &[*b], &mut scratch).unwrap().unwrap();
                least = least.min(one.distance.distance);
            }
        }
        assert!((found.distance.distance - least).abs() < 1e-9);
        if least > 0.0 {
            let [p, q] = found.distance.points;
            assert!(((q - p).length() - least).abs() < 1e-9);
        }
    }
    assert!(scene.distance_between(&ids[..1], &ids[..1], &mut scratch).unwrap().is_none());
    assert!(scene.distance_between(&[], &ids, &mut scratch).unwrap().is_none());
    scene.remove(ids[0]).unwrap();
    assert!(scene.distance_between(&ids[..2], &ids[2..], &mut scratch).is_err());
}
