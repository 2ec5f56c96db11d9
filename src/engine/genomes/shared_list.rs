//! Long lists of numbers that many genomes have in common but for a few: parts that are the same
//! are in memory once, and in a file once.

use std::cell::RefCell;
use std::collections::HashMap;
use std::fmt::{self, Write};
use std::ops::Range;
use std::sync::Arc;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde::de::value::SeqAccessDeserializer;
use serde::de::{Error, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Shorter lists are written as numbers, for people to read.
const SHORTEST: usize = 10_000;

/// The numbers of a part; the last of a list may have fewer.
const PART: usize = 512;

/// How a list begins in a file that has some of its parts already.
const IN_PARTS: &str = "parts ";

type ListPart = Arc<[f32]>;

/// A list of numbers. Copies share the parts that stay the same.
#[derive(Clone, Debug, Default)]
pub(super) struct SharedList {
    parts: Vec<ListPart>,
}

/// The parts of all long lists in a file, in their order.
#[derive(Default)]
struct FileParts {
    parts: Vec<ListPart>,
    /// The number of each part by its address.
    numbers: HashMap<*const f32, usize>,
}

thread_local! {
    /// The file that this thread writes or reads, if it is one whose lists share parts.
    static FILE: RefCell<Option<FileParts>> = const { RefCell::new(None) };
}

/// Writes or reads a file in which long lists refer to parts of those before them.
pub fn sharing_parts<T>(access: impl FnOnce() -> T) -> T {
    within(Some(FileParts::default()), access)
}

/// Writes lists as a whole, so that they can be read without the rest of a file.
pub(crate) fn without_sharing<T>(access: impl FnOnce() -> T) -> T {
    within(None, access)
}

fn within<T>(file: Option<FileParts>, access: impl FnOnce() -> T) -> T {
    /// The file around this one, to which the thread returns, also from a panic.
    struct Outer(Option<FileParts>);
    impl Drop for Outer {
        fn drop(&mut self) {
            FILE.set(self.0.take());
        }
    }
    let _outer = Outer(FILE.replace(file));
    access()
}

impl SharedList {
    /// The number of numbers.
    pub(super) fn len(&self) -> usize {
        self.parts.iter().map(|part| part.len()).sum()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = f32> {
        self.parts.iter().flat_map(|part| part.iter().copied())
    }

    pub(super) fn to_vec(&self) -> Vec<f32> {
        self.parts.concat()
    }

    /// A list of other numbers, which shares the parts that are the same in both.
    pub(super) fn with(&self, numbers: &[f32]) -> Self {
        let mut parts: Vec<ListPart> = Vec::with_capacity(numbers.len().div_ceil(PART));
        for (at, part) in numbers.chunks(PART).enumerate() {
            let known = self.parts.get(at).into_iter().chain(parts.last());
            let same = known.into_iter().find(|known| is_same(known, part));
            let part = same.map_or_else(|| part.into(), Arc::clone);
            parts.push(part);
        }
        Self { parts }
    }
}

fn is_same(one: &[f32], other: &[f32]) -> bool {
    let mut pairs = one.iter().zip(other);
    let same_bits = |(one, other): (&f32, &f32)| one.to_bits() == other.to_bits();
    std::ptr::eq(one, other) || one.len() == other.len() && pairs.all(same_bits)
}

impl PartialEq for SharedList {
    fn eq(&self, other: &Self) -> bool {
        let mut pairs = self.parts.iter().zip(&other.parts);
        let is_equal =
            |(one, other): (&ListPart, &ListPart)| Arc::ptr_eq(one, other) || one == other;
        self.parts.len() == other.parts.len() && pairs.all(is_equal)
    }
}

impl FileParts {
    /// Adds a part; it has the next number.
    fn add(&mut self, part: &ListPart) {
        let number = self.parts.len();
        self.numbers.entry(part.as_ptr()).or_insert(number);
        self.parts.push(part.clone());
    }

    /// A list as text, and what it adds to the file. The first one is written as a whole.
    fn text(&mut self, list: &SharedList) -> String {
        if self.parts.is_empty() {
            list.parts.iter().for_each(|part| self.add(part));
            return encoded(&list.to_vec());
        }
        let (mut text, mut known) = (IN_PARTS.to_owned(), 0..0);
        let write = |text: &mut String, known: &Range<usize>| {
            if !known.is_empty() {
                let _ = write!(text, "{}-{} ", known.start, known.end);
            }
        };
        for part in &list.parts {
            match self.numbers.get(&part.as_ptr()) {
                Some(&number) if number == known.end && !known.is_empty() => known.end += 1,
                Some(&number) => {
                    write(&mut text, &known);
                    known = number..number + 1;
                }
                None => {
                    write(&mut text, &known);
                    known = 0..0;
                    self.add(part);
                    let _ = write!(text, ":{} ", encoded(part));
                }
            }
        }
        write(&mut text, &known);
        text
    }

    /// Reads what [`FileParts::text`] wrote.
    fn read(&mut self, text: &str) -> Result<SharedList, String> {
        let Some(words) = text.strip_prefix(IN_PARTS) else {
            let list = SharedList::default().with(&decoded(text)?);
            list.parts.iter().for_each(|part| self.add(part));
            return Ok(list);
        };
        let mut parts = Vec::new();
        for word in words.split_whitespace() {
            if let Some(numbers) = word.strip_prefix(':') {
                let part = decoded(numbers)?.into();
                self.add(&part);
                parts.push(part);
                continue;
            }
            let range = word.split_once('-');
            let range = range.and_then(|(from, to)| Some(from.parse().ok()?..to.parse().ok()?));
            let known = range.and_then(|range: Range<usize>| self.parts.get(range));
            parts.extend_from_slice(known.ok_or("a list has parts that no list before it has")?);
        }
        let is_whole = |part: &ListPart| part.len() == PART;
        if !parts.iter().rev().skip(1).all(is_whole) {
            return Err(format!("a part of a list has other than {PART} numbers"));
        }
        Ok(SharedList { parts })
    }
}

/// The bytes of numbers, the lowest byte of each first, in Base64 (RFC 4648).
fn encoded(numbers: &[f32]) -> String {
    let bytes: Vec<u8> = numbers.iter().flat_map(|it| it.to_le_bytes()).collect();
    BASE64_STANDARD.encode(bytes)
}

fn decoded(text: &str) -> Result<Vec<f32>, String> {
    let bytes = BASE64_STANDARD.decode(text);
    let bytes = bytes.map_err(|error| error.to_string())?;
    let (numbers, rest) = bytes.as_chunks();
    if !rest.is_empty() {
        return Err("the bytes of the last number are not complete".to_owned());
    }
    Ok(numbers.iter().map(|it| f32::from_le_bytes(*it)).collect())
}

impl Serialize for SharedList {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.len() < SHORTEST {
            return serializer.collect_seq(self.iter());
        }
        let in_file = |file: &mut Option<FileParts>| Some(file.as_mut()?.text(self));
        let text = FILE.with_borrow_mut(in_file);
        serializer.serialize_str(&text.unwrap_or_else(|| encoded(&self.to_vec())))
    }
}

/// Reads a list in any form.
impl<'de> Deserialize<'de> for SharedList {
    fn deserialize<D: Deserializer<'de>>(reader: D) -> Result<Self, D::Error> {
        reader.deserialize_any(ListVisitor)
    }
}

struct ListVisitor;

impl<'de> Visitor<'de> for ListVisitor {
    type Value = SharedList;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a list of numbers, or their bytes in Base64")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<SharedList, E> {
        let read = |file: &mut Option<FileParts>| match file {
            Some(file) => file.read(text),
            None => FileParts::default().read(text),
        };
        FILE.with_borrow_mut(read).map_err(E::custom)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<SharedList, A::Error> {
        let numbers = Vec::deserialize(SeqAccessDeserializer::new(list))?;
        Ok(SharedList::default().with(&numbers))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<SharedList, String> {
        ron::from_str(text).map_err(|error| error.to_string())
    }

    fn list(count: usize) -> SharedList {
        let numbers = (0..count).map(|at| (at as f32 - 4.5).sqrt() / 3.0);
        let numbers = numbers.map(|it| if it.is_nan() { -0.1 } else { it });
        SharedList::default().with(&numbers.collect::<Vec<f32>>())
    }

    #[test]
    fn lists_are_read_to_the_same_bits_in_either_form() {
        for count in [0, 3, SHORTEST - 1, SHORTEST] {
            let list = list(count);
            assert_eq!(list.len(), count);
            let text = ron::to_string(&list).expect("it can be written");
            assert_eq!(text.contains('"'), count == SHORTEST);
            assert_eq!(read(&text).as_ref(), Ok(&list));
            let json = serde_json::to_string(&list).expect("it can be written");
            assert_eq!(serde_json::from_str::<SharedList>(&json).ok(), Some(list));
        }
    }

    #[test]
    fn what_lists_have_in_common_is_in_a_file_and_in_memory_once() {
        let first = list(SHORTEST);
        let mut numbers = first.to_vec();
        (numbers[600], numbers[SHORTEST - 1]) = (7.0, -7.0);
        let second = first.with(&numbers);
        let third = second.with(&[&numbers[..], &[0.0; PART]].concat());
        let other = list(2 * SHORTEST);
        let lists = vec![first, second, third, other];
        let shared = |list: &SharedList| {
            let parts = list.parts.iter().zip(&lists[0].parts);
            parts.filter(|(one, first)| Arc::ptr_eq(one, first)).count()
        };
        let all = SHORTEST.div_ceil(PART);
        assert_eq!(
            lists.iter().map(shared).collect::<Vec<_>>(),
            [all, all - 2, all - 2, 0]
        );
        let write = || ron::to_string(&lists).expect("it can be written");
        let [text, whole] = [sharing_parts(write), write()];
        assert!(
            text.len() < whole.len() * 2 / 3,
            "{} and {}",
            text.len(),
            whole.len()
        );
        let read = |text: &str| ron::from_str::<Vec<SharedList>>(text);
        assert_eq!(sharing_parts(|| read(&whole)).as_ref(), Ok(&lists));
        assert_eq!(sharing_parts(|| without_sharing(write)), whole);
        let found = sharing_parts(|| read(&text)).expect("it was just written");
        assert_eq!(found, lists);
        assert!(Arc::ptr_eq(&found[2].parts[0], &found[0].parts[0]));
        let problem = read(&text).expect_err("it is no file of its own");
        assert!(
            problem.to_string().contains("no list before it"),
            "{problem}"
        );
    }

    #[test]
    fn equal_parts_of_a_list_are_in_memory_once() {
        let zeros = SharedList::default().with(&[0.0; 3 * PART]);
        assert!(Arc::ptr_eq(&zeros.parts[0], &zeros.parts[2]));
        let [negative, ones] = [-0.0, 1.0].map(|number| zeros.with(&[number; 3 * PART]));
        assert_eq!(negative.to_vec()[0].to_bits(), (-0.0_f32).to_bits());
        assert!(negative == zeros && ones != zeros);
    }

    #[test]
    fn what_is_no_list_is_told() {
        let numbers = |text: &str| read(text).map(|list| list.to_vec());
        assert_eq!(numbers("[1, 2.5]"), Ok(vec![1.0, 2.5]));
        assert_eq!(numbers("\"AACAPw==\""), Ok(vec![1.0]));
        for (text, words) in [
            ("\"AACAPw\"", "padding"),
            ("\"AAA=\"", "not complete"),
            ("\"?\"", "Invalid"),
            ("\"parts 0-1\"", "no list before it"),
            ("\"parts :AACAPw== :AACAPw==\"", "other than 512"),
            ("true", "a list of numbers, or their bytes in Base64"),
        ] {
            let problem = read(text).expect_err("it is refused");
            assert!(problem.contains(words), "{problem}");
        }
    }
}
