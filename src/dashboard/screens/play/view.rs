//! Draws the Play screen: the board, game information, the champion's scores, and the moves so far.

use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;

use crate::keymap::{Action, Scope};
use crate::mouse::Regions;
use crate::screens::sides;
use crate::theme::Theme;
use crate::widgets::board::{self, BoardNote, BoardOverlay};
use crate::widgets::frame::{Focus, Frame};
use crate::widgets::key_label::{key_hints, key_label};
use crate::widgets::text::{put, put_all, put_right};
use crate::widgets::truncate::{truncate, truncate_line, wrapped};
use finches_engine::games::board::Board;

use super::analysis::ShownValues;
use super::current::PlayOutcome;
use super::curve::GameCurve;
use super::layout::{BoardLayout, NARROW, PlayLayout};
use super::move_selection::PartialMove;
use super::scores_pane::ScoreList;
use super::screen::PlayAction;
use super::{PlayMessage, PlayScreen, SCOPE, TypedKind, TypedText, question};
use super::{curve_view, info_pane, lead_bar, moves_pane};

/// How a move is made.
const ARROWS: [Action; 4] = [Action::Left, Action::Right, Action::Up, Action::Down];
const CHOOSING: [(&[Action], &str); 2] = [
    (&ARROWS, " choose a move   "),
    (&[PlayAction::TypeMove.action()], " types one"),
];

/// What can be done after a game.
const AFTER_GAME: [(&[Action], &str); 3] = [
    (&[PlayAction::NewGame.action()], " new  "),
    (&[PlayAction::SwapSides.action()], " side  "),
    (&[PlayAction::Undo.action()], " undo  "),
];

/// What shows values that are hidden.
const HIDDEN: [(&[Action], &str); 2] = [
    (&[PlayAction::ShowValues.action()], " shows them   "),
    (&[PlayAction::Hint.action()], " gives one move"),
];

impl PlayScreen {
    /// Draws the screen into `area`. Returns the clickable regions.
    pub fn view(&self, area: Rect, buf: &mut Buffer, theme: &Theme) -> Regions<PartialMove> {
        let area = area.intersection(buf.area);
        let mut places = PlayLayout::new(area, self.zoom);
        let is_row = match self.current.outcome {
            None => self.analysis.shown == ShownValues::Nowhere,
            Some(_) => self.review.curve.as_ref().is_some_and(GameCurve::is_flat),
        };
        if is_row {
            // What shows the scores, or that nothing changed, needs a row; the moves have the rest.
            let both = places.scores.union(places.moves);
            [places.scores, places.moves] =
                Layout::vertical([Constraint::Length(3), Constraint::Fill(1)]).areas(both);
        }
        let board = self.board_within(area);
        let moves = self.view_board(&board, places.board, buf, theme);
        info_pane::view(self, places.game, buf, theme);
        self.view_scores(&board, places.scores, buf, theme);
        let other = self.opponents.short_kind();
        moves_pane::view(&self.current, other, places.moves, buf, theme);
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
        let places = BoardLayout::new(area, self.zoom);
        let turn = self.turn(theme);
        let below = self.move_line(board, area.width.saturating_sub(4), theme);
        let judge = Line::styled(lead_bar::judge(self, places.board), theme.dim);
        if places.is_on_frame() {
            let frame = Frame {
                bottom_left: below,
                right: judge,
                ..Frame::titled(turn)
            };
            frame.draw(Focus::Here, theme, area, buf);
        } else {
            if !self.zoom.is_zoomed() {
                let title = self.opponents.title(area.width.saturating_sub(6).into());
                Frame::titled(title).draw(Focus::Here, theme, area, buf);
            }
            Line::from(turn).centered().render(places.turn, buf);
            if below.width() + judge.width() < places.below.width.into() {
                put_right(buf, places.below, 0, judge);
            }
            put(buf, places.below, 0, below);
        }
        let stages = self.latest_move.animation.stages_left();
        let underway = (stages > 0).then(|| {
            let room = lead_bar::beside(self, places.board);
            self.current
                .game
                .board_during_move(stages, board::room(room))
        });
        let overlay = match underway {
            Some(_) => BoardOverlay::default(),
            None => self.overlay(board, theme),
        };
        let drawn = underway.as_ref().unwrap_or(board);
        let room = lead_bar::beside(self, places.board);
        board::draw(drawn, theme, &overlay, room, buf);
        let (human, kind) = (self.current.human, self.opponents.kind());
        let players = [(human, "you"), (human.opponent(), kind)];
        sides::view(players, drawn, room, buf, theme);
        lead_bar::view(self, drawn, places.board, buf, theme);
        self.moves_at(board, room)
    }

    /// The clickable places on a board drawn in `area`.
    fn moves_at(&self, board: &Board, area: Rect) -> Regions<PartialMove> {
        let mut moves = Regions::default();
        if !self.is_humans_turn() {
            return moves;
        }
        for target in self.picker.click_targets(board) {
            moves.add(board::place(target.at, board, area), target.selection);
        }
        moves
    }

    pub(super) fn is_humans_turn(&self) -> bool {
        let is_champions = self.current.is_champions_turn();
        let has_answered = self.is_practice && self.current.has_begun();
        !has_answered && !self.is_waiting() && !self.current.is_over() && !is_champions
    }

    /// Whether the user has to wait for an opponent.
    pub(super) fn is_waiting(&self) -> bool {
        self.opponents.current.is_none() && !self.is_practice
    }

    /// The side to move, or the winner.
    fn turn(&self, theme: &Theme) -> Span<'static> {
        let kind = self.opponents.kind();
        let (words, style) = match self.current.outcome {
            Some(PlayOutcome::HumanWins | PlayOutcome::IllegalChampionMove) => {
                ("You win".to_owned(), theme.good)
            }
            Some(PlayOutcome::ChampionWins) => (format!("The {kind} wins"), theme.bad),
            Some(PlayOutcome::Draw) => ("A draw".to_owned(), theme.strong),
            None if self.is_practice && !self.is_humans_turn() => (String::new(), theme.dim),
            None if self.is_waiting() => ("No champion yet".to_owned(), theme.dim),
            None if self.current.is_champions_turn() && self.is_opponent_thinking() => {
                (format!("The {kind} is thinking"), theme.warning)
            }
            None if self.current.is_champions_turn() => (format!("The {kind}'s turn"), theme.dim),
            None if self.current.game.position().must_pass => {
                let words = "You have no move and must pass".to_owned();
                (words, theme.warning)
            }
            None if self.current.is_lost() && !self.current.has_begun() => {
                return Span::styled("Lost against perfect play", theme.warning);
            }
            None => return Span::styled(self.current.turn_text(), theme.accent),
        };
        let points = match self.current.outcome {
            Some(PlayOutcome::IllegalChampionMove) | None => String::new(),
            Some(_) => self.current.score_text(),
        };
        Span::styled(format!("{words}{points}"), style)
    }

    /// The move being typed or under the cursor.
    fn move_line(&self, board: &Board, width: u16, theme: &Theme) -> Line<'static> {
        let width = usize::from(width);
        if let Some(TypedText { kind, input }) = &self.typed {
            let name = match kind {
                TypedKind::Move => "Move  ",
                TypedKind::StartPosition => "Start from  ",
            };
            let mut spans = vec![Span::styled(name, theme.key)];
            spans.extend(input.spans(width.saturating_sub(name.len()), theme));
            return Line::from(spans);
        }
        let enter = key_label(SCOPE, &[Action::Enter], theme);
        match &*self.moves_at_cursor(board) {
            [word] if self.picker.is_decided(board) => Line::from(vec![
                enter,
                Span::styled(" plays ", theme.dim),
                Span::styled(word.to_owned(), theme.strong),
                Span::styled("   or type it", theme.dim),
            ]),
            pointed @ [_, ..] => Line::from(vec![
                enter,
                Span::styled(" selects: ", theme.dim),
                Span::styled(
                    truncate(&pointed.join("  "), width.saturating_sub(15)),
                    theme.strong,
                ),
            ]),
            [] if self.current.outcome.is_some() => {
                let mut line = key_hints(SCOPE, &AFTER_GAME, theme);
                let review: (&[Action], _) = (&[Action::GoGames], " review");
                line.extend(key_hints(Scope::GLOBAL, &[review], theme));
                line
            }
            [] if self.is_humans_turn() => {
                let mut line = key_hints(SCOPE, &CHOOSING, theme);
                truncate_line(&mut line, width, theme.dim);
                line
            }
            [] => Line::default(),
        }
    }

    /// The moves under the cursor, on the user's turn.
    pub(super) fn moves_at_cursor(&self, board: &Board) -> Vec<String> {
        if self.is_humans_turn() {
            self.picker.moves_at_cursor(board)
        } else {
            Vec::new()
        }
    }

    /// The overlay of a board; without a cursor if it is not the user's turn.
    fn overlay(&self, board: &Board, theme: &Theme) -> BoardOverlay {
        let picked = if self.is_humans_turn() {
            self.picker.overlay(board)
        } else {
            BoardOverlay::default()
        };
        BoardOverlay {
            notes: self.notes(board, theme),
            ..picked
        }
    }

    /// The champion's scores on the squares.
    pub(super) fn notes(&self, board: &Board, theme: &Theme) -> Vec<BoardNote> {
        if !self.analysis.has_notes(board) {
            return Vec::new();
        }
        self.analysis.notes(&self.picker.noted_moves(board), theme)
    }

    fn view_scores(&self, board: &Board, area: Rect, buf: &mut Buffer, theme: &Theme) {
        if self.current.outcome.is_some() {
            return curve_view::view(self, area, buf, theme);
        }
        let is_champions = self.current.is_champions_turn();
        let title = match (self.analysis.winning.is_some(), area.width) {
            (true, _) if is_champions => "Its moves: champion and oracle",
            (true, _) => "Your moves: champion and oracle",
            _ if is_champions => &format!("Scores of the {}'s moves", self.opponents.kind()),
            (false, ..46) => "Scores of your moves",
            (false, _) => "The champion's scores of your moves",
        };
        let inner = Frame::titled(title).pane(Focus::Elsewhere, theme, area, buf);
        if self.opponents.current.is_none() {
            let words = "No champion yet. Your game begins after the first generation.";
            put_all(buf, inner, wrapped(words, inner.width.into(), theme.dim));
            return;
        }
        if self.is_analyzing() {
            return Line::styled("thinking", theme.dim).render(inner, buf);
        }
        if self.analysis.shown == ShownValues::Nowhere {
            return key_hints(SCOPE, &HIDDEN, theme).render(inner, buf);
        }
        let list = ScoreList {
            analysis: &self.analysis,
            pointed: self.moves_at_cursor(board),
            has_notes: self.analysis.has_notes(board),
            unit: self.current.game.info().scores.unit,
        };
        list.draw(inner, buf, theme);
    }

    /// The board as drawn in an area of the screen.
    pub(super) fn board_within(&self, area: Rect) -> Board {
        let pane = PlayLayout::new(area, self.zoom).board;
        let room = lead_bar::beside(self, BoardLayout::new(pane, self.zoom).board);
        self.current.game.board(board::room(room))
    }

    fn view_message(&self, area: Rect, buf: &mut Buffer, theme: &Theme) {
        let asked;
        let (words, style): (&str, Style) = match &self.message {
            PlayMessage::Question(action) => {
                asked = question(*action);
                (&asked, theme.warning)
            }
            PlayMessage::Info(words) => (words, theme.text),
            PlayMessage::Success(words) => (words, theme.good),
            PlayMessage::Error(words) => (words, theme.bad),
        };
        let is_move = |typed: &TypedText| typed.kind == TypedKind::Move;
        let types_move = self.typed.as_ref().is_some_and(is_move);
        let info = self.current.game.info();
        // A narrow screen has no other place for the goal.
        let has_place = area.width >= NARROW || self.is_practice;
        let help = if has_place || types_move || self.current.has_begun() {
            format!("To type a move: {}.", info.move_help)
        } else {
            format!("The goal: {}.", info.goal)
        };
        let has_none = words.is_empty() || (types_move && style == theme.text);
        let (words, style) = if has_none {
            (&*help, theme.dim)
        } else {
            (words, style)
        };
        let width = usize::from(area.width).saturating_sub(2);
        Line::styled(format!(" {}", truncate(words, width)), style).render(area, buf);
    }
}
