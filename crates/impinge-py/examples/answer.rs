//! Answers a corpus of questions by calling the library: `answer < QUESTIONS > ANSWERS`.
//!
//! `python/tests/test_same_bits.py` writes the questions and compares the answers with those of the Python package and of the command, bit by bit. The
//! format is as plain as can be, so that nothing is shared with either: a line is a word and numbers. Lines that begin with `body` are the bodies, in
//! order; the others are questions about them by number. Numbers are the 16 digits of the bits of an f64; an answer is a line of such numbers.

use impinge::geom::glam::DVec3;
use impinge::geom::ray::Ray;
use impinge::geom::triangle::TriangleVerdict;
use impinge::geom::{Inside, Verdict};
use impinge::mesh::Mode;
use impinge::query::{self, ImpactSettings, Workspace};
use impinge::{Geometry, Mesh, Pose, RigidMotion, Shape};
use std::fmt::Write as _;
use std::io::Write as _;
use std::process::ExitCode;

fn main() -> ExitCode {
    let found = std::io::read_to_string(std::io::stdin()).map_err(said);
    match found.and_then(|questions| answer(&questions)) {
        Ok(answers) if std::io::stdout().write_all(answers.as_bytes()).is_ok() => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(error) => {
            let _ = writeln!(std::io::stderr(), "{error}");
            ExitCode::FAILURE
        }
    }
}

/// The answers to the lines of a corpus, a line for each question.
fn answer(questions: &str) -> Result<String, String> {
    let (mut bodies, mut answers) = (Vec::new(), String::new());
    for (line, text) in questions.lines().enumerate() {
        let mut words = text.split_ascii_whitespace();
        let ask = words.next().unwrap_or_default();
        let place = |error: String| format!("line {}: {error}", line + 1);
        if ask == "body" {
            bodies.push(body(&mut words).map_err(place)?);
            continue;
        }
        let found = question(ask, &bodies, &numbers(&mut words).map_err(place)?).map_err(place)?;
        for value in found {
            // Negative and positive zero count as equal.
            let _ = write!(answers, "{:016x} ", (value + 0.0).to_bits());
        }
        answers.push('\n');
    }
    Ok(answers)
}

fn numbers<'t>(words: &mut impl Iterator<Item = &'t str>) -> Result<Vec<f64>, String> {
    let number = |word: &str| u64::from_str_radix(word, 16).map(f64::from_bits);
    words.map(|word| number(word).map_err(|error| format!("{word}: {error}"))).collect()
}

fn said(error: impl std::fmt::Display) -> String {
    error.to_string()
}

fn triples(numbers: &[f64]) -> &[[f64; 3]] {
    numbers.as_chunks().0
}

/// A kind, then its numbers; a mesh has the number of its vertices first, then vertices, then faces.
fn body<'t>(words: &mut impl Iterator<Item = &'t str>) -> Result<Geometry, String> {
    let kind = words.next().unwrap_or_default();
    let n = numbers(words)?;
    let at = |place: usize| [n[place], n[place + 1], n[place + 2]];
    let shape = match (kind, n.len()) {
        ("sphere", 1) => Shape::sphere(n[0]),
        ("box", 3) => Shape::cuboid(at(0)),
        ("rounded_box", 4) => Shape::cuboid(at(0)).and_then(|shape| shape.rounded(n[3])),
        ("capsule", 2) => Shape::capsule(n[0], n[1]),
        ("tapered_capsule", 3) => Shape::tapered_capsule(n[0], n[1], n[2]),
        ("cylinder", 2) => Shape::cylinder(n[0], n[1]),
        ("cone", 2) => Shape::cone(n[0], n[1]),
        ("ellipsoid", 3) => Shape::ellipsoid(at(0)),
        ("segment", 6) => Shape::segment([at(0), at(3)]),
        ("triangle", 9) => Shape::triangle([at(0), at(3), at(6)]),
        ("plane", 4) => Shape::plane(at(0), n[3]),
        ("half_space", 4) => Shape::half_space(at(0), n[3]),
        ("hull", _) => Shape::hull(triples(&n)),
        ("solid" | "surface", 1..) => {
            let (vertices, faces) = n[1..].split_at(3 * n[0] as usize);
            let faces: Vec<[u32; 3]> =
                triples(faces).iter().map(|face| face.map(|index| index as u32)).collect();
            let mode = if kind == "solid" { Mode::Solid } else { Mode::Surface };
            return Ok(Geometry::mesh(Mesh::new(triples(vertices), &faces).map_err(said)?, mode));
        }
        _ => return Err(format!("no body {kind} has {} numbers", n.len())),
    };
    shape.map(Geometry::shape).map_err(said)
}

/// Poses are a quaternion (w, x, y, z) and a translation.
fn pose(n: &[f64]) -> Result<Pose, String> {
    let [w, x, y, z, tx, ty, tz] = *n else { return Err("a pose has seven numbers".to_owned()) };
    Pose::new([w, x, y, z], [tx, ty, tz]).map_err(said)
}

fn verdict(verdict: Verdict) -> [f64; 2] {
    match verdict {
        Verdict::Separated => [0.0, -1.0],
        Verdict::Touching => [1.0, -1.0],
        Verdict::Penetrating => [2.0, -1.0],
        Verdict::Contained(Inside::A) => [3.0, 0.0],
        Verdict::Contained(Inside::B) => [3.0, 1.0],
    }
}

/// The numbers of an answer. What is asked: the numbers of one or two bodies, then poses, then points.
fn question(ask: &str, bodies: &[Geometry], n: &[f64]) -> Result<Vec<f64>, String> {
    let body = |place: usize| {
        let number = n.get(place).copied().unwrap_or(f64::NAN);
        bodies.get(number as usize).ok_or_else(|| format!("there is no body {number}"))
    };
    let part = |from: usize, to: usize| n.get(from..to).unwrap_or_default();
    let index = |triangle: Option<u32>| triangle.map_or(-1.0, f64::from);
    let flat = |points: &[DVec3]| -> Vec<f64> {
        points.iter().flat_map(|point| point.to_array()).collect()
    };
    if matches!(ask, "closest" | "contains" | "ray") {
        let (a, place, rest) = (body(0)?, pose(part(1, 8))?, triples(part(8, n.len())));
        return Ok(match (ask, rest) {
            ("closest", &[point]) => {
                let found = query::closest_point(&place, a, point).ok_or("not finite")?;
                let feature = f64::from(found.feature.feature.index);
                let ends = [index(found.feature.triangle), feature];
                [&[found.distance], &flat(&[found.point])[..], &ends].concat()
            }
            ("contains", &[point]) => vec![f64::from(query::contains_point(&place, a, point))],
            ("ray", &[origin, direction]) => {
                let ray = Ray::new(origin, direction).map_err(said)?;
                match query::cast_ray(&place, a, &ray) {
                    None => vec![f64::INFINITY],
                    Some(hit) => {
                        let ends = [index(hit.feature.triangle), f64::from(hit.inside)];
                        [&[hit.t], &flat(&[hit.point, hit.normal])[..], &ends].concat()
                    }
                }
            }
            _ => return Err(format!("{ask} has {} points", rest.len())),
        });
    }
    let (a, b) = (body(0)?, body(1)?);
    let (one, two) = (pose(part(2, 9))?, pose(part(9, 16))?);
    Ok(match ask {
        "intersects" => vec![f64::from(query::intersects(&one, a, &two, b))],
        "relation" => verdict(query::relation(&one, a, &two, b).verdict).to_vec(),
        "distance" | "signed" => {
            let found = match ask {
                "distance" => query::distance(&one, a, &two, b),
                _ => query::signed_distance(&one, a, &two, b),
            };
            let ends = found.features.map(|feature| index(feature.triangle));
            let measured = [found.distance, found.uncertainty];
            [&measured, &flat(&found.points)[..], &flat(&[found.normal]), &ends].concat()
        }
        "pairs" => {
            let number = |pair: &query::TrianglePair| {
                let [i, j] = pair.triangles.map(index);
                [i, j, f64::from(pair.verdict == TriangleVerdict::Crossing)]
            };
            query::triangle_pairs(&one, a, &two, b).iter().flat_map(number).collect()
        }
        "contacts" => {
            let mut all = Vec::new();
            for manifold in query::contacts(&one, a, &two, b, 0.1) {
                for point in &manifold.points {
                    all.extend(flat(&point.points));
                    all.push(point.distance);
                    all.extend(flat(&[manifold.normal]));
                }
            }
            all
        }
        "impact" => {
            let motion = RigidMotion::between(&two, &pose(part(16, 23))?);
            let still = RigidMotion::between(&one, &one);
            let settings = ImpactSettings::default();
            let found =
                query::impact_with(&still, a, &motion, b, &settings, &mut Workspace::default());
            let start = f64::from(found.start as u8);
            match found.first {
                None => vec![start],
                Some(first) => [
                    &[start, first.interval[0], first.interval[1]],
                    &flat(&first.closest.points)[..],
                    &flat(&[first.closest.normal]),
                ]
                .concat(),
            }
        }
        other => return Err(format!("nobody answers {other}")),
    })
}
