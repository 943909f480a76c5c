//! Trees that are split while they are asked: the answers of brute force from the first question on, and no more work than is asked for.

use crate::cloud::{Cloud, Random};
use impinge_geom::Pose;
use impinge_geom::bound::{Aabb, Bound, FrameMotion, LocalRay, Obb, RelativeFrame, Rss};
use impinge_geom::glam::{DVec3, Vec3A};
use impinge_geom::ray::Ray;
use impinge_tree::{Builder, Counts, LazyTree, Tree};
use std::collections::BTreeSet;
use std::ops::ControlFlow;

fn lazy<B: Bound>(cloud: &Cloud, width: usize, leaf: usize) -> LazyTree<B> {
    LazyTree::new(&cloud.geometry(cloud.corners.as_flattened()), width, leaf)
}

fn here(cloud: &Cloud) -> FrameMotion {
    RelativeFrame::new(&cloud.frame, &cloud.frame, &Pose::IDENTITY, 1.0).a_to_b
}

/// The items of the leaves that a volume meets.
fn meeting<B: Bound>(tree: &mut LazyTree<B>, cloud: &Cloud, corners: &[Vec3A]) -> Vec<Vec<u32>> {
    let motion = here(cloud);
    let query = B::fit(corners, &Default::default(), 0.0).moved(&motion);
    let mut leaves = Vec::new();
    let end = tree.volume(&query, motion.margin, &mut (), |items| {
        leaves.push(items.to_vec());
        ControlFlow::Continue(())
    });
    assert_eq!(end, ControlFlow::Continue(()));
    leaves
}

fn volumes_and_points<B: Bound>() {
    let mut random = Random::new(1);
    for (count, width) in [(1, 8), (2, 2), (9, 4), (70, 2), (700, 4), (3000, 8)] {
        let cloud = Cloud::new(count as u64, count);
        let mut tree: LazyTree<B> = lazy(&cloud, width, 4);
        assert_eq!(tree.validate(), Ok(()));
        for round in 0..40 {
            // A triangle meets itself.
            let item = random.below(count);
            let found = meeting(&mut tree, &cloud, &cloud.corners[item]).concat();
            assert!(found.contains(&(item as u32)), "{} {round}", B::NAME);
            let point = random.vector().as_vec3a();
            let distance = |item: u32| {
                let corners = cloud.corners[item as usize].iter();
                corners.map(|p| p.distance(point)).fold(f32::INFINITY, f32::min)
            };
            let (mut least, mut visited) = (f32::INFINITY, 0);
            tree.point(point, 1e-5, &mut (), |items| {
                visited += items.len();
                least = items.iter().map(|&item| distance(item)).fold(least, f32::min);
                least
            });
            let expected = (0..count as u32).map(distance).fold(f32::INFINITY, f32::min);
            assert_eq!(least, expected, "{} {round}", B::NAME);
            assert!(visited < 700, "{} visits {visited}", B::NAME);
            // The same by a volume, which is about a point.
            let motion = here(&cloud);
            let (query, mut near) = (B::fit(&[point], &Default::default(), 0.0), f32::INFINITY);
            tree.volume_nearest(&query.moved(&motion), motion.margin + 1e-5, &mut (), |items| {
                near = items.iter().map(|&item| distance(item)).fold(near, f32::min);
                near
            });
            assert_eq!(near, expected, "{} {round}", B::NAME);
        }
        assert_eq!(tree.validate(), Ok(()));
    }
}

#[test]
fn volumes_and_points_find_what_brute_force_finds() {
    volumes_and_points::<Aabb>();
    volumes_and_points::<Obb>();
    volumes_and_points::<Rss>();
}

/// A point of a frame as a point of the body.
fn outside(cloud: &Cloud, p: Vec3A) -> DVec3 {
    cloud.frame.center() + p.as_dvec3() / cloud.frame.factor()
}

#[test]
fn rays_find_what_they_are_aimed_at() {
    let mut random = Random::new(2);
    let cloud = Cloud::new(3, 2000);
    let (mut boxes, mut turned) = (lazy::<Aabb>(&cloud, 8, 4), lazy::<Obb>(&cloud, 4, 8));
    let mut visited = 0;
    for _ in 0..300 {
        let item = random.below(cloud.corners.len());
        let aim = outside(&cloud, cloud.corners[item][random.below(3)]);
        let origin = random.vector() * 20.0;
        let ray = Ray::new(origin.to_array(), (aim - origin).to_array()).expect("a ray");
        let ray = LocalRay::new(&cloud.frame, &ray).expect("it comes near");
        let mut found = BTreeSet::new();
        boxes.ray(&ray, &mut (), |items| {
            found.extend(items.iter().copied());
            ray.end
        });
        assert!(found.contains(&(item as u32)));
        visited += found.len();
        let (mut hit, mut first) = (false, 0);
        turned.ray(&ray, &mut (), |items| {
            hit |= items.contains(&(item as u32));
            ray.end
        });
        assert!(hit);
        // What ends at once visits nothing that begins later.
        boxes.ray(&ray, &mut (), |items| {
            first += items.len();
            0.0
        });
        assert!(first <= found.len() && first > 0);
    }
    assert!(visited < 300 * 200, "{visited}");
}

/// A rotation, as a quaternion (w, x, y, z).
fn turn(random: &mut Random) -> [f64; 4] {
    let DVec3 { x, y, z } = random.vector();
    let length = (x * x + y * y + z * z + 0.1).sqrt();
    [0.1f64.sqrt(), x, y, z].map(|number| number / length)
}

#[test]
fn pairs_that_touch_are_never_lost() {
    let mut random = Random::new(5);
    let (a, b) = (Cloud::new(6, 1200), Cloud::new(7, 500));
    let (mut tree_a, mut tree_b) = (lazy::<Obb>(&a, 8, 4), lazy::<Obb>(&b, 2, 4));
    let mut counts = Counts::default();
    for round in 0..60 {
        let (item_a, item_b) = (random.below(1200), random.below(500));
        let turn = turn(&mut random);
        // A corner of one on a corner of the other.
        let (p, q) = (outside(&a, a.corners[item_a][1]), outside(&b, b.corners[item_b][2]));
        let turned = Pose::new(turn, [0.0; 3]).expect("valid").transform_point(q);
        let place = Pose::new(turn, (p - turned).to_array()).expect("valid");
        let placement = RelativeFrame::new(&a.frame, &b.frame, &place, 1.0);
        let mut found = false;
        let end = tree_a.pairs(&mut tree_b, &placement, &mut counts, |x, y| {
            found |= x.contains(&(item_a as u32)) && y.contains(&(item_b as u32));
            ControlFlow::Continue(())
        });
        assert!(found && end.is_continue(), "round {round}");
        let mut once = 0;
        let end = tree_a.pairs(&mut tree_b, &placement, &mut (), |_, _| {
            once += 1;
            ControlFlow::Break(())
        });
        assert!(end.is_break() && once == 1);
    }
    assert_eq!((tree_a.validate(), tree_b.validate()), (Ok(()), Ok(())));
    assert!(counts.leaves < 60 * 300 * 125 / 4, "{counts:?}");
}

#[test]
fn the_nearest_pair_is_that_of_brute_force() {
    let mut random = Random::new(8);
    let (a, b) = (Cloud::new(9, 300), Cloud::new(10, 200));
    let (mut tree_a, mut tree_b) = (lazy::<Rss>(&a, 4, 4), lazy::<Rss>(&b, 8, 4));
    for round in 0..20 {
        let away = random.vector().normalize_or(DVec3::X) * [7.0, 9.0][round % 2];
        let place = Pose::new(turn(&mut random), away.to_array()).expect("valid");
        let placement = RelativeFrame::new(&a.frame, &b.frame, &place, [1.0, 0.5][round / 2 % 2]);
        let distance = |x: u32, y: u32| {
            let moved = b.corners[y as usize].map(|q| placement.b_to_a.map(q));
            let own = a.corners[x as usize].iter();
            own.flat_map(|p| moved.map(|q| p.distance(q))).fold(f32::INFINITY, f32::min)
        };
        let all = (0..300).flat_map(|x| (0..200).map(move |y| (x, y)));
        let expected = all.map(|(x, y)| distance(x, y)).fold(f32::INFINITY, f32::min);
        let (mut least, mut asked) = (f32::INFINITY, 0);
        tree_a.nearest(&mut tree_b, &placement, &mut (), |x, y| {
            for (&x, y) in x.iter().flat_map(|x| y.iter().map(move |y| (x, *y))) {
                (least, asked) = (least.min(distance(x, y)), asked + 1);
            }
            least + 1e-5
        });
        assert_eq!(least, expected, "round {round}");
        assert!(asked < 300 * 200 / 3, "round {round}: {asked}");
    }
}

#[test]
fn only_what_is_asked_is_split() {
    let cloud = Cloud::new(11, 20_000);
    let mut tree: LazyTree<Aabb> = lazy(&cloud, 8, 8);
    assert_eq!(tree.node_count(), 1);
    // A question from far away splits nothing.
    let far = [Vec3A::splat(50.0), Vec3A::splat(51.0)];
    assert!(meeting(&mut tree, &cloud, &far).is_empty());
    assert_eq!(tree.node_count(), 1);
    let first = meeting(&mut tree, &cloud, &cloud.corners[17]);
    let split = tree.node_count();
    assert!((2..120).contains(&split), "{split}");
    // The same again splits nothing and answers the same.
    assert_eq!(meeting(&mut tree, &cloud, &cloud.corners[17]), first);
    assert_eq!(tree.node_count(), split);
    tree.open_all();
    assert_eq!(tree.validate(), Ok(()));
    assert!(tree.node_count() > 300);
    // Whatever was asked before, the parts are the same in the end.
    let mut other: LazyTree<Aabb> = lazy(&cloud, 8, 8);
    other.open_all();
    let everything = [Vec3A::splat(-9.0), Vec3A::splat(9.0)];
    let parts = |tree: &mut LazyTree<Aabb>| {
        let mut parts = meeting(tree, &cloud, &everything);
        parts.iter_mut().for_each(|part| part.sort_unstable());
        parts.sort();
        parts
    };
    let mine = parts(&mut tree);
    assert_eq!(mine, parts(&mut other));
    // And those of the builder whose splits it makes.
    let built: Tree<Aabb> = cloud.tree(Builder::BinnedSah);
    let leaves = 0..built.leaf_count() as u32;
    let mut leaves: Vec<Vec<u32>> = leaves.map(|leaf| built.leaf(leaf).to_vec()).collect();
    leaves.iter_mut().for_each(|leaf| leaf.sort_unstable());
    leaves.sort();
    assert_eq!(mine, leaves);
}

#[test]
fn of_nothing_and_of_equals() {
    let empty = Cloud { corners: Vec::new(), ..Cloud::new(1, 3) };
    let mut tree: LazyTree<Obb> = lazy(&empty, 8, 8);
    assert!(tree.root().is_none() && tree.item_count() == 0);
    assert_eq!(tree.validate(), Ok(()));
    assert!(meeting(&mut tree, &empty, &[Vec3A::ZERO]).is_empty());
    let same = Cloud { corners: vec![[Vec3A::X, Vec3A::Y, Vec3A::Z]; 5000], ..Cloud::new(1, 5) };
    let mut tree: LazyTree<Obb> = lazy(&same, 2, 1);
    tree.open_all();
    assert_eq!(tree.validate(), Ok(()));
    assert_eq!(meeting(&mut tree, &same, &[Vec3A::X]).len(), 5000);
}
