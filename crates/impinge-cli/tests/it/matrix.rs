//! Every shape against every shape: there is an answer, it agrees with itself, and its points lie on the shapes by formulas
//! that are written here once more.

use crate::command::{answers, numbers};
use serde_json::Value;

/// A shape as it is written, and a function that is zero on its boundary, in units of length.
struct Kind {
    json: &'static str,
    off_boundary: fn([f64; 3]) -> f64,
    /// Unbounded shapes may have no depth against each other.
    unbounded: bool,
    /// The reciprocal of the slope of the function, where it is not a distance.
    slack: f64,
}

fn length(v: [f64; 3]) -> f64 {
    (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]).sqrt()
}

fn dot(v: [f64; 3], w: [f64; 3]) -> f64 {
    v[0] * w[0] + v[1] * w[1] + v[2] * w[2]
}

fn minus(v: [f64; 3], w: [f64; 3]) -> [f64; 3] {
    [v[0] - w[0], v[1] - w[1], v[2] - w[2]]
}

/// The distance of a point from the segment from `p` to `q`.
fn from_segment(x: [f64; 3], p: [f64; 3], q: [f64; 3]) -> f64 {
    let (along, to_x) = (minus(q, p), minus(x, p));
    let t = (dot(along, to_x) / dot(along, along)).clamp(0.0, 1.0);
    length(minus(to_x, along.map(|c| c * t)))
}

const KINDS: &[Kind] = &[
    Kind {
        json: r#""sphere":{"radius":1.5}"#,
        off_boundary: |p| length(p) - 1.5,
        unbounded: false,
        slack: 1.0,
    },
    Kind {
        json: r#""box":{"half":[1,2,0.5]}"#,
        off_boundary: |p| (p[0].abs() - 1.0).max(p[1].abs() - 2.0).max(p[2].abs() - 0.5),
        unbounded: false,
        slack: 1.0,
    },
    Kind {
        json: r#""capsule":{"radius":0.5,"half_height":1}"#,
        off_boundary: |p| from_segment(p, [0.0, 0.0, -1.0], [0.0, 0.0, 1.0]) - 0.5,
        unbounded: false,
        slack: 1.0,
    },
    Kind {
        json: r#""cylinder":{"radius":1,"half_height":1.5}"#,
        off_boundary: |p| (p[0].hypot(p[1]) - 1.0).max(p[2].abs() - 1.5),
        unbounded: false,
        slack: 1.0,
    },
    Kind {
        // The slanted side: radius 1 at z = -1, nothing at z = 1.
        json: r#""cone":{"radius":1,"half_height":1}"#,
        off_boundary: |p| (p[0].hypot(p[1]) - (1.0 - p[2]) / 2.0).max(-1.0 - p[2]),
        unbounded: false,
        slack: 1.2,
    },
    Kind {
        json: r#""ellipsoid":{"radii":[1,2,0.7]}"#,
        off_boundary: |p| length([p[0], p[1] / 2.0, p[2] / 0.7]) - 1.0,
        unbounded: false,
        slack: 2.0,
    },
    Kind {
        // The balls are 2 apart and differ by 0.5: the side meets both at a sine of 0.25.
        json: r#""tapered_capsule":{"radii":[1,0.5],"half_height":1}"#,
        off_boundary: |p| {
            let (sine, cosine) = (0.25f64, (1.0f64 - 0.0625).sqrt());
            let (across, up) = (p[0].hypot(p[1]), p[2] + 1.0);
            let along_side = up * cosine - across * sine;
            if along_side <= 0.0 {
                across.hypot(up) - 1.0
            } else if along_side >= 2.0 * cosine {
                across.hypot(up - 2.0) - 0.5
            } else {
                across * cosine + up * sine - 1.0
            }
        },
        unbounded: false,
        slack: 1.0,
    },
    Kind {
        json: r#""segment":[[-1,-1,0],[1,1,1]]"#,
        off_boundary: |p| from_segment(p, [-1.0, -1.0, 0.0], [1.0, 1.0, 1.0]),
        unbounded: false,
        slack: 1.0,
    },
    Kind {
        // In the plane z = 0.
        json: r#""triangle":[[0,0,0],[2,0,0],[0,2,0]]"#,
        off_boundary: |p| p[2].abs().max(-p[0]).max(-p[1]).max(p[0] + p[1] - 2.0),
        unbounded: false,
        slack: 2.0,
    },
    Kind {
        // An octahedron, with a point inside that is no vertex of the hull.
        json: r#""hull":[[1,0,0],[-1,0,0],[0,1,0],[0,-1,0],[0,0,1],[0,0,-1],[0.1,0,0]]"#,
        off_boundary: |p| (p[0].abs() + p[1].abs() + p[2].abs() - 1.0) / 3f64.sqrt(),
        unbounded: false,
        slack: 1.0,
    },
    Kind {
        json: r#""plane":{"normal":[0,0,2],"offset":1}"#,
        off_boundary: |p| p[2] - 0.5,
        unbounded: true,
        slack: 1.0,
    },
    Kind {
        json: r#""halfspace":{"normal":[0,3,4],"offset":5}"#,
        off_boundary: |p| 0.6 * p[1] + 0.8 * p[2] - 1.0,
        unbounded: true,
        slack: 1.0,
    },
    Kind {
        json: r#""box":{"half":[0.5,0.5,0.5]},"round":0.25"#,
        off_boundary: |p| {
            let out = p.map(|c| (c.abs() - 0.5).max(0.0));
            length(out) - 0.25
        },
        unbounded: false,
        slack: 1.0,
    },
];

/// Numbers between -1 and 1 from a counter (the mixing of SplitMix64).
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }
}

/// A rotation (w, x, y, z) and a translation.
struct Placement {
    rotation: [f64; 4],
    translation: [f64; 3],
}

impl Placement {
    fn random(random: &mut Random, reach: f64) -> Self {
        let q: [f64; 4] = std::array::from_fn(|_| random.next());
        let size = q.iter().map(|c| c * c).sum::<f64>().sqrt();
        Self {
            rotation: q.map(|c| c / size),
            translation: std::array::from_fn(|_| reach * random.next()),
        }
    }

    fn json(&self) -> String {
        format!(r#""pose":{{"rotation":{:?},"translation":{:?}}}"#, self.rotation, self.translation)
    }

    /// A world point in the body's frame: the conjugate quaternion applied to what is left after the translation.
    fn back(&self, p: [f64; 3]) -> [f64; 3] {
        let [w, x, y, z] = self.rotation;
        let v = minus(p, self.translation);
        let cross = |a: [f64; 3], b: [f64; 3]| {
            [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
        };
        let axis = [-x, -y, -z];
        let once = cross(axis, v);
        let twice = cross(axis, once);
        std::array::from_fn(|k| v[k] + 2.0 * (w * once[k] + twice[k]))
    }
}

fn question(ask: &str, a: (&Kind, &Placement), b: (&Kind, &Placement)) -> String {
    let body = |(kind, place): (&Kind, &Placement)| format!("{{{},{}}}", kind.json, place.json());
    format!("{{\"ask\":\"{ask}\",\"a\":{},\"b\":{}}}\n", body(a), body(b))
}

/// What one answer fails of what it must satisfy by itself, if anything.
fn contradiction(answer: &Value, kinds: [&Kind; 2], places: [&Placement; 2]) -> Option<String> {
    let verdict = answer["verdict"].as_str().unwrap_or("none");
    if answer["inside"].is_null() != (verdict != "contained") {
        return Some("inside and verdict disagree".into());
    }
    let Some(distance) = answer["distance"].as_f64() else {
        let fine = kinds.iter().all(|kind| kind.unbounded)
            && answer["points"].is_null()
            && verdict != "separated";
        return (!fine).then(|| "no distance".into());
    };
    let agrees = match verdict {
        "separated" => distance > 0.0,
        "touching" => distance.abs() < 1e-10,
        "penetrating" | "contained" => distance < 0.0,
        _ => false,
    };
    if !agrees {
        return Some(format!("{verdict} at {distance}"));
    }
    let points: Vec<[f64; 3]> =
        (0..2).map(|side| numbers(&answer["points"][side]).try_into().unwrap()).collect();
    let tolerance = tolerance(answer);
    let gap = length(minus(points[0], points[1]));
    if (gap - distance.abs()).abs() > tolerance {
        return Some(format!("points {gap} apart at {distance}"));
    }
    (0..2).find_map(|side| {
        let off = (kinds[side].off_boundary)(places[side].back(points[side]));
        let name = ["a", "b"][side];
        (off.abs() > tolerance * kinds[side].slack)
            .then(|| format!("the point is {off} off {name} at {distance}"))
    })
}

/// Bounds and estimates are held to the accuracy that is promised for curved shapes.
fn tolerance(answer: &Value) -> f64 {
    if answer["method"] == "exact" { 1e-9 } else { 1e-5 }
}

/// What a question and the same one with the bodies swapped are answered differently, if anything.
fn asymmetry(one: &Value, other: &Value) -> Option<String> {
    if one["verdict"] != other["verdict"] {
        return Some(format!("{} but {} swapped", one["verdict"], other["verdict"]));
    }
    let swapped = match one["inside"].as_str() {
        Some("a") => Some("b"),
        Some(_) => Some("a"),
        None => None,
    };
    if other["inside"].as_str() != swapped {
        return Some(format!("{} inside, {} swapped", one["inside"], other["inside"]));
    }
    let same = match (one["distance"].as_f64(), other["distance"].as_f64()) {
        (Some(x), Some(y)) => (x - y).abs() <= tolerance(one).max(tolerance(other)),
        (x, y) => x == y,
    };
    (!same).then(|| format!("{} but {} swapped", one["distance"], other["distance"]))
}

#[test]
fn every_pair_answers_alike_from_both_sides() {
    let mut random = Random(7);
    let mut asked = Vec::new();
    for a in KINDS {
        for b in KINDS {
            for reach in [0.3, 1.0, 2.0, 6.0] {
                let places = [1.0, reach].map(|r| Placement::random(&mut random, r));
                asked.push((a, b, places));
            }
        }
    }
    let mut input = String::new();
    for (a, b, [in_a, in_b]) in &asked {
        input += &question("distance", (a, in_a), (b, in_b));
        input += &question("distance", (b, in_b), (a, in_a));
        input += &question("verdict", (a, in_a), (b, in_b));
    }
    let (found, code) = answers(&input);
    assert_eq!((found.len(), code), (3 * asked.len(), 0));
    let lines: Vec<_> = input.lines().collect();
    let mut wrong = Vec::new();
    for (index, (a, b, [in_a, in_b])) in asked.iter().enumerate() {
        let [there, back, plain] = [0, 1, 2].map(|k| &found[3 * index + k]);
        let mut complain = |line: usize, what: Option<String>| {
            wrong.extend(what.map(|what| format!("{what}: {}", lines[3 * index + line])));
        };
        complain(0, contradiction(there, [a, b], [in_a, in_b]));
        complain(1, contradiction(back, [b, a], [in_b, in_a]));
        complain(0, asymmetry(there, back));
        let alike = there["verdict"] == plain["verdict"] && there["inside"] == plain["inside"];
        complain(2, (!alike).then(|| "the verdict alone is another".to_string()));
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), lines.len(), wrong.join("\n"));
    let verdicts = |word: &str| found.iter().filter(|answer| answer["verdict"] == word).count();
    assert!(verdicts("separated") > 100 && verdicts("penetrating") > 100, "a one-sided sample");
    assert!(verdicts("contained") > 10, "{} contained pairs", verdicts("contained"));
}

#[test]
fn rays_hit_the_boundary_of_every_shape() {
    let mut random = Random(11);
    let (mut input, mut asked) = (String::new(), Vec::new());
    for kind in KINDS {
        for _ in 0..20 {
            let place = Placement::random(&mut random, 1.0);
            let origin: [f64; 3] = std::array::from_fn(|_| 5.0 * random.next());
            let aim: [f64; 3] = std::array::from_fn(|_| 0.5 * random.next());
            let direction = minus(std::array::from_fn(|k| aim[k] + place.translation[k]), origin);
            input += &format!(
                "{{\"ask\":\"ray\",\"a\":{{{},{}}},\"origin\":{origin:?},\"direction\":{direction:?}}}\n",
                kind.json,
                place.json()
            );
            asked.push((kind, place, origin, direction));
        }
    }
    let (found, code) = answers(&input);
    assert_eq!((found.len(), code), (asked.len(), 0));
    let mut hits = 0;
    for (answer, (kind, place, origin, direction)) in found.iter().zip(&asked) {
        let Some(t) = answer["t"].as_f64() else { continue };
        hits += 1;
        assert!(t >= 0.0, "{answer}");
        let point: [f64; 3] = numbers(&answer["points"][0]).try_into().unwrap();
        let along: [f64; 3] = std::array::from_fn(|k| origin[k] + t * direction[k]);
        assert!(length(minus(point, along)) < 1e-9, "{answer}");
        let off = (kind.off_boundary)(place.back(point));
        assert!(off.abs() < 1e-9 * kind.slack, "{off} off {answer} {}", kind.json);
    }
    assert!(hits > asked.len() / 2, "{hits} hits");
}
