//! The input files of the mesh workloads: meshes, and cases with their poses or rays. The layout is in `README.md`.

use std::fs;
use std::io;
use std::path::Path;

use super::model::Mesh;
use crate::bytes::{Cursor, put_numbers, put_surface, put_words};
use crate::serve::Clock;

/// First eight bytes of every input file.
pub const MAGIC: [u8; 8] = *b"SCENE001";

/// What is asked in a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    /// 1 if the surfaces have a common point, else 0.
    Meet,
    /// All pairs of triangles that meet: two numbers per pose, how many, and their [`Fingerprint`].
    Pairs,
    /// Distance of the surfaces.
    Distance,
    /// Parameter of the first hit, in units of the direction as given; infinite if nothing is hit.
    Ray,
    /// Build what mesh against mesh needs; the answer is the memory of the tree beyond vertices and indices in bytes, or NaN.
    CollisionTree,
    /// Build what rays need; the answer as above.
    RayTree,
}

/// The pose of B in A.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Placement {
    /// Unit quaternion w, x, y, z.
    pub rotation: [f64; 4],
    pub translation: [f64; 3],
}

/// Points origin + t · direction with t ≥ 0. All numbers are `f32` values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RayData {
    pub origin: [f64; 3],
    pub direction: [f64; 3],
}

/// One line of the table.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    pub name: String,
    pub question: Question,
    /// Index of the mesh A.
    pub a: u32,
    /// Index of the mesh B; for rays and trees the same as A.
    pub b: u32,
    /// How many threads may be used.
    pub threads: u32,
    /// For questions about two meshes.
    pub poses: Vec<Placement>,
    /// For rays.
    pub rays: Vec<RayData>,
}

/// A whole input file.
#[derive(Clone, Debug, PartialEq)]
pub struct Scene {
    pub meshes: Vec<Mesh>,
    pub cases: Vec<Case>,
}

impl Question {
    const ALL: [Question; 6] = [
        Question::Meet,
        Question::Pairs,
        Question::Distance,
        Question::Ray,
        Question::CollisionTree,
        Question::RayTree,
    ];

    /// Numbers per answer.
    pub fn width(self) -> usize {
        if self == Question::Pairs { 2 } else { 1 }
    }
}

impl Case {
    /// Number of queries; a tree is one.
    pub fn queries(&self) -> usize {
        match self.question {
            Question::Ray => self.rays.len(),
            Question::CollisionTree | Question::RayTree => 1,
            _ => self.poses.len(),
        }
    }

    /// Length of an adapter's answers.
    pub fn width(&self) -> usize {
        self.question.width() * self.queries()
    }

    /// What the case is measured by.
    pub fn clock(&self) -> Clock {
        match self.question {
            _ if self.threads > 1 => Clock::Wall,
            Question::CollisionTree | Question::RayTree => Clock::Process,
            _ => Clock::Thread,
        }
    }
}

impl Scene {
    /// Writes the file at once.
    pub fn write(&self, path: &Path) -> io::Result<()> {
        let mut out = MAGIC.to_vec();
        put_words(&mut out, &[self.meshes.len() as u32, self.cases.len() as u32]);
        for mesh in &self.meshes {
            put_surface(&mut out, &mesh.vertices, &mesh.triangles);
        }
        for case in &self.cases {
            let (queries, name) = (case.queries() as u32, case.name.as_bytes());
            let numbers = [case.a, case.b, case.threads, queries, name.len() as u32];
            put_words(&mut out, &[case.question as u32]);
            put_words(&mut out, &numbers);
            out.extend(name);
            for pose in &case.poses {
                put_numbers(&mut out, &pose.rotation);
                put_numbers(&mut out, &pose.translation);
            }
            for ray in &case.rays {
                put_numbers(&mut out, &ray.origin);
                put_numbers(&mut out, &ray.direction);
            }
        }
        fs::write(path, out)
    }

    /// Reads a file and checks that every index in it is in range.
    pub fn read(path: &Path) -> io::Result<Scene> {
        let bytes = fs::read(path)?;
        parse(&bytes)
            .ok_or_else(|| io::Error::other(format!("{} is no valid scene", path.display())))
    }

    /// The file named on an adapter's command line, after the system's name.
    pub fn from_arguments() -> io::Result<Scene> {
        match std::env::args().skip(1).collect::<Vec<_>>().as_slice() {
            [_system, path] => Scene::read(Path::new(path)),
            _ => Err(io::Error::other("expected a name and a scene file")),
        }
    }
}

fn parse_case(cursor: &mut Cursor, mesh_count: u32) -> Option<Case> {
    let question = *Question::ALL.get(cursor.word()? as usize)?;
    let (a, b, threads) = (cursor.word()?, cursor.word()?, cursor.word()?);
    let (queries, length) = (cursor.word()?, cursor.word()?);
    let name = cursor.text(length as usize)?;
    let (mut poses, mut rays) = (Vec::new(), Vec::new());
    for _ in 0..queries {
        match question {
            Question::CollisionTree | Question::RayTree => {}
            Question::Ray => {
                rays.push(RayData { origin: cursor.numbers()?, direction: cursor.numbers()? });
            }
            _ => poses
                .push(Placement { rotation: cursor.numbers()?, translation: cursor.numbers()? }),
        }
    }
    let in_range = a < mesh_count && b < mesh_count;
    in_range.then_some(Case { name, question, a, b, threads, poses, rays })
}

fn parse(bytes: &[u8]) -> Option<Scene> {
    let mut cursor = Cursor::new(bytes);
    if cursor.take::<8>()? != MAGIC {
        return None;
    }
    let (mesh_count, case_count) = (cursor.word()?, cursor.word()?);
    let mut meshes = Vec::new();
    for _ in 0..mesh_count {
        let (vertices, triangles) = cursor.surface()?;
        meshes.push(Mesh { vertices, triangles });
    }
    let cases = (0..case_count).map(|_| parse_case(&mut cursor, mesh_count)).collect::<Option<_>>();
    cases.filter(|_| cursor.is_empty()).map(|cases| Scene { meshes, cases })
}

/// Tells sets of triangle pairs apart, whatever their order: the sum of the mixed pairs, to 52 bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Fingerprint(u64);

impl Fingerprint {
    /// Adds the pair of triangle `a` of A and triangle `b` of B.
    #[inline]
    pub fn add(&mut self, a: u32, b: u32) {
        let mixed = (u64::from(a) << 32 | u64::from(b)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = self.0.wrapping_add((mixed ^ (mixed >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9));
    }

    /// As it stands in the answers.
    pub fn value(self) -> f64 {
        (self.0 >> 12) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::model;

    fn scene() -> Scene {
        let case = |name: &str, question| Case {
            name: name.into(),
            question,
            a: 0,
            b: 0,
            threads: 1,
            poses: Vec::new(),
            rays: Vec::new(),
        };
        let mut pairs = case("ball pairs", Question::Pairs);
        pairs
            .poses
            .push(Placement { rotation: [1.0, 0.0, 0.0, 0.0], translation: [0.5, 0.0, 0.25] });
        let mut rays = case("ball", Question::Ray);
        rays.rays.push(RayData { origin: [3.0, 0.0, 0.0], direction: [-1.0, 0.0, 0.0] });
        let cases = vec![pairs, rays, case("ball tree", Question::CollisionTree)];
        Scene { meshes: vec![model::icosphere(1.0, 1)], cases }
    }

    #[test]
    fn files_round_trip_and_damage_is_noticed() {
        let path = std::env::temp_dir().join(format!("versus-{}.scene", std::process::id()));
        scene().write(&path).unwrap();
        assert_eq!(Scene::read(&path).unwrap(), scene());
        let good = fs::read(&path).unwrap();
        fs::remove_file(path).unwrap();
        assert!(parse(&good[..good.len() - 1]).is_none(), "cut short");
        assert!(parse(&[&good[..], &[0]].concat()).is_none(), "one byte too many");
        // The first mesh follows the header; its last index is that of the last triangle.
        let mut bad_index = good.clone();
        bad_index[16 + 8 + 24 * 42 + 12 * 80 - 1] = 0xff;
        assert!(parse(&bad_index).is_none());
    }

    #[test]
    fn fingerprints_know_sets_not_orders() {
        let of = |pairs: &[(u32, u32)]| {
            let mut fingerprint = Fingerprint::default();
            pairs.iter().for_each(|&(a, b)| fingerprint.add(a, b));
            fingerprint.value()
        };
        assert_eq!(of(&[(1, 2), (3, 4)]), of(&[(3, 4), (1, 2)]));
        assert_ne!(of(&[(1, 2), (3, 4)]), of(&[(1, 4), (3, 2)]));
        assert_ne!(of(&[(1, 2)]), of(&[(2, 1)]));
    }
}
