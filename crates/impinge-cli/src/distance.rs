//! `impinge distance A B`: two models, how far apart.

use crate::arguments::DistanceArguments;
use crate::check::{build_quietly, read};
use impinge::geom::Verdict;
use impinge::query::Workspace;
use impinge_clash::Model;
use std::io::{self, Write};

/// Prints the least distance between the parts of two models, and where it is.
pub(crate) fn run(arguments: &DistanceArguments) -> io::Result<()> {
    let load = |path: &std::path::Path| -> io::Result<Model> {
        let scene = read(&[path.to_path_buf()], &arguments.reading, arguments.quiet)?;
        build_quietly(&scene, arguments.quiet)
    };
    let (a, b) = (load(&arguments.a)?, load(&arguments.b)?);
    if a.unit != b.unit {
        let what =
            format!("one model is in {}, the other in {}; set --unit for both", a.unit, b.unit);
        return Err(io::Error::other(what));
    }
    let mut workspace = Workspace::default();
    let mut best: Option<(f64, usize, usize)> = None;
    for (i, part) in a.parts.iter().enumerate() {
        for (j, other) in b.parts.iter().enumerate() {
            let bound = part.bounds.gap(&other.bounds);
            if best.is_some_and(|(least, ..)| bound >= least) {
                continue;
            }
            let distance = match part.verdict(other, &mut workspace) {
                Verdict::Separated => part.gap(other, &mut workspace).distance.value,
                _ => 0.0,
            };
            if best.is_none_or(|(least, ..)| distance < least) {
                best = Some((distance, i, j));
            }
        }
    }
    let Some((distance, i, j)) = best else { return Ok(()) };
    let (part, other) = (&a.parts[i], &b.parts[j]);
    let found = part.gap(other, &mut workspace);
    let mut output = io::stdout().lock();
    writeln!(output, "distance  {distance} {}", a.unit)?;
    for (name, path, point) in
        [("a", &part.path, found.points[0]), ("b", &other.path, found.points[1])]
    {
        let path = impinge_io::printable(path);
        writeln!(output, "{name}         {path} at {}, {}, {}", point.x, point.y, point.z)?;
    }
    output.flush()
}
