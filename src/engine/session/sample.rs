//! Sample games, which are only shown: the latest champion against earlier ones.

use std::sync::Arc;

use rand::RngExt;

use crate::evolution::archive::Champion;
use crate::genomes::AnyGenome;
use crate::play::PlayerRef;
use crate::play::match_setup::ChampionPlayer;
use crate::play::phenotype::Phenotype;
use crate::play::record::GameRecord;
use crate::play::reference_player::ReferencePlayer;
use crate::rng::{Purpose, stream};

use super::Session;

/// The name of what learns before the first generation.
pub const LEARNER: &str = "learner";

pub(super) fn grow(session: &Session, genome: &AnyGenome) -> Phenotype {
    Phenotype::grown(&session.preset.genome, session.arena.io_spec(), genome)
}

/// The latest champion, ready to value positions and to play; `None` before the first generation.
pub(super) fn champion_player(session: &Session) -> Option<ChampionPlayer> {
    let champion = session.state.champion.as_ref()?;
    Some(ChampionPlayer {
        game: session.preset.game.clone(),
        agent: session.preset.agent.clone(),
        arena: Arc::clone(&session.arena),
        player: Arc::new(grow(session, &champion.genome)),
    })
}

/// Sample games of the latest champion against the champion before it and a random earlier one, or
/// against the random player if there are none. Before the first, of what learns from games. Each
/// `index` gives different games.
pub(super) fn games(session: &Session, index: u64) -> Vec<GameRecord> {
    let champion = session.state.champion.as_ref();
    let champion = champion.map(|it| (it.generation, format!("g{}", it.generation), &it.genome));
    let learner = session.state.learner.as_ref();
    let learner = learner.map(|learner| (0, LEARNER.to_owned(), &learner.genome));
    let Some((generation, own, genome)) = champion.or(learner) else {
        return Vec::new();
    };
    let player = grow(session, genome);
    let earlier: Vec<&Champion> = session
        .state
        .population
        .archive
        .champions()
        .iter()
        .filter(|kept| kept.generation < generation)
        .collect();
    let mut rng = stream(session.seed, Purpose::Sample, generation, u64::MAX - index);
    let random = (!earlier.is_empty()).then(|| earlier[rng.random_range(0..earlier.len())]);
    let previous = session
        .state
        .previous
        .iter()
        .map(|champion| (champion.generation, &champion.genome));
    let opponents = previous.chain(random.map(|kept| (kept.generation, &kept.genome)));
    let mut games = Vec::new();
    for (place, (age, genome)) in opponents.enumerate() {
        let other = grow(session, genome);
        let names = [own.clone(), format!("g{age}")];
        let players = [&player, &other].map(PlayerRef::Evolved);
        games.push(sample(
            session,
            players,
            names,
            generation,
            index * 2 + place as u64,
        ));
    }
    if games.is_empty() {
        let names = [
            own,
            ReferencePlayer::Random.name(session.arena.info().heuristics),
        ];
        games.push(sample(
            session,
            [
                PlayerRef::Evolved(&player),
                PlayerRef::Reference(ReferencePlayer::Random),
            ],
            names,
            generation,
            index,
        ));
    }
    games
}

/// One sample game; the sides alternate from game to game.
fn sample(
    session: &Session,
    mut players: [PlayerRef<'_>; 2],
    mut names: [String; 2],
    generation: u64,
    index: u64,
) -> GameRecord {
    if index % 2 == 1 {
        players.swap(0, 1);
        names.swap(0, 1);
    }
    session
        .arena
        .play_record(players, names, session.seed, generation, index)
}
