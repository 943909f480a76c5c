//! Five scenes, one hash each: for any number of threads, any vector unit, in debug and release, again and again.

use crate::worlds::{Random, at, ball_mesh, box_mesh, floor_mesh, geometries};
use impinge::broad::{
    AdaptiveBroadPhase, BroadPhase, BruteForce, HierarchicalGrid, LooseOctree, SpatialHash,
    SweepAndPrune, UniformGrid,
};
use impinge::geom::Shape;
use impinge::mesh::Mode;
use impinge::query::Geometry;
use impinge::scene::{Body, Scene, SceneSettings};

/// How many steps a scene takes.
const STEPS: u32 = 4;

/// A scene and its hashes of all steps, mixed into one.
type World = fn() -> Scene;

fn settings(scene: &mut Scene, contacts: bool, distances: bool, margin: f64) {
    scene.set_settings(SceneSettings { contacts, distances, ..SceneSettings::default() });
    scene.rules_mut().set_default_margin(margin).unwrap();
}

/// All kinds of bodies in a cube.
fn mixture() -> Scene {
    let (mut scene, mut random) = (Scene::default(), Random::new(31));
    let kinds = geometries();
    for k in 0..45 {
        let (kind, pose) = (kinds[k % kinds.len()].clone(), random.pose(2.8));
        scene.add(Body::moving(kind, pose)).unwrap();
    }
    settings(&mut scene, true, true, 0.1);
    scene
}

/// Boxes and balls in heaps on a floor of triangles.
fn heap() -> Scene {
    let (mut scene, mut random) = (Scene::default(), Random::new(32));
    let floor = Geometry::mesh(floor_mesh(10, 1.0), Mode::Surface);
    scene.add(Body::fixed(floor, at([0.0; 3]))).unwrap();
    let shapes = [Shape::cuboid([0.4, 0.3, 0.2]).unwrap(), Shape::sphere(0.35).unwrap()];
    for k in 0..50 {
        let place = random.vector(1.8);
        let pose = if k % 3 == 0 { random.pose(1.8) } else { at(place.to_array()) };
        let pose = pose.with_translation([place.x, place.y, 0.15 + 0.1 * place.z.abs()]).unwrap();
        scene.add(Body::moving(shapes[k % 2].clone(), pose)).unwrap();
    }
    settings(&mut scene, true, false, 0.02);
    scene
}

/// Meshes among meshes.
fn meshes() -> Scene {
    let (mut scene, mut random) = (Scene::default(), Random::new(33));
    let kinds = [ball_mesh(0.7, 2), box_mesh([0.8, 0.3, 0.5]), ball_mesh(0.4, 1)];
    for k in 0..20 {
        let mode = if k % 5 == 0 { Mode::Surface } else { Mode::Solid };
        let kind = Geometry::mesh(kinds[k % kinds.len()].clone(), mode);
        scene.add(Body::moving(kind, random.pose(1.8))).unwrap();
    }
    settings(&mut scene, false, true, 0.05);
    scene
}

/// Boxes exactly side by side: everything touches.
fn bricks() -> Scene {
    let mut scene = Scene::default();
    let brick = Geometry::shape(Shape::cuboid([0.5, 0.25, 0.25]).unwrap());
    for k in 0..75 {
        let [i, j, l] = [k % 5, k / 5 % 5, k / 25].map(f64::from);
        let place = [i + 0.5 * (l % 2.0), 0.5 * j, 0.5 * l];
        scene.add(Body::moving(brick.clone(), at(place))).unwrap();
    }
    settings(&mut scene, true, false, 0.0);
    scene
}

/// Small things far from the origin, some in each other.
fn far_away() -> Scene {
    let (mut scene, mut random) = (Scene::default(), Random::new(35));
    let kinds = geometries();
    for k in 0..60 {
        let pose = random.pose(2.0);
        let place = pose.translation() + impinge::geom::glam::DVec3::new(4e6, -3e6, 1e6);
        let kind = kinds[(k * 5) % 5].scaled(1.0 + (k % 3) as f64).unwrap();
        let body = Body::moving(kind, pose.with_translation(place.to_array()).unwrap());
        scene.add(body).unwrap();
    }
    settings(&mut scene, false, false, 0.01);
    scene
}

/// Runs a scene for some steps with all bodies moving, one removed and one added, and mixes the hashes.
fn run(mut scene: Scene) -> u64 {
    let mut random = Random::new(77);
    let mut hash = 0u64;
    for step in 0..STEPS {
        let report = scene.step();
        assert!(!report.pairs.is_empty() && !report.cut_short);
        hash = hash.rotate_left(7) ^ report.hash();
        let places: Vec<_> = scene.bodies().map(|(id, body)| (id, body.pose, body.moves)).collect();
        for (id, pose, _) in places.iter().filter(|(.., moves)| *moves) {
            let place = pose.translation() + random.vector(0.02);
            scene.set_pose(*id, pose.with_translation(place.to_array()).unwrap()).unwrap();
        }
        if step == 1 {
            let (id, ..) = places[places.len() / 2];
            let body = scene.remove(id).unwrap();
            scene.add(body).unwrap();
        }
    }
    hash
}

const SCENES: [(&str, World, u64); 5] = [
    ("mixture", mixture, 0x4f33_13c2_2171_3bcc),
    ("heap", heap, 0xfaca_8898_dac6_56c9),
    ("meshes", meshes, 0x6103_c280_1eb1_c9df),
    ("bricks", bricks, 0xf6c1_2902_6df4_f6eb),
    ("far away", far_away, 0x5c94_43c8_1158_ef1f),
];

#[test]
fn one_hash_for_any_number_of_threads() {
    let mut wrong = Vec::new();
    for (name, world, expected) in SCENES {
        for threads in [1, 2, 3, 5, 8] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            for repeat in 0..20 {
                let hash = pool.install(|| run(world()));
                if hash != expected {
                    wrong.push(format!("{name}: 0x{hash:016x} on {threads} threads, try {repeat}"));
                    break;
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn one_hash_for_any_broad_phase() {
    let mut wrong = Vec::new();
    for (name, world, expected) in SCENES {
        let phases: [Box<dyn BroadPhase>; 7] = [
            Box::new(BruteForce),
            Box::new(AdaptiveBroadPhase::default()),
            Box::new(UniformGrid::default()),
            Box::new(HierarchicalGrid::default()),
            Box::new(SpatialHash::default()),
            Box::new(SweepAndPrune::default()),
            Box::new(LooseOctree::default()),
        ];
        for phase in phases {
            let (mut scene, phase_name) = (world(), phase.name());
            scene.set_broad_phase(phase);
            let hash = run(scene);
            if hash != expected {
                wrong.push(format!("{name}: 0x{hash:016x} by {phase_name}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
