//! Beside the list on wide terminals: how many entries there are, what happened how often, and the
//! best networks.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::format;
use crate::model::run::RunModel;
use crate::theme::Theme;
use crate::widgets::bar::bar;
use crate::widgets::frame::{Focus, Frame};
use crate::widgets::text::put_all;
use finches_runs::log::LogEntry;

use super::sentence::{EntryKind, best, duration, generation, is_start, kind, saving};
use super::view::{level_name, level_style};
use super::{LEVELS, LogScreen};

const LABEL: usize = 12;

impl LogScreen {
    pub(super) fn summary(
        &self,
        run: Option<&RunModel>,
        theme: &Theme,
        area: Rect,
        buf: &mut Buffer,
    ) {
        let inner = Frame::titled("Summary").pane(Focus::Elsewhere, theme, area, buf);
        let entries = || self.entries.iter();
        let mut lines = vec![heading("Entries", theme)];
        let counts = LEVELS.map(|level| entries().filter(|entry| entry.level == level).count());
        let most = counts.into_iter().max().unwrap_or(0).max(1);
        let bar_width = inner.width.saturating_sub(LABEL as u16 + 9);
        for (level, count) in LEVELS.into_iter().zip(counts) {
            let share = count as f64 / most as f64;
            lines.push(Line::from(vec![
                Span::styled(format!("{:<LABEL$}", level_name(level)), theme.dim),
                Span::styled(format!("{:>7}  ", format::count(count as f64)), theme.text),
                Span::styled(bar(share, bar_width, theme), level_style(level, theme)),
            ]));
        }
        lines.push(Line::default());
        lines.push(heading("This session", theme));
        let runs = entries().filter(|entry| is_start(entry));
        lines.push(figure("runs", runs.count().to_string(), theme));
        let changes = entries().filter(|entry| kind(entry) == EntryKind::Change);
        lines.push(figure("changes", changes.count().to_string(), theme));
        lines.push(figure("saved", saves(entries()), theme));
        if let Some(run) = run {
            let all = run.breakpoints.texts.join(", ");
            let all = if all.is_empty() {
                "none".to_owned()
            } else {
                all
            };
            lines.push(figure("breakpoints", all, theme));
        }
        let bests: Vec<(&LogEntry, f64)> = entries()
            .filter_map(|entry| Some((entry, best(entry)?)))
            .collect();
        let left = usize::from(inner.height).saturating_sub(lines.len() + 2);
        if !bests.is_empty() && left > 0 {
            lines.push(Line::default());
            lines.push(heading("Best networks, newest first", theme));
        }
        for (entry, value) in bests.into_iter().rev().take(left) {
            let generation = generation(entry).map_or_else(String::new, format::whole);
            lines.push(Line::from(vec![
                Span::styled(format!("gen {generation:<8}"), theme.dim),
                Span::styled(format!("{:>7}  ", format::percent(value)), theme.text),
                Span::styled(bar(value, bar_width, theme), theme.series[0]),
            ]));
        }
        put_all(buf, inner, lines);
    }
}

fn heading<'a>(words: &'a str, theme: &Theme) -> Line<'a> {
    Line::styled(words, theme.accent)
}

fn figure<'a>(label: &str, value: String, theme: &Theme) -> Line<'a> {
    Line::from(vec![
        Span::styled(format!("{label:<LABEL$}"), theme.dim),
        Span::styled(value, theme.text),
    ])
}

/// How often runs were saved, and the longest time that it took.
fn saves<'e>(entries: impl Iterator<Item = &'e LogEntry>) -> String {
    let times: Vec<f64> = entries.filter_map(saving).collect();
    let longest = times.iter().copied().reduce(f64::max);
    match (times.len(), longest) {
        (1, Some(only)) => format!("once, in {}", duration(only)),
        (count, Some(longest)) => format!("{count} times, longest {}", duration(longest)),
        _ => "not yet".to_owned(),
    }
}
