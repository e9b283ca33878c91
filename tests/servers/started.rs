//! A server's process: it says its addresses, and ends when its standard input does.

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// A running server. Dropping it kills it.
pub(crate) struct Started {
    process: Child,
    /// What it printed first, a line an address.
    pub(crate) addresses: Vec<String>,
}

impl Started {
    /// Starts a server that says so many addresses. Panics when it ends before.
    pub(crate) fn new(command: &mut Command, addresses: usize) -> Self {
        let command = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut process = command.spawn().unwrap_or_else(|error| panic!("{command:?}: {error}"));
        let output = BufReader::new(process.stdout.take().expect("standard output is a pipe"));
        let said: Vec<String> = output.lines().take(addresses).map_while(Result::ok).collect();
        assert_eq!(said.len(), addresses, "{command:?} ended before it served; it said {said:?}");
        Self { process, addresses: said }
    }
}

impl Drop for Started {
    fn drop(&mut self) {
        // It fails only when the process is gone.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// A file beside this one.
pub(crate) fn beside(name: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("servers").join(name)
}
