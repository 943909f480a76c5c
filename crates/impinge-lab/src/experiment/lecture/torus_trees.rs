//! "Example: AABB's vs. OBB's. Approximation of a torus": the levels of two trees over the same ring, drawn and measured.

use crate::chart::{Axis, Chart, Corner, Panel, Series};
use crate::error::LabError;
use crate::experiment::{Experiment, ModelUse};
use crate::finding::{Document, Finding, Picture, Verdict};
use crate::model::{Model, ModelShape};
use crate::picture::Drawing;
use crate::session::Session;
use crate::setting::bodies::aslant;
use crate::table::Table;
use impinge::geom::bound::{Aabb, Bound, Frame, Obb};
use impinge::geom::glam::{DMat3, DVec3};
use impinge::mesh::{Mesh, MeshBuilder};
use impinge::tree::Builder;

pub(super) const EXPERIMENT: Experiment = Experiment {
    name: "torus-trees",
    title: "How the levels of AABB and OBB trees approach a torus",
    document: Document::Lecture,
    place: "slide “Example: AABB's vs. OBB's”",
    models: ModelUse::Unused,
    revision: 1,
    work,
};

/// A box in the model's own coordinates: its middle and half of each side.
#[derive(Clone, Copy)]
struct Block {
    center: DVec3,
    sides: [DVec3; 3],
}

impl Block {
    fn volume(&self) -> f64 {
        8.0 * self.sides[0].dot(self.sides[1].cross(self.sides[2])).abs()
    }

    fn corner(&self, bits: usize) -> DVec3 {
        let side = |k: usize| self.sides[k] * if bits >> k & 1 == 1 { 1.0 } else { -1.0 };
        self.center + side(0) + side(1) + side(2)
    }
}

/// Volumes that are boxes.
trait AsBlock: Bound {
    fn block(&self, frame: &Frame) -> Block;
}

impl AsBlock for Aabb {
    fn block(&self, frame: &Frame) -> Block {
        let (low, high) = (self.low.as_dvec3(), self.high.as_dvec3());
        let half = (high - low) / (2.0 * frame.factor());
        let center = (low + high) / (2.0 * frame.factor()) + frame.center();
        Block { center, sides: [DVec3::X * half.x, DVec3::Y * half.y, DVec3::Z * half.z] }
    }
}

impl AsBlock for Obb {
    fn block(&self, frame: &Frame) -> Block {
        let half = self.half.as_dvec3() / frame.factor();
        let [x, y, z] = self.axes.map(|axis| axis.as_dvec3());
        let center = self.center.as_dvec3() / frame.factor() + frame.center();
        Block { center, sides: [x * half.x, y * half.y, z * half.z] }
    }
}

fn levels<B: AsBlock>(mesh: &Mesh<B>, depth: usize) -> Vec<Vec<Block>> {
    let tree = mesh.tree();
    let block = |place: u32| tree.volume(place).map(|volume| volume.block(tree.frame()));
    (0..=depth).map(|level| tree.level(level).into_iter().filter_map(block).collect()).collect()
}

/// The ring of radius 1 and thickness 0.35 that [`ModelShape::Torus`] is, turned.
struct Ring {
    turn: DMat3,
}

impl Ring {
    /// How far a point is from the ring's surface.
    fn distance(&self, point: DVec3) -> f64 {
        let p = self.turn.transpose() * point;
        let out = (p.x * p.x + p.y * p.y).sqrt() - 1.0;
        ((out * out + p.z * p.z).sqrt() - 0.35).abs()
    }

    fn model(&self, triangles: usize) -> Model {
        let mut model = Model::generate(ModelShape::Torus, triangles);
        for vertex in &mut model.vertices {
            *vertex = (self.turn * DVec3::from_array(*vertex)).to_array();
        }
        model
    }
}

/// A tree by its name, and its levels.
struct BvhSettings {
    name: &'static str,
    levels: Vec<Vec<Block>>,
}

fn hierarchies(model: &Model, depth: usize) -> Result<Vec<BvhSettings>, LabError> {
    let grouped = |builder| {
        MeshBuilder::new(&model.vertices, &model.triangles, builder).map_err(LabError::failed)
    };
    let (by_axes, by_spread) = (grouped(Builder::Median)?, grouped(Builder::PrincipalMean)?);
    Ok(vec![
        BvhSettings { name: "AABB", levels: levels(&by_axes.mesh::<Aabb>(2), depth) },
        BvhSettings {
            name: "AABB, groups of OBB",
            levels: levels(&by_spread.mesh::<Aabb>(2), depth),
        },
        BvhSettings { name: "OBB", levels: levels(&by_spread.mesh::<Obb>(2), depth) },
    ])
}

fn work(session: &mut Session<'_>) -> Result<Finding, LabError> {
    let triangles = session.pick(4_096, 65_536, 262_144);
    let depth = session.pick(8, 11, 13);
    let mut table =
        Table::new("levels", "The boxes of each level, on a torus of radius 1 and thickness 0.35")
            .column("torus", "")
            .column("tree", "")
            .column("level", "")
            .column("boxes", "")
            .column("volume / volume of the torus", "")
            .column("farthest corner from the surface, mean over boxes", "");
    let volume = 2.0 * std::f64::consts::PI * std::f64::consts::PI * 0.35 * 0.35;
    let (mut panels, mut pictures, mut found) = (Vec::new(), Vec::new(), Vec::new());
    for (k, (place, turn)) in
        [("aslant", aslant()), ("aligned", DMat3::IDENTITY)].into_iter().enumerate()
    {
        session.step("building trees", k as u64, 2)?;
        let ring = Ring { turn };
        let trees = hierarchies(&ring.model(triangles), depth)?;
        let mut series = Vec::new();
        for (color, BvhSettings { name, levels }) in trees.iter().enumerate() {
            let mut mean_distances = Vec::new();
            for (level, blocks) in levels.iter().enumerate() {
                let share = blocks.iter().map(Block::volume).sum::<f64>() / volume;
                let mean_distance =
                    blocks.iter().map(|block| farthest_corner(&ring, block)).sum::<f64>()
                        / blocks.len().max(1) as f64;
                table.row([
                    place.into(),
                    (*name).into(),
                    level.into(),
                    blocks.len().into(),
                    share.into(),
                    mean_distance.into(),
                ]);
                mean_distances.push(mean_distance);
            }
            let points =
                mean_distances.iter().enumerate().map(|(level, value)| (level as f64, *value));
            series.push(Series::line(*name, points.collect()).colored(color));
            found.push(mean_distances);
        }
        panels.push(Panel {
            title: format!("Torus {place}, {triangles} triangles"),
            across: Axis::linear("level of the tree"),
            up: Axis::logarithmic("distance of the farthest corner from the surface [radii]"),
            series,
            legend: Corner::LowerLeft,
        });
        if k == 0 {
            pictures.push(picture(&ring, &trees));
        }
    }
    let mut finding = Finding {
        setting: format!(
            "A torus of radius 1 and thickness 0.35 with {triangles} triangles, turned so that no axis is aligned, and aligned; binary trees: boxes along the axes split at the median of the longest axis, oriented boxes at the mean of the principal axis, and boxes along the axes over the same groups as those."
        ),
        tables: vec![table],
        charts: vec![Chart { name: "levels".into(), panels }],
        pictures,
        ..Finding::default()
    };
    judge(&mut finding, &found);
    Ok(finding)
}

/// The farthest corner of a box from the surface.
fn farthest_corner(ring: &Ring, block: &Block) -> f64 {
    (0..8).map(|bits| ring.distance(block.corner(bits))).fold(0.0, f64::max)
}

/// `found` has the trees of the torus aslant, then of the aligned one.
fn judge(finding: &mut Finding, found: &[Vec<f64>]) {
    let [aabb, _, obb, ..] = found else { return };
    let last = obb.len().min(aabb.len()) - 1;
    let closer = (1..=last).filter(|&level| obb[level] < aabb[level]).count();
    let at = |level: usize| aabb[level] / obb[level];
    finding.claim(
        "level by level, oriented boxes fit a torus more closely than boxes along the axes (the slide's pictures)",
        format!(
            "the farthest corner of an oriented box is closer to the surface on {closer} of the levels 1 to {last}: {:.2} times closer on level {}, {:.1} times on level {last}.",
            at(last / 2),
            last / 2,
            at(last)
        ),
        Verdict::of(closer, last),
        "",
    );
    // Two levels below, a piece of surface is half as long: boxes as thick as long come half as near, flat ones a quarter.
    let factor = |mean_distances: &[f64]| (mean_distances[last - 4] / mean_distances[last]).sqrt();
    let (by_aabb, by_obb) = (factor(aabb), factor(obb));
    finding.claim(
        "oriented boxes converge to the surface with the square of their length, boxes along the axes with the length (slides “Parallel Close Proximity: Convergence”): 4 times and 2 times closer every two levels",
        format!(
            "over the last four levels {by_obb:.2} times closer every two levels for oriented boxes, {by_aabb:.2} times for boxes along the axes."
        ),
        Verdict::of(
            usize::from((3.0..=5.0).contains(&by_obb)) + usize::from((1.6..=2.5).contains(&by_aabb)),
            2,
        ),
        "",
    );
}

/// Levels that are drawn.
const DRAWN: usize = 6;
/// The width and height of one of the pictures.
const CELL: f64 = 230.0;

/// The levels side by side: boxes along the axes above, oriented boxes below.
fn picture(ring: &Ring, trees: &[BvhSettings]) -> Picture {
    let shown: Vec<&BvhSettings> = trees.iter().filter(|tree| !tree.name.contains(',')).collect();
    let size = [CELL * (DRAWN + 1) as f64, CELL * shown.len() as f64 + 24.0];
    let mut drawing = Drawing::new("boxes", size);
    for (row, tree) in shown.iter().enumerate() {
        let top = 24.0 + CELL * row as f64;
        let colors = [[37.0, 99.0, 235.0], [217.0, 119.0, 6.0]][row % 2];
        draw(
            &mut drawing,
            [CELL / 2.0, top + CELL / 2.0],
            &pieces(ring),
            [156.0, 163.0, 175.0],
            false,
        );
        drawing.words([CELL / 2.0, top + CELL - 4.0], 13, "the torus");
        for (level, blocks) in tree.levels.iter().take(DRAWN).enumerate() {
            let middle = [CELL * (level as f64 + 1.5), top + CELL / 2.0];
            let faces: Vec<Face> = blocks.iter().flat_map(faces).collect();
            draw(&mut drawing, middle, &faces, colors, true);
            let boxes = if blocks.len() == 1 { "box" } else { "boxes" };
            let text = format!("{}, level {level}: {} {boxes}", tree.name, blocks.len());
            drawing.words([middle[0], top + CELL - 4.0], 13, &text);
        }
    }
    drawing.words([size[0] / 2.0, 17.0], 15, "Levels of binary trees over a torus aslant");
    drawing.finish()
}

/// A flat piece with its outward normal.
struct Face {
    corners: Vec<DVec3>,
    normal: DVec3,
}

/// The six sides of a box.
fn faces(block: &Block) -> Vec<Face> {
    let mut all = Vec::new();
    for axis in 0..3 {
        for side in [0, 1 << axis] {
            let (u, v) = (1 << ((axis + 1) % 3), 1 << ((axis + 2) % 3));
            let corners = [0, u, u | v, v].map(|bits| block.corner(side | bits)).to_vec();
            let sign = if side == 0 { -1.0 } else { 1.0 };
            all.push(Face { corners, normal: (block.sides[axis] * sign).normalize_or_zero() });
        }
    }
    all
}

/// The torus itself, coarsely.
fn pieces(ring: &Ring) -> Vec<Face> {
    let model = ring.model(2304);
    let piece = |[a, b, c]: [DVec3; 3]| Face {
        corners: vec![a, b, c],
        normal: (b - a).cross(c - a).normalize_or_zero(),
    };
    model.corners().into_iter().map(piece).collect()
}

/// Draws what faces the eye, the farthest first, in parallel projection.
fn draw(drawing: &mut Drawing, middle: [f64; 2], faces: &[Face], color: [f64; 3], outlined: bool) {
    let eye = DVec3::new(1.0, -2.0, 2.0) / 3.0;
    let right = DVec3::new(2.0, 1.0, 0.0) / 5.0_f64.sqrt();
    let up = eye.cross(right);
    let scale = CELL / 4.6;
    let mut seen: Vec<(f64, &Face)> = faces
        .iter()
        .filter(|face| face.normal.dot(eye) > 0.0)
        .map(|face| {
            (face.corners.iter().map(|p| p.dot(eye)).sum::<f64>() / face.corners.len() as f64, face)
        })
        .collect();
    seen.sort_by(|a, b| a.0.total_cmp(&b.0));
    let light = DVec3::new(-0.3, -0.4, 0.866);
    for (_, Face { corners, normal }) in seen {
        let bright = 0.55 + 0.45 * normal.dot(light).max(0.0);
        let [r, g, b] = color.map(|value| (255.0 - (255.0 - value) * 0.75) * bright);
        let fill = format!("#{:02x}{:02x}{:02x}", r as u8, g as u8, b as u8);
        let points: Vec<[f64; 2]> = corners
            .iter()
            .map(|p| [middle[0] + p.dot(right) * scale, middle[1] - 10.0 - p.dot(up) * scale])
            .collect();
        let (stroke, width) = if outlined { ("#1f2937", 0.6) } else { (fill.as_str(), 0.4) };
        drawing.polygon(&points, &fill, stroke, width);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::Size;

    #[test]
    fn boxes_hold_the_torus_and_distances_are_those_of_a_ring() {
        let ring = Ring { turn: DMat3::IDENTITY };
        assert!((ring.distance(DVec3::ZERO) - 0.65).abs() < 1e-12);
        assert!(ring.distance(DVec3::new(1.35, 0.0, 0.0)) < 1e-12);
        let model = ring.model(1000);
        for BvhSettings { name, levels } in hierarchies(&model, 4).unwrap() {
            assert_eq!(levels.iter().map(Vec::len).collect::<Vec<_>>(), [1, 2, 4, 8, 16], "{name}");
            for blocks in levels {
                let inside = |p: &[f64; 3]| {
                    blocks.iter().any(|block| {
                        let d = DVec3::from_array(*p) - block.center;
                        block.sides.iter().all(|s| d.dot(*s).abs() <= s.length_squared() * 1.0001)
                    })
                };
                assert!(model.vertices.iter().all(inside), "{name}");
            }
        }
    }

    #[test]
    fn oriented_boxes_are_closer_and_drawn() {
        let finding = work(&mut Session::new(Size::Quick, 1)).unwrap();
        assert_eq!(finding.claims.len(), 2);
        let [Picture { svg, .. }] = &finding.pictures[..] else { panic!("one picture") };
        assert!(svg.contains("AABB, level 5: 32 boxes") && svg.contains("OBB, level 0: 1 box<"));
        assert_eq!(
            finding.claims[0].verdict,
            Verdict::Reproduced,
            "{}",
            finding.claims[0].measured
        );
        // A coarse ring has facets, to which boxes along the axes come no nearer.
        assert_ne!(finding.claims[1].verdict, Verdict::Differs, "{}", finding.claims[1].measured);
    }
}
