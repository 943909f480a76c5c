//! OFF files that are refused.

use super::{FINITE, INDEX, TRUNCATED, refused};
use impinge_io::{ErrorKind, Format};

#[test]
fn all_of_it() {
    use ErrorKind::{Index, Malformed, Number, TooMany, Truncated, Unsupported};
    let off = |text: &str, kind, message: &str| refused(Format::Off, text, kind, message);
    off(
        "# a\n\n",
        Truncated,
        &format!("line 1: the file ends before the keyword OFF: {TRUNCATED}"),
    );
    off(
        "hello",
        Malformed,
        "line 1: expected the keyword OFF or the counts, not `hello`: it is damaged or in another format",
    );
    off(
        "4OFF\n1 1 1",
        Unsupported,
        "line 1: `4OFF` has vertices with other than three coordinates: export the model as plain OFF",
    );
    off(
        "CnOFF\n1 1 1",
        Unsupported,
        "line 1: `CnOFF` has vertices with other than three coordinates: export the model as plain OFF",
    );
    off(
        "OFF BINARY\n\0\0\0",
        Unsupported,
        "line 1: binary OFF is not supported: export it as text",
    );
    off(
        "OFF\n8",
        Truncated,
        &format!("line 2: the file ends before the count of faces: {TRUNCATED}"),
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
        "line 2: `1.5` is not the count of vertices: the file is damaged or in another format; export it again",
    );
    off(
        "OFF\n3 1 0\n0 0 0\n1 0 0\n",
        Truncated,
        &format!(
            "line 4: the file ends before vertex 2 of the 3 that the header claims: {TRUNCATED}"
        ),
    );
    off("OFF\n1 0 0\n0 nan 0", Number, &format!("line 3: `nan` {FINITE}"));
    let square = "OFF 3 1 0\n0 0 0\n1 0 0\n0 1 0\n";
    let face = |face: &str, kind, message: &str| off(&format!("{square}{face}"), kind, message);
    face(
        "",
        Truncated,
        &format!(
            "line 4: the file ends before face 0 of the 1 that the header claims: {TRUNCATED}"
        ),
    );
    face(
        "3 0 1",
        Truncated,
        &format!("line 5: the file ends before the index of a corner: {TRUNCATED}"),
    );
    face(
        "3 0 1 3",
        Index,
        &format!("line 5: a face refers to vertex 3, but the file has 3, counted from 0: {INDEX}"),
    );
    face("3 0 1 -1", Index, "line 5: -1 is not a vertex index: export it again");
    face(
        "2 0 1",
        Malformed,
        "line 5: a face has 2 corners: it needs at least 3; remove it from the model and export it again",
    );
    face("-3 0 1 2", Malformed, "line 5: -3 is not a number of corners: export it again");
    face(
        "3 0 1 2\n\n3 0 1 2",
        Malformed,
        "line 7: `3` follows the last face that the header claims: a count is wrong; export it again",
    );
}
