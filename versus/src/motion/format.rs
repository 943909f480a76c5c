//! The input files of `motion`, one per case: hulls, if the case has any, and queries of so many numbers each. The layout is
//! described in `MOTION.md`.

use std::fs;
use std::io;
use std::path::Path;

use crate::bytes::{Cursor, put_numbers, put_surface, put_words};

/// First eight bytes of every input file.
pub const MAGIC: [u8; 8] = *b"MOTION01";

/// Corners and triangles, counter-clockwise from outside.
pub type Hull = (Vec<[f64; 3]>, Vec<[u32; 3]>);

/// A whole input file.
#[derive(Clone, Debug, PartialEq)]
pub struct Input {
    /// The case that it belongs to.
    pub case: String,
    pub hulls: Vec<Hull>,
    /// The hulls A and B; zeros if the case has none.
    pub pairs: Vec<[u32; 2]>,
    /// As many for each query.
    pub numbers: Vec<Vec<f64>>,
}

impl Input {
    /// Writes the file at once.
    pub fn write(&self, path: &Path) -> io::Result<()> {
        let mut out = MAGIC.to_vec();
        let width = self.numbers.first().map_or(0, Vec::len);
        let counts = [self.case.len(), self.hulls.len(), self.pairs.len(), width];
        put_words(&mut out, &counts.map(|count| count as u32));
        out.extend(self.case.bytes());
        for (vertices, triangles) in &self.hulls {
            put_surface(&mut out, vertices, triangles);
        }
        for (pair, numbers) in self.pairs.iter().zip(&self.numbers) {
            put_words(&mut out, pair);
            put_numbers(&mut out, numbers);
        }
        fs::write(path, out)
    }

    /// Reads a file and checks that every index in it is in range.
    pub fn read(path: &Path) -> io::Result<Input> {
        let bytes = fs::read(path)?;
        parse(&bytes)
            .ok_or_else(|| io::Error::other(format!("{} is no valid motion file", path.display())))
    }
}

/// The input files named on the command line, after the name of the system.
pub fn read_inputs() -> io::Result<Vec<Input>> {
    std::env::args().skip(2).map(|path| Input::read(Path::new(&path))).collect()
}

fn parse(bytes: &[u8]) -> Option<Input> {
    let mut cursor = Cursor::new(bytes);
    if cursor.take::<8>()? != MAGIC {
        return None;
    }
    let [length, hull_count, count, width] =
        [cursor.word()?, cursor.word()?, cursor.word()?, cursor.word()?];
    let case = cursor.text(length as usize)?;
    let hulls = (0..hull_count).map(|_| cursor.surface()).collect::<Option<Vec<_>>>()?;
    let (mut pairs, mut numbers) = (Vec::new(), Vec::new());
    for _ in 0..count {
        let pair = [cursor.word()?, cursor.word()?];
        if pair.iter().any(|index| *index >= hull_count.max(1)) {
            return None;
        }
        pairs.push(pair);
        numbers.push((0..width).map(|_| cursor.number()).collect::<Option<Vec<_>>>()?);
    }
    cursor.is_empty().then_some(Input { case, hulls, pairs, numbers })
}
