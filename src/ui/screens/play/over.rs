//! What lies over the board: the cursor, what can be pointed at, and what the champion thinks of the moves, as the value where it
//! fits, else the rank.

use crate::games::board::{Board, Patch, Spot};
use crate::ui::theme::Theme;
use crate::ui::widgets::board::{Note, Over};

use super::PlayScreen;
use super::choice::{self, Offer};

/// Columns that a value needs.
const VALUE: u16 = 3;

/// Whether the board shows what the champion thinks of each move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Values {
    Shown,
    Hidden,
}

impl Values {
    pub(super) fn other(self) -> Self {
        match self {
            Self::Shown => Self::Hidden,
            Self::Hidden => Self::Shown,
        }
    }
}

/// What stands on the squares of the legal moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Told {
    Values,
    Ranks,
    Nothing,
}

impl PlayScreen {
    /// All that lies over a board; nothing to point at where it is not the human's turn.
    pub(super) fn over(&self, board: &Board, theme: &Theme) -> Over<'_> {
        let mut over = Over {
            hints: &self.hints,
            notes: self.notes(board, theme),
            ..Over::default()
        };
        let pointed = self.pointed(board).filter(|_| self.is_humans_turn());
        let Some(Offer { at, picked, .. }) = pointed else {
            return over;
        };
        let spots = &board.spots;
        let mut offers = choice::offers(spots, &self.picked);
        if let Some(spot) = choice::decided(spots, &picked) {
            over.pointed.clone_from(&spot.covers);
        } else {
            over.pointed = choice::way(spots, &self.picked);
            over.pointed.push(at);
            offers.extend(choice::offers(spots, &picked));
        }
        over.signs = offers.iter().filter_map(|offer| offer.sign).collect();
        over
    }

    /// The moves that are pointed at: one, or all that the place under the cursor leaves open.
    pub(super) fn pointed_words(&self, board: &Board) -> Vec<String> {
        let pointed = self.pointed(board).filter(|_| self.is_humans_turn());
        pointed.map_or_else(Vec::new, |offer| choice::words(&board.spots, &offer.picked))
    }

    /// The moves whose values stand on the board: those of the piece that is picked or pointed at, or all that are made at one
    /// place.
    fn noted<'a>(&self, board: &'a Board) -> Vec<&'a Spot> {
        let spots = &board.spots;
        let pointed = self.pointed(board).map(|offer| offer.picked);
        let open = pointed.filter(|picked| choice::decided(spots, picked).is_none());
        choice::candidates(spots, &open.unwrap_or_else(|| self.picked.clone()))
    }

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
        let noted = self.noted(board);
        let note = |rank: usize| {
            let spot = noted.iter().find(|spot| spot.word == opinions[rank].0)?;
            let at = spot.note?;
            let is_better = |&better: &usize| {
                let other = noted.iter().find(|spot| spot.word == opinions[better].0);
                other.is_some_and(|other| other.at == spot.at)
            };
            if (0..rank).any(|better| is_better(&better)) {
                return None;
            }
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
        (0..opinions.len()).filter_map(note).collect()
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
