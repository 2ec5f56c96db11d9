//! Nim: take any number of matches from one heap. In misère play the player who takes the last
//! match loses (Kissling 2025, §2.5), in normal play this player wins (Bouton 1901).

use std::iter;
use std::sync::Arc;

use rand::RngExt;
use rand::seq::index;

use crate::input_spec::InputSpec;
use crate::rng::Stream;

use self::picture::NimLayout;
use super::board::{Board, MaxSize};
use super::heuristic::Heuristic;
use super::oracle::Oracle;
use super::{
    Encoding, GameShape, Heuristics, MoveComponent, Notation, NotationError, Outcome, Picture,
    Rules, Side, StartKind, check_legal,
};

pub use self::config::{LastMatch, NimConfig, NimEncoding, NimGrading, NimMode, NimStart};

mod config;
mod inputs;
mod oracle;
mod picture;

/// The maximal number of heaps.
pub const MAX_HEAPS: usize = 20;

/// The maximal number of positions of which starting positions are listed, so that the solver can
/// solve the game.
const MOST_LISTED: f64 = (1 << 18) as f64;

/// The maximal number of matches in a heap.
pub const MAX_MATCHES: u16 = 10_000;

/// The rules of Nim for one set of starting positions.
#[derive(Clone, Debug)]
pub struct Nim {
    config: NimConfig,
}

/// The number of matches in each heap and the side to move. Unused heaps are empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NimPosition {
    matches: [u16; MAX_HEAPS],
    count: u8,
    to_move: Side,
}

impl NimPosition {
    fn new(sizes: &[u16]) -> Self {
        let mut matches = [0; MAX_HEAPS];
        matches[..sizes.len()].copy_from_slice(sizes);
        Self {
            matches,
            count: sizes.len() as u8,
            to_move: Side::First,
        }
    }

    /// The number of matches in each heap.
    pub fn sizes(&self) -> &[u16] {
        &self.matches[..self.count as usize]
    }
}

/// Taking `amount` matches from a heap, counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct NimMove {
    /// The heap, counted from 0.
    pub heap: u8,
    /// The number of matches, at least 1.
    pub amount: u16,
}

impl Nim {
    fn largest(&self) -> u16 {
        self.config.heaps.iter().copied().max().unwrap_or(0)
    }

    /// One heap with some matches, all others empty.
    fn alone(&self, index: usize, amount: u16) -> NimPosition {
        let mut sizes = vec![0; self.config.heaps.len()];
        sizes[index] = amount;
        NimPosition::new(&sizes)
    }

    /// The legal move closest to the given components (safe grading); the state must have a match
    /// left.
    fn closest(state: &NimPosition, heap: i32, amount: i32) -> NimMove {
        let sizes = state.sizes();
        let nearest = (0..sizes.len())
            .filter(|&index| sizes[index] > 0)
            .min_by_key(|&index| (i64::from(heap) - index as i64).abs())
            .expect("a position with a player to move has a match left");
        NimMove {
            heap: nearest as u8,
            amount: amount.clamp(1, sizes[nearest].into()) as u16,
        }
    }

    /// All ways to fill the heaps with `least` matches up to their size.
    fn fillings(sizes: &[u16], least: u16) -> impl Iterator<Item = NimPosition> + use<'_> {
        let mut next = Some(NimPosition::new(&vec![least; sizes.len()]));
        iter::from_fn(move || {
            let now = next.take()?;
            let mut after = now;
            // The last heap counts fastest.
            let risen = (0..sizes.len()).rev().find(|&heap| {
                let is_full = after.matches[heap] == sizes[heap];
                after.matches[heap] = if is_full {
                    least
                } else {
                    after.matches[heap] + 1
                };
                !is_full
            });
            next = risen.map(|_| after);
            Some(now)
        })
    }

    /// A starting position; where some heaps may be empty, at most `most` hold matches.
    fn start_with(&self, most: usize, rng: &mut Stream) -> NimPosition {
        let mut state = NimPosition::new(&self.config.heaps);
        let count = state.count as usize;
        if self.config.start != NimStart::Full {
            for size in &mut state.matches[..count] {
                *size = rng.random_range(1..=*size);
            }
        }
        if matches!(self.config.start, NimStart::Sparse | NimStart::Curriculum) {
            let filled = rng.random_range(1..=most);
            for heap in index::sample(rng, count, count - filled) {
                state.matches[heap] = 0;
            }
        }
        if self.config.mode == NimMode::Simple && count > 1 {
            let kept = rng.random_range(0..count);
            for (index, size) in state.matches[..count].iter_mut().enumerate() {
                *size = if index == kept { *size } else { 0 };
            }
        }
        state
    }

    /// The number of positions with at most these heaps.
    fn position_count(&self) -> f64 {
        let sizes = self.config.heaps.iter();
        sizes.map(|&size| f64::from(size) + 1.0).product()
    }
}

impl Rules for Nim {
    type State = NimPosition;
    type Move = NimMove;

    fn goal(&self) -> &'static str {
        match self.config.last {
            LastMatch::Loses => "the player who takes the last match loses",
            LastMatch::Wins => "the player who takes the last match wins",
        }
    }

    fn start(&self, kind: StartKind, rng: &mut Stream) -> NimPosition {
        let heaps = self.config.heaps.len();
        let taught = match (kind, self.config.start) {
            (StartKind::Training { generation }, NimStart::Curriculum) => {
                generation / u64::from(self.config.lesson) + 1
            }
            _ => heaps as u64,
        };
        self.start_with(taught.min(heaps as u64) as usize, rng)
    }

    /// Full heaps; in Simple Nim the first one.
    fn standard_start(&self) -> NimPosition {
        match self.config.mode {
            NimMode::All => NimPosition::new(&self.config.heaps),
            NimMode::Simple => self.alone(0, self.config.heaps[0]),
        }
    }

    fn to_move(&self, state: &NimPosition) -> Side {
        state.to_move
    }

    fn moves(&self, state: &NimPosition, out: &mut Vec<NimMove>) {
        for (heap, &size) in state.sizes().iter().enumerate() {
            out.extend((1..=size).map(|amount| NimMove {
                heap: heap as u8,
                amount,
            }));
        }
    }

    fn count_moves(&self, state: &NimPosition) -> usize {
        state.sizes().iter().map(|&size| usize::from(size)).sum()
    }

    fn play(&self, state: &mut NimPosition, action: NimMove) {
        state.matches[action.heap as usize] -= action.amount;
        state.to_move = state.to_move.opponent();
    }

    /// If no match is left, the opponent took the last one.
    fn outcome(&self, state: &NimPosition) -> Option<Outcome> {
        let is_over = state.matches.iter().all(|&size| size == 0);
        is_over.then(|| match self.config.last {
            LastMatch::Loses => Outcome::Win(state.to_move),
            LastMatch::Wins => Outcome::Win(state.to_move.opponent()),
        })
    }

    /// Nim is impartial: the side to move does not matter.
    fn canonical(&self, state: &NimPosition) -> NimPosition {
        NimPosition {
            to_move: Side::First,
            ..*state
        }
    }
}

impl Encoding for Nim {
    fn shape(&self) -> GameShape {
        let heaps = self.config.heaps.len();
        let heap = MoveComponent {
            name: "heap",
            low: 0,
            high: heaps as i32 - 1,
        };
        let amount = MoveComponent {
            name: "amount",
            low: 1,
            high: self.largest().into(),
        };
        let levels = inputs::levels(&self.config);
        GameShape {
            inputs: InputSpec {
                whole: levels.iter().max().map(|&levels| levels - 1),
                count: levels.len(),
                levels: levels.into(),
                ..InputSpec::default()
            },
            components: vec![heap, amount],
            ..GameShape::default()
        }
    }

    fn encode(&self, state: &NimPosition, _side: Side, out: &mut [f32]) {
        inputs::encode(&self.config, state.sizes(), out);
    }

    fn changes(
        &self,
        state: &NimPosition,
        action: NimMove,
        _side: Side,
        out: &mut Vec<(u32, f32)>,
    ) {
        let heap = usize::from(action.heap);
        let size = state.matches[heap];
        inputs::changes(&self.config, heap, [size, size - action.amount], out);
    }

    fn decode_move(&self, state: &NimPosition, components: &[i32]) -> Option<NimMove> {
        let &[heap, amount] = components else {
            return None;
        };
        let size = usize::try_from(heap)
            .ok()
            .and_then(|index| state.sizes().get(index));
        let legal = size.is_some_and(|&size| (1..=i32::from(size)).contains(&amount));
        match self.config.grading {
            _ if legal => Some(NimMove {
                heap: heap as u8,
                amount: amount as u16,
            }),
            NimGrading::Strict => None,
            NimGrading::Safe => Some(Self::closest(state, heap, amount)),
        }
    }

    fn encode_move(&self, action: NimMove, out: &mut Vec<i32>) {
        out.extend([i32::from(action.heap), i32::from(action.amount)]);
    }
}

impl Notation for Nim {
    fn move_text(&self, action: NimMove) -> String {
        format!("{}:{}", action.heap + 1, action.amount)
    }

    fn parse_move(&self, state: &NimPosition, text: &str) -> Result<NimMove, NotationError> {
        let error = || {
            format!(
                "`{text}` is not a move; write HEAP:AMOUNT with heaps counted from 1, such as 2:3"
            )
        };
        let (heap, amount) = text.trim().split_once(':').ok_or_else(error)?;
        let heap: u8 = heap.trim().parse().map_err(|_| error())?;
        let amount: u16 = amount.trim().parse().map_err(|_| error())?;
        let heap = heap.checked_sub(1).ok_or_else(error)?;
        check_legal(self, state, NimMove { heap, amount })
    }

    fn position_text(&self, state: &NimPosition) -> String {
        let sizes: Vec<String> = state.sizes().iter().map(ToString::to_string).collect();
        sizes.join(",")
    }

    fn parse_position(&self, text: &str) -> Result<NimPosition, NotationError> {
        let error = |what: &str| {
            NotationError::from(format!(
                "`{text}` is not a position: {what}; write heap sizes such as 2,4"
            ))
        };
        let size = |part: &str| {
            let size = part.trim().parse::<u16>().ok();
            let size = size.filter(|&size| size <= MAX_MATCHES);
            size.ok_or_else(|| error(&format!("`{part}` is no number from 0 to {MAX_MATCHES}")))
        };
        let signs: &[char] = if text.contains(',') {
            &[',']
        } else {
            &[' ', '-']
        };
        let sizes = text.trim().split(signs).map(size);
        let sizes = sizes.collect::<Result<Vec<u16>, _>>()?;
        if sizes.len() > MAX_HEAPS {
            return Err(error(&format!("there are at most {MAX_HEAPS} heaps")));
        }
        Ok(NimPosition::new(&sizes))
    }

    fn move_help(&self) -> &'static str {
        "2:3 takes three from heap 2"
    }
}

impl Picture for Nim {
    fn board(
        &self,
        state: &NimPosition,
        last: Option<(&NimPosition, NimMove)>,
        room: MaxSize,
    ) -> Board {
        let before = last.map_or(state, |(before, _)| before);
        let layout = NimLayout::new(&self.config.heaps, before, room);
        layout.draw(&self.config.heaps, state, before, room)
    }
}

/// The rule of thumb: make the two largest heaps equal (Zhou & Riis 2022).
const LEVEL: Heuristic = Heuristic {
    name: "level",
    about: "makes the two largest heaps equal",
    depths: &[1],
    random_move_share: Some(0.0),
};

impl Heuristics for Nim {
    fn all_starts(&self) -> Vec<NimPosition> {
        let sizes = &self.config.heaps;
        if self.config.mode == NimMode::All && self.position_count() > MOST_LISTED {
            return Vec::new();
        }
        match (self.config.mode, self.config.start) {
            (NimMode::All, NimStart::Full) => vec![NimPosition::new(sizes)],
            (NimMode::All, NimStart::Random) => Self::fillings(sizes, 1).collect(),
            (NimMode::All, NimStart::Sparse | NimStart::Curriculum) => {
                Self::fillings(sizes, 0).skip(1).collect()
            }
            (NimMode::Simple, NimStart::Full) => (0..sizes.len())
                .map(|index| self.alone(index, sizes[index]))
                .collect(),
            (NimMode::Simple, _) => (0..sizes.len())
                .flat_map(|index| (1..=sizes[index]).map(move |amount| self.alone(index, amount)))
                .collect(),
        }
    }

    fn moves_left(&self, state: &NimPosition) -> Option<u16> {
        Some(state.matches.iter().sum())
    }

    /// Normal play has a rule of thumb.
    fn heuristics(&self) -> &'static [Heuristic] {
        match self.config.last {
            LastMatch::Wins => &[LEVEL],
            LastMatch::Loses => &[],
        }
    }

    fn evaluate(&self, _heuristic: usize, state: &NimPosition, _side: Side) -> f32 {
        let mut sizes = state.matches;
        sizes.sort_unstable_by(|one, other| other.cmp(one));
        -f32::from(sizes[0] - sizes[1])
    }

    /// A large game has a closed form. A smaller one is solved by listing its positions, which also
    /// tells how soon it can be won.
    fn oracle(&self) -> Option<Arc<dyn Oracle<Self>>> {
        let is_listed = self.config.mode == NimMode::Simple || self.position_count() <= MOST_LISTED;
        (!is_listed).then(|| Arc::new(oracle::ClosedForm) as Arc<dyn Oracle<Self>>)
    }

    fn judges_all(&self, most: usize) -> bool {
        self.position_count() <= most as f64
    }

    fn judged_positions(&self, most: usize, rng: &mut Stream) -> Vec<NimPosition> {
        let sizes = &self.config.heaps;
        if self.judges_all(most) {
            return Self::fillings(sizes, 0).skip(1).collect();
        }
        let random = || {
            let amounts: Vec<u16> = sizes
                .iter()
                .map(|&size| rng.random_range(0..=size))
                .collect();
            NimPosition::new(&amounts)
        };
        iter::repeat_with(random).take(most).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::GameParams;
    use crate::rng::{Purpose, stream};

    fn nim(heaps: &[u16], start: NimStart, mode: NimMode, grading: NimGrading) -> Nim {
        NimConfig {
            heaps: heaps.to_vec(),
            last: LastMatch::Loses,
            start,
            mode,
            grading,
            ..NimConfig::default()
        }
        .build()
    }

    fn check_safe(position: &str, components: [i32; 2], expected: &str) {
        let game = nim(&[4, 4, 4], NimStart::Full, NimMode::All, NimGrading::Safe);
        let state = game
            .parse_position(position)
            .expect("the position is valid");
        let action = game
            .decode_move(&state, &components)
            .expect("safe grading always finds a move");
        assert_eq!(
            game.move_text(action),
            expected,
            "{position} {components:?}"
        );
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
    fn strict_grading_accepts_only_legal_moves() {
        let game = nim(&[4, 4], NimStart::Full, NimMode::All, NimGrading::Strict);
        let state = game.parse_position("0,3").expect("the position is valid");
        for components in [[-1, 1], [2, 1], [0, 1], [1, 0], [1, 4], [1, -1]] {
            assert_eq!(
                game.decode_move(&state, &components),
                None,
                "{components:?}"
            );
        }
        assert_eq!(
            game.decode_move(&state, &[1, 3]),
            Some(NimMove { heap: 1, amount: 3 })
        );
    }

    fn check_starts(mode: NimMode, start: NimStart, expected: &[&str]) {
        let game = nim(&[2, 3], start, mode, NimGrading::Strict);
        let mut listed: Vec<String> = game
            .all_starts()
            .iter()
            .map(|state| game.position_text(state))
            .collect();
        listed.sort();
        assert_eq!(listed, expected, "{mode:?} {start:?}");
        let mut drawn: Vec<String> = (0..200)
            .map(|index| {
                game.position_text(
                    &game.start(StartKind::Game, &mut stream(1, Purpose::Opening, 0, index)),
                )
            })
            .collect();
        drawn.sort();
        drawn.dedup();
        assert_eq!(drawn, expected, "the drawn starts are the listed ones");
    }

    #[test]
    fn the_drawn_starts_are_the_listed_ones() {
        check_starts(NimMode::All, NimStart::Full, &["2,3"]);
        check_starts(
            NimMode::All,
            NimStart::Random,
            &["1,1", "1,2", "1,3", "2,1", "2,2", "2,3"],
        );
        check_starts(NimMode::Simple, NimStart::Full, &["0,3", "2,0"]);
        check_starts(
            NimMode::Simple,
            NimStart::Random,
            &["0,1", "0,2", "0,3", "1,0", "2,0"],
        );
    }

    #[test]
    fn a_curriculum_puts_one_more_heap_in_play_after_each_lesson() {
        let game = NimConfig {
            heaps: vec![3, 5, 7],
            start: NimStart::Curriculum,
            lesson: 10,
            ..NimConfig::default()
        }
        .build();
        let most = |generation: u64| {
            let filled = (0..200).map(|index| {
                let mut rng = stream(1, Purpose::Opening, generation, index);
                let state = game.start(StartKind::Training { generation }, &mut rng);
                state.sizes().iter().filter(|&&size| size > 0).count()
            });
            filled.max()
        };
        for (generation, expected) in [(0, 1), (9, 1), (10, 2), (19, 2), (20, 3), (1000, 3)] {
            assert_eq!(most(generation), Some(expected), "generation {generation}");
        }
    }

    #[test]
    fn the_player_who_takes_the_last_match_loses() {
        let game = nim(&[1], NimStart::Full, NimMode::All, NimGrading::Strict);
        let mut state = game.parse_position("1").expect("the position is valid");
        game.play(&mut state, NimMove { heap: 0, amount: 1 });
        assert_eq!(game.outcome(&state), Some(Outcome::Win(Side::Second)));
    }

    #[test]
    fn pointing_at_a_match_highlights_it_and_all_to_its_right() {
        let game = nim(&[4, 2], NimStart::Full, NimMode::All, NimGrading::Strict);
        let state = game.parse_position("4,2").expect("the position is valid");
        let room = MaxSize {
            width: 40,
            height: 12,
        };
        let board = game.board(&state, None, room);
        let target = |word: &str| {
            let found = board.targets.iter().find(|target| target.move_text == word);
            found.expect("every move has its target")
        };
        let (one, three) = (target("1:1"), target("1:3"));
        assert_eq!(three.highlighted[0].width, 3 * one.highlighted[0].width);
        assert_eq!(three.highlighted[0].x, three.at.x);
        assert!(three.highlighted[0].x < one.at.x);
    }

    #[test]
    fn a_picture_keeps_its_size_while_matches_are_taken() {
        let game = nim(&[4, 2], NimStart::Full, NimMode::All, NimGrading::Strict);
        let room = MaxSize {
            width: 40,
            height: 12,
        };
        let size = |text: &str| {
            let state = game.parse_position(text).expect("the position is valid");
            let board = game.board(&state, None, room);
            (board.width, board.height)
        };
        assert_eq!(size("4,2"), size("0,1"));
    }

    #[test]
    fn a_picture_fits_its_space_and_every_target_is_a_legal_move() {
        let game = nim(&[1000, 3], NimStart::Full, NimMode::All, NimGrading::Strict);
        for text in ["1000,3", "2,3", "0,0", "7,1000"] {
            let state = game.parse_position(text).expect("the position is valid");
            for room in [(1, 1), (12, 2), (40, 12), (120, 30)] {
                let (width, height) = room;
                let board = game.board(&state, None, MaxSize { width, height });
                assert!(
                    board.width <= width && board.height <= height,
                    "{text} {room:?}"
                );
                for target in &board.targets {
                    game.parse_move(&state, &target.move_text)
                        .expect("targets are legal moves");
                }
            }
        }
    }
}
