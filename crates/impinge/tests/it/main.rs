//! The public behaviour of the crate.

mod brute_force;
mod extremes;
mod fits;
mod health;
mod instances;
mod limits;
mod local_penetration;
mod point_series;
mod query;
mod rays;
mod self_intersection;
#[cfg(feature = "serde")]
mod serial;
mod shapes;
mod shared_corners;
mod solid_verdict;
mod solids;
mod soup;
#[cfg(feature = "tune")]
mod tune;
mod voxels;
mod winding;
