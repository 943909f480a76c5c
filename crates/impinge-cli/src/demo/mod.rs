//! `impinge demo`: the main job on built-in data.

mod assembly;
mod check;
mod table;

use crate::query::{method_name, verdict_names};
use assembly::{CLEARANCE, Part, parts};
use check::{Found, Remark, check};
use impinge::geom::glam::DVec3;
use std::hint::black_box;
use std::io::{self, BufWriter, Write};
use std::time::{Duration, Instant};
use table::{Colour, Row, colour_wanted, painted};

/// Checks the assembly and prints what is found.
pub(crate) fn run() -> io::Result<()> {
    let parts = parts().map_err(io::Error::other)?;
    let mut found = check(&parts);
    let (time, passes) = measure(&parts);
    found.sort_by(|x, y| {
        let nearest = |f: &Found| f.distance.unwrap_or(f64::NEG_INFINITY);
        x.remark.cmp(&y.remark).then(nearest(x).total_cmp(&nearest(y))).then(x.names.cmp(&y.names))
    });
    let wanted = colour_wanted();
    let mut output = BufWriter::new(io::stdout().lock());
    let pairs = found.len();
    let title = format!("A robot cell: {} parts, {pairs} pairs, lengths in mm", parts.len());
    writeln!(output, "{}\n", painted(&title, Colour::Bold, wanted))?;
    let rows: Vec<Row> = found.iter().filter(|f| f.remark != Remark::Clear).map(row).collect();
    let head = ["pair", "verdict", "distance", "where (x, y, z)", "method", "remark"];
    let to_the_right = [false, false, true, true, false, false];
    table::write(&mut output, head, to_the_right, &rows, wanted)?;
    writeln!(output, "\n{}", explanation(&found))?;
    writeln!(output, "{}", speed(time, passes, pairs))?;
    output.flush()
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
        sentences.push(match (clash.distance, clash.way_out) {
            (Some(distance), Some(way)) if distance < 0.0 => {
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
        "So {designed} contacts are as designed, {clear} pairs keep their distance, and {findings} want a look."
    );
    sentences.push(end);
    sentences.join("\n")
}

/// Repeats the check for long enough that the clock can be trusted.
fn measure(parts: &[Part]) -> (Duration, u32) {
    let (start, mut passes) = (Instant::now(), 0);
    while start.elapsed() < Duration::from_millis(100) {
        black_box(check(black_box(parts)));
        passes += 1;
    }
    (start.elapsed(), passes)
}

fn speed(time: Duration, passes: u32, pairs: usize) -> String {
    let pass = time.as_secs_f64() / f64::from(passes.max(1));
    let rate = pairs as f64 / pass;
    let (microseconds, thousands) = (pass * 1e6, rate / 1e3);
    format!(
        "Verdict and signed distance of all {pairs} pairs: {microseconds:.0} µs, \
         {thousands:.0} thousand pairs per second on one core (mean of {passes} passes)."
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
