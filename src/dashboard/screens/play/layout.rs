//! Where the panes of the Play screen lie, and how large its board is.

use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::widgets::Block;

use crate::model::zoom::Zoom;
use crate::widgets::frame::content;
use crate::widgets::text::{cut_below, cut_right, inset};

/// The columns of a screen from which facts have a line each.
pub(super) const NARROW: u16 = 100;

/// The columns of a pane from which a board has a row above and below it. In a narrower one what
/// these say is on the frame, so that the board can be larger.
const ROOMY: u16 = 50;

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
            (..NARROW, _) => {
                let (board, side) = cut_right(body, 36);
                (board, stack(side, 4))
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

impl BoardLayout {
    /// The layout of the board's pane. A board that is zoomed in needs the rows of the frame.
    pub(super) fn new(pane: Rect, zoom: Zoom) -> Self {
        if !zoom.is_zoomed() && pane.width < ROOMY {
            let board = Block::bordered().inner(pane);
            let [turn, below] = [Rect::ZERO; 2];
            return Self { turn, board, below };
        }
        let inner = if zoom.is_zoomed() {
            inset(pane, 1)
        } else {
            content(pane)
        };
        let [turn, board, below] = Layout::vertical([
            Constraint::Length(1),
            Constraint::Fill(1),
            Constraint::Length(1),
        ])
        .areas(inner);
        Self { turn, board, below }
    }

    /// Whether the frame says what the rows above and below the board say elsewhere.
    pub(super) fn is_on_frame(&self) -> bool {
        self.turn.is_empty()
    }
}
