//! `impinge demo`: the main job on built-in data.

mod assembly;
mod check;
mod gears;
mod table;

use crate::body::Form;
use crate::query::{method_name, verdict_names};
use assembly::{Assembly, CLEARANCE};
use check::{Found, Remark, check};
use impinge::geom::glam::DVec3;
use std::hint::black_box;
use std::io::{self, BufWriter, Write};
use std::time::{Duration, Instant};
use table::{Colour, Row, colour_wanted, painted};

/// Checks the assemblies and prints what is found.
pub(crate) fn run() -> io::Result<()> {
    let mut output = BufWriter::new(io::stdout().lock());
    let (cell, train) = (assembly::cell(), gears::train());
    report(&cell.map_err(io::Error::other)?, &mut output)?;
    writeln!(output)?;
    let train = train.map_err(|error| io::Error::other(error.to_string()))?;
    report(&train, &mut output)?;
    output.flush()
}

fn report(assembly: &Assembly, output: &mut impl Write) -> io::Result<()> {
    let mut found = check(assembly).map_err(io::Error::other)?;
    let (time, passes) = measure(assembly);
    found.sort_by(|x, y| {
        let nearest = |f: &Found| f.distance.unwrap_or(f64::NEG_INFINITY);
        x.remark.cmp(&y.remark).then(nearest(x).total_cmp(&nearest(y))).then(x.names.cmp(&y.names))
    });
    let wanted = colour_wanted();
    let pairs = found.len();
    writeln!(output, "{}\n", painted(&title(assembly, pairs), Colour::Bold, wanted))?;
    let rows: Vec<Row> = found.iter().filter(|f| f.remark != Remark::Clear).map(row).collect();
    let head = ["pair", "verdict", "distance", "where (x, y, z)", "method", "remark"];
    let to_the_right = [false, false, true, true, false, false];
    table::write(output, head, to_the_right, &rows, wanted)?;
    writeln!(output, "\n{}", explanation(&found))?;
    writeln!(output, "{}", speed(time, passes, pairs))
}

fn title(assembly: &Assembly, pairs: usize) -> String {
    let triangles: usize = assembly
        .parts
        .iter()
        .map(|part| match &part.body.form {
            Form::Mesh(mesh, _) => mesh.triangles().len(),
            Form::Shape(_) => 0,
        })
        .sum();
    let of = if triangles > 0 { format!(" of {triangles} triangles") } else { String::new() };
    format!("{}: {} parts{of}, {pairs} pairs, lengths in mm", assembly.title, assembly.parts.len())
}

fn row(found: &Found) -> Row {
    let (verdict, inside) = verdict_names(found.verdict);
    let verdict = match inside {
        Some("a") => format!("{verdict}: {}", found.names[0]),
        Some(_) => format!("{verdict}: {}", found.names[1]),
        None => verdict.to_string(),
    };
    let (remark, colour) = match found.remark {
        Remark::Clash => ("clash".to_string(), Colour::Red),
        Remark::Loose => ("should meet".to_string(), Colour::Red),
        Remark::Close => (format!("closer than {CLEARANCE}"), Colour::Yellow),
        Remark::AsDesigned => ("as designed".to_string(), Colour::Green),
        Remark::Clear => (String::new(), Colour::Plain),
    };
    let cells = [
        format!("{} – {}", found.names[0], found.names[1]),
        verdict,
        found.distance.map_or_else(|| "unbounded".to_string(), millimetres),
        found.place.map_or_else(String::new, vector),
        found.method.map_or("", method_name).to_string(),
        remark,
    ];
    (cells, colour)
}

/// The findings in sentences.
fn explanation(found: &[Found]) -> String {
    let with = |remark: Remark| found.iter().filter(move |f| f.remark == remark);
    let mut sentences = Vec::new();
    for clash in with(Remark::Clash) {
        let [a, b] = clash.names;
        sentences.push(match (clash.distance, clash.way_out, clash.triangles) {
            (_, _, Some(count)) => {
                let place = clash.place.map_or_else(String::new, |p| format!(" near ({})", vector(p)));
                format!("The {a} and the {b} are in each other's way: {count} pairs of triangles meet{place}.")
            }
            (Some(distance), Some(way), _) if distance < 0.0 => {
                let depth = -distance;
                let way = vector(way);
                format!("The {a} and the {b} overlap by {depth:.3} mm: moving the {b} by that much along ({way}) parts them.")
            }
            _ => format!("The {a} and the {b} meet, which nobody meant."),
        });
    }
    for loose in with(Remark::Loose) {
        let ([a, b], gap) = (loose.names, loose.distance.unwrap_or(0.0));
        let gap = millimetres(gap);
        sentences.push(format!("The {b} does not meet the {a}: a gap of {gap} mm is left."));
    }
    for close in with(Remark::Close) {
        let ([a, b], gap) = (close.names, close.distance.unwrap_or(0.0));
        sentences.push(format!("The {a} passes the {b} at {gap:.3} mm."));
    }
    let designed = with(Remark::AsDesigned).count();
    let findings = sentences.len();
    let clear = with(Remark::Clear).count();
    let end = format!(
        "So {designed} pairs are as designed, {clear} pairs keep their distance, and {findings} want a look."
    );
    sentences.push(end);
    sentences.join("\n")
}

/// Repeats the check for long enough that the clock can be trusted.
fn measure(assembly: &Assembly) -> (Duration, u32) {
    let (start, mut passes) = (Instant::now(), 0);
    while start.elapsed() < Duration::from_millis(100) {
        let _ = black_box(check(black_box(assembly)));
        passes += 1;
    }
    (start.elapsed(), passes)
}

fn speed(time: Duration, passes: u32, pairs: usize) -> String {
    let pass = time.as_secs_f64() / f64::from(passes.max(1));
    let rate = pairs as f64 / pass;
    let microseconds = pass * 1e6;
    let rate =
        if rate < 1e4 { format!("{rate:.0}") } else { format!("{:.0} thousand", rate / 1e3) };
    format!(
        "Verdict and distance of all {pairs} pairs: {microseconds:.0} µs, \
         {rate} pairs per second on one core (mean of {passes} passes)."
    )
}

/// Six decimals: a nanometre in a length in millimetres.
fn millimetres(length: f64) -> String {
    format!("{:.6}", length + 0.0)
}

fn vector(v: DVec3) -> String {
    // Adding zero after rounding to the printed digits keeps "-0.00" away.
    let shown = (v * 100.0).round() / 100.0 + DVec3::ZERO;
    format!("{:.2}, {:.2}, {:.2}", shown.x, shown.y, shown.z)
}
