//! The tools of MCP servers. They are in no table: each server has its own.

use std::time::Duration;

use artoo_gate::paths::PathRules;
use artoo_mcp::McpCall;
use artoo_types::evidence::EffectClass;
use artoo_types::taint::Taint;

use crate::sandbox::Sandbox;
use crate::tool::{CallFacts, Judgement, Permission, Reach, Tool};
use crate::work::{Running, ToolRun};

impl Tool for McpCall {
    /// Only what the operator calls reading runs unasked.
    fn judge(&self, _: &PathRules, _: &Sandbox) -> Judgement {
        let effect = self.effect();
        let facts = CallFacts {
            changes: None,
            ..CallFacts::new(self.name(), self.target(), effect, Taint::UNTRUSTED)
        };
        let permission = if effect == EffectClass::Read {
            Permission::Free
        } else {
            Permission::Ask { effects: vec![effect], targets: vec![self.pinned_as()], why: self.reasons() }
        };
        Judgement::new(facts, permission)
    }

    fn reach(&self) -> Reach<'_> {
        Reach::Server(self.spelled())
    }

    fn describe(&self, _: &str) -> String {
        self.shown()
    }

    /// As long as it tells of progress it may take all of its task's time.
    fn timeout(&self, _left: Duration) -> Duration {
        Duration::MAX
    }

    fn run(self: Box<Self>, run: ToolRun) -> Running {
        Box::pin(McpCall::run(*self, run.timeout, run.work.stop))
    }
}
