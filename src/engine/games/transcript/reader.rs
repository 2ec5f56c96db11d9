//! Reads the games of a text with the leniency of a person: with or without tags, numbers and
//! results, one a line or wrapped. A game that can't be read does not hide the others.

use std::ops::Range;

use crate::games::{Game, NotationError, Side, play_text};

use super::tokens::{Token, Tokens};
use super::{GameFile, RULES, SEPARATOR};

/// Moves that a line must have to begin a game although they could go on with the game before.
const LINE: usize = 8;

/// Most tags of a game that are read.
const MAX_TAGS: usize = 64;

/// The last move of a line of play that can be read, and why the next can't.
pub(super) struct Problem {
    /// The number of moves before it.
    pub(super) moves: usize,
    /// The line, from 1.
    line: usize,
    pub(super) error: NotationError,
}

impl Problem {
    /// The problem with its place in the file.
    pub(super) fn text(&self, file: &GameFile) -> String {
        let line = format!("line {}, ", self.line);
        let line = if file.has_lines { &line } else { "" };
        format!("{line}move {}: {}", self.moves + 1, self.error)
    }
}

/// A game of a text.
pub(super) struct ReadGame<'a, G: Game> {
    pub(super) span: Range<usize>,
    tags: Vec<(&'a str, &'a str)>,
    pub(super) start: G::State,
    state: G::State,
    pub(super) actions: Vec<G::Move>,
    /// The result at the end of the line of play.
    result: Option<&'a str>,
    pub(super) problem: Option<Problem>,
    is_numbered: bool,
    /// Whether an empty line comes before what is read next.
    is_after_blank: bool,
}

impl<'a, G: Game> ReadGame<'a, G> {
    fn new(game: &G, base: Option<&G::State>) -> Self {
        let start = base.map_or_else(|| game.standard_start(), Clone::clone);
        Self {
            span: 0..0,
            tags: Vec::new(),
            state: start.clone(),
            start,
            actions: Vec::new(),
            result: None,
            problem: None,
            is_numbered: false,
            is_after_blank: false,
        }
    }

    fn tag(&self, name: &str) -> Option<&'a str> {
        let mut tags = self.tags.iter();
        let found = tags.find(|(known, _)| known.eq_ignore_ascii_case(name));
        found.map(|(_, value)| *value)
    }

    fn has_words(&self) -> bool {
        !self.actions.is_empty() || self.problem.is_some() || self.result.is_some()
    }

    /// Whether its games can only be told apart by their moves.
    fn is_bare(&self) -> bool {
        self.tags.is_empty() && !self.is_numbered
    }

    fn fail(&mut self, line: usize, error: NotationError) {
        let moves = self.actions.len();
        self.problem.get_or_insert(Problem { moves, line, error });
    }

    /// The tags without a meaning to the game.
    pub(super) fn other_tags(&self, game: &G) -> Vec<(String, String)> {
        let format = game.transcript_format();
        let [first, second] = format.players;
        let own = [first, second, format.start, "Black", "White", "Result"];
        let known = [&own[..], &["FEN", "SetUp", "GameType"]].concat();
        let is_known = |name: &str| known.iter().any(|known| known.eq_ignore_ascii_case(name));
        let others = self.tags.iter().filter(|(name, _)| !is_known(name));
        let owned = |&(name, value): &(&str, &str)| (name.to_owned(), value.to_owned());
        others.map(owned).collect()
    }

    /// The parameters of the rules that it states.
    pub(super) fn parameters(&self) -> Vec<(String, String)> {
        let parts = self.tag(RULES).unwrap_or_default().split(SEPARATOR);
        let pairs = parts.filter_map(|part| part.split_once('='));
        let owned = |(key, value): (&str, &str)| (key.to_owned(), value.to_owned());
        pairs.map(owned).collect()
    }

    /// The names of the players.
    pub(super) fn names(&self, game: &G) -> [String; 2] {
        let usual = ["Black", "White"];
        [0, 1].map(|side| {
            let own = game.transcript_format().players[side];
            let name = self.tag(own).or_else(|| self.tag(usual[side]));
            let name = name.filter(|name| !name.is_empty());
            name.map_or_else(|| own.to_lowercase(), str::to_owned)
        })
    }

    /// The result for the first player: by the rules if the game is over, else as it is written;
    /// `None` if the game is unfinished.
    pub(super) fn result(&self, game: &G) -> Option<i8> {
        let over = game.outcome(&self.state).filter(|_| self.problem.is_none());
        let over = over.map(|outcome| outcome.result_for(Side::First));
        let written = [self.tag("Result"), self.result].into_iter().flatten();
        over.or_else(|| written.filter_map(result).find_map(|written| written.0))
    }
}

/// A result as it is written: 1, 0 or −1 for the first player, `None` in an unfinished game.
#[derive(Clone, Copy)]
struct WrittenResult(Option<i8>);

/// The result that a word states, if any. Scores are read as results where they can't be squares of
/// draughts.
fn result(word: &str) -> Option<WrittenResult> {
    if word == "*" {
        return Some(WrittenResult(None));
    }
    let won = |margin: f64| {
        let result = i8::from(margin > 0.0) - i8::from(margin < 0.0);
        Some(WrittenResult(Some(result)))
    };
    let draws = ["½", "1/2", "½-½", "1/2-1/2", "draw", "drawn"];
    if draws.iter().any(|draw| draw.eq_ignore_ascii_case(word)) {
        return won(0.0);
    }
    if word.starts_with(['+', '-']) || (word.contains('.') && !word.ends_with('.')) {
        return won(word.split(':').next()?.parse().ok()?);
    }
    let (first, second) = word.split_once(['-', '–'])?;
    let [first, second]: [u16; 2] = [first.parse().ok()?, second.parse().ok()?];
    let is_full = u32::from(first) + u32::from(second) == 64;
    let is_score = is_full || first.min(second) == 0 || (first, second) == (1, 1);
    won(f64::from(first) - f64::from(second)).filter(|_| is_score)
}

/// The number of a move in front of a word, the dots behind it, and the rest of the word.
fn numbered(word: &str) -> Option<(usize, usize, &str)> {
    let digits = word.bytes().take_while(u8::is_ascii_digit).count();
    let (number, rest) = word.split_at(digits);
    let bare = rest.trim_start_matches('.');
    let dots = rest.len() - bare.len();
    (dots > 0).then(|| Some((number.parse().ok()?, dots, bare)))?
}

/// A word without marks of its quality.
fn unmarked(word: &str) -> &str {
    match word.trim_matches(|c| "!?*,+#=".contains(c)) {
        "" => word,
        bare => bare,
    }
}

/// Plays the moves of a word; a pass that the rules demand may be left out.
fn play_word<G: Game>(
    game: &G,
    state: &mut G::State,
    word: &str,
    actions: &mut Vec<G::Move>,
) -> Result<(), NotationError> {
    let mut moves = Vec::new();
    for text in game.record_moves(word) {
        let mut played = play_text(game, state, &text);
        if played.is_err() {
            moves.clear();
            game.moves(state, &mut moves);
            if let [pass] = moves[..]
                && game.is_pass(pass)
            {
                let mut after = state.clone();
                game.play(&mut after, pass);
                if let Ok(action) = play_text(game, &mut after, &text) {
                    actions.push(pass);
                    *state = after;
                    played = Ok(action);
                }
            }
        }
        actions.push(played?);
    }
    Ok(())
}

/// Reads the games of a text one after the other.
pub(super) struct Reader<'a, G: Game> {
    game: &'a G,
    /// Where games without a position begin; `None` for the standard start.
    base: Option<&'a G::State>,
    /// Whether sentences may stand between the games.
    is_file: bool,
    tokens: Tokens<'a>,
    /// The game being read; `None` at the end.
    draft: Option<ReadGame<'a, G>>,
}

impl<'a, G: Game> Reader<'a, G> {
    /// Reads a file of games.
    pub(super) fn new(game: &'a G, text: &'a str) -> Self {
        Self {
            is_file: true,
            ..Self::of_record(game, None, text)
        }
    }

    /// Reads a line of play from a position, or from where it says.
    pub(super) fn of_record(game: &'a G, base: Option<&'a G::State>, text: &'a str) -> Self {
        Self {
            game,
            base,
            is_file: false,
            tokens: Tokens::new(text),
            draft: Some(ReadGame::new(game, base)),
        }
    }

    /// Whether a token belongs to the next game.
    fn begins_game(&self, draft: &ReadGame<'a, G>, token: &Token<'a>) -> bool {
        match token {
            Token::Boundary => true,
            _ if self.tokens.is_ggf => false,
            Token::Position(_) => true,
            Token::Tag(name, _) => {
                draft.has_words() || (draft.is_after_blank && draft.tag(name).is_some())
            }
            Token::Word(word) if draft.result.is_some() => result(word).is_none(),
            Token::Word(word) => match self.number(draft, word) {
                Some((1, 1)) => draft.actions.len() > 1 || draft.problem.is_some(),
                // The number of a game in a list.
                Some((number, _)) => {
                    let is_over = self.game.outcome(&draft.state).is_some();
                    let is_next = number == draft.actions.len() / 2 + 1 && !is_over;
                    draft.tags.is_empty() && !is_next && self.line_is_game()
                }
                None => draft.has_words() && draft.is_bare() && self.line_begins_game(draft, word),
            },
            Token::Blank | Token::Unclosed(_) => false,
        }
    }

    /// Whether a word at the beginning of a line begins a game, although nothing but its moves
    /// says so.
    fn line_begins_game(&self, draft: &ReadGame<'a, G>, word: &str) -> bool {
        if !self.tokens.is_first {
            return false;
        }
        let begins = || self.moves_of(word).is_some();
        if draft.problem.is_some() {
            return draft.is_after_blank || begins();
        }
        let continues = play_word(self.game, &mut draft.state.clone(), word, &mut Vec::new());
        match continues {
            Err(_) => draft.is_after_blank || begins(),
            Ok(()) if draft.is_after_blank => begins(),
            Ok(()) => self.line_is_game(),
        }
    }

    /// Whether the line that begins here is a game.
    fn line_is_game(&self) -> bool {
        let moves = || self.moves_of(self.tokens.rest_of_line());
        self.tokens.is_first && moves().is_some_and(|moves| moves >= LINE)
    }

    /// The number of moves in a line from the start; `None` if it is no line of play.
    fn moves_of(&self, line: &str) -> Option<usize> {
        let (mut state, mut actions) = (ReadGame::new(self.game, self.base).start, Vec::new());
        let mut play = |word: &str| {
            let word = numbered(word).map_or(word, |(.., rest)| rest);
            word.is_empty()
                || result(word).is_some()
                || play_word(self.game, &mut state, unmarked(word), &mut actions).is_ok()
        };
        let is_legal = line.split_whitespace().all(&mut play);
        is_legal.then_some(actions.len())
    }

    /// The number of a move or of a game, and the dots behind it.
    fn number(&self, draft: &ReadGame<'a, G>, word: &str) -> Option<(usize, usize)> {
        let dotless = || draft.is_numbered && self.is_bare_number(draft, word);
        match numbered(word) {
            Some((number, dots, _)) => Some((number, dots)),
            None => Some((word.parse().ok().filter(|_| dotless())?, 1)),
        }
    }

    fn read_token(&self, draft: &mut ReadGame<'a, G>, token: Token<'a>) {
        let begins = token == Token::Boundary || !self.tokens.is_ggf;
        if begins && draft.is_bare() && !draft.has_words() {
            draft.span.start = self.tokens.begin;
        }
        draft.is_after_blank = token == Token::Blank;
        let line = self.tokens.line;
        match token {
            Token::Tag(name, value) if draft.tags.len() < MAX_TAGS => {
                draft.tags.push((name, value));
                let start = self.game.transcript_format().start;
                if name.eq_ignore_ascii_case("FEN") || name.eq_ignore_ascii_case(start) {
                    self.set_up(draft, name, value);
                }
            }
            Token::Position(text) => {
                draft.tags.push(("FEN", text));
                self.set_up(draft, "position", text);
            }
            Token::Word(word) => self.read_word(draft, word),
            Token::Unclosed(sign) => {
                draft.fail(line, format!("`{sign}` is not closed").into());
            }
            Token::Blank | Token::Boundary | Token::Tag(..) => {}
        }
    }

    fn set_up(&self, draft: &mut ReadGame<'a, G>, name: &str, text: &str) {
        match self.game.parse_position(text) {
            Ok(start) if self.base.is_some_and(|base| *base != start) => {
                let error = format!("the game starts from {text}; set this as the start");
                draft.fail(self.tokens.line, error.into());
            }
            Ok(start) => (draft.start, draft.state) = (start.clone(), start),
            Err(error) => draft.fail(self.tokens.line, error.at(name)),
        }
    }

    fn read_word(&self, draft: &mut ReadGame<'a, G>, mut word: &'a str) {
        if let Some((_, _, rest)) = numbered(word) {
            draft.is_numbered = true;
            word = rest;
        }
        let is_mark = word.chars().all(|c| "!?".contains(c)) && !draft.actions.is_empty();
        if is_mark || word.bytes().all(|byte| byte == b'.') {
            return;
        }
        if result(word).is_some() {
            draft.result.get_or_insert(word);
        } else if draft.problem.is_none() {
            let next = draft.actions.len() / 2 + 1;
            let actions = &mut draft.actions;
            let played = play_word(self.game, &mut draft.state, unmarked(word), actions);
            match played {
                Ok(()) => {}
                Err(_) if self.is_prose(draft, word) => {}
                // The number of a move without a dot.
                Err(_) if word.parse() == Ok(next) && self.is_bare_number(draft, word) => {
                    draft.is_numbered = true;
                }
                Err(error) => draft.fail(self.tokens.line, error),
            }
        }
    }

    /// Whether a word is a number where moves are none.
    fn is_bare_number(&self, draft: &ReadGame<'a, G>, word: &str) -> bool {
        let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        if !is_number(word.trim_end_matches(':')) {
            return false;
        }
        let mut moves = Vec::new();
        self.game.moves(&draft.state, &mut moves);
        let mut texts = moves.iter().map(|&action| self.game.move_text(action));
        !texts.any(|text| is_number(&text))
    }

    /// Whether a word belongs to a sentence in a file, such as `White resigns`, or to one between
    /// its games.
    fn is_prose(&self, draft: &ReadGame<'a, G>, word: &str) -> bool {
        let has_digit = word.bytes().any(|byte| byte.is_ascii_digit());
        let is_between = draft.is_bare() && draft.actions.is_empty();
        self.is_file && (!has_digit || (is_between && self.is_bare_number(draft, word)))
    }
}

impl<'a, G: Game> Iterator for Reader<'a, G> {
    type Item = ReadGame<'a, G>;

    fn next(&mut self) -> Option<ReadGame<'a, G>> {
        let mut draft = self.draft.take()?;
        while let Some(token) = self.tokens.next() {
            let begins = self.begins_game(&draft, &token);
            let done = (begins && (draft.has_words() || !draft.tags.is_empty())).then(|| {
                draft.span.end = self.tokens.begin;
                std::mem::replace(&mut draft, ReadGame::new(self.game, self.base))
            });
            self.read_token(&mut draft, token);
            if done.is_some() {
                self.draft = Some(draft);
                return done;
            }
        }
        draft.span.end = self.tokens.end();
        (draft.has_words() || !draft.tags.is_empty()).then_some(draft)
    }
}
