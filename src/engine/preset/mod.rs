//! A preset: all parameters of a run except its seed. Reading a preset file reports all errors at
//! once with their positions and checks that the parts fit together.

use std::sync::Arc;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use thiserror::Error;

use crate::agents::{AgentConfig, PolicyHead};
use crate::evolution::EvolutionConfig;
use crate::games::GameConfig;
use crate::genomes::GenomeConfig;
use crate::metrics::stop_condition::StopCondition;
use crate::params::{Param, ParamError, Params, RonSource, params, suggest};
use crate::play::match_setup::PlayerConfig;
use crate::play::{self, Arena, TrainingError, features};
use crate::text::one_line;

pub use self::measures::MeasuresConfig;
pub use self::schedule::Intervention;

mod measures;
mod schedule;

params! {
    /// A run without its seed.
    pub struct Preset {
        /// The name of the preset; for a preset file it is the file name.
        fixed name: String = String::new();
        /// A description in one line: what is special in a few words, a colon, and the rest.
        fixed about: String = String::new();
        /// The preset that gives everything which the file does not name, but descriptions: a
        /// bundled one, or a .ron file beside this one; may be empty.
        fixed base: String = String::new();
        /// The publication and section that the preset reproduces; may be empty.
        fixed source: String = String::new();
        /// The published result in one line; may be empty.
        fixed published: String = String::new();
        /// A published value of a column, such as `vs_random=0.9`, drawn in the charts; that of
        /// `generation` is when the target was met; may be empty.
        fixed reported: String = String::new();
        /// Where the preset differs from the publication on purpose, a sentence or two each.
        fixed differs: Vec<String> = Vec::new();
        /// What the publication leaves open and how the preset settles it, a sentence or two each.
        fixed settled: Vec<String> = Vec::new();
        /// Number of generations, from 0 to one less than this number.
        live generations: u64 = 1000, in 1.0..=MAX_GENERATIONS as f64, "generations";
        /// Condition that stops the run earlier, such as `accuracy_states>=1`; may be empty.
        fixed until: String = String::new();
        /// Changes of live parameters during the run, each with the first generation that it holds
        /// for, such as "200: step=0.5". A new population is there one generation later.
        fixed schedule: Vec<String> = Vec::new();
        /// Generations per second on screen at the start of a run; `None` is full speed. The
        /// nearest of 1, 2, 5, 10, 25, 50, 100, 250 and 500 is taken.
        fixed pace: Option<f64> = None, in 1.0..=500.0, "generations/s";
        /// The game that is played.
        part game: GameConfig = GameConfig::all().remove(0);
        /// What is inherited and mutated.
        part genome: GenomeConfig = GenomeConfig::all().remove(0);
        /// How the outputs of a network become a move.
        part agent: AgentConfig = AgentConfig::all().remove(0);
        /// How one population follows from another.
        part evolution: EvolutionConfig = EvolutionConfig::default();
        /// What is measured and how often.
        part measures: MeasuresConfig = MeasuresConfig::default();
    }
}

/// The parameters that only describe a preset.
pub const DESCRIPTIONS: [&str; 8] = [
    "name",
    "about",
    "base",
    "source",
    "published",
    "reported",
    "differs",
    "settled",
];

/// Most generations of a run.
pub const MAX_GENERATIONS: u64 = 1_000_000_000;

/// Most characters in the name of a preset.
const LONGEST_NAME: usize = 100;

/// Most problems that an error message lists.
const MAX_PROBLEMS: usize = 50;

/// All errors of an invalid preset.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{}", self.text())]
pub struct PresetError {
    /// The file or preset with the errors.
    pub origin: String,
    /// All of them, in the order of the file.
    pub problems: Vec<ParamError>,
}

impl PresetError {
    fn text(&self) -> String {
        let line = |problem: &ParamError| match problem.position {
            Some(_) => format!("{}:{problem}", self.origin),
            None => format!("{}: {problem}", self.origin),
        };
        let shown = self.problems.iter().take(MAX_PROBLEMS);
        let mut lines: Vec<String> = shown.map(line).collect();
        let more = self.problems.len() - lines.len();
        if more > 0 {
            lines.push(format!("{}: and {more} more problems", self.origin));
        }
        lines.join("\n")
    }
}

impl Preset {
    /// What the members of a run play with.
    pub fn player_config(&self) -> PlayerConfig<'_> {
        PlayerConfig {
            game: &self.game,
            genome: &self.genome,
            agent: &self.agent,
            learning: self.evolution.lifetime.learning(),
        }
    }

    /// What the runs depend on: the preset without its descriptions and its pace on screen.
    #[must_use]
    pub fn without_descriptions(&self) -> Self {
        Self {
            name: self.name.clone(),
            generations: self.generations,
            until: self.until.clone(),
            schedule: self.schedule.clone(),
            game: self.game.clone(),
            genome: self.genome.clone(),
            agent: self.agent.clone(),
            evolution: self.evolution.clone(),
            measures: self.measures.clone(),
            ..Self::default()
        }
    }

    /// The arena of its game and agent, where members play with what they have learned.
    pub fn arena(&self) -> Result<Arc<dyn Arena>, TrainingError> {
        let learning = self.evolution.lifetime.learning();
        play::build_with_lessons(&self.game, &self.agent, learning)
    }

    /// Reads and checks a preset file; `origin` is its name in error messages, `name` the name of
    /// the preset.
    pub fn parse(text: &str, name: &str, origin: &str) -> Result<Self, PresetError> {
        let (preset, problems) = Self::parse_over(None, text, name);
        preset.into_result(origin, problems)
    }

    /// Reads and checks a preset file as far as it can be read. What it does not name is that of
    /// `base`, but for descriptions, or the default.
    pub fn parse_over(base: Option<&Self>, text: &str, name: &str) -> (Self, Vec<ParamError>) {
        let (mut preset, source) = match base {
            None => (Self::default(), RonSource::file(text)),
            Some(base) => {
                let pace = base.pace;
                let base = base.without_descriptions();
                (Self { pace, ..base }, RonSource::over_base(text))
            }
        };
        let mut problems = Vec::new();
        preset.read(source, &mut problems);
        preset.game = preset.game.made_finite();
        name.clone_into(&mut preset.name);
        if problems.is_empty() {
            problems = preset.problems();
        }
        (preset, problems)
    }

    /// The preset, or the errors if there are any.
    pub fn into_result(self, origin: &str, problems: Vec<ParamError>) -> Result<Self, PresetError> {
        let origin = origin.to_owned();
        if problems.is_empty() {
            Ok(self)
        } else {
            Err(PresetError { origin, problems })
        }
    }

    /// All errors, from single limits to parts that do not fit together.
    pub fn problems(&self) -> Vec<ParamError> {
        let own = self.params().into_iter().filter_map(|param| {
            param
                .problem
                .map(|problem| ParamError::new(param.key, problem))
        });
        let mut problems: Vec<ParamError> = own.collect();
        problems.extend(self.name_problem());
        problems.extend(self.parse_stop_condition().err());
        if !self.reported.is_empty() && self.reported_value().is_none() {
            let problem = "is not COLUMN=NUMBER, such as vs_random=0.9";
            problems.push(ParamError::new("reported", problem.to_owned()));
        }
        let parts = [
            ("game", self.game.problems()),
            ("genome", self.genome.problems()),
            ("evolution", self.evolution.problems()),
        ];
        for (part, errors) in parts {
            problems.extend(errors.into_iter().map(|problem| problem.under(part)));
        }
        if problems.is_empty() {
            problems = self.incompatibilities();
        }
        if problems.is_empty() && !self.schedule.is_empty() {
            problems.extend(self.scheduled().err());
        }
        problems
    }

    /// What is wrong with the name. Names of files and folders are made from it.
    fn name_problem(&self) -> Option<ParamError> {
        let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.');
        let is_valid = self.name.chars().all(is_plain)
            && !self.name.starts_with(['.', '-'])
            && self.name.chars().count() <= LONGEST_NAME;
        let message = || {
            format!(
                "must be at most {LONGEST_NAME} letters, digits, `-`, `_` and `.`, the first of \
                them a letter, a digit or `_`, is `{}`; rename the file of the preset",
                one_line(&self.name)
            )
        };
        (!is_valid).then(|| ParamError::new("name", message()))
    }

    /// The condition that stops a run before its last generation, if there is one.
    pub fn stop_condition(&self) -> Option<StopCondition> {
        self.parse_stop_condition().ok().flatten()
    }

    /// The column with a published value, and the value.
    pub fn reported_value(&self) -> Option<(&str, f64)> {
        let (column, value) = self.reported.split_once('=')?;
        Some((column.trim(), value.trim().parse().ok()?))
    }

    fn parse_stop_condition(&self) -> Result<Option<StopCondition>, ParamError> {
        let text = self.until.trim();
        let parsed = (!text.is_empty())
            .then(|| StopCondition::parse(text))
            .transpose();
        parsed.map_err(|problem| ParamError::new("until", problem.to_string()))
    }

    /// Errors of parts that are valid by themselves but do not fit together.
    fn incompatibilities(&self) -> Vec<ParamError> {
        let limits = self.game.differences(&self.game.made_finite());
        let endless = (!limits.is_empty()).then(|| {
            let limits = limits.join(" ");
            let message = format!("may never end, because no rule ends it in a draw; try {limits}");
            ParamError::new("game", message)
        });
        let opponents = self.evolution.references().iter();
        let unknown_opponents = opponents
            .filter_map(|name| play::reference_by_name(&self.game, name).err())
            .map(|problem| ParamError::new("evolution.pairing.opponent", problem.to_string()));
        let mut problems: Vec<ParamError> = endless
            .into_iter()
            .chain(unknown_opponents)
            .chain(self.unknown_features())
            .chain(self.supervision_problems())
            .chain(self.self_play_problems())
            .chain(self.missing_sensitivities())
            .chain(self.missing_growth())
            .chain(self.missing_grades())
            .collect();
        match play::io_spec(&self.game, &self.agent) {
            Ok(io_spec) => {
                let misfits = self.genome.io_problems(&io_spec).into_iter();
                problems.extend(misfits.map(|problem| problem.under("genome")));
                if problems.is_empty() {
                    problems.extend(self.evolution.number_problem(&self.genome, &io_spec));
                }
            }
            Err(problem) => problems.push(ParamError::new("agent", problem.to_string())),
        }
        problems
    }

    /// Errors of features that do not exist.
    fn unknown_features(&self) -> impl Iterator<Item = ParamError> {
        let features = self.evolution.replacement.features().into_iter();
        let unknown = features
            .filter_map(|(key, name)| features::named(name).err().map(|error| (key, error)));
        unknown.map(|(key, error)| ParamError::new(key, error).under("evolution.replacement"))
    }

    /// Errors of supervised training: an unknown teacher, or genomes that can't learn.
    fn supervision_problems(&self) -> Vec<ParamError> {
        let mutation = self.evolution.supervision();
        let mutation = mutation.map(|taught| ("evolution.mutation.teacher", &taught.teacher));
        let lifetime = self.evolution.lifetime.learning();
        let lifetime = lifetime.map(|taught| ("evolution.lifetime.teacher", &taught.teacher));
        let teachers = mutation.into_iter().chain(lifetime);
        let unknown = teachers.clone().filter_map(|(key, teacher)| {
            let problem = play::reference_by_name(&self.game, teacher).err()?;
            Some(ParamError::new(key, problem.to_string()))
        });
        let message = "can't be trained; try mlp with a differentiable activation, such as \
            sigmoid, and without symmetric weights";
        let cannot_learn =
            teachers.clone().next().is_some() && self.genome.capabilities().training.is_none();
        let learners = cannot_learn.then(|| ParamError::new("genome", message));
        unknown.chain(learners).collect()
    }

    /// Errors if members learn from games, but can't learn, or value no positions.
    fn self_play_problems(&self) -> impl Iterator<Item = ParamError> {
        let (genome, agent) = (self.genome.name(), self.agent.name());
        let message = if self.agent.policy_head() != PolicyHead::StateValue {
            format!("needs a network that values positions, but agent is `{agent}`; try one_ply")
        } else if self.genome.capabilities().training.is_none() {
            format!("needs a genome that can be trained, but genome is `{genome}`; try n_tuples")
        } else {
            String::new()
        };
        let evolution = &self.evolution;
        let learners = [
            ("evolution.pretraining", evolution.pretraining.learning()),
            ("evolution.lifetime", evolution.lifetime.self_play()),
        ];
        let learners = learners
            .into_iter()
            .filter(|(_, learning)| learning.is_some());
        let wrong = learners.filter(|_| !message.is_empty());
        let wrong: Vec<ParamError> = wrong
            .map(|(key, _)| ParamError::new(key, message.clone()))
            .collect();
        wrong.into_iter()
    }

    /// An error if mutation needs gradients that the outputs do not have.
    fn missing_sensitivities(&self) -> Option<ParamError> {
        let mutation = &self.evolution.mutation;
        let gradients = self.genome.capabilities().gradients;
        let is_missing = mutation.needs_sensitivities() && gradients.is_none();
        let (mutation, genome) = (mutation.name(), self.genome.name());
        is_missing.then(|| {
            let message = format!(
                "is `{mutation}`, but the outputs of genome `{genome}` have no \
                gradients; try genome: mlp (or modules, in dots and boxes) without threshold nodes \
                or symmetric weights, or mutation: safe"
            );
            ParamError::new("evolution.mutation", message)
        })
    }

    /// An error if restarts depend on growth, which is not measured.
    fn missing_growth(&self) -> Option<ParamError> {
        let is_missing =
            self.evolution.restart.limit().is_some() && self.measures.growth_games == 0;
        let message = "needs the growth of the champion, which is not measured; try growth_games=6";
        is_missing.then(|| ParamError::new("evolution.restart", message))
    }

    /// An error if fitness is by grades of moves that no exact player can give.
    fn missing_grades(&self) -> Option<ParamError> {
        let evolution = &self.evolution;
        let can_grade = || {
            let is_sure = self.agent.is_deterministic() && evolution.random_moves == 0.0;
            is_sure
                && evolution.references().is_empty()
                && self.arena().is_ok_and(|arena| arena.info().is_enumerated)
        };
        let message = "is `graded`, which needs a game whose positions can all be enumerated, an \
            agent without chance, random_moves of 0 and no reference players; try the game \
            nim(heaps: [4, 4])";
        let is_missing = evolution.fitness.needs_grades() && !can_grade();
        is_missing.then(|| ParamError::new("evolution.fitness", message))
    }

    /// The preset with changed parameters, given as key and value; all errors are reported at once.
    pub fn with(&self, changes: &[(String, String)]) -> Result<Self, PresetError> {
        let mut preset = self.clone();
        let mut problems = Vec::new();
        for (key, value) in changes {
            problems.extend(preset.change(key, value).err());
        }
        if changes.iter().any(|(key, _)| key == "game") {
            preset.game = preset.game.made_finite();
        }
        if problems.is_empty() {
            problems = preset.problems();
        }
        preset.into_result(&self.name, problems)
    }

    /// Changes one parameter, given by its path or by its last word if that is unique. The preset
    /// as a whole is not checked.
    pub fn change(&mut self, key: &str, text: &str) -> Result<(), ParamError> {
        let key = self.full_key(key)?;
        self.set(&key, text)
    }

    /// The descriptions of all parameters. The population is live only if members have no places of
    /// their own.
    pub fn params(&self) -> Vec<Param> {
        let mut params = Vec::new();
        self.visit("", &mut params);
        if self.evolution.resize_problem().is_some() {
            let population = params.iter_mut().filter(|param| param.key == POPULATION);
            population.for_each(|param| param.live = false);
        }
        params
    }

    /// The description of one parameter by its full key.
    pub fn param(&self, key: &str) -> Option<Param> {
        self.params().into_iter().find(|param| param.key == key)
    }

    /// The parts that are one of several, by their keys, with the names of those it has.
    pub fn choices(&self) -> [(&'static str, &'static str); 14] {
        let evolution = &self.evolution;
        [
            ("game", self.game.name()),
            ("genome", self.genome.name()),
            ("agent", self.agent.name()),
            ("evolution.space", evolution.space.name()),
            ("evolution.hall_of_fame", evolution.hall_of_fame.name()),
            ("evolution.pairing", evolution.pairing.name()),
            ("evolution.fitness", evolution.fitness.name()),
            ("evolution.selection", evolution.selection.name()),
            ("evolution.crossover", evolution.crossover.name()),
            ("evolution.mutation", evolution.mutation.name()),
            ("evolution.replacement", evolution.replacement.name()),
            ("evolution.restart", evolution.restart.name()),
            ("evolution.lifetime", evolution.lifetime.name()),
            ("evolution.pretraining", evolution.pretraining.name()),
        ]
    }

    /// The full key of a parameter or a part, given by its path or by its last word if that is
    /// unique.
    pub fn full_key(&self, key: &str) -> Result<String, ParamError> {
        let parts = self.choices().map(|(key, _)| key).into_iter();
        let parts: Vec<&str> = parts.chain(["evolution", "measures"]).collect();
        let params = self.params();
        let keys: Vec<&str> = params.iter().map(|param| param.key.as_str()).collect();
        if keys.contains(&key) || parts.contains(&key) {
            return Ok(key.to_owned());
        }
        let suffix = format!(".{key}");
        let all = keys.iter().chain(&parts);
        let matching: Vec<&&str> = all.filter(|full| full.ends_with(&suffix)).collect();
        match matching[..] {
            [one] => Ok((*one).to_owned()),
            [] => Err(unknown(key, &keys)),
            _ => Err(ParamError::new(
                key,
                format!("could be any of {matching:?}; give the whole path"),
            )),
        }
    }

    /// Whether the whole population of a generation is saved.
    pub fn saves_population(&self, generation: u64) -> bool {
        let every = u64::from(self.measures.keep_every);
        every > 0 && generation.is_multiple_of(every)
    }

    /// Whether the champion of a generation is measured against the reference players.
    pub fn measures_champion(&self, generation: u64) -> bool {
        generation.is_multiple_of(u64::from(self.measures.every))
    }

    /// Whether the whole population of a generation is measured against the reference players.
    pub fn measures_population(&self, generation: u64) -> bool {
        let measures = &self.measures;
        let every = u64::from(measures.every) * u64::from(measures.population_every);
        measures.population_games > 0 && generation.is_multiple_of(every)
    }
}

/// An error for an unknown key that suggests the nearest path or last word.
fn unknown(key: &str, keys: &[&str]) -> ParamError {
    let last = |full: &&str| full.rsplit('.').next().unwrap_or("").to_owned();
    let words: Vec<String> = keys.iter().map(last).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let near = if key.contains('.') {
        suggest(key, keys)
    } else {
        suggest(key, &words)
    };
    let hint = if near.starts_with("did") {
        near
    } else {
        "`finches presets NAME` lists them all".to_owned()
    };
    ParamError::new(key, format!("there is no such parameter; {hint}"))
}

impl<'de> Deserialize<'de> for Preset {
    /// Reads a preset inside another file with the reader of preset files. Generated readers of all
    /// parts would be a sizable share of the program.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = Box::<ron::value::RawValue>::deserialize(deserializer)?;
        let (mut preset, mut problems) = (Self::default(), Vec::new());
        preset.read(RonSource::file(text.get_ron()), &mut problems);
        problems.extend(preset.name_problem());
        let problems: Vec<String> = problems.iter().map(ToString::to_string).collect();
        if problems.is_empty() {
            Ok(preset)
        } else {
            Err(D::Error::custom(problems.join("; ")))
        }
    }
}

/// The key of the number of members.
const POPULATION: &str = "evolution.population";

/// The key of the number of generations.
pub const GENERATIONS: &str = "generations";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::to_ron;

    fn check_errors(text: &str, expected: &[&str]) {
        let errors = Preset::parse(text, "test", "test.ron")
            .expect_err("it is invalid")
            .to_string();
        assert_eq!(errors.lines().collect::<Vec<_>>(), expected);
    }

    #[test]
    fn all_errors_are_reported_with_their_paths() {
        check_errors(
            "(\n evolution: (\n  population: 10,\n  pairing: circular(opponents: 6),\n  \
            replacement: shares(elites: 10, immigrant_share: 0.7, past_share: 0.4),\n ),\n game: \
            nim(heaps: []),\n genome: graph(min_mutations: 3),\n)",
            &[
                "test.ron: game.heaps: must list 1 to 20 heaps, lists 0",
                "test.ron: genome.min_mutations: must not be above max_mutations (1), is 3",
                "test.ron: evolution.pairing.opponents: must be at most half the population (5), \
                is 6",
                "test.ron: evolution.replacement.elites: must be below the population (10), is 10",
                "test.ron: evolution.replacement.past_share: together with random_share and \
                immigrant_share must be at most 1, is 1.1",
            ],
        );
        check_errors(
            "(\n game: nym(),\n generations: 0,\n)",
            &[
                "test.ron:2:8: game: there is no `nym`; did you mean `nim`?",
                "test.ron:3:15: generations: must be from 1 to 1000000000, is 0",
            ],
        );
        check_errors(
            "(until: \"accuracy_states>1\")",
            &[
                "test.ron: until: `accuracy_states>1` is not a condition; write COLUMN>=NUMBER or \
                COLUMN<=NUMBER, such as accuracy_states>=0.99",
            ],
        );
    }

    #[test]
    fn names_that_are_no_plain_file_names_are_refused() {
        let parse = |name: &str| Preset::parse("()", name, "test.ron");
        for name in ["", "nim-2x4", "Mühle_2.1", "7", &"a".repeat(100)] {
            assert!(parse(name).is_ok(), "{name}");
        }
        let long = "a".repeat(101);
        for name in [
            "../victim",
            "/tmp/x",
            ".hidden",
            "-rf",
            "a b",
            "a;b",
            "a\u{1b}]0;x\u{7}",
            "a\u{202e}b",
            &long,
        ] {
            let error = parse(name).expect_err("it is not plain").to_string();
            assert!(
                error.starts_with("test.ron: name: must be at most 100"),
                "{error}"
            );
            assert!(!error.contains(['\u{1b}', '\u{202e}']), "{error}");
        }
        let named = Preset {
            name: "../victim".to_owned(),
            ..Preset::default()
        };
        let text = to_ron(&vec![named]);
        let read = crate::params::notation().from_str::<Vec<Preset>>(&text);
        let error = read.expect_err("a save is no better").to_string();
        assert!(error.contains("name: must be at most 100"), "{error}");
    }

    #[test]
    fn many_errors_are_counted_quickly() {
        let fields = (0..60_000).map(|index| format!("f{}: 1,", index % 40_000));
        let text = format!("({})", fields.collect::<String>());
        let error = Preset::parse(&text, "test", "test.ron").expect_err("it is invalid");
        assert_eq!(error.problems.len(), 80_000);
        let last = error.problems.last().and_then(|problem| problem.position);
        assert_eq!(last.map(|(line, _)| line), Some(1));
        let error = error.to_string();
        assert_eq!(error.lines().count(), MAX_PROBLEMS + 1);
        assert!(error.ends_with("and 79950 more problems"), "{error}");
    }

    fn check_set(key: &str, value: &str, expected: &str) {
        let change = (key.to_owned(), value.to_owned());
        let preset = Preset {
            name: "p".to_owned(),
            ..Preset::default()
        };
        let answer = preset
            .with(&[change])
            .map_or_else(|error| error.to_string(), |preset| format!("{preset:?}"));
        assert!(answer.contains(expected), "{key}={value} gave {answer}");
    }

    #[test]
    fn parameters_are_found_by_path_or_last_word() {
        check_set("genome.add_node", "2.5", "add_node: 2.5");
        check_set("add_node", "2.5", "add_node: 2.5");
        check_set("clamp", "None", "clamp: None");
        check_set("clamp", "3", "clamp: Some(3.0)");
        check_set("agent", "one_ply", "OnePly");
        check_set("heaps", "[1, 2, 3]", "heaps: [1, 2, 3]");
        check_set("grading", "safe", "Safe");
        check_set(
            "ad_node",
            "1",
            "p: ad_node: there is no such parameter; did you mean `add_node`?",
        );
        check_set(
            "add_node",
            "-1",
            "p: genome.add_node: must be from 0 to 1000, is -1",
        );
        check_set("grading", "kind", "p: game.grading: `kind` is not valid");
    }

    #[test]
    fn only_live_parameters_can_be_changed_and_only_to_valid_values() {
        let mut preset = Preset::default();
        assert_eq!(
            preset.change_live("add_node", "3"),
            Ok("genome.add_node".to_owned())
        );
        let fixed = preset
            .change_live("until", "")
            .expect_err("the target is fixed");
        assert!(fixed.to_string().contains("can't be changed during a run"));
        let unsound = preset
            .change_live("opponents", "51")
            .expect_err("that is more than half the population");
        assert!(
            unsound.to_string().contains("half the population (50)"),
            "{unsound}"
        );
    }

    #[test]
    fn a_preset_reads_back_from_its_own_text() {
        let preset = Preset::default();
        let text = crate::params::notation()
            .to_string_pretty(&preset, ron::ser::PrettyConfig::default())
            .expect("it can be written");
        assert_eq!(Preset::parse(&text, "", "test"), Ok(preset));
    }

    #[test]
    fn presets_inside_another_file_read_back() {
        let named = |name: &str, about: &str| Preset {
            name: name.to_owned(),
            about: about.to_owned(),
            ..Preset::default()
        };
        let presets = vec![named("a", ""), named("b", "c, (\"d\")")];
        let notation = crate::params::notation();
        let text = notation.to_string(&presets).expect("it can be written");
        assert_eq!(notation.from_str(&text), Ok(presets));
        let damaged = text.replacen("population:", "populations:", 1);
        let error = notation.from_str::<Vec<Preset>>(&damaged);
        let error = error.expect_err("there is no such parameter").to_string();
        assert!(error.contains("populations"), "{error}");
    }
}
