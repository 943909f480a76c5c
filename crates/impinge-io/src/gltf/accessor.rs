//! Numbers in buffers: their type, their places, and the few that a sparse accessor replaces.

use super::{Document, item, whole};
use crate::error::{Error, ErrorKind};
use crate::json::Value;
use crate::text::quoted;

/// The type of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Component {
    I8,
    U8,
    I16,
    U16,
    U32,
    F32,
    F64,
}

impl Component {
    fn of(owner: Value<'_>) -> Result<Self, Error> {
        let code = whole(owner, "componentType", None)?;
        Ok(match code {
            5120 => Self::I8,
            5121 => Self::U8,
            5122 => Self::I16,
            5123 => Self::U16,
            5125 => Self::U32,
            5126 => Self::F32,
            5130 => Self::F64,
            _ => {
                let message = format!("unknown component type {code}: export it again");
                return Err(owner.error(ErrorKind::Malformed, message));
            }
        })
    }

    fn size(self) -> u64 {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::U32 | Self::F32 => 4,
            Self::F64 => 8,
        }
    }

    /// The number at the start of the bytes; normalised ones by the equations of section 3.11 of the specification.
    #[inline]
    fn read(self, bytes: &[u8], normalized: bool) -> Option<f64> {
        let (value, most) = match self {
            Self::I8 => (f64::from(i8::from_le_bytes(*bytes.first_chunk()?)), 127.0),
            Self::U8 => (f64::from(*bytes.first()?), 255.0),
            Self::I16 => (f64::from(i16::from_le_bytes(*bytes.first_chunk()?)), 32767.0),
            Self::U16 => (f64::from(u16::from_le_bytes(*bytes.first_chunk()?)), 65535.0),
            Self::U32 => (f64::from(u32::from_le_bytes(*bytes.first_chunk()?)), 4_294_967_295.0),
            Self::F32 => return Some(f64::from(f32::from_le_bytes(*bytes.first_chunk()?))),
            Self::F64 => return Some(f64::from_le_bytes(*bytes.first_chunk()?)),
        };
        Some(if normalized { (value / most).max(-1.0) } else { value })
    }
}

/// An accessor whose every element is known to lie within its buffer.
pub(super) struct Accessor<'d> {
    /// Where it stands in the file, for errors.
    value: Value<'d>,
    pub(super) index: usize,
    pub(super) count: usize,
    component: Component,
    normalized: bool,
    /// Numbers in an element.
    width: usize,
    /// The elements; none if all are zero.
    data: Option<Strided<'d>>,
    /// Elements that are replaced, in ascending order, and by what.
    replaced: Vec<u32>,
    values: Option<Strided<'d>>,
}

/// Elements at equal distances.
#[derive(Clone, Copy)]
struct Strided<'d> {
    bytes: &'d [u8],
    stride: usize,
}

impl Strided<'_> {
    fn element(&self, index: usize) -> &[u8] {
        self.bytes.get(index * self.stride..).unwrap_or_default()
    }
}

impl<'j> Document<'j> {
    /// The accessor that a value names; `width` is how many numbers its elements must have.
    pub(super) fn accessor(&self, named: Value<'_>, width: usize) -> Result<Accessor<'_>, Error> {
        let (index, value) = item(&self.accessors, named, "accessor")?;
        let kind = value.get("type").and_then(Value::text).unwrap_or_default();
        let stated = ["SCALAR", "VEC2", "VEC3", "VEC4"].iter().position(|name| *name == kind);
        if stated != Some(width - 1) {
            let message = format!(
                "accessor {index} is of the type {} where elements of {width} number{} are needed: the file is damaged; \
                 export it again",
                quoted(kind.as_bytes()),
                if width == 1 { "" } else { "s" }
            );
            return Err(value.error(ErrorKind::Malformed, message));
        }
        let component = Component::of(value)?;
        let count = whole(value, "count", None)?;
        let size = component.size() * width as u64;
        let data = match value.get("bufferView") {
            Some(view) => {
                let offset = whole(value, "byteOffset", Some(0))?;
                Some(self.strided(value, view, offset, count, size, true)?)
            }
            None => {
                // Zeros take no bytes: there may be as many as the files have bytes, no more.
                if count > self.buffers.bytes_read() {
                    let message = format!(
                        "accessor {index} claims {count} elements without data: the file is damaged; export it again"
                    );
                    return Err(value.error(ErrorKind::Truncated, message));
                }
                None
            }
        };
        let normalized = value.get("normalized").is_some_and(|flag| flag.raw() == "true");
        let mut accessor = Accessor {
            value,
            index,
            count: count as usize,
            component,
            normalized,
            width,
            data,
            replaced: Vec::new(),
            values: None,
        };
        if let Some(sparse) = value.get("sparse") {
            self.read_sparse(sparse, size, &mut accessor)?;
        }
        Ok(accessor)
    }

    /// Elements in a buffer view, all of them within it.
    fn strided(
        &self,
        owner: Value<'_>,
        view: Value<'_>,
        offset: u64,
        count: u64,
        size: u64,
        may_stride: bool,
    ) -> Result<Strided<'_>, Error> {
        let (index, view) = item(&self.views, view, "buffer view")?;
        let bytes = self.buffers.view(view)?;
        let stated = if may_stride { whole(view, "byteStride", Some(size))? } else { size };
        // A stride of zero means that none was set, in files that write all members.
        let stride = if stated == 0 { size } else { stated };
        if stride < size {
            let message = format!(
                "elements of {size} bytes are {stride} bytes apart: the file is damaged; export it again"
            );
            return Err(view.error(ErrorKind::Malformed, message));
        }
        let end = match count {
            0 => 0,
            _ => (count - 1).saturating_mul(stride).saturating_add(size).saturating_add(offset),
        };
        if end > bytes.len() as u64 {
            let message = format!(
                "{count} elements of {size} bytes end at byte {end}, but buffer view {index} has {}: the file is damaged; \
                 export it again",
                bytes.len()
            );
            return Err(owner.error(ErrorKind::Truncated, message));
        }
        Ok(Strided { bytes: &bytes[(offset as usize).min(bytes.len())..], stride: stride as usize })
    }

    fn read_sparse<'d>(
        &'d self,
        sparse: Value<'_>,
        size: u64,
        accessor: &mut Accessor<'d>,
    ) -> Result<(), Error> {
        let count = whole(sparse, "count", None)?;
        let member = |name: &str| {
            let found = sparse.get(name);
            let view = found.and_then(|value| value.get("bufferView"));
            found.zip(view).ok_or_else(|| {
                let message = format!(
                    "the sparse accessor has no `{name}` with a buffer view: the file is damaged; export it again"
                );
                sparse.error(ErrorKind::Malformed, message)
            })
        };
        let (indices, view) = member("indices")?;
        let kind = Component::of(indices)?;
        let offset = whole(indices, "byteOffset", Some(0))?;
        let places = self.strided(indices, view, offset, count, kind.size(), false)?;
        let (values, view) = member("values")?;
        let offset = whole(values, "byteOffset", Some(0))?;
        accessor.values = Some(self.strided(values, view, offset, count, size, false)?);
        for i in 0..count as usize {
            let place = kind.read(places.element(i), false).unwrap_or(-1.0);
            let ascending = accessor.replaced.last().is_none_or(|&last| place > f64::from(last));
            if !(place >= 0.0 && place < accessor.count as f64 && place.fract() == 0.0 && ascending)
            {
                let message = format!(
                    "the sparse accessor replaces element {place} of {}, where elements must ascend: the file is damaged; \
                     export it again",
                    accessor.count
                );
                return Err(indices.error(ErrorKind::Index, message));
            }
            accessor.replaced.push(place as u32);
        }
        Ok(())
    }
}

impl<'d> Accessor<'d> {
    /// Refuses types that the specification does not allow here, and which it would be a guess to read.
    pub(super) fn check_index(&self) -> Result<(), Error> {
        let unsigned = matches!(self.component, Component::U8 | Component::U16 | Component::U32);
        if unsigned && !self.normalized {
            return Ok(());
        }
        let message = format!(
            "accessor {} is not of unsigned whole numbers, which indices are: the file is damaged; export it again",
            self.index
        );
        Err(self.error(ErrorKind::Malformed, message))
    }

    pub(super) fn error(&self, kind: ErrorKind, message: impl Into<String>) -> Error {
        self.value.error(kind, message)
    }

    /// The numbers of an element; zero outside.
    #[inline]
    pub(super) fn element<const N: usize>(&self, index: usize) -> [f64; N] {
        debug_assert_eq!(N, self.width);
        let replaced = match self.replaced.is_empty() {
            true => None,
            false => self.replaced.binary_search(&(index as u32)).ok(),
        };
        let bytes = match (replaced, &self.values, &self.data) {
            (Some(place), Some(values), _) => values.element(place),
            (_, _, Some(data)) => data.element(index),
            _ => &[],
        };
        let size = self.component.size() as usize;
        let mut numbers = [0.0; N];
        for (i, number) in numbers.iter_mut().enumerate() {
            let at = bytes.get(i * size..).unwrap_or_default();
            *number = self.component.read(at, self.normalized).unwrap_or(0.0);
        }
        numbers
    }

    /// The whole number of an element: indices have been checked to be such.
    #[inline]
    pub(super) fn whole(&self, index: usize) -> u32 {
        if let (true, Some(data)) = (self.replaced.is_empty(), &self.data) {
            let bytes = data.element(index);
            let direct = match self.component {
                Component::U8 => bytes.first().map(|&byte| u32::from(byte)),
                Component::U16 => {
                    bytes.first_chunk().map(|two| u32::from(u16::from_le_bytes(*two)))
                }
                Component::U32 => bytes.first_chunk().map(|four| u32::from_le_bytes(*four)),
                _ => None,
            };
            return direct.unwrap_or(0);
        }
        let [value] = self.element::<1>(index);
        value as u32
    }
}
