//! Combinations of selection, crossover, mutation and replacement that no publication used: each runs, or is refused with a reason.

use finches::evolution::crossover::CrossoverConfig;
use finches::evolution::mutation::MutationConfig;
use finches::evolution::replacement::ReplacementConfig;
use finches::evolution::selection::SelectionConfig;
use finches::genomes::GenomeConfig;
use finches::preset::Preset;

use crate::support::{advance, preset, session};

/// A quick game for a genome.
fn small(genome: &str) -> Preset {
    let mut preset = preset(if genome == "table" {
        "hynek-11"
    } else {
        "nim-2x2"
    });
    for (key, value) in [
        ("genome", genome),
        ("evolution.population", "16"),
        ("evolution.space", "torus(width: 4)"),
        ("evolution.pairing", "round_robin"),
        ("measures.every", "5"),
        ("measures.tournament_games", "0"),
    ] {
        preset.change(key, value).expect("it is a parameter");
    }
    preset
}

/// The preset with these operators.
fn with_operators(preset: &Preset, operators: [&str; 4]) -> Preset {
    let mut preset = preset.clone();
    let parts = ["selection", "crossover", "mutation", "replacement"];
    for (part, operator) in parts.into_iter().zip(operators) {
        let key = format!("evolution.{part}");
        preset.change(&key, operator).expect("it is registered");
    }
    if preset.param("evolution.replacement.elites").is_some() {
        preset.change("elites", "4").expect("it is a parameter");
    }
    if operators[3] == "podium" {
        // It has a fixed number of places, which do not fill a torus.
        for (key, value) in [("population", "15"), ("evolution.space", "panmictic")] {
            preset.change(key, value).expect("it is a parameter");
        }
    }
    preset
}

/// Runs two generations; the problems if the combination is refused.
fn check(preset: &Preset) -> Vec<String> {
    let problems = preset.problems();
    if problems.is_empty() {
        let mut session = session(preset, 3, 1);
        assert_eq!(advance(&mut session, 2).len(), 2);
    }
    problems.iter().map(ToString::to_string).collect()
}

#[test]
fn every_combination_runs_or_is_refused_with_a_reason() {
    for genome in GenomeConfig::NAMES {
        let preset = small(genome);
        let (mut run, mut refused) = (0, 0);
        for replacement in ReplacementConfig::NAMES {
            for selection in SelectionConfig::NAMES {
                for crossover in CrossoverConfig::NAMES {
                    for mutation in MutationConfig::NAMES {
                        if *mutation == "backpropagation" {
                            continue;
                        }
                        let operators = [*selection, *crossover, *mutation, *replacement];
                        let problems = check(&with_operators(&preset, operators));
                        run += usize::from(problems.is_empty());
                        refused += usize::from(!problems.is_empty());
                        let is_clear = |problem: &String| problem.contains("replacement `");
                        assert!(problems.iter().all(is_clear), "{operators:?}: {problems:?}");
                    }
                }
            }
        }
        assert!(run > refused, "{genome}: {run} run, {refused} are refused");
    }
}

fn check_refused(operators: [&str; 4], expected: &str) {
    let problems = check(&with_operators(&small("graph"), operators));
    assert!(
        problems.iter().any(|problem| problem.contains(expected)),
        "{operators:?}: {problems:?}"
    );
}

#[test]
fn operators_that_do_not_fit_together_are_refused() {
    check_refused(
        ["tournament", "mate", "plain", "podium"],
        "evolution.selection: is `tournament`, but replacement `podium` with this crossover selects no parents",
    );
    check_refused(
        ["none", "mate", "plain", "generational"],
        "evolution.selection: must not be `none`, because replacement `generational` needs selected parents",
    );
    check_refused(
        ["tournament", "headless_chicken", "plain", "comma"],
        "evolution.crossover: challenges survivors, but replacement `comma` keeps none",
    );
    check_refused(
        [
            "proportional(best_share: 0.1)",
            "mate",
            "plain",
            "neighborhood",
        ],
        "evolution.selection.best_share: must be above an equal share (1 / 6), is 0.1",
    );
}
