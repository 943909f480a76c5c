//! Files are written whole, by one writer at a time.

use impinge_io::{FileLock, check_writable, is_same_file, write_file, write_file_with};
use std::fs;
use std::io;
use std::path::PathBuf;
use std::time::Duration;

/// A new folder, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("impinge-io-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(&self.0)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn a_file_is_replaced_and_nothing_else_is_left() {
    let folder = Folder::new("replaced");
    let path = folder.0.join("report.json");
    write_file(&path, b"one").unwrap();
    write_file(&path, b"two, longer").unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"two, longer");
    assert_eq!(folder.names(), ["report.json"]);
    // A folder in the way: the error names the file, and no temporary file stays.
    let taken = folder.0.join("taken");
    fs::create_dir(&taken).unwrap();
    fs::write(taken.join("inside"), "kept").unwrap();
    let error = write_file(&taken, b"x").unwrap_err();
    assert!(error.file().ends_with("taken"), "{error}");
    assert_eq!(folder.names(), ["report.json", "taken"]);
    assert!(check_writable(&taken).is_err() && check_writable(&path).is_ok());
    assert!(check_writable(folder.0.join("none/report.json")).is_err());
    assert!(check_writable("report.json").is_ok());
}

#[cfg(unix)]
#[test]
fn modes_and_links_are_kept_and_devices_written_to() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = Folder::new("links");
    let (real, link) = (folder.0.join("real.json"), folder.0.join("link.json"));
    fs::write(&real, "old").unwrap();
    fs::set_permissions(&real, fs::Permissions::from_mode(0o600)).unwrap();
    symlink("real.json", &link).unwrap();
    write_file(&link, b"new").unwrap();
    assert_eq!(fs::read(&real).unwrap(), b"new");
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(fs::metadata(&real).unwrap().permissions().mode() & 0o777, 0o600);
    assert!(is_same_file(&link, &real));
    // A link to a file that is not there yet, and one that leads to itself.
    let (early, round) = (folder.0.join("early.json"), folder.0.join("round.json"));
    symlink("later.json", &early).unwrap();
    write_file(&early, b"later").unwrap();
    assert_eq!(fs::read(folder.0.join("later.json")).unwrap(), b"later");
    symlink("round.json", &round).unwrap();
    assert!(write_file(&round, b"x").is_err());
    write_file("/dev/null", b"x").unwrap();
    assert!(!fs::metadata("/dev/null").unwrap().is_file());
}

/// What fails in the middle leaves the old file and nothing else; nobody who may not read the old file sees a piece of the new one; the owner stays.
#[cfg(unix)]
#[test]
fn pieces_are_as_safe_as_the_whole() {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
    let folder = Folder::new("pieces");
    let path = folder.0.join("report.json");
    fs::write(&path, "old").unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
    // Only an administrator may give a file away.
    let other = chown(&path, Some(12_345), Some(12_345)).is_ok();
    let error = write_file_with(&path, |file| {
        file.write_all(&[b'x'; 100_000])?;
        Err(io::Error::other("no more pieces"))
    });
    assert!(error.unwrap_err().to_string().contains("no more pieces"));
    assert_eq!(fs::read(&path).unwrap(), b"old");
    assert_eq!(folder.names(), ["report.json"]);
    write_file_with(&path, |file| {
        let names = folder.names();
        assert_eq!(names.len(), 2, "{names:?}");
        for name in names {
            let found = fs::metadata(folder.0.join(&name)).unwrap();
            assert_eq!(found.permissions().mode() & 0o777, 0o600, "{name}");
        }
        (0..1000).try_for_each(|k| writeln!(file, "{k}"))
    })
    .unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap().lines().count(), 1000);
    let found = fs::metadata(&path).unwrap();
    assert_eq!(found.permissions().mode() & 0o777, 0o600);
    if other {
        assert_eq!((found.uid(), found.gid()), (12_345, 12_345));
    }
}

#[cfg(unix)]
#[test]
fn readers_never_see_a_part_of_a_file() {
    let folder = Folder::new("whole");
    let path = folder.0.join("big");
    let versions = [vec![b'a'; 300_000], vec![b'b'; 500_000]];
    write_file(&path, &versions[0]).unwrap();
    std::thread::scope(|scope| {
        let writers = [0, 1].map(|k| {
            let (path, bytes) = (&path, &versions[k]);
            scope.spawn(move || (0..40).for_each(|_| write_file(path, bytes).unwrap()))
        });
        while writers.iter().any(|writer| !writer.is_finished()) {
            let seen = fs::read(&path).unwrap();
            assert!(versions.contains(&seen), "{} bytes", seen.len());
        }
    });
    assert_eq!(folder.names(), ["big"]);
}

#[test]
fn one_writer_at_a_time() {
    let folder = Folder::new("lock");
    let path = folder.0.join("count");
    fs::write(&path, "0").unwrap();
    let add = || {
        let lock = FileLock::acquire(&path, Duration::from_secs(60)).unwrap();
        let count: u32 = fs::read_to_string(&path).unwrap().parse().unwrap();
        std::thread::yield_now();
        write_file(&path, (count + 1).to_string().as_bytes()).unwrap();
        drop(lock);
    };
    std::thread::scope(|scope| {
        (0..4).for_each(|_| {
            scope.spawn(|| (0..25).for_each(|_| add()));
        });
    });
    assert_eq!(fs::read_to_string(&path).unwrap(), "100");
    assert_eq!(folder.names(), ["count"], "no lock stays behind");

    let held = FileLock::acquire(&path, Duration::ZERO).unwrap();
    let error = FileLock::acquire(&path, Duration::from_millis(50)).unwrap_err().to_string();
    assert!(error.contains("count: another program has held"), "{error}");
    drop(held);
    FileLock::acquire(&path, Duration::ZERO).unwrap();
}
