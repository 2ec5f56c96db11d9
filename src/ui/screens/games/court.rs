//! Who judges a game: the arena that knows its rules, and the champions whose opinion can be asked. What a champion thinks is
//! found on a thread of its own, position by position, since it may look far ahead.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::Sender;

use crate::arena::Arena;
use crate::arena::record::Record;
use crate::arena::table::{Line, Thoughts};
use crate::games::search::Hurry;
use crate::run::Facts;
use crate::storage::saves::Saves;
use crate::ui::screens::champions::{Champions, Wanted};

use super::News;

/// The arena of a game, its champions, and the run that it belongs to.
#[derive(Clone)]
pub(super) struct Court {
    pub(super) champions: Champions,
    /// What a transcript says of where the game comes from.
    pub(super) event: String,
}

impl Court {
    /// The court of a run.
    pub(super) fn new(facts: &Facts, saves: Option<(Saves, String)>) -> Self {
        Self::over(Champions::new(facts, saves), facts.seed)
    }

    pub(super) fn over(champions: Champions, seed: u64) -> Self {
        Self {
            event: format!("finches {} seed {seed}", champions.preset.name),
            champions,
        }
    }

    pub(super) fn arena(&self) -> &Arc<dyn Arena> {
        &self.champions.arena
    }
}

/// The longest a champion thinks about one position; a deep search is cut off there.
const LIMIT: Duration = Duration::from_secs(1);

/// What a champion thinks of a position, by the number of moves that led there.
#[derive(Debug)]
pub(super) struct Opinion {
    number: u64,
    pub(super) told: Told,
}

/// A part of the answer.
#[derive(Debug)]
pub(super) enum Told {
    /// Whose opinion it is.
    Judge(u64),
    Thoughts {
        ply: usize,
        thoughts: Thoughts,
    },
    /// Why there is no opinion.
    Fault(String),
    End,
}

/// Asks for opinions on one game at a time.
pub(super) struct Critic {
    out: Sender<News>,
    asked: u64,
    open: Option<Arc<AtomicBool>>,
}

/// When a thought has to end.
struct Patience {
    is_over: Arc<AtomicBool>,
    deadline: Instant,
}

impl Hurry for Patience {
    fn is_up(&self) -> bool {
        self.is_over.load(Ordering::Relaxed) || Instant::now() >= self.deadline
    }
}

impl Critic {
    pub(super) fn new(out: Sender<News>) -> Self {
        Self {
            out,
            asked: 0,
            open: None,
        }
    }

    pub(super) fn is_busy(&self) -> bool {
        self.open.is_some()
    }

    /// Asks for the opinion of a champion on each position of a game, from that after `first` moves on, then on those before.
    pub(super) fn ask(&mut self, court: Court, wanted: Wanted, record: Arc<Record>, first: usize) {
        self.forget();
        let is_over = Arc::new(AtomicBool::new(false));
        self.open = Some(Arc::clone(&is_over));
        let (number, out) = (self.asked, self.out.clone());
        thread::spawn(move || {
            let tell = |told| {
                // Where nobody listens any more, nobody needs to know.
                let _ = out.send(News::of(Opinion { number, told }));
            };
            if let Err(fault) = think(&court, wanted, &record, first, &is_over, &tell) {
                tell(Told::Fault(fault));
            }
            tell(Told::End);
        });
    }

    /// Gives the open question up.
    pub(super) fn forget(&mut self) {
        self.asked += 1;
        if let Some(is_over) = self.open.take() {
            is_over.store(true, Ordering::Relaxed);
        }
    }

    /// What an opinion says; none where it answers a question that has been given up.
    pub(super) fn take(&mut self, opinion: Opinion) -> Option<Told> {
        let is_open = self.open.is_some() && opinion.number == self.asked;
        if is_open && matches!(opinion.told, Told::End) {
            self.open = None;
        }
        is_open.then_some(opinion.told)
    }
}

impl Drop for Critic {
    fn drop(&mut self) {
        self.forget();
    }
}

fn think(
    court: &Court,
    wanted: Wanted,
    record: &Record,
    first: usize,
    is_over: &Arc<AtomicBool>,
    tell: &impl Fn(Told),
) -> Result<(), String> {
    let champions = &court.champions;
    let champion = match champions.fetch(wanted)? {
        Some(champion) => Some(champion),
        None => champions.fetch(Wanted::Newest)?,
    };
    let champion = champion.ok_or("no champion has been kept that could judge")?;
    tell(Told::Judge(champion.generation));
    let genome = &champions.preset.genome;
    let brain = genome.grow(&champion.genome, champions.arena.ports());
    let mut table = Arc::clone(&champions.arena).table(0);
    for part in [first..record.plies.len(), 0..first] {
        // An illegal move ends a game and leads nowhere.
        let before = record.plies.iter().take(part.start);
        let moves = before.map(|ply| ply.action.clone());
        let moves = moves.filter(|action| !action.is_empty()).collect();
        table.follow(&Line::of(record.start.clone(), moves))?;
        for ply in part {
            if is_over.load(Ordering::Relaxed) {
                return Ok(());
            }
            let hurry: Arc<dyn Hurry> = Arc::new(Patience {
                is_over: Arc::clone(is_over),
                deadline: Instant::now() + LIMIT,
            });
            let thoughts = ranked(table.think(brain.as_ref(), &hurry));
            tell(Told::Thoughts { ply, thoughts });
            let action = &record.plies[ply].action;
            if action.is_empty() {
                break;
            }
            table.play(action)?;
        }
    }
    Ok(())
}

/// The thoughts with the best move first.
fn ranked(mut thoughts: Thoughts) -> Thoughts {
    let known = |value: f32| {
        if value.is_nan() {
            f32::NEG_INFINITY
        } else {
            value
        }
    };
    let by_value = |a: &(String, f32), b: &(String, f32)| known(b.1).total_cmp(&known(a.1));
    thoughts.opinions.sort_by(by_value);
    thoughts
}
