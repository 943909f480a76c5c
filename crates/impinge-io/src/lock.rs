//! One writer at a time for a file that several programs change.

use crate::error::{Error, ErrorKind, Place};
use crate::output::folder_of;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Between two attempts.
const PAUSE: Duration = Duration::from_millis(20);

/// Holds other writers of a file off until it is dropped. Readers need none: [`write_file`](crate::write_file) shows them whole files.
///
/// The lock is the operating system's, on a file `.NAME.lock` beside the one that it is for: it ends with the process, also one that is killed. The
/// lock file is removed with the lock.
///
/// ```no_run
/// use std::time::Duration;
/// let lock = impinge_io::FileLock::acquire("decisions.json", Duration::from_secs(10))?;
/// // Read, change, write.
/// drop(lock);
/// # Ok::<(), impinge_io::Error>(())
/// ```
#[derive(Debug)]
pub struct FileLock {
    file: File,
    path: PathBuf,
}

impl FileLock {
    /// Waits for the lock, and gives up with an error after `wait`.
    pub fn acquire(target: impl AsRef<Path>, wait: Duration) -> Result<Self, Error> {
        let target = target.as_ref();
        let path = lock_path(target);
        let end = Instant::now() + wait;
        loop {
            let attempt = Self::attempt(&path);
            let fault = |error| Error::io("lock", error).in_file(&path.display().to_string());
            if let Some(lock) = attempt.map_err(fault)? {
                return Ok(lock);
            }
            if Instant::now() >= end {
                let message = format!(
                    "another program has held {} for {} s: wait for it to finish",
                    path.display(),
                    wait.as_secs()
                );
                let error = Error::new(ErrorKind::Io, Place::File, message);
                return Err(error.in_file(&target.display().to_string()));
            }
            std::thread::sleep(PAUSE);
        }
    }

    fn attempt(path: &Path) -> io::Result<Option<Self>> {
        // A pipe of this name would block, and a link would lead elsewhere.
        if fs::symlink_metadata(path).is_ok_and(|found| !found.is_file()) {
            return Err(io::Error::other("this is not a file: remove it"));
        }
        let file = OpenOptions::new().write(true).create(true).truncate(false).open(path)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Ok(None),
            Err(TryLockError::Error(error)) => return Err(error),
        }
        // Whoever had the lock before may have removed the file: then this lock is on nothing that others can see.
        let named = same_file::Handle::from_path(path);
        let held = same_file::Handle::from_file(file.try_clone()?)?;
        match named {
            Ok(named) if named == held => Ok(Some(Self { file, path: path.to_path_buf() })),
            Ok(_) => Ok(None),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }
}

impl Drop for FileLock {
    fn drop(&mut self) {
        // Removed while it is still locked, so that no file of another holder is. Left behind it does no harm.
        let _ = fs::remove_file(&self.path);
        let _ = self.file.unlock();
    }
}

/// Beside the file itself, also where it is reached through a link.
fn lock_path(target: &Path) -> PathBuf {
    let real = fs::canonicalize(target).unwrap_or_else(|_| target.to_path_buf());
    let name =
        real.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    folder_of(&real).join(format!(".{name}.lock"))
}
