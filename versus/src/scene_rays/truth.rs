//! The first hit of a ray by looking at every body, in closed form: slabs for boxes, a quadratic for balls.

use super::record::{Body, Recording};
use crate::mesh::scene::Placement;

/// Where the ray first meets a body, along a direction of unit length; infinite if it meets none.
pub fn first_hit(recording: &Recording, [origin, direction]: [[f64; 3]; 2]) -> f64 {
    let hit = |(body, placement): &(Body, Placement)| {
        let [o, d] = local(placement, origin, direction);
        match *body {
            Body::Box(half) => slabs(half, o, d),
            Body::Ball(radius) => ball(radius, o, d),
        }
    };
    recording.bodies.iter().map(hit).fold(f64::INFINITY, f64::min)
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// The ray in the frame of a body: the columns of the rotation are its axes.
fn local(placement: &Placement, origin: [f64; 3], direction: [f64; 3]) -> [[f64; 3]; 2] {
    let [w, x, y, z] = placement.rotation;
    let axes = [
        [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y + z * w), 2.0 * (x * z - y * w)],
        [2.0 * (x * y - z * w), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z + x * w)],
        [2.0 * (x * z + y * w), 2.0 * (y * z - x * w), 1.0 - 2.0 * (x * x + y * y)],
    ];
    let from = std::array::from_fn(|k| origin[k] - placement.translation[k]);
    [axes.map(|axis| dot(axis, from)), axes.map(|axis| dot(axis, direction))]
}

/// The nearer crossing ahead, or from inside the farther one.
fn ahead(enter: f64, leave: f64) -> f64 {
    match (enter <= leave, enter >= 0.0, leave >= 0.0) {
        (true, true, _) => enter,
        (true, false, true) => leave,
        _ => f64::INFINITY,
    }
}

fn slabs(half: [f64; 3], origin: [f64; 3], direction: [f64; 3]) -> f64 {
    let (mut enter, mut leave) = (f64::NEG_INFINITY, f64::INFINITY);
    for k in 0..3 {
        let sides = [-half[k], half[k]].map(|side| (side - origin[k]) / direction[k]);
        enter = enter.max(sides[0].min(sides[1]));
        leave = leave.min(sides[0].max(sides[1]));
    }
    ahead(enter, leave)
}

fn ball(radius: f64, origin: [f64; 3], direction: [f64; 3]) -> f64 {
    let (square, along) = (dot(direction, direction), -dot(origin, direction));
    let nearest = std::array::from_fn(|k| origin[k] + direction[k] * along / square);
    let rest = radius * radius - dot(nearest, nearest);
    if rest < 0.0 {
        return f64::INFINITY;
    }
    let half = (rest / square).sqrt();
    ahead(along / square - half, along / square + half)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rays_along_axes() {
        let unturned = |translation| Placement { rotation: [1.0, 0.0, 0.0, 0.0], translation };
        let bodies = vec![
            (Body::Box([1.0, 2.0, 3.0]), unturned([10.0, 0.0, 0.0])),
            (Body::Ball(2.0), unturned([0.0, 10.0, 0.0])),
        ];
        let recording = Recording { name: String::new(), bodies, rays: Vec::new() };
        let hit = |origin, direction| first_hit(&recording, [origin, direction]);
        assert_eq!(hit([0.0; 3], [1.0, 0.0, 0.0]), 9.0);
        assert_eq!(hit([0.0; 3], [0.0, 1.0, 0.0]), 8.0);
        assert_eq!(hit([10.0, 0.0, 0.0], [0.0, 0.0, -1.0]), 3.0);
        assert_eq!(hit([0.0; 3], [0.0, 0.0, 1.0]), f64::INFINITY);
    }
}
