//! How two parts stand to each other: asked once, for all tests.

use crate::finding::Measured;
use crate::model::ModelPart;
use impinge::geom::glam::DVec3;
use impinge::geom::triangle::Intersection;
use impinge::geom::{Inside, Method, Verdict};
use impinge::mesh::{self, Contact, Mode, Scratch};

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
    pub(crate) volume: Option<f64>,
}

/// What is wanted of a pair.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wanted {
    /// Gaps up to this matter; below zero, none do.
    pub(crate) clearance: f64,
    /// Depths, points, curves and volumes as well.
    pub(crate) details: bool,
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
    let (verdict, certain) = verdict(a, b, scratch);
    let mut relation = Relation {
        verdict,
        certain,
        distance: None,
        points: None,
        triangles: None,
        curve: Vec::new(),
        curve_is_cut_short: false,
        volume: None,
    };
    match verdict {
        Verdict::Separated if wanted.clearance >= 0.0 => relation.measure_gap(a, b, scratch),
        Verdict::Separated => {}
        Verdict::Touching if wanted.details => relation.measure_gap(a, b, scratch),
        Verdict::Touching => {}
        Verdict::Penetrating | Verdict::Contained(_) if wanted.details || wanted.depth => {
            relation.measure_depth(a, b, wanted, scratch);
        }
        Verdict::Penetrating | Verdict::Contained(_) => {}
    }
    relation
}

/// Closed parts are solids. An open one is a surface, which a closed part may still hold inside; that is asked at one vertex of it, so that
/// it is not certain for a surface of several pieces.
fn verdict(a: &ModelPart, b: &ModelPart, scratch: &mut Scratch) -> (Verdict, bool) {
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

impl Relation {
    fn measure_gap(&mut self, a: &ModelPart, b: &ModelPart, scratch: &mut Scratch) {
        let found = a.instance.distance(&b.instance, scratch);
        self.distance = Some(Measured { value: found.distance, method: Method::Exact });
        self.points = Some(found.points);
        self.triangles = Some(found.triangles);
    }

    fn measure_depth(
        &mut self,
        a: &ModelPart,
        b: &ModelPart,
        wanted: Wanted,
        scratch: &mut Scratch,
    ) {
        let relative = a.instance.relative(&b.instance);
        let (mesh_a, mesh_b) = (a.instance.mesh(), b.instance.mesh());
        let mode = if a.closed && b.closed { Mode::Solid } else { Mode::Surface };
        // An open part inside a closed one is parted from its surface already.
        if let Some(found) = mesh::penetration(mesh_a, mesh_b, &relative, mode, scratch) {
            let value = -found.depth * a.instance.scale();
            self.distance = Some(Measured { value, method: found.method });
            self.points = Some(found.points.map(|p| a.instance.to_world(p)));
            self.triangles = Some(found.triangles);
        }
        if wanted.details {
            if mode == Mode::Solid {
                let volume = mesh::common_volume(mesh_a, mesh_b, &relative, RAYS, scratch);
                self.volume = Some(volume * a.instance.scale().powi(3));
            }
            self.find_curve(a, b, scratch);
        }
    }

    /// Where the surfaces cross.
    fn find_curve(&mut self, a: &ModelPart, b: &ModelPart, scratch: &mut Scratch) {
        let mut found: Vec<Contact> = Vec::new();
        a.instance.contacts(&b.instance, scratch, &mut found);
        let segments = found.iter().filter_map(|contact| match contact.intersection {
            Intersection::Segment(ends) => Some(ends),
            _ => None,
        });
        self.curve = segments.clone().take(MOST_SEGMENTS).collect();
        self.curve_is_cut_short = segments.count() > MOST_SEGMENTS;
    }
}
