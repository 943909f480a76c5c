//! The nearest of many points within a ball: boxes of points over the tree of the [median](super::median).
//!
//! Asking within a ball matters: about the centre of a round body all points are equally far, and a search for the nearest of all
//! would look at each of them.

use super::reference::{Bounds, Reference};
use super::{Whole, median};
use crate::parallel::list;
use crate::topology::Topology;
use impinge_geom::bound::Aabb;
use impinge_geom::glam::Vec3A;
use impinge_geom::simd::Scalar;

/// Points to a leaf.
const LEAF: usize = 8;

/// Points to be near to.
pub(super) struct Samples<'p> {
    points: &'p [Vec3A],
    topology: Topology,
    /// The box of each group.
    boxes: Vec<Bounds>,
}

impl<'p> Samples<'p> {
    pub(super) fn new(points: &'p [Vec3A]) -> Self {
        let at = |k: usize| Reference::new(k, Aabb { low: points[k], high: points[k] });
        let all = Whole { references: list(points.len(), at), leaf: LEAF };
        let topology = all.top_down(&median::split);
        let mut boxes = vec![Bounds::EMPTY; topology.groups.len()];
        // Children come behind their parents.
        for node in (0..boxes.len()).rev() {
            let mut own = Bounds::EMPTY;
            match topology.children(node) {
                Some(children) => children.map(|child| own.join(Scalar::new(), &boxes[child])),
                None => {
                    let places = own_places(&topology, node).iter();
                    places.for_each(|&k| own.add(Scalar::new(), &at(k as usize)));
                    [(), ()]
                }
            };
            boxes[node] = own;
        }
        Self { points, topology, boxes }
    }

    pub(super) fn point(&self, sample: usize) -> Vec3A {
        self.points[sample]
    }

    /// The nearest one that is less than `radius` away, but for one that does not count; the first of equals in an order that depends on
    /// the points alone.
    pub(super) fn nearest(&self, to: Vec3A, radius: f32, but: usize) -> Option<usize> {
        let mut best = (radius * radius, None);
        let mut stack = Vec::with_capacity(64);
        stack.extend(self.boxes.first().map(|root| (root.distance_squared(to), 0)));
        while let Some((distance, node)) = stack.pop() {
            if distance >= best.0 {
                continue;
            }
            if let Some(children) = self.topology.children(node) {
                let [a, b] = children.map(|child| (self.boxes[child].distance_squared(to), child));
                stack.extend(if a.0 < b.0 { [b, a] } else { [a, b] });
                continue;
            }
            for &sample in own_places(&self.topology, node) {
                let distance = self.points[sample as usize].distance_squared(to);
                if sample as usize != but && distance < best.0 {
                    best = (distance, Some(sample as usize));
                }
            }
        }
        best.1
    }
}

/// The items of a group.
fn own_places(topology: &Topology, node: usize) -> &[u32] {
    let group = topology.groups[node];
    &topology.order[group.first as usize..(group.first + group.count) as usize]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nearest_is_that_of_a_search_of_all() {
        let number = |k: usize| (k * 7919 % 1009) as f32 / 1009.0;
        let (mut found, mut missed) = (0, 0);
        for count in [1, 2, 3, 50, 333] {
            // Many have a coordinate in common.
            let place = |k: usize| Vec3A::new(number(k), number(k / 3), (k % 5) as f32 * 0.2);
            let points: Vec<Vec3A> = (0..count).map(place).collect();
            let samples = Samples::new(&points);
            for k in 0..400 {
                let to = Vec3A::new(number(3 * k), number(5 * k), number(11 * k));
                let (but, radius) = (k % count, [0.1, 0.4, 9.0][k % 3]);
                let others = (0..count).filter(|&other| other != but);
                let distances = others.map(|other| points[other].distance_squared(to));
                let least = distances.min_by(f32::total_cmp).filter(|&d| d < radius * radius);
                let nearest = samples.nearest(to, radius, but);
                let distance = nearest.map(|near| samples.point(near).distance_squared(to));
                assert_eq!(distance, least);
                *(if least.is_some() { &mut found } else { &mut missed }) += 1;
            }
        }
        assert!(found > 500 && missed > 300, "{found} {missed}");
    }
}
