//! What an operator remembers from one generation to the next, whatever its type: species with
//! their ages, or the distribution that offspring are drawn from. It is saved with the population.

use std::any::Any;
use std::fmt::Debug;
use std::sync::{Arc, OnceLock};

use ron::value::RawValue;
use serde::de::DeserializeOwned;
use serde::ser::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::genomes::without_sharing;
use crate::params::{from_ron, try_to_ron};

/// A memory of any type, or none.
#[derive(Clone, Debug, Default)]
pub struct Memory(Option<Remembered>);

#[derive(Clone, Debug)]
enum Remembered {
    Value(Arc<dyn AnyMemory>),
    /// As read from a file. Only the operator knows its type, so it is parsed when it asks for it.
    Text(Arc<SavedMemory>),
}

/// A memory as read from a file, and the value once it is parsed.
#[derive(Debug)]
struct SavedMemory {
    text: Box<RawValue>,
    value: OnceLock<Arc<dyn AnyMemory>>,
}

/// A memory without its type.
trait AnyMemory: Any + Debug + Send + Sync {
    /// The text, which can be read without the rest of its file.
    fn ron(&self) -> Result<Box<RawValue>, ron::Error>;
}

impl<T: Serialize + Any + Debug + Send + Sync> AnyMemory for T {
    fn ron(&self) -> Result<Box<RawValue>, ron::Error> {
        let text = without_sharing(|| try_to_ron(self))?;
        Ok(RawValue::from_boxed_ron(text.into_boxed_str())?)
    }
}

impl Memory {
    /// The memory of this value.
    pub fn new<T: Serialize + Debug + Send + Sync + 'static>(value: T) -> Self {
        Self(Some(Remembered::Value(Arc::new(value))))
    }

    /// Whether nothing is remembered.
    pub fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// The value; `None` if nothing is remembered, or something of another type.
    pub fn get<T>(&self) -> Option<&T>
    where
        T: Serialize + DeserializeOwned + Debug + Send + Sync + 'static,
    {
        let value: &dyn Any = match self.0.as_ref()? {
            Remembered::Value(value) => &**value,
            Remembered::Text(saved) => {
                if saved.value.get().is_none() {
                    let value: T = from_ron(saved.text.get_ron()).ok()?;
                    // If another thread was faster, it has set the same value.
                    let _ = saved.value.set(Arc::new(value));
                }
                &**saved.value.get()?
            }
        };
        value.downcast_ref()
    }

    /// What the replacement remembered after the games of this generation, for the plan of the
    /// next.
    ///
    /// # Panics
    ///
    /// If it remembered nothing, or something of another type.
    pub fn of_this_generation<T>(&self) -> &T
    where
        T: Serialize + DeserializeOwned + Debug + Send + Sync + 'static,
    {
        self.get().expect("the generation has been remembered")
    }

    /// The value, or why it can't be used.
    pub fn readable<T>(&self) -> Result<&T, String>
    where
        T: Serialize + DeserializeOwned + Debug + Send + Sync + 'static,
    {
        let message = || "what the replacement remembers can't be read".to_owned();
        self.get().ok_or_else(message)
    }

    /// The text in a file; `None` if nothing is remembered.
    fn text(&self) -> Option<Result<Box<RawValue>, ron::Error>> {
        let text = match self.0.as_ref()? {
            Remembered::Value(value) => value.ron(),
            Remembered::Text(saved) => Ok(saved.text.clone()),
        };
        Some(text)
    }
}

/// Memories are equal if files of them are.
impl PartialEq for Memory {
    fn eq(&self, other: &Self) -> bool {
        let text = |memory: &Self| {
            let text = memory.text()?.ok()?;
            Some(text.trim().get_ron().to_owned())
        };
        text(self) == text(other)
    }
}

impl Serialize for Memory {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let text = self.text().transpose().map_err(S::Error::custom)?;
        text.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Memory {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = Option::<Box<RawValue>>::deserialize(deserializer)?;
        let saved = |text| {
            let value = OnceLock::new();
            Remembered::Text(Arc::new(SavedMemory { text, value }))
        };
        Ok(Self(text.map(saved)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_memory_is_read_back_by_those_who_know_its_type() {
        let memory = Memory::new(vec![0.1, 1.0 / 3.0]);
        let text = try_to_ron(&memory).expect("it can be written");
        let read: Memory = from_ron(&text).expect("it was just written");
        assert_eq!(read, memory);
        assert_eq!(read.get::<Vec<f64>>(), memory.get());
        assert_eq!(read.get::<Vec<f64>>(), Some(&vec![0.1, 1.0 / 3.0]));
        assert_ne!(memory, Memory::new(vec![0.1]));
        assert_eq!(memory.get::<String>(), None);
        let other: Memory = from_ron(&text).expect("it is the same text");
        assert_eq!(other.get::<String>(), None);
        assert_eq!(
            other.get::<Vec<f64>>(),
            memory.get(),
            "asking for another type is harmless"
        );
    }

    #[test]
    fn nothing_is_remembered_at_first() {
        let memory = Memory::default();
        assert!(memory.is_empty() && memory.get::<u32>().is_none());
        let text = try_to_ron(&memory).expect("it can be written");
        let read: Memory = from_ron(&text).expect("it was just written");
        assert!(read.is_empty());
        assert_ne!(read, Memory::new(1_u32));
    }
}
