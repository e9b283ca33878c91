//! A server for tests on this machine, which notes what it hears, and a table of names.

use std::collections::HashMap;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

use super::get::{Addresses, Lookup};

/// What the server does with a request.
pub(super) enum Script {
    /// Sends this and closes.
    Send(Vec<u8>),
    /// Sends this, then one byte each so many milliseconds, without end.
    Drip(Vec<u8>, u64),
    /// Sends this, then content without end.
    Pour(Vec<u8>),
}

/// A reply with a length.
pub(super) fn page(status: &str, headers: &str, body: impl AsRef<[u8]>) -> Script {
    let body = body.as_ref();
    let mut bytes =
        format!("HTTP/1.1 {status}\r\nContent-Length: {}\r\nConnection: close\r\n{headers}\r\n", body.len())
            .into_bytes();
    bytes.extend_from_slice(body);
    Script::Send(bytes)
}

/// A running server.
#[derive(Debug, Clone)]
pub(super) struct Server {
    pub(super) address: SocketAddr,
    seen: Arc<Mutex<Vec<String>>>,
}

impl Server {
    /// A server at this address of this machine, on a port of its own unless one is given.
    pub(super) async fn start(at: &str, reply: impl Fn(&str) -> Script + Send + Sync + 'static) -> Self {
        let at = if at.contains(':') { at.to_owned() } else { format!("{at}:0") };
        let listener = TcpListener::bind(at).await.unwrap();
        let server = Self { address: listener.local_addr().unwrap(), seen: Arc::default() };
        let (seen, reply) = (Arc::clone(&server.seen), Arc::new(reply));
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(answer(stream, Arc::clone(&seen), Arc::clone(&reply)));
            }
        });
        server
    }

    /// The address of a page under this name.
    pub(super) fn url(&self, name: &str, path: &str) -> String {
        format!("http://{name}:{}{path}", self.address.port())
    }

    /// Every request so far, as it came.
    pub(super) fn seen(&self) -> Vec<String> {
        self.seen.lock().unwrap().clone()
    }
}

async fn answer(
    mut stream: TcpStream,
    seen: Arc<Mutex<Vec<String>>>,
    reply: Arc<impl Fn(&str) -> Script + Send + Sync>,
) {
    let (mut request, mut buffer) = (Vec::new(), [0; 4_096]);
    loop {
        let read = stream.read(&mut buffer).await.unwrap_or(0);
        request.extend_from_slice(&buffer[..read]);
        let text = String::from_utf8_lossy(&request).into_owned();
        let Some((head, body)) = text.split_once("\r\n\r\n") else {
            if read == 0 {
                return;
            }
            continue;
        };
        let length =
            head.lines().find_map(|l| l.to_ascii_lowercase().strip_prefix("content-length: ")?.parse().ok());
        if read > 0 && body.len() < length.unwrap_or(0) {
            continue;
        }
        seen.lock().unwrap().push(text.clone());
        // A client that has seen enough goes away, which is no fault of the server.
        let _ = perform(&mut stream, reply(&text)).await;
        return;
    }
}

async fn perform(stream: &mut TcpStream, script: Script) -> std::io::Result<()> {
    match script {
        Script::Send(bytes) => stream.write_all(&bytes).await,
        Script::Drip(head, ms) => {
            stream.write_all(&head).await?;
            loop {
                stream.write_all(b"x").await?;
                tokio::time::sleep(Duration::from_millis(ms)).await;
            }
        }
        Script::Pour(head) => {
            stream.write_all(&head).await?;
            let content = [b'y'; 16 << 10];
            loop {
                stream.write_all(&content).await?;
            }
        }
    }
}

/// Names and what each lookup of them gives, one after the other; the last answer stays.
#[derive(Debug, Default)]
pub(super) struct Names {
    answers: HashMap<String, Vec<Vec<IpAddr>>>,
    asked: Mutex<HashMap<String, usize>>,
}

impl Names {
    pub(super) fn with(mut self, name: &str, answers: &[&[&str]]) -> Self {
        let parse = |answer: &&[&str]| answer.iter().map(|address| address.parse().unwrap()).collect();
        self.answers.insert(name.to_owned(), answers.iter().map(parse).collect());
        self
    }
}

impl Lookup for Names {
    fn addresses<'a>(&'a self, name: &'a str) -> Addresses<'a> {
        let mut asked = self.asked.lock().unwrap();
        let count = asked.entry(name.to_owned()).or_default();
        let answers = self.answers.get(name);
        let answer = answers.map(|answers| answers[(*count).min(answers.len() - 1)].clone());
        *count += 1;
        Box::pin(async move { answer.ok_or_else(|| "no such name".to_owned()) })
    }
}
