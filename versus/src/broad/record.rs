//! The input files of `broad`: boxes, and how they move. The layout is in `BROAD.md`.

use std::fs;
use std::io;
use std::path::Path;

use crate::bytes::{Cursor, put_singles, put_words};

/// First eight bytes of every input file.
pub const MAGIC: [u8; 8] = *b"BOXES001";

/// A box along the axes.
///
/// Centre and half sides are `f32` values too, and no sum or difference of them is rounded: systems that keep a centre and half
/// sides have the same box.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoxData {
    pub low: [f32; 3],
    pub high: [f32; 3],
}

/// The boxes that are elsewhere than in the frame before, by index.
pub type Moved<B> = Vec<(u32, B)>;

/// A whole input file.
#[derive(Clone, Debug, PartialEq)]
pub struct Recording<B = BoxData> {
    /// Number and mix, such as `100k floor`; the two cases are called `100k floor frame` and `100k floor scratch`.
    pub name: String,
    /// All boxes of the first frame.
    pub first: Vec<B>,
    /// What moves in each of the frames after it.
    pub frames: Vec<Moved<B>>,
}

impl BoxData {
    /// Whether the boxes have a common point.
    #[inline]
    pub fn meets(&self, other: &BoxData) -> bool {
        (0..3).all(|axis| self.low[axis] <= other.high[axis] && other.low[axis] <= self.high[axis])
    }
}

impl Recording {
    /// Writes the file at once.
    pub fn write(&self, path: &Path) -> io::Result<()> {
        let mut out = MAGIC.to_vec();
        let name = self.name.as_bytes();
        put_words(
            &mut out,
            &[self.first.len() as u32, self.frames.len() as u32, name.len() as u32],
        );
        out.extend(name);
        for entry in &self.first {
            put_singles(&mut out, &entry.low);
            put_singles(&mut out, &entry.high);
        }
        for frame in &self.frames {
            put_words(&mut out, &[frame.len() as u32]);
            for (index, entry) in frame {
                put_words(&mut out, &[*index]);
                put_singles(&mut out, &entry.low);
                put_singles(&mut out, &entry.high);
            }
        }
        fs::write(path, out)
    }

    /// Reads a file and checks that every index in it is in range.
    pub fn read(path: &Path) -> io::Result<Recording> {
        let bytes = fs::read(path)?;
        parse(&bytes)
            .ok_or_else(|| io::Error::other(format!("{} is no valid recording", path.display())))
    }

    /// The system's name and the file named on an adapter's command line.
    pub fn from_arguments() -> io::Result<(String, Recording)> {
        match std::env::args().skip(1).collect::<Vec<_>>().as_slice() {
            [system, path] => Ok((system.clone(), Recording::read(Path::new(path))?)),
            _ => Err(io::Error::other("expected a name and a recording")),
        }
    }

    /// The recording in a system's own type of box.
    pub fn map<B>(&self, convert: impl Fn(&BoxData) -> B) -> Recording<B> {
        let moved = |frame: &Moved<BoxData>| {
            frame.iter().map(|(index, entry)| (*index, convert(entry))).collect()
        };
        Recording {
            name: self.name.clone(),
            first: self.first.iter().map(&convert).collect(),
            frames: self.frames.iter().map(moved).collect(),
        }
    }
}

fn parse(bytes: &[u8]) -> Option<Recording> {
    let mut cursor = Cursor::new(bytes);
    if cursor.take::<8>()? != MAGIC {
        return None;
    }
    let (count, frame_count, length) = (cursor.word()?, cursor.word()?, cursor.word()?);
    let name = cursor.text(length as usize)?;
    let read =
        |cursor: &mut Cursor| Some(BoxData { low: cursor.singles()?, high: cursor.singles()? });
    let first = (0..count).map(|_| read(&mut cursor)).collect::<Option<Vec<_>>>()?;
    let mut frames = Vec::new();
    for _ in 0..frame_count {
        let moved = cursor.word()?;
        let one = |_| {
            let index = cursor.word().filter(|index| *index < count)?;
            Some((index, read(&mut cursor)?))
        };
        frames.push((0..moved).map(one).collect::<Option<Vec<_>>>()?);
    }
    cursor.is_empty().then_some(Recording { name, first, frames })
}

/// Tells sets of pairs apart, whatever the order of the pairs and within them: their number, and the sum of the mixed pairs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PairSet {
    pub count: u64,
    pub hash: u64,
}

impl PairSet {
    /// Numbers per answer.
    pub const WIDTH: usize = 3;

    /// The set of these pairs, each of which is given once.
    pub fn of<'a>(pairs: impl IntoIterator<Item = &'a [u32; 2]>) -> PairSet {
        let mut set = PairSet::default();
        pairs.into_iter().for_each(|&[a, b]| set.add(a, b));
        set
    }

    /// Adds a pair, in either order.
    #[inline]
    pub fn add(&mut self, a: u32, b: u32) {
        let (a, b) = (a.min(b), a.max(b));
        let mixed = (u64::from(a) << 32 | u64::from(b)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.count += 1;
        self.hash =
            self.hash.wrapping_add((mixed ^ (mixed >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9));
    }

    /// As it stands in the answers: the number, the upper and the lower half of the sum.
    pub fn values(self) -> [f64; PairSet::WIDTH] {
        [self.count as f64, (self.hash >> 32) as f64, (self.hash & 0xffff_ffff) as f64]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unit(at: f32) -> BoxData {
        BoxData { low: [at; 3], high: [at + 1.0; 3] }
    }

    #[test]
    fn files_round_trip_and_damage_is_noticed() {
        let recording = Recording {
            name: "2 test".into(),
            first: vec![unit(0.0), unit(2.0)],
            frames: vec![vec![(1, unit(1.5))], vec![]],
        };
        let path = std::env::temp_dir().join(format!("versus-{}.boxes", std::process::id()));
        recording.write(&path).unwrap();
        assert_eq!(Recording::read(&path).unwrap(), recording);
        let good = fs::read(&path).unwrap();
        fs::remove_file(path).unwrap();
        assert!(parse(&good[..good.len() - 1]).is_none(), "cut short");
        assert!(parse(&[&good[..], &[0]].concat()).is_none(), "one byte too many");
        let mut bad_index = good.clone();
        bad_index[8 + 12 + 6 + 48 + 4] = 7;
        assert!(parse(&bad_index).is_none());
    }

    #[test]
    fn sets_know_no_order() {
        assert_eq!(PairSet::of(&[[1, 2], [3, 4]]), PairSet::of(&[[4, 3], [1, 2]]));
        assert_ne!(PairSet::of(&[[1, 2], [3, 4]]), PairSet::of(&[[1, 4], [3, 2]]));
        assert_ne!(PairSet::of(&[[1, 2]]), PairSet::of(&[[1, 2], [1, 2]]));
    }
}
