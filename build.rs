//! Lists the files that the program ships, so that it embeds these and nothing else of their
//! folders.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("Cargo sets it"));
    let mut files = Vec::new();
    for folder in ["presets", "presets/papers"] {
        for name in names(&root.join(folder))? {
            let ending = Path::new(&name).extension();
            if ending.is_some_and(|ending| ending == "ron") {
                files.push(format!("{folder}/{name}"));
            }
        }
    }
    for name in names(&root.join("saves"))? {
        if name.starts_with("champion-") {
            add_all(&root, &format!("saves/{name}"), &mut files)?;
        }
    }
    let mut list = String::new();
    for path in files {
        let place = root.join(&path);
        let place = place.to_str().expect("the folder has a name in UTF-8");
        writeln!(list, "({path:?}, include_str!({place:?})),").expect("text can be appended");
    }
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("Cargo sets it"));
    fs::write(out.join("shipped.rs"), format!("&[{list}]"))?;
    println!("cargo::rerun-if-changed=presets");
    println!("cargo::rerun-if-changed=saves");
    Ok(())
}

/// The names in a folder, in ascending order.
fn names(folder: &Path) -> io::Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(folder)? {
        names.extend(entry?.file_name().into_string());
    }
    names.sort();
    Ok(names)
}

/// Adds the paths of all files in a folder.
fn add_all(root: &Path, folder: &str, files: &mut Vec<String>) -> io::Result<()> {
    for name in names(&root.join(folder))? {
        let path = format!("{folder}/{name}");
        if root.join(&path).is_dir() {
            add_all(root, &path, files)?;
        } else {
            files.push(path);
        }
    }
    Ok(())
}
