//! The sample game on the Run screen and its playback.

use std::time::Duration;

use super::playback::{Playback, PlaybackStep, Rhythm};
use finches_engine::play::record::{GameRecord, RecordMoment};
use finches_engine::session::LEARNER;
use finches_runs::run::message::Snapshot;
use finches_runs::run::pace::Pace;

use super::run::{RunModel, RunState};

/// A sample game and its playback. It is shown to its end even if newer champions arrive in the
/// meantime.
#[derive(Clone, Debug)]
pub struct SampleGame {
    pub current: Option<HeldGame>,
    /// The index of the game shown among those of a champion.
    pub game: usize,
    playback: Playback,
    /// Whether the next snapshot replaces the game at once.
    replace_now: bool,
}

/// A game, and the generation of its champion.
#[derive(Clone, Debug)]
pub struct HeldGame {
    pub record: GameRecord,
    pub generation: u64,
}

/// A position of the sample game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SamplePosition {
    /// In the game's notation.
    pub position: String,
    /// The game and the move number, as text.
    pub description: String,
}

/// The rhythm of a sample game. Few generations per second leave time for a whole game in between;
/// otherwise a game of many moves is over before it is long out of date.
fn rhythm(pace: Pace, plies: usize) -> Rhythm {
    const SLOW: Duration = Duration::from_millis(200);
    const LONGEST: Duration = Duration::from_secs(15);
    let usual = Rhythm::default();
    let is_long = usual.after_move * plies as u32 > LONGEST;
    let interval = pace.interval().filter(|&interval| interval >= SLOW);
    match interval {
        Some(interval) => Rhythm::within(interval, plies),
        None if is_long => Rhythm {
            at_end: usual.at_end,
            ..Rhythm::within(LONGEST, plies)
        },
        None => usual,
    }
}

impl Default for SampleGame {
    fn default() -> Self {
        Self {
            current: None,
            game: 0,
            playback: Playback::new(true),
            replace_now: true,
        }
    }
}

impl SampleGame {
    /// Shows a newer champion's game if none is shown or a new one was requested.
    pub fn offer(&mut self, snapshot: &Snapshot) {
        if self.current.is_none() || self.replace_now {
            self.load(snapshot);
        }
    }

    /// Shows the newest game after the screen was not shown, unless moves are chosen by hand.
    pub fn catch_up(&mut self, snapshot: Option<&Snapshot>) {
        if let Some(snapshot) = snapshot.filter(|snapshot| self.is_behind(snapshot)) {
            self.load(snapshot);
        }
    }

    /// Shows the newest game of a run that has ended, if possible one that its champion wins.
    pub fn conclude(&mut self, snapshot: &Snapshot) {
        if self.is_behind(snapshot) {
            let champion = format!("g{}", snapshot.champion.generation);
            let won = |record: &GameRecord| record.winner() == Some(&champion);
            let won = snapshot.games.iter().position(won);
            self.game = won.unwrap_or(self.game);
            self.load(snapshot);
        }
    }

    /// Whether it plays an older game by itself.
    fn is_behind(&self, snapshot: &Snapshot) -> bool {
        let is_older = |held: &HeldGame| {
            held.generation < snapshot.champion.generation
                || held.record.names.iter().any(|name| name == LEARNER)
        };
        self.is_autoplay() && self.current.as_ref().is_some_and(is_older)
    }

    /// Requests another game with the next snapshot.
    pub fn request_new(&mut self) {
        self.replace_now = true;
    }

    /// Shows the champion's next game.
    pub fn next_game(&mut self, snapshot: Option<&Snapshot>) {
        self.game += 1;
        if let Some(snapshot) = snapshot {
            self.load(snapshot);
        }
    }

    fn load(&mut self, snapshot: &Snapshot) {
        let count = snapshot.games.len();
        if count == 0 {
            return;
        }
        self.game %= count;
        self.current = Some(HeldGame {
            record: snapshot.games[self.game].clone(),
            generation: snapshot.champion.generation,
        });
        self.playback.jump_to(0);
        self.replace_now = false;
    }

    fn plies(&self) -> usize {
        self.current
            .as_ref()
            .map_or(0, |held| held.record.plies.len())
    }

    pub fn is_autoplay(&self) -> bool {
        self.playback.is_autoplay
    }

    /// The position and the stage shown.
    pub fn moment(&self) -> RecordMoment {
        self.playback.moment()
    }

    /// The number of animation stages of a move, by its number.
    fn stages<'a>(
        held: Option<&'a HeldGame>,
        run: Option<&'a RunModel>,
    ) -> impl Fn(usize) -> usize + 'a {
        move |ply| {
            let known = run.zip(held);
            known.map_or(0, |(run, held)| run.facts.arena.stages(&held.record, ply))
        }
    }

    /// The position shown, after all stages of its move; at the end of the game, the last position
    /// with a move to choose. `None` without a game.
    pub fn position(&self) -> Option<SamplePosition> {
        let record = &self.current.as_ref()?.record;
        let ply = self.playback.ply.min(record.plies.len().saturating_sub(1));
        let position = record
            .plies
            .get(ply)
            .map_or(&record.start, |next| &next.position);
        let [first, second] = &record.names;
        Some(SamplePosition {
            position: position.clone(),
            description: format!("{first} vs. {second} after move {ply}"),
        })
    }

    pub fn step_back(&mut self) {
        self.playback.step_back();
    }

    pub fn step_forward(&mut self, run: Option<&RunModel>) {
        let plies = self.plies();
        let stages = Self::stages(self.current.as_ref(), run);
        self.playback.step_forward(plies, stages);
    }

    pub fn toggle_autoplay(&mut self) {
        self.playback.toggle_autoplay(self.plies());
    }

    /// Time until the next change, if any.
    pub fn time_to_change(&self) -> Option<Duration> {
        let plies = self.plies();
        self.current
            .as_ref()
            .and_then(|_| self.playback.time_to_change(plies))
    }

    /// Advances the playback; after the end of a game the next game of the newest champion follows.
    /// Returns whether anything has changed.
    pub fn tick(&mut self, passed: Duration, run: Option<&RunModel>) -> bool {
        if self.current.is_none() {
            return false;
        }
        // A run that stands leaves time for every move.
        let moves = |run: &&RunModel| [RunState::Starting, RunState::Running].contains(&run.state);
        let pace = run.filter(moves).map(|run| run.pace).unwrap_or_default();
        self.playback.rhythm = rhythm(pace, self.plies());
        let due = self.playback.tick(passed, self.plies());
        match due {
            PlaybackStep::Nothing | PlaybackStep::Stage => {}
            PlaybackStep::Move => {
                let stages = Self::stages(self.current.as_ref(), run);
                self.playback.animate_next(stages);
            }
            PlaybackStep::End => {
                self.next_game(run.and_then(RunModel::latest));
                self.playback.jump_to(0);
            }
        }
        due.is_change()
    }
}
