//! "Building an OBB tree: fitting": which points turn a box, and what the convex hull does about it.
//!
//! The slides show points in the plane; here they are a plate, so that the library's own fits answer.

mod times;

use crate::chart::{Axis, Chart, Corner, Panel, Series};
use crate::error::LabError;
use crate::experiment::{Experiment, ModelUse};
use crate::finding::{Document, Finding, Picture, Verdict};
use crate::picture::Drawing;
use crate::random::Random;
use crate::session::Session;
use crate::table::Table;
use impinge::geom::bound::{Moments, Obb, ObbFit};
use impinge::geom::glam::Vec3A;
use times::Growth;

pub(super) const EXPERIMENT: Experiment = Experiment {
    name: "obb-fit",
    title: "Good and bad oriented boxes, by the source of their axes",
    document: Document::Lecture,
    place: "slides “Building an OBB Tree”",
    models: ModelUse::Unused,
    revision: 2,
    work,
};

const FITS: [(ObbFit, &str); 3] = [
    (ObbFit::Vertices, "all points"),
    (ObbFit::HullVertices, "extremal points only"),
    (ObbFit::HullFacets, "facets of the hull, integrated"),
];

/// Half of the plate's sides: the box that fits best.
const HALF: [f64; 2] = [2.0, 0.7];
/// The radius of its rounded corners.
const ROUND: f64 = 0.12;
/// Half its thickness.
const THICK: f64 = 0.1;

/// A plate's point in the plane of the slides, which is turned by an angle of cosine 0.8.
fn turned([x, y]: [f64; 2]) -> [f64; 2] {
    [0.8 * x - 0.6 * y, 0.6 * x + 0.8 * y]
}

/// The outline: `corners` points on each rounded corner, `sides` between corners.
fn outline(corners: [usize; 4], sides: usize) -> Vec<[f64; 2]> {
    let mut points = Vec::new();
    for (k, count) in corners.into_iter().enumerate() {
        let sign = [[1.0, 1.0], [-1.0, 1.0], [-1.0, -1.0], [1.0, -1.0]][k];
        for step in 0..count {
            // The quarter of a circle by the tangent of half its angle: no sines.
            let t = (step as f64 + 0.5) / count as f64 * (2.0_f64.sqrt() - 1.0) * 2.0;
            let t = t / (1.0 + (t - 1.0).max(0.0) * 0.2);
            let (c, s) = ((1.0 - t * t) / (1.0 + t * t), 2.0 * t / (1.0 + t * t));
            let inner = [HALF[0] - ROUND, HALF[1] - ROUND];
            points.push([
                sign[0] * (inner[0] + ROUND * c.max(0.0)),
                sign[1] * (inner[1] + ROUND * s),
            ]);
        }
    }
    for k in 0..sides {
        let t = 2.0 * (k as f64 + 0.5) / sides as f64 - 1.0;
        let (x, y) = (t * (HALF[0] - ROUND), t * (HALF[1] - ROUND));
        points.extend([[x, HALF[1]], [x, -HALF[1]], [HALF[0], y], [-HALF[0], y]]);
    }
    points
}

/// Points inside, near the line between two opposite corners.
fn inside(count: usize, seed: u64) -> Vec<[f64; 2]> {
    let mut random = Random::new(seed);
    (0..count)
        .map(|_| {
            let (t, off) = (random.between(-0.9, 0.9), random.between(-0.05, 0.05));
            [t * (HALF[0] - ROUND) + off, t * (HALF[1] - ROUND) - off]
        })
        .collect()
}

/// The plate of the points, above and below.
fn plate(points: &[[f64; 2]]) -> Vec<Vec3A> {
    let lifted =
        |[x, y]: [f64; 2]| [-THICK, THICK].map(|z| Vec3A::new(x as f32, y as f32, z as f32));
    points.iter().flat_map(|p| lifted(turned(*p))).collect()
}

/// The box, and its volume over that of the best box.
fn fitted(points: &[[f64; 2]], fit: ObbFit) -> (Obb, f64) {
    let fitted = Obb::fit_by(&plate(points), &Moments::default(), fit, 0.0);
    let half = fitted.half.as_dvec3();
    let volume = half.x * half.y * half.z;
    (fitted, volume / (HALF[0] * HALF[1] * THICK))
}

fn work(session: &mut Session<'_>) -> Result<Finding, LabError> {
    let mut finding = Finding {
        setting: format!(
            "A plate of {} by {} by {} with rounded corners, turned in its plane; points are added inside, along the line between two opposite corners, or on the roundings of two opposite corners. The volume of each box is compared with that of the plate's own box, which is the smallest. Times of fits of points in a ball and of trees over a bumpy ball.",
            2.0 * HALF[0],
            2.0 * HALF[1],
            2.0 * THICK
        ),
        ..Finding::default()
    };
    let (added, inner) = sweep(session, "inside", "points inside, per point of the outline");
    let (uneven, outer) =
        sweep(session, "corners", "points on two corners, per point on the other two");
    session.step("timing fits", 1, 3)?;
    let (times, single, growth) = times::single(session)?;
    session.step("timing trees", 2, 3)?;
    let (trees, all, whole) = times::trees(session)?;
    judge(&mut finding, &inner.series, &outer.series, [growth, whole]);
    finding.tables = vec![added, uneven, times, trees];
    finding.charts = vec![
        Chart { name: "boxes".into(), panels: vec![inner, outer] },
        Chart { name: "times".into(), panels: vec![single, all] },
    ];
    finding.pictures = vec![picture(session)];
    Ok(finding)
}

/// How many points are added, per point that was there.
const FACTORS: [f64; 9] = [0.0, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0];
/// Points on each corner where they are even, and between corners.
const EVEN: [usize; 2] = [6, 8];

/// The points with `factor` points added for each that was there.
fn points_with(kind: &str, factor: f64, seed: u64) -> Vec<[f64; 2]> {
    let [corner, sides] = EVEN;
    if kind == "inside" {
        let mut points = outline([corner; 4], sides);
        points.extend(inside((factor * points.len() as f64) as usize, seed));
        points
    } else {
        let many = corner + (factor * corner as f64) as usize;
        outline([many, corner, many, corner], sides)
    }
}

fn sweep(session: &Session<'_>, kind: &str, label: &str) -> (Table, Panel) {
    let mut table =
        Table::new(kind, format!("Volume of the box over that of the best one, by {label}"))
            .column(label, "")
            .column("points", "");
    for (_, name) in FITS {
        table = table.column(name, "");
    }
    let mut series = FITS.map(|(_, name)| Series::line(name, Vec::new()));
    for factor in FACTORS {
        let points = points_with(kind, factor, session.seed);
        let mut row = vec![factor.into(), points.len().into()];
        for ((fit, _), series) in FITS.into_iter().zip(&mut series) {
            let (_, share) = fitted(&points, fit);
            row.push(share.into());
            series.points.push((factor, share));
        }
        table.row(row);
    }
    let panel = Panel {
        title: if kind == "inside" {
            "Points added inside".into()
        } else {
            "Uneven outline".into()
        },
        across: Axis::linear(label),
        up: Axis::linear("volume of the box / smallest").within(0.9, 2.6),
        series: series.into(),
        legend: Corner::UpperLeft,
    };
    (table, panel)
}

fn judge(finding: &mut Finding, inner: &[Series], outer: &[Series], [growth, whole]: [Growth; 2]) {
    let first = |series: &Series| series.points.first().map_or(f64::NAN, |p| p.1);
    let last = |series: &Series| series.points.last().map_or(f64::NAN, |p| p.1);
    let worst = |series: &Series| series.points.iter().map(|p| p.1).fold(0.0, f64::max);
    let (few, many) = (inner[0].points[2].1, last(&inner[0]));
    finding.claim(
        "the covariance of all points gives a good box; points added inside make a worse one, more of them a terrible one",
        format!("{:.2} times the smallest volume without them, {few:.2} with as many again inside, {many:.2} with {} times as many.", first(&inner[0]), FACTORS[8]),
        Verdict::holds(first(&inner[0]) < 1.05 && few > 1.1 && many > 1.5 && many > few),
        "",
    );
    finding.claim(
        "computed with extremal points only, the box is good again",
        format!("at most {:.3} times the smallest volume, whatever is inside.", worst(&inner[1])),
        Verdict::holds(worst(&inner[1]) < 1.05),
        "",
    );
    let (even, bad) = (first(&outer[1]), last(&outer[1]));
    finding.claim(
        "extremal points that are evenly distributed give a good box, unevenly distributed ones a bad one",
        format!("{even:.2} times the smallest volume, and {bad:.2} with {} times as many points on two corners.", FACTORS[8]),
        Verdict::holds(even < 1.05 && bad > 1.3),
        "",
    );
    finding.claim(
        "integrated over the facets of the hull, the box is not foiled by extreme distributions",
        format!(
            "at most {:.3} times the smallest volume in all cases.",
            worst(&inner[2]).max(worst(&outer[2]))
        ),
        Verdict::holds(worst(&inner[2]).max(worst(&outer[2])) < 1.05),
        "",
    );
    // n log n grows by the power 1 + 1 / ln n: 1.1 at 2¹⁴ points. Hulls of points in a ball have few vertices, which costs less.
    for (what, times, limit) in [
        ("O(n log n) for a single box", growth, 1.25),
        ("O(n log² n) for the whole tree", whole, 1.35),
    ] {
        let Growth { power, window: [first, last] } = times;
        finding.claim(
            format!("fitting time: {what}"),
            format!("time grows by the power {power} of n between {first} and {last} (median and middle half of {} rounds).", power.repeats),
            Verdict::holds(power.is_below(limit)),
            "",
        );
    }
}

/// The slides again: what the points are, what the box is taken from, and how large it is.
fn picture(session: &Session<'_>) -> Picture {
    let cases = [
        ("Good box", "inside", 0.0, 0),
        ("Add points: worse box", "inside", 1.0, 0),
        ("More points: terrible box", "inside", 16.0, 0),
        ("Extremal points only", "inside", 16.0, 1),
        ("“Even” distribution: good box", "corners", 0.0, 1),
        ("“Uneven” distribution: bad box", "corners", 16.0, 1),
        ("Integrate over facets", "corners", 16.0, 2),
        ("Facets, points inside", "inside", 16.0, 2),
    ];
    let (across, down) = (290.0, 330.0);
    let mut drawing = Drawing::new("cases", [4.0 * across, 2.0 * down]);
    for (k, (title, kind, factor, fit)) in cases.into_iter().enumerate() {
        let points = points_with(kind, factor, session.seed);
        let (fit, from) = FITS[fit];
        let (found, share) = fitted(&points, fit);
        let corner = [across * (k % 4) as f64, down * (k / 4) as f64];
        let place =
            |[x, y]: [f64; 2]| [corner[0] + across / 2.0 + 50.0 * x, corner[1] + 165.0 - 50.0 * y];
        for point in &points {
            drawing.dot(place(turned(*point)), 1.6, "#6b7280");
        }
        // The two long axes lie in the plane of the slides.
        let center = found.center.as_dvec3();
        let side = |k: usize| found.axes[k].as_dvec3() * f64::from(found.half[k]);
        let (u, v) = (side(0), side(1));
        let edges = [u + v, u - v, -u - v, v - u].map(|d| place([center.x + d.x, center.y + d.y]));
        drawing.polygon(&edges, "none", if share < 1.05 { "#059669" } else { "#be185d" }, 2.0);
        drawing.words([corner[0] + across / 2.0, corner[1] + 20.0], 14, title);
        let text = format!("{from}: {share:.2} × smallest");
        drawing.words([corner[0] + across / 2.0, corner[1] + down - 8.0], 12, &text);
    }
    drawing.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::Size;

    #[test]
    fn the_outline_fills_the_best_box() {
        let points = outline([6; 4], 8);
        let most = |k: usize| points.iter().map(|p| p[k].abs()).fold(0.0, f64::max);
        assert!((most(0) - HALF[0]).abs() < 1e-9 && (most(1) - HALF[1]).abs() < 1e-9);
        let (_, share) = fitted(&points, ObbFit::HullFacets);
        assert!((0.999..1.02).contains(&share), "{share}");
        // The same counts in every run.
        assert_eq!(inside(50, 7), inside(50, 7));
    }

    #[test]
    fn points_inside_turn_only_the_box_of_all_points() {
        let session = Session::new(Size::Quick, 1);
        let (table, panel) = sweep(&session, "inside", "points");
        assert_eq!(table.rows.len(), FACTORS.len());
        let last = |k: usize| panel.series[k].points[8].1;
        assert!(last(0) > 1.5, "{}", last(0));
        assert!(last(1) < 1.05 && last(2) < 1.05, "{} {}", last(1), last(2));
        let (_, panel) = sweep(&session, "corners", "points");
        assert!(panel.series[1].points[8].1 > 1.3, "{:?}", panel.series[1]);
        assert!(panel.series[2].points[8].1 < 1.05, "{:?}", panel.series[2]);
        assert!(picture(&session).svg.contains("terrible"));
    }
}
