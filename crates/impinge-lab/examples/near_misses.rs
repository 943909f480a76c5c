//! Why support tables are not on by default for single questions: near misses and meeting pairs, with and without them.
//!
//! `cargo run --release -p impinge-lab --example near_misses -- [model.ply] [placements]`
//!
//! Two copies of a model, 60 % of which meet at random poses in a cube. First the work and the time with tables on the first levels of the
//! hierarchy, also by the work of a question without them; then, by that work, how many pairs there are, how much of the time is theirs, and
//! how many tables or exact hulls part. Models are binary PLY files of triangles; without one, a knobbly body is made. `docs/internals/support-tables.md` has results.
#![allow(clippy::print_stdout)]

use impinge::Pose;
use impinge::geom::bound::Obb;
use impinge::geom::glam::DVec3;
use impinge::geom::hull::Hull;
use impinge::geom::pair::{self, Cache};
use impinge::geom::support_plane::{SupportTable, TablePair};
use impinge::geom::{Shape, Verdict};
use impinge::mesh::{self, Mesh, ScaledPose, Scratch, SupportKind, SupportLevels, Supported};
use impinge::tree::Counts;
use impinge::tree::traverse::Policy;
use std::error::Error;
use std::hint::black_box;
use std::time::Instant;

/// How often placements are asked for when time is taken.
const ROUNDS: usize = 15;

/// Levels with tables, and axes that are looked along.
const VARIANTS: [(usize, u32); 7] = [(0, 1), (1, 1), (1, 3), (2, 1), (2, 3), (3, 1), (3, 3)];

/// Questions by how many tests of volumes they take without tables: from, to.
const CLASSES: [(u64, u64); 6] = [(0, 1), (2, 9), (10, 16), (17, 40), (41, 80), (81, u64::MAX)];

/// SplitMix64 (Steele, Lea and Flood, 2014).
struct Random(u64);

impl Random {
    fn signed(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    /// Any rotation about the centre, then any translation in a cube.
    fn place(&mut self, center: DVec3, half: f64) -> Result<ScaledPose, Box<dyn Error>> {
        let turn = loop {
            let q = [0; 4].map(|_| self.signed());
            let length = q.iter().map(|x| x * x).sum::<f64>().sqrt();
            if length > 0.1 && length <= 1.0 {
                break Pose::new(q.map(|x| x / length), [0.0; 3])?;
            }
        };
        let way = DVec3::from([0; 3].map(|_| self.signed() * half));
        let translation = center + way - turn.rotate(center);
        Ok(turn.with_translation(translation.to_array())?.into())
    }
}

type Raw = (Vec<[f64; 3]>, Vec<[u32; 3]>);

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let model = words.iter().find(|word| word.parse::<usize>().is_err());
    let count: usize = words.iter().find_map(|word| word.parse().ok()).unwrap_or(4_000);
    let (vertices, faces) = match model {
        Some(path) => read(path)?,
        None => knobbly(),
    };
    let mesh: Mesh = Mesh::new(&vertices, &faces)?;
    println!("{} triangles, {count} placements", faces.len());
    let center = Hull::new(&vertices)?.center();
    let half = spread(&mesh, center)?;
    let mut random = Random(1);
    let places: Result<Vec<_>, _> = (0..count).map(|_| random.place(center, half)).collect();
    let places = places?;
    let mut scratch = Scratch::default();
    let meeting: Vec<bool> =
        places.iter().map(|place| mesh::overlap(&mesh, &mesh, place, &mut scratch)).collect();
    let share = meeting.iter().filter(|meet| **meet).count() as f64 / count as f64;
    println!("{:.1} % meet", 100.0 * share);
    timing(&mesh, &places, &meeting);
    ceiling(&vertices, &mesh, (&places, &meeting))
}

/// The half side of the cube of translations at which 60 % meet.
fn spread(mesh: &Mesh, center: DVec3) -> Result<f64, Box<dyn Error>> {
    let frame = mesh.tree().frame();
    let (mut low, mut high) = (0.0, 4.0 * frame.extent() / frame.factor());
    let mut scratch = Scratch::default();
    for _ in 0..12 {
        let half = 0.5 * (low + high);
        let mut random = Random(2);
        let mut meeting = 0;
        for _ in 0..1_000 {
            let place = random.place(center, half)?;
            meeting += u32::from(mesh::overlap(mesh, mesh, &place, &mut scratch));
        }
        *(if meeting > 600 { &mut low } else { &mut high }) = half;
    }
    Ok(0.5 * (low + high))
}

/// The work and the time of whole queries with support tables on the first levels.
fn timing(mesh: &Mesh<Obb>, places: &[ScaledPose], meeting: &[bool]) {
    let supports = VARIANTS.map(|(levels, axes)| {
        SupportLevels::new(mesh, levels, SupportKind::Tables { cells: 32, axes })
    });
    let (mut scratch, policy) = (Scratch::default(), Policy::default());
    for (want, name) in [(false, "apart"), (true, "meeting")] {
        let chosen = places.iter().zip(meeting).filter(|(_, meet)| **meet == want);
        let chosen: Vec<&ScaledPose> = chosen.map(|(place, _)| place).collect();
        let mut least = [f64::INFINITY; VARIANTS.len()];
        // In turns, so that what else the machine does hits all alike.
        for _ in 0..ROUNDS {
            for (least, support) in least.iter_mut().zip(&supports) {
                let body = Supported { mesh, support };
                let start = Instant::now();
                for place in &chosen {
                    black_box(if support.levels() == 0 {
                        mesh::overlap(mesh, mesh, place, &mut scratch)
                    } else {
                        mesh::overlap_supported(body, body, place, policy, &mut scratch, &mut ())
                    });
                }
                *least = least.min(start.elapsed().as_nanos() as f64 / chosen.len().max(1) as f64);
            }
        }
        let work = supports.each_ref().map(|support| {
            let body = Supported { mesh, support };
            let mut count = |place: &&ScaledPose| {
                let mut counts = Counts::default();
                mesh::overlap_supported(body, body, place, policy, &mut scratch, &mut counts);
                counts
            };
            chosen.iter().map(&mut count).collect::<Vec<Counts>>()
        });
        for (k, (levels, axes)) in VARIANTS.into_iter().enumerate() {
            let mean = |of: fn(&Counts) -> u64| mean(work[k].iter().map(of));
            println!(
                "  {name}, {levels} levels, {axes} axes, {} kB: {:.1} tests of eight volumes, {:.1} looks by support, {:.1} pairs of leaves, {:.2} µs, {:.2} of the time without, {:.2} times as fast",
                supports[k].bytes() / 1000,
                mean(|counts| counts.steps),
                mean(|counts| counts.supports),
                mean(|counts| counts.leaves),
                least[k] * 1e-3,
                least[k] / least[0],
                least[0] / least[k]
            );
            by_class(&work[0], &work[k]);
        }
    }
}

fn mean(counts: impl Iterator<Item = u64>) -> f64 {
    let (sum, number) = counts.fold((0, 0u32), |(sum, number), count| (sum + count, number + 1));
    sum as f64 / f64::from(number.max(1))
}

/// Tests of volumes and looks by support, by how many tests the same questions take without tables.
fn by_class(without: &[Counts], with: &[Counts]) {
    let pairs = || without.iter().zip(with);
    let classes = CLASSES.map(|(from, to)| {
        let of = || pairs().filter(|(without, _)| (from..=to).contains(&without.steps));
        let tests = mean(of().map(|(_, with)| with.steps));
        format!("from {from} {tests:.1} + {:.1}", mean(of().map(|(_, with)| with.supports)))
    });
    println!("    tests + looks of questions that take, without: {}", classes.join(", "));
}

/// By how many tests of volumes a question takes: how many there are, what share of the time is theirs, how many tables or exact hulls part.
fn ceiling(
    vertices: &[[f64; 3]],
    mesh: &Mesh<Obb>,
    (places, meeting): (&[ScaledPose], &[bool]),
) -> Result<(), Box<dyn Error>> {
    let (table, shape) = (SupportTable::new(&Hull::new(vertices)?, 32), Shape::hull(vertices)?);
    let (mut scratch, mut cache) = (Scratch::default(), Cache::default());
    for (want, name) in [(false, "apart"), (true, "meeting")] {
        let chosen = places.iter().zip(meeting).filter(|(_, meet)| **meet == want);
        let mut rows = Vec::new();
        for (place, _) in chosen {
            let mut counts = Counts::default();
            let policy = Policy::default();
            mesh::overlap_with(mesh, mesh, place, policy, &mut scratch, &mut counts);
            let mut least = f64::INFINITY;
            for _ in 0..5 {
                let start = Instant::now();
                black_box(mesh::overlap(mesh, mesh, place, &mut scratch));
                least = least.min(start.elapsed().as_nanos() as f64);
            }
            let pair = TablePair::new(&table, &table, &place.pose, place.scale);
            let parted = pair.reflected(3).axis.is_some();
            let hulls = pair::verdict(&shape, &shape, &place.pose, &mut cache);
            rows.push((counts.steps, least, parted, hulls == Verdict::Separated));
        }
        let all: f64 = rows.iter().map(|row| row.1).sum();
        for (from, to) in CLASSES {
            let of: Vec<_> = rows.iter().filter(|row| (from..=to).contains(&row.0)).collect();
            let share = |count: usize, of: usize| 100.0 * count as f64 / of.max(1) as f64;
            println!(
                "  {name}, from {from} tests: {:.0} % of the pairs, {:.0} % of the time, tables part {:.0} %, hulls {:.0} %",
                share(of.len(), rows.len()),
                100.0 * of.iter().map(|row| row.1).sum::<f64>() / all,
                share(of.iter().filter(|row| row.2).count(), of.len()),
                share(of.iter().filter(|row| row.3).count(), of.len())
            );
        }
        let hulls: f64 = rows.iter().filter(|row| row.3).map(|row| row.1).sum();
        println!(
            "  {name}: with hulls that cost nothing, {:.2} times as fast",
            1.0 / (1.0 - hulls / all)
        );
    }
    Ok(())
}

/// A ball with knobs.
fn knobbly() -> Raw {
    let (around, across) = (120u32, 70u32);
    let (mut vertices, mut faces) = (Vec::new(), Vec::new());
    for j in 0..=across {
        for i in 0..around {
            let u = f64::from(i) / f64::from(around) * std::f64::consts::TAU;
            let v = f64::from(j) / f64::from(across) * std::f64::consts::PI;
            let radius = 1.0 + 0.25 * (5.0 * u).sin() * (4.0 * v).sin() * v.sin();
            let point = [1.4 * u.cos() * v.sin(), u.sin() * v.sin(), 0.8 * v.cos()];
            vertices.push(point.map(|x| x * radius));
            let at = |i: u32, j: u32| j * around + i % around;
            if j < across {
                faces.push([at(i, j), at(i, j + 1), at(i + 1, j + 1)]);
                faces.push([at(i, j), at(i + 1, j + 1), at(i + 1, j)]);
            }
        }
    }
    (vertices, faces)
}

/// A binary PLY file whose vertices begin with three f32 and whose faces are triangles of i32.
fn read(path: &str) -> Result<Raw, Box<dyn Error>> {
    let bytes = std::fs::read(path)?;
    let end = b"end_header\n";
    let start = bytes.windows(end.len()).position(|part| part == end).ok_or("no PLY header")?;
    let header = std::str::from_utf8(&bytes[..start])?;
    if !header.contains("format binary_little_endian") {
        return Err("not a binary PLY file".into());
    }
    let number = |element: &str| -> Result<usize, Box<dyn Error>> {
        let line = header.lines().find_map(|line| line.strip_prefix(element));
        Ok(line.ok_or("an element is missing")?.trim().parse()?)
    };
    let (vertices, faces) = (number("element vertex")?, number("element face")?);
    let stride = 4 * header.lines().filter(|line| line.starts_with("property float")).count();
    let data = &bytes[start + end.len()..];
    let word = |at: usize| -> Result<[u8; 4], Box<dyn Error>> {
        Ok(data.get(at..at + 4).ok_or("the file is too short")?.try_into()?)
    };
    let mut points = Vec::with_capacity(vertices);
    for vertex in 0..vertices {
        let at = vertex * stride;
        let float =
            |k: usize| Ok::<_, Box<dyn Error>>(f64::from(f32::from_le_bytes(word(at + 4 * k)?)));
        points.push([float(0)?, float(1)?, float(2)?]);
    }
    let mut triangles = Vec::with_capacity(faces);
    for face in 0..faces {
        let at = vertices * stride + face * 13 + 1;
        let index = |k: usize| Ok::<_, Box<dyn Error>>(u32::from_le_bytes(word(at + 4 * k)?));
        triangles.push([index(0)?, index(1)?, index(2)?]);
    }
    Ok((points, triangles))
}
