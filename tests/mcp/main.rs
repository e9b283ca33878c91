//! MCP servers that are as bad as they can be, against the tools and against the real daemon. Servers that others wrote are
//! in `real.rs`, a test program of its own. Start reading at `hostile.rs`.

mod bench;
mod changing;
mod hostile;
mod offerings;
mod operator;
mod teardown;
