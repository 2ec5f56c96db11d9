//! A run that another process writes, or that has ended, followed from its files alone, about once a second. Nothing is
//! written, no lock is taken, and whoever evolves the run knows nothing of it.

use std::collections::VecDeque;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, bounded};

use crate::arena::record::Record;
use crate::arena::{self, Arena, Guest};
use crate::evolution::archive::Champion;
use crate::games::reference::Reference;
use crate::metrics::lengths::Lengths;
use crate::metrics::{Columns, Row};
use crate::preset::Preset;
use crate::storage::StorageError;
use crate::storage::saves::{RunFile, Saves};
use crate::storage::tail::{Fresh, Tail};

use super::Facts;
use super::message::{Event, Pace, Phase, Snapshot};

/// Time from one look to the next.
const EVERY: Duration = Duration::from_secs(1);

/// Looks over which the pace is measured.
const LOOKS: usize = 5;

/// What a look shows.
#[derive(Debug)]
pub enum Seen {
    /// There is no run to be seen, in words.
    Missing(String),
    /// The run as it stands: when it is first seen, and whenever its past has changed.
    Run(Box<Found>),
    /// What is new.
    News(Event),
}

/// A run as it stands.
#[derive(Debug)]
pub struct Found {
    pub facts: Facts,
    pub rows: Vec<Row>,
    pub pace: Pace,
}

/// A run that is followed; dropping it ends that.
#[derive(Debug)]
pub struct Following {
    seen: Receiver<Seen>,
    _stop: Sender<()>,
}

impl Following {
    /// Follows a run, by its name or folder, which need not be there yet.
    pub fn start(saves: Saves, name: String) -> std::io::Result<Self> {
        let (tell, seen) = bounded(64);
        let (stop, stopped) = bounded(0);
        let mut follower = Follower {
            saves,
            name,
            tell,
            known: None,
            missing: None,
        };
        thread::Builder::new()
            .name("follower".to_owned())
            .spawn(move || {
                while follower.look() == Listener::There
                    && stopped.recv_timeout(EVERY) == Err(RecvTimeoutError::Timeout)
                {
                }
            })?;
        Ok(Self { seen, _stop: stop })
    }

    pub fn seen(&self) -> &Receiver<Seen> {
        &self.seen
    }
}

/// Whether anybody wants to know any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Listener {
    There,
    Gone,
}

struct Follower {
    saves: Saves,
    name: String,
    tell: Sender<Seen>,
    known: Option<Known>,
    /// What was told last of a run that is not there.
    missing: Option<String>,
}

/// What has been told of the run.
struct Known {
    file: RunFile,
    /// As it stands, with what has been turned.
    preset: Preset,
    arena: Arc<dyn Arena>,
    columns: Columns,
    tail: Tail,
    /// Working time, generations and games at the latest looks.
    looks: VecDeque<(f64, u64, f64)>,
    champion: Option<u64>,
    end: End,
}

impl Follower {
    fn look(&mut self) -> Listener {
        let seen = self.see();
        let told = match seen {
            Ok(seen) => {
                self.missing = None;
                seen
            }
            Err(words) => {
                self.known = None;
                let is_news = self.missing.as_ref() != Some(&words);
                self.missing = Some(words.clone());
                is_news
                    .then_some(Seen::Missing(words))
                    .into_iter()
                    .collect()
            }
        };
        for seen in told {
            if self.tell.send(seen).is_err() {
                return Listener::Gone;
            }
        }
        Listener::There
    }

    /// What there is to be told, or why there is no run to be seen.
    fn see(&mut self) -> Result<Vec<Seen>, String> {
        let words = |error: StorageError| error.to_string();
        let (saves, name) = (&self.saves, &self.name);
        if saves.find(name).is_none() {
            let root = saves.root().display();
            return Err(match self.known {
                Some(_) => format!("the run {name} has vanished from {root}"),
                None => format!("there is no run {name} in {root} yet"),
            });
        }
        let file = saves.run_file(name).map_err(words)?;
        let known = match self.known.take() {
            Some(known) if known.goes_on_as(&file) => self.known.insert(known),
            _ => self.known.insert(Known::new(saves, name, file.clone())?),
        };
        let mut seen = Vec::new();
        match known.tail.look().map_err(words)? {
            Fresh::All { columns, rows } => seen.push(known.all(name, &file, &columns, rows)?),
            Fresh::More(rows) => {
                seen.extend(known.turned(&file));
                seen.extend(known.more(rows));
            }
        }
        seen.extend(known.champion(saves, name));
        seen.extend(known.done());
        Ok(seen)
    }
}

impl Known {
    fn new(saves: &Saves, name: &str, file: RunFile) -> Result<Self, String> {
        let tail = saves.tail(name).map_err(|error| error.to_string())?;
        Ok(Self {
            arena: arena::build(&file.preset.game, &file.preset.agent)?,
            preset: file.preset.clone(),
            columns: Columns::named(&[]),
            tail,
            looks: VecDeque::new(),
            champion: None,
            end: End::Ahead,
            file,
        })
    }

    /// Whether a run file is that of the same run with at most more settings turned.
    fn goes_on_as(&self, file: &RunFile) -> bool {
        let (known, now) = (&self.file, file);
        known.seed == now.seed
            && known.preset == now.preset
            && now.interventions.starts_with(&known.interventions)
    }

    /// Every row, as the run's past.
    fn all(
        &mut self,
        name: &str,
        file: &RunFile,
        columns: &[String],
        rows: Vec<Row>,
    ) -> Result<Seen, String> {
        self.columns = Columns::named(columns);
        if !self.columns.names().eq(columns.iter().map(String::as_str)) {
            return Err(format!(
                "{name}: its metrics have columns that this finches does not know; update finches"
            ));
        }
        self.file = file.clone();
        self.looks.clear();
        self.champion = None;
        self.end = End::Ahead;
        self.preset = file.preset.clone();
        for turned in &file.interventions {
            // What the run has accepted fits the preset.
            let _ = self.preset.change(&turned.key, &turned.to);
        }
        let recent = rows.len().saturating_sub(rows.len() / 20 + 2);
        for row in rows[recent..].first().into_iter().chain(rows.last()) {
            self.note(row);
        }
        let facts = Facts {
            preset: self.preset.clone(),
            seed: file.seed,
            columns: self.columns.clone(),
            interventions: file.interventions.clone(),
            arena: Arc::clone(&self.arena),
            // They are those of another process.
            threads: 0,
            saved_as: Some(name.to_owned()),
            generation: rows.last().map_or(0, |row| row.generation() + 1),
        };
        let pace = self.pace();
        self.judge(&rows);
        Ok(Seen::Run(Box::new(Found { facts, rows, pace })))
    }

    fn more(&mut self, rows: Vec<Row>) -> Option<Seen> {
        self.note(rows.last()?);
        self.judge(&rows);
        Some(Seen::News(Event::Rows(rows, self.pace())))
    }

    /// Takes down how far the run is.
    fn note(&mut self, row: &Row) {
        let figure = |name| row.get(&self.columns, name).unwrap_or(0.0);
        let look = (figure("seconds"), row.generation() + 1, figure("games"));
        self.looks.push_back(look);
        if self.looks.len() > LOOKS {
            self.looks.pop_front();
        }
    }

    fn pace(&self) -> Pace {
        let (Some(first), Some(last)) = (self.looks.front(), self.looks.back()) else {
            return Pace::default();
        };
        let passed = last.0 - first.0;
        let rate = |amount: f64| if passed > 0.0 { amount / passed } else { 0.0 };
        Pace {
            generations_per_second: rate(last.1.saturating_sub(first.1) as f64),
            games_per_second: rate(last.2 - first.2),
            measuring: 0.0,
            seconds: last.0,
        }
    }

    /// Settings turned since the last look.
    fn turned(&mut self, file: &RunFile) -> Vec<Seen> {
        let new = file.interventions[self.file.interventions.len()..].to_vec();
        self.file = file.clone();
        for turned in &new {
            // What the run has accepted fits the preset.
            let _ = self.preset.change(&turned.key, &turned.to);
        }
        new.into_iter()
            .map(|turned| Seen::News(Event::Turned(turned)))
            .collect()
    }

    /// The latest champion that is kept, where it is a new one; it comes with a checkpoint.
    fn champion(&mut self, saves: &Saves, name: &str) -> Vec<Seen> {
        let kept = saves.champions(name).unwrap_or_default();
        let latest = kept.last().copied();
        if latest == self.champion {
            return Vec::new();
        }
        // A champion that can't be read now is looked for again the next time.
        let Some(Ok(champion)) = latest.map(|latest| saves.champion(name, latest)) else {
            return Vec::new();
        };
        let before = kept.iter().rev().nth(1);
        let before = before.and_then(|&before| saves.champion(name, before).ok());
        self.champion = latest;
        let generation = champion.generation + 1;
        let snapshot = self.snapshot(champion, before.as_ref());
        vec![
            Seen::News(Event::Saved { generation }),
            Seen::News(Event::Snapshot(Box::new(snapshot))),
        ]
    }

    fn snapshot(&self, champion: Champion, before: Option<&Champion>) -> Snapshot {
        let topology = champion.genome.topology();
        let games = vec![self.game(&champion, before)];
        Snapshot {
            layers: topology.layers,
            edges: topology.edges,
            fitness: Vec::new(),
            lengths: Lengths::default(),
            games,
            champion,
        }
    }

    /// A game of a champion against the one kept before it, or the random player.
    fn game(&self, champion: &Champion, before: Option<&Champion>) -> Record {
        let grow = |champion: &Champion| {
            let ports = self.arena.ports();
            self.preset.genome.grow(&champion.genome, ports)
        };
        let (own, other) = (grow(champion), before.map(grow));
        let guest = match &other {
            Some(brain) => Guest::Brain(brain.as_ref()),
            None => Guest::Reference(Reference::Random),
        };
        let name = before.map_or_else(
            || Reference::Random.name(self.arena.judges()),
            |before| format!("g{}", before.generation),
        );
        let names = [format!("g{}", champion.generation), name];
        let guests = [Guest::Brain(own.as_ref()), guest];
        self.arena
            .record(guests, names, self.file.seed, champion.generation, 0)
    }

    /// Takes down whether the run has come to its end.
    fn judge(&mut self, rows: &[Row]) {
        let Some(last) = rows.last() else { return };
        let target = self.preset.target();
        let met = target.is_some_and(|target| target.is_met(&self.columns, last));
        let is_done = met || last.generation() + 1 >= self.preset.generations;
        self.end = match (is_done, self.end) {
            (false, _) => End::Ahead,
            (true, End::Told) => End::Told,
            (true, _) => End::Reached,
        };
    }

    fn done(&mut self) -> Option<Seen> {
        let is_new = self.end == End::Reached;
        is_new.then(|| {
            self.end = End::Told;
            Seen::News(Event::Phase(Phase::Done))
        })
    }
}

/// How near the run is to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    Ahead,
    Reached,
    Told,
}
