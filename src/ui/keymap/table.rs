//! The table of default key bindings.

use crossterm::event::KeyCode;

use crate::ui::mouse::Wheel;

use super::Key::{self, Char, Click, Code, Shift};
use super::{Action, Binding, Scope};

/// Bindings, one per line: `Scope { key => action, help, hint; }`.
macro_rules! bindings {
    ($($scope:ident { $($key:expr => $action:ident, $help:literal, $hint:literal;)+ })+) => {
        [$($(Binding {
            scope: Scope::$scope,
            key: $key,
            action: Action::$action,
            help: $help,
            hint: $hint,
        }),+),+]
    };
}

/// The default bindings. Within a scope they are in the order of the hints.
pub const BINDINGS: &[Binding] = &bindings![
    Global {
        Char(' ') => PauseResume, "pause or resume evolution", "pause";
        Char('n') => Step, "run one generation while paused", "step";
        Char('>') => Faster, "more generations per second, up to full speed", "";
        Char('<') => Slower, "fewer generations per second, down to one", "";
        Char('f') => Freeze, "freeze the view; evolution continues", "freeze";
        Char('s') => Save, "save now", "save";
        Char('1') => GoRun, "go to the run", "";
        Char('2') => GoPopulation, "go to the population", "";
        Char('3') => GoNet, "inspect the champion's network", "";
        Char('4') => GoPlay, "play against the champion", "";
        Char('5') => GoParameters, "change parameters", "";
        Char('6') => GoLog, "show the log", "";
        Char('7') => GoGames, "browse recorded games", "";
        Char('8') => GoCompare, "compare runs", "";
        Char('9') => GoArena, "play matches between players", "";
        Char('0') => GoHome, "presets and saved runs", "";
        Click => Click, "on a tab: open its screen", "";
        Char('t') => NextTheme, "next theme: dark, light, no colors", "";
        Code(KeyCode::Esc) => Back, "back; never quits", "back";
        Char('?') => Help, "show the keys of this screen", "help";
        Char('q') => Quit, "quit; asks first if a run is active", "quit";
    }
    Home {
        Code(KeyCode::Enter) => Enter, "start the preset or resume the run", "start";
        Char('e') => EditPreset, "change parameters before the start", "edit";
        Char('p') => PlaySaved, "play against a saved run's champion", "play";
        Char('/') => Filter, "type to filter the list", "filter";
        Code(KeyCode::Up) => Up, "up", "";
        Code(KeyCode::Down) => Down, "down", "";
        Char('k') => Up, "up", "";
        Char('j') => Down, "down", "";
        Key::Wheel(Wheel::Up) => Up, "up", "";
        Key::Wheel(Wheel::Down) => Down, "down", "";
        Code(KeyCode::PageUp) => PageUp, "page up", "";
        Code(KeyCode::PageDown) => PageDown, "page down", "";
        Code(KeyCode::Home) => First, "go to the first", "";
        Code(KeyCode::End) => Last, "go to the last", "";
    }
    Run {
        Code(KeyCode::Tab) => NextPane, "next pane", "pane";
        Char('z') => Zoom, "zoom the pane in or out", "zoom";
        Char('m') => NextMetric, "show the next metric in the main chart", "metric";
        Char('+') => WindowWider, "show more generations", "window";
        Char('-') => WindowNarrower, "show fewer generations", "";
        Char('x') => NextXAxis, "x-axis: generations, games or time", "x-axis";
        Char('y') => ToggleLogScale, "y-axis: linear or logarithmic", "";
        Char('i') => ReadValues, "show or hide the crosshair", "read";
        Code(KeyCode::Left) => Left, "crosshair: earlier or later", "";
        Code(KeyCode::Right) => Right, "crosshair: earlier or later", "";
        Shift(KeyCode::Left) => FarLeft, "crosshair: ten steps earlier", "";
        Shift(KeyCode::Right) => FarRight, "crosshair: ten steps later", "";
        Code(KeyCode::Home) => First, "crosshair: first or last", "";
        Code(KeyCode::End) => Last, "crosshair: first or last", "";
        Char('w') => NewSample, "play new sample games", "game";
        Char('g') => NextGame, "show the next sample game", "";
        Char(',') => PreviousMove, "previous move of the sample game", "";
        Char('.') => NextMove, "next move", "";
        Char('a') => Autoplay, "turn autoplay of the sample game on or off", "";
        Char('h') => GoHome, "go home: presets and saved runs", "home";
        Code(KeyCode::Enter) => Zoom, "zoom the pane in or out", "";
        Click => Click, "focus a pane; again: zoom; in a chart: crosshair", "";
        Key::Wheel(Wheel::Up) => WindowNarrower, "show fewer generations", "";
        Key::Wheel(Wheel::Down) => WindowWider, "show more generations", "";
    }
    Net {
        Code(KeyCode::Left) => Left, "cursor left", "select";
        Code(KeyCode::Right) => Right, "cursor right", "";
        Code(KeyCode::Up) => Up, "cursor up; in a table: previous wrong decision", "";
        Code(KeyCode::Down) => Down, "cursor down; in a table: next wrong decision", "";
        Char('h') => Left, "cursor left", "";
        Char('l') => Right, "cursor right", "";
        Char('k') => Up, "cursor up; in a table: previous wrong decision", "";
        Char('j') => Down, "cursor down; in a table: next wrong decision", "";
        Char('[') => OlderChampion, "older champion", "champion";
        Char(']') => NewerChampion, "newer champion", "";
        Char('a') => Activity, "show activations in the sample game, or weights", "activity";
        Char(',') => PreviousMove, "previous move of the sample game", "";
        Char('.') => NextMove, "next move", "";
        Char('e') => Export, "write the network as DOT, SVG and JSON", "export";
        Char('w') => ShowAllEdges, "show all edges or the strongest", "";
        Char('z') => Zoom, "zoom the picture in or out", "zoom";
    }
    Population {
        Code(KeyCode::Enter) => Enter, "inspect the selected member or champion", "open";
        Char('o') => NextSort, "sort by the next column", "sort";
        Char('O') => ReverseSort, "reverse the order", "";
        Char('m') => PlayMatches, "play matches between champions; again: stop", "matrix";
        Char('[') => OlderPopulation, "older saved population", "older";
        Char(']') => NewerPopulation, "newer population, up to the current one", "";
        Code(KeyCode::Tab) => NextPane, "switch between members and champions", "pane";
        Char('z') => Zoom, "zoom the pane in or out", "zoom";
        Code(KeyCode::Up) => Up, "up", "";
        Code(KeyCode::Down) => Down, "down", "";
        Char('k') => Up, "up", "";
        Char('j') => Down, "down", "";
        Key::Wheel(Wheel::Up) => Up, "up", "";
        Key::Wheel(Wheel::Down) => Down, "down", "";
        Code(KeyCode::PageUp) => PageUp, "page up", "";
        Code(KeyCode::PageDown) => PageDown, "page down", "";
        Code(KeyCode::Home) => First, "go to the first", "";
        Code(KeyCode::End) => Last, "go to the last", "";
        Click => Click, "on a member: select; on a column: sort by it", "";
    }
    Play {
        Code(KeyCode::Enter) => Enter, "select under the cursor, or play the typed move", "move";
        Click => Click, "select a square", "";
        Code(KeyCode::Left) => Left, "cursor left", "";
        Code(KeyCode::Right) => Right, "cursor right", "";
        Code(KeyCode::Up) => Up, "cursor up", "";
        Code(KeyCode::Down) => Down, "cursor down", "";
        Char('h') => Left, "cursor left", "";
        Char('l') => Right, "cursor right", "";
        Char('k') => Up, "cursor up", "";
        Char('j') => Down, "cursor down", "";
        Char('t') => TypeMove, "type a move; a digit starts one too", "type";
        Char('/') => TypeMove, "type a move", "";
        Char('u') => Undo, "take back your last move", "undo";
        Char('H') => Hint, "show a hint", "hint";
        Char('c') => SwapSides, "start a new game with sides swapped", "side";
        Char('R') => NewGame, "start a new game", "new";
        Char('[') => OlderChampion, "older champion", "champion";
        Char(']') => NewerChampion, "newer champion", "";
        Char('+') => SearchDeeper, "the champion searches deeper, or with more simulations", "depth";
        Char('-') => SearchShallower, "the champion searches less", "";
        Char('T') => ThinkingTime, "thinking time: 1, 5 or 20 s, or unlimited", "time";
        Char('a') => MoveNow, "the champion moves now", "answer";
        Char('v') => ShowValues, "show or hide the champion's value of each move", "values";
        Char('z') => Zoom, "zoom the board in or out", "zoom";
    }
    Parameters {
        Code(KeyCode::Left) => Decrease, "decrease a little", "adjust";
        Code(KeyCode::Right) => Increase, "increase a little", "";
        Shift(KeyCode::Left) => DecreaseFar, "decrease ten times as much", "";
        Shift(KeyCode::Right) => IncreaseFar, "increase ten times as much", "";
        Code(KeyCode::Enter) => Enter, "type a value", "type";
        Char('a') => Apply, "apply pending changes at the next generation", "apply";
        Char('d') => ResetParameter, "reset to the default", "default";
        Char('D') => ResetAll, "reset all to the defaults", "";
        Char('u') => Undo, "discard the pending change of this parameter", "undo";
        Code(KeyCode::Esc) => Discard, "discard pending changes, then go back", "";
        Code(KeyCode::Up) => Up, "up", "";
        Code(KeyCode::Down) => Down, "down", "";
        Char('k') => Up, "up", "";
        Char('j') => Down, "down", "";
        Key::Wheel(Wheel::Up) => Up, "up", "";
        Key::Wheel(Wheel::Down) => Down, "down", "";
        Code(KeyCode::PageUp) => PageUp, "page up", "";
        Code(KeyCode::PageDown) => PageDown, "page down", "";
        Code(KeyCode::Home) => First, "go to the first", "";
        Code(KeyCode::End) => Last, "go to the last", "";
    }
    Log {
        Char('/') => Filter, "type to filter by text", "filter";
        Char('L') => LogLevel, "lowest level shown: error, warn, info, debug, trace", "level";
        Char('F') => Follow, "follow new entries", "follow";
        Code(KeyCode::Enter) => Enter, "show or hide the details of the entry", "details";
        Char('e') => Export, "write the shown entries to a file", "export";
        Code(KeyCode::Up) => Up, "up", "";
        Code(KeyCode::Down) => Down, "down", "";
        Char('k') => Up, "up", "";
        Char('j') => Down, "down", "";
        Key::Wheel(Wheel::Up) => Up, "up", "";
        Key::Wheel(Wheel::Down) => Down, "down", "";
        Click => Click, "on an entry: select", "";
        Code(KeyCode::PageUp) => PageUp, "page up", "";
        Code(KeyCode::PageDown) => PageDown, "page down", "";
        Code(KeyCode::Home) => First, "go to the first", "";
        Code(KeyCode::End) => Last, "go to the newest, and follow", "";
    }
    Games {
        Char(',') => PreviousMove, "previous move", "step";
        Char('.') => NextMove, "next move", "";
        Code(KeyCode::Left) => PreviousMove, "previous move", "";
        Code(KeyCode::Right) => NextMove, "next move", "";
        Code(KeyCode::Home) => First, "go to the start of the game", "";
        Code(KeyCode::End) => Last, "go to the end of the game", "";
        Char('a') => Autoplay, "turn autoplay on or off", "auto";
        Char('v') => NextAnalysis, "analysis by the oracle or by the champion", "analysis";
        Char('e') => Export, "write the game to a file in its usual notation", "export";
        Char('o') => Import, "open games from a file", "open";
        Char('z') => Zoom, "zoom the board in or out", "zoom";
        Char('/') => Filter, "type to filter the list", "filter";
        Code(KeyCode::Up) => Up, "previous game", "";
        Code(KeyCode::Down) => Down, "next game", "";
        Char('k') => Up, "previous game", "";
        Char('j') => Down, "next game", "";
        Key::Wheel(Wheel::Up) => Up, "previous game", "";
        Key::Wheel(Wheel::Down) => Down, "next game", "";
        Code(KeyCode::PageUp) => PageUp, "page up", "";
        Code(KeyCode::PageDown) => PageDown, "page down", "";
        Click => Click, "on a game: show it; on a move: go to it", "";
    }
    Compare {
        Code(KeyCode::Enter) => Enter, "select or deselect a run", "select";
        Char('a') => ClearSelection, "deselect all", "";
        Char('m') => NextMetric, "next column", "column";
        Char('M') => PreviousMetric, "previous column", "";
        Char('i') => ReadValues, "show or hide the crosshair", "read";
        Code(KeyCode::Left) => Left, "crosshair: earlier or later", "";
        Code(KeyCode::Right) => Right, "crosshair: earlier or later", "";
        Shift(KeyCode::Left) => FarLeft, "crosshair: ten steps earlier", "";
        Shift(KeyCode::Right) => FarRight, "crosshair: ten steps later", "";
        Char('x') => NextXAxis, "x-axis: generations, games or time", "x-axis";
        Char('y') => ToggleLogScale, "y-axis: linear or logarithmic", "";
        Char('+') => WindowWider, "show more generations", "window";
        Char('-') => WindowNarrower, "show fewer generations", "";
        Char('b') => HigherBound, "raise or lower the bound to reach", "bound";
        Char('B') => LowerBound, "raise or lower the bound to reach", "";
        Char('g') => GroupRuns, "group runs by preset, or show each", "group";
        Char('e') => ExportRuns, "write the comparison as CSV and SVG", "export";
        Char('r') => Reload, "reload the runs", "";
        Char('z') => Zoom, "zoom the chart in or out", "zoom";
        Code(KeyCode::Up) => Up, "previous run", "";
        Code(KeyCode::Down) => Down, "next run", "";
        Char('k') => Up, "previous run", "";
        Char('j') => Down, "next run", "";
        Key::Wheel(Wheel::Up) => Up, "previous run", "";
        Key::Wheel(Wheel::Down) => Down, "next run", "";
        Code(KeyCode::Home) => First, "first or last run; crosshair: first or last", "";
        Code(KeyCode::End) => Last, "first or last run; crosshair: first or last", "";
        Click => Click, "on a run: select; in the chart: crosshair", "";
    }
    Arena {
        Code(KeyCode::Enter) => Enter, "select or deselect a player", "select";
        Char('m') => PlayMatches, "start matches between the selected players", "start";
        Char('x') => StopGames, "stop the games", "stop";
        Char('a') => AddSearch, "add a copy with another search", "search";
        Char('+') => SearchDeeper, "the copy searches deeper", "";
        Char('-') => SearchShallower, "the copy searches less", "";
        Char('w') => NextSearch, "next kind of search for the copy", "";
        Char('[') => OlderChampion, "older champion of the run", "champion";
        Char(']') => NewerChampion, "newer champion", "";
        Char('c') => AddOlder, "add an older champion of the run", "";
        Char('d') => RemovePlayer, "remove an added player", "";
        Code(KeyCode::Left) => FewerGames, "fewer games per pair", "games";
        Code(KeyCode::Right) => MoreGames, "more games per pair", "";
        Char('g') => NextGame, "next game", "game";
        Char('e') => Export, "write the results as JSON and CSV", "export";
        Code(KeyCode::Tab) => NextPane, "switch between players and results", "pane";
        Code(KeyCode::Up) => Up, "up", "";
        Code(KeyCode::Down) => Down, "down", "";
        Char('k') => Up, "up", "";
        Char('j') => Down, "down", "";
        Key::Wheel(Wheel::Up) => Up, "up", "";
        Key::Wheel(Wheel::Down) => Down, "down", "";
        Click => Click, "on a player: select or deselect", "";
        Code(KeyCode::PageUp) => PageUp, "page up", "";
        Code(KeyCode::PageDown) => PageDown, "page down", "";
        Code(KeyCode::Home) => First, "go to the first", "";
        Code(KeyCode::End) => Last, "go to the last", "";
    }
    Experiment {
        Char('m') => NextMetric, "next column in the charts", "column";
        Char('M') => PreviousMetric, "previous column", "";
        Code(KeyCode::Enter) => Zoom, "show each run of the selected preset, or all presets", "runs";
        Char('z') => Zoom, "show each run of the selected preset, or all presets", "";
        Code(KeyCode::Up) => Up, "previous preset", "";
        Code(KeyCode::Down) => Down, "next preset", "preset";
        Char('k') => Up, "previous preset", "";
        Char('j') => Down, "next preset", "";
        Key::Wheel(Wheel::Up) => Up, "previous preset", "";
        Key::Wheel(Wheel::Down) => Down, "next preset", "";
        Click => Click, "on a chart: select its preset", "";
        Code(KeyCode::Home) => First, "first or last preset; crosshair: first or last", "";
        Code(KeyCode::End) => Last, "first or last preset; crosshair: first or last", "";
        Code(KeyCode::PageUp) => PageUp, "previous or next page of charts", "";
        Code(KeyCode::PageDown) => PageDown, "previous or next page of charts", "page";
        Char('x') => NextXAxis, "x-axis: generations or games", "x-axis";
        Char('i') => ReadValues, "show or hide the crosshair", "read";
        Code(KeyCode::Left) => Left, "crosshair: earlier or later", "";
        Code(KeyCode::Right) => Right, "crosshair: earlier or later", "";
        Shift(KeyCode::Left) => FarLeft, "crosshair: ten steps earlier or later", "";
        Shift(KeyCode::Right) => FarRight, "crosshair: ten steps earlier or later", "";
        Char('y') => ToggleLogScale, "y-axis: linear or logarithmic", "log";
        Char('+') => WindowWider, "show more or fewer generations", "window";
        Char('-') => WindowNarrower, "show more or fewer generations", "";
        Char('a') => ToggleSharedAxes, "same axes for all charts, or one per chart", "axes";
        Char('t') => NextTheme, "next theme: dark, light, no colors", "";
        Code(KeyCode::Esc) => Back, "back; never quits", "";
        Char('?') => Help, "show the keys of this screen", "help";
        Char('q') => Quit, "stop and keep finished runs; again: quit at once", "stop";
    }
    Help {
        Code(KeyCode::Esc) => Back, "close", "close";
        Char('?') => Back, "close", "";
        Char('q') => Back, "close", "";
    }
    Quit {
        Char('s') => SaveAndQuit, "save after this generation and quit", "";
        Char('d') => QuitNow, "quit now and lose unsaved generations", "";
        Char('k') => HandOver, "continue without a screen", "";
        Code(KeyCode::Esc) => Back, "back", "";
    }
];
