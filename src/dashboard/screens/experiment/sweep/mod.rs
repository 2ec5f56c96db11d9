//! What the screen shows of a sweep in place of charts: the means of two parameters as a map, all
//! combinations as lines across the parameters, what each parameter does, and the combinations from
//! the best to the worst.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::theme::Theme;
use finches_lab::experiment::sweep::effects::goodness;
use finches_lab::experiment::sweep::results::SweepResults;

use super::ExperimentScreen;

mod effects;
mod lines;
mod map;
mod ranking;

pub(super) use self::ranking::{height, view as ranking};

/// The narrowest pane beside another.
const LEAST_WIDTH: u16 = 58;

/// What a pane shows of a sweep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SweepPane {
    /// Means by the values of two parameters.
    Map,
    /// A line for each combination across an axis for each parameter.
    Lines,
    /// What each parameter does.
    Effects,
    /// The charts of the runs, as in any experiment.
    Charts,
}

/// The sweep on the screen.
#[derive(Clone, Debug)]
pub struct SweepView {
    /// The results so far.
    pub results: SweepResults,
    /// The first pane; as many of the following as fit are beside it.
    pub pane: SweepPane,
    /// The two parameters of the map, by index; `None` are the two strongest.
    pub pair: Option<(usize, usize)>,
    /// Whether the best combination is the selected one, until the user selects another.
    pub follows_best: bool,
}

impl SweepPane {
    const ALL: [Self; 4] = [Self::Map, Self::Lines, Self::Effects, Self::Charts];

    /// The pane after this one.
    fn next(self) -> Self {
        let place = Self::ALL.iter().position(|&one| one == self).unwrap_or(0);
        Self::ALL[(place + 1) % Self::ALL.len()]
    }
}

impl SweepView {
    /// A sweep without any runs.
    pub(super) fn new(results: SweepResults) -> Self {
        Self {
            results,
            pane: SweepPane::Map,
            pair: None,
            follows_best: true,
        }
    }

    /// The two parameters of the map; `None` if there is only one.
    fn pair(&self) -> Option<(usize, usize)> {
        let strongest = || match &self.results.effects[..] {
            [a, b, ..] => (a.index, b.index),
            _ => (0, 1),
        };
        (self.results.parameters.len() > 1).then(|| self.pair.unwrap_or_else(strongest))
    }

    /// Whether the map can show more than one pair of parameters.
    pub(super) fn has_pairs(&self) -> bool {
        self.results.parameters.len() > 2
    }

    /// Shows the next pane first.
    pub(super) fn next_pane(&mut self) {
        self.pane = self.pane.next();
    }

    /// Shows the next two parameters in the map; after the last, the two strongest again.
    pub(super) fn next_pair(&mut self) {
        let count = self.results.parameters.len();
        let pairs = (0..count).flat_map(|a| (a + 1..count).map(move |b| (a, b)));
        let pairs: Vec<(usize, usize)> = pairs.collect();
        let place = self
            .pair
            .and_then(|pair| pairs.iter().position(|&one| one == pair));
        self.pair = pairs.get(place.map_or(0, |place| place + 1)).copied();
    }

    /// The place of a share of the way from the worst value to the best, 0..=1.
    fn goodness(&self, value: f64) -> f64 {
        let means = self.results.combinations.iter();
        let means = means.filter_map(|one| one.all.map(|all| all.mean));
        goodness(value, means, self.results.is_lowest_best)
    }

    /// The same for the mean of a value of a parameter.
    fn level_goodness(&self, mean: f64) -> f64 {
        if self.results.effects_measure.is_none() {
            return self.goodness(mean);
        }
        let levels = self
            .results
            .effects
            .iter()
            .flat_map(|effect| &effect.levels);
        let means = levels.map(|level| level.mean);
        goodness(mean, means, self.results.is_lowest_effect_best)
    }
}

/// Draws as many panes as fit.
pub(super) fn panes(
    (model, sweep): (&ExperimentScreen, &SweepView),
    theme: &Theme,
    area: Rect,
    buf: &mut Buffer,
) {
    let count = (area.width / LEAST_WIDTH).clamp(1, 3);
    let all = SweepPane::ALL
        .iter()
        .filter(|&&pane| pane != SweepPane::Charts);
    let all: Vec<SweepPane> = all.copied().collect();
    let first = all.iter().position(|&pane| pane == sweep.pane).unwrap_or(0);
    let mut left = area.x;
    for index in 0..count {
        let right = area.x + area.width * (index + 1) / count;
        let place = Rect {
            x: left,
            width: right - left,
            ..area
        };
        match all[(first + index as usize) % all.len()] {
            SweepPane::Map => map::view(sweep, theme, place, buf),
            SweepPane::Lines => lines::view((model, sweep), theme, place, buf),
            SweepPane::Effects | SweepPane::Charts => effects::view(sweep, theme, place, buf),
        }
        left = right;
    }
}

/// A mean in six characters or fewer.
fn short(value: f64) -> String {
    match value.abs() {
        _ if value.fract() == 0.0 && value.abs() < 1e6 => format!("{value:.0}"),
        10_000.0.. => format!("{value:.1e}"),
        100.0.. => format!("{value:.0}"),
        10.0.. => format!("{value:.1}"),
        _ => format!("{value:.3}"),
    }
}
