//! Single questions with answers that are known by hand.

use crate::command::{answer, answers, error, impinge, numbers, run};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;

#[test]
fn the_example_of_the_help() {
    let line = r#"{"id":"7","ask":"distance","a":{"box":{"half":[1,1,1]}},"b":{"sphere":{"radius":2},"pose":{"rotation":[1,0,0,0],"translation":[0,0,5]}}}"#;
    let expected = json!({
        "id": "7",
        "verdict": "separated",
        "inside": null,
        "distance": 2.0,
        "method": "exact",
        "points": [[0.0, 0.0, 1.0], [0.0, 0.0, 3.0]],
        "features": [{"kind": "face", "index": 5}, {"kind": "surface", "index": 0}],
        "t": null,
    });
    assert_eq!(answer(line), expected);
}

#[test]
fn fields_come_in_their_order_and_all_of_them() {
    for ask in ["verdict", "distance"] {
        let line = format!(
            r#"{{"ask":"{ask}","a":{{"sphere":{{"radius":1}}}},"b":{{"sphere":{{"radius":1}},"pose":{{"translation":[0,0,3]}}}}}}"#
        );
        let text = String::from_utf8(run(&["query"], line.as_bytes()).stdout).unwrap();
        let fields = ["id", "verdict", "inside", "distance", "method", "points", "features", "t"];
        let places: Vec<_> =
            fields.iter().map(|field| text.find(&format!("\"{field}\":"))).collect();
        assert!(places.iter().all(Option::is_some) && places.is_sorted(), "{text}");
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap().as_object().unwrap().len(), 8);
    }
}

#[test]
fn a_verdict_leaves_the_rest_null() {
    let found = answer(
        r#"{"id":1,"ask":"verdict","a":{"box":{"half":[1,1,1]}},"b":{"sphere":{"radius":2},"pose":{"translation":[0,0,5]}}}"#,
    );
    let expected = json!({"id": 1, "verdict": "separated", "inside": null, "distance": null,
        "method": null, "points": null, "features": null, "t": null});
    assert_eq!(found, expected);
}

#[test]
fn flush_boxes_touch_and_a_gap_of_one_step_is_a_gap() {
    let boxes = |x: f64| {
        answer(&format!(
            r#"{{"ask":"distance","a":{{"box":{{"half":[1,1,1]}}}},"b":{{"box":{{"half":[1,1,1]}},"pose":{{"translation":[{x:?},0.5,0.25]}}}}}}"#
        ))
    };
    let flush = boxes(2.0);
    assert_eq!((&flush["verdict"], &flush["distance"]), (&json!("touching"), &json!(0.0)));
    let apart = boxes(2.0f64.next_up());
    assert_eq!(apart["verdict"], "separated");
    assert_eq!(apart["distance"].as_f64().unwrap(), 2.0f64.next_up() - 2.0);
    let deep = boxes(1.5);
    assert_eq!((&deep["verdict"], &deep["distance"]), (&json!("penetrating"), &json!(-0.5)));
}

#[test]
fn of_two_balls_one_inside_the_other_the_inner_one_is_named() {
    let ball = |radius: f64, x: f64| {
        format!(r#"{{"sphere":{{"radius":{radius}}},"pose":{{"translation":[{x},0,0]}}}}"#)
    };
    let ask = |a: &str, b: &str| answer(&format!(r#"{{"ask":"distance","a":{a},"b":{b}}}"#));
    let (large, small) = (ball(3.0, 10.0), ball(1.0, 11.0));
    let found = ask(&large, &small);
    assert_eq!((&found["verdict"], &found["inside"]), (&json!("contained"), &json!("b")));
    assert_eq!(found["distance"], json!(-3.0));
    let swapped = ask(&small, &large);
    assert_eq!((&swapped["verdict"], &swapped["inside"]), (&json!("contained"), &json!("a")));
    assert_eq!(swapped["distance"], json!(-3.0));
}

#[test]
fn points_are_in_world_coordinates() {
    // Both bodies turned by a quarter about x and moved: the box's z face looks along -y.
    let pose = |t: &str| {
        format!(
            r#""pose":{{"rotation":[0.7071067811865476,0.7071067811865476,0,0],"translation":{t}}}"#
        )
    };
    let line = format!(
        r#"{{"ask":"distance","a":{{"box":{{"half":[1,2,3]}},{}}},"b":{{"sphere":{{"radius":0.5}},{}}}}}"#,
        pose("[100,0,0]"),
        pose("[100,-8,0]")
    );
    let found = answer(&line);
    assert!((found["distance"].as_f64().unwrap() - 4.5).abs() < 1e-12, "{found}");
    for (point, y) in found["points"].as_array().unwrap().iter().zip([-3.0, -7.5]) {
        let point = numbers(point);
        assert!((point[0] - 100.0).abs() < 1e-12 && (point[1] - y).abs() < 1e-12, "{found}");
    }
}

#[test]
fn two_half_spaces_that_overlap_have_no_depth() {
    let found = answer(
        r#"{"ask":"distance","a":{"halfspace":{"normal":[0,0,2],"offset":4}},"b":{"halfspace":{"normal":[0,1,0],"offset":0}}}"#,
    );
    assert_eq!(found["verdict"], "penetrating");
    for field in ["distance", "method", "points", "features", "t"] {
        assert_eq!(found[field], Value::Null, "{field}");
    }
}

#[test]
fn normals_are_normalised_with_their_offsets() {
    let found = answer(
        r#"{"ask":"distance","a":{"halfspace":{"normal":[0,0,2],"offset":4}},"b":{"sphere":{"radius":1},"pose":{"translation":[0,0,5]}}}"#,
    );
    assert_eq!((&found["verdict"], &found["distance"]), (&json!("separated"), &json!(2.0)));
    assert_eq!(found["points"], json!([[0.0, 0.0, 2.0], [0.0, 0.0, 4.0]]));
}

#[test]
fn rays_count_in_units_of_their_direction() {
    let found = answer(
        r#"{"id":8,"ask":"ray","a":{"sphere":{"radius":1},"pose":{"translation":[1,2,0]}},"origin":[1,2,5],"direction":[0,0,-2]}"#,
    );
    let expected = json!({"id": 8, "verdict": null, "inside": null, "distance": null,
        "method": null, "points": [[1.0, 2.0, 1.0], null],
        "features": [{"kind": "surface", "index": 0}, null], "t": 2.0});
    assert_eq!(found, expected);
    let behind =
        answer(r#"{"ask":"ray","a":{"sphere":{"radius":1}},"origin":[0,0,5],"direction":[0,0,2]}"#);
    assert!(behind.as_object().unwrap().values().all(Value::is_null), "{behind}");
    let from_inside = answer(
        r#"{"ask":"ray","a":{"box":{"half":[1,1,1]}},"origin":[0,0,0],"direction":[0,0.5,0]}"#,
    );
    assert_eq!(from_inside["t"], json!(2.0));
    assert_eq!(from_inside["points"][0], json!([0.0, 1.0, 0.0]));
}

#[test]
fn rounding_takes_its_radius_off_the_distance() {
    let found = answer(
        r#"{"ask":"distance","a":{"box":{"half":[1,1,1]},"round":0.25},"b":{"hull":[[3,0,0]],"round":0.5}}"#,
    );
    assert_eq!(found["distance"], json!(1.25));
}

#[test]
fn an_id_comes_back_as_it_was_written() {
    let ids = [r#""a\u00e9b""#, "12345678901234567890123", "1e3", "-0", "\"\"", "null"];
    let line = |id: &str| {
        format!(
            "{{\"id\": {id} ,\"ask\":\"verdict\",\"a\":{{\"sphere\":{{\"radius\":1}}}},\"b\":{{\"sphere\":{{\"radius\":1}}}}}}\n"
        )
    };
    let input: String = ids.iter().map(|id| line(id)).collect();
    let text = String::from_utf8(run(&["query"], input.as_bytes()).stdout).unwrap();
    for (answer, id) in text.lines().zip(ids) {
        assert!(answer.starts_with(&format!("{{\"id\":{id},")), "{answer}");
    }
}

#[test]
fn numbers_round_trip() {
    // A point against a point: the gap is one coordinate, whatever its last digit.
    for x in [0.1, 1.0 / 3.0, 5e-324, 1e-300, 123_456_789.123_456_79, 1.7e75] {
        let found = answer(&format!(
            r#"{{"ask":"distance","a":{{"hull":[[0,0,0]]}},"b":{{"hull":[[{x:?},0,0]]}}}}"#
        ));
        assert_eq!(found["points"][1][0].as_f64(), Some(x), "{found}");
    }
}

#[test]
fn answers_keep_the_order_of_the_questions() {
    let line = |id: usize| {
        format!(
            "{{\"id\":{id},\"ask\":\"verdict\",\"a\":{{\"sphere\":{{\"radius\":1}}}},\"b\":{{\"sphere\":{{\"radius\":{id}}}}}}}\n"
        )
    };
    let input: String = (0..3000).map(line).collect();
    let (found, code) = answers(input);
    assert_eq!(code, 0);
    assert!(found.iter().enumerate().all(|(index, answer)| answer["id"] == json!(index)));
    assert_eq!(found.len(), 3000);
}

#[test]
fn answers_come_while_the_input_stays_open() {
    let mut child =
        impinge(&["query", "-"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let (mut stdin, stdout) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    let mut reader = BufReader::new(stdout);
    for id in 0..3 {
        // Half of the next line follows at once: the first answer must not wait for its end.
        let line = format!(
            "{{\"id\":{id},\"ask\":\"verdict\",\"a\":{{\"sphere\":{{\"radius\":1}}}},\"b\":{{\"sphere\":{{\"radius\":1}}}}}}\n  "
        );
        stdin.write_all(line.as_bytes()).unwrap();
        stdin.flush().unwrap();
        let mut text = String::new();
        reader.read_line(&mut text).unwrap();
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap()["id"], json!(id));
    }
    drop(stdin);
    assert!(child.wait().unwrap().success());
}

#[test]
fn questions_come_from_a_file_too() {
    let line =
        r#"{"id":"file","ask":"verdict","a":{"sphere":{"radius":1}},"b":{"sphere":{"radius":1}}}"#;
    let path = std::env::temp_dir().join(format!("impinge-query-{}.jsonl", std::process::id()));
    std::fs::write(&path, line).unwrap();
    let output = impinge(&["query", path.to_str().unwrap()]).output().unwrap();
    std::fs::remove_file(&path).unwrap();
    assert!(output.status.success());
    assert!(String::from_utf8(output.stdout).unwrap().starts_with(r#"{"id":"file","#));
}

#[test]
fn a_reader_that_leaves_early_is_told_nothing_and_is_no_success() {
    let line = "{\"ask\":\"verdict\",\"a\":{\"sphere\":{\"radius\":1}},\"b\":{\"sphere\":{\"radius\":1}}}\n";
    let mut child = impinge(&["query"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let mut stdin = child.stdin.take().unwrap();
    // The command may end before it has read everything.
    let _ = stdin.write_all(line.repeat(10_000).as_bytes());
    drop(stdin);
    let output = child.wait_with_output().unwrap();
    // Not every line was answered.
    assert!(output.status.code() == Some(2) && output.stderr.is_empty(), "{output:?}");
}

#[test]
fn moving_vertices_meet_once_and_in_time() {
    let ask = |ask: &str, start: &str, end: &str| {
        answer(&format!(r#"{{"id":"v","ask":"{ask}","start":{start},"end":{end}}}"#))
    };
    let above = "[[0.25,0.25,1],[0,0,0],[1,0,0],[0,1,0]]";
    let below = "[[0.25,0.25,-1],[0,0,0],[1,0,0],[0,1,0]]";
    let found = ask("vertex-face", above, below);
    let t = found["t"].as_f64().unwrap();
    assert!(found["hit"] == json!(true) && t <= 0.5 && t > 0.5 - 1e-9, "{found}");
    let none = json!({"id": "v", "hit": false, "t": null});
    assert_eq!(ask("vertex-face", above, above), none);
    // In one plane, and touching only at the end.
    let far = "[[0,0,0],[1,0,0],[3,1,0],[3,-1,0]]";
    let touching = "[[0,0,0],[1,0,0],[1,1,0],[1,-1,0]]";
    let found = ask("edge-edge", far, touching);
    let t = found["t"].as_f64().unwrap();
    assert!(found["hit"] == json!(true) && t <= 1.0 && t > 1.0 - 1e-9, "{found}");
    let refused = |end: &str| error(&format!(r#"{{"ask":"edge-edge","start":{far},"end":{end}}}"#));
    let few = refused("[[0,0,0],[1,0,0],[1,1,0]]");
    assert!(few.contains("end has 3 points"), "{few}");
    let large = refused("[[0,0,0],[1,0,0],[1,1,0],[1e80,0,0]]");
    assert!(large.contains("2^250"), "{large}");
}
