//! Parts of other crates: the parameters of a part behind one type for each kind, and the list of
//! the parts that the program knows.

use std::any::Any;
use std::fmt;
use std::ops::Deref;
use std::sync::OnceLock;

use ron::value::RawValue;
use serde::ser::Error as _;
use serde::{Serialize, Serializer};

use crate::params::{Param, ParamError, Params, RonSource, try_to_ron};

/// A part of another crate: its parameters, with its name.
pub trait CustomPart: Params + Default + Clone + Serialize + Send + Sync + 'static {
    /// The name in preset files, of letters, digits and underscores, such as `noughts_and_crosses`.
    const NAME: &'static str;
    /// The description that menus show, in one sentence.
    const ABOUT: &'static str;
}

/// The parts that other crates add to the program: a [`CustomConfig`] with default parameters for
/// each, and their measures.
#[derive(Default)]
pub struct CustomParts(Vec<Box<dyn Any + Send + Sync>>);

/// All registered parts. Set once, before anything is read.
static REGISTERED: OnceLock<CustomParts> = OnceLock::new();

impl CustomParts {
    /// Adds a [`CustomConfig`] or a measure.
    pub fn add(&mut self, part: impl Any + Send + Sync) {
        self.0.push(Box::new(part));
    }

    /// The parts of one type, in the order in which they were added.
    pub fn of_type<T: 'static>(&self) -> impl Iterator<Item = &T> {
        self.0.iter().filter_map(|part| part.downcast_ref())
    }

    /// Makes the parts known to the process.
    ///
    /// # Panics
    ///
    /// If parts were registered before.
    pub fn register(self) {
        let is_first = REGISTERED.set(self).is_ok();
        assert!(is_first, "parts are registered once");
    }

    /// The registered parts of one type.
    pub fn registered<T: 'static>() -> impl Iterator<Item = &'static T> {
        REGISTERED.get().into_iter().flat_map(Self::of_type)
    }
}

/// The parameters of a part of another crate. `T` is what all parts of its kind can do, such as
/// `dyn Selection`.
pub struct CustomConfig<T: ?Sized + 'static>(Box<dyn AnyPart<T>>);

impl<T: ?Sized> CustomConfig<T> {
    /// `erase` takes the type away from a part: `|part| part`.
    pub fn new<P: CustomPart>(part: P, erase: fn(&P) -> &T) -> Self {
        Self(Box::new(ErasedPart { part, erase }))
    }

    /// All registered parts of this kind with default parameters.
    pub fn all() -> impl Iterator<Item = Self> {
        CustomParts::registered().cloned()
    }

    /// The registered part called `name`, with default parameters.
    pub fn named(name: &str) -> Option<Self> {
        Self::all().find(|part| part.name() == name)
    }

    /// The name in preset files.
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

impl<T: ?Sized> Deref for CustomConfig<T> {
    type Target = T;

    fn deref(&self) -> &T {
        self.0.erased()
    }
}

impl<T: ?Sized> Clone for CustomConfig<T> {
    fn clone(&self) -> Self {
        Self(self.0.boxed())
    }
}

impl<T: ?Sized> PartialEq for CustomConfig<T> {
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name() && self.parameters() == other.parameters()
    }
}

impl<T: ?Sized> fmt::Debug for CustomConfig<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{:?}", self.name(), self.parameters())
    }
}

impl<T: ?Sized> Params for CustomConfig<T> {
    fn visit(&self, path: &str, out: &mut Vec<Param>) {
        self.0.params().visit(path, out);
    }

    fn set(&mut self, key: &str, text: &str) -> Result<(), ParamError> {
        self.0.params_mut().set(key, text)
    }

    fn read(&mut self, part: RonSource<'_>, problems: &mut Vec<ParamError>) {
        self.0.params_mut().read(part, problems);
    }
}

impl<T: ?Sized> Serialize for CustomConfig<T> {
    /// Writes it as a built-in part is written: its name and its parameters.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let text = self.0.ron().map_err(S::Error::custom)?;
        let text = format!("{}{text}", self.name()).into_boxed_str();
        let raw = RawValue::from_boxed_ron(text).map_err(S::Error::custom)?;
        raw.serialize(serializer)
    }
}

/// [`CustomPart`] without its type.
trait AnyPart<T: ?Sized>: Send + Sync {
    fn name(&self) -> &'static str;
    fn about(&self) -> &'static str;
    fn boxed(&self) -> Box<dyn AnyPart<T>>;
    fn erased(&self) -> &T;
    fn params(&self) -> &dyn Params;
    fn params_mut(&mut self) -> &mut dyn Params;
    /// The parameters as a RON struct.
    fn ron(&self) -> Result<String, ron::Error>;
}

/// A part, and the function that takes away its type.
struct ErasedPart<P, T: ?Sized> {
    part: P,
    erase: fn(&P) -> &T,
}

impl<P: CustomPart, T: ?Sized + 'static> AnyPart<T> for ErasedPart<P, T> {
    fn name(&self) -> &'static str {
        P::NAME
    }

    fn about(&self) -> &'static str {
        P::ABOUT
    }

    fn boxed(&self) -> Box<dyn AnyPart<T>> {
        Box::new(Self {
            part: self.part.clone(),
            erase: self.erase,
        })
    }

    fn erased(&self) -> &T {
        (self.erase)(&self.part)
    }

    fn params(&self) -> &dyn Params {
        &self.part
    }

    fn params_mut(&mut self) -> &mut dyn Params {
        &mut self.part
    }

    fn ron(&self) -> Result<String, ron::Error> {
        try_to_ron(&self.part)
    }
}
