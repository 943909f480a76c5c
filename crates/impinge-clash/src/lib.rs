//! Clash tests on assemblies: parts that overlap, come too close, are enclosed by another part or exist twice.
//!
//! A [`Model`] is made of a scene; a [`Plan`] says which parts are tested against which, for what, and which findings do not matter;
//! [`check`] gives an [`Outcome`]. [`Records`] keep what people decided from run to run, [`group`](group::group) puts findings together,
//! [`report`] writes them down, [`picture`] shows them, and [`bcf`] takes them to other tools and back.
//!
//! ```
//! use impinge_clash::{Model, CheckOptions, Plan, check};
//! use impinge_io::{SceneFormat, parse_scene};
//! let text = b"o left\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\no right\nv 0 0 -1\nv 1 0 1\nv 0 1 1\nf 4 5 6\n";
//! let scene = parse_scene(text, SceneFormat::Obj, "pair.obj", &impinge_io::LoadOptions::default())?;
//! let plan = Plan::parse("[[test]]\nname = \"all\"", "tests.toml")?;
//! let outcome = check(&Model::new(&scene), &plan, &CheckOptions::default());
//! assert_eq!(outcome.findings.len(), 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod bcf;
mod carry;
mod check;
mod decide;
mod duplicate;
mod explain;
mod finding;
mod fingerprint;
pub mod group;
mod length;
mod measure;
mod model;
pub mod motion;
mod names;
mod near;
mod pairs;
pub mod picture;
mod plan;
mod record;
mod relation;
pub mod report;
mod robot;
mod rules;
mod run_scope;
mod selector;
mod status;
mod suggest;
mod tolerance;
mod toml_text;

pub use carry::Comparison;
pub use check::{CheckOptions, Cut, GiveUp, Outcome, Standing, check};
pub use decide::{Decision, Merged, Selection};
pub use finding::{Finding, Measured};
pub use length::{Length, LengthError};
pub use measure::{Penetration, Rank, Separation};
pub use model::{Model, ModelPart, Primitive};
pub use plan::{ClashTest, Kind, Plan, PlanError, Rule};
pub use record::{Record, RecordedLength, Records, RecordsError};
pub use relation::Gap;
pub use rules::Hidden;
pub use run_scope::RunScope;
pub use selector::Set;
pub use status::{Change, Remark, Status};
pub use suggest::nearest;
