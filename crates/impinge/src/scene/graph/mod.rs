//! Scene graphs: components with parents, in two groups that are tested against each other.
//!
//! A component has a pose in the frame of its parent, and optionally a geometry. Moving a parent moves all descendants; scales
//! multiply. Two collision groups are tested against each other: a crane and all its parts against the buildings, a robot against its cell.

mod component;

pub use component::{CollisionGroup, Component, ComponentId};

use super::{Body, BodyId, Scene, SceneError, StepReport, checked_bounds};
use crate::query::Geometry;
use impinge_geom::Pose;
use std::collections::HashMap;

/// Trees of components, and the scene of their geometries.
///
/// ```
/// use impinge::{Pose, geom::Shape, scene::{Component, Graph, CollisionGroup}};
/// let mut graph = Graph::default();
/// let wall = Component::fixed(Shape::cuboid([0.1, 5.0, 5.0])?).of(CollisionGroup::B);
/// graph.add(None, wall.at(Pose::from_translation([4.0, 0.0, 0.0])?))?;
/// let arm = graph.add(None, Component::moving(Shape::capsule(0.1, 1.0)?).of(CollisionGroup::A))?;
/// let hand = Component::moving(Shape::sphere(0.5)?).at(Pose::from_translation([1.0, 0.0, 1.0])?);
/// let hand = graph.add(Some(arm), hand)?;
/// // Arm and hand overlap, but they are of one party.
/// assert!(graph.step().pairs.is_empty());
/// graph.set_transform(arm, Pose::from_translation([2.5, 0.0, 0.0])?, 1.0)?;
/// let bodies = graph.step().pairs[0].bodies;
/// assert_eq!(graph.component_of(bodies[1]), Some(hand));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Default)]
pub struct Graph {
    scene: Scene,
    nodes: Vec<Node>,
    free: Vec<u32>,
    owners: HashMap<BodyId, ComponentId>,
}

/// A place for a component.
#[derive(Default)]
struct Node {
    generation: u32,
    living: Option<Living>,
}

/// A component in its place.
struct Living {
    component: Component,
    parent: Option<u32>,
    children: Vec<u32>,
    /// Where its frame is in the world, and how much larger.
    place: (Pose, f64),
    party: Option<CollisionGroup>,
    moves: bool,
    body: Option<BodyId>,
}

/// A component and where it will be, with its geometry if that has another size there.
struct Change {
    index: u32,
    place: (Pose, f64),
    geometry: Option<Geometry>,
}

impl Graph {
    /// The scene of all geometries.
    pub fn scene(&self) -> &Scene {
        &self.scene
    }

    /// The scene, for its rules, settings and broad phase. Change the bodies of components through the components.
    pub fn scene_mut(&mut self) -> &mut Scene {
        &mut self.scene
    }

    /// Adds a component, at the top or under another one. Without a group of its own it inherits its parent's; under a moving parent it moves.
    pub fn add(
        &mut self,
        parent: Option<ComponentId>,
        component: Component,
    ) -> Result<ComponentId, SceneError> {
        let (mut place, mut party, mut moves) = ((Pose::IDENTITY, 1.0), None, false);
        if let Some(parent) = parent {
            let above = self.living(parent)?;
            (place, party, moves) = (above.place, above.party, above.moves);
        }
        let place = component.placed(place)?;
        let (party, moves) = (component.party.or(party), moves || component.moves);
        let mut body = None;
        if let Some(geometry) = &component.geometry {
            let (groups, mask) = CollisionGroup::groups(party);
            let scaled =
                if place.1 == 1.0 { geometry.clone() } else { geometry.scaled(place.1)? };
            let new = Body { moves, ..Body::moving(scaled, place.0) };
            let new = new.with_groups(groups).with_mask(mask).with_key(component.key);
            body = Some(self.scene.add(new)?);
        }
        let index = self.free.pop().unwrap_or(self.nodes.len() as u32);
        if self.nodes.len() <= index as usize {
            self.nodes.push(Node::default());
        }
        let node = &mut self.nodes[index as usize];
        let id = ComponentId { index, generation: node.generation };
        let parent = parent.map(|parent| parent.index);
        let children = Vec::new();
        node.living = Some(Living { component, parent, children, place, party, moves, body });
        if let Some(above) = parent.and_then(|parent| self.living_at(parent)) {
            above.children.push(index);
        }
        self.owners.extend(body.map(|body| (body, id)));
        Ok(id)
    }

    /// Removes a component and all descendants.
    pub fn remove(&mut self, id: ComponentId) -> Result<(), SceneError> {
        let parent = self.living(id)?.parent;
        if let Some(above) = parent.and_then(|parent| self.living_at(parent)) {
            above.children.retain(|child| *child != id.index);
        }
        let mut open = vec![id.index];
        while let Some(index) = open.pop() {
            let Some(node) = self.nodes.get_mut(index as usize) else { continue };
            node.generation = node.generation.wrapping_add(1);
            let Some(gone) = node.living.take() else { continue };
            self.free.push(index);
            open.extend(gone.children);
            if let Some(body) = gone.body {
                self.owners.remove(&body);
                // It may have been removed from the scene itself.
                let _ = self.scene.remove(body);
            }
        }
        Ok(())
    }

    /// Moves a component, and all descendants, in the frame of its parent.
    ///
    /// Changing the scale rebuilds meshes and hulls; changing the pose does not.
    pub fn set_transform(
        &mut self,
        id: ComponentId,
        pose: Pose,
        scale: f64,
    ) -> Result<(), SceneError> {
        let own = self.living(id)?;
        let above = own.parent.and_then(|parent| self.nodes.get(parent as usize));
        let above = above.and_then(|node| node.living.as_ref());
        let above = above.map_or((Pose::IDENTITY, 1.0), |above| above.place);
        let moved = Component { pose, scale, ..own.component.clone() };
        let changes = self.changes(id.index, moved.placed(above)?)?;
        if let Some(living) = self.living_at(id.index) {
            living.component = moved;
        }
        for Change { index, place, geometry } in changes {
            let Some(living) = self.living_at(index) else { continue };
            living.place = place;
            let Some(body) = living.body else { continue };
            if let Some(geometry) = geometry {
                self.scene.set_geometry(body, geometry)?;
            }
            self.scene.set_pose(body, place.0)?;
        }
        Ok(())
    }

    /// What a component and all below it become if it is placed there; an error if that cannot be, before anything is changed.
    fn changes(&self, index: u32, place: (Pose, f64)) -> Result<Vec<Change>, SceneError> {
        let (mut changes, mut open) = (Vec::new(), vec![(index, place)]);
        while let Some((index, place)) = open.pop() {
            let node = self.nodes.get(index as usize);
            let Some(living) = node.and_then(|node| node.living.as_ref()) else { continue };
            let mut geometry = None;
            if let Some(own) = &living.component.geometry {
                if place.1 != living.place.1 {
                    geometry = Some(own.scaled(place.1)?);
                }
                let old = living.body.map(|body| self.scene.body(body)).transpose()?;
                if let Some(shown) = geometry.as_ref().or(old.map(|old| &old.geometry)) {
                    checked_bounds(shown, &place.0)?;
                }
            }
            for &child in &living.children {
                let below = self.nodes.get(child as usize).and_then(|node| node.living.as_ref());
                if let Some(below) = below {
                    open.push((child, below.component.placed(place)?));
                }
            }
            changes.push(Change { index, place, geometry });
        }
        Ok(changes)
    }

    /// The world pose and scale of a component's frame.
    pub fn place(&self, id: ComponentId) -> Result<(Pose, f64), SceneError> {
        self.living(id).map(|living| living.place)
    }

    /// The body of a component, if it has a geometry.
    pub fn body_of(&self, id: ComponentId) -> Result<Option<BodyId>, SceneError> {
        self.living(id).map(|living| living.body)
    }

    /// The component of a body, as in reports.
    pub fn component_of(&self, body: BodyId) -> Option<ComponentId> {
        self.owners.get(&body).copied()
    }

    /// Tests one group against the other.
    pub fn step(&mut self) -> &StepReport {
        self.scene.step()
    }

    fn living(&self, id: ComponentId) -> Result<&Living, SceneError> {
        let node = self.nodes.get(id.index as usize);
        let node = node.filter(|node| node.generation == id.generation);
        let missing = SceneError::NoComponent { index: id.index };
        node.and_then(|node| node.living.as_ref()).ok_or(missing)
    }

    fn living_at(&mut self, index: u32) -> Option<&mut Living> {
        self.nodes.get_mut(index as usize)?.living.as_mut()
    }
}
