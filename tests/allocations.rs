//! Playing allocates nothing per game: what a schedule needs, it needs once. A binary of its own,
//! since the allocator it counts with is that of the whole process.

#![allow(
    unsafe_code,
    reason = "an allocator is unsafe to write; it only passes on to the system's"
)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};

use finches::agents::AgentConfig;
use finches::contest::{Pairing, Seat};
use finches::games::GameConfig;
use finches::genomes::{AnyGenome, GenomeConfig, IoSpec};
use finches::params::Params;
use finches::play::phenotype::Phenotype;
use finches::play::pool::{Pool, Slots};
use finches::play::{Arena, Schedule, build, io_spec};
use finches::rng::{Purpose, stream};

static ALLOCATIONS: AtomicUsize = AtomicUsize::new(0);

/// The system's allocator, with a count of what is asked of it.
struct Counting;

// SAFETY: every call is passed on unchanged to the system's allocator, which keeps the contract.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        // SAFETY: as the caller promises.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: as the caller promises.
        unsafe { System.dealloc(memory, layout) }
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        // SAFETY: as the caller promises.
        unsafe { System.realloc(memory, layout, size) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

const MEMBERS: u32 = 20;

/// Different brains of one size, so that buffers grow alike whoever comes first.
fn members(genome: &GenomeConfig, io_spec: &IoSpec) -> Vec<AnyGenome> {
    let mut rng = stream(1, Purpose::Initialization, 0, 0);
    let mut member = genome.random(io_spec, &mut rng);
    for _ in 0..20 {
        genome.mutate(&mut member, &mut rng);
    }
    let mut same_size = genome.clone();
    if ["graph", "neat"].contains(&genome.name()) {
        for key in ["add_edge", "add_node"] {
            same_size.set(key, "0").expect("it is allowed");
        }
    }
    let next = |_| {
        same_size.mutate(&mut member, &mut rng);
        member.clone()
    };
    (0..MEMBERS).map(next).collect()
}

/// Games to be played, so many.
struct Games<'a> {
    arena: Arc<dyn Arena>,
    genome: &'a GenomeConfig,
    genomes: Vec<AnyGenome>,
    pairings: Vec<Pairing>,
    pool: Pool,
}

impl<'a> Games<'a> {
    fn new(
        game: &GameConfig,
        (agent, genome): (&AgentConfig, &'a GenomeConfig),
        count: u32,
    ) -> Self {
        let arena = build(game, agent).expect("they go together");
        let pairing = |index: u32| {
            Pairing::new(
                Seat::Member(index % MEMBERS),
                Seat::Member((index * 7 + 1) % MEMBERS),
                index,
            )
        };
        Self {
            genomes: members(genome, arena.io_spec()),
            arena,
            genome,
            pairings: (0..count).map(pairing).collect(),
            pool: Pool::new(1).expect("there is a thread"),
        }
    }

    /// Plays them and counts the allocations.
    fn play(&self) -> usize {
        let grow = |member| {
            Arc::new(Phenotype::new(
                self.genome.grow(member, self.arena.io_spec()),
            ))
        };
        let members: Vec<Arc<Phenotype>> = self.genomes.iter().map(grow).collect();
        let mut played = Slots::new(self.pairings.len());
        let schedule = Schedule {
            seed: 1,
            generation: 0,
            first_game: 0,
            pairings: &self.pairings,
            members: &members,
            hall_of_fame: &[],
            references: &[],
            random_moves: 0.0,
            halt: &AtomicBool::new(false),
            played: &AtomicU64::new(0),
        };
        let before = ALLOCATIONS.load(Ordering::Relaxed);
        self.arena.play(&self.pool, &schedule, &mut played);
        assert!(played.is_full());
        ALLOCATIONS.load(Ordering::Relaxed) - before
    }
}

fn nim(heaps: &str) -> GameConfig {
    let mut game = GameConfig::named("nim").expect("it is registered");
    game.set("heaps", heaps).expect("it is allowed");
    // Every game begins with the most moves it can have, so that buffers have their full size after
    // the first.
    game.set("start", "full").expect("it is allowed");
    game
}

/// Twice as many games must not cost one allocation more. Both numbers of games fit the chunks that
/// a thread takes at a time alike, since each chunk has buffers of its own.
fn check(agent: &AgentConfig, genome: &GenomeConfig) {
    let [reversi, boxes] = ["reversi", "dots_and_boxes"]
        .map(|name| GameConfig::named(name).expect("it is registered"));
    // Trees differ in size from game to game, so that among more games theirs may have to grow once
    // more.
    let tree_slack = if agent.name() == "monte_carlo" { 8 } else { 0 };
    // Looked up, thought out although solved, and too large to be solved.
    for (game, games, slack) in [
        (nim("[4, 4]"), 512, 0),
        (nim("[20, 20]"), 32, tree_slack),
        (nim("[7, 7, 7, 7, 7, 7, 7, 7]"), 32, 0),
        // Its positions differ in how many moves they have, so that among more games a buffer may
        // have to grow once more.
        (reversi, 32, 8),
        (boxes, 32, 8),
    ] {
        let fits =
            io_spec(&game, agent).is_ok_and(|io_spec| genome.io_problems(&io_spec).is_empty());
        if !fits {
            continue;
        }
        let [games, more] =
            [games, games * 2].map(|count| Games::new(&game, (agent, genome), count));
        // The fewest of several times, since the pool's own queue grows now and then; first buffers
        // grow, too.
        let (mut some, mut twice) = (games.play(), more.play());
        for round in 1..8 {
            (some, twice) = (some.min(games.play()), twice.min(more.play()));
            if round >= 2 && (some..=some + slack).contains(&twice) {
                break;
            }
        }
        assert!(some > 0, "the allocator counts");
        let names = (agent.name(), genome.name());
        assert!(
            (some..=some + slack).contains(&twice),
            "{names:?} {game:?}: {some} and {twice}"
        );
    }
}

#[test]
fn twice_as_many_games_allocate_no_more() {
    for agent in AgentConfig::all() {
        for genome in GenomeConfig::all() {
            check(&agent, &genome);
        }
    }
}
