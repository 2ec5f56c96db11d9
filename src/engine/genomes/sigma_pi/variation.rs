//! Crossover and mutations of product units.

use rand::RngExt;

use crate::genomes::weighted;
use crate::rng::Stream;

use super::{LARGEST_FACTOR, LARGEST_WEIGHT, ProductUnit, SigmaPi, SigmaPiConfig};

/// An offspring with as many units as `one`, each whole from either parent. Units are numbered by
/// age, so that equal numbers mean the same unit only among close relatives.
pub(super) fn crossover(one: &SigmaPi, other: &SigmaPi, rng: &mut Stream) -> SigmaPi {
    let mut offspring = one.clone();
    for (unit, from_other) in offspring.units.iter_mut().zip(&other.units) {
        if rng.random() {
            unit.clone_from(from_other);
        }
    }
    offspring
}

type UnitMutation = fn(&mut SigmaPi, &SigmaPiConfig, &mut Stream);

/// Applies one mutation, drawn by the configured weights; none if all weights are 0.
pub(super) fn mutate_once(network: &mut SigmaPi, config: &SigmaPiConfig, rng: &mut Stream) {
    let table: [(f64, UnitMutation); 10] = [
        (config.set_factor, set_factor),
        (config.flip_factor, flip_factor),
        (config.shift_factor, shift_factor),
        (config.shift_weight, shift_weight),
        (config.renew_unit, renew_unit),
        (config.add_unit, add_unit),
        (config.double_unit, double_unit),
        (config.remove_unit, remove_unit),
        (config.copy_table, copy_table),
        (config.swap_levels, swap_levels),
    ];
    if let Some(mutation) = weighted::draw(&table, rng) {
        mutation(network, config, rng);
    }
}

fn random_unit<'a>(network: &'a mut SigmaPi, rng: &mut Stream) -> &'a mut ProductUnit {
    let unit = rng.random_range(0..network.units.len());
    &mut network.units[unit]
}

/// A factor of a level above 0; `None` if there are no such levels.
fn random_factor<'a>(network: &'a mut SigmaPi, rng: &mut Stream) -> Option<&'a mut f32> {
    let above: usize = network.levels.iter().map(|&one| usize::from(one) - 1).sum();
    if above == 0 {
        return None;
    }
    let mut nth = rng.random_range(0..above);
    let mut start = 0;
    for &levels in &network.levels {
        let levels = usize::from(levels);
        if nth < levels - 1 {
            let factor = start + 1 + nth;
            return Some(&mut random_unit(network, rng).factors[factor]);
        }
        nth -= levels - 1;
        start += levels;
    }
    unreachable!("the number was below the number of factors")
}

fn set_factor(network: &mut SigmaPi, _: &SigmaPiConfig, rng: &mut Stream) {
    if let Some(factor) = random_factor(network, rng) {
        *factor = rng.random_range(-LARGEST_FACTOR..=LARGEST_FACTOR);
    }
}

fn flip_factor(network: &mut SigmaPi, _: &SigmaPiConfig, rng: &mut Stream) {
    if let Some(factor) = random_factor(network, rng) {
        *factor = -*factor;
    }
}

fn shift_factor(network: &mut SigmaPi, config: &SigmaPiConfig, rng: &mut Stream) {
    if let Some(factor) = random_factor(network, rng) {
        *factor = shifted(*factor, config, LARGEST_FACTOR, rng);
    }
}

fn shift_weight(network: &mut SigmaPi, config: &SigmaPiConfig, rng: &mut Stream) {
    let weights = &mut random_unit(network, rng).weights;
    let output = rng.random_range(0..weights.len());
    weights[output] = shifted(weights[output], config, LARGEST_WEIGHT, rng);
}

/// Adds a step, all within the largest being equally likely, and keeps the result within a bound.
fn shifted(value: f32, config: &SigmaPiConfig, bound: f32, rng: &mut Stream) -> f32 {
    let step = config.step as f32 * rng.random_range(-1.0..=1.0);
    (value + step).clamp(-bound, bound)
}

fn renew_unit(network: &mut SigmaPi, _: &SigmaPiConfig, rng: &mut Stream) {
    let place = rng.random_range(0..network.units.len());
    let outputs = network.units[place].weights.len();
    network.units[place] = ProductUnit::random(&network.levels, outputs, rng);
}

fn add_unit(network: &mut SigmaPi, config: &SigmaPiConfig, rng: &mut Stream) {
    if network.units.len() < config.most_units as usize {
        let outputs = network.units[0].weights.len();
        let unit = ProductUnit::random(&network.levels, outputs, rng);
        network.units.push(unit);
    }
}

fn double_unit(network: &mut SigmaPi, config: &SigmaPiConfig, rng: &mut Stream) {
    if network.units.len() < config.most_units as usize {
        let unit = random_unit(network, rng);
        for weight in &mut unit.weights {
            *weight /= 2.0;
        }
        let copy = unit.clone();
        network.units.push(copy);
    }
}

fn remove_unit(network: &mut SigmaPi, _: &SigmaPiConfig, rng: &mut Stream) {
    if network.units.len() > 1 {
        let unit = rng.random_range(0..network.units.len());
        network.units.remove(unit);
    }
}

/// Copies the factors of one table of a unit to another, as far as it has the same levels.
fn copy_table(network: &mut SigmaPi, _: &SigmaPiConfig, rng: &mut Stream) {
    let tables = network.levels.len();
    if tables < 2 {
        return;
    }
    let (from, to) = (rng.random_range(0..tables), rng.random_range(0..tables));
    let length = network.level_count(from).min(network.level_count(to));
    let [from, to] = [from, to].map(|table| network.table_start(table));
    let factors = &mut random_unit(network, rng).factors;
    factors.copy_within(from..from + length, to);
}

/// Exchanges the factors of two levels above 0 of a table in all units.
fn swap_levels(network: &mut SigmaPi, _: &SigmaPiConfig, rng: &mut Stream) {
    let table = rng.random_range(0..network.levels.len());
    let levels = network.level_count(table);
    if levels < 3 {
        return;
    }
    let start = network.table_start(table);
    let [one, other] = [(); 2].map(|()| start + rng.random_range(1..levels));
    for unit in &mut network.units {
        unit.factors.swap(one, other);
    }
}
