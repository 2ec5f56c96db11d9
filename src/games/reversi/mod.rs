//! Reversi (Othello): a disc put down turns every row of enemy discs between it and another own one; most discs win. A player
//! without such a move passes; when neither has one, the game is over (World Othello Federation, rules of Othello).

use std::sync::Arc;

use rand::RngExt;

use crate::params::params;
use crate::rng::Stream;

use self::bits::{Bits, FlipList, squares};
use self::encode::{Inputs, Seen, Step, StepList};
use super::board::{Board, Room};
use super::reference::Judge;
use super::sheet::Sheet;
use super::transcript::Tags;
use super::{Component, Game, Outcome, Playable, Shape, Side, legal};

mod bits;
pub mod encode;
mod judges;
mod picture;
mod record;
mod text;
#[cfg(target_arch = "x86_64")]
mod wide;

params! {
    /// Reversi on the usual board from the usual start.
    pub struct ReversiConfig {
        /// The numbers by which a network sees the board.
        fixed inputs: Inputs = Inputs::Signed;
    }
}

impl Playable for ReversiConfig {
    type Game = Reversi;

    fn build(&self) -> Reversi {
        Reversi {
            inputs: self.inputs,
            bits: Bits::detect(),
        }
    }
}

/// The rules of Reversi, and how a network sees the board.
#[derive(Clone, Debug)]
pub struct Reversi {
    inputs: Inputs,
    bits: Bits,
}

/// The discs on the board, bit 0 being a1 and bit 7 h1, and whose turn it is; `First` has the black discs.
///
/// Invariant: `legal` are the squares where the player to move may put a disc, which `Reversi::position` and `Reversi::play`
/// alone work out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// The discs of the player to move, and the others.
    own: u64,
    enemy: u64,
    legal: u64,
    to_move: Side,
}

impl Position {
    /// The discs of a player.
    pub fn discs(&self, side: Side) -> u64 {
        if side == self.to_move {
            self.own
        } else {
            self.enemy
        }
    }

    fn seen_by(&self, side: Side) -> Seen {
        Seen {
            own: self.discs(side),
            enemy: self.discs(side.other()),
        }
    }
}

/// A disc on a square, or a pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place(u8);

impl Place {
    /// The only legal move where no disc can be put down.
    pub const PASS: Self = Self(64);

    /// The new disc, none for a pass.
    fn disc(self) -> u64 {
        1_u64.checked_shl(self.0.into()).unwrap_or(0)
    }
}

impl Reversi {
    /// The same rules without the wide instructions that this machine may have.
    #[must_use]
    pub fn plain(self) -> Self {
        Self {
            bits: Bits::plain(),
            ..self
        }
    }

    fn position(&self, own: u64, enemy: u64, to_move: Side) -> Position {
        Position {
            own,
            enemy,
            legal: self.bits.moves(own, enemy),
            to_move,
        }
    }

    /// Whether the player to move can only pass.
    fn must_pass(&self, state: &Position) -> bool {
        state.legal == 0 && self.bits.moves(state.enemy, state.own) != 0
    }

    fn step(&self, state: &Position, action: Place) -> Step {
        let disc = action.disc();
        Step {
            disc,
            turned: self.bits.flips(disc, state.own, state.enemy),
        }
    }
}

/// Takes down the legal moves and what each changes.
struct Successors<'a> {
    moves: &'a mut Vec<Place>,
    steps: StepList<'a>,
    ends: &'a mut Vec<u32>,
}

impl FlipList for Successors<'_> {
    #[allow(
        clippy::inline_always,
        reason = "it is to use the instructions of its caller"
    )]
    #[inline(always)]
    fn add(&mut self, square: u8, turned: u64) {
        let disc = 1 << square;
        self.moves.push(Place(square));
        self.ends.push(self.steps.add(Step { disc, turned }));
    }
}

const D4: u64 = 1 << 27;
const E4: u64 = 1 << 28;
const D5: u64 = 1 << 35;
const E5: u64 = 1 << 36;

impl Game for Reversi {
    type State = Position;
    type Move = Place;

    /// Wishes name a column from 1 for a and a row from 1 at the top.
    fn shape(&self) -> Shape {
        let line = |name| Component {
            name,
            low: 1,
            high: 8,
        };
        Shape {
            inputs: self.inputs.count(),
            features: self.inputs.features().map(Arc::new),
            components: vec![line("column"), line("row")],
            choices: Vec::new(),
        }
    }

    fn start(&self, _rng: &mut Stream) -> Position {
        self.standard_start()
    }

    fn standard_start(&self) -> Position {
        self.position(E4 | D5, D4 | E5, Side::First)
    }

    fn to_move(&self, state: &Position) -> Side {
        state.to_move
    }

    fn moves(&self, state: &Position, out: &mut Vec<Place>) {
        out.extend(squares(state.legal).map(Place));
        if self.must_pass(state) {
            out.push(Place::PASS);
        }
    }

    fn count_moves(&self, state: &Position) -> usize {
        match state.legal.count_ones() {
            0 => usize::from(self.must_pass(state)),
            count => count as usize,
        }
    }

    fn play(&self, state: &mut Position, action: Place) {
        let disc = action.disc();
        let (turned, legal) = self.bits.play(disc, state.own, state.enemy);
        *state = Position {
            own: state.enemy & !turned,
            enemy: state.own | disc | turned,
            legal,
            to_move: state.to_move.other(),
        };
    }

    fn outcome(&self, state: &Position) -> Option<Outcome> {
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

    /// The discs.
    fn points(&self, state: &Position) -> [u16; 2] {
        [Side::First, Side::Second].map(|side| state.discs(side).count_ones() as u16)
    }

    /// A few moves at random from the start.
    fn opening(&self, rng: &mut Stream) -> Position {
        const PLIES: usize = 4;
        let mut state = self.standard_start();
        let mut moves = Vec::new();
        for _ in 0..PLIES {
            moves.clear();
            self.moves(&state, &mut moves);
            self.play(&mut state, moves[rng.random_range(0..moves.len())]);
        }
        state
    }

    fn judges(&self) -> &'static [Judge] {
        &judges::JUDGES
    }

    fn appraise(&self, judge: usize, state: &Position, side: Side) -> f32 {
        let (own, enemy) = (state.discs(side), state.discs(side.other()));
        if judge == judges::GREEDY {
            judges::difference(own, enemy)
        } else {
            judges::weigh(own, enemy)
        }
    }

    fn encode(&self, state: &Position, side: Side, out: &mut [f32]) {
        encode::encode(self.inputs, state.seen_by(side), out);
    }

    fn sheets(&self) -> Vec<Sheet> {
        encode::sheets(self.inputs)
    }

    fn changes(&self, state: &Position, action: Place, side: Side, out: &mut Vec<(u32, f32)>) {
        let step = self.step(state, action);
        let mut after = *state;
        after.own |= step.disc | step.turned;
        after.enemy &= !step.turned;
        encode::changes(self.inputs, after.seen_by(side), step, out);
    }

    /// The machine's instructions are asked for once, not once a move.
    fn successors(
        &self,
        state: &Position,
        side: Side,
        moves: &mut Vec<Place>,
        changes: &mut Vec<(u32, f32)>,
        ends: &mut Vec<u32>,
    ) {
        moves.clear();
        ends.clear();
        let by_own = side == state.to_move;
        let mut list = Successors {
            moves: &mut *moves,
            steps: StepList::new(self.inputs, state.seen_by(side), by_own, changes),
            ends: &mut *ends,
        };
        self.bits
            .each_flips(state.legal, state.own, state.enemy, &mut list);
        if self.must_pass(state) {
            moves.push(Place::PASS);
            ends.push(0);
        }
    }

    /// Any wish passes where nothing else can be done.
    fn interpret(&self, state: &Position, wish: &[i32]) -> Option<Place> {
        let &[column, row] = wish else { return None };
        if state.legal == 0 {
            return self.must_pass(state).then_some(Place::PASS);
        }
        let on_board = (1..=8).contains(&column) && (1..=8).contains(&row);
        let place = on_board.then(|| Place(((row - 1) * 8 + column - 1) as u8))?;
        (place.disc() & state.legal != 0).then_some(place)
    }

    fn is_pass(&self, action: Place) -> bool {
        action == Place::PASS
    }

    /// A pass, which any wish means, is described as a1.
    fn describe(&self, action: Place, out: &mut Vec<i32>) {
        let square = i32::from(action.0 % 64);
        out.extend([square % 8 + 1, square / 8 + 1]);
    }

    /// With all colors exchanged the game is the same for the player to move.
    fn canonical(&self, state: &Position) -> Position {
        Position {
            to_move: Side::First,
            ..*state
        }
    }

    fn board(&self, state: &Position, last: Option<(&Position, Place)>, room: Room) -> Board {
        picture::draw(self, state, last, room)
    }

    fn move_text(&self, action: Place) -> String {
        text::of_move(action)
    }

    fn parse_move(&self, state: &Position, text: &str) -> Result<Place, String> {
        legal(self, state, text::to_move(text)?)
    }

    fn position_text(&self, state: &Position) -> String {
        text::of_position(state)
    }

    fn parse_position(&self, text: &str) -> Result<Position, String> {
        let (own, enemy, to_move) = text::to_position(text)?;
        Ok(self.position(own, enemy, to_move))
    }

    /// The squares without anything between them, passes left out, such as `d3c3b3`.
    fn record_text(&self, actions: &[Place]) -> String {
        record::write(actions)
    }

    /// Reads squares with or without space between them; passes may be written `pass` or `--` or be left out.
    fn parse_record(&self, start: &Position, text: &str) -> Result<Vec<Place>, String> {
        record::read(self, start, text)
    }

    fn tags(&self) -> Tags {
        Tags {
            players: ["Black", "White"],
            ..Tags::default()
        }
    }

    fn move_help(&self) -> &'static str {
        "d3 is column d, row 3; pass where there is no other move"
    }

    fn goal(&self) -> &'static str {
        "whoever has more discs when nobody can move wins"
    }
}

#[cfg(test)]
mod tests {
    use rand::RngExt;

    use super::*;
    use crate::games::rules::sequences;
    use crate::rng::{Purpose, stream};

    fn reversi() -> Reversi {
        ReversiConfig::default().build()
    }

    fn at(text: &str) -> Position {
        let read = reversi().parse_position(text);
        read.unwrap_or_else(|fault| panic!("{fault}"))
    }

    /// A board with `row` as its first row and nothing else.
    fn with_row(row: &str, mover: char) -> Position {
        at(&format!("{row}{} {mover}", "-".repeat(56)))
    }

    fn legal_texts(state: &Position) -> Vec<String> {
        let mut moves = Vec::new();
        reversi().moves(state, &mut moves);
        moves.into_iter().map(text::of_move).collect()
    }

    /// Counts as in Edax's and other programs' tables, a pass being a ply of its own.
    #[test]
    fn move_sequences_from_the_start_are_as_many_as_others_count() {
        let counts = [4, 12, 56, 244, 1396, 8200, 55092];
        for game in [reversi(), reversi().plain()] {
            for (depth, count) in (1..).zip(counts) {
                assert_eq!(sequences(&game, &game.standard_start(), depth), count);
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
        let fault = game.parse_move(&state, "d3").expect_err("it turns nothing");
        assert_eq!(fault, "d3 is not legal here; legal are pass");
        for wish in [[1, 1], [8, 8], [-3, 99]] {
            assert_eq!(game.interpret(&state, &wish), Some(Place::PASS));
        }
        game.play(&mut state, Place::PASS);
        assert_eq!(state, with_row("OX------", 'O'));
        assert_eq!(legal_texts(&state), ["c1"]);
        assert!(game.parse_move(&state, "pass").is_err());
        assert_eq!(game.interpret(&state, &[2, 1]), None);
    }

    fn check_end(row: &str, expected: Outcome) {
        for mover in ['X', 'O'] {
            let state = with_row(row, mover);
            assert_eq!(reversi().outcome(&state), Some(expected), "{row}");
            assert!(legal_texts(&state).is_empty());
            assert_eq!(reversi().interpret(&state, &[1, 1]), None);
        }
    }

    #[test]
    fn when_nobody_can_move_the_player_with_more_discs_has_won() {
        check_end("XX-O----", Outcome::Win(Side::First));
        check_end("X--OO---", Outcome::Win(Side::Second));
        check_end("XX--OO--", Outcome::Draw);
        check_end("--------", Outcome::Draw);
    }

    /// Plays a transcript and returns the last position.
    fn played(record: &str) -> Position {
        let game = reversi();
        let mut state = game.standard_start();
        let actions = game.parse_record(&state, record);
        for action in actions.unwrap_or_else(|fault| panic!("{fault}")) {
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
        let (game, plain) = (reversi(), reversi().plain());
        let (mut passes, mut draws) = (0, 0);
        for seed in 0..300 {
            let mut rng = stream(seed, Purpose::Sample, 0, 0);
            let mut state = game.standard_start();
            let mut moves = Vec::new();
            game.moves(&state, &mut moves);
            while !moves.is_empty() {
                let action = moves[rng.random_range(0..moves.len())];
                passes += usize::from(action == Place::PASS);
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
