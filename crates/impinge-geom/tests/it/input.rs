//! What constructors refuse, and how they say it.

use glam::DVec3;
use impinge_geom::{GeometryError, Pose, Shape, Support, SupportPoint};
use std::sync::Arc;

const TOO_LARGE: f64 = f64::from_bits((1023 + 251) << 52);
const LARGEST: f64 = f64::from_bits((1023 + 250) << 52);
const NOT_NUMBERS: [f64; 3] = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY];

type Build = Box<dyn Fn(f64) -> Result<Shape, GeometryError>>;

/// Constructors with one argument left open, the name under which it is refused, and whether it is a size.
fn constructors() -> Vec<(&'static str, bool, Build)> {
    fn of(
        name: &'static str,
        size: bool,
        build: impl Fn(f64) -> Result<Shape, GeometryError> + 'static,
    ) -> (&'static str, bool, Build) {
        (name, size, Box::new(build))
    }
    vec![
        of("radius", true, Shape::sphere),
        of("radius", true, |x| Shape::capsule(x, 1.0)),
        of("half_height", true, |x| Shape::capsule(1.0, x)),
        of("bottom", true, |x| Shape::tapered_capsule(x, 1.0, 1.0)),
        of("top", true, |x| Shape::tapered_capsule(1.0, x, 1.0)),
        of("half_height", true, |x| Shape::tapered_capsule(1.0, 1.0, x)),
        of("half", true, |x| Shape::cuboid([x, 1.0, 1.0])),
        of("half", true, |x| Shape::cuboid([1.0, x, 1.0])),
        of("half", true, |x| Shape::cuboid([1.0, 1.0, x])),
        of("radius", true, |x| Shape::cylinder(x, 1.0)),
        of("half_height", true, |x| Shape::cylinder(1.0, x)),
        of("radius", true, |x| Shape::cone(x, 1.0)),
        of("half_height", true, |x| Shape::cone(1.0, x)),
        of("radii", true, |x| Shape::ellipsoid([x, 1.0, 1.0])),
        of("radii", true, |x| Shape::ellipsoid([1.0, 1.0, x])),
        of("segment[0]", false, |x| Shape::segment([[x, 0.0, 0.0], [1.0; 3]])),
        of("segment[1]", false, |x| Shape::segment([[1.0; 3], [0.0, 0.0, x]])),
        of("triangle[0]", false, |x| Shape::triangle([[0.0, x, 0.0], [1.0; 3], [2.0; 3]])),
        of("triangle[2]", false, |x| Shape::triangle([[1.0; 3], [2.0; 3], [0.0, 0.0, x]])),
        of("normal", false, |x| Shape::plane([0.0, x, 1.0], 1.0)),
        of("offset", false, |x| Shape::plane([0.0, 0.0, 1.0], x)),
        of("normal", false, |x| Shape::half_space([x, 0.0, 1.0], 1.0)),
        of("offset", false, |x| Shape::half_space([0.0, 0.0, 1.0], x)),
        of("[3]", false, |x| Shape::hull(&[[0.0; 3], [1.0; 3], [2.0; 3], [0.0, x, 1.0]])),
        of("radius", true, |x| Shape::cuboid([1.0; 3])?.rounded(x)),
        of("radius", true, |x| Shape::sphere(1.0)?.rounded(x)),
    ]
}

#[test]
fn bad_numbers_are_refused_by_name() {
    for (name, is_size, build) in constructors() {
        for bad in NOT_NUMBERS {
            let error = build(bad).unwrap_err();
            assert!(matches!(error, GeometryError::NotFinite { .. }), "{name} {bad}: {error}");
            assert!(error.to_string().contains(name), "{name} {bad}: {error}");
        }
        for bad in [TOO_LARGE, -TOO_LARGE] {
            let error = build(bad).unwrap_err();
            assert!(matches!(error, GeometryError::TooLarge { .. }), "{name} {bad}: {error}");
            assert!(error.to_string().contains(name), "{name} {bad}: {error}");
        }
        if is_size {
            let error = build(-f64::MIN_POSITIVE).unwrap_err();
            assert!(matches!(error, GeometryError::Negative { .. }), "{name}: {error}");
            assert!(error.to_string().contains(name), "{name}: {error}");
        }
        for good in [0.0, -0.0, 5e-324, f64::MIN_POSITIVE, 1.0, LARGEST] {
            // Sums of radii may leave the range, which is refused too.
            assert!(build(good).is_ok() || good == LARGEST, "{name} {good}");
        }
    }
}

#[test]
fn empty_and_directionless_input_is_refused() {
    assert!(matches!(Shape::hull(&[[0.0; 3]; 0]), Err(GeometryError::Empty { .. })));
    for normal in [[0.0; 3], [-0.0, 0.0, -0.0]] {
        assert!(matches!(Shape::plane(normal, 1.0), Err(GeometryError::ZeroLength { .. })));
        assert!(matches!(Shape::half_space(normal, 1.0), Err(GeometryError::ZeroLength { .. })));
    }
    // The quotient of offset and normal is checked too.
    assert!(Shape::plane([0.0, 0.0, 5e-324], 1.0).is_err());
}

#[test]
fn bad_poses_are_refused() {
    for bad in NOT_NUMBERS.into_iter().chain([TOO_LARGE]) {
        for place in 0..3 {
            let mut translation = [0.0; 3];
            translation[place] = bad;
            let error = Pose::from_translation(translation).unwrap_err();
            assert!(error.to_string().contains("translation"), "{error}");
            assert!(Pose::new([1.0, 0.0, 0.0, 0.0], translation).is_err());
        }
        for place in 0..4 {
            let mut rotation = [1.0, 0.0, 0.0, 0.0];
            rotation[place] = bad;
            let error = Pose::new(rotation, [0.0; 3]).unwrap_err();
            assert!(error.to_string().contains("rotation"), "{error}");
        }
    }
    for rotation in [[0.0; 4], [1.1, 0.0, 0.0, 0.0], [0.6, 0.6, 0.6, 0.6]] {
        let error = Pose::new(rotation, [0.0; 3]).unwrap_err();
        assert!(matches!(error, GeometryError::NotUnit { .. }), "{error}");
    }
    assert!(Pose::new([1.0 + 1e-7, 0.0, 0.0, 0.0], [0.0; 3]).is_ok());
}

/// A support function that returns what it is told.
struct Broken(f64, f64, f64);

impl Support for Broken {
    fn support(&self, direction: DVec3) -> SupportPoint {
        let point = if direction.x > 0.0 { DVec3::X * self.0 } else { DVec3::ZERO };
        SupportPoint { point, vertex: SupportPoint::CURVED }
    }
    fn center(&self) -> DVec3 {
        DVec3::Y * self.1
    }
    fn radius(&self) -> f64 {
        self.2
    }
}

#[test]
fn custom_shapes_are_asked_before_they_are_trusted() {
    assert!(Shape::custom(Arc::new(Broken(1.0, 0.0, 1.0))).is_ok());
    for bad in NOT_NUMBERS.into_iter().chain([TOO_LARGE]) {
        let of = |broken: Broken| Shape::custom(Arc::new(broken)).unwrap_err().to_string();
        assert!(of(Broken(bad, 0.0, 1.0)).contains("support"));
        assert!(of(Broken(1.0, bad, 1.0)).contains("center"));
        assert!(of(Broken(1.0, 0.0, bad)).contains("radius"));
    }
    assert!(Shape::custom(Arc::new(Broken(1.0, 0.0, -1.0))).is_err());
}
