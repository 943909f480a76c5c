//! Every query on two arbitrary bodies ends, gives numbers, and agrees with the others.
#![no_main]

mod bodies;

use bodies::Bytes;
use impinge_geom::glam::DVec3;
use impinge_geom::pair::{self, Cache};
use impinge_geom::ray::{self, Ray};
use impinge_geom::shape::Core;
use impinge_geom::{Pose, Shape, SignedDistance, Support, Verdict, point};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let mut bytes = Bytes::new(bytes);
    let (Ok(a), Ok(b), Ok(pose)) = (bytes.shape(), bytes.shape(), bytes.pose()) else { return };
    if is_shown() {
        eprintln!("{a:?}\n{b:?}\n{pose:?}");
    }
    let case = Case::new(&a, &b, &pose);
    case.check(&mut bytes);
    for shape in [&a, &b] {
        single(shape, &mut bytes);
    }
});

/// With the variable SHOW set, the bodies and the ray are printed.
fn is_shown() -> bool {
    std::env::var_os("SHOW").is_some()
}

struct Case<'a> {
    a: &'a Shape,
    b: &'a Shape,
    pose: &'a Pose,
    /// The largest coordinate or size.
    scale: f64,
    /// Differences up to this are rounding.
    tiny: f64,
}

fn is_flat(shape: &Shape) -> bool {
    matches!(shape.split().0, Core::Plane(_) | Core::HalfSpace(_))
}

fn is_polytope(shape: &Shape) -> bool {
    let (core, radius) = shape.split();
    radius == 0.0 && core.is_polytope()
}

fn size(shape: &Shape) -> f64 {
    match shape.split() {
        (Core::Plane(core), radius) => core.offset().abs() + radius,
        (Core::HalfSpace(core), radius) => core.offset().abs() + radius,
        _ => shape.bounding_radius(),
    }
}

/// Numbers are numbers, normals are unit vectors.
fn sound(answer: &SignedDistance) {
    assert!(answer.distance.is_finite() && answer.uncertainty.is_finite(), "{answer:?}");
    assert!(answer.uncertainty >= 0.0 && answer.points.iter().all(|p| p.is_finite()), "{answer:?}");
    assert!((answer.normal.length() - 1.0).abs() < 1e-12, "{answer:?}");
}

impl<'a> Case<'a> {
    fn new(a: &'a Shape, b: &'a Shape, pose: &'a Pose) -> Self {
        let scale = size(a) + size(b) + pose.translation().abs().max_element();
        Self { a, b, pose, scale, tiny: 1e-9 * scale + 4.0 * f64::MIN_POSITIVE }
    }

    fn check(&self, bytes: &mut Bytes<'_>) {
        let Self { a, b, pose, .. } = self;
        let cache = &mut Cache::default();
        let signed = pair::signed_distance(a, b, pose, cache);
        let gap = pair::distance(a, b, pose, cache);
        let verdict = pair::verdict(a, b, pose, cache);
        sound(&gap);
        assert!(gap.distance >= 0.0);
        let meets = verdict != Verdict::Separated;
        assert_eq!(pair::overlap(a, b, pose, cache), meets);
        if let Some(manifold) = pair::manifold(a, b, pose, 0.0, cache) {
            assert!(manifold.points().iter().all(|p| p.on_a.is_finite() && p.on_b.is_finite()));
        }
        let Some(signed) = signed else {
            assert!(is_flat(a) && is_flat(b) && meets);
            return;
        };
        sound(&signed);
        self.agree(&signed, &gap, verdict);
        self.symmetric(&signed);
        self.witnesses(&signed);
        if !is_flat(a) && !is_flat(b) {
            self.value(&signed, bytes);
        }
    }

    /// The questions answer each other.
    fn agree(&self, signed: &SignedDistance, gap: &SignedDistance, verdict: Verdict) {
        let Self { a, b, pose, .. } = self;
        let slack = self.tiny + signed.uncertainty + gap.uncertainty;
        let d = signed.distance;
        assert!((gap.distance - d.max(0.0)).abs() <= slack, "{:e} {d:e}", gap.distance);
        let exact = is_polytope(a) && is_polytope(b);
        let band = if exact { 0.0 } else { 1e-11 * self.scale + signed.uncertainty };
        let fits = match verdict {
            Verdict::Separated => d > 0.0,
            Verdict::Touching => d.abs() <= band,
            Verdict::Penetrating => d < 0.0,
            Verdict::Contained(_) => d <= band,
        };
        assert!(fits, "{verdict:?} {d:e}");
        assert!(!exact || (gap.distance > 0.0) == (verdict == Verdict::Separated));
        // Warm starts do not matter.
        let cache = &mut Cache::default();
        let depth = pair::penetration(a, b, pose, cache);
        assert_eq!(depth.is_some(), verdict != Verdict::Separated);
        if let Some(again) = pair::signed_distance(a, b, pose, cache) {
            let off = (again.distance - d).abs();
            assert!(off <= slack + again.uncertainty, "{again:?} {d:e}");
        }
        if let Some(depth) = depth {
            assert!((depth.distance - d).abs() <= slack + depth.uncertainty);
        }
    }

    fn symmetric(&self, signed: &SignedDistance) {
        let cache = &mut Cache::default();
        let other = pair::signed_distance(self.b, self.a, &self.pose.inverse(), cache);
        let other = other.unwrap_or_else(|| panic!("none from the other side"));
        let slack = self.tiny + signed.uncertainty + other.uncertainty;
        let (d, e) = (signed.distance, other.distance);
        assert!((d - e).abs() <= slack, "{d:e} {e:e}");
    }

    /// The points are on the bodies, `distance` apart along the normal.
    fn witnesses(&self, signed: &SignedDistance) {
        let [p, q] = signed.points;
        let slack = self.tiny + 4.0 * signed.uncertainty;
        let off = q - p - signed.normal * signed.distance;
        assert!(off.abs().max_element() <= slack, "{off:?} {signed:?}");
        for (shape, place) in [(self.a, p), (self.b, self.pose.inverse_transform_point(q))] {
            let found = point::signed_distance(shape, place);
            assert!(found.distance.abs() <= slack + found.uncertainty, "{found:?} {signed:?}");
        }
    }

    /// A lower bound of the signed distance from one unit vector.
    fn bound(&self, n: DVec3) -> f64 {
        let height = |shape: &Shape, n: DVec3| {
            let (core, radius) = shape.split();
            core.support(n).point.dot(n) + radius
        };
        n.dot(self.pose.translation())
            - height(self.a, n)
            - height(self.b, self.pose.inverse_rotate(-n))
    }

    /// The angle by which the direction of a gap may be off: turning it by that changes its length by rounding only. The depth
    /// of overlapping cores has the direction of a face and no such freedom.
    fn turned(&self, signed: &SignedDistance) -> f64 {
        let gap = signed.distance + self.a.split().1 + self.b.split().1;
        if gap > 0.0 { 2.0 * (2.0 * f64::EPSILON * (self.scale / gap)).sqrt() } else { 0.0 }
    }

    /// Translating B by −distance · normal brings the two to touching.
    fn moved(&self, signed: &SignedDistance) {
        let by = (signed.normal * -signed.distance).to_array();
        let Ok(shift) = Pose::from_translation(by) else { return };
        let pose = shift.compose(self.pose);
        let cache = &mut Cache::default();
        let Some(there) = pair::signed_distance(self.a, self.b, &pose, cache) else {
            panic!("none after moving by {by:?}")
        };
        let slack = 2.0 * self.tiny + signed.uncertainty + there.uncertainty;
        assert!(there.distance.abs() <= slack, "{signed:?} moved to {there:?}");
    }

    /// The normal attains the distance, no other direction exceeds it.
    fn value(&self, signed: &SignedDistance, bytes: &mut Bytes<'_>) {
        let slack = self.tiny + signed.uncertainty;
        let own = self.bound(signed.normal);
        let reach = slack + self.turned(signed) * self.scale;
        assert!((own - signed.distance).abs() <= reach, "{own:e} {signed:?}");
        self.moved(signed);
        // Polytopes as thin as rounding have no certain depth.
        let wide = signed.uncertainty > 1e-2 * self.scale + f64::MIN_POSITIVE;
        assert!(bytes.is_wild() || !wide, "{signed:?} {:e}", self.scale);
        let given = (0..4).map(|_| DVec3::from_array(bytes.direction()).normalize());
        let axes = DVec3::AXES.into_iter().flat_map(|n| [n, self.pose.rotate(n)]);
        for n in given.chain(axes).flat_map(|n| [n, -n]).filter(|n| n.is_finite()) {
            let other = self.bound(n / n.length());
            assert!(other <= signed.distance + slack, "{other:e} along {n}, {signed:?}");
        }
    }
}

/// Points and rays at one body.
fn single(shape: &Shape, bytes: &mut Bytes<'_>) {
    let p = DVec3::from_array(bytes.point());
    let found = point::signed_distance(shape, p);
    assert!(found.distance.is_finite() && found.point.is_finite(), "{found:?}");
    assert!((found.normal.length() - 1.0).abs() < 1e-12 && found.uncertainty >= 0.0, "{found:?}");
    let scale = size(shape) + p.abs().max_element();
    let inside = point::contains(shape, p);
    let clear = found.distance.abs() > 1e-9 * scale + found.uncertainty;
    assert!(!clear || inside == (found.distance < 0.0), "{inside} {found:?}");
    let Ok(ray) = Ray::new(p.to_array(), bytes.direction()) else { return };
    if is_shown() {
        eprintln!("{ray:?}");
    }
    if let Some(hit) = ray::cast(shape, &ray) {
        assert!(hit.t >= 0.0 && hit.t.is_finite() && hit.point.is_finite(), "{hit:?}");
        assert!((hit.normal.length() - 1.0).abs() < 1e-12, "{hit:?}");
        let off = point::signed_distance(shape, hit.point);
        let scale = scale + hit.point.abs().max_element();
        assert!(
            off.distance.abs() <= 1e-6 * scale + off.uncertainty + f64::MIN_POSITIVE,
            "{hit:?} {off:?}"
        );
    }
}
