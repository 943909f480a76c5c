//! A volume of one kind around one of another.

use super::super::{Bound, FrameMotion};
use super::{Aabb, Hybrid, Kind, Obb, Sphere};
use glam::Vec3A;

/// What rounding may take from a volume around another, relative to its largest coordinate.
const ERROR: f32 = 8.0 * f32::EPSILON;

/// The box in another frame: its axes are those of its own frame, turned.
#[inline(always)]
pub(super) fn turned(volume: &Aabb, motion: &FrameMotion) -> Obb {
    let turn = motion.rotation;
    Obb {
        center: motion.map((volume.low + volume.high) * 0.5),
        axes: [turn.x_axis, turn.y_axis, turn.z_axis],
        half: (volume.high - volume.low) * (0.5 * motion.scale),
    }
}

impl Hybrid {
    pub(super) fn to_aabb(self) -> Aabb {
        let (center, half) = match self {
            Self::Aabb(volume) => return volume,
            Self::Obb(Obb { center, axes: [x, y, z], half }) => {
                (center, x.abs() * half.x + y.abs() * half.y + z.abs() * half.z)
            }
            Self::Sphere(ball) => (ball.center(), Vec3A::splat(ball.radius())),
        };
        let error = Vec3A::splat(ERROR * (center.abs() + half).max_element());
        Aabb { low: center - half - error, high: center + half + error }
    }

    pub(super) fn to_obb(self) -> Obb {
        let axes = [Vec3A::X, Vec3A::Y, Vec3A::Z];
        match self {
            Self::Aabb(Aabb { low, high }) => {
                let error = Vec3A::splat(ERROR * low.abs().max(high.abs()).max_element());
                Obb { center: (low + high) * 0.5, axes, half: (high - low) * 0.5 + error }
            }
            Self::Obb(volume) => volume,
            Self::Sphere(ball) => {
                Obb { center: ball.center(), axes, half: Vec3A::splat(ball.radius()) }
            }
        }
    }

    pub(super) fn to_sphere(self) -> Sphere {
        match self {
            Self::Sphere(ball) => ball,
            Self::Aabb(_) | Self::Obb(_) => {
                let Obb { center, half, .. } = self.to_obb();
                let error = ERROR * (center.abs() + half).max_element();
                Sphere::about(center, half.length() * (1.0 + ERROR) + error)
            }
        }
    }
}

/// A volume of the given kind around all parts, which may be of any.
pub(super) fn merged(kind: Kind, parts: &[Hybrid]) -> Hybrid {
    let boxes = || -> Vec<Obb> { parts.iter().map(|part| part.to_obb()).collect() };
    match kind {
        Kind::Aabb => {
            let parts: Vec<_> = parts.iter().map(|part| part.to_aabb()).collect();
            Hybrid::Aabb(Aabb::merge(&parts))
        }
        Kind::Obb => Hybrid::Obb(Obb::merge(&boxes())),
        Kind::Sphere => {
            let balls: Vec<_> = parts.iter().map(|part| part.to_sphere()).collect();
            Hybrid::Sphere(Sphere::merge(&balls))
        }
    }
}
