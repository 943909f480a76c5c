//! What builders move about: a box and the number of its item, in 32 bytes.

use crate::Items;
use impinge_geom::glam::{Vec3A, Vec4};

/// A box; the fourth number of `low` holds the bits of the item's number.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reference {
    pub(super) low: Vec4,
    pub(super) high: Vec4,
}

impl Reference {
    #[inline(always)]
    pub(super) fn id(&self) -> u32 {
        self.low.w.to_bits()
    }

    /// Twice the centre: a factor that no builder minds.
    #[inline(always)]
    pub(super) fn center(&self) -> Vec4 {
        // The item's bits may be those of a NaN; they must not take part in arithmetic on the others, and do not.
        self.low + self.high
    }
}

/// One reference per item.
pub(super) fn references(items: &Items) -> Vec<Reference> {
    let boxes = items.boxes.iter().take(u32::MAX as usize).enumerate();
    boxes
        .map(|(id, volume)| Reference {
            low: volume.low.extend(f32::from_bits(id as u32)),
            high: volume.high.extend(0.0),
        })
        .collect()
}

/// The box of boxes, or nothing yet.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    pub(super) low: Vec4,
    pub(super) high: Vec4,
}

impl Bounds {
    pub(super) const EMPTY: Self = Self { low: Vec4::INFINITY, high: Vec4::NEG_INFINITY };

    #[inline(always)]
    pub(super) fn add(&mut self, low: Vec4, high: Vec4) {
        self.low = self.low.min(low);
        self.high = self.high.max(high);
    }

    #[inline(always)]
    pub(super) fn join(&mut self, other: &Self) {
        self.add(other.low, other.high);
    }

    /// Half the surface.
    #[inline(always)]
    pub(super) fn area(&self) -> f32 {
        let d = Vec3A::from_vec4(self.high - self.low);
        d.x * d.y + d.y * d.z + d.z * d.x
    }
}
