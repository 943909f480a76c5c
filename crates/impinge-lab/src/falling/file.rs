//! Recordings in files.
//!
//! Little-endian: the word `IMPFALL1`, the key of options and models, the ground, numbers, models, the model of each body, and for each frame its counts and seven f32 for each body; at the end
//! a checksum of all before it. Nothing that is read is trusted: no count sizes an allocation before its bytes are there.

use super::{Counts, Ground, Options, Place, Recording};
use crate::error::LabError;
use crate::file::{self, checksum};
use crate::model::Model;
use std::path::Path;

const MAGIC: &[u8; 8] = b"IMPFALL1";

impl Recording {
    /// Writes it to a file, with a key of what it was made of.
    pub fn save(&self, path: &Path, key: u64) -> Result<(), LabError> {
        let mut bytes = encode(self, key);
        bytes.extend(checksum(&bytes).to_le_bytes());
        file::put(path, bytes)
    }

    /// Reads a file; an error if it is damaged, or has another key.
    pub fn load(path: &Path, key: u64) -> Result<Self, LabError> {
        let bytes = std::fs::read(path).map_err(|error| LabError::file(path, error))?;
        decode(&bytes, key).map_err(|reason| LabError::file(path, reason))
    }
}

/// Raised when bodies fall otherwise than before, so that older recordings are not replayed.
const REVISION: u32 = 2;

/// What a recording depends on, as a number.
pub(super) fn key(models: &[Model], options: &Options) -> u64 {
    let mut bytes = format!("{} {REVISION} {options:?}", env!("CARGO_PKG_VERSION")).into_bytes();
    models.iter().for_each(|model| put_model(&mut bytes, model));
    checksum(&bytes)
}

/// All but the checksum.
pub(super) fn encode(recording: &Recording, key: u64) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    bytes.extend(key.to_le_bytes());
    let ground: u32 = match recording.ground {
        Ground::Torus => 0,
        Ground::Plane => 1,
    };
    let [models, bodies, frames] =
        [recording.models.len(), recording.bodies(), recording.frames()].map(|n| n as u32);
    for number in [ground, recording.frames_per_second, models, bodies, frames] {
        bytes.extend(number.to_le_bytes());
    }
    recording.models.iter().for_each(|model| put_model(&mut bytes, model));
    recording.model_of.iter().for_each(|model| bytes.extend(model.to_le_bytes()));
    for counts in &recording.counts {
        bytes.extend(counts.pairs.to_le_bytes());
        bytes.extend(counts.with_ground.to_le_bytes());
    }
    for place in &recording.places {
        for number in place.rotation.into_iter().chain(place.translation) {
            bytes.extend(number.to_le_bytes());
        }
    }
    bytes
}

fn put_model(bytes: &mut Vec<u8>, model: &Model) {
    for count in [model.name.len(), model.vertices.len(), model.triangles.len()] {
        bytes.extend((count as u32).to_le_bytes());
    }
    bytes.extend(model.name.as_bytes());
    model.vertices.as_flattened().iter().for_each(|x| bytes.extend(x.to_le_bytes()));
    model.triangles.as_flattened().iter().for_each(|i| bytes.extend(i.to_le_bytes()));
}

/// What is left of the bytes.
struct Reader<'b> {
    bytes: &'b [u8],
}

impl<'b> Reader<'b> {
    /// The bytes of `count` items, each of `size` bytes.
    fn take(&mut self, count: u32, size: usize) -> Result<&'b [u8], &'static str> {
        let length = (count as usize).checked_mul(size).ok_or("a count is too large")?;
        let (taken, rest) = self.bytes.split_at_checked(length).ok_or("the file is cut short")?;
        self.bytes = rest;
        Ok(taken)
    }

    fn numbers<const N: usize>(&mut self, count: u32) -> Result<&'b [[u8; N]], &'static str> {
        Ok(self.take(count, N)?.as_chunks::<N>().0)
    }

    fn word(&mut self) -> Result<u32, &'static str> {
        let first = self.numbers::<4>(1)?.first();
        first.map(|bytes| u32::from_le_bytes(*bytes)).ok_or("the file is cut short")
    }

    fn model(&mut self) -> Result<Model, &'static str> {
        let (letters, corners, faces) = (self.word()?, self.word()?, self.word()?);
        let name = String::from_utf8(self.take(letters, 1)?.to_vec());
        let name = name.map_err(|_| "the name of a model is no text")?;
        let number = |bytes: &[u8; 8]| f64::from_le_bytes(*bytes);
        let vertices: Vec<[f64; 3]> = self
            .take(corners, 24)?
            .as_chunks::<24>()
            .0
            .iter()
            .map(|corner| {
                let numbers = corner.as_chunks::<8>().0;
                std::array::from_fn(|k| numbers.get(k).map_or(f64::NAN, number))
            })
            .collect();
        if vertices.as_flattened().iter().any(|x| x.is_nan() || x.abs() > 2.0) {
            return Err("a corner of a model is too far from its middle");
        }
        let triangles: Vec<[u32; 3]> = self
            .take(faces, 12)?
            .as_chunks::<12>()
            .0
            .iter()
            .map(|face| {
                let numbers = face.as_chunks::<4>().0;
                std::array::from_fn(|k| numbers.get(k).map_or(u32::MAX, |b| u32::from_le_bytes(*b)))
            })
            .collect();
        if triangles.as_flattened().iter().any(|index| *index >= corners) {
            return Err("a triangle names a corner that is not there");
        }
        Ok(Model { name, vertices, triangles })
    }

    fn place(bytes: &[u8; 28]) -> Result<Place, &'static str> {
        let numbers = bytes.as_chunks::<4>().0;
        let number = |k: usize| numbers.get(k).map_or(f32::NAN, |bytes| f32::from_le_bytes(*bytes));
        let place = Place {
            rotation: std::array::from_fn(number),
            translation: std::array::from_fn(|k| number(4 + k)),
        };
        place.pose().map(|_| place).map_err(|_| "a body is at no place")
    }
}

fn decode(bytes: &[u8], key: u64) -> Result<Recording, &'static str> {
    let (bytes, sum) = bytes.split_last_chunk::<8>().ok_or("the file is cut short")?;
    if checksum(bytes) != u64::from_le_bytes(*sum) {
        return Err("the checksum is wrong");
    }
    let mut reader = Reader { bytes };
    if reader.take(1, 8)? != MAGIC {
        return Err("this is no recording of falling bodies");
    }
    if reader.numbers::<8>(1)?.first().map(|bytes| u64::from_le_bytes(*bytes)) != Some(key) {
        return Err("it was made with other models or options");
    }
    let ground = match reader.word()? {
        0 => Ground::Torus,
        1 => Ground::Plane,
        _ => return Err("there is no such ground"),
    };
    let (frames_per_second, model_count) = (reader.word()?, reader.word()?);
    let (body_count, frame_count) = (reader.word()?, reader.word()?);
    let mut models = Vec::new();
    for _ in 0..model_count {
        models.push(reader.model()?);
    }
    let word = |bytes: &[u8; 4]| u32::from_le_bytes(*bytes);
    let model_of: Vec<u32> = reader.numbers::<4>(body_count)?.iter().map(word).collect();
    if model_of.iter().any(|model| *model >= model_count) {
        return Err("a body has a model that is not there");
    }
    let pairs = reader.numbers::<4>(frame_count.checked_mul(2).ok_or("a count is too large")?)?;
    let counts = pairs
        .as_chunks::<2>()
        .0
        .iter()
        .map(|[pairs, with_ground]| Counts { pairs: word(pairs), with_ground: word(with_ground) })
        .collect();
    let count = frame_count.checked_mul(body_count).ok_or("a count is too large")?;
    let places =
        reader.numbers::<28>(count)?.iter().map(Reader::place).collect::<Result<_, _>>()?;
    if !reader.bytes.is_empty() {
        return Err("there is more than there should be");
    }
    Ok(Recording { ground, models, model_of, frames_per_second, places, counts })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::falling::recording;
    use crate::model::ModelShape;
    use crate::session::{Session, Size};

    #[test]
    fn recordings_are_kept_and_damage_is_seen() {
        let folder =
            std::env::temp_dir().join(format!("impinge-lab-falling-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        let models = [Model::generate(ModelShape::Bumpy, 80)];
        let mut session = Session::new(Size::Quick, 3);
        session.cache = Some(folder.clone());
        let options = Options { bodies: 4, seconds: 1, ..Options::new(Ground::Plane, &session) };
        let made = recording(&models, &options, &session).unwrap();
        let files: Vec<_> = std::fs::read_dir(&folder).unwrap().flatten().collect();
        assert_eq!(files.len(), 1);
        let (path, key) = (files[0].path(), key(&models, &options));
        assert_eq!(Recording::load(&path, key).unwrap(), made);
        // A second time it is read: a mark in the file comes back.
        let mut marked = made.clone();
        marked.counts[0].pairs = 77;
        marked.save(&path, key).unwrap();
        assert_eq!(recording(&models, &options, &session).unwrap().counts(0).pairs, 77);
        let bytes = std::fs::read(&path).unwrap();
        assert!(decode(&bytes, key).is_ok());
        assert!(decode(&bytes, key + 1).is_err());
        for length in (0..bytes.len()).step_by(101) {
            assert!(decode(&bytes[..length], key).is_err(), "cut to {length}");
        }
        for at in (0..bytes.len()).step_by(37) {
            let mut damaged = bytes.clone();
            damaged[at] ^= 0x40;
            assert!(decode(&damaged, key).is_err(), "byte {at}");
        }
        // Also where the checksum was made to fit, nothing fails but the reading.
        let body = bytes.len() - 8;
        for at in (8..body).step_by(13) {
            let mut damaged = bytes[..body].to_vec();
            damaged[at] ^= 0x80;
            damaged.extend(checksum(&damaged).to_le_bytes());
            let _ = decode(&damaged, key);
        }
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
