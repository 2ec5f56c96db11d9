//! The square windows of an 8x8 board, used as network inputs at several scales (Chellapilla &
//! Fogel 2001). Bit 0 of a board is the first square of its first row, bit 7 the last one.

/// The squares of each window, ordered by side length from 3 to 8, then by first row, then by first
/// column.
pub(super) static WINDOWS: [u64; 91] = {
    let mut windows = [0; 91];
    let (mut index, mut side) = (0, 3);
    while side <= 8 {
        let mut place = 0;
        while place < (9 - side) * (9 - side) {
            let (row, column) = (place / (9 - side), place % (9 - side));
            windows[index] = square_at_a1(side) << (row * 8 + column);
            index += 1;
            place += 1;
        }
        side += 1;
    }
    windows
};

/// The window of a given side length at a1.
const fn square_at_a1(side: usize) -> u64 {
    let row = (1u64 << side) - 1;
    let (mut part, mut line) = (0, 0);
    while line < side {
        part |= row << (line * 8);
        line += 1;
    }
    part
}

#[cfg(test)]
mod tests {
    use super::*;

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
