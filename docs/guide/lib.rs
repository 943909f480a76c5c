//! Compiles the code of the README, the guide and the internals as tests: `cargo test --package guide`.
//!
//! A package of its own, so that the published crates need no files from outside their folders. A new page gets a line below; a test in
//! `xtask/src/links.rs` notices one without.

/// Declares an item per page whose documentation is the page.
macro_rules! pages {
    ($($name:ident: $path:literal,)*) => {
        $(
            #[cfg(doctest)]
            #[doc = include_str!($path)]
            pub struct $name;
        )*
    };
}

pages! {
    Readme: "../../README.md",
    GettingStarted: "getting-started.md",
    Shapes: "shapes.md",
    Meshes: "meshes.md",
    Scenes: "scenes.md",
    Volumes: "volumes.md",
    Exactness: "exactness.md",
    Performance: "performance.md",
    Motion: "motion.md",
    FrontDoor: "../internals/front-door.md",
    Response: "../internals/response.md",
}
