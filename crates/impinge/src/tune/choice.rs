//! The chosen hierarchy, and why.

use super::text::{self, TextError};
use super::{Prices, QuestionKind, Volume};
use impinge_tree::Builder;
use std::fmt::{self, Write};

/// The work of a query, as a mean over the samples.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Work {
    /// Nu: volumes refitted.
    pub updates: f64,
    /// Nv: tests of one volume against up to eight.
    pub steps: f64,
    /// Np: pairs of leaves.
    pub leaves: f64,
    /// Pairs of triangles decided in f64.
    pub primitives: f64,
}

/// A candidate hierarchy.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Candidate {
    /// Its volume.
    pub volume: Volume,
    /// The builder that groups the triangles.
    pub builder: Builder,
    /// Maximal number of children per node.
    pub width: usize,
    /// The work of a query.
    pub work: Work,
    /// Its prices.
    pub prices: Prices,
    /// The shortest time of a query, in nanoseconds, if it was among the finalists.
    pub timed: Option<f64>,
}

impl Candidate {
    /// F: the predicted time of a query, in nanoseconds.
    pub fn predicted(&self) -> f64 {
        self.prices.of(&self.work)
    }

    /// True if both have the same volume and width, and each part of their work is equal within two percent.
    pub(super) fn is_like(&self, other: &Self) -> bool {
        let near = |x: f64, y: f64| (x - y).abs() <= 0.02 * x.max(y);
        let (one, two) = (&self.work, &other.work);
        self.volume == other.volume
            && self.width == other.width
            && near(one.steps, two.steps)
            && near(one.leaves, two.leaves)
            && near(one.primitives, two.primitives)
    }

    /// The times of two candidates: those that were seen, if both were finalists, else F.
    fn times(&self, other: &Self) -> [f64; 2] {
        match (self.timed, other.timed) {
            (Some(own), Some(its)) => [own, its],
            _ => [self.predicted(), other.predicted()],
        }
    }

    fn is_default(&self) -> bool {
        let own = (self.volume, self.builder, self.width);
        own == (Volume::default(), Builder::default(), 8)
    }
}

impl fmt::Display for Candidate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { volume, builder, width, .. } = self;
        write!(f, "{volume}, {}, {width} to a node", builder.name())
    }
}

/// The hierarchy to use, and those it was compared with.
///
/// ```
/// use impinge::tune::{self, Calibration, Choice, TuneOptions, Prices, Question, Triangles, Volume};
/// let corners = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
/// let body = Triangles { vertices: &corners, triangles: &[[0, 1, 2]] };
/// let made_up = Calibration::with_prices("none", |_, volume| {
///     Prices { step: if volume == Volume::Sphere { 1.0 } else { 2.0 }, ..Prices::default() }
/// });
/// let place = [impinge::Pose::IDENTITY.into()];
/// let options = TuneOptions { finalists: 0, ..TuneOptions::default() };
/// let choice = tune::choose(body, body, &Question::Overlap(&place), &made_up, &options)?;
/// assert_eq!(choice.best().volume, Volume::Sphere);
/// let kept = choice.to_text();
/// assert_eq!(Choice::from_text(&kept)?, choice);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    pub(super) asked: QuestionKind,
    pub(super) processor: String,
    pub(super) samples: usize,
    /// Candidates for which there was no time.
    pub(super) skipped: usize,
    pub(super) best: Candidate,
    /// Levels with support tables.
    pub(super) supports: usize,
    /// All that were considered: the finalists, the fastest first, then the others, the cheapest first.
    pub(super) table: Vec<Candidate>,
}

/// The first line of a saved choice.
const TITLE: &str = "impinge choice 2";
/// Lines of the table that are shown.
const SHOWN: usize = 8;

impl Choice {
    /// The hierarchy to use.
    pub fn best(&self) -> &Candidate {
        &self.best
    }

    /// All candidates: first the finalists, fastest first, then the others, cheapest first.
    pub fn table(&self) -> &[Candidate] {
        &self.table
    }

    /// On how many of the first levels support tables make this question faster: 0 except for [`QuestionKind::Overlap`], where most samples are near misses. Build
    /// them with [`AnyMesh::support_levels`](super::AnyMesh::support_levels), query with [`AnyMesh::overlap_supported`](super::AnyMesh::overlap_supported).
    pub fn supports(&self) -> usize {
        self.supports
    }

    /// The question it was chosen for.
    pub fn asked(&self) -> QuestionKind {
        self.asked
    }

    /// Number of samples examined.
    pub fn samples(&self) -> usize {
        self.samples
    }

    /// Number of candidates left out because time ran out or the search was stopped.
    pub fn skipped(&self) -> usize {
        self.skipped
    }

    /// The reason in a sentence: what it saves over the default, and over the next best volume.
    pub fn reason(&self) -> String {
        let best = &self.best;
        if self.samples == 0 {
            return format!("{best}: no samples were given, so this is the first of the list.");
        }
        let finalists = self.table.iter().filter(|one| one.timed.is_some()).count();
        let mut text = match best.timed {
            Some(seen) => format!(
                "{best}: {} a question, the fastest of the {finalists} cheapest by F",
                time(seen)
            ),
            None => format!("{best}: about {} a question", time(best.predicted())),
        };
        let default = self.table.iter().find(|one| one.is_default());
        match default.filter(|_| !best.is_default()) {
            Some(other) => text += &format!(", {}", compared(best, other, "the default")),
            None if best.is_default() => text += ", and it is the default",
            None => {}
        }
        let next = self.table.iter().find(|one| one.volume != best.volume);
        // If the default is that one, all is said.
        if let Some(next) = next.filter(|next| best.is_default() || !next.is_default()) {
            text += &format!("; {}", compared(best, next, "the best of other volumes"));
        }
        match self.supports {
            0 => {}
            1 => text += "; still faster with a support table before it",
            levels => text += &format!("; still faster with support tables on {levels} levels"),
        }
        text + "."
    }

    /// Serialises the choice as text.
    pub fn to_text(&self) -> String {
        let Self { asked, processor, samples, skipped, .. } = self;
        let mut text = format!(
            "{TITLE}\nprocessor {processor}\nquestion {asked}\nsamples {samples}\nskipped {skipped}\n"
        );
        text.push_str("# The first is the best. volume width updates steps leaves primitives, then nanoseconds: start update step leaf primitive, and of a question as seen, 0 if it was not timed, then builder\n");
        for Candidate { volume, builder, width, work, prices, timed } in &self.table {
            let Work { updates, steps, leaves, primitives } = work;
            let Prices { start, update, step, leaf, primitive } = prices;
            let _ = writeln!(
                text,
                "candidate {volume} {width} {updates} {steps} {leaves} {primitives} {start} {update} {step} {leaf} {primitive} {} {}",
                timed.unwrap_or(0.0),
                builder.name()
            );
        }
        if self.supports > 0 {
            let _ = writeln!(text, "supports {}", self.supports);
        }
        text
    }

    /// Reads what [`Choice::to_text`] wrote; an error has the line and a remedy.
    pub fn from_text(text: &str) -> Result<Self, TextError> {
        let (lines, end) = text::lines(text, TITLE)?;
        let (mut processor, mut asked, mut samples, mut skipped) = (None, None, None, None);
        let (mut table, mut supports) = (Vec::new(), None);
        let count = |line: &text::Line<'_>| -> Result<usize, TextError> {
            let reason = || format!("\"{}\" is not a whole number from 0 up", line.rest);
            line.rest.parse().map_err(|_| line.error(reason() + ": write one such as 64"))
        };
        for line in &lines {
            match line.key {
                "processor" => line.once(&mut processor, line.rest.to_string())?,
                "question" => line.once(&mut asked, text::asked(line, line.rest)?)?,
                "samples" => line.once(&mut samples, count(line)?)?,
                "skipped" => line.once(&mut skipped, count(line)?)?,
                "candidate" => table.push(candidate(line)?),
                "supports" => line.once(&mut supports, count(line)?)?,
                _ => {
                    let known =
                        ["processor", "question", "samples", "skipped", "candidate", "supports"];
                    return Err(line.unknown(&known));
                }
            }
        }
        let best = text::required(table.first().copied(), "candidate", end)?;
        Ok(Self {
            asked: text::required(asked, "question", end)?,
            processor: text::required(processor, "processor", end)?,
            samples: text::required(samples, "samples", end)?,
            skipped: text::required(skipped, "skipped", end)?,
            best,
            // Where nothing is said, none.
            supports: supports.unwrap_or(0),
            table,
        })
    }
}

/// Reads a line of the table.
fn candidate(line: &text::Line<'_>) -> Result<Candidate, TextError> {
    let words: Vec<&str> = line.rest.split_whitespace().collect();
    let Some((&[volume, width], rest)) = words.split_first_chunk() else {
        return Err(line.error("a volume and a width belong here: save again"));
    };
    let Some((numbers, builder)) = rest.split_at_checked(10) else {
        return Err(line.error("ten numbers and a builder belong here: save again"));
    };
    let volume = text::volume(line, volume)?;
    let reason = || format!("\"{width}\" is not a width: write a number from 2 to 8");
    let width = width.parse().ok().filter(|width| (2..=8).contains(width));
    let width = width.ok_or_else(|| line.error(reason()))?;
    let [updates, steps, leaves, primitives, start, update, step, leaf, primitive, timed] =
        text::numbers(line, numbers)?;
    Ok(Candidate {
        volume,
        builder: text::builder(line, &builder.join(" "))?,
        width,
        work: Work { updates, steps, leaves, primitives },
        prices: Prices { start, update, step, leaf, primitive },
        timed: (timed > 0.0).then_some(timed),
    })
}

/// Nanoseconds in a unit that suits them.
fn time(nanoseconds: f64) -> String {
    if nanoseconds < 1e6 {
        format!("{:.2} µs", nanoseconds * 1e-3)
    } else {
        format!("{:.2} ms", nanoseconds * 1e-6)
    }
}

/// What one saves over another, and where the difference comes from: the terms of F that differ most.
fn compared(best: &Candidate, other: &Candidate, role: &str) -> String {
    let [own, its] = best.times(other);
    let saved = if its > 0.0 { 100.0 * (1.0 - own / its) } else { 0.0 };
    if saved < 0.5 {
        return format!("as much as {role} ({other})");
    }
    let terms = |one: &Candidate| {
        let (work, prices) = (&one.work, &one.prices);
        [
            (work.steps, prices.step, "tests of volumes"),
            (work.leaves, prices.leaf, "pairs of leaves"),
            (work.primitives, prices.primitive, "pairs of triangles"),
            (work.updates, prices.update, "updates"),
            (1.0, prices.start, "start"),
        ]
    };
    let difference = |(a, b): &((f64, f64, &str), (f64, f64, &str))| b.0 * b.1 - a.0 * a.1;
    let most = terms(best)
        .into_iter()
        .zip(terms(other))
        .max_by(|a, b| difference(a).total_cmp(&difference(b)));
    // What was seen has no terms.
    let counted = best.timed.is_none() || other.timed.is_none();
    let why =
        most.filter(|pair| counted && difference(pair) > 0.0).map_or(String::new(), |(a, b)| {
            format!(
                ", mostly since it has {:.1} {} at {:.0} ns instead of {:.1} at {:.0} ns",
                a.0, a.2, a.1, b.0, b.1
            )
        });
    format!("{saved:.0} % less than {role} ({other}){why}")
}

impl fmt::Display for Choice {
    /// The reason, and the cheapest candidates.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.reason())?;
        let Self { asked, samples, processor, skipped, .. } = self;
        write!(f, "{asked}, mean of {samples} samples, {} candidates", self.table.len())?;
        if *skipped > 0 {
            write!(f, ", {skipped} more left out for lack of time")?;
        }
        writeln!(f, ", prices of {processor}")?;
        writeln!(
            f,
            "{:<8} {:<17} {:>5} {:>9} {:>9} {:>8} {:>8} {:>8} {:>10} {:>10}",
            "volume", "builder", "width", "Nu", "Nv", "Cv, ns", "Np", "exact", "F", "seen"
        )?;
        for one in self.table.iter().take(SHOWN) {
            let Candidate { volume, builder, width, work, prices, timed } = one;
            writeln!(
                f,
                "{volume:<8} {:<17} {width:>5} {:>9.1} {:>9.1} {:>8.1} {:>8.1} {:>8.1} {:>10} {:>10}",
                builder.name(),
                work.updates,
                work.steps,
                prices.step,
                work.leaves,
                work.primitives,
                time(one.predicted()),
                timed.map_or("–".into(), time)
            )?;
        }
        Ok(())
    }
}
