//! One task as one deterministic machine.
