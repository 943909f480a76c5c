//! Convex bodies for the oracles, with support functions of their own.

use super::Point;

/// A convex body in its own frame; the axis is z.
#[derive(Clone, Debug, PartialEq)]
pub enum Solid {
    /// The hull of points: also boxes, triangles, segments and the origin of a ball.
    Points(Vec<Point>),
    /// Radius, half height.
    Cylinder(f64, f64),
    /// Radius at the base, half height; the apex is up.
    Cone(f64, f64),
    /// Three radii.
    Ellipsoid(Point),
    /// Radius below, radius above, half height.
    Tapered(f64, f64, f64),
}

/// A body in the world: turned, moved, and swept by a ball.
#[derive(Clone, Debug)]
pub struct Placed {
    /// The body.
    pub solid: Solid,
    /// The radius of the ball.
    pub radius: f64,
    /// The columns of the rotation.
    pub columns: [Point; 3],
    /// The translation.
    pub translation: Point,
}

impl Placed {
    /// The body where it is.
    pub fn still(solid: Solid, radius: f64) -> Self {
        let columns = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        Self { solid, radius, columns, translation: [0.0; 3] }
    }

    /// The farthest point of the body along the unit direction, without the ball.
    pub fn support(&self, n: Point) -> Point {
        let own = self.columns.map(|column| dot(column, n));
        let p = self.solid.support(own);
        std::array::from_fn(|c| {
            (0..3).map(|k| self.columns[k][c] * p[k]).sum::<f64>() + self.translation[c]
        })
    }

    /// A length that bounds all coordinates and sizes.
    pub fn scale(&self) -> f64 {
        let size = match &self.solid {
            Solid::Points(points) => points.iter().map(|p| dot(*p, *p).sqrt()).fold(0.0, f64::max),
            Solid::Cylinder(radius, half) | Solid::Cone(radius, half) => radius + half,
            Solid::Ellipsoid(radii) => radii.iter().copied().fold(0.0, f64::max),
            Solid::Tapered(bottom, top, half) => bottom.max(*top) + half,
        };
        size + self.radius + self.translation.iter().map(|x| x.abs()).fold(0.0, f64::max)
    }
}

impl Solid {
    /// The farthest point along a unit direction.
    pub fn support(&self, n: Point) -> Point {
        let rim = |radius: f64, z: f64| {
            let flat = (n[0] * n[0] + n[1] * n[1]).sqrt();
            if flat > 0.0 { [radius * n[0] / flat, radius * n[1] / flat, z] } else { [0.0, 0.0, z] }
        };
        let higher = |p: Point, q: Point| if dot(p, n) >= dot(q, n) { p } else { q };
        match self {
            Self::Points(points) => points.iter().copied().reduce(higher).unwrap_or_default(),
            Self::Cylinder(radius, half) => higher(rim(*radius, *half), rim(*radius, -half)),
            Self::Cone(radius, half) => higher([0.0, 0.0, *half], rim(*radius, -half)),
            Self::Ellipsoid(radii) => {
                // The gradient of |D n| is D² n / |D n|.
                let scaled: Point = std::array::from_fn(|c| radii[c] * n[c]);
                let length = dot(scaled, scaled).sqrt();
                if length > 0.0 {
                    std::array::from_fn(|c| radii[c] * scaled[c] / length)
                } else {
                    [0.0; 3]
                }
            }
            Self::Tapered(bottom, top, half) => higher(
                [top * n[0], top * n[1], top * n[2] + half],
                [bottom * n[0], bottom * n[1], bottom * n[2] - half],
            ),
        }
    }
}

/// The scalar product.
pub fn dot(u: Point, v: Point) -> f64 {
    u[0] * v[0] + u[1] * v[1] + u[2] * v[2]
}
