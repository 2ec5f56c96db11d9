//! A histogram of game lengths with a fixed number of bins, for any number of games of any length.

/// Number of bins.
const MAX_BINS: usize = 128;

/// A histogram of games by number of moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameLengths {
    /// Logarithm to base 2 of the bin width.
    shift: u32,
    /// Bin `i` counts the games of `i << shift` to `((i + 1) << shift) - 1` moves.
    bins: Box<[u32; MAX_BINS]>,
    games: u64,
    moves: u64,
    shortest: u16,
    longest: u16,
}

/// The bars of a histogram; each covers `step` lengths.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HistogramBars {
    /// The shortest length of the first bar.
    pub first: u32,
    /// Lengths in a bar.
    pub step: u32,
    /// The games of each.
    pub games: Vec<u32>,
}

impl Default for GameLengths {
    fn default() -> Self {
        Self {
            shift: 0,
            bins: Box::new([0; MAX_BINS]),
            games: 0,
            moves: 0,
            shortest: u16::MAX,
            longest: 0,
        }
    }
}

impl GameLengths {
    /// Counts a game.
    #[inline]
    pub fn add(&mut self, moves: u16) {
        while usize::from(moves) >> self.shift >= MAX_BINS {
            self.halve();
        }
        self.bins[usize::from(moves) >> self.shift] += 1;
        self.games += 1;
        self.moves += u64::from(moves);
        self.shortest = self.shortest.min(moves);
        self.longest = self.longest.max(moves);
    }

    /// Merges pairs of bins.
    fn halve(&mut self) {
        for bin in 0..MAX_BINS / 2 {
            self.bins[bin] = self.bins[2 * bin] + self.bins[2 * bin + 1];
        }
        self.bins[MAX_BINS / 2..].fill(0);
        self.shift += 1;
    }

    /// Total number of games.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// Total number of moves.
    pub fn moves(&self) -> u64 {
        self.moves
    }

    /// Lengths of the shortest and the longest game; `None` without games.
    pub fn range(&self) -> Option<(u16, u16)> {
        (self.games > 0).then_some((self.shortest, self.longest))
    }

    /// Mean length of a game; `None` without games.
    pub fn mean(&self) -> Option<f64> {
        (self.games > 0).then(|| self.moves as f64 / self.games as f64)
    }

    /// The narrowest bars from the shortest to the longest game of which there are at most `most`.
    pub fn bars(&self, most: usize) -> HistogramBars {
        let Some((shortest, longest)) = self.range().filter(|_| most > 0) else {
            return HistogramBars {
                first: 0,
                step: 1,
                games: Vec::new(),
            };
        };
        let (low, high) = (shortest >> self.shift, longest >> self.shift);
        let bins = usize::from(low)..usize::from(high) + 1;
        let wide = bins.len().div_ceil(most);
        let bars = self.bins[bins].chunks(wide);
        HistogramBars {
            first: u32::from(low) << self.shift,
            step: (wide as u32) << self.shift,
            games: bars.map(|bins| bins.iter().sum()).collect(),
        }
    }
}

impl FromIterator<u16> for GameLengths {
    fn from_iter<I: IntoIterator<Item = u16>>(games: I) -> Self {
        let mut lengths = Self::default();
        for moves in games {
            lengths.add(moves);
        }
        lengths
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(games: &[u16], most: usize, first: u32, step: u32, bars: &[u32]) {
        let lengths: GameLengths = games.iter().copied().collect();
        let expected = HistogramBars {
            first,
            step,
            games: bars.to_vec(),
        };
        assert_eq!(lengths.bars(most), expected, "{games:?}");
        let backward: GameLengths = games.iter().rev().copied().collect();
        assert_eq!(backward, lengths, "in whatever order they are counted");
    }

    #[test]
    fn bars_go_from_the_shortest_to_the_longest_game() {
        check(&[], 8, 0, 1, &[]);
        check(&[7], 8, 7, 1, &[1]);
        check(&[5, 9, 7, 7, 9, 9], 8, 5, 1, &[1, 0, 2, 0, 3]);
        check(&[5, 9, 7, 7, 9, 9], 3, 5, 2, &[1, 2, 3]);
        check(&[5, 9], 0, 0, 1, &[]);
        check(&[0, 127], 128, 0, 1, &{
            let mut bars = [0; 128];
            (bars[0], bars[127]) = (1, 1);
            bars
        });
    }

    #[test]
    fn games_may_be_of_any_length() {
        check(&[1, 128, 129], 2, 0, 66, &[1, 2]);
        let long: GameLengths = (0..=u16::MAX).collect();
        let bars = long.bars(usize::MAX);
        assert_eq!((bars.step, bars.games), (512, vec![512; 128]));
        assert_eq!(long.range(), Some((0, u16::MAX)));
    }

    #[test]
    fn the_mean_is_exact() {
        let lengths: GameLengths = [40, 100, 100, 61].into_iter().collect();
        assert_eq!((lengths.games(), lengths.moves()), (4, 301));
        assert_eq!(lengths.mean(), Some(75.25));
        assert_eq!(GameLengths::default().mean(), None);
    }
}
