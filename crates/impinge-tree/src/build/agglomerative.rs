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

#[derive(Clone, Copy)]
struct Cluster {
    bounds: Bounds,
    /// The item's place, or the joint, as [`Joint::children`] counts.
    node: u32,
    count: u32,
}

/// Joins clusters until one is left.
pub(super) fn build(references: &[Reference], leaf: usize) -> Topology {
    let mut clusters: Vec<Cluster> = morton::along_curve(references)
        .iter()
        .map(|&place| Cluster {
            bounds: Bounds::from(&references[place as usize]),
            node: place,
            count: 1,
        })
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
                    first.bounds.join(Scalar::new(), &second.bounds);
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
fn choose(clusters: &[Cluster]) -> Vec<Option<usize>> {
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

/// The area of both together, then the bits in which their places differ: the same for both, and different for every other.
#[inline(always)]
fn key(clusters: &[Cluster], own: usize, other: usize) -> u64 {
    let mut both = clusters[own].bounds;
    both.join(Scalar::new(), &clusters[other].bounds);
    // No area is negative, and the bits of others are ordered like them.
    u64::from(both.area().to_bits()) << 32 | (own ^ other) as u64
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
