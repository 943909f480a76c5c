//! The volume of a body never leaves out a part of it, nor rejects a pair that touches.

use crate::worlds;
use impinge::Pose;
use impinge::broad::{ApexMap, ObjectVolume, Outline};
use impinge::geom::DAabb;
use impinge::geom::glam::DVec3;
use impinge::mesh::Mode;
use impinge::query::Geometry;

const VOLUMES: [ObjectVolume; 4] =
    [ObjectVolume::ExactBox, ObjectVolume::FixedCube, ObjectVolume::Sphere, ObjectVolume::ApexMap];

/// SplitMix64.
struct Random(u64);

impl Random {
    fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64 * 2.0 - 1.0
    }

    fn point(&mut self) -> DVec3 {
        DVec3::new(self.unit(), self.unit(), self.unit())
    }

    fn pose(&mut self, translation: DVec3) -> Pose {
        let q = [self.unit(), self.unit(), self.unit(), self.unit()];
        let length = q.iter().map(|x| x * x).sum::<f64>().sqrt() + 1e-9;
        let unit = q.map(|x| x / length);
        Pose::new(unit, translation.to_array()).unwrap_or(Pose::IDENTITY)
    }

    /// A cloud of points: flat, thin, round, far from its origin, or a single point.
    fn cloud(&mut self, kind: usize) -> Vec<DVec3> {
        let shape = [
            DVec3::ONE,
            DVec3::new(1.0, 0.01, 1.0),
            DVec3::new(1.0, 0.0, 0.0),
            DVec3::new(1e-3, 1e3, 1.0),
            DVec3::ZERO,
        ][kind % 5];
        let offset = self.point() * if kind.is_multiple_of(2) { 0.0 } else { 50.0 };
        (0..20).map(|_| self.point() * shape + offset).collect()
    }
}

/// The naive farthest point.
fn farthest(points: &[DVec3], direction: DVec3) -> DVec3 {
    points
        .iter()
        .copied()
        .max_by(|a, b| a.dot(direction).total_cmp(&b.dot(direction)))
        .unwrap_or_default()
}

#[test]
fn bounds_hold_every_point() {
    let mut random = Random(1);
    for round in 0..2000 {
        let points = random.cloud(round);
        let outline = Outline::of_points(&points, 0).unwrap();
        let translation = random.point() * [0.0, 10.0, 1e9][round % 3];
        let pose = random.pose(translation);
        for volume in VOLUMES {
            let DAabb { low, high } =
                volume.bounds(&outline, &pose, |direction| farthest(&points, direction));
            for &point in &points {
                let place = pose.transform_point(point);
                assert!(low.cmple(place).all() && place.cmple(high).all(), "{volume:?}");
            }
        }
    }
}

#[test]
fn the_exact_box_is_tight_and_the_cube_does_not_turn() {
    let mut random = Random(2);
    let points = random.cloud(0);
    let outline = Outline::of_points(&points, 0).unwrap();
    let mut sides = Vec::new();
    for _ in 0..100 {
        let pose = random.pose(DVec3::ONE);
        let DAabb { low, high } = ObjectVolume::ExactBox
            .bounds(&outline, &pose, |direction| farthest(&points, direction));
        let places = points.iter().map(|&p| pose.transform_point(p));
        let least = places.clone().fold(DVec3::INFINITY, DVec3::min);
        let most = places.fold(DVec3::NEG_INFINITY, DVec3::max);
        assert!((least - low).max_element() < 1e-9 && (high - most).max_element() < 1e-9);
        let DAabb { low, high } = outline.cube(&pose);
        sides.push((high - low).x);
    }
    assert!(sides.iter().all(|side| (side - sides[0]).abs() < 1e-9));
}

#[test]
fn heights_are_not_below_those_of_the_points() {
    let mut random = Random(3);
    for round in 0..300 {
        let points = random.cloud(round);
        let radius = points.iter().fold(0.0, |most: f64, p| most.max(p.length()));
        let height = |d: DVec3| farthest(&points, d).dot(d);
        let maps = [1, 2, 7, 16].map(|resolution| ApexMap::new(resolution, radius, height));
        let mut over = [0.0; 4];
        for k in 0..200 {
            // Also exactly along edges and through corners of cells.
            let snapped = (random.point() * 4.0).round();
            let direction =
                if k % 2 == 0 { random.point() } else { snapped } * 10f64.powi(k % 7 - 3);
            for (map, over) in maps.iter().zip(&mut over) {
                assert!(map.height(direction) >= height(direction), "{round} {direction}");
                *over += map.height(direction) - height(direction);
            }
        }
        assert!(over[3] <= over[0] + 1e-9 * radius, "a finer map is closer: {over:?}");
    }
}

#[test]
fn pairs_that_touch_are_never_rejected() {
    let mut random = Random(4);
    let mut rejected = [0; 4];
    for round in 0..4000 {
        let (a, b) = (random.cloud(round), random.cloud(round / 5));
        let outlines = [&a, &b].map(|points| Outline::of_points(points, 1 + round % 9).unwrap());
        let far = random.point() * [0.0, 1e6][round % 2];
        let pose_a = random.pose(far);
        let turned = random.pose(DVec3::ZERO);
        // A point of one is put onto a point of the other.
        let [p, q] = [&a, &b].map(|points| points[(round * 7) % 20]);
        let touching = pose_a.transform_point(p) - turned.rotate(q);
        let pose_b = turned.with_translation(touching.to_array()).unwrap();
        for volume in VOLUMES {
            let [one, other] = [(&outlines[0], &pose_a), (&outlines[1], &pose_b)];
            assert!(!volume.are_apart(one, other) && !volume.are_apart(other, one), "{volume:?}");
        }
        let away = touching + random.point() * 3.0;
        let pose_b = turned.with_translation(away.to_array()).unwrap();
        for (volume, count) in VOLUMES.into_iter().zip(&mut rejected) {
            if volume.are_apart((&outlines[0], &pose_a), (&outlines[1], &pose_b)) {
                *count += 1;
                assert!(separated(&a, &pose_a, &b, &pose_b), "{volume:?} rejects what overlaps");
            }
        }
    }
    assert!(rejected[2] > 100 && rejected[3] > rejected[2], "{rejected:?}");
}

/// True if some direction separates two clouds of points; many are tried.
fn separated(a: &[DVec3], pose_a: &Pose, b: &[DVec3], pose_b: &Pose) -> bool {
    let [a, b] = [(a, pose_a), (b, pose_b)]
        .map(|(p, pose)| p.iter().map(|&p| pose.transform_point(p)).collect::<Vec<_>>());
    let mean = |points: &[DVec3]| points.iter().sum::<DVec3>() / points.len() as f64;
    let middle = |points: &[DVec3]| {
        let low = points.iter().fold(DVec3::INFINITY, |low, &p| low.min(p));
        let high = points.iter().fold(DVec3::NEG_INFINITY, |high, &p| high.max(p));
        (low + high) * 0.5
    };
    let mut random = Random(9);
    let tried = [mean(&b) - mean(&a), middle(&b) - middle(&a)].into_iter();
    tried.chain((0..3000).map(|_| random.point())).any(|direction| {
        let highest = farthest(&a, direction).dot(direction);
        let lowest = farthest(&b, -direction).dot(direction);
        highest < lowest
    })
}

#[test]
fn bad_numbers_are_refused_and_nothing_is_a_point() {
    assert!(Outline::of_points(&[DVec3::ONE, DVec3::new(0.0, f64::NAN, 0.0)], 4).is_err());
    assert!(Outline::of_points(&[DVec3::INFINITY], 4).is_err());
    assert!(Outline::of_support(DVec3::ZERO, f64::NAN, 0, |d| d).is_err());
    let nothing = Outline::of_points(&[], 4).unwrap();
    let pose = Pose::IDENTITY;
    for volume in VOLUMES {
        assert!(!volume.are_apart((&nothing, &pose), (&nothing, &pose)));
    }
    assert_eq!(ApexMap::new(3, 1.0, |d| d.length()).height(DVec3::ZERO), 0.0);
}

/// A scene finds the same with every volume, with and without a margin, while bodies move, turn, change and go.
#[test]
fn scenes_find_the_same_with_every_volume() {
    for margin in [0.0, 0.2] {
        let mut expected: Option<Vec<u64>> = None;
        let mut looked_at = Vec::new();
        for volume in VOLUMES {
            let (mut scene, ids) = worlds::crowd(60, 2.5, 17);
            scene.rules_mut().set_default_margin(margin).unwrap();
            scene.set_object_volume(volume);
            let mut random = worlds::Random::new(5);
            let (mut hashes, mut jobs) = (Vec::new(), 0);
            for step in 0..12 {
                for &id in ids.iter().skip(step % 3).step_by(2) {
                    let pose = random.pose(2.5);
                    if scene.body(id).is_ok() {
                        scene.set_pose(id, pose).unwrap();
                    }
                }
                if step == 5 {
                    scene.remove(ids[7]).unwrap();
                    let rod = worlds::box_mesh([1.5, 0.1, 0.1]);
                    scene.set_geometry(ids[9], Geometry::mesh(rod, Mode::Solid)).unwrap();
                }
                let report = scene.step();
                hashes.push(report.hash());
                jobs += report.counts.mid;
            }
            looked_at.push(jobs);
            assert_eq!(expected.get_or_insert(hashes.clone()), &hashes, "{volume:?} {margin}");
        }
        // The second look spares work, where it is allowed.
        assert!(looked_at[2] <= looked_at[1] && looked_at[3] <= looked_at[1], "{looked_at:?}");
        assert!(margin > 0.0 || looked_at[3] < looked_at[1], "{looked_at:?}");
    }
}
