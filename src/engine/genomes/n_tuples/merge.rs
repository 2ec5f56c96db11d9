//! Lookups that share squares become one with a larger table: the same sums, from fewer lookups.

use std::collections::BTreeMap;

use crate::board_geometry::BoardGeometry;

use super::shapes::{self, Tuple};

/// The most entries of a table that several lookups share, for one stage. With 729, six squares of
/// three values, lines of four and squares of 2×2 on the board of Reversi need 81 lookups in place
/// of 179.
const MOST_ENTRIES: usize = 729;

/// How many squares a lookup may have beyond the larger of the two that it is made of.
const MOST_GROWTH: u32 = 2;

/// For each index in the table of a lookup the index in the table of a tuple with some of its
/// squares.
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

/// Sums of entries by their squares, and where the symmetries of the board put them.
pub(super) struct SquareSets<'a> {
    squares: &'a [Tuple],
    inputs: usize,
    /// For each symmetry of the board the image of each sum.
    images: Vec<Vec<usize>>,
}

impl<'a> SquareSets<'a> {
    /// The squares of each are in ascending order.
    pub(super) fn new(squares: &'a [Tuple], geometry: &BoardGeometry) -> Self {
        let numbers: BTreeMap<&Tuple, usize> = squares.iter().zip(0..).collect();
        let image = |squares: &Tuple, symmetry: &[u32]| {
            let image = shapes::sorted(&shapes::image(squares, symmetry));
            numbers.get(&image).copied()
        };
        let images = geometry.symmetries.iter().map(|symmetry| {
            let images = squares.iter().map(|squares| image(squares, symmetry));
            let images: Option<Vec<usize>> = images.collect();
            images.expect("tuples lie in all symmetric places")
        });
        Self {
            squares,
            inputs: geometry.symmetries[0].len(),
            images: images.collect(),
        }
    }

    /// Which sums become one lookup, by their numbers. What is merged in one place is merged in
    /// symmetric places too, as far as possible.
    pub(super) fn groups(&self, levels: usize) -> Vec<Vec<usize>> {
        let mut groups = Groups::new(self.squares, self.inputs);
        let most = |len: u32| {
            levels
                .checked_pow(len)
                .is_some_and(|len| len <= MOST_ENTRIES)
        };
        for growth in 0..=MOST_GROWTH {
            for group in 0..self.squares.len() {
                let Some(other) = groups.closest(group, |union, larger| {
                    union == larger || (union <= larger + growth && most(union))
                }) else {
                    continue;
                };
                let pair = [group, other].map(|group| groups.members[group].clone());
                for images in &self.images {
                    let pair = pair.each_ref().map(|members| groups.find(members, images));
                    if let [Some(group), Some(other)] = pair
                        && group != other
                    {
                        groups.merge(group, other);
                    }
                }
            }
        }
        let members = groups.members.into_iter();
        members.filter(|members| !members.is_empty()).collect()
    }

    /// The symmetries that make one group of another.
    pub(super) fn symmetries(&self, of: &[usize], group: &[usize]) -> impl Iterator<Item = usize> {
        let has_all = move |&symmetry: &usize| {
            let mut images = of.iter().map(|&member| self.image(member, symmetry));
            of.len() == group.len() && images.all(|image| group.contains(&image))
        };
        (0..self.images.len()).filter(has_all)
    }

    /// Where a symmetry puts a sum.
    pub(super) fn image(&self, sum: usize, symmetry: usize) -> usize {
        self.images[symmetry][sum]
    }
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
    /// The group of each lookup.
    group_of: Vec<usize>,
}

impl Groups {
    fn new(lookups: &[Tuple], inputs: usize) -> Self {
        let words = inputs.div_ceil(u64::BITS as usize);
        let mut groups = Self {
            members: (0..lookups.len()).map(|at| vec![at]).collect(),
            squares: vec![0; lookups.len() * words],
            words,
            with_square: vec![Vec::new(); inputs],
            group_of: (0..lookups.len()).collect(),
        };
        for (at, squares) in lookups.iter().enumerate() {
            for &square in squares {
                groups.squares[at * words + square as usize / 64] |= 1 << (square % 64);
                groups.with_square[square as usize].push(at as u32);
            }
        }
        groups
    }

    fn squares(&self, group: usize) -> &[u64] {
        &self.squares[group * self.words..][..self.words]
    }

    /// The group with which this one has the fewest squares together, the first of equals, if their
    /// number of squares and that of the larger group allow it.
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

    /// The group whose members are the images of these; `None` if they are not together, or others
    /// are with them.
    fn find(&self, members: &[usize], images: &[usize]) -> Option<usize> {
        let mut groups = members.iter().map(|&member| self.group_of[images[member]]);
        let group = groups.next()?;
        let is_whole = self.members[group].len() == members.len();
        (is_whole && groups.all(|other| other == group)).then_some(group)
    }

    /// Makes a group a part of another.
    fn merge(&mut self, group: usize, other: usize) {
        let members = std::mem::take(&mut self.members[group]);
        for &member in &members {
            self.group_of[member] = other;
        }
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
    words.flat_map(|(at, &word)| {
        let mut left = word;
        std::iter::from_fn(move || {
            let lowest = (left != 0).then(|| at * 64 + left.trailing_zeros() as usize);
            left &= left.wrapping_sub(1);
            lowest
        })
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::super::shapes::{Sharing, places, sorted};
    use super::*;

    /// Checks what is merged on a board without symmetries.
    fn check(tuples: &[&[u32]], expected: &[&[u32]]) {
        let geometry = BoardGeometry {
            symmetries: vec![(0..70).collect()],
            ..BoardGeometry::square(8, -1, 3)
        };
        let tuples: Vec<Tuple> = tuples.iter().map(|tuple| tuple.to_vec()).collect();
        let groups = SquareSets::new(&tuples, &geometry).groups(3);
        let union = |group: &Vec<usize>| -> BTreeSet<u32> {
            group.iter().flat_map(|&at| &tuples[at]).copied().collect()
        };
        let found: Vec<Tuple> = groups
            .iter()
            .map(|group| union(group).into_iter().collect())
            .collect();
        assert_eq!(found, expected);
        let mut members = groups.concat();
        members.sort_unstable();
        assert!(members.into_iter().eq(0..tuples.len()));
    }

    #[test]
    fn lookups_that_share_squares_are_merged() {
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

    #[test]
    fn what_is_merged_in_one_place_is_merged_in_symmetric_ones() {
        let geometry = BoardGeometry::square(8, -1, 3);
        let edge = [vec![0, 1, 2, 3], vec![1, 2, 3, 4]];
        let places = edge
            .iter()
            .flat_map(|tuple| places(&geometry, tuple, Sharing::Symmetric));
        let places: BTreeSet<Tuple> = places.map(|place| sorted(&place)).collect();
        let tuples: Vec<Tuple> = places.into_iter().collect();
        let sets = SquareSets::new(&tuples, &geometry);
        let groups = sets.groups(3);
        // Both halves of four edges.
        assert_eq!(groups.len(), 8);
        for group in &groups {
            assert_eq!(group.len(), 2);
            assert!(sets.symmetries(&groups[0], group).next().is_some());
        }
        let mut own = sets.symmetries(&groups[0], &groups[0]);
        assert_eq!(own.next(), Some(0));
        assert_eq!(sets.symmetries(&groups[0], &groups[0][..1]).next(), None);
    }
}
