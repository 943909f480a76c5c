//! How many pairs of near bodies support planes part at the root, and at what price.
//!
//! `cargo run --release -p impinge --example support_planes -- [model.ply] [placements]`
//!
//! Two copies of a model, 60 % of which meet at random poses in a cube. Of the pairs that do not meet and whose spheres overlap, the
//! share is told that each test parts. Prices are counted in the code: additions, products, comparisons and magnitudes 1 each, divisions 4,
//! roots 6, arc tangents 25. Models are binary PLY files of triangles; without one, a knobbly body is made.
#![allow(clippy::print_stdout)]

use impinge::Pose;
use impinge::geom::bound::{Obb, Sphere};
use impinge::geom::glam::DVec3;
use impinge::geom::hull::Hull;
use impinge::geom::pair::{self, Cache};
use impinge::geom::support_plane::{Enclosure, Grid, SupportTable, TablePair};
use impinge::geom::{Shape, Verdict};
use impinge::mesh::{
    self, Mesh, Relative, Scratch, SupportKind, SupportLevels, SupportMapping, SupportVolume,
    Supported,
};
use impinge::tree::Counts;
use impinge::tree::traverse::Policy;
use std::error::Error;

/// `TablePair::new`: the second centre scaled (3), turned (15) and moved (3), the way (3), the margin (10).
const PLACE: f64 = 34.0;
/// An axis: turned back (15), two cells of 22, two reaches of 7, the gap (8), the comparison with the margin (2).
const AXIS: f64 = 83.0;
/// A reflection: two corners of 11, one of them turned and scaled (18), the way between (6), the mirrored axis (16), its side (6).
const MIRROR: f64 = 68.0;

/// How often placements are asked for when time is taken.
const ROUNDS: usize = 60;

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
    fn place(&mut self, center: DVec3, half: f64) -> Result<Relative, Box<dyn Error>> {
        let turn = loop {
            let q = [0; 4].map(|_| self.signed());
            let length = q.iter().map(|x| x * x).sum::<f64>().sqrt();
            if length > 0.1 && length <= 1.0 {
                break Pose::new(q.map(|x| x / length), [0.0; 3])?;
            }
        };
        let way = DVec3::from([0; 3].map(|_| self.signed() * half));
        let translation = center + way - turn.turn(center);
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
    culling(&vertices, &places, &meeting)
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

/// Of the pairs apart whose spheres overlap, how many each test parts.
fn culling(
    vertices: &[[f64; 3]],
    places: &[Relative],
    meeting: &[bool],
) -> Result<(), Box<dyn Error>> {
    let hull = Hull::new(vertices)?;
    let shape = Shape::hull(vertices)?;
    let sphere = Enclosure::sphere_of(hull.vertices());
    let radius = sphere.half().x;
    let near: Vec<(&Relative, bool)> = places
        .iter()
        .zip(meeting.iter().copied())
        .filter(|(place, _)| place.map(sphere.center()).distance(sphere.center()) < 2.0 * radius)
        .collect();
    let apart = near.iter().filter(|(_, meet)| !meet).count();
    println!("{} pairs with overlapping spheres, {apart} of them apart", near.len());
    let table = SupportTable::new(&hull, 32);
    let pair = |place: &Relative| TablePair::new(&table, &table, &place.pose, place.scale).parted();
    let one = near.iter().filter(|(place, _)| pair(place)).count();
    line("support table, 1 axis", one, apart, Some([PLACE + AXIS; 2]));
    let mut prices = [0.0; 2];
    let mut three = 0;
    for (place, meet) in &near {
        let found = TablePair::new(&table, &table, &place.pose, place.scale).reflected(3);
        // A search that ends before its last axis has looked at one mirrored axis more.
        let ended = found.axis.is_none() && found.tried < 3;
        let mirrors = found.tried - u32::from(!ended);
        let price = PLACE + AXIS * f64::from(found.tried) + MIRROR * f64::from(mirrors);
        three += usize::from(found.axis.is_some());
        prices[0] += price;
        prices[1] += if *meet { 0.0 } else { price };
    }
    let prices = [prices[0] / near.len() as f64, prices[1] / apart.max(1) as f64];
    line("support table, 3 axes", three, apart, Some(prices));
    planes(vertices, &near, apart)?;
    let mut cache = Cache::default();
    let hulls = near.iter().filter(|(place, _)| {
        pair::verdict(&shape, &shape, &place.pose, &mut cache) == Verdict::Separated
    });
    line("exact hulls (ceiling)", hulls.count(), apart, None);
    Ok(())
}

/// Theorem 3.2 with all mappings and volumes.
fn planes(
    vertices: &[[f64; 3]],
    near: &[(&Relative, bool)],
    apart: usize,
) -> Result<(), Box<dyn Error>> {
    // One triangle for each vertex: the filter looks at vertices alone.
    let faces: Vec<[u32; 3]> = (0..vertices.len() as u32).map(|v| [v; 3]).collect();
    let cloud: Mesh<Sphere> = Mesh::new(vertices, &faces)?;
    let mappings = [
        ("VSPM", SupportMapping::Vertices),
        ("FSPM", SupportMapping::Faces),
        ("DVSPM angular", SupportMapping::SampledVertices(Grid::Angular(32))),
        ("DVSPM octahedral", SupportMapping::SampledVertices(Grid::Octahedral(32))),
        ("DFSPM angular", SupportMapping::SampledFaces(Grid::Angular(32))),
        ("DFSPM octahedral", SupportMapping::SampledFaces(Grid::Octahedral(32))),
    ];
    let volumes = [
        ("sphere", SupportVolume::Sphere),
        ("AABB", SupportVolume::Aabb),
        ("OBB", SupportVolume::Obb),
    ];
    for (volume_name, volume) in volumes {
        for (name, mapping) in mappings {
            let filter = SupportLevels::new(&cloud, 1, SupportKind::Planes { mapping, volume });
            let parted = near.iter().filter(|(place, _)| filter.parts(&filter, place)).count();
            line(&format!("{name}, {volume_name}"), parted, apart, None);
        }
    }
    Ok(())
}

fn line(name: &str, parted: usize, apart: usize, prices: Option<[f64; 2]>) {
    let share = 100.0 * parted as f64 / apart.max(1) as f64;
    let prices = prices.map_or(String::new(), |[all, apart]| {
        format!(", price {all:.0} on all, {apart:.0} on those apart")
    });
    println!("  {name}: {share:.1} %{prices}");
}

/// The work and the time of whole queries with support tables on the first levels.
fn timing(mesh: &Mesh<Obb>, places: &[Relative], meeting: &[bool]) {
    let mut scratch = Scratch::default();
    let mut base = [0.0; 2];
    for (levels, axes) in [(0, 1), (1, 1), (1, 3), (2, 1), (2, 3)] {
        let support = SupportLevels::new(mesh, levels, SupportKind::Tables { cells: 32, axes });
        let body = Supported { mesh, support: &support };
        println!("  {levels} levels, {axes} axes, {} kB:", support.bytes() / 1000);
        for (want, base) in [false, true].into_iter().zip(&mut base) {
            let chosen: Vec<&Relative> = places
                .iter()
                .zip(meeting)
                .filter(|(_, meet)| **meet == want)
                .map(|(p, _)| p)
                .collect();
            let (mut counts, policy) = (Counts::default(), Policy::default());
            for place in &chosen {
                mesh::overlap_supported(body, body, place, policy, &mut scratch, &mut counts);
            }
            // Systems tell a thread's time every few milliseconds only: many rounds, and no best of them.
            let start = nanoseconds();
            for _ in 0..ROUNDS {
                for place in &chosen {
                    mesh::overlap_supported(body, body, place, policy, &mut scratch, &mut ());
                }
            }
            let queries = chosen.len().max(1) * ROUNDS;
            let time = (nanoseconds() - start) / queries as f64;
            *base = if levels == 0 { time } else { *base };
            let mean = |count: u64| count as f64 / chosen.len().max(1) as f64;
            println!(
                "    {}: {:.1} tests of eight volumes, {:.1} looks by support, {:.1} pairs of leaves, {:.2} µs, {:.2} of without",
                if want { "meeting" } else { "apart" },
                mean(counts.steps),
                mean(counts.supports),
                mean(counts.leaves),
                time * 1e-3,
                time / *base
            );
        }
    }
}

/// The time that this thread has had on a processor, where the system tells, else the time of day.
fn nanoseconds() -> f64 {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let on_processor = told.and_then(|text| text.split(' ').next()?.parse().ok());
    on_processor.unwrap_or_else(|| {
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        now.map_or(0.0, |time| time.as_nanos() as f64)
    })
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
