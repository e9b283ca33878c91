//! A daemon in this process, for tests that need its parts and not its programs.

use std::path::Path;

use artoo_model::{ModelConfig, Models, Timing};
use artoo_types::redact::Redactor;
use artoo_types::setting::ControlParams;

use crate::config::StorageParams;
use crate::folder::Places;
use crate::wiring::{self, Daemon};

/// The places below a folder, made.
pub(crate) fn places(folder: &Path) -> Places {
    let at = |name: &str| folder.join(name);
    let places = Places { data: at("data"), socket: at("s"), home: at("home"), workspace: at("workspace") };
    std::fs::create_dir_all(&places.home).expect("a folder can be made");
    places.prepare().expect("a data folder can be made");
    places
}

/// The built-in rules.
pub(crate) fn offline() -> Models {
    let models = Models::new(&ModelConfig::default(), Timing::default(), &Redactor::default());
    models.expect("the built-in rules need no configuration")
}

/// A daemon on these places, which syncs or does not.
pub(crate) fn assembled(places: &Places, models: Models, sync: bool) -> Daemon {
    let (control, storage) = (ControlParams::default(), StorageParams::default());
    let daemon = wiring::assemble(places, models, control, storage, Redactor::default(), None, sync);
    daemon.expect("the parts fit")
}
