//! A model, and what queries cost with each volume: a row of the table.

use impinge_lab::setting::placements::SITUATIONS;

/// Instructions of a query, on average, in the order of [`SITUATIONS`].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Work(pub(super) [f64; 3]);

impl Work {
    /// Of a hit, a near miss and a far miss together.
    pub(super) fn total(&self) -> f64 {
        self.0.iter().sum()
    }
}

/// What was counted on one model.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Row {
    pub(super) model: String,
    pub(super) triangles: usize,
    pub(super) hybrid: Work,
    /// Bytes of the hybrid mesh beyond vertices and indices.
    pub(super) bytes: usize,
    /// Every single volume.
    pub(super) volumes: Vec<(String, Work)>,
    /// Nodes whose children are axis-aligned boxes, oriented boxes, spheres.
    pub(super) kinds: [usize; 3],
    /// Wrong answers.
    pub(super) wrong: usize,
}

impl Row {
    /// The single volume that costs least.
    fn best(&self) -> (&str, Work) {
        let best = self.volumes.iter().min_by(|a, b| a.1.total().total_cmp(&b.1.total()));
        best.map_or(("none", Work::default()), |(name, work)| (name, *work))
    }

    /// What the hybrid costs, of what the best single volume does.
    pub(super) fn ratio(&self) -> f64 {
        self.hybrid.total() / self.best().1.total()
    }

    pub(super) fn print(&self) {
        let (name, best) = self.best();
        let all = self.kinds.iter().sum::<usize>().max(1) as f64;
        let [aabb, obb, sphere] = self.kinds.map(|count| 100.0 * count as f64 / all);
        println!(
            "| {} | {} | {:.1} | {aabb:.0} / {obb:.0} / {sphere:.0} | {} | {name} | {} | {:.3} |",
            self.model,
            self.triangles,
            self.bytes as f64 / self.triangles.max(1) as f64,
            numbers(self.hybrid),
            numbers(best),
            self.ratio()
        );
        if self.wrong > 0 {
            println!("{}: {} WRONG ANSWERS", self.model, self.wrong);
        }
    }
}

fn numbers(work: Work) -> String {
    work.0.map(|instructions| format!("{instructions:.0}")).join(" / ")
}

/// The line above the rows.
pub(super) fn heading() {
    let situations = SITUATIONS.join(" / ");
    println!(
        "| model | triangles | bytes per triangle | nodes of AABB / OBB / sphere, % | hybrid: {situations} | best single | its {situations} | ratio |"
    );
    println!("|---|---|---|---|---|---|---|---|");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_is_the_one_of_the_least_sum() {
        let row = Row {
            hybrid: Work([1.0, 2.0, 3.0]),
            volumes: vec![
                ("a".into(), Work([1.0, 1.0, 10.0])),
                ("b".into(), Work([4.0, 4.0, 4.0])),
                ("c".into(), Work([0.0, 10.0, 3.0])),
            ],
            ..Row::default()
        };
        assert_eq!(row.best().0, "a");
        assert_eq!(row.ratio(), 0.5);
    }
}
