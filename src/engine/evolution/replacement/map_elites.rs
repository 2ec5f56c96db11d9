//! MAP-Elites (Mouret & Clune 2015, *Illuminating Search Spaces by Mapping Elites*): a map whose
//! cells are the styles of players, by two features such as the length of their games. Each cell
//! keeps the fittest player of its style, its elite, and all offspring descend from elites. So a
//! run finds many good players that differ, and weak styles are stepping stones to strong ones.
//!
//! Where it differs: fitness by games is relative, and features by games are noisy. The elites
//! therefore stay members and play in every generation. A hall of fame takes a random sample of
//! them, so with the pairing `hall_of_fame` all members meet the same elites. Their fitness is that
//! of the generation, their features are means over all generations that they have played
//! (re-evaluation as in Justesen, Risi & Mouret 2019, *MAP-Elites for Noisy Domains by Adaptive
//! Sampling*). An elite whose features move may lose its cell.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use crate::contest::FeatureValues;
use crate::evolution::breeding::{Breeding, Candidates, Offspring};
use crate::evolution::memory::Memory;
use crate::evolution::phylogeny::TaxonName;
use crate::genomes::{GenomeConfig, IoSpec};
use crate::params::{ParamError, params};
use crate::rng::Stream;

use super::{OffspringPlan, Replacement};

params! {
    /// One axis of a map of styles.
    pub struct MapAxis {
        /// The feature of players along the axis, such as `moves`, `second_wins` or `edges`.
        fixed feature: String = "moves".to_owned();
        /// Number of cells along the axis.
        fixed cells: u32 = 6, in 1.0..=1000.0, "cells";
        /// Lowest value on the axis; lower ones are in its first cell. `None` takes the lowest
        /// possible value, or if there is none the lowest of the first generation.
        fixed low: Option<f64> = None, in -1000000000.0..=1000000000.0;
        /// Highest value on the axis; higher ones are in its last cell. `None` takes the highest
        /// possible value, or if there is none the highest of the first generation.
        fixed high: Option<f64> = None, in -1000000000.0..=1000000000.0;
    }
}

params! {
    /// A map keeps the fittest player of each style; all offspring descend from them (MAP-Elites).
    pub struct MapElites {
        /// The feature along the rows of the map.
        part rows: MapAxis = MapAxis::default();
        /// The feature along its columns.
        part columns: MapAxis = MapAxis {
            feature: "second_wins".to_owned(),
            ..MapAxis::default()
        };
    }
}

/// The map after a generation.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EliteMap {
    /// The number of rows and of columns.
    size: [u32; 2],
    /// The lowest and the highest value along the rows and along the columns.
    ranges: [[f64; 2]; 2],
    /// The members of the generation.
    members: Vec<MappedMember>,
    /// The elite of each cell, row by row, by its index among the members.
    elites: Vec<Option<u32>>,
}

/// What is known of a member.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct MappedMember {
    /// What it is recognized by in the next generation.
    name: Option<TaxonName>,
    /// Its features along the rows and along the columns, as means over its generations.
    features: [f64; 2],
    /// The generations that it has played.
    generations: u64,
}

impl EliteMap {
    /// The number of rows and of columns.
    pub fn size(&self) -> [usize; 2] {
        self.size.map(|count| count as usize)
    }

    /// The lowest and the highest value along the rows and along the columns.
    pub fn ranges(&self) -> [[f64; 2]; 2] {
        self.ranges
    }

    /// The elite of each cell, row by row, by its index among the members of the generation.
    pub fn elites(&self) -> impl ExactSizeIterator<Item = Option<usize>> {
        self.elites.iter().map(|elite| elite.map(|at| at as usize))
    }

    /// The features of a member along the rows and along the columns, as means over the generations
    /// that it has played.
    pub fn features(&self, member: usize) -> Option<[f64; 2]> {
        self.members.get(member).map(|known| known.features)
    }

    /// The share of the cells that have an elite.
    pub fn coverage(&self) -> f64 {
        self.elites().flatten().count() as f64 / self.elites.len() as f64
    }

    /// The sum of the fitness of all elites (QD-score: Pugh, Soros & Stanley 2016, *Quality
    /// Diversity*).
    pub fn score(&self, fitness: &[f64]) -> f64 {
        self.elites().flatten().map(|elite| fitness[elite]).sum()
    }

    /// The cell of these features.
    fn cell(&self, features: [f64; 2]) -> usize {
        let place = |axis: usize| {
            let [low, high] = self.ranges[axis];
            let cells = f64::from(self.size[axis]);
            let share = (features[axis] - low) / (high - low);
            (share * cells).clamp(0.0, cells - 1.0) as usize
        };
        place(0) * self.size[1] as usize + place(1)
    }

    /// Gives each cell the fittest member with its features; of equals the first, which are elites.
    fn fill(&mut self, fitness: &[f64]) {
        self.elites = vec![None; (self.size[0] * self.size[1]) as usize];
        for member in 0..self.members.len() {
            let cell = self.cell(self.members[member].features);
            let elite = &mut self.elites[cell];
            if elite.is_none_or(|elite| fitness[member] > fitness[elite as usize]) {
                *elite = Some(member as u32);
            }
        }
    }
}

impl MapAxis {
    /// The lowest and the highest value: those of the axis, else those of the feature, else those
    /// that the first generation has.
    fn range(&self, values: Option<&FeatureValues>) -> [f64; 2] {
        let of_members = || values.iter().flat_map(|values| values.of_members.iter());
        let known = values.and_then(|values| values.range);
        let [low, high] = known.unwrap_or_else(|| {
            let low = of_members().copied().reduce(f64::min);
            let high = of_members().copied().reduce(f64::max);
            [low, high].map(Option::unwrap_or_default)
        });
        let low = self.low.unwrap_or(low);
        let high = self.high.unwrap_or(high);
        [low, if high > low { high } else { low + 1.0 }]
    }

    /// An error if no value lies between the lowest and the highest.
    fn problem(&self, part: &str) -> Option<ParamError> {
        let (low, high) = (self.low?, self.high?);
        (low >= high).then(|| {
            let message = format!("must be above low ({low}), is {high}");
            ParamError::new("high", message).under(part)
        })
    }
}

impl MapElites {
    fn axes(&self) -> [&MapAxis; 2] {
        [&self.rows, &self.columns]
    }

    /// The map after a generation.
    fn map(&self, breeding: &Breeding<'_>) -> EliteMap {
        let pool = breeding.pool;
        let before: Option<&EliteMap> = pool.memory.get();
        let [rows, columns] = self.axes();
        let axes = [(rows, 0), (columns, 1)].map(|(axis, at)| (axis, pool.features.get(at)));
        let ranges = || axes.map(|(axis, values)| axis.range(values));
        let known = before.iter().flat_map(|before| &before.members);
        let known = known.filter_map(|member| Some((member.name?, member)));
        let known: HashMap<TaxonName, &MappedMember> = known.collect();
        let member = |index: usize| {
            let name = pool.phylogeny.name(index);
            let known = name.and_then(|name| known.get(&name));
            let generations = known.map_or(1, |known| known.generations + 1);
            let value = |axis: usize| {
                let value = axes[axis].1.map_or(0.0, |values| values.of_members[index]);
                let last = known.map_or(value, |known| known.features[axis]);
                last + (value - last) / generations as f64
            };
            MappedMember {
                name,
                features: [value(0), value(1)],
                generations,
            }
        };
        let mut map = EliteMap {
            size: axes.map(|(axis, _)| axis.cells),
            ranges: before.map_or_else(ranges, |before| before.ranges),
            members: (0..pool.members.len()).map(member).collect(),
            elites: Vec::new(),
        };
        map.fill(pool.fitness);
        map
    }
}

impl Replacement for MapElites {
    fn plan<'a>(&'a self, breeding: &'a Breeding<'a>) -> Box<dyn OffspringPlan + 'a> {
        let elites = self.archive(breeding.pool.memory).expect("it has one");
        Box::new(MapPlan {
            parents: breeding.candidates(elites),
            breeding,
        })
    }

    fn features(&self) -> Vec<(&'static str, &str)> {
        vec![
            ("rows.feature", &self.rows.feature),
            ("columns.feature", &self.columns.feature),
        ]
    }

    fn remember(&self, breeding: &Breeding<'_>) -> Memory {
        Memory::new(self.map(breeding))
    }

    fn archive(&self, memory: &Memory) -> Option<Vec<usize>> {
        let map: &EliteMap = memory.of_this_generation();
        Some(map.elites().flatten().collect())
    }

    fn memory_error(
        &self,
        memory: &Memory,
        population: usize,
        _genome: &GenomeConfig,
        _io_spec: &IoSpec,
    ) -> Option<String> {
        let map: &EliteMap = match memory.readable() {
            Ok(map) => map,
            Err(error) => return Some(error),
        };
        let size = self.axes().map(|axis| axis.cells);
        let mut features = map.members.iter().flat_map(|member| member.features);
        let is_whole = map.size == size
            && map.elites.len() == (size[0] * size[1]) as usize
            && map.elites().flatten().all(|elite| elite < population)
            && map.elites().flatten().next().is_some()
            && map.members.len() == population
            && map.ranges.iter().all(|[low, high]| low < high)
            && features.all(f64::is_finite);
        (!is_whole).then(|| format!("its map is not one of {population} members"))
    }

    /// A map may have one elite.
    fn candidates(&self, _population: usize, _neighbors: usize) -> usize {
        1
    }

    fn problems(&self, population: usize) -> Vec<ParamError> {
        let cells = u64::from(self.rows.cells) * u64::from(self.columns.cells);
        let message = format!(
            "needs a population of more than {cells}, the cells of its map, but it is {population}"
        );
        let full = (cells >= population as u64).then(|| ParamError::new("", message));
        let [rows, columns] = self.axes();
        let axes = [rows.problem("rows"), columns.problem("columns")];
        full.into_iter().chain(axes.into_iter().flatten()).collect()
    }
}

struct MapPlan<'a> {
    breeding: &'a Breeding<'a>,
    /// The elites, by their cells.
    parents: Candidates,
}

impl OffspringPlan for MapPlan<'_> {
    fn offspring(&self, place: usize, rng: &mut Stream) -> Offspring {
        match self.parents.members().get(place) {
            Some(&elite) => Offspring::copy(self.breeding.pool, elite),
            None => self.breeding.offspring(place, &self.parents, rng),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map(size: [u32; 2], features: &[[f64; 2]], fitness: &[f64]) -> EliteMap {
        let member = |&features: &[f64; 2]| MappedMember {
            name: None,
            features,
            generations: 1,
        };
        let mut map = EliteMap {
            size,
            ranges: [[0.0, 10.0], [0.0, 1.0]],
            members: features.iter().map(member).collect(),
            elites: Vec::new(),
        };
        map.fill(fitness);
        map
    }

    #[test]
    fn each_cell_keeps_the_fittest_of_its_style() {
        let features = [[1.0, 0.1], [2.0, 0.4], [9.0, 0.9], [4.9, 0.0]];
        let filled = map([2, 2], &features, &[1.0, 3.0, 2.0, 3.0]);
        let elites: Vec<_> = filled.elites().collect();
        assert_eq!(
            elites,
            [Some(1), None, None, Some(2)],
            "of equals the first"
        );
        assert_eq!(
            (filled.coverage(), filled.score(&[1.0, 3.0, 2.0, 3.0])),
            (0.5, 5.0)
        );
    }

    #[test]
    fn features_beyond_the_ends_are_in_the_outer_cells() {
        let cell = |features| map([5, 4], &[], &[]).cell(features);
        assert_eq!([cell([0.0, 0.0]), cell([-7.0, -1.0])], [0, 0]);
        assert_eq!([cell([10.0, 1.0]), cell([99.0, 2.0])], [19, 19]);
        assert_eq!(cell([2.0, 0.5]), 6);
    }

    #[test]
    fn an_axis_without_ends_has_those_of_the_feature_or_of_the_first_generation() {
        let values = |range| FeatureValues {
            range,
            of_members: vec![4.0, 2.0, 7.0],
        };
        let check = |low, high, range, expected: [f64; 2]| {
            let axis = MapAxis {
                low,
                high,
                ..MapAxis::default()
            };
            let found = axis.range(Some(&values(range)));
            assert_eq!(found.map(f64::to_bits), expected.map(f64::to_bits));
        };
        check(None, None, None, [2.0, 7.0]);
        check(None, None, Some([0.0, 9.0]), [0.0, 9.0]);
        check(Some(1.0), Some(5.0), Some([0.0, 9.0]), [1.0, 5.0]);
        check(Some(8.0), None, None, [8.0, 9.0]);
        let unknown = MapAxis::default().range(None);
        assert_eq!(unknown.map(f64::to_bits), [0.0, 1.0].map(f64::to_bits));
    }

    #[test]
    fn a_map_with_as_many_cells_as_members_or_without_values_between_its_ends_is_refused() {
        let mut scheme = MapElites::default();
        assert_eq!(scheme.problems(37), []);
        assert_eq!(scheme.problems(36).len(), 1);
        (scheme.rows.low, scheme.rows.high) = (Some(3.0), Some(3.0));
        let problems = scheme.problems(37);
        assert_eq!(
            problems[0].to_string(),
            "rows.high: must be above low (3), is 3"
        );
    }
}
