//! A scripted model server: Chat Completions over plain HTTP/1.1 on loopback, written by hand so that it can do what a
//! proper server never does. It runs on a thread of its own, so that tests of any kind can use it, and needs only tokio
//! and serde_json.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;
use tokio::task::JoinSet;

/// Bytes of a request. A prompt has at most 120,000 characters; JSON may need several bytes for each.
const MAX_REQUEST_BYTES: usize = 4 * 1024 * 1024;
/// Requests kept. A test that makes more is looping.
const MAX_REQUESTS: usize = 2_000;
/// Characters in one chunk of a streamed reply.
const CHUNK_CHARS: usize = 6;

/// What the server does with one request.
#[derive(Debug, Clone)]
pub enum Reply {
    /// The content in one JSON body.
    Json(String),
    /// The content as a stream of small chunks, then usage, then `[DONE]`.
    Sse(String),
    /// As `Sse`, with reasoning before it.
    Reasoned {
        /// Sent as `reasoning_content`.
        reasoning: String,
        /// The content.
        content: String,
    },
    /// A native tool call as a stream.
    ToolCall {
        /// The tool.
        name: String,
        /// JSON text.
        arguments: String,
    },
    /// Several native tool calls of one turn as a stream: tools with their arguments.
    ToolCalls(Vec<(String, Value)>),
    /// An HTTP status.
    Status {
        /// The code.
        code: u16,
        /// Header fields.
        headers: Vec<(String, String)>,
        /// The body.
        body: String,
    },
    /// Nothing, with the connection open until the server ends.
    Hang,
    /// As `Sse`, but the connection breaks after so many bytes of the body.
    Cut {
        /// The content.
        content: String,
        /// Bytes of the event stream that are sent.
        after: usize,
    },
    /// A whole body with status 200, whatever it is.
    Junk(Vec<u8>),
    /// An event stream of these bytes, well framed, with the type that belongs to it.
    Stream(Vec<u8>),
    /// An event stream that repeats `piece` until the client goes.
    Drip {
        /// The bytes.
        piece: Vec<u8>,
        /// The pause before each.
        every: Duration,
    },
    /// Bytes on the connection in the place of any HTTP; then it closes. None: it just closes.
    Raw(Vec<u8>),
}

impl Reply {
    /// A status without header fields.
    pub fn status(code: u16, body: &str) -> Self {
        Self::Status { code, headers: Vec::new(), body: body.to_owned() }
    }

    /// A status with `Retry-After`.
    pub fn retry_after(code: u16, value: &str) -> Self {
        let headers = vec![("Retry-After".to_owned(), value.to_owned())];
        Self::Status { code, headers, body: String::new() }
    }
}

/// One request as the server saw it.
#[derive(Debug, Clone, PartialEq)]
pub struct Seen {
    /// Ordinal among all requests, from 0.
    pub number: usize,
    /// Ordinal among those of the same role, from 0.
    pub call: usize,
    /// `R1` and so on, from the first line of the system message; empty when it does not say.
    pub role: String,
    /// The path with its query.
    pub path: String,
    /// Header fields with names in lower case.
    pub headers: BTreeMap<String, String>,
    /// The request.
    pub body: Value,
}

impl Seen {
    /// The name of the schema that `response_format` carries; empty on the lower forms.
    pub fn schema(&self) -> &str {
        self.body["response_format"]["json_schema"]["name"].as_str().unwrap_or_default()
    }

    /// `json_schema`, `json_object`, or `text` without a `response_format`.
    pub fn form(&self) -> &str {
        self.body["response_format"]["type"].as_str().unwrap_or("text")
    }

    /// The content of the first message of `speaker`.
    pub fn message(&self, speaker: &str) -> &str {
        let messages = self.body["messages"].as_array().map_or(&[][..], Vec::as_slice);
        messages
            .iter()
            .find(|message| message["role"] == speaker)
            .and_then(|message| {
                // With pictures, the words are its first part.
                message["content"].as_str().or_else(|| message["content"][0]["text"].as_str())
            })
            .unwrap_or_default()
    }

    /// A section of the user message: the lines below `## title` up to the next section.
    pub fn section(&self, title: &str) -> String {
        let heading = format!("## {title}");
        let lines = self.message("user").lines().skip_while(|line| *line != heading).skip(1);
        lines.take_while(|line| !line.starts_with("## ")).collect::<Vec<_>>().join("\n").trim().to_owned()
    }
}

/// A running server. Dropping it ends every connection.
pub struct ModelServer {
    address: SocketAddr,
    log: Arc<Log>,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

type Script = dyn Fn(&Seen) -> Reply + Send + Sync;

#[derive(Default)]
struct Log {
    state: Mutex<LogState>,
    more: Condvar,
}

#[derive(Default)]
struct LogState {
    seen: Vec<Seen>,
    hang_ups: usize,
    /// Requests are answered and not kept.
    forgetful: bool,
    /// Whether the model calls tools when it is asked whether it does.
    calls_tools: bool,
    /// How often that was asked.
    probes: usize,
    /// Tokens of the context that the server tells as llama.cpp's does.
    context: Option<u64>,
    /// How often it was asked for them.
    context_asked: usize,
    /// Whether the script answers what is asked of the server itself.
    is_scripted_whole: bool,
}

impl Log {
    fn state(&self) -> MutexGuard<'_, LogState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn hang_up(&self) {
        self.state().hang_ups += 1;
        self.more.notify_all();
    }

    /// Waits until `done`. Panics after `limit`.
    fn wait(&self, limit: Duration, done: impl Fn(&LogState) -> bool) -> MutexGuard<'_, LogState> {
        let (state, waited) = self
            .more
            .wait_timeout_while(self.state(), limit, |state| !done(state))
            .unwrap_or_else(PoisonError::into_inner);
        let (requests, hang_ups) = (state.seen.len(), state.hang_ups);
        assert!(!waited.timed_out(), "only {requests} requests and {hang_ups} hang-ups within {limit:?}");
        state
    }
}

impl ModelServer {
    /// A server that answers as `script` says, on a free port.
    pub fn start(script: impl Fn(&Seen) -> Reply + Send + Sync + 'static) -> Self {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("loopback has a free port");
        listener.set_nonblocking(true).expect("a listener can be made non-blocking");
        let address = listener.local_addr().expect("a bound listener has an address");
        let log = Arc::new(Log::default());
        let (stop, stopped) = oneshot::channel();
        let script: Arc<Script> = Arc::new(script);
        let kept = Arc::clone(&log);
        let thread = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build()
                .expect("a runtime can be made");
            runtime.block_on(async {
                tokio::select! {
                    _ = stopped => {}
                    () = accept(listener, script, kept) => {}
                }
            });
        });
        Self { address, log, stop: Some(stop), thread: Some(thread) }
    }

    /// A server for any number of requests: it keeps none of them, so that [`Seen::number`] and [`Seen::call`] stay 0.
    pub fn forgetful(script: impl Fn(&Seen) -> Reply + Send + Sync + 'static) -> Self {
        let server = Self::start(script);
        server.log.state().forgetful = true;
        server
    }

    /// As [`Self::start`], with a model that calls tools in the server's own form: so it says when it is asked.
    pub fn with_tools(script: impl Fn(&Seen) -> Reply + Send + Sync + 'static) -> Self {
        let server = Self::start(script);
        server.log.state().calls_tools = true;
        server
    }

    /// As [`Self::start`], with a model that takes so many tokens at once.
    pub fn with_context(tokens: u64, script: impl Fn(&Seen) -> Reply + Send + Sync + 'static) -> Self {
        let server = Self::start(script);
        server.log.state().context = Some(tokens);
        server
    }

    /// As [`Self::start`]; the script also answers what is asked of the server itself: its models and their contexts.
    pub fn scripted_whole(script: impl Fn(&Seen) -> Reply + Send + Sync + 'static) -> Self {
        let server = Self::start(script);
        server.log.state().is_scripted_whole = true;
        server
    }

    /// How often it was asked for the context of its model.
    pub fn context_asked(&self) -> usize {
        self.log.state().context_asked
    }

    /// How often it was asked whether its model calls tools.
    pub fn probes(&self) -> usize {
        self.log.state().probes
    }

    /// Forgets the requests so far: the next one is the first again.
    pub fn forget(&self) {
        self.log.state().seen.clear();
    }

    /// A server that gives these replies one after the other, and the last of them for ever.
    pub fn replies(replies: Vec<Reply>) -> Self {
        assert!(!replies.is_empty(), "a script has at least one reply");
        Self::start(move |seen| replies[seen.number.min(replies.len() - 1)].clone())
    }

    /// What to configure: `http://127.0.0.1:<port>/v1`.
    pub fn base_url(&self) -> String {
        format!("http://{}/v1", self.address)
    }

    /// Every request of a task so far. What the memory asks after tasks, when nobody waits for it, is in
    /// [`Self::dreams`].
    pub fn requests(&self) -> Vec<Seen> {
        self.log.state().seen.iter().filter(|seen| is_of_a_task(seen)).cloned().collect()
    }

    /// Every request of the memory so far.
    pub fn dreams(&self) -> Vec<Seen> {
        self.log.state().seen.iter().filter(|seen| is_dream(seen)).cloned().collect()
    }

    /// Waits for at least `count` requests of tasks; blocks the thread. Panics after `limit`.
    pub fn wait_for_requests(&self, count: usize, limit: Duration) -> Vec<Seen> {
        let asked = |state: &LogState| state.seen.iter().filter(|seen| is_of_a_task(seen)).count() >= count;
        drop(self.log.wait(limit, asked));
        self.requests()
    }

    /// Waits for a first request of the memory; blocks the thread. Panics after `limit`.
    pub fn wait_for_a_dream(&self, limit: Duration) {
        drop(self.log.wait(limit, |state| state.seen.iter().any(is_dream)));
    }

    /// Waits until clients went away from at least `count` replies that `Hang` or `Drip`; blocks the thread. Panics
    /// after `limit`.
    pub fn wait_for_hang_ups(&self, count: usize, limit: Duration) {
        drop(self.log.wait(limit, |state| state.hang_ups >= count));
    }
}

/// Whether a task asked, and not the memory, nor a person who tries the model.
fn is_of_a_task(seen: &Seen) -> bool {
    !is_dream(seen) && seen.role != "probe"
}

/// Whether the memory asked, to find the words of a rule or a lesson.
fn is_dream(seen: &Seen) -> bool {
    seen.role == "R5"
}

/// Whether it is asked if its model calls tools. Scripts do not see that.
fn is_probe(body: &Value) -> bool {
    let tools = body["tools"].as_array().map_or(&[][..], Vec::as_slice);
    matches!(tools, [tool] if tool["function"]["name"] == "artoo_ready" || tool["name"] == "artoo_ready")
}

/// What servers are asked about themselves. Scripts do not see that.
const QUESTIONS: [&str; 4] = ["/props", "/api/ps", "/api/show", "/models"];

fn told(path: &str, state: &mut LogState) -> Reply {
    let is_props = path.ends_with("/props");
    state.context_asked += usize::from(is_props);
    match state.context.filter(|_| is_props) {
        Some(tokens) => {
            Reply::Junk(json!({"default_generation_settings": {"n_ctx": tokens}}).to_string().into_bytes())
        }
        None => Reply::status(404, "{\"error\": {\"message\": \"not here\"}}"),
    }
}

fn probed(calls_tools: bool) -> Reply {
    if calls_tools {
        return Reply::ToolCall { name: "artoo_ready".to_owned(), arguments: "{}".to_owned() };
    }
    Reply::status(400, "{\"error\": {\"message\": \"not here\"}}")
}

impl Drop for ModelServer {
    fn drop(&mut self) {
        // Both fail only when the thread is gone already.
        let _ = self.stop.take().map(|stop| stop.send(()));
        let _ = self.thread.take().map(JoinHandle::join);
    }
}

/// An address on which nobody listens: the port was free a moment ago.
pub fn dead_base_url() -> String {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("loopback has a free port");
    format!("http://{}/v1", listener.local_addr().expect("a bound listener has an address"))
}

/// The event stream of `content`, as a well-behaved server writes it.
pub fn event_stream(reasoning: &str, content: &str) -> String {
    let mut deltas = vec![json!({"role": "assistant", "content": ""})];
    deltas.extend(pieces(reasoning).map(|piece| json!({"reasoning_content": piece})));
    deltas.extend(pieces(content).map(|piece| json!({"content": piece})));
    stream_of(&deltas, "stop", content)
}

async fn accept(listener: std::net::TcpListener, script: Arc<Script>, log: Arc<Log>) {
    let listener = TcpListener::from_std(listener).expect("the listener is non-blocking");
    let mut connections = JoinSet::new();
    while let Ok((stream, _)) = listener.accept().await {
        let (script, log) = (Arc::clone(&script), Arc::clone(&log));
        connections.spawn(async move {
            // A client that goes away is no failure of the server.
            let _ = serve(stream, &*script, &log).await;
        });
        while connections.try_join_next().is_some() {}
    }
}

async fn serve(mut stream: TcpStream, script: &Script, log: &Log) -> std::io::Result<()> {
    let mut buffer = Vec::new();
    while let Some(request) = read_request(&mut stream, &mut buffer).await? {
        let Some(reply) = replied(request, script, log) else { break };
        if !write_reply(&mut stream, reply, log).await? {
            break;
        }
    }
    Ok(())
}

/// What is replied to a request, which is kept; none when a test made too many.
fn replied((path, headers, body): Request, script: &Script, log: &Log) -> Option<Reply> {
    let body: Value = serde_json::from_slice(&body).unwrap_or(Value::Null);
    let mut state = log.state();
    if state.seen.len() >= MAX_REQUESTS {
        return None;
    }
    if is_probe(&body) {
        state.probes += 1;
        return Some(probed(state.calls_tools));
    }
    if !state.is_scripted_whole && QUESTIONS.iter().any(|end| path.ends_with(end)) {
        return Some(told(&path, &mut state));
    }
    let forgetful = state.forgetful;
    let all = &mut state.seen;
    let mut seen = Seen { number: all.len(), call: 0, role: String::new(), path, headers, body };
    seen.role = role(seen.message("system")).to_owned();
    seen.call = all.iter().filter(|earlier| earlier.role == seen.role).count();
    let reply = script(&seen);
    if !forgetful {
        all.push(seen);
    }
    log.more.notify_all();
    Some(reply)
}

/// The word after `# Role:` in the first line.
fn role(system: &str) -> &str {
    let first = system.lines().next().unwrap_or_default();
    first.strip_prefix("# Role:").and_then(|rest| rest.split_whitespace().next()).unwrap_or_default()
}

type Request = (String, BTreeMap<String, String>, Vec<u8>);

/// The next request of a connection; none when the client closed it.
async fn read_request(stream: &mut TcpStream, buffer: &mut Vec<u8>) -> std::io::Result<Option<Request>> {
    let head_end = loop {
        if let Some(end) = buffer.windows(4).position(|four| four == b"\r\n\r\n") {
            break end + 4;
        }
        if buffer.len() > MAX_REQUEST_BYTES || stream.read_buf(buffer).await? == 0 {
            return Ok(None);
        }
    };
    let head = String::from_utf8_lossy(&buffer[..head_end]).into_owned();
    let path = head.split_whitespace().nth(1).unwrap_or_default().to_owned();
    let headers: BTreeMap<String, String> = head
        .lines()
        .filter_map(|line| line.split_once(':'))
        .map(|(name, value)| (name.to_lowercase(), value.trim().to_owned()))
        .collect();
    let length = headers.get("content-length").and_then(|value| value.parse().ok()).unwrap_or(0_usize);
    while buffer.len() < head_end + length {
        if length > MAX_REQUEST_BYTES || stream.read_buf(buffer).await? == 0 {
            return Ok(None);
        }
    }
    let body = buffer[head_end..head_end + length].to_vec();
    buffer.drain(..head_end + length);
    Ok(Some((path, headers, body)))
}

/// Writes a reply. True when the connection can serve another request.
async fn write_reply(stream: &mut TcpStream, reply: Reply, log: &Log) -> std::io::Result<bool> {
    match reply {
        Reply::Json(content) => {
            let body = json!({
                "id": "c1", "object": "chat.completion", "model": "scripted",
                "choices": [{"index": 0, "finish_reason": "stop",
                             "message": {"role": "assistant", "content": content}}],
                "usage": usage(&content)
            });
            whole(stream, 200, "application/json", &[], body.to_string().as_bytes()).await
        }
        Reply::Sse(content) => events(stream, event_stream("", &content).as_bytes()).await,
        Reply::Reasoned { reasoning, content } => {
            events(stream, event_stream(&reasoning, &content).as_bytes()).await
        }
        Reply::ToolCall { name, arguments } => {
            events(stream, call_stream(&[(name, arguments)]).as_bytes()).await
        }
        Reply::ToolCalls(calls) => {
            let calls: Vec<(String, String)> =
                calls.into_iter().map(|(name, arguments)| (name, arguments.to_string())).collect();
            events(stream, call_stream(&calls).as_bytes()).await
        }
        Reply::Stream(bytes) => events(stream, &bytes).await,
        Reply::Status { code, headers, body } => {
            whole(stream, code, "application/json", &headers, body.as_bytes()).await
        }
        Reply::Junk(body) => whole(stream, 200, "text/plain", &[], &body).await,
        Reply::Hang => {
            // Nothing more is sent: the read ends when the client goes.
            let gone = stream.read(&mut [0; 64]).await;
            log.hang_up();
            gone.map(|_| false)
        }
        Reply::Cut { content, after } => {
            let body = event_stream("", &content);
            let part = &body.as_bytes()[..after.min(body.len())];
            stream.write_all(CHUNKED_HEAD).await?;
            stream.write_all(&chunk(part)).await?;
            stream.flush().await?;
            Ok(false)
        }
        Reply::Drip { piece, every } => {
            stream.write_all(CHUNKED_HEAD).await?;
            loop {
                tokio::time::sleep(every).await;
                if let Err(gone) = stream.write_all(&chunk(&piece)).await {
                    log.hang_up();
                    return Err(gone);
                }
            }
        }
        Reply::Raw(bytes) => {
            stream.write_all(&bytes).await?;
            stream.shutdown().await?;
            Ok(false)
        }
    }
}

const CHUNKED_HEAD: &[u8] =
    b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n";

async fn whole(
    stream: &mut TcpStream,
    code: u16,
    kind: &str,
    headers: &[(String, String)],
    body: &[u8],
) -> std::io::Result<bool> {
    let mut head =
        format!("HTTP/1.1 {code} Scripted\r\nContent-Type: {kind}\r\nContent-Length: {}\r\n", body.len());
    for (name, value) in headers {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    head.push_str("\r\n");
    stream.write_all(head.as_bytes()).await?;
    stream.write_all(body).await?;
    Ok(true)
}

async fn events(stream: &mut TcpStream, body: &[u8]) -> std::io::Result<bool> {
    stream.write_all(CHUNKED_HEAD).await?;
    if !body.is_empty() {
        stream.write_all(&chunk(body)).await?;
    }
    stream.write_all(b"0\r\n\r\n").await?;
    Ok(true)
}

fn chunk(bytes: &[u8]) -> Vec<u8> {
    [format!("{:x}\r\n", bytes.len()).as_bytes(), bytes, b"\r\n"].concat()
}

fn call_stream(calls: &[(String, String)]) -> String {
    let call =
        |index: usize, function: Value| json!({"tool_calls": [{"index": index, "function": function}]});
    let mut deltas = Vec::new();
    for (index, (name, arguments)) in calls.iter().enumerate() {
        deltas.push(json!({"role": "assistant", "content": null, "tool_calls": [
            {"index": index, "id": format!("call_{}", index + 1), "type": "function",
             "function": {"name": name, "arguments": ""}}]}));
        deltas.extend(pieces(arguments).map(|piece| call(index, json!({"arguments": piece}))));
    }
    let all: String = calls.iter().map(|(_, arguments)| arguments.as_str()).collect();
    stream_of(&deltas, "tool_calls", &all)
}

fn stream_of(deltas: &[Value], finish_reason: &str, content: &str) -> String {
    let choice = |delta: &Value, reason: Value| json!({"model": "scripted", "choices": [{"index": 0, "delta": delta, "finish_reason": reason}]});
    let mut chunks: Vec<Value> = deltas.iter().map(|delta| choice(delta, Value::Null)).collect();
    chunks.push(choice(&json!({}), json!(finish_reason)));
    chunks.push(json!({"model": "scripted", "choices": [], "usage": usage(content)}));
    let mut stream: String = chunks.iter().map(|chunk| format!("data: {chunk}\n\n")).collect();
    stream.push_str("data: [DONE]\n\n");
    stream
}

fn usage(content: &str) -> Value {
    json!({"prompt_tokens": 100, "completion_tokens": content.len() / 4 + 1})
}

fn pieces(text: &str) -> impl Iterator<Item = String> {
    let characters: Vec<char> = text.chars().collect();
    let pieces: Vec<String> = characters.chunks(CHUNK_CHARS).map(|piece| piece.iter().collect()).collect();
    pieces.into_iter()
}
