//! The progress within a generation that takes long, for the first line of the dashboard.

use ratatui::text::{Line, Span};

use crate::model::run::RunModel;
use crate::screens::placeholder;
use crate::theme::Theme;
use crate::widgets::gauge::gauge;

/// The left end of the first line with the progress of a generation that takes long, the longest
/// form first.
pub(super) fn beside<'a>(watch: &RunModel, left: &Line<'a>, theme: &Theme) -> Vec<Line<'a>> {
    const WIDTH: u16 = 8;
    const SEED: usize = 2;
    let Some(phase) = watch.timing.within_generation() else {
        return Vec::new();
    };
    let bar = |mut line: Line<'a>, words: String| {
        let share = phase.share().unwrap_or(1.0);
        line.push_span(" ");
        line.extend(gauge(share, WIDTH, theme.good, theme));
        line.push_span(Span::styled(format!(" {words}"), theme.dim));
        line
    };
    let [long, brief] = placeholder::phase_words(phase);
    let mut short = left.clone();
    short.spans.remove(SEED);
    vec![
        bar(left.clone(), long.clone()),
        bar(short.clone(), long),
        bar(short.clone(), brief),
        bar(short, String::new()),
    ]
}
