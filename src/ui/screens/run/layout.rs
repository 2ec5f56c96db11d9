//! Which panes the Run screen shows and where, by the room there is. Width and height are judged apart.

use ratatui::layout::Rect;

/// The panes of the Run screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pane {
    Objective,
    Fitness,
    Size,
    /// The population where it lives.
    Map,
    /// The champion's first layer on the board.
    Weights,
    /// Wins against earlier champions, and the length of games.
    Past,
    Sample,
    Champion,
    /// How long the games of a generation were.
    Lengths,
    Speed,
    Knobs,
    Events,
}

impl Pane {
    /// Whether it shows columns over the course of the run.
    pub fn is_chart(self) -> bool {
        matches!(self, Objective | Fitness | Size | Past)
    }
}

/// The panes that take the place of those that say little of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cast {
    /// In the place of [`Pane::Size`].
    pub size: Pane,
    /// In the place of [`Pane::Past`].
    pub past: Pane,
}

impl Default for Cast {
    fn default() -> Self {
        Self {
            size: Size,
            past: Past,
        }
    }
}

impl Cast {
    /// The pane in a place.
    fn of(self, pane: Pane) -> Pane {
        match pane {
            Size => self.size,
            Past => self.past,
            other => other,
        }
    }
}

/// How much room there is in one direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Tier {
    Small,
    Medium,
    Large,
}

/// The smallest terminal that shows more than a card.
pub const LEAST: (u16, u16) = (60, 18);

/// The tier of so many columns.
pub fn wide(width: u16) -> Tier {
    match width {
        0..100 => Small,
        100..160 => Medium,
        _ => Large,
    }
}

/// The tier of so many rows.
pub fn tall(height: u16) -> Tier {
    match height {
        0..30 => Small,
        30..50 => Medium,
        _ => Large,
    }
}

/// A row of panes: its share of the height in percent, and each pane's share of the width.
type Row = (u16, &'static [(Pane, u16)]);

use Pane::{Champion, Events, Fitness, Knobs, Lengths, Map, Objective, Past, Sample, Size, Speed};
use Tier::{Large, Medium, Small};

/// The rows for the room there is. In medium width the columns are uneven: the right one is for the game and for lists.
fn rows(width: Tier, height: Tier, cast: Cast) -> &'static [Row] {
    match (width, height) {
        // A board is taller than stacks of matches, and fewer measures are taken.
        (Small, Small) if cast.size == Map => &[
            (67, &[(Objective, 64), (Sample, 36)]),
            (33, &[(Champion, 64), (Size, 36)]),
        ],
        (Small, Small) => &[
            (60, &[(Objective, 64), (Sample, 36)]),
            (40, &[(Champion, 64), (Size, 36)]),
        ],
        // A torus of ten rows fits.
        (Medium, Medium) if cast.size == Map => &[
            (41, &[(Objective, 64), (Sample, 36)]),
            (33, &[(Fitness, 32), (Size, 32), (Champion, 36)]),
            (26, &[(Past, 64), (Events, 36)]),
        ],
        (Small, Medium) => &[
            (40, &[(Objective, 60), (Sample, 40)]),
            (30, &[(Fitness, 50), (Size, 50)]),
            (30, &[(Champion, 60), (Events, 40)]),
        ],
        (Small, Large) => &[
            (32, &[(Objective, 60), (Sample, 40)]),
            (24, &[(Fitness, 50), (Size, 50)]),
            (22, &[(Past, 50), (Champion, 50)]),
            (22, &[(Events, 64), (Speed, 36)]),
        ],
        (Medium, Small) => &[
            (60, &[(Objective, 66), (Sample, 34)]),
            (40, &[(Champion, 38), (Fitness, 31), (Size, 31)]),
        ],
        (Medium, Medium) => &[
            (43, &[(Objective, 64), (Sample, 36)]),
            (30, &[(Fitness, 32), (Size, 32), (Champion, 36)]),
            (27, &[(Past, 64), (Events, 36)]),
        ],
        (Medium, Large) => &[
            (38, &[(Objective, 64), (Sample, 36)]),
            (24, &[(Fitness, 32), (Size, 32), (Champion, 36)]),
            (20, &[(Past, 64), (Speed, 36)]),
            (18, &[(Events, 36), (Lengths, 28), (Knobs, 36)]),
        ],
        (Large, Small) => &[
            (60, &[(Objective, 50), (Fitness, 25), (Sample, 25)]),
            (40, &[(Champion, 34), (Size, 33), (Events, 33)]),
        ],
        (Large, Medium) => &[
            (45, &[(Objective, 50), (Fitness, 25), (Sample, 25)]),
            (29, &[(Champion, 34), (Size, 33), (Past, 33)]),
            (26, &[(Events, 40), (Lengths, 20), (Knobs, 20), (Speed, 20)]),
        ],
        (Large, Large) => &[
            (44, &[(Objective, 50), (Fitness, 25), (Sample, 25)]),
            (28, &[(Champion, 34), (Size, 33), (Past, 33)]),
            (28, &[(Events, 40), (Lengths, 20), (Knobs, 20), (Speed, 20)]),
        ],
    }
}

/// The panes a terminal of this size shows, in the order of the focus.
pub fn panes(width: u16, height: u16, cast: Cast) -> Vec<Pane> {
    let rows = rows(wide(width), tall(height), cast).iter();
    rows.flat_map(|(_, panes)| panes.iter().map(|(pane, _)| cast.of(*pane)))
        .collect()
}

/// Where each pane goes in the body of a terminal whose tiers are given.
pub fn place(body: Rect, width: Tier, height: Tier, cast: Cast) -> Vec<(Pane, Rect)> {
    let mut placed = Vec::new();
    let rows = rows(width, height, cast);
    let heights = divide(body.height, rows.iter().map(|row| row.0));
    let mut y = body.y;
    for ((_, panes), height) in rows.iter().zip(heights) {
        let widths = divide(body.width, panes.iter().map(|pane| pane.1));
        let mut x = body.x;
        for ((pane, _), width) in panes.iter().zip(widths) {
            placed.push((cast.of(*pane), Rect::new(x, y, width, height)));
            x += width;
        }
        y += height;
    }
    placed
}

/// A length cut in shares of a hundred, without loss.
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
                let placed = place(body, width, height, Cast::default());
                let cells: u32 = placed.iter().map(|(_, area)| area.area()).sum();
                assert_eq!(cells, body.area(), "{width:?} {height:?}");
                let kept = [Objective, Sample, Champion];
                for pane in kept {
                    assert!(placed.iter().any(|(placed, _)| *placed == pane));
                }
            }
        }
    }
}
