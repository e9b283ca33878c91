//! The one place that reads the clock.

use artoo_types::Timestamp;

/// Now, in milliseconds since the epoch. A clock before the epoch reads as the epoch.
pub fn now() -> Timestamp {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    Timestamp(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
}

/// Today's date where the person is, ISO 8601.
pub fn today() -> String {
    jiff::Zoned::now().date().to_string()
}
