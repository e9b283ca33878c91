//! Benchmarks that print ratios.
