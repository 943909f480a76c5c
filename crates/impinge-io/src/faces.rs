//! Faces on their way in: polygons become triangles, and every index is checked once all vertices are known.

use crate::number;

/// Triangles so far, and the largest index among them with its place: if that one is in range, all are.
#[derive(Default)]
pub(crate) struct Faces {
    pub(crate) triangles: Vec<[u32; 3]>,
    largest: u32,
    largest_at: usize,
}

/// A polygon whose corners are coming in: a fan about the first.
#[derive(Default)]
pub(crate) struct Fan {
    corners: u64,
    first: u32,
    previous: u32,
}

impl Fan {
    /// How many corners came in.
    pub(crate) fn corners(&self) -> u64 {
        self.corners
    }
}

impl Faces {
    /// Makes room for `claimed` more triangles, but for no more than `possible`: a file's claim is not trusted.
    pub(crate) fn reserve(&mut self, claimed: u64, possible: usize) {
        let room = usize::try_from(claimed).unwrap_or(usize::MAX).min(possible);
        self.triangles.reserve(room);
    }

    /// Adds a corner, whose index is at the offset `at`, to a polygon. False if there are too many triangles.
    #[inline]
    pub(crate) fn add_corner(&mut self, fan: &mut Fan, index: u32, at: usize) -> bool {
        if index >= self.largest {
            self.note_largest(index, at);
        }
        match fan.corners {
            0 => fan.first = index,
            1 => {}
            _ => {
                if self.triangles.len() >= u32::MAX as usize {
                    return false;
                }
                self.triangles.push([fan.first, fan.previous, index]);
            }
        }
        fan.previous = index;
        fan.corners += 1;
        true
    }

    /// Adds a triangle whose corners came in by [`Faces::note`]. False if there are too many triangles.
    pub(crate) fn add_triangle(&mut self, triangle: [u32; 3]) -> bool {
        let room = self.triangles.len() < u32::MAX as usize;
        if room {
            self.triangles.push(triangle);
        }
        room
    }

    /// Remembers an index for the check in the end.
    pub(crate) fn note(&mut self, index: u32, at: usize) {
        if index >= self.largest {
            self.note_largest(index, at);
        }
    }

    #[inline]
    fn note_largest(&mut self, index: u32, at: usize) {
        if index > self.largest || self.largest_at == 0 {
            self.largest = index;
            self.largest_at = at;
        }
    }

    /// Checks all indices against the number of vertices. The error is the offset of the largest index, and a message that
    /// counts vertices from `base`.
    pub(crate) fn check(&self, vertices: usize, base: u64) -> Result<(), (usize, String)> {
        // An offset of zero means that no index came in: every format has a header or a keyword before the first.
        if self.largest_at == 0 || (self.largest as usize) < vertices {
            return Ok(());
        }
        let message = format!(
            "a face names vertex {}, but the file has {vertices}{}: an index is wrong or vertices are missing; \
             export it again",
            u64::from(self.largest) + base,
            if base == 0 { ", counted from 0" } else { "" },
        );
        Err((self.largest_at, message))
    }
}

/// The message on a face with fewer than three corners.
pub(crate) fn too_few_corners(count: u64) -> String {
    format!(
        "a face has {count} corner{}: it needs at least 3; remove it from the model and export it again",
        if count == 1 { "" } else { "s" }
    )
}

/// The message on too many triangles.
pub(crate) fn too_many_triangles() -> String {
    number::too_many("triangles")
}
