//! Draws the arena: who can be chosen beside what has come of it, or one of them where there is no room for both.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::tournament::results::Results;
use crate::ui::app::Model;
use crate::ui::app::point::Target;
use crate::ui::keymap::{Action, Scope};
use crate::ui::mouse::Regions;
use crate::ui::theme::Theme;
use crate::ui::widgets::cap::cap;
use crate::ui::widgets::fit::{fit, wrap};
use crate::ui::widgets::frame::{Focus, Frame};
use crate::ui::widgets::gauge::gauge;
use crate::ui::widgets::text::{below, inset, put, put_all, put_right};
use crate::ui::words;

use super::referee::{Ending, Standing};
use super::{ArenaScreen, Pane, Stage, key, matrix, players, standings};

/// Columns from which on both panes are seen, and how many of them the list has.
const WIDE: u16 = 110;
const LIST: u16 = 46;

impl ArenaScreen {
    pub fn view(&self, model: &Model, area: Rect, buf: &mut Buffer) -> Regions<Target> {
        let area = area.intersection(buf.area);
        let body = Rect {
            height: area.height.saturating_sub(1),
            ..area
        };
        let theme = &model.theme;
        let width = usize::from(area.width).saturating_sub(2);
        let message = Line::styled(format!(" {}", fit(&self.message, width)), theme.accent);
        put(buf, area, body.height, message);
        let (mut list, mut results) = (body, body);
        if area.width >= WIDE {
            list.width = LIST;
            results.x += LIST;
            results.width -= LIST;
        } else {
            match self.pane {
                Pane::Players => results.width = 0,
                Pane::Results => list.width = 0,
            }
        }
        let mut regions = Regions::default();
        if !list.is_empty() {
            regions = players::draw(self, model, self.focus(Pane::Players), list, buf);
        }
        if !results.is_empty() {
            self.view_results(theme, results, buf);
        }
        regions
    }

    fn focus(&self, pane: Pane) -> Focus {
        if self.pane == pane {
            Focus::Here
        } else {
            Focus::Elsewhere
        }
    }

    fn view_results(&self, theme: &Theme, area: Rect, buf: &mut Buffer) {
        let game = self.played.as_ref();
        let title = game.map_or("Results".to_owned(), |game| {
            format!("Results in {}", game.name().replace('_', " "))
        });
        let frame = Frame {
            title: Line::from(title),
            right: self.badge(theme),
            ..Frame::default()
        };
        let inner = inset(frame.draw(self.focus(Pane::Results), theme, area, buf), 1);
        let Some(standing) = &self.standing else {
            let lines = self.prose(inner.width.into());
            let lines = lines.into_iter().map(|line| Line::styled(line, theme.dim));
            let rest = put_all(buf, inner, lines);
            if self.stage == Stage::Choosing {
                put_all(buf, rest, how_to(theme));
            }
            return;
        };
        let mut rest = put_all(buf, inner, [self.progress(standing, inner.width, theme)]);
        if let Stage::Ended(Ending::Failed(fault)) = &self.stage {
            let fault = fit(fault, inner.width.into());
            rest = put_all(buf, rest, [Line::styled(fault, theme.bad)]);
        }
        let order = standing.results.order();
        let split = Split::of(order.len(), self.scrolled, rest.height);
        if split.rows < order.len() {
            let shown = format!(
                "{} of {} players, {} and {} scroll",
                split.rows,
                order.len(),
                key(Action::Up),
                key(Action::Down)
            );
            let shown = theme.plain(shown);
            put_right(buf, rest, 0, Span::styled(shown, theme.dim));
        }
        rest = below(rest, 1);
        let table = Rect {
            height: rest.height.min(split.rows as u16 + 1),
            ..rest
        };
        standings::draw(&standing.results, &order, split.first, theme, table, buf);
        let grid = below(rest, table.height + 1);
        matrix::draw(&standing.results, &order, split.first, theme, grid, buf);
        let notes = below(grid, order.len() as u16 + 2);
        let words = notes_on(&standing.results);
        let lines = words.iter().flat_map(|note| wrap(note, notes.width.into()));
        put_all(buf, notes, lines.map(|line| Line::styled(line, theme.dim)));
    }

    /// What to do, or what is being done, before there are results.
    fn prose(&self, width: usize) -> Vec<String> {
        let words = match &self.stage {
            Stage::Choosing => CHOOSE,
            Stage::Running => "The players sit down.",
            Stage::Ended(Ending::Failed(fault)) => fault,
            Stage::Ended(_) => "Stopped before the first game was over.",
        };
        let parts = words.split('\n');
        let lines = parts.flat_map(|part| {
            let mut lines = wrap(part, width);
            lines.push(String::new());
            lines
        });
        lines.collect()
    }

    /// What is going on, in a word.
    fn badge<'a>(&self, theme: &Theme) -> Line<'a> {
        let (word, style) = match &self.stage {
            Stage::Choosing => return Line::default(),
            Stage::Running => ("RUNNING", theme.good),
            Stage::Ended(Ending::Done) => ("DONE", theme.focus),
            Stage::Ended(Ending::Stopped) => ("STOPPED", theme.warning),
            Stage::Ended(Ending::Failed(_)) => ("FAILED", theme.bad),
        };
        Line::styled(format!(" {word} "), theme.badge(style))
    }

    /// How many games have been played, and how long the rest will take.
    fn progress<'a>(&self, standing: &Standing, width: u16, theme: &Theme) -> Line<'a> {
        let share = standing.played as f64 / standing.all.max(1) as f64;
        let mut line = gauge(
            share,
            width.saturating_sub(44).clamp(8, 40),
            theme.focus,
            theme,
        );
        let (played, all) = (standing.played as f64, standing.all as f64);
        let games = format!(" {} of {} games", words::count(played), words::count(all));
        line.push_span(Span::styled(games, theme.text));
        let left = standing.seconds * (all - played) / played.max(1.0);
        if self.stage == Stage::Running && played > 0.0 {
            let left = format!("   {} left", words::span(left));
            line.push_span(Span::styled(left, theme.dim));
        }
        line
    }
}

/// Which players are seen in the table and in the matrix below it.
struct Split {
    first: usize,
    /// How many of them the table has.
    rows: usize,
}

impl Split {
    /// The table has a line per player if the matrix can have one too, else half of the room.
    fn of(players: usize, scrolled: usize, height: u16) -> Self {
        // A heading each, and an empty line above each.
        let room = usize::from(height.saturating_sub(4));
        let rows = players.min(room.div_ceil(2)).max(1);
        let first = scrolled.min(players.saturating_sub(rows));
        Self { first, rows }
    }
}

/// How the figures are to be read.
fn notes_on(results: &Results) -> Vec<&'static str> {
    let mut notes = vec![
        "Elo by Bradley and Terry, 0 on average; behind it half the 95 % interval, for games that are independent.",
    ];
    if results.ratings.held {
        notes.push(
            "Some player has lost no point to some others: one draw is added to each pair, without which its rating would be infinite.",
        );
    }
    notes
}

const CHOOSE: &str = "Everyone meets everyone, on both sides of the same positions. Results grow while they play, and evolution \
    goes on.";

const OTHERS: [Action; 2] = [Action::OlderChampion, Action::NewerChampion];
const REACH: [Action; 2] = [Action::LookFurther, Action::LookLess];

/// What can be done before there are results, one a line with its keys.
fn how_to(theme: &Theme) -> Vec<Line<'static>> {
    let ways: [(&[Action], &str); 7] = [
        (&[Action::Enter], "choose a player, or no longer"),
        (&[Action::Meet], "let those who are chosen meet"),
        (&OTHERS, "an older or a newer champion of a run"),
        (&[Action::AddOlder], "an older champion beside it"),
        (&[Action::AddSearch], "the player once more, with a search"),
        (&REACH, "how far that search goes"),
        (&[Action::NextSearch], "another kind of search for it"),
    ];
    let keys = ways.map(|(actions, _)| cap(Scope::Arena, actions, theme));
    let width = keys.iter().map(Span::width).max().unwrap_or(0);
    let line = |(key, (_, words)): (Span<'static>, (_, &'static str))| {
        let gap = " ".repeat(width - key.width() + 2);
        Line::from(vec![
            Span::raw(gap),
            key,
            Span::styled(format!("  {words}"), theme.text),
        ])
    };
    keys.into_iter().zip(ways).map(line).collect()
}
