//! Every volume and builder gives a tree that holds together, also after a refit; what is broken is named.

use crate::cloud::{Cloud, Random};
use impinge_geom::bound::{
    Aabb, Bound, ConvexHull, Dop14, Dop18, Dop26, Dop36, EllipsoidBound, Frame, Hybrid, KindPrices,
    Lss, Moments, Obb, ObbFit, ObbRss, RoundedBox, Rss, Sphere, SphericalShell, Tss,
};
use impinge_geom::glam::{DVec3, Vec3A};
use impinge_tree::build::build_by;
use impinge_tree::{Builder, Items, Surface, Tree, TreeFault, build};

const SIZES: [usize; 8] = [1, 2, 7, 8, 9, 65, 400, 6000];

/// The largest size is for the builders of the presets, and for boxes: some volumes are slow to fit.
fn cases<B: Bound>() -> impl Iterator<Item = (usize, Builder)> {
    let all = SIZES.into_iter().flat_map(|n| Builder::ALL.map(|builder| (n, builder)));
    let few = &Builder::ALL[..3];
    all.filter(move |(n, builder)| *n < 1000 || B::NAME == Aabb::NAME || few.contains(builder))
}

fn holds_together<B: Bound>() {
    for (count, builder) in cases::<B>() {
        let cloud = Cloud::new(count as u64, count);
        let mut tree: Tree<B> = cloud.tree(builder);
        let mut points = cloud.points(tree.order());
        assert_eq!(tree.validate(&cloud.geometry(&points)), Ok(()), "{builder:?} {count}");
        let cost = tree.cost();
        assert_eq!(cost.items, count);
        assert!((1.0..=8.0).contains(&cost.leaf_fill));
        assert!(cost.nodes == 0 || (2.0..=8.0).contains(&cost.fill), "{cost:?}");
        assert!(cost.node_visits <= cost.nodes as f64 * 1.5 && cost.depth <= 96);
        // Items move; the old volumes must not serve, the new ones must.
        let mut random = Random::new(3);
        for point in &mut points {
            *point = Vec3A::new(point.y, point.z, point.x) + random.vector().as_vec3a() * 0.01;
        }
        if count > 2 {
            let fault = tree.validate(&cloud.geometry(&points));
            assert!(matches!(fault, Err(TreeFault::Outside { .. })), "{fault:?}");
        }
        assert_eq!(tree.refit(&cloud.geometry(&points)), Ok(()));
        assert_eq!(tree.validate(&cloud.geometry(&points)), Ok(()), "{builder:?} {count}");
        let few = &points[..points.len() - 1];
        assert_eq!(tree.refit(&cloud.geometry(few)), Err(TreeFault::OtherGeometry));
    }
}

macro_rules! with_each_volume {
    ($($name:ident: $volume:ty),*) => {
        $(#[test]
        fn $name() {
            holds_together::<$volume>();
        })*
    };
}

with_each_volume!(
    aabb: Aabb, obb: Obb, rss: Rss, obb_rss: ObbRss, sphere: Sphere, lss: Lss, tss: Tss, rounded: RoundedBox,
    hull: ConvexHull, dop_14: Dop14, dop_18: Dop18, dop_26: Dop26, dop_36: Dop36, ellipsoid: EllipsoidBound,
    shell: SphericalShell, hybrid: Hybrid
);

#[test]
fn of_nothing_is_empty() {
    for builder in Builder::ALL {
        let tree: Tree<Obb> = Cloud::new(1, 0).tree(builder);
        assert!(tree.is_empty() && tree.root().is_none());
        assert_eq!(tree.cost().nodes, 0);
        assert_eq!(Tree::load(&tree.save()), Ok(tree));
    }
}

#[test]
fn of_equal_items_is_split_in_the_middle() {
    let cloud = Cloud { corners: vec![[Vec3A::X, Vec3A::Y, Vec3A::Z]; 1000], ..Cloud::new(1, 5) };
    for builder in Builder::ALL {
        let tree: Tree<Obb> = cloud.tree(builder);
        let points = cloud.points(tree.order());
        assert_eq!(tree.validate(&cloud.geometry(&points)), Ok(()));
        assert!(tree.cost().leaf_fill > 7.0);
    }
}

#[test]
fn numbers_that_are_none_do_not_stop_a_builder() {
    let odd = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX, -0.0, 1e-45, 1.0];
    let mut random = Random::new(9);
    let mut corner = || Vec3A::from_array([0; 3].map(|_| odd[random.below(odd.len())]));
    let boxes: Vec<_> = (0..500).map(|_| Aabb { low: corner(), high: corner() }).collect();
    for builder in Builder::ALL {
        let items = Items { boxes: boxes.clone(), ..Items::default() };
        assert_eq!(build(&items, builder, 4).validate(), Ok(()));
    }
}

#[test]
fn moments_turn_the_split() {
    // Two large plates far apart along y, and many specks along x: the surface spreads along y, the boxes along x.
    let mut corners = vec![
        [Vec3A::new(-1.0, 4.0, 0.0), Vec3A::new(1.0, 4.0, 0.0), Vec3A::new(0.0, 4.0, 2.0)],
        [Vec3A::new(-1.0, -4.0, 0.0), Vec3A::new(1.0, -4.0, 0.0), Vec3A::new(0.0, -4.0, 2.0)],
    ];
    for k in 0..40 {
        let p = Vec3A::new(k as f32 - 20.0, if k % 2 == 0 { 0.5 } else { -0.5 }, 0.0);
        corners.push([p, p + Vec3A::X * 0.01, p + Vec3A::Z * 0.01]);
    }
    let boxes: Vec<_> = corners.iter().map(|t| Aabb::of_points(t)).collect();
    let moments = corners.iter().map(|t| t.map(|p| p.as_dvec3()));
    let moments: Vec<_> = moments.map(|[a, b, c]| Moments::of_triangle(a, b, c)).collect();
    let parted_along_y = |items: &Items| {
        let topology = build(items, Builder::PrincipalMean, 8);
        let [first, _] = topology.children(0).expect("two children");
        let group = topology.groups()[first];
        let own = &topology.order()[group.first as usize..(group.first + group.count) as usize];
        // True if the sign of y tells the two halves apart.
        let above = own.iter().filter(|&&k| corners[k as usize][0].y > 0.0).count();
        above == 0 || above == own.len()
    };
    let by_boxes = parted_along_y(&Items { boxes: boxes.clone(), ..Items::default() });
    let by_surface = parted_along_y(&Items { boxes, moments, ..Items::default() });
    assert!(!by_boxes && by_surface);
}

/// The lecture's bad boxes: points packed inside a solid turn the box of the vertices' covariance, not that of the hull's facets.
#[test]
fn hulls_do_not_see_what_lies_inside() {
    let mut corners = Vec::new();
    let plate = |x: f32, y: f32| Vec3A::new(x, y, 0.0);
    for (a, b) in
        [((-4.0, -1.0), (4.0, -1.0)), ((4.0, -1.0), (4.0, 1.0)), ((4.0, 1.0), (-4.0, 1.0))]
    {
        corners.push([plate(a.0, a.1), plate(b.0, b.1), plate(-4.0, -1.0) + Vec3A::Z * 0.5]);
        corners.push([plate(a.0, a.1), plate(b.0, b.1), plate(-4.0, 1.0) + Vec3A::Z * 0.5]);
    }
    // Many along a diagonal of the plate.
    for k in 0..300 {
        let t = k as f32 / 300.0 * 1.9 - 0.95;
        corners.push([plate(t, t); 3]);
    }
    let frame = Frame::new(DVec3::splat(-4.0), DVec3::splat(4.0));
    let corners: Vec<_> = corners.iter().map(|t| t.map(|p| frame.local(p.as_dvec3()))).collect();
    let cloud = Cloud { frame, corners };
    let box_of = |k: usize| Aabb::of_points(&cloud.corners[k]);
    let topology = build_by(cloud.corners.len(), box_of, Builder::BinnedSah, 8);
    let points = cloud.points(topology.order());
    let mut geometry = cloud.geometry(&points);
    geometry.surface = Surface::Points;
    let area = |fit: ObbFit| {
        let tree = Tree::fit_by(&topology, &geometry, 8, 8, |points, moments, error| {
            Obb::fit_by(points, moments, fit, error)
        });
        assert_eq!(tree.validate(&geometry), Ok(()), "{fit:?}");
        tree.root().expect("a root").area()
    };
    let (vertices, hull_vertices, facets) =
        (area(ObbFit::Vertices), area(ObbFit::HullVertices), area(ObbFit::HullFacets));
    assert!(facets < 0.9 * vertices, "{facets} {vertices}");
    assert!(hull_vertices < 0.9 * vertices, "{hull_vertices} {vertices}");
}

#[test]
fn each_level_holds_every_item_once() {
    for (count, builder) in
        [(1, Builder::Median), (400, Builder::BinnedSah), (400, Builder::Morton)]
    {
        let cloud = Cloud::new(5, count);
        let tree: Tree<Obb> = cloud.tree(builder);
        let points = cloud.points(&(0..count as u32).collect::<Vec<_>>());
        let each = points.len() / count;
        let mut last = 0;
        for depth in 0..12 {
            let level = tree.level(depth);
            assert!(level.len() >= last);
            last = level.len();
            let mut held: Vec<u32> = Vec::new();
            for place in level {
                let (volume, items) = (tree.volume(place).unwrap(), tree.items(place));
                for &item in items {
                    let first = item as usize * each;
                    assert!(points[first..first + each].iter().all(|p| volume.contains(*p, 1e-5)));
                }
                held.extend(items);
            }
            held.sort_unstable();
            assert_eq!(held, (0..count as u32).collect::<Vec<_>>(), "{builder:?} {depth}");
        }
        // All leaves at last.
        assert_eq!(last, tree.leaf_count());
        assert!(tree.items(u32::MAX).is_empty());
    }
}

/// The caller chooses the kind of volume where there are several.
#[test]
fn volumes_are_of_the_kind_that_is_chosen() {
    let cloud = Cloud::new(5, 400);
    let plain: Tree<Hybrid> = cloud.tree(Builder::BinnedSah);
    let points = cloud.points(plain.order());
    let box_of = |item: usize| Aabb::of_points(&cloud.corners[item]);
    let topology = build_by(cloud.corners.len(), box_of, Builder::BinnedSah, 8);
    let dear = KindPrices { aabb: 1e6, obb: 1e6, ..KindPrices::default() };
    let tree: Tree<Hybrid> =
        Tree::fit_chosen(&topology, &cloud.geometry(&points), 8, 8, |family| dear.choose(family));
    assert!(matches!(tree.root(), Some(Hybrid::Sphere(_))));
    assert_eq!(tree.validate(&cloud.geometry(&points)), Ok(()));
    assert_eq!(tree.order(), plain.order());
}
