//! Two decision files, made of any bytes: they are refused with one line, or merged so that the newer decision counts, nothing is lost, and a second merge
//! changes nothing.
#![no_main]

use impinge_clash::Records;

/// A file of a few findings whose fields follow from the bytes, so that the syntax does not keep the fuzzer out.
fn made(bytes: &[u8]) -> String {
    let statuses = ["new", "active", "reviewed", "approved", "resolved"];
    let finding = |(index, fields): (usize, &[u8])| {
        let [status, decided, comment, remark] = [0, 1, 2, 3].map(|k| fields[k]);
        let status = statuses[usize::from(status) % 5];
        let date = match decided % 4 {
            0 => String::new(),
            day => format!(r#""decided": "2026-01-0{day}T00:00:00Z","#),
        };
        let remark = format!(
            r#"[{{"guid": "{}", "date": "2026-01-01T00:00:00Z", "author": "a", "text": "t"}}]"#,
            remark % 3
        );
        format!(
            r#""{:016x}": {{"status": "{status}", {date} "comment": "c{}", "remarks": {remark}, "test": "t", "parts": ["a", "b"], "prints": ["1", "2"]}}"#,
            index + usize::from(comment & 1),
            comment / 2
        )
    };
    let mut findings: Vec<String> = bytes.chunks_exact(4).take(8).enumerate().map(finding).collect();
    findings.dedup();
    format!(r#"{{"version": 1, "findings": {{{}}}}}"#, findings.join(","))
}

fn read(bytes: &[u8]) -> Option<Records> {
    match Records::parse(bytes, "file") {
        Ok(records) => Some(records),
        Err(error) => {
            let text = error.to_string();
            assert!(text.starts_with("file:") && !text.contains('\n'), "{text:?}");
            None
        }
    }
}

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let Some((kind, rest)) = bytes.split_first() else { return };
    let (one, two) = rest.split_at(rest.len() / 2);
    let pair = match kind % 2 {
        0 => [read(one), read(two)],
        _ => [read(made(one).as_bytes()), read(made(two).as_bytes())],
    };
    let [Some(ours), Some(theirs)] = pair else { return };
    let mut merged = ours.clone();
    let report = merged.merge(theirs.clone());
    for (id, record) in &merged.findings {
        let both = [ours.findings.get(id), theirs.findings.get(id)];
        // What is decided is one of the two decisions, and never the older one.
        let known = both.iter().flatten().any(|known| known.status == record.status && known.comment == record.comment);
        assert!(known, "{id}");
        let newest = both.iter().flatten().map(|known| &known.decided).max();
        assert_eq!(newest, Some(&record.decided), "{id}");
    }
    assert_eq!(merged.findings.len(), ours.findings.len() + report.added);
    let once = merged.clone();
    merged.merge(theirs);
    assert_eq!(merged, once);
    let text = once.to_text();
    assert_eq!(Records::parse(text.as_bytes(), "kept").expect("what is kept is read again"), once);
});
