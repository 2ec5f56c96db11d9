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
    result: Option<WrittenResult>,
    /// The word before, if it is one of a sentence.
    prose: &'a str,
    /// The line of the last such word that is no abbreviation.
    prose_line: usize,
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
            prose: "",
            prose_line: 0,
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

    /// Whether a number is that of the next move, or of the next ply.
    fn has_number(&self, number: usize) -> bool {
        let plies = self.actions.len();
        number == plies / 2 + 1 || number == plies + 1
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
        let written = [self.tag("Result").and_then(stated), self.result];
        over.or_else(|| written.into_iter().flatten().find_map(|it| it.0))
    }
}

/// A result as it is written: 1, 0 or −1 for the first player, `None` in an unfinished game.
#[derive(Clone, Copy)]
struct WrittenResult(Option<i8>);

/// The result that a word states, if any. Scores are read as results where they can't be squares of
/// draughts.
fn result(word: &str) -> Option<WrittenResult> {
    let word = word.replace(' ', "");
    let word = match word.trim_end_matches(['.', ',', '!', '+']) {
        "" | "*" => return (word == "*").then_some(WrittenResult(None)),
        bare => bare,
    };
    let draws = ["½", "1/2", "½-½", "1/2-1/2", "draw", "drawn"];
    let dashed = word.replace(':', "-");
    if draws.iter().any(|draw| draw.eq_ignore_ascii_case(&dashed)) {
        return Some(won(0.0));
    }
    let margin = word.split(':').next().filter(|margin| is_number(margin));
    if word.starts_with(['+', '-']) || (word.contains('.') && margin.is_some()) {
        return Some(won(margin?.parse().ok()?));
    }
    let [first, second] = score(word)?;
    let is_small = first.min(second) == 0 || (first == second && first <= 2);
    let is_score = first + second == 2 * 64 || (is_small && !word.contains(':'));
    is_score.then(|| won(f64::from(first - second)))
}

/// The result that a text states which is nothing else.
fn stated(text: &str) -> Option<WrittenResult> {
    let score = || {
        let [first, second] = score(&text.replace(' ', ""))?;
        Some(won(f64::from(first - second)))
    };
    result(text).or_else(score).or_else(|| said(text))
}

/// The result of a margin.
fn won(margin: f64) -> WrittenResult {
    WrittenResult(Some(i8::from(margin > 0.0) - i8::from(margin < 0.0)))
}

fn is_number(text: &str) -> bool {
    let bare = text.strip_prefix(['+', '-']).unwrap_or(text);
    !bare.contains(is_not_figure)
}

fn is_not_figure(letter: char) -> bool {
    !letter.is_ascii_digit() && letter != '.'
}

/// The points of two players, in halves.
fn score(word: &str) -> Option<[i32; 2]> {
    let (first, second) = word.split_once(['-', '–', ':'])?;
    let halves = |text: &str| {
        let points = (!text.contains(is_not_figure)).then(|| text.parse::<f64>().ok())??;
        let halves = 2.0 * points.min(1e6);
        // `40.20-24` is a move and its number.
        (halves.fract() == 0.0).then_some(halves as i32)
    };
    Some([halves(first)?, halves(second)?])
}

/// The result that a sentence states, such as `White wins` or `B+4`, for the first player, who is
/// Black, or Red.
fn said(sentence: &str) -> Option<WrittenResult> {
    let sentence = sentence.to_lowercase();
    let margin = match sentence.chars().next()? {
        'b' | 'r' => 1.0,
        'w' => -1.0,
        _ => return None,
    };
    let has = |words: &[&str]| words.iter().any(|word| sentence.contains(word));
    let margin = match () {
        () if has(&["resign", "lost", "lose", "forfeit"]) => -margin,
        () if has(&["win", "won", "+"]) => margin,
        () => return None,
    };
    Some(won(margin))
}

/// The number of a move in front of a word, the dots behind it, and the rest of the word.
fn numbered(word: &str) -> Option<(usize, usize, &str)> {
    let digits = word.bytes().take_while(u8::is_ascii_digit).count();
    let (number, rest) = word.split_at(digits);
    let bare = rest.trim_start_matches('.');
    let dots = rest.len() - bare.len();
    (dots > 0).then(|| Some((number.parse().ok()?, dots, bare)))?
}

/// The number of a move or a game without a dot.
fn dotless(word: &str) -> Option<usize> {
    word.trim_end_matches([':', ',']).parse().ok()
}

/// A word without marks of its quality.
fn unmarked(word: &str) -> &str {
    match word.trim_matches(|c| "!?*,.+#=".contains(c)) {
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
            Token::Word(word) if result(word).is_some() => false,
            Token::Word(word) if draft.result.is_some() => {
                let is_next = numbered(word).is_some_and(|(number, ..)| draft.has_number(number));
                !is_next || draft.actions.len() < 2
            }
            Token::Word(word) => match self.number(draft, word) {
                Some((1, 1)) => {
                    draft.actions.len() > 1 || (draft.problem.is_some() && draft.is_numbered)
                }
                // The number of a game in a list.
                Some((number, _)) => {
                    let is_over = self.game.outcome(&draft.state).is_some();
                    let is_next = draft.has_number(number) && !is_over;
                    draft.tags.is_empty() && !is_next && self.line_is_game(draft)
                }
                None => draft.has_words() && draft.is_bare() && self.line_begins_game(draft, word),
            },
            Token::Blank | Token::Unclosed(_) => false,
        }
    }

    /// Whether a word at the beginning of a line begins a game, although nothing but its moves
    /// says so.
    fn line_begins_game(&self, draft: &ReadGame<'a, G>, word: &str) -> bool {
        if !self.is_first(draft) {
            return false;
        }
        let begins = || self.moves_of(word) > 0;
        if draft.problem.is_some() {
            return draft.is_after_blank || begins();
        }
        let continues = play_word(self.game, &mut draft.state.clone(), word, &mut Vec::new());
        match continues {
            // The number of a game in a list.
            Err(_) if dotless(word).is_some() => self.line_is_game(draft),
            Err(_) => draft.is_after_blank || begins(),
            Ok(()) if draft.is_after_blank => begins(),
            Ok(()) => self.line_is_game(draft),
        }
    }

    /// Whether nothing but a sentence, such as the names of the players, comes before in the line.
    fn is_first(&self, draft: &ReadGame<'a, G>) -> bool {
        self.tokens.is_first || draft.prose_line == self.tokens.line
    }

    /// Whether the line that begins here is a game.
    fn line_is_game(&self, draft: &ReadGame<'a, G>) -> bool {
        self.is_first(draft) && self.moves_of(self.tokens.rest_of_line()) >= LINE
    }

    /// The number of moves that a line begins with from the start.
    fn moves_of(&self, line: &str) -> usize {
        let (mut state, mut actions) = (ReadGame::new(self.game, self.base).start, Vec::new());
        let mut play = |word: &str| {
            let word = numbered(word).map_or(word, |(.., rest)| rest);
            let mut play = || play_word(self.game, &mut state, unmarked(word), &mut actions);
            word.is_empty() || result(word).is_some() || play().is_ok() || dotless(word).is_some()
        };
        let words = Tokens::new(line).map_while(|token| match token {
            Token::Word(word) => Some(word),
            _ => None,
        });
        let _ = words.take_while(|word| play(word)).count();
        actions.len()
    }

    /// The number of a move or of a game, and the dots behind it.
    fn number(&self, draft: &ReadGame<'a, G>, word: &str) -> Option<(usize, usize)> {
        let is_number = || draft.is_numbered && self.is_bare_number(draft, word);
        match numbered(word) {
            Some((number, dots, _)) => Some((number, dots)),
            None => Some((dotless(word).filter(|_| is_number())?, 1)),
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
            // What stands before it says nothing about the game.
            Token::Boundary => {
                (draft.prose, draft.prose_line, draft.is_numbered) = ("", 0, false);
            }
            Token::Blank | Token::Tag(..) => {}
        }
    }

    fn set_up(&self, draft: &mut ReadGame<'a, G>, name: &str, text: &str) {
        match self.game.parse_position(text) {
            Ok(start) if self.base.is_some_and(|base| *base != start) => {
                let error = format!("the game starts from {text}; set this as the start");
                draft.fail(self.tokens.line, error.into());
            }
            Ok(_) if !draft.actions.is_empty() => {
                let error = format!("the position {text} comes after the first move");
                draft.fail(self.tokens.line, error.into());
            }
            Ok(start) => (draft.start, draft.state) = (start.clone(), start),
            Err(error) => draft.fail(self.tokens.line, error.at(name)),
        }
    }

    fn read_word(&self, draft: &mut ReadGame<'a, G>, mut word: &'a str) {
        let mut written = result(word);
        if let Some((_, _, rest)) = numbered(word).filter(|_| written.is_none()) {
            draft.is_numbered = true;
            // A result in front of it is not the end.
            draft.result = None;
            (word, written) = (rest, result(rest));
        }
        let is_mark = word.chars().all(|c| "!?".contains(c)) && !draft.actions.is_empty();
        if is_mark || word.bytes().all(|byte| byte == b'.') {
            return;
        }
        if let Some(written) = written {
            if !self.is_heading(draft) {
                draft.result.get_or_insert(written);
            }
        } else if draft.problem.is_none() {
            let before = std::mem::take(&mut draft.prose);
            let actions = &mut draft.actions;
            let played = play_word(self.game, &mut draft.state, unmarked(word), actions);
            let has_number = || {
                let is_next = dotless(word).is_some_and(|number| draft.has_number(number));
                is_next && !self.is_heading(draft)
            };
            match played {
                Ok(()) => {}
                // The number of a move without a dot.
                Err(_) if has_number() && self.is_bare_number(draft, word) => {
                    draft.is_numbered = true;
                }
                Err(_) if let Some(end) = self.last_word(draft, word) => draft.result = Some(end),
                Err(_) if !self.tokens.is_ggf && self.is_prose(draft, word) => {
                    let is_end = !draft.actions.is_empty() && self.tokens.rest_of_line() == word;
                    draft.result = said(&format!("{before} {word}")).filter(|_| is_end);
                    draft.prose = word;
                    if word.len() > 2 {
                        draft.prose_line = self.tokens.line;
                    }
                }
                Err(error) => draft.fail(self.tokens.line, self.other_game(draft).unwrap_or(error)),
            }
        }
    }

    /// The result at the end of a line of play in a form that could be a move elsewhere, such as
    /// `1:0`, or `44-19` where moves are no numbers.
    fn last_word(&self, draft: &ReadGame<'a, G>, word: &str) -> Option<WrittenResult> {
        let is_last = self.tokens.rest_of_line().trim_end() == word;
        if draft.actions.is_empty() || !is_last || !word.contains(|c: char| c.is_ascii_digit()) {
            return None;
        }
        let mut moves = Vec::new();
        self.game.moves(&draft.start, &mut moves);
        let mut texts = moves.iter().map(|&action| self.game.move_text(action));
        let are_numbers = texts.any(|text| text.starts_with(|c: char| c.is_ascii_digit()));
        let bare = word.replace(':', "-");
        let written = result(&bare).or_else(|| said(word));
        written.or_else(|| if are_numbers { None } else { stated(word) })
    }

    /// That a game which can't be read says to be another one.
    fn other_game(&self, draft: &ReadGame<'a, G>) -> Option<NotationError> {
        let mut tags = self.game.transcript_format().fixed_tags.iter();
        tags.find_map(|(name, own)| {
            let other = draft
                .tag(name)?
                .split(',')
                .next()
                .filter(|other| other != own)?;
            Some(format!("another game: its {name} is {other}, not {own}").into())
        })
    }

    /// Whether a word is a number where moves are none.
    fn is_bare_number(&self, draft: &ReadGame<'a, G>, word: &str) -> bool {
        let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        if !is_number(word.trim_end_matches([':', ','])) {
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
        let is_other = || is_between && self.is_bare_number(draft, word);
        self.is_file && (!has_digit || self.is_heading(draft) || is_other())
    }

    /// Whether words of a sentence come before in a line between games.
    fn is_heading(&self, draft: &ReadGame<'a, G>) -> bool {
        let is_between = draft.is_bare() && draft.actions.is_empty();
        self.is_file && is_between && draft.prose_line == self.tokens.line
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
