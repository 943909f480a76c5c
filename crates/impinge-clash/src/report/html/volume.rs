//! What bounding volumes look like.

use impinge::geom::bound::{
    Aabb, Bound, ConvexHull, EllipsoidBound, Hybrid, Kdop, Lss, Obb, ObbRss, RoundedBox, Rss,
    Sphere, SphericalShell, Tss,
};
use impinge::geom::glam::{DVec3, Vec3A};
use impinge::geom::hull::Hull;
use serde::Serialize;

/// How a volume is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Form {
    /// A rounded box.
    Box,
    /// Corners and faces.
    Body,
}

/// Something to draw, in the frame of a tree.
#[derive(Debug)]
pub(super) enum Drawing {
    /// All center + Σ (±halfᵢ + radiusᵢ·nᵢ)·axesᵢ for unit vectors n, and what is inside.
    Box { center: Vec3A, axes: [Vec3A; 3], half: Vec3A, radii: Vec3A },
    /// A closed surface.
    Body { points: Vec<Vec3A>, triangles: Vec<[u16; 3]> },
}

/// A volume that can be drawn.
pub(super) trait Volume: Bound {
    const FORM: Form;
    /// In words, for people.
    const TITLE: &'static str;
    fn draw(&self, out: &mut Vec<Drawing>);
}

fn rounded(around: &Obb, radii: Vec3A) -> Drawing {
    Drawing::Box { center: around.center, axes: around.axes, half: around.half, radii }
}

impl Volume for Obb {
    const FORM: Form = Form::Box;
    const TITLE: &'static str = "oriented box";
    fn draw(&self, out: &mut Vec<Drawing>) {
        out.push(rounded(self, Vec3A::ZERO));
    }
}

impl Volume for Aabb {
    const FORM: Form = Form::Box;
    const TITLE: &'static str = "box along the axes";
    fn draw(&self, out: &mut Vec<Drawing>) {
        let center = 0.5 * (self.low + self.high);
        let half = 0.5 * (self.high - self.low);
        out.push(Drawing::Box { center, axes: Vec3A::AXES, half, radii: Vec3A::ZERO });
    }
}

impl Volume for Sphere {
    const FORM: Form = Form::Box;
    const TITLE: &'static str = "sphere";
    fn draw(&self, out: &mut Vec<Drawing>) {
        let (center, radii) = (self.center(), Vec3A::splat(self.radius()));
        out.push(Drawing::Box { center, axes: Vec3A::AXES, half: Vec3A::ZERO, radii });
    }
}

impl Volume for Rss {
    const FORM: Form = Form::Box;
    const TITLE: &'static str = "swept rectangle";
    fn draw(&self, out: &mut Vec<Drawing>) {
        out.push(rounded(&self.rectangle, Vec3A::splat(self.radius)));
    }
}

impl Volume for ObbRss {
    const FORM: Form = Form::Box;
    const TITLE: &'static str = "oriented box and swept rectangle";
    fn draw(&self, out: &mut Vec<Drawing>) {
        self.obb.draw(out);
        self.rss.draw(out);
    }
}

impl Volume for Hybrid {
    const FORM: Form = Form::Box;
    const TITLE: &'static str = "hybrid: box or sphere by cost";
    fn draw(&self, out: &mut Vec<Drawing>) {
        match self {
            Self::Aabb(volume) => volume.draw(out),
            Self::Obb(volume) => volume.draw(out),
            Self::Sphere(volume) => volume.draw(out),
        }
    }
}

impl Volume for Lss {
    const FORM: Form = Form::Box;
    const TITLE: &'static str = "swept segment";
    fn draw(&self, out: &mut Vec<Drawing>) {
        let corners = self.corners();
        let (Some(&first), Some(&last)) = (corners.first(), corners.last()) else { return };
        let x = (last - first).normalize_or(Vec3A::X);
        let [y, z] = x.any_orthonormal_pair().into();
        let half = Vec3A::X * (0.5 * (last - first).length());
        let radii = Vec3A::splat(self.radius());
        out.push(Drawing::Box { center: 0.5 * (first + last), axes: [x, y, z], half, radii });
    }
}

impl Volume for RoundedBox {
    const FORM: Form = Form::Box;
    const TITLE: &'static str = "rounded box";
    fn draw(&self, out: &mut Vec<Drawing>) {
        let corners = self.corners();
        let [c, x, y, _, z, ..] = corners.as_slice() else { return };
        // The neighbours of the first corner lie along the three sides.
        let sides = [*c - *x, *c - *y, *c - *z];
        let axes = orthonormal(sides);
        let half = Vec3A::from(sides.map(|side| 0.5 * side.length()));
        let center = *c - 0.5 * (sides[0] + sides[1] + sides[2]);
        out.push(Drawing::Box { center, axes, half, radii: Vec3A::splat(self.radius()) });
    }
}

/// Directions of three sides at right angles, of which some may be zero.
fn orthonormal(sides: [Vec3A; 3]) -> [Vec3A; 3] {
    let [x, y, z] = sides.map(Vec3A::normalize_or_zero);
    let one = [x, y.cross(z), y.any_orthogonal_vector(), z.any_orthogonal_vector()];
    let x = one.into_iter().find(|v| v.length_squared() > 1e-6).unwrap_or(Vec3A::X).normalize();
    let two = [y, z.cross(x), x.any_orthonormal_vector()];
    let y = two.into_iter().find(|v| v.length_squared() > 1e-6).unwrap_or(Vec3A::Y).normalize();
    [x, y, x.cross(y)]
}

impl Volume for EllipsoidBound {
    const FORM: Form = Form::Box;
    const TITLE: &'static str = "ellipsoid";
    fn draw(&self, out: &mut Vec<Drawing>) {
        let Obb { center, axes, half } = self.around();
        out.push(Drawing::Box { center, axes, half: Vec3A::ZERO, radii: half });
    }
}

impl Volume for Tss {
    const FORM: Form = Form::Body;
    const TITLE: &'static str = "swept triangle";
    fn draw(&self, out: &mut Vec<Drawing>) {
        swept(&self.corners(), self.radius(), out);
    }
}

impl Volume for ConvexHull {
    const FORM: Form = Form::Body;
    const TITLE: &'static str = "hull of up to 16 points";
    fn draw(&self, out: &mut Vec<Drawing>) {
        swept(&self.corners(), self.radius(), out);
    }
}

impl<const HALF: usize> Volume for Kdop<HALF>
where
    Self: Bound,
{
    const FORM: Form = Form::Body;
    const TITLE: &'static str = match HALF {
        7 => "14-DOP",
        9 => "18-DOP",
        13 => "26-DOP",
        _ => "36-DOP",
    };
    fn draw(&self, out: &mut Vec<Drawing>) {
        out.extend(hull(&self.corners()));
    }
}

impl Volume for SphericalShell {
    const FORM: Form = Form::Body;
    const TITLE: &'static str = "spherical shell";
    /// A lathe: rings of the outer sphere from the axis outwards, then those of the inner one back.
    fn draw(&self, out: &mut Vec<Drawing>) {
        const AROUND: usize = 12;
        const RINGS: usize = 4;
        let (axis, [cos, sin]) = (self.axis(), self.cone());
        let (x, y) = axis.any_orthonormal_pair();
        let [inner, outer] = self.radii();
        let mut points = Vec::new();
        for ring in 0..2 * RINGS {
            let (radius, step) =
                if ring < RINGS { (outer, ring) } else { (inner, 2 * RINGS - 1 - ring) };
            // Halving the angle needs no sine: the sum of two unit vectors is their middle.
            let share = step as f32 / (RINGS - 1) as f32;
            let mixed =
                Vec3A::new(1.0 - share + share * cos, share * sin, 0.0).normalize_or(Vec3A::X);
            for k in 0..AROUND {
                let [c, s] = clock(k);
                let side = (x * c + y * s) * mixed.y;
                points.push(self.apex() + (axis * mixed.x + side) * radius);
            }
        }
        let mut triangles = Vec::new();
        for ring in 0..2 * RINGS {
            let next = (ring + 1) % (2 * RINGS);
            for k in 0..AROUND {
                let at = |ring: usize, k: usize| (ring * AROUND + k % AROUND) as u16;
                triangles.push([at(ring, k), at(next, k), at(next, k + 1)]);
                triangles.push([at(ring, k), at(next, k + 1), at(ring, k + 1)]);
            }
        }
        out.push(Drawing::Body { points, triangles });
    }
}

/// Cosine and sine of k twelfths of a turn.
fn clock(k: usize) -> [f32; 2] {
    const HALF_ROOT: f32 = 0.866_025_4;
    let first = [[1.0, 0.0], [HALF_ROOT, 0.5], [0.5, HALF_ROOT]][k % 3];
    match k / 3 % 4 {
        0 => first,
        1 => [-first[1], first[0]],
        2 => [-first[0], -first[1]],
        _ => [first[1], -first[0]],
    }
}

/// The hull of balls: each is drawn as an icosahedron with its corners on the ball.
fn swept(corners: &[Vec3A], radius: f32, out: &mut Vec<Drawing>) {
    const GOLDEN: f32 = 1.618_034;
    let size = corners.iter().fold(0.0f32, |most, p| most.max((*p - corners[0]).length()));
    if radius <= 0.005 * size {
        out.extend(hull(&corners.iter().map(|p| p.as_dvec3()).collect::<Vec<_>>()));
        return;
    }
    let mut points = Vec::new();
    for corner in corners {
        for [a, b] in [[1.0, GOLDEN], [1.0, -GOLDEN], [-1.0, GOLDEN], [-1.0, -GOLDEN]] {
            for way in [Vec3A::new(0.0, a, b), Vec3A::new(a, b, 0.0), Vec3A::new(b, 0.0, a)] {
                points.push((*corner + way.normalize() * radius).as_dvec3());
            }
        }
    }
    out.extend(hull(&points));
}

/// The hull of points. In f32, so that corners that only rounding tells apart are one.
fn hull(points: &[DVec3]) -> Option<Drawing> {
    let points: Vec<[f64; 3]> = points.iter().map(|p| p.as_vec3a().as_dvec3().to_array()).collect();
    let hull = Hull::new(&points).ok()?;
    let triangles = hull.triangles().iter().map(|triangle| triangle.map(|k| k as u16)).collect();
    Some(Drawing::Body {
        points: hull.vertices().iter().map(|p| p.as_vec3a()).collect(),
        triangles,
    })
}
