//! What a name means to the program, for the errors of commands that take something else.

use std::path::Path;

use super::bundled_champions;
use super::experiments::is_experiment;
use super::players::is_reference;
use super::presets;
use super::saves::Saves;

/// What a name is, and which commands take it; `None` if it is unknown.
pub fn meaning(name: &str, saves: &Saves) -> Option<String> {
    // Nothing is added to the saves for an error.
    let saves = &saves.clone().as_it_is();
    let is_run = |name: &str| saves.find(name).is_some() || bundled_champions::ships(name);
    if saves.find(name).is_some() {
        let more = match saves.can_resume(name) {
            Ok(true) => "resume continues",
            _ => "play plays",
        };
        return Some(format!(
            "is a saved run, which finches inspect shows and finches {more}"
        ));
    }
    if bundled_champions::ships(name) {
        let what = "is a champion that comes with the program, which finches inspect shows and \
            finches play plays";
        return Some(what.to_owned());
    }
    // With a generation or a search, as in the names of players.
    let run = name.split([':', '@']).next();
    if let Some(run) = run.filter(|run| is_run(run)) {
        return Some(format!(
            "name the run alone, {run}; where a command takes champions of several generations, \
            --generation chooses one, and --at for a fork"
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
        let saves = Saves::at(folder.path().join("new")).adding_shipped();
        let check = |name: &str, expected: &str| {
            let found = meaning(name, &saves).unwrap_or_default();
            assert!(found.contains(expected), "{name}: {found}");
        };
        check(
            "champion-nim",
            "is a champion that comes with the program, which finches inspect shows",
        );
        check("champion-nim:3", "name the run alone, champion-nim;");
        check("champion-nim@one-ply", "name the run alone, champion-nim;");
        check("nim-2x4", "finches run nim-2x4 makes");
        check("random", "is a reference player");
        assert_eq!(meaning("nothing", &saves), None);
        assert!(!saves.root().exists(), "nothing is added for an error");
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
