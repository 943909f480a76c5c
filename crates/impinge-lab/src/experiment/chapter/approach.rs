//! Two bodies that come near each other from random sides.

use crate::error::LabError;
use crate::model::center_and_radius;
use crate::random::Random;
use impinge::geom::Pose;
use impinge::geom::bound::Bound;
use impinge::geom::glam::DVec3;
use impinge::mesh::{self, Mesh, Scratch};

/// Where B touches A first, coming from one side.
#[derive(Clone, Copy, Debug)]
pub(super) struct Approach {
    /// Where B is then.
    pub(super) touching: Pose,
    /// The way it came from, of unit length.
    pub(super) side: DVec3,
    /// The radius of the larger body.
    pub(super) radius: f64,
}

impl Approach {
    /// B turned at random, on its way from a random side to A's middle, up to where it touches.
    pub(super) fn random<B: Bound>(
        a: &Mesh<B>,
        b: &Mesh<B>,
        random: &mut Random,
        scratch: &mut Scratch,
    ) -> Result<Self, LabError> {
        let (center_a, radius_a) = center_and_radius(a.vertices().iter().copied());
        let (center_b, radius_b) = center_and_radius(b.vertices().iter().copied());
        let turned = Pose::new(random.quaternion(), [0.0; 3]).map_err(LabError::failed)?;
        let side = DVec3::from_array(random.direction());
        let at = |height: f64| {
            let to = center_a + side * height - turned.rotate(center_b);
            turned.with_translation(to.to_array()).map_err(LabError::failed)
        };
        let mut height = 1.1 * (radius_a + radius_b);
        // It can go on by the distance, which is never more than the way to the first contact.
        for _ in 0..60 {
            let gap = mesh::distance(a, b, &at(height)?.into(), scratch).distance;
            if gap <= 1e-7 * radius_a || height < 0.0 {
                break;
            }
            height -= gap;
        }
        Ok(Self { touching: at(height)?, side, radius: radius_a.max(radius_b) })
    }

    /// B at a distance from the contact in radii; negative is inside.
    pub(super) fn at(&self, gap: f64) -> Result<Pose, LabError> {
        let to = self.touching.translation() + self.side * (gap * self.radius);
        self.touching.with_translation(to.to_array()).map_err(LabError::failed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Model, ModelShape};
    use impinge::geom::bound::Obb;

    #[test]
    fn bodies_touch_miss_and_meet_where_they_are_said_to() {
        let a: Mesh<Obb> = Model::generate(ModelShape::Knobbly, 500).mesh().unwrap();
        let b: Mesh<Obb> = Model::generate(ModelShape::Torus, 400).mesh().unwrap();
        let (mut random, mut scratch) = (Random::new(3), Scratch::default());
        for _ in 0..20 {
            let approach = Approach::random(&a, &b, &mut random, &mut scratch).unwrap();
            let mut gap = |x: f64| {
                mesh::distance(&a, &b, &approach.at(x).unwrap().into(), &mut scratch).distance
            };
            assert!(gap(0.0) < 1e-5, "{}", gap(0.0));
            assert!(gap(0.01) > 0.0 && gap(0.01) <= 0.0101 * approach.radius);
        }
    }
}
