//! From where a finding is seen best: several directions are tried, and the one wins from which least is hidden.

use super::camera::Camera;
use super::subject::Subject;
use crate::model::{Model, ModelPart};
use impinge::geom::DAabb;
use impinge::geom::glam::DVec3;
use impinge::geom::ray::Ray;
use impinge::query::{self, Workspace};

/// From the bottom to the top of every picture, in degrees. BCF 2.1 allows 45 to 60.
const FIELD_OF_VIEW: f64 = 45.0;
/// The sine of half of it: a ball fills the picture from its radius divided by this.
const SINE: f64 = 0.382_683_432_365_089_8;

/// The camera from which least of what matters is hidden.
pub(super) fn camera(model: &Model, subject: &Subject<'_>, aspect: f64) -> Camera {
    let (centre, radius) = subject.ball(model);
    let distance = radius / SINE * (1.0 / aspect).max(1.0);
    let up = up(model, subject);
    let direction = Scene::new(model, subject, distance).best(&directions(up));
    Camera::looking(centre + direction * distance, centre, up, FIELD_OF_VIEW)
}

/// What is up: y in glTF (specification 2.0, section 3.4), z elsewhere.
fn up(model: &Model, subject: &Subject<'_>) -> DVec3 {
    let file = subject.parts().next().map_or("", |part| model.parts[part].file.as_str());
    let name = file.to_ascii_lowercase();
    if name.ends_with(".glb") || name.ends_with(".gltf") { DVec3::Y } else { DVec3::Z }
}

/// Directions towards the camera, with how much each is liked: from the front, the right and above, as drawings are.
fn directions(up: DVec3) -> Vec<(DVec3, f64)> {
    let right = DVec3::X;
    // Towards the viewer of a drawing.
    let front = right.cross(up);
    let mut list = Vec::new();
    for (height, high) in [(0.7, 0.2), (0.25, 0.1), (1.6, 0.05), (-0.5, -0.3)] {
        for (x, y, wide) in [
            (0.8, 1.0, 0.2),
            (-0.8, 1.0, 0.15),
            (0.15, 1.0, 0.1),
            (1.0, -0.8, 0.05),
            (1.0, 0.15, 0.05),
            (-1.0, 0.15, 0.0),
            (-0.8, -1.0, 0.0),
            (0.15, -1.0, 0.0),
        ] {
            let direction = (right * x + front * y + up * height).normalize();
            list.push((direction, high + wide));
        }
    }
    list
}

/// What decides about directions.
struct Scene<'s> {
    targets: Vec<DVec3>,
    /// The box around them.
    around: DAabb,
    axis: DVec3,
    /// The sides of the smaller part.
    sides: DVec3,
    pair: Vec<&'s ModelPart>,
    others: Vec<&'s ModelPart>,
    distance: f64,
    /// Rays begin so far from the surface they leave.
    start: f64,
}

impl<'s> Scene<'s> {
    fn new(model: &'s Model, subject: &Subject<'_>, distance: f64) -> Self {
        let pair: Vec<usize> = subject.parts().collect();
        let near = |part: &&ModelPart| {
            let DAabb { low, high } = part.bounds;
            subject.place.clamp(low, high).distance(subject.place) <= distance + subject.reach
        };
        let others = model.parts.iter().enumerate().filter(|(index, _)| !pair.contains(index));
        let pair: Vec<&ModelPart> = pair.iter().map(|&part| &model.parts[part]).collect();
        let size = |part: &&&ModelPart| part.bounds.high.distance_squared(part.bounds.low);
        let smaller = pair.iter().min_by(|x, y| size(x).total_cmp(&size(y)));
        let targets = subject.targets();
        Self {
            around: DAabb::of_points(targets.iter().copied()),
            targets,
            axis: subject.axis(),
            sides: smaller.map_or(DVec3::ONE, |part| part.bounds.high - part.bounds.low),
            others: others.map(|(_, part)| part).filter(near).collect(),
            pair,
            distance,
            start: distance * 1e-4,
        }
    }

    /// The direction with the highest score, the first of several. The more of what matters is seen the better; from the side of a gap or depth; and
    /// where the smaller part is seen at its largest.
    ///
    /// Rays cost most: directions are tried from the best that could be, and once one is better than the rest can be, those are not tried.
    fn best(&self, directions: &[(DVec3, f64)]) -> DVec3 {
        let mut workspace = Workspace::default();
        let mut order: Vec<(f64, usize)> = (directions.iter().enumerate())
            .map(|(index, &(direction, liking))| {
                let side = 1.0 - self.axis.dot(direction).abs();
                (liking + 0.6 * side + 0.3 * self.silhouette(direction), index)
            })
            .collect();
        order.sort_by(|x, y| y.0.total_cmp(&x.0).then(x.1.cmp(&y.1)));
        let mut best: Option<(f64, usize)> = None;
        for (base, index) in order {
            let hopeless = |most: f64| best.is_some_and(|(score, _)| base + most < score);
            if hopeless(2.5) {
                break;
            }
            let direction = directions[index].0;
            let seen = 2.0 * self.free(&self.pair, direction, &mut workspace);
            if hopeless(seen + 0.5) {
                continue;
            }
            let score = base + seen + 0.5 * self.free(&self.others, direction, &mut workspace);
            if best.is_none_or(|(high, first)| score > high || (score == high && index < first)) {
                best = Some((score, index));
            }
        }
        best.map_or(DVec3::Y, |(_, index)| directions[index].0)
    }

    /// How much of the targets is seen past some parts: 1 for all.
    fn free(&self, parts: &[&ModelPart], direction: DVec3, workspace: &mut Workspace) -> f64 {
        // What hides no point of the box around the targets hides none of them.
        let DAabb { low, high } = self.around;
        let half = 0.5 * (high - low) * (1.0 + 1e-9);
        let middle = 0.5 * (low + high) + direction * self.start;
        let may_hide = |part: &&&ModelPart| {
            let DAabb { low, high } = part.bounds;
            crosses_box(DAabb::new(low - half, high + half), middle, direction, self.distance)
        };
        let parts: Vec<&ModelPart> = parts.iter().filter(may_hide).copied().collect();
        let mut sum = 0.0;
        for target in &self.targets {
            let origin = *target + direction * self.start;
            let hides = |part: &&&ModelPart| self.hides(part, origin, direction, workspace);
            // The pair is seen through where it hides itself: one part before the target is not as bad as two.
            sum += match parts.iter().filter(hides).take(2).count() {
                0 => 1.0,
                1 => 0.4,
                _ => 0.0,
            };
        }
        sum / self.targets.len().max(1) as f64
    }

    /// How large a box of the smaller part's sides looks, beside the largest that it can look.
    fn silhouette(&self, direction: DVec3) -> f64 {
        let DVec3 { x, y, z } = self.sides;
        let faces = DVec3::new(y * z, z * x, x * y);
        let largest = faces.length();
        if largest > 0.0 { faces.dot(direction.abs()) / largest } else { 0.0 }
    }

    fn hides(
        &self,
        part: &ModelPart,
        origin: DVec3,
        direction: DVec3,
        workspace: &mut Workspace,
    ) -> bool {
        if !crosses_box(part.bounds, origin, direction, self.distance) {
            return false;
        }
        let Ok(ray) = Ray::new(origin, direction) else { return false };
        let hit = query::cast_ray_with(part.instance.pose(), &part.mesh, &ray, workspace);
        hit.is_some_and(|hit| hit.t < self.distance)
    }
}

/// Slabs: does a segment from `origin` meet a box?
fn crosses_box(DAabb { low, high }: DAabb, origin: DVec3, direction: DVec3, length: f64) -> bool {
    let (mut enter, mut leave) = (0.0f64, length);
    for k in 0..3 {
        let (a, b) = (low[k] - origin[k], high[k] - origin[k]);
        if direction[k] == 0.0 {
            if a > 0.0 || b < 0.0 {
                return false;
            }
            continue;
        }
        let (s, t) = (a / direction[k], b / direction[k]);
        enter = enter.max(s.min(t));
        leave = leave.min(s.max(t));
    }
    enter <= leave
}
