//! Confining a command: what it may read, write and reach, kept by the system and not by the command's good will.
//!
//! [`Confinement`] is a plain value that says what one command may do; `derive` makes it from what the gate said of the
//! command and from whether a person agreed. The keeper applies it to the thread that starts the command, so that the
//! command and all that comes from it are bound for life. A step of that which fails ends the start: nothing ever runs
//! with less confinement than was asked for.
//!
//! On Linux it is made of Landlock (files, TCP, signals) and a seccomp filter (everything that Landlock does not see); on
//! macOS of a profile for `sandbox-exec`.
//!
//! Where the trial of `means` shows that nothing confines here, every command asks. bubblewrap is no layer of it: Landlock and
//! seccomp bound everything that a read-only view would, but for modes, owners and times of files. Those are set in a box where it
//! may write, in a view in which the rest is mounted read-only; seccomp refuses them to what else runs unasked and to confirmed
//! programs that do without them, and the question says it of the others. The price of a view is that a move between two places
//! that a command was granted is a copy, and that a granted file, being a mount point, is not removed.
//!
//! Such a box also gets a network of its own on Linux, in which nothing is but the loopback: there seccomp allows plain internet
//! sockets, and no rule of Landlock is needed, for no packet leaves it.

use std::path::Path;

use serde::{Deserialize, Serialize};

pub mod derive;
#[cfg(target_os = "linux")]
mod linux;
pub(crate) mod means;
#[cfg(target_os = "linux")]
mod mounts;
pub(crate) mod prepared;
#[cfg(target_os = "linux")]
mod reach;
#[cfg_attr(not(target_os = "macos"), allow(dead_code, reason = "its text is tested everywhere"))]
mod seatbelt;

pub use means::{ConfinementMeans, Sandboxing};

/// What one command may do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Confinement {
    /// Whatever the user can.
    FullPower,
    /// Whatever the user can, writing anywhere among it, apart from reading below these folders.
    Guarded(Vec<String>),
    /// What is listed, and nothing else.
    Confined(Bounds),
}

impl Confinement {
    /// The same for a command that only reads or makes new files, with nothing that it can do without: no network, no
    /// changes of modes, and of what it can change the new files alone.
    pub fn tightest(self) -> Self {
        match self {
            Self::FullPower | Self::Guarded(_) => self,
            Self::Confined(mut bounds) => {
                bounds.grants.retain(Grant::is_new);
                Self::Confined(Bounds { network: false, modes: ModeRights::Nothing, ..bounds })
            }
        }
    }

    /// The files whose modes the command can set.
    pub fn modes(&self) -> ModeRights {
        match self {
            Self::Confined(bounds) => bounds.modes,
            Self::FullPower | Self::Guarded(_) => ModeRights::All,
        }
    }

    /// The same with these rights beside its own.
    pub fn extended(self, network: bool, grants: Vec<Grant>) -> Self {
        match self {
            Self::FullPower | Self::Guarded(_) => self,
            Self::Confined(mut bounds) => {
                bounds.grants.extend(grants);
                Self::Confined(Bounds { network: bounds.network || network, ..bounds })
            }
        }
    }

    /// Whether the system keeps the command to what is listed.
    pub fn is_confined(&self) -> bool {
        match self {
            Self::Confined(_) => true,
            Self::FullPower | Self::Guarded(_) => false,
        }
    }
}

/// The bounds of a confined command. All paths are absolute, with links resolved.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bounds {
    /// Files whose content it cannot read, and folders below which it reads no content; names, sizes and times there it
    /// sees. It reads everything else that the user can.
    pub hidden: Vec<String>,
    /// The only places below which it reads content, besides what it can change; empty where it reads all that is not hidden.
    /// Where the system cannot keep a command to that, nothing is said here.
    pub reads: Vec<String>,
    /// What it can change, apart from its own temporary folder.
    pub grants: Vec<Grant>,
    /// Whether it has the network.
    pub network: bool,
    /// Whether its programs show processes, and are all understood. What does that runs as root on macOS, where no profile
    /// lets it start: it is let out of this one.
    pub shows_processes: bool,
    /// Of which files it can set modes, owners and times.
    pub modes: ModeRights,
}

impl Bounds {
    /// Those of a command that reads everything but these places, and changes nothing.
    pub fn reading(hidden: Vec<String>) -> Self {
        Self {
            hidden,
            reads: Vec::new(),
            grants: Vec::new(),
            network: false,
            shows_processes: false,
            modes: ModeRights::Nothing,
        }
    }
}

/// The files whose modes, owners and times a confined command can set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum ModeRights {
    /// None.
    Nothing,
    /// What it can change, and no bit by which a file runs as its owner; where the system can keep it to that, else none.
    OfGrants,
    /// Every file that is the user's, with its attributes.
    All,
}

/// Something that a confined command can change.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Grant {
    /// A file that is not there yet. It is made, empty, before the command starts.
    New(String),
    /// A file that is not there yet and that the command may make, although it does not say so. It is made, empty and old,
    /// before the command starts, and goes again where the command did not write it.
    Offered(String),
    /// A folder that is not there yet and is made before the command starts; nothing below it.
    NewFolder(String),
    /// A folder that the command makes itself. On Linux no right to make one holds for a single folder, so it is made before
    /// the command starts, and the command believes that it makes it; elsewhere it may make exactly this one.
    OwnFolder(String),
    /// The same for a symbolic link.
    Symlink {
        /// Where it is made.
        path: String,
        /// What it says.
        text: String,
    },
    /// The same for another name of a file.
    HardLink {
        /// Where it is made.
        path: String,
        /// The file.
        of: String,
    },
    /// The index of a repository: a copy of it, which takes its place when the command has succeeded.
    Index(String),
    /// The content of a file that is there.
    Content(String),
    /// This mode for a file. It is set before the command starts, which then believes that it sets modes.
    Mode {
        /// The file.
        path: String,
        /// Its mode then.
        mode: u32,
    },
    /// All that is below a folder.
    Below(String),
    /// Removing whatever is below a folder, and making nothing. No right to remove holds for a single name.
    Removals(String),
}

impl Grant {
    /// Whether it is about something that is not there yet.
    fn is_new(&self) -> bool {
        match self {
            Self::New(_)
            | Self::Offered(_)
            | Self::NewFolder(_)
            | Self::OwnFolder(_)
            | Self::Symlink { .. }
            | Self::HardLink { .. } => true,
            Self::Mode { .. } | Self::Index(_) | Self::Content(_) | Self::Below(_) | Self::Removals(_) => {
                false
            }
        }
    }
}

/// Confines the calling thread, and so what it will start.
///
/// # Errors
/// When something of it cannot be had. The thread must not start the command then.
#[cfg(target_os = "linux")]
pub(crate) fn enter(
    confinement: &Confinement,
    scratch: &Path,
    made: &prepared::PreparedEntries,
) -> std::io::Result<()> {
    match confinement {
        Confinement::FullPower => Ok(()),
        Confinement::Guarded(hidden) => linux::guard(hidden),
        Confinement::Confined(bounds) => linux::confine(bounds, scratch, made).map(drop),
    }
}

/// Makes this process one that can keep its next command to the modes of its own files, where that takes anything: it must have
/// one thread. True if it is to take no other command then.
#[cfg(target_os = "linux")]
pub(crate) fn prepare(confinement: &Confinement) -> bool {
    linux::prepare(confinement)
}

/// As above, where nothing is to be done.
#[cfg(not(target_os = "linux"))]
pub(crate) fn prepare(_: &Confinement) -> bool {
    false
}

/// Confinement of other systems is put around the program instead, see [`wrapped`].
#[cfg(not(target_os = "linux"))]
pub(crate) fn enter(_: &Confinement, _: &Path, _: &prepared::PreparedEntries) -> std::io::Result<()> {
    Ok(())
}

/// The program and its arguments as they have to be started to be confined.
///
/// # Errors
/// When this system has no way to confine.
#[cfg(target_os = "linux")]
pub(crate) fn wrapped(_: &Confinement, _: &Path, arguments: &[String]) -> std::io::Result<Vec<String>> {
    Ok(arguments.to_vec())
}

/// As above, by macOS's own program for it.
#[cfg(target_os = "macos")]
pub(crate) fn wrapped(
    confinement: &Confinement,
    scratch: &Path,
    arguments: &[String],
) -> std::io::Result<Vec<String>> {
    // Profiles go by real paths, and temporary folders lie behind a link here.
    let scratch = scratch.canonicalize().unwrap_or_else(|_| scratch.to_owned());
    let Some(profile) = seatbelt::profile(confinement, &scratch.to_string_lossy()) else {
        return Ok(arguments.to_vec());
    };
    let mut wrapped = vec![seatbelt::PROGRAM.to_owned(), "-p".to_owned(), profile];
    wrapped.extend_from_slice(arguments);
    Ok(wrapped)
}

/// As above: only full power can be had here.
#[cfg(not(any(target_os = "linux", target_os = "macos")))]
pub(crate) fn wrapped(
    confinement: &Confinement,
    _: &Path,
    arguments: &[String],
) -> std::io::Result<Vec<String>> {
    match confinement {
        Confinement::FullPower => Ok(arguments.to_vec()),
        Confinement::Guarded(_) | Confinement::Confined(_) => {
            Err(std::io::Error::other("this system has no sandbox"))
        }
    }
}
