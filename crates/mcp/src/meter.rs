//! How much a server may say: what goes beyond is the end of its connection.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};
use std::time::Instant;

use rmcp::RoleClient;
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use tokio::io::{AsyncRead, ReadBuf};

/// Longest message, in bytes. An answer becomes a receipt, of which a model sees a few thousand characters.
pub(crate) const MAX_MESSAGE_BYTES: usize = 4 << 20;
/// Bytes at once from a program: some of the longest messages.
const BURST_BYTES: f64 = 16.0 * 1024.0 * 1024.0;
/// Bytes a second, for long.
const BYTES_A_SECOND: f64 = 1024.0 * 1024.0;
/// Messages at once: a long call may tell its progress quickly for a while.
const BURST_MESSAGES: f64 = 2_000.0;
/// Messages a second, for long.
const MESSAGES_A_SECOND: f64 = 100.0;

/// Set when an allowance was exceeded.
pub(crate) type Flooded = Arc<AtomicBool>;

/// An allowance that fills up again with time.
#[derive(Debug)]
pub(crate) struct Allowance {
    left: f64,
    most: f64,
    a_second: f64,
    at: Instant,
}

impl Allowance {
    pub(crate) fn new(most: f64, a_second: f64, now: Instant) -> Self {
        Self { left: most, most, a_second, at: now }
    }

    /// Takes so much of it; false when there was less.
    pub(crate) fn takes(&mut self, much: f64, now: Instant) -> bool {
        let since = now.saturating_duration_since(self.at).as_secs_f64();
        self.left = (self.left + since * self.a_second).min(self.most) - much;
        self.at = now;
        self.left >= 0.0
    }
}

/// What a program prints, up to its allowance.
pub(crate) struct MeteredReader<R> {
    inner: R,
    allowance: Allowance,
    is_flooded: Flooded,
}

impl<R> MeteredReader<R> {
    pub(crate) fn new(inner: R, is_flooded: Flooded) -> Self {
        Self { inner, allowance: Allowance::new(BURST_BYTES, BYTES_A_SECOND, Instant::now()), is_flooded }
    }
}

impl<R: AsyncRead + Unpin> AsyncRead for MeteredReader<R> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<std::io::Result<()>> {
        let before = buffer.filled().len();
        let polled = Pin::new(&mut self.inner).poll_read(context, buffer);
        let read = buffer.filled().len() - before;
        #[allow(clippy::cast_precision_loss, reason = "a read is far below 2^52 bytes")]
        if read > 0 && !self.allowance.takes(read as f64, Instant::now()) {
            self.is_flooded.store(true, Ordering::Relaxed);
            return Poll::Ready(Err(std::io::Error::other("it says too much")));
        }
        polled
    }
}

/// A transport with an allowance of messages.
pub(crate) struct CountedTransport<T> {
    inner: T,
    allowance: Allowance,
    is_flooded: Flooded,
}

impl<T> CountedTransport<T> {
    pub(crate) fn new(inner: T, is_flooded: Flooded) -> Self {
        Self {
            inner,
            allowance: Allowance::new(BURST_MESSAGES, MESSAGES_A_SECOND, Instant::now()),
            is_flooded,
        }
    }
}

impl<T: Transport<RoleClient>> Transport<RoleClient> for CountedTransport<T> {
    type Error = T::Error;

    fn send(
        &mut self,
        item: TxJsonRpcMessage<RoleClient>,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        self.inner.send(item)
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleClient>> {
        let message = self.inner.receive().await?;
        if self.allowance.takes(1.0, Instant::now()) {
            return Some(message);
        }
        self.is_flooded.store(true, Ordering::Relaxed);
        None
    }

    async fn close(&mut self) -> Result<(), Self::Error> {
        self.inner.close().await
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use tokio::io::AsyncReadExt as _;

    use super::{Allowance, Flooded, MeteredReader};

    #[test]
    fn an_allowance_is_used_up_and_fills_again() {
        let start = Instant::now();
        let mut allowance = Allowance::new(10.0, 2.0, start);
        assert!(allowance.takes(10.0, start));
        assert!(!allowance.takes(1.0, start));
        let later = start + Duration::from_secs(3);
        assert!(allowance.takes(5.0, later), "six came back, one was owed");
        assert!(!allowance.takes(1.0, later));
        let much_later = start + Duration::from_secs(1_000);
        assert!(
            allowance.takes(10.0, much_later) && !allowance.takes(0.5, much_later),
            "never more than the most"
        );
    }

    #[tokio::test]
    async fn a_reader_that_says_too_much_ends() {
        let flooded = Flooded::default();
        let mut reader = MeteredReader::new(tokio::io::repeat(b'x'), flooded.clone());
        let mut sink = vec![0; 1 << 20];
        let mut read = 0;
        let error = loop {
            match reader.read(&mut sink).await {
                Ok(more) => read += more,
                Err(error) => break error,
            }
            assert!(read < 64 << 20, "it goes on for ever");
        };
        assert!(read >= 16 << 20, "{read}");
        assert_eq!(error.to_string(), "it says too much");
        assert!(flooded.load(std::sync::atomic::Ordering::Relaxed));
    }
}
