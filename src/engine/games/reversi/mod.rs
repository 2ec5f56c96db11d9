//! Reversi (Othello): a new disc flips every row of enemy discs between it and another own disc;
//! most discs win. A player without such a move passes; when neither player has one, the game is
//! over (World Othello Federation, rules of Othello).

use std::sync::Arc;

use crate::input_spec::InputSpec;
use crate::params::params;
use crate::rng::Stream;

use self::bits::{FlipEngine, squares};
use self::encode::{ChangeList, DiscPlacement, DiscView, ReversiInputs};
use self::endgame::Discs;
use self::successors::{SuccessorSigns, Successors};
use super::board::{Board, MaxSize};
use super::endgame::EndgameQuery;
use super::heuristic::Heuristic;
use super::input_plane::InputPlane;
use super::transcript::TranscriptFormat;
use super::{
    Encoding, GameParams, GameShape, Heuristics, MoveComponent, Notation, NotationError, Outcome,
    Picture, Rules, Side, StartKind, after_random_moves, check_legal,
};

mod bits;
pub mod encode;
mod endgame;
mod heuristics;
mod picture;
mod record;
mod successors;
mod text;
#[cfg(target_arch = "x86_64")]
mod wide;
#[cfg(target_arch = "x86_64")]
mod wider;

params! {
    /// Reversi on the 8x8 board from the standard start.
    pub struct ReversiConfig {
        /// How the board is encoded for networks.
        input inputs: ReversiInputs = ReversiInputs::Signed;
    }
}

impl GameParams for ReversiConfig {
    type Game = Reversi;

    fn build(&self) -> Reversi {
        Reversi {
            inputs: self.inputs,
            bits: FlipEngine::detect(),
        }
    }
}

/// The rules of Reversi and the encoding of the board.
#[derive(Clone, Debug)]
pub struct Reversi {
    inputs: ReversiInputs,
    bits: FlipEngine,
}

/// The discs on the board (bit 0 is a1, bit 7 is h1) and the side to move. `First` has the black
/// discs.
///
/// Invariant: `legal` holds the squares where the player to move may place a disc. Only
/// `Reversi::position` and `Reversi::play` compute it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ReversiPosition {
    /// The discs of the player to move and of the opponent.
    own: u64,
    enemy: u64,
    legal: u64,
    to_move: Side,
}

impl ReversiPosition {
    /// The discs of a player.
    pub fn discs(&self, side: Side) -> u64 {
        if side == self.to_move {
            self.own
        } else {
            self.enemy
        }
    }

    fn view_of(&self, side: Side) -> DiscView {
        DiscView {
            own: self.discs(side),
            enemy: self.discs(side.opponent()),
        }
    }
}

/// The square of a new disc, or a pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ReversiMove(u8);

impl ReversiMove {
    /// The only legal move if no disc can be placed.
    pub const PASS: Self = Self(64);

    /// The bit of the new disc; 0 for a pass.
    fn disc(self) -> u64 {
        1_u64.checked_shl(self.0.into()).unwrap_or(0)
    }
}

impl Reversi {
    /// The same rules without SIMD instructions.
    #[must_use]
    pub fn portable(self) -> Self {
        Self {
            bits: FlipEngine::portable(),
            ..self
        }
    }

    fn position(&self, own: u64, enemy: u64, to_move: Side) -> ReversiPosition {
        ReversiPosition {
            own,
            enemy,
            legal: self.bits.moves(own, enemy),
            to_move,
        }
    }

    /// Whether the player to move can only pass.
    fn must_pass(&self, state: &ReversiPosition) -> bool {
        state.legal == 0 && self.bits.moves(state.enemy, state.own) != 0
    }

    fn step(&self, state: &ReversiPosition, action: ReversiMove) -> DiscPlacement {
        let disc = action.disc();
        DiscPlacement {
            disc,
            turned: self.bits.flips(disc, state.own, state.enemy),
        }
    }
}

const D4: u64 = 1 << 27;
const E4: u64 = 1 << 28;
const D5: u64 = 1 << 35;
const E5: u64 = 1 << 36;

impl Rules for Reversi {
    type State = ReversiPosition;
    type Move = ReversiMove;

    fn goal(&self) -> &'static str {
        "the player with more discs at the end wins"
    }

    /// Openings have four random moves.
    fn start(&self, kind: StartKind, rng: &mut Stream) -> ReversiPosition {
        match kind {
            StartKind::Opening => after_random_moves(self, 4, rng),
            _ => self.standard_start(),
        }
    }

    fn standard_start(&self) -> ReversiPosition {
        self.position(E4 | D5, D4 | E5, Side::First)
    }

    fn to_move(&self, state: &ReversiPosition) -> Side {
        state.to_move
    }

    fn moves(&self, state: &ReversiPosition, out: &mut Vec<ReversiMove>) {
        out.extend(squares(state.legal).map(ReversiMove));
        if self.must_pass(state) {
            out.push(ReversiMove::PASS);
        }
    }

    fn count_moves(&self, state: &ReversiPosition) -> usize {
        match state.legal.count_ones() {
            0 => usize::from(self.must_pass(state)),
            count => count as usize,
        }
    }

    fn play(&self, state: &mut ReversiPosition, action: ReversiMove) {
        let disc = action.disc();
        let (turned, legal) = self.bits.play(disc, state.own, state.enemy);
        *state = ReversiPosition {
            own: state.enemy & !turned,
            enemy: state.own | disc | turned,
            legal,
            to_move: state.to_move.opponent(),
        };
    }

    fn outcome(&self, state: &ReversiPosition) -> Option<Outcome> {
        if state.legal != 0 || self.must_pass(state) {
            return None;
        }
        let [first, second] =
            [Side::First, Side::Second].map(|side| state.discs(side).count_ones());
        Some(match first.cmp(&second) {
            std::cmp::Ordering::Greater => Outcome::Win(Side::First),
            std::cmp::Ordering::Equal => Outcome::Draw,
            std::cmp::Ordering::Less => Outcome::Win(Side::Second),
        })
    }

    /// The number of discs.
    fn points(&self, state: &ReversiPosition) -> [u16; 2] {
        [Side::First, Side::Second].map(|side| state.discs(side).count_ones() as u16)
    }

    fn is_pass(&self, action: ReversiMove) -> bool {
        action == ReversiMove::PASS
    }

    /// Swapping the colors does not change the game for the player to move.
    fn canonical(&self, state: &ReversiPosition) -> ReversiPosition {
        ReversiPosition {
            to_move: Side::First,
            ..*state
        }
    }
}

impl Encoding for Reversi {
    /// The components are a column, 1 for a, and a row, 1 at the top.
    fn shape(&self) -> GameShape {
        let line = |name| MoveComponent {
            name,
            low: 1,
            high: 8,
        };
        GameShape {
            inputs: InputSpec {
                projection: self.inputs.projection().map(Arc::new),
                whole: Some(1),
                board: self.inputs.board().map(Arc::new),
                ..InputSpec::new(self.inputs.count())
            },
            components: vec![line("column"), line("row")],
            ..GameShape::default()
        }
    }

    fn encode(&self, state: &ReversiPosition, side: Side, out: &mut [f32]) {
        encode::encode(self.inputs, state.view_of(side), out);
    }

    fn input_planes(&self) -> Vec<InputPlane> {
        encode::planes(self.inputs)
    }

    fn changes(
        &self,
        state: &ReversiPosition,
        action: ReversiMove,
        side: Side,
        out: &mut Vec<(u32, f32)>,
    ) {
        let step = self.step(state, action);
        let mut after = *state;
        after.own |= step.disc | step.turned;
        after.enemy &= !step.turned;
        encode::changes(self.inputs, after.view_of(side), step, out);
    }

    /// Dispatches on the machine's instruction set once, not once per move.
    fn successors(
        &self,
        state: &ReversiPosition,
        side: Side,
        moves: &mut Vec<ReversiMove>,
        changes: &mut Vec<(u32, f32)>,
        ends: &mut Vec<u32>,
    ) {
        moves.clear();
        ends.clear();
        let by_own = side == state.to_move;
        let mut list = Successors {
            moves: &mut *moves,
            steps: ChangeList::new(self.inputs, state.view_of(side), by_own, changes),
            ends: &mut *ends,
        };
        self.bits
            .each_flips(state.legal, state.own, state.enemy, &mut list);
        if self.must_pass(state) {
            moves.push(ReversiMove::PASS);
            ends.push(0);
        }
    }

    fn successor_signs(
        &self,
        state: &ReversiPosition,
        side: Side,
        moves: &mut Vec<ReversiMove>,
        signs: &mut Vec<[u64; 2]>,
    ) -> Option<[u64; 2]> {
        if self.inputs == ReversiInputs::OwnEnemy {
            return None;
        }
        let count = state.legal.count_ones() as usize;
        moves.clear();
        moves.reserve(count + 1);
        signs.clear();
        signs.reserve(count + 1);
        let mut list = SuccessorSigns {
            before: [state.own, state.enemy],
            by_own: side == state.to_move,
            moves: &mut *moves,
            signs: &mut *signs,
        };
        self.bits
            .each_flips(state.legal, state.own, state.enemy, &mut list);
        let DiscView { own, enemy } = state.view_of(side);
        if self.must_pass(state) {
            moves.push(ReversiMove::PASS);
            signs.push([own, enemy]);
        }
        Some([own, enemy])
    }

    /// If passing is the only legal move, any components mean a pass.
    fn decode_move(&self, state: &ReversiPosition, components: &[i32]) -> Option<ReversiMove> {
        let &[column, row] = components else {
            return None;
        };
        if state.legal == 0 {
            return self.must_pass(state).then_some(ReversiMove::PASS);
        }
        let on_board = (1..=8).contains(&column) && (1..=8).contains(&row);
        let place = on_board.then(|| ReversiMove(((row - 1) * 8 + column - 1) as u8))?;
        (place.disc() & state.legal != 0).then_some(place)
    }

    /// A pass is encoded as a1, since any components mean a pass.
    fn encode_move(&self, action: ReversiMove, out: &mut Vec<i32>) {
        let square = i32::from(action.0 % 64);
        out.extend([square % 8 + 1, square / 8 + 1]);
    }
}

impl Notation for Reversi {
    fn move_text(&self, action: ReversiMove) -> String {
        text::of_move(action)
    }

    fn parse_move(
        &self,
        state: &ReversiPosition,
        text: &str,
    ) -> Result<ReversiMove, NotationError> {
        check_legal(self, state, text::to_move(text)?)
    }

    fn position_text(&self, state: &ReversiPosition) -> String {
        text::of_position(state)
    }

    fn parse_position(&self, text: &str) -> Result<ReversiPosition, NotationError> {
        let (own, enemy, to_move) = text::to_position(text)?;
        Ok(self.position(own, enemy, to_move))
    }

    /// The squares without separators and without passes, such as `d3c3b3`.
    fn record_text(&self, actions: &[ReversiMove]) -> String {
        record::write(actions)
    }

    /// Squares need no spaces between them.
    fn record_moves(&self, word: &str) -> Vec<String> {
        record::moves(word)
    }

    fn transcript_format(&self) -> TranscriptFormat {
        TranscriptFormat {
            players: ["Black", "White"],
            states_start: false,
            ..TranscriptFormat::default()
        }
    }

    fn begins_move(&self, _: &ReversiPosition, first: char) -> bool {
        matches!(first, 'a'..='h' | 'p')
    }

    fn move_help(&self) -> &'static str {
        "d3 is column d, row 3; pass if there is no other move"
    }
}

impl Picture for Reversi {
    fn board(
        &self,
        state: &ReversiPosition,
        last: Option<(&ReversiPosition, ReversiMove)>,
        room: MaxSize,
    ) -> Board {
        picture::draw(self, state, last, room)
    }
}

impl Heuristics for Reversi {
    /// The number of empty squares.
    fn moves_left(&self, state: &ReversiPosition) -> Option<u16> {
        Some((state.own | state.enemy).count_zeros() as u16)
    }

    fn solve_end(
        &self,
        state: &ReversiPosition,
        moves: &[ReversiMove],
        query: EndgameQuery<'_>,
    ) -> Option<Vec<i32>> {
        let (own, enemy) = (state.own, state.enemy);
        let discs: Vec<u64> = moves.iter().map(|action| action.disc()).collect();
        endgame::margins(self.bits, Discs { own, enemy }, &discs, query)
    }

    fn heuristics(&self) -> &'static [Heuristic] {
        &heuristics::HEURISTICS
    }

    fn evaluate(&self, heuristic: usize, state: &ReversiPosition, side: Side) -> f32 {
        let (own, enemy) = (state.discs(side), state.discs(side.opponent()));
        if heuristic == heuristics::GREEDY {
            heuristics::disc_difference(own, enemy)
        } else {
            heuristics::weighted_squares(own, enemy)
        }
    }
}

#[cfg(test)]
mod tests {
    use rand::RngExt;

    use super::*;
    use crate::games::rules::count_sequences;
    use crate::games::transcript::read_record;
    use crate::rng::{Purpose, stream};

    fn reversi() -> Reversi {
        ReversiConfig::default().build()
    }

    fn at(text: &str) -> ReversiPosition {
        let read = reversi().parse_position(text);
        read.unwrap_or_else(|error| panic!("{error}"))
    }

    /// A board with `row` as its first row and otherwise empty.
    fn with_row(row: &str, mover: char) -> ReversiPosition {
        at(&format!("{row}{} {mover}", "-".repeat(56)))
    }

    fn legal_texts(state: &ReversiPosition) -> Vec<String> {
        let mut moves = Vec::new();
        reversi().moves(state, &mut moves);
        moves.into_iter().map(text::of_move).collect()
    }

    /// The counts of Edax and other programs. A pass counts as a ply.
    #[test]
    fn move_sequence_counts_agree_with_other_programs() {
        let counts = [4, 12, 56, 244, 1396, 8200, 55092];
        for game in [reversi(), reversi().portable()] {
            for (depth, count) in (1..).zip(counts) {
                assert_eq!(count_sequences(&game, &game.standard_start(), depth), count);
            }
        }
    }

    #[test]
    fn black_begins_beside_the_white_discs() {
        let start = reversi().standard_start();
        assert_eq!(legal_texts(&start), ["d3", "c4", "f5", "e6"]);
    }

    #[test]
    fn a_player_who_cannot_move_passes_and_may_do_nothing_else() {
        let game = reversi();
        let mut state = with_row("OX------", 'X');
        assert_eq!(legal_texts(&state), ["pass"]);
        assert_eq!((game.outcome(&state), game.count_moves(&state)), (None, 1));
        let error = game.parse_move(&state, "d3").expect_err("it turns nothing");
        assert_eq!(error.to_string(), "d3 is not legal here; legal moves: pass");
        for components in [[1, 1], [8, 8], [-3, 99]] {
            assert_eq!(
                game.decode_move(&state, &components),
                Some(ReversiMove::PASS)
            );
        }
        game.play(&mut state, ReversiMove::PASS);
        assert_eq!(state, with_row("OX------", 'O'));
        assert_eq!(legal_texts(&state), ["c1"]);
        assert!(game.parse_move(&state, "pass").is_err());
        assert_eq!(game.decode_move(&state, &[2, 1]), None);
    }

    fn check_end(row: &str, expected: Outcome) {
        for mover in ['X', 'O'] {
            let state = with_row(row, mover);
            assert_eq!(reversi().outcome(&state), Some(expected), "{row}");
            assert!(legal_texts(&state).is_empty());
            assert_eq!(reversi().decode_move(&state, &[1, 1]), None);
        }
    }

    #[test]
    fn when_no_player_can_move_the_one_with_more_discs_has_won() {
        check_end("XX-O----", Outcome::Win(Side::First));
        check_end("X--OO---", Outcome::Win(Side::Second));
        check_end("XX--OO--", Outcome::Draw);
        check_end("--------", Outcome::Draw);
    }

    /// The last position of a transcript.
    fn played(record: &str) -> ReversiPosition {
        let game = reversi();
        let mut state = game.standard_start();
        let read = read_record(&game, None, record);
        for action in read.unwrap_or_else(|error| panic!("{error}")).1 {
            game.play(&mut state, action);
        }
        state
    }

    #[test]
    fn nine_moves_can_turn_every_disc() {
        let state = played("e6f4e3f6g5d6e7f5c5");
        assert_eq!(reversi().outcome(&state), Some(Outcome::Win(Side::First)));
        let discs = [Side::First, Side::Second].map(|side| state.discs(side).count_ones());
        assert_eq!(discs, [13, 0]);
    }

    #[test]
    fn complete_random_games_end_by_the_rules_alike_on_every_machine() {
        let (game, plain) = (reversi(), reversi().portable());
        let (mut passes, mut draws) = (0, 0);
        for seed in 0..300 {
            let mut rng = stream(seed, Purpose::Sample, 0, 0);
            let mut state = game.standard_start();
            let mut moves = Vec::new();
            game.moves(&state, &mut moves);
            while !moves.is_empty() {
                let action = moves[rng.random_range(0..moves.len())];
                passes += usize::from(action == ReversiMove::PASS);
                let mut other = state;
                plain.play(&mut other, action);
                game.play(&mut state, action);
                assert_eq!(state, other);
                moves.clear();
                game.moves(&state, &mut moves);
                assert_eq!(game.count_moves(&state), moves.len());
                assert_eq!(game.outcome(&state).is_some(), moves.is_empty());
            }
            draws += usize::from(game.outcome(&state) == Some(Outcome::Draw));
        }
        assert!(passes > 100 && draws > 0, "{passes} passes, {draws} draws");
    }
}
