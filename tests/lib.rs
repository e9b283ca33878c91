//! Scenario, end-to-end, simulation and architecture tests. The library is empty; each test program is a file beside
//! it, named in `Cargo.toml`. Start reading at `architecture/main.rs`: it says what the repository may never become.
