//! Bottom-up: the nearest two become one.
//!
//! D. Meister and J. Bittner, "Parallel locally-ordered clustering for bounding volume hierarchy construction" (2018). Items are sorted
//! along the Morton curve. In each round every cluster looks for the one within [`REACH`] places with which its box would have the
//! least area, and those that choose each other are joined; all choices are made at once. Uniting boxes never makes
//! them smaller, so that joining all such pairs at once gives the tree of joining the least pair each time, as far as they see each other.
//!
//! Ties are decided by the bits in which the two places differ: then in a row of equals all join, in pairs. Rounds in which few choose
//! each other, as along ever wider gaps, also join neighbours on the curve, so that the number of rounds stays logarithmic.

use super::linked::{Joint, Linked};
use super::morton;
use super::reference::{Bounds, Reference};
use crate::parallel::list;
use crate::topology::Topology;
use impinge_geom::simd::Scalar;

/// How many places along the curve a cluster looks, to both sides.
const REACH: usize = 16;

/// At least one cluster in this many is joined to another in a round.
const PROGRESS: usize = 16;

/// What a cluster looks like to others. Uniting never makes it smaller.
pub(super) trait Shape: Copy + Send + Sync {
    /// Takes in another.
    fn join(&mut self, other: &Self);
    /// Not negative: the smallest union is the nearest.
    fn size(&self) -> f32;
}

impl Shape for Bounds {
    #[inline(always)]
    fn join(&mut self, other: &Self) {
        self.join(Scalar::new(), other);
    }

    #[inline(always)]
    fn size(&self) -> f32 {
        self.area()
    }
}

#[derive(Clone, Copy)]
struct Cluster<S> {
    shape: S,
    /// The item's place, or the joint, as [`Joint::children`] counts.
    node: u32,
    count: u32,
}

/// Joins clusters, of one item each at first, until one is left.
pub(super) fn build<S: Shape>(
    references: &[Reference],
    shape: impl Fn(&Reference) -> S,
    leaf: usize,
) -> Topology {
    let mut clusters: Vec<Cluster<S>> = morton::along_curve(references)
        .iter()
        .map(|&place| Cluster { shape: shape(&references[place as usize]), node: place, count: 1 })
        .collect();
    let mut joints = Vec::with_capacity(clusters.len().saturating_sub(1));
    while clusters.len() > 1 {
        let mut partners = choose(&clusters);
        let mutual = partners.iter().filter(|partner| partner.is_some()).count();
        if mutual < 2 * clusters.len().div_ceil(PROGRESS) {
            pair_up(&mut partners);
        }
        let mut left = Vec::with_capacity(clusters.len());
        for (own, partner) in partners.iter().enumerate() {
            match *partner {
                None => left.push(clusters[own]),
                Some(other) if own < other => {
                    let (mut first, second) = (clusters[own], clusters[other]);
                    first.shape.join(&second.shape);
                    first.count += second.count;
                    joints.push(Joint { children: [first.node, second.node], count: first.count });
                    first.node = (references.len() + joints.len() - 1) as u32;
                    left.push(first);
                }
                Some(_) => {}
            }
        }
        clusters = left;
    }
    let root = clusters.first().map_or(0, |cluster| cluster.node);
    Linked { references, joints: &joints }.topology(root, leaf)
}

/// For each cluster the one that it chooses and is chosen by.
fn choose<S: Shape>(clusters: &[Cluster<S>]) -> Vec<Option<usize>> {
    let nearest = list(clusters.len(), |own| {
        let (low, high) = (own.saturating_sub(REACH), (own + REACH + 1).min(clusters.len()));
        let others = (low..high).filter(|&other| other != own);
        others.min_by_key(|&other| key(clusters, own, other)).unwrap_or(own)
    });
    list(clusters.len(), |own| {
        let other = nearest[own];
        (other != own && nearest[other] == own).then_some(other)
    })
}

/// The size of both together, then the bits in which their places differ: the same for both, and different for every other.
#[inline(always)]
fn key<S: Shape>(clusters: &[Cluster<S>], own: usize, other: usize) -> u64 {
    // The same way around for both, so that the last bit is too.
    let mut both = clusters[own.min(other)].shape;
    both.join(&clusters[own.max(other)].shape);
    // No size is negative, and the bits of others are ordered like them.
    u64::from(both.size().to_bits()) << 32 | (own ^ other) as u64
}

/// Neighbours that have no partner become each other's.
fn pair_up(partners: &mut [Option<usize>]) {
    let mut alone = None;
    for own in 0..partners.len() {
        if partners[own].is_some() {
            continue;
        }
        alone = match alone {
            None => Some(own),
            Some(before) => {
                (partners[before], partners[own]) = (Some(own), Some(before));
                None
            }
        };
    }
}
