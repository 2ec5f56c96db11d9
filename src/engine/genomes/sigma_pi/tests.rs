//! Tests of product units: their outputs, mutations and offspring.

use super::*;
use crate::genomes::{InputBatch, Scratch};
use crate::input_spec::InputSpec;
use crate::rng::{Purpose, stream};

fn io_spec(levels: &[u16], outputs: usize) -> IoSpec {
    IoSpec::of(
        InputSpec {
            levels: levels.into(),
            ..InputSpec::new(levels.len())
        },
        outputs,
    )
}

fn config(units: u32, shared: bool) -> SigmaPiConfig {
    SigmaPiConfig {
        units,
        shared,
        ..SigmaPiConfig::default()
    }
}

/// Without any mutation.
fn still(units: u32, shared: bool) -> SigmaPiConfig {
    SigmaPiConfig {
        set_factor: 0.0,
        flip_factor: 0.0,
        shift_factor: 0.0,
        shift_weight: 0.0,
        renew_unit: 0.0,
        swap_levels: 0.0,
        ..config(units, shared)
    }
}

fn outputs(brain: &dyn Brain, batch: InputBatch<'_>) -> Vec<f32> {
    let mut out = Vec::new();
    brain.forward(batch, &mut Scratch::default(), &mut out);
    out
}

/// The outputs by the definition, in double precision.
fn expected(genome: &SigmaPi, row: &[f32]) -> Vec<f64> {
    let product = |unit: &ProductUnit| -> f64 {
        let factors = row.iter().enumerate();
        let factors =
            factors.map(|(input, &level)| unit.factors[genome.table_start(input) + level as usize]);
        factors.map(f64::from).product()
    };
    let outputs = 0..genome.units[0].weights.len();
    let sum = |output: usize| {
        let units = genome.units.iter();
        units
            .map(|unit| f64::from(unit.weights[output]) * product(unit))
            .sum()
    };
    outputs.map(sum).collect()
}

/// Compares the outputs for random rows with the definition, and for a row in a batch with the same
/// row alone.
fn check(units: u32, shared: bool, outputs_count: usize) {
    let io_spec = io_spec(&[4, 7, 2, 5], outputs_count);
    let config = config(units, shared);
    let mut rng = stream(1, Purpose::Initialization, units.into(), 0);
    let mut genome = SigmaPi::random(&config, &io_spec, &mut rng);
    for _ in 0..300 {
        genome.mutate(&config, &mut rng);
    }
    let brain = genome.grow(&config, &io_spec);
    let mut random_row = || -> Vec<f32> {
        let levels = io_spec.inputs.levels.iter();
        levels
            .map(|&levels| rng.random_range(0..levels).into())
            .collect()
    };
    let base = random_row();
    let rows: Vec<Vec<f32>> = (0..50).map(|_| random_row()).collect();
    let (mut changes, mut ends) = (Vec::new(), Vec::new());
    for row in &rows {
        let differing = (0..).zip(row).zip(&base);
        let differing = differing.filter(|((_, value), base)| value.to_bits() != base.to_bits());
        let mut own: Vec<(u32, f32)> = differing
            .map(|((input, &value), _)| (input, value))
            .collect();
        own.reverse();
        changes.extend(own);
        ends.push(changes.len() as u32);
    }
    let batch = InputBatch {
        base: &base,
        changes: &changes,
        ends: &ends,
    };
    let together = outputs(&*brain, batch);
    for (row, values) in rows.iter().zip(together.chunks(outputs_count)) {
        assert_eq!(values, outputs(&*brain, InputBatch::single(row)), "{row:?}");
        for (value, expected) in values.iter().zip(expected(&genome, row)) {
            assert!(
                (f64::from(*value) - expected).abs() < 1e-4,
                "{value} {expected}"
            );
        }
    }
}

#[test]
fn outputs_are_weighted_sums_of_products_in_any_batch() {
    for units in [1, 8, 9, 24] {
        for shared in [false, true] {
            check(units, shared, 1);
            check(units, shared, 3);
        }
    }
}

#[test]
fn doubling_a_unit_changes_no_output_and_sizes_stay_within_their_bounds() {
    let io_spec = io_spec(&[6, 6], 1);
    let config = SigmaPiConfig {
        most_units: 12,
        double_unit: 1.0,
        ..still(3, true)
    };
    let mut rng = stream(1, Purpose::Initialization, 0, 0);
    let mut genome = SigmaPi::random(&config, &io_spec, &mut rng);
    let row = [4.0, 3.0];
    let before = outputs(&*genome.grow(&config, &io_spec), InputBatch::single(&row))[0];
    for _ in 0..20 {
        genome.mutate(&config, &mut rng);
    }
    assert_eq!(genome.units.len(), 12);
    let after = outputs(&*genome.grow(&config, &io_spec), InputBatch::single(&row))[0];
    assert!((before - after).abs() < 1e-5, "{before} {after}");
    let shrinking = SigmaPiConfig {
        double_unit: 0.0,
        remove_unit: 1.0,
        ..config
    };
    for _ in 0..20 {
        genome.mutate(&shrinking, &mut rng);
    }
    assert_eq!(genome.units.len(), 1);
}

#[test]
fn an_offspring_has_whole_units_of_its_parents() {
    let io_spec = io_spec(&[6, 6], 1);
    let config = config(20, false);
    let mut rng = stream(1, Purpose::Initialization, 0, 0);
    let [one, other] = [0, 1].map(|_| SigmaPi::random(&config, &io_spec, &mut rng));
    let offspring = one.crossover(&other, &config, &mut rng);
    let from_one = offspring
        .units
        .iter()
        .zip(&one.units)
        .filter(|(a, b)| a == b);
    let from_other = offspring
        .units
        .iter()
        .zip(&other.units)
        .filter(|(a, b)| a == b);
    let (from_one, from_other) = (from_one.count(), from_other.count());
    assert_eq!(from_one + from_other, 20);
    assert!(from_one > 3 && from_other > 3, "{from_one} {from_other}");
}

#[test]
fn a_shared_table_fits_any_number_of_inputs_of_its_levels_and_own_tables_only_their_own() {
    let mut rng = stream(1, Purpose::Initialization, 0, 0);
    let shared = SigmaPi::random(&config(2, true), &io_spec(&[4, 9], 1), &mut rng);
    let own = SigmaPi::random(&config(2, false), &io_spec(&[4, 9], 1), &mut rng);
    for (levels, fits) in [
        (&[4, 9][..], [true, true]),
        (&[9, 9, 9], [true, false]),
        (&[3], [true, false]),
        (&[4, 10], [false, false]),
        (&[], [false, false]),
    ] {
        let found = [&shared, &own].map(|genome| genome.validation_error(&io_spec(levels, 1)));
        assert_eq!(found.map(|error| error.is_none()), fits, "{levels:?}");
    }
}

#[test]
fn a_copied_table_is_that_of_another_input_as_far_as_both_have_its_levels() {
    let io_spec = io_spec(&[4, 9], 1);
    let copying = SigmaPiConfig {
        copy_table: 1.0,
        ..still(1, false)
    };
    let mut rng = stream(1, Purpose::Initialization, 0, 0);
    let mut copied = [false; 2];
    for _ in 0..50 {
        let before = SigmaPi::random(&copying, &io_spec, &mut rng);
        let mut after = before.clone();
        after.mutate(&copying, &mut rng);
        let [old, new] =
            [&before, &after].map(|genome| still(1, false).unit_tables(genome)[0].tables.clone());
        let (narrow, wide) = (old[0].clone(), [&old[0], &old[1][4..]].concat());
        let one_way = new == [narrow.clone(), wide];
        let other_way = new == [old[1][..4].to_vec(), old[1].clone()];
        assert!(one_way || other_way || new == old);
        copied[0] |= one_way && new != old;
        copied[1] |= other_way && new != old;
    }
    assert_eq!(copied, [true, true]);
    let shared = SigmaPiConfig {
        shared: true,
        ..copying
    };
    let before = SigmaPi::random(&shared, &io_spec, &mut rng);
    let mut after = before.clone();
    after.mutate(&shared, &mut rng);
    assert_eq!(before, after);
}

#[test]
fn exchanged_levels_trade_places_in_all_units() {
    let io_spec = io_spec(&[9, 9], 1);
    let swapping = SigmaPiConfig {
        swap_levels: 1.0,
        ..still(12, true)
    };
    let mut rng = stream(1, Purpose::Initialization, 0, 0);
    let before = SigmaPi::random(&swapping, &io_spec, &mut rng);
    let column = |genome: &SigmaPi, level: usize| -> Vec<f32> {
        let units = genome.units.iter();
        units.map(|unit| unit.factors[level]).collect()
    };
    let mut after = before.clone();
    while after == before {
        after.mutate(&swapping, &mut rng);
    }
    let moved: Vec<usize> = (0..9)
        .filter(|&level| column(&before, level) != column(&after, level))
        .collect();
    let &[one, other] = moved.as_slice() else {
        panic!("two levels: {moved:?}");
    };
    assert!(one > 0);
    assert_eq!(column(&before, one), column(&after, other));
    assert_eq!(column(&before, other), column(&after, one));
}
