//! PLY files that are refused.

use super::{FINITE, INDEX, TRUNCATED, refused};
use impinge_io::{ErrorKind, Format};

const PLY: &str = "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n\
    element face 1\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n";

#[test]
fn headers() {
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
        "line 1: a PLY file begins with `ply`, not `plywood`: it is damaged or in another format",
    );
    changed(
        "format ascii 1.0\n",
        "",
        Malformed,
        "line 1: the header has no `format` line: it is damaged; export it again",
    );
    changed(
        "ascii",
        "binary",
        Unsupported,
        "line 2: unknown format `binary`: known formats are ascii, binary_little_endian, binary_big_endian",
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
        "line 5: unknown type `real`: known types are char, uchar, short, ushort, int, uint, float, double",
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
        "line 7: `elements` is not a PLY header line: the file is damaged; export it again",
    );
    refused(
        Format::Ply,
        "ply\nformat ascii 1.0\n",
        Truncated,
        &format!("line 2: the file ends before `end_header`: {TRUNCATED}"),
    );
}

#[test]
fn text() {
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
            "line 13: the file ends before `face` 0 of the 1 that the header claims: {TRUNCATED}"
        ),
    );
    changed(
        "vertex 3",
        "vertex 9",
        Truncated,
        &format!(
            "line 13: the file ends before `vertex` 4 of the 9 that the header claims: {TRUNCATED}"
        ),
    );
    changed(
        "3 0 1 2",
        "3 0 1 3",
        Index,
        &format!("line 13: a face refers to vertex 3, but the file has 3, counted from 0: {INDEX}"),
    );
    changed(
        "3 0 1 2",
        "3 0 1 -1",
        Index,
        "line 13: -1 is not a vertex index: the file is damaged; export it again",
    );
    changed(
        "3 0 1 2",
        "3 0 1 2.0",
        Malformed,
        "line 13: `2.0` is not an integer: the file is damaged or in another format; export it again",
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
        "line 14: `3` follows the last element that the header claims: a count is wrong; export it again",
    );
    let long = "x".repeat(99);
    let text =
        PLY.replace("end_header", &format!("element {long} 1\nproperty int \x07\nend_header"));
    let message = format!(
        "line 15: the file ends before `{}…` 0 of the 1 that the header claims: {TRUNCATED}",
        &long[..40]
    );
    refused(Format::Ply, text, Truncated, &message);
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
fn binary() {
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
        &format!(
            "byte 214: a face refers to vertex 3, but the file has 3, counted from 0: {INDEX}"
        ),
    );
    refused(
        Format::Ply,
        file(fine, [0, -7, 2], 3),
        Index,
        "byte 210: -7 is not a vertex index: the file is damaged; export it again",
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
            "byte 218: the file ends inside `face` 0 of the 1 that the header claims: {TRUNCATED}"
        ),
    );
    let whole = file(fine, [0, 1, 2], 3);
    refused(
        Format::Ply,
        &whole[..185],
        Truncated,
        &format!(
            "byte 185: the file ends inside `vertex` 1 of the 3 that the header claims: {TRUNCATED}"
        ),
    );
    refused(
        Format::Ply,
        [&whole[..], &[3]].concat(),
        Malformed,
        "byte 218: more data (1 bytes) follows the last element that the header claims: a count is wrong; export it again",
    );
}
