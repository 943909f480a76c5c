//! Any bytes as a BCF file, or as the entries of one: what is read is refused with one line, or taken into the records without harm.
#![no_main]

use impinge_clash::Records;
use impinge_clash::bcf::{import, read};
use std::io::{Cursor, Write};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    match bytes.split_first() {
        Some((0..128, rest)) => check(rest),
        Some((_, rest)) => check(&packed(rest)),
        None => {}
    }
});

/// Entries between bytes that no text has, so that checksums do not keep the fuzzer out.
fn packed(bytes: &[u8]) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    let version = br#"<Version VersionId="2.1"/>"#;
    let names = ["a/markup.bcf", "project.bcfp", "b/markup.bcf", "c/MARKUP.BCF", "x"];
    let entries = names.into_iter().zip(bytes.split(|&byte| byte == 0xff));
    for (name, content) in [("bcf.version", &version[..])].into_iter().chain(entries) {
        let started = zip.start_file(name, SimpleFileOptions::default());
        started.and_then(|()| Ok(zip.write_all(content)?)).expect("memory can be written to");
    }
    zip.finish().expect("memory can be written to").into_inner()
}

fn check(bytes: &[u8]) {
    let known = br#"{"version": 1, "findings": {"0123456789abcdef":
        {"status": "new", "test": "all", "parts": ["a", "b"], "prints": ["1", "2"]}}}"#;
    match read(bytes, "fuzz.bcfzip") {
        Ok(contents) => {
            let mut records = Records::parse(known, "known").expect("these are records");
            let imported = import(&mut records, &contents);
            assert_eq!(imported.known + imported.unknown.len(), contents.topics.len());
            assert_eq!(records.findings.len(), 1);
            // Once more changes nothing more.
            let once = records.clone();
            let again = import(&mut records, &contents);
            assert!(
                again.known == imported.known && records.findings.keys().eq(once.findings.keys())
            );
            Records::parse(records.to_text().as_bytes(), "kept")
                .expect("what is kept is read again");
        }
        Err(error) => {
            let text = error.to_string();
            assert!(text.starts_with("fuzz.bcfzip: ") && !text.contains('\n'), "{text:?}");
        }
    }
}
