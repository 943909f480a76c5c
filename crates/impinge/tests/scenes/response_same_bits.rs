//! One hash for any number of threads, any vector unit, any broad phase.

use crate::worlds::{Random, at, ball_mesh, floor_mesh, geometries};
use impinge::broad::{BroadPhase, BruteForce, DynamicTree, SweepAndPrune, UniformGrid};
use impinge::mesh::Mode;
use impinge::query::Geometry;
use impinge::response::{Material, Simulation, SimulationSettings, Solver, Velocity};
use impinge::scene::Body;

/// A heap of bodies of every kind on a floor of triangles, after two seconds.
fn heap(solver: Solver, broad: Box<dyn BroadPhase>) -> u64 {
    let mut random = Random::new(99);
    let settings = SimulationSettings { solver, ..SimulationSettings::default() };
    let mut simulation = Simulation::with_broad_phase(settings, broad).unwrap();
    let floor = Geometry::mesh(floor_mesh(10, 1.0), Mode::Surface);
    let hill = Geometry::mesh(ball_mesh(1.5, 3), Mode::Solid);
    let made_of = Material { density: 500.0, friction: 0.4, restitution: 0.3 };
    simulation.add(Body::fixed(floor, at([0.0; 3])), made_of).unwrap();
    simulation.add(Body::fixed(hill, at([0.0, 0.0, -0.5])), made_of).unwrap();
    let kinds = geometries();
    for k in 0..36 {
        let place = [k % 3, k / 3 % 3, k / 9].map(|i| 1.6 * (i as f64 - 1.0));
        let pose = random.pose(0.0).with_translation([place[0], place[1], 4.0 + place[2]]).unwrap();
        let id =
            simulation.add(Body::moving(kinds[k % kinds.len()].clone(), pose), made_of).unwrap();
        let velocity = Velocity { linear: random.vector(1.0), angular: random.vector(2.0) };
        simulation.set_velocity(id, velocity).unwrap();
    }
    let mut hash = 0u64;
    for _ in 0..120 {
        simulation.step();
        hash = hash.rotate_left(5) ^ simulation.hash();
    }
    hash
}

/// The same with every vector unit: the tests run once more with `IMPINGE_SIMD=scalar`.
const HASHES: [(Solver, u64); 3] = [
    (Solver::Reflection, 0xe776_1cc9_7ba3_00e0),
    (Solver::SequentialImpulses, 0x8bd4_8683_ee9d_635b),
    (Solver::Penalty, 0x7d2b_23a1_48f5_7405),
];

#[test]
fn one_hash_for_any_number_of_threads() {
    let mut wrong = Vec::new();
    for (solver, expected) in HASHES {
        for threads in [1, 2, 4] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let hash = pool.install(|| heap(solver, Box::new(DynamicTree::default())));
            if hash != expected {
                wrong.push(format!("{solver:?}: 0x{hash:016x} on {threads} threads"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn one_hash_for_any_broad_phase() {
    let (solver, expected) = HASHES[1];
    let phases: [Box<dyn BroadPhase>; 3] = [
        Box::new(BruteForce),
        Box::new(UniformGrid::default()),
        Box::new(SweepAndPrune::default()),
    ];
    for phase in phases {
        let name = phase.name();
        assert_eq!(heap(solver, phase), expected, "{name}");
    }
}
