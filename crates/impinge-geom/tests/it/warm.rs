//! Warm starts change the time, never the answer; and bodies that move a little change it a little.

use crate::random::Random;
use crate::solids::{KINDS, Solid, random_pose, unit};
use impinge_geom::pair::{self, Cache, WarmStart};
use impinge_geom::{Pose, Shape, Verdict};

/// The value and the half width of its interval, the gap, the verdict, and whether the bodies overlap.
type Answers = (Option<(f64, f64)>, f64, Verdict, bool, Option<f64>);

fn ask(a: &Shape, b: &Shape, pose: &Pose, warm: WarmStart, cache: &mut Cache) -> Answers {
    let next = |cache: &mut Cache| cache.set_warm_start(warm);
    next(cache);
    let signed = pair::signed_distance(a, b, pose, cache).map(|x| (x.distance, x.uncertainty));
    next(cache);
    let gap = pair::distance(a, b, pose, cache).distance;
    next(cache);
    let verdict = pair::verdict(a, b, pose, cache);
    next(cache);
    let overlap = pair::overlap(a, b, pose, cache);
    next(cache);
    (signed, gap, verdict, overlap, pair::penetration(a, b, pose, cache).map(|x| x.distance))
}

#[test]
fn warm_starts_from_anywhere_give_the_same_answers() {
    let mut random = Random::new(21);
    let mut cache = Cache::default();
    let mut known = vec![WarmStart::default()];
    let mut faults = Vec::new();
    for _ in 0..2 {
        for i in 0..KINDS {
            for j in 0..KINDS {
                let (a, b) = (Solid::random(i, &mut random), Solid::random(j, &mut random));
                let pose = random_pose(&a, &b, &mut random);
                let scale = a.size() + b.size() + pose.translation().abs().max_element();
                let (x, y) = (a.shape(), b.shape());
                let cold = ask(&x, &y, &pose, WarmStart::default(), &mut Cache::default());
                // Its own, and those of other pairs.
                let own = cache.warm_start();
                let other = known[random.below(known.len() as u64) as usize];
                for warm in [own, other] {
                    let answers = ask(&x, &y, &pose, warm, &mut cache);
                    let wide = |found: &Answers| found.0.map_or(0.0, |(_, wide)| wide);
                    let slack = 1e-12 * scale + 2.0 * wide(&cold) + 2.0 * wide(&answers);
                    let close = |p: Option<f64>, q: Option<f64>| match (p, q) {
                        (Some(p), Some(q)) => (p - q).abs() <= slack,
                        (None, None) => true,
                        _ => false,
                    };
                    let value = |found: &Answers| found.0.map(|(value, _)| value);
                    let same = close(value(&answers), value(&cold))
                        && close(Some(answers.1), Some(cold.1))
                        && close(answers.4, cold.4)
                        && (answers.2, answers.3) == (cold.2, cold.3);
                    if !same {
                        faults.push(format!(
                            "{} / {}: {cold:?} became {answers:?} with {warm:?}\n  {a:?}\n  {b:?}\n  {pose:?}",
                            a.name(),
                            b.name()
                        ));
                    }
                }
                known.push(cache.warm_start());
            }
        }
    }
    let shown = faults[..faults.len().min(8)].join("\n");
    assert!(faults.is_empty(), "{} faults\n{shown}", faults.len());
}

#[test]
fn the_signed_distance_is_continuous_through_contact() {
    let mut random = Random::new(22);
    let mut faults = Vec::new();
    for i in 0..KINDS {
        for j in 0..KINDS {
            let (a, b) = (Solid::random(i, &mut random), Solid::random(j, &mut random));
            let (x, y) = (a.shape(), b.shape());
            let start = random_pose(&a, &b, &mut random);
            let along = unit(&mut random);
            let scale = a.size() + b.size() + 4.0 + start.translation().abs().max_element();
            let step = [0.3, 1e-3, 1e-7][random.below(3) as usize];
            let mut before: Option<(f64, f64)> = None;
            for k in -12..=12 {
                let shift = Pose::from_translation((along * (step * f64::from(k))).to_array());
                let pose = shift.unwrap().compose(&start);
                let now = pair::signed_distance(&x, &y, &pose, &mut Cache::default());
                let now = now.map(|answer| (answer.distance, answer.uncertainty));
                if let (Some((d, u)), Some((e, v))) = (before, now)
                    && (d - e).abs() > step * (1.0 + 1e-9) + 1e-9 * scale + u + v
                {
                    faults.push(format!(
                        "{} / {}: from {d} ± {u} to {e} ± {v} in a step of {step}\n  {a:?}\n  {b:?}\n  {pose:?}",
                        a.name(),
                        b.name()
                    ));
                    break;
                }
                before = now;
            }
        }
    }
    let shown = faults[..faults.len().min(8)].join("\n");
    assert!(faults.is_empty(), "{} faults\n{shown}", faults.len());
}
