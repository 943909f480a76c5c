//! Holds the dependency on `joltc-sys`, which builds Jolt from source. The adapter itself is `peers/jolt.cpp`,
//! compiled by `run` against the headers and the static library of that crate.
