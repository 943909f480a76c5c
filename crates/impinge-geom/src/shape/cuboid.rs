use crate::number::error::{GeometryError, check_number};
use glam::DVec3;

/// A box around the origin, aligned with the axes.
///
/// Vertex `i` has coordinate `k` positive where bit `k` of `i` is set. Edge `4k + j` runs along axis `k`, on
/// the sides that the two bits of `j` give for the other two axes, the lower axis in the lower bit; faces `2k` and
/// `2k + 1` are the negative and positive ones of axis `k`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cuboid {
    half: DVec3,
}

impl Cuboid {
    /// A box with these half extents.
    pub fn new(half: [f64; 3]) -> Result<Self, GeometryError> {
        for (index, value) in half.into_iter().enumerate() {
            check_number(value, "half", Some(index))?;
            if value < 0.0 {
                return Err(GeometryError::Negative { argument: "half", value });
            }
        }
        Ok(Self { half: DVec3::from_array(half) })
    }
    /// The half extents.
    #[inline]
    pub fn half(&self) -> DVec3 {
        self.half
    }
    /// The eight corners, by vertex index.
    pub fn vertices(&self) -> [DVec3; 8] {
        std::array::from_fn(|i| {
            let side = |bit: usize, half: f64| if i >> bit & 1 == 1 { half } else { -half };
            DVec3::new(side(0, self.half.x), side(1, self.half.y), side(2, self.half.z))
        })
    }
}
