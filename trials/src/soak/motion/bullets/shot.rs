//! What is shot at what, and how a simulation of it is made.

use super::flight::Flight;
use impinge::geom::glam::DVec3;
use impinge::mesh::Mode;
use impinge::query::{self, Workspace};
use impinge::response::{Material, Simulation, SimulationSettings, Solver, Velocity};
use impinge::scene::{Body, BodyId};
use impinge::{Geometry, Mesh, Motion, MotionPath, Pose, Shape};
use impinge_lab::Random;

/// Steps of a shot. The slowest bullet flies 13 m in them.
pub(super) const STEPS: usize = 8;

/// Samples are this far apart.
pub(super) const SPACING: f64 = 1e-4;

/// A flight with so many samples in contact one after another surely meets the target; with fewer it grazes it.
pub(super) const SURE: u32 = 5;

/// Ways that are integrated apart differ by less than this.
const DEEP: f64 = 2e-4;

fn slab(half: [f64; 3]) -> Option<Geometry> {
    let corner =
        |k: usize| [0, 1, 2].map(|axis| if k >> axis & 1 == 1 { half[axis] } else { -half[axis] });
    let quads =
        [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let faces: Vec<[u32; 3]> =
        quads.iter().flat_map(|[a, b, c, d]| [[*a, *b, *c], [*a, *c, *d]]).collect();
    let vertices: Vec<[f64; 3]> = (0..8).map(corner).collect();
    Some(Mesh::new(&vertices, &faces).ok()?.into())
}

/// A target around the origin, and its velocity if it moves.
fn target(random: &mut Random) -> Option<(&'static str, Geometry, Option<DVec3>)> {
    let spin = DVec3::from_array(random.direction()) * random.between(10.0, 120.0);
    Some(match random.below(6) {
        0 => ("wall", Shape::cuboid([0.0005, 1.0, 1.0]).ok()?.into(), None),
        1 => ("wall of triangles", slab([0.0005, 1.0, 1.0])?, None),
        2 => {
            let sheet = [[0.0, -2.0, -2.0], [0.0, 2.0, -2.0], [0.0, 0.0, 2.0]];
            let mesh = Mesh::new(&sheet, &[[0, 1, 2]]).ok()?;
            ("sheet", Geometry::mesh(mesh, Mode::Surface), None)
        }
        3 => ("rod", Shape::capsule(0.01, 0.4).ok()?.into(), Some(spin)),
        4 => ("plate", Shape::cuboid([0.0005, 0.3, 0.3]).ok()?.into(), Some(spin)),
        _ => ("block of triangles", slab([0.05, 0.2, 0.3])?, Some(spin)),
    })
}

fn bullet(random: &mut Random) -> Option<Geometry> {
    Some(match random.below(4) {
        0 => Shape::sphere(0.004).ok()?.into(),
        1 => Shape::capsule(0.002, 0.02).ok()?.into(),
        2 => Shape::cuboid([0.003, 0.02, 0.005]).ok()?.into(),
        _ => slab([0.004, 0.003, 0.02])?,
    })
}

/// A bullet, its target, and how both move.
pub(super) struct Shot {
    pub(super) target: (Body, Option<DVec3>),
    pub(super) bullet: (Body, Velocity),
    pub(super) name: &'static str,
    substeps: u32,
    solver: Solver,
}

impl Shot {
    pub(super) fn new(random: &mut Random) -> Option<Self> {
        let (name, geometry, spin) = target(random)?;
        let turned = if spin.is_some() { random.quaternion() } else { [1.0, 0.0, 0.0, 0.0] };
        let pose = Pose::new(turned, [0.0; 3]).ok()?;
        let body =
            if spin.is_some() { Body::moving(geometry, pose) } else { Body::fixed(geometry, pose) };
        let aim = DVec3::from_array(random.point()) * if spin.is_some() { 0.25 } else { 0.6 };
        let start = DVec3::new(
            -random.between(0.5, 8.0),
            random.between(-0.5, 0.5),
            random.between(-0.5, 0.5),
        );
        let way = (aim.with_x(0.0) - start).normalize();
        let linear = way * random.between(100.0, 2000.0);
        let angular = DVec3::from_array(random.point()) * 120.0;
        let at = Pose::new(random.quaternion(), start.to_array()).ok()?;
        let flying = Body::moving(bullet(random)?, at);
        let substeps = [1, 4][random.below(2) as usize];
        let solvers = [Solver::SequentialImpulses, Solver::Reflection, Solver::Penalty];
        let solver = solvers[random.below(3) as usize];
        let bullet = (flying, Velocity { linear, angular });
        Some(Self { target: (body, spin), bullet, name, substeps, solver })
    }

    /// The velocity of the target.
    pub(super) fn spin(&self) -> Velocity {
        let angular = self.target.1.unwrap_or(DVec3::ZERO);
        Velocity { linear: DVec3::ZERO, angular }
    }

    /// A simulation of both: the target and the bullet.
    pub(super) fn simulation(&self, sweep: bool) -> Option<(Simulation, [BodyId; 2])> {
        let mut settings = SimulationSettings {
            gravity: [0.0; 3],
            damping: 0.0,
            sleep: None,
            substeps: self.substeps,
            solver: self.solver,
            ..SimulationSettings::for_size(0.01)
        };
        if !sweep {
            settings.margin = self.bullet.1.linear.length() * settings.time_step;
        }
        let mut simulation = Simulation::new(settings).ok()?;
        let target = simulation.add(self.target.0.clone(), Material::default()).ok()?;
        if self.target.1.is_some() {
            simulation.set_velocity(target, self.spin()).ok()?;
            simulation.set_fast(target, sweep).ok()?;
        }
        let bullet = simulation.add(self.bullet.0.clone(), Material::default()).ok()?;
        simulation.set_velocity(bullet, self.bullet.1).ok()?;
        simulation.set_fast(bullet, sweep).ok()?;
        Some((simulation, [target, bullet]))
    }

    /// Where both are that fly freely for a time.
    fn free_paths(&self, time: f64) -> Option<[MotionPath; 2]> {
        let (simulation, [target, bullet]) = self.simulation(true)?;
        let still = MotionPath::through(&[(0.0, self.target.0.pose)]).ok();
        let path = |id: BodyId, velocity: Velocity| match simulation.mass(id).ok()? {
            Some(mass) => Flight::new(&simulation.pose(id).ok()?, velocity, &mass).path(time),
            None => still.clone(),
        };
        Some([path(target, self.spin())?, path(bullet, self.bullet.1)?])
    }

    /// Samples of the free flight: the longest row of contacts, and the least distance.
    pub(super) fn flight(&self) -> Option<(u32, f64)> {
        let time = SimulationSettings::for_size(0.01).time_step * STEPS as f64;
        let [one, two] = self.free_paths(time)?;
        let speed = self.speed(self.spin(), self.bullet.1) * time;
        Some(self.samples([&one, &two], 1.0, speed))
    }

    /// No point of the one approaches one of the other faster.
    pub(super) fn speed(&self, target: Velocity, bullet: Velocity) -> f64 {
        // No point of either is farther from its middle than these; a body that reels turns up to as much faster as its moments differ.
        let spins = target.angular.length() * 0.5 * 2.0 + bullet.angular.length() * 0.03 * 8.0;
        (target.linear.length() + bullet.linear.length() + spins) * 1.01
    }

    /// Samples up to a time: the longest row of contacts, and the least distance.
    pub(super) fn samples(&self, ways: [&dyn Motion; 2], end: f64, speed: f64) -> (u32, f64) {
        let (mut t, mut row, mut longest, mut least) = (0.0, 0, 0, f64::INFINITY);
        let mut workspace = Workspace::default();
        while t <= end && longest < SURE {
            let [one, two] = ways.map(|way| way.pose(t));
            let (a, b) = (&self.target.0.geometry, &self.bullet.0.geometry);
            let gap = query::distance_with(&one, a, &two, b, &mut workspace).distance;
            row = if gap <= 0.0 { row + 1 } else { 0 };
            (longest, least) = (longest.max(row), least.min(gap));
            t += gap.max(SPACING) / speed;
        }
        (longest, least)
    }

    /// Whether bodies get deep into each other up to the end of their ways. A sheet has no depth: there many samples in contact count.
    pub(super) fn overlaps(&self, ways: [&dyn Motion; 2], speed: f64) -> bool {
        if self.name == "sheet" {
            return self.samples(ways, 1.0, speed).0 >= SURE;
        }
        let mut t = 0.0;
        let mut workspace = Workspace::default();
        while t <= 1.0 {
            let [one, two] = ways.map(|way| way.pose(t));
            let (a, b) = (&self.target.0.geometry, &self.bullet.0.geometry);
            let mut gap = query::distance_with(&one, a, &two, b, &mut workspace).distance;
            if gap <= 0.0 {
                gap = query::signed_distance_with(&one, a, &two, b, &mut workspace).distance;
            }
            if gap < -DEEP {
                return true;
            }
            t += gap.max(SPACING) / speed;
        }
        false
    }

    /// Whether the centre of the bullet gets into the target, or to the other side of the sheet, up to a time.
    pub(super) fn center_passes(&self, ways: [&dyn Motion; 2], end: f64, speed: f64) -> bool {
        let Ok(point) = Shape::sphere(0.0) else { return true };
        let mut workspace = Workspace::default();
        let mut t = 0.0;
        let mut before: Option<(f64, f64)> = None;
        while t <= end {
            let [one, two] = ways.map(|way| way.pose(t));
            let gap =
                query::distance_with(&one, &self.target.0.geometry, &two, &point, &mut workspace);
            let side = one.inverse_transform_point(two.translation()).x;
            let near = 2.0 * SPACING;
            let crossed = before.is_some_and(|(x, last)| {
                x * side < 0.0 && last < near && gap.distance < near && self.name == "sheet"
            });
            if gap.distance <= 0.0 || crossed {
                return true;
            }
            before = Some((side, gap.distance));
            t += gap.distance.max(SPACING) / speed;
        }
        false
    }
}
