//! What is drawn over the board: the cursor, the targets, and the champion's score of each move, or its rank if room is short.

use crate::games::board::{Board, CellArea, MoveTarget};
use crate::ui::theme::Theme;
use crate::ui::widgets::board::{BoardNote, BoardOverlay};
use crate::ui::widgets::truncate::width as columns;

use super::PlayScreen;
use super::move_selection::{self, SelectionTarget};

/// The least width of a score.
const MIN_VALUE_WIDTH: u16 = 3;

/// Whether the board shows the champion's scores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ValueDisplay {
    Shown,
    Hidden,
}

impl ValueDisplay {
    pub(super) fn other(self) -> Self {
        match self {
            Self::Shown => Self::Hidden,
            Self::Hidden => Self::Shown,
        }
    }
}

/// What the squares of the legal moves show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SquareNotes {
    Scores,
    Ranks,
    Nothing,
}

impl PlayScreen {
    /// The overlay of a board; without a cursor if it is not the user's turn.
    pub(super) fn overlay(&self, board: &Board, theme: &Theme) -> BoardOverlay<'_> {
        let mut over = BoardOverlay {
            hints: &self.hints,
            notes: self.notes(board, theme),
            ..BoardOverlay::default()
        };
        let pointed = self
            .target_at_cursor(board)
            .filter(|_| self.is_humans_turn());
        let Some(SelectionTarget { at, selection, .. }) = pointed else {
            return over;
        };
        let spots = &board.targets;
        let mut targets = move_selection::targets(spots, &self.selection);
        if let Some(spot) = move_selection::decided_move(spots, &selection) {
            over.pointed.clone_from(&spot.highlighted);
        } else {
            over.pointed = move_selection::selected_places(spots, &self.selection);
            over.pointed.push(at);
            targets.extend(move_selection::targets(spots, &selection));
        }
        over.signs = targets.iter().filter_map(|target| target.sign).collect();
        over
    }

    /// The moves under the cursor: one, or all that its place leaves open.
    pub(super) fn moves_at_cursor(&self, board: &Board) -> Vec<String> {
        let pointed = self
            .target_at_cursor(board)
            .filter(|_| self.is_humans_turn());
        pointed.map_or_else(Vec::new, |target| {
            move_selection::move_texts(&board.targets, &target.selection)
        })
    }

    /// The moves whose scores are drawn: those of the selected piece, or all moves of one place.
    fn noted_moves<'a>(&self, board: &'a Board) -> Vec<&'a MoveTarget> {
        let spots = &board.targets;
        let pointed = self.target_at_cursor(board).map(|target| target.selection);
        let open =
            pointed.filter(|selection| move_selection::decided_move(spots, selection).is_none());
        move_selection::matching_moves(spots, &open.unwrap_or_else(|| self.selection.clone()))
    }

    /// What the board has room for.
    pub(super) fn square_notes(&self, board: &Board) -> SquareNotes {
        let mut places = board.targets.iter().filter_map(|spot| spot.label_area);
        match places.next() {
            Some(_) if self.value_display == ValueDisplay::Hidden => SquareNotes::Nothing,
            Some(at) if at.width >= MIN_VALUE_WIDTH && self.fits(at.width.into()) => {
                SquareNotes::Scores
            }
            Some(_) => SquareNotes::Ranks,
            None => SquareNotes::Nothing,
        }
    }

    /// Whether every score fits `width` characters.
    fn fits(&self, width: usize) -> bool {
        let texts = self.evaluations.scores.iter();
        let mut texts = texts.map(|&(_, value)| compact(value, width));
        texts.all(|text| text.contains(|c: char| c.is_ascii_digit()))
    }

    /// The champion's scores as notes on the squares.
    pub(super) fn notes(&self, board: &Board, theme: &Theme) -> Vec<BoardNote> {
        let square_notes = self.square_notes(board);
        let scores = &self.evaluations.scores;
        let values = || scores.iter().map(|&(_, value)| value);
        let (low, high) = range(values());
        let noted_moves = self.noted_moves(board);
        let note = |rank: usize| {
            let spot = noted_moves
                .iter()
                .find(|spot| spot.move_text == scores[rank].0)?;
            let at = spot.label_area?;
            let is_better = |&better: &usize| {
                let other = noted_moves
                    .iter()
                    .find(|spot| spot.move_text == scores[better].0);
                other.is_some_and(|other| other.at == spot.at)
            };
            if (0..rank).any(|better| is_better(&better)) {
                return None;
            }
            let value = scores[rank].1;
            let text = match square_notes {
                SquareNotes::Scores => compact(value, at.width.into()),
                SquareNotes::Ranks if rank < 9 => (rank + 1).to_string(),
                SquareNotes::Ranks => "·".to_owned(),
                SquareNotes::Nothing => return None,
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
            Some(BoardNote {
                at,
                text: centered(&text, at),
                style: theme.heat(share).unwrap_or(match rank {
                    0 => theme.strong,
                    _ => theme.text,
                }),
            })
        };
        (0..scores.len()).filter_map(note).collect()
    }
}

/// The smallest and the largest finite value.
fn range(values: impl Iterator<Item = f32> + Clone) -> (f32, f32) {
    let known = values.filter(|value| value.is_finite());
    (
        known.clone().fold(f32::INFINITY, f32::min),
        known.fold(f32::NEG_INFINITY, f32::max),
    )
}

/// Right-aligns text within its place.
fn centered(text: &str, at: CellArea) -> String {
    format!("{text:>0$}", usize::from(at.width))
}

/// Formats a value in at most `width` characters, with as many digits as fit; a plus sign only if there is room.
pub(super) fn compact(value: f32, width: usize) -> String {
    if !value.is_finite() {
        return "-".to_owned();
    }
    let (scaled, unit) = match value.abs() {
        size if size >= 999_500.0 => (value / 1e6, "M"),
        size if size >= 999.5 => (value / 1e3, "k"),
        _ => (value, ""),
    };
    // Drop a leading zero.
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
    let is_fit = |form: &&String| columns(form) <= width && (width > 3 || !form.starts_with('+'));
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
