//! How the work of queries grows with the number of triangles, and with closeness.

use super::chart::{self, Line, Panel};
use super::proximity;
use crate::generate::random::Random;
use impinge::geom::Pose;
use impinge::geom::bound::{Aabb, Bound, Obb, ObbRss, Rss};
use impinge::geom::glam::DVec3;
use impinge::geom::ray::Ray;
use impinge::mesh::{self, Mesh, Relative, Scratch};
use impinge::tree::Counts;
use impinge::tree::traverse::{Order, Policy};
use std::path::PathBuf;
use std::time::Instant;

/// Options of the measurement.
#[derive(clap::Args, Clone, Debug)]
pub struct Options {
    /// Write growth.svg and proximity.svg into this folder.
    #[arg(long, value_name = "DIR")]
    pub output: Option<PathBuf>,
    /// The largest number of triangles.
    #[arg(long, default_value_t = 4_194_304)]
    pub largest: usize,
    /// Placements, or rays, per query and size.
    #[arg(long, default_value_t = 100)]
    pub queries: usize,
    /// The spheres of the close proximity have 20·4^LEVEL triangles.
    #[arg(long, default_value_t = 7, value_name = "LEVEL")]
    pub level: u32,
    /// Every seed gives other placements.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
}

/// What is asked.
const QUERIES: [&str; 4] = ["yes/no", "all pairs", "distance", "first hit of a ray"];

/// The mean work and time of one query at one size.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Mean {
    pub(super) microseconds: f64,
    steps: f64,
    pub(super) volumes: f64,
    pub(super) leaves: f64,
    primitives: f64,
    /// Colliding placements, pairs, or hits, per query.
    pub(super) found: f64,
}

/// Runs the measurement. True if the slopes are near what is expected, and the hierarchies answer alike.
pub fn run(options: &Options) -> bool {
    memory(options);
    let mut lines: Vec<[Vec<(f64, f64)>; 2]> = vec![Default::default(); QUERIES.len()];
    println!(
        "{:>9}  {:<18} {:>10} {:>9} {:>9} {:>9} {:>10} {:>9}",
        "triangles", "query", "µs", "steps", "volumes", "leaves", "primitives", "found"
    );
    for side in sides(options.largest) {
        let (vertices, triangles) = bumpy(side);
        let start = Instant::now();
        let Ok(mesh) = Mesh::<Obb>::new(&vertices, &triangles) else { return false };
        let (seconds, count) = (start.elapsed().as_secs_f64(), triangles.len());
        drop((vertices, triangles));
        let bytes = mesh.bytes() as f64 / count as f64;
        println!("{count:>9}  built in {seconds:.3} s, {bytes:.1} bytes per triangle");
        for (query, mean) in ask(&mesh, options).into_iter().enumerate() {
            println!(
                "{count:>9}  {:<18} {:>10.2} {:>9.1} {:>9.1} {:>9.2} {:>10.1} {:>9.2}",
                QUERIES[query],
                mean.microseconds,
                mean.steps,
                mean.volumes,
                mean.leaves,
                mean.primitives,
                mean.found
            );
            lines[query][0].push((count as f64, mean.microseconds));
            lines[query][1].push((count as f64, mean.volumes));
        }
    }
    let panel = |which: usize, title: &str, up: &str| Panel {
        title: title.into(),
        across: "triangles in each of two meshes".into(),
        up: up.into(),
        lines: lines
            .iter()
            .zip(QUERIES)
            .map(|(line, name)| Line { name: name.into(), points: line[which].clone() })
            .collect(),
        falling: false,
        even: false,
    };
    let panels = [
        panel(0, "Time of a query (OBB tree, one thread)", "microseconds"),
        panel(1, "Volumes tested in a query", "volumes"),
    ];
    let (fine, near) = proximity::measure(options.level);
    if let Some(folder) = &options.output {
        let written = chart::write(folder, "growth.svg", &panels)
            .and_then(|()| chart::write(folder, "proximity.svg", &[near]));
        if let Err(error) = written {
            println!("{error}");
            return false;
        }
    }
    fine
}

/// The memory of each kind of hierarchy.
fn memory(options: &Options) {
    let (vertices, triangles) = bumpy(37.min((options.largest as f64 / 12.0).sqrt() as usize));
    fn bytes<B: Bound>(vertices: &[[f64; 3]], triangles: &[[u32; 3]]) -> f64 {
        Mesh::<B>::new(vertices, triangles)
            .map_or(f64::NAN, |mesh| mesh.bytes() as f64 / triangles.len() as f64)
    }
    println!(
        "bytes per triangle beyond vertices and indices, {} triangles: AABB {:.1}, OBB {:.1}, RSS {:.1}, OBBRSS {:.1}",
        triangles.len(),
        bytes::<Aabb>(&vertices, &triangles),
        bytes::<Obb>(&vertices, &triangles),
        bytes::<Rss>(&vertices, &triangles),
        bytes::<ObbRss>(&vertices, &triangles),
    );
}

/// Divisions of a cube's side, each about four times as many triangles as the last.
fn sides(largest: usize) -> Vec<usize> {
    let mut sides = Vec::new();
    let mut count = 1024.0_f64;
    while count <= largest as f64 {
        sides.push(((count / 12.0).sqrt().round()) as usize);
        count *= 4.0;
    }
    sides
}

/// Vertices and triangles.
pub(super) type Raw = (Vec<[f64; 3]>, Vec<[u32; 3]>);

/// A ball with bumps: the six sides of a cube, each divided `side` times, drawn out to a radius that waves between 0.84 and 1.1.
pub(super) fn bumpy(side: usize) -> Raw {
    let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
    let wave = |t: f64| {
        let s = t * t;
        ((32.0 * s - 48.0) * s + 18.0) * s - 1.0
    };
    for face in 0..6 {
        let (axis, sign) = (face % 3, if face < 3 { 1.0 } else { -1.0 });
        let first = vertices.len() as u32;
        for i in 0..=side {
            for j in 0..=side {
                let mut p = [0.0; 3];
                p[axis] = sign;
                p[(axis + 1) % 3] = 2.0 * i as f64 / side as f64 - 1.0;
                p[(axis + 2) % 3] = sign * (2.0 * j as f64 / side as f64 - 1.0);
                let n = DVec3::from_array(p).normalize();
                let radius = 1.0 + 0.08 * (wave(n.x) + wave(n.y) + wave(n.z)) / 1.5;
                vertices.push((n * radius).to_array());
            }
        }
        let across = side as u32 + 1;
        for i in 0..side as u32 {
            for j in 0..side as u32 {
                let at = |i: u32, j: u32| first + i * across + j;
                triangles.push([at(i, j), at(i + 1, j), at(i + 1, j + 1)]);
                triangles.push([at(i, j), at(i + 1, j + 1), at(i, j + 1)]);
            }
        }
    }
    (vertices, triangles)
}

/// The means over all placements, one for each of [`QUERIES`].
fn ask(mesh: &Mesh<Obb>, options: &Options) -> [Mean; 4] {
    let mut random = Random::new(options.seed);
    let mut place = |low: f64, high: f64| -> Relative {
        let length = random.between(low, high);
        let translation = random.direction().map(|x| x * length);
        Pose::new(random.quaternion(), translation).unwrap_or_default().into()
    };
    let count = options.queries;
    let mut places =
        |low, high| -> Vec<Relative> { (0..count).map(|_| place(low, high)).collect() };
    let (some, deep, apart) = (places(1.9, 2.15), places(1.7, 1.9), places(2.3, 2.6));
    let mut random = Random::new(options.seed + 1);
    let rays: Vec<Ray> = (0..count * 4)
        .filter_map(|_| {
            let from = random.direction().map(|x| x * 3.0);
            let to = random.point();
            Ray::new(from, std::array::from_fn(|c| to[c] - from[c])).ok()
        })
        .collect();
    let mut scratch = Scratch::default();
    let mut list = Vec::new();
    [
        mean(&some, |place, counts| {
            let policy = Policy::default();
            u64::from(mesh::overlap_with(mesh, mesh, place, policy, &mut scratch, counts))
        }),
        mean(&deep, |place, counts| {
            let policy = Policy::default();
            mesh::pairs_with(mesh, mesh, place, policy, &mut scratch, &mut list, counts);
            list.len() as u64
        }),
        mean(&apart, |place, counts| {
            let order = Order::default();
            let found = mesh::distance_with(mesh, mesh, place, order, &mut scratch, counts);
            u64::from(found.distance > 0.0)
        }),
        mean(&rays, |ray, counts| u64::from(mesh.ray_with(ray, &mut scratch, counts).is_some())),
    ]
}

/// Each query is asked three times, of which the fastest counts.
pub(super) fn mean<T>(inputs: &[T], mut query: impl FnMut(&T, &mut Counts) -> u64) -> Mean {
    let mut sum = Mean::default();
    for input in inputs {
        let mut fastest = f64::MAX;
        let mut counts = Counts::default();
        for round in 0..3 {
            counts = Counts::default();
            let start = Instant::now();
            let found = query(input, &mut counts);
            fastest = fastest.min(start.elapsed().as_secs_f64() * 1e6);
            sum.found += if round == 0 { found as f64 } else { 0.0 };
        }
        sum.microseconds += fastest;
        sum.steps += counts.steps as f64;
        sum.volumes += counts.volumes as f64;
        sum.leaves += counts.leaves as f64;
        sum.primitives += counts.primitives as f64;
    }
    let over = 1.0 / inputs.len().max(1) as f64;
    for value in [
        &mut sum.microseconds,
        &mut sum.steps,
        &mut sum.volumes,
        &mut sum.leaves,
        &mut sum.primitives,
        &mut sum.found,
    ] {
        *value *= over;
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_run_from_a_thousand_to_four_million() {
        let counts: Vec<usize> = sides(4_194_304).iter().map(|side| 12 * side * side).collect();
        assert_eq!((counts[0], counts.len()), (972, 7));
        assert!((4_100_000..4_300_000).contains(&counts[6]), "{counts:?}");
    }

    #[test]
    fn slopes_are_near_the_expected_on_small_spheres() {
        let folder = std::env::temp_dir().join(format!("impinge-growth-{}", std::process::id()));
        let options =
            Options { output: Some(folder.clone()), largest: 5000, queries: 10, level: 5, seed: 1 };
        assert!(run(&options), "a slope is far from the expected one");
        for name in ["growth.svg", "proximity.svg"] {
            let text = std::fs::read_to_string(folder.join(name)).unwrap();
            assert!(text.contains("</svg>") && text.contains("volumes"), "{name}");
        }
        let _ = std::fs::remove_dir_all(folder);
    }
}
