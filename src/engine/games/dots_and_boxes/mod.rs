//! Dots and boxes: a move draws an edge between two dots. The player who draws the last side of a
//! box owns the box and moves again. Closing a box is not compulsory, all edges are drawn, and most
//! boxes win (Weaver & Bossomaier 1996, "Rules").

use std::sync::Arc;

use crate::input_spec::InputSpec;
use crate::io_module::IoModule;
use crate::params::{ParamError, params};
use crate::rng::Stream;

use self::encode::{BoxesInputs, BoxesView};
use self::grid::{BoxGrid, MAX_EDGES, members};
use self::solve::EndgameOracle;
use super::board::{Board, MaxSize};
use super::endgame::EndgameQuery;
use super::heuristic::Heuristic;
use super::input_plane::InputPlane;
use super::oracle::Oracle;
use super::{
    Encoding, GameParams, GameShape, Heuristics, MoveComponent, Notation, NotationError, Outcome,
    Picture, Rules, Side, StartKind, after_random_moves, check_legal,
};

pub mod encode;
mod gain_table;
mod grid;
mod heuristics;
mod picture;
mod regions;
mod solve;
mod text;

params! {
    /// Dots and boxes on a rectangular board.
    pub struct DotsAndBoxesConfig {
        /// Number of rows of boxes.
        fixed rows: u16 = 3, in 1.0..=9.0, "boxes";
        /// Number of columns of boxes.
        fixed columns: u16 = 3, in 1.0..=9.0, "boxes";
        /// How the board is encoded for networks.
        input inputs: BoxesInputs = BoxesInputs::Edges;
    }
}

impl GameParams for DotsAndBoxesConfig {
    type Game = DotsAndBoxes;

    fn build(&self) -> DotsAndBoxes {
        let grid = BoxGrid::new(self.rows as u8, self.columns as u8);
        DotsAndBoxes {
            modules: self.inputs.modules(&grid),
            inputs: self.inputs,
            grid,
        }
    }

    fn problems(&self) -> Vec<ParamError> {
        let edges = BoxGrid::count_edges(self.rows, self.columns);
        let message = format!(
            "makes a board of {edges} edges with {} columns; the maximum is {MAX_EDGES}, as on 5x5 \
            or 4x6",
            self.columns
        );
        let too_many = edges > MAX_EDGES;
        too_many
            .then(|| ParamError::new("rows", message))
            .into_iter()
            .collect()
    }
}

/// The rules on one board and its encoding.
#[derive(Clone, Debug)]
pub struct DotsAndBoxes {
    grid: BoxGrid,
    inputs: BoxesInputs,
    /// The boxes as parts of the encoding.
    modules: Arc<[IoModule]>,
}

/// The drawn edges, the owners of the boxes and the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BoxesPosition {
    drawn: u64,
    /// The boxes of the first and of the second player; bits are numbered row by row.
    owned: [u64; 2],
    to_move: Side,
}

impl BoxesPosition {
    const NONE: Self = Self {
        drawn: 0,
        owned: [0; 2],
        to_move: Side::First,
    };

    /// The boxes of a player minus those of the opponent.
    fn lead(&self, side: Side) -> i32 {
        let boxes = |side: Side| self.owned[side.index()].count_ones() as i32;
        boxes(side) - boxes(side.opponent())
    }
}

/// The number of the edge to draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct EdgeMove(u8);

impl DotsAndBoxes {
    fn seen(state: &BoxesPosition, side: Side) -> BoxesView {
        BoxesView {
            drawn: state.drawn,
            lead: state.lead(side),
            on_turn: state.to_move == side,
        }
    }

    /// A position in which the first player is to move and `lead` boxes ahead. The other closed
    /// boxes have no owner.
    fn ahead_by(&self, drawn: u64, lead: i32) -> BoxesPosition {
        let closed = (0..self.grid.boxes.len()).filter(|&index| self.grid.sides(index, drawn) == 4);
        let ahead = closed.take(lead.unsigned_abs() as usize);
        let ahead = ahead.fold(0, |set, index| set | 1 << index);
        BoxesPosition {
            drawn,
            owned: if lead > 0 { [ahead, 0] } else { [0, ahead] },
            to_move: Side::First,
        }
    }

    /// Whether some box has three sides.
    fn has_third_side(&self, drawn: u64) -> bool {
        self.grid
            .boxes
            .iter()
            .any(|sides| (sides & drawn).count_ones() == 3)
    }
}

impl Rules for DotsAndBoxes {
    type State = BoxesPosition;
    type Move = EdgeMove;

    fn goal(&self) -> &'static str {
        "the player with the most boxes wins"
    }

    /// Openings have two random moves. With so few edges no box can be closed or given away, so
    /// that the reference players are not affected, but deterministic players get different games.
    fn start(&self, kind: StartKind, rng: &mut Stream) -> BoxesPosition {
        match kind {
            StartKind::Opening => after_random_moves(self, 2, rng),
            _ => self.standard_start(),
        }
    }

    fn standard_start(&self) -> BoxesPosition {
        BoxesPosition::NONE
    }

    fn to_move(&self, state: &BoxesPosition) -> Side {
        state.to_move
    }

    fn moves(&self, state: &BoxesPosition, out: &mut Vec<EdgeMove>) {
        out.extend(members(self.grid.all() & !state.drawn).map(EdgeMove));
    }

    fn count_moves(&self, state: &BoxesPosition) -> usize {
        (self.grid.all() & !state.drawn).count_ones() as usize
    }

    fn play(&self, state: &mut BoxesPosition, EdgeMove(edge): EdgeMove) {
        state.drawn |= 1 << edge;
        let closed = self.grid.closed_by(edge, state.drawn);
        if closed == 0 {
            state.to_move = state.to_move.opponent();
        } else {
            state.owned[state.to_move.index()] |= closed;
        }
    }

    fn outcome(&self, state: &BoxesPosition) -> Option<Outcome> {
        (state.drawn == self.grid.all()).then(|| match state.lead(Side::First) {
            0 => Outcome::Draw,
            1.. => Outcome::Win(Side::First),
            _ => Outcome::Win(Side::Second),
        })
    }

    /// The number of boxes.
    fn points(&self, state: &BoxesPosition) -> [u16; 2] {
        state.owned.map(|boxes| boxes.count_ones() as u16)
    }

    /// For the player to move only the drawn edges and the lead matter, not the side or the owners
    /// of the boxes.
    fn canonical(&self, state: &BoxesPosition) -> BoxesPosition {
        self.ahead_by(state.drawn, state.lead(state.to_move))
    }
}

impl Encoding for DotsAndBoxes {
    fn shape(&self) -> GameShape {
        GameShape {
            inputs: InputSpec {
                whole: Some(self.inputs.largest(&self.grid)),
                ..InputSpec::new(self.inputs.count(&self.grid))
            },
            components: vec![MoveComponent {
                name: "edge",
                low: 0,
                high: i32::from(self.grid.edges()) - 1,
            }],
            modules: Arc::clone(&self.modules),
            ..GameShape::default()
        }
    }

    fn encode(&self, state: &BoxesPosition, side: Side, out: &mut [f32]) {
        self.inputs.write(&self.grid, Self::seen(state, side), out);
    }

    fn input_planes(&self) -> Vec<InputPlane> {
        self.inputs.planes(&self.grid)
    }

    fn changes(
        &self,
        state: &BoxesPosition,
        action: EdgeMove,
        side: Side,
        out: &mut Vec<(u32, f32)>,
    ) {
        let mut after = *state;
        self.play(&mut after, action);
        let seen = [Self::seen(state, side), Self::seen(&after, side)];
        self.inputs.write_changes(&self.grid, action.0, seen, out);
    }

    fn decode_move(&self, state: &BoxesPosition, components: &[i32]) -> Option<EdgeMove> {
        let &[edge] = components else { return None };
        let edge = u8::try_from(edge).ok()?;
        let undrawn = self.grid.all() & !state.drawn;
        (edge < self.grid.edges() && undrawn >> edge & 1 == 1).then_some(EdgeMove(edge))
    }

    fn encode_move(&self, action: EdgeMove, out: &mut Vec<i32>) {
        out.push(action.0.into());
    }
}

impl Notation for DotsAndBoxes {
    fn move_text(&self, action: EdgeMove) -> String {
        text::edge(self.grid.location(action.0))
    }

    fn parse_move(&self, state: &BoxesPosition, text: &str) -> Result<EdgeMove, NotationError> {
        check_legal(self, state, EdgeMove(text::read_edge(&self.grid, text)?))
    }

    fn position_text(&self, state: &BoxesPosition) -> String {
        text::position(&self.grid, state, self.inputs.shows_score())
    }

    fn parse_position(&self, text: &str) -> Result<BoxesPosition, NotationError> {
        let (drawn, lead) = text::read_position(&self.grid, text)?;
        Ok(self.ahead_by(drawn, lead))
    }

    fn begins_move(&self, _: &BoxesPosition, first: char) -> bool {
        matches!(first, 'h' | 'v')
    }

    fn move_help(&self) -> &'static str {
        "h01 is horizontal, in row 0 and column 1; v20 is vertical"
    }
}

impl Picture for DotsAndBoxes {
    fn board(
        &self,
        state: &BoxesPosition,
        last: Option<(&BoxesPosition, EdgeMove)>,
        room: MaxSize,
    ) -> Board {
        picture::draw(&self.grid, state, last, room)
    }
}

impl Heuristics for DotsAndBoxes {
    /// The lead in boxes once the player to move has closed box after box, as long as there is one
    /// with three sides.
    fn settled_margin(&self, state: &BoxesPosition, side: Side) -> Option<i32> {
        let open = self.grid.closable(state.drawn) as i32;
        let gained = if side == state.to_move { open } else { -open };
        Some(state.lead(side) + gained)
    }

    fn moves_left(&self, state: &BoxesPosition) -> Option<u16> {
        Some(self.count_moves(state) as u16)
    }

    fn tabulated_end(&self) -> u16 {
        solve::tabulated_end(&self.grid)
    }

    /// A table is filled in at once, so that every margin is exact and nothing is canceled.
    fn solve_end(
        &self,
        state: &BoxesPosition,
        moves: &[EdgeMove],
        _query: EndgameQuery<'_>,
    ) -> Option<Vec<i32>> {
        solve::margins(&self.grid, state, moves)
    }

    fn oracle(&self) -> Option<Arc<dyn Oracle<Self>>> {
        Some(Arc::new(EndgameOracle::new(&self.grid)))
    }

    fn heuristics(&self) -> &'static [Heuristic] {
        &heuristics::HEURISTICS
    }

    /// The number of own boxes. Level 2 subtracts half a box for a third side if the opponent is to
    /// move.
    fn evaluate(&self, heuristic: usize, state: &BoxesPosition, side: Side) -> f32 {
        let boxes = state.owned[side.index()].count_ones() as f32;
        let gives_box = || state.to_move != side && self.has_third_side(state.drawn);
        if heuristic != heuristics::CLOSING && gives_box() {
            boxes - 0.5
        } else {
            boxes
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn played(game: &DotsAndBoxes, moves: &str) -> BoxesPosition {
        let mut state = game.standard_start();
        for word in moves.split_whitespace() {
            let action = game.parse_move(&state, word).expect("it is legal");
            game.play(&mut state, action);
        }
        state
    }

    #[test]
    fn a_player_who_closes_a_box_moves_again_but_closing_is_not_compulsory() {
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
            "closing it is not compulsory"
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
    fn boxes_that_can_be_closed_one_after_the_other_count_for_the_player_to_move() {
        let game = DotsAndBoxesConfig::default().build();
        let settled = |moves: &str, side| {
            let state = played(&game, moves);
            game.settled_margin(&state, side).expect("boxes are kept")
        };
        assert_eq!(settled("h00 h10 v01", Side::Second), 1);
        // A corridor of two boxes that is open at one end.
        let corridor = "h00 h10 h01 h11 v00";
        assert_eq!(settled(corridor, Side::Second), 2);
        assert_eq!(settled(corridor, Side::First), -2);
        // The first player has closed one of them and is to close the other.
        assert_eq!(settled("h00 h10 h01 h11 h22 v00 v01", Side::First), 2);
        assert_eq!(settled("h00 h22", Side::First), 0);
    }

    #[test]
    fn level_1_closes_boxes_and_level_2_gives_no_third_side() {
        let game = DotsAndBoxesConfig::default().build();
        // The box in the corner has three sides, the one next to it two.
        let state = played(&game, "h00 h10 v00 h01");
        let value = |heuristic: usize, word: &str| {
            let after = played(&game, &format!("h00 h10 v00 h01 {word}"));
            game.evaluate(heuristic, &after, state.to_move)
        };
        for heuristic in 0..2 {
            assert!(value(heuristic, "v01") > value(heuristic, "h22"));
        }
        let after = |moves: &str| {
            let state = played(&game, moves);
            game.evaluate(1, &state, state.to_move.opponent())
        };
        assert!(after("h00 h10 v00") < after("h00 h10 h22"));
    }
}
