//! The program; all code is in the library.

use std::process::ExitCode;

use mimalloc::MiMalloc;

/// Genomes are often allocated on one thread and freed on another, where system allocators make threads wait for each other.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    finches::Program::new().main()
}
