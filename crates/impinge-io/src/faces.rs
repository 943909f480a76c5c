//! Faces on their way in: polygons become triangles, and every index is checked once all vertices are known.

use crate::number;
use crate::polygon::{Split, Splitter};

/// Triangles so far, and the largest index among them with its place: if that one is in range, all are.
#[derive(Default)]
pub(crate) struct Faces {
    pub(crate) triangles: Vec<[u32; 3]>,
    largest: u32,
    largest_at: usize,
    /// Polygons of four or more corners, in ascending order.
    polygons: Vec<Polygons>,
}

/// Polygons one behind the other that have equally many corners; their triangles are fans until all vertices are known.
#[derive(Clone, Copy)]
struct Polygons {
    first_triangle: u32,
    corners: u32,
    count: u32,
}

impl Polygons {
    fn end(&self) -> u64 {
        u64::from(self.first_triangle) + u64::from(self.count) * u64::from(self.corners - 2)
    }
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
                if fan.corners >= 3 {
                    self.note_polygon(fan.corners == 3);
                }
            }
        }
        fan.previous = index;
        fan.corners += 1;
        true
    }

    /// The polygon that ends with the last triangle has another corner, beyond the third.
    fn note_polygon(&mut self, is_new: bool) {
        if !is_new {
            if let Some(polygon) = self.polygons.last_mut() {
                polygon.corners += 1;
            }
            return;
        }
        if let [.., before, last] = self.polygons.as_mut_slice()
            && before.corners == last.corners
            && before.end() == u64::from(last.first_triangle)
        {
            before.count += last.count;
            self.polygons.pop();
        }
        let first_triangle = (self.triangles.len() - 2) as u32;
        self.polygons.push(Polygons { first_triangle, corners: 4, count: 1 });
    }

    /// Splits polygons for which a fan is wrong in the right way. All indices are checked. Returned is for how many there is no right way,
    /// because they cross themselves; they stay fans.
    pub(crate) fn split_polygons(&mut self, vertices: &[[f64; 3]]) -> usize {
        let mut splitter = Splitter::default();
        let mut crossed = 0;
        for run in std::mem::take(&mut self.polygons) {
            let start = run.first_triangle as usize;
            let triangles = &mut self.triangles[start..run.end() as usize];
            for fan in triangles.chunks_exact_mut(run.corners as usize - 2) {
                let count = fan.len() + 2;
                let corner = |place: usize| match (place, &*fan) {
                    (0 | 1, [first, ..]) => first[place],
                    (_, fan) => fan[place - 2][2],
                };
                let position = |place: usize| vertices.get(corner(place) as usize).copied();
                match splitter.split((0..count).map_while(position)) {
                    Split::Fan => {}
                    Split::None => crossed += 1,
                    Split::Ears => {
                        let ring: Vec<u32> = (0..count).map(corner).collect();
                        for (slot, triangle) in fan.iter_mut().zip(&splitter.triangles) {
                            *slot = triangle.map(|corner| ring[corner as usize]);
                        }
                    }
                }
            }
        }
        crossed
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
            "a face refers to vertex {}, but the file has {vertices}{}: an index is wrong or vertices are missing; \
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

/// The warning on polygons that [`Faces::split_polygons`] has no right way for.
pub(crate) const CROSSED: &str = "a face crosses itself, or has too many corners to tell, and was split into triangles from its first corner, \
    which may be wrong: let the exporter triangulate";

/// The message on too many triangles.
pub(crate) fn too_many_triangles() -> String {
    number::too_many("triangles")
}
