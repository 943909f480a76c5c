//! BCF files in the hands of others: buildingSMART's schemas and bcf-client, both from PyPI. Without Python or the network the test says
//! so and passes, unless the environment variable CI is set.

use crate::bcf::{self, Sides};
use impinge_clash::bcf::{Version, read};
use impinge_clash::{Records, Status, picture};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Runs a command; its output, or what went wrong.
fn run(command: &mut Command) -> Result<String, String> {
    let output = command.output().map_err(|error| format!("{command:?}: {error}"))?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    match output.status.success() {
        true => Ok(text(&output.stdout)),
        false => Err(format!("{command:?}: {}{}", text(&output.stdout), text(&output.stderr))),
    }
}

/// An environment with bcf-client, and the folder of the schemas. It is made once and kept under the target folder.
fn provided() -> Result<(PathBuf, PathBuf), String> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("bcf-client");
    let python = folder.join("bin/python");
    let schemas = folder.join("source/bcf_client-0.7.10/src/bcf");
    let done = folder.join("done");
    if !done.exists() {
        run(Command::new("python3").args(["-m", "venv"]).arg(&folder))?;
        run(Command::new(&python).args([
            "-m",
            "pip",
            "install",
            "--quiet",
            "bcf-client==0.9.0",
            "xmlschema==4.3.2",
        ]))?;
        // The last release whose source package holds the schemas.
        let mut download = Command::new(&python);
        download.args([
            "-m",
            "pip",
            "download",
            "--quiet",
            "--no-deps",
            "--no-binary",
            ":all:",
            "bcf-client==0.7.10",
            "--dest",
        ]);
        run(download.arg(&folder))?;
        let unpack =
            "import sys, tarfile; tarfile.open(sys.argv[1]).extractall(sys.argv[2], filter='data')";
        let archive = folder.join("bcf_client-0.7.10.tar.gz");
        run(Command::new(&python).args(["-c", unpack]).arg(archive).arg(folder.join("source")))?;
        std::fs::write(&done, "").map_err(|error| error.to_string())?;
    }
    Ok((python, schemas))
}

#[test]
fn the_schemas_hold_and_bcf_client_reads_and_decides() {
    let (python, schemas) = match provided() {
        Ok(provided) => provided,
        Err(reason) if std::env::var_os("CI").is_none_or(|value| value.is_empty()) => {
            eprintln!("not run, bcf-client cannot be installed: {reason}");
            return;
        }
        Err(reason) => panic!("{reason}"),
    };
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bcf_client.py");
    for version in [Version::V2_1, Version::V3_0] {
        let mut sides = Sides::new();
        let first = sides.outcome.findings[0].clone();
        sides.records.set(&first.id, Status::Reviewed, Some("ask <Anna> & \"Ben\"")).unwrap();
        sides.check_again();
        let bytes = sides.exported(&bcf::export(version));
        let at = |name: &str| {
            Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{version}.bcfzip"))
        };
        let (ours, theirs) = (at("ours"), at("theirs"));
        std::fs::write(&ours, &bytes).unwrap();
        let mut command = Command::new(&python);
        let told = run(command.arg(&script).arg(&schemas).args([&ours, &theirs])).unwrap();
        let told: Value = serde_json::from_str(&told).unwrap();

        // Version, project, perhaps extensions, and two entries for each topic.
        let top = if version == Version::V3_0 { 3 } else { 2 };
        assert_eq!(told["entries"], top + 2 * sides.outcome.findings.len());
        let topics = told["topics"].as_array().unwrap();
        let contents = read(&bytes, "ours").unwrap();
        assert_eq!(topics.len(), contents.topics.len());
        for topic in topics {
            let guid = topic["guid"].as_str().unwrap();
            let place = contents.topics.iter().position(|own| own.guid == guid).unwrap();
            let own = &contents.topics[place];
            assert_eq!(topic["status"].as_str(), own.status.as_deref());
            assert_eq!(topic["title"].as_str(), Some(own.title.as_str()));
            let finding = &sides.outcome.findings[place];
            let camera = picture::camera_of(&sides.model, &[finding], 4.0 / 3.0);
            let numbers = |key: &str| -> Vec<f64> {
                topic[key].as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect()
            };
            // The model is in metres.
            assert_eq!(numbers("position"), camera.position.to_array());
            assert_eq!(numbers("direction"), camera.direction.to_array());
            assert_eq!(numbers("up"), camera.up.to_array());
            assert_eq!(topic["field_of_view"], 45.0);
            let paths: Vec<&str> =
                finding.parts.iter().map(|&part| sides.model.parts[part].path.as_str()).collect();
            let selected: Vec<&str> = (topic["selection"].as_array().unwrap().iter())
                .map(|component| component[1].as_str().unwrap())
                .collect();
            assert_eq!(selected, paths);
            assert_eq!(topic["colours"]["3D8BDC"][0], paths[0]);
            assert_eq!(topic["colours"]["F59E2D"][0], paths[1]);
            assert!(topic["picture"].as_u64().unwrap() > 1000);
        }

        // Somebody closes a topic there.
        let closed = topics[0]["guid"].as_str().unwrap();
        let bytes = std::fs::read(&theirs).unwrap();
        let mut records: Records = sides.records.clone();
        let imported = impinge_clash::bcf::import(&mut records, &read(&bytes, "theirs").unwrap());
        let place = contents.topics.iter().position(|own| own.guid == closed).unwrap();
        let finding = &sides.outcome.findings[place];
        assert_eq!(imported.statuses, [(finding.id.clone(), finding.status, Status::Resolved)]);
        assert_eq!((imported.comments, imported.unknown.len()), (1, 0));
        let remark = &records.findings[&finding.id].remarks[0];
        assert_eq!(
            (remark.author.as_str(), remark.text.as_str()),
            ("berta@example.org", "moved the bracket by 20 mm")
        );
        assert_eq!(records.findings[&first.id].comment, "ask <Anna> & \"Ben\"");
    }
}
