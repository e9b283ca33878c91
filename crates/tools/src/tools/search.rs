//! `search`: the web, through the provider that the configuration names.

use artoo_gate::paths::PathRules;
use artoo_types::evidence::EffectClass;
use artoo_types::tag::fold;
use artoo_types::taint::Taint;
use artoo_types::text::escape;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::installed::HelperProgram;
use crate::sandbox::Sandbox;
use crate::tool::{CallFacts, Judgement, Permission, Reach, Tool, ToolRow};
use crate::work::{Running, ToolRun};

pub(super) const ROW: ToolRow =
    ToolRow::of::<Search>("search", "search the web; gives titles, addresses and a few words of each result")
        .needing(HelperProgram::WebSearch)
        .looking();

#[derive(Debug, Deserialize, JsonSchema)]
struct Search {
    /// what to look for, at most 400 characters
    query: String,
}

impl Tool for Search {
    fn judge(&self, _: &PathRules, _: &Sandbox) -> Judgement {
        let facts = CallFacts::new(ROW.name, fold(&self.query), EffectClass::Read, Taint::UNTRUSTED);
        let permission = artoo_web::unfit_query(&self.query).map_or(Permission::Free, Permission::Refuse);
        Judgement::new(facts, permission)
    }

    fn reach(&self) -> Reach<'_> {
        Reach::Sends(&self.query)
    }

    fn describe(&self, _: &str) -> String {
        format!("search the web for {}", escape(&self.query))
    }

    fn run(self: Box<Self>, run: ToolRun) -> Running {
        run.online(|web| async move { web.search(&self.query).await })
    }
}
