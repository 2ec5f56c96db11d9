//! Product units on Nim: what evolution is to find, built by hand, and what it finds.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use finches::agents::AgentConfig;
use finches::games::GameConfig;
use finches::games::nim::{LastMatch, NimConfig};
use finches::genomes::{AnyGenome, GenomeConfig};
use finches::params::notation;
use finches::play::phenotype::Phenotype;
use finches::play::player::PlayerRef;
use finches::play::{Arena, build};

use crate::support::{pool, preset, session};

/// An arena of Nim in normal play.
fn nim(heaps: Vec<u16>) -> Arc<dyn Arena> {
    let game = GameConfig::Nim(NimConfig {
        heaps,
        last: LastMatch::Wins,
        ..NimConfig::default()
    });
    let agent = AgentConfig::named("one_ply").expect("it is registered");
    build(&game, &agent).expect("they go together")
}

/// The share of positions of these heaps that a genome wins.
fn share(genome: &AnyGenome, heaps: Vec<u16>) -> f64 {
    let config = GenomeConfig::named("sigma_pi").expect("it is registered");
    let arena = nim(heaps);
    assert_eq!(config.validate(genome, arena.io_spec()), Ok(()));
    let player = Phenotype::grown(&config, arena.io_spec(), genome);
    let share = arena.share_won(&pool(2), PlayerRef::Brain(player.brain()), 10_000);
    share.expect("Nim is solved")
}

/// One unit for each of four binary digits: its factor is −1 where the size of a heap has the digit.
fn digits() -> AnyGenome {
    let unit = |digit: u32| {
        let factors = (0..16_u32).map(|size| ["1.0", "-1.0"][(size >> digit & 1) as usize]);
        let factors: Vec<&str> = factors.collect();
        format!("(factors: [{}], weights: [1.0])", factors.join(", "))
    };
    let units: Vec<String> = (0..4).map(unit).collect();
    let text = format!(
        "sigma_pi(shared: true, levels: [16], inputs: 5, units: [{}])",
        units.join(", ")
    );
    notation().from_str(&text).expect("it is a genome")
}

#[test]
fn units_that_are_the_binary_digits_win_every_position_of_any_number_of_heaps() {
    for heaps in [vec![1, 3, 5, 7, 9], vec![2, 4], vec![15; 20]] {
        assert_eq!(
            share(&digits(), heaps.clone()).to_string(),
            "1",
            "{heaps:?}"
        );
    }
}

/// Evolution alone masters five heaps. Nothing about lost positions is part of the fitness.
#[test]
fn evolution_finds_a_player_of_five_heaps_that_makes_no_mistake() {
    let mut session = session(&preset("nim-5-heaps"), 4, 2);
    let halt = AtomicBool::new(false);
    let solved = (0..200).any(|_| {
        let row = session.advance(&halt).expect("nothing halts it");
        row.get(session.columns(), "accuracy_winnable") == Some(1.0)
    });
    assert!(solved, "five heaps are mastered within 200 generations");
    let champion = session.state().champion.clone().expect("it has played");
    let (known, more) = (vec![1, 3, 5, 7, 9], vec![9; 9]);
    assert_eq!(share(&champion.genome, known).to_string(), "1");
    // Nine heaps were never seen.
    assert!(share(&champion.genome, more) > 0.9);
}
