//! When bodies meet, with answers that are known by hand.

use crate::command::{answer, run};
use serde_json::{Value, json};

const BLOCK: &str = r#"{"box":{"half":[1,1,1]}}"#;
const CUBE: &str = r#""mesh":{"vertices":[[-1,-1,-1],[1,-1,-1],[-1,1,-1],[1,1,-1],[-1,-1,1],[1,-1,1],[-1,1,1],[1,1,1]],
    "triangles":[[0,2,3],[0,3,1],[4,5,7],[4,7,6],[0,1,5],[0,5,4],[2,6,7],[2,7,3],[0,4,6],[0,6,2],[1,3,7],[1,7,5]],"solid":true}"#;

fn ask(a: &str, b: &str) -> Value {
    answer(&format!(r#"{{"id":1,"ask":"impact","a":{a},"b":{b}}}"#).replace('\n', " "))
}

fn interval(found: &Value) -> [f64; 2] {
    assert_eq!(found["t"], found["interval"][0], "{found}");
    [0, 1].map(|k| found["interval"][k].as_f64().unwrap())
}

#[test]
fn a_ball_that_flies_at_a_block() {
    let ball =
        r#"{"sphere":{"radius":1},"pose":{"translation":[9,0,0]},"motion":{"linear":[-14,0,0]}}"#;
    let found = ask(BLOCK, ball);
    let [t0, t1] = interval(&found);
    assert!(t0 <= 0.5 && 0.5 <= t1 && t1 - t0 <= 1e-6, "{found}");
    assert_eq!((&found["hit"], &found["start"]), (&json!(true), &json!("free")));
    assert_eq!(
        (&found["normal"], &found["minimum"]["distance"]),
        (&json!([1.0, 0.0, 0.0]), &json!(0.0))
    );
    assert_eq!(found["points"][0], json!([1.0, 0.0, 0.0]));
    let fields: Vec<_> = found.as_object().unwrap().keys().cloned().collect();
    let mut expected = ["id", "hit", "t", "interval", "start", "points", "normal", "minimum"];
    expected.sort_unstable();
    assert_eq!(fields, expected);
}

#[test]
fn a_mesh_gives_what_a_shape_gives() {
    let mesh =
        format!(r#"{{{CUBE},"pose":{{"translation":[9,0.5,0]}},"motion":{{"linear":[-14,0,0]}}}}"#);
    let [t0, t1] = interval(&ask(BLOCK, &mesh));
    assert!(t0 <= 0.5 && 0.5 <= t1 && t1 - t0 <= 1e-6);
    let [t0, t1] = interval(&ask(&mesh, &format!("{{{CUBE}}}")));
    assert!(t0 <= 0.5 && 0.5 <= t1 && t1 - t0 <= 1e-6);
}

#[test]
fn screws_and_poses_to_go_to() {
    // A quarter turn about z takes the ball from x = 5 to y = 5, where the block is.
    let block = r#"{"box":{"half":[1,1,1]},"pose":{"translation":[0,5,0]}}"#;
    let screw = r#"{"sphere":{"radius":0.5},"pose":{"translation":[5,0,0]},"motion":{"screw":{"axis":[0,0,2],"point":[0,0,0],"angle":1.5707963267948966,"advance":0}}}"#;
    let found = ask(block, screw);
    assert_eq!((&found["hit"], &found["start"]), (&json!(true), &json!("free")), "{found}");
    // On a line to the same pose it arrives at an end that just touches the block.
    let to = r#"{"sphere":{"radius":0.5},"pose":{"translation":[5,0,0]},"motion":{"to":{"rotation":[0.7071067811865476,0,0,0.7071067811865476],"translation":[0,3.5,0]}}}"#;
    let found = ask(block, to);
    assert_eq!((&found["hit"], &found["interval"][1]), (&json!(true), &json!(1.0)), "{found}");
}

#[test]
fn a_miss_tells_how_close_it_was() {
    let ball =
        r#"{"sphere":{"radius":1},"pose":{"translation":[-8,5,0]},"motion":{"linear":[16,0,0]}}"#;
    let found = ask(BLOCK, ball);
    assert_eq!(
        (&found["hit"], &found["t"], &found["interval"]),
        (&json!(false), &json!(null), &json!(null))
    );
    assert!((found["minimum"]["distance"].as_f64().unwrap() - 3.0).abs() < 1e-5, "{found}");
    let t = found["minimum"]["t"].as_f64().unwrap();
    assert!((7.0 / 16.0 - 1e-6..=9.0 / 16.0 + 1e-6).contains(&t), "{found}");
}

#[test]
fn the_start_has_a_name() {
    let at = |x: f64, way: f64| {
        ask(
            BLOCK,
            &format!(
                r#"{{"box":{{"half":[1,1,1]}},"pose":{{"translation":[{x},0,0]}},"motion":{{"linear":[{way},0,0]}}}}"#
            ),
        )
    };
    for (x, way, start) in
        [(2.0, 1.0, "touching"), (2.0, -1.0, "touching"), (1.5, 1.0, "overlapping")]
    {
        let found = at(x, way);
        assert_eq!(
            (&found["start"], &found["interval"]),
            (&json!(start), &json!([0.0, 0.0])),
            "{found}"
        );
    }
}

#[test]
fn refusals_name_the_place() {
    let refused = |line: &str| {
        let output = run(&["query"], line.as_bytes());
        assert_eq!(output.status.code(), Some(2));
        String::from_utf8(output.stdout).unwrap()
    };
    let ball = |motion: &str| {
        format!(
            r#"{{"ask":"impact","a":{BLOCK},"b":{{"sphere":{{"radius":1}},"motion":{motion}}}}}"#
        )
    };
    assert!(refused(&ball(r#"{"linear":[1,2]}"#)).contains("b.motion.linear has 2 numbers"));
    assert!(refused(&ball("{}")).contains("b.motion has 0 motions"));
    assert!(refused(&ball(r#"{"linear":[1,2,1e999]}"#)).contains("b.motion.linear[2]"));
    assert!(refused(&ball(r#"{"spin":1}"#)).contains("unknown field"));
    let screw = r#"{"screw":{"axis":[0,0,0],"point":[0,0,0],"angle":1,"advance":0}}"#;
    assert!(refused(&ball(screw)).contains("axis has zero length"));
    let rest = ball(r#"{"linear":[1,0,0]}"#).replace("impact", "verdict");
    assert!(refused(&rest).contains("only \\\"impact\\\" asks about motions"));
}
