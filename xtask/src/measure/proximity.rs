//! Close proximity: how many tests of volumes it takes to tell two concentric spheres apart, by the gap between them.
//!
//! S. Gottschalk, M. C. Lin and D. Manocha, "OBBTree" (1996), section 7: for parallel close proximity at a gap of ε, trees of
//! oriented boxes need O(1/ε) tests and those of aligned boxes and balls O(1/ε²), since the thickness of an oriented box shrinks with
//! the square of its length and that of the others with the length itself.

use super::chart::{Line, Panel, slope};
use impinge::geom::Pose;
use impinge::geom::bound::{Aabb, Bound, Frame, Obb, Placement, Rss};
use impinge::geom::glam::{DVec3, Vec3A};
use impinge::geom::simd::Simd;
use impinge::tree::traverse::{self, Pairs, Policy, Stack, Visit};
use impinge::tree::{Builder, Counts, Geometry, Items, Surface, Tree, build};
use std::collections::HashMap;
use std::ops::ControlFlow;

/// What is expected of a volume: the slope over a window of gaps.
struct Expected {
    name: &'static str,
    slope: f64,
    window: [f64; 2],
}

const EXPECTED: [Expected; 3] = [
    Expected { name: Obb::NAME, slope: -1.0, window: [0.001, 0.4] },
    Expected { name: Rss::NAME, slope: -1.0, window: [0.001, 0.4] },
    Expected { name: Aabb::NAME, slope: -2.0, window: [0.04, 0.4] },
];
/// How far a slope may be from what is expected.
const NEAR: f64 = 0.25;
/// Gaps per factor of ten.
const STEPS: i32 = 6;

/// Measures all volumes on spheres of 20·4^`level` triangles, prints the slopes, and returns the chart. True if all are as expected.
pub fn measure(level: u32) -> (bool, Panel) {
    let corners = sphere(level);
    let topology = topology(&corners);
    let gaps: Vec<f64> = (-3 * STEPS..)
        .map(|k| 10.0_f64.powf(f64::from(k) / f64::from(STEPS)))
        .take_while(|gap| *gap <= 0.4)
        .collect();
    let lines = [
        counts::<Obb>(&corners, &topology, &gaps),
        counts::<Rss>(&corners, &topology, &gaps),
        counts::<Aabb>(&corners, &topology, &gaps),
    ];
    println!(
        "concentric spheres of {} triangles, width 2, leaves of 1, larger first:",
        corners.len()
    );
    let mut fine = true;
    let mut named = Vec::new();
    for (expected, counts) in EXPECTED.iter().zip(lines) {
        let points: Vec<(f64, f64)> =
            gaps.iter().zip(&counts).map(|(gap, counts)| (*gap, counts.volumes as f64)).collect();
        let found = slope(&points, expected.window);
        let [from, to] = expected.window;
        println!(
            "  {:<5} slope {found:+.3} on gaps from {from} to {to}, expected near {:+}; {} volumes at {}, {} at {:.3}",
            expected.name,
            expected.slope,
            counts[0].volumes,
            gaps[0],
            counts[gaps.len() - 1].volumes,
            gaps[gaps.len() - 1],
        );
        fine &= (found - expected.slope).abs() <= NEAR;
        let name = format!("{}: slope {found:.2} on [{from}, {to}]", expected.name);
        named.push(Line { name, points });
    }
    let panel = Panel {
        title: format!(
            "Concentric spheres, {} triangles each (width 2, leaves of 1)",
            corners.len()
        ),
        across: "gap / radius".into(),
        up: "tests of two volumes".into(),
        lines: named,
        falling: true,
        even: false,
    };
    (fine, panel)
}

/// The work for each gap.
fn counts<B: Bound>(
    corners: &[[DVec3; 3]],
    topology: &impinge::tree::Topology,
    gaps: &[f64],
) -> Vec<Counts> {
    let tree: Tree<B> = fit(corners, topology);
    // Turned so that nothing is aligned.
    let pose = Pose::new([0.8, 0.36, 0.48, 0.0], [0.0; 3]).unwrap_or_default();
    let mut stack = Stack::default();
    gaps.iter()
        .map(|gap| {
            let placement = Placement::new(tree.frame(), tree.frame(), &pose, 1.0 + gap);
            let policy = Policy::LargerFirst;
            let trees = Pairs { a: &tree, b: &tree, placement: &placement, policy };
            let mut counts = Counts::default();
            let _ = traverse::pairs(trees, &mut stack, &mut Nothing, &mut counts);
            counts
        })
        .collect()
}

/// Does nothing with leaves: only the volumes are of interest.
struct Nothing;

impl Visit for Nothing {
    #[inline(always)]
    fn leaves<S: Simd>(&mut self, _: S, _: u32, _: u32) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

fn frame() -> Frame {
    Frame::new(DVec3::splat(-1.0), DVec3::splat(1.0))
}

/// The topology that all volumes share: split at the mean along principal axes, down to single triangles.
pub(super) fn topology(corners: &[[DVec3; 3]]) -> impinge::tree::Topology {
    let frame = frame();
    let boxes = corners.iter().map(|t| Aabb::of_points(&t.map(|p| frame.local(p)))).collect();
    build(&Items { boxes, ..Items::default() }, Builder::PrincipalMean, 1)
}

pub(super) fn fit<B: Bound>(corners: &[[DVec3; 3]], topology: &impinge::tree::Topology) -> Tree<B> {
    let frame = frame();
    let ordered = topology.order().iter().map(|item| corners[*item as usize]);
    let points: Vec<Vec3A> = ordered.flat_map(|t| t.map(|p| frame.local(p))).collect();
    let surface = Surface::Triangles;
    let geometry = Geometry { frame: &frame, points: &points, points_per_item: 3, surface };
    Tree::fit(topology, &geometry, 2, 1)
}

/// An icosahedron, its triangles divided into four again and again, on the unit sphere.
pub fn sphere(level: u32) -> Vec<[DVec3; 3]> {
    let golden = (1.0 + 5.0_f64.sqrt()) / 2.0;
    let mut points = Vec::new();
    for k in 0..3 {
        for (s, t) in [(1.0, golden), (1.0, -golden), (-1.0, golden), (-1.0, -golden)] {
            let mut p = [0.0; 3];
            (p[(k + 1) % 3], p[(k + 2) % 3]) = (s, t);
            points.push(DVec3::from_array(p).normalize());
        }
    }
    let near = |a: DVec3, b: DVec3| a.dot(b) > 0.4;
    let mut faces = Vec::new();
    for i in 0..12_usize {
        for j in i + 1..12 {
            for k in j + 1..12 {
                if near(points[i], points[j])
                    && near(points[j], points[k])
                    && near(points[i], points[k])
                {
                    faces.push([i, j, k]);
                }
            }
        }
    }
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
    }

    #[test]
    fn oriented_volumes_need_fewer_tests_as_the_gap_closes() {
        let corners = sphere(4);
        let topology = topology(&corners);
        assert_eq!(topology.validate(), Ok(()));
        let gaps = [0.02, 0.2];
        let oriented = counts::<Obb>(&corners, &topology, &gaps);
        let aligned = counts::<Aabb>(&corners, &topology, &gaps);
        assert!(oriented[0].volumes > oriented[1].volumes);
        assert!(aligned[0].volumes > 4 * oriented[0].volumes, "{aligned:?} {oriented:?}");
    }
}
