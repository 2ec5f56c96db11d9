//! A position of any game behind one type.

use std::any::Any;
use std::fmt::Debug;
use std::hash::{Hash, Hasher};

/// A position of any game.
#[derive(Debug)]
pub struct CustomState(pub(super) Box<dyn AnyState>);

impl Clone for CustomState {
    fn clone(&self) -> Self {
        Self(self.0.boxed())
    }
}

impl PartialEq for CustomState {
    fn eq(&self, other: &Self) -> bool {
        self.0.is_same(&*other.0)
    }
}

impl Eq for CustomState {}

impl Hash for CustomState {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.0.hash_into(hasher);
    }
}

/// A position without its type.
pub(super) trait AnyState: Any + Debug + Send + Sync {
    fn boxed(&self) -> Box<dyn AnyState>;
    fn is_same(&self, other: &dyn AnyState) -> bool;
    fn hash_into(&self, hasher: &mut dyn Hasher);
}

impl<S: Any + Clone + Eq + Hash + Debug + Send + Sync> AnyState for S {
    fn boxed(&self) -> Box<dyn AnyState> {
        Box::new(self.clone())
    }

    fn is_same(&self, other: &dyn AnyState) -> bool {
        let other: &dyn Any = other;
        other.downcast_ref() == Some(self)
    }

    fn hash_into(&self, mut hasher: &mut dyn Hasher) {
        self.hash(&mut hasher);
    }
}
