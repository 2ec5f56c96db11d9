//! The order of the vertices of each column: sweeps by barycenter and median, and swaps of
//! neighbors. The best order seen is kept, counted by crossings, so that the result never has more
//! than the natural order.

use super::columns::LayerColumns;

/// Most rounds of two sweeps, and the number of rounds without improvement after which the search
/// ends.
const ROUNDS: usize = 24;
const PATIENCE: usize = 6;

/// Bounds the rounds on large networks: lines times rounds.
const MAX_WORK: usize = 100_000;

/// Lines beyond which neighbors are not swapped.
const MAX_SWAPPED: usize = 2_000;

/// Sorts each column; returns the number of crossings.
pub(super) fn reduce_crossings(columns: &mut LayerColumns) -> usize {
    let mut positions = positions(columns);
    let mut best = (crossings(columns, &positions), columns.order.clone());
    let rounds = ROUNDS.min(1 + MAX_WORK / (columns.lines() + 1));
    let mut since_best = 0;
    for round in 0..rounds {
        if best.0 == 0 || since_best == PATIENCE {
            break;
        }
        let mean = if round % 2 == 0 { barycenter } else { median };
        let count = columns.order.len();
        for column in 1..count {
            sort_column(columns, NeighborSide::Before, column, mean, &mut positions);
        }
        for column in (0..count.saturating_sub(1)).rev() {
            sort_column(columns, NeighborSide::After, column, mean, &mut positions);
        }
        if columns.lines() <= MAX_SWAPPED {
            swap_neighbors(columns, &mut positions);
        }
        since_best += 1;
        let found = crossings(columns, &positions);
        if found < best.0 {
            best = (found, columns.order.clone());
            since_best = 0;
        }
    }
    columns.order = best.1;
    best.0
}

/// The column that a column is sorted by.
#[derive(Clone, Copy)]
enum NeighborSide {
    Before,
    After,
}

impl NeighborSide {
    fn neighbors(self, columns: &LayerColumns) -> &[Vec<usize>] {
        match self {
            Self::Before => &columns.before,
            Self::After => &columns.after,
        }
    }
}

/// The index of each vertex in its column.
fn positions(columns: &LayerColumns) -> Vec<usize> {
    let mut positions = vec![0; columns.vertices()];
    for column in &columns.order {
        place(column, &mut positions);
    }
    positions
}

fn place(column: &[usize], positions: &mut [usize]) {
    for (position, &vertex) in column.iter().enumerate() {
        positions[vertex] = position;
    }
}

/// Sorts a column by the mean position of its neighbors. A vertex without neighbors keeps its
/// relative position.
fn sort_column(
    columns: &mut LayerColumns,
    side: NeighborSide,
    column: usize,
    mean: fn(&mut [usize]) -> f64,
    positions: &mut [usize],
) {
    let other = match side {
        NeighborSide::Before => column - 1,
        NeighborSide::After => column + 1,
    };
    let scale = columns.order[other].len() as f64 / columns.order[column].len().max(1) as f64;
    let key = |vertex: usize| {
        let neighbors = side.neighbors(columns)[vertex].iter();
        let mut found: Vec<usize> = neighbors.map(|&other| positions[other]).collect();
        if found.is_empty() {
            positions[vertex] as f64 * scale
        } else {
            mean(&mut found)
        }
    };
    let order = columns.order[column].iter();
    let mut keyed: Vec<(f64, usize)> = order.map(|&vertex| (key(vertex), vertex)).collect();
    keyed.sort_by(|a, b| a.0.total_cmp(&b.0));
    columns.order[column] = keyed.into_iter().map(|(_, vertex)| vertex).collect();
    place(&columns.order[column], positions);
}

fn barycenter(positions: &mut [usize]) -> f64 {
    positions.iter().sum::<usize>() as f64 / positions.len() as f64
}

fn median(positions: &mut [usize]) -> f64 {
    positions.sort_unstable();
    let (low, high) = (
        positions[(positions.len() - 1) / 2],
        positions[positions.len() / 2],
    );
    (low + high) as f64 / 2.0
}

/// Swaps neighbors of a column as long as that removes crossings.
fn swap_neighbors(columns: &mut LayerColumns, positions: &mut [usize]) {
    const PASSES: usize = 8;
    for _ in 0..PASSES {
        let mut has_swapped = false;
        for column in 0..columns.order.len() {
            for upper in 1..columns.order[column].len() {
                let pair = [
                    columns.order[column][upper - 1],
                    columns.order[column][upper],
                ];
                if gain(columns, pair, positions) > 0 {
                    columns.order[column].swap(upper - 1, upper);
                    positions.swap(pair[0], pair[1]);
                    has_swapped = true;
                }
            }
        }
        if !has_swapped {
            break;
        }
    }
}

/// The number of crossings that swapping two neighbors removes.
fn gain(columns: &LayerColumns, [upper, lower]: [usize; 2], positions: &[usize]) -> i64 {
    let mut gain = 0;
    for side in [NeighborSide::Before, NeighborSide::After] {
        let neighbors = side.neighbors(columns);
        for &one in &neighbors[upper] {
            for &other in &neighbors[lower] {
                gain += match positions[one].cmp(&positions[other]) {
                    std::cmp::Ordering::Greater => 1,
                    std::cmp::Ordering::Less => -1,
                    std::cmp::Ordering::Equal => 0,
                };
            }
        }
    }
    gain
}

/// The number of crossings of the order as it is.
#[cfg(test)]
pub(super) fn crossings_of(columns: &LayerColumns) -> usize {
    crossings(columns, &positions(columns))
}

/// The number of crossings between all neighboring columns.
fn crossings(columns: &LayerColumns, positions: &[usize]) -> usize {
    let pairs = columns.order.windows(2);
    pairs
        .map(|pair| crossings_between(columns, &pair[0], pair[1].len(), positions))
        .sum()
}

/// Counts crossings with a Fenwick tree (Barth, Jünger & Mutzel 2002): a line crosses the lines
/// that start above it and end below it.
fn crossings_between(
    columns: &LayerColumns,
    left: &[usize],
    right: usize,
    positions: &[usize],
) -> usize {
    let mut tree = vec![0; right + 1];
    let mut seen = 0;
    let mut found = 0;
    for &vertex in left {
        let ends = columns.after[vertex].iter();
        let ends: Vec<usize> = ends.map(|&other| positions[other] + 1).collect();
        for &end in &ends {
            found += seen - sum_up_to(&tree, end);
        }
        for &end in &ends {
            add(&mut tree, end);
        }
        seen += ends.len();
    }
    found
}

/// The number of ends at positions 1 to `end`.
fn sum_up_to(tree: &[usize], mut end: usize) -> usize {
    let mut sum = 0;
    while end > 0 {
        sum += tree[end];
        end &= end - 1;
    }
    sum
}

fn add(tree: &mut [usize], mut end: usize) {
    while end < tree.len() {
        tree[end] += 1;
        end += end & end.wrapping_neg();
    }
}
