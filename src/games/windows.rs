//! The square parts of a board of eight by eight, through which a network sees near and far at once (Chellapilla & Fogel
//! 2001): bit 0 of a board is the first square of its first row, bit 7 the last one. It knows no game.

/// The squares of each square part of the board: by its side from 3 to 8, then by its first row, then by its first column.
pub(super) static WINDOWS: [u64; 91] = {
    let mut windows = [0; 91];
    let (mut index, mut side) = (0, 3);
    while side <= 8 {
        let mut place = 0;
        while place < (9 - side) * (9 - side) {
            let (row, column) = (place / (9 - side), place % (9 - side));
            windows[index] = square_part(side) << (row * 8 + column);
            index += 1;
            place += 1;
        }
        side += 1;
    }
    windows
};

/// The square part of that side at a1.
const fn square_part(side: usize) -> u64 {
    let row = (1u64 << side) - 1;
    let (mut part, mut line) = (0, 0);
    while line < side {
        part |= row << (line * 8);
        line += 1;
    }
    part
}

/// How many more squares of one board than of the other are in each of [`WINDOWS`]; no square is on both.
///
/// Eight squares of a row are added at once as the bytes of a word. A square counts 0, 1 or 2, so that no byte is negative
/// or beyond 128, and what this adds to a window is taken off again.
pub(super) fn sums(plus: u64, minus: u64) -> [i8; 91] {
    let row = |row: usize| {
        let byte = |board: u64| spread((board >> (8 * row)) as u8);
        EACH_BYTE + byte(plus) - byte(minus)
    };
    let rows: [u64; 8] = std::array::from_fn(row);
    let mut columns = rows;
    let mut sums = [0; 91];
    let mut index = 0;
    for side in 2..=8 {
        for first in 0..=8 - side {
            columns[first] += rows[first + side - 1];
            if side < 3 {
                continue;
            }
            let window = (1..side).fold(columns[first], |sum, right| {
                sum + (columns[first] >> (8 * right))
            });
            for column in 0..=8 - side {
                let sum = (window >> (8 * column)) as u8;
                sums[index] = (i16::from(sum) - (side * side) as i16) as i8;
                index += 1;
            }
        }
    }
    sums
}

const EACH_BYTE: u64 = 0x0101_0101_0101_0101;

/// The bits of a byte, the lowest first, as bytes of 0 or 1.
fn spread(bits: u8) -> u64 {
    let apart = (u64::from(bits) * EACH_BYTE) & 0x8040_2010_0804_0201;
    (apart + 0x7f * EACH_BYTE) >> 7 & EACH_BYTE
}

#[cfg(test)]
mod tests {
    use rand::RngExt;

    use super::*;
    use crate::rng::{Purpose, stream};

    #[test]
    fn windows_are_summed_as_if_square_by_square() {
        let mut rng = stream(2, Purpose::Sample, 0, 0);
        let full = [(u64::MAX, 0), (0, u64::MAX), (0, 0)];
        let random = (0..500).map(|_| {
            let (a, b): (u64, u64) = (rng.random(), rng.random());
            (a & b, a & !b)
        });
        for (plus, minus) in full.into_iter().chain(random) {
            let count = |board: u64, part: u64| (board & part).count_ones() as i8;
            let expected = WINDOWS.map(|part| count(plus, part) - count(minus, part));
            assert_eq!(sums(plus, minus), expected, "{plus:x} {minus:x}");
        }
    }

    #[test]
    fn there_are_as_many_windows_of_each_side_as_places_for_it() {
        let sides = WINDOWS.map(u64::count_ones);
        for (side, places) in [(3, 36), (4, 25), (5, 16), (6, 9), (7, 4), (8, 1)] {
            let found = sides.iter().filter(|&&squares| squares == side * side);
            assert_eq!(found.count(), places, "side {side}");
        }
        assert_eq!(WINDOWS[0], 0x07_0707);
        assert_eq!(WINDOWS[35], 0xe0e0_e000_0000_0000);
    }
}
