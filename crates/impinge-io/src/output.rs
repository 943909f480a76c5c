//! Writes files whole or not at all.
//!
//! The bytes go to a new file with a unique name in the same folder, are flushed to the disk, and the new file is then renamed over the old one. A
//! reader sees the old file or the new one, never half of either; so does a run that is killed, or that meets a full disk.

use crate::error::{Error, ErrorKind, Place};
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

/// Links that name each other are followed this far.
const MOST_LINKS: usize = 32;
/// Names that are tried for the temporary file. Each holds the process, a counter and the time, so that the first one is free in practice.
const MOST_NAMES: usize = 16;

/// Writes a file whole or not at all.
///
/// An existing file keeps its permissions; a symbolic link stays one, and the file that it names is replaced. Devices and pipes, such as
/// `/dev/stdout`, are written to directly.
///
/// ```no_run
/// impinge_io::write_file("report.json", b"{}")?;
/// # Ok::<(), impinge_io::Error>(())
/// ```
pub fn write_file(path: impl AsRef<Path>, bytes: &[u8]) -> Result<(), Error> {
    write_file_with(path, |file| file.write_all(bytes))
}

/// Like [`write_file`], with what is written piece by piece, so that it needs not be in memory as a whole. If a piece fails, the old file stays.
///
/// ```no_run
/// impinge_io::write_file_with("squares.txt", |file| (0..1000).try_for_each(|k| writeln!(file, "{}", k * k)))?;
/// # Ok::<(), impinge_io::Error>(())
/// ```
pub fn write_file_with(
    path: impl AsRef<Path>,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), Error> {
    let path = path.as_ref();
    replace(path, write)
        .map_err(|error| Error::io("write", error).in_file(&path.display().to_string()))
}

/// Checks that a file could be written: its folder exists and it is not a folder itself. Nothing is created.
///
/// ```
/// assert!(impinge_io::check_writable("no such folder/report.json").is_err());
/// ```
pub fn check_writable(path: impl AsRef<Path>) -> Result<(), Error> {
    let path = path.as_ref();
    let refused = |message: String| {
        let error = Error::new(ErrorKind::Io, Place::File, message);
        Err(error.in_file(&path.display().to_string()))
    };
    if path.is_dir() {
        return refused("cannot write: this is a folder".to_string());
    }
    let folder = folder_of(path);
    if !folder.is_dir() {
        return refused(format!("cannot write: there is no folder {}", folder.display()));
    }
    Ok(())
}

/// True if both paths name the same existing file, through links as well.
///
/// ```
/// assert!(!impinge_io::is_same_file("no such file", "no such file"));
/// ```
pub fn is_same_file(a: impl AsRef<Path>, b: impl AsRef<Path>) -> bool {
    same_file::is_same_file(a, b).unwrap_or(false)
}

fn replace(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let target = behind_links(path)?;
    let old = match fs::metadata(&target) {
        Ok(old) => Some(old),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(error),
    };
    if old.as_ref().is_some_and(|old| !old.is_file() && !old.is_dir()) {
        let mut device = BufWriter::new(OpenOptions::new().write(true).open(&target)?);
        write(&mut device)?;
        return device.flush();
    }
    let (file, temporary) = create_beside(&target)?;
    let written = (|| {
        if let Some(old) = old {
            // Before anything is in it, so that nobody reads what the old file kept from them.
            keep_owner(&file, &old);
            file.set_permissions(old.permissions())?;
        }
        let mut buffered = BufWriter::new(file);
        write(&mut buffered)?;
        let file = buffered.into_inner().map_err(io::IntoInnerError::into_error)?;
        file.sync_all()?;
        drop(file);
        fs::rename(&temporary, &target)?;
        flush_folder(&target);
        Ok(())
    })();
    if written.is_err() {
        // The first error says more than one about the temporary file would.
        let _ = fs::remove_file(&temporary);
    }
    written
}

/// Gives a new file the owner and the group of the old one, as far as the system lets this user; else they are those of the user, as for any new file.
#[cfg(unix)]
fn keep_owner(file: &File, old: &fs::Metadata) {
    use std::os::unix::fs::{MetadataExt, fchown};
    let Ok(new) = file.metadata() else { return };
    let kept = |old: u32, new: u32| (old != new).then_some(old);
    // One of them may be allowed without the other.
    let _ = fchown(file, None, kept(old.gid(), new.gid()));
    let _ = fchown(file, kept(old.uid(), new.uid()), None);
}

#[cfg(not(unix))]
fn keep_owner(_file: &File, _old: &fs::Metadata) {}

/// Brings the new name to the disk, where folders can be flushed; without it a power failure may bring the old file back, whole.
fn flush_folder(target: &Path) {
    if cfg!(unix) {
        let _ = File::open(folder_of(target)).and_then(|folder| folder.sync_all());
    }
}

/// The file that a path names once links are followed; it need not exist.
fn behind_links(path: &Path) -> io::Result<PathBuf> {
    let mut target = path.to_path_buf();
    for _ in 0..MOST_LINKS {
        match fs::read_link(&target) {
            Ok(next) => target = folder_of(&target).join(next),
            // Not a link, or not there.
            Err(_) => return Ok(target),
        }
    }
    Err(io::Error::other("too many symbolic links"))
}

/// A new file beside another. It is created exclusively: whatever has its name already, a link included, is left alone.
fn create_beside(target: &Path) -> io::Result<(File, PathBuf)> {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let name =
        target.file_name().ok_or_else(|| io::Error::other("the path does not name a file"))?;
    // A long name with more at its end may be too long.
    let name: String = name.to_string_lossy().chars().take(40).collect();
    let process = std::process::id();
    let mut last = io::Error::from(io::ErrorKind::AlreadyExists);
    for _ in 0..MOST_NAMES {
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let time = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_nanos());
        let path = folder_of(target).join(format!(".{name}.{process}-{count}-{time}.tmp"));
        match OpenOptions::new().write(true).create_new(true).open(&path) {
            Ok(file) => return Ok((file, path)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => last = error,
            Err(error) => return Err(error),
        }
    }
    Err(last)
}

/// The folder that a file is in.
pub(crate) fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    }
}
