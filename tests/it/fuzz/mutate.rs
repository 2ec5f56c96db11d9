//! Mutations of bytes and of what text is made of: numbers, words and lines. They know no format.

/// A small generator of random numbers, `SplitMix64` (Steele, Lea & Flood 2014).
pub(super) struct Dice(u64);

impl Dice {
    pub(super) fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = self.0;
        word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        word ^ (word >> 31)
    }

    /// A number below `end`; 0 if that is 0.
    pub(super) fn below(&mut self, end: usize) -> usize {
        (self.next() % end.max(1) as u64) as usize
    }

    pub(super) fn one<'a, T>(&mut self, all: &'a [T]) -> Option<&'a T> {
        all.get(self.below(all.len()))
    }

    /// A range within `0..length`, short more often than long.
    fn range(&mut self, length: usize) -> std::ops::Range<usize> {
        let start = self.below(length);
        let most = [1, 8, 64, length][self.below(4)];
        start..(start + 1 + self.below(most)).min(length)
    }
}

/// The longest input, in bytes.
const MOST: usize = 1 << 17;

/// Numbers at the edges of types, and texts that are numbers only to some parsers.
const EXTREMES: [&str; 34] = [
    "0",
    "1",
    "2",
    "-1",
    "-0",
    "0.5",
    "1e-320",
    "7",
    "64",
    "127",
    "128",
    "255",
    "256",
    "32767",
    "32768",
    "65535",
    "65536",
    "100000",
    "2147483648",
    "4294967295",
    "4294967296",
    "9007199254740993",
    "9223372036854775807",
    "9223372036854775808",
    "18446744073709551615",
    "18446744073709551616",
    "340282366920938463463374607431768211456",
    "1e19",
    "1e308",
    "-1e308",
    "1e999",
    "NaN",
    "inf",
    "-inf",
];

/// Signs of all formats, and characters that are hard on slices, columns and terminals.
const SIGNS: [&str; 40] = [
    "(", ")", "[", "]", "{", "}", ":", ",", ".", ";", "=", ">=", "<=", "@", "\"", "'", "\\", "//",
    "/*", "*/", "#", "r#\"", "-", "x", "\n", "\r\n", "\t", " ", "\0", "\u{1b}[", "é", "\u{feff}",
    "\u{301}", "𝔘", "None", "Some(", "true", "false", "[]", "()",
];

/// An input made from `base`: one to six changes. `pool` are other inputs, `words` belong to the
/// format.
pub(super) fn mutate(dice: &mut Dice, base: &[u8], pool: &[Vec<u8>], words: &[&str]) -> Vec<u8> {
    let mut data = base.to_vec();
    for _ in 0..=dice.below(6) {
        change(dice, &mut data, pool, words);
        data.truncate(MOST);
    }
    data
}

fn change(dice: &mut Dice, data: &mut Vec<u8>, pool: &[Vec<u8>], words: &[&str]) {
    match dice.below(16) {
        0 => {
            let place = dice.below(data.len());
            if let Some(byte) = data.get_mut(place) {
                *byte ^= 1 << dice.below(8);
            }
        }
        1 => {
            let place = dice.below(data.len() + 1);
            data.insert(place, dice.below(256) as u8);
        }
        2 => drop(data.drain(dice.range(data.len()))),
        3 => repeat(dice, data),
        4 => {
            let other = dice.one(pool).cloned().unwrap_or_default();
            let (cut, from) = (dice.below(data.len() + 1), dice.below(other.len() + 1));
            data.truncate(cut);
            data.extend_from_slice(&other[from..]);
        }
        5 => {
            let other = dice.one(pool).cloned().unwrap_or_default();
            let part = other[dice.range(other.len())].to_vec();
            insert(dice, data, &part);
        }
        6..=8 => replace_number(dice, data),
        9 | 10 => {
            let word = dice.one(words).or(SIGNS.first()).copied();
            replace_word(dice, data, word.unwrap_or_default());
        }
        11 => {
            let word = dice.one(words).copied().unwrap_or_default();
            insert(dice, data, word.as_bytes());
        }
        12 => {
            let sign = dice.one(&SIGNS).copied().unwrap_or_default();
            insert(dice, data, sign.as_bytes());
        }
        13 => {
            let sign = dice.one(&EXTREMES).copied().unwrap_or_default();
            insert(dice, data, sign.as_bytes());
        }
        14 => {
            let own = runs(data, |byte| byte != b'\n');
            let (from, to) = (dice.one(&own).cloned(), dice.one(&own).cloned());
            if let (Some(from), Some(to)) = (from, to) {
                let line = data[from].to_vec();
                data.splice(to, line);
            }
        }
        _ => {
            let own = runs(data, |byte| byte.is_ascii_alphanumeric() || byte == b'_');
            let word = dice.one(&own).cloned().map(|place| data[place].to_vec());
            let word = String::from_utf8(word.unwrap_or_default()).unwrap_or_default();
            replace_word(dice, data, &word);
        }
    }
}

/// Repeats a part, seldom very often.
fn repeat(dice: &mut Dice, data: &mut Vec<u8>) {
    let part = data[dice.range(data.len())].to_vec();
    let most = if dice.below(64) == 0 { 20_000 } else { 8 };
    let times = 1 + dice.below(most);
    let part = part.repeat(times.min(MOST / part.len().max(1)));
    insert(dice, data, &part);
}

fn insert(dice: &mut Dice, data: &mut Vec<u8>, part: &[u8]) {
    let place = dice.below(data.len() + 1);
    data.splice(place..place, part.iter().copied());
}

fn replace_number(dice: &mut Dice, data: &mut Vec<u8>) {
    let numbers = runs(data, |byte| byte.is_ascii_digit() || byte == b'.');
    let Some(place) = dice.one(&numbers).cloned() else {
        return;
    };
    let text = match dice.below(3) {
        0 => dice.below(200).to_string(),
        _ => dice.one(&EXTREMES).copied().unwrap_or_default().to_owned(),
    };
    data.splice(place, text.bytes());
}

fn replace_word(dice: &mut Dice, data: &mut Vec<u8>, word: &str) {
    let own = runs(data, |byte| byte.is_ascii_alphanumeric() || byte == b'_');
    if let Some(place) = dice.one(&own).cloned() {
        data.splice(place, word.bytes());
    }
}

/// The longest stretches of bytes of a kind.
fn runs(data: &[u8], is_one: impl Fn(u8) -> bool) -> Vec<std::ops::Range<usize>> {
    let mut found = Vec::new();
    let mut start = None;
    for (place, &byte) in data.iter().chain([&0]).enumerate() {
        match (start, place < data.len() && is_one(byte)) {
            (None, true) => start = Some(place),
            (Some(from), false) => {
                found.push(from..place);
                start = None;
            }
            _ => {}
        }
    }
    found
}
