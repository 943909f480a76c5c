//! The little vector arithmetic that the oracles need.

pub(super) type Vector = [f64; 3];

pub(super) fn sub(a: Vector, b: Vector) -> Vector {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

pub(super) fn add_scaled(a: Vector, scale: f64, b: Vector) -> Vector {
    [a[0] + scale * b[0], a[1] + scale * b[1], a[2] + scale * b[2]]
}

pub(super) fn dot(a: Vector, b: Vector) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub(super) fn cross(a: Vector, b: Vector) -> Vector {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

pub(super) fn length(a: Vector) -> f64 {
    dot(a, a).sqrt()
}

/// Squared distance from a point to a segment.
pub(super) fn point_segment(point: Vector, start: Vector, end: Vector) -> f64 {
    let (along, to_point) = (sub(end, start), sub(point, start));
    let squared = dot(along, along);
    let t = if squared > 0.0 { (dot(to_point, along) / squared).clamp(0.0, 1.0) } else { 0.0 };
    let offset = add_scaled(to_point, -t, along);
    dot(offset, offset)
}

/// Squared distance between two segments: the common perpendicular if it meets both, or else an end of one.
pub(super) fn segment_segment(a: [Vector; 2], b: [Vector; 2]) -> f64 {
    let ends = point_segment(a[0], b[0], b[1])
        .min(point_segment(a[1], b[0], b[1]))
        .min(point_segment(b[0], a[0], a[1]))
        .min(point_segment(b[1], a[0], a[1]));
    let (u, v, w) = (sub(a[1], a[0]), sub(b[1], b[0]), sub(b[0], a[0]));
    let normal = cross(u, v);
    let squared = dot(normal, normal);
    if squared == 0.0 {
        return ends;
    }
    let s = dot(cross(w, v), normal) / squared;
    let t = dot(cross(w, u), normal) / squared;
    if (0.0..=1.0).contains(&s) && (0.0..=1.0).contains(&t) {
        let across = dot(w, normal);
        ends.min(across * across / squared)
    } else {
        ends
    }
}
