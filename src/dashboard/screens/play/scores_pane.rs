//! Draws the champion's scores of the moves as a list with bars, and its legend.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::screens::move_marks::marks;
use crate::theme::{ELLIPSIS, Theme};
use crate::widgets::bar::bar;
use crate::widgets::key_label::key_hints;
use crate::widgets::text::{cut_below, put_all};
use crate::widgets::truncate::{fit, pad, widest, wrapped};

use super::SCOPE;
use super::analysis::Analysis;
use super::screen::PlayAction;
use finches_engine::play::score_scale;

/// The scores of the moves in a position.
pub(super) struct ScoreList<'a> {
    pub(super) analysis: &'a Analysis,
    /// The moves under the cursor.
    pub(super) pointed: Vec<String>,
    /// Whether the board shows them too.
    pub(super) has_notes: bool,
    /// The unit of the scores.
    pub(super) unit: &'a str,
}

impl ScoreList<'_> {
    pub(super) fn draw(&self, area: Rect, buf: &mut Buffer, theme: &Theme) {
        let mut legend = self.legend(area.width.into(), theme);
        // If room is short, moves come before the legend.
        legend.truncate(match area.height {
            ..5 => 0,
            5..8 => 1,
            8..12 => 2,
            _ => legend.len(),
        });
        let (list, below) = cut_below(area, legend.len() as u16);
        put_all(buf, list, self.lines(list, theme));
        put_all(buf, below, legend);
    }

    /// A row per move, the best first. If room is short, the selected move takes the last row but
    /// one, and the last one says how many are left out.
    fn lines(&self, area: Rect, theme: &Theme) -> Vec<Line<'static>> {
        let pointed = &self.pointed;
        let scores = &self.analysis.evaluations.scores;
        let height = usize::from(area.height);
        let is_cut = scores.len() > height && height > 2;
        let height = height - usize::from(is_cut);
        let place = scores
            .iter()
            .position(|(word, _)| pointed.contains(word))
            .unwrap_or(0);
        let truth = |word: &String| {
            let wins = self.analysis.winning.as_ref()?.contains(word);
            let told = [(" loses", theme.dim), (" wins ", theme.good)][usize::from(wins)];
            Some(Span::styled(told.0, told.1))
        };
        let figures = 16 + 6 * u16::from(self.analysis.winning.is_some());
        let wide = widest(scores.iter().map(|(word, _)| word.as_str())).clamp(3, 12);
        let bars = area.width.saturating_sub(wide as u16 + figures).min(32);
        let top = height.saturating_sub(usize::from(place >= height));
        let rows = scores
            .iter()
            .take(top)
            .chain(scores.get(place).filter(|_| top < height));
        let row = |(word, value): &(String, f32)| {
            let share = self.analysis.share(*value);
            let is_wanted = self.analysis.evaluations.chosen.as_ref() == Some(word);
            let is_hinted = self.analysis.hints.contains(word);
            let is_pointed = pointed.contains(word);
            let (cursor, wanted, hinted) = marks(theme);
            let mark = |on: bool, mark: &'static str| if on { mark } else { " " };
            let name = if is_pointed { theme.accent } else { theme.text };
            let filled = if is_wanted {
                theme.series[0]
            } else {
                theme.border
            };
            let mut line = Line::from(vec![
                Span::styled(mark(is_pointed, cursor), theme.accent),
                Span::raw(" "),
                Span::styled(fit(word, wide) + "  ", name),
                Span::styled(pad(&bar(share.max(0.0), bars, theme), bars.into()), filled),
                Span::styled(format!(" {:>5} ", score_scale::text(share)), name),
                Span::styled(mark(is_wanted, wanted), theme.series[0]),
            ]);
            line.extend(truth(word));
            line.extend([
                Span::raw(" "),
                Span::styled(mark(is_hinted, hinted), theme.good),
            ]);
            line
        };
        let left_out = is_cut.then(|| {
            let words = format!("  {ELLIPSIS} {} more", scores.len() - height);
            Line::styled(words, theme.dim)
        });
        rows.map(row).chain(left_out).collect()
    }

    /// The legend of numbers and marks.
    fn legend(&self, width: usize, theme: &Theme) -> Vec<Line<'static>> {
        let (_, wanted, hinted) = marks(theme);
        let mut marks = vec![
            Span::styled(wanted, theme.series[0]),
            Span::styled(
                match self.analysis.evaluations.chosen {
                    Some(_) if self.analysis.search.level().is_some() => " played at this level",
                    Some(_) => " champion's choice",
                    None => " champion's choice is illegal",
                },
                theme.dim,
            ),
        ];
        if !self.analysis.hints.is_empty() {
            marks.push(Span::styled(format!("   {hinted}"), theme.good));
            marks.push(Span::styled(" hint", theme.dim));
        }
        let unit = self
            .analysis
            .scale
            .map(|scale| scale.legend(self.unit, width));
        let truth = self.analysis.winning.as_ref();
        let truth = truth.map(|_| "wins, loses: the oracle, against perfect play".to_owned());
        let key = |words| key_hints(SCOPE, &[(&[PlayAction::ShowValues.action()], words)], theme);
        let mut lines = vec![Line::from(marks)];
        lines.push(key(if self.has_notes {
            " hides the scores"
        } else {
            " shows the scores on the board"
        }));
        for words in truth.into_iter().chain(unit) {
            lines.extend(wrapped(&words, width, theme.dim));
        }
        lines
    }
}
