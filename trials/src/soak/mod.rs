//! `cargo xtask soak`: the kernel against the oracles, on as many adversarial inputs as patience allows.

pub mod bounds;
pub mod cases;
pub mod convex;
pub mod curved;
pub mod extremes;
pub mod mesh;
pub mod motion;
pub mod parallel;
pub mod penetration;
pub mod progress;
pub mod rays;
pub mod slivers;
pub mod standing;
pub mod triangles;

/// The soaks.
#[derive(clap::Subcommand, Clone, Debug)]
pub enum Soak {
    /// Triangle pairs: verdicts, and distances on one pair in 100.
    Triangles(triangles::Options),
    /// Convex pairs: polytopes exactly, curved shapes within certified bounds.
    Convex(convex::Options),
    /// Shapes whose sizes are sixty decades apart: no answer contradicts itself, none is called exact and is not.
    Extremes(extremes::Options),
    /// Rays from inside closed meshes: none may leak.
    Rays(rays::Options),
    /// Rays at triangles as thin as rounding: t exact to 1e-12.
    Slivers(slivers::Options),
    /// Pairs of small, dirty meshes: pairs of triangles, verdicts and distances against exact brute force.
    Mesh(mesh::Options),
    /// Local penetrations of closed pairs: narrow intervals that hold a dense sample.
    Penetration(penetration::Options),
    /// Bounding volumes of every kind: none may rule out what is true.
    Bounds(bounds::Options),
    /// Moving pairs: times of impact, never late, none missed and none invented.
    Motion(motion::Options),
}

/// Runs a soak. True if the kernel was right throughout.
pub fn run(soak: &Soak) -> bool {
    match soak {
        Soak::Triangles(options) => triangles::run(options).passed(),
        Soak::Convex(options) => convex::run(options).passed(),
        Soak::Extremes(options) => extremes::run(options).passed(),
        Soak::Rays(options) => rays::run(options).passed(),
        Soak::Slivers(options) => slivers::run(options).passed(),
        Soak::Mesh(options) => mesh::run(options).passed(),
        Soak::Penetration(options) => penetration::run(options).passed(),
        Soak::Bounds(options) => bounds::run(options).passed(),
        Soak::Motion(options) => motion::run(options).passed(),
    }
}

/// FNV-1a, over everything that the kernel answered: equal hashes mean equal answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hash(u64);

impl Default for Hash {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Hash {
    /// Takes in one byte.
    pub fn byte(&mut self, byte: u8) {
        self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    }

    /// Takes in all bits of a number.
    pub fn number(&mut self, value: f64) {
        value.to_bits().to_le_bytes().into_iter().for_each(|byte| self.byte(byte));
    }

    /// Takes in the hash of a later part.
    pub fn append(&mut self, other: Self) {
        other.0.to_le_bytes().into_iter().for_each(|byte| self.byte(byte));
    }
}

impl std::fmt::Display for Hash {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

/// What went wrong: all of it counted, the first of it in words.
#[derive(Clone, Debug, Default)]
pub struct Failures {
    /// How many.
    pub count: u64,
    /// The first of them.
    pub first: Vec<String>,
}

impl Failures {
    /// How many are kept in words.
    const KEPT: usize = 20;

    /// Counts a failure, and describes it if it is among the first.
    pub fn add(&mut self, describe: impl FnOnce() -> String) {
        self.count += 1;
        if self.first.len() < Self::KEPT {
            self.first.push(describe());
        }
    }

    /// Takes in those of a later part.
    pub fn append(&mut self, other: Self) {
        self.count += other.count;
        let room = Self::KEPT.saturating_sub(self.first.len());
        self.first.extend(other.first.into_iter().take(room));
    }

    /// Prints what is kept.
    pub fn print(&self) {
        for text in &self.first {
            println!("WRONG {text}");
        }
        if self.count > self.first.len() as u64 {
            println!("… {} in all", self.count);
        }
    }
}

/// Whether an error is more than allowed, or not a number.
fn beyond(error: f64, allowed: f64) -> bool {
    error.is_nan() || error > allowed
}

/// Points in decimal and as bit patterns, so that a failure can become a case.
pub fn describe(points: &[crate::oracle::Point]) -> String {
    let mut text = String::new();
    for p in points {
        let bits = p.map(|x| format!("{:016x}", x.to_bits())).join(" ");
        text.push_str(&format!("\n    [{:?}, {:?}, {:?}]  bits {bits}", p[0], p[1], p[2]));
    }
    text
}
