//! The program; all code is in the library.

use std::process::ExitCode;

/// Genomes are often allocated on one thread and freed on another, where system allocators make
/// threads wait for each other.
#[cfg(feature = "mimalloc")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    finches::Program::new().main()
}
