//! What figure 7 claims, judged.

use super::Efficiency;
use crate::finding::{Finding, Verdict};

/// The claims of section 5.1.
pub(in crate::experiment::support_planes) fn judge(finding: &mut Finding, found: &[Efficiency]) {
    let per_model = |text: &dyn Fn(&Efficiency) -> String| {
        found.iter().map(|e| format!("{}: {}", e.model, text(e))).collect::<Vec<_>>().join("; ")
    };
    let verdict = |holds: &dyn Fn(&Efficiency) -> bool| {
        Verdict::of(found.iter().filter(|e| holds(e)).count(), found.len())
    };
    let number = |e: &Efficiency, name: &str| e.named(name).unwrap_or(f64::NAN);
    let text = |density: Option<u8>| density.map_or("never".into(), |n| format!("N = {n}"));
    finding.claim(
        "Sampled mappings fill more than other volumes even at low densities",
        per_model(&|e| {
            let from = |density: u8| format!("beyond all of them from N = {density} on");
            e.beyond_volumes().map_or("never beyond all of them".into(), from)
        }),
        even_at_low(found),
        "Low is taken as N = 8, and N = 16 as partly so.",
    );
    finding.claim(
        "They come to the hull as the density grows",
        per_model(&|e| {
            let share = |name: &str| 100.0 * number(e, name) / e.hull;
            let [vertices, faces] = [share("DVSPM 32"), share("DFSPM 32")];
            let last = e.sampled.last().map_or(f64::NAN, |entry| 100.0 * entry.1 / e.hull);
            format!("{vertices:.1} % (vertices) and {faces:.1} % (faces) of the hull's efficiency at N = 32, {last:.1} % (vertices) at the greatest")
        }),
        verdict(&|e| {
            let last = e.sampled.last().map_or(f64::NAN, |entry| entry.1);
            last >= 0.95 * e.hull && number(e, "DFSPM 32") >= 0.98 * e.hull
        }),
        "Required are 98 % with faces at N = 32, and 95 % with vertices at the greatest density.",
    );
    finding.claim(
        "Face-based mappings converge faster than vertex-based ones",
        per_model(&|e| {
            format!(
                "97 % of the hull's efficiency at {} (faces) and {} (vertices)",
                text(e.support_values(0.97, true)),
                text(e.support_values(0.97, false))
            )
        }),
        verdict(&|e| match (e.support_values(0.97, true), e.support_values(0.97, false)) {
            (Some(faces), Some(vertices)) => faces < vertices,
            (faces, _) => faces.is_some(),
        }),
        "",
    );
    finding.claim(
        "A vertex-based mapping of density 6 is equivalent to a 36-DOP",
        per_model(&|e| format!("{:.3} against {:.3}", number(e, "DVSPM 6"), number(e, "36-DOP"))),
        verdict(&|e| (number(e, "DVSPM 6") / number(e, "36-DOP") - 1.0).abs() <= 0.1),
        "Equivalent is taken as within a tenth.",
    );
    finding.claim(
        "The order hull ≥ faces 32 ≥ vertices 32 > 26-DOP > OBB > AABB > sphere",
        per_model(&|e| {
            let names = ["hull", "DFSPM 32", "DVSPM 32", "26-DOP", "OBB", "AABB", "sphere"];
            names.map(|name| format!("{:.3}", number(e, name))).join(" ")
        }),
        verdict(&ordered),
        "",
    );
}

/// Whether both mappings are beyond every volume from a low density on.
fn even_at_low(found: &[Efficiency]) -> Verdict {
    let within = |most: u8| {
        let low = |e: &&Efficiency| e.beyond_volumes().is_some_and(|density| density <= most);
        found.iter().filter(low).count()
    };
    match (within(8), within(16)) {
        (low, _) if low == found.len() => Verdict::Reproduced,
        (_, 0) => Verdict::Differs,
        _ => Verdict::Partly,
    }
}

/// Whether the order of the figure holds. Faces of a hull with few faces may all be found: then the two best are equal but for rounding.
pub(super) fn ordered(e: &Efficiency) -> bool {
    let names = ["hull", "DFSPM 32", "DVSPM 32", "26-DOP", "OBB", "AABB", "sphere"];
    names.windows(2).all(|two| match (e.named(two[0]), e.named(two[1])) {
        (Some(a), Some(b)) => a >= b * (1.0 - 1e-6),
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The tightest volume counts, both mappings must be beyond it, and stay so.
    #[test]
    fn low_densities_are_judged_against_the_tightest_volume() {
        let model = |sampled: &[(u8, f64, f64)]| Efficiency {
            model: String::new(),
            volumes: vec![("OBB", 0.3), ("36-DOP", 0.5), ("26-DOP", 0.4)],
            hull: 0.6,
            sampled: sampled.into(),
        };
        let early = model(&[(4, 0.45, 0.6), (6, 0.55, 0.6), (8, 0.56, 0.6)]);
        let later = model(&[(4, 0.55, 0.6), (12, 0.55, 0.5), (16, 0.56, 0.6)]);
        let late = model(&[(4, 0.45, 0.6), (18, 0.55, 0.6)]);
        let never = model(&[(4, 0.55, 0.6), (18, 0.45, 0.6)]);
        let all = [early, later, late, never];
        let firsts = all.each_ref().map(Efficiency::beyond_volumes);
        assert_eq!(firsts, [Some(6), Some(16), Some(18), None]);
        for (part, expected) in [
            (0..1, Verdict::Reproduced),
            (0..2, Verdict::Partly),
            (1..2, Verdict::Partly),
            (0..4, Verdict::Partly),
            (2..4, Verdict::Differs),
        ] {
            assert_eq!(even_at_low(&all[part.clone()]), expected, "{part:?}");
        }
    }
}
