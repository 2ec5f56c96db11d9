//! The rows of the Home screen: recommendations first, then saved runs and presets in groups that
//! can be folded.

use finches_engine::preset::Preset;

use super::start_here::{RECOMMENDED, Recommendation};
use super::{Home, HomeItem};

/// The system of presets without a publication, which comes last.
const NO_PUBLICATION: &str = "not from a publication";

/// The games in the order of their groups; those of other crates follow.
const GAMES: [&str; 5] = [
    "nim",
    "bounded_nim",
    "reversi",
    "draughts",
    "dots_and_boxes",
];

/// Most items of a group until it is unfolded once more.
const MOST: usize = 10;

/// The heading of the recommendations.
pub(super) const START_HERE: &str = "Start here";

/// The headings of saved runs: those that can be resumed, and champions without their population.
pub(super) const GROUPS_OF_RUNS: [&str; 2] = ["Saved runs", "Champions to play"];

/// A row of the list.
pub(super) enum HomeRow<'a> {
    Gap,
    /// The heading of the recommendations, or of any group while the list is filtered.
    Title(String),
    /// The heading of a group that can be folded.
    Heading(HomeGroup),
    Start(&'static Recommendation, &'a HomeItem),
    Item(&'a HomeItem),
    /// The items of a group that are not listed yet: its name and their number.
    More(String, usize),
}

/// A group of the list.
pub(super) struct HomeGroup {
    pub(super) name: String,
    pub(super) count: usize,
    pub(super) is_open: bool,
}

/// What identifies a row that can be selected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum HomeKey {
    Group(String),
    More(String),
    Start(&'static str),
    Run(String),
    Preset(String),
}

impl HomeItem {
    /// The heading an item is listed under.
    pub(super) fn group(&self) -> String {
        match self {
            Self::Run { .. } | Self::Unreadable { .. } => {
                GROUPS_OF_RUNS[usize::from(self.is_champion())].to_owned()
            }
            Self::Preset { preset, .. } => {
                format!("{} · {}", game_heading(preset), system(preset))
            }
        }
    }

    /// Whether it is a run that cannot be resumed, but has champions to play.
    pub(super) fn is_champion(&self) -> bool {
        matches!(self, Self::Run { summary, .. } if !summary.can_resume)
    }

    /// The preset, if it is one whose parameters were not changed.
    pub(super) fn unchanged_preset(&self) -> Option<&Preset> {
        match self {
            Self::Preset {
                preset,
                is_changed: false,
            } => Some(preset),
            _ => None,
        }
    }

    pub(super) fn name(&self) -> &str {
        match self {
            Self::Run { name, .. } | Self::Unreadable { name, .. } => name,
            Self::Preset { preset, .. } => &preset.name,
        }
    }

    fn key(&self) -> HomeKey {
        let name = self.name().to_owned();
        match self {
            Self::Preset { .. } => HomeKey::Preset(name),
            Self::Run { .. } | Self::Unreadable { .. } => HomeKey::Run(name),
        }
    }

    fn matches(&self, filter: &str) -> bool {
        let text = match self {
            Self::Run { name, summary } => {
                let tags: Vec<String> = summary.tags.iter().map(|tag| format!("#{tag}")).collect();
                let game = summary.game.name().replace('_', " ");
                format!("{name} {} {game} {}", summary.preset, tags.join(" "))
            }
            Self::Unreadable { name, .. } => name.clone(),
            Self::Preset { preset, .. } => format!(
                "{} {} {} {}",
                preset.name,
                preset.game.name().replace('_', " "),
                preset.about,
                preset.source
            ),
        };
        let text = text.to_lowercase();
        filter
            .to_lowercase()
            .split_whitespace()
            .all(|word| text.contains(word))
    }
}

/// Sorts presets by game, in the order of the games, and within a game by system. Names keep their
/// order.
pub(super) fn sort_presets(items: &mut [HomeItem]) {
    items.sort_by_key(|item| {
        let HomeItem::Preset { preset, .. } = item else {
            return (0, false, false, String::new());
        };
        let system = system(preset);
        let place = GAMES.iter().position(|game| *game == preset.game.name());
        let is_after = system.starts_with("after ");
        (
            place.unwrap_or(GAMES.len()),
            system == NO_PUBLICATION,
            is_after,
            system,
        )
    });
}

/// The publication that a preset follows, in a few words.
fn system(preset: &Preset) -> String {
    let source = preset.source.split([',', ';']).next().unwrap_or_default();
    match source.replace(" (no date)", "") {
        none if none.is_empty() => NO_PUBLICATION.to_owned(),
        source => source,
    }
}

/// A game's name as a heading: `dots_and_boxes` becomes `Dots and boxes`.
fn game_heading(preset: &Preset) -> String {
    let words = preset.game.name().replace('_', " ").replace("nim", "Nim");
    let mut letters = words.chars();
    let first = letters.next().map(|first| first.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}

impl<'a> HomeRow<'a> {
    /// What identifies it; `None` if it cannot be selected.
    pub(super) fn key(&self) -> Option<HomeKey> {
        match self {
            Self::Gap | Self::Title(_) => None,
            Self::Heading(group) => Some(HomeKey::Group(group.name.clone())),
            Self::Start(recommendation, _) => Some(HomeKey::Start(recommendation.name)),
            Self::Item(item) => Some(item.key()),
            Self::More(group, _) => Some(HomeKey::More(group.clone())),
        }
    }

    pub(super) fn item(&self) -> Option<&'a HomeItem> {
        match self {
            Self::Start(_, item) | Self::Item(item) => Some(item),
            Self::Gap | Self::Title(_) | Self::Heading(_) | Self::More(..) => None,
        }
    }
}

impl Home {
    /// All rows, from the top. While the list is filtered, there are no recommendations and nothing
    /// is folded.
    pub(super) fn rows(&self) -> Vec<HomeRow<'_>> {
        let matching: Vec<&HomeItem> = self
            .items
            .iter()
            .filter(|item| item.matches(&self.filter))
            .collect();
        let mut rows = if self.is_filtered() {
            Vec::new()
        } else {
            self.recommendations()
        };
        let fitting = self.groups_that_fit();
        for group in matching.chunk_by(|one, other| one.group() == other.group()) {
            let name = group[0].group();
            let is_open = self.is_filtered() || self.is_open_beside(&name, &fitting);
            // Folded groups stand close together.
            let is_close = !is_open && matches!(rows.last(), Some(HomeRow::Heading(_)));
            if !rows.is_empty() && !is_close {
                rows.push(HomeRow::Gap);
            }
            let count = group.len();
            rows.push(if self.is_filtered() {
                HomeRow::Title(name.clone())
            } else {
                HomeRow::Heading(HomeGroup {
                    name: name.clone(),
                    count,
                    is_open,
                })
            });
            if is_open {
                let is_whole = self.is_filtered() || self.whole.contains(&name);
                // One line less would only be the line that says so.
                let listed = match count {
                    count if is_whole || count <= MOST + 1 => count,
                    _ => MOST,
                };
                rows.extend(group[..listed].iter().map(|item| HomeRow::Item(item)));
                if listed < count {
                    rows.push(HomeRow::More(name, count - listed));
                }
            }
        }
        rows
    }

    /// The first groups, as many as can be unfolded at first: what is left of the room beside the
    /// headings.
    pub(super) fn groups_that_fit(&self) -> Vec<String> {
        let groups = self.items.chunk_by(|a, b| a.group() == b.group());
        let groups: Vec<&[HomeItem]> = groups.collect();
        let headings = groups.len() + RECOMMENDED.len() + 2;
        let mut left = usize::from(self.height).saturating_sub(headings);
        let fitting = groups.into_iter().map_while(|group| {
            left = left.checked_sub(group.len().min(MOST + 1) + 2)?;
            Some(group[0].group())
        });
        fitting.collect()
    }

    fn recommendations(&self) -> Vec<HomeRow<'_>> {
        let item = |name| self.items.iter().find(|item| item.name() == name);
        let known = RECOMMENDED
            .iter()
            .filter_map(|start| Some(HomeRow::Start(start, item(start.name)?)));
        let mut rows = vec![HomeRow::Title(START_HERE.to_owned())];
        rows.extend(known);
        if rows.len() == 1 {
            rows.clear();
        }
        rows
    }
}
