//! Draws the game's information: score, opponent, search settings, and the goal of the game.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Widget};

use crate::keymap::Action;
use crate::theme::Theme;
use crate::widgets::frame::Focus;
use crate::widgets::key_label::key_label;
use crate::widgets::truncate::wrap;
use finches_engine::contest::Tally;
use finches_engine::games::Side;

use super::PlayScreen;
use super::SCOPE;
use super::screen::NEXT_LEVEL;
use super::view::frame;

/// Keys that change the opponent, and keys that change its search.
const CHAMPION_KEYS: [Action; 2] = [Action::OlderChampion, Action::NewerChampion];
const SEARCH_KEYS: [Action; 4] = [
    NEXT_LEVEL,
    Action::SearchDeeper,
    Action::SearchShallower,
    Action::ThinkingTime,
];

/// The width of a pane with room for a few more words.
const WIDE: u16 = 46;

impl PlayScreen {
    pub(super) fn view_game(&self, area: Rect, buf: &mut Buffer, theme: &Theme) {
        let inner = frame("Game", Focus::Elsewhere, area, buf, theme);
        let fact = |name: &'static str, spans: Vec<Span<'static>>| {
            let mut line = vec![Span::styled(format!("{name:<10}"), theme.dim)];
            line.extend(spans);
            Line::from(line)
        };
        let plain = |text: String| vec![Span::styled(text, theme.text)];
        let first = match self.human {
            Side::First => "you move first".to_owned(),
            Side::Second => format!("{} moves first", self.opponent_kind()),
        };
        let mut lines = vec![
            fact("score", self.score_spans(theme)),
            fact("game", plain(format!("{}, {first}", self.games_started))),
            fact("champion", self.opponent_spans(theme)),
            fact("search", self.search_spans(inner.width, theme)),
            match &self.program {
                Some(program) => fact("program", plain(program.name.clone())),
                None => fact("network", plain(self.network())),
            },
        ];
        let goal = self.table.info().goal;
        let goal: Vec<Line<'_>> = if usize::from(inner.width) < goal.len() + 10 {
            let lines = wrap(goal, inner.width.into()).into_iter();
            lines.map(|line| Line::styled(line, theme.dim)).collect()
        } else {
            vec![fact("goal", plain(goal.to_owned()))]
        };
        // If room is short, drop the network first, then the goal.
        let room = usize::from(inner.height);
        if lines.len() + goal.len() > room && lines.len() - 1 + goal.len() <= room {
            lines.pop();
        }
        if lines.len() + goal.len() <= room {
            lines.extend(goal);
        }
        let position = self.table.position().text.clone();
        if position.len() + 10 <= inner.width.into() {
            lines.push(fact("position", plain(position)));
        }
        Paragraph::new(lines).render(inner, buf);
    }

    fn opponent_spans(&self, theme: &Theme) -> Vec<Span<'static>> {
        let Some(opponent) = &self.opponent else {
            return vec![Span::styled("none yet", theme.dim)];
        };
        let generation = Span::styled(opponent.short_name(), theme.strong);
        let newer = self
            .champions
            .live()
            .filter(|&live| live > opponent.generation)
            .map(|live| Span::styled(format!(" newest g{live}"), theme.dim));
        let others = key_label(SCOPE, &CHAMPION_KEYS, theme);
        match newer {
            // The narrowest pane has no room for more.
            Some(newer) => vec![generation, newer, Span::raw(" "), others],
            None => vec![
                generation,
                Span::raw("   "),
                others,
                Span::styled(" change", theme.dim),
            ],
        }
    }

    fn search_spans(&self, width: u16, theme: &Theme) -> Vec<Span<'static>> {
        let settings = &self.search_settings;
        let search = match width {
            ..WIDE => settings.short_description(),
            _ if settings.is_as_evolved() => settings.description() + ", as evolved",
            _ => settings.description(),
        };
        let mut spans = vec![Span::styled(search, theme.text)];
        if settings.is_adjustable() {
            spans.push(Span::raw("   "));
            spans.push(key_label(SCOPE, &SEARCH_KEYS, theme));
        }
        spans
    }

    fn score_spans(&self, theme: &Theme) -> Vec<Span<'static>> {
        let other = match self.program {
            Some(_) => "program ",
            None => "champ ",
        };
        score(self.score, other, theme)
    }

    fn network(&self) -> String {
        self.opponent.as_ref().map_or_else(String::new, |opponent| {
            let topology = &opponent.topology;
            let hidden = topology.hidden_nodes();
            format!("{hidden} hidden, {} edges", topology.edges)
        })
    }
}

fn score(score: Tally, other: &'static str, theme: &Theme) -> Vec<Span<'static>> {
    let part = |name: &'static str, count: u64| {
        [
            Span::styled(name, theme.text),
            Span::styled(format!("{count}  "), theme.strong),
        ]
    };
    [
        part("you ", score.wins),
        part(other, score.losses),
        part("draws ", score.draws),
    ]
    .concat()
}
