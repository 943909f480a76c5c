//! `impinge inspect`: what is in a model, before it is checked.

use crate::arguments::ModelArguments;
use crate::check::{read, source};
use impinge_clash::{Model, ModelPart};
use std::collections::BTreeMap;
use std::io::{self, Write};

/// Prints units, extents, the health of meshes and the figures of their trees.
pub(crate) fn run(model: &ModelArguments, list_parts: bool, quiet: bool) -> io::Result<()> {
    let scene = read(&model.model, &model.reading, true)?;
    let built = Model::new(&scene);
    let mut output = io::stdout().lock();
    let [low, high] = built.corners();
    let size = high - low;
    let unit = built.unit;
    writeln!(output, "{}", model.model.display())?;
    writeln!(output, "  unit       {unit} ({})", source(scene.unit_source))?;
    writeln!(output, "  files      {}", scene.files.len())?;
    writeln!(output, "  parts      {} of {} shapes", built.parts.len(), scene.shapes.len())?;
    writeln!(output, "  triangles  {}", built.triangle_count())?;
    writeln!(output, "  from       {}, {}, {} {unit}", low.x, low.y, low.z)?;
    writeln!(output, "  to         {}, {}, {} {unit}", high.x, high.y, high.z)?;
    writeln!(output, "  size       {} × {} × {} {unit}", size.x, size.y, size.z)?;
    for reason in &built.left_out {
        writeln!(output, "  left out   {reason}")?;
    }
    if !quiet {
        for note in &scene.notes {
            writeln!(output, "  note       {note}")?;
        }
    }
    health(&built, &mut output)?;
    if list_parts {
        for part in &built.parts {
            let triangles = part.instance.mesh().triangles().len();
            let closed = if part.closed { "closed" } else { "open" };
            writeln!(output, "  part       {}  {triangles} triangles, {closed}", part.path)?;
        }
    }
    output.flush()
}

/// The meshes that are not sound, each once, and the memory of all.
fn health(model: &Model, output: &mut impl Write) -> io::Result<()> {
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
    for part in list {
        let health = part.instance.mesh().health();
        if !health.is_solid() {
            writeln!(output, "  not sound  {}: {health}", part.path)?;
        }
    }
    Ok(())
}
