//! The service on a real socket, over the real parts.

use std::ops::Deref;
use std::time::Duration;

use artoo_model::Models;
use artoo_protocol::json::event_kind;
use artoo_protocol::v1;
use artoo_protocol::v1::artoo_service_client::ArtooServiceClient;
use artoo_redact::{KnownSecret, Redactor, Secret, SecretKind};
use tempfile::TempDir;
use tokio::runtime::Handle;
use tokio::sync::watch;
use tokio::task::{AbortHandle, JoinHandle};
use tonic::transport::{Channel, Endpoint};
use tonic::{Code, Status};
use tonic_types::StatusExt;

use super::{ServeError, Service, ServingPhase, serve};
use artoo_config::StorageParams;
use artoo_runtime::testing::{offline, places, silent};
use artoo_runtime::wiring::{self, Daemon, DaemonOptions};

mod ending;
mod limits;
mod reading;
mod refusals;
mod remembering;
mod replaying;
mod running;

const TOKEN: &str = "the token of this test";

/// A value that must not be told.
const SECRET: &str = "canary-0042-value";

fn redactor() -> Redactor {
    Redactor::new(&[KnownSecret { secret: Secret::new(SECRET), kind: SecretKind::ApiKey }])
}

/// A daemon with its server and a client.
struct Running {
    client: ArtooServiceClient<Channel>,
    channel: Channel,
    phase: watch::Sender<ServingPhase>,
    server: JoinHandle<Result<(), ServeError>>,
    daemon: EndingDaemon,
    folder: TempDir,
}

/// A daemon that is shut down where the test ends: a memory that closes while the program exits would abort it.
struct EndingDaemon {
    daemon: Option<Daemon>,
    server: AbortHandle,
}

impl Deref for EndingDaemon {
    type Target = Daemon;

    fn deref(&self) -> &Daemon {
        self.daemon.as_ref().expect("it is taken by the drop alone")
    }
}

impl Drop for EndingDaemon {
    fn drop(&mut self) {
        self.server.abort();
        let Some(daemon) = self.daemon.take() else { return };
        tokio::task::block_in_place(|| Handle::current().block_on(daemon.shut_down(Duration::ZERO)));
    }
}

async fn start(models: Models) -> Running {
    start_on(models, StorageParams::default()).await
}

async fn start_on(models: Models, storage: StorageParams) -> Running {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let places = places(folder.path());
    let options = DaemonOptions { storage, redactor: redactor(), ..DaemonOptions::without_keeper(models) };
    let daemon = wiring::assemble(&places, options).expect("the parts fit");
    let listener = std::os::unix::net::UnixListener::bind(&places.socket).expect("a socket can be made");
    let (phase, phases) = watch::channel(ServingPhase::Serving);
    let service = Service::new(&daemon, Secret::new(TOKEN), &places, artoo_runtime::clock::now());
    let server = tokio::spawn(serve(listener, service, phases));
    let daemon = EndingDaemon { daemon: Some(daemon), server: server.abort_handle() };
    let address = format!("unix://{}", places.socket.display());
    let channel = Endpoint::from_shared(address).expect("an address").connect().await.expect("it answers");
    Running { client: ArtooServiceClient::new(channel.clone()), channel, phase, server, daemon, folder }
}

impl Running {
    async fn submit(&mut self, input: &str) -> String {
        let request = v1::SubmitTaskRequest { input: input.to_owned(), ..Default::default() };
        self.client.submit_task(request).await.expect("it is accepted").into_inner().task_id
    }

    /// Every event after a sequence, to the end of the stream.
    async fn events(&mut self, task_id: &str, after_sequence: u64) -> Vec<v1::Event> {
        let request = v1::StreamEventsRequest {
            task_id: task_id.to_owned(),
            after_sequence,
            follow: true,
            heartbeat_ms: 0,
        };
        let mut stream = self.client.stream_events(request).await.expect("there is a stream").into_inner();
        let mut events = Vec::new();
        while let Some(response) = in_time(stream.message()).await.expect("it ends in order") {
            events.push(response.event.expect("a response has an event"));
        }
        events
    }

    async fn task(&mut self, task_id: &str) -> v1::Task {
        let request = v1::GetTaskRequest { task_id: task_id.to_owned() };
        let response = self.client.get_task(request).await.expect("it is known").into_inner();
        response.task.expect("a response has a task")
    }

    async fn list(&mut self, page_size: u32, page_token: &str, state: &str) -> v1::ListTasksResponse {
        let request =
            v1::ListTasksRequest { page_size, page_token: page_token.to_owned(), state: state.to_owned() };
        self.client.list_tasks(request).await.expect("a page").into_inner()
    }
}

/// A bound against hanging for ever; no test depends on its length.
async fn in_time<T>(future: impl Future<Output = T>) -> T {
    tokio::time::timeout(Duration::from_secs(60), future).await.expect("it does not hang")
}

/// The refusal of a call, whose reason it must carry.
fn refused<T: std::fmt::Debug>(result: Result<T, Status>, code: Code, why: &str) -> Status {
    let status = result.expect_err("it is refused");
    assert_eq!(status.code(), code, "{status:?}");
    let details = status.get_error_details();
    assert_eq!(details.error_info().expect("a reason").reason, why);
    status
}

fn ids(tasks: &[v1::Task]) -> Vec<&str> {
    tasks.iter().map(|task| task.task_id.as_str()).collect()
}
