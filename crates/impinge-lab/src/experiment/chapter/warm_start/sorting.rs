//! A list of pairs of primitives, as it comes and sorted by type; what is of one type can be tested eight at a time.

use crate::chart::{Axis, Corner, Panel, Series};
use crate::error::LabError;
use crate::finding::{Finding, Verdict};
use crate::random::Random;
use crate::session::Session;
use crate::table::Table;
use crate::timing::{ROUNDS, Rounds, repeated};
use impinge::geom::simd::{Kernel, Simd, dispatch};
use impinge::geom::{Pose, Shape, pair};
use std::hint::black_box;

/// Spheres, capsules, boxes, cylinders.
pub(super) const KINDS: usize = 4;

/// A list of pairs of some kinds of shapes.
pub(super) struct Sorted {
    kinds: usize,
    pairs: usize,
    /// Pairs of spheres.
    spheres: usize,
    /// Pairs that meet.
    meeting: usize,
    /// Times as it comes, sorted, and sorted with spheres eight at a time.
    times: Rounds,
}

/// A pair: which shapes, of what type, and where the second is.
struct Entry {
    a: usize,
    b: usize,
    pose: Pose,
}

/// The spheres of a list, eight abreast: from centre to centre, and the sum of the radii.
#[derive(Default)]
struct Eights {
    offsets: Vec<[[f32; 8]; 3]>,
    support_values: Vec<[f32; 8]>,
}

impl Kernel for &Eights {
    type Output = usize;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> usize {
        let mut meeting = 0;
        for (offset, reach) in self.offsets.iter().zip(&self.support_values) {
            let (x, y) = (simd.load32(&offset[0]), simd.load32(&offset[1]));
            let z = simd.load32(&offset[2]);
            let reach = simd.load32(reach);
            let square =
                simd.add32(simd.add32(simd.mul32(x, x), simd.mul32(y, y)), simd.mul32(z, z));
            let apart = simd.greater32(square, simd.mul32(reach, reach));
            meeting += 8 - apart.count_ones() as usize;
        }
        meeting
    }
}

fn shapes(kinds: usize, random: &mut Random) -> Result<Vec<(usize, Shape)>, LabError> {
    (0..64)
        .map(|k| {
            let kind = k % kinds;
            let mut size = || random.between(0.3, 0.7);
            let shape = match kind {
                0 => Shape::sphere(size()),
                1 => Shape::capsule(size() / 2.0, size() / 2.0),
                2 => Shape::cuboid([size() * 0.7, size() * 0.7, size() * 0.7]),
                _ => Shape::cylinder(size() * 0.7, size() * 0.7),
            };
            shape.map(|shape| (kind, shape)).map_err(LabError::failed)
        })
        .collect()
}

fn entries(
    shapes: &[(usize, Shape)],
    count: usize,
    random: &mut Random,
) -> Result<Vec<Entry>, LabError> {
    (0..count)
        .map(|_| {
            let [a, b] = [0, 1].map(|_| random.below(shapes.len() as u64) as usize);
            let reach = random.between(0.4, 1.3);
            let place = random.direction().map(|x| x * reach);
            Pose::new(random.quaternion(), place)
                .map(|pose| Entry { a, b, pose })
                .map_err(LabError::failed)
        })
        .collect()
}

fn meeting<'e>(
    shapes: &[(usize, Shape)],
    list: impl Iterator<Item = &'e Entry>,
    cache: &mut pair::Cache,
) -> usize {
    list.map(|Entry { a, b, pose }| {
        cache.set_warm_start(pair::WarmStart::default());
        usize::from(pair::overlap(&shapes[*a].1, &shapes[*b].1, pose, cache))
    })
    .sum()
}

/// Packs pairs of spheres. Lanes that are left over are far apart.
fn eights(shapes: &[(usize, Shape)], list: &[Entry]) -> Eights {
    let mut packed = Eights::default();
    for eight in list.chunks(8) {
        let (mut offsets, mut support_values) = ([[2.0; 8]; 3], [0.0; 8]);
        for (lane, Entry { a, b, pose }) in eight.iter().enumerate() {
            let to = pose.translation();
            for (row, value) in offsets.iter_mut().zip(to.to_array()) {
                row[lane] = value as f32;
            }
            support_values[lane] =
                (shapes[*a].1.bounding_radius() + shapes[*b].1.bounding_radius()) as f32;
        }
        packed.offsets.push(offsets);
        packed.support_values.push(support_values);
    }
    packed
}

pub(super) fn measure(session: &Session<'_>) -> Result<(Table, Vec<Sorted>), LabError> {
    let count = session.pick(20_000, 100_000, 1_000_000);
    let mut found = Vec::new();
    for kinds in 1..=KINDS {
        session.step("sorted pairs", kinds as u64 - 1, KINDS as u64)?;
        let mut random = Random::new(session.seed + kinds as u64);
        let shapes = shapes(kinds, &mut random)?;
        let list = entries(&shapes, count, &mut random)?;
        found.push(one(kinds, &shapes, list)?);
    }
    let mut table =
        Table::new("sorting", "A list of pairs as it comes, and sorted by the types of the shapes")
            .column("types of shapes", "")
            .column("pairs", "")
            .column("pairs of spheres", "")
            .column("pairs that meet", "")
            .varying("time as it comes / time sorted", "")
            .varying("time as it comes / time sorted, spheres eight at a time", "");
    for Sorted { kinds, pairs, spheres, meeting, times } in &found {
        table.row([
            (*kinds).into(),
            (*pairs).into(),
            (*spheres).into(),
            (*meeting).into(),
            times.ratio(0, 1).median.into(),
            times.ratio(0, 2).median.into(),
        ]);
    }
    Ok((table, found))
}

fn one(kinds: usize, shapes: &[(usize, Shape)], list: Vec<Entry>) -> Result<Sorted, LabError> {
    let kind = |entry: &Entry| (shapes[entry.a].0, shapes[entry.b].0);
    let sorted = |list: &[Entry]| -> Vec<Entry> {
        // By counting, in one pass over the list for the counts and one to place the entries.
        let mut starts = [0_usize; KINDS * KINDS + 1];
        let at = |entry: &Entry| shapes[entry.a].0 * KINDS + shapes[entry.b].0;
        list.iter().for_each(|entry| starts[at(entry) + 1] += 1);
        (1..starts.len()).for_each(|k| starts[k] += starts[k - 1]);
        let mut order = vec![0; list.len()];
        for (k, entry) in list.iter().enumerate() {
            let place = &mut starts[at(entry)];
            order[*place] = k;
            *place += 1;
        }
        order
            .into_iter()
            .map(|k| Entry { a: list[k].a, b: list[k].b, pose: list[k].pose })
            .collect()
    };
    let by_type = sorted(&list);
    let spheres = by_type.iter().filter(|entry| kind(entry) == (0, 0)).count();
    let mut cache = pair::Cache::default();
    let found = meeting(shapes, list.iter(), &mut cache);
    let packed = eights(shapes, &by_type[..spheres]);
    let again = dispatch(&packed) + meeting(shapes, by_type[spheres..].iter(), &mut cache);
    // Spheres within rounding of touching may be told otherwise in f32.
    if found.abs_diff(again) > list.len() / 1000 {
        return Err(LabError::failed("sorted pairs are answered otherwise"));
    }
    let (mut first, mut second) = (pair::Cache::default(), pair::Cache::default());
    let mut third = pair::Cache::default();
    let mut as_it_comes = || {
        let _ = black_box(meeting(shapes, list.iter(), &mut first));
    };
    // The sorting is part of the time, and so is the packing.
    let mut by_types = || {
        let _ = black_box(meeting(shapes, sorted(&list).iter(), &mut second));
    };
    let mut eight_at_a_time = || {
        let by_type = sorted(&list);
        let packed = eights(shapes, &by_type[..spheres]);
        let rest = meeting(shapes, by_type[spheres..].iter(), &mut third);
        let _ = black_box(dispatch(&packed) + rest);
    };
    let times = repeated(ROUNDS, &mut [&mut as_it_comes, &mut by_types, &mut eight_at_a_time]);
    Ok(Sorted { kinds, pairs: list.len(), spheres, meeting: found, times })
}

pub(super) fn panel(found: &[Sorted]) -> Panel {
    let series = |name: &str, k: usize| {
        let speedup = |one: &Sorted| (one.kinds as f64, one.times.ratio(0, 1 + k).median);
        Series::line(name, found.iter().map(speedup).collect())
    };
    Panel {
        title: "A list of pairs sorted by type".into(),
        across: Axis::linear("types of shapes in the list").within(0.5, 4.5),
        up: Axis::linear("time as it comes / time sorted"),
        series: vec![series("sorted", 0), series("sorted, spheres eight at a time", 1)],
        legend: Corner::UpperRight,
    }
}

pub(super) fn judge(finding: &mut Finding, found: &[Sorted]) {
    let (Some(first), Some(last)) = (found.first(), found.last()) else { return };
    // Times sorted over those as the list comes.
    let [sorted, eight, spheres] =
        [last.times.ratio(1, 0), last.times.ratio(2, 0), first.times.ratio(2, 0)];
    let gains = [sorted.is_faster() || eight.is_faster(), spheres.is_faster()];
    let verdict = Verdict::of(gains.iter().filter(|gain| **gain).count(), gains.len());
    finding.claim(
        "with a list of all pairs one can sort so that pairs of one type are adjacent, which can make for a faster parallel SIMD implementation",
        format!(
            "with {} types, the sorted list takes {sorted} times the time, and with spheres eight at a time {eight} times; a list of spheres alone takes {spheres} times the time eight at a time, all with the time of sorting and packing (median and middle half of {} rounds).",
            last.kinds,
            sorted.repeats
        ),
        verdict,
        if verdict == Verdict::Reproduced { "" } else { "Less than a tenth counts as no gain." },
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gain_within_the_margin_decides_nothing() {
        let sorted = |kinds: usize, shares: [f64; 3]| Sorted {
            kinds,
            pairs: 1,
            spheres: 1,
            meeting: 1,
            times: Rounds::steady(&shares, ROUNDS),
        };
        for (list, spheres, verdict) in [
            (0.95, 0.5, Verdict::Partly),
            (0.95, 0.93, Verdict::Differs),
            (0.8, 0.5, Verdict::Reproduced),
        ] {
            let mut finding = Finding::default();
            judge(&mut finding, &[sorted(1, [1.0, 1.0, spheres]), sorted(4, [1.0, 1.0, list])]);
            assert_eq!(finding.claims[0].verdict, verdict, "{list} {spheres}");
        }
    }

    #[test]
    fn sorted_lists_give_the_same_answers() {
        let mut random = Random::new(2);
        let shapes = shapes(KINDS, &mut random).unwrap();
        let list = entries(&shapes, 500, &mut random).unwrap();
        let spheres = list.iter().filter(|e| shapes[e.a].0 == 0 && shapes[e.b].0 == 0).count();
        let found = one(KINDS, &shapes, list).unwrap();
        assert_eq!((found.pairs, found.spheres), (500, spheres));
        assert!((50..450).contains(&found.meeting), "{}", found.meeting);
    }
}
