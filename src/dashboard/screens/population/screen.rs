//! The Population screen as a screen of the dashboard.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use crate::keymap::{Action, Scope, keys, own_actions};
use crate::model::context::Context;
use crate::mouse::Regions;
use crate::screen::{ClickTarget, Effect, Effects, Screen, ScreenEvent, Tab, passed};
use finches_runs::run::message::RunEvent;

use super::{PopulationScreen, PopulationTarget};

own_actions! {
    /// What only the Population screen does.
    pub(super) enum PopulationAction {
        /// Plays against the selected member, champion, elite or fittest of a species.
        PlaySelected = "play_selected",
        NextSort = "next_sort",
        ReverseSort = "reverse_sort",
        /// Plays matches between members, or measures the strength of ancestors.
        PlayMatches = "play_matches",
        /// Shows the family tree, or the members again.
        FamilyTree = "family_tree",
        OlderPopulation = "older_population",
        NewerPopulation = "newer_population",
    }
}

/// The keys of the screen.
pub(super) const SCOPE: Scope = Scope::of_screen(
    "population",
    keys![
        Code(KeyCode::Enter) => Enter, "inspect the selected player", "open";
        Char('p') => (PopulationAction::PlaySelected), "play against it", "play";
        Code(KeyCode::Tab) => NextPane, "switch between members, species or styles, and \
            champions", "pane";
        Char('z') => Zoom, "zoom the pane in or out", "zoom";
        Char('o') => (PopulationAction::NextSort), "sort by the next column", "sort";
        Char('R') => (PopulationAction::ReverseSort), "reverse the order", "";
        Char('G') => (PopulationAction::PlayMatches), "play matches, or measure ancestors; again: \
            stop", "games";
        Char('d') => (PopulationAction::FamilyTree), "family tree, or the members again", "descent";
        Char('[') => (PopulationAction::OlderPopulation), "older population, if keep_every \
            saves some", "generation";
        Char(']') => (PopulationAction::NewerPopulation), "newer population, up to the current \
            one", "";
        @list;
        Click => Click, "on a row or a cell: select; on a column of members: sort by it", "";
    ],
);

/// The tab of the screen.
pub(in crate::screens) const TAB: Tab = Tab {
    name: "Population",
    short: "Pop",
    action: Action::GoPopulation,
    key: '2',
    purpose: "go to the population",
    scope: SCOPE,
};

impl Screen for PopulationScreen {
    fn tab(&self) -> Tab {
        TAB
    }

    fn act(&mut self, action: Action, context: &mut Context) -> Effects {
        let own = PopulationAction::of(action);
        if let (Some(PopulationAction::PlayMatches), Some(run)) = (own, context.shown_run()) {
            self.read_history(run);
        }
        if own == Some(PopulationAction::FamilyTree) && self.has_no_parents() {
            context
                .notify("no family tree: members are drawn from a distribution, without parents");
        }
        let action = self.handle_action(action, context.area);
        let plays = own == Some(PopulationAction::PlaySelected);
        match (action, self.selected()) {
            (Some(Action::Enter), Some(player)) => {
                vec![Effect::Inspect(player), Effect::Do(Action::GoNet)]
            }
            (Some(_), Some(player)) if plays => vec![Effect::PlayAgainst(player)],
            (Some(action), None) if plays || action == Action::Enter => {
                context.notify(self.nothing_selected());
                Vec::new()
            }
            (action, _) => passed(action),
        }
    }

    fn click(&mut self, target: &ClickTarget, _: Position, _: &mut Context) -> Effects {
        if let Some(target) = target.as_own::<PopulationTarget>() {
            self.click_target(*target);
        }
        Vec::new()
    }

    fn receive(&mut self, event: &ScreenEvent<'_>, context: &mut Context) {
        match event {
            ScreenEvent::Run(RunEvent::Snapshot(snapshot)) => {
                self.add_champion(&snapshot.champion);
                if let Some(run) = &context.run {
                    self.check_health(run);
                }
            }
            ScreenEvent::Answered(wanted) => {
                self.take_answers(*wanted);
                let news = self.health.take_news();
                if let Some((health, run)) = news.zip(context.run.as_mut()) {
                    run.set_health(health);
                }
            }
            ScreenEvent::Refresh => {
                let members = context.shown_run().and_then(|run| run.members.as_ref());
                self.set_newest(members);
            }
            _ => {}
        }
    }

    fn view(&self, context: &Context, area: Rect, buf: &mut Buffer) -> Regions<ClickTarget> {
        self.draw(context, area, buf)
    }
}
