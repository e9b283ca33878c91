//! The least that a command of a daemon can be: a server of tonic on a Unix socket that says that it is well, and a process that asks.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, ensure};
use tokio::net::UnixListener;
use tokio_stream::wrappers::UnixListenerStream;
use tonic::transport::{Endpoint, Server as Transport};
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_client::HealthClient;

use super::timed;

/// How long the server may take until it listens.
const PATIENCE: Duration = Duration::from_secs(10);
const POLL: Duration = Duration::from_millis(1);

/// Answers until it is killed.
pub(super) fn serve(socket: &str) -> anyhow::Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        let (_, health) = tonic_health::server::health_reporter();
        let listener = UnixListenerStream::new(UnixListener::bind(socket)?);
        Ok(Transport::builder().add_service(health).serve_with_incoming(listener).await?)
    })
}

/// Asks once.
pub(super) fn call(socket: &str) -> anyhow::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let channel = Endpoint::from_shared(format!("unix://{socket}"))?.connect().await?;
        HealthClient::new(channel).check(HealthCheckRequest::default()).await?;
        Ok(())
    })
}

/// A running server. Dropping it kills it.
pub(super) struct Server {
    child: Child,
    socket: PathBuf,
}

impl Server {
    /// Starts one with its socket in this folder, and waits until it listens.
    pub(super) fn start(folder: &Path) -> anyhow::Result<Self> {
        let socket = folder.join("minimal.sock");
        let mut command = Command::new(std::env::current_exe()?);
        command.arg("serve").arg(&socket).stdin(Stdio::null());
        let server = Self { child: command.spawn().context("the minimal server cannot be started")?, socket };
        let since = Instant::now();
        while std::os::unix::net::UnixStream::connect(&server.socket).is_err() {
            ensure!(since.elapsed() < PATIENCE, "the minimal server does not listen");
            std::thread::sleep(POLL);
        }
        Ok(server)
    }

    /// A process that asks it once.
    pub(super) fn call(&self) -> anyhow::Result<Duration> {
        let mut command = Command::new(std::env::current_exe()?);
        command.arg("call").arg(&self.socket);
        timed(|| {
            ensure!(command.status()?.success(), "the minimal client failed");
            Ok(())
        })
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}
