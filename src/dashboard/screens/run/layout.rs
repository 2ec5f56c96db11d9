//! Which panes the Run screen shows and where, by terminal size. Width and height are classified
//! separately.

use ratatui::layout::Rect;

/// The panes of the Run screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunPane {
    Objective,
    Fitness,
    Size,
    /// The champion's network.
    Network,
    /// A heat map of the population in its space.
    Map,
    /// The champion's first layer on the board.
    Weights,
    /// The champion's decision in each position.
    Table,
    /// Wins against earlier champions and the length of games.
    Past,
    Sample,
    Champion,
    /// A histogram of the game lengths of a generation.
    Lengths,
    Events,
}

impl RunPane {
    /// Whether the pane is a chart over the course of the run.
    pub fn is_chart(self) -> bool {
        matches!(self, Objective | Fitness | Size | Past)
    }
}

/// Panes shown in place of others that say little about a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PaneSubstitutes {
    /// In place of [`RunPane::Size`].
    pub size: RunPane,
    /// In place of [`RunPane::Past`].
    pub past: RunPane,
    /// Whether games differ in length. Without that, [`RunPane::Lengths`] shows nothing.
    pub has_lengths: bool,
    /// Whether [`RunPane::Past`] has a line that moves.
    pub has_past: bool,
    /// Whether the game has a tall board, which needs room, or a board of squares, and a line or
    /// maps for [`RunPane::Past`].
    pub has_board: bool,
}

impl Default for PaneSubstitutes {
    fn default() -> Self {
        Self {
            size: Size,
            past: Past,
            has_lengths: true,
            has_past: true,
            has_board: false,
        }
    }
}

impl PaneSubstitutes {
    /// The pane shown in place of `pane`.
    fn resolve(self, pane: RunPane) -> RunPane {
        match pane {
            Size => self.size,
            Past => self.past,
            other => other,
        }
    }

    /// Whether `pane` has anything to show; its room is that of a neighbor else.
    fn shows(self, pane: RunPane) -> bool {
        match pane {
            Lengths => self.has_lengths,
            Past => self.has_past,
            _ => true,
        }
    }
}

/// The room in one direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SizeClass {
    Small,
    Medium,
    Large,
}

/// The size class of a terminal of `width` columns.
pub fn width_class(width: u16) -> SizeClass {
    match width {
        0..100 => Small,
        100..160 => Medium,
        _ => Large,
    }
}

/// The size class of a terminal of `height` rows.
pub fn height_class(height: u16) -> SizeClass {
    match height {
        0..30 => Small,
        30..50 => Medium,
        _ => Large,
    }
}

/// A row of panes: its share of the height in percent, and its columns: panes one below the other,
/// with the share of the width in percent.
type PaneRow = (u16, &'static [(&'static [RunPane], u16)]);

use RunPane::{
    Champion, Events, Fitness, Lengths, Map, Network, Objective, Past, Sample, Size, Weights,
};
use SizeClass::{Large, Medium, Small};

/// The rows of panes for a size class. At medium width the right column is narrower: it holds the
/// game and lists.
fn rows(width: SizeClass, height: SizeClass, substitutes: PaneSubstitutes) -> &'static [PaneRow] {
    match (width, height) {
        // A board is taller than heaps of matches, and there are fewer measures.
        (Small, Small) if substitutes.has_board || substitutes.size == Map => &[
            (67, &[(&[Objective], 61), (&[Sample], 39)]),
            (33, &[(&[Champion], 61), (&[Size], 39)]),
        ],
        // Squares of two rows.
        (Medium, Medium) if substitutes.has_board && substitutes.size == Size => &[
            (63, &[(&[Objective], 64), (&[Sample], 36)]),
            (
                37,
                &[(&[Fitness], 31), (&[Past], 33), (&[Champion, Events], 36)],
            ),
        ],
        (Medium, Medium) if substitutes.has_board => &[
            (63, &[(&[Objective], 64), (&[Sample], 36)]),
            (
                37,
                &[(&[Size], 31), (&[Past], 33), (&[Champion, Events], 36)],
            ),
        ],
        (Small, Small) => &[
            (56, &[(&[Objective], 64), (&[Sample], 36)]),
            (44, &[(&[Champion], 64), (&[Size], 36)]),
        ],
        // The rows are tall enough for a torus of ten rows.
        (Medium, Medium) if substitutes.size == Map => &[
            (41, &[(&[Objective], 64), (&[Sample], 36)]),
            (33, &[(&[Fitness], 32), (&[Size], 32), (&[Champion], 36)]),
            (26, &[(&[Past], 64), (&[Events], 36)]),
        ],
        // A network needs height.
        (Medium, Medium) if substitutes.size == Network => &[
            (48, &[(&[Objective], 64), (&[Sample], 36)]),
            (
                52,
                &[
                    (&[Size], 40),
                    (&[Fitness, Past], 24),
                    (&[Champion, Events], 36),
                ],
            ),
        ],
        (Small, Medium) => &[
            (40, &[(&[Objective], 60), (&[Sample], 40)]),
            (30, &[(&[Fitness], 50), (&[Size], 50)]),
            (30, &[(&[Champion], 60), (&[Events], 40)]),
        ],
        (Small, Large) => &[
            (32, &[(&[Objective], 60), (&[Sample], 40)]),
            (24, &[(&[Fitness], 50), (&[Size], 50)]),
            (22, &[(&[Past], 50), (&[Champion], 50)]),
            (22, &[(&[Events], 100)]),
        ],
        (Medium, Small) => &[
            (60, &[(&[Objective], 66), (&[Sample], 34)]),
            (40, &[(&[Champion], 38), (&[Fitness], 31), (&[Size], 31)]),
        ],
        (Medium, Medium) => &[
            (43, &[(&[Objective], 64), (&[Sample], 36)]),
            (30, &[(&[Fitness], 32), (&[Size], 32), (&[Champion], 36)]),
            (27, &[(&[Past], 64), (&[Events], 36)]),
        ],
        (Medium, Large) => &[
            (34, &[(&[Objective], 64), (&[Sample], 36)]),
            (32, &[(&[Size], 64), (&[Champion], 36)]),
            (16, &[(&[Fitness], 32), (&[Past], 32), (&[Lengths], 36)]),
            (18, &[(&[Events], 100)]),
        ],
        (Large, Small) => &[
            (60, &[(&[Objective], 50), (&[Size], 25), (&[Sample], 25)]),
            (40, &[(&[Champion], 34), (&[Fitness], 33), (&[Events], 33)]),
        ],
        (Large, _) if substitutes.size == Size && substitutes.past == Weights => &[
            (57, &[(&[Objective], 42), (&[Past], 30), (&[Sample], 28)]),
            (
                43,
                &[
                    (&[Champion, Events], 34),
                    (&[Fitness, Size], 38),
                    (&[Lengths], 28),
                ],
            ),
        ],
        (Large, _) if substitutes.has_board && substitutes.has_past => &[
            (57, &[(&[Objective], 42), (&[Size], 30), (&[Sample], 28)]),
            (
                43,
                &[(&[Champion, Events], 34), (&[Past], 38), (&[Lengths], 28)],
            ),
        ],
        (Large, _) => &[
            (57, &[(&[Objective], 45), (&[Size], 30), (&[Sample], 25)]),
            (
                43,
                &[
                    (&[Champion, Events], 34),
                    (&[Fitness, Past], 41),
                    (&[Lengths], 25),
                ],
            ),
        ],
    }
}

/// The panes shown by a terminal of this size, in focus order.
pub fn visible_panes(width: u16, height: u16, substitutes: PaneSubstitutes) -> Vec<RunPane> {
    let classes = (width_class(width), height_class(height));
    let placed = place_panes(Rect::default(), classes.0, classes.1, substitutes);
    placed.into_iter().map(|(pane, _)| pane).collect()
}

/// The area of each pane in `body`, for the size classes of the terminal.
pub fn place_panes(
    body: Rect,
    width: SizeClass,
    height: SizeClass,
    substitutes: PaneSubstitutes,
) -> Vec<(RunPane, Rect)> {
    let (mut placed, mut free) = (Vec::<(RunPane, Rect)>::new(), Vec::new());
    let rows = rows(width, height, substitutes);
    let heights = divide(body.height, rows.iter().map(|row| row.0));
    let mut y = body.y;
    for ((_, columns), height) in rows.iter().zip(heights) {
        let widths = divide(body.width, columns.iter().map(|column| column.1));
        let mut x = body.x;
        for ((panes, _), width) in columns.iter().zip(widths) {
            let shown = panes.iter().filter(|pane| substitutes.shows(**pane));
            let count = shown.clone().count();
            let mut top = y;
            for (index, pane) in shown.enumerate() {
                let part = (y + height - top) / (count - index) as u16;
                placed.push((substitutes.resolve(*pane), Rect::new(x, top, width, part)));
                top += part;
            }
            if count == 0 {
                free.push(Rect::new(x, y, width, height));
            }
            x += width;
        }
        y += height;
    }
    for free in free {
        let columns = free.left()..free.right();
        let is_above = |area: &Rect| area.bottom() == free.y && columns.contains(&area.x);
        let fits = |area: &Rect| is_above(area) && area.right() <= free.right();
        let has_above = placed.iter().any(|(_, area)| fits(area));
        for (_, area) in &mut placed {
            if fits(area) {
                area.height += free.height;
            } else if !has_above && (area.right(), area.bottom()) == (free.x, free.bottom()) {
                area.width += free.width;
            }
        }
    }
    placed
}

/// Divides a length by shares in percent; the parts add up to the length.
fn divide(length: u16, shares: impl Iterator<Item = u16>) -> Vec<u16> {
    let mut begun = 0;
    let mut reached = 0;
    let cut = |share: u16| (u32::from(length) * u32::from(share) / 100) as u16;
    let part = |share: u16| {
        reached += share;
        let part = cut(reached) - begun;
        begun = cut(reached);
        part
    };
    shares.map(part).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn panes_fill_the_body_at_every_tier() {
        for width in [Small, Medium, Large] {
            for height in [Small, Medium, Large] {
                let body = Rect::new(0, 2, 101, 37);
                for bits in 0..8 {
                    let [has_lengths, has_past, has_board] = [1, 2, 4].map(|bit| bits & bit == bit);
                    let substitutes = PaneSubstitutes {
                        has_lengths,
                        has_past,
                        has_board,
                        ..PaneSubstitutes::default()
                    };
                    let placed = place_panes(body, width, height, substitutes);
                    let cells: u32 = placed.iter().map(|(_, area)| area.area()).sum();
                    assert_eq!(cells, body.area(), "{width:?} {height:?} {bits}");
                    let always_shown = [Objective, Sample, Champion];
                    for pane in always_shown {
                        assert!(placed.iter().any(|(placed, _)| *placed == pane));
                    }
                    for (pane, shown) in [(Lengths, has_lengths), (Past, has_past)] {
                        let has = placed.iter().any(|(placed, _)| *placed == pane);
                        assert!(shown || !has, "{width:?} {height:?}");
                    }
                }
            }
        }
    }
}
