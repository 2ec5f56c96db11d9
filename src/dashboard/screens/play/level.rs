//! Changes how the champion searches, and says its level and rating.

use finches_runs::storage::bundled_champions;

use super::search_settings::SearchSettings;
use super::{PlayMessage, PlayScreen};

impl PlayScreen {
    /// Changes the search settings and restarts the analysis.
    pub(super) fn change_search(&mut self, change: fn(&mut SearchSettings) -> Result<(), String>) {
        let changed = change(&mut self.search_settings);
        self.search_changed(changed, |it| {
            format!("Search: {}.", it.search_settings.description())
        });
    }

    /// Changes the level and restarts the analysis.
    pub(super) fn change_level(
        &mut self,
        change: impl Fn(&mut SearchSettings) -> Result<(), String>,
    ) {
        let changed = change(&mut self.search_settings);
        self.search_changed(changed, Self::level_text);
    }

    /// Restarts the analysis with the changed settings, and says what they are now.
    fn search_changed(&mut self, changed: Result<(), String>, text: impl Fn(&Self) -> String) {
        self.message = match changed {
            Ok(()) => {
                self.start_analysis();
                PlayMessage::Info(text(self))
            }
            Err(words) => PlayMessage::Error(words),
        };
    }

    /// The level in a sentence, with the rating that was measured of it, if any.
    fn level_text(&self) -> String {
        let ratings = bundled_champions::level_ratings(&self.run_name);
        let rating = ratings.zip(self.search_settings.level());
        let rating = rating.map(|(ratings, number)| ratings[usize::from(number) - 1]);
        self.search_settings.level_text(rating)
    }
}
