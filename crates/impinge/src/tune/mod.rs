//! Chooses bounding volume, builder and width by the cost function
//! F = Nu·Cu + Nv·Cv + Np·Cp (S. Gottschalk, M. Lin and D. Manocha, "OBBTree", 1996, section 2, with the update of S. Gottschalk's
//! thesis, 2000).
//!
//! Answers do not depend on the hierarchy; time does. [`Calibration`] holds the prices of a test of volumes, a pair of leaves and an
//! update on one machine; [`choose`] counts how many of them each candidate needs for the caller's queries and picks
//! the cheapest. An [`AnyMesh`] has the chosen volume.
//!
//! ```
//! use impinge::{Pose, mesh::{ScaledPose, Scratch}, tune::{self, AnyMesh, Calibration, TuneOptions, Question, Triangles}};
//! let corners = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
//! let faces = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
//! let body = Triangles { vertices: &corners, triangles: &faces };
//! let poses: Vec<ScaledPose> = tune::sampled(10, |t| Pose::from_translation([2.0 * t, 0.0, 0.0]).unwrap_or_default());
//! // Once for a machine; `to_text` keeps it.
//! let calibration = Calibration::measure();
//! let choice = tune::choose(body, body, &Question::Overlap(&poses), &calibration, &TuneOptions::default())?;
//! println!("{choice}");
//! let mesh = AnyMesh::new(body, &choice)?;
//! assert!(!mesh.overlap(&mesh, &poses[9], &mut Scratch::default(), &mut ())?);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod any_mesh;
mod calibration;
mod choice;
mod choose;
mod least_squares;
mod question;
mod reference;
mod supports;
mod text;

pub use any_mesh::{AnyMesh, Triangles, Volume, VolumesDiffer};
pub use calibration::{Calibration, Prices};
pub use choice::{Candidate, Choice, Work};
pub use choose::{TuneOptions, choose};
pub use question::{Question, QuestionKind, sampled};
pub use text::TextError;
