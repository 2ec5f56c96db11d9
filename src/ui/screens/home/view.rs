//! Draws the Home screen: the list and the details of the selected item.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use crate::preset::Preset;
use crate::storage::saves::RunSummary;
use crate::ui::format;
use crate::ui::keymap::{self, Action, Scope};
use crate::ui::model::run::RunModel;
use crate::ui::mouse::Regions;
use crate::ui::theme::Theme;
use crate::ui::widgets::frame::{Focus, Frame};
use crate::ui::widgets::list::{ListRow, ScrollList};
use crate::ui::widgets::text::{inset, put};
use crate::ui::widgets::truncate::{self, truncate, wrap};

use super::SCOPE;
use super::{Home, HomeItem};

/// A row of the list.
enum HomeRow<'a> {
    Gap,
    Heading(String),
    Item(usize, &'a HomeItem),
}

/// Draws the screen and returns the region of each item.
pub(super) fn view(
    home: &Home,
    watch: Option<&RunModel>,
    theme: &Theme,
    area: Rect,
    buf: &mut Buffer,
) -> Regions<usize> {
    let (list_area, details_area) = parts(area);
    let filter = if home.is_typing() || home.is_filtered() {
        let cursor = if home.is_typing() { "_" } else { "" };
        Line::styled(format!("/{}{cursor}", home.filter), theme.accent)
    } else {
        Line::default()
    };
    let frame = Frame {
        title: Line::from("Choose what to evolve"),
        right: filter,
        ..Frame::default()
    };
    let inner = inset(frame.draw(Focus::Here, theme, list_area, buf), 1);
    let regions = list(home, theme, list_area, inner, buf);
    details(home, watch, theme, details_area, buf);
    regions
}

/// The areas of the list and the details: side by side, or stacked on narrow terminals.
fn parts(area: Rect) -> (Rect, Rect) {
    let (mut list, mut details) = (area, area);
    if area.width >= 100 {
        list.width = (area.width * 3 / 5).min(area.width.saturating_sub(46));
        details.x += list.width;
        details.width -= list.width;
    } else {
        details.height = (area.height * 2 / 5).clamp(0, 11);
        list.height -= details.height;
        details.y += list.height;
    }
    (list, details)
}

fn rows(home: &Home) -> Vec<HomeRow<'_>> {
    let mut rows = Vec::new();
    let mut group = String::new();
    for (index, item) in home.shown().enumerate() {
        let heading = item.group();
        if heading != group {
            if !group.is_empty() {
                rows.push(HomeRow::Gap);
            }
            rows.push(HomeRow::Heading(heading.clone()));
            group = heading;
        }
        rows.push(HomeRow::Item(index, item));
    }
    rows
}

fn list(home: &Home, theme: &Theme, frame: Rect, area: Rect, buf: &mut Buffer) -> Regions<usize> {
    let mut regions = Regions::default();
    let rows = rows(home);
    if rows.is_empty() {
        // While typing, the keys are fixed.
        let all = if home.is_typing() {
            "esc".to_owned()
        } else {
            keymap::label(Scope::GLOBAL, Action::Back)
        };
        put(
            buf,
            area,
            0,
            Span::styled(format!("no matches; {all}: show all"), theme.dim),
        );
        return regions;
    }
    let selected = home.selected();
    let selected_row = rows
        .iter()
        .position(|row_entry| matches!(row_entry, HomeRow::Item(index, _) if *index == selected))
        .unwrap_or(0);
    let scrolled = ScrollList::selecting(rows.len(), selected_row);
    let width = name_width(home, area.width);
    scrolled.draw(theme, area, buf, |row| match &rows[row] {
        HomeRow::Gap => ListRow::default(),
        HomeRow::Heading(words) if theme.ascii => {
            Line::styled(words.replace('·', "-"), theme.accent).into()
        }
        HomeRow::Heading(words) => Line::styled(words.clone(), theme.accent).into(),
        HomeRow::Item(_, item) => ListRow {
            text: item_line(item, width, area.width, theme),
            note: item_note(item, theme),
        },
    });
    scrolled.scrollbar(theme, area.height, frame, buf);
    for (row, line) in scrolled.visible(area) {
        if let HomeRow::Item(index, _) = rows[row] {
            regions.add(line, index);
        }
    }
    regions
}

/// The width of the name column.
fn name_width(home: &Home, width: u16) -> usize {
    let name = |item: &HomeItem| match item {
        HomeItem::Run { name, .. } | HomeItem::Unreadable { name, .. } => truncate::width(name),
        HomeItem::Preset { preset, .. } => truncate::width(&preset.name),
    };
    let longest = home.items.iter().map(name).max().unwrap_or(0);
    longest.clamp(8, (width as usize / 2).max(8))
}

/// The name of an item, and its progress or description.
fn item_line<'a>(item: &HomeItem, width: usize, room: u16, theme: &Theme) -> Line<'a> {
    let (name, words, style) = match item {
        HomeItem::Run { name, summary } => (name, progress(summary), theme.dim),
        HomeItem::Unreadable { name, .. } => (name, "cannot be opened".to_owned(), theme.bad),
        HomeItem::Preset { preset, .. } => (&preset.name, preset.about.clone(), theme.dim),
    };
    let name = truncate::pad(&theme.to_drawable(truncate(name, width)), width);
    let left = (room as usize).saturating_sub(width + 4);
    Line::from(vec![
        Span::styled(format!(" {name}  "), theme.text),
        Span::styled(theme.to_drawable(truncate(&words, left)), style),
    ])
}

/// The state of an item.
fn item_note<'a>(item: &HomeItem, theme: &Theme) -> Line<'a> {
    match item {
        HomeItem::Run { summary, .. } => {
            let objective = summary.objective.map_or("-".to_owned(), format::percent);
            let (word, style) = state(summary, theme);
            Line::from(vec![
                Span::styled(format!("{objective:>5}  "), theme.strong),
                Span::styled(format!("{word:<6} "), style),
            ])
        }
        HomeItem::Preset {
            is_changed: true, ..
        } => Line::styled(" changed ", theme.key),
        _ => Line::default(),
    }
}

fn progress(summary: &RunSummary) -> String {
    format!(
        "gen {}/{}",
        format::count(summary.generation as f64),
        format::count(summary.generations as f64)
    )
}

/// The state of a saved run in one word.
fn state(summary: &RunSummary, theme: &Theme) -> (&'static str, Style) {
    if !summary.can_resume {
        ("play", theme.key)
    } else if summary.is_open {
        ("open", theme.good)
    } else if summary.generation >= summary.generations {
        ("done", theme.focus)
    } else {
        ("resume", theme.warning)
    }
}

fn details(home: &Home, watch: Option<&RunModel>, theme: &Theme, area: Rect, buf: &mut Buffer) {
    let item = home.shown().nth(home.selected());
    let title = match item {
        Some(HomeItem::Run { name, .. } | HomeItem::Unreadable { name, .. }) => name.clone(),
        Some(HomeItem::Preset { preset, .. }) => preset.name.clone(),
        None => String::new(),
    };
    let inner = Frame::titled(title).draw(Focus::Elsewhere, theme, area, buf);
    let inner = inset(inner, 1);
    let mut page = DetailsWriter {
        theme,
        area: inner,
        row: 0,
        buf,
    };
    match item {
        Some(HomeItem::Preset { preset, .. }) => page.preset(preset),
        Some(HomeItem::Run { name, summary }) => page.run(name, summary, watch),
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

    fn preset(&mut self, preset: &Preset) {
        self.text(&preset.about, self.theme.strong);
        self.gap();
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
            "done" => format!("done; {enter}: open, {play}: play its champion"),
            "play" => format!("{enter}: play this champion (no population saved)"),
            _ => format!("{enter}: resume exactly where it stopped"),
        };
        self.text(&words, style);
        self.gap();
        self.field(
            "preset",
            &format!("{} ({})", summary.preset, summary.game.replace('_', " ")),
        );
        self.field("seed", &summary.seed.to_string());
        self.field("reached", &progress(summary));
        let objective = summary
            .objective
            .map_or("not measured yet".to_owned(), format::percent);
        self.field("objective", &objective);
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

/// The key of an action of this screen.
fn home_key(action: Action) -> String {
    keymap::label(SCOPE, action)
}
