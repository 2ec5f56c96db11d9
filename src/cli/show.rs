//! Commands that only show something: presets, saved runs, their metrics.

use crate::genomes::Topology;
use crate::metrics::{Columns, Row};
use crate::params::Param;
use crate::preset::Preset;
use crate::storage::saves::Saves;
use crate::storage::{export, presets};

use super::{Format, Stop, output};

/// A line per preset.
pub(super) fn presets() -> Result<(), Stop> {
    let names = presets::names();
    let width = names.iter().map(|name| name.len()).max().unwrap_or(0);
    let mut lines = Vec::new();
    for name in names {
        let preset = presets::load(name)?;
        lines.push(format!("{name:width$}  {}", preset.about));
    }
    print_lines(&lines)
}

fn print_lines(lines: &[String]) -> Result<(), Stop> {
    output::print(&(lines.join("\n") + "\n"))
}

/// A preset with every setting: value, limits, meaning.
pub(super) fn preset(preset: &Preset) -> Result<(), Stop> {
    let facts = [
        (preset.name.as_str(), preset.about.as_str()),
        ("source", &preset.source),
        ("published", &preset.published),
        ("game", preset.game.name()),
        ("genome", preset.genome.name()),
        ("agent", preset.agent.name()),
    ];
    let known = facts.into_iter().filter(|(_, words)| !words.is_empty());
    let mut lines: Vec<String> = known
        .map(|(label, words)| format!("{label}: {words}"))
        .collect();
    lines.push(String::new());
    let told = ["name", "about", "source", "published"];
    let params = preset.params();
    lines.extend(
        params
            .iter()
            .filter(|param| !told.contains(&param.key.as_str()))
            .map(setting),
    );
    print_lines(&lines)
}

fn setting(param: &Param) -> String {
    let limits = param.limits.map(|(low, high)| format!("{low} to {high}"));
    let kind = if param.live { "live" } else { "fixed" };
    let facts = [limits.as_deref().unwrap_or(""), param.unit, kind];
    let facts: Vec<&str> = facts.into_iter().filter(|fact| !fact.is_empty()).collect();
    format!(
        "{} = {}  ({})\n    {}",
        param.key,
        param.value,
        facts.join(", "),
        param.help
    )
}

/// A saved run in words, or its champion's network in another program's format.
pub(super) fn inspect(
    saves: &Saves,
    run: &str,
    generation: Option<u64>,
    format: Format,
) -> Result<(), Stop> {
    let kept = saves.champions(run)?;
    let Some(generation) = generation.or(kept.last().copied()) else {
        return print_lines(&overview(saves, run, &kept)?);
    };
    let champion = saves.champion(run, generation)?;
    let title = format!("{run} g{generation}");
    let sketch = saves.run_file(run)?.preset.genome.sketch(&champion.genome);
    match format {
        Format { dot: true, .. } => output::print(&export::dot(&sketch, &title)),
        Format { svg: true, .. } => output::print(&export::svg(&sketch, &title)),
        Format { json: true, .. } => output::print(&export::json(&sketch, &title)),
        _ => {
            let mut lines = overview(saves, run, &kept)?;
            lines.push(network(
                generation,
                champion.fitness,
                &champion.genome.topology(),
            ));
            print_lines(&lines)
        }
    }
}

fn overview(saves: &Saves, run: &str, kept: &[u64]) -> Result<Vec<String>, Stop> {
    let file = saves.run_file(run)?;
    let (columns, rows) = saves.metrics(run)?;
    let came_to = if saves.can_go_on(run)? {
        let loaded = saves.load(run)?;
        let (generation, seconds) = (loaded.state.generation, loaded.seconds);
        let whole = file.preset.generations;
        format!("generation {generation} of {whole}, {seconds:.1} s of work")
    } else {
        let played = rows.last().map_or(0, |row| row.generation() + 1);
        format!(
            "{played} generations; its champions can be played, no population was kept to go on with"
        )
    };
    let (preset, seed) = (&file.preset.name, file.seed);
    let mut lines = vec![format!("{run}: preset {preset}, seed {seed}, {came_to}")];
    if let Some(row) = rows.last() {
        lines.push("latest row:".to_owned());
        let figures = columns.iter().zip(row.values());
        lines.extend(figures.filter_map(|(name, value)| Some(format!("  {name} {}", (*value)?))));
    }
    let turned = file.interventions.iter();
    lines.extend(turned.map(|turn| {
        format!(
            "turned at generation {}: {} from {} to {}",
            turn.generation, turn.key, turn.from, turn.to
        )
    }));
    let generations: Vec<String> = kept.iter().map(ToString::to_string).collect();
    lines.push(format!(
        "champions kept of generations: {}",
        generations.join(" ")
    ));
    Ok(lines)
}

fn network(generation: u64, fitness: f64, topology: &Topology) -> String {
    let (layers, edges) = (&topology.layers, topology.edges);
    format!(
        "champion of generation {generation}: fitness {fitness}, layers {layers:?}, {edges} edges"
    )
}

/// The metrics as JSON Lines.
pub(super) fn export_json(saves: &Saves, run: &str) -> Result<(), Stop> {
    let (names, rows) = saves.metrics(run)?;
    let columns = Columns::named(&names);
    let line = |row: &Row| row.json(&columns) + "\n";
    output::print(&rows.iter().map(line).collect::<String>())
}
