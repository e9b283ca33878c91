//! `fetch_url`: one page of the internet.

use artoo_gate::paths::PathRules;
use artoo_types::evidence::EffectClass;
use artoo_types::taint::Taint;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::installed::HelperProgram;
use crate::sandbox::Sandbox;
use crate::tool::{CallFacts, Judgement, Permission, Reach, Tool, ToolRow};
use crate::work::{Running, ToolRun};

pub(super) const ROW: ToolRow = ToolRow::of::<FetchUrl>(
    "fetch_url",
    "read a page, text or JSON of the internet; nothing is sent but the address",
)
.needing(HelperProgram::Web)
.looking();

#[derive(Debug, Deserialize, JsonSchema)]
struct FetchUrl {
    /// an http or https address on the public internet
    url: String,
}

impl Tool for FetchUrl {
    fn judge(&self, _: &PathRules, _: &Sandbox) -> Judgement {
        let facts =
            CallFacts::new(ROW.name, artoo_web::address(&self.url), EffectClass::Read, Taint::UNTRUSTED);
        let permission = artoo_web::unfit_address(&self.url).map_or(Permission::Free, Permission::Refuse);
        Judgement::new(facts, permission)
    }

    fn reach(&self) -> Reach<'_> {
        Reach::Sends(&self.url)
    }

    fn describe(&self, target: &str) -> String {
        format!("fetch {target}")
    }

    fn run(self: Box<Self>, run: ToolRun) -> Running {
        run.online(|web| async move { web.fetch(&self.url).await })
    }
}
