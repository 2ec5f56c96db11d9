//! The Net screen as a screen of the dashboard; `None` before there are champions.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::jobs::WantedAnswers;
use crate::keymap::{Action, Scope, keys};
use crate::model::context::Context;
use crate::mouse::Regions;
use crate::screen::{ClickTarget, Effect, Effects, Screen, ScreenEvent, Tab, passed, start_first};
use finches_runs::run::message::RunEvent;

use super::NetScreen;

/// Plays against the network that is shown.
const PLAY_SHOWN: Action = Action::Own("play_shown");

/// The keys of the screen.
pub(super) const SCOPE: Scope = Scope::of_screen(
    "net",
    keys![
        Code(KeyCode::Left) => Left, "cursor left", "select";
        Code(KeyCode::Right) => Right, "cursor right", "";
        Code(KeyCode::Up) => Up, "cursor up; in a table: previous wrong decision", "";
        Code(KeyCode::Down) => Down, "cursor down; in a table: next wrong decision", "";
        Char('h') => Left, "cursor left", "";
        Char('l') => Right, "cursor right", "";
        Char('k') => Up, "cursor up; in a table: previous wrong decision", "";
        Char('j') => Down, "cursor down; in a table: next wrong decision", "";
        Char('[') => OlderChampion, "older champion", "champion";
        Char(']') => NewerChampion, "newer champion", "";
        Char('p') => (PLAY_SHOWN), "play against it", "play";
        Char('a') => Activity, "show activations in the sample game, or weights", "activity";
        Char(',') => PreviousMove, "previous move of the sample game", "";
        Char('.') => NextMove, "next move of the sample game", "";
        Char('e') => Export, "write the network as DOT, SVG and JSON", "export";
        Char('w') => ShowAllEdges, "show all edges or the strongest", "";
        Char('i') => ShowInactive, "show or hide nodes and edges on no path from an input to an output", "";
        Char('z') => Zoom, "zoom the picture in or out", "zoom";
    ],
);

impl Screen for Option<NetScreen> {
    fn tab(&self) -> Tab {
        Tab {
            name: "Net",
            short: "Net",
            action: Action::GoNet,
            key: '3',
            purpose: "inspect the champion's network",
            scope: SCOPE,
        }
    }

    fn can_open(&self, _: &Context) -> bool {
        self.is_some()
    }

    fn open(&mut self, _: &mut Context) -> Result<Effects, String> {
        match self {
            Some(_) => Ok(Vec::new()),
            None => Err(start_first(Action::PlaySaved, "a saved one")),
        }
    }

    fn act(&mut self, action: Action, context: &mut Context) -> Effects {
        let action = match self {
            Some(net) => net.handle_action(action, context),
            None => Some(action),
        };
        let effects = match action {
            Some(Action::PreviousMove) => {
                context.sample.step_back();
                Vec::new()
            }
            Some(Action::NextMove) => {
                context.step_sample_forward();
                Vec::new()
            }
            Some(PLAY_SHOWN) => match self.as_ref().and_then(NetScreen::player) {
                Some(player) => vec![Effect::PlayAgainst(player.clone())],
                None => Vec::new(),
            },
            other => passed(other),
        };
        self.refresh(context);
        effects
    }

    fn receive(&mut self, event: &ScreenEvent<'_>, context: &mut Context) {
        match event {
            ScreenEvent::RunShown => {
                let run = context.run.as_ref();
                *self = run.map(|run| {
                    NetScreen::new(&run.facts, context.saved_run(), context.waker.clone())
                });
            }
            ScreenEvent::ChampionsOpened(facts, saves) if context.run.is_none() => {
                *self = Some(NetScreen::new(facts, saves.cloned(), context.waker.clone()));
            }
            ScreenEvent::Run(RunEvent::Snapshot(snapshot)) => {
                if let Some(net) = self {
                    net.add_champion(&snapshot.champion);
                }
            }
            ScreenEvent::PlayerInspected(player) => {
                if let Some(net) = self {
                    net.show_player((*player).clone());
                }
            }
            _ => {}
        }
    }

    fn receive_answers(&mut self, _: &mut Context) {
        if let Some(net) = self {
            net.take_answers(WantedAnswers::Arrived);
        }
    }

    fn refresh(&mut self, context: &mut Context) {
        let Some(net) = self else { return };
        if context.frozen.is_none() {
            net.refresh();
        }
        if net.is_activity_shown() {
            net.set_position(context.sample.position());
        }
    }

    fn view(&self, context: &Context, area: Rect, buf: &mut Buffer) -> Regions<ClickTarget> {
        if let Some(net) = self {
            net.view(area, buf, &context.theme);
        }
        Regions::default()
    }
}
