//! TLS before a model server, with a certificate that an authority of its own signed, and the proxy through which a client may
//! ask for it: the first bytes of a connection tell which is wanted.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, copy_bidirectional};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;
use tokio_rustls::TlsAcceptor;

/// For `localhost` and `model.test`, until the year 2126. The key was made for these tests and opens nothing.
const CERTIFICATE: &[u8] = include_bytes!("tls/server.pem");
const KEY: &[u8] = include_bytes!("tls/server.key");
/// Bytes of what a client says to a proxy.
const MAX_HEAD_BYTES: usize = 16 * 1024;

/// A listener in front of a plain server. Dropping it ends it.
pub struct TlsFront {
    address: SocketAddr,
    asked: Arc<Mutex<Vec<String>>>,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl TlsFront {
    /// A front for the server at this address, such as `127.0.0.1:8080`.
    pub fn start(behind: SocketAddr) -> Self {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("loopback has a free port");
        listener.set_nonblocking(true).expect("a listener can be made non-blocking");
        let address = listener.local_addr().expect("a bound listener has an address");
        let asked = Arc::new(Mutex::new(Vec::new()));
        let (stop, stopped) = oneshot::channel();
        let (acceptor, heard) = (acceptor(), Arc::clone(&asked));
        let thread = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
            runtime.expect("a runtime can be made").block_on(async {
                tokio::select! {
                    _ = stopped => {}
                    () = accept(listener, acceptor, behind, heard) => {}
                }
            });
        });
        Self { address, asked, stop: Some(stop), thread: Some(thread) }
    }

    /// The port of both.
    pub fn port(&self) -> u16 {
        self.address.port()
    }

    /// What clients said to it as to a proxy, head by head.
    pub fn asked_as_proxy(&self) -> Vec<String> {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The file with the authority's certificate.
    pub fn authority() -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("tls/authority.pem")
    }
}

impl Drop for TlsFront {
    fn drop(&mut self) {
        // Both fail only when the thread is gone already.
        let _ = self.stop.take().map(|stop| stop.send(()));
        let _ = self.thread.take().map(JoinHandle::join);
    }
}

fn acceptor() -> TlsAcceptor {
    let certificate = CertificateDer::from_pem_slice(CERTIFICATE).expect("the file holds a certificate");
    let key = PrivateKeyDer::from_pem_slice(KEY).expect("the file holds a key");
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = rustls::ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .expect("the provider has the usual versions")
        .with_no_client_auth()
        .with_single_cert(vec![certificate], key)
        .expect("the key is the certificate's");
    TlsAcceptor::from(Arc::new(config))
}

async fn accept(
    listener: std::net::TcpListener,
    acceptor: TlsAcceptor,
    behind: SocketAddr,
    asked: Arc<Mutex<Vec<String>>>,
) {
    let listener = TcpListener::from_std(listener).expect("the listener is non-blocking");
    while let Ok((stream, _)) = listener.accept().await {
        let (acceptor, asked) = (acceptor.clone(), Arc::clone(&asked));
        tokio::spawn(async move {
            // A client that goes away, or does not trust the certificate, is no failure here.
            let _ = serve(stream, acceptor, behind, &asked).await;
        });
    }
}

async fn serve(
    mut stream: TcpStream,
    acceptor: TlsAcceptor,
    behind: SocketAddr,
    asked: &Mutex<Vec<String>>,
) -> std::io::Result<()> {
    let mut first = [0; 1];
    stream.peek(&mut first).await?;
    // What TLS begins with is no letter.
    if first[0].is_ascii_alphabetic() {
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") && head.len() < MAX_HEAD_BYTES {
            head.push(stream.read_u8().await?);
        }
        let head = String::from_utf8_lossy(&head).into_owned();
        let is_allowed = head.to_lowercase().contains("proxy-authorization: basic ");
        asked.lock().unwrap_or_else(PoisonError::into_inner).push(head);
        if !is_allowed {
            return stream
                .write_all(b"HTTP/1.1 407 Proxy Authentication Required\r\ncontent-length: 0\r\n\r\n")
                .await;
        }
        stream.write_all(b"HTTP/1.1 200 Connection established\r\n\r\n").await?;
    }
    let mut encrypted = acceptor.accept(stream).await?;
    let mut plain = TcpStream::connect(behind).await?;
    copy_bidirectional(&mut encrypted, &mut plain).await?;
    Ok(())
}
