//! Games between the kept players of runs.

use std::cell::OnceCell;
use std::sync::Arc;

use crate::experiment::ExperimentError;
use crate::experiment::collect::FinishedRun;
use finches_engine::contest::Tally;
use finches_engine::genomes::AnyGenome;
use finches_engine::metrics::stats::spread::{Spread, even_sample};
use finches_engine::play::matches::{Match, MatchConditions, MatchPlayer};
use finches_engine::play::{Arena, round_robin};
use finches_engine::preset::Preset;
use finches_engine::rng::{Purpose, stream};
use finches_engine::session::grading;
use finches_engine::text::{counted, grouped};
use finches_runs::storage::experiments::contests::ContestResult;
use finches_runs::storage::experiments::players::{KeptPlayers, KeptPopulation};

use super::charts::BarChart;
use super::claims::pairs;
use super::page::{Cell, PageBlock, Table};
use super::paper::{AncestorClaim, AncestorReading, Computed, PaperItem, PopulationMatches};
use super::render::PaperWriter;
use super::source::{Name, listed};
use super::verdict::Agreement;
use crate::words::{FigureStyle, interval_words, or_dash};

/// Games between two populations: those of 100 members play all pairs from both sides.
const POPULATION_GAMES: u32 = 20_000;

/// The seed of the games.
const SEED: u64 = 1;

/// The most earlier champions that the last one plays.
const ANCESTORS: usize = 8;

/// A preset's game and the players of one of its runs.
pub(super) struct KeptRun<'a> {
    pub(super) preset: &'a Preset,
    arena: Arc<dyn Arena>,
    run: &'a FinishedRun<'a>,
    /// Read when they are needed: their files are large. `None` if they are not there.
    players: OnceCell<Option<KeptPlayers>>,
}

impl KeptRun<'_> {
    fn seed(&self) -> u64 {
        self.run.id.seed
    }

    fn name(&self) -> String {
        format!("{}-{}", self.preset.name, self.seed())
    }

    /// The players; `None` if none were kept, or they were deleted.
    pub(super) fn players(&self) -> Result<Option<&KeptPlayers>, ExperimentError> {
        if self.players.get().is_none() {
            let players = self.run.folder.players(self.run.id)?;
            self.players.get_or_init(|| players);
        }
        Ok(self.players.get().and_then(Option::as_ref))
    }

    /// The genomes as participants in matches.
    fn match_players<'b>(
        &self,
        genomes: impl IntoIterator<Item = &'b AnyGenome>,
    ) -> impl Iterator<Item = MatchPlayer> {
        let players = grading::players(&self.preset.genome, self.arena.io_spec(), genomes);
        let players = players.into_iter();
        players.map(|player| Arc::clone(&self.arena).match_player(player))
    }

    fn conditions(&self) -> MatchConditions<'_> {
        MatchConditions {
            openings: self.preset.measures.openings,
            ..MatchConditions::new(SEED)
        }
    }
}

impl AncestorReading {
    /// What is counted.
    fn words(self) -> &'static str {
        match self {
            Self::Points => "points of the last champion",
            Self::NotLost => "games that the last champion does not lose",
            Self::First => "points of the first champion against the last",
        }
    }

    /// The share of a run; `None` without games.
    fn share(self, results: &[ContestResult]) -> Option<f64> {
        let all: Tally = results.iter().map(|result| result.tally()).sum();
        match self {
            Self::Points => all.share(),
            Self::NotLost => Some((all.wins + all.draws) as f64 / all.games() as f64)
                .filter(|share| share.is_finite()),
            Self::First => results.first()?.tally().reversed().share(),
        }
    }
}

/// The games against an earlier champion in words.
fn ancestor_words(name: &Name, result: &ContestResult) -> String {
    let (tally, generation) = (result.tally(), grouped(&result.generations[1].to_string()));
    format!(
        "{name}, against generation {generation}: {} won, {} drawn, {} lost.",
        tally.wins, tally.draws, tally.losses
    )
}

/// The games of a run's last champion against earlier ones.
fn ancestor_bars(run: &KeptRun<'_>, results: &[ContestResult]) -> BarChart {
    let part = |name: &str, pick: fn(&Tally) -> u64| {
        let counts = results.iter().map(|result| pick(&result.tally()) as f64);
        (name.to_owned(), counts.collect())
    };
    let earlier = |result: &ContestResult| grouped(&result.generations[1].to_string());
    BarChart {
        title: format!("{}, seed {}", run.preset.name, run.seed()),
        axes: ["earlier champion, by its generation", "games"],
        groups: results.iter().map(earlier).collect(),
        parts: vec![
            part("won", |tally| tally.wins),
            part("drawn", |tally| tally.draws),
            part("lost", |tally| tally.losses),
        ],
    }
}

impl PaperWriter<'_> {
    /// The finished runs of a preset with their players.
    pub(super) fn kept_runs(&self, name: &str) -> Result<Vec<KeptRun<'_>>, ExperimentError> {
        let mut kept = Vec::new();
        for run in self.runs.of_name(name) {
            let preset = &self.runs.manifest.presets[run.id.preset];
            let arena = preset.arena();
            kept.push(KeptRun {
                preset,
                arena: arena.map_err(|error| ExperimentError::Failed(error.to_string()))?,
                run,
                players: OnceCell::new(),
            });
        }
        Ok(kept)
    }

    /// The results of a contest between the players of runs, which is played unless it is known.
    /// There are none where players are missing.
    fn contest<'b, const N: usize>(
        &self,
        name: String,
        runs: [&'b KeptRun<'_>; N],
        play: impl FnOnce([&'b KeptPlayers; N]) -> Vec<ContestResult>,
    ) -> Result<Vec<ContestResult>, ExperimentError> {
        let sums = runs.map(|run| run.run.outcome.players_checksum.clone());
        let sums: Vec<String> = sums.into_iter().flatten().collect();
        if let Some(known) = self.contests.borrow().results(&name, &sums) {
            return Ok(known.to_vec());
        }
        let mut players = Vec::new();
        for run in runs {
            match run.players()? {
                Some(kept) => players.push(kept),
                None => {
                    self.unplayed.borrow_mut().insert(run.name());
                }
            }
        }
        let Ok(players) = <[&KeptPlayers; N]>::try_from(players) else {
            return Ok(Vec::new());
        };
        let results = play(players);
        let mut contests = self.contests.borrow_mut();
        contests.keep(name, sums, results.clone());
        Ok(results)
    }

    /// The number of games between two populations.
    fn population_games_each(&self) -> u32 {
        self.fewer(POPULATION_GAMES)
    }

    /// The games of one run's population against another's.
    fn population_games(
        &self,
        [one, other]: [&KeptRun<'_>; 2],
        [members, others]: [&KeptPopulation; 2],
    ) -> Vec<ContestResult> {
        let own = one.match_players(&members.members);
        let players: Vec<MatchPlayer> = own.chain(other.match_players(&others.members)).collect();
        let (size, size_of_others) = (members.members.len(), others.members.len());
        let games = u64::from(self.population_games_each());
        let matches = grading::sampled_matches(size, size_of_others, games);
        let played = one
            .arena
            .play_matches(self.pool, &players, &matches, &one.conditions());
        let result = |played: Vec<_>| {
            let generations = [members.generation, others.generation];
            ContestResult::new(generations, round_robin::tally(&played))
        };
        played.map(result).into_iter().collect()
    }

    /// The last population of a run against that of another.
    fn last_populations(&self, runs: [&KeptRun<'_>; 2]) -> Result<Option<f64>, ExperimentError> {
        let [one, other] = runs.map(KeptRun::name);
        let games = self.population_games_each();
        let name = format!("{one} against {other}, last populations, {games} games");
        let results = self.contest(name, runs, |players| {
            match players.map(|players| players.populations.last()) {
                [Some(one), Some(other)] => self.population_games(runs, [one, other]),
                _ => Vec::new(),
            }
        })?;
        Ok(results.first().and_then(|result| result.tally().share()))
    }

    /// The last populations of presets against each other, those of the same seed.
    pub(super) fn populations(
        &self,
        spec: &PopulationMatches,
    ) -> Result<Computed, ExperimentError> {
        let all = spec.presets.iter().map(|name| self.kept_runs(name));
        let all = all.collect::<Result<Vec<_>, _>>()?;
        let mut shares = vec![vec![Vec::new(); all.len()]; all.len()];
        for one in 0..all.len() {
            for other in one + 1..all.len() {
                for run in &all[one] {
                    let mut rivals = all[other].iter();
                    let Some(rival) = rivals.find(|rival| rival.seed() == run.seed()) else {
                        continue;
                    };
                    if let Some(share) = self.last_populations([run, rival])? {
                        shares[one][other].push(share);
                        shares[other][one].push(1.0 - share);
                    }
                }
            }
        }
        let spread = |one: usize, other: usize| {
            let mut rng = stream(SEED, Purpose::Bootstrap, one as u64, other as u64);
            Spread::of(&shares[one][other], &mut rng)
        };
        let matrix = self.matrix(&spec.presets, &spread);
        let place = |name: &str| spec.presets.iter().position(|known| **known == *name);
        let claims = spec.claims.iter().flat_map(|claim| {
            let pairs = pairs(&claim.stronger, &claim.weaker);
            pairs.map(|pair| (pair, &*claim.said))
        });
        let pairs = claims.filter_map(|([one, other], said)| {
            let share = spread(place(one)?, place(other)?);
            Some((format!("{one} against {other}"), Some(said), share))
        });
        let (table, verdicts) = self.shares_table(
            &format!(
                "The last populations one on one, those of the same seed against each other: {} \
                each.",
                counted(self.population_games_each(), "game")
            ),
            &spec.presets,
            pairs,
        );
        Ok(Computed {
            blocks: vec![PageBlock::Table(matrix), PageBlock::Table(table)],
            verdicts,
        })
    }

    /// The mean shares of each preset against each other one.
    fn matrix(&self, names: &[Name], spread: &dyn Fn(usize, usize) -> Option<Spread>) -> Table {
        let row = |one: usize| {
            let cell = |other: usize| {
                let share = spread(one, other).filter(|_| one != other);
                Cell::figure(or_dash(
                    share.map(|share| FigureStyle::SHARE.text(share.mean)),
                ))
            };
            let cells = (0..names.len()).map(cell);
            [Cell::words(&*names[one])]
                .into_iter()
                .chain(cells)
                .collect()
        };
        let names_of_rows = names.iter().map(ToString::to_string);
        let head = ["preset".to_owned()].into_iter().chain(names_of_rows);
        Table {
            caption: self.caption(
                "The row's share of the points against the column, last population against last \
                population, mean of the runs.",
            ),
            head: head.collect(),
            rows: (0..names.len()).map(row).collect(),
        }
    }

    /// A table of shares of points of players that are said to be stronger, or of which nothing is
    /// said.
    fn shares_table<'s>(
        &self,
        caption: &str,
        presets: &[Name],
        pairs: impl Iterator<Item = (String, Option<&'s str>, Option<Spread>)>,
    ) -> (Table, Vec<Agreement>) {
        let mut rows = Vec::new();
        for (name, said, share) in pairs {
            let verdict = share
                .as_ref()
                .filter(|_| said.is_some())
                .map_or(Agreement::CannotTell, Agreement::of_match);
            let verdict = self.of_whole_runs(verdict, presets, |_| false);
            let text = |figure: &dyn Fn(&Spread) -> String| or_dash(share.as_ref().map(figure));
            let row = vec![
                Cell::words(name),
                Cell::words(said.unwrap_or("–")),
                Cell::figure(text(&|share| FigureStyle::SHARE.text(share.mean))),
                Cell::figure(interval_words(share.as_ref(), FigureStyle::SHARE)),
                Cell::figure(text(&|share| share.count.to_string())),
            ];
            rows.push((row, verdict));
        }
        let head = "match,published,share,95% interval,runs";
        Table::judged(self.caption(caption), head, rows)
    }

    /// The last population of each run against the one that was kept before it.
    pub(super) fn later_populations(
        &self,
        names: &[Name],
    ) -> Result<(Table, Vec<Agreement>), ExperimentError> {
        let mut pairs = Vec::new();
        for (index, name) in names.iter().enumerate() {
            let mut shares = Vec::new();
            let mut ages = None;
            for run in self.kept_runs(name)? {
                let games = self.population_games_each();
                let contest = format!("{}, last populations, {games} games", run.name());
                let results =
                    self.contest(
                        contest,
                        [&run],
                        |[players]| match &players.populations[..] {
                            [earlier, later] => {
                                self.population_games([&run, &run], [later, earlier])
                            }
                            _ => Vec::new(),
                        },
                    )?;
                if let Some(result) = results.first() {
                    ages = Some(result.generations);
                    shares.extend(result.tally().share());
                }
            }
            let mut rng = stream(SEED, Purpose::Bootstrap, index as u64, u64::MAX);
            let words = ages.map_or_else(
                || name.to_string(),
                |ages| {
                    let [later, earlier] = ages.map(|age| grouped(&age.to_string()));
                    format!("{name}: generation {later} against {earlier}")
                },
            );
            pairs.push((words, None, Spread::of(&shares, &mut rng)));
        }
        Ok(self.shares_table(
            &format!(
                "The last population against the one that was kept before it, run by run: {} each.",
                counted(self.population_games_each(), "game")
            ),
            names,
            pairs.into_iter(),
        ))
    }

    /// Bars of the games of the last champion against earlier ones, in the first run of each
    /// preset, and a table of what is said of all runs.
    pub(super) fn ancestors(
        &self,
        item: &PaperItem,
        names: &[Name],
        games: u32,
        claims: &[AncestorClaim],
    ) -> Result<Computed, ExperimentError> {
        let games = self.fewer(games);
        let (mut charts, mut told, mut all) = (Vec::new(), Vec::new(), Vec::new());
        for name in names {
            for run in self.kept_runs(name)? {
                let contest = format!(
                    "{}, last champion against earlier ones, {games} games each",
                    run.name()
                );
                let results = self.contest(contest, [&run], |[players]| {
                    self.against_ancestors(&run, players, games)
                })?;
                if !results.is_empty() && all.iter().all(|(known, _): &(&str, _)| *known != &**name)
                {
                    told.extend(results.iter().map(|result| ancestor_words(name, result)));
                    charts.push(ancestor_bars(&run, &results));
                }
                all.push((&**name, results));
            }
        }
        if told.is_empty() {
            let none = "No run has earlier champions yet.".to_owned();
            return Ok(Computed {
                blocks: vec![PageBlock::Text(none)],
                ..Computed::default()
            });
        }
        let what = format!(
            "{games} games of the last champion against each of up to {ANCESTORS} earlier ones, \
            half of them with each side, in the first run of {}.",
            listed(names)
        );
        let mut blocks = vec![self.picture(item, &charts, &what, &told.join(" "))?];
        let rows = claims.iter().flat_map(|claim| {
            claim.presets.iter().zip(0..).map(|(name, index)| {
                let own = all.iter().filter(|(known, _)| *known == &**name);
                let shares = own.filter_map(|(_, results)| claim.reading.share(results));
                let mut rng = stream(SEED, Purpose::Bootstrap, index, claim.reading as u64);
                let share = Spread::of(&shares.collect::<Vec<f64>>(), &mut rng);
                let words = format!("{name}: {}", claim.reading.words());
                (words, Some(&*claim.said), share)
            })
        });
        let mut verdicts = Vec::new();
        if !claims.is_empty() {
            let caption = "All games against earlier champions, run by run.";
            let (table, judged) = self.shares_table(caption, names, rows);
            blocks.push(PageBlock::Table(table));
            verdicts = judged;
        }
        Ok(Computed { blocks, verdicts })
    }

    /// The last champion's results against earlier ones.
    fn against_ancestors(
        &self,
        run: &KeptRun<'_>,
        players: &KeptPlayers,
        games: u32,
    ) -> Vec<ContestResult> {
        let Some((last, earlier)) = players.champions.split_last() else {
            return Vec::new();
        };
        let chosen = even_sample(earlier, ANCESTORS);
        let all = [last].into_iter().chain(chosen.iter().copied());
        let players: Vec<MatchPlayer> = run
            .match_players(all.map(|champion| &champion.genome))
            .collect();
        let pairs = (1..players.len()).map(|other| [0, other]);
        let matches: Vec<Match> = pairs
            .flat_map(|pair| round_robin::head_to_head(pair, games))
            .collect();
        let played = run
            .arena
            .play_matches(self.pool, &players, &matches, &run.conditions());
        let played = played.expect("all players come from this arena");
        let tallies = played.chunks(games as usize).map(round_robin::tally);
        let results = chosen.iter().zip(tallies).map(|(champion, tally)| {
            ContestResult::new([last.generation, champion.generation], tally)
        });
        results.collect()
    }
}
