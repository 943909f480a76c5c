//! Many bodies falling towards a torus, or onto a plane: the two simulations of Vogiannou et al. (2010), section 5.2, recorded once and replayed
//! for every configuration that is compared.
//!
//! The paper lets 600 objects fall for 14 seconds and counts about 14,000 collisions with the torus and about 130,000 with the plane, not counting those with torus
//! and plane themselves. How the objects start, how large they are and how many frames a second has is not told; [`Options`] chooses what comes near these numbers.
//!
//! Bodies are moved by [`impinge::response`], each as a compound of balls inside of its model (`balls.rs`); what is recorded are poses, and how many pairs of models collide in every frame, decided
//! exactly on all triangles (`replay.rs`).
//!
//! ```no_run
//! use impinge_lab::falling::{self, Ground, Options};
//! use impinge_lab::{Session, Size};
//! let session = Session::new(Size::Quick, 1);
//! let models = session.models(1000, 100_000)?;
//! let options = Options::new(Ground::Torus, &session);
//! let recording = falling::record(&models, &options, &session)?;
//! for frame in 0..recording.frames() {
//!     let poses = recording.poses(frame);
//!     println!("{} bodies, {} pairs collide", poses.len(), recording.counts(frame).pairs);
//! }
//! # Ok::<(), impinge_lab::LabError>(())
//! ```

mod balls;
mod file;
mod record;
mod replay;

pub use record::{record, recording};
pub use replay::Replay;

use crate::error::LabError;
use crate::file::checksum;
use crate::model::{Model, ModelShape};
use crate::session::Session;
use impinge::Pose;
use impinge::geom::glam::DVec3;

/// What bodies fall on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ground {
    /// A torus that hangs in the air: bodies hit it, and fall on.
    Torus,
    /// The plane z = 0, on which bodies pile up.
    Plane,
}

impl Ground {
    /// The name in files and tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Torus => "torus",
            Self::Plane => "plane",
        }
    }
}

/// How a simulation is set up. All models are scaled to a radius of one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// What bodies fall on.
    pub ground: Ground,
    /// How many bodies fall.
    pub bodies: u32,
    /// For how many seconds.
    pub seconds: u32,
    /// How many frames are recorded in a second.
    pub frames_per_second: u32,
    /// How many steps are simulated for a frame.
    pub steps_per_frame: u32,
    /// How many columns of bodies there are along x and y at the start.
    pub columns: [u32; 2],
    /// How far the columns, and the bodies of a column, are apart.
    pub spacing: [f64; 2],
    /// How high the lowest bodies are above the ground.
    pub height: f64,
    /// Of the places at the start.
    pub seed: u64,
}

impl Options {
    /// The paper's 600 bodies for 14 seconds; a quarter of them in a session of usual size, a tenth of them for three seconds in a quick one.
    pub fn new(ground: Ground, session: &Session<'_>) -> Self {
        let (columns, spacing, height) = match ground {
            Ground::Torus => ([12, 12], [2.35, 2.3], 3.0),
            Ground::Plane => ([20, 15], [3.2, 2.2], 2.0),
        };
        let fewer = session.pick(3, 2, 1);
        Self {
            ground,
            bodies: session.pick(60, 150, 600),
            seconds: session.pick(3, 14, 14),
            frames_per_second: session.pick(20, 30, 30),
            steps_per_frame: session.pick(5, 3, 3),
            columns: columns.map(|count: u32| count.div_ceil(fewer)),
            spacing,
            height,
            seed: session.seed,
        }
    }

    /// How many frames there are.
    pub fn frames(&self) -> u32 {
        self.seconds * self.frames_per_second
    }
}

/// Where a body is, as it is kept: a unit quaternion (w, x, y, z) and a translation.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Place {
    rotation: [f32; 4],
    translation: [f32; 3],
}

impl Place {
    fn of(pose: &Pose) -> Self {
        Self {
            rotation: pose.quaternion().map(|x| x as f32),
            translation: pose.translation().to_array().map(|x| x as f32),
        }
    }

    fn pose(&self) -> Result<Pose, LabError> {
        let translation = self.translation.map(f64::from);
        Pose::new(self.rotation.map(f64::from), translation).map_err(LabError::failed)
    }
}

/// How much collides in a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Pairs of falling bodies of which triangles meet.
    pub pairs: u32,
    /// Bodies of which a triangle meets the ground.
    pub with_ground: u32,
}

/// A simulation that was recorded: which model each body has, and where all of them are in every frame.
#[derive(Clone, Debug, PartialEq)]
pub struct Recording {
    ground: Ground,
    models: Vec<Model>,
    /// By body.
    model_of: Vec<u32>,
    frames_per_second: u32,
    places: Vec<Place>,
    counts: Vec<Counts>,
}

impl Recording {
    /// What the bodies fall on.
    pub fn ground(&self) -> Ground {
        self.ground
    }

    /// The torus, or a square of the plane that is larger than all that falls on it, in its place.
    pub fn ground_model(&self) -> Model {
        match self.ground {
            Ground::Torus => torus(),
            Ground::Plane => square(),
        }
    }

    /// The models, with a radius of one around the origin.
    pub fn models(&self) -> &[Model] {
        &self.models
    }

    /// Which model each body has.
    pub fn model_of(&self) -> &[u32] {
        &self.model_of
    }

    /// How many bodies fall.
    pub fn bodies(&self) -> usize {
        self.model_of.len()
    }

    /// How many frames there are.
    pub fn frames(&self) -> usize {
        self.counts.len()
    }

    /// How many of them make a second.
    pub fn frames_per_second(&self) -> u32 {
        self.frames_per_second
    }

    /// Where every body is in a frame; nothing if there is no such frame.
    pub fn poses(&self, frame: usize) -> Vec<Pose> {
        let bodies = self.bodies();
        let places = self.places.get(frame * bodies..(frame + 1) * bodies).unwrap_or_default();
        // They were checked when they were recorded or read.
        places.iter().map(|place| place.pose().unwrap_or_default()).collect()
    }

    /// What collides in a frame; nothing if there is no such frame.
    pub fn counts(&self, frame: usize) -> Counts {
        self.counts.get(frame).copied().unwrap_or_default()
    }

    /// The pairs of falling bodies that collide, summed over all frames, and those with the ground.
    pub fn total(&self) -> [u64; 2] {
        let sum = |of: fn(&Counts) -> u32| self.counts.iter().map(|c| u64::from(of(c))).sum();
        [sum(|counts| counts.pairs), sum(|counts| counts.with_ground)]
    }

    /// A number of all that was recorded: the same for any number of threads.
    pub fn hash(&self) -> u64 {
        checksum(&file::encode(self, 0))
    }
}

/// The torus that bodies fall towards: radius 3.5 and thickness 1.225 around the origin, with 4096 triangles.
fn torus() -> Model {
    let mut torus = Model::generate(ModelShape::Torus, 4096);
    for vertex in &mut torus.vertices {
        *vertex = vertex.map(|x| 3.5 * x);
    }
    torus
}

/// A square of the plane z = 0.
fn square() -> Model {
    let corners = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]];
    Model {
        name: "plane".into(),
        vertices: corners.map(|[x, y]| [1000.0 * x, 1000.0 * y, 0.0]).to_vec(),
        triangles: vec![[0, 1, 2], [0, 2, 3]],
    }
}

/// The model, scaled to a radius of one around the origin.
fn of_unit_size(model: &Model) -> Model {
    let (center, radius) = model.center_and_radius();
    let scale = if radius > 0.0 { 1.0 / radius } else { 1.0 };
    let mut scaled = model.clone();
    for vertex in &mut scaled.vertices {
        *vertex = ((DVec3::from_array(*vertex) - center) * scale).to_array();
    }
    scaled
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::Size;
    use impinge::geom::bound::Aabb;
    use impinge::mesh::{self, Mesh, Scratch};

    /// Few bodies, close together.
    fn small(ground: Ground) -> (Vec<Model>, Options) {
        let models = [ModelShape::Knobbly, ModelShape::Bumpy]
            .map(|shape| Model::generate(shape, 320))
            .to_vec();
        let session = Session::new(Size::Quick, 7);
        let columns = [6, 1];
        let usual = Options::new(ground, &session);
        (models, Options { bodies: 18, seconds: 2, frames_per_second: 15, columns, ..usual })
    }

    fn recorded(ground: Ground) -> Recording {
        let (models, options) = small(ground);
        record(&models, &options, &Session::new(Size::Quick, 7)).unwrap()
    }

    #[test]
    fn one_recording_for_any_number_of_threads() {
        let on = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| recorded(Ground::Plane))
        };
        let one = on(1);
        for threads in [2, 4] {
            let other = on(threads);
            assert_eq!(one.hash(), other.hash(), "{threads} threads");
            assert_eq!(one, other);
        }
        let (models, options) = small(Ground::Plane);
        let another = Options { seed: 8, ..options };
        let session = Session::new(Size::Quick, 7);
        assert_ne!(record(&models, &another, &session).unwrap().hash(), one.hash());
    }

    #[test]
    fn what_was_counted_is_what_collides() {
        for ground in [Ground::Plane, Ground::Torus] {
            let recording = recorded(ground);
            let meshes: Vec<Mesh<Aabb>> =
                recording.models().iter().map(|model| model.mesh().unwrap()).collect();
            let ground_mesh: Mesh<Aabb> = recording.ground_model().mesh().unwrap();
            let mut scratch = Scratch::default();
            let mut replay = Replay::new(&recording).unwrap();
            let mut seen = [0, 0];
            for frame in 0..recording.frames() {
                assert_eq!(replay.frame(frame).unwrap(), recording.counts(frame), "frame {frame}");
                // By another volume, all pairs, without a broad phase.
                let poses = recording.poses(frame);
                let mesh = |body: usize| &meshes[recording.model_of()[body] as usize];
                let mut counts = Counts::default();
                for i in 0..poses.len() {
                    for j in 0..i {
                        let pose = poses[i].relative(&poses[j]).into();
                        let meets = mesh::overlap(mesh(i), mesh(j), &pose, &mut scratch);
                        counts.pairs += u32::from(meets);
                    }
                    let pose = poses[i].into();
                    let on_ground = mesh::overlap(&ground_mesh, mesh(i), &pose, &mut scratch);
                    counts.with_ground += u32::from(on_ground);
                }
                assert_eq!(counts, recording.counts(frame), "frame {frame}");
                seen = [seen[0] + counts.pairs, seen[1] + counts.with_ground];
            }
            assert!(seen[0] > 10 && seen[1] > 10, "{ground:?}: {seen:?}");
        }
    }

    #[test]
    fn nothing_falls_through_the_plane() {
        let recording = recorded(Ground::Plane);
        for pose in recording.poses(recording.frames() - 1) {
            assert!(pose.translation().z > 0.2 && pose.translation().z < 8.0, "{pose:?}");
        }
    }
}
