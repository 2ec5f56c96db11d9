//! The lines above every screen: the run with its key figures, the tabs with the progress bar, and
//! warnings.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use crate::format;
use crate::keymap::{self, Action, GlobalAction, Scope, bindings};
use crate::model::run::{RunModel, RunState};
use crate::mouse::Regions;
use crate::screen::{ClickTarget, KeyHints, Tab};
use crate::screens::run::speed;
use crate::theme::Theme;
use crate::widgets::gauge::gauge;
use crate::widgets::text::{columns_of, joined, put, put_right};
use crate::widgets::truncate::wrap;
use finches_engine::metrics::Basis;

use super::actions::EXTENSION;
use super::{AppModel, breakpoints, generation_bar};

/// The purpose of the program, for terminals of different widths.
const TAGLINES: [&str; 2] = [
    "neural networks evolve to play board games: watch, steer and play them",
    "networks evolve to play games",
];

/// The first line: name, preset, seed, and state at the left, as many figures as fit at the right.
pub(super) fn top(model: &AppModel, area: Rect, buf: &mut Buffer) {
    let theme = &model.context.theme;
    let Some(watch) = model.context.shown_run() else {
        if let Some(followed) = &model.context.followed {
            put(buf, area, 0, waiting_line(&followed.name, theme));
            return;
        }
        let name = Span::styled(" finches  ", theme.accent);
        let room = usize::from(area.width).saturating_sub(name.width());
        let words = TAGLINES.into_iter().find(|words| words.len() <= room);
        let words = Span::styled(words.unwrap_or_default(), theme.dim);
        put(buf, area, 0, Line::from(vec![name, words]));
        return;
    };
    // The state is current even if the view is frozen.
    let state = model
        .context
        .run
        .as_ref()
        .map_or(watch.state, |watch| watch.state);
    let room = |left: &Line<'_>| usize::from(area.width).saturating_sub(left.width() + 2);
    // A generation that takes long is told with the clock before all other figures.
    let clock = clock(watch, theme);
    let objective = objective(watch, theme);
    let brief: Vec<Line<'_>> = objective.iter().chain(&clock).cloned().collect();
    let brief = joined(&brief);
    let plain = left(watch, state, theme);
    let mut with_bars = generation_bar::beside(watch, &plain, theme).into_iter();
    let with_bar = with_bars.find(|line| room(line) >= brief.width());
    let needs_clock = with_bar.is_some();
    let left = with_bar.unwrap_or(plain);
    let room = room(&left);
    put(buf, area, 0, left);
    let mut figures = figures(watch, theme);
    while figures.len() > 1 && joined(&figures).width() > room {
        figures.pop();
    }
    let lacks_clock = clock.is_some_and(|clock| !figures.contains(&clock));
    let shorter = if needs_clock && lacks_clock {
        figures.clear();
        Some(brief)
    } else {
        objective.map(|line| joined(&[line]))
    };
    let full = (!figures.is_empty()).then(|| joined(&figures));
    let mut lines = full.into_iter().chain(shorter);
    if let Some(line) = lines.find(|line| line.width() <= room) {
        put_right(buf, area, 0, line);
    }
}

/// The first line while the run of another process has not been found.
fn waiting_line<'a>(name: &str, theme: &Theme) -> Line<'a> {
    let state = RunState::Watching;
    Line::from(vec![
        Span::styled(" finches ", theme.accent),
        Span::styled(format!(" {name} "), theme.strong),
        Span::styled(
            format!(" {} ", state.word()),
            theme.badge(state_style(state, theme)),
        ),
    ])
}

fn left<'a>(watch: &RunModel, state: RunState, theme: &Theme) -> Line<'a> {
    let done = format::count(watch.generation as f64);
    let all = format::count(watch.preset.generations as f64);
    Line::from(vec![
        Span::styled(" finches ", theme.accent),
        Span::styled(format!(" {} ", watch.preset.name), theme.strong),
        Span::styled(format!("#{} ", watch.facts.seed), theme.dim),
        Span::styled(
            format!(" {} ", watch.word(state)),
            theme.badge(state_style(state, theme)),
        ),
        Span::styled(format!("  {done}"), theme.text),
        // Behind it, since this counts generations; the number of the last one is one less.
        Span::styled(format!("/{all} gen"), theme.dim),
    ])
}

/// The color of a state.
pub(super) fn state_style(state: RunState, theme: &Theme) -> Style {
    match state {
        RunState::Starting | RunState::Running => theme.good,
        RunState::Pausing | RunState::Paused | RunState::Stopping => theme.warning,
        RunState::Watching | RunState::Done => theme.focus,
        RunState::Error => theme.bad,
    }
}

fn pair<'a>(name: &'static str, value: String, style: Style, theme: &Theme) -> Line<'a> {
    Line::from(vec![
        Span::styled(name, theme.dim),
        Span::styled(value, style),
    ])
}

/// The objective with its margin of error.
fn objective<'a>(watch: &RunModel, theme: &Theme) -> Option<Line<'a>> {
    let value = format::percent(watch.objective_now()?);
    let mut line = pair("objective ", value, theme.accent, theme);
    if let Some(column) = watch
        .objective_column()
        .filter(|column| column.basis == Basis::HeldOut)
    {
        line.spans[0] = Span::styled(format!("{} ", column.label), theme.dim);
    }
    if let (Some(interval), Some(value)) = (watch.confidence_interval(), watch.objective_now()) {
        line.push_span(Span::styled(error_words(value, interval, theme), theme.dim));
    }
    Some(line)
}

/// The error of a share: what is added and subtracted or, where that would leave 0 to 100%, both
/// ends.
fn error_words(value: f64, (low, high): (f64, f64), theme: &Theme) -> String {
    let half = (high - low) / 2.0;
    if (half..=1.0 - half).contains(&value) {
        let sign = theme.sign("±", "+-");
        return format!(" {sign}{:.0}", (half * 100.0).max(1.0));
    }
    let [low, high] = [low, high].map(|end| (end * 100.0).round());
    format!(" {low}{}{high}", theme.sign("–", "-"))
}

/// The running time; `None` for a run that has only been opened.
fn clock<'a>(watch: &RunModel, theme: &Theme) -> Option<Line<'a>> {
    let seconds = watch.timing.running();
    let is_shown = seconds >= 1.0 || watch.state.is_running();
    is_shown.then(|| pair("", format::clock(seconds), theme.text, theme))
}

/// The figures, most important first.
fn figures<'a>(watch: &RunModel, theme: &Theme) -> Vec<Line<'a>> {
    let pair = |name: &'static str, value: String, style| pair(name, value, style, theme);
    let mut figures = Vec::new();
    if let Some(mut line) = objective(watch, theme) {
        if let Some((_, best)) = watch.best {
            line.push_span(Span::styled(" best ", theme.dim));
            line.push_span(Span::styled(format::percent(best), theme.text));
        }
        figures.push(line);
    }
    let is_over = watch.state == RunState::Done;
    if let Some(limit) = watch.pace.limit().filter(|_| !is_over) {
        let mut pace = pair("pace ", format::count(limit.into()), theme.text);
        let reached = watch
            .timing
            .speed()
            .filter(|&speed| speed < 0.9 * f64::from(limit));
        if let Some(speed) = reached {
            pace.push_span(Span::styled(", reaches ", theme.dim));
            pace.push_span(Span::styled(format::short(speed), theme.text));
        }
        pace.push_span(Span::styled(" gen/s", theme.dim));
        figures.push(pace);
    } else if watch.facts.preset.pace.is_some() && !is_over {
        figures.push(pair("pace ", "full".to_owned(), theme.text));
    }
    // What is left of a solved run matters less than when it was solved.
    if let Some(generation) = watch.solved() {
        figures.push(pair(
            "solved at gen ",
            format::whole(generation),
            theme.good,
        ));
    } else if let Some(seconds) = watch.remaining() {
        // A run with a target may end earlier.
        let is_most = watch.facts.preset.stop_condition().is_some();
        let label = if is_most { "ETA at most " } else { "ETA " };
        figures.push(pair(label, format::span(seconds), theme.text));
    }
    if let Some(team) = watch.speed.team {
        let mut line = pair("", format::count(team.processes.into()), theme.text);
        line.push_span(Span::styled(" processes ", theme.dim));
        line.push_span(Span::styled(format::percent(team.waiting), theme.text));
        line.push_span(Span::styled(" waiting", theme.dim));
        figures.push(line);
    }
    figures.extend(clock(watch, theme));
    if watch.speed.games_per_second <= 0.0 || watch.state == RunState::Paused {
        return figures;
    }
    let games = format::short(watch.speed.games_per_second);
    let mut speed = pair("", games, theme.text);
    speed.push_span(Span::styled(" games/s", theme.dim));
    figures.push(speed);
    if watch.facts.threads == 0 {
        return figures;
    }
    let mut time = pair("", speed::cpu_per_game(watch, theme), theme.text);
    time.push_span(Span::styled(" CPU/game", theme.dim));
    figures.push(time);
    figures
}

/// The second line: the tabs, which open screens on a click, and the progress bar.
pub(super) fn tabs(model: &AppModel, area: Rect, buf: &mut Buffer) -> Regions<ClickTarget> {
    let theme = &model.context.theme;
    let mut regions = Regions::default();
    let mut line = Line::default();
    let (shown, hints) = (model.tab(), model.shown().state(&model.context).hints);
    let naming = TabNames::fitting(model, area.width);
    for screen in &model.screens {
        let tab = screen.tab;
        let start = line.width() as u16;
        let (key, name) = (tab_key(tab), naming.of(tab, shown));
        let name = if name.is_empty() {
            String::new()
        } else {
            format!(" {name}")
        };
        if tab == shown {
            line.push_span(Span::styled(format!(" {key}{name} "), theme.selection));
        } else {
            let (mark, word) = if hints == KeyHints::Typing {
                (theme.dim, theme.dim)
            } else if screen.can_open(&model.context) {
                (theme.key, theme.dim)
            } else {
                (theme.border, theme.border)
            };
            line.push_span(Span::styled(format!(" {key}"), mark));
            line.push_span(Span::styled(format!("{name} "), word));
        }
        let place = columns_of(area, start, line.width() as u16 - start);
        regions.add(place, ClickTarget::Do(tab.action));
    }
    let used = line.width() as u16;
    put(buf, area, 0, line);
    let Some(watch) = model.context.shown_run() else {
        return regions;
    };
    // A run that has met its target is done, however few of its generations that took.
    if watch.end.target.is_some() {
        return regions;
    }
    let share = watch.progress();
    let percent = format!(" {:>4} ", format::percent(share.min(1.0)));
    let room = area.width.saturating_sub(used + 4 + percent.len() as u16);
    let width = room.min(60);
    if width >= 8 {
        let mut bar = gauge(share, width, theme.focus, theme);
        bar.push_span(Span::styled(percent, theme.text));
        put_right(buf, area, 0, bar);
    }
    regions
}

/// The form of the tab names, by available width.
#[derive(Clone, Copy)]
enum TabNames {
    Full,
    Short,
    /// Only the current screen has a name.
    Keys,
}

impl TabNames {
    /// The longest form that fits.
    fn fitting(model: &AppModel, room: u16) -> Self {
        let width = |naming: Self| {
            let tabs = model.screens.iter().map(|screen| screen.tab);
            let names = tabs.map(|tab| naming.of(tab, model.tab()).len());
            names
                .map(|name| if name == 0 { 3 } else { name + 4 })
                .sum::<usize>()
        };
        let mut all = [Self::Full, Self::Short].into_iter();
        let fits = all.find(|&naming| width(naming) <= room.into());
        fits.unwrap_or(Self::Keys)
    }

    fn of(self, tab: Tab, shown: Tab) -> &'static str {
        match self {
            Self::Full => tab.name,
            Self::Short => tab.short,
            Self::Keys if tab == shown => tab.short,
            Self::Keys => "",
        }
    }
}

/// The key that opens a tab's screen.
fn tab_key(tab: Tab) -> String {
    let mut keys = bindings(Scope::GLOBAL).filter(|binding| binding.action == tab.action);
    keys.next()
        .map(|binding| binding.key.label())
        .unwrap_or_default()
}

/// Warnings above the screen; usually none.
pub(super) fn banner<'a>(model: &AppModel, width: u16) -> Vec<Line<'a>> {
    const MOST: usize = 3;
    let theme = &model.context.theme;
    let missing = model
        .context
        .followed
        .as_ref()
        .and_then(|run| run.missing.as_ref());
    let Some(watch) = &model.context.run else {
        return Vec::new();
    };
    let (words, style) = if let Some(missing) = missing {
        (format!("Waiting: {missing}"), theme.bad)
    } else if let Some(fault) = &watch.end.error {
        let home = keymap::label(Scope::GLOBAL, Action::GoHome);
        let words =
            format!("The run has failed: {fault}. Saved generations are safe; {home}: open them.");
        (words, theme.bad)
    } else if let Some(reason) = &watch.saving.error {
        (format!("Saving fails: {reason}"), theme.bad)
    } else if let Some(frozen) = &model.context.frozen {
        let now = match watch.generation - frozen.generation.min(watch.generation) {
            0 => String::new(),
            _ => format!("; evolution is at {}", format::whole(watch.generation)),
        };
        let words = format!(
            "View frozen at generation {}{now}. {}: unfreeze.",
            format::whole(frozen.generation),
            keymap::label(Scope::GLOBAL, GlobalAction::Freeze.action())
        );
        (words, theme.warning)
    } else if let Some(hit) =
        (watch.breakpoints.hit.as_ref()).filter(|_| watch.state == RunState::Paused)
    {
        let last = watch.generation.saturating_sub(1);
        (breakpoints::reason(last, hit), theme.warning)
    } else if model.tab().action != Action::GoRun {
        return Vec::new();
    } else if let Some(words) = end(watch) {
        (words, theme.good)
    } else {
        return Vec::new();
    };
    let lines = wrap(&words, width.saturating_sub(2) as usize);
    let lines = lines.into_iter().take(MOST);
    lines
        .map(|line| Line::styled(format!(" {line}"), style))
        .collect()
}

/// Why the run is done or that it is solved, and what can be done next; `None` otherwise.
fn end(watch: &RunModel) -> Option<String> {
    let key = |action| keymap::label(Scope::GLOBAL, action);
    let (play, fork) = (key(Action::GoPlay), key(Action::Fork));
    let solved = watch
        .solved()
        .map(|generation| format!("Solved at generation {}", format::whole(generation)));
    let what = match (solved, watch.state) {
        (Some(solved), _) => solved,
        (None, RunState::Done) => "All generations are done".to_owned(),
        _ => return None,
    };
    let imperfect = watch.imperfect_champion();
    let by = match &watch.end.target {
        Some(_) if imperfect.is_some() && watch.first_right().is_none() => " by another member",
        _ => "",
    };
    let played = imperfect.map_or("it".to_owned(), |share| {
        format!("the newest champion, right in {}", format::percent(share))
    });
    let faster = key(GlobalAction::Faster.action());
    let more = match watch.generation < watch.preset.generations {
        _ if !watch.can_go_on() => String::new(),
        true => format!(", {faster} goes on"),
        false => format!(", {faster} adds {EXTENSION} generations"),
    };
    Some(format!(
        "{what}{by}: {play} plays {played}, {fork} forks{more}."
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use finches_engine::metrics::stats::wilson;

    #[test]
    fn the_error_of_a_share_stays_within_0_and_100_percent() {
        let check = |value: f64, games: u32, expected: &str| {
            let words = error_words(value, wilson(value, games), &Theme::dark());
            assert_eq!(words, expected, "{value} of {games}");
        };
        check(0.5, 100, " ±10");
        check(0.98, 20, " 81–100");
        check(1.0, 100, " 96–100");
        check(0.0, 100, " 0–4");
        check(0.98, 100_000, " ±1");
    }
}
