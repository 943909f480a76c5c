//! Top-down so that what is touched most lies high.
//!
//! S. Gottschalk, "Collision queries using oriented bounding boxes" (2000): parts that are seldom asked for may lie deep in an unbalanced
//! tree, if those that are asked for often come nearer to the root. Here the [sweep](super::sweep) by areas counts each item as often as
//! it was touched, and once more, so that those which never were still part by area.

use super::reference::Reference;
use super::sweep::{self, Measure};

/// Reorders the list around the cheapest plane; all items weigh the same where there are no weights.
pub(super) fn split(list: &mut [Reference], weights: &[f32]) -> usize {
    sweep::split(list, Measure::Area, |reference| {
        let touched = weights.get(reference.id() as usize).copied().map_or(0.0, f64::from);
        // Neither what is not a number nor what is negative is greater.
        1.0 + if touched > 0.0 { touched.min(f64::from(f32::MAX)) } else { 0.0 }
    })
}
