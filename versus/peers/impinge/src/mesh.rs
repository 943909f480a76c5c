//! Answers the driver about meshes with impinge: `mesh::overlap`, `mesh::pairs` and `mesh::distance` on a default `Mesh`, and
//! `Mesh::ray` on a `Mesh<Aabb>`.

use std::io;

use impinge::geom::Pose;
use impinge::geom::bound::{Aabb, Bound, Obb};
use impinge::geom::ray::Ray;
use impinge::mesh::{self, Mesh, Relative, Scratch};
use versus::mesh::model::Mesh as MeshData;
use versus::mesh::scene::{Case, Fingerprint, Question, Scene};
use versus::serve::Adapter;

fn build<B: Bound>(data: &MeshData) -> io::Result<Mesh<B>> {
    Mesh::new(&data.vertices, &data.triangles).map_err(io::Error::other)
}

/// Two meshes and the places of the second.
struct Pair {
    a: Mesh,
    b: Mesh,
    places: Vec<Relative>,
    scratch: Scratch,
}

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
            mesh.rays(&rays, &mut scratch, &mut found);
            for (answer, found) in answers.iter_mut().zip(&found) {
                *answer = found.map_or(f64::INFINITY, |found| found.hit.t);
            }
            return;
        }
        for (answer, ray) in answers.iter_mut().zip(&rays) {
            *answer = mesh.ray(ray, &mut scratch).map_or(f64::INFINITY, |found| found.hit.t);
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
    // Under its second name it casts all rays at once, and does nothing else.
    let many = std::env::args().nth(1).is_some_and(|name| name == "impinge-many");
    let name = if many { "impinge-many" } else { "impinge" };
    let mut adapter = Adapter::new(name, env!("CARGO_PKG_VERSION"), "f64");
    for case in &scene.cases {
        if many && case.question != Question::Ray {
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
