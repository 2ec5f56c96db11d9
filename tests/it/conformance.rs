//! What every registered genome, evolution scheme and setting must keep to. Games and agents, whose types only the library
//! can name, have their own conformance tests beside them.

use std::sync::LazyLock;

use std::collections::{HashMap, HashSet};

use finches::agents::AgentConfig;
use finches::contest::{Pairing, Played, Seat};
use finches::evolution::archive::{Archive, Champion};
use finches::evolution::breed::{BreedingConfig, Stock};
use finches::evolution::fame::FameConfig;
use finches::evolution::fitness::FitnessConfig;
use finches::evolution::pair::PairingConfig;
use finches::evolution::space::SpaceConfig;
use finches::evolution::{EvolutionConfig, Population, champion, is_sum, with_litter, worth};
use finches::games::GameConfig;
use finches::genomes::{AnyGenome, GenomeConfig, Ports, Scratch, Sight};
use finches::params::{Kind, Param, Params, Problem, notation};
use finches::preset::Preset;
use finches::rng::{Purpose, stream};

static PORTS: LazyLock<Ports> = LazyLock::new(|| Ports::new(3, 2));

static NUMBERED: LazyLock<Ports> = LazyLock::new(|| Ports {
    choices: vec![7; 40].into(),
    ..Ports::new(1, 1)
});

/// Ports that a genome can have: numbers of any meaning, or numbered positions where it needs those.
fn ports(config: &GenomeConfig) -> &'static Ports {
    let found = [&*PORTS, &*NUMBERED].into_iter();
    let mut fitting = found.filter(|ports| config.misfits(ports).is_empty());
    fitting.next().expect("a genome has ports that fit")
}

/// A genome after so many rounds of mutation.
fn grown(config: &GenomeConfig, seed: u64, rounds: usize) -> AnyGenome {
    let mut rng = stream(seed, Purpose::Breeding, 0, 0);
    let mut genome = config.random(ports(config), &mut rng);
    for _ in 0..rounds {
        config.mutate(&mut genome, None, &mut rng);
        assert_eq!(config.fault(&genome, ports(config)), None, "{genome:?}");
    }
    genome
}

#[test]
fn genomes_are_sound_from_birth_through_any_number_of_mutations() {
    for config in GenomeConfig::all() {
        let mut changed = 0;
        for seed in 0..20 {
            let (young, old) = (grown(&config, seed, 0), grown(&config, seed, 200));
            assert_eq!(config.fault(&young, ports(&config)), None, "{young:?}");
            let other = Ports {
                choices: vec![7; 41].into(),
                ..Ports::new(PORTS.inputs + 1, PORTS.outputs)
            };
            assert!(
                config.fault(&young, &other).is_some(),
                "it has too few inputs"
            );
            changed += usize::from(young != old);
        }
        assert_eq!(changed, 20, "{}: mutations do something", config.name());
    }
}

#[test]
fn the_same_stream_gives_the_same_genome_and_another_stream_another() {
    for config in GenomeConfig::all() {
        assert_eq!(grown(&config, 1, 50), grown(&config, 1, 50));
        assert_ne!(grown(&config, 1, 0), grown(&config, 2, 0));
    }
}

#[test]
fn a_child_of_two_is_sound_depends_on_its_stream_alone_and_is_like_its_parents_where_they_are_alike()
 {
    for config in GenomeConfig::all() {
        for seed in 0..20 {
            let (one, other) = (grown(&config, seed, 50), grown(&config, seed + 100, 50));
            let cross = |one: &AnyGenome, other: &AnyGenome, index| {
                config.cross(one, other, &mut stream(seed, Purpose::Breeding, 1, index))
            };
            let child = cross(&one, &other, 0);
            assert_eq!(config.fault(&child, ports(&config)), None, "{child:?}");
            assert_eq!(cross(&one, &other, 0), child);
            let mut siblings = (1..10).map(|index| cross(&one, &other, index));
            assert!(siblings.any(|sibling| sibling != child), "chance counts");
            assert_eq!(cross(&one, &one, 0), one);
        }
    }
}

#[test]
fn genomes_of_different_kinds_are_told_apart() {
    for config in GenomeConfig::all() {
        for other in GenomeConfig::all() {
            let fault = config.fault(&grown(&other, 1, 0), ports(&config));
            assert_eq!(fault.is_none(), config.name() == other.name(), "{fault:?}");
        }
    }
}

#[test]
fn a_genome_reads_back_exactly_from_its_text() {
    for config in GenomeConfig::all() {
        for seed in 0..20 {
            let genome = grown(&config, seed, 100);
            let text = notation().to_string(&genome).expect("it can be written");
            let read: AnyGenome = notation().from_str(&text).expect("it was just written");
            assert_eq!(read, genome);
            assert_eq!(
                notation().to_string(&read).as_ref(),
                Ok(&text),
                "bit for bit"
            );
        }
    }
}

#[test]
fn a_brain_gives_the_same_finite_numbers_in_a_batch_as_row_by_row() {
    for config in GenomeConfig::all() {
        for seed in 0..20 {
            let brain = config.grow(&grown(&config, seed, 100), ports(&config));
            let ports = ports(&config);
            let base = &[3.0, -1.0, 0.5][..ports.inputs];
            // Rows with no change, with one, and with several.
            let rows = [
                &[][..],
                &[(0, 9.0)],
                &[(1, 2.0), (2, -4.0)],
                &[],
                &[(2, 1.0), (0, 0.0)],
            ];
            let (mut changes, mut ends) = (Vec::new(), Vec::new());
            for row in rows {
                let there = |change: &&(u32, f32)| (change.0 as usize) < ports.inputs;
                changes.extend(row.iter().filter(there));
                ends.push(changes.len() as u32);
            }
            let batch = Sight {
                base,
                changes: &changes,
                ends: &ends,
            };
            let mut scratch = Scratch::default();
            let (mut all, mut one) = (Vec::new(), Vec::new());
            brain.think(batch, &mut scratch, &mut all);
            assert_eq!(all.len(), ends.len() * ports.outputs);
            assert!(all.iter().all(|output| output.is_finite()), "{all:?}");
            for (row, outputs) in all.chunks(ports.outputs).enumerate() {
                let mut inputs = base.to_vec();
                for &(input, value) in batch.row(row) {
                    inputs[input as usize] = value;
                }
                brain.think(Sight::one(&inputs), &mut scratch, &mut one);
                assert_eq!(outputs, one, "row {row} of seed {seed}");
            }
        }
    }
}

/// Values of a setting to try: every choice, and both limits of a number.
fn values(param: &Param) -> Vec<String> {
    match param.kind {
        Kind::Choice(names) => names.iter().map(ToString::to_string).collect(),
        Kind::Switch => vec!["true".to_owned(), "false".to_owned()],
        _ => param.limits.map_or(Vec::new(), |(low, high)| {
            vec![low.to_string(), high.to_string()]
        }),
    }
}

/// Players outlive the turning of settings, so that what a genome grows into must not depend on them.
#[test]
fn a_brain_depends_on_no_setting_that_can_be_turned() {
    let outputs = |config: &GenomeConfig, genome: &AnyGenome| {
        let inputs = ports(config).inputs;
        let inputs: Vec<f32> = (0..inputs).map(|input| input as f32 + 2.0).collect();
        let mut out = Vec::new();
        let brain = config.grow(genome, ports(config));
        brain.think(Sight::one(&inputs), &mut Scratch::default(), &mut out);
        out
    };
    for config in GenomeConfig::all() {
        let genome = grown(&config, 1, 100);
        let before = outputs(&config, &genome);
        let mut params = Vec::new();
        config.visit("", &mut params);
        for param in params.iter().filter(|param| param.live) {
            for text in values(param) {
                let mut turned = config.clone();
                turned.set(&param.key, &text).expect("it is allowed");
                assert_eq!(outputs(&turned, &genome), before, "{}", param.key);
            }
        }
    }
}

#[test]
fn a_drawing_of_a_genome_has_the_nodes_and_edges_of_its_topology() {
    for config in GenomeConfig::all() {
        for seed in 0..5 {
            let genome = grown(&config, seed, 100);
            let (topology, sketch) = (genome.topology(), config.sketch(&genome));
            assert_eq!(sketch.nodes.len(), topology.nodes());
            assert_eq!(sketch.links.len(), topology.edges);
            let mut layers = vec![0; topology.layers.len()];
            for node in &sketch.nodes {
                layers[node.layer] += 1;
            }
            assert_eq!(layers, topology.layers);
            assert_eq!(layers.first(), Some(&ports(&config).inputs));
            assert_eq!(layers.last(), Some(&ports(&config).outputs));
            let layer = |node: usize| sketch.nodes[node].layer;
            assert!(
                sketch
                    .links
                    .iter()
                    .all(|link| layer(link.from) < layer(link.to))
            );
        }
    }
}

/// Every registered scheme once, in its default setting where the population allows it; those that work on neighborhoods in
/// every space that it fills.
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
    let fitness = FitnessConfig::all();
    let fitness = fitness.into_iter().map(|fitness| EvolutionConfig {
        fitness,
        ..whole.clone()
    });
    let breeding = BreedingConfig::all();
    let breeding = breeding.into_iter().map(|breeding| EvolutionConfig {
        breeding,
        ..whole.clone()
    });
    let schemes = pairings.chain(fitness).chain(breeding);
    schemes.flat_map(|scheme| homes(&scheme)).collect()
}

/// The scheme nowhere if it works there, or else in every space that the population fills.
fn homes(scheme: &EvolutionConfig) -> Vec<EvolutionConfig> {
    let homeless = |problem: &Problem| problem.message.contains("neighborhoods");
    if scheme
        .problems()
        .iter()
        .any(|problem| problem.message.contains("is a plan for"))
    {
        return Vec::new();
    }
    let mut scheme = scheme.clone();
    if scheme.problems().iter().any(is_fameless) {
        scheme.fame = hall();
    }
    if !scheme.problems().iter().any(homeless) {
        return vec![scheme];
    }
    let spaces = SpaceConfig::all().into_iter();
    let placed = spaces.map(|space| EvolutionConfig {
        space,
        ..scheme.clone()
    });
    let misplaced = |problem: &Problem| problem.path.starts_with("space") || homeless(problem);
    placed
        .filter(|placed| !placed.problems().iter().any(misplaced))
        .collect()
}

/// A small hall of fame, where there must be one.
fn hall() -> FameConfig {
    let mut fame = FameConfig::named("hall").expect("it is registered");
    fame.set("size", "6").expect("it is allowed");
    fame
}

fn is_fameless(problem: &Problem) -> bool {
    problem.message.contains("hall of fame")
}

#[test]
fn every_scheme_is_tried() {
    let evolutions = evolutions(100);
    let count =
        PairingConfig::all().len() + FitnessConfig::all().len() + BreedingConfig::all().len();
    assert!(evolutions.len() > count, "some in several spaces");
}

#[test]
fn neighbors_are_mutual_and_everyone_has_as_many() {
    for space in SpaceConfig::all() {
        let config = EvolutionConfig {
            space,
            ..EvolutionConfig::default()
        };
        for generation in 0..3 {
            let homes = config.neighborhoods(generation);
            assert_eq!(homes.is_empty(), config.layout().is_none());
            for (member, neighbors) in homes.iter().enumerate() {
                assert_eq!(neighbors.len(), homes[0].len());
                let distinct: HashSet<&u32> = neighbors.iter().collect();
                assert_eq!(distinct.len(), neighbors.len(), "{neighbors:?}");
                for &neighbor in neighbors {
                    assert_ne!(neighbor as usize, member);
                    assert!(homes[neighbor as usize].contains(&(member as u32)));
                }
            }
        }
    }
}

/// A population with a few champions behind it.
fn population(size: u32) -> (GenomeConfig, Population) {
    let genome = GenomeConfig::all().remove(0);
    let config = EvolutionConfig {
        population: size,
        fame: hall(),
        ..EvolutionConfig::default()
    };
    let mut population = Population::random(&config, &genome, &PORTS, 1);
    for generation in 0..5 {
        population.archive.add(Champion {
            generation,
            fitness: 1.0,
            genome: grown(&genome, generation, 10),
        });
    }
    (genome, population)
}

/// Made-up results of every kind.
fn results(pairings: &[Pairing]) -> Vec<Played> {
    let result = |index: usize| Played {
        result: (index * 7 % 3) as i8 - 1,
        plies: 4,
        points: [index as u16 % 5, 2],
    };
    (0..pairings.len()).map(result).collect()
}

#[test]
fn pairings_seat_only_who_is_there_and_all_members_equally_often() {
    for size in [2, 7, 100] {
        let (_, population) = population(size);
        for config in evolutions(size) {
            for generation in 0..3 {
                let pairings = population.ask(&config, 1, generation);
                let references = config.references().len();
                assert!(!pairings.is_empty(), "{config:?}");
                assert_eq!(pairings, population.ask(&config, 1, generation));
                let mut games: HashMap<u32, usize> = HashMap::new();
                for seat in pairings
                    .iter()
                    .flat_map(|game| [game.first(), game.second()])
                {
                    match seat {
                        Seat::Member(index) => *games.entry(index).or_default() += 1,
                        Seat::Famer(index) => assert!((index as usize) < population.hall.len()),
                        Seat::Reference(index) => assert!((index as usize) < references),
                    }
                }
                let counts: Vec<Option<&usize>> =
                    (0..size).map(|member| games.get(&member)).collect();
                if leaves_opponents_to_chance(&config.pairing) {
                    // Who is drawn more often plays more often.
                    continue;
                }
                assert_eq!(games.len(), size as usize, "nobody from outside plays");
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
        PairingConfig::Antigens(_) | PairingConfig::Drawn(_)
    )
}

#[test]
fn another_seed_or_generation_gives_other_pairings() {
    let (_, population) = population(100);
    for pairing in PairingConfig::all() {
        let mut config = EvolutionConfig {
            pairing,
            ..EvolutionConfig::default()
        };
        // Who meets all neighbors, the whole hall, everyone or a reference player leaves nothing to chance; few rounds, so that
        // which ones they are is left to it.
        if let PairingConfig::Reference(_) | PairingConfig::RoundRobin(_) = config.pairing {
            assert_eq!(population.ask(&config, 1, 0), population.ask(&config, 2, 1));
            continue;
        }
        if !leaves_opponents_to_chance(&config.pairing)
            && config.set("pairing.opponents", "5").is_err()
        {
            let bound = |problem: &Problem| {
                is_fameless(problem) || problem.message.contains("neighborhoods")
            };
            assert!(config.problems().iter().any(bound));
            continue;
        }
        let first = population.ask(&config, 1, 0);
        assert_ne!(first, population.ask(&config, 2, 0));
        assert_ne!(first, population.ask(&config, 1, 1));
    }
}

#[test]
fn fitness_is_never_negative_and_winning_is_worth_more_than_losing() {
    let (_, population) = population(40);
    for config in evolutions(40) {
        let pairings = population.ask(&config, 1, 0);
        let played = results(&pairings);
        let fitness = worth(&config, &pairings, &played, 40);
        assert_eq!(fitness.len(), 40);
        assert!(
            fitness
                .iter()
                .all(|&worth| worth >= 0.0 && worth.is_finite()),
            "{config:?}: {fitness:?}"
        );
        if is_sum(&config) {
            let (here, there) = (pairings.len() / 3, played.len() / 3);
            let one = worth(&config, &pairings[..here], &played[..there], 40);
            let other = worth(&config, &pairings[here..], &played[there..], 40);
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
        let member_three_wins = |game: &Pairing| Played {
            result: i8::from(game.first() == Seat::Member(3))
                - i8::from(game.second() == Seat::Member(3)),
            plies: 4,
            points: [1, 1],
        };
        let played: Vec<Played> = pairings.iter().map(member_three_wins).collect();
        let fitness = worth(&config, &pairings, &played, 40);
        assert_eq!(champion(&fitness), 3, "{config:?}: {fitness:?}");
    }
}

/// The next generation, its members made in the given order of places; those that pass for unchanged copies are.
fn litter(config: &EvolutionConfig, stock: &Stock<'_>, places: &[usize]) -> Vec<AnyGenome> {
    let mut children = vec![None; places.len()];
    with_litter(config, stock, 1, 0, |litter| {
        for &place in places {
            let mut rng = stream(1, Purpose::Breeding, 0, place as u64);
            let child = litter.child(place, &mut rng);
            if let Some(parent) = child.copy_of {
                assert_eq!(child.genome, stock.members[parent], "{config:?}");
            }
            children[place] = Some(child.genome);
        }
    });
    let children = children.into_iter();
    children
        .map(|child| child.expect("each place is named once"))
        .collect()
}

#[test]
fn children_depend_on_their_place_alone_and_are_sound() {
    check_children(40, |config| !config.has_lineages());
    // The plan of the podium is one for so many.
    check_children(15, EvolutionConfig::has_lineages);
}

fn check_children(size: u32, is_tried: impl Fn(&EvolutionConfig) -> bool) {
    let (genome, population) = population(size);
    let empty = Archive::default();
    let upward: Vec<f64> = (0..size).map(f64::from).collect();
    for config in evolutions(size).into_iter().filter(is_tried) {
        for (archive, fitness) in [
            (&population.archive, upward.clone()),
            (&empty, vec![0.0; size as usize]),
        ] {
            let stock = Stock {
                recall: None,
                lessons: &[],
                members: &population.members,
                fitness: &fitness,
                archive,
                genome: &genome,
                neighborhoods: &config.neighborhoods(0),
                ports: &PORTS,
            };
            let forward: Vec<usize> = (0..size as usize).collect();
            let backward: Vec<usize> = forward.iter().copied().rev().collect();
            let children = litter(&config, &stock, &forward);
            assert_eq!(children, litter(&config, &stock, &backward), "{config:?}");
            for child in &children {
                assert_eq!(genome.fault(child, &PORTS), None);
            }
            let parents = &population.members;
            if config.teaching().is_none() {
                assert!(children != *parents, "{config:?}: something changes");
            } else {
                assert_eq!(children, *parents, "nothing is learned without lessons");
            }
        }
    }
}

/// The default preset with one part replaced by each registered one.
fn presets_of_all_parts() -> Vec<Preset> {
    let default = Preset::default();
    let mut presets = vec![default.clone()];
    let parts: [(&str, &[&str]); 8] = [
        ("game", GameConfig::NAMES),
        ("genome", GenomeConfig::NAMES),
        ("agent", AgentConfig::NAMES),
        ("evolution.space", SpaceConfig::NAMES),
        ("evolution.fame", FameConfig::NAMES),
        ("evolution.pairing", PairingConfig::NAMES),
        ("evolution.fitness", FitnessConfig::NAMES),
        ("evolution.breeding", BreedingConfig::NAMES),
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

/// Settings of the preset itself that have no sensible default.
const WITHOUT_DEFAULT: [&str; 5] = ["name", "about", "source", "published", "until"];

fn check_setting(preset: &Preset, param: &Param) {
    let key = &param.key;
    assert!(
        param.help.ends_with('.'),
        "{key} needs help in a sentence, has `{}`",
        param.help
    );
    assert_eq!(param.fault, None, "{key}");
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
        assert_eq!(set.fault, None);
        changed.set(key, &set.value).expect("it is its own text");
        assert_eq!(changed.param(key).as_ref(), Some(&set), "{key}={value}");
    }
    for value in bad_values(param) {
        let before = changed.clone();
        let refusal = changed.set(key, &value).expect_err("it is no good");
        assert_eq!(&refusal.path, key);
        assert!(refusal.message.contains(&value), "{refusal} quotes {value}");
        assert_eq!(changed, before, "what is refused changes nothing");
    }
}

/// Values at the ends of what is allowed.
fn other_values(param: &Param) -> Vec<String> {
    match (&param.kind, param.limits) {
        (Kind::Choice(names), _) => names.iter().map(ToString::to_string).collect(),
        (Kind::Switch, _) => vec!["true".to_owned(), "false".to_owned()],
        (Kind::OptionalReal, Some((low, high))) => {
            vec!["None".to_owned(), low.to_string(), high.to_string()]
        }
        (Kind::List | Kind::Reals, Some((low, high))) => vec![format!("[{low}, {high}]")],
        (_, Some((low, high))) => vec![low.to_string(), high.to_string()],
        _ => Vec::new(),
    }
}

/// Values that are out of limits or not of the kind.
fn bad_values(param: &Param) -> Vec<String> {
    let beyond = param.limits.map(|(_, high)| (high + 1.0).to_string());
    match param.kind {
        Kind::Text => Vec::new(),
        Kind::List => vec!["many".to_owned(), "[-1]".to_owned()],
        Kind::Reals => vec!["many".to_owned(), "[x]".to_owned()],
        _ => beyond.into_iter().chain(["many".to_owned()]).collect(),
    }
}

#[test]
fn every_setting_has_help_and_a_lawful_default_and_reads_back_from_its_text() {
    for preset in presets_of_all_parts() {
        let params = preset.params();
        for param in &params {
            if WITHOUT_DEFAULT.contains(&param.key.as_str()) {
                assert!(!param.help.is_empty(), "{}", param.key);
            } else {
                check_setting(&preset, param);
            }
        }
        let mut keys: Vec<&String> = params.iter().map(|param| &param.key).collect();
        keys.sort();
        keys.dedup();
        assert_eq!(keys.len(), params.len(), "no two settings share a key");
    }
}

#[test]
fn every_number_has_limits_and_every_part_of_a_preset_says_what_it_is() {
    for preset in presets_of_all_parts() {
        let numbers = [
            Kind::Integer,
            Kind::Real,
            Kind::OptionalReal,
            Kind::List,
            Kind::Reals,
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
            evolution.breeding.about(),
        ];
        for about in abouts {
            assert!(about.ends_with('.'), "`{about}` is a sentence");
        }
    }
}
