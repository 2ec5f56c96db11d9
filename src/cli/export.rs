//! What other programs read of a saved run: metrics, family trees, bundles, networks as ONNX
//! models.

use std::path::{Path, PathBuf};

use clap::{ArgGroup, Args};
use serde_json::json;

use finches_engine::games::input_plane::InputPlane;
use finches_engine::genomes::activation::Activation;
use finches_engine::genomes::{AnyGenome, IoSpec};
use finches_engine::params::Value;
use finches_engine::play::Arena;
use finches_engine::preset::Preset;
use finches_engine::session::measures::columns_named;
use finches_runs::storage::bundle;
use finches_runs::storage::export::with_network;
use finches_runs::storage::onnx::{ModelWords, write_onnx};
use finches_runs::storage::phylogeny;
use finches_runs::storage::saves::Saves;
use finches_runs::storage::tensorboard::EventFile;

use super::options::SavesOption;
use super::{CliError, log, output};

/// The arguments of `finches export`.
#[derive(Args, Clone, Debug)]
#[command(group = ArgGroup::new("of_generation").args(["onnx", "population"]))]
pub(super) struct ExportArgs {
    /// Name or folder of the run.
    run: String,
    /// Print one JSON object per generation instead of CSV.
    #[arg(long)]
    json: bool,
    /// Write a small bundle to a new folder: definition, metrics and champions. It can be played
    /// and graded but not resumed.
    #[arg(long, value_name = "DIR", conflicts_with = "json")]
    bundle: Option<PathBuf>,
    /// Write the network of the champion as an ONNX model, which other programs can run.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["json", "bundle"])]
    onnx: Option<PathBuf>,
    /// Generation of the champion, or of the population [default: the latest].
    #[arg(long, value_name = "G", requires = "of_generation")]
    generation: Option<u64>,
    /// Print the networks of all saved champions as JSON Lines, with their generations and fitness.
    #[arg(long, conflicts_with_all = ["json", "bundle", "onnx", "tensorboard"])]
    champions: bool,
    /// Print the networks of all members as JSON Lines: those that play next, or those of a saved
    /// generation.
    #[arg(long, conflicts_with_all = ["json", "bundle", "onnx", "tensorboard", "champions"])]
    population: bool,
    /// Write the metrics for TensorBoard, to a folder with the name of the run in this one.
    #[arg(long, value_name = "DIR", conflicts_with_all = ["json", "bundle", "onnx"])]
    tensorboard: Option<PathBuf>,
    #[command(flatten)]
    tree: TreeFormat,
    #[command(flatten)]
    saves: SavesOption,
}

/// How a family tree is printed, if it is.
#[derive(Args, Clone, Copy, Debug)]
#[group(
    multiple = false,
    conflicts_with_all = ["json", "bundle", "onnx", "tensorboard", "champions", "population"],
)]
struct TreeFormat {
    /// Print the family tree of the members that played the latest generation in the Newick format,
    /// with lengths in generations.
    #[arg(long)]
    newick: bool,
    /// Print these members and their ancestors that are kept as CSV in the artificial-life data
    /// standard for phylogenies.
    #[arg(long)]
    phylogeny: bool,
}

impl TreeFormat {
    /// Whether a family tree is to be printed.
    fn is_wanted(self) -> bool {
        self.newick || self.phylogeny
    }
}

/// `finches export`.
pub(super) fn export(args: &ExportArgs) -> Result<(), CliError> {
    log::for_script()?;
    let (saves, run) = (args.saves.open(), args.run.as_str());
    if args.tree.is_wanted() {
        return print_tree(&saves, run, args.tree);
    }
    if let Some(path) = &args.onnx {
        return export_onnx(&saves, run, args.generation, path);
    }
    if let Some(folder) = &args.tensorboard {
        return export_events(&saves, run, folder);
    }
    if args.champions {
        return print_champions(&saves, run);
    }
    if args.population {
        return print_population(&saves, run, args.generation);
    }
    match &args.bundle {
        Some(folder) => Ok(bundle::export(&saves, run, folder)?),
        None if args.json => print_json(&saves, run),
        None => output::print_data(&saves.metrics_text(run)?),
    }
}

/// Prints the metrics as JSON Lines.
fn print_json(saves: &Saves, run: &str) -> Result<(), CliError> {
    let mut columns = None;
    let mut printed = Ok(());
    saves.for_each_row(run, |names, row| {
        let columns = columns.get_or_insert_with(|| columns_named(names));
        if printed.is_ok() {
            printed = output::print_json(&(row.json(columns) + "\n"));
        }
    })?;
    printed
}

/// Prints a network as a line of JSON, after what it is.
fn print_network(
    facts: serde_json::Value,
    preset: &Preset,
    genome: &AnyGenome,
) -> Result<(), CliError> {
    let line = with_network(facts, &preset.genome.network_graph(genome));
    output::print_json(&format!("{line}\n"))
}

/// Prints the champions of a saved run.
fn print_champions(saves: &Saves, run: &str) -> Result<(), CliError> {
    let preset = saves.run_file(run)?.preset;
    for generation in saves.champions(run)? {
        let champion = saves.champion(run, generation)?;
        let facts = json!({"generation": generation, "fitness": champion.fitness});
        print_network(facts, &preset, &champion.genome)?;
    }
    Ok(())
}

/// Prints the members of a saved run that play next, or those of a saved generation.
fn print_population(saves: &Saves, run: &str, generation: Option<u64>) -> Result<(), CliError> {
    let (preset, generation, members) = if let Some(generation) = generation {
        let preset = saves.run_file(run)?.preset;
        (preset, generation, saves.population(run, generation)?)
    } else {
        let saved = saves.load(run)?;
        let state = saved.state;
        (saved.run.preset, state.generation, state.population.members)
    };
    for (place, member) in members.iter().enumerate() {
        let facts = json!({"generation": generation, "member": place});
        print_network(facts, &preset, member)?;
    }
    Ok(())
}

/// Prints the family tree of a saved run.
fn print_tree(saves: &Saves, run: &str, format: TreeFormat) -> Result<(), CliError> {
    let state = phylogeny::state_with_tree(saves, run)?;
    let tree = &state.population.phylogeny;
    output::print_data(&if format.newick {
        phylogeny::newick(tree, state.generation - 1)
    } else {
        phylogeny::csv(tree)
    })
}

/// Writes the metrics as an event file.
fn export_events(saves: &Saves, run: &str, folder: &Path) -> Result<(), CliError> {
    let (names, rows) = saves.metrics(run)?;
    let (file, name) = (saves.run_file(run)?, saves.folder(run)?);
    let name = name.file_name().unwrap_or_default().to_string_lossy();
    let began = (&file.preset, file.seed);
    let events = EventFile::open(folder, &name, &names, began)?;
    Ok(events.emptied()?.write(&rows)?)
}

/// Writes the network of a champion as an ONNX model.
fn export_onnx(
    saves: &Saves,
    run: &str,
    generation: Option<u64>,
    path: &Path,
) -> Result<(), CliError> {
    let latest = || saves.champions(run).map(|saved| saved.last().copied());
    let generation = match generation {
        Some(generation) => generation,
        None => latest()?.ok_or_else(|| {
            CliError::Failure(format!(
                "{run}: has no champion yet; resume it for a generation"
            ))
        })?,
    };
    let champion = saves.champion(run, generation)?;
    let file = saves.run_file(run)?;
    let preset = &file.preset_in(generation);
    let arena = preset
        .arena()
        .map_err(|error| CliError::Failure(format!("{run}: {error}")))?;
    let graph = preset.genome.ops(&champion.genome, arena.io_spec());
    let graph = graph.ok_or_else(|| {
        let kind = preset.genome.name();
        CliError::Failure(format!(
            "{run}: genomes of the kind `{kind}` do not say what they compute (Genome::ops), so \
            there is no ONNX model of them"
        ))
    })?;
    let names = input_names(arena.io_spec(), &arena.info().input_planes);
    let mut words = words(preset, &*arena, &names);
    let facts = [
        ("run", run.to_owned()),
        ("preset", preset.name.clone()),
        ("seed", file.seed.to_string()),
        ("generation", generation.to_string()),
        ("game", preset.game.name().to_owned()),
        ("genome", preset.genome.name().to_owned()),
        ("agent", preset.agent.name().to_owned()),
        ("inputs", json!(names).to_string()),
        (
            "input_scales",
            json!(input_scales(arena.io_spec())).to_string(),
        ),
        ("output_scale", json!(output_scale(preset)).to_string()),
    ];
    words.facts = facts.map(|(name, fact)| (name.to_owned(), fact)).into();
    words.about = format!(
        "The champion of generation {generation} of {run}, evolved by finches with the preset \
        {}.\n{}",
        preset.name, words.about
    );
    Ok(write_onnx(path, &graph, &words)?)
}

/// What the inputs and outputs are.
fn words(preset: &Preset, arena: &dyn Arena, names: &[String]) -> ModelWords {
    let inputs: Vec<String> = (0..)
        .zip(names)
        .map(|(input, name)| format!("{input}: {name}"))
        .collect();
    let mut about = format!(
        "The input is a position of the game `{}` in numbers, from the point of view of the side \
        that chooses a move.",
        preset.game.name()
    );
    let planes = &arena.info().input_planes;
    if planes.len() == 1 && planes[0].name.starts_with("own ") {
        about += " For those of the opponent, the numbers have the opposite sign.";
    }
    ModelWords {
        about: format!("{about}\n{}", inputs.join("\n")),
        input: about,
        output: format!(
            "How the agent `{}` plays with it: {}",
            preset.agent.name(),
            preset.agent.about()
        ),
        facts: Vec::new(),
    }
}

/// The lowest and the highest value of each raw input in a position, where they are known.
fn input_scales(io_spec: &IoSpec) -> Vec<Option<[f32; 2]>> {
    let inputs = &io_spec.inputs;
    let positions = io_spec.choice_counts.len();
    let scale = |input: usize| {
        if positions > 0 {
            return Some([0.0, positions as f32 - 1.0]);
        }
        let levels = inputs
            .levels
            .get(input)
            .map(|&levels| [0.0, f32::from(levels) - 1.0]);
        levels.or(inputs.whole.map(|most| [-f32::from(most), f32::from(most)]))
    };
    (0..inputs.raw_count()).map(scale).collect()
}

/// The lowest and the highest value of an output, as far as its function bounds it.
fn output_scale(preset: &Preset) -> [Option<f32>; 2] {
    let function = preset.param("genome.outputs");
    let function = function.and_then(|param| <Activation as Value>::parse(&param.value).ok());
    function.map_or([None; 2], Activation::range)
}

/// A name for each raw input.
fn input_names(io_spec: &IoSpec, planes: &[InputPlane]) -> Vec<String> {
    let mut names: Vec<String> = (0..io_spec.inputs.raw_count())
        .map(|input| format!("number {} of the encoding", input + 1))
        .collect();
    if !io_spec.choice_counts.is_empty() {
        return vec!["the number of the position".to_owned()];
    }
    for plane in planes {
        let squares = plane.squares.iter().zip(&plane.cells);
        let squares = squares.filter(|(_, inputs)| !inputs.is_empty());
        let squares: Vec<_> = squares.collect();
        if io_spec.inputs.projection.is_none() {
            for (square, inputs) in squares {
                for &(input, _) in inputs {
                    if let Some(name) = names.get_mut(input as usize) {
                        *name = format!("{} on {square}", plane.name);
                    }
                }
            }
        } else if names.len().is_multiple_of(squares.len().max(1)) {
            // The network adds up features: the squares, and once more for special pieces.
            let kinds = [
                plane.name.to_owned(),
                format!("{} that are special, such as kings,", plane.name),
            ];
            let all = kinds
                .iter()
                .flat_map(|kind| squares.iter().map(move |square| (kind, square.0)));
            for (name, (kind, square)) in names.iter_mut().zip(all) {
                *name = format!("{kind} on {square}");
            }
            break;
        }
    }
    names
}
