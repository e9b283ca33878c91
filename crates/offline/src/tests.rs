//! The rules from the outside: requests in, JSON out.

use super::*;

mod acting;
mod apple;
mod commands;
mod declined;
mod judging;
mod planning;
mod replanning;
mod specifying;
mod support;
mod understood;
mod values;
