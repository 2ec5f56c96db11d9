//! Members that learn before they play, and whose offspring inherit it (Lamarck) or do not
//! (Baldwin).

use finches::evolution::Population;
use finches::genomes::{AnyGenome, Brain, InputBatch, Scratch};
use finches::play::match_setup::ChampionPlayer;
use finches::session::Session;

use crate::support::{advance, pool, preset_with, session};

const FEW: [&str; 4] = [
    "population=12",
    "tournament_games=2",
    "held_out_games=10",
    "measures.every=1",
];

/// A session of a preset after one generation.
fn begun(name: &str, seed: u64) -> Session {
    let mut session = session(&preset_with(name, &FEW), seed, 2);
    advance(&mut session, 1);
    session
}

/// The outputs for the empty board and one with some edges.
fn outputs(brain: &dyn Brain) -> Vec<f32> {
    let changes = [(0, 1.0), (3, 1.0), (12, 1.0)];
    let batch = InputBatch {
        base: &[0.0; 24],
        changes: &changes,
        ends: &[0, 3],
    };
    let mut out = Vec::new();
    brain.forward(batch, &mut Scratch::default(), &mut out);
    out
}

/// The outputs of the player of a genome in a session.
fn played(session: &Session, genome: &AnyGenome) -> Vec<f32> {
    let io_spec = session.arena().io_spec();
    outputs(&*session.preset().genome.grow(genome, io_spec))
}

#[test]
fn what_members_learn_changes_their_genes_only_if_it_is_inherited() {
    let [plain, lamarckian, baldwinian] = ["weaver-unlearned", "weaver-lamarck", "weaver-baldwin"]
        .map(|name| session(&preset_with(name, &FEW), 5, 1));
    let genomes = |session: &Session| session.state().population.members.clone();
    assert_eq!(genomes(&baldwinian), genomes(&plain));
    assert_ne!(genomes(&lamarckian), genomes(&plain));
    for ((born, taught), player) in genomes(&plain)
        .iter()
        .zip(&genomes(&lamarckian))
        .zip(&genomes(&baldwinian))
    {
        assert_ne!(played(&plain, born), played(&lamarckian, taught));
        assert_eq!(played(&lamarckian, taught), played(&baldwinian, player));
    }
}

#[test]
fn elites_have_learned_and_only_their_offspring_learn() {
    let mut session = session(&preset_with("weaver-lamarck", &FEW), 5, 1);
    let before = session.state().population.members.clone();
    advance(&mut session, 1);
    let champion = session.state().champion.as_ref().expect("there is one");
    let after = &session.state().population.members;
    assert!(after.contains(&champion.genome), "the elite is as it was");
    let kept = after.iter().filter(|member| before.contains(member));
    assert!(kept.count() < after.len(), "others are new");
}

#[test]
fn a_saved_champion_plays_as_it_did_in_its_run_whatever_the_seed() {
    for name in ["weaver-lamarck", "weaver-baldwin"] {
        let session = begun(name, 5);
        let champion = session.state().champion.as_ref().expect("there is one");
        let expected = played(&session, &champion.genome);
        let config = session.preset().player_config();
        let saved = ChampionPlayer::new(config, &champion.genome, &[], None);
        let saved = saved.unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(outputs(saved.player.brain()), expected, "{name}");
        assert_eq!(
            played(&begun(name, 6), &champion.genome),
            expected,
            "{name}"
        );
    }
}

#[test]
fn an_initial_population_has_learned_wherever_it_is_made_again() {
    let session = session(&preset_with("weaver-lamarck", &FEW), 5, 1);
    let (preset, io_spec) = (session.preset(), session.arena().io_spec());
    let again = Population::random(&preset.evolution, &preset.genome, io_spec, 5);
    assert_eq!(again, session.state().population);
}

/// The problems of a preset with these settings.
fn check(settings: &[(&str, &str)], expected: &str) {
    let preset = preset_with("weaver-lamarck", &[]);
    let pair = |&(key, value): &(&str, &str)| (key.to_owned(), value.to_owned());
    let settings: Vec<(String, String)> = settings.iter().map(pair).collect();
    let begun = preset.with(&settings).map(|preset| {
        let error = Session::new(preset, 1, Vec::new(), pool(1)).err();
        error.expect("it can't begin")
    });
    let error = begun.unwrap_or_else(|error| error).to_string();
    assert!(error.contains(expected), "{error}");
}

#[test]
fn what_cannot_be_taught_is_refused_with_a_reason() {
    check(
        &[("genome", "bits(hidden: [9])")],
        "genome: can't be trained; try mlp",
    );
    check(
        &[("lifetime.teacher", "level-7")],
        "evolution.lifetime.teacher: ",
    );
    check(
        &[("lifetime.teacher", "random")],
        "evolution.lifetime.teacher: can't be a teacher because it uses no heuristic",
    );
    check(
        &[("agent", "one_ply")],
        "agent: cannot train networks of this agent",
    );
}

#[test]
fn presets_without_learning_are_as_they_were() {
    let plain = preset_with("weaver-unlearned", &[]);
    let none = plain.with(&[("evolution.lifetime".to_owned(), "none".to_owned())]);
    assert_eq!(none.clone(), Ok(plain));
    let arena = none
        .expect("it is valid")
        .arena()
        .expect("it can be played");
    assert_eq!(arena.io_spec().lessons, None);
}
