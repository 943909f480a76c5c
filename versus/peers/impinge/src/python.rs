//! How long batches of a thousand take in Rust, for what the Python package adds to that: `versus-impinge-python FOLDER`.
//!
//! Reads what `peers/python/measure.py` writes (vertices, faces and questions, little-endian) and prints a line for each question: its name and the least
//! processor time of a batch per question, in nanoseconds, with one thread.

use impinge::geom::ray::Ray;
use impinge::{Mesh, Pose, query};
use std::error::Error;
use std::hint::black_box;
use std::path::Path;
use std::time::Instant;

/// Batches, of which the fastest counts.
const ROUNDS: usize = 400;

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args().nth(1).ok_or("name the folder of the questions")?;
    let folder = Path::new(&folder);
    let triples = |name: &str| -> Result<Vec<[f64; 3]>, Box<dyn Error>> {
        let bytes = std::fs::read(folder.join(name))?;
        let numbers: Vec<f64> =
            bytes.as_chunks().0.iter().map(|bytes| f64::from_le_bytes(*bytes)).collect();
        Ok(numbers.as_chunks().0.to_vec())
    };
    let faces: Vec<[u32; 3]> =
        triples("faces")?.iter().map(|face| face.map(|index| index as u32)).collect();
    let mesh = Mesh::new(&triples("vertices")?, &faces)?;
    let (points, directions) = (triples("points")?, triples("directions")?);
    let pose = Pose::IDENTITY;
    report("closest", points.len(), || {
        black_box(query::closest_points(&pose, &mesh, black_box(&points)));
    });
    report("contains", points.len(), || {
        black_box(query::contains_points(&pose, &mesh, black_box(&points)));
    });
    let rays = points.iter().zip(&directions).map(|(p, d)| Ray::new(*p, *d));
    let rays = rays.collect::<Result<Vec<_>, _>>()?;
    report("rays", rays.len(), || {
        black_box(query::cast_rays(&pose, &mesh, black_box(&rays)));
    });
    let places =
        points.iter().map(|p| Pose::from_translation(p.map(|x| 4.0 * x)).map(|b| [pose, b]));
    let places = places.collect::<Result<Vec<_>, _>>()?;
    report("intersects", places.len(), || {
        black_box(query::intersects_batch(&mesh, &mesh, black_box(&places)));
    });
    Ok(())
}

fn report(name: &str, count: usize, mut ask: impl FnMut()) {
    let mut least = f64::INFINITY;
    for _ in 0..ROUNDS {
        let start = Instant::now();
        ask();
        least = least.min(start.elapsed().as_secs_f64());
    }
    println!("{name} {:.2}", least / count as f64 * 1e9);
}
