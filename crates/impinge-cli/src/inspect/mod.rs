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
    /// Lines in each list.
    pub(crate) limit: usize,
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
    let lines = |texts: &[String]| texts.iter().map(|text| printable(text).into_owned()).collect();
    list("variant", lines(&scene.variants), show.limit, &mut output)?;
    list("skipped", lines(&built.left_out), show.limit, &mut output)?;
    if !quiet {
        let notes: Vec<String> = scene.notes.iter().map(ToString::to_string).collect();
        list("note", lines(&notes), show.limit, &mut output)?;
    }
    health(&built, show, &mut output)?;
    if show.tune {
        write_tuning(&built, &mut output)?;
    }
    if show.parts {
        let line = |part: &ModelPart| {
            let triangles = part.instance.mesh().triangles().len();
            let kind = match &part.primitive {
                Some(primitive) => format!("{}, checked exactly", primitive.name()),
                None if part.closed => format!("{triangles} triangles, closed"),
                None => format!("{triangles} triangles, open"),
            };
            format!("{}  {kind}", printable(&part.path))
        };
        list("part", built.parts.iter().map(line).collect(), show.limit, &mut output)?;
    }
    output.flush()
}

/// Lines under one name, as many as the limit allows, and how many more there are.
fn list(name: &str, lines: Vec<String>, limit: usize, output: &mut impl Write) -> io::Result<()> {
    for line in lines.iter().take(limit) {
        writeln!(output, "  {name:9}  {line}")?;
    }
    if lines.len() > limit {
        let more = lines.len() - limit;
        writeln!(output, "  {name:9}  … and {more} more: --limit 0 lists all")?;
    }
    Ok(())
}

/// The meshes that are not sound, each once, and the memory of all.
fn health(model: &Model, show: Show, output: &mut impl Write) -> io::Result<()> {
    let mut meshes: BTreeMap<usize, &ModelPart> = BTreeMap::new();
    for part in &model.parts {
        meshes.entry(std::sync::Arc::as_ptr(part.instance.mesh()) as usize).or_insert(part);
    }
    let bytes: usize = meshes.values().map(|part| part.instance.mesh().bytes()).sum();
    let closed = meshes.values().filter(|part| part.closed).count();
    writeln!(output, "  meshes     {}, of which {closed} are closed", meshes.len())?;
    writeln!(output, "  memory     {:.1} MB with hierarchies", bytes as f64 / 1e6)?;
    let mut sorted: Vec<&&ModelPart> = meshes.values().collect();
    sorted.sort_by(|a, b| a.path.cmp(&b.path));
    let mut unsound = Vec::new();
    for part in sorted {
        let health = part.instance.mesh().health();
        if health.is_solid() {
            continue;
        }
        let lines = health.to_string();
        let health = lines.lines().collect::<Vec<_>>().join("; ");
        unsound.push(format!("{}: {health}", printable(&part.path)));
    }
    if unsound.len() > MOST_UNSOUND && !show.parts {
        let more = unsound.len() - MOST_UNSOUND;
        unsound.truncate(MOST_UNSOUND);
        list("faulty", unsound, usize::MAX, output)?;
        writeln!(output, "  faulty     {more} more; list them with --parts")?;
    } else {
        list("faulty", unsound, show.limit, output)?;
    }
    if closed < meshes.len() {
        let what =
            "open meshes are checked as surfaces: a part inside one is found only where they touch";
        writeln!(output, "  note       {what}")?;
    }
    Ok(())
}
