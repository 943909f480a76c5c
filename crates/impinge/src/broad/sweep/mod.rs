//! Boxes sorted along an axis and swept: the lists stay sorted from one update to the next.
//!
//! Baraff, *Dynamic simulation of non-penetrating rigid bodies*, 1992; Cohen, Lin, Manocha and Ponamgi, *I-COLLIDE*, 1995; Ericson,
//! *Real-Time Collision Detection*, 2005, 7.5. They keep sorted end points on all three axes and change the set of pairs at every
//! exchange of two end points. Where many boxes rest at one height, that axis alone costs a number of exchanges in the square of the
//! boxes. Here one axis is sorted, the one along which the boxes are spread most, and it is changed when another one becomes better.
//! The other two are divided into columns with about as many boxes in each, as Terdiman and Tracy do with the regions of their multi
//! box pruning; a box is entered in every column that it meets, and a pair counts in one of them.
//!
//! When little has changed, only what changed is looked for: its pairs before and after, in a hash table of pairs that stays. When
//! much has changed, all columns are swept, side by side.

mod column;
mod layout;
mod pair_table;

use super::gather::Gather;
use super::generations::Flow;
use super::{Aabb, BroadPhase, PairList, Proxies};
use column::{Column, Entry};
use impinge_tree::parallel;
use layout::{Layout, Span, meeting_place, packed};
use pair_table::PairTable;
use std::ops::Range;

/// If fewer than one box in this many changed, only those are searched.
const FEW: usize = 8;

/// Sorted lists of boxes.
///
/// For worlds that are long, flat or calm.
///
/// ```
/// use impinge::broad::{BroadPhase, Aabb, PairList, Proxies, SweepAndPrune};
/// let mut proxies = Proxies::default();
/// for k in 0..100 {
///     let x = 0.75 * k as f32;
///     proxies.insert(Aabb::new([x, 0.0, 0.0], [x + 1.0, 1.0, 1.0]), true);
/// }
/// let (mut broad, mut pairs) = (SweepAndPrune::default(), PairList::default());
/// for frame in 0..3 {
///     broad.update(&proxies, &mut pairs);
///     proxies.clear_changes();
///     assert_eq!(pairs.list().len(), 99 - frame);
///     proxies.remove(frame as u32);
/// }
/// ```
#[derive(Debug, Default)]
pub struct SweepAndPrune {
    layout: Layout,
    /// The columns, row by row, and at the end the boxes that are in too many of them.
    columns: Vec<Column>,
    /// By index, what the columns hold; nothing for what is not living.
    remembered: Vec<Option<(Entry, Span)>>,
    /// The pairs, if they are those of the last update.
    table: PairTable,
    table_is_valid: bool,
    /// The most entries that a column had, and their number in all, when the layout was chosen.
    most_at_first: usize,
    entries_at_first: usize,
    begun: bool,
    gather: Gather,
}

impl BroadPhase for SweepAndPrune {
    fn name(&self) -> &'static str {
        "sweep and prune"
    }

    fn update(&mut self, proxies: &Proxies, pairs: &mut PairList) {
        pairs.clear();
        let is_calm = proxies.changes().len() * FEW <= proxies.len();
        if self.begun && is_calm && self.table_is_valid {
            self.begun = self.change_few(proxies, pairs.room()) && !self.is_uneven();
            pairs.extend(self.table.list());
            self.begun &= !pairs.is_cut_short();
            return;
        }
        self.begun = self.begun && !self.layout.is_outdated(proxies);
        if self.begun {
            self.take_changes(proxies);
            self.refresh(proxies);
        }
        if !self.begun || self.is_uneven() {
            self.begin(proxies);
        }
        self.begun = self.sweep(proxies, pairs);
        self.table_is_valid = self.begun && is_calm;
        if self.table_is_valid {
            self.table.replace(pairs.list());
        }
    }

    fn reset(&mut self) {
        *self = Self::default();
    }

    fn bytes(&self) -> usize {
        self.layout.bytes()
            + self.columns.iter().map(|column| column.bytes() + size_of::<Column>()).sum::<usize>()
            + self.remembered.capacity() * size_of::<Option<(Entry, Span)>>()
            + self.table.bytes()
            + self.gather.bytes()
    }

    fn overlapping(&self, proxies: &Proxies, extent: &Aabb, found: &mut dyn FnMut(u32)) {
        let overlaps = |index: u32| proxies.extent(index).intersects(extent);
        if !self.begun {
            return proxies.living().filter(|&index| overlaps(index)).for_each(found);
        }
        let span = self.layout.span(extent);
        let entry = self.layout.entry(extent, u32::MAX, &span);
        let _ = self.meeting(&entry, &span, &mut |other| {
            if proxies.is_living(other.index) && !proxies.is_changed(other.index) {
                found(other.index);
            }
            Flow::Continue(())
        });
        for &index in proxies.changes() {
            if proxies.is_living(index) && overlaps(index) {
                found(index);
            }
        }
    }
}

impl SweepAndPrune {
    /// Chooses a layout and enters everything.
    fn begin(&mut self, proxies: &Proxies) {
        self.layout = Layout::choose(proxies, proxies.living().count());
        let [parts_b, parts_c] = self.layout.parts();
        self.columns.iter_mut().for_each(|column| column.entries.clear());
        self.columns.resize_with(parts_b * parts_c + 1, Column::default);
        self.remembered.clear();
        self.remembered.resize(proxies.len(), None);
        for index in proxies.living() {
            self.enter(proxies, index);
        }
        self.columns.iter_mut().for_each(|column| column.changed = true);
        self.refresh(proxies);
        (self.most_at_first, self.entries_at_first) = self.fullness();
    }

    /// Notes a living proxy and adds it to the columns that it was not in.
    fn enter(&mut self, proxies: &Proxies, index: u32) {
        let extent = proxies.extent(index);
        let span = self.layout.span(extent);
        let entry = self.layout.entry(extent, index, &span);
        let before = self.remembered[index as usize].replace((entry, span));
        for column in self.places(&span) {
            let place = self.place(column);
            let was_there = before.is_some_and(|(_, before)| is_at(&before, place));
            let column = &mut self.columns[column];
            column.changed = true;
            if !was_there {
                column.entries.push(entry);
            }
        }
        if let Some((_, before)) = before {
            self.mark(&before);
        }
    }

    /// Has the columns of a span looked at again.
    fn mark(&mut self, span: &Span) {
        for column in self.places(span) {
            self.columns[column].changed = true;
        }
    }

    /// Notes what changed.
    fn take_changes(&mut self, proxies: &Proxies) {
        self.remembered.resize(proxies.len(), None);
        for &index in proxies.changes() {
            if proxies.is_living(index) {
                self.enter(proxies, index);
            } else if let Some((_, before)) = self.remembered[index as usize].take() {
                self.mark(&before);
            }
        }
    }

    /// Brings the changed columns up to date.
    fn refresh(&mut self, proxies: &Proxies) {
        let parts = self.layout.parts();
        let remembered = &self.remembered;
        refresh_all(&mut self.columns, 0, &|number, column: &mut Column| {
            let place = place_of(number, parts);
            let renew = |entry: &mut Entry| {
                if !proxies.is_changed(entry.index) {
                    return true;
                }
                let now = remembered.get(entry.index as usize).copied().flatten();
                now.is_some_and(|(now, span)| {
                    *entry = now;
                    is_at(&span, place)
                })
            };
            column.refresh(renew, |index| proxies.is_moving(index));
        });
    }

    /// Brings lists and pairs up to date when little has changed; false if there are too many pairs.
    fn change_few(&mut self, proxies: &Proxies, room: usize) -> bool {
        let mut table = std::mem::take(&mut self.table);
        for &index in proxies.changes() {
            if let Some(Some((entry, span))) = self.remembered.get(index as usize) {
                let _ = self.meeting(entry, span, &mut |other| {
                    table.remove(index, other.index);
                    Flow::Continue(())
                });
            }
        }
        self.take_changes(proxies);
        self.refresh(proxies);
        let mut flow = Flow::Continue(());
        for &index in proxies.changes() {
            let Some(Some((entry, span))) = self.remembered.get(index as usize) else { continue };
            let moving = proxies.is_moving(index);
            flow = self.meeting(entry, span, &mut |other| {
                if other.index != index && (moving || proxies.is_moving(other.index)) {
                    table.insert(index, other.index);
                }
                if table.list().len() > room { Flow::Break(()) } else { Flow::Continue(()) }
            });
            if flow.is_break() {
                break;
            }
        }
        self.table = table;
        flow.is_continue()
    }

    /// Finds all pairs; false if there is no room for them.
    fn sweep(&mut self, proxies: &Proxies, pairs: &mut PairList) -> bool {
        let mut gather = std::mem::take(&mut self.gather);
        let parts = self.layout.parts();
        let Some((wide, columns)) = self.columns.split_last() else { return true };
        let moves = |a: &Entry, b: &Entry| proxies.is_moving(a.index) || proxies.is_moving(b.index);
        let within = |range: Range<usize>, list: &mut PairList| {
            range.into_iter().all(|number| {
                let place = place_of(number, parts).map_or(0, packed);
                let push = &mut |a: &Entry, b: &Entry| {
                    let counts = meeting_place(a.first, b.first) == place;
                    flow(!counts || list.push(a.index, b.index))
                };
                columns[number].sweep(push).is_continue()
            })
        };
        let this = &*self;
        let with_wide = |range: Range<usize>, list: &mut PairList| {
            wide.entries[range].iter().all(|a| {
                let Some(Some((_, span))) = this.remembered.get(a.index as usize) else {
                    return true;
                };
                let push = &mut |b: &Entry| flow(!moves(a, b) || list.push(a.index, b.index));
                this.meeting_columns(a, span, push).is_continue()
            })
        };
        let complete = gather.all([self.fullness().1, columns.len()], pairs, &within)
            && gather.all([wide.entries.len() * FEW, wide.entries.len()], pairs, &with_wide)
            && wide.sweep(&mut |a, b| flow(pairs.push(a.index, b.index))).is_continue();
        self.gather = gather;
        complete
    }

    /// Shows the entries that overlap a box, each once; the box itself too if it is entered.
    fn meeting(&self, one: &Entry, span: &Span, found: &mut impl FnMut(&Entry) -> Flow) -> Flow {
        self.meeting_columns(one, span, found)?;
        self.columns.last().map_or(Flow::Continue(()), |wide| wide.meeting(one, found))
    }

    /// The same without the boxes that are in too many columns.
    fn meeting_columns(
        &self,
        one: &Entry,
        span: &Span,
        found: &mut impl FnMut(&Entry) -> Flow,
    ) -> Flow {
        let [parts_b, _] = self.layout.parts();
        for c in span.first[1]..=span.last[1] {
            for b in span.first[0]..=span.last[0] {
                let (place, number) = (packed([b, c]), usize::from(b) + usize::from(c) * parts_b);
                let Some(column) = self.columns.get(number) else { continue };
                column.meeting(one, &mut |other| {
                    let counts = meeting_place(one.first, other.first) == place;
                    if counts { found(other) } else { Flow::Continue(()) }
                })?;
            }
        }
        Flow::Continue(())
    }

    /// The numbers of the columns in which a box of this span is entered.
    fn places(&self, span: &Span) -> impl Iterator<Item = usize> + use<> {
        let [parts_b, parts_c] = self.layout.parts();
        let wide = span.is_wide();
        let Span { first, last } = *span;
        let rows = (!wide).then_some(first[1]..=last[1]).into_iter().flatten();
        let narrow = rows.flat_map(move |c| {
            (first[0]..=last[0]).map(move |b| usize::from(b) + usize::from(c) * parts_b)
        });
        narrow.chain(wide.then_some(parts_b * parts_c))
    }

    fn place(&self, number: usize) -> Option<[u16; 2]> {
        place_of(number, self.layout.parts())
    }

    /// The most entries of a column, and all of them.
    fn fullness(&self) -> (usize, usize) {
        let lengths = self.columns.iter().map(|column| column.entries.len());
        lengths.fold((0, 0), |(most, sum), length| (most.max(length), sum + length))
    }

    /// True if the boxes are no longer divided as they were when the layout was chosen.
    fn is_uneven(&self) -> bool {
        let (most, sum) = self.fullness();
        most > 2 * self.most_at_first + 64
            || sum > 2 * self.entries_at_first + 64
            || 4 * sum + 64 < self.entries_at_first
    }
}

/// The place of a column, or nothing for the boxes that are in too many.
fn place_of(number: usize, [parts_b, parts_c]: [usize; 2]) -> Option<[u16; 2]> {
    (number < parts_b * parts_c).then(|| [(number % parts_b) as u16, (number / parts_b) as u16])
}

/// True if a box of this span is entered in a column.
fn is_at(span: &Span, place: Option<[u16; 2]>) -> bool {
    match place {
        Some(place) => !span.is_wide() && span.contains(place),
        None => span.is_wide(),
    }
}

/// Refreshes columns, whose numbers begin at `first`, side by side.
fn refresh_all(
    columns: &mut [Column],
    first: usize,
    refresh: &(impl Fn(usize, &mut Column) + Sync),
) {
    let items: usize = columns.iter().map(|column| column.entries.len()).sum();
    if columns.len() < 2 || items < 2048 {
        for (k, column) in columns.iter_mut().enumerate() {
            refresh(first + k, column);
        }
        return;
    }
    let half = columns.len() / 2;
    let (left, right) = columns.split_at_mut(half);
    parallel::join(
        items,
        || refresh_all(left, first, refresh),
        || refresh_all(right, first + half, refresh),
    );
}

/// Go on while there is room.
fn flow(room: bool) -> Flow {
    if room { Flow::Continue(()) } else { Flow::Break(()) }
}
