//! Files that are refused: each with the line or byte, the reason and the cure.

mod obj;
mod off;
mod ply;
mod stl;

use impinge_io::{Error, ErrorKind, Format, parse};

#[track_caller]
pub(super) fn refused(format: Format, bytes: impl AsRef<[u8]>, kind: ErrorKind, message: &str) {
    let error: Error = parse(bytes.as_ref(), format, "f").unwrap_err();
    assert_eq!(error.to_string(), format!("f: {message}"));
    assert_eq!(error.kind(), kind, "{error}");
}

pub(super) const FINITE: &str =
    "is not a finite number: coordinates must be finite; repair the model and export it again";
pub(super) const LARGE: &str = "is too large: magnitudes above 2^250 are not supported; choose a larger unit and export it again";
pub(super) const NUMBER: &str =
    "is not a number: the file is damaged or in another format; export it again";
pub(super) const COMMA: &str =
    "is not a number: decimals need a point, not a comma; export it with another locale";
pub(super) const INDEX: &str = "an index is wrong or vertices are missing; export it again";
pub(super) const DAMAGED: &str = "the file is damaged; export it again";
pub(super) const TRUNCATED: &str = "it is truncated; export it again";

#[test]
fn any_text() {
    for format in [Format::Obj, Format::Ply, Format::Off] {
        refused(format, b"", ErrorKind::Truncated, "the file is empty: export it again");
        let utf_16 = "the file is UTF-16 text: save it as UTF-8 or plain ASCII";
        refused(format, b"\xff\xfev\0 \0", ErrorKind::Unsupported, utf_16);
    }
}
