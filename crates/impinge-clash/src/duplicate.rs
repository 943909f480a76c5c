//! Parts that are in the same place several times.

use crate::model::{Model, ModelPart};
use impinge::geom::glam::DVec3;
use std::collections::BTreeMap;

/// The sets of parts that coincide: each ascending, the sets by their first part. Vertices may differ by `tolerance`.
///
/// Parts are compared where their triangle counts are equal and their boxes are alike. Vertices are compared in the order of the
/// files, and, if that fails, in ascending order, so that a copy whose vertices are numbered in another way is found too.
pub(crate) fn duplicates(model: &Model, chosen: &[bool], tolerance: f64) -> Vec<Vec<usize>> {
    let mut candidates: BTreeMap<[usize; 2], Vec<usize>> = BTreeMap::new();
    for (index, part) in model.parts.iter().enumerate() {
        if chosen.get(index) == Some(&true) {
            let mesh = part.instance.mesh();
            let key = [mesh.triangles().len(), mesh.vertices().len()];
            candidates.entry(key).or_default().push(index);
        }
    }
    let mut sets: Vec<Vec<usize>> = Vec::new();
    for list in candidates.values_mut() {
        // Boxes that are alike are neighbours along x; a window along it spares most comparisons.
        let low = |index: usize| model.parts[index].bounds.low.x;
        list.sort_by(|&a, &b| low(a).total_cmp(&low(b)).then(a.cmp(&b)));
        let mut is_taken = vec![false; list.len()];
        for i in 0..list.len() {
            if is_taken[i] {
                continue;
            }
            let mut set = vec![list[i]];
            for j in i + 1..list.len() {
                if low(list[j]) - low(list[i]) > tolerance {
                    break;
                }
                if !is_taken[j] && coincide(&model.parts[list[i]], &model.parts[list[j]], tolerance)
                {
                    is_taken[j] = true;
                    set.push(list[j]);
                }
            }
            if set.len() > 1 {
                set.sort_unstable();
                sets.push(set);
            }
        }
    }
    sets.sort();
    sets
}

fn coincide(a: &ModelPart, b: &ModelPart, tolerance: f64) -> bool {
    let near = |p: DVec3, q: DVec3| (p - q).abs().max_element() <= tolerance;
    if !(near(a.bounds.low, b.bounds.low) && near(a.bounds.high, b.bounds.high)) {
        return false;
    }
    let world = |part: &ModelPart| {
        let vertices = part.instance.mesh().vertices();
        vertices.iter().map(|&p| part.instance.to_world(p)).collect::<Vec<_>>()
    };
    let (mut of_a, mut of_b) = (world(a), world(b));
    let alike = |of_a: &[_], of_b: &[_]| of_a.iter().zip(of_b).all(|(&p, &q)| near(p, q));
    if alike(&of_a, &of_b) {
        return true;
    }
    for list in [&mut of_a, &mut of_b] {
        list.sort_by(|p, q| {
            p.x.total_cmp(&q.x).then(p.y.total_cmp(&q.y)).then(p.z.total_cmp(&q.z))
        });
    }
    alike(&of_a, &of_b)
}
