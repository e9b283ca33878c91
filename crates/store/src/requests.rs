//! The requests that memories name, held in memory so that a request in other words is found without a scan.

use artoo_memory::key::{self, Key};
use artoo_memory::known::{INTENTS, KnownRequests, MAX_REQUESTS};
use artoo_types::tag::Tag;
use parking_lot::Mutex;
use serde::{Deserialize, Serialize};

use crate::disk::{Disk, Family};
use crate::error::StoreError;

/// Most memories that are read to find the requests they name: below a second, once after each start.
const MAX_MEMORIES_READ: usize = 4 * MAX_REQUESTS;

/// Most pairs of requests that are kept apart. A person does it one by one; each costs one lookup at the start.
pub const MAX_SEPARATIONS: usize = 10_000;

/// Two requests that the operator keeps apart.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Separation {
    /// The requests, as the operator wrote them.
    pub requests: [String; 2],
    /// When, in the form of RFC 3339.
    pub at: String,
}

/// The requests that the memories of intents name; None until somebody asks, and after something was deleted.
#[derive(Default)]
pub(crate) struct RequestCache {
    known: Mutex<Option<KnownRequests>>,
}

impl RequestCache {
    /// Looks into the requests, reading them from the disk first where that was not done yet.
    pub(crate) fn with<T>(
        &self,
        disk: &Disk,
        look: impl FnOnce(&KnownRequests) -> T,
    ) -> Result<T, StoreError> {
        let mut guard = self.known.lock();
        if let Some(known) = guard.as_ref() {
            return Ok(look(known));
        }
        let mut known = KnownRequests::default();
        let view = disk.view();
        for entry in view.scan(Family::Derived, &key::tagged_space(INTENTS), None).take(MAX_MEMORIES_READ) {
            let megram = view.indexed(&entry?.0)?;
            known.insert(&megram.tag, &megram.about);
        }
        for entry in view.scan(Family::Truth, key::SEPARATIONS, None).take(MAX_SEPARATIONS) {
            if let Key::Separated(pair) = entry?.0 {
                known.separate(pair);
            }
        }
        Ok(look(guard.insert(known)))
    }

    /// Something was deleted: what it named must not be shown any more.
    pub(crate) fn clear(&self) {
        *self.known.lock() = None;
    }

    /// The memories of a tag change: these requests came, and with `gone` others may have gone.
    pub(crate) fn update<'t>(&self, tag: &Tag, requests: impl Iterator<Item = &'t str>, gone: bool) {
        let mut guard = self.known.lock();
        if gone {
            *guard = None;
        } else if let Some(known) = guard.as_mut() {
            requests.for_each(|request| known.insert(tag, request));
        }
    }
}
