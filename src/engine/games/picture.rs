//! Pictures of positions and moves. By default a grid of pieces, empty for a game without squares.

use super::Side;
use super::board::{Board, BoardCell, CellArea, CellRole, MaxSize, MoveTarget, Waypoint};
use super::game::{Grid, Squares};
use super::notation::Notation;

/// How a game is drawn.
pub trait Picture: Notation {
    /// The largest picture of the position that fits, with the last move marked.
    fn board(
        &self,
        state: &Self::State,
        last: Option<(&Self::State, Self::Move)>,
        room: MaxSize,
    ) -> Board {
        let Some(squares) = self.squares() else {
            return Board::new(0, 0);
        };
        let grid = squares.grid();
        let layout = GridLayout::new(grid, room);
        let changed = last.map_or_else(Vec::new, |(before, action)| {
            squares.path_from(before, action)
        });
        let mut board = layout.empty_board(room);
        for square in 0..grid.squares() as u16 {
            let area = layout.area(square);
            let piece = squares.piece(state, square, Side::First);
            board.put(area.x, area.y, piece_cell(piece, changed.contains(&square)));
        }
        layout.add_targets(self, squares, state, &mut board);
        board
    }

    /// The same game with its pictures turned by half a turn, for the other player. `None` if they
    /// look alike from all sides.
    fn turned(&self) -> Option<Self> {
        None
    }

    /// The number of frames in the animation of a move. The first shows the position before the
    /// move. 0 means no animation.
    fn animation_frame_count(&self, _action: Self::Move) -> usize {
        0
    }

    /// Frame `frame` of the animation of a move, below [`Picture::animation_frame_count`]. It has
    /// no targets.
    fn animation_frame(
        &self,
        _before: &Self::State,
        _action: Self::Move,
        _frame: usize,
        _room: MaxSize,
    ) -> Board {
        unreachable!("the moves of this game are not animated")
    }
}

/// A piece, marked if the last move changed it.
fn piece_cell(piece: i16, is_changed: bool) -> BoardCell {
    let (owner, glyphs, plain) = match piece {
        0 if is_changed => return BoardCell::new('·', '.', CellRole::Mark),
        0 => return BoardCell::new('·', '.', CellRole::Line),
        1.. => (Side::First, ['●', '◆'], ['x', 'X']),
        _ => (Side::Second, ['○', '◇'], ['o', 'O']),
    };
    let index = usize::from(piece.unsigned_abs() > 1);
    let role = if is_changed {
        CellRole::Taken(owner)
    } else {
        CellRole::Owned(owner)
    };
    BoardCell::new(glyphs[index], plain[index], role)
}

/// Where the squares of a grid are in a picture.
struct GridLayout {
    grid: Grid,
    /// The distance between neighboring squares, in characters.
    pitch: (u16, u16),
}

impl GridLayout {
    fn new(grid: Grid, room: MaxSize) -> Self {
        let is_wide = grid.columns * 4 <= room.width && grid.rows * 2 <= room.height;
        Self {
            grid,
            pitch: if is_wide { (4, 2) } else { (2, 1) },
        }
    }

    fn empty_board(&self, room: MaxSize) -> Board {
        let (across, down) = self.pitch;
        let (width, height) = (self.grid.columns * across, self.grid.rows * down);
        let size = (width.saturating_sub(1), height.saturating_sub(down - 1));
        Board::within(size, room)
    }

    /// The area of a square, with its piece in the first character.
    fn area(&self, square: u16) -> CellArea {
        let (across, down) = self.pitch;
        CellArea {
            x: square % self.grid.columns * across,
            y: square / self.grid.columns * down,
            width: 1,
            height: 1,
        }
    }

    /// The targets of the legal moves whose squares are all in the picture.
    fn add_targets<G: Notation>(
        &self,
        game: &G,
        squares: &dyn Squares<G>,
        state: &G::State,
        board: &mut Board,
    ) {
        let mut moves = Vec::new();
        game.moves(state, &mut moves);
        for action in moves {
            let path = squares.path_from(state, action).into_iter();
            let areas: Vec<CellArea> = path.map(|square| self.area(square)).collect();
            let fits = |area: &CellArea| area.x < board.width && area.y < board.height;
            let Some(&at) = areas.last().filter(|_| areas.iter().all(fits)) else {
                continue;
            };
            let stops = areas.iter().filter(|_| areas.len() > 1);
            board.targets.push(MoveTarget {
                at,
                path: stops
                    .map(|&at| Waypoint {
                        at,
                        marker: (at.x + 1, at.y),
                    })
                    .collect(),
                highlighted: areas,
                move_text: game.move_text(action),
                label_area: None,
            });
        }
    }
}
