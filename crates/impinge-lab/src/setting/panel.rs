//! Panels of named dots.

use crate::chart::{Axis, Corner, Panel, Series};

/// A panel of dots that have their names beside them, so that where a legend would be does not matter.
pub(crate) fn of_dots(
    title: &str,
    across: Axis,
    up: Axis,
    dots: impl IntoIterator<Item = Series>,
) -> Panel {
    let series = dots.into_iter().collect();
    Panel { title: title.into(), across, up, series, legend: Corner::default() }
}
