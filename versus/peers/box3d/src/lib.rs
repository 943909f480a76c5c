//! Holds the dependency on `box3d-sys`, which builds box3d from source. The adapter itself is `peers/box3d.cpp`,
//! compiled by `run` against the headers and the static library of that crate.
