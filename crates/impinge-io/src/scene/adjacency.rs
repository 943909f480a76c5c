//! Which parts touch by design: those of one link of a robot, and of links that joints connect.

use super::{JointData, SceneData};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// Pairs of parts that a checker should not report, because a robot's links meet where joints connect them.
///
/// Two parts are adjacent if they belong to one link, to two links that a joint connects, or to two that are connected by links without parts. What is kept
/// is as large as the robot, although a link of n parts has n² / 2 such pairs.
///
/// ```
/// use impinge_io::{LoadOptions, SceneFormat, parse_scene};
/// let text = br#"<robot name="r">
///   <link name="a"><visual><geometry><sphere radius="1"/></geometry></visual></link>
///   <link name="b"><visual><geometry><sphere radius="2"/></geometry></visual></link>
///   <joint name="j" type="fixed"><parent link="a"/><child link="b"/></joint>
/// </robot>"#;
/// let scene = parse_scene(text, SceneFormat::Urdf, "r.urdf", &LoadOptions::default())?;
/// assert!(scene.adjacency().contains(0, 1));
/// # Ok::<(), impinge_io::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Adjacency {
    /// The link of each part, if it has one.
    link_of: Vec<Option<usize>>,
    /// Links that a joint connects, the smaller first.
    joined: HashSet<[usize; 2]>,
    /// For each link the sets of links without parts that it is connected to, ascending.
    between: HashMap<usize, Vec<usize>>,
}

impl Adjacency {
    /// True if two parts are adjacent; a part is not so to itself.
    pub fn contains(&self, a: usize, b: usize) -> bool {
        let link = |part: usize| self.link_of.get(part).copied().flatten();
        let (Some(x), Some(y)) = (link(a), link(b)) else { return false };
        a != b
            && (x == y || self.joined.contains(&[x.min(y), x.max(y)]) || self.have_common_set(x, y))
    }

    /// True if there are no links.
    pub fn is_empty(&self) -> bool {
        self.link_of.iter().all(Option::is_none)
    }

    /// The same for some of the parts, which are then numbered anew in the order given.
    pub fn of_parts(&self, parts: &[usize]) -> Self {
        let link = |part: &usize| self.link_of.get(*part).copied().flatten();
        Self { link_of: parts.iter().map(link).collect(), ..self.clone() }
    }

    /// How many pairs of parts are adjacent.
    pub fn count(&self) -> usize {
        let mut sizes: BTreeMap<usize, usize> = BTreeMap::new();
        self.link_of.iter().flatten().for_each(|link| *sizes.entry(*link).or_default() += 1);
        let size = |link: usize| sizes.get(&link).copied().unwrap_or(0);
        let own = sizes.values().map(|count| count * (count - 1) / 2).sum::<usize>();
        let joined = self.joined.iter().map(|&[x, y]| size(x) * size(y)).sum::<usize>();
        // Of all links at a set every two are adjacent; those that a joint connects as well, or two sets, count once.
        let mut at_set: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (&link, sets) in &self.between {
            sets.iter().for_each(|&set| at_set.entry(set).or_default().push(link));
        }
        let mut beyond = 0;
        for (&set, links) in &at_set {
            let all = links.iter().map(|&link| size(link)).sum::<usize>();
            let squares = links.iter().map(|&link| size(link) * size(link)).sum::<usize>();
            beyond += (all * all - squares) / 2;
            if links.len() <= MOST_COUNTED {
                beyond -= self.counted_before(set, links, &size);
            }
        }
        own + joined + beyond
    }

    /// Of the pairs of links at a set, how many pairs of parts another count has.
    fn counted_before(&self, set: usize, links: &[usize], size: &dyn Fn(usize) -> usize) -> usize {
        let mut sum = 0;
        for (k, &x) in links.iter().enumerate() {
            for &y in &links[..k] {
                let is_joined = self.joined.contains(&[x.min(y), x.max(y)]);
                if is_joined || self.first_common_set(x, y).is_some_and(|first| first < set) {
                    sum += size(x) * size(y);
                }
            }
        }
        sum
    }

    fn have_common_set(&self, x: usize, y: usize) -> bool {
        self.first_common_set(x, y).is_some()
    }

    fn first_common_set(&self, x: usize, y: usize) -> Option<usize> {
        let [one, two] = [self.between.get(&x)?, self.between.get(&y)?];
        let (few, many) = if one.len() < two.len() { (one, two) } else { (two, one) };
        few.iter().copied().find(|set| many.binary_search(set).is_ok())
    }
}

/// Where more links than this meet at links without parts, pairs that are adjacent for two reasons may be counted twice.
const MOST_COUNTED: usize = 256;

/// See [`SceneData::adjacency`].
pub(super) fn of(scene: &SceneData) -> Adjacency {
    // The link of a node: itself, or the nearest node above that a joint names.
    let mut is_link = vec![false; scene.nodes.len()];
    for joint in &scene.joints {
        for node in [joint.parent, joint.child] {
            if let Some(link) = is_link.get_mut(node) {
                *link = true;
            }
        }
    }
    let mut link_of: Vec<Option<usize>> = vec![None; scene.nodes.len()];
    for node in 0..scene.nodes.len() {
        let above = scene.nodes[node].parent.filter(|&parent| parent < node);
        link_of[node] =
            if is_link[node] { Some(node) } else { above.and_then(|parent| link_of[parent]) };
    }
    let link_of: Vec<Option<usize>> =
        scene.parts.iter().map(|part| link_of.get(part.node).copied().flatten()).collect();
    let has_parts: BTreeSet<usize> = link_of.iter().flatten().copied().collect();
    // Links without parts that hang together are one set.
    let mut leader: Vec<usize> = (0..scene.nodes.len()).collect();
    let is_sound = |joint: &&JointData| joint.parent.max(joint.child) < scene.nodes.len();
    for joint in scene.joints.iter().filter(is_sound) {
        if !has_parts.contains(&joint.parent) && !has_parts.contains(&joint.child) {
            let (a, b) = (first(&mut leader, joint.parent), first(&mut leader, joint.child));
            leader[a.max(b)] = a.min(b);
        }
    }
    let mut adjacency = Adjacency { link_of, ..Adjacency::default() };
    for joint in scene.joints.iter().filter(is_sound) {
        let (x, y) = (joint.parent, joint.child);
        match (has_parts.contains(&x), has_parts.contains(&y)) {
            (true, true) => {
                adjacency.joined.insert([x.min(y), x.max(y)]);
            }
            (true, false) => {
                adjacency.between.entry(x).or_default().push(first(&mut leader, y));
            }
            (false, true) => {
                adjacency.between.entry(y).or_default().push(first(&mut leader, x));
            }
            (false, false) => {}
        }
    }
    for sets in adjacency.between.values_mut() {
        sets.sort_unstable();
        sets.dedup();
    }
    adjacency
}

/// The first node of a set, found faster the next time.
fn first(leader: &mut [usize], mut node: usize) -> usize {
    while leader[node] != node {
        leader[node] = leader[leader[node]];
        node = leader[node];
    }
    node
}
