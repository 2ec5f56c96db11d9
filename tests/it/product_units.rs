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

use crate::program::{folder, run};
use crate::support::{pool, preset_with, session};

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
    let share = arena.share_won(&pool(2), PlayerRef::Evolved(&player), 10_000);
    share.expect("Nim is solved")
}

/// One unit for each of four binary digits: its factor is −1 where the size of a heap has the
/// digit.
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

/// Evolution alone masters four heaps. Nothing about lost positions is part of the fitness. How
/// long more heaps take is in the reproduction of the Nim challenge.
#[test]
fn evolution_finds_a_player_of_four_heaps_that_makes_no_mistake() {
    let preset = preset_with("nim-5-heaps", &["heaps=[1, 3, 5, 7]"]);
    let mut session = session(&preset, 2, 2);
    let halt = AtomicBool::new(false);
    let solved = (0..200).any(|_| {
        let row = session.advance(&halt).expect("nothing halts it");
        row.get(session.columns(), "accuracy_winnable") == Some(1.0)
    });
    assert!(solved, "four heaps are mastered within 200 generations");
    let champion = session.state().champion.clone().expect("it has played");
    let (known, more) = (vec![1, 3, 5, 7], vec![7; 9]);
    assert_eq!(share(&champion.genome, known).to_string(), "1");
    // Nine heaps were never seen. A random player wins about one in twenty of them.
    assert!(share(&champion.genome, more) > 0.75);
}

#[test]
fn the_column_says_whether_all_positions_are_judged_or_a_sample() {
    let (few, all) = ("judged_positions=3839", "judged_positions=3840");
    for (most, name) in [(few, "accuracy_sampled"), (all, "accuracy_winnable")] {
        let target = format!("until={name}>=1");
        let preset = preset_with("nim-5-heaps", &[most, &target]);
        let session = session(&preset, 1, 1);
        let names = session.columns().names();
        let judged: Vec<&str> = names.filter(|name| name.starts_with("accuracy_")).collect();
        assert!(judged.contains(&name), "{judged:?}");
        let both = ["accuracy_sampled", "accuracy_winnable"];
        let count = judged.iter().filter(|name| both.contains(name)).count();
        assert_eq!(count, 1, "{judged:?}");
    }
}

#[test]
fn a_champion_is_judged_on_its_own_board_and_on_others() {
    let place = folder();
    let words = ["run", "nim-5-heaps", "--seed", "1", "--generations", "6"];
    // The target is not reached.
    assert_eq!(run(place.path(), &words).2, 3);
    let judge = |more: &[&str]| {
        let words = [&["judge", "nim-5-heaps-1"], more].concat();
        run(place.path(), &words)
    };
    let (own, said, code) = judge(&[]);
    assert_eq!(code, 0, "{said}");
    assert!(
        own.starts_with("share of all positions that can be won (3456)"),
        "{own}"
    );
    let words: Vec<&str> = own.split_whitespace().collect();
    assert!(words.join(" ").contains("random moves 13.35%"), "{own}");
    let (more, said, code) = judge(&[
        "--set",
        "heaps=[9,9,9,9,9,9,9]",
        "--positions",
        "1000",
        "--json",
    ]);
    assert_eq!(code, 0, "{said}");
    let more: serde_json::Value = serde_json::from_str(&more).expect("it is JSON");
    assert_eq!(more["all"], false);
    let count = more["positions"].as_u64().expect("a number");
    assert!((850..=1000).contains(&count), "{count}");
    let share = more["share"].as_f64().expect("a share");
    assert!((0.0..=1.0).contains(&share));
    let (_, said, code) = judge(&["--set", "heaps=[10]"]);
    assert_eq!(code, 2);
    assert!(
        said.contains("can't play") && said.contains("that its network fits"),
        "{said}"
    );
    let words = [
        "run",
        "reversi-vanilla",
        "--seed",
        "1",
        "--generations",
        "1",
    ];
    assert_eq!(run(place.path(), &words).2, 0);
    let (_, said, code) = run(place.path(), &["judge", "reversi-vanilla-1"]);
    assert_eq!(code, 2);
    assert!(
        said.contains("only those of nim and bounded-nim are"),
        "{said}"
    );
}
