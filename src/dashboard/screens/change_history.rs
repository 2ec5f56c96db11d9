//! The effects of past changes of parameters: the objective before each and up to twenty
//! generations later.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use crate::format;
use crate::model::run::{RunModel, parameter_name};
use crate::theme::Theme;
use crate::widgets::frame::{Focus, Frame};
use crate::widgets::text::put_all;
use crate::widgets::truncate::{pad, truncate, widest, wrapped};
use finches_engine::metrics::history::History;
use finches_engine::preset::Intervention;

/// The number of generations after which a change is evaluated.
const EVALUATION_SPAN: u64 = 20;

/// The objective before and after a change.
#[derive(Clone, Copy, Debug, PartialEq)]
struct ParameterEffect {
    /// The last objective before the change.
    before: Option<f64>,
    /// The last objective within the span after the change.
    after: Option<f64>,
    /// Whether all generations of the span have passed, so that it can be judged.
    is_over: bool,
}

impl ParameterEffect {
    const UNKNOWN: Self = Self {
        before: None,
        after: None,
        is_over: false,
    };

    /// The effect of a change in a generation on the objective, a column of the history.
    fn of(history: &History, objective: usize, generation: u64) -> Self {
        let read = |at: u64| history.read(objective, at);
        let before = generation.checked_sub(1).and_then(read);
        let after = read((generation + EVALUATION_SPAN).min(history.end()));
        Self {
            before: before
                .filter(|point| point.first < generation)
                .and_then(|point| point.bucket.mean()),
            after: after
                .filter(|point| point.last >= generation)
                .map(|point| point.bucket.last),
            is_over: generation + EVALUATION_SPAN <= history.end(),
        }
    }
}

/// Draws the past changes of a run with the objective before and after them.
pub(super) fn view(run: Option<&RunModel>, area: Rect, buf: &mut Buffer, theme: &Theme) {
    let frame = Frame::titled("Effects of past changes");
    let inner = frame.pane(Focus::Elsewhere, theme, area, buf);
    let width = usize::from(inner.width);
    let changes = run.map_or(&[][..], |run| &run.changes);
    let (Some(run), false) = (run, changes.is_empty()) else {
        let words = format!(
            "None yet. Each change is listed here with the objective before it and \
            {EVALUATION_SPAN} generations later."
        );
        put_all(buf, inner, wrapped(&words, width, theme.dim));
        return;
    };
    let arrow = theme.sign("→", ">");
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
    let generations = recent.iter().map(|change| format::whole(change.generation));
    let generations: Vec<String> = generations.collect();
    let first = 1 + widest(generations.iter().map(String::as_str).chain(["gen"]));
    let middle = width.saturating_sub(first + last);
    let head = format!("{:<first$}{:<middle$}objective", "gen", "change");
    let mut lines = vec![Line::styled(head, theme.dim)];
    let rows = recent.into_iter().zip(generations);
    for (((change, generation), effect), outcome) in rows.zip(effects).zip(outcomes) {
        let label = parameter_name(&change.key);
        let [from, to] = [&change.from, &change.to].map(|value| format::parameter(value));
        let texts = [
            format!("{label} {from} {arrow} {to}"),
            format!("{label} {to}"),
        ];
        let fitting = texts.iter().find(|text| text.chars().count() < middle);
        let text = truncate(fitting.unwrap_or(&texts[1]), middle.saturating_sub(1));
        lines.push(Line::from(vec![
            Span::styled(format!("{generation:<first$}"), theme.dim),
            Span::styled(pad(&text, middle), theme.text),
            Span::styled(outcome, trend(effect, theme)),
        ]));
    }
    put_all(buf, inner, lines);
}

/// The color for a rise or fall of the objective after a change.
fn trend(effect: ParameterEffect, theme: &Theme) -> Style {
    match (effect.before, effect.after) {
        _ if !effect.is_over => theme.dim,
        (Some(before), Some(after)) if after > before => theme.good,
        (Some(before), Some(after)) if after < before => theme.bad,
        _ => theme.dim,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use finches_engine::metrics::Row;

    #[test]
    fn a_change_is_judged_by_the_objective_before_it_and_twenty_generations_later() {
        let mut history = History::new(1);
        let mut check = |until: u64, at: u64, before: Option<f64>, after: Option<f64>| {
            while history.len() < until {
                let value = history.len() as f64;
                history.push(&Row::from_values(vec![Some(value)]));
            }
            let effect = ParameterEffect::of(&history, 0, at);
            assert_eq!((effect.before, effect.after), (before, after), "{at}");
            assert_eq!(effect.is_over, until > at + EVALUATION_SPAN, "{at}");
        };
        check(0, 0, None, None);
        check(50, 0, None, Some(20.0));
        check(50, 50, Some(49.0), None);
        check(55, 50, Some(49.0), Some(54.0));
        check(100, 50, Some(49.0), Some(70.0));
    }
}
