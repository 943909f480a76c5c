//! Lines and arguments that cannot be understood.

use crate::command::{answers, error, impinge};
use serde_json::{Value, json};

/// A question about `a` and a unit ball.
fn about(a: &str) -> String {
    format!(r#"{{"ask":"distance","a":{a},"b":{{"sphere":{{"radius":1}}}}}}"#)
}

#[test]
fn every_error_names_what_is_wrong_and_where() {
    let cases = [
        (about(r#"{"ball":{"radius":1}}"#), &["a ", "\"ball\"", "\"sphere\"", "\"round\""][..]),
        (about("{}"), &["a has no shape", "\"tapered_capsule\""]),
        (about("[]"), &["a is an array", "object"]),
        (about(r#"{"sphere":{}}"#), &["a.sphere lacks", "\"radius\""]),
        (about(r#"{"sphere":{"radius":null}}"#), &["a.sphere lacks", "\"radius\""]),
        (about(r#"{"sphere":{"radius":"1"}}"#), &["a.sphere.radius is a string", "number"]),
        (
            about(r#"{"sphere":{"radius":1,"r":2}}"#),
            &["a.sphere", "unknown field \"r\"", "\"radius\""],
        ),
        (about(r#"{"sphere":{"radius":1,"radius":2}}"#), &["a.sphere", "\"radius\" twice"]),
        (about(r#"{"sphere":{"radius":-1}}"#), &["a.sphere", "radius is -1"]),
        (about(r#"{"sphere":{"radius":1e999}}"#), &["a.sphere.radius is 1e999"]),
        (about(r#"{"sphere":{"radius":1e80}}"#), &["a.sphere", "radius", "2^250"]),
        (about(r#"{"sphere":{"radius":1},"sphere":{"radius":1}}"#), &["a has two shapes"]),
        (
            about(r#"{"sphere":{"radius":1},"box":{"half":[1,1,1]}}"#),
            &["two shapes, \"sphere\" and \"box\""],
        ),
        (about(r#"{"box":{"half":[1,2]}}"#), &["a.box.half has 2 numbers", "3"]),
        (about(r#"{"box":{"half":[1,2,3,4]}}"#), &["a.box.half has 4 numbers", "3"]),
        (about(r#"{"box":{"half":[1,true,3]}}"#), &["a.box.half[1] is a boolean"]),
        (about(r#"{"box":{"half":[1,-2,3]}}"#), &["a.box", "half", "-2"]),
        (about(r#"{"triangle":[[0,0,0],[1,0,0]]}"#), &["a.triangle has 2 points", "3"]),
        (about(r#"{"triangle":[[0,0,0],[1,0],[0,1,0]]}"#), &["a.triangle[1] has 2 numbers"]),
        (about(r#"{"segment":[[0,0,0],[1,0,1e999]]}"#), &["a.segment[1][2] is 1e999"]),
        (about(r#"{"hull":[]}"#), &["a.hull", "empty"]),
        (about(r#"{"hull":[[0,0,0],[1e99,0,0]]}"#), &["a.hull", "[1]"]),
        (about(r#"{"hull":[[0,0,0],0]}"#), &["a.hull[1] is a number", "array"]),
        (
            about(r#"{"plane":{"normal":[0,0,0],"offset":1}}"#),
            &["a.plane", "normal", "zero length"],
        ),
        (
            about(r#"{"sphere":{"radius":1},"pose":{"rotation":[1,0,0]}}"#),
            &["a.pose.rotation has 3 numbers", "4"],
        ),
        (
            about(r#"{"sphere":{"radius":1},"pose":{"rotation":[1,0.1,0,0]}}"#),
            &["a.pose", "rotation", "length"],
        ),
        (
            about(r#"{"sphere":{"radius":1},"pose":{"move":[1,0,0]}}"#),
            &["a.pose", "\"move\"", "\"translation\""],
        ),
        (about(r#"{"sphere":{"radius":1},"round":-0.5}"#), &["a.round", "-0.5"]),
        (about(r#"{"capsule":{"radius":1}}"#), &["a.capsule lacks", "\"half_height\""]),
        (r#"{"a":{"sphere":{"radius":1}}}"#.into(), &["lacks", "\"ask\""]),
        (r#"{"ask":"verdict","a":{"sphere":{"radius":1}}}"#.into(), &["lacks", "\"b\""]),
        (
            r#"{"ask":"volume"}"#.into(),
            &["\"volume\"", "\"verdict\", \"distance\", \"penetration\", \"pairs\", \"ray\""],
        ),
        (r#"{"ask":"verdict","origin":[0,0,0]}"#.into(), &["unknown field \"origin\"", "\"b\""]),
        (
            r#"{"ask":"ray","a":{"sphere":{"radius":1}},"direction":[0,0,1]}"#.into(),
            &["lacks", "\"origin\""],
        ),
        (
            r#"{"ask":"ray","a":{"sphere":{"radius":1}},"origin":[0,0,0],"direction":[0,0,0]}"#
                .into(),
            &["direction", "zero length"],
        ),
        (
            r#"{"ask":"ray","a":{"sphere":{"radius":1}},"origin":[0,0],"direction":[0,0,1]}"#
                .into(),
            &["origin has 2 numbers"],
        ),
        (r#"{"id":[1],"ask":"verdict"}"#.into(), &["id is an array", "string"]),
        (r#"{"id":1,"id":2,"ask":"verdict"}"#.into(), &["\"id\" twice"]),
        (r#"[1,2]"#.into(), &["the query is an array"]),
        (r#"{"ask":"verdict""#.into(), &["line 1, column 16", "not JSON"]),
        (r#"{"ask" "verdict"}"#.into(), &["line 1, column 8", "not JSON"]),
        ("{} {}".into(), &["line 1, column 4", "not JSON"]),
        ("nonsense".into(), &["line 1, column 2", "not JSON"]),
    ];
    for (line, words) in cases {
        let error = error(&line);
        for word in words {
            assert!(error.contains(word), "{line}\n{error}\nlacks {word}");
        }
        assert!(error.starts_with("line 1"), "{error}");
    }
}

#[test]
fn the_rest_goes_on_with_ids_and_line_numbers() {
    let good =
        r#"{"id":"ok","ask":"verdict","a":{"sphere":{"radius":1}},"b":{"sphere":{"radius":1}}}"#;
    let mut input =
        format!("{good}\n\n  \r\n{{\"id\":5,\"ask\":\"?\"}}\r\n{good}\noops\n").into_bytes();
    input.extend_from_slice(b"\xff\xfe{}\n");
    input.extend_from_slice(good.as_bytes());
    let (found, code) = answers(&input);
    assert_eq!(code, 2);
    let ids: Vec<_> = found.iter().map(|answer| answer["id"].clone()).collect();
    let ok = json!("ok");
    assert_eq!(ids, [ok.clone(), json!(5), ok.clone(), Value::Null, Value::Null, ok]);
    let place = |index: usize| found[index]["error"].as_str().unwrap_or("").to_string();
    assert!(place(1).starts_with("line 4:"), "{}", place(1));
    assert!(place(3).starts_with("line 6, column"), "{}", place(3));
    assert!(place(4).starts_with("line 7:") && place(4).contains("UTF-8"), "{}", place(4));
    let keys: Vec<_> = found[1].as_object().unwrap().keys().collect();
    assert_eq!(keys, ["error", "id"]);
}

#[test]
fn a_line_beyond_the_limit_is_refused_and_the_next_one_answered() {
    let mut input = vec![b' '; (64 << 20) + 1];
    input.extend_from_slice(b"\n{\"id\":2,\"ask\":\"verdict\",\"a\":{\"sphere\":{\"radius\":1}},\"b\":{\"sphere\":{\"radius\":1}}}\n");
    let (found, code) = answers(&input);
    assert_eq!((found.len(), code), (2, 2));
    assert!(found[0]["error"].as_str().unwrap().contains("64 MiB"));
    assert_eq!(found[1]["id"], json!(2));
}

#[test]
fn deep_nesting_is_refused_without_harm() {
    let deep = format!("{}{}", "[".repeat(200_000), "]".repeat(200_000));
    assert!(error(&about(&format!(r#"{{"hull":{deep}}}"#))).contains("a.hull[0] has 1 number"));
    assert!(error(&deep).contains("the query is an array"));
}

#[test]
fn a_quaternion_within_a_millionth_of_unit_length_is_normalised() {
    let line = about(
        r#"{"sphere":{"radius":1},"pose":{"rotation":[1.0000005,0,0,0],"translation":[3,0,0]}}"#,
    );
    assert_eq!(crate::command::answer(&line)["distance"], json!(1.0));
}

#[test]
fn exit_codes_of_the_command_line() {
    let code = |arguments: &[&str]| impinge(arguments).output().unwrap().status.code();
    assert_eq!(code(&["--version"]), Some(0));
    assert_eq!(code(&["--help"]), Some(0));
    assert_eq!(code(&["query", "--help"]), Some(0));
    assert_eq!(code(&[]), Some(2));
    assert_eq!(code(&["conquer"]), Some(2));
    let missing = impinge(&["query", "no such file"]).output().unwrap();
    assert_eq!(missing.status.code(), Some(2));
    let told = String::from_utf8(missing.stderr).unwrap();
    assert!(told.contains("no such file"), "{told}");
    assert!(missing.stdout.is_empty());
}

#[test]
fn the_help_names_every_field_and_shape() {
    let text = String::from_utf8(impinge(&["query", "--help"]).output().unwrap().stdout).unwrap();
    for word in [
        "triangle",
        "segment",
        "hull",
        "sphere",
        "box",
        "capsule",
        "tapered_capsule",
        "cylinder",
        "cone",
        "ellipsoid",
        "plane",
        "halfspace",
        "mesh",
        "file",
        "vertices",
        "triangles",
        "scale",
        "solid",
        "pairs",
        "pose",
        "rotation",
        "translation",
        "round",
        "verdict",
        "distance",
        "ray",
        "origin",
        "direction",
        "inside",
        "method",
        "points",
        "features",
        "separated",
        "touching",
        "penetrating",
        "contained",
        "exact",
        "bound",
        "estimate",
        "error",
    ] {
        assert!(text.contains(word), "{word}");
    }
    let version = String::from_utf8(impinge(&["--version"]).output().unwrap().stdout).unwrap();
    assert_eq!(version.trim(), format!("impinge {}", env!("CARGO_PKG_VERSION")));
}
