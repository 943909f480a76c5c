//! The step: contacts, islands, velocities, sweep of fast bodies, poses.

use super::{Simulation, Solver, penalty, reflection, sequential};
use crate::scene::{BodyId, StepReport};

impl Simulation {
    /// Finds contacts, solves them, and moves all bodies by one time step. The returned report was made before they moved.
    ///
    /// A body that would leave the range of a scene, or whose velocity overflows, stops and sleeps.
    pub fn step(&mut self) -> &StepReport {
        let report = self.scene.step();
        let ids = &mut self.ids;
        ids.clear();
        ids.extend(self.motions.iter().map(|motion| motion.id));
        let place = |id: BodyId| {
            let index = id.index() as usize;
            ids.get(index).is_some_and(|known| *known == id).then_some(index)
        };
        self.islands.find(report, &mut self.motions, place);
        self.constraints.gather(report, &self.settings, &mut self.motions, place);
        self.islands.hold(&self.constraints.list, &self.motions);
        let (settings, list) = (&self.settings, &mut self.constraints.list);
        self.sweep.begin(&mut self.motions);
        for _ in 0..settings.substeps {
            match settings.solver {
                Solver::Reflection => reflection::substep(settings, list, &mut self.motions),
                Solver::SequentialImpulses => {
                    sequential::substep(settings, list, &mut self.motions)
                }
                Solver::Penalty => penalty::substep(settings, list, &mut self.motions),
            }
        }
        self.constraints.remember();
        let margin = self.settings.margin;
        self.sweep.stop_at_contacts(&self.scene, &mut self.motions, margin);
        self.place_bodies();
        self.scene.refit();
        if let Some(sleep) = self.settings.sleep {
            let time = self.settings.time_step;
            self.islands.put_to_sleep(&mut self.motions, sleep, time);
        }
        self.steps += 1;
        self.scene.report()
    }

    /// Tells the scene where the bodies are now.
    fn place_bodies(&mut self) {
        for motion in self.motions.iter_mut().filter(|motion| motion.is_active()) {
            let Ok(body) = self.scene.body(motion.id) else { continue };
            let before = body.pose;
            let is_sane = motion.velocity.is_finite() && motion.angular_momentum.is_finite();
            let moved = motion.pose().ok().filter(|_| is_sane);
            let placed = moved.is_some_and(|pose| self.scene.set_pose(motion.id, pose).is_ok());
            if !placed {
                motion.stop();
                motion.put(&before);
                motion.is_asleep = true;
            }
        }
    }
}
