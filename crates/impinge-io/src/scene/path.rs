//! The paths of parts: the names above a part and its own.
//!
//! A file of n nodes, each in the one before, has n² / 2 names on its paths, and a long name may stand on all of them. So what is written of a path is
//! bounded, and its middle is left out.

use super::SceneData;

/// Names of a path that are written; of longer ones the first and the last half.
const MOST_NAMES: usize = 64;
/// Bytes of a path that are written; of longer ones the first and the last half.
const MOST_BYTES: usize = 1024;
/// Replaces the middle of a long path.
const GAP: &str = "…";

impl SceneData {
    /// The path of a part: the names of its ancestors and its own, joined by slashes. Of a path of more than 64 names or 1,024 bytes the middle is left out.
    pub fn part_path(&self, part: usize) -> String {
        let mut names = self.own_name(part);
        let mut node = self.parts.get(part).map(|part| part.node);
        while let Some(here) = node.filter(|&node| node < self.nodes.len()) {
            names.push(&self.nodes[here].name);
            node = self.above(here);
        }
        names.reverse();
        if names.len() > MOST_NAMES {
            let last = names.split_off(names.len() - MOST_NAMES / 2);
            names.truncate(MOST_NAMES / 2);
            names.push(GAP);
            names.extend(last);
        }
        joined(&names)
    }

    /// The paths of all parts, see [`SceneData::part_path`].
    ///
    /// ```
    /// use impinge_io::{LoadOptions, SceneFormat, parse_scene};
    /// let text = b"o left\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    /// let scene = parse_scene(text, SceneFormat::Obj, "pair.obj", &LoadOptions::default())?;
    /// assert_eq!(scene.part_paths().collect::<Vec<_>>(), ["pair/left"]);
    /// # Ok::<(), impinge_io::Error>(())
    /// ```
    pub fn part_paths(&self) -> impl Iterator<Item = String> + '_ {
        let half = MOST_NAMES / 2;
        // How many nodes are above each, and the last of its first half.
        let mut depths = Vec::with_capacity(self.nodes.len());
        let mut firsts: Vec<usize> = Vec::with_capacity(self.nodes.len());
        for node in 0..self.nodes.len() {
            let above = self.above(node);
            let depth = above.map_or(0, |above| depths[above] + 1);
            depths.push(depth);
            firsts.push(above.filter(|_| depth >= half).map_or(node, |above| firsts[above]));
        }
        (0..self.parts.len()).map(move |part| {
            let mut names = self.own_name(part);
            let node = self.parts[part].node;
            let Some(depth) = depths.get(node) else { return joined(&names) };
            let is_long = names.len() + depth + 1 > MOST_NAMES;
            let mut here = Some(node);
            while let Some(node) = here {
                if is_long && names.len() == half {
                    names.push(GAP);
                    here = Some(firsts[node]);
                } else {
                    names.push(&self.nodes[node].name);
                    here = self.above(node);
                }
            }
            names.reverse();
            joined(&names)
        })
    }

    /// The name of a part, unless its node has it.
    fn own_name(&self, part: usize) -> Vec<&str> {
        let part = self.parts.get(part);
        let own =
            part.filter(|part| self.nodes.get(part.node).is_none_or(|node| node.name != part.name));
        own.map(|part| part.name.as_str()).into_iter().collect()
    }

    /// The node above; it comes before, so that the way up ends.
    fn above(&self, node: usize) -> Option<usize> {
        self.nodes.get(node)?.parent.filter(|&parent| parent < node)
    }
}

/// The names with slashes between them, as much of them as is written.
fn joined(names: &[&str]) -> String {
    let length = names.iter().map(|name| name.len() + 1).sum::<usize>().saturating_sub(1);
    if length <= MOST_BYTES {
        return names.join("/");
    }
    let half = (MOST_BYTES - GAP.len()) / 2;
    let with_slashes =
        || (0..2 * names.len() - 1).map(|k| if k % 2 == 0 { names[k / 2] } else { "/" });
    let mut path = String::with_capacity(MOST_BYTES);
    for piece in with_slashes() {
        path.push_str(&piece[..piece.floor_char_boundary(half - path.len())]);
        if path.len() + 3 >= half {
            break;
        }
    }
    path.push_str(GAP);
    let mut last = Vec::new();
    let mut room = half;
    for piece in with_slashes().rev() {
        let start = piece.ceil_char_boundary(piece.len().saturating_sub(room));
        last.push(&piece[start..]);
        room -= piece.len() - start;
        if room <= 3 {
            break;
        }
    }
    path.extend(last.into_iter().rev());
    path
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::placement::Placement;
    use crate::scene::{SceneNode, ScenePart};
    use crate::unit::Unit;
    use std::sync::Arc;

    fn part(name: &str, node: usize) -> ScenePart {
        ScenePart {
            name: name.into(),
            node,
            shape: 0,
            placement: Placement::IDENTITY,
            materials: Arc::default(),
            properties: Arc::default(),
            party: None,
            file: 0,
            unit: Unit::Metre,
        }
    }

    fn chain(count: usize, name: impl Fn(usize) -> String) -> SceneData {
        let node = |k: usize| SceneNode { name: name(k), parent: k.checked_sub(1) };
        let parts = (0..count).map(|k| part("part", k)).collect();
        SceneData { nodes: (0..count).map(node).collect(), parts, ..SceneData::default() }
    }

    fn both(scene: &SceneData) -> Vec<String> {
        let all: Vec<String> = scene.part_paths().collect();
        let single: Vec<String> = (0..scene.parts.len()).map(|k| scene.part_path(k)).collect();
        assert_eq!(all, single);
        all
    }

    #[test]
    fn a_repeated_name_is_left_out_and_wrong_indices_do_no_harm() {
        let node = |name: &str, parent| SceneNode { name: name.into(), parent };
        let scene = SceneData {
            nodes: vec![node("a", None), node("b", Some(0)), node("loop", Some(2))],
            parts: vec![part("b", 1), part("c", 1), part("d", 9), part("e", 2)],
            ..SceneData::default()
        };
        assert_eq!(both(&scene), ["a/b", "a/b/c", "d", "loop/e"]);
        assert_eq!(
            (scene.part_path(7), scene.part_file(0), scene.triangle_count()),
            (String::new(), "", 0)
        );
    }

    #[test]
    fn long_paths_lose_their_middle() {
        let paths = both(&chain(100, |k| format!("n{k}")));
        assert!(paths[62].ends_with("/n62/part") && !paths[62].contains(GAP), "{}", paths[62]);
        assert!(paths[63].starts_with("n0/") && paths[63].contains("/n31/…/n33/"), "{}", paths[63]);
        assert!(paths[99].contains("/n31/…/n69/") && paths[99].ends_with("/n99/part"));
        // Long names, with letters of several bytes.
        for length in [340, 341, 342, 5000] {
            for path in both(&chain(4, |k| format!("{k}{}", "ø×𝄞".repeat(length)))) {
                assert!(path.len() <= MOST_BYTES && path.contains(GAP), "{}", path.len());
                assert!(
                    path.len() > MOST_BYTES - 16 && path.starts_with('0') && path.ends_with("part")
                );
            }
        }
    }

    /// A hundred thousand nodes in each other are a matter of milliseconds and megabytes.
    #[test]
    fn paths_of_a_deep_tree_stay_short() {
        let scene = chain(100_000, |k| k.to_string());
        let bytes: usize = scene.part_paths().map(|path| path.len()).sum();
        assert!(bytes < 100_000 * MOST_BYTES / 2, "{bytes}");
    }
}
