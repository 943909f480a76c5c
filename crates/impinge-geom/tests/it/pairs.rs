//! Every kind of shape against every kind, over poses that are far, near, deep, aligned and concentric.
//!
//! `IMPINGE_PAIRS` sets the number of rounds over the whole matrix.

use crate::random::Random;
use crate::solids::{KINDS, Solid, bound, directions, flat_distance, random_pose, searched};
use glam::DVec3;
use impinge_geom::pair::{self, Cache};
use impinge_geom::{Certainty, Inside, Pose, Shape, SignedDistance, Verdict, point};
use std::collections::BTreeMap;

pub(crate) struct Case {
    pub(crate) a: Solid,
    pub(crate) b: Solid,
    pub(crate) pose: Pose,
}

/// What a case breaks, by the name of the property.
pub(crate) type Faults = Vec<(&'static str, String)>;

struct Check<'a> {
    case: &'a Case,
    shapes: [Shape; 2],
    scale: f64,
    faults: Faults,
}

/// Asks everything about a case and lists what does not fit together.
pub(crate) fn faults(case: &Case, random: &mut Random) -> Faults {
    let scale = case.a.size() + case.b.size() + case.pose.translation().abs().max_element();
    let shapes = [case.a.shape(), case.b.shape()];
    let mut check = Check { case, shapes, scale, faults: Vec::new() };
    check.all(random);
    check.faults
}

impl Check<'_> {
    fn expect(&mut self, name: &'static str, holds: bool, say: impl Fn() -> String) {
        if !holds {
            self.faults.push((name, say()));
        }
    }

    fn tiny(&self) -> f64 {
        1e-9 * self.scale
    }

    fn all(&mut self, random: &mut Random) {
        let [a, b] = self.shapes.clone();
        let pose = self.case.pose;
        let cache = &mut Cache::default();
        let signed = pair::signed_distance(&a, &b, &pose, cache);
        let gap = pair::distance(&a, &b, &pose, &mut Cache::default());
        let verdict = pair::verdict(&a, &b, &pose, &mut Cache::default());
        let overlap = pair::overlap(&a, &b, &pose, &mut Cache::default());
        self.sound("distance", &gap);
        self.expect("overlap and verdict", overlap == (verdict != Verdict::Separated), || {
            format!("{overlap} {verdict:?}")
        });
        self.gap(&gap, signed.as_ref(), verdict);
        let flat = [&self.case.a, &self.case.b].map(|solid| solid.flat().is_some());
        let expected = flat_distance(&self.case.a, &self.case.b, &pose);
        let Some(signed) = signed else {
            let unbounded = flat == [true, true] && expected.is_none();
            self.expect("unbounded", unbounded, || "None for a bounded depth".into());
            let meets = verdict != Verdict::Separated && verdict != Verdict::Touching;
            self.expect("unbounded verdict", meets, || format!("{verdict:?}"));
            return;
        };
        self.sound("signed distance", &signed);
        self.penetration(&signed, verdict);
        self.verdict(&signed, verdict);
        self.symmetric(&signed, verdict);
        if flat[0] || flat[1] {
            let close =
                expected.is_some_and(|value| (value - signed.distance).abs() <= self.tiny());
            self.expect("value", close, || format!("{expected:?} expected, {}", signed.distance));
        } else {
            self.value(&signed, random);
        }
        self.witnesses(&signed);
        self.moved(&signed);
    }

    /// Numbers are numbers and normals are unit vectors.
    fn sound(&mut self, name: &'static str, answer: &SignedDistance) {
        let finite = answer.distance.is_finite()
            && answer.uncertainty.is_finite()
            && answer.points.iter().all(|p| p.is_finite());
        self.expect(name, finite, || format!("not finite: {answer:?}"));
        let unit = (answer.normal.length() - 1.0).abs() < 1e-12;
        self.expect(name, unit, || format!("normal {}", answer.normal));
        self.expect(name, answer.uncertainty >= 0.0, || format!("± {}", answer.uncertainty));
    }

    fn gap(&mut self, gap: &SignedDistance, signed: Option<&SignedDistance>, verdict: Verdict) {
        let tiny = self.tiny();
        let value = signed.map_or(0.0, |signed| signed.distance.max(0.0));
        let slack = tiny + gap.uncertainty + signed.map_or(0.0, |signed| signed.uncertainty);
        self.expect("distance and signed distance", (gap.distance - value).abs() <= slack, || {
            format!("{} {value}", gap.distance)
        });
        self.expect("distance below zero", gap.distance >= 0.0, || format!("{}", gap.distance));
        if self.case.a.is_polytope() && self.case.b.is_polytope() {
            let apart = verdict == Verdict::Separated;
            self.expect("distance and verdict", (gap.distance > 0.0) == apart, || {
                format!("{} {verdict:?}", gap.distance)
            });
        }
        let [p, q] = gap.points;
        let off = ((q - p).length() - gap.distance).abs();
        self.expect("points of the distance", off <= tiny + gap.uncertainty, || {
            format!("{off} off, {gap:?}")
        });
        self.on_bodies("points of the distance", gap, false);
    }

    /// The depth alone is that of the signed distance, and there iff the bodies meet.
    fn penetration(&mut self, signed: &SignedDistance, verdict: Verdict) {
        let [a, b] = &self.shapes;
        let found = pair::penetration(a, b, &self.case.pose, &mut Cache::default());
        self.expect("penetration", found.is_some() == (verdict != Verdict::Separated), || {
            format!("{:?} {verdict:?}", found.map(|depth| depth.distance))
        });
        if let Some(found) = found {
            self.sound("penetration", &found);
            let slack = self.tiny() + found.uncertainty + signed.uncertainty;
            let close = (found.distance - signed.distance).abs() <= slack;
            self.expect("penetration", close, || {
                format!("{} instead of {}", found.distance, signed.distance)
            });
        }
    }

    /// Both points belong to their bodies; on the surface if asked.
    fn on_bodies(&mut self, name: &'static str, answer: &SignedDistance, on_surface: bool) {
        let places = [answer.points[0], self.case.pose.inverse_transform_point(answer.points[1])];
        for (which, place) in places.into_iter().enumerate() {
            let found = point::signed_distance(&self.shapes[which], place);
            let off = if on_surface { found.distance.abs() } else { found.distance };
            let slack = self.tiny() + answer.uncertainty + found.uncertainty;
            self.expect(name, off <= slack, || {
                format!("point {which} is {} off, uncertainty {}", off, answer.uncertainty)
            });
        }
    }

    fn verdict(&mut self, signed: &SignedDistance, verdict: Verdict) {
        let d = signed.distance;
        let exact = self.case.a.is_polytope() && self.case.b.is_polytope();
        let band = if exact { 0.0 } else { 1e-11 * self.scale + signed.uncertainty };
        let fits = match verdict {
            Verdict::Separated => d > 0.0,
            Verdict::Touching => d.abs() <= band,
            Verdict::Penetrating => d < 0.0,
            Verdict::Contained(_) => d <= band,
        };
        self.expect("verdict and signed distance", fits, || format!("{verdict:?} {d:e}"));
    }

    fn symmetric(&mut self, signed: &SignedDistance, verdict: Verdict) {
        let [a, b] = self.shapes.clone();
        let inverse = self.case.pose.inverse();
        let cache = &mut Cache::default();
        let Some(other) = pair::signed_distance(&b, &a, &inverse, cache) else {
            self.expect("symmetry", false, || "None from the other side".into());
            return;
        };
        let slack = self.tiny() + signed.uncertainty + other.uncertainty;
        let close = (other.distance - signed.distance).abs() <= slack;
        self.expect("symmetry", close, || format!("{} {}", signed.distance, other.distance));
        let flipped = match pair::verdict(&b, &a, &inverse, &mut Cache::default()) {
            Verdict::Contained(Inside::A) => Verdict::Contained(Inside::B),
            Verdict::Contained(Inside::B) => Verdict::Contained(Inside::A),
            plain => plain,
        };
        let doubtful = signed.distance.abs() <= 1e-10 * self.scale + signed.uncertainty;
        let contained = |verdict| matches!(verdict, Verdict::Contained(_));
        let same = flipped == verdict
            || doubtful
            // Equal bodies answer A from both sides, and flush ones are within rounding of sticking out.
            || contained(flipped) && contained(verdict)
            || self.is_flush();
        self.expect("symmetry of the verdict", same, || format!("{verdict:?} {flipped:?}"));
    }

    /// One body nearly fills the other: whether it sticks out depends on the frame in which that is asked.
    fn is_flush(&self) -> bool {
        let out = |inner: &Solid, outer: &Shape, map: &dyn Fn(DVec3) -> DVec3| {
            if inner.flat().is_some() {
                return f64::INFINITY;
            }
            directions(2000)
                .map(|n| point::signed_distance(outer, map(extreme(inner, n))).distance)
                .fold(f64::NEG_INFINITY, f64::max)
        };
        let pose = self.case.pose;
        let a_out = out(&self.case.a, &self.shapes[1], &|p| pose.inverse_transform_point(p));
        let b_out = out(&self.case.b, &self.shapes[0], &|p| pose.transform_point(p));
        a_out.abs() < 1e-3 * self.scale || b_out.abs() < 1e-3 * self.scale
    }

    /// The oracle: the normal attains the distance and no other direction exceeds it.
    fn value(&mut self, signed: &SignedDistance, random: &mut Random) {
        let Case { a, b, pose } = self.case;
        let own = bound(a, b, pose, signed.normal);
        let slack = self.tiny() + signed.uncertainty;
        let (d, uncertainty) = (signed.distance, signed.uncertainty);
        self.expect("value along the normal", (own - d).abs() <= slack, || {
            format!("{own} along the normal, {d} ± {uncertainty} reported")
        });
        let (best, n) = searched(a, b, pose, &[signed.normal], 600, random);
        let tiny = self.tiny();
        self.expect("value", best <= d + uncertainty + tiny, || {
            format!("{best} along {n}, {d} ± {uncertainty} reported, excess {:e}", best - d)
        });
        let share = uncertainty / self.scale;
        self.expect("wide interval", share <= 1e-6 || uncertainty == 0.0, || {
            format!("± {uncertainty:e} at {d}, {share:e} of the scale")
        });
        let honest = signed.certainty != Certainty::Exact || uncertainty <= 1e-11 * self.scale;
        self.expect("method", honest, || format!("exact ± {uncertainty:e}"));
    }

    fn witnesses(&mut self, signed: &SignedDistance) {
        self.on_bodies("points on the surfaces", signed, true);
        let [p, q] = signed.points;
        let off = (q - p - signed.normal * signed.distance).length();
        let slack = self.tiny() + signed.uncertainty * 2.0;
        self.expect("points along the normal", off <= slack, || {
            format!("{off:e} off, distance {} ± {:e}", signed.distance, signed.uncertainty)
        });
    }

    /// Moving B by the answer brings the bodies to touching, and a little more parts them.
    fn moved(&mut self, signed: &SignedDistance) {
        let [a, b] = self.shapes.clone();
        let shifted = |by: f64| {
            let shift = Pose::from_translation((signed.normal * by).to_array()).unwrap();
            shift.compose(&self.case.pose)
        };
        let cache = &mut Cache::default();
        let slack = 1e-8 * self.scale + signed.uncertainty;
        let there = pair::signed_distance(&a, &b, &shifted(-signed.distance), cache);
        let touching = there.is_some_and(|x| x.distance.abs() <= slack + x.uncertainty);
        self.expect("moved to touching", touching, || {
            format!("{} moved to {:?}", signed.distance, there.map(|x| x.distance))
        });
        if signed.distance < 0.0 {
            let more = shifted(-signed.distance + 2.0 * slack);
            let verdict = pair::verdict(&a, &b, &more, cache);
            self.expect("moved apart", verdict == Verdict::Separated, || {
                format!("{verdict:?} after moving by {}", signed.distance)
            });
        }
    }
}

/// A point of a bounded body farthest along a direction: the gradient of its support value, by the formulas of the kinds.
fn extreme(solid: &Solid, n: DVec3) -> DVec3 {
    let step = 1e-6;
    let slope = |axis: DVec3| {
        (solid.height(n + axis * step) - solid.height(n - axis * step)) / (2.0 * step)
    };
    DVec3::new(slope(DVec3::X), slope(DVec3::Y), slope(DVec3::Z))
}

fn rounds() -> usize {
    std::env::var("IMPINGE_PAIRS").ok().and_then(|text| text.parse().ok()).unwrap_or(4)
}

#[test]
fn every_pair_of_kinds_keeps_its_promises() {
    let seed = std::env::var("IMPINGE_SEED").ok().and_then(|text| text.parse().ok()).unwrap_or(1);
    let mut random = Random::new(seed);
    let mut counts: BTreeMap<(&'static str, String), (usize, String)> = BTreeMap::new();
    for _ in 0..rounds() {
        for i in 0..KINDS {
            for j in 0..KINDS {
                let a = Solid::random(i, &mut random);
                let same = random.below(20) == 0;
                let b = if same { a.clone() } else { Solid::random(j, &mut random) };
                let pose = random_pose(&a, &b, &mut random);
                let case = Case { a, b, pose };
                for (name, text) in faults(&case, &mut random) {
                    let kinds = format!("{} / {}", case.a.name(), case.b.name());
                    let entry = counts.entry((name, kinds)).or_insert_with(|| {
                        let Case { a, b, pose } = &case;
                        let place = (pose.quaternion(), pose.translation());
                        (0, format!("{text}\n        {a:?}\n        {b:?}\n        {place:?}"))
                    });
                    entry.0 += 1;
                }
            }
        }
    }
    let mut text = String::new();
    for ((name, kinds), (count, example)) in &counts {
        let example: String = example.chars().take(900).collect();
        text += &format!("\n{count} × {name}: {kinds}\n        {example}");
    }
    assert!(counts.is_empty(), "{text}");
}
