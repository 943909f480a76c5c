//! OBJ files that are refused.

use super::{COMMA, DAMAGED, FINITE, INDEX, LARGE, NUMBER, refused};
use impinge_io::{ErrorKind, Format};

#[test]
fn numbers() {
    use ErrorKind::{Malformed, Number};
    for (token, reason) in [
        ("nan", FINITE),
        ("inf", FINITE),
        ("-Infinity", FINITE),
        ("1e999", FINITE),
        ("1e76", LARGE),
        ("-1e300", LARGE),
        ("x", NUMBER),
        ("0x10", NUMBER),
        ("1.#IND", NUMBER),
        ("1_000", NUMBER),
        ("--1", NUMBER),
        ("1,5", COMMA),
    ] {
        let text = format!("# a\nv 0 0 0\n\nv 1 {token} 2\n");
        refused(Format::Obj, text, Number, &format!("line 4: `{token}` {reason}"));
    }
    let few = format!("line 2: a vertex has fewer than 3 coordinates: {DAMAGED}");
    for line in ["v 1 2", "v", "v 1 2 # 3"] {
        refused(Format::Obj, format!("v 0 0 0\n{line}\nv 3 3 3"), Malformed, &few);
    }
}

#[test]
fn faces() {
    use ErrorKind::{Index, Malformed};
    let after = |face: &str| format!("v 0 0 0\r\nv 1 0 0\r\nv 0 1 0\r\n{face}\r\n");
    refused(
        Format::Obj,
        after("f 1 2 4"),
        Index,
        &format!("line 4: a face refers to vertex 4, but the file has 3: {INDEX}"),
    );
    refused(
        Format::Obj,
        after("f 1 2 3\nf 9 1 1\nf 8 1 1"),
        Index,
        &format!("line 5: a face refers to vertex 9, but the file has 3: {INDEX}"),
    );
    refused(
        Format::Obj,
        after("f 1 0 3"),
        Index,
        "line 4: a face refers to vertex 0, but OBJ counts from 1: export it again",
    );
    refused(
        Format::Obj,
        after("f 1 2 -4"),
        Index,
        "line 4: a face refers to vertex -4, counted backwards, but only 3 come before it: export it again",
    );
    refused(
        Format::Obj,
        after("f 1 2 4294967297"),
        Index,
        "line 4: a face refers to vertex 4294967297, but the limit is 2^32: export it again",
    );
    for (face, count) in [
        ("f", "0 corners"),
        ("f 1", "1 corner"),
        ("f 1 2 # 3", "2 corners"),
        ("f 1 2 \\", "2 corners"),
    ] {
        let message = format!(
            "line 4: a face has {count}: it needs at least 3; remove it from the model and export it again"
        );
        refused(
            Format::Obj,
            after(&format!("{face}\nv 1 1 1")).replace("\\\nv 1 1 1", "\\\n"),
            Malformed,
            &message,
        );
    }
    for corner in ["x", "1.0", "1/x", "/1", "99999999999999999999", "1\\2"] {
        let message = format!(
            "line 4: `{corner}` is not a corner of a face, which is v, v/t, v//n or v/t/n: {DAMAGED}"
        );
        refused(Format::Obj, after(&format!("f 1 2 {corner}")), Malformed, &message);
    }
}

#[test]
fn statements() {
    for word in ["surf", "call", "bzp"] {
        let message = format!(
            "line 2: the statement `{word}` is not supported: export the model as polygons in one file"
        );
        refused(Format::Obj, format!("v 0 0 0\n{word} 1 2"), ErrorKind::Unsupported, &message);
    }
    let message = "line 3: `hello` is not an OBJ statement, and the file has no vertices: it is damaged or in another format";
    refused(Format::Obj, "# a\n\nhello world\nagain", ErrorKind::Malformed, message);
}
