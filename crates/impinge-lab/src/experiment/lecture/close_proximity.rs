//! Parallel close proximity: how the tests of volumes grow as the gap between two surfaces closes.
//!
//! S. Gottschalk, M. C. Lin and D. Manocha, "OBBTree" (1996), section 7: at a gap of ε, trees of oriented boxes need O(1/ε) tests and
//! those of aligned boxes and spheres O(1/ε²), since the thickness of an oriented box shrinks with the square of its length and that of
//! the others with the length itself.

use super::super::{Experiment, ModelUse};
use crate::chart::{Axis, Chart, Corner, Panel, Series, slope};
use crate::error::LabError;
use crate::finding::{Document, Finding, Verdict};
use crate::random::Random;
use crate::session::Session;
use crate::setting::concentric::{Contacts, GAPS, KINDS, NEAR_SLOPE, SLOPE_WINDOW, Spheres, outer};
use crate::table::{Cell, Table};
use impinge::geom::bound::{
    Aabb, Bound, ConvexHull, Dop14, Dop18, Dop26, Dop36, EllipsoidBound, Lss, Obb, ObbRss,
    RoundedBox, Rss, Sphere, SphericalShell, Tss,
};
use impinge::mesh::ScaledPose;

pub(super) const EXPERIMENT: Experiment = Experiment {
    name: "close-proximity",
    title: "Volume tests between two concentric spheres by the gap, for every volume",
    document: Document::Lecture,
    place: "Parallel close proximity",
    models: ModelUse::Unused,
    revision: 1,
    work,
};

/// Where slopes are taken: volumes that turn with the surface, and those that do not, which reach all leaves at narrower gaps.
const WINDOWS: [[f64; 2]; 2] = [SLOPE_WINDOW, [0.04, 0.4]];

/// What one volume needs at each gap, on average.
struct Line {
    name: &'static str,
    points: Vec<(f64, f64)>,
}

fn measure(
    spheres: &Spheres,
    places: &[(f64, Vec<ScaledPose>)],
    session: &Session<'_>,
) -> Result<Vec<Line>, LabError> {
    let none = Contacts::new();
    let mut lines = Vec::new();
    let all = (KINDS.len() * places.len()) as u64;
    for kind in &KINDS {
        let mut ask = (kind.ask)(spheres);
        let mut points = Vec::new();
        for (gap, outers) in places {
            session.step(kind.name, (lines.len() * places.len() + points.len()) as u64, all)?;
            let sum: u64 = outers.iter().map(|outer| ask(outer, &none).volumes).sum();
            points.push((*gap, sum as f64 / outers.len() as f64));
        }
        lines.push(Line { name: kind.name, points });
    }
    Ok(lines)
}

/// The gaps from the narrowest of the published figures up to where few volumes are opened.
fn places(orientations: usize, seed: u64) -> Result<Vec<(f64, Vec<ScaledPose>)>, LabError> {
    let mut random = Random::new(seed);
    let mut places = Vec::new();
    for gap in GAPS.into_iter().filter(|gap| (0.001..=0.4).contains(gap)) {
        let outers = (0..orientations).map(|_| outer(gap, 0.0, &mut random));
        places.push((gap, outers.collect::<Result<_, _>>()?));
    }
    Ok(places)
}

fn work(session: &mut Session<'_>) -> Result<Finding, LabError> {
    let level = session.pick(5, 6, 7);
    let orientations = session.pick(1, 4, 20);
    let spheres = Spheres::new(level);
    let places = places(orientations, session.seed)?;
    let lines = measure(&spheres, &places, session)?;
    let mut finding = Finding {
        setting: format!(
            "A sphere of {} triangles inside one that is larger by the gap, {orientations} random orientation(s) at each; binary trees with \
             one triangle to a leaf, the same grouping for all volumes, the larger volume opened first; all pairs of leaves asked for.",
            spheres.corners.len()
        ),
        tables: vec![table(&places, &lines)],
        charts: vec![Chart { name: "gaps".into(), panels: panels(&lines) }],
        ..Finding::default()
    };
    judge(&mut finding, &lines);
    Ok(finding)
}

fn table(places: &[(f64, Vec<ScaledPose>)], lines: &[Line]) -> Table {
    let mut table =
        Table::new("gaps", "Tests of two volumes by the gap, in radii").column("volume", "");
    for (gap, _) in places {
        table = table.column(format!("{gap}"), "");
    }
    for [from, to] in WINDOWS {
        table = table.column(format!("slope on {from} to {to}"), "");
    }
    for line in lines {
        let mut row = vec![Cell::from(line.name)];
        row.extend(line.points.iter().map(|point| point.1.into()));
        row.extend(WINDOWS.map(|window| slope(&line.points, window).into()));
        table.row(row);
    }
    table
}

fn judge(finding: &mut Finding, lines: &[Line]) {
    let find = |name: &str| lines.iter().find(|line| line.name == name);
    let of = |name: &str, window| find(name).map_or(f64::NAN, |line| slope(&line.points, window));
    let [oriented, swept] = [Obb::NAME, Rss::NAME].map(|name| of(name, WINDOWS[0]));
    finding.claim(
        "trees of oriented boxes need O(1/ε) tests: a slope of −1",
        format!(
            "a slope of {oriented:.2} on gaps from {} to {}; swept rectangles {swept:.2}",
            WINDOWS[0][0], WINDOWS[0][1]
        ),
        Verdict::holds((oriented + 1.0).abs() <= NEAR_SLOPE),
        "",
    );
    let [aligned, sphere] = [Aabb::NAME, Sphere::NAME].map(|name| of(name, WINDOWS[1]));
    finding.claim(
        "trees of spheres and of aligned boxes need O(1/ε²) tests: a slope of −2",
        format!(
            "slopes of {sphere:.2} and {aligned:.2} on gaps from {} to {}, above where all leaves are reached",
            WINDOWS[1][0], WINDOWS[1][1]
        ),
        Verdict::holds((aligned + 2.0).abs() <= NEAR_SLOPE && (sphere + 2.0).abs() <= NEAR_SLOPE),
        "",
    );
    let at = |name: &str, gap: f64| {
        let point = |line: &Line| line.points.iter().find(|point| point.0 == gap).map(|p| p.1);
        find(name).and_then(point).unwrap_or(f64::NAN)
    };
    // From wide to narrow: who wins asymptotically wins by more and more.
    let ratios = |name: &str| [0.32, 0.1, 0.032].map(|gap| at(name, gap) / at(Obb::NAME, gap));
    let grows =
        |ratios: [f64; 3]| 1.0 < ratios[0] && ratios.is_sorted_by(|wide, narrow| wide < narrow);
    let (boxes, balls) = (ratios(Aabb::NAME), ratios(Sphere::NAME));
    finding.claim(
        "oriented boxes outperform aligned ones and spheres asymptotically",
        format!(
            "aligned boxes need {:.1} times the tests at a gap of 0.32, {:.1} at 0.1, {:.1} at 0.032; spheres {:.1}, {:.1} and {:.1} times",
            boxes[0], boxes[1], boxes[2], balls[0], balls[1], balls[2]
        ),
        Verdict::of(usize::from(grows(boxes)) + usize::from(grows(balls)), 2),
        "",
    );
}

/// Those that turn with the surface, and those that do not; a single picture would be too full.
fn panels(lines: &[Line]) -> Vec<Panel> {
    let turning = [
        Obb::NAME,
        Rss::NAME,
        ObbRss::NAME,
        RoundedBox::NAME,
        Tss::NAME,
        ConvexHull::NAME,
        EllipsoidBound::NAME,
    ];
    let still = [
        Sphere::NAME,
        Aabb::NAME,
        Dop14::NAME,
        Dop18::NAME,
        Dop26::NAME,
        Dop36::NAME,
        Lss::NAME,
        SphericalShell::NAME,
    ];
    let panel = |title: &str, names: &[&str], (model, power): (&str, i32)| {
        let own = lines.iter().filter(|line| names.contains(&line.name));
        let mut series: Vec<Series> =
            own.map(|line| Series::line(line.name, line.points.clone())).collect();
        if let Some(line) = lines.iter().find(|line| line.name == model) {
            let here = line.points.iter().find(|point| point.0 == 0.1).map_or(1.0, |p| p.1);
            let expected = [0.001_f64, 0.01, 0.1, 0.32].map(|gap| {
                let tests = here * (0.1 / gap).powi(power);
                (gap, tests)
            });
            let kept = expected.into_iter().filter(|p| p.1 < 4e6).collect();
            let name = format!("lecture: slope −{power}, through {model} at 0.1");
            series.push(Series::published(name, kept).colored(13));
        }
        Panel {
            title: title.into(),
            across: Axis::logarithmic("gap [radii]"),
            up: Axis::logarithmic("tests of two volumes"),
            series,
            legend: Corner::Beside,
        }
    };
    vec![
        panel("Volumes that turn with the surface", &turning, (Obb::NAME, 1)),
        panel("Volumes that do not", &still, (Aabb::NAME, 2)),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::Size;

    #[test]
    fn every_volume_is_measured_at_every_gap() {
        let spheres = Spheres::new(2);
        let places = places(1, 1).unwrap();
        let lines = measure(&spheres, &places, &Session::new(Size::Quick, 1)).unwrap();
        assert_eq!(lines.len(), KINDS.len());
        for line in &lines {
            assert_eq!(line.points.len(), places.len());
            // A narrower gap never needs fewer tests but for the orientation.
            assert!(line.points[0].1 >= line.points[places.len() - 1].1, "{}", line.name);
        }
        let names: usize = panels(&lines).iter().map(|panel| panel.series.len()).sum();
        assert_eq!(names, KINDS.len() + 2, "every volume is in one of the pictures");
    }
}
