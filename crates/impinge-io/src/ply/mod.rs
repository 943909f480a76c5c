//! PLY: a header that declares elements and their properties, then the data as text or binary of either byte order.
//!
//! After Turk, "The PLY Polygon File Format" (1994). Read are `x`, `y` and `z` of the element `vertex`, of any type; the list
//! `vertex_indices`, or `vertex_index`, of the element `face`; and the triangle strips of the element `tristrips`, which some scans
//! have instead, with -1 between strips. All other properties and elements are skipped.

pub(crate) mod encode;
mod header;
mod source;

use crate::error::{Error, ErrorKind};
use crate::faces::{Faces, Fan, too_few_corners, too_many_triangles};
use crate::mesh::MeshData;
use crate::text::quoted;
use header::{Data, Element, Header, Property, Scalar};
use source::{BigEndian, Binary, LittleEndian, Source, Words};

/// Reads any of the three kinds; also how many faces have no right triangles.
pub(crate) fn parse(bytes: &[u8]) -> Result<(MeshData, usize), Error> {
    let header = Header::read(bytes)?;
    match header.data {
        Data::Text => read(&header, Words::new(bytes, header.end)),
        Data::LittleEndian => read(&header, Binary::<LittleEndian>::new(bytes, header.end)),
        Data::BigEndian => read(&header, Binary::<BigEndian>::new(bytes, header.end)),
    }
}

fn read<S: Source>(header: &Header<'_>, mut source: S) -> Result<(MeshData, usize), Error> {
    let mut vertices = Vec::new();
    let mut faces = Faces::default();
    for element in &header.elements {
        match element.name {
            b"vertex" => vertices = read_vertices(element, &mut source)?,
            b"face" => read_faces(element, &mut source, &mut faces, read_polygon)?,
            b"tristrips" => read_faces(element, &mut source, &mut faces, read_strips)?,
            _ => skip_element(element, &mut source)?,
        }
    }
    source.finish()?;
    faces
        .check(vertices.len(), 0)
        .map_err(|(at, message)| source.error(at, ErrorKind::Index, message))?;
    let crossed = faces.split_polygons(&vertices);
    Ok((MeshData::new(vertices, faces.triangles), crossed))
}

/// What follows in the file, for the error of one that ends there.
fn expected(element: &Element<'_>, index: u64) -> String {
    format!("{} {index} of the {} that the header claims", quoted(element.name), element.count)
}

/// Steps over one property.
fn skip_property<S: Source>(property: &Property<'_>, source: &mut S) -> Result<Option<()>, Error> {
    match property.list {
        None => Ok(source.skip(property.scalar, 1)),
        Some(count) => {
            let Some((count, at)) = source.integer(count)? else { return Ok(None) };
            let count = u64::try_from(count).map_err(|_| {
                let message =
                    format!("a list has {count} entries: the file is damaged; export it again");
                source.error(at, ErrorKind::Malformed, message)
            })?;
            Ok(source.skip(property.scalar, count))
        }
    }
}

fn skip_element<S: Source>(element: &Element<'_>, source: &mut S) -> Result<(), Error> {
    // Without properties it takes no bytes, whatever its count.
    if element.properties.is_empty() {
        return Ok(());
    }
    for index in 0..element.count {
        for property in &element.properties {
            if skip_property(property, source)?.is_none() {
                return Err(source.ended(&expected(element, index)));
            }
        }
    }
    Ok(())
}

fn read_vertices<S: Source>(element: &Element<'_>, source: &mut S) -> Result<Vec<[f64; 3]>, Error> {
    let axes: Vec<Option<usize>> = element.properties.iter().map(Property::axis).collect();
    let possible = source.possible(element);
    let mut vertices = Vec::with_capacity((element.count as usize).min(possible));
    for index in 0..element.count {
        let mut position = [0.0; 3];
        for (property, axis) in element.properties.iter().zip(&axes) {
            let read = match axis {
                Some(axis) => {
                    source.coordinate(property.scalar)?.map(|value| position[*axis] = value)
                }
                None => skip_property(property, source)?,
            };
            if read.is_none() {
                return Err(source.ended(&expected(element, index)));
            }
        }
        vertices.push(position);
    }
    Ok(vertices)
}

/// Reads one list of corners.
type ReadList<S> = fn(Scalar, Scalar, &mut S, &mut Faces) -> Result<Option<()>, Error>;

/// Reads the lists of corners of an element.
fn read_faces<S: Source>(
    element: &Element<'_>,
    source: &mut S,
    faces: &mut Faces,
    read_list: ReadList<S>,
) -> Result<(), Error> {
    let corners = element.properties.iter().position(Property::holds_corners);
    faces.reserve(element.count, source.possible(element));
    for index in 0..element.count {
        for (place, property) in element.properties.iter().enumerate() {
            let read = match property.list {
                Some(count) if Some(place) == corners => {
                    read_list(count, property.scalar, source, faces)?
                }
                _ => skip_property(property, source)?,
            };
            if read.is_none() {
                return Err(source.ended(&expected(element, index)));
            }
        }
    }
    Ok(())
}

/// A polygon.
fn read_polygon<S: Source>(
    count: Scalar,
    scalar: Scalar,
    source: &mut S,
    faces: &mut Faces,
) -> Result<Option<()>, Error> {
    let Some((count, at)) = source.integer(count)? else { return Ok(None) };
    if count < 3 {
        let message = match u64::try_from(count) {
            Ok(count) => too_few_corners(count),
            Err(_) => {
                format!("{count} is not a number of corners: the file is damaged; export it again")
            }
        };
        return Err(source.error(at, ErrorKind::Malformed, message));
    }
    let mut fan = Fan::default();
    for _ in 0..count {
        let Some((index, at)) = source.integer(scalar)? else { return Ok(None) };
        let index = vertex_index(index, at, source)?;
        if !faces.add_corner(&mut fan, index, at) {
            return Err(source.error(at, ErrorKind::TooMany, too_many_triangles()));
        }
    }
    Ok(Some(()))
}

/// Strips: each corner makes a triangle with the two before it, turned over at every other one; -1 ends a strip.
fn read_strips<S: Source>(
    count: Scalar,
    scalar: Scalar,
    source: &mut S,
    faces: &mut Faces,
) -> Result<Option<()>, Error> {
    let Some((count, _)) = source.integer(count)? else { return Ok(None) };
    let mut strip = [0u32; 2];
    let mut length = 0u64;
    for _ in 0..count {
        let Some((index, at)) = source.integer(scalar)? else { return Ok(None) };
        if index == -1 {
            length = 0;
            continue;
        }
        let index = vertex_index(index, at, source)?;
        faces.note(index, at);
        let [a, b] = strip;
        let triangle = if length.is_multiple_of(2) { [a, b, index] } else { [b, a, index] };
        if length >= 2 && !faces.add_triangle(triangle) {
            return Err(source.error(at, ErrorKind::TooMany, too_many_triangles()));
        }
        strip = [b, index];
        length += 1;
    }
    Ok(Some(()))
}

fn vertex_index<S: Source>(index: i64, at: usize, source: &S) -> Result<u32, Error> {
    u32::try_from(index).map_err(|_| {
        let message =
            format!("{index} is not a vertex index: the file is damaged; export it again");
        source.error(at, ErrorKind::Index, message)
    })
}
