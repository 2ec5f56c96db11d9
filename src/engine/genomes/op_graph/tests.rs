//! The operations of every kind of genome compute what its brain computes.

use std::sync::Arc;

use rand::RngExt;

use super::OpGraph;
use crate::board_geometry::BoardGeometry;
use crate::genomes::activation::Activation;
use crate::genomes::bits::BitsConfig;
use crate::genomes::graph::GraphConfig;
use crate::genomes::mlp::MlpConfig;
use crate::genomes::modules::ModulesConfig;
use crate::genomes::n_tuples::NTuplesConfig;
use crate::genomes::neat::NeatConfig;
use crate::genomes::sigma_pi::SigmaPiConfig;
use crate::genomes::sparse::node_rule::{Aggregation, NodeFunction};
use crate::genomes::table::TableConfig;
use crate::genomes::{GenomeConfig, InputBatch, IoSpec, Scratch};
use crate::input_spec::InputSpec;
use crate::io_module::IoModule;
use crate::params::{ParamKind, Value};
use crate::projection::InputProjection;
use crate::rng::{Purpose, stream};

/// Compares the outputs of the brain and of its operations for rows of whole numbers, bit by bit.
fn check(config: &GenomeConfig, io_spec: &IoSpec, values: std::ops::RangeInclusive<i32>) {
    let mut rng = stream(1, Purpose::Initialization, 0, 0);
    let mut genome = config.random(io_spec, &mut rng);
    for round in 0..60 {
        config.mutate(&mut genome, &mut rng);
        if round % 20 != 19 {
            continue;
        }
        let brain = config.grow(&genome, io_spec);
        let graph: OpGraph = config.ops(&genome, io_spec).expect("it has operations");
        for _ in 0..20 {
            let raw_inputs: Vec<f32> = (0..io_spec.inputs.raw_count())
                .map(|_| rng.random_range(values.clone()) as f32)
                .collect();
            let mut outputs = Vec::new();
            let batch = InputBatch::single(&raw_inputs);
            brain.forward(batch, &mut Scratch::default(), &mut outputs);
            let found = graph.evaluate(&raw_inputs);
            // Zeros of either sign are the same.
            assert_eq!(found, outputs, "{config:?} for {raw_inputs:?}");
        }
    }
}

fn direct() -> IoSpec {
    IoSpec::of(
        InputSpec {
            whole: Some(3),
            ..InputSpec::new(5)
        },
        3,
    )
}

fn projected() -> IoSpec {
    let terms = vec![vec![(0, 1.0)], vec![(0, 1.0), (1, 0.5)], vec![(1, 2.0)]];
    let projection = InputProjection::new(terms).with_piece_value(1.3);
    IoSpec::of(
        InputSpec {
            projection: Some(Arc::new(projection)),
            whole: Some(3),
            ..InputSpec::new(2)
        },
        1,
    )
}

fn board(levels: u8) -> IoSpec {
    let lowest = -(levels as i8 / 2);
    IoSpec::of(
        InputSpec {
            board: Some(Arc::new(BoardGeometry::square(4, lowest, levels))),
            whole: Some(2),
            ..InputSpec::new(16)
        },
        1,
    )
}

fn activations() -> impl Iterator<Item = Activation> {
    Activation::all().into_iter()
}

#[test]
fn dense_networks_of_all_activations_and_shapes() {
    for activation in activations() {
        for hidden in [vec![], vec![1], vec![9, 4], vec![3, 17, 2]] {
            for (biases, bypass, symmetric) in [
                (true, false, false),
                (false, true, false),
                (true, false, true),
            ] {
                let config = GenomeConfig::Mlp(MlpConfig {
                    hidden: hidden.clone(),
                    activation,
                    outputs: activation,
                    biases,
                    bypass,
                    symmetric,
                    sigma: 0.3,
                    ..MlpConfig::default()
                });
                if symmetric {
                    check(&config, &board(3), -1..=1);
                } else {
                    check(&config, &direct(), -3..=3);
                    check(&config, &projected(), -3..=3);
                }
            }
        }
        let config = BitsConfig {
            activation,
            outputs: activation,
            ..BitsConfig::default()
        };
        check(&GenomeConfig::Bits(config), &direct(), -3..=3);
    }
}

#[test]
fn growing_networks_of_all_functions_and_aggregations() {
    for activation in activations() {
        let config = GenomeConfig::Graph(GraphConfig {
            activation,
            min_mutations: 2,
            max_mutations: 4,
            product_nodes: 1.0,
            sine_nodes: 1.0,
            cosine_nodes: 1.0,
            step_nodes: 1.0,
            absolute_nodes: 1.0,
            remove_edge: 0.5,
            ..GraphConfig::default()
        });
        check(&config, &direct(), -3..=3);
        check(&config, &projected(), -3..=3);
    }
    let ParamKind::Choice(names) = NodeFunction::kind() else {
        unreachable!("a function is one of several");
    };
    let functions = names
        .iter()
        .map(|name| NodeFunction::parse(name).expect("it is a name"));
    let functions: Vec<NodeFunction> = functions.collect();
    for output in [NodeFunction::Linear, NodeFunction::SteepSigmoid] {
        let config = GenomeConfig::Neat(NeatConfig {
            output,
            functions: functions.clone(),
            aggregations: vec![
                Aggregation::Sum,
                Aggregation::Product,
                Aggregation::Maximum,
                Aggregation::Minimum,
                Aggregation::Mean,
            ],
            add_node: 0.5,
            add_edge: 0.5,
            change_function: 0.5,
            change_aggregation: 0.5,
            ..NeatConfig::default()
        });
        check(&config, &direct(), -3..=3);
        check(&config, &projected(), -3..=3);
    }
}

#[test]
fn tables_units_and_tuples() {
    let io_spec = IoSpec {
        choice_counts: vec![4; 30].into(),
        ..IoSpec::new(1, 1)
    };
    check(
        &GenomeConfig::Table(TableConfig::default()),
        &io_spec,
        -1..=40,
    );
    for (shared, units) in [(true, 5), (false, 24)] {
        let io_spec = IoSpec::of(
            InputSpec {
                levels: vec![4, 6, 3].into(),
                ..InputSpec::new(3)
            },
            2,
        );
        let config = SigmaPiConfig {
            units,
            shared,
            ..SigmaPiConfig::default()
        };
        check(&GenomeConfig::SigmaPi(config), &io_spec, 0..=7);
    }
    for (stages, antisymmetric, everywhere) in [(1, false, 0), (3, true, 0), (4, false, 3)] {
        for levels in [3, 5] {
            let config = NTuplesConfig {
                length: 3,
                squares: true,
                everywhere,
                stages,
                antisymmetric,
                ..NTuplesConfig::default()
            };
            check(&GenomeConfig::NTuples(config), &board(levels), -3..=3);
        }
    }
}

#[test]
fn modules_on_all_parts_of_a_board() {
    let part = |part: u32| IoModule {
        inputs: vec![part, part + 1],
        surroundings: vec![
            part.checked_sub(1),
            Some(part + 2).filter(|&right| right <= 4),
        ],
        outputs: vec![part, part + 1],
    };
    let io_spec = IoSpec {
        modules: (0..4).map(part).collect(),
        outputs: 5,
        ..direct()
    };
    for surroundings in [false, true] {
        let config = ModulesConfig {
            surroundings,
            module: MlpConfig::default(),
        };
        check(&GenomeConfig::Modules(config), &io_spec, 0..=3);
    }
}
