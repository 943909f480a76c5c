//! The bodies on which builders and volumes are compared: two of the generated ones, bent into shapes that trouble one volume or
//! another, and those in a folder of files.

use crate::generate::random::Random;
use crate::measure::growth::{Raw, bumpy};
use crate::measure::proximity;
use impinge::geom::glam::{DMat3, DVec3};
use std::path::Path;

/// A body.
#[derive(Clone, Debug)]
pub(in crate::measure) struct Model {
    /// What the tables say.
    pub(in crate::measure) name: String,
    /// The corners.
    pub(in crate::measure) vertices: Vec<[f64; 3]>,
    /// As indices of the vertices.
    pub(in crate::measure) triangles: Vec<[u32; 3]>,
}

impl Model {
    fn new(name: &str, (vertices, triangles): Raw) -> Self {
        Self { name: name.into(), vertices, triangles }
    }

    /// A ball with bumps, its vertices moved.
    fn bent(name: &str, side: usize, bend: impl Fn(DVec3) -> DVec3) -> Self {
        let (mut vertices, triangles) = bumpy(side);
        for vertex in &mut vertices {
            *vertex = bend(DVec3::from_array(*vertex)).to_array();
        }
        Self::new(name, (vertices, triangles))
    }
}

/// Bodies of about the given number of triangles.
pub(in crate::measure) fn generated(triangles: usize) -> Vec<Model> {
    let side = ((triangles as f64 / 12.0).sqrt().round() as usize).max(2);
    // Turned by a third of a circle about nothing in particular, so that no long side lies along an axis.
    let aslant = DMat3::from_cols(
        DVec3::new(2.0, 2.0, 1.0) / 3.0,
        DVec3::new(-2.0, 1.0, 2.0) / 3.0,
        DVec3::new(1.0, -2.0, 2.0) / 3.0,
    );
    let scaled = move |x: f64, y: f64, z: f64| move |p: DVec3| aslant * (p * DVec3::new(x, y, z));
    let twisted = move |p: DVec3| {
        let (sin, cos) = (1.5 * p.x).sin_cos();
        let (y, z) = (p.y, 0.1 * p.z);
        aslant * DVec3::new(4.0 * p.x, cos * y - sin * z, sin * y + cos * z)
    };
    // The upper half is folded into the lower one.
    let folded = |p: DVec3| if p.z > 0.0 { p * DVec3::new(0.9, 0.9, -0.9) } else { p };
    let uneven = |p: DVec3| (p.normalize() + DVec3::X * 0.9).normalize() * p.length();
    vec![
        Model::new("bumpy ball", bumpy(side)),
        Model::new("smooth ball", ball(triangles)),
        Model::bent("aligned block", side, |p| p * DVec3::new(3.0, 2.0, 1.0)),
        Model::bent("rod aslant", side, scaled(20.0, 1.0, 1.0)),
        Model::bent("plate aslant", side, scaled(1.0, 1.0, 0.03)),
        Model::bent("bow", side, move |p| {
            aslant * DVec3::new(3.0 * p.x, p.y + 3.0 * p.x * p.x, p.z)
        }),
        Model::bent("twisted blade", side, twisted),
        Model::bent("bowl", side, folded),
        Model::bent("uneven ball", side, uneven),
        crowd(side),
        soup(side),
    ]
}

fn ball(triangles: usize) -> Raw {
    let level = (0..9).find(|level| 20 << (2 * (level + 1)) > triangles).unwrap_or(9);
    soup_of(&proximity::sphere(level))
}

/// Triangles that share no vertices.
fn soup_of(corners: &[[DVec3; 3]]) -> Raw {
    let vertices = corners.as_flattened().iter().map(|p| p.to_array()).collect();
    let triangle = |k: usize| std::array::from_fn(|corner| (3 * k + corner) as u32);
    (vertices, (0..corners.len()).map(triangle).collect())
}

/// Balls in rows, layers and columns, three of each.
fn crowd(side: usize) -> Model {
    let (own, faces) = bumpy((side as f64 / 27.0_f64.sqrt()).round().max(2.0) as usize);
    let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
    for place in 0..27 {
        let first = vertices.len() as u32;
        let center = [place % 3, place / 3 % 3, place / 9].map(|k| 3.0 * f64::from(k));
        vertices.extend(own.iter().map(|p| std::array::from_fn(|c| p[c] + center[c])));
        triangles.extend(faces.iter().map(|face| face.map(|vertex| vertex + first)));
    }
    Model::new("crowd of balls", (vertices, triangles))
}

/// The triangles of a ball, enlarged and scattered in a cube.
fn soup(side: usize) -> Model {
    let (vertices, triangles) = bumpy(side);
    let mut random = Random::new(3);
    let corners: Vec<[DVec3; 3]> = triangles
        .iter()
        .map(|face| {
            let own = face.map(|vertex| DVec3::from_array(vertices[vertex as usize]));
            let place = DVec3::from_array(random.point()) * 2.0;
            own.map(|p| (p - own[0]) * 3.0 + place)
        })
        .collect();
    Model::new("scattered soup", soup_of(&corners))
}

/// The models among the files of a folder, by name. What cannot be read, or has more than `largest` triangles, is told and left out.
pub(in crate::measure) fn read(folder: &Path, largest: usize) -> Result<Vec<Model>, String> {
    let entries = std::fs::read_dir(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    let mut models = Vec::new();
    for path in paths.iter().filter(|path| path.is_file()) {
        let name = path.file_stem().map_or(String::new(), |name| name.to_string_lossy().into());
        match impinge_io::read(path) {
            Ok(data) if data.triangles.is_empty() => println!("{name}: left out, no triangles"),
            Ok(data) if data.triangles.len() > largest => {
                println!("{name}: left out, {} triangles", data.triangles.len());
            }
            Ok(data) => models.push(Model::new(&name, (data.vertices, data.triangles))),
            Err(error) => println!("{name}: left out, {error}"),
        }
    }
    Ok(models)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_have_about_the_number_of_triangles_that_was_asked_for() {
        let models = generated(3000);
        assert!(models.len() >= 8);
        for Model { name, vertices, triangles } in models {
            assert!((1000..=4500).contains(&triangles.len()), "{name}: {}", triangles.len());
            assert!(triangles.as_flattened().iter().all(|v| (*v as usize) < vertices.len()));
            assert!(vertices.as_flattened().iter().all(|x| x.is_finite()), "{name}");
        }
    }

    #[test]
    fn folders_are_read_and_what_is_no_mesh_is_left_out() {
        let folder = std::env::temp_dir().join(format!("impinge-models-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let off = "OFF 3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n";
        std::fs::write(folder.join("b.off"), off).unwrap();
        std::fs::write(folder.join("a.txt"), "no mesh").unwrap();
        let names = |largest: usize| -> Vec<String> {
            read(&folder, largest).unwrap().into_iter().map(|model| model.name).collect()
        };
        assert_eq!(names(1), ["b"]);
        assert!(names(0).is_empty());
        std::fs::remove_dir_all(&folder).unwrap();
        assert!(read(&folder, 1).is_err());
    }
}
