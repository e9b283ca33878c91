//! Ids, every message, the envelope and the contract table.
