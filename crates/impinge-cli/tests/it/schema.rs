//! The JSON of reports is what `docs/clash.schema.json` says.
//!
//! The validator knows the words of JSON Schema that the file uses, and refuses to judge by any other.

use crate::command::impinge;
use crate::folder::{Folder, row, run};
use serde_json::{Map, Value};

const SCHEMA: &str = include_str!("../../../../docs/clash.schema.json");

struct Validator {
    root: Value,
}

impl Validator {
    /// All that is wrong with a value, each with its place.
    fn faults(&self, schema: &Value, value: &Value, at: &str) -> Vec<String> {
        let Some(words) = schema.as_object() else { return vec![format!("{at}: no schema")] };
        let mut faults = Vec::new();
        for (word, rule) in words {
            match word.as_str() {
                "$schema" | "$defs" | "title" | "description" => {}
                "$ref" => {
                    let place = rule.as_str().unwrap().strip_prefix('#').unwrap();
                    let target = self.root.pointer(place).expect("a reference leads somewhere");
                    faults.extend(self.faults(target, value, at));
                }
                "anyOf" => {
                    let each: Vec<_> = rule
                        .as_array()
                        .unwrap()
                        .iter()
                        .map(|one| self.faults(one, value, at))
                        .collect();
                    if each.iter().all(|faults| !faults.is_empty()) {
                        faults.extend(each.into_iter().flatten());
                    }
                }
                "type" if !is_of_type(value, rule.as_str().unwrap()) => {
                    faults.push(format!("{at}: not of the type {rule}: {value}"));
                }
                "const" if value != rule => faults.push(format!("{at}: {value} is not {rule}")),
                "enum" if !rule.as_array().unwrap().contains(value) => {
                    faults.push(format!("{at}: {value} is not one of {rule}"));
                }
                "pattern" => {
                    // The one pattern there is.
                    assert_eq!(rule, "^[0-9a-f]{16}$");
                    let fits = |text: &str| {
                        text.len() == 16
                            && text
                                .bytes()
                                .all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b))
                    };
                    if !value.as_str().is_some_and(fits) {
                        faults.push(format!("{at}: {value} is not an id"));
                    }
                }
                "minimum" if value.as_f64().is_some_and(|x| x < rule.as_f64().unwrap()) => {
                    faults.push(format!("{at}: {value} is too small"));
                }
                "items" => {
                    for (k, item) in value.as_array().into_iter().flatten().enumerate() {
                        faults.extend(self.faults(rule, item, &format!("{at}[{k}]")));
                    }
                }
                "minItems"
                    if value
                        .as_array()
                        .is_some_and(|list| (list.len() as u64) < rule.as_u64().unwrap()) =>
                {
                    faults.push(format!("{at}: too few"));
                }
                "maxItems"
                    if value
                        .as_array()
                        .is_some_and(|list| list.len() as u64 > rule.as_u64().unwrap()) =>
                {
                    faults.push(format!("{at}: too many"));
                }
                "properties" => {
                    let fields = value.as_object().cloned().unwrap_or_default();
                    for (name, field) in &fields {
                        if let Some(own) = rule.get(name) {
                            faults.extend(self.faults(own, field, &format!("{at}.{name}")));
                        }
                    }
                }
                "required" => {
                    let has = |name: &Value| value.get(name.as_str().unwrap()).is_some();
                    let missing = rule.as_array().unwrap().iter().filter(|name| !has(name));
                    faults.extend(missing.map(|name| format!("{at}: {name} is missing")));
                }
                "additionalProperties" => {
                    assert_eq!(rule, false);
                    let known = words["properties"].as_object().unwrap();
                    let fields = value.as_object().map_or_else(Map::new, Map::clone);
                    let unknown = fields.keys().filter(|name| !known.contains_key(*name));
                    faults.extend(unknown.map(|name| format!("{at}: {name} is not in the schema")));
                }
                "type" | "const" | "enum" | "minimum" | "minItems" | "maxItems" => {}
                other => panic!("the validator does not know {other}"),
            }
        }
        faults
    }
}

fn is_of_type(value: &Value, name: &str) -> bool {
    match name {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "number" => value.is_number(),
        "integer" => value.is_u64() || value.is_i64(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        _ => panic!("no type {name}"),
    }
}

fn validator() -> Validator {
    Validator { root: serde_json::from_str(SCHEMA).unwrap() }
}

#[test]
fn reports_fit_the_schema() {
    let validator = validator();
    let folder = Folder::new();
    let at = folder.path();
    folder.write_text("row.obj", &row(&[("a", 0.0), ("b", 0.9), ("c", 2.2), ("d", 2.2)]));
    folder
        .write_text("rules.toml", "[[rule]]\nname = \"r\"\nreason = \"why\"\na = \"b\"\nb = \"c\"");
    folder.write_text(
        "seat.toml",
        "[[part]]\nname = \"s\"\nsphere = 1\n[[part]]\nname = \"c\"\ncylinder = { radius = 1, length = 2 }\n[[variant]]\nname = \"v\"",
    );
    let mut reports =
        vec![impinge(&["demo", "--quiet", "--format", "json"]).output().unwrap().stdout];
    for arguments in [
        &["check", "row.obj", "--clearance", "500mm", "--test", "rules.toml"][..],
        &["check", "row.obj", "--verdicts-only", "--group", "pair"],
        &["check", "seat.toml"],
        &["check", "seat.toml", "--variant", "v"],
    ] {
        let (code, json, side) = run(at, &[arguments, &["-q", "--format", "json"]].concat());
        assert_eq!(code, 1, "{arguments:?}: {side}");
        reports.push(json.into_bytes());
    }
    for report in reports {
        let value: Value = serde_json::from_slice(&report).unwrap();
        assert_eq!(validator.faults(&validator.root, &value, "report"), Vec::<String>::new());
    }
}

#[test]
fn the_schema_refuses_what_is_no_report() {
    let validator = validator();
    let report = impinge(&["demo", "--quiet", "--format", "json"]).output().unwrap().stdout;
    let good: Value = serde_json::from_slice(&report).unwrap();
    for (place, wrong) in [
        ("/schema", Value::from("impinge.clash/2")),
        ("/unit", Value::from("parsec")),
        ("/findings/0/kind", Value::from("soft")),
        ("/findings/0/id", Value::from("xyz")),
        ("/findings/0/parts", serde_json::json!([1])),
        ("/findings/0/points/0", serde_json::json!([0.0, 1.0])),
        ("/counts/parts", Value::from(-1)),
        ("/counts", serde_json::json!({})),
        ("/hidden", serde_json::json!([{ "more": 1 }])),
    ] {
        let mut bad = good.clone();
        *bad.pointer_mut(place).unwrap() = wrong;
        let schema = &validator.root["$defs"]["report"];
        assert!(!validator.faults(schema, &bad, "report").is_empty(), "{place}");
    }
}
