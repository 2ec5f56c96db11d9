//! Draws the details of the selected row of the Home screen.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::Span;

use crate::games::GameConfig;
use crate::games::board::MaxSize;
use crate::play;
use crate::preset::Preset;
use crate::storage::saves::RunSummary;
use crate::ui::format;
use crate::ui::keymap::{self, Action, Scope};
use crate::ui::model::run::RunModel;
use crate::ui::theme::Theme;
use crate::ui::widgets::board::{self, BoardOverlay};
use crate::ui::widgets::frame::{Focus, Frame};
use crate::ui::widgets::text::{below, inset, put};
use crate::ui::widgets::truncate::wrap;

use super::rows::{HomeGroup, HomeRow};
use super::view::{generations, state};
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
        Some(HomeRow::Heading(group)) => theme.to_drawable(group.name.clone()),
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
    match selected {
        Some(HomeRow::Heading(group)) => page.group(home, group),
        Some(HomeRow::Start(start, _)) => {
            page.text(start.title, theme.strong);
            page.gap();
            page.text(start.about, theme.text);
            page.field("takes", &format!("about {}", start.lasts));
            page.gap();
        }
        _ => {}
    }
    let is_start = matches!(selected, Some(HomeRow::Start(..)));
    match selected.and_then(HomeRow::item) {
        Some(HomeItem::Preset { preset, .. }) => {
            if !is_start {
                page.text(&preset.about, theme.strong);
                page.gap();
            }
            page.preset(preset);
            page.board(&preset.game);
        }
        Some(HomeItem::Run { name, summary }) => {
            page.run(name, summary, watch);
            page.board(&summary.game);
        }
        Some(HomeItem::Unreadable { reason, .. }) => {
            page.text("This run cannot be opened:", theme.text);
            page.text(reason, theme.bad);
        }
        None => {}
    }
    if page.left() >= 6 {
        page.row += 1;
        page.welcome(home);
    }
}

/// Writes text from top to bottom.
struct DetailsWriter<'a> {
    theme: &'a Theme,
    area: Rect,
    row: u16,
    buf: &'a mut Buffer,
}

impl DetailsWriter<'_> {
    fn left(&self) -> u16 {
        self.area.height.saturating_sub(self.row)
    }

    fn text(&mut self, text: &str, style: Style) {
        for line in wrap(text, self.area.width as usize) {
            put(self.buf, self.area, self.row, Span::styled(line, style));
            self.row += 1;
        }
    }

    /// A label and its value, wrapped over several lines if necessary.
    fn field(&mut self, label: &str, text: &str) {
        const LABEL: u16 = 11;
        if text.is_empty() {
            return;
        }
        put(
            self.buf,
            self.area,
            self.row,
            Span::styled(label, self.theme.dim),
        );
        let column = Rect {
            x: self.area.x + LABEL.min(self.area.width),
            width: self.area.width.saturating_sub(LABEL),
            ..self.area
        };
        for line in wrap(text, column.width as usize) {
            put(
                self.buf,
                column,
                self.row,
                Span::styled(line, self.theme.text),
            );
            self.row += 1;
        }
    }

    fn gap(&mut self) {
        if self.area.height >= 12 {
            self.row += 1;
        }
    }

    /// The start position of a game, if there is room for all of it.
    fn board(&mut self, game: &GameConfig) {
        const TALLEST: u16 = 12;
        let rest = below(self.area, self.row + 1);
        let room = MaxSize {
            width: rest.width,
            height: rest.height.min(TALLEST),
        };
        let board = play::start_board(game, room);
        if board.height <= rest.height && board.width <= rest.width && !rest.is_empty() {
            let area = Rect {
                height: board.height,
                ..rest
            };
            board::draw(&board, self.theme, &BoardOverlay::default(), area, self.buf);
            self.row += board.height + 1;
        }
    }

    /// What a group contains.
    fn group(&mut self, home: &Home, group: &HomeGroup) {
        let (enter, filter) = (home_key(Action::Enter), home_key(Action::Filter));
        let verb = if group.is_open { "fold" } else { "unfold" };
        let words = format!("{enter}: {verb} this group, {filter}: find in all groups");
        self.text(&words, self.theme.strong);
        self.gap();
        let items = home.items.iter().filter(|item| item.group() == group.name);
        for item in items.take(self.left().saturating_sub(7).into()) {
            self.text(item.name(), self.theme.dim);
        }
    }

    fn preset(&mut self, preset: &Preset) {
        self.field("published", &preset.published);
        self.field("source", &preset.source);
        self.gap();
        let population = preset.evolution.population;
        let generations = format::count(preset.generations as f64);
        self.field(
            "evolves",
            &format!("{population} networks for {generations} generations"),
        );
        let parts = format!(
            "{}, {} genome, {} agent",
            preset.game.name(),
            preset.genome.name(),
            preset.agent.name()
        );
        self.field("parts", &parts.replace('_', " "));
    }

    fn run(&mut self, name: &str, summary: &RunSummary, watch: Option<&RunModel>) {
        let (word, style) = state(summary, self.theme);
        let here = watch.is_some_and(|watch| watch.facts.saved_as.as_deref() == Some(name));
        let (enter, play) = (home_key(Action::Enter), home_key(Action::PlaySaved));
        let words = match word {
            "open" if here => format!("running now; {enter}: show"),
            "open" => "open in another finches process".to_owned(),
            "done" => format!(
                "{}; {enter}: open, {play}: play its champion",
                ending(summary)
            ),
            "play" => format!("{enter}: play this champion (no population saved)"),
            _ => format!(
                "{}; {enter}: resume exactly there, {play}: play its champion",
                ending(summary)
            ),
        };
        self.text(&words, style);
        self.gap();
        self.field(
            "preset",
            &format!(
                "{} ({})",
                summary.preset,
                summary.game.name().replace('_', " ")
            ),
        );
        self.field("seed", &summary.seed.to_string());
        self.field("reached", &generations(summary));
        let objective = summary
            .objective
            .map_or("not measured yet".to_owned(), |value| {
                format!("{} {}", format::percent(value), summary.objective_label)
            });
        self.field("objective", &self.theme.to_drawable(objective));
    }

    /// A short introduction to the program.
    fn welcome(&mut self, home: &Home) {
        let theme = self.theme;
        let rule = if theme.ascii { "-" } else { "─" };
        let rule = rule.repeat(self.area.width as usize);
        put(
            self.buf,
            self.area,
            self.row,
            Span::styled(rule, theme.border),
        );
        self.row += 1;
        let about = format!(
            "Neural networks evolve to play board games: they only play each other, and the better ones have offspring. {} starts the evolution; then watch it, change its parameters ({}), and play against the champion ({}).",
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

/// Why a saved run has ended.
fn ending(summary: &RunSummary) -> String {
    match &summary.target {
        Some(target) => format!("target reached: {target}"),
        None if summary.is_done() => "all generations are done".to_owned(),
        None => format!(
            "stopped after {} generations",
            format::count(summary.generation as f64)
        ),
    }
}

/// The key of an action of this screen.
fn home_key(action: Action) -> String {
    keymap::label(SCOPE, action)
}
