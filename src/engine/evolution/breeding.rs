//! Breeding: parents, offspring, and the operators that lead from one to the other.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::contest::FeatureValues;
use crate::genomes::replay::ReplayBuffer;
use crate::genomes::training_set::TrainingSet;
use crate::genomes::{AnyGenome, GenomeConfig, IoSpec, Relative};
use crate::rng::{Purpose, Stream, stream};

use super::archive::{Archive, Champion};
use super::crossover::{Crossover, Mate};
use super::divergence::ReplayedGames;
use super::memory::Memory;
use super::mutation::{Mutation, MutationContext};
use super::phylogeny::Phylogeny;
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
    /// The earlier champion that all of the next generation is bred from; `None` unless evolution
    /// restarts.
    pub restart: Option<&'a Champion>,
    /// The neighbors of each member; empty if the population is panmictic.
    pub neighborhoods: &'a [Vec<u32>],
    /// The training sets; empty unless offspring are trained.
    pub training_sets: &'a [TrainingSet],
    /// The positions of a member's games; `None` if no operator uses them.
    pub replay: Option<&'a ReplayLookup<'a>>,
    /// What the replacement remembers: of earlier generations for
    /// [`Replacement::remember`](super::replacement::Replacement::remember), of this one too for
    /// the plan of the next.
    pub memory: &'a Memory,
    /// The values of the features that the replacement asks for.
    pub features: &'a [FeatureValues],
    /// The ancestors of the members, by which they are recognized.
    pub phylogeny: &'a Phylogeny,
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
    /// The champion of another island.
    Migrant,
}

/// The parents of an offspring.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Parents {
    /// It has none.
    #[default]
    None,
    /// A member of this generation, by its index.
    One(usize),
    /// Two members of this generation, by their indices, the primary parent first.
    Two([usize; 2]),
    /// The champion of an earlier generation.
    Champion(u64),
}

/// What made a genome from those of its parents.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Operator {
    /// It was there before the family tree was recorded.
    #[default]
    Unrecorded,
    /// The genome is random.
    Random,
    /// It was drawn from a distribution that is learned from all members.
    Drawn,
    /// Copied without a change.
    Copy,
    /// Mutation.
    Mutation,
    /// Crossover of two members.
    Crossover,
    /// Crossover of two members, then mutation.
    CrossoverMutation,
    /// Crossover with a random genome.
    RandomMate,
    /// Crossover with a random genome, then mutation.
    RandomMateMutation,
    /// Crossover with a random genome, whose result has taken the place of its parent because it
    /// was at least as fit.
    Challenge,
    /// Copied from another island.
    Migration,
}

impl Operator {
    /// What the operator is called on screen and in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Unrecorded => "unrecorded",
            Self::Random => "random",
            Self::Drawn => "drawn",
            Self::Copy => "copy",
            Self::Mutation => "mutation",
            Self::Crossover => "crossover",
            Self::CrossoverMutation => "crossover+mutation",
            Self::RandomMate => "random mate",
            Self::RandomMateMutation => "random mate+mutation",
            Self::Challenge => "challenge",
            Self::Migration => "migration",
        }
    }

    /// This operator followed by mutation.
    fn mutated(self) -> Self {
        match self {
            Self::Copy => Self::Mutation,
            Self::Crossover => Self::CrossoverMutation,
            Self::RandomMate => Self::RandomMateMutation,
            other => other,
        }
    }
}

/// A member of the next generation.
#[derive(Clone, Debug, PartialEq)]
pub struct Offspring {
    /// What is inherited.
    pub genome: AnyGenome,
    /// How it was made, as the metrics count it.
    pub origin: Origin,
    /// The member of which it is an unchanged copy, if any; its cached evaluation can be reused.
    pub copy_of: Option<usize>,
    /// Its parents, for the family tree.
    pub parents: Parents,
    /// What made it, for the family tree.
    pub operator: Operator,
}

impl Offspring {
    /// A random genome.
    pub fn random(genome: AnyGenome) -> Self {
        Self::unrelated(genome, Parents::None, Operator::Random)
    }

    /// A genome that was drawn from a distribution.
    pub fn drawn(genome: AnyGenome) -> Self {
        Self::unrelated(genome, Parents::None, Operator::Drawn)
    }

    /// An unchanged copy of an earlier champion.
    pub fn copy_of_champion(champion: &Champion) -> Self {
        let parents = Parents::Champion(champion.generation);
        Self::unrelated(champion.genome.clone(), parents, Operator::Copy)
    }

    /// A genome between those of two members.
    pub fn between(genome: AnyGenome, parents: [usize; 2]) -> Self {
        Self::unrelated(genome, Parents::Two(parents), Operator::Crossover)
    }

    /// A genome without a parent that the metrics count.
    fn unrelated(genome: AnyGenome, parents: Parents, operator: Operator) -> Self {
        Self {
            genome,
            origin: Origin::New,
            copy_of: None,
            parents,
            operator,
        }
    }

    /// An unchanged copy of a member.
    pub fn copy(pool: &ParentPool<'_>, parent: usize) -> Self {
        Self {
            genome: pool.members[parent].clone(),
            origin: Origin::Elite,
            copy_of: Some(parent),
            parents: Parents::One(parent),
            operator: Operator::Copy,
        }
    }
}

/// The genome from a crossover before mutation, and its parents.
pub type Cross = (AnyGenome, Parents);

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
    /// Selects a member. `turn` counts the parents of a generation, for selections that do not
    /// draw.
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
    /// The number of members of the next generation.
    pub next_size: usize,
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
                self.cross(place, genome, Parents::Two(parents), rng)
            }
            Mate::Immigrant => {
                let genome = self.cross_with_immigrant(parent, rng);
                self.cross(place, genome, Parents::One(parent), rng)
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
            parents: Parents::One(parent),
            operator: Operator::Mutation,
        }
    }

    /// A mutated copy of an earlier champion.
    pub fn mutant_of_champion(
        &self,
        place: usize,
        champion: &Champion,
        rng: &mut Stream,
    ) -> Offspring {
        self.mutant_of(place, Offspring::copy_of_champion(champion), rng)
    }

    /// A mutated genome that is no member, given as it was before mutation.
    pub fn mutant_of(&self, place: usize, mut before: Offspring, rng: &mut Stream) -> Offspring {
        self.mutate(&mut before.genome, None, place, rng);
        Offspring {
            operator: before.operator.mutated(),
            ..before
        }
    }

    /// The offspring from a crossover of two members, or of one and a random genome; mutated if
    /// crossovers are.
    pub fn cross(
        &self,
        place: usize,
        mut genome: AnyGenome,
        parents: Parents,
        rng: &mut Stream,
    ) -> Offspring {
        let (members, mut operator) = match parents {
            Parents::Two([parent, other]) => ([Some(parent), Some(other)], Operator::Crossover),
            Parents::One(parent) => ([Some(parent), None], Operator::RandomMate),
            Parents::None | Parents::Champion(_) => ([None, None], Operator::RandomMate),
        };
        if self.crossover.is_mutated() {
            self.mutate(&mut genome, members[0], place, rng);
            operator = operator.mutated();
        }
        let is_copy = |&parent: &usize| self.pool.members[parent] == genome;
        Offspring {
            copy_of: members.into_iter().flatten().find(is_copy),
            genome,
            origin: Origin::Crossover,
            parents,
            operator,
        }
    }

    /// Random numbers for what is drawn once for a couple.
    pub fn couple_stream(&self, number: u64) -> Stream {
        stream(self.seed, Purpose::Couple, self.generation, number)
    }

    /// Both crosses of two parents before mutation with the parents of each, the fitter one first;
    /// `None` if they are not crossed.
    pub fn reciprocal_pair(&self, parents: [usize; 2], number: u64) -> Option<[Cross; 2]> {
        let mut rng = stream(self.seed, Purpose::PairedCrossover, self.generation, number);
        match self.crossover.mate(&mut rng) {
            Mate::None => None,
            Mate::Member => {
                let [one, other] = self.crossover.cross_both(self.pool, parents, &mut rng);
                let [first, second] = parents;
                Some([
                    (one, Parents::Two(parents)),
                    (other, Parents::Two([second, first])),
                ])
            }
            Mate::Immigrant => Some(parents.map(|parent| {
                let genome = self.cross_with_immigrant(parent, &mut rng);
                (genome, Parents::One(parent))
            })),
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
