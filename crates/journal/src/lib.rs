//! The one truth on disk: append, sync, read, follow, torn tails.
