//! Exact oracles, written apart from the kernel: they share no code with it, use another big-number library, and decide by
//! other methods (signs of all triples of the Minkowski difference, exact linear programs, brute force over candidates).

pub mod bounds;
pub mod closed;
pub mod common;
pub mod distance;
pub mod lattice;
pub mod linear;
pub mod minkowski;
pub mod motion;
pub mod polytope;
pub mod ray;
pub mod solid;
pub mod sturm;
pub mod triangle;

/// A point, as plain numbers: the oracles share not even the vector type with the kernel.
pub type Point = [f64; 3];

/// Where the origin lies with respect to the Minkowski difference of two convex sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    /// Outside: the sets have no common point.
    Outside,
    /// On the boundary: the sets meet, and a shift as small as one likes parts them.
    Boundary,
    /// In the three-dimensional interior: the sets meet and no small shift parts them.
    Inside,
}
