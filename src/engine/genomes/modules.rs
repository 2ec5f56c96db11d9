//! A network of modules: one small dense network is applied to every part of the board, and an
//! output is the sum over the parts that it belongs to. The weights fit a board of any size, so
//! that what is learned on a small board also plays on a larger one (proposed by Weaver &
//! Bossomaier 1996, "Future Work", after Bossomaier & Snoad 1995).

use serde::{Deserialize, Serialize};

use crate::input_spec::InputSpec;
use crate::io_module::IoModule;
use crate::params::{ParamError, params};
use crate::rng::Stream;

use super::capabilities::{Capabilities, Distance, Gradients, Numbers, Operations};
use super::mlp::{Mlp, MlpConfig, NetworkUse, shared_sensitivities};
use super::network_graph::NetworkGraph;
use super::op_graph::{Op, OpGraph, ValueColumn};
use super::replay::ReplayBuffer;
use super::sensitivity::GradientSum;
use super::{Brain, Genome, GenomeParams, InputBatch, IoSpec, Scratch, Topology};

params! {
    /// The network that all parts of the board share, and what it sees.
    pub struct ModulesConfig {
        /// Whether the network also sees what is around its part of the board, such as the other
        /// sides of the neighboring boxes. These inputs are −1 off the board.
        fixed surroundings: bool = false;
        /// The network that is applied to every part of the board: its shape, initialization and
        /// variation.
        part module: MlpConfig = MlpConfig::default();
    }
}

/// An input that is off the board.
const OFF_BOARD: f32 = -1.0;

/// The genome: the weights of one module.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Modules {
    surroundings: bool,
    module: Mlp,
}

/// The inputs of a module in their order; `None` off the board.
fn inputs(module: &IoModule, surroundings: bool) -> impl Iterator<Item = Option<u32>> {
    let around = module.surroundings.iter().filter(move |_| surroundings);
    let own = module.inputs.iter().map(|&input| Some(input));
    own.chain(around.copied())
}

/// What a module sees of an input.
fn value_of(input: Option<u32>, row: &[f32]) -> f32 {
    input.map_or(OFF_BOARD, |input| row[input as usize])
}

/// The inputs and outputs of a single module; `None` if the board has no parts.
fn module_spec(io_spec: &IoSpec, surroundings: bool) -> Option<IoSpec> {
    let module = io_spec.modules.first()?;
    Some(IoSpec::of(
        InputSpec {
            whole: io_spec.inputs.whole,
            ..InputSpec::new(inputs(module, surroundings).count())
        },
        module.outputs.len(),
    ))
}

impl Genome for Modules {
    type Config = ModulesConfig;

    fn random(config: &ModulesConfig, io_spec: &IoSpec, rng: &mut Stream) -> Self {
        let module_spec = module_spec(io_spec, config.surroundings).unwrap_or_default();
        Self {
            surroundings: config.surroundings,
            module: Mlp::random(&config.module, &module_spec, rng),
        }
    }

    fn crossover(&self, other: &Self, config: &ModulesConfig, rng: &mut Stream) -> Self {
        let module = self.module.crossover(&other.module, &config.module, rng);
        Self { module, ..*self }
    }

    fn crossover_both(&self, other: &Self, config: &ModulesConfig, rng: &mut Stream) -> [Self; 2] {
        let both = (self.module).crossover_both(&other.module, &config.module, rng);
        both.map(|module| Self { module, ..*self })
    }

    fn mutate(&mut self, config: &ModulesConfig, rng: &mut Stream) {
        self.module.mutate(&config.module, rng);
    }

    fn grow(&self, config: &ModulesConfig, io_spec: &IoSpec) -> Box<dyn Brain> {
        let module_spec = module_spec(io_spec, self.surroundings).unwrap_or_default();
        let wiring = |module: &IoModule| Wiring {
            inputs: inputs(module, self.surroundings).collect(),
            outputs: module.outputs.clone(),
        };
        Box::new(ModularNetwork {
            module: self.module.grow(&config.module, &module_spec),
            zeros: vec![0.0; module_spec.inputs.count],
            parts: io_spec.modules.iter().map(wiring).collect(),
            outputs: io_spec.outputs,
        })
    }

    /// The size of a single module.
    fn topology(&self) -> Topology {
        self.module.topology()
    }

    /// A single module. Its nodes have a value for each part of the board, so they are not shown.
    fn network_graph(&self, config: &ModulesConfig) -> NetworkGraph {
        self.module.network_graph(&config.module)
    }

    fn capabilities(config: &ModulesConfig) -> Capabilities<'_> {
        Capabilities {
            keeps_size: true,
            distance: Some(config),
            numbers: Some(config),
            gradients: config.module.is_smooth().then_some(config),
            operations: Some(config),
            ..Capabilities::default()
        }
    }

    fn validation_error(&self, io_spec: &IoSpec) -> Option<String> {
        let Some(module_spec) = module_spec(io_spec, self.surroundings) else {
            return Some("the network is made of modules, but this board has no parts".to_owned());
        };
        let error = self.module.validation_error(&module_spec)?;
        Some(format!("module: {error}"))
    }

    fn problems(config: &ModulesConfig) -> Vec<ParamError> {
        let problems = Mlp::problems(&config.module).into_iter();
        problems.map(|problem| problem.under("module")).collect()
    }

    fn io_problems(config: &ModulesConfig, io_spec: &IoSpec) -> Vec<ParamError> {
        let Some(module_spec) = module_spec(io_spec, config.surroundings) else {
            let message = "needs a board of parts that are all alike, and an output for each move; \
                try game: dots_and_boxes, agent: ranked";
            return vec![ParamError::new("", message)];
        };
        let problems = Mlp::io_problems(&config.module, &module_spec).into_iter();
        problems.map(|problem| problem.under("module")).collect()
    }
}

impl GenomeParams for ModulesConfig {
    type Genome = Modules;
}

impl Distance<Modules> for ModulesConfig {
    fn distance(&self, one: &Modules, other: &Modules) -> f64 {
        self.module.distance(&one.module, &other.module)
    }
}

impl Numbers<Modules> for ModulesConfig {
    fn numbers(&self, genome: &Modules) -> Vec<f32> {
        self.module.numbers(&genome.module)
    }

    fn set_numbers(&self, genome: &mut Modules, numbers: &[f32]) {
        self.module.set_numbers(&mut genome.module, numbers);
    }
}

impl Gradients<Modules> for ModulesConfig {
    /// The gradients of an output are summed over the parts of the board, which share their genes.
    fn sensitivities(
        &self,
        genome: &Modules,
        io_spec: &IoSpec,
        replay: &ReplayBuffer,
        gradients: GradientSum,
    ) -> Vec<f32> {
        let use_in = |part: &IoModule, row: &[f32]| NetworkUse {
            inputs: inputs(part, genome.surroundings)
                .map(|input| value_of(input, row))
                .collect(),
            outputs: part.outputs.clone(),
        };
        let uses = |row: &Vec<f32>| -> Vec<NetworkUse> {
            let parts = io_spec.modules.iter();
            parts.map(|part| use_in(part, row)).collect()
        };
        let positions: Vec<_> = replay.rows().iter().map(uses).collect();
        let (module, outputs) = (&self.module, io_spec.outputs as u32);
        let own = &genome.module;
        shared_sensitivities(own, module, &positions, outputs, gradients)
    }

    fn mutate_scaled(&self, genome: &mut Modules, factors: &[f32], rng: &mut Stream) {
        self.module.mutate_scaled(&mut genome.module, factors, rng);
    }
}

/// The module is applied to rows of its own, one for each part of the board.
impl Operations<Modules> for ModulesConfig {
    fn ops(&self, genome: &Modules, io_spec: &IoSpec) -> Option<OpGraph> {
        let module_spec = module_spec(io_spec, genome.surroundings)?;
        let (outputs, own_outputs) = (io_spec.outputs, module_spec.outputs);
        let mut graph = OpGraph::new(io_spec.inputs.count);
        let input = graph.input();
        let unseen = vec![(ValueColumn(input, 0), vec![0.0])];
        let off_board = graph.ordered_sums(vec![OFF_BOARD], unseen);
        let all = graph.push(Op::Join(vec![input, off_board]));
        let seen = io_spec
            .modules
            .iter()
            .flat_map(|part| inputs(part, genome.surroundings));
        let seen = seen.map(|input| input.unwrap_or(io_spec.inputs.count as u32));
        let seen = graph.push(Op::Columns(all, seen.collect()));
        let rows = graph.push(Op::Reshape(seen, module_spec.inputs.count));
        let values = (genome.module).add_ops(&self.module, &module_spec, &mut graph, rows);
        let width = io_spec.modules.len() * own_outputs;
        let values = graph.push(Op::Reshape(values, width));
        let targets = io_spec.modules.iter().flat_map(|part| &part.outputs);
        let terms = (0..).zip(targets).map(|(column, &output)| {
            let mut weights = vec![0.0; outputs];
            weights[output as usize] = 1.0;
            (ValueColumn(values, column), weights)
        });
        let terms = terms.collect();
        graph.output = graph.ordered_sums(vec![0.0; outputs], terms);
        Some(graph)
    }
}

/// The network grown from a genome: its module with a place on every part of the board.
struct ModularNetwork {
    module: Box<dyn Brain>,
    /// The base row of the module's batches. Each part is a row, given by its inputs that are not
    /// 0.
    zeros: Vec<f32>,
    parts: Vec<Wiring>,
    outputs: usize,
}

/// The inputs and outputs of the whole network to which those of a module are connected on one part
/// of the board.
struct Wiring {
    inputs: Vec<Option<u32>>,
    outputs: Vec<u32>,
}

/// Buffers for the inputs and outputs of modules.
#[derive(Clone, Debug, Default)]
pub(super) struct ModuleBuffers {
    /// The inputs of the whole network.
    row: Vec<f32>,
    changes: Vec<(u32, f32)>,
    ends: Vec<u32>,
    outputs: Vec<f32>,
}

impl ModularNetwork {
    /// Adds the outputs of every part to those of the whole network.
    fn add_parts(&self, buffers: &mut ModuleBuffers, scratch: &mut Scratch, out: &mut [f32]) {
        let ModuleBuffers {
            row,
            changes,
            ends,
            outputs,
        } = buffers;
        changes.clear();
        ends.clear();
        for part in &self.parts {
            for (place, input) in (0..).zip(&part.inputs) {
                let value = value_of(*input, row);
                if value != 0.0 {
                    changes.push((place, value));
                }
            }
            ends.push(changes.len() as u32);
        }
        let base = &self.zeros;
        let batch = InputBatch {
            base,
            changes,
            ends,
        };
        self.module.forward(batch, scratch, outputs);
        let all = self.parts.iter().flat_map(|part| &part.outputs);
        for (&output, value) in all.zip(outputs) {
            out[output as usize] += *value;
        }
    }
}

impl Brain for ModularNetwork {
    fn forward(&self, batch: InputBatch<'_>, scratch: &mut Scratch, out: &mut Vec<f32>) {
        let mut buffers: ModuleBuffers = std::mem::take(scratch.buffers());
        let rows = batch.ends.len();
        out.clear();
        out.resize(rows * self.outputs, 0.0);
        for (row, out) in out.chunks_exact_mut(self.outputs).enumerate() {
            buffers.row.clear();
            buffers.row.extend_from_slice(batch.base);
            for &(input, value) in batch.row_changes(row) {
                buffers.row[input as usize] = value;
            }
            self.add_parts(&mut buffers, scratch, out);
        }
        *scratch.buffers() = buffers;
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::genomes::activation::Activation;
    use crate::rng::{Purpose, stream};

    /// A row of parts with two inputs and two outputs each, of which neighbors share one. Around a
    /// part are the next input to the left and to the right.
    fn io_spec(parts: u32) -> IoSpec {
        let part = |part: u32| IoModule {
            inputs: vec![part, part + 1],
            surroundings: vec![
                part.checked_sub(1),
                Some(part + 2).filter(|&right| right <= parts),
            ],
            outputs: vec![part, part + 1],
        };
        IoSpec {
            modules: (0..parts).map(part).collect(),
            ..IoSpec::new(parts as usize + 1, parts as usize + 1)
        }
    }

    fn config(surroundings: bool) -> ModulesConfig {
        ModulesConfig {
            surroundings,
            module: MlpConfig {
                hidden: vec![3],
                ..MlpConfig::default()
            },
        }
    }

    fn genome(config: &ModulesConfig) -> Modules {
        let mut rng = stream(1, Purpose::Initialization, 0, 0);
        Modules::random(config, &io_spec(3), &mut rng)
    }

    fn outputs(brain: &dyn Brain, batch: InputBatch<'_>) -> Vec<f32> {
        let mut out = Vec::new();
        brain.forward(batch, &mut Scratch::default(), &mut out);
        out
    }

    /// Compares the outputs for a row with the sums over the parts of what the module alone gives.
    fn check(config: &ModulesConfig, parts: u32) {
        let genome = genome(config);
        let whole = genome.grow(config, &io_spec(parts));
        let spec = module_spec(&io_spec(parts), config.surroundings).expect("there are parts");
        let alone = genome.module.grow(&config.module, &spec);
        let row: Vec<f32> = (0..=parts).map(|input| (input % 3) as f32).collect();
        let at = |index: i64| usize::try_from(index).ok().and_then(|index| row.get(index));
        let mut expected = vec![0.0; row.len()];
        for part in 0..i64::from(parts) {
            let mut seen = vec![at(part), at(part + 1)];
            if config.surroundings {
                seen.extend([at(part - 1), at(part + 2)]);
            }
            let seen: Vec<f32> = seen.iter().map(|value| *value.unwrap_or(&-1.0)).collect();
            for (output, value) in outputs(&*alone, InputBatch::single(&seen))
                .iter()
                .enumerate()
            {
                expected[part as usize + output] += value;
            }
        }
        assert_eq!(outputs(&*whole, InputBatch::single(&row)), expected);
    }

    #[test]
    fn an_output_is_the_sum_over_its_parts_on_a_board_of_any_size() {
        for surroundings in [false, true] {
            for parts in [1, 2, 3, 25] {
                check(&config(surroundings), parts);
            }
        }
    }

    /// The slopes of all outputs in a position with respect to a gene.
    fn slopes(genome: &Modules, config: &ModulesConfig, gene: usize, row: &[f32]) -> Vec<f32> {
        const STEP: f32 = 1e-2;
        let [above, below] = [STEP, -STEP].map(|step| {
            let (mut moved, mut numbers) = (genome.clone(), config.numbers(genome));
            numbers[gene] += step;
            config.set_numbers(&mut moved, &numbers);
            outputs(&*moved.grow(config, &io_spec(3)), InputBatch::single(row))
        });
        let pairs = above.iter().zip(below);
        pairs
            .map(|(above, below)| (above - below) / (2.0 * STEP))
            .collect()
    }

    /// Compares sensitivities with differences of the outputs of the whole.
    fn check_sensitivities(config: &ModulesConfig, gradients: GradientSum) {
        let genome = genome(config);
        let rows = [[0.5, -1.0, 0.25, 1.5], [1.0, 0.5, -0.5, 0.0]];
        let mut replay = ReplayBuffer::default();
        for row in &rows {
            replay.push(row);
        }
        let found = config.sensitivities(&genome, &io_spec(3), &replay, gradients);
        assert_eq!(found.len(), config.numbers(&genome).len());
        for (gene, own) in found.into_iter().enumerate() {
            let by_row = rows.map(|row| slopes(&genome, config, gene, &row));
            let mean = |output: usize| {
                let terms = by_row.each_ref().map(|slopes| match gradients {
                    GradientSum::Signed => slopes[output],
                    GradientSum::Absolute => slopes[output].abs(),
                });
                terms.iter().sum::<f32>() / rows.len() as f32
            };
            let squares: f32 = (0..4).map(|output| mean(output).powi(2)).sum();
            let expected = squares.sqrt();
            let is_close = (own - expected).abs() < 2e-3 * expected.max(0.5);
            assert!(is_close, "{gradients:?} gene {gene}: {own} {expected}");
        }
    }

    #[test]
    fn sensitivities_are_the_slopes_of_the_outputs_of_the_whole() {
        for surroundings in [false, true] {
            let mut config = config(surroundings);
            config.module.activation = Activation::Tanh;
            for gradients in [GradientSum::Signed, GradientSum::Absolute] {
                check_sensitivities(&config, gradients);
            }
        }
    }

    #[test]
    fn steps_are_multiplied_by_their_factors() {
        let config = config(false);
        let before = genome(&config);
        let after = |factor: f32| {
            let mut genome = before.clone();
            let factors = vec![factor; config.numbers(&before).len()];
            let mut rng = stream(2, Purpose::Reproduction, 0, 0);
            config.mutate_scaled(&mut genome, &factors, &mut rng);
            genome
        };
        assert_eq!(after(0.0), before);
        assert_ne!(after(1.0), before);
    }

    #[test]
    fn a_genome_fits_boards_of_any_size_whose_parts_have_its_inputs() {
        for surroundings in [false, true] {
            let genome = genome(&config(surroundings));
            for parts in [1, 2, 25] {
                assert_eq!(genome.validation_error(&io_spec(parts)), None);
            }
            let error = genome.validation_error(&IoSpec::new(4, 4));
            assert!(error.expect("it has no parts").contains("no parts"));
            let mut other = io_spec(3);
            for module in Arc::make_mut(&mut other.modules) {
                module.inputs.push(0);
            }
            let error = genome.validation_error(&other).expect("it has more inputs");
            assert!(error.starts_with("module: the network has"), "{error}");
        }
    }

    #[test]
    fn a_board_without_parts_is_a_problem_that_says_what_would_do() {
        let problems = Modules::io_problems(&config(false), &IoSpec::new(4, 4));
        assert!(problems[0].to_string().contains("try game: dots_and_boxes"));
        let mut known = config(false);
        known.module.first_weights = vec![1.0; 3];
        let problems = Modules::io_problems(&known, &io_spec(3));
        let expected = "module.first_weights: must list a weight for each of 2 inputs, lists 3";
        assert_eq!(problems[0].to_string(), expected);
    }
}
