//! Whether commands can be confined on this machine.

use std::sync::OnceLock;

use artoo_command::Launcher;
use artoo_command::sandbox::{ConfinementMeans, Sandboxing};
use artoo_gate::paths::PathRules;

/// How commands are confined, found out when it is first asked.
#[derive(Debug)]
pub(crate) struct Sandbox {
    wanted: Sandboxing,
    launcher: Option<Launcher>,
    places: PathRules,
    means: OnceLock<ConfinementMeans>,
}

impl Sandbox {
    /// Commands confined as wanted, by a keeper that is started so.
    pub(crate) fn new(wanted: Sandboxing, launcher: Option<Launcher>, places: PathRules) -> Self {
        Self { wanted, launcher, places, means: OnceLock::new() }
    }

    /// What the machine offers. The first answer takes some milliseconds.
    pub(crate) fn means(&self) -> &ConfinementMeans {
        self.means.get_or_init(|| {
            let means = ConfinementMeans::find(&self.wanted, self.launcher.as_ref(), self.places.hidden());
            if let ConfinementMeans::Lacking(why) = &means {
                tracing::warn!(why, "commands cannot be confined here; each needs a person's word");
            }
            means
        })
    }

    /// How commands are confined, in a few words; empty when they are not.
    pub(crate) fn words(&self) -> String {
        match self.means() {
            ConfinementMeans::Confining(means) => means.clone(),
            ConfinementMeans::Lacking(_) | ConfinementMeans::Waived => String::new(),
        }
    }

    /// What to tell the person when commands cannot be confined here; `None` if they can.
    pub(crate) fn lack(&self) -> Option<String> {
        match self.means() {
            ConfinementMeans::Lacking(why) => Some(format!(
                "commands cannot be confined here ({why}), so artoo asks before each; Linux 6.2 or newer with Landlock can"
            )),
            ConfinementMeans::Confining(_) | ConfinementMeans::Waived => None,
        }
    }
}
