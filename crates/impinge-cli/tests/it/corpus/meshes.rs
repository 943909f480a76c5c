//! Hostile meshes: OBJ, STL, PLY and OFF.

use super::{File, noise, sizes};
use std::f64::consts::TAU;
use std::fmt::Write as _;

/// A polygon through points.
fn polygon(points: impl Iterator<Item = [f64; 3]>) -> Vec<u8> {
    let (mut text, mut face, mut count) = (String::new(), String::from("f"), 0);
    for [x, y, z] in points {
        count += 1;
        writeln!(text, "v {x:.5} {y:.5} {z:.5}").unwrap();
        write!(face, " {count}").unwrap();
    }
    (text + &face + "\n").into_bytes()
}

/// Boxes, each a part of its own: its low corner, its sides, and an angle about z.
fn boxes(list: impl Iterator<Item = ([f64; 3], [f64; 3], f64)>) -> Vec<u8> {
    let mut text = String::new();
    for (index, (low, side, angle)) in list.enumerate() {
        writeln!(text, "o p{index}").unwrap();
        let (sine, cosine) = angle.sin_cos();
        for corner in 0..8u32 {
            let [x, y, z] = [0, 1, 2].map(|k| side[k] * f64::from(corner >> k & 1));
            let (x, y) = (cosine * x - sine * y, sine * x + cosine * y);
            writeln!(text, "v {:.4} {:.4} {:.4}", low[0] + x, low[1] + y, low[2] + z).unwrap();
        }
        for face in
            [[8, 6, 5, 7], [4, 3, 1, 2], [8, 7, 3, 4], [6, 2, 1, 5], [8, 4, 2, 6], [7, 5, 1, 3]]
        {
            writeln!(text, "f -{} -{} -{} -{}", face[0], face[1], face[2], face[3]).unwrap();
        }
    }
    text.into_bytes()
}

fn repeated(head: &str, line: impl Fn(usize) -> String, count: usize, end: &str) -> Vec<u8> {
    let mut text = head.to_string();
    (0..count).for_each(|k| text.push_str(&line(k)));
    (text + end).into_bytes()
}

/// Triangles of an ASCII STL.
fn stl(count: usize, corner: impl Fn(usize, usize) -> [f64; 3]) -> Vec<u8> {
    let facet = |k: usize| {
        let vertex = |c: usize| {
            let [x, y, z] = corner(k, c);
            format!("vertex {x:.3} {y:.3} {z:.3}\n")
        };
        format!(
            "facet normal 0 0 0\nouter loop\n{}{}{}endloop\nendfacet\n",
            vertex(0),
            vertex(1),
            vertex(2)
        )
    };
    repeated("solid x\n", facet, count, "endsolid\n")
}

fn binary_stl(count: usize, corner: impl Fn(usize, usize) -> [f64; 3]) -> Vec<u8> {
    let mut bytes = vec![0; 80];
    bytes.extend((count as u32).to_le_bytes());
    for k in 0..count {
        bytes.extend([0; 12]);
        for value in (0..3).flat_map(|c| corner(k, c)) {
            bytes.extend((value as f32).to_le_bytes());
        }
        bytes.extend([0; 2]);
    }
    bytes
}

fn off(vertices: usize, faces: usize, claimed: usize) -> Vec<u8> {
    let mut text = format!("OFF {claimed} {claimed} 0\n");
    (0..vertices).for_each(|k| {
        writeln!(text, "{:.4} {:.4} {:.4}", noise(k), noise(k + 7), noise(k + 13)).unwrap()
    });
    (0..faces).for_each(|k| {
        writeln!(text, "3 {} {} {}", k % vertices, (k * 7 + 1) % vertices, (k * 13 + 2) % vertices)
            .unwrap()
    });
    text.into_bytes()
}

fn polygons() -> Vec<File> {
    let turn = |k: usize, n: usize| TAU * k as f64 / n as f64;
    let circle = |a: f64, r: f64| [r * a.cos(), r * a.sin(), 0.3 * r * a.cos()];
    let mut files = sizes("convex", "obj", |n| polygon((0..n).map(|k| circle(turn(k, n), 1.0))));
    files.extend(sizes("star", "obj", |n| {
        polygon((0..n).map(|k| circle(turn(k * (n / 2).max(1) % n, n), 1.0)))
    }));
    files.extend(sizes("wheel", "obj", |n| {
        polygon((0..n).map(|k| circle(turn(k, n), if k % 2 == 0 { 1.0 } else { 0.1 })))
    }));
    files.extend(sizes("zigzag", "obj", |n| {
        polygon((0..n).map(|k| {
            let (along, side) = (k as f64 / n as f64, (k % 2) as f64);
            [along + side, along - side, 0.0]
        }))
    }));
    files.extend(sizes("comb", "obj", |n| {
        polygon((0..n).map(|k| [(k / 2) as f64, if k % 4 < 2 { 0.0 } else { 1000.0 }, 0.0]))
    }));
    files.extend(sizes("spiral", "obj", |n| {
        polygon((0..n).map(|k| circle(20.0 * turn(k, n), 1.0 + k as f64 / n as f64)))
    }));
    files.extend(sizes("scribble", "obj", |n| {
        polygon((0..n).map(|k| [noise(k), noise(k + n), 0.0]))
    }));
    files.extend(sizes("line", "obj", |n| polygon((0..n).map(|k| [noise(k), 0.0, 0.0]))));
    files.extend(sizes("point", "obj", |n| polygon((0..n).map(|_| [1.0, 1.0, 1.0]))));
    files.extend(sizes("three_corners", "obj", |n| {
        repeated("v 0 0 0\nv 1 0 0\nv 0 1 0\nf", |k| format!(" {}", k % 3 + 1), n, "\n")
    }));
    files.extend(sizes("four_corners", "obj", |n| {
        repeated(
            "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 1\nf",
            |k| format!(" {}", k * k % 4 + 1),
            n,
            "\n",
        )
    }));
    files.extend(sizes("same_face", "obj", |n| {
        repeated("v 0 0 0\nv 1 0 0\nv 0 1 0\n", |_| "f 1 2 3\n".into(), n, "")
    }));
    files.extend(sizes("both_ways", "obj", |n| {
        repeated(
            "v 0 0 0\nv 1 0 0\nv 0 1 0\n",
            |k| if k % 2 == 0 { "f 1 2 3\n" } else { "f 3 2 1\n" }.into(),
            2 * n,
            "",
        )
    }));
    files
}

fn parts() -> Vec<File> {
    let unit = [1.0; 3];
    let mut files = sizes("copies", "obj", |n| boxes((0..n).map(|_| ([0.0; 3], unit, 0.0))));
    files.extend(sizes("turned", "obj", |n| boxes((0..n).map(|k| ([0.0; 3], unit, k as f64)))));
    files.extend(sizes("nested", "obj", |n| {
        boxes((0..n).map(|k| ([-(k as f64); 3], [1.0 + 2.0 * k as f64; 3], 0.0)))
    }));
    files.extend(sizes("shifted", "obj", |n| {
        boxes((0..n).map(|k| ([1e-4 * k as f64, 0.0, 0.0], unit, 0.0)))
    }));
    files.extend(sizes("wall", "obj", |n| {
        boxes((0..n).map(|k| ([0.0, (k % 40) as f64, (k / 40) as f64], unit, 0.0)))
    }));
    files.extend(sizes("heap", "obj", |n| {
        boxes((0..n).map(|k| ([noise(k), noise(k + n), noise(k + 2 * n)], unit, noise(k))))
    }));
    files.extend(sizes("needles", "obj", |n| {
        boxes((0..n).map(|k| ([0.0; 3], [1000.0, 0.01, 0.01], noise(k) * TAU)))
    }));
    files.extend(sizes("ladder", "obj", |n| {
        boxes((0..n).map(|k| ([0.0; 3], [1.0 + k as f64, 1.0, 1.0], 0.0)))
    }));
    files
}

fn soups() -> Vec<File> {
    let through = |k: usize, c: usize| match c {
        0 => [noise(k), noise(k + 1), noise(k + 2)],
        1 => [-noise(k), -noise(k + 3), -noise(k + 4)],
        _ => [noise(k + 5), -noise(k + 6), noise(k + 7)],
    };
    let fan = |k: usize, c: usize| {
        [[0.0; 3], [noise(k), noise(k + 9), 1.0], [noise(k + 1), noise(k + 10), 1.0]][c]
    };
    let sheet =
        |k: usize, c: usize| [[0.0, 0.0, 0.0], [1.0, noise(k), 0.0], [noise(k + 3), 1.0, 0.0]][c];
    let sliver = |k: usize, c: usize| [k as f64 * 1e-3 * c as f64, 1e-3 * (k % 7) as f64, 0.0];
    let mut files = Vec::new();
    for (name, corner) in [
        ("through", &through as &dyn Fn(usize, usize) -> [f64; 3]),
        ("fan", &fan),
        ("sheet", &sheet),
        ("sliver", &sliver),
        ("nothing", &|_, _| [0.0; 3]),
    ] {
        files.extend(sizes(&format!("{name}_text"), "stl", |n| stl(n, corner)));
        files.extend(sizes(&format!("{name}_binary"), "stl", |n| binary_stl(n, corner)));
    }
    files
}

/// All of them.
pub(super) fn all() -> Vec<File> {
    let mut files = polygons();
    files.extend(parts());
    files.extend(soups());
    files.extend(sizes("names", "obj", |n| {
        repeated(
            "v 0 0 0\nv 1 0 0\nv 0 1 0\n",
            |k| format!("o {k}\ng {k}\nusemtl {k}\nf 1 2 3\n"),
            n,
            "",
        )
    }));
    files.extend(sizes("long_name", "obj", |n| {
        repeated(
            "v 0 0 0\nv 1 0 0\nv 0 1 0\no ",
            |_| "x\u{1b}".into(),
            n,
            "\nf 1 2 3\no b\nf 1 2 3\n",
        )
    }));
    files.extend(sizes("vertices", "obj", |n| {
        repeated("", |_| "v 1e76 -1e-320 0\n".into(), n, "f 1 1 1\n")
    }));
    files.extend(sizes("blank", "obj", |n| repeated("", |_| "\n".into(), n, "")));
    files.extend(sizes("joined_lines", "obj", |n| {
        repeated("v 0 0 0\n", |_| "\\\n".into(), n, "f 1 1 1\n")
    }));
    files.extend(sizes("random", "off", |n| off(n.min(60), n, n)));
    files.extend(sizes("claims", "off", |n| off(3, n, usize::MAX / 2)));
    files.extend(sizes("properties", "ply", |n| {
        repeated(
            "ply\nformat ascii 1.0\nelement vertex 4000000000\n",
            |k| format!("property float p{k}\n"),
            n,
            "end_header\n1\n",
        )
    }));
    files.extend(sizes("elements", "ply", |n| {
        repeated(
            "ply\nformat binary_little_endian 1.0\n",
            |k| format!("element e{k} 4294967295\n"),
            n,
            "end_header\n",
        )
    }));
    files.extend(sizes("lists", "ply", |n| {
        let head = "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\nelement face 1\nproperty list uint int vertex_indices\nend_header\n0 0 0\n1 0 0\n0 1 0\n";
        repeated(&format!("{head}{n}"), |k| format!(" {}", k % 3), n, "\n")
    }));
    files
}
