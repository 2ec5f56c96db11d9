//! What several tests need: the presets in the repository, sessions of them, and brains that are plain functions.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use finches::genomes::{Brain, InputBatch, Scratch};
use finches::metrics::Row;
use finches::params::Param;
use finches::play::pool::Pool;
use finches::preset::{Intervention, Preset};
use finches::session::Session;
use finches::ui::app::AppModel;
use finches::ui::screens::run::RunScreen;
use finches::ui::theme::Theme;

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

/// The folder of the package.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_owned()
}

/// The names of all preset files, in ascending order.
pub(crate) fn preset_names() -> Vec<String> {
    let folder = fs::read_dir(root().join("presets")).expect("the presets are there");
    let mut names: Vec<String> = folder
        .map(|entry| entry.expect("the folder can be read").path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "ron"))
        .filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned()))
        .collect();
    names.sort();
    assert!(!names.is_empty(), "there are presets");
    names
}

/// The text of a preset file.
pub(crate) fn preset_text(name: &str) -> String {
    let path = root().join("presets").join(format!("{name}.ron"));
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// A preset of the repository.
pub(crate) fn preset(name: &str) -> Preset {
    let read = Preset::parse(&preset_text(name), name, &format!("{name}.ron"));
    read.unwrap_or_else(|error| panic!("{error}"))
}

/// A preset with settings changed, given as `key=value`.
pub(crate) fn preset_with(name: &str, settings: &[&str]) -> Preset {
    let pair = |setting: &&str| {
        let (key, value) = setting.split_once('=').expect("a setting is key=value");
        (key.to_owned(), value.to_owned())
    };
    let settings: Vec<(String, String)> = settings.iter().map(pair).collect();
    let changed = preset(name).with(&settings);
    changed.unwrap_or_else(|error| panic!("{error}"))
}

/// A preset, small enough to take well under a second.
pub(crate) fn small(name: &str) -> Preset {
    let parameters: &[&str] = match name {
        "blondie" => &["population=8", "elites=4", "pairing.games=2", "depth=2"],
        "reversi-alpha-beta" => &["population=24", "width=6", "depth=2"],
        "dots-record-3x3" | "dots-record-5x5" => &["population=21", "opponents=2"],
        "draughts-record" => &["population=11", "opponents=2"],
        "reversi-record" => &["population=11", "opponents=2", "hall_opponents=2"],
        "reversi-tuples" | "reversi-tuples-4" => &["population=11"],
        "reversi-specialist" => &["population=101", "matches=10"],
        "thien-1ply-minimax" => &[],
        _ if name.ends_with("minimax") => &["depth=2"],
        _ if name.starts_with("thien") => &["simulations=8"],
        _ if name.starts_with("weaver-supervised") => {
            &["population=6", "mutation.games=20", "training_sets=3"]
        }
        _ if name.starts_with("weaver") => &["population=24"],
        _ => &[],
    };
    let few: &[&str] = &["held_out_games=4", "population_games=2", "grading_games=40"];
    preset_with(name, &[parameters, few].concat())
}

/// The preset without a target, and with few opponents and judged positions, so that a generation is short.
pub(crate) fn with_few_games(mut preset: Preset) -> Preset {
    // A target may be about all positions.
    preset.until.clear();
    for (name, most) in [
        ("opponents", 4),
        ("hall_opponents", 4),
        ("matches", 4),
        ("judged_positions", 100),
    ] {
        let is_large = |param: &Param| {
            let last = param.key.rsplit('.').next();
            last == Some(name) && param.value.parse::<u32>().is_ok_and(|value| value > most)
        };
        if let Some(param) = preset.params().into_iter().find(is_large) {
            let changed = preset.change(&param.key, &most.to_string());
            changed.unwrap_or_else(|error| panic!("{}: {error}", preset.name));
        }
    }
    preset
}

pub(crate) fn pool(threads: usize) -> Pool {
    Pool::new(threads).expect("the machine gives a few threads")
}

/// A run at its beginning.
pub(crate) fn session(preset: &Preset, seed: u64, threads: usize) -> Session {
    replay(preset, seed, threads, Vec::new())
}

/// A run at its beginning that repeats what another run recorded.
pub(crate) fn replay(
    preset: &Preset,
    seed: u64,
    threads: usize,
    interventions: Vec<Intervention>,
) -> Session {
    let session = Session::new(preset.clone(), seed, interventions, pool(threads));
    session.unwrap_or_else(|error| panic!("{error}"))
}

/// The rows of so many generations.
pub(crate) fn advance(session: &mut Session, generations: usize) -> Vec<Row> {
    let go = AtomicBool::new(false);
    (0..generations)
        .map(|_| session.advance(&go).expect("nothing halts it"))
        .collect()
}

/// The place of the first column whose figure is at least `share`, within so many generations.
pub(crate) fn first_generation(
    session: &mut Session,
    column: &str,
    share: f64,
    within: u64,
) -> Option<u64> {
    (0..within).find(|_| {
        let row = advance(session, 1).remove(0);
        row.get(session.columns(), column)
            .is_some_and(|figure| figure >= share)
    })
}

/// A brain that is a plain function from inputs to outputs.
pub(crate) struct Plain<F>(pub(crate) F);

impl<F: Fn(&[f32]) -> Vec<f32> + Send + Sync> Brain for Plain<F> {
    fn forward(&self, sight: InputBatch<'_>, _scratch: &mut Scratch, out: &mut Vec<f32>) {
        out.clear();
        for row in 0..sight.ends.len() {
            let mut inputs = sight.base.to_vec();
            for &(input, value) in sight.row_changes(row) {
                inputs[input as usize] = value;
            }
            out.extend((self.0)(&inputs));
        }
    }
}

/// A screen of the dashboard that has content.
pub(crate) fn screen<S: 'static>(model: &mut AppModel) -> &mut S {
    model.screen_mut().expect("the screen has content")
}

pub(crate) fn run_screen(model: &AppModel) -> RunScreen {
    *model.screen().expect("there is a Run screen")
}
