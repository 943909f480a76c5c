//! What is counted: the queries of each model with each volume, and nothing else of the program.
//!
//! Each call prints a line on standard output, with tabs between the fields:
//! `model`, its name, triangles; `counted`, volume, bytes of the mesh, placements, wrong answers; `kinds`, nodes of each kind.

use super::Options;
use impinge::geom::bound::{
    Aabb, Bound, ConvexHull, Dop14, Dop18, Dop26, Dop36, EllipsoidBound, Hybrid, Lss, Obb, ObbRss,
    RoundedBox, Rss, Sphere, SphericalShell, Tss,
};
use impinge::mesh::{self, Mesh, ScaledPose, Scratch};
use impinge_lab::setting::bodies::{assembly, generated};
use impinge_lab::setting::placements::{SITUATIONS, placements};
use impinge_lab::{Model, ModelFolder};

/// Asks at all places whether a mesh meets its copy. Callgrind looks for it by name: see `callgrind.rs`.
#[inline(never)]
fn counted_queries<B: Bound>(
    mesh: &Mesh<B>,
    places: &[ScaledPose],
    scratch: &mut Scratch,
) -> usize {
    places.iter().filter(|place| mesh::overlap(mesh, mesh, place, scratch)).count()
}

/// Asks everything of all models.
pub(super) fn run(options: &Options) -> Result<bool, String> {
    let mut all = generated(options.triangles);
    all.push(assembly(options.triangles));
    if let Some(folder) = &options.models {
        let models = ModelFolder::open(folder).and_then(|folder| folder.models(options.largest));
        all.extend(models.map_err(|error| error.to_string())?);
    }
    for model in all.iter().filter(|model| model.name.contains(&options.only)) {
        let places = placements(&made(model)?, options.queries, options.seed);
        if places[0].is_empty() {
            println!("{}: left out, it does not meet its copy", model.name);
            continue;
        }
        println!("model\t{}\t{}", model.name, model.triangles.len());
        ask_of_all(model, &places)?;
        let hybrid: Mesh<Hybrid> = made(model)?;
        let [aabb, obb, sphere] = kinds(&hybrid);
        println!("kinds\t{aabb}\t{obb}\t{sphere}");
    }
    Ok(true)
}

fn ask_of_all(model: &Model, places: &[Vec<ScaledPose>; 3]) -> Result<(), String> {
    let all = [
        ask::<Hybrid>,
        ask::<Aabb>,
        ask::<Obb>,
        ask::<Sphere>,
        ask::<Rss>,
        ask::<ObbRss>,
        ask::<Dop14>,
        ask::<Dop18>,
        ask::<Dop26>,
        ask::<Dop36>,
        ask::<EllipsoidBound>,
        ask::<SphericalShell>,
        ask::<Lss>,
        ask::<Tss>,
        ask::<RoundedBox>,
        ask::<ConvexHull>,
    ];
    all.into_iter().try_for_each(|ask| ask(model, places))
}

fn made<B: Bound>(model: &Model) -> Result<Mesh<B>, String> {
    Mesh::with_volume(&model.vertices, &model.triangles)
        .map_err(|error| format!("{}: {error}", model.name))
}

fn ask<B: Bound>(model: &Model, places: &[Vec<ScaledPose>; 3]) -> Result<(), String> {
    let mesh: Mesh<B> = made(model)?;
    let mut scratch = Scratch::default();
    for (situation, places) in SITUATIONS.into_iter().zip(places) {
        let found = counted_queries(&mesh, places, &mut scratch);
        let expected = if situation == SITUATIONS[0] { places.len() } else { 0 };
        let wrong = found.abs_diff(expected);
        println!("counted\t{}\t{}\t{}\t{wrong}", B::NAME, mesh.bytes(), places.len());
    }
    Ok(())
}

/// How many nodes have children of each kind.
fn kinds(mesh: &Mesh<Hybrid>) -> [usize; 3] {
    let mut kinds = [0; 3];
    for node in 0..mesh.tree().node_count() as u32 {
        match mesh.tree().volume(8 * node) {
            Some(Hybrid::Aabb(_)) => kinds[0] += 1,
            Some(Hybrid::Obb(_)) => kinds[1] += 1,
            Some(Hybrid::Sphere(_)) => kinds[2] += 1,
            None => {}
        }
    }
    kinds
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_node_has_a_kind() {
        for model in generated(2000) {
            let mesh: Mesh<Hybrid> = made(&model).unwrap();
            let kinds = kinds(&mesh);
            assert_eq!(kinds.iter().sum::<usize>(), mesh.tree().node_count(), "{}", model.name);
        }
    }
}
