//! Many bodies, most of which move: who meets whom, since when, where and how.
//!
//! A [`Scene`] holds bodies and answers once per [step](Scene::step) for all of them, or at any time a question about
//! some of them. What happens in a step is named by the folders: `broad` finds pairs of boxes, `mid` applies the rules and takes compounds
//! apart, `narrow` decides, `contact` makes manifolds whose points keep their ids.
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
mod bounds;
mod collider;
mod error;
mod graph;
mod hash;
mod outline;
mod query;
mod report;
mod rules;
mod scaled;
mod step;

pub use body::{Body, BodyId};
pub use collider::{Child, Collider, MeshPart, Part};
pub use error::SceneError;
pub use graph::{Component, ComponentId, Graph, Party};
pub use query::{ClosestHit, Filter, GroupDistance, Overlap, QueryScratch, SceneHit};
pub use report::{
    Counts, Event, EventKind, PairDistance, PairReport, PartFeature, StepReport, Times,
};
pub use rules::Rules;

pub(crate) use bounds::WorldBox;
pub(crate) use hash::Hasher;

use crate::broad::{BroadPhase, DynamicTree, Extent, ObjectVolume, Outline, Pairs, Proxies};
use crate::contact::Memory;
use crate::mid::Jobs;
use crate::narrow::Narrow;
use impinge_geom::Pose;
use impinge_geom::glam::DVec3;

/// What a step is asked for beside verdicts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// The distance or depth of every pair, with points and features. Depths of meshes are estimated from their contacts.
    pub distances: bool,
    /// Contact manifolds.
    pub contacts: bool,
    /// At most so many pairs of bodies are looked at in a step; the report tells when there were more.
    pub pair_limit: Option<usize>,
    /// Pairs of meshes that did not meet in the step before are first looked at [at a glance](crate::mesh::Parted), which makes near misses faster
    /// and changes no answer. After some hundreds of such looks a step waits for the [table](crate::Mesh::support_table) of a mesh.
    pub support_tables: bool,
}

impl Default for Settings {
    /// Verdicts alone, no limit, and support tables.
    fn default() -> Self {
        Self { distances: false, contacts: false, pair_limit: None, support_tables: true }
    }
}

/// Bodies in the world, and what is remembered of them from step to step.
///
/// Queries between steps do not change it. All memory is kept: a step allocates only when there is more than ever before, or where
/// meshes meet.
pub struct Scene {
    slots: Vec<Slot>,
    proxies: Proxies,
    broad: Box<dyn BroadPhase>,
    pairs: Pairs,
    rules: Rules,
    settings: Settings,
    /// What stands for a body in the broad phase.
    volume: ObjectVolume,
    /// The boxes are in f32 as seen from here: the place of the first body.
    origin: Option<DVec3>,
    /// Everything that has an end was always inside.
    bounds: WorldBox,
    /// The rules, and the settings, that boxes and remembered answers were made with.
    seen: (u64, Settings),
    count: usize,
    jobs: Jobs,
    narrow: Narrow,
    memory: Memory,
    report: StepReport,
}

/// A place for a body.
pub(crate) struct Slot {
    pub(crate) generation: u32,
    pub(crate) body: Option<Body>,
    /// Of the collider, if the volume that stands for bodies asks for it and the collider has an end.
    pub(crate) outline: Option<Outline>,
}

impl Slot {
    /// The box that stands for the body.
    fn bounds(&self, body: &Body) -> WorldBox {
        match &self.outline {
            Some(outline) => {
                let [low, high] = outline.cube(&body.pose);
                WorldBox { low, high }
            }
            None => WorldBox::of_body(body),
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
    /// An empty scene with a broad phase of the caller's choice.
    ///
    /// ```
    /// use impinge::{broad::Chooser, scene::Scene};
    /// let scene = Scene::with_broad_phase(Box::new(Chooser::default()));
    /// assert!(scene.is_empty());
    /// ```
    pub fn with_broad_phase(broad: Box<dyn BroadPhase>) -> Self {
        Self {
            slots: Vec::new(),
            proxies: Proxies::default(),
            broad,
            pairs: Pairs::default(),
            rules: Rules::default(),
            settings: Settings::default(),
            volume: ObjectVolume::default(),
            origin: None,
            bounds: WorldBox::NOTHING,
            seen: (0, Settings::default()),
            count: 0,
            jobs: Jobs::default(),
            narrow: Narrow::default(),
            memory: Memory::default(),
            report: StepReport::default(),
        }
    }

    /// Adds a body.
    pub fn add(&mut self, body: Body) -> Result<BodyId, SceneError> {
        let bounds = checked_bounds(&body.collider, &body.pose)?;
        let origin = *self.origin.get_or_insert(body.pose.translation());
        self.bounds = self.bounds.joined(&finite_part(&bounds));
        // The index of the proxy is that of the body; its box takes the margins into account below.
        let index = self.proxies.insert(extent(&bounds, origin), body.moves);
        if self.slots.len() <= index as usize {
            self.slots.resize_with(index as usize + 1, || Slot {
                generation: 0,
                body: None,
                outline: None,
            });
        }
        let slot = &mut self.slots[index as usize];
        let id = BodyId { index, generation: slot.generation };
        slot.outline = outline::of_collider(&body.collider, self.volume);
        slot.body = Some(body);
        self.count += 1;
        self.update_box(id)?;
        Ok(id)
    }

    /// Removes a body, and gives it back. The next step tells the end of what it met.
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

    /// Puts a body somewhere else.
    pub fn set_pose(&mut self, id: BodyId, pose: Pose) -> Result<(), SceneError> {
        let body = self.body(id)?;
        let slot = self.slots.get(id.index as usize);
        let bounds = match slot.and_then(|slot| slot.outline.as_ref()) {
            Some(outline) => {
                checked_reach(&body.collider, &pose)?;
                let [low, high] = outline.cube(&pose);
                WorldBox { low, high }
            }
            None => checked_bounds(&body.collider, &pose)?,
        };
        self.body_mut(id)?.pose = pose;
        self.set_box(id, &bounds)
    }

    /// Makes a body of something else.
    pub fn set_collider(
        &mut self,
        id: BodyId,
        collider: impl Into<Collider>,
    ) -> Result<(), SceneError> {
        let collider = collider.into();
        checked_reach(&collider, &self.body(id)?.pose)?;
        let outline = outline::of_collider(&collider, self.volume);
        self.body_mut(id)?.collider = collider;
        self.slots[id.index as usize].outline = outline;
        self.update_box(id)
    }

    /// Lets a body move, or not.
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

    /// Changes the groups of a body, the groups that it is tested with, and its key.
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

    /// All bodies, by index.
    pub fn bodies(&self) -> impl Iterator<Item = (BodyId, &Body)> {
        bodies(&self.slots)
    }

    /// How many bodies there are.
    pub fn len(&self) -> usize {
        self.count
    }

    /// True if there is no body.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Who is tested with whom, and from which distance on it is told.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// To change them: that counts from the next step on.
    pub fn rules_mut(&mut self) -> &mut Rules {
        &mut self.rules
    }

    /// What a step is asked for.
    pub fn settings(&self) -> Settings {
        self.settings
    }

    /// Changes what a step is asked for.
    pub fn set_settings(&mut self, settings: Settings) {
        self.settings = settings;
    }

    /// Lets another volume stand for bodies in the broad phase; what steps find is the same. A fixed cube is not computed anew when a body
    /// turns; a sphere or an apex map takes a second look at pairs of such cubes, where no margin is asked.
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
                slot.body.as_ref().and_then(|body| outline::of_collider(&body.collider, volume));
        }
        self.renew_boxes();
    }

    /// What stands for a body in the broad phase.
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
            self.proxies.set(index, extent(&bounds, origin));
        }
    }

    /// What the last step found.
    pub fn report(&self) -> &StepReport {
        &self.report
    }

    /// Finds pairs of boxes in another way from now on.
    pub fn set_broad_phase(&mut self, broad: Box<dyn BroadPhase>) {
        self.broad = broad;
        self.broad.reset();
    }

    /// How pairs of boxes are found.
    pub fn broad_phase(&self) -> &dyn BroadPhase {
        &*self.broad
    }

    /// Tells the broad phase where a body is.
    fn set_box(&mut self, id: BodyId, bounds: &WorldBox) -> Result<(), SceneError> {
        self.bounds = self.bounds.joined(&finite_part(bounds));
        let reach = self.rules.reach(self.body(id)?, id);
        let origin = self.origin.unwrap_or_default();
        self.proxies.set(id.index, extent(&bounds.grown(reach), origin));
        Ok(())
    }

    fn update_box(&mut self, id: BodyId) -> Result<(), SceneError> {
        let body = self.body(id)?;
        let slot = self.slots.get(id.index as usize);
        let bounds = slot.map_or_else(|| WorldBox::of_body(body), |slot| slot.bounds(body));
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

/// The box of a collider in its place, if it is not too far away.
fn checked_bounds(collider: &Collider, pose: &Pose) -> Result<WorldBox, SceneError> {
    checked_reach(collider, pose)?;
    Ok(WorldBox::of_collider(collider, pose))
}

/// Refuses what is too far away.
fn checked_reach(collider: &Collider, pose: &Pose) -> Result<(), SceneError> {
    let mut reach = pose.translation().abs().max_element();
    for child in collider.children() {
        let own = child.part.reach();
        let own = if own.is_finite() { own } else { 0.0 };
        reach = reach.max(own).max(child.pose.translation().abs().max_element());
    }
    if reach <= FARTHEST { Ok(()) } else { Err(SceneError::TooFar { reach }) }
}

/// The box without its infinite sides.
fn finite_part(bounds: &WorldBox) -> WorldBox {
    let low = bounds.low.to_array().map(|x| if x.is_finite() { x } else { f64::INFINITY });
    let high = bounds.high.to_array().map(|x| if x.is_finite() { x } else { f64::NEG_INFINITY });
    WorldBox { low: low.into(), high: high.into() }
}

/// The box as the broad phase takes it. It is refused only where it is not a number; everywhere is a safe answer then.
pub(crate) fn extent(bounds: &WorldBox, origin: DVec3) -> Extent {
    Extent::outward(bounds.low, bounds.high, origin).unwrap_or(Extent::EVERYTHING)
}
