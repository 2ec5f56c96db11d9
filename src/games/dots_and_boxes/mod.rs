//! Dots and boxes: a move draws an edge between two dots; whoever draws the last side of a box has the box and moves again. Nobody
//! need close a box, all edges are drawn, and most boxes win (Weaver & Bossomaier 1996, "Rules").

use std::sync::Arc;

use rand::RngExt;

use crate::params::{Problem, params};
use crate::rng::Stream;

use self::encode::{Inputs, Seen};
use self::grid::{Grid, MOST_EDGES, members};
use self::solve::Endings;
use super::board::{Board, Room};
use super::oracle::Oracle;
use super::reference::Judge;
use super::sheet::Sheet;
use super::{Component, Game, Outcome, Playable, Shape, Side, legal};

pub mod encode;
mod grid;
mod judges;
mod picture;
mod solve;
mod text;

params! {
    /// Dots and boxes on a board of any shape.
    pub struct DotsAndBoxesConfig {
        /// Rows of boxes.
        fixed rows: u16 = 3, in 1.0..=9.0, "boxes";
        /// Columns of boxes.
        fixed columns: u16 = 3, in 1.0..=9.0, "boxes";
        /// The numbers by which a network sees the board.
        fixed inputs: Inputs = Inputs::Edges;
    }
}

impl Playable for DotsAndBoxesConfig {
    type Game = DotsAndBoxes;

    fn build(&self) -> DotsAndBoxes {
        DotsAndBoxes {
            grid: Grid::new(self.rows as u8, self.columns as u8),
            inputs: self.inputs,
        }
    }

    fn problems(&self) -> Vec<Problem> {
        let edges = Grid::count_edges(self.rows, self.columns);
        let message = format!(
            "makes a board of {edges} edges with {} columns; there may be {MOST_EDGES}, as on 5x5 or 4x6",
            self.columns
        );
        let too_many = edges > MOST_EDGES;
        too_many
            .then(|| Problem::new("rows", message))
            .into_iter()
            .collect()
    }
}

/// The rules on one board, and how a network sees it.
#[derive(Clone, Debug)]
pub struct DotsAndBoxes {
    grid: Grid,
    inputs: Inputs,
}

/// The edges drawn, who owns which boxes, and whose turn it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Lines {
    drawn: u64,
    /// The boxes of the first and of the second player, row by row.
    owned: [u64; 2],
    to_move: Side,
}

impl Lines {
    const NONE: Self = Self {
        drawn: 0,
        owned: [0; 2],
        to_move: Side::First,
    };

    /// Boxes of a player less those of the other.
    fn lead(&self, side: Side) -> i32 {
        let boxes = |side: Side| self.owned[side.index()].count_ones() as i32;
        boxes(side) - boxes(side.other())
    }
}

/// An edge to draw, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Edge(u8);

impl DotsAndBoxes {
    fn seen(state: &Lines, side: Side) -> Seen {
        Seen {
            drawn: state.drawn,
            lead: state.lead(side),
            on_turn: state.to_move == side,
        }
    }

    /// A position in which the first player is to move and so many boxes ahead; the other closed boxes belong to nobody.
    fn ahead_by(&self, drawn: u64, lead: i32) -> Lines {
        let closed = (0..self.grid.boxes.len()).filter(|&index| self.grid.sides(index, drawn) == 4);
        let ahead = closed.take(lead.unsigned_abs() as usize);
        let ahead = ahead.fold(0, |set, index| set | 1 << index);
        Lines {
            drawn,
            owned: if lead > 0 { [ahead, 0] } else { [0, ahead] },
            to_move: Side::First,
        }
    }

    /// Whether some box lacks nothing but one side.
    fn has_third_side(&self, drawn: u64) -> bool {
        self.grid
            .boxes
            .iter()
            .any(|sides| (sides & drawn).count_ones() == 3)
    }
}

impl Game for DotsAndBoxes {
    type State = Lines;
    type Move = Edge;

    fn shape(&self) -> Shape {
        Shape {
            inputs: self.inputs.count(&self.grid),
            features: None,
            components: vec![Component {
                name: "edge",
                low: 0,
                high: i32::from(self.grid.edges()) - 1,
            }],
            choices: Vec::new(),
        }
    }

    fn start(&self, _rng: &mut Stream) -> Lines {
        Lines::NONE
    }

    fn standard_start(&self) -> Lines {
        Lines::NONE
    }

    /// Two edges at random: nobody can close a box, or be made to, before there are more, so that what the reference players
    /// do is the same, while players that leave nothing to chance get to see different games.
    fn opening(&self, rng: &mut Stream) -> Lines {
        let mut state = Lines::NONE;
        for _ in 0..2 {
            let undrawn: Vec<u8> = members(self.grid.all() & !state.drawn).collect();
            self.play(
                &mut state,
                Edge(undrawn[rng.random_range(0..undrawn.len())]),
            );
        }
        state
    }

    fn oracle(&self) -> Option<Arc<dyn Oracle<Self>>> {
        Some(Arc::new(Endings::new(&self.grid)))
    }

    fn to_move(&self, state: &Lines) -> Side {
        state.to_move
    }

    fn moves(&self, state: &Lines, out: &mut Vec<Edge>) {
        out.extend(members(self.grid.all() & !state.drawn).map(Edge));
    }

    fn count_moves(&self, state: &Lines) -> usize {
        (self.grid.all() & !state.drawn).count_ones() as usize
    }

    fn play(&self, state: &mut Lines, Edge(edge): Edge) {
        state.drawn |= 1 << edge;
        let closed = self.grid.closed_by(edge, state.drawn);
        if closed == 0 {
            state.to_move = state.to_move.other();
        } else {
            state.owned[state.to_move.index()] |= closed;
        }
    }

    fn outcome(&self, state: &Lines) -> Option<Outcome> {
        (state.drawn == self.grid.all()).then(|| match state.lead(Side::First) {
            0 => Outcome::Draw,
            1.. => Outcome::Win(Side::First),
            _ => Outcome::Win(Side::Second),
        })
    }

    /// The boxes.
    fn points(&self, state: &Lines) -> [u16; 2] {
        state.owned.map(|boxes| boxes.count_ones() as u16)
    }

    fn encode(&self, state: &Lines, side: Side, out: &mut [f32]) {
        self.inputs.write(&self.grid, Self::seen(state, side), out);
    }

    fn sheets(&self) -> Vec<Sheet> {
        self.inputs.sheets(&self.grid)
    }

    fn changes(&self, state: &Lines, action: Edge, side: Side, out: &mut Vec<(u32, f32)>) {
        let mut after = *state;
        self.play(&mut after, action);
        let seen = [Self::seen(state, side), Self::seen(&after, side)];
        self.inputs.write_changes(&self.grid, action.0, seen, out);
    }

    fn interpret(&self, state: &Lines, wish: &[i32]) -> Option<Edge> {
        let &[edge] = wish else { return None };
        let edge = u8::try_from(edge).ok()?;
        let undrawn = self.grid.all() & !state.drawn;
        (edge < self.grid.edges() && undrawn >> edge & 1 == 1).then_some(Edge(edge))
    }

    fn describe(&self, action: Edge, out: &mut Vec<i32>) {
        out.push(action.0.into());
    }

    /// Neither whose turn it is nor who owns which box makes a difference to the player to move, but how far it is ahead does.
    fn canonical(&self, state: &Lines) -> Lines {
        self.ahead_by(state.drawn, state.lead(state.to_move))
    }

    fn judges(&self) -> &'static [Judge] {
        &judges::JUDGES
    }

    /// Own boxes; level 2 gives half of one for a third side, unless it closed a box, for it moves on then.
    fn appraise(&self, judge: usize, state: &Lines, side: Side) -> f32 {
        let boxes = state.owned[side.index()].count_ones() as f32;
        let careless = || state.to_move != side && self.has_third_side(state.drawn);
        if judge != judges::CLOSING && careless() {
            boxes - 0.5
        } else {
            boxes
        }
    }

    fn board(&self, state: &Lines, last: Option<(&Lines, Edge)>, room: Room) -> Board {
        picture::draw(&self.grid, state, last, room)
    }

    fn move_text(&self, action: Edge) -> String {
        text::edge(self.grid.place(action.0))
    }

    fn parse_move(&self, state: &Lines, text: &str) -> Result<Edge, String> {
        legal(self, state, Edge(text::read_edge(&self.grid, text)?))
    }

    fn position_text(&self, state: &Lines) -> String {
        text::position(&self.grid, state, self.inputs.shows_score())
    }

    fn parse_position(&self, text: &str) -> Result<Lines, String> {
        let (drawn, lead) = text::read_position(&self.grid, text)?;
        Ok(self.ahead_by(drawn, lead))
    }

    fn move_help(&self) -> &'static str {
        "h01 is horizontal, in row 0 and column 1; v20 is vertical"
    }

    fn goal(&self) -> &'static str {
        "whoever closes most boxes wins"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn played(game: &DotsAndBoxes, moves: &str) -> Lines {
        let mut state = game.standard_start();
        for word in moves.split_whitespace() {
            let action = game.parse_move(&state, word).expect("it is legal");
            game.play(&mut state, action);
        }
        state
    }

    #[test]
    fn whoever_closes_a_box_moves_again_and_nobody_has_to() {
        let config = DotsAndBoxesConfig {
            rows: 1,
            columns: 2,
            ..DotsAndBoxesConfig::default()
        };
        let game = config.build();
        let state = played(&game, "h00 h10 v00 h01");
        assert_eq!(state.to_move, Side::First, "three sides of a box are drawn");
        assert!(
            game.parse_move(&state, "v02").is_ok(),
            "it need not be closed"
        );
        let state = played(&game, "h00 h10 v00 v01 h01");
        assert_eq!(game.points(&state), [0, 1]);
        assert_eq!(state.to_move, Side::First, "the second moved again");
        let state = played(&game, "h00 h10 v00 h01 h11 v02 v01");
        assert_eq!(game.points(&state), [2, 0], "an edge may close two boxes");
        assert_eq!(game.outcome(&state), Some(Outcome::Win(Side::First)));
    }

    #[test]
    fn a_board_of_an_even_number_of_boxes_may_be_drawn() {
        let config = DotsAndBoxesConfig {
            rows: 1,
            columns: 2,
            ..DotsAndBoxesConfig::default()
        };
        let game = config.build();
        let state = played(&game, "h00 h10 v00 h01 v01 h11 v02");
        assert_eq!(game.outcome(&state), Some(Outcome::Draw));
    }

    #[test]
    fn boards_of_more_than_64_edges_are_refused() {
        let config = |rows, columns| DotsAndBoxesConfig {
            rows,
            columns,
            ..DotsAndBoxesConfig::default()
        };
        assert_eq!(config(5, 5).problems(), []);
        let problems = config(6, 5).problems();
        assert!(problems[0].to_string().contains("71 edges"), "{problems:?}");
    }

    #[test]
    fn level_1_closes_boxes_and_level_2_gives_no_third_side() {
        let game = DotsAndBoxesConfig::default().build();
        // The box in the corner has three sides, the one beside it two.
        let state = played(&game, "h00 h10 v00 h01");
        let value = |judge: usize, word: &str| {
            let after = played(&game, &format!("h00 h10 v00 h01 {word}"));
            game.appraise(judge, &after, state.to_move)
        };
        for judge in 0..2 {
            assert!(value(judge, "v01") > value(judge, "h22"));
        }
        let after = |moves: &str| {
            let state = played(&game, moves);
            game.appraise(1, &state, state.to_move.other())
        };
        assert!(after("h00 h10 v00") < after("h00 h10 h22"));
    }
}
