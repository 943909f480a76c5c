//! The input files of `n-body`: a mesh, and where its copies are in each frame. The layout is in `BROAD.md`.

use std::fs;
use std::io;
use std::path::Path;

use crate::bytes::{Cursor, put_numbers, put_surface, put_words};
use crate::mesh::model::Mesh;
use crate::mesh::scene::Placement;

/// First eight bytes of every input file.
pub const MAGIC: [u8; 8] = *b"BODIES01";

/// A whole input file.
#[derive(Clone, Debug, PartialEq)]
pub struct Recording {
    /// The name of the model, which is that of the case.
    pub name: String,
    pub mesh: Mesh,
    /// The pose of every body in each frame, in the frame of the world.
    pub frames: Vec<Vec<Placement>>,
}

impl Recording {
    /// Number of bodies.
    pub fn bodies(&self) -> usize {
        self.frames.first().map_or(0, Vec::len)
    }

    /// Writes the file at once.
    pub fn write(&self, path: &Path) -> io::Result<()> {
        let mut out = MAGIC.to_vec();
        let name = self.name.as_bytes();
        let counts = [self.bodies(), self.frames.len(), name.len()];
        put_words(&mut out, &counts.map(|count| count as u32));
        out.extend(name);
        put_surface(&mut out, &self.mesh.vertices, &self.mesh.triangles);
        for placement in self.frames.iter().flatten() {
            put_numbers(&mut out, &placement.rotation);
            put_numbers(&mut out, &placement.translation);
        }
        fs::write(path, out)
    }

    /// The system's name and the file named on an adapter's command line.
    pub fn from_arguments() -> io::Result<(String, Recording)> {
        match std::env::args().skip(1).collect::<Vec<_>>().as_slice() {
            [system, path] => parse(&fs::read(path)?)
                .map(|recording| (system.clone(), recording))
                .ok_or_else(|| io::Error::other(format!("{path} is no valid recording"))),
            _ => Err(io::Error::other("expected a name and a recording")),
        }
    }
}

fn parse(bytes: &[u8]) -> Option<Recording> {
    let mut cursor = Cursor::new(bytes);
    if cursor.take::<8>()? != MAGIC {
        return None;
    }
    let (bodies, frame_count, length) = (cursor.word()?, cursor.word()?, cursor.word()?);
    let name = cursor.text(length as usize)?;
    let (vertices, triangles) = cursor.surface()?;
    let mut frames = Vec::new();
    for _ in 0..frame_count {
        let one =
            |_| Some(Placement { rotation: cursor.numbers()?, translation: cursor.numbers()? });
        frames.push((0..bodies).map(one).collect::<Option<Vec<_>>>()?);
    }
    let mesh = Mesh { vertices, triangles };
    cursor.is_empty().then_some(Recording { name, mesh, frames })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::model::icosphere;
    use crate::n_body::motion;

    #[test]
    fn files_round_trip_and_damage_is_noticed() {
        let recording = motion::record("ball".into(), icosphere(1.0, 1), 3, 2, 1);
        let path = std::env::temp_dir().join(format!("versus-{}.bodies", std::process::id()));
        recording.write(&path).unwrap();
        let good = fs::read(&path).unwrap();
        fs::remove_file(path).unwrap();
        assert_eq!(parse(&good).unwrap(), recording);
        assert!(parse(&good[..good.len() - 1]).is_none(), "cut short");
        assert!(parse(&[&good[..], &[0]].concat()).is_none(), "one byte too many");
    }
}
