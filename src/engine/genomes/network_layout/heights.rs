//! The height of each vertex: as near to its neighbors as the order and the distances of its column
//! allow, trunks before nodes, so that long edges run straight.

use super::TRUNK_SPACE;
use super::columns::LayerColumns;

/// Rounds over all columns, and a bound on rounds times vertices on large networks.
const ROUNDS: usize = 120;
const MAX_WORK: usize = 400_000;

/// How strongly a line pulls its ends together, by the number of ends that are bends.
const PULL: [f32; 3] = [1.0, 2.0, 8.0];

/// The height of each vertex, the smallest 0.
pub(super) fn assign(columns: &LayerColumns) -> Vec<f32> {
    let mut heights = vec![0.0; columns.vertices()];
    for column in &columns.order {
        let offsets = offsets(columns, column);
        let middle = offsets.last().map_or(0.0, |last| last / 2.0);
        for (&vertex, offset) in column.iter().zip(offsets) {
            heights[vertex] = offset - middle;
        }
    }
    let rounds = ROUNDS.min(2 + MAX_WORK / (columns.vertices() + 1));
    for round in 0..rounds {
        for step in 0..columns.order.len() {
            let column = if round % 2 == 0 {
                step
            } else {
                columns.order.len() - 1 - step
            };
            settle(columns, &columns.order[column], &mut heights);
        }
    }
    let drawn = columns.order.iter().flatten();
    let top = drawn
        .clone()
        .fold(f32::INFINITY, |top, &vertex| top.min(heights[vertex]));
    for &vertex in drawn {
        heights[vertex] -= top;
    }
    heights
}

/// The least height of each vertex of a column below the first.
fn offsets(columns: &LayerColumns, column: &[usize]) -> Vec<f32> {
    let mut offset = 0.0;
    let mut offsets = Vec::with_capacity(column.len());
    for (position, &vertex) in column.iter().enumerate() {
        if let Some(above) = position.checked_sub(1) {
            let bends = [column[above], vertex].map(|one| columns.is_bend(one));
            offset += match bends {
                [true, true] => TRUNK_SPACE,
                [false, false] => 1.0,
                _ => f32::midpoint(TRUNK_SPACE, 1.0),
            };
        }
        offsets.push(offset);
    }
    offsets
}

/// Moves the vertices of a column towards their neighbors: the least squares solution under the
/// distances, by pooling adjacent violators (Ayer et al. 1955).
fn settle(columns: &LayerColumns, column: &[usize], heights: &mut [f32]) {
    /// Vertices at their least distances, which move together.
    struct Block {
        count: usize,
        weight: f32,
        /// The weighted mean of the wanted heights less the offsets.
        height: f32,
    }
    let offsets = offsets(columns, column);
    let mut blocks: Vec<Block> = Vec::with_capacity(column.len());
    for (&vertex, offset) in column.iter().zip(&offsets) {
        let (weight, wanted) = wanted(columns, vertex, heights);
        let mut last = Block {
            count: 1,
            weight,
            height: wanted - offset,
        };
        while let Some(above) = blocks.pop_if(|above| above.height > last.height) {
            let weight = above.weight + last.weight;
            last = Block {
                count: above.count + last.count,
                height: (above.height * above.weight + last.height * last.weight) / weight,
                weight,
            };
        }
        blocks.push(last);
    }
    let settled = blocks
        .iter()
        .flat_map(|block| std::iter::repeat_n(block.height, block.count));
    for ((&vertex, offset), height) in column.iter().zip(&offsets).zip(settled) {
        heights[vertex] = height + offset;
    }
}

/// The weighted mean height of a vertex's neighbors and its weight. A vertex without neighbors
/// stays, with little weight.
fn wanted(columns: &LayerColumns, vertex: usize, heights: &[f32]) -> (f32, f32) {
    let mut weight = 0.0;
    let mut sum = 0.0;
    for &other in columns.before[vertex].iter().chain(&columns.after[vertex]) {
        let bends = [vertex, other]
            .into_iter()
            .filter(|&one| columns.is_bend(one));
        let pull = PULL[bends.count()];
        weight += pull;
        sum += pull * heights[other];
    }
    if weight > 0.0 {
        (weight, sum / weight)
    } else {
        (0.1, heights[vertex])
    }
}
