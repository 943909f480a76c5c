//! STL files that are refused.

use super::{COMMA, DAMAGED, FINITE, NUMBER, TRUNCATED, refused};
use impinge_io::{ErrorKind, Format};

#[test]
fn binary() {
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
        &format!("a binary STL has at least 84 bytes, but this file has 0: {TRUNCATED}"),
    );
    refused(
        Format::Stl,
        [0; 83],
        Truncated,
        &format!("a binary STL has at least 84 bytes, but this file has 83: {TRUNCATED}"),
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
        "it is text that does not begin with `solid`, so it is not an STL file: it is damaged or misnamed",
    );
}

const STL: &str = "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid a\n";

#[test]
fn text() {
    use ErrorKind::{Malformed, Number, Truncated};
    let changed = |from: &str, to: &str, kind, message: &str| {
        let text = STL.replacen(from, to, 1);
        assert_ne!(text, STL);
        refused(Format::Stl, text, kind, message);
    };
    let expected = |line: u32, words: &str, found: &str| {
        format!("line {line}: expected {words}, not `{found}`: {DAMAGED}")
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
        &format!("line 8: the file ends before `facet` or `endsolid`: {TRUNCATED}"),
    );
    changed(
        "0 1 0\nendloop\nendfacet\nendsolid a\n",
        "0",
        Truncated,
        &format!("line 6: the file ends before a coordinate: {TRUNCATED}"),
    );
}
