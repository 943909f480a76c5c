//! The paper's future work on continuous collision: support tables, swept along a motion, as a cull before advancement.
//!
//! Along a direction n the body B reaches towards A, at any time of its motion, no farther than its support value at the start, the way of its centre and, if it
//! turns, its radius times 2 sin(θ/2), as support values change no faster than that with the direction. Where that leaves a gap, no advancement is needed. Cheaper
//! culls stand beside it: the ball around B, a few balls around its slices, and its box, each swept.

use super::super::{Experiment, ModelUse};
use crate::error::LabError;
use crate::finding::{Document, Finding, Verdict};
use crate::model::{Model, ModelShape};
use crate::random::Random;
use crate::session::Session;
use crate::table::{Cell, Table};
use crate::timing::{ROUNDS, Rounds, Spread, arithmetic, repeated};
use impinge::geom::DAabb;
use impinge::geom::glam::DVec3;
use impinge::geom::hull::Hull;
use impinge::geom::motion::impact::{Settings, ShapeImpact, impact};
use impinge::geom::motion::{MovingShape, RigidMotion};
use impinge::geom::moving::{Shaft, swept_sphere_may_meet, swept_spheres_may_meet};
use impinge::geom::pair::Cache;
use impinge::geom::support_plane::SupportTable;
use impinge::{Pose, Shape};
use std::hint::black_box;
use std::sync::Arc;

pub(super) const MOTION: Experiment = Experiment {
    name: "support-motion",
    title: "Swept support tables as a cull before continuous collision detection",
    document: Document::SupportPlanes,
    place: "section 6, future work: continuous collision",
    models: ModelUse::Unused,
    revision: 2,
    work,
};

/// Cells along a side of a table, and axes that are tried.
const CELLS: usize = 32;
const AXES: u32 = 3;

/// A hull with its table.
struct Body {
    shape: Shape,
    table: SupportTable,
    bounds: DAabb,
    /// Around the table's centre.
    radius: f64,
    /// Around slices across the longest side of the box.
    balls: [(DVec3, f64); SLICES],
}

/// How many balls together hold a body.
const SLICES: usize = 4;

/// A ball around the hull's points in each slice of its box.
fn balls(hull: &Hull, bounds: &DAabb) -> [(DVec3, f64); SLICES] {
    let size = bounds.high - bounds.low;
    let axis = (0..3).fold(0, |best, axis| if size[axis] > size[best] { axis } else { best });
    let cut = |k: usize| bounds.low[axis] + size[axis] * k as f64 / SLICES as f64;
    std::array::from_fn(|k| {
        let (from, to) = (cut(k), cut(k + 1));
        // What is cut by the planes between the slices lies on edges.
        let points = hull.vertices();
        let crossings = [from, to].into_iter().flat_map(|at| {
            hull.edges().iter().filter_map(move |edge| {
                let [p, q] = edge.map(|vertex| points[vertex as usize]);
                let share = (at - p[axis]) / (q[axis] - p[axis]);
                (0.0..=1.0).contains(&share).then(|| p.lerp(q, share))
            })
        });
        let within = points.iter().copied();
        let within = within.filter(|p| (from..=to).contains(&p[axis])).chain(crossings);
        let points: Vec<DVec3> = within.collect();
        let box_of = DAabb::of_points(points.iter().copied());
        let center = 0.5 * (box_of.low + box_of.high);
        let radius = points.iter().map(|p| p.distance(center)).fold(0.0, f64::max);
        (center, radius * (1.0 + 1e-12))
    })
}

impl Body {
    fn new(model: &Model) -> Result<Self, LabError> {
        let hull = Hull::new(&model.vertices).map_err(LabError::failed)?;
        let table = SupportTable::new(&hull, CELLS);
        let bounds = DAabb::of_points(hull.vertices().iter().copied());
        let radius = hull.vertices().iter().map(|p| p.distance(table.center())).fold(0.0, f64::max);
        let balls = balls(&hull, &bounds);
        Ok(Self { shape: Shape::Hull(Arc::new(hull)), table, bounds, radius, balls })
    }
}

/// B on its way past A, which rests at the origin.
struct Way {
    start: Pose,
    motion: RigidMotion,
    linear: DVec3,
    angle: f64,
}

/// False only if the bodies stay apart, by their swept tables: along the line of centres at the middle of the way, and its reflections at what is still between.
fn tables_may_meet(a: &Body, b: &Body, way: &Way) -> bool {
    let from = way.start.transform_point(b.table.center()) - a.table.center();
    // The table's centre moves about the origin of the body that turns.
    let swing = 2.0 * (0.5 * way.angle.min(std::f64::consts::PI)).sin();
    let arm = way.start.transform_point(b.table.center()).distance(way.start.translation());
    let room = swing * (b.radius + arm);
    let mut axis = from + way.linear * 0.5;
    for _ in 0..AXES {
        let Some(normal) = axis.try_normalize() else { return true };
        let towards = way.start.inverse_rotate(-normal);
        let reach = a.table.support_value(normal) + b.table.support_value(towards);
        let gap = normal.dot(from) + normal.dot(way.linear).min(0.0) - reach - room;
        if gap > 1e-9 * (from.length() + reach) {
            return false;
        }
        let moved = if normal.dot(way.linear) < 0.0 { way.linear } else { DVec3::ZERO };
        let between =
            from + moved + way.start.rotate(b.table.corner(towards)) - a.table.corner(normal);
        axis = normal - between * (2.0 * normal.dot(between) / between.length_squared());
        if axis.is_nan() {
            return true;
        }
    }
    true
}

/// A ball of B's frame at the start, so large that it holds the ball in all orientations on the way.
fn turning_ball((center, radius): (DVec3, f64), way: &Way) -> (DVec3, f64) {
    let center = way.start.transform_point(center);
    let arm = center.distance(way.start.translation());
    (center, radius + 2.0 * (0.5 * way.angle.min(std::f64::consts::PI)).sin() * arm)
}

/// The ball around B, swept, against A's box.
fn ball_may_meet(a: &Body, b: &Body, way: &Way) -> bool {
    let (center, radius) = turning_ball((b.table.center(), b.radius), way);
    swept_sphere_may_meet(center, radius, way.linear, &a.bounds)
}

/// The balls around slices of B.
fn balls_may_meet(a: &Body, b: &Body, way: &Way) -> bool {
    swept_spheres_may_meet(&b.balls.map(|ball| turning_ball(ball, way)), way.linear, &a.bounds)
}

/// B's box, which holds it in all its orientations if it turns, swept against A's.
fn box_may_meet(a: &Body, b: &Body, way: &Way) -> bool {
    let corners = (0..8).map(|k| {
        let pick =
            |axis: usize| if k >> axis & 1 == 1 { b.bounds.high[axis] } else { b.bounds.low[axis] };
        way.start.transform_point(DVec3::new(pick(0), pick(1), pick(2)))
    });
    let farthest = b.bounds.low.abs().max(b.bounds.high.abs()).length();
    let swing = 2.0 * (0.5 * way.angle.min(std::f64::consts::PI)).sin() * farthest;
    Shaft::new(&DAabb::of_points(corners).grown(swing), way.linear).may_meet(&a.bounds)
}

fn meets(a: &Body, b: &Body, way: &Way, cache: &mut Cache) -> bool {
    let (one, two) =
        (MovingShape::new(&a.shape, &Pose::IDENTITY), MovingShape::new(&b.shape, &way.motion));
    impact(&one, &two, [0.0, 1.0], &Settings::default(), cache) != ShapeImpact::Free
}

/// Ways past a body of about unit radius: how near they pass is even between a hit in the middle and a miss by a body's length.
fn ways(angle: f64, count: usize, random: &mut Random) -> Result<Vec<Way>, LabError> {
    let way = |_| {
        let along = DVec3::from_array(random.direction());
        let across = along
            .cross(DVec3::from_array(random.direction()))
            .normalize_or(along.any_orthonormal_vector());
        let start = -along * random.between(2.5, 5.0) + across * random.between(0.0, 4.0);
        let linear = along * random.between(2.0, 8.0);
        let turn = DVec3::from_array(random.direction()) * (angle * random.unit());
        let start = Pose::new(random.quaternion(), start.to_array()).map_err(LabError::failed)?;
        let motion =
            RigidMotion::turning(&start, DVec3::ZERO, linear, turn).map_err(LabError::failed)?;
        Ok(Way { start, motion, linear, angle: turn.length() })
    };
    (0..count).map(way).collect()
}

type Cull = fn(&Body, &Body, &Way) -> bool;
const CULLS: [(&str, Cull); 4] = [
    ("swept ball", ball_may_meet),
    ("four swept balls", balls_may_meet),
    ("swept box", box_may_meet),
    ("swept support table", tables_may_meet),
];

/// Where the times of the culls begin, and of the culls with the advancement of the rest.
const OWN: usize = 1;
const WHOLE: usize = OWN + CULLS.len();

/// One body and one kind of motion.
#[derive(Clone, Debug)]
struct Row {
    body: String,
    motions: &'static str,
    free: usize,
    motions_asked: usize,
    /// The share of free motions that each cull dismisses.
    dismissed: [f64; CULLS.len()],
    /// Of the advancement alone; then of each cull; then of each cull with the advancement of the rest.
    times: Rounds,
    /// Motions that meet and were dismissed.
    lost: usize,
}

fn rows(session: &Session<'_>, triangles: usize, count: usize) -> Result<Vec<Row>, LabError> {
    let shapes = [ModelShape::Bumpy, ModelShape::Knobbly, ModelShape::Torus];
    let mut rows = Vec::new();
    for (k, shape) in shapes.into_iter().enumerate() {
        let model = Model::generate(shape, triangles);
        session.step(&model.name, k as u64, shapes.len() as u64)?;
        let body = Body::new(&model)?;
        for (motions, angle) in
            [("linear", 0.0), ("turning by up to 0.3", 0.3), ("turning by up to 1.5", 1.5)]
        {
            let ways = ways(angle, count, &mut Random::new(session.seed))?;
            rows.push(row(session, &model.name, motions, &body, &ways));
        }
    }
    Ok(rows)
}

fn row(session: &Session<'_>, name: &str, motions: &'static str, body: &Body, ways: &[Way]) -> Row {
    let mut cache = Cache::default();
    let meet: Vec<bool> = ways.iter().map(|way| meets(body, body, way, &mut cache)).collect();
    let free = meet.iter().filter(|meet| !**meet).count();
    let mut lost = 0;
    let dismissed = CULLS.map(|(_, cull)| {
        let kept: Vec<bool> = ways.iter().map(|way| cull(body, body, way)).collect();
        lost += kept.iter().zip(&meet).filter(|(kept, meet)| !**kept && **meet).count();
        kept.iter().filter(|kept| !**kept).count() as f64 / free.max(1) as f64
    });
    let mut alone = || {
        for way in ways {
            black_box(meets(body, body, way, &mut cache));
        }
    };
    let mut own = CULLS.map(|(_, cull)| {
        move || {
            for way in ways {
                black_box(cull(body, body, way));
            }
        }
    });
    let mut whole = CULLS.map(|(_, cull)| {
        let mut cache = Cache::default();
        move || {
            for way in ways {
                if cull(body, body, way) {
                    black_box(meets(body, body, way, &mut cache));
                }
            }
        }
    });
    let mut works: Vec<&mut dyn FnMut()> = vec![&mut alone];
    works.extend(own.iter_mut().map(|work| work as &mut dyn FnMut()));
    works.extend(whole.iter_mut().map(|work| work as &mut dyn FnMut()));
    let times = repeated(session.pick(ROUNDS, 7, 15), &mut works);
    Row { body: name.into(), motions, free, motions_asked: ways.len(), dismissed, times, lost }
}

fn work(session: &mut Session<'_>) -> Result<Finding, LabError> {
    let (triangles, count) =
        (session.pick(2_000, 10_000, 20_000), session.pick(400, 2_000, 10_000));
    let rows = rows(session, triangles, count)?;
    let mut table = Table::new("culls", "Free motions that each cull dismisses, its time, and the time with the advancement of the rest")
        .column("body", "")
        .column("motions", "")
        .column("free", "")
        .varying("advancement alone", "ns");
    for (name, _) in CULLS {
        table = table
            .column(format!("{name}: dismissed"), "%")
            .varying("its time", "ns")
            .varying("all", "ns");
    }
    for row in &rows {
        let times: Vec<f64> =
            row.times.least().iter().map(|time| time / row.motions_asked as f64).collect();
        let culls = (0..CULLS.len()).flat_map(|k| {
            [100.0 * row.dismissed[k], times[OWN + k], times[WHOLE + k]].map(Cell::from)
        });
        let first: [Cell; 4] =
            [row.body.as_str().into(), row.motions.into(), row.free.into(), times[0].into()];
        table.row(first.into_iter().chain(culls));
    }
    let mut finding = Finding {
        setting: format!(
            "Hulls of three models of {triangles} triangles against copies of themselves: {count} motions of each kind on random lines, from a hit in the middle to a miss \
             by a body's length; tables of {CELLS} cells a side, {AXES} axes."
        ),
        tables: vec![table],
        ..Finding::default()
    };
    judge(&mut finding, &rows);
    Ok(finding)
}

fn judge(finding: &mut Finding, rows: &[Row]) {
    let lost: usize = rows.iter().map(|row| row.lost).sum();
    finding.claim(
        "a swept support table dismisses no motion that meets",
        format!("{lost} lost by the four culls"),
        Verdict::holds(lost == 0),
        "",
    );
    let table = WHOLE + CULLS.len() - 1;
    let pays = rows.iter().filter(|row| row.times.ratio(table, 0).is_faster()).count();
    finding.claim(
        "support planes pay in continuous collision detection: with the table in front of advancement the whole takes less time",
        format!("less by a tenth or more in {pays} of {} kinds of motion and bodies", rows.len()),
        Verdict::of(pays, rows.len()),
        "",
    );
    // In the mean over the kinds: three of them lie at the margin, and a count of kinds would be another in every few runs.
    let beside = |other: usize| {
        let ratios: Vec<_> = rows.iter().map(|row| row.times.ratios(table, other)).collect();
        Spread::of_means(&ratios, |values| arithmetic(values))
    };
    let others: Vec<Spread> = (WHOLE..table).map(beside).collect();
    let beaten = others.iter().filter(|ratio| ratio.is_faster()).count();
    let told: Vec<String> = others
        .iter()
        .zip(CULLS)
        .map(|(ratio, (name, _))| format!("{ratio} of the time with the {name}"))
        .collect();
    finding.claim(
        "the table in front beats swept balls or a swept box in front",
        format!("{}, in the mean over {} kinds of motion and bodies", told.join(", "), rows.len()),
        Verdict::of(beaten, others.len()),
        "Advancement begins with the line of centres itself, which dismisses what passes far away for the price of two support points; where bodies turn, the room for the turn eats what the table is tighter by.",
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::Size;

    #[test]
    fn culls_lose_nothing_and_dismiss_some() {
        let rows = rows(&Session::new(Size::Quick, 1), 300, 60).unwrap();
        assert_eq!(rows.len(), 9);
        for row in &rows {
            assert_eq!(row.lost, 0, "{row:?}");
            assert!(row.free > 5 && row.free < 60 && row.dismissed[3] > 0.05, "{row:?}");
        }
    }

    #[test]
    fn a_lost_contact_is_told() {
        let row = Row {
            body: "x".into(),
            motions: "linear",
            free: 1,
            motions_asked: 1,
            dismissed: [1.0; CULLS.len()],
            times: Rounds::steady(&[1.0; 9], ROUNDS),
            lost: 1,
        };
        let mut finding = Finding::default();
        judge(&mut finding, &[row]);
        assert_eq!(finding.claims[0].verdict, Verdict::Differs);
    }

    /// One kind that gains a tenth is no gain in the mean over two; two of three culls beaten is partly.
    #[test]
    fn the_mean_over_kinds_decides() {
        let row = |times: [f64; 9]| Row {
            body: "x".into(),
            motions: "linear",
            free: 1,
            motions_asked: 1,
            dismissed: [1.0; CULLS.len()],
            times: Rounds::steady(&times, ROUNDS),
            lost: 0,
        };
        // The advancement alone, four culls, the culls with the rest: the table's is the last.
        let all = |others: [f64; 3], table: f64| {
            let [a, b, c] = others;
            row([100.0, 1.0, 1.0, 1.0, 1.0, a, b, c, table])
        };
        let verdict = |rows: &[Row]| {
            let mut finding = Finding::default();
            judge(&mut finding, rows);
            finding.claims[2].verdict
        };
        let (gains, loses) = (all([100.0; 3], 85.0), all([100.0; 3], 100.0));
        assert_eq!(verdict(&[gains.clone(), loses]), Verdict::Differs);
        assert_eq!(verdict(&[gains.clone(), gains]), Verdict::Reproduced);
        assert_eq!(verdict(&[all([100.0, 100.0, 90.0], 85.0)]), Verdict::Partly);
    }
}
