//! English draughts (checkers): men move forward, kings both ways, captures are compulsory and
//! continue with the same piece as long as possible, and a player who can't move loses (World
//! Checkers Draughts Federation, rules of draughts). Squares and moves are written in Portable
//! Draughts Notation.

use std::sync::Arc;

use crate::input_spec::InputSpec;
use crate::params::{ParamError, choices, params};
use crate::rng::Stream;

use self::clock::{DrawClock, DrawRules};
use self::encode::{BoardEncoding, DraughtsInputs, View};
use self::pieces::Pieces;
use self::turn::DraughtsMove;
use super::board::{Board, MaxSize};
use super::heuristic::Heuristic;
use super::input_plane::InputPlane;
use super::transcript::{TranscriptFormat, numbered};
use super::{
    Encoding, GameParams, GameShape, Heuristics, Notation, NotationError, Outcome, Picture, Rules,
    Side, StartKind, after_random_moves,
};

mod clock;
pub mod encode;
mod heuristics;
mod picture;
mod pieces;
mod record;
mod text;
mod turn;

choices! {
    /// What it means that a player has pieces but can't move.
    pub enum BlockedPlayer {
        /// The player loses: the rule.
        Loses = "loses",
        /// The game is drawn.
        Draws = "draws",
    }
}

params! {
    /// English draughts on the 8x8 board from the standard start. A game for which no draw rule is
    /// set ends at the third repetition, or after forty moves each without progress.
    pub struct DraughtsConfig {
        /// Draws the game when a position has occurred this often with the same player to move; 0
        /// turns the rule off. Only the last 80 moves count.
        fixed repetition: u32 = 0, in 0.0..=9.0, "times";
        /// Draws the game after this many moves of both players together; 0 turns the rule off.
        fixed most_moves: u32 = 0, in 0.0..=10000.0, "moves";
        /// Draws the game after this many moves by each player without a capture or a man's move; 0
        /// turns the rule off.
        fixed quiet_moves: u32 = 0, in 0.0..=1000.0, "moves each";
        /// Draws the game after this many moves of both players together without a capture; 0 turns
        /// the rule off.
        fixed captureless: u32 = 0, in 0.0..=1000.0, "moves";
        /// What it means that a player has pieces but can't move.
        fixed blocked: BlockedPlayer = BlockedPlayer::Loses;
        /// How the board is encoded for networks.
        input inputs: DraughtsInputs = DraughtsInputs::Signed;
        /// Value of a king in the inputs; a man counts 1.
        input king_weight: f64 = 1.5, in 0.0..=10.0;
        /// From which side the board is encoded.
        input view: View = View::Own;
        /// Whether own minus enemy pieces on the whole board is an additional input.
        input difference: bool = false;
    }
}

impl GameParams for DraughtsConfig {
    type Game = Draughts;

    fn build(&self) -> Draughts {
        Draughts {
            is_turned: false,
            is_block_drawn: self.blocked == BlockedPlayer::Draws,
            rules: DrawRules {
                repetition: self.repetition as u8,
                turns: self.most_moves as u16,
                quiet: 2 * self.quiet_moves as u16,
                captureless: self.captureless as u16,
            },
            encoding: BoardEncoding {
                inputs: self.inputs,
                view: self.view,
                king_weight: self.king_weight as f32,
                difference: self.difference,
            },
        }
    }

    fn problems(&self) -> Vec<ParamError> {
        let message =
            "draws every game after one move if it is 1; use 0 to turn it off, or 2 or more";
        let at_once = (self.repetition == 1).then(|| ParamError::new("repetition", message));
        let is_mixed = self.difference && self.inputs == DraughtsInputs::Pieces;
        let message = "can't be added to pieces, which are no values; use inputs: signed";
        let mixed = is_mixed.then(|| ParamError::new("difference", message));
        at_once.into_iter().chain(mixed).collect()
    }

    /// Without draw rules kings could move forever. The defaults are the third repetition, and
    /// forty moves each without progress.
    fn make_finite(&mut self) {
        let limits = [
            self.repetition,
            self.most_moves,
            self.quiet_moves,
            self.captureless,
        ];
        if limits == [0; 4] {
            (self.repetition, self.quiet_moves) = (3, 40);
        }
    }
}

/// The rules of draughts, the draw rules and the encoding of the board.
#[derive(Clone, Debug)]
pub struct Draughts {
    rules: DrawRules,
    encoding: BoardEncoding,
    /// Whether a player who has pieces but can't move draws.
    is_block_drawn: bool,
    /// Whether pictures show the first player's side at the bottom.
    is_turned: bool,
}

/// The pieces, the side to move, and the counters of the active draw rules. `First` has the black
/// pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DraughtsPosition {
    pieces: Pieces,
    clock: DrawClock,
}

impl DraughtsPosition {
    fn begin(pieces: Pieces) -> Self {
        Self {
            pieces,
            clock: DrawClock::START,
        }
    }

    /// The pieces after a move.
    fn pieces_after(&self, turn: DraughtsMove) -> Pieces {
        let mut pieces = self.pieces;
        pieces.play(turn);
        pieces
    }
}

impl Rules for Draughts {
    type State = DraughtsPosition;
    type Move = DraughtsMove;

    fn goal(&self) -> &'static str {
        if self.is_block_drawn {
            "a player without pieces loses"
        } else {
            "a player who can't move loses"
        }
    }

    /// Openings have four random moves.
    fn start(&self, kind: StartKind, rng: &mut Stream) -> DraughtsPosition {
        match kind {
            StartKind::Opening => after_random_moves(self, 4, rng),
            _ => self.standard_start(),
        }
    }

    fn standard_start(&self) -> DraughtsPosition {
        DraughtsPosition::begin(Pieces::START)
    }

    fn to_move(&self, state: &DraughtsPosition) -> Side {
        state.pieces.to_move
    }

    fn moves(&self, state: &DraughtsPosition, out: &mut Vec<DraughtsMove>) {
        if !state.clock.is_drawn() {
            state.pieces.generator().list(out);
        }
    }

    fn count_moves(&self, state: &DraughtsPosition) -> usize {
        if state.clock.is_drawn() {
            0
        } else {
            state.pieces.generator().count()
        }
    }

    fn play(&self, state: &mut DraughtsPosition, action: DraughtsMove) {
        let kind = state.pieces.play(action);
        if self.rules.is_any() {
            self.rules.count(&mut state.clock, action, kind);
        }
    }

    /// A player who can't move loses, even if a draw rule applies, unless the preset lets blocked
    /// players draw.
    fn outcome(&self, state: &DraughtsPosition) -> Option<Outcome> {
        if !state.pieces.generator().can_move() {
            let mover = state.pieces.to_move;
            let is_drawn = self.is_block_drawn && state.pieces.of[mover.index()] != 0;
            return Some(if is_drawn {
                Outcome::Draw
            } else {
                Outcome::Win(mover.opponent())
            });
        }
        state.clock.is_drawn().then_some(Outcome::Draw)
    }

    /// The number of pieces.
    fn points(&self, state: &DraughtsPosition) -> [u16; 2] {
        state.pieces.of.map(|pieces| pieces.count_ones() as u16)
    }
}

impl Encoding for Draughts {
    /// Moves have no components: a few numbers can't identify every path of a king.
    fn shape(&self) -> GameShape {
        GameShape {
            inputs: InputSpec {
                projection: self.encoding.projection().map(Arc::new),
                whole: Some(self.encoding.largest()),
                board: self.encoding.board().map(Arc::new),
                ..InputSpec::new(self.encoding.count())
            },
            ..GameShape::default()
        }
    }

    fn encode(&self, state: &DraughtsPosition, side: Side, out: &mut [f32]) {
        encode::encode(self.encoding, self.encoding.seen(&state.pieces, side), out);
    }

    /// The counters of the draw rules are not encoded.
    fn encoding_key(&self, state: &DraughtsPosition, side: Side) -> u64 {
        BoardEncoding::key(&state.pieces, side)
    }

    fn successor_key(&self, state: &DraughtsPosition, action: DraughtsMove, side: Side) -> u64 {
        BoardEncoding::key(&state.pieces_after(action), side)
    }

    fn input_planes(&self) -> Vec<InputPlane> {
        self.encoding.planes()
    }

    fn changes(
        &self,
        state: &DraughtsPosition,
        action: DraughtsMove,
        side: Side,
        out: &mut Vec<(u32, f32)>,
    ) {
        let before = self.encoding.seen(&state.pieces, side);
        let after = self.encoding.seen(&state.pieces_after(action), side);
        encode::changes(self.encoding, [before, after], out);
    }

    /// Encodes the current board once, not once per move.
    fn successors(
        &self,
        state: &DraughtsPosition,
        side: Side,
        moves: &mut Vec<DraughtsMove>,
        changes: &mut Vec<(u32, f32)>,
        ends: &mut Vec<u32>,
    ) {
        moves.clear();
        changes.clear();
        ends.clear();
        self.moves(state, moves);
        let before = self.encoding.seen(&state.pieces, side);
        for &action in &*moves {
            let after = self.encoding.seen(&state.pieces_after(action), side);
            encode::changes(self.encoding, [before, after], changes);
            ends.push(changes.len() as u32);
        }
    }

    /// Moves have no components.
    fn decode_move(&self, _state: &DraughtsPosition, _components: &[i32]) -> Option<DraughtsMove> {
        None
    }

    fn encode_move(&self, _action: DraughtsMove, _out: &mut Vec<i32>) {}
}

impl Notation for Draughts {
    fn move_text(&self, action: DraughtsMove) -> String {
        text::of_turn(action)
    }

    /// Squares between the first and the last may be omitted if the move is still unambiguous.
    fn parse_move(
        &self,
        state: &DraughtsPosition,
        text: &str,
    ) -> Result<DraughtsMove, NotationError> {
        text::to_turn(self, state, text)
    }

    fn position_text(&self, state: &DraughtsPosition) -> String {
        text::of_pieces(&state.pieces)
    }

    /// The counters of the draw rules start at 0.
    fn parse_position(&self, text: &str) -> Result<DraughtsPosition, NotationError> {
        Ok(DraughtsPosition::begin(text::to_pieces(text)?))
    }

    /// The moves in pairs with their numbers, such as `1. 11-15 23-19 2. 8-11`.
    fn record_text(&self, actions: &[DraughtsMove]) -> String {
        numbered(self, actions, &[])
    }

    /// Games of people end by agreement, whatever draw rules evolution has.
    fn unlimited(&self) -> Option<Self> {
        let rules = DrawRules {
            repetition: 0,
            turns: 0,
            quiet: 0,
            captureless: 0,
        };
        Some(Self {
            rules,
            ..self.clone()
        })
    }

    fn transcript_format(&self) -> TranscriptFormat {
        record::TAGS
    }

    fn obligation(&self, state: &DraughtsPosition) -> Option<&'static str> {
        let mut moves = Vec::new();
        self.moves(state, &mut moves);
        let captures = moves.first().is_some_and(|action| action.jumps() > 0);
        captures.then_some("you must capture")
    }

    fn move_help(&self) -> &'static str {
        "11-15 steps from square 11 to 15; 22x15x8 takes two pieces"
    }
}

impl Picture for Draughts {
    fn board(
        &self,
        state: &DraughtsPosition,
        last: Option<(&DraughtsPosition, DraughtsMove)>,
        room: MaxSize,
    ) -> Board {
        picture::draw(self, state, last, room)
    }

    fn turned(&self) -> Option<Self> {
        Some(Self {
            is_turned: !self.is_turned,
            ..self.clone()
        })
    }

    /// One frame per jump.
    fn animation_frame_count(&self, action: DraughtsMove) -> usize {
        action.jumps()
    }

    fn animation_frame(
        &self,
        before: &DraughtsPosition,
        action: DraughtsMove,
        stage: usize,
        room: MaxSize,
    ) -> Board {
        picture::draw_frame(self, before, action, stage, room)
    }
}

impl Heuristics for Draughts {
    /// Whether no capture is pending.
    fn is_quiet(&self, state: &DraughtsPosition) -> bool {
        !state.pieces.generator().must_take()
    }

    fn heuristics(&self) -> &'static [Heuristic] {
        &heuristics::HEURISTICS
    }

    fn evaluate(&self, _heuristic: usize, state: &DraughtsPosition, side: Side) -> f32 {
        heuristics::material(&state.pieces, side)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::rules::count_sequences;
    use crate::params::Params;
    use crate::rng::{Purpose, stream};

    /// The game with some parameters, written `key=value`.
    fn with(assignments: &str) -> Draughts {
        let mut config = DraughtsConfig::default();
        for assignment in assignments.split_whitespace() {
            let (key, value) = assignment.split_once('=').expect("the parameter is valid");
            config.set(key, value).expect("the value is allowed");
        }
        config.build()
    }

    fn at(position: &str) -> DraughtsPosition {
        let read = with("").parse_position(position);
        read.unwrap_or_else(|error| panic!("{error}"))
    }

    fn legal_texts(state: &DraughtsPosition) -> Vec<String> {
        let mut turns = Vec::new();
        with("").moves(state, &mut turns);
        turns.into_iter().map(text::of_turn).collect()
    }

    /// The position after a line of play. Only its last move may end the game.
    fn played(game: &Draughts, mut state: DraughtsPosition, line: &str) -> DraughtsPosition {
        for word in line.split_whitespace() {
            assert_eq!(game.outcome(&state), None, "before {word}");
            let turn = game.parse_move(&state, word);
            game.play(&mut state, turn.unwrap_or_else(|error| panic!("{error}")));
        }
        state
    }

    /// The counts of other programs.
    #[test]
    fn move_sequence_counts_agree_with_other_programs() {
        let game = with("");
        let counts = [7, 49, 302, 1469, 7361, 36768, 179_740];
        for (depth, count) in (1..).zip(counts) {
            assert_eq!(count_sequences(&game, &game.standard_start(), depth), count);
        }
    }

    fn check_legal(position: &str, expected: &str) {
        let state = at(position);
        let texts = legal_texts(&state);
        assert_eq!(texts.join(" "), expected, "{position}");
        assert_eq!(with("").count_moves(&state), texts.len());
    }

    #[test]
    fn men_step_forward_and_kings_both_ways() {
        check_legal("B:W32:B15", "15-18 15-19");
        check_legal("W:W18:B1", "18-14 18-15");
        check_legal("B:W32:BK15", "15-10 15-11 15-18 15-19");
        check_legal("W:WK5:BK32,K1", "5-9");
    }

    #[test]
    fn captures_must_be_made_but_need_not_be_the_longest() {
        check_legal("B:W14,18:B9,10,15", "10x17 15x22");
        check_legal("B:W14,23,15:B10,1", "10x17 10x19x26");
        // A man does not take backward, a king does.
        check_legal("B:W10,31:B15", "15-18 15-19");
        check_legal("B:W10,31:BK15", "15x6");
        // Two enemies in a row, one on the edge and an own piece can't be jumped.
        check_legal("B:W18,22:B15", "15-19");
        check_legal("B:W12:B8", "8-11");
    }

    #[test]
    fn a_capture_continues_until_there_is_nothing_left_to_take() {
        check_legal("W:W22:B18,11,4", "22x15x8");
        check_legal("W:W29:B9,17,18,25", "29x22x13x6 29x22x15");
    }

    #[test]
    fn a_man_that_reaches_the_king_row_is_crowned_and_stops() {
        // A king on 30 could go on over 26.
        check_legal("B:W25,26,10:B21", "21x30");
        let state = played(&with(""), at("B:W25,26,10:B21"), "21x30");
        assert_eq!(with("").position_text(&state), "W:W10,26:BK30");
    }

    #[test]
    fn a_king_may_come_back_to_its_own_square_and_takes_nothing_twice() {
        check_legal("B:W9,10,17,18:BK22", "22x13x6x15x22 22x15x6x13x22");
        let game = with("");
        let state = played(&game, at("B:W9,10,17,18,32:BK22"), "22x15x6x13x22");
        assert_eq!(game.position_text(&state), "W:W32:BK22");
        check_legal(
            "W:WK6:B9,10,17,18,25",
            "6x13x22x15x6 6x13x22x29 6x15x22x13x6 6x15x22x29",
        );
    }

    #[test]
    fn a_player_who_cannot_move_loses_with_pieces_or_without() {
        let game = with("most_moves=1");
        for (position, winner) in [
            ("B:WK1:B", Side::Second),
            ("W:W:B1", Side::First),
            ("B:W16,19:B12", Side::Second),
            ("W:W13:B9,6", Side::First),
        ] {
            let state = at(position);
            assert_eq!(
                game.outcome(&state),
                Some(Outcome::Win(winner)),
                "{position}"
            );
            check_legal(position, "");
        }
        let lenient = with("blocked=draws");
        assert_eq!(
            lenient.outcome(&at("B:W16,19:B12")),
            Some(Outcome::Draw),
            "with pieces"
        );
        assert_eq!(
            lenient.outcome(&at("B:WK1:B")),
            Some(Outcome::Win(Side::Second)),
            "without"
        );
        let state = played(&game, at("W:W18:B15"), "18x11");
        assert_eq!(
            game.outcome(&state),
            Some(Outcome::Win(Side::Second)),
            "a win comes first"
        );
    }

    const KINGS: &str = "B:WK32:BK1,K5";

    /// Both kings move back and forth; the position repeats every four moves.
    const TO_AND_FRO: &str = "1-6 32-27 6-1 27-32";

    /// Repeats the line until the game is drawn and returns the number of moves.
    fn drawn_after(assignments: &str, start: &str, line: &str) -> usize {
        let game = with(assignments);
        let mut state = at(start);
        for (index, word) in line.split_whitespace().cycle().enumerate().take(1000) {
            if game.outcome(&state) == Some(Outcome::Draw) {
                let mut turns = Vec::new();
                game.moves(&state, &mut turns);
                assert_eq!((turns.len(), game.count_moves(&state)), (0, 0));
                return index;
            }
            state = played(&game, state, word);
        }
        panic!("{assignments} never draws");
    }

    #[test]
    fn a_repeated_position_draws_if_the_rule_is_on() {
        assert_eq!(drawn_after("repetition=2", KINGS, TO_AND_FRO), 4);
        assert_eq!(drawn_after("repetition=3", KINGS, TO_AND_FRO), 8);
        assert_eq!(drawn_after("repetition=9", KINGS, TO_AND_FRO), 32);
        // After a man's move nothing can be as it was.
        let game = with("repetition=2");
        let line = "1-6 32-27 12-16 21-17 6-1 27-32";
        let state = played(&game, at("B:W21,K32:BK1,K5,12"), line);
        assert_eq!(game.outcome(&state), None);
    }

    #[test]
    fn make_finite_adds_draw_rules_only_if_there_are_none() {
        let mut config = DraughtsConfig::default();
        config.make_finite();
        assert_eq!((config.repetition, config.quiet_moves), (3, 40));
        let mut limited = DraughtsConfig {
            most_moves: 200,
            ..DraughtsConfig::default()
        };
        limited.make_finite();
        assert_eq!((limited.repetition, limited.quiet_moves), (0, 0));
    }

    #[test]
    fn kings_of_one_player_are_interchangeable() {
        let game = with("repetition=2");
        // The kings on 1 and 5 have changed places.
        let line = "1-6 32-27 5-1 27-32 6-9 32-27 9-5 27-32";
        assert_eq!(
            game.outcome(&played(&game, at(KINGS), line)),
            Some(Outcome::Draw)
        );
    }

    #[test]
    fn draw_rules_count_moves() {
        assert_eq!(drawn_after("most_moves=7", KINGS, TO_AND_FRO), 7);
        assert_eq!(drawn_after("quiet_moves=5", KINGS, TO_AND_FRO), 10);
        assert_eq!(drawn_after("captureless=9", KINGS, TO_AND_FRO), 9);
        let line = "1-6 32-27 6-1 27-32 12-16 32-27 1-6 27-32 6-1 32-27 1-6";
        let start = "B:WK32:BK1,12";
        assert_eq!(drawn_after("most_moves=8", start, line), 8);
        assert_eq!(drawn_after("captureless=6", start, line), 6);
        assert_eq!(drawn_after("quiet_moves=3", start, line), 11);
        // The capture on the third move begins the count anew.
        let capture = "1-6 13-9 6x13 32-27 13-9 27-32 9-13 32-27";
        assert_eq!(drawn_after("captureless=4", "B:WK32,13:BK1", capture), 7);
        assert_eq!(drawn_after("quiet_moves=2", "B:WK32,13:BK1", capture), 7);
    }

    #[test]
    fn a_rule_that_is_off_does_not_change_the_position() {
        let game = with("");
        let start = at(KINGS);
        assert_eq!(played(&game, start, TO_AND_FRO), start);
        let counting = with("most_moves=50");
        assert_ne!(played(&counting, start, TO_AND_FRO), start);
    }

    #[test]
    fn a_repetition_limit_of_one_is_refused() {
        let config = DraughtsConfig {
            repetition: 1,
            ..DraughtsConfig::default()
        };
        let problems = config.problems();
        assert!(
            problems[0]
                .to_string()
                .starts_with("repetition: draws every game")
        );
    }

    #[test]
    fn material_counts_a_king_as_one_and_a_half() {
        let game = with("");
        let state = at("B:W21,22,K3:B1,K32,K31");
        assert!((game.evaluate(0, &state, Side::First) - 0.5).abs() < 1e-6);
        assert!((game.evaluate(0, &state, Side::Second) + 0.5).abs() < 1e-6);
        assert_eq!(game.points(&state), [3, 3]);
    }

    #[test]
    fn openings_differ() {
        let game = with("");
        let draw = |index| {
            game.start(
                StartKind::Opening,
                &mut stream(1, Purpose::Opening, 0, index),
            )
        };
        let mut different: Vec<String> = (0..30)
            .map(|index| game.position_text(&draw(index)))
            .collect();
        different.sort();
        different.dedup();
        assert!(different.len() > 20, "{different:?}");
        assert!(different.iter().all(|text| text.starts_with("B:")));
    }
}
