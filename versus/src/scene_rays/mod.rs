//! The workload `scene-rays`: the first of many bodies along a ray.

pub mod record;
pub mod truth;

use std::collections::HashMap;

use crate::drive::{self, Rounds};
use crate::mesh::scene::Placement;
use crate::options::Options;
use crate::random::{Random, single};
use crate::system::Listed;
use crate::table::{self, Row, Verdict};
use record::{Body, Recording};

/// All systems, in the order of the table.
const SYSTEMS: [Listed; 4] = [
    Listed::new("impinge"),
    Listed::on_request("impinge-before"),
    Listed::new("parry"),
    Listed::new("rapier"),
];

/// Bodies of the cases.
const COUNTS: [usize; 2] = [2_000, 20_000];

/// Answers farther off than this, relatively, are wrong: more than rounding in `f32` does to bodies of these sizes.
const TOLERANCE: f64 = 1e-4;

/// Boxes and balls in a cube that they fill by about a tenth, on a floor, and rays from around and from within it.
pub fn scene(count: usize, rays: usize, seed: u64) -> Recording {
    let mut random = Random::new(seed);
    let side = (count as f64 * 10.0).cbrt();
    let mut bodies = Vec::with_capacity(count);
    let floor = [side, side, 0.5].map(single);
    let below = [0.0, 0.0, -side / 2.0 - 0.5].map(single);
    bodies
        .push((Body::Box(floor), Placement { rotation: [1.0, 0.0, 0.0, 0.0], translation: below }));
    while bodies.len() < count {
        let body = match random.below(2) {
            0 => Body::Box([(); 3].map(|()| single(random.between(0.3, 0.7)))),
            _ => Body::Ball(single(random.between(0.4, 0.7))),
        };
        let translation = [(); 3].map(|()| single(random.between(-side / 2.0, side / 2.0)));
        bodies.push((body, Placement { rotation: random.direction(), translation }));
    }
    let ray = |k: usize| {
        let target: [f64; 3] = [(); 3].map(|()| random.between(-side / 2.0, side / 2.0));
        let away = if k % 2 == 0 { side } else { random.between(0.05, 0.5) * side };
        let from: [f64; 3] = random.direction();
        let origin: [f64; 3] = std::array::from_fn(|axis| single(target[axis] + away * from[axis]));
        let way: [f64; 3] = std::array::from_fn(|axis| target[axis] - origin[axis]);
        let length = way.iter().map(|x| x * x).sum::<f64>().sqrt();
        [origin, way.map(|x| single(x / length))]
    };
    Recording { name: format!("{count} bodies"), bodies, rays: (0..rays).map(ray).collect() }
}

fn rounds(options: &Options) -> Rounds {
    match options.quick {
        true => Rounds { most: 5, nanoseconds: 500_000_000 },
        false => Rounds { most: 40, nanoseconds: 5_000_000_000 },
    }
}

/// True if two places along a ray are the same, or both nowhere.
fn equal(a: f64, b: f64) -> bool {
    a == b || (a - b).abs() <= TOLERANCE * (1.0 + a.abs().max(b.abs()))
}

fn run_scene(options: &Options, recording: &Recording) -> Result<Vec<Row>, String> {
    let path = options.work()?.join("scene-rays.bodies");
    recording.write(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let mut systems = drive::start(&SYSTEMS, &options.adapters, &[path]);
    let times = drive::measure(&recording.name, &mut systems, rounds(options));
    let scratch = options.work()?.join("answers");
    let mut answers: HashMap<&str, Vec<f64>> = HashMap::new();
    for system in systems.iter_mut().filter(|system| system.offers(&recording.name)) {
        answers.insert(system.name, system.answers(&recording.name, &scratch)?);
    }
    // Every body is looked at for each of these.
    let sample = if options.quick { 500 } else { 4_000 }.min(recording.rays.len());
    let truths: Vec<f64> =
        recording.rays[..sample].iter().map(|ray| truth::first_hit(recording, *ray)).collect();
    let ours = answers.get("impinge");
    let row = |(system, time): (&'static str, u64)| {
        let given = answers.get(system)?;
        let error = |(a, b): (&f64, &f64)| if a == b { 0.0 } else { (a - b).abs() };
        Some(Row {
            case: recording.name.clone(),
            system,
            nanoseconds: time as f64 / given.len() as f64,
            queries: given.len(),
            sample,
            verdict: Verdict {
                positives: given.iter().filter(|t| t.is_finite()).count(),
                wrong: given.iter().zip(&truths).filter(|(a, b)| !equal(**a, **b)).count(),
                max_error: Some(given.iter().zip(&truths).map(error).fold(0.0, f64::max)),
                agree: ours
                    .map(|ours| given.iter().zip(ours).filter(|(a, b)| equal(**a, **b)).count()),
            },
            more: Vec::new(),
        })
    };
    Ok(times.into_iter().filter_map(row).collect())
}

/// Runs the workload and prints its tables.
pub fn run(options: &Options) -> Result<(), String> {
    let rays = if options.quick { 2_000 } else { 20_000 };
    println!("scene-rays: seed {}, {rays} rays, {}", options.seed, drive::pin());
    let mut rows = Vec::new();
    for count in COUNTS {
        rows.extend(run_scene(options, &scene(count, rays, options.seed))?);
    }
    println!("\nProcessor time per ray (over impinge's)\n{}", table::times(&rows));
    println!("Wrong answers among those examined, and the largest error\n{}", table::errors(&rows));
    println!("Answers equal to impinge's / rays that hit\n{}", table::agreement(&rows));
    drive::write_json(options, &rows)
}
