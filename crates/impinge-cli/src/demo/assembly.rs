//! What an assembly is, and the first of the built-in ones: a robot that puts parts into a bin, in millimetres, z up.

use crate::body::{Body, Form};
use impinge::geom::{GeometryError, Pose, Shape};

/// Parts, and what was meant.
pub(crate) struct Assembly {
    pub(crate) title: &'static str,
    pub(crate) parts: Vec<Part>,
    /// The pairs that are meant to meet, or to pass each other closely.
    pub(crate) design: &'static [(&'static str, &'static str, Design)],
}

/// A named body of an assembly.
pub(crate) struct Part {
    pub(crate) name: &'static str,
    pub(crate) body: Body,
}

/// What the designer meant two parts to do with each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Design {
    /// Two links that share a joint overlap there, as does what is let into the floor.
    Joint,
    /// One stands or lies on the other.
    Rests,
    /// One is kept inside the other.
    Holds,
    /// One moves along the other with some play.
    Runs,
}

/// Parts that are not meant to meet keep at least this far apart, in millimetres.
pub(crate) const CLEARANCE: f64 = 25.0;
/// Parts that move along each other have at least this much play, in millimetres.
pub(crate) const PLAY: f64 = 0.1;

/// The pairs that are meant to meet.
const DESIGN: &[(&str, &str, Design)] = &[
    ("floor", "pedestal", Design::Rests),
    ("floor", "cabinet", Design::Rests),
    ("floor", "fence", Design::Joint),
    ("cabinet", "table top", Design::Rests),
    ("table top", "bin", Design::Rests),
    ("table top", "wedge", Design::Rests),
    ("bin", "lid", Design::Rests),
    ("bin", "ball", Design::Holds),
    ("pedestal", "shoulder", Design::Joint),
    ("shoulder", "upper arm", Design::Joint),
    ("upper arm", "forearm", Design::Joint),
    ("forearm", "gripper", Design::Joint),
];

/// No rotation.
const UPRIGHT: [f64; 4] = [1.0, 0.0, 0.0, 0.0];
/// About y, so that z goes to (0.5376, 0, 0.8432): the upper arm leans forward.
const FORWARD: [f64; 4] = [0.96, 0.0, 0.28, 0.0];
/// About y, so that z goes to (0.96, 0, -0.28): the forearm reaches out, a little downwards.
const REACHING: [f64; 4] = [0.6, 0.0, 0.8, 0.0];
/// Half a turn about x: what pointed up points down.
const UPSIDE_DOWN: [f64; 4] = [0.0, 1.0, 0.0, 0.0];

/// The robot cell. Three things are wrong with it, for the check to find.
pub(super) fn cell() -> Result<Assembly, GeometryError> {
    let wedge = [
        [700.0, -60.0, 500.0],
        [800.0, -60.0, 500.0],
        [700.0, 60.0, 500.0],
        [800.0, 60.0, 500.0],
        [750.0, -60.0, 600.0],
        [750.0, 60.0, 600.0],
    ];
    // A millionth of a millimetre above the bin, whose rim is at z = 660.
    let lid_height = 665.000_001;
    let list = [
        ("floor", Shape::half_space([0.0, 0.0, 1.0], 0.0)?, UPRIGHT, [0.0; 3]),
        ("pedestal", Shape::cylinder(150.0, 200.0)?, UPRIGHT, [0.0, 0.0, 200.0]),
        ("shoulder", Shape::sphere(120.0)?, UPRIGHT, [0.0, 0.0, 500.0]),
        ("upper arm", Shape::capsule(70.0, 250.0)?, FORWARD, [134.4, 0.0, 710.8]),
        ("forearm", Shape::tapered_capsule(60.0, 45.0, 250.0)?, REACHING, [508.8, 0.0, 851.6]),
        (
            "gripper",
            Shape::cuboid([60.0, 40.0, 70.0])?.rounded(10.0)?,
            UPRIGHT,
            [750.0, 0.0, 700.0],
        ),
        ("cabinet", Shape::cuboid([250.0, 350.0, 230.0])?, UPRIGHT, [800.0, 0.0, 230.0]),
        ("table top", Shape::cuboid([300.0, 450.0, 20.0])?, UPRIGHT, [800.0, 0.0, 480.0]),
        ("wedge", Shape::hull(&wedge)?, UPRIGHT, [0.0; 3]),
        ("bin", Shape::cuboid([150.0, 120.0, 80.0])?, UPRIGHT, [800.0, 280.0, 580.0]),
        ("lid", Shape::cuboid([150.0, 120.0, 5.0])?, UPRIGHT, [800.0, 280.0, lid_height]),
        ("ball", Shape::sphere(25.0)?, UPRIGHT, [820.0, 260.0, 580.0]),
        ("camera", Shape::ellipsoid([60.0, 40.0, 30.0])?, UPRIGHT, [500.0, 85.0, 860.0]),
        ("glue nozzle", Shape::cone(30.0, 80.0)?, UPSIDE_DOWN, [750.0, -150.0, 650.0]),
        (
            "light beam",
            Shape::segment([[400.0, -600.0, 650.0], [400.0, 600.0, 650.0]])?,
            UPRIGHT,
            [0.0; 3],
        ),
        ("fence", Shape::plane([1.0, 0.0, 0.0], 1300.0)?, UPRIGHT, [0.0; 3]),
    ];
    let part = |(name, shape, rotation, translation)| {
        let pose = Pose::new(rotation, translation)?;
        Ok(Part { name, body: Body { form: Form::Shape(shape), pose } })
    };
    let parts = list.into_iter().map(part).collect::<Result<Vec<_>, _>>()?;
    Ok(Assembly { title: "A robot cell", parts, design: DESIGN })
}

impl Assembly {
    /// What the two parts, in either order, are meant to do with each other.
    pub(crate) fn design(&self, a: &str, b: &str) -> Option<Design> {
        let meant = self.design.iter().find(|(x, y, _)| [*x, *y] == [a, b] || [*x, *y] == [b, a]);
        meant.map(|(_, _, design)| *design)
    }
}

#[cfg(test)]
mod tests {
    use super::super::gears::train;
    use super::cell;

    #[test]
    fn designs_name_parts_that_exist() {
        for assembly in [cell().unwrap(), train().unwrap()] {
            let exists = |name: &str| assembly.parts.iter().any(|part| part.name == name);
            assert!(assembly.design.iter().all(|(a, b, _)| exists(a) && exists(b)));
        }
    }
}
