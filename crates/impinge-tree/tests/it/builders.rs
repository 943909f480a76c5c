//! Every builder on every kind of input: each item in one leaf, no tree too deep, and the answers of brute force at every width.

use crate::cloud::{Cloud, Random};
use impinge_geom::Pose;
use impinge_geom::bound::{Aabb, Bound, Frame, RelativeFrame, Sphere};
use impinge_geom::glam::{DVec3, Vec3A};
use impinge_tree::topology::Group;
use impinge_tree::{Builder, Counts, Covering, Items, Measure, Topology, Tree, build, traverse};
use std::ops::ControlFlow;

/// Small triangles at given places of the unit cube.
fn at(places: Vec<DVec3>) -> Cloud {
    let low = places.iter().copied().fold(DVec3::INFINITY, DVec3::min);
    let high = places.iter().copied().fold(DVec3::NEG_INFINITY, DVec3::max);
    let frame = Frame::new(low.min(DVec3::ZERO), high.max(DVec3::ONE));
    let size = 1e-3;
    let triangle = |p: DVec3| [p, p + DVec3::X * size, p + DVec3::Y * size];
    Cloud { frame, corners: places.iter().map(|&p| triangle(p).map(|p| frame.local(p))).collect() }
}

/// Inputs that are ordinary, or on which builders may lose their way.
fn inputs(count: usize) -> Vec<(&'static str, Cloud)> {
    let series = |place: &dyn Fn(f64) -> DVec3| at((0..count).map(|k| place(k as f64)).collect());
    let n = count as f64;
    let mut random = Random::new(count as u64);
    let mut tiny = || random.vector() * 1e-30;
    let concentric = |k: usize| {
        let radius = 0.999f32.powi(k as i32);
        [Vec3A::splat(-radius), Vec3A::splat(radius), Vec3A::X * radius]
    };
    vec![
        ("a ball", Cloud::new(7, count)),
        ("one place", series(&|_| DVec3::splat(0.5))),
        ("a line", series(&|k| DVec3::X * (k / n))),
        ("a diagonal, backwards", series(&|k| DVec3::splat(1.0 - k / n))),
        ("ever wider gaps", series(&|k| DVec3::X * (k / n) * (k / n))),
        ("ever narrower gaps by a factor", series(&|k| DVec3::X * 0.8f64.powi(k as i32))),
        ("a plane", series(&|k| DVec3::new((k * 0.618).fract(), k / n, 0.0))),
        ("two places", series(&|k| DVec3::splat((k % 2.0) * 0.9))),
        ("one place and its surroundings", at((0..count).map(|_| tiny()).collect())),
        (
            "concentric",
            Cloud {
                frame: Frame::new(DVec3::NEG_ONE, DVec3::ONE),
                corners: (0..count).map(concentric).collect(),
            },
        ),
    ]
}

const SIZES: [usize; 7] = [1, 2, 3, 8, 9, 70, 1500];

fn topology(cloud: &Cloud, builder: Builder, leaf: usize) -> Topology {
    build(&cloud.items(), builder, leaf)
}

fn tree(cloud: &Cloud, topology: &Topology, width: usize, leaf: usize) -> Tree<Aabb> {
    let points = cloud.points(topology.order());
    let tree = Tree::fit(topology, &cloud.geometry(&points), width, leaf);
    assert_eq!(tree.validate(&cloud.geometry(&points)), Ok(()));
    tree
}

#[test]
fn group_every_item_once_and_not_too_deep() {
    for (count, builder) in SIZES.iter().flat_map(|&n| Builder::ALL.map(|b| (n, b))) {
        for (name, cloud) in inputs(count) {
            for leaf in [1, 4, 8] {
                let topology = topology(&cloud, builder, leaf);
                let case = format!("{builder:?}, {count} in {name}, {leaf} to a leaf");
                assert_eq!(topology.validate(), Ok(()), "{case}");
                let leaves = topology.groups().iter().filter(|group| group.second == 0);
                assert!(leaves.into_iter().all(|group| group.count as usize <= leaf), "{case}");
                assert!(topology.depth() <= 96, "{case}: {} deep", topology.depth());
            }
        }
    }
}

/// The items whose boxes overlap the query.
fn brute_force(cloud: &Cloud, query: &Aabb) -> Vec<u32> {
    let items = (0u32..).zip(&cloud.corners);
    items.filter(|(_, t)| meet(&Aabb::of_points(*t), query)).map(|(item, _)| item).collect()
}

fn meet(a: &Aabb, b: &Aabb) -> bool {
    a.low.cmple(b.high).all() && b.low.cmple(a.high).all()
}

fn found(tree: &Tree<Aabb>, cloud: &Cloud, query: &Aabb, counts: &mut Counts) -> Vec<u32> {
    let motion = RelativeFrame::new(&cloud.frame, &cloud.frame, &Pose::IDENTITY, 1.0).a_to_b;
    let turned = query.moved(&motion);
    let mut found = Vec::new();
    let places = &mut Default::default();
    let end = traverse::volume(tree, &turned, motion.margin, places, counts, |leaf| {
        let items = tree.leaf(leaf).iter().copied();
        found.extend(items.filter(|&k| meet(&Aabb::of_points(&cloud.corners[k as usize]), query)));
        ControlFlow::Continue(())
    });
    assert_eq!(end, ControlFlow::Continue(()));
    found.sort_unstable();
    found
}

#[test]
fn answer_like_brute_force_at_every_width() {
    let mut random = Random::new(4);
    for (count, builder) in [9, 70, 1500].iter().flat_map(|&n| Builder::ALL.map(|b| (n, b))) {
        for (name, cloud) in inputs(count) {
            let topology = topology(&cloud, builder, 4);
            let mut queries = Vec::new();
            for _ in 0..12 {
                let item = &cloud.corners[random.below(count)];
                let corner = item[0] + random.vector().as_vec3a() * 0.1;
                queries.push(Aabb::of_points(&[item[1], corner]));
            }
            for width in [2, 4, 8] {
                let tree = tree(&cloud, &topology, width, 4);
                let case = format!("{builder:?}, {count} in {name}, {width} abreast");
                let fill = tree.cost().fill;
                assert!((2.0..=width as f64).contains(&fill) || tree.cost().nodes == 0, "{case}");
                let mut counts = Counts::default();
                for query in &queries {
                    let expected = brute_force(&cloud, query);
                    assert!(!expected.is_empty(), "{case}");
                    assert_eq!(found(&tree, &cloud, query, &mut counts), expected, "{case}");
                }
                assert!(counts.volumes <= counts.steps * width as u64, "{case}");
            }
        }
    }
}

/// What a line is expected to cost with two to a node and one item to a leaf.
fn cost(cloud: &Cloud, builder: Builder) -> f64 {
    tree(cloud, &topology(cloud, builder, 1), 2, 1).cost().of_line(1.0, 1.0)
}

/// Models of several kinds: a ball, a rod, a plate, unequal sizes.
fn models() -> Vec<Cloud> {
    let mut models = vec![Cloud::new(11, 3000), Cloud::new(12, 400)];
    for stretch in [Vec3A::new(1.0, 0.05, 0.02), Vec3A::new(1.0, 0.8, 0.01)] {
        let mut model = Cloud::new(13, 2000);
        model.corners.iter_mut().flatten().for_each(|p| *p *= stretch);
        models.push(model);
    }
    let mut model = Cloud::new(14, 2000);
    for (k, triangle) in model.corners.iter_mut().enumerate() {
        let (middle, factor) = (triangle[0], [0.1, 1.0, 8.0][k % 3]);
        *triangle =
            triangle.map(|p| (middle + (p - middle) * factor).clamp(Vec3A::NEG_ONE, Vec3A::ONE));
    }
    models.push(model);
    models
}

#[test]
fn a_full_sweep_costs_least_of_those_by_planes() {
    for (number, model) in models().iter().enumerate() {
        let sweep = cost(model, Builder::Sweep(Measure::Area));
        for other in [Builder::Median, Builder::Midpoint, Builder::Morton, Builder::PrincipalMean] {
            let other = (other, cost(model, other));
            assert!(sweep <= other.1, "model {number}: {sweep} {other:?}");
        }
        // Bins are nearly as good as a sweep; neither is the best tree.
        let bins = cost(model, Builder::BinnedSah);
        assert!(sweep <= bins * 1.02, "model {number}: {sweep} {bins}");
    }
}

#[test]
fn measures_see_different_things() {
    // Along x thin plates far apart, along y a few rods: areas part them otherwise than volumes.
    let cloud = &models()[4];
    let topologies = Measure::ALL.map(|measure| topology(cloud, Builder::Sweep(measure), 4));
    assert!(topologies[0] != topologies[1] && topologies[1] != topologies[2]);
    assert!(topologies[0] != topologies[2]);
}

/// How deep the leaf of each item is.
fn depths(topology: &Topology) -> Vec<usize> {
    let mut depths = vec![0; topology.order().len()];
    let mut stack = vec![(0, 0)];
    while let Some((node, depth)) = stack.pop() {
        match topology.children(node) {
            Some(children) => stack.extend(children.map(|child| (child, depth + 1))),
            None => {
                let group = topology.groups()[node];
                let own = group.first as usize..(group.first + group.count) as usize;
                topology.order()[own].iter().for_each(|&item| depths[item as usize] = depth);
            }
        }
    }
    depths
}

#[test]
fn what_is_touched_often_lies_high() {
    let cloud = Cloud::new(21, 2000);
    // The surroundings of one item take nearly all queries.
    let away = |k: &usize| cloud.corners[*k][0].distance(cloud.corners[0][0]);
    let mut near: Vec<usize> = (0..2000).collect();
    near.sort_by(|a, b| away(a).total_cmp(&away(b)));
    let mut weights = vec![0.0f32; 2000];
    near[..40].iter().for_each(|&k| weights[k] = 1000.0);
    let mean = |topology: &Topology| {
        let own: Vec<f64> = depths(topology).iter().map(|&d| d as f64).collect();
        let sum: f64 = own.iter().zip(&weights).map(|(d, &w)| d * f64::from(w)).sum();
        sum / weights.iter().map(|&w| f64::from(w)).sum::<f64>()
    };
    let items = Items { weights: weights.clone(), ..cloud.items() };
    let weighted = build(&items, Builder::Weighted, 1);
    let plain = build(&items, Builder::Sweep(Measure::Area), 1);
    assert_eq!(weighted.validate(), Ok(()));
    assert!(mean(&weighted) < mean(&plain) - 1.5, "{} {}", mean(&weighted), mean(&plain));
    // Without weights, and with weights that say nothing, it is the sweep.
    for weights in [vec![], vec![f32::NAN; 2000], vec![-1.0; 2000], vec![3.0; 2000]] {
        let items = Items { weights, ..items.clone() };
        assert_eq!(build(&items, Builder::Weighted, 1), plain);
    }
}

/// The groups as sets of items, sorted.
fn sets(topology: &Topology) -> Vec<Vec<u32>> {
    let own = |group: &Group| {
        let mut items = topology.order()[group.first as usize..][..group.count as usize].to_vec();
        items.sort_unstable();
        items
    };
    let mut sets: Vec<_> = topology.groups().iter().map(own).collect();
    sets.sort();
    sets
}

/// The two groups whose box together is smallest are joined, again and again.
fn nearest_pairs(boxes: &[Aabb]) -> Vec<Vec<u32>> {
    let area = |items: &[u32]| {
        let own = || items.iter().map(|&k| boxes[k as usize]);
        let low = own().fold(Vec3A::INFINITY, |low, b| low.min(b.low)).as_dvec3();
        let e = own().fold(Vec3A::NEG_INFINITY, |high, b| high.max(b.high)).as_dvec3() - low;
        e.x * e.y + e.y * e.z + e.z * e.x
    };
    let mut open: Vec<Vec<u32>> = (0..boxes.len() as u32).map(|k| vec![k]).collect();
    let mut sets = open.clone();
    while open.len() > 1 {
        let pairs = (0..open.len()).flat_map(|i| (0..i).map(move |j| (i, j)));
        let both = |(i, j): (usize, usize)| [&open[i][..], &open[j][..]].concat();
        let least = pairs.min_by(|a, b| area(&both(*a)).total_cmp(&area(&both(*b))));
        let (i, j) = least.expect("a pair");
        let mut joined = both((i, j));
        joined.sort_unstable();
        open.swap_remove(i);
        open.swap_remove(j);
        open.push(joined.clone());
        sets.push(joined);
    }
    sets.sort();
    sets
}

#[test]
fn agglomeration_is_that_of_nearest_pairs() {
    let mut random = Random::new(31);
    for round in 0..300 {
        // All see each other.
        let boxes: Vec<_> = (0..2 + round % 15)
            .map(|_| {
                let low = random.vector().as_vec3a();
                Aabb { low, high: low + random.vector().abs().as_vec3a() * 0.3 }
            })
            .collect();
        let items = Items { boxes: boxes.clone(), ..Items::default() };
        let topology = build(&items, Builder::Agglomerative, 1);
        assert_eq!(sets(&topology), nearest_pairs(&boxes), "round {round}");
    }
}

#[test]
fn builders_that_look_around_beat_the_median() {
    for (number, model) in models().iter().enumerate() {
        let median = cost(model, Builder::Median);
        for builder in
            [Builder::Agglomerative, Builder::Insertion, Builder::RandomInsertion { seed: 3 }]
        {
            let other = cost(model, builder);
            assert!(other < median, "model {number}: {builder:?} {other}, median {median}");
        }
    }
}

#[test]
fn seeds_choose_the_order_of_insertion() {
    let cloud = Cloud::new(41, 500);
    let with = |seed: u64| topology(&cloud, Builder::RandomInsertion { seed }, 4);
    assert_eq!(with(5), with(5));
    assert_ne!(with(5), with(6));
    assert_ne!(with(5), topology(&cloud, Builder::Insertion, 4));
}

/// Along a line each item is cheapest beside the last, at the end of the longest way.
#[test]
fn insertion_in_a_row_stays_shallow() {
    for (name, cloud) in inputs(3000) {
        let depth = topology(&cloud, Builder::Insertion, 1).depth();
        assert!(depth <= 66, "{name}: {depth}");
    }
}

/// Sphere trees of a model in two rods that lie side by side, far apart compared with their thickness: spheres of the whole length hold
/// both, those of the medial axis each only one.
#[test]
fn spheres_of_the_medial_axis_keep_rods_apart() {
    let rods = rods();
    let topology = topology(&rods, Builder::Spheres(Covering::MedialAxis), 8);
    let mixed = |group: &&Group| {
        let own = &topology.order()[group.first as usize..][..group.count as usize];
        let high = own.iter().filter(|&&k| rods.corners[k as usize][0].y > 0.0).count();
        high > 0 && high < own.len()
    };
    // Of about 130 groups only the few at the top.
    let mixed = topology.groups().iter().filter(mixed).count();
    assert!(mixed <= 7, "{mixed}");
}

/// Two long prisms with outward triangles.
fn rods() -> Cloud {
    let ring = |k: usize| {
        let corner = [(1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)][k % 4];
        (corner.0 * 0.03, corner.1 * 0.03)
    };
    let mut corners = Vec::new();
    for (y, step) in [-0.2, 0.2].into_iter().flat_map(|y| (0..64).map(move |step| (y, step))) {
        let (low, high) = (step as f32 / 32.0 - 1.0, (step + 1) as f32 / 32.0 - 1.0);
        for side in 0..4 {
            let at = |x: f32, k: usize| Vec3A::new(x, y + ring(k).0, ring(k).1);
            let [a, b] = [at(low, side), at(high, side)];
            let [c, d] = [at(low, side + 1), at(high, side + 1)];
            corners.extend([[a, c, b], [b, c, d]]);
        }
    }
    let frame = Frame::new(DVec3::NEG_ONE, DVec3::ONE);
    Cloud { frame, corners }
}

/// What a line is expected to cost in a tree of spheres, eight abreast.
#[test]
fn coverings_differ_and_none_is_bad() {
    for (number, model) in models().iter().chain([&rods()]).enumerate() {
        let cost = |topology: &Topology| {
            let points = model.points(topology.order());
            let tree: Tree<Sphere> = Tree::fit(topology, &model.geometry(&points), 8, 8);
            assert_eq!(tree.validate(&model.geometry(&points)), Ok(()));
            tree.cost().of_line(1.0, 1.0)
        };
        let median = cost(&topology(model, Builder::Median, 8));
        let topologies =
            Covering::ALL.map(|covering| topology(model, Builder::Spheres(covering), 8));
        for (covering, topology) in Covering::ALL.iter().zip(&topologies) {
            let own = cost(topology);
            // The triangles of a cloud face anywhere: what is inside cannot be told.
            let blind = *covering == Covering::MedialAxis && number < 5;
            let most = if blind { 1.7 } else { 1.15 } * median;
            assert!(own < most, "model {number}, {covering:?}: {own}, median {median}");
        }
        // The rods are so regular that two of them agree.
        for (k, topology) in topologies.iter().enumerate().filter(|_| number < 5) {
            assert!(topologies[..k].iter().all(|other| other != topology), "model {number}");
        }
    }
}
