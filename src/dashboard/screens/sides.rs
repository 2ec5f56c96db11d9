//! Names the players beside their pieces.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Clear, Widget};

use crate::theme::Theme;
use crate::widgets::board;
use crate::widgets::truncate::truncate;
use finches_engine::games::Side;
use finches_engine::games::board::{Board, CellArea};

/// Writes names and points beside the pieces of a board drawn in an area, in place of the row of
/// the board that counts them.
pub(super) fn view(
    players: [(Side, &str); 2],
    board: &Board,
    area: Rect,
    buf: &mut Buffer,
    theme: &Theme,
) {
    let is_free = |row| board.targets.iter().all(|target| target.at.y != row);
    let Some(legend) = board.legend.filter(|legend| is_free(legend.row)) else {
        return;
    };
    let row = CellArea {
        x: 0,
        y: legend.row,
        width: board.width,
        height: 1,
    };
    let row = Rect {
        x: area.x,
        width: area.width,
        ..board::place(row, board, area)
    };
    // Beside a name are its piece, its points and gaps.
    let room = usize::from(area.width / 2).saturating_sub(7);
    let [one, other] = players.map(|(side, name)| {
        let piece = legend.pieces[side.index()];
        let sign = theme.sign(piece.glyph, piece.plain);
        [
            Span::styled(sign.to_string(), theme.tone_style(piece.tone)),
            Span::styled(format!(" {} ", truncate(name, room)), theme.text),
            Span::styled(legend.points[side.index()].to_string(), theme.strong),
        ]
    });
    let mut line = Line::from_iter(one);
    line.push_span("   ");
    line.extend(other);
    let note = Span::styled(format!("   {}", legend.note), theme.dim);
    if !legend.note.is_empty() && line.width() + note.width() <= area.width.into() {
        line.push_span(note);
    }
    Clear.render(row, buf);
    line.centered().render(row, buf);
}
