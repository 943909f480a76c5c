//! A mesh against a copy of itself: where they meet, where they just do not, and where they are far apart.

use crate::random::Random;
use impinge::geom::Pose;
use impinge::geom::bound::Obb;
use impinge::geom::glam::DVec3;
use impinge::mesh::{self, Mesh, ScaledPose, Scratch};

/// What the placements are called.
pub const SITUATIONS: [&str; 3] = ["hit", "near miss", "far miss"];
/// The widest gap of a near miss, in radii of the body.
const NEAR: f64 = 0.01;
/// How much farther a far miss is, in radii.
const FAR: f64 = 0.5;
/// How far a hit is pushed in at a time, in radii.
const PUSH: f64 = 0.05;

/// Placements for each of [`SITUATIONS`], the same number of each and at most `count`: the copy is turned at random and comes from a
/// random side until it is near.
pub fn placements(mesh: &Mesh<Obb>, count: usize, seed: u64) -> [Vec<ScaledPose>; 3] {
    let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    for vertex in mesh.vertices() {
        (low, high) = (low.min(*vertex), high.max(*vertex));
    }
    let (center, radius) = ((low + high) * 0.5, (high - low).length() * 0.5);
    let mut random = Random::new(seed);
    let mut scratch = Scratch::default();
    let mut places: [Vec<ScaledPose>; 3] = Default::default();
    // A hollow body may never meet its copy.
    for _ in 0..4 * count {
        if places[0].len() == count {
            break;
        }
        let (turn, way) = (random.quaternion(), DVec3::from_array(random.direction()));
        let place = |away: f64| -> Option<ScaledPose> {
            let turned = Pose::new(turn, [0.0; 3]).ok()?.transform_point(center);
            let translation = center + way * (away * radius) - turned;
            Pose::new(turn, translation.to_array()).ok().map(ScaledPose::from)
        };
        let Some(near) = approach(mesh, radius, &place, &mut scratch) else { continue };
        let mut pushed = (1..20).filter_map(|step| place(near - PUSH * f64::from(step)));
        let hit = pushed.find(|place| mesh::overlap(mesh, mesh, place, &mut scratch));
        if let (Some(hit), Some(near), Some(far)) = (hit, place(near), place(near + FAR)) {
            for (list, place) in places.iter_mut().zip([hit, near, far]) {
                list.push(place);
            }
        }
    }
    places
}

/// How many radii the centres are apart where the copy has come as near as [`NEAR`]; it moves by no more than the gap, so that it
/// does not pass anything.
fn approach(
    mesh: &Mesh<Obb>,
    radius: f64,
    place: &impl Fn(f64) -> Option<ScaledPose>,
    scratch: &mut Scratch,
) -> Option<f64> {
    let mut away = 2.0 + NEAR;
    for _ in 0..1000 {
        let gap = mesh::distance(mesh, mesh, &place(away)?, scratch).distance / radius;
        if gap <= NEAR {
            return (gap > 0.0).then_some(away);
        }
        away -= gap - 0.5 * NEAR;
        if away < 0.0 {
            break;
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::setting::bodies;

    #[test]
    fn placements_are_what_they_are_called() {
        let mut scratch = Scratch::default();
        for model in bodies::generated(500) {
            let mesh: Mesh<Obb> = Mesh::new(&model.vertices, &model.triangles).unwrap();
            let [hit, near, far] = placements(&mesh, 3, 7);
            assert!(!hit.is_empty(), "{}", model.name);
            assert_eq!([hit.len(); 2], [near.len(), far.len()]);
            let mut gap = |place| mesh::distance(&mesh, &mesh, place, &mut scratch).distance;
            assert!(hit.iter().all(|place| gap(place) == 0.0), "{}", model.name);
            for (near, far) in near.iter().zip(&far) {
                let gaps = [gap(near), gap(far)];
                assert!(0.0 < gaps[0] && gaps[0] < gaps[1], "{}: {gaps:?}", model.name);
            }
        }
    }
}
