//! The list of those who can be chosen: the champion of the run that goes on, champions of saved runs, reference players, and what
//! the user has added of them. It knows neither keys nor the screen.

use std::sync::Arc;

use crate::agents::AgentConfig;
use crate::arena;
use crate::params::{Kind, Params};
use crate::preset::Preset;
use crate::tournament::name::{self, BY};
use crate::tournament::search::{fitting, size, written};

use super::roster::{Kept, Roster};

/// From so many on a setting is doubled and halved, below it goes by ones.
const BY_ONES: f64 = 50.0;

/// Where a player comes from.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Source {
    /// The run that goes on, by its name and how it is set.
    Live {
        name: String,
        preset: Arc<Preset>,
    },
    /// A saved run, and which of its champions.
    Saved {
        run: Arc<Kept>,
        place: usize,
    },
    Reference(String),
}

/// Someone who can be chosen.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Candidate {
    pub(super) source: Source,
    /// How it chooses moves, where it is not as in its run.
    pub(super) agent: Option<AgentConfig>,
    pub(super) chosen: Chosen,
    /// Whether the user added it to the list.
    pub(super) origin: Origin,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Chosen {
    Yes,
    No,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    Listed,
    Added,
}

impl Candidate {
    fn listed(source: Source) -> Self {
        Self {
            source,
            agent: None,
            chosen: Chosen::No,
            origin: Origin::Listed,
        }
    }

    /// The name without the generation.
    pub(super) fn player(&self) -> &str {
        match &self.source {
            Source::Live { name, .. } | Source::Reference(name) => name,
            Source::Saved { run, .. } => &run.name,
        }
    }

    /// The generation of a saved champion.
    pub(super) fn generation(&self) -> Option<u64> {
        match &self.source {
            Source::Saved { run, place } => run.generations.get(*place).copied(),
            Source::Live { .. } | Source::Reference(_) => None,
        }
    }

    /// Its way to choose moves as it is written.
    pub(super) fn search(&self) -> Option<String> {
        self.agent.as_ref().map(written)
    }

    /// The name by which `finches arena` knows it; `live` is the generation of the run that goes on.
    pub(super) fn name(&self, live: u64) -> String {
        let own = match (&self.source, self.generation()) {
            (Source::Live { name, .. }, _) => name::champion(name, live),
            (_, Some(generation)) => name::champion(self.player(), generation),
            (_, None) => self.player().to_owned(),
        };
        match self.search() {
            Some(search) => format!("{own}{BY}{search}"),
            None => own,
        }
    }

    /// The ways to choose moves that go with it, the first being its own.
    fn ways(&self, roster: &Roster) -> Vec<AgentConfig> {
        match &self.source {
            Source::Live { preset, .. } => fitting(preset),
            Source::Saved { run, .. } => fitting(&run.preset),
            Source::Reference(name) => {
                let judges = arena::judges(&roster.game);
                let is_judge = judges.iter().any(|judge| judge.name == name);
                let deeper = AgentConfig::named("alpha_beta").filter(|_| is_judge);
                deeper.into_iter().collect()
            }
        }
    }

    fn is_twin(&self, other: &Self) -> bool {
        self.player() == other.player()
            && std::mem::discriminant(&self.source) == std::mem::discriminant(&other.source)
    }
}

/// All candidates with a cursor among them.
#[derive(Clone, Debug, Default)]
pub(super) struct List {
    pub(super) all: Vec<Candidate>,
    pub(super) cursor: usize,
}

impl List {
    /// Takes over who there is now; what was chosen and added stays where it still can.
    pub(super) fn renew(&mut self, roster: &Roster, live: Option<(String, Preset)>) {
        let before = std::mem::take(&mut self.all);
        let live = live.filter(|(_, preset)| preset.game.plain() == roster.game);
        let live = live.map(|(name, preset)| Source::Live {
            name,
            preset: Arc::new(preset),
        });
        let saved = roster.runs.iter().map(|run| Source::Saved {
            run: Arc::clone(run),
            place: run.generations.len() - 1,
        });
        let references = roster.references.iter().cloned().map(Source::Reference);
        for source in live.into_iter().chain(saved).chain(references) {
            let fresh = Candidate::listed(source);
            let kept = before.iter().filter(|old| old.is_twin(&fresh));
            let kept: Vec<Candidate> = kept.map(|old| renewed(old, &fresh)).collect();
            if kept.is_empty() {
                self.all.push(fresh);
            } else {
                self.all.extend(kept);
            }
        }
        self.cursor = self.cursor.min(self.all.len().saturating_sub(1));
        let is_new = before.iter().all(|old| old.chosen == Chosen::No);
        if is_new {
            self.suggest();
        }
    }

    /// Chooses the first champion and two players to measure it by.
    fn suggest(&mut self) {
        let is_reference = |it: &Candidate| matches!(it.source, Source::Reference(_));
        let (references, champions): (Vec<_>, Vec<_>) =
            self.all.iter_mut().partition(|it| is_reference(it));
        let first = champions.into_iter().take(1);
        for candidate in first.chain(references.into_iter().take(2)) {
            candidate.chosen = Chosen::Yes;
        }
    }

    pub(super) fn current(&self) -> Option<&Candidate> {
        self.all.get(self.cursor)
    }

    fn current_mut(&mut self) -> Option<&mut Candidate> {
        self.all.get_mut(self.cursor)
    }

    pub(super) fn chosen(&self) -> impl Iterator<Item = &Candidate> {
        self.all.iter().filter(|it| it.chosen == Chosen::Yes)
    }

    /// Moves the cursor by so many, within the list.
    pub(super) fn step(&mut self, by: i32) {
        let last = self.all.len().saturating_sub(1) as i64;
        self.cursor = (self.cursor as i64 + i64::from(by)).clamp(0, last) as usize;
    }

    /// Chooses who is under the cursor, or no longer.
    pub(super) fn choose(&mut self) {
        if let Some(it) = self.current_mut() {
            it.chosen = match it.chosen {
                Chosen::Yes => Chosen::No,
                Chosen::No => Chosen::Yes,
            };
        }
    }

    /// Turns to an older or newer champion of the run under the cursor, by so many that are kept.
    pub(super) fn turn(&mut self, by: i64) -> Result<(), String> {
        let Some(Source::Saved { run, place }) = self.current_mut().map(|it| &mut it.source) else {
            return Err("Only saved runs have champions of several generations.".to_owned());
        };
        let wanted = *place as i64 + by;
        let last = run.generations.len() as i64 - 1;
        if !(0..=last).contains(&wanted) {
            let which = if by < 0 { "older" } else { "newer" };
            return Err(format!("There is no {which} champion."));
        }
        *place = wanted as usize;
        Ok(())
    }

    /// Adds another champion of the run under the cursor, the one kept before.
    pub(super) fn add_older(&mut self) -> Result<(), String> {
        let Some(Candidate {
            source: Source::Saved { run, place },
            ..
        }) = self.current()
        else {
            return Err("Only saved runs have champions of several generations.".to_owned());
        };
        let Some(older) = place.checked_sub(1) else {
            return Err("There is no older champion.".to_owned());
        };
        let source = Source::Saved {
            run: Arc::clone(run),
            place: older,
        };
        let agent = self.current().and_then(|it| it.agent.clone());
        self.add(source, agent);
        Ok(())
    }

    /// Adds who is under the cursor once more, choosing moves otherwise.
    pub(super) fn add_search(&mut self, roster: &Roster) -> Result<(), String> {
        let Some(current) = self.current() else {
            return Ok(());
        };
        let ways = current.ways(roster);
        let others = ways.iter().filter(|way| size(way).is_some());
        let preferred = others.max_by_key(|way| way.name() == "alpha_beta");
        let Some(way) = preferred.or(ways.get(1)).cloned() else {
            let name = current.player();
            return Err(format!(
                "{name} does not value positions, so that there is nothing to search with."
            ));
        };
        let (source, mut agent) = (current.source.clone(), way);
        if current.agent.as_ref().or(ways.first()) == Some(&agent) {
            nudge(&mut agent, 1);
        }
        self.add(source, Some(agent));
        Ok(())
    }

    fn add(&mut self, source: Source, agent: Option<AgentConfig>) {
        self.cursor += 1;
        self.all.insert(
            self.cursor,
            Candidate {
                source,
                agent,
                chosen: Chosen::Yes,
                origin: Origin::Added,
            },
        );
    }

    /// Takes who is under the cursor off the list, if the user put it there.
    pub(super) fn remove(&mut self) -> Result<(), String> {
        match self.current().map(|it| it.origin) {
            Some(Origin::Added) => {
                self.all.remove(self.cursor);
                self.step(-1);
                Ok(())
            }
            _ => Err("Only what was added here can be taken off the list.".to_owned()),
        }
    }

    /// The next way to choose moves for what was added.
    pub(super) fn next_search(&mut self, roster: &Roster) -> Result<(), String> {
        let current = self.current().filter(|it| it.agent.is_some());
        let Some(current) = current else {
            return Err(AS_IN_ITS_RUN.to_owned());
        };
        let ways = current.ways(roster);
        let name = current.agent.as_ref().map(AgentConfig::name);
        let place = ways.iter().position(|way| Some(way.name()) == name);
        let next = place.map_or(0, |place| (place + 1) % ways.len());
        let next = ways.get(next).cloned();
        if let Some(it) = self.current_mut() {
            it.agent = next;
        }
        Ok(())
    }

    /// Searches further, or less far.
    pub(super) fn nudge(&mut self, by: i32) -> Result<(), String> {
        let agent = self.current_mut().and_then(|it| it.agent.as_mut());
        let agent = agent.ok_or_else(|| AS_IN_ITS_RUN.to_owned())?;
        nudge(agent, by);
        Ok(())
    }
}

const AS_IN_ITS_RUN: &str =
    "It searches as in its run; add it once more with another search first.";

/// Someone who was there before, as it is now.
fn renewed(old: &Candidate, fresh: &Candidate) -> Candidate {
    let source = match (&old.source, &fresh.source) {
        (Source::Saved { run: was, place }, Source::Saved { run, .. }) => {
            let last = run.generations.len() - 1;
            // Whoever was at the newest stays there.
            let same = was
                .generations
                .get(*place)
                .and_then(|generation| run.generations.iter().position(|kept| kept == generation));
            let is_newest = place + 1 == was.generations.len();
            Source::Saved {
                run: Arc::clone(run),
                place: same.filter(|_| !is_newest).unwrap_or(last),
            }
        }
        _ => fresh.source.clone(),
    };
    Candidate {
        source,
        ..old.clone()
    }
}

/// Turns the first setting of an agent a step up or down, within its limits.
fn nudge(agent: &mut AgentConfig, by: i32) {
    let Some(first) = size(agent).filter(|first| first.kind == Kind::Integer) else {
        return;
    };
    let Ok(now) = first.value.parse::<f64>() else {
        return;
    };
    let next = match by {
        _ if now < BY_ONES => now + f64::from(by),
        1.. => now * 2.0,
        _ => (now / 2.0).round(),
    };
    let (low, high) = first.limits.unwrap_or((1.0, f64::MAX));
    let next = next.clamp(low, high);
    agent
        .set(&first.key, &format!("{next:.0}"))
        .expect("it is within its limits");
}

#[cfg(test)]
mod tests {
    use crate::games::GameConfig;
    use crate::storage::presets;

    use super::*;

    fn preset(name: &str) -> Preset {
        presets::load(name).expect("it ships")
    }

    fn roster(generations: &[u64]) -> Roster {
        let kept = |name: &str, preset_name: &str| {
            Arc::new(Kept {
                name: name.to_owned(),
                preset: preset(preset_name),
                generations: generations.to_vec(),
            })
        };
        let game = preset("nim-2x4").game.plain();
        Roster {
            games: GameConfig::all(),
            game,
            references: ["random", "perfect"].map(str::to_owned).to_vec(),
            runs: vec![kept("n-1", "nim-2x4"), kept("v-1", "nim-2x4-value")],
        }
    }

    fn names(list: &List) -> Vec<String> {
        list.all.iter().map(|it| it.name(9)).collect()
    }

    #[test]
    fn at_first_the_first_champion_and_two_reference_players_are_chosen() {
        let mut list = List::default();
        let live = ("nim-2x4-9".to_owned(), preset("nim-2x4"));
        list.renew(&roster(&[0, 10]), Some(live));
        assert_eq!(
            names(&list),
            ["nim-2x4-9:9", "n-1:10", "v-1:10", "random", "perfect"]
        );
        let chosen: Vec<String> = list.chosen().map(|it| it.name(9)).collect();
        assert_eq!(chosen, ["nim-2x4-9:9", "random", "perfect"]);
        // A run of another game has no champion here.
        let other = ("reversi-1".to_owned(), preset("reversi-vanilla"));
        let mut list = List::default();
        list.renew(&roster(&[0]), Some(other));
        assert_eq!(names(&list)[0], "n-1:0");
    }

    #[test]
    fn champions_are_added_with_other_searches_and_of_other_generations() {
        let (mut list, roster) = (List::default(), roster(&[0, 10, 20]));
        list.renew(&roster, None);
        assert!(list.add_search(&roster).is_err(), "it values no positions");
        list.step(1);
        assert_eq!(list.add_search(&roster), Ok(()));
        assert_eq!(list.nudge(1), Ok(()));
        assert_eq!(names(&list)[2], "v-1:20@alpha-beta-3");
        assert_eq!(list.next_search(&roster), Ok(()));
        assert_eq!(list.nudge(1), Ok(()));
        assert_eq!(names(&list)[2], "v-1:20@monte-carlo-600");
        assert_eq!(list.next_search(&roster), Ok(()));
        assert_eq!(names(&list)[2], "v-1:20@one-ply");
        assert_eq!(list.turn(-2), Ok(()));
        assert_eq!(names(&list)[2], "v-1:0@one-ply");
        assert!(list.turn(-1).is_err());
        assert_eq!(list.turn(1), Ok(()));
        assert_eq!(list.add_older(), Ok(()));
        assert_eq!(names(&list)[3], "v-1:0@one-ply");
        assert_eq!(list.remove(), Ok(()));
        assert_eq!(list.remove(), Ok(()));
        assert!(list.remove().is_err());
        assert_eq!(names(&list), ["n-1:20", "v-1:20", "random", "perfect"]);
    }

    #[test]
    fn what_was_chosen_and_added_stays_while_runs_go_on() {
        let mut list = List::default();
        list.renew(&roster(&[0, 10]), None);
        list.step(1);
        list.choose();
        assert_eq!(list.add_older(), Ok(()));
        list.renew(&roster(&[0, 10, 20]), None);
        assert_eq!(
            names(&list),
            ["n-1:20", "v-1:20", "v-1:0", "random", "perfect"]
        );
        let chosen: Vec<String> = list.chosen().map(|it| it.name(0)).collect();
        assert_eq!(chosen, ["n-1:20", "v-1:20", "v-1:0", "random", "perfect"]);
    }
}
