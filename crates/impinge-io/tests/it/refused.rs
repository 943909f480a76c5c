//! Files that are refused: each with the line or byte, the reason and the cure.

use impinge_io::{Error, ErrorKind, Format, parse};

#[track_caller]
fn refused(format: Format, bytes: impl AsRef<[u8]>, kind: ErrorKind, message: &str) {
    let error: Error = parse(bytes.as_ref(), format, "f").unwrap_err();
    assert_eq!(error.to_string(), format!("f: {message}"));
    assert_eq!(error.kind(), kind, "{error}");
}

const FINITE: &str =
    "is not a finite number: coordinates must be finite; repair the model and export it again";
const LARGE: &str = "is too large: magnitudes above 2^250 are not supported; choose a larger unit and export it again";
const NUMBER: &str = "is not a number: the file is damaged or of another format; export it again";
const COMMA: &str =
    "is not a number: decimals need a point, not a comma; export it with another locale";
const INDEX: &str = "an index is wrong or vertices are missing; export it again";
const DAMAGED: &str = "the file is damaged; export it again";
const TRUNCATED: &str = "it is truncated; export it again";

#[test]
fn any_text() {
    for format in [Format::Obj, Format::Ply, Format::Off] {
        refused(format, b"", ErrorKind::Truncated, "the file is empty: export it again");
        let utf_16 = "the file is UTF-16 text: save it as UTF-8 or plain ASCII";
        refused(format, b"\xff\xfev\0 \0", ErrorKind::Unsupported, utf_16);
    }
}

#[test]
fn obj_numbers() {
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
fn obj_faces() {
    use ErrorKind::{Index, Malformed};
    let after = |face: &str| format!("v 0 0 0\r\nv 1 0 0\r\nv 0 1 0\r\n{face}\r\n");
    refused(
        Format::Obj,
        after("f 1 2 4"),
        Index,
        &format!("line 4: a face names vertex 4, but the file has 3: {INDEX}"),
    );
    refused(
        Format::Obj,
        after("f 1 2 3\nf 9 1 1\nf 8 1 1"),
        Index,
        &format!("line 5: a face names vertex 9, but the file has 3: {INDEX}"),
    );
    refused(
        Format::Obj,
        after("f 1 0 3"),
        Index,
        "line 4: a face names vertex 0, but OBJ counts from 1: export it again",
    );
    refused(
        Format::Obj,
        after("f 1 2 -4"),
        Index,
        "line 4: a face names vertex -4, counted backwards, but only 3 come before it: export it again",
    );
    refused(
        Format::Obj,
        after("f 1 2 4294967297"),
        Index,
        "line 4: a face names vertex 4294967297, but 2^32 is the most: export it again",
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
fn obj_statements() {
    for word in ["surf", "call", "bzp"] {
        let message = format!(
            "line 2: the statement `{word}` is not supported: export the model as polygons in one file"
        );
        refused(Format::Obj, format!("v 0 0 0\n{word} 1 2"), ErrorKind::Unsupported, &message);
    }
    let message = "line 3: `hello` is no statement of an OBJ file, and the file has no vertices: it is damaged or of another format";
    refused(Format::Obj, "# a\n\nhello world\nagain", ErrorKind::Malformed, message);
}

#[test]
fn off() {
    use ErrorKind::{Index, Malformed, Number, TooMany, Truncated, Unsupported};
    let off = |text: &str, kind, message: &str| refused(Format::Off, text, kind, message);
    off(
        "# a\n\n",
        Truncated,
        &format!("line 1: the file ends where the keyword OFF should follow: {TRUNCATED}"),
    );
    off(
        "hello",
        Malformed,
        "line 1: the keyword OFF or the counts should be here, not `hello`: it is damaged or of another format",
    );
    off(
        "4OFF\n1 1 1",
        Unsupported,
        "line 1: `4OFF` has vertices of other than three coordinates: export the model as plain OFF",
    );
    off(
        "CnOFF\n1 1 1",
        Unsupported,
        "line 1: `CnOFF` has vertices of other than three coordinates: export the model as plain OFF",
    );
    off(
        "OFF BINARY\n\0\0\0",
        Unsupported,
        "line 1: binary OFF is not supported: export it as text",
    );
    off(
        "OFF\n8",
        Truncated,
        &format!("line 2: the file ends where the count of faces should follow: {TRUNCATED}"),
    );
    off(
        "OFF\n-8 1 1",
        TooMany,
        "line 2: the count of vertices is -8: it must be between 0 and 2^32 - 1; the file is damaged, export it again",
    );
    off(
        "OFF\n1 4294967296 1",
        TooMany,
        "line 2: the count of faces is 4294967296: it must be between 0 and 2^32 - 1; the file is damaged, export it again",
    );
    off(
        "OFF\n1.5 1 1",
        Malformed,
        "line 2: `1.5` is not the count of vertices: the file is damaged or of another format; export it again",
    );
    off(
        "OFF\n3 1 0\n0 0 0\n1 0 0\n",
        Truncated,
        &format!(
            "line 4: the file ends where vertex 2 of the 3 that the header claims should follow: {TRUNCATED}"
        ),
    );
    off("OFF\n1 0 0\n0 nan 0", Number, &format!("line 3: `nan` {FINITE}"));
    let square = "OFF 3 1 0\n0 0 0\n1 0 0\n0 1 0\n";
    let face = |face: &str, kind, message: &str| off(&format!("{square}{face}"), kind, message);
    face(
        "",
        Truncated,
        &format!(
            "line 4: the file ends where face 0 of the 1 that the header claims should follow: {TRUNCATED}"
        ),
    );
    face(
        "3 0 1",
        Truncated,
        &format!("line 5: the file ends where the index of a corner should follow: {TRUNCATED}"),
    );
    face(
        "3 0 1 3",
        Index,
        &format!("line 5: a face names vertex 3, but the file has 3, counted from 0: {INDEX}"),
    );
    face("3 0 1 -1", Index, "line 5: -1 is not the index of a vertex: export it again");
    face(
        "2 0 1",
        Malformed,
        "line 5: a face has 2 corners: it needs at least 3; remove it from the model and export it again",
    );
    face("-3 0 1 2", Malformed, "line 5: -3 is not a number of corners: export it again");
    face(
        "3 0 1 2\n\n3 0 1 2",
        Malformed,
        "line 7: `3` comes after the last face that the header claims: a count is wrong; export it again",
    );
}

const PLY: &str = "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n\
    element face 1\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n";

#[test]
fn ply_headers() {
    use ErrorKind::{Malformed, TooMany, Truncated, Unsupported};
    let changed = |from: &str, to: &str, kind, message: &str| {
        let text = PLY.replacen(from, to, 1);
        assert_ne!(text, PLY);
        refused(Format::Ply, text, kind, message);
    };
    changed(
        "ply",
        "plywood",
        Malformed,
        "line 1: a PLY file begins with `ply`, not with `plywood`: it is damaged or of another format",
    );
    changed(
        "format ascii 1.0\n",
        "",
        Malformed,
        "line 1: the header has no line `format`: it is damaged; export it again",
    );
    changed(
        "ascii",
        "binary",
        Unsupported,
        "line 2: the format `binary` is not known: known are ascii, binary_little_endian, binary_big_endian",
    );
    changed(
        "format ascii 1.0",
        "format",
        Malformed,
        "line 2: the format's name is missing: the header is damaged; export it again",
    );
    changed(
        "vertex 3",
        "vertex",
        Malformed,
        "line 3: the element's count is missing: the header is damaged; export it again",
    );
    changed(
        "vertex 3",
        "vertex -3",
        TooMany,
        "line 3: the header claims `-3` of the element `vertex`: it must be between 0 and 2^32 - 1; export it again",
    );
    changed(
        "face 1",
        "face 4294967296",
        TooMany,
        "line 7: the header claims `4294967296` of the element `face`: it must be between 0 and 2^32 - 1; export it again",
    );
    changed(
        "element face",
        "element vertex",
        Malformed,
        "line 7: the element `vertex` is declared twice: export it again",
    );
    changed(
        "element vertex 3\n",
        "",
        Malformed,
        "line 3: a property comes before the first element: export it again",
    );
    changed(
        "element vertex",
        "element point",
        Malformed,
        "line 1: the header has no element `vertex`: this PLY holds no mesh",
    );
    changed(
        "float y",
        "real y",
        Malformed,
        "line 5: the type `real` is not known: known are char, uchar, short, ushort, int, uint, float, double",
    );
    changed(
        "float y",
        "float",
        Malformed,
        "line 5: the property's name is missing: the header is damaged; export it again",
    );
    changed(
        "float y",
        "float w",
        Malformed,
        "line 3: the element `vertex` has no property `y`: export it again",
    );
    changed(
        "float y",
        "float x",
        Malformed,
        "line 3: the property `x` is declared twice: export it again",
    );
    changed(
        "float y",
        "list int float y",
        Malformed,
        "line 3: the element `vertex` has no property `y`: export it again",
    );
    changed(
        "uchar int",
        "float int",
        Malformed,
        "line 8: the count of a list must be an integer: export it again",
    );
    changed(
        "uchar int",
        "uchar float",
        Malformed,
        "line 7: the indices of corners must be integers: export it again",
    );
    changed(
        "vertex_indices",
        "corners",
        Malformed,
        "line 7: the faces have no list `vertex_indices` or `vertex_index`: export it again",
    );
    changed(
        "end_header",
        "property list int int vertex_index\nend_header",
        Malformed,
        "line 7: a face has two lists of corners: export it again",
    );
    changed(
        "element face",
        "elements face",
        Malformed,
        "line 7: `elements` is no line of a PLY header: the file is damaged; export it again",
    );
    refused(
        Format::Ply,
        "ply\nformat ascii 1.0\n",
        Truncated,
        &format!("line 2: the file ends where `end_header` should follow: {TRUNCATED}"),
    );
}

#[test]
fn ply_text() {
    use ErrorKind::{Index, Malformed, Number, Truncated};
    let changed = |from: &str, to: &str, kind, message: &str| {
        let text = PLY.replacen(from, to, 1);
        assert_ne!(text, PLY);
        refused(Format::Ply, text, kind, message);
    };
    changed("\n1 0 0", "\n1 inf 0", Number, &format!("line 11: `inf` {FINITE}"));
    changed(
        "3 0 1 2",
        "3 0 1",
        Truncated,
        &format!(
            "line 13: the file ends where face 0 of the 1 that the header claims should follow: {TRUNCATED}"
        ),
    );
    changed(
        "vertex 3",
        "vertex 9",
        Truncated,
        &format!(
            "line 13: the file ends where vertex 4 of the 9 that the header claims should follow: {TRUNCATED}"
        ),
    );
    changed(
        "3 0 1 2",
        "3 0 1 3",
        Index,
        &format!("line 13: a face names vertex 3, but the file has 3, counted from 0: {INDEX}"),
    );
    changed(
        "3 0 1 2",
        "3 0 1 -1",
        Index,
        "line 13: -1 is not the index of a vertex: the file is damaged; export it again",
    );
    changed(
        "3 0 1 2",
        "3 0 1 2.0",
        Malformed,
        "line 13: `2.0` is not an integer: the file is damaged or of another format; export it again",
    );
    changed(
        "3 0 1 2",
        "2 0 1",
        Malformed,
        "line 13: a face has 2 corners: it needs at least 3; remove it from the model and export it again",
    );
    changed(
        "3 0 1 2",
        "-3 0 1 2",
        Malformed,
        "line 13: -3 is not a number of corners: the file is damaged; export it again",
    );
    changed(
        "3 0 1 2",
        "3 0 1 2\n3 0 1 2",
        Malformed,
        "line 14: `3` comes after all elements that the header claims: a count is wrong; export it again",
    );
    let list = "property list char int extra\nend_header";
    let text = PLY.replace("end_header", list).replace("3 0 1 2", "3 0 1 2 -1");
    refused(
        Format::Ply,
        text,
        Malformed,
        "line 14: a list has -1 entries: the file is damaged; export it again",
    );
}

#[test]
fn ply_binary() {
    use ErrorKind::{Index, Malformed, Number, Truncated};
    let file = |vertices: [f32; 9], face: [i32; 3], corners: u8| {
        let header = PLY
            .split_inclusive("end_header\n")
            .next()
            .unwrap()
            .replace("ascii", "binary_little_endian");
        let mut bytes = header.into_bytes();
        assert_eq!(bytes.len(), 169);
        bytes.extend(vertices.into_iter().flat_map(f32::to_le_bytes));
        bytes.push(corners);
        bytes.extend(face.into_iter().flat_map(i32::to_le_bytes));
        bytes
    };
    let fine = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0];
    let mut broken = fine;
    broken[4] = f32::NEG_INFINITY;
    refused(
        Format::Ply,
        file(broken, [0, 1, 2], 3),
        Number,
        &format!("byte 185: the coordinate -inf {FINITE}"),
    );
    refused(
        Format::Ply,
        file(fine, [0, 1, 3], 3),
        Index,
        &format!("byte 214: a face names vertex 3, but the file has 3, counted from 0: {INDEX}"),
    );
    refused(
        Format::Ply,
        file(fine, [0, -7, 2], 3),
        Index,
        "byte 210: -7 is not the index of a vertex: the file is damaged; export it again",
    );
    refused(
        Format::Ply,
        file(fine, [0, 1, 2], 2),
        Malformed,
        "byte 205: a face has 2 corners: it needs at least 3; remove it from the model and export it again",
    );
    refused(
        Format::Ply,
        file(fine, [0, 1, 2], 4),
        Truncated,
        &format!(
            "byte 218: the file ends inside face 0 of the 1 that the header claims: {TRUNCATED}"
        ),
    );
    let whole = file(fine, [0, 1, 2], 3);
    refused(
        Format::Ply,
        &whole[..185],
        Truncated,
        &format!(
            "byte 185: the file ends inside vertex 1 of the 3 that the header claims: {TRUNCATED}"
        ),
    );
    refused(
        Format::Ply,
        [&whole[..], &[3]].concat(),
        Malformed,
        "byte 218: more data (1 bytes) comes after all elements that the header claims: a count is wrong; export it again",
    );
}

#[test]
fn stl_binary() {
    use ErrorKind::{Malformed, Number, Truncated};
    let file = |count: u32, size: usize| {
        let mut bytes = vec![0; 80];
        bytes.extend_from_slice(&count.to_le_bytes());
        bytes.resize(size, 0);
        bytes
    };
    refused(
        Format::Stl,
        b"",
        Truncated,
        &format!("a binary STL has at least 84 bytes, this file has 0: {TRUNCATED}"),
    );
    refused(
        Format::Stl,
        [0; 83],
        Truncated,
        &format!("a binary STL has at least 84 bytes, this file has 83: {TRUNCATED}"),
    );
    refused(
        Format::Stl,
        file(12, 500),
        Truncated,
        &format!(
            "the header claims 12 triangles (684 bytes) but the file has 500 bytes: {TRUNCATED}"
        ),
    );
    refused(
        Format::Stl,
        file(u32::MAX, 84),
        Truncated,
        &format!(
            "the header claims 4294967295 triangles (214748364834 bytes) but the file has 84 bytes: {TRUNCATED}"
        ),
    );
    refused(
        Format::Stl,
        file(0, 134),
        Malformed,
        "the header claims 0 triangles (84 bytes) but the file has 134 bytes: the count is wrong; export it again",
    );
    let mut bytes = file(2, 184);
    bytes[158..162].copy_from_slice(&f32::NAN.to_le_bytes());
    refused(Format::Stl, &bytes, Number, &format!("byte 158: the coordinate NaN {FINITE}"));
    refused(
        Format::Stl,
        "<html>404</html>",
        Malformed,
        "it is text that does not begin with `solid`, so it is no STL: it is damaged or misnamed",
    );
}

const STL: &str = "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid a\n";

#[test]
fn stl_text() {
    use ErrorKind::{Malformed, Number, Truncated};
    let changed = |from: &str, to: &str, kind, message: &str| {
        let text = STL.replacen(from, to, 1);
        assert_ne!(text, STL);
        refused(Format::Stl, text, kind, message);
    };
    let expected = |line: u32, words: &str, found: &str| {
        format!("line {line}: {words} should be here, not `{found}`: {DAMAGED}")
    };
    changed("vertex 1 0 0", "vertex 1 nan 0", Number, &format!("line 5: `nan` {FINITE}"));
    changed("vertex 1 0 0", "vertex 1 0", Number, &format!("line 6: `vertex` {NUMBER}"));
    changed("vertex 1 0 0", "vertex 1,0 0 0", Number, &format!("line 5: `1,0` {COMMA}"));
    changed("vertex 1 0 0\n", "", Malformed, &expected(6, "`vertex`", "endloop"));
    changed("endloop", "vertex 3 3 3\nendloop", Malformed, &expected(7, "`endloop`", "vertex"));
    changed("outer loop", "inner loop", Malformed, &expected(3, "`outer`", "inner"));
    changed("facet", "facette", Malformed, &expected(2, "`facet` or `endsolid`", "facette"));
    changed(
        "endsolid a\n",
        "endsolid a\nmore",
        Malformed,
        &expected(10, "`solid` or the end of the file", "more"),
    );
    changed(
        "endsolid a\n",
        "",
        Truncated,
        &format!("line 8: the file ends where `facet` or `endsolid` should follow: {TRUNCATED}"),
    );
    changed(
        "0 1 0\nendloop\nendfacet\nendsolid a\n",
        "0",
        Truncated,
        &format!("line 6: the file ends where a coordinate should follow: {TRUNCATED}"),
    );
}
