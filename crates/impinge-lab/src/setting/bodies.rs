//! The bodies on which hierarchies are compared: balls, bent into shapes that trouble one volume or another.

use super::concentric;
use crate::error::LabError;
use crate::model::{Model, bumps};
use crate::random::Random;
use crate::session::Session;
use impinge::geom::glam::{DMat3, DVec3};

/// The eleven of [`generated`] of about `triangles` triangles, and those of the session's folder of up to `largest`.
pub(crate) fn of(
    session: &Session<'_>,
    triangles: usize,
    largest: usize,
) -> Result<Vec<Model>, LabError> {
    let mut all = generated(triangles);
    if let Some(folder) = &session.models {
        all.extend(folder.models(largest)?);
    }
    Ok(all)
}

fn model(name: &str, (vertices, triangles): Raw) -> Model {
    Model { name: name.into(), vertices, triangles }
}

/// A ball with bumps, its vertices moved.
fn bent(name: &str, side: usize, bend: impl Fn(DVec3) -> DVec3) -> Model {
    let (mut vertices, triangles) = bumpy(side);
    for vertex in &mut vertices {
        *vertex = bend(DVec3::from_array(*vertex)).to_array();
    }
    model(name, (vertices, triangles))
}

/// A turn about nothing in particular, so that no long side lies along an axis: by whole numbers, each over three.
pub(crate) fn aslant() -> DMat3 {
    DMat3::from_cols(
        DVec3::new(2.0, 2.0, 1.0) / 3.0,
        DVec3::new(-2.0, 1.0, 2.0) / 3.0,
        DVec3::new(1.0, -2.0, 2.0) / 3.0,
    )
}

/// Eleven bodies of about the given number of triangles.
///
/// ```
/// let names: Vec<String> = impinge_lab::setting::bodies::generated(300).into_iter().map(|model| model.name).collect();
/// assert_eq!((names.len(), names[3].as_str()), (11, "rod aslant"));
/// ```
pub fn generated(triangles: usize) -> Vec<Model> {
    let side = ((triangles as f64 / 12.0).sqrt().round() as usize).max(2);
    let aslant = aslant();
    let scaled = move |x: f64, y: f64, z: f64| move |p: DVec3| aslant * (p * DVec3::new(x, y, z));
    let twisted = move |p: DVec3| {
        // By the tangent of half the angle: no sines, which are not the same everywhere.
        let t = 0.75 * p.x;
        let (sin, cos) = (2.0 * t / (1.0 + t * t), (1.0 - t * t) / (1.0 + t * t));
        let (y, z) = (p.y, 0.1 * p.z);
        aslant * DVec3::new(4.0 * p.x, cos * y - sin * z, sin * y + cos * z)
    };
    // The upper half is folded into the lower one.
    let folded = |p: DVec3| if p.z > 0.0 { p * DVec3::new(0.9, 0.9, -0.9) } else { p };
    let uneven = |p: DVec3| (p.normalize() + DVec3::X * 0.9).normalize() * p.length();
    vec![
        model("bumpy ball", bumpy(side)),
        model("smooth ball", ball(triangles)),
        bent("aligned block", side, |p| p * DVec3::new(3.0, 2.0, 1.0)),
        bent("rod aslant", side, scaled(20.0, 1.0, 1.0)),
        bent("plate aslant", side, scaled(1.0, 1.0, 0.03)),
        bent("bow", side, move |p| aslant * DVec3::new(3.0 * p.x, p.y + 3.0 * p.x * p.x, p.z)),
        bent("twisted blade", side, twisted),
        bent("bowl", side, folded),
        bent("uneven ball", side, uneven),
        crowd(side),
        soup(side),
    ]
}

/// What an assembly is made of, and where each part is.
const PARTS: [(&str, [f64; 3]); 4] = [
    ("smooth ball", [0.0, 0.0, 0.0]),
    ("rod aslant", [2.5, -2.0, 0.0]),
    ("aligned block", [-4.5, 0.0, 0.0]),
    ("scattered soup", [0.0, 4.5, 0.0]),
];

/// A body whose parts want different volumes: a ball, a rod aslant, a block along the axes and scattered triangles, side by side.
pub fn assembly(triangles: usize) -> Model {
    let parts = generated(triangles / PARTS.len());
    let (mut vertices, mut faces) = (Vec::new(), Vec::new());
    for (name, place) in PARTS {
        for part in parts.iter().filter(|part| part.name == name) {
            let first = vertices.len() as u32;
            let moved = |p: &[f64; 3]| std::array::from_fn(|axis| p[axis] + place[axis]);
            vertices.extend(part.vertices.iter().map(moved));
            faces.extend(part.triangles.iter().map(|face| face.map(|vertex| vertex + first)));
        }
    }
    model("assembly", (vertices, faces))
}

fn ball(triangles: usize) -> Raw {
    let level = (0..9).find(|level| 20 << (2 * (level + 1)) > triangles).unwrap_or(9);
    soup_of(&concentric::sphere(level))
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
    model("crowd of balls", (vertices, triangles))
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
    model("scattered soup", soup_of(&corners))
}

/// Vertices and triangles.
pub(crate) type Raw = (Vec<[f64; 3]>, Vec<[u32; 3]>);

/// A ball with bumps: the six sides of a cube, each divided `side` times, drawn out to a radius that waves between 0.84 and 1.1.
pub(crate) fn bumpy(side: usize) -> Raw {
    let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
    for face in 0..6 {
        let (axis, sign) = (face % 3, if face < 3 { 1.0 } else { -1.0 });
        let first = vertices.len() as u32;
        for i in 0..=side {
            for j in 0..=side {
                let mut p = [0.0; 3];
                p[axis] = sign;
                p[(axis + 1) % 3] = 2.0 * i as f64 / side as f64 - 1.0;
                p[(axis + 2) % 3] = sign * (2.0 * j as f64 / side as f64 - 1.0);
                let n = DVec3::from_array(p).normalize();
                vertices.push((n * bumps(n)).to_array());
            }
        }
        let across = side as u32 + 1;
        for i in 0..side as u32 {
            for j in 0..side as u32 {
                let at = |i: u32, j: u32| first + i * across + j;
                triangles.push([at(i, j), at(i + 1, j), at(i + 1, j + 1)]);
                triangles.push([at(i, j), at(i + 1, j + 1), at(i, j + 1)]);
            }
        }
    }
    (vertices, triangles)
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
    fn all_parts_of_an_assembly_are_there() {
        let model = assembly(4000);
        assert!((2500..=5500).contains(&model.triangles.len()), "{}", model.triangles.len());
        let used = model.triangles.as_flattened().iter().max().map(|last| *last as usize + 1);
        assert_eq!(used, Some(model.vertices.len()));
    }
}
