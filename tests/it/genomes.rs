//! Conformance tests of every registered genome, those of other crates included where this file is
//! part of their tests.

use std::sync::{Arc, LazyLock};

use finches::board_geometry::BoardGeometry;
use finches::genomes::{AnyGenome, GenomeConfig, GenomeError, InputBatch, IoSpec, Scratch};
use finches::input_spec::InputSpec;
use finches::io_module::IoModule;
use finches::params::{Param, ParamKind, Params, notation};
use finches::play::phenotype::Phenotype;
use finches::rng::{Purpose, stream};

static IO_SPEC: LazyLock<IoSpec> = LazyLock::new(|| IoSpec::new(3, 2));

static NUMBERED: LazyLock<IoSpec> = LazyLock::new(|| IoSpec {
    choice_counts: vec![7; 40].into(),
    ..IoSpec::new(1, 1)
});

static PARTS: LazyLock<IoSpec> = LazyLock::new(|| {
    let module = |inputs: [u32; 3], outputs: [u32; 2]| IoModule {
        inputs: inputs.to_vec(),
        surroundings: vec![None],
        outputs: outputs.to_vec(),
    };
    IoSpec {
        modules: [module([0, 1, 2], [0, 1]), module([2, 0, 1], [1, 0])].into(),
        ..IO_SPEC.clone()
    }
});

static LEVELS: LazyLock<IoSpec> = LazyLock::new(|| {
    let inputs = InputSpec {
        levels: [4, 3, 5].into(),
        ..IO_SPEC.inputs.clone()
    };
    IoSpec::of(inputs, IO_SPEC.outputs)
});

static BOARD: LazyLock<IoSpec> = LazyLock::new(|| {
    let board = BoardGeometry {
        columns: 3,
        inputs: vec![Some(0), Some(1), Some(2)],
        lowest: -1,
        levels: 3,
        symmetries: vec![vec![0, 1, 2], vec![2, 1, 0]],
        opposite: vec![0, 1, 2],
    };
    IoSpec::of(
        InputSpec {
            board: Some(Arc::new(board)),
            ..InputSpec::new(3)
        },
        1,
    )
});

/// Every registered genome.
fn all() -> Vec<GenomeConfig> {
    crate::register();
    GenomeConfig::all()
}

/// Inputs and outputs that a genome supports: plain numbers, or numbered positions, parts that are
/// alike, levels or the squares of a board if it needs those.
pub(crate) fn io_spec(config: &GenomeConfig) -> &'static IoSpec {
    let found = [&*IO_SPEC, &*NUMBERED, &*PARTS, &*LEVELS, &*BOARD].into_iter();
    let mut fitting = found.filter(|io_spec| config.io_problems(io_spec).is_empty());
    fitting.next().expect("every genome supports one of these")
}

/// A genome after a number of mutations.
pub(crate) fn grown(config: &GenomeConfig, seed: u64, rounds: usize) -> AnyGenome {
    let mut rng = stream(seed, Purpose::Reproduction, 0, 0);
    let mut genome = config.random(io_spec(config), &mut rng);
    for _ in 0..rounds {
        config.mutate(&mut genome, &mut rng);
        assert_eq!(
            config.validate(&genome, io_spec(config)),
            Ok(()),
            "{genome:?}"
        );
    }
    genome
}

#[test]
fn genomes_are_sent_to_other_processes_to_the_bit() {
    for config in all() {
        for rounds in [0, 50] {
            let genome = grown(&config, 3, rounds);
            let sent = rmp_serde::to_vec_named(&genome).expect("it can be written");
            let received: AnyGenome = rmp_serde::from_slice(&sent).expect("it can be read");
            assert_eq!(genome, received, "{}", config.name());
            let again = rmp_serde::to_vec_named(&received).expect("it can be written");
            assert!(sent == again, "{}", config.name());
        }
    }
}

#[test]
fn genomes_are_valid_after_any_number_of_mutations() {
    for config in all() {
        let mut changed = 0;
        for seed in 0..20 {
            let (young, old) = (grown(&config, seed, 0), grown(&config, seed, 200));
            assert_eq!(
                config.validate(&young, io_spec(&config)),
                Ok(()),
                "{young:?}"
            );
            let other = IoSpec {
                choice_counts: vec![7; 41].into(),
                ..IoSpec::new(IO_SPEC.inputs.count + 1, IO_SPEC.outputs)
            };
            assert!(
                config.validate(&young, &other).is_err(),
                "it has too few inputs"
            );
            changed += usize::from(young != old);
        }
        assert_eq!(changed, 20, "{}: mutations change genomes", config.name());
    }
}

#[test]
fn the_same_stream_gives_the_same_genome_and_another_stream_another() {
    for config in all() {
        assert_eq!(grown(&config, 1, 50), grown(&config, 1, 50));
        assert_ne!(grown(&config, 1, 0), grown(&config, 2, 0));
    }
}

#[test]
fn offspring_of_two_depend_on_their_stream_alone_and_equal_their_parents_if_those_are_equal() {
    for config in all() {
        for seed in 0..20 {
            let (one, other) = (grown(&config, seed, 50), grown(&config, seed + 100, 50));
            let cross = |one: &AnyGenome, other: &AnyGenome, index| {
                config.crossover(
                    one,
                    other,
                    &mut stream(seed, Purpose::Reproduction, 1, index),
                )
            };
            let offspring = cross(&one, &other, 0);
            assert_eq!(
                config.validate(&offspring, io_spec(&config)),
                Ok(()),
                "{offspring:?}"
            );
            assert_eq!(cross(&one, &other, 0), offspring);
            let mut siblings = (1..10).map(|index| cross(&one, &other, index));
            assert!(
                siblings.any(|sibling| sibling != offspring),
                "crossover is random"
            );
            assert_eq!(cross(&one, &one, 0), one);
        }
    }
}

#[test]
fn genomes_of_different_kinds_are_told_apart() {
    for config in all() {
        for other in all() {
            let genome = grown(&other, 1, 0);
            let player = Phenotype::checked(&config, io_spec(&config), &genome).map(|_| ());
            let expected = (config.name() != other.name()).then_some(GenomeError::Kind);
            assert_eq!(player.err(), expected);
        }
    }
}

#[test]
fn a_genome_reads_back_exactly_from_its_text() {
    for config in all() {
        for seed in 0..20 {
            let genome = grown(&config, seed, 100);
            let text = notation().to_string(&genome).expect("it can be written");
            let read: AnyGenome = notation().from_str(&text).expect("it was just written");
            assert_eq!(read, genome);
            assert_eq!(
                notation().to_string(&read).as_ref(),
                Ok(&text),
                "bit for bit"
            );
        }
    }
}

#[test]
fn a_brain_gives_the_same_finite_numbers_in_a_batch_as_row_by_row() {
    for config in all() {
        for seed in 0..20 {
            let brain = config.grow(&grown(&config, seed, 100), io_spec(&config));
            let io_spec = io_spec(&config);
            let base = &[3.0, -1.0, 0.5][..io_spec.inputs.count];
            // Rows with no change, with one, and with several.
            let rows = [
                &[][..],
                &[(0, 9.0)],
                &[(1, 2.0), (2, -4.0)],
                &[],
                &[(2, 1.0), (0, 0.0)],
            ];
            let (mut changes, mut ends) = (Vec::new(), Vec::new());
            for row in rows {
                let there = |change: &&(u32, f32)| (change.0 as usize) < io_spec.inputs.count;
                changes.extend(row.iter().filter(there));
                ends.push(changes.len() as u32);
            }
            let batch = InputBatch {
                base,
                changes: &changes,
                ends: &ends,
            };
            let mut scratch = Scratch::default();
            let (mut all, mut one) = (Vec::new(), Vec::new());
            brain.forward(batch, &mut scratch, &mut all);
            assert_eq!(all.len(), ends.len() * io_spec.outputs);
            assert!(all.iter().all(|output| output.is_finite()), "{all:?}");
            for (row, outputs) in all.chunks(io_spec.outputs).enumerate() {
                let mut inputs = base.to_vec();
                for &(input, value) in batch.row_changes(row) {
                    inputs[input as usize] = value;
                }
                brain.forward(InputBatch::single(&inputs), &mut scratch, &mut one);
                assert_eq!(outputs, one, "row {row} of seed {seed}");
            }
        }
    }
}

/// Values of a parameter to try: every choice, and both limits of a number.
fn values(param: &Param) -> Vec<String> {
    match param.kind {
        ParamKind::Choice(names) => names.iter().map(ToString::to_string).collect(),
        ParamKind::Boolean => vec!["true".to_owned(), "false".to_owned()],
        _ => param.limits.map_or(Vec::new(), |(low, high)| {
            vec![low.to_string(), high.to_string()]
        }),
    }
}

/// Players outlive changes of parameters, so the network of a genome must not depend on them.
#[test]
fn a_brain_depends_on_no_live_parameter() {
    let outputs = |config: &GenomeConfig, genome: &AnyGenome| {
        let inputs = io_spec(config).inputs.count;
        let inputs: Vec<f32> = (0..inputs).map(|input| input as f32 + 2.0).collect();
        let mut out = Vec::new();
        let brain = config.grow(genome, io_spec(config));
        brain.forward(
            InputBatch::single(&inputs),
            &mut Scratch::default(),
            &mut out,
        );
        out
    };
    for config in all() {
        let genome = grown(&config, 1, 100);
        let before = outputs(&config, &genome);
        let mut params = Vec::new();
        config.visit("", &mut params);
        for param in params.iter().filter(|param| param.live) {
            for text in values(param) {
                let mut turned = config.clone();
                turned.set(&param.key, &text).expect("it is allowed");
                assert_eq!(outputs(&turned, &genome), before, "{}", param.key);
            }
        }
    }
}

#[test]
fn the_numbers_of_a_genome_can_be_replaced() {
    let mut with_numbers = Vec::new();
    for config in all() {
        let mut rng = stream(3, Purpose::Initialization, 0, 0);
        let genome = config.random(io_spec(&config), &mut rng);
        let Some(genes) = config.capabilities().numbers else {
            assert_eq!(config.number_count(io_spec(&config)), 0);
            continue;
        };
        let numbers = genes.numbers(&genome);
        assert_eq!(numbers.len(), config.number_count(io_spec(&config)));
        let mut same = genome.clone();
        genes.set_numbers(&mut same, &numbers);
        assert_eq!(same, genome);
        with_numbers.push(config.name());
        let others: Vec<f32> = (0..numbers.len())
            .map(|place| 1.0 + place as f32 / 1000.0)
            .collect();
        let mut changed = genome.clone();
        genes.set_numbers(&mut changed, &others);
        assert_eq!(config.validate(&changed, io_spec(&config)), Ok(()));
        assert_eq!(genes.numbers(&changed), others);
        let mut extreme = genome;
        genes.set_numbers(&mut extreme, &vec![1e30; numbers.len()]);
        assert_eq!(config.validate(&extreme, io_spec(&config)), Ok(()));
    }
    for name in ["mlp", "modules", "sigma_pi", "n_tuples"] {
        assert!(with_numbers.contains(&name), "{with_numbers:?}");
    }
}

#[test]
fn a_drawing_of_a_genome_has_the_nodes_and_edges_of_its_topology() {
    for config in all() {
        for seed in 0..5 {
            let genome = grown(&config, seed, 100);
            let (topology, graph) = (genome.topology(), config.network_graph(&genome));
            assert_eq!(graph.nodes.len(), topology.nodes());
            assert_eq!(graph.edges.len(), topology.edges);
            let mut layers = vec![0; topology.layers.len()];
            for node in &graph.nodes {
                layers[node.layer] += 1;
            }
            assert_eq!(layers, topology.layers);
            assert_eq!(layers.first(), Some(&io_spec(&config).inputs.count));
            assert_eq!(layers.last(), Some(&io_spec(&config).outputs));
            let layer = |node: usize| graph.nodes[node].layer;
            assert!(
                graph
                    .edges
                    .iter()
                    .all(|link| layer(link.from) < layer(link.to))
            );
        }
    }
}

#[test]
fn what_a_genome_says_that_it_can_do_it_does() {
    for config in all() {
        let (io_spec, known) = (io_spec(&config), config.capabilities());
        let [one, other] = [1, 2].map(|seed| grown(&config, seed, 50));
        if let Some(known) = known.distance {
            let distance = |one, other| known.distance(one, other);
            assert!(distance(&one, &one).abs() < 1e-12, "{}", config.name());
            assert!(distance(&one, &other) > 0.0, "{}", config.name());
            let difference = distance(&one, &other) - distance(&other, &one);
            assert!(difference.abs() < 1e-9, "{}", config.name());
        }
        let inputs: Vec<f32> = (0..io_spec.inputs.count)
            .map(|input| (input % 2) as f32)
            .collect();
        let values = config.activations(&one, io_spec, &inputs);
        if known.activations.is_some() {
            assert_eq!(values.len(), config.network_graph(&one).nodes.len());
        }
        if known.operations.is_some() {
            let graph = config.ops(&one, io_spec).expect("it can be described");
            assert_eq!(graph.outputs(), io_spec.outputs, "{}", config.name());
        }
        if known.keeps_size {
            assert_eq!(one.topology(), other.topology(), "{}", config.name());
        }
        if let Some(known) = known.unit_tables {
            let levels = |genome| -> Vec<Vec<usize>> {
                let units = known.unit_tables(genome).into_iter();
                units
                    .map(|unit| unit.tables.iter().map(Vec::len).collect())
                    .collect()
            };
            let all = levels(&one);
            assert!(all.iter().all(|unit| unit == &all[0]), "{all:?}");
        }
    }
}
