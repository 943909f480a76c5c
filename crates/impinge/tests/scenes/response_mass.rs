//! Mass, centre and inertia, against sums over the cells of a fine grid.

use crate::worlds::{Random, at, ball_mesh, box_mesh};
use impinge::geom::glam::{DMat3, DVec3};
use impinge::geom::point::signed_distance;
use impinge::geom::{Certainty, Shape};
use impinge::mesh::{Mesh, Mode};
use impinge::query::{Geometry, MeshPart};
use impinge::response::{MassProperties, ResponseError};

/// Mass, centre and inertia by a point anywhere in each cell of a grid: those inside are counted.
fn counted(half: DVec3, is_inside: impl Fn(DVec3) -> bool) -> (f64, DVec3, DMat3) {
    const CELLS: i32 = 60;
    let size = half * (2.0 / f64::from(CELLS));
    let mut random = Random::new(3);
    let (mut count, mut first, mut second) = (0.0, DVec3::ZERO, DMat3::ZERO);
    for i in 0..CELLS {
        for j in 0..CELLS {
            for k in 0..CELLS {
                let cell =
                    DVec3::new(f64::from(i), f64::from(j), f64::from(k)) + 0.5 + random.vector(0.5);
                let p = cell * size - half;
                if is_inside(p) {
                    count += 1.0;
                    first += p;
                    second += DMat3::from_cols(p * p.x, p * p.y, p * p.z);
                }
            }
        }
    }
    let mass = count * size.x * size.y * size.z;
    let center = first / count;
    let c = DMat3::from_cols(center * center.x, center * center.y, center * center.z);
    let second = (second * (1.0 / count) - c) * mass;
    let trace = second.x_axis.x + second.y_axis.y + second.z_axis.z;
    (mass, center, DMat3::from_diagonal(DVec3::splat(trace)) - second)
}

fn compare(name: &str, found: &MassProperties, counted: (f64, DVec3, DMat3), share: f64) {
    let (mass, center, inertia) = counted;
    assert!((found.mass() - mass).abs() < share * mass, "{name}: {} for {mass}", found.mass());
    assert!((found.center() - center).length() < share, "{name}: {}", found.center());
    let size = inertia.x_axis.x.max(inertia.y_axis.y).max(inertia.z_axis.z);
    let off = found.inertia() - inertia;
    let worst = off.to_cols_array().into_iter().fold(0.0, |most: f64, x| most.max(x.abs()));
    assert!(worst < share * size, "{name}: {:?} for {inertia:?}", found.inertia());
}

#[test]
fn of_shapes_as_counted() {
    let hull = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.2, 0.3, 1.2], [0.9, 0.8, 0.7]];
    let rounded = Shape::cuboid([0.6, 0.4, 0.2]).unwrap().rounded(0.3).unwrap();
    for (shape, certainty, share) in [
        (Shape::sphere(0.9).unwrap(), Certainty::Exact, 0.005),
        (Shape::cuboid([0.9, 0.6, 0.3]).unwrap(), Certainty::Exact, 0.005),
        (Shape::capsule(0.4, 0.6).unwrap(), Certainty::Exact, 0.005),
        (Shape::tapered_capsule(0.5, 0.2, 0.6).unwrap(), Certainty::Exact, 0.005),
        (Shape::tapered_capsule(0.9, 0.1, 0.3).unwrap(), Certainty::Exact, 0.005),
        (Shape::cylinder(0.7, 0.5).unwrap(), Certainty::Exact, 0.005),
        (Shape::cone(0.8, 0.9).unwrap(), Certainty::Exact, 0.005),
        (Shape::ellipsoid([0.9, 0.5, 0.3]).unwrap(), Certainty::Exact, 0.005),
        (Shape::hull(&hull).unwrap(), Certainty::Exact, 0.01),
        (rounded, Certainty::Estimate, 0.03),
    ] {
        let found = MassProperties::of_shape(&shape, 1.0).unwrap();
        assert_eq!(found.certainty(), certainty);
        let half = DVec3::splat(shape.bounding_radius());
        let counted = counted(half, |p| signed_distance(&shape, p).distance <= 0.0);
        compare(&format!("{shape:?}"), &found, counted, share);
    }
}

#[test]
fn of_meshes_and_compounds() {
    let block = MassProperties::of_mesh(&*box_mesh([0.5, 1.0, 1.5]), 2.0).unwrap();
    let same = Shape::cuboid([0.5, 1.0, 1.5]).unwrap();
    let same = MassProperties::of_shape(&same, 2.0).unwrap();
    assert!((block.mass() - same.mass()).abs() < 1e-12 && block.center().length() < 1e-14);
    assert!(block.inertia().abs_diff_eq(same.inertia(), 1e-11));
    assert_eq!(block.certainty(), Certainty::Exact);
    // Inside out, and far from the origin.
    let ball = ball_mesh(0.7, 2);
    let shift = DVec3::new(300.0, -200.0, 100.0);
    let corners: Vec<[f64; 3]> = ball.vertices().iter().map(|p| (*p + shift).to_array()).collect();
    let faces: Vec<[u32; 3]> = ball.triangles().iter().map(|[a, b, c]| [*a, *c, *b]).collect();
    let turned: Mesh = Mesh::new(&corners, &faces).unwrap();
    let [near, far] = [&*ball, &turned].map(|mesh| MassProperties::of_mesh(mesh, 1.0).unwrap());
    assert!((near.mass() - far.mass()).abs() < 1e-9 && far.center().distance(shift) < 1e-9);
    assert!(near.inertia().abs_diff_eq(far.inertia(), 1e-9));
    // An open mesh is its box, as an estimate.
    let open: Mesh = Mesh::new(&corners, &faces[1..]).unwrap();
    let open = MassProperties::of_mesh(&open, 1.0).unwrap();
    assert_eq!(open.certainty(), Certainty::Estimate);
    assert!((open.mass() - 1.4f64.powi(3)).abs() < 1e-9);
    // Two halves of a box, one of them a mesh, turned by a quarter.
    let quarter = [[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]];
    let turned = impinge::Pose::from_rows(quarter, [0.25, 0.0, 0.0]).unwrap();
    let halves = Geometry::compound([
        (0, at([-0.25, 0.0, 0.0]), Shape::cuboid([0.25, 1.0, 1.5]).unwrap().into()),
        (1, turned, MeshPart::new(box_mesh([1.0, 0.25, 1.5]), Mode::Solid).into()),
    ]);
    let whole = MassProperties::of_geometry(&halves.unwrap(), 2.0).unwrap();
    assert!((whole.mass() - same.mass()).abs() < 1e-12 && whole.center().length() < 1e-14);
    assert!(whole.inertia().abs_diff_eq(same.inertia(), 1e-11));
}

#[test]
fn far_from_the_origin_inertia_is_as_exact() {
    let half = [0.5; 3];
    let near = MassProperties::of_mesh(&*box_mesh(half), 1.0).unwrap();
    let shift = DVec3::new(1e7, -3e6, 2e7);
    // Moved by whole numbers, the corners are not rounded.
    let mesh = box_mesh(half);
    let corners: Vec<[f64; 3]> = mesh.vertices().iter().map(|p| (*p + shift).to_array()).collect();
    let moved: Mesh = Mesh::new(&corners, mesh.triangles()).unwrap();
    let shape = || Shape::cuboid([0.25, 0.5, 0.5]).unwrap().into();
    let halves = Geometry::compound([
        (0, at((shift - DVec3::X * 0.25).to_array()), shape()),
        (1, at((shift + DVec3::X * 0.25).to_array()), shape()),
    ]);
    let by_parts = MassProperties::of_geometry(&halves.unwrap(), 1.0).unwrap();
    for far in [MassProperties::of_mesh(&moved, 1.0).unwrap(), by_parts] {
        assert_eq!((far.certainty(), far.center()), (Certainty::Exact, shift));
        assert!((far.mass() - 1.0).abs() < 1e-14, "{}", far.mass());
        assert!(far.inertia().abs_diff_eq(near.inertia(), 1e-14), "{:?}", far.inertia());
    }
}

#[test]
fn a_closed_mesh_without_volume_counts_as_its_box() {
    // Four corners of a tilted plane: as a tetrahedron, what they enclose is rounding.
    let along = [DVec3::new(1.0, 0.1, 0.3), DVec3::new(0.2, 1.0, 0.7)];
    let corner = |i: f64, j: f64| (along[0] * i + along[1] * j).to_array();
    let corners = [corner(0.1, 0.2), corner(1.3, 0.1), corner(0.3, 1.1), corner(1.7, 0.9)];
    let flat: Mesh = Mesh::new(&corners, &[[0, 1, 2], [0, 2, 3], [0, 3, 1], [1, 3, 2]]).unwrap();
    assert!(flat.is_closed());
    let found = MassProperties::of_mesh(&flat, 1.0).unwrap();
    assert_eq!(found.certainty(), Certainty::Estimate);
    assert!(found.mass() > 0.1, "{}", found.mass());
    // A needle has little volume for its length, but has it exactly.
    let needle = MassProperties::of_mesh(&*box_mesh([1.0, 1e-7, 1e-7]), 1.0).unwrap();
    assert_eq!(needle.certainty(), Certainty::Exact);
}

#[test]
fn given_ones_are_checked() {
    let diagonal = |x: f64, y: f64, z: f64| [[x, 0.0, 0.0], [0.0, y, 0.0], [0.0, 0.0, z]];
    assert!(MassProperties::new(1.0, [0.0; 3], diagonal(1.0, 2.0, 3.0)).is_ok());
    for bad in [
        diagonal(1.0, 2.0, 3.1),
        diagonal(0.0, 1.0, 1.0),
        diagonal(-1.0, 1.0, 1.0),
        // Their inverses are not finite.
        diagonal(1.0, 1.0, 1e-310),
        diagonal(1e-85, 1e-85, 1e-320),
        [[1.0, 0.5, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
    ] {
        let error = MassProperties::new(1.0, [0.0; 3], bad).unwrap_err();
        assert_eq!(error, ResponseError::Inertia, "{bad:?}");
    }
    assert!(MassProperties::new(0.0, [0.0; 3], diagonal(1.0, 1.0, 1.0)).is_err());
    assert!(MassProperties::new(1.0, [f64::NAN; 3], diagonal(1.0, 1.0, 1.0)).is_err());
    assert!(MassProperties::new(1.0, [0.0; 3], diagonal(1.0, f64::INFINITY, 1.0)).is_err());
}
