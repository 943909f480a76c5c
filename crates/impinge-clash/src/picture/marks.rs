//! What is drawn over the parts: the curve where surfaces cross, the points between which was measured, and a ring around what is
//! too small to be seen.

use super::layers::Band;
use super::raster::Screen;
use super::subject::Subject;
use super::{CLASH, FIRST, SECOND};
use crate::plan::Kind;
use impinge::geom::glam::DVec3;
use std::ops::Range;

const WHITE: [u8; 3] = [255; 3];
const DARK: [u8; 3] = [38, 42, 48];
/// What hides a line by less of its depth is the surface that it lies on.
const ON_SURFACE: f32 = 2e-3;

/// What is to be marked, in the order in which it is drawn.
pub(super) struct Marks(Vec<Mark>);

/// A colour, how much it covers, of 255, before the pair and where it is hidden, and where it is.
struct Mark {
    colour: [u8; 3],
    cover: [u8; 2],
    form: Form,
}

enum Form {
    Stroke(Stroke),
    Ring(Ring),
}

/// A line or disc on the screen: ends with columns, rows and inverse depths, and half its width in samples.
#[derive(Clone, Copy)]
struct Stroke {
    ends: [[f32; 3]; 2],
    half: f32,
}

/// A ring around what would be overlooked, from one radius to another.
struct Ring {
    middle: [f32; 2],
    radii: [f32; 2],
}

/// Ink on the samples of some rows: a colour and how much it covers, of 255.
pub(super) struct Ink {
    width: usize,
    rows: Range<usize>,
    /// The rows that have any.
    inked: Range<usize>,
    ink: Vec<([u8; 3], u8)>,
}

impl Marks {
    /// What is to be marked of a subject.
    pub(super) fn new(subject: &Subject<'_>, screen: &Screen) -> Self {
        let mut marks = Self(Vec::new());
        // Half the width of a line.
        let pen = screen.height as f32 * 0.0028;
        let curve: Vec<Stroke> = (subject.findings.iter().flat_map(|finding| &finding.curve))
            .filter_map(|ends| Stroke::new(screen, *ends, pen))
            .collect();
        for (grow, colour, cover) in [(1.9, WHITE, [140, 40]), (1.0, CLASH, [255, 150])] {
            curve.iter().for_each(|stroke| marks.stroke(stroke, grow, colour, cover));
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
                    marks.stroke(&line, grow, colour, [255, 255]);
                }
            }
            for (point, colour) in points.into_iter().zip([FIRST, SECOND]) {
                if let Some(dot) = Stroke::new(screen, [point; 2], 1.9 * pen) {
                    for (grow, colour) in [(1.5, WHITE), (1.0, colour.map(|x| x / 2))] {
                        marks.stroke(&dot, grow, colour, [255, 255]);
                    }
                }
            }
        }
        marks
    }

    fn stroke(&mut self, stroke: &Stroke, grow: f32, colour: [u8; 3], cover: [u8; 2]) {
        let form = Form::Stroke(Stroke { half: (stroke.half * grow).max(0.5), ..*stroke });
        self.0.push(Mark { colour, cover, form });
    }

    fn ring(&mut self, subject: &Subject<'_>, screen: &Screen, pen: f32) {
        let corner = screen.corner(screen.view(subject.place));
        let Some([x, y, inverse]) = corner.place() else { return };
        let seen = (subject.reach / screen.unit) as f32 * inverse * screen.focal;
        let height = screen.height as f32;
        if seen > 0.1 * height {
            return;
        }
        let radius = (seen * 1.4).max(0.055 * height);
        for (half, colour, cover) in [(2.0 * pen, WHITE, 200), (pen, CLASH, 255)] {
            let form = Form::Ring(Ring { middle: [x, y], radii: [radius - half, radius + half] });
            self.0.push(Mark { colour, cover: [cover; 2], form });
        }
    }

    /// The ink of some rows.
    pub(super) fn ink(&self, band: &Band) -> Ink {
        let (width, rows) = (band.width, band.rows.clone());
        let mut ink = Ink { width, inked: 0..0, ink: vec![(DARK, 0); width * rows.len()], rows };
        for mark in &self.0 {
            match &mark.form {
                Form::Stroke(stroke) => ink.stroke(stroke, mark, band),
                Form::Ring(ring) => ink.ring(ring, mark),
            }
        }
        ink
    }
}

impl Ink {
    /// The ink of a row of samples; empty where there is none.
    pub(super) fn row(&self, y: usize) -> &[([u8; 3], u8)] {
        if !self.inked.contains(&y) {
            return &[];
        }
        let line = (y - self.rows.start) * self.width;
        self.ink.get(line..line + self.width).unwrap_or(&[])
    }

    /// The columns and rows from one corner to another, as far as they are here, which are about to have ink.
    fn span(&mut self, low: [f32; 2], high: [f32; 2]) -> [Range<usize>; 2] {
        // Casts keep within what the type holds.
        let [left, top] = low.map(|x| x.floor().max(0.0) as usize);
        let [right, bottom] = high.map(|x| (x.ceil().max(0.0) as usize).saturating_add(1));
        let rows = top.max(self.rows.start)..bottom.min(self.rows.end);
        if !rows.is_empty() {
            let old = if self.inked.is_empty() { rows.clone() } else { self.inked.clone() };
            self.inked = old.start.min(rows.start)..old.end.max(rows.end);
        }
        [left..right.min(self.width), rows]
    }

    fn stroke(&mut self, stroke: &Stroke, mark: &Mark, band: &Band) {
        let Stroke { ends: [p, q], half } = *stroke;
        let low = [0, 1].map(|axis| p[axis].min(q[axis]) - half);
        let high = [0, 1].map(|axis| p[axis].max(q[axis]) + half);
        let arm = [q[0] - p[0], q[1] - p[1]];
        let square = arm[0] * arm[0] + arm[1] * arm[1];
        let [columns, rows] = self.span(low, high);
        for y in rows {
            for x in columns.clone() {
                let at = [x as f32 + 0.5 - p[0], y as f32 + 0.5 - p[1]];
                let along = at[0] * arm[0] + at[1] * arm[1];
                let t = if square > 0.0 { (along / square).clamp(0.0, 1.0) } else { 0.0 };
                let off = [at[0] - t * arm[0], at[1] - t * arm[1]];
                if off[0] * off[0] + off[1] * off[1] > half * half {
                    continue;
                }
                let inverse = p[2] + t * (q[2] - p[2]);
                let before = inverse >= band.front(x, y) * (1.0 - ON_SURFACE);
                let cover = if before { mark.cover[0] } else { mark.cover[1] };
                let ink = &mut self.ink[(y - self.rows.start) * self.width + x];
                // Segments of one curve meet: they do not add up.
                let cover = if ink.0 == mark.colour { ink.1.max(cover) } else { cover };
                *ink = (mark.colour, cover);
            }
        }
    }

    fn ring(&mut self, Ring { middle: [x, y], radii: [inner, outer] }: &Ring, mark: &Mark) {
        let [columns, rows] = self.span([x - outer, y - outer], [x + outer, y + outer]);
        for row in rows {
            for column in columns.clone() {
                let (dx, dy) = (column as f32 + 0.5 - x, row as f32 + 0.5 - y);
                let off = (dx * dx + dy * dy).sqrt();
                if (*inner..=*outer).contains(&off) {
                    self.ink[(row - self.rows.start) * self.width + column] =
                        (mark.colour, mark.cover[0]);
                }
            }
        }
    }
}

impl Stroke {
    /// None if an end is not before the camera, or far outside the picture.
    fn new(screen: &Screen, ends: [DVec3; 2], half: f32) -> Option<Self> {
        let [p, q] = ends.map(|end| screen.corner(screen.view(end)).place());
        Some(Self { ends: [p?, q?], half })
    }
}
