//! Times of impact that know nothing of impinge's: exact, in closed form, or by steps of a certified length between distances at rest.

pub mod hulls;
pub mod meshes;
pub mod sphere;
pub mod turning;

// The exact oracle of the soaks: Sturm sequences and Tarski queries in integers.
pub use trials::oracle::{motion, sturm};

/// A point, as plain numbers.
pub type Point = [f64; 3];

/// When contact begins, and the least gap on the way, or for vertices only whether there is one.
#[derive(Clone, Copy, Debug)]
pub struct Truth {
    /// The first time of contact in [0, 1].
    pub time: Option<f64>,
    /// How far the answer "yes" or "no" is from the other one, as a length; infinite where the verdict is exact.
    pub margin: f64,
}
