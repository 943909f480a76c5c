//! The choice of a hierarchy: arithmetic on counts, and text that is kept.

use impinge::Pose;
use impinge::geom::bound::{Aabb, Obb};
use impinge::geom::ray::Ray;
use impinge::mesh::{self, Mesh, MeshBuilder, ScaledPose, Scratch};
use impinge::tree::{Builder, Counts};
use impinge::tune::{
    self, AnyMesh, Calibration, Choice, Prices, Question, QuestionKind, Triangles, TuneOptions,
    Volume,
};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// A torus with a wavy tube, so that no volume is made for it.
fn torus() -> (Vec<[f64; 3]>, Vec<[u32; 3]>) {
    let (around, across) = (40u32, 20u32);
    let turn =
        |k: u32, of: u32| (f64::from(k % of) / f64::from(of) * std::f64::consts::TAU).sin_cos();
    let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
    for i in 0..around {
        for j in 0..across {
            let ((s, c), (t, d)) = (turn(i, around), turn(j, across));
            let tube = 0.4 + 0.1 * turn(5 * i, around).0;
            vertices.push([(2.0 + tube * d) * c, (2.0 + tube * d) * s, tube * t]);
            let at = |i: u32, j: u32| i % around * across + j % across;
            triangles.push([at(i, j), at(i + 1, j), at(i + 1, j + 1)]);
            triangles.push([at(i, j), at(i + 1, j + 1), at(i, j + 1)]);
        }
    }
    (vertices, triangles)
}

/// Along a line, from inside to outside, and turned.
fn places() -> Vec<ScaledPose> {
    tune::sampled(12, |t| {
        let (sin, cos) = (1.0 + 2.0 * t).sin_cos();
        Pose::new([cos, 0.6 * sin, 0.0, 0.8 * sin], [1.0 + 4.5 * t, 0.5, 0.3])
            .expect("a unit quaternion")
    })
}

/// Nothing in common but that work has a price; no two volumes cost the same.
fn made_up(step: [f64; 6], leaf: f64) -> Calibration {
    Calibration::with_prices("made up", |_, volume| {
        let place = Volume::ALL.iter().position(|one| *one == volume).expect("it is there");
        let update = [50.0, 60.0, 70.0, 4.0, 30.0, 80.0][place];
        Prices { start: 100.0, update, step: step[place], leaf, primitive: 300.0 }
    })
}

#[test]
fn the_choice_is_what_arithmetic_on_counts_says() {
    let (vertices, triangles) = torus();
    let body = Triangles { vertices: &vertices, triangles: &triangles };
    let places = places();
    let builders = [Builder::BinnedSah, Builder::Morton, Builder::Agglomerative];
    let mut winners = Vec::new();
    for (step, leaf) in [
        ([20.0, 30.0, 21.0, 15.0, 14.0, 19.0], 50.0),
        ([20.0, 30.0, 21.0, 15.0, 14.0, 40.0], 5.0),
        ([20.0, 6.0, 21.0, 15.0, 14.0, 20.0], 50.0),
        ([90.0, 80.0, 90.0, 90.0, 0.5, 70.0], 0.5),
    ] {
        let prices = made_up(step, leaf);
        let options = TuneOptions { builders: &builders, finalists: 0, ..TuneOptions::default() };
        let question = Question::Overlap(&places);
        let choice = tune::choose(body, body, &question, &prices, &options).unwrap();
        let mut least = (f64::INFINITY, None);
        let mut scratch = Scratch::default();
        for builder in builders {
            let grouped = MeshBuilder::new(&vertices, &triangles, builder).unwrap();
            for (place, volume) in Volume::ALL.into_iter().enumerate() {
                for width in [8, 4, 2] {
                    let mesh = AnyMesh::fitted(&grouped, volume, width);
                    let mut counts = Counts::default();
                    for pose in &places {
                        mesh.overlap(&mesh, pose, &mut scratch, &mut counts).unwrap();
                    }
                    let sum = counts.steps as f64 * step[place]
                        + counts.leaves as f64 * leaf
                        + counts.primitives as f64 * 300.0;
                    let price = 100.0 + sum / places.len() as f64;
                    if price < least.0 {
                        least = (price, Some((volume, builder, width)));
                    }
                }
            }
        }
        let best = choice.best();
        assert_eq!(Some((best.volume, best.builder, best.width)), least.1, "{choice}");
        assert!((best.predicted() - least.0).abs() < 1e-9 * least.0, "{choice}");
        assert!(choice.table().is_sorted_by_key(|one| one.predicted()));
        winners.push(best.volume);
    }
    winners.dedup();
    assert!(winners.len() >= 3, "prices hardly matter: {winners:?}");
}

#[test]
fn bodies_that_deform_pay_for_every_volume() {
    let (vertices, triangles) = torus();
    let body = Triangles { vertices: &vertices, triangles: &triangles };
    let places = places();
    let (other, prices) = (vertices.clone(), made_up([10.0, 10.0, 10.0, 40.0, 40.0, 40.0], 50.0));
    let question = Question::Overlap(&places);
    let chosen = |b: Triangles<'_>, updates: f64| {
        let options = TuneOptions {
            updates,
            builders: &[Builder::Median],
            widths: &[8],
            finalists: 0,
            ..TuneOptions::default()
        };
        *tune::choose(body, b, &question, &prices, &options).unwrap().best()
    };
    assert_ne!(chosen(body, 0.0).volume, Volume::Aabb);
    let deforming = chosen(body, 1.0);
    assert_eq!(deforming.volume, Volume::Aabb);
    let grouped = MeshBuilder::new(&vertices, &triangles, Builder::Median).unwrap();
    let tree = grouped.mesh::<Aabb>(8);
    let leaves = tree.tree().leaf_count();
    // Every node but the first, which holds the root, is some node's child.
    assert_eq!(deforming.work.updates, (leaves + tree.tree().node_count() - 1) as f64);
    // Two bodies have twice as many, and half the time half of that.
    let two = Triangles { vertices: &other, triangles: &triangles };
    assert_eq!(chosen(two, 0.5).work.updates, deforming.work.updates);
}

#[test]
fn every_volume_answers_alike() {
    let (vertices, triangles) = torus();
    let known: Mesh<Obb> = Mesh::new(&vertices, &triangles).unwrap();
    let grouped = MeshBuilder::new(&vertices, &triangles, Builder::Midpoint).unwrap();
    let (mut scratch, mut found, mut expected) = (Scratch::default(), Vec::new(), Vec::new());
    let ray = Ray::new([5.0, 0.3, 0.2], [-1.0, 0.1, 0.0]).unwrap();
    for volume in Volume::ALL {
        let mesh = AnyMesh::fitted(&grouped, volume, 4);
        assert_eq!(mesh.volume(), volume);
        assert!(mesh.bytes() > 0);
        for place in &places() {
            let overlap = mesh.overlap(&mesh, place, &mut scratch, &mut ());
            assert_eq!(overlap, Ok(mesh::overlap(&known, &known, place, &mut scratch)));
            mesh.pairs(&mesh, place, &mut scratch, &mut found, &mut ()).unwrap();
            mesh::pairs(&known, &known, place, &mut scratch, &mut expected);
            assert_eq!(found, expected, "{volume}");
            let distance = mesh.distance(&mesh, place, &mut scratch, &mut ()).unwrap();
            let known = mesh::distance(&known, &known, place, &mut scratch);
            assert_eq!(distance, known, "{volume}");
            for (tolerance, near) in [(known.distance, true), (known.distance * 0.99, false)] {
                let near = near || known.distance == 0.0;
                let found = mesh.within(&mesh, place, tolerance, &mut scratch, &mut ());
                assert_eq!(found, Ok(near), "{volume}");
            }
        }
        assert_eq!(mesh.ray(&ray, &mut scratch, &mut ()), known.cast_ray(&ray, &mut scratch));
        assert!(known.cast_ray(&ray, &mut scratch).is_some());
    }
    let [a, b] = [Volume::Obb, Volume::Sphere].map(|v| AnyMesh::fitted(&grouped, v, 8));
    let refused = a.overlap(&b, &Pose::IDENTITY.into(), &mut scratch, &mut ()).unwrap_err();
    assert_eq!((refused.a, refused.b), (Volume::Obb, Volume::Sphere));
    assert!(refused.to_string().contains("make both meshes from one choice"));
}

#[test]
fn without_time_or_when_told_to_stop_the_first_is_taken_and_the_rest_counted() {
    let (vertices, triangles) = torus();
    let body = Triangles { vertices: &vertices, triangles: &triangles };
    let (places, prices) = (places(), made_up([9.0, 8.0, 7.0, 6.0, 5.0, 6.5], 1.0));
    let stop = AtomicBool::new(true);
    for options in [
        TuneOptions { budget: Some(Duration::ZERO), ..TuneOptions::default() },
        TuneOptions { stop: Some(&stop), ..TuneOptions::default() },
    ] {
        let choice =
            tune::choose(body, body, &Question::Distance(&places), &prices, &options).unwrap();
        assert_eq!(choice.table().len(), 1);
        assert_eq!(choice.skipped(), 6 * 3 - 1 + 14);
        let best = choice.best();
        assert_eq!((best.volume, best.builder, best.width), (Volume::Obb, Builder::BinnedSah, 8));
        assert!(choice.to_string().contains("31 more left out for lack of time"), "{choice}");
    }
    let empty = TuneOptions { volumes: &[], builders: &[], widths: &[], ..TuneOptions::default() };
    let choice = tune::choose(body, body, &Question::Within(0.1, &[]), &prices, &empty).unwrap();
    assert_eq!((choice.table().len(), choice.samples()), (1, 0));
    assert!(choice.reason().contains("no samples"), "{choice}");
}

#[test]
fn more_samples_than_wanted_are_thinned_out_evenly() {
    let (vertices, triangles) = torus();
    let body = Triangles { vertices: &vertices, triangles: &triangles };
    let (all, prices) = (places(), made_up([9.0, 8.0, 7.0, 6.0, 5.0, 6.5], 1.0));
    let third: Vec<ScaledPose> = all.iter().copied().step_by(3).collect();
    let choose = |places: &[ScaledPose]| {
        let options = TuneOptions { samples: 4, finalists: 0, ..TuneOptions::default() };
        tune::choose(body, body, &Question::Pairs(places), &prices, &options).unwrap()
    };
    assert_eq!(choose(&all), choose(&third));
    assert_eq!(choose(&all).samples(), 4);
}

#[test]
fn what_is_measured_is_a_price_for_everything() {
    let calibration = Calibration::measure();
    assert!(calibration.is_of_this_machine());
    for asked in QuestionKind::ALL {
        for volume in Volume::ALL {
            let Prices { start, update, step, leaf, primitive } = calibration.prices(asked, volume);
            let all = [start, update, step, leaf, primitive];
            assert!(all.iter().all(|price| price.is_finite() && *price >= 0.0), "{all:?}");
            // Which part of the work a time is put down to is not certain on a busy machine, but something takes time.
            assert!(all.iter().any(|price| *price > 0.0), "{asked} {volume}: {all:?}");
        }
    }
    // A clock that stands still does not hang it.
    let nothing = Calibration::measure_by(&mut || Duration::ZERO, Duration::ZERO);
    assert_eq!(nothing.prices(QuestionKind::Overlap, Volume::Obb), Prices::default());
}

/// The fastest of the finalists is the best, whatever F says of it; the others follow by F.
#[test]
fn finalists_are_timed_and_the_fastest_is_taken() {
    let (vertices, triangles) = torus();
    let body = Triangles { vertices: &vertices, triangles: &triangles };
    let (places, prices) = (places(), made_up([9.0, 8.0, 7.0, 6.0, 5.0, 6.5], 1.0));
    let options = TuneOptions { finalists: 5, ..TuneOptions::default() };
    let question = Question::Overlap(&places);
    let choice = tune::choose(body, body, &question, &prices, &options).unwrap();
    let counted =
        tune::choose(body, body, &question, &prices, &TuneOptions { finalists: 0, ..options })
            .unwrap();
    let (finalists, others) = choice.table().split_at(5);
    assert!(finalists.iter().all(|one| one.timed.is_some_and(|seen| seen > 0.0)), "{choice}");
    assert!(others.iter().all(|one| one.timed.is_none()), "{choice}");
    assert!(finalists.is_sorted_by(|a, b| a.timed <= b.timed), "{choice}");
    assert_eq!((choice.best(), others), (&finalists[0], &counted.table()[5..]));
    let name = |one: &tune::Candidate| one.to_string();
    for one in &counted.table()[..5] {
        assert!(finalists.iter().any(|other| name(other) == name(one)), "{one} is not there");
    }
    assert!(choice.reason().contains("the fastest of the 5 cheapest by F"), "{choice}");
    assert_eq!(Choice::from_text(&choice.to_text()), Ok(choice));
}

fn choice() -> Choice {
    let (vertices, triangles) = torus();
    let body = Triangles { vertices: &vertices, triangles: &triangles };
    let (places, prices) = (places(), made_up([9.1, 8.2, 7.3, 6.4, 0.1 + 0.2, 7.7], 1.0 / 3.0));
    let options =
        TuneOptions { updates: 0.1, widths: &[8, 3], finalists: 3, ..TuneOptions::default() };
    tune::choose(body, body, &Question::Pairs(&places), &prices, &options).expect("a mesh")
}

#[test]
fn what_is_saved_loads_back() {
    let calibration = made_up([1e-300, 8.2, 1e300, 0.1 + 0.2, 5.5, 6.0], 1.0 / 3.0);
    assert_eq!(Calibration::from_text(&calibration.to_text()), Ok(calibration));
    let choice = choice();
    assert_eq!(choice.table().len(), 12 + 14 * 6);
    let text = choice.to_text();
    assert_eq!(Choice::from_text(&text).as_ref(), Ok(&choice));
    // With the ends of lines of other systems, remarks and empty lines.
    let dressed = format!("# kept\r\n\r\n{}", text.replace('\n', "\r\n"));
    assert_eq!(Choice::from_text(&dressed), Ok(choice));
}

/// Changes a line, counted from 1, and expects the error to name it, or the line after the last, and to say how to mend it.
fn refused<T: std::fmt::Debug>(
    read: fn(&str) -> Result<T, tune::TextError>,
    text: &str,
    (line, from, to): (usize, &str, &str),
    (named, cure): (usize, &str),
) {
    let mut lines: Vec<String> = text.lines().map(String::from).collect();
    let changed = lines[line - 1].replacen(from, to, 1);
    assert_ne!(changed, lines[line - 1], "{from} is not in line {line}");
    lines[line - 1] = changed;
    let error = read(&lines.join("\n")).expect_err("it is broken");
    assert_eq!(error.line, named, "{error}");
    let message = error.to_string();
    assert!(message.starts_with(&format!("line {named}: ")), "{message}");
    assert!(message.contains(cure), "{message}");
}

#[test]
fn a_broken_calibration_is_refused_with_its_line() {
    let text = made_up([1.5, 2.5, 3.5, 4.5, 5.5, 6.5], 7.0).to_text();
    let read = Calibration::from_text;
    let end = text.lines().count() + 1;
    refused(read, &text, (1, "1", "2"), (1, "expected \"impinge calibration 1\""));
    refused(read, &text, (2, "processor", "cpu"), (2, "write one of processor, price"));
    refused(read, &text, (2, "processor", "#"), (end, "no line starts with \"processor\""));
    refused(read, &text, (4, "OBB", "OBBB"), (4, "write one of OBB; RSS"));
    refused(read, &text, (4, "overlap", "overlaps"), (4, "write one of overlap; pairs"));
    refused(read, &text, (5, "RSS", "OBB"), (5, "given twice: remove one"));
    refused(read, &text, (6, "3.5", "x"), (6, "write one such as"));
    refused(read, &text, (6, "3.5", "-3.5"), (6, "not a number from 0 up"));
    refused(read, &text, (6, "3.5", "NaN"), (6, "not a number from 0 up"));
    refused(read, &text, (6, "3.5", "inf"), (6, "not a number from 0 up"));
    refused(read, &text, (6, " 3.5", ""), (6, "5 numbers belong here, not 4"));
    refused(read, &text, (7, "price", "#"), (end, "no line starts with \"price overlap AABB\""));
    refused(read, &text, (7, "price overlap AABB 100 4 4.5 7 300", "price"), (7, "save again"));
    assert!(read("").is_err_and(|error| error.line == 1));
}

#[test]
fn a_broken_choice_is_refused_with_its_line() {
    let text = choice().to_text();
    let read = Choice::from_text;
    let end = text.lines().count() + 1;
    refused(read, &text, (1, "choice", "calibration"), (1, "is it another file?"));
    refused(read, &text, (2, "processor", "question"), (2, "write one of overlap"));
    refused(read, &text, (3, "question pairs", "processor x"), (3, "given twice"));
    refused(read, &text, (4, "12", "-1"), (4, "write one such as 64"));
    refused(read, &text, (4, "samples", "#"), (end, "no line starts with \"samples\""));
    refused(read, &text, (7, "candidate", "candidates"), (7, "is not known"));
    refused(read, &text, (7, " 8 ", " 9 "), (7, "from 2 to 8"));
    refused(read, &text, (7, " 8 ", " 1 "), (7, "from 2 to 8"));
    let last = text.lines().last().unwrap();
    let name = last.rsplit(' ').next().unwrap();
    refused(read, &text, (end - 1, name, "nobody"), (end - 1, "write one of Morton curve"));
    refused(read, &text, (end - 1, last, "candidate OBB 8 1 2 3"), (end - 1, "ten numbers"));
    refused(read, &text, (end - 1, last, "candidate OBB"), (end - 1, "a volume and a width"));
    let none: String = text.lines().take(6).map(|line| format!("{line}\n")).collect();
    assert!(read(&none).is_err_and(|error| error.reason.contains("\"candidate\"")));
}
