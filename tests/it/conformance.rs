//! Conformance tests of every registered evolution scheme and parameter. Genomes have theirs in
//! their own file. Games and agents have their own conformance tests in the library, because their
//! types are private.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use finches::agents::AgentConfig;
use finches::contest::{GameResult, Pairing, Seat};
use finches::evolution::archive::{Archive, Champion};
use finches::evolution::breeding::ParentPool;
use finches::evolution::crossover::CrossoverConfig;
use finches::evolution::fitness::FitnessConfig;
use finches::evolution::hall_of_fame::HallOfFameConfig;
use finches::evolution::memory::Memory;
use finches::evolution::mutation::MutationConfig;
use finches::evolution::pairing::{PairingConfig, PlayedRounds};
use finches::evolution::phylogeny::Phylogeny;
use finches::evolution::replacement::ReplacementConfig;
use finches::evolution::restart::RestartConfig;
use finches::evolution::selection::SelectionConfig;
use finches::evolution::space::SpaceConfig;
use finches::evolution::{
    EvolutionConfig, Population, champion_index, fitness_of, is_additive, next_round, remember,
    with_offspring_plan,
};
use finches::games::GameConfig;
use finches::genomes::replay::ReplayBuffer;
use finches::genomes::{AnyGenome, GenomeConfig};
use finches::params::{Param, ParamError, ParamKind, Params};
use finches::preset::Preset;
use finches::rng::{Purpose, stream};

use crate::genomes::{grown, io_spec};

/// Every registered pairing and fitness once, with default parameters if the population size allows
/// it. Schemes that need neighborhoods come in every space that the population fills.
fn evolutions(population: u32) -> Vec<EvolutionConfig> {
    let whole = EvolutionConfig {
        population,
        ..EvolutionConfig::default()
    };
    let pairings = PairingConfig::all();
    let pairings = pairings.into_iter().map(|pairing| EvolutionConfig {
        pairing,
        ..whole.clone()
    });
    let mut fitness = FitnessConfig::all();
    for scheme in fitness.iter_mut().filter(|scheme| scheme.needs_grades()) {
        scheme.set("supervised", "true").expect("it is a parameter");
    }
    let round_robin = PairingConfig::named("round_robin").expect("it is registered");
    let fitness = fitness.into_iter().map(|fitness| EvolutionConfig {
        pairing: if fitness.needs_common_opponents() {
            round_robin.clone()
        } else {
            whole.pairing.clone()
        },
        fitness,
        ..whole.clone()
    });
    let schemes = pairings.chain(fitness);
    schemes.flat_map(|scheme| placements(&scheme)).collect()
}

/// Every combination of selection, crossover, mutation and replacement that fits together.
fn operators(population: u32) -> Vec<EvolutionConfig> {
    let whole = EvolutionConfig {
        population,
        ..EvolutionConfig::default()
    };
    let mut all = Vec::new();
    for replacement in ReplacementConfig::all() {
        for selection in SelectionConfig::all() {
            for crossover in CrossoverConfig::all() {
                for mutation in MutationConfig::all() {
                    all.push(EvolutionConfig {
                        replacement: replacement.clone(),
                        selection: selection.clone(),
                        crossover: crossover.clone(),
                        mutation,
                        ..whole.clone()
                    });
                }
            }
        }
    }
    all.retain(|scheme| !scheme.problems().iter().any(is_misfit));
    all.iter().flat_map(placements).collect()
}

/// Whether a problem says that operators do not fit together.
fn is_misfit(problem: &ParamError) -> bool {
    ["selection", "crossover"].contains(&problem.path.as_str())
}

/// The panmictic scheme if that is valid, otherwise the scheme in every space that the population
/// fills.
fn placements(scheme: &EvolutionConfig) -> Vec<EvolutionConfig> {
    let missing_space = |problem: &ParamError| problem.message.contains("neighborhoods");
    let misses_members = |problem: &ParamError| {
        let needs = ["needs a population of", "needs an even population"];
        needs.iter().any(|need| problem.message.contains(need))
    };
    if scheme.problems().iter().any(misses_members) {
        return Vec::new();
    }
    let mut scheme = scheme.clone();
    if scheme.problems().iter().any(lacks_hall_of_fame) {
        scheme.hall_of_fame = hall();
    }
    if !scheme.problems().iter().any(missing_space) {
        return vec![scheme];
    }
    let spaces = SpaceConfig::all().into_iter();
    let placed = spaces.map(|space| EvolutionConfig {
        space,
        ..scheme.clone()
    });
    let misplaced =
        |problem: &ParamError| problem.path.starts_with("space") || missing_space(problem);
    placed
        .filter(|placed| !placed.problems().iter().any(misplaced))
        .collect()
}

/// A small hall of fame.
fn hall() -> HallOfFameConfig {
    let mut hall_of_fame = HallOfFameConfig::named("hall").expect("it is registered");
    hall_of_fame.set("size", "6").expect("it is allowed");
    hall_of_fame
}

fn lacks_hall_of_fame(problem: &ParamError) -> bool {
    problem.message.contains("hall of fame")
}

#[test]
fn every_scheme_is_tried() {
    // The podium needs a population of 15.
    let evolutions = [evolutions(100), operators(40), operators(15)].concat();
    let names = |name: fn(&EvolutionConfig) -> &'static str| -> HashSet<&str> {
        evolutions.iter().map(name).collect()
    };
    let tried = [
        (names(|one| one.pairing.name()), PairingConfig::NAMES),
        (names(|one| one.fitness.name()), FitnessConfig::NAMES),
        (names(|one| one.selection.name()), SelectionConfig::NAMES),
        (names(|one| one.crossover.name()), CrossoverConfig::NAMES),
        (names(|one| one.mutation.name()), MutationConfig::NAMES),
        (
            names(|one| one.replacement.name()),
            ReplacementConfig::NAMES,
        ),
    ];
    for (tried, registered) in tried {
        assert_eq!(tried, registered.iter().copied().collect());
    }
}

#[test]
fn neighbors_are_mutual_and_every_member_has_as_many() {
    for space in SpaceConfig::all() {
        let config = EvolutionConfig {
            space,
            ..EvolutionConfig::default()
        };
        for generation in 0..3 {
            let neighborhoods = config.neighborhoods(generation);
            assert_eq!(neighborhoods.is_empty(), config.layout().is_none());
            for (member, neighbors) in neighborhoods.iter().enumerate() {
                assert_eq!(neighbors.len(), neighborhoods[0].len());
                let distinct: HashSet<&u32> = neighbors.iter().collect();
                assert_eq!(distinct.len(), neighbors.len(), "{neighbors:?}");
                for &neighbor in neighbors {
                    assert_ne!(neighbor as usize, member);
                    assert!(neighborhoods[neighbor as usize].contains(&(member as u32)));
                }
            }
        }
    }
}

/// A population with a few archived champions.
fn population(size: u32) -> Population {
    population_of(&GenomeConfig::all()[0], size)
}

fn population_of(genome: &GenomeConfig, size: u32) -> Population {
    let config = EvolutionConfig {
        population: size,
        hall_of_fame: hall(),
        ..EvolutionConfig::default()
    };
    let mut population = Population::random(&config, genome, io_spec(genome), 1);
    for generation in 0..5 {
        population.archive.add(Champion {
            generation,
            fitness: 1.0,
            genome: grown(genome, generation, 10),
        });
    }
    population
}

/// Made-up results of every kind.
fn results(pairings: &[Pairing]) -> Vec<GameResult> {
    let result = |index: usize| GameResult {
        result: (index * 7 % 3) as i8 - 1,
        plies: 4,
        points: [index as u16 % 5, 2],
    };
    (0..pairings.len()).map(result).collect()
}

/// The games of all rounds of a generation, in which each result is that of `play`.
fn games(
    population: &Population,
    config: &EvolutionConfig,
    [seed, generation]: [u64; 2],
    play: impl Fn(&[Pairing]) -> Vec<GameResult>,
) -> (Vec<Pairing>, Vec<GameResult>) {
    let neighborhoods = config.neighborhoods(generation);
    let context = population.pairing_context(population.members.len(), &neighborhoods);
    let (mut pairings, mut results, mut rounds) = (Vec::new(), Vec::new(), 0);
    loop {
        let played = PlayedRounds {
            rounds,
            pairings: &pairings,
            results: &results,
        };
        let Some(next) = next_round(config, &context, &played, seed, generation) else {
            return (pairings, results);
        };
        assert!(!next.is_empty(), "{config:?}: round {rounds}");
        pairings.extend(next);
        results = play(&pairings);
        rounds += 1;
        assert!(rounds < 100, "{config:?}: the rounds end");
    }
}

/// The games of a generation with made-up results.
fn pairings(
    population: &Population,
    config: &EvolutionConfig,
    seed: u64,
    generation: u64,
) -> Vec<Pairing> {
    games(population, config, [seed, generation], results).0
}

#[test]
fn pairings_contain_only_existing_players_and_all_members_equally_often() {
    for size in [2, 7, 100] {
        let population = population(size);
        for config in evolutions(size) {
            for generation in 0..3 {
                let pairings = pairings(&population, &config, 1, generation);
                let references = config.references().len();
                assert!(!pairings.is_empty(), "{config:?}");
                let again = games(&population, &config, [1, generation], results);
                assert_eq!(pairings, again.0);
                if generation == 0 {
                    assert_eq!(config.games(), Some(pairings.len() as u64), "{config:?}");
                }
                let mut games: HashMap<u32, usize> = HashMap::new();
                for seat in pairings
                    .iter()
                    .flat_map(|game| [game.first(), game.second()])
                {
                    match seat {
                        Seat::Member(index) => *games.entry(index).or_default() += 1,
                        Seat::HallOfFame(index) => {
                            assert!((index as usize) < population.hall_of_fame.len());
                        }
                        Seat::Reference(index) => assert!((index as usize) < references),
                    }
                }
                let counts: Vec<Option<&usize>> =
                    (0..size).map(|member| games.get(&member)).collect();
                if is_uneven(&config.pairing, size) {
                    continue;
                }
                assert_eq!(games.len(), size as usize, "only members play");
                assert!(
                    counts.iter().all(|&count| count == counts[0]),
                    "{config:?}: {counts:?}"
                );
            }
        }
    }
}

fn leaves_opponents_to_chance(pairing: &PairingConfig) -> bool {
    matches!(
        pairing,
        PairingConfig::Antigens(_) | PairingConfig::RandomOpponents(_)
    )
}

/// Whether members play different numbers of games: opponents are drawn, a beaten member is out, or
/// an odd one has no opponent.
fn is_uneven(pairing: &PairingConfig, size: u32) -> bool {
    leaves_opponents_to_chance(pairing)
        || matches!(pairing, PairingConfig::Knockout(_))
        || matches!(pairing, PairingConfig::Swiss(_)) && size % 2 == 1
}

#[test]
fn another_seed_or_generation_gives_other_pairings() {
    let population = population(100);
    for pairing in PairingConfig::all() {
        let mut config = EvolutionConfig {
            pairing,
            ..EvolutionConfig::default()
        };
        // Schedules against all neighbors, the whole hall of fame, all members, a reference player
        // or parents are not random. With few opponents, the choice of opponents is random.
        if let PairingConfig::Reference(_)
        | PairingConfig::RoundRobin(_)
        | PairingConfig::ParentChild(_) = config.pairing
        {
            assert_eq!(
                pairings(&population, &config, 1, 0),
                pairings(&population, &config, 2, 1)
            );
            continue;
        }
        if !is_uneven(&config.pairing, 99) && config.set("pairing.opponents", "5").is_err() {
            let bound = |problem: &ParamError| {
                lacks_hall_of_fame(problem) || problem.message.contains("neighborhoods")
            };
            let problems = config.problems();
            assert!(
                problems.iter().any(bound),
                "{config:?} can't have 5 opponents, but its problems are {problems:?}"
            );
            continue;
        }
        let first = pairings(&population, &config, 1, 0);
        assert_ne!(first, pairings(&population, &config, 2, 0));
        assert_ne!(first, pairings(&population, &config, 1, 1));
    }
}

#[test]
fn fitness_is_never_negative_and_winning_is_worth_more_than_losing() {
    let population = population(40);
    for config in evolutions(40) {
        let (pairings, played) = games(&population, &config, [1, 0], results);
        let fitness = fitness_of(&config, &pairings, &played, 40);
        assert_eq!(fitness.len(), 40);
        assert!(
            fitness
                .iter()
                .all(|&worth| worth >= 0.0 && worth.is_finite()),
            "{config:?}: {fitness:?}"
        );
        // A grade is of the moves of a game, whoever wins it, and a fraction.
        let is_graded = config.fitness.needs_grades();
        if is_additive(&config) && !is_graded {
            let (here, there) = (pairings.len() / 3, played.len() / 3);
            let one = fitness_of(&config, &pairings[..here], &played[..there], 40);
            let other = fitness_of(&config, &pairings[here..], &played[there..], 40);
            let sums: Vec<f64> = one
                .iter()
                .zip(other)
                .map(|(one, other)| one + other)
                .collect();
            assert_eq!(
                sums, fitness,
                "{config:?}: halves and whole numbers add up exactly"
            );
        }
        if is_graded {
            continue;
        }
        let wins = |game: &Pairing| GameResult {
            result: i8::from(game.first() == Seat::Member(3))
                - i8::from(game.second() == Seat::Member(3)),
            plies: 4,
            points: [1, 1],
        };
        let member_three_wins = |pairings: &[Pairing]| pairings.iter().map(wins).collect();
        let (pairings, played) = games(&population, &config, [1, 0], member_three_wins);
        let fitness = fitness_of(&config, &pairings, &played, 40);
        assert_eq!(champion_index(&fitness), 3, "{config:?}: {fitness:?}");
    }
}

/// The next generation, made in the given order of indices. Checks that copies equal their parents.
fn next_generation(
    config: &EvolutionConfig,
    parents: &ParentPool<'_>,
    order: &[usize],
) -> Vec<AnyGenome> {
    let mut offspring = vec![None; order.len()];
    let memory = remember(config, parents, 1, 0);
    let parents = &ParentPool {
        memory: &memory,
        ..*parents
    };
    with_offspring_plan(config, parents, 1, 0, |plan| {
        for &index in order {
            let mut rng = stream(1, Purpose::Reproduction, 0, index as u64);
            let made = plan.offspring(index, &mut rng);
            if let Some(parent) = made.copy_of {
                assert_eq!(made.genome, parents.members[parent], "{config:?}");
            }
            offspring[index] = Some(made.genome);
        }
    });
    let offspring = offspring.into_iter();
    offspring
        .map(|made| made.expect("each index occurs once"))
        .collect()
}

#[test]
fn offspring_depend_on_their_index_alone_and_are_valid() {
    for genome in GenomeConfig::all() {
        check_offspring(&genome, 40, |config| !config.has_lineages());
        // The podium needs a population of this size.
        check_offspring(&genome, 15, EvolutionConfig::has_lineages);
    }
}

#[test]
fn members_of_equal_fitness_are_ordered_by_age_or_by_lot() {
    let genome = &GenomeConfig::all()[0];
    let population = population_of(genome, 15);
    let survivors = |ties: &str, fitness: &[f64], generation: u64| -> Vec<usize> {
        let all = operators(15).into_iter();
        let mut config = all
            .into_iter()
            .find(|one| one.replacement.name() == "podium");
        let config = config.as_mut().expect("it fits together");
        config.set("replacement.ties", ties).expect("it is a value");
        config.set("mutation", "plain").expect("it is registered");
        let parents = ParentPool {
            replay: None,
            features: &[],
            phylogeny: &Phylogeny::default(),
            training_sets: &[],
            memory: &Memory::default(),
            members: &population.members,
            fitness,
            archive: &population.archive,
            restart: None,
            genome,
            neighborhoods: &[],
            io_spec: io_spec(genome),
        };
        let survivors = with_offspring_plan(config, &parents, 1, generation, |plan| {
            let mut rng = stream(1, Purpose::Reproduction, generation, 0);
            let stays = |place| plan.offspring(place, &mut rng).copy_of;
            (0..5).filter_map(stays).collect::<Vec<usize>>()
        });
        let breeding = config.breeding(&parents, 1, generation);
        assert_eq!(config.replacement.champion(&breeding), survivors[0]);
        survivors
    };
    let equal = [0.0; 15];
    assert_eq!(survivors("survivors_first", &equal, 0), [0, 1, 2, 3, 4]);
    assert_eq!(survivors("offspring_first", &equal, 0), [5, 6, 7, 8, 9]);
    let drawn = (0..100).flat_map(|generation| survivors("drawn", &equal, generation));
    assert_eq!(drawn.collect::<HashSet<_>>().len(), 15);
    let mut fitness = equal;
    fitness[3] = 1.0;
    for ties in ["survivors_first", "offspring_first", "drawn"] {
        assert_eq!(survivors(ties, &fitness, 1)[0], 3, "{ties}");
    }
}

fn check_offspring(genome: &GenomeConfig, size: u32, is_tried: impl Fn(&EvolutionConfig) -> bool) {
    let population = population_of(genome, size);
    let empty = Archive::default();
    let upward: Vec<f64> = (0..size).map(f64::from).collect();
    let mut buffer = ReplayBuffer::default();
    buffer.push(&vec![1.0; io_spec(genome).inputs.count]);
    let buffer = Arc::new(buffer);
    // A preset that needs genomes of numbers is refused where they have none.
    let fits = |config: &EvolutionConfig| {
        config.replacement.traits().most_numbers.is_none()
            || genome.capabilities().numbers.is_some()
    };
    let tried = operators(size).into_iter().filter(is_tried).filter(fits);
    for config in tried {
        for (archive, fitness) in [
            (&population.archive, upward.clone()),
            (&empty, vec![0.0; size as usize]),
        ] {
            let parents = ParentPool {
                replay: Some(&|_, _| Arc::clone(&buffer)),
                features: &[],
                phylogeny: &Phylogeny::default(),
                training_sets: &[],
                memory: &Memory::default(),
                members: &population.members,
                fitness: &fitness,
                archive,
                restart: None,
                genome,
                neighborhoods: &config.neighborhoods(0),
                io_spec: io_spec(genome),
            };
            check_next_generation(&config, &parents);
        }
    }
}

fn check_next_generation(config: &EvolutionConfig, parents: &ParentPool<'_>) {
    let forward: Vec<usize> = (0..parents.members.len()).collect();
    let backward: Vec<usize> = forward.iter().copied().rev().collect();
    let offspring = next_generation(config, parents, &forward);
    let again = next_generation(config, parents, &backward);
    assert_eq!(offspring, again, "{config:?}");
    for member in &offspring {
        let valid = parents.genome.validate(member, parents.io_spec);
        assert_eq!(valid, Ok(()));
    }
    let is_changed = offspring != parents.members;
    if config.mutation.name() == "plain" {
        assert!(is_changed, "{config:?}: something changes");
    }
    let is_own_line = (config.replacement.name(), config.crossover.name()) == ("each", "none");
    if config.supervision().is_some() && is_own_line {
        assert!(!is_changed, "nothing is learned without a training set");
    }
}

/// The default preset with one part replaced by each registered one.
fn presets_of_all_parts() -> Vec<Preset> {
    let default = Preset::default();
    let mut presets = vec![default.clone()];
    let parts: [(&str, &[&str]); 12] = [
        ("game", GameConfig::NAMES),
        ("genome", GenomeConfig::NAMES),
        ("agent", AgentConfig::NAMES),
        ("evolution.space", SpaceConfig::NAMES),
        ("evolution.hall_of_fame", HallOfFameConfig::NAMES),
        ("evolution.pairing", PairingConfig::NAMES),
        ("evolution.fitness", FitnessConfig::NAMES),
        ("evolution.selection", SelectionConfig::NAMES),
        ("evolution.crossover", CrossoverConfig::NAMES),
        ("evolution.mutation", MutationConfig::NAMES),
        ("evolution.replacement", ReplacementConfig::NAMES),
        ("evolution.restart", RestartConfig::NAMES),
    ];
    for (part, names) in parts {
        for name in names {
            let mut preset = default.clone();
            preset.change(part, name).expect("it is registered");
            presets.push(preset);
        }
    }
    presets
}

/// Parameters of the preset itself that have no sensible default.
const WITHOUT_DEFAULT: [&str; 5] = ["name", "about", "source", "published", "until"];

fn check_parameter(preset: &Preset, param: &Param) {
    let key = &param.key;
    assert!(
        param.help.ends_with('.'),
        "{key} needs help in a sentence, has `{}`",
        param.help
    );
    assert_eq!(param.problem, None, "{key}");
    assert_eq!(
        param.value, param.default,
        "{key}: the preset is the default one"
    );
    assert!(
        !param.label().is_empty() && !param.group().is_empty(),
        "{key}"
    );
    let mut changed = preset.clone();
    assert_eq!(
        changed.set(key, &param.value),
        Ok(()),
        "{key}={}",
        param.value
    );
    assert_eq!(&changed, preset, "{key} reads back from its own text");
    for value in other_values(param) {
        assert_eq!(changed.set(key, &value), Ok(()), "{key}={value}");
        let set = changed.param(key).expect("it is still there");
        assert_eq!(set.problem, None);
        changed.set(key, &set.value).expect("it is its own text");
        assert_eq!(changed.param(key).as_ref(), Some(&set), "{key}={value}");
    }
    for value in bad_values(param) {
        let before = changed.clone();
        let error = changed.set(key, &value).expect_err("the value is invalid");
        assert_eq!(&error.path, key);
        assert!(error.message.contains(&value), "{error} quotes {value}");
        assert_eq!(changed, before, "a refused value changes nothing");
    }
}

/// Values at both limits.
fn other_values(param: &Param) -> Vec<String> {
    match (&param.kind, param.limits) {
        (ParamKind::Choice(names), _) => names.iter().map(ToString::to_string).collect(),
        (ParamKind::Boolean, _) => vec!["true".to_owned(), "false".to_owned()],
        (ParamKind::OptionalReal, Some((low, high))) => {
            vec!["None".to_owned(), low.to_string(), high.to_string()]
        }
        (ParamKind::IntegerList | ParamKind::RealList, Some((low, high))) => {
            vec![format!("[{low}, {high}]")]
        }
        (_, Some((low, high))) => vec![low.to_string(), high.to_string()],
        _ => Vec::new(),
    }
}

/// Values that are out of range or of the wrong kind.
fn bad_values(param: &Param) -> Vec<String> {
    let beyond = param.limits.map(|(_, high)| (high + 1.0).to_string());
    match param.kind {
        ParamKind::Text => Vec::new(),
        ParamKind::IntegerList => vec!["many".to_owned(), "[-1]".to_owned()],
        ParamKind::RealList | ParamKind::ChoiceList(_) => vec!["many".to_owned(), "[x]".to_owned()],
        ParamKind::TextList => vec!["many".to_owned(), "[1]".to_owned()],
        _ => beyond.into_iter().chain(["many".to_owned()]).collect(),
    }
}

#[test]
fn every_parameter_has_help_and_a_valid_default_and_reads_back_from_its_text() {
    // Most parameters of a preset are those of the others.
    let mut seen = HashSet::new();
    for preset in presets_of_all_parts() {
        let params = preset.params();
        for param in &params {
            if !seen.insert(format!("{param:?}")) {
                continue;
            }
            if WITHOUT_DEFAULT.contains(&param.key.as_str()) {
                assert!(!param.help.is_empty(), "{}", param.key);
            } else {
                check_parameter(&preset, param);
            }
        }
        let mut keys: Vec<&String> = params.iter().map(|param| &param.key).collect();
        keys.sort();
        keys.dedup();
        assert_eq!(keys.len(), params.len(), "no two parameters share a key");
    }
}

#[test]
fn every_number_has_limits_and_every_part_of_a_preset_says_what_it_is() {
    for preset in presets_of_all_parts() {
        let numbers = [
            ParamKind::Integer,
            ParamKind::Real,
            ParamKind::OptionalReal,
            ParamKind::IntegerList,
            ParamKind::RealList,
        ];
        for param in preset.params() {
            let bounded = param.limits.is_some() || !numbers.contains(&param.kind);
            assert!(bounded, "{} has no limits", param.key);
        }
        let evolution = &preset.evolution;
        let abouts = [
            preset.game.about(),
            preset.genome.about(),
            preset.agent.about(),
            evolution.pairing.about(),
            evolution.fitness.about(),
            evolution.selection.about(),
            evolution.crossover.about(),
            evolution.mutation.about(),
            evolution.replacement.about(),
        ];
        for about in abouts {
            assert!(about.ends_with('.'), "`{about}` must be a sentence");
        }
    }
}
