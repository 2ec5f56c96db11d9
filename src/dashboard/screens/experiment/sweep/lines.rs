//! All combinations of a sweep as lines: an axis for each parameter and, on the right, one for the
//! result.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use crate::screens::experiment::ExperimentScreen;
use crate::theme::Theme;
use crate::widgets::canvas::{DotCanvas, DotGlyphs};
use crate::widgets::frame::{Focus, Frame};
use crate::widgets::text::{inset, put};
use crate::widgets::truncate::truncate;
use finches_lab::experiment::sweep::results::CombinationResult;

use super::{SweepView, short};

/// A ratio of ends above which an axis is logarithmic.
const LOG_FROM: f64 = 50.0;

/// The groups of lines, the most important first: the selected one, the best tenth, the others.
const SELECTED: u8 = 0;
const BEST: u8 = 1;
const OTHERS: u8 = 2;

/// The marks of the groups without braille.
const MARKS: [char; 3] = ['#', '*', '.'];

/// An axis: where the values of the combinations lie on it, 0..=1, and what is at its ends.
struct LineAxis {
    name: String,
    places: Vec<Option<f64>>,
    low: String,
    high: String,
}

pub(super) fn view(
    (model, sweep): (&ExperimentScreen, &SweepView),
    theme: &Theme,
    area: Rect,
    buf: &mut Buffer,
) {
    let frame = Frame {
        title: Line::from("All combinations"),
        bottom_right: legend(theme),
        ..Frame::default()
    };
    let inner = inset(frame.draw(Focus::Elsewhere, theme, area, buf), 1);
    let combinations = &sweep.results.combinations;
    if combinations.iter().all(|one| one.all.is_none()) || inner.height < 6 {
        put(
            buf,
            inner,
            0,
            Span::styled("no finished run yet", theme.dim),
        );
        return;
    }
    let axes = axes(sweep);
    let lines = Rect {
        y: inner.y + 2,
        height: inner.height - 3,
        ..inner
    };
    let at = |axis: usize| place(axis, axes.len(), lines.width);
    for (index, axis) in axes.iter().enumerate() {
        let column = label_area(index, axes.len(), inner);
        let texts = [
            (0, &axis.name, theme.strong),
            (1, &axis.high, theme.dim),
            (inner.height - 1, &axis.low, theme.dim),
        ];
        for (row, text, style) in texts {
            let text = truncate(text, column.width.saturating_sub(1).into());
            let shift = aligned(
                at(index),
                text.chars().count() as u16,
                (column.x - inner.x, column.width),
            );
            let place = Rect {
                x: inner.x + shift,
                width: column.right().saturating_sub(inner.x + shift),
                ..column
            };
            put(buf, place, row, Span::styled(text, style));
        }
        for y in 0..lines.height {
            let bar = if theme.ascii { "|" } else { "│" };
            let column = Rect {
                x: lines.x + at(index),
                width: 1,
                ..lines
            };
            put(buf, column, y, Span::styled(bar, theme.border));
        }
    }
    let mut canvas = DotCanvas::new(lines.width, lines.height);
    let best = combinations.len().div_ceil(10);
    for (rank, combination) in combinations.iter().enumerate().rev() {
        let group = match rank {
            _ if combination.index == model.selected => SELECTED,
            rank if rank < best => BEST,
            _ => OTHERS,
        };
        draw(&mut canvas, (&axes, rank), lines.width, group);
    }
    let style = |line: u8, _| group_style(line, theme);
    let glyphs = if theme.ascii {
        DotGlyphs::Custom(&MARKS)
    } else {
        DotGlyphs::Braille
    };
    canvas.draw(lines, style, glyphs, buf);
}

/// Draws the line of a combination, by its rank.
fn draw(canvas: &mut DotCanvas, (axes, rank): (&[LineAxis], usize), width: u16, group: u8) {
    let top = canvas.dot_rows().saturating_sub(1) as f64;
    let dot = |index: usize, axis: &LineAxis| {
        let share = axis.places[rank]?;
        Some((
            usize::from(place(index, axes.len(), width)) * 2,
            (share * top).round() as usize,
        ))
    };
    let dots: Option<Vec<(usize, usize)>> = axes
        .iter()
        .enumerate()
        .map(|(index, axis)| dot(index, axis))
        .collect();
    for pair in dots.iter().flat_map(|dots| dots.windows(2)) {
        canvas.stroke(pair[0], pair[1], group);
    }
}

fn group_style(group: u8, theme: &Theme) -> Style {
    match group {
        SELECTED => theme.accent,
        BEST => theme.good,
        _ => theme.faint,
    }
}

fn legend<'a>(theme: &Theme) -> Line<'a> {
    let word = |group: u8, word: &'static str| {
        let mark = if theme.ascii {
            MARKS[group as usize]
        } else {
            '━'
        };
        Span::styled(format!("{mark} {word}  "), group_style(group, theme))
    };
    Line::from(vec![
        word(SELECTED, "selected"),
        word(BEST, "best tenth"),
        word(OTHERS, "others"),
    ])
}

/// The column of an axis: the first at the left edge, the last at the right.
fn place(index: usize, count: usize, width: u16) -> u16 {
    let last = u32::from(width.saturating_sub(1));
    (last * index as u32 / (count.max(2) - 1) as u32) as u16
}

/// The area for the texts of an axis: half of the way to its neighbors.
fn label_area(index: usize, count: usize, inner: Rect) -> Rect {
    let edge = |half: usize| place(half, 2 * count.max(2) - 1, inner.width);
    let left = if index == 0 { 0 } else { edge(2 * index - 1) };
    let right = if index + 1 == count {
        inner.width
    } else {
        edge(2 * index + 1)
    };
    Rect {
        x: inner.x + left,
        width: right - left,
        ..inner
    }
}

/// Where a text begins so that it is centered on an axis, within its area.
fn aligned(axis: u16, length: u16, (left, width): (u16, u16)) -> u16 {
    let last = (left + width).saturating_sub(length).max(left);
    axis.saturating_sub(length / 2).clamp(left, last)
}

fn axes(sweep: &SweepView) -> Vec<LineAxis> {
    let results = &sweep.results;
    let combinations = &results.combinations;
    let mut axes: Vec<LineAxis> = Vec::new();
    for (index, name) in results.parameters.iter().enumerate() {
        let values = combinations.iter().map(|one| one.values[index].as_str());
        axes.push(axis(name.clone(), &values.collect::<Vec<&str>>()));
    }
    axes.push(result_axis(results.is_lowest_best, combinations));
    axes
}

/// The axis of a parameter: numbers by their size, words evenly spread.
fn axis(name: String, values: &[&str]) -> LineAxis {
    let numbers: Option<Vec<f64>> = values.iter().map(|text| text.parse().ok()).collect();
    if let Some(numbers) = numbers {
        let (low, high) = ends(numbers.iter().copied());
        let scale = |value: f64| {
            if low > 0.0 && high / low >= LOG_FROM {
                value.ln()
            } else {
                value
            }
        };
        let share = |value: f64| (scale(value) - scale(low)) / (scale(high) - scale(low));
        let shares = numbers.iter().map(|&value| {
            Some(share(value))
                .filter(|share| share.is_finite())
                .or(Some(0.5))
        });
        return LineAxis {
            name,
            places: shares.collect(),
            low: format!("{low}"),
            high: format!("{high}"),
        };
    }
    let mut known: Vec<&str> = values.to_vec();
    known.sort_unstable();
    known.dedup();
    let last = known.len().saturating_sub(1).max(1) as f64;
    let share = |value: &&str| Some(known.iter().position(|one| one == value)? as f64 / last);
    LineAxis {
        name,
        places: values.iter().map(share).collect(),
        low: known
            .first()
            .map_or_else(String::new, |one| (*one).to_owned()),
        high: known
            .last()
            .map_or_else(String::new, |one| (*one).to_owned()),
    }
}

/// The axis of the result, with the best at the top.
fn result_axis(is_lowest_best: bool, combinations: &[CombinationResult]) -> LineAxis {
    let means = || combinations.iter().map(|one| one.all.map(|all| all.mean));
    let (low, high) = ends(means().flatten());
    let (bottom, top) = if is_lowest_best {
        (high, low)
    } else {
        (low, high)
    };
    let share = |mean: f64| {
        let share = (mean - bottom) / (top - bottom);
        if share.is_finite() { share } else { 0.5 }
    };
    LineAxis {
        name: "mean".to_owned(),
        places: means().map(|mean| mean.map(share)).collect(),
        low: short(bottom),
        high: short(top),
    }
}

fn ends(values: impl Iterator<Item = f64>) -> (f64, f64) {
    values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
        (low.min(value), high.max(value))
    })
}
