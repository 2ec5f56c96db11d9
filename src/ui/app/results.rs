//! Hands results of background work to the screens.

use super::AppModel;

impl AppModel {
    /// Takes in all results of background work that have arrived.
    pub fn receive_results(&mut self) {
        let live = self.context.run.as_ref();
        self.arena.receive(live);
        self.compare.receive(live);
        if let Some(net) = &mut self.net {
            net.receive();
        }
        if let Some(population) = &mut self.population {
            population.receive();
        }
        if let Some(games) = &mut self.games {
            games.receive();
        }
        if let Some(play) = &mut self.play {
            play.receive();
        }
    }
}
