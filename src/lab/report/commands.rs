//! The commands below the parts of a publication's page, which make the runs of a part alone.

use std::collections::BTreeMap;

use super::paper::Paper;
use super::render::PaperWriter;

/// The commands that make the runs of these presets alone: one, or one for each length of the quick
/// version.
pub(super) fn command(writer: &PaperWriter<'_>, presets: &[&str], needs_players: bool) -> String {
    let manifest = writer.runs.manifest;
    let players = if needs_players { " --keep-players" } else { "" };
    let rows = match manifest.rows_every {
        1 => String::new(),
        every => format!(" --rows-every {every}"),
    };
    let runs = format!("{}{players}{rows}", manifest.runs);
    if !writer.is_quick {
        return full_commands(writer.paper, presets, &runs);
    }
    let settings = set_options(&writer.paper.quick.settings);
    let mut by_length: BTreeMap<u64, Vec<&str>> = BTreeMap::new();
    for preset in &manifest.presets {
        if presets.contains(&preset.name.as_str()) {
            let names = by_length.entry(preset.generations).or_default();
            names.push(writer.paper.source(&preset.name));
        }
    }
    let command = |(length, names): (&u64, &Vec<&str>)| {
        let names = names.join(" ");
        format!("finches experiment {names} --runs {runs} --generations {length}{settings}")
    };
    let commands: Vec<String> = by_length.iter().map(command).collect();
    commands.join("\n")
}

/// The command of the presets, and one for each variant.
fn full_commands(paper: &Paper, presets: &[&str], runs: &str) -> String {
    let variants = presets.iter().filter_map(|name| paper.variant(name));
    let variants = variants.map(|variant| {
        let settings = set_options(&variant.settings);
        let name = paper.source(&variant.preset);
        format!("finches experiment {name} --runs {runs}{settings}")
    });
    let plain = presets.iter().copied();
    let plain = plain.filter(|name| paper.variant(name).is_none());
    let plain: Vec<&str> = plain.map(|name| paper.source(name)).collect();
    let plain = (!plain.is_empty())
        .then(|| format!("finches experiment {} --runs {runs}", plain.join(" ")));
    let commands: Vec<String> = plain.into_iter().chain(variants).collect();
    commands.join("\n")
}

/// Settings as options of the command line.
fn set_options(settings: &[(String, String)]) -> String {
    let options = settings.iter();
    let options = options.map(|(key, value)| format!(" --set {key}={value}"));
    options.collect()
}
