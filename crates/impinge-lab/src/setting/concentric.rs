//! Two spheres, one inside the other, and how many tests of volumes it takes to tell them apart: parallel close proximity.
//!
//! Trees of all kinds of volumes have the same grouping, two children to a node and one triangle to a leaf, and the larger volume is opened
//! first, so that nothing differs but the volumes.

use crate::clock::Clock;
use crate::error::LabError;
use crate::model::icosahedron;
use crate::random::Random;
use impinge::geom::Pose;
use impinge::geom::bound::{
    Aabb, Bound, ConvexHull, Dop14, Dop18, Dop26, Dop36, EllipsoidBound, Frame, Lss, Obb, ObbRss,
    RelativeFrame, RoundedBox, Rss, Sphere, SphericalShell, Tss,
};
use impinge::geom::glam::{DVec3, Vec3A};
use impinge::geom::simd::Simd;
use impinge::mesh::ScaledPose;
use impinge::tree::traverse::{self, PairTraversal, Policy, Stack, Visit};
use impinge::tree::{Builder, Counts, ItemGeometry, Items, Surface, Topology, Tree, build};
use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;

/// Gaps in radii: four to a factor of ten, as far as the paper on rounded volumes has them, and one that is narrower than the spheres are
/// round, at which all leaves are reached.
pub(crate) const GAPS: [f64; 17] = [
    0.0001, 0.001, 0.0018, 0.0032, 0.0056, 0.01, 0.018, 0.032, 0.056, 0.1, 0.18, 0.32, 0.56, 1.0,
    1.8, 3.2, 4.0,
];

/// How far a slope in a log-log plot of tests by the gap may be from a stated one: the same for every claim about slopes.
pub(crate) const NEAR_SLOPE: f64 = 0.25;

/// Where slopes of volumes that turn with the surface are taken: below, all leaves are reached, above, a few tests suffice.
pub(crate) const SLOPE_WINDOW: [f64; 2] = [0.001, 0.4];

/// Pairs of triangles.
pub(crate) type Contacts = HashSet<(u32, u32)>;

/// The triangles of a sphere of unit radius, and how they are grouped.
pub(crate) struct Spheres {
    pub(crate) corners: Vec<[DVec3; 3]>,
    topology: Topology,
}

/// What one question took.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Tests {
    /// Tests of two volumes.
    pub(crate) volumes: u64,
    /// Meeting triangles that were not reached.
    pub(crate) lost: usize,
    pub(crate) seconds: f64,
}

/// Asks with one kind of volume: the outer sphere, seen from the inner one, and the triangles that meet.
pub(crate) type Ask = Box<dyn FnMut(&ScaledPose, &Contacts) -> Tests>;

/// A kind of volume.
pub(crate) struct Kind {
    pub(crate) name: &'static str,
    pub(crate) ask: fn(&Spheres) -> Ask,
}

const fn kind<B: Bound>() -> Kind {
    Kind { name: B::NAME, ask: ask::<B> }
}

/// All of them.
pub(crate) const KINDS: [Kind; 15] = [
    kind::<Sphere>(),
    kind::<Aabb>(),
    kind::<Obb>(),
    kind::<Rss>(),
    kind::<RoundedBox>(),
    kind::<ObbRss>(),
    kind::<Lss>(),
    kind::<Tss>(),
    kind::<ConvexHull>(),
    kind::<Dop14>(),
    kind::<Dop18>(),
    kind::<Dop26>(),
    kind::<Dop36>(),
    kind::<EllipsoidBound>(),
    kind::<SphericalShell>(),
];

impl Spheres {
    /// Spheres of 20·4^`level` triangles.
    pub(crate) fn new(level: u32) -> Self {
        let corners = sphere(level);
        let topology = topology(&corners);
        Self { corners, topology }
    }
}

/// The outer sphere, turned at random, with its centre so far from that of the inner one.
pub(crate) fn outer(gap: f64, away: f64, random: &mut Random) -> Result<ScaledPose, LabError> {
    let away = random.direction().map(|x| x * away);
    let pose = Pose::new(random.quaternion(), away).map_err(LabError::failed)?;
    Ok(ScaledPose { pose, scale: 1.0 + gap })
}

fn ask<B: Bound>(spheres: &Spheres) -> Ask {
    let tree: Tree<B> = fit(&spheres.corners, &spheres.topology);
    let mut stack = Stack::default();
    Box::new(move |outer, contacts| {
        let placement = RelativeFrame::new(tree.frame(), tree.frame(), &outer.pose, outer.scale);
        let policy = Policy::LargerFirst;
        let trees = PairTraversal { a: &tree, b: &tree, placement: &placement, policy };
        let mut reached = Reached { tree: &tree, contacts, count: 0 };
        let mut counts = Counts::default();
        let start = Clock::start();
        let _ = traverse::pairs(trees, &mut stack, &mut reached, &mut counts);
        let seconds = start.seconds();
        let lost = contacts.len() - reached.count.min(contacts.len());
        Tests { volumes: counts.volumes, lost, seconds }
    })
}

/// Counts the contacts among the leaves that are reached.
struct Reached<'t, B: Bound> {
    tree: &'t Tree<B>,
    contacts: &'t Contacts,
    count: usize,
}

impl<B: Bound> Visit for Reached<'_, B> {
    #[inline(always)]
    fn leaf_pair<S: Simd>(&mut self, _: S, a: u32, b: u32) -> ControlFlow<()> {
        if !self.contacts.is_empty() {
            let of_b = |a: u32| self.tree.leaf(b).iter().map(move |b| (a, *b));
            let pairs = self.tree.leaf(a).iter().flat_map(|a| of_b(*a));
            self.count += pairs.filter(|pair| self.contacts.contains(pair)).count();
        }
        ControlFlow::Continue(())
    }
}

fn frame() -> Frame {
    Frame::new(DVec3::splat(-1.0), DVec3::splat(1.0))
}

/// The topology that all volumes share: split at the mean along principal axes, down to single triangles.
fn topology(corners: &[[DVec3; 3]]) -> Topology {
    let frame = frame();
    let boxes = corners.iter().map(|t| Aabb::of_points(&t.map(|p| frame.local(p)))).collect();
    build(&Items { boxes, ..Items::default() }, Builder::PrincipalMean, 1)
}

fn fit<B: Bound>(corners: &[[DVec3; 3]], topology: &Topology) -> Tree<B> {
    let frame = frame();
    let ordered = topology.order().iter().map(|item| corners[*item as usize]);
    let points: Vec<Vec3A> = ordered.flat_map(|t| t.map(|p| frame.local(p))).collect();
    let surface = Surface::Triangles;
    let geometry = ItemGeometry { frame: &frame, points: &points, points_per_item: 3, surface };
    Tree::fit(topology, &geometry, 2, 1)
}

/// An icosahedron, its triangles divided into four again and again, on the unit sphere.
pub(crate) fn sphere(level: u32) -> Vec<[DVec3; 3]> {
    let (corners, mut faces) = icosahedron();
    let mut points: Vec<DVec3> = corners.into_iter().map(DVec3::normalize).collect();
    for _ in 0..level {
        let mut middles: HashMap<(usize, usize), usize> = HashMap::new();
        let mut finer = Vec::with_capacity(4 * faces.len());
        for [a, b, c] in faces {
            let mut middle = |i: usize, j: usize| {
                *middles.entry((i.min(j), i.max(j))).or_insert_with(|| {
                    points.push((points[i.min(j)] + points[i.max(j)]).normalize());
                    points.len() - 1
                })
            };
            let (d, e, f) = (middle(a, b), middle(b, c), middle(c, a));
            finer.extend([[a, d, f], [d, b, e], [f, e, c], [d, e, f]]);
        }
        faces = finer;
    }
    faces.into_iter().map(|face| face.map(|vertex| points[vertex])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spheres_are_whole() {
        let corners = sphere(3);
        assert_eq!(corners.len(), 20 * 64);
        let area: f64 = corners.iter().map(|[a, b, c]| (b - a).cross(c - a).length() / 2.0).sum();
        assert!((area - 4.0 * std::f64::consts::PI).abs() < 0.1, "{area}");
        assert_eq!(topology(&corners).validate(), Ok(()));
    }

    #[test]
    fn oriented_volumes_need_fewer_tests_as_the_gap_closes() {
        let spheres = Spheres::new(3);
        let none = Contacts::new();
        let mut random = Random::new(1);
        let places = [0.05, 0.4].map(|gap| outer(gap, 0.0, &mut random).unwrap());
        let tests = |ask: fn(&Spheres) -> Ask| {
            let mut ask = ask(&spheres);
            places.map(|place| ask(&place, &none).volumes)
        };
        let (oriented, aligned) = (tests(ask::<Obb>), tests(ask::<Aabb>));
        assert!(oriented[0] > 2 * oriented[1]);
        assert!(aligned[0] > 3 * oriented[0], "{aligned:?} {oriented:?}");
    }

    #[test]
    fn what_is_not_reached_is_lost() {
        let spheres = Spheres::new(2);
        let mut ask = ask::<Rss>(&spheres);
        let apart = outer(0.5, 0.0, &mut Random::new(2)).unwrap();
        assert_eq!(ask(&apart, &Contacts::from([(0, 0)])).lost, 1);
        let within = ScaledPose { scale: 1.0, ..Pose::IDENTITY.into() };
        assert_eq!(ask(&within, &Contacts::from([(0, 0)])).lost, 0);
    }
}
