//! Where the panes of the Play screen lie, and how large its board is.

use ratatui::layout::{Constraint, Layout, Rect};

use crate::model::zoom::Zoom;
use crate::widgets::frame::content;
use finches_engine::games::board::{Board, MaxSize};

use super::PlayScreen;

/// The rows of the largest board.
const LARGEST_ROWS: u16 = 51;

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
        let [body, message] =
            Layout::vertical([Constraint::Fill(1), Constraint::Length(1)]).areas(area);
        let none = Rect::ZERO;
        let parts = |main, side| Layout::horizontal([main, side]).areas::<2>(body);
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
                let [board, side] = parts(Constraint::Fill(1), Constraint::Length(38));
                (board, stack(side, 7))
            }
            (width, _) => {
                let side = if width < 160 { 50 } else { 68 };
                let [board, side] = parts(Constraint::Fill(1), Constraint::Length(side));
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

impl PlayScreen {
    /// The board as drawn in an area of the screen.
    pub(super) fn board_within(&self, area: Rect) -> Board {
        let pane = PlayLayout::new(area, self.zoom).board;
        self.table
            .board(size(self.board_layout(content(pane)).board))
    }

    /// The layout of the board's pane without its frame.
    pub(super) fn board_layout(&self, inner: Rect) -> BoardLayout {
        let words = self.legal_lines(inner.width.into()).len() as u16 + 1;
        // The largest board takes the free rows if it needs them.
        let rest = inner.height.saturating_sub(words + 1);
        let is_tight = (LARGEST_ROWS..LARGEST_ROWS + 2).contains(&rest);
        let air = u16::from(inner.height > 24 && !is_tight);
        let foot = words + u16::from(!is_tight);
        let [_, turn, board, below] = Layout::vertical([
            Constraint::Length(air),
            Constraint::Length(1),
            Constraint::Fill(1),
            Constraint::Length(foot),
        ])
        .areas(inner);
        BoardLayout { turn, board, below }
    }
}

/// The room for a board in an area.
pub(super) fn size(area: Rect) -> MaxSize {
    MaxSize {
        width: area.width,
        height: area.height,
    }
}
