//! The file that says what moves.

use super::quantity::{Quantity, Time};
use crate::selector::Set;
use crate::toml_text;
use impinge_io::Unit;
use serde::Deserialize;
use std::fmt;
use toml::Spanned;

/// What moves and how, as a TOML file states it: key frames over time, or ranges of one or two joints.
///
/// ```
/// use impinge_clash::motion::MotionFile;
/// let file = MotionFile::parse(r#"
///     [[move]]
///     parts = "door*"
///     axis = [0, 0, 1]
///     point = [0, 0, 0]
///     keys = [{ time = "0s", turn = "0deg" }, { time = "2s", turn = "110deg" }]
/// "#, "motion.toml")?;
/// let slip = MotionFile::parse("[[move]]\njiont = \"elbow\"", "motion.toml").unwrap_err();
/// assert!(slip.to_string().starts_with("motion.toml:2:1: unknown field `jiont`"));
/// assert!(slip.to_string().ends_with("did you mean `joint`?"));
/// # let _ = file;
/// # Ok::<(), impinge_clash::motion::MotionError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct MotionFile {
    pub(super) name: String,
    pub(super) text: String,
    pub(super) written: Written,
}

/// The file as it is written.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Written {
    /// Of points and shifts; the model's if it is left out.
    #[serde(default)]
    pub(super) unit: Option<Spanned<String>>,
    /// How narrow the interval of a first contact is; a millionth of the whole if it is left out.
    #[serde(default)]
    pub(super) precision: Option<Spanned<Time>>,
    /// Work per pair before it is left undecided.
    #[serde(default)]
    pub(super) max_steps: Option<Spanned<i64>>,
    #[serde(default, rename = "move")]
    pub(super) moves: Vec<Spanned<Move>>,
    #[serde(default, rename = "range")]
    pub(super) ranges: Vec<Spanned<Range>>,
}

/// What moves: parts, a node with all that is below it, or a joint. One of them.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Target<'w> {
    pub(super) parts: Option<&'w Spanned<Set>>,
    pub(super) node: Option<&'w Spanned<String>>,
    pub(super) joint: Option<&'w Spanned<String>>,
}

#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Move {
    #[serde(default)]
    parts: Option<Spanned<Set>>,
    #[serde(default)]
    node: Option<Spanned<String>>,
    #[serde(default)]
    joint: Option<Spanned<String>>,
    #[serde(default)]
    pub(super) axis: Option<Spanned<[f64; 3]>>,
    #[serde(default)]
    pub(super) point: Option<Spanned<[f64; 3]>>,
    #[serde(default)]
    pub(super) keys: Vec<Spanned<Key>>,
}

/// A key frame. What it leaves out stays as it was.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Key {
    pub(super) time: Spanned<Time>,
    #[serde(default)]
    pub(super) turn: Option<Spanned<Quantity>>,
    #[serde(default)]
    pub(super) shift: Option<Spanned<[f64; 3]>>,
    #[serde(default)]
    pub(super) rotation: Option<Spanned<Rotation>>,
    #[serde(default)]
    pub(super) position: Option<Spanned<Quantity>>,
}

#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Rotation {
    pub(super) axis: [f64; 3],
    pub(super) angle: Spanned<Quantity>,
}

#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Range {
    #[serde(default)]
    parts: Option<Spanned<Set>>,
    #[serde(default)]
    node: Option<Spanned<String>>,
    #[serde(default)]
    joint: Option<Spanned<String>>,
    #[serde(default)]
    pub(super) axis: Option<Spanned<[f64; 3]>>,
    #[serde(default)]
    pub(super) point: Option<Spanned<[f64; 3]>>,
    /// A joint's lower limit if it is left out, and its upper one.
    #[serde(default)]
    pub(super) from: Option<Spanned<Quantity>>,
    #[serde(default)]
    pub(super) to: Option<Spanned<Quantity>>,
}

impl Move {
    pub(super) fn target(&self) -> Target<'_> {
        let Self { parts, node, joint, .. } = self;
        Target { parts: parts.as_ref(), node: node.as_ref(), joint: joint.as_ref() }
    }
}

impl Range {
    pub(super) fn target(&self) -> Target<'_> {
        let Self { parts, node, joint, .. } = self;
        Target { parts: parts.as_ref(), node: node.as_ref(), joint: joint.as_ref() }
    }
}

/// Why a motion was refused: with file, line and column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MotionError(pub(super) String);

impl fmt::Display for MotionError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl std::error::Error for MotionError {}

impl MotionFile {
    /// The motion in a TOML text; `name` is that of the file, for errors and reports.
    pub fn parse(text: &str, name: &str) -> Result<Self, MotionError> {
        let written: Written = toml_text::parse(text, name).map_err(MotionError)?;
        let file = Self { name: name.to_string(), text: text.to_string(), written };
        let Written { moves, ranges, .. } = &file.written;
        if moves.is_empty() && ranges.is_empty() {
            return Err(MotionError(format!(
                "{name}: nothing moves; add a [[move]] with keys, or a [[range]] with a joint"
            )));
        }
        if let (Some(one), false) = (ranges.first(), moves.is_empty()) {
            let message = "[[move]] runs over time and [[range]] over all positions: use two files";
            return Err(file.refuse(one.span().start, message));
        }
        if let Some(third) = ranges.get(2) {
            let message = "more than two ranges; certify two joints at a time, and hold the others with --joint NAME=POSITION";
            return Err(file.refuse(third.span().start, message));
        }
        Ok(file)
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// An error at a byte of the text.
    pub(super) fn refuse(&self, start: usize, message: &str) -> MotionError {
        MotionError(toml_text::at(&self.text, &self.name, start, message))
    }

    /// An error about a value.
    pub(super) fn wrong<T>(&self, value: &Spanned<T>, message: impl AsRef<str>) -> MotionError {
        self.refuse(value.span().start, message.as_ref())
    }

    /// The unit of points and shifts in that of the model.
    pub(super) fn scale(&self, model: Unit) -> Result<f64, MotionError> {
        let Some(unit) = &self.written.unit else { return Ok(1.0) };
        let parsed: Unit = unit
            .get_ref()
            .parse()
            .map_err(|error: impinge_io::UnknownUnit| self.wrong(unit, error.to_string()))?;
        Ok(parsed.in_unit(model))
    }
}
