//! The workloads on meshes: `mesh-mesh`, `close-proximity`, `distance`, `rays` and `build`.

pub mod blocks;
pub mod files;
pub mod judge;
pub mod model;
pub mod poses;
pub mod rays;
pub mod scene;
pub mod workload;

use std::path::Path;

use crate::drive::{self, Rounds};
use crate::options::{Options, Workload};
use crate::system::{Listed, System};
use crate::table::{self, Row, Verdict};
use judge::{Answers, Sample};
use scene::{Case, Question, Scene};

/// All systems, in the order of the table.
const SYSTEMS: [Listed; 14] = [
    Listed::new("impinge"),
    Listed::on_request("impinge-before"),
    Listed::with("impinge-many", "impinge"),
    Listed::with("impinge-supports", "impinge"),
    Listed::with("coal-obb", "coal"),
    Listed::with("coal-obbrss", "coal"),
    Listed::with("fcl-obb", "fcl"),
    Listed::with("fcl-obbrss", "fcl"),
    Listed::new("klampt"),
    Listed::new("parry"),
    Listed::new("embree"),
    Listed::with("embree-robust", "embree"),
    Listed::with("embree-many", "embree"),
    Listed::new("obvhs"),
];

fn rounds(options: &Options) -> Rounds {
    // A round of rays takes so little time that a neighbour of this machine can spoil several in a row.
    let often = options.workload.name() == "rays";
    match options.quick {
        true => Rounds { most: if often { 20 } else { 3 }, nanoseconds: 500_000_000 },
        false => Rounds { most: if often { 60 } else { 7 }, nanoseconds: 5_000_000_000 },
    }
}

fn collect(case: &Case, systems: &mut [System], work: &Path) -> Result<Vec<Answers>, String> {
    let mut answers = Vec::new();
    for system in systems.iter_mut().filter(|system| system.offers(&case.name)) {
        let values = system.answers(&case.name, &work.join("answers"))?;
        answers.push(Answers { system: system.name, precision: system.precision, values });
    }
    Ok(answers)
}

/// Measures and judges one case; the text says where coal is of another opinion.
fn run_case(
    options: &Options,
    scene: &Scene,
    case: &Case,
    systems: &mut Vec<System>,
) -> Result<(Vec<Row>, String), String> {
    let times = drive::measure(&case.name, systems, rounds(options));
    let answers = collect(case, systems, &options.work()?)?;
    if matches!(case.question, Question::CollisionTree | Question::RayTree) {
        return Ok((tree_rows(scene, case, &times, &answers), String::new()));
    }
    let sample = Sample::new(scene, case, options.seed, options.quick, &answers);
    let of = |system: &str| answers.iter().find(|entry| entry.system == system);
    let reference = of("impinge");
    let mut rows = Vec::new();
    for (system, time) in times {
        let Some(entry) = of(system) else { continue };
        let (verdict, missed) = sample.judge(entry, reference);
        let queries = entry.values.len() / case.question.width();
        let missed = (case.question == Question::Ray).then_some(("missed", missed as f64));
        rows.push(Row {
            case: case.name.clone(),
            system,
            nanoseconds: time as f64 / queries as f64,
            queries,
            sample: sample.len(),
            verdict,
            more: missed.into_iter().collect(),
        });
    }
    let coal: Vec<&Answers> =
        answers.iter().filter(|entry| entry.system.starts_with("coal")).collect();
    Ok((rows, sample.disagreements(&coal, reference)))
}

/// A tree's time is that of one build; its answer is the memory it takes.
fn tree_rows(
    scene: &Scene,
    case: &Case,
    times: &[(&'static str, u64)],
    answers: &[Answers],
) -> Vec<Row> {
    let triangles = scene.meshes[case.a as usize].triangles.len();
    let row = |&(system, time): &(&'static str, u64)| {
        let bytes =
            answers.iter().find(|entry| entry.system == system).map(|entry| entry.values[0]);
        let bytes = bytes.filter(|bytes| bytes.is_finite());
        let share = bytes.map(|bytes| ("bytes_per_triangle", bytes / triangles as f64));
        Row {
            case: case.name.clone(),
            system,
            nanoseconds: time as f64,
            queries: 1,
            sample: 0,
            verdict: Verdict { positives: 1, wrong: 0, max_error: None, agree: None },
            more: share.into_iter().collect(),
        }
    };
    times.iter().map(row).collect()
}

fn print_tables(workload: Workload, rows: &[Row]) {
    if workload == Workload::Build {
        println!("\nTime per tree (over impinge's)\n{}", table::times(rows));
        let bytes = |row: &Row| {
            row.more("bytes_per_triangle").map_or("–".into(), |bytes| format!("{bytes:.1}"))
        };
        println!("Bytes per triangle beyond vertices and indices\n{}", table::grid(rows, bytes));
        return;
    }
    println!("\nProcessor time per query (over impinge's)\n{}", table::times(rows));
    if workload == Workload::Rays {
        let speed = |row: &Row| format!("{:.2}", 1e3 / row.nanoseconds);
        println!("Million rays per second\n{}", table::grid(rows, speed));
        let missed = |row: &Row| row.more("missed").map_or("–".into(), |count| count.to_string());
        println!("Rays through a surface, of those examined\n{}", table::grid(rows, missed));
    }
    if workload == Workload::MeshMesh {
        let gain = table::gain(rows, "impinge", "impinge-supports");
        println!("Time without support tables over that with them\n{gain}");
    }
    println!("Wrong among the examined queries / largest error\n{}", table::errors(rows));
    println!("Answers equal to impinge's / positive answers\n{}", table::agreement(rows));
}

/// Runs a workload and prints its tables.
pub fn run(options: &Options) -> Result<(), String> {
    let name = options.workload.name();
    let Rounds { most, nanoseconds } = rounds(options);
    println!(
        "{name}: seed {}, least of {most} rounds or {} s, {}",
        options.seed,
        nanoseconds as f64 / 1e9,
        drive::pin()
    );
    let models = files::all(options.models.as_deref())?;
    let scene = workload::scene(options, models);
    let path = options.work()?.join(format!("{name}.scene"));
    scene.write(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let mut systems = drive::start(&SYSTEMS, &options.adapters, &[path]);
    let (mut rows, mut disagreements) = (Vec::new(), String::new());
    for case in &scene.cases {
        let (of_case, other_opinions) = run_case(options, &scene, case, &mut systems)?;
        rows.extend(of_case);
        disagreements += &other_opinions;
    }
    print_tables(options.workload, &rows);
    if rows.iter().any(|row| row.sample > 0 && row.system.starts_with("coal")) {
        let none = if disagreements.is_empty() { "none\n" } else { "" };
        println!("Disagreements with coal\n{none}{disagreements}");
    }
    drive::write_json(options, &rows)
}
