//! Names the user and the opponent beside their pieces.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Clear, Widget};

use crate::theme::Theme;
use crate::widgets::board;
use finches_engine::games::Side;
use finches_engine::games::board::{Board, CellArea};

use super::PlayScreen;

/// Writes the names and points beside the pieces, in place of the row of the board that counts
/// them.
pub(super) fn view(play: &PlayScreen, board: &Board, area: Rect, buf: &mut Buffer, theme: &Theme) {
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
    let [you, other] = play.current.points();
    let part = |side: Side, name: String, points: u16| {
        let piece = legend.pieces[side.index()];
        let sign = theme.sign(piece.glyph, piece.plain);
        [
            Span::styled(sign.to_string(), theme.tone_style(piece.tone)),
            Span::styled(name, theme.text),
            Span::styled(points.to_string(), theme.strong),
        ]
    };
    let mut line = Line::from_iter(part(play.current.human, " you ".to_owned(), you));
    line.push_span("   ");
    let name = format!(" {} ", play.opponents.kind());
    line.extend(part(play.current.human.opponent(), name, other));
    Clear.render(row, buf);
    line.centered().render(row, buf);
}
