//! Edges and positions as text: `h01` and `v20`, `3x3:h00,v12`.

use crate::games::NotationError;

use super::BoxesPosition;
use super::grid::{BoxGrid, EdgeLocation, members};

pub(super) fn edge(location: EdgeLocation) -> String {
    match location {
        EdgeLocation::Horizontal(row, column) => format!("h{row}{column}"),
        EdgeLocation::Vertical(row, column) => format!("v{row}{column}"),
    }
}

/// Parses an edge and returns its number.
pub(super) fn read_edge(grid: &BoxGrid, text: &str) -> Result<u8, NotationError> {
    let error = || {
        NotationError::from(format!(
            "`{text}` is not an edge; write h, row 0 to {} and column 0 to {}, or v, row 0 to {} \
            and column 0 to {}, such as h01",
            grid.rows,
            grid.columns - 1,
            grid.rows - 1,
            grid.columns
        ))
    };
    let mut letters = text.trim().chars();
    let kind = letters.next().map(|letter| letter.to_ascii_lowercase());
    let mut digit = || letters.next().and_then(|letter| letter.to_digit(10));
    let (row, column) = digit().zip(digit()).ok_or_else(error)?;
    let (row, column) = (row as u8, column as u8);
    let location = match kind {
        Some('h') if row <= grid.rows && column < grid.columns => {
            EdgeLocation::Horizontal(row, column)
        }
        Some('v') if row < grid.rows && column <= grid.columns => {
            EdgeLocation::Vertical(row, column)
        }
        _ => return Err(error()),
    };
    if letters.next().is_some() {
        return Err(error());
    }
    Ok(grid.edge(location))
}

/// The board size, the drawn edges and, with `score`, the lead of the player to move.
pub(super) fn position(grid: &BoxGrid, state: &BoxesPosition, score: bool) -> String {
    let edges: Vec<String> = members(state.drawn)
        .map(|number| edge(grid.location(number)))
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

/// Parses the drawn edges and the lead of the player to move, in boxes.
pub(super) fn read_position(grid: &BoxGrid, text: &str) -> Result<(u64, i32), NotationError> {
    let (rows, columns) = (grid.rows, grid.columns);
    let error = |what: String| {
        NotationError::from(format!(
            "`{text}` is not a position: {what}; write the board size and the drawn edges, such as \
            {rows}x{columns}:h00,v01"
        ))
    };
    let (board, lead) = text.trim().split_once(' ').unwrap_or((text.trim(), ""));
    let (size, edges) = board.split_once(':').unwrap_or((board, ""));
    if size != format!("{rows}x{columns}") {
        return Err(error(format!("the board is {rows}x{columns}")));
    }
    let mut drawn = 0;
    for word in edges.split(',').filter(|_| !edges.is_empty()) {
        let bit = 1 << read_edge(grid, word)?;
        if drawn & bit != 0 {
            return Err(error(format!("{word} is drawn twice")));
        }
        drawn |= bit;
    }
    let lead: i32 = match lead.trim() {
        "" => 0,
        lead => lead.parse().map_err(|_| {
            error(format!(
                "`{lead}` is not a number of boxes that the player to move is ahead"
            ))
        })?,
    };
    let closed = (0..grid.boxes.len()).filter(|&index| grid.sides(index, drawn) == 4);
    let closed = closed.count();
    if lead.unsigned_abs() as usize > closed {
        return Err(error(format!("only {closed} boxes are closed")));
    }
    Ok((drawn, lead))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::Side;

    #[test]
    fn every_edge_is_named_by_its_row_and_column() {
        let grid = BoxGrid::new(3, 3);
        assert_eq!(read_edge(&grid, "h00"), Ok(0));
        assert_eq!(read_edge(&grid, " H32 "), Ok(11));
        assert_eq!(read_edge(&grid, "v00"), Ok(12));
        assert_eq!(read_edge(&grid, "v23"), Ok(23));
        for text in ["", "h", "h03", "h40", "v30", "v04", "x00", "h000", "h-1"] {
            let error = read_edge(&grid, text)
                .expect_err("there is none")
                .to_string();
            assert!(error.contains("row 0 to 3 and column 0 to 2"), "{error}");
        }
    }

    fn check_error(text: &str, expected: &str) {
        let error = read_position(&BoxGrid::new(2, 2), text)
            .expect_err("it is invalid")
            .to_string();
        assert!(error.contains(expected), "{text}: {error}");
    }

    #[test]
    fn errors_of_positions_say_what_is_wrong() {
        check_error("3x3", "the board is 2x2");
        check_error("2x2:h00,h00", "h00 is drawn twice");
        check_error("2x2:h00,z", "`z` is not an edge");
        check_error("2x2:h00 +1", "only 0 boxes are closed");
        check_error("2x2:h00 one", "`one` is not a number of boxes");
    }

    #[test]
    fn a_position_includes_the_lead_on_request() {
        let grid = BoxGrid::new(1, 1);
        let text = "1x1:h00,h10,v00,v01 -1";
        assert_eq!(read_position(&grid, text), Ok((0b1111, -1)));
        let state = BoxesPosition {
            drawn: 0b1111,
            owned: [0, 1],
            to_move: Side::First,
        };
        assert_eq!(position(&grid, &state, true), text);
        assert_eq!(position(&grid, &state, false), "1x1:h00,h10,v00,v01");
    }
}
