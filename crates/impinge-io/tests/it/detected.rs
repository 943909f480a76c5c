//! The format by content first, by extension second.

use impinge_io::{ErrorKind, Format, detect};

#[track_caller]
fn assert_detected(bytes: &[u8], path: &str, format: Format) {
    assert_eq!(detect(bytes, path).unwrap(), format);
}

#[test]
fn by_content() {
    for path in ["model", "model.obj", "model.xyz", "dir.ply/model.stl"] {
        assert_detected(b"ply\r\nformat ascii 1.0", path, Format::Ply);
        assert_detected(b"OFF 1 2 3", path, Format::Off);
        assert_detected(b"# by hand\r\rCOFF\n", path, Format::Off);
        assert_detected(b"STCN4OFF", path, Format::Off);
        assert_detected(b"OFF490 518 0", path, Format::Off);
        assert_detected(b" solid\nfacet", path, Format::Stl);
        assert_detected(&[0; 84], path, Format::Stl);
    }
    // A binary STL may begin with the words of others.
    let mut bytes = b"OFF ".to_vec();
    bytes.resize(80, 0);
    bytes.extend_from_slice(&1u32.to_le_bytes());
    bytes.resize(134, 0);
    assert_detected(&bytes, "model.off", Format::Stl);
}

#[test]
fn by_extension() {
    assert_detected(b"", "a.stl", Format::Stl);
    assert_detected(b"4 4 6\n", "a.OFF", Format::Off);
    assert_detected(b"anything", "a.b.Obj", Format::Obj);
    assert_detected(b"plywood", "a.ply", Format::Ply);
    // Words that only begin like magic ones.
    for text in ["solidarity", "OFFSET 1", "plywood", "office"] {
        assert_detected(text.as_bytes(), "a.obj", Format::Obj);
        assert!(detect(text.as_bytes(), "a").is_err());
    }
}

#[test]
fn by_the_first_statement_of_an_obj() {
    assert_detected(b"# made by hand\n\nmtllib a.mtl\n", "no-extension", Format::Obj);
    assert_detected(b"\xef\xbb\xbfv 1 2 3\n", "a.txt", Format::Obj);
    assert!(detect(b"# only a comment\n", "a.txt").is_err());
}

#[test]
fn unknown() {
    let message = |bytes: &[u8], path: &str| {
        let error = detect(bytes, path).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::UnknownFormat);
        error.to_string()
    };
    const KNOWN: &str = "known formats are STL (.stl), OBJ (.obj), PLY (.ply), OFF (.off)";
    assert_eq!(
        message(b"some text", "a.xyz"),
        format!(
            "a.xyz: unknown format: its content matches none of them, and its extension is `xyz`; {KNOWN}"
        )
    );
    assert_eq!(
        message(b"", "a"),
        format!("a: unknown format: it is empty, and it has no extension; {KNOWN}")
    );
    for (start, hint) in [
        (&b"\x1f\x8b\x08"[..], "gzip"),
        (b"PK\x03\x04", "zip archive"),
        (b"glTF\x02", "glTF"),
        (b"ISO-10303-21;", "STEP"),
        (b"<?xml version", "XML"),
        (b"<!DOCTYPE html>", "web page"),
        (b"version https://git-lfs.github.com/spec/v1\n", "git lfs pull"),
    ] {
        assert!(message(start, "a.bin").contains(hint));
    }
}
