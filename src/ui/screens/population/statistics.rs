//! Draws the panes beside the member table: the distribution of fitness, and results by origin.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::evolution::breeding::Origin;
use crate::ui::format;
use crate::ui::theme::Theme;
use crate::ui::widgets::bar::bar;
use crate::ui::widgets::frame::{Focus, Frame};
use crate::ui::widgets::histogram::Histogram;
use crate::ui::widgets::text::{inset, put, put_right};
use crate::ui::widgets::truncate::wrap;

use super::member_table::{Member, MemberTable, origin_word};

/// Origins in display order.
const ORIGINS: [Origin; 4] = [
    Origin::Elite,
    Origin::Crossover,
    Origin::Mutant,
    Origin::New,
];

/// Draws a histogram of fitness; the selected member's bar is highlighted.
pub(super) fn fitness(
    member_table: &MemberTable,
    selected: Option<&Member>,
    theme: &Theme,
    area: Rect,
    buf: &mut Buffer,
) {
    let played = &member_table.snapshot.fitness;
    if played.is_empty() {
        let inner = Frame::titled("Fitness").draw(Focus::Elsewhere, theme, area, buf);
        let words = "fitness is not saved with the population";
        return draw_note(words, theme, inset(inner, 1), buf);
    }
    let mean = played.iter().sum::<f64>() / played.len() as f64;
    let selected = selected.and_then(|member| Some((member.index, member.fitness?)));
    let frame = Frame {
        title: Line::from("Fitness"),
        right: selected.map_or(Line::default(), |(place, fitness)| {
            Line::from(vec![
                Span::styled(format!("member {} ", place + 1), theme.dim),
                Span::styled(format::short(fitness), theme.accent),
            ])
        }),
        bottom_left: Line::styled(format!("mean {}", format::short(mean)), theme.dim),
        ..Frame::default()
    };
    let inner = inset(frame.draw(Focus::Elsewhere, theme, area, buf), 1);
    let (low, high) = member_table.fitness_range();
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
    put(buf, axis, 0, Span::styled(format::short(low), theme.dim));
    if high > low {
        put_right(buf, axis, 0, Span::styled(format::short(high), theme.dim));
    }
}

/// The number of bins, about twice the square root of the number of members, at least 6 and at most `width`.
fn bins(members: usize, width: u16) -> usize {
    let most = usize::from(width).max(1);
    ((members as f64).sqrt() * 2.0)
        .ceil()
        .max(6.0)
        .min(most as f64) as usize
}

/// The bin of a fitness.
fn bin(fitness: f64, (low, high): (f64, f64), bins: usize) -> usize {
    if high > low {
        let share = (fitness - low) / (high - low);
        ((share * bins as f64) as usize).min(bins - 1)
    } else {
        bins / 2
    }
}

/// Lines of the origins pane, frame included.
pub(super) fn origins_height(member_table: &MemberTable) -> u16 {
    let members = member_table.members();
    let is_there = |origin: &&Origin| members.iter().any(|one| one.origin == Some(**origin));
    let kinds = ORIGINS.iter().filter(is_there).count() as u16;
    3 + kinds.max(2)
}

/// Draws number and fitness of the members by origin.
pub(super) fn origins(member_table: &MemberTable, theme: &Theme, area: Rect, buf: &mut Buffer) {
    let inner = Frame::titled("Origins").draw(Focus::Elsewhere, theme, area, buf);
    let inner = inset(inner, 1);
    let members = member_table.members();
    if members.iter().all(|member| member.origin.is_none()) {
        let words = if member_table.snapshot.fitness.is_empty() {
            "not saved with the population"
        } else {
            "unknown for the first generation after a resume"
        };
        return draw_note(words, theme, inner, buf);
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
                format!("{:>6}", format::count(own.len() as f64)),
                theme.strong,
            ),
            Span::styled(
                format!("{:>7}{:>7}  ", format::short(best), format::short(mean)),
                theme.text,
            ),
            Span::styled(bar(share, room, theme), theme.series[2]),
        ]);
        put(buf, inner, row, line);
        row += 1;
    }
}

/// Draws why a pane is empty.
fn draw_note(words: &str, theme: &Theme, area: Rect, buf: &mut Buffer) {
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
