//! How two parts stand to each other: asked once, for all tests.

use crate::exact::Pair;
use crate::finding::Measured;
use crate::model::ModelPart;
use impinge::geom::glam::DVec3;
use impinge::geom::triangle::{self, Intersection};
use impinge::geom::{Inside, Method, Verdict};
use impinge::mesh::{self, Mode, Scratch};

/// What is known about two parts.
#[derive(Clone, Debug)]
pub(crate) struct Relation {
    pub(crate) verdict: Verdict,
    /// False if one vertex stood for all of an open mesh.
    pub(crate) certain: bool,
    pub(crate) distance: Option<Measured>,
    pub(crate) points: Option<[DVec3; 2]>,
    pub(crate) triangles: Option<[u32; 2]>,
    pub(crate) curve: Vec<[DVec3; 2]>,
    pub(crate) curve_is_cut_short: bool,
    /// An estimate where triangles stand for something round.
    pub(crate) curve_method: Method,
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
    pub(crate) fn new(value: f64, method: Method, points: [DVec3; 2]) -> Self {
        Self { distance: Measured { value, method }, points, triangles: None }
    }
}

impl ModelPart {
    /// How this part and another stand to each other: as solids where they are closed, exactly where they are primitives.
    pub fn verdict(&self, other: &Self, scratch: &mut Scratch) -> Verdict {
        verdict(self, other, Pair::new(self, other).as_ref(), scratch).0
    }

    /// The distance of the surfaces of two parts that do not overlap.
    pub fn gap(&self, other: &Self, scratch: &mut Scratch) -> Gap {
        gap(self, other, Pair::new(self, other).as_ref(), scratch)
    }
}

/// What is wanted of a pair.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wanted {
    /// Gaps up to this matter; below zero, none do.
    pub(crate) clearance: f64,
    /// Depths, points, curves and volumes as well.
    pub(crate) details: bool,
    /// Curves and volumes are for what is reported: depths above this, which is below zero if all are,
    pub(crate) reported_above: f64,
    /// and what is inside something else.
    pub(crate) reports_contained: bool,
    /// Tests allow some depth: it must be known to decide.
    pub(crate) depth: bool,
}

/// Segments of a curve that are kept.
const MOST_SEGMENTS: usize = 4096;
/// Rays by which volumes are estimated, along each side.
const RAYS: u32 = 24;

/// Asks about two parts.
pub(crate) fn relate(
    a: &ModelPart,
    b: &ModelPart,
    wanted: Wanted,
    scratch: &mut Scratch,
) -> Relation {
    let exact = Pair::new(a, b);
    let exact = exact.as_ref();
    let (verdict, certain) = verdict(a, b, exact, scratch);
    let round = a.is_round() || b.is_round();
    let mut relation = Relation {
        verdict,
        certain,
        distance: None,
        points: None,
        triangles: None,
        curve: Vec::new(),
        curve_is_cut_short: false,
        curve_method: if round { Method::Estimate } else { Method::Exact },
        volume: None,
    };
    match verdict {
        Verdict::Separated if wanted.clearance >= 0.0 => relation.take(gap(a, b, exact, scratch)),
        Verdict::Separated => {}
        Verdict::Touching if wanted.details => relation.take(gap(a, b, exact, scratch)),
        Verdict::Touching => {}
        Verdict::Penetrating | Verdict::Contained(_) if wanted.details || wanted.depth => {
            relation.measure_depth([a, b], exact, wanted, scratch);
        }
        Verdict::Penetrating | Verdict::Contained(_) => {}
    }
    relation
}

/// Closed parts are solids. An open one is a surface, which a closed part may still hold inside; that is asked at one vertex of it, so that
/// it is not certain for a surface of several pieces.
fn verdict(
    a: &ModelPart,
    b: &ModelPart,
    exact: Option<&Pair<'_>>,
    scratch: &mut Scratch,
) -> (Verdict, bool) {
    if let Some(exact) = exact {
        return exact.verdict(scratch);
    }
    if a.closed && b.closed {
        return (a.instance.verdict(&b.instance, Mode::Solid, scratch).verdict, true);
    }
    let surfaces = a.instance.verdict(&b.instance, Mode::Surface, scratch).verdict;
    if surfaces != Verdict::Separated {
        return (surfaces, true);
    }
    if a.closed && holds(a, b, scratch) {
        return (Verdict::Contained(Inside::B), false);
    }
    if b.closed && holds(b, a, scratch) {
        return (Verdict::Contained(Inside::A), false);
    }
    (surfaces, true)
}

/// True if a closed part has a vertex of another inside, whose surface it does not meet.
fn holds(host: &ModelPart, guest: &ModelPart, scratch: &mut Scratch) -> bool {
    let relative = host.instance.relative(&guest.instance);
    let vertex = guest.instance.mesh().vertices().first().map(|&p| relative.map(p));
    vertex.is_some_and(|p| mesh::winding(host.instance.mesh(), p, scratch).is_inside())
}

fn gap(a: &ModelPart, b: &ModelPart, exact: Option<&Pair<'_>>, scratch: &mut Scratch) -> Gap {
    if let Some(exact) = exact {
        return exact.gap(scratch);
    }
    let found = a.instance.distance(&b.instance, scratch);
    let gap = Gap::new(found.distance, Method::Exact, found.points);
    Gap { triangles: Some(found.triangles), ..gap }
}

/// The depth of two meshes, of which these triangles meet. An open part inside a closed one is parted from its surface already.
fn depth(a: &ModelPart, b: &ModelPart, met: &[[u32; 2]], scratch: &mut Scratch) -> Option<Gap> {
    let mode = if a.closed && b.closed { Mode::Solid } else { Mode::Surface };
    if mode == Mode::Surface && met.is_empty() {
        return None;
    }
    let relative = a.instance.relative(&b.instance);
    let (mesh_a, mesh_b) = (a.instance.mesh(), b.instance.mesh());
    let found = mesh::penetration_among(mesh_a, mesh_b, &relative, mode, met, scratch)?;
    let points = found.points.map(|p| a.instance.to_world(p));
    let gap = Gap::new(-found.depth * a.instance.scale(), found.method, points);
    Some(Gap { triangles: Some(found.triangles), ..gap })
}

impl Relation {
    fn take(&mut self, gap: Gap) {
        self.distance = Some(gap.distance);
        self.points = Some(gap.points);
        self.triangles = gap.triangles;
    }

    fn measure_depth(
        &mut self,
        [a, b]: [&ModelPart; 2],
        exact: Option<&Pair<'_>>,
        wanted: Wanted,
        scratch: &mut Scratch,
    ) {
        let relative = a.instance.relative(&b.instance);
        let (mesh_a, mesh_b) = (a.instance.mesh(), b.instance.mesh());
        let mut met = Vec::new();
        if wanted.details || exact.is_none() {
            mesh::pairs(mesh_a, mesh_b, &relative, scratch, &mut met);
        }
        let met: Vec<[u32; 2]> = met.into_iter().map(|(a, b, _)| [a, b]).collect();
        let depth = match exact {
            Some(exact) => exact.depth(scratch),
            None => depth(a, b, &met, scratch),
        };
        if let Some(depth) = depth {
            self.take(depth);
        }
        let deep = depth.is_none_or(|gap| -gap.distance.value > wanted.reported_above);
        let inside = matches!(self.verdict, Verdict::Contained(_)) && wanted.reports_contained;
        if !wanted.details || !(deep || inside) {
            return;
        }
        self.find_curve([a, b], &met);
        if a.closed && b.closed {
            let volume = mesh::common_volume(mesh_a, mesh_b, &relative, RAYS, scratch);
            self.volume = Some(volume * a.instance.scale().powi(3));
        }
    }

    /// Where the surfaces cross, in A's frame, of the triangles that meet.
    fn find_curve(&mut self, [a, b]: [&ModelPart; 2], met: &[[u32; 2]]) {
        let relative = a.instance.relative(&b.instance);
        let corners = |part: &ModelPart, face: u32| {
            let mesh = part.instance.mesh();
            let triangle = mesh.triangles().get(face as usize)?;
            let corner = |k: usize| mesh.vertices().get(triangle[k] as usize).copied();
            Some([corner(0)?, corner(1)?, corner(2)?])
        };
        for &[face_a, face_b] in met {
            let (Some(one), Some(two)) = (corners(a, face_a), corners(b, face_b)) else { continue };
            let two = two.map(|p| relative.map(p));
            let Intersection::Segment(ends) = triangle::intersection(&one, &two) else { continue };
            if self.curve.len() == MOST_SEGMENTS {
                self.curve_is_cut_short = true;
                return;
            }
            self.curve.push(ends);
        }
    }
}
