//! The guide as its readers follow it: every command of `docs/guide/checking.md` about the demonstration's gearbox, in order, the scene
//! file of `scene-files.md`, and the query of `motion.md`.

use crate::command::answer;
use crate::folder::{Folder, block, row, run};
use impinge_io::Encoding;

const GUIDE: &str = include_str!("../../../../docs/guide/checking.md");
const SCENE_FILES: &str = include_str!("../../../../docs/guide/scene-files.md");
const MOTION: &str = include_str!("../../../../docs/guide/motion.md");

/// The commands of the guide's shell blocks, without their comments.
fn commands() -> Vec<&'static str> {
    let mut shell = false;
    let mut list = Vec::new();
    for line in GUIDE.lines() {
        if let Some(block) = line.strip_prefix("```") {
            shell = block == "sh";
        } else if shell && line.starts_with("impinge ") && line.contains("gearbox") {
            list.push(line.split("  #").next().unwrap_or(line).trim());
        }
    }
    list
}

/// The words of a command, as a shell takes them apart.
fn words(command: &str) -> Vec<String> {
    let mut list = vec![String::new()];
    let mut quote = None;
    for c in command.chars() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (None, '\'' | '"') => quote = Some(c),
            (None, ' ') => list.push(String::new()),
            _ => list.last_mut().unwrap().push(c),
        }
    }
    list.retain(|word| !word.is_empty());
    list
}

#[test]
fn the_commands_of_the_guide_work() {
    let folder = Folder::new();
    let commands = commands();
    assert!(commands.len() >= 15, "{commands:?}");
    for command in commands {
        let words = words(command);
        let arguments: Vec<&str> = words[1..].iter().map(String::as_str).collect();
        let (code, text, side) = run(folder.path(), &arguments);
        assert!(code < 2, "{command}: {text}{side}");
        assert!(!text.contains("no finding matches"), "{command}: {text}");
    }
    // What the guide says that the reader has in the end.
    for file in
        ["report.html", "report.json", "report.csv", "report.bcfzip", "gearbox.obj.impinge.json"]
    {
        assert!(folder.path().join(file).exists(), "{file}");
    }
}

/// A robot of two links, as the scene file of the guide wants one.
const ARM: &str = r#"<robot name="arm">
<link name="base"><collision><geometry><box size="1 1 1"/></geometry></collision></link>
<link name="hand"><collision><geometry><sphere radius="0.2"/></geometry></collision></link>
<joint name="elbow" type="revolute"><parent link="base"/><child link="hand"/><origin xyz="3 0 0"/><axis xyz="0 0 1"/>
<limit lower="-2" upper="2" effort="1" velocity="1"/></joint></robot>"#;

#[test]
fn the_scene_file_of_the_guide_is_read() {
    let folder = Folder::new();
    folder.write("housing.stl", &block([30.0; 3]), Encoding::StlBinary);
    folder.write_text("bolt.obj", &row(&[("bolt", 0.0)]));
    folder.write_text("p95.obj", &row(&[("person", 0.0)]));
    folder.write_text("arm.urdf", ARM);
    let blocks = SCENE_FILES.split("```toml\n").skip(1).filter_map(|rest| rest.split("```").next());
    // There is no writer of GLB.
    let text = blocks.collect::<String>().replace("p95.glb", "p95.obj");
    folder.write_text("scene.toml", &text);
    let inspect = |more: &[&str]| {
        let (code, text, side) = run(folder.path(), &[&["inspect", "scene.toml"], more].concat());
        assert_eq!(code, 0, "{text}{side}");
        text
    };
    // Housing, key, two bolts and the two links; the first variant adds two parts.
    assert!(inspect(&[]).contains("6 of"), "{}", inspect(&[]));
    let larger = inspect(&["--variant", "95th percentile"]);
    assert!(larger.contains("8 of"), "{larger}");
    assert!(inspect(&["--variant", "arm raised"]).contains("6 of"));
}

#[test]
fn the_query_of_the_guide_is_answered() {
    let line = MOTION.lines().find_map(|line| line.strip_prefix("$ echo '")).unwrap();
    let (question, rest) = line.split_once('\'').unwrap();
    assert_eq!(rest, " | impinge query");
    let answer = answer(question);
    // From a gap of 7 at 14 a unit of time.
    assert!((answer["t"].as_f64().unwrap() - 0.5).abs() < 1e-5, "{answer}");
}
