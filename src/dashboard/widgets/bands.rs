//! Stacked bands: the shares of groups over time, one band for each group, which together fill the
//! height.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Style};
use ratatui::text::Span;

use crate::theme::{ColorScheme, Theme};
use crate::widgets::canvas::ASCII_MARKERS;
use crate::widgets::histogram::BLOCKS;
use crate::widgets::text::{columns_of, put, right_of};

/// Columns for the numbers of the bands that reach the right edge.
const LABEL_WIDTH: u16 = 5;

/// Bands by the number of each group and its size, from the bottom. A column may have several steps
/// in time or a step several columns.
pub struct StackedBands<'a> {
    pub steps: &'a [&'a [(u32, u32)]],
    /// The group that is marked: the others are nearer to the background, so that it can be
    /// followed.
    pub marked: Option<u32>,
}

/// The style of a group's band: always the same, and unlike those of the groups before and after
/// it.
pub fn band_style(group: u32, theme: &Theme) -> Style {
    shaded_style(group, 0.6, theme)
}

/// The style of a group's band in a brightness of 0..=1.
fn shaded_style(group: u32, brightness: f64, theme: &Theme) -> Style {
    // The golden ratio never comes near the hues that it gave last.
    let place = (f64::from(group) * 0.618_034).fract();
    let hue = theme.hue(place, brightness).and_then(|style| style.bg);
    hue.map_or(theme.text, |color| Style::new().fg(color))
}

/// What a group's band is filled with where colors can't tell it from others.
fn filling(group: u32) -> char {
    ASCII_MARKERS[group as usize % ASCII_MARKERS.len()]
}

/// The group in each of `levels` equal parts of the height, from the bottom. Each group at its
/// place has at least one part if there are enough of them.
fn parts(sizes: &[(u32, u32)], levels: usize) -> Vec<u32> {
    let all: u64 = sizes.iter().map(|&(_, size)| u64::from(size)).sum();
    let mut parts = Vec::with_capacity(levels);
    let mut below = 0;
    for &(group, size) in sizes {
        below += u64::from(size);
        let end = (below * levels as u64).div_ceil(all.max(1)) as usize;
        parts.resize(end.min(levels).max(parts.len()), group);
    }
    parts
}

impl StackedBands<'_> {
    /// The columns of the bands in an area.
    pub fn width(area: Rect) -> u16 {
        area.width.saturating_sub(LABEL_WIDTH)
    }

    /// Draws the bands from the left, and the numbers of the last groups to their right.
    pub fn draw(&self, theme: &Theme, area: Rect, buf: &mut Buffer) {
        let width = Self::width(area);
        if self.steps.is_empty() || width == 0 || area.height == 0 {
            return;
        }
        for column in 0..width {
            let step = usize::from(column) * self.steps.len() / usize::from(width);
            let place = columns_of(area, column, 1);
            self.draw_column(self.steps[step], theme, place, buf);
        }
        let labels = right_of(area, width + 1);
        self.draw_labels(theme, labels, buf);
    }

    /// Writes the number of each group of the last step beside the middle of its band, as far as
    /// there are rows.
    fn draw_labels(&self, theme: &Theme, area: Rect, buf: &mut Buffer) {
        let Some(last) = self.steps.last() else {
            return;
        };
        let parts = parts(last, area.height.into());
        let groups = parts.chunk_by(|one, other| one == other);
        let mut below = 0;
        for rows in groups {
            let middle = below + (rows.len() - 1) / 2;
            below += rows.len();
            let style = if self.marked == Some(rows[0]) {
                theme.selection
            } else if is_filled_by_color(theme) {
                band_style(rows[0], theme)
            } else {
                theme.text
            };
            let from_top = area.height - 1 - middle as u16;
            let number = Span::styled(rows[0].to_string(), style);
            put(buf, area, from_top, number);
        }
    }

    fn draw_column(&self, sizes: &[(u32, u32)], theme: &Theme, area: Rect, buf: &mut Buffer) {
        if !is_filled_by_color(theme) {
            let groups = parts(sizes, area.height.into());
            for (row, &group) in (0..area.height).rev().zip(&groups) {
                put(buf, area, row, Span::raw(filling(group).to_string()));
            }
            return;
        }
        let color = |group| {
            // The others come near the background.
            let [own, other] = match theme.spec.scheme {
                ColorScheme::Light => [0.4, 1.0],
                _ => [1.0, 0.2],
            };
            let brightness = match self.marked {
                None => 0.6,
                Some(marked) if marked == group => own,
                Some(_) => other,
            };
            let style = shaded_style(group, brightness, theme);
            style.fg.unwrap_or(Color::Reset)
        };
        let groups = parts(sizes, usize::from(area.height) * 8);
        for (row, eighths) in (0..area.height).rev().zip(groups.chunks_exact(8)) {
            let [low, high] = [eighths[0], eighths[7]];
            let of_low = eighths.iter().take_while(|&&group| group == low).count();
            let mut style = Style::new().fg(color(low));
            if of_low < 8 {
                style = style.bg(color(high));
            }
            put(buf, area, row, Span::styled(BLOCKS[of_low], style));
        }
    }
}

/// Whether bands are told apart by colors.
fn is_filled_by_color(theme: &Theme) -> bool {
    !theme.ascii && band_style(0, theme).fg.is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_height_is_divided_by_the_sizes_and_small_groups_are_seen() {
        assert_eq!(parts(&[(4, 10), (7, 30)], 4), [4, 7, 7, 7]);
        assert_eq!(parts(&[(4, 1), (7, 99)], 4), [4, 7, 7, 7]);
        assert_eq!(parts(&[(1, 5)], 3), [1, 1, 1]);
        assert_eq!(parts(&[], 3), [0_u32; 0]);
        let many: Vec<(u32, u32)> = (0..40).map(|group| (group, 5)).collect();
        assert_eq!(parts(&many, 8).len(), 8);
    }

    fn drawn(steps: &[&[(u32, u32)]], theme: &Theme, (width, height): (u16, u16)) -> Vec<String> {
        let area = Rect::new(0, 0, width, height);
        let mut buf = Buffer::empty(area);
        let bands = StackedBands {
            steps,
            marked: None,
        };
        bands.draw(theme, area, &mut buf);
        let rows = buf.content.chunks(width.into());
        let row =
            |row: &[ratatui::buffer::Cell]| row.iter().map(ratatui::buffer::Cell::symbol).collect();
        rows.map(row).collect()
    }

    #[test]
    fn without_colors_bands_are_filled_with_signs() {
        let theme = Theme {
            ascii: true,
            ..Theme::monochrome()
        };
        let steps: [&[(u32, u32)]; 2] = [&[(0, 4)], &[(0, 1), (1, 3)]];
        assert_eq!(
            drawn(&steps, &theme, (9, 4)),
            ["**oo     ", "**oo 1   ", "**oo     ", "**** 0   "]
        );
        assert_eq!(drawn(&[], &theme, (7, 1)), ["       "]);
        assert_eq!(drawn(&steps, &theme, (3, 1)), ["   "]);
    }

    #[test]
    fn with_colors_the_border_of_two_bands_lies_within_a_character() {
        let steps: [&[(u32, u32)]; 1] = [&[(0, 5), (1, 11)]];
        assert_eq!(drawn(&steps, &Theme::dark(), (6, 2)), ["█ 1   ", "▅ 0   "]);
    }

    #[test]
    fn the_marked_band_is_brighter_than_the_others() {
        let (theme, area) = (Theme::dark(), Rect::new(0, 0, 6, 2));
        let color = |marked: Option<u32>, y: u16| {
            let mut buf = Buffer::empty(area);
            let steps: [&[(u32, u32)]; 1] = [&[(0, 1), (1, 1)]];
            let bands = StackedBands {
                steps: &steps,
                marked,
            };
            bands.draw(&theme, area, &mut buf);
            buf[(0, y)].fg
        };
        let shade = |group, brightness| shaded_style(group, brightness, &theme).fg;
        for (marked, y, group, brightness) in [
            (None, 1, 0, 0.6),
            (Some(0), 1, 0, 1.0),
            (Some(0), 0, 1, 0.2),
        ] {
            let shown = color(marked, y);
            assert_eq!(Some(shown), shade(group, brightness), "{marked:?} {y}");
        }
    }
}
