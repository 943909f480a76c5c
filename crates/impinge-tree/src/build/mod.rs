//! Builders: items → topology. One file each; to add one, a file and a line in [`Builder`].

mod agglomerative;
mod binned;
mod insertion;
mod lazy;
mod linked;
mod median;
mod midpoint;
mod morton;
mod nearest;
mod principal;
mod reference;
mod sphere;
mod sweep;
mod weighted;

pub use lazy::LazyTree;
pub use sphere::Covering;
pub use sweep::Measure;

use crate::Items;
use crate::parallel::{fold, join, list};
use crate::topology::{Group, Topology};
use impinge_geom::bound::Aabb;
use impinge_geom::glam::Vec3A;
use reference::{Bounds, Centers, Reference};

/// The builder that groups items. A [`LazyTree`] is built during queries.
///
/// ```
/// use impinge_geom::{bound::Aabb, glam::Vec3A};
/// use impinge_tree::{Builder, build::build_by};
/// let step = |k: usize| Aabb { low: Vec3A::X * k as f32, high: Vec3A::X * (k + 1) as f32 };
/// for builder in Builder::ALL {
///     let topology = build_by(100, step, builder, 8);
///     assert_eq!(topology.validate(), Ok(()));
///     assert!(topology.depth() <= 96, "{builder:?}");
/// }
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Builder {
    /// Morton order: the fastest build.
    Morton,
    /// Binned SAH along three axes: good for rays and boxes.
    #[default]
    BinnedSah,
    /// Splits at the mean along the principal axis, as RAPID does: good for oriented boxes.
    PrincipalMean,
    /// Splits at the median along the longest axis: the shallowest tree.
    Median,
    /// Splits at the midpoint of the longest axis.
    Midpoint,
    /// Full sweep over all planes between items: better than bins, and several times slower.
    Sweep(Measure),
    /// Full sweep by area, with often-touched items near the root: see [`Items::weights`].
    Weighted,
    /// Agglomerative, nearest pairs first: often better than top-down builders.
    Agglomerative,
    /// Insertion, one item at a time where the tree grows least, with rotations, in the order of the items. Single-threaded.
    Insertion,
    /// Insertion in random order, which helps where the order of the items is unfavourable.
    RandomInsertion {
        /// Of the random order.
        seed: u64,
    },
    /// Sphere trees, by spheres that cover the items: see [`Items::points`].
    Spheres(Covering),
}

impl Builder {
    /// All builders, with each measure and covering, and one seed.
    pub const ALL: [Self; 16] = [
        Self::Morton,
        Self::BinnedSah,
        Self::PrincipalMean,
        Self::Median,
        Self::Midpoint,
        Self::Sweep(Measure::Area),
        Self::Sweep(Measure::Volume),
        Self::Sweep(Measure::Minkowski),
        Self::Weighted,
        Self::Agglomerative,
        Self::Insertion,
        Self::RandomInsertion { seed: 1 },
        Self::Spheres(Covering::Octree),
        Self::Spheres(Covering::TriangleTiling),
        Self::Spheres(Covering::VertexCovering),
        Self::Spheres(Covering::MedialAxis),
    ];

    /// The name in tables, messages and saved choices.
    ///
    /// ```
    /// assert_eq!(impinge_tree::Builder::default().name(), "binned area");
    /// ```
    pub fn name(self) -> &'static str {
        match self {
            Self::Morton => "Morton curve",
            Self::BinnedSah => "binned area",
            Self::PrincipalMean => "principal mean",
            Self::Median => "median",
            Self::Midpoint => "midpoint",
            Self::Sweep(Measure::Area) => "sweep, area",
            Self::Sweep(Measure::Volume) => "sweep, volume",
            Self::Sweep(Measure::Minkowski) => "sweep, Minkowski",
            Self::Weighted => "weighted sweep",
            Self::Agglomerative => "agglomerative",
            Self::Insertion => "insertion",
            Self::RandomInsertion { .. } => "random insertion",
            Self::Spheres(Covering::Octree) => "octree",
            Self::Spheres(Covering::TriangleTiling) => "triangle tiling",
            Self::Spheres(Covering::VertexCovering) => "vertex covering",
            Self::Spheres(Covering::MedialAxis) => "medial axis",
        }
    }
}

/// Nodes deeper than this are split in the middle of their list, so that no tree is deeper than this and 32 more.
const DEEPEST: u32 = 64;

/// Groups the items until no group has more than `leaf` of them.
///
/// The topology is the same for any number of threads. Items beyond 2^32 − 1 are left out; meshes reject them.
///
/// ```
/// use impinge_tree::{Builder, Items, build};
/// use impinge_geom::{bound::Aabb, glam::Vec3A};
/// // Two heaps, far from each other, mixed in the list.
/// let low = |k: usize| Vec3A::splat(if k % 2 == 0 { 0.0 } else { 9.0 } + k as f32 * 0.1);
/// let boxes = (0..8).map(|k| Aabb { low: low(k), high: low(k) + 1.0 }).collect();
/// let topology = build(&Items { boxes, ..Items::default() }, Builder::BinnedSah, 4);
/// let mut first: Vec<u32> = topology.order()[..4].to_vec();
/// first.sort();
/// assert_eq!(first, [0, 2, 4, 6]);
/// ```
pub fn build(items: &Items, builder: Builder, leaf: usize) -> Topology {
    let box_of = |item: usize| items.boxes[item];
    group(items.boxes.len(), box_of, items, builder, leaf)
}

/// Like [`build`], for items whose boxes are computed on demand, once each, instead of stored.
///
/// ```
/// use impinge_tree::{Builder, build::build_by};
/// use impinge_geom::{bound::Aabb, glam::Vec3A};
/// let step = |k: usize| Aabb { low: Vec3A::X * k as f32, high: Vec3A::X * (k + 1) as f32 };
/// assert_eq!(build_by(100, step, Builder::Morton, 8).order().len(), 100);
/// ```
pub fn build_by(
    count: usize,
    box_of: impl Fn(usize) -> Aabb + Sync + Send,
    builder: Builder,
    leaf: usize,
) -> Topology {
    group(count, box_of, &Items::default(), builder, leaf)
}

/// Like [`build`], for triangles whose corners are computed on demand: once each, or twice by builders that use [`Items::points`].
/// `weights` are those of [`Items::weights`].
///
/// ```
/// use impinge_geom::glam::Vec3A;
/// use impinge_tree::{Builder, Covering, build::build_triangles};
/// let strip = |k: usize| [0.0, 1.0, 0.5].map(|x| Vec3A::new(k as f32 + x, x, 0.0));
/// let topology = build_triangles(100, strip, &[], Builder::Spheres(Covering::VertexCovering), 8);
/// assert_eq!(topology.validate(), Ok(()));
/// ```
pub fn build_triangles(
    count: usize,
    corners_of: impl Fn(usize) -> [Vec3A; 3] + Sync + Send,
    weights: &[f32],
    builder: Builder,
    leaf: usize,
) -> Topology {
    let mut items = Items::default();
    if let Builder::Spheres(_) = builder {
        items.points = list(count, &corners_of).into_flattened();
    }
    if builder == Builder::Weighted {
        items.weights = weights.to_vec();
    }
    group(count, |item| Aabb::of_points(&corners_of(item)), &items, builder, leaf)
}

/// `items` are looked at for all but the boxes.
fn group(
    count: usize,
    box_of: impl Fn(usize) -> Aabb + Sync + Send,
    items: &Items,
    builder: Builder,
    leaf: usize,
) -> Topology {
    let leaf = leaf.max(1);
    let count = count.min(u32::MAX as usize);
    let references = list(count, |item| Reference::new(item, box_of(item)));
    let mut all = Whole { references, leaf };
    match builder {
        Builder::Morton => morton::build(&all.references, leaf),
        Builder::BinnedSah => all.top_down(&|part| binned::split(part, leaf)),
        Builder::PrincipalMean => all.top_down(&|part| principal::split(part, &items.moments)),
        Builder::Median => all.top_down(&median::split),
        Builder::Midpoint => all.top_down(&midpoint::split),
        Builder::Sweep(measure) => all.top_down(&|part| sweep::split(part, measure, |_| 1.0)),
        Builder::Weighted => all.top_down(&|part| weighted::split(part, &items.weights)),
        Builder::Agglomerative => agglomerative::build(&all.references, |r| Bounds::from(r), leaf),
        Builder::Insertion => insertion::build(&all.references, leaf),
        Builder::RandomInsertion { seed } => {
            insertion::shuffled(&mut all.references, seed);
            insertion::build(&all.references, leaf)
        }
        Builder::Spheres(covering) => sphere::build(all, items, covering),
    }
}

/// All items, and how many of them may stay together.
struct Whole {
    references: Vec<Reference>,
    leaf: usize,
}

impl Whole {
    /// The groups that `split` makes of the list and its parts: it reorders a list and says where the second part begins.
    fn top_down(mut self, split: &(dyn Fn(&mut [Reference]) -> usize + Sync)) -> Topology {
        let groups = Grouping { leaf: self.leaf, split: &split }.all(&mut self.references, 0, 0);
        Topology { groups, order: list(self.references.len(), |k| self.references[k].id()) }
    }
}

/// Lists longer than this are split by two threads.
const SHARED: usize = 1 << 14;

/// How a list, and its parts, are split: `split` reorders the list and says where the second part begins.
struct Grouping<'s, F> {
    leaf: usize,
    split: &'s F,
}

impl<F> Grouping<'_, F> {
    /// The groups of a list whose first item is at place `first` of the whole.
    fn all<T: Send>(&self, list: &mut [T], first: u32, depth: u32) -> Vec<Group>
    where
        F: Fn(&mut [T]) -> usize + Sync,
    {
        let few = list.len() < SHARED;
        let mut groups = Vec::with_capacity(if few { 2 * list.len() / self.leaf } else { 0 });
        self.extend(&mut groups, list, first, depth);
        groups
    }

    fn extend<T: Send>(&self, groups: &mut Vec<Group>, list: &mut [T], first: u32, depth: u32)
    where
        F: Fn(&mut [T]) -> usize + Sync,
    {
        if list.is_empty() {
            return;
        }
        let own = groups.len();
        groups.push(Group { first, count: list.len() as u32, second: 0 });
        if list.len() <= self.leaf {
            return;
        }
        let at = if depth < DEEPEST { (self.split)(list) } else { 0 };
        let at = if at == 0 || at >= list.len() { list.len() / 2 } else { at };
        let count = list.len();
        let (head, tail) = list.split_at_mut(at);
        let middle = first + at as u32;
        if count < SHARED {
            self.extend(groups, head, first, depth + 1);
            groups[own].second = (groups.len() - own) as u32;
            self.extend(groups, tail, middle, depth + 1);
        } else {
            let (a, b) = join(
                count,
                || self.all(head, first, depth + 1),
                || self.all(tail, middle, depth + 1),
            );
            groups.reserve(a.len() + b.len());
            groups.extend_from_slice(&a);
            groups[own].second = (groups.len() - own) as u32;
            groups.extend_from_slice(&b);
        }
    }
}

/// The bounds of all centres.
fn centers(list: &[Reference]) -> Centers {
    fold(list, &Centers::of, &Centers::joined)
}

/// Brings those for which `first` holds to the front, and says how many they are.
///
/// Every item is exchanged with the first one of the second part, whether it belongs there or not: no branch to mispredict
/// (N. Lomuto's scheme; the branch-free form is A. Alexandrescu's, 2020).
fn partition(list: &mut [Reference], first: impl Fn(&Reference) -> bool) -> usize {
    let mut place = 0;
    for k in 0..list.len() {
        // Judged before it is moved: what was written just now takes a while to be read again.
        let belongs = first(&list[k]);
        list.swap(k, place);
        place += usize::from(belongs);
    }
    place
}
