//! The first members learn from games before the first generation. What has learned is a part of
//! the state of the run, so that a run that was killed goes on where it was saved. Offspring can
//! learn from games in the same way before their first generation.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use serde::{Deserialize, Serialize};

use crate::genomes::AnyGenome;
use crate::genomes::temporal_differences::TemporalDifferences;
use crate::metrics::Row;
use crate::play::SelfPlay;
use crate::rng::{Purpose, stream};

use super::measures::{progress, versus};
use super::progress::GenerationPhase;
use super::{Session, sample};

/// Games that are played before the network learns from them: one for so many that it has learned
/// from. Results depend on it and on the next two.
const LEARNED_FOR_ONE: u64 = 100;

/// The fewest and the most of these games.
const LEAST_AT_ONCE: u64 = 32;
const MOST_AT_ONCE: u64 = 512;

/// Bits of the number of a game of one genome; the number of its birth stands above.
const GAME_BITS: u32 = 24;

/// A network that learns from games against itself before the first generation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Learner {
    /// The games that it has learned from.
    pub games: u64,
    /// What it has learned.
    pub genome: AnyGenome,
}

/// As [`Session::teach`].
pub(super) fn teach(session: &mut Session) -> bool {
    let is_first = session.state.generation == 0 && session.unfinished.is_none();
    let pretraining = &session.preset.evolution.pretraining;
    let Some(learning) = pretraining.learning().filter(|_| is_first) else {
        return false;
    };
    let (learning, all) = (learning.clone(), u64::from(learning.games));
    let learner = session.state.learner.take();
    let mut learner = learner.unwrap_or_else(|| Learner::newborn(session));
    let is_learning = learner.games < all;
    if is_learning {
        if session.progress.read().phase != GenerationPhase::Learning {
            let steps = all as usize;
            session.progress.begin(GenerationPhase::Learning, steps);
        }
        let numbers = [0, learner.games];
        learner.games = learn_next(session, &mut learner.genome, &learning, numbers);
        let done = session.progress.done();
        done.store(learner.games, Ordering::Relaxed);
    }
    // Once: a run may have been saved before its members were what has learned.
    let members = &session.state.population.members;
    if learner.games >= all && members.iter().any(|member| *member != learner.genome) {
        let player = sample::grow(session, &learner.genome);
        session.players.fill(Arc::new(player));
        let members = &mut session.state.population.members;
        members.fill(learner.genome.clone());
    }
    session.state.learner = Some(learner);
    is_learning
}

/// As [`Session::measure_learner`].
pub(super) fn measure(session: &Session, games: u32) -> Option<Row> {
    let learner = session.state.learner.as_ref()?;
    let player = Arc::new(sample::grow(session, &learner.genome));
    let columns = &session.columns;
    let mut row = Row::empty(columns);
    row.set(columns, &progress::GENERATION, learner.games as f64);
    versus::measure_player(session, &player, games, &mut row);
    Some(row)
}

impl Learner {
    /// A network that has learned nothing yet.
    fn newborn(session: &Session) -> Self {
        let mut rng = stream(session.seed, Purpose::Initialization, 0, 0);
        let genome = &session.preset.genome;
        Self {
            games: 0,
            genome: genome.random(session.arena.io_spec(), &mut rng),
        }
    }
}

/// A genome that is born before a generation plays, after it has learned from games against itself.
/// `index` is its number among those of that generation.
pub(super) fn taught_by_games(
    session: &Session,
    learning: &TemporalDifferences,
    born: &AnyGenome,
    (generation, index): (u64, usize),
) -> AnyGenome {
    let population = u64::from(session.preset.evolution.population);
    let birth = generation * population + index as u64;
    let (mut genome, mut games) = (born.clone(), 0);
    while games < u64::from(learning.games) {
        games = learn_next(session, &mut genome, learning, [birth << GAME_BITS, games]);
    }
    genome
}

/// Learns from some of the games that follow the first `done`. Returns how many are done then.
/// Those of the genome are numbered from `first` on.
fn learn_next(
    session: &Session,
    genome: &mut AnyGenome,
    learning: &TemporalDifferences,
    [first, done]: [u64; 2],
) -> u64 {
    let config = &session.preset.genome;
    let training = config.capabilities().training;
    let training = training.expect("a preset whose genomes can't learn is refused");
    let (io_spec, all) = (session.arena.io_spec(), u64::from(learning.games));
    let at_once = (done / LEARNED_FOR_ONE).clamp(LEAST_AT_ONCE, MOST_AT_ONCE);
    let next = all.min(done + at_once);
    let player = sample::grow(session, genome);
    let games = SelfPlay {
        learning,
        seed: session.seed,
        games: first + done..first + next,
        value: &|output| training.trained_value(output),
    };
    let examples = session.arena.self_play(&session.pool, &player, &games);
    let mut rng = stream(session.seed, Purpose::Training, u64::MAX, first + done);
    let rate = learning.rate * (1.0 - done as f64 / all as f64);
    training.train(genome, io_spec, &examples, rate, &mut rng);
    next
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::*;
    use crate::play::phenotype::Phenotype;
    use crate::play::pool::Pool;
    use crate::preset::Preset;
    use crate::session::SessionState;

    /// Small networks that play Reversi, learn from 96 games and stay as they are.
    const PRESET: &str = "(
        game: reversi,
        genome: n_tuples(length: 2, initial: 0),
        agent: one_ply,
        evolution: (
            population: 4,
            pairing: circular(opponents: 2),
            selection: none,
            replacement: natural_es(step: 0.01),
            pretraining: td(games: 96, rate: 0.2),
        ),
        measures: (held_out_games: 200, every: 1),
    )";

    fn session(text: &str, threads: usize) -> Session {
        let preset = Preset::parse(text, "test", "test").expect("it is valid");
        let pool = Pool::new(threads).expect("there are threads");
        Session::new(preset, 1, Vec::new(), pool).expect("it is sound")
    }

    #[test]
    fn in_games_on_policy_positions_before_random_moves_are_learned_too() {
        let session = session(PRESET, 1);
        let preset = session.preset();
        let (genome, io_spec) = (&preset.genome, session.arena.io_spec());
        let player = Phenotype::grown(genome, io_spec, &session.state().population.members[0]);
        let examples = |on_policy| {
            let learning = TemporalDifferences {
                random_moves: 1.0,
                on_policy,
                ..TemporalDifferences::default()
            };
            let games = SelfPlay {
                learning: &learning,
                seed: 1,
                games: 0..4,
                value: &|output| output,
            };
            let found = session.arena.self_play(&session.pool, &player, &games);
            found.examples().len()
        };
        // Without, only the last position of each game.
        assert_eq!(examples(0.0), 4);
        assert!(examples(0.5) > 60 && examples(1.0) > 160);
    }

    #[test]
    fn learning_is_the_same_on_more_threads_after_a_halt_and_after_a_resume() {
        let (go, stop) = (AtomicBool::new(false), AtomicBool::new(true));
        let (mut whole, mut halted) = (session(PRESET, 1), session(PRESET, 2));
        let born = whole.state().population.members[0].clone();
        let preset = halted.preset().clone();
        assert!(halted.play(&stop).is_none());
        assert!(halted.is_within_generation());
        let progress = halted.progress().read();
        assert_eq!(
            (progress.phase, progress.expected),
            (GenerationPhase::Learning, 96)
        );
        let row = whole.advance(&go);
        let learned = &whole.snapshot().members;
        assert_ne!(learned[0], born);
        assert!(learned.iter().all(|member| *member == learned[0]));
        assert_eq!(row, halted.advance(&go));
        assert_eq!(whole.state(), halted.state());
        assert!(whole.state().learner.is_none() && !halted.is_within_generation());
        // Whether it was saved before it learned, meanwhile or afterwards, it learns the same.
        let mut saved = session(PRESET, 2);
        let mut states = vec![saved.state().clone()];
        while saved.teach() {
            states.push(saved.state().clone());
        }
        states.push(saved.state().clone());
        let games = |state: &SessionState| state.learner.as_ref().map(|learner| learner.games);
        let games: Vec<Option<u64>> = states.iter().map(games).collect();
        assert_eq!(games, [None, Some(32), Some(64), Some(96), Some(96)]);
        assert!(!saved.teach(), "all is learned");
        let mut unfilled = saved.state().clone();
        unfilled.population.members = states[0].population.members.clone();
        states.push(unfilled);
        for state in states {
            let pool = Pool::new(2).expect("there are threads");
            let resumed = Session::resume(preset.clone(), 1, Vec::new(), state, pool);
            let mut resumed = resumed.expect("it is the same run");
            assert_eq!(row, resumed.advance(&go));
            assert_eq!(whole.state(), resumed.state());
        }
    }

    #[test]
    fn what_has_learned_beats_what_has_not() {
        let go = AtomicBool::new(false);
        for (genome, rate) in [
            ("n_tuples(length: 2, initial: 0)", "0.2"),
            ("mlp(outputs: tanh)", "0.01"),
        ] {
            let share = |games: u32| {
                let text = PRESET.replace("n_tuples(length: 2, initial: 0)", genome);
                let learning = format!("games: {games}, rate: {rate}");
                let text = text.replace("games: 96, rate: 0.2", &learning);
                let mut session = session(&text, 2);
                let row = session.advance(&go).expect("it is not halted");
                row.get(session.columns(), "vs_random")
                    .expect("it is measured")
            };
            let (before, after) = (share(1), share(8000));
            assert!(after > before + 0.1, "{genome}: {after} after {before}");
        }
    }

    /// Offspring that learn from so many games before they play.
    fn memetic(games: u32) -> String {
        let text = PRESET.replace("selection: none,", "");
        let text = text.replace("replacement: natural_es(step: 0.01),", "");
        let learning = format!("lifetime: td(games: {games}, rate: 0.2)");
        text.replace("pretraining: td(games: 96, rate: 0.2)", &learning)
    }

    #[test]
    fn offspring_learn_the_same_on_more_threads_and_after_a_resume() {
        let go = AtomicBool::new(false);
        let (mut one, mut two) = (session(&memetic(40), 1), session(&memetic(40), 2));
        for _ in 0..3 {
            assert_eq!(one.advance(&go), two.advance(&go));
            assert_eq!(one.state(), two.state());
            let pool = Pool::new(2).expect("there are threads");
            let (preset, state) = (two.preset().clone(), two.state().clone());
            let resumed = Session::resume(preset, 1, Vec::new(), state, pool);
            two = resumed.expect("it is the same run");
        }
    }

    #[test]
    fn offspring_that_have_learned_beat_those_that_have_not() {
        let share = |text: &str| {
            let (mut session, go) = (session(text, 2), AtomicBool::new(false));
            let rows = (0..5).map(|_| session.advance(&go));
            let row = rows.last().flatten().expect("it is not halted");
            row.get(session.columns(), "vs_random")
                .expect("it is measured")
        };
        let (born, learned) = (share(&memetic(1)), share(&memetic(1000)));
        assert!(learned > born + 0.1, "{learned} and {born}");
    }

    #[test]
    fn members_learn_only_if_their_networks_can_and_value_positions() {
        let check = |old: &str, new: &str, words: &str| {
            let problem = Preset::parse(&PRESET.replace(old, new), "test", "test");
            let problem = problem.expect_err("it is refused").to_string();
            assert!(problem.contains(words), "{problem}");
        };
        let outputs = "evolution.pretraining: needs a network that values positions, but agent is \
            `ranked`; try one_ply";
        check("agent: one_ply", "agent: ranked", outputs);
        let newborn = "evolution.lifetime: needs a network that values positions";
        let lifetime = "agent: ranked, evolution: (lifetime: td)";
        let alone =
            "(game: reversi, genome: mlp, agent: one_ply)".replace("agent: one_ply", lifetime);
        let problem = Preset::parse(&alone, "test", "test").expect_err("it is refused");
        assert!(problem.to_string().contains(newborn), "{problem}");
        let genome = "evolution.pretraining: needs a genome that can be trained, but genome is \
            `sigma_pi`; try n_tuples";
        check("n_tuples(length: 2, initial: 0)", "sigma_pi", genome);
    }
}
