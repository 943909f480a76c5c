//! Hierarchies with support planes on their first levels answer as those without.

use crate::worlds::{Random, box_mesh};
use impinge::geom::Pose;
use impinge::geom::bound::{Aabb, Bound, Obb, Sphere};
use impinge::geom::glam::DVec3;
use impinge::geom::support_plane::Grid;
use impinge::mesh::{
    self, Mesh, MeshBuilder, Mode, ScaledPose, Scratch, SeparatingAxisCache, SupportKind,
    SupportLevels, SupportMapping, SupportVolume, Supported, overlap_supported, pairs_supported,
};
use impinge::query::Geometry;
use impinge::scene::{Body, Scene, SceneSettings};
use impinge::tree::traverse::Policy;
use impinge::tree::{Builder, Counts};
use std::sync::Arc;

/// A bent ring with knobs, about one in size: far from convex.
pub(crate) fn ring() -> (Vec<[f64; 3]>, Vec<[u32; 3]>) {
    let (around, across) = (48u32, 14u32);
    let (mut vertices, mut faces) = (Vec::new(), Vec::new());
    for i in 0..around {
        for j in 0..across {
            let u = f64::from(i) / f64::from(around) * std::f64::consts::TAU;
            let v = f64::from(j) / f64::from(across) * std::f64::consts::TAU;
            let small = 0.22 + 0.06 * (5.0 * u).sin() * v.cos();
            let radius = 0.8 + small * v.cos();
            vertices.push([
                radius * u.cos(),
                0.7 * radius * u.sin(),
                small * v.sin() + 0.2 * u.cos(),
            ]);
            let at = |i: u32, j: u32| (i % around) * across + j % across;
            let corners = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
            faces.push([corners[0], corners[1], corners[2]]);
            faces.push([corners[0], corners[2], corners[3]]);
        }
    }
    (vertices, faces)
}

fn kinds(volume: SupportVolume) -> Vec<SupportKind> {
    let planes = |mapping| SupportKind::Planes { mapping, volume };
    vec![
        SupportKind::Tables { cells: 16, axes: 1 },
        SupportKind::Tables { cells: 16, axes: 3 },
        planes(SupportMapping::Vertices),
        planes(SupportMapping::Faces),
        planes(SupportMapping::SampledVertices(Grid::Angular(12))),
        planes(SupportMapping::SampledFaces(Grid::Octahedral(12))),
    ]
}

/// Poses at which the bodies are near each other: some meet, some do not.
pub(crate) fn places(count: usize, seed: u64) -> Vec<ScaledPose> {
    let mut random = Random::new(seed);
    (0..count)
        .map(|_| {
            let scale =
                if random.word().is_multiple_of(2) { 1.0 } else { random.between(0.5, 2.0) };
            let way = random.vector(1.0).normalize() * random.between(0.2, 0.85) * (1.0 + scale);
            let pose = random.pose(0.0).with_translation(way.to_array()).unwrap();
            ScaledPose { pose, scale }
        })
        .collect()
}

fn check<B: Bound>(volume: SupportVolume, width: usize, levels: &[usize]) {
    let (vertices, faces) = ring();
    let mesh: Mesh<B> = MeshBuilder::new(&vertices, &faces, Builder::Median).unwrap().mesh(width);
    let places = places(40, 7);
    let mut scratch = Scratch::default();
    let plain: Vec<_> = places
        .iter()
        .map(|place| {
            let mut found = Vec::new();
            mesh::pairs(&mesh, &mesh, place, &mut scratch, &mut found);
            assert_eq!(mesh::overlap(&mesh, &mesh, place, &mut scratch), !found.is_empty());
            found
        })
        .collect();
    let meeting = plain.iter().filter(|found| !found.is_empty()).count();
    assert!((8..32).contains(&meeting), "{meeting}");
    for kind in kinds(volume) {
        let mut parted_before = 0;
        for &levels in levels {
            let support = SupportLevels::new(&mesh, levels, kind);
            let body = Supported { mesh: &mesh, support: &support };
            let mut parted = 0;
            for (k, (place, expected)) in places.iter().zip(&plain).enumerate() {
                let policy = Policy::ALL[k % 3];
                let (mut found, mut counts) = (Vec::new(), Counts::default());
                pairs_supported(body, body, place, policy, &mut scratch, &mut found, &mut counts);
                assert_eq!(&found, expected, "{} {kind:?} {levels} {k}", B::NAME);
                assert!(counts.apart <= counts.supports && (levels > 0 || counts.supports == 0));
                parted += counts.apart;
                let meet = overlap_supported(body, body, place, policy, &mut scratch, &mut ());
                assert_eq!(meet, !expected.is_empty());
                if support.parts(&support, place) {
                    assert!(!meet);
                }
            }
            assert!(levels == 0 || parted > 0, "{} {kind:?} {levels}", B::NAME);
            assert!(levels < 2 || parted >= parted_before / 2);
            parted_before = parted;
        }
    }
}

#[test]
fn spheres_answer_as_without() {
    check::<Sphere>(SupportVolume::Sphere, 2, &[0, 1, 2, 3, 4, 5, 6, 9, 12]);
}

#[test]
fn boxes_answer_as_without() {
    check::<Aabb>(SupportVolume::Aabb, 2, &[0, 1, 2, 5, 8, 12]);
}

#[test]
fn oriented_boxes_answer_as_without() {
    check::<Obb>(SupportVolume::Obb, 8, &[0, 1, 2, 3, 4, 12]);
}

/// The filter says that solids are separated only where they are, and finds it again by the axis that it kept.
#[test]
fn filters_part_what_is_separated() {
    let (vertices, faces) = ring();
    let mesh: Mesh = Mesh::new(&vertices, &faces).unwrap();
    let filter = SupportLevels::new(&mesh, 1, SupportKind::default());
    assert_eq!((filter.node_count(), filter.levels()), (1, 1));
    assert!(filter.bytes() < 8 << 10);
    let nothing = SupportLevels::new(&mesh, 0, SupportKind::default());
    let mut scratch = Scratch::default();
    let mut parted = 0;
    for place in places(200, 9) {
        let mut axis = None;
        if !filter.parts_again(&filter, &place, &mut axis) {
            assert!(!filter.parts(&filter, &place));
            continue;
        }
        parted += 1;
        assert!(filter.parts(&filter, &place) && !nothing.parts(&filter, &place));
        let verdict = mesh::verdict(&mesh, &mesh, &place, Mode::Solid, &mut scratch).verdict;
        assert_eq!(verdict, impinge::geom::Verdict::Separated);
        // A little farther along the axis it still parts, without being looked for.
        let (kept, further) = (axis, axis.unwrap().normalize() * 0.01 + place.pose.translation());
        let pose = place.pose.with_translation(further.to_array()).unwrap();
        assert!(filter.parts_again(&filter, &ScaledPose { pose, ..place }, &mut axis));
        assert_eq!(axis, kept);
    }
    assert!(parted > 30, "{parted}");
}

/// A glance never says that meshes are apart that meet or are within the distance, and mostly does for those that pass by.
#[test]
fn glances_tell_nothing_but_the_truth() {
    let (vertices, faces) = ring();
    let mesh: Mesh = Mesh::new(&vertices, &faces).unwrap();
    assert!(mesh.support_table().is_some_and(|table| table.bytes() < 8 << 10));
    let (mut scratch, mut glances, mut apart, mut meeting) = (Scratch::default(), 0, 0, 0);
    for (k, place) in places(30, 11).into_iter().enumerate() {
        let mut memory = SeparatingAxisCache::default();
        let distance = if k % 3 == 0 { 0.1 } else { 0.0 };
        let way = place.pose.translation();
        for step in 0..20 {
            // Towards the other, and away again.
            let moved = way * (1.25 - 0.04 * f64::from(if step < 10 { step } else { 20 - step }));
            let pose = place.pose.with_translation(moved.to_array()).unwrap();
            let place = ScaledPose { pose, ..place };
            let near = mesh::within(&mesh, &mesh, &place, distance, &mut scratch);
            if memory.is_apart(&mesh, &mesh, &place, distance) {
                assert!(!near, "{k} {step}");
                let verdict = mesh::verdict(&mesh, &mesh, &place, Mode::Solid, &mut scratch);
                assert_eq!(verdict.verdict, impinge::geom::Verdict::Separated);
                glances += 1;
            } else {
                memory.note(near);
            }
            apart += u32::from(!near);
            meeting += u32::from(near);
        }
    }
    assert!(apart > 150 && meeting > 100, "{apart} {meeting}");
    assert!(glances > apart / 3, "{glances} of {apart}");
}

/// Bodies that fly about in a box and turn, with what each step found.
fn flight(mode: Mode, margin: f64, settings: SceneSettings) -> (Vec<u64>, Vec<usize>, usize) {
    let (vertices, faces) = ring();
    let ring: Arc<Mesh> = Arc::new(Mesh::new(&vertices, &faces).unwrap());
    let kinds = [ring, box_mesh([0.9, 0.25, 0.4])];
    let (mut scene, mut random) = (Scene::default(), Random::new(41));
    scene.set_settings(settings);
    scene.rules_mut().set_default_margin(margin).unwrap();
    let mut flying = Vec::new();
    for k in 0..24 {
        // Surfaces and solids are also tested with each other.
        let mode = if k % 7 == 0 { Mode::Surface } else { mode };
        let pose = random.pose(2.5);
        let geometry = Geometry::mesh(Arc::clone(&kinds[usize::from(k % 3 == 0)]), mode);
        let id = scene.add(Body::moving(geometry, pose)).unwrap();
        flying.push((id, pose, random.vector(0.06), random.pose(0.0)));
    }
    let (mut hashes, mut glances, mut pairs) = (Vec::new(), Vec::new(), 0);
    for step in 0..50 {
        for (id, pose, velocity, turned) in &mut flying {
            let moved = pose.translation() + *velocity;
            *velocity = DVec3::select(moved.abs().cmpgt(DVec3::splat(2.5)), -*velocity, *velocity);
            // Once in a while one turns by any angle, so that what was remembered is of no use.
            let turn = if step % 9 == 8 && id.index() % 5 == 0 { *turned } else { *pose };
            *pose = turn.with_translation(moved.to_array()).unwrap();
            scene.set_pose(*id, *pose).unwrap();
        }
        let report = scene.step();
        hashes.push(report.hash());
        glances.push(report.counts.glances);
        pairs += report.pairs.len();
    }
    (hashes, glances, pairs)
}

#[test]
fn scenes_find_the_same_with_support_tables() {
    for (mode, margin, contacts) in
        [(Mode::Surface, 0.0, false), (Mode::Solid, 0.0, false), (Mode::Solid, 0.05, true)]
    {
        let settings = SceneSettings {
            contacts,
            distances: contacts,
            support_tables: true,
            ..SceneSettings::default()
        };
        let (with, glances, pairs) = flight(mode, margin, settings);
        let plain = SceneSettings { support_tables: false, ..settings };
        let (without, none, _) = flight(mode, margin, plain);
        assert!(SceneSettings::default().support_tables && none.iter().all(|count| *count == 0));
        assert_eq!(with, without, "{mode:?} {margin}");
        let glances: usize = glances.iter().sum();
        assert!(glances > 400 && pairs > 300, "{glances} glances, {pairs} pairs");
    }
}

/// When a table is made, and so how often it is looked into in each step, does not depend on which thread missed it first.
#[test]
fn glances_are_the_same_for_any_number_of_threads() {
    let flights = [1, 2, 5].map(|threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| flight(Mode::Solid, 0.0, SceneSettings::default()))
    });
    assert_eq!(flights[0], flights[1]);
    assert_eq!(flights[0], flights[2]);
    // Tables come in the middle of the flight.
    let glances = &flights[0].1;
    assert!(glances[0] == 0 && glances.iter().any(|count| *count > 10), "{glances:?}");
}

/// Questions look into tables that are there and make none: the scene does so after a step.
#[test]
fn questions_make_no_tables() {
    let mesh: Mesh = Mesh::new(&ring().0, &ring().1).unwrap();
    let place = ScaledPose::from(Pose::from_translation([6.0, 0.0, 0.0]).unwrap());
    let (mut memory, mut scratch) = (SeparatingAxisCache::default(), Scratch::default());
    for _ in 0..10_000 {
        assert!(!memory.is_apart(&mesh, &mesh, &place, 0.0));
        memory.note(false);
    }
    assert!(memory.is_due() && !mesh.has_support_table());
    assert!(!mesh::overlap(&mesh, &mesh, &place, &mut scratch) && !mesh.has_support_table());
    assert!(mesh.support_table().is_some() && mesh.has_support_table());
    assert!(memory.is_apart(&mesh, &mesh, &place, 0.0));
}

/// Rows may be as far from those of a rotation as [`Pose::from_rows`] takes: what they enlarge into another body is not parted from it.
#[test]
fn rows_that_enlarge_are_not_parted() {
    let cube = box_mesh([1.0; 3]);
    let larger = 1.0 + 4.9e-13;
    let rows = [[larger, 0.0, 0.0], [0.0, larger, 0.0], [0.0, 0.0, larger]];
    let place: ScaledPose = Pose::from_rows(rows, [2.0 + 2e-13, 0.0, 0.0]).unwrap().into();
    let mut scratch = Scratch::default();
    assert!(mesh::overlap(&cube, &cube, &place, &mut scratch));
    for volume in [SupportVolume::Sphere, SupportVolume::Aabb, SupportVolume::Obb] {
        for kind in kinds(volume) {
            let support = SupportLevels::new(&cube, 4, kind);
            let body = Supported { mesh: &*cube, support: &support };
            let policy = Policy::default();
            let meet = overlap_supported(body, body, &place, policy, &mut scratch, &mut ());
            assert!(meet, "{kind:?}");
        }
    }
}

/// An axis too short to compute with parts nothing.
#[test]
fn nearly_no_axis_parts_nothing() {
    let bar = box_mesh([1.0, 1.0, 3.0]);
    let support = SupportLevels::new(&bar, 1, SupportKind::default());
    for tiny in [1e-310, 1e-307, 1e-300, 1e-201, 1e-199, 1e-100] {
        let place: ScaledPose = Pose::from_translation([tiny; 3]).unwrap().into();
        assert!(!support.parts(&support, &place), "{tiny}");
        let away: ScaledPose = Pose::from_translation([-tiny, tiny, 7.0]).unwrap().into();
        assert!(support.parts(&support, &away), "{tiny}");
    }
}

/// A vertex of no triangle is no part of a surface.
#[test]
fn vertices_of_no_triangle_are_in_nothing() {
    let corners = [[0.0; 3], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0], [0.0, 0.0, 4.0]];
    let solid = Mesh::new(&corners, &[[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]).unwrap();
    let far = [[3.0, 3.0, 3.0], [3.1, 3.0, 3.0], [3.0, 3.1, 3.0], [0.5, 0.5, 0.5]];
    for (faces, pairs) in [([[0, 1, 2]], 0), ([[0, 1, 3]], 1)] {
        let surface = Arc::new(Mesh::new(&far, &faces).unwrap());
        let mut scene = Scene::default();
        let solid = Geometry::mesh(Arc::new(solid.clone()), Mode::Solid);
        for geometry in [solid, Geometry::mesh(surface, Mode::Surface)] {
            scene.add(Body::moving(geometry, Pose::IDENTITY)).unwrap();
        }
        assert_eq!(scene.step().pairs.iter().filter(|pair| pair.meets()).count(), pairs);
    }
}
