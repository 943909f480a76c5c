//! One check over all variants of a scene: five people in a seat, two positions of an arm.

use crate::folder::{Folder, run};
use serde_json::Value;

/// A cabin of panels; the occupant is a box that grows with the percentile.
const SEAT: &str = r#"
unit = "mm"
[[part]]
name = "roof"
box = [1200, 900, 20]
translation = [0, 0, 1010]
[[part]]
name = "dashboard"
box = [200, 900, 400]
translation = [850, 0, 500]
[[part]]
name = "occupant"
box = [400, 450, 850]
translation = [0, 0, 425]

[[variant]]
name = "5th percentile"
[[variant.part]]
name = "occupant"
box = [330, 400, 790]
translation = [0, 0, 395]

[[variant]]
name = "50th percentile"

[[variant]]
name = "95th percentile"
[[variant.part]]
name = "occupant"
box = [450, 500, 930]
translation = [0, 0, 465]

[[variant]]
name = "99th percentile"
[[variant.part]]
name = "occupant"
box = [480, 520, 1010]
translation = [0, 0, 505]

[[variant]]
name = "75th percentile"
[[variant.part]]
name = "occupant"
box = [420, 470, 900.5]
translation = [0, 0, 450.25]
"#;

#[test]
fn five_occupants_ten_centimetres_clear() {
    let folder = Folder::new();
    let at = folder.path();
    folder.write_text("seat.toml", SEAT);
    let (code, text, side) =
        run(at, &["check", "seat.toml", "--clearance", "10cm", "--fail-on", "any"]);
    assert_eq!(code, 1, "{side}");
    let rows: Vec<Vec<&str>> = text
        .lines()
        .filter(|line| line.contains("th percentile  "))
        .map(|line| line.split("  ").map(str::trim).filter(|cell| !cell.is_empty()).collect())
        .collect();
    let column = |k: usize| {
        rows.iter().map(|row| row.get(k).copied().unwrap_or_default()).collect::<Vec<_>>()
    };
    let order = [
        "99th percentile",
        "95th percentile",
        "75th percentile",
        "5th percentile",
        "50th percentile",
    ];
    assert_eq!(column(0), order, "{text}");
    // Gaps to the roof at 1000 mm; the 99th is 10 mm into it.
    assert_eq!(column(5)[..3], ["hard", "clearance", "clearance"], "{text}");
    assert_eq!(column(6)[..3], ["-10 mm", "70 mm", "99.5 mm"], "{text}");
    assert_eq!(column(5)[3..], ["clear", "clear"], "{text}");
    assert!(text.contains("5 variants, 3 with open findings"), "{text}");

    // Decisions belong to a variant.
    let (_, listed, _) = run(at, &["status", "seat.toml"]);
    let line = listed.lines().find(|line| line.contains("(99th percentile)")).unwrap();
    run(at, &["status", "seat.toml", &line[..16], "approved"]);
    let (_, json, _) =
        run(at, &["check", "seat.toml", "--clearance", "10cm", "-q", "--format", "json"]);
    let report: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(report["schema"], "impinge.family/1");
    let status = |k: usize| &report["variants"][k]["findings"][0]["status"];
    assert_eq!(report["variants"][0]["variant"], "95th percentile");
    assert_eq!(status(0), "active");
    let old =
        report["variants"].as_array().unwrap().iter().find(|v| v["variant"] == "99th percentile");
    assert_eq!(old.unwrap()["findings"][0]["status"], "approved");
    // One of them alone, and what families cannot be.
    let (code, text, _) = run(at, &["check", "seat.toml", "-q", "--variant", "5th percentile"]);
    assert!(code == 0 && text.contains("no findings"), "{text}");
    let (code, _, side) = run(at, &["check", "seat.toml", "--variant", "6th"]);
    assert!(code == 2 && side.contains("there is no variant `6th`"), "{side}");
    let (code, _, side) = run(at, &["check", "seat.toml", "-o", "x.html"]);
    assert!(code == 2 && side.contains("--variant NAME"), "{side}");
    let (_, csv, _) =
        run(at, &["check", "seat.toml", "--clearance", "10cm", "-q", "--format", "csv"]);
    assert!(csv.starts_with("variant,id,test") && csv.contains("\r\n95th percentile,"), "{csv}");
}

#[test]
fn joint_states_are_variants_too() {
    let folder = Folder::new();
    let at = folder.path();
    let link = |name: &str, x: f64| {
        format!(
            "<link name='{name}'><collision><origin xyz='{x} 0 0'/><geometry><box size='1 0.1 0.1'/></geometry></collision></link>"
        )
    };
    folder.write_text(
        "arm.urdf",
        &format!(
            "<robot name='arm'>{}{}<joint name='elbow' type='revolute'><parent link='base'/><child link='tip'/><origin xyz='1 0 0'/><axis xyz='0 0 1'/><limit lower='-3' upper='3' effort='1' velocity='1'/></joint></robot>",
            link("base", 0.5),
            link("tip", 0.5)
        ),
    );
    folder.write_text(
        "cell.toml",
        "[[part]]\nname = \"arm\"\nfile = \"arm.urdf\"\n[[part]]\nname = \"post\"\nbox = [0.1, 0.1, 1]\ntranslation = [1, 0.8, 0]\n\
         [[variant]]\nname = \"stretched\"\n[[variant]]\nname = \"raised\"\n[[variant.part]]\nname = \"arm\"\njoints = { elbow = 1.5707963267948966 }\n",
    );
    let (code, text, side) = run(at, &["check", "cell.toml"]);
    assert_eq!(code, 1, "{side}");
    let rows: Vec<&str> = text
        .lines()
        .filter(|line| line.starts_with("raised ") || line.starts_with("stretched "))
        .collect();
    assert!(rows[0].starts_with("raised") && rows[0].contains("hard"), "{text}");
    assert!(rows[1].starts_with("stretched") && rows[1].contains("clear"), "{text}");
}
