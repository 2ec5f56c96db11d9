//! The rules of the games: two players, perfect information, zero sum. A game defines positions,
//! moves, and their form as numbers, text and pictures. It does not depend on networks, evolution
//! or the screen.

use crate::params::{ParamError, ParamErrors, Params};
use crate::registry::registry;

use self::custom::CustomGameParams;

pub use self::encoding::{Encoding, GameShape, MoveComponent, encoded};
pub use self::game::{Game, Grid, Rules, Squares, StartKind, after_random_moves};
pub use self::heuristics::Heuristics;
use self::legality::illegal_move;
pub use self::legality::{check_legal, play_text};
pub use self::notation::{Notation, NotationError};
pub use self::picture::Picture;

pub mod board;
pub mod bounded_nim;
pub mod conformance;
pub mod custom;
pub mod dots_and_boxes;
pub mod draughts;
mod encoding;
pub mod endgame;
mod game;
pub mod heuristic;
mod heuristics;
pub mod input_plane;
mod large_piece;
mod legality;
pub mod nim;
mod notation;
pub mod oracle;
mod picture;
pub mod reversi;
pub mod rules;
pub mod transcript;
mod windows;

/// One of the two players; `First` moves first from the starting position.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize,
)]
pub enum Side {
    /// The player that moves first from the starting position.
    First,
    /// The opponent of the first player.
    Second,
}

impl Side {
    /// The opponent.
    #[must_use]
    pub fn opponent(self) -> Self {
        match self {
            Self::First => Self::Second,
            Self::Second => Self::First,
        }
    }

    /// A result for this side: 1 if it wins, 0 or −1, given that for the first player.
    pub fn result(self, of_first: i8) -> i8 {
        match self {
            Self::First => of_first,
            Self::Second => -of_first,
        }
    }

    /// 0 for the first player, 1 for the second.
    pub fn index(self) -> usize {
        self as usize
    }

    /// `first` or `second`.
    pub fn name(self) -> &'static str {
        match self {
            Self::First => "first",
            Self::Second => "second",
        }
    }
}

/// The result of a finished game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// This player wins.
    Win(Side),
    /// Neither player wins.
    Draw,
}

impl Outcome {
    /// 1 for a win of `side`, 0 for a draw, −1 for a loss.
    pub fn result_for(self, side: Side) -> i8 {
        match self {
            Self::Win(winner) if winner == side => 1,
            Self::Win(_) => -1,
            Self::Draw => 0,
        }
    }
}

/// The parameters of a game.
pub trait GameParams: Params {
    /// The rules and everything else about the game.
    type Game: Game;

    /// The game with these parameters.
    fn build(&self) -> Self::Game;
    /// Errors that involve several parameters.
    fn problems(&self) -> Vec<ParamError> {
        Vec::new()
    }

    /// Adds draw rules if games could otherwise go on forever.
    fn make_finite(&mut self) {}
}

registry! {
    ($)
    /// A game and its parameters.
    pub enum GameConfig, with_game {
        /// Nim: take any number of matches from one heap; the player who takes the last match loses
        /// or, in normal play, wins.
        "nim" => Nim(nim::NimConfig),
        /// Bounded Nim: take up to a fixed number of stones from one heap; the player who takes the
        /// last stone loses.
        "bounded_nim" => BoundedNim(bounded_nim::BoundedNimConfig),
        /// Reversi (Othello): a new disc flips the enemy discs between it and another own disc;
        /// most discs win.
        "reversi" => Reversi(reversi::ReversiConfig),
        /// Dots and boxes: the player who draws the last side of a box owns it and moves again;
        /// most boxes win.
        "dots_and_boxes" => DotsAndBoxes(dots_and_boxes::DotsAndBoxesConfig),
        /// English draughts (checkers): men move forward, kings both ways, captures are compulsory;
        /// a player who can't move loses.
        "draughts" => Draughts(draughts::DraughtsConfig),
    }
    else Custom(dyn CustomGameParams)
}

impl GameConfig {
    /// The description with the goal of this configuration.
    pub fn rules_in_short(&self) -> String {
        let about = self.about();
        let goal = with_game!(self, config => config.build().goal());
        let rules = about
            .rsplit_once("; ")
            .map(|(rules, _)| format!("{rules}; {goal}."));
        rules.unwrap_or_else(|| about.to_owned())
    }

    /// The rules for matches: input parameters at their defaults, and every game ends.
    #[must_use]
    pub fn for_matches(&self) -> Self {
        let mut params = Vec::new();
        self.visit("", &mut params);
        let mut plain = self.clone();
        for param in params.iter().filter(|param| param.is_input) {
            plain
                .set(&param.key, &param.default)
                .expect("a default value is valid");
        }
        plain.made_finite()
    }

    /// The parameters of the rules for matches that are not the usual ones.
    pub fn rule_parameters(&self) -> Vec<(String, String)> {
        let usual = Self::named(self.name()).expect("it is registered");
        let own = usual.for_matches().differences(&self.for_matches());
        let parts = own.into_iter().filter_map(|rule| {
            let (key, value) = rule.split_once('=')?;
            Some((key.to_owned(), value.to_owned()))
        });
        parts.collect()
    }

    /// Whether it has the rules of another game, whatever networks see of it.
    pub fn has_rules_of(&self, other: &Self) -> bool {
        self.name() == other.name() && self.rule_parameters() == other.rule_parameters()
    }

    /// The tags of a transcript: the event, and the parameters of the rules that are not the usual
    /// ones.
    pub fn transcript_tags(&self, event: &str) -> Vec<(String, String)> {
        let parameters = self.rule_parameters().into_iter();
        let parts: Vec<String> = parameters
            .map(|(key, value)| format!("{key}={value}"))
            .collect();
        let rules = (!parts.is_empty()).then(|| parts.join(transcript::SEPARATOR));
        let rules = rules.map(|rules| (transcript::RULES.to_owned(), rules));
        let event = ("Event".to_owned(), event.to_owned());
        std::iter::once(event).chain(rules).collect()
    }

    /// The same rules, with draw rules added if games could otherwise go on forever.
    #[must_use]
    pub fn made_finite(&self) -> Self {
        let mut bounded = self.clone();
        with_game!(&mut bounded, config => config.make_finite());
        bounded
    }

    /// The same game with changed parameters. The error lists everything that is wrong with them.
    pub fn with_parameters(&self, assignments: &[(String, String)]) -> Result<Self, ParamErrors> {
        let mut changed = self.clone();
        let refused = assignments
            .iter()
            .filter_map(|(key, value)| changed.set(key.trim_start_matches("game."), value).err());
        let mut problems: Vec<ParamError> = refused.collect();
        problems.extend(changed.problems());
        if problems.is_empty() {
            Ok(changed)
        } else {
            Err(ParamErrors(problems))
        }
    }

    /// The parameters of `other`, a configuration of the same game, that differ from those here,
    /// each as `key=value`.
    pub fn differences(&self, other: &Self) -> Vec<String> {
        let own = self.assignments();
        let mut assignments = other.assignments();
        assignments.retain(|assignment| !own.contains(assignment));
        assignments
    }

    /// The name of the game and its parameters.
    pub(crate) fn title(&self) -> String {
        format!("{} {}", self.name(), self.assignments().join(" "))
    }

    /// Each parameter as `key=value`.
    fn assignments(&self) -> Vec<String> {
        let mut params = Vec::new();
        self.visit("", &mut params);
        let assignments = params.iter();
        assignments
            .map(|param| format!("{}={}", param.key, param.value))
            .collect()
    }

    /// Errors that involve several parameters.
    pub fn problems(&self) -> Vec<ParamError> {
        with_game!(self, config => config.problems())
    }
}
