//! Questions about meshes, with samples.

use super::AnyMesh;
use crate::mesh::{ScaledPose, Scratch};
use impinge_geom::ray::Ray;
use impinge_geom::triangle::TriangleVerdict;
use impinge_tree::Probe;
use std::fmt;
use std::hint::black_box;

/// A question, with sample poses or rays: they decide which hierarchy is best.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Question<'q> {
    /// Do they meet, with B at these poses?
    Overlap(&'q [ScaledPose]),
    /// Which triangles meet?
    Pairs(&'q [ScaledPose]),
    /// How far are they apart?
    Distance(&'q [ScaledPose]),
    /// Are they within this distance, in A's unit?
    Within(f64, &'q [ScaledPose]),
    /// What do these rays hit first? B is ignored.
    Ray(&'q [Ray]),
}

/// A question without its samples.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum QuestionKind {
    /// [`Question::Overlap`].
    Overlap,
    /// [`Question::Pairs`].
    Pairs,
    /// [`Question::Distance`].
    Distance,
    /// [`Question::Within`].
    Within,
    /// [`Question::Ray`].
    Ray,
}

impl QuestionKind {
    /// All of them.
    pub const ALL: [Self; 5] =
        [Self::Overlap, Self::Pairs, Self::Distance, Self::Within, Self::Ray];

    /// The name in tables and saved text.
    ///
    /// ```
    /// assert_eq!(impinge::tune::QuestionKind::Within.name(), "within");
    /// ```
    pub fn name(self) -> &'static str {
        match self {
            Self::Overlap => "overlap",
            Self::Pairs => "pairs",
            Self::Distance => "distance",
            Self::Within => "within",
            Self::Ray => "ray",
        }
    }
}

impl fmt::Display for QuestionKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl Question<'_> {
    /// Its kind.
    ///
    /// ```
    /// use impinge::tune::{QuestionKind, Question};
    /// assert_eq!(Question::Within(0.1, &[]).asked(), QuestionKind::Within);
    /// ```
    pub fn asked(&self) -> QuestionKind {
        match self {
            Self::Overlap(_) => QuestionKind::Overlap,
            Self::Pairs(_) => QuestionKind::Pairs,
            Self::Distance(_) => QuestionKind::Distance,
            Self::Within(..) => QuestionKind::Within,
            Self::Ray(_) => QuestionKind::Ray,
        }
    }

    /// Number of samples.
    pub fn samples(&self) -> usize {
        match self {
            Self::Overlap(poses) | Self::Pairs(poses) | Self::Distance(poses) => poses.len(),
            Self::Within(_, poses) => poses.len(),
            Self::Ray(rays) => rays.len(),
        }
    }

    /// Asks at every `stride`-th sample, and tells the probe of the work: [`Counts`](impinge_tree::Counts), or `()` where time is taken. Meshes are
    /// of one volume.
    pub(super) fn ask(
        &self,
        a: &AnyMesh,
        b: &AnyMesh,
        stride: usize,
        memory: &mut Memory,
        probe: &mut impl Probe,
    ) {
        let Memory { scratch, found } = memory;
        // Answers are not used: without the black box the compiler could leave out the work for them.
        match *self {
            Self::Overlap(poses) => poses.iter().step_by(stride).for_each(|pose| {
                let _ = black_box(a.overlap(b, pose, scratch, probe));
            }),
            Self::Pairs(poses) => poses.iter().step_by(stride).for_each(|pose| {
                let _ = black_box(a.pairs(b, pose, scratch, found, probe));
            }),
            Self::Distance(poses) => poses.iter().step_by(stride).for_each(|pose| {
                let _ = black_box(a.distance(b, pose, scratch, probe));
            }),
            Self::Within(tolerance, poses) => poses.iter().step_by(stride).for_each(|pose| {
                let _ = black_box(a.within(b, pose, tolerance, scratch, probe));
            }),
            Self::Ray(rays) => rays.iter().step_by(stride).for_each(|ray| {
                let _ = black_box(a.ray(ray, scratch, probe));
            }),
        }
    }
}

/// What questions keep between calls.
#[derive(Default)]
pub(super) struct Memory {
    pub(super) scratch: Scratch,
    found: Vec<(u32, u32, TriangleVerdict)>,
}

/// Samples a motion at `count` evenly spaced times from 0 to 1.
///
/// ```
/// use impinge::{Pose, tune::sampled};
/// let along_x = |t: f64| Pose::from_translation([4.0 * t, 0.0, 0.0]).unwrap_or_default();
/// let places = sampled(5, along_x);
/// assert_eq!(places[3].pose.translation().x, 3.0);
/// ```
pub fn sampled<P: Into<ScaledPose>>(count: usize, motion: impl Fn(f64) -> P) -> Vec<ScaledPose> {
    let last = count.saturating_sub(1).max(1) as f64;
    (0..count).map(|k| motion(k as f64 / last).into()).collect()
}
