//! The first members learn from games before the first generation. Whatever was saved meanwhile,
//! they begin as the seed says, so a run that was killed learns the same again. Offspring can learn
//! from games in the same way before their first generation.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::genomes::AnyGenome;
use crate::genomes::temporal_differences::TemporalDifferences;
use crate::play::SelfPlay;
use crate::play::phenotype::Phenotype;
use crate::rng::{Purpose, stream};

use super::progress::GenerationPhase;
use super::{Session, Unfinished};

/// Games that are played before the network learns from them: one for so many that it has learned
/// from. Results depend on it and on the next two.
const LEARNED_FOR_ONE: u64 = 100;

/// The fewest and the most of these games.
const LEAST_AT_ONCE: u64 = 32;
const MOST_AT_ONCE: u64 = 512;

/// Bits of the number of a game of one genome; the number of its birth stands above.
const GAME_BITS: u32 = 24;

/// What has been learned so far.
pub(super) struct Pretraining {
    genome: AnyGenome,
    games: u64,
}

impl Pretraining {
    /// What the first members have learned so far; `None` if they don't learn, or not any more.
    pub(super) fn of(session: &Session, unfinished: Option<Unfinished>) -> Option<Self> {
        session.preset.evolution.pretraining.learning()?;
        if let Some(Unfinished::Pretraining(start)) = unfinished {
            return Some(start);
        }
        let mut rng = stream(session.seed, Purpose::Initialization, 0, 0);
        let first = || {
            session
                .preset
                .genome
                .random(session.arena.io_spec(), &mut rng)
        };
        (session.state.generation == 0)
            .then(first)
            .map(|genome| Self { genome, games: 0 })
    }

    /// Learns from the games that are left, and makes all members copies of what has learned.
    /// Returns what has been learned if `halt` was set before.
    pub(super) fn learn(mut self, session: &mut Session, halt: &AtomicBool) -> Option<Self> {
        let learning = session.preset.evolution.pretraining.learning()?.clone();
        let all = u64::from(learning.games);
        session
            .progress
            .begin(GenerationPhase::Learning, all as usize);
        session.progress.done().store(self.games, Ordering::Relaxed);
        while self.games < all {
            if halt.load(Ordering::Relaxed) {
                return Some(self);
            }
            self.games = learn_next(session, &mut self.genome, &learning, [0, self.games]);
            session.progress.done().store(self.games, Ordering::Relaxed);
        }
        let (genome, io_spec) = (&session.preset.genome, session.arena.io_spec());
        let player = Arc::new(Phenotype::grown(genome, io_spec, &self.genome));
        session.players.fill(player);
        session.state.population.members.fill(self.genome);
        None
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
    let player = Phenotype::grown(config, io_spec, genome);
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
    use super::*;
    use crate::play::pool::Pool;
    use crate::preset::Preset;

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
        // Whether it was saved before it learned or while it played, it learns the same again.
        let mut saved = session(PRESET, 2);
        let start = Pretraining::of(&saved, None).expect("it learns");
        assert!(start.learn(&mut saved, &go).is_none());
        for state in [session(PRESET, 1).state().clone(), saved.state().clone()] {
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
