//! The program: nothing yet but the library.

fn main() {}
