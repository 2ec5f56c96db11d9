//! Draws the list of players and details of the selected one.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::format;
use crate::model::context::Context;
use crate::mouse::Regions;
use crate::screen::ClickTarget;
use crate::screens::play::search_settings::search_words;
use crate::theme::Theme;
use crate::widgets::frame::{Focus, Frame};
use crate::widgets::key_label::{key_hints, key_label};
use crate::widgets::list::{ListRow, ScrollList};
use crate::widgets::text::{below, cut_below, put, put_right, row_of};
use crate::widgets::truncate::truncate;
use finches_engine::games::GameConfig;
use finches_engine::play;
use finches_engine::play::reference_player::ReferencePlayer;

use super::player_list::PlayerList;
use super::screen::{ArenaAction, SCOPE};
use super::selection::{ListedPlayer, PlayerSource};
use super::view::draw_start;
use super::{ArenaScreen, GAMES_PER_PAIR, live_generation};

/// Lines under the list: details of the player, and the match to play.
const FOOTER_HEIGHT: u16 = 5;

/// Columns from which on each row says what its player does.
const WIDE: usize = 60;

/// Draws the pane; each row is clickable.
pub(super) fn draw(
    screen: &ArenaScreen,
    context: &Context,
    focus: Focus,
    area: Rect,
    buf: &mut Buffer,
) -> Regions<ClickTarget> {
    let theme = &context.theme;
    let live = context.run.as_ref().and_then(live_generation);
    let chosen = screen.selection.planned(live).len();
    let frame = Frame {
        right: Line::styled(format!("{chosen} selected"), theme.dim),
        ..Frame::titled("Players")
    };
    let inner = frame.pane(focus, theme, area, buf);
    let Some(PlayerList { game, .. }) = &screen.player_list else {
        put(buf, inner, 0, Span::styled("Loading players.", theme.dim));
        return Regions::default();
    };
    let (selection, foot) = cut_below(inner, FOOTER_HEIGHT);
    let players = &screen.selection;
    let list = ScrollList::selecting(players.all.len(), players.cursor);
    list.draw(theme, selection, buf, |place| {
        let player = &players.all[place];
        let is_twin = |other: &ListedPlayer| other.is_live() && other.is_twin(player, live);
        let is_twin = !player.is_live() && players.all.iter().any(is_twin);
        let twin = if is_twin { "same as live " } else { "" };
        let note = format!("{twin}{}", player_note(player, live));
        player_row(player, note, theme, game, selection.width.into())
    });
    if area.right() == buf.area.right() {
        let free = below(selection, players.all.len() as u16 + 1);
        draw_start(game, theme, free, buf);
    }
    list.scrollbar(theme, selection.height, area, buf);
    let mut regions = list.regions(selection, ClickTarget::Row);
    regions.extend(draw_footer(screen, chosen, theme, (foot, buf)));
    regions
}

/// The row of a player: its mark, its name, what it does where there is room, and the champion's
/// generation or the kind of player.
fn player_row<'a>(
    player: &ListedPlayer,
    note: String,
    theme: &Theme,
    game: &GameConfig,
    width: usize,
) -> ListRow<'a> {
    let (mark, style, text) = if player.is_selected {
        (theme.sign("◉ ", "[x] "), theme.good, theme.strong)
    } else {
        (theme.sign("○ ", "[ ] "), theme.dim, theme.text)
    };
    let indent = if player.is_added { "  " } else { "" };
    let search = player.search();
    let search = search.map_or(String::new(), |search| format!("@{search}"));
    let name = format!("{}{search}", player.base_name());
    let mut note = Line::styled(note, theme.dim);
    let mark = Span::styled(format!("{indent}{mark}"), style);
    let about = Span::raw(format!("{}   ", description(player, game)));
    if width >= WIDE && mark.width() + name.len() + 3 + about.width() + note.width() <= width {
        note.spans.insert(0, about);
    }
    let room = width.saturating_sub(note.width() + 1 + mark.width());
    let text = Line::from(vec![mark, Span::styled(truncate(&name, room), text)]);
    ListRow { text, note }
}

/// The champion's generation, or the kind of player.
fn player_note(player: &ListedPlayer, live: Option<u64>) -> String {
    match &player.source {
        PlayerSource::Live { .. } => match live {
            Some(generation) => format!("live g{generation}"),
            None => "no champion yet".to_owned(),
        },
        PlayerSource::Saved { .. } => player
            .generation()
            .map_or(String::new(), |generation| format!("g{generation}")),
        PlayerSource::Reference(_) => "reference".to_owned(),
        PlayerSource::Outside(_) => "program".to_owned(),
    }
}

/// Draws the details of the selected player and the match of some number of players.
fn draw_footer(
    screen: &ArenaScreen,
    players: usize,
    theme: &Theme,
    (area, buf): (Rect, &mut Buffer),
) -> Regions<ClickTarget> {
    let mut regions = Regions::default();
    let rule = theme.sign("─", "-");
    let rule = rule.repeat(area.width.into());
    put(buf, area, 0, Span::styled(rule, theme.border));
    let game = screen.player_list.as_ref().map(|list| &list.game);
    let current = screen.selection.current().zip(game);
    let current = current.map(|(player, game)| description(player, game));
    let width = usize::from(area.width);
    let words = current.unwrap_or_else(|| "No players for this game yet.".to_owned());
    let words = truncate(&words, width);
    put(buf, area, 1, Span::styled(words, theme.dim));
    let game = game.map(game_label).unwrap_or_default();
    let games = format::count(GAMES_PER_PAIR[screen.games].into());
    let all = players * players.saturating_sub(1) / 2 * GAMES_PER_PAIR[screen.games] as usize;
    let change = [ArenaAction::FewerGames, ArenaAction::MoreGames].map(ArenaAction::action);
    let all = format!("{games} per pair, {} in all", format::count(all as f64));
    let rows = [
        (
            "game",
            truncate(&game, width.saturating_sub(9)),
            &[ArenaAction::NextGame.action()][..],
        ),
        ("games", all, &change),
    ];
    for (row, (name, words, keys)) in (2..).zip(rows) {
        let line = Line::from(vec![
            Span::styled(format!("{name:<7}"), theme.dim),
            Span::styled(words, theme.text),
        ]);
        put(buf, area, row, line);
        put_right(buf, area, row, key_label(SCOPE, keys, theme));
        let action = keys[keys.len() - 1];
        regions.add(row_of(area, row), ClickTarget::Do(action));
    }
    let (action, words) = if screen.is_playing() {
        (ArenaAction::StopGames.action(), " stops them")
    } else {
        (ArenaAction::PlayMatches.action(), " starts them")
    };
    put(buf, area, 4, key_hints(SCOPE, &[(&[action], words)], theme));
    regions.add(row_of(area, 4), ClickTarget::Do(action));
    regions
}

/// What a heuristic player does, such as `swh-3`.
fn heuristic_description(name: &str, game: &GameConfig) -> String {
    let heuristics = play::heuristics(game);
    match ReferencePlayer::named(name, heuristics) {
        Some(ReferencePlayer::Heuristic { heuristic, depth }) => {
            let about = heuristics[usize::from(heuristic)].about;
            match depth {
                1 => format!("{about}, one move deep"),
                depth => format!("{about}, {depth} moves deep"),
            }
        }
        _ => "built-in heuristic player".to_owned(),
    }
}

/// Details of a player of a game.
pub(super) fn description(player: &ListedPlayer, game: &GameConfig) -> String {
    match &player.source {
        PlayerSource::Outside(_) => "outside program".to_owned(),
        PlayerSource::Live { preset, .. } => {
            format!("newest champion, {}", search_words(&preset.agent))
        }
        PlayerSource::Saved { run, place } => format!(
            "{}, {}; champion {} of {}",
            run.preset.name,
            search_words(&run.preset.agent),
            place + 1,
            run.generations.len()
        ),
        PlayerSource::Reference(name) => match name.as_str() {
            "random" => "any legal move".to_owned(),
            "oracle" => "always plays a best move".to_owned(),
            name => heuristic_description(name, game),
        },
    }
}

/// The name of a game and its parameters that differ from the defaults.
fn game_label(game: &GameConfig) -> String {
    let usual = GameConfig::named(game.name()).expect("a game has its own name");
    let parameters = usual.differences(game).into_iter();
    // What a network sees of a game is no part of its rules.
    let rules = parameters.filter(|parameter| !parameter.starts_with("encoding"));
    let rules = rules.map(|rule| rule.replace(['[', ']'], "").replace(['=', '_'], " "));
    let name = game.name().replace('_', " ");
    rules.fold(name, |words, rule| words + " " + &rule)
}
