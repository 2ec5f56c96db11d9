//! Names the players: in the title, and beside the pieces of the user and of the champion.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Clear, Widget};

use crate::theme::Theme;
use crate::widgets::board;
use crate::widgets::truncate::{truncate, width};
use finches_engine::games::Side;
use finches_engine::games::board::{Board, CellArea};

use super::PlayScreen;

impl PlayScreen {
    /// The players and the run, in at most `room` characters.
    pub(super) fn title(&self, room: usize) -> String {
        let run = match &*self.run_name {
            "" => String::new(),
            name => format!(" of {name}"),
        };
        if let Some(program) = &self.program {
            return truncate(&format!("You v {}", program.name), room);
        }
        let Some(opponent) = &self.opponent else {
            return truncate(&format!("You v the champion{run}"), room);
        };
        let whole = format!("You v {}{run}", opponent.name());
        if width(&whole) <= room {
            return whole;
        }
        truncate(&format!("You v {}{run}", opponent.label()), room)
    }

    /// Writes the names and points beside the pieces, in place of the row of the board that counts them.
    pub(super) fn view_sides(&self, board: &Board, area: Rect, buf: &mut Buffer, theme: &Theme) {
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
        let [you, other] = self.points();
        let part = |side: Side, name: String, points: u16| {
            let piece = legend.pieces[side.index()];
            let sign = if theme.ascii {
                piece.plain
            } else {
                piece.glyph
            };
            [
                Span::styled(sign.to_string(), theme.tone_style(piece.tone)),
                Span::styled(name, theme.text),
                Span::styled(points.to_string(), theme.strong),
            ]
        };
        let mut line = Line::from_iter(part(self.human, " you ".to_owned(), you));
        line.push_span("   ");
        let name = format!(" {} ", self.opponent_kind());
        line.extend(part(self.human.opponent(), name, other));
        Clear.render(row, buf);
        line.centered().render(row, buf);
    }
}
