//! The live stream of all tasks: bounded taps that drop for slow readers and say so.

use std::sync::Arc;

use artoo_bus::{Delivery, Tap};
use artoo_types::{Envelope, Message};
use parking_lot::Mutex;
use tokio::sync::Notify;

/// Envelopes that wait for one live reader. Some 1,000 are a few tasks at full speed; a reader that is further behind
/// reads the journal instead.
const TAP_CAPACITY: usize = 1_024;

/// Hands every envelope to every live reader, without waiting for any.
#[derive(Debug, Default)]
pub struct LiveTaps {
    taps: Mutex<Vec<Arc<TapSlot>>>,
    dropped: std::sync::atomic::AtomicU64,
}

#[derive(Debug)]
struct TapSlot {
    tap: Mutex<Tap<Arc<Envelope>>>,
    ready: Notify,
}

/// A reader's end of a tap.
#[derive(Debug)]
pub struct LiveReader {
    slot: Arc<TapSlot>,
    hub: Arc<LiveTaps>,
}

impl LiveTaps {
    /// A new reader; it sees what is published from now on.
    pub fn subscribe(self: &Arc<Self>) -> LiveReader {
        let slot = Arc::new(TapSlot { tap: Mutex::new(Tap::new(TAP_CAPACITY)), ready: Notify::new() });
        self.taps.lock().push(Arc::clone(&slot));
        LiveReader { slot, hub: Arc::clone(self) }
    }

    /// Offers the envelopes to every reader. Drops are counted and logged. The record of a gap is for the auditor: a reader
    /// is told of its own gaps where they are, and of nobody else's, so that it can count what it gets.
    pub fn publish(&self, envelopes: impl IntoIterator<Item = Envelope>) {
        let taps = self.taps.lock();
        if taps.is_empty() {
            return;
        }
        for envelope in envelopes.into_iter().filter(|e| !matches!(e.payload, Message::Lagged(_))) {
            let shared = Arc::new(envelope);
            for slot in taps.iter() {
                let kept = slot.tap.lock().offer(Arc::clone(&shared));
                if !kept {
                    let before = self.dropped.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                    if before.is_power_of_two() || before == 0 {
                        tracing::warn!(
                            dropped = before + 1,
                            "a slow reader of the live stream misses events"
                        );
                    }
                }
            }
        }
        for slot in taps.iter() {
            slot.ready.notify_one();
        }
    }

    /// How many deliveries were dropped since the start.
    pub fn dropped(&self) -> u64 {
        self.dropped.load(std::sync::atomic::Ordering::Relaxed)
    }
}

impl LiveReader {
    /// The next envelope, or the mark of a gap.
    pub async fn next(&self) -> Delivery<Arc<Envelope>> {
        loop {
            if let Some(delivery) = self.slot.tap.lock().take() {
                return delivery;
            }
            self.slot.ready.notified().await;
        }
    }
}

impl Drop for LiveReader {
    fn drop(&mut self) {
        let mut taps = self.hub.taps.lock();
        taps.retain(|s| !Arc::ptr_eq(s, &self.slot));
    }
}
