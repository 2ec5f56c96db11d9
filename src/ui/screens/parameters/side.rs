//! Draws the panes beside the list: the help of the selected parameter and the effects of past changes.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Widget};

use crate::params::Param;
use crate::preset::Intervention;
use crate::ui::format;
use crate::ui::model::run::{RunModel, parameter_name};
use crate::ui::theme::Theme;
use crate::ui::widgets::frame::{Focus, Frame};
use crate::ui::widgets::text::inset;
use crate::ui::widgets::truncate::{pad, truncate, widest, wrap};

use super::change_history::{EVALUATION_SPAN, ParameterEffect};
use super::words::{unit, valid_values, value_with_unit};
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
        let room = usize::from(inner.height).saturating_sub(if is_roomy { 9 } else { 2 });
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
        let with_unit = |value: &str| value_with_unit(param, value);
        let preset = with_unit(&self.initial_value(param));
        let default = with_unit(&param.default);
        let range = format!("{} {}", valid_values(param), unit(param));
        if is_roomy {
            lines.push(Line::default());
            lines.push(fact("now", with_unit(&now)));
            lines.push(fact("next", with_unit(&param.value)));
            lines.push(fact("preset", preset));
            lines.push(fact("default", default));
            lines.push(fact("range", range));
            lines.push(fact("key", param.key.clone()));
        } else {
            let engine = format!("{preset} (engine's default {default})");
            lines.push(fact("preset", engine));
            lines.push(fact("range", range));
        }
        Paragraph::new(lines).render(inner, buf);
    }
}

/// Draws the past changes of a run with the objective before and after them.
pub(super) fn view_changes(run: Option<&RunModel>, area: Rect, buf: &mut Buffer, theme: &Theme) {
    let frame = Frame::titled("Effects of past changes");
    let inner = inset(frame.draw(Focus::Elsewhere, theme, area, buf), 1);
    let width = usize::from(inner.width);
    let changes = run.map_or(&[][..], |run| &run.changes);
    let (Some(run), false) = (run, changes.is_empty()) else {
        let words = format!(
            "None yet. Each change is listed here with the objective before it and {EVALUATION_SPAN} generations later."
        );
        let lines = wrap(&words, width).into_iter();
        let lines = lines.map(|line| Line::styled(line, theme.dim));
        return Paragraph::new(lines.collect::<Vec<_>>()).render(inner, buf);
    };
    let arrow = if theme.ascii { ">" } else { "→" };
    let room = usize::from(inner.height).saturating_sub(1);
    let recent: Vec<_> = changes.iter().rev().take(room).collect();
    let effect = |change: &&Intervention| {
        let objective = run.objective();
        objective.map_or(ParameterEffect::UNKNOWN, |objective| {
            ParameterEffect::of(&run.history, objective, change.generation)
        })
    };
    let effects: Vec<ParameterEffect> = recent.iter().map(effect).collect();
    let outcome = |effect: &ParameterEffect| {
        let before = effect.before.map_or("start".to_owned(), format::percent);
        let after = effect.after.map_or("...".to_owned(), format::percent);
        format!("{before} {arrow} {after}")
    };
    let outcomes: Vec<String> = effects.iter().map(outcome).collect();
    let last = widest(outcomes.iter().map(String::as_str).chain(["objective"]));
    let middle = width.saturating_sub(6 + last);
    let head = format!("{:<6}{:<middle$}objective", "gen", "change");
    let mut lines = vec![Line::styled(head, theme.dim)];
    for ((change, effect), outcome) in recent.into_iter().zip(effects).zip(outcomes) {
        let label = parameter_name(&change.key);
        let [from, to] = [&change.from, &change.to].map(|value| format::parameter(value));
        let texts = [
            format!("{label} {from} {arrow} {to}"),
            format!("{label} {to}"),
        ];
        let fitting = texts.iter().find(|text| text.chars().count() < middle);
        let text = truncate(fitting.unwrap_or(&texts[1]), middle.saturating_sub(1));
        let generation = format::count(change.generation as f64);
        lines.push(Line::from(vec![
            Span::styled(format!("{generation:<6}"), theme.dim),
            Span::styled(pad(&text, middle), theme.text),
            Span::styled(outcome, trend(effect, theme)),
        ]));
    }
    Paragraph::new(lines).render(inner, buf);
}

/// The color for a rise or fall of the objective after a change.
fn trend(effect: ParameterEffect, theme: &Theme) -> Style {
    match (effect.before, effect.after) {
        (Some(before), Some(after)) if after > before => theme.good,
        (Some(before), Some(after)) if after < before => theme.bad,
        _ => theme.dim,
    }
}
