//! Polygons that are not convex cover what they should: areas and volumes against closed forms.

use impinge_io::{Format, LoadOptions, MeshData, parse, read_scene};
use std::path::Path;

fn corners(mesh: &MeshData) -> impl Iterator<Item = [[f64; 3]; 3]> {
    mesh.triangles.iter().map(|t| t.map(|corner| mesh.vertices[corner as usize]))
}

fn minus(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

fn cross([a, b, c]: [[f64; 3]; 3]) -> [f64; 3] {
    let (u, v) = (minus(b, a), minus(c, a));
    [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]
}

fn area(mesh: &MeshData) -> f64 {
    corners(mesh).map(|t| cross(t).iter().map(|x| x * x).sum::<f64>().sqrt() / 2.0).sum()
}

fn volume(mesh: &MeshData) -> f64 {
    let about_origin = |t: [[f64; 3]; 3]| {
        cross([[0.0; 3], t[0], t[1]]).iter().zip(t[2]).map(|(n, x)| n * x).sum::<f64>() / 6.0
    };
    corners(mesh).map(about_origin).sum()
}

/// The mesh of a file with one part.
fn of_file(file: &str) -> MeshData {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/io");
    let scene = read_scene(folder.join(file), &LoadOptions::default()).unwrap();
    scene.shapes[0].to_mesh().into_owned()
}

#[test]
fn an_l_covers_three_squares() {
    let step = of_file("obj/step.obj");
    assert_eq!(area(&step), 2.0 * 3.0 + 8.0 * 3.0);
    assert_eq!(volume(&step), 3.0 * 3.0);
}

#[test]
fn stars_cover_their_area() {
    assert_eq!(area(&of_file("off/star.off")), 16.0);
    let slope = area(&of_file("ply/star.ply"));
    assert!((slope - 64.0 * 2f64.sqrt()).abs() < 1e-12, "{slope}");
    // The triangle (4, 0), (1, 1), (0, 4), and the fan of it and (4, 0), (0, 4), (-1, 1).
    assert_eq!(area(&of_file("dae/star.dae")), 16.0 + 16.0 + 0.5 * 8.0 + 0.5 * (8.0 + 16.0));
}

/// Combs with up to a thousand teeth from any first corner: as many triangles as there must be, and the area.
#[test]
fn combs() {
    for teeth in [1, 2, 7, 60, 1000] {
        let mut ring = vec![[0.0, 0.0], [2.0 * teeth as f64, 0.0]];
        for tooth in (0..teeth).rev() {
            let x = 2.0 * tooth as f64;
            ring.extend([[x + 2.0, 1.0], [x + 1.0, 1.0], [x + 1.0, 9.0], [x, 9.0]]);
        }
        for first in [0, 1, 2, 3, ring.len() / 2] {
            let mut text = format!("OFF\n{} 1 0\n", ring.len());
            for k in 0..ring.len() {
                let [x, y] = ring[(k + first) % ring.len()];
                text += &format!("{x} {y} {}\n", x + 2.0 * y);
            }
            text += &format!("{}", ring.len());
            (0..ring.len()).for_each(|k| text += &format!(" {k}"));
            let mesh = parse(text.as_bytes(), Format::Off, "comb.off").unwrap();
            assert_eq!(mesh.triangles.len(), ring.len() - 2);
            let expected = (2.0 * teeth as f64 + 8.0 * teeth as f64) * 6f64.sqrt();
            assert!((area(&mesh) / expected - 1.0).abs() < 1e-12, "{teeth} {first}");
        }
    }
}

/// A face of many corners that crosses itself takes no time to speak of.
#[test]
fn tangled_faces_end() {
    for corners in [400, 4000, 40_000] {
        let mut state = 1u64;
        let mut random = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            state >> 40
        };
        let mut text = format!("OFF\n{corners} 1 0\n");
        (0..corners).for_each(|_| text += &format!("{} {} 0\n", random(), random()));
        text += &format!("{corners}");
        (0..corners).for_each(|k| text += &format!(" {k}"));
        let mesh = parse(text.as_bytes(), Format::Off, "tangle.off").unwrap();
        assert_eq!(mesh.triangles.len(), corners - 2);
        assert_eq!(mesh.triangles[0], [0, 1, 2]);
    }
}
