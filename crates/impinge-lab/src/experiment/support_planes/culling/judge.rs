//! What figure 9 claims, judged.

use super::super::unless;
use super::{ADDITIONS, Culling, PAPER, VOLUMES, level_off, peak};
use crate::finding::{Finding, Verdict};

/// What the figure is of, and what this is.
const PLACED: &str = "on random placements of two bodies, where the paper's figure is the mean over its simulations: ";

/// The claims on figure 9.
pub(super) fn claims(finding: &mut Finding, all: &Culling) {
    let best = |v: usize, k: usize| peak(&all.improvement(v, k)).1;
    judge_height(finding, all, &best);
    let ceiling: Vec<String> = VOLUMES
        .iter()
        .enumerate()
        .map(|(v, (volume, _))| {
            format!("{volume}: CW3 {:.0} %, exact hulls {:.0} %", best(v, 4), best(v, 5))
        })
        .collect();
    let most = (0..VOLUMES.len())
        .filter(|&v| best(v, 5) >= best(v, 4) && PAPER.iter().all(|&k| best(v, 4) > best(v, k)));
    finding.claim(
        "(ours) Support tables with three axes separate more bodies than any of the paper's mappings, exact hulls most",
        ceiling.join("; "),
        Verdict::of(most.count(), VOLUMES.len()),
        "",
    );
    let offs = [0, 1, 2].map(|v| PAPER.map(|k| level_off(&all.improvement(v, k))));
    let verdict = shares(offs.iter().flatten().map(|level| (5..=6).contains(level)));
    finding.claim(
        "The improvement reaches its maximum at 5 to 6 levels",
        format!("{PLACED}within one percent of their maximum from levels {:?} on (sphere, AABB, OBB; DFSPM, FSPM, DVSPM, VSPM of each)", offs.concat()),
        verdict,
        unless(verdict, &other_levels(&offs)),
    );
    let apart = [[0, 1], [2, 3]].map(|[sampled, exact]| {
        let all_levels = (0..VOLUMES.len()).flat_map(|v| {
            let (sampled, exact) = (all.improvement(v, sampled), all.improvement(v, exact));
            sampled.into_iter().zip(exact)
        });
        all_levels.map(|(sampled, exact)| (sampled - exact).abs()).fold(0.0, f64::max)
    });
    let verdict = match apart.iter().filter(|points| **points <= 5.0).count() {
        2 => Verdict::Reproduced,
        1 => Verdict::Partly,
        _ => Verdict::Differs,
    };
    finding.claim(
        "Discretised mappings are practically as efficient as the exact ones",
        format!("they differ by {:.1} percentage points at most (faces) and {:.1} (vertices)", apart[0], apart[1]),
        verdict,
        unless(verdict, "An exact vertex-based plane is perpendicular to the queried direction, that of the nearest sample up to 6° off: an axis that nearly separates does not separate."),
    );
}

/// Whether something holds always, sometimes or never.
fn shares(cases: impl Iterator<Item = bool>) -> Verdict {
    let (mut all, mut some) = (true, false);
    for holds in cases {
        all &= holds;
        some |= holds;
    }
    match (all, some) {
        (true, _) => Verdict::Reproduced,
        (_, true) => Verdict::Partly,
        _ => Verdict::Differs,
    }
}

/// How high the paper's mappings come.
fn judge_height(finding: &mut Finding, all: &Culling, best: &dyn Fn(usize, usize) -> f64) {
    let (mut told, mut tops) = (Vec::new(), Vec::new());
    for (v, (volume, _)) in VOLUMES.iter().enumerate() {
        for k in PAPER {
            let values = all.improvement(v, k);
            let (level, most) = peak(&values);
            tops.push(most);
            if k % 2 == 0 {
                told.push(format!(
                    "{volume} {}: {:.0} % with 1 level, most {most:.0} % with {level}",
                    ADDITIONS[k].name(),
                    values.get(1).unwrap_or(&0.0)
                ));
            }
        }
    }
    let verdict = shares(tops.iter().map(|most| *most >= 95.0));
    let hulls = [0, 1, 2].map(|v| best(v, 5));
    finding.claim(
        "The improvement comes very close to 100 %",
        format!("{PLACED}{}", told.join("; ")),
        verdict,
        unless(verdict, &below_the_top(hulls)),
    );
}

/// Why planes do not part all, by what exact hulls part in spheres, AABBs and OBBs.
fn below_the_top(hulls: [f64; 3]) -> String {
    let hulls_too = if hulls.iter().all(|most| *most >= 99.5) {
        "though hulls separate all".into()
    } else {
        let [sphere, aabb, obb] = hulls;
        format!("and hulls separate {sphere:.0}, {aabb:.0} and {obb:.0} % (sphere, AABB, OBB)")
    };
    format!(
        "One pair of planes separates fewer bodies than their hulls do, {hulls_too}. Close to 100 % means 95."
    )
}

/// Where the greatest improvement is reached at other levels, and why; by volume.
fn other_levels(offs: &[[usize; 4]; 3]) -> String {
    let of = |which: &dyn Fn(&usize) -> bool| -> Vec<&str> {
        let some = VOLUMES.iter().zip(offs).filter(|(_, levels)| levels.iter().any(which));
        some.map(|((volume, _), _)| *volume).collect()
    };
    let (before, after) = (of(&|level| *level < 5), of(&|level| *level > 6));
    let mut why = String::new();
    if !after.is_empty() {
        why += &format!(
            "On levels after the 6th the volumes still leave something to separate ({}). ",
            after.join(", ")
        );
    }
    if !before.is_empty() {
        why += &format!(
            "Before the 5th, planes already separate all that they ever will ({}). ",
            before.join(", ")
        );
    }
    why.trim_end().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_name_what_was_seen() {
        assert!(below_the_top([99.8, 100.0, 99.6]).contains("though hulls separate all"));
        assert!(below_the_top([93.2, 94.0, 83.0]).contains("hulls separate 93, 94 and 83 %"));
        let both = other_levels(&[[10; 4], [5, 6, 7, 5], [4, 5, 5, 6]]);
        assert!(both.contains("something to separate (sphere, AABB)"), "{both}");
        assert!(both.contains("that they ever will (OBB)"), "{both}");
        let late = other_levels(&[[10; 4], [5; 4], [6; 4]]);
        assert!(late.contains("(sphere)") && !late.contains("already"), "{late}");
    }

    #[test]
    fn some_is_partly() {
        let judge = |cases: &[bool]| shares(cases.iter().copied());
        assert_eq!(judge(&[true, true]), Verdict::Reproduced);
        assert_eq!(judge(&[true, false]), Verdict::Partly);
        assert_eq!(judge(&[false, false]), Verdict::Differs);
    }
}
