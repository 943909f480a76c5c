//! Collision rules: which pairs are exempt, and from which distance on pairs are reported.

use super::{Body, BodyId, SceneError};
use std::collections::{HashMap, HashSet};

/// Exempt pairs and margins. Pairs are given by the [keys](Body::key) of the bodies or by their ids; a rule for two ids takes precedence over one for
/// their keys, and that over the default.
///
/// ```
/// use impinge::scene::Rules;
/// let mut rules = Rules::default();
/// rules.allow_keys(1, 2);
/// rules.set_default_margin(0.01)?;
/// rules.set_key_margin(2, 3, 0.5)?;
/// assert!(rules.is_allowed(2, 1) && !rules.is_allowed(1, 1));
/// assert_eq!((rules.key_margin(3, 2), rules.key_margin(0, 0)), (0.5, 0.01));
/// # Ok::<(), impinge::scene::SceneError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Rules {
    default_margin: f64,
    allowed_keys: HashSet<[u32; 2]>,
    allowed_bodies: HashSet<[BodyId; 2]>,
    key_margins: HashMap<[u32; 2], f64>,
    body_margins: HashMap<[BodyId; 2], f64>,
    /// Half the largest margin that a key or a body takes part in.
    key_reach: HashMap<u32, f64>,
    body_reach: HashMap<BodyId, f64>,
    /// Counts changes.
    version: u64,
}

fn ordered<T: Ord>(a: T, b: T) -> [T; 2] {
    if a <= b { [a, b] } else { [b, a] }
}

fn checked(margin: f64) -> Result<f64, SceneError> {
    if margin.is_finite() && margin >= 0.0 { Ok(margin) } else { Err(SceneError::Margin(margin)) }
}

impl Rules {
    /// Exempts bodies with these two keys: they may overlap and are not tested.
    pub fn allow_keys(&mut self, a: u32, b: u32) {
        self.allowed_keys.insert(ordered(a, b));
        self.version += 1;
    }

    /// Tests bodies with these two keys again.
    pub fn forbid_keys(&mut self, a: u32, b: u32) {
        self.allowed_keys.remove(&ordered(a, b));
        self.version += 1;
    }

    /// Exempts these two bodies: they may overlap and are not tested.
    pub fn allow_bodies(&mut self, a: BodyId, b: BodyId) {
        self.allowed_bodies.insert(ordered(a, b));
        self.version += 1;
    }

    /// Tests these two bodies again.
    pub fn forbid_bodies(&mut self, a: BodyId, b: BodyId) {
        self.allowed_bodies.remove(&ordered(a, b));
        self.version += 1;
    }

    /// True if bodies with these two keys are exempt.
    pub fn is_allowed(&self, a: u32, b: u32) -> bool {
        self.allowed_keys.contains(&ordered(a, b))
    }

    /// Sets the distance from which pairs without a margin of their own are reported; initially zero.
    pub fn set_default_margin(&mut self, margin: f64) -> Result<(), SceneError> {
        self.default_margin = checked(margin)?;
        self.version += 1;
        Ok(())
    }

    /// Sets the distance from which bodies with these two keys are reported.
    pub fn set_key_margin(&mut self, a: u32, b: u32, margin: f64) -> Result<(), SceneError> {
        self.key_margins.insert(ordered(a, b), checked(margin)?);
        widen(&mut self.key_reach, [a, b], margin);
        self.version += 1;
        Ok(())
    }

    /// Sets the distance from which these two bodies are reported.
    pub fn set_body_margin(&mut self, a: BodyId, b: BodyId, margin: f64) -> Result<(), SceneError> {
        self.body_margins.insert(ordered(a, b), checked(margin)?);
        widen(&mut self.body_reach, [a, b], margin);
        self.version += 1;
        Ok(())
    }

    /// The margin of bodies with these two keys.
    pub fn key_margin(&self, a: u32, b: u32) -> f64 {
        self.key_margins.get(&ordered(a, b)).copied().unwrap_or(self.default_margin)
    }

    /// The margin of two bodies; none if they are not tested.
    pub(crate) fn margin(
        &self,
        (a, id_a): (&Body, BodyId),
        (b, id_b): (&Body, BodyId),
    ) -> Option<f64> {
        let ids = ordered(id_a, id_b);
        let allowed = !a.admits(b)
            || (!self.allowed_keys.is_empty() && self.is_allowed(a.key, b.key))
            || (!self.allowed_bodies.is_empty() && self.allowed_bodies.contains(&ids));
        if allowed {
            return None;
        }
        let own = if self.body_margins.is_empty() { None } else { self.body_margins.get(&ids) };
        Some(match own {
            Some(margin) => *margin,
            None if self.key_margins.is_empty() => self.default_margin,
            None => self.key_margin(a.key, b.key),
        })
    }

    /// By how much a body's box is to be grown so that boxes of bodies within their margin overlap: half the largest margin.
    pub(crate) fn reach(&self, body: &Body, id: BodyId) -> f64 {
        let of_key = self.key_reach.get(&body.key).copied().unwrap_or_default();
        let of_body = self.body_reach.get(&id).copied().unwrap_or_default();
        (0.5 * self.default_margin).max(of_key).max(of_body)
    }

    /// Forgets what was said of a body that is no more.
    pub(crate) fn forget(&mut self, id: BodyId) {
        if !self.allowed_bodies.is_empty() {
            self.allowed_bodies.retain(|ids| !ids.contains(&id));
        }
        if self.body_reach.remove(&id).is_some() {
            self.body_margins.retain(|ids, _| !ids.contains(&id));
        }
    }

    /// Another number after every change.
    pub(crate) fn version(&self) -> u64 {
        self.version
    }
}

/// Notes half a margin. What was noted before stays if it is larger: boxes may be too large, never too small.
fn widen<T: Eq + std::hash::Hash>(reach: &mut HashMap<T, f64>, names: [T; 2], margin: f64) {
    for name in names {
        let most = reach.entry(name).or_default();
        *most = most.max(0.5 * margin);
    }
}
