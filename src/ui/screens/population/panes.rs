//! What stands beside the table of members: how their fitness is spread, and how each kind of origin does.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::evolution::breed::Origin;
use crate::ui::theme::Theme;
use crate::ui::widgets::bar::bar;
use crate::ui::widgets::fit::wrap;
use crate::ui::widgets::frame::{Focus, Frame};
use crate::ui::widgets::histogram::Histogram;
use crate::ui::widgets::text::{inset, put, put_right};
use crate::ui::words;

use super::roll::{Member, Roll, origin_word};

/// Origins in the order in which they are told.
const ORIGINS: [Origin; 4] = [
    Origin::Elite,
    Origin::Cross,
    Origin::Mutant,
    Origin::Newcomer,
];

/// How many members have about which fitness; the bar of the selected one stands out.
pub(super) fn fitness(
    roll: &Roll,
    selected: Option<&Member>,
    theme: &Theme,
    area: Rect,
    buf: &mut Buffer,
) {
    let played = &roll.census.fitness;
    if played.is_empty() {
        let inner = Frame::titled("Fitness").draw(Focus::Elsewhere, theme, area, buf);
        let words = "what they came to is not kept with the population";
        return explain(words, theme, inset(inner, 1), buf);
    }
    let mean = played.iter().sum::<f64>() / played.len() as f64;
    let selected = selected.and_then(|member| Some((member.place, member.fitness?)));
    let frame = Frame {
        title: Line::from("Fitness"),
        right: selected.map_or(Line::default(), |(place, fitness)| {
            Line::from(vec![
                Span::styled(format!("member {} ", place + 1), theme.dim),
                Span::styled(words::short(fitness), theme.accent),
            ])
        }),
        bottom_left: Line::styled(format!("mean {}", words::short(mean)), theme.dim),
        ..Frame::default()
    };
    let inner = inset(frame.draw(Focus::Elsewhere, theme, area, buf), 1);
    let (low, high) = roll.ends();
    if inner.height < 2 || inner.width < 4 {
        return;
    }
    let bins = bins(played.len(), inner.width);
    let bin = |fitness: f64| bin(fitness, (low, high), bins);
    let mut counts = vec![0_u32; bins];
    for &fitness in played {
        counts[bin(fitness)] += 1;
    }
    let histogram = Histogram {
        counts: &counts,
        marked: selected.map(|(_, fitness)| bin(fitness)),
        style: theme.series[1],
    };
    let bars = Rect {
        width: histogram.width(inner.width),
        height: inner.height - 1,
        ..inner
    };
    histogram.draw(theme, bars, buf);
    let axis = Rect {
        y: bars.bottom(),
        height: 1,
        ..bars
    };
    put(buf, axis, 0, Span::styled(words::short(low), theme.dim));
    if high > low {
        put_right(buf, axis, 0, Span::styled(words::short(high), theme.dim));
    }
}

/// Bars for so many members in so many columns: about the square root of their number, as is the custom, and at least a few.
fn bins(members: usize, width: u16) -> usize {
    let most = usize::from(width).max(1);
    ((members as f64).sqrt() * 2.0)
        .ceil()
        .max(6.0)
        .min(most as f64) as usize
}

/// The bar that a fitness falls into.
fn bin(fitness: f64, (low, high): (f64, f64), bins: usize) -> usize {
    if high > low {
        let share = (fitness - low) / (high - low);
        ((share * bins as f64) as usize).min(bins - 1)
    } else {
        bins / 2
    }
}

/// Lines that the origins of a generation take, with their frame.
pub(super) fn origins_height(roll: &Roll) -> u16 {
    let members = roll.members();
    let is_there = |origin: &&Origin| members.iter().any(|one| one.origin == Some(**origin));
    let kinds = ORIGINS.iter().filter(is_there).count() as u16;
    3 + kinds.max(2)
}

/// How many members come from where, and how they do.
pub(super) fn origins(roll: &Roll, theme: &Theme, area: Rect, buf: &mut Buffer) {
    let inner = Frame::titled("Origins").draw(Focus::Elsewhere, theme, area, buf);
    let inner = inset(inner, 1);
    let members = roll.members();
    if members.iter().all(|member| member.origin.is_none()) {
        let words = if roll.census.fitness.is_empty() {
            "not kept with the population"
        } else {
            "not known of the generation that a resumed run begins with"
        };
        return explain(words, theme, inner, buf);
    }
    let head = format!("{:<9}{:>6}{:>7}{:>7}", "", "count", "best", "mean");
    put(buf, inner, 0, Line::styled(head, theme.dim));
    let mut row = 1;
    for origin in ORIGINS {
        let own = members.iter().filter(|one| one.origin == Some(origin));
        let own: Vec<f64> = own.filter_map(|member| member.fitness).collect();
        if own.is_empty() {
            continue;
        }
        let best = own.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let mean = own.iter().sum::<f64>() / own.len() as f64;
        let room = inner.width.saturating_sub(31);
        let share = own.len() as f64 / members.len() as f64;
        let line = Line::from(vec![
            Span::styled(format!("{:<9}", origin_word(origin)), theme.text),
            Span::styled(
                format!("{:>6}", words::count(own.len() as f64)),
                theme.strong,
            ),
            Span::styled(
                format!("{:>7}{:>7}  ", words::short(best), words::short(mean)),
                theme.text,
            ),
            Span::styled(bar(share, room, theme), theme.series[2]),
        ]);
        put(buf, inner, row, line);
        row += 1;
    }
}

/// Why there is nothing to see.
fn explain(words: &str, theme: &Theme, area: Rect, buf: &mut Buffer) {
    let lines = wrap(words, area.width.into()).into_iter();
    for (row, line) in lines.enumerate() {
        put(buf, area, row as u16, Line::styled(line, theme.dim));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_fitness_falls_into_a_bar() {
        for bins in [1, 6, 40] {
            assert_eq!(bin(2.0, (2.0, 9.0), bins), 0);
            assert_eq!(bin(9.0, (2.0, 9.0), bins), bins - 1);
            assert_eq!(bin(5.0, (5.0, 5.0), bins), bins / 2);
        }
        assert_eq!((bins(2500, 60), bins(100, 60), bins(4, 60)), (60, 20, 6));
        assert_eq!(bins(100, 3), 3);
    }
}
