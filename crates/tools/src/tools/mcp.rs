//! The tools of MCP servers. They are in no table: each server has its own.

use std::time::Duration;

use artoo_gate::paths::PathRules;
use artoo_mcp::McpCall;
use artoo_types::evidence::EffectClass;
use artoo_types::taint::Taint;

use crate::sandbox::Sandbox;
use crate::tool::{CallFacts, Containment, Judgement, Permission, Tool};
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

    fn containment(&self) -> Containment {
        Containment::None
    }

    /// What a server gets may leave the machine with it, also when its tool only reads.
    fn carries_out(&self, facts: &CallFacts, _: &PathRules) -> Option<EffectClass> {
        Some(facts.effect.max(EffectClass::Send))
    }

    /// A server may be anywhere.
    fn leaving(&self) -> Option<&str> {
        Some(self.spelled())
    }

    fn describe(&self, _: &str) -> String {
        self.shown()
    }

    fn timeout(&self) -> Duration {
        McpCall::timeout(self)
    }

    fn run(self: Box<Self>, run: ToolRun) -> Running {
        Box::pin(McpCall::run(*self, run.timeout, run.work.stop))
    }
}
