//! Pairs with a curved or rounded shape, and flat ones, against certified bounds.

use super::convex::gap_along;
use super::{Hash, beyond};
use crate::generate::convex::{Case, Placement, curved};
use crate::oracle::bounds;
use crate::oracle::solid::{Placed, dot};
use impinge::geom::{Pose, Shape, Verdict, pair};
use impinge_lab::Random;

/// The certified interval is asked to be this narrow, times the scale.
const WIDTH: f64 = 1e-10;
/// An interval wider than this times the scale certifies nothing.
const USEFUL: f64 = 1e-6;
/// Directions to look at before an interval is taken as it is.
const LIMIT: usize = 300_000;
/// Rounding errors, times the scale.
const ROUNDING: f64 = 1e-12;

/// What was found.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// Pairs looked at.
    pub pairs: u64,
    /// Those for which no useful interval was found within the limit.
    pub uncertified: u64,
    /// The widest useful interval, over the scale.
    pub widest: f64,
    /// The largest uncertainty that the kernel gave, over the scale.
    pub uncertainty: f64,
    /// Bodies against planes and half-spaces.
    pub flat: u64,
}

impl Report {
    /// Prints it in two lines.
    pub fn print(&self) {
        println!(
            "{} pairs with curved shapes, {} without a useful interval, the widest {:.1e} of the scale; the kernel's largest uncertainty {:.1e}",
            self.pairs, self.uncertified, self.widest, self.uncertainty
        );
        println!("{} bodies against planes and half-spaces", self.flat);
    }
}

/// Checks the pair with this number.
pub fn one(seed: u64, index: u64, report: &mut Report, hash: &mut Hash) -> Result<(), String> {
    let kind = Placement::ALL[(index % Placement::ALL.len() as u64) as usize];
    let mut random = Random::new(seed.wrapping_mul(0xd134_2543_de82_ef95).wrapping_add(index));
    let case = curved(kind, &mut random);
    report.pairs += 1;
    let result = check(&case, report, hash).and_then(|()| flat(&case, &mut random, report));
    result.map_err(|what| format!("curved pair {index} ({}): {what}\n  {case:?}", kind.name()))
}

fn check(case: &Case, report: &mut Report, hash: &mut Hash) -> Result<(), String> {
    let name = |error| format!("{error}");
    let (a, b) = (case.a.shape().map_err(name)?, case.b.shape().map_err(name)?);
    let pose = case.pose().map_err(name)?;
    let placed = case.placed(&pose);
    let scale = placed[0].scale().max(placed[1].scale());
    let cache = &mut pair::Cache::default();
    let verdict = pair::verdict(&a, &b, &pose, cache);
    let found = pair::signed_distance(&a, &b, &pose, cache).ok_or("no signed distance")?;
    let gap = pair::distance(&a, &b, &pose, cache).distance;
    let (d, uncertainty) = (found.distance, found.uncertainty);
    hash.number(d);
    report.uncertainty = report.uncertainty.max(uncertainty / scale);
    if beyond(uncertainty, USEFUL * scale) {
        return Err(format!("signed distance {d:e} ± {uncertainty:e} at scale {scale:e}"));
    }
    let along = gap_along(&placed, found.normal.to_array());
    if beyond((along - d).abs(), uncertainty + USEFUL * scale) {
        return Err(format!(
            "signed distance {d:?} ± {uncertainty:e}, but {along:?} along its normal"
        ));
    }
    let truth = bounds::signed_distance(&placed[0], &placed[1], WIDTH * scale, LIMIT);
    let slack = ROUNDING * scale;
    if d + uncertainty < truth.low - slack || d - uncertainty > truth.high + slack {
        return Err(format!(
            "signed distance {d:?} ± {uncertainty:e}, certified from {:?} to {:?}",
            truth.low, truth.high
        ));
    }
    let width = (truth.high - truth.low) / scale;
    if width > USEFUL {
        report.uncertified += 1;
    } else {
        report.widest = report.widest.max(width);
    }
    if beyond((gap - d.max(0.0)).abs(), 2.0 * uncertainty + USEFUL * scale) {
        return Err(format!("distance {gap:?} beside the signed distance {d:?}"));
    }
    check_verdict(verdict, &truth, 2.0 * slack)?;
    let solids = case.a.is_solid() && case.b.is_solid();
    check_containment(verdict, &placed, solids, slack)
}

/// The verdict agrees with the certified interval, where that leaves no doubt.
fn check_verdict(verdict: Verdict, truth: &bounds::Bounds, band: f64) -> Result<(), String> {
    let fine = match verdict {
        Verdict::Separated => truth.high >= -band,
        Verdict::Touching => truth.low <= band && truth.high >= -band,
        Verdict::Penetrating | Verdict::Contained(_) => truth.low <= band,
    };
    if fine { Ok(()) } else { Err(format!("verdict {verdict:?}, certified {truth:?}")) }
}

/// A contained body's support function is nowhere greater. Looked at along many directions; what they leave open is passed.
fn check_containment(
    verdict: Verdict,
    placed: &[Placed; 2],
    solids: bool,
    slack: f64,
) -> Result<(), String> {
    let mut random = Random::new(1);
    let extent = |body: &Placed, n| dot(body.support(n), n) + body.radius;
    // How much farther the first reaches than the second, at most.
    let mut excess = |first: &Placed, second: &Placed| {
        (0..1000)
            .map(|_| random.direction())
            .map(|n| extent(first, n) - extent(second, n))
            .fold(f64::MIN, f64::max)
    };
    let [a, b] = placed;
    let excess = [excess(a, b), excess(b, a)];
    // A thousand random directions leave gaps of less than 0.3; between them, extents change by less than that times both scales.
    let clear = -0.3 * (a.scale() + b.scale());
    let fine = match verdict {
        Verdict::Contained(impinge::geom::Inside::A) => excess[0] <= slack,
        Verdict::Contained(impinge::geom::Inside::B) => excess[1] <= slack,
        _ => !solids || (excess[0] > clear && excess[1] > clear),
    };
    if fine { Ok(()) } else { Err(format!("verdict {verdict:?}, excess {excess:?}")) }
}

/// B against a random half-space and plane in A's frame, whose distances follow from B's extents along the normal.
fn flat(case: &Case, random: &mut Random, report: &mut Report) -> Result<(), String> {
    let name = |error| format!("{error}");
    let (body, pose) = (case.b.shape().map_err(name)?, case.pose().map_err(name)?);
    let [_, placed] = case.placed(&pose);
    let normal = random.direction();
    let offset = random.between(-1.0, 1.0) * placed.scale();
    let low = dot(placed.support(normal.map(|x| -x)), normal) - placed.radius - offset;
    let high = dot(placed.support(normal), normal) + placed.radius - offset;
    let allowed = ROUNDING * (placed.scale() + offset.abs());
    let half_space = Shape::half_space(normal, offset).map_err(name)?;
    let plane = Shape::plane(normal, offset).map_err(name)?;
    for (flat, truth) in [(half_space, low), (plane, low.max(-high))] {
        report.flat += 1;
        let compare = |found: Option<impinge::geom::SignedDistance>| match found {
            Some(found) if (found.distance - truth).abs() <= allowed => Ok(()),
            other => Err(format!("{flat:?}: {other:?}, truth {truth:?}")),
        };
        let cache = &mut pair::Cache::default();
        compare(pair::signed_distance(&flat, &body, &pose, cache))?;
        let inverse: Pose = pose.inverse();
        compare(pair::signed_distance(&body, &flat, &inverse, cache))?;
    }
    Ok(())
}
