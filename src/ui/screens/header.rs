//! The lines around every screen: what is run and how well it goes, the tabs with the progress, and the keys.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use crate::ui::app::point::Target;
use crate::ui::app::tab::{TABS, Tab};
use crate::ui::app::watch::{State, Watch};
use crate::ui::app::{Model, Screen, Tone};
use crate::ui::keymap::{self, Action, Binding, Scope, bindings};
use crate::ui::mouse::Regions;
use crate::ui::screens::run::speed;
use crate::ui::theme::Theme;
use crate::ui::widgets::fit::wrap;
use crate::ui::widgets::gauge::gauge;
use crate::ui::widgets::text::{put, put_right};
use crate::ui::words;

/// What this is all about, for terminals more or less wide; `{}` is the key to play.
const PURPOSE: [&str; 3] = [
    "networks evolve to play games: start some, then play their champion ({})",
    "networks evolve to play games: start some, play the best ({})",
    "networks evolve to play games",
];

/// The first line: name, preset, seed and state at the left, figures at the right, as many as fit.
pub fn top(model: &Model, area: Rect, buf: &mut Buffer) {
    let theme = &model.theme;
    let Some(watch) = model.shown() else {
        if let Some(followed) = &model.followed {
            put(buf, area, 0, awaited(&followed.name, theme));
            return;
        }
        let name = Span::styled(" finches  ", theme.accent);
        let room = usize::from(area.width).saturating_sub(name.width());
        let play = keymap::label(Scope::Global, Action::GoPlay);
        let purposes = PURPOSE.into_iter().map(|words| words.replace("{}", &play));
        let words = purposes.into_iter().find(|words| words.len() <= room);
        let words = Span::styled(words.unwrap_or_default(), theme.dim);
        put(buf, area, 0, Line::from(vec![name, words]));
        return;
    };
    // The state is always the present one, also in a frozen view.
    let state = model
        .watch
        .as_ref()
        .map_or(watch.state, |watch| watch.state);
    let left = left(watch, state, theme);
    let width = left.width() as u16;
    put(buf, area, 0, left);
    let mut figures = figures(watch, theme);
    let room = area.width.saturating_sub(width + 2);
    while figures.len() > 1 && joined(&figures).width() as u16 > room {
        figures.pop();
    }
    let best = objective(watch, theme).into_iter();
    let shorter = best.map(|line| joined(&[line]));
    let mut lines = std::iter::once(joined(&figures)).chain(shorter);
    if let Some(line) = lines.find(|line| line.width() as u16 <= room) {
        put_right(buf, area, 0, line);
    }
}

/// The first line while a run of another process is not to be seen yet.
fn awaited<'a>(name: &str, theme: &Theme) -> Line<'a> {
    let state = State::Watching;
    Line::from(vec![
        Span::styled(" finches ", theme.accent),
        Span::styled(format!(" {name} "), theme.strong),
        Span::styled(
            format!(" {} ", state.word()),
            theme.badge(look(state, theme)),
        ),
    ])
}

fn left<'a>(watch: &Watch, state: State, theme: &Theme) -> Line<'a> {
    let done = words::count(watch.generation as f64);
    let all = words::count(watch.preset.generations as f64);
    Line::from(vec![
        Span::styled(" finches ", theme.accent),
        Span::styled(format!(" {} ", watch.preset.name), theme.strong),
        Span::styled(format!("#{} ", watch.facts.seed), theme.dim),
        Span::styled(
            format!(" {} ", state.word()),
            theme.badge(look(state, theme)),
        ),
        Span::styled("  gen ", theme.dim),
        Span::styled(done, theme.text),
        Span::styled(format!("/{all}"), theme.dim),
    ])
}

/// The look of a state.
pub fn look(state: State, theme: &Theme) -> Style {
    match state {
        State::Starting | State::Running => theme.good,
        State::Pausing | State::Paused | State::Stopping => theme.warning,
        State::Watching | State::Done => theme.focus,
        State::Error => theme.bad,
    }
}

fn pair<'a>(name: &'static str, value: String, style: Style, theme: &Theme) -> Line<'a> {
    Line::from(vec![
        Span::styled(name, theme.dim),
        Span::styled(value, style),
    ])
}

/// The objective, and how far it can be trusted.
fn objective<'a>(watch: &Watch, theme: &Theme) -> Option<Line<'a>> {
    let value = words::percent(watch.objective_now()?);
    let mut line = pair("objective ", value, theme.accent, theme);
    if let Some(margin) = watch.margin() {
        let sign = if theme.ascii { "+-" } else { "±" };
        let margin = format!(" {sign}{:.0}", (margin * 100.0).max(1.0));
        line.push_span(Span::styled(margin, theme.dim));
    }
    Some(line)
}

/// The figures from the most to the least important.
fn figures<'a>(watch: &Watch, theme: &Theme) -> Vec<Line<'a>> {
    let pair = |name: &'static str, value: String, style| pair(name, value, style, theme);
    let mut figures = Vec::new();
    if let Some(mut line) = objective(watch, theme) {
        if let Some((_, best)) = watch.best {
            line.push_span(Span::styled(" best ", theme.dim));
            line.push_span(Span::styled(words::percent(best), theme.text));
        }
        figures.push(line);
    }
    if let Some(seconds) = watch.remaining() {
        figures.push(pair("ETA ", words::span(seconds), theme.text));
    }
    figures.push(pair("", words::clock(watch.pace.seconds), theme.text));
    if watch.pace.games_per_second <= 0.0 {
        return figures;
    }
    let games = words::count(watch.pace.games_per_second);
    let mut speed = pair("", games, theme.text);
    speed.push_span(Span::styled(" games/s", theme.dim));
    figures.push(speed);
    if watch.facts.threads == 0 {
        return figures;
    }
    let mut time = pair("", speed::game_time(watch, theme), theme.text);
    time.push_span(Span::styled(" CPU a game", theme.dim));
    figures.push(time);
    figures
}

fn joined<'a>(figures: &[Line<'a>]) -> Line<'a> {
    let mut line = Line::default();
    for figure in figures {
        if line.width() > 0 {
            line.push_span(Span::raw("   "));
        }
        line.spans.extend(figure.spans.iter().cloned());
    }
    line.push_span(Span::raw(" "));
    line
}

/// The second line: the screens, which a click opens, and how far the run is.
pub fn tabs(model: &Model, area: Rect, buf: &mut Buffer) -> Regions<Target> {
    let theme = &model.theme;
    let mut regions = Regions::default();
    let mut line = Line::default();
    let naming = Naming::fitting(model.screen, area.width);
    for tab in &TABS {
        let start = line.width() as u16;
        let (key, name) = (tab_key(tab), naming.of(tab, model.screen));
        let name = if name.is_empty() {
            String::new()
        } else {
            format!(" {name}")
        };
        if tab.screen == model.screen {
            line.push_span(Span::styled(format!(" {key}{name} "), theme.selection));
        } else {
            let (mark, word) = if model.screen == Screen::Play {
                (theme.dim, theme.dim)
            } else if is_open(model, tab.screen) {
                (theme.key, theme.dim)
            } else {
                (theme.border, theme.border)
            };
            line.push_span(Span::styled(format!(" {key}"), mark));
            line.push_span(Span::styled(format!("{name} "), word));
        }
        let place = Rect {
            x: area.x + start,
            width: line.width() as u16 - start,
            ..area
        };
        regions.add(place.intersection(area), Target::Do(tab.action));
    }
    let used = line.width() as u16;
    put(buf, area, 0, line);
    let Some(watch) = model.shown() else {
        return regions;
    };
    let share = watch.progress();
    let percent = format!(" {:>4} ", words::percent(share.min(1.0)));
    let room = area.width.saturating_sub(used + 4 + percent.len() as u16);
    let width = room.min(60);
    if width >= 8 {
        let mut bar = gauge(share, width, theme.focus, theme);
        bar.push_span(Span::styled(percent, theme.text));
        put_right(buf, area, 0, bar);
    }
    regions
}

/// How the tabs are named, by the room there is.
#[derive(Clone, Copy)]
enum Naming {
    Full,
    Short,
    /// Only the screen that is shown has its name.
    Keys,
}

impl Naming {
    /// The fullest that fits.
    fn fitting(shown: Screen, room: u16) -> Self {
        let width = |naming: Self| {
            let names = TABS.iter().map(|tab| naming.of(tab, shown).len());
            names
                .map(|name| if name == 0 { 3 } else { name + 4 })
                .sum::<usize>()
        };
        let mut all = [Self::Full, Self::Short].into_iter();
        let fits = all.find(|&naming| width(naming) <= room.into());
        fits.unwrap_or(Self::Keys)
    }

    fn of(self, tab: &Tab, shown: Screen) -> &'static str {
        match self {
            Self::Full => tab.name,
            Self::Short => tab.short,
            Self::Keys if tab.screen == shown => tab.short,
            Self::Keys => "",
        }
    }
}

/// The key that opens a tab.
fn tab_key(tab: &Tab) -> String {
    let mut keys = bindings(Scope::Global).filter(|binding| binding.action == tab.action);
    keys.next()
        .map(|binding| binding.key.label())
        .unwrap_or_default()
}

/// Whether a screen has anything to show.
fn is_open(model: &Model, screen: Screen) -> bool {
    match screen {
        Screen::Home | Screen::Log | Screen::Compare | Screen::Arena => true,
        Screen::Population => model.population.is_some(),
        Screen::Games => model.games.is_some(),
        Screen::Run => model.watch.is_some(),
        Screen::Net => model.net.is_some(),
        Screen::Play => model.watch.is_some() || model.play.is_some(),
        Screen::Knobs => model.watch.is_some() || model.editing.is_some(),
    }
}

/// Lines that say what needs saying before anything else; mostly none.
pub fn banner<'a>(model: &Model, width: u16) -> Vec<Line<'a>> {
    const MOST: usize = 3;
    let theme = &model.theme;
    let missing = model.followed.as_ref().and_then(|run| run.missing.as_ref());
    let Some(watch) = &model.watch else {
        return Vec::new();
    };
    let (words, style) = if let Some(missing) = missing {
        (format!("Waiting: {missing}"), theme.bad)
    } else if let Some(fault) = &watch.fault {
        let home = keymap::label(Scope::Global, Action::GoHome);
        let words =
            format!("The run has failed: {fault}. What was saved is safe; {home} leads to it.");
        (words, theme.bad)
    } else if let Some(reason) = &watch.not_saved {
        (format!("Nothing is being saved: {reason}"), theme.bad)
    } else if let Some(frozen) = &model.frozen {
        let words = format!(
            "View frozen at generation {}; evolution goes on (now {}). {} thaws it.",
            frozen.generation,
            watch.generation,
            keymap::label(Scope::Global, Action::Freeze)
        );
        (words, theme.warning)
    } else {
        return Vec::new();
    };
    let lines = wrap(&words, width.saturating_sub(2) as usize);
    let lines = lines.into_iter().take(MOST);
    lines
        .map(|line| Line::styled(format!(" {line}"), style))
        .collect()
}

/// The last line but one on tall screens: where the run is saved.
pub fn status(watch: &Watch, theme: &Theme, area: Rect, buf: &mut Buffer) {
    let Some(name) = &watch.facts.saved_as else {
        put(
            buf,
            area,
            0,
            Span::styled(" not kept: nothing is written to disk", theme.warning),
        );
        return;
    };
    let line = match watch.saved {
        Some(generation) => {
            let behind = watch.generation.saturating_sub(generation);
            let age = match behind {
                0 => "up to date".to_owned(),
                1 => "1 generation ago".to_owned(),
                behind => format!("{} generations ago", words::count(behind as f64)),
            };
            format!(" saved as {name} at generation {generation}, {age}")
        }
        None => format!(" saved as {name}"),
    };
    put(buf, area, 0, Span::styled(line, theme.dim));
}

/// The last line: a notice, or the keys of the screen.
pub fn keys(model: &Model, area: Rect, buf: &mut Buffer) {
    let theme = &model.theme;
    if let Some((tone, words)) = &model.notice {
        let style = match tone {
            Tone::Plain => theme.accent,
            Tone::Bad => theme.bad,
        };
        let words = theme.plain(format!(" {words}"));
        put(buf, area, 0, Span::styled(words, style));
        return;
    }
    let right = match model.screen {
        // There digits are typed, so that the way out should be seen.
        Screen::Play => hints(&[Action::Back, Action::Help, Action::Quit], theme),
        _ => hints(&[Action::Help, Action::Quit], theme),
    };
    let room = area.width.saturating_sub(right.width() as u16 + 2);
    let mut line = Line::from(" ");
    for binding in shown(model) {
        let hint = hint(binding, model, theme);
        if (line.width() + hint.iter().map(Span::width).sum::<usize>()) as u16 > room {
            break;
        }
        line.spans.extend(hint);
    }
    put(buf, area, 0, line);
    put_right(buf, area, 0, right);
}

/// The keys worth a hint, the screen's own first where it is not the run that they act on.
fn shown(model: &Model) -> Vec<&'static Binding> {
    let hinted = |scope| bindings(scope).filter(|binding| !binding.hint.is_empty());
    let changes = ["pause", "step", "save"];
    let is_over = matches!(
        model.watch.as_ref().map(|watch| watch.state),
        Some(State::Done | State::Error)
    );
    let is_fixed = is_over || model.followed.is_some();
    let right = |binding: &&Binding| {
        let is_refused = is_fixed && changes.contains(&binding.hint);
        !["back", "help", "quit"].contains(&binding.hint) && !is_refused
    };
    let globals = hinted(Scope::Global).filter(right);
    match model.screen {
        Screen::Home => hinted(Scope::Home).collect(),
        Screen::Run => globals.chain(hinted(Scope::Run)).collect(),
        Screen::Play => hinted(Scope::Play).chain(globals.take(1)).collect(),
        Screen::Knobs if model.editing.is_some() => hinted(Scope::Knobs).collect(),
        Screen::Knobs => hinted(Scope::Knobs).chain(globals.take(1)).collect(),
        other => hinted(other.tab().scope).chain(globals).collect(),
    }
}

fn hint<'a>(binding: &Binding, model: &Model, theme: &Theme) -> Vec<Span<'a>> {
    let state = model.watch.as_ref().map(|watch| watch.state);
    let words = match (binding.hint, state) {
        ("pause", Some(State::Paused | State::Pausing)) => "resume",
        (hint, _) => hint,
    };
    let label = binding.key.label();
    let label = if theme.ascii {
        label.replace(['←', '→', '↑', '↓'], "arrow")
    } else {
        label
    };
    vec![
        Span::styled(label, theme.key),
        Span::styled(format!(" {words}  "), theme.dim),
    ]
}

/// Hints of global actions.
fn hints<'a>(actions: &[Action], theme: &Theme) -> Line<'a> {
    let mut line = Line::default();
    let wanted = |binding: &&Binding| actions.contains(&binding.action) && !binding.hint.is_empty();
    for binding in bindings(Scope::Global).filter(wanted) {
        line.push_span(Span::styled(binding.key.label(), theme.key));
        line.push_span(Span::styled(format!(" {}  ", binding.hint), theme.dim));
    }
    line
}
