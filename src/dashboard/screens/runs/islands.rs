//! What islands did: which of them leads and since when, and what the champions brought that they
//! received.

use crate::format;
use crate::screens::run::reading::format_range;
use crate::theme::Theme;
use finches_engine::metrics::Column;
use finches_engine::metrics::history::{Goal, History};
use finches_lab::experiment::fork::results::{change_words, signed};

use super::{RunsScreen, island_name};

/// The most generations after an arrival in which its effect is looked for.
const MOST_AFTER: u64 = 5;

/// The most generations at which islands are compared.
const MOST_POINTS: u64 = 2000;

/// The most exchanges that are marked; more would be a line.
const MOST_MARKS: u64 = 25;

/// The most leaders that are named.
const MOST_NAMED: usize = 3;

/// The islands of an experiment by a column.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct IslandsSummary {
    /// The number of generations between two exchanges, and that after an exchange in which its
    /// effect is looked for.
    every: u64,
    after: u64,
    /// The last generation that all islands have done or ended before.
    end: u64,
    /// The indices of the islands that lead then, and the generation since which it is these and no
    /// others.
    leaders: (Vec<usize>, u64),
    /// The shares of generations in which no other island was better, by index. Islands that lead
    /// together share theirs, so that the sum is 1.
    pub(super) led: Vec<f64>,
    /// The mean change after a champion arrived, and over as many generations without an arrival.
    gain: [Option<f64>; 2],
}

/// The islands that are shown, by the shown column; `None` if they are none, or before their rows
/// are read.
pub(super) fn summary(screen: &RunsScreen) -> Option<IslandsSummary> {
    let every = screen.experiment()?.setup.manifest.islands.as_ref()?.every;
    let column = screen.figures.column.as_ref()?;
    let entries = screen.list().entries().iter();
    let values = entries.clone().map(|run| {
        let loaded = run.loaded().filter(|run| !run.history.is_empty())?;
        Some((&loaded.history, loaded.kind.columns.place(&column.name)?))
    });
    let values = values.collect::<Option<Vec<_>>>()?;
    let ended: Vec<bool> = entries.map(|run| run.status.is_finished()).collect();
    Some(IslandsSummary::of((&values, &ended), column.goal, every))
}

impl IslandsSummary {
    /// Compares a column of histories up to the generation that all have done. An island that has
    /// ended keeps its last value.
    fn of((values, ended): (&[(&History, usize)], &[bool]), goal: Goal, every: u64) -> Self {
        let at = |(history, place): &(&History, usize), generation: u64| {
            history.read(*place, generation)?.bucket.mean()
        };
        let ends = || values.iter().map(|one| one.0.end());
        let running = ends().zip(ended).filter(|(_, ended)| !**ended);
        let end = running.map(|one| one.0).min().or(ends().max()).unwrap_or(0);
        let mut led = vec![0.0; values.len()];
        let mut leaders = (Vec::new(), 0);
        let step = (end / MOST_POINTS + 1) as usize;
        let points = (0..=end).rev().step_by(step).collect::<Vec<_>>();
        for &generation in points.iter().rev() {
            let lasting = |one: &(&History, usize)| at(one, generation.min(one.0.end()));
            let now: Vec<Option<f64>> = values.iter().map(lasting).collect();
            let is_beaten = |value| now.iter().flatten().any(|one| goal.is_better(*one, value));
            let leads = |value: &Option<f64>| value.is_some_and(|value| !is_beaten(value));
            let best: Vec<usize> = (0..now.len()).filter(|&place| leads(&now[place])).collect();
            for &island in &best {
                led[island] += 1.0 / (best.len() * points.len()) as f64;
            }
            if best != leaders.0 {
                leaders = (best, generation);
            }
        }
        let after = (every / 2).clamp(1, MOST_AFTER);
        let mean_change = |is_wanted: &dyn Fn(u64) -> bool| {
            let changes = values.iter().flat_map(|one| {
                let starts =
                    (1..(one.0.end() + 2).saturating_sub(after)).filter(|it| is_wanted(it % every));
                starts.filter_map(move |from| Some(at(one, from + after - 1)? - at(one, from - 1)?))
            });
            let (sum, count) = changes.fold((0.0, 0.0), |(sum, n), one| (sum + one, n + 1.0));
            // A bucket of more generations has no change within it.
            let is_fine = values.iter().all(|(history, _)| history.span() <= after);
            (count > 0.0 && is_fine).then(|| sum / count)
        };
        Self {
            every,
            after,
            end,
            leaders,
            led,
            gain: [
                mean_change(&|place| place == 0),
                mean_change(&|place| (after..=every - after).contains(&place)),
            ],
        }
    }

    /// Which islands lead, and in which generations so far.
    pub(super) fn leader_words(&self) -> Option<String> {
        let ((leaders, since), all) = (&self.leaders, self.led.len());
        let who = match leaders[..] {
            [] => return None,
            [one] => format!("{} leads", island_name(one)),
            _ if leaders.len() == all => "all are level".to_owned(),
            _ if leaders.len() > MOST_NAMED => format!("{} of {all} lead", leaders.len()),
            _ => {
                let numbers = leaders.iter().map(|place| (place + 1).to_string());
                format!("islands {} lead", numbers.collect::<Vec<_>>().join(", "))
            }
        };
        Some(format!("{who} g{}", format_range(*since, self.end)))
    }

    /// Which island has led most, if it is one.
    pub(super) fn most_words(&self) -> Option<String> {
        let most = self.led.iter().copied().fold(0.0, f64::max);
        let words = |share| format::percent(share);
        let is_most = |place: &usize| words(self.led[*place]) == words(most);
        let leaders: Vec<usize> = (0..self.led.len()).filter(is_most).collect();
        let [one] = leaders[..] else { return None };
        let (island, share, end) = (island_name(one), words(most), format::whole(self.end));
        Some(format!(
            "{island} has led most up to g{end}: {share}, ties shared"
        ))
    }

    /// What arrivals bring, in words.
    pub(super) fn arrival_words(&self, column: &Column, theme: &Theme) -> String {
        let is_marked = self.arrivals().next().is_some();
        let sign = if is_marked {
            theme.sign(" ▲", " ^")
        } else {
            ""
        };
        let [Some(after), otherwise] = self.gain else {
            return format!("exchange{sign}: every {} generations", self.every);
        };
        let otherwise = otherwise.map(|other| format!(", else {}", signed(column, other)));
        let otherwise = otherwise.unwrap_or_default();
        let gain = change_words(column, after);
        format!("{} gen after exchange{sign}: {gain}{otherwise}", self.after)
    }

    /// The generations in which champions arrive, unless they are too many to be marked.
    pub(super) fn arrivals(&self) -> impl Iterator<Item = u64> {
        let are_few = self.end / self.every <= MOST_MARKS;
        let arrivals = (self.every..=self.end).step_by(self.every as usize);
        arrivals.filter(move |_| are_few)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use finches_engine::metrics::Row;

    fn history(value: impl Fn(u32) -> f64) -> History {
        let mut history = History::new(2);
        for generation in 0..40_u32 {
            let values = vec![Some(f64::from(generation)), Some(value(generation))];
            history.push(&Row::from_values(values));
        }
        history
    }

    fn compared(histories: &[History]) -> IslandsSummary {
        let values: Vec<_> = histories.iter().map(|history| (history, 1)).collect();
        IslandsSummary::of((&values, &[true; 3]), Goal::Maximize, 10)
    }

    #[test]
    fn islands_lead_together_since_they_are_all_level_and_no_other_is_better() {
        let early = history(|generation| if generation < 5 { 0.5 } else { 0.6 });
        let late = history(|generation| if generation < 25 { 0.2 } else { 0.9 });
        let level = history(|generation| if generation < 30 { 0.1 } else { 0.9 });
        let found = compared(&[early.clone(), late.clone(), level]);
        assert_eq!(found.leaders, (vec![1, 2], 30));
        assert_eq!(compared(&[early, late]).leaders, (vec![1], 25));
        let led = found.led.iter().map(|share| (share * 40.0).round());
        assert_eq!(led.collect::<Vec<f64>>(), [25.0, 10.0, 5.0]);
        assert_eq!(found.arrivals().collect::<Vec<_>>(), [10, 20, 30]);
        assert_eq!(
            found.leader_words().as_deref(),
            Some("islands 2, 3 lead g30–39")
        );
        let most = "island 1 has led most up to g39: 63%, ties shared";
        assert_eq!(found.most_words().as_deref(), Some(most));
    }

    #[test]
    fn islands_are_compared_at_the_generation_that_all_have_done() {
        let behind = |generations: u32, value: f64| {
            let mut history = History::new(2);
            for generation in 0..generations {
                let values = vec![Some(f64::from(generation)), Some(value)];
                history.push(&Row::from_values(values));
            }
            history
        };
        // The first is better from generation 25 on, which the second has not reached.
        let first = history(|generation| if generation < 25 { 0.2 } else { 0.9 });
        let histories = [first, behind(20, 0.5)];
        let values = histories.each_ref().map(|history| (history, 1));
        let leads = |ended: [bool; 2]| {
            let found = IslandsSummary::of((&values, &ended), Goal::Maximize, 1);
            assert_eq!(found.arrivals().count(), if ended[1] { 0 } else { 19 });
            found.leader_words().expect("there are values")
        };
        assert_eq!(leads([false, false]), "island 2 leads g0–19");
        assert_eq!(
            leads([false, true]),
            "island 1 leads g25–39",
            "it keeps its value"
        );
    }

    #[test]
    fn what_arrivals_bring_is_told_apart_from_what_comes_anyway() {
        // A jump of 0.1 with each arrival, and 0.001 a generation.
        let jumps = |generation: u32| f64::from(generation / 10) / 10.0;
        let rising = history(|generation| jumps(generation) + f64::from(generation) / 1000.0);
        let [after, otherwise] = compared(&[rising]).gain;
        let near = |found: Option<f64>, expected: f64| {
            let found = found.expect("there are changes");
            assert!((found - expected).abs() < 1e-9, "{found}, not {expected}");
        };
        near(after, 0.105);
        near(otherwise, 0.005);
    }
}
