//! The presets: those shipped inside the program, and preset files.

use std::fs;
use std::io;
use std::path::Path;

use finches_engine::params::{ParamError, suggest};
use finches_engine::preset::{Preset, PresetError};

use super::shipped::texts_in;

/// The size of the largest preset file, in bytes.
const MAX_BYTES: u64 = 1 << 20;

/// The names of the shipped presets, sorted.
pub fn names() -> Vec<&'static str> {
    let mut names: Vec<&str> = texts_in("presets").map(|(name, _)| name).collect();
    names.sort_by_key(|name| natural_sort_key(name));
    names
}

/// A sort key in which digits count as numbers: `nim-2x10` sorts after `nim-2x4`.
fn natural_sort_key(name: &str) -> Vec<(String, u64)> {
    let mut parts = Vec::new();
    let mut rest = name;
    while !rest.is_empty() {
        let words = rest
            .find(|c: char| c.is_ascii_digit())
            .unwrap_or(rest.len());
        let (word, tail) = rest.split_at(words);
        let digits = tail
            .find(|c: char| !c.is_ascii_digit())
            .unwrap_or(tail.len());
        let (number, tail) = tail.split_at(digits);
        parts.push((word.to_owned(), number.parse().unwrap_or(0)));
        rest = tail;
    }
    parts
}

/// The text of a shipped preset.
pub fn text(name: &str) -> Option<&'static str> {
    let found = texts_in("presets").find(|(known, _)| *known == name);
    found.map(|(_, text)| text)
}

/// Most bases of a preset, one upon the other. It also ends a circle of them.
const MOST_BASES: u32 = 8;

/// Loads a preset, given the name of a shipped one or the path of a file.
pub fn load(name_or_path: &str) -> Result<Preset, PresetError> {
    if is_file(name_or_path) {
        let (preset, problems) = read_preset(Path::new(name_or_path), MOST_BASES)?;
        return preset.into_result(name_or_path, problems);
    }
    if let Some(text) = text(name_or_path) {
        return Preset::parse(text, name_or_path, &format!("{name_or_path}.ron"));
    }
    let hint = suggest(name_or_path, &names());
    let message = format!(
        "there is no such preset; {hint} (`finches presets` lists them; a file ends in .ron)"
    );
    Err(preset_error(name_or_path, message))
}

/// Whether this is a file of a preset and not the name of one.
pub fn is_file(name_or_path: &str) -> bool {
    let path = Path::new(name_or_path);
    path.extension().is_some_and(|extension| extension == "ron") || path.is_file()
}

/// A preset file as far as it can be read, and what is wrong with it.
pub fn load_partly(path: &Path) -> Result<(Preset, Vec<ParamError>), PresetError> {
    read_preset(path, MOST_BASES)
}

/// Reads a preset file, whose base may have up to `most_bases` bases in turn.
fn read_preset(path: &Path, most_bases: u32) -> Result<(Preset, Vec<ParamError>), PresetError> {
    let (name, text) = read_file(path)?;
    let (preset, problems) = Preset::parse_over(None, &text, &name);
    if preset.base.is_empty() {
        return Ok((preset, problems));
    }
    let origin = path.display().to_string();
    let refused = |message: String| PresetError {
        origin: origin.clone(),
        problems: vec![ParamError::new("base", message)],
    };
    let Some(most_bases) = most_bases.checked_sub(1) else {
        let message = format!("has more than {MOST_BASES} bases, one upon the other");
        return Err(refused(message));
    };
    let base = if is_file(&preset.base) {
        let at = path.with_file_name(&preset.base);
        let (base, problems) = read_preset(&at, most_bases)?;
        base.into_result(&at.display().to_string(), problems)?
    } else {
        load(&preset.base).map_err(|error| refused(error.to_string()))?
    };
    Ok(Preset::parse_over(Some(&base), &text, &name))
}

/// The name and the text of a file of a preset, or of what a publication claims.
pub fn read_file(path: &Path) -> Result<(String, String), PresetError> {
    let origin = path.display().to_string();
    let text = read(path).map_err(|problem| preset_error(&origin, problem))?;
    // Some editors write a byte order mark.
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    let name = path.file_stem().and_then(|stem| stem.to_str());
    Ok((name.unwrap_or("preset").to_owned(), text.to_owned()))
}

/// The text of a preset file, or what is wrong with the file.
fn read(path: &Path) -> Result<String, String> {
    let unreadable = |error: io::Error| format!("can't be read: {error}");
    let metadata = fs::metadata(path).map_err(unreadable)?;
    if !metadata.is_file() {
        return Err("can't be read: it is not a file".to_owned());
    }
    if metadata.len() > MAX_BYTES {
        return Err(format!(
            "has {} bytes, but a preset has at most {MAX_BYTES}",
            metadata.len()
        ));
    }
    fs::read_to_string(path).map_err(unreadable)
}

fn preset_error(origin: &str, message: String) -> PresetError {
    PresetError {
        origin: origin.to_owned(),
        problems: vec![ParamError::new("", message)],
    }
}
