//! Outcomes as text: JSON for programs, CSV for spreadsheets, a table for people, a page with the model in 3D to look at.

mod csv;
mod family;
mod html;
mod json;
mod layout;
mod motion;
mod table;

pub use csv::csv;
pub use family::{VariantReport, family_csv, family_json, family_table};
pub use html::{Viewer, html};
pub use json::{SCHEMA, json};
pub use table::{TableOptions, summary, table};

use crate::carry::Comparison;
use crate::check::Outcome;
pub use crate::explain::length;
use crate::model::Model;
use crate::plan::Plan;

use impinge::geom::Certainty;

/// All that a report tells.
#[derive(Clone, Copy, Debug)]
pub struct Run<'r> {
    /// What was checked.
    pub model: &'r Model,
    /// The name that it is shown by, such as that of the file.
    pub name: &'r str,
    /// What was asked.
    pub plan: &'r Plan,
    /// What was found.
    pub outcome: &'r Outcome,
    /// What the last run had.
    pub comparison: &'r Comparison,
}

/// How far a number can be trusted, in a word.
pub(crate) fn certainty_name(certainty: Certainty) -> &'static str {
    match certainty {
        Certainty::Exact => "exact",
        Certainty::Bound => "bound",
        Certainty::Estimate => "estimate",
    }
}
