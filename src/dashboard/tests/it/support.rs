//! What the tests of screens share: how they are drawn and compared, and sessions of presets.

use std::collections::BTreeSet;

use finches_dashboard::app::AppModel;
use finches_dashboard::screens::run::RunScreen;
use finches_dashboard::theme::Theme;
use ratatui::style::Color;

pub(crate) use self::sessions::*;

#[path = "../../../../tests/it/support.rs"]
#[allow(dead_code, reason = "the tests of the program use the rest")]
mod sessions;

/// The terminals that screens are made for.
pub(crate) const SIZES: [(u16, u16); 3] = [(80, 24), (120, 40), (200, 60)];

/// What a screen shows, blanks at the ends of lines left out.
pub(crate) fn text(model: &AppModel, (width, height): (u16, u16)) -> String {
    let buf = model.draw(width, height);
    let rows = buf.content.chunks(width.into());
    let lines = rows.map(|row| {
        let line: String = row.iter().map(ratatui::buffer::Cell::symbol).collect();
        line.trim_end().to_owned()
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// The size at which screens are compared with snapshots.
const USUAL: [(u16, u16); 1] = [(120, 40)];

/// Compares a screen with its snapshot. It is also drawn at every size, and with ASCII alone. A
/// macro, because snapshots are named after the module.
macro_rules! check {
    ($name:expr, $model:expr) => {
        $crate::support::check_in(module_path!(), $name, $model)
    };
}
pub(crate) use check;

/// Like `check!`, with a snapshot for every size, where the layout is the subject.
macro_rules! check_sizes {
    ($name:expr, $model:expr) => {
        $crate::support::check_at(&$crate::support::SIZES, module_path!(), $name, $model)
    };
}
pub(crate) use check_sizes;

/// Compares what a screen shows without colors and what it shows in ASCII with snapshots, where
/// signs stand for colors.
macro_rules! check_signs {
    ($name:expr, $model:expr) => {
        $crate::support::check_signs_in(module_path!(), $name, $model)
    };
}
pub(crate) use check_signs;

pub(crate) fn check_in(module: &str, name: &str, model: &mut AppModel) {
    check_at(&USUAL, module, name, model);
}

pub(crate) fn check_at(compared: &[(u16, u16)], module: &str, name: &str, model: &mut AppModel) {
    let drawn = SIZES.map(|size| {
        model.resize(size.0, size.1);
        let drawn = text(model, size);
        if compared.contains(&size) {
            let name = format!("{name}_{}x{}", size.0, size.1);
            check_snapshot(module, &name, &drawn);
        }
        drawn
    });
    // These lie over others.
    if !["help", "help_search", "quit"].contains(&name) {
        for drawn in &drawn {
            check_frames(drawn);
        }
        if compared == USUAL {
            check_room(&drawn);
        }
    }
    let plain = ascii(&model.context.theme);
    let theme = std::mem::replace(&mut model.context.theme, plain);
    for size in SIZES {
        model.resize(size.0, size.1);
        let drawn = text(model, size);
        assert!(drawn.is_ascii(), "{name}: {drawn}");
    }
    model.context.theme = theme;
}

fn check_snapshot(module: &str, name: &str, drawn: &str) {
    let mut settings = insta::Settings::clone_current();
    settings.set_prepend_module_to_snapshot(false);
    let name = format!("{}__{name}", module.replace("::", "__"));
    settings.bind(|| insta::assert_snapshot!(name, drawn));
}

/// The theme with ASCII alone.
pub(crate) fn ascii(theme: &Theme) -> Theme {
    Theme {
        ascii: true,
        ..theme.clone()
    }
}

/// Checks that a larger screen says hardly less, and that the smallest says what matters: one word
/// in six.
fn check_room([small, usual, large]: &[String; 3]) {
    let words = [small, usual, large].map(|drawn| words_of(drawn));
    let all = words[1].len();
    let missing: Vec<&String> = words[1].difference(&words[2]).collect();
    assert!(10 * missing.len() <= all, "{missing:?} in:\n{large}");
    let told = words[1].intersection(&words[0]).count();
    assert!(6 * told >= all, "{told} words of {all} in:\n{small}");
}

/// Checks that no frame is cut: each has four corners.
pub(crate) fn check_frames(drawn: &str) {
    for corners in ["╭╮╰╯", "┏┓┗┛"] {
        let counts = corners.chars().map(|corner| drawn.matches(corner).count());
        let counts: Vec<usize> = counts.collect();
        let is_whole = counts.iter().all(|count| *count == counts[0]);
        assert!(is_whole, "{corners} {counts:?}:\n{drawn}");
    }
}

/// Checks that a screen says the same without colors, and in ASCII.
pub(crate) fn check_plain(model: &mut AppModel) {
    let (width, height) = USUAL[0];
    model.resize(width, height);
    let words = words_of(&text(model, USUAL[0]));
    let usual = model.context.theme.clone();
    for theme in [Theme::monochrome(), ascii(&usual)] {
        model.context.theme = theme;
        let drawn = text(model, USUAL[0]);
        let plain = words_of(&drawn);
        let missing: Vec<&String> = words.difference(&plain).collect();
        // A sign that is longer may cost a neighbor its room.
        assert!(missing.len() < 2, "{missing:?} in:\n{drawn}");
    }
    assert!(text(model, USUAL[0]).is_ascii());
    model.context.theme = Theme::monochrome();
    for cell in &model.draw(width, height).content {
        assert_eq!((cell.fg, cell.bg), (Color::Reset, Color::Reset), "{cell:?}");
    }
    model.context.theme = usual;
}

/// The words on a screen. Short ones may be signs; the first line and the last have less room where
/// signs are words.
fn words_of(drawn: &str) -> BTreeSet<String> {
    let lines: Vec<&str> = drawn.lines().collect();
    let lines = lines[1..lines.len() - 1].iter();
    let words = lines.flat_map(|line| line.split(|letter: char| !letter.is_alphanumeric()));
    let words = words.filter(|word| word.chars().count() > 3);
    words.map(ToOwned::to_owned).collect()
}

pub(crate) fn check_signs_in(module: &str, name: &str, model: &mut AppModel) {
    check_plain(model);
    let usual = model.context.theme.clone();
    for (kind, theme) in [("no_color", Theme::monochrome()), ("ascii", ascii(&usual))] {
        model.context.theme = theme;
        let drawn = text(model, USUAL[0]);
        check_snapshot(module, &format!("{name}_{kind}"), &drawn);
    }
    model.context.theme = usual;
}

/// A temporary folder for a test.
pub(crate) fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("there is a folder for temporary files")
}

/// A screen of the dashboard that has content.
pub(crate) fn screen<S: 'static>(model: &mut AppModel) -> &mut S {
    model.screen_mut().expect("the screen has content")
}

pub(crate) fn run_screen(model: &AppModel) -> &RunScreen {
    model.screen().expect("there is a Run screen")
}
