//! Boxes that move: the four mixes in which broad phases are compared.

use crate::random::Random;
use impinge::broad::Aabb;

/// Boxes of a clump on the floor.
const CLUMP: usize = 1_000;
/// Boxes that a box meets, about.
const NEIGHBOURS: f64 = 5.0;

/// How boxes are made and moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mix {
    /// Sides of 0.8 to 1.2; all move.
    NearEqual,
    /// Sides of 0.01 to 10, every magnitude as often; all move.
    ThreeDecades,
    /// Near-equal boxes in clumps at one height; all move.
    Floor,
    /// Near-equal boxes of which one in twenty moves.
    Resting,
}

impl Mix {
    /// All of them.
    pub(super) const ALL: [Self; 4] =
        [Self::NearEqual, Self::ThreeDecades, Self::Floor, Self::Resting];

    /// A word for tables.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::NearEqual => "near-equal",
            Self::ThreeDecades => "three-decades",
            Self::Floor => "floor",
            Self::Resting => "resting",
        }
    }

    /// The side of the square or cube in which the boxes are, for the promised number of neighbours: the ranges in which the low
    /// corners of two that meet differ, multiplied and averaged, times the boxes per volume.
    fn room(self, count: usize) -> [f64; 3] {
        let count = count as f64;
        match self {
            Self::NearEqual | Self::Resting => [(8.0 * count / NEIGHBOURS).cbrt(); 3],
            Self::ThreeDecades => [(159.3 * count / NEIGHBOURS).cbrt(); 3],
            // Clumps cover a quarter.
            Self::Floor => {
                let side = (4.0 * 4.0 * count / NEIGHBOURS).sqrt();
                [side, side, 0.02]
            }
        }
    }
}

/// Boxes with their velocities.
pub(super) struct World {
    room: [f64; 3],
    boxes: Vec<Mover>,
}

struct Mover {
    low: [f64; 3],
    side: [f64; 3],
    velocity: [f64; 3],
}

impl World {
    /// The number of boxes.
    pub(super) fn new(mix: Mix, count: usize, seed: u64) -> Self {
        let mut random = Random::new(seed);
        let room = mix.room(count);
        let mut clump = [0.0; 2];
        let mut boxes = Vec::with_capacity(count);
        for index in 0..count {
            let mut mover = Mover::new(mix, room, &mut random);
            if mix == Mix::Floor {
                if index % CLUMP == 0 {
                    clump = [mover.low[0], mover.low[1]];
                }
                mover.join(clump, room, &mut random);
            }
            if mix == Mix::Resting && index % 20 != 0 {
                mover.velocity = [0.0; 3];
            }
            boxes.push(mover);
        }
        Self { room, boxes }
    }

    /// The boxes as they are.
    pub(super) fn extents(&self) -> impl Iterator<Item = Aabb> + '_ {
        self.boxes.iter().map(Mover::extent)
    }

    /// One frame on: what moved, by index.
    pub(super) fn advance(&mut self) -> Vec<(u32, Aabb)> {
        let mut moved = Vec::new();
        for (index, mover) in self.boxes.iter_mut().enumerate() {
            if mover.velocity != [0.0; 3] {
                mover.advance(self.room);
                moved.push((index as u32, mover.extent()));
            }
        }
        moved
    }
}

impl Mover {
    fn new(mix: Mix, room: [f64; 3], random: &mut Random) -> Self {
        let (scale, spread) = match mix {
            Mix::ThreeDecades => (ten_to(random.below(3 << FINE)) / 100.0, 0.3),
            _ => (1.0, 0.2),
        };
        let side = [(); 3].map(|()| scale * random.between(1.0 - spread, 1.0 + spread));
        let mut velocity = side.map(|side| side * random.between(-0.1, 0.1));
        if mix == Mix::Floor {
            velocity[2] *= 0.01;
        }
        Self { low: room.map(|end| random.between(0.0, end)), side, velocity }
    }

    /// Goes to some place in a disc.
    fn join(&mut self, clump: [f64; 2], room: [f64; 3], random: &mut Random) {
        let radius = (CLUMP as f64 * 4.0 / NEIGHBOURS / std::f64::consts::PI).sqrt();
        let offset = loop {
            let offset = [(); 2].map(|()| random.between(-1.0, 1.0));
            if offset[0] * offset[0] + offset[1] * offset[1] <= 1.0 {
                break offset;
            }
        };
        for axis in 0..2 {
            self.low[axis] = (clump[axis] + radius * offset[axis]).clamp(0.0, room[axis]);
        }
    }

    fn advance(&mut self, room: [f64; 3]) {
        for ((low, velocity), end) in self.low.iter_mut().zip(&mut self.velocity).zip(room) {
            *low += *velocity;
            if !(0.0..=end).contains(low) {
                *velocity = -*velocity;
                *low = low.clamp(0.0, end);
            }
        }
    }

    fn extent(&self) -> Aabb {
        let low = self.low.map(|x| x as f32);
        Aabb::new(low, [0, 1, 2].map(|axis| low[axis] + self.side[axis] as f32))
    }
}

/// Steps of a factor of ten, as a power of two.
const FINE: u64 = 10;

/// Ten to a power in steps, by square roots, which are the same everywhere.
fn ten_to(steps: u64) -> f64 {
    let whole = (0..steps >> FINE).fold(1.0, |power, _| power * 10.0);
    let (mut power, mut root) = (whole, 10.0_f64);
    for bit in (0..FINE).rev() {
        root = root.sqrt();
        if steps >> bit & 1 == 1 {
            power *= root;
        }
    }
    power
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_of_ten() {
        for (steps, power) in [(0, 1.0), (512, 10.0_f64.sqrt()), (1024, 10.0), (2304, 177.827_941)]
        {
            assert!((ten_to(steps) / power - 1.0).abs() < 1e-9, "{steps}");
        }
    }

    #[test]
    fn boxes_have_the_promised_neighbours() {
        for mix in Mix::ALL {
            let mut world = World::new(mix, 2_000, 1);
            assert_eq!(world.advance().len(), if mix == Mix::Resting { 100 } else { 2_000 });
            let extents: Vec<Aabb> = world.extents().collect();
            let pairs = extents
                .iter()
                .enumerate()
                .flat_map(|(index, a)| extents[..index].iter().filter(move |b| a.intersects(b)));
            let neighbours = pairs.count() as f64 / 1_000.0;
            assert!((3.0..8.0).contains(&neighbours), "{mix:?} {neighbours}");
        }
    }
}
