//! The table of all keys as they are where nobody has changed them.

use crossterm::event::KeyCode;

use crate::ui::mouse::Wheel;

use super::Key::{self, Char, Click, Code, Shift};
use super::{Action, Binding, Scope};

/// Bindings, one a line: `Scope { key => action, words, hint; }`.
macro_rules! bindings {
    ($($scope:ident { $($key:expr => $action:ident, $words:literal, $hint:literal;)+ })+) => {
        [$($(Binding {
            scope: Scope::$scope,
            key: $key,
            action: Action::$action,
            words: $words,
            hint: $hint,
        }),+),+]
    };
}

/// The table. Within a scope the order is that of the hints.
pub const BINDINGS: &[Binding] = &bindings![
    Global {
        Char(' ') => PauseResume, "pause or resume evolution", "pause";
        Char('n') => Step, "one generation while paused", "step";
        Char('f') => Freeze, "freeze the view, evolution goes on", "freeze";
        Char('s') => Save, "save now", "save";
        Char('1') => GoRun, "the run", "";
        Char('2') => GoPopulation, "the population", "";
        Char('3') => GoNet, "the champion from the inside", "";
        Char('4') => GoPlay, "play the champion", "";
        Char('5') => GoKnobs, "turn settings", "";
        Char('6') => GoLog, "what has happened", "";
        Char('7') => GoGames, "recorded games", "";
        Char('8') => GoCompare, "runs over one another", "";
        Char('9') => GoArena, "players against each other", "";
        Char('0') => GoHome, "presets and saved runs", "";
        Click => Point, "on a tab: its screen", "";
        Char('t') => NextTheme, "the next theme: dark, light, no colors", "";
        Code(KeyCode::Esc) => Back, "back; never quits", "back";
        Char('?') => Help, "the keys of this screen", "help";
        Char('q') => Quit, "quit; asks while a run goes on", "quit";
    }
    Home {
        Code(KeyCode::Enter) => Enter, "start the preset, resume the run", "start";
        Char('e') => EditPreset, "change settings first", "edit";
        Char('p') => PlaySaved, "play a saved run's champion", "play";
        Char('/') => Filter, "type to filter the list", "filter";
        Code(KeyCode::Up) => Up, "up", "";
        Code(KeyCode::Down) => Down, "down", "";
        Char('k') => Up, "up", "";
        Char('j') => Down, "down", "";
        Key::Wheel(Wheel::Up) => Up, "up", "";
        Key::Wheel(Wheel::Down) => Down, "down", "";
        Code(KeyCode::PageUp) => PageUp, "a page up", "";
        Code(KeyCode::PageDown) => PageDown, "a page down", "";
        Code(KeyCode::Home) => First, "to the first", "";
        Code(KeyCode::End) => Last, "to the last", "";
    }
    Run {
        Code(KeyCode::Tab) => NextPane, "next pane", "pane";
        Char('z') => Zoom, "pane to the whole screen and back", "zoom";
        Char('m') => NextMetric, "next metric in the main chart", "metric";
        Char('+') => WindowWider, "a wider window of generations", "window";
        Char('-') => WindowNarrower, "a narrower window", "";
        Char('x') => GamesAxis, "charts over generations, games or time", "x-axis";
        Char('y') => LogAxis, "linear or logarithmic axis", "";
        Char('i') => Read, "read values at a cursor in the charts", "read";
        Code(KeyCode::Left) => Left, "reading: earlier or later", "";
        Code(KeyCode::Right) => Right, "reading: earlier or later", "";
        Shift(KeyCode::Left) => FarLeft, "reading: ten times earlier", "";
        Shift(KeyCode::Right) => FarRight, "reading: ten times later", "";
        Code(KeyCode::Home) => First, "reading: to either end", "";
        Code(KeyCode::End) => Last, "reading: to either end", "";
        Char('w') => NewSample, "other sample games", "game";
        Char('g') => NextGame, "the other sample game", "";
        Char(',') => PlyBack, "a move back in the sample game", "";
        Char('.') => PlyForward, "a move forward", "";
        Char('a') => Autoplay, "play the sample game by itself or not", "";
        Char('h') => GoHome, "home: presets and saved runs", "home";
        Code(KeyCode::Enter) => Zoom, "pane to the whole screen and back", "";
        Click => Point, "focus a pane, again: zoom; on lines: read", "";
        Key::Wheel(Wheel::Up) => WindowNarrower, "a narrower window", "";
        Key::Wheel(Wheel::Down) => WindowWider, "a wider window of generations", "";
    }
    Net {
        Code(KeyCode::Left) => Left, "cursor left", "look";
        Code(KeyCode::Right) => Right, "cursor right", "";
        Code(KeyCode::Up) => Up, "cursor up; in a table the wrong decision before", "";
        Code(KeyCode::Down) => Down, "cursor down; in a table the wrong decision after", "";
        Char('h') => Left, "cursor left", "";
        Char('l') => Right, "cursor right", "";
        Char('k') => Up, "cursor up; in a table the wrong decision before", "";
        Char('j') => Down, "cursor down; in a table the wrong decision after", "";
        Char('[') => OlderChampion, "an older champion", "champion";
        Char(']') => NewerChampion, "a newer champion", "";
        Char('a') => Activity, "what it makes of the sample game's position, or its weights", "activity";
        Char(',') => PlyBack, "a move back in the sample game", "";
        Char('.') => PlyForward, "a move forward", "";
        Char('e') => Export, "write the network as DOT, SVG and JSON", "export";
        Char('w') => AllLinks, "all links of a network, or the strongest", "";
        Char('z') => Zoom, "the picture to the whole screen and back", "zoom";
    }
    Population {
        Code(KeyCode::Enter) => Enter, "look into the selected member or champion", "open";
        Char('o') => NextOrder, "sort by the next column", "sort";
        Char('O') => Reverse, "the other way round", "";
        Char('m') => Meet, "let champions of all generations meet; again: stop", "matrix";
        Char('[') => OlderPopulation, "an older population that was kept", "older";
        Char(']') => NewerPopulation, "a newer population, at last the living one", "";
        Code(KeyCode::Tab) => NextPane, "from the members to the champions and back", "page";
        Char('z') => Zoom, "either of them to the whole screen and back", "zoom";
        Code(KeyCode::Up) => Up, "up", "";
        Code(KeyCode::Down) => Down, "down", "";
        Char('k') => Up, "up", "";
        Char('j') => Down, "down", "";
        Key::Wheel(Wheel::Up) => Up, "up", "";
        Key::Wheel(Wheel::Down) => Down, "down", "";
        Code(KeyCode::PageUp) => PageUp, "a page up", "";
        Code(KeyCode::PageDown) => PageDown, "a page down", "";
        Code(KeyCode::Home) => First, "to the first", "";
        Code(KeyCode::End) => Last, "to the last", "";
        Click => Point, "on a member: select it; on a column: sort by it", "";
    }
    Play {
        Code(KeyCode::Enter) => Enter, "pick what is under the cursor, make the typed move", "move";
        Click => Point, "pick what is clicked on", "";
        Code(KeyCode::Left) => Left, "cursor left", "";
        Code(KeyCode::Right) => Right, "cursor right", "";
        Code(KeyCode::Up) => Up, "cursor up", "";
        Code(KeyCode::Down) => Down, "cursor down", "";
        Char('h') => Left, "cursor left", "";
        Char('l') => Right, "cursor right", "";
        Char('k') => Up, "cursor up", "";
        Char('j') => Down, "cursor down", "";
        Char('t') => TypeMove, "type a move; so does a digit", "type";
        Char('/') => TypeMove, "type a move", "";
        Char('u') => Undo, "take your last move back", "undo";
        Char('H') => Hint, "a hint", "hint";
        Char('c') => SwapSides, "change sides in a new game", "side";
        Char('R') => NewGame, "a new game", "new";
        Char('[') => OlderChampion, "an older champion", "champion";
        Char(']') => NewerChampion, "a newer champion", "";
        Char('+') => LookFurther, "the champion thinks a step more: moves ahead, or rounds", "depth";
        Char('-') => LookLess, "the champion thinks a step less", "";
        Char('T') => Clock, "the champion thinks for 1, 5 or 20 s, or as long as it takes", "time";
        Char('a') => MoveNow, "the champion answers at once with what it has found", "answer";
        Char('v') => ShowValues, "its value of each move on the board or not", "values";
        Char('z') => Zoom, "the board to the whole screen and back", "zoom";
    }
    Knobs {
        Code(KeyCode::Left) => NudgeDown, "a little less", "nudge";
        Code(KeyCode::Right) => NudgeUp, "a little more", "";
        Shift(KeyCode::Left) => NudgeDownFar, "ten times less", "";
        Shift(KeyCode::Right) => NudgeUpFar, "ten times more", "";
        Code(KeyCode::Enter) => Enter, "type a value", "type";
        Char('a') => Apply, "apply what is pending at the next generation", "apply";
        Char('d') => Default, "back to the default", "default";
        Char('D') => AllDefaults, "everything back to the default", "";
        Char('u') => Undo, "take the pending change of this knob back", "undo";
        Code(KeyCode::Esc) => Discard, "discard what is pending, then back", "";
        Code(KeyCode::Up) => Up, "up", "";
        Code(KeyCode::Down) => Down, "down", "";
        Char('k') => Up, "up", "";
        Char('j') => Down, "down", "";
        Key::Wheel(Wheel::Up) => Up, "up", "";
        Key::Wheel(Wheel::Down) => Down, "down", "";
        Code(KeyCode::PageUp) => PageUp, "a page up", "";
        Code(KeyCode::PageDown) => PageDown, "a page down", "";
        Code(KeyCode::Home) => First, "to the first", "";
        Code(KeyCode::End) => Last, "to the last", "";
    }
    Log {
        Char('/') => Filter, "type to filter by text", "filter";
        Char('L') => LeastLevel, "the least level shown: error, warn, info, debug, trace", "level";
        Char('F') => Follow, "follow what comes", "follow";
        Code(KeyCode::Enter) => Enter, "all that is known of the entry, or not", "details";
        Char('e') => Export, "what is shown to a file", "export";
        Code(KeyCode::Up) => Up, "up", "";
        Code(KeyCode::Down) => Down, "down", "";
        Char('k') => Up, "up", "";
        Char('j') => Down, "down", "";
        Key::Wheel(Wheel::Up) => Up, "up", "";
        Key::Wheel(Wheel::Down) => Down, "down", "";
        Click => Point, "on an entry: chooses it", "";
        Code(KeyCode::PageUp) => PageUp, "a page up", "";
        Code(KeyCode::PageDown) => PageDown, "a page down", "";
        Code(KeyCode::Home) => First, "to the first", "";
        Code(KeyCode::End) => Last, "to the newest, and follow", "";
    }
    Games {
        Char(',') => PlyBack, "a move back", "step";
        Char('.') => PlyForward, "a move forward", "";
        Code(KeyCode::Left) => PlyBack, "a move back", "";
        Code(KeyCode::Right) => PlyForward, "a move forward", "";
        Code(KeyCode::Home) => First, "to the start of the game", "";
        Code(KeyCode::End) => Last, "to its end", "";
        Char('a') => Autoplay, "play it by itself or not", "auto";
        Char('v') => OtherJudge, "judged by the oracle, or by the champion", "judge";
        Char('e') => Export, "the game to a file, as players write it down", "export";
        Char('o') => Import, "open the games of a file", "open";
        Char('z') => Zoom, "the board to the whole screen and back", "zoom";
        Char('/') => Filter, "type to filter the list", "filter";
        Code(KeyCode::Up) => Up, "the game above", "";
        Code(KeyCode::Down) => Down, "the game below", "";
        Char('k') => Up, "the game above", "";
        Char('j') => Down, "the game below", "";
        Key::Wheel(Wheel::Up) => Up, "the game above", "";
        Key::Wheel(Wheel::Down) => Down, "the game below", "";
        Code(KeyCode::PageUp) => PageUp, "a page up", "";
        Code(KeyCode::PageDown) => PageDown, "a page down", "";
        Click => Point, "on a game: shows it; on a move: goes there", "";
    }
    Compare {
        Code(KeyCode::Enter) => Enter, "lay a run over the others, or take it off", "choose";
        Char('a') => ClearChosen, "choose none", "";
        Char('m') => NextMetric, "the next column", "column";
        Char('M') => PreviousMetric, "the column before", "";
        Char('i') => Read, "read values at a cursor", "read";
        Code(KeyCode::Left) => Left, "reading: earlier or later", "";
        Code(KeyCode::Right) => Right, "reading: earlier or later", "";
        Shift(KeyCode::Left) => FarLeft, "reading: ten times earlier", "";
        Shift(KeyCode::Right) => FarRight, "reading: ten times later", "";
        Char('x') => GamesAxis, "over generations, games or time", "x-axis";
        Char('y') => LogAxis, "linear or logarithmic axis", "";
        Char('+') => WindowWider, "a wider window of generations", "window";
        Char('-') => WindowNarrower, "a narrower window", "";
        Char('b') => HigherBound, "a higher or lower bound to be reached", "bound";
        Char('B') => LowerBound, "a higher or lower bound to be reached", "";
        Char('g') => GroupRuns, "runs of a preset as one, or one by one", "group";
        Char('e') => ExportRuns, "write the comparison as CSV and SVG", "export";
        Char('r') => ReadAgain, "read the runs again", "";
        Char('z') => Zoom, "the chart to the whole screen and back", "zoom";
        Code(KeyCode::Up) => Up, "a run up", "";
        Code(KeyCode::Down) => Down, "a run down", "";
        Char('k') => Up, "a run up", "";
        Char('j') => Down, "a run down", "";
        Key::Wheel(Wheel::Up) => Up, "a run up", "";
        Key::Wheel(Wheel::Down) => Down, "a run down", "";
        Code(KeyCode::Home) => First, "first and last run; reading: both ends", "";
        Code(KeyCode::End) => Last, "first and last run; reading: both ends", "";
        Click => Point, "choose a run; on lines: read", "";
    }
    Arena {
        Code(KeyCode::Enter) => Enter, "choose a player, or no longer", "choose";
        Char('m') => Meet, "let those who are chosen meet", "meet";
        Char('x') => StopGames, "stop the games", "stop";
        Char('a') => AddSearch, "add it once more, searching otherwise", "search";
        Char('+') => LookFurther, "what was added searches a step further", "";
        Char('-') => LookLess, "a step less", "";
        Char('w') => NextSearch, "another kind of search for what was added", "";
        Char('[') => OlderChampion, "an older champion of the run", "champion";
        Char(']') => NewerChampion, "a newer champion", "";
        Char('c') => AddOlder, "add an older champion of the run", "";
        Char('d') => TakeOff, "take off the list what was added", "";
        Code(KeyCode::Left) => FewerGames, "fewer games a pair", "games";
        Code(KeyCode::Right) => MoreGames, "more games a pair", "";
        Char('g') => NextGame, "another game", "game";
        Char('e') => Export, "write the results as JSON and CSV", "export";
        Code(KeyCode::Tab) => NextPane, "players or results", "pane";
        Code(KeyCode::Up) => Up, "up", "";
        Code(KeyCode::Down) => Down, "down", "";
        Char('k') => Up, "up", "";
        Char('j') => Down, "down", "";
        Key::Wheel(Wheel::Up) => Up, "up", "";
        Key::Wheel(Wheel::Down) => Down, "down", "";
        Click => Point, "on a player: choose it, or no longer", "";
        Code(KeyCode::PageUp) => PageUp, "a page up", "";
        Code(KeyCode::PageDown) => PageDown, "a page down", "";
        Code(KeyCode::Home) => First, "to the first", "";
        Code(KeyCode::End) => Last, "to the last", "";
    }
    Experiment {
        Char('m') => NextMetric, "the next column in the charts", "column";
        Char('M') => PreviousMetric, "the column before", "";
        Code(KeyCode::Enter) => Zoom, "the runs of the selected preset one by one, and back", "runs";
        Char('z') => Zoom, "the runs of the selected preset one by one, and back", "";
        Code(KeyCode::Up) => Up, "the preset above", "";
        Code(KeyCode::Down) => Down, "the preset below", "preset";
        Char('k') => Up, "the preset above", "";
        Char('j') => Down, "the preset below", "";
        Key::Wheel(Wheel::Up) => Up, "the preset above", "";
        Key::Wheel(Wheel::Down) => Down, "the preset below", "";
        Click => Point, "on a chart: its preset", "";
        Code(KeyCode::Home) => First, "first and last preset; reading: both ends", "";
        Code(KeyCode::End) => Last, "first and last preset; reading: both ends", "";
        Code(KeyCode::PageUp) => PageUp, "a page of charts back or on", "";
        Code(KeyCode::PageDown) => PageDown, "a page of charts back or on", "page";
        Char('x') => GamesAxis, "charts over generations or games played", "x-axis";
        Char('i') => Read, "read values at a cursor in the charts", "read";
        Code(KeyCode::Left) => Left, "reading: earlier or later", "";
        Code(KeyCode::Right) => Right, "reading: earlier or later", "";
        Shift(KeyCode::Left) => FarLeft, "reading: ten times earlier or later", "";
        Shift(KeyCode::Right) => FarRight, "reading: ten times earlier or later", "";
        Char('y') => LogAxis, "linear or logarithmic axis", "log";
        Char('+') => WindowWider, "a wider or narrower window of generations", "window";
        Char('-') => WindowNarrower, "a wider or narrower window of generations", "";
        Char('a') => SameAxes, "the same axes for all charts, or its own for each", "axes";
        Char('t') => NextTheme, "the next theme: dark, light, no colors", "";
        Code(KeyCode::Esc) => Back, "back; never quits", "";
        Char('?') => Help, "the keys of this screen", "help";
        Char('q') => Quit, "stop, finished runs are kept; again: leave at once", "stop";
    }
    Help {
        Code(KeyCode::Esc) => Back, "close", "close";
        Char('?') => Back, "close", "";
        Char('q') => Back, "close", "";
    }
    Quit {
        Char('s') => SaveAndQuit, "save at the end of this generation and quit", "";
        Char('d') => QuitNow, "quit now, lose what is not saved", "";
        Char('k') => HandOver, "keep running without a screen", "";
        Code(KeyCode::Esc) => Back, "back", "";
    }
];
