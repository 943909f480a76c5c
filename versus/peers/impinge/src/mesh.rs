//! Answers the driver about meshes with impinge: `mesh::overlap`, `mesh::pairs` and `mesh::distance` on a default `Mesh`, and
//! `Mesh::cast_ray` on a `Mesh<Aabb>`.
//!
//! As `impinge-supports`: `mesh::overlap_supported` with tables on the first two levels of the hierarchy.

use std::io;

use impinge::geom::Pose;
use impinge::geom::bound::{Aabb, Bound, Obb};
use impinge::geom::ray::Ray;
use impinge::mesh::{self, Mesh, ScaledPose, Scratch, SupportKind, SupportLevels, Supported};
use impinge::tree::traverse::Policy;
use versus::mesh::model::Mesh as MeshData;
use versus::mesh::scene::{Case, Fingerprint, Question, Scene};
use versus::serve::Adapter;

fn build<B: Bound>(data: &MeshData) -> io::Result<Mesh<B>> {
    Mesh::with_volume(&data.vertices, &data.triangles).map_err(io::Error::other)
}

/// Two meshes and the places of the second.
struct Pair {
    a: Mesh,
    b: Mesh,
    places: Vec<ScaledPose>,
    scratch: Scratch,
}

/// Levels with support tables.
const LEVELS: usize = 2;

impl Pair {
    fn new(scene: &Scene, case: &Case) -> io::Result<Pair> {
        let [a, b] = [case.a, case.b].map(|index| &scene.meshes[index as usize]);
        let mut places = Vec::with_capacity(case.poses.len());
        for placement in &case.poses {
            let pose = Pose::new(placement.rotation, placement.translation);
            places.push(pose.map_err(io::Error::other)?.into());
        }
        Ok(Pair { a: build(a)?, b: build(b)?, places, scratch: Scratch::default() })
    }

    fn meet(&mut self, answers: &mut [f64]) {
        for (answer, place) in answers.iter_mut().zip(&self.places) {
            let meets = mesh::overlap(&self.a, &self.b, place, &mut self.scratch);
            *answer = f64::from(u8::from(meets));
        }
    }

    /// The same with support tables, which are made before the first answer.
    fn meet_supported(mut self) -> impl FnMut(&mut [f64]) {
        let supports =
            [&self.a, &self.b].map(|mesh| SupportLevels::new(mesh, LEVELS, SupportKind::default()));
        move |answers| {
            let [a, b] = [(&self.a, &supports[0]), (&self.b, &supports[1])]
                .map(|(mesh, support)| Supported { mesh, support });
            for (answer, place) in answers.iter_mut().zip(&self.places) {
                let policy = Policy::default();
                let meets =
                    mesh::overlap_supported(a, b, place, policy, &mut self.scratch, &mut ());
                *answer = f64::from(u8::from(meets));
            }
        }
    }

    fn pairs(&mut self, answers: &mut [f64]) {
        let mut found = Vec::new();
        for (answer, place) in answers.chunks_exact_mut(2).zip(&self.places) {
            mesh::pairs(&self.a, &self.b, place, &mut self.scratch, &mut found);
            let mut fingerprint = Fingerprint::default();
            for (a, b, _) in &found {
                fingerprint.add(*a, *b);
            }
            answer.copy_from_slice(&[found.len() as f64, fingerprint.value()]);
        }
    }

    fn distance(&mut self, answers: &mut [f64]) {
        for (answer, place) in answers.iter_mut().zip(&self.places) {
            *answer = mesh::distance(&self.a, &self.b, place, &mut self.scratch).distance;
        }
    }
}

/// So many rays in one call stay in the caches with what they meet.
const MANY: usize = 1024;

fn add_rays(adapter: &mut Adapter, case: &Case, data: &MeshData, many: bool) -> io::Result<()> {
    let mesh: Mesh<Aabb> = build(data)?;
    let mut rays = Vec::with_capacity(case.rays.len());
    for ray in &case.rays {
        rays.push(Ray::new(ray.origin, ray.direction).map_err(io::Error::other)?);
    }
    let mut scratch = Scratch::default();
    let mut found = Vec::new();
    adapter.add(&case.name, rays.len(), move |answers| {
        if many {
            for (rays, answers) in rays.chunks(MANY).zip(answers.chunks_mut(MANY)) {
                mesh.cast_rays(rays, &mut scratch, &mut found);
                for (answer, found) in answers.iter_mut().zip(&found) {
                    *answer = found.map_or(f64::INFINITY, |found| found.hit.t);
                }
            }
            return;
        }
        for (answer, ray) in answers.iter_mut().zip(&rays) {
            *answer = mesh.cast_ray(ray, &mut scratch).map_or(f64::INFINITY, |found| found.hit.t);
        }
    });
    Ok(())
}

/// Builds with so many threads; the pool starts in the first round, where all processors are allowed.
fn add_tree<'a, B: Bound>(adapter: &mut Adapter<'a>, case: &Case, data: &'a MeshData) {
    let (mut pool, threads) = (None, case.threads as usize);
    adapter.add_timed(&case.name, case.clock(), 1, move |answers| {
        let pool = pool.get_or_insert_with(|| {
            rayon::ThreadPoolBuilder::new().num_threads(threads).build().ok()
        });
        let built = pool.as_ref().map(|pool| pool.install(|| build::<B>(data)));
        answers[0] = match built {
            Some(Ok(mesh)) => mesh.bytes() as f64,
            _ => f64::NAN,
        };
    });
}

fn main() -> io::Result<()> {
    let scene = Scene::from_arguments()?;
    // Under its other names it casts all rays at once, or has support tables, and does nothing else.
    let name = std::env::args().nth(1).unwrap_or_default();
    let (many, supports) = (name == "impinge-many", name == "impinge-supports");
    let mut adapter = Adapter::new(&name, env!("CARGO_PKG_VERSION"), "f64");
    for case in &scene.cases {
        let (is_ray, is_meet) = (case.question == Question::Ray, case.question == Question::Meet);
        if (many && !is_ray) || (supports && !is_meet) {
            continue;
        }
        if supports {
            adapter.add(&case.name, case.width(), Pair::new(&scene, case)?.meet_supported());
            continue;
        }
        let data = &scene.meshes[case.a as usize];
        let run: fn(&mut Pair, &mut [f64]) = match case.question {
            Question::Meet => Pair::meet,
            Question::Pairs => Pair::pairs,
            Question::Distance => Pair::distance,
            Question::Ray => {
                add_rays(&mut adapter, case, data, many)?;
                continue;
            }
            Question::CollisionTree => {
                add_tree::<Obb>(&mut adapter, case, data);
                continue;
            }
            Question::RayTree => {
                add_tree::<Aabb>(&mut adapter, case, data);
                continue;
            }
        };
        let mut pair = Pair::new(&scene, case)?;
        adapter.add(&case.name, case.width(), move |answers| run(&mut pair, answers));
    }
    adapter.serve()
}
