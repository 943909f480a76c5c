//! Where a finding stands, and what people wrote about it.

use crate::suggest::did_you_mean;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Where a finding stands.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// Nobody has looked at it.
    #[default]
    New,
    /// An earlier run had it too.
    Active,
    /// Reviewed, not yet decided.
    Reviewed,
    /// It may stay.
    Approved,
    /// It is gone.
    Resolved,
}

impl Status {
    /// All of them.
    pub const ALL: [Self; 5] =
        [Self::New, Self::Active, Self::Reviewed, Self::Approved, Self::Resolved];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::New => "new",
            Self::Active => "active",
            Self::Reviewed => "reviewed",
            Self::Approved => "approved",
            Self::Resolved => "resolved",
        }
    }
}

impl fmt::Display for Status {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.name())
    }
}

impl std::str::FromStr for Status {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let known = Self::ALL.into_iter().find(|status| status.name() == text);
        known.ok_or_else(|| {
            let names = Self::ALL.map(Self::name);
            format!(
                "unknown status \"{text}\"{}; use {}",
                did_you_mean(text, names),
                names.join(", ")
            )
        })
    }
}

/// How a finding compares with the last run.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(rename_all = "lowercase")]
pub enum Change {
    /// The last run did not have it.
    #[default]
    Added,
    /// The last run had it.
    Persistent,
}

/// A comment on a finding from another tool.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Remark {
    /// By which it is known again.
    pub guid: String,
    /// Who wrote it.
    pub author: String,
    /// When, as `xs:dateTime` has it.
    pub date: String,
    /// What.
    pub text: String,
}
