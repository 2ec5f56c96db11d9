//! The dashboard as text, and any keys at any terminal size.

use std::sync::Arc;
use std::time::Duration;

use crate::support::run_screen;
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use finches_dashboard::app::{AppModel, Overlay, view};
use finches_dashboard::keymap::Action;
use finches_dashboard::model::run::{RunModel, RunState};
use finches_dashboard::mouse::{MouseInput, Wheel};
use finches_dashboard::screen::{ExitMode, Request};
use finches_dashboard::screens::home::{Home, HomeItem};
use finches_dashboard::screens::run::layout::RunPane;
use finches_dashboard::theme::Theme;
use finches_engine::evolution::archive::Champion;
use finches_engine::games::Side;
use finches_engine::metrics::Row;
use finches_engine::metrics::lengths::GameLengths;
use finches_engine::metrics::stop_condition::StopCondition;
use finches_engine::play::pool::Pool;
use finches_engine::play::record::{GameRecord, Ply, Verdict};
use finches_engine::preset::Intervention;
use finches_engine::session::Session;
use finches_runs::run::RunInfo;
use finches_runs::run::message::{Phase, RunCommand, RunEvent, Snapshot, Speed};
use finches_runs::storage::presets;
use finches_runs::storage::saves::RunSummary;
use proptest::prelude::{Strategy, any, prop, proptest};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use crate::support::{self, SIZES, check, check_signs, check_sizes};

pub(crate) fn key(code: KeyCode) -> KeyEvent {
    KeyEvent::new(code, KeyModifiers::NONE)
}

pub(crate) fn letter(letter: char) -> KeyEvent {
    key(KeyCode::Char(letter))
}

pub(crate) fn text(model: &AppModel, width: u16, height: u16) -> String {
    support::text(model, (width, height))
}

pub(crate) fn home() -> Home {
    let names = [
        "nim-2x2",
        "nim-2x4",
        "nim-2x4-value",
        "nim-2x3-cells",
        "reversi-vanilla",
        "hynek-31-chicken",
    ];
    let presets = names.map(|name| presets::load(name).expect("it ships"));
    Home::new(presets.into(), "saves".to_owned())
}

pub(crate) fn saved() -> Vec<HomeItem> {
    let brief = |generation, is_open| RunSummary {
        can_resume: true,
        preset: "nim-2x4".to_owned(),
        game: presets::load("nim-2x4").expect("it ships").game,
        seed: 7,
        generation,
        generations: 1000,
        objective: Some(0.634),
        objective_label: "right moves, all positions".to_owned(),
        target: None,
        changed: None,
        tags: Vec::new(),
        is_open,
    };
    let run = |name: &str, generation, is_open| HomeItem::Run {
        name: name.to_owned(),
        summary: Box::new(brief(generation, is_open)),
    };
    vec![
        run("nim-2x4-7", 128, false),
        run("nim-2x4-8", 1000, false),
        run("nim-2x4-9", 44, true),
        HomeItem::Unreadable {
            name: "nim-2x4-10".to_owned(),
            reason: "saves/nim-2x4-10/run.ron: is damaged: its checksum does not fit; restore it \
                from a copy"
                .to_owned(),
        },
    ]
}

/// A run that has just started, and a champion.
pub(crate) fn watched(name: &str) -> (RunModel, Champion) {
    let preset = presets::load(name).expect("it ships");
    let pool = Pool::new(1).expect("one thread");
    let session = Session::new(preset, 42, Vec::new(), pool).expect("it is sound");
    let facts = RunInfo {
        threads: 2,
        ..RunInfo::of(&session, Some(format!("{name}-42")))
    };
    let champion = Champion {
        generation: 119,
        fitness: 71.0,
        genome: session.state().population.members[0].clone(),
    };
    (RunModel::new(facts, 0.0), champion)
}

/// The metrics of a generation of an invented run whose champion improves and grows.
pub(crate) fn row(watch: &RunModel, generation: u64) -> Row {
    let columns = &watch.facts.columns;
    let time = generation as f64 / 120.0;
    let wave = (generation as f64 * 0.7).sin() * 0.05;
    let mut row = Row::empty(columns);
    for (name, value) in [
        ("generation", generation as f64),
        ("seconds", time * 30.0),
        ("moves", generation as f64 * 21_000.0),
        ("best_fitness", 50.0 + 40.0 * time),
        ("mean_fitness", 40.0),
        ("accuracy_games", 0.4 + 0.3 * time + wave),
        ("accuracy_states", 0.2 + 0.6 * time.sqrt() + wave),
        ("wins_vs_past", 0.6 + wave),
        ("mean_turns", 4.0 + wave * 10.0),
        ("hidden_layers", 1.0),
        ("hidden_nodes_per_layer", 1.0 + 3.0 * time),
        ("champion_nodes", 4.0 + (8.0 * time).floor()),
        ("champion_edges", 6.0 + (24.0 * time).floor()),
    ] {
        row.set(columns, name, value);
    }
    if generation.is_multiple_of(10) {
        row.set(columns, "vs_random", 0.5 + 0.4 * time);
        row.set(columns, "vs_oracle", 0.1 + 0.3 * time);
    }
    row
}

fn game() -> GameRecord {
    let ply = |side, position: &str, action: &str, verdict| Ply {
        side,
        position: position.to_owned(),
        action: action.to_owned(),
        verdict,
    };
    GameRecord {
        names: ["g119".to_owned(), "g64".to_owned()],
        start: "4,3".to_owned(),
        plies: vec![
            ply(Side::First, "4,3", "1:1", Verdict::Good),
            ply(Side::Second, "3,3", "2:2", Verdict::Indifferent),
            ply(Side::First, "3,1", "1:1", Verdict::Mistake),
            ply(Side::Second, "2,1", "", Verdict::Illegal),
        ],
        result: Some(1),
    }
}

/// Games of four to nine moves.
fn lengths() -> GameLengths {
    let counts = [400, 1200, 2100, 900, 300, 100].into_iter().zip(4..);
    counts
        .flat_map(|(count, moves)| std::iter::repeat_n(moves, count))
        .collect()
}

fn pace() -> Speed {
    Speed {
        generations_per_second: 4.0,
        games_per_second: 21_400.0,
        measuring: 0.08,
        seconds: 30.0,
        ..Speed::default()
    }
}

/// A run after 120 generations, two moves into its sample game.
pub(crate) fn running() -> AppModel {
    running_at(|generation| generation * 5000)
}

/// The same, with `games(generation)` games played up to a generation.
pub(crate) fn running_at(games: impl Fn(u64) -> u64) -> AppModel {
    let (watch, champion) = watched("nim-2x4");
    let row = |generation: u64| {
        let mut row = row(&watch, generation);
        row.set(&watch.facts.columns, "games", games(generation) as f64);
        row
    };
    let rows = (0..120).map(row).collect();
    let mut model = AppModel::new(Theme::dark(), home());
    model.show_run(watch);
    model.apply(RunEvent::Phase(Phase::Running));
    model.tick(Duration::from_secs(30));
    model.apply(RunEvent::Rows(rows, pace()));
    model.apply(RunEvent::Snapshot(Box::new(Snapshot {
        champion,
        layers: vec![2, 3, 2],
        edges: 12,
        fitness: Vec::new(),
        lengths: lengths(),
        games: vec![game(), game()],
    })));
    model.apply(RunEvent::Saved { generation: 117 });
    model.apply(RunEvent::Changed(Intervention {
        generation: 60,
        key: "genome.add_node".to_owned(),
        from: "1.0".to_owned(),
        to: "2.5".to_owned(),
    }));
    model.tick(Duration::from_millis(700));
    model.tick(Duration::from_millis(700));
    model
}

#[test]
fn a_run_is_shown_in_each_of_its_states() {
    let (watch, _) = watched("nim-2x4");
    let mut model = AppModel::new(Theme::dark(), home());
    model.show_run(watch);
    check!("run_empty", &mut model);
    check_sizes!("run_running", &mut running());
    let mut model = running();
    model.apply(RunEvent::Phase(Phase::Paused));
    check!("run_paused", &mut model);
    let mut model = running();
    model.apply(RunEvent::Phase(Phase::Done));
    check!("run_done", &mut model);
    let mut model = running();
    model.apply(RunEvent::NotSaved(
        "saves: no space left on device".to_owned(),
    ));
    check!("run_not_saved", &mut model);
    model.apply(RunEvent::Failed(
        "generation 120: index out of bounds".to_owned(),
    ));
    check!("run_failed", &mut model);
}

#[test]
fn a_run_that_is_solved_says_what_can_be_done_next() {
    let mut model = running();
    let target = StopCondition::parse("accuracy_states>=0.6").expect("it is a condition");
    model.apply(RunEvent::BreakpointHit {
        generation: 119,
        reason: "best".to_owned(),
    });
    model.apply(RunEvent::TargetReached(target));
    model.apply(RunEvent::Phase(Phase::Done));
    check!("run_solved", &mut model);
    model.tick(Duration::from_secs(60));
    let told = "Solved at generation 119: 4 plays it, F forks, > goes on.";
    let drawn = text(&model, 120, 40);
    assert!(drawn.contains(told) && drawn.contains("SOLVED"), "{drawn}");
    assert!(!drawn.contains("ETA"), "{drawn}");
    assert_eq!(model.press(letter('>')), [Request::Send(RunCommand::GoOn)]);
    assert!(!text(&model, 120, 40).contains("Solved"), "it evolves");
    // A member that is not the champion has met the target.
    let mut model = running();
    let target = StopCondition::parse("wrong_decisions<=0").expect("it is a condition");
    model.apply(RunEvent::TargetReached(target));
    model.apply(RunEvent::Phase(Phase::Done));
    let told = "Solved at generation 119 by another member: 4 plays the newest champion, right in";
    let drawn = text(&model, 120, 40);
    assert!(drawn.contains(told), "{drawn}");
    // An earlier champion was better than the newest, with and without a target.
    for target in [None, Some("wrong_decisions<=0")] {
        let mut model = running();
        model.context.run.as_mut().expect("it runs").best = Some((70, 1.0));
        if let Some(target) = target {
            let target = StopCondition::parse(target).expect("it is a condition");
            model.apply(RunEvent::TargetReached(target));
        }
        model.apply(RunEvent::Phase(Phase::Done));
        let told = "Solved at generation 70: 4 plays the newest champion, right in";
        let drawn = text(&model, 120, 40);
        assert!(drawn.contains(told), "{drawn}");
    }
    // All generations done.
    let mut model = running();
    model.apply(RunEvent::Phase(Phase::Done));
    let more = RunCommand::Change {
        key: "generations".to_owned(),
        value: "1500".to_owned(),
    };
    assert_eq!(model.press(letter('>')), [Request::Send(more)]);
}

#[test]
fn a_message_leaves_after_four_seconds_and_a_question_stays() {
    let mut model = running();
    let keys = |model: &AppModel| text(model, 120, 40).contains("space pause");
    for is_error in [false, true] {
        if is_error {
            model.context.report_error("it failed");
        } else {
            model.context.notify("pace: 2 gen/s");
        }
        assert!(!keys(&model));
        model.tick(Duration::from_millis(3900));
        assert!(!keys(&model));
        assert!(model.time_to_change() <= Some(Duration::from_millis(100)));
        assert!(model.tick(Duration::from_millis(100)), "a frame is due");
        assert!(keys(&model));
    }
    model.context.ask("Delete it? D: yes".to_owned());
    model.tick(Duration::from_secs(60));
    assert!(text(&model, 120, 40).contains("Delete it? D: yes"));
}

#[test]
fn the_charts_of_a_run_can_have_games_on_the_x_axis() {
    // The parameter changed in generation 60 makes generations ten times as long.
    let games = |generation: u64| (generation + 1) * 1650 + generation.saturating_sub(59) * 14_850;
    let mut model = running_at(games);
    model.press(letter('x'));
    check!("run_games", &mut model);
    for _ in 0..2 {
        model.press(letter('-'));
    }
    let drawn = text(&model, 120, 40);
    assert!(drawn.contains("last 30 · by games"), "{drawn}");
    model.press(letter('x'));
    assert!(text(&model, 120, 40).contains("last 30 · by time"));
    model.press(letter('x'));
    assert!(text(&model, 120, 40).contains("gen 90"));
}

/// A run of draughts whose sample game has two steps and a capture.
fn capturing() -> AppModel {
    let (watch, champion) = watched("thien-1ply");
    let ply = |side, position: &str, action: &str| Ply {
        side,
        position: position.to_owned(),
        action: action.to_owned(),
        verdict: Verdict::Unknown,
    };
    let game = GameRecord {
        names: ["g119".to_owned(), "g64".to_owned()],
        start: "B:W22,29:B9,11,4,K1".to_owned(),
        plies: vec![
            ply(Side::First, "B:W22,29:B9,11,4,K1", "9-14"),
            ply(Side::Second, "W:W22,29:B14,11,4,K1", "22-18"),
            ply(Side::First, "B:W18,29:B14,11,4,K1", "14x23"),
        ],
        result: Some(1),
    };
    let mut model = AppModel::new(Theme::dark(), home());
    model.show_run(watch);
    model.apply(RunEvent::Snapshot(Box::new(Snapshot {
        champion,
        layers: vec![91, 40, 10, 1],
        edges: 4050,
        fitness: Vec::new(),
        lengths: lengths(),
        games: vec![game],
    })));
    model
}

/// Advances time until the model must be drawn again, and returns the time in milliseconds.
fn wait(model: &mut AppModel) -> Option<u128> {
    let due = model.time_to_change()?;
    assert!(model.tick(due), "it is due");
    Some(due.as_millis())
}

/// The screen without its first line, which has the running time.
fn below_clock(model: &AppModel) -> String {
    let text = text(model, 120, 40);
    let lines: Vec<&str> = text.lines().skip(1).collect();
    lines.join("\n")
}

#[test]
fn a_capture_in_the_sample_game_is_animated() {
    let mut model = capturing();
    let steps: Vec<u128> = (0..5).filter_map(|_| wait(&mut model)).collect();
    assert_eq!(steps, [700, 700, 700, 200, 2500], "steps are shown at once");
    let mut model = capturing();
    for _ in 0..3 {
        wait(&mut model);
    }
    let hopping = below_clock(&model);
    assert!(
        hopping.contains("14x23") && !hopping.contains("wins"),
        "{hopping}"
    );
    model.press(letter('?'));
    assert_eq!(
        (model.time_to_change(), model.tick(Duration::from_secs(9))),
        (None, false)
    );
    model.press(letter('?'));
    assert_eq!(below_clock(&model), hopping);
    wait(&mut model);
    assert_ne!(below_clock(&model), hopping);
    assert!(below_clock(&model).contains("g119 wins"));
}

#[test]
fn a_manual_step_skips_the_animation_of_a_move() {
    let mut model = capturing();
    let shown = |model: &mut AppModel, key| {
        model.press(letter(key));
        below_clock(model)
    };
    let before = [shown(&mut model, '.'), shown(&mut model, '.')];
    assert_eq!(
        model.time_to_change(),
        None,
        "it is stepped through by hand"
    );
    let hopping = shown(&mut model, '.');
    assert_eq!(model.time_to_change(), Some(Duration::from_millis(200)));
    assert_eq!(shown(&mut model, ','), before[1]);
    assert_eq!(model.time_to_change(), None);
    assert_eq!(shown(&mut model, '.'), hopping);
    let done = shown(&mut model, '.');
    assert_ne!(done, hopping);
    assert_eq!(
        (model.time_to_change(), model.tick(Duration::from_secs(9))),
        (None, false)
    );
    assert_eq!(below_clock(&model), done);
}

#[test]
fn overlays_and_the_card_are_shown() {
    let mut model = running();
    model.press(letter('?'));
    check!("help", &mut model);
    model.press(key(KeyCode::Esc));
    model.press(letter('q'));
    check!("quit", &mut model);
    model.press(key(KeyCode::Esc));
    insta::assert_snapshot!("card_59x40", text(&model, 59, 40));
    let all = [
        "RUNNING  120/1,000 gen",
        "objective 85%  best 85%",
        "Window is 44x12; needs 60x18.",
        "space pause  s save  q quit",
    ];
    let most = ["RUNNING  120 ", "objective 85%  b │", "━╸────────"];
    for ((width, height), parts) in [((44, 12), &all[..]), ((20, 6), &most)] {
        let drawn = text(&model, width, height);
        support::check_frames(&drawn);
        for part in parts {
            assert!(drawn.contains(part), "{part} in:\n{drawn}");
        }
    }
}

#[test]
fn the_help_has_groups_and_finds_keys_of_all_screens() {
    let mut model = running();
    model.press(letter('?'));
    let drawn = text(&model, 120, 40);
    for group in ["This screen", "Everywhere: run", " files", " move"] {
        assert!(drawn.contains(group), "{group} in:\n{drawn}");
    }
    for typed in "/strongest".chars() {
        model.press(letter(typed));
    }
    check!("help_search", &mut model);
    let drawn = text(&model, 120, 40);
    assert!(
        drawn.contains("Games: analysis by the strongest judge"),
        "{drawn}"
    );
    assert!(!drawn.contains("Everywhere"), "{drawn}");
    model.press(key(KeyCode::Esc));
    assert!(text(&model, 120, 40).contains("Everywhere: run"));
    model.press(key(KeyCode::Esc));
    assert_eq!(model.overlay, None);
}

#[test]
fn the_help_of_every_screen_fits_the_smallest_terminal_in_two_columns() {
    let in_one_column = |screen: &char| {
        let mut model = running();
        model.resize(80, 24);
        model.press(letter(*screen));
        model.press(letter('?'));
        let help = text(&model, 80, 24);
        !help.contains("This screen") || !help.contains("Everywhere")
    };
    let found: String = ('0'..='9').filter(in_one_column).collect();
    assert_eq!(found, "");
}

/// Draws a frame and clicks on the first cell of some words in it.
pub(crate) fn click(model: &mut AppModel, words: &str) -> Vec<Request> {
    let (width, height) = model.context.size;
    let text = text(model, width, height);
    let found = text.lines().enumerate().find_map(|(row, line)| {
        let before = &line[..line.find(words)?];
        Some(Position::new(before.chars().count() as u16, row as u16))
    });
    let area = Rect::new(0, 0, width, height);
    model.regions = view(model, area, &mut Buffer::empty(area));
    let found = found.unwrap_or_else(|| panic!("no `{words}` on screen:\n{text}"));
    model.point(MouseInput::Click(found))
}

#[test]
fn a_click_on_a_tab_opens_its_screen() {
    for (width, height) in SIZES {
        let mut model = running();
        model.resize(width, height);
        for (tab, screen) in [
            ("4 Play", Action::GoPlay),
            ("Run", Action::GoRun),
            ("5 Param", Action::GoParameters),
            ("3 Net", Action::GoNet),
        ] {
            assert_eq!(click(&mut model, tab), []);
            assert_eq!(model.tab().action, screen);
        }
        assert_eq!(click(&mut model, "Home"), [Request::Rescan]);
        assert_eq!(model.tab().action, Action::GoHome);
        click(&mut model, "finches");
        assert_eq!(model.tab().action, Action::GoHome, "that is no tab");
        model.press(letter('?'));
        click(&mut model, "Keys: Home");
        model.point(MouseInput::Click(Position::new(2, 1)));
        assert_eq!(model.tab().action, Action::GoHome, "the help lies over it");
    }
}

#[test]
fn the_wheel_goes_through_lists_as_the_arrows_do() {
    let wheel = |model: &mut AppModel, turn| assert_eq!(model.point(MouseInput::Wheel(turn)), []);
    let mut model = AppModel::new(Theme::dark(), home());
    let first = text(&model, 80, 24);
    wheel(&mut model, Wheel::Down);
    let second = text(&model, 80, 24);
    assert_ne!(second, first);
    model.press(key(KeyCode::Up));
    assert_eq!(text(&model, 80, 24), first);
    for open in ['e', '0'] {
        model.press(letter(open));
        let before = text(&model, 80, 24);
        wheel(&mut model, Wheel::Down);
        model.press(key(KeyCode::Down));
        assert_ne!(text(&model, 80, 24), before);
        wheel(&mut model, Wheel::Up);
        wheel(&mut model, Wheel::Up);
        assert_eq!(text(&model, 80, 24), before);
    }
    model.press(letter('e'));
    model.press(key(KeyCode::Enter));
    let typing = text(&model, 80, 24);
    wheel(&mut model, Wheel::Down);
    assert_eq!(text(&model, 80, 24), typing, "a value is being typed");
}

#[test]
fn a_pause_is_shown_in_the_frame_after_its_key() {
    let mut model = running();
    let effects = model.press(letter(' '));
    assert_eq!(effects, [Request::Send(RunCommand::Pause)]);
    assert!(text(&model, 80, 24).contains("PAUSING"));
    // An event that was sent before the key press changes nothing.
    model.apply(RunEvent::Phase(Phase::Running));
    assert!(text(&model, 80, 24).contains("PAUSING"));
    model.apply(RunEvent::Phase(Phase::Paused));
    assert!(text(&model, 80, 24).contains("PAUSED"));
    assert_eq!(model.press(letter('n')), [Request::Send(RunCommand::Step)]);
    assert_eq!(
        model.press(letter(' ')),
        [Request::Send(RunCommand::Resume)]
    );
}

#[test]
fn quitting_asks_only_during_a_run_and_escape_never_quits() {
    let mut model = running();
    assert_eq!(model.press(letter('q')), []);
    assert_eq!(model.overlay, Some(Overlay::Quit));
    assert_eq!(model.press(letter('x')), [], "other keys do nothing");
    assert_eq!(model.press(key(KeyCode::Esc)), []);
    for _ in 0..5 {
        assert_eq!(model.press(key(KeyCode::Esc)), []);
    }
    model.press(letter('q'));
    assert_eq!(
        model.press(letter('k')),
        [Request::Leave(ExitMode::HandOver)]
    );
    assert_eq!(
        model.press(letter('d')),
        [Request::Leave(ExitMode::Immediately)]
    );
    assert_eq!(
        model.press(letter('s')),
        [Request::Leave(ExitMode::SaveFirst)]
    );
    assert!(text(&model, 80, 24).contains("STOPPING"));
    let mut model = running();
    model.apply(RunEvent::Phase(Phase::Done));
    assert_eq!(
        model.press(letter('q')),
        [Request::Leave(ExitMode::SaveFirst)]
    );
}

#[test]
fn a_frozen_view_stays_while_the_run_continues() {
    let mut model = running();
    model.press(letter('f'));
    let watch = model.context.run.as_ref().expect("a run is live");
    let rows = (120..130)
        .map(|generation| row(watch, generation))
        .collect();
    model.apply(RunEvent::Rows(rows, pace()));
    let drawn = text(&model, 120, 40);
    assert!(drawn.contains("120/1,000 gen"), "{drawn}");
    assert!(drawn.contains("frozen at generation 120"), "{drawn}");
    model.press(letter('f'));
    assert!(text(&model, 120, 40).contains("130/1,000 gen"));
}

#[test]
fn a_run_that_is_not_being_saved_says_so_until_it_is() {
    let mut model = running();
    model.apply(RunEvent::NotSaved("no space left".to_owned()));
    for (width, height) in SIZES {
        assert!(text(&model, width, height).contains("Saving fails: no space left"));
    }
    model.apply(RunEvent::Saved { generation: 121 });
    assert!(!text(&model, 80, 24).contains("Saving fails"));
}

#[test]
fn fitness_that_rises_while_the_objective_falls_is_flagged() {
    let (watch, _) = watched("nim-2x4");
    let falling = |generation: u64| {
        let mut row = row(&watch, generation);
        let value = 0.9 - generation as f64 / 400.0;
        row.set(&watch.facts.columns, "accuracy_states", value);
        row
    };
    let rows = (0..150).map(falling).collect();
    let mut model = AppModel::new(Theme::dark(), home());
    model.show_run(watch.clone());
    model.apply(RunEvent::Rows(rows, pace()));
    assert!(text(&model, 120, 40).contains("fitness up, objective down over 120 generations"));
    assert_eq!(
        model.context.run.as_ref().map(|watch| watch.state),
        Some(RunState::Starting)
    );
    assert!(!text(&running(), 120, 40).contains("objective down"));
}

#[test]
fn a_sample_game_is_stepped_through_by_hand_with_the_oracles_verdicts() {
    let mut model = running();
    model.press(letter(','));
    assert!(text(&model, 120, 40).contains("g119 1:1 ✓ good"));
    model.press(letter('.'));
    model.press(letter('.'));
    assert!(text(&model, 120, 40).contains("g119 1:1 ✗ mistake"));
    model.press(letter('.'));
    let drawn = text(&model, 120, 40);
    assert!(
        drawn.contains("✗ illegal") && drawn.contains("g119 wins"),
        "{drawn}"
    );
    assert_eq!(model.time_to_change(), None, "stepping stops the game");
    assert_eq!(
        model.press(letter('w')),
        [Request::Send(RunCommand::Resample)]
    );
}

/// Any keys, bound or not.
fn keys() -> impl Strategy<Value = Vec<KeyEvent>> {
    let codes = vec![
        KeyCode::Esc,
        KeyCode::Enter,
        KeyCode::Tab,
        KeyCode::Up,
        KeyCode::Down,
        KeyCode::Left,
        KeyCode::Right,
        KeyCode::PageUp,
        KeyCode::PageDown,
        KeyCode::Home,
        KeyCode::End,
        KeyCode::Backspace,
    ];
    let key =
        (prop::sample::select(codes), " -~", any::<bool>()).prop_map(|(code, typed, plain)| {
            let typed = typed.chars().next().unwrap_or('x');
            key(if plain { code } else { KeyCode::Char(typed) })
        });
    prop::collection::vec(key, 0..40)
}

proptest! {
    #![proptest_config(proptest::test_runner::Config {
        cases: 64,
        failure_persistence: None,
        ..Default::default()
    })]

    #[test]
    fn no_keys_at_no_size_bring_it_down(
        width in 1u16..=220,
        height in 1u16..=70,
        watching in any::<bool>(),
        keys in keys(),
        cell in (0u16..220, 0u16..70),
    ) {
        let cell = Position::from(cell);
        let mut model = if watching { running() } else { AppModel::new(Theme::dark(), home()) };
        model.resize(width, height);
        for key in keys {
            model.press(key);
            let area = Rect::new(0, 0, width, height);
            model.regions = view(&model, area, &mut Buffer::empty(area));
            model.point(MouseInput::Click(cell));
            model.point(MouseInput::Wheel(Wheel::Down));
        }
        for _ in 0..5 {
            model.press(key(KeyCode::Esc));
        }
        let home = if watching { Action::GoRun } else { Action::GoHome };
        proptest::prop_assert_eq!((model.tab().action, model.overlay), (home, None));
        // Also where the model has not heard of the size yet.
        model.draw(height, width);
        model.switch_to(Action::GoRun);
        model.draw(1, 1);
    }
}

/// A run of Reversi players on a torus, measured in every tenth of its 45 generations.
pub(crate) fn reversi() -> AppModel {
    let (watch, champion) = watched("reversi-vanilla");
    let columns = watch.facts.columns.clone();
    let rows = (0..45).map(|generation| {
        let time = generation as f64 / 45.0;
        let mut row = Row::empty(&columns);
        for (name, value) in [
            ("generation", generation as f64),
            ("games", generation as f64 * 600.0),
            ("moves", generation as f64 * 36_000.0),
            ("best_fitness", 500.0 + 200.0 * time),
            ("mean_fitness", 380.0),
            ("mean_turns", 60.5),
            ("champion_nodes", 73.0),
            ("champion_edges", 520.0),
        ] {
            row.set(&columns, name, value);
        }
        if generation % 10 == 0 {
            row.set(&columns, "vs_random", 0.5 + 0.4 * time);
            row.set(&columns, "vs_swh", 0.1 + 0.3 * time);
            row.set(&columns, "pop_mean_vs_random", 0.45 + 0.4 * time);
            row.set(&columns, "pop_mean_vs_swh", 0.08 + 0.3 * time);
        }
        row
    });
    let rows = rows.collect();
    let fitness = (0..100).map(|place| f64::from(300 + (place * 37) % 211 * 2));
    let moves = ["d3", "c3", "c4", "c5"];
    let arena = Arc::clone(&watch.facts.arena);
    let mut table = arena.interactive_game(0);
    let start = table.position().text.clone();
    let plies = moves.map(|action| {
        let (side, position) = (table.position().to_move, table.position().text.clone());
        table.play(action).expect("it is legal");
        Ply {
            side,
            position,
            action: action.to_owned(),
            verdict: Verdict::Unknown,
        }
    });
    let game = GameRecord {
        names: ["g44".to_owned(), "g43".to_owned()],
        start,
        plies: plies.into(),
        result: Some(1),
    };
    let mut model = AppModel::new(Theme::dark(), home());
    model.show_run(watch);
    model.apply(RunEvent::Phase(Phase::Running));
    model.apply(RunEvent::Rows(rows, pace()));
    model.apply(RunEvent::Snapshot(Box::new(Snapshot {
        champion: Champion {
            generation: 44,
            ..champion
        },
        layers: vec![64, 8, 1],
        edges: 520,
        fitness: fitness.collect(),
        lengths: lengths(),
        games: vec![game.clone(), game],
    })));
    model.tick(Duration::from_millis(700));
    model.tick(Duration::from_millis(700));
    model
}

#[test]
fn a_population_on_a_torus_is_shown_as_a_map() {
    let mut model = reversi();
    check!("reversi", &mut model);
    check_signs!("reversi", &mut model);
}

#[test]
fn the_torus_fills_the_screen_when_asked_to() {
    let mut model = reversi();
    model.resize(120, 40);
    while run_screen(&model).pane != RunPane::Map {
        model.press(key(KeyCode::Tab));
    }
    model.press(letter('z'));
    insta::assert_snapshot!("reversi_zoom_120x40", text(&model, 120, 40));
}

#[test]
fn reference_players_share_the_main_chart_and_the_metric_key_shows_the_rest() {
    let mut model = reversi();
    model.resize(120, 40);
    let drawn = text(&model, 120, 40);
    for words in [
        "vs. swh 37% ±3",
        "score against reference players",
        "swh 37%",
        "random 86%",
    ] {
        assert!(drawn.contains(words), "no `{words}`:\n{drawn}");
    }
    model.press(letter('m'));
    assert!(text(&model, 120, 40).contains("Population mean against reference players"));
    model.press(letter('m'));
    assert!(text(&model, 120, 40).contains("Objective: score against reference players"));
}

#[test]
fn events_are_listed_by_generation_even_if_they_become_known_later() {
    let model = running();
    let events = &model.context.run.as_ref().expect("it runs").events;
    let generations: Vec<u64> = events.iter().map(|event| event.generation).collect();
    assert_eq!(generations, [119, 119, 60, 0], "the change was told last");
    let seconds = events.iter().map(|event| event.seconds);
    assert!(seconds.is_sorted_by(|later, earlier| later >= earlier));
}

#[test]
fn the_dialog_of_breakpoints_says_what_can_be_typed_and_which_columns_there_are() {
    let mut model = running();
    model.press(letter('b'));
    let drawn = text(&model, 80, 24);
    for words in [
        "Pause at",
        "mean_turns>=8",
        "columns: generation, seconds, games,",
    ] {
        assert!(drawn.contains(words), "no `{words}`:\n{drawn}");
    }
}

/// A run that is opened again has the objective that it had while it went on, and whoever looks at
/// it for the first time sees the same.
#[test]
fn the_objective_of_a_run_does_not_depend_on_when_it_is_looked_at() {
    let (mut live, _) = watched("weaver-direct-1");
    let columns = live.facts.columns.clone();
    let row = |generation: u64| {
        let mut row = Row::empty(&columns);
        row.set(&columns, "generation", generation as f64);
        row.set(&columns, "vs_random", 0.6);
        let share = if generation < 8 { 0.0 } else { 0.07 };
        row.set(&columns, "vs_level_1", share);
        row
    };
    let rows: Vec<Row> = (0..14).map(row).collect();
    for row in &rows {
        live.apply(RunEvent::Rows(vec![row.clone()], Speed::default()));
    }
    let facts = RunInfo {
        generation: 14,
        ..live.facts.clone()
    };
    let opened = RunModel::follow(facts, &rows, Speed::default());
    let shown = |run: &RunModel| run.objective_column().map(|column| column.name.clone());
    assert_eq!(shown(&live), shown(&opened));
    assert_eq!(live.replaced_objective(), opened.replaced_objective());
}
