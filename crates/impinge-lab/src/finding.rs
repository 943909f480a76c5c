//! What an experiment found.

use crate::chart::Chart;
use crate::table::Table;
use std::fmt;

/// Where a figure or claim is from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Document {
    /// A. Vogiannou, K. Moustakas, D. Tzovaras, M. G. Strintzis, "Enhancing Bounding Volumes using Support Plane Mappings for
    /// Collision Detection", Computer Graphics Forum 29 (2010).
    SupportPlanes,
    /// A university lecture on bounding volume hierarchies: spheres, k-DOPs, OBBTree, swept spheres.
    Lecture,
    /// A paper on hierarchies of oriented rounded bounding volumes.
    RoundedVolumes,
    /// T. Akenine-Möller et al., "Real-Time Rendering", 4th edition, online chapter 25 "Collision Detection" (2018).
    Chapter,
    /// impinge itself: a question of its own.
    Impinge,
}

impl Document {
    /// How pages cite it.
    pub fn citation(self) -> &'static str {
        match self {
            Self::SupportPlanes => {
                "Vogiannou, Moustakas, Tzovaras, Strintzis: Enhancing Bounding Volumes using Support Plane Mappings for Collision Detection (2010)"
            }
            Self::Lecture => {
                "a lecture on bounding volume hierarchies (spheres, k-DOPs, OBBTree, swept spheres)"
            }
            Self::RoundedVolumes => {
                "a paper on hierarchies of oriented rounded bounding volumes for proximity queries"
            }
            Self::Chapter => {
                "Akenine-Möller et al.: Real-Time Rendering, 4th edition, chapter 25: Collision Detection (2018)"
            }
            Self::Impinge => "a question of our own",
        }
    }
}

/// Whether a claim holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// We see what the document says.
    Reproduced,
    /// We see something else.
    Differs,
    /// Some of it holds, some does not: the reason says which.
    Partly,
    /// Not measured with these options.
    NotTried,
}

impl Verdict {
    /// For a claim that holds or not.
    pub fn holds(holds: bool) -> Self {
        if holds { Self::Reproduced } else { Self::Differs }
    }

    /// For a claim about several things, of which `count` are as it says: all, none, or some.
    ///
    /// ```
    /// use impinge_lab::Verdict;
    /// assert_eq!([3, 2, 0].map(|count| Verdict::of(count, 3)), [Verdict::Reproduced, Verdict::Partly, Verdict::Differs]);
    /// assert_eq!(Verdict::of(0, 0), Verdict::NotTried);
    /// ```
    pub fn of(count: usize, all: usize) -> Self {
        match count {
            _ if all == 0 => Self::NotTried,
            0 => Self::Differs,
            _ if count < all => Self::Partly,
            _ => Self::Reproduced,
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Reproduced => "reproduced",
            Self::Differs => "differs",
            Self::Partly => "partly",
            Self::NotTried => "not tried",
        })
    }
}

/// A claim of a document, judged by the numbers of this run.
#[derive(Clone, Debug, PartialEq)]
pub struct Claim {
    /// What the document says.
    pub statement: String,
    /// What was measured: with numbers of this run, never fixed text.
    pub measured: String,
    /// Whether it holds; decided from the numbers.
    pub verdict: Verdict,
    /// If not, why not, as far as it is known.
    pub why: String,
}

/// A picture that is no chart, such as of bodies and their volumes.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    /// Part of the file's name: small letters and hyphens.
    pub name: String,
    /// The whole of it, from `<svg` to `</svg>`.
    pub svg: String,
}

/// What an experiment found.
#[derive(Clone, Debug, Default)]
pub struct Finding {
    /// A sentence or two on what was measured: models, placements, settings.
    pub setting: String,
    /// All numbers.
    pub tables: Vec<Table>,
    /// In the form of the figure: the same axes and series, the published values beside ours.
    pub charts: Vec<Chart>,
    /// What charts cannot show.
    pub pictures: Vec<Picture>,
    /// Each claim.
    pub claims: Vec<Claim>,
}

impl Finding {
    /// Adds a claim.
    pub fn claim(
        &mut self,
        statement: impl Into<String>,
        measured: impl Into<String>,
        verdict: Verdict,
        why: impl Into<String>,
    ) {
        self.claims.push(Claim {
            statement: statement.into(),
            measured: measured.into(),
            verdict,
            why: why.into(),
        });
    }

    /// The claims as plain lines for a terminal: the verdict, what the document says, and what was measured.
    pub fn lines(&self) -> String {
        let mut text = String::new();
        for Claim { statement, measured, verdict, why } in &self.claims {
            text += &format!("  {:<11} {statement}\n", verdict.to_string());
            text += format!("              {measured} {why}").trim_end();
            text.push('\n');
        }
        text
    }

    /// The paragraph: setting, claims, what was measured, whether they hold and why not. In Markdown.
    pub fn paragraph(&self) -> String {
        let mut text = self.setting.clone();
        text.push('\n');
        for Claim { statement, measured, verdict, why } in &self.claims {
            text += &format!("\n- **{verdict}**: {statement} — {measured}");
            if !why.is_empty() {
                text += &format!(" {why}");
            }
        }
        text.push('\n');
        text
    }
}
