//! Draws the details of the selected row of the Home screen: text, a picture of the game, and the
//! objective of a run.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use crate::keymap::{self, Action, Scope};
use crate::model::run::RunModel;
use crate::theme::{ELLIPSIS, Theme};
use crate::widgets::board;
use crate::widgets::frame::{Focus, Frame};
use crate::widgets::plot::{Plot, Series, ValueUnit};
use crate::widgets::sparkline::{SparklineGlyphs, sparkline};
use crate::widgets::text::{below, first_rows, inset, put, right_of};
use crate::widgets::truncate::{truncate, wrap};
use crate::widgets::x_axis::RunAxis;
use finches_engine::games::GameConfig;
use finches_engine::games::board::MaxSize;
use finches_engine::metrics::history::History;
use finches_engine::play;

use super::rows::{HomeGroup, HomeRow};
use super::trends::OBJECTIVE;
use super::{Home, HomeItem, SCOPE};

pub(super) fn view(
    home: &Home,
    selected: Option<&HomeRow<'_>>,
    watch: Option<&RunModel>,
    theme: &Theme,
    area: Rect,
    buf: &mut Buffer,
) {
    let title = match selected {
        Some(HomeRow::Heading(group)) => group.name.clone(),
        Some(row) => row.item().map_or("", HomeItem::name).to_owned(),
        None => String::new(),
    };
    let inner = Frame::titled(title).draw(Focus::Elsewhere, theme, area, buf);
    let mut page = DetailsWriter {
        theme,
        area: inset(inner, 1),
        row: 0,
        buf,
    };
    let item = selected.and_then(HomeRow::item);
    let game = match item {
        Some(HomeItem::Preset { preset, .. }) => Some(&preset.game),
        Some(HomeItem::Run { summary, .. }) => Some(&summary.game),
        Some(HomeItem::Unreadable { .. }) | None => None,
    };
    let about = match selected {
        Some(HomeRow::Start(start, _)) => start.about,
        _ => "",
    };
    let is_beside = game.is_some_and(|game| page.board_beside(game, about));
    match (selected, item) {
        (Some(HomeRow::Heading(group)), _) => page.group(home, group),
        (Some(HomeRow::Start(start, _)), Some(item)) => page.start(home, start, item),
        (_, Some(HomeItem::Preset { preset, .. })) => page.preset(home, preset),
        (_, Some(HomeItem::Run { name, summary })) => page.run(home, name, summary, watch),
        (_, Some(HomeItem::Unreadable { reason, .. })) => {
            page.text("This run cannot be opened:", theme.text);
            page.text(reason, theme.bad);
        }
        _ => {}
    }
    if let Some(game) = game.filter(|_| !is_beside) {
        page.board(game);
    }
    match item {
        Some(HomeItem::Preset { preset, .. }) => page.more_of_preset(home, preset),
        Some(HomeItem::Run { name, summary }) => page.more_of_run(home, name, summary),
        Some(HomeItem::Unreadable { .. }) | None => {}
    }
    if page.left() >= 6 {
        page.row += 1;
        page.welcome(home);
    }
}

/// Writes text from top to bottom.
pub(super) struct DetailsWriter<'a> {
    pub(super) theme: &'a Theme,
    area: Rect,
    pub(super) row: u16,
    buf: &'a mut Buffer,
}

impl DetailsWriter<'_> {
    pub(super) fn left(&self) -> u16 {
        self.area.height.saturating_sub(self.row)
    }

    pub(super) fn width(&self) -> usize {
        self.area.width.into()
    }

    pub(super) fn text(&mut self, text: &str, style: Style) {
        let mut lines = wrap(text, self.width());
        let left = usize::from(self.left());
        if lines.len() > left && left > 0 {
            let rest = lines.split_off(left - 1).join(" ");
            lines.push(truncate(&rest, self.width()));
        }
        for line in lines {
            self.line(Span::styled(line, style));
        }
    }

    /// The rows that a text takes.
    pub(super) fn rows(&self, text: &str) -> u16 {
        wrap(text, self.width()).len() as u16
    }

    pub(super) fn line<'l>(&mut self, line: impl Into<Line<'l>>) {
        put(self.buf, self.area, self.row, line);
        self.row += 1;
    }

    /// A label and its value, wrapped over several lines if necessary.
    pub(super) fn field(&mut self, label: &str, text: &str) {
        const LABEL: u16 = 11;
        let theme = self.theme;
        let column = right_of(self.area, LABEL);
        let lines = wrap(text, column.width.into());
        // A sentence without its end says little.
        if lines.is_empty() || (self.has_room() && lines.len() > self.left().into()) {
            return;
        }
        let label = Span::styled(label, theme.dim);
        put(self.buf, self.area, self.row, label);
        for line in lines {
            put(self.buf, column, self.row, Span::styled(line, theme.text));
            self.row += 1;
        }
    }

    /// Whether there is room for more than the most important.
    pub(super) fn has_room(&self) -> bool {
        self.area.height >= 12
    }

    /// An empty row, where there is room.
    pub(super) fn gap(&mut self) {
        if self.has_room() {
            self.row += 1;
        }
    }

    /// A section with a heading, if `rows` rows of it have room.
    pub(super) fn section(&mut self, heading: &str, rows: u16) -> bool {
        if self.left() < rows + 3 {
            return false;
        }
        self.row += 1;
        self.text(heading, self.theme.accent);
        true
    }

    /// The start position of a game below the text, if there is room for all of it.
    fn board(&mut self, game: &GameConfig) {
        const TALLEST: u16 = 12;
        const TALLEST_OF_LARGE: u16 = 18;
        let tallest = if self.area.height > 45 {
            TALLEST_OF_LARGE
        } else {
            TALLEST
        };
        let rest = below(self.area, self.row + 1);
        let room = MaxSize {
            width: rest.width,
            height: rest.height.min(tallest),
        };
        let board = play::start_board(game, room);
        if board.height <= rest.height && board.width <= rest.width && !rest.is_empty() {
            let area = first_rows(rest, board.height);
            board::draw_plain(&board, self.theme, area, self.buf);
            self.row += board.height + 1;
        }
    }

    /// The start position at the right of a text in a wide, low pane, if both fit. Returns whether
    /// they do.
    fn board_beside(&mut self, game: &GameConfig, about: &str) -> bool {
        const WIDEST: u16 = 30;
        const LOW: u16 = 12;
        if self.area.width < 2 * WIDEST || self.area.height > LOW {
            return false;
        }
        let room = MaxSize {
            width: WIDEST,
            height: self.area.height,
        };
        let board = play::start_board(game, room);
        if board.height > room.height || board.width > room.width || board.height == 0 {
            return false;
        }
        let text = self.area.width - board.width - 2;
        if wrap(about, text.into()).len() > self.area.height.into() {
            return false;
        }
        let beside = first_rows(right_of(self.area, text + 2), board.height);
        board::draw_plain(&board, self.theme, beside, self.buf);
        self.area.width = text;
        true
    }

    /// The objective of a run over its generations, in one row where there is no room for a chart.
    pub(super) fn chart(&mut self, history: &History, label: &str) {
        const FEWEST: u16 = 6;
        const MOST: u16 = 13;
        let height = (self.left() / 3).min(MOST);
        if height < FEWEST {
            let glyphs = SparklineGlyphs::of(self.theme);
            let width = self.width().saturating_sub(12);
            let buckets = history.column(OBJECTIVE);
            let line = sparkline(buckets, width, Some((0.0, 1.0)), glyphs);
            return self.field("course", &line);
        }
        self.row += 1;
        self.text(label, self.theme.dim);
        let track = RunAxis::generations(history);
        let series = Series {
            buckets: history.column(OBJECTIVE),
            track,
            style: self.theme.series[0],
            games: None,
        };
        let plot = Plot {
            unit: ValueUnit::Share,
            ..Plot::new(vec![series], track)
        };
        let area = first_rows(below(self.area, self.row), height);
        plot.draw(self.theme, area, self.buf);
        self.row += height;
    }

    /// What a group contains.
    fn group(&mut self, home: &Home, group: &HomeGroup) {
        let (enter, filter) = (home_key(Action::Enter), home_key(Action::Filter));
        let verb = if group.is_open { "folds" } else { "unfolds" };
        let words = format!("{enter} {verb} this group, {filter} searches all groups");
        self.text(&words, self.theme.strong);
        self.gap();
        let items = home.items.iter().filter(|item| item.group() == group.name);
        for (index, item) in items.enumerate() {
            let about = match item {
                HomeItem::Preset { preset, .. } => &*preset.about,
                _ => "",
            };
            let rows = if self.has_room() {
                1 + self.rows(about)
            } else {
                1
            };
            let is_last = index + 1 == group.count;
            if self.left() < rows + u16::from(!is_last) {
                let more = group.count - index;
                let words = format!("{ELLIPSIS} {more} more");
                return self.text(&words, self.theme.dim);
            }
            if self.has_room() {
                self.text(item.name(), self.theme.text);
                self.text(about, self.theme.dim);
            } else {
                let words = format!("{}  {about}", item.name());
                let words = truncate(&words, self.width());
                self.line(Span::styled(words, self.theme.text));
            }
        }
    }

    /// A short introduction to the program.
    fn welcome(&mut self, home: &Home) {
        let theme = self.theme;
        let rule = theme.sign("─", "-");
        let rule = rule.repeat(self.width());
        self.line(Span::styled(rule, theme.border));
        let about = format!(
            "Neural networks evolve to play board games: they only play each other, and the better \
            ones have offspring. {} starts the evolution; then watch it, change its parameters \
            ({}), and play against the champion ({}).",
            home_key(Action::Enter),
            keymap::label(Scope::GLOBAL, Action::GoParameters),
            keymap::label(Scope::GLOBAL, Action::GoPlay)
        );
        self.text(&about, theme.dim);
        if home.saved_run_count() == 0 && self.left() >= 2 {
            let folder = format!(
                "No saved runs yet. They will be stored in {} and listed here.",
                home.folder
            );
            self.text(&folder, theme.dim);
        }
    }
}

/// The key of an action of this screen.
pub(super) fn home_key(action: Action) -> String {
    keymap::label(SCOPE, action)
}
