//! The phylogeny of a run: from which ancestors its members descend. What has no living descendant
//! is removed, and so are ancestors between two branching points, except for a bounded number that
//! keep their genome. So memory and the cost of a generation do not grow with the length of a run
//! (after the pruning of Phylotrack: Dolson et al. 2024, doi 10.21105/joss.04884).
//!
//! It is a record only: no random number is drawn for it, and evolution reads no more than
//! the names of members.

use std::cmp::Reverse;
use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::genomes::AnyGenome;

use super::breeding::{Offspring, Operator, Parents};

/// The most ancestors on the champion's line of descent that keep their genome, and how many of
/// them are always the latest. The others are spaced evenly.
const MOST_ON_LINE: usize = 64;
const LATEST_ON_LINE: usize = 16;

/// The most other ancestors that keep their genome, because they may turn out to be on the line of
/// a later champion: those with the most living descendants.
const MOST_OTHERS: usize = 64;

/// When and where a taxon entered the population. It is unique in a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TaxonName {
    /// The generation.
    pub born: u64,
    /// The index of the member.
    pub place: u32,
    /// Whether it has taken that place from another one in the same generation.
    pub is_challenger: bool,
}

/// For example `g120m7`: generation 120, member 7, as members are numbered on screen. A challenger
/// has a `c` behind it.
impl fmt::Display for TaxonName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let end = if self.is_challenger { "c" } else { "" };
        write!(f, "g{}m{}{end}", self.born, u64::from(self.place) + 1)
    }
}

/// A genome with its history: members that are unchanged copies of each other are one taxon.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Taxon {
    /// Where it entered the population.
    pub name: TaxonName,
    /// The place of its nearest ancestor that is still kept, always below its own. Of two parents
    /// it is the first, or the selected one if only one was.
    pub parent: Option<u32>,
    /// The number of its ancestors, those included that are no longer kept.
    pub ancestors: u64,
    /// The other parent, if it had one.
    pub mate: Option<TaxonName>,
    /// What made it.
    pub operator: Operator,
    /// Its fitness in the latest generation that it played: the highest of its members.
    pub fitness: Option<f64>,
    /// The first generation without it; `None` while it lives.
    pub died: Option<u64>,
    /// Its genome, for some of the dead.
    pub genome: Option<Arc<AnyGenome>>,
}

/// How a member of the next generation came about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Descent {
    /// The member that it is an unchanged copy of, if any.
    pub copy_of: Option<usize>,
    /// Its parents.
    pub parents: Parents,
    /// What made it.
    pub operator: Operator,
}

impl From<&Offspring> for Descent {
    fn from(offspring: &Offspring) -> Self {
        Self {
            copy_of: offspring.copy_of,
            parents: offspring.parents,
            operator: offspring.operator,
        }
    }
}

impl Descent {
    /// The same with the line of descent along the second parent, if there are two. Where the first
    /// is the member of the offspring's own place and only the second is selected, lines along the
    /// first would neither part nor end.
    #[must_use]
    pub fn along_selected(self) -> Self {
        let parents = match self.parents {
            Parents::Two([own, selected]) => Parents::Two([selected, own]),
            other => other,
        };
        Self { parents, ..self }
    }
}

/// A generation after its games.
#[derive(Clone, Copy)]
pub struct PlayedGeneration<'a> {
    /// The generation.
    pub generation: u64,
    /// Its members.
    pub members: &'a [AnyGenome],
    /// Their fitness.
    pub fitness: &'a [f64],
    /// The index of the champion.
    pub champion: usize,
    /// Whether the champion of an earlier generation can still become a parent.
    pub is_archived: &'a dyn Fn(u64) -> bool,
}

/// The living members and their ancestors that are kept. Taxa are given by their places in the
/// list.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Phylogeny {
    /// All taxa that are kept, ancestors before descendants.
    taxa: Vec<Taxon>,
    /// The taxon of each member that plays next.
    living: Vec<u32>,
    /// The taxon of each member of the latest generation played.
    played: Vec<u32>,
    /// The taxa of earlier champions that can still become parents, with their generations.
    champions: Vec<(u64, u32)>,
}

impl Phylogeny {
    /// The phylogeny of `count` random members of generation 0.
    pub fn founders(count: usize) -> Self {
        Self::of_roots(count, 0, Operator::Random)
    }

    fn of_roots(count: usize, born: u64, operator: Operator) -> Self {
        let mut phylogeny = Self::default();
        phylogeny.living = (0..count)
            .map(|place| phylogeny.add(born, place, (operator, None, None)))
            .collect();
        phylogeny
    }

    /// Whether nothing is recorded.
    pub fn is_empty(&self) -> bool {
        self.taxa.is_empty()
    }

    /// All taxa that are kept, ancestors before descendants.
    pub fn taxa(&self) -> &[Taxon] {
        &self.taxa
    }

    /// The taxon of each member of the latest generation played; empty before the first.
    pub fn played(&self) -> &[u32] {
        &self.played
    }

    /// The name of a member that plays next, or plays; `None` if it is not recorded.
    pub fn name(&self, member: usize) -> Option<TaxonName> {
        let taxon = self.living.get(member)?;
        Some(self.taxa[*taxon as usize].name)
    }

    /// The generation in which each member of the latest generation played has entered the
    /// population; `None` if it is not recorded.
    pub fn born(&self) -> impl Iterator<Item = Option<u64>> {
        let taxa = self.played.iter().map(|&taxon| &self.taxa[taxon as usize]);
        taxa.map(|taxon| (taxon.operator != Operator::Unrecorded).then_some(taxon.name.born))
    }

    /// Whether all members of the latest generation played were drawn from a distribution, so that
    /// they have no parents.
    pub fn is_drawn(&self) -> bool {
        let mut taxa = self.played.iter().map(|&taxon| &self.taxa[taxon as usize]);
        !self.played.is_empty() && taxa.all(|taxon| taxon.operator == Operator::Drawn)
    }

    /// The genomes that are kept.
    pub fn genomes(&self) -> impl Iterator<Item = &AnyGenome> {
        self.taxa.iter().filter_map(|taxon| taxon.genome.as_deref())
    }

    /// A taxon and its ancestors that are kept, from the latest to the oldest.
    pub fn line(&self, taxon: u32) -> impl Iterator<Item = u32> {
        std::iter::successors(Some(taxon), |&taxon| self.taxa[taxon as usize].parent)
    }

    /// What no phylogeny of so many members, and of so many in the generation before, can be, if
    /// anything: a clause for an error message.
    pub fn problem(&self, members: usize, before: usize) -> Option<&'static str> {
        let count = self.taxa.len();
        let is_taxon = |&taxon: &u32| (taxon as usize) < count;
        let champions = self.champions.iter().map(|(_, taxon)| taxon);
        let mut named = self.living.iter().chain(&self.played).chain(champions);
        let precedes = |(place, taxon): (usize, &Taxon)| {
            taxon.parent.is_none_or(|parent| (parent as usize) < place)
        };
        if !named.all(is_taxon) {
            return Some("it names a taxon that it does not have");
        }
        if !self.taxa.iter().enumerate().all(precedes) {
            return Some("ancestors must come before their descendants");
        }
        let lists = [(self.living.len(), members), (self.played.len(), before)];
        let is_whole = (lists.iter()).all(|(length, members)| [0, *members].contains(length));
        (!is_whole).then_some("its members must be as many as those of the population")
    }

    /// Records that a challenger has replaced a member before reproduction.
    pub fn challenge(&mut self, member: usize, generation: u64) {
        if let Some(&parent) = self.living.get(member) {
            let descent = (Operator::Challenge, Some(parent), None);
            self.living[member] = self.add(generation, member, descent);
        }
    }

    /// Records that a genome from elsewhere has replaced a member before this generation plays.
    pub fn immigrate(&mut self, member: usize, generation: u64) {
        let Some(&replaced) = self.living.get(member) else {
            return;
        };
        let taxon = &mut self.taxa[replaced as usize];
        if taxon.name.born == generation {
            // It has not played, so nothing descends from it.
            (taxon.parent, taxon.mate, taxon.ancestors) = (None, None, 0);
            taxon.operator = Operator::Migration;
        } else {
            self.living[member] = self.add(generation, member, (Operator::Migration, None, None));
        }
    }

    /// The phylogeny after reproduction.
    #[must_use]
    pub fn advanced(&self, played: &PlayedGeneration<'_>, offspring: &[Descent]) -> Self {
        let mut next = if self.living.len() == played.members.len() {
            self.clone()
        } else {
            let count = played.members.len();
            Self::of_roots(count, played.generation, Operator::Unrecorded)
        };
        next.played = std::mem::take(&mut next.living);
        next.record_fitness(played.fitness);
        next.living = (0..)
            .zip(offspring)
            .map(|(place, descent)| next.offspring(played.generation + 1, place, descent))
            .collect();
        let champion = next.played[played.champion];
        let is_archived = |&(generation, _): &(u64, u32)| (played.is_archived)(generation);
        next.champions.retain(is_archived);
        next.champions.push((played.generation, champion));
        next.bury(played.generation + 1);
        next.keep_genomes(played);
        next.prune();
        next
    }

    /// Notes the fitness of the members that have played.
    fn record_fitness(&mut self, fitness: &[f64]) {
        for &taxon in &self.played {
            self.taxa[taxon as usize].fitness = None;
        }
        for (&taxon, &fitness) in self.played.iter().zip(fitness) {
            let best = &mut self.taxa[taxon as usize].fitness;
            *best = Some(best.map_or(fitness, |best| best.max(fitness)));
        }
    }

    /// The taxon of a new member, which is its parent's if nothing has changed.
    fn offspring(&mut self, born: u64, place: usize, descent: &Descent) -> u32 {
        let of_member = |member: usize| self.played[member];
        if let Some(member) = descent.copy_of {
            return of_member(member);
        }
        let (parent, mate) = match descent.parents {
            Parents::None => (None, None),
            Parents::One(parent) => (Some(of_member(parent)), None),
            Parents::Two([parent, mate]) => (Some(of_member(parent)), Some(of_member(mate))),
            Parents::Champion(generation) => {
                let mut champions = self.champions.iter();
                let found = champions.find(|(kept, _)| *kept == generation);
                (found.map(|&(_, taxon)| taxon), None)
            }
        };
        self.add(born, place, (descent.operator, parent, mate))
    }

    /// Adds a taxon with a parent and a mate, and returns its place.
    fn add(
        &mut self,
        born: u64,
        place: usize,
        (operator, parent, mate): (Operator, Option<u32>, Option<u32>),
    ) -> u32 {
        let taxon = |place: u32| &self.taxa[place as usize];
        let name = TaxonName {
            born,
            place: place as u32,
            is_challenger: operator == Operator::Challenge,
        };
        self.taxa.push(Taxon {
            name,
            parent,
            ancestors: parent.map_or(0, |parent| taxon(parent).ancestors.saturating_add(1)),
            mate: mate.map(|mate| taxon(mate).name),
            operator,
            fitness: None,
            died: None,
            genome: None,
        });
        self.taxa.len() as u32 - 1
    }

    /// Notes the end of all taxa that no longer live.
    fn bury(&mut self, now: u64) {
        let lives = self.marked(self.living.iter());
        for (taxon, lives) in self.taxa.iter_mut().zip(lives) {
            if !lives {
                taxon.died = taxon.died.or(Some(now));
            }
        }
    }

    /// For each taxon whether it is in a list.
    fn marked<'a>(&self, list: impl Iterator<Item = &'a u32>) -> Vec<bool> {
        let mut marked = vec![false; self.taxa.len()];
        list.for_each(|&taxon| marked[taxon as usize] = true);
        marked
    }

    /// For each taxon the number of living members that descend from it or belong to it.
    fn descendants(&self) -> Vec<u32> {
        let mut descendants = vec![0; self.taxa.len()];
        for &taxon in &self.living {
            descendants[taxon as usize] += 1;
        }
        for (place, taxon) in self.taxa.iter().enumerate().rev() {
            if let Some(parent) = taxon.parent {
                descendants[parent as usize] += descendants[place];
            }
        }
        descendants
    }

    /// Keeps the genomes of dead ancestors: on the champion's line, and those with the most living
    /// descendants.
    fn keep_genomes(&mut self, played: &PlayedGeneration<'_>) {
        let line: Vec<u32> = self.line(self.played[played.champion]).collect();
        let is_on_line = self.marked(line.iter());
        let mut at_hand = vec![None; self.taxa.len()];
        for (&taxon, genome) in self.played.iter().zip(played.members) {
            at_hand[taxon as usize] = Some(genome);
        }
        let descendants = self.descendants();
        let (mut own, mut others) = (Vec::new(), Vec::new());
        for (place, taxon) in self.taxa.iter().enumerate() {
            let is_dead = taxon.died.is_some();
            let has_genome = taxon.genome.is_some() || at_hand[place].is_some();
            match (is_dead && has_genome, is_on_line[place]) {
                (true, true) => own.push(place),
                (true, false) if descendants[place] > 0 => others.push(place),
                _ => {}
            }
        }
        self.thin(&mut own);
        others.sort_by_key(|&place| (Reverse(descendants[place]), place));
        others.truncate(MOST_OTHERS);
        let mut is_kept = vec![false; self.taxa.len()];
        let kept = own.into_iter().chain(others);
        kept.for_each(|place| is_kept[place] = true);
        for ((taxon, at_hand), is_kept) in self.taxa.iter_mut().zip(at_hand).zip(is_kept) {
            let new = || at_hand.cloned().map(Arc::new);
            taxon.genome = taxon.genome.take().or_else(new).filter(|_| is_kept);
        }
    }

    /// Thins out the ancestors on the champion's line, oldest first, until there are few enough:
    /// one by one that with the nearest neighbors, never the oldest or one of the latest.
    fn thin(&self, line: &mut Vec<usize>) {
        let born = |place: usize| self.taxa[place].name.born;
        while line.len() > MOST_ON_LINE {
            let inner = 1..line.len() - LATEST_ON_LINE;
            let gap = |&index: &usize| born(line[index + 1]).saturating_sub(born(line[index - 1]));
            let closest = inner.min_by_key(gap).unwrap_or(1);
            line.remove(closest);
        }
    }

    /// Removes all taxa but members, champions that can become parents, those with a genome,
    /// branching points and founders of these.
    fn prune(&mut self) {
        let champions = self.champions.iter().map(|(_, taxon)| taxon);
        let named = self.living.iter().chain(&self.played).chain(champions);
        let mut is_kept = self.marked(named);
        let mut branches = vec![0_u32; self.taxa.len()];
        for (place, taxon) in self.taxa.iter().enumerate().rev() {
            is_kept[place] |= taxon.genome.is_some() || branches[place] > 1;
            let leads_on = is_kept[place] || branches[place] > 0;
            match taxon.parent {
                Some(parent) => branches[parent as usize] += u32::from(leads_on),
                None => is_kept[place] = leads_on,
            }
        }
        self.retain(&is_kept);
    }

    /// Removes taxa, and gives the descendants of each to its parent. Founders of a taxon that
    /// stays are never removed.
    fn retain(&mut self, is_kept: &[bool]) {
        let mut count = 0;
        // The new place of each taxon or, if it is removed, of its nearest ancestor that stays.
        let mut moved: Vec<Option<u32>> = Vec::with_capacity(self.taxa.len());
        for (taxon, &is_kept) in self.taxa.iter_mut().zip(is_kept) {
            taxon.parent = taxon.parent.and_then(|parent| moved[parent as usize]);
            moved.push(if is_kept { Some(count) } else { taxon.parent });
            count += u32::from(is_kept);
        }
        let mut stays = is_kept.iter();
        self.taxa.retain(|_| stays.next() == Some(&true));
        let to = |taxon: &mut u32| *taxon = moved[*taxon as usize].expect("members are kept");
        self.living.iter_mut().for_each(to);
        self.played.iter_mut().for_each(to);
        self.champions.iter_mut().for_each(|(_, taxon)| to(taxon));
    }
}

#[cfg(test)]
mod tests {
    use rand::RngExt;

    use super::*;
    use crate::genomes::{GenomeConfig, IoSpec};
    use crate::rng::{Purpose, stream};

    const MEMBERS: usize = 12;

    fn genomes() -> Vec<AnyGenome> {
        let mut rng = stream(0, Purpose::Initialization, 0, 0);
        let genome = GenomeConfig::all()[0].random(&IoSpec::new(1, 1), &mut rng);
        vec![genome; MEMBERS]
    }

    /// A few survive unchanged, the others are offspring of two random members, of one, of an
    /// earlier champion, or of none.
    fn descents(generation: u64) -> Vec<Descent> {
        let mut rng = stream(1, Purpose::Reproduction, generation, 0);
        let mut descent = |place: usize| {
            let member = rng.random_range(0..MEMBERS);
            let (copy_of, parents) = match (place, rng.random_range(0..100)) {
                (0..2, _) => (Some(member), Parents::One(member)),
                (_, 0) => (None, Parents::None),
                (_, 1) => (None, Parents::Champion(archived(generation))),
                (_, 2..50) => (None, Parents::One(member)),
                _ => (None, Parents::Two([member, rng.random_range(0..MEMBERS)])),
            };
            Descent {
                copy_of,
                parents,
                operator: Operator::Mutation,
            }
        };
        (0..MEMBERS).map(&mut descent).collect()
    }

    /// The latest earlier champion that can still become a parent.
    fn archived(generation: u64) -> u64 {
        generation / 64 * 64
    }

    /// Calls `see` with the phylogeny after each generation and how its members came about.
    fn simulate(generations: u64, mut see: impl FnMut(u64, &Phylogeny, &[Descent])) -> Phylogeny {
        let members = genomes();
        let mut phylogeny = Phylogeny::founders(MEMBERS);
        for generation in 0..generations {
            let is_archived = |kept: u64| kept == archived(generation);
            let champion = generation as usize % 3;
            let played = PlayedGeneration {
                generation,
                members: &members,
                fitness: &[0.5; MEMBERS],
                champion,
                is_archived: &is_archived,
            };
            let offspring = descents(generation);
            phylogeny = phylogeny.advanced(&played, &offspring);
            see(generation, &phylogeny, &offspring);
        }
        phylogeny
    }

    #[test]
    fn memory_and_cost_stay_flat_over_100000_generations() {
        // Members of two generations and two champions are at most so many ends of lines, which
        // meet in fewer branching points and have at most as many founders.
        let most = 3 * (2 * MEMBERS + 2) + MOST_ON_LINE + MOST_OTHERS;
        let mut largest = [0, 0];
        let phylogeny = simulate(100_000, |generation, phylogeny, _| {
            let half = &mut largest[usize::from(generation >= 50_000)];
            *half = phylogeny.taxa.len().max(*half);
            if generation % 1000 == 0 {
                assert!(phylogeny.genomes().count() <= MOST_ON_LINE + MOST_OTHERS);
                assert_eq!(phylogeny.problem(MEMBERS, MEMBERS), None);
            }
        });
        // A generation costs as much as there are taxa.
        assert!(largest[0] <= most, "{largest:?}");
        assert!(largest[1] <= largest[0] + largest[0] / 4, "{largest:?}");
        let line: Vec<&Taxon> = phylogeny
            .line(phylogeny.played[0])
            .map(|taxon| &phylogeny.taxa[taxon as usize])
            .collect();
        let latest = line[0];
        let oldest = line.last().expect("it has a founder");
        assert!(line.len() <= most && oldest.parent.is_none());
        assert!(latest.name.born > 99_000);
    }

    #[test]
    fn kept_ancestors_are_true_ancestors_and_every_pair_meets_where_it_did() {
        /// The parent of each taxon, by name, and nothing removed.
        #[derive(Default)]
        struct Whole {
            parents: Vec<(TaxonName, Option<usize>)>,
            living: Vec<usize>,
            champions: Vec<usize>,
        }
        let line = |whole: &Whole, taxon: usize| -> Vec<TaxonName> {
            let next = |&taxon: &usize| whole.parents[taxon].1;
            let line = std::iter::successors(Some(taxon), next);
            line.map(|taxon| whole.parents[taxon].0).collect()
        };
        let meeting = |one: &[TaxonName], other: &[TaxonName]| {
            one.iter().find(|name| other.contains(name)).copied()
        };
        let name = |born: u64, place: usize| TaxonName {
            born,
            place: place as u32,
            is_challenger: false,
        };
        let mut whole = Whole::default();
        for place in 0..MEMBERS {
            whole.parents.push((name(0, place), None));
            whole.living.push(place);
        }
        simulate(300, |generation, phylogeny, offspring| {
            let played = whole.living.clone();
            whole.champions.push(played[generation as usize % 3]);
            let add = |(place, descent): (usize, &Descent)| {
                let parent = match descent.parents {
                    _ if descent.copy_of.is_some() => return played[descent.copy_of.unwrap_or(0)],
                    Parents::None => None,
                    Parents::One(parent) | Parents::Two([parent, _]) => Some(played[parent]),
                    Parents::Champion(earlier) => Some(whole.champions[earlier as usize]),
                };
                whole.parents.push((name(generation + 1, place), parent));
                whole.parents.len() - 1
            };
            whole.living = offspring.iter().enumerate().map(add).collect();
            let kept = |taxon: u32| -> Vec<TaxonName> {
                let line = phylogeny.line(taxon);
                line.map(|taxon| phylogeny.taxa[taxon as usize].name)
                    .collect()
            };
            let lines: Vec<[Vec<TaxonName>; 2]> = played
                .iter()
                .zip(&phylogeny.played)
                .map(|(&own, &taxon)| [line(&whole, own), kept(taxon)])
                .collect();
            for ([own, kept], &taxon) in lines.iter().zip(&phylogeny.played) {
                let mut true_ancestors = own.iter();
                assert!(
                    kept.iter()
                        .all(|name| true_ancestors.any(|own| own == name))
                );
                assert_eq!((own[0], own.last()), (kept[0], kept.last()));
                let ancestors = phylogeny.taxa[taxon as usize].ancestors;
                assert_eq!(ancestors as usize + 1, own.len());
                for [other_own, other_kept] in &lines {
                    assert_eq!(meeting(own, other_own), meeting(kept, other_kept));
                }
            }
        });
    }

    #[test]
    fn the_line_of_an_only_child_keeps_its_latest_ancestors_and_evenly_spaced_ones() {
        let members = genomes();
        let mut phylogeny = Phylogeny::founders(MEMBERS);
        let descent = Descent {
            copy_of: None,
            parents: Parents::One(0),
            operator: Operator::Mutation,
        };
        for generation in 0..2000 {
            let played = PlayedGeneration {
                generation,
                members: &members,
                fitness: &[0.5; MEMBERS],
                champion: 0,
                is_archived: &|_| false,
            };
            phylogeny = phylogeny.advanced(&played, &[descent; MEMBERS]);
        }
        let line = phylogeny.line(phylogeny.played[0]);
        let born: Vec<u64> = line
            .map(|taxon| phylogeny.taxa[taxon as usize].name.born)
            .collect();
        assert_eq!((born.len(), born[0]), (MOST_ON_LINE, 1999));
        let gaps: Vec<u64> = born.windows(2).map(|pair| pair[0] - pair[1]).collect();
        assert!(gaps[..LATEST_ON_LINE - 1].iter().all(|&gap| gap == 1));
        let even = &gaps[LATEST_ON_LINE..];
        assert!(even.iter().all(|&gap| gap <= 70), "{gaps:?}");
        assert_eq!(born.last(), Some(&0));
    }

    #[test]
    fn a_challenger_descends_from_the_member_whose_place_it_takes() {
        let mut phylogeny = Phylogeny::founders(MEMBERS);
        phylogeny.challenge(3, 0);
        let taxon = &phylogeny.taxa[phylogeny.living[3] as usize];
        assert_eq!(taxon.name.to_string(), "g0m4c");
        assert_eq!(taxon.parent, Some(3));
        assert_eq!(phylogeny.problem(MEMBERS, MEMBERS), None);
        assert!(phylogeny.problem(MEMBERS + 1, MEMBERS).is_some());
        phylogeny.taxa[2].parent = Some(2);
        assert!(phylogeny.problem(MEMBERS, MEMBERS).is_some());
    }
}
