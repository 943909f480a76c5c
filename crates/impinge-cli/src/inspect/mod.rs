//! `impinge inspect`: what is in a model, before it is checked.

#[cfg(feature = "tune")]
mod tune;

use crate::arguments::ModelArguments;
use crate::check::{read, source};
use impinge::geom::DAabb;
use impinge::geom::glam::DVec3;
use impinge_clash::report::length;
use impinge_clash::{Model, ModelPart};
use impinge_io::printable;
use std::collections::BTreeMap;
use std::io::{self, Write};

/// What else is shown.
#[derive(Clone, Copy)]
pub(crate) struct Show {
    /// Every part.
    pub(crate) parts: bool,
    /// What would be chosen for the largest.
    pub(crate) tune: bool,
}

/// Meshes that are not sound and are listed unless all parts are.
const MOST_UNSOUND: usize = 8;

#[cfg(feature = "tune")]
use tune::write as write_tuning;

#[cfg(not(feature = "tune"))]
fn write_tuning(_: &Model, _: &mut impl Write) -> io::Result<()> {
    Err(io::Error::other(
        "this build has no --tune; install it with: cargo install --path crates/impinge-cli --features tune",
    ))
}

/// Prints units, extents, the health of meshes and the figures of their trees.
pub(crate) fn run(model: &ModelArguments, show: Show, quiet: bool) -> io::Result<()> {
    let scene = read(&model.models, &model.reading, true)?;
    let built = Model::new(&scene);
    let mut output = io::stdout().lock();
    let DAabb { low, high } = built.bounds();
    let size = high - low;
    let unit = built.unit;
    for path in &model.models {
        writeln!(output, "{}", path.display())?;
    }
    writeln!(output, "  unit       {unit} ({})", source(scene.unit_source))?;
    writeln!(output, "  files      {}", scene.files.len())?;
    writeln!(output, "  parts      {} of {} shapes", built.parts.len(), scene.shapes.len())?;
    writeln!(output, "  triangles  {}", built.triangle_count())?;
    let shown = |p: DVec3, between: &str| p.to_array().map(length).join(between);
    writeln!(output, "  from       {} {unit}", shown(low, ", "))?;
    writeln!(output, "  to         {} {unit}", shown(high, ", "))?;
    writeln!(output, "  size       {} {unit}", shown(size, " × "))?;
    for variant in &scene.variants {
        writeln!(output, "  variant    {}", printable(variant))?;
    }
    for reason in &built.left_out {
        writeln!(output, "  skipped    {}", printable(reason))?;
    }
    if !quiet {
        for note in &scene.notes {
            writeln!(output, "  note       {}", printable(&note.to_string()))?;
        }
    }
    health(&built, show.parts, &mut output)?;
    if show.tune {
        write_tuning(&built, &mut output)?;
    }
    if show.parts {
        for part in &built.parts {
            let triangles = part.instance.mesh().triangles().len();
            let kind = match &part.primitive {
                Some(primitive) => format!("{}, checked exactly", primitive.name()),
                None if part.closed => format!("{triangles} triangles, closed"),
                None => format!("{triangles} triangles, open"),
            };
            writeln!(output, "  part       {}  {kind}", printable(&part.path))?;
        }
    }
    output.flush()
}

/// The meshes that are not sound, each once, and the memory of all.
fn health(model: &Model, list_all: bool, output: &mut impl Write) -> io::Result<()> {
    let mut meshes: BTreeMap<usize, &ModelPart> = BTreeMap::new();
    for part in &model.parts {
        meshes.entry(std::sync::Arc::as_ptr(part.instance.mesh()) as usize).or_insert(part);
    }
    let bytes: usize = meshes.values().map(|part| part.instance.mesh().bytes()).sum();
    let closed = meshes.values().filter(|part| part.closed).count();
    writeln!(output, "  meshes     {}, of which {closed} are closed", meshes.len())?;
    writeln!(output, "  memory     {:.1} MB with hierarchies", bytes as f64 / 1e6)?;
    let mut list: Vec<&&ModelPart> = meshes.values().collect();
    list.sort_by(|a, b| a.path.cmp(&b.path));
    let mut unsound = 0usize;
    for part in list {
        let health = part.instance.mesh().health();
        if health.is_solid() {
            continue;
        }
        unsound += 1;
        if list_all || unsound <= MOST_UNSOUND {
            let lines = health.to_string();
            let health = lines.lines().collect::<Vec<_>>().join("; ");
            writeln!(output, "  faulty     {}: {health}", printable(&part.path))?;
        }
    }
    if unsound > MOST_UNSOUND && !list_all {
        let more = unsound - MOST_UNSOUND;
        writeln!(output, "  faulty     {more} more; list them with --parts")?;
    }
    if closed < meshes.len() {
        let what =
            "open meshes are checked as surfaces: a part inside one is found only where they touch";
        writeln!(output, "  note       {what}")?;
    }
    Ok(())
}
