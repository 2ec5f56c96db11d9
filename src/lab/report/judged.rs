//! Champions judged in positions that can be won, of their own board or another, beside simple
//! players.

use crate::experiment::ExperimentError;
use finches_engine::games::GameConfig;
use finches_engine::metrics::stats::spread::{Spread, quantile};
use finches_engine::play::match_setup::ChampionPlayer;
use finches_engine::play::player::PlayerRef;
use finches_engine::preset::Preset;
use finches_engine::rng::{Purpose, stream};
use finches_engine::session::measures::{Basis, columns_named, progress};
use finches_runs::storage::experiments::times::time;

use super::page::{Cell, PageBlock, Table};
use super::paper::JudgedBoard;
use super::render::PaperWriter;
use super::source::Name;
use crate::words::{FigureStyle, interval_words, number, or_dash};

impl PaperWriter<'_> {
    /// The last champions of presets on a board.
    pub(super) fn judged(&self, board: &JudgedBoard) -> Result<PageBlock, ExperimentError> {
        let mut rows = Vec::new();
        let mut all = true;
        for (index, name) in board.presets.iter().enumerate() {
            let mut shares = Vec::new();
            let mut positions = 0;
            for run in self.kept_runs(name)? {
                let Some(champion) = run.players()?.and_then(|kept| kept.champions.last()) else {
                    continue;
                };
                let config = run.preset.player_config();
                let player = ChampionPlayer::new(config, &champion.genome, &board.changes, None);
                let player = player.map_err(|error| ExperimentError::Failed(error.to_string()))?;
                let (arena, player) = (&player.arena, PlayerRef::Evolved(&player.player));
                shares.extend(arena.share_won(self.pool, player, board.positions));
                positions = arena.judged_count(board.positions);
                all &= arena.judges_all(board.positions);
            }
            let mut rng = stream(1, Purpose::Bootstrap, index as u64, 0);
            let spread = Spread::of(&shares, &mut rng);
            let text = |figure: &dyn Fn(&Spread) -> String| or_dash(spread.as_ref().map(figure));
            let whole = shares.iter().filter(|&&share| share >= 1.0).count();
            rows.push(vec![
                Cell::words(&**name),
                Cell::figure(positions.to_string()),
                Cell::figure(text(&|share| FigureStyle::SHARE.text(share.mean))),
                Cell::figure(interval_words(spread.as_ref(), FigureStyle::SHARE)),
                Cell::figure(format!("{whole} of {}", shares.len())),
            ]);
        }
        let which = if all {
            "all positions"
        } else {
            "random positions"
        };
        let head = "preset,positions,share won,95% interval,runs that win all";
        Ok(PageBlock::Table(Table::new(
            self.caption(&format!(
                "{}: the share of {which} that can be won in which the last champion's move wins.",
                board.about
            )),
            head,
            rows,
        )))
    }

    /// How long the runs of presets took, and how many games they played.
    pub(super) fn times(&self, names: &[Name]) -> PageBlock {
        let mut machines: Vec<String> = Vec::new();
        let row = |name: &Name| {
            let (mut seconds, mut games) = (Vec::new(), Vec::new());
            for run in self.runs.of_name(name) {
                games.extend(run.outcome.latest.get(progress::GAMES.name).copied());
                if let Some(time) = time(run.folder, run.id) {
                    seconds.push(time.seconds);
                    machines.push(format!("{}, {} cores", time.processor, time.cores));
                }
            }
            vec![
                Cell::words(&**name),
                Cell::figure(games.len().to_string()),
                Cell::figure(median_and_range(&mut games)),
                Cell::figure(median_and_range(&mut seconds)),
            ]
        };
        let rows = names.iter().map(row).collect();
        machines.sort();
        machines.dedup();
        let machines = match machines.as_slice() {
            [] => "No times were kept.".to_owned(),
            known => format!("Machine: {}.", known.join("; ")),
        };
        let head = "preset,runs,games,seconds";
        let caption = format!(
            "Games and seconds of a run, measuring included: the median, and from the least to the \
            most. Each run has one core, the last \
             ones more. {machines}"
        );
        PageBlock::Table(Table::new(self.caption(&caption), head, rows))
    }

    /// What simple players win on the boards of presets.
    pub(super) fn baselines(
        &self,
        names: &[Name],
        most: u32,
    ) -> Result<PageBlock, ExperimentError> {
        let mut head = vec!["board".to_owned(), "positions".to_owned()];
        let mut rows = Vec::new();
        for name in names {
            let preset = self.paper.load(name)?;
            let arena = preset.arena();
            let arena = arena.map_err(|error| ExperimentError::Failed(error.to_string()))?;
            let shares = arena.judged_baselines(most);
            head.truncate(2);
            head.extend(shares.iter().map(|(player, _)| player.clone()));
            let heaps = match &preset.game {
                GameConfig::Nim(nim) => nim.heaps.iter().map(ToString::to_string).collect(),
                _ => vec![preset.game.name().to_owned()],
            };
            let board = [
                Cell::words(heaps.join("-")),
                Cell::figure(arena.judged_count(most).to_string()),
            ];
            let shares = shares
                .iter()
                .map(|(_, share)| FigureStyle::SHARE.text(*share));
            let shares = shares.map(Cell::figure);
            rows.push(board.into_iter().chain(shares).collect());
        }
        Ok(PageBlock::Table(Table {
            caption: format!(
                "The share of the positions that can be won in which the moves of simple players \
                win; of boards with more than {most} positions a sample."
            ),
            head,
            rows,
        }))
    }
}

/// The median of some figures and their range.
fn median_and_range(figures: &mut [f64]) -> String {
    figures.sort_by(f64::total_cmp);
    let (Some(least), Some(most)) = (figures.first(), figures.last()) else {
        return or_dash(None);
    };
    let [least, median, most] = [*least, quantile(figures, 0.5), *most].map(number);
    format!("{median} ({least} to {most})")
}

/// What a share of right moves can be compared with: random moves, and the best of the other simple
/// players. `None` for other columns.
pub(super) fn simple_shares(preset: &Preset, column: &str) -> Option<[Option<f64>; 2]> {
    const MOST: u32 = 10_000;
    let basis = columns_named(&[column]).all()[0].basis;
    if ![Basis::Positions, Basis::WinnablePositions].contains(&basis) {
        return None;
    }
    let arena = preset.arena().ok()?;
    if basis == Basis::Positions {
        return Some([arena.chance_accuracy(), None]);
    }
    let most = preset.measures.judged_positions.min(MOST);
    let shares = arena.judged_baselines(most);
    let mut shares = shares.into_iter().map(|(_, share)| share);
    let random = shares.next();
    Some([random, shares.reduce(f64::max)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_median_of_an_even_number_of_figures_lies_between_the_middle_ones() {
        assert_eq!(median_and_range(&mut [4.0, 1.0, 2.0, 9.0]), "3 (1 to 9)");
        assert_eq!(median_and_range(&mut [5.0]), "5 (5 to 5)");
        assert_eq!(median_and_range(&mut []), "–");
    }
}
