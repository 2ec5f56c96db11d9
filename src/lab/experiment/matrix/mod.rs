//! The table of games and schemes: every scheme evolves players of every game with the same number
//! of games, and the champions of the last generation are judged in the same way. A place in the
//! table is a preset, so that its runs are those of any experiment.

use finches_engine::evolution::EvolutionConfig;
use finches_engine::params::{from_ron, suggest};
use finches_engine::preset::{Preset, PresetError};
use finches_runs::storage::experiments::matrix::{MatrixCell, MatrixDefinition, OmittedCell};
use serde::de::DeserializeOwned;

use self::games::{GAMES, MatrixGame};
use self::schemes::{SCHEMES, Scheme};

use super::ExperimentError;

pub mod best;
pub mod games;
pub mod results;
pub mod schemes;
pub mod table;

/// Most games of a run, so that the longest runs have fewer than 100,000 generations.
pub const MOST_GAMES: u64 = 5_000_000;

/// Which part of the table is made, and with how many games.
#[derive(Clone, Debug, Default)]
pub struct MatrixRequest {
    /// The names of games; all if empty.
    pub games: Vec<String>,
    /// The names of schemes; all if empty.
    pub schemes: Vec<String>,
    /// The number of games that each run may play.
    pub budget: u64,
    /// Changes of every preset, as key and value.
    pub parameters: Vec<(String, String)>,
}

/// The presets of a table and what they stand for.
#[derive(Clone, Debug)]
pub struct PlannedMatrix {
    /// One for each place, ordered by game and scheme.
    pub presets: Vec<Preset>,
    /// What they stand for.
    pub definition: MatrixDefinition,
}

/// Plans a table. Games and schemes that do not fit together are left out, with the reason.
pub fn plan(request: &MatrixRequest) -> Result<PlannedMatrix, ExperimentError> {
    let games = chosen("game", &request.games, &GAMES, |game| &game.name)?;
    let schemes = chosen("scheme", &request.schemes, &SCHEMES, |scheme| &scheme.name)?;
    let mut planned = PlannedMatrix {
        presets: Vec::new(),
        definition: MatrixDefinition {
            budget: request.budget,
            cells: Vec::new(),
            omitted: Vec::new(),
        },
    };
    for game in games {
        for scheme in &schemes {
            planned.add(game, scheme, request)?;
        }
    }
    if planned.presets.is_empty() {
        let reasons = planned.definition.omitted.iter().map(omission);
        let reasons: Vec<String> = reasons.collect();
        return Err(ExperimentError::Usage(reasons.join("\n")));
    }
    Ok(planned)
}

/// The items of a file of this program, as a test reads them.
fn listed<T: DeserializeOwned>(text: &str) -> Vec<T> {
    from_ron(text).expect("the games and schemes are sound")
}

/// Says which game and scheme are left out, and why.
pub fn omission(omitted: &OmittedCell) -> String {
    let OmittedCell {
        game,
        scheme,
        reason,
    } = omitted;
    format!("{game} × {scheme} is left out: {reason}")
}

/// The items with the given names, each once and in the order of the table; all if no name is
/// given.
fn chosen<'a, T>(
    kind: &str,
    names: &[String],
    all: &'a [T],
    name: impl Fn(&T) -> &String,
) -> Result<Vec<&'a T>, ExperimentError> {
    let known: Vec<&str> = all.iter().map(|item| name(item).as_str()).collect();
    if let Some(unknown) = names.iter().find(|given| !known.contains(&given.as_str())) {
        let hint = suggest(unknown, &known);
        let message = format!("the table has no {kind} `{unknown}`; {hint}");
        return Err(ExperimentError::Usage(message));
    }
    let is_chosen = |item: &&T| names.is_empty() || names.contains(name(item));
    Ok(all.iter().filter(is_chosen).collect())
}

impl PlannedMatrix {
    /// Adds a place, or the reason for which it is left out. Fails if the requested changes are
    /// invalid.
    fn add(
        &mut self,
        game: &MatrixGame,
        scheme: &Scheme,
        request: &MatrixRequest,
    ) -> Result<(), PresetError> {
        let (name, owner) = (game.name.clone(), scheme.name.clone());
        match preset(game, scheme) {
            Ok(preset) => {
                let preset = preset.with(&request.parameters)?;
                self.presets.push(within_budget(preset, request.budget));
                self.definition.cells.push(MatrixCell {
                    game: name,
                    scheme: owner,
                    column: game.column(),
                });
            }
            Err(error) => {
                let reasons = error.problems.iter().map(ToString::to_string);
                self.definition.omitted.push(OmittedCell {
                    game: name,
                    scheme: owner,
                    reason: reasons.collect::<Vec<String>>().join("; "),
                });
            }
        }
        Ok(())
    }
}

/// The preset of a game and a scheme, with one generation.
fn preset(game: &MatrixGame, scheme: &Scheme) -> Result<Preset, PresetError> {
    let network = if scheme.grows {
        &game.growing
    } else {
        &game.dense
    };
    let name = format!("{}-{}", game.name, scheme.name);
    let text = format!(
        "(about: \"The table's {} by {}: {}\", generations: 1, game: {}, genome: {network}, \
         agent: one_ply, evolution: ({}),
          measures: (tournament_games: 0, held_out_games: {}))",
        game.name, scheme.name, scheme.about, game.game, scheme.evolution, game.held_out_games,
    );
    Preset::parse(&text, &name, &name)
}

/// The preset with as many generations as the budget has games for, at least one. The first and the
/// last are measured.
fn within_budget(mut preset: Preset, budget: u64) -> Preset {
    let games = games_of_generation(&preset.evolution);
    preset.generations = (budget / games.max(1)).max(1);
    let last = (preset.generations - 1).clamp(1, u64::from(u32::MAX));
    preset.measures.every = last as u32;
    preset
}

/// The number of games of a generation, which is the same in each.
fn games_of_generation(evolution: &EvolutionConfig) -> u64 {
    let games = evolution.games();
    games.expect("the pairings of the schemes know their number of games")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(games: &[&str], schemes: &[&str], budget: u64) -> MatrixRequest {
        let owned = |names: &[&str]| names.iter().map(ToString::to_string).collect();
        MatrixRequest {
            games: owned(games),
            schemes: owned(schemes),
            budget,
            parameters: Vec::new(),
        }
    }

    #[test]
    fn every_scheme_evolves_every_game_and_a_matrix_that_is_too_large_is_left_out() {
        let all = request(&[], &[], 20_000);
        let mut planned = plan(&all).expect("it can be planned");
        assert_eq!(planned.definition.omitted, []);
        assert_eq!(planned.presets.len(), GAMES.len() * SCHEMES.len());
        assert_eq!(planned.presets.len(), planned.definition.cells.len());
        let mut game = GAMES[GAMES.len() - 1].clone();
        game.dense = "mlp(hidden: [90])".to_owned();
        let mut schemes = SCHEMES.iter();
        let scheme = schemes.find(|scheme| scheme.name == "cma-es");
        let added = planned.add(&game, scheme.expect("there is one"), &all);
        added.expect("nothing else is changed");
        let omitted: Vec<String> = planned.definition.omitted.iter().map(omission).collect();
        assert_eq!(
            omitted,
            [
                "draughts × cma-es is left out: evolution.replacement: allows 3000 numbers per \
                genome, but there are 3061, whose covariance would take about 0.75 GB of memory; \
                try covariance: diagonal"
            ]
        );
    }

    #[test]
    fn a_run_stays_within_its_budget_by_less_than_a_generation() {
        for budget in [12_345, 400_000] {
            let planned = plan(&request(&["nim"], &[], budget)).expect("it can be planned");
            for preset in planned.presets {
                let games = games_of_generation(&preset.evolution);
                let played = games * preset.generations;
                let is_within = played <= budget && budget - played < games;
                assert!(is_within, "{}: {played} of {budget}", preset.name);
                assert!(preset.measures_champion(preset.generations - 1));
            }
        }
    }

    #[test]
    fn the_order_is_that_of_the_table_and_unknown_names_are_refused() {
        let planned = plan(&request(&["bounded_nim", "nim"], &["torus", "circular"], 1));
        let names: Vec<String> = planned
            .expect("it can be planned")
            .presets
            .into_iter()
            .map(|preset| preset.name)
            .collect();
        let expected = ["nim-circular", "nim-torus"];
        assert_eq!(names[..2], expected);
        assert_eq!(names[2..], expected.map(|name| format!("bounded_{name}")));
        let check = |request: MatrixRequest, expected: &str| {
            let error = plan(&request).expect_err("it is refused").to_string();
            assert!(error.contains(expected), "{error}");
        };
        check(
            request(&["nym"], &[], 1),
            "the table has no game `nym`; did you mean `nim`?",
        );
        check(
            request(&[], &["torsu"], 1),
            "the table has no scheme `torsu`; did you mean `torus`?",
        );
    }
}
