//! Numbers from the data, be it text or binary of either byte order.

use super::header::{Element, Scalar};
use crate::bytes::Bytes;
use crate::error::{Error, ErrorKind};
use crate::number;
use crate::text::{Text, Token, quoted};
use std::marker::PhantomData;

/// Where numbers come from. `None` means that the data ends before the number.
pub(super) trait Source {
    /// The next number, accepted as a coordinate.
    fn coordinate(&mut self, scalar: Scalar) -> Result<Option<f64>, Error>;
    /// The next number, which must be an integer, and its offset.
    fn integer(&mut self, scalar: Scalar) -> Result<Option<(i64, usize)>, Error>;
    /// Steps over numbers of one type.
    fn skip(&mut self, scalar: Scalar, count: u64) -> Option<()>;
    /// How many records of an element the remaining data can hold at most.
    fn possible(&self, element: &Element<'_>) -> usize;
    /// An error at an offset.
    fn error(&self, at: usize, kind: ErrorKind, message: String) -> Error;
    /// The error of data that ends where `expected` should come.
    fn ended(&self, expected: &str) -> Error;
    /// Refuses data that is left over: a count is wrong, and part of the model would be missing.
    fn finish(&mut self) -> Result<(), Error>;
}

/// The message on data that is left over.
const LEFT_OVER: &str =
    "follows the last element that the header claims: a count is wrong; export it again";

/// Text: numbers between white space. Line ends have no meaning, so that long records may be wrapped.
pub(super) struct Words<'a> {
    text: Text<'a>,
}

impl<'a> Words<'a> {
    pub(super) fn new(bytes: &'a [u8], at: usize) -> Self {
        Self { text: Text::starting_at(bytes, at) }
    }

    fn token(&mut self) -> Option<Token<'a>> {
        self.text.token()
    }
}

impl Source for Words<'_> {
    #[inline]
    fn coordinate(&mut self, _: Scalar) -> Result<Option<f64>, Error> {
        self.token().map(|token| self.text.coordinate(token)).transpose()
    }
    #[inline]
    fn integer(&mut self, _: Scalar) -> Result<Option<(i64, usize)>, Error> {
        let Some(token) = self.token() else { return Ok(None) };
        Ok(Some((self.text.integer(token, "an integer")?, token.at)))
    }
    fn skip(&mut self, _: Scalar, count: u64) -> Option<()> {
        for _ in 0..count {
            self.token()?;
        }
        Some(())
    }
    fn possible(&self, element: &Element<'_>) -> usize {
        // A number takes a digit and a separator, a list at least its count.
        self.text.remaining() / (2 * element.properties.len().max(1)) + 1
    }
    fn error(&self, at: usize, kind: ErrorKind, message: String) -> Error {
        self.text.error(at, kind, message)
    }
    fn ended(&self, expected: &str) -> Error {
        self.text.ended(expected)
    }
    fn finish(&mut self) -> Result<(), Error> {
        let Some(token) = self.token() else { return Ok(()) };
        let message = format!("{} {LEFT_OVER}", quoted(token.bytes));
        Err(self.text.error(token.at, ErrorKind::Malformed, message))
    }
}

/// A byte order.
pub(super) trait Order {
    /// The bytes as those of the least significant first.
    fn little<const N: usize>(bytes: [u8; N]) -> [u8; N];
}

/// Least significant byte first.
pub(super) struct LittleEndian;

impl Order for LittleEndian {
    #[inline]
    fn little<const N: usize>(bytes: [u8; N]) -> [u8; N] {
        bytes
    }
}

/// Most significant byte first.
pub(super) struct BigEndian;

impl Order for BigEndian {
    #[inline]
    fn little<const N: usize>(mut bytes: [u8; N]) -> [u8; N] {
        bytes.reverse();
        bytes
    }
}

/// Binary data.
pub(super) struct Binary<'a, O> {
    data: Bytes<'a>,
    order: PhantomData<O>,
}

impl<'a, O: Order> Binary<'a, O> {
    pub(super) fn new(bytes: &'a [u8], at: usize) -> Self {
        Self { data: Bytes::starting_at(bytes, at), order: PhantomData }
    }

    #[inline]
    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        self.data.take().map(O::little)
    }

    /// The next number; every type but `double` is exact in it, and `double` is itself.
    #[inline]
    fn number(&mut self, scalar: Scalar) -> Option<f64> {
        Some(match scalar {
            Scalar::F32 => f64::from(f32::from_le_bytes(self.take()?)),
            Scalar::F64 => f64::from_le_bytes(self.take()?),
            _ => self.whole(scalar)? as f64,
        })
    }

    /// The next integer; the header was checked not to ask for one where a float is.
    #[inline]
    fn whole(&mut self, scalar: Scalar) -> Option<i64> {
        Some(match scalar {
            Scalar::I8 => i64::from(i8::from_le_bytes(self.take()?)),
            Scalar::U8 => i64::from(u8::from_le_bytes(self.take()?)),
            Scalar::I16 => i64::from(i16::from_le_bytes(self.take()?)),
            Scalar::U16 => i64::from(u16::from_le_bytes(self.take()?)),
            Scalar::I32 => i64::from(i32::from_le_bytes(self.take()?)),
            Scalar::U32 => i64::from(u32::from_le_bytes(self.take()?)),
            Scalar::F32 | Scalar::F64 => self.number(scalar)? as i64,
        })
    }
}

impl<O: Order> Source for Binary<'_, O> {
    #[inline]
    fn coordinate(&mut self, scalar: Scalar) -> Result<Option<f64>, Error> {
        let at = self.data.at();
        self.number(scalar).map(|value| number::check_at(value, at)).transpose()
    }
    #[inline]
    fn integer(&mut self, scalar: Scalar) -> Result<Option<(i64, usize)>, Error> {
        let at = self.data.at();
        Ok(self.whole(scalar).map(|value| (value, at)))
    }
    fn skip(&mut self, scalar: Scalar, count: u64) -> Option<()> {
        self.data.skip(count.checked_mul(scalar.size())?)
    }
    fn possible(&self, element: &Element<'_>) -> usize {
        let size: u64 = element.properties.iter().map(|p| p.list.unwrap_or(p.scalar).size()).sum();
        self.data.remaining() / (size.max(1) as usize)
    }
    fn error(&self, at: usize, kind: ErrorKind, message: String) -> Error {
        self.data.error(at, kind, message)
    }
    fn ended(&self, expected: &str) -> Error {
        let message = format!("the file ends inside {expected}: it is truncated; export it again");
        self.data.error(self.data.at(), ErrorKind::Truncated, message)
    }
    fn finish(&mut self) -> Result<(), Error> {
        // Some programs end a binary file with a line end or pad it with zeros.
        let rest = self.data.rest();
        if rest.iter().all(|&byte| byte == 0 || byte.is_ascii_whitespace()) {
            return Ok(());
        }
        let message = format!("more data ({} bytes) {LEFT_OVER}", rest.len());
        Err(self.data.error(self.data.at(), ErrorKind::Malformed, message))
    }
}
