//! What a name means to the program, for the errors of commands that take something else.

use std::path::Path;

use super::experiments::is_experiment;
use super::players::{PlayerName, is_reference};
use super::presets;
use super::saves::Saves;

/// What a name is, and which commands take it; `None` if it is unknown.
pub fn meaning(name: &str, saves: &Saves) -> Option<String> {
    if saves.find(name).is_some() {
        let can_resume = saves.can_resume(name).unwrap_or(false);
        let more = if can_resume {
            "resume continues"
        } else {
            "play plays"
        };
        return Some(format!(
            "is a saved run, which finches inspect shows and finches {more}"
        ));
    }
    let player = PlayerName::parse(name, saves);
    if let Some(run) = player.run().filter(|run| saves.find(run).is_some()) {
        return Some(format!(
            "name the run alone, {run}; where a command has champions of several generations, an \
            option chooses one (--generation, of a fork --at)"
        ));
    }
    let known = if is_reference(name) {
        "is a reference player, which has no generations and is no saved run".to_owned()
    } else if presets::text(name).is_some() {
        format!("is a preset, of which finches run {name} makes a saved run")
    } else if is_experiment(Path::new(name)) {
        "is the folder of an experiment, which finches report and finches watch take".to_owned()
    } else {
        return None;
    };
    Some(known)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_told_with_the_commands_that_take_it() {
        let folder = tempfile::tempdir().expect("there is a folder for temporary files");
        let saves = Saves::at(folder.path().to_owned()).adding_shipped();
        let check = |name: &str, expected: &str| {
            let found = meaning(name, &saves).unwrap_or_default();
            assert!(found.contains(expected), "{name}: {found}");
        };
        check(
            "champion-nim",
            "which finches inspect shows and finches play plays",
        );
        check("champion-nim:3", "name the run alone, champion-nim;");
        check("champion-nim@one-ply", "name the run alone, champion-nim;");
        check("nim-2x4", "finches run nim-2x4 makes");
        check("random", "is a reference player");
        assert_eq!(meaning("nothing", &saves), None);
        let problem = saves.folder("random").expect_err("it is none").to_string();
        assert!(
            problem.starts_with("random: is a reference player"),
            "{problem}"
        );
        let problem = saves.folder("champion-chess").expect_err("it is none");
        assert!(
            problem.to_string().contains("did you mean `champion-"),
            "{problem}"
        );
    }
}
