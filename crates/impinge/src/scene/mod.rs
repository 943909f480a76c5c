//! Scenes: many bodies, most of which move; which pairs meet, since when, where and how.
//!
//! A [`Scene`] holds bodies, reports on all of them once per [step](Scene::step), and answers queries about some of them at any time. The
//! folders name what happens in a step: `broad` finds pairs of boxes, `mid` applies the rules and takes compounds apart, `narrow` decides
//! and finds contact points, `contact` matches them with those of the step before.
//!
//! ```
//! use impinge::geom::{Shape, Verdict};
//! use impinge::{Pose, scene::{Body, EventKind, Scene}};
//! let mut scene = Scene::default();
//! let floor = scene.add(Body::fixed(Shape::half_space([0.0, 0.0, 1.0], 0.0)?, Pose::IDENTITY))?;
//! let high = Pose::from_translation([0.0, 0.0, 5.0])?;
//! let ball = scene.add(Body::moving(Shape::sphere(1.0)?, high))?;
//! assert!(scene.step().pairs.is_empty());
//! scene.set_pose(ball, Pose::from_translation([0.0, 0.0, 0.75])?)?;
//! let report = scene.step();
//! assert_eq!(report.pairs[0].bodies, [floor, ball]);
//! assert_eq!(report.pairs[0].verdict, Verdict::Penetrating);
//! assert_eq!(report.events[0].kind, EventKind::Begin);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod body;
mod error;
mod graph;
mod hash;
mod outline;
mod query;
mod report;
mod rules;
mod step;

pub use body::{Body, BodyId};
pub use error::SceneError;
pub use graph::{CollisionGroup, Component, ComponentId, Graph};
pub use query::{ClosestHit, Filter, GroupDistance, Overlap, SceneHit};
pub use report::{Event, EventKind, PairReport, StepCounts, StepReport, StepTimes};
pub use rules::Rules;

pub(crate) use hash::Hasher;

use crate::broad::{BroadPhase, DynamicTree, ObjectVolume, Outline, PairList, Proxies};
use crate::contact::ContactCache;
use crate::mid::PartPairs;
use crate::narrow::Narrow;
use crate::query::Geometry;
use impinge_geom::glam::DVec3;
use impinge_geom::{DAabb, Pose};

/// What a step computes besides verdicts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SceneSettings {
    /// The distance or depth of every pair, with points and features. Depths of meshes are estimated from their contacts.
    pub distances: bool,
    /// Contact manifolds.
    pub contacts: bool,
    /// The largest number of pairs of bodies to examine per step; the report says if there were more.
    pub pair_limit: Option<usize>,
    /// Tries the [cached separating axis](crate::mesh::SeparatingAxisCache) first for pairs of meshes that did not meet in the step before. Makes near misses
    /// faster and changes no answer. The [table](crate::Mesh::support_table) of a mesh is built at the end of a step once it has been missed some
    /// hundreds of times.
    pub support_tables: bool,
}

impl Default for SceneSettings {
    /// Verdicts alone, no limit, and support tables.
    fn default() -> Self {
        Self { distances: false, contacts: false, pair_limit: None, support_tables: true }
    }
}

/// Bodies in the world, and what is cached about them from step to step.
///
/// Queries between steps do not change it. Memory is kept: a step allocates only when there is more than ever before, where
/// meshes meet, and where it builds a support table.
pub struct Scene {
    slots: Vec<Slot>,
    proxies: Proxies,
    broad: Box<dyn BroadPhase>,
    pairs: PairList,
    rules: Rules,
    settings: SceneSettings,
    /// What bounds a body in the broad phase.
    volume: ObjectVolume,
    /// The boxes are in f32 as seen from here: the place of the first body.
    origin: Option<DVec3>,
    /// Everything that has an end was always inside.
    bounds: DAabb,
    /// The rules, and the settings, that boxes and remembered answers were made with.
    seen: (u64, SceneSettings),
    count: usize,
    part_pairs: PartPairs,
    narrow: Narrow,
    contact_cache: ContactCache,
    report: StepReport,
}

/// A place for a body.
pub(crate) struct Slot {
    pub(crate) generation: u32,
    pub(crate) body: Option<Body>,
    /// Of the geometry, if the bounding volume needs it and the geometry is bounded.
    pub(crate) outline: Option<Outline>,
}

impl Slot {
    /// The box of the body in the broad phase.
    fn bounds(&self, body: &Body) -> DAabb {
        match &self.outline {
            Some(outline) => outline.cube(&body.pose),
            None => body.bounds(),
        }
    }
}

/// 2^200: nothing reaches farther, so that relative coordinates stay within what the kernel accepts.
const FARTHEST: f64 = f64::from_bits((1023 + 200) << 52);

impl Default for Scene {
    /// An empty scene whose pairs are found by a [`DynamicTree`]: good at all sizes, at rest and in motion.
    fn default() -> Self {
        Self::with_broad_phase(Box::new(DynamicTree::default()))
    }
}

impl Scene {
    /// Creates an empty scene with the given broad phase.
    ///
    /// ```
    /// use impinge::{broad::BruteForce, scene::Scene};
    /// let scene = Scene::with_broad_phase(Box::new(BruteForce));
    /// assert!(scene.is_empty());
    /// ```
    pub fn with_broad_phase(broad: Box<dyn BroadPhase>) -> Self {
        Self {
            slots: Vec::new(),
            proxies: Proxies::default(),
            broad,
            pairs: PairList::default(),
            rules: Rules::default(),
            settings: SceneSettings::default(),
            volume: ObjectVolume::default(),
            origin: None,
            bounds: DAabb::EMPTY,
            seen: (0, SceneSettings::default()),
            count: 0,
            part_pairs: PartPairs::default(),
            narrow: Narrow::default(),
            contact_cache: ContactCache::default(),
            report: StepReport::default(),
        }
    }

    /// Adds a body.
    pub fn add(&mut self, mut body: Body) -> Result<BodyId, SceneError> {
        body.geometry = body.geometry.unscaled()?;
        let bounds = checked_bounds(&body.geometry, &body.pose)?;
        let origin = *self.origin.get_or_insert(body.pose.translation());
        self.bounds = self.bounds.joined(&finite_part(&bounds));
        // The index of the proxy is that of the body; its box takes the margins into account below.
        let index = self.proxies.insert(bounds.to_f32(origin), body.moves);
        if self.slots.len() <= index as usize {
            self.slots.resize_with(index as usize + 1, || Slot {
                generation: 0,
                body: None,
                outline: None,
            });
        }
        let slot = &mut self.slots[index as usize];
        let id = BodyId { index, generation: slot.generation };
        slot.outline = outline::of_geometry(&body.geometry, self.volume);
        slot.body = Some(body);
        self.count += 1;
        self.update_box(id)?;
        Ok(id)
    }

    /// Removes and returns a body. The next step reports the end of its contacts.
    ///
    /// ```
    /// use impinge::{Pose, geom::Shape, scene::{Body, Scene, SceneError}};
    /// let mut scene = Scene::default();
    /// let ball = scene.add(Body::moving(Shape::sphere(1.0)?, Pose::IDENTITY))?;
    /// assert!(scene.remove(ball)?.moves);
    /// assert_eq!(scene.set_pose(ball, Pose::IDENTITY), Err(SceneError::Removed(ball)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn remove(&mut self, id: BodyId) -> Result<Body, SceneError> {
        self.body(id)?;
        self.proxies.remove(id.index);
        self.rules.forget(id);
        self.count -= 1;
        let slot = &mut self.slots[id.index as usize];
        slot.generation = slot.generation.wrapping_add(1);
        slot.body.take().ok_or(SceneError::Removed(id))
    }

    /// The body with an id.
    pub fn body(&self, id: BodyId) -> Result<&Body, SceneError> {
        let slot = self.slots.get(id.index as usize).ok_or(SceneError::Unknown(id))?;
        match &slot.body {
            Some(body) if slot.generation == id.generation => Ok(body),
            // An id of the future was not given by this scene.
            _ if id.generation > slot.generation => Err(SceneError::Unknown(id)),
            _ => Err(SceneError::Removed(id)),
        }
    }

    fn body_mut(&mut self, id: BodyId) -> Result<&mut Body, SceneError> {
        self.body(id)?;
        let slot = self.slots.get_mut(id.index as usize);
        slot.and_then(|slot| slot.body.as_mut()).ok_or(SceneError::Removed(id))
    }

    /// Moves a body to another pose.
    pub fn set_pose(&mut self, id: BodyId, pose: Pose) -> Result<(), SceneError> {
        let body = self.body(id)?;
        let slot = self.slots.get(id.index as usize);
        let bounds = match slot.and_then(|slot| slot.outline.as_ref()) {
            Some(outline) => {
                checked_reach(&body.geometry, &pose)?;
                outline.cube(&pose)
            }
            None => checked_bounds(&body.geometry, &pose)?,
        };
        self.body_mut(id)?.pose = pose;
        self.set_box(id, &bounds)
    }

    /// Replaces the geometry of a body.
    pub fn set_geometry(
        &mut self,
        id: BodyId,
        geometry: impl Into<Geometry>,
    ) -> Result<(), SceneError> {
        let geometry = geometry.into().unscaled()?;
        checked_reach(&geometry, &self.body(id)?.pose)?;
        let outline = outline::of_geometry(&geometry, self.volume);
        self.body_mut(id)?.geometry = geometry;
        self.slots[id.index as usize].outline = outline;
        self.update_box(id)
    }

    /// Makes a body moving or fixed.
    pub fn set_moves(&mut self, id: BodyId, moves: bool) -> Result<(), SceneError> {
        let body = self.body_mut(id)?;
        if body.moves != moves {
            body.moves = moves;
            let old = *self.proxies.extent(id.index);
            self.proxies.remove(id.index);
            // The index that was given back last is the next to be given.
            self.proxies.insert(old, moves);
        }
        Ok(())
    }

    /// Sets the groups, the mask and the key of a body.
    pub fn set_filter(
        &mut self,
        id: BodyId,
        groups: u32,
        mask: u32,
        key: u32,
    ) -> Result<(), SceneError> {
        let body = self.body_mut(id)?;
        (body.groups, body.mask, body.key) = (groups, mask, key);
        self.update_box(id)
    }

    /// True if the rules let two bodies collide.
    pub(crate) fn may_collide(&self, a: (&Body, BodyId), b: (&Body, BodyId)) -> bool {
        self.rules.margin(a, b).is_some()
    }

    /// All bodies, by index.
    pub fn bodies(&self) -> impl Iterator<Item = (BodyId, &Body)> {
        bodies(&self.slots)
    }

    /// Number of bodies.
    pub fn len(&self) -> usize {
        self.count
    }

    /// True if there are no bodies.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The collision rules: exempt pairs and margins.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The collision rules, to change them; changes apply from the next step on.
    pub fn rules_mut(&mut self) -> &mut Rules {
        &mut self.rules
    }

    /// What a step computes.
    pub fn settings(&self) -> SceneSettings {
        self.settings
    }

    /// Sets what a step computes.
    pub fn set_settings(&mut self, settings: SceneSettings) {
        self.settings = settings;
    }

    /// Chooses the volume that represents bodies in the broad phase; reports stay the same. A rotation-invariant cube is not recomputed when a body
    /// rotates; a sphere or an apex map tests pairs of such cubes again, where no margin is set.
    ///
    /// ```
    /// use impinge::{broad::ObjectVolume, scene::Scene};
    /// let mut scene = Scene::default();
    /// scene.set_object_volume(ObjectVolume::ApexMap);
    /// assert_eq!(scene.object_volume(), ObjectVolume::ApexMap);
    /// ```
    pub fn set_object_volume(&mut self, volume: ObjectVolume) {
        self.volume = volume;
        for slot in &mut self.slots {
            slot.outline =
                slot.body.as_ref().and_then(|body| outline::of_geometry(&body.geometry, volume));
        }
        self.renew_boxes();
    }

    /// The volume that represents bodies in the broad phase.
    pub fn object_volume(&self) -> ObjectVolume {
        self.volume
    }

    /// Gives all bodies their boxes anew.
    fn renew_boxes(&mut self) {
        let origin = self.origin.unwrap_or_default();
        for (index, slot) in (0..).zip(&self.slots) {
            let Some(body) = &slot.body else { continue };
            let id = BodyId { index, generation: slot.generation };
            let bounds = slot.bounds(body).grown(self.rules.reach(body, id));
            self.proxies.set(index, bounds.to_f32(origin));
        }
    }

    /// Updates the broad phase after bodies were added, moved or removed, without a step. Queries see every change anyway; after many changes
    /// they are faster with it.
    pub fn refit(&mut self) {
        self.broad.refit(&self.proxies);
    }

    /// The report of the last step.
    pub fn report(&self) -> &StepReport {
        &self.report
    }

    /// Replaces the broad phase.
    pub fn set_broad_phase(&mut self, broad: Box<dyn BroadPhase>) {
        self.broad = broad;
        self.broad.reset();
    }

    /// The broad phase.
    pub fn broad_phase(&self) -> &dyn BroadPhase {
        &*self.broad
    }

    /// Tells the broad phase where a body is.
    fn set_box(&mut self, id: BodyId, bounds: &DAabb) -> Result<(), SceneError> {
        self.bounds = self.bounds.joined(&finite_part(bounds));
        let reach = self.rules.reach(self.body(id)?, id);
        let origin = self.origin.unwrap_or_default();
        self.proxies.set(id.index, bounds.grown(reach).to_f32(origin));
        Ok(())
    }

    fn update_box(&mut self, id: BodyId) -> Result<(), SceneError> {
        let body = self.body(id)?;
        let slot = self.slots.get(id.index as usize);
        let bounds = slot.map_or_else(|| body.bounds(), |slot| slot.bounds(body));
        self.set_box(id, &bounds)
    }
}

/// The bodies that are there, with their ids.
fn bodies(slots: &[Slot]) -> impl Iterator<Item = (BodyId, &Body)> {
    (0..).zip(slots).filter_map(|(index, slot)| {
        let id = BodyId { index, generation: slot.generation };
        slot.body.as_ref().map(|body| (id, body))
    })
}

/// The box of a geometry in its place, if it is not too far away.
fn checked_bounds(geometry: &Geometry, pose: &Pose) -> Result<DAabb, SceneError> {
    checked_reach(geometry, pose)?;
    Ok(geometry.bounds(pose))
}

/// Refuses what is too far away.
fn checked_reach(geometry: &Geometry, pose: &Pose) -> Result<(), SceneError> {
    let mut reach = pose.translation().abs().max_element();
    for child in geometry.children() {
        let own = child.part.bounding_radius();
        let own = if own.is_finite() { own } else { 0.0 };
        reach = reach.max(own).max(child.pose.translation().abs().max_element());
    }
    if reach <= FARTHEST { Ok(()) } else { Err(SceneError::TooFar { reach }) }
}

/// The box without its infinite sides.
fn finite_part(bounds: &DAabb) -> DAabb {
    let low = bounds.low.to_array().map(|x| if x.is_finite() { x } else { f64::INFINITY });
    let high = bounds.high.to_array().map(|x| if x.is_finite() { x } else { f64::NEG_INFINITY });
    DAabb { low: low.into(), high: high.into() }
}
