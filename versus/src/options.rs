//! The command line.

use std::path::PathBuf;

/// How to call the program.
pub const USAGE: &str = "usage: ./versus/run convex|mesh-mesh|close-proximity|distance|rays|build|broad|n-body|scene-rays|motion|clash \
                         [--quick] [--seed N] [--json FILE] [--models DIR] [--phases] [--case NAME] [--cases NAME,NAME] [--unjudged] [--rounds N]";

/// What is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Workload {
    /// Pairs of convex shapes.
    Convex,
    /// Two meshes in random poses: do they meet, and which triangles?
    MeshMesh,
    /// Two spheres, one just inside the other.
    CloseProximity,
    /// The distance of two meshes that are apart.
    Distance,
    /// Rays at a mesh.
    Rays,
    /// Building the hierarchies.
    Build,
    /// All pairs of overlapping boxes among many that move.
    Broad,
    /// Many meshes that move: which of them meet?
    NBody,
    /// The first of many bodies along a ray.
    SceneRays,
    /// When do things meet that move?
    Motion,
    /// Whole programs: from a file to the parts that meet.
    Clash,
}

impl Workload {
    const ALL: [Workload; 11] = [
        Workload::Convex,
        Workload::MeshMesh,
        Workload::CloseProximity,
        Workload::Distance,
        Workload::Rays,
        Workload::Build,
        Workload::Broad,
        Workload::NBody,
        Workload::SceneRays,
        Workload::Motion,
        Workload::Clash,
    ];

    /// Name on the command line and in the results.
    pub fn name(self) -> &'static str {
        match self {
            Workload::Convex => "convex",
            Workload::MeshMesh => "mesh-mesh",
            Workload::CloseProximity => "close-proximity",
            Workload::Distance => "distance",
            Workload::Rays => "rays",
            Workload::Build => "build",
            Workload::Broad => "broad",
            Workload::NBody => "n-body",
            Workload::SceneRays => "scene-rays",
            Workload::Motion => "motion",
            Workload::Clash => "clash",
        }
    }

    /// Workloads of one group have the same adapters: a folder of `target/adapters`.
    pub fn group(self) -> &'static str {
        match self {
            Workload::Convex => "convex",
            Workload::Broad => "broad",
            Workload::NBody => "n-body",
            Workload::SceneRays => "scene-rays",
            Workload::Motion => "motion",
            Workload::Clash => "clash",
            _ => "mesh",
        }
    }
}

/// What the command line says.
#[derive(Clone, Debug)]
pub struct Options {
    pub workload: Workload,
    pub quick: bool,
    pub seed: u64,
    pub json: Option<PathBuf>,
    /// Folder with meshes, or for `clash` with models, to use beside the generated ones.
    pub models: Option<PathBuf>,
    /// Whether each of impinge's broad phases takes part for itself.
    pub phases: bool,
    /// The cases of `motion` whose names begin with this; all if it is empty.
    pub case: String,
    /// The only cases of `clash` to run; all, if none are named.
    pub cases: Vec<String>,
    /// Whether the answers of `clash` are not compared with the truth: only times count.
    pub unjudged: bool,
    /// Upper limit on the rounds of `clash`.
    pub rounds: Option<usize>,
    /// Folder with the adapters, and beside each its `.flags`, or a `.skipped` with the reason.
    pub adapters: PathBuf,
    /// Folder for inputs and answers.
    pub work: PathBuf,
}

impl Options {
    /// Reads the arguments that follow the program's name.
    pub fn parse(arguments: impl IntoIterator<Item = String>) -> Result<Options, String> {
        let mut arguments = arguments.into_iter();
        let name = arguments.next().ok_or(USAGE)?;
        let workload = Workload::ALL.into_iter().find(|workload| workload.name() == name);
        let workload = workload.ok_or(USAGE)?;
        let mut options = Options {
            workload,
            quick: false,
            seed: 1,
            json: None,
            models: None,
            phases: false,
            case: String::new(),
            cases: Vec::new(),
            unjudged: false,
            rounds: None,
            adapters: format!("target/adapters/{}", workload.group()).into(),
            work: "target/work".into(),
        };
        while let Some(argument) = arguments.next() {
            let mut value = || arguments.next().ok_or(USAGE);
            match argument.as_str() {
                "--quick" => options.quick = true,
                "--phases" => options.phases = true,
                "--case" => options.case = value()?,
                "--unjudged" => options.unjudged = true,
                "--rounds" => options.rounds = Some(value()?.parse().map_err(|_| USAGE)?),
                "--cases" => options.cases = value()?.split(',').map(String::from).collect(),
                "--seed" => options.seed = value()?.parse().map_err(|_| USAGE)?,
                "--json" => options.json = Some(value()?.into()),
                "--models" => options.models = Some(value()?.into()),
                "--adapters" => options.adapters = value()?.into(),
                "--work" => options.work = value()?.into(),
                _ => return Err(USAGE.into()),
            }
        }
        Ok(options)
    }

    /// The folder for inputs and answers, which is made if it is not there.
    pub fn work(&self) -> Result<PathBuf, String> {
        std::fs::create_dir_all(&self.work).map_err(|error| error.to_string())?;
        self.work.canonicalize().map_err(|error| error.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_read() {
        let parse = |line: &str| Options::parse(line.split(' ').map(String::from));
        let options = parse("rays --quick --seed 7 --models meshes").unwrap();
        assert_eq!((options.workload, options.quick, options.seed), (Workload::Rays, true, 7));
        assert_eq!(options.models, Some("meshes".into()));
        for bad in ["", "dance", "rays --seed", "rays --seed x", "convex --loud"] {
            assert!(parse(bad).is_err(), "{bad}");
        }
    }
}
