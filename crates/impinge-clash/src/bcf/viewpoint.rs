//! `viewpoint.bcfv`: where a topic is seen from, which parts it is about and what is marked, in metres (`visinfo.xsd`).

use super::guid::is_ifc_guid;
use super::topic::Topic;
use super::xml::Writer;
use super::{Export, Version};
use crate::finding::Finding;
use crate::model::{Model, ModelPart};
use crate::picture::{Camera, FIRST, SECOND};
use impinge::geom::glam::DVec3;
use std::collections::BTreeSet;

/// Lines of a viewpoint; a longer curve is thinned out.
const MOST_LINES: usize = 100;

/// The text of a topic's viewpoint, seen by a camera in the unit of the model.
pub(super) fn viewpoint(
    model: &Model,
    export: &Export<'_>,
    topic: &Topic<'_>,
    camera: &Camera,
    aspect: f64,
) -> String {
    let mut xml = Writer::new();
    xml.open("VisualizationInfo", &[("Guid", &topic.viewpoint)]);
    components(&mut xml, model, export, topic);
    let metres = model.unit.metres();
    xml.open("PerspectiveCamera", &[]);
    point(&mut xml, "CameraViewPoint", camera.position * metres);
    point(&mut xml, "CameraDirection", camera.direction);
    point(&mut xml, "CameraUpVector", camera.up);
    xml.text("FieldOfView", &camera.field_of_view.to_string());
    if export.version == Version::V3_0 {
        xml.text("AspectRatio", &aspect.to_string());
    }
    xml.close();
    let lines = lines(&topic.findings);
    if !lines.is_empty() {
        xml.open("Lines", &[]);
        for [start, end] in lines {
            xml.open("Line", &[]);
            point(&mut xml, "StartPoint", start * metres);
            point(&mut xml, "EndPoint", end * metres);
            xml.close();
        }
        xml.close();
    }
    xml.end()
}

/// The curve where surfaces cross, and the line along which a gap or depth was measured.
fn lines(findings: &[&Finding]) -> Vec<[DVec3; 2]> {
    let mut lines: Vec<[DVec3; 2]> =
        findings.iter().flat_map(|finding| finding.curve.iter().copied()).collect();
    let step = lines.len().div_ceil(MOST_LINES).max(1);
    lines = lines.into_iter().step_by(step).collect();
    lines.extend(findings.iter().filter_map(|finding| finding.points).take(MOST_LINES));
    lines.retain(|[start, end]| start != end);
    lines
}

fn components(xml: &mut Writer, model: &Model, export: &Export<'_>, topic: &Topic<'_>) {
    let known = |part: &usize| model.parts.get(*part);
    let (mut first, mut second) = (BTreeSet::new(), BTreeSet::new());
    for finding in &topic.findings {
        first.extend(finding.parts.iter().take(1));
        second.extend(finding.parts.iter().skip(1));
    }
    first.retain(|part| !second.contains(part));
    let all: BTreeSet<usize> = first.union(&second).copied().collect();
    xml.open("Components", &[]).open("Selection", &[]);
    all.iter().filter_map(known).for_each(|part| component(xml, part));
    xml.close().empty("Visibility", &[("DefaultVisibility", "true")]).open("Coloring", &[]);
    for (set, colour) in [(&first, FIRST), (&second, SECOND)] {
        if set.is_empty() {
            continue;
        }
        let [r, g, b] = colour;
        xml.open("Color", &[("Color", &format!("{r:02X}{g:02X}{b:02X}"))]);
        if export.version == Version::V3_0 {
            xml.open("Components", &[]);
        }
        set.iter().filter_map(known).for_each(|part| component(xml, part));
        if export.version == Version::V3_0 {
            xml.close();
        }
        xml.close();
    }
    xml.close().close();
}

/// A part by the GUID that its file gives it, if there is one, and by its path.
fn component(xml: &mut Writer, part: &ModelPart) {
    let guid = ifc_guid(part);
    let attributes: Vec<(&str, &str)> = guid.iter().map(|guid| ("IfcGuid", *guid)).collect();
    xml.open("Component", &attributes);
    xml.text("OriginatingSystem", "impinge")
        .text_unless_blank("AuthoringToolId", &part.path)
        .close();
}

/// The GUID of a part: a property that is called so, or a word of its name.
fn ifc_guid(part: &ModelPart) -> Option<&str> {
    let named = part.properties.iter().filter(|(key, _)| {
        let key = key.to_ascii_lowercase();
        key.ends_with("guid") || key.ends_with("globalid")
    });
    let splits = |c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '$');
    let mut candidates = named.map(|(_, value)| value.trim()).chain(part.name.split(splits));
    candidates.find(|text| is_ifc_guid(text))
}

fn point(xml: &mut Writer, name: &'static str, point: DVec3) {
    xml.open(name, &[]);
    for (axis, value) in [("X", point.x), ("Y", point.y), ("Z", point.z)] {
        // Minus zero is zero, and digits without an exponent are read by all.
        xml.text(axis, &(value + 0.0).to_string());
    }
    xml.close();
}
