//! The cases of each mesh workload.

use super::model::{self, Model};
use super::poses::{self, Twins};
use super::rays;
use super::scene::{Case, Question, Scene};
use crate::options::{Options, Workload};

/// Meshes with more triangles than this take part in `rays` and `build` only.
pub const LARGE: usize = 200_000;

/// Gaps of `close-proximity` with the number of poses: the work grows as one over the gap.
const GAPS: [(&str, f64, usize); 5] = [
    ("eps 0.1", 0.1, 200),
    ("eps 0.03", 0.03, 100),
    ("eps 0.01", 0.01, 50),
    ("eps 0.003", 0.003, 20),
    ("eps 0.001", 0.001, 10),
];

/// The input file of a workload.
pub fn scene(options: &Options, models: Vec<Model>) -> Scene {
    if options.workload == Workload::CloseProximity {
        return close_proximity(options);
    }
    let fewer = |count: usize, quick: usize| if options.quick { quick } else { count };
    let mut cases = Vec::new();
    for (index, Model { name, mesh }) in models.iter().enumerate() {
        let case = |name: String, question| Case {
            name,
            question,
            a: index as u32,
            b: index as u32,
            threads: 1,
            poses: Vec::new(),
            rays: Vec::new(),
        };
        let seed = options.seed;
        match options.workload {
            Workload::MeshMesh if mesh.triangles.len() <= LARGE => {
                let twins = Twins::new(mesh);
                let poses = twins.mixed(seed, fewer(10_000, 1_000));
                let meeting = twins.meeting(&poses, fewer(300, 40));
                let split = twins.split(&poses[..poses.len().min(fewer(3_000, 600))]);
                cases.push(Case { poses, ..case(format!("{name} yes-no"), Question::Meet) });
                for (kind, poses) in [("near misses", split.near), ("colliding", split.colliding)] {
                    cases.push(Case { poses, ..case(format!("{name} {kind}"), Question::Meet) });
                }
                let pairs = case(format!("{name} pairs"), Question::Pairs);
                cases.push(Case { poses: meeting, ..pairs });
            }
            Workload::Distance if mesh.triangles.len() <= LARGE => {
                let poses = poses::apart(mesh, seed, fewer(1_000, 100));
                cases.push(Case { poses, ..case(name.clone(), Question::Distance) });
            }
            Workload::Rays => {
                let random = rays::into_box(mesh, seed, fewer(200_000, 20_000));
                cases.push(Case { rays: random, ..case(name.clone(), Question::Ray) });
                let edges = rays::at_edges(mesh, seed, fewer(20_000, 5_000));
                cases.push(Case { rays: edges, ..case(format!("{name} edges"), Question::Ray) });
            }
            Workload::Build => {
                let kinds = [("", Question::CollisionTree), (" rays", Question::RayTree)];
                for (suffix, question) in kinds {
                    let one = case(format!("{name}{suffix}"), question);
                    let name = format!("{name}{suffix} two threads");
                    cases.push(one.clone());
                    cases.push(Case { name, threads: 2, ..one });
                }
            }
            _ => {}
        }
    }
    Scene { meshes: models.into_iter().map(|model| model.mesh).collect(), cases }
}

/// A sphere of 20,480 triangles inside larger ones, turned about the common centre. None meet.
fn close_proximity(options: &Options) -> Scene {
    let mut scene = Scene { meshes: vec![model::icosphere(1.0, 5)], cases: Vec::new() };
    for (name, gap, count) in GAPS {
        scene.meshes.push(model::icosphere(1.0 + gap, 5));
        scene.cases.push(Case {
            name: name.into(),
            question: Question::Meet,
            a: 0,
            b: scene.meshes.len() as u32 - 1,
            threads: 1,
            poses: poses::turned(options.seed, if options.quick { count / 5 } else { count }),
            rays: Vec::new(),
        });
    }
    scene
}
