//! Operations on a scene in any order: every step reports the same with the default broad phase and with brute force, and wrong ids are refused.
#![no_main]

use impinge::broad::BruteForce;
use impinge::scene::{Body, BodyId, Scene};
use impinge::{Pose, Shape};

/// Bodies at most, so that a run is quick.
const MOST: usize = 24;

struct Bytes<'a>(&'a [u8]);

impl Bytes<'_> {
    fn next(&mut self) -> Option<u8> {
        let (first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(*first)
    }

    fn size(&mut self) -> Option<f64> {
        let byte = self.next()?;
        Some(f64::from(byte % 16 + 1) * if byte > 250 { 1e12 } else { 0.125 })
    }

    fn pose(&mut self) -> Option<Pose> {
        let mut place = || Some(f64::from(self.next()? as i8) * 0.0625);
        Pose::from_translation([place()?, place()?, place()?]).ok()
    }

    fn shape(&mut self) -> Option<Shape> {
        let kind = self.next()?;
        let (x, y, z) = (self.size()?, self.size()?, self.size()?);
        match kind % 6 {
            0 => Shape::sphere(x),
            1 => Shape::cuboid([x, y, z]),
            2 => Shape::capsule(x, y),
            3 => Shape::cylinder(x, y),
            4 => Shape::half_space([0.0, 0.0, 1.0], -z),
            _ => Shape::triangle([[0.0; 3], [x, 0.0, 0.0], [0.0, y, z]]),
        }
        .ok()
    }
}

/// The same in both scenes, whose ids are alike.
fn both<T: PartialEq + std::fmt::Debug>(
    scenes: &mut [Scene; 2],
    act: impl Fn(&mut Scene) -> T,
) -> T {
    let [one, two] = scenes;
    let (first, second) = (act(one), act(two));
    assert_eq!(first, second);
    first
}

fn run(mut bytes: Bytes<'_>) -> Option<()> {
    let mut scenes = [Scene::default(), Scene::with_broad_phase(Box::new(BruteForce))];
    let mut ids: Vec<BodyId> = Vec::new();
    loop {
        let what = bytes.next()?;
        let chosen = ids.get(what as usize / 8 % ids.len().max(1)).copied();
        match (what % 8, chosen) {
            (0 | 1, _) if scenes[0].len() < MOST => {
                let (shape, pose) = (bytes.shape()?, bytes.pose()?);
                let moves = what % 2 == 0;
                let body = || match moves {
                    true => Body::moving(shape.clone(), pose),
                    false => Body::fixed(shape.clone(), pose),
                };
                let id =
                    both(&mut scenes, |scene| scene.add(body()).map_err(|error| error.to_string()));
                ids.extend(id);
            }
            // Ids of bodies that are gone stay in the list, to be refused.
            (2, Some(id)) => {
                both(&mut scenes, |scene| scene.remove(id).is_ok());
            }
            (3, Some(id)) => {
                let pose = bytes.pose()?;
                both(&mut scenes, |scene| scene.set_pose(id, pose).is_ok());
            }
            (4, Some(id)) => {
                let shape = bytes.shape()?;
                both(&mut scenes, |scene| scene.set_geometry(id, shape.clone()).is_ok());
            }
            (5, Some(id)) => {
                both(&mut scenes, |scene| scene.set_moves(id, what >= 128).is_ok());
            }
            (6, Some(id)) => {
                let other = ids[ids.len() / 2];
                both(&mut scenes, |scene| scene.rules_mut().forbid_bodies(id, other));
            }
            _ => {
                both(&mut scenes, |scene| scene.step().hash());
            }
        }
    }
}

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let _ = run(Bytes(bytes));
});
