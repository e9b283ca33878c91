//! A search engine on loopback that is down at first. It finds the same thing for everybody.

use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

/// It listens from [`SearchEngine::start`] on until it is dropped.
pub(crate) struct SearchEngine {
    port: u16,
    is_over: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl SearchEngine {
    /// One whose port is free and on which nobody listens.
    pub(crate) fn new() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("loopback has a free port");
        let port = listener.local_addr().expect("a bound listener has an address").port();
        Self { port, is_over: Arc::default(), thread: None }
    }

    /// What to configure.
    pub(crate) fn base_url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// Begins to listen.
    pub(crate) fn start(&mut self) {
        let listener = TcpListener::bind(("127.0.0.1", self.port)).expect("the port was free a moment ago");
        listener.set_nonblocking(true).expect("a listener can be made non-blocking");
        let is_over = Arc::clone(&self.is_over);
        self.thread = Some(std::thread::spawn(move || {
            while !is_over.load(Ordering::SeqCst) {
                match listener.accept() {
                    Ok((stream, _)) => serve(stream),
                    Err(_) => std::thread::sleep(Duration::from_millis(5)),
                }
            }
        }));
    }
}

impl Drop for SearchEngine {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::SeqCst);
        let _ = self.thread.take().map(JoinHandle::join);
    }
}

/// One request, one page. A client that goes away is no failure of the engine.
fn serve(mut stream: std::net::TcpStream) {
    let _ = stream.set_nonblocking(false);
    let _ = stream.set_read_timeout(Some(Duration::from_secs(5)));
    let _ = stream.read(&mut [0; 4096]);
    let body = r#"{"query": "x", "results": [{"title": "Droids", "url": "https://droids.example/r2", "content": "A droid is found."}]}"#;
    let head = format!(
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        body.len()
    );
    let _ = stream.write_all([head.as_bytes(), body.as_bytes()].concat().as_slice());
}
