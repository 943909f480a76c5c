//! The bodies and placements on which prices are found: enough work of every kind, in different mixtures.

use super::{AnyMesh, Question, Volume};
use crate::mesh::{MeshBuilder, ScaledPose};
use impinge_geom::Pose;
use impinge_geom::glam::DVec3;
use impinge_geom::ray::Ray;
use impinge_tree::Builder;

/// Squares along a side of the ball, which has 12 times the square of it triangles.
const SIDE: u32 = 20;
/// Triangles of the soup.
const SOUP: usize = 800;
/// How far the centres of two bodies are apart, in radii: deep inside each other, barely so, barely apart, far apart.
const APART: [f64; 6] = [1.5, 1.85, 1.95, 2.02, 2.1, 3.0];
/// How many of these, from the first on, meet in most placements.
const MEETING: usize = 2;
/// How far rays pass by the centre.
const ASIDE: [f64; 6] = [0.0, 0.3, 0.6, 0.9, 1.05, 1.5];
/// Samples in each situation.
const SAMPLES: usize = 20;
/// Samples of questions that take long.
const FEW: usize = 4;
/// What [`Question::Within`] asks.
const TOLERANCE: f64 = 0.05;

/// Situations to ask about, and meshes to ask.
pub(super) struct Reference {
    /// Of each volume in [`Volume::ALL`], the meshes.
    pub(super) meshes: Vec<Vec<AnyMesh>>,
    situations: Vec<(Vec<ScaledPose>, Vec<Ray>)>,
}

impl Reference {
    pub(super) fn new() -> Self {
        let mut random = Random(1);
        let bodies = [ball(), soup(&mut random)];
        let groups: Vec<MeshBuilder> = bodies
            .iter()
            .filter_map(|(vertices, triangles)| {
                MeshBuilder::new(vertices, triangles, Builder::default()).ok()
            })
            .collect();
        let each = |volume| {
            let fitted = |width| move |group| AnyMesh::fitted(group, volume, width);
            // The ball also with narrow nodes, which are tested more often for the same leaves.
            let narrow = groups.iter().take(1).map(fitted(2));
            groups.iter().map(fitted(8)).chain(narrow).collect()
        };
        let meshes = Volume::ALL.map(each).into();
        let situations = (0..APART.len())
            .map(|k| {
                let poses = (0..SAMPLES).map(|_| random.pose(APART[k])).collect();
                (poses, (0..SAMPLES).filter_map(|_| random.ray(ASIDE[k])).collect())
            })
            .collect();
        Self { meshes, situations }
    }

    /// Everything that is asked: one list for each of [`super::QuestionKind::ALL`], in that order.
    pub(super) fn questions(&self) -> [Vec<Question<'_>>; 5] {
        let all = |question: fn(&[ScaledPose]) -> Question<'_>| {
            self.situations.iter().map(|(poses, _)| question(poses)).collect::<Vec<_>>()
        };
        [
            all(|poses| Question::Overlap(poses)),
            all(|poses| Question::Pairs(&poses[..FEW])),
            // Bodies that meet are seldom asked how far they are apart, and cost otherwise.
            all(|poses| Question::Distance(&poses[..FEW])).split_off(MEETING),
            all(|poses| Question::Within(TOLERANCE, &poses[..2 * FEW])),
            self.situations.iter().map(|(_, rays)| Question::Ray(rays)).collect(),
        ]
    }
}

/// A body as vertices and triangles.
type Body = (Vec<[f64; 3]>, Vec<[u32; 3]>);

/// A ball of radius one with dents: the six sides of a cube, drawn out.
fn ball() -> Body {
    let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
    for face in 0..6 {
        let (axis, sign) = (face % 3, if face < 3 { 1.0 } else { -1.0 });
        let first = vertices.len() as u32;
        for place in 0..(SIDE + 1) * (SIDE + 1) {
            let along = |k: u32| 2.0 * f64::from(k) / f64::from(SIDE) - 1.0;
            let mut p = [0.0; 3];
            p[axis] = sign;
            p[(axis + 1) % 3] = along(place / (SIDE + 1));
            p[(axis + 2) % 3] = sign * along(place % (SIDE + 1));
            let n = DVec3::from_array(p).normalize();
            let dent = n.x * n.y * n.z + n.x * n.x * n.z * 0.5;
            vertices.push((n * (1.0 - 0.3 * dent)).to_array());
        }
        for place in 0..SIDE * SIDE {
            let corner = first + place / SIDE * (SIDE + 1) + place % SIDE;
            let [a, b, c, d] = [0, SIDE + 1, SIDE + 2, 1].map(|step| corner + step);
            triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    (vertices, triangles)
}

/// Small triangles scattered in a ball of radius one.
fn soup(random: &mut Random) -> Body {
    let mut vertices = Vec::new();
    for _ in 0..SOUP {
        let center = random.direction() * random.unit().sqrt();
        vertices.extend((0..3).map(|_| (center + random.direction() * 0.12).to_array()));
    }
    (vertices, (0..SOUP as u32).map(|k| [3 * k, 3 * k + 1, 3 * k + 2]).collect())
}

/// G. Steele, D. Lea and C. Flood, "Fast splittable pseudorandom number generators" (2014), figure 17.
struct Random(u64);

impl Random {
    /// From 0 to 1.
    fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) as f64 / u64::MAX as f64
    }

    fn direction(&mut self) -> DVec3 {
        // Of a cube instead of a ball if a hundred tries all fail.
        let mut p = DVec3::X;
        for _ in 0..100 {
            p = DVec3::from_array([0; 3].map(|_| 2.0 * self.unit() - 1.0));
            if (0.01..=1.0).contains(&p.length_squared()) {
                break;
            }
        }
        p.try_normalize().unwrap_or(DVec3::X)
    }

    /// Turned at random, and so far away.
    fn pose(&mut self, apart: f64) -> ScaledPose {
        let half = self.unit();
        let axis = self.direction() * (1.0 - half * half).sqrt();
        let translation = self.direction() * apart;
        let turned = Pose::new([half, axis.x, axis.y, axis.z], translation.to_array());
        turned.unwrap_or_default().into()
    }

    fn ray(&mut self, aside: f64) -> Option<Ray> {
        let (from, way) = (self.direction() * 3.0, self.direction());
        let across = (way - from * (way.dot(from) / 9.0)).normalize_or_zero();
        Ray::new(from.to_array(), (across * aside - from).to_array()).ok()
    }
}
