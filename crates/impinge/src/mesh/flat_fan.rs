//! Faces around a vertex that lie side by side as seen along an axis: none of them meets another beyond what they share.
//!
//! A round end that is cut into triangles from one corner has hundreds of faces there, all of which have a point in common, so that no box parts them. Where
//! the shadows of such faces along an axis are sectors one after the other, less than one turn in all, there is nothing to ask.

use super::Mesh;
use impinge_geom::bound::Bound;
use impinge_geom::glam::{DVec2, DVec3};
use impinge_geom::predicate::orient2d;
use std::collections::HashMap;

/// Fans of fewer faces are not looked for.
const LEAST: u32 = 12;

/// For each face the vertex about which it lies beside others, and [`NONE`] for other faces. Two faces with one number meet properly.
pub(super) fn flat_fans<B: Bound>(mesh: &Mesh<B>, faces: &[[u32; 3]]) -> Vec<u32> {
    let mut count = vec![0u32; mesh.vertices.len()];
    faces.iter().flatten().for_each(|&vertex| count[vertex as usize] += 1);
    let mut around: HashMap<u32, Vec<u32>> = HashMap::new();
    for (face, corners) in (0u32..).zip(faces) {
        for vertex in corners.iter().filter(|vertex| count[**vertex as usize] >= LEAST) {
            around.entry(*vertex).or_default().push(face);
        }
    }
    let mut fan_of = vec![NONE; faces.len()];
    // The largest first, and of these the first.
    let mut vertices: Vec<(u32, u32)> =
        around.keys().map(|&vertex| (u32::MAX - count[vertex as usize], vertex)).collect();
    vertices.sort_unstable();
    for (_, vertex) in vertices {
        let Some(star) = around.get(&vertex) else { continue };
        for face in largest_fan(mesh, faces, vertex, star) {
            if fan_of[face as usize] == NONE {
                fan_of[face as usize] = vertex;
            }
        }
    }
    fan_of
}

/// Of no fan.
pub(super) const NONE: u32 = u32::MAX;

/// Drops one coordinate.
const SHADOWS: [fn(DVec3) -> DVec2; 3] =
    [|p| DVec2::new(p.x, p.y), |p| DVec2::new(p.y, p.z), |p| DVec2::new(p.z, p.x)];

/// The longest row of sectors about a vertex in any shadow, seen from either side.
fn largest_fan<B: Bound>(
    mesh: &Mesh<B>,
    faces: &[[u32; 3]],
    vertex: u32,
    star: &[u32],
) -> Vec<u32> {
    let mut best = Vec::new();
    for shadow in SHADOWS {
        let at = |index: u32| shadow(mesh.vertex(index));
        let middle = at(vertex);
        for facing in [1, -1] {
            let mut sectors: Vec<Sector> = Vec::new();
            for &face in star {
                let corners = faces[face as usize];
                let Some(k) = (0..3).find(|&k| corners[k] == vertex) else { continue };
                let (a, b) = (corners[(k + 1) % 3], corners[(k + 2) % 3]);
                if orient2d(middle, at(a), at(b)) == facing {
                    let (first, last) = if facing > 0 { (a, b) } else { (b, a) };
                    sectors.push(Sector { face, first, last });
                }
            }
            if sectors.len() > best.len()
                && let Some(row) = in_a_row(&sectors, |index| at(index), middle)
            {
                best = row;
            }
        }
    }
    best
}

/// A face as it is seen from the vertex: from one side to the other, counter-clockwise, by less than half a turn.
struct Sector {
    face: u32,
    first: u32,
    last: u32,
}

/// The faces of sectors each of which begins where another ends, if they make less than one turn.
fn in_a_row(sectors: &[Sector], at: impl Fn(u32) -> DVec2, middle: DVec2) -> Option<Vec<u32>> {
    let by_first: HashMap<u32, &Sector> =
        sectors.iter().map(|sector| (sector.first, sector)).collect();
    let ends: HashMap<u32, u32> = sectors.iter().map(|s| (s.last, s.face)).collect();
    if by_first.len() < sectors.len() || ends.len() < sectors.len() {
        return None;
    }
    // A closed row may begin anywhere.
    let start = sectors.iter().find(|s| !ends.contains_key(&s.first)).or(sectors.first())?;
    let from = at(start.first);
    let mut row = vec![start.face];
    let mut end = start.last;
    while let Some(sector) = by_first.get(&end).filter(|sector| sector.face != start.face) {
        // The row comes round to its beginning where a sector holds that direction.
        let begins_before = orient2d(middle, at(sector.first), from) >= 0;
        let ends_after = orient2d(middle, at(sector.last), from) < 0;
        if (begins_before && ends_after) || row.len() > sectors.len() {
            return None;
        }
        row.push(sector.face);
        end = sector.last;
    }
    (row.len() == sectors.len()).then_some(row)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A flat round end, cut from its first corner, and one face that stands on it there.
    fn fan(corners: u32, turns: f64) -> Mesh {
        let angle = |k: u32| turns * std::f64::consts::TAU * f64::from(k) / f64::from(corners);
        let mut points = vec![[0.0; 3], [0.0, 0.0, 1.0]];
        points.extend((0..corners).map(|k| [angle(k).cos(), angle(k).sin(), 0.0]));
        let mut faces: Vec<[u32; 3]> = (2..corners + 1).map(|k| [0, k, k + 1]).collect();
        faces.push([0, 2, 1]);
        Mesh::new(&points, &faces).unwrap()
    }

    #[test]
    fn sectors_in_a_row_are_a_fan() {
        let (mesh, count) = (fan(40, 0.9), 39);
        let fans = flat_fans(&mesh, &mesh.welded_faces());
        assert!(fans[..count].iter().all(|fan| *fan == 0) && fans[count] == NONE);
    }

    #[test]
    fn more_than_one_turn_is_none() {
        let mesh = fan(40, 1.1);
        assert!(flat_fans(&mesh, &mesh.welded_faces()).iter().all(|fan| *fan == NONE));
    }
}
