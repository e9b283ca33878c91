//! A tap: a bounded queue beside the bus that drops when its reader is slow, and never hides that it did.

use std::collections::VecDeque;

/// What a reader of a tap gets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Delivery<T> {
    /// The next item.
    Item(T),
    /// These ordinals, counted from 1 over everything offered, were dropped.
    Lagged {
        /// First dropped ordinal.
        from: u64,
        /// Last dropped ordinal.
        to: u64,
    },
}

/// A bounded queue that drops the newest item when it is full and remembers exactly which were dropped.
#[derive(Debug, Clone)]
pub struct Tap<T> {
    capacity: usize,
    queue: VecDeque<Delivery<T>>,
    items: usize,
    offered: u64,
    dropped: u64,
}

impl<T> Tap<T> {
    /// A tap that holds at most `capacity` items.
    pub fn new(capacity: usize) -> Self {
        Self { capacity, queue: VecDeque::new(), items: 0, offered: 0, dropped: 0 }
    }

    /// Offers an item; returns false when it was dropped. Never waits.
    pub fn offer(&mut self, item: T) -> bool {
        self.offered += 1;
        if self.items < self.capacity {
            self.items += 1;
            self.queue.push_back(Delivery::Item(item));
            return true;
        }
        self.dropped += 1;
        let ordinal = self.offered;
        match self.queue.back_mut() {
            Some(Delivery::Lagged { to, .. }) => *to = ordinal,
            Some(Delivery::Item(_)) | None => {
                // At most one mark between two items, so the queue stays within twice its capacity.
                self.queue.push_back(Delivery::Lagged { from: ordinal, to: ordinal });
            }
        }
        false
    }

    /// The next item or the mark of a gap, in order.
    pub fn take(&mut self) -> Option<Delivery<T>> {
        let delivery = self.queue.pop_front();
        if matches!(delivery, Some(Delivery::Item(_))) {
            self.items -= 1;
        }
        delivery
    }

    /// How many items were dropped in all.
    pub fn dropped(&self) -> u64 {
        self.dropped
    }
}
