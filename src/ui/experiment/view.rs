//! Draws the model: header, legend, panes, where the runs are kept, and the keys; tells where charts are. Nothing here changes it.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use crate::experiment::Shard;
use crate::metrics::over::Over;
use crate::ui::keymap::{self, Action, Binding, Scope, bindings};
use crate::ui::mouse::Regions;
use crate::ui::screens::help;
use crate::ui::screens::run::layout::LEAST;
use crate::ui::theme::Theme;
use crate::ui::widgets::across;
use crate::ui::widgets::axis::Scale;
use crate::ui::widgets::cap::cap;
use crate::ui::widgets::fan::Fate;
use crate::ui::widgets::fit::fit;
use crate::ui::widgets::frame::{Focus, Frame};
use crate::ui::widgets::gauge::gauge;
use crate::ui::widgets::text::{inset, put, put_right};
use crate::ui::words;

use super::model::{Axes, Model, Shown, State};
use super::places::places;
use super::{charts, pace, reading, table, underway};

/// Draws everything into an area; where the charts of which presets are.
pub(super) fn view(model: &Model, area: Rect, buf: &mut Buffer) -> Regions<usize> {
    let regions = unpainted(model, area, buf);
    model.theme.paint(area, buf);
    regions
}

fn unpainted(model: &Model, area: Rect, buf: &mut Buffer) -> Regions<usize> {
    let area = area.intersection(buf.area);
    if area.is_empty() {
        return Regions::default();
    }
    if area.width < LEAST.0 || area.height < LEAST.1 {
        card(model, area, buf);
        return Regions::default();
    }
    let row = |y: u16| Rect {
        y: area.y + y,
        height: 1,
        ..area
    };
    top(model, row(0), buf);
    second(model, row(1), buf);
    legend(model, row(2), buf);
    let places = places(model, area);
    let charts = charts::view(model, places.charts, buf);
    if let Some(area) = places.table {
        table::view(model, area, buf);
    }
    if let Some(area) = places.underway {
        underway::view(model, area, buf);
    }
    status(model, row(area.height - 2), buf);
    keys(model, row(area.height - 1), buf);
    if model.is_helping {
        help::alone("Experiment", Scope::Experiment, &model.theme, area, buf);
    }
    charts
}

fn badge(model: &Model) -> (&'static str, Style) {
    let theme = &model.theme;
    match model.state {
        State::Running => ("RUNNING", theme.good),
        State::Stopping => ("STOPPING", theme.warning),
        State::Done => ("DONE", theme.focus),
        State::Failed(_) => ("ERROR", theme.bad),
    }
}

/// What is run, its state, and how far it is; at the right how long it takes, as much of it as fits.
fn top(model: &Model, area: Rect, buf: &mut Buffer) {
    let theme = &model.theme;
    let (word, style) = badge(model);
    let done = format!("  {}", words::count(model.done() as f64));
    let all = format!("/{} runs", words::count(model.trials.len() as f64));
    let mut figures = figures(model);
    let names: Vec<&str> = model
        .presets()
        .iter()
        .map(|one| one.name.as_str())
        .collect();
    let fixed = 9 + word.len() + 3 + done.len() + all.len() + 3;
    let least = names[0].len().min(24) + 4;
    let right = |figures: &[Line<'_>]| figures.iter().map(|one| one.width() + 3).sum::<usize>();
    while figures.len() > 1 && fixed + least + right(&figures) > area.width as usize {
        figures.pop();
    }
    let room = (area.width as usize).saturating_sub(fixed + right(&figures));
    let left = Line::from(vec![
        Span::styled(" finches ", theme.accent),
        Span::styled(format!(" {} ", listed(&names, room)), theme.strong),
        Span::styled(format!(" {word} "), theme.badge(style)),
        Span::styled(done, theme.text),
        Span::styled(all, theme.dim),
    ]);
    put(buf, area, 0, left);
    let mut line = Line::default();
    for figure in figures {
        line.spans.extend(figure.spans);
        line.push_span(Span::raw("   "));
    }
    line.spans.pop();
    line.push_span(Span::raw(" "));
    put_right(buf, area, 0, line);
}

/// As many names as fit, and how many there are besides.
fn listed(names: &[&str], room: usize) -> String {
    let told = |count: usize| {
        let more = names.len() - count;
        let shown = names[..count].join(", ");
        match more {
            0 => shown,
            more => format!("{shown} +{more}"),
        }
    };
    let fits = (1..=names.len()).rev().map(told);
    let mut fits = fits.filter(|text| text.chars().count() <= room);
    fits.next().unwrap_or_else(|| fit(names[0], room))
}

/// The figures from the most to the least important.
fn figures<'a>(model: &Model) -> Vec<Line<'a>> {
    let theme = &model.theme;
    let mut figures = Vec::new();
    let left = pace::remaining(model).filter(|_| !model.is_over());
    if let Some(seconds) = left {
        figures.push(Line::from(vec![
            Span::styled("ETA ", theme.dim),
            Span::styled(words::span(seconds), theme.text),
        ]));
    }
    let clock = words::clock(model.now.as_secs_f64());
    figures.push(Line::styled(clock, theme.text));
    if let Some(speed) = model.speed().filter(|_| !model.is_over()) {
        let speed = match speed {
            slow if slow < 10.0 => words::short(slow),
            fast => words::count(fast),
        };
        figures.push(Line::from(vec![
            Span::styled(speed, theme.text),
            Span::styled(" gen/s", theme.dim),
        ]));
    }
    figures
}

/// What is asked of every run, and a bar of all of them.
fn second(model: &Model, area: Rect, buf: &mut Buffer) {
    let theme = &model.theme;
    let share = pace::progress(model);
    let percent = format!(" {:>4} ", words::percent(share.min(1.0)));
    let width = (area.width / 6).clamp(12, 60);
    let bar_room = width + percent.len() as u16 + 2;
    let room = area.width.saturating_sub(bar_room + 2) as usize;
    let mut words = String::new();
    for part in asked(model) {
        let gap = if words.is_empty() { " " } else { ", " };
        let longer = format!("{words}{gap}{part}");
        if longer.chars().count() > room && !words.is_empty() {
            break;
        }
        words = longer;
    }
    let words = fit(&words, room);
    put(buf, area, 0, Span::styled(words, theme.dim));
    let mut bar = gauge(share, width, theme.focus, theme);
    bar.push_span(Span::styled(percent, theme.text));
    put_right(buf, area, 0, bar);
}

/// What is asked of the runs, the most important first.
fn asked(model: &Model) -> Vec<String> {
    let manifest = &model.setup.manifest;
    let last = manifest.first_seed + manifest.runs - 1;
    let runs = match manifest.runs {
        1 => format!("1 run each, seed {last}"),
        runs => format!("{runs} runs each, seeds {} to {last}", manifest.first_seed),
    };
    let mut targets: Vec<&str> = Vec::new();
    let mut caps: Vec<u64> = Vec::new();
    for preset in model.presets() {
        let target = preset.until.trim();
        if !target.is_empty() && !targets.contains(&target) {
            targets.push(target);
        }
        caps.push(preset.generations);
    }
    let mut parts = vec![runs];
    match &targets[..] {
        [] => {}
        [one] => parts.push(format!("until {one}")),
        [_, ..] => parts.push("until the target of each preset".to_owned()),
    }
    if model.setup.shard != Shard::WHOLE {
        parts.push(format!("shard {}", model.setup.shard));
    }
    caps.sort_unstable();
    caps.dedup();
    if let [one] = caps[..] {
        let most = if targets.is_empty() { "" } else { "at most " };
        parts.push(format!("{most}{} generations", words::count(one as f64)));
    }
    parts.push(match model.setup.threads {
        1 => "1 thread".to_owned(),
        threads => format!("{threads} threads"),
    });
    parts
}

/// The column shown, and how many runs have come to what; in words where there is room beside what is said of the charts.
fn legend(model: &Model, area: Rect, buf: &mut Buffer) {
    let theme = &model.theme;
    let label = model.column().map_or("", |column| &column.label);
    let mut left = Line::from(Span::styled(format!(" {label}"), theme.strong));
    let notes = notes(model);
    let all = left.width() + notes.iter().map(|note| note.chars().count()).sum::<usize>();
    let in_words = counts(model, Fate::word);
    let fits = all + in_words.width() < area.width as usize || notes.is_empty();
    let right = if fits {
        in_words
    } else {
        counts(model, |_| "")
    };
    let room = (area.width as usize).saturating_sub(right.width() + 1);
    for note in notes {
        if left.width() + note.chars().count() <= room {
            left.push_span(Span::styled(note, theme.dim));
        }
    }
    put(buf, area, 0, left);
    put_right(buf, area, 0, right);
}

fn counts<'a>(model: &Model, words: impl Fn(Fate) -> &'static str) -> Line<'a> {
    let theme = &model.theme;
    let mut line = Line::default();
    for fate in Fate::ALL {
        let count = model.count(fate);
        if count > 0 {
            let glyph = format!("{} ", fate.glyph(theme));
            line.push_span(Span::styled(glyph, fate.style(theme)));
            line.push_span(Span::styled(words::count(count as f64), theme.text));
            let word = words(fate);
            let gap = if word.is_empty() { "" } else { " " };
            line.push_span(Span::styled(format!("{gap}{word}  "), theme.dim));
        }
    }
    line
}

/// What the charts are, where that does not go without saying.
fn notes(model: &Model) -> Vec<String> {
    let mut notes = Vec::new();
    if model.shown == Shown::One {
        notes.push(format!(
            ", {} by seed",
            model.presets()[model.selected].name
        ));
    }
    if let Some((page, pages)) = charts::page_note(model) {
        notes.push(format!(", page {page} of {pages}"));
    }
    if model.charts.over != Over::Generations {
        notes.push(format!(", over {}", across::name(model.charts.over)));
    }
    if let Some(window) = model.charts.window {
        notes.push(format!(", last {}", words::count(window as f64)));
    }
    if model.charts.scale() == Scale::Logarithmic {
        notes.push(", log".to_owned());
    }
    if model.axes == Axes::Own {
        notes.push(", axes of their own".to_owned());
    }
    notes
}

/// What has to be said, else where the runs are kept and how to go on.
fn status(model: &Model, area: Rect, buf: &mut Buffer) {
    let theme = &model.theme;
    let folder = &model.setup.folder;
    let quit = keymap::label(Scope::Experiment, Action::Quit);
    let read = reading::place(model).map(|place| reading::told(model, place));
    let (words, style) = match (&model.state, model.damaged.last()) {
        (State::Failed(fault), _) => (fault.replace('\n', "; "), theme.bad),
        (State::Stopping, _) => (
            format!(
                "stopping between two games; finished runs are kept in {folder}; {quit} leaves at once"
            ),
            theme.warning,
        ),
        (_, Some(fault)) => (
            format!("{fault}; set aside as *.damaged and run again"),
            theme.warning,
        ),
        (State::Done, None) => (format!("all runs are kept in {folder}"), theme.dim),
        (State::Running, None) => (
            format!("finished runs are kept in {folder}; {quit} stops, the same command goes on"),
            theme.dim,
        ),
    };
    let (words, style) = match (&model.state, read) {
        (State::Running | State::Done, Some(read)) => (read, theme.accent),
        _ => (words, style),
    };
    let words = fit(&format!(" {words}"), area.width as usize);
    put(buf, area, 0, Span::styled(words, style));
}

fn keys(model: &Model, area: Rect, buf: &mut Buffer) {
    let theme = &model.theme;
    let hint = |action: Action, key: String, hint: &'static str| {
        let hint = match (action, &model.state) {
            (Action::Quit, State::Stopping) => "leave at once",
            (Action::Quit, State::Done | State::Failed(_)) => "leave",
            (Action::Zoom, _) if model.shown == Shown::One => "all",
            _ => hint,
        };
        let key = if theme.ascii {
            key.replace('↓', "j")
        } else {
            key
        };
        [
            Span::styled(key, theme.key),
            Span::styled(format!(" {hint}  "), theme.dim),
        ]
    };
    let shown = bindings(Scope::Experiment).filter(|binding| match binding.action {
        Action::Down => model.presets().len() > 1,
        Action::PageDown => charts::page_note(model).is_some(),
        _ => !binding.hint.is_empty(),
    });
    let shown = shown.filter(|binding| !binding.hint.is_empty());
    let spans = |binding: &Binding| hint(binding.action, binding.key.label(), binding.hint);
    let is_right = |binding: &&Binding| matches!(binding.action, Action::Help | Action::Quit);
    let (at_right, at_left): (Vec<&Binding>, Vec<&Binding>) = shown.partition(is_right);
    let right: Vec<Span<'_>> = at_right.into_iter().flat_map(spans).collect();
    let right = Line::from(right);
    let room = (area.width as usize).saturating_sub(right.width());
    let mut left = Line::from(" ");
    for binding in at_left {
        let spans = spans(binding);
        let width: usize = spans.iter().map(Span::width).sum();
        // The gap behind the last may be that before those at the right.
        if left.width() + width > room + 1 {
            break;
        }
        left.spans.extend(spans);
    }
    put(buf, area, 0, left);
    put_right(buf, area, 0, right);
}

/// What a terminal too small for the dashboard shows.
fn card(model: &Model, area: Rect, buf: &mut Buffer) {
    let theme: &Theme = &model.theme;
    let inner = if area.width >= 20 && area.height >= 6 {
        inset(
            Frame::titled("finches").draw(Focus::Elsewhere, theme, area, buf),
            1,
        )
    } else {
        area
    };
    let (word, style) = badge(model);
    let (done, all) = (model.done(), model.trials.len());
    let size = format!(
        "Window is {}x{}; needs {}x{}.",
        area.width, area.height, LEAST.0, LEAST.1
    );
    let quit = if model.is_over() { " leave" } else { " stop" };
    let lines = [
        Line::from(vec![
            Span::styled(format!(" {word} "), theme.badge(style)),
            Span::styled(format!(" {done}/{all} runs"), theme.text),
        ]),
        gauge(
            pace::progress(model),
            inner.width.min(36),
            theme.focus,
            theme,
        ),
        Line::default(),
        Line::styled(size, theme.text),
        Line::from(vec![
            Span::styled("Enlarge it, or: ", theme.dim),
            cap(Scope::Experiment, &[Action::Quit], theme),
            Span::styled(quit, theme.dim),
        ]),
    ];
    let top = inner.height.saturating_sub(lines.len() as u16) / 2;
    for (row, line) in lines.into_iter().enumerate() {
        put(buf, inner, row as u16 + top, line);
    }
}
