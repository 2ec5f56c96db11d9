//! How a player chooses moves where it is not to be as in its run: an agent by its name with hyphens, the number of its first
//! setting behind it, then more settings, as in `alpha-beta-4`, `monte-carlo-300` or `alpha-beta-4,quiescence=true`.

use crate::agents::AgentConfig;
use crate::arena;
use crate::params::{Param, Params, suggest};
use crate::preset::Preset;

/// An agent and how far its settings are told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Search {
    /// As preset files call the agent.
    agent: &'static str,
    /// The value of its first setting.
    size: Option<String>,
    settings: Vec<(String, String)>,
}

impl Search {
    /// Reads what stands behind the `@` of a name, or says what would do.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut parts = text.split(',');
        let word = parts.next().unwrap_or_default().trim();
        let (agent, size) = agent(word)?;
        let settings: Result<Vec<_>, String> = parts.map(setting).collect();
        Ok(Self {
            agent,
            size,
            settings: settings?,
        })
    }

    /// The agent for a champion of a run. One of the run's own kind keeps the run's settings but for those that are told.
    pub fn of(&self, preset: &Preset) -> Result<AgentConfig, String> {
        let own = &preset.agent;
        let named = || AgentConfig::named(self.agent).expect("it is a registered name");
        let agent = if own.name() == self.agent {
            own.clone()
        } else {
            named()
        };
        let agent = self.told(agent)?;
        match fault(preset, &agent) {
            Some(fault) => Err(format!("{}: {fault}", word(&agent))),
            None => Ok(agent),
        }
    }

    /// How far a search by alpha-beta looks ahead where that is all that is told.
    pub fn depth(&self) -> Option<u8> {
        let AgentConfig::AlphaBeta(search) = self.told(AgentConfig::named(self.agent)?).ok()?
        else {
            return None;
        };
        self.settings.is_empty().then_some(search.depth as u8)
    }

    /// An agent with what is told of its settings.
    fn told(&self, mut agent: AgentConfig) -> Result<AgentConfig, String> {
        let first = params(&agent).first().map(|param| param.key.clone());
        let size = match (&self.size, first) {
            (None, _) => None,
            (Some(size), Some(key)) => Some((key, size.clone())),
            (Some(size), None) => {
                let word = word(&agent);
                return Err(format!(
                    "{word}-{size}: {word} has no settings; write {word}"
                ));
            }
        };
        for (key, value) in size.iter().chain(&self.settings) {
            agent
                .set(key, value)
                .map_err(|problem| format!("{}: {problem}", word(&agent)))?;
        }
        Ok(agent)
    }
}

/// The agents that a champion of a run can choose moves with, its own first.
pub fn fitting(preset: &Preset) -> Vec<AgentConfig> {
    let others = AgentConfig::all().into_iter();
    let others = others
        .filter(|agent| agent.name() != preset.agent.name() && fault(preset, agent).is_none());
    std::iter::once(preset.agent.clone())
        .chain(others)
        .collect()
}

/// Why a champion of a run can't choose moves with an agent, as a clause.
fn fault(preset: &Preset, agent: &AgentConfig) -> Option<String> {
    let (own, other) = (preset.agent.meaning(), agent.meaning());
    if own != other {
        return Some(format!(
            "its network gives {}, which this takes for {}; what goes with it is {}",
            own.words(),
            other.words(),
            words(&fitting_names(preset))
        ));
    }
    arena::ports(&preset.game, agent).err()
}

fn fitting_names(preset: &Preset) -> Vec<String> {
    let meaning = preset.agent.meaning();
    let all = AgentConfig::all().into_iter();
    all.filter(|agent| agent.meaning() == meaning)
        .map(|agent| word(&agent))
        .collect()
}

fn words(names: &[String]) -> String {
    match names {
        [all @ .., last] if !all.is_empty() => format!("{} or {last}", all.join(", ")),
        _ => names.join(""),
    }
}

/// An agent with its first setting as it is written behind a name.
pub fn written(agent: &AgentConfig) -> String {
    match params(agent).first() {
        Some(first) => format!("{}-{}", word(agent), first.value),
        None => word(agent),
    }
}

/// The first setting of an agent, which its number stands for.
pub fn size(agent: &AgentConfig) -> Option<Param> {
    params(agent).into_iter().next()
}

/// An agent's name as it is written behind a player's.
fn word(agent: &AgentConfig) -> String {
    agent.name().replace('_', "-")
}

fn params(agent: &AgentConfig) -> Vec<Param> {
    let mut params = Vec::new();
    agent.visit("", &mut params);
    params
}

/// The agent that a word such as `alpha-beta-4` means, and the number behind it.
fn agent(text: &str) -> Result<(&'static str, Option<String>), String> {
    for &name in AgentConfig::NAMES {
        let Some(rest) = text.strip_prefix(&name.replace('_', "-")) else {
            continue;
        };
        match rest.strip_prefix('-') {
            None if rest.is_empty() => return Ok((name, None)),
            Some(size) if !size.is_empty() => return Ok((name, Some(size.to_owned()))),
            _ => {}
        }
    }
    let names: Vec<String> = AgentConfig::all().iter().map(written).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    Err(format!(
        "there is no way to choose moves called `{text}`; {}",
        suggest(text, &names)
    ))
}

fn setting(text: &str) -> Result<(String, String), String> {
    let pair = text.split_once('=');
    let pair = pair.map(|(key, value)| (key.trim().to_owned(), value.trim().to_owned()));
    pair.ok_or_else(|| format!("`{text}` is not KEY=VALUE, such as quiescence=true"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::storage::presets;

    fn preset(name: &str) -> Preset {
        presets::load(name).expect("it ships")
    }

    fn check(preset_name: &str, text: &str, expected: &str) {
        let preset = preset(preset_name);
        let found = Search::parse(text).and_then(|search| search.of(&preset));
        let shown = match &found {
            Ok(agent) => {
                let mut all = params(agent).into_iter();
                let settings = all.by_ref().map(|p| format!(" {}={}", p.key, p.value));
                word(agent) + &settings.collect::<String>()
            }
            Err(fault) => fault.clone(),
        };
        assert!(shown.starts_with(expected), "{text}: {shown}");
    }

    #[test]
    fn an_agent_is_told_by_its_name_and_the_number_of_its_first_setting() {
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
        check("nim-2x4-value", "monte-carlo-300", "monte-carlo rounds=300");
        check("nim-2x4-value", "monte-carlo", "monte-carlo rounds=300");
        // What the run searches by stays but for what is told.
        check(
            "blondie",
            "alpha-beta-6",
            "alpha-beta depth=6 quiescence=true",
        );
        check("nim-2x4", "one-hot", "one-hot");
    }

    #[test]
    fn what_does_not_go_is_refused_with_what_would() {
        check(
            "nim-2x4-value",
            "alpha-bet-4",
            "there is no way to choose moves called `alpha-bet-4`; did you mean `alpha-beta-2`?",
        );
        check(
            "nim-2x4-value",
            "",
            "there is no way to choose moves called ``",
        );
        check(
            "nim-2x4-value",
            "one-ply-3",
            "one-ply-3: one-ply has no settings",
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
            "one-hot: its network gives the value of a position, which this takes for a score for each number of a move; what goes with it \
             is one-ply, alpha-beta or monte-carlo",
        );
    }

    #[test]
    fn a_champion_that_values_positions_can_search_in_every_way() {
        let names = |name| -> Vec<String> { fitting(&preset(name)).iter().map(written).collect() };
        assert_eq!(
            names("nim-2x4-value"),
            ["one-ply", "alpha-beta-2", "monte-carlo-300"]
        );
        assert_eq!(names("blondie")[0], "alpha-beta-4");
        assert_eq!(names("blondie").len(), 3);
        assert_eq!(names("nim-2x4").len(), 1);
        for name in names("blondie") {
            assert!(Search::parse(&name).is_ok(), "{name}");
        }
    }
}
