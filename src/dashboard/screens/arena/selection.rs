//! The list of players to choose from: the champion of the current run, champions of saved runs,
//! reference players, and those that the user has added. No keys, no drawing.

use std::sync::Arc;

use finches_engine::agents::AgentConfig;
use finches_engine::params::{ParamKind, Params};
use finches_engine::play;
use finches_engine::play::search_spec::{compatible_agents, first_parameter, search_name};
use finches_engine::preset::Preset;
use finches_runs::storage::players::{self, SEARCH_SEPARATOR};

use super::player_list::{PlayerList, SavedRun};

/// A search size is doubled or halved from this value on; below, it changes by one.
const SINGLE_STEP_LIMIT: f64 = 50.0;

/// The origin of a player.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum PlayerSource {
    /// The current run, with its name and preset.
    Live {
        name: String,
        preset: Arc<Preset>,
    },
    /// A saved run and the index of its champion.
    Saved {
        run: Arc<SavedRun>,
        place: usize,
    },
    Reference(String),
    /// An outside program, as on the command line.
    Outside(String),
}

/// A player of the list.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ListedPlayer {
    pub(super) source: PlayerSource,
    /// The agent, if it differs from that of its run.
    pub(super) agent: Option<AgentConfig>,
    pub(super) is_selected: bool,
    /// Whether the user added it.
    pub(super) is_added: bool,
}

impl ListedPlayer {
    fn from_source(source: PlayerSource) -> Self {
        Self {
            source,
            agent: None,
            is_selected: false,
            is_added: false,
        }
    }

    /// The name without the generation.
    pub(super) fn base_name(&self) -> &str {
        match &self.source {
            PlayerSource::Live { name, .. }
            | PlayerSource::Reference(name)
            | PlayerSource::Outside(name) => name,
            PlayerSource::Saved { run, .. } => &run.name,
        }
    }

    /// The generation of a saved champion.
    pub(super) fn generation(&self) -> Option<u64> {
        match &self.source {
            PlayerSource::Saved { run, place } => run.generations.get(*place).copied(),
            PlayerSource::Live { .. } | PlayerSource::Reference(_) | PlayerSource::Outside(_) => {
                None
            }
        }
    }

    /// Its agent in the notation of player names.
    pub(super) fn search(&self) -> Option<String> {
        self.agent.as_ref().map(search_name)
    }

    /// The name that `finches arena` understands; `live` is the generation of the current run.
    pub(super) fn name(&self, live: u64) -> String {
        let own = match (&self.source, self.generation()) {
            (PlayerSource::Live { name, .. }, _) => players::champion_name(name, live),
            (_, Some(generation)) => players::champion_name(self.base_name(), generation),
            (_, None) => self.base_name().to_owned(),
        };
        match self.search() {
            Some(search) => format!("{own}{SEARCH_SEPARATOR}{search}"),
            None => own,
        }
    }

    /// The agents it can play with, its own first.
    fn search_options(&self, player_list: &PlayerList) -> Vec<AgentConfig> {
        match &self.source {
            PlayerSource::Live { preset, .. } => compatible_agents(preset.player_config()),
            PlayerSource::Saved { run, .. } => compatible_agents(run.preset.player_config()),
            PlayerSource::Reference(name) => {
                let judges = play::heuristics(&player_list.game);
                let is_judge = judges.iter().any(|judge| judge.name == name);
                let deeper = AgentConfig::named("alpha_beta").filter(|_| is_judge);
                deeper.into_iter().collect()
            }
            PlayerSource::Outside(_) => Vec::new(),
        }
    }

    pub(super) fn is_live(&self) -> bool {
        matches!(self.source, PlayerSource::Live { .. })
    }

    /// Whether both play with the same name.
    pub(super) fn is_twin(&self, other: &Self, live: Option<u64>) -> bool {
        self.name(live.unwrap_or_default()) == other.name(live.unwrap_or_default())
    }

    fn is_same_player(&self, other: &Self) -> bool {
        self.base_name() == other.base_name()
            && std::mem::discriminant(&self.source) == std::mem::discriminant(&other.source)
    }
}

/// All players, with a cursor.
#[derive(Clone, Debug, Default)]
pub(super) struct PlayerSelection {
    pub(super) all: Vec<ListedPlayer>,
    pub(super) cursor: usize,
}

impl PlayerSelection {
    /// Replaces the available players; selected and added ones stay if still available.
    pub(super) fn update(&mut self, player_list: &PlayerList, live: Option<(String, Preset)>) {
        let before = std::mem::take(&mut self.all);
        let live = live.filter(|(_, preset)| preset.game.for_matches() == player_list.game);
        let live = live.map(|(name, preset)| PlayerSource::Live {
            name,
            preset: Arc::new(preset),
        });
        let saved = player_list.runs.iter().map(|run| PlayerSource::Saved {
            run: Arc::clone(run),
            place: run.generations.len() - 1,
        });
        let references = player_list
            .references
            .iter()
            .cloned()
            .map(PlayerSource::Reference);
        for source in live.into_iter().chain(saved).chain(references) {
            let fresh = ListedPlayer::from_source(source);
            let kept = before.iter().filter(|old| old.is_same_player(&fresh));
            let kept: Vec<ListedPlayer> = kept.map(|old| updated(old, &fresh)).collect();
            if kept.is_empty() {
                self.all.push(fresh);
            } else {
                self.all.extend(kept);
            }
        }
        let programs = before
            .iter()
            .filter(|it| matches!(it.source, PlayerSource::Outside(_)));
        self.all.extend(programs.cloned());
        self.cursor = self.cursor.min(self.all.len().saturating_sub(1));
        let is_new = before.iter().all(|old| !old.is_selected);
        if is_new {
            self.select_defaults();
        }
    }

    /// Selects the first champion and two reference players.
    fn select_defaults(&mut self) {
        let is_reference = |it: &ListedPlayer| matches!(it.source, PlayerSource::Reference(_));
        let (references, champions): (Vec<_>, Vec<_>) =
            self.all.iter_mut().partition(|it| is_reference(it));
        let first = champions.into_iter().take(1);
        for player in first.chain(references.into_iter().take(2)) {
            player.is_selected = true;
        }
    }

    pub(super) fn current(&self) -> Option<&ListedPlayer> {
        self.all.get(self.cursor)
    }

    fn current_mut(&mut self) -> Option<&mut ListedPlayer> {
        self.all.get_mut(self.cursor)
    }

    pub(super) fn selected(&self) -> impl Iterator<Item = &ListedPlayer> {
        self.all.iter().filter(|it| it.is_selected)
    }

    /// The selected players, each once: the champion of the current run may be a saved one too.
    pub(super) fn planned(&self, live: Option<u64>) -> Vec<&ListedPlayer> {
        let mut planned: Vec<&ListedPlayer> = Vec::new();
        for player in self.selected() {
            let is_new = || !planned.iter().any(|other| other.is_twin(player, live));
            let is_missing = live.is_none() && player.is_live();
            if !is_missing && is_new() {
                planned.push(player);
            }
        }
        planned
    }

    /// Moves the cursor within the list.
    pub(super) fn move_cursor(&mut self, by: i32) {
        let last = self.all.len().saturating_sub(1) as i64;
        self.cursor = (self.cursor as i64 + i64::from(by)).clamp(0, last) as usize;
    }

    /// Selects or deselects the player under the cursor.
    pub(super) fn toggle(&mut self) {
        if let Some(it) = self.current_mut() {
            it.is_selected = !it.is_selected;
        }
    }

    /// Switches to an older or a newer champion of the same run, by `by` saved champions.
    pub(super) fn change_generation(&mut self, by: i64) -> Result<(), String> {
        let Some(PlayerSource::Saved { run, place }) = self.current_mut().map(|it| &mut it.source)
        else {
            return Err("Only saved runs have older and newer champions.".to_owned());
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

    /// Adds the previous champion of the run under the cursor.
    pub(super) fn add_older(&mut self) -> Result<(), String> {
        let Some(ListedPlayer {
            source: PlayerSource::Saved { run, place },
            ..
        }) = self.current()
        else {
            return Err("Only saved runs have older and newer champions.".to_owned());
        };
        let Some(older) = place.checked_sub(1) else {
            return Err("There is no older champion.".to_owned());
        };
        let source = PlayerSource::Saved {
            run: Arc::clone(run),
            place: older,
        };
        let agent = self.current().and_then(|it| it.agent.clone());
        self.add(source, agent);
        Ok(())
    }

    /// Adds an outside program at the end.
    pub(super) fn add_program(&mut self, name: String) {
        self.cursor = self.all.len().saturating_sub(1);
        self.add(PlayerSource::Outside(name), None);
    }

    /// Adds the player under the cursor once more, with another agent.
    pub(super) fn add_search(&mut self, player_list: &PlayerList) -> Result<(), String> {
        let Some(current) = self.current() else {
            return Ok(());
        };
        let search_options = current.search_options(player_list);
        let others = search_options
            .iter()
            .filter(|option| first_parameter(option).is_some());
        let preferred = others.max_by_key(|option| option.name() == "alpha_beta");
        let Some(option) = preferred.or(search_options.get(1)).cloned() else {
            let name = current.base_name();
            return Err(format!(
                "{name} does not evaluate positions and cannot search."
            ));
        };
        let (source, mut agent) = (current.source.clone(), option);
        if current.agent.as_ref().or(search_options.first()) == Some(&agent) {
            adjust_search(&mut agent, 1);
        }
        self.add(source, Some(agent));
        Ok(())
    }

    fn add(&mut self, source: PlayerSource, agent: Option<AgentConfig>) {
        self.cursor = (self.cursor + 1).min(self.all.len());
        self.all.insert(
            self.cursor,
            ListedPlayer {
                source,
                agent,
                is_selected: true,
                is_added: true,
            },
        );
    }

    /// Removes the player under the cursor if the user added it.
    pub(super) fn remove(&mut self) -> Result<(), String> {
        match self.current().map(|it| it.is_added) {
            Some(true) => {
                self.all.remove(self.cursor);
                self.move_cursor(-1);
                Ok(())
            }
            _ => Err("Only players added here can be removed.".to_owned()),
        }
    }

    /// Switches an added player to the next agent.
    pub(super) fn next_search(&mut self, player_list: &PlayerList) -> Result<(), String> {
        let current = self.current().filter(|it| it.agent.is_some());
        let Some(current) = current else {
            return Err(SEARCH_NOT_EDITABLE.to_owned());
        };
        let search_options = current.search_options(player_list);
        let name = current.agent.as_ref().map(AgentConfig::name);
        let place = search_options
            .iter()
            .position(|option| Some(option.name()) == name);
        let next = place.map_or(0, |place| (place + 1) % search_options.len());
        let next = search_options.get(next).cloned();
        if let Some(it) = self.current_mut() {
            it.agent = next;
        }
        Ok(())
    }

    /// Enlarges or reduces the search.
    pub(super) fn adjust_search(&mut self, by: i32) -> Result<(), String> {
        let agent = self.current_mut().and_then(|it| it.agent.as_mut());
        let agent = agent.ok_or_else(|| SEARCH_NOT_EDITABLE.to_owned())?;
        adjust_search(agent, by);
        Ok(())
    }
}

const SEARCH_NOT_EDITABLE: &str = "To change the search, first add the player with a search.";

/// An earlier player with its data refreshed.
fn updated(old: &ListedPlayer, fresh: &ListedPlayer) -> ListedPlayer {
    let source = match (&old.source, &fresh.source) {
        (PlayerSource::Saved { run: was, place }, PlayerSource::Saved { run, .. }) => {
            let last = run.generations.len() - 1;
            // A player at the newest champion stays at the newest.
            let same = was
                .generations
                .get(*place)
                .and_then(|generation| run.generations.iter().position(|kept| kept == generation));
            let is_newest = place + 1 == was.generations.len();
            PlayerSource::Saved {
                run: Arc::clone(run),
                place: same.filter(|_| !is_newest).unwrap_or(last),
            }
        }
        _ => fresh.source.clone(),
    };
    ListedPlayer {
        source,
        ..old.clone()
    }
}

/// Changes the first parameter of an agent by one step, within its limits.
fn adjust_search(agent: &mut AgentConfig, by: i32) {
    let Some(first) = first_parameter(agent).filter(|first| first.kind == ParamKind::Integer)
    else {
        return;
    };
    let Ok(now) = first.value.parse::<f64>() else {
        return;
    };
    let next = match by {
        _ if now < SINGLE_STEP_LIMIT => now + f64::from(by),
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
    use finches_engine::games::GameConfig;
    use finches_runs::storage::presets;

    use super::*;

    fn preset(name: &str) -> Preset {
        presets::load(name).expect("it ships")
    }

    fn player_list(generations: &[u64]) -> PlayerList {
        let kept = |name: &str, preset_name: &str| {
            Arc::new(SavedRun {
                name: name.to_owned(),
                preset: preset(preset_name),
                generations: generations.to_vec(),
            })
        };
        let game = preset("nim-2x4").game.for_matches();
        PlayerList {
            games: GameConfig::all(),
            game,
            references: ["random", "oracle"].map(str::to_owned).to_vec(),
            runs: vec![kept("n-1", "nim-2x4"), kept("v-1", "nim-2x4-value")],
        }
    }

    fn names(selection: &PlayerSelection) -> Vec<String> {
        selection.all.iter().map(|it| it.name(9)).collect()
    }

    #[test]
    fn at_first_the_first_champion_and_two_reference_players_are_chosen() {
        let mut selection = PlayerSelection::default();
        let live = ("nim-2x4-9".to_owned(), preset("nim-2x4"));
        selection.update(&player_list(&[0, 10]), Some(live));
        assert_eq!(
            names(&selection),
            ["nim-2x4-9:9", "n-1:10", "v-1:10", "random", "oracle"]
        );
        let chosen: Vec<String> = selection.selected().map(|it| it.name(9)).collect();
        assert_eq!(chosen, ["nim-2x4-9:9", "random", "oracle"]);
        assert_eq!(selection.planned(None).len(), 2, "it has no champion yet");
        // A run of another game has no champion here.
        let other = ("reversi-1".to_owned(), preset("reversi-vanilla"));
        let mut selection = PlayerSelection::default();
        selection.update(&player_list(&[0]), Some(other));
        assert_eq!(names(&selection)[0], "n-1:0");
    }

    #[test]
    fn a_live_champion_that_is_saved_too_plays_once() {
        let mut selection = PlayerSelection::default();
        selection.update(
            &player_list(&[0, 10]),
            Some(("n-1".to_owned(), preset("nim-2x4"))),
        );
        selection.move_cursor(1);
        selection.toggle();
        assert_eq!(selection.selected().count(), 4);
        let planned = |live| selection.planned(Some(live)).len();
        assert_eq!((planned(10), planned(11)), (3, 4));
    }

    #[test]
    fn champions_are_added_with_other_searches_and_of_other_generations() {
        let (mut selection, player_list) = (PlayerSelection::default(), player_list(&[0, 10, 20]));
        selection.update(&player_list, None);
        assert!(
            selection.add_search(&player_list).is_err(),
            "it values no positions"
        );
        selection.move_cursor(1);
        assert_eq!(selection.add_search(&player_list), Ok(()));
        assert_eq!(selection.adjust_search(1), Ok(()));
        assert_eq!(names(&selection)[2], "v-1:20@alpha-beta-3");
        assert_eq!(selection.next_search(&player_list), Ok(()));
        assert_eq!(selection.adjust_search(1), Ok(()));
        assert_eq!(names(&selection)[2], "v-1:20@monte-carlo-600");
        assert_eq!(selection.next_search(&player_list), Ok(()));
        assert_eq!(names(&selection)[2], "v-1:20@one-ply");
        assert_eq!(selection.change_generation(-2), Ok(()));
        assert_eq!(names(&selection)[2], "v-1:0@one-ply");
        assert!(selection.change_generation(-1).is_err());
        assert_eq!(selection.change_generation(1), Ok(()));
        assert_eq!(selection.add_older(), Ok(()));
        assert_eq!(names(&selection)[3], "v-1:0@one-ply");
        assert_eq!(selection.remove(), Ok(()));
        assert_eq!(selection.remove(), Ok(()));
        assert!(selection.remove().is_err());
        assert_eq!(names(&selection), ["n-1:20", "v-1:20", "random", "oracle"]);
    }

    #[test]
    fn what_was_chosen_and_added_stays_while_runs_go_on() {
        let mut selection = PlayerSelection::default();
        selection.update(&player_list(&[0, 10]), None);
        selection.move_cursor(1);
        selection.toggle();
        assert_eq!(selection.add_older(), Ok(()));
        selection.update(&player_list(&[0, 10, 20]), None);
        assert_eq!(
            names(&selection),
            ["n-1:20", "v-1:20", "v-1:0", "random", "oracle"]
        );
        let chosen: Vec<String> = selection.selected().map(|it| it.name(0)).collect();
        assert_eq!(chosen, ["n-1:20", "v-1:20", "v-1:0", "random", "oracle"]);
    }
}
