//! The driver: makes the inputs, starts the systems, interleaves their rounds, judges the answers, prints the table.

use std::process::ExitCode;

use versus::options::{Options, Workload};
use versus::{broad, clash, convex, mesh, motion, n_body, scene_rays};

fn run() -> Result<(), String> {
    let options = Options::parse(std::env::args().skip(1))?;
    match options.workload {
        Workload::Convex => convex::run(&options),
        Workload::Broad => broad::run(&options),
        Workload::NBody => n_body::run(&options),
        Workload::Clash => clash::run(&options),
        Workload::SceneRays => scene_rays::run(&options),
        Workload::Motion => motion::run(&options),
        _ => mesh::run(&options),
    }
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(reason) => {
            eprintln!("{reason}");
            ExitCode::from(2)
        }
    }
}
