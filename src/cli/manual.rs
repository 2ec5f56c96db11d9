//! `finches man`: the manual page, with sections on keys, files, columns and the environment beside
//! what the command line says.

use clap::CommandFactory;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, roman};

use finches_engine::session::measures::all_columns;

use super::show::parameter;
use super::{Cli, CliError, output};

/// The sections in their order. A heading begins with `#`; below it are its words, then entries, a
/// name each with what it stands for. What the program knows itself is added to its section.
const TEXT: &str = include_str!("manual.txt");

/// Prints the manual page.
pub(super) fn manual() -> Result<(), CliError> {
    let mut page = Vec::new();
    Man::new(Cli::command()).render(&mut page)?;
    let mut roff = Roff::new();
    for block in TEXT.trim_end().split("\n\n") {
        let (name, words) = block.split_once('\n').unwrap_or((block, ""));
        let words: Vec<&str> = words.split_whitespace().collect();
        match name.strip_prefix("# ") {
            Some(title) => section(&mut roff, title, &words.join(" ")),
            None => entry(&mut roff, name, &words.join(" ")),
        }
    }
    roff.to_writer(&mut page)?;
    output::print(&String::from_utf8_lossy(&page))
}

fn section(roff: &mut Roff, title: &str, introduction: &str) {
    if title == "KEYS" && cfg!(not(feature = "dashboard")) {
        return;
    }
    roff.control("SH", [title]);
    if !introduction.is_empty() {
        roff.text([roman(introduction)]);
    }
    match title {
        #[cfg(feature = "dashboard")]
        "KEYS" => keys(roff),
        "COLUMNS" => columns(roff),
        "PARTS" => parts(roff),
        _ => {}
    }
}

fn entry(roff: &mut Roff, name: &str, help: &str) {
    roff.control("TP", []);
    roff.text([bold(name)]);
    roff.text([roman(help)]);
}

/// All columns of metrics. `NAME` stands for a reference player of the game.
fn columns(roff: &mut Roff) {
    for column in all_columns("NAME").all() {
        let unit = match column.unit {
            "" => String::new(),
            unit => format!(" Unit: {unit}."),
        };
        entry(roff, &column.name, &format!("{}{unit}", column.help));
    }
}

/// Everything that a preset can be made of.
fn parts(roff: &mut Roff) {
    for kind in super::parts::kinds() {
        roff.control("SS", [kind.key]);
        for part in &kind.parts {
            entry(roff, part.name, part.about);
            for param in &part.parameters {
                roff.control("br", []);
                roff.text([roman(parameter(param))]);
            }
        }
    }
}

/// The default keys of every screen.
#[cfg(feature = "dashboard")]
fn keys(roff: &mut Roff) {
    use finches_dashboard::screens::keymap;

    let keymap = keymap();
    for scope in keymap.scopes() {
        let (first, rest) = scope.name.split_at(1);
        roff.control("SS", [format!("{}{rest}", first.to_uppercase()).as_str()]);
        let mut listed = Vec::new();
        let bindings = keymap.bindings(scope).iter();
        for binding in bindings.filter(|binding| binding.key.is_pressed()) {
            if !listed.contains(&binding.action) {
                listed.push(binding.action);
                entry(roff, &binding.key.label(), binding.help);
            }
        }
    }
}
