//! One connection to a server: the handshake, the list of its tools, its end.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use artoo_redact::Secret;
use rmcp::model::{
    CallToolRequest, CallToolRequestParams, CallToolResponse, CancelledNotification,
    CancelledNotificationParam, ClientCapabilities, ClientConfig, ClientRequest, Implementation,
    ListToolsRequest, PaginatedRequestParams, PingRequest, RequestId, ServerResult, Tool,
};
use rmcp::service::{
    NotificationContext, Peer, PeerRequestOptions, RunningService, RunningServiceCancellationToken,
    ServiceError,
};
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::transport::async_rw::AsyncRwTransport;
use rmcp::transport::common::client_side_sse::FixedInterval;
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;
use rmcp::{ClientHandler, RoleClient, ServiceExt as _};
use tokio::sync::Notify;

use super::failure::not_connected;
use super::meter::{CountedTransport, Flooded, MAX_MESSAGE_BYTES, MeteredReader};
use super::program::{ServerProgram, ServerSurroundings};
use super::server::{McpServer, McpTransport};
use artoo_command::sandbox::Confinement;

/// Most tools of one server that are offered. More would not fit into a prompt.
pub const MAX_TOOLS: usize = 64;
/// Most tools of one server that are looked at.
const MAX_LISTED: usize = 1_024;
/// Most pages of a list.
const MAX_PAGES: usize = 16;
/// How long connecting to an address may take.
const CONNECT: Duration = Duration::from_secs(5);
/// How often the stream of an address is opened again after it broke.
const STREAM_TRIES: usize = 5;

/// What is kept of a connection while it lasts.
pub(crate) struct Session {
    service: RunningService<RoleClient, Client>,
    program: Option<ServerProgram>,
    changed: Arc<Notify>,
    is_flooded: Flooded,
}

impl Session {
    /// Connects and shakes hands. Whatever it started is ended when it fails, but not when it is dropped meanwhile.
    ///
    /// # Errors
    /// Why it cannot be used, in words.
    pub(crate) async fn open(server: &McpServer, surroundings: &ServerSurroundings) -> Result<Self, String> {
        let changed = Arc::new(Notify::new());
        let is_flooded = Flooded::default();
        let client = Client { changed: Arc::clone(&changed) };
        match &server.way {
            McpTransport::Process { program, arguments, environment, full_power } => {
                let command = (program.as_str(), arguments.as_slice());
                let confinement =
                    if *full_power { Confinement::FullPower } else { surroundings.confinement.clone() };
                let (program, ends) =
                    ServerProgram::start(&server.name, command, environment, confinement, surroundings)
                        .await?;
                let transport =
                    AsyncRwTransport::new(MeteredReader::new(ends.output, is_flooded.clone()), ends.input)
                        .with_max_line_length(MAX_MESSAGE_BYTES);
                let served = tokio::time::timeout(
                    server.start_timeout,
                    client.serve(CountedTransport::new(transport, is_flooded.clone())),
                );
                match served.await {
                    Ok(Ok(service)) => Ok(Self { service, program: Some(program), changed, is_flooded }),
                    Ok(Err(error)) => Err(join(&not_connected(&error), &program.end().await)),
                    Err(_) => Err(join(&silence(server.start_timeout), &program.end().await)),
                }
            }
            McpTransport::Http { address, headers } => {
                let transport = CountedTransport::new(http(address, headers)?, is_flooded.clone());
                match tokio::time::timeout(server.start_timeout, client.serve(transport)).await {
                    Ok(Ok(service)) => Ok(Self { service, program: None, changed, is_flooded }),
                    Ok(Err(error)) => Err(not_connected(&error)),
                    Err(_) => Err(silence(server.start_timeout)),
                }
            }
        }
    }

    /// What makes requests.
    pub(crate) fn peer(&self) -> Peer<RoleClient> {
        self.service.peer().clone()
    }

    /// What ends the connection from elsewhere.
    pub(crate) fn cut(&self) -> RunningServiceCancellationToken {
        self.service.cancellation_token()
    }

    /// Told when the server says that its tools are others now.
    pub(crate) fn changed(&self) -> Arc<Notify> {
        Arc::clone(&self.changed)
    }

    /// Waits until the connection is over, then ends what belongs to it. Returns what is known about why.
    pub(crate) async fn over(self) -> String {
        let quit = self.service.waiting().await;
        let why = match quit {
            Ok(_) if self.is_flooded.load(Ordering::Relaxed) => "it said too much and was cut off".to_owned(),
            Ok(_) => "the connection ended".to_owned(),
            Err(error) => format!("the connection broke down: {error}"),
        };
        match self.program {
            Some(program) => join(&why, &program.end().await),
            None => why,
        }
    }
}

/// The server's tools.
///
/// # Errors
/// Why there is no list, in words.
pub(crate) async fn list(peer: &Peer<RoleClient>, within: Duration) -> Result<Vec<Tool>, String> {
    let work = async {
        let (mut tools, mut cursor) = (Vec::new(), None);
        for _ in 0..MAX_PAGES {
            let params = cursor.map(|cursor| PaginatedRequestParams::default().with_cursor(Some(cursor)));
            let request = ListToolsRequest { params, ..ListToolsRequest::default() };
            let answer = ask(peer, ClientRequest::ListToolsRequest(request), within).await;
            let ServerResult::ListToolsResult(page) = answer.map_err(|error| error.to_string())? else {
                return Err("it does not answer with a list of tools".to_owned());
            };
            tools.extend(page.tools);
            if tools.len() > MAX_LISTED {
                tools.truncate(MAX_LISTED);
                return Ok(tools);
            }
            match page.next_cursor {
                Some(next) => cursor = Some(next),
                None => return Ok(tools),
            }
        }
        Err(format!("its list of tools has more than {MAX_PAGES} pages"))
    };
    tokio::time::timeout(within, work).await.unwrap_or_else(|_| Err(silence(within)))
}

/// Calls a tool. What the server tells of its progress extends `patience`.
///
/// # Errors
/// What the server, or the connection, says instead of an answer; `Timeout` when it says nothing.
pub(crate) async fn call(
    peer: &Peer<RoleClient>,
    params: CallToolRequestParams,
    patience: Duration,
) -> Result<CallToolResponse, ServiceError> {
    let request = ClientRequest::CallToolRequest(CallToolRequest::new(params));
    let options = PeerRequestOptions::with_timeout(patience).reset_timeout_on_progress();
    let handle = peer.send_request_with_option(request, options).await?;
    let mut abandoned = AbandonedCall { peer, id: Some(handle.id.clone()) };
    let answer = handle.await_response().await;
    abandoned.id = None;
    #[allow(clippy::wildcard_enum_match_arm, reason = "the enum belongs to the library")]
    match answer? {
        ServerResult::CallToolResult(result) => Ok(CallToolResponse::Complete(result)),
        ServerResult::InputRequiredResult(result) => Ok(CallToolResponse::InputRequired(result)),
        ServerResult::CreateTaskResult(result) => Ok(CallToolResponse::Task(result)),
        _ => Err(ServiceError::UnexpectedResponse),
    }
}

/// Tells the server of a call that nobody waits for any more.
struct AbandonedCall<'a> {
    peer: &'a Peer<RoleClient>,
    id: Option<RequestId>,
}

impl Drop for AbandonedCall<'_> {
    fn drop(&mut self) {
        let Some(id) = self.id.take() else { return };
        let peer = self.peer.clone();
        let params = CancelledNotificationParam::new(Some(id), None);
        tokio::spawn(async move {
            // One that is gone needs to be told nothing.
            drop(peer.send_notification(CancelledNotification::new(params).into()).await);
        });
    }
}

/// Whether the server answers at all.
pub(crate) async fn answers(peer: &Peer<RoleClient>, within: Duration) -> bool {
    ask(peer, ClientRequest::PingRequest(PingRequest::default()), within).await.is_ok()
}

/// Asks the server something that is no call of a tool.
///
/// # Errors
/// What the server, or the connection, says instead of an answer; `Timeout` when it says nothing.
pub(crate) async fn ask(
    peer: &Peer<RoleClient>,
    request: ClientRequest,
    within: Duration,
) -> Result<ServerResult, ServiceError> {
    let options = PeerRequestOptions::with_timeout(within);
    peer.send_request_with_option(request, options).await?.await_response().await
}

/// The client's side of the protocol: it offers a server nothing. What the library answers unasked is that there is no
/// model, no folder, and that the person declines.
struct Client {
    changed: Arc<Notify>,
}

impl ClientHandler for Client {
    async fn on_tool_list_changed(&self, _: NotificationContext<RoleClient>) {
        self.changed.notify_one();
    }

    fn get_info(&self) -> ClientConfig {
        ClientConfig::new(
            ClientCapabilities::default(),
            Implementation::new("artoo", env!("CARGO_PKG_VERSION")),
        )
    }
}

/// The way to an address. It follows no redirect, which would carry the header fields elsewhere.
fn http(
    address: &str,
    headers: &BTreeMap<String, Secret>,
) -> Result<StreamableHttpClientTransport<reqwest::Client>, String> {
    // A second installation fails because the first one holds, which is what is wanted.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let mut builder = reqwest::Client::builder()
        .user_agent(concat!("artoo/", env!("CARGO_PKG_VERSION")))
        .connect_timeout(CONNECT)
        .redirect(reqwest::redirect::Policy::none())
        .retry(reqwest::retry::never());
    if address.starts_with("http://") {
        // Without encryption no certificate is looked at, and an address without it is one of this machine.
        builder = builder.tls_certs_only([]).no_proxy();
    }
    let client = builder.build().map_err(|error| format!("no HTTP client can be made: {error}"))?;
    let mut retry = FixedInterval::default();
    retry.max_times = Some(STREAM_TRIES);
    let mut config = StreamableHttpClientTransportConfig::with_uri(address)
        .max_sse_event_size(MAX_MESSAGE_BYTES)
        .custom_headers(fields(headers)?);
    config.retry_config = Arc::new(retry);
    Ok(StreamableHttpClientTransport::with_client(client, config))
}

type Fields = std::collections::HashMap<reqwest::header::HeaderName, reqwest::header::HeaderValue>;

fn fields(headers: &BTreeMap<String, Secret>) -> Result<Fields, String> {
    let field = |(name, value): (&String, &Secret)| {
        let key = reqwest::header::HeaderName::from_bytes(name.as_bytes())
            .map_err(|_| format!("{name:?} is no name of a header field"))?;
        let mut value = reqwest::header::HeaderValue::from_str(value.expose()).map_err(|_| {
            format!("the value of the header field {name} has characters that it cannot have")
        })?;
        value.set_sensitive(true);
        Ok((key, value))
    };
    headers.iter().map(field).collect()
}

fn silence(limit: Duration) -> String {
    format!("it did not answer within {} ms", limit.as_millis())
}

fn join(why: &str, more: &str) -> String {
    if more.is_empty() { why.to_owned() } else { format!("{why}; {more}") }
}
