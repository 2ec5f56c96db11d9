//! Recorded games of saved runs, and game files. A damaged file is rejected with its name and the
//! position of the damage, and left unchanged.

use std::cmp::Reverse;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use finches_engine::games::GameConfig;
use finches_engine::games::transcript::{FileGame, GameFile, list_by_rules};
use finches_engine::play::Arena;
use finches_engine::play::record::GameRecord;

use super::StorageError;
use super::experiments::{known_text, write_text};
use super::files;
use super::saves::{Saves, numbered_generations};

impl Saves {
    /// The generations with saved games, in ascending order.
    pub fn games(&self, name: &str) -> Result<Vec<u64>, StorageError> {
        Ok(numbered_generations(&self.folder(name)?.join("games")))
    }

    /// The saved games of a generation, read by the run's arena.
    pub fn games_of_generation(
        &self,
        name: &str,
        generation: u64,
        arena: &dyn Arena,
    ) -> Result<Vec<GameRecord>, StorageError> {
        const LEFT: &str = "the file was not changed";
        let path = self
            .folder(name)?
            .join("games")
            .join(format!("{generation}.txt"));
        let text = files::read_text(&path)?;
        let games = arena.read_records(&text);
        games.map_err(|error| StorageError::unusable(&path, error.to_string(), LEFT))
    }

    /// The folder for exports of a run.
    pub fn exports_folder(&self, name: &str) -> Result<PathBuf, StorageError> {
        Ok(self.folder(name)?.join("exports"))
    }
}

/// The largest file of games that is read, in bytes.
const MAX_BYTES: u64 = 256 << 20;

/// Opens a file of games, which another program may have written. Players of a WTHOR file have the
/// names of a `.JOU` file beside it.
pub fn open(path: &Path) -> Result<GameFile, StorageError> {
    let found = fs::metadata(path).map_err(StorageError::io(path))?;
    let refuse = |what: &str, advice| Err(StorageError::unusable(path, what, advice));
    if found.is_dir() {
        return refuse("is a folder", "name a file of games in it");
    }
    if !found.is_file() {
        return refuse("is no ordinary file", "name a file of games");
    }
    if found.len() > MAX_BYTES {
        return refuse("is larger than 256 MB", "split it into smaller files");
    }
    let players = match names_beside(path) {
        Some(names) => files::read(&names, MAX_BYTES)?,
        None => Vec::new(),
    };
    let bytes = files::read(path, MAX_BYTES)?;
    Ok(GameFile::with_players(&bytes, &players))
}

/// The file with the names of the players of a WTHOR file, in the same folder.
fn names_beside(path: &Path) -> Option<PathBuf> {
    let ends = |path: &Path, ending| {
        path.extension()
            .is_some_and(|own| own.eq_ignore_ascii_case(ending))
    };
    let games = Some(path).filter(|path| ends(path, "wtb"))?;
    let files = fs::read_dir(files::folder_of(games))
        .ok()?
        .filter_map(Result::ok);
    files
        .map(|file| file.path())
        .find(|file| ends(file, "jou") && file.is_file())
}

/// The text of a file that [`append`] has written; `None` if there is none.
pub fn written(path: &Path) -> Result<Option<String>, StorageError> {
    path.exists().then(|| files::read_text(path)).transpose()
}

/// Appends to a file that the user has named, or creates it.
pub fn append(path: &Path, text: &str) -> Result<(), StorageError> {
    let opened = fs::OpenOptions::new().append(true).create(true).open(path);
    let written = opened.and_then(|mut file| file.write_all(text.as_bytes()));
    written.map_err(StorageError::io(path))
}

/// The file with the user's own games, by the name of the game.
pub fn own_games(saves: &Saves, game: &str) -> PathBuf {
    let file = game.replace('_', "-") + ".txt";
    saves.root().join("games").join(file)
}

/// The games of which the user has games of their own, with their files; the latest first.
pub fn all_own_games(saves: &Saves) -> Vec<(GameConfig, PathBuf)> {
    let games = GameConfig::all().into_iter();
    let files = games.filter_map(|game| {
        let path = own_games(saves, game.name());
        let changed = fs::metadata(&path).and_then(|file| file.modified()).ok()?;
        Some((changed, (game, path)))
    });
    let mut files: Vec<_> = files.collect();
    files.sort_by_key(|(changed, _)| Reverse(*changed));
    files.into_iter().map(|(_, file)| file).collect()
}

/// The game whose rules fit a file best, and the games in the file by these rules; `None` if none
/// can be read.
pub fn recognized(file: &GameFile) -> Option<(GameConfig, Vec<FileGame>)> {
    let read = GameConfig::all().into_iter().map(|game| {
        let games = list_by_rules(&game, file);
        let fit = |game: &FileGame| game.moves + usize::from(game.problem.is_none());
        (games.iter().map(fit).sum::<usize>(), game, games)
    });
    let (fit, game, games) = read.max_by_key(|(fit, ..)| *fit)?;
    (fit > 0).then_some((game, games))
}

/// Adds a transcript that begins with its event to the user's own games, and returns their file.
/// Beyond the most that are kept, the oldest games go.
pub fn keep(saves: &Saves, game: &str, transcript: &str) -> Result<PathBuf, StorageError> {
    const MOST: usize = 500;
    let path = own_games(saves, game);
    let text = known_text(&path)?;
    let games: Vec<usize> = text.match_indices("[Event ").map(|(at, _)| at).collect();
    let from = match (games.len() + 1).saturating_sub(MOST) {
        0 => 0,
        gone => games.get(gone).copied().unwrap_or(text.len()),
    };
    write_text(&path, &format!("{}{transcript}\n", &text[from..]))?;
    Ok(path)
}

/// The path that a person has typed or pasted: in quotes, with spaces escaped as a shell has them,
/// as an address `file://`, or from the home folder, `~`.
pub fn typed_path(text: &str) -> PathBuf {
    let text = text.trim();
    if Path::new(text).exists() {
        return text.into();
    }
    let mut signs = ['\'', '"'].into_iter();
    let quoted = signs.find_map(|sign| text.strip_prefix(sign)?.strip_suffix(sign));
    let plain = quoted.map_or_else(|| unescaped(text), str::to_owned);
    let plain = match plain.strip_prefix("file://") {
        Some(address) => decoded(address.strip_prefix("localhost").unwrap_or(address)),
        None => plain,
    };
    match (plain.strip_prefix('~'), etcetera::home_dir()) {
        (Some(""), Ok(home)) => home,
        (Some(rest), Ok(home)) if rest.starts_with('/') => home.join(&rest[1..]),
        _ => plain.into(),
    }
}

/// A text without the backslashes that a shell takes away.
fn unescaped(text: &str) -> String {
    let mut signs = text.chars();
    let mut plain = String::new();
    while let Some(sign) = signs.next() {
        let escaped = Some(sign).filter(|sign| cfg!(unix) && *sign == '\\');
        plain.extend(escaped.and_then(|_| signs.next()).or(Some(sign)));
    }
    plain
}

/// An address without its percent encoding (RFC 3986, section 2.1).
fn decoded(address: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = address.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        let digits = after.get(..2).filter(|_| byte == b'%');
        let digits = digits.and_then(|digits| std::str::from_utf8(digits).ok());
        let encoded = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok());
        bytes.push(encoded.unwrap_or(byte));
        rest = if encoded.is_some() {
            &after[2..]
        } else {
            after
        };
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_read_as_they_are_typed_and_pasted() {
        let check = |text: &str, expected: &str| {
            assert_eq!(typed_path(text), Path::new(expected), "{text}");
        };
        check(" games.pdn ", "games.pdn");
        check("'a b.pdn'", "a b.pdn");
        check("\"a b.pdn\"", "a b.pdn");
        check("a b.pdn", "a b.pdn");
        check("file:///a%20b/%c3%BC%zz.pdn", "/a b/ü%zz.pdn");
        #[cfg(unix)]
        check("a\\ b.pdn", "a b.pdn");
        let home = etcetera::home_dir().expect("there is a home");
        assert_eq!(typed_path("~/x.pdn"), home.join("x.pdn"));
        assert_eq!(typed_path("~"), home);
        check("~x", "~x");
    }

    #[test]
    fn players_of_a_database_have_the_names_of_the_file_beside_it() {
        let folder = tempfile::tempdir().expect("there is a folder for temporary files");
        let path = folder.path().join("games_2026.wtb");
        let mut bytes = vec![0; 16 + 68];
        bytes[..4].copy_from_slice(&[20, 26, 1, 31]);
        bytes[18] = 1;
        bytes[24] = 56;
        fs::write(&path, &bytes).expect("it is written");
        let reversi = GameConfig::named("reversi").expect("the game is known");
        let black = || {
            let file = open(&path).expect("it is read");
            list_by_rules(&reversi, &file)[0].names[0].clone()
        };
        assert_eq!(black(), "player 1");
        let mut names = vec![0; 16 + 2 * 20];
        names[36..42].copy_from_slice(b"M\xfcller");
        fs::write(folder.path().join("WTHOR.JOU"), &names).expect("it is written");
        assert_eq!(black(), "Müller");
    }

    #[test]
    fn what_is_no_file_of_games_is_refused_with_advice() {
        let folder = tempfile::tempdir().expect("there is a folder for temporary files");
        let check = |path: &Path, expected: &str| {
            let error = open(path).err().expect("it is refused").to_string();
            assert!(error.contains(expected), "{error}");
        };
        check(folder.path(), "is a folder; name a file of games in it");
        check(&folder.path().join("none"), "none: ");
        #[cfg(unix)]
        check(Path::new("/dev/zero"), "is no ordinary file; name a file");
    }

    #[test]
    fn the_latest_five_hundred_games_of_the_user_are_kept() {
        let folder = tempfile::tempdir().expect("there is a folder for temporary files");
        let saves = Saves::at(folder.path().to_owned());
        let path = folder.path().join("games").join("bounded-nim.txt");
        let game = |number: usize| format!("[Event \"game {number}\"]\n\n1. 1:1\n");
        for number in 0..502 {
            let kept = keep(&saves, "bounded_nim", &game(number));
            assert_eq!(kept.expect("the folder is writable"), path);
        }
        let text = fs::read_to_string(&path).expect("it was written");
        let all: String = (2..502).map(|number| game(number) + "\n").collect();
        assert_eq!(text, all);
    }
}
