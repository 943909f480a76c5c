//! Answers the driver about rays with obvhs: `CwBvh::ray_traverse` over `RtTriangle`s in the order of the tree's leaves, built by
//! `build_cwbvh_from_tris` with its preset for slow builds, which has the fastest rays.

use std::io;
use std::time::Duration;

use glam::{Vec3A, vec3a};
use obvhs::BvhBuildParams;
use obvhs::cwbvh::{CwBvh, builder::build_cwbvh_from_tris};
use obvhs::ray::{Ray, RayHit};
use obvhs::rt_triangle::RtTriangle;
use obvhs::triangle::Triangle;
use versus::mesh::model::Mesh;
use versus::mesh::scene::{Question, Scene};
use versus::serve::Adapter;

fn vector(values: [f64; 3]) -> Vec3A {
    vec3a(values[0] as f32, values[1] as f32, values[2] as f32)
}

/// The tree and, in the order of its leaves, the triangles.
fn build(mesh: &Mesh) -> (CwBvh, Vec<RtTriangle>) {
    let corners = |triangle: &[u32; 3]| {
        let [v0, v1, v2] = triangle.map(|index| vector(mesh.vertices[index as usize]));
        Triangle { v0, v1, v2 }
    };
    let triangles: Vec<Triangle> = mesh.triangles.iter().map(corners).collect();
    let parameters = BvhBuildParams::slow_build();
    let tree = build_cwbvh_from_tris(&triangles, parameters, &mut Duration::default());
    let order = tree.primitive_indices.iter();
    let triangles = order.map(|&index| RtTriangle::from(&triangles[index as usize])).collect();
    (tree, triangles)
}

/// Nodes and triangles; their order is not needed for rays.
fn bytes((tree, triangles): &(CwBvh, Vec<RtTriangle>)) -> usize {
    size_of_val(tree.nodes.as_slice()) + size_of_val(triangles.as_slice())
}

fn main() -> io::Result<()> {
    let scene = Scene::from_arguments()?;
    let mut adapter = Adapter::new("obvhs", "0.4.0", "f32");
    for case in scene.cases.iter().filter(|case| case.threads == 1) {
        let mesh = &scene.meshes[case.a as usize];
        match case.question {
            Question::RayTree => adapter.add_timed(&case.name, case.clock(), 1, move |answers| {
                answers[0] = bytes(&build(mesh)) as f64;
            }),
            Question::Ray => {
                let (tree, triangles) = build(mesh);
                let rays: Vec<[Vec3A; 2]> = case
                    .rays
                    .iter()
                    .map(|ray| [vector(ray.origin), vector(ray.direction)])
                    .collect();
                adapter.add(&case.name, rays.len(), move |answers| {
                    for (answer, [origin, direction]) in answers.iter_mut().zip(&rays) {
                        let ray = Ray::new_inf(*origin, *direction);
                        let mut hit = RayHit::none();
                        let found = tree.ray_traverse(ray, &mut hit, |ray, index| {
                            triangles[index].intersect(ray)
                        });
                        *answer = if found { f64::from(hit.t) } else { f64::INFINITY };
                    }
                });
            }
            _ => {}
        }
    }
    adapter.serve()
}
