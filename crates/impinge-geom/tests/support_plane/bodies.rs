//! Random polytopes with all that the tests ask of them, and a generator of numbers.

use impinge_geom::glam::DVec3;
use impinge_geom::hull::Hull;
use impinge_geom::support_plane::{
    Enclosure, FaceMapping, Grid, PlaneTable, SupportTable, VertexMapping,
};
use impinge_geom::{Pose, Shape};

/// SplitMix64 (Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators", 2014).
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        (self.bits() % limit as u64) as usize
    }
    /// From 0 to 1.
    pub(crate) fn real(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }
    pub(crate) fn point(&mut self) -> DVec3 {
        DVec3::new(self.real(), self.real(), self.real()) * 2.0 - 1.0
    }
    pub(crate) fn unit(&mut self) -> DVec3 {
        loop {
            let v = self.point();
            if v.length() > 0.1 && v.length() <= 1.0 {
                return v.normalize();
            }
        }
    }
    pub(crate) fn turn(&mut self) -> [f64; 4] {
        loop {
            let (w, v) = (2.0 * self.real() - 1.0, self.point());
            let length = (w * w + v.length_squared()).sqrt();
            if length > 0.1 && length <= 1.0 {
                return [w / length, v.x / length, v.y / length, v.z / length];
            }
        }
    }
    pub(crate) fn pose(&mut self, translation: DVec3) -> Pose {
        Pose::new(self.turn(), translation.to_array()).unwrap()
    }
}

/// A polytope, its exact mappings, tables and volumes.
pub(crate) struct Body {
    pub(crate) shape: Shape,
    pub(crate) hull: Hull,
    pub(crate) vertices: VertexMapping,
    pub(crate) faces: FaceMapping,
    /// Vertex- and face-based, angular and octahedral.
    pub(crate) planes: Vec<PlaneTable>,
    pub(crate) support: SupportTable,
    /// Sphere, box along the axes, box.
    pub(crate) volumes: [Enclosure; 3],
}

impl Body {
    pub(crate) fn new(points: &[[f64; 3]], side: u8) -> Self {
        let hull = Hull::new(points).unwrap();
        let grids = [Grid::Angular(side), Grid::Octahedral(side)];
        let vertex_based = grids.map(|grid| PlaneTable::vertex_based(&hull, grid));
        let face_based = grids.map(|grid| PlaneTable::face_based(&hull, grid));
        let corners = hull.vertices();
        Self {
            shape: Shape::hull(points).unwrap(),
            vertices: VertexMapping::new(&hull),
            faces: FaceMapping::new(&hull),
            planes: vertex_based.into_iter().chain(face_based).collect(),
            support: SupportTable::new(&hull, usize::from(side)),
            volumes: [
                Enclosure::sphere_of(corners),
                Enclosure::aabb_of(corners),
                Enclosure::obb_of(corners),
            ],
            hull,
        }
    }
}

/// Points on an ellipsoid beside the origin: from needles and plates to near spheres.
pub(crate) fn cloud(random: &mut Random, count: usize) -> Vec<[f64; 3]> {
    let shape = DVec3::new(random.real(), random.real(), random.real()) + 0.1;
    let place = random.point();
    (0..count).map(|_| (random.unit() * shape + place).to_array()).collect()
}

/// Polytopes of 4 to 60 points, some of them boxes with whole coordinates.
pub(crate) fn bank(random: &mut Random, count: usize, side: u8) -> Vec<Body> {
    (0..count)
        .map(|k| {
            if k % 8 == 0 {
                let half = [1, 2, 3].map(|_| (1 + random.below(3)) as f64);
                let corner =
                    |i: usize| [0, 1, 2].map(|k| if i >> k & 1 == 0 { -half[k] } else { half[k] });
                Body::new(&(0..8).map(corner).collect::<Vec<_>>(), side)
            } else {
                let points = 4 + random.below(57);
                Body::new(&cloud(random, points), side)
            }
        })
        .collect()
}
