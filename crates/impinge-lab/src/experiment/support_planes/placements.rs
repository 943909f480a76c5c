//! Two copies of a model at random poses, of which three in five meet.

use crate::error::LabError;
use crate::model::Model;
use crate::random::Random;
use impinge::Pose;
use impinge::geom::glam::DVec3;
use impinge::mesh::{self, Mesh, ScaledPose, Scratch};

/// The published share of poses at which the bodies meet.
const MEETING: f64 = 0.6;

/// Poses of the second body in the frame of the first, and whether they meet.
pub(super) struct Placements {
    places: Vec<(ScaledPose, bool)>,
}

impl Placements {
    /// `count` placements: any rotation, any translation in a cube of the size that makes three in five meet.
    pub(super) fn new(
        mesh: &Mesh,
        model: &Model,
        count: usize,
        seed: u64,
    ) -> Result<Self, LabError> {
        let (center, radius) = model.center_and_radius();
        let half = spread(mesh, center, radius, seed)?;
        let mut random = Random::new(seed);
        let mut scratch = Scratch::default();
        let mut places = Vec::with_capacity(count);
        for _ in 0..count {
            let place = any(&mut random, center, half)?;
            places.push((place, mesh::overlap(mesh, mesh, &place, &mut scratch)));
        }
        Ok(Self { places })
    }

    /// Where the second body is, and whether they meet.
    pub(super) fn each(&self) -> impl Iterator<Item = (&ScaledPose, bool)> {
        self.places.iter().map(|(place, meet)| (place, *meet))
    }

    /// How many there are.
    pub(super) fn count(&self) -> usize {
        self.places.len()
    }

    /// The share of those that meet.
    pub(super) fn meeting(&self) -> f64 {
        let count = self.places.iter().filter(|(_, meet)| *meet).count();
        count as f64 / self.places.len().max(1) as f64
    }
}

/// Turned about the centre, then moved.
fn any(random: &mut Random, center: DVec3, half: f64) -> Result<ScaledPose, LabError> {
    let turn = Pose::new(random.quaternion(), [0.0; 3]).map_err(LabError::failed)?;
    let way = DVec3::from(random.point()) * half;
    let translation = center + way - turn.rotate(center);
    Ok(turn.with_translation(translation.to_array()).map_err(LabError::failed)?.into())
}

/// The half side of the cube of translations, by halving.
fn spread(mesh: &Mesh, center: DVec3, radius: f64, seed: u64) -> Result<f64, LabError> {
    let (mut low, mut high) = (0.0, 3.0 * radius);
    let mut scratch = Scratch::default();
    for _ in 0..12 {
        let half = 0.5 * (low + high);
        let mut random = Random::new(seed ^ 0x5eed);
        let mut meeting = 0;
        for _ in 0..1_000 {
            let place = any(&mut random, center, half)?;
            meeting += u32::from(mesh::overlap(mesh, mesh, &place, &mut scratch));
        }
        *(if f64::from(meeting) > 1_000.0 * MEETING { &mut low } else { &mut high }) = half;
    }
    Ok(0.5 * (low + high))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::ModelShape;

    #[test]
    fn three_in_five_meet() {
        let model = Model::generate(ModelShape::Torus, 300);
        let placements = Placements::new(&model.mesh().unwrap(), &model, 1_000, 1).unwrap();
        assert!((placements.meeting() - MEETING).abs() < 0.05, "{}", placements.meeting());
        assert_eq!(placements.each().count(), 1_000);
    }
}
