//! A point and a cone, in the plane of the distance from the axis and the height.
//!
//! The mantle is the curved surface; face 0 is the base, edge 0 its rim, vertex 0 the apex.

use super::PointDistance;
use super::cylinder::{away_from_axis, rim_offset};
use crate::answer::Feature;
use crate::number::length::length_and_unit;
use glam::DVec3;

/// The distance from a cone along z, apex up; without a radius it is a segment, without a height a disc.
///
/// The mantle's outward normal is (2h, R)/L in that plane, so the points closest to the mantle never lie below the base.
#[inline(always)]
pub(crate) fn point_distance(radius: f64, half_height: f64, p: DVec3) -> PointDistance {
    let Some((_, across)) = length_and_unit(DVec3::new(2.0 * half_height, radius, 0.0)) else {
        return super::sphere::point_distance(p);
    };
    let (cosine, sine) = (across.x, across.y);
    let (reach, outwards) = away_from_axis(p);
    let height = p.z + half_height;
    if height < 0.0 && reach <= radius {
        return base(p, half_height);
    }
    let beyond_mantle = reach * cosine + (p.z - half_height) * sine;
    // The comparisons with the radius and the apex matter where the mantle is a line or a disc.
    let outside = beyond_mantle > 0.0 || height < 0.0 || reach > radius || p.z > half_height;
    if outside {
        // The position along the mantle, seen from the rim and from the apex.
        if height < 0.0 || height * cosine <= (reach - radius) * sine {
            return rim(radius, half_height, (reach, outwards), p);
        }
        if (p.z - half_height) * cosine > reach * sine {
            let apex = DVec3::new(0.0, 0.0, half_height);
            let (distance, normal) = length_and_unit(p - apex).unwrap_or((0.0, DVec3::Z));
            return PointDistance::exact(distance, apex, normal, Feature::vertex(0));
        }
    } else if -height >= beyond_mantle {
        return base(p, half_height);
    }
    let normal = (outwards * cosine).with_z(sine);
    let foot = (reach - beyond_mantle * cosine).max(0.0);
    let point = (outwards * foot).with_z(p.z - beyond_mantle * sine);
    PointDistance::exact(beyond_mantle, point, normal, Feature::SURFACE)
}

/// The answer where the base is closest.
#[inline(always)]
fn base(p: DVec3, half_height: f64) -> PointDistance {
    let point = p.with_z(-half_height);
    PointDistance::exact(-half_height - p.z, point, DVec3::NEG_Z, Feature::face(0))
}

/// The answer where the rim of the base is closest.
#[inline(always)]
fn rim(radius: f64, half_height: f64, (reach, outwards): (f64, DVec3), p: DVec3) -> PointDistance {
    let (distance, normal) = rim_offset(reach - radius, p.z + half_height, outwards);
    let point = (outwards * radius).with_z(-half_height);
    PointDistance::exact(distance, point, normal, Feature::edge(0))
}
