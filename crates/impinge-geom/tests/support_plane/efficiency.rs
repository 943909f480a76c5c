//! Figure 7: how much of each volume the body fills, on generated models.

use crate::bodies::Random;
use impinge_geom::bound::{Bound, Dop26, Kdop, Moments};
use impinge_geom::glam::{DVec3, Vec3A};
use impinge_geom::hull::Hull;
use impinge_geom::support_plane::{
    Enclosure, FaceMapping, Grid, PlaneTable, SupportPlane, enclosed_volume,
};

/// A long, bent body of ten lumps, turned at random. As with scanned models, its hull has some hundred vertices.
fn lumps(seed: u64) -> Vec<DVec3> {
    let mut random = Random(seed);
    let turn = random.pose(DVec3::ZERO);
    let mut points = Vec::new();
    for k in 0..10 {
        let along = f64::from(k) / 4.5 - 1.0;
        let center = DVec3::new(1.6 * along, 0.6 * along * along, 0.0) + random.point() * 0.2;
        let radius = 0.3 + 0.3 * random.real();
        points.extend((0..120).map(|_| turn.rotate(center + random.unit() * radius)));
    }
    points
}

/// Volumes, from the body's hull outwards.
fn volumes(points: &[DVec3]) -> Vec<(&'static str, f64)> {
    let arrays: Vec<[f64; 3]> = points.iter().map(|p| p.to_array()).collect();
    let hull = Hull::new(&arrays).unwrap();
    let inside = hull.center();
    let volume = |planes: &[SupportPlane]| enclosed_volume(planes, inside).unwrap();
    let table = |table: PlaneTable| volume(&table.planes().collect::<Vec<_>>());
    let local: Vec<Vec3A> = points.iter().map(|p| p.as_vec3a()).collect();
    let solid = |enclosure: Enclosure| match enclosure {
        Enclosure::Sphere { radius, .. } => 4.0 / 3.0 * std::f64::consts::PI * radius.powi(3),
        Enclosure::Aabb { half, .. } | Enclosure::Obb { half, .. } => 8.0 * half.element_product(),
    };
    vec![
        ("hull", volume(FaceMapping::new(&hull).planes())),
        ("faces 32", table(PlaneTable::face_based(&hull, Grid::Angular(32)))),
        ("vertices 32", table(PlaneTable::vertex_based(&hull, Grid::Angular(32)))),
        ("26-DOP", volume(&slabs(&Dop26::fit(&local, &Moments::default(), 0.0)))),
        ("OBB", solid(Enclosure::obb_of(points))),
        ("AABB", solid(Enclosure::aabb_of(points))),
        ("sphere", solid(Enclosure::sphere_of(points))),
    ]
}

fn slabs<const HALF: usize>(dop: &Kdop<HALF>) -> Vec<SupportPlane> {
    let sides = dop.slabs().flat_map(|(n, [low, high])| {
        let (n, length) = (n.as_dvec3(), n.as_dvec3().length());
        [(n / length, f64::from(high) / length), (-n / length, -f64::from(low) / length)]
    });
    sides.map(|(normal, offset)| SupportPlane { normal, offset, point: normal * offset }).collect()
}

#[test]
fn figure_seven_has_its_order() {
    for seed in 0..5 {
        let volumes = volumes(&lumps(seed));
        let of_hull = volumes[0].1;
        let shares: Vec<_> = volumes.iter().map(|(name, v)| (*name, of_hull / v)).collect();
        println!("{shares:.3?}");
        for two in volumes.windows(2) {
            assert!(two[0].1 <= two[1].1 * (1.0 + 1e-9), "{shares:.3?}");
        }
        assert!(shares[1].1 >= 0.98, "{shares:.3?}");
    }
}
