//! Balls inside of a model: what moves in its stead.
//!
//! Contacts of balls are cheap and right also when bodies are found deep in each other. Every ball touches the surface of its model from inside, so that models touch where their balls do.

use crate::error::LabError;
use crate::model::Model;
use impinge::geom::Shape;
use impinge::geom::bound::Obb;
use impinge::geom::glam::DVec3;
use impinge::mesh::{Mesh, Scratch, winding};
use impinge::query::Geometry;
use impinge::{Pose, mesh};

/// Sample points along each axis of a model's box.
const SAMPLES: u32 = 20;

/// The largest number of balls that represent a model.
const MOST: usize = 15;

/// A ball is taken if its centre is outside of all others by this share of its own radius.
const APART: f64 = 0.3;

/// Balls smaller than this share of the largest are left out.
const SMALLEST: f64 = 0.12;

/// The balls of a model as one geometry. A model that encloses nothing is one ball, half as large as its radius.
pub(super) fn geometry(model: &Model) -> Result<Geometry, LabError> {
    let mesh: Mesh<Obb> = model.mesh()?;
    let mut candidates = candidates(&mesh);
    // The largest first; the order of places decides between equals.
    candidates.sort_by(|a, b| b.1.total_cmp(&a.1));
    let largest = candidates.first().map_or(0.0, |ball| ball.1);
    let mut chosen: Vec<(DVec3, f64)> = Vec::new();
    for (center, radius) in candidates {
        let is_apart = |other: &(DVec3, f64)| center.distance(other.0) > other.1 + APART * radius;
        if chosen.len() < MOST && radius > SMALLEST * largest && chosen.iter().all(is_apart) {
            chosen.push((center, radius));
        }
    }
    if chosen.is_empty() {
        chosen.push((DVec3::ZERO, 0.5));
    }
    let mut parts = Vec::new();
    for (id, (center, radius)) in (0..).zip(chosen) {
        let pose = Pose::from_translation(center.to_array()).map_err(LabError::failed)?;
        parts.push((id, pose, Shape::sphere(radius).map_err(LabError::failed)?.into()));
    }
    Geometry::compound(parts).map_err(LabError::failed)
}

/// Points inside, with their distances from the surface.
fn candidates(mesh: &Mesh<Obb>) -> Vec<(DVec3, f64)> {
    let mut scratch = Scratch::default();
    let points = mesh.vertices();
    let low = points.iter().copied().fold(DVec3::INFINITY, DVec3::min);
    let high = points.iter().copied().fold(DVec3::NEG_INFINITY, DVec3::max);
    if !mesh.is_closed() || low.x > high.x {
        return Vec::new();
    }
    let step = (high - low) / f64::from(SAMPLES);
    let mut found = Vec::new();
    for k in 0..SAMPLES * SAMPLES * SAMPLES {
        let [i, j, l] = [k % SAMPLES, k / SAMPLES % SAMPLES, k / (SAMPLES * SAMPLES)];
        let cell = DVec3::new(f64::from(i), f64::from(j), f64::from(l)) + 0.5;
        let point = low + cell * step;
        if let mesh::Winding::Number(number) = winding(mesh, point, &mut scratch)
            && number != 0
        {
            found.push((point, mesh.closest_point(point, &mut scratch).distance));
        }
    }
    found
}
