//! Where panels and legends are: panels side by side whose series have the same names share one legend.

use super::{Corner, Panel, Series, Style};

/// An entry of a legend: a series and its colour's number.
#[derive(Clone, Copy)]
pub(super) struct Entry<'p> {
    pub(super) name: &'p str,
    pub(super) style: Style,
    pub(super) color: usize,
}

impl Entry<'_> {
    /// Whether both say the same of the same thing.
    fn is(&self, other: &Entry<'_>) -> bool {
        (self.name, self.style, self.color) == (other.name, other.style, other.color)
    }

    /// Whether a reader of a legend with both could not tell which is which.
    fn contradicts(&self, other: &Entry<'_>) -> bool {
        let looks_alike = self.style == other.style && self.color == other.color;
        (self.name == other.name) != looks_alike
    }
}

/// Panels side by side, and the legend beside them, if they do not have their own.
#[derive(Default)]
pub(super) struct Row<'p> {
    pub(super) panels: Vec<&'p Panel>,
    pub(super) legend: Vec<Entry<'p>>,
    /// Whether each panel has its own legend within.
    pub(super) within: bool,
}

/// The rows of a chart, at most `columns` panels in each.
pub(super) fn rows(panels: &[Panel], columns: usize) -> Vec<Row<'_>> {
    let mut rows: Vec<Row<'_>> = Vec::new();
    for group in groups(panels) {
        let shared = group.panels.len() > 1;
        if !shared && group.panels.iter().all(|panel| panel.legend != Corner::Beside) {
            match rows.last_mut() {
                Some(row) if row.within && row.panels.len() < columns => {
                    row.panels.extend(group.panels);
                }
                _ => rows.push(Row { within: true, legend: Vec::new(), ..group }),
            }
            continue;
        }
        for (k, panels) in group.panels.chunks(columns).enumerate() {
            let legend = if k == 0 { group.legend.clone() } else { Vec::new() };
            rows.push(Row { panels: panels.to_vec(), legend, within: false });
        }
    }
    rows
}

/// Successive panels that one legend serves, each group with its legend.
fn groups(panels: &[Panel]) -> Vec<Row<'_>> {
    let mut groups: Vec<Row<'_>> = Vec::new();
    for panel in panels {
        let own = entries(panel);
        let last = groups.last_mut().filter(|group| {
            let known = |entry: &Entry<'_>| group.legend.iter().any(|other| other.is(entry));
            let fits =
                |entry: &Entry<'_>| !group.legend.iter().any(|other| other.contradicts(entry));
            own.len() > 1 && own.iter().any(known) && own.iter().all(fits)
        });
        match last {
            Some(group) => {
                for entry in own {
                    if !group.legend.iter().any(|other| other.is(&entry)) {
                        group.legend.push(entry);
                    }
                }
                group.panels.push(panel);
            }
            None => groups.push(Row { panels: vec![panel], legend: own, within: false }),
        }
    }
    groups
}

/// What the legend of a panel has: not dots with their names beside them, nor series without a name, which belong to the one before.
fn entries(panel: &Panel) -> Vec<Entry<'_>> {
    let of = |(index, series): (usize, &'_ Series)| (series.color.unwrap_or(index), series.style);
    let listed = panel.series.iter().enumerate();
    let listed = listed.filter(|(_, one)| one.style != Style::Named && !one.name.is_empty());
    let mut entries = Vec::new();
    for (index, series) in listed {
        let (color, style) = of((index, series));
        entries.push(Entry { name: &series.name, style, color });
    }
    entries
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chart::Axis;

    fn panel(legend: Corner, names: &[&str]) -> Panel {
        let series = names.iter().map(|name| Series::line(*name, vec![(1.0, 2.0)]));
        Panel {
            title: "a".into(),
            across: Axis::linear("x"),
            up: Axis::linear("y"),
            series: series.collect(),
            legend,
        }
    }

    fn shape(panels: &[Panel]) -> Vec<(usize, usize, bool)> {
        rows(panels, 2).iter().map(|r| (r.panels.len(), r.legend.len(), r.within)).collect()
    }

    #[test]
    fn the_same_names_have_one_legend() {
        let corner = Corner::UpperLeft;
        let three = [(); 3].map(|()| panel(corner, &["one", "two"]));
        assert_eq!(shape(&three), [(2, 2, false), (1, 0, false)]);
        let more = [panel(corner, &["one", "two"]), panel(corner, &["one", "two", "three"])];
        assert_eq!(shape(&more), [(2, 3, false)]);
    }

    #[test]
    fn other_names_in_the_same_colours_have_their_own() {
        let apart = [
            panel(Corner::UpperLeft, &["one", "two"]),
            panel(Corner::UpperLeft, &["one", "three"]),
        ];
        assert_eq!(shape(&apart), [(2, 0, true)]);
        let beside = [panel(Corner::Beside, &["one", "two"]), panel(Corner::Beside, &["three"])];
        assert_eq!(shape(&beside), [(1, 2, false), (1, 1, false)]);
        let single = [panel(Corner::UpperLeft, &["one"]), panel(Corner::UpperLeft, &["one"])];
        assert_eq!(shape(&single), [(2, 0, true)], "one entry needs no legend");
    }
}
