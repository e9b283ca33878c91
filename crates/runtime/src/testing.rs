//! A daemon in this process, for tests that need its parts and not its programs.

use std::path::Path;
use std::sync::Arc;

use artoo_model::{Answer, ChatModel, KnownServers, ModelConfig, Models, Timing};
use artoo_redact::Redactor;
use artoo_types::chat::ChatRequest;

use crate::offline::OfflineRules;
use crate::wiring::{self, Daemon, DaemonOptions};
use artoo_config::folder::Places;

/// The places below a folder, made.
pub fn places(folder: &Path) -> Places {
    let at = |name: &str| folder.join(name);
    let places = Places { data: at("data"), socket: at("s"), home: at("home"), workspace: at("workspace") };
    std::fs::create_dir_all(&places.home).expect("a folder can be made");
    places.prepare().expect("a data folder can be made");
    places
}

/// The built-in rules.
pub fn offline() -> Models {
    let rules: Arc<dyn ChatModel> = Arc::new(OfflineRules);
    let known = KnownServers::default();
    let models =
        Models::new(&ModelConfig::default(), Timing::default(), &Redactor::default(), &known, &rules);
    models.expect("the built-in rules need no configuration")
}

/// A model that never answers, so that a task stays at work.
pub fn silent() -> Models {
    Models::single(Arc::new(Silent))
}

/// A daemon on these places, which syncs or does not.
pub fn assembled(places: &Places, models: Models, sync: bool) -> Daemon {
    let options = DaemonOptions { sync, ..DaemonOptions::without_keeper(models) };
    let daemon = wiring::assemble(places, options);
    daemon.expect("the parts fit")
}

struct Silent;

impl ChatModel for Silent {
    fn complete(&self, _request: ChatRequest) -> Answer<'_> {
        Box::pin(std::future::pending())
    }

    fn label(&self) -> String {
        "silent".to_owned()
    }

    fn native_tool_calls(&self) -> bool {
        false
    }
}
