//! Bodies in motion: when they meet, how close they come, and that fast ones do not pass through others in scenes.

mod bad_input;
mod fast;
mod fast_turning;
mod impact;
#[allow(dead_code)]
#[path = "../it/soup.rs"]
mod soup;
mod timing;
