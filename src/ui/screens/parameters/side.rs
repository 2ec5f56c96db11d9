//! Draws the panes beside the list: the help of the selected parameter and the effects of past changes.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Widget};

use crate::params::{Param, ParamKind};
use crate::ui::theme::Theme;
use crate::ui::widgets::frame::{Focus, Frame};
use crate::ui::widgets::text::inset;
use crate::ui::widgets::truncate::{pad, truncate, wrap};

use super::change_history::EVALUATION_SPAN;
use super::view::display_value;
use super::{ParametersScreen, value};

impl ParametersScreen {
    pub(super) fn view_help(
        &self,
        param: Option<&Param>,
        area: Rect,
        buf: &mut Buffer,
        theme: &Theme,
    ) {
        let frame = Frame::titled("Why change this?");
        let inner = inset(frame.draw(Focus::Elsewhere, theme, area, buf), 1);
        let Some(param) = param else { return };
        let now = value(&self.now, &param.key).unwrap_or_default();
        let is_roomy = inner.height > 8;
        let width = usize::from(inner.width);
        let mut lines = Vec::new();
        if is_roomy {
            lines.push(Line::styled(param.label(), theme.accent));
            lines.push(Line::default());
        }
        let help = wrap(&param.help, width);
        let room = usize::from(inner.height).saturating_sub(if is_roomy { 8 } else { 1 });
        lines.extend(
            help.into_iter()
                .take(room.max(1))
                .map(|line| Line::styled(line, theme.text)),
        );
        let fact = |name: &'static str, value: String| {
            Line::from(vec![
                Span::styled(format!("{name:<9}"), theme.dim),
                Span::styled(truncate(&value, width.saturating_sub(9)), theme.text),
            ])
        };
        let unit = if param.unit.is_empty() {
            String::new()
        } else {
            format!(" {}", param.unit)
        };
        if is_roomy {
            lines.push(Line::default());
            lines.push(fact("now", format!("{}{unit}", display_value(&now))));
            lines.push(fact(
                "next",
                format!("{}{unit}", display_value(&param.value)),
            ));
            lines.push(fact("default", display_value(&param.default)));
            lines.push(fact("range", valid_values(param)));
            lines.push(fact("key", param.key.clone()));
        } else {
            lines.push(fact("range", format!("{}{unit}", valid_values(param))));
        }
        Paragraph::new(lines).render(inner, buf);
    }

    pub(super) fn view_changes(&self, area: Rect, buf: &mut Buffer, theme: &Theme) {
        let frame = Frame::titled("Effects of past changes");
        let inner = inset(frame.draw(Focus::Elsewhere, theme, area, buf), 1);
        let width = usize::from(inner.width);
        let changes = self.history.changes();
        if changes.is_empty() {
            let words = format!(
                "None yet. Each change is listed here with the objective before it and {EVALUATION_SPAN} generations later."
            );
            let lines = wrap(&words, width).into_iter();
            let lines = lines.map(|line| Line::styled(line, theme.dim));
            return Paragraph::new(lines.collect::<Vec<_>>()).render(inner, buf);
        }
        let arrow = if theme.ascii { ">" } else { "→" };
        let outcome = 11;
        let change = if width < 60 { 11 } else { 18 };
        let name = width.saturating_sub(6 + outcome + change);
        let is_wide = name >= 6;
        let mut lines = Vec::new();
        if inner.height > 6 {
            let title = if is_wide {
                format!(
                    "{:<6}{:<name$}{:<change$}{:<outcome$}",
                    "gen", "parameter", "change", "objective"
                )
            } else {
                format!("{:<6}{:<14}{:<outcome$}", "gen", "parameter", "objective")
            };
            lines.push(Line::styled(title, theme.dim));
        }
        let room = usize::from(inner.height).saturating_sub(lines.len());
        for recorded in changes.iter().rev().take(room) {
            let intervention = &recorded.intervention;
            let percent = |value: f64| format!("{:.0}%", value * 100.0);
            let before = recorded.before.map_or("?".to_owned(), percent);
            let after = recorded
                .after
                .map_or("...".to_owned(), |(_, value)| percent(value));
            let label = super::label_of(&intervention.key);
            let mut spans = vec![Span::styled(
                format!("{:<6}", intervention.generation),
                theme.dim,
            )];
            if is_wide {
                let change_text = format!(
                    "{}{arrow}{}",
                    display_value(&intervention.from),
                    display_value(&intervention.to)
                );
                spans.push(Span::styled(
                    pad(&truncate(&label, name.saturating_sub(1)), name),
                    theme.text,
                ));
                spans.push(Span::styled(
                    pad(&truncate(&change_text, change - 1), change),
                    theme.text,
                ));
            } else {
                let name = width.saturating_sub(6 + outcome).max(1);
                let text = format!("{label} {}", display_value(&intervention.to));
                spans.push(Span::styled(
                    pad(&truncate(&text, name - 1), name),
                    theme.text,
                ));
            }
            spans.push(Span::styled(
                format!("{before} {arrow} {after}"),
                trend(recorded.before, recorded.after, theme),
            ));
            lines.push(Line::from(spans));
        }
        Paragraph::new(lines).render(inner, buf);
    }
}

/// The valid values of a parameter, in a few words.
pub(super) fn valid_values(param: &Param) -> String {
    let or_none = match param.kind {
        ParamKind::OptionalReal => " or None",
        _ => "",
    };
    match (&param.kind, param.limits) {
        (ParamKind::Boolean, _) => "true or false".to_owned(),
        (ParamKind::Choice(names), _) => names.join(", "),
        (ParamKind::IntegerList | ParamKind::RealList, Some((low, high))) => {
            format!("[{low} to {high}]")
        }
        (ParamKind::IntegerList, None) => "a list such as [2, 4]".to_owned(),
        (ParamKind::RealList, None) => "a list such as [1, -0.25]".to_owned(),
        (ParamKind::Text, _) => "text".to_owned(),
        (_, Some((low, high))) => format!("{low} to {}{or_none}", round_words(high)),
        (_, None) => "any number".to_owned(),
    }
}

/// Formats a large limit in millions or billions.
fn round_words(value: f64) -> String {
    match value {
        _ if value >= 1e9 && value % 1e9 == 0.0 => format!("{} billion", value / 1e9),
        _ if value >= 1e6 && value % 1e6 == 0.0 => format!("{} million", value / 1e6),
        _ => value.to_string(),
    }
}

/// The color for a rise or fall of the objective after a change.
fn trend(before: Option<f64>, after: Option<(u64, f64)>, theme: &Theme) -> Style {
    match (before, after) {
        (Some(before), Some((_, after))) if after > before => theme.good,
        (Some(before), Some((_, after))) if after < before => theme.bad,
        _ => theme.dim,
    }
}
