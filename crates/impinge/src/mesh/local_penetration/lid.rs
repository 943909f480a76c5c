//! A bound that does not depend on how a flat side is cut into triangles.
//!
//! Let Q be a plane, and let the shadow of a cell on Q lie wholly outside of X. Then every point of the cell that is in X meets the surface of X on its way
//! to its shadow, so that its depth is no more than its height over Q. Here Q is the plane of the face nearest to the cell: by no more than rounding farther
//! out, so that flat sides are bounded exactly, or by some of the accuracy that is asked, so that faces which are not quite in one plane stay below it.

use super::cell::{Cell, Plane};
use super::directed::Directed;
use super::outline::{may_meet, shadow_on};
use impinge_geom::DAabb;
use impinge_geom::bound::Bound;
use std::ops::ControlFlow;

impl<B: Bound> Directed<'_, '_, B> {
    /// The largest height of the cell over the lid of a face; none if the shadow is not wholly outside of X.
    pub(super) fn under_lid(&mut self, cell: &Cell, face: u32) -> Option<f64> {
        let (close, far) = (4.0 * self.rounding, 0.3 * self.width());
        self.under_lid_at(cell, face, close)
            .or_else(|| if far > close { self.under_lid_at(cell, face, far) } else { None })
    }

    /// The same for the plane of a face moved out by some way.
    fn under_lid_at(&mut self, cell: &Cell, face: u32, out: f64) -> Option<f64> {
        let x = self.x;
        let plane = Plane::of_triangle(&x.mesh.corners(face))?;
        let filled = x.mesh.boundary().filled_throughout(face)?;
        let outward = match (filled.front, filled.back) {
            (false, true) => plane,
            (true, false) => Plane { normal: -plane.normal, offset: -plane.offset },
            _ => return None,
        };
        let lid = Plane { offset: outward.offset + out, ..outward };
        let height = cell.corners().map(|p| lid.height(p).abs()).fold(0.0, f64::max);
        if height >= cell.ball().1 * 4.0 + out {
            // Far below: the ball around the cell does as well.
            return None;
        }
        let outline = shadow_on(&lid, cell.corners());
        let DAabb { low, high } = DAabb::of_points(outline.iter().copied()).grown(self.rounding);
        let mut free = true;
        x.within((low, high), &mut self.scratch.places, |mesh, leaf| {
            let meets =
                |face: &u32| may_meet(&outline, lid.normal, &mesh.corners(*face), self.rounding);
            free = !mesh.tree.leaf(leaf).iter().any(meets);
            if free { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        let corner = *outline.first()?;
        (free && !self.is_in_x(corner)).then_some(height)
    }
}
