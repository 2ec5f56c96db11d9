//! Single files. Only ordinary files of a bounded size are read. A file is replaced completely or
//! not at all, and what a run needs is on the disk before the program continues. In a run's folder,
//! which another person may have made, nothing is written through a link or to a device.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use super::StorageError;

/// The largest file that is read as a whole, in bytes.
pub(super) const MAX_BYTES: u64 = 4 << 30;

/// Part of the name of a file that is being written.
const UNFINISHED: &str = ".unfinished-";

/// Whether a file must have reached the disk before the program continues.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Durability {
    /// The file belongs to a run.
    Synced,
    /// The file can be made again.
    Lazy,
}

/// Opens an ordinary file for reading. A pipe, which would block, or a device, which might have no
/// end, is refused.
pub(super) fn open(path: &Path) -> Result<File, StorageError> {
    let kind = fs::metadata(path).map_err(StorageError::io(path))?;
    if !kind.is_file() {
        return Err(not_ordinary(path));
    }
    File::open(path).map_err(StorageError::io(path))
}

/// Reads an ordinary file of at most `most` bytes.
pub(super) fn read(path: &Path, most: u64) -> Result<Vec<u8>, StorageError> {
    let mut bytes = Vec::new();
    let mut file = open(path)?.take(most + 1);
    file.read_to_end(&mut bytes)
        .map_err(StorageError::io(path))?;
    if bytes.len() as u64 > most {
        return Err(StorageError::unusable(
            path,
            format!("is larger than {most} bytes"),
            "no file of finches is; the file was not changed",
        ));
    }
    Ok(bytes)
}

/// Reads an ordinary text file.
pub(super) fn read_text(path: &Path) -> Result<String, StorageError> {
    String::from_utf8(read(path, MAX_BYTES)?)
        .map_err(|_| StorageError::unusable(path, "is not a text file", "the file was not changed"))
}

/// Opens a file of a run for writing, and creates it if it is missing.
pub(super) fn open_own(path: &Path, options: &mut OpenOptions) -> Result<File, StorageError> {
    check_own(path)?;
    let opened = options.create(true).open(path);
    opened.map_err(StorageError::io(path))
}

/// Creates a folder of a run if it is missing.
pub(super) fn create_own_folder(path: &Path) -> Result<(), StorageError> {
    check_own_folder(path)?;
    ensure_folder(path)
}

/// Creates a folder and those above it, where they are missing.
pub(super) fn ensure_folder(path: &Path) -> Result<(), StorageError> {
    fs::create_dir_all(path).map_err(StorageError::io(path))
}

/// Refuses a folder of a run that is a link or a file. It may be missing.
pub(super) fn check_own_folder(path: &Path) -> Result<(), StorageError> {
    let found = fs::symlink_metadata(path);
    if found.is_ok_and(|found| !found.is_dir()) {
        return Err(StorageError::unusable(
            path,
            "is not a folder",
            "finches writes nothing there; remove it to continue the run",
        ));
    }
    Ok(())
}

/// Refuses a file of a run that is a link, a folder, a pipe or a device. It may be missing.
pub(super) fn check_own(path: &Path) -> Result<(), StorageError> {
    let found = fs::symlink_metadata(path);
    if found.is_ok_and(|found| !found.is_file()) {
        return Err(not_ordinary(path));
    }
    Ok(())
}

fn not_ordinary(path: &Path) -> StorageError {
    StorageError::unusable(
        path,
        "is not an ordinary file",
        "finches follows no link and opens no pipe or device there; remove it",
    )
}

/// Replaces a file of a run so that it is never seen half written, whatever happens to the process
/// or to the power.
pub(super) fn replace(
    path: &Path,
    content: &[u8],
    durability: Durability,
) -> Result<(), StorageError> {
    check_own(path)?;
    let folder = folder_of(path);
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let write = || {
        let mut file = unfinished(folder, &name)?;
        file.write_all(content)?;
        if durability == Durability::Synced {
            file.as_file().sync_all()?;
        }
        file.persist(path).map_err(|error| error.error)?;
        if durability == Durability::Synced {
            sync_folder(folder)?;
        }
        Ok(())
    };
    write().map_err(StorageError::io(path))
}

/// Writes a file that the user has named. A link is followed; a pipe or a device is written to, not
/// replaced.
pub(super) fn write_named(path: &Path, content: &[u8]) -> Result<(), StorageError> {
    match fs::metadata(path) {
        Ok(found) if !found.is_file() => {
            let write = || {
                OpenOptions::new()
                    .write(true)
                    .open(path)?
                    .write_all(content)
            };
            write().map_err(StorageError::io(path))
        }
        Ok(_) => {
            let target = fs::canonicalize(path).map_err(StorageError::io(path))?;
            replace(&target, content, Durability::Lazy)
        }
        Err(_) => replace(path, content, Durability::Lazy),
    }
}

/// Creates a file that will become `name` in the folder. It is locked as long as it is open, and
/// has the permissions of any other new file.
pub(super) fn unfinished(folder: &Path, name: &str) -> io::Result<NamedTempFile> {
    let prefix = format!(".{name}{UNFINISHED}");
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    let file = builder.prefix(&prefix).tempfile_in(folder)?;
    // Where files can't be locked, another process may remove it, which is told as a failure to
    // save.
    let _ = file.as_file().try_lock();
    Ok(file)
}

/// Makes the names in a folder durable, where the system allows it.
pub(super) fn sync_folder(folder: &Path) -> io::Result<()> {
    if cfg!(unix) {
        File::open(folder)?.sync_all()?;
    }
    Ok(())
}

/// Removes what processes that have ended left half written in a folder: files whose names, without
/// the dot, are wanted.
pub(super) fn remove_unfinished(folder: &Path, is_wanted: impl Fn(&str) -> bool) {
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    for entry in entries.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let name = name.strip_prefix('.').unwrap_or_default();
        let is_unfinished = name.contains(UNFINISHED) && is_wanted(name);
        if is_unfinished && open(&entry.path()).is_ok_and(|file| file.try_lock().is_ok()) {
            // A file that can't be removed only takes up space.
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// The folder of a file; the current one if the path is a bare name.
pub(super) fn folder_of(path: &Path) -> &Path {
    let parent = path.parent();
    parent
        .filter(|folder| !folder.as_os_str().is_empty())
        .unwrap_or(Path::new("."))
}

/// Creates a folder with all that `fill` writes to it, or not at all. Returns false if there is
/// something of that name, which may be what another process has just created; it is kept.
pub(super) fn create_folder(
    folder: &Path,
    fill: impl FnOnce(&Path) -> Result<(), StorageError>,
) -> Result<bool, StorageError> {
    let parent = folder_of(folder);
    ensure_folder(parent)?;
    let temporary = tempfile::tempdir_in(parent).map_err(StorageError::io(parent))?;
    let whole = temporary.path().join("whole");
    fill(&whole)?;
    match fs::rename(&whole, folder) {
        Err(_) if folder.exists() => Ok(false),
        result => result.map(|()| true).map_err(StorageError::io(folder)),
    }
}

/// `name` in the folder, or with the lowest number behind it that is free.
pub(super) fn free_path(folder: &Path, stem: &str, ending: &str) -> PathBuf {
    let path = |number: u32| folder.join(format!("{stem}-{number}.{ending}"));
    let number = (1..u32::MAX).find(|&number| !path(number).exists());
    path(number.unwrap_or(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder() -> tempfile::TempDir {
        tempfile::tempdir().expect("there is a folder for temporary files")
    }

    #[test]
    fn a_large_file_is_refused_before_it_is_read() {
        let folder = folder();
        let path = folder.path().join("large");
        fs::write(&path, "12345").expect("the folder is writable");
        assert_eq!(read(&path, 5).expect("it is small enough"), b"12345");
        let error = read(&path, 4).expect_err("it is too large").to_string();
        assert!(error.contains("larger than 4 bytes"), "{error}");
    }

    #[test]
    #[cfg(unix)]
    fn links_pipes_and_devices_are_refused() {
        let folder = folder();
        let path = |name: &str| folder.path().join(name);
        fs::write(path("target"), "kept").expect("the folder is writable");
        std::os::unix::fs::symlink("target", path("link")).expect("links can be made");
        std::os::unix::fs::symlink("/dev/zero", path("endless")).expect("links can be made");
        std::os::unix::fs::symlink(".", path("folder")).expect("links can be made");
        assert!(replace(&path("link"), b"x", Durability::Lazy).is_err());
        assert!(open_own(&path("link"), OpenOptions::new().write(true)).is_err());
        assert!(create_own_folder(&path("folder")).is_err());
        assert!(read(&path("endless"), 10).is_err());
        assert_eq!(
            read(&path("target"), 10).expect("it is there"),
            b"kept",
            "nothing was written through the link"
        );
        write_named(&path("link"), b"new").expect("the user has named it");
        assert_eq!(read(&path("target"), 10).expect("it is there"), b"new");
        assert!(path("link").is_symlink());
        write_named(Path::new("/dev/null"), b"x").expect("it takes anything");
        assert!(!Path::new("/dev/null").is_file());
    }

    #[test]
    fn what_was_left_half_written_is_removed() {
        let folder = folder();
        let path = |name: &str| folder.path().join(name);
        replace(&path("run.ron"), b"x", Durability::Synced).expect("the folder is writable");
        fs::write(path(".run.ron.unfinished-a1"), "half").expect("the folder is writable");
        fs::write(path(".notes"), "mine").expect("the folder is writable");
        let open = unfinished(folder.path(), "run.ron").expect("the folder is writable");
        remove_unfinished(folder.path(), |name| name.starts_with("run."));
        assert!(open.path().exists(), "a process is writing it");
        drop(open);
        let names = fs::read_dir(folder.path()).expect("it is there").flatten();
        let mut names: Vec<_> = names.map(|entry| entry.file_name()).collect();
        names.sort();
        assert_eq!(names, [".notes", "run.ron"]);
    }

    #[test]
    #[cfg(unix)]
    fn others_may_read_what_the_user_lets_them_read() {
        use std::os::unix::fs::PermissionsExt;
        let folder = folder();
        let mode = |name: &str| {
            let found = fs::metadata(folder.path().join(name)).expect("it is there");
            found.permissions().mode()
        };
        fs::write(folder.path().join("usual"), "").expect("the folder is writable");
        replace(&folder.path().join("ours"), b"", Durability::Lazy).expect("it is writable");
        assert_eq!(mode("ours"), mode("usual"));
    }
}
