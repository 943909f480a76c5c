//! The cases: which shapes, and what is asked of them.

use crate::convex::format::Kind;

/// What is asked of a pair. Every answer is one `f64`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    /// 1 if the shapes meet, else 0.
    Overlap,
    /// Distance, 0 if the shapes meet.
    Distance,
    /// Penetration depth, 0 if the shapes are apart.
    Depth,
    /// Penetration depth, where the system also makes contact points and a normal.
    Contact,
}

/// One column of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Case {
    /// Which input file.
    pub kind: Kind,
    /// What is asked of each pair in it.
    pub question: Question,
    /// Name on the command line, in the protocol and in the results.
    pub name: &'static str,
}

/// All cases of the workload `convex`, in the order of the table.
pub const CONVEX: [Case; 8] = [
    Case { kind: Kind::Hull, question: Question::Overlap, name: "hull overlap" },
    Case { kind: Kind::Hull, question: Question::Distance, name: "hull distance" },
    Case { kind: Kind::Hull, question: Question::Depth, name: "hull depth" },
    Case { kind: Kind::Box, question: Question::Overlap, name: "box overlap" },
    Case { kind: Kind::Box, question: Question::Distance, name: "box distance" },
    Case { kind: Kind::Box, question: Question::Depth, name: "box depth" },
    Case { kind: Kind::Capsule, question: Question::Distance, name: "capsule distance" },
    Case { kind: Kind::Capsule, question: Question::Contact, name: "capsule contact" },
];
