//! Vertex–face and edge–edge: no contact missed, none invented, no time late or more than the promised bit early.

use super::{FAULT, Options, Report};
use crate::generate::motion::{Kind, motion};
use crate::oracle::motion as oracle;
use crate::oracle::sturm::{Dyadic, Root};
use crate::soak::describe;
use impinge::geom::glam::DVec3;
use impinge::geom::moving::{EARLY, edge_edge, vertex_face};
use impinge_lab::Random;

pub(super) fn one(options: &Options, index: u64, report: &mut Report) {
    let kind = (index / 2 % Kind::ALL.len() as u64) as usize;
    let edges = index % 2 == 1;
    let mut random =
        Random::new(options.seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(index));
    let [start, end] = motion(Kind::ALL[kind], edges, &mut random);
    let points = |at: &[_; 4]| at.map(DVec3::from_array);
    let ask = if edges { edge_edge } else { vertex_face };
    let mut answer = ask(&points(&start), &points(&end));
    if options.inject_fault && index.is_multiple_of(FAULT) {
        // Invented where there is none, else a bit late or missed.
        answer = match answer {
            None => Some(0.5),
            Some(t) if t < 0.9 && index.is_multiple_of(2) => Some(t + 1e-12),
            Some(_) => None,
        };
    }
    report.hash.number(answer.unwrap_or(2.0));
    let contacts =
        if edges { oracle::edge_edge(&start, &end) } else { oracle::vertex_face(&start, &end) };
    report.vertices.resize(Kind::ALL.len(), [0; 2]);
    report.vertices[kind][usize::from(!contacts.is_empty())] += 1;
    if let Err(what) = judge(answer, &contacts) {
        let name = Kind::ALL[kind].name();
        let feature = if edges { "edge-edge" } else { "vertex-face" };
        report.failures.add(|| {
            format!(
                "{index} ({feature}, {name}): {what}\n  0{}\n  1{}",
                describe(&start),
                describe(&end)
            )
        });
    }
}

fn judge(answer: Option<f64>, contacts: &[Root]) -> Result<(), String> {
    match (answer, contacts.is_empty()) {
        (None, true) => Ok(()),
        (None, false) => Err("missed".to_owned()),
        (Some(t), true) => Err(format!("a contact at {t:?} that is none")),
        (Some(t), false) if !(0.0..=1.0).contains(&t) => Err(format!("time {t:?}")),
        (Some(t), false) => {
            let (time, limit) = (Dyadic::from_f64(t), Dyadic::from_f64(t + EARLY));
            if contacts.iter().any(|contact| contact.compare(&time).is_lt()) {
                Err(format!("time {t:?} is late"))
            } else if contacts.iter().all(|contact| contact.compare(&limit).is_gt()) {
                Err(format!("time {t:?} is too early"))
            } else {
                Ok(())
            }
        }
    }
}

pub(super) fn print(report: &Report) {
    if report.vertices.is_empty() {
        return;
    }
    println!("{:<16} {:>11} {:>11}", "kind", "apart", "contact");
    for (kind, [misses, hits]) in Kind::ALL.iter().zip(&report.vertices) {
        println!("{:<16} {misses:>11} {hits:>11}", kind.name());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Instant;

    /// `cargo test --release -p trials worst_case -- --ignored --nocapture`: the mean and the worst of each kind, of the least of several tries per query.
    #[test]
    #[ignore = "a measurement"]
    fn worst_case() {
        for (kind, edges) in Kind::ALL.iter().flat_map(|kind| [(*kind, false), (*kind, true)]) {
            let (mut sum, mut worst) = (0.0, 0.0f64);
            let rounds = 2_000u64;
            for index in 0..rounds {
                let [start, end] = motion(kind, edges, &mut Random::new(index));
                let (start, end) = (start.map(DVec3::from_array), end.map(DVec3::from_array));
                let ask = if edges { edge_edge } else { vertex_face };
                let tries = (0..5).map(|_| {
                    let begin = Instant::now();
                    std::hint::black_box(ask(&start, &end));
                    begin.elapsed().as_secs_f64() * 1e6
                });
                let least = tries.fold(f64::INFINITY, f64::min);
                (sum, worst) = (sum + least, worst.max(least));
            }
            let name = if edges { "edge-edge" } else { "vertex-face" };
            let mean = sum / rounds as f64;
            eprintln!("{:<14} {name:<11} mean {mean:8.3} µs, worst {worst:8.3} µs", kind.name());
        }
    }
}
