//! Pictures drawn by hand, as SVG: polygons, dots and words.

use crate::finding::Picture;
use std::fmt::Write;

/// A picture in the making, in pixels from the upper left corner.
pub(crate) struct Drawing {
    name: String,
    size: [f64; 2],
    body: String,
}

impl Drawing {
    /// An empty one.
    pub(crate) fn new(name: &str, size: [f64; 2]) -> Self {
        Self { name: name.into(), size, body: String::new() }
    }

    /// A closed outline, filled; `fill` may be "none".
    pub(crate) fn polygon(&mut self, points: &[[f64; 2]], fill: &str, stroke: &str, width: f64) {
        let _ = writeln!(
            self.body,
            "<polygon points=\"{}\" fill=\"{fill}\" stroke=\"{stroke}\" stroke-width=\"{width}\" stroke-linejoin=\"round\"/>",
            list(points)
        );
    }

    /// A filled circle.
    pub(crate) fn dot(&mut self, [x, y]: [f64; 2], radius: f64, fill: &str) {
        let _ = writeln!(
            self.body,
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius}\" fill=\"{fill}\"/>"
        );
    }

    /// Words, centred on the point.
    pub(crate) fn words(&mut self, [x, y]: [f64; 2], size: u32, text: &str) {
        let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        let _ = writeln!(
            self.body,
            "<text x=\"{x:.1}\" y=\"{y:.1}\" font-family=\"sans-serif\" font-size=\"{size}\" text-anchor=\"middle\" fill=\"#111827\">{text}</text>"
        );
    }

    /// The picture, on white.
    pub(crate) fn finish(self) -> Picture {
        let Self { name, size: [width, height], body } = self;
        let svg = format!(
            "<svg width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" xmlns=\"http://www.w3.org/2000/svg\">\n<rect width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>\n{body}</svg>\n"
        );
        Picture { name, svg }
    }
}

fn list(points: &[[f64; 2]]) -> String {
    points.iter().map(|[x, y]| format!("{x:.1},{y:.1}")).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_drawing_holds_what_was_drawn() {
        let mut drawing = Drawing::new("trial", [30.0, 20.0]);
        drawing.polygon(&[[0.0, 0.0], [1.0, 0.04], [2.0, 3.0]], "none", "#000", 1.0);
        drawing.dot([3.0, 4.0], 2.0, "red");
        drawing.words([15.0, 10.0], 12, "a < b");
        let Picture { name, svg } = drawing.finish();
        assert_eq!(name, "trial");
        assert!(svg.starts_with("<svg width=\"30\" height=\"20\"") && svg.ends_with("</svg>\n"));
        for part in ["0.0,0.0 1.0,0.0 2.0,3.0", "cx=\"3.0\"", "a &lt; b"] {
            assert!(svg.contains(part), "{part}");
        }
    }
}
