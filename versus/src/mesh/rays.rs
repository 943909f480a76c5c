//! Random rays, and the first triangle that a ray meets by trying all of them.

use impinge_geom::glam::DVec3;
use impinge_geom::ray::{Ray, triangle};

use super::model::Mesh;
use super::scene::RayData;
use crate::random::{Random, single};

/// Origins are on a sphere around the bounding box of this radius in diameters.
const SPHERE: f64 = 1.0;

fn aimed(origin: DVec3, target: DVec3) -> RayData {
    let origin = origin.to_array().map(single);
    let direction = (target - DVec3::from_array(origin)).normalize_or(DVec3::X);
    RayData { origin, direction: direction.to_array().map(single) }
}

/// The sphere from which rays come. It is asked for once: a mesh looks at all its vertices for it.
struct Around {
    centre: DVec3,
    radius: f64,
}

impl Around {
    fn new(mesh: &Mesh) -> Around {
        Around { centre: DVec3::from_array(mesh.centre()), radius: SPHERE * mesh.diameter() }
    }

    fn point(&self, random: &mut Random) -> DVec3 {
        self.centre + DVec3::from_array(random.direction()) * self.radius
    }
}

/// Rays from all around to random points of the bounding box.
pub fn into_box(mesh: &Mesh, seed: u64, count: usize) -> Vec<RayData> {
    let mut random = Random::new(seed ^ 0x4a75);
    let [low, high] = mesh.bounds();
    let around = Around::new(mesh);
    let one = |_| {
        let target = std::array::from_fn(|axis| random.between(low[axis], high[axis]));
        aimed(around.point(&mut random), DVec3::from_array(target))
    };
    (0..count).map(one).collect()
}

/// Rays to vertices and to middles of edges, from all around and, exactly through vertices, along the axes.
pub fn at_edges(mesh: &Mesh, seed: u64, count: usize) -> Vec<RayData> {
    let mut random = Random::new(seed ^ 0xed6e);
    let around = Around::new(mesh);
    let one = |index: usize| {
        let corners = mesh.triangles[random.below(mesh.triangles.len())];
        let [first, second, _] = corners.map(|v| DVec3::from_array(mesh.vertices[v as usize]));
        match index % 3 {
            0 => aimed(around.point(&mut random), first),
            1 => aimed(around.point(&mut random), 0.5 * (first + second)),
            _ => {
                let (axis, sign) = (random.below(3), [-1.0, 1.0][random.below(2)]);
                let (mut origin, mut direction) = (first.to_array(), [0.0; 3]);
                origin[axis] = single(around.centre[axis] - sign * around.radius);
                direction[axis] = sign;
                RayData { origin, direction }
            }
        }
    };
    (0..count).map(one).collect()
}

/// All triangles of a mesh, with balls around them.
pub struct Targets {
    triangles: Vec<[DVec3; 3]>,
    /// Centre and squared radius, a little too large.
    balls: Vec<(DVec3, f64)>,
}

impl Targets {
    /// Takes the mesh's triangles.
    pub fn new(mesh: &Mesh) -> Targets {
        let corners = |triangle: &[u32; 3]| {
            triangle.map(|index| DVec3::from_array(mesh.vertices[index as usize]))
        };
        let triangles: Vec<[DVec3; 3]> = mesh.triangles.iter().map(corners).collect();
        let slack = (1e-9 * mesh.diameter()).powi(2);
        let ball = |corners: &[DVec3; 3]| {
            let centre = (corners[0] + corners[1] + corners[2]) / 3.0;
            let reach = corners.iter().map(|corner| corner.distance_squared(centre));
            (centre, reach.fold(0.0, f64::max) * (1.0 + 1e-9) + slack)
        };
        let balls = triangles.iter().map(ball).collect();
        Targets { triangles, balls }
    }

    /// Parameter of the first hit, infinite if there is none. Decided exactly, by the kernel's watertight test.
    pub fn first_hit(&self, data: &RayData) -> f64 {
        let Ok(ray) = Ray::new(data.origin, data.direction) else { return f64::INFINITY };
        let (origin, direction) = (ray.origin(), DVec3::from_array(data.direction));
        let square = direction.length_squared();
        let near = |(centre, limit): &(DVec3, f64)| {
            (*centre - origin).cross(direction).length_squared() <= limit * square
        };
        let candidates = self.balls.iter().zip(&self.triangles).filter(|(ball, _)| near(ball));
        let hits = candidates.filter_map(|(_, corners)| triangle(&ray, corners));
        hits.map(|hit| hit.t).fold(f64::INFINITY, f64::min)
    }

    /// First hits of eight rays beside this one, so far away.
    pub fn beside(&self, data: &RayData, shift: f64) -> [f64; 8] {
        let direction = DVec3::from_array(data.direction);
        let right = direction.any_orthogonal_vector().normalize_or(DVec3::X);
        let up = direction.cross(right).normalize_or(DVec3::Y);
        let around = [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)];
        around.map(|(x, y)| {
            let offset = (right * f64::from(x) + up * f64::from(y)) * shift;
            let origin = DVec3::from_array(data.origin) + offset;
            self.first_hit(&RayData { origin: origin.to_array(), direction: data.direction })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::model::icosphere;

    #[test]
    fn rays_at_vertices_and_edges_of_a_sphere_hit_it() {
        let mesh = icosphere(1.0, 3);
        let targets = Targets::new(&mesh);
        let rays = at_edges(&mesh, 1, 300);
        // Rounded rays may pass the silhouette, few do.
        let missed = rays.iter().filter(|ray| targets.first_hit(ray).is_infinite()).count();
        assert!(missed < 15, "{missed}");
        for ray in into_box(&mesh, 1, 100) {
            let (origin, direction) =
                (DVec3::from_array(ray.origin), DVec3::from_array(ray.direction));
            let closest = origin.cross(direction).length() / direction.length();
            let hit = targets.first_hit(&ray);
            assert!(closest > 0.99 || hit.is_finite());
            assert!(closest < 1.0 || hit.is_infinite());
        }
    }
}
