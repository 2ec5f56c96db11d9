//! Combinations of selection, crossover, mutation and replacement that no publication used: each
//! runs, or is refused with a reason. Operators of another crate.

use std::collections::BTreeSet;

use finches::contest::{GameResult, Pairing};
use finches::evolution::breeding::{Breeding, Offspring};
use finches::evolution::crossover::{Crossover, CrossoverConfig, Mate};
use finches::evolution::fitness::{Fitness, FitnessConfig};
use finches::evolution::mutation::{Mutation, MutationConfig, MutationContext};
use finches::evolution::pairing::{PairingConfig, PairingContext, PairingScheme};
use finches::evolution::replacement::{OffspringPlan, Replacement, ReplacementConfig};
use finches::evolution::selection::{Selection, SelectionConfig, Selector};
use finches::evolution::space::{Space, SpaceConfig, SpaceLayout};
use finches::genomes::{AnyGenome, GenomeConfig};
use finches::params::{ParamError, params, to_ron};
use finches::preset::Preset;
use finches::registry::{CustomConfig, CustomPart};
use finches::rng::Stream;
use finches::session::Session;

use crate::support::{advance, preset, preset_with, session};

/// A quick game for a genome.
fn small(genome: &str) -> Preset {
    let mut preset = preset(match genome {
        "table" => "hynek-11",
        "modules" => "weaver-modules",
        "n_tuples" => "reversi-tuples",
        _ => "nim-2x2",
    });
    for (key, value) in [
        ("genome", genome),
        ("evolution.population", "16"),
        ("evolution.space", "torus(width: 4)"),
        ("evolution.pairing", "round_robin"),
        ("measures.every", "5"),
        ("measures.tournament_games", "0"),
        ("measures.held_out_games", "2"),
    ] {
        preset.change(key, value).expect("it is a parameter");
    }
    if genome == "n_tuples" {
        // Games of Reversi are long.
        for (key, value) in [
            ("evolution.pairing", "circular(opponents: 1)"),
            ("genome.length", "1"),
        ] {
            preset.change(key, value).expect("it is a parameter");
        }
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
    if operators[3] == "map_elites" {
        let map = "map_elites(rows: (cells: 3), columns: (cells: 3))";
        (preset.change("evolution.replacement", map)).expect("it is registered");
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
        run_shortly(preset);
    }
    problems.iter().map(ToString::to_string).collect()
}

fn run_shortly(preset: &Preset) {
    let mut session = session(preset, 3, 1);
    assert_eq!(advance(&mut session, 2).len(), 2);
}

#[test]
fn every_combination_runs_or_is_refused_with_a_reason() {
    for (index, genome) in GenomeConfig::NAMES.iter().enumerate() {
        let preset = small(genome);
        let (mut run, mut refused) = (0, 0);
        // Selection sees no genomes: for one kind all of them run, for the others the first that
        // is not refused.
        let mut seen = BTreeSet::new();
        for replacement in ReplacementConfig::NAMES {
            let config = ReplacementConfig::named(replacement).expect("it is registered");
            let selects_none = config.traits().most_numbers.is_some();
            for selection in SelectionConfig::NAMES {
                // Of those that compute with numbers, all other combinations are refused.
                if selects_none && *selection != "none" {
                    continue;
                }
                for crossover in CrossoverConfig::NAMES {
                    for mutation in MutationConfig::NAMES {
                        let is_gradual = *mutation == "safe_gradient";
                        let gradients = preset.genome.capabilities().gradients;
                        let is_misfit = is_gradual && gradients.is_none();
                        if *mutation == "backpropagation" || is_misfit {
                            continue;
                        }
                        let operators = [*selection, *crossover, *mutation, *replacement];
                        let preset = with_operators(&preset, operators);
                        let problems = preset.problems();
                        let is_first = seen.insert(operators[1..].to_vec());
                        if problems.is_empty() && (is_first || index == 0) {
                            run_shortly(&preset);
                        } else if is_first {
                            seen.remove(&operators[1..]);
                        }
                        let problems: Vec<String> =
                            problems.iter().map(ToString::to_string).collect();
                        run += usize::from(problems.is_empty());
                        refused += usize::from(!problems.is_empty());
                        let is_clear = |problem: &String| {
                            problem.contains("replacement `") || problem.contains("genome `")
                        };
                        assert!(problems.iter().all(is_clear), "{operators:?}: {problems:?}");
                    }
                }
            }
        }
        assert!(run > refused, "{genome}: {run} run, {refused} are refused");
    }
}

#[test]
fn a_matrix_that_is_too_large_is_refused_and_its_diagonal_is_not() {
    let mut large = preset("nim-2x4-cma");
    let mut check = |hidden: &str, expected: &[&str]| {
        large.change("hidden", hidden).expect("it is allowed");
        let problems: Vec<String> = large.problems().iter().map(ToString::to_string).collect();
        assert_eq!(problems, expected);
    };
    check("[749]", &[]);
    check(
        "[750]",
        &[
            "evolution.replacement: allows 3000 numbers per genome, but there are 3001, whose \
            covariance would take about 0.72 GB of memory; try covariance: diagonal",
        ],
    );
    large
        .change("covariance", "diagonal")
        .expect("it is a parameter");
    assert_eq!(large.problems(), []);
}

#[test]
fn a_kept_mean_is_the_last_member_and_the_champion() {
    for name in ["nim-2x4-cma", "nim-2x4-natural-es", "nim-2x4-openai-es"] {
        let settings = ["population=21", "opponents=8", "keep_mean=true"];
        let mut session = session(&preset_with(name, &settings), 1, 2);
        for generation in 0..5 {
            advance(&mut session, 1);
            let snapshot = session.snapshot();
            let champion = session.state().champion.as_ref();
            let champion = champion.expect("a generation is done");
            let mean = &snapshot.members[20];
            assert_eq!(champion.genome == *mean, generation > 0, "{name}");
            let fitness = snapshot.fitness[champion_place(&session)];
            assert_eq!(champion.fitness.to_bits(), fitness.to_bits());
            // Draws lie on both sides of the mean.
            let genes = session.preset().genome.capabilities().numbers;
            let genes = genes.expect("these genomes are numbers");
            let numbers = |genome: &AnyGenome| genes.numbers(genome)[0];
            let draws = snapshot.members[..20].iter().map(numbers);
            let above = draws.filter(|&number| number > numbers(mean)).count();
            assert!(
                generation == 0 || (1..20).contains(&above),
                "{name}: {above}"
            );
        }
    }
    let mut odd = preset("nim-2x4-openai-es");
    odd.change("keep_mean", "true").expect("it is a parameter");
    let problems: Vec<String> = odd.problems().iter().map(ToString::to_string).collect();
    let expected = "evolution.replacement: needs an odd population, for pairs, but it is 100";
    assert_eq!(problems, [expected]);
}

#[test]
fn longer_tuples_begin_to_vary_when_their_turn_has_come() {
    let small = [
        "population=11",
        "opponents=2",
        "hall_opponents=2",
        "shortest=2",
    ];
    for replacement in ["natural_es", "openai_es"] {
        let mut preset = preset_with("reversi-tuples-4", &small);
        for (key, value) in [
            ("evolution.replacement", replacement),
            ("keep_mean", "true"),
            ("refine_every", "2"),
        ] {
            preset.change(key, value).expect("it is a parameter");
        }
        let mut session = session(&preset, 1, 2);
        for generation in 0..6_u64 {
            advance(&mut session, 1);
            let genes = session.preset().genome.capabilities().numbers;
            let genes = genes.expect("tables are numbers");
            // The last member is the mean.
            for member in &session.snapshot().members[..10] {
                let steps = genes.refinement(member).into_iter().map(u64::from);
                for (step, number) in steps.zip(genes.numbers(member)) {
                    let varies = generation > 0 && 2 * step <= generation;
                    assert_eq!(step == 0 || varies, number != 0.0, "{generation}: {step}");
                }
            }
        }
    }
    let mut plain = preset("reversi-tuples-4");
    plain.change("shortest", "0").expect("it is a parameter");
    let problems: Vec<String> = plain.problems().iter().map(ToString::to_string).collect();
    let expected = "evolution.replacement.refine_every: has no use, because all numbers of genome \
        `n_tuples` vary from the beginning; try n_tuples(shortest: 2, length: 4)";
    assert_eq!(problems, [expected]);
}

/// Tables that learn from a few games, and settings of how they vary then.
fn learned_tables(settings: [&str; 2]) -> Preset {
    let small = [
        "population=11",
        "opponents=2",
        "hall_opponents=2",
        "length=4",
        "tuples=[]",
        "pretraining.games=64",
    ];
    preset_with("reversi-one-ply", &[&small[..], &settings].concat())
}

/// Evolves tables that have learned, with one parameter changed, and checks which of their numbers
/// vary, by their step of the refinement and by what they were at first.
fn check_varying(key: &str, value: &str, varies: impl Fn(u32, f32) -> bool) {
    let preset = learned_tables(["refine_steps=9", &format!("{key}={value}")]);
    let mut session = session(&preset, 1, 2);
    advance(&mut session, 1);
    let genes = preset.genome.capabilities().numbers;
    let genes = genes.expect("tables are numbers");
    let learned = session.snapshot().members[0].clone();
    let steps = genes.refinement(&learned);
    let learned = genes.numbers(&learned);
    let expected = steps.iter().zip(&learned);
    let expected: Vec<bool> = expected.map(|(&step, &it)| varies(step, it)).collect();
    let changes = expected.iter().filter(|varies| **varies).count();
    let is_part = changes < learned.len() * 9 / 10;
    assert!(changes > 100 && is_part == (value != "false"), "{changes}");
    for _ in 0..2 {
        advance(&mut session, 1);
        // The last member is the mean.
        for member in &session.snapshot().members[..10] {
            let numbers = genes.numbers(member);
            let pairs = numbers.iter().zip(&learned);
            let changed = pairs.map(|(own, before)| own.to_bits() != before.to_bits());
            assert!(changed.eq(expected.iter().copied()), "{key}={value}");
        }
    }
    // A mean, a step and a place for each, and nothing of the others.
    let text = to_ron(&session.state().population.memory);
    assert!(text.len() < 60 * changes, "{} for {changes}", text.len());
}

#[test]
fn what_never_varies_does_not_change_what_does() {
    let members = |settings: [&str; 2]| {
        let mut session = session(&learned_tables(settings), 1, 2);
        advance(&mut session, 4);
        session.snapshot().members.clone()
    };
    let never = members(["refine_steps=0", "refine_every=0"]);
    assert!(never == members(["refine_steps=9", "refine_every=1000000"]));
}

#[test]
fn what_never_varies_stays_as_it_was_learned() {
    check_varying("refine_steps", "0", |step, _| step == 0);
    check_varying("sparse", "true", |_, learned| learned != 0.0);
    check_varying("sparse", "false", |_, _| true);
}

/// The index of the champion among the members of the generation that has been played.
fn champion_place(session: &Session) -> usize {
    let champion = session.state().champion.as_ref();
    let genome = &champion.expect("a generation is done").genome;
    let mut members = session.snapshot().members.iter();
    members
        .position(|member| member == genome)
        .expect("the champion is a member")
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
        "evolution.selection: is `tournament`, but replacement `podium` with this crossover \
            selects no parents",
    );
    check_refused(
        ["none", "mate", "plain", "generational"],
        "evolution.selection: must not be `none`, because replacement `generational` needs \
            selected parents",
    );
    check_refused(
        ["tournament", "mate", "safe_gradient", "generational"],
        "evolution.mutation: is `safe_gradient`, but the outputs of genome `graph` have no \
            gradients; try genome: mlp",
    );
    check_refused(
        ["none", "none", "plain", "cma_es"],
        "evolution.replacement: is `cma_es`, but genome `graph` is no list of numbers; try genome: \
            mlp",
    );
    check_refused(
        ["none", "none", "plain", "parent_child"],
        "evolution.replacement: is `parent_child`, but genome `graph` is no list of numbers; try \
            genome: mlp",
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

params! {
    /// Every operator of another crate: each does what a built-in one does.
    struct Delegate {
        /// It changes nothing.
        live share: f64 = 0.25, in 0.0..=1.0;
    }
}

impl CustomPart for Delegate {
    const NAME: &'static str = "delegate";
    const ABOUT: &'static str = "What a built-in operator does.";
}

/// A built-in operator from its text.
macro_rules! built_in {
    ($list:ident, $text:literal) => {{
        let mut operator = $list::all().remove(0);
        let mut problems = Vec::new();
        let text = finches::params::RonSource::file($text);
        finches::params::Params::read(&mut operator, text, &mut problems);
        assert!(problems.is_empty(), "{problems:?}");
        operator
    }};
}

impl Space for Delegate {
    fn neighborhoods(&self, members: usize, generation: u64) -> Vec<Vec<u32>> {
        built_in!(SpaceConfig, "torus(width: 4)").neighborhoods(members, generation)
    }

    fn layout(&self) -> Option<SpaceLayout> {
        built_in!(SpaceConfig, "torus(width: 4)").layout()
    }

    fn problems(&self, _population: usize) -> Vec<ParamError> {
        Vec::new()
    }
}

impl PairingScheme for Delegate {
    fn pairings(&self, field: &PairingContext<'_>, rng: &mut Stream) -> Vec<Pairing> {
        built_in!(PairingConfig, "neighbors").pairings(field, rng)
    }
}

impl Fitness for Delegate {
    fn fitness(&self, pairings: &[Pairing], played: &[GameResult], members: usize) -> Vec<f64> {
        built_in!(FitnessConfig, "wins").fitness(pairings, played, members)
    }
}

impl Selection for Delegate {
    fn selector(&self, fitness: &[f64]) -> Box<dyn Selector> {
        built_in!(SelectionConfig, "truncation(truncation_share: 0.25)").selector(fitness)
    }
}

impl Crossover for Delegate {
    fn mate(&self, rng: &mut Stream) -> Mate {
        built_in!(CrossoverConfig, "mate").mate(rng)
    }
}

impl Mutation for Delegate {
    fn mutate(&self, genome: &mut AnyGenome, context: &MutationContext<'_>, rng: &mut Stream) {
        built_in!(MutationConfig, "plain").mutate(genome, context, rng);
    }
}

impl Replacement for Delegate {
    fn plan<'a>(&'a self, breeding: &'a Breeding<'a>) -> Box<dyn OffspringPlan + 'a> {
        struct AllNew<'a>(&'a Breeding<'a>);
        impl OffspringPlan for AllNew<'_> {
            fn offspring(&self, place: usize, rng: &mut Stream) -> Offspring {
                self.0.offspring(place, &self.0.everyone(), rng)
            }
        }
        Box::new(AllNew(breeding))
    }

    fn problems(&self, _population: usize) -> Vec<ParamError> {
        Vec::new()
    }
}

/// The part in any role.
fn part<T: ?Sized>(erase: fn(&Delegate) -> &T) -> CustomConfig<T> {
    CustomConfig::new(Delegate::default(), erase)
}

#[test]
fn operators_of_another_crate_evolve_as_built_in_ones_do() {
    let mut preset = small("graph");
    for (key, value) in [
        ("evolution.pairing", "neighbors"),
        ("evolution.fitness", "wins"),
        ("evolution.selection", "truncation(truncation_share: 0.25)"),
        ("evolution.crossover", "mate"),
        ("evolution.mutation", "plain"),
        ("evolution.replacement", "generational(elites: 0)"),
    ] {
        preset.change(key, value).expect("it is registered");
    }
    let mut custom = preset.clone();
    let evolution = &mut custom.evolution;
    evolution.space = SpaceConfig::Custom(part(|part| part));
    evolution.pairing = PairingConfig::Custom(part(|part| part));
    evolution.fitness = FitnessConfig::Custom(part(|part| part));
    evolution.selection = SelectionConfig::Custom(part(|part| part));
    evolution.crossover = CrossoverConfig::Custom(part(|part| part));
    evolution.mutation = MutationConfig::Custom(part(|part| part));
    evolution.replacement = ReplacementConfig::Custom(part(|part| part));
    let rows = |preset: &Preset, threads| advance(&mut session(preset, 3, threads), 4);
    assert_eq!(rows(&custom, 1), rows(&preset, 1));
    assert_eq!(rows(&custom, 2), rows(&preset, 1));
    let key = "evolution.selection.share";
    assert!(custom.param(key).is_some_and(|param| param.live));
    custom.change(key, "0.5").expect("it is in range");
    let before = SelectionConfig::Custom(part(|part| part));
    assert_ne!(custom.evolution.selection, before);
    custom.change(key, "2").expect_err("it is out of range");
}
