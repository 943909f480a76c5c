//! From contact points of many triangles to a few manifolds: one for each normal, of at most four points.

use super::UnmatchedManifold;
use crate::query::ManifoldPoint;
use impinge_geom::glam::DVec3;
use impinge_geom::number::tolerance::{
    MESH_CONTACT_AREA, MESH_CONTACT_TIE, ONE_MANIFOLD, PREFERENCE,
};

/// A contact point with its normal, in the world.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    pub(super) normal: DVec3,
    pub(super) point: ManifoldPoint,
}

/// Contact points of two parts, by what their normals are worth.
#[derive(Clone, Debug, Default)]
pub(super) struct Gathered {
    /// With normals that the surfaces have.
    real: Vec<Candidate>,
    /// Along the normals of faces whose own contact was a ghost: they add to what is real, or stand in for it.
    along: Vec<Candidate>,
    /// The deepest of the ghosts, for want of anything better.
    ghost: Option<Candidate>,
    group: Vec<Candidate>,
}

impl Gathered {
    pub(super) fn clear(&mut self) {
        self.real.clear();
        self.along.clear();
        self.ghost = None;
    }

    pub(super) fn add_ghost(&mut self, candidate: Candidate) {
        let is_deeper = |ghost: &Candidate| candidate.point.distance < ghost.point.distance;
        if self.ghost.as_ref().is_none_or(is_deeper) {
            self.ghost = Some(candidate);
        }
    }

    pub(super) fn add_real(&mut self, candidate: Candidate) {
        self.real.push(candidate);
    }

    pub(super) fn add_along(&mut self, candidate: Candidate) {
        self.along.push(candidate);
    }

    /// Adds a manifold for each normal.
    pub(super) fn finish(&mut self, manifolds: &mut Vec<UnmatchedManifold>) {
        let is_one = |a: DVec3, b: DVec3| a.dot(b) >= ONE_MANIFOLD;
        if self.real.is_empty() {
            let shallow = self.shallowest(is_one);
            // Ghosts that do not meet do not hold anything up.
            let ghost = self.ghost.filter(|ghost| ghost.point.distance <= 0.0);
            self.real.extend(shallow.or(ghost));
        }
        for candidate in &self.along {
            if self.real.iter().any(|real| is_one(real.normal, candidate.normal)) {
                self.real.push(*candidate);
            }
        }
        while let Some(first) = self.real.first() {
            let normal = first.normal;
            self.group.clear();
            self.group.extend(self.real.iter().filter(|other| is_one(normal, other.normal)));
            self.real.retain(|other| !is_one(normal, other.normal));
            manifolds.push(reduced(normal, &self.group));
        }
    }
}

impl Gathered {
    /// The deepest point along the face normal of least penetration. Each normal is judged by its deepest point: points of coplanar faces have depth zero,
    /// however far the bodies reach beyond them.
    fn shallowest(&self, is_one: impl Fn(DVec3, DVec3) -> bool) -> Option<Candidate> {
        let mut deepest: Vec<Candidate> = Vec::new();
        for candidate in &self.along {
            match deepest.iter_mut().find(|known| is_one(known.normal, candidate.normal)) {
                Some(known) if candidate.point.distance < known.point.distance => {
                    known.point = candidate.point;
                }
                Some(_) => {}
                None => deepest.push(*candidate),
            }
        }
        deepest.into_iter().reduce(|best, other| {
            if other.point.distance > best.point.distance { other } else { best }
        })
    }
}

/// Up to four of the points: the deepest, the one farthest from it, and on both sides of these two the one that spans most. Of several at
/// one place the first is taken: neighbouring triangles give the corners that they share more than once.
fn reduced(normal: DVec3, group: &[Candidate]) -> UnmatchedManifold {
    let size = group
        .iter()
        .map(|candidate| candidate.point.points[0].abs().max_element())
        .fold(0.0, f64::max);
    let tie = MESH_CONTACT_TIE * size;
    let mut unmatched = UnmatchedManifold::new(normal);
    let least = group.iter().map(|c| c.point.distance).fold(f64::INFINITY, f64::min);
    let Some(first) = group.iter().position(|c| c.point.distance <= least + tie) else {
        return unmatched;
    };
    let at = |k: usize| group.get(k).map_or(DVec3::ZERO, |c| c.point.points[0]);
    let p = at(first);
    let second = largest(group.len(), |k| (at(k) - p).length_squared() - tie * tie);
    let way = second.map_or(DVec3::ZERO, |k| at(k) - p);
    let area = |k: usize| normal.dot(way.cross(at(k) - p));
    let noise = MESH_CONTACT_AREA * way.length_squared();
    let left = largest(group.len(), |k| area(k) - noise);
    let right = largest(group.len(), |k| -area(k) - noise);
    let mut rest = [second, left, right].map(|k| k.unwrap_or(usize::MAX));
    rest.sort_unstable();
    let chosen = std::iter::once(first).chain(rest.into_iter().filter(|k| *k != first));
    chosen.filter_map(|k| group.get(k)).for_each(|candidate| unmatched.push(candidate.point));
    unmatched
}

/// The first index with the largest value, if that is above zero.
fn largest(count: usize, value: impl Fn(usize) -> f64) -> Option<usize> {
    let mut best = (0.0, None);
    for k in 0..count {
        if value(k) > best.0 * PREFERENCE {
            best = (value(k), Some(k));
        }
    }
    best.1
}
