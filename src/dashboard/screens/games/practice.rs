//! Practice: the positions in which moves lost the most, one after the other, on the board of the
//! Play screen. The file of positions and the judgment are those of `finches practice`.

use std::sync::Arc;

use crossterm::event::KeyEvent;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;

use crate::jobs::{Job, JobError};
use crate::keymap::{self, Action};
use crate::model::played_game::YOU;
use crate::mouse::Regions;
use crate::screen::ClickTarget;
use crate::screens::play::PlayScreen;
use crate::theme::Theme;
use crate::widgets::frame::{Focus, Frame};
use crate::widgets::text::{cut_below, put_all};
use crate::widgets::truncate::wrapped;
use finches_engine::play::pool::Pool;
use finches_engine::play::record::{GameRecord, Verdict};
use finches_engine::preset::Preset;
use finches_engine::text::{counted, escape};
use finches_runs::run::RunInfo;
use finches_runs::storage::game_judge::GameJudge;
use finches_runs::storage::practice::{
    PracticeAnswer, PracticeFile, PracticePosition, mistakes, today,
};
use finches_runs::storage::saves::Saves;

use super::GamesAnswer;
use super::screen::{GamesAction, SCOPE};

/// The rows below the board.
const FOOT: u16 = 3;

/// The positions that are asked, and the one on the board.
pub(super) struct Practice {
    pub(super) play: PlayScreen,
    judge: Arc<GameJudge>,
    questions: Vec<PracticePosition>,
    /// The index of the position on the board.
    at: usize,
    answer: Option<PracticeAnswer>,
    /// Whether the position has been answered before.
    is_known: bool,
    /// Whether the solution is shown.
    is_solved: bool,
}

/// Adds the mistakes in a game to the file of the user, those of the user if it is a game of the
/// user's, and finds what is due.
pub(super) fn find(
    judge: Arc<GameJudge>,
    saves: &Saves,
    record: &GameRecord,
) -> Result<GamesAnswer, JobError> {
    let found = judge.analyze(&Pool::new(0)?, record, &|| true)?;
    let is_wanted = |name: &str| name == YOU || record.names.iter().all(|name| name != YOU);
    let source = record.names.join(" vs. ");
    let mut file = PracticeFile::of(saves)?;
    let costly = mistakes(&judge, record, &found, &source, is_wanted);
    let is_clean = costly.is_empty();
    file.add(costly)?;
    let due = file.due(today()).into_iter();
    let (questions, others): (Vec<_>, Vec<_>) = due.partition(|due| due.is_of(&judge.game));
    let nothing = match others.len() {
        _ if !questions.is_empty() => String::new(),
        0 if is_clean => {
            let next = file.summary((0, 0), today());
            format!("no move of this game lost much; {next}")
        }
        0 => file.summary((0, 0), today()),
        others => {
            let waiting = counted(others as u64, "position");
            format!("nothing to practice in this game; {waiting} of other games to practice")
        }
    };
    Ok(GamesAnswer::Practice(judge, questions, nothing))
}

impl Practice {
    /// `None` if there is nothing to ask.
    pub(super) fn new(judge: Arc<GameJudge>, questions: Vec<PracticePosition>) -> Option<Self> {
        let preset = Preset {
            game: judge.game.clone(),
            ..Preset::default()
        };
        let facts = RunInfo::new(preset, 0, Arc::clone(&judge.arena));
        let mut practice = Self {
            play: PlayScreen::for_practice(&facts),
            judge,
            questions,
            at: 0,
            answer: None,
            is_known: false,
            is_solved: false,
        };
        practice.ask();
        (!practice.is_over()).then_some(practice)
    }

    /// Sets up the position of this game, or the next one that can be.
    fn ask(&mut self) {
        (self.answer, self.is_solved) = (None, false);
        while let Some(question) = self.questions.get(self.at)
            && self.play.ask(&question.position).is_err()
        {
            self.questions.remove(self.at);
        }
    }

    pub(super) fn is_over(&self) -> bool {
        self.at >= self.questions.len()
    }

    /// Handles a key. Returns the action if it is not of practice.
    pub(super) fn press(&mut self, key: KeyEvent) -> Option<Action> {
        match (keymap::action(SCOPE, key), &self.answer) {
            (Some(Action::Enter), Some(_)) => {
                self.at += usize::from(self.is_solved);
                self.is_known = !self.is_solved;
                self.ask();
            }
            (Some(action), Some(_)) if GamesAction::of(action) == Some(GamesAction::Hint) => {
                self.is_solved = true;
            }
            _ => match self.play.press(key)? {
                Action::Back => self.questions.truncate(self.at),
                action => return Some(action),
            },
        }
        None
    }

    /// What a key does now, in a word or two; empty if nothing.
    pub(super) fn hint(&self, action: Action) -> &'static str {
        match (action, &self.answer, self.is_solved) {
            (Action::Enter, None, _) => "move",
            (Action::Enter, Some(_), true) => "next position",
            (Action::Enter, Some(_), false) => "try again",
            (_, Some(_), false) if GamesAction::of(action) == Some(GamesAction::Hint) => {
                "best move"
            }
            _ => "",
        }
    }

    /// The work of judging the move that was made, if one was, which stores the first answer to a
    /// position.
    pub(super) fn grading(
        &self,
        saves: Saves,
    ) -> Option<impl FnOnce(&Job<GamesAnswer>) -> Result<GamesAnswer, JobError> + use<>> {
        let made = self.play.game().history().first()?.action.clone();
        let question = self.questions.get(self.at)?.clone();
        let (judge, is_known) = (Arc::clone(&self.judge), self.is_known);
        let grade = move |_: &Job<GamesAnswer>| {
            let answer = question.grade(&made, &judge, &Pool::new(0)?)?;
            if !is_known {
                PracticeFile::of(&saves)?.answer(&question, answer.is_right, today())?;
            }
            Ok(GamesAnswer::Graded(answer))
        };
        self.answer.is_none().then_some(grade)
    }

    /// Takes in the judgment, and shows the reply to a wrong move.
    pub(super) fn take(&mut self, answer: PracticeAnswer) {
        if let Some(reply) = &answer.reply {
            self.play.show_reply(reply);
        }
        self.is_solved = answer.is_right;
        self.answer = Some(answer);
    }

    /// Draws it; returns the places of the board that can be clicked.
    pub(super) fn view(&self, theme: &Theme, area: Rect, buf: &mut Buffer) -> Regions<ClickTarget> {
        let (number, count) = (self.at + 1, self.questions.len());
        let judge = format!("judge: {}", self.judge.short_name());
        let frame = Frame {
            right: Line::styled(judge, theme.dim),
            ..Frame::titled(format!("Practice: position {number} of {count}"))
        };
        let (board, foot) = cut_below(frame.pane(Focus::Here, theme, area, buf), FOOT);
        let regions = self.play.view(board, buf, theme);
        let Some(question) = self.questions.get(self.at) else {
            return Regions::default();
        };
        let asked = format!(
            "{}: a mistake was made here. Find a better move.",
            question.source
        );
        let (words, style) = self.answer.as_ref().map_or((asked, theme.text), |answer| {
            let verdict = [Verdict::Mistake, Verdict::Good][usize::from(answer.is_right)];
            let solution = Some(&*answer.solution).filter(|_| self.is_solved);
            let words = format!("{} {}", answer.words, solution.unwrap_or_default());
            (words, theme.verdict_style(verdict))
        });
        let lines = wrapped(&escape(&words), foot.width.into(), style);
        put_all(buf, foot, lines);
        regions.map(ClickTarget::own)
    }
}
