//! The four mixes of boxes, and their motion.
//!
//! Everything is counted in units of 2⁻¹², in integers: coordinates stay below 2²³ units, so that corners, centres and half sides
//! are all `f32` values.

use super::record::{BoxData, Moved, Recording};
use crate::random::Random;

/// Boxes per clump on the floor.
const CLUMP: usize = 1_000;

/// Neighbours that a box has, about.
const NEIGHBOURS: f64 = 5.0;

/// How the boxes are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mix {
    /// Sides of 0.8 to 1.2, all moving.
    NearEqual,
    /// Sides of 0.01 to 10, each magnitude as often, all moving.
    ThreeDecades,
    /// Near-equal boxes in clumps on a floor, all moving about at nearly one height.
    Floor,
    /// Near-equal boxes of which one in twenty moves.
    Resting,
}

impl Mix {
    /// All, in the order of the table.
    pub const ALL: [Mix; 4] = [Mix::NearEqual, Mix::ThreeDecades, Mix::Floor, Mix::Resting];

    /// Name in the cases.
    pub fn name(self) -> &'static str {
        match self {
            Mix::NearEqual => "near-equal",
            Mix::ThreeDecades => "three-decades",
            Mix::Floor => "floor",
            Mix::Resting => "resting",
        }
    }
}

/// A box with its motion, in units.
#[derive(Clone, Copy, Debug)]
struct Mover {
    low: [i32; 3],
    side: [i32; 3],
    velocity: [i32; 3],
}

fn units(length: f64) -> i32 {
    (length * 4096.0).round() as i32
}

fn length(units: i32) -> f32 {
    units as f32 / 4096.0
}

impl Mover {
    fn extent(&self) -> BoxData {
        BoxData {
            low: self.low.map(length),
            high: std::array::from_fn(|axis| length(self.low[axis] + self.side[axis])),
        }
    }

    /// One frame on; the low corner turns round at the walls of the room.
    fn advance(&mut self, room: [i32; 3]) {
        for (axis, end) in room.into_iter().enumerate() {
            let next = self.low[axis] + self.velocity[axis];
            if !(0..=end).contains(&next) {
                self.velocity[axis] = -self.velocity[axis];
            }
            self.low[axis] = next.clamp(0, end);
        }
    }
}

/// The room in which the low corners lie.
fn room(mix: Mix, count: usize) -> [i32; 3] {
    let count = count as f64;
    match mix {
        // Two boxes meet if their low corners differ by less than the one's side or the other's: the neighbours of a box are
        // the boxes per volume times the mean product of three such ranges.
        Mix::NearEqual | Mix::Resting => [units((8.0 * count / NEIGHBOURS).cbrt()); 3],
        // That mean, over sides 0.01 to 10 with a uniform logarithm: 2 E[s³] + 6 E[s²] E[s].
        Mix::ThreeDecades => [units((159.3 * count / NEIGHBOURS).cbrt()); 3],
        // Clumps have a quarter of the area.
        Mix::Floor => {
            let side = units((4.0 * count * 4.0 / NEIGHBOURS).sqrt());
            [side, side, units(0.02)]
        }
    }
}

fn movers(mix: Mix, count: usize, seed: u64) -> Vec<Mover> {
    let random = &mut Random::new(seed ^ 0xb0c5 ^ ((mix as u64) << 32));
    let room = room(mix, count);
    let clump_radius = (CLUMP as f64 * 4.0 / NEIGHBOURS / std::f64::consts::PI).sqrt();
    let mut clump = [0.0; 2];
    let one = |index: usize| {
        let scale = match mix {
            Mix::ThreeDecades => 10.0_f64.powf(random.between(-2.0, 1.0)),
            _ => 1.0,
        };
        let spread = if mix == Mix::ThreeDecades { 0.3 } else { 0.2 };
        let side: [i32; 3] =
            std::array::from_fn(|_| units(scale * random.between(1.0 - spread, 1.0 + spread)));
        let mut low = room.map(|size| random.between(0.0, f64::from(size)) as i32);
        let mut velocity = side.map(|side| (f64::from(side) * random.between(-0.1, 0.1)) as i32);
        if mix == Mix::Floor {
            if index.is_multiple_of(CLUMP) {
                clump = [low[0], low[1]].map(f64::from);
            }
            let offset = in_disc(random).map(|value| value * clump_radius * 4096.0);
            for axis in 0..2 {
                low[axis] = (clump[axis] + offset[axis]).clamp(0.0, f64::from(room[axis])) as i32;
            }
            velocity[2] = random.between(-4.0, 4.0) as i32;
        }
        if mix == Mix::Resting && !index.is_multiple_of(20) {
            velocity = [0; 3];
        }
        Mover { low, side, velocity }
    };
    (0..count).map(one).collect()
}

/// Uniform in the unit disc.
fn in_disc(random: &mut Random) -> [f64; 2] {
    loop {
        let point: [f64; 2] = std::array::from_fn(|_| random.between(-1.0, 1.0));
        if point[0] * point[0] + point[1] * point[1] <= 1.0 {
            return point;
        }
    }
}

/// A number of boxes over a number of frames after the first.
pub fn record(mix: Mix, name: String, count: usize, frames: usize, seed: u64) -> Recording {
    let room = room(mix, count);
    let mut movers = movers(mix, count, seed);
    let first = movers.iter().map(Mover::extent).collect();
    let frame = |_| {
        let mut moved: Moved<BoxData> = Vec::new();
        for (index, mover) in movers.iter_mut().enumerate() {
            let before = mover.low;
            mover.advance(room);
            if mover.low != before {
                moved.push((index as u32, mover.extent()));
            }
        }
        moved
    };
    Recording { name, first, frames: (0..frames).map(frame).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::broad::oracle;

    #[test]
    fn mixes_have_the_promised_neighbours_and_share_of_motion() {
        for mix in Mix::ALL {
            let count = 4_000;
            let recording = record(mix, String::new(), count, 3, 1);
            let pairs = oracle::pairs(&recording.first).count;
            let neighbours = 2.0 * pairs as f64 / count as f64;
            // Walls take some away, clumps on clumps add some.
            assert!((3.0..8.0).contains(&neighbours), "{mix:?}: {neighbours}");
            let moved = recording.frames[2].len() as f64 / count as f64;
            let expected = if mix == Mix::Resting { 0.05 } else { 1.0 };
            assert!((0.95..1.01).contains(&(moved / expected)), "{mix:?}: {moved}");
        }
    }

    #[test]
    fn centres_and_half_sides_are_singles() {
        for mix in Mix::ALL {
            for entry in record(mix, String::new(), 2_000, 1, 3).first {
                for axis in 0..3 {
                    let (low, high) = (entry.low[axis], entry.high[axis]);
                    let (centre, half) = (0.5 * (low + high), 0.5 * (high - low));
                    assert_eq!((centre - half, centre + half), (low, high));
                    let exact = 0.5 * (f64::from(low) + f64::from(high));
                    assert_eq!(f64::from(centre), exact);
                }
            }
        }
    }
}
