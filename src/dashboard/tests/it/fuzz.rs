//! Keys, clicks, time and events, in any order and at any size of the terminal: the dashboard draws
//! every state that they lead to.

use std::time::Duration;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use finches_dashboard::app::AppModel;
use finches_dashboard::mouse::{MouseInput, Wheel};
use finches_dashboard::screen::{Request, ScreenEvent};
use finches_dashboard::screens::home::Home;
use finches_dashboard::theme::Theme;
use finches_runs::run::message::{Phase, RunCommand, RunEvent, Speed};
use ratatui::layout::Position;

use self::target::{Target, check};
use crate::screens::{home, row, running, saved, watched};
use crate::support::screen;

#[path = "../../../../tests/it/fuzz/target.rs"]
mod target;

/// Keys that are not characters.
const KEYS: [KeyCode; 24] = [
    KeyCode::Up,
    KeyCode::Down,
    KeyCode::Left,
    KeyCode::Right,
    KeyCode::Enter,
    KeyCode::Esc,
    KeyCode::Tab,
    KeyCode::BackTab,
    KeyCode::Backspace,
    KeyCode::Delete,
    KeyCode::Home,
    KeyCode::End,
    KeyCode::PageUp,
    KeyCode::PageDown,
    KeyCode::Insert,
    KeyCode::F(1),
    KeyCode::F(12),
    KeyCode::Null,
    KeyCode::Char('é'),
    KeyCode::Char('\u{301}'),
    KeyCode::Char('𝔘'),
    KeyCode::Char('\u{202e}'),
    KeyCode::Char('\u{7}'),
    KeyCode::Char('字'),
];

const SIZES: [(u16, u16); 8] = [
    (120, 40),
    (80, 24),
    (200, 60),
    (60, 18),
    (100, 30),
    (1, 1),
    (0, 0),
    (300, 12),
];

/// Most steps that are carried out.
const MOST: usize = 120;

/// A dashboard, and how far its run is.
struct Played {
    model: AppModel,
    generation: u64,
    size: (u16, u16),
}

impl Played {
    fn new(kind: u8) -> Self {
        let model = match kind % 4 {
            0 => {
                let mut model = AppModel::new(Theme::dark(), home());
                screen::<Home>(&mut model).set_saved_runs(saved());
                model
            }
            1 => running(),
            _ => {
                let names = [
                    "thien-1ply",
                    "hynek-31-chicken",
                    "reversi-vanilla",
                    "weaver-graph",
                ];
                let mut model = AppModel::new(Theme::monochrome(), home());
                model.show_run(watched(names[kind as usize / 4 % 4]).0);
                model
            }
        };
        let mut played = Self {
            model,
            generation: 120,
            size: SIZES[0],
        };
        played.model.resize(SIZES[0].0, SIZES[0].1);
        played
    }

    /// Carries out a step of two bytes.
    fn step(&mut self, kind: u8, detail: u8) {
        let model = &mut self.model;
        let effects = match kind {
            0..=11 => model.press(KeyEvent::new(
                KeyCode::Char(char::from(detail & 127).max(' ')),
                KeyModifiers::CONTROL,
            )),
            12..=23 => model.press(KeyEvent::new(
                KEYS[detail as usize % KEYS.len()],
                KeyModifiers::SHIFT,
            )),
            24..=31 => model.press(KeyEvent::new(
                KEYS[detail as usize % KEYS.len()],
                KeyModifiers::ALT,
            )),
            b' '..=b'~' => {
                let mut effects = model.press(KeyEvent::new(
                    KeyCode::Char(char::from(kind)),
                    KeyModifiers::NONE,
                ));
                let code = match detail {
                    b' '..=b'~' => KeyCode::Char(char::from(detail)),
                    _ => KEYS[detail as usize % KEYS.len()],
                };
                effects.extend(model.press(KeyEvent::new(code, KeyModifiers::NONE)));
                effects
            }
            127..=159 => model.press(KeyEvent::new(
                KEYS[detail as usize % KEYS.len()],
                KeyModifiers::NONE,
            )),
            160..=175 => {
                let (width, height) = (self.size.0.max(1), self.size.1.max(1));
                let cell = u16::from(detail) * u16::from(kind - 159);
                model.point(MouseInput::Click(Position::new(
                    cell % width,
                    cell / 7 % height,
                )))
            }
            176..=183 => {
                let wheel = if detail.is_multiple_of(2) {
                    Wheel::Up
                } else {
                    Wheel::Down
                };
                model.point(MouseInput::Wheel(wheel))
            }
            184..=199 => {
                self.size = SIZES[detail as usize % SIZES.len()];
                model.resize(self.size.0, self.size.1);
                Vec::new()
            }
            200..=215 => {
                model.tick(Duration::from_millis(20 * u64::from(detail)));
                model.receive_answers();
                Vec::new()
            }
            216..=231 => {
                self.apply(detail);
                Vec::new()
            }
            _ => Vec::new(),
        };
        self.answer(effects);
        let (width, height) = self.size;
        self.model.draw(width, height);
        self.model.after_frame();
    }

    /// An event of the run.
    fn apply(&mut self, detail: u8) {
        let Some(run) = &self.model.context.run else {
            return;
        };
        let event = match detail % 8 {
            0 => RunEvent::Phase(Phase::Paused),
            1 => RunEvent::Phase(Phase::Running),
            2 => RunEvent::Phase(Phase::Done),
            3 => RunEvent::Saved {
                generation: self.generation,
            },
            4 => RunEvent::NotSaved("no room".to_owned()),
            5 => RunEvent::BreakpointHit {
                generation: self.generation,
                reason: "best".to_owned(),
            },
            6 => RunEvent::Failed("a panic".to_owned()),
            _ => {
                let begin = self.generation;
                self.generation += u64::from(detail);
                let rows = (begin..self.generation).map(|generation| row(run, generation));
                RunEvent::Rows(rows.collect(), Speed::default())
            }
        };
        self.model.apply(event);
    }

    /// Does what the driver would do about some effects.
    fn answer(&mut self, effects: Vec<Request>) {
        for effect in effects {
            match effect {
                Request::Start(preset) if preset.problems().is_empty() => {
                    let (mut run, _) = watched("nim-2x4");
                    run.pace = finches_runs::run::pace::Pace::default();
                    self.generation = 0;
                    self.model.show_run(run);
                }
                Request::Rescan => self.model.tell(&ScreenEvent::SavedRunsListed(&[])),
                Request::Send(RunCommand::Pause) => {
                    self.model.apply(RunEvent::Phase(Phase::Paused));
                }
                Request::Send(RunCommand::Resume) => {
                    self.model.apply(RunEvent::Phase(Phase::Running));
                }
                _ => {}
            }
        }
    }
}

fn press_all(data: &[u8]) -> String {
    let (&kind, steps) = data.split_first().unwrap_or((&0, &[]));
    let mut played = Played::new(kind);
    for step in steps.chunks(2).take(MOST) {
        played.step(step[0], step.get(1).copied().unwrap_or(255));
    }
    let model = &played.model;
    format!("{} {:?} {}", model.tab().name, model.overlay, kind % 4)
}

#[test]
fn any_keys_clicks_and_events_are_survived() {
    let lines = [
        "123456789",
        "4d3\r4uuHR",
        "5\u{1b}jjlla",
        "?qs",
        "h/2x4\r e",
        "mxiz+-y",
        "8jj  \r",
        "7oo\r",
        "9[]e",
        "bplateau:5\r",
        "t,.fwv",
    ];
    let texts = lines.iter().enumerate().flat_map(|(index, line)| {
        [0, 1, 2, 6, 10].map(|kind| [&[kind + index as u8 * 16], line.as_bytes()].concat())
    });
    check(&Target {
        name: "dashboard",
        corpus: texts.collect(),
        words: vec![
            "1",
            "2",
            "3",
            "4",
            "5",
            "6",
            "7",
            "8",
            "9",
            "0",
            "h",
            "?",
            "q",
            "B",
            "F",
            "\u{7f}\u{4}",
            "\u{7f}\u{5}",
            "/",
            "t:",
            "zz",
            "  ",
        ],
        read: press_all,
    });
}
