//! A seed determines the results of a run: for any number of threads, uninterrupted or resumed,
//! replayed or halted.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};

use finches::agents::AgentConfig;
use finches::contest::{GameResult, Pairing, Seat};
use finches::genomes::{Brain, GenomeConfig, InputBatch, Scratch};
use finches::metrics::Row;
use finches::params::{Param, notation};
use finches::play::phenotype::Phenotype;
use finches::play::pool::Slots;
use finches::play::{Schedule, build};
use finches::preset::Preset;
use finches::rng::{Purpose, stream};
use finches::session::{Session, SessionState};

use crate::support::{advance, pool, preset, preset_with, replay, session};

/// Runs of every agent: large and small games, elites, archived champions, random immigrants, a
/// torus, and a hall of fame with challengers.
pub(crate) fn presets() -> Vec<Preset> {
    let few_games = [
        "held_out_games=4",
        "population_games=2",
        "grading_games=40",
        "keep_every=5",
    ];
    let lessons = [
        "population=12",
        "lifetime.games=3",
        "tournament_games=2",
        few_games[0],
    ];
    let small_torus = ["population=24", "width=6"];
    let small_hall = ["population=60", "hall_of_fame.size=30", "elites=5"];
    let mut presets = vec![
        preset_with(
            "reversi-vanilla",
            &[small_torus, [few_games[0], few_games[1]]].concat(),
        ),
        preset_with("reversi-graph", &[&small_torus[..], &few_games].concat()),
        preset_with("hynek-21-chicken", &small_hall),
        preset("simple-nim-1to8-direct"),
        preset("simple-nim-1to8-onehot-shares"),
        preset_with("nim-2x4-value", &["population=60", "opponents=20"]),
        preset_with("simple-nim-1to1000", &["population=40", "opponents=10"]),
        preset_with(
            "weaver-antibody",
            &[&["population=24", "tournament_games=2"], &few_games[..2]].concat(),
        ),
        preset_with(
            "weaver-direct-1",
            &[
                &["population=24", "matches=2", "tournament_games=2"],
                &few_games[..2],
            ]
            .concat(),
        ),
        preset_with(
            "weaver-supervised",
            &[
                &["population=6", "mutation.games=20", "training_sets=3"],
                &few_games[..2],
            ]
            .concat(),
        ),
        preset_with("weaver-lamarck", &lessons),
        preset_with("weaver-baldwin", &lessons),
        preset_with(
            "weaver-modules",
            &[
                "population=24",
                "matches=2",
                "tournament_games=2",
                few_games[0],
            ],
        ),
        preset_with("thien-1ply", &["simulations=8", few_games[0]]),
        preset_with(
            "thien-1ply-restart",
            &[
                "simulations=2",
                "restart.after=1",
                "evolution.mutation=safe_gradient(games: won)",
                "evolution.crossover=safe_mate(rate: 1, games: first)",
                few_games[0],
            ],
        ),
        preset_with("hynek-21-depreciation", &small_hall),
        preset_with(
            "neat-nim-2x4",
            &[
                "population=60",
                "opponents=10",
                "add_node=0.3",
                "add_edge=0.3",
                "interspecies=0.2",
                "stagnation=3",
                "evolution.replacement.target_species=6",
            ],
        ),
        preset_with("reversi-neat", &[&small_torus[..], &few_games].concat()),
        preset_with(
            "blondie",
            &[
                "population=8",
                "elites=4",
                "pairing.games=1",
                "depth=2",
                few_games[0],
            ],
        ),
    ];
    presets.extend(on_two_heaps());
    presets
}

/// Runs of strategies that draw members, of fitness by opponents, and of species, all on two heaps
/// of up to 4.
fn on_two_heaps() -> Vec<Preset> {
    vec![
        preset_with("nim-2x4-cma", &["population=20", "opponents=8"]),
        preset_with(
            "nim-2x4-cma",
            &["population=20", "opponents=8", "covariance=diagonal"],
        ),
        preset_with("nim-2x4-natural-es", &["population=20", "opponents=8"]),
        preset_with("nim-2x4-openai-es", &["population=20", "opponents=8"]),
        preset_with(
            "nim-2x4-openai-es",
            &["population=21", "opponents=8", "keep_mean=true"],
        ),
        preset_with(
            "nim-2x4-sharing",
            &["population=24", "opponents=6", "hall_of_fame.size=12"],
        ),
        preset_with(
            "nim-2x4-pareto",
            &["population=24", "hall_of_fame.size=8", "elites=3"],
        ),
        preset_with("nim-2x4-parent-child", &["population=12"]),
        preset_with("nim-2x4-species", &["population=60", "opponents=10"]),
        preset_with(
            "nim-2x4-species",
            &[
                "population=60",
                "opponents=10",
                "threshold=1",
                "threshold_step=0.3",
            ],
        ),
    ]
}

/// Rows as text, in which every number has its shortest exact form, so that they compare bit by
/// bit.
fn texts(session: &Session, rows: &[Row]) -> Vec<String> {
    let columns = session.columns();
    rows.iter().map(|row| row.json(columns)).collect()
}

#[test]
fn a_run_is_the_same_on_any_number_of_threads() {
    for preset in presets() {
        let run = |threads: usize| {
            let mut session = session(&preset, 7, threads);
            let rows = advance(&mut session, 7);
            (texts(&session, &rows), session.state().clone())
        };
        let one = run(1);
        assert!(one.0.iter().any(|row| row.contains("best_fitness")));
        for threads in [2, 8] {
            assert_eq!(run(threads), one, "{} on {threads} threads", preset.name);
        }
    }
}

#[test]
fn another_seed_is_another_run() {
    let preset = preset("simple-nim-1to8-direct");
    let rows = |seed| {
        let mut session = session(&preset, seed, 1);
        let rows = advance(&mut session, 5);
        texts(&session, &rows)
    };
    assert_ne!(rows(1), rows(2));
}

/// A state written to a file and read back.
fn saved(state: &SessionState) -> SessionState {
    let text = notation().to_string(state).expect("it can be written");
    let read: SessionState = notation().from_str(&text).expect("it was just written");
    assert_eq!(&read, state);
    read
}

#[test]
fn a_run_resumed_is_the_run_uninterrupted() {
    for preset in presets() {
        let mut whole = session(&preset, 3, 2);
        // Where the hall of fame is large, until it is full.
        let half = if preset.name.starts_with("hynek") {
            20
        } else {
            12
        };
        let mut rows = advance(&mut whole, half);
        // A session is nothing but its state: the other half goes on from here.
        let state = saved(whole.state());
        rows.extend(advance(&mut whole, half));
        let rest = Session::resume(preset.clone(), 3, Vec::new(), state, pool(1));
        let mut rest = rest.expect("it fits its preset");
        let resumed = advance(&mut rest, half);
        assert_eq!(
            texts(&rest, &resumed),
            texts(&whole, &rows[half..]),
            "{}",
            preset.name
        );
        assert_eq!(rest.state(), whole.state(), "{}", preset.name);
    }
}

/// The preset with a population that grows by 12 from generation 2 to 4 and by 6 more from 6 on;
/// `None` if its members have places.
fn growing(preset: &Preset) -> Option<Preset> {
    let first = preset.evolution.population;
    let sizes = [(1, first + 12), (3, first), (5, first + 18)];
    let schedule = sizes.map(|(generation, size)| format!("{generation}: population={size}"));
    let mut growing = preset.clone();
    growing.schedule.extend(schedule);
    growing.scheduled().is_ok().then_some(growing)
}

#[test]
fn populations_of_any_size_are_the_same_on_any_number_of_threads_and_after_a_resume() {
    let mut count = 0;
    for preset in presets().iter().filter_map(growing) {
        count += 1;
        let first = preset.evolution.population as usize;
        let mut whole = session(&preset, 3, 1);
        let mut sizes = Vec::new();
        let mut rows = Vec::new();
        let mut states = Vec::new();
        for _ in 0..9 {
            states.push(saved(whole.state()));
            sizes.push(whole.state().population.members.len());
            rows.extend(advance(&mut whole, 1));
        }
        let more = |more: &usize| first + more;
        let expected: Vec<usize> = [0, 0, 12, 12, 0, 0, 18, 18, 18].iter().map(more).collect();
        assert_eq!(sizes, expected, "{}", preset.name);
        // Before and after each change of size, and within.
        let states = states.into_iter().enumerate();
        for (begun, state) in states.filter(|(begun, _)| [0, 1, 3, 5, 6].contains(begun)) {
            let rest = Session::resume(preset.clone(), 3, Vec::new(), state, pool(2));
            let mut rest = rest.unwrap_or_else(|error| panic!("{}: {error}", preset.name));
            let resumed = advance(&mut rest, 9 - begun);
            assert_eq!(
                texts(&rest, &resumed),
                texts(&whole, &rows[begun..]),
                "{} from generation {begun}",
                preset.name
            );
            assert_eq!(rest.state(), whole.state(), "{}", preset.name);
        }
    }
    assert!(count >= 12, "{count} presets can grow");
}

#[test]
fn a_population_whose_members_have_places_keeps_its_size() {
    for (name, reason) in [
        ("reversi-vanilla", "with space `torus`, in which"),
        (
            "nim-2x4-parent-child",
            "with replacement `parent_child`, in which",
        ),
    ] {
        let mut session = session(&preset(name), 1, 1);
        let size = session.preset().evolution.population + 40;
        let error = session.change("population", &size.to_string()).err();
        let error = error.expect("it is refused").to_string();
        assert!(error.contains(reason), "{error}");
    }
}

#[test]
fn a_scheduled_change_that_no_longer_fits_is_left_out_and_the_run_can_be_resumed() {
    let few = ["population=60", "opponents=10"];
    let mut preset = preset_with("nim-2x4-value", &few);
    // The last two fit together, but not with the first.
    let lines = ["3: population=30", "6: population=90", "6: opponents=40"];
    preset.schedule = lines.map(str::to_owned).to_vec();
    let mut whole = session(&preset, 1, 1);
    advance(&mut whole, 2);
    // Each member meets 25 others on either side, more than a population of 30 has.
    let change = whole.change("opponents", "25");
    change.expect("60 members are enough for it");
    advance(&mut whole, 3);
    assert_eq!(whole.state().population.members.len(), 60);
    let (middle, record) = (saved(whole.state()), whole.interventions().to_vec());
    let rows = advance(&mut whole, 3);
    assert_eq!(whole.preset().evolution.population, 90);
    let late = whole.change("opponents", "41");
    late.expect("90 members are enough for it");
    let state = saved(whole.state());
    let later = whole.interventions().to_vec();
    let last = Session::resume(preset.clone(), 1, later, state, pool(1)).expect("it fits");
    assert_eq!(last.preset(), whole.preset());
    assert_eq!(last.state(), whole.state());
    let rest = Session::resume(preset, 1, record, middle, pool(2));
    let mut rest = rest.expect("it fits");
    let resumed = advance(&mut rest, 3);
    assert_eq!(texts(&rest, &resumed), texts(&whole, &rows));
    assert_eq!(rest.state(), whole.state());
}

#[test]
fn a_change_by_hand_follows_one_of_the_schedule_in_the_same_generation() {
    let mut preset = preset_with("nim-2x4-value", &["population=60", "opponents=10"]);
    preset.schedule = vec!["3: population=30".to_owned()];
    let mut whole = session(&preset, 1, 1);
    let mut rows = advance(&mut whole, 3);
    let error = whole.change("opponents", "25").err();
    let error = error.expect("30 members are too few for it").to_string();
    assert!(error.contains("half the population (15)"), "{error}");
    whole.change("population", "50").expect("it fits");
    whole.change("opponents", "25").expect("it fits now");
    rows.extend(advance(&mut whole, 2));
    assert_eq!(whole.state().population.members.len(), 50);
    let record = whole.interventions().to_vec();
    let mut again = replay(&preset, 1, 2, record.clone());
    let repeated = advance(&mut again, 5);
    assert_eq!(texts(&again, &repeated), texts(&whole, &rows));
    let resumed = Session::resume(preset, 1, record, saved(whole.state()), pool(1));
    let resumed = resumed.expect("it fits");
    for other in [&again, &resumed] {
        assert_eq!(other.state(), whole.state());
        assert_eq!(other.preset(), whole.preset());
    }
}

/// Changes each live parameter of the preset once, two at a time.
fn changed(preset: &Preset, session: &mut Session) -> Vec<Row> {
    let mut rows = advance(session, 2);
    let turns = [
        ("add_node", "0.5"),
        ("max_mutations", "2"),
        ("clamp", "None"),
        ("opponents", "7"),
        ("exponent", "3"),
        ("immigrant_share", "0.1"),
        ("elites", "2"),
        ("games_per_pair", "1"),
        ("tournament_games", "10"),
        ("sigma", "0.5"),
        ("first_parent", "selected"),
        ("each", "3"),
        ("crossover.rate", "0.5"),
        ("genome.crossover", "uniform"),
        ("admission", "random_slot"),
        ("learning_rate", "0.5"),
        ("matches", "3"),
        ("bonus", "0.25"),
        ("antibodies", "0.5"),
        ("loss", "-0.5"),
        ("mutate_crossovers", "false"),
        ("depreciation", "None"),
        ("floor", "0.5"),
        ("measures.every", "3"),
    ];
    let params = preset.params();
    let known = |(key, _): &(&str, &str)| {
        let known = |param: &Param| {
            param.live && (param.key == *key || param.key.ends_with(&format!(".{key}")))
        };
        params.iter().any(known)
    };
    let turns: Vec<(&str, &str)> = turns.into_iter().filter(known).collect();
    for pair in turns.chunks(2) {
        for (key, value) in pair {
            let turn = session.change(key, value);
            turn.unwrap_or_else(|problem| panic!("{}: {problem}", preset.name));
        }
        rows.extend(advance(session, 2));
    }
    rows
}

#[test]
fn a_run_with_changed_parameters_replays_from_its_record() {
    for preset in presets() {
        let mut played = session(&preset, 5, 2);
        let rows = changed(&preset, &mut played);
        let record = played.interventions().to_vec();
        assert!(record.len() > 4);
        let mut again = replay(&preset, 5, 1, record.clone());
        let repeated = advance(&mut again, rows.len());
        assert_eq!(
            texts(&again, &repeated),
            texts(&played, &rows),
            "{}",
            preset.name
        );
        assert_eq!(again.state(), played.state(), "{}", preset.name);
        assert_eq!(again.preset(), played.preset(), "{}", preset.name);

        // The changes must have an effect, or the test above proves nothing.
        let mut plain = session(&preset, 5, 1);
        let unturned = advance(&mut plain, rows.len());
        assert_ne!(texts(&plain, &unturned), texts(&played, &rows));

        let mut half = replay(&preset, 5, 1, record.clone());
        advance(&mut half, 5);
        let state = saved(half.state());
        let rest = Session::resume(preset.clone(), 5, record, state, pool(1));
        let mut rest = rest.expect("it fits its preset");
        let resumed = advance(&mut rest, rows.len() - 5);
        assert_eq!(
            texts(&rest, &resumed),
            texts(&played, &rows[5..]),
            "{}",
            preset.name
        );
    }
}

#[test]
fn a_state_that_does_not_fit_the_preset_is_refused() {
    let (small, large) = (
        preset("nim-2x2"),
        preset_with("nim-2x2", &["population=120"]),
    );
    let one_stack = preset("simple-nim-1to8-direct");
    for (begun, resumed, reason) in [
        (&small, &large, "the population has 100 members"),
        (&small, &one_stack, "the network has 2 inputs"),
    ] {
        let state = session(begun, 1, 1).state().clone();
        let error = Session::resume(resumed.clone(), 1, Vec::new(), state, pool(1)).err();
        let error = error.expect("it does not fit").to_string();
        assert!(error.contains(reason), "{error}");
    }
}

#[test]
fn halting_within_generations_changes_nothing() {
    for preset in presets() {
        let (mut whole, mut halted) = (session(&preset, 9, 2), session(&preset, 9, 2));
        let rows = advance(&mut whole, 6);
        let mut halted_rows = Vec::new();
        let halt = AtomicBool::new(true);
        for _ in 0..rows.len() {
            halt.store(true, Ordering::Relaxed);
            assert!(halted.play(&halt).is_none() && halted.is_within_generation());
            halt.store(false, Ordering::Relaxed);
            // The other thread halts it at a random point.
            let mut finished = std::thread::scope(|scope| {
                scope.spawn(|| halt.store(true, Ordering::Relaxed));
                halted.play(&halt)
            });
            halt.store(false, Ordering::Relaxed);
            if finished.is_none() {
                finished = halted.play(&halt);
            }
            let finished = finished.expect("it is no longer halted");
            halted_rows.push(halted.measure(&finished));
            halted.reproduce(finished);
        }
        assert_eq!(
            texts(&halted, &halted_rows),
            texts(&whole, &rows),
            "{}",
            preset.name
        );
        assert_eq!(halted.state(), whole.state(), "{}", preset.name);
    }
}

/// The games of a round robin of ten players, `copies` times.
fn round_robin(copies: usize) -> Vec<Pairing> {
    let pair = |first: u32, second: u32| {
        Pairing::new(
            Seat::Member(first),
            if second == 9 {
                Seat::HallOfFame(0)
            } else {
                Seat::Member(second)
            },
            first * 10 + second,
        )
    };
    let games = (0..9).flat_map(|first| (0..10).map(move |second| (first, second)));
    let games: Vec<Pairing> = games
        .filter(|(first, second)| first != second)
        .map(|(first, second)| pair(first, second))
        .collect();
    games.repeat(copies)
}

/// The number of evaluations of all [`HaltingBrain`]s, which set `HALT` at the tenth.
static EVALUATIONS: AtomicUsize = AtomicUsize::new(0);
static HALT: AtomicBool = AtomicBool::new(false);

/// A brain that always takes one match, and sets `HALT` while it plays.
struct HaltingBrain;

impl Brain for HaltingBrain {
    fn forward(&self, sight: InputBatch<'_>, _scratch: &mut Scratch, out: &mut Vec<f32>) {
        if EVALUATIONS.fetch_add(1, Ordering::Relaxed) == 10 {
            HALT.store(true, Ordering::Relaxed);
        }
        out.clear();
        out.extend(sight.ends.iter().flat_map(|_| [0.0, 1.0]));
    }
}

#[test]
fn a_schedule_halted_between_two_games_continues_with_the_next() {
    let direct = AgentConfig::named("direct").expect("it is registered");
    let arena = build(&preset("simple-nim-1to1000").game, &direct).expect("they go together");
    let pairings: Vec<Pairing> = round_robin(1)
        .into_iter()
        .filter(|pairing| pairing.second() != Seat::HallOfFame(0))
        .take(20)
        .collect();
    let mut played = Slots::new(pairings.len());
    let members: Vec<Arc<Phenotype>> = (0..9)
        .map(|_| Arc::new(Phenotype::new(Box::new(HaltingBrain))))
        .collect();
    let schedule = Schedule {
        seed: 1,
        generation: 0,
        first_game: 0,
        pairings: &pairings,
        members: &members,
        hall_of_fame: &[],
        references: &[],
        random_moves: 0.0,
        halt: &HALT,
        played: &AtomicU64::new(0),
    };
    arena.play(&pool(1), &schedule, &mut played);
    assert!(!played.is_full());
    let before = played.clone();
    let done = before.filled().count();
    assert!((1..20).contains(&done), "{done} games were played");
    HALT.store(false, Ordering::Relaxed);
    arena.play(&pool(1), &schedule, &mut played);
    let after = played.values().expect("it is no longer halted");
    assert!(before.filled().all(|(place, &game)| after[place] == game));
}

/// Few games are played move by move; many are played by lookup in policies that are computed
/// beforehand.
#[test]
fn a_game_has_the_same_result_however_many_others_are_played() {
    for agent in AgentConfig::all() {
        let game = preset("nim-2x4").game;
        let Ok(arena) = build(&game, &agent) else {
            let refused = ["lookup", "ranked"];
            assert!(
                refused.contains(&agent.name()),
                "Nim numbers no positions, and a move is two numbers"
            );
            continue;
        };
        if agent.name() == "monte_carlo" {
            // Its random numbers depend on the index of the game in the schedule.
            continue;
        }
        let genome = GenomeConfig::all().remove(0);
        let brain = |index: usize| {
            let mut rng = stream(1, Purpose::Initialization, 0, index as u64);
            let mut member = genome.random(arena.io_spec(), &mut rng);
            for _ in 0..20 {
                genome.mutate(&mut member, &mut rng);
            }
            Arc::new(Phenotype::new(genome.grow(&member, arena.io_spec())))
        };
        let pool = pool(2);
        let play = |pairings: &[Pairing]| {
            let mut played = Slots::new(pairings.len());
            let members: Vec<Arc<Phenotype>> = (0..9).map(brain).collect();
            let schedule = Schedule {
                seed: 1,
                generation: 0,
                first_game: 0,
                pairings,
                members: &members,
                hall_of_fame: &[brain(9)],
                references: &[],
                random_moves: 0.0,
                halt: &AtomicBool::new(false),
                played: &AtomicU64::new(0),
            };
            arena.play(&pool, &schedule, &mut played);
            played.values().expect("nothing halts it").to_vec()
        };
        let alone: Vec<GameResult> = round_robin(1).chunks(7).flat_map(&play).collect();
        assert_eq!(play(&round_robin(50)), alone.repeat(50), "{}", agent.name());
    }
}
