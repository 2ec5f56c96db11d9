//! A run that another process evolves. It is shown, but cannot be changed from here.

use finches_runs::run::follow::{FollowEvent, FollowedRun};

use super::AppModel;
use crate::keymap::Action;
use crate::model::followed::FollowState;
use crate::model::run::RunModel;

impl AppModel {
    /// Follows a run of another process, of which nothing is known yet.
    pub fn follow_run(&mut self, name: &str) {
        self.context.followed = Some(FollowState {
            name: name.to_owned(),
            missing: None,
        });
        self.switch_to(Action::GoRun);
    }

    /// Handles an event of the followed run.
    pub fn receive_followed(&mut self, seen: FollowEvent) {
        let Some(followed) = &mut self.context.followed else {
            return;
        };
        followed.missing = match &seen {
            FollowEvent::Missing(words) => Some(words.clone()),
            FollowEvent::Run(_) | FollowEvent::Event(_) => None,
        };
        match seen {
            FollowEvent::Missing(_) => {}
            FollowEvent::Event(event) => self.apply(event),
            FollowEvent::Run(found) => self.show_followed(&found),
        }
    }

    /// Shows a followed run with its history. If it is already shown, only its history is replaced.
    fn show_followed(&mut self, found: &FollowedRun) {
        let shown = self.tab().action;
        let is_same = |run: &RunModel| run.facts.seed == found.info.seed;
        let run = RunModel::follow(found.info.clone(), &found.rows, found.pace);
        match &mut self.context.run {
            Some(before) if is_same(before) => before.restart(run),
            _ => {
                self.show_run(run);
                self.switch_to(shown);
            }
        }
    }
}
