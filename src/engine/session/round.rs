//! The games of a generation: those of its members, then those of the genomes that challenge some
//! of them, each in one or more rounds. They can be halted between any two games and continued
//! later.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::contest::{FeatureValues, GameResult, Pairing};
use crate::evolution;
use crate::evolution::archive::Champion;
use crate::evolution::breeding::{Challenger, Origin, ParentPool};
use crate::evolution::pairing::PlayedRounds;
use crate::metrics::lengths::GameLengths;
use crate::play::Schedule;
use crate::play::features::{self, Feature, FeatureContext};
use crate::play::phenotype::Phenotype;
use crate::play::pool::Slots;
use crate::preset::Intervention;

use super::progress::GenerationPhase;
use super::replay::ReplayedGames;
use super::{FinishedGeneration, Session, learning, structure, team};

/// The games of the members of a generation, or those of the challengers.
pub(super) struct GenerationGames {
    /// The number of members, or of challengers.
    players: usize,
    /// The neighbors of each member.
    neighborhoods: Vec<Vec<u32>>,
    /// The number of rounds that have been paired.
    rounds: u64,
    /// The games of all these rounds.
    pairings: Vec<Pairing>,
    played: Slots<GameResult>,
    challenge: Option<Challenge>,
}

impl GenerationGames {
    /// No games yet. They reuse the slots of earlier games.
    fn new(players: usize, neighborhoods: Vec<Vec<u32>>, slots: Slots<GameResult>) -> Self {
        Self {
            players,
            neighborhoods,
            rounds: 0,
            pairings: Vec::new(),
            played: slots.reset(0),
            challenge: None,
        }
    }

    /// The results; all games must have been played.
    fn results(&self) -> &[GameResult] {
        self.played.values().expect("all games are played")
    }
}

/// What the members have reached in their games.
struct MemberResults {
    fitness: Vec<f64>,
    lengths: GameLengths,
    replayed: ReplayedGames,
    features: Vec<FeatureValues>,
    neighborhoods: Vec<Vec<u32>>,
}

/// Challengers, with the members' results.
struct Challenge {
    challengers: Vec<Challenger>,
    players: Vec<Arc<Phenotype>>,
    members: MemberResults,
}

impl Session {
    /// The fitness of each member of [`Session::snapshot`]; empty if unknown.
    pub fn fitness(&self) -> &[f64] {
        &self.snapshot.fitness
    }

    /// The lengths of the games of the latest generation.
    pub fn lengths(&self) -> &GameLengths {
        &self.lengths
    }

    /// Plays the games of the generation. `None` if `halt` was set before all were played; call
    /// again to continue.
    pub fn play(&mut self, halt: &AtomicBool) -> Option<FinishedGeneration> {
        let mut games = if let Some(games) = self.unfinished.take() {
            *games
        } else {
            while self.teach() {
                if halt.load(Ordering::Relaxed) {
                    return None;
                }
            }
            self.member_games()
        };
        loop {
            if !self.play_rounds(&mut games, halt) {
                self.unfinished = Some(Box::new(games));
                return None;
            }
            let finished = if let Some(challenge) = games.challenge.take() {
                self.resolve_challenge(challenge, &games)
            } else {
                let members = self.member_results(&mut games);
                match self.challenge(members) {
                    Ok(challenge) => {
                        self.slots = std::mem::replace(&mut games, challenge).played;
                        continue;
                    }
                    Err(members) => self.finished(*members, [0, 0]),
                }
            };
            self.slots = games.played;
            return Some(finished);
        }
    }

    /// Plays round after round; false if `halt` was set before all games were played.
    fn play_rounds(&self, games: &mut GenerationGames, halt: &AtomicBool) -> bool {
        loop {
            let challenge = games.challenge.as_ref();
            let schedule = Schedule {
                members: challenge.map_or(&self.players, |challenge| &challenge.players),
                ..self.schedule(&games.pairings, halt)
            };
            let played = &mut games.played;
            if let Some(challenge) = challenge {
                let challengers = challenge.challengers.iter();
                let genomes = challengers.map(|challenger| &challenger.genome);
                team::play_schedule(self, &schedule, genomes, played);
            } else {
                let genomes = &self.state.population.members;
                team::play_schedule(self, &schedule, genomes, played);
            }
            if !games.played.is_full() {
                return false;
            }
            if !self.pair_next_round(games) {
                return true;
            }
        }
    }

    /// Adds the games of the next round; false after the last.
    fn pair_next_round(&self, games: &mut GenerationGames) -> bool {
        let population = &self.state.population;
        let context = population.pairing_context(games.players, &games.neighborhoods);
        let played = PlayedRounds {
            rounds: games.rounds,
            pairings: &games.pairings,
            results: games.results(),
        };
        let (evolution, generation) = (&self.preset.evolution, self.state.generation);
        let next = evolution::next_round(evolution, &context, &played, self.seed, generation);
        let Some(next) = next else { return false };
        games.rounds += 1;
        games.played.extend(next.len());
        if games.pairings.is_empty() {
            games.pairings = next;
        } else {
            games.pairings.extend(next);
        }
        self.progress.expect(games.pairings.len());
        true
    }

    /// The members' games of this generation.
    pub(super) fn schedule<'a>(
        &'a self,
        pairings: &'a [Pairing],
        halt: &'a AtomicBool,
    ) -> Schedule<'a> {
        Schedule {
            seed: self.seed,
            generation: self.state.generation,
            first_game: 0,
            pairings,
            members: &self.players,
            hall_of_fame: &self.past.hall_of_fame,
            references: &self.opponents,
            random_moves: self.preset.evolution.random_moves,
            halt,
            played: self.progress.done(),
        }
    }

    /// Makes the changes of this generation that were recorded or scheduled, once, and returns
    /// them. Call it between generations; a generation does so too when it begins.
    pub fn make_due_changes(&mut self) -> Vec<Intervention> {
        let generation = self.state.generation;
        if self.changes.due_from > generation {
            return Vec::new();
        }
        self.changes.due_from = generation + 1;
        let due = self.changes.interventions.iter();
        let mut due: Vec<_> = due.filter(|it| it.generation == generation).collect();
        let mut is_restructured = false;
        due.retain(|change| {
            is_restructured |= structure::is_structural(&self.preset, &change.key);
            // One of the schedule may not fit what was changed by hand since; then it is left out.
            structure::change_in_fork(&mut self.preset, &change.key, &change.to).is_ok()
        });
        let made = due.into_iter().cloned().collect();
        if is_restructured {
            structure::rebuild(self);
        }
        made
    }

    /// Makes the changes of this generation and pairs the first round of its members.
    fn member_games(&mut self) -> GenerationGames {
        self.make_due_changes();
        let neighborhoods = self.preset.evolution.neighborhoods(self.state.generation);
        let members = self.state.population.members.len();
        let slots = std::mem::take(&mut self.slots);
        let games = GenerationGames::new(members, neighborhoods, slots);
        self.first_round(games, GenerationPhase::Playing)
    }

    /// Pairs the first round.
    fn first_round(&self, mut games: GenerationGames, phase: GenerationPhase) -> GenerationGames {
        let population = &self.state.population;
        let context = population.pairing_context(games.players, &games.neighborhoods);
        let known = self.preset.evolution.pairing.games(&context);
        self.progress.begin(phase, known.unwrap_or(0) as usize);
        self.pair_next_round(&mut games);
        games
    }

    /// What the members have reached in their games, which are taken for those that look back at
    /// them.
    fn member_results(&self, games: &mut GenerationGames) -> MemberResults {
        let mut fitness = self.fitness_in(games, &self.players);
        self.state.population.keep_fitness(&mut fitness);
        MemberResults {
            lengths: games.results().iter().map(|game| game.plies).collect(),
            replayed: ReplayedGames::of(&self.preset.evolution, &games.pairings, games.results()),
            features: self.features(games),
            neighborhoods: std::mem::take(&mut games.neighborhoods),
            fitness,
        }
    }

    /// The features of the members that the replacement asks for.
    fn features(&self, games: &GenerationGames) -> Vec<FeatureValues> {
        let wanted = self.preset.evolution.replacement.features().into_iter();
        let wanted = wanted.filter_map(|(_, name)| features::named(name).ok());
        let wanted: Vec<&Feature> = wanted.collect();
        if wanted.is_empty() {
            return Vec::new();
        }
        let never = AtomicBool::new(false);
        let schedule = self.schedule(&games.pairings, &never);
        let (arena, genomes) = (self.arena.as_ref(), &self.state.population.members);
        let context = FeatureContext::new(arena, &schedule, games.results(), genomes);
        context.values(&self.pool, &wanted)
    }

    /// The challengers' games, or the members' results if there are no challengers.
    fn challenge(&self, members: MemberResults) -> Result<GenerationGames, Box<MemberResults>> {
        let evolution = &self.preset.evolution;
        let (seed, generation) = (self.seed, self.state.generation);
        let parents = self.parent_pool(&members.fitness, &members.neighborhoods);
        let mut challengers = evolution::challengers(evolution, &parents, seed, generation);
        if challengers.is_empty() {
            return Err(Box::new(members));
        }
        let born = challengers.iter_mut();
        learning::teach_newborns(
            self,
            born.map(|it| &mut it.genome).collect(),
            generation + 1,
        );
        let genomes = challengers.iter().map(|challenger| &challenger.genome);
        let players = learning::players(self, &genomes.collect::<Vec<_>>());
        let neighborhoods = members.neighborhoods.clone();
        let mut games = GenerationGames::new(players.len(), neighborhoods, Slots::default());
        games.challenge = Some(Challenge {
            challengers,
            players,
            members,
        });
        Ok(self.first_round(games, GenerationPhase::Challenging))
    }

    /// The fitness of each player from the results of all rounds. If fitness is a sum over games,
    /// parts of it are computed in parallel. The parts do not depend on the number of threads, so
    /// rounding does not either.
    fn fitness_in(&self, games: &GenerationGames, members: &[Arc<Phenotype>]) -> Vec<f64> {
        const PART: usize = 1 << 15;
        let evolution = &self.preset.evolution;
        let graded = evolution.fitness.needs_grades().then(|| {
            let never = AtomicBool::new(false);
            let mut schedule = self.schedule(&games.pairings, &never);
            schedule.members = members;
            self.arena
                .graded_games(&self.pool, &schedule, games.results())
        });
        let played = graded.as_deref().unwrap_or(games.results());
        let (pairings, players) = (&games.pairings, games.players);
        if pairings.len() <= PART || !evolution::is_additive(evolution) {
            return evolution::fitness_of(evolution, pairings, played, players);
        }
        let parts: Vec<_> = pairings.chunks(PART).zip(played.chunks(PART)).collect();
        let count = |(): &mut (), part: usize| {
            let (pairings, played) = parts[part];
            evolution::fitness_of(evolution, pairings, played, players)
        };
        let counted = self.pool.map_with(parts.len(), || (), count);
        let mut sums = vec![0.0; players];
        for part in counted {
            for (sum, part) in sums.iter_mut().zip(part) {
                *sum += part;
            }
        }
        sums
    }

    /// Replaces each member whose challenger is at least as fit.
    fn resolve_challenge(
        &mut self,
        challenge: Challenge,
        games: &GenerationGames,
    ) -> FinishedGeneration {
        let tried = challenge.challengers.len();
        let challenger_fitness = self.fitness_in(games, &challenge.players);
        let mut members = challenge.members;
        let fitness = &mut members.fitness;
        let mut won = 0;
        let challengers = challenge.challengers.into_iter().zip(challenge.players);
        for ((challenger, player), challenger_fitness) in challengers.zip(challenger_fitness) {
            let member = challenger.member;
            if challenger_fitness >= fitness[member] {
                fitness[member] = challenger_fitness;
                self.state.population.members[member] = challenger.genome;
                self.players[member] = player;
                // A crossover of the member and a random genome.
                let population = &mut self.state.population;
                if let Some(origin) = population.origins.get_mut(member) {
                    *origin = Origin::Crossover;
                }
                let phylogeny = Arc::make_mut(&mut population.phylogeny);
                phylogeny.challenge(member, self.state.generation);
                won += 1;
            }
        }
        for game in games.results() {
            members.lengths.add(game.plies);
        }
        self.finished(members, [tried as u32, won])
    }

    fn finished(&self, members: MemberResults, challenges: [u32; 2]) -> FinishedGeneration {
        let (evolution, generation) = (&self.preset.evolution, self.state.generation);
        let fitness = members.fitness;
        let parents = ParentPool {
            features: &members.features,
            ..self.parent_pool(&fitness, &members.neighborhoods)
        };
        let breeding = evolution.breeding(&parents, self.seed, generation);
        let best = evolution.replacement.champion(&breeding);
        let memory = evolution::remember(evolution, &parents, self.seed, generation);
        FinishedGeneration {
            memory,
            champion: Champion {
                generation: self.state.generation,
                fitness: fitness[best],
                genome: self.state.population.members[best].clone(),
            },
            best,
            lengths: members.lengths,
            replayed: members.replayed,
            neighborhoods: members.neighborhoods,
            fitness,
            challenges,
        }
    }

    /// The parents and all else that the next generation is made from.
    pub(super) fn parent_pool<'a>(
        &'a self,
        fitness: &'a [f64],
        neighborhoods: &'a [Vec<u32>],
    ) -> ParentPool<'a> {
        ParentPool {
            members: &self.state.population.members,
            fitness,
            archive: &self.state.population.archive,
            restart: None,
            genome: &self.preset.genome,
            neighborhoods,
            training_sets: &self.training_sets,
            memory: &self.state.population.memory,
            replay: None,
            features: &[],
            phylogeny: &self.state.population.phylogeny,
            io_spec: self.arena.io_spec(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::play::pool::Pool;
    use crate::preset::Preset;

    /// A run whose pairing has rounds and whose mutation looks back at games that were won.
    fn session(pairing: &str, threads: usize) -> Session {
        let settings = [
            ("population", "24"),
            ("evolution.pairing", pairing),
            ("evolution.mutation", "safe(games: won)"),
        ];
        let settings = settings.map(|(key, value)| (key.to_owned(), value.to_owned()));
        let text = include_str!("../../../presets/nim-2x2.ron");
        let preset = Preset::parse(text, "test", "test").expect("it is valid");
        let preset = preset.with(&settings).expect("it is valid");
        let pool = Pool::new(threads).expect("there are threads");
        Session::new(preset, 1, Vec::new(), pool).expect("it is valid")
    }

    #[test]
    fn graded_fitness_is_the_sum_of_the_shares_of_best_moves() {
        // Of one heap of 2 the best move takes one match; what is left must be taken.
        let text = include_str!("../../../presets/simple-nim-2.ron");
        let text = text.replace("fitness: wins", "fitness: graded(supervised: true)");
        let preset = Preset::parse(&text, "test", "test").expect("it is valid");
        let pool = Pool::new(2).expect("there are threads");
        let mut session = Session::new(preset, 1, Vec::new(), pool).expect("it is valid");
        let never = AtomicBool::new(false);
        let mut games = session.member_games();
        assert!(session.play_rounds(&mut games, &never));
        let mut expected = vec![0.0; games.players];
        let schedule = session.schedule(&games.pairings, &never);
        for (game, pairing) in games.pairings.iter().enumerate() {
            let moves = session.arena.replayed_moves(&schedule, game);
            let seats = [pairing.first(), pairing.second()];
            for (played, seat) in moves.iter().zip(seats) {
                if let (Some(0), crate::contest::Seat::Member(member)) = (played.chosen, seat) {
                    expected[member as usize] += 1.0;
                }
            }
        }
        let fitness = session.fitness_in(&games, &session.players);
        let pairs = fitness.iter().zip(&expected);
        assert!(pairs.clone().all(|(one, other)| (one - other).abs() < 1e-9));
        assert!(fitness.iter().any(|&fitness| fitness > 0.0));
        assert!(fitness.contains(&0.0));
        // The members go on in the same way.
        session.unfinished = Some(Box::new(games));
        let row = session.advance(&never);
        assert!(row.is_some());
    }

    #[test]
    fn rounds_are_the_same_on_more_threads_after_a_halt_and_after_a_resume() {
        let (go, stop) = (AtomicBool::new(false), AtomicBool::new(true));
        for (pairing, games) in [("swiss(rounds: 4)", 96), ("knockout(matches: 2)", 92)] {
            let (mut whole, mut halted) = (session(pairing, 1), session(pairing, 2));
            for generation in 1..=5 {
                // The first round is played, the second is paired, and then the run is halted.
                let mut begun = halted.member_games();
                let schedule = halted.schedule(&begun.pairings, &go);
                halted
                    .arena
                    .play(&halted.pool, &schedule, &mut begun.played);
                assert!(halted.pair_next_round(&mut begun));
                assert!(begun.pairings.len() < games, "{pairing}");
                halted.unfinished = Some(Box::new(begun));
                assert!(halted.play(&stop).is_none());
                let row = halted.advance(&go);
                assert_eq!(whole.advance(&go), row, "{pairing}");
                assert_eq!(whole.state(), halted.state());
                assert_eq!(whole.state().totals.games, generation * games as u64);
                let pool = Pool::new(2).expect("there are threads");
                let state = whole.state().clone();
                let resumed = Session::resume(whole.preset().clone(), 1, Vec::new(), state, pool);
                halted = resumed.expect("it is the same run");
            }
        }
    }
}
