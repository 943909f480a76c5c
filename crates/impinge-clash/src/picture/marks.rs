//! What is drawn over the parts: the curve where surfaces cross, the points between which was measured, and a ring around what is
//! too small to be seen.

use super::layers::Layers;
use super::raster::Screen;
use super::subject::Subject;
use super::{CLASH, FIRST, SECOND};
use crate::plan::Kind;

const WHITE: [u8; 3] = [255; 3];
const DARK: [u8; 3] = [38, 42, 48];
/// What hides a line by less of its depth is the surface that it lies on.
const ON_SURFACE: f32 = 2e-3;

/// Ink on samples: a colour and how much it covers, of 255.
pub(super) struct Marks {
    width: usize,
    height: usize,
    ink: Vec<([u8; 3], u8)>,
}

/// A line or disc on the screen: ends with columns, rows and inverse depths, and half its width in samples.
struct Stroke {
    ends: [[f32; 3]; 2],
    half: f32,
}

impl Marks {
    /// Draws what is to be marked.
    pub(super) fn draw(subject: &Subject<'_>, screen: &Screen, layers: &Layers) -> Self {
        let (width, height) = (screen.width, screen.height);
        let mut marks = Self { width, height, ink: vec![(DARK, 0); width * height] };
        // Half the width of a line.
        let pen = height as f32 * 0.0028;
        let curve: Vec<Stroke> = (subject.findings.iter().flat_map(|finding| &finding.curve))
            .filter_map(|ends| Stroke::new(screen, *ends, pen))
            .collect();
        for (grow, colour, cover) in [(1.9, WHITE, [140, 40]), (1.0, CLASH, [255, 150])] {
            for stroke in &curve {
                marks.stroke(stroke, grow, colour, cover, layers);
            }
        }
        if !subject.whole {
            marks.ring(subject, screen, pen);
        }
        for finding in &subject.findings {
            let Some(points) = finding.points.filter(|_| finding.kind != Kind::Duplicate) else {
                continue;
            };
            if let Some(line) = Stroke::new(screen, points, 0.8 * pen) {
                for (grow, colour) in [(2.2, WHITE), (1.0, DARK)] {
                    marks.stroke(&line, grow, colour, [255, 255], layers);
                }
            }
            for (point, colour) in points.into_iter().zip([FIRST, SECOND]) {
                if let Some(dot) = Stroke::new(screen, [point; 2], 1.9 * pen) {
                    let dark = colour.map(|x| x / 2);
                    for (grow, colour) in [(1.5, WHITE), (1.0, dark)] {
                        marks.stroke(&dot, grow, colour, [255, 255], layers);
                    }
                }
            }
        }
        marks
    }

    /// The ink of a sample.
    pub(super) fn at(&self, x: usize, y: usize) -> ([u8; 3], u8) {
        if x < self.width {
            self.ink.get(y * self.width + x).copied().unwrap_or((DARK, 0))
        } else {
            (DARK, 0)
        }
    }

    /// Draws a stroke; `cover` is for what is before the pair and for what is hidden.
    fn stroke(
        &mut self,
        stroke: &Stroke,
        grow: f32,
        colour: [u8; 3],
        cover: [u8; 2],
        layers: &Layers,
    ) {
        let half = (stroke.half * grow).max(0.5);
        let [p, q] = stroke.ends;
        let range = |axis: usize, end: usize| {
            let low = (p[axis].min(q[axis]) - half).floor().max(0.0) as usize;
            let high = (p[axis].max(q[axis]) + half).ceil().max(0.0) as usize;
            low..(high + 1).min(end)
        };
        let arm = [q[0] - p[0], q[1] - p[1]];
        let square = arm[0] * arm[0] + arm[1] * arm[1];
        for y in range(1, self.height) {
            for x in range(0, self.width) {
                let at = [x as f32 + 0.5 - p[0], y as f32 + 0.5 - p[1]];
                let along = at[0] * arm[0] + at[1] * arm[1];
                let t = if square > 0.0 { (along / square).clamp(0.0, 1.0) } else { 0.0 };
                let off = [at[0] - t * arm[0], at[1] - t * arm[1]];
                if off[0] * off[0] + off[1] * off[1] > half * half {
                    continue;
                }
                let inverse = p[2] + t * (q[2] - p[2]);
                let before = inverse >= layers.front(x, y).1.inverse * (1.0 - ON_SURFACE);
                let cover = if before { cover[0] } else { cover[1] };
                let ink = &mut self.ink[y * self.width + x];
                // Segments of one curve meet: they do not add up.
                *ink = (colour, if ink.0 == colour { ink.1.max(cover) } else { cover });
            }
        }
    }

    /// A ring around what would be overlooked.
    fn ring(&mut self, subject: &Subject<'_>, screen: &Screen, pen: f32) {
        let corner = screen.corner(screen.view(subject.place));
        let Some([x, y, inverse]) = corner.place() else { return };
        let seen = (subject.reach / screen.unit) as f32 * inverse * screen.focal;
        let height = self.height as f32;
        if seen > 0.1 * height {
            return;
        }
        let radius = (seen * 1.4).max(0.055 * height);
        let outer = radius + 2.0 * pen;
        let range = |middle: f32, end: usize| {
            let low = (middle - outer).floor().max(0.0) as usize;
            low..((middle + outer).ceil().max(0.0) as usize + 1).min(end)
        };
        for row in range(y, self.height) {
            for column in range(x, self.width) {
                let (dx, dy) = (column as f32 + 0.5 - x, row as f32 + 0.5 - y);
                let off = ((dx * dx + dy * dy).sqrt() - radius).abs();
                if off <= 2.0 * pen {
                    let ink = if off <= pen { (CLASH, 255) } else { (WHITE, 200) };
                    self.ink[row * self.width + column] = ink;
                }
            }
        }
    }
}

impl Stroke {
    /// None if an end is not before the camera, or far outside the picture.
    fn new(screen: &Screen, ends: [impinge::geom::glam::DVec3; 2], half: f32) -> Option<Self> {
        let [p, q] = ends.map(|end| screen.corner(screen.view(end)).place());
        Some(Self { ends: [p?, q?], half })
    }
}
