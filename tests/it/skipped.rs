//! Tests that can't run where a tool is missing. They are listed in `target/skipped`, which
//! `.ci/run` prints at its end. They fail where `CI` is set, unless `FINCHES_MAY_SKIP` names the
//! tool: then this system can't have it.

use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::Path;
use std::{env, thread};

/// Whether a tool is missing, such as `slurm`. Then the test that asks is skipped.
pub(crate) fn is_missing(tool: &str, is_there: bool) -> bool {
    if !is_there {
        skip(tool);
    }
    !is_there
}

fn skip(tool: &str) {
    let current = thread::current();
    let test = current.name().unwrap_or("a test");
    let line = format!("skipped: {test} needs {tool}\n");
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).with_file_name("skipped");
    let list = OpenOptions::new().create(true).append(true).open(path);
    let written = list.and_then(|mut list| list.write_all(line.as_bytes()));
    written.expect("the target folder is writable");
    // What a test prints by the macro is not seen if it passes.
    io::stderr()
        .write_all(line.as_bytes())
        .expect("it can be said");
    let may_skip = env::var("FINCHES_MAY_SKIP").unwrap_or_default();
    let may_skip = may_skip.split(',').any(|name| name == tool);
    assert!(
        may_skip || env::var_os("CI").is_none(),
        "{tool} is missing; install it, or name it in FINCHES_MAY_SKIP"
    );
}
