//! Charts as SVG, upwards logarithmic and across too if they are not about places, with their text as text.

use plotters::coord::ranged1d::ValueFormatter;
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;
use std::path::Path;

/// A named line through points. One of a single point has its name beside the point, not in the legend.
#[derive(Clone, Debug)]
pub struct Line {
    /// What the legend says.
    pub name: String,
    /// From left to right, all positive but for places.
    pub points: Vec<(f64, f64)>,
}

/// One of the charts that stand side by side.
#[derive(Clone, Debug)]
pub struct Panel {
    /// Above it.
    pub title: String,
    /// Below it.
    pub across: String,
    /// Beside it.
    pub up: String,
    /// What it shows.
    pub lines: Vec<Line>,
    /// Whether the lines fall, so that the legend has room beside their upper end.
    pub falling: bool,
    /// Whether equal steps across are equal differences, not equal factors.
    pub even: bool,
}

const COLORS: [RGBColor; 15] = [
    RGBColor(37, 99, 235),
    RGBColor(217, 119, 6),
    RGBColor(5, 150, 105),
    RGBColor(190, 24, 93),
    RGBColor(109, 40, 217),
    RGBColor(75, 85, 99),
    RGBColor(14, 165, 233),
    RGBColor(220, 38, 38),
    RGBColor(101, 163, 13),
    RGBColor(120, 53, 15),
    RGBColor(236, 72, 153),
    RGBColor(202, 138, 4),
    RGBColor(13, 148, 136),
    RGBColor(0, 0, 0),
    RGBColor(167, 139, 250),
];

/// Draws the panels side by side and returns the SVG.
pub fn svg(panels: &[Panel]) -> Result<String, String> {
    let mut text = String::new();
    {
        let size = (520 * panels.len().max(1) as u32, 440);
        let root = SVGBackend::with_string(&mut text, size).into_drawing_area();
        root.fill(&WHITE).map_err(|error| error.to_string())?;
        for (area, panel) in root.split_evenly((1, panels.len().max(1))).iter().zip(panels) {
            draw(area, panel).map_err(|error| format!("{}: {error}", panel.title))?;
        }
        root.present().map_err(|error| error.to_string())?;
    }
    Ok(text)
}

/// Writes the SVG of the panels into a folder.
pub fn write(folder: &Path, name: &str, panels: &[Panel]) -> Result<(), String> {
    let path = folder.join(name);
    let write =
        |text: String| std::fs::create_dir_all(folder).and_then(|()| std::fs::write(&path, text));
    write(svg(panels)?).map_err(|error| format!("{}: {error}", path.display()))
}

type Area<'a> = DrawingArea<SVGBackend<'a>, plotters::coord::Shift>;

fn draw(area: &Area<'_>, panel: &Panel) -> Result<(), Box<dyn std::error::Error>> {
    let points = || panel.lines.iter().flat_map(|line| &line.points);
    let range = |pick: fn(&(f64, f64)) -> f64| {
        let values = points().map(pick);
        values.fold((f64::MAX, f64::MIN), |(low, high): (f64, f64), x| (low.min(x), high.max(x)))
    };
    // Single points need not span a factor of ten.
    let base = if panel.lines.iter().all(|line| line.points.len() == 1) { 2.0 } else { 10.0 };
    let scale = |(low, high): (f64, f64)| (low * 0.8..high * 1.25).log_scale().base(base).into();
    let (across, up): ((f64, f64), LogCoord<f64>) = (range(|p| p.0), scale(range(|p| p.1)));
    if panel.even {
        draw_in(area, panel, RangedCoordf64::from(across.0..across.1), up)
    } else {
        draw_in::<LogCoord<f64>>(area, panel, scale(across), up)
    }
}

fn draw_in<X>(
    area: &Area<'_>,
    panel: &Panel,
    across: X,
    up: LogCoord<f64>,
) -> Result<(), Box<dyn std::error::Error>>
where
    X: Ranged<ValueType = f64> + ValueFormatter<f64>,
{
    let mut chart = ChartBuilder::on(area)
        .caption(&panel.title, ("sans-serif", 17))
        .margin(12)
        .x_label_area_size(42)
        .y_label_area_size(64)
        .build_cartesian_2d(across, up)?;
    chart
        .configure_mesh()
        .x_desc(&panel.across)
        .y_desc(&panel.up)
        .x_labels(8)
        .y_labels(8)
        .max_light_lines(0)
        .label_style(("sans-serif", 12))
        .x_label_formatter(&|x| short(*x))
        .y_label_formatter(&|y| short(*y))
        .draw()?;
    let mut labels = Vec::new();
    for (index, line) in panel.lines.iter().enumerate() {
        let color = COLORS[index % COLORS.len()];
        if let [point] = line.points[..] {
            labels.push((chart.backend_coord(&point), line.name.as_str(), color));
            chart.draw_series([Circle::new(point, 3, color.filled())])?;
            continue;
        }
        chart
            .draw_series(LineSeries::new(line.points.iter().copied(), color.stroke_width(2)))?
            .label(&line.name)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 16, y)], color.stroke_width(2)));
        chart.draw_series(line.points.iter().map(|p| Circle::new(*p, 2, color.filled())))?;
    }
    if !labels.is_empty() {
        let corner = area.get_base_pixel();
        let (across, _) = chart.plotting_area().get_pixel_range();
        for ((x, y), name, color) in placed(&labels, across) {
            let style = ("sans-serif", LABEL).into_font().color(&color);
            area.draw(&Text::new(name.to_string(), (x - corner.0, y - corner.1), style))?;
        }
    }
    if labels.len() == panel.lines.len() {
        return Ok(());
    }
    let corner = if panel.falling {
        SeriesLabelPosition::UpperRight
    } else {
        SeriesLabelPosition::UpperLeft
    };
    chart
        .configure_series_labels()
        .position(corner)
        .background_style(WHITE.mix(0.8))
        .border_style(RGBColor(156, 163, 175))
        .label_font(("sans-serif", 12))
        .draw()?;
    Ok(())
}

/// The height of a name beside a point, in pixels.
const LABEL: i32 = 11;

/// A place in pixels, a name and its colour.
type Label<'n> = ((i32, i32), &'n str, RGBColor);

/// Where names go whose points are given: beside, above or below them, where that is free and within the chart.
fn placed<'n>(points: &[Label<'n>], across: std::ops::Range<i32>) -> Vec<Label<'n>> {
    // Low and high corners of what is taken: at first the points.
    let around = |(x, y): (i32, i32)| [(x - 3, y - 3), (x + 3, y + 3)];
    let mut taken: Vec<[(i32, i32); 2]> = points.iter().map(|(point, ..)| around(*point)).collect();
    let mut labels = Vec::new();
    for ((x, y), name, color) in points {
        // Letters are a little wider than half their height.
        let wide = name.chars().count() as i32 * LABEL * 11 / 20;
        let (left, middle, right) = (x - 6 - wide, x - wide / 2, x + 6);
        let rows = [0, -1, 1, -2, 2, -3, 3].map(|row| y - LABEL / 2 + row * (LABEL + 1));
        let places = rows.iter().flat_map(|row| [(right, *row), (left, *row), (middle, *row)]);
        let box_at = |(x, y): (i32, i32)| [(x, y), (x + wide, y + LABEL)];
        let meets = |a: &[(i32, i32); 2], b: &[(i32, i32); 2]| {
            a[0].0 < b[1].0 && b[0].0 < a[1].0 && a[0].1 < b[1].1 && b[0].1 < a[1].1
        };
        let free = |place: &(i32, i32)| {
            across.start < place.0
                && place.0 + wide < across.end
                && !taken.iter().any(|other| meets(other, &box_at(*place)))
        };
        let place = places.into_iter().find(free).unwrap_or((right, rows[0]));
        taken.push(box_at(place));
        labels.push((place, *name, *color));
    }
    labels
}

/// A number as one reads it on an axis.
fn short(value: f64) -> String {
    let (scaled, unit) = match value {
        1e6.. => (value / 1e6, "M"),
        1e3.. => (value / 1e3, "k"),
        _ => (value, ""),
    };
    format!("{}{unit}", (scaled * 1e4).round() / 1e4)
}

/// The slope of the least-squares line through the logarithms of the points with x in the window.
pub fn slope(points: &[(f64, f64)], window: [f64; 2]) -> f64 {
    let inside: Vec<(f64, f64)> = points
        .iter()
        .filter(|(x, _)| (window[0] * 0.999..=window[1] * 1.001).contains(x))
        .map(|(x, y)| (x.ln(), y.ln()))
        .collect();
    let count = inside.len() as f64;
    let mean = |pick: fn(&(f64, f64)) -> f64| inside.iter().map(pick).sum::<f64>() / count;
    let (x, y) = (mean(|p| p.0), mean(|p| p.1));
    let over: f64 = inside.iter().map(|p| (p.0 - x) * (p.1 - y)).sum();
    over / inside.iter().map(|p| (p.0 - x) * (p.0 - x)).sum::<f64>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slopes_of_powers() {
        let points: Vec<(f64, f64)> =
            (1..40).map(|k| (f64::from(k), 3.0 / f64::from(k * k))).collect();
        assert!((slope(&points, [2.0, 30.0]) + 2.0).abs() < 1e-9);
        assert!(slope(&points, [100.0, 200.0]).is_nan());
    }

    #[test]
    fn names_of_near_points_do_not_cover_each_other() {
        let points =
            [((50, 50), "first", BLACK), ((51, 50), "second", BLACK), ((52, 51), "third", BLACK)];
        let places: Vec<(i32, i32)> = placed(&points, 0..400).iter().map(|label| label.0).collect();
        for (k, a) in places.iter().enumerate() {
            for b in &places[..k] {
                assert!((a.0 - b.0).abs() > 25 || (a.1 - b.1).abs() >= LABEL, "{places:?}");
            }
        }
    }

    #[test]
    fn charts_hold_their_words() {
        let line = Line { name: "a line".into(), points: vec![(1.0, 10.0), (100.0, 2000.0)] };
        let panel = Panel {
            title: "title".into(),
            across: "number of triangles".into(),
            up: "time".into(),
            lines: vec![line],
            falling: false,
            even: false,
        };
        let text = svg(&[panel.clone(), panel]).unwrap();
        for word in ["a line", "title", "number of triangles", "time"] {
            assert_eq!(text.matches(word).count(), 2, "{word}");
        }
        assert!(text.starts_with("<svg") && !text.contains("NaN"));
    }
}
