//! What screens find out on threads of their own: where it comes in, and who takes it.

use crossbeam_channel::{Receiver, never};

use crate::ui::screens::net::{Finding, NetScreen};
use crate::ui::screens::population::{News, PopulationScreen};

use super::Model;

impl Model {
    /// Where findings of the net screen come in.
    pub fn findings(&self) -> Receiver<Finding> {
        self.net.as_ref().map_or_else(never, NetScreen::findings)
    }

    /// Takes a finding of the net screen.
    pub fn found(&mut self, finding: Option<Finding>) {
        if let (Some(finding), Some(net)) = (finding, &mut self.net) {
            net.hear(finding);
        }
    }

    /// Where news of the population screen come in.
    pub fn population_news(&self) -> Receiver<News> {
        let population = self.population.as_ref();
        population.map_or_else(never, PopulationScreen::news)
    }

    /// Takes news of the population screen.
    pub fn hear_population(&mut self, news: Option<News>) {
        if let (Some(news), Some(population)) = (news, &mut self.population) {
            population.hear(news);
        }
    }
}
