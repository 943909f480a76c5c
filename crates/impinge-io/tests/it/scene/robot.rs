//! Robots: where links are, and which are adjacent.

use impinge_io::{JointKind, LoadOptions, SceneData, SceneFormat, parse_scene};

fn read(body: &str, joints: &[(&str, f64)]) -> SceneData {
    let text = format!("<robot name=\"r\">{body}</robot>");
    let joints = joints.iter().map(|(name, value)| (name.to_string(), *value)).collect();
    let options = LoadOptions { joints, ..LoadOptions::default() };
    parse_scene(text.as_bytes(), SceneFormat::Urdf, "r.urdf", &options).unwrap()
}

fn link(name: &str) -> String {
    format!(
        "<link name=\"{name}\"><collision><geometry><sphere radius=\"1\"/></geometry></collision></link>"
    )
}

fn joint(name: &str, kind: &str, parent: &str, child: &str, more: &str) -> String {
    format!(
        "<joint name=\"{name}\" type=\"{kind}\"><parent link=\"{parent}\"/><child link=\"{child}\"/>{more}</joint>"
    )
}

/// A planar arm of two links has the closed form x = cos a + cos (a + b), y = sin a + sin (a + b).
#[test]
fn a_planar_arm() {
    let body = link("base")
        + &link("upper")
        + &link("lower")
        + &link("tip")
        + &joint("a", "revolute", "base", "upper", "<axis xyz=\"0 0 1\"/>")
        + &joint(
            "b",
            "continuous",
            "upper",
            "lower",
            "<origin xyz=\"1 0 0\"/><axis xyz=\"0 0 2\"/>",
        )
        + &joint("c", "fixed", "lower", "tip", "<origin xyz=\"1 0 0\"/>");
    for (a, b) in [(0.0, 0.0), (0.3, -1.1), (2.0, 3.0), (-1.57, 0.001)] {
        let scene = read(&body, &[("a", a), ("b", b)]);
        let [x, y, z] = scene.parts[3].placement.translation;
        let (a, b): (f64, f64) = (a, b);
        assert!((x - a.cos() - (a + b).cos()).abs() < 1e-15, "{x}");
        assert!((y - a.sin() - (a + b).sin()).abs() < 1e-15, "{y}");
        assert_eq!(z, 0.0);
        assert_eq!(scene.joints[1].position, b);
        assert_eq!(scene.joints[1].kind, JointKind::Continuous);
    }
}

/// Roll, pitch and yaw about the fixed axes x, y and z: a point on each axis, by hand.
#[test]
fn roll_pitch_yaw() {
    let half = std::f64::consts::FRAC_PI_2;
    for (rpy, x, y, z) in [
        ([half, 0.0, 0.0], [1, 0, 0], [0, 0, 1], [0, -1, 0]),
        ([0.0, half, 0.0], [0, 0, -1], [0, 1, 0], [1, 0, 0]),
        ([0.0, 0.0, half], [0, 1, 0], [-1, 0, 0], [0, 0, 1]),
        ([half, half, 0.0], [0, 0, -1], [1, 0, 0], [0, -1, 0]),
        ([half, 0.0, half], [0, 1, 0], [0, 0, 1], [1, 0, 0]),
    ] {
        let [r, p, q] = rpy;
        let origin = format!("<origin rpy=\"{r} {p} {q}\"/>");
        let body = link("base") + &link("arm") + &joint("j", "fixed", "base", "arm", &origin);
        let placement = read(&body, &[]).parts[1].placement;
        for (axis, image) in [([1.0, 0.0, 0.0], x), ([0.0, 1.0, 0.0], y), ([0.0, 0.0, 1.0], z)] {
            let found = placement.map(axis);
            for (found, expected) in found.iter().zip(image) {
                assert!((found - f64::from(expected)).abs() < 1e-15, "{rpy:?} {axis:?} {found}");
            }
        }
    }
}

#[test]
fn adjacent_links() {
    // a – b – (empty) – c, with d beside c on the empty link; and e below d.
    let body = link("a")
        + &link("b")
        + "<link name=\"empty\"/>"
        + &link("c")
        + &link("d")
        + &link("e")
        + &joint("1", "revolute", "a", "b", "")
        + &joint("2", "fixed", "b", "empty", "")
        + &joint("3", "prismatic", "empty", "c", "")
        + &joint("4", "planar", "empty", "d", "")
        + &joint("5", "floating", "d", "e", "");
    let scene = read(&body, &[]);
    let names: Vec<_> = scene.parts.iter().map(|part| part.name.as_str()).collect();
    assert_eq!(names, ["a", "b", "c", "d", "e"]);
    let adjacency = scene.adjacency();
    let mut pairs = (0..5).flat_map(|b| (0..b).map(move |a| [a, b])).collect::<Vec<_>>();
    pairs.retain(|&[a, b]| adjacency.contains(a, b) && adjacency.contains(b, a));
    pairs.sort_unstable();
    assert_eq!(pairs, [[0, 1], [1, 2], [1, 3], [2, 3], [3, 4]]);
    assert_eq!((adjacency.count(), adjacency.contains(2, 2)), (5, false));
    let some = adjacency.of_parts(&[3, 2, 0]);
    assert!(some.contains(0, 1) && !some.contains(1, 2) && some.count() == 1);
    assert_eq!(scene.shapes.len(), 1);
}

/// The axis of a joint stands where the joints before it have turned it.
#[test]
fn axes_and_mimics() {
    let body = link("base")
        + &link("upper")
        + &link("lower")
        + &joint("a", "revolute", "base", "upper", "<axis xyz=\"0 0 1\"/>")
        + &joint(
            "b",
            "prismatic",
            "upper",
            "lower",
            "<origin xyz=\"1 0 0\"/><axis xyz=\"2 0 0\"/><mimic joint=\"a\" multiplier=\"0.5\" offset=\"0.1\"/>",
        );
    let quarter = std::f64::consts::FRAC_PI_2;
    let scene = read(&body, &[("a", quarter)]);
    let [turn, slide] = [0, 1].map(|k| scene.joints[k].axis.unwrap());
    assert_eq!((turn.point, turn.direction, turn.scale), ([0.0; 3], [0.0, 0.0, 1.0], 1.0));
    assert!((slide.direction[1] - 1.0).abs() < 1e-15 && slide.direction[0].abs() < 1e-15);
    // One metre along the arm, and the way of the follower.
    let way = 1.0 + 0.5 * quarter + 0.1;
    assert!((slide.point[1] - way).abs() < 1e-15, "{:?}", slide.point);
    let mimic = scene.joints[1].mimic.unwrap();
    assert_eq!((mimic.joint, mimic.multiplier, mimic.offset), (0, 0.5, 0.1));
    assert_eq!(scene.joints[0].mimic, None);
}
