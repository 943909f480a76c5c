//! A moving mesh and a moving shape: the ball around each volume meets the shape in the kernel, the earliest first; then triangles do.

use super::{MeshImpact, MovingMesh, keep_earlier};
use crate::mesh::Scratch;
use impinge_geom::bound::Bound;
use impinge_geom::motion::impact::{self, ImpactInterval, Settings, ShapeImpact};
use impinge_geom::motion::{MovingShape, Reach};
use impinge_geom::pair::Cache;
use impinge_geom::{Pose, Shape};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// How precise the time of a ball is: it only says when to look closer.
const COARSE: f64 = 1e-3;

/// A place and the time until which it is apart; times are not negative, so that their bits are in their order.
type Entry = Reverse<(u64, u32)>;

/// The first time within a span at which a moving mesh, as a surface, and a moving shape have a common point.
pub fn shape_impact<B: Bound>(
    mesh: &MovingMesh<'_, B>,
    shape: &MovingShape<'_>,
    [from, to]: [f64; 2],
    settings: &Settings,
    scratch: &mut Scratch,
) -> MeshImpact {
    let cache = &mut scratch.cache;
    let (mut found, mut horizon) = (None, to);
    let mut places: BinaryHeap<Entry> = BinaryHeap::new();
    let mut budget = u64::from(settings.max_steps).saturating_mul(1000);
    if !mesh.mesh.tree.is_empty() {
        places.push(Reverse((from.to_bits(), 0)));
    }
    while let Some(Reverse((bits, place))) = places.pop() {
        let time = f64::from_bits(bits);
        let beyond = if found.is_some() { time >= horizon } else { time > horizon };
        if beyond {
            break;
        }
        if budget == 0 {
            let contact = ImpactInterval { interval: [time, 1.0], proven: false };
            return MeshImpact::Meets(contact, [0; 2]);
        }
        budget -= 1;
        let Some(leaf) = mesh.mesh.tree.leaf_at(place) else {
            for child in mesh.mesh.tree.places_below(place) {
                let free = ball_free_until(mesh, shape, child, [time, horizon], settings, cache);
                if let Some(free) = free {
                    places.push(Reverse((free.to_bits(), child)));
                }
            }
            continue;
        };
        for &face in mesh.mesh.tree.leaf(leaf) {
            let Some(triangle) = mesh.triangle(face) else { continue };
            let one = mesh.carry(&triangle);
            match impact::impact(&one, shape, [time, horizon], settings, cache) {
                ShapeImpact::Free => {}
                ShapeImpact::Meeting if time == from => return MeshImpact::Meeting,
                ShapeImpact::Meeting => {
                    keep_earlier(
                        &mut found,
                        ImpactInterval { interval: [time; 2], proven: true },
                        [face, 0],
                    );
                }
                ShapeImpact::Meets(contact) => keep_earlier(&mut found, contact, [face, 0]),
            }
            if let Some((contact, _)) = &found {
                horizon = horizon.min(contact.interval[0]);
            }
        }
    }
    found.map_or(MeshImpact::Free, |(contact, faces)| MeshImpact::Meets(contact, faces))
}

/// Until when the ball around a place is apart from the shape; none if up to the horizon.
fn ball_free_until<B: Bound>(
    mesh: &MovingMesh<'_, B>,
    shape: &MovingShape<'_>,
    place: u32,
    [from, horizon]: [f64; 2],
    settings: &Settings,
    cache: &mut Cache,
) -> Option<f64> {
    let Reach { center, radius } = mesh.mesh.balls().at(place);
    let center = mesh.local.transform_point(center * mesh.scale);
    let (Ok(ball), Ok(local)) =
        (Shape::sphere(radius * mesh.scale), Pose::from_translation(center.to_array()))
    else {
        return Some(from);
    };
    let ball = MovingShape::placed(&ball, &local, mesh.motion);
    let coarse = Settings { tolerance: COARSE, max_steps: 16, ..*settings };
    match impact::impact(&ball, shape, [from, horizon], &coarse, cache) {
        ShapeImpact::Free => None,
        ShapeImpact::Meeting => Some(from),
        ShapeImpact::Meets(contact) => Some(contact.interval[0]),
    }
}
