//! Top-down by a full sweep: along each axis every plane between two items is judged.
//!
//! D. MacDonald and K. Booth, "Heuristics for ray tracing using space subdivision" (1990), over items instead of space: sort along an
//! axis, sweep once from behind and once from the front, and take the plane where the sizes of both parts, each times what it holds, sum
//! to the least. Where planes tie the more even one is taken, then the first axis, then the first plane: with flat items all volumes
//! are zero, and without this rule the tree would be a list.
//!
//! Sorting anew at each node makes it O(n log² n); the sorted keys are integers, and that is fast enough.

use super::reference::{Bounds, Reference};
use crate::parallel::{join, sort};
use impinge_geom::glam::DVec3;
use impinge_geom::simd::Scalar;

/// The size of a part, to which the chance that a query meets it is held to be proportional.
///
/// T. Akenine-Möller and others, *Real-Time Rendering*, 4th edition, section 25.2.1, name all three.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Measure {
    /// The surface of the box: right for lines. J. Goldsmith and J. Salmon (1987).
    #[default]
    Area,
    /// The volume of the box: better where large faces come to lie on one another (R. Ytterlid and E. Shellshear, "BVH split strategies
    /// for fast distance queries", 2015). Flat parts have none, whatever their size.
    Volume,
    /// The surface of the Minkowski difference of the part's box and the box of the list that is split, which stands for the volume of
    /// the other body: where two hierarchies are descended and the larger volume is opened, a volume meets others of about the size of
    /// the parent. For boxes, a box whose edges are the sums of theirs.
    Minkowski,
}

impl Measure {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Area, Self::Volume, Self::Minkowski];

    /// Of a part with these edges, in a list whose box has those; areas are halves.
    fn of(self, part: DVec3, whole: DVec3) -> f64 {
        let half_area = |e: DVec3| e.x * e.y + e.y * e.z + e.z * e.x;
        match self {
            Self::Area => half_area(part),
            Self::Volume => part.x * part.y * part.z,
            Self::Minkowski => half_area(part + whole),
        }
    }
}

/// Reorders the list around the cheapest plane; zero if none has a cost that is a number. Each item counts as `weight` says.
pub(super) fn split(
    list: &mut [Reference],
    measure: Measure,
    weight: impl Fn(&Reference) -> f64 + Sync,
) -> usize {
    let whole = Bounds::of(list).edges();
    let judge = |bounds: &Bounds, weight: f64| measure.of(bounds.edges(), whole) * weight;
    let along = |axis: usize| Plane::cheapest(list, axis, &judge, &weight);
    let count = list.len();
    let (x, (y, z)) = join(count, || along(0), || join(count, || along(1), || along(2)));
    let better = |a: Plane, b: Plane| if b.key() < a.key() { b } else { a };
    let Some(plane) = [x, y, z].into_iter().flatten().reduce(better) else { return 0 };
    let sorted: Vec<Reference> = plane.order.iter().map(|&key| list[place(key)]).collect();
    list.copy_from_slice(&sorted);
    plane.at
}

/// A plane between two items.
struct Plane {
    cost: f64,
    /// By how many items the parts differ.
    uneven: usize,
    /// How many items come before it.
    at: usize,
    /// The items along its axis.
    order: Vec<u64>,
}

impl Plane {
    fn key(&self) -> (f64, usize) {
        (self.cost, self.uneven)
    }

    /// The cheapest one across an axis.
    fn cheapest(
        list: &[Reference],
        axis: usize,
        judge: &impl Fn(&Bounds, f64) -> f64,
        weight: &impl Fn(&Reference) -> f64,
    ) -> Option<Self> {
        let mut order: Vec<u64> = list.iter().enumerate().map(|(k, r)| key(r, axis, k)).collect();
        sort(&mut order);
        let scalar = Scalar::new();
        let mut behind = vec![0.0; order.len()];
        let (mut bounds, mut sum) = (Bounds::EMPTY, 0.0);
        for (at, &key) in order.iter().enumerate().skip(1).rev() {
            bounds.add(scalar, &list[place(key)]);
            sum += weight(&list[place(key)]);
            behind[at] = judge(&bounds, sum);
        }
        let mut best: Option<(f64, usize, usize)> = None;
        let (mut bounds, mut sum) = (Bounds::EMPTY, 0.0);
        for (at, &key) in (1..order.len()).zip(&order) {
            bounds.add(scalar, &list[place(key)]);
            sum += weight(&list[place(key)]);
            let cost = judge(&bounds, sum) + behind[at];
            let (uneven, number) = ((2 * at).abs_diff(order.len()), !cost.is_nan());
            if number && best.is_none_or(|best| (cost, uneven) < (best.0, best.1)) {
                best = Some((cost, uneven, at));
            }
        }
        best.map(|(cost, uneven, at)| Self { cost, uneven, at, order })
    }
}

/// The place along an axis above the place in the list: keys sort like centres, and differ.
fn key(reference: &Reference, axis: usize, place: usize) -> u64 {
    let bits = reference.center()[axis].to_bits();
    // The order of floats as that of integers: the sign turns the others around.
    let ordered = if bits >> 31 == 0 { bits | 1 << 31 } else { !bits };
    u64::from(ordered) << 32 | place as u64
}

fn place(key: u64) -> usize {
    key as u32 as usize
}
