//! Lets champions of a run meet on a thread of its own, and tells what comes of it pair by pair. It plays on one thread of a
//! pool of its own, so that evolution keeps those it has.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use crossbeam_channel::Sender;

use crate::arena::league::{Tally, tally};
use crate::arena::meet::{Conditions, Contender, Meeting};
use crate::arena::player::Player;
use crate::arena::pool::Pool;
use crate::evolution::archive::Champion;
use crate::ui::screens::champions::Champions;

use super::News;
use super::matrix::Matrix;

/// Champions that meet at most.
const MOST: usize = 12;

/// Positions that every pair plays from, once from each side. All pairs play from one before any plays from the next, so
/// that the matrix is whole early and only gets sharper.
const OPENINGS: u32 = 8;

/// What is told of the meeting of that number.
pub(super) struct Report {
    number: u64,
    what: What,
}

enum What {
    /// Who meets.
    Field(Vec<Arc<Champion>>),
    Played(Tally),
    Failed(String),
    Done,
}

/// How far a meeting has come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    /// Nobody has been asked to meet.
    Idle,
    Playing,
    Stopped,
    Done,
    /// In words, why nobody meets.
    Failed(String),
}

/// The meeting of champions, one at a time.
pub(super) struct Rivals {
    out: Sender<News>,
    asked: u64,
    halt: Arc<AtomicBool>,
    pub(super) stage: Stage,
    pub(super) matrix: Option<Matrix>,
}

impl Rivals {
    pub(super) fn new(out: Sender<News>) -> Self {
        Self {
            out,
            asked: 0,
            halt: Arc::default(),
            stage: Stage::Idle,
            matrix: None,
        }
    }

    pub(super) fn is_playing(&self) -> bool {
        self.stage == Stage::Playing
    }

    /// Begins anew with champions spread over the run.
    pub(super) fn begin(&mut self, champions: Champions, seed: u64) {
        self.halt.store(true, Ordering::Relaxed);
        self.asked += 1;
        self.stage = Stage::Playing;
        self.halt = Arc::default();
        let (number, out, halt) = (self.asked, self.out.clone(), Arc::clone(&self.halt));
        thread::spawn(move || {
            // Where nobody listens any more, nobody needs to know.
            let tell = |what| drop(out.send(Report { number, what }.into()));
            let ended = meet(&champions, seed, &halt, &tell);
            tell(ended.map_or_else(What::Failed, |()| What::Done));
        });
    }

    /// Ends the meeting, before the next move; what has come of it stays.
    pub(super) fn stop(&mut self) {
        self.halt.store(true, Ordering::Relaxed);
        self.asked += 1;
        self.stage = Stage::Stopped;
    }

    /// Takes a report in, unless it is of a meeting that was given up.
    pub(super) fn hear(&mut self, report: Report) {
        if report.number != self.asked {
            return;
        }
        match report.what {
            What::Field(champions) => self.matrix = Some(Matrix::new(champions)),
            What::Played(tally) => {
                if let Some(matrix) = &mut self.matrix {
                    matrix.add(&tally);
                }
            }
            What::Failed(why) => self.stage = Stage::Failed(why),
            What::Done => self.stage = Stage::Done,
        }
    }

    /// Games played, and those there are to be.
    pub(super) fn games(&self) -> (u64, u64) {
        let Some(matrix) = &self.matrix else {
            return (0, 0);
        };
        let count = matrix.len() as u64;
        let twice: u64 = (0..matrix.len()).map(|one| matrix.total(one).games()).sum();
        let pairs = count * count.saturating_sub(1) / 2;
        (twice / 2, pairs * 2 * u64::from(OPENINGS))
    }
}

impl Drop for Rivals {
    fn drop(&mut self) {
        self.halt.store(true, Ordering::Relaxed);
    }
}

/// Everyone meets everyone from each opening; an error says why nobody can.
fn meet(
    champions: &Champions,
    seed: u64,
    halt: &AtomicBool,
    tell: &impl Fn(What),
) -> Result<(), String> {
    let field = champions.spread(MOST)?;
    if field.len() < 2 {
        let words = "two champions of different generations are needed; let the run go on";
        return Err(words.to_owned());
    }
    let (arena, genome) = (&champions.arena, &champions.preset.genome);
    let contender = |champion: &Arc<Champion>| {
        let player = Player::grown(genome, arena.ports(), &champion.genome);
        Arc::clone(arena).contender(Arc::new(player))
    };
    let contenders: Vec<Contender> = field.iter().map(contender).collect();
    let pool = Pool::new(1)?;
    let pairs = (0..field.len()).flat_map(|b| (0..b).map(move |a| [a, b]));
    let pairs: Vec<[usize; 2]> = pairs.collect();
    tell(What::Field(field));
    for opening in 0..OPENINGS {
        for (place, &[a, b]) in pairs.iter().enumerate() {
            let conditions = Conditions {
                seed,
                first: 0,
                key: u64::from(opening) * pairs.len() as u64 + place as u64,
                noise: 0.0,
                halt: Some(halt),
            };
            let mut played = Vec::new();
            for seats in [[a, b], [b, a]] {
                let meeting = [Meeting { seats, opening }];
                let game = arena.meet(&pool, &contenders, &meeting, &conditions);
                // All are champions of one run, so that only a halt leaves a game without an end.
                let Some(game) = game else {
                    return Ok(());
                };
                played.extend(game);
            }
            tell(What::Played(tally([a, b], &played)));
        }
    }
    Ok(())
}
