//! `cargo xtask measure`: figures that the literature gives, measured again.

pub mod linear_program;
pub mod obb_overlap;

/// The measurements.
#[derive(clap::Subcommand, Clone, Debug)]
pub enum Measure {
    /// Oriented boxes: fifteen separating axes against GJK against linear programming.
    ObbOverlap(obb_overlap::Options),
}

/// Runs a measurement. True if the methods agree as far as they must.
pub fn run(measure: &Measure) -> bool {
    match measure {
        Measure::ObbOverlap(options) => obb_overlap::run(options),
    }
}
