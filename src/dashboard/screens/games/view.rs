//! Draws the Games screen: the list, the board, and the moves with their judgments.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::format;
use crate::keymap::{self, Action, Scope};
use crate::model::context::Context;
use crate::model::zoom::Zoom;
use crate::mouse::Regions;
use crate::screen::ClickTarget;
use crate::screens::move_marks::{latest_move, verdict_span};
use crate::screens::sides;
use crate::theme::Theme;
use crate::widgets::board;
use crate::widgets::frame::{Focus, Frame, filter_line};
use crate::widgets::key_label::key_hints;
use crate::widgets::list::{ListRow, ScrollList};
use crate::widgets::text::{below, cut_below, inset, put, put_all, put_right};
use crate::widgets::truncate::{fit, truncate, widest, wrapped};
use finches_engine::games::Side;
use finches_engine::games::board::MaxSize;
use finches_engine::text::percentage;

use super::game_list::{self, GameRef, GameRow, GameSummary};
use super::screen::{GamesAction, SCOPE};
use super::{GamesInput, GamesScreen, ShownGame, moves};

/// The keys of the playback.
const KEYS: [(&[Action], &str); 2] = [
    (&[Action::PreviousMove, Action::NextMove], " step "),
    (&[GamesAction::Autoplay.action()], " auto"),
];

/// The width from which the list has figures.
const WIDE_LIST: usize = 50;

/// The areas of the panes.
struct GamesLayout {
    list: Rect,
    board: Rect,
    moves: Rect,
}

impl GamesLayout {
    fn new(area: Rect, zoom: Zoom) -> Self {
        let (mut list, mut board, mut moves) = (area, area, area);
        if zoom.is_zoomed() || area.width < 50 || area.height < 10 {
            (list, moves) = (Rect::ZERO, Rect::ZERO);
        } else if area.width < 110 {
            let side = 38.min(area.width / 2);
            board.width -= side;
            list.x += board.width;
            list.width = side;
            moves = below(list, area.height * 2 / 5);
            list.height -= moves.height;
        } else {
            list.width = if area.width < 160 { 36 } else { 56 };
            moves.width = if area.width < 160 { 36 } else { 56 };
            board.x += list.width;
            board.width -= list.width + moves.width;
            moves.x = board.right();
        }
        Self { list, board, moves }
    }
}

impl GamesScreen {
    pub(super) fn draw(
        &self,
        context: &Context,
        body: Rect,
        buf: &mut Buffer,
    ) -> Regions<ClickTarget> {
        let theme = &context.theme;
        let mut area = body.intersection(buf.area);
        if let Some(practice) = &self.practice {
            return practice.view(theme, area, buf);
        }
        if let Some(line) = self.line(theme, area.width) {
            area.height = area.height.saturating_sub(1);
            put(buf, body, area.height, line);
        }
        let places = GamesLayout::new(area, self.zoom);
        let mut regions = self.list(theme, places.list, buf);
        if let Some(shown) = &self.shown {
            regions.extend(self.game(shown, theme, places.board, buf));
            regions.extend(moves::view(self, shown, theme, places.moves, buf));
        } else {
            self.draw_placeholder(theme, places.board, buf);
            Frame::titled("Moves").draw(Focus::Elsewhere, theme, places.moves, buf);
        }
        regions
    }

    /// The line being entered or the message, if any.
    fn line(&self, theme: &Theme, width: u16) -> Option<Line<'static>> {
        let room = usize::from(width).saturating_sub(2);
        if let GamesInput::Path(entry) = &self.typing {
            let mut spans = vec![Span::styled(" Open a file of games: ", theme.key)];
            spans.extend(entry.spans(room.saturating_sub(50), theme));
            spans.push(Span::styled("   enter opens, esc cancels", theme.dim));
            return Some(Line::from(spans));
        }
        let (words, style) = match &self.message {
            Ok(words) => (words, theme.accent),
            Err(words) => (words, theme.bad),
        };
        let words = words.replace('\n', "; ");
        (!words.is_empty()).then(|| Line::styled(format!(" {}", truncate(&words, room)), style))
    }

    fn list(&self, theme: &Theme, area: Rect, buf: &mut Buffer) -> Regions<ClickTarget> {
        let rows = self.rows();
        let is_typing = matches!(self.typing, GamesInput::Filter(_));
        let cursor = if is_typing { "_" } else { "" };
        let frame = Frame {
            title: Line::from("Recorded games"),
            right: filter_line(&self.filter, cursor, theme),
            bottom_left: Line::styled(
                if self.is_listing() { "loading" } else { "" },
                theme.warning,
            ),
            bottom_right: Line::styled(format::count(rows.len() as f64), theme.dim),
            ..Frame::default()
        };
        let inner = frame.pane(Focus::Here, theme, area, buf);
        let columns = ListColumns::new(&rows, inner.width.into());
        if !rows.is_empty() {
            let head = columns.head(theme);
            put(buf, inner, 0, head.text);
            put_right(buf, inner, 0, head.note);
        }
        let inner = below(inner, 1);
        let chosen = rows.iter().position(|row| Some(row.place) == self.selected);
        let list = ScrollList::new(rows.len(), self.row_index(&rows)).highlighting(chosen);
        list.draw(theme, inner, buf, |index| columns.row(&rows[index], theme));
        list.scrollbar(theme, inner.height, area, buf);
        if rows.is_empty() {
            let back = keymap::label(Scope::GLOBAL, Action::Back);
            let words = match (self.filter.is_empty(), self.is_listing()) {
                (false, _) => format!("No matches; {back} shows all."),
                (true, true) => "Loading.".to_owned(),
                (true, false) => "None yet.".to_owned(),
            };
            put(buf, inner, 0, Span::styled(words, theme.dim));
        }
        list.regions(inner, ClickTarget::Row)
    }

    /// The list has the focus unless the board fills the screen.
    fn focus(&self) -> Focus {
        Focus::from(self.zoom.is_zoomed())
    }

    /// Draws why no game is shown.
    fn draw_placeholder(&self, theme: &Theme, area: Rect, buf: &mut Buffer) {
        let inner = Frame::titled("Game").draw(self.focus(), theme, area, buf);
        let inner = inset(inner, 1);
        let rows = self.rows();
        let refused = rows
            .iter()
            .find(|row| Some(row.place) == self.selected)
            .and_then(|row| row.brief.as_ref().err());
        let open = keymap::label(SCOPE, GamesAction::Import.action());
        let none = format!(
            "No games yet. The champion's games are listed after the first generation; {open} \
            opens a file of games."
        );
        let (words, style) = match refused {
            Some(reason) => (reason.as_str(), theme.bad),
            None if self.is_loading() => ("Loading.", theme.dim),
            None if rows.is_empty() => (none.as_str(), theme.dim),
            None => ("Choose a game.", theme.dim),
        };
        put_all(buf, inner, wrapped(words, inner.width.into(), style));
    }

    fn game(
        &self,
        shown: &ShownGame,
        theme: &Theme,
        area: Rect,
        buf: &mut Buffer,
    ) -> Regions<ClickTarget> {
        let record = &shown.record;
        let state = if self.playback.is_autoplay {
            theme.sign("▶ auto", "auto")
        } else {
            "by hand"
        };
        let [first, second] = &record.names;
        let frame = Frame {
            title: Line::from(format!("{first} vs. {second}")),
            right: Line::styled(
                game_list::result_text(&record.names, record.result),
                theme.text,
            ),
            bottom_left: Line::styled(state, theme.dim),
            bottom_right: key_hints(SCOPE, &KEYS, theme),
            ..Frame::default()
        };
        let inner = frame.pane(self.focus(), theme, area, buf);
        let (boards, foot) = cut_below(inner, 4.min(inner.height.saturating_sub(6)));
        let room = MaxSize {
            height: boards.height.max(1),
            ..board::room(boards)
        };
        let moment = self.playback.moment();
        let picture = shown.rules.arena.record_board(record, moment, room);
        board::draw_plain(&picture, theme, boards, buf);
        let players = [(Side::First, &**first), (Side::Second, &**second)];
        sides::view(players, &picture, boards, buf, theme);
        put(buf, foot, 0, self.totals(shown, foot.width.into(), theme));
        put(buf, foot, 1, self.last_move(shown, theme));
        moves::loss_chart(self, theme, below(foot, 2), buf)
    }

    /// How accurate both sides were, and where the game turned.
    fn totals(&self, shown: &ShownGame, width: usize, theme: &Theme) -> Line<'static> {
        let Some(found) = &self.analysis.found else {
            return Line::default();
        };
        // A side that could not go wrong has no accuracy, and none can judge itself.
        let judge = self.analysis.judge.as_ref();
        let judge = judge.and_then(|judge| judge.plays_as.as_ref());
        let sides = shown.record.names.iter().zip(found.accuracies);
        let sides = sides.filter(|(name, _)| Some(*name) != judge);
        let sides = sides.filter_map(|(name, share)| Some((name, percentage(share?, 0))));
        let sides: Vec<String> = sides.map(|(name, it)| format!("{name} {it}%")).collect();
        let accuracy = match sides.as_slice() {
            [] => String::new(),
            _ => format!("accuracy: {}", sides.join(", ")),
        };
        let turn = found.turning_point;
        let turn = turn.map(|number| format!("decided by move {number}"));
        let both = turn.map_or(accuracy.clone(), |turn| format!("{accuracy}; {turn}"));
        let both = both.trim_start_matches("; ");
        let fits = accuracy.is_empty() || widest([both]) <= width;
        let words = if fits { both } else { &accuracy };
        Line::styled(truncate(words, width), theme.dim)
    }

    /// The latest move and its judgment.
    fn last_move(&self, shown: &ShownGame, theme: &Theme) -> Line<'static> {
        let (ply, count) = (self.playback.ply, shown.record.plies.len());
        let Some(mut spans) = latest_move(&shown.record, ply, theme) else {
            return Line::styled(format!("start position; {count} moves follow"), theme.dim);
        };
        let last = ply - 1;
        let judgment = self.judgment(last);
        spans.extend(judgment.map(|it| verdict_span(it.verdict, &it.words, theme)));
        let found = self
            .analysis
            .found
            .as_ref()
            .and_then(|it| it.moves.get(last));
        if let Some(found) = found.filter(|it| it.loss > Some(0.0))
            && let Some((best, _)) = found.best.first()
        {
            spans.push(Span::styled(format!("; best {best}"), theme.text));
        }
        Line::from(spans)
    }
}

/// The columns of the list.
struct ListColumns {
    width: usize,
    origin: usize,
    names: usize,
    result: usize,
    /// The head of the figures, if there is room for them.
    figures: &'static str,
}

impl ListColumns {
    /// The longest result has room.
    fn new(rows: &[GameRow], width: usize) -> Self {
        let origin = widest(rows.iter().map(|row| &*row.origin)).clamp(4, 8);
        let mut briefs = rows.iter().filter_map(|row| row.brief.as_ref().ok());
        let longest = widest(briefs.clone().map(|brief| &*brief.result));
        let has_mistakes = briefs.any(|brief| brief.mistakes.is_some());
        let (result, figures) = match width {
            ..WIDE_LIST => (11, ""),
            _ if has_mistakes => (11, "mistakes  moves"),
            _ => (longest.clamp(11, 20), "  moves"),
        };
        Self {
            width,
            origin,
            names: width.saturating_sub(origin + 2 + result + figures.len()),
            result,
            figures,
        }
    }

    fn head<'a>(&self, theme: &Theme) -> ListRow<'a> {
        let (origin, names) = (fit("gen", self.origin), fit("first, second", self.names));
        ListRow {
            text: Line::styled(format!("{origin} {names} result"), theme.dim),
            note: Line::styled(self.figures, theme.dim),
        }
    }

    /// A row: origin, players, result and, if there is room, figures.
    fn row<'a>(&self, row: &GameRow, theme: &Theme) -> ListRow<'a> {
        let origin = Span::styled(fit(&row.origin, self.origin) + " ", theme.dim);
        let brief = match &row.brief {
            Ok(brief) => brief,
            Err(reason) => {
                let room = self.width.saturating_sub(self.origin + 1);
                let reason = truncate(&format!("! {reason}"), room);
                let style = match row.place {
                    GameRef::Opened(_) => theme.dim,
                    _ => theme.bad,
                };
                return Line::from(vec![origin, Span::styled(reason, style)]).into();
            }
        };
        let names = format!("{} vs. {}", brief.names[0], brief.names[1]);
        let text = Line::from(vec![
            origin,
            Span::styled(fit(&names, self.names) + " ", theme.text),
            Span::styled(truncate(&brief.result, self.result), theme.strong),
        ]);
        let note = Line::styled(self.figures(brief), theme.dim);
        ListRow { text, note }
    }

    /// The mistakes and the number of moves, if there is room.
    fn figures(&self, brief: &GameSummary) -> String {
        match brief.mistakes {
            _ if self.figures.is_empty() => String::new(),
            Some(mistakes) => format!("{mistakes:>8}  {:>5}", brief.plies),
            None => format!("{:>1$}", brief.plies, self.figures.len()),
        }
    }
}
