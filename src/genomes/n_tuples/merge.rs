//! Lookups that share squares become one with a larger table: the same sums, from fewer lookups.

use super::network::bits;
use super::shapes::Tuple;

/// The most entries of a table that several lookups share, for one stage. With 729, six squares of three values, lines of four and squares
/// of 2×2 on the board of Reversi need 77 lookups in place of 179, and a game takes two thirds of the time.
const MOST_ENTRIES: usize = 729;

/// How many squares a lookup may have beyond the larger of the two that it is made of.
const MOST_GROWTH: u32 = 2;

/// A lookup: its squares in ascending order, the first the least significant digit, and its table, and that for each stage.
pub(super) struct TupleLookup {
    pub(super) squares: Tuple,
    pub(super) entries: Vec<i32>,
}

/// For each index in the table of a lookup the index in the table of a tuple with some of its squares.
pub(super) fn indices_within(squares: &[u32], tuple: &[u32], levels: usize) -> Vec<u32> {
    let mut indices = vec![0];
    for square in squares {
        let digit = tuple.iter().position(|other| other == square);
        let power = digit.map_or(0, |digit| levels.pow(digit as u32) as u32);
        let lower = indices.len();
        for level in 1..levels as u32 {
            for at in 0..lower {
                indices.push(indices[at] + level * power);
            }
        }
    }
    indices
}

/// The lookups of a board of so many inputs, merged.
pub(super) fn merged(lookups: &[TupleLookup], inputs: usize, levels: usize) -> Vec<TupleLookup> {
    let groups = groups(lookups, inputs, levels);
    let group = |members: Vec<usize>| {
        let squares = members.iter().flat_map(|&at| &lookups[at].squares);
        let mut squares: Tuple = squares.copied().collect();
        squares.sort_unstable();
        squares.dedup();
        let len = levels.pow(squares.len() as u32);
        let stages = {
            let first = &lookups[members[0]];
            first.entries.len() / levels.pow(first.squares.len() as u32)
        };
        let mut entries = vec![0; len * stages];
        for member in members {
            let member = &lookups[member];
            let indices = indices_within(&squares, &member.squares, levels);
            let own_len = member.entries.len() / stages;
            let stages = entries.chunks_mut(len).zip(member.entries.chunks(own_len));
            for (sums, table) in stages {
                for (sum, &index) in sums.iter_mut().zip(&indices) {
                    *sum += table[index as usize];
                }
            }
        }
        TupleLookup { squares, entries }
    };
    groups.into_iter().map(group).collect()
}

/// Which lookups are merged, by their indices.
fn groups(lookups: &[TupleLookup], inputs: usize, levels: usize) -> Vec<Vec<usize>> {
    let mut groups = Groups::new(lookups, inputs);
    let most = |len: u32| {
        levels
            .checked_pow(len)
            .is_some_and(|len| len <= MOST_ENTRIES)
    };
    for growth in 0..=MOST_GROWTH {
        for group in 0..lookups.len() {
            if let Some(other) = groups.closest(group, |union, larger| {
                union == larger || (union <= larger + growth && most(union))
            }) {
                groups.merge(group, other);
            }
        }
    }
    let members = groups.members.into_iter();
    members.filter(|members| !members.is_empty()).collect()
}

/// Groups of lookups in the making.
struct Groups {
    /// The lookups of each group; none if it has become part of another.
    members: Vec<Vec<usize>>,
    /// The squares of each group, as so many words of bits.
    squares: Vec<u64>,
    words: usize,
    /// The groups that have a square, for each square. Some have become part of others.
    with_square: Vec<Vec<u32>>,
}

impl Groups {
    fn new(lookups: &[TupleLookup], inputs: usize) -> Self {
        let words = inputs.div_ceil(u64::BITS as usize);
        let mut groups = Self {
            members: (0..lookups.len()).map(|at| vec![at]).collect(),
            squares: vec![0; lookups.len() * words],
            words,
            with_square: vec![Vec::new(); inputs],
        };
        for (at, lookup) in lookups.iter().enumerate() {
            for &square in &lookup.squares {
                groups.squares[at * words + square as usize / 64] |= 1 << (square % 64);
                groups.with_square[square as usize].push(at as u32);
            }
        }
        groups
    }

    fn squares(&self, group: usize) -> &[u64] {
        &self.squares[group * self.words..][..self.words]
    }

    /// The group with which this one has the fewest squares together, the first of equals, if their number of squares and that of the
    /// larger group allow it.
    fn closest(&self, group: usize, allows: impl Fn(u32, u32) -> bool) -> Option<usize> {
        if self.members[group].is_empty() {
            return None;
        }
        let count = |squares: &[u64]| squares.iter().map(|word| word.count_ones()).sum::<u32>();
        let own = self.squares(group);
        let own_count = count(own);
        let mut best = None;
        for square in set_bits(own) {
            for &other in &self.with_square[square] {
                let other = other as usize;
                if other == group || self.members[other].is_empty() {
                    continue;
                }
                let others = self.squares(other);
                let words = own.iter().zip(others);
                let union = words.map(|(one, other)| (one | other).count_ones()).sum();
                let found = (union, other);
                if best.is_none_or(|best| found < best)
                    && allows(union, own_count.max(count(others)))
                {
                    best = Some(found);
                }
            }
        }
        best.map(|(_, other)| other)
    }

    /// Makes a group a part of another.
    fn merge(&mut self, group: usize, other: usize) {
        let members = std::mem::take(&mut self.members[group]);
        self.members[other].extend(members);
        for word in 0..self.words {
            let own = self.squares[group * self.words + word];
            let others = &mut self.squares[other * self.words + word];
            let new = own & !*others;
            *others |= own;
            for square in set_bits(&[new]) {
                self.with_square[word * 64 + square].push(other as u32);
            }
        }
    }
}

/// The numbers of the bits that are set.
fn set_bits(words: &[u64]) -> impl Iterator<Item = usize> {
    let words = words.iter().enumerate();
    words.flat_map(|(at, &word)| bits(word).map(move |bit| at * 64 + bit))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lookups with random entries for two stages.
    fn lookups(tuples: &[&[u32]]) -> Vec<TupleLookup> {
        let lookup = |tuple: &&[u32]| {
            let count = 2 * 3_usize.pow(tuple.len() as u32);
            let entry = |at: usize| (at * 7919 + tuple[0] as usize * 104_729) as i32 % 1000 - 500;
            TupleLookup {
                squares: tuple.to_vec(),
                entries: (0..count).map(entry).collect(),
            }
        };
        tuples.iter().map(lookup).collect()
    }

    /// The sum of the entries of all lookups in a stage of a position.
    fn sum(lookups: &[TupleLookup], digits: &[usize], stage: usize) -> i32 {
        let entries = lookups.iter().map(|lookup| {
            let places = lookup.squares.iter().rev();
            let index = places.fold(0, |index, &square| 3 * index + digits[square as usize]);
            lookup.entries[stage * lookup.entries.len() / 2 + index]
        });
        entries.sum()
    }

    fn check(tuples: &[&[u32]], expected: &[&[u32]]) {
        let inputs = 70;
        let lookups = lookups(tuples);
        let merged = merged(&lookups, inputs, 3);
        let found: Vec<&[u32]> = merged.iter().map(|lookup| &lookup.squares[..]).collect();
        assert_eq!(found, expected);
        for position in 0..200 {
            let digits =
                (0..inputs).map(|square| (position * 31 + square * square * 17 + square) % 3);
            let digits: Vec<usize> = digits.collect();
            for stage in [0, 1] {
                assert_eq!(sum(&merged, &digits, stage), sum(&lookups, &digits, stage));
            }
        }
    }

    #[test]
    fn merged_lookups_have_the_same_sums() {
        // A part of another; a row of seven; squares of 2×2 side by side; what shares nothing.
        check(&[&[0, 1], &[0, 1, 2]], &[&[0, 1, 2]]);
        check(
            &[&[0, 1, 2, 3], &[1, 2, 3, 4], &[2, 3, 4, 5], &[3, 4, 5, 6]],
            &[&[0, 1, 2, 3, 4, 5], &[3, 4, 5, 6]],
        );
        check(
            &[&[0, 1, 8, 9], &[1, 2, 9, 10], &[2, 3, 10, 11]],
            &[&[0, 1, 2, 8, 9, 10], &[2, 3, 10, 11]],
        );
        check(
            &[&[0, 69], &[3, 4], &[66, 67, 68, 69]],
            &[&[3, 4], &[0, 66, 67, 68, 69]],
        );
    }

    #[test]
    fn tables_larger_than_the_largest_are_left_alone() {
        let long: &[u32] = &[0, 1, 2, 3, 4, 5, 6, 7];
        check(&[long, &[2, 3]], &[long]);
        check(&[long, &[7, 8]], &[long, &[7, 8]]);
    }
}
