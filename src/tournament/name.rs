//! What players are called: a reference player by its name, the champion of a saved run as `RUN` or `RUN:GENERATION`, and either
//! with `@` and another way to choose moves behind it.

use crate::arena;
use crate::games::GameConfig;
use crate::games::reference::Reference;
use crate::storage::saves::Saves;

/// Stands between a player and its way to choose moves.
pub const BY: char = '@';

/// Stands between a run and the generation of its champion.
const OF: char = ':';

/// A player by what was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    /// All of it, as it was written.
    pub text: String,
    pub who: Who,
    /// How it chooses moves, where that was written.
    pub search: Option<String>,
}

/// Whom a name means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Who {
    /// A reference player, or nobody.
    Reference(String),
    Champion {
        run: String,
        /// The latest where it is not said.
        generation: Option<u64>,
    },
}

impl Name {
    /// Reads a name. Reference players come first; a saved run of such a name goes by its path.
    pub fn parse(text: &str, saves: &Saves) -> Self {
        let (who, search) = match whole(text, saves) {
            Some(who) => (who, None),
            None => match text.rsplit_once(BY) {
                Some((player, search)) => (part(player, saves), Some(search.to_owned())),
                None => (part(text, saves), None),
            },
        };
        let text = text.to_owned();
        Self { text, who, search }
    }

    /// The saved run whose champion it is.
    pub fn run(&self) -> Option<&str> {
        match &self.who {
            Who::Champion { run, .. } => Some(run),
            Who::Reference(_) => None,
        }
    }

    /// Whether it means nobody in any game.
    pub fn is_unknown(&self) -> bool {
        match &self.who {
            Who::Champion { .. } => false,
            Who::Reference(name) => !is_reference(name),
        }
    }
}

/// The champion of a run as it is written.
pub fn champion(run: &str, generation: u64) -> String {
    format!("{run}{OF}{generation}")
}

/// A reference player or a saved run of exactly this name.
fn whole(text: &str, saves: &Saves) -> Option<Who> {
    if is_reference(text) {
        return Some(Who::Reference(text.to_owned()));
    }
    saves.find(text).map(|_| Who::Champion {
        run: text.to_owned(),
        generation: None,
    })
}

/// A player without a way to choose moves behind it.
fn part(text: &str, saves: &Saves) -> Who {
    whole(text, saves).unwrap_or_else(|| {
        let numbered = text
            .rsplit_once(OF)
            .and_then(|(run, generation)| Some((run, generation.parse().ok()?)));
        match numbered {
            Some((run, generation)) => Who::Champion {
                run: run.to_owned(),
                generation: Some(generation),
            },
            None => Who::Reference(text.to_owned()),
        }
    })
}

/// Whether a reference player of some game has this name.
fn is_reference(name: &str) -> bool {
    let mut games = GameConfig::all().into_iter();
    games.any(|game| Reference::named(name, arena::judges(&game)).is_some())
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;

    fn check(text: &str, run: Option<(&str, Option<u64>)>, search: Option<&str>) {
        let name = Name::parse(text, &Saves::at(PathBuf::from("nowhere")));
        let found = match &name.who {
            Who::Champion { run, generation } => Some((run.as_str(), *generation)),
            Who::Reference(_) => None,
        };
        assert_eq!((found, name.search.as_deref()), (run, search), "{text}");
        assert_eq!(name.text, text);
    }

    #[test]
    fn a_name_tells_run_generation_and_search() {
        check("random", None, None);
        check("swh-3", None, None);
        check("swh@alpha-beta-5", None, Some("alpha-beta-5"));
        check("blondie-1:840", Some(("blondie-1", Some(840))), None);
        check(
            "a:b:7@alpha-beta-4",
            Some(("a:b", Some(7))),
            Some("alpha-beta-4"),
        );
        check("nobody", None, None);
        check("nobody:x", None, None);
        check("@", None, Some(""));
    }

    #[test]
    fn names_that_mean_nobody_are_known_for_it() {
        let is_unknown =
            |text| Name::parse(text, &Saves::at(PathBuf::from("nowhere"))).is_unknown();
        assert!(!is_unknown("random"));
        assert!(!is_unknown("swh@alpha-beta-2"));
        assert!(is_unknown("nobody"));
        assert!(is_unknown("nobody@one-ply"));
    }
}
