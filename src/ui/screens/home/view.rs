//! Draws the home screen: the list, and what is to be known of the chosen item.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use crate::preset::Preset;
use crate::storage::saves::Brief;
use crate::ui::app::watch::Watch;
use crate::ui::keymap::{self, Action, Scope};
use crate::ui::mouse::Regions;
use crate::ui::theme::Theme;
use crate::ui::widgets::fit::{fit, wrap};
use crate::ui::widgets::frame::{Focus, Frame};
use crate::ui::widgets::text::{inset, put, put_right};
use crate::ui::words;

use super::{Changed, Home, Item};

/// A line of the list.
enum Entry<'a> {
    Gap,
    Heading(String),
    Item(usize, &'a Item),
}

/// Draws the screen; which item lies where.
pub fn view(
    home: &Home,
    watch: Option<&Watch>,
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
        title: Line::from("What shall evolve?"),
        right: filter,
        ..Frame::default()
    };
    let inner = inset(frame.draw(Focus::Here, theme, list_area, buf), 1);
    let regions = list(home, theme, inner, buf);
    details(home, watch, theme, details_area, buf);
    regions
}

/// The list, and the details beside it or, where it is narrow, below.
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

fn entries(home: &Home) -> Vec<Entry<'_>> {
    let mut entries = Vec::new();
    let mut group = String::new();
    for (place, item) in home.shown().enumerate() {
        let heading = item.group();
        if heading != group {
            if !group.is_empty() {
                entries.push(Entry::Gap);
            }
            entries.push(Entry::Heading(heading.clone()));
            group = heading;
        }
        entries.push(Entry::Item(place, item));
    }
    entries
}

fn list(home: &Home, theme: &Theme, area: Rect, buf: &mut Buffer) -> Regions<usize> {
    let mut regions = Regions::default();
    let entries = entries(home);
    if entries.is_empty() {
        // What is typed into takes its own keys.
        let all = if home.is_typing() {
            "esc".to_owned()
        } else {
            keymap::label(Scope::Global, Action::Back)
        };
        put(
            buf,
            area,
            0,
            Span::styled(format!("nothing matches; {all} shows all"), theme.dim),
        );
        return regions;
    }
    let selected = home.selected();
    let chosen = entries
        .iter()
        .position(|entry| matches!(entry, Entry::Item(place, _) if *place == selected))
        .unwrap_or(0);
    let room = area.height as usize;
    let most = entries.len().saturating_sub(room);
    // The selection stays two thirds down, so that what comes next is seen.
    let first = chosen.saturating_sub(room * 2 / 3).min(most);
    let width = name_width(home, area.width);
    for (row, entry) in entries.iter().skip(first).take(room).enumerate() {
        let row = row as u16;
        match entry {
            Entry::Gap => {}
            Entry::Heading(words) => {
                let words = if theme.ascii {
                    words.replace('·', "-")
                } else {
                    words.clone()
                };
                put(buf, area, row, Span::styled(words, theme.accent));
            }
            Entry::Item(place, item) => {
                let line = Rect {
                    y: area.y + row,
                    height: 1,
                    ..area
                };
                regions.add(line, *place);
                if *place == selected {
                    buf.set_style(line.intersection(buf.area), theme.selection);
                }
                let look = Look {
                    theme,
                    chosen: *place == selected,
                    width,
                };
                put(buf, area, row, look.line(item, area.width));
                if let Some(right) = look.right(item) {
                    put_right(buf, area, row, right);
                }
            }
        }
    }
    if first + room < entries.len() {
        let more = if theme.ascii { "v" } else { "▾" };
        put_right(buf, area, area.height - 1, Span::styled(more, theme.dim));
    }
    regions
}

/// The width of the names, so that what follows them is aligned.
fn name_width(home: &Home, width: u16) -> usize {
    let name = |item: &Item| match item {
        Item::Run { name, .. } | Item::Unreadable { name, .. } => name.chars().count(),
        Item::Preset { preset, .. } => preset.name.chars().count(),
    };
    let longest = home.items.iter().map(name).max().unwrap_or(0);
    longest.clamp(8, (width as usize / 2).max(8))
}

/// How an item is written.
struct Look<'a> {
    theme: &'a Theme,
    chosen: bool,
    width: usize,
}

impl Look<'_> {
    fn style(&self, style: Style) -> Style {
        if self.chosen {
            self.theme.selection
        } else {
            style
        }
    }

    fn line<'a>(&self, item: &Item, room: u16) -> Line<'a> {
        let theme = self.theme;
        let (name, words, style) = match item {
            Item::Run { name, brief } => (name, progress(brief), theme.dim),
            Item::Unreadable { name, .. } => (name, "can't be opened".to_owned(), theme.bad),
            Item::Preset { preset, .. } => (&preset.name, preset.about.clone(), theme.dim),
        };
        let width = self.width;
        let name = theme.plain(fit(name, width));
        let left = (room as usize).saturating_sub(width + 4);
        Line::from(vec![
            Span::styled(format!(" {name:<width$}  "), self.style(theme.text)),
            Span::styled(theme.plain(fit(&words, left)), self.style(style)),
        ])
    }

    fn right<'a>(&self, item: &Item) -> Option<Line<'a>> {
        let theme = self.theme;
        match item {
            Item::Run { brief, .. } => {
                let objective = brief.objective.map_or("-".to_owned(), words::percent);
                let (word, style) = state(brief, theme);
                Some(Line::from(vec![
                    Span::styled(format!("{objective:>5}  "), self.style(theme.strong)),
                    Span::styled(format!("{word:<6} "), self.style(style)),
                ]))
            }
            Item::Preset {
                changed: Changed::Yes,
                ..
            } => Some(Line::styled(" changed ", self.style(theme.key))),
            _ => None,
        }
    }
}

fn progress(brief: &Brief) -> String {
    format!(
        "gen {}/{}",
        words::count(brief.generation as f64),
        words::count(brief.generations as f64)
    )
}

/// What a saved run is doing, in a word.
fn state(brief: &Brief, theme: &Theme) -> (&'static str, Style) {
    if !brief.can_go_on {
        ("play", theme.key)
    } else if brief.is_open {
        ("open", theme.good)
    } else if brief.generation >= brief.generations {
        ("done", theme.focus)
    } else {
        ("resume", theme.warning)
    }
}

fn details(home: &Home, watch: Option<&Watch>, theme: &Theme, area: Rect, buf: &mut Buffer) {
    let item = home.shown().nth(home.selected());
    let title = match item {
        Some(Item::Run { name, .. } | Item::Unreadable { name, .. }) => name.clone(),
        Some(Item::Preset { preset, .. }) => preset.name.clone(),
        None => String::new(),
    };
    let inner = Frame::titled(title).draw(Focus::Elsewhere, theme, area, buf);
    let inner = inset(inner, 1);
    let mut page = Page {
        theme,
        area: inner,
        row: 0,
        buf,
    };
    match item {
        Some(Item::Preset { preset, .. }) => page.preset(preset),
        Some(Item::Run { name, brief }) => page.run(name, brief, watch),
        Some(Item::Unreadable { reason, .. }) => {
            page.text("This run can't be opened:", theme.text);
            page.text(reason, theme.bad);
        }
        None => {}
    }
    if page.left() >= 6 {
        page.row += 1;
        page.welcome(home);
    }
}

/// Text written from the top down.
struct Page<'a> {
    theme: &'a Theme,
    area: Rect,
    row: u16,
    buf: &'a mut Buffer,
}

impl Page<'_> {
    fn left(&self) -> u16 {
        self.area.height.saturating_sub(self.row)
    }

    fn text(&mut self, text: &str, style: Style) {
        for line in wrap(text, self.area.width as usize) {
            put(self.buf, self.area, self.row, Span::styled(line, style));
            self.row += 1;
        }
    }

    /// A label and what it stands for, which may take several lines.
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
        self.field("found", &preset.published);
        self.field("source", &preset.source);
        self.gap();
        let population = preset.evolution.population;
        let generations = words::count(preset.generations as f64);
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
        self.field("made of", &parts.replace('_', " "));
    }

    fn run(&mut self, name: &str, brief: &Brief, watch: Option<&Watch>) {
        let (word, style) = state(brief, self.theme);
        let here = watch.is_some_and(|watch| watch.facts.saved_as.as_deref() == Some(name));
        let (enter, play) = (home_key(Action::Enter), home_key(Action::PlaySaved));
        let words = match word {
            "open" if here => format!("goes on here: {enter} shows it"),
            "open" => "open in another finches".to_owned(),
            "done" => format!("done: {enter} opens it, {play} plays its champion"),
            "play" => format!(
                "{enter} sits down against its champion; there is no population to go on with"
            ),
            _ => format!("{enter} goes on exactly where it stopped"),
        };
        self.text(&words, style);
        self.gap();
        self.field(
            "preset",
            &format!("{} ({})", brief.preset, brief.game.replace('_', " ")),
        );
        self.field("seed", &brief.seed.to_string());
        self.field("reached", &progress(brief));
        let objective = brief
            .objective
            .map_or("not measured yet".to_owned(), words::percent);
        self.field("objective", &objective);
    }

    /// What this is about, for someone who has never seen it.
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
            "Neural networks evolve to play board games: they only play each other, and the better ones have children. {} starts the evolution; then watch it, turn its knobs ({}), and play against the champion ({}).",
            home_key(Action::Enter),
            keymap::label(Scope::Global, Action::GoKnobs),
            keymap::label(Scope::Global, Action::GoPlay)
        );
        self.text(&about, theme.dim);
        if home.runs() == 0 && self.left() >= 2 {
            let folder = format!(
                "No saved runs yet. They will be kept in {} and listed here.",
                home.folder
            );
            self.text(&folder, theme.dim);
        }
    }
}

/// The key of an action of this screen.
fn home_key(action: Action) -> String {
    keymap::label(Scope::Home, action)
}
