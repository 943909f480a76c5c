//! Convex hulls of a few points by brute force over all planes through three of them, in integers of any length.

use crate::integers::{Vector, cross, dot, integers, minus, sign};
use glam::DVec3;
use num_bigint::BigInt;
use std::collections::BTreeSet;

/// A hull as sets of input indices; of equal points only the first counts.
#[derive(Debug, PartialEq)]
pub(crate) struct Expected {
    pub(crate) dimension: u8,
    pub(crate) vertices: Vec<u32>,
    /// The vertices of every face, sorted; for a flat hull, whose two faces have the same vertices, only one.
    pub(crate) faces: BTreeSet<Vec<u32>>,
    pub(crate) edges: BTreeSet<[u32; 2]>,
}

fn is_zero(v: &Vector) -> bool {
    v.iter().all(|x| *x == BigInt::ZERO)
}

/// The hull of the points, in time O(n^4).
pub(crate) fn expected(points: &[DVec3]) -> Expected {
    let (all, _) = integers(points);
    let kept: Vec<u32> =
        (0..all.len() as u32).filter(|i| !all[..*i as usize].contains(&all[*i as usize])).collect();
    let at = |i: u32| &all[i as usize];
    let first = kept[0];
    let Some(second) = kept.iter().copied().find(|i| *i != first) else {
        return Expected {
            dimension: 0,
            vertices: vec![first],
            faces: BTreeSet::new(),
            edges: BTreeSet::new(),
        };
    };
    let along = minus(at(second), at(first));
    let normal =
        kept.iter().map(|i| cross(&along, &minus(at(*i), at(first)))).find(|n| !is_zero(n));
    let Some(normal) = normal else {
        let height = |i: &u32| dot(&along, &minus(at(*i), at(first)));
        let ends: BTreeSet<u32> =
            [kept.iter().min_by_key(|i| height(i)), kept.iter().max_by_key(|i| height(i))]
                .into_iter()
                .map(|i| *i.unwrap())
                .collect();
        let vertices: Vec<u32> = ends.into_iter().collect();
        let edges = BTreeSet::from([[vertices[0], vertices[1]]]);
        return Expected { dimension: 1, vertices, faces: BTreeSet::new(), edges };
    };
    let flat = kept.iter().all(|i| dot(&normal, &minus(at(*i), at(first))) == BigInt::ZERO);
    if flat { polygon(&all, &kept, &normal) } else { solid(&all, &kept) }
}

/// All sets of points on lines with all points on one side; a vertex is on two of them.
fn polygon(all: &[Vector], kept: &[u32], normal: &Vector) -> Expected {
    let mut lines: BTreeSet<Vec<u32>> = BTreeSet::new();
    for i in kept {
        for j in kept.iter().filter(|j| *j > i) {
            let inward = cross(normal, &minus(&all[*j as usize], &all[*i as usize]));
            let signs: Vec<i32> = kept
                .iter()
                .map(|k| sign(&dot(&inward, &minus(&all[*k as usize], &all[*i as usize]))))
                .collect();
            if signs.iter().all(|s| *s >= 0) || signs.iter().all(|s| *s <= 0) {
                lines.insert(
                    kept.iter().zip(&signs).filter(|(_, s)| **s == 0).map(|(k, _)| *k).collect(),
                );
            }
        }
    }
    let is_vertex = |k: &u32| lines.iter().filter(|line| line.contains(k)).count() == 2;
    let vertices: Vec<u32> = kept.iter().copied().filter(|k| is_vertex(k)).collect();
    let edges = lines
        .iter()
        .map(|line| {
            let ends: Vec<u32> = line.iter().copied().filter(|k| is_vertex(k)).collect();
            assert_eq!(ends.len(), 2, "a border line has two ends");
            [ends[0], ends[1]]
        })
        .collect();
    Expected { dimension: 2, faces: BTreeSet::from([vertices.clone()]), vertices, edges }
}

/// All sets of points on planes with all points on one side; a vertex is where three independent ones meet.
fn solid(all: &[Vector], kept: &[u32]) -> Expected {
    let mut planes: Vec<(Vec<u32>, Vector)> = Vec::new();
    for (x, i) in kept.iter().enumerate() {
        for (y, j) in kept.iter().enumerate().skip(x + 1) {
            let along = minus(&all[*j as usize], &all[*i as usize]);
            for k in &kept[y + 1..] {
                if planes.iter().any(|(set, _)| [i, j, k].iter().all(|p| set.contains(p))) {
                    continue;
                }
                let normal = cross(&along, &minus(&all[*k as usize], &all[*i as usize]));
                if is_zero(&normal) {
                    continue;
                }
                let signs: Vec<i32> = kept
                    .iter()
                    .map(|l| sign(&dot(&normal, &minus(&all[*l as usize], &all[*i as usize]))))
                    .collect();
                if signs.iter().all(|s| *s >= 0) || signs.iter().all(|s| *s <= 0) {
                    let on = kept.iter().zip(&signs).filter(|(_, s)| **s == 0).map(|(l, _)| *l);
                    planes.push((on.collect(), normal));
                }
            }
        }
    }
    let is_vertex = |k: &u32| {
        let normals: Vec<&Vector> =
            planes.iter().filter(|(set, _)| set.contains(k)).map(|(_, n)| n).collect();
        normals.iter().any(|a| {
            normals.iter().any(|b| {
                let line = cross(a, b);
                !is_zero(&line) && normals.iter().any(|c| dot(&line, c) != BigInt::ZERO)
            })
        })
    };
    let vertices: Vec<u32> = kept.iter().copied().filter(|k| is_vertex(k)).collect();
    let faces: BTreeSet<Vec<u32>> = planes
        .iter()
        .map(|(set, _)| set.iter().copied().filter(|k| vertices.contains(k)).collect())
        .collect();
    let mut edges = BTreeSet::new();
    for (x, u) in vertices.iter().enumerate() {
        for v in &vertices[x + 1..] {
            if faces.iter().filter(|face| face.contains(u) && face.contains(v)).count() == 2 {
                edges.insert([*u, *v]);
            }
        }
    }
    Expected { dimension: 3, vertices, faces, edges }
}
