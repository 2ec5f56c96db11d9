//! The time of a complete game of Reversi between two dense networks that look one move ahead,
//! compared with a plain program that must play the same moves, and with a game between two players
//! with tables of tuples. `FINCHES_SIMD` limits the vector instructions.

#![allow(clippy::print_stdout, reason = "the ratios are what this bench is for")]

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::time::{Duration, Instant};

use finches::agents::AgentConfig;
use finches::contest::{GameResult, Pairing, Seat};
use finches::games::GameConfig;
use finches::genomes::{AnyGenome, GenomeConfig};
use finches::play::phenotype::Phenotype;
use finches::play::pool::{Pool, Slots};
use finches::play::{Arena, Schedule, build};
use finches::preset::Preset;
use finches::rng::{Purpose, stream};
use finches::simd::VectorInstructions;

const SQUARES: usize = 64;
const UNITS: usize = 8;
const MEMBERS: u32 = 32;

/// A plain program: the board is an array of numbers, and the network evaluates every position in
/// full.
mod plain {
    use super::{SQUARES, UNITS};

    const DIRECTIONS: [(i32, i32); 8] = [
        (-1, -1),
        (0, -1),
        (1, -1),
        (-1, 0),
        (1, 0),
        (-1, 1),
        (0, 1),
        (1, 1),
    ];

    pub(super) struct Network {
        hidden: [(f32, [f32; SQUARES]); UNITS],
        bias: f32,
        output: [f32; UNITS],
    }

    impl Network {
        /// The genes are in the order of the library: for each node its bias, then its weights.
        pub(super) fn new(genes: &[f32]) -> Self {
            let (hidden, output) = genes.split_at(UNITS * (SQUARES + 1));
            let unit = |unit: usize| {
                let genes = &hidden[unit * (SQUARES + 1)..][..=SQUARES];
                (genes[0], std::array::from_fn(|input| genes[input + 1]))
            };
            Self {
                hidden: std::array::from_fn(unit),
                bias: output[0],
                output: std::array::from_fn(|unit| output[unit + 1]),
            }
        }

        fn value(&self, inputs: &[f32; SQUARES]) -> f32 {
            let mut value = self.bias;
            for ((bias, weights), output) in self.hidden.iter().zip(&self.output) {
                let mut sum = *bias;
                for (weight, input) in weights.iter().zip(inputs) {
                    sum += weight * input;
                }
                value += output * (sum.max(0.0) + (1.0 + (-sum.abs()).exp()).ln());
            }
            value
        }
    }

    /// 1 for a disc of the first player, −1 for one of the second.
    type Board = [i8; SQUARES];

    /// Places a disc and flips others; `None` if it would flip none.
    fn put(board: &Board, square: usize, player: i8) -> Option<Board> {
        if board[square] != 0 {
            return None;
        }
        let mut after = *board;
        for (across, along) in DIRECTIONS {
            let (mut column, mut row) = (square as i32 % 8, square as i32 / 8);
            let mut run = 0;
            let ends = loop {
                (column, row) = (column + across, row + along);
                if !(0..8).contains(&column) || !(0..8).contains(&row) {
                    break false;
                }
                let disc = board[(row * 8 + column) as usize];
                if disc != -player {
                    break disc == player;
                }
                run += 1;
            };
            if ends {
                for _ in 0..run {
                    (column, row) = (column - across, row - along);
                    after[(row * 8 + column) as usize] = player;
                }
            }
        }
        let turned = after != *board;
        after[square] = player;
        turned.then_some(after)
    }

    /// The next position with the highest value, the first of equals; `None` if the player must
    /// pass.
    fn choose(board: &Board, player: i8, network: &Network) -> Option<Board> {
        let mut best: Option<(f32, Board)> = None;
        for square in 0..SQUARES {
            if let Some(after) = put(board, square, player) {
                let inputs = after.map(|disc| f32::from(disc * player));
                let value = network.value(&inputs);
                if best.is_none_or(|(highest, _)| value > highest) {
                    best = Some((value, after));
                }
            }
        }
        best.map(|(_, board)| board)
    }

    /// The number of plies of a game, including passes, and the discs of the first and the second
    /// player at its end.
    pub(super) fn play(networks: [&Network; 2]) -> (u16, [u16; 2]) {
        let mut board = [0; SQUARES];
        (board[27], board[28], board[35], board[36]) = (-1, 1, 1, -1);
        let (mut plies, mut passes, mut player) = (0, 0, 1);
        while passes < 2 {
            let network = networks[usize::from(player < 0)];
            if let Some(after) = choose(&board, player, network) {
                board = after;
                passes = 0;
            } else {
                passes += 1;
            }
            plies += 1;
            player = -player;
        }
        let discs = |player: i8| board.iter().filter(|&&disc| disc == player).count() as u16;
        (plies - 2, [discs(1), discs(-1)])
    }
}

/// Players and their games.
struct Field {
    arena: Arc<dyn Arena>,
    pool: Pool,
    members: Vec<Arc<Phenotype>>,
    pairings: Vec<Pairing>,
}

impl Field {
    /// Random players of a kind, each with its genes as `change` makes them.
    fn new(
        config: &GenomeConfig,
        games: u32,
        mut change: impl FnMut(AnyGenome) -> AnyGenome,
    ) -> Self {
        let game = GameConfig::named("reversi").expect("it is registered");
        let agent = AgentConfig::named("one_ply").expect("it is registered");
        let arena = build(&game, &agent).expect("they go together");
        let member = |index| {
            let mut rng = stream(1, Purpose::Initialization, 0, index);
            let genome = change(config.random(arena.io_spec(), &mut rng));
            Arc::new(Phenotype::new(config.grow(&genome, arena.io_spec())))
        };
        let members = (0..MEMBERS.into()).map(member).collect();
        let pairing = |index: u32| {
            Pairing::new(
                Seat::Member(index % MEMBERS),
                Seat::Member((index * 7 + 1 + index / MEMBERS) % MEMBERS),
                index,
            )
        };
        Self {
            members,
            arena,
            pool: Pool::new(1).expect("there is a thread"),
            pairings: (0..games).map(pairing).collect(),
        }
    }

    fn by_library(&self) -> Vec<GameResult> {
        let schedule = Schedule {
            seed: 1,
            generation: 0,
            first_game: 0,
            pairings: &self.pairings,
            members: &self.members,
            hall_of_fame: &[],
            references: &[],
            random_moves: 0.0,
            halt: &AtomicBool::new(false),
            played: &AtomicU64::new(0),
        };
        let mut played = Slots::new(self.pairings.len());
        self.arena.play(&self.pool, &schedule, &mut played);
        played.values().expect("it is never halted").to_vec()
    }
}

/// Networks for the library and for the plain program.
struct Networks {
    field: Field,
    plain: Vec<plain::Network>,
}

impl Networks {
    /// Random networks whose genes are multiplied by `scale`, since evolution makes weights large.
    fn new(scale: f32, games: u32) -> Self {
        let config = GenomeConfig::named("mlp").expect("it is registered");
        let mut plain = Vec::new();
        let field = Field::new(&config, games, |genome| {
            let (genome, genes) = scaled(&genome, scale);
            plain.push(plain::Network::new(&genes));
            genome
        });
        Self { field, plain }
    }

    fn by_plain_program(&self) -> Vec<(u16, [u16; 2])> {
        let network = |seat: Seat| match seat {
            Seat::Member(index) => &self.plain[index as usize],
            other => unreachable!("{other:?} is not in this generation"),
        };
        let play =
            |pairing: &Pairing| plain::play([network(pairing.first()), network(pairing.second())]);
        self.field.pairings.iter().map(play).collect()
    }

    /// The share of games in which both play alike. Sums are rounded differently, so another move
    /// sometimes has the best value.
    fn agreement(&self) -> f64 {
        let (games, others) = (self.field.by_library(), self.by_plain_program());
        let alike = games
            .iter()
            .zip(&others)
            .filter(|&(game, &other)| (game.plies, game.points) == other);
        alike.count() as f64 / games.len() as f64
    }
}

/// A genome with all genes multiplied, and the genes.
fn scaled(genome: &AnyGenome, scale: f32) -> (AnyGenome, Vec<f32>) {
    let mut tree = serde_json::to_value(genome).expect("a genome can be written");
    let genes = &mut tree["mlp"]["genes"];
    let read = serde_json::from_value(genes.clone());
    let mut numbers: Vec<f32> = read.expect("genes are numbers");
    for number in &mut numbers {
        *number *= scale;
    }
    *genes = serde_json::to_value(&numbers).expect("numbers can be written");
    (
        serde_json::from_value(tree).expect("it is a genome"),
        numbers,
    )
}

fn time<T>(work: impl FnOnce() -> T) -> Duration {
    let began = Instant::now();
    std::hint::black_box(work());
    began.elapsed()
}

fn main() {
    let is_measuring = std::env::args().any(|argument| argument == "--bench");
    if let Ok(name) = std::env::var("FINCHES_SIMD") {
        VectorInstructions::parse(&name)
            .expect("none, avx2 or avx512")
            .set_limit();
    }
    let (rounds, games) = if is_measuring { (40, 320) } else { (1, 64) };
    for (what, scale) in [("fresh", 1.0), ("large weights", 10.0)] {
        let networks = Networks::new(scale, games);
        let agreement = networks.agreement();
        assert!(agreement >= 0.95, "{what}: only {agreement} played alike");
        let fastest = fastest(
            rounds,
            || networks.field.by_library(),
            || networks.by_plain_program(),
        );
        let [library, plain] = fastest.map(|time| time.as_secs_f64() * 1e6 / f64::from(games));
        println!(
            "{what}: {library:.1} us per game, {plain:.1} us with a plain program, {:.1}% played \
            alike",
            agreement * 100.0
        );
        println!(
            "ratio: games of {what} networks are {:.1} times as fast as in a plain program",
            plain / library
        );
    }
    let networks = Networks::new(1.0, games).field;
    let tuples = Field::new(&tuples(), games, |genome| genome);
    let fastest = fastest(rounds, || tuples.by_library(), || networks.by_library());
    let [tuples, networks] = fastest.map(|time| time.as_secs_f64());
    println!(
        "ratio: games with tables of tuples of four take {:.2} times as long as games of networks",
        tuples / networks
    );
}

/// The tables of the preset `reversi-tuples-4`.
fn tuples() -> GenomeConfig {
    let name = "reversi-tuples-4";
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("presets/{name}.ron"));
    let text = std::fs::read_to_string(path).expect("the preset is there");
    let preset = Preset::parse(&text, name, name);
    preset.unwrap_or_else(|error| panic!("{error}")).genome
}

/// The time of two ways, each the shortest of several rounds in turns, so that a busy moment
/// affects neither.
fn fastest<A, B>(
    rounds: u32,
    mut one: impl FnMut() -> A,
    mut other: impl FnMut() -> B,
) -> [Duration; 2] {
    let mut fastest = [Duration::MAX; 2];
    for _ in 0..rounds {
        fastest[0] = time(&mut one).min(fastest[0]);
        fastest[1] = time(&mut other).min(fastest[1]);
    }
    fastest
}
