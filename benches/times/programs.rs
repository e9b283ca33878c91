//! The real programs, in a home of their own.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, ensure};
use tempfile::TempDir;

/// `artoo` and `artoo-daemon` of the same build as this program.
#[derive(Debug, Clone)]
pub(super) struct Programs {
    folder: PathBuf,
}

impl Programs {
    pub(super) fn find() -> anyhow::Result<Self> {
        let own = std::env::current_exe()?;
        // target/<profile>/deps/times-...
        let folder = own.ancestors().nth(2).context("this program lies in no build folder")?.to_owned();
        for name in ["artoo", "artoo-daemon"] {
            ensure!(
                folder.join(name).is_file(),
                "{} is missing: run `make times`, which builds it",
                folder.join(name).display()
            );
        }
        Ok(Self { folder })
    }
}

/// An empty home. Dropping it ends its daemon.
pub(super) struct Home {
    programs: Programs,
    folder: TempDir,
}

impl Home {
    pub(super) fn new(programs: &Programs) -> anyhow::Result<Self> {
        Ok(Self { programs: programs.clone(), folder: tempfile::tempdir()? })
    }

    pub(super) fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// How long the client took with these arguments, in the home folder.
    pub(super) fn artoo(&self, arguments: &[&str]) -> anyhow::Result<Duration> {
        self.output(arguments).map(|(took, _)| took)
    }

    /// The same with what it wrote.
    pub(super) fn output(&self, arguments: &[&str]) -> anyhow::Result<(Duration, Output)> {
        let mut command = self.command(arguments);
        let since = Instant::now();
        let output = command.output().context("artoo cannot be run")?;
        let took = since.elapsed();
        let said = String::from_utf8_lossy(&output.stderr);
        ensure!(output.status.success(), "artoo {} failed: {said}", arguments.join(" "));
        Ok((took, output))
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(self.programs.folder.join("artoo"));
        command.args(arguments).current_dir(self.folder()).stdin(Stdio::null());
        command
            .env_clear()
            .env("HOME", self.folder())
            .env("PATH", std::env::var_os("PATH").unwrap_or_default());
        command
    }
}

impl Drop for Home {
    fn drop(&mut self) {
        drop(self.command(&["--no-start", "stop"]).output());
    }
}
