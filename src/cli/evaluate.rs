//! `finches evaluate`: the strength of saved champions and populations. A champion meets champions
//! of earlier generations (Thien 2018, "Performance") and named players; a population meets that of
//! generation 0 and random networks (Porter & LeGrand, "Results").

use clap::Args;
use serde::Serialize;

use finches_engine::contest::Tally;
use finches_engine::metrics::stats::spread::even_sample;
use finches_engine::metrics::stats::wilson;
use finches_engine::play::forfeits::ForfeitedGame;
use finches_engine::play::match_setup::MatchSetup;
use finches_engine::play::matches::{Match, MatchConditions};
use finches_engine::play::pool::Pool;
use finches_engine::play::round_robin::{head_to_head, tally};
use finches_engine::session::grading::{GradingOpponents, PopulationGrading, players};
use finches_runs::storage::players::{PlayerName, champion_name, latest_champion};
use finches_runs::storage::saves::Saves;

use super::limits::{self, MAX_GAMES};
use super::matches::{NamedPlayers, PlayOptions};
use super::options::CostOption;
use super::{CliError, log, output};

/// Games of a champion against each opponent, unless specified.
const CHAMPION_GAMES: u32 = 128;

/// The runs and the opponents.
#[derive(Clone, Debug, Args)]
pub(super) struct EvaluateArgs {
    /// Saved runs, also those that come with the program, such as champion-nim.
    #[arg(required = true, value_name = "RUN")]
    runs: Vec<String>,
    /// Play the champion against earlier champions of its run. Without --baseline and --against,
    /// this and `--against random` are the default.
    #[arg(long)]
    past: bool,
    /// Play the saved populations against that of generation 0 and against random networks, the
    /// same for every run.
    #[arg(long)]
    baseline: bool,
    /// Play the champion against players as in `finches arena`: reference players, champions, RUN
    /// or RUN:GENERATION, and outside programs, PROTOCOL:COMMAND.
    #[arg(long, value_name = "PLAYER", num_args = 1..)]
    against: Vec<String>,
    /// The generation of the champion and the population. Default: the latest champion, all saved
    /// populations.
    #[arg(long, value_name = "G")]
    generation: Option<u64>,
    /// The number of earlier champions to play against, spread evenly over those that are saved.
    #[arg(
        long,
        value_name = "N",
        default_value_t = 10,
        value_parser = clap::value_parser!(u32).range(1..),
    )]
    opponents: u32,
    /// Games against each opponent: two from each start position, with the sides swapped. An odd
    /// number is one more. Default: 128 for a champion; every member of a population plays every
    /// opponent, once from each side, of which this is an even sample.
    #[arg(
        long,
        value_name = "N",
        value_parser = |text: &str| limits::games(text, MAX_GAMES),
    )]
    games: Option<u32>,
    #[command(flatten)]
    cost: CostOption,
    #[command(flatten)]
    play: PlayOptions,
}

/// The results against one opponent, or against all earlier champions together.
#[derive(Serialize)]
struct EvaluationRow<'a> {
    run: &'a str,
    generation: u64,
    /// `champion` or `population`.
    player: &'static str,
    opponent: String,
    wins: u64,
    draws: u64,
    losses: u64,
    share: f64,
    low: f64,
    high: f64,
    /// The games among these that an outside program lost because it failed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    forfeits: Vec<EvaluationForfeit>,
}

/// A game that an outside program lost because it failed; games against an opponent are numbered
/// from 1.
#[derive(Serialize)]
struct EvaluationForfeit {
    game: u64,
    after: Option<String>,
    reason: String,
}

/// The results against one opponent, with the games that it forfeited.
type OpponentResult = (Tally, Vec<EvaluationForfeit>);

impl EvaluationRow<'_> {
    fn text(&self) -> String {
        format!(
            "{:<16}{:>9}{:>9}{:>9}{:>8.3}  {:.3}-{:.3}\n",
            self.opponent, self.wins, self.draws, self.losses, self.share, self.low, self.high
        )
    }

    /// A line for each game that the opponent forfeited.
    fn forfeit_text(&self) -> String {
        let opponent = &self.opponent;
        let line = |it: &EvaluationForfeit| {
            let after = it.after.as_deref().unwrap_or("the start");
            let (game, reason) = (it.game, &it.reason);
            format!("{opponent} lost game {game} after {after}: {reason}\n")
        };
        self.forfeits.iter().map(line).collect()
    }
}

/// Plays the games and prints the results.
pub(super) fn evaluate(args: &EvaluateArgs) -> Result<(), CliError> {
    log::for_script()?;
    let (saves, pool) = (args.play.place.open(), args.play.workers.pool()?);
    let is_default = !args.past && !args.baseline && args.against.is_empty();
    let mut against = args.against.clone();
    if is_default {
        against.push("random".to_owned());
    }
    for run in &args.runs {
        let evaluation = Evaluation {
            args,
            run,
            saves: &saves,
            pool: &pool,
        };
        if args.past || !against.is_empty() {
            evaluation.champion(args.past || is_default, &against)?;
        }
        if args.baseline {
            evaluation.populations()?;
        }
    }
    Ok(())
}

/// The evaluation of one run.
struct Evaluation<'a> {
    args: &'a EvaluateArgs,
    run: &'a str,
    saves: &'a Saves,
    pool: &'a Pool,
}

impl Evaluation<'_> {
    fn failure(&self, message: impl std::fmt::Display) -> CliError {
        CliError::Failure(format!("{}: {message}", self.run))
    }

    /// Evaluates the champion, against earlier ones if `with_past`, and against named players.
    fn champion(&self, with_past: bool, against: &[String]) -> Result<(), CliError> {
        let own = match self.args.generation {
            Some(generation) => generation,
            None => latest_champion(self.run, self.saves)?,
        };
        let past = if with_past {
            self.past(own)?
        } else {
            Vec::new()
        };
        let champions = past
            .iter()
            .map(|&generation| champion_name(self.run, generation));
        let names = std::iter::once(champion_name(self.run, own)).chain(champions);
        let names: Vec<String> = names.chain(against.iter().cloned()).collect();
        let mut earlier = self.play(&names)?;
        let named = earlier.split_off(past.len());
        let total: Tally = earlier.iter().map(|(tally, _)| *tally).sum();
        let labels = past.iter().map(|generation| format!("g{generation}"));
        let mut lines: Vec<(String, OpponentResult)> = labels.zip(earlier).collect();
        if with_past {
            lines.push(("earlier".to_owned(), (total, Vec::new())));
        }
        lines.extend(against.iter().cloned().zip(named));
        self.print("champion", own, lines)
    }

    /// The generations of earlier champions, evenly spread over those that are saved, including the
    /// first.
    fn past(&self, own: u64) -> Result<Vec<u64>, CliError> {
        let mut earlier = self.saves.champions(self.run)?;
        earlier.retain(|&generation| generation < own);
        if earlier.is_empty() {
            let message = format!("has no saved champion from before generation {own}");
            return Err(self.failure(message));
        }
        let chosen = even_sample(&earlier, self.args.opponents as usize);
        Ok(chosen.into_iter().copied().collect())
    }

    /// Plays the first of the named players against each of the others.
    fn play(&self, names: &[String]) -> Result<Vec<OpponentResult>, CliError> {
        let preset = self.saves.run_file(self.run)?.preset;
        let setup = MatchSetup::new(&preset.game, &[])?;
        let parsed = names.iter().map(|it| PlayerName::parse(it, self.saves));
        let parsed: Vec<PlayerName> = parsed.collect();
        let players = NamedPlayers::new(&setup, &parsed, self.saves, self.args.play.move_time)?;
        let games = self.args.games.unwrap_or(CHAMPION_GAMES);
        let pairs = (1..names.len()).map(|other| [0, other]);
        let matches: Vec<Match> = pairs.flat_map(|pair| head_to_head(pair, games)).collect();
        let conditions = MatchConditions {
            openings: preset.measures.openings,
            ..MatchConditions::new(self.args.play.seed)
        };
        let played = players.play(self.pool, &matches, &conditions)?;
        let mut results: Vec<OpponentResult> = Vec::new();
        let played = played.chunks(games as usize);
        results.extend(played.map(|it| (tally(it), Vec::new())));
        for ForfeitedGame { forfeit, .. } in players.forfeits(&matches) {
            let (opponent, game) = (
                forfeit.game / u64::from(games),
                forfeit.game % u64::from(games),
            );
            results[opponent as usize].1.push(EvaluationForfeit {
                game: game + 1,
                after: forfeit.after,
                reason: forfeit.reason,
            });
        }
        Ok(results)
    }

    /// Evaluates one saved population, or all of them.
    fn populations(&self) -> Result<(), CliError> {
        let file = self.saves.run_file(self.run)?;
        let saved = self.saves.populations(self.run)?;
        if saved.is_empty() {
            return Err(self.failure(
                "has no saved populations; a run with --set keep_every=1000 saves one every 1,000 \
                generations",
            ));
        }
        let preset = &file.preset;
        self.args.cost.check(preset)?;
        let arena = preset.arena().map_err(CliError::failure)?;
        let grading =
            PopulationGrading::new(preset, file.seed, &arena).map_err(CliError::failure)?;
        let games = self.args.games.map_or(u64::MAX, u64::from);
        let (genome, io_spec) = (&preset.genome, arena.io_spec());
        for generation in self
            .args
            .generation
            .map_or(saved, |generation| vec![generation])
        {
            let members = self.saves.population(self.run, generation)?;
            let mut all = members.iter();
            if let Err(error) = all.try_for_each(|member| genome.validate(member, io_spec)) {
                let message =
                    format!("the population of generation {generation} can't play: {error}");
                return Err(self.failure(message));
            }
            let members = players(genome, io_spec, &members);
            let opponents = [
                ("generation 0", GradingOpponents::InitialPopulation),
                ("random networks", GradingOpponents::RandomNetworks),
            ];
            let lines = opponents.map(|(label, opponents)| {
                let tally = grading.grade(self.pool, &members, opponents, games);
                (label.to_owned(), (tally, Vec::new()))
            });
            self.print("population", generation, lines.into())?;
        }
        Ok(())
    }

    fn print(
        &self,
        player: &'static str,
        generation: u64,
        lines: Vec<(String, OpponentResult)>,
    ) -> Result<(), CliError> {
        let row = |(opponent, (tally, forfeits)): (String, OpponentResult)| {
            let share = tally.share().unwrap_or(f64::NAN);
            let (low, high) = wilson(share, tally.games().min(u32::MAX.into()) as u32);
            EvaluationRow {
                run: self.run,
                generation,
                player,
                opponent,
                wins: tally.wins,
                draws: tally.draws,
                losses: tally.losses,
                share,
                low,
                high,
                forfeits,
            }
        };
        let rows = lines.into_iter().map(row);
        if self.args.play.json {
            let json = |row| serde_json::to_string(&row).expect("text and numbers fit JSON") + "\n";
            return output::print_json(&rows.map(json).collect::<String>());
        }
        let (rows, forfeits): (Vec<String>, Vec<String>) =
            rows.map(|row| (row.text(), row.forfeit_text())).unzip();
        let (rows, mut forfeits) = (rows.concat(), forfeits.concat());
        if !forfeits.is_empty() {
            forfeits = format!("forfeits, counted above as losses of the program:\n{forfeits}");
        }
        output::print(&format!(
            "{player} of {}, generation {generation}\nopponent             wins    draws   \
            losses   share  95% CI\n{rows}{forfeits}",
            self.run
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn opponents_are_spread_over_those_that_are_saved() {
        let saved: Vec<u64> = (0..100).collect();
        assert_eq!(even_sample(&saved, 5), [&0, &20, &40, &60, &80]);
        assert_eq!(even_sample(&[0, 7, 9], 10), [&0, &7, &9]);
    }
}
