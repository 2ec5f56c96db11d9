//! Search specifications, which replace the agent of a player: the agent's name with hyphens, the
//! value of its first parameter, and more parameters, such as `alpha-beta-4`, `monte-carlo-300` or
//! `alpha-beta-4,quiescence=true`; or a level, such as `level-3`.

use std::cmp::Reverse;

use crate::agents::AgentConfig;
use crate::params::{Param, Params, key_value, suggest};

use super::levels::{self, LEVELS, Level};
use super::match_setup::{PlayerConfig, PlayerError};

/// An agent, with the parameters that were specified.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchSpec {
    /// The agent's name in preset files.
    agent: &'static str,
    /// The number of the level, which says all of the agent's parameters.
    level: Option<u8>,
    /// The value of the agent's first parameter.
    size: Option<String>,
    parameters: Vec<(String, String)>,
}

impl SearchSpec {
    /// Parses the text behind the `@` of a player name; the error suggests a valid text.
    pub fn parse(text: &str) -> Result<Self, PlayerError> {
        let mut parts = text.split(',');
        let word = parts.next().unwrap_or_default().trim();
        let level = parse_level(word)?;
        let (agent, size) = match level.and_then(Level::numbered) {
            Some(_) => (levels::AGENT, None),
            None => parse_agent(word)?,
        };
        let parameters: Result<Vec<_>, PlayerError> = parts.map(parse_parameter).collect();
        Ok(Self {
            agent,
            level,
            size,
            parameters: parameters?,
        })
    }

    /// The agent for a champion of a run. If the run has the same kind of agent, its parameters are
    /// kept unless specified.
    ///
    /// # Errors
    ///
    /// The reason why the champion can't play with this agent, or the parameter that is invalid.
    pub fn agent_for(&self, config: PlayerConfig<'_>) -> Result<AgentConfig, PlayerError> {
        let own = config.agent;
        let agent = match self.level.and_then(Level::numbered) {
            Some(level) => level.agent(config.game),
            None if own.name() == self.agent => own.clone(),
            None => self.unconfigured(),
        };
        let agent = self.configure(agent)?;
        match mismatch(config, &agent) {
            Some(error) => Err(PlayerError::Usage(error).with_name(&agent_word(&agent))),
            None => Ok(agent),
        }
    }

    /// The depth of an alpha-beta search in plies; `None` for other agents, or if more than the
    /// depth is specified.
    pub fn depth(&self) -> Option<u8> {
        let AgentConfig::AlphaBeta(search) =
            self.configure(AgentConfig::named(self.agent)?).ok()?
        else {
            return None;
        };
        let is_plain = self.parameters.is_empty() && self.level.is_none();
        is_plain.then_some(search.depth as u8)
    }

    /// The agent of a champion whose run has another one. Depth counts turns, so that deeper is
    /// better in every game.
    fn unconfigured(&self) -> AgentConfig {
        let mut agent = AgentConfig::named(self.agent).expect("the name is registered");
        if let AgentConfig::AlphaBeta(search) = &mut agent {
            search.turns = true;
        }
        agent
    }

    /// The agent with the specified parameters set.
    fn configure(&self, mut agent: AgentConfig) -> Result<AgentConfig, PlayerError> {
        let first = params(&agent).first().map(|param| param.key.clone());
        let size = match (&self.size, first) {
            (None, _) => None,
            (Some(size), Some(key)) => Some((key, size.clone())),
            (Some(size), None) => {
                let word = agent_word(&agent);
                return Err(PlayerError::Usage(format!(
                    "{word}-{size}: {word} has no parameters; write {word}"
                )));
            }
        };
        for (key, value) in size.iter().chain(&self.parameters) {
            agent.set(key, value).map_err(|problem| {
                PlayerError::Usage(problem.to_string()).with_name(&agent_word(&agent))
            })?;
        }
        Ok(agent)
    }
}

/// The agents that a champion of a run can play with, its own first.
pub fn compatible_agents(config: PlayerConfig<'_>) -> Vec<AgentConfig> {
    let others = AgentConfig::all().into_iter();
    let others = others
        .filter(|agent| agent.name() != config.agent.name() && mismatch(config, agent).is_none());
    std::iter::once(config.agent.clone())
        .chain(others)
        .collect()
}

/// The reason why a champion of a run can't play with an agent, as a clause.
fn mismatch(config: PlayerConfig<'_>, agent: &AgentConfig) -> Option<String> {
    let (own, other) = (config.agent.policy_head(), agent.policy_head());
    if own != other {
        return Some(format!(
            "the network of this run outputs {}, but this search needs {}; use {}",
            own.label(),
            other.label(),
            or_list(&compatible_names(config))
        ));
    }
    let error = super::io_spec(config.game, agent).err();
    error.map(|error| error.to_string())
}

fn compatible_names(config: PlayerConfig<'_>) -> Vec<String> {
    let meaning = config.agent.policy_head();
    let all = AgentConfig::all().into_iter();
    all.filter(|agent| agent.policy_head() == meaning)
        .map(|agent| agent_word(&agent))
        .collect()
}

fn or_list(names: &[String]) -> String {
    match names {
        [all @ .., last] if !all.is_empty() => format!("{} or {last}", all.join(", ")),
        _ => names.join(""),
    }
}

/// An agent with its first parameter, as written behind the `@` of a player name.
pub fn search_name(agent: &AgentConfig) -> String {
    match params(agent).first() {
        Some(first) => format!("{}-{}", agent_word(agent), first.value),
        None => agent_word(agent),
    }
}

/// The first parameter of an agent, whose value follows the agent's name.
pub fn first_parameter(agent: &AgentConfig) -> Option<Param> {
    params(agent).into_iter().next()
}

/// An agent's name as written behind the `@` of a player name.
fn agent_word(agent: &AgentConfig) -> String {
    agent.name().replace('_', "-")
}

fn params(agent: &AgentConfig) -> Vec<Param> {
    let mut params = Vec::new();
    agent.visit("", &mut params);
    params
}

/// The number in a text such as `level-3`; `None` if it is the name of an agent.
fn parse_level(text: &str) -> Result<Option<u8>, PlayerError> {
    let Some(number) = text.strip_prefix("level-") else {
        return Ok(None);
    };
    let number = number.parse().ok();
    let level = number.filter(|&number| Level::numbered(number).is_some());
    let most = LEVELS.len();
    level.map(Some).ok_or_else(|| {
        PlayerError::Usage(format!(
            "unknown level `{text}`; choose level-1 to level-{most}"
        ))
    })
}

/// Parses a text such as `alpha-beta-4` into the agent's name and the number.
fn parse_agent(text: &str) -> Result<(&'static str, Option<String>), PlayerError> {
    let mut all = AgentConfig::names();
    // A name may begin with another one.
    all.sort_by_key(|name| Reverse(name.len()));
    for name in all {
        let Some(rest) = text.strip_prefix(&name.replace('_', "-")) else {
            continue;
        };
        match rest.strip_prefix('-') {
            None if rest.is_empty() => return Ok((name, None)),
            Some(size) if !size.is_empty() => return Ok((name, Some(size.to_owned()))),
            _ => {}
        }
    }
    let names: Vec<String> = AgentConfig::all().iter().map(search_name).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let advice = suggest(text, &names);
    Err(PlayerError::Usage(format!(
        "unknown search `{text}`; {advice}"
    )))
}

fn parse_parameter(text: &str) -> Result<(String, String), PlayerError> {
    key_value(text).map_err(|error| PlayerError::Usage(format!("{error}, such as quiescence=true")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::GameConfig;
    use crate::genomes::GenomeConfig;

    /// The game and the agent of some presets.
    fn check_with<R>(preset: &str, test: impl FnOnce(PlayerConfig<'_>) -> R) -> R {
        let (game, agent) = match preset {
            "blondie" => ("draughts", "alpha_beta"),
            "nim-2x4" => ("nim", "one_hot"),
            _ => ("nim", "one_ply"),
        };
        let game = GameConfig::named(game).expect("it is registered");
        let mut agent = AgentConfig::named(agent).expect("it is registered");
        if preset == "blondie" {
            for (key, value) in [("depth", "4"), ("quiescence", "true")] {
                agent.set(key, value).expect("it is valid");
            }
        }
        test(PlayerConfig {
            game: &game,
            genome: &GenomeConfig::all()[0],
            agent: &agent,
            learning: None,
        })
    }

    fn check(preset_name: &str, text: &str, expected: &str) {
        let found = SearchSpec::parse(text)
            .and_then(|search| check_with(preset_name, |config| search.agent_for(config)));
        let shown = match &found {
            Ok(agent) => {
                let mut all = params(agent).into_iter();
                let parameters = all.by_ref().map(|p| format!(" {}={}", p.key, p.value));
                agent_word(agent) + &parameters.collect::<String>()
            }
            Err(error) => error.to_string(),
        };
        assert!(shown.starts_with(expected), "{text}: {shown}");
    }

    #[test]
    fn an_agent_is_specified_by_its_name_and_the_value_of_its_first_parameter() {
        check("nim-2x4-value", "one-ply", "one-ply");
        check(
            "nim-2x4-value",
            "alpha-beta-4",
            "alpha-beta depth=4 quiescence=false",
        );
        check(
            "nim-2x4-value",
            "alpha-beta-4,quiescence=true, nodes=9",
            "alpha-beta depth=4 quiescence=true nodes=9",
        );
        check(
            "nim-2x4-value",
            "monte-carlo-300",
            "monte-carlo simulations=300",
        );
        check(
            "nim-2x4-value",
            "monte-carlo",
            "monte-carlo simulations=300",
        );
        // The run's other parameters are kept.
        check(
            "blondie",
            "alpha-beta-6",
            "alpha-beta depth=6 quiescence=true",
        );
        check("nim-2x4", "one-hot", "one-hot");
    }

    #[test]
    fn a_level_replaces_all_parameters_of_the_run() {
        let level =
            "alpha-beta depth=4 quiescence=true nodes=1000000 turns=true endgame=10 slips=0.0";
        check("nim-2x4-value", "level-7", level);
        // Draughts has depths and slips of its own.
        let in_draughts = "alpha-beta depth=3 quiescence=true nodes=1000000 turns=true endgame=0";
        check("blondie", "level-7", in_draughts);
        check("blondie", "level-6,depth=5", "alpha-beta depth=5");
        check(
            "blondie",
            "level-12",
            "unknown level `level-12`; choose level-1 to level-11",
        );
        check(
            "nim-2x4",
            "level-3",
            "alpha-beta: the network of this run outputs",
        );
    }

    #[test]
    fn invalid_searches_are_refused_with_a_suggestion() {
        check(
            "nim-2x4-value",
            "alpha-bet-4",
            "unknown search `alpha-bet-4`; did you mean `alpha-beta-2`?",
        );
        check("nim-2x4-value", "", "unknown search ``");
        check(
            "nim-2x4-value",
            "one-ply-3",
            "one-ply-3: one-ply has no parameters",
        );
        check("nim-2x4-value", "alpha-beta-99", "alpha-beta: depth: ");
        check("nim-2x4-value", "alpha-beta-x", "alpha-beta: depth: ");
        check(
            "nim-2x4-value",
            "alpha-beta-3,depht=2",
            "alpha-beta: depht: there is no such",
        );
        check(
            "nim-2x4-value",
            "alpha-beta-3,quick",
            "`quick` is not KEY=VALUE",
        );
        check(
            "nim-2x4-value",
            "one-hot",
            "one-hot: the network of this run outputs the value of a position, but this search \
            needs a score for each number of a \
             move; use one-ply, alpha-beta or monte-carlo",
        );
    }

    #[test]
    fn a_champion_that_values_positions_can_search_in_every_way() {
        let names = |name| -> Vec<String> {
            let all = check_with(name, compatible_agents);
            all.iter().map(search_name).collect()
        };
        assert_eq!(
            names("nim-2x4-value"),
            ["one-ply", "alpha-beta-2", "monte-carlo-300"]
        );
        assert_eq!(names("blondie")[0], "alpha-beta-4");
        assert_eq!(names("blondie").len(), 3);
        assert_eq!(names("nim-2x4").len(), 1);
        for name in names("blondie") {
            assert!(SearchSpec::parse(&name).is_ok(), "{name}");
        }
    }
}
