//! Processes that run on behalf of a call, and that none of them outlives it.
//!
//! Every command has a keeper: a small process between the daemon and the command, started from the daemon's own program.
//! It adopts whatever the command starts, ends all of it when the command is over, when it is told to, and when the
//! daemon is gone, however the daemon went. Where a keeper is itself killed, its orphans land with the daemon, which
//! ends them. What was left behind when both went is found by the next start.
//!
//! Start with `keeper` (what runs in the process between), then `kept` (the daemon's side of it).

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant, SystemTime};

use parking_lot::{Mutex, MutexGuard};
use sha2::{Digest as _, Sha256};

use crate::launcher::Launcher;
use cgroup::CgroupPlace;
use supervised::Keeper;

mod cgroup;
mod keeper;
mod leftovers;
mod limits;
mod order;
mod strangers;
pub mod supervised;
mod tree;

pub use keeper::keep_if_asked;
pub use order::{CommandOrder, CommandReport};

/// How long processes have between being asked to end and being killed.
pub(crate) const TERM_GRACE: Duration = Duration::from_secs(2);
/// How long killed processes have to be gone, before they are told to be still there.
pub(crate) const KILL_GRACE: Duration = Duration::from_millis(600);
/// What shells add to the number of a signal that ended a program.
const EXIT_SIGNAL_BASE: i64 = 128;
/// Keepers that wait for the next command, at most: as many as a plan usually runs at once.
const MAX_READY: usize = 4;
/// How long a keeper waits for the next command before it is dismissed.
const READY_FOR: Duration = Duration::from_secs(10);
/// How often strangers are looked for that would not go at once.
const PURSUE_EVERY: Duration = Duration::from_secs(1);
/// How long one such look may kill, round after round. No keeper is started meanwhile.
const PURSUE_FOR: Duration = Duration::from_millis(50);

/// The children of this process. Clones share everything.
#[derive(Debug, Clone)]
pub struct Children {
    shared: Arc<ChildrenState>,
}

#[derive(Debug)]
struct ChildrenState {
    launcher: Option<Launcher>,
    /// What the names of private folders of this daemon's calls begin with; every process of a call has it in its
    /// environment.
    mark: String,
    /// Process ids of keepers. Held while one is started, so that none is taken for a stranger.
    keepers: Mutex<BTreeSet<i32>>,
    /// Keepers without a command, the last one used at the end, each with the time when it became ready.
    ready: Mutex<Vec<(Instant, Keeper)>>,
    /// Where keepers make control groups, else why they cannot.
    place: OnceLock<Result<CgroupPlace, &'static str>>,
    /// Whether this process adopts the orphans of its keepers.
    adopts: AtomicBool,
    /// Whether strangers that would not go at once are still being ended.
    pursues: AtomicBool,
}

impl Children {
    /// The children of the daemon with this data folder. Without a launcher, commands are started without a keeper.
    pub fn new(launcher: Option<Launcher>, data_dir: &Path) -> Self {
        let digest = Sha256::digest(data_dir.as_os_str().as_encoded_bytes());
        let mark = format!("{}{}-", leftovers::FRONT, &hex::encode(digest)[..12]);
        let shared = ChildrenState {
            launcher,
            mark,
            keepers: Mutex::default(),
            ready: Mutex::default(),
            place: OnceLock::new(),
            adopts: AtomicBool::new(false),
            pursues: AtomicBool::new(false),
        };
        Self { shared: Arc::new(shared) }
    }

    /// What the name of a call's private folder begins with.
    pub fn mark(&self) -> &str {
        &self.shared.mark
    }

    /// How a keeper is started, if there is one.
    pub fn launcher(&self) -> Option<&Launcher> {
        self.shared.launcher.as_ref()
    }

    /// Makes this process the parent of what its keepers lose, where the system can do that.
    pub fn adopt_orphans(&self) {
        let adopts = self.shared.launcher.is_some() && tree::adopt_orphans();
        self.shared.adopts.store(adopts, Ordering::Release);
    }

    /// Ends what an earlier run left behind; returns how many processes that were.
    pub fn end_leftovers(&self) -> usize {
        let ended = leftovers::end(&self.shared.mark, || {
            if let Some(place) = self.place() {
                place.kill_marked(&self.shared.mark);
            }
        });
        leftovers::remove_folders(&self.shared.mark);
        leftovers::remove_abandoned(&std::env::temp_dir(), SystemTime::now());
        if let Some(place) = self.place() {
            place.remove_marked(&self.shared.mark);
        }
        ended
    }

    /// How it is made sure that nothing outlives its call or takes the whole machine, in a few words.
    pub fn means(&self) -> String {
        if self.shared.launcher.is_none() {
            return "process group".to_owned();
        }
        if !tree::ADOPTION {
            return "process group + ancestry (what detaches itself can outlive its call)".to_owned();
        }
        let ends = match self.look_for_place() {
            Ok(place) => format!("subreaper + process group + {}", place.means()),
            Err(why) => format!("subreaper + process group ({why})"),
        };
        format!("{ends}{}", limits::means())
    }

    /// Where keepers can make control groups.
    fn place(&self) -> Option<&CgroupPlace> {
        self.look_for_place().as_ref().ok()
    }

    fn look_for_place(&self) -> &Result<CgroupPlace, &'static str> {
        let uses_cgroups = self.shared.launcher.as_ref().is_some_and(|launcher| launcher.uses_cgroups);
        let look =
            || if uses_cgroups { CgroupPlace::find(&self.shared.mark) } else { Err("cgroup not wanted") };
        self.shared.place.get_or_init(look)
    }

    /// A keeper without a command.
    fn take_ready(&self) -> Option<Keeper> {
        let mut ready = self.ready();
        while let Some((_, mut keeper)) = ready.pop() {
            if keeper.is_there() {
                return Some(keeper);
            }
            self.keepers().remove(&keeper.id());
        }
        None
    }

    /// Keeps a keeper for the next command, for a while.
    fn keep_ready(self, keeper: Keeper) {
        self.ready().push((Instant::now(), keeper));
        tokio::spawn(async move {
            self.dismiss_the_oldest().await;
            tokio::time::sleep(READY_FOR).await;
            self.dismiss_the_oldest().await;
        });
    }

    /// Dismisses those that have waited long enough, and those that are too many.
    async fn dismiss_the_oldest(&self) {
        let leaving: Vec<Keeper> = {
            let mut ready = self.ready();
            let many = ready.len().saturating_sub(MAX_READY);
            let old = ready.iter().take_while(|(since, _)| since.elapsed() >= READY_FOR).count();
            ready.drain(..many.max(old)).map(|(_, keeper)| keeper).collect()
        };
        for keeper in leaving {
            keeper.dismiss(self).await;
        }
    }

    fn ready(&self) -> MutexGuard<'_, Vec<(Instant, Keeper)>> {
        self.shared.ready.lock()
    }

    fn keepers(&self) -> MutexGuard<'_, BTreeSet<i32>> {
        self.shared.keepers.lock()
    }

    /// Ends what lost the keeper of this name: its control group, what this process has adopted, else what can be
    /// recognised by the mark of the call. Returns what would not go at once; that is pursued until it is gone.
    async fn end_orphans(&self, keeper: &str, call_mark: &str) -> Vec<String> {
        if let Some(place) = self.place() {
            place.kill_marked(keeper);
        }
        let left = self.end_adopted(call_mark).await;
        if let Some(place) = self.place() {
            place.remove_marked(keeper);
        }
        left
    }

    async fn end_adopted(&self, call_mark: &str) -> Vec<String> {
        if !self.shared.adopts.load(Ordering::Acquire) {
            let mark = call_mark.to_owned();
            // What it found is no longer there, or was logged.
            drop(tokio::task::spawn_blocking(move || leftovers::end(&mark, || {})).await);
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

/// The numbers of all that runs below this process.
#[cfg(target_os = "linux")]
pub(crate) fn own_descendants() -> Vec<i32> {
    tree::descendants().iter().map(|process| process.pid).collect()
}

/// The exit status that shells give to a program that this signal ended.
pub(crate) fn exit_of_signal(signal: i32) -> i64 {
    EXIT_SIGNAL_BASE + i64::from(signal)
}

/// A name below this mark that nothing else has. No such name is the beginning of another.
pub(crate) fn named(mark: &str) -> String {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    format!("{mark}{}-{}-", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{Children, Launcher, keep_if_asked};

    #[test]
    fn daemons_with_different_data_folders_leave_each_other_alone() {
        let mark = |folder: &str| Children::new(None, Path::new(folder)).mark().to_owned();
        assert_eq!(mark("/home/a/.artoo"), mark("/home/a/.artoo"));
        assert_ne!(mark("/home/a/.artoo"), mark("/home/b/.artoo"));
        assert!(mark("/x").starts_with("artoo-call-") && mark("/x").ends_with('-'));
    }

    #[test]
    fn no_name_of_a_call_is_the_beginning_of_another() {
        let names: Vec<String> = (0..12).map(|_| super::named("artoo-call-x-")).collect();
        for (index, name) in names.iter().enumerate() {
            assert!(
                names.iter().enumerate().all(|(other, n)| other == index || !n.starts_with(name)),
                "{names:?}"
            );
        }
    }

    #[test]
    fn what_is_promised_depends_on_what_there_is() {
        let none = Children::new(None, Path::new("/x"));
        assert_eq!(none.means(), "process group");
        let launcher = Launcher { program: "/nowhere".into(), uses_cgroups: false };
        let some = Children::new(Some(launcher), Path::new("/x"));
        let linux = "subreaper + process group (cgroup not wanted), at most ";
        assert_eq!(some.means().starts_with(linux), cfg!(target_os = "linux"), "{}", some.means());
    }

    #[test]
    fn other_arguments_are_not_for_a_keeper() {
        let arguments =
            |words: &[&str]| words.iter().map(std::ffi::OsString::from).collect::<Vec<_>>().into_iter();
        assert!(keep_if_asked(arguments(&[])).is_none());
        assert!(keep_if_asked(arguments(&["artoo-daemon", "--foreground"])).is_none());
        assert!(keep_if_asked(arguments(&["artoo-daemon", "config", "keep-children"])).is_none());
    }
}
