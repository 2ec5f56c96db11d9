//! A preset: everything that makes a run but its seed. It is read with all its faults reported at once, each with its
//! place, and checked as a whole.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::agents::AgentConfig;
use crate::arena;
use crate::evolution::EvolutionConfig;
use crate::games::GameConfig;
use crate::genomes::GenomeConfig;
use crate::metrics::until::Until;
use crate::params::{Param, Params, Part, Problem, params, suggest};

params! {
    /// What is measured, and how often.
    pub struct MeasuresConfig {
        /// Games of the champion against earlier champions spread over the run, each opponent once from each side.
        live tournament_games: u32 = 50, in 0.0..=10000.0, "games";
        /// Held-out games against each reference player, both sides from each position.
        live held_out_games: u32 = 200, in 2.0..=100000.0, "games";
        /// Held-out games of each member against each reference player, for columns about the whole population; 0 leaves these columns out.
        fixed population_games: u32 = 0, in 0.0..=100000.0, "games";
        /// Games of the champion against each of the champions of the five generations before, for its growth; 0 leaves that out.
        fixed growth_games: u32 = 0, in 0.0..=10000.0, "games";
        /// Generations from one measurement against the reference players to the next.
        live every: u32 = 10, in 1.0..=100000.0, "generations";
        /// Generations from one population that is kept whole to the next, generation 0 included; 0 keeps none. What is kept is graded against the population of generation 0 and against fresh networks.
        fixed keep_every: u32 = 0, in 0.0..=1000000.0, "generations";
        /// Games of each of the two gradings of a kept population.
        live grading_games: u32 = 4000, in 2.0..=1000000.0, "games";
    }
}

params! {
    /// A run without its seed.
    pub struct Preset {
        /// The preset's name; in a file of its own it is the file's name.
        fixed name: String = String::new();
        /// What it shows, in one line.
        fixed about: String = String::new();
        /// The publication and the place in it, or nothing.
        fixed source: String = String::new();
        /// What the publication reports, in one line, or nothing.
        fixed published: String = String::new();
        /// The generation at which a run stops: rows 0 to one less.
        live generations: u64 = 1000, in 1.0..=1000000000.0, "generations";
        /// The target at which a run stops before that, such as `accuracy_states>=1`; empty where there is none.
        fixed until: String = String::new();
        part game: GameConfig = GameConfig::all().remove(0);
        part genome: GenomeConfig = GenomeConfig::all().remove(0);
        part agent: AgentConfig = AgentConfig::all().remove(0);
        part evolution: EvolutionConfig = EvolutionConfig::default();
        part measures: MeasuresConfig = MeasuresConfig::default();
    }
}

/// A preset that can't be used: every fault, with its place.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{}", self.text())]
pub struct BadPreset {
    /// The file or preset the faults are in.
    pub origin: String,
    pub problems: Vec<Problem>,
}

impl BadPreset {
    fn text(&self) -> String {
        let lines = self.problems.iter().map(|problem| match problem.place {
            Some(_) => format!("{}:{problem}", self.origin),
            None => format!("{}: {problem}", self.origin),
        });
        lines.collect::<Vec<_>>().join("\n")
    }
}

impl Preset {
    /// Reads and checks a preset file; `origin` names it in messages, `name` is the preset's.
    pub fn parse(text: &str, name: &str, origin: &str) -> Result<Self, BadPreset> {
        let mut preset = Self::default();
        let mut problems = Vec::new();
        preset.read(Part::file(text), &mut problems);
        name.clone_into(&mut preset.name);
        if problems.is_empty() {
            problems = preset.problems();
        }
        preset.accept(origin, problems)
    }

    /// Passes on a preset without problems.
    fn accept(self, origin: &str, problems: Vec<Problem>) -> Result<Self, BadPreset> {
        let origin = origin.to_owned();
        if problems.is_empty() {
            Ok(self)
        } else {
            Err(BadPreset { origin, problems })
        }
    }

    /// All that is wrong, from single limits to parts that do not go together.
    pub fn problems(&self) -> Vec<Problem> {
        let own = self
            .params()
            .into_iter()
            .filter_map(|param| param.fault.map(|fault| Problem::new(param.key, fault)));
        let mut problems: Vec<Problem> = own.collect();
        problems.extend(self.parse_until().err());
        let parts = [
            ("game", self.game.problems()),
            ("genome", self.genome.problems()),
            ("evolution", self.evolution.problems()),
        ];
        for (part, faults) in parts {
            problems.extend(faults.into_iter().map(|problem| problem.under(part)));
        }
        if problems.is_empty() {
            problems = self.misfits();
        }
        problems
    }

    /// The condition that ends a run before its last generation, if there is one.
    pub fn target(&self) -> Option<Until> {
        self.parse_until().ok().flatten()
    }

    fn parse_until(&self) -> Result<Option<Until>, Problem> {
        let text = self.until.trim();
        let parsed = (!text.is_empty()).then(|| Until::parse(text)).transpose();
        parsed.map_err(|fault| Problem::new("until", fault))
    }

    /// Parts that are sound by themselves but do not go together.
    fn misfits(&self) -> Vec<Problem> {
        let limits = self.game.differences(&self.game.bounded());
        if !limits.is_empty() {
            let limits = limits.join(" ");
            let message = format!("need not end, since nothing draws it; try {limits}");
            return vec![Problem::new("game", message)];
        }
        let opponents = self.evolution.references().iter();
        let strangers = opponents
            .filter_map(|name| arena::reference(&self.game, name).err())
            .map(|fault| Problem::new("evolution.pairing.opponent", fault));
        let strangers = strangers.chain(self.unteachable());
        match arena::ports(&self.game, &self.agent) {
            Ok(ports) => {
                let misfits = self.genome.misfits(&ports).into_iter();
                let misfits = misfits.map(|problem| problem.under("genome"));
                misfits.chain(strangers).collect()
            }
            Err(fault) => vec![Problem::new("agent", fault)],
        }
    }

    /// Why members can't be taught, where they are to be.
    fn unteachable(&self) -> Vec<Problem> {
        let Some(teaching) = self.evolution.teaching() else {
            return Vec::new();
        };
        let teacher = arena::reference(&self.game, &teaching.teacher).err();
        let teacher = teacher.map(|fault| Problem::new("evolution.breeding.teacher", fault));
        let message = "can't be taught; try mlp with units that have a slope, such as sigmoid";
        let pupils = (!self.genome.can_learn()).then(|| Problem::new("genome", message));
        teacher.into_iter().chain(pupils).collect()
    }

    /// The preset with settings changed, `key=value` each; all faults are reported at once.
    pub fn with(&self, settings: &[(String, String)]) -> Result<Self, BadPreset> {
        let mut preset = self.clone();
        let mut problems = Vec::new();
        for (key, value) in settings {
            problems.extend(preset.change(key, value).err());
        }
        if problems.is_empty() {
            problems = preset.problems();
        }
        preset.accept(&self.name, problems)
    }

    /// Changes one setting, named by its path or by its last word where that is enough; the whole is not checked.
    pub fn change(&mut self, key: &str, text: &str) -> Result<(), Problem> {
        let key = self.full_key(key)?;
        self.set(&key, text)
    }

    /// Changes one live setting as a run goes on, if the preset is sound with it. Returns its full key.
    pub fn turn(&mut self, key: &str, text: &str) -> Result<String, Problem> {
        let key = self.full_key(key)?;
        let live = self
            .params()
            .iter()
            .any(|param| param.key == key && param.live);
        if !live {
            return Err(Problem::new(
                key,
                "is fixed for a run; start a new run to change it",
            ));
        }
        let mut changed = self.clone();
        changed.set(&key, text)?;
        if let Some(problem) = changed.problems().into_iter().next() {
            Err(problem)
        } else {
            *self = changed;
            Ok(key)
        }
    }

    /// Every setting, described.
    pub fn params(&self) -> Vec<Param> {
        let mut params = Vec::new();
        self.visit("", &mut params);
        params
    }

    /// One setting by its full key.
    pub fn param(&self, key: &str) -> Option<Param> {
        self.params().into_iter().find(|param| param.key == key)
    }

    fn full_key(&self, key: &str) -> Result<String, Problem> {
        const PARTS: [&str; 10] = [
            "game",
            "genome",
            "agent",
            "evolution",
            "evolution.space",
            "evolution.fame",
            "evolution.pairing",
            "evolution.fitness",
            "evolution.breeding",
            "measures",
        ];
        let params = self.params();
        let keys: Vec<&str> = params.iter().map(|param| param.key.as_str()).collect();
        if keys.contains(&key) || PARTS.contains(&key) {
            return Ok(key.to_owned());
        }
        let suffix = format!(".{key}");
        let matching: Vec<&&str> = keys.iter().filter(|full| full.ends_with(&suffix)).collect();
        match matching[..] {
            [one] => Ok((*one).to_owned()),
            [] => Err(unknown(key, &keys)),
            _ => Err(Problem::new(
                key,
                format!("could be any of {matching:?}; give the whole path"),
            )),
        }
    }

    /// Whether the population of a generation is kept whole.
    pub fn keeps(&self, generation: u64) -> bool {
        let every = u64::from(self.measures.keep_every);
        every > 0 && generation.is_multiple_of(every)
    }

    /// Whether the champion of a generation is graded against the reference players.
    pub fn grades(&self, generation: u64) -> bool {
        generation.is_multiple_of(u64::from(self.measures.every))
    }
}

/// An unknown key: the nearest one by its path or its last word.
fn unknown(key: &str, keys: &[&str]) -> Problem {
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
    Problem::new(key, format!("there is no such setting; {hint}"))
}

/// A setting changed while a run went on, part of the run's record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Intervention {
    /// The first generation it is in force.
    pub generation: u64,
    pub key: String,
    pub from: String,
    pub to: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_faults(text: &str, expected: &[&str]) {
        let faults = Preset::parse(text, "test", "test.ron")
            .expect_err("it is faulty")
            .to_string();
        assert_eq!(faults.lines().collect::<Vec<_>>(), expected);
    }

    #[test]
    fn all_faults_are_reported_with_their_paths() {
        check_faults(
            "(\n evolution: (\n  population: 10,\n  pairing: circular(opponents: 6),\n  breeding: shares(elites: 10, new_share: 0.7, past_share: 0.4),\n ),\n game: nim(stacks: []),\n genome: graph(min_mutations: 3),\n)",
            &[
                "test.ron: game.stacks: must list 1 to 8 stacks, lists 0",
                "test.ron: genome.min_mutations: must not be above max_mutations (1), is 3",
                "test.ron: evolution.pairing.opponents: must be at most half the population (5), is 6",
                "test.ron: evolution.breeding.elites: must be below the population (10), is 10",
                "test.ron: evolution.breeding.past_share: together with random_share and new_share must be at most 1, is 1.1",
            ],
        );
        check_faults(
            "(\n game: nym(),\n generations: 0,\n)",
            &[
                "test.ron:2:8: game: there is no `nym`; did you mean `nim`?",
                "test.ron:3:15: generations: must be from 1 to 1000000000, is 0",
            ],
        );
        check_faults(
            "(until: \"accuracy_states>1\")",
            &[
                "test.ron: until: `accuracy_states>1` is not a condition; write COLUMN>=NUMBER or COLUMN<=NUMBER, such as accuracy_states>=0.99",
            ],
        );
    }

    fn check_set(key: &str, value: &str, expected: &str) {
        let setting = (key.to_owned(), value.to_owned());
        let preset = Preset {
            name: "p".to_owned(),
            ..Preset::default()
        };
        let answer = preset
            .with(&[setting])
            .map_or_else(|error| error.to_string(), |preset| format!("{preset:?}"));
        assert!(answer.contains(expected), "{key}={value} gave {answer}");
    }

    #[test]
    fn settings_are_found_by_path_or_last_word() {
        check_set("genome.add_node", "2.5", "add_node: 2.5");
        check_set("add_node", "2.5", "add_node: 2.5");
        check_set("clamp", "None", "clamp: None");
        check_set("clamp", "3", "clamp: Some(3.0)");
        check_set("agent", "one_ply", "OnePly");
        check_set("stacks", "[1, 2, 3]", "stacks: [1, 2, 3]");
        check_set("grading", "safe", "Safe");
        check_set(
            "ad_node",
            "1",
            "p: ad_node: there is no such setting; did you mean `add_node`?",
        );
        check_set(
            "add_node",
            "-1",
            "p: genome.add_node: must be from 0 to 1000, is -1",
        );
        check_set("grading", "kind", "p: game.grading: `kind` will not do");
    }

    #[test]
    fn only_live_settings_can_be_turned_and_only_soundly() {
        let mut preset = Preset::default();
        assert_eq!(
            preset.turn("add_node", "3"),
            Ok("genome.add_node".to_owned())
        );
        let fixed = preset
            .turn("population", "50")
            .expect_err("the population is fixed");
        assert!(fixed.to_string().contains("is fixed for a run"));
        let unsound = preset
            .turn("opponents", "51")
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
}
