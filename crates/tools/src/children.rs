//! Processes that run on behalf of a call, and that none of them outlives it.
//!
//! Every command has a keeper: a small process between the daemon and the command, started from the daemon's own program.
//! It adopts whatever the command starts, ends all of it when the command is over, when it is told to, and when the
//! daemon is gone, however the daemon went. Where a keeper is itself killed, its orphans land with the daemon, which
//! ends them. What was left behind when both went is found by the next start.
//!
//! Start with `keeper` (what runs in the process between), then `kept` (the daemon's side of it).

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use sha2::{Digest as _, Sha256};

mod keeper;
pub(crate) mod kept;
mod leftovers;
mod order;
mod strangers;
mod tree;

pub use keeper::keep_if_asked;
pub(crate) use order::{Order, Report};

/// How long processes have between being asked to end and being killed.
pub(crate) const TERM_GRACE: Duration = Duration::from_secs(2);
/// How long killed processes have to be gone, before they are told to be still there.
pub(crate) const KILL_GRACE: Duration = Duration::from_millis(600);
/// How often strangers are looked for that would not go at once.
const PURSUE_EVERY: Duration = Duration::from_secs(1);
/// How long one such look may kill, round after round. No keeper is started meanwhile.
const PURSUE_FOR: Duration = Duration::from_millis(50);

/// How the daemon's own program is started as a keeper.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Launcher {
    /// The program: one whose `main` begins with [`keep_if_asked`].
    pub program: PathBuf,
}

impl Launcher {
    /// The running program. On Linux it is this very build even when its file was replaced meanwhile.
    ///
    /// # Errors
    /// When the system does not say where the program lies.
    pub fn this_program() -> std::io::Result<Self> {
        let program = if cfg!(target_os = "linux") {
            PathBuf::from("/proc/self/exe")
        } else {
            std::env::current_exe()?
        };
        Ok(Self { program })
    }
}

/// The children of this process. Clones share everything.
#[derive(Debug, Clone)]
pub(crate) struct Children {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    launcher: Option<Launcher>,
    /// What the names of private folders of this daemon's calls begin with; every process of a call has it in its
    /// environment.
    mark: String,
    /// Process ids of keepers. Held while one is started, so that none is taken for a stranger.
    keepers: Mutex<BTreeSet<i32>>,
    /// Whether this process adopts the orphans of its keepers.
    adopts: AtomicBool,
    /// Whether strangers that would not go at once are still being ended.
    pursues: AtomicBool,
}

impl Children {
    /// The children of the daemon with this data folder. Without a launcher, commands are started without a keeper.
    pub(crate) fn new(launcher: Option<Launcher>, data_dir: &Path) -> Self {
        let digest = Sha256::digest(data_dir.as_os_str().as_encoded_bytes());
        let mark = format!("artoo-call-{}-", &hex::encode(digest)[..12]);
        let shared = Shared {
            launcher,
            mark,
            keepers: Mutex::default(),
            adopts: AtomicBool::new(false),
            pursues: AtomicBool::new(false),
        };
        Self { shared: Arc::new(shared) }
    }

    /// What the name of a call's private folder begins with.
    pub(crate) fn mark(&self) -> &str {
        &self.shared.mark
    }

    /// How a keeper is started, if there is one.
    pub(crate) fn launcher(&self) -> Option<&Launcher> {
        self.shared.launcher.as_ref()
    }

    /// Makes this process the parent of what its keepers lose, where the system can do that.
    pub(crate) fn adopt_orphans(&self) {
        let adopts = self.shared.launcher.is_some() && tree::adopt_orphans();
        self.shared.adopts.store(adopts, Ordering::Release);
    }

    /// Ends what an earlier run left behind; returns how many processes that were.
    pub(crate) fn end_leftovers(&self) -> usize {
        let ended = leftovers::end(&self.shared.mark);
        leftovers::remove_folders(&self.shared.mark);
        ended
    }

    /// How it is made sure that nothing outlives its call, in a few words.
    pub(crate) fn means(&self) -> String {
        match (&self.shared.launcher, tree::ADOPTION) {
            (None, _) => "process group".to_owned(),
            (Some(_), true) => "subreaper + process group".to_owned(),
            (Some(_), false) => {
                "process group + ancestry (what detaches itself can outlive its call)".to_owned()
            }
        }
    }

    fn keepers(&self) -> MutexGuard<'_, BTreeSet<i32>> {
        self.shared.keepers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends what lost its keeper: what this process has adopted, else what can be recognised by the mark of the call.
    /// Returns what would not go at once; that is pursued until it is gone.
    async fn end_orphans(&self, call_mark: &str) -> Vec<String> {
        if !self.shared.adopts.load(Ordering::Acquire) {
            let mark = call_mark.to_owned();
            // What it found is no longer there, or was logged.
            drop(tokio::task::spawn_blocking(move || leftovers::end(&mark)).await);
            return Vec::new();
        }
        let left = self.end_strangers(KILL_GRACE).await;
        if !left.is_empty() && !self.shared.pursues.swap(true, Ordering::AcqRel) {
            let children = self.clone();
            tokio::spawn(async move {
                while !children.end_strangers(PURSUE_FOR).await.is_empty() {
                    tokio::time::sleep(PURSUE_EVERY).await;
                }
                children.shared.pursues.store(false, Ordering::Release);
            });
        }
        left
    }

    async fn end_strangers(&self, limit: Duration) -> Vec<String> {
        let children = self.clone();
        let ended = tokio::task::spawn_blocking(move || strangers::end(&children.keepers(), limit)).await;
        ended.unwrap_or_else(|error| vec![format!("children that could not be looked at: {error}")])
    }
}

#[cfg(test)]
mod tests;
