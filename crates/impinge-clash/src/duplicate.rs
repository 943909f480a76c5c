//! Parts that are in the same place several times.

use crate::model::{Model, ModelPart};
use impinge::geom::glam::DVec3;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Parts with the same geometry in the same place.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Copies {
    /// Ascending.
    pub(crate) parts: Vec<usize>,
    /// The largest distance between a vertex of the first part and that of a copy.
    pub(crate) apart: f64,
    /// The distance up to which vertices were taken for the same.
    pub(crate) within: f64,
}

/// The sets of parts that coincide, by their first part. Vertices may be `within` of each other.
///
/// Parts are compared where they have as many vertices and triangles and their boxes are alike. Vertices are compared in the order of the files, and, if
/// that fails, in ascending order, so that a copy whose vertices are numbered in another way is found too. Triangles must join the same vertices: bodies
/// with the same corners may still be different ones.
pub(crate) fn duplicates(model: &Model, chosen: &[bool], within: f64) -> Vec<Copies> {
    let mut candidates: BTreeMap<[usize; 2], Vec<usize>> = BTreeMap::new();
    for (index, part) in model.parts.iter().enumerate() {
        if chosen.get(index) == Some(&true) {
            let mesh = part.instance.mesh();
            let key = [mesh.triangles().len(), mesh.vertices().len()];
            candidates.entry(key).or_default().push(index);
        }
    }
    let mut sets: Vec<Copies> = Vec::new();
    for mut list in candidates.into_values().flat_map(|list| alike(model, list, within)) {
        // Boxes that are alike are neighbours along x; a window along it spares most comparisons.
        let low = |index: usize| model.parts[index].bounds.low.x;
        list.sort_by(|&a, &b| low(a).total_cmp(&low(b)).then(a.cmp(&b)));
        let mut is_taken = vec![false; list.len()];
        for i in 0..list.len() {
            if is_taken[i] {
                continue;
            }
            let mut copies = Copies { parts: vec![list[i]], apart: 0.0, within };
            for j in i + 1..list.len() {
                if low(list[j]) - low(list[i]) > within {
                    break;
                }
                if is_taken[j] {
                    continue;
                }
                if let Some(apart) = apart(&model.parts[list[i]], &model.parts[list[j]], within) {
                    is_taken[j] = true;
                    copies.parts.push(list[j]);
                    copies.apart = copies.apart.max(apart);
                }
            }
            if copies.parts.len() > 1 {
                copies.parts.sort_unstable();
                sets.push(copies);
            }
        }
    }
    sets.sort_by(|x, y| x.parts.cmp(&y.parts));
    sets
}

/// How often parts are put in order to split them.
const MOST_ROUNDS: usize = 24;

/// Splits parts into those whose boxes may be alike: in the order of each of the six numbers of a box, neighbours are no more than `within` apart. A wall of
/// bricks, whose boxes all begin at one x, is not compared brick by brick.
fn alike(model: &Model, list: Vec<usize>, within: f64) -> Vec<Vec<usize>> {
    let number = |index: usize, axis: usize| {
        let bounds = &model.parts[index].bounds;
        if axis < 3 { bounds.low[axis] } else { bounds.high[axis - 3] }
    };
    let mut done = Vec::new();
    // Which number is next, how many before it did not split, and how many were looked at in all.
    let mut waiting = vec![(list, 0, 0, 0)];
    while let Some((mut list, axis, whole, rounds)) = waiting.pop() {
        if list.len() < 2 {
            continue;
        }
        if whole == 6 || rounds == MOST_ROUNDS {
            done.push(list);
            continue;
        }
        list.sort_by(|&a, &b| number(a, axis).total_cmp(&number(b, axis)).then(a.cmp(&b)));
        let runs = list.chunk_by(|&a, &b| number(b, axis) - number(a, axis) <= within);
        for run in runs {
            let whole = if run.len() == list.len() { whole + 1 } else { 1 };
            waiting.push((run.to_vec(), (axis + 1) % 6, whole, rounds + 1));
        }
    }
    done
}

/// The largest distance between vertices of two parts with the same geometry; None if they do not coincide.
fn apart(a: &ModelPart, b: &ModelPart, within: f64) -> Option<f64> {
    let near = |p: DVec3, q: DVec3| p.distance(q) <= within;
    if !(near(a.bounds.low, b.bounds.low) && near(a.bounds.high, b.bounds.high)) {
        return None;
    }
    let [one, two] = [&a.instance, &b.instance];
    if Arc::ptr_eq(one.mesh(), two.mesh()) && one.pose() == two.pose() && one.scale() == two.scale()
    {
        return Some(0.0);
    }
    let world = |part: &ModelPart| {
        let vertices = part.instance.mesh().vertices();
        // Zero has one sign here.
        vertices.iter().map(|&p| part.instance.to_world(p) + DVec3::ZERO).collect::<Vec<_>>()
    };
    let (of_a, of_b) = (world(a), world(b));
    let in_order: Vec<usize> = (0..of_a.len()).collect();
    let sorted = |list: &[DVec3]| {
        let mut order = in_order.clone();
        let key = |k: usize| list[k];
        order.sort_by(|&i, &j| {
            let (p, q) = (key(i), key(j));
            p.x.total_cmp(&q.x).then(p.y.total_cmp(&q.y)).then(p.z.total_cmp(&q.z))
        });
        order
    };
    let largest = |one: &[usize], two: &[usize]| {
        let pairs = one.iter().zip(two).map(|(&i, &j)| of_a[i].distance(of_b[j]));
        pairs.fold(0.0, f64::max)
    };
    let direct = largest(&in_order, &in_order);
    if direct <= within && same_triangles(a, b, [&in_order, &in_order], &of_a) {
        return Some(direct);
    }
    let orders = [sorted(&of_a), sorted(&of_b)];
    let other = largest(&orders[0], &orders[1]);
    (other <= within && same_triangles(a, b, [&orders[0], &orders[1]], &of_a)).then_some(other)
}

/// True if the triangles of both parts join the same vertices, where the k-th of one order is the k-th of the other.
fn same_triangles(a: &ModelPart, b: &ModelPart, orders: [&[usize]; 2], of_a: &[DVec3]) -> bool {
    // Vertices in one place, as meshes with sharp edges have them, count as one.
    let mut numbers = [vec![0u32; of_a.len()], vec![0u32; of_a.len()]];
    let mut number = 0;
    for (k, (&i, &j)) in orders[0].iter().zip(orders[1]).enumerate() {
        if k > 0 && of_a[orders[0][k - 1]] != of_a[i] {
            number += 1;
        }
        numbers[0][i] = number;
        numbers[1][j] = number;
    }
    let triangles = |part: &ModelPart, numbers: &[u32]| {
        let corner = |k: u32| numbers.get(k as usize).copied().unwrap_or(u32::MAX);
        let mut list: Vec<[u32; 3]> = part
            .instance
            .mesh()
            .triangles()
            .iter()
            .map(|triangle| {
                let mut corners = triangle.map(corner);
                corners.sort_unstable();
                corners
            })
            .collect();
        list.sort_unstable();
        list
    };
    triangles(a, &numbers[0]) == triangles(b, &numbers[1])
}
