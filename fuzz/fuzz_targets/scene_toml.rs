//! Any bytes as a scene: `SceneFormat::Toml`.
#![no_main]

mod scenes;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| scenes::check(bytes, impinge_io::SceneFormat::Toml));
