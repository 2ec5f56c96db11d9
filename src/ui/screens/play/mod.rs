//! Screen 4: a human against a champion. It takes keys and makes moves; `view` draws it. The champion thinks on a thread of its
//! own and makes its move in `tick`, so that a human's move is on screen before the answer.

use std::cell::Cell;
use std::sync::Arc;
use std::time::Duration;

use crossbeam_channel::Receiver;
use crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

use crate::arena::table::{Table, Thoughts};
use crate::evolution::archive::Champion;
use crate::games::Side;
use crate::games::board::Room;
use crate::run::Facts;
use crate::storage::saves::Saves;
use crate::ui::app::sample::Moved;
use crate::ui::hops::Hops;
use crate::ui::keymap::{self, Action, Scope};
use crate::ui::screens::champions::{Champions, Wanted};
use crate::ui::screens::games::Played;
use crate::ui::widgets::entry::{Entry, Typed};
use crate::ui::zoom::Zoom;

use self::aim::Heading;
use self::depth::Depth;
use self::over::Values;
use self::rival::Rival;
use self::score::{Ending, Score};
use self::thinker::{Question, Thinker};

mod aim;
mod choice;
mod depth;
mod hint;
mod over;
mod rival;
mod score;
mod seats;
mod sheet;
mod thinker;
mod view;

pub use self::choice::Picked;
pub use self::thinker::Answer;

/// A game against a champion, and the score of the games before it.
pub struct PlayScreen {
    table: Box<dyn Table>,
    seed: u64,
    champions: Champions,
    rival: Option<Rival>,
    /// Whether the newest champion takes the seat in the next game; not after an older one was chosen.
    follows: bool,
    human: Side,
    /// What has been pointed at of the move to be made.
    picked: Picked,
    /// The place among those that can be pointed at next.
    cursor: usize,
    /// The room the board was last drawn in, on which its places depend.
    room: Cell<Room>,
    entry: Option<Entry>,
    /// What is still to be seen of the latest move.
    hops: Hops,
    message: Message,
    /// The moves a hint names, until the position changes.
    hints: Vec<String>,
    depth: Depth,
    thinker: Thinker,
    thoughts: Thoughts,
    values: Values,
    zoom: Zoom,
    score: Score,
    /// How the game ended, once it has.
    ending: Option<Ending>,
    /// Games that have come to their end and have not been taken yet.
    played: Vec<Played>,
    /// Games begun, this one included, and the number of this one's start.
    games: u32,
    start: u64,
}

/// The line below the board.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Message {
    Plain(String),
    Good(String),
    Bad(String),
}

impl PlayScreen {
    /// A game against the newest saved champion of a run, or against the live one once [`PlayScreen::latest`] brings it.
    pub fn new(facts: &Facts, saves: Option<(Saves, String)>) -> Self {
        let mut screen = Self {
            table: Arc::clone(&facts.arena).table(facts.seed),
            seed: facts.seed,
            champions: Champions::new(facts, saves),
            rival: None,
            follows: true,
            human: Side::First,
            picked: Picked::default(),
            cursor: 0,
            room: Cell::new(Room {
                width: 60,
                height: 20,
            }),
            entry: None,
            hops: Hops::default(),
            message: Message::Plain(String::new()),
            hints: Vec::new(),
            depth: Depth::new(facts),
            thinker: Thinker::new(),
            thoughts: Thoughts::default(),
            values: Values::Shown,
            zoom: Zoom::Out,
            score: Score::default(),
            ending: None,
            played: Vec::new(),
            games: 1,
            start: 0,
        };
        screen.invite(Wanted::Newest);
        screen
    }

    /// Begins with the human on a side, against the champion of a generation where one is asked for.
    pub fn seat(&mut self, human: Side, generation: Option<u64>) {
        self.human = human;
        if let Some(generation) = generation {
            self.follows = false;
            self.invite(Wanted::Exactly(generation));
        }
    }

    /// Takes note of the newest champion of the run. It sits down where nobody sits yet; else it waits for the next game,
    /// so that nobody plays against a crowd.
    pub fn latest(&mut self, champion: &Champion) {
        let is_first = self.champions.live().is_none();
        self.champions.latest(champion);
        if self.rival.is_none() || (is_first && self.table.history().is_empty()) {
            self.invite(Wanted::Newest);
        }
    }

    /// Lets time pass.
    pub fn pass(&mut self, passed: Duration) -> Moved {
        self.hops.tick(passed)
    }

    /// Time until something changes by itself, the champion's answer aside.
    pub fn due(&self) -> Option<Duration> {
        self.hops.due()
    }

    /// Lets the champion answer, once the human's move has been shown. Returns whether anything has changed.
    pub fn tick(&mut self) -> bool {
        if !self.is_champions_turn() || self.thinker.is_thinking() || !self.hops.is_over() {
            return false;
        }
        let Some(rival) = &self.rival else {
            return false;
        };
        let title = rival.title();
        let passes = self.table.must_pass();
        let made = self
            .thoughts
            .wanted
            .clone()
            .filter(|word| self.table.play(word).is_ok());
        if let Some(word) = made {
            let did = if passes {
                "has no move and passes".to_owned()
            } else {
                format!("played {word}")
            };
            self.message = Message::Plain(format!("{title} {did}. {}", self.prompt()));
            self.moved();
            self.hops = Hops::begin(self.table.stages());
        } else {
            self.table.forfeit();
            self.finish(Ending::ChampionErred);
            self.moved();
        }
        true
    }

    /// Takes a key, at which a move under way is done; what is not this screen's business is passed on.
    pub fn press(&mut self, key: KeyEvent) -> Option<Action> {
        if key.kind == KeyEventKind::Release {
            return None;
        }
        self.hops = Hops::default();
        if let Some(entry) = &mut self.entry {
            match entry.press(key) {
                Typed::Editing => {}
                Typed::Left => self.entry = None,
                Typed::Done(text) if text.is_empty() => self.entry = None,
                Typed::Done(text) => {
                    if self.play(&text) {
                        self.entry = None;
                    }
                }
            }
            return None;
        }
        match key.code {
            KeyCode::Char(digit) if digit.is_ascii_digit() && is_plain(key) => {
                self.entry = Some(Entry::new(&digit.to_string()));
                None
            }
            _ => self.act(keymap::action(Scope::Play, key)?),
        }
    }

    fn act(&mut self, action: Action) -> Option<Action> {
        match action {
            Action::Left => self.point(Heading::Left),
            Action::Right => self.point(Heading::Right),
            Action::Up => self.point(Heading::Up),
            Action::Down => self.point(Heading::Down),
            Action::Enter => self.pick_pointed(),
            Action::Back if self.let_go() => {}
            Action::TypeMove => self.entry = Some(Entry::default()),
            Action::Undo => self.take_back(),
            Action::Hint => self.hint(),
            Action::LookFurther => self.look(Depth::deepen),
            Action::LookLess => self.look(Depth::flatten),
            Action::Clock => self.look(Depth::wind),
            Action::MoveNow => self.thinker.hasten(),
            Action::ShowValues => self.values = self.values.other(),
            Action::SwapSides => self.swap_sides(),
            Action::NewGame => self.new_game(),
            Action::OlderChampion => self.switch(Wanted::OlderThan),
            Action::NewerChampion => self.switch(Wanted::NewerThan),
            zoomed if self.zoom.takes(zoomed) => {}
            other => return Some(other),
        }
        None
    }

    /// What the human is to do.
    fn prompt(&self) -> String {
        if self.table.to_move() != self.human {
            "It moves again.".to_owned()
        } else if self.table.must_pass() {
            let enter = keymap::label(Scope::Play, Action::Enter);
            format!("You have no move: {enter} passes.")
        } else {
            "Your turn.".to_owned()
        }
    }

    fn is_champions_turn(&self) -> bool {
        self.table.result().is_none() && self.table.to_move() != self.human
    }

    /// Makes the human's move, or says why not. Returns whether it was made.
    fn play(&mut self, text: &str) -> bool {
        let refusal = match self.refusal() {
            Some(words) => Some(words),
            None => self.make_move(text).err(),
        };
        match refusal {
            Some(words) => {
                self.message = Message::Bad(words);
                false
            }
            None => true,
        }
    }

    /// Why the human can't move at all, if so.
    fn refusal(&self) -> Option<String> {
        if self.table.result().is_some() {
            let key = |action| keymap::label(Scope::Play, action);
            let (new, undo) = (key(Action::NewGame), key(Action::Undo));
            Some(format!(
                "The game is over: {new} begins a new one, {undo} takes your last move back."
            ))
        } else if self.rival.is_none() {
            Some("There is no champion to play against yet.".to_owned())
        } else if self.is_champions_turn() {
            Some("It is the champion's turn.".to_owned())
        } else {
            None
        }
    }

    fn make_move(&mut self, text: &str) -> Result<(), String> {
        let pointed = self.pointed(&self.board()).map(|offer| offer.at);
        self.table.play(text)?;
        self.message = Message::Plain(format!("You played {text}."));
        self.moved();
        self.hops = Hops::begin(self.table.stages());
        if let Some(place) = pointed {
            self.point_near(place);
        }
        Ok(())
    }

    /// What follows from a changed position: what was picked and old hints go, the champion thinks, an ending counts.
    fn moved(&mut self) {
        self.hints.clear();
        self.picked = Picked::default();
        self.hops = Hops::default();
        self.think();
        if let (None, Some(result)) = (self.ending, self.table.result()) {
            let for_human = match self.human {
                Side::First => result,
                Side::Second => -result,
            };
            self.finish(match for_human {
                0 => Ending::Draw,
                1.. => Ending::HumanWins,
                _ => Ending::ChampionWins,
            });
        }
    }

    /// The games that have come to their end since they were last taken.
    pub fn take_played(&mut self) -> Vec<Played> {
        std::mem::take(&mut self.played)
    }

    /// Writes the game down.
    fn write_down(&mut self) {
        let Some(rival) = &self.rival else { return };
        let (you, it) = ("you".to_owned(), format!("g{}", rival.generation));
        let names = match self.human {
            Side::First => [you, it],
            Side::Second => [it, you],
        };
        if let Some(record) = self.table.record(names) {
            let played = Played::new(record, &self.champions, self.seed, rival.generation);
            self.played.push(played);
        }
    }

    fn finish(&mut self, ending: Ending) {
        *self.score.of(ending) += 1;
        self.write_down();
        self.ending = Some(ending);
        self.message = self.verdict(ending);
    }

    /// Who won and why, in words.
    fn verdict(&self, ending: Ending) -> Message {
        let goal = self.table.goal();
        let key = |action| keymap::label(Scope::Play, action);
        let (new, undo) = (key(Action::NewGame), key(Action::Undo));
        match ending {
            Ending::HumanWins => Message::Good(format!("You win: {goal}. {new} plays again.")),
            Ending::ChampionErred => Message::Good(format!(
                "You win: the champion wanted an illegal move. {new} plays again."
            )),
            Ending::ChampionWins => Message::Bad(format!(
                "The champion wins: {goal}. {new} plays again, {undo} takes back."
            )),
            Ending::Draw => Message::Plain(format!("A draw. {new} plays again.")),
        }
    }

    /// Lets the champion think about the position as it is now.
    fn think(&mut self) {
        self.thoughts = Thoughts::default();
        let rival = self.rival.as_ref();
        match rival.filter(|_| self.table.result().is_none()) {
            Some(rival) => self.thinker.ask(Question {
                arena: self.depth.arena(),
                brain: Arc::clone(&rival.brain),
                line: self.table.line(),
                limit: self.depth.limit(),
            }),
            None => self.thinker.forget(),
        }
    }

    /// Where the champion's thoughts come in, to be handed to [`PlayScreen::hear`].
    pub fn answers(&self) -> Receiver<Answer> {
        self.thinker.answers().clone()
    }

    /// Takes the champion's thoughts in, unless they are about a position that is no more.
    pub fn hear(&mut self, answer: Answer) {
        if let Some(thoughts) = self.thinker.take(answer) {
            self.thoughts = thoughts;
        }
    }

    /// Waits until the champion has thought, for whoever has no screen to keep alive.
    pub fn settle(&mut self) {
        while self.thinker.is_thinking() {
            let Ok(answer) = self.thinker.answers().recv() else {
                return;
            };
            self.hear(answer);
        }
    }

    /// Lets the champion think more or less.
    fn look(&mut self, change: fn(&mut Depth) -> Result<(), String>) {
        self.message = match change(&mut self.depth) {
            Ok(()) => {
                self.think();
                Message::Plain(format!("The champion thinks {}.", self.depth.words()))
            }
            Err(words) => Message::Bad(words),
        };
    }

    /// Takes the human's last move and what followed back.
    fn take_back(&mut self) {
        let is_humans = |entry: &(Side, _, _)| entry.0 == self.human;
        let Some(last) = self.table.history().iter().rposition(is_humans) else {
            self.message = Message::Bad("There is no move of yours to take back.".to_owned());
            return;
        };
        while self.table.history().len() > last {
            self.table.undo();
        }
        if let Some(ending) = self.ending.take() {
            *self.score.of(ending) -= 1;
        }
        self.message = Message::Plain("Your move is taken back.".to_owned());
        self.moved();
    }
}

fn is_plain(key: KeyEvent) -> bool {
    !key.modifiers
        .intersects(KeyModifiers::CONTROL | KeyModifiers::ALT)
}

#[cfg(test)]
mod tests;
