//! The Population screen as a screen of the dashboard; `None` before there is a run.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use crate::jobs::WantedAnswers;
use crate::keymap::{Action, Scope, keys};
use crate::model::context::Context;
use crate::mouse::Regions;
use crate::screen::{ClickTarget, Effect, Effects, Screen, ScreenEvent, Tab, passed};
use finches_runs::run::message::RunEvent;

use super::{PopulationScreen, PopulationTarget};

/// Plays against the selected member, champion, elite or fittest of a species.
const PLAY_SELECTED: Action = Action::Own("play_selected");

/// Shows the family tree, or the members again.
pub(super) const FAMILY_TREE: Action = Action::Own("family_tree");

/// The keys of the screen.
pub(super) const SCOPE: Scope = Scope::of_screen(
    "population",
    keys![
        Code(KeyCode::Enter) => Enter, "inspect the selected player", "open";
        Char('p') => (PLAY_SELECTED), "play against it", "play";
        Char('o') => NextSort, "sort by the next column", "sort";
        Char('O') => ReverseSort, "reverse the order", "";
        Char('m') => PlayMatches, "play matches, or measure ancestors; again: stop", "matrix";
        Char('d') => (FAMILY_TREE), "family tree, or the members again", "descent";
        Char('[') => OlderPopulation, "older saved population", "generation";
        Char(']') => NewerPopulation, "newer population, up to the current one", "";
        Code(KeyCode::Tab) => NextPane, "switch between members, species or styles, and champions", "pane";
        Char('z') => Zoom, "zoom the pane in or out", "zoom";
        @list;
        Click => Click, "on a row or a cell: select; on a column of members: sort by it", "";
    ],
);

impl Screen for Option<PopulationScreen> {
    fn tab(&self) -> Tab {
        Tab {
            name: "Population",
            short: "Pop",
            action: Action::GoPopulation,
            key: '2',
            purpose: "go to the population",
            scope: SCOPE,
        }
    }

    fn can_open(&self, _: &Context) -> bool {
        self.is_some()
    }

    fn open(&mut self, _: &mut Context) -> Result<Effects, String> {
        match self {
            Some(_) => Ok(Vec::new()),
            None => Err("start a run first, or resume a saved one".to_owned()),
        }
    }

    fn act(&mut self, action: Action, context: &mut Context) -> Effects {
        let Some(population) = self else {
            return vec![Effect::Do(action)];
        };
        if let (Action::PlayMatches, Some(run)) = (action, context.shown_run()) {
            population.read_history(run);
        }
        let action = population.handle_action(action, context.area);
        match (action, population.selected()) {
            (Some(Action::Enter), Some(player)) => {
                vec![Effect::Inspect(player), Effect::Do(Action::GoNet)]
            }
            (Some(PLAY_SELECTED), Some(player)) => vec![Effect::PlayAgainst(player)],
            (Some(Action::Enter | PLAY_SELECTED), None) => {
                context.notify(population.nothing_selected());
                Vec::new()
            }
            (action, _) => passed(action),
        }
    }

    fn click(&mut self, target: &ClickTarget, _: Position, _: &mut Context) -> Effects {
        if let (Some(population), Some(target)) = (self, target.as_own::<PopulationTarget>()) {
            population.click(*target);
        }
        Vec::new()
    }

    fn receive(&mut self, event: &ScreenEvent<'_>, context: &mut Context) {
        match event {
            ScreenEvent::RunShown => {
                let run = context.run.as_ref();
                *self = run.map(|run| {
                    let (saves, waker) = (context.saved_run(), context.waker.clone());
                    PopulationScreen::new(&run.facts, saves, waker)
                });
            }
            ScreenEvent::ChampionsOpened(facts, saves) if context.run.is_none() => {
                let waker = context.waker.clone();
                *self = Some(PopulationScreen::new(facts, saves.cloned(), waker));
            }
            ScreenEvent::Run(RunEvent::Snapshot(snapshot)) => {
                if let Some(population) = self {
                    population.add_champion(&snapshot.champion);
                    if let Some(run) = &context.run {
                        population.check_health(run);
                    }
                }
            }
            _ => {}
        }
    }

    fn receive_answers(&mut self, context: &mut Context) {
        if let Some(population) = self {
            population.take_answers(WantedAnswers::Arrived);
            let news = population.health.take_news();
            if let Some((health, run)) = news.zip(context.run.as_mut()) {
                run.set_health(health);
            }
        }
    }

    fn refresh(&mut self, context: &mut Context) {
        let members = context.shown_run().and_then(|run| run.members.as_ref());
        if let Some(population) = self {
            population.set_newest(members);
        }
    }

    fn view(&self, context: &Context, area: Rect, buf: &mut Buffer) -> Regions<ClickTarget> {
        let population = self.as_ref();
        population.map_or_else(Regions::default, |it| it.view(context, area, buf))
    }
}
