//! The Home screen: what it lists, and what its keys do.

use std::collections::BTreeSet;

use crossterm::event::KeyCode;
use finches_dashboard::app::AppModel;
use finches_dashboard::jobs::WantedAnswers;
use finches_dashboard::keymap::Action;
use finches_dashboard::screen::{Request, ScreenEvent};
use finches_dashboard::screens::home::{Home, HomeChoice, HomeItem};
use finches_dashboard::theme::Theme;
use finches_runs::storage::presets;
use finches_runs::storage::saves::Saves;
use finches_runs::storage::speeds::PresetSpeeds;

use crate::screens::{home, key, letter, running, saved, text};
use crate::support::{check, root, screen};

/// Runs that have champions and no population.
fn champions() -> Vec<HomeItem> {
    let names = ["champion-draughts", "champion-nim"];
    let game = |name| presets::load(name).expect("it ships").game;
    let games = [game("thien-1ply"), game("nim-2x4")];
    let runs = saved().into_iter().zip(names).zip(games);
    runs.filter_map(|((item, name), game)| match item {
        HomeItem::Run { mut summary, .. } => {
            summary.can_resume = false;
            summary.game = game;
            let name = name.to_owned();
            Some(HomeItem::Run { name, summary })
        }
        _ => None,
    })
    .collect()
}

/// All presets, without saved runs.
fn unused() -> AppModel {
    let all = presets::names().into_iter();
    let all = all.map(|name| presets::load(name).expect("it ships"));
    AppModel::new(Theme::dark(), Home::new(all.collect(), "saves".to_owned()))
}

/// All presets and the saved runs of the tests.
fn shipped() -> AppModel {
    let mut model = unused();
    screen::<Home>(&mut model).set_saved_runs(champions().into_iter().chain(saved()).collect());
    model
}

fn press_all(model: &mut AppModel, keys: &[KeyCode]) -> Vec<Request> {
    let effects = keys.iter().map(|&code| model.press(key(code)));
    effects.last().unwrap_or_default()
}

fn find(model: &mut AppModel, words: &str) -> Vec<Request> {
    model.press(letter('/'));
    for typed in words.chars() {
        model.press(letter(typed));
    }
    model.press(key(KeyCode::Enter))
}

/// The name of the selected row.
fn chosen(model: &mut AppModel) -> String {
    match screen::<Home>(model).choice() {
        HomeChoice::Preset(preset) => preset.name.clone(),
        HomeChoice::Run(name) | HomeChoice::Champions(name) | HomeChoice::Group(name) => name,
        other => panic!("{other:?}"),
    }
}

#[track_caller]
fn check_started(effects: &[Request], name: &str) {
    assert!(
        matches!(effects, [Request::Start(preset)] if preset.name == name),
        "{effects:?}"
    );
}

#[test]
fn home_lists_what_to_start_with_then_saved_runs_and_presets() {
    let mut model = AppModel::new(Theme::dark(), home());
    screen::<Home>(&mut model).set_saved_runs(saved());
    check!("home_saved", &mut model);
    let mut model = shipped();
    check!("home_all", &mut model);
    press_all(&mut model, &[KeyCode::Home, KeyCode::Down, KeyCode::Down]);
    check!("home_champion", &mut model);
    model.press(letter('/'));
    for typed in "bounded 31".chars() {
        model.press(letter(typed));
    }
    let drawn = text(&model, 120, 40);
    for part in [
        "/bounded 31_",
        "Bounded Nim · Hynek",
        "Heap of 31, both variations",
    ] {
        assert!(drawn.contains(part), "{part} in:\n{drawn}");
    }
    assert!(!drawn.contains("Heap of 21"), "{drawn}");
}

#[test]
fn a_first_start_begins_with_the_recommendations() {
    let mut model = AppModel::new(Theme::dark(), home());
    assert_eq!(chosen(&mut model), "nim-2x3-cells", "nothing is saved");
    let mut model = shipped();
    assert_eq!(
        chosen(&mut model),
        "nim-2x4-7",
        "the run that was left last"
    );
    assert!(text(&model, 120, 40).contains("enter goes on at generation 128"));
    model.press(key(KeyCode::Home));
    let names = [(); 4].map(|()| {
        let name = chosen(&mut model);
        model.press(key(KeyCode::Down));
        name
    });
    let expected = [
        "nim-2x3-cells",
        "reversi-vanilla",
        "champion-draughts",
        "hynek-31-chicken",
    ];
    assert_eq!(names, expected);
    for name in [names[0].as_str(), &names[1], &names[3]] {
        let preset = presets::load(name).expect("it ships");
        assert!(preset.pace.is_some(), "{name} can be watched");
    }
    model.press(key(KeyCode::Home));
    check_started(&model.press(key(KeyCode::Enter)), "nim-2x3-cells");
    let played = press_all(&mut model, &[KeyCode::Down, KeyCode::Down, KeyCode::Enter]);
    assert_eq!(played, [Request::Play("champion-draughts".to_owned())]);
}

#[test]
fn groups_fold_except_that_of_the_latest_run() {
    let mut model = shipped();
    model.resize(120, 100);
    let drawn = text(&model, 120, 100);
    assert!(drawn.contains("▸ Reversi · Porter"), "{drawn}");
    assert!(drawn.contains("▾ Nim · Kissling"), "its preset is nim-2x4");
    assert!(!drawn.contains("reversi-8-3"), "{drawn}");
    press_all(&mut model, &[KeyCode::End]);
    let last = chosen(&mut model);
    let rows = |model: &AppModel| {
        text(model, 120, 100)
            .lines()
            .filter(|line| line.contains("weaver-") || line.contains("reversi-"))
            .count()
    };
    let folded = rows(&model);
    press_all(&mut model, &[KeyCode::Right, KeyCode::Right, KeyCode::Down]);
    assert_ne!(chosen(&mut model), last, "an item of the group");
    press_all(&mut model, &[KeyCode::Left]);
    assert_eq!(chosen(&mut model), last);
    press_all(&mut model, &[KeyCode::Enter]);
    assert!(rows(&model) >= folded);
    press_all(&mut model, &[KeyCode::Down]);
    assert_ne!(chosen(&mut model), last, "enter has unfolded it");
}

#[test]
fn presets_are_grouped_by_game_and_a_long_group_is_unfolded_in_two_steps() {
    let mut model = shipped();
    let groups: Vec<String> = text(&model, 120, 100)
        .lines()
        .filter_map(|line| {
            line.strip_prefix("┃ ▸ ")?
                .split(" · ")
                .next()
                .map(str::to_owned)
        })
        .collect();
    let mut order = groups.clone();
    order.dedup();
    let expected = [
        "Nim",
        "Bounded Nim",
        "Reversi",
        "Draughts",
        "Dots and boxes",
    ];
    assert_eq!(order, expected, "{groups:?}");
    let drawn = text(&model, 120, 100);
    assert!(
        drawn.contains("… 10 more") && !drawn.contains("no date"),
        "{drawn}"
    );
    model.resize(120, 100);
    let rows = |model: &AppModel| text(model, 120, 100).matches("  simple-nim-").count();
    let before = rows(&model);
    while !matches!(screen::<Home>(&mut model).choice(), HomeChoice::More(_)) {
        model.press(key(KeyCode::Down));
    }
    model.press(key(KeyCode::Enter));
    assert_eq!(rows(&model), before + 10);
    assert_eq!(
        chosen(&mut model),
        "simple-nim-1to8-onehot",
        "the first of the others"
    );
}

#[test]
fn names_are_whole_at_every_size() {
    for size in [(80, 24), (120, 40), (200, 60)] {
        let mut model = shipped();
        model.resize(size.0, size.1);
        for name in presets::names() {
            model.press(key(KeyCode::Esc));
            model.press(letter('/'));
            name.chars()
                .for_each(|typed| drop(model.press(letter(typed))));
            let drawn = text(&model, size.0, size.1);
            assert!(drawn.contains(&format!(" {name} ")), "{name}: {drawn}");
        }
    }
}

#[test]
fn every_row_says_what_is_special_about_its_preset() {
    for width in [80, 120] {
        let mut model = shipped();
        model.resize(width, 200);
        model.press(letter('/'));
        model.press(letter(' '));
        let drawn = text(&model, width, 200);
        let mut rows = BTreeSet::new();
        for name in presets::names() {
            let mut lines = drawn.lines();
            let (_, row) = lines
                .find_map(|line| line.split_once(&format!("┃  {name} ")))
                .unwrap_or_else(|| panic!("{name}: {drawn}"));
            let special = row.split('┃').next().unwrap_or_default().trim();
            let title = presets::load(name).expect("it ships").about;
            let title = title.split(": ").next().unwrap_or_default();
            assert!(special.starts_with(title), "{width}: {name}: {special}");
            assert!(!special.contains('…'), "{width}: {name}: {special}");
            assert!(rows.insert(special.to_owned()), "{special}: twice");
        }
    }
}

#[test]
fn typing_finds_in_all_groups_and_enter_starts_at_once() {
    let mut model = shipped();
    check_started(&find(&mut model, "2x4-v"), "nim-2x4-value");
    let again = find(&mut model, "2x8-v");
    check_started(&again, "nim-2x8-value");
    model.press(letter('/'));
    model.press(letter('x'));
    let drawn = text(&model, 120, 40);
    assert!(
        drawn.contains("/x_") && drawn.contains("esc show all"),
        "{drawn}"
    );
    model.press(key(KeyCode::Esc));
    assert_eq!(chosen(&mut model), "nim-2x4-7", "all are shown again");
    assert_eq!(find(&mut model, "no such thing"), []);
}

#[test]
fn the_time_of_a_preset_is_that_at_the_pace_with_which_it_starts() {
    let folder = tempfile::tempdir().expect("a folder");
    let saves = Saves::at(folder.path().to_owned());
    let speeds = PresetSpeeds {
        threads: 1,
        steady_speeds: [("nim-2x10-value".to_owned(), 100.0)].into(),
    };
    speeds.write(&saves).expect("the folder is writable");
    let mut model = shipped();
    screen::<Home>(&mut model).keep_speeds(saves, 1);
    model.press(letter('/'));
    for typed in "2x10-v".chars() {
        model.press(letter(typed));
    }
    let drawn = text(&model, 120, 40);
    // 2,000 generations, two a second instead of a hundred, in a round figure.
    assert!(drawn.contains("≈ 15 min"), "{drawn}");
    assert!(drawn.contains("its opening pace of 2"), "{drawn}");
}

#[test]
fn a_saved_run_is_resumed_or_played_and_an_unreadable_one_refused() {
    let mut model = AppModel::new(Theme::dark(), home());
    screen::<Home>(&mut model).set_saved_runs(saved());
    let opened = find(&mut model, "nim-2x4-7");
    assert_eq!(opened, [Request::Open("nim-2x4-7".to_owned())]);
    let played = model.press(letter('p'));
    assert_eq!(played, [Request::Play("nim-2x4-7".to_owned())]);
    let forked = model.press(letter('F'));
    assert_eq!(forked, [Request::Fork("nim-2x4-7".to_owned())]);
    assert_eq!(find(&mut model, "nim-2x4-10"), []);
    assert!(text(&model, 120, 40).contains("is damaged"));
}

#[test]
fn a_saved_run_says_why_it_has_ended() {
    let mut model = AppModel::new(Theme::dark(), home());
    let mut runs = saved();
    if let HomeItem::Run { summary, .. } = &mut runs[0] {
        summary.target = Some("wrong_decisions<=0".to_owned());
    }
    screen::<Home>(&mut model).set_saved_runs(runs);
    let check = |model: &mut AppModel, name: &str, expected: &str| {
        find(model, name);
        let drawn = text(model, 120, 40);
        assert!(drawn.contains(expected), "{name}: {drawn}");
    };
    check(&mut model, "nim-2x4-7", "solved at generation 127");
    check(&mut model, "nim-2x4-7", "63% right moves  enter shows it");
    check(&mut model, "nim-2x4-8", "all generations are done");
    check(&mut model, "nim-2x4-9", "open in another finches process");
    check(&mut model, "nim-2x4-9", "63% right moves, all positions");
}

#[test]
fn a_saved_run_is_deleted_after_a_question() {
    let mut model = AppModel::new(Theme::dark(), home());
    screen::<Home>(&mut model).set_saved_runs(saved());
    find(&mut model, "nim-2x4-7");
    assert_eq!(model.press(letter('D')), []);
    let drawn = text(&model, 120, 40);
    assert!(drawn.contains("Delete nim-2x4-7 with its"), "{drawn}");
    assert_eq!(model.press(key(KeyCode::Up)), []);
    assert_eq!(model.press(letter('D')), [], "another key means no");
    let deleted = model.press(letter('D'));
    assert_eq!(deleted, [Request::Delete("nim-2x4-7".to_owned())]);
    find(&mut model, "nim-2x8");
    assert_eq!(model.press(letter('D')), [], "that is a preset");
}

#[test]
fn another_run_is_started_only_after_a_question() {
    let mut model = running();
    model.switch_to(Action::GoHome);
    screen::<Home>(&mut model).set_saved_runs(saved());
    model.press(key(KeyCode::Home));
    assert_eq!(model.press(key(KeyCode::Enter)), []);
    let drawn = text(&model, 120, 40);
    let question = "nim-2x4 is evolving (saved). Start nim-2x3-cells instead? enter: yes";
    assert!(drawn.contains(question), "{drawn}");
    check_started(&model.press(key(KeyCode::Enter)), "nim-2x3-cells");
    press_all(&mut model, &[KeyCode::Enter, KeyCode::Down, KeyCode::Up]);
    assert_eq!(model.press(key(KeyCode::Enter)), [], "another key means no");
    assert_eq!(find(&mut model, "nim-2x4-7"), []);
    assert!(text(&model, 120, 40).contains("Resume nim-2x4-7 instead?"));
}

#[test]
fn a_saved_run_is_renamed_tagged_and_its_folder_opened() {
    let mut model = AppModel::new(Theme::dark(), home());
    screen::<Home>(&mut model).set_saved_runs(saved());
    assert_eq!(
        model.press(letter('r')),
        [],
        "a recommendation has no name to change"
    );
    find(&mut model, "nim-2x4-7");
    model.press(letter('r'));
    let drawn = text(&model, 120, 40);
    assert!(drawn.contains("New name: nim-2x4-7"), "{drawn}");
    let typed = |model: &mut AppModel, words: &str| {
        words
            .chars()
            .for_each(|typed| drop(model.press(letter(typed))));
        model.press(key(KeyCode::Enter))
    };
    let renamed = typed(&mut model, "best");
    let expected = Request::Rename {
        run: "nim-2x4-7".to_owned(),
        name: "best".to_owned(),
    };
    assert_eq!(renamed, [expected]);
    find(&mut model, "nim-2x4-8");
    model.press(letter('#'));
    let tagged = typed(&mut model, "#paper 5");
    let expected = Request::Tag {
        run: "nim-2x4-8".to_owned(),
        tags: vec!["paper".to_owned(), "5".to_owned()],
    };
    assert_eq!(tagged, [expected]);
    model.press(letter('r'));
    model.press(letter('q'));
    assert_eq!(model.press(key(KeyCode::Esc)), [], "nothing is changed");
    let opened = model.press(letter('O'));
    assert_eq!(opened, [Request::OpenFolder("nim-2x4-8".to_owned())]);
}

#[test]
fn tags_are_shown_and_found() {
    let mut model = AppModel::new(Theme::dark(), home());
    let mut runs = saved();
    if let HomeItem::Run { summary, .. } = &mut runs[1] {
        summary.tags = vec!["paper".to_owned()];
    }
    screen::<Home>(&mut model).set_saved_runs(runs);
    assert!(text(&model, 120, 40).contains("#paper"));
    assert_eq!(
        find(&mut model, "#pap"),
        [Request::Open("nim-2x4-8".to_owned())]
    );
}

#[test]
fn the_course_of_the_objective_is_drawn_beside_a_saved_run() {
    let mut model = shipped();
    let saves = Saves::at(root().join("saves"));
    model.context.saves = Some(saves.clone());
    let waker = model.context.waker.clone();
    model.resize(200, 60);
    model.tell(&ScreenEvent::SavedRunsListed(&saves.list()));
    let row = |model: &AppModel| {
        let drawn = text(model, 200, 60);
        let row = drawn.lines().find(|line| line.contains("champion-nim"));
        row.map(ToOwned::to_owned).unwrap_or(drawn)
    };
    screen::<Home>(&mut model).take_answers(WantedAnswers::All, &waker);
    assert!(row(&model).contains("⠉⠉⠉⠉"), "{}", row(&model));
    find(&mut model, "champion-nim");
    let drawn = text(&model, 200, 60);
    assert!(
        drawn.contains("100%┈") || drawn.contains("100% ┈"),
        "{drawn}"
    );
}

#[test]
fn a_champion_that_was_played_is_selected_where_the_user_comes_back_to() {
    let mut model = shipped();
    screen::<Home>(&mut model).select_run("champion-draughts");
    assert_eq!(chosen(&mut model), "champion-draughts");
    let effects = model.press(key(KeyCode::Enter));
    let plays = |name: &str| name == "champion-draughts";
    assert!(
        matches!(&effects[..], [Request::Play(name)] if plays(name)),
        "{effects:?}"
    );
}

#[test]
fn the_first_groups_are_unfolded_as_far_as_there_is_room() {
    let mut model = unused();
    for ((width, height), unfolds) in [((80, 24), false), ((120, 40), false), ((200, 60), true)] {
        model.resize(width, height);
        let drawn = text(&model, width, height);
        assert_eq!(drawn.contains('▾'), unfolds, "{width}x{height}:\n{drawn}");
    }
    let drawn = text(&model, 200, 60);
    assert!(
        drawn.contains("Start here") && drawn.contains("Dots and boxes"),
        "{drawn}"
    );
}

#[test]
fn the_card_of_each_preset_has_the_rules_of_its_own_game() {
    for name in presets::names() {
        let preset = presets::load(name).expect("it ships");
        let goal = preset.arena().expect("it is sound").info().goal;
        let rules = preset.game.rules_in_short();
        assert!(rules.contains(goal), "{name}: {rules}");
        let both = rules.contains("wins") && rules.contains("loses");
        assert!(!both && !rules.contains("Misère"), "{name}: {rules}");
    }
    for (name, heaps) in [("nim-5-heaps-graph", "1 3 5 7 9"), ("nim-2x4-value", "4 4")] {
        let mut model = unused();
        find(&mut model, name);
        let drawn = text(&model, 200, 60);
        let left = drawn.split(" left").map(|before| before.rsplit(' ').next());
        let left: Vec<&str> = left.flatten().collect();
        assert_eq!(left[..left.len() - 1].join(" "), heaps, "{drawn}");
    }
}

#[test]
fn the_champions_that_come_with_the_program_can_be_played_from_any_folder() {
    let folder = tempfile::tempdir().expect("there is a folder for temporary files");
    let mut model = unused();
    model.context.saves = Some(Saves::at(folder.path().to_owned()));
    model.tell(&ScreenEvent::SavedRunsListed(&[]));
    for game in [
        "bounded-nim",
        "dots-and-boxes",
        "draughts",
        "nim",
        "reversi",
    ] {
        let name = format!("champion-{game}");
        assert_eq!(find(&mut model, &name), [Request::Play(name)]);
        model.press(key(KeyCode::Esc));
    }
    let drawn = text(&model, 120, 40);
    assert!(drawn.contains("Champions to play  5"), "{drawn}");
    assert!(drawn.contains("Play draughts"), "{drawn}");
}

#[test]
fn a_card_says_how_much_it_leaves_out() {
    let mut model = unused();
    let check = |model: &mut AppModel, size: (u16, u16), keys: &[KeyCode], expected: &str| {
        press_all(model, keys);
        let drawn = text(model, size.0, size.1);
        assert!(drawn.contains(expected), "{drawn}");
    };
    check(
        &mut model,
        (120, 40),
        &[],
        "more: finches presets nim-2x3-cells",
    );
    check(&mut model, (80, 24), &[KeyCode::Down; 4], "… ");
}
