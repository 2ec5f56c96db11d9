//! A diagnosis in words: its name, what it means, and the figures that decided it.

use crate::text::percentage;

use super::cycles::CycleTest;
use super::gradient::FlatGenerations;
use super::thirds::{Advance, Change, MIN_CHAMPIONS, Thirds};
use super::{CYCLE_LEVEL, CoevolutionVerdict, Diagnosis};

impl CoevolutionVerdict {
    /// The name, in lower case.
    pub fn name(self) -> &'static str {
        match self {
            Self::ArmsRace => "arms race",
            Self::Cycling => "cycling",
            Self::Forgetting => "forgetting",
            Self::Disengagement => "disengagement",
            Self::OverSpecialization => "over-specialization",
            Self::Unclear => "can't tell",
        }
    }
}

impl Diagnosis {
    /// What the verdict means for this run, in a sentence.
    pub fn meaning(&self) -> String {
        let words = match self.verdict {
            CoevolutionVerdict::ArmsRace => return self.progress(),
            CoevolutionVerdict::Cycling => {
                "Champions beat each other in cycles, and earlier ones would win again."
            }
            CoevolutionVerdict::Forgetting => {
                "Newer champions have lost what earlier ones could do."
            }
            CoevolutionVerdict::Disengagement => {
                "Members have the same fitness, so selection has nothing to choose by."
            }
            CoevolutionVerdict::OverSpecialization => {
                "Newer champions beat recent ones but do worse against other players."
            }
            CoevolutionVerdict::Unclear => return self.doubt(),
        };
        words.to_owned()
    }

    /// Why there is no verdict.
    fn doubt(&self) -> String {
        let Some(thirds) = &self.thirds else {
            return format!(
                "At least {MIN_CHAMPIONS} champions must have played each other; there are {}.",
                self.champions
            );
        };
        if self.is_solved {
            return "The champion makes no mistake, so there is nothing left to gain.".to_owned();
        }
        format!(
            "The middle third of the champions {} the oldest, the newest {} the middle.",
            step_words(&thirds.middle_over_oldest),
            step_words(&thirds.newest_over_middle)
        )
    }

    /// What an arms race has shown, and what not.
    fn progress(&self) -> String {
        let outside = self.thirds.as_ref().and_then(|thirds| thirds.held_out);
        let more = match outside {
            _ if self.is_solved => "",
            Some(changes) if changes.iter().any(Change::is_rise) => "",
            Some(_) => ", but are not clearly better against players outside of the run",
            None => "; they have not played players outside of the run",
        };
        format!("Newer champions beat older ones{more}.")
    }

    /// The figures, those that decided the verdict first, one sentence each.
    pub fn evidence(&self) -> Vec<String> {
        let thirds = self.thirds.as_ref();
        let held_out = thirds.map(|thirds| match &thirds.held_out {
            Some(changes) => outside_words(changes),
            None => "No champion has played players outside of the run.".to_owned(),
        });
        let ancestors = thirds.map(|thirds| ancestors_words(&thirds.ancestors));
        let steps = thirds.map(steps_words);
        let flat = self.flat.as_ref().map(flat_words);
        let cycles = (self.champions > 2).then(|| cycles_words(&self.cycles));
        let [progress, forgotten] = if self.forgets_by_cycles() {
            [cycles.clone(), ancestors.clone()]
        } else {
            [ancestors.clone(), cycles.clone()]
        };
        let ordered = match self.verdict {
            CoevolutionVerdict::ArmsRace | CoevolutionVerdict::Unclear => {
                [steps, ancestors, held_out, cycles, flat]
            }
            CoevolutionVerdict::Cycling => [cycles, steps, ancestors, held_out, flat],
            CoevolutionVerdict::Forgetting => [progress, steps, forgotten, held_out, flat],
            CoevolutionVerdict::Disengagement => [flat, steps, ancestors, held_out, cycles],
            CoevolutionVerdict::OverSpecialization => [held_out, steps, ancestors, cycles, flat],
        };
        ordered.into_iter().flatten().collect()
    }

    /// Whether forgetting shows in cycles only.
    fn forgets_by_cycles(&self) -> bool {
        let is_worse = self
            .thirds
            .is_some_and(|thirds| thirds.ancestors.is_decline());
        self.cycles.forward <= CYCLE_LEVEL && !is_worse
    }
}

/// A p-value. The least that simulations can show is 0.001.
fn chance(p: f64) -> String {
    if p < 0.001 {
        "p < 0.001".to_owned()
    } else {
        format!("p = {p:.3}")
    }
}

fn advance_words(advance: &Advance) -> String {
    let (low, high) = advance.interval;
    let bound = |share: f64| percentage(share.clamp(0.0, 1.0), 0);
    format!(
        "{}% ({}-{}%)",
        percentage(advance.share, 0),
        bound(low),
        bound(high)
    )
}

fn steps_words(thirds: &Thirds) -> String {
    format!(
        "The middle third scores {} against the oldest, the newest third {} against the middle.",
        advance_words(&thirds.middle_over_oldest),
        advance_words(&thirds.newest_over_middle)
    )
}

/// Whether a third beats the one before.
fn step_words(advance: &Advance) -> &'static str {
    match (advance.is_gain(), advance.is_loss()) {
        (true, _) => "beats",
        (_, true) => "loses to",
        _ => "does not clearly beat",
    }
}

/// Whether the newest third scores more than an older one, with the p-value.
fn change_words(change: &Change, older: &str) -> String {
    let clear = match (change.is_rise(), change.is_decline()) {
        (true, _) => "more than",
        (_, true) => "less than",
        _ => "no clear difference from",
    };
    format!("{clear} the {older} ({})", chance(change.test.p))
}

fn ancestors_words(change: &Change) -> String {
    format!(
        "Against the oldest third, the middle third scores {}%, the newest {}%: {}.",
        percentage(change.older, 0),
        percentage(change.newest, 0),
        change_words(change, "middle")
    )
}

fn outside_words([oldest, middle]: &[Change; 2]) -> String {
    format!(
        "Against players outside of the run, the oldest third scores {}%, the middle third {}%, \
        the newest {}%: {}, {}.",
        percentage(oldest.older, 0),
        percentage(middle.older, 0),
        percentage(middle.newest, 0),
        change_words(middle, "middle"),
        change_words(oldest, "oldest")
    )
}

fn flat_words(flat: &FlatGenerations) -> String {
    let (low, high) = flat.interval;
    format!(
        "All members had the same fitness in {} of the last {} generations ({}-{}%).",
        flat.flat,
        flat.generations,
        percentage(low, 0),
        percentage(high, 0)
    )
}

fn cycles_words(cycles: &CycleTest) -> String {
    format!(
        "{} of {} triples without a tie are cycles ({} for those in which earlier champions \
        return, {} for those in which the oldest beats the newest).",
        cycles.counted.cyclic,
        cycles.counted.triples,
        chance(cycles.backward),
        chance(cycles.forward)
    )
}
