//! The viewer that HTML reports hold, if this command was built with it.

use impinge_clash::report::Viewer;

/// The bundle of `viewer/`.
#[cfg(viewer)]
pub(crate) const VIEWER: Option<Viewer<'static>> = Some(Viewer {
    script: include_str!(concat!(env!("OUT_DIR"), "/report.js")),
    style: include_str!(concat!(env!("OUT_DIR"), "/report.css")),
});

/// It was built without Node.js.
#[cfg(not(viewer))]
pub(crate) const VIEWER: Option<Viewer<'static>> = None;

/// What to do about a report without 3D.
pub(crate) const MISSING: &str = "the report shows pictures instead of 3D: this impinge was built without the viewer; install Node.js 20.19 or newer and build impinge again";
