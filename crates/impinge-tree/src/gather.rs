//! Binary groups → the children of wide nodes.
//!
//! Trees for rays are gathered so that the areas of all nodes have the least sum, as H. Ylitie, T. Karras and S. Laine, "Efficient
//! incoherent ray traversal on GPUs through compressed wide BVHs" (2017), section 3, do: from the leaves up, each group learns what it costs if it
//! becomes one child, or up to two, and so on. There leaves may be made larger as well; here they are those of the topology. For two
//! trees against each other the largest is opened first: they descend in step, and a sum of areas says little about that.

use crate::topology::Topology;
use impinge_geom::bound::LANES;

/// Which groups become the children of a node.
pub(crate) struct Opened<'t> {
    topology: &'t Topology,
    areas: &'t [f32],
    width: usize,
    leaf: usize,
    /// For each group, the least sum of the areas of nodes if it becomes at most one child, two, …; empty if the largest is opened first.
    costs: Vec<[f32; LANES]>,
}

impl<'t> Opened<'t> {
    pub(crate) fn new(
        topology: &'t Topology,
        areas: &'t [f32],
        width: usize,
        leaf: usize,
        least_sum: bool,
    ) -> Self {
        let mut opened = Self { topology, areas, width, leaf, costs: Vec::new() };
        if least_sum {
            opened.costs = opened.weighed();
        }
        opened
    }

    pub(crate) fn is_leaf(&self, group: usize) -> bool {
        let group = self.topology.groups[group];
        group.count as usize <= self.leaf || group.second == 0
    }

    /// Up to `width` groups that make up a group, in the order of their items.
    pub(crate) fn gather(&self, group: usize) -> ([usize; LANES], usize) {
        if self.costs.is_empty() { self.largest_first(group) } else { self.cheapest(group) }
    }

    fn largest_first(&self, group: usize) -> ([usize; LANES], usize) {
        let mut parts = [0; LANES];
        let mut count = 0;
        for child in self.topology.children(group).into_iter().flatten() {
            parts[count] = child;
            count += 1;
        }
        while count < self.width {
            let openable = (0..count).filter(|&k| !self.is_leaf(parts[k]));
            let largest = openable.max_by(|&i, &j| {
                self.areas[parts[i]].total_cmp(&self.areas[parts[j]]).then(j.cmp(&i))
            });
            let Some(place) = largest else { break };
            let Some([first, second]) = self.topology.children(parts[place]) else { break };
            parts.copy_within(place + 1..count, place + 2);
            (parts[place], parts[place + 1]) = (first, second);
            count += 1;
        }
        (parts, count)
    }

    /// The costs of all groups. What is below a group follows it, so the last comes first.
    fn weighed(&self) -> Vec<[f32; LANES]> {
        let mut costs = vec![[0.0; LANES]; self.areas.len()];
        for group in (0..costs.len()).rev() {
            if self.is_leaf(group) {
                continue;
            }
            let Some([first, second]) = self.topology.children(group) else { continue };
            let (first, second) = (costs[first], costs[second]);
            let mut own = [0.0; LANES];
            for places in 2..=self.width {
                own[places - 1] = shared(&first, &second, places).1;
            }
            own[0] = self.areas[group] + own[self.width - 1];
            for places in 2..=self.width {
                own[places - 1] = own[places - 1].min(own[0]);
            }
            costs[group] = own;
        }
        costs
    }

    fn cheapest(&self, group: usize) -> ([usize; LANES], usize) {
        let (mut parts, mut count) = ([0; LANES], 0);
        // Groups, and how many children each may become.
        let (mut open, mut left) = ([(group, self.width); LANES], 1);
        while left > 0 {
            left -= 1;
            let (part, places) = open[left];
            match self.opened(part, places) {
                Some(pair) if part == group || self.is_cheaper_open(part, &pair) => {
                    // The first one on top, so that parts come in the order of their items.
                    (open[left], open[left + 1]) = (pair[1], pair[0]);
                    left += 2;
                }
                _ => {
                    parts[count] = part;
                    count += 1;
                }
            }
        }
        (parts, count)
    }

    /// The two parts of a group, and how many children each may become; none if the group has to be one child.
    fn opened(&self, group: usize, places: usize) -> Option<[(usize, usize); 2]> {
        if places < 2 || self.is_leaf(group) {
            return None;
        }
        let [first, second] = self.topology.children(group)?;
        let (of_first, _) = shared(&self.costs[first], &self.costs[second], places);
        Some([(first, of_first), (second, places - of_first)])
    }

    fn is_cheaper_open(&self, group: usize, pair: &[(usize, usize); 2]) -> bool {
        let [first, second] = pair.map(|(part, places)| self.costs[part][places - 1]);
        first + second < self.costs[group][0]
    }
}

/// How many of the places the first of two parts gets, so that they cost the least together, and what they cost.
fn shared(first: &[f32; LANES], second: &[f32; LANES], places: usize) -> (usize, f32) {
    let mut best = (1, f32::INFINITY);
    for of_first in 1..places {
        let cost = first[of_first - 1] + second[places - of_first - 1];
        if cost < best.1 {
            best = (of_first, cost);
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build::{Builder, build_by};
    use impinge_geom::bound::Aabb;
    use impinge_geom::glam::Vec3A;

    /// All ways to take a group apart into at most `places` groups.
    fn cuts(opened: &Opened<'_>, group: usize, places: usize) -> Vec<Vec<usize>> {
        let mut all = if places > 0 { vec![vec![group]] } else { Vec::new() };
        let Some([first, second]) = opened.topology.children(group) else { return all };
        for of_first in 1..places {
            for left in cuts(opened, first, of_first) {
                for right in cuts(opened, second, places - of_first) {
                    all.push(left.iter().chain(&right).copied().collect());
                }
            }
        }
        all
    }

    /// The least sum of areas of the nodes below a group and its own, by trying everything.
    fn least(opened: &Opened<'_>, group: usize) -> f32 {
        if opened.is_leaf(group) {
            return 0.0;
        }
        let ways = cuts(opened, group, opened.width);
        let sums = ways
            .iter()
            .filter(|parts| parts.len() > 1)
            .map(|parts| parts.iter().map(|&part| least(opened, part)).sum::<f32>());
        opened.areas[group] + sums.fold(f32::INFINITY, f32::min)
    }

    /// The sum of the nodes that are gathered.
    fn gathered(opened: &Opened<'_>, group: usize) -> f32 {
        if opened.is_leaf(group) {
            return 0.0;
        }
        let (parts, count) = opened.gather(group);
        assert!((2..=opened.width).contains(&count));
        assert!(parts[..count].is_sorted(), "in the order of their items");
        let below: f32 = parts[..count].iter().map(|&part| gathered(opened, part)).sum();
        opened.areas[group] + below
    }

    #[test]
    fn no_other_choice_of_children_has_a_smaller_sum() {
        let mut state = 7_u32;
        let mut number = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 24) as f32
        };
        let mut better = 0;
        for items in [2, 3, 5, 9, 11] {
            for width in [2, 3, 4] {
                let places: Vec<Vec3A> =
                    (0..items).map(|_| Vec3A::new(number(), number(), number())).collect();
                let box_of = |k: usize| Aabb { low: places[k], high: places[k] + Vec3A::ONE };
                let topology = build_by(items, box_of, Builder::BinnedArea, 1);
                // Any numbers will do, whole ones so that sums are exact.
                let areas: Vec<f32> = topology.groups.iter().map(|_| 1.0 + number()).collect();
                let opened = Opened::new(&topology, &areas, width, 1, true);
                assert_eq!(gathered(&opened, 0), least(&opened, 0), "{items} items, {width} wide");
                let largest = Opened::new(&topology, &areas, width, 1, false);
                better += u32::from(gathered(&opened, 0) < gathered(&largest, 0));
            }
        }
        assert!(better > 0);
    }
}
