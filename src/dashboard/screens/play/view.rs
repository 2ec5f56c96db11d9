//! Draws the Play screen: the board, game information, the champion's scores, and the moves so far.

use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Widget};

use crate::keymap::{Action, Scope};
use crate::mouse::Regions;
use crate::screens::move_marks::{clip, marks, score as raw, verdict_symbol};
use crate::theme::Theme;
use crate::widgets::bar::bar;
use crate::widgets::board::{self, BoardOverlay};
use crate::widgets::frame::{Focus, Frame, content};
use crate::widgets::key_label::key_label;
use crate::widgets::list::ScrollList;
use crate::widgets::text::inset;
use crate::widgets::truncate::{fit, pad, truncate, widest, wrap};
use finches_engine::games::board::{Board, MaxSize};
use finches_engine::play::record::Ply;

use super::SCOPE;
use super::layout::{PlayLayout, size};
use super::move_selection::{self, PartialMove};
use super::overlay::{SquareNotes, ValueDisplay};
use super::{PlayMessage, PlayOutcome, PlayScreen};

/// A board that shows all of its places.
const ANY_SIZE: MaxSize = MaxSize {
    width: 120,
    height: 40,
};

/// The width from which the scores themselves are shown beside their places on the scale.
const WIDE_SCORES: u16 = 40;

impl PlayScreen {
    /// Draws the screen into `area`. Returns the clickable regions.
    pub fn view(&self, area: Rect, buf: &mut Buffer, theme: &Theme) -> Regions<PartialMove> {
        let area = area.intersection(buf.area);
        let places = PlayLayout::new(area, self.zoom);
        let board = self.board_within(area);
        let moves = self.view_board(&board, places.board, buf, theme);
        self.view_game(places.game, buf, theme);
        self.view_scores(&board, places.scores, buf, theme);
        self.view_moves(places.moves, buf, theme);
        if self.outcome.is_some() && places.scores.is_empty() {
            let below = self.board_layout(content(places.board)).below;
            let last = Rect {
                y: below.bottom().saturating_sub(1),
                height: below.height.min(1),
                ..below
            };
            self.view_curve_row(last, buf, theme);
        }
        self.view_message(places.message, buf, theme);
        moves
    }

    fn view_board(
        &self,
        board: &Board,
        area: Rect,
        buf: &mut Buffer,
        theme: &Theme,
    ) -> Regions<PartialMove> {
        let title = self.title(area.width.saturating_sub(6).into());
        let inner = frame(title, Focus::Here, area, buf, theme);
        let places = self.board_layout(inner);
        Line::from(self.turn(theme))
            .centered()
            .render(places.turn, buf);
        if self.animation.is_finished() {
            let overlay = self.overlay(board, theme);
            board::draw(board, theme, &overlay, places.board, buf);
            self.view_sides(board, places.board, buf, theme);
        } else {
            let stages = self.animation.stages_left();
            let underway = self.table.board_during_move(stages, size(places.board));
            board::draw(
                &underway,
                theme,
                &BoardOverlay::default(),
                places.board,
                buf,
            );
            self.view_sides(&underway, places.board, buf, theme);
        }
        let mut lines = vec![self.move_line(&self.moves_at_cursor(board), inner, theme)];
        let legal = self.legal_lines(inner.width.into()).into_iter();
        lines.extend(legal.map(|line| Line::styled(line, theme.dim)));
        let [_, below] =
            Layout::vertical([Constraint::Fill(1), Constraint::Length(lines.len() as u16)])
                .areas(places.below);
        Paragraph::new(lines).render(below, buf);
        self.moves_at(board, places.board)
    }

    /// The clickable places on a board drawn in `area`.
    fn moves_at(&self, board: &Board, area: Rect) -> Regions<PartialMove> {
        let mut moves = Regions::default();
        if !self.is_humans_turn() {
            return moves;
        }
        for target in self.click_targets(board) {
            moves.add(board::place(target.at, board, area), target.selection);
        }
        moves
    }

    pub(super) fn is_humans_turn(&self) -> bool {
        self.opponent.is_some()
            && self.table.position().result.is_none()
            && !self.is_champions_turn()
    }

    /// The side to move, or the winner.
    fn turn(&self, theme: &Theme) -> Span<'static> {
        let kind = self.opponent_kind();
        let (words, style) = match self.outcome {
            Some(PlayOutcome::HumanWins | PlayOutcome::IllegalChampionMove) => {
                ("You win".to_owned(), theme.good)
            }
            Some(PlayOutcome::ChampionWins) => (format!("The {kind} wins"), theme.bad),
            Some(PlayOutcome::Draw) => ("A draw".to_owned(), theme.strong),
            None if self.opponent.is_none() => ("No champion yet".to_owned(), theme.dim),
            None if self.is_champions_turn() && self.is_opponent_thinking() => {
                (format!("The {kind} is thinking"), theme.warning)
            }
            None if self.is_champions_turn() => (format!("The {kind}'s turn"), theme.dim),
            None if self.table.position().must_pass => {
                let words = "You have no move and must pass".to_owned();
                (words, theme.warning)
            }
            None => return Span::styled(self.turn_text(), theme.accent),
        };
        let points = match self.outcome {
            Some(PlayOutcome::IllegalChampionMove) | None => String::new(),
            Some(_) => self.score_text(),
        };
        Span::styled(format!("{words}{points}"), style)
    }

    /// The move being typed or under the cursor.
    fn move_line(&self, pointed: &[String], area: Rect, theme: &Theme) -> Line<'static> {
        if let Some(entry) = &self.start_entry {
            let mut spans = vec![Span::styled("Start from  ", theme.key)];
            spans.extend(entry.spans(usize::from(area.width).saturating_sub(12), theme));
            spans.push(Span::styled("   enter starts, esc cancels", theme.dim));
            return Line::from(spans);
        }
        if let Some(entry) = &self.entry {
            let mut spans = vec![Span::styled("Move  ", theme.key)];
            spans.extend(entry.spans(usize::from(area.width).saturating_sub(6), theme));
            spans.push(Span::styled("   enter plays, esc cancels", theme.dim));
            return Line::from(spans);
        }
        match pointed {
            [word] if self.is_decided() => Line::from(vec![
                key_label(SCOPE, &[Action::Enter], theme),
                Span::styled(" plays ", theme.dim),
                Span::styled(word.to_owned(), theme.strong),
                Span::styled("   or type it", theme.dim),
            ]),
            [_, ..] => {
                let room = usize::from(area.width).saturating_sub(15);
                Line::from(vec![
                    key_label(SCOPE, &[Action::Enter], theme),
                    Span::styled(" selects: ", theme.dim),
                    Span::styled(truncate(&pointed.join("  "), room), theme.strong),
                ])
            }
            [] if self.outcome.is_some() => Line::from(vec![
                key_label(SCOPE, &[Action::NewGame], theme),
                Span::styled(" new  ", theme.dim),
                key_label(SCOPE, &[Action::SwapSides], theme),
                Span::styled(" side  ", theme.dim),
                key_label(SCOPE, &[Action::Undo], theme),
                Span::styled(" undo  ", theme.dim),
                key_label(Scope::GLOBAL, &[Action::GoGames], theme),
                Span::styled(" review", theme.dim),
            ]),
            [] => Line::default(),
        }
    }

    /// Whether the place under the cursor identifies a move.
    fn is_decided(&self) -> bool {
        let board = self.board();
        let pointed = self.target_at_cursor(&board);
        pointed.is_some_and(|target| {
            move_selection::decided_move(&board.targets, &target.selection).is_some()
        })
    }

    /// The legal moves, in at most two lines.
    pub(super) fn legal_lines(&self, width: usize) -> Vec<String> {
        const MOST: usize = 2;
        if !self.is_humans_turn() {
            return vec![String::new()];
        }
        let legal = match self.selection.count {
            0 => self.table.position().legal_moves.clone(),
            // Which moves are open does not depend on the size of the board.
            _ => move_selection::move_texts(&self.table.board(ANY_SIZE).targets, &self.selection),
        };
        // Two lines hold no more than this.
        let shown: Vec<String> = legal.into_iter().take(width).collect();
        let mut lines = wrap(&format!("Legal {}", shown.join("  ")), width);
        if lines.len() > MOST {
            lines.truncate(MOST);
            if let Some(last) = lines.last_mut() {
                *last = truncate(&format!("{last} ..."), width);
            }
        }
        lines
    }

    fn view_scores(&self, board: &Board, area: Rect, buf: &mut Buffer, theme: &Theme) {
        if self.outcome.is_some() {
            return self.view_curve(area, buf, theme);
        }
        let title = if self.is_champions_turn() {
            format!("Scores of the {}'s moves", self.opponent_kind())
        } else if area.width < 46 {
            "Scores of your moves".to_owned()
        } else {
            "The champion's scores of your moves".to_owned()
        };
        let inner = frame(title, Focus::Elsewhere, area, buf, theme);
        if self.opponent.is_none() {
            let words = "No champion yet. Your game begins after the first generation.";
            let lines = wrap(words, inner.width.into());
            let lines: Vec<Line<'_>> = lines
                .into_iter()
                .map(|line| Line::styled(line, theme.dim))
                .collect();
            return Paragraph::new(lines).render(inner, buf);
        }
        if self.is_analyzing() {
            return Line::styled("thinking", theme.dim).render(inner, buf);
        }
        if self.evaluations.scores.is_empty() {
            return Line::styled("The game is over.", theme.dim).render(inner, buf);
        }
        let mut legend = self.legend(board, inner.width.into(), theme);
        // If room is short, moves come before the legend.
        if inner.height < 12 && self.square_notes(board) != SquareNotes::Nothing {
            legend.truncate(2);
        }
        let [list, below] =
            Layout::vertical([Constraint::Fill(1), Constraint::Length(legend.len() as u16)])
                .areas(inner);
        Paragraph::new(self.score_lines(board, list, theme)).render(list, buf);
        Paragraph::new(legend).render(below, buf);
    }

    /// A row per move, the best first. If room is short, the selected move takes the last row.
    fn score_lines(&self, board: &Board, area: Rect, theme: &Theme) -> Vec<Line<'static>> {
        let pointed = self.moves_at_cursor(board);
        let scores = &self.evaluations.scores;
        let height = usize::from(area.height);
        let place = scores
            .iter()
            .position(|(word, _)| pointed.contains(word))
            .unwrap_or(0);
        let is_wide = area.width >= WIDE_SCORES;
        let figures = if is_wide { 23 } else { 14 };
        let wide = widest(scores.iter().map(|(word, _)| word.as_str())).clamp(3, 12);
        let bars = area.width.saturating_sub(wide as u16 + figures).min(32);
        let figure = |value: f32| {
            if is_wide {
                format!(" {:>8} ", raw(value))
            } else {
                " ".to_owned()
            }
        };
        let top = height.saturating_sub(usize::from(place >= height));
        let rows = scores
            .iter()
            .take(top)
            .chain(scores.get(place).filter(|_| top < height));
        let row = |(word, value): &(String, f32)| {
            let share = self.scale.share(*value);
            let is_wanted = self.evaluations.chosen.as_ref() == Some(word);
            let is_hinted = self.hints.contains(word);
            let is_pointed = pointed.contains(word);
            let (cursor, wanted, hinted) = marks(theme);
            let mark = |on: bool, mark: &'static str| if on { mark } else { " " };
            let name = if is_pointed { theme.accent } else { theme.text };
            let filled = if is_wanted {
                theme.series[0]
            } else {
                theme.border
            };
            Line::from(vec![
                Span::styled(mark(is_pointed, cursor), theme.accent),
                Span::raw(" "),
                Span::styled(fit(word, wide) + "  ", name),
                Span::styled(pad(&bar(share, bars, theme), bars.into()), filled),
                Span::styled(format!(" {:>3}", self.scale.text(*value)), name),
                Span::styled(figure(*value), theme.dim),
                Span::styled(mark(is_wanted, wanted), theme.series[0]),
                Span::raw(" "),
                Span::styled(mark(is_hinted, hinted), theme.good),
            ])
        };
        rows.map(row).collect()
    }

    /// The legend of numbers and marks.
    fn legend(&self, board: &Board, width: usize, theme: &Theme) -> Vec<Line<'static>> {
        let (_, wanted, hinted) = marks(theme);
        let mut marks = vec![
            Span::styled(wanted, theme.series[0]),
            Span::styled(
                match self.evaluations.chosen {
                    Some(_) => " champion's choice",
                    None => " champion's choice is illegal",
                },
                theme.dim,
            ),
        ];
        if !self.hints.is_empty() {
            marks.push(Span::styled(format!("   {hinted}"), theme.good));
            marks.push(Span::styled(" hint", theme.dim));
        }
        let unit = self.table.info().scores.unit;
        let unit = self.scale.legend(unit, width);
        let key = |words: &'static str| {
            Line::from(vec![
                key_label(SCOPE, &[Action::ShowValues], theme),
                Span::styled(words, theme.dim),
            ])
        };
        let mut lines = vec![Line::from(marks)];
        lines.extend(match self.square_notes(board) {
            SquareNotes::Scores => Some(key(" scores on the board on or off")),
            SquareNotes::Ranks => Some(key(" ranks on the board, 1 is best")),
            SquareNotes::Nothing if self.value_display == ValueDisplay::Hidden => {
                Some(key(" show scores on the board"))
            }
            SquareNotes::Nothing => None,
        });
        lines.extend(
            wrap(&unit, width)
                .into_iter()
                .map(|line| Line::styled(line, theme.dim)),
        );
        lines
    }

    fn view_moves(&self, area: Rect, buf: &mut Buffer, theme: &Theme) {
        let inner = frame("Moves", Focus::Elsewhere, area, buf, theme);
        let history = self.table.history();
        if history.is_empty() {
            return Line::styled("None yet.", theme.dim).render(inner, buf);
        }
        let columns = match (inner.width, inner.height) {
            (60.., _) | (30.., ..6) => 2,
            _ => 1,
        };
        let wide = widest(history.iter().map(|ply| &*ply.action)).clamp(3, 12);
        let width = usize::from(inner.width) / columns;
        let rest = width.saturating_sub(wide + 12);
        let cell = |(place, ply): (usize, &Ply)| {
            let (who, style) = if ply.side == self.human {
                ("you", theme.strong)
            } else {
                ("champ", theme.text)
            };
            let verdict = ply.verdict;
            let judged = format!("{} {}", verdict_symbol(verdict, theme), verdict.word());
            vec![
                Span::styled(format!("{:>2} {who:<6}", place + 1), theme.dim),
                Span::styled(fit(&ply.action, wide) + "  ", style),
                Span::styled(
                    pad(&clip(&judged, rest), rest) + " ",
                    theme.verdict_style(verdict),
                ),
            ]
        };
        let cells: Vec<Vec<Span<'_>>> = history.iter().enumerate().map(cell).collect();
        let rows: Vec<_> = cells.chunks(columns).collect();
        let list = ScrollList::new(rows.len(), rows.len());
        list.draw(theme, inner, buf, |row| Line::from(rows[row].concat()));
        list.scrollbar(theme, inner.height, area, buf);
    }

    fn view_message(&self, area: Rect, buf: &mut Buffer, theme: &Theme) {
        let question;
        let (words, style): (&str, Style) = match &self.message {
            PlayMessage::Question(action) => {
                question = Self::question(*action);
                (&question, theme.warning)
            }
            PlayMessage::Info(words) => (words, theme.text),
            PlayMessage::Success(words) => (words, theme.good),
            PlayMessage::Error(words) => (words, theme.bad),
        };
        let help = format!("To type a move: {}.", self.table.info().move_help);
        let has_none = words.is_empty() || (self.entry.is_some() && style == theme.text);
        let (words, style) = if has_none {
            (&*help, theme.dim)
        } else {
            (words, style)
        };
        let width = usize::from(area.width).saturating_sub(2);
        Line::styled(format!(" {}", truncate(words, width)), style).render(area, buf);
    }
}

/// Draws a pane and returns its content area.
pub(super) fn frame(
    title: impl Into<Line<'static>>,
    focus: Focus,
    area: Rect,
    buf: &mut Buffer,
    theme: &Theme,
) -> Rect {
    inset(Frame::titled(title).draw(focus, theme, area, buf), 1)
}
