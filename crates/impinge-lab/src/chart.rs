//! Charts as SVG, with their text as text: lines and points on linear or logarithmic axes, published values drawn hollow and dashed.

mod label;
mod layout;
mod scale;

use crate::error::LabError;
use label::{LABEL, placed};
use layout::{Entry, rows};
use plotters::prelude::*;
use scale::scale;

/// Charts that stand side by side in one picture.
#[derive(Clone, Debug, PartialEq)]
pub struct Chart {
    /// Part of the file's name: small letters and hyphens.
    pub name: String,
    /// From left to right.
    pub panels: Vec<Panel>,
}

/// One of the charts that stand side by side.
#[derive(Clone, Debug, PartialEq)]
pub struct Panel {
    /// Above it.
    pub title: String,
    /// Below it, with the unit.
    pub across: Axis,
    /// Beside it, with the unit.
    pub up: Axis,
    /// What it shows.
    pub series: Vec<Series>,
    /// Where the legend has room.
    pub legend: Corner,
}

/// An axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// What is along it, with the unit.
    pub label: String,
    /// Whether equal steps are equal factors. Values that are not positive are left out then.
    pub logarithmic: bool,
    /// From where to where; if nothing, as far as the values go.
    pub range: Option<[f64; 2]>,
    /// What 1, 2, 3 and so on are called; if nothing, numbers are shown.
    pub names: Vec<String>,
}

impl Axis {
    /// Equal steps are equal differences.
    pub fn linear(label: impl Into<String>) -> Self {
        Self { label: label.into(), logarithmic: false, range: None, names: Vec::new() }
    }

    /// Equal steps are equal factors.
    pub fn logarithmic(label: impl Into<String>) -> Self {
        Self { logarithmic: true, ..Self::linear(label) }
    }

    /// Few things side by side, at 1, 2, 3 and so on.
    pub fn named(label: impl Into<String>, names: impl IntoIterator<Item = &'static str>) -> Self {
        let names: Vec<String> = names.into_iter().map(str::to_string).collect();
        let end = names.len() as f64 + 0.5;
        Self { names, ..Self::linear(label).within(0.5, end) }
    }

    /// What stands at a value.
    fn text(&self, value: f64) -> String {
        if self.names.is_empty() {
            return short(value);
        }
        let named = |k: usize| (value - (k + 1) as f64).abs() < 1e-6;
        let name = self.names.iter().enumerate().find(|(k, _)| named(*k));
        name.map_or(String::new(), |(_, name)| name.clone())
    }

    /// From where to where.
    #[must_use]
    pub fn within(mut self, low: f64, high: f64) -> Self {
        self.range = Some([low, high]);
        self
    }
}

/// Where a legend is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Corner {
    /// For lines that rise.
    #[default]
    UpperLeft,
    /// For lines that fall.
    UpperRight,
    /// For lines that rise early.
    LowerRight,
    /// For lines that begin high.
    LowerLeft,
    /// Right of the chart: for many series, or lines everywhere.
    Beside,
}

/// How a series is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Style {
    /// A line through dots: what was measured.
    #[default]
    Line,
    /// Dots without a line.
    Points,
    /// A dashed line through rings: what a document states.
    Published,
    /// Dots with the name beside them and not in the legend: many things, each of which is one dot.
    Named,
}

/// A named row of values.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// What the legend says.
    pub name: String,
    /// From left to right.
    pub points: Vec<(f64, f64)>,
    /// How it is drawn.
    pub style: Style,
    /// Which of the colours; series of the same number have the same one, so that ours and the published one can be matched. If
    /// nothing, the place in the list.
    pub color: Option<usize>,
}

impl Series {
    /// What was measured.
    pub fn line(name: impl Into<String>, points: Vec<(f64, f64)>) -> Self {
        Self { name: name.into(), points, style: Style::Line, color: None }
    }

    /// What was measured, without a line.
    pub fn points(name: impl Into<String>, points: Vec<(f64, f64)>) -> Self {
        Self { style: Style::Points, ..Self::line(name, points) }
    }

    /// What a document states.
    pub fn published(name: impl Into<String>, points: Vec<(f64, f64)>) -> Self {
        Self { style: Style::Published, ..Self::line(name, points) }
    }

    /// One of many things, each a dot with its name beside it.
    pub fn named(name: impl Into<String>, point: (f64, f64)) -> Self {
        Self { style: Style::Named, ..Self::line(name, vec![point]) }
    }

    /// With a colour.
    #[must_use]
    pub fn colored(mut self, color: usize) -> Self {
        self.color = Some(color);
        self
    }
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
/// The size of one panel, in pixels.
const PANEL: (u32, u32) = (500, 420);
/// Panels per row: with a legend beside two of them, a chart fits a window of 1280 pixels.
const PER_ROW: usize = 2;
/// The width of a legend beside its panels, in pixels.
const BESIDE: u32 = 260;

impl Chart {
    /// The picture.
    pub fn svg(&self) -> Result<String, LabError> {
        let mut text = String::new();
        let failed = |error: String| LabError::Failed(format!("chart {}: {error}", self.name));
        let rows = rows(&self.panels, PER_ROW);
        let legend = |row: &layout::Row<'_>| if row.legend.is_empty() { 0 } else { BESIDE };
        let width = rows.iter().map(|row| PANEL.0 * row.panels.len() as u32 + legend(row)).max();
        let size = (width.unwrap_or(PANEL.0), PANEL.1 * rows.len().max(1) as u32);
        {
            let root = SVGBackend::with_string(&mut text, size).into_drawing_area();
            root.fill(&WHITE).map_err(|error| failed(error.to_string()))?;
            for (k, row) in rows.iter().enumerate() {
                let top = PANEL.1 * k as u32;
                for (column, panel) in row.panels.iter().enumerate() {
                    let area = root.clone().shrink((PANEL.0 * column as u32, top), PANEL);
                    draw(&area, panel, row.within)
                        .map_err(|error| failed(format!("{}: {error}", panel.title)))?;
                }
                let corner = (PANEL.0 * row.panels.len() as u32, top);
                legend_beside(&root.clone().shrink(corner, (BESIDE, PANEL.1)), &row.legend)
                    .map_err(|error| failed(error.to_string()))?;
            }
            root.present().map_err(|error| failed(error.to_string()))?;
        }
        Ok(text)
    }
}

type Area<'a> = DrawingArea<SVGBackend<'a>, plotters::coord::Shift>;

/// `within` tells whether the legend is in the panel.
fn draw(area: &Area<'_>, panel: &Panel, within: bool) -> Result<(), Box<dyn std::error::Error>> {
    let usable = |(x, y): &(f64, f64)| {
        let fine = |axis: &Axis, x: f64| x.is_finite() && (!axis.logarithmic || x > 0.0);
        fine(&panel.across, *x) && fine(&panel.up, *y)
    };
    let points = || panel.series.iter().flat_map(|series| &series.points).filter(|p| usable(p));
    let across = scale(&panel.across, points().map(|p| p.0));
    let up = scale(&panel.up, points().map(|p| p.1));
    let mut chart = ChartBuilder::on(area)
        .caption(&panel.title, ("sans-serif", 16))
        .margin(12)
        .x_label_area_size(42)
        .y_label_area_size(64)
        .build_cartesian_2d(across, up)?;
    chart
        .configure_mesh()
        .x_desc(&panel.across.label)
        .y_desc(&panel.up.label)
        .x_labels(if panel.across.names.is_empty() { 10 } else { 4 * panel.across.names.len() })
        .x_label_formatter(&|x| panel.across.text(*x))
        .y_labels(8)
        .max_light_lines(0)
        .label_style(("sans-serif", 12))
        .draw()?;
    let mut labels = Vec::new();
    for (index, series) in panel.series.iter().enumerate() {
        let color = COLORS[series.color.unwrap_or(index) % COLORS.len()];
        let kept: Vec<(f64, f64)> = series.points.iter().copied().filter(usable).collect();
        let dots = |filled: bool| {
            let style = if filled { color.filled() } else { color.stroke_width(1) };
            kept.iter()
                .map(move |p| Circle::new(*p, if filled { 2 } else { 4 }, style))
                .collect::<Vec<_>>()
        };
        match series.style {
            Style::Line => {
                let line = LineSeries::new(kept.iter().copied(), color.stroke_width(2));
                let drawn = chart.draw_series(line)?.label(&series.name);
                drawn.legend(move |(x, y)| {
                    PathElement::new([(x, y), (x + 16, y)], color.stroke_width(2))
                });
                chart.draw_series(dots(true))?;
            }
            Style::Points => {
                let drawn = chart.draw_series(dots(true))?.label(&series.name);
                drawn.legend(move |(x, y)| Circle::new((x + 8, y), 3, color.filled()));
            }
            Style::Named => {
                let place = |point: &(f64, f64)| chart.backend_coord(point);
                labels.extend(kept.iter().map(|point| (place(point), series.name.as_str(), color)));
                chart.draw_series(dots(true))?;
            }
            Style::Published => {
                let line = DashedLineSeries::new(kept.iter().copied(), 6, 4, color.stroke_width(1));
                chart.draw_series(line)?;
                let drawn = chart.draw_series(dots(false))?.label(&series.name);
                drawn.legend(move |(x, y)| Circle::new((x + 8, y), 4, color.stroke_width(1)));
            }
        }
    }
    let corner = area.get_base_pixel();
    let plot = chart.plotting_area().get_pixel_range();
    for ((x, y), name, color) in placed(&labels, plot) {
        let style = ("sans-serif", LABEL).into_font().color(&color);
        area.draw(&Text::new(name.to_string(), (x - corner.0, y - corner.1), style))?;
    }
    if within && panel.series.iter().filter(|series| series.style != Style::Named).count() > 1 {
        chart
            .configure_series_labels()
            .position(match panel.legend {
                Corner::UpperLeft => SeriesLabelPosition::UpperLeft,
                Corner::UpperRight => SeriesLabelPosition::UpperRight,
                Corner::LowerRight => SeriesLabelPosition::LowerRight,
                Corner::LowerLeft | Corner::Beside => SeriesLabelPosition::LowerLeft,
            })
            .background_style(WHITE.mix(0.8))
            .border_style(RGBColor(156, 163, 175))
            .label_font(("sans-serif", 12))
            .draw()?;
    }
    Ok(())
}

/// The names of series below each other.
fn legend_beside(area: &Area<'_>, entries: &[Entry<'_>]) -> Result<(), Box<dyn std::error::Error>> {
    let mut y = 50;
    for &Entry { name, style, color } in entries {
        let color = COLORS[color % COLORS.len()];
        match style {
            Style::Line => {
                area.draw(&PathElement::new([(4, y), (24, y)], color.stroke_width(2)))?;
                area.draw(&Circle::new((14, y), 2, color.filled()))?;
            }
            Style::Points | Style::Named => area.draw(&Circle::new((14, y), 3, color.filled()))?,
            Style::Published => area.draw(&Circle::new((14, y), 4, color.stroke_width(1)))?,
        }
        area.draw(&Text::new(name.to_string(), (32, y - 6), ("sans-serif", 12)))?;
        y += 19;
    }
    Ok(())
}

/// A number as one reads it on an axis.
fn short(value: f64) -> String {
    let (scaled, unit) = match value.abs() {
        1e6.. => (value / 1e6, "M"),
        1e3.. => (value / 1e3, "k"),
        _ => (value, ""),
    };
    format!("{}{unit}", (scaled * 1e6).round() / 1e6)
}

/// The slope of the least-squares line through the logarithms of the points with x in the window; not a number if there is none.
///
/// ```
/// let points = [(1.0, 8.0), (2.0, 2.0), (4.0, 0.5), (8.0, 100.0)];
/// assert!((impinge_lab::chart::slope(&points, [1.0, 4.0]) + 2.0).abs() < 1e-12);
/// ```
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
    fn things_side_by_side_are_named() {
        let panel = Panel {
            title: "methods".into(),
            across: Axis::named("method", ["axes", "programs"]),
            up: Axis::linear("time [µs]"),
            series: vec![
                Series::points("ours", vec![(1.0, 2.0), (2.0, 5.0)]),
                Series::named("a dot of its own", (1.5, 3.0)),
            ],
            legend: Corner::default(),
        };
        let text = Chart { name: "names".into(), panels: vec![panel] }.svg().unwrap();
        for word in ["axes", "programs", "a dot of its own"] {
            assert_eq!(text.matches(word).count(), 1, "{word}");
        }
        assert!(!text.contains("ours"), "a single entry needs no legend");
    }

    #[test]
    fn charts_hold_their_words_on_every_scale() {
        let values = vec![(0.0, 1.0), (1.0, 10.0), (100.0, 2000.0), (f64::NAN, 3.0)];
        for across in [Axis::linear("triangles"), Axis::logarithmic("triangles").within(1.0, 50.0)]
        {
            for up in [Axis::linear("time [ms]"), Axis::logarithmic("time [ms]")] {
                let panel = Panel {
                    title: "a title".into(),
                    across: across.clone(),
                    up,
                    series: vec![
                        Series::line("ours", values.clone()),
                        Series::points("dots", values.clone()),
                        Series::published("theirs", values.clone()).colored(0),
                        Series::line("nothing", vec![]),
                    ],
                    legend: if across.logarithmic { Corner::Beside } else { Corner::LowerRight },
                };
                let chart = Chart { name: "test".into(), panels: vec![panel; 4] };
                let text = chart.svg().unwrap();
                for word in ["a title", "triangles", "time [ms]"] {
                    assert_eq!(text.matches(word).count(), 4, "{word}");
                }
                for word in ["ours", "theirs", "dots"] {
                    assert_eq!(text.matches(word).count(), 1, "{word}: legends once");
                }
                assert!(text.starts_with("<svg") && !text.contains("NaN"));
            }
        }
        assert!(Chart { name: "empty".into(), panels: vec![] }.svg().is_ok());
    }
}
