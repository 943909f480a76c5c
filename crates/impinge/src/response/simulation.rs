//! A scene whose bodies have mass and velocity.

use super::constraint::Constraints;
use super::error::finite;
use super::island::Islands;
use super::motion::{BodyState, Velocity};
use super::sweep::{Sweep, SweepCounts};
use super::{MassProperties, Material, ResponseError, SimulationSettings};
use crate::broad::{BroadPhase, DynamicTree};
use crate::query::Geometry;
use crate::scene::{self, Body, BodyId, Rules, Scene, SceneError};
use impinge_geom::Pose;
use impinge_geom::glam::DVec3;

/// A scene whose bodies have mass, velocity and material.
///
/// The same input gives the same bits for any number of threads and any SIMD backend. Memory is kept from step to step.
pub struct Simulation {
    pub(super) scene: Scene,
    pub(super) settings: SimulationSettings,
    /// By the index of the body. What belongs to a body that was removed does not move.
    pub(super) motions: Vec<BodyState>,
    pub(super) constraints: Constraints,
    pub(super) islands: Islands,
    /// The bodies of the list during a step.
    pub(super) ids: Vec<BodyId>,
    pub(super) sweep: Sweep,
    pub(super) steps: u64,
}

impl Simulation {
    /// Creates an empty simulation.
    pub fn new(settings: SimulationSettings) -> Result<Self, ResponseError> {
        Self::with_broad_phase(settings, Box::new(DynamicTree::default()))
    }

    /// Creates an empty simulation with the given broad phase.
    pub fn with_broad_phase(
        settings: SimulationSettings,
        broad: Box<dyn BroadPhase>,
    ) -> Result<Self, ResponseError> {
        settings.check()?;
        let mut scene = Scene::with_broad_phase(broad);
        scene.set_settings(scene::SceneSettings {
            contacts: true,
            ..scene::SceneSettings::default()
        });
        scene.rules_mut().set_default_margin(settings.margin)?;
        Ok(Self {
            scene,
            settings,
            motions: Vec::new(),
            constraints: Constraints::default(),
            islands: Islands::default(),
            ids: Vec::new(),
            sweep: Sweep::default(),
            steps: 0,
        })
    }

    /// Adds a body at rest. Its mass is computed from its volume and the density of the material.
    pub fn add(&mut self, body: Body, material: Material) -> Result<BodyId, ResponseError> {
        material.check()?;
        let mass = if body.moves {
            Some(MassProperties::of_geometry(&body.geometry, material.density)?)
        } else {
            None
        };
        self.insert(body, material, mass)
    }

    /// Adds a body at rest with the given mass properties, which are ignored if it is fixed.
    ///
    /// ```
    /// use impinge::{Pose, geom::Shape, scene::Body};
    /// use impinge::response::{MassProperties, Material, SimulationSettings, Simulation};
    /// let mut simulation = Simulation::new(SimulationSettings::default())?;
    /// let hollow = MassProperties::new(2.0, [0.0; 3], [[1.2, 0.0, 0.0], [0.0, 1.2, 0.0], [0.0, 0.0, 1.2]])?;
    /// let ball = Body::moving(Shape::sphere(1.0)?, Pose::IDENTITY);
    /// let id = simulation.add_with_mass(ball, Material::default(), hollow)?;
    /// assert_eq!(simulation.mass(id)?.map(|mass| mass.mass()), Some(2.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn add_with_mass(
        &mut self,
        body: Body,
        material: Material,
        mass: MassProperties,
    ) -> Result<BodyId, ResponseError> {
        material.check()?;
        let mass = body.moves.then_some(mass);
        self.insert(body, material, mass)
    }

    fn insert(
        &mut self,
        body: Body,
        material: Material,
        mass: Option<MassProperties>,
    ) -> Result<BodyId, ResponseError> {
        let (pose, reach) = (body.pose, reach(&body.geometry));
        let id = self.scene.add(body)?;
        let motion = BodyState::new(id, material, mass, reach, &pose);
        let index = id.index() as usize;
        // Indices are given one after the other; what was skipped would be a body that never moves.
        while self.motions.len() <= index {
            self.motions.push(BodyState::new(id, material, None, 0.0, &pose));
        }
        self.motions[index] = motion;
        Ok(id)
    }

    /// Removes and returns a body, and wakes what it supported.
    pub fn remove(&mut self, id: BodyId) -> Result<Body, ResponseError> {
        let body = self.scene.remove(id)?;
        self.wake_around(id);
        if let Some(motion) = self.motions.get_mut(id.index() as usize) {
            *motion = BodyState::new(id, motion.material, None, 0.0, &body.pose);
        }
        Ok(body)
    }

    /// The scene: bodies, and the report of the last step. Contacts are those of the poses before that step.
    pub fn scene(&self) -> &Scene {
        &self.scene
    }

    /// The collision rules. The default margin is that of the settings; leave it.
    pub fn rules_mut(&mut self) -> &mut Rules {
        self.scene.rules_mut()
    }

    /// The settings.
    pub fn settings(&self) -> &SimulationSettings {
        &self.settings
    }

    /// Replaces the settings.
    pub fn set_settings(&mut self, settings: SimulationSettings) -> Result<(), ResponseError> {
        settings.check()?;
        if settings.margin != self.settings.margin {
            self.scene.rules_mut().set_default_margin(settings.margin)?;
        }
        let no_more_sleep = self.settings.sleep.is_some() && settings.sleep.is_none();
        if settings.gravity != self.settings.gravity || no_more_sleep {
            self.motions.iter_mut().for_each(BodyState::wake);
        }
        self.settings = settings;
        Ok(())
    }

    /// Number of steps made.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    fn motion(&self, id: BodyId) -> Result<&BodyState, ResponseError> {
        self.scene.body(id)?;
        let motion = self.motions.get(id.index() as usize);
        motion.ok_or(ResponseError::Scene(SceneError::Unknown(id)))
    }

    fn motion_mut(&mut self, id: BodyId) -> Result<&mut BodyState, ResponseError> {
        self.scene.body(id)?;
        let motion = self.motions.get_mut(id.index() as usize);
        motion.ok_or(ResponseError::Scene(SceneError::Unknown(id)))
    }

    /// The pose of a body.
    pub fn pose(&self, id: BodyId) -> Result<Pose, ResponseError> {
        Ok(self.scene.body(id)?.pose)
    }

    /// Moves a body to another pose, and wakes it and what touches it. Its velocity stays.
    pub fn set_pose(&mut self, id: BodyId, pose: Pose) -> Result<(), ResponseError> {
        self.scene.set_pose(id, pose)?;
        self.wake_around(id);
        let motion = self.motion_mut(id)?;
        motion.put(&pose);
        motion.wake();
        Ok(())
    }

    /// The velocity of a body; zero if it is fixed or asleep.
    pub fn velocity(&self, id: BodyId) -> Result<Velocity, ResponseError> {
        let motion = self.motion(id)?;
        Ok(Velocity { linear: motion.velocity, angular: motion.spin })
    }

    /// Sets the velocity of a body, and wakes it. A fixed one stays where it is.
    pub fn set_velocity(&mut self, id: BodyId, velocity: Velocity) -> Result<(), ResponseError> {
        for part in velocity.linear.to_array() {
            finite("linear velocity", part)?;
        }
        for part in velocity.angular.to_array() {
            finite("angular velocity", part)?;
        }
        let motion = self.motion_mut(id)?;
        if motion.moves() {
            motion.wake();
            motion.velocity = velocity.linear;
            motion.set_spin(velocity.angular);
        }
        Ok(())
    }

    /// Marks a body as fast, or no longer: a fast body is swept through every step and stops at the first contact on its way, however thin what it meets and
    /// however fast it is. From a body that it touches when the step begins it may part, and slide along it; its centre of mass does not pass the other's surface. For
    /// bullets and spinning rods; others do not need it, and it costs time.
    ///
    /// ```
    /// use impinge::response::{Material, Simulation, SimulationSettings, Velocity};
    /// use impinge::{Pose, geom::{Shape, glam::DVec3}, scene::Body};
    /// let mut simulation = Simulation::new(SimulationSettings::for_size(0.01))?;
    /// simulation.add(Body::fixed(Shape::cuboid([0.0005, 1.0, 1.0])?, Pose::IDENTITY), Material::default())?;
    /// let start = Pose::from_translation([-3.0, 0.0, 0.0])?;
    /// let bullet = simulation.add(Body::moving(Shape::sphere(0.005)?, start), Material::default())?;
    /// simulation.set_velocity(bullet, Velocity { linear: DVec3::X * 900.0, angular: DVec3::ZERO })?;
    /// simulation.set_fast(bullet, true)?;
    /// for _ in 0..10 {
    ///     simulation.step();
    ///     assert!(simulation.pose(bullet)?.translation().x < 0.0);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_fast(&mut self, id: BodyId, fast: bool) -> Result<(), ResponseError> {
        self.motion_mut(id)?.is_fast = fast;
        Ok(())
    }

    /// How much work the sweep of fast bodies was in the last step.
    pub fn sweep_counts(&self) -> SweepCounts {
        self.sweep.counts
    }

    /// Applies an impulse to a body at a world point, and wakes it.
    ///
    /// ```
    /// use impinge::{Pose, geom::{Shape, glam::DVec3}, scene::Body};
    /// use impinge::response::{Material, SimulationSettings, Simulation};
    /// let mut simulation = Simulation::new(SimulationSettings::default())?;
    /// let light = Material { density: 1.0, ..Material::default() };
    /// let cube = simulation.add(Body::moving(Shape::cuboid([0.5; 3])?, Pose::IDENTITY), light)?;
    /// simulation.push(cube, DVec3::X, DVec3::new(-0.5, 0.5, 0.0))?;
    /// let velocity = simulation.velocity(cube)?;
    /// assert!((velocity.linear.x - 1.0).abs() < 1e-12 && (velocity.angular.z + 3.0).abs() < 1e-12);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn push(&mut self, id: BodyId, impulse: DVec3, point: DVec3) -> Result<(), ResponseError> {
        for part in impulse.to_array().into_iter().chain(point.to_array()) {
            finite("impulse or point", part)?;
        }
        let motion = self.motion_mut(id)?;
        motion.wake();
        motion.push(impulse, point - motion.position);
        Ok(())
    }

    /// Mass, centre of mass and inertia of a body; `None` if it is fixed.
    pub fn mass(&self, id: BodyId) -> Result<Option<MassProperties>, ResponseError> {
        Ok(self.motion(id)?.mass)
    }

    /// True if the body is asleep: it does not move until something touches it, or its support is removed.
    pub fn is_asleep(&self, id: BodyId) -> Result<bool, ResponseError> {
        Ok(self.motion(id)?.is_asleep)
    }

    /// Number of moving bodies that are awake.
    pub fn awake(&self) -> usize {
        self.motions.iter().filter(|motion| motion.is_active()).count()
    }

    /// Wakes a body; the next step wakes those that it touches.
    pub fn wake(&mut self, id: BodyId) -> Result<(), ResponseError> {
        self.motion_mut(id)?.wake();
        Ok(())
    }

    /// Wakes what was near a body in the last step.
    fn wake_around(&mut self, id: BodyId) {
        for pair in &self.scene.report().pairs {
            let other = match pair.bodies {
                [a, b] if a == id => b,
                [a, b] if b == id => a,
                _ => continue,
            };
            let motion = self.motions.get_mut(other.index() as usize);
            // The place may be that of a body that came later.
            if let Some(motion) = motion.filter(|motion| motion.id == other) {
                motion.wake();
            }
        }
    }
}

/// No point of a geometry is farther from the origin of its body.
fn reach(geometry: &Geometry) -> f64 {
    let farthest = geometry
        .children()
        .iter()
        .map(|child| child.part.bounding_radius() + child.pose.translation().length());
    farthest.fold(0.0, f64::max)
}
