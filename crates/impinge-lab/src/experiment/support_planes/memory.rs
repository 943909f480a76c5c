//! Figure 8: the memory of sampled mappings by levels of the hierarchy.

use super::addition::DENSITY;
use super::classic::Grouping;
use super::prototype;
use super::race::ADDED;
use crate::chart::{Axis, Chart, Corner, Panel, Series};
use crate::error::LabError;
use crate::experiment::{Experiment, ModelUse};
use crate::finding::{Document, Finding, Verdict};
use crate::model::Model;
use crate::session::Session;
use crate::table::Table;

pub(super) const MEMORY: Experiment = Experiment {
    name: "spm-memory",
    title: "Memory of sampled mappings by levels of the hierarchy",
    document: Document::SupportPlanes,
    place: "figure 8",
    models: ModelUse::Instead,
    revision: 1,
    work,
};

/// Levels of the figure, the root's being 0.
const LEVELS: usize = 5;

/// kB on levels 0 to 4 of a binary tree: vertex tables, face tables, support tables.
struct Memory {
    model: String,
    kilobytes: [Vec<f64>; 3],
}

impl Memory {
    fn of(model: &Model) -> Result<Self, LabError> {
        let grouping = Grouping::new(model);
        let mut kilobytes = [Vec::new(), Vec::new(), Vec::new()];
        for (sizes, addition) in kilobytes.iter_mut().zip(ADDED) {
            for levels in 1..=LEVELS {
                sizes.push(grouping.add(addition, levels)?.bytes() as f64 / 1000.0);
            }
        }
        Ok(Self { model: model.name.clone(), kilobytes })
    }
}

fn work(session: &mut Session<'_>) -> Result<Finding, LabError> {
    let models = session.models(session.pick(4_000, 17_000, 17_000), 20_000)?;
    let mut found = Vec::new();
    for (k, model) in models.iter().enumerate() {
        session.step(&model.name, k as u64, models.len() as u64)?;
        found.push(Memory::of(model)?);
    }
    let names: Vec<&str> = found.iter().map(|memory| memory.model.as_str()).collect();
    let mut finding = Finding {
        setting: format!(
            "Sampled mappings of {DENSITY} × {DENSITY} directions on levels 0 to {} of binary trees, on {}: all tables together. A plane takes 28 \
             bytes here (normal, point and offset in f32; the paper's axis, to 800 kB, has room for 24), a sample of the face-based mapping 2 more, a \
             sample of the support table 4.",
            LEVELS - 1,
            names.join(", ")
        ),
        tables: vec![table(&found)],
        charts: vec![Chart { name: "memory".into(), panels: vec![panel(&found)] }],
        ..Finding::default()
    };
    judge(&mut finding, &found);
    Ok(finding)
}

fn table(found: &[Memory]) -> Table {
    let mut table = Table::new("memory", "All tables of the levels so far")
        .column("model", "")
        .column("level", "")
        .column("DVSPM", "kB")
        .column("DFSPM", "kB")
        .column("support table", "kB");
    for memory in found {
        for level in 0..LEVELS {
            let values = memory.kilobytes.iter().map(|sizes| sizes[level].into());
            table.row([memory.model.as_str().into(), level.into()].into_iter().chain(values));
        }
    }
    for level in 0..LEVELS {
        let values = prototype::MEMORY.iter().map(|sizes| sizes[level].into());
        table.row([prototype::NAME.into(), level.into()].into_iter().chain(values));
    }
    table
}

fn by_level(values: &[f64]) -> Vec<(f64, f64)> {
    values.iter().enumerate().map(|(level, kilobytes)| (level as f64, *kilobytes)).collect()
}

fn panel(found: &[Memory]) -> Panel {
    let mut series = Vec::new();
    if let Some(first) = found.first() {
        series.push(Series::line("VSPM, all models", by_level(&first.kilobytes[0])).colored(0));
    }
    for (k, memory) in found.iter().enumerate() {
        let name = format!("{} FSPM", memory.model);
        series.push(Series::line(name, by_level(&memory.kilobytes[1])).colored(1 + k));
    }
    if let Some(first) = found.first() {
        let name = "support table, all models";
        series.push(Series::line(name, by_level(&first.kilobytes[2])).colored(13));
    }
    let parts = ["VSPM", "bunny FSPM", "support table"].into_iter().zip([0, 1, 13]);
    for ((part, color), sizes) in parts.zip(&prototype::MEMORY) {
        let name = format!("{}, {part}", prototype::NAME);
        series.push(Series::published(name, by_level(sizes)).colored(color));
    }
    Panel {
        title: format!("{DENSITY} × {DENSITY} samples (the paper's axis ends at 800 kB)"),
        across: Axis::linear("levels (0: the root alone)").within(0.0, (LEVELS - 1) as f64),
        up: Axis::linear("size [kB]").within(0.0, 1000.0),
        series,
        legend: Corner::UpperLeft,
    }
}

fn judge(finding: &mut Finding, found: &[Memory]) {
    let last = |memory: &Memory, kind: usize| *memory.kilobytes[kind].last().unwrap_or(&f64::NAN);
    let vertex: Vec<f64> = found.iter().map(|memory| last(memory, 0)).collect();
    let spread = vertex.iter().copied().fold(0.0, f64::max)
        / vertex.iter().copied().fold(f64::MAX, f64::min);
    finding.claim(
        "The vertex-based tables are of the same size for all models",
        format!(
            "on levels 0 to 4 from {:.0} to {:.0} kB",
            vertex.iter().copied().fold(f64::MAX, f64::min),
            vertex.iter().copied().fold(0.0, f64::max)
        ),
        Verdict::holds(spread <= 1.0),
        "",
    );
    let shares: Vec<String> = found
        .iter()
        .map(|memory| {
            format!(
                "{} {:.0} kB, {:.0} %",
                memory.model,
                last(memory, 1),
                100.0 * last(memory, 1) / last(memory, 0)
            )
        })
        .collect();
    let smaller = found.iter().filter(|memory| last(memory, 1) < last(memory, 0)).count();
    finding.claim(
        "Face-based tables, which share planes among samples, take less",
        format!("on levels 0 to 4, of the vertex-based ones: {}", shares.join("; ")),
        Verdict::of(smaller, found.len()),
        "",
    );
    finding.claim(
        "All tables of levels 0 to 4 fit the figure's axis, 800 kB",
        format!("vertex-based tables take {:.0} kB", vertex.iter().copied().fold(0.0, f64::max)),
        Verdict::holds(vertex.iter().all(|size| *size <= 800.0)),
        "With 24 bytes for a plane, without its offset, they would take 6/7 of this.",
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::ModelShape;

    /// 1, 3, 7, … nodes of 1024 entries of 28 bytes, 33 × 33 samples of 4 bytes.
    #[test]
    fn tables_take_what_their_entries_take() {
        let memory = Memory::of(&Model::generate(ModelShape::Bumpy, 1_000)).unwrap();
        for level in 0..LEVELS {
            let nodes = ((2 << level) - 1) as f64;
            for (kind, bytes) in [(0, 28 * 1024), (2, 4 * 33 * 33)] {
                let expected = nodes * f64::from(bytes) / 1000.0;
                let found = memory.kilobytes[kind][level];
                assert!((found - expected).abs() < 1e-9, "{found} {expected}");
            }
            assert!(memory.kilobytes[1][level] < memory.kilobytes[0][level]);
        }
    }
}
