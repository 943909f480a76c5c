//! How two parts relate: computed once, for all tests.

use crate::finding::Measured;
use crate::measure::{self, Penetration, Separation};
use crate::model::ModelPart;
use impinge::geom::glam::DVec3;
use impinge::geom::triangle::{self, Intersection};
use impinge::geom::{Certainty, Inside, Pose, Verdict};
use impinge::mesh;
use impinge::query::{self, Distance, Geometry, TrianglePair, Workspace};

/// What is known about two parts.
#[derive(Clone, Debug)]
pub(crate) struct PartRelation {
    pub(crate) verdict: Verdict,
    /// False if one vertex stood for all of an open mesh.
    pub(crate) certain: bool,
    pub(crate) distance: Option<Measured>,
    pub(crate) penetration: Option<Penetration>,
    /// What tolerances are compared with: no common point lies deeper, or of open parts none of many; infinite where nothing is enclosed, so that no
    /// tolerance hides it.
    pub(crate) depth_at_most: f64,
    pub(crate) separation: Option<Separation>,
    pub(crate) points: Option<[DVec3; 2]>,
    pub(crate) triangles: Option<[u32; 2]>,
    pub(crate) curve: Vec<[DVec3; 2]>,
    pub(crate) curve_is_cut_short: bool,
    /// An estimate where a curved part is tessellated.
    pub(crate) curve_certainty: Certainty,
    pub(crate) volume: Option<f64>,
}

/// How far two parts are apart, or how deep in each other, and where.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gap {
    /// Positive: the gap. Negative: the depth.
    pub distance: Measured,
    /// The points of both parts, in the scene.
    pub points: [DVec3; 2],
    /// The triangles on which these points are; none where a part is known exactly.
    pub triangles: Option<[u32; 2]>,
}

impl Gap {
    fn of(found: &Distance) -> Self {
        let distance = Measured { value: found.distance, certainty: found.certainty };
        let [a, b] = found.features.map(|feature| feature.triangle);
        let triangles = a.zip(b).map(|(a, b)| [a, b]);
        Self { distance, points: found.points, triangles }
    }
}

impl ModelPart {
    /// How this part and another relate: as solids where they are closed, exactly where they are primitives.
    pub fn verdict(&self, other: &Self, workspace: &mut Workspace) -> Verdict {
        verdict(self, other, workspace).0
    }

    /// The distance of the surfaces of two parts that do not overlap.
    pub fn gap(&self, other: &Self, workspace: &mut Workspace) -> Gap {
        gap(self, other, workspace)
    }

    pub(crate) fn pose(&self) -> &Pose {
        self.instance.pose()
    }

    /// The part as a surface; a primitive is what it is.
    pub(crate) fn surface(&self) -> &Geometry {
        &self.geometry[0]
    }

    /// The part with its inside.
    pub(crate) fn solid(&self) -> &Geometry {
        &self.geometry[1]
    }

    /// True if it has an inside.
    pub(crate) fn is_solid(&self) -> bool {
        self.closed || self.is_exact()
    }

    /// True if it is checked as a primitive.
    pub(crate) fn is_exact(&self) -> bool {
        self.solid().as_mesh().is_none()
    }
}

/// What is wanted of a pair.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wanted {
    /// Gaps up to this matter; below zero, none do.
    pub(crate) clearance: f64,
    /// Depths, points, curves and volumes as well.
    pub(crate) details: bool,
    /// But no curves and volumes.
    pub(crate) brief: bool,
    /// Curves and volumes are for what is reported: depths above this, which is below zero if all are,
    pub(crate) reported_above: f64,
    /// and what is inside something else.
    pub(crate) reports_contained: bool,
    /// The overlap that rounding leaves between flush faces: sheets that overlap by no more than this are flush.
    pub(crate) flush: f64,
    /// Tests allow some depth: it must be known to decide.
    pub(crate) depth: bool,
    /// A micrometre in the unit of the model: local penetrations need not be known any better, unless a tolerance asks.
    pub(crate) micrometre: f64,
}

/// More than rounding makes of a distance, as a share of it.
const ROUNDED: f64 = 1e-9;
/// Segments of a curve that are kept.
const MOST_SEGMENTS: usize = 4096;
/// Rays by which volumes are estimated, along each side.
const RAYS: u32 = 24;

/// Asks about two parts.
pub(crate) fn relate(
    a: &ModelPart,
    b: &ModelPart,
    wanted: Wanted,
    workspace: &mut Workspace,
) -> PartRelation {
    let (verdict, certain) = verdict(a, b, workspace);
    let round = a.is_round() || b.is_round();
    let mut relation = PartRelation {
        verdict,
        certain,
        distance: None,
        penetration: None,
        depth_at_most: f64::INFINITY,
        separation: None,
        points: None,
        triangles: None,
        curve: Vec::new(),
        curve_is_cut_short: false,
        curve_certainty: if round { Certainty::Estimate } else { Certainty::Exact },
        volume: None,
    };
    match verdict {
        Verdict::Separated if may_be_within(a, b, wanted.clearance, workspace) => {
            relation.take(gap(a, b, workspace));
        }
        Verdict::Separated => {}
        Verdict::Touching if wanted.details => relation.take(gap(a, b, workspace)),
        Verdict::Touching => {}
        Verdict::Penetrating | Verdict::Contained(_) if wanted.details || wanted.depth => {
            relation.measure_depth([a, b], wanted, workspace);
        }
        Verdict::Penetrating | Verdict::Contained(_) => {}
    }
    relation
}

/// How two parts relate, and whether that is certain. Closed parts and primitives are solids; an open one is a surface.
fn verdict(a: &ModelPart, b: &ModelPart, workspace: &mut Workspace) -> (Verdict, bool) {
    if a.is_solid() && b.is_solid() {
        let found = query::relation_with(a.pose(), a.solid(), b.pose(), b.solid(), workspace);
        return (found.verdict, found.certainty == Certainty::Exact);
    }
    let surfaces = query::relation_with(a.pose(), a.surface(), b.pose(), b.surface(), workspace);
    match surfaces.verdict {
        Verdict::Separated if holds(a, b, workspace) => (Verdict::Contained(Inside::B), false),
        Verdict::Separated if holds(b, a, workspace) => (Verdict::Contained(Inside::A), false),
        Verdict::Penetrating if a.is_exact() || b.is_exact() => {
            // All of a surface may lie in a primitive.
            let solids = query::relation_with(a.pose(), a.solid(), b.pose(), b.solid(), workspace);
            let within = if a.is_exact() { Inside::B } else { Inside::A };
            let contained = solids.verdict == Verdict::Contained(within);
            (if contained { solids.verdict } else { surfaces.verdict }, true)
        }
        verdict => (verdict, true),
    }
}

/// True if a closed mesh has a vertex of another part inside, whose surface it does not meet. For a surface of several pieces one vertex does
/// not tell it all.
fn holds(host: &ModelPart, guest: &ModelPart, workspace: &mut Workspace) -> bool {
    let vertex = guest.instance.mesh().vertices().first();
    let vertex = vertex.map(|&p| guest.instance.to_world(p));
    let is_closed_mesh = host.closed && !host.is_exact() && !guest.is_exact();
    is_closed_mesh
        && vertex
            .is_some_and(|p| query::contains_point_with(host.pose(), host.solid(), p, workspace))
}

/// False if two parts that do not overlap are farther apart than it matters; of meshes that is known long before the distance is.
fn may_be_within(a: &ModelPart, b: &ModelPart, clearance: f64, workspace: &mut Workspace) -> bool {
    if clearance < 0.0 || a.is_exact() || b.is_exact() {
        return clearance >= 0.0;
    }
    let meshes = [a.instance.mesh(), b.instance.mesh()];
    let limit = clearance * (1.0 + ROUNDED) / a.instance.scale();
    let place = a.instance.relative(&b.instance);
    mesh::within(meshes[0], meshes[1], &place, limit, workspace.mesh_scratch())
}

fn gap(a: &ModelPart, b: &ModelPart, workspace: &mut Workspace) -> Gap {
    Gap::of(&query::distance_with(a.pose(), a.surface(), b.pose(), b.surface(), workspace))
}

/// The separation of two parts that overlap; none if no translation was found. An open part inside a closed one is separated from its surface already.
/// `met` are the triangles that meet, if both are meshes.
fn separation(
    [a, b]: [&ModelPart; 2],
    met: Option<&[[u32; 2]]>,
    workspace: &mut Workspace,
) -> Option<Separation> {
    let [of_a, of_b] = solids_or_surfaces(a, b);
    let found = match (of_a.as_mesh(), of_b.as_mesh(), met) {
        (Some(one), Some(two), Some(met)) if !met.is_empty() => {
            query::separation_among(a.pose(), one, b.pose(), two, met, workspace)
        }
        _ => query::separation_with(a.pose(), of_a, b.pose(), of_b, workspace),
    };
    found.map(|query::Separation { value, direction, certainty, .. }| Separation {
        value,
        direction,
        certainty,
    })
}

/// Two parts as solids, or as surfaces if one of them is open.
fn solids_or_surfaces<'p>(a: &'p ModelPart, b: &'p ModelPart) -> [&'p Geometry; 2] {
    let kind = usize::from(a.is_solid() && b.is_solid());
    [a, b].map(|part| &part.geometry[kind])
}

/// The numbers of the triangles.
fn numbers(pairs: &[TrianglePair]) -> Vec<[u32; 2]> {
    pairs.iter().filter_map(|pair| Some([pair.triangles[0]?, pair.triangles[1]?])).collect()
}

/// The length of a way that frees two parts; infinite if none is known.
fn known_depth(separation: Option<Separation>) -> f64 {
    separation.map_or(f64::INFINITY, |found| found.value)
}

impl PartRelation {
    fn take(&mut self, gap: Gap) {
        self.distance = Some(gap.distance);
        self.points = Some(gap.points);
        self.triangles = gap.triangles;
    }

    fn measure_depth(
        &mut self,
        [a, b]: [&ModelPart; 2],
        wanted: Wanted,
        workspace: &mut Workspace,
    ) {
        // Of closed parts the separation ends the search for the deepest point early; of open ones it is asked only where it decides or is reported.
        let early = a.is_solid() && b.is_solid();
        let pairs = (!a.is_exact() && !b.is_exact())
            .then(|| query::triangle_pairs_with(a.pose(), &a.mesh, b.pose(), &b.mesh, workspace));
        let met = pairs.as_ref().map(|pairs| numbers(pairs));
        let met = met.as_deref();
        let inside = matches!(self.verdict, Verdict::Contained(_)) && wanted.reports_contained;
        if early {
            self.separation = separation([a, b], met, workspace);
            self.depth_at_most = known_depth(self.separation);
            // What no test reports needs no measure: flush faces that rounding has put into each other, pins in bores of their size.
            if wanted.details && !inside {
                let known = self.separation.map(|separation| separation.value);
                let hidden = |depth: &f64| *depth <= wanted.reported_above;
                let upper = Some(self.depth_at_most)
                    .filter(hidden)
                    .or_else(|| measure::hidden_depth(a, b, &wanted, known, met?, workspace));
                if let Some(upper) = upper {
                    self.depth_at_most = self.depth_at_most.min(upper);
                    return;
                }
            }
        }
        let known = self.separation.map(|separation| separation.value);
        let found = measure::penetration(a, b, &wanted, known, met, workspace);
        if let Some(found) = &found {
            let certainty = found.penetration.certainty;
            self.penetration = Some(found.penetration);
            self.distance = Some(Measured { value: -found.penetration.value, certainty });
            (self.points, self.triangles) = (Some(found.points), found.triangles);
        }
        if let Some(found) = &found
            && !early
            && !inside
            && found.at_most <= wanted.reported_above
        {
            self.depth_at_most = found.at_most;
            return;
        }
        if !early && wanted.details {
            self.separation = separation([a, b], met, workspace);
        }
        if found.is_none() && self.separation.is_some() {
            // Where the two part last.
            let [of_a, of_b] = solids_or_surfaces(a, b);
            let way = query::signed_distance_with(a.pose(), of_a, b.pose(), of_b, workspace);
            self.take(Gap::of(&way));
        }
        // No common point of two solids lies deeper than the way that frees them: a ball of that radius about it would still hold it then. Of open parts
        // that enclose nothing there are no such points: only what rounding makes is less than any tolerance.
        let freed = known_depth(self.separation);
        self.depth_at_most = match &found {
            Some(found) => found.at_most.min(freed),
            None if early || freed <= wanted.flush => freed,
            None => f64::INFINITY,
        };
        let is_reported = self.depth_at_most > wanted.reported_above || inside;
        if !wanted.details || wanted.brief || !is_reported {
            return;
        }
        let pairs = pairs.unwrap_or_else(|| {
            query::triangle_pairs_with(a.pose(), &a.mesh, b.pose(), &b.mesh, workspace)
        });
        self.find_curve([a, b], &pairs);
        if a.closed && b.closed {
            let found =
                query::common_volume_with(a.pose(), &a.mesh, b.pose(), &b.mesh, RAYS, workspace);
            self.volume = found.map(|found| found.volume);
        }
    }

    /// Where the surfaces cross, in A's frame, of the triangles that meet.
    fn find_curve(&mut self, [a, b]: [&ModelPart; 2], met: &[TrianglePair]) {
        let relative = a.instance.relative(&b.instance);
        let corners = |part: &ModelPart, face: u32| {
            let mesh = part.instance.mesh();
            let triangle = mesh.triangles().get(face as usize)?;
            let corner = |k: usize| mesh.vertices().get(triangle[k] as usize).copied();
            Some([corner(0)?, corner(1)?, corner(2)?])
        };
        for pair in met {
            let [Some(face_a), Some(face_b)] = pair.triangles else { continue };
            let (Some(one), Some(two)) = (corners(a, face_a), corners(b, face_b)) else { continue };
            let two = two.map(|p| relative.transform_point(p));
            let Intersection::Segment(ends) = triangle::intersection(&one, &two) else { continue };
            if self.curve.len() == MOST_SEGMENTS {
                self.curve_is_cut_short = true;
                return;
            }
            self.curve.push(ends);
        }
    }
}
