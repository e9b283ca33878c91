//! Calls as a patient client makes them: what an outage interrupts is tried again.

use std::path::{Path, PathBuf};
use std::time::Duration;

use artoo_protocol::v1::artoo_service_client::ArtooServiceClient;
use artoo_protocol::v1::{
    GetStatusRequest, ListTasksRequest, StreamEventsRequest, StreamEventsResponse, SubmitTaskRequest,
    SubmitTaskResponse, Task,
};
use tonic::transport::{Channel, Endpoint};
use tonic::{Code, Status, Streaming};

use artoo_testing::PATIENCE;

/// Between two tries.
const PAUSE: Duration = Duration::from_millis(5);

/// A client with one connection at a time, which it makes anew when it breaks.
pub(crate) struct Calls {
    socket: PathBuf,
    client: Option<ArtooServiceClient<Channel>>,
    window: Option<u32>,
}

/// A runtime for several clients. The daemon needs the processors too.
pub(crate) fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .expect("threads can be made")
}

/// A bound against hanging for ever; no test depends on its length.
pub(crate) async fn in_time<T>(what: &str, future: impl Future<Output = T>) -> T {
    match tokio::time::timeout(PATIENCE, future).await {
        Ok(done) => done,
        Err(_) => panic!("not within {PATIENCE:?}: {what}"),
    }
}

/// A request that the offline rules carry out.
pub(crate) fn request(home: &Path, request_id: &str, input: &str) -> SubmitTaskRequest {
    SubmitTaskRequest {
        input: input.to_owned(),
        request_id: request_id.to_owned(),
        working_directory: home.join("work").to_string_lossy().into_owned(),
        ..Default::default()
    }
}

impl Calls {
    /// A client of the daemon at this socket, which need not be there yet.
    pub(crate) fn new(socket: &Path) -> Self {
        Self { socket: socket.to_owned(), client: None, window: None }
    }

    /// The same, with room for so many bytes that were not read yet.
    pub(crate) fn with_window(mut self, bytes: u32) -> Self {
        self.window = Some(bytes);
        self
    }

    /// Forgets the connection; the next call makes another one.
    pub(crate) fn hang_up(&mut self) {
        self.client = None;
    }

    /// Hands a request in, as often as it takes to get an answer.
    pub(crate) async fn submit(&mut self, request: &SubmitTaskRequest) -> SubmitTaskResponse {
        in_time("a submission is answered", async {
            loop {
                let answer = self.client().await.submit_task(request.clone()).await;
                if let Some(accepted) = self.answer(answer).await {
                    return accepted;
                }
            }
        })
        .await
    }

    /// Opens the events of a task after a sequence; of all tasks, live, when the task is empty.
    pub(crate) async fn events(
        &mut self,
        task_id: &str,
        after_sequence: u64,
    ) -> Streaming<StreamEventsResponse> {
        let follow = true;
        let request =
            StreamEventsRequest { task_id: task_id.to_owned(), after_sequence, follow, heartbeat_ms: 0 };
        in_time("a stream is opened", async {
            loop {
                let answer = self.client().await.stream_events(request.clone()).await;
                if let Some(stream) = self.answer(answer).await {
                    return stream;
                }
            }
        })
        .await
    }

    /// Every task.
    pub(crate) async fn tasks(&mut self) -> Vec<Task> {
        let (mut tasks, mut page_token) = (Vec::new(), String::new());
        loop {
            let request = ListTasksRequest { page_size: 200, page_token, state: String::new() };
            let answer = in_time("tasks are listed", self.client().await.list_tasks(request)).await;
            let page = answer.expect("the daemon lists its tasks").into_inner();
            tasks.extend(page.tasks);
            page_token = page.next_page_token;
            if page_token.is_empty() {
                return tasks;
            }
        }
    }

    /// Asks how the daemon is.
    pub(crate) async fn status(&mut self) -> Result<(), Status> {
        let mut client = self.client().await;
        in_time("the daemon says how it is", client.get_status(GetStatusRequest {})).await.map(|_| ())
    }

    /// What came; none when the daemon is away, or about to be. Everything else is a failure of the test.
    pub(crate) async fn answer<T>(&mut self, answer: Result<tonic::Response<T>, Status>) -> Option<T> {
        match answer {
            Ok(answer) => Some(answer.into_inner()),
            Err(status) => {
                assert!(is_outage(&status), "{status:?}");
                self.hang_up();
                tokio::time::sleep(PAUSE).await;
                None
            }
        }
    }

    /// The generated client, for a call that is made once.
    pub(crate) async fn client(&mut self) -> ArtooServiceClient<Channel> {
        let endpoint =
            Endpoint::from_shared(format!("unix://{}", self.socket.display())).expect("an address");
        let endpoint =
            endpoint.initial_stream_window_size(self.window).initial_connection_window_size(self.window);
        in_time("the daemon takes a connection", async {
            loop {
                if let Some(client) = &self.client {
                    return client.clone();
                }
                match endpoint.connect().await {
                    Ok(channel) => self.client = Some(ArtooServiceClient::new(channel)),
                    Err(_) => tokio::time::sleep(PAUSE).await,
                }
            }
        })
        .await
    }
}

/// Whether the daemon went away instead of answering.
pub(crate) fn is_outage(status: &Status) -> bool {
    std::error::Error::source(status).is_some() || status.code() == Code::Unavailable
}
