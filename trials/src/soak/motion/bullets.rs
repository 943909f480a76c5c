//! Bullets against thin walls, spinning rods and plates, and meshes: none that meets its target on a free flight may fly on as if there were none.
//!
//! The truth is a free flight: each body is simulated alone, and the two are sampled on those paths a tenth of a millimetre apart. The same shots are fired once
//! more with speculative contacts instead of the sweep: contacts from as far away as the bullet moves in a step, and no mark.

use super::{FAULT, Options, Report};
use impinge::geom::glam::DVec3;
use impinge::mesh::Mode;
use impinge::query::{self, Workspace};
use impinge::response::{Material, Simulation, SimulationSettings, Velocity};
use impinge::scene::{Body, BodyId};
use impinge::{Geometry, Mesh, Motion, MotionPath, Pose, Shape};
use impinge_lab::Random;
use std::time::{Duration, Instant};

/// What became of the shots, of the swept ones and of those with speculative contacts.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counts {
    /// Shots that meet their target on the free flight, and those that miss it by a millimetre or more.
    pub meet: u64,
    /// See above.
    pub miss: u64,
    /// Swept shots of the first kind that stopped before the contact and then had none, as the target had turned away.
    pub parted: u64,
    /// Shots of the first kind that flew on.
    pub passed: [u64; 2],
    /// Shots of the second kind that were stopped or deflected all the same.
    pub ghosts: [u64; 2],
    /// Time of all steps, for comparison within one run.
    pub spent: [Duration; 2],
}

impl Counts {
    pub(super) fn append(&mut self, other: Self) {
        self.meet += other.meet;
        self.miss += other.miss;
        self.parted += other.parted;
        for side in 0..2 {
            self.passed[side] += other.passed[side];
            self.ghosts[side] += other.ghosts[side];
            self.spent[side] += other.spent[side];
        }
    }

    pub(super) fn print(&self) {
        let Self { meet, miss, parted, passed, ghosts, spent } = self;
        if meet + miss == 0 {
            return;
        }
        println!(
            "bullets: {meet} meet their target, {miss} miss it; {parted} stopped before it and then missed it"
        );
        for (side, name) in ["swept", "speculative"].into_iter().enumerate() {
            println!(
                "  {name}: {} passed, {} deflected in the air, {:.1} s",
                passed[side],
                ghosts[side],
                spent[side].as_secs_f64()
            );
        }
    }
}

/// Steps of a shot. The slowest bullet flies 13 m in them.
const STEPS: usize = 8;

/// Samples are this far apart.
const SPACING: f64 = 1e-4;

/// A flight with so many samples in contact one after another surely meets the target; with fewer it grazes it.
const SURE: u32 = 5;

/// One that comes no nearer than this surely misses it.
const CLEAR: f64 = 1e-3;

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
struct Shot {
    target: (Body, Option<DVec3>),
    bullet: (Body, Velocity),
    name: &'static str,
}

impl Shot {
    fn new(random: &mut Random) -> Option<Self> {
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
        Some(Self { target: (body, spin), bullet: (flying, Velocity { linear, angular }), name })
    }

    /// A simulation of one or both; the bullet is the last one.
    fn simulation(
        &self,
        [target, bullet]: [bool; 2],
        sweep: bool,
    ) -> Option<(Simulation, Vec<BodyId>)> {
        let mut settings = SimulationSettings {
            gravity: [0.0; 3],
            damping: 0.0,
            sleep: None,
            substeps: 1,
            ..SimulationSettings::for_size(0.01)
        };
        if !sweep && target && bullet {
            settings.margin = self.bullet.1.linear.length() * settings.time_step;
        }
        let mut simulation = Simulation::new(settings).ok()?;
        let mut ids = Vec::new();
        if target {
            let id = simulation.add(self.target.0.clone(), Material::default()).ok()?;
            if let Some(angular) = self.target.1 {
                simulation.set_velocity(id, Velocity { linear: DVec3::ZERO, angular }).ok()?;
                simulation.set_fast(id, sweep).ok()?;
            }
            ids.push(id);
        }
        if bullet {
            let id = simulation.add(self.bullet.0.clone(), Material::default()).ok()?;
            simulation.set_velocity(id, self.bullet.1).ok()?;
            simulation.set_fast(id, sweep).ok()?;
            ids.push(id);
        }
        Some((simulation, ids))
    }

    /// Where a body is that flies alone.
    fn path(&self, which: [bool; 2]) -> Option<MotionPath> {
        let (mut simulation, ids) = self.simulation(which, false)?;
        let mut frames = vec![(0.0, simulation.pose(ids[0]).ok()?)];
        for step in 1..=STEPS {
            simulation.step();
            frames.push((step as f64, simulation.pose(ids[0]).ok()?));
        }
        MotionPath::through(&frames).ok()
    }

    /// Samples of the free flight: the longest row of contacts, and the least distance.
    fn flight(&self) -> Option<(u32, f64)> {
        let (target, bullet) = (self.path([true, false])?, self.path([false, true])?);
        let time = SimulationSettings::for_size(0.01).time_step * STEPS as f64;
        // No point of either is farther from its middle than these.
        let spins = self.target.1.map_or(0.0, DVec3::length) * 0.5 + 0.03 * 210.0;
        let speed = (self.bullet.1.linear.length() + spins) * time * 1.01;
        let (mut t, mut row, mut longest, mut least) = (0.0, 0, 0, f64::INFINITY);
        let mut workspace = Workspace::default();
        while t <= 1.0 {
            let (one, two) = (target.pose(t), bullet.pose(t));
            let (a, b) = (&self.target.0.geometry, &self.bullet.0.geometry);
            let gap = query::distance_with(&one, a, &two, b, &mut workspace).distance;
            row = if gap <= 0.0 { row + 1 } else { 0 };
            (longest, least) = (longest.max(row), least.min(gap));
            if longest >= SURE {
                break;
            }
            t += gap.max(SPACING) / speed;
        }
        Some((longest, least))
    }

    /// What a shot comes to, and the time that the steps took.
    fn fire(&self, sweep: bool) -> Option<(End, Duration)> {
        let (mut simulation, ids) = self.simulation([true, true], sweep)?;
        let [target, bullet] = [*ids.first()?, *ids.last()?];
        let (mut stopped, mut in_contact, mut spent) = (false, false, Duration::ZERO);
        // What stops within a step meets the solver in the next one.
        for _ in 0..STEPS + 2 {
            let begin = Instant::now();
            simulation.step();
            spent += begin.elapsed();
            stopped |= simulation.sweep_counts().stopped > 0;
            let [one, two] = [simulation.pose(target).ok()?, simulation.pose(bullet).ok()?];
            let (a, b) = (&self.target.0.geometry, &self.bullet.0.geometry);
            in_contact |= query::intersects(&one, a, &two, b);
        }
        let change = simulation.velocity(bullet).ok()?.linear - self.bullet.1.linear;
        let end = if change.length() > 1e-6 * self.bullet.1.linear.length() {
            End::Deflected
        } else if stopped && !in_contact {
            End::Parted
        } else {
            End::Flew
        };
        Some((end, spent))
    }
}

/// What becomes of a bullet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    /// Its velocity changed.
    Deflected,
    /// It was stopped before the contact and flew on without one: the target, which was stopped too and lost the rest of its step, has turned away since.
    Parted,
    /// It flew on, without a stop or after being in contact.
    Flew,
}

/// One shot, swept and with speculative contacts.
pub(super) fn one(options: &Options, index: u64, report: &mut Report) {
    let mut random =
        Random::new(options.seed.wrapping_mul(0xd6e8_feb8_6659_fd93).wrapping_add(index));
    let judged = Shot::new(&mut random).and_then(|shot| {
        let (contacts, least) = shot.flight()?;
        let (meets, misses) = (contacts >= SURE, least > CLEAR);
        report.bullets.meet += u64::from(meets);
        report.bullets.miss += u64::from(misses);
        for (side, sweep) in [true, false].into_iter().enumerate() {
            let (mut end, spent) = shot.fire(sweep)?;
            if options.inject_fault && index.is_multiple_of(FAULT) {
                end = if end == End::Flew { End::Deflected } else { End::Flew };
            }
            let (flew, deflected) = (end == End::Flew, end == End::Deflected);
            report.bullets.spent[side] += spent;
            report.hash.byte(u8::from(deflected));
            report.bullets.passed[side] += u64::from(meets && flew);
            report.bullets.parted += u64::from(meets && sweep && end == End::Parted);
            report.bullets.ghosts[side] += u64::from(misses && deflected);
            let wrong = sweep && (meets && flew || misses && deflected);
            if wrong {
                let what = if meets { "passed" } else { "was deflected in the air by" };
                let (start, velocity) = (shot.bullet.0.pose.translation(), shot.bullet.1);
                let name = shot.name;
                report.failures.add(|| {
                    format!("bullet {index} {what} a {name}: from {start:?}, {velocity:?}")
                });
            }
        }
        Some(())
    });
    if judged.is_none() {
        report.failures.add(|| format!("bullet {index}: a body was refused"));
    }
}
