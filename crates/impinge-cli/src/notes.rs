//! What is said on the side, on standard error. It never decides how a command ends: who closes standard error, or has it on a full disk, still gets the
//! report and its exit code.

use std::fmt;
use std::io::{self, Write};

/// Says something on standard error.
pub(crate) fn note(text: fmt::Arguments<'_>) {
    let _ = writeln!(io::stderr().lock(), "{text}");
}
