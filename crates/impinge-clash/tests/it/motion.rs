//! Parts that move: times that are known by hand, and dense samples with poses computed apart.

use crate::boxes::model;
use impinge::geom::glam::DVec2;
use impinge::query::Start;
use impinge_clash::motion::{Encounter, MotionFile};
use impinge_clash::{CheckOptions, Finding, Kind, Model, Outcome, Plan, check};
use impinge_io::{SceneFormat, parse_scene};
use std::f64::consts::PI;

fn moved(mut model: Model, motion: &str, tests: &str) -> (Model, Outcome) {
    let file = MotionFile::parse(motion, "motion.toml").unwrap();
    model.set_motion(&file).unwrap();
    let plan = Plan::parse(tests, "tests.toml").unwrap();
    let outcome = check(&model, &plan, &CheckOptions::default());
    (model, outcome)
}

const ALL: &str = "[[test]]\nname = \"all\"";

fn only(outcome: &Outcome) -> (&Finding, &Encounter) {
    assert_eq!(outcome.findings.len(), 1, "{:#?}", outcome.findings);
    let finding = &outcome.findings[0];
    (finding, finding.motion.as_ref().unwrap())
}

/// The times of the first contact.
fn times(encounter: &Encounter) -> [f64; 2] {
    encounter.meeting.unwrap().interval.map(|moment| moment.values[0])
}

/// How much before the truth the upper end of an interval may lie where contact is known up to rounding.
const ROUNDING: f64 = 1e-12;

#[test]
fn a_block_slides_into_a_wall() {
    let blocks = model(&[
        ("block", [0.0; 3], [1.0, 1.0, 1.0]),
        ("wall", [2.5, -1.0, -1.0], [3.0, 2.0, 2.0]),
    ]);
    // At one metre per second, half a second late.
    let motion = "unit = \"cm\"\n[[move]]\nparts = \"block\"\nkeys = [{ time = \"0.5s\" }, { time = \"4.5s\", shift = [400, 0, 0] }]";
    let (model, outcome) = moved(blocks, motion, ALL);
    let (finding, encounter) = only(&outcome);
    assert_eq!((finding.kind, encounter.start, encounter.decided), (Kind::Hard, Start::Free, true));
    let [free, met] = times(encounter);
    assert!(free <= 2.0 && met >= 2.0 - ROUNDING && met - free <= 4e-6 + 1e-12, "{free} {met}");
    // All of the half metre of wall is in the block, then.
    let deepest = encounter.deepest.unwrap();
    assert!((deepest.depth - 0.5).abs() < 0.02, "{deepest:?}");
    assert!(
        finding.explanation.contains("meet at 2 s")
            && finding.explanation.contains("; before that they are certainly apart"),
        "{}",
        finding.explanation
    );
    // The points are where they touch, in the scene.
    let [a, b] = finding.points.unwrap();
    assert!((a.x - 2.5).abs() < 1e-5 && (b.x - 2.5).abs() < 1e-12, "{a} {b}");
    let tally = outcome.tally.unwrap();
    assert_eq!((tally.moving, tally.meeting, tally.free), (1, 1, 0));
    // The model stands where the motion begins, and goes where it says.
    let movement = model.motion.as_ref().unwrap();
    let end = model.posed(movement.moment(1.0));
    assert!((end.parts[0].bounds.low.x - 4.0).abs() < 1e-12 && model.parts[0].bounds.low.x == 0.0);
}

#[test]
fn the_least_gap_on_the_way() {
    let blocks = || {
        model(&[("block", [0.0; 3], [1.0, 1.0, 1.0]), ("post", [3.0, 1.2, 0.0], [3.5, 2.0, 1.0])])
    };
    let motion =
        "[[move]]\nparts = \"block\"\nkeys = [{ time = 0 }, { time = 8, shift = [8, 0, 0] }]";
    let (_, outcome) = moved(blocks(), motion, "[[test]]\nname = \"all\"\nclearance = 0.5");
    let (finding, encounter) = only(&outcome);
    let least = encounter.least.unwrap();
    assert_eq!((finding.kind, encounter.meeting), (Kind::Clearance, None));
    assert!(
        (least.distance - 0.2).abs() < 1e-4 && least.lower <= 0.2 && least.lower > 0.19,
        "{least:?}"
    );
    let at = least.at.values[0];
    assert!((2.0 - 1e-2..=3.5 + 1e-2).contains(&at), "{at}");
    assert!(finding.explanation.contains("They do not touch."), "{}", finding.explanation);
    // What is asked less is free.
    let (_, outcome) = moved(blocks(), motion, "[[test]]\nname = \"all\"\nclearance = 0.19");
    assert!(outcome.findings.is_empty() && outcome.tally.unwrap().free == 1);
}

#[test]
fn contact_at_the_start_has_a_name() {
    let pair = |gap: f64| {
        model(&[
            ("block", [gap, 0.0, 0.0], [1.0 + gap, 1.0, 1.0]),
            ("wall", [-1.0, 0.0, 0.0], [0.0, 1.0, 1.0]),
        ])
    };
    let slide =
        "[[move]]\nparts = \"block\"\nkeys = [{ time = 0 }, { time = 1, shift = [0, 0.5, 0] }]";
    // Flush, and sliding along: nothing to report, and told as such.
    let (_, outcome) = moved(pair(0.0), slide, ALL);
    assert!(outcome.findings.is_empty(), "{:#?}", outcome.findings);
    assert_eq!(outcome.tally.unwrap().at_start, 1);
    // Overlapping: reported as at rest.
    let (_, outcome) = moved(pair(-0.1), slide, ALL);
    let (finding, encounter) = only(&outcome);
    assert_eq!((finding.kind, encounter.start), (Kind::Hard, Start::Overlapping));
    assert!(
        finding.explanation.ends_with("in contact at the start of the motion."),
        "{}",
        finding.explanation
    );
    // Touching, away, and back into it: certified from where they are apart.
    let back = "[[move]]\nparts = \"block\"\nkeys = [{ time = 0 }, { time = 1, shift = [1, 0, 0] }, { time = 3, shift = [-1, 0, 0] }]";
    let (_, outcome) = moved(pair(0.0), back, ALL);
    let (_, encounter) = only(&outcome);
    assert!(encounter.start.is_touching());
    let [free, met] = times(encounter);
    assert!(free <= 2.0 && met >= 2.0 - ROUNDING && met - free < 1e-5, "{free} {met}");
    // Into it at once: samples see it, and it is told as an estimate.
    let into =
        "[[move]]\nparts = \"block\"\nkeys = [{ time = 0 }, { time = 1, shift = [-0.2, 0, 0] }]";
    let (_, outcome) = moved(pair(0.0), into, ALL);
    let (finding, encounter) = only(&outcome);
    assert_eq!((finding.kind, encounter.start), (Kind::Hard, Start::Approaching));
}

/// A planet on a carrier: the second move rides on the first.
#[test]
fn moves_ride_on_those_before_them() {
    let blocks = model(&[
        ("planet", [1.9, -0.1, 0.0], [2.4, 0.1, 1.0]),
        ("post", [-0.1, 2.9, 0.0], [0.1, 3.1, 1.0]),
    ]);
    // The tip reaches 2.4 along the carrier's arm at the start, and 2.1 from the planet's pin at 2; turned out it would reach no farther.
    let motion = r#"
        [[move]]
        parts = "planet"
        axis = [0, 0, 1]
        keys = [{ time = 0, turn = "0deg" }, { time = 1, turn = "90deg" }]
        [[move]]
        parts = "planet"
        shift_is_wrong = 1
    "#;
    assert!(
        MotionFile::parse(motion, "m.toml")
            .unwrap_err()
            .to_string()
            .starts_with("m.toml:8:9: unknown field")
    );
    let motion = r#"
        [[move]]
        parts = "planet"
        axis = [0, 0, 1]
        keys = [{ time = 0, turn = "0deg" }, { time = 1, turn = "90deg" }, { time = 2 }]
        [[move]]
        parts = "planet"
        keys = [{ time = 1 }, { time = 2, shift = [1, 0, 0] }]
    "#;
    let (_, outcome) = moved(blocks, motion, ALL);
    let (_, encounter) = only(&outcome);
    // After the turn the arm points to the post; the shift along the arm of 2.9 - 2.4 takes half a second.
    let [free, met] = times(encounter);
    assert!(free <= 1.5 && met >= 1.5 - 1e-9 && met - free < 3e-6, "{free} {met}");
}

/// An arm of two bars in the plane, with a pillar beside it.
fn arm(pillar: [f64; 2]) -> Model {
    let bar = |name: &str| {
        format!(
            "<link name=\"{name}\"><collision><origin xyz=\"0.5 0 0\"/><geometry><box size=\"0.9 0.1 0.1\"/></geometry></collision></link>"
        )
    };
    let joint = |name: &str, parent: &str, child: &str, at: &str| {
        format!(
            "<joint name=\"{name}\" type=\"revolute\"><parent link=\"{parent}\"/><child link=\"{child}\"/><origin xyz=\"{at}\"/><axis xyz=\"0 0 1\"/><limit lower=\"-3\" upper=\"3\"/></joint>"
        )
    };
    let [x, y] = pillar;
    let text = format!(
        "<robot name=\"arm\"><link name=\"base\"><collision><origin xyz=\"{x} {y} 0\"/><geometry><box size=\"0.2 0.2 1\"/></geometry></collision></link>\
         <link name=\"post\"/>{}{}{}{}<joint name=\"foot\" type=\"fixed\"><parent link=\"base\"/><child link=\"post\"/></joint></robot>",
        bar("upper"),
        bar("lower"),
        joint("shoulder", "post", "upper", "0 0 0"),
        joint("elbow", "upper", "lower", "1 0 0"),
    );
    let scene =
        parse_scene(text.as_bytes(), SceneFormat::Urdf, "arm.urdf", &Default::default()).unwrap();
    Model::new(&scene)
}

/// Two rectangles in the plane, by separating axes: the oracle shares nothing with the library.
fn meet(a: &[DVec2; 4], b: &[DVec2; 4]) -> bool {
    let sides = |r: &[DVec2; 4]| [r[1] - r[0], r[3] - r[0]];
    sides(a).into_iter().chain(sides(b)).all(|axis| {
        let span = |r: &[DVec2; 4]| {
            let along = r.map(|p| p.dot(axis));
            [
                along.iter().copied().fold(f64::INFINITY, f64::min),
                along.iter().copied().fold(f64::NEG_INFINITY, f64::max),
            ]
        };
        let (s, t) = (span(a), span(b));
        s[0] <= t[1] && t[0] <= s[1]
    })
}

/// The forearm of the arm at joint positions, by the closed form.
fn forearm(shoulder: f64, elbow: f64) -> [DVec2; 4] {
    let start = DVec2::from_angle(shoulder);
    let along = DVec2::from_angle(shoulder + elbow);
    [[0.05, -0.05], [0.95, -0.05], [0.95, 0.05], [0.05, 0.05]]
        .map(|[x, y]| start + along * x + along.perp() * y)
}

fn pillar([x, y]: [f64; 2]) -> [DVec2; 4] {
    [[-0.1, -0.1], [0.1, -0.1], [0.1, 0.1], [-0.1, 0.1]].map(|[dx, dy]| DVec2::new(x + dx, y + dy))
}

#[test]
fn an_arm_on_a_path_against_dense_samples() {
    let motion = r#"
        [[move]]
        joint = "shoulder"
        keys = [{ time = "0s", position = 0 }, { time = "1s", position = "40deg" }, { time = "3s", position = "-0.3rev" }]
        [[move]]
        joint = "elbow"
        keys = [{ time = "0s", position = "10deg" }, { time = "2s", position = "2.5rad" }]
    "#;
    let at = |time: f64| {
        let shoulder = if time <= 1.0 {
            time * PI * 2.0 / 9.0
        } else {
            let share = (time - 1.0) / 2.0;
            PI * 2.0 / 9.0 * (1.0 - share) - 0.6 * PI * share
        };
        let elbow = PI / 18.0 + (2.5 - PI / 18.0) * (time / 2.0).min(1.0);
        forearm(shoulder, elbow)
    };
    let (mut hits, mut misses) = (0, 0);
    for k in 0..40 {
        let angle = f64::from(k) * 0.61;
        let place = [1.5, 0.9].map(|r| r + 0.35 * (f64::from(k) * 1.7).sin());
        let place = [place[0] * angle.cos(), place[1] * angle.sin()];
        if meet(&at(0.0), &pillar(place)) {
            continue;
        }
        let (_, outcome) = moved(arm(place), motion, ALL);
        let found = outcome.findings.iter().find(|finding| finding.parts == [0, 2]);
        let step = 1e-4;
        let sampled =
            (0..=30_000).map(|k| f64::from(k) * step).find(|&t| meet(&at(t), &pillar(place)));
        match (found, sampled) {
            (Some(finding), Some(time)) => {
                hits += 1;
                let [free, met] = times(finding.motion.as_ref().unwrap());
                assert!(
                    free <= time + 1e-9 && met >= time - step - 1e-9,
                    "{k}: {free} {met}, sampled {time}"
                );
                assert!(met - free <= 3e-6 + 1e-12, "{k}: {free} {met}");
            }
            (None, None) => misses += 1,
            // A graze between two samples.
            (Some(finding), None) => {
                let [_, met] = times(finding.motion.as_ref().unwrap());
                assert!(
                    finding.motion.unwrap().deepest.is_none_or(|deepest| deepest.depth < 1e-3),
                    "{k}: {met}"
                );
            }
            (None, Some(time)) => panic!("{k}: missed at {time}"),
        }
    }
    assert!(hits >= 8 && misses >= 8, "{hits} {misses}");
}

#[test]
fn the_ranges_of_two_joints_against_a_grid() {
    let ranges = "[[range]]\njoint = \"shoulder\"\nfrom = \"-60deg\"\nto = \"60deg\"\n[[range]]\njoint = \"elbow\"\nfrom = \"-90deg\"\nto = \"90deg\"";
    for place in [[1.5, 1.0], [0.4, 1.3], [-1.2, 0.0]] {
        let (_, outcome) = moved(arm(place), ranges, ALL);
        let count = 300;
        let value = |k: i32, low: f64, high: f64| {
            low + (high - low) * (f64::from(k) + 0.5) / f64::from(count)
        };
        let mut meeting = 0;
        for i in 0..count {
            for j in 0..count {
                let body = forearm(value(i, -PI / 3.0, PI / 3.0), value(j, -PI / 2.0, PI / 2.0));
                meeting += i32::from(meet(&body, &pillar(place)));
            }
        }
        let share = f64::from(meeting) / f64::from(count * count);
        let found = outcome.findings.iter().find(|finding| finding.parts == [0, 2]);
        let Some(finding) = found else {
            assert_eq!(meeting, 0, "{place:?}");
            continue;
        };
        let encounter = finding.motion.unwrap();
        let shares = encounter.shares.unwrap();
        let sum = shares.free + shares.meeting + shares.undecided;
        assert!((sum - 1.0).abs() < 1e-9, "{shares:?}");
        // Certainly free is less than free, and not much less.
        assert!(shares.free <= 1.0 - share + 2e-3, "{share} {shares:?}");
        assert!(shares.free >= 1.0 - share - 0.12, "{share} {shares:?}");
        // On the straight way from where the arm stands, free up to the first, in contact at the second.
        let [free, met] = encounter.meeting.unwrap().interval.map(|moment| moment.values);
        assert!(
            meet(&forearm(met[0], met[1]), &pillar(place)) || {
                let nudged = forearm(met[0] * (1.0 + 1e-6), met[1] * (1.0 + 1e-6));
                meet(&nudged, &pillar(place))
            }
        );
        for k in 0..=1000 {
            let share = f64::from(k) / 1000.0;
            assert!(
                !meet(&forearm(free[0] * share, free[1] * share * (1.0 - 1e-12)), &pillar(place)),
                "{place:?} {share}"
            );
        }
    }
}

/// One joint through a range: the angle of contact is the first at which the forearm and the pillar meet.
#[test]
fn the_range_of_one_joint() {
    let place = [1.7, 0.8];
    let range = "[[range]]\njoint = \"elbow\"\nfrom = 0\nto = \"90deg\"";
    let (_, outcome) = moved(arm(place), range, ALL);
    let found = outcome.findings.iter().find(|finding| finding.parts == [0, 2]).unwrap();
    let angles = (0..=1_000_000).map(|k| f64::from(k) * 1e-6 * PI / 2.0);
    let first =
        angles.into_iter().find(|&angle| meet(&forearm(0.0, angle), &pillar(place))).unwrap();
    let [free, met] = times(found.motion.as_ref().unwrap());
    assert!(
        free <= first + 1e-9 && met >= first - 2e-6 && met - free < 2e-6,
        "{free} {met} {first}"
    );
    assert!(found.explanation.contains("\"elbow\" at"), "{}", found.explanation);
    // Without from and to: the limits of the joint.
    let (model, _) = moved(arm(place), "[[range]]\njoint = \"elbow\"", ALL);
    let axis = &model.motion.as_ref().unwrap().axes[0];
    assert_eq!((axis.from, axis.to, axis.is_angle), (-3.0, 3.0, true));
}

#[test]
fn what_is_not_certified_within_the_work_is_said() {
    // A bar that turns close along a wall: each step certifies little.
    let blocks = || {
        model(&[
            ("bar", [-5.0, -0.5, 0.0], [5.0, 0.5, 1.0]),
            ("wall", [-6.0, 5.03, 0.0], [6.0, 6.0, 1.0]),
        ])
    };
    let motion = |steps: u32| {
        format!(
            "max_steps = {steps}\n[[move]]\nparts = \"bar\"\naxis = [0, 0, 1]\nkeys = [{{ time = 0, turn = \"0deg\" }}, {{ time = 1, turn = \"2rev\" }}]"
        )
    };
    let (_, outcome) = moved(blocks(), &motion(4000), ALL);
    assert!(
        outcome.findings.is_empty() && outcome.tally.unwrap().free == 1,
        "{:#?}",
        outcome.findings
    );
    let mut told = 0;
    for steps in [1, 2, 3] {
        let (_, outcome) = moved(blocks(), &motion(steps), ALL);
        for finding in &outcome.findings {
            told += 1;
            assert!(
                !finding.certain && finding.explanation.starts_with("Undecided"),
                "{}",
                finding.explanation
            );
            assert_eq!(outcome.tally.unwrap().undecided, 1);
        }
    }
    let _ = told;
}

#[test]
fn slips_are_told_with_line_and_column() {
    let of_robot = |text: &str| {
        let file = MotionFile::parse(text, "m.toml");
        let error = match file {
            Ok(file) => arm([9.0, 9.0]).set_motion(&file).unwrap_err().to_string(),
            Err(error) => error.to_string(),
        };
        assert!(error.starts_with("m.toml:"), "{error}");
        error
    };
    let keys = "keys = [{ time = 0 }, { time = 1 }]";
    for (text, expected) in [
        ("".to_string(), "nothing moves"),
        (format!("[[move]]\njoint = \"elbo\"\n{keys}"), "m.toml:2:9: no joint is called \"elbo\"; did you mean \"elbow\"?"),
        (format!("[[move]]\njoint = \"wrist\"\n{keys}"), "there are \"shoulder\", \"elbow\""),
        (format!("[[move]]\njoint = \"foot\"\n{keys}"), "fixed or mimics another one"),
        (format!("[[move]]\nparts = \"uper\"\n{keys}"), "m.toml:2:9: no part matches \"uper\"; did you mean \"upper\"?"),
        (format!("[[move]]\nnode = \"arm/base/post/uppr\"\n{keys}"), "did you mean \"arm/base/post/upper\"?"),
        (format!("[[move]]\n{keys}"), "m.toml:1:1: what moves?"),
        (format!("[[move]]\nparts = \"*\"\njoint = \"elbow\"\n{keys}"), "exclude each other"),
        ("[[move]]\njoint = \"elbow\"".to_string(), "no key frames"),
        ("[[move]]\njoint = \"elbow\"\nkeys = [{ time = 0 }]".to_string(), "all key frames have the same time"),
        ("[[move]]\njoint = \"elbow\"\nkeys = [{ time = 1 }, { time = 1 }]".to_string(), "m.toml:3:32: the time of a key frame must be after"),
        ("[[move]]\njoint = \"elbow\"\nkeys = [{ time = 0, turn = \"1deg\" }, { time = 1 }]".to_string(), "write position"),
        ("[[move]]\njoint = \"elbow\"\nkeys = [{ time = 0, position = \"1mm\" }, { time = 1 }]".to_string(), "an angle is needed"),
        ("[[move]]\nparts = \"upper\"\nkeys = [{ time = 0, turn = \"1deg\" }, { time = 1 }]".to_string(), "about what?"),
        ("[[move]]\nparts = \"upper\"\naxis = [0, 0, 0]\nkeys = [{ time = 0, turn = \"1deg\" }, { time = 1 }]".to_string(), "m.toml:3:8: "),
        ("[[move]]\nparts = \"upper\"\naxis = [0, 0, 1]\nkeys = [{ time = 0, turn = 90 }, { time = 1 }]".to_string(), "\"90deg\""),
        ("[[move]]\nparts = \"upper\"\nkeys = [{ time = 0, shift = [1e300, 0, 0] }, { time = 1 }]".to_string(), "m.toml:3:29: "),
        ("[[move]]\nparts = \"upper\"\nkeys = [{ time = nan }, { time = 1 }]".to_string(), "is not a time"),
        (format!("unit = \"parsec\"\n[[move]]\nparts = \"upper\"\n{keys}"), "m.toml:1:8: "),
        (format!("precision = 9\n[[move]]\nparts = \"upper\"\n{keys}"), "precision must be"),
        (format!("max_steps = 0\n[[move]]\nparts = \"upper\"\n{keys}"), "between 1 and"),
        ("[[range]]\njoint = \"elbow\"\nfrom = 1\nto = 1".to_string(), "the range is empty"),
        ("[[range]]\njoint = \"elbow\"\n[[range]]\njoint = \"elbow\"".to_string(), "moved twice"),
        ("[[range]]\nparts = \"upper\"\nfrom = \"1deg\"\nto = \"2deg\"".to_string(), "needs axis"),
        (format!("[[range]]\njoint = \"elbow\"\n[[move]]\nparts = \"upper\"\n{keys}"), "two files"),
        ("[[range]]\njoint = \"a\"\n[[range]]\njoint = \"b\"\n[[range]]\njoint = \"c\"".to_string(), "m.toml:5:1: more than two ranges"),
    ] {
        let error = of_robot(&text);
        assert!(error.contains(expected), "{text}\n{error}");
    }
}
