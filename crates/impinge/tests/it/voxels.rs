//! Occupied cells are those of asking about each cell and each triangle.

use crate::solids::{block, mesh, torus};
use crate::soup::{Numbers, Raw, dirty};
use impinge::Pose;
use impinge::geom::{Shape, pair};
use impinge::mesh::{self, Mesh, ScaledPose, Scratch};
use impinge::voxel::{FINEST, Voxels, share_a_cell};

/// How far a triangle is from a cell, in cells; zero if they touch.
fn distance(mesh: &Mesh, triangle: u32, voxels: &Voxels, cell: [u32; 3]) -> f64 {
    let center = voxels.center(cell);
    let corners = mesh.corners(triangle).map(|corner| (corner - center).to_array());
    let cube = Shape::cuboid([0.5 * voxels.size(); 3]).expect("valid");
    let triangle = Shape::triangle(corners).expect("valid");
    let pose = Pose::from_translation([0.0; 3]).expect("valid");
    let gap = pair::distance(&cube, &triangle, &pose, &mut pair::Cache::default());
    gap.distance / voxels.size()
}

fn all_cells(voxels: &Voxels) -> impl Iterator<Item = [u32; 3]> + use<> {
    let [columns, rows, layers] = voxels.counts();
    (0..layers).flat_map(move |z| (0..rows).flat_map(move |y| (0..columns).map(move |x| [x, y, z])))
}

/// A ring, a block whose sides are those of cells, and loose triangles, some without area.
fn models(numbers: &mut Numbers) -> Vec<Raw> {
    let far = |(vertices, faces): Raw| {
        let moved = vertices.iter().map(|v| v.map(|x| x + 1e7)).collect();
        (moved, faces)
    };
    vec![
        torus(1.0, 0.4, 12, 8),
        block([0.0; 3], [4.0, 2.0, 1.0], 1, false),
        far(block([0.0; 3], [4.0, 2.0, 1.0], 2, true)),
        dirty(numbers, 20, 0.3),
        dirty(numbers, 5, 1.0),
    ]
}

#[test]
fn cells_of_the_surface_are_those_that_triangles_touch() {
    let mut numbers = Numbers::new(21);
    for (model, raw) in models(&mut numbers).iter().enumerate() {
        let mesh = mesh(raw);
        for resolution in [1, 4, 9] {
            let voxels = Voxels::of_surface(&mesh, resolution).expect("valid");
            let mut empty = 0;
            for cell in all_cells(&voxels) {
                let faces = 0..mesh.triangles().len() as u32;
                let nearest = faces.map(|face| distance(&mesh, face, &voxels, cell));
                let nearest = nearest.fold(f64::INFINITY, f64::min);
                if voxels.is_occupied(cell) {
                    assert!(nearest <= 1e-8, "model {model}, {cell:?} of {resolution}: {nearest}");
                } else {
                    assert!(nearest > 0.0, "model {model}, {cell:?} of {resolution}");
                    empty += 1;
                }
            }
            assert_eq!(voxels.cells().count() + empty, all_cells(&voxels).count());
            assert!(model != 0 || resolution < 9 || empty > 20);
        }
    }
}

#[test]
fn cells_of_the_inside_are_those_with_their_centres_inside() {
    let ring = mesh(&torus(1.0, 0.4, 24, 12));
    let voxels = Voxels::of_inside(&ring, 24).expect("valid");
    let (mut wrong, mut inside) = (0, 0);
    for cell in all_cells(&voxels) {
        let number = mesh::generalised_winding(&ring, voxels.center(cell));
        let occupied = voxels.is_occupied(cell);
        inside += usize::from(occupied);
        wrong += usize::from(occupied != (number.abs() > 0.5));
    }
    assert_eq!(wrong, 0);
    // The volume of the ring, less what its flat faces cut off.
    let volume = inside as f64 * voxels.size().powi(3);
    assert!((volume / 3.16 - 1.0).abs() < 0.12, "{volume}");
}

#[test]
fn surfaces_that_meet_share_a_cell() {
    let mut numbers = Numbers::new(22);
    let mut scratch = Scratch::default();
    let (mut meet, mut apart, mut spared) = (0, 0, 0);
    for (k, raw) in models(&mut numbers).iter().enumerate() {
        let (a, b) = (mesh(raw), mesh(&torus(0.9, 0.3, 9, 7)));
        let (cells_a, cells_b) = (Voxels::of_surface(&a, 12), Voxels::of_surface(&b, 7));
        let (cells_a, cells_b) = (cells_a.expect("valid"), cells_b.expect("valid"));
        for round in 0..60 {
            let offset = if k == 2 { 1e7 } else { 0.0 };
            let pose = numbers.pose(2.5);
            let moved = pose.translation().to_array().map(|x| x + offset);
            let pose = Pose::new(pose.quaternion(), moved).expect("valid");
            let relative = ScaledPose { pose, scale: [1.0, 0.5][round % 2] };
            let shared = share_a_cell(&cells_a, &cells_b, &relative);
            if mesh::overlap(&a, &b, &relative, &mut scratch) {
                assert!(shared, "model {k}, round {round}");
                meet += 1;
            } else {
                apart += 1;
                spared += usize::from(!shared);
                let near = mesh::distance(&a, &b, &relative, &mut scratch).distance;
                let reach = 2.0 * 3f64.sqrt() * (cells_a.size() + cells_b.size() * relative.scale);
                assert!(!shared || near < reach, "{near}");
            }
        }
    }
    assert!(meet > 30 && apart > 50 && spared > apart / 3, "{meet} {apart} {spared}");
}

#[test]
fn grids_without_cells_or_with_too_many_are_refused() {
    let mesh = mesh(&torus(1.0, 0.4, 6, 4));
    for resolution in [0, FINEST + 1, u32::MAX] {
        let error = Voxels::of_surface(&mesh, resolution).expect_err("refused").to_string();
        assert!(error.starts_with(&resolution.to_string()), "{error}");
        assert!(Voxels::of_inside(&mesh, resolution).is_err());
    }
    assert_eq!(Voxels::of_surface(&mesh, 64).expect("valid").bytes() % 8, 0);
}

#[test]
fn a_point_is_one_cell() {
    let mesh: Mesh = Mesh::new(&[[3.0, 4.0, 5.0]], &[[0, 0, 0]]).expect("valid");
    let voxels = Voxels::of_surface(&mesh, 10).expect("valid");
    assert_eq!((voxels.counts(), voxels.occupied()), ([1; 3], 1));
}
