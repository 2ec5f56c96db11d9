//! Python with some packages, for tests that read our files with other programs.

use std::path::Path;
use std::process::Command;

/// What a script exits with where a package is missing.
const MISSING: i32 = 3;

/// Runs a script with these arguments and returns what it prints. Where Python or one of the packages is missing, it says so in one
/// line and returns `None`.
pub(crate) fn python(
    packages: &[&str],
    script: &str,
    arguments: &[&Path],
    environment: &[(&str, &Path)],
) -> Option<String> {
    let imports = packages.join(", ");
    let whole = format!(
        "import sys\ntry:\n    import {imports}\nexcept ImportError as error:\n    print(error)\n    sys.exit({MISSING})\n{script}"
    );
    let ran = Command::new("python3")
        .args(["-c", &whole])
        .args(arguments)
        .envs(environment.iter().copied())
        .output();
    let Ok(ran) = ran else {
        skip("there is no python3");
        return None;
    };
    let printed = String::from_utf8_lossy(&ran.stdout).into_owned();
    match ran.status.code() {
        Some(MISSING) => {
            skip(printed.trim());
            None
        }
        code => {
            let said = String::from_utf8_lossy(&ran.stderr);
            assert_eq!(code, Some(0), "{printed}\n{said}");
            Some(printed)
        }
    }
}

#[allow(clippy::print_stderr, reason = "a test that is skipped says so")]
fn skip(why: &str) {
    eprintln!("skipped: {why}");
}
