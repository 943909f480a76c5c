//! Pairs of polytopes that were answered wrongly once, as data.
//!
//! `testdata/polytopes.txt` holds one case after the other: a line `case` with a name, and lines `rotation` (w x y z), `translation`,
//! `a` and `b` (a form and its coordinates). Empty lines and lines that begin with # are passed over.

use crate::generate::convex::{Body, Case, Form};

/// Reads all cases, with their names.
pub fn parse(text: &str) -> Result<Vec<(String, Case)>, String> {
    let mut cases: Vec<(String, Case)> = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let wrong = |what: String| format!("line {}: {what}", number + 1);
        let (key, rest) = line.split_once(' ').unwrap_or((line, ""));
        if key == "case" {
            cases.push((rest.into(), empty()));
            continue;
        }
        let (_, case) = cases.last_mut().ok_or_else(|| wrong("before the first case".into()))?;
        match key {
            "rotation" => case.rotation = array(rest).map_err(wrong)?,
            "translation" => case.translation = array(rest).map_err(wrong)?,
            "a" => case.a = body(rest).map_err(wrong)?,
            "b" => case.b = body(rest).map_err(wrong)?,
            _ => return Err(wrong(format!("unknown word {key}"))),
        }
    }
    Ok(cases)
}

fn empty() -> Case {
    let origin = Body { form: Form::Origin, radius: 0.0 };
    let rotation = [1.0, 0.0, 0.0, 0.0];
    Case { a: origin.clone(), b: origin, rotation, translation: [0.0; 3] }
}

fn numbers(text: &str) -> Result<Vec<f64>, String> {
    let read = |word: &str| word.parse::<f64>().map_err(|error| format!("{word}: {error}"));
    text.split_whitespace().map(read).collect()
}

fn array<const N: usize>(text: &str) -> Result<[f64; N], String> {
    numbers(text)?.try_into().map_err(|found: Vec<f64>| format!("{} numbers, not {N}", found.len()))
}

fn body(text: &str) -> Result<Body, String> {
    let (form, rest) = text.split_once(' ').ok_or("a form without coordinates")?;
    let values = numbers(rest)?;
    let points: Vec<[f64; 3]> = values.chunks_exact(3).map(|p| [p[0], p[1], p[2]]).collect();
    let form = match (form, points.as_slice()) {
        ("box", [half]) => Form::Box(*half),
        ("hull", [_, ..]) => Form::Hull(points),
        ("triangle", [a, b, c]) => Form::Triangle([*a, *b, *c]),
        ("segment", [a, b]) => Form::Segment([*a, *b]),
        _ => return Err(format!("{form} with {} numbers", values.len())),
    };
    Ok(Body { form, radius: 0.0 })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::soak::convex::{How, Report, judge};

    #[test]
    fn none_is_wrong_again() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../testdata/polytopes.txt");
        let cases = parse(&std::fs::read_to_string(path).unwrap()).unwrap();
        assert!(cases.len() >= 5);
        let how = How { rationally: true, closely: true, falsely: false };
        for (name, case) in cases {
            if let Err(what) = judge(&case, how, &mut Report::default()) {
                panic!("{name}: {what}");
            }
            let false_answer = How { falsely: true, ..how };
            assert!(judge(&case, false_answer, &mut Report::default()).is_err());
        }
    }

    #[test]
    fn errors_name_the_line() {
        assert!(parse("a box 1 1 1").unwrap_err().starts_with("line 1"));
        assert!(parse("case x\nrotation 1 0 0").unwrap_err().starts_with("line 2"));
        assert!(parse("case x\n\nb box 1 one 1").unwrap_err().starts_with("line 3"));
    }
}
