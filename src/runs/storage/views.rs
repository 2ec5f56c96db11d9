//! Saved views of a comparison: a small file in the folder of saved runs. A view names runs;
//! whether they still exist is not known here.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use finches_engine::metrics::progress_unit::ProgressUnit;

use super::files::Durability;
use super::saves::Saves;
use super::{StorageError, read_sealed, write_sealed};

/// The name of the file.
pub const VIEWS_FILE: &str = "views.ron";

/// Most characters in the name of a view.
const LONGEST_VIEW_NAME: usize = 60;

/// What a comparison shows.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ComparisonView {
    /// The filter of the list of runs, as it is typed; may be empty.
    pub filter: String,
    /// Which runs are averaged.
    pub grouping: RunGrouping,
    /// The column; `None` is the objective.
    pub column: Option<String>,
    /// The quantity on the x-axis.
    pub x_axis: ProgressUnit,
    /// Whether the y-axis is logarithmic.
    pub is_logarithmic: bool,
    /// The question about the runs.
    #[serde(default)]
    pub view: RunsView,
    /// The two parameters of the map; `None` for the strongest.
    #[serde(default)]
    pub pair: Option<[String; 2]>,
    /// The names of the selected runs, in their order.
    pub selected: Vec<String>,
    /// The names of the pinned runs, in their order.
    pub pinned: Vec<String>,
}

/// A question about runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RunsView {
    /// The values of a column over time.
    #[default]
    Curves,
    /// Their figures, with tests.
    Table,
    /// Means by the values of two parameters.
    Map,
    /// What each parameter does.
    Effects,
    /// What differs between the runs: parameters and results.
    Differences,
}

impl RunsView {
    /// All of them, in display order.
    pub const ALL: [Self; 5] = [
        Self::Curves,
        Self::Table,
        Self::Map,
        Self::Effects,
        Self::Differences,
    ];

    /// Its name in words.
    pub fn name(self) -> &'static str {
        match self {
            Self::Curves => "curves",
            Self::Table => "table",
            Self::Map => "map",
            Self::Effects => "effects",
            Self::Differences => "differences",
        }
    }
}

/// Which runs become one line: the mean of a group.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RunGrouping {
    /// None: each run has its own.
    #[default]
    Each,
    /// Those of the same preset.
    ByPreset,
    /// Those with the same value of a parameter, by its key.
    ByParameter(String),
}

/// Saved views by their names.
pub type ComparisonViews = BTreeMap<String, ComparisonView>;

/// The saved views; none without a file of them.
pub fn all(saves: &Saves) -> Result<ComparisonViews, StorageError> {
    let path = saves.root().join(VIEWS_FILE);
    if !path.exists() {
        return Ok(ComparisonViews::new());
    }
    read_sealed(&path, "views").map_err(|error| match error {
        StorageError::Unusable { path, what, advice } if advice.starts_with("restore") => {
            let advice = "delete it to begin anew; it was not changed";
            StorageError::Unusable { path, what, advice }
        }
        other => other,
    })
}

/// Saves a view, in place of the one with its name, and returns all views. A file that can't be
/// read is not replaced.
pub fn save(
    saves: &Saves,
    name: &str,
    view: ComparisonView,
) -> Result<ComparisonViews, StorageError> {
    check_name(name)?;
    let mut views = all(saves)?;
    views.insert(name.to_owned(), view);
    write(saves, views)
}

/// Deletes a view, if it exists, and returns the others.
pub fn delete(saves: &Saves, name: &str) -> Result<ComparisonViews, StorageError> {
    let mut views = all(saves)?;
    views.remove(name);
    write(saves, views)
}

fn write(saves: &Saves, views: ComparisonViews) -> Result<ComparisonViews, StorageError> {
    let path = saves.root().join(VIEWS_FILE);
    write_sealed(&path, "views", &views, Durability::Synced)?;
    Ok(views)
}

fn check_name(name: &str) -> Result<(), StorageError> {
    let refuse = |what: String| Err(StorageError::Unknown(what));
    if name.trim().is_empty() {
        return refuse("a view needs a name".to_owned());
    }
    if name.contains(char::is_control) || name.chars().count() > LONGEST_VIEW_NAME {
        return refuse(format!(
            "the name of a view has at most {LONGEST_VIEW_NAME} characters, all of them visible"
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn view(filter: &str) -> ComparisonView {
        ComparisonView {
            filter: filter.to_owned(),
            grouping: RunGrouping::ByParameter("game.heaps".to_owned()),
            column: Some("vs_random".to_owned()),
            x_axis: ProgressUnit::Games,
            is_logarithmic: true,
            view: RunsView::Differences,
            pair: Some(["elites", "add_node"].map(str::to_owned)),
            selected: vec!["nim-1".to_owned()],
            pinned: vec!["nim-2".to_owned(), "é \"3\"".to_owned()],
        }
    }

    fn saves() -> (tempfile::TempDir, Saves) {
        let folder = tempfile::tempdir().expect("there is a folder for temporary files");
        let saves = Saves::at(folder.path().to_owned());
        (folder, saves)
    }

    #[test]
    fn views_are_kept_replaced_and_deleted() {
        let (_folder, saves) = saves();
        assert_eq!(all(&saves).expect("none is fine"), ComparisonViews::new());
        save(&saves, "b", view("x")).expect("it can be written");
        save(&saves, "a", view("y")).expect("it can be written");
        save(&saves, "b", view("z")).expect("it can be written");
        let all = all(&saves).expect("they are written");
        let expected = [("a", view("y")), ("b", view("z"))];
        let expected = expected.map(|(name, view)| (name.to_owned(), view));
        assert_eq!(all, expected.into_iter().collect());
        delete(&saves, "a").expect("it can be written");
        let rest = delete(&saves, "a").expect("it is gone already");
        assert_eq!(rest.into_keys().collect::<Vec<_>>(), ["b"]);
        assert!(saves.names().is_empty(), "the file is no run");
    }

    #[test]
    fn a_view_of_an_older_program_shows_curves() {
        let old = r#"(filter: "", grouping: each, column: None, x_axis: games,
            is_logarithmic: false, selected: [], pinned: [])"#;
        let view: ComparisonView = finches_engine::params::from_ron(old).expect("it is known");
        assert_eq!(view.view, RunsView::Curves);
    }

    #[test]
    fn a_file_that_cannot_be_read_is_reported_and_not_replaced() {
        let (folder, saves) = saves();
        let path = folder.path().join(VIEWS_FILE);
        for rubbish in ["", "what", "// finches views, format 1\n{}\n// checksum 0"] {
            fs::write(&path, rubbish).expect("the folder is writable");
            let errors = [
                all(&saves),
                save(&saves, "a", view("x")),
                delete(&saves, "a"),
            ];
            for error in errors {
                let error = error.expect_err("it is no file of views").to_string();
                assert!(error.contains("views.ron: is "), "{error}");
            }
            let kept = fs::read_to_string(&path).expect("it is there");
            assert_eq!(kept, rubbish);
        }
    }

    #[test]
    fn a_name_is_not_empty_not_long_and_visible() {
        let (_folder, saves) = saves();
        for name in ["", "  ", "a\nb", &"x".repeat(61)] {
            assert!(save(&saves, name, view("")).is_err(), "{name:?}");
        }
        save(&saves, &"é".repeat(60), view("")).expect("it fits");
    }
}
