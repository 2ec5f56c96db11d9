//! The games of a generation: those of its members, then those of the genomes that challenge some of them. They can be halted
//! between any two games and continued later.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crate::contest::{GameResult, Pairing};
use crate::evolution;
use crate::evolution::archive::Champion;
use crate::evolution::breeding::{Challenger, Origin, ParentPool};
use crate::evolution::divergence::ReplayedGames;
use crate::metrics::lengths::GameLengths;
use crate::play::Schedule;
use crate::play::phenotype::Phenotype;
use crate::play::pool::Slots;

use super::progress::GenerationPhase;
use super::{FinishedGeneration, Session, grading};

/// One round of games of a generation: the members' games, or the challengers'.
pub(super) struct GenerationRound {
    pairings: Vec<Pairing>,
    played: Slots<GameResult>,
    challenge: Option<Challenge>,
}

impl GenerationRound {
    /// A round of games that reuses the slots of an earlier round.
    fn new(pairings: Vec<Pairing>, slots: Slots<GameResult>) -> Self {
        Self {
            played: slots.reset(pairings.len()),
            pairings,
            challenge: None,
        }
    }

    /// The results; all games must have been played.
    fn results(&self) -> &[GameResult] {
        self.played.values().expect("all games are played")
    }
}

/// What follows a round.
enum RoundOutcome {
    Done(Box<FinishedGeneration>),
    Challenge(Box<GenerationRound>),
}

/// Challengers, with the members' results.
struct Challenge {
    challengers: Vec<Challenger>,
    players: Vec<Arc<Phenotype>>,
    fitness: Vec<f64>,
    lengths: GameLengths,
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

    /// Plays the games of the generation. `None` if `halt` was set before all were played; call again to continue.
    pub fn play(&mut self, halt: &AtomicBool) -> Option<FinishedGeneration> {
        let mut round = match self.unfinished.take() {
            Some(round) => round,
            None => self.start_round(),
        };
        loop {
            if !self.play_round(&mut round, halt) {
                self.unfinished = Some(round);
                return None;
            }
            let after = if let Some(challenge) = round.challenge.take() {
                RoundOutcome::Done(Box::new(self.resolve_challenge(challenge, &round)))
            } else {
                self.keep_results(&round);
                self.challenge(&round)
            };
            self.slots = round.played;
            match after {
                RoundOutcome::Done(finished) => return Some(*finished),
                RoundOutcome::Challenge(next) => round = *next,
            }
        }
    }

    /// Keeps the results of the members' games if an operator will need them.
    fn keep_results(&mut self, round: &GenerationRound) {
        self.results.clear();
        let mut replayed = self.preset.evolution.replayed_games();
        if replayed.any(|games| games == ReplayedGames::Won) {
            let results = round.results().iter().map(|game| game.result);
            self.results.extend(results);
        }
    }

    /// Plays a round; false if `halt` was set before all its games were played.
    fn play_round(&self, round: &mut GenerationRound, halt: &AtomicBool) -> bool {
        let challenge = round.challenge.as_ref();
        let schedule = Schedule {
            members: challenge.map_or(&self.players, |challenge| &challenge.players),
            ..self.schedule(&round.pairings, halt)
        };
        self.arena.play(&self.pool, &schedule, &mut round.played);
        round.played.is_full()
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
            pairings,
            members: &self.players,
            hall_of_fame: &self.hall_of_fame,
            references: &self.opponents,
            random_moves: self.preset.evolution.random_moves,
            halt,
            played: self.progress.done(),
        }
    }

    /// Makes the changes of this generation that were recorded or scheduled, once.
    pub(super) fn make_due_changes(&mut self) {
        let generation = self.state.generation;
        if self.due_from > generation {
            return;
        }
        self.due_from = generation + 1;
        for change in &self.interventions {
            if change.generation == generation {
                // One of the schedule may not fit what was changed by hand since; then it is left out.
                let _ = self.preset.change_live(&change.key, &change.to);
            }
        }
    }

    /// Makes the changes of this generation and draws the pairings.
    fn start_round(&mut self) -> GenerationRound {
        self.make_due_changes();
        let generation = self.state.generation;
        let population = &self.state.population;
        let pairings = population.pairings(&self.preset.evolution, self.seed, generation);
        self.progress
            .begin(GenerationPhase::Playing, pairings.len());
        GenerationRound::new(pairings, std::mem::take(&mut self.slots))
    }

    /// Starts the challengers' round, or completes the generation if there are no challengers.
    fn challenge(&self, round: &GenerationRound) -> RoundOutcome {
        let evolution = &self.preset.evolution;
        let population = &self.state.population;
        let (seed, generation) = (self.seed, self.state.generation);
        let played = round.results();
        let mut fitness = self.round_fitness(round, population.members.len());
        population.keep_fitness(&mut fitness);
        let neighborhoods = evolution.neighborhoods(generation);
        let parents = self.parent_pool(&fitness, &neighborhoods);
        let mut challengers = evolution::challengers(evolution, &parents, seed, generation);
        let lengths = played.iter().map(|game| game.plies).collect();
        if challengers.is_empty() {
            return RoundOutcome::Done(Box::new(self.finished(fitness, lengths, [0, 0])));
        }
        for challenger in &mut challengers {
            (parents.genome).teach_newborn(&mut challenger.genome, parents.io_spec);
        }
        let genomes = challengers.iter().map(|challenger| &challenger.genome);
        let players = grading::players(&self.preset.genome, self.arena.io_spec(), genomes);
        let pairings = population.pairings_for(challengers.len(), evolution, seed, generation);
        self.progress
            .begin(GenerationPhase::Challenging, pairings.len());
        let mut next = GenerationRound::new(pairings, Slots::default());
        next.challenge = Some(Challenge {
            challengers,
            players,
            fitness,
            lengths,
        });
        RoundOutcome::Challenge(Box::new(next))
    }

    /// The fitness of each of `players` players from the results of a round. If fitness is a sum over games, parts of it are computed
    /// in parallel. The parts do not depend on the number of threads, so rounding does not either.
    fn round_fitness(&self, round: &GenerationRound, players: usize) -> Vec<f64> {
        const PART: usize = 1 << 15;
        let evolution = &self.preset.evolution;
        let (pairings, played) = (&round.pairings, round.results());
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
        round: &GenerationRound,
    ) -> FinishedGeneration {
        let played = round.results();
        let tried = challenge.challengers.len();
        let challenger_fitness = self.round_fitness(round, tried);
        let mut fitness = challenge.fitness;
        let mut won = 0;
        let challengers = challenge.challengers.into_iter().zip(challenge.players);
        for ((challenger, player), challenger_fitness) in challengers.zip(challenger_fitness) {
            let member = challenger.member;
            if challenger_fitness >= fitness[member] {
                fitness[member] = challenger_fitness;
                self.state.population.members[member] = challenger.genome;
                self.players[member] = player;
                // A crossover of the member and a random genome.
                (self.lineage).replace(member, Origin::Crossover, self.state.generation);
                let phylogeny = Arc::make_mut(&mut self.state.population.phylogeny);
                phylogeny.challenge(member, self.state.generation);
                won += 1;
            }
        }
        let mut lengths = challenge.lengths;
        for game in played {
            lengths.add(game.plies);
        }
        self.finished(fitness, lengths, [tried as u32, won])
    }

    fn finished(
        &self,
        fitness: Vec<f64>,
        lengths: GameLengths,
        challenges: [u32; 2],
    ) -> FinishedGeneration {
        let (evolution, generation) = (&self.preset.evolution, self.state.generation);
        let best = (evolution.replacement).champion(&self.state.population.memory, &fitness);
        let neighborhoods = evolution.neighborhoods(generation);
        let parents = self.parent_pool(&fitness, &neighborhoods);
        let memory = evolution::remember(evolution, &parents, self.seed, generation);
        FinishedGeneration {
            memory,
            champion: Champion {
                generation: self.state.generation,
                fitness: fitness[best],
                genome: self.state.population.members[best].clone(),
            },
            best,
            lengths,
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
            io_spec: self.arena.io_spec(),
        }
    }
}
