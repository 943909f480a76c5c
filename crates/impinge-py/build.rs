//! Builds the viewer that pages hold as the command's build does it, with the same code.

#[path = "../impinge-cli/build.rs"]
mod command;

fn main() {
    command::main();
}
