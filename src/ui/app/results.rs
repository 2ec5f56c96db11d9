//! Results of background work: their channels, and the screens that receive them.

use crossbeam_channel::{Receiver, never};

use crate::ui::screens::net::{InspectorEvent, NetScreen};
use crate::ui::screens::population::{PopulationEvent, PopulationScreen};

use super::AppModel;

impl AppModel {
    /// The channel of the Net screen's results.
    pub fn net_results(&self) -> Receiver<InspectorEvent> {
        self.net.as_ref().map_or_else(never, NetScreen::events)
    }

    /// Hands a result to the Net screen.
    pub fn receive_net(&mut self, finding: Option<InspectorEvent>) {
        if let (Some(finding), Some(net)) = (finding, &mut self.net) {
            net.handle(finding);
        }
    }

    /// The channel of the Population screen's results.
    pub fn population_results(&self) -> Receiver<PopulationEvent> {
        let population = self.population.as_ref();
        population.map_or_else(never, PopulationScreen::events)
    }

    /// Hands a result to the Population screen.
    pub fn receive_population(&mut self, news: Option<PopulationEvent>) {
        if let (Some(news), Some(population)) = (news, &mut self.population) {
            population.handle(news);
        }
    }
}
