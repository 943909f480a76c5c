//! A hierarchy as it was in 2010: a binary tree, one triangle to a leaf, one pair of volumes at a time in f64, without lanes.
//!
//! It stands for the baseline of the paper, whose code is not known: grouped at the median of the longest axis, the larger volume of a
//! pair opened first (as in RAPID), boxes along the axes carried over as the boxes around them, oriented boxes compared along fifteen axes
//! (S. Gottschalk, M. Lin and D. Manocha, "OBBTree", 1996). Triangles are decided exactly, as everywhere here, so that answers can be compared.

use super::addition::{Added, Addition};
use crate::error::LabError;
use crate::model::Model;
use impinge::geom::glam::{DMat3, DVec3};
use impinge::geom::hull::Hull;
use impinge::geom::pair::Cache;
use impinge::geom::support_plane::Enclosure;
use impinge::geom::triangle::{self, TriangleVerdict};
use impinge::mesh::{ScaledPose, SupportVolume};
use impinge::tree::build::{build_by, build_triangles};
use impinge::tree::{Builder, Topology};

/// What a query did.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Work {
    /// Pairs of volumes tested.
    pub(super) volumes: u64,
    /// Pairs of volumes that overlap and were looked at once more.
    pub(super) supports: u64,
    /// Of those, the ones found to be apart.
    pub(super) apart: u64,
    /// Pairs of triangles.
    pub(super) triangles: u64,
    /// All of it in weighted operations: see [`Added::apart`]; volumes take 33 (spheres), 60 and 306 (boxes), triangles about 200.
    pub(super) price: f64,
}

/// Triangles grouped into a binary tree: the same for all volumes.
pub(super) struct Grouping {
    topology: Topology,
    depths: Vec<u8>,
    corners: Vec<[DVec3; 3]>,
}

/// The volumes of a grouping.
pub(super) struct Classic<'g> {
    pub(super) grouping: &'g Grouping,
    kind: SupportVolume,
    /// In the order of the groups, with a size to compare.
    volumes: Vec<(Enclosure, f64)>,
}

/// What is added on the first levels: in the order of the groups, ending with the last that has something.
pub(super) struct Additions {
    list: Vec<Option<Added>>,
}

impl Grouping {
    /// Of a model.
    pub(super) fn new(model: &Model) -> Self {
        let all = model.corners();
        let (center, _) = model.center_and_radius();
        let local = |k: usize| all[k].map(|p| (p - center).as_vec3a());
        let topology = build_triangles(all.len(), local, &[], Builder::Median, 1);
        let mut depths = vec![0; topology.groups().len()];
        for node in 0..depths.len() {
            for child in topology.children(node).into_iter().flatten() {
                depths[child] = depths[node] + 1_u8;
            }
        }
        let corners = topology.order().iter().map(|&item| all[item as usize]).collect();
        Self { topology, depths, corners }
    }

    /// Of a model's vertices as one group, without a tree below it.
    pub(super) fn root(model: &Model) -> Self {
        let corners: Vec<_> = model.corners();
        let everything = impinge::geom::bound::Aabb::of_points(&[]);
        let topology = build_by(corners.len(), |_| everything, Builder::Median, corners.len());
        Self { topology, depths: vec![0], corners }
    }

    /// The vertices of a group.
    fn points(&self, node: usize) -> Vec<[f64; 3]> {
        let group = self.topology.groups()[node];
        let first = group.first as usize;
        let part = &self.corners[first..first + group.count as usize];
        part.iter().flatten().map(|p| p.to_array()).collect()
    }

    /// With volumes of a kind.
    pub(super) fn volumes(&self, kind: SupportVolume) -> Result<Classic<'_>, LabError> {
        let fit = |node: usize| {
            let hull = Hull::new(&self.points(node)).map_err(LabError::failed)?;
            let volume = match kind {
                SupportVolume::Sphere => Enclosure::sphere_of(hull.vertices()),
                SupportVolume::Aabb => Enclosure::aabb_of(hull.vertices()),
                SupportVolume::Obb => Enclosure::obb_of(hull.vertices()),
            };
            Ok((volume, volume.half().max_element()))
        };
        let volumes = (0..self.depths.len()).map(fit).collect::<Result<_, LabError>>()?;
        Ok(Classic { grouping: self, kind, volumes })
    }

    /// Something added on the first levels.
    pub(super) fn add(&self, addition: Addition, levels: usize) -> Result<Additions, LabError> {
        let mut list = Vec::new();
        for (node, depth) in self.depths.iter().enumerate() {
            if usize::from(*depth) < levels {
                let hull = Hull::new(&self.points(node)).map_err(LabError::failed)?;
                list.resize_with(node, || None);
                list.push(Added::new(&hull, addition));
            }
        }
        Ok(Additions { list })
    }
}

impl Additions {
    /// The memory that planes or tables take.
    pub(super) fn bytes(&self) -> usize {
        self.list.iter().flatten().map(Added::bytes).sum()
    }

    fn of(&self, node: usize) -> Option<&Added> {
        self.list.get(node)?.as_ref()
    }
}

/// Two hierarchies, and what is added to their first levels.
#[derive(Clone, Copy)]
pub(super) struct Query<'q> {
    pub(super) a: &'q Classic<'q>,
    pub(super) b: &'q Classic<'q>,
    pub(super) added: Option<[&'q Additions; 2]>,
    /// How many levels of what is added are used.
    pub(super) levels: usize,
}

/// The pairs that are still to be looked at, and what the test of hulls keeps.
#[derive(Default)]
pub(super) struct Space {
    stack: Vec<(usize, usize)>,
    cache: Cache,
}

impl Query<'_> {
    /// True if a triangle of A meets one of B.
    pub(super) fn meets(&self, place: &ScaledPose, space: &mut Space, work: &mut Work) -> bool {
        let mut stack = std::mem::take(&mut space.stack);
        stack.clear();
        stack.push((0, 0));
        let mut found = false;
        while let Some((a, b)) = stack.pop() {
            if !self.overlaps(a, b, place, space, work) {
                continue;
            }
            let [tree_a, tree_b] = [self.a, self.b].map(|tree| &tree.grouping.topology);
            let (below_a, below_b) = (tree_a.children(a), tree_b.children(b));
            match (below_a, below_b) {
                (None, None) => {
                    found = self.leaves_meet(a, b, place, work);
                    if found {
                        break;
                    }
                }
                (Some([first, second]), below)
                    if below.is_none()
                        || self.a.volumes[a].1 >= self.b.volumes[b].1 * place.scale =>
                {
                    stack.extend([(second, b), (first, b)]);
                }
                (_, Some([first, second])) => stack.extend([(a, second), (a, first)]),
                // The larger one can be opened, or the other.
                (Some(_), None) => {}
            }
        }
        space.stack = stack;
        found
    }

    /// How many levels it takes until no pair of volumes is left, or `limit` if they do not suffice: both sides opened at once.
    pub(super) fn levels_needed(
        &self,
        place: &ScaledPose,
        limit: usize,
        space: &mut Space,
        work: &mut Work,
    ) -> usize {
        let mut reached = 0;
        let mut stack = std::mem::take(&mut space.stack);
        stack.clear();
        stack.push((0, 0));
        while let Some((a, b)) = stack.pop() {
            if !self.overlaps(a, b, place, space, work) {
                continue;
            }
            let depth = |tree: &Classic<'_>, node: usize| usize::from(tree.grouping.depths[node]);
            reached = reached.max(1 + depth(self.a, a).max(depth(self.b, b)));
            let below = |tree: &Classic<'_>, node: usize| tree.grouping.topology.children(node);
            let (below_a, below_b) = (below(self.a, a), below(self.b, b));
            if reached >= limit || (below_a.is_none() && below_b.is_none()) {
                reached = limit;
                break;
            }
            for &first in below_a.as_ref().map_or([a].as_slice(), |two| two) {
                for &second in below_b.as_ref().map_or([b].as_slice(), |two| two) {
                    stack.push((first, second));
                }
            }
        }
        space.stack = stack;
        reached
    }

    fn overlaps(
        &self,
        a: usize,
        b: usize,
        place: &ScaledPose,
        space: &mut Space,
        work: &mut Work,
    ) -> bool {
        let volume_a = &self.a.volumes[a].0;
        let volume_b = carried(&self.b.volumes[b].0, place);
        work.volumes += 1;
        work.price += match self.a.kind {
            SupportVolume::Sphere => 33.0,
            SupportVolume::Aabb => 60.0,
            SupportVolume::Obb => 306.0,
        };
        if apart(volume_a, &volume_b) {
            return false;
        }
        let shallow =
            |tree: &Classic<'_>, node: usize| usize::from(tree.grouping.depths[node]) < self.levels;
        let Some([added_a, added_b]) = self.added else { return true };
        if !(shallow(self.a, a) && shallow(self.b, b)) {
            return true;
        }
        let Some((added_a, added_b)) = added_a.of(a).zip(added_b.of(b)) else { return true };
        !added_a.apart(added_b, [volume_a, &volume_b], place, &mut space.cache, work)
    }

    fn leaves_meet(&self, a: usize, b: usize, place: &ScaledPose, work: &mut Work) -> bool {
        let corners = |tree: &Classic<'_>, node: usize| {
            tree.grouping.corners[tree.grouping.topology.groups()[node].first as usize]
        };
        let moved = corners(self.b, b).map(|p| place.transform_point(p));
        work.triangles += 1;
        work.price += 200.0;
        triangle::verdict(&corners(self.a, a), &moved) != TriangleVerdict::Separated
    }
}

/// A volume of the second body in the frame of the first; a box along the axes as the box around it.
pub(super) fn carried(volume: &Enclosure, place: &ScaledPose) -> Enclosure {
    match volume {
        Enclosure::Aabb { center, half } => {
            let turn = place.pose.rotation();
            let around = DMat3::from_cols(turn.x_axis.abs(), turn.y_axis.abs(), turn.z_axis.abs());
            Enclosure::Aabb {
                center: place.transform_point(*center),
                half: around * (*half * place.scale),
            }
        }
        _ => volume.moved(&place.pose, place.scale),
    }
}

/// True if two volumes of the same kind are certainly apart: what rounding may do is left to overlap.
fn apart(a: &Enclosure, b: &Enclosure) -> bool {
    const SLACK: f64 = 1e-12;
    let way = b.center() - a.center();
    match (a, b) {
        (Enclosure::Sphere { radius: r, .. }, Enclosure::Sphere { radius: s, .. }) => {
            way.length_squared() > (r + s) * (r + s) * (1.0 + SLACK)
        }
        (Enclosure::Aabb { half: h, .. }, Enclosure::Aabb { half: k, .. }) => {
            way.abs().cmpgt((*h + *k) * (1.0 + SLACK)).any()
        }
        (Enclosure::Obb { half: h, axes: p, .. }, Enclosure::Obb { half: k, axes: q, .. }) => {
            boxes_apart((*h, p), (*k, q), way)
        }
        _ => false,
    }
}

/// Along the fifteen axes of two boxes.
fn boxes_apart((h, p): (DVec3, &DMat3), (k, q): (DVec3, &DMat3), way: DVec3) -> bool {
    const SLACK: f64 = 1e-12;
    let t = p.transpose() * way;
    let turn = p.transpose() * *q;
    // Columns of magnitudes, raised so that nearly parallel edges make no axis of noise.
    let size = [0, 1, 2].map(|j| turn.col(j).abs() + DVec3::splat(SLACK));
    let grown = 1.0 + SLACK;
    for i in 0..3 {
        let reach = h[i] + k[0] * size[0][i] + k[1] * size[1][i] + k[2] * size[2][i];
        if t[i].abs() > reach * grown {
            return true;
        }
    }
    for j in 0..3 {
        if t.dot(turn.col(j)).abs() > (k[j] + h.dot(size[j])) * grown {
            return true;
        }
    }
    for i in 0..3 {
        let (i1, i2) = ((i + 1) % 3, (i + 2) % 3);
        for j in 0..3 {
            let (j1, j2) = ((j + 1) % 3, (j + 2) % 3);
            let reach = h[i1] * size[j][i2]
                + h[i2] * size[j][i1]
                + k[j1] * size[j2][i]
                + k[j2] * size[j1][i];
            let gap = (t[i2] * turn.col(j)[i1] - t[i1] * turn.col(j)[i2]).abs();
            if gap > reach * grown {
                return true;
            }
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::super::placements::Placements;
    use super::*;
    use crate::model::ModelShape;
    use impinge::mesh::Mesh;

    const VOLUMES: [SupportVolume; 3] =
        [SupportVolume::Sphere, SupportVolume::Aabb, SupportVolume::Obb];

    /// The answers of the library's own tree, whatever is added on however many levels; and where planes part bodies, they are apart.
    #[test]
    fn answers_are_those_of_the_library() {
        let model = Model::generate(ModelShape::Knobbly, 600);
        let mesh: Mesh = model.mesh().unwrap();
        let placements = Placements::new(&mesh, &model, 60, 3).unwrap();
        let grouping = Grouping::new(&model);
        let (mut space, mut parted) = (Space::default(), 0);
        for kind in VOLUMES {
            let tree = grouping.volumes(kind).unwrap();
            for addition in [Addition::DVSPM, Addition::DFSPM, Addition::CW3, Addition::Hulls] {
                let added = grouping.add(addition, 4).unwrap();
                for levels in [0, 1, 4] {
                    let query = Query { a: &tree, b: &tree, added: Some([&added; 2]), levels };
                    let mut work = Work::default();
                    for (place, meet) in placements.each() {
                        assert_eq!(
                            query.meets(place, &mut space, &mut work),
                            meet,
                            "{kind:?} {addition:?} {levels}"
                        );
                    }
                    assert_eq!(levels == 0, work.supports == 0);
                    parted += work.apart;
                    for (place, meet) in placements.each() {
                        let needed = query.levels_needed(place, 4, &mut space, &mut work);
                        assert!(!meet || needed == 4);
                    }
                }
            }
        }
        assert!(parted > 100, "{parted}");
    }

    /// Boxes against points of a lattice in them: what is said to be apart has no point in common.
    #[test]
    fn boxes_apart_share_no_point() {
        let mut random = crate::random::Random::new(5);
        let mut counts = [0; 2];
        for _ in 0..2_000 {
            let mut side = |place: f64| {
                let pose = impinge::Pose::new(random.quaternion(), [0.0; 3]).unwrap();
                let half = DVec3::from(random.point()).abs() + 0.05;
                let center = DVec3::from(random.point()) * place;
                Enclosure::Obb { center, half, axes: pose.rotation() }
            };
            let (a, b) = (side(0.0), side(1.2));
            let Enclosure::Obb { center, half, axes } = b else { continue };
            let inside = |p: DVec3| match a {
                Enclosure::Obb { center, half, axes } => {
                    (axes.transpose() * (p - center)).abs().cmple(half).all()
                }
                _ => false,
            };
            let step = |k: usize| k as f64 / 5.0 - 1.0;
            let shared = (0..11 * 11 * 11).any(|k| {
                let at = DVec3::new(step(k % 11), step(k / 11 % 11), step(k / 121));
                inside(center + axes * (at * half))
            });
            let parted = apart(&a, &b);
            assert!(!(shared && parted));
            counts[usize::from(parted)] += 1;
        }
        assert!(counts.iter().all(|count| *count > 300), "{counts:?}");
    }
}
