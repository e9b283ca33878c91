//! The rules from the outside: prompts in, JSON out.

use super::*;
use serde_json::Value;

mod support;
mod understanding;
