//! What is asked about two bodies. Points are in the world.

use super::{Body, FeatureName, Form};
use impinge::geom::glam::DVec3;
use impinge::geom::triangle::TriangleVerdict;
use impinge::geom::{Feature, Inside, Method, Pose, Shape, Verdict, pair};
use impinge::mesh::{self, Mesh, Mode, Scratch};

/// What queries keep between calls; no answer depends on it.
#[derive(Default)]
pub(crate) struct Memory {
    pub(crate) scratch: Scratch,
    found: Vec<(u32, u32, TriangleVerdict)>,
}

/// Two bodies, one as seen from the other.
pub(crate) struct Pair<'b> {
    /// Where the first is in the world; of a mesh and a shape, the mesh.
    pose: Pose,
    /// Where the other is, seen from there.
    other: Pose,
    forms: Forms<'b>,
    /// A shape was named before a mesh, so that answers are turned round.
    swapped: bool,
}

enum Forms<'b> {
    Shapes(&'b Shape, &'b Shape),
    Meshes(&'b Mesh, &'b Mesh, Mode),
    Mixed(&'b Mesh, &'b Shape, Mode),
}

/// How two bodies stand to each other, and how far that can be trusted.
#[derive(Clone, Copy)]
pub(crate) struct Stand {
    pub(crate) verdict: Verdict,
    pub(crate) method: Method,
}

/// A distance and its evidence.
pub(crate) struct Measured {
    /// Signed between shapes; where a mesh takes part, zero if the two meet.
    pub(crate) distance: f64,
    pub(crate) method: Method,
    /// Of the two bodies, the distance apart.
    pub(crate) points: Option<[DVec3; 2]>,
    pub(crate) features: Option<[Option<FeatureName>; 2]>,
}

impl<'b> Pair<'b> {
    /// The pair, or why it cannot be asked about.
    pub(crate) fn new(a: &'b Body, b: &'b Body) -> Result<Self, String> {
        let (mut first, mut second, mut swapped) = (a.pose, b.pose, false);
        let forms = match (&a.form, &b.form) {
            (Form::Shape(a), Form::Shape(b)) => Forms::Shapes(a, b),
            (Form::Mesh(a, mode), Form::Mesh(b, same)) if mode == same => {
                Forms::Meshes(a, b, *mode)
            }
            (Form::Mesh(..), Form::Mesh(..)) => {
                return Err("one mesh is solid and the other is not: give both or none".to_string());
            }
            (Form::Mesh(mesh, mode), Form::Shape(shape)) => Forms::Mixed(mesh, shape, *mode),
            (Form::Shape(shape), Form::Mesh(mesh, mode)) => {
                (first, second, swapped) = (second, first, true);
                Forms::Mixed(mesh, shape, *mode)
            }
        };
        Ok(Self { pose: first, other: first.relative(&second), forms, swapped })
    }

    /// How the two stand to each other.
    pub(crate) fn stand(&self, memory: &mut Memory) -> Stand {
        match self.forms {
            Forms::Shapes(a, b) => {
                let verdict = pair::verdict(a, b, &self.other, &mut pair::Cache::default());
                Stand { verdict, method: Method::Exact }
            }
            Forms::Meshes(a, b, mode) => {
                let place = self.other.into();
                let found = mesh::verdict(a, b, &place, mode, &mut memory.scratch);
                Stand { verdict: found.verdict, method: found.method }
            }
            Forms::Mixed(mesh, shape, mode) => {
                let scratch = &mut memory.scratch;
                let found = mesh::shape::verdict(mesh, shape, &self.other, mode, scratch);
                let verdict = match found.verdict {
                    Verdict::Contained(Inside::A) if self.swapped => Verdict::Contained(Inside::B),
                    Verdict::Contained(Inside::B) if self.swapped => Verdict::Contained(Inside::A),
                    verdict => verdict,
                };
                Stand { verdict, method: found.method }
            }
        }
    }

    /// How far they are apart, standing as they do; none where no translation parts the two.
    pub(crate) fn distance(&self, stand: Stand, memory: &mut Memory) -> Option<Measured> {
        match self.forms {
            Forms::Shapes(a, b) => {
                let cache = &mut pair::Cache::default();
                let found = pair::signed_distance(a, b, &self.other, cache)?;
                Some(Measured {
                    distance: found.distance,
                    method: found.method,
                    points: Some(found.points.map(|point| self.pose.map(point))),
                    features: Some(found.features.map(|feature| Some(feature.into()))),
                })
            }
            Forms::Meshes(a, b, _) => Some(self.mesh_distance(a, b, stand, memory)),
            Forms::Mixed(mesh, shape, _) => Some(self.mixed_distance(mesh, shape, stand, memory)),
        }
    }

    fn mesh_distance(&self, a: &Mesh, b: &Mesh, stand: Stand, memory: &mut Memory) -> Measured {
        let found = mesh::distance(a, b, &self.other.into(), &mut memory.scratch);
        let method = stand.method;
        if found.distance > 0.0 && stand.verdict != Verdict::Separated {
            // The surfaces do not meet, so one solid holds the other, or pieces of it.
            let (points, features) = self.held(a, b, stand.verdict).unzip();
            return Measured { distance: 0.0, method, points, features };
        }
        let ([i, j], [f, g]) = (found.triangles, found.features);
        let of_a = FeatureName::of_triangle(a, i, f);
        let of_b = FeatureName::of_triangle(b, j, g);
        Measured {
            distance: found.distance,
            method,
            points: Some(found.points.map(|point| self.pose.map(point))),
            features: Some([Some(of_a), Some(of_b)]),
        }
    }

    fn mixed_distance(
        &self,
        mesh: &Mesh,
        shape: &Shape,
        stand: Stand,
        memory: &mut Memory,
    ) -> Measured {
        let found = mesh::shape::distance(mesh, shape, &self.other, &mut memory.scratch);
        let of_mesh = FeatureName::of_triangle(mesh, found.triangle, found.features[0]);
        let (mut distance, mut method) = (found.distance, found.method.max(stand.method));
        let (mut points, mut features) =
            (found.points, [Some(of_mesh), Some(found.features[1].into())]);
        if distance > 0.0 && stand.verdict != Verdict::Separated {
            // The shape does not meet the surface, so all of it lies in the solid.
            (distance, method, points[0], features[0]) = (0.0, stand.method, points[1], None);
        }
        if self.swapped {
            points.reverse();
            features.reverse();
        }
        let points = Some(points.map(|point| self.pose.map(point)));
        Measured { distance, method, points, features: Some(features) }
    }

    /// The first corner of the mesh that lies inside the other: a point of both.
    fn held(
        &self,
        a: &Mesh,
        b: &Mesh,
        verdict: Verdict,
    ) -> Option<([DVec3; 2], [Option<FeatureName>; 2])> {
        let corner = Feature::vertex(0);
        match verdict {
            Verdict::Contained(Inside::A) => {
                let point = self.pose.map(a.corners(0)[0]);
                Some(([point; 2], [Some(FeatureName::of_triangle(a, 0, corner)), None]))
            }
            Verdict::Contained(Inside::B) => {
                let point = self.pose.map(self.other.map(b.corners(0)[0]));
                Some(([point; 2], [None, Some(FeatureName::of_triangle(b, 0, corner))]))
            }
            _ => None,
        }
    }

    /// Which triangles of the two meet, ascending. A shape counts as one triangle with the index 0.
    pub(crate) fn triangles(&self, memory: &mut Memory) -> Vec<[u32; 2]> {
        match self.forms {
            Forms::Shapes(a, b) => {
                let meet = pair::overlap(a, b, &self.other, &mut pair::Cache::default());
                if meet { vec![[0, 0]] } else { Vec::new() }
            }
            Forms::Meshes(a, b, _) => {
                let Memory { scratch, found } = memory;
                mesh::pairs(a, b, &self.other.into(), scratch, found);
                found.iter().map(|&(i, j, _)| [i, j]).collect()
            }
            Forms::Mixed(mesh, shape, _) => {
                let mut found = Vec::new();
                mesh::shape::triangles(mesh, shape, &self.other, &mut memory.scratch, &mut found);
                let pair = |face: u32| if self.swapped { [0, face] } else { [face, 0] };
                found.iter().map(|(face, _)| pair(*face)).collect()
            }
        }
    }
}
