//! Bullets against thin walls, spinning rods and plates, and meshes: none may pass.
//!
//! Two judges, both apart from the engine. The first integrates the free flight of both bodies itself and samples it a tenth of a millimetre apart: a bullet that meets its
//! target there must be stopped or deflected, one that misses it by a millimetre must not. The second looks at the poses and velocities that the engine reports, step by step. From a
//! step that changed no velocity it integrates the way between the poses, and on that way bodies that begin apart never overlap; what the solver
//! touched goes on a line and turns steadily, and the bullet's centre never gets into the target or to the other side of a sheet. The same shots are fired once
//! more with speculative contacts instead of the sweep: contacts from as far away as the bullet moves in a step, and no mark.

mod flight;
mod shot;

use super::{FAULT, Options, Report};
use flight::{Flight, angle_between, momentum, turn_like};
use impinge::geom::glam::DVec3;
use impinge::query;
use impinge::response::{MassProperties, Simulation, Velocity};
use impinge::scene::BodyId;
use impinge::{Motion, Pose, RigidMotion};
use impinge_lab::Random;
use shot::{STEPS, SURE, Shot};
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
    /// Swept shots with a step that goes through the target.
    pub through: u64,
    /// Steps that were judged: those of free flight, and those in which the solver acted.
    pub steps: [u64; 2],
    /// Steps that began with an overlap.
    pub deep: u64,
    /// Time of all steps, for comparison within one run.
    pub spent: [Duration; 2],
}

impl Counts {
    pub(super) fn append(&mut self, other: Self) {
        self.meet += other.meet;
        self.miss += other.miss;
        self.parted += other.parted;
        self.through += other.through;
        self.deep += other.deep;
        for side in 0..2 {
            self.passed[side] += other.passed[side];
            self.ghosts[side] += other.ghosts[side];
            self.steps[side] += other.steps[side];
            self.spent[side] += other.spent[side];
        }
    }

    pub(super) fn print(&self) {
        let Self { meet, miss, parted, passed, ghosts, through, steps, deep, spent } = self;
        if meet + miss == 0 {
            return;
        }
        println!(
            "bullets: {meet} meet their target, {miss} miss it; {parted} stopped before it and then missed it"
        );
        println!(
            "  {through} went through in a step; {} steps of free flight judged, {} in which the solver acted, {deep} that began with an overlap",
            steps[0], steps[1]
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

/// One that comes no nearer than this surely misses its target.
const CLEAR: f64 = 1e-3;

/// A velocity or an angular momentum that changes by no more than this share of it is the same.
const SAME: f64 = 1e-9;

/// The engine moves and turns bodies as the judge does, up to so much in a step.
const MOVED: f64 = 1e-6;
const TURNED: f64 = 2e-3;

/// Free flight is integrated up to this angle in a step, in radians.
const FASTEST: f64 = 16.0;

/// A body as the engine reports it.
#[derive(Clone, Copy)]
struct Reported {
    pose: Pose,
    velocity: Velocity,
    mass: Option<MassProperties>,
}

impl Reported {
    fn of(simulation: &Simulation, id: BodyId) -> Option<Self> {
        let pose = simulation.pose(id).ok()?;
        Some(Self {
            pose,
            velocity: simulation.velocity(id).ok()?,
            mass: simulation.mass(id).ok()?,
        })
    }

    fn momentum(&self) -> DVec3 {
        self.mass.map_or(DVec3::ZERO, |mass| momentum(&self.pose, self.velocity.angular, &mass))
    }

    /// Nothing acted on it from one step to the next.
    fn is_free(&self, next: &Self) -> bool {
        let same = |a: DVec3, b: DVec3| (a - b).length() <= SAME * a.length();
        same(self.velocity.linear, next.velocity.linear) && same(self.momentum(), next.momentum())
    }
}

/// The way of a body in a step of which it went a share.
fn way(
    from: &Reported,
    to: &Reported,
    free: bool,
    time: f64,
    share: f64,
) -> Option<Box<dyn Motion>> {
    match from.mass {
        Some(mass) if free => {
            Some(Box::new(Flight::new(&from.pose, from.velocity, &mass).path(time * share)?))
        }
        _ => {
            let turn = turn_like(&from.pose, &to.pose, to.velocity.angular * (time * share));
            let line = to.pose.translation() - from.pose.translation();
            Some(Box::new(RigidMotion::turning(&from.pose, DVec3::ZERO, line, turn).ok()?))
        }
    }
}

/// What is wrong with a step, if anything is.
fn judge_step(
    shot: &Shot,
    from: [Reported; 2],
    to: [Reported; 2],
    time: f64,
    counts: &mut Counts,
) -> Option<String> {
    // What was hit off its middle may turn thousands of times a second: that is not followed.
    let slow = |k: usize| from[k].velocity.angular.length() * time < FASTEST;
    let free = (0..2).all(|k| from[k].is_free(&to[k]) && slow(k));
    counts.steps[usize::from(!free)] += 1;
    let bullet = &to[1];
    let line = bullet.pose.translation() - from[1].pose.translation();
    let square = bullet.velocity.linear.length_squared() * time;
    let share = if square > 0.0 {
        (line.dot(bullet.velocity.linear) / square).clamp(0.0, 1.0)
    } else {
        1.0
    };
    if share == 0.0 {
        return None;
    }
    let made = |k: usize| way(&from[k], &to[k], free, time, share);
    let (Some(one), Some(two)) = (made(0), made(1)) else {
        return Some("a way is not finite".to_owned());
    };
    let ways = [one.as_ref(), two.as_ref()];
    if free {
        let ends = [one.pose(1.0), two.pose(1.0)];
        for k in 0..2 {
            let line = (ends[k].translation() - to[k].pose.translation()).length();
            let angle = angle_between(&ends[k], &to[k].pose);
            if line > MOVED || angle > TURNED {
                return Some(format!(
                    "body {k} is {line:e} and {angle:e} rad from where its free flight takes it, after {share} of the step"
                ));
            }
        }
    }
    let speed = shot
        .speed(to[0].velocity, to[1].velocity)
        .max(shot.speed(from[0].velocity, from[1].velocity))
        * time
        * share;
    if speed <= 0.0 {
        return None;
    }
    let (a, b) = (&shot.target.0.geometry, &shot.bullet.0.geometry);
    if query::intersects(&from[0].pose, a, &from[1].pose, b) {
        counts.deep += 1;
    } else if free && shot.overlaps(ways, speed) {
        return Some("the bodies overlap on the way".to_owned());
    }
    shot.center_passes(ways, 1.0, speed).then(|| "the centre of the bullet passes".to_owned())
}

/// What a shot comes to.
struct Fired {
    end: End,
    spent: Duration,
    through: Option<(usize, String)>,
}

impl Shot {
    fn fire(&self, sweep: bool, counts: &mut Counts) -> Option<Fired> {
        let (mut simulation, ids) = self.simulation(sweep)?;
        let (mut stopped, mut in_contact, mut spent) = (false, false, Duration::ZERO);
        let time = simulation.settings().time_step;
        let mut through = None;
        let report = |simulation: &Simulation| {
            Some([Reported::of(simulation, ids[0])?, Reported::of(simulation, ids[1])?])
        };
        let mut before = report(&simulation)?;
        // What stops within a step meets the solver in the next one.
        for step in 0..STEPS + 2 {
            let begin = Instant::now();
            simulation.step();
            spent += begin.elapsed();
            stopped |= simulation.sweep_counts().stopped > 0;
            let now = report(&simulation)?;
            let (a, b) = (&self.target.0.geometry, &self.bullet.0.geometry);
            in_contact |= query::intersects(&now[0].pose, a, &now[1].pose, b);
            if sweep && through.is_none() {
                through = judge_step(self, before, now, time, counts).map(|what| (step, what));
            }
            before = now;
        }
        let change = before[1].velocity.linear - self.bullet.1.linear;
        let end = if change.length() > 1e-6 * self.bullet.1.linear.length() {
            End::Deflected
        } else if stopped && !in_contact {
            End::Parted
        } else {
            End::Flew
        };
        Some(Fired { end, spent, through })
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
            let Fired { mut end, spent, through } = shot.fire(sweep, &mut report.bullets)?;
            if options.inject_fault && index.is_multiple_of(FAULT) {
                end = if end == End::Flew { End::Deflected } else { End::Flew };
            }
            let (flew, deflected) = (end == End::Flew, end == End::Deflected);
            report.bullets.spent[side] += spent;
            report.hash.byte(u8::from(deflected));
            report.bullets.passed[side] += u64::from(meets && flew);
            report.bullets.parted += u64::from(meets && sweep && end == End::Parted);
            report.bullets.ghosts[side] += u64::from(misses && deflected);
            report.bullets.through += u64::from(through.is_some());
            let what = match through {
                Some((step, what)) => format!("in step {step} {what}"),
                None if sweep && meets && flew => "passed".to_owned(),
                None if sweep && misses && deflected => "was deflected in the air".to_owned(),
                None => continue,
            };
            let (start, velocity) = (shot.bullet.0.pose.translation(), shot.bullet.1);
            let name = shot.name;
            report.failures.add(|| {
                format!("bullet {index} at a {name}: {what}; from {start:?}, {velocity:?}")
            });
        }
        Some(())
    });
    if judged.is_none() {
        report.failures.add(|| format!("bullet {index}: a body was refused"));
    }
}
