//! Misère Nim: take any number of matches from one stack; whoever takes the very last match loses (Kissling 2025, §2.5).

use rand::RngExt;

use crate::params::{Problem, choices, params};
use crate::rng::Stream;

use self::picture::Picture;
use super::board::{Board, Room};
use super::{Component, Game, Outcome, Playable, Shape, Side, legal};

mod picture;

/// A position has at most this many stacks.
pub const MOST_STACKS: usize = 8;

/// A stack has at most this many matches.
pub const MOST_MATCHES: u16 = 10_000;

choices! {
    /// Where a game begins.
    pub enum Start {
        /// Every stack is full.
        Full = "full",
        /// Each stack holds 1 match or more, up to its size, all numbers being equally likely.
        Random = "random",
    }
}

choices! {
    /// Which stacks are in play.
    pub enum Mode {
        /// All of them.
        All = "all",
        /// One of them, drawn at random; the others are empty (Simple Nim).
        Simple = "simple",
    }
}

choices! {
    /// What becomes of an illegal move.
    pub enum Grading {
        /// It loses the game at once.
        Strict = "strict",
        /// The closest legal move is made instead: the closest stack that is not empty, then the closest amount; of
        /// two equally close the lower one.
        Safe = "safe",
    }
}

params! {
    /// Misère Nim and its starting positions.
    pub struct NimConfig {
        /// The sizes of the stacks, at most eight.
        fixed stacks: Vec<u16> = vec![2, 4], in 1.0..=10_000.0, "matches";
        /// Whether a game begins with full stacks or with random ones of at most that size.
        fixed start: Start = Start::Random;
        /// Whether all stacks are in play or one of them.
        fixed mode: Mode = Mode::All;
        /// Whether an illegal move loses or is mended.
        fixed grading: Grading = Grading::Strict;
    }
}

impl Playable for NimConfig {
    type Game = Nim;

    fn build(&self) -> Nim {
        Nim {
            config: self.clone(),
        }
    }

    fn problems(&self) -> Vec<Problem> {
        let count = self.stacks.len();
        let fits = (1..=MOST_STACKS).contains(&count);
        let message = format!("must list 1 to {MOST_STACKS} stacks, lists {count}");
        if fits {
            Vec::new()
        } else {
            vec![Problem::new("stacks", message)]
        }
    }
}

/// The rules of Nim for one set of starting positions.
#[derive(Clone, Debug)]
pub struct Nim {
    config: NimConfig,
}

/// The matches on each stack, unused stacks being empty, and whose turn it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Stacks {
    matches: [u16; MOST_STACKS],
    count: u8,
    to_move: Side,
}

impl Stacks {
    fn new(sizes: &[u16]) -> Self {
        let mut matches = [0; MOST_STACKS];
        matches[..sizes.len()].copy_from_slice(sizes);
        Self {
            matches,
            count: sizes.len() as u8,
            to_move: Side::First,
        }
    }

    /// The matches on each stack.
    pub fn sizes(&self) -> &[u16] {
        &self.matches[..self.count as usize]
    }
}

/// Taking `amount` matches from a stack, counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Take {
    pub stack: u8,
    pub amount: u16,
}

impl Nim {
    fn largest(&self) -> u16 {
        self.config.stacks.iter().copied().max().unwrap_or(0)
    }

    /// One stack with some matches, all others empty.
    fn alone(&self, index: usize, amount: u16) -> Stacks {
        let mut sizes = vec![0; self.config.stacks.len()];
        sizes[index] = amount;
        Stacks::new(&sizes)
    }

    /// The closest legal move to a wish (the safe grading); the state must have a match left.
    fn closest(state: &Stacks, stack: i32, amount: i32) -> Take {
        let sizes = state.sizes();
        let nearest = (0..sizes.len())
            .filter(|&index| sizes[index] > 0)
            .min_by_key(|&index| (i64::from(stack) - index as i64).abs())
            .expect("a state in which a move is asked for has a match left");
        Take {
            stack: nearest as u8,
            amount: amount.clamp(1, sizes[nearest].into()) as u16,
        }
    }

    /// All ways to fill the stacks with 1 to their size each.
    fn fillings(sizes: &[u16]) -> Vec<Vec<u16>> {
        sizes.iter().fold(vec![Vec::new()], |rows, &size| {
            let longer =
                |row: Vec<u16>| (1..=size).map(move |amount| [row.as_slice(), &[amount]].concat());
            rows.into_iter().flat_map(longer).collect()
        })
    }
}

impl Game for Nim {
    type State = Stacks;
    type Move = Take;

    fn shape(&self) -> Shape {
        let stacks = self.config.stacks.len();
        let stack = Component {
            name: "stack",
            low: 0,
            high: stacks as i32 - 1,
        };
        let amount = Component {
            name: "amount",
            low: 1,
            high: self.largest().into(),
        };
        Shape {
            inputs: stacks,
            features: None,
            components: vec![stack, amount],
            choices: Vec::new(),
        }
    }

    fn start(&self, rng: &mut Stream) -> Stacks {
        let mut state = Stacks::new(&self.config.stacks);
        let count = state.count as usize;
        if self.config.start == Start::Random {
            for size in &mut state.matches[..count] {
                *size = rng.random_range(1..=*size);
            }
        }
        if self.config.mode == Mode::Simple && count > 1 {
            let kept = rng.random_range(0..count);
            for (index, size) in state.matches[..count].iter_mut().enumerate() {
                *size = if index == kept { *size } else { 0 };
            }
        }
        state
    }

    /// Full stacks; in Simple Nim the first one.
    fn standard_start(&self) -> Stacks {
        match self.config.mode {
            Mode::All => Stacks::new(&self.config.stacks),
            Mode::Simple => self.alone(0, self.config.stacks[0]),
        }
    }

    fn starts(&self) -> Vec<Stacks> {
        let sizes = &self.config.stacks;
        let positions: f64 = sizes.iter().map(|&size| f64::from(size)).product();
        if self.config.mode == Mode::All && self.config.start == Start::Random && positions > 1e6 {
            return Vec::new();
        }
        match (self.config.mode, self.config.start) {
            (Mode::All, Start::Full) => vec![Stacks::new(sizes)],
            (Mode::All, Start::Random) => Self::fillings(sizes)
                .iter()
                .map(|row| Stacks::new(row))
                .collect(),
            (Mode::Simple, Start::Full) => (0..sizes.len())
                .map(|index| self.alone(index, sizes[index]))
                .collect(),
            (Mode::Simple, Start::Random) => (0..sizes.len())
                .flat_map(|index| (1..=sizes[index]).map(move |amount| self.alone(index, amount)))
                .collect(),
        }
    }

    fn to_move(&self, state: &Stacks) -> Side {
        state.to_move
    }

    fn moves(&self, state: &Stacks, out: &mut Vec<Take>) {
        for (stack, &size) in state.sizes().iter().enumerate() {
            out.extend((1..=size).map(|amount| Take {
                stack: stack as u8,
                amount,
            }));
        }
    }

    fn play(&self, state: &mut Stacks, action: Take) {
        state.matches[action.stack as usize] -= action.amount;
        state.to_move = state.to_move.other();
    }

    /// With no match left, the other player took the last one and has lost.
    fn outcome(&self, state: &Stacks) -> Option<Outcome> {
        let over = state.matches.iter().all(|&size| size == 0);
        over.then_some(Outcome::Win(state.to_move))
    }

    /// The stack sizes as they are.
    fn encode(&self, state: &Stacks, _side: Side, out: &mut [f32]) {
        for (input, &size) in out.iter_mut().zip(state.sizes()) {
            *input = size.into();
        }
    }

    fn changes(&self, state: &Stacks, action: Take, _side: Side, out: &mut Vec<(u32, f32)>) {
        let left = state.matches[action.stack as usize] - action.amount;
        out.push((action.stack.into(), left.into()));
    }

    fn interpret(&self, state: &Stacks, wish: &[i32]) -> Option<Take> {
        let &[stack, amount] = wish else { return None };
        let size = usize::try_from(stack)
            .ok()
            .and_then(|index| state.sizes().get(index));
        let legal = size.is_some_and(|&size| (1..=i32::from(size)).contains(&amount));
        match self.config.grading {
            _ if legal => Some(Take {
                stack: stack as u8,
                amount: amount as u16,
            }),
            Grading::Strict => None,
            Grading::Safe => Some(Self::closest(state, stack, amount)),
        }
    }

    fn describe(&self, action: Take, out: &mut Vec<i32>) {
        out.extend([i32::from(action.stack), i32::from(action.amount)]);
    }

    /// Nim is impartial: whose turn it is changes nothing for the player to move.
    fn canonical(&self, state: &Stacks) -> Stacks {
        Stacks {
            to_move: Side::First,
            ..*state
        }
    }

    fn board(&self, state: &Stacks, last: Option<(&Stacks, Take)>, room: Room) -> Board {
        let before = last.map_or(state, |(before, _)| before);
        let picture = Picture::new(&self.config.stacks, before, room);
        picture.draw(state, before, room)
    }

    fn move_text(&self, action: Take) -> String {
        format!("{}:{}", action.stack + 1, action.amount)
    }

    fn parse_move(&self, state: &Stacks, text: &str) -> Result<Take, String> {
        let fault = || {
            format!("`{text}` is not a move; write STACK:AMOUNT with stacks from 1, such as 2:3")
        };
        let (stack, amount) = text.trim().split_once(':').ok_or_else(fault)?;
        let stack: u8 = stack.trim().parse().map_err(|_| fault())?;
        let amount: u16 = amount.trim().parse().map_err(|_| fault())?;
        let stack = stack.checked_sub(1).ok_or_else(fault)?;
        legal(self, state, Take { stack, amount })
    }

    fn position_text(&self, state: &Stacks) -> String {
        let sizes: Vec<String> = state.sizes().iter().map(ToString::to_string).collect();
        sizes.join(",")
    }

    fn parse_position(&self, text: &str) -> Result<Stacks, String> {
        let fault = |what: &str| {
            format!("`{text}` is not a position: {what}; write stack sizes such as 2,4")
        };
        let size = |part: &str| {
            part.trim()
                .parse()
                .ok()
                .filter(|&size| size <= MOST_MATCHES)
        };
        let sizes: Option<Vec<u16>> = text.split(',').map(size).collect();
        let sizes =
            sizes.ok_or_else(|| fault(&format!("a stack holds 0 to {MOST_MATCHES} matches")))?;
        if sizes.len() > MOST_STACKS {
            return Err(fault(&format!("there are at most {MOST_STACKS} stacks")));
        }
        Ok(Stacks::new(&sizes))
    }

    fn move_help(&self) -> &'static str {
        "2:3 takes three from stack 2"
    }

    fn goal(&self) -> &'static str {
        "whoever takes the last match loses"
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::{Purpose, stream};

    fn nim(stacks: &[u16], start: Start, mode: Mode, grading: Grading) -> Nim {
        NimConfig {
            stacks: stacks.to_vec(),
            start,
            mode,
            grading,
        }
        .build()
    }

    fn check_safe(position: &str, wish: [i32; 2], expected: &str) {
        let game = nim(&[4, 4, 4], Start::Full, Mode::All, Grading::Safe);
        let state = game
            .parse_position(position)
            .expect("the test writes positions");
        let action = game
            .interpret(&state, &wish)
            .expect("safe grading always finds a move");
        assert_eq!(game.move_text(action), expected, "{position} {wish:?}");
    }

    #[test]
    fn safe_grading_plays_the_closest_legal_move() {
        check_safe("4,4,4", [1, 3], "2:3");
        check_safe("4,0,4", [1, 3], "1:3");
        check_safe("0,0,2", [0, 4], "3:2");
        check_safe("4,0,2", [7, 0], "3:1");
        check_safe("4,4,4", [-5, 9], "1:4");
        check_safe("0,1,0", [i32::MIN, i32::MAX], "2:1");
    }

    #[test]
    fn strict_grading_knows_only_legal_moves() {
        let game = nim(&[4, 4], Start::Full, Mode::All, Grading::Strict);
        let state = game
            .parse_position("0,3")
            .expect("the test writes positions");
        for wish in [[-1, 1], [2, 1], [0, 1], [1, 0], [1, 4], [1, -1]] {
            assert_eq!(game.interpret(&state, &wish), None, "{wish:?}");
        }
        assert_eq!(
            game.interpret(&state, &[1, 3]),
            Some(Take {
                stack: 1,
                amount: 3
            })
        );
    }

    fn check_starts(mode: Mode, start: Start, expected: &[&str]) {
        let game = nim(&[2, 3], start, mode, Grading::Strict);
        let mut listed: Vec<String> = game
            .starts()
            .iter()
            .map(|state| game.position_text(state))
            .collect();
        listed.sort();
        assert_eq!(listed, expected, "{mode:?} {start:?}");
        let mut drawn: Vec<String> = (0..200)
            .map(|index| {
                game.position_text(&game.start(&mut stream(1, Purpose::Opening, 0, index)))
            })
            .collect();
        drawn.sort();
        drawn.dedup();
        assert_eq!(drawn, expected, "what is drawn is what is listed");
    }

    #[test]
    fn the_listed_starts_are_those_that_are_drawn() {
        check_starts(Mode::All, Start::Full, &["2,3"]);
        check_starts(
            Mode::All,
            Start::Random,
            &["1,1", "1,2", "1,3", "2,1", "2,2", "2,3"],
        );
        check_starts(Mode::Simple, Start::Full, &["0,3", "2,0"]);
        check_starts(
            Mode::Simple,
            Start::Random,
            &["0,1", "0,2", "0,3", "1,0", "2,0"],
        );
    }

    #[test]
    fn whoever_takes_the_last_match_loses() {
        let game = nim(&[1], Start::Full, Mode::All, Grading::Strict);
        let mut state = game.parse_position("1").expect("the test writes positions");
        game.play(
            &mut state,
            Take {
                stack: 0,
                amount: 1,
            },
        );
        assert_eq!(game.outcome(&state), Some(Outcome::Win(Side::Second)));
    }

    #[test]
    fn pointing_at_a_match_covers_it_and_all_to_its_right() {
        let game = nim(&[4, 2], Start::Full, Mode::All, Grading::Strict);
        let state = game
            .parse_position("4,2")
            .expect("the test writes positions");
        let room = Room {
            width: 40,
            height: 12,
        };
        let board = game.board(&state, None, room);
        let spot = |word: &str| {
            let found = board.spots.iter().find(|spot| spot.word == word);
            found.expect("every move has its spot")
        };
        let (one, three) = (spot("1:1"), spot("1:3"));
        assert_eq!(three.covers[0].width, 3 * one.covers[0].width);
        assert_eq!(three.covers[0].x, three.at.x);
        assert!(three.covers[0].x < one.at.x);
    }

    #[test]
    fn a_picture_keeps_its_size_while_matches_go() {
        let game = nim(&[4, 2], Start::Full, Mode::All, Grading::Strict);
        let room = Room {
            width: 40,
            height: 12,
        };
        let size = |text: &str| {
            let state = game
                .parse_position(text)
                .expect("the test writes positions");
            let board = game.board(&state, None, room);
            (board.width, board.height)
        };
        assert_eq!(size("4,2"), size("0,1"));
    }

    #[test]
    fn a_picture_fits_its_room_and_every_spot_is_a_legal_move() {
        let game = nim(&[1000, 3], Start::Full, Mode::All, Grading::Strict);
        for text in ["1000,3", "2,3", "0,0", "7,1000"] {
            let state = game
                .parse_position(text)
                .expect("the test writes positions");
            for room in [(1, 1), (12, 2), (40, 12), (120, 30)] {
                let (width, height) = room;
                let board = game.board(&state, None, Room { width, height });
                assert!(
                    board.width <= width && board.height <= height,
                    "{text} {room:?}"
                );
                for spot in &board.spots {
                    game.parse_move(&state, &spot.word)
                        .expect("spots are legal moves");
                }
            }
        }
    }
}
