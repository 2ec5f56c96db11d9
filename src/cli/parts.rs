//! `finches parts`: every part that a preset can be made of, with its parameters and with the parts
//! beside which it needs more changes.

use finches_engine::agents::AgentConfig;
use finches_engine::evolution::crossover::CrossoverConfig;
use finches_engine::evolution::fitness::FitnessConfig;
use finches_engine::evolution::hall_of_fame::HallOfFameConfig;
use finches_engine::evolution::lifetime::LifetimeConfig;
use finches_engine::evolution::mutation::MutationConfig;
use finches_engine::evolution::pairing::PairingConfig;
use finches_engine::evolution::pretraining::PretrainingConfig;
use finches_engine::evolution::replacement::ReplacementConfig;
use finches_engine::evolution::restart::RestartConfig;
use finches_engine::evolution::selection::SelectionConfig;
use finches_engine::evolution::space::SpaceConfig;
use finches_engine::games::GameConfig;
use finches_engine::genomes::GenomeConfig;
use finches_engine::params::{Param, Params, suggest};
use finches_engine::preset::{DESCRIPTIONS, Preset};
use finches_runs::storage::presets;
use serde::Serialize;

use super::show::{choices, parameter, print_lines};
use super::{CliError, output};

/// What a preset has one part of.
#[derive(Serialize)]
pub(super) struct Kind {
    /// The path of the part in a preset.
    pub(super) key: &'static str,
    pub(super) parts: Vec<Part>,
    /// Whether its parts can be chosen.
    #[serde(skip)]
    is_choice: bool,
}

/// A part and its parameters.
#[derive(Serialize)]
pub(super) struct Part {
    pub(super) name: &'static str,
    pub(super) about: &'static str,
    #[serde(serialize_with = "schema")]
    pub(super) parameters: Vec<Param>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    misfits: Vec<Misfit>,
}

/// A part beside which another needs more changes, or can't be: no bundled preset is valid if both
/// are put in with their own parameters or their defaults.
#[derive(Serialize)]
struct Misfit {
    /// The path of the part in a preset.
    key: &'static str,
    part: &'static str,
    /// What the preset that is nearest to both says.
    reason: String,
}

/// A parameter in JSON.
#[derive(Serialize)]
struct ParameterSchema<'a> {
    key: &'a str,
    help: &'a str,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    choices: &'a [&'a str],
    limits: Option<(f64, f64)>,
    unit: &'a str,
    default: &'a str,
    live: bool,
}

fn schema<S: serde::Serializer>(params: &[Param], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(params.iter().map(|param| ParameterSchema {
        key: &param.key,
        help: &param.help,
        choices: choices(param),
        limits: param.limits,
        unit: param.unit,
        default: &param.default,
        live: param.live,
    }))
}

macro_rules! kinds {
    ($($key:literal => $config:ty;)+) => {
        [$( Kind {
            key: $key,
            parts: <$config>::all()
                .iter()
                .map(|part| Part::new(part.name(), part.about(), params_of(part)))
                .collect(),
            is_choice: true,
        } ),+]
    };
}

/// All that a preset is made of.
pub(super) fn kinds() -> Vec<Kind> {
    let mut kinds = Vec::from(kinds! {
        "game" => GameConfig;
        "genome" => GenomeConfig;
        "agent" => AgentConfig;
        "evolution.space" => SpaceConfig;
        "evolution.hall_of_fame" => HallOfFameConfig;
        "evolution.pairing" => PairingConfig;
        "evolution.fitness" => FitnessConfig;
        "evolution.selection" => SelectionConfig;
        "evolution.crossover" => CrossoverConfig;
        "evolution.mutation" => MutationConfig;
        "evolution.replacement" => ReplacementConfig;
        "evolution.restart" => RestartConfig;
        "evolution.lifetime" => LifetimeConfig;
        "evolution.pretraining" => PretrainingConfig;
    });
    let all = params_of(&Preset::default());
    for (key, about) in [
        ("evolution", "The population and its games."),
        ("measures", "What is measured and how often."),
        ("preset", "The length of a run, and its changes."),
    ] {
        let is_own = |param: &Param| match param.key.rsplit_once('.') {
            Some((group, _)) => group == key,
            None => key == "preset" && !DESCRIPTIONS.contains(&&*param.key),
        };
        let own = all.iter().filter(|param| is_own(param)).cloned();
        kinds.push(Kind {
            key,
            parts: vec![Part::new(key, about, own.collect())],
            is_choice: false,
        });
    }
    kinds
}

fn params_of(part: &impl Params) -> Vec<Param> {
    let mut params = Vec::new();
    part.visit("", &mut params);
    params
}

/// A part that a preset may have.
#[derive(Clone, Copy)]
struct ChosenPart {
    key: &'static str,
    name: &'static str,
}

impl ChosenPart {
    fn is_in(&self, preset: &Preset) -> bool {
        preset.choices().contains(&(self.key, self.name))
    }
}

impl Kind {
    /// The choice of a part; `None` if there is nothing to choose.
    fn choice(&self, part: &Part) -> Option<ChosenPart> {
        self.is_choice.then_some(ChosenPart {
            key: self.key,
            name: part.name,
        })
    }
}

impl Part {
    fn new(name: &'static str, about: &'static str, parameters: Vec<Param>) -> Self {
        Self {
            name,
            about,
            parameters,
            misfits: Vec::new(),
        }
    }
}

/// Presets in which parts are tried: one for each game, genome and agent that a bundled preset
/// joins.
struct Trials(Vec<Preset>);

impl Trials {
    fn new() -> Result<Self, CliError> {
        let mut trials: Vec<Preset> = Vec::new();
        let joined = |it: &Preset| (it.game.name(), it.genome.name(), it.agent.name());
        for name in presets::names() {
            let preset = presets::load(name)?;
            if trials.iter().all(|known| joined(known) != joined(&preset)) {
                trials.push(preset);
            }
        }
        Ok(Self(trials))
    }

    /// Why no preset takes both parts as they are, if none does.
    fn misfit(&self, both: [ChosenPart; 2]) -> Option<Misfit> {
        let missing = |preset: &Preset| both.iter().filter(|one| !one.is_in(preset)).count();
        let mut trials: Vec<&Preset> = self.0.iter().collect();
        trials.sort_by_key(|preset| missing(preset));
        let mut reason = None;
        for trial in trials {
            let mut preset = trial.clone();
            let mut problem = None;
            for one in both.iter().filter(|one| !one.is_in(trial)) {
                problem = problem.or(preset.change(one.key, one.name).err());
            }
            let problem = problem.or_else(|| preset.problems().into_iter().next())?;
            reason.get_or_insert_with(|| format!("{problem} (in {})", trial.name));
        }
        Some(Misfit {
            key: both[1].key,
            part: both[1].name,
            reason: reason?,
        })
    }

    /// The parts of other kinds beside which a part is in no valid preset.
    fn misfits(&self, kinds: &[Kind], part: ChosenPart) -> Vec<Misfit> {
        let others = kinds.iter().filter(|other| other.key != part.key);
        let others = others.flat_map(|kind| kind.parts.iter().filter_map(|it| kind.choice(it)));
        others
            .filter_map(|other| self.misfit([part, other]))
            .collect()
    }
}

/// Prints all parts, or those of a name or kind with all that is known of them.
pub(super) fn parts(name: Option<&str>, is_json: bool) -> Result<(), CliError> {
    let all = kinds();
    let mut wanted = kinds();
    if let Some(name) = name {
        for kind in &mut wanted {
            let is_kind = kind.key == name || kind.key.ends_with(&format!(".{name}"));
            kind.parts.retain(|part| is_kind || part.name == name);
        }
        wanted.retain(|kind| !kind.parts.is_empty());
        if wanted.is_empty() {
            let parts = all.iter().flat_map(|kind| &kind.parts);
            let parts = parts.map(|part| part.name);
            let kinds = all.iter().filter_map(|kind| kind.key.rsplit('.').next());
            let known: Vec<&str> = parts.chain(kinds).collect();
            let hint = suggest(name, &known);
            let message = format!("there is no part `{name}`; {hint}");
            return Err(CliError::Usage(message));
        }
    }
    if name.is_some() || is_json {
        let trials = Trials::new()?;
        for kind in &mut wanted {
            let choices = kind.parts.iter().map(|part| kind.choice(part));
            let misfits = choices.map(|choice| Some(trials.misfits(&all, choice?)));
            let misfits: Vec<Option<Vec<Misfit>>> = misfits.collect();
            for (part, misfits) in kind.parts.iter_mut().zip(misfits) {
                part.misfits = misfits.unwrap_or_default();
            }
        }
    }
    if is_json {
        let text = serde_json::to_string_pretty(&wanted).expect("text and numbers fit JSON");
        return output::print_json(&(text + "\n"));
    }
    let in_full = |kind: &Kind| kind.parts.iter().flat_map(|it| in_full(kind, it)).collect();
    let lines: Vec<Vec<String>> = match name {
        Some(_) => wanted.iter().map(in_full).collect(),
        None => wanted.iter().map(in_short).collect(),
    };
    print_lines(&lines.concat())
}

/// The parts of a kind, a line each.
fn in_short(kind: &Kind) -> Vec<String> {
    let width = kind.parts.iter().map(|part| part.name.len()).max();
    let line = |part: &Part| format!("  {:1$}  {2}", part.name, width.unwrap_or(0), part.about);
    let parts = kind.parts.iter().map(line);
    [kind.key.to_owned()].into_iter().chain(parts).collect()
}

/// All of a part: what it is, its parameters, and beside what it needs more.
fn in_full(kind: &Kind, part: &Part) -> Vec<String> {
    let mut lines = vec![
        format!("{} ({})", part.name, kind.key),
        part.about.to_owned(),
    ];
    lines.extend(part.parameters.iter().map(parameter));
    if !part.misfits.is_empty() {
        lines.push("It needs more, or can't be, with:".to_owned());
    }
    let misfit = |it: &Misfit| format!("  {} {}: {}", it.key, it.part, it.reason);
    lines.extend(part.misfits.iter().map(misfit));
    lines.push(String::new());
    lines
}
