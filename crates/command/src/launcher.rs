//! How the process between the daemon and a command is started.

use std::path::PathBuf;

/// How the daemon's own program is started as a keeper.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Launcher {
    /// The program: one whose `main` begins with [`keep_if_asked`](crate::children::keep_if_asked).
    pub program: PathBuf,
    /// Whether keepers make control groups where they can. Without them, what they end is killed one by one.
    pub uses_cgroups: bool,
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
        Ok(Self { program, uses_cgroups: true })
    }
}
