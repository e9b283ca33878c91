//! A small disk of a test's own, to be filled and freed. No rights are needed where the system lets users have namespaces:
//! the test runs itself again in one, with a tmpfs mounted in it that nobody else sees.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Set in the copy of the test program that has the namespace.
const INSIDE: &str = "ARTOO_TEST_IN_NAMESPACE";

/// Runs `body` where disks can be mounted. `test` is the whole name of the calling test. Where the system does not allow
/// it, this says so on standard error, past the test harness, and returns.
pub fn with_mounts(test: &str, body: impl FnOnce()) {
    if std::env::var_os(INSIDE).is_some() {
        return body();
    }
    let unshare: &[&str] = if rustix::process::geteuid().is_root() { &["-m"] } else { &["-rm"] };
    if let Err(why) = can_mount(unshare) {
        // Not `eprintln!`, which the harness keeps for itself.
        let _ = writeln!(std::io::stderr(), "skipped {test}: no small disk can be mounted here: {why}");
        return;
    }
    let program = std::env::current_exe().expect("the test program has a path");
    let ended = Command::new("unshare")
        .args(unshare)
        .arg(program)
        .args([test, "--exact", "--nocapture", "--test-threads=1"])
        .env(INSIDE, "1")
        .stdin(Stdio::null())
        .output()
        .expect("it could be run a moment ago");
    let said = String::from_utf8_lossy(&[ended.stdout, ended.stderr].concat()).into_owned();
    assert!(ended.status.success() && said.contains("1 passed"), "in its namespace the test says:\n{said}");
}

fn can_mount(unshare: &[&str]) -> Result<(), String> {
    let probe = "mount -t tmpfs -o size=1m artoo /mnt";
    let ended = Command::new("unshare").args(unshare).args(["sh", "-c", probe]).output();
    let ended = ended.map_err(|error| format!("unshare cannot be run ({error})"))?;
    let said = String::from_utf8_lossy(&ended.stderr).trim().to_owned();
    if ended.status.success() { Ok(()) } else { Err(said) }
}

/// A tmpfs. Dropping it takes it away, with whatever is open on it.
pub struct SmallDisk {
    folder: PathBuf,
}

impl SmallDisk {
    /// Mounts a disk of so many MiB on the folder.
    pub fn mount(folder: &Path, mib: u32) -> Self {
        fs::create_dir_all(folder).expect("the folder can be made");
        let options = format!("size={mib}m,mode=0700");
        let mounted =
            Command::new("mount").args(["-t", "tmpfs", "-o", &options, "artoo"]).arg(folder).status();
        assert!(mounted.is_ok_and(|status| status.success()), "a moment ago a disk could be mounted");
        Self { folder: folder.to_owned() }
    }

    /// Takes all the room but so many bytes.
    pub fn fill_but(&self, left: u64) {
        self.free();
        let stats = rustix::fs::statvfs(&self.folder).expect("the disk is mounted");
        let room = stats.f_bavail * stats.f_frsize;
        let mut filler = File::create(self.filler()).expect("a file can be made");
        let block = vec![0_u8; 64 * 1024];
        let mut rest = room.saturating_sub(left);
        // Others write meanwhile, so that it may be full before the sum is reached.
        while rest > 0 {
            let take = block.len().min(usize::try_from(rest).unwrap_or(block.len()));
            match filler.write(&block[..take]) {
                Ok(0) | Err(_) => return,
                Ok(written) => rest -= written as u64,
            }
        }
    }

    /// Takes all the room there is.
    pub fn fill(&self) {
        self.fill_but(0);
        let mut filler = File::options().append(true).open(self.filler()).expect("the filler is there");
        while filler.write(&[0; 4096]).is_ok_and(|written| written > 0) {}
    }

    /// Gives the room back.
    pub fn free(&self) {
        let _ = fs::remove_file(self.filler());
    }

    fn filler(&self) -> PathBuf {
        self.folder.join("filler")
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(&self.folder).status();
    }
}
