//! Players sit down: reference players, and champions with the network, the view of the board and, unless told otherwise, the
//! search of their run.

use std::sync::Arc;

use crate::agents::AgentConfig;
use crate::arena::meet::{Conditions, Contender, Meeting};
use crate::arena::player::Player;
use crate::arena::pool::Pool;
use crate::arena::{self, Arena};
use crate::contest::Played;
use crate::games::GameConfig;
use crate::games::reference::Reference;
use crate::genomes::AnyGenome;
use crate::preset::Preset;
use crate::storage::saves::Saves;

use super::Refusal;
use super::name::{Name, Who};
use super::search::Search;

/// A champion that is ready to play.
#[derive(Clone)]
pub struct Champion {
    /// The game as it sees it.
    pub game: GameConfig,
    pub agent: AgentConfig,
    /// Where it chooses moves.
    pub arena: Arc<dyn Arena>,
    pub player: Arc<Player>,
    pub generation: Option<u64>,
}

impl Champion {
    /// A genome of a run, under its game with settings changed.
    pub fn grown(
        preset: &Preset,
        genome: &AnyGenome,
        settings: &[(String, String)],
        search: Option<&Search>,
    ) -> Result<Self, Refusal> {
        let game = preset.game.with(settings).map_err(Refusal::Senseless)?;
        let agent = match search {
            Some(search) => search.of(preset).map_err(Refusal::Senseless)?,
            None => preset.agent.clone(),
        };
        let arena = arena::build(&game, &agent).map_err(Refusal::Impossible)?;
        if let Some(fault) = preset.genome.fault(genome, arena.ports()) {
            return Err(Refusal::Impossible(format!("can't play: {fault}")));
        }
        let player = Player::grown(&preset.genome, arena.ports(), genome);
        Ok(Self {
            game,
            agent,
            arena,
            player: Arc::new(player),
            generation: None,
        })
    }

    /// The champion of a saved run that a name means.
    pub fn saved(
        name: &Name,
        settings: &[(String, String)],
        saves: &Saves,
    ) -> Result<Self, Refusal> {
        let Who::Champion { run, generation } = &name.who else {
            return Err(nobody(&name.text, saves));
        };
        let file = saves.run_file(run)?;
        let generation = match *generation {
            Some(generation) => generation,
            None => saves.champions(run)?.last().copied().ok_or_else(|| {
                let message = "has no champion yet; let it run for a while";
                Refusal::Impossible(format!("{run}: {message}"))
            })?,
        };
        let search = search(name)?;
        let genome = saves.champion(run, generation)?.genome;
        let grown = Self::grown(&file.preset, &genome, settings, search.as_ref());
        let grown = grown.map_err(|refusal| refusal.of(&name.text))?;
        Ok(Self {
            generation: Some(generation),
            ..grown
        })
    }

    /// Takes part in games against others.
    pub fn contender(&self) -> Contender {
        Arc::clone(&self.arena).contender(Arc::clone(&self.player))
    }
}

/// Where a game is played by contenders of all kinds.
pub struct Venue {
    /// The rules, as its own positions are numbered.
    game: GameConfig,
    /// What is changed in the rules of the game that each knows.
    settings: Vec<(String, String)>,
    hall: Arc<dyn Arena>,
    saves: Saves,
}

impl Venue {
    /// A game under changed settings.
    pub fn open(
        game: &GameConfig,
        settings: &[(String, String)],
        saves: Saves,
    ) -> Result<Self, Refusal> {
        let game = game.with(settings).map_err(Refusal::Senseless)?.plain();
        Ok(Self {
            hall: hall(&game)?,
            game,
            settings: settings.to_vec(),
            saves,
        })
    }

    /// The names of the game's reference players.
    pub fn references(&self) -> Vec<String> {
        let judges = self.hall.judges();
        let all = Reference::all(judges).into_iter();
        all.filter(|&reference| self.can_play(reference))
            .map(|reference| reference.name(judges))
            .collect()
    }

    fn can_play(&self, reference: Reference) -> bool {
        self.hall.is_solved() || !reference.needs_solution()
    }

    /// Gives a player its seat.
    pub fn seat(&self, name: &Name) -> Result<Contender, Refusal> {
        match &name.who {
            Who::Reference(player) => self.reference(name, player),
            Who::Champion { run, .. } => {
                self.check(&name.text, &self.saves.run_file(run)?.preset)?;
                let champion = Champion::saved(name, &self.settings, &self.saves)?;
                Ok(champion.contender())
            }
        }
    }

    /// Gives a champion its seat whose genome is at hand.
    pub fn seat_grown(
        &self,
        name: &str,
        preset: &Preset,
        genome: &AnyGenome,
        search: Option<&Search>,
    ) -> Result<Contender, Refusal> {
        self.check(name, preset)?;
        let grown = Champion::grown(preset, genome, &self.settings, search);
        let champion = grown.map_err(|refusal| refusal.of(name))?;
        Ok(champion.contender())
    }

    /// Whether a preset's players know this game.
    fn check(&self, name: &str, preset: &Preset) -> Result<(), Refusal> {
        // Of another game the settings may be none, and then that is what is wrong.
        let own = preset.game.with(&self.settings);
        let own = own.unwrap_or_else(|_| preset.game.clone()).plain();
        if own == self.game {
            return Ok(());
        }
        let [own, here] = if own.name() == self.game.name() {
            [self.game.differences(&own), own.differences(&self.game)].map(|rules| rules.join(" "))
        } else {
            [own.name(), self.game.name()].map(str::to_owned)
        };
        let message = format!("{name}: plays {own}, here it is {here}");
        Err(Refusal::Senseless(message))
    }

    fn reference(&self, name: &Name, player: &str) -> Result<Contender, Refusal> {
        let judges = self.hall.judges();
        let found = Reference::named(player, judges).filter(|&found| self.can_play(found));
        let found = found.ok_or_else(|| {
            Refusal::Senseless(format!(
                "{}; the game's reference players are {}, and a champion is RUN or RUN:GENERATION",
                nobody(player, &self.saves),
                self.references().join(", ")
            ))
        })?;
        let deeper = match search(name)? {
            Some(search) => deeper(found, &search)
                .map_err(|fault| Refusal::Senseless(format!("{}: {fault}", name.text)))?,
            None => found,
        };
        Ok(Arc::clone(&self.hall).reference(deeper))
    }

    /// Plays games between contenders of this game; `None` where they were halted before the last was over.
    pub fn play(
        &self,
        pool: &Pool,
        contenders: &[Contender],
        meetings: &[Meeting],
        conditions: &Conditions<'_>,
    ) -> Option<Vec<Played>> {
        self.hall.meet(pool, contenders, meetings, conditions)
    }
}

/// A rule of thumb at another depth than its own players look.
fn deeper(reference: Reference, search: &Search) -> Result<Reference, String> {
    let Reference::Judge { judge, .. } = reference else {
        return Err("goes by no values, so there is nothing to search with".to_owned());
    };
    let depth = search.depth().ok_or(
        "a rule of thumb can only be searched by alpha-beta to some depth; write alpha-beta-4",
    )?;
    Ok(Reference::Judge { judge, depth })
}

fn search(name: &Name) -> Result<Option<Search>, Refusal> {
    let search = name.search.as_deref().map(Search::parse).transpose();
    search.map_err(|fault| Refusal::Senseless(format!("{}: {fault}", name.text)))
}

/// Says that a name means nobody.
pub fn nobody(name: &str, saves: &Saves) -> Refusal {
    let root = saves.root().display();
    Refusal::Senseless(format!(
        "{name}: there is neither a reference player nor a saved run of that name in {root}"
    ))
}

/// An arena of the game with the first way to choose moves that goes with it; reference players need none.
fn hall(game: &GameConfig) -> Result<Arc<dyn Arena>, Refusal> {
    let mut agents = AgentConfig::all().into_iter();
    let built = agents.find_map(|agent| arena::build(game, &agent).ok());
    built.ok_or_else(|| Refusal::Impossible(format!("nobody can play {}", game.name())))
}
