//! The input files: shapes, and pairs of them with the pose of B in A. The layout is described in `README.md`.

use std::fs;
use std::io;
use std::path::Path;

use crate::bytes::{Cursor, put_numbers, put_surface, put_words};

/// First eight bytes of every input file.
pub const MAGIC: [u8; 8] = *b"PAIRS001";

/// Which shapes a file holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Hull,
    Box,
    Capsule,
}

/// A shape in its own frame.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// Convex polytope: all vertices are extreme; triangles are counter-clockwise seen from outside.
    Hull { vertices: Vec<[f64; 3]>, triangles: Vec<[u32; 3]> },
    /// Box around the origin.
    Box { half: [f64; 3] },
    /// Capsule along z around the origin; `half_height` is that of the core segment.
    Capsule { radius: f64, half_height: f64 },
}

/// Two shapes of a file and the pose of the second in the frame of the first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pair {
    pub a: u32,
    pub b: u32,
    /// Unit quaternion w, x, y, z.
    pub rotation: [f64; 4],
    pub translation: [f64; 3],
}

/// A whole input file.
#[derive(Clone, Debug, PartialEq)]
pub struct Input {
    pub kind: Kind,
    pub shapes: Vec<Shape>,
    pub pairs: Vec<Pair>,
}

impl Kind {
    /// All kinds, in the order in which adapters take the files.
    pub const ALL: [Kind; 3] = [Kind::Hull, Kind::Box, Kind::Capsule];

    /// Name used in file names.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Hull => "hull",
            Kind::Box => "box",
            Kind::Capsule => "capsule",
        }
    }
}

impl Pair {
    /// Rows of the rotation matrix.
    pub fn matrix(&self) -> [[f64; 3]; 3] {
        let [w, x, y, z] = self.rotation;
        [
            [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)],
            [2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x)],
            [2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)],
        ]
    }

    /// A point of B's frame in A's frame.
    pub fn map(&self, point: [f64; 3]) -> [f64; 3] {
        let rows = self.matrix();
        let turned = rows.map(|row| row[0] * point[0] + row[1] * point[1] + row[2] * point[2]);
        [0, 1, 2].map(|axis| turned[axis] + self.translation[axis])
    }
}

impl Input {
    /// Writes the file at once.
    pub fn write(&self, path: &Path) -> io::Result<()> {
        let mut out = MAGIC.to_vec();
        let counts = [self.shapes.len() as u32, self.pairs.len() as u32];
        put_words(&mut out, &[self.kind as u32, counts[0], counts[1], 0]);
        for shape in &self.shapes {
            match shape {
                Shape::Hull { vertices, triangles } => put_surface(&mut out, vertices, triangles),
                Shape::Box { half } => put_numbers(&mut out, half),
                Shape::Capsule { radius, half_height } => {
                    put_numbers(&mut out, &[*radius, *half_height]);
                }
            }
        }
        for pair in &self.pairs {
            put_words(&mut out, &[pair.a, pair.b]);
            put_numbers(&mut out, &pair.rotation);
            put_numbers(&mut out, &pair.translation);
        }
        fs::write(path, out)
    }

    /// Reads a file and checks that every index in it is in range.
    pub fn read(path: &Path) -> io::Result<Input> {
        let bytes = fs::read(path)?;
        parse(&bytes)
            .ok_or_else(|| io::Error::other(format!("{} is no valid pair file", path.display())))
    }
}

/// The three input files named on the command line, in the order of [`Kind::ALL`].
pub fn read_inputs() -> io::Result<[Input; 3]> {
    let paths: Vec<String> = std::env::args().skip(1).collect();
    let [_system, hull, boxes, capsule] = paths.as_slice() else {
        return Err(io::Error::other("expected a name and the hull, box and capsule input files"));
    };
    let read = |path: &String, kind: Kind| match Input::read(Path::new(path)) {
        Ok(input) if input.kind != kind => Err(io::Error::other(format!("{path}: wrong kind"))),
        result => result,
    };
    Ok([read(hull, Kind::Hull)?, read(boxes, Kind::Box)?, read(capsule, Kind::Capsule)?])
}

fn shape(cursor: &mut Cursor, kind: Kind) -> Option<Shape> {
    match kind {
        Kind::Hull => {
            let (vertices, triangles) = cursor.surface()?;
            Some(Shape::Hull { vertices, triangles })
        }
        Kind::Box => Some(Shape::Box { half: cursor.numbers()? }),
        Kind::Capsule => {
            Some(Shape::Capsule { radius: cursor.number()?, half_height: cursor.number()? })
        }
    }
}

fn pair(cursor: &mut Cursor, shape_count: u32) -> Option<Pair> {
    let (a, b) = (cursor.word()?, cursor.word()?);
    let (rotation, translation) = (cursor.numbers()?, cursor.numbers()?);
    (a < shape_count && b < shape_count).then_some(Pair { a, b, rotation, translation })
}

fn parse(bytes: &[u8]) -> Option<Input> {
    let mut cursor = Cursor::new(bytes);
    if cursor.take::<8>()? != MAGIC {
        return None;
    }
    let kind = *Kind::ALL.get(cursor.word()? as usize)?;
    let (shape_count, pair_count, _reserved) = (cursor.word()?, cursor.word()?, cursor.word()?);
    let shapes = (0..shape_count).map(|_| shape(&mut cursor, kind)).collect::<Option<Vec<_>>>()?;
    let pairs =
        (0..pair_count).map(|_| pair(&mut cursor, shape_count)).collect::<Option<Vec<_>>>()?;
    cursor.is_empty().then_some(Input { kind, shapes, pairs })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::convex::generate;

    #[test]
    fn files_round_trip() {
        for kind in Kind::ALL {
            let input = generate::input(kind, 5, 40);
            let path = std::env::temp_dir().join(format!(
                "versus-{}-{}.pairs",
                kind.name(),
                std::process::id()
            ));
            input.write(&path).unwrap();
            assert_eq!(Input::read(&path).unwrap(), input);
            fs::remove_file(path).unwrap();
        }
    }

    #[test]
    fn damaged_files_are_refused() {
        let path =
            std::env::temp_dir().join(format!("versus-damaged-{}.pairs", std::process::id()));
        generate::input(Kind::Box, 5, 3).write(&path).unwrap();
        let good = fs::read(&path).unwrap();
        fs::remove_file(path).unwrap();
        assert!(parse(&good).is_some());
        assert!(parse(&good[..good.len() - 1]).is_none(), "cut short");
        assert!(parse(&[&good[..], &[0]].concat()).is_none(), "one byte too many");
        let mut other_magic = good.clone();
        other_magic[0] ^= 1;
        assert!(parse(&other_magic).is_none());
        // The first pair follows the header and the boxes; its first word is a shape index.
        let shape_count = u32::from_le_bytes(good[12..16].try_into().unwrap()) as usize;
        let mut bad_index = good.clone();
        bad_index[24 + 24 * shape_count + 3] = 0xff;
        assert!(parse(&bad_index).is_none());
    }

    #[test]
    fn a_quarter_turn_about_z_maps_x_to_y() {
        let half_root = 0.5_f64.sqrt();
        let pair = Pair {
            a: 0,
            b: 0,
            rotation: [half_root, 0.0, 0.0, half_root],
            translation: [0.0, 0.0, 2.0],
        };
        let image = pair.map([1.0, 0.0, 0.0]);
        for (value, expected) in image.iter().zip([0.0, 1.0, 2.0]) {
            assert!((value - expected).abs() < 1e-15, "{image:?}");
        }
    }
}
