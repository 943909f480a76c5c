//! Why a tree or a path was rejected.

use impinge::geom::GeometryError;
use std::fmt;

/// Why a tree or a path was rejected.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum TreeError {
    /// A joint refers to a link or joint that does not exist.
    Missing {
        /// The joint.
        joint: String,
        /// The index.
        index: usize,
        /// How many there are.
        count: usize,
    },
    /// A link is the child of two joints.
    TwoParents {
        /// The link.
        link: usize,
        /// The joints.
        joints: [String; 2],
    },
    /// A link is its own ancestor, or a joint mimics itself through others.
    Circle {
        /// A joint of the cycle.
        joint: String,
    },
    /// A position, limit or factor that is not finite or above 2^20.
    Position {
        /// The joint.
        joint: String,
        /// The number.
        value: f64,
    },
    /// A position was given for a joint that is fixed or mimics another.
    NotFree {
        /// The joint.
        joint: String,
    },
    /// No key frames, or times that do not increase.
    Times,
    /// A number that the kernel rejects.
    Geometry(GeometryError),
}

impl fmt::Display for TreeError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing { joint, index, count } => {
                write!(
                    formatter,
                    "joint \"{joint}\" refers to number {index}, but there are {count}"
                )
            }
            Self::TwoParents { link, joints: [a, b] } => write!(
                formatter,
                "link {link} is the child of \"{a}\" and of \"{b}\"; a link has one parent, so remove one joint"
            ),
            Self::Circle { joint } => write!(
                formatter,
                "joint \"{joint}\" depends on itself, through links or mimics; remove a joint of the cycle"
            ),
            Self::Position { joint, value } => write!(
                formatter,
                "joint \"{joint}\": {value} is not a position; positions are finite and at most 2^20"
            ),
            Self::NotFree { joint } => write!(
                formatter,
                "joint \"{joint}\" is fixed or mimics another one; move the one that it mimics"
            ),
            Self::Times => {
                write!(formatter, "key frames need rising, finite times, and at least one of them")
            }
            Self::Geometry(error) => write!(formatter, "{error}"),
        }
    }
}

impl std::error::Error for TreeError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Geometry(error) => Some(error),
            _ => None,
        }
    }
}

impl From<GeometryError> for TreeError {
    fn from(error: GeometryError) -> Self {
        Self::Geometry(error)
    }
}
