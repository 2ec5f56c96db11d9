//! The table of gains: for every set of drawn edges, the largest difference in boxes that the
//! player to move can still achieve. Edges and boxes are bits here; the board is not known.
//!
//! A set of drawn edges comes after the sets that contain it. The sets that differ only in the
//! lowest edges form a block, whose gains are computed in parallel: drawing any other edge leads to
//! another block, which is known. Plain loops over the lanes of a block become vector instructions:
//! a 3x3 board takes 40 ms, set by set it took 0.7 s.

/// The number of the lowest edges, whose sets are the lanes of a block. With fewer lanes the
/// compiler replaces the loops by single steps, which take twice as long.
const LOW: usize = 6;
const LANES: usize = 1 << LOW;

/// A gain for each set of the lowest edges, as a byte: the gain plus [`ZERO`]. A byte of 0 is below
/// all gains. The bytes have no sign, because the basic instructions of x86-64 find the larger of
/// two vectors of bytes only without signs.
type GainLanes = [u8; LANES];

/// The byte of a gain of 0.
const ZERO: u8 = 128;

/// For each number of undrawn low edges, the lanes that have as many.
static LEVELS: [GainLanes; LOW + 1] = levels();

const fn levels() -> [GainLanes; LOW + 1] {
    let mut levels = [[0; LANES]; LOW + 1];
    let mut lane = 0;
    while lane < LANES {
        levels[LOW - lane.count_ones() as usize][lane] = u8::MAX;
        lane += 1;
    }
    levels
}

/// The gains for every set of drawn edges.
#[derive(Debug)]
pub(super) struct GainTable {
    blocks: Vec<GainLanes>,
}

impl GainTable {
    /// The table of `edges` edges. `open` are the boxes that can be closed: their undrawn edges.
    pub(super) fn new(edges: usize, open: &[u32]) -> Self {
        let edge = |index: usize| {
            if index < edges {
                EdgeGain::new(1 << index, open)
            } else {
                EdgeGain::missing(1 << index)
            }
        };
        let low: [EdgeGain; LOW] = std::array::from_fn(edge);
        let high: Vec<EdgeGain> = (LOW..edges).map(edge).collect();
        let mut blocks = vec![[0; LANES]; 1 << high.len()];
        let all = blocks.len() - 1;
        blocks[all][LANES - 1] = ZERO;
        for drawn in (0..blocks.len()).rev() {
            let mut best = blocks[drawn];
            let mut undrawn = all & !drawn;
            while undrawn != 0 {
                let edge = undrawn.trailing_zeros() as usize;
                undrawn &= undrawn - 1;
                let after = &blocks[drawn | 1 << edge];
                high[edge].draw(drawn as u32).raise(after, &mut best);
            }
            blocks[drawn] = draw_low(&low, drawn as u32, best);
        }
        Self { blocks }
    }

    /// The gain with the edges `drawn`.
    pub(super) fn gain(&self, drawn: usize) -> i32 {
        i32::from(self.blocks.as_flattened()[drawn]) - i32::from(ZERO)
    }
}

/// The best gains of a block if the low edges may be drawn too. `best` are those of drawing the
/// other edges.
fn draw_low(low: &[EdgeGain; LOW], drawn: u32, best: GainLanes) -> GainLanes {
    // Behind the lanes there is room, since the lanes with one more edge begin further on.
    let mut gains = [0; LANES + LANES / 2];
    gains[..LANES].copy_from_slice(&best);
    for level in &LEVELS[1..] {
        let mut found = [0; LANES];
        for (index, edge) in low.iter().enumerate() {
            let after = gains[1 << index..].first_chunk();
            let after = after.expect("no edge moves the lanes by more than half of them");
            edge.draw(drawn).raise(after, &mut found);
        }
        for lane in 0..LANES {
            gains[lane] = gains[lane].max(found[lane] & level[lane]);
        }
    }
    *gains.first_chunk().expect("there is room for more")
}

/// An edge, with what drawing it does.
struct EdgeGain {
    /// For each of the boxes next to it, the other sides that are not low edges. All bits are set
    /// if there is no second box.
    others: [u32; 2],
    /// What drawing it does, by whether the others of the first (bit 0) and the second box (bit 1)
    /// are drawn.
    draws: [Draw; 4],
}

impl EdgeGain {
    fn new(edge: u32, open: &[u32]) -> Self {
        let beside = open.iter().filter(|&&sides| sides & edge != 0);
        let mut beside = beside.map(|sides| sides & !edge);
        let others = [beside.next(), beside.next()];
        let draws = std::array::from_fn(|drawn| {
            let boxes = others.iter().enumerate();
            let boxes = boxes.filter(|(bit, _)| drawn >> bit & 1 == 1);
            let closable: Vec<u32> = boxes.filter_map(|(_, &others)| others).collect();
            Draw::closing(edge, &closable)
        });
        Self {
            others: others.map(|others| others.map_or(u32::MAX, |others| others >> LOW)),
            draws,
        }
    }

    /// An edge that does not exist. Drawing it changes no gain.
    fn missing(edge: u32) -> Self {
        Self {
            others: [u32::MAX; 2],
            draws: std::array::from_fn(|_| Draw::new(edge, |_| (0, 0))),
        }
    }

    /// What drawing it does in a block.
    fn draw(&self, drawn: u32) -> &Draw {
        let [one, other] = self.others.map(|others| usize::from(others & !drawn == 0));
        &self.draws[one + 2 * other]
    }
}

/// How the gain after drawing an edge becomes a gain before it, in each lane: bits are flipped,
/// then a number is added. An edge that closes no box negates the gain, because the opponent moves
/// next; otherwise the number of boxes is added.
struct Draw {
    flipped: GainLanes,
    added: GainLanes,
    /// All bits of the lanes in which the edge is undrawn.
    kept: GainLanes,
}

impl Draw {
    /// `change` returns the flipped bits and the added number of a lane.
    fn new(edge: u32, change: impl Fn(usize) -> (u8, u8)) -> Self {
        let mut draw = Self {
            flipped: [0; LANES],
            added: [0; LANES],
            kept: [0; LANES],
        };
        for lane in (0..LANES).filter(|&lane| lane as u32 & edge == 0) {
            draw.kept[lane] = u8::MAX;
            (draw.flipped[lane], draw.added[lane]) = change(lane);
        }
        draw
    }

    /// `closable` are the boxes next to the edge of which only low sides may be undrawn.
    fn closing(edge: u32, closable: &[u32]) -> Self {
        Self::new(edge, |lane| {
            let closed = |&&sides: &&u32| (sides as usize % LANES) & !lane == 0;
            match closable.iter().filter(closed).count() {
                0 => (u8::MAX, 1),
                boxes => (0, boxes as u8),
            }
        })
    }

    /// Raises the best gains to those of drawing the edge.
    fn raise(&self, after: &GainLanes, best: &mut GainLanes) {
        for lane in 0..LANES {
            let gain = (after[lane] ^ self.flipped[lane]).wrapping_add(self.added[lane]);
            best[lane] = best[lane].max(gain & self.kept[lane]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::dots_and_boxes::grid::BoxGrid;

    /// The gains by their definition, set by set.
    fn defined(edges: usize, open: &[u32]) -> Vec<i32> {
        let mut gains = vec![0; 1 << edges];
        for drawn in (0..gains.len() - 1).rev() {
            let undrawn = (0..edges).filter(|edge| drawn >> edge & 1 == 0);
            let gain = |edge: usize| {
                let after = drawn | 1 << edge;
                let closed =
                    |&&sides: &&u32| sides >> edge & 1 == 1 && sides & !(after as u32) == 0;
                match open.iter().filter(closed).count() {
                    0 => -gains[after],
                    boxes => boxes as i32 + gains[after],
                }
            };
            gains[drawn] = undrawn.map(gain).max().expect("an edge is undrawn");
        }
        gains
    }

    fn check(edges: usize, open: &[u32]) {
        let table = GainTable::new(edges, open);
        for (drawn, gain) in defined(edges, open).into_iter().enumerate() {
            assert_eq!(
                table.gain(drawn),
                gain,
                "{edges} edges, {drawn:b} of {open:?}"
            );
        }
    }

    #[test]
    fn every_gain_of_a_small_board_is_as_defined() {
        for (rows, columns) in [
            (1, 1),
            (1, 2),
            (2, 1),
            (1, 3),
            (4, 1),
            (2, 2),
            (2, 3),
            (3, 2),
        ] {
            let grid = BoxGrid::new(rows, columns);
            let boxes: Vec<u32> = grid.boxes.iter().map(|&sides| sides as u32).collect();
            check(grid.edges().into(), &boxes);
        }
    }

    #[test]
    fn every_gain_of_an_endgame_is_as_defined() {
        check(0, &[]);
        check(1, &[0b1]);
        check(1, &[0b1, 0b1]);
        check(3, &[0b11, 0b110]);
        check(7, &[0b1000001, 0b1100000, 0b10010, 0b100, 0b100, 0b1000]);
    }
}
