//! The real programs, end to end: a home folder, a daemon, a client and a scripted model server of each test's own.
//! Start reading at `happy.rs`.

mod asking;
mod auditing;
mod batches;
mod boxed;
mod broken;
mod cancelling;
mod checks;
mod children;
mod clarifying;
mod confirming;
mod contexts;
mod costs;
mod covering;
mod crashes;
mod curing;
mod damaged;
mod declaring;
mod dreaming;
mod errors;
mod faults;
mod figures;
mod full_disk;
mod happy;
mod honest_ends;
mod hostile;
mod installing;
mod lying;
#[cfg(target_os = "linux")] // inotify
mod many;
mod memories;
mod own_bugs;
mod own_server;
mod parting;
mod pictures;
mod plain;
mod plans;
mod prefixes;
mod reaching;
mod remembering;
mod replaying;
mod reporting;
mod restart;
mod restoring;
mod rows;
mod schedules;
mod secrets;
#[cfg(target_os = "linux")]
mod serving;
mod setup;
mod sharing;
mod stopping;
mod tool_calls;
mod undoing;
mod web;
