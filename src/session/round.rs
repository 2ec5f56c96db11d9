//! The games of a generation: those of its members, and then those of the genomes that challenge some of them. They can be
//! halted between any two games and go on later.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crate::arena::Schedule;
use crate::arena::player::Player;
use crate::arena::pool::Slots;
use crate::contest::{Pairing, Played};
use crate::evolution;
use crate::evolution::archive::Champion;
use crate::evolution::breed::{Challenger, Stock};
use crate::metrics::lengths::Lengths;
use crate::preset::Intervention;

use super::{Finished, Session, grading};

/// A generation while it is played: first by the members, then by those who challenge some of them.
pub(super) struct Round {
    pairings: Vec<Pairing>,
    played: Slots<Played>,
    challenge: Option<Challenge>,
}

impl Round {
    /// A round of these games, with the slots of an earlier one.
    fn new(pairings: Vec<Pairing>, slots: Slots<Played>) -> Self {
        Self {
            played: slots.emptied(pairings.len()),
            pairings,
            challenge: None,
        }
    }

    /// The results, once all games are played.
    fn results(&self) -> &[Played] {
        self.played.values().expect("all games are played")
    }
}

/// What comes after the members' games.
enum After {
    Done(Finished),
    Challenge(Box<Round>),
}

/// Challengers while they play, and how the members did before.
struct Challenge {
    challengers: Vec<Challenger>,
    players: Vec<Arc<Player>>,
    fitness: Vec<f64>,
    lengths: Lengths,
}

impl Session {
    /// The fitness of each member of the latest generation; empty where a run has been resumed and none has been played since.
    pub fn fitness(&self) -> &[f64] {
        &self.census.fitness
    }

    /// How long the games of that generation were.
    pub fn lengths(&self) -> &Lengths {
        &self.lengths
    }

    /// Plays the games of the generation; `None` where `halt` was set before all were played: call again to go on.
    pub fn play(&mut self, halt: &AtomicBool) -> Option<Finished> {
        let mut round = match self.unfinished.take() {
            Some(round) => round,
            None => self.begin(),
        };
        loop {
            if !self.play_round(&mut round, halt) {
                self.unfinished = Some(round);
                return None;
            }
            let after = match round.challenge.take() {
                Some(challenge) => After::Done(self.settle(challenge, &round)),
                None => self.challenge(&round),
            };
            self.slots = round.played;
            match after {
                After::Done(finished) => return Some(finished),
                After::Challenge(next) => round = *next,
            }
        }
    }

    /// Plays a round; false where `halt` was set before all its games were played.
    fn play_round(&self, round: &mut Round, halt: &AtomicBool) -> bool {
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
            famers: &self.hall,
            references: &self.opponents,
            halt,
        }
    }

    /// Applies what a replay turns now and draws the pairings.
    fn begin(&mut self) -> Round {
        let generation = self.state.generation;
        let due: Vec<Intervention> = self
            .interventions
            .iter()
            .filter(|due| due.generation == generation)
            .cloned()
            .collect();
        for intervention in due {
            // Recorded by a run of this preset, so that it can't be refused.
            let _ = self.preset.change(&intervention.key, &intervention.to);
        }
        let population = &self.state.population;
        let pairings = population.ask(&self.preset.evolution, self.seed, generation);
        Round::new(pairings, std::mem::take(&mut self.slots))
    }

    /// What the members' games came to, or the round in which they are challenged.
    fn challenge(&self, round: &Round) -> After {
        let evolution = &self.preset.evolution;
        let population = &self.state.population;
        let (seed, generation) = (self.seed, self.state.generation);
        let played = round.results();
        let fitness = self.worth(round, population.members.len());
        let neighborhoods = evolution.neighborhoods(generation);
        let stock = self.stock(&fitness, &neighborhoods);
        let challengers = evolution::challengers(evolution, &stock, seed, generation);
        let lengths = played.iter().map(|game| game.plies).collect();
        if challengers.is_empty() {
            return After::Done(self.finished(fitness, lengths, [0, 0]));
        }
        let genomes = challengers.iter().map(|challenger| &challenger.genome);
        let players = grading::players(&self.preset.genome, self.arena.ports(), genomes);
        let pairings = population.ask_for(challengers.len(), evolution, seed, generation);
        let mut next = Round::new(pairings, Slots::default());
        next.challenge = Some(Challenge {
            challengers,
            players,
            fitness,
            lengths,
        });
        After::Challenge(Box::new(next))
    }

    /// What the results make each of so many players worth. Where that is a sum, parts of it are counted side by side; what the
    /// parts are does not depend on the threads, so that roundings do not either.
    fn worth(&self, round: &Round, players: usize) -> Vec<f64> {
        const PART: usize = 1 << 15;
        let evolution = &self.preset.evolution;
        let (pairings, played) = (&round.pairings, round.results());
        if pairings.len() <= PART || !evolution::is_sum(evolution) {
            return evolution::worth(evolution, pairings, played, players);
        }
        let parts: Vec<_> = pairings.chunks(PART).zip(played.chunks(PART)).collect();
        let count = |(): &mut (), part: usize| {
            let (pairings, played) = parts[part];
            evolution::worth(evolution, pairings, played, players)
        };
        let counted = self.pool.map_with(parts.len(), || (), count);
        let mut sums = vec![0.0; players];
        for part in counted {
            for (sum, worth) in sums.iter_mut().zip(part) {
                *sum += worth;
            }
        }
        sums
    }

    /// Lets challengers that are at least as fit take their members' places.
    fn settle(&mut self, challenge: Challenge, round: &Round) -> Finished {
        let played = round.results();
        let tried = challenge.challengers.len();
        let worth = self.worth(round, tried);
        let mut fitness = challenge.fitness;
        let mut won = 0;
        let challengers = challenge.challengers.into_iter().zip(challenge.players);
        for ((challenger, player), worth) in challengers.zip(worth) {
            let member = challenger.member;
            if worth >= fitness[member] {
                fitness[member] = worth;
                self.state.population.members[member] = challenger.genome;
                self.players[member] = player;
                self.descent.replace(member, self.state.generation);
                won += 1;
            }
        }
        let mut lengths = challenge.lengths;
        for game in played {
            lengths.add(game.plies);
        }
        self.finished(fitness, lengths, [tried as u32, won])
    }

    fn finished(&self, fitness: Vec<f64>, lengths: Lengths, challenges: [u32; 2]) -> Finished {
        let best = evolution::champion(&fitness);
        Finished {
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

    /// What the next generation can come from.
    pub(super) fn stock<'a>(
        &'a self,
        fitness: &'a [f64],
        neighborhoods: &'a [Vec<u32>],
    ) -> Stock<'a> {
        Stock {
            members: &self.state.population.members,
            fitness,
            archive: &self.state.population.archive,
            genome: &self.preset.genome,
            neighborhoods,
            lessons: &self.lessons,
            recall: None,
            ports: self.arena.ports(),
        }
    }
}
