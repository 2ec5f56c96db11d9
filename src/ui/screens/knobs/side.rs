//! Draws what stands beside the list of settings: why to touch one, and what past changes did.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Widget};

use crate::params::{Kind, Param};
use crate::ui::theme::Theme;
use crate::ui::widgets::fit::{fit, wrap};
use crate::ui::widgets::frame::{Focus, Frame};
use crate::ui::widgets::text::inset;

use super::past::SPAN;
use super::view::pretty;
use super::{KnobsScreen, value};

impl KnobsScreen {
    pub(super) fn view_why(
        &self,
        knob: Option<&Param>,
        area: Rect,
        buf: &mut Buffer,
        theme: &Theme,
    ) {
        let frame = Frame::titled("Why touch this?");
        let inner = inset(frame.draw(Focus::Elsewhere, theme, area, buf), 1);
        let Some(knob) = knob else { return };
        let now = value(&self.now, &knob.key).unwrap_or_default();
        let is_roomy = inner.height > 8;
        let width = usize::from(inner.width);
        let mut lines = Vec::new();
        if is_roomy {
            lines.push(Line::styled(knob.label(), theme.accent));
            lines.push(Line::default());
        }
        let help = wrap(&knob.help, width);
        let room = usize::from(inner.height).saturating_sub(if is_roomy { 8 } else { 1 });
        lines.extend(
            help.into_iter()
                .take(room.max(1))
                .map(|line| Line::styled(line, theme.text)),
        );
        let fact = |name: &'static str, value: String| {
            Line::from(vec![
                Span::styled(format!("{name:<9}"), theme.dim),
                Span::styled(fit(&value, width.saturating_sub(9)), theme.text),
            ])
        };
        let unit = if knob.unit.is_empty() {
            String::new()
        } else {
            format!(" {}", knob.unit)
        };
        if is_roomy {
            lines.push(Line::default());
            lines.push(fact("now", format!("{}{unit}", pretty(&now))));
            lines.push(fact("next", format!("{}{unit}", pretty(&knob.value))));
            lines.push(fact("default", pretty(&knob.default)));
            lines.push(fact("allowed", allowed(knob)));
            lines.push(fact("in files", knob.key.clone()));
        } else {
            lines.push(fact("allowed", format!("{}{unit}", allowed(knob))));
        }
        Paragraph::new(lines).render(inner, buf);
    }

    pub(super) fn view_past(&self, area: Rect, buf: &mut Buffer, theme: &Theme) {
        let frame = Frame::titled("What your past edits did");
        let inner = inset(frame.draw(Focus::Elsewhere, theme, area, buf), 1);
        let width = usize::from(inner.width);
        let edits = self.past.edits();
        if edits.is_empty() {
            let words = format!(
                "Nothing yet. Each edit will be listed here with the objective before it and {SPAN} generations later."
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
                    "gen", "knob", "change", "objective"
                )
            } else {
                format!("{:<6}{:<14}{:<outcome$}", "gen", "knob", "objective")
            };
            lines.push(Line::styled(title, theme.dim));
        }
        let room = usize::from(inner.height).saturating_sub(lines.len());
        for edit in edits.iter().rev().take(room) {
            let turn = &edit.intervention;
            let percent = |value: f64| format!("{:.0}%", value * 100.0);
            let before = edit.before.map_or("?".to_owned(), percent);
            let after = edit
                .after
                .map_or("...".to_owned(), |(_, value)| percent(value));
            let label = super::label_of(&turn.key);
            let mut spans = vec![Span::styled(format!("{:<6}", turn.generation), theme.dim)];
            if is_wide {
                let change_text = format!("{}{arrow}{}", pretty(&turn.from), pretty(&turn.to));
                spans.push(Span::styled(
                    format!("{:<name$}", fit(&label, name.saturating_sub(1))),
                    theme.text,
                ));
                spans.push(Span::styled(
                    format!("{:<change$}", fit(&change_text, change - 1)),
                    theme.text,
                ));
            } else {
                let name = width.saturating_sub(6 + outcome).max(1);
                let text = format!("{label} {}", pretty(&turn.to));
                spans.push(Span::styled(
                    format!("{:<name$}", fit(&text, name - 1)),
                    theme.text,
                ));
            }
            spans.push(Span::styled(
                format!("{before} {arrow} {after}"),
                trend(edit.before, edit.after, theme),
            ));
            lines.push(Line::from(spans));
        }
        Paragraph::new(lines).render(inner, buf);
    }
}

/// What a setting may be, in a few words.
pub(super) fn allowed(knob: &Param) -> String {
    let or_none = match knob.kind {
        Kind::OptionalReal => " or None",
        _ => "",
    };
    match (&knob.kind, knob.limits) {
        (Kind::Switch, _) => "true or false".to_owned(),
        (Kind::Choice(names), _) => names.join(", "),
        (Kind::List | Kind::Reals, Some((low, high))) => format!("[{low} to {high}]"),
        (Kind::List, None) => "a list such as [2, 4]".to_owned(),
        (Kind::Reals, None) => "a list such as [1, -0.25]".to_owned(),
        (Kind::Text, _) => "text".to_owned(),
        (_, Some((low, high))) => format!("{low} to {}{or_none}", round_words(high)),
        (_, None) => "any number".to_owned(),
    }
}

/// A large limit in words.
fn round_words(value: f64) -> String {
    match value {
        _ if value >= 1e9 && value % 1e9 == 0.0 => format!("{} billion", value / 1e9),
        _ if value >= 1e6 && value % 1e6 == 0.0 => format!("{} million", value / 1e6),
        _ => value.to_string(),
    }
}

/// Whether the objective rose or fell after an edit, in color.
fn trend(before: Option<f64>, after: Option<(u64, f64)>, theme: &Theme) -> Style {
    match (before, after) {
        (Some(before), Some((_, after))) if after > before => theme.good,
        (Some(before), Some((_, after))) if after < before => theme.bad,
        _ => theme.dim,
    }
}
