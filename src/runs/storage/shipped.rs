//! What the program ships: presets, what publications claim, and runs with champions. The program
//! hands them in, because a package holds only the files below its own folder.

use std::fs;
use std::path::Path;
use std::sync::OnceLock;

/// A file that the program ships: its path in the repository, such as `presets/nim-2x4.ron`, and
/// its text.
pub type ShippedFile = (&'static str, &'static str);

static SHIPPED: OnceLock<&'static [ShippedFile]> = OnceLock::new();

/// Hands in what the program ships: presets, files of publications, and runs that
/// `Saves::export_bundle` wrote. Only the first call counts.
pub fn hand_in(files: &'static [ShippedFile]) {
    // What was handed in first is in use already.
    let _ = SHIPPED.set(files);
}

/// The files of a folder, such as `presets`, by their paths in it.
pub(super) fn files_in(folder: &str) -> impl Iterator<Item = ShippedFile> {
    let files = SHIPPED.get_or_init(of_the_repository).iter();
    files.filter_map(move |(path, text)| {
        let path = path.strip_prefix(folder)?.strip_prefix('/')?;
        Some((path, *text))
    })
}

/// The files directly in a folder, by their names without `.ron`.
pub(super) fn texts_in(folder: &str) -> impl Iterator<Item = ShippedFile> {
    let names =
        files_in(folder).filter_map(|(path, text)| Some((path.strip_suffix(".ron")?, text)));
    names.filter(|(name, _)| !name.contains('/'))
}

/// The files of what publications claim, by the names of the publications, sorted.
pub fn papers() -> Vec<ShippedFile> {
    let mut papers: Vec<ShippedFile> = texts_in("presets/papers").collect();
    papers.sort_unstable();
    papers
}

/// The names of the runs with champions.
pub(super) fn runs() -> Vec<&'static str> {
    let paths = files_in("saves").filter_map(|(path, _)| path.split_once('/'));
    let mut names: Vec<&str> = paths.map(|(name, _)| name).collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// The files of the repository, where no program has handed in others: in tests and benches.
fn of_the_repository() -> &'static [ShippedFile] {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut files = Vec::new();
    add(&root, "presets", false, &mut files);
    add(&root, "presets/papers", false, &mut files);
    for entry in fs::read_dir(root.join("saves"))
        .into_iter()
        .flatten()
        .flatten()
    {
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.starts_with("champion-") {
            add(&root, &format!("saves/{name}"), true, &mut files);
        }
    }
    files.leak()
}

/// Adds the texts of a folder, and of those in it if they are wanted.
fn add(root: &Path, folder: &str, is_deep: bool, files: &mut Vec<ShippedFile>) {
    for entry in fs::read_dir(root.join(folder))
        .into_iter()
        .flatten()
        .flatten()
    {
        let path = format!("{folder}/{}", entry.file_name().to_string_lossy());
        if entry.path().is_dir() {
            if is_deep {
                add(root, &path, true, files);
            }
        } else if let Ok(text) = fs::read_to_string(entry.path()) {
            files.push((path.leak(), text.leak()));
        }
    }
}
