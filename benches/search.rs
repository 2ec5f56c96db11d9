//! The time of a move by search in draughts, compared with a plain program that must choose the
//! same moves: one that evaluates each position in full with a plain network and remembers none.

#![allow(clippy::print_stdout, reason = "the ratios are what this bench is for")]

use std::hint::black_box;
use std::time::{Duration, Instant};

use rand::RngExt;

use finches::agents::{AgentConfig, AgentFor, Turn, Workspace};
use finches::games::draughts::{Draughts, DraughtsConfig};
use finches::games::{Encoding, GameParams, Rules};
use finches::genomes::{Brain, GenomeConfig, IoSpec};
use finches::params::Params;
use finches::rng::{Purpose, Stream, stream};

type State = <Draughts as Rules>::State;
type Move = <Draughts as Rules>::Move;

/// The hidden layers of both networks.
const HIDDEN: [usize; 2] = [40, 10];

/// A plain network: the inputs are projected in full, and every node is a loop over the nodes
/// below.
mod network {
    use finches::games::draughts::Draughts;
    use finches::games::{Encoding, Rules, Side};
    use finches::genomes::IoSpec;

    use super::HIDDEN;

    pub(super) struct PlainNetwork {
        /// For each layer, for each of its nodes, its bias and then its weights.
        layers: Vec<Vec<Vec<f32>>>,
        /// Whether the sum of the inputs is added to the output.
        has_bypass: bool,
    }

    impl PlainNetwork {
        /// The genes are in the order of the library: for each node its bias, then its weights.
        pub(super) fn new(genes: &[f32], inputs: usize, has_bypass: bool) -> Self {
            let (mut genes, mut below) = (genes, inputs);
            let mut layers = Vec::new();
            for nodes in HIDDEN.into_iter().chain([1]) {
                let (own, rest) = genes.split_at(nodes * (below + 1));
                layers.push(own.chunks(below + 1).map(<[f32]>::to_vec).collect());
                (genes, below) = (rest, nodes);
            }
            Self { layers, has_bypass }
        }

        /// The value of a position for a side.
        pub(super) fn value(
            &self,
            game: &Draughts,
            io_spec: &IoSpec,
            state: &<Draughts as Rules>::State,
            side: Side,
        ) -> f32 {
            let mut features = vec![0.0; io_spec.inputs.raw_count()];
            game.encode(state, side, &mut features);
            let mut values = io_spec.inputs.project(features);
            let sum: f32 = values.iter().filter(|_| self.has_bypass).sum();
            for (index, layer) in self.layers.iter().enumerate() {
                let total = |node: &Vec<f32>| {
                    let terms = node[1..].iter().zip(&values);
                    node[0] + terms.map(|(weight, value)| weight * value).sum::<f32>()
                };
                let is_last = index + 1 == self.layers.len();
                let applied = |total: f32| {
                    if is_last && self.has_bypass {
                        total + sum
                    } else {
                        total.tanh()
                    }
                };
                values = layer.iter().map(total).map(applied).collect();
            }
            values[0]
        }
    }
}

/// Plain alpha-beta search with quiescence search: moves in their order, no table, no iteration.
mod alpha_beta {
    use finches::games::draughts::Draughts;
    use finches::games::{Heuristics, Rules};
    use finches::search::alpha_beta::WIN_VALUE;

    use super::{Evaluator, Move, State};

    /// The move with the highest value, the first in a tie.
    pub(super) fn choose(
        game: &Draughts,
        evaluator: &Evaluator,
        state: &State,
        depth: u8,
    ) -> Option<Move> {
        let mut best = (f32::NEG_INFINITY, None);
        for action in super::legal_moves(game, state) {
            let window = (best.0, f32::INFINITY);
            let value = value(game, evaluator, (state, action), (depth, 0), window);
            if value > best.0 {
                best = (value, Some(action));
            }
        }
        best.1
    }

    /// The value of a move to the mover.
    fn value(
        game: &Draughts,
        evaluator: &Evaluator,
        (state, action): (&State, Move),
        (depth, ply): (u8, u16),
        (alpha, beta): (f32, f32),
    ) -> f32 {
        let mover = game.to_move(state);
        let mut after = *state;
        game.play(&mut after, action);
        if let Some(outcome) = game.outcome(&after) {
            let result = f32::from(outcome.result_for(mover));
            let points = game.points(&after).map(f32::from);
            let margin = points[mover.index()] - points[mover.opponent().index()];
            return result * (WIN_VALUE - 64.0 * f32::from(ply)) + result.abs() * margin * 1e4;
        }
        if depth <= 1 && game.is_quiet(&after) {
            return evaluator.value(game, &after, mover);
        }
        let mut best = f32::NEG_INFINITY;
        for reply in super::legal_moves(game, &after) {
            let below = (depth.saturating_sub(1), ply + 1);
            let window = (best.max(-beta), -alpha);
            best = best.max(value(game, evaluator, (&after, reply), below, window));
            if best >= -alpha {
                break;
            }
        }
        -best
    }
}

/// The library's tree search with the plain network and without a cache.
mod tree {
    use finches::agents::argmax;
    use finches::games::Side;
    use finches::games::draughts::Draughts;
    use finches::rng::Stream;
    use finches::search::NeverCancel;
    use finches::search::tree::{PositionEvaluator, SearchTree, TreeLimits};

    use super::{Evaluator, Move, State};

    impl PositionEvaluator<Draughts> for &Evaluator {
        fn evaluate(&mut self, game: &Draughts, state: &State, side: Side) -> f32 {
            0.9 * self.value(game, state, side)
        }
    }

    /// The move with the most simulations.
    pub(super) fn choose(
        game: &Draughts,
        mut evaluator: &Evaluator,
        state: &State,
        (simulations, rng): (u32, &mut Stream),
    ) -> Option<Move> {
        let mut tree = SearchTree::default();
        let limits = TreeLimits {
            extends_once: false,
            simulations,
            playout: 1,
            quiet: 4,
            exploration: 1.4,
            grows: true,
            cancel: &NeverCancel,
        };
        tree.search(game, state, limits, &mut evaluator, rng);
        let best = argmax(tree.root_statistics().map(|found| found.visits as f32));
        super::legal_moves(game, state).get(best).copied()
    }
}

/// A plain network for its game.
struct Evaluator {
    network: network::PlainNetwork,
    io_spec: IoSpec,
}

impl Evaluator {
    fn value(&self, game: &Draughts, state: &State, side: finches::games::Side) -> f32 {
        self.network.value(game, &self.io_spec, state, side)
    }
}

fn legal_moves(game: &Draughts, state: &State) -> Vec<Move> {
    let mut moves = Vec::new();
    game.moves(state, &mut moves);
    moves
}

/// The positions of random games, in order.
fn positions(game: &Draughts, games: u64, most: usize) -> Vec<Vec<State>> {
    let line = |index| {
        let mut rng = stream(1, Purpose::Sample, 0, index);
        let (mut state, mut line) = (game.standard_start(), Vec::new());
        while line.len() < most {
            let moves = legal_moves(game, &state);
            if moves.is_empty() {
                break;
            }
            line.push(state);
            game.play(&mut state, moves[rng.random_range(0..moves.len())]);
        }
        line
    };
    (0..games).map(line).collect()
}

/// A search to be compared: the agent of the library and the plain program.
struct Comparison {
    game: Draughts,
    agent: Box<dyn AgentFor<Draughts>>,
    brain: Box<dyn Brain>,
    evaluator: Evaluator,
    lines: Vec<Vec<State>>,
    /// Chooses as the plain program does.
    plain: fn(&Draughts, &Evaluator, &State, &mut Stream) -> Option<Move>,
}

/// A component of the library with some parameters, written `key=value`.
fn with<T: Params>(mut config: T, assignments: &[&str]) -> T {
    for assignment in assignments {
        let (key, value) = assignment.split_once('=').expect("it assigns a value");
        config.set(key, value).expect("the value is allowed");
    }
    config
}

impl Comparison {
    /// The settings of the agent, of the inputs and of the network, and the plain program.
    fn new(
        agent: &AgentConfig,
        inputs: &str,
        outputs: [&str; 2],
        plain: fn(&Draughts, &Evaluator, &State, &mut Stream) -> Option<Move>,
    ) -> Self {
        let draughts = DraughtsConfig::default();
        let game = with(draughts, &["repetition=3", "most_moves=100", inputs]).build();
        let agent = agent.build::<Draughts>();
        let io_spec = agent.io_spec(&game.shape()).expect("they go together");
        let mlp = GenomeConfig::named("mlp").expect("it is registered");
        let shape = ["hidden=[40, 10]", "activation=tanh", "init_sigma=0.3"];
        let config = with(mlp, &[&shape[..], &outputs].concat());
        let mut rng = stream(1, Purpose::Initialization, 0, 0);
        let genome = config.random(&io_spec, &mut rng);
        let tree = serde_json::to_value(&genome).expect("a genome can be written");
        let genes: Vec<f32> =
            serde_json::from_value(tree["mlp"]["genes"].clone()).expect("genes are numbers");
        let has_bypass = outputs.contains(&"bypass=true");
        Self {
            brain: config.grow(&genome, &io_spec),
            evaluator: Evaluator {
                network: network::PlainNetwork::new(&genes, io_spec.inputs.count, has_bypass),
                io_spec,
            },
            lines: Vec::new(),
            game,
            agent,
            plain,
        }
    }

    fn by_library(&self) -> Vec<Option<Move>> {
        let mut workspace = Workspace::new(&self.game);
        let mut chosen = Vec::new();
        for (line, index) in self.lines.iter().zip(0..) {
            workspace.clear();
            let mut rng = stream(2, Purpose::Chance, 0, index);
            let (game, brain) = (&self.game, self.brain.as_ref());
            let choose = |state| {
                let workspace = &mut workspace;
                let mut turn = Turn::new(game, brain, state, workspace);
                self.agent.choose(&mut turn, &mut rng)
            };
            chosen.extend(line.iter().map(choose));
        }
        chosen
    }

    fn by_plain_program(&self) -> Vec<Option<Move>> {
        let mut chosen = Vec::new();
        for (line, index) in self.lines.iter().zip(0..) {
            let mut rng = stream(2, Purpose::Chance, 0, index);
            let choose = |state| (self.plain)(&self.game, &self.evaluator, state, &mut rng);
            chosen.extend(line.iter().map(choose));
        }
        chosen
    }

    /// Prints the ratio of times; the fastest of several rounds in turns counts, so that a busy
    /// moment affects neither.
    fn run(mut self, what: &str, is_measuring: bool) {
        let (rounds, games, most) = if is_measuring { (5, 6, 60) } else { (1, 1, 12) };
        self.lines = positions(&self.game, games, most);
        let (chosen, others) = (self.by_library(), self.by_plain_program());
        let alike = chosen
            .iter()
            .zip(&others)
            .filter(|(one, other)| one == other);
        let agreement = alike.count() as f64 / chosen.len() as f64;
        // Sums are rounded differently, so that another move sometimes has the best value.
        assert!(agreement >= 0.9, "{what}: only {agreement} chosen alike");
        let mut fastest = [Duration::MAX; 2];
        for _ in 0..rounds {
            fastest[0] = time(|| self.by_library()).min(fastest[0]);
            fastest[1] = time(|| self.by_plain_program()).min(fastest[1]);
        }
        let [library, plain] = fastest.map(|time| time.as_secs_f64() * 1e6 / chosen.len() as f64);
        println!(
            "{what}: {library:.0} us per move, {plain:.0} us with a plain program, {:.1}% chosen \
            alike",
            agreement * 100.0
        );
        println!(
            "ratio: {what} is {:.1} times as fast as in a plain program",
            plain / library
        );
    }
}

fn time<T>(work: impl FnOnce() -> T) -> Duration {
    let began = Instant::now();
    black_box(work());
    began.elapsed()
}

fn main() {
    let is_measuring = std::env::args().any(|argument| argument == "--bench");
    let named = |name| AgentConfig::named(name).expect("it is registered");
    let agent = with(named("alpha_beta"), &["depth=4", "quiescence=true"]);
    let outputs = ["outputs=linear", "bypass=true"];
    let plain = |game: &_, evaluator: &_, state: &_, _: &mut _| {
        alpha_beta::choose(game, evaluator, state, 4)
    };
    Comparison::new(&agent, "inputs=signed", outputs, plain).run("alpha-beta", is_measuring);
    let outputs = ["outputs=tanh", "bypass=false"];
    let plain = |game: &_, evaluator: &_, state: &_, rng: &mut _| {
        tree::choose(game, evaluator, state, (300, rng))
    };
    Comparison::new(&named("monte_carlo"), "inputs=windows", outputs, plain)
        .run("tree search", is_measuring);
}
