//! Sequence numbers, contract check, routing and refusals; taps that drop and count.
