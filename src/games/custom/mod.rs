//! Games of other crates: their parameters behind one type, and the list of those that the program knows.

use std::fmt;
use std::sync::OnceLock;

use ron::value::RawValue;
use serde::ser::Error as _;
use serde::{Serialize, Serializer};

use crate::params::{Param, ParamError, Params, RonSource, notation};

pub use self::game::{CustomGame, CustomMove, CustomState};
use super::{GameParams, Rules};

mod game;

/// The parameters of a game of another crate, with its name.
pub trait NamedGame: GameParams + Default + Serialize + Clone + Send + Sync + 'static {
    /// The name in preset files, such as `noughts_and_crosses`.
    const NAME: &'static str;
    /// The description that menus show: a name and a sentence on the rules.
    const ABOUT: &'static str;
}

/// The games of other crates, with default parameters. Set once, before anything is parsed.
static REGISTERED: OnceLock<Vec<CustomGameConfig>> = OnceLock::new();

/// The parameters of a game of another crate.
pub struct CustomGameConfig(Box<dyn AnyConfig>);

impl CustomGameConfig {
    /// The default parameters of a game.
    pub fn new<C: NamedGame>() -> Self
    where
        <C::Game as Rules>::Move: Into<u64> + TryFrom<u64>,
    {
        Self(Box::new(C::default()))
    }

    /// Makes the games known to the process.
    ///
    /// # Panics
    ///
    /// If games were registered before.
    pub fn register(games: Vec<Self>) {
        let is_first = REGISTERED.set(games).is_ok();
        assert!(is_first, "games are registered once");
    }

    /// All registered games with default parameters.
    pub fn all() -> impl Iterator<Item = Self> {
        REGISTERED.get().into_iter().flatten().cloned()
    }

    /// The registered game called `name`, with default parameters.
    pub fn named(name: &str) -> Option<Self> {
        Self::all().find(|game| game.name() == name)
    }

    /// The name in preset files and on the command line.
    pub fn name(&self) -> &'static str {
        self.0.name()
    }

    /// The description, in a sentence.
    pub fn about(&self) -> &'static str {
        self.0.about()
    }

    /// The key and the value of each parameter.
    fn parameters(&self) -> Vec<(String, String)> {
        let mut params = Vec::new();
        self.visit("", &mut params);
        let pairs = params.into_iter().map(|param| (param.key, param.value));
        pairs.collect()
    }
}

impl Clone for CustomGameConfig {
    fn clone(&self) -> Self {
        Self(self.0.boxed())
    }
}

impl PartialEq for CustomGameConfig {
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name() && self.parameters() == other.parameters()
    }
}

impl fmt::Debug for CustomGameConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{:?}", self.name(), self.parameters())
    }
}

impl Params for CustomGameConfig {
    fn visit(&self, path: &str, out: &mut Vec<Param>) {
        self.0.visit(path, out);
    }

    fn set(&mut self, key: &str, text: &str) -> Result<(), ParamError> {
        self.0.set(key, text)
    }

    fn read(&mut self, part: RonSource<'_>, problems: &mut Vec<ParamError>) {
        self.0.read(part, problems);
    }
}

impl GameParams for CustomGameConfig {
    type Game = CustomGame;

    fn build(&self) -> CustomGame {
        self.0.game()
    }

    fn problems(&self) -> Vec<ParamError> {
        self.0.errors()
    }

    fn make_finite(&mut self) {
        self.0.limit();
    }
}

impl Serialize for CustomGameConfig {
    /// Writes it as a built-in game is written: its name and its parameters.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let text = self.0.ron().map_err(S::Error::custom)?;
        let text = format!("{}{text}", self.name()).into_boxed_str();
        let raw = RawValue::from_boxed_ron(text).map_err(S::Error::custom)?;
        raw.serialize(serializer)
    }
}

/// [`NamedGame`] without its type.
trait AnyConfig: Params + Send + Sync {
    fn name(&self) -> &'static str;
    fn about(&self) -> &'static str;
    fn boxed(&self) -> Box<dyn AnyConfig>;
    fn game(&self) -> CustomGame;
    fn errors(&self) -> Vec<ParamError>;
    fn limit(&mut self);
    /// The parameters as a RON struct.
    fn ron(&self) -> Result<String, ron::Error>;
}

impl<C: NamedGame> AnyConfig for C
where
    <C::Game as Rules>::Move: Into<u64> + TryFrom<u64>,
{
    fn name(&self) -> &'static str {
        C::NAME
    }

    fn about(&self) -> &'static str {
        C::ABOUT
    }

    fn boxed(&self) -> Box<dyn AnyConfig> {
        Box::new(self.clone())
    }

    fn game(&self) -> CustomGame {
        CustomGame::new(self.build())
    }

    fn errors(&self) -> Vec<ParamError> {
        self.problems()
    }

    fn limit(&mut self) {
        self.make_finite();
    }

    fn ron(&self) -> Result<String, ron::Error> {
        notation().to_string(self)
    }
}
