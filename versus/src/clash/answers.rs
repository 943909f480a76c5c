//! What the programs print: impinge's report, and the peers' pairs by name.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

/// A part as a system knows it, to recognise it by.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    pub name: String,
    pub triangles: usize,
    /// The corners of the box around it, in the scene.
    pub corners: [[f64; 3]; 2],
}

/// Two parts of impinge's list, ascending.
pub type Pair = [usize; 2];

/// What impinge says about a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Said {
    /// Interiors meet.
    Penetrating,
    /// One is inside the other.
    Contained,
    /// The same geometry in the same place.
    Duplicate,
    /// Surfaces meet, interiors do not.
    Touching,
    /// No common point. Also for contacts reported with a gap: what rounding leaves between flush faces.
    Apart,
}

/// What `impinge check` reports.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    pub parts: Vec<Part>,
    pub triangles: usize,
    /// Findings of each kind; a set of parts that coincide is one.
    pub findings: BTreeMap<String, usize>,
    /// The kind of every pair that is in a finding.
    pub kinds: BTreeMap<Pair, String>,
    /// The pairs that touch across a gap.
    pub gaps: BTreeSet<Pair>,
}

impl Report {
    /// Reads the JSON of `impinge check`.
    pub fn parse(text: &str) -> Result<Report, String> {
        let report: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
        let parts = parts(&report["parts"]).ok_or("the report has no parts")?;
        let mut report_of = Report {
            triangles: parts.iter().map(|part| part.triangles).sum(),
            parts,
            findings: BTreeMap::new(),
            kinds: BTreeMap::new(),
            gaps: BTreeSet::new(),
        };
        for finding in report["findings"].as_array().ok_or("the report has no findings")? {
            let kind = finding["kind"].as_str().ok_or("a finding has no kind")?;
            *report_of.findings.entry(kind.to_string()).or_default() += 1;
            let parts = finding["parts"].as_array().ok_or("a finding has no parts")?;
            let parts: Vec<usize> =
                parts.iter().filter_map(Value::as_u64).map(|part| part as usize).collect();
            let is_gap = finding["distance"].as_f64().is_some_and(|distance| distance > 0.0);
            for (k, &a) in parts.iter().enumerate() {
                for &b in &parts[k + 1..] {
                    report_of.kinds.insert([a.min(b), a.max(b)], kind.to_string());
                    if is_gap {
                        report_of.gaps.insert([a.min(b), a.max(b)]);
                    }
                }
            }
        }
        Ok(report_of)
    }

    /// How many findings of that kind.
    pub fn count(&self, kind: &str) -> usize {
        self.findings.get(kind).copied().unwrap_or(0)
    }

    /// How many pairs have surfaces that meet; of one part inside another it is not known.
    pub fn meeting(&self) -> usize {
        let meets = |said| !matches!(said, Said::Contained | Said::Apart);
        self.kinds.keys().filter(|pair| meets(self.said(**pair))).count()
    }

    /// What is said about a pair.
    pub fn said(&self, pair: Pair) -> Said {
        match self.kind(pair) {
            _ if self.gaps.contains(&pair) => Said::Apart,
            Some("hard") => Said::Penetrating,
            Some("contained") => Said::Contained,
            Some("duplicate") => Said::Duplicate,
            Some(_) => Said::Touching,
            None => Said::Apart,
        }
    }

    /// How many pairs another report calls otherwise.
    pub fn differing(&self, other: &Report) -> usize {
        let both: BTreeSet<&Pair> = self.kinds.keys().chain(other.kinds.keys()).collect();
        both.into_iter().filter(|pair| self.kind(**pair) != other.kind(**pair)).count()
    }

    /// The kind of the finding that a pair is in.
    pub fn kind(&self, pair: Pair) -> Option<&str> {
        self.kinds.get(&pair).map(String::as_str)
    }
}

/// The parts that a report or a peer lists.
pub fn parts(list: &Value) -> Option<Vec<Part>> {
    let corner = |value: &Value| -> Option<[f64; 3]> {
        let numbers: Vec<f64> = value.as_array()?.iter().filter_map(Value::as_f64).collect();
        numbers.try_into().ok()
    };
    let part = |value: &Value| {
        Some(Part {
            name: value["name"].as_str()?.to_string(),
            triangles: value["triangles"].as_u64()? as usize,
            corners: [corner(&value["low"])?, corner(&value["high"])?],
        })
    };
    list.as_array()?.iter().map(part).collect()
}

/// What a peer prints.
#[derive(Clone, Debug, PartialEq)]
pub struct Pairs {
    pub version: String,
    /// Seconds until its libraries were there, before it began, and how long processors were busy until then.
    pub importing: f64,
    pub processor_importing: f64,
    pub names: Vec<[String; 2]>,
}

impl Pairs {
    /// Reads what a peer prints.
    pub fn parse(text: &str) -> Result<Pairs, String> {
        let told: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
        let name = |value: &Value| value.as_str().map(str::to_string);
        let pair = |value: &Value| Some([name(&value[0])?, name(&value[1])?]);
        let names: Option<Vec<[String; 2]>> =
            told["pairs"].as_array().and_then(|list| list.iter().map(pair).collect());
        Ok(Pairs {
            version: name(&told["version"]).unwrap_or_default(),
            importing: told["seconds"]["import"].as_f64().unwrap_or(0.0),
            processor_importing: told["seconds"]["import_processor"].as_f64().unwrap_or(0.0),
            names: names.ok_or("the peer prints no pairs")?,
        })
    }

    /// The pairs as impinge numbers the parts, of those that it knows.
    pub fn numbered(&self, numbers: &BTreeMap<String, usize>) -> BTreeSet<Pair> {
        let pair = |[a, b]: &[String; 2]| {
            let (a, b) = (*numbers.get(a)?, *numbers.get(b)?);
            (a != b).then_some([a.min(b), a.max(b)])
        };
        self.names.iter().filter_map(pair).collect()
    }
}

/// Which of impinge's parts those of a peer are, by their names there: the one of the same name, size and place, else one of
/// the same size and place that nothing else is.
pub fn recognise(ours: &[Part], theirs: &[Part]) -> BTreeMap<String, usize> {
    let size = ours.iter().flat_map(|part| part.corners.as_flattened());
    let tolerance = 1e-5 * size.fold(0.0, |most: f64, value| most.max(value.abs()));
    let apart = |a: &Part, b: &Part| {
        let both = a.corners.as_flattened().iter().zip(b.corners.as_flattened());
        both.fold(0.0, |most: f64, (x, y)| most.max((x - y).abs()))
    };
    let fits = |a: &Part, b: &Part| a.triangles == b.triangles && apart(a, b) <= tolerance;
    let mut is_taken = vec![false; ours.len()];
    let mut found = BTreeMap::new();
    for same_name in [true, false] {
        for part in theirs {
            if found.contains_key(&part.name) {
                continue;
            }
            let free = (0..ours.len()).filter(|&index| !is_taken[index]);
            let fitting = free.filter(|&index| {
                (!same_name || ours[index].name == part.name) && fits(&ours[index], part)
            });
            let nearest =
                fitting.min_by(|&a, &b| apart(&ours[a], part).total_cmp(&apart(&ours[b], part)));
            if let Some(index) = nearest {
                is_taken[index] = true;
                found.insert(part.name.clone(), index);
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coincident_parts_are_one_finding_and_all_pairs_of_them() {
        let part = r#"{"name": "a", "triangles": 12, "low": [0, 0, 0], "high": [1, 1, 1]}"#;
        let report = format!(
            r#"{{"parts": [{part}, {part}, {part}, {part}], "findings": [
                {{"kind": "duplicate", "parts": [0, 2, 3]}}, {{"kind": "hard", "parts": [1, 2]}},
                {{"kind": "touching", "parts": [0, 1], "distance": 1e-9}},
                {{"kind": "touching", "parts": [1, 3], "distance": null}}]}}"#
        );
        let report = Report::parse(&report).unwrap();
        let said = [[0, 2], [1, 2], [0, 1], [1, 3]].map(|pair| report.said(pair));
        assert_eq!(said, [Said::Duplicate, Said::Penetrating, Said::Apart, Said::Touching]);
        assert_eq!(report.meeting(), 5);
        assert_eq!((report.triangles, report.count("duplicate"), report.count("hard")), (48, 1, 1));
        let pairs: Vec<Pair> = report.kinds.keys().copied().collect();
        assert_eq!(pairs, [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]]);
        assert_eq!(report.kind([1, 2]), Some("hard"));
    }

    #[test]
    fn parts_are_recognised_by_name_or_by_size_and_place() {
        let part = |name: &str, triangles: usize, x: f64| Part {
            name: name.into(),
            triangles,
            corners: [[x, 0.0, 0.0], [x + 1.0, 1.0, 1.0]],
        };
        let ours = [part("bolt", 12, 0.0), part("bolt", 12, 5.0), part("nut", 8, 5.0)];
        let theirs = [
            part("bolt_1", 12, 5.0 + 1e-7),
            part("bolt", 12, 0.0),
            part("nut", 9, 5.0),
            part("washer", 8, 7.0),
        ];
        let found = recognise(&ours, &theirs);
        assert_eq!(found, BTreeMap::from([("bolt".to_string(), 0), ("bolt_1".to_string(), 1)]));
    }

    #[test]
    fn pairs_of_a_peer_are_numbered() {
        let text =
            r#"{"version": "1", "seconds": {"import": 0.5}, "pairs": [["b", "a"], ["a", "?"]]}"#;
        let pairs = Pairs::parse(text).unwrap();
        let numbers = BTreeMap::from([("a".to_string(), 3), ("b".to_string(), 1)]);
        assert_eq!(pairs.numbered(&numbers), BTreeSet::from([[1, 3]]));
        assert!(Pairs::parse("{}").is_err());
    }
}
