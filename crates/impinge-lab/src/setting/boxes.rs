//! Pairs of boxes, by how far they are from touching.

use crate::random::Random;
use impinge::geom::glam::DVec3;
use impinge::geom::{GeometryError, Pose};

/// Two boxes and the way that leads from the centre of the first to that of the second.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Boxes {
    /// Half of the sides.
    pub(crate) half: [[f64; 3]; 2],
    /// How the second is turned against the first.
    pub(crate) turned: Pose,
    /// Of unit length.
    pub(crate) way: DVec3,
}

impl Boxes {
    /// Half sides from 0.2 to 1, in any orientation.
    pub(crate) fn random(random: &mut Random) -> Result<Self, GeometryError> {
        let half = std::array::from_fn(|_| std::array::from_fn(|_| random.between(0.2, 1.0)));
        let turned = Pose::new(random.quaternion(), [0.0; 3])?;
        Ok(Self { half, turned, way: DVec3::from_array(random.direction()) })
    }

    /// How far the centres are apart where the boxes touch as seen along the way.
    pub(crate) fn touching(&self) -> f64 {
        let reach = |half: [f64; 3], way: DVec3| DVec3::from_array(half).dot(way.abs());
        reach(self.half[0], self.way) + reach(self.half[1], self.turned.inverse_rotate(self.way))
    }

    /// Where the second box is at a multiple of the distance of [`Boxes::touching`]. Above one, the boxes are apart.
    pub(crate) fn at(&self, factor: f64) -> Result<Pose, GeometryError> {
        self.turned.with_translation((self.way * self.touching() * factor).to_array())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use impinge::geom::pair::box_box;
    use impinge::geom::shape::Cuboid;

    #[test]
    fn boxes_are_apart_beyond_touching_and_meet_where_they_are_near() {
        let mut random = Random::new(3);
        for _ in 0..500 {
            let boxes = Boxes::random(&mut random).unwrap();
            let [a, b] = boxes.half.map(|half| Cuboid::new(half).unwrap());
            let meet = |factor| box_box::overlap_axes(&a, &b, &boxes.at(factor).unwrap());
            assert!(meet(0.1) && !meet(1.001), "{boxes:?}");
        }
    }

    #[test]
    fn aligned_boxes_touch_along_an_axis() {
        let half = [[1.0, 0.5, 0.25], [0.5, 1.0, 2.0]];
        let boxes = Boxes { half, turned: Pose::IDENTITY, way: DVec3::Z };
        assert_eq!(boxes.at(2.0).unwrap().translation(), DVec3::Z * 4.5);
    }
}
