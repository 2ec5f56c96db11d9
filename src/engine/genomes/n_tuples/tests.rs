//! Tests of n-tuple networks: their values by the definition, in batches and by signs.

use std::sync::Arc;

use super::shapes::places;
use super::*;
use crate::genomes::training_set::TrainingExample;
use crate::genomes::{FirstLayerKind, InputBatch, Scratch, Signs};
use crate::input_spec::InputSpec;
use crate::rng::{Purpose, stream};

fn io_spec() -> IoSpec {
    IoSpec::of(
        InputSpec {
            board: Some(Arc::new(BoardGeometry::square(8, -1, 3))),
            ..InputSpec::new(64)
        },
        1,
    )
}

fn config(length: u32, squares: bool, stages: u32) -> NTuplesConfig {
    NTuplesConfig {
        length,
        squares,
        stages,
        ..NTuplesConfig::default()
    }
}

fn random(config: &NTuplesConfig, seed: u64) -> NTuples {
    let mut rng = stream(seed, Purpose::Initialization, 0, 0);
    NTuples::random(config, &io_spec(), &mut rng)
}

/// A row in which about two of three squares hold a disc.
fn board(rng: &mut Stream) -> Vec<f32> {
    (0..64)
        .map(|_| f32::from(rng.random_range(-1..=1_i8)))
        .collect()
}

/// The same row after a move: one more disc, and some that are flipped.
fn after(row: &[f32], rng: &mut Stream) -> Vec<f32> {
    let mut row = row.to_vec();
    for _ in 0..rng.random_range(0..6) {
        row[rng.random_range(0..64)] = 1.0;
    }
    row
}

fn signs(row: &[f32]) -> Signs {
    let set = |sign: f32| {
        let squares = row.iter().enumerate();
        let squares = squares.filter(|&(_, &value)| value * sign > 0.0);
        squares.fold(0, |set, (square, _)| set | 1 << square)
    };
    [set(1.0), set(-1.0)]
}

/// The sum of the entries of all tuples in all their places.
fn expected(genome: &NTuples, geometry: &BoardGeometry, row: &[f32]) -> f64 {
    let pieces = row.iter().filter(|&&value| value != 0.0).count();
    let stage = pieces * genome.stages as usize / 65;
    let entries = genome.entries.to_vec();
    let (mut sum, mut start) = (0.0, stage * genome.stage_len());
    for (tuple, sharing) in genome.shared_tuples() {
        for place in places(geometry, tuple, sharing) {
            let digits = place.iter().rev();
            let index = digits.fold(0, |index, &input| {
                let digit = row[input as usize] - f32::from(geometry.lowest);
                usize::from(geometry.levels) * index + digit as usize
            });
            sum += f64::from(entries[start + index]);
        }
        start += genome.table_len(tuple);
    }
    sum
}

fn check(config: &NTuplesConfig) {
    let mut genome = random(config, 1);
    let mut rng = stream(3, Purpose::Sample, 0, 0);
    let numbers = genome.entries.iter().map(|_| rng.random_range(-0.2..=0.2));
    let numbers: Vec<f32> = numbers.collect();
    config.set_numbers(&mut genome, &numbers);
    let brain = genome.grow(config, &io_spec());
    let mut rng = stream(2, Purpose::Sample, 0, 0);
    let (mut scratch, mut out, mut one) = (Scratch::default(), Vec::new(), Vec::new());
    for _ in 0..50 {
        let base = board(&mut rng);
        let rows: Vec<Vec<f32>> = (0..8).map(|_| after(&base, &mut rng)).collect();
        let (mut changes, mut ends) = (Vec::new(), Vec::new());
        for row in &rows {
            let values = (0..).zip(row).zip(&base);
            let differing =
                values.filter(|((_, value), before)| value.to_bits() != before.to_bits());
            changes.extend(differing.map(|((input, &value), _)| (input, value)));
            ends.push(changes.len() as u32);
        }
        let batch = InputBatch {
            base: &base,
            changes: &changes,
            ends: &ends,
        };
        brain.forward(batch, &mut scratch, &mut out);
        for (row, &value) in rows.iter().zip(&out) {
            let known = expected(&genome, &BoardGeometry::square(8, -1, 3), row);
            assert!((f64::from(value) - known).abs() < 1e-3, "{value} {known}");
            brain.forward(InputBatch::single(row), &mut scratch, &mut one);
            assert_eq!(one, [value]);
        }
        let rows: Vec<Signs> = rows.iter().map(|row| signs(row)).collect();
        let evaluator = brain.sign_evaluator().expect("the inputs are signs");
        evaluator.forward_signs(signs(&base), &rows, &mut scratch, &mut one);
        assert_eq!(one, out);
    }
}

#[test]
fn the_tables_of_longer_tuples_begin_with_zeros_and_vary_later() {
    let config = NTuplesConfig {
        shortest: 2,
        stages: 2,
        ..config(4, true, 1)
    };
    let genome = random(&config, 1);
    let steps = config.refinement(&genome);
    // Tuples of 2, 3 and 4 squares, and squares of 2×2; two stages.
    let counts = [0, 1, 2].map(|step| steps.iter().filter(|known| **known == step).count());
    assert_eq!(counts, [2 * 32 * 9, 2 * 24 * 27, 2 * (21 + 10) * 81]);
    for (step, entry) in steps.iter().zip(genome.entries.iter()) {
        assert_eq!(*step == 0, entry != 0.0);
    }
    let plain = self::config(4, true, 1);
    let steps = plain.refinement(&random(&plain, 1));
    assert!(steps.iter().all(|step| *step == 0));
}

#[test]
fn a_network_merges_its_lookups_and_symmetric_ones_share_tables() {
    let counts = |config: &NTuplesConfig| {
        let geometry = BoardGeometry::square(8, -1, 3);
        let network = TupleNetwork::new(&random(config, 1), &geometry, config);
        let blocks = network.layout.blocks.iter();
        let counts = blocks.map(|block| [block.lookups, block.tables.len(), block.stage_len]);
        counts.fold([0; 3], |sums, counts| {
            [0, 1, 2].map(|at| sums[at] + counts[at])
        })
    };
    let plain = config(4, true, 1);
    let shortest = NTuplesConfig {
        shortest: 1,
        ..config(4, true, 1)
    };
    // Lookups, tables and entries, for 130 lines of four and 49 squares of 2×2. Shorter lines that
    // have a table of their own in larger ones share it less often: in some places more than two
    // tuples lie on the same squares.
    assert_eq!(
        [&plain, &shortest].map(counts),
        [[81, 22, 11_341], [81, 26, 13_123]]
    );
    // The lines of an edge lie there in both directions and for both sides, in the same order in
    // all edges. The four edges share a table of ten squares, which no second block has a copy of.
    let long = NTuplesConfig {
        tuples: vec!["a1 b1 c1 d1 e1 f1 g1 h1 b2 g2".to_owned()],
        antisymmetric: true,
        ..config(8, true, 1)
    };
    assert_eq!(counts(&long), [43, 16, 92_666]);
}

#[test]
fn a_value_is_the_sum_over_all_places_of_all_tuples() {
    for (length, squares, stages) in [
        (1, false, 1),
        (2, false, 1),
        (3, true, 1),
        (4, false, 3),
        (0, true, 16),
    ] {
        check(&config(length, squares, stages));
        check(&NTuplesConfig {
            shortest: 1.min(length),
            ..config(length, squares, stages)
        });
        check(&NTuplesConfig {
            everywhere: 2,
            ..config(length, squares, stages)
        });
    }
}

#[test]
fn values_of_more_kinds_of_pieces_are_sums_over_all_places_too() {
    let geometry = BoardGeometry::square(8, -2, 5);
    let io_spec = IoSpec::of(
        InputSpec {
            board: Some(Arc::new(geometry.clone())),
            ..InputSpec::new(64)
        },
        1,
    );
    let config = config(3, true, 2);
    let mut rng = stream(4, Purpose::Sample, 0, 0);
    let genome = NTuples::random(&config, &io_spec, &mut rng);
    let brain = genome.grow(&config, &io_spec);
    assert!(brain.sign_evaluator().is_none());
    let (mut scratch, mut out) = (Scratch::default(), Vec::new());
    let mut base = vec![0.0; 64];
    for _ in 0..50 {
        for _ in 0..8 {
            base[rng.random_range(0..64)] = rng.random_range(-2..=2) as f32;
        }
        let changes: Vec<(u32, f32)> = (0..12)
            .map(|at| (at * 5, rng.random_range(-2..=2) as f32))
            .collect();
        let ends = [0, 5, 12];
        let batch = InputBatch {
            base: &base,
            changes: &changes,
            ends: &ends,
        };
        brain.forward(batch, &mut scratch, &mut out);
        let starts = [0, 0, 5];
        for ((start, end), value) in starts.into_iter().zip(ends).zip(&out) {
            let mut row = base.clone();
            for &(input, value) in &changes[start..end as usize] {
                row[input as usize] = value;
            }
            let known = expected(&genome, &geometry, &row);
            assert!((f64::from(*value) - known).abs() < 1e-3, "{value} {known}");
        }
    }
}

#[test]
fn symmetric_positions_have_the_same_value() {
    let config = config(3, true, 2);
    let brain = random(&config, 3).grow(&config, &io_spec());
    let mut rng = stream(4, Purpose::Sample, 0, 0);
    let row = board(&mut rng);
    let value = |row: &[f32]| {
        let mut out = Vec::new();
        brain.forward(InputBatch::single(row), &mut Scratch::default(), &mut out);
        out
    };
    for symmetry in &BoardGeometry::square(8, -1, 3).symmetries {
        let image: Vec<f32> = symmetry.iter().map(|&from| row[from as usize]).collect();
        assert_eq!(value(&image), value(&row));
    }
}

#[test]
fn seen_from_the_other_side_an_antisymmetric_network_gives_the_opposite_value() {
    let config = NTuplesConfig {
        antisymmetric: true,
        ..config(3, true, 2)
    };
    let brain = random(&config, 5).grow(&config, &io_spec());
    let mut rng = stream(6, Purpose::Sample, 0, 0);
    let value = |row: &[f32]| {
        let mut out = Vec::new();
        brain.forward(InputBatch::single(row), &mut Scratch::default(), &mut out);
        out[0]
    };
    for _ in 0..20 {
        let row = board(&mut rng);
        let negated: Vec<f32> = row.iter().map(|value| -value).collect();
        let [own, others] = [value(&row), value(&negated)];
        assert!(
            own.abs() > 1e-3 && (own + others).abs() < 1e-3,
            "{own} {others}"
        );
    }
}

#[test]
fn straight_pairs_have_as_many_entries_as_in_the_publication() {
    assert_eq!(random(&config(2, false, 1), 1).entries.len(), 288);
    assert_eq!(random(&config(3, false, 1), 1).entries.len(), 648);
    assert_eq!(random(&config(4, false, 1), 1).entries.len(), 1701);
}

#[test]
fn what_does_not_fit_is_told() {
    let told = |config: &NTuplesConfig, io_spec: &IoSpec| {
        let problems = NTuples::problems(config);
        let mut all = problems
            .into_iter()
            .chain(NTuples::io_problems(config, io_spec));
        all.next()
            .map(|problem| problem.to_string())
            .unwrap_or_default()
    };
    assert_eq!(told(&config(2, true, 1), &io_spec()), "");
    let message = told(&config(2, true, 1), &IoSpec::new(64, 1));
    assert!(message.contains("try game: reversi"), "{message}");
    let ten = "a1 b1 c1 d1 e1 a2 b2 c2 d2 e2".to_owned();
    let named = |count: usize| NTuplesConfig {
        tuples: vec![ten.clone(); count],
        ..config(8, true, 16)
    };
    assert_eq!(told(&named(1), &io_spec()), "");
    let message = told(&named(3), &io_spec());
    assert!(message.contains("at most 2000000"), "{message}");
    let draughts = IoSpec::of(
        InputSpec {
            board: Some(Arc::new(BoardGeometry::square(8, -2, 5))),
            ..InputSpec::new(64)
        },
        1,
    );
    let message = told(&config(7, false, 1), &draughts);
    assert!(
        message.contains("a table of 78125 entries, at most 65535"),
        "{message}"
    );
    let message = told(&config(0, false, 1), &io_spec());
    assert!(
        message.starts_with("length: must be at least 1"),
        "{message}"
    );
}

#[test]
fn a_genome_of_another_board_or_with_missing_entries_is_refused() {
    let genome = random(&config(2, false, 2), 1);
    assert_eq!(genome.validation_error(&io_spec()), None);
    let other = IoSpec::of(
        InputSpec {
            board: Some(Arc::new(BoardGeometry::square(6, -1, 3))),
            ..InputSpec::new(36)
        },
        1,
    );
    assert!(genome.validation_error(&other).is_some());
    let mut short = genome.clone();
    short.entries = short.entries.with(&genome.entries.to_vec()[1..]);
    let error = short.validation_error(&io_spec()).expect("one is missing");
    assert!(error.contains("576 entries"), "{error}");
    let mut outside = genome;
    outside.tuples[0][0] = 64;
    assert!(outside.validation_error(&io_spec()).is_some());
}

#[test]
fn the_values_of_the_tuples_add_up_to_the_output() {
    let config = NTuplesConfig {
        tuples: vec!["a1 b2 h8".to_owned()],
        ..config(2, true, 3)
    };
    let everywhere = NTuplesConfig {
        antisymmetric: true,
        everywhere: 2,
        ..config.clone()
    };
    let io_spec = io_spec();
    for config in [config, everywhere] {
        let genome = random(&config, 1);
        let brain = genome.grow(&config, &io_spec);
        let mut rng = stream(2, Purpose::Initialization, 0, 0);
        for _ in 0..20 {
            let row = board(&mut rng);
            let mut out = Vec::new();
            brain.forward(InputBatch::single(&row), &mut Scratch::default(), &mut out);
            let values = config.activations(&genome, &io_spec, &row);
            assert_eq!(values.len(), genome.network_graph(&config).nodes.len());
            let last = values[values.len() - 1];
            assert!((last - out[0]).abs() < 1e-3, "{last} {}", out[0]);
        }
    }
}

#[test]
fn the_map_of_a_tuple_shows_what_a_piece_is_worth_in_its_places() {
    let config = config(1, false, 1);
    let mut genome = random(&config, 1);
    // The corner's table: -1, 0 and +1.
    let entries = [&[-2.0, 0.5, 3.0], &genome.entries.to_vec()[3..]].concat();
    genome.entries = genome.entries.with(&entries);
    let maps = config.first_layer(&genome, &io_spec());
    assert_eq!(maps.len(), 11, "the sum and ten tuples");
    assert_eq!(maps[0].kind, FirstLayerKind::Sum);
    let FirstLayerKind::Tuple(facts) = &maps[1].kind else {
        panic!("{:?}", maps[1].kind);
    };
    assert_eq!((facts.places, facts.entries), (4, 3));
    assert_eq!(facts.highest, (vec![1], 3.0));
    assert_eq!(facts.lowest, (vec![-1], -2.0));
    for (square, &weight) in maps[1].weights.iter().enumerate() {
        let is_corner = [0, 7, 56, 63].contains(&square);
        let expected = if is_corner { 5.0 } else { 0.0 };
        assert!((weight - expected).abs() < 1e-6, "{square}: {weight}");
    }
    assert!((maps[0].weights[0] - 5.0).abs() < 1e-6);
}

#[test]
fn tables_learn_the_targets_and_an_antisymmetric_network_both_sides() {
    for antisymmetric in [false, true] {
        let config = NTuplesConfig {
            antisymmetric,
            initial: 0.0,
            ..config(2, true, 2)
        };
        let mut rng = stream(3, Purpose::Sample, 0, 0);
        let mut examples = TrainingSet::default();
        for target in [0.75, -0.5, 0.25] {
            examples.push(TrainingExample {
                inputs: board(&mut rng),
                targets: vec![Some(target)],
            });
        }
        let mut genome = random(&config, 1);
        for _ in 0..200 {
            config.train(&mut genome, &io_spec(), &examples, 0.2, &mut rng);
        }
        let brain = genome.grow(&config, &io_spec());
        let (mut scratch, mut out) = (Scratch::default(), Vec::new());
        let mut value = |inputs: &[f32]| {
            brain.forward(InputBatch::single(inputs), &mut scratch, &mut out);
            out[0].tanh()
        };
        for example in examples.examples() {
            let target = example.targets[0].expect("it has a target");
            assert!((value(&example.inputs) - target).abs() < 0.02);
            let opposite: Vec<f32> = example.inputs.iter().map(|input| -input).collect();
            let error = (value(&opposite) + target).abs();
            assert_eq!(error < 0.02, antisymmetric, "{error}");
        }
    }
}
