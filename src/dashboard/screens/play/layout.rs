//! Where the panes of the Play screen lie, and how large its board is.

use ratatui::layout::{Constraint, Layout, Rect};

use crate::model::zoom::Zoom;
use crate::widgets::text::{cut_below, cut_right};

/// The areas of the panes.
pub(super) struct PlayLayout {
    pub(super) board: Rect,
    pub(super) game: Rect,
    pub(super) scores: Rect,
    pub(super) moves: Rect,
    pub(super) message: Rect,
}

/// The rows of the board's pane.
pub(super) struct BoardLayout {
    pub(super) turn: Rect,
    pub(super) board: Rect,
    pub(super) below: Rect,
}

impl PlayLayout {
    pub(super) fn new(area: Rect, zoom: Zoom) -> Self {
        let (body, message) = cut_below(area, 1);
        let none = Rect::ZERO;
        let stack = |column: Rect, game: u16| {
            let moves = (column.height.saturating_sub(game) / 3).max(4);
            Layout::vertical([
                Constraint::Length(game),
                Constraint::Fill(1),
                Constraint::Length(moves),
            ])
            .areas::<3>(column)
        };
        let (board, [game, scores, moves]) = match (body.width, body.height) {
            (..50, _) | (_, ..12) => (body, [none; 3]),
            _ if zoom.is_zoomed() => (body, [none; 3]),
            (..100, _) => {
                let (board, side) = cut_right(body, 38);
                // The goal of the game has room if the other panes have some.
                (board, stack(side, if body.height < 18 { 7 } else { 9 }))
            }
            (width, _) => {
                let side = if width < 160 { 50 } else { 68 };
                let (board, side) = cut_right(body, side);
                (board, stack(side, 9))
            }
        };
        Self {
            board,
            game,
            scores,
            moves,
            message,
        }
    }
}
