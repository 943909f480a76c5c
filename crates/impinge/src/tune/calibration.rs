//! Prices of the work on this machine.

use super::any_mesh::with_mesh;
use super::choice::Work;
use super::least_squares::non_negative;
use super::question::{Memory, Question};
use super::reference::Reference;
use super::text::{self, TextError};
use super::{AnyMesh, QuestionKind, Volume};
use crate::Mesh;
use impinge_geom::bound::Bound;
use impinge_geom::glam::Vec3A;
use impinge_geom::simd;
use impinge_tree::{Counts, ItemGeometry, Surface};
use std::fmt::Write;
use std::time::{Duration, Instant};

/// The price of each kind of work, in nanoseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Prices {
    /// Starting a query, before any volume is tested.
    pub start: f64,
    /// Cu: refitting a volume after its body deformed.
    pub update: f64,
    /// Cv: testing a volume against up to eight.
    pub step: f64,
    /// Cp: testing two leaves, or a leaf and a ray, with up to eight triangles each.
    pub leaf: f64,
    /// Deciding a pair of triangles in f64.
    pub primitive: f64,
}

impl Prices {
    /// F, the cost of a query with this work, in nanoseconds.
    ///
    /// ```
    /// use impinge::tune::{Prices, Work};
    /// let prices = Prices { start: 100.0, step: 20.0, leaf: 50.0, ..Prices::default() };
    /// assert_eq!(prices.of(&Work { steps: 10.0, leaves: 2.0, ..Work::default() }), 400.0);
    /// ```
    pub fn of(&self, work: &Work) -> f64 {
        self.start
            + self.update * work.updates
            + self.step * work.steps
            + self.leaf * work.leaves
            + self.primitive * work.primitives
    }

    fn checked(self) -> Self {
        let Self { start, update, step, leaf, primitive } = self;
        let [start, update, step, leaf, primitive] = [start, update, step, leaf, primitive]
            .map(|price| if price.is_finite() { price.max(0.0) } else { 0.0 });
        Self { start, update, step, leaf, primitive }
    }
}

/// The [prices](Prices) of each question and volume on one machine.
///
/// ```
/// use impinge::tune::{QuestionKind, Calibration, Volume};
/// let calibration = Calibration::measure();
/// assert!(calibration.is_of_this_machine());
/// assert!(calibration.prices(QuestionKind::Overlap, Volume::Obb).step > 0.0);
/// let kept = calibration.to_text();
/// assert_eq!(Calibration::from_text(&kept)?, calibration);
/// # Ok::<(), impinge::tune::TextError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Calibration {
    processor: String,
    /// One list for each of [`QuestionKind::ALL`], one entry for each of [`Volume::ALL`].
    prices: [[Prices; Volume::ALL.len()]; QuestionKind::ALL.len()],
}

/// The first line of a saved calibration.
const TITLE: &str = "impinge calibration 1";
/// How long questions are asked again and again, after three rounds.
const PATIENCE: Duration = Duration::from_millis(400);

impl Calibration {
    /// Measures this machine, in about a second. Other load matters little: the fastest of many times counts.
    pub fn measure() -> Self {
        let begin = Instant::now();
        Self::measure_by(&mut || begin.elapsed(), PATIENCE)
    }

    /// Like [`Calibration::measure`], with a clock of your own and for longer or shorter.
    pub fn measure_by(clock: &mut dyn FnMut() -> Duration, patience: Duration) -> Self {
        let reference = Reference::new();
        let questions = reference.questions();
        let updates: Vec<f64> =
            reference.meshes.iter().map(|meshes| update_price(meshes, clock)).collect();
        let observed = observe(&reference, &questions, clock, patience);
        let mut prices = [[Prices::default(); Volume::ALL.len()]; QuestionKind::ALL.len()];
        for (list, observed) in prices.iter_mut().zip(&observed) {
            *list = prices_of(observed);
            for (prices, update) in list.iter_mut().zip(&updates) {
                prices.update = *update;
            }
        }
        Self { processor: this_machine(), prices }
    }

    /// Prices from elsewhere: counted instructions, or another machine's. NaN and negative numbers count as 0.
    ///
    /// ```
    /// use impinge::tune::{QuestionKind, Calibration, Prices, Volume};
    /// let made_up = Calibration::with_prices("none", |_, _| Prices { step: 1.0, ..Prices::default() });
    /// assert_eq!(made_up.prices(QuestionKind::Ray, Volume::Aabb).step, 1.0);
    /// assert!(!made_up.is_of_this_machine());
    /// ```
    pub fn with_prices(processor: &str, prices: impl Fn(QuestionKind, Volume) -> Prices) -> Self {
        let of = |asked| Volume::ALL.map(|volume| prices(asked, volume).checked());
        // A saved text has one line for it.
        let processor = processor.split_whitespace().collect::<Vec<_>>().join(" ");
        Self { processor, prices: QuestionKind::ALL.map(of) }
    }

    /// The processor and instruction set it was measured on.
    pub fn processor(&self) -> &str {
        &self.processor
    }

    /// True if it was measured on such a processor, with such instructions.
    pub fn is_of_this_machine(&self) -> bool {
        self.processor == this_machine()
    }

    /// The prices for a question with a volume.
    pub fn prices(&self, asked: QuestionKind, volume: Volume) -> Prices {
        // Both lists hold every one.
        let place = QuestionKind::ALL.iter().position(|one| *one == asked);
        let lane = Volume::ALL.iter().position(|one| *one == volume);
        self.prices[place.unwrap_or(0)][lane.unwrap_or(0)]
    }

    /// Serialises the calibration as text.
    pub fn to_text(&self) -> String {
        let mut text = format!("{TITLE}\nprocessor {}\n", self.processor);
        text.push_str("# Nanoseconds: question volume start update step leaf primitive\n");
        for asked in QuestionKind::ALL {
            for volume in Volume::ALL {
                let Prices { start, update, step, leaf, primitive } = self.prices(asked, volume);
                let _ = writeln!(
                    text,
                    "price {asked} {volume} {start} {update} {step} {leaf} {primitive}"
                );
            }
        }
        text
    }

    /// Reads what [`Calibration::to_text`] wrote; an error has the line and a remedy.
    pub fn from_text(text: &str) -> Result<Self, TextError> {
        let (lines, end) = text::lines(text, TITLE)?;
        let mut processor = None;
        let mut found: Vec<(QuestionKind, Volume, Prices)> = Vec::new();
        for line in &lines {
            match line.key {
                "processor" => line.once(&mut processor, line.rest.to_string())?,
                "price" => {
                    let words: Vec<&str> = line.rest.split_whitespace().collect();
                    let [asked, volume, rest @ ..] = words.as_slice() else {
                        return Err(line.error("a question and a volume belong here: save again"));
                    };
                    let asked = text::asked(line, asked)?;
                    let volume = text::volume(line, volume)?;
                    if found.iter().any(|one| (one.0, one.1) == (asked, volume)) {
                        let reason = format!("the price of {asked} {volume} is given twice");
                        return Err(line.error(reason + ": remove one"));
                    }
                    let [start, update, step, leaf, primitive] = text::numbers(line, rest)?;
                    found.push((asked, volume, Prices { start, update, step, leaf, primitive }));
                }
                _ => return Err(line.unknown(&["processor", "price"])),
            }
        }
        let processor = text::required(processor, "processor", end)?;
        for asked in QuestionKind::ALL {
            for volume in Volume::ALL {
                let there = found.iter().any(|one| (one.0, one.1) == (asked, volume));
                text::required(there.then_some(()), &format!("price {asked} {volume}"), end)?;
            }
        }
        Ok(Self::with_prices(&processor, |asked, volume| {
            let own = found.iter().find(|one| (one.0, one.1) == (asked, volume));
            own.map_or(Prices::default(), |one| one.2)
        }))
    }
}

/// The processor and the instruction set that is used.
fn this_machine() -> String {
    format!("{}, {:?}", simd::processor(), simd::level())
}

/// One volume in one situation: what it is, what was counted, and the least time in nanoseconds.
struct Observation {
    volume: usize,
    queries: usize,
    counts: Counts,
    time: f64,
}

/// Asks each mesh everything, until patience ends. One list for each of [`QuestionKind::ALL`].
fn observe(
    reference: &Reference,
    questions: &[Vec<Question<'_>>],
    clock: &mut dyn FnMut() -> Duration,
    patience: Duration,
) -> Vec<Vec<Observation>> {
    let mut memory = Memory::default();
    let mut observed: Vec<Vec<Observation>> = questions.iter().map(|_| Vec::new()).collect();
    let begin = clock();
    let mut round = 0;
    // All take turns, so that a bad moment hits one time of each.
    while round < 3 || clock().saturating_sub(begin) < patience {
        for (questions, observed) in questions.iter().zip(&mut observed) {
            let mut place = 0;
            for (volume, meshes) in reference.meshes.iter().enumerate() {
                for (mesh, question) in
                    meshes.iter().flat_map(|mesh| questions.iter().map(move |q| (mesh, q)))
                {
                    let (counts, time) = timed(question, mesh, &mut memory, clock);
                    if let Some(known) = observed.get_mut(place) {
                        known.time = known.time.min(time);
                    } else {
                        let queries = question.samples();
                        observed.push(Observation { volume, queries, counts, time });
                    }
                    place += 1;
                }
            }
        }
        round += 1;
        if round > 10_000 {
            // A clock that stands still.
            break;
        }
    }
    observed
}

/// The work of a question, and what it takes in nanoseconds when nothing is counted and the mesh and the code are in the caches.
fn timed(
    question: &Question<'_>,
    mesh: &AnyMesh,
    memory: &mut Memory,
    clock: &mut dyn FnMut() -> Duration,
) -> (Counts, f64) {
    let mut least = Duration::MAX;
    let mut counts = Counts::default();
    question.ask(mesh, mesh, 1, memory, &mut counts);
    for _ in 0..2 {
        let start = clock();
        question.ask(mesh, mesh, 1, memory, &mut ());
        least = least.min(clock().saturating_sub(start));
    }
    (counts, least.as_nanos() as f64)
}

/// Prices for each of [`Volume::ALL`] that explain what was observed.
///
/// To begin and to decide a pair of triangles is the same work with any volume, and so has one price. Pairs of leaves have one for each
/// volume: tight ones bring fewer of those whose triangles are told apart at once.
fn prices_of(observed: &[Observation]) -> [Prices; Volume::ALL.len()] {
    const COUNT: usize = Volume::ALL.len();
    let row = |one: &Observation| {
        let Counts { steps, leaves, primitives, .. } = one.counts;
        let mut row = [0.0; 2 + 2 * COUNT];
        row[0] = one.queries as f64 / one.time;
        row[1] = primitives as f64 / one.time;
        row[2 + one.volume] = steps as f64 / one.time;
        row[2 + COUNT + one.volume] = leaves as f64 / one.time;
        row
    };
    let rows: Vec<_> = observed.iter().filter(|one| one.time > 0.0).map(row).collect();
    let found = non_negative(&rows);
    std::array::from_fn(|volume| Prices {
        start: found[0],
        update: 0.0,
        step: found[2 + volume],
        leaf: found[2 + COUNT + volume],
        primitive: found[1],
    })
}

/// What it takes to fit one volume of a hierarchy again, in nanoseconds.
fn update_price(meshes: &[AnyMesh], clock: &mut dyn FnMut() -> Duration) -> f64 {
    let Some(mesh) = meshes.first() else { return 0.0 };
    let mut least = Duration::MAX;
    for _ in 0..3 {
        least = least.min(with_mesh!(mesh, mesh => refit_time(mesh, clock)));
    }
    least.as_nanos() as f64 / mesh.volume_count().max(1) as f64
}

fn refit_time<B: Bound>(mesh: &Mesh<B>, clock: &mut dyn FnMut() -> Duration) -> Duration {
    let mut tree = mesh.tree().clone();
    let frame = *tree.frame();
    let corners = |&item: &u32| mesh.corners(item).map(|p| frame.local(p));
    let points: Vec<Vec3A> = tree.order().iter().flat_map(corners).collect();
    let surface = Surface::Triangles;
    let geometry = ItemGeometry { frame: &frame, points: &points, points_per_item: 3, surface };
    let start = clock();
    // There are points for every item.
    let _ = tree.refit(&geometry);
    clock().saturating_sub(start)
}
