//! A team: other processes that do some of the work of a run. Lists of games, and of genomes that
//! learn, are cut into parts, and each part is done by a process that is free. Results are placed
//! by their number, so that nothing depends on the process. This module knows what a part is and
//! how it is done, but not how processes talk to each other, nor the time.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use serde::{Deserialize, Serialize};

use crate::contest::{GameResult, Pairing};
use crate::games::Side;
use crate::genomes::learning::Inheritance;
use crate::genomes::replay::ReplayBuffer;
use crate::genomes::{AnyGenome, GenomeError};
use crate::play::Schedule;
use crate::play::held_out;
use crate::play::matches::MatchList;
use crate::play::phenotype::Phenotype;
use crate::play::pool::{Pool, Slots};
use crate::play::reference_player::ReferencePlayer;
use crate::preset::{Preset, PresetError};

use super::grading::{GradingOpponents, PopulationGrading};
use super::measures::growth;
use super::{Session, learning};

/// The processes that work for a session.
pub trait Team: Send + Sync {
    /// A session begins, for which they will work until the next one does.
    fn begin(&self, session: &Session);

    /// Does work, on any of the processes. The session waits for it. Once
    /// [`SharedWork::is_halted`], no further task starts.
    fn work(&self, work: &mut dyn SharedWork);

    /// How it has worked since it was asked last; `None` if that is less than a second ago.
    fn figures(&self) -> Option<TeamFigures> {
        None
    }
}

/// How a team has worked lately.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TeamFigures {
    /// The processes, that of the session included.
    pub processes: u32,
    /// The share of the time in which the other processes had nothing to do, 0..=1.
    pub waiting: f64,
}

/// Tasks that can be done in parts, in any order and on any process. A task is a game, or the
/// lessons of a genome.
pub trait SharedWork {
    /// Tasks with the same number take about as long as each other.
    fn kind(&self) -> u64;

    /// The number of tasks.
    fn count(&self) -> usize;

    /// The players of the session, with their genomes: first the members, then the hall of fame,
    /// then the recent champions. They are the same for all requests of this work. `None` if the
    /// requests need none.
    fn players(&self) -> Option<Vec<TeamPlayer<'_>>>;

    /// What a teammate needs to know to do some of the tasks.
    fn request(&self, part: Range<usize>) -> WorkRequest;

    /// Takes the results of a part that a teammate has done.
    fn place(&mut self, part: Range<usize>, results: WorkResults);

    /// Does a part on this process.
    fn do_here(&mut self, part: Range<usize>);

    /// Whether to stop.
    fn is_halted(&self) -> bool {
        false
    }
}

/// A player and the genome that it was grown from.
pub type TeamPlayer<'a> = (&'a Arc<Phenotype>, &'a AnyGenome);

/// What a teammate is to do.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum WorkRequest {
    /// Play games.
    Games(GamesRequest),
    /// Teach these genomes their lessons.
    Lessons(Vec<AnyGenome>),
}

/// What a teammate has done, in the order of the tasks.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum WorkResults {
    /// The results of games.
    Games(Vec<GameResult>),
    /// Genomes after their lessons.
    Genomes(Vec<AnyGenome>),
    /// What players saw in their games.
    Replays(Vec<ReplayBuffer>),
}

impl WorkResults {
    fn games(self) -> Vec<GameResult> {
        match self {
            Self::Games(results) => results,
            _ => unreachable!("a teammate answers what it was asked"),
        }
    }
}

/// Games that a teammate is to play.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GamesRequest {
    /// The number of members.
    members: usize,
    /// The number of players of the hall of fame, which follow them.
    hall_of_fame: usize,
    games: RequestedGames,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
enum RequestedGames {
    /// Games for fitness.
    Fitness {
        generation: u64,
        random_moves: f64,
        first_game: u64,
        pairings: Vec<Pairing>,
    },
    /// The same, played again for what one side saw in each.
    Replays {
        generation: u64,
        random_moves: f64,
        games: Vec<(u64, Pairing, Side)>,
    },
    /// A part of a list that each process makes for itself.
    Listed(ListedMatches, Range<usize>),
}

impl GamesRequest {
    fn new(session: &Session, members: usize, games: RequestedGames) -> Self {
        Self {
            members,
            hall_of_fame: session.past.hall_of_fame.len(),
            games,
        }
    }

    /// Games of the latest generation, by their numbers, that are played again for what one side
    /// saw.
    pub(super) fn replays(session: &Session, games: Vec<(u64, Pairing, Side)>) -> Self {
        let games = RequestedGames::Replays {
            generation: session.state.generation,
            random_moves: session.preset.evolution.random_moves,
            games,
        };
        Self::new(session, session.players.len(), games)
    }
}

/// A list of matches that follows from the players and the preset.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum ListedMatches {
    /// Held-out games of these members against a reference player: see [`held_out::match_list`].
    HeldOut {
        /// The members.
        players: Range<usize>,
        /// Their opponent.
        reference: ReferencePlayer,
        /// The games of each of them.
        games: u32,
    },
    /// See [`PopulationGrading::match_list`].
    Grading {
        /// The opponents of the members.
        opponents: GradingOpponents,
        /// The most games.
        games: u64,
    },
    /// A member against the recent champions.
    Growth {
        /// The member.
        champion: usize,
        /// The generation that it plays in.
        generation: u64,
    },
}

impl ListedMatches {
    fn kind(&self) -> u64 {
        const GRADING: u64 = 1 << 32;
        const GROWTH: u64 = 1 << 33;
        match self {
            Self::HeldOut { reference, .. } => reference.key() + 1,
            Self::Grading { opponents, .. } => GRADING + *opponents as u64,
            Self::Growth { .. } => GROWTH,
        }
    }
}

/// The team that plays for a session. Without inheritance of what members learn there is none: a
/// teammate would have to repeat their lessons.
pub(super) fn team_of(session: &Session) -> Option<&dyn Team> {
    let inheritance = session.arena.io_spec().inheritance();
    let repeats = inheritance == Some(Inheritance::Baldwinian);
    session.team.as_deref().filter(|_| !repeats)
}

/// Plays the games of a schedule whose slots are empty. `genomes` are those of its members.
pub(super) fn play_schedule<'a>(
    session: &Session,
    schedule: &Schedule<'_>,
    genomes: impl IntoIterator<Item = &'a AnyGenome>,
    played: &mut Slots<GameResult>,
) {
    let (Some(team), Some(all)) = (team_of(session), played.untouched()) else {
        return session.arena.play(&session.pool, schedule, played);
    };
    let mut games = FitnessGames {
        session,
        schedule,
        genomes: genomes.into_iter().collect(),
        all,
        played,
    };
    team.work(&mut games);
    played.count_filled();
}

/// Plays a list of matches of the members.
pub(super) fn play_list(
    session: &Session,
    list: &MatchList,
    listed: ListedMatches,
) -> Vec<GameResult> {
    let Some(team) = team_of(session) else {
        return list.play_all(&session.pool);
    };
    let mut games = ListedGames {
        session,
        list,
        listed,
        played: vec![GameResult::default(); list.matches.len()],
    };
    team.work(&mut games);
    games.played
}

/// These members, the hall of fame and the recent champions.
fn team_players<'a>(
    session: &'a Session,
    members: &'a [Arc<Phenotype>],
    genomes: impl IntoIterator<Item = &'a AnyGenome>,
) -> Vec<TeamPlayer<'a>> {
    let hall = session.state.population.hall_of_fame.iter();
    let hall = session.past.hall_of_fame.iter().zip(hall);
    let hall = hall.map(|(player, entry)| (player, &entry.genome));
    let recent = session.state.recent.iter();
    let recent = session.past.recent.iter().zip(recent);
    let recent = recent.map(|(player, champion)| (player, &champion.genome));
    let others = hall.chain(recent);
    members.iter().zip(genomes).chain(others).collect()
}

/// The members of a session, its hall of fame and its recent champions.
pub(super) fn current_players(session: &Session) -> Vec<TeamPlayer<'_>> {
    let (members, genomes) = (&session.players, &session.state.population.members);
    team_players(session, members, genomes)
}

/// The games of a generation. Those of earlier rounds have been played.
struct FitnessGames<'a> {
    session: &'a Session,
    schedule: &'a Schedule<'a>,
    genomes: Vec<&'a AnyGenome>,
    all: Range<usize>,
    played: &'a mut Slots<GameResult>,
}

impl FitnessGames<'_> {
    fn absolute(&self, part: &Range<usize>) -> Range<usize> {
        self.all.start + part.start..self.all.start + part.end
    }
}

impl SharedWork for FitnessGames<'_> {
    fn kind(&self) -> u64 {
        0
    }

    fn count(&self) -> usize {
        self.all.len()
    }

    fn players(&self) -> Option<Vec<TeamPlayer<'_>>> {
        let (members, genomes) = (self.schedule.members, self.genomes.iter().copied());
        Some(team_players(self.session, members, genomes))
    }

    fn request(&self, part: Range<usize>) -> WorkRequest {
        let part = self.absolute(&part);
        let games = RequestedGames::Fitness {
            generation: self.schedule.generation,
            random_moves: self.schedule.random_moves,
            first_game: part.start as u64,
            pairings: self.schedule.pairings[part].to_vec(),
        };
        let members = self.schedule.members.len();
        WorkRequest::Games(GamesRequest::new(self.session, members, games))
    }

    fn place(&mut self, part: Range<usize>, results: WorkResults) {
        let results = results.games();
        let count = results.len() as u64;
        self.schedule.played.fetch_add(count, Ordering::Relaxed);
        self.played.place(self.absolute(&part).zip(results));
    }

    fn do_here(&mut self, part: Range<usize>) {
        let (arena, pool) = (&self.session.arena, &self.session.pool);
        if part.len() == self.all.len() {
            return arena.play(pool, self.schedule, self.played);
        }
        let part = self.absolute(&part);
        let schedule = Schedule {
            first_game: part.start as u64,
            pairings: &self.schedule.pairings[part.clone()],
            ..*self.schedule
        };
        let mut played = Slots::new(part.len());
        arena.play(pool, &schedule, &mut played);
        let filled = played.filled();
        self.played
            .place(filled.map(|(index, &result)| (part.start + index, result)));
    }

    fn is_halted(&self) -> bool {
        self.schedule.halt.is_canceled()
    }
}

/// A list of matches of the members.
struct ListedGames<'a> {
    session: &'a Session,
    list: &'a MatchList,
    listed: ListedMatches,
    played: Vec<GameResult>,
}

impl SharedWork for ListedGames<'_> {
    fn kind(&self) -> u64 {
        self.listed.kind()
    }

    fn count(&self) -> usize {
        self.played.len()
    }

    fn players(&self) -> Option<Vec<TeamPlayer<'_>>> {
        Some(current_players(self.session))
    }

    fn request(&self, part: Range<usize>) -> WorkRequest {
        let games = RequestedGames::Listed(self.listed.clone(), part);
        let members = self.session.players.len();
        WorkRequest::Games(GamesRequest::new(self.session, members, games))
    }

    fn place(&mut self, part: Range<usize>, results: WorkResults) {
        self.played[part].copy_from_slice(&results.games());
    }

    fn do_here(&mut self, part: Range<usize>) {
        let results = self.list.play(&self.session.pool, part.clone());
        self.place(part, WorkResults::Games(results));
    }
}

/// A process that works for the session of another one.
pub struct Teammate {
    /// It has the preset and the seed of the other, and is never advanced.
    session: Session,
    players: Vec<Arc<Phenotype>>,
    /// The latest list of matches, which is asked for part by part.
    list: Option<(ListedMatches, MatchList)>,
}

impl Teammate {
    /// `preset` is that of the run at its start.
    pub fn new(preset: Preset, seed: u64, pool: Pool) -> Result<Self, PresetError> {
        Ok(Self {
            session: Session::new(preset, seed, Vec::new(), pool)?,
            players: Vec::new(),
            list: None,
        })
    }

    /// Grows the players of the next requests: each that of a genome, or an earlier one by its
    /// index.
    ///
    /// # Errors
    ///
    /// If a genome does not fit the preset.
    pub fn set_players(&mut self, players: &[TeamChange<AnyGenome>]) -> Result<(), GenomeError> {
        let (genome, io_spec) = (&self.session.preset.genome, self.session.arena.io_spec());
        let grown = self.session.pool.map_with(
            players.len(),
            || (),
            |(), index| match &players[index] {
                TeamChange::Kept(before) => Ok(Arc::clone(&self.players[*before])),
                TeamChange::New(new) => Phenotype::checked(genome, io_spec, new).map(Arc::new),
            },
        );
        self.players = grown.into_iter().collect::<Result<_, _>>()?;
        self.list = None;
        Ok(())
    }

    /// Does some of the tasks.
    pub fn work(&mut self, request: WorkRequest) -> WorkResults {
        match request {
            WorkRequest::Games(games) => self.play(games),
            WorkRequest::Lessons(genomes) => {
                let genomes: Vec<&AnyGenome> = genomes.iter().collect();
                WorkResults::Genomes(learning::taught_here(&self.session, &genomes))
            }
        }
    }

    fn play(&mut self, request: GamesRequest) -> WorkResults {
        let (members, others) = self.players.split_at(request.members);
        let (hall_of_fame, recent) = others.split_at(request.hall_of_fame);
        let session = &self.session;
        let (never, uncounted) = (AtomicBool::new(false), AtomicU64::new(0));
        let schedule = Schedule {
            members,
            hall_of_fame,
            played: &uncounted,
            ..session.schedule(&[], &never)
        };
        match request.games {
            RequestedGames::Fitness {
                generation,
                random_moves,
                first_game,
                pairings,
            } => {
                let schedule = Schedule {
                    generation,
                    random_moves,
                    first_game,
                    pairings: &pairings,
                    ..schedule
                };
                let mut played = Slots::new(pairings.len());
                session.arena.play(&session.pool, &schedule, &mut played);
                let played = played.values();
                WorkResults::Games(played.expect("they are never halted").to_vec())
            }
            RequestedGames::Replays {
                generation,
                random_moves,
                games,
            } => {
                let replay = |(): &mut (), index: usize| {
                    let (first_game, pairing, side) = games[index];
                    let schedule = Schedule {
                        generation,
                        random_moves,
                        first_game,
                        pairings: &[pairing],
                        ..schedule
                    };
                    session.arena.replay_buffer(&schedule, 0, side)
                };
                WorkResults::Replays(session.pool.map_with(games.len(), || (), replay))
            }
            RequestedGames::Listed(listed, part) => {
                let known = self.list.take().filter(|(known, _)| *known == listed);
                let known = known.unwrap_or_else(|| {
                    let list = match_list(session, [members, recent], &listed);
                    (listed, list)
                });
                let played = known.1.play(&session.pool, part);
                self.list = Some(known);
                WorkResults::Games(played)
            }
        }
    }
}

/// A player of the next requests.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum TeamChange<G> {
    /// A player of the requests before, by its index.
    Kept(usize),
    /// The player of a genome.
    New(G),
}

fn match_list(
    session: &Session,
    [members, recent]: [&[Arc<Phenotype>]; 2],
    listed: &ListedMatches,
) -> MatchList {
    match listed.clone() {
        ListedMatches::HeldOut {
            players,
            reference,
            games,
        } => held_out::match_list(&session.arena, &members[players], reference, games),
        ListedMatches::Grading { opponents, games } => {
            let (preset, seed) = (session.initial_preset(), session.seed);
            let grading = PopulationGrading::new(preset, seed, &session.arena);
            let grading = grading.expect("the session with this preset has one");
            grading.match_list(members, opponents, games)
        }
        ListedMatches::Growth {
            champion,
            generation,
        } => growth::match_list(session, generation, &members[champion], recent),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;

    /// One process does every other part, starting with the last one.
    struct TwoProcesses {
        mate: Mutex<Teammate>,
        /// The parts that it has played, those whose genomes it has taught, and those that it has
        /// played again.
        asked: [AtomicU64; 3],
    }

    impl Team for TwoProcesses {
        fn begin(&self, _session: &Session) {}

        fn work(&self, work: &mut dyn SharedWork) {
            let mut mate = self.mate.lock().expect("one thread works");
            if let Some(players) = work.players() {
                let players = players.into_iter();
                let players: Vec<_> = players
                    .map(|(_, genome)| TeamChange::New(genome.clone()))
                    .collect();
                mate.set_players(&players).expect("they fit");
            }
            let part = work.count().div_ceil(7).max(1);
            for (index, start) in (0..work.count()).step_by(part).enumerate().rev() {
                let part = start..work.count().min(start + part);
                if index % 2 == 0 {
                    let request = work.request(part.clone());
                    let kind = match &request {
                        WorkRequest::Lessons(_) => 1,
                        WorkRequest::Games(games) => match games.games {
                            RequestedGames::Replays { .. } => 2,
                            _ => 0,
                        },
                    };
                    self.asked[kind].fetch_add(1, Ordering::Relaxed);
                    work.place(part, mate.work(request));
                } else {
                    work.do_here(part);
                }
            }
        }
    }

    #[test]
    fn a_team_works_as_one_process_does() {
        let nim = include_str!("../../../presets/nim-2x4-value.ron");
        let reversi = include_str!("../../../presets/reversi-vanilla.ron");
        let tournament = include_str!("../../../presets/hynek-11-chicken.ron");
        let settings = [
            "population=40",
            "measures.keep_every=2",
            "grading_games=60",
            "population_games=2",
            "held_out_games=6",
        ];
        let settings = settings.map(|text| {
            let (key, value) = text.split_once('=').expect("it has both");
            (key.to_owned(), value.to_owned())
        });
        let lamarck = include_str!("../../../presets/weaver-lamarck.ron");
        let baldwin = include_str!("../../../presets/weaver-baldwin.ron");
        let safe = include_str!("../../../presets/thien-1ply.ron");
        let growth = [("simulations", "20"), ("growth_games", "4")];
        let growth = growth.map(|(key, value)| (key.to_owned(), value.to_owned()));
        for (text, settings, is_shared) in [
            (nim, &[][..], [true, false, false]),
            (reversi, &settings, [true, false, false]),
            (tournament, &[], [true, false, false]),
            (lamarck, &settings[..1], [true, true, false]),
            (baldwin, &settings[..1], [false, true, false]),
            (safe, &growth, [true, false, true]),
        ] {
            let preset = Preset::parse(text, "test", "test").expect("it is valid");
            let preset = preset.with(settings).expect("it is valid");
            let pool = Pool::new(2).expect("there are threads");
            let session = || Session::new(preset.clone(), 1, Vec::new(), pool.clone());
            let (mut alone, mut shared) =
                (session().expect("it fits"), session().expect("it fits"));
            let mate = Teammate::new(preset.clone(), 1, pool.clone()).expect("it fits");
            let team = Arc::new(TwoProcesses {
                mate: Mutex::new(mate),
                asked: Default::default(),
            });
            shared.set_team(Arc::clone(&team) as Arc<dyn Team>);
            let never = AtomicBool::new(false);
            for _ in 0..4 {
                assert_eq!(alone.advance(&never), shared.advance(&never));
            }
            assert_eq!(alone.state(), shared.state());
            let asked = team.asked.each_ref();
            let asked = asked.map(|asked| asked.load(Ordering::Relaxed) > 0);
            assert_eq!(asked, is_shared, "{}", preset.about);
        }
    }
}
