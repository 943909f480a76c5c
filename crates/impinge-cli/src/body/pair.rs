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

/// Two bodies, the second as seen from the first.
pub(crate) struct Pair<'b> {
    /// Where the first is in the world.
    pose: Pose,
    b_in_a: Pose,
    forms: Forms<'b>,
}

enum Forms<'b> {
    Shapes(&'b Shape, &'b Shape),
    Meshes(&'b Mesh, &'b Mesh, Mode),
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
    /// The direction in which the second leaves the first soonest, where that is known.
    pub(crate) way_out: Option<DVec3>,
}

impl<'b> Pair<'b> {
    /// The pair, or why it cannot be asked about.
    pub(crate) fn new(a: &'b Body, b: &'b Body) -> Result<Self, String> {
        let forms = match (&a.form, &b.form) {
            (Form::Shape(a), Form::Shape(b)) => Forms::Shapes(a, b),
            (Form::Mesh(a, mode), Form::Mesh(b, same)) if mode == same => {
                Forms::Meshes(a, b, *mode)
            }
            (Form::Mesh(..), Form::Mesh(..)) => {
                return Err("one mesh is solid and the other is not: give both or none".to_string());
            }
            _ => {
                return Err("one is a mesh and the other a shape: \
                            so far meshes are asked about with meshes"
                    .to_string());
            }
        };
        Ok(Self { pose: a.pose, b_in_a: a.pose.relative(&b.pose), forms })
    }

    /// How the two stand to each other.
    pub(crate) fn stand(&self, memory: &mut Memory) -> Stand {
        match self.forms {
            Forms::Shapes(a, b) => {
                let verdict = pair::verdict(a, b, &self.b_in_a, &mut pair::Cache::default());
                Stand { verdict, method: Method::Exact }
            }
            Forms::Meshes(a, b, mode) => {
                let place = self.b_in_a.into();
                let found = mesh::verdict(a, b, &place, mode, &mut memory.scratch);
                Stand { verdict: found.verdict, method: found.method }
            }
        }
    }

    /// How far they are apart, standing as they do; none where no translation parts the two.
    pub(crate) fn distance(&self, stand: Stand, memory: &mut Memory) -> Option<Measured> {
        match self.forms {
            Forms::Shapes(a, b) => {
                let cache = &mut pair::Cache::default();
                let found = pair::signed_distance(a, b, &self.b_in_a, cache)?;
                Some(Measured {
                    distance: found.distance,
                    method: found.method,
                    points: Some(found.points.map(|point| self.pose.map(point))),
                    features: Some(found.features.map(|feature| Some(feature.into()))),
                    way_out: Some(self.pose.turn(found.normal)),
                })
            }
            Forms::Meshes(a, b, _) => Some(self.mesh_distance(a, b, stand, memory)),
        }
    }

    fn mesh_distance(&self, a: &Mesh, b: &Mesh, stand: Stand, memory: &mut Memory) -> Measured {
        let found = mesh::distance(a, b, &self.b_in_a.into(), &mut memory.scratch);
        let method = stand.method;
        if found.distance > 0.0 && stand.verdict != Verdict::Separated {
            // The surfaces do not meet, so one solid holds the other, or pieces of it.
            let (points, features) = self.held(a, b, stand.verdict).unzip();
            return Measured { distance: 0.0, method, points, features, way_out: None };
        }
        let ([i, j], [f, g]) = (found.triangles, found.features);
        let of_a = FeatureName::of_triangle(a, i, f);
        let of_b = FeatureName::of_triangle(b, j, g);
        Measured {
            distance: found.distance,
            method,
            points: Some(found.points.map(|point| self.pose.map(point))),
            features: Some([Some(of_a), Some(of_b)]),
            way_out: None,
        }
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
                let point = self.pose.map(self.b_in_a.map(b.corners(0)[0]));
                Some(([point; 2], [None, Some(FeatureName::of_triangle(b, 0, corner))]))
            }
            _ => None,
        }
    }

    /// Which triangles of the two meet, ascending. A shape counts as one triangle with the index 0.
    pub(crate) fn triangles(&self, memory: &mut Memory) -> Vec<[u32; 2]> {
        match self.forms {
            Forms::Shapes(a, b) => {
                let meet = pair::overlap(a, b, &self.b_in_a, &mut pair::Cache::default());
                if meet { vec![[0, 0]] } else { Vec::new() }
            }
            Forms::Meshes(a, b, _) => {
                let Memory { scratch, found } = memory;
                mesh::pairs(a, b, &self.b_in_a.into(), scratch, found);
                found.iter().map(|&(i, j, _)| [i, j]).collect()
            }
        }
    }
}
