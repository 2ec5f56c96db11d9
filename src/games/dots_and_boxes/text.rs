//! Edges and positions as text: `h01` and `v20`, `3x3:h00,v12`.

use super::Lines;
use super::grid::{Grid, Place, members};

pub(super) fn edge(place: Place) -> String {
    match place {
        Place::Horizontal(row, column) => format!("h{row}{column}"),
        Place::Vertical(row, column) => format!("v{row}{column}"),
    }
}

/// The number of the edge that a text names.
pub(super) fn read_edge(grid: &Grid, text: &str) -> Result<u8, String> {
    let fault = || {
        format!(
            "`{text}` is not an edge; write h, row 0 to {} and column 0 to {}, or v, row 0 to {} and column 0 to {}, such as h01",
            grid.rows,
            grid.columns - 1,
            grid.rows - 1,
            grid.columns
        )
    };
    let mut letters = text.trim().chars();
    let kind = letters.next().map(|letter| letter.to_ascii_lowercase());
    let mut digit = || letters.next().and_then(|letter| letter.to_digit(10));
    let (row, column) = digit().zip(digit()).ok_or_else(fault)?;
    let (row, column) = (row as u8, column as u8);
    let place = match kind {
        Some('h') if row <= grid.rows && column < grid.columns => Place::Horizontal(row, column),
        Some('v') if row < grid.rows && column <= grid.columns => Place::Vertical(row, column),
        _ => return Err(fault()),
    };
    if letters.next().is_some() {
        return Err(fault());
    }
    Ok(grid.edge(place))
}

/// The board and its drawn edges, and where it is wanted how far the player to move is ahead.
pub(super) fn position(grid: &Grid, state: &Lines, score: bool) -> String {
    let edges: Vec<String> = members(state.drawn)
        .map(|number| edge(grid.place(number)))
        .collect();
    let (rows, columns) = (grid.rows, grid.columns);
    let mut text = format!("{rows}x{columns}");
    if !edges.is_empty() {
        text = format!("{text}:{}", edges.join(","));
    }
    match state.lead(state.to_move) {
        lead if score && lead != 0 => format!("{text} {lead:+}"),
        _ => text,
    }
}

/// Reads which edges are drawn, and how many boxes the player to move is ahead.
pub(super) fn read_position(grid: &Grid, text: &str) -> Result<(u64, i32), String> {
    let (rows, columns) = (grid.rows, grid.columns);
    let fault = |what: String| {
        format!(
            "`{text}` is not a position: {what}; write the board and the edges drawn, such as {rows}x{columns}:h00,v01"
        )
    };
    let (board, lead) = text.trim().split_once(' ').unwrap_or((text.trim(), ""));
    let (size, edges) = board.split_once(':').unwrap_or((board, ""));
    if size != format!("{rows}x{columns}") {
        return Err(fault(format!("the board is {rows}x{columns}")));
    }
    let mut drawn = 0;
    for word in edges.split(',').filter(|_| !edges.is_empty()) {
        let bit = 1 << read_edge(grid, word)?;
        if drawn & bit != 0 {
            return Err(fault(format!("{word} is drawn twice")));
        }
        drawn |= bit;
    }
    let lead: i32 = match lead.trim() {
        "" => 0,
        lead => lead.parse().map_err(|_| {
            fault(format!(
                "`{lead}` is not how far the player to move is ahead"
            ))
        })?,
    };
    let closed = (0..grid.boxes.len()).filter(|&index| grid.sides(index, drawn) == 4);
    let closed = closed.count();
    if lead.unsigned_abs() as usize > closed {
        return Err(fault(format!("only {closed} boxes are closed")));
    }
    Ok((drawn, lead))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::Side;

    #[test]
    fn every_edge_is_named_by_its_row_and_column() {
        let grid = Grid::new(3, 3);
        assert_eq!(read_edge(&grid, "h00"), Ok(0));
        assert_eq!(read_edge(&grid, " H32 "), Ok(11));
        assert_eq!(read_edge(&grid, "v00"), Ok(12));
        assert_eq!(read_edge(&grid, "v23"), Ok(23));
        for text in ["", "h", "h03", "h40", "v30", "v04", "x00", "h000", "h-1"] {
            let fault = read_edge(&grid, text).expect_err("there is none");
            assert!(fault.contains("row 0 to 3 and column 0 to 2"), "{fault}");
        }
    }

    fn check_fault(text: &str, expected: &str) {
        let fault = read_position(&Grid::new(2, 2), text).expect_err("it is faulty");
        assert!(fault.contains(expected), "{text}: {fault}");
    }

    #[test]
    fn positions_that_make_no_sense_are_refused_with_the_reason() {
        check_fault("3x3", "the board is 2x2");
        check_fault("2x2:h00,h00", "h00 is drawn twice");
        check_fault("2x2:h00,z", "`z` is not an edge");
        check_fault("2x2:h00 +1", "only 0 boxes are closed");
        check_fault("2x2:h00 one", "`one` is not how far");
    }

    #[test]
    fn a_position_says_how_far_the_player_to_move_is_ahead_where_that_is_wanted() {
        let grid = Grid::new(1, 1);
        let text = "1x1:h00,h10,v00,v01 -1";
        assert_eq!(read_position(&grid, text), Ok((0b1111, -1)));
        let state = Lines {
            drawn: 0b1111,
            owned: [0, 1],
            to_move: Side::First,
        };
        assert_eq!(position(&grid, &state, true), text);
        assert_eq!(position(&grid, &state, false), "1x1:h00,h10,v00,v01");
    }
}
