//! A hash of a step's report.

use super::{BodyId, PairReport};
use crate::contact::{Contact, ContactManifold};
use crate::query::PartFeature;
use impinge_geom::glam::DVec3;
use impinge_geom::{Inside, Verdict};

/// Mixes words one after the other, by the multiplication of FNV-1a on whole words and a final mix.
pub(crate) struct Hasher {
    state: u64,
}

impl Default for Hasher {
    fn default() -> Self {
        Self { state: 0xcbf2_9ce4_8422_2325 }
    }
}

impl Hasher {
    pub(crate) fn word(&mut self, word: u64) {
        let mixed = (self.state ^ word).wrapping_mul(0x0000_0100_0000_01b3);
        self.state = mixed ^ (mixed >> 29);
    }

    pub(crate) fn finish(self) -> u64 {
        let mixed = (self.state ^ (self.state >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd);
        mixed ^ (mixed >> 33)
    }

    fn number(&mut self, number: f64) {
        self.word(number.to_bits());
    }

    pub(crate) fn vector(&mut self, vector: DVec3) {
        vector.to_array().into_iter().for_each(|number| self.number(number));
    }

    pub(crate) fn bodies(&mut self, bodies: [BodyId; 2]) {
        for body in bodies {
            self.word(u64::from(body.index) << 32 | u64::from(body.generation));
        }
    }

    fn features(&mut self, features: [PartFeature; 2]) {
        for PartFeature { triangle, feature } in features {
            self.word(triangle.map_or(u64::MAX, u64::from));
            self.word((feature.kind as u64) << 32 | u64::from(feature.index));
        }
    }

    pub(crate) fn pair(&mut self, pair: &PairReport) {
        self.bodies(pair.bodies);
        pair.children.into_iter().for_each(|child| self.word(u64::from(child)));
        self.word(match pair.verdict {
            Verdict::Separated => 0,
            Verdict::Touching => 1,
            Verdict::Penetrating => 2,
            Verdict::Contained(Inside::A) => 3,
            Verdict::Contained(Inside::B) => 4,
        });
        self.word(pair.certainty as u64);
        if let Some(found) = &pair.distance {
            self.number(found.distance);
            self.number(found.uncertainty);
            found.points.into_iter().for_each(|point| self.vector(point));
            self.vector(found.normal);
            self.features(found.features);
            self.word(found.certainty as u64);
        }
    }

    pub(crate) fn manifold(&mut self, manifold: &ContactManifold, contacts: &[Contact]) {
        self.vector(manifold.normal);
        for contact in contacts {
            self.word(contact.id);
            self.word(u64::from(contact.age));
            self.number(contact.distance);
            contact.points.into_iter().for_each(|point| self.vector(point));
            self.features(contact.features);
        }
    }
}
