//! What the tests of screens share: how they are drawn and compared, and sessions of presets.

use finches_dashboard::app::AppModel;
use finches_dashboard::screens::run::RunScreen;
use finches_dashboard::theme::Theme;

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

/// The size at which the states of a screen are compared.
const USUAL: [(u16, u16); 1] = [(120, 40)];

/// Compares a screen with its snapshot. It is also drawn at every size, and with ASCII alone. A macro, because snapshots are
/// named after the module.
macro_rules! check {
    ($name:expr, $model:expr) => {
        $crate::support::check_in(module_path!(), $name, $model)
    };
}
pub(crate) use check;

/// Like `check!`, with a snapshot for every size, for tests of the layout.
macro_rules! check_sizes {
    ($name:expr, $model:expr) => {
        $crate::support::check_at(&$crate::support::SIZES, module_path!(), $name, $model)
    };
}
pub(crate) use check_sizes;

pub(crate) fn check_in(module: &str, name: &str, model: &mut AppModel) {
    check_at(&USUAL, module, name, model);
}

pub(crate) fn check_at(compared: &[(u16, u16)], module: &str, name: &str, model: &mut AppModel) {
    let mut settings = insta::Settings::clone_current();
    settings.set_prepend_module_to_snapshot(false);
    let module = module.replace("::", "__");
    for size in SIZES {
        model.resize(size.0, size.1);
        let drawn = text(model, size);
        if compared.contains(&size) {
            let name = format!("{module}__{name}_{}x{}", size.0, size.1);
            settings.bind(|| insta::assert_snapshot!(name, drawn));
        }
    }
    let ascii = Theme {
        ascii: true,
        ..model.context.theme.clone()
    };
    let theme = std::mem::replace(&mut model.context.theme, ascii);
    for size in SIZES {
        model.resize(size.0, size.1);
        let drawn = text(model, size);
        assert!(drawn.is_ascii(), "{name}: {drawn}");
    }
    model.context.theme = theme;
}

/// Compares what a screen shows without colors and what it shows in ASCII with snapshots.
macro_rules! check_plain {
    ($name:expr, $model:expr) => {
        $crate::support::check_plain_in(module_path!(), $name, $model)
    };
}
pub(crate) use check_plain;

pub(crate) fn check_plain_in(module: &str, name: &str, model: &mut AppModel) {
    let mut settings = insta::Settings::clone_current();
    settings.set_prepend_module_to_snapshot(false);
    let module = module.replace("::", "__");
    let ascii = Theme {
        ascii: true,
        ..Theme::dark()
    };
    model.resize(120, 40);
    for (kind, theme) in [("no_color", Theme::monochrome()), ("ascii", ascii)] {
        model.context.theme = theme;
        let name = format!("{module}__{name}_{kind}");
        settings.bind(|| insta::assert_snapshot!(name, text(model, (120, 40))));
    }
    model.context.theme = Theme::dark();
}

/// A temporary folder for a test.
pub(crate) fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("there is a folder for temporary files")
}

/// A screen of the dashboard that has content.
pub(crate) fn screen<S: 'static>(model: &mut AppModel) -> &mut S {
    model.screen_mut().expect("the screen has content")
}

pub(crate) fn run_screen(model: &AppModel) -> RunScreen {
    *model.screen().expect("there is a Run screen")
}
