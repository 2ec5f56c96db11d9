//! Commands that print presets, saved runs and metrics.

use std::path::Path;

use clap::Args;

use finches_engine::genomes::Topology;
use finches_engine::params::{Param, ParamKind};
use finches_engine::preset::{DESCRIPTIONS, Preset};
use finches_engine::text::one_line;
use finches_runs::storage::saves::Saves;
use finches_runs::storage::{export, presets};

use super::{CliError, SavesOption, log, options, output};

/// Prints one line per preset.
pub(super) fn presets() -> Result<(), CliError> {
    let names = presets::names();
    let width = names.iter().map(|name| name.len()).max().unwrap_or(0);
    let mut lines = Vec::new();
    for name in names {
        let preset = presets::load(name)?;
        lines.push(format!("{name:width$}  {}", preset.about));
    }
    print_lines(&lines)
}

pub(super) fn print_lines(lines: &[String]) -> Result<(), CliError> {
    output::print(&(lines.join("\n") + "\n"))
}

/// Prints a preset, given by its name or its file, as far as it can be read.
pub(super) fn preset_file(name: &str) -> Result<(), CliError> {
    if !presets::is_file(name) {
        return preset(&options::preset(name, &SavesOption::default())?);
    }
    let (read, problems) = presets::load_partly(Path::new(name))?;
    preset(&read)?;
    read.into_result(name, problems)?;
    Ok(())
}

/// Prints a preset with all its parameters: value, limits and meaning.
fn preset(preset: &Preset) -> Result<(), CliError> {
    let facts = [
        (preset.name.as_str(), preset.about.as_str()),
        ("base", &preset.base),
        ("source", &preset.source),
        ("published", &preset.published),
        ("game", preset.game.name()),
        ("genome", preset.genome.name()),
        ("agent", preset.agent.name()),
    ];
    let differs = preset.differs.iter().map(|words| ("differs", &**words));
    let settled = preset.settled.iter().map(|words| ("settled", &**words));
    let facts = facts.into_iter().chain(differs).chain(settled);
    let known = facts.filter(|(_, words)| !words.is_empty());
    let mut lines: Vec<String> = known
        .map(|(label, words)| format!("{label}: {}", one_line(words)))
        .collect();
    lines.push(String::new());
    let shown_above = DESCRIPTIONS.iter().filter(|key| **key != "reported");
    let shown_above: Vec<&str> = shown_above.copied().collect();
    let params = preset.params();
    lines.extend(
        params
            .iter()
            .filter(|param| !shown_above.contains(&param.key.as_str()))
            .map(parameter),
    );
    print_lines(&lines)
}

/// The values that a parameter can have, if they are words.
pub(super) fn choices(param: &Param) -> &'static [&'static str] {
    match param.kind {
        ParamKind::Choice(words) | ParamKind::ChoiceList(words) => words,
        ParamKind::Boolean => &["true", "false"],
        _ => &[],
    }
}

/// A parameter with its value, its limits or choices, and its meaning.
pub(super) fn parameter(param: &Param) -> String {
    let limits = param.limits.map(|(low, high)| format!("{low} to {high}"));
    let choices = choices(param).join(", ");
    let kind = if param.live { "live" } else { "fixed" };
    let facts = [limits.as_deref().unwrap_or(&choices), param.unit, kind];
    let facts: Vec<&str> = facts.into_iter().filter(|fact| !fact.is_empty()).collect();
    format!(
        "{} = {}  ({})\n    {}",
        param.key,
        param.value,
        facts.join(", "),
        param.help
    )
}

/// Options of `finches inspect`.
#[derive(Debug, Args)]
pub(super) struct InspectArgs {
    /// Name or folder of the run, also of a champion that comes with the program: champion-nim,
    /// champion-bounded-nim, champion-reversi, champion-dots-and-boxes or champion-draughts.
    run: String,
    /// Generation of the champion [default: the latest].
    #[arg(long, value_name = "G")]
    generation: Option<u64>,
    #[command(flatten)]
    format: NetworkFormat,
    #[command(flatten)]
    saves: SavesOption,
}

/// The format in which a champion's network is printed.
#[derive(Clone, Copy, Debug, Args)]
#[group(multiple = false)]
struct NetworkFormat {
    /// Print the network as a Graphviz graph.
    #[arg(long)]
    dot: bool,
    /// Print the network as an SVG drawing.
    #[arg(long)]
    svg: bool,
    /// Print the network as JSON.
    #[arg(long)]
    json: bool,
}

/// Prints an overview of a saved run, or its champion's network in the given format.
pub(super) fn inspect(args: &InspectArgs) -> Result<(), CliError> {
    log::for_script()?;
    let (saves, run) = (&args.saves.open(), args.run.as_str());
    let saved = saves.champions(run)?;
    let Some(generation) = args.generation.or(saved.last().copied()) else {
        return print_lines(&overview(saves, run, &saved)?);
    };
    let champion = saves.champion(run, generation)?;
    let title = format!("{run} g{generation}");
    let graph = saves
        .run_file(run)?
        .preset_in(generation)
        .genome
        .network_graph(&champion.genome);
    match args.format {
        NetworkFormat { dot: true, .. } => output::print_data(&export::dot(&graph, &title)),
        NetworkFormat { svg: true, .. } => output::print_data(&export::svg(&graph, &title)),
        NetworkFormat { json: true, .. } => output::print_json(&export::json(&graph, &title)),
        _ => {
            let mut lines = overview(saves, run, &saved)?;
            lines.push(network(
                generation,
                champion.fitness,
                &champion.genome.topology(),
            ));
            print_lines(&lines)
        }
    }
}

fn overview(saves: &Saves, run: &str, saved: &[u64]) -> Result<Vec<String>, CliError> {
    let file = saves.run_file(run)?;
    let mut latest = None;
    let columns = saves.for_each_row(run, |_, row| latest = Some(row.clone()))?;
    let progress = if saves.can_resume(run)? {
        let loaded = saves.load(run)?;
        let (generation, seconds) = (loaded.state.generation, loaded.seconds);
        let total = file.preset.generations;
        format!("generation {generation} of {total}, {seconds:.1} s of work")
    } else {
        let played = latest.as_ref().map_or(0, |row| row.generation() + 1);
        let rest = if saved.is_empty() {
            "it has no checkpoint and no champions"
        } else {
            "its champions can be played, but it can't be resumed"
        };
        format!("{played} generations; {rest}")
    };
    let (preset, seed) = (&file.preset.name, file.seed);
    let mut lines = vec![format!("{run}: preset {preset}, seed {seed}, {progress}")];
    if let Some(row) = latest {
        lines.push("latest row:".to_owned());
        let values = columns.iter().zip(row.values());
        lines.extend(values.filter_map(|(name, value)| Some(format!("  {name} {}", (*value)?))));
    }
    let changes = file.interventions.iter();
    lines.extend(changes.map(|change| {
        format!(
            "changed at generation {}: {} from {} to {}",
            change.generation, change.key, change.from, change.to
        )
    }));
    let generations: Vec<String> = saved.iter().map(ToString::to_string).collect();
    lines.push(format!(
        "saved champions, by generation: {}",
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
