//! What the champion thinks of the moves, written on the board itself: the value where it fits, else the rank.

use crate::games::board::{Board, Patch};
use crate::ui::theme::Theme;
use crate::ui::widgets::board::Note;

use super::{PlayScreen, Values};

/// Columns that a value needs.
const VALUE: u16 = 3;

/// What stands on the squares of the legal moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Told {
    Values,
    Ranks,
    Nothing,
}

impl PlayScreen {
    /// What a board has room for.
    pub(super) fn told(&self, board: &Board) -> Told {
        let mut places = board.spots.iter().filter_map(|spot| spot.note);
        match places.next() {
            Some(_) if self.values == Values::Hidden => Told::Nothing,
            Some(at) if at.width >= VALUE && self.fits(at.width.into()) => Told::Values,
            Some(_) => Told::Ranks,
            None => Told::Nothing,
        }
    }

    /// Whether every value can be told in so many characters.
    fn fits(&self, width: usize) -> bool {
        let texts = self.thoughts.opinions.iter();
        let mut texts = texts.map(|&(_, value)| compact(value, width));
        texts.all(|text| text.contains(|c: char| c.is_ascii_digit()))
    }

    /// The champion's opinions, on the squares of their moves.
    pub(super) fn notes(&self, board: &Board, theme: &Theme) -> Vec<Note> {
        let told = self.told(board);
        let opinions = &self.thoughts.opinions;
        let values = || opinions.iter().map(|&(_, value)| value);
        let (low, high) = range(values());
        let note = |spot: &crate::games::board::Spot| {
            let at = spot.note?;
            let rank = opinions.iter().position(|(word, _)| *word == spot.word)?;
            let value = opinions[rank].1;
            let text = match told {
                Told::Values => compact(value, at.width.into()),
                Told::Ranks if rank < 9 => (rank + 1).to_string(),
                Told::Ranks => "·".to_owned(),
                Told::Nothing => return None,
            };
            let share = if high > low {
                f64::from((value - low) / (high - low))
            } else {
                1.0
            };
            let text = if theme.ascii {
                text.replace('·', ".")
            } else {
                text
            };
            Some(Note {
                at,
                text: centered(&text, at),
                style: theme.heat(share).unwrap_or(match rank {
                    0 => theme.strong,
                    _ => theme.text,
                }),
            })
        };
        board.spots.iter().filter_map(note).collect()
    }
}

/// The least and the greatest of the values that are numbers.
fn range(values: impl Iterator<Item = f32> + Clone) -> (f32, f32) {
    let known = values.filter(|value| value.is_finite());
    (
        known.clone().fold(f32::INFINITY, f32::min),
        known.fold(f32::NEG_INFINITY, f32::max),
    )
}

/// The text at the right of its place.
fn centered(text: &str, at: Patch) -> String {
    format!("{text:>0$}", usize::from(at.width))
}

/// A value in `width` characters: as many of its digits, and its sign where it is negative or there is room for it.
pub(super) fn compact(value: f32, width: usize) -> String {
    if !value.is_finite() {
        return "-".to_owned();
    }
    let (scaled, unit) = match value.abs() {
        size if size >= 999_500.0 => (value / 1e6, "M"),
        size if size >= 999.5 => (value / 1e3, "k"),
        _ => (value, ""),
    };
    // Only a lone zero may go.
    let bare = |text: String| {
        if scaled.abs() < 0.95 {
            text.replacen("0.", ".", 1)
        } else {
            text
        }
    };
    let forms = [
        format!("{scaled:+.2}{unit}"),
        format!("{scaled:+.1}{unit}"),
        bare(format!("{scaled:+.1}{unit}")),
        format!("{scaled:.1}{unit}"),
        bare(format!("{scaled:.1}{unit}")),
        format!("{scaled:+.0}{unit}"),
        format!("{scaled:.0}{unit}"),
    ];
    let is_fit =
        |form: &&String| form.chars().count() <= width && (width > 3 || !form.starts_with('+'));
    let best = forms.iter().find(is_fit);
    best.map_or_else(
        || if value < 0.0 { "-" } else { "+" }.to_owned(),
        String::clone,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(value: f32, width: usize, expected: &str) {
        assert_eq!(compact(value, width), expected, "{value} in {width}");
    }

    #[test]
    fn a_value_is_cut_to_its_place() {
        check(0.456, 5, "+0.46");
        check(-1.24, 4, "-1.2");
        check(0.456, 3, "0.5");
        check(-0.04, 3, "-.0");
        check(1.24, 3, "1.2");
        check(-1.24, 3, "-1");
        check(12.6, 3, "13");
        check(-128.0, 3, "-");
        check(128.0, 3, "128");
        check(4321.0, 3, "4k");
        check(-110.6, 5, "-111");
        check(f32::NAN, 3, "-");
    }
}
