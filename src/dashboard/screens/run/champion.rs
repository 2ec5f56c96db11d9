//! The champion's latest scores against each reference opponent.

use ratatui::buffer::Buffer;
use ratatui::text::{Line, Span};

use crate::format;
use crate::model::health::RunHealth;
use crate::model::run::RunModel;
use crate::screens::placeholder;
use crate::theme::Theme;
use crate::widgets::frame::Frame;
use crate::widgets::sparkline::{SparklineGlyphs, sparkline};
use crate::widgets::text::put;
use crate::widgets::truncate::{truncate, wrap};
use finches_engine::games::heuristic::Heuristic;
use finches_engine::metrics::stats::wilson;
use finches_engine::metrics::{Basis, Column};
use finches_engine::play::health::CoevolutionVerdict;
use finches_engine::play::reference_player::ReferencePlayer;
use finches_engine::session::measures::versus;
use finches_engine::text::counted;

use super::charts::{PaneContext, has_trend};

pub(super) fn view(watch: &RunModel, context: PaneContext<'_>, buf: &mut Buffer) {
    let theme = context.theme;
    let right = watch.snapshot.as_ref().map_or(Line::default(), |snapshot| {
        let champion = &snapshot.champion;
        let is_behind = watch.is_followed() && champion.generation + 1 < watch.generation;
        let words = format!(
            "g{}{}, fitness {}",
            champion.generation,
            if is_behind { " (last saved)" } else { "" },
            format::short(champion.fitness)
        );
        Line::styled(words, theme.dim)
    });
    let opponents = opponents(watch);
    let earlier = opponents.iter().filter_map(|column| earlier(watch, column));
    let earlier = earlier.max().map_or(String::new(), |generation| {
        let generation = format::whole(generation);
        format!("* of the champion of generation {generation}")
    });
    let frame = Frame {
        right,
        bottom_left: Line::styled(earlier, theme.dim),
        ..Frame::titled("Champion")
    };
    let inner = frame.pane(context.focus, theme, context.area, buf);
    let trend = (inner.width as usize).saturating_sub(16 + 6 + 9 + 2);
    let mut head = format!("{:<16} {:>5}  {:<7}", "measure", "share", "95% CI");
    if trend >= 6 {
        head.push_str("  trend");
    }
    if opponents.is_empty() {
        placeholder::draw(Some(watch), theme, inner, buf);
        return;
    }
    // A measure says more than the head.
    let top = u16::from(opponents.len() < usize::from(inner.height));
    if top > 0 {
        put(buf, inner, 0, Span::styled(head, theme.dim));
    }
    for (row, column) in opponents.iter().enumerate() {
        let line = line(watch, column, trend, theme);
        put(buf, inner, row as u16 + top, line);
    }
    let mut row = opponents.len() as u16 + top;
    let clear = |health: &&RunHealth| health.diagnosis.verdict != CoevolutionVerdict::Unclear;
    if let Some(health) = watch.health.as_ref().filter(clear) {
        // A blank line before it, if there is room.
        row = (row + 1).min(inner.height.saturating_sub(1)).max(row);
        let age = watch.generation.saturating_sub(health.generation + 1);
        put(buf, inner, row, verdict(health, age, inner.width, theme));
    }
    row += 2;
    for words in players(watch, &opponents) {
        let lines = wrap(&words, inner.width.into());
        // Only whole sentences.
        if row + lines.len() as u16 > inner.height {
            break;
        }
        for words in lines {
            put(buf, inner, row, Span::styled(words, theme.dim));
            row += 1;
        }
    }
}

/// The latest verdict on coevolution, of `age` generations ago, with as much of when that was as
/// there is room for.
fn verdict(health: &RunHealth, age: u64, width: u16, theme: &Theme) -> Line<'static> {
    let style = if health.is_ill() {
        theme.warning
    } else {
        theme.dim
    };
    let generation = format::whole(health.generation);
    let name = health.diagnosis.verdict.name();
    let ago = format!(
        " {name} at g{generation}, {} ago",
        counted(age, "generation")
    );
    let forms = [ago, format!(" {name}, g{generation}")];
    let room = usize::from(width).saturating_sub(16);
    let mut forms = forms.into_iter().skip(usize::from(age == 0));
    let words = forms.find(|words| words.len() <= room);
    Line::from(vec![
        Span::styled(format!("{:<16}", "coevolution"), theme.dim),
        Span::styled(
            words.unwrap_or_else(|| truncate(&format!(" {name}"), room)),
            style,
        ),
    ])
}

/// What the players of the table do.
fn players(watch: &RunModel, opponents: &[&Column]) -> Vec<String> {
    let is_met = |player: &str| {
        let name = versus::CHAMPION.name_against(player);
        opponents.iter().any(|column| column.name == name)
    };
    let oracle = ReferencePlayer::Oracle.name(&[]);
    let perfect = format!("{oracle}: plays perfectly; 50% is about the most against it");
    let known = watch.facts.arena.info().heuristics.iter();
    let met = known.filter(|heuristic| is_met(heuristic.name));
    let words = |heuristic: &Heuristic| match heuristic.about.split_once(": ") {
        Some((full, about)) => format!("{full} ({}): {about}", heuristic.name),
        None => format!("{}: {}", heuristic.name, heuristic.about),
    };
    let perfect = is_met(&oracle).then_some(perfect);
    met.map(words).chain(perfect).collect()
}

/// The columns of reference opponents and of other measures of the champion that have a value, the
/// objective first. Once a run has met its target, what is known of earlier champions alone is left
/// out: it says nothing of the one that met it.
fn opponents(watch: &RunModel) -> Vec<&Column> {
    let columns = watch.facts.columns.all().iter();
    let is_solved = watch.end.target.is_some();
    let is_measured = |column: &&Column| {
        column.basis != Basis::Unstated
            && watch.sample(column) != Some(0)
            && watch.last(&column.name).is_some()
            && !(is_solved && earlier(watch, column).is_some())
    };
    let mut measured: Vec<&Column> = columns.filter(is_measured).collect();
    measured.sort_by_key(|column| Some(*column) != watch.objective_column());
    measured
}

/// The last generation with a value, or the last of its bucket, if it is not the latest.
fn earlier(watch: &RunModel, column: &Column) -> Option<u64> {
    let measured = watch.measured(&column.name)?;
    (measured < watch.history.end()).then_some(measured)
}

fn line<'a>(watch: &RunModel, column: &Column, trend: usize, theme: &Theme) -> Line<'a> {
    let name = match column.basis {
        Basis::HeldOut => &*column.label,
        Basis::Moves => "right in games",
        Basis::Positions => "right overall",
        Basis::Tournament => "past champions",
        _ => &*column.short,
    };
    let value = watch.last(&column.name);
    let share = value.map_or("-".to_owned(), format::percent);
    let interval = match (value, column.basis, watch.sample(column)) {
        (None, ..) => String::new(),
        // Moves of the same games are no independent samples.
        (_, Basis::Moves | Basis::WinnablePositions, _) => "-".to_owned(),
        (Some(value), _, Some(games)) => {
            let (low, high) = wilson(value, games);
            format!("{:.0}–{:.0}", low * 100.0, high * 100.0)
        }
        _ => "exact".to_owned(),
    };
    let (mark, text, strong) = match earlier(watch, column) {
        Some(_) => ("*", theme.dim, theme.dim),
        None => (" ", theme.text, theme.strong),
    };
    let mut spans = vec![
        Span::styled(format!("{:<16}", truncate(name, 16)), text),
        Span::styled(format!(" {share:>5}"), strong),
        Span::styled(format!("{mark} {interval:<7}"), theme.dim),
    ];
    if trend >= 6 {
        let width = trend.min(24);
        let buckets = watch.buckets(&column.name);
        if has_trend(buckets) {
            let line = sparkline(buckets, width, Some((0.0, 1.0)), SparklineGlyphs::of(theme));
            spans.push(Span::styled(format!("  {line}"), theme.series[0]));
        }
    }
    Line::from(spans)
}
