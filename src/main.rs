//! The program: everything is in the library.

use std::process::ExitCode;

use mimalloc::MiMalloc;

/// Members are born on one thread and die on another, where the systems' own allocators make threads wait for one another.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    finches::cli::main()
}
