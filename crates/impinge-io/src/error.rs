//! The error of this crate: which file, where in it, what is wrong, and how to fix it.

use std::fmt;

/// A place in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// The file as a whole.
    File,
    /// A line of a text file, from 1.
    Line(u64),
    /// A line and a character in it, both from 1, of a text file whose lines may be long.
    Column(u64, u64),
    /// A byte offset into a binary file, from 0.
    Byte(u64),
}

/// The kind of error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The system could not read or write the file.
    Io,
    /// The file has no format that this crate knows.
    UnknownFormat,
    /// The file has a known format and uses a part of it that is not supported.
    Unsupported,
    /// The file violates its format.
    Malformed,
    /// The file ends too early.
    Truncated,
    /// A coordinate is not a number, not finite, or above 2^250.
    Number,
    /// A face refers to a vertex that does not exist.
    Index,
    /// There are more vertices or triangles than 32-bit indices can number.
    TooMany,
}

/// Why a file was not read or written.
///
/// ```
/// use impinge_io::{ErrorKind, Format, Place, parse};
/// let error = parse(b"v 0 nan 0\n", Format::Obj, "part.obj").unwrap_err();
/// assert_eq!((error.kind(), error.place()), (ErrorKind::Number, Place::Line(1)));
/// assert_eq!(
///     error.to_string(),
///     "part.obj: line 1: `nan` is not a finite number: coordinates must be finite; repair the model and export it again"
/// );
/// ```
// Boxed, so that a result of a number stays two words in the loops over all numbers of a file.
pub struct Error(Box<Details>);

#[derive(Debug)]
struct Details {
    file: String,
    place: Place,
    kind: ErrorKind,
    message: String,
    source: Option<std::io::Error>,
}

impl Error {
    /// The name of the file, as given.
    pub fn file(&self) -> &str {
        &self.0.file
    }
    /// The line or byte.
    pub fn place(&self) -> Place {
        self.0.place
    }
    /// The kind of error.
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }
    /// What is wrong and how to fix it, without file and place.
    pub fn message(&self) -> &str {
        &self.0.message
    }

    #[cold]
    pub(crate) fn new(kind: ErrorKind, place: Place, message: impl Into<String>) -> Self {
        let message = message.into();
        Self(Box::new(Details { file: String::new(), place, kind, message, source: None }))
    }

    /// An error of the system; `verb` is what could not be done.
    pub(crate) fn io(verb: &str, error: std::io::Error) -> Self {
        let mut result =
            Self::new(ErrorKind::Io, Place::File, format!("cannot {verb} it: {error}"));
        result.0.source = Some(error);
        result
    }

    /// The same error with the file's name.
    pub(crate) fn in_file(mut self, name: &str) -> Self {
        self.0.file = name.to_string();
        self
    }
}

impl Error {
    /// The same error with the file's name, if it has none.
    pub(crate) fn in_unnamed_file(self, name: &str) -> Self {
        if self.0.file.is_empty() { self.in_file(name) } else { self }
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Details { file, place, message, .. } = &*self.0;
        match place {
            Place::File => write!(f, "{file}: {message}"),
            Place::Line(line) => write!(f, "{file}: line {line}: {message}"),
            Place::Column(line, column) => {
                write!(f, "{file}: line {line}, column {column}: {message}")
            }
            Place::Byte(byte) => write!(f, "{file}: byte {byte}: {message}"),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.0.source.as_ref().map(|error| error as _)
    }
}
