//! How long impacts of large meshes take: `IMPINGE_MODEL=bunny.off cargo test --release -p impinge --test motion timing -- --ignored --nocapture`.

use crate::soup::Numbers;
use impinge::geom::glam::DVec3;
use impinge::mesh::Mode;
use impinge::query::{self, ImpactSettings, Workspace};
use impinge::{Geometry, Mesh, Motion, Pose, RigidMotion};
use std::io::Write;
use std::time::Instant;

/// A sphere of about 17,000 triangles with bumps.
fn bumpy() -> Mesh {
    let (rows, columns) = (66u32, 132u32);
    let mut vertices = Vec::new();
    for i in 0..=rows {
        for j in 0..columns {
            let (u, v) = (
                std::f64::consts::PI * f64::from(i) / f64::from(rows),
                std::f64::consts::TAU * f64::from(j) / f64::from(columns),
            );
            let radius = 0.4 + 0.06 * (7.0 * u).sin() * (5.0 * v).cos();
            vertices.push([
                radius * u.sin() * v.cos(),
                0.8 * radius * u.sin() * v.sin(),
                0.7 * radius * u.cos(),
            ]);
        }
    }
    let mut faces = Vec::new();
    for i in 0..rows {
        for j in 0..columns {
            let (a, b) = (i * columns + j, i * columns + (j + 1) % columns);
            faces.push([a, a + columns, b + columns]);
            faces.push([a, b + columns, b]);
        }
    }
    Mesh::new(&vertices, &faces).expect("valid")
}

#[test]
#[ignore = "a measurement"]
fn timing() {
    let body = Geometry::mesh(bumpy(), Mode::Surface);
    let numbers = &mut Numbers::new(42);
    let mut cases = Vec::new();
    for _ in 0..200 {
        let direction = DVec3::from([0; 3].map(|_| numbers.signed())).normalize();
        let start = numbers.pose(0.0).with_translation(direction * 1.5).expect("valid");
        let noise = DVec3::from([0; 3].map(|_| 0.3 * numbers.signed()));
        let turn = DVec3::from([0; 3].map(|_| numbers.signed()));
        let way = direction * -1.7 + noise;
        cases.push((
            RigidMotion::linear(&start, way).expect("valid"),
            RigidMotion::turning(&start, DVec3::ZERO, way, turn).expect("valid"),
        ));
    }
    let mut workspace = Workspace::default();
    let settings = ImpactSettings::default();
    let mut ask = |motion: &dyn Motion| {
        query::impact_with(&Pose::IDENTITY, &body, motion, &body, &settings, &mut workspace)
    };
    let mut out = std::io::stderr();
    for round in 0..3 {
        for (name, turning) in [("linear", false), ("turning", true)] {
            let start = Instant::now();
            let mut hits = 0;
            let mut worst = 0.0f64;
            for (linear, turn) in &cases {
                let begin = Instant::now();
                let found = ask(if turning { turn } else { linear });
                hits += u32::from(found.first.is_some());
                worst = worst.max(begin.elapsed().as_secs_f64());
            }
            let each = start.elapsed().as_secs_f64() * 1e6 / cases.len() as f64;
            writeln!(out, "{round} {name}: {each:.1} µs, worst {:.1} µs, {hits} hits", worst * 1e6)
                .expect("stderr");
        }
    }
}
