//! `cargo xtask measure`: figures that the literature gives, measured again.

pub mod builders;
pub mod chart;
pub mod concentric;
pub mod growth;
pub mod hybrid;
pub mod linear_program;
pub mod obb_overlap;
pub mod proximity;
pub mod scenes;
pub mod tune;
pub mod voxels;

/// The measurements.
#[derive(clap::Subcommand, Clone, Debug)]
pub enum Measure {
    /// Oriented boxes: fifteen separating axes against GJK against linear programming.
    ObbOverlap(obb_overlap::Options),
    /// Mesh queries from 1k to 4M triangles, and close proximity by the gap.
    Growth(growth::Options),
    /// Tests of every volume between two spheres, one inside the other, by the gap and by the place.
    Concentric(concentric::Options),
    /// Cells instead of surfaces: errors, memory and time by the resolution.
    Voxels(voxels::Options),
    /// Every builder and every bounding volume on the same models: time to build, memory, cost and work of queries.
    Builders(builders::Options),
    /// What `tune` chooses, beside a trial of all volumes, builders and widths.
    Tune(tune::Options),
    /// Hybrid hierarchies against every single volume, in instructions.
    Hybrid(hybrid::Options),
    /// Every broad phase from 1k to 1M boxes in four mixes: time of a frame, time from scratch, memory.
    Scenes(scenes::Options),
}

/// Runs a measurement. True if the methods agree as far as they must.
pub fn run(measure: &Measure) -> bool {
    match measure {
        Measure::ObbOverlap(options) => obb_overlap::run(options),
        Measure::Growth(options) => growth::run(options),
        Measure::Concentric(options) => concentric::run(options),
        Measure::Voxels(options) => voxels::run(options),
        Measure::Builders(options) => builders::run(options),
        Measure::Tune(options) => tune::run(options),
        Measure::Hybrid(options) => hybrid::run(options),
        Measure::Scenes(options) => scenes::run(options),
    }
}

/// What a measurement found, or false after printing why there is nothing.
fn or_tell(found: Result<bool, String>) -> bool {
    found.unwrap_or_else(|error| {
        println!("{error}");
        false
    })
}
