//! The deepest point of Y's surface below X's.
//!
//! A piece of a face of Y that no face of X meets lies inside of X or outside as a whole. So a piece is first cut along the planes of the faces that meet
//! it, until none does and one point tells its side; then along the planes between the triangles of X that are nearest to its corners.

use super::cell::{Cell, Plane};
use super::directed::{Directed, Heap, MOST_CELLS, Near};
use super::outline::may_meet;
use impinge_geom::DAabb;
use impinge_geom::bound::Bound;
use impinge_geom::glam::DVec3;
use impinge_geom::triangle::closest_point;
use std::ops::ControlFlow;

/// A piece of Y's surface.
struct Piece {
    cell: Cell,
    /// The faces of X that may pass through it.
    cutters: Vec<u32>,
    stage: Stage,
}

enum Stage {
    /// Only its bound is known.
    Fresh(Near),
    /// It is known how to cut it.
    Known(Option<Plane>),
}

/// Faces of Y, or a piece of one.
enum Item {
    Leaf(u32),
    Piece(Piece),
}

impl<B: Bound> Directed<'_, '_, B> {
    pub(super) fn search_surface(&mut self, met: &[[u32; 2]]) {
        let mut heap = Heap::new();
        let mut leaves = Vec::new();
        let bounds = self.x.mesh.bounds().grown(self.rounding);
        let y = self.y;
        y.within((bounds.low, bounds.high), &mut self.scratch.places, |_, leaf| {
            leaves.push(leaf);
            ControlFlow::Continue(())
        });
        leaves.sort_unstable();
        for leaf in leaves {
            let corners = y.mesh.tree.leaf(leaf).iter().flat_map(|&face| y.corners(face));
            let DAabb { low, high } = DAabb::of_points(corners);
            let middle = 0.5 * low + 0.5 * high;
            let near = self.near(middle);
            heap.push(near.distance + middle.distance(high), Item::Leaf(leaf));
        }
        while let Some(top) = heap.pop() {
            self.opened += 1;
            if self.is_settled(top.upper) || self.is_decided() || self.opened > MOST_CELLS {
                return self.leave(top.upper);
            }
            match top.item {
                Item::Leaf(leaf) => {
                    for &face in y.mesh.tree.leaf(leaf) {
                        self.push_face(face, met, &bounds, &mut heap);
                    }
                }
                Item::Piece(piece) => self.open_piece(piece, top.upper, &mut heap),
            }
        }
    }

    fn push_face(&mut self, face: u32, met: &[[u32; 2]], bounds: &DAabb, heap: &mut Heap<Item>) {
        let corners = self.y.corners(face);
        if !DAabb::of_points(corners).overlaps(bounds) {
            return;
        }
        let first = met.partition_point(|pair| pair[0] < face);
        let own = met[first..].iter().take_while(|pair| pair[0] == face);
        let cutters = own.map(|pair| pair[1]).collect();
        self.push_piece(Cell::polygon(&corners), cutters, f64::INFINITY, heap);
    }

    /// A piece with the bound that its middle gives.
    fn push_piece(&mut self, cell: Cell, cutters: Vec<u32>, most: f64, heap: &mut Heap<Item>) {
        let (middle, radius) = cell.ball();
        let near = self.near(middle);
        let upper = most.min(near.distance + radius).min(self.farthest(&cell, near.face));
        let stage = Stage::Fresh(near);
        heap.push(upper, Item::Piece(Piece { cell, cutters, stage }));
    }

    fn open_piece(&mut self, piece: Piece, upper: f64, heap: &mut Heap<Item>) {
        match piece.stage {
            Stage::Fresh(near) => self.look_at(piece, near, upper, heap),
            Stage::Known(plane) => self.cut_piece(piece, plane, upper, heap),
        }
    }

    /// Tells the side of a piece, offers its corners, and bounds it by the triangles nearest to them.
    fn look_at(&mut self, mut piece: Piece, near: Near, mut upper: f64, heap: &mut Heap<Item>) {
        let (middle, radius) = piece.cell.ball();
        let corners: Vec<DVec3> = piece.cell.outline().to_vec();
        let (mut nearest, mut farthest) = (vec![near.face], (near.distance, middle));
        let mut depths = Vec::with_capacity(corners.len());
        for &corner in &corners {
            let near = self.near(corner);
            depths.push(near.distance);
            if near.distance > farthest.0 {
                farthest = (near.distance, corner);
            }
            if !nearest.contains(&near.face) {
                upper = upper.min(self.farthest(&piece.cell, near.face));
                nearest.push(near.face);
            }
        }
        if piece.cutters.is_empty() {
            // All of it is on one side. Of a point on X's surface rounding would tell which: the farthest is asked.
            if farthest.0 <= self.rounding || !self.is_in_x(farthest.1) {
                return;
            }
            self.offer(farthest.1, farthest.0);
        } else {
            if self.is_in_x(middle) {
                self.offer(middle, near.distance);
            } else {
                upper = upper.min(radius - near.distance);
                if upper < 0.0 {
                    return;
                }
            }
            for (&corner, &depth) in corners.iter().zip(&depths) {
                if depth > self.lower() && self.is_in_x(corner) {
                    self.offer(corner, depth);
                }
            }
        }
        if !self.is_settled(upper)
            && let Some(height) = self.under_lid(&piece.cell, near.face)
        {
            upper = upper.min(height);
        }
        let plane = self.cutting_plane(&piece, &nearest);
        piece.stage = Stage::Known(plane);
        heap.push(upper, Item::Piece(piece));
    }

    /// Where to cut a piece: along a face that meets it, else between two triangles that are nearest to different corners, else in the middle.
    fn cutting_plane(&self, piece: &Piece, nearest: &[u32]) -> Option<Plane> {
        let cuts = |plane: &Plane| piece.cell.is_cut(plane, self.rounding);
        let half = piece.cutters.len() / 2;
        let (late, early) = piece.cutters.split_at(half);
        let of_cutter = |face: &u32| Plane::of_triangle(&self.x.mesh.corners(*face)).filter(cuts);
        if let Some(plane) = early.iter().chain(late).find_map(of_cutter) {
            return Some(plane);
        }
        // A plane near the edge of a piece would only shave it.
        let fair = |plane: &Plane| piece.cell.is_cut(plane, 0.02 * piece.cell.ball().1);
        for (k, &one) in nearest.iter().enumerate() {
            let others = nearest[..k].iter();
            if let Some(plane) = others.filter_map(|&two| self.between(one, two)).find(fair) {
                return Some(plane);
            }
        }
        piece.cell.halving().filter(cuts)
    }

    fn cut_piece(&mut self, piece: Piece, plane: Option<Plane>, upper: f64, heap: &mut Heap<Item>) {
        let Some(plane) = plane else { return self.leave(upper) };
        for part in piece.cell.cut(&plane, self.rounding) {
            if part.is_empty() {
                continue;
            }
            let passes = |face: &u32| self.passes_through(&part, &self.x.mesh.corners(*face));
            let cutters = piece.cutters.iter().copied().filter(passes).collect();
            self.push_piece(part, cutters, upper, heap);
        }
    }

    /// False if a triangle certainly meets no more than the edge of a piece.
    fn passes_through(&self, piece: &Cell, triangle: &[DVec3; 3]) -> bool {
        let Some(plane) = Plane::of_triangle(triangle) else { return false };
        let Some(normal) = normal_of(piece.outline()) else { return false };
        piece.is_cut(&plane, self.rounding)
            && may_meet(piece.outline(), normal, triangle, self.rounding)
    }
}

/// The unit normal of a convex polygon; none if it has no area.
fn normal_of(outline: &[DVec3]) -> Option<DVec3> {
    let first = *outline.first()?;
    let fan = outline.windows(2).map(|two| (two[0] - first).cross(two[1] - first));
    fan.fold(DVec3::ZERO, |sum, normal| sum + normal).try_normalize()
}

/// How far a point is from a triangle.
pub(super) fn distance_to(triangle: &[DVec3; 3], point: DVec3) -> f64 {
    closest_point(triangle, point).0.distance(point)
}
