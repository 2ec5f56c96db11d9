//! Draws the list of those who can be chosen, and what there is to know of the one under the cursor.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::games::GameConfig;
use crate::tournament::search::written;
use crate::ui::app::Model;
use crate::ui::app::point::Target;
use crate::ui::keymap::{Action, Scope};
use crate::ui::mouse::Regions;
use crate::ui::theme::Theme;
use crate::ui::widgets::cap::cap;
use crate::ui::widgets::fit::fit;
use crate::ui::widgets::frame::{Focus, Frame};
use crate::ui::widgets::text::{inset, put, put_right};
use crate::ui::words;

use super::list::{Candidate, Chosen, Origin, Source};
use super::{ArenaScreen, GAMES, key};

/// Lines under the list: what is under the cursor, and what is to be played.
const BELOW: u16 = 5;

/// Draws the pane; each line of it can be clicked on.
pub(super) fn draw(
    screen: &ArenaScreen,
    model: &Model,
    focus: Focus,
    area: Rect,
    buf: &mut Buffer,
) -> Regions<Target> {
    let theme = &model.theme;
    let chosen = screen.list.chosen().count();
    let frame = Frame {
        title: Line::from("Players"),
        right: Line::styled(format!("{chosen} chosen"), theme.dim),
        ..Frame::default()
    };
    let inner = inset(frame.draw(focus, theme, area, buf), 1);
    if screen.roster.is_none() {
        put(
            buf,
            inner,
            0,
            Span::styled("Looking for players.", theme.dim),
        );
        return Regions::default();
    }
    let list = Rect {
        height: inner.height.saturating_sub(BELOW),
        ..inner
    };
    let mut regions = draw_list(screen, model, list, buf);
    let foot = Rect {
        y: list.bottom(),
        height: inner.height - list.height,
        ..inner
    };
    regions.extend(draw_foot(screen, theme, foot, buf));
    regions
}

fn draw_list(screen: &ArenaScreen, model: &Model, area: Rect, buf: &mut Buffer) -> Regions<Target> {
    let (list, theme) = (&screen.list, &model.theme);
    let room = usize::from(area.height);
    let most = list.all.len().saturating_sub(room);
    let first = list.cursor.saturating_sub(room * 2 / 3).min(most);
    let mut regions = Regions::default();
    let shown = list.all.iter().enumerate().skip(first).take(room);
    for (row, (place, candidate)) in shown.enumerate() {
        let line = Rect {
            y: area.y + row as u16,
            height: 1,
            ..area
        };
        let look = Look {
            theme,
            under_cursor: place == list.cursor,
        };
        if look.under_cursor {
            buf.set_style(line.intersection(buf.area), theme.selection);
        }
        let note = look.note(candidate, model);
        let width = usize::from(area.width).saturating_sub(note.width() + 1);
        put(buf, line, 0, look.line(candidate, width));
        put_right(buf, line, 0, note);
        regions.add(line, Target::ArenaPlayer(place));
    }
    if first + room < list.all.len() {
        let more = if theme.ascii { "v" } else { "▾" };
        put_right(
            buf,
            area,
            area.height.saturating_sub(1),
            Span::styled(more, theme.dim),
        );
    }
    regions
}

/// How a line of the list is written.
struct Look<'a> {
    theme: &'a Theme,
    under_cursor: bool,
}

impl Look<'_> {
    fn line<'a>(&self, candidate: &Candidate, width: usize) -> Line<'a> {
        let theme = self.theme;
        let (mark, style) = match (candidate.chosen, theme.ascii) {
            (Chosen::Yes, false) => ("◉ ", theme.good),
            (Chosen::Yes, true) => ("[x] ", theme.good),
            (Chosen::No, false) => ("○ ", theme.dim),
            (Chosen::No, true) => ("[ ] ", theme.dim),
        };
        let indent = match candidate.origin {
            Origin::Listed => "",
            Origin::Added => "  ",
        };
        let search = candidate.search();
        let search = search.map_or(String::new(), |search| format!("@{search}"));
        let name = format!("{}{search}", candidate.player());
        let room = width.saturating_sub(mark.chars().count() + indent.len());
        let (mark, style, text) = if self.under_cursor {
            (mark, theme.selection, theme.selection)
        } else if candidate.chosen == Chosen::Yes {
            (mark, style, theme.strong)
        } else {
            (mark, style, theme.text)
        };
        Line::from(vec![
            Span::styled(format!("{indent}{mark}"), style),
            Span::styled(fit(&name, room), text),
        ])
    }

    /// Which champion it is.
    fn note<'a>(&self, candidate: &Candidate, model: &Model) -> Line<'a> {
        let snapshot = model
            .watch
            .as_ref()
            .and_then(|watch| watch.snapshot.as_ref());
        let words = match &candidate.source {
            Source::Live { .. } => match snapshot {
                Some(snapshot) => format!("live g{}", snapshot.champion.generation),
                None => "no champion yet".to_owned(),
            },
            Source::Saved { .. } => candidate
                .generation()
                .map_or(String::new(), |generation| format!("g{generation}")),
            Source::Reference(_) => "reference".to_owned(),
        };
        let style = if self.under_cursor {
            self.theme.selection
        } else {
            self.theme.dim
        };
        Line::styled(words, style)
    }
}

fn draw_foot(screen: &ArenaScreen, theme: &Theme, area: Rect, buf: &mut Buffer) -> Regions<Target> {
    let mut regions = Regions::default();
    let rule = if theme.ascii { "-" } else { "─" };
    put(
        buf,
        area,
        0,
        Span::styled(rule.repeat(area.width.into()), theme.border),
    );
    let current = screen.list.current().map(about);
    let width = usize::from(area.width);
    let words = current.unwrap_or_else(|| "Nobody plays this game yet.".to_owned());
    put(buf, area, 1, Span::styled(fit(&words, width), theme.dim));
    let game = screen.roster.as_ref().map(|roster| &roster.game);
    let game = game.map(in_short).unwrap_or_default();
    let games = words::count(GAMES[screen.games].into());
    let players = screen.list.chosen().count();
    let all = players * players.saturating_sub(1) / 2 * GAMES[screen.games] as usize;
    let rows = [
        (
            &[Action::NextGame][..],
            fit(&game, width.saturating_sub(8)),
            Action::NextGame,
            "game".to_owned(),
        ),
        (
            &[Action::FewerGames, Action::MoreGames],
            format!("{games} a pair, {} in all", words::count(all as f64)),
            Action::MoreGames,
            "games".to_owned(),
        ),
        (
            &[Action::Meet],
            "let them meet".to_owned(),
            Action::Meet,
            format!(
                "{} stop, {} export",
                key(Action::StopGames),
                key(Action::Export)
            ),
        ),
    ];
    for (row, (keys, words, action, name)) in (2..).zip(rows) {
        let line = Line::from(vec![
            cap(Scope::Arena, keys, theme),
            Span::styled(format!(" {words}"), theme.text),
        ]);
        put(buf, area, row, line);
        let name = Line::styled(name, theme.dim);
        put_right(buf, area, row, name);
        let place = Rect {
            y: area.y + row,
            height: 1,
            ..area
        };
        if row < area.height {
            regions.add(place, Target::Do(action));
        }
    }
    regions
}

/// What there is to know of a candidate.
fn about(candidate: &Candidate) -> String {
    match &candidate.source {
        Source::Live { preset, .. } => {
            format!("the run that goes on: {}", written(&preset.agent))
        }
        Source::Saved { run, place } => format!(
            "{}, {}; champion {} of {} kept",
            run.preset.name,
            written(&run.preset.agent),
            place + 1,
            run.generations.len()
        ),
        Source::Reference(name) => match name.as_str() {
            "random" => "any legal move".to_owned(),
            "perfect" => "a best move of the solved game".to_owned(),
            _ => "a rule of thumb of the game".to_owned(),
        },
    }
}

/// A game by its name and what is not usual of it.
fn in_short(game: &GameConfig) -> String {
    let usual = GameConfig::named(game.name()).expect("a game has its own name");
    let settings = usual.differences(game);
    let name = game.name().replace('_', " ");
    if settings.is_empty() {
        name
    } else {
        format!("{name} {}", settings.join(" "))
    }
}
