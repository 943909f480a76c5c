//! How the bodies of a case relate as solids, where an oracle knows.

use crate::generate::dirty::{Body, Solid};
use crate::generate::placed::Case;
use crate::oracle::closed::{self, Block, Convex, Standing};
use crate::oracle::{Point, common};
use impinge::geom::glam::DVec3;
use impinge::geom::{Inside, Verdict};
use impinge::mesh::ScaledPose;

/// What is true of the solids, or `None` if the bodies are neither unions of aligned boxes nor convex.
pub fn truth(case: &Case) -> Option<Standing> {
    let [a, b] = &case.bodies;
    if let (Solid::Blocks(own), Solid::Blocks(other)) = (&a.solid, &b.solid)
        && let Some(moved) = aligned(other, &case.place)
    {
        return closed::blocks(own, &moved);
    }
    let moved: Vec<Point> = b.vertices.iter().map(|p| map(&case.place, *p)).collect();
    Some(convex(a, &a.vertices)?.standing(&convex(b, &moved)?))
}

/// The same by the volume that both enclose, of bodies that are closed and enclose no point twice; `faces` are where they are, and `meet` tells whether any
/// two of them do.
pub fn by_volume(bodies: &[Body; 2], faces: &[Vec<[Point; 3]>; 2], meet: bool) -> Option<Standing> {
    if bodies.iter().any(|body| body.solid == Solid::Unknown) {
        return None;
    }
    let [a, b] = faces;
    let orientations = [common::orientation(a)?, common::orientation(b)?];
    Some(common::common(a, b, orientations).standing(meet))
}

fn map(place: &ScaledPose, p: Point) -> Point {
    place.transform_point(DVec3::from_array(p)).to_array()
}

/// The boxes in A's frame, if the motion exchanges axes at most: then corners with equal coordinates keep them equal.
fn aligned(blocks: &[Block], place: &ScaledPose) -> Option<Vec<Block>> {
    let entries = place.pose.rotation().to_cols_array();
    let whole = entries.iter().all(|x| *x == 0.0 || x.abs() == 1.0);
    let moved = |block: &Block| {
        let ends = [map(place, block.low), map(place, block.high)];
        Block {
            low: std::array::from_fn(|c| ends[0][c].min(ends[1][c])),
            high: std::array::from_fn(|c| ends[0][c].max(ends[1][c])),
        }
    };
    whole.then(|| blocks.iter().map(moved).collect())
}

/// The body at these points, if it is convex there, exactly.
fn convex(body: &Body, points: &[Point]) -> Option<Convex> {
    let single = match &body.solid {
        Solid::Unknown => false,
        Solid::Blocks(blocks) => blocks.len() == 1,
        Solid::Convex => true,
    };
    if single { Convex::new(points, &body.triangles) } else { None }
}

/// The answer in the words of the oracle.
pub fn answered(verdict: Verdict) -> Standing {
    match verdict {
        Verdict::Separated => Standing::Separated,
        Verdict::Touching => Standing::Touching,
        Verdict::Penetrating => Standing::Penetrating,
        Verdict::Contained(Inside::A) => Standing::AInB,
        Verdict::Contained(Inside::B) => Standing::BInA,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::placed::{case, corners};
    use crate::oracle::{Place, triangle};
    use impinge_lab::Random;

    /// Cells, linear programs and volumes have nothing in common but the question.
    #[test]
    fn the_oracles_agree() {
        let (mut compared, mut added) = ([0; 5], 0);
        for seed in 0..4000 {
            let case = case(&mut Random::new(seed));
            if case.bodies.iter().any(|body| body.solid == Solid::Unknown) {
                continue;
            }
            let faces = corners(&case.bodies, &case.place);
            let meets = |a| faces[1].iter().any(|b| triangle::place(a, b) != Place::Outside);
            let meet = faces[0].iter().any(meets);
            let by_volume = by_volume(&case.bodies, &faces, meet);
            let known = truth(&case);
            match (known, by_volume) {
                (Some(known), Some(found)) => {
                    assert_eq!(found, known, "seed {seed}");
                    compared[found as usize] += 1;
                }
                (None, Some(_)) => added += 1,
                _ => {}
            }
        }
        assert!(compared.iter().all(|count| *count > 5) && added > 20, "{compared:?} {added}");
    }
}
