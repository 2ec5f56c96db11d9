//! What is wrong with what the file of a publication names: presets, columns and players that there
//! are not.

use std::collections::BTreeMap;

use finches_engine::params::{ParamError, suggest};
use finches_engine::play::reference_by_name;
use finches_runs::storage::presets;

use super::claims::{RangeClaim, RankClaim, pairs};
use super::paper::{Evidence, Paper};
use super::source::Name;
use crate::experiment::columns;

impl Paper {
    /// All of it; `text` is that of the file.
    pub(super) fn problems(&self, text: &str) -> Vec<ParamError> {
        let mut problems = Vec::new();
        for variant in &self.variants {
            let error = self.columns_of(&variant.name).err();
            problems.extend(error.map(|message| variant.name.problem(text, message)));
        }
        let names = self.preset_names();
        let known = names.iter().map(|name| (*name, self.columns_of(name)));
        let known: BTreeMap<&str, Result<Vec<String>, String>> = known.collect();
        for evidence in self.evidence() {
            for need in evidence.needs() {
                match &known[&**need.preset] {
                    Err(message) => problems.push(need.preset.problem(text, message)),
                    Ok(columns) if !columns.iter().any(|column| column == need.column) => {
                        let columns: Vec<&str> = columns.iter().map(String::as_str).collect();
                        let message = format!(
                            "`{}` has no column `{}`; {}",
                            need.preset,
                            need.column,
                            suggest(need.column, &columns)
                        );
                        problems.push(need.named_by.problem(text, message));
                    }
                    Ok(_) => {}
                }
            }
            problems.extend(self.misfits(evidence, text));
        }
        for (name, _) in &self.quick.shorter {
            if !names.contains(&&**name) {
                let message = format!("`{name}` is not run; {}", suggest(name, &names));
                problems.push(name.problem(text, message));
            }
        }
        if problems.is_empty() {
            let quick = self.plan(true).err();
            let quick = quick.map(|error| ParamError::new("quick.settings", error.to_string()));
            problems.extend(quick);
        }
        problems.dedup();
        problems
    }

    /// The columns of a preset's runs, or what is wrong with the preset.
    fn columns_of(&self, name: &str) -> Result<Vec<String>, String> {
        let own = self.own_names();
        let is_path = self.source(name) != name;
        let included = presets::names();
        if !is_path && !own.contains(&name) && !included.contains(&name) {
            let hint = suggest(name, &[own, included].concat());
            return Err(format!(
                "`{name}` is no preset, and no group or variant of this file; {hint} \
                (`finches presets` lists the presets; the path of a preset file ends in .ron)"
            ));
        }
        let preset = self.load(name).map_err(|error| error.to_string())?;
        let columns = columns(&preset).map_err(|error| error.to_string())?;
        Ok(columns.names().map(ToOwned::to_owned).collect())
    }

    /// What does not fit together in a part, apart from its columns.
    fn misfits(&self, evidence: &Evidence, text: &str) -> Vec<ParamError> {
        match evidence {
            Evidence::Ranges(claims) => {
                let wrong = |claim: &&RangeClaim| claim.runs.is_some() && claim.presets.len() != 1;
                let wrong = claims.iter().filter(wrong);
                let message = "`runs` compares the runs of one preset; name one, or leave it out";
                let problem = |claim: &RangeClaim| claim.figure.column().problem(text, message);
                wrong.map(problem).collect()
            }
            Evidence::Ranks(claims) => {
                let is_right = |claim: &RankClaim| (1..=claim.others.len()).contains(&claim.within);
                let wrong = claims.iter().filter(|claim| !is_right(claim));
                let problem = |claim: &RankClaim| {
                    let most = claim.others.len();
                    let message = format!("within: must be from 1 to {most}, is {}", claim.within);
                    claim.column.problem(text, message)
                };
                wrong.map(problem).collect()
            }
            Evidence::Populations(matches) => {
                let known: Vec<&str> = matches.presets.iter().map(|name| &**name).collect();
                let claims = matches.claims.iter();
                let named = claims.flat_map(|claim| pairs(&claim.stronger, &claim.weaker));
                let unknown = named.flatten().filter(|name| !known.contains(&&***name));
                let problem = |name: &Name| {
                    let hint = suggest(name, &known);
                    let message = format!("`{name}` is none of the `presets` of this part; {hint}");
                    name.problem(text, message)
                };
                unknown.map(problem).collect()
            }
            Evidence::Baselines { presets, .. } => {
                let problem = |name: &Name| {
                    let error = self.columns_of(name).err();
                    error.map(|error| name.problem(text, error))
                };
                presets.iter().filter_map(problem).collect()
            }
            Evidence::FixedPlayers(games) => match self.load(&games.preset) {
                Err(error) => vec![games.preset.problem(text, error.to_string())],
                Ok(preset) => {
                    let pairs = games.pairs.iter();
                    let players = pairs.flat_map(|pair| [&pair.players.0, &pair.players.1]);
                    let problem = |name: &Name| {
                        let error = reference_by_name(&preset.game, name).err();
                        error.map(|error| name.problem(text, error.to_string()))
                    };
                    players.filter_map(problem).collect()
                }
            },
            _ => Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::report::papers;
    use finches_runs::storage::shipped;

    #[test]
    fn what_publications_name_is_there() {
        for (name, text) in shipped::papers().into_iter().chain([("example", PAPER)]) {
            let paper = Paper::parse(text, name, Path::new(name)).expect("it is included");
            assert_eq!(paper.problems(text), [], "{name}");
        }
    }

    /// A publication with a claim of every kind that can be wrong.
    const PAPER: &str = r#"(
    authors: "A. Author",
    title: "Small
        Heaps",
    published: "2020",
    summary: [],
    runs: 5,
    quick: (runs: 2, generations: 9, shorter: [("nim-2x2", 5)], settings: [("every", "1")]),
    variants: [(name: "nim-2x2-calm", preset: "nim-2x2", settings: [("add_node", "0.01")])],
    groups: {"heaps": ["nim-2x2", "nim-2x4"]},
    items: [(number: "Table 1", section: "3", about: "All.", evidence: [
        figures([(
            presets: ["heaps", "nim-2x2-calm"],
            figure: last("accuracy_states"),
            published: between(0.5, 0.75),
        )]),
        figures([(presets: "nim-2x2", figure: gain("games"), published: exactly(13.3, 0.05))]),
        ranges([(presets: "heaps", figure: last("games"), within: 0.1, said: "")]),
        ranks([(presets: "nim-2x2", others: "heaps", column: "games", within: 2, said: "")]),
        populations(
            presets: "heaps",
            claims: [(stronger: "nim-2x4", weaker: "nim-2x2", said: "")],
        ),
        baselines(presets: "nim-5-heaps", positions: 9),
        fixed_players(preset: "nim-2x2", games: 2, quick_games: 2, published_games: 2, pairs: [
            (players: ("random", "oracle"), share: 0.1, said: ""),
        ]),
    ])],
)
"#;

    /// Checks the message of a file with a mistake in the place of something right.
    fn check(right: &str, wrong: &str, expected: &[&str]) {
        let text = PAPER.replacen(right, wrong, 1);
        assert_ne!(text, PAPER, "{right} is there");
        let folder = tempfile::tempdir().expect("temporary folders can be made");
        let path = folder.path().join("mine.ron");
        std::fs::write(&path, &text).expect("it is writable");
        let error = papers::open(&path).expect_err(wrong).to_string();
        let at = text.find(wrong).expect("it is there");
        let first = 1 + text[..at].matches('\n').count();
        let lines = first..=first + wrong.matches('\n').count();
        let is_placed = lines.into_iter().any(|line| {
            let place = format!("mine.ron:{line}:");
            error.contains(&place)
        });
        assert!(is_placed, "{wrong}: line {first} is not in {error}");
        for part in expected {
            assert!(error.contains(part), "{wrong}: {part} is not in {error}");
        }
    }

    #[test]
    fn a_mistake_in_a_file_is_named_with_its_place_and_what_would_do() {
        check(
            r#""nim-2x4"]}"#,
            r#""nim-2x44"]}"#,
            &["`nim-2x44` is no preset", "did you mean `nim-2x4`?"],
        );
        check(
            r#"["heaps","#,
            r#"["heap","#,
            &["`heap` is no preset", "no group", "did you mean `heaps`?"],
        );
        check(
            r#"last("accuracy_states")"#,
            r#"last("accuracy_state")"#,
            &["`nim-2x2` has no column `accuracy_state`; did you mean `accuracy_states`?"],
        );
        check(
            "last(",
            "latest(",
            &["`latest`", "`first_at_least`", "`late_mean`"],
        );
        check("figures([", "figure([", &["`figure`", "`figures`"]);
        check("between(", "from(", &["`from`", "`at_least`"]);
        check(
            "presets: \"heaps\", f",
            "preset: \"heaps\", f",
            &["`preset`", "`presets`"],
        );
        check(
            "between(0.5, 0.75)",
            "between(0.75, 0.5)",
            &["write between(0.5, 0.75)"],
        );
        check(
            "exactly(13.3, 0.05)",
            "exactly(13.3, -1)",
            &["such as 0.05 for 13.3"],
        );
        check(
            "within: 0.1",
            "within: -0.1",
            &["must be at least 0, is -0.1"],
        );
        check(
            "\"games\", within: 2",
            "\"games\", within: 3",
            &["from 1 to 2, is 3"],
        );
        check("runs: 5,", "runs: 0,", &["must be at least 1, is 0"]);
        check("generations: 9", "generations: 0", &["must be at least 1"]);
        check(
            r#"presets: "heaps", figure"#,
            r#"runs: 6, presets: "heaps", figure"#,
            &["`runs` compares the runs of one preset"],
        );
        check(
            r#"weaker: "nim-2x2""#,
            r#"weaker: "nim-2x8""#,
            &["`nim-2x8` is none of the `presets` of this part"],
        );
        check(
            "nim-5-heaps",
            "nim-5-heap",
            &["did you mean `nim-5-heaps`?"],
        );
        check(
            "\"oracle\")",
            "\"orakel\")",
            &["no reference player `orakel`", "`oracle`"],
        );
        check(
            "add_node",
            "ad_node",
            &["ad_node", "did you mean `add_node`?"],
        );
        check(
            "(\"nim-2x2\", 5)",
            "(\"nim-2x3\", 5)",
            &["`nim-2x3` is not run"],
        );
    }

    #[test]
    fn settings_of_the_quick_version_are_checked() {
        let text = PAPER.replace(r#"("every", "1")"#, r#"("ever", "1")"#);
        let paper = Paper::parse(&text, "mine", Path::new("mine.ron")).expect("it can be read");
        let problems = paper.problems(&text);
        let words: Vec<String> = problems.iter().map(ToString::to_string).collect();
        assert!(words[0].starts_with("quick.settings: "), "{words:?}");
        assert!(words[0].contains("did you mean"), "{words:?}");
    }

    #[test]
    fn line_breaks_are_no_part_of_texts_and_presets_beside_a_file_are_found() {
        let text = PAPER.replace(r#""nim-2x4"]}"#, r#""own.ron"]}"#);
        let paper = Paper::parse(&text, "mine", Path::new("papers/mine.ron"));
        let paper = paper.expect("it can be read");
        assert_eq!(paper.citation(), "A. Author, Small Heaps, 2020");
        assert_eq!(paper.preset_names(), ["nim-2x2", "own", "nim-2x2-calm"]);
        let path = Path::new("papers").join("own.ron").display().to_string();
        assert_eq!(paper.source("own"), path);
    }
}
