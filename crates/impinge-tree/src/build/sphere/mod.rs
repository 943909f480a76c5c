//! Sphere trees: each list is covered by up to eight spheres, and each item goes to one of them.
//!
//! The lecture of M. Lin and D. Manocha on collision detection names four ways to find the spheres, here one file each. What comes out is
//! a topology like any other: the spheres decide who is grouped with whom, and whatever volume is asked for is then fitted to the groups.
//!
//! An item goes to the sphere whose surface its centre is deepest below, or nearest to. The spheres of a list, as large as what went to
//! them, are joined pair by pair, the smallest first, so that the eight are a binary tree, of which a node eight wide takes all.

mod ball;
mod medial;
mod octree;
mod tiling;
mod vertices;

use super::reference::{Bounds, Reference};
use super::{DEEPEST, Grouping, Whole, median};
use crate::Items;
use crate::parallel::{join, list};
use crate::topology::{Group, Topology};
use ball::{Ball, middle};
use impinge_geom::glam::Vec3A;
use impinge_geom::simd::Scalar;

/// How the spheres of a sphere tree are chosen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Covering {
    /// Around the eight cells of a cube around each list: I. Palmer and R. Grimsdale, "Collision detection for animation using
    /// sphere-trees" (1995).
    #[default]
    Octree,
    /// One sphere for each item, joined bottom-up: S. Quinlan, "Efficient distance computation between non-convex objects" (1994),
    /// whose tiles are parts of triangles; here the item is the tile.
    TriangleTiling,
    /// Around vertices that are far from one another: T. Gonzalez, "Clustering to minimize the maximum intercluster distance" (1985).
    VertexCovering,
    /// Around points of the medial axis, where the spheres reach from one side of a body to the other: P. Hubbard, "Approximating
    /// polyhedra with spheres for time-critical collision detection" (1996).
    MedialAxis,
}

impl Covering {
    /// All of them.
    pub const ALL: [Self; 4] =
        [Self::Octree, Self::TriangleTiling, Self::VertexCovering, Self::MedialAxis];
}

/// The most spheres to a list.
const MOST: usize = 8;

/// Groups the items by spheres.
pub(super) fn build(all: Whole, items: &Items, covering: Covering) -> Topology {
    let Whole { references, leaf } = all;
    let points = Points::new(items, references.len());
    let cover = |spheres: &Spheres<'_>| Cover { leaf, spheres }.topology(references.clone());
    match covering {
        Covering::Octree => cover(&octree::spheres),
        Covering::TriangleTiling => tiling::build(&references, points, leaf),
        Covering::VertexCovering => cover(&|part| vertices::spheres(part, points)),
        Covering::MedialAxis => {
            let balls = medial::balls(&references, points);
            cover(&|part| medial::spheres(part, &balls))
        }
    }
}

/// The points of items, if there are any.
#[derive(Clone, Copy)]
struct Points<'i> {
    points: &'i [Vec3A],
    per_item: usize,
}

impl<'i> Points<'i> {
    fn new(items: &'i Items, count: usize) -> Self {
        Self { points: &items.points, per_item: items.points.len() / count.max(1) }
    }

    /// Those of an item; none if it has none.
    fn of(&self, reference: &Reference) -> &'i [Vec3A] {
        let first = reference.id() as usize * self.per_item;
        self.points.get(first..first + self.per_item).unwrap_or(&[])
    }
}

/// From a list to the spheres that cover it.
type Spheres<'s> = dyn Fn(&[Reference]) -> Vec<Ball> + Sync + 's;

struct Cover<'s> {
    leaf: usize,
    spheres: &'s Spheres<'s>,
}

/// Parts of a list, one after the other, joined in pairs.
enum Nested {
    One { part: usize, count: usize },
    Two { parts: Box<[Nested; 2]>, count: usize },
}

impl Nested {
    fn count(&self) -> usize {
        match self {
            Self::One { count, .. } | Self::Two { count, .. } => *count,
        }
    }
}

impl Cover<'_> {
    fn topology(&self, mut references: Vec<Reference>) -> Topology {
        let mut groups = Vec::new();
        if !references.is_empty() {
            self.cover(&mut groups, &mut references, 0, 0);
        }
        Topology { groups, order: list(references.len(), |k| references[k].id()) }
    }

    /// The groups of a list whose first item is at place `first` of the whole.
    fn cover(&self, groups: &mut Vec<Group>, list: &mut [Reference], first: u32, depth: u32) {
        // Eight spheres may lie seven deep.
        if list.len() <= self.leaf || depth + MOST as u32 > DEEPEST {
            let halves = Grouping { leaf: self.leaf, split: &|_: &mut [Reference]| 0 };
            return halves.extend(groups, list, first, depth);
        }
        let nested = self.assigned(list);
        self.nested(groups, list, &nested, first, depth);
    }

    fn nested(
        &self,
        groups: &mut Vec<Group>,
        list: &mut [Reference],
        nested: &Nested,
        first: u32,
        depth: u32,
    ) {
        let Nested::Two { parts, count } = nested else {
            return self.cover(groups, list, first, depth);
        };
        let own = groups.len();
        groups.push(Group { first, count: *count as u32, second: 0 });
        if *count <= self.leaf {
            return;
        }
        let [a, b] = &**parts;
        let (head, tail) = list.split_at_mut(a.count());
        let middle = first + a.count() as u32;
        let below = |list: &mut [Reference], part: &Nested, first: u32| {
            let mut groups = Vec::new();
            self.nested(&mut groups, list, part, first, depth + 1);
            groups
        };
        let (a, b) = join(*count, || below(head, a, first), || below(tail, b, middle));
        groups.extend(a);
        groups[own].second = (groups.len() - own) as u32;
        groups.extend(b);
    }

    /// Brings the items of each sphere together, in the order in which the spheres are nested.
    fn assigned(&self, list: &mut [Reference]) -> Nested {
        let balls = (self.spheres)(list);
        let owner: Vec<usize> = list.iter().map(|r| deepest(&balls, middle(r))).collect();
        let mut parts = vec![(Bounds::EMPTY, 0); balls.len()];
        for (reference, &owner) in list.iter().zip(&owner) {
            if let Some((bounds, count)) = parts.get_mut(owner) {
                bounds.add(Scalar::new(), reference);
                *count += 1;
            }
        }
        if parts.iter().filter(|part| part.1 > 0).count() < 2 {
            // One sphere holds all, or there is none: halves.
            let at = median::split(list);
            let counts = [(0, at), (1, list.len() - at)];
            let parts = counts.map(|(part, count)| Nested::One { part, count });
            return Nested::Two { parts: Box::new(parts), count: list.len() };
        }
        let nested = nest(&parts);
        let mut ranks = vec![0; parts.len()];
        rank(&nested, &mut ranks, &mut 0);
        // Places break ties: the order within a part stays.
        let mut order: Vec<(usize, usize)> =
            owner.iter().enumerate().map(|(place, &owner)| (ranks[owner], place)).collect();
        order.sort_unstable();
        let sorted: Vec<Reference> = order.iter().map(|&(_, place)| list[place]).collect();
        list.copy_from_slice(&sorted);
        nested
    }
}

/// The ball whose surface the point is deepest below; the first of equals.
fn deepest(balls: &[Ball], point: Vec3A) -> usize {
    let height = |ball: &Ball| ball.center.distance(point) - ball.radius;
    let heights = balls.iter().map(height).enumerate();
    heights.min_by(|a, b| a.1.total_cmp(&b.1)).map_or(0, |(ball, _)| ball)
}

/// Joins the two parts whose ball is smallest until one is left; there are at least two.
fn nest(parts: &[(Bounds, usize)]) -> Nested {
    let some = parts.iter().enumerate().filter(|(_, part)| part.1 > 0);
    let mut open: Vec<(Ball, Nested)> = some
        .map(|(part, (bounds, count))| (Ball::around(bounds), Nested::One { part, count: *count }))
        .collect();
    while open.len() > 2 {
        let pairs = (0..open.len()).flat_map(|i| (i + 1..open.len()).map(move |j| (i, j)));
        let radius = |(i, j): (usize, usize)| open[i].0.joined(&open[j].0).radius;
        let least = pairs.min_by(|&a, &b| radius(a).total_cmp(&radius(b)));
        let (i, j) = least.unwrap_or((0, 1));
        // The later one is taken out first: the place of the other stays.
        let (second, first) = (open.remove(j), open.remove(i));
        open.insert(i, two(first, second));
    }
    let mut open = open.into_iter();
    match (open.next(), open.next()) {
        (Some(first), Some(second)) => two(first, second).1,
        (Some(only), None) => only.1,
        _ => Nested::One { part: 0, count: 0 },
    }
}

fn two(first: (Ball, Nested), second: (Ball, Nested)) -> (Ball, Nested) {
    let count = first.1.count() + second.1.count();
    let ball = first.0.joined(&second.0);
    (ball, Nested::Two { parts: Box::new([first.1, second.1]), count })
}

/// Numbers the parts in the order in which they are nested.
fn rank(nested: &Nested, ranks: &mut [usize], next: &mut usize) {
    match nested {
        Nested::One { part, .. } => {
            ranks[*part] = *next;
            *next += 1;
        }
        Nested::Two { parts, .. } => parts.iter().for_each(|part| rank(part, ranks, next)),
    }
}
