//! A sphere on its way through another one: tests of volumes and triangles that meet, by the place (figures 9 and 10).

use super::super::{Experiment, ModelUse};
use super::spheres::VOLUMES;
use crate::chart::{Axis, Chart, Corner, Panel, Series};
use crate::error::LabError;
use crate::finding::{Document, Finding, Verdict};
use crate::random::Random;
use crate::session::Session;
use crate::setting::concentric::{Contacts, KINDS, Spheres, outer};
use crate::table::{Cell, Table};
use impinge::geom::bound::{Bound, Obb, Rss};
use impinge::mesh::{self, Mesh, ScaledPose, Scratch};

pub(super) const EXPERIMENT: Experiment = Experiment {
    name: "rounded-sweep",
    title: "Rounded boxes against oriented boxes while a sphere travels through another one",
    document: Document::RoundedVolumes,
    place: "figures 9 and 10",
    models: ModelUse::Unused,
    revision: 3,
    work,
};

/// How much larger the outer sphere is.
const GAP: f64 = 0.01;

/// The inner sphere at one place: where it is on the way, the outer sphere as it sees it, and the triangles that meet, for each
/// orientation.
struct Place {
    y: f64,
    outers: Vec<(ScaledPose, Contacts)>,
}

impl Place {
    fn contacts(&self) -> f64 {
        let sum: usize = self.outers.iter().map(|(_, contacts)| contacts.len()).sum();
        sum as f64 / self.outers.len().max(1) as f64
    }
}

/// From −0.3 to 1 in steps of 0.05.
fn places(
    spheres: &Spheres,
    orientations: usize,
    session: &Session<'_>,
) -> Result<Vec<Place>, LabError> {
    let corners = spheres.corners.as_flattened();
    let flat: Vec<[f64; 3]> = corners.iter().map(|corner| corner.to_array()).collect();
    let face = |k: u32| [3 * k, 3 * k + 1, 3 * k + 2];
    let faces: Vec<[u32; 3]> = (0..spheres.corners.len() as u32).map(face).collect();
    let mesh: Mesh = Mesh::new(&flat, &faces).map_err(LabError::failed)?;
    let mut random = Random::new(session.seed);
    let (mut scratch, mut found) = (Scratch::default(), Vec::new());
    let mut places = Vec::new();
    for step in -6..=20_i32 {
        session.step("finding the contacts", (step + 6) as u64, 27)?;
        let y = f64::from(step) / 20.0;
        let mut outers = Vec::new();
        for _ in 0..orientations {
            let outer = outer(GAP, -y, &mut random)?;
            mesh::pairs(&mesh, &mesh, &outer, &mut scratch, &mut found);
            outers.push((outer, found.iter().map(|&(a, b, _)| (a, b)).collect()));
        }
        places.push(Place { y, outers });
    }
    Ok(places)
}

/// What one volume needs at each place, and the contacts that it lost.
struct Line {
    name: &'static str,
    tests: Vec<f64>,
    lost: usize,
}

fn measure(
    spheres: &Spheres,
    places: &[Place],
    session: &Session<'_>,
) -> Result<Vec<Line>, LabError> {
    let mut lines: Vec<Line> = Vec::new();
    let of = (VOLUMES.len() * places.len()) as u64;
    for name in VOLUMES {
        let Some(kind) = KINDS.iter().find(|kind| kind.name == name) else { continue };
        let mut ask = (kind.ask)(spheres);
        let mut line = Line { name, tests: Vec::new(), lost: 0 };
        for place in places {
            session.step(name, (lines.len() * places.len() + line.tests.len()) as u64, of)?;
            let mut sum = 0;
            for (outer, contacts) in &place.outers {
                let asked = ask(outer, contacts);
                sum += asked.volumes;
                line.lost += asked.lost;
            }
            line.tests.push(sum as f64 / place.outers.len().max(1) as f64);
        }
        lines.push(line);
    }
    Ok(lines)
}

fn work(session: &mut Session<'_>) -> Result<Finding, LabError> {
    let orientations = session.pick(3, 10, 100);
    let spheres = Spheres::new(5);
    let places = places(&spheres, orientations, session)?;
    let lines = measure(&spheres, &places, session)?;
    let mut table = Table::new("places", format!("Tests of two volumes by the place, ε = {GAP}"))
        .column("y", "radii")
        .column("triangles that meet", "");
    for line in &lines {
        table = table.column(line.name, "");
    }
    for (k, place) in places.iter().enumerate() {
        let mut row = vec![Cell::from(place.y), place.contacts().into()];
        row.extend(lines.iter().map(|line| Cell::from(line.tests[k])));
        table.row(row);
    }
    let mut finding = Finding {
        setting: format!(
            "A sphere of {} triangles and unit radius travels along y, from −0.3 to 1, in one of radius {}, in {orientations} random \
             orientations at each of {} places; all triangles that meet are asked for.",
            spheres.corners.len(),
            1.0 + GAP,
            places.len()
        ),
        tables: vec![table],
        charts: vec![chart(&places, &lines)],
        ..Finding::default()
    };
    judge(&mut finding, &places, &lines);
    Ok(finding)
}

fn judge(finding: &mut Finding, places: &[Place], lines: &[Line]) {
    let lost: usize = lines.iter().map(|line| line.lost).sum();
    finding.claim(
        "whatever the volume, the same contacts are found",
        format!("{lost} contacts lost by {} volumes", lines.len()),
        Verdict::holds(lost == 0),
        "",
    );
    let contacts = |y: f64| places.iter().find(|p| p.y == y).map_or(f64::NAN, Place::contacts);
    let [before, here, after] = [-0.05, 0.0, 0.05].map(contacts);
    finding.claim(
        "the number of contact pairs rises sharply at about y = 0",
        format!("{before:.0} at y = −0.05, {here:.0} at 0, {after:.0} at 0.05"),
        match (here < 0.5 * after, before < 0.5 * after) {
            (true, true) => Verdict::Reproduced,
            (true, false) => Verdict::Partly,
            _ => Verdict::Differs,
        },
        if here == 0.0 && before > 0.0 { "The surfaces cross on either side; only within the gap of being concentric there are no contacts." } else { "" },
    );
    let find = |name: &str| lines.iter().find(|line| line.name == name);
    if let (Some(boxes), Some(rounded)) = (find(Obb::NAME), find(Rss::NAME)) {
        let above = boxes.tests.iter().zip(&rounded.tests).filter(|(b, r)| b > r).count();
        let sum = |line: &Line| line.tests.iter().sum::<f64>();
        finding.claim(
            "points for oriented boxes are generally above those for the new volume",
            format!(
                "at {above} of {} places; over all of them {} needs {:.3} times the tests of {}",
                places.len(),
                boxes.name,
                sum(boxes) / sum(rounded),
                rounded.name
            ),
            Verdict::holds(2 * above > places.len()),
            if 2 * above > places.len() {
                ""
            } else {
                "Why the paper saw the opposite is not known."
            },
        );
    }
}

/// Figure 10, in two: tests and contacts by the place.
fn chart(places: &[Place], lines: &[Line]) -> Chart {
    let over = |values: &dyn Fn(usize) -> f64| -> Vec<(f64, f64)> {
        places.iter().enumerate().map(|(k, place)| (place.y, values(k))).collect()
    };
    let series = lines.iter().map(|line| Series::line(line.name, over(&|k| line.tests[k])));
    let panel = |title: &str, up, series, legend| Panel {
        title: title.into(),
        across: Axis::linear("y [radii]").within(-0.35, 1.05),
        up,
        series,
        legend,
    };
    let tests = panel(
        "Tests of volumes on the way, ε = 0.01",
        Axis::logarithmic("tests of two volumes"),
        series.collect(),
        Corner::Beside,
    );
    let contacts = panel(
        "Contacts on the way, ε = 0.01",
        Axis::linear("triangles that meet [pairs]"),
        vec![
            Series::line("measured", over(&|k| places[k].contacts())),
            // The paper gives no numbers: only where it sees the rise.
            Series::published("paper: a sharp rise here", vec![(0.0, 0.0), (0.0, 800.0)]),
        ],
        Corner::Beside,
    );
    Chart { name: "places".into(), panels: vec![tests, contacts] }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::Size;

    #[test]
    fn no_volume_loses_a_contact_and_what_is_lost_is_told() {
        let session = Session::new(Size::Quick, 1);
        let spheres = Spheres::new(2);
        let mut places = places(&spheres, 1, &session).unwrap();
        assert!(places.iter().any(|place| place.contacts() > 20.0));
        let lines = measure(&spheres, &places, &session).unwrap();
        assert!(lines.iter().all(|line| line.lost == 0));
        places[0].outers[0].1.insert((u32::MAX, 0));
        let lines = measure(&spheres, &places, &session).unwrap();
        let mut finding = Finding::default();
        judge(&mut finding, &places, &lines);
        assert_eq!(finding.claims[0].verdict, Verdict::Differs);
    }
}
