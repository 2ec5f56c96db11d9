//! Breeding: parents, offspring, and the operators that lead from one to the other.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::genomes::replay::ReplayBuffer;
use crate::genomes::training_set::TrainingSet;
use crate::genomes::{AnyGenome, GenomeConfig, IoSpec, Relative};
use crate::rng::{Purpose, Stream, stream};

use super::archive::{Archive, Champion};
use super::crossover::{Crossover, Mate};
use super::divergence::ReplayedGames;
use super::memory::Memory;
use super::mutation::{Mutation, MutationContext};
use super::selection::{Selection, Selector, ranking};

/// The members and other sources from which the next generation is made.
#[derive(Clone, Copy)]
pub struct ParentPool<'a> {
    /// The genomes of the current generation.
    pub members: &'a [AnyGenome],
    /// Fitness of each member; proportional selection treats negative fitness as 0.
    pub fitness: &'a [f64],
    /// Champions of earlier generations.
    pub archive: &'a Archive,
    /// The earlier champion that all of the next generation is bred from; `None` unless evolution restarts.
    pub restart: Option<&'a Champion>,
    /// The neighbors of each member; empty if the population is panmictic.
    pub neighborhoods: &'a [Vec<u32>],
    /// The training sets; empty unless offspring are trained.
    pub training_sets: &'a [TrainingSet],
    /// The positions of a member's games; `None` if no operator uses them.
    pub replay: Option<&'a ReplayLookup<'a>>,
    /// What the replacement remembers: of earlier generations for [`Replacement::remember`](super::replacement::Replacement::remember), of
    /// this one too for the plan of the next.
    pub memory: &'a Memory,
    /// The kind of the genomes, with the rates of its mutations.
    pub genome: &'a GenomeConfig,
    /// The inputs and outputs of their networks.
    pub io_spec: &'a IoSpec,
}

impl ParentPool<'_> {
    /// The offspring of two members, given by their indices, before mutation.
    pub fn cross(&self, parents: [usize; 2], rng: &mut Stream) -> AnyGenome {
        let rank = Relative::of(parents.map(|parent| self.fitness[parent]));
        let genomes = parents.map(|parent| &self.members[parent]);
        self.genome.crossover_ranked(genomes, rank, rng)
    }
}

/// Returns the replay buffer of a member.
pub type ReplayLookup<'a> = dyn Fn(usize, ReplayedGames) -> Arc<ReplayBuffer> + Sync + 'a;

/// The origin of a member; the metrics number the variants in this order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Origin {
    /// No single parent, such as a random genome.
    #[default]
    New,
    /// An unchanged member of the previous generation.
    Elite,
    /// A crossover of two members.
    Crossover,
    /// A mutated member.
    Mutant,
}

/// A member of the next generation.
#[derive(Clone, Debug, PartialEq)]
pub struct Offspring {
    /// What is inherited.
    pub genome: AnyGenome,
    /// How it was made.
    pub origin: Origin,
    /// The member of which it is an unchanged copy, if any; its cached evaluation can be reused.
    pub copy_of: Option<usize>,
}

impl Offspring {
    /// A genome without a recorded parent.
    pub fn new(genome: AnyGenome) -> Self {
        Self {
            genome,
            origin: Origin::New,
            copy_of: None,
        }
    }

    /// An unchanged copy of a member.
    pub fn copy(pool: &ParentPool<'_>, parent: usize) -> Self {
        Self {
            genome: pool.members[parent].clone(),
            origin: Origin::Elite,
            copy_of: Some(parent),
        }
    }
}

/// A genome that may replace a member before reproduction.
#[derive(Clone, Debug, PartialEq)]
pub struct Challenger {
    /// The index of the member that it may replace.
    pub member: usize,
    /// What may take the member's place.
    pub genome: AnyGenome,
}

/// Members among which parents are selected.
pub struct Candidates {
    members: Vec<usize>,
    selector: Box<dyn Selector>,
}

impl Candidates {
    /// Selects a member. `turn` counts the parents of a generation, for selections that do not draw.
    pub fn select(&self, turn: usize, rng: &mut Stream) -> usize {
        self.members[self.selector.select(turn, rng)]
    }

    /// The indices of the members.
    pub fn members(&self) -> &[usize] {
        &self.members
    }
}

/// The parents of a generation and the operators that make their offspring.
pub struct Breeding<'a> {
    /// Where parents come from.
    pub pool: &'a ParentPool<'a>,
    /// Which members become parents.
    pub selection: &'a dyn Selection,
    /// How two parents are combined, and how often.
    pub crossover: &'a dyn Crossover,
    /// How offspring are changed.
    pub mutation: &'a dyn Mutation,
    /// The seed of the run.
    pub seed: u64,
    /// The current generation; the offspring belong to the next.
    pub generation: u64,
}

impl Breeding<'_> {
    /// Candidates for parents, by their indices; there must be at least one.
    pub fn candidates(&self, members: Vec<usize>) -> Candidates {
        let fitness: Vec<f64> = members
            .iter()
            .map(|&member| self.pool.fitness[member])
            .collect();
        Candidates {
            selector: self.selection.selector(&fitness),
            members,
        }
    }

    /// The whole population as candidates.
    pub fn everyone(&self) -> Candidates {
        self.candidates((0..self.pool.members.len()).collect())
    }

    /// The fittest members as candidates, the fittest first.
    pub fn fittest(&self, count: usize) -> Candidates {
        let mut ranked = ranking(self.pool.fitness);
        ranked.truncate(count);
        self.candidates(ranked)
    }

    /// The offspring of one or two selected parents.
    pub fn offspring(&self, place: usize, parents: &Candidates, rng: &mut Stream) -> Offspring {
        let first = parents.select(place, rng);
        let mate = |rng: &mut Stream| parents.select(place + 1, rng);
        self.offspring_of(place, first, &mate, rng)
    }

    /// The offspring of a parent, and of a mate if crossover asks for one.
    pub fn offspring_of(
        &self,
        place: usize,
        parent: usize,
        mate: &dyn Fn(&mut Stream) -> usize,
        rng: &mut Stream,
    ) -> Offspring {
        match self.crossover.mate(rng) {
            Mate::None => self.mutant(place, parent, rng),
            Mate::Member => {
                let parents = [parent, mate(rng)];
                let genome = self.crossover.cross(self.pool, parents, rng);
                self.cross(place, genome, parents, rng)
            }
            Mate::Immigrant => {
                let genome = self.cross_with_immigrant(parent, rng);
                self.cross(place, genome, [parent, parent], rng)
            }
        }
    }

    /// A mutated copy of a member; mutation may leave it unchanged.
    pub fn mutant(&self, place: usize, parent: usize, rng: &mut Stream) -> Offspring {
        let original = &self.pool.members[parent];
        let mut genome = original.clone();
        self.mutate(&mut genome, Some(parent), place, rng);
        Offspring {
            copy_of: (genome == *original).then_some(parent),
            genome,
            origin: Origin::Mutant,
        }
    }

    /// A mutated copy of an earlier champion.
    pub fn mutant_of_champion(
        &self,
        place: usize,
        champion: &Champion,
        rng: &mut Stream,
    ) -> Offspring {
        self.mutant_of(place, champion.genome.clone(), rng)
    }

    /// A genome that is no member, mutated.
    pub fn mutant_of(&self, place: usize, mut genome: AnyGenome, rng: &mut Stream) -> Offspring {
        self.mutate(&mut genome, None, place, rng);
        Offspring::new(genome)
    }

    /// The offspring from a crossover, mutated if crossovers are.
    pub fn cross(
        &self,
        place: usize,
        mut genome: AnyGenome,
        parents: [usize; 2],
        rng: &mut Stream,
    ) -> Offspring {
        if self.crossover.is_mutated() {
            self.mutate(&mut genome, Some(parents[0]), place, rng);
        }
        let is_copy = |&parent: &usize| self.pool.members[parent] == genome;
        Offspring {
            copy_of: parents.into_iter().find(is_copy),
            genome,
            origin: Origin::Crossover,
        }
    }

    /// Random numbers for what is drawn once for a couple.
    pub fn couple_stream(&self, number: u64) -> Stream {
        stream(self.seed, Purpose::Couple, self.generation, number)
    }

    /// Both crosses of two parents before mutation, the fitter parent first; `None` if they are not crossed.
    pub fn reciprocal_pair(&self, parents: [usize; 2], number: u64) -> Option<[AnyGenome; 2]> {
        let mut rng = stream(self.seed, Purpose::PairedCrossover, self.generation, number);
        match self.crossover.mate(&mut rng) {
            Mate::None => None,
            Mate::Member => Some(self.crossover.cross_both(self.pool, parents, &mut rng)),
            Mate::Immigrant => {
                Some(parents.map(|parent| self.cross_with_immigrant(parent, &mut rng)))
            }
        }
    }

    /// Crosses of the fittest members with random genomes, if crossover challenges survivors.
    pub fn challengers(&self, survivors: usize) -> Vec<Challenger> {
        if !self.crossover.challenges_survivors() {
            return Vec::new();
        }
        let survivors = ranking(self.pool.fitness).into_iter().take(survivors);
        let challenger = |(index, member): (usize, usize)| {
            let mut rng = stream(
                self.seed,
                Purpose::Challenger,
                self.generation,
                index as u64,
            );
            let genome = self.cross_with_immigrant(member, &mut rng);
            Challenger { member, genome }
        };
        survivors.enumerate().map(challenger).collect()
    }

    fn cross_with_immigrant(&self, member: usize, rng: &mut Stream) -> AnyGenome {
        let genome = self.pool.genome;
        let immigrant = genome.random(self.pool.io_spec, rng);
        genome.crossover(&self.pool.members[member], &immigrant, rng)
    }

    fn mutate(
        &self,
        genome: &mut AnyGenome,
        parent: Option<usize>,
        place: usize,
        rng: &mut Stream,
    ) {
        let context = MutationContext {
            pool: self.pool,
            parent,
            place,
        };
        self.mutation.mutate(genome, &context, rng);
    }
}
