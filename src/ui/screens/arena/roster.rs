//! Who can be chosen: the games there are, the reference players of one of them, and the runs whose champions play it. It is put
//! together on a thread of its own, for it looks through the folder of saved runs.

use std::sync::Arc;
use std::thread;

use crossbeam_channel::Sender;

use crate::games::GameConfig;
use crate::preset::Preset;
use crate::storage::saves::Saves;
use crate::tournament::seats::Venue;

use super::referee::News;

/// A saved run that has champions.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Kept {
    pub(super) name: String,
    pub(super) preset: Preset,
    /// The generations whose champions are kept, in ascending order; there is one at least.
    pub(super) generations: Vec<u64>,
}

/// Everyone who can play a game.
#[derive(Clone, Debug, PartialEq)]
pub struct Roster {
    /// The games there are: that of the run that goes on, those of saved runs, and all others in their usual settings.
    pub(super) games: Vec<GameConfig>,
    /// Which of them is played.
    pub(super) game: GameConfig,
    pub(super) references: Vec<String>,
    /// The saved runs of that game.
    pub(super) runs: Vec<Arc<Kept>>,
}

/// What a roster is wanted of.
pub(super) struct Wanted {
    pub(super) saves: Saves,
    /// The game of the run that goes on.
    pub(super) live: Option<GameConfig>,
    /// The game that was chosen.
    pub(super) game: Option<GameConfig>,
}

/// Puts the roster of that number together in the background.
pub(super) fn gather(number: u64, wanted: Wanted, out: Sender<News>) {
    thread::spawn(move || {
        let gathered = roster(wanted).map(Box::new);
        // Where nobody listens any more, nobody needs to know.
        let _ = out.send(News::Roster(number, gathered));
    });
}

fn roster(wanted: Wanted) -> Result<Roster, String> {
    let all = kept(&wanted.saves);
    let known = wanted
        .live
        .into_iter()
        .chain(all.iter().map(|run| run.preset.game.plain()));
    let mut games: Vec<GameConfig> = Vec::new();
    for game in known.chain(GameConfig::all().iter().map(GameConfig::plain)) {
        if !games.contains(&game) {
            games.push(game);
        }
    }
    let game = wanted.game.unwrap_or_else(|| games[0].clone());
    let venue = Venue::open(&game, &[], wanted.saves).map_err(|refusal| refusal.to_string())?;
    let runs = all.into_iter();
    Ok(Roster {
        references: venue.references(),
        runs: runs
            .filter(|run| run.preset.game.plain() == game)
            .map(Arc::new)
            .collect(),
        games,
        game,
    })
}

/// All saved runs that have champions; those that can't be read are none.
fn kept(saves: &Saves) -> Vec<Kept> {
    let read = |name: String| {
        let preset = saves.run_file(&name).ok()?.preset;
        let generations = saves.champions(&name).ok()?;
        (!generations.is_empty()).then_some(Kept {
            name,
            preset,
            generations,
        })
    };
    saves.names().into_iter().filter_map(read).collect()
}
