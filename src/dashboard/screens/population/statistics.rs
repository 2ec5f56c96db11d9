//! Draws the panes beside the member table: the distribution of fitness, and results by origin.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::format;
use crate::theme::Theme;
use crate::widgets::frame::{Focus, Frame};
use crate::widgets::gauge::gauge;
use crate::widgets::histogram::Histogram;
use crate::widgets::table::{TableColumn, TableLayout};
use crate::widgets::text::{columns_of, cut_below, put, put_all, put_right};
use crate::widgets::truncate::wrapped;

use super::member_table::{Member, MemberOrigin, MemberTable};

/// Draws a histogram of fitness; the selected member's bar is highlighted. `missing` says why there
/// is no fitness, if there is none.
pub(super) fn fitness(
    member_table: &MemberTable,
    (selected, missing): (Option<&Member>, &str),
    theme: &Theme,
    area: Rect,
    buf: &mut Buffer,
) {
    let played = &member_table.snapshot.fitness;
    if played.is_empty() {
        let inner = Frame::titled("Members").pane(Focus::Elsewhere, theme, area, buf);
        return draw_note(missing, theme, inner, buf);
    }
    let mean = played.iter().sum::<f64>() / played.len() as f64;
    let selected = selected.and_then(|member| Some((member.index, member.fitness?)));
    let frame = Frame {
        title: Line::from("Members"),
        right: selected.map_or(Line::default(), |(place, fitness)| {
            Line::from(vec![
                Span::styled(format!("member {} ", place + 1), theme.dim),
                Span::styled(format::short(fitness), theme.accent),
            ])
        }),
        bottom_left: Line::styled(format!("mean fitness {}", format::short(mean)), theme.dim),
        bottom_right: Line::styled(common_origin(member_table), theme.dim),
        ..Frame::default()
    };
    let inner = frame.pane(Focus::Elsewhere, theme, area, buf);
    if inner.height < 2 || inner.width < MIN_BINS as u16 + 4 {
        return;
    }
    let bins = FitnessBins::new(played, inner.width);
    let counts = bins.counts(played);
    let histogram = Histogram {
        counts: &counts,
        marked: selected.map(|(_, fitness)| bins.bin(fitness)),
        style: theme.series[1],
        gap: 0,
    };
    let (all, axis) = cut_below(inner, 1);
    let bars = columns_of(all, 0, histogram.width(inner.width));
    histogram.draw(theme, bars, buf);
    let [low, high] = bins.ends();
    let label = |end: &str| Span::styled(end.to_owned(), theme.dim);
    if bins.high > bins.low {
        put_right(buf, columns_of(axis, 0, bars.width), 0, label(&high));
    }
    if bins.high <= bins.low || low.len() + high.len() < bars.width.into() {
        put(buf, axis, 0, label(&low));
    }
}

/// The fewest bins of a histogram.
const MIN_BINS: usize = 6;

/// The bins of a histogram. A few values far from the others have a bar of their own at the end,
/// with an empty bin before it, so that they do not push all the others into one bar.
#[derive(Clone, Copy, Debug, PartialEq)]
struct FitnessBins {
    low: f64,
    high: f64,
    /// Bins between `low` and `high`.
    inside: usize,
    /// Values below `low`, and above `high`.
    outside: [usize; 2],
}

impl FitnessBins {
    /// About twice the square root of the number of values, as far as `width` allows.
    fn new(values: &[f64], width: u16) -> Self {
        let mut sorted = values.to_vec();
        sorted.sort_by(f64::total_cmp);
        let [low, high] = common_range(&sorted);
        let outside = [
            sorted.iter().filter(|&&value| value < low).count(),
            sorted.iter().filter(|&&value| value > high).count(),
        ];
        let ends = 2 * outside.iter().filter(|&&count| count > 0).count();
        let most = usize::from(width).saturating_sub(ends).max(1);
        let inside = ((values.len() as f64).sqrt() * 2.0).ceil() as usize;
        Self {
            low,
            high,
            inside: inside.max(MIN_BINS).min(most),
            outside,
        }
    }

    /// The bins before those between `low` and `high`.
    fn before(&self) -> usize {
        if self.outside[0] > 0 { 2 } else { 0 }
    }

    /// The bin of a value.
    fn bin(&self, value: f64) -> usize {
        let first = self.before();
        if value < self.low {
            0
        } else if value > self.high {
            first + self.inside + 1
        } else if self.high > self.low {
            let share = (value - self.low) / (self.high - self.low);
            first + ((share * self.inside as f64) as usize).min(self.inside - 1)
        } else {
            first + self.inside / 2
        }
    }

    fn counts(&self, values: &[f64]) -> Vec<u32> {
        let after = if self.outside[1] > 0 { 2 } else { 0 };
        let mut counts = vec![0; self.before() + self.inside + after];
        for &value in values {
            counts[self.bin(value)] += 1;
        }
        counts
    }

    /// The labels of both ends.
    fn ends(&self) -> [String; 2] {
        let end = |count: usize, word: &str, value: f64| match count {
            0 => format::short(value),
            count => format!("{count} {word} {}", format::short(value)),
        };
        [
            end(self.outside[0], "below", self.low),
            end(self.outside[1], "above", self.high),
        ]
    }
}

/// The range of some sorted values, without those that lie further from the middle half than three
/// times its width, if most of the whole range is empty because of them (Tukey 1977, "far out"
/// values).
fn common_range(sorted: &[f64]) -> [f64; 2] {
    const FENCE: f64 = 3.0;
    let (Some(&low), Some(&high)) = (sorted.first(), sorted.last()) else {
        return [0.0, 0.0];
    };
    let quartile = |part: usize| sorted[(sorted.len() - 1) * part / 4];
    let (lower, upper) = (quartile(1), quartile(3));
    let fence = FENCE * (upper - lower);
    let mut inside = sorted.iter().copied();
    let inner_low = inside.find(|&value| value >= lower - fence);
    let inner_high = inside.rfind(|&value| value <= upper + fence);
    match (inner_low, inner_high) {
        (Some(inner_low), Some(inner_high)) if fence > 0.0 => {
            let is_crowded = (inner_high - inner_low) * 2.0 < high - low;
            if is_crowded {
                [inner_low, inner_high]
            } else {
                [low, high]
            }
        }
        _ => [low, high],
    }
}

/// The origins that occur.
fn origins_present(member_table: &MemberTable) -> impl Iterator<Item = MemberOrigin> {
    let members = member_table.members();
    let is_there = |origin: &MemberOrigin| members.iter().any(|one| one.origin == Some(*origin));
    MemberOrigin::ALL.into_iter().filter(is_there)
}

/// The origin of all members in words, if they share it or it is unknown.
fn common_origin(member_table: &MemberTable) -> String {
    let mut origins = origins_present(member_table);
    match (origins.next(), origins.next()) {
        (None, _) => "origins unknown".to_owned(),
        (Some(origin), None) => format!("origin of all: {}", origin.word()),
        _ => String::new(),
    }
}

/// Lines of the origins pane, frame included; 0 if there is nothing to compare.
pub(super) fn origins_height(member_table: &MemberTable) -> u16 {
    match origins_present(member_table).count() as u16 {
        0 | 1 => 0,
        kinds => 3 + kinds,
    }
}

/// Draws number and fitness of the members by origin.
pub(super) fn origins(member_table: &MemberTable, theme: &Theme, area: Rect, buf: &mut Buffer) {
    let inner = Frame::titled("Origins").pane(Focus::Elsewhere, theme, area, buf);
    let members = member_table.members();
    let columns = vec![
        TableColumn::words("", 9),
        TableColumn::number("count", 6),
        TableColumn::number("best", 7),
        TableColumn::number("mean", 7),
    ];
    let table = TableLayout { columns, gap: 0 }.fitted(inner.width.into());
    put(buf, inner, 0, table.headings(theme.dim));
    let mut row = 1;
    for origin in MemberOrigin::ALL {
        let own = members.iter().filter(|one| one.origin == Some(origin));
        let own: Vec<f64> = own.filter_map(|member| member.fitness).collect();
        if own.is_empty() {
            continue;
        }
        let best = own.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let mean = own.iter().sum::<f64>() / own.len() as f64;
        let room = inner.width.saturating_sub(31);
        let share = own.len() as f64 / members.len() as f64;
        let mut line = table.row([
            Span::styled(origin.word(), theme.text),
            Span::styled(format::count(own.len() as f64), theme.strong),
            Span::styled(format::short(best), theme.text),
            Span::styled(format::short(mean), theme.text),
        ]);
        line.push_span("  ");
        line.extend(gauge(share, room, theme.series[2], theme));
        put(buf, inner, row, line);
        row += 1;
    }
}

/// Draws why a pane is empty.
fn draw_note(words: &str, theme: &Theme, area: Rect, buf: &mut Buffer) {
    put_all(buf, area, wrapped(words, area.width.into(), theme.dim));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_fitness_falls_into_a_bar() {
        let even: Vec<f64> = (0..100).map(f64::from).collect();
        let bins = FitnessBins::new(&even, 60);
        assert_eq!((bins.inside, bins.outside), (20, [0, 0]));
        assert_eq!((bins.bin(0.0), bins.bin(99.0)), (0, 19));
        assert_eq!(bins.counts(&even), [5; 20]);
        assert_eq!(bins.ends(), ["0", "99"]);
        assert_eq!(
            FitnessBins::new(&[5.0; 4], 60).counts(&[5.0; 4]),
            [0, 0, 0, 4, 0, 0]
        );
        assert_eq!(FitnessBins::new(&even, 3).inside, 3);
    }

    #[test]
    fn values_far_from_the_others_have_a_bar_of_their_own() {
        let mut values: Vec<f64> = (0..100).map(f64::from).collect();
        values.extend([-1e4, 1e6, 2e6]);
        let bins = FitnessBins::new(&values, 60);
        assert_eq!((bins.low, bins.high, bins.outside), (0.0, 99.0, [1, 2]));
        let counts = bins.counts(&values);
        assert_eq!((counts[0], counts[1]), (1, 0));
        assert_eq!(counts[counts.len() - 2..], [0, 2]);
        assert_eq!(counts.iter().sum::<u32>(), 103);
        assert_eq!(bins.ends(), ["1 below 0", "2 above 99"]);
    }

    #[test]
    fn equal_values_with_a_few_others_keep_the_whole_range() {
        let mut values = vec![7.0; 50];
        values.extend([1.0, 9.0]);
        values.sort_by(f64::total_cmp);
        assert_eq!(FitnessBins::new(&values, 60).ends(), ["1", "9"]);
    }
}
