//! The health of coevolution: whether newer champions are better, or only different, and why not.
//! It reads results; it plays no games and knows no saved run.
//!
//! The results of champions against their ancestors are those of Cliff & Miller (1995), *Tracking
//! the Red Queen*: current individual against ancestral opponents (CIAO). The names of what can go
//! wrong are those of Watson & Pollack (2001) and Ficici & Pollack (1998).

use self::cross_table::CrossTable;
use self::cycles::CycleTest;
use self::gradient::{FitnessLevels, FlatGenerations};
use self::thirds::Thirds;

pub mod cross_table;
pub mod cycles;
pub mod gradient;
pub mod thirds;
mod words;

/// P-values below this make cycles clear. Cycles are tested in two directions at every run, so they
/// must be rarer by chance.
const CYCLE_LEVEL: f64 = 0.01;

/// What is known of a run.
#[derive(Clone, Copy, Debug)]
pub struct RunRecord<'a> {
    /// The results of champions, oldest first, against each other.
    pub table: &'a CrossTable,
    /// The share of each champion against players outside of the run, or empty if they did not
    /// play.
    pub held_out: &'a [f64],
    /// The fitness of generations, oldest first, or empty if it is unknown.
    pub fitness: &'a [FitnessLevels],
    /// The latest share of positions in which the champion plays a correct move, if it is known.
    pub accuracy: Option<f64>,
}

/// What happens in a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CoevolutionVerdict {
    /// Each third of the champions beats the one before.
    ArmsRace,
    /// Champions beat each other in a circle, and earlier ones return.
    Cycling,
    /// Newer champions are worse against their ancestors than champions in between.
    Forgetting,
    /// Fitness does not distinguish members.
    Disengagement,
    /// Newer champions beat recent ones but do worse against players outside of the run.
    OverSpecialization,
    /// The games show none of these clearly.
    Unclear,
}

/// A verdict and the figures it rests on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Diagnosis {
    /// What happens in the run.
    pub verdict: CoevolutionVerdict,
    /// Comparisons of the oldest, the middle and the newest third of the champions, if there are
    /// enough.
    pub thirds: Option<Thirds>,
    /// Cycles among the champions.
    pub cycles: CycleTest,
    /// Generations without differences in fitness, if fitness is known.
    pub flat: Option<FlatGenerations>,
    /// Whether the champion is known to move right in all positions.
    pub is_solved: bool,
    /// The number of champions.
    champions: usize,
}

impl Diagnosis {
    /// Of a run. `seed` determines the simulations of the cycle test.
    ///
    /// The first of these rules that applies gives the verdict:
    ///
    /// 1. Disengagement: in most generations of the last third all members had the same fitness
    ///    (the 95% interval is above one half), and the champion is not known to make no mistake.
    ///    Without a difference in fitness, even progress is chance.
    /// 2. Over-specialization: the newest third beats the middle third, and does worse than it
    ///    against players outside of the run.
    /// 3. Arms race: the middle third beats the oldest, the newest beats the middle, and it is not
    ///    worse than the middle against the oldest.
    /// 4. Cycling: cycles in which older champions beat newer ones and the newest beats the oldest
    ///    are stronger than chance makes them where strength is a single number (p ≤ 0.01). Such
    ///    cycles need a return: progress alone, or forgetting, makes none.
    /// 5. Forgetting: the newest third is worse than the middle one against the oldest, or loses to
    ///    the middle one, or there are stronger cycles in the other direction, in which the oldest
    ///    beats the newest (p ≤ 0.01).
    ///
    /// A third beats another if the 95% interval of its mean share, over champions, is above one
    /// half. It is worse than another by a rank test over champions (two-sided p < 0.05).
    pub fn of(record: RunRecord<'_>, seed: u64) -> Self {
        let mut found = Self {
            verdict: CoevolutionVerdict::Unclear,
            thirds: Thirds::of(record.table, record.held_out),
            cycles: CycleTest::of(record.table, seed),
            flat: FlatGenerations::of(record.fitness),
            is_solved: record.accuracy.is_some_and(|share| share >= 1.0),
            champions: record.table.len(),
        };
        found.verdict = found.judge();
        found
    }

    fn judge(&self) -> CoevolutionVerdict {
        let Some(thirds) = &self.thirds else {
            return CoevolutionVerdict::Unclear;
        };
        let is_flat = self.flat.is_some_and(|flat| flat.is_most());
        let is_gain = thirds.newest_over_middle.is_gain();
        let is_worse = thirds.ancestors.is_decline();
        let is_worse_outside = thirds
            .held_out
            .is_some_and(|[_, change]| change.is_decline());
        if is_flat && !self.is_solved {
            CoevolutionVerdict::Disengagement
        } else if is_gain && is_worse_outside {
            CoevolutionVerdict::OverSpecialization
        } else if is_gain && thirds.middle_over_oldest.is_gain() && !is_worse {
            CoevolutionVerdict::ArmsRace
        } else if self.cycles.backward <= CYCLE_LEVEL {
            CoevolutionVerdict::Cycling
        } else if is_worse
            || thirds.newest_over_middle.is_loss()
            || self.cycles.forward <= CYCLE_LEVEL
        {
            CoevolutionVerdict::Forgetting
        } else {
            CoevolutionVerdict::Unclear
        }
    }
}
