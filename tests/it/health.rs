//! Planted failures of coevolution are named, and a healthy run is not called ill. Games are drawn
//! from win probabilities that are known; the command is tested on small runs.

use std::f64::consts::TAU;
use std::path::Path;

use finches::contest::Tally;
use finches::play::health::cross_table::CrossTable;
use finches::play::health::gradient::FitnessLevels;
use finches::play::health::{CoevolutionVerdict, Diagnosis, RunRecord};
use finches::play::round_robin::PairTally;
use finches::rng::{Purpose, Stream, stream};
use rand::RngExt;

use crate::program::{folder, run};

const SEEDS: u64 = 20;

/// A run of which only its results are known.
struct Planted {
    table: CrossTable,
    held_out: Vec<f64>,
    fitness: Vec<FitnessLevels>,
}

impl Planted {
    fn diagnosis(&self, seed: u64) -> Diagnosis {
        let record = RunRecord {
            table: &self.table,
            held_out: &self.held_out,
            fitness: &self.fitness,
            accuracy: None,
        };
        Diagnosis::of(record, seed)
    }
}

/// The probability of a win by a difference of skill.
fn logistic(difference: f64) -> f64 {
    1.0 / (1.0 + (-difference).exp())
}

/// A number from a distribution with mean 0 and standard deviation 1: a sum of twelve uniform ones.
fn noise(rng: &mut Stream) -> f64 {
    (0..12).map(|_| rng.random::<f64>()).sum::<f64>() - 6.0
}

/// Games against an opponent who is beaten with this probability.
fn games(chance: f64, count: u32, rng: &mut Stream) -> Tally {
    let mut tally = Tally::default();
    for _ in 0..count {
        tally.add(if rng.random_bool(chance) { 1 } else { -1 });
    }
    tally
}

/// A round robin of 16 champions with 40 games per pair.
fn round_robin(chance: impl Fn(usize, usize) -> f64, rng: &mut Stream) -> CrossTable {
    round_robin_of(16, chance, rng)
}

/// A round robin of this many champions with 40 games per pair.
fn round_robin_of(
    champions: usize,
    chance: impl Fn(usize, usize) -> f64,
    rng: &mut Stream,
) -> CrossTable {
    let pairs = (0..champions).flat_map(|one| (one + 1..champions).map(move |other| [one, other]));
    let play = |players: [usize; 2]| PairTally {
        players,
        tally: games(chance(players[0], players[1]), 40, rng),
    };
    CrossTable::new(champions, &pairs.map(play).collect::<Vec<_>>())
}

/// The share of each champion against a player outside of the run.
fn held_out(chance: impl Fn(usize) -> f64, rng: &mut Stream) -> Vec<f64> {
    let share = |one| games(chance(one), 100, rng).share().expect("it has played");
    (0..16).map(share).collect()
}

/// The fitness of 300 generations with 30 members each: the share of wins in 20 games that are won
/// with the member's probability.
fn fitness(chance: impl Fn(usize, &mut Stream) -> f64, rng: &mut Stream) -> Vec<FitnessLevels> {
    let generation = |generation: usize| {
        let member = |_| {
            let chance = chance(generation, rng);
            games(chance, 20, rng).share().expect("it has played")
        };
        let all: Vec<f64> = (0..30).map(member).collect();
        FitnessLevels {
            best: all.iter().copied().fold(0.0, f64::max),
            mean: all.iter().sum::<f64>() / 30.0,
        }
    };
    (0..300).map(generation).collect()
}

/// Members differ in skill around that of their opponents.
fn lively(rng: &mut Stream) -> Vec<FitnessLevels> {
    fitness(|_, rng| logistic(0.5 * noise(rng)), rng)
}

/// Skill rises by 0.25 from champion to champion, with champions off by 0.3.
fn healthy(rng: &mut Stream) -> Planted {
    let skill: Vec<f64> = (0..16)
        .map(|at| 0.25 * f64::from(at) + 0.3 * noise(rng))
        .collect();
    Planted {
        table: round_robin(|one, other| logistic(skill[one] - skill[other]), rng),
        held_out: held_out(|one| logistic(skill[one] - 1.0), rng),
        fitness: lively(rng),
    }
}

/// Champions move on a circle on which each beats those behind it, at 1.5 to 3 rounds per run, from
/// anywhere.
fn cycling(rng: &mut Stream) -> Planted {
    let (start, rounds): (f64, f64) = (rng.random(), 1.5 + 1.5 * rng.random::<f64>());
    let place: Vec<f64> = (0..16)
        .map(|at| TAU * (start + rounds * f64::from(at) / 16.0) + 0.2 * noise(rng))
        .collect();
    Planted {
        table: round_robin(
            |one, other| logistic(2.0 * (place[one] - place[other]).sin()),
            rng,
        ),
        held_out: held_out(|_| 0.7, rng),
        fitness: lively(rng),
    }
}

/// The archive of opponents keeps the last five champions. A champion beats these, and has
/// forgotten those before.
fn forgetting(rng: &mut Stream) -> Planted {
    let off: Vec<f64> = (0..16).map(|_| 0.2 * noise(rng)).collect();
    let chance = |one: usize, other: usize| {
        let gap = other - one;
        let learned = if gap <= 5 { -1.5 } else { 1.2 };
        logistic(learned + off[one] - off[other])
    };
    Planted {
        table: round_robin(chance, rng),
        held_out: held_out(|_| 0.7, rng),
        fitness: lively(rng),
    }
}

/// The archive is lost before the eleventh champion, and evolution starts again.
fn losing(rng: &mut Stream) -> Planted {
    let skill: Vec<f64> = (0..16)
        .map(|at| 0.3 * f64::from(at % 10) + 0.2 * noise(rng))
        .collect();
    Planted {
        table: round_robin(|one, other| logistic(skill[one] - skill[other]), rng),
        held_out: held_out(|one| logistic(skill[one] - 1.0), rng),
        fitness: lively(rng),
    }
}

/// One of two populations loses all games against the other from some generation before the middle
/// on: skill then drifts.
fn disengaged(rng: &mut Stream) -> Planted {
    let lost = 60 + rng.random_range(0..60);
    let mut skill = Vec::new();
    let mut last = 0.0;
    for at in 0..16 {
        let is_selected = at * 20 < lost;
        last += if is_selected { 0.4 } else { 0.15 * noise(rng) };
        skill.push(last);
    }
    let chance = move |generation: usize, rng: &mut Stream| {
        let behind = if generation < lost { 0.0 } else { 20.0 };
        logistic(0.5 * noise(rng) - behind)
    };
    Planted {
        table: round_robin(|one, other| logistic(skill[one] - skill[other]), rng),
        held_out: held_out(|one| logistic(skill[one] - 1.0), rng),
        fitness: fitness(chance, rng),
    }
}

/// Newer champions exploit a habit of their population and lose strength against everyone else.
fn over_specialized(rng: &mut Stream) -> Planted {
    let habit: Vec<f64> = (0..16)
        .map(|at| 0.3 * f64::from(at) + 0.2 * noise(rng))
        .collect();
    Planted {
        table: round_robin(|one, other| logistic(habit[one] - habit[other]), rng),
        held_out: held_out(|one| 0.95 - 0.045 * one as f64, rng),
        fitness: lively(rng),
    }
}

/// All champions are equal, but for the first, whom everybody beats.
fn beginner(rng: &mut Stream) -> Planted {
    Planted {
        table: round_robin(|one, _| if one == 0 { 0.02 } else { 0.5 }, rng),
        held_out: held_out(|_| 0.7, rng),
        fitness: lively(rng),
    }
}

/// The number of seeds with this verdict.
fn count(plant: fn(&mut Stream) -> Planted, verdict: CoevolutionVerdict) -> u64 {
    let hits = (0..SEEDS).filter(|&seed| {
        let planted = plant(&mut stream(seed, Purpose::Chance, 0, 0));
        planted.diagnosis(seed).verdict == verdict
    });
    hits.count() as u64
}

#[test]
fn planted_failures_are_named() {
    assert_eq!(count(cycling, CoevolutionVerdict::Cycling), SEEDS);
    assert_eq!(count(forgetting, CoevolutionVerdict::Forgetting), SEEDS);
    assert_eq!(count(losing, CoevolutionVerdict::Forgetting), SEEDS);
    assert_eq!(count(disengaged, CoevolutionVerdict::Disengagement), SEEDS);
    assert_eq!(
        count(over_specialized, CoevolutionVerdict::OverSpecialization),
        SEEDS
    );
}

#[test]
fn a_beaten_beginner_makes_no_arms_race() {
    assert!(count(beginner, CoevolutionVerdict::ArmsRace) <= 1);
}

#[test]
fn what_was_gained_early_counts_against_players_outside_too() {
    let rng = &mut stream(1, Purpose::Chance, 0, 0);
    let planted = Planted {
        held_out: (0..16).map(|one| if one < 5 { 0.3 } else { 0.7 }).collect(),
        ..healthy(rng)
    };
    let found = planted.diagnosis(1);
    assert_eq!(found.meaning(), "Newer champions beat older ones.");
    let words = "the oldest third scores 30%, the middle third 70%, the newest 70%: no clear \
        difference from the middle (p = ";
    let evidence = found.evidence().join(" ");
    assert!(evidence.contains(words), "{evidence}");
}

/// The fewest champions that are judged have four in each third: a rank test of four against four
/// can be clear, one of three against four can not.
#[test]
fn twelve_champions_can_be_clearly_better_against_players_outside() {
    let rng = &mut stream(1, Purpose::Chance, 0, 0);
    let planted = Planted {
        table: round_robin_of(
            12,
            |one, other| logistic(0.7 * (one as f64 - other as f64)),
            rng,
        ),
        held_out: (0..12).map(|one| if one < 4 { 0.3 } else { 0.7 }).collect(),
        fitness: lively(rng),
    };
    assert_eq!(
        planted.diagnosis(1).meaning(),
        "Newer champions beat older ones."
    );
}

#[test]
fn a_healthy_run_is_not_called_ill() {
    let well = [CoevolutionVerdict::ArmsRace, CoevolutionVerdict::Unclear];
    let well: Vec<u64> = well
        .into_iter()
        .map(|verdict| count(healthy, verdict))
        .collect();
    assert!(
        well[0] + well[1] >= SEEDS - 1 && well[0] >= SEEDS - 2,
        "{well:?}"
    );
}

/// A saved run of this many generations.
fn evolve(saves: &Path, generations: &str) {
    let words = [
        "run",
        "nim-2x2",
        "--seed=1",
        &format!("--generations={generations}"),
        "--set=population=40",
        "--set=opponents=10",
    ];
    let (_, said, code) = run(saves, &words);
    assert_eq!(code, 0, "{said}");
}

#[test]
fn the_health_of_a_run_is_printed_with_its_evidence() {
    let folder = folder();
    evolve(folder.path(), "40");
    let words = ["health", "nim-2x2-1", "--games=8", "--champions=12"];
    let (out, said, code) = run(folder.path(), &words);
    assert_eq!(code, 0, "{said}");
    for part in [
        "nim-2x2-1: 12 champions, 8 games per pair; as many of each against random, oracle",
        "(CIAO)",
        "g39",
        "α-rank",
        "verdict: ",
        "- The middle third scores ",
        "triples without a tie are cycles",
        "Against players outside of the run",
        "of the last 14 generations",
    ] {
        assert!(out.contains(part), "{part} in {out}");
    }
    let triangle: Vec<&str> = out.lines().skip(3).take(12).collect();
    for (row, line) in triangle.iter().enumerate() {
        let cells = line
            .split(' ')
            .next_back()
            .filter(|_| row > 0)
            .unwrap_or_default();
        assert_eq!(cells.chars().count(), 2 * row, "{line}");
    }
}

#[test]
fn the_json_is_one_object_and_the_same_on_any_number_of_threads() {
    let folder = folder();
    evolve(folder.path(), "30");
    let words = [
        "health",
        "nim-2x2-1",
        "--games=6",
        "--seed=3",
        "--against",
        "oracle",
        "--json",
    ];
    let (one, said, code) = run(folder.path(), &[&words[..], &["--threads=1"]].concat());
    assert_eq!(code, 0, "{said}");
    let (two, _, _) = run(folder.path(), &[&words[..], &["--threads=2"]].concat());
    assert_eq!(one, two);
    let report: serde_json::Value = serde_json::from_str(&one).expect("it is JSON");
    let champions = report["champions"].as_array().expect("there are champions");
    assert_eq!(
        (champions.len(), &report["games"], &report["seed"]),
        (16, &6.into(), &3.into())
    );
    let sum = |key: &str| {
        champions
            .iter()
            .filter_map(|one| one[key].as_f64())
            .sum::<f64>()
    };
    assert!(
        (sum("alpha_rank") - 1.0).abs() < 1e-9 && (sum("nash_weight") - 1.0).abs() < 1e-9,
        "{report}"
    );
    assert_eq!(report["outside"], serde_json::json!(["oracle"]));
    assert_eq!(
        report["against_ancestors"][15].as_array().map(Vec::len),
        Some(15)
    );
    assert!(
        report["evidence"]
            .as_array()
            .is_some_and(|all| all.len() == 5),
        "{report}"
    );
}

#[test]
fn a_run_that_cannot_be_judged_says_why() {
    let folder = folder();
    evolve(folder.path(), "5");
    let (out, said, code) = run(folder.path(), &["health", "nim-2x2-1", "--games=4"]);
    assert_eq!(code, 0, "{said}");
    assert!(out.contains("verdict: can't tell"), "{out}");
    assert!(
        out.contains("At least 12 champions must have played each other; there are 5."),
        "{out}"
    );
    for (words, code, expected) in [
        (&["nim-2x2-9"][..], 2, "nim-2x2-9: there is no such run"),
        (&[], 2, "<RUN>"),
        (&["nim-2x2-1", "--games=0"], 2, "from 1 to 1000"),
        (&["nim-2x2-1", "--champions=2"], 2, "2 is not from 3 to 32"),
        (
            &["nim-2x2-1", "--against", "nobody"],
            2,
            "nobody: there is no reference player",
        ),
        (&["nim-2x2-1", "--seed=x"], 2, "write a whole number"),
    ] {
        let (out, said, ended) = run(folder.path(), &[&["health"], words].concat());
        assert_eq!((out.as_str(), ended), ("", code), "{words:?} said {said}");
        assert!(said.contains(expected), "{words:?} said {said}");
    }
}

#[test]
fn two_champions_are_too_few() {
    let folder = folder();
    evolve(folder.path(), "2");
    let (out, said, code) = run(folder.path(), &["health", "nim-2x2-1"]);
    assert_eq!((out.as_str(), code), ("", 1), "{said}");
    assert!(
        said.contains("nim-2x2-1: has 2 of at least 3 saved champions"),
        "{said}"
    );
}
