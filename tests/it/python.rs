//! Python with some packages, for tests that read our files with other programs.

use std::path::Path;
use std::process::Command;

use crate::skipped::is_missing;

/// What a script exits with where a package is missing.
const MISSING: i32 = 3;

/// Runs a script with these arguments and returns what it prints; `None` where Python or one of the
/// packages is missing.
pub(crate) fn python(
    packages: &[&str],
    script: &str,
    arguments: &[&Path],
    environment: &[(&str, &Path)],
) -> Option<String> {
    let imports = packages.join(", ");
    let whole = format!(
        "import sys\ntry:\n    import {imports}\nexcept ImportError as error:\n    \
            print(error)\n    sys.exit({MISSING})\n{script}"
    );
    let ran = Command::new("python3")
        .args(["-c", &whole])
        .args(arguments)
        .envs(environment.iter().copied())
        .output();
    let tool = match packages {
        [name @ ("phylotrackpy" | "optuna" | "wandb")] => *name,
        _ => "python",
    };
    if is_missing(tool, ran.is_ok()) {
        return None;
    }
    let ran = ran.expect("it is not missing");
    let printed = String::from_utf8_lossy(&ran.stdout).into_owned();
    let code = ran.status.code();
    if is_missing(tool, code != Some(MISSING)) {
        return None;
    }
    let said = String::from_utf8_lossy(&ran.stderr);
    assert_eq!(code, Some(0), "{printed}\n{said}");
    Some(printed)
}
