//! Ways to build trees of spheres, by the room that their spheres take.

use super::models::Model;
use impinge::geom::bound::{LANES, Sphere};
use impinge::mesh::{Mesh, MeshError};
use impinge::tree::{Builder, Covering};

/// What is compared: the coverings, and two builders that know nothing of spheres.
const BUILDERS: [Builder; 6] = [
    Builder::Spheres(Covering::Octree),
    Builder::Spheres(Covering::TriangleTiling),
    Builder::Spheres(Covering::VertexCovering),
    Builder::Spheres(Covering::MedialAxis),
    Builder::BinnedArea,
    Builder::Agglomerative,
];

/// The volume of all spheres below the root over the volume of the root.
fn room(model: &Model, builder: Builder) -> Result<f64, MeshError> {
    let mesh = Mesh::<Sphere>::with_builder(&model.vertices, &model.triangles, builder)?;
    let tree = mesh.tree();
    let cube = |sphere: Sphere| f64::from(sphere.radius()).powi(3);
    let places = LANES as u32..(LANES * tree.node_count()) as u32;
    let below: f64 = places.filter_map(|place| tree.volume(place)).map(cube).sum();
    Ok(below / tree.root().map_or(f64::NAN, cube))
}

/// Prints the table.
pub(super) fn run(models: &[Model]) -> Result<(), String> {
    println!("\nsphere trees: volume of all spheres below the root over that of the root's");
    let columns = BUILDERS.map(|builder| format!("{:>17}", builder.name())).concat();
    println!("{:<17}{columns}", "model");
    for model in models {
        print!("{:<17}", model.name);
        for builder in BUILDERS {
            let room = room(model, builder).map_err(|error| format!("{}: {error}", model.name))?;
            print!("{room:>17.3}");
        }
        println!();
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::builders::models;

    #[test]
    fn spheres_that_cover_a_ball_take_about_its_room() {
        let models = models::generated(2000);
        for builder in BUILDERS {
            let room = room(&models[1], builder).unwrap();
            assert!((0.1..20.0).contains(&room), "{builder:?}: {room}");
        }
        assert!(run(&models[..1]).is_ok());
    }
}
