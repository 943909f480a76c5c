//! The input files of `scene-rays`: boxes and balls in the world, and rays. The layout is in `BROAD.md`.

use std::fs;
use std::io;
use std::path::Path;

use crate::bytes::{Cursor, put_numbers, put_words};
use crate::mesh::scene::Placement;

/// First eight bytes of every input file.
pub const MAGIC: [u8; 8] = *b"RAYCAST1";

/// A box by its half sides, or a ball.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Body {
    Box([f64; 3]),
    Ball(f64),
}

/// A whole input file.
#[derive(Clone, Debug, PartialEq)]
pub struct Recording {
    /// That of the case.
    pub name: String,
    pub bodies: Vec<(Body, Placement)>,
    /// Origins and directions of unit length.
    pub rays: Vec<[[f64; 3]; 2]>,
}

impl Recording {
    /// Writes the file at once.
    pub fn write(&self, path: &Path) -> io::Result<()> {
        let mut out = MAGIC.to_vec();
        let name = self.name.as_bytes();
        let counts = [self.bodies.len(), self.rays.len(), name.len()];
        put_words(&mut out, &counts.map(|count| count as u32));
        out.extend(name);
        for (body, placement) in &self.bodies {
            // A ball has no sides but the first.
            put_numbers(
                &mut out,
                &match *body {
                    Body::Box(half) => half,
                    Body::Ball(radius) => [radius, 0.0, 0.0],
                },
            );
            put_numbers(&mut out, &placement.rotation);
            put_numbers(&mut out, &placement.translation);
        }
        put_numbers(&mut out, self.rays.as_flattened().as_flattened());
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
    let (body_count, ray_count, length) = (cursor.word()?, cursor.word()?, cursor.word()?);
    let name = cursor.text(length as usize)?;
    let body = |_| {
        let body = match cursor.numbers()? {
            [radius, 0.0, 0.0] => Body::Ball(radius),
            half => Body::Box(half),
        };
        let placement = Placement { rotation: cursor.numbers()?, translation: cursor.numbers()? };
        Some((body, placement))
    };
    let bodies = (0..body_count).map(body).collect::<Option<Vec<_>>>()?;
    let ray = |_| Some([cursor.numbers()?, cursor.numbers()?]);
    let rays = (0..ray_count).map(ray).collect::<Option<Vec<_>>>()?;
    cursor.is_empty().then_some(Recording { name, bodies, rays })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let recording = crate::scene_rays::scene(20, 10, 7);
        let path = std::env::temp_dir().join(format!("versus-rays-{}", std::process::id()));
        recording.write(&path).unwrap();
        let bytes = fs::read(&path).unwrap();
        let _ = fs::remove_file(&path);
        assert_eq!(parse(&bytes), Some(recording));
        assert_eq!(parse(&bytes[..bytes.len() - 1]), None);
    }
}
