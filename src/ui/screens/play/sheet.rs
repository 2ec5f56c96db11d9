//! The sheet beside the board: the score, who plays, how far it looks, and what the game is about.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Widget};

use crate::games::Side;
use crate::ui::keymap::{Action, Scope};
use crate::ui::theme::Theme;
use crate::ui::widgets::cap::cap;
use crate::ui::widgets::fit::wrap;
use crate::ui::widgets::frame::Focus;

use super::view::frame;
use super::{PlayScreen, Score};

/// What leads to other champions, and what makes the champion look further or less far.
const OTHERS: [Action; 2] = [Action::OlderChampion, Action::NewerChampion];
const DEPTH: [Action; 3] = [Action::LookFurther, Action::LookLess, Action::Clock];

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
            Side::First => "you first",
            Side::Second => "the champion first",
        };
        let mut lines = vec![
            fact("score", score(self.score, theme)),
            fact("game", plain(format!("{}, {first}", self.games))),
            fact("champion", self.rival_spans(theme)),
            fact("thinks", self.depth_spans(theme)),
            fact("network", plain(self.network())),
        ];
        let goal = self.table.goal();
        let goal: Vec<Line<'_>> = if usize::from(inner.width) < goal.len() + 10 {
            let lines = wrap(goal, inner.width.into()).into_iter();
            lines.map(|line| Line::styled(line, theme.dim)).collect()
        } else {
            vec![fact("goal", plain(goal.to_owned()))]
        };
        // What there is no room for is the network, then the goal.
        let room = usize::from(inner.height);
        if lines.len() + goal.len() > room && lines.len() - 1 + goal.len() <= room {
            lines.pop();
        }
        if lines.len() + goal.len() <= room {
            lines.extend(goal);
        }
        let position = self.table.position();
        if position.len() + 10 <= inner.width.into() {
            lines.push(fact("position", plain(position)));
        }
        Paragraph::new(lines).render(inner, buf);
    }

    fn rival_spans(&self, theme: &Theme) -> Vec<Span<'static>> {
        let Some(rival) = &self.rival else {
            return vec![Span::styled("none yet", theme.dim)];
        };
        let generation = Span::styled(format!("g{}", rival.generation), theme.strong);
        let newer = self
            .champions
            .live()
            .filter(|&live| live > rival.generation)
            .map(|live| Span::styled(format!(" newest g{live}"), theme.dim));
        let others = cap(Scope::Play, &OTHERS, theme);
        match newer {
            // The narrowest pane has no room for more.
            Some(newer) => vec![generation, newer, Span::raw(" "), others],
            None => vec![
                generation,
                Span::raw("   "),
                others,
                Span::styled(" others", theme.dim),
            ],
        }
    }

    fn depth_spans(&self, theme: &Theme) -> Vec<Span<'static>> {
        let mut spans = vec![Span::styled(self.depth.words(), theme.text)];
        if self.depth.is_free() {
            spans.push(Span::raw("   "));
            spans.push(cap(Scope::Play, &DEPTH, theme));
        }
        spans
    }

    fn network(&self) -> String {
        self.rival.as_ref().map_or_else(String::new, |rival| {
            let topology = &rival.topology;
            let hidden = topology.hidden_nodes();
            format!("{hidden} hidden, {} edges", topology.edges)
        })
    }
}

fn score(score: Score, theme: &Theme) -> Vec<Span<'static>> {
    let part = |name: &'static str, count: u32| {
        [
            Span::styled(name, theme.text),
            Span::styled(format!("{count}   "), theme.strong),
        ]
    };
    [
        part("you ", score.human),
        part("it ", score.champion),
        part("draws ", score.draws),
    ]
    .concat()
}
