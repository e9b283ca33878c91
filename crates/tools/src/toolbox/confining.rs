//! Putting what the gate says of a command together with what this machine can confine.

use artoo_types::evidence::EffectClass;

use super::{CallFacts, Toolbox};
use crate::judge::{self, Gate};
use artoo_command::sandbox::Means;
use artoo_command::sandbox::{Confinement, derive};
use artoo_gate as gate;
use artoo_gate::places::Places;

impl Toolbox {
    /// How commands are confined, in a few words; empty when they are not. The first answer takes some milliseconds.
    pub fn confinement(&self) -> String {
        match self.means() {
            Means::Confining(means) => means.clone(),
            Means::Lacking(_) | Means::Waived => String::new(),
        }
    }

    /// What to tell the person when commands cannot be confined here; none when they can.
    pub fn confinement_lack(&self) -> Option<String> {
        match self.means() {
            Means::Lacking(why) => Some(format!(
                "commands cannot be confined here ({why}), so artoo asks before each; Linux 6.2 or newer with Landlock can"
            )),
            Means::Confining(_) | Means::Waived => None,
        }
    }

    pub(super) fn means(&self) -> &Means {
        let config = &self.shared.config;
        let find = || {
            let means = Means::find(&config.sandbox, config.launcher.as_ref(), &self.places("/").hidden());
            if let Means::Lacking(why) = &means {
                tracing::warn!(why, "commands cannot be confined here; each needs a person's word");
            }
            means
        };
        self.shared.means.get_or_init(find)
    }

    /// Judges a shell command, and says what it may do if it runs.
    pub(super) fn weigh_shell(&self, command: &str, places: &Places) -> (CallFacts, Gate, Confinement) {
        let told = gate::explain(command, places);
        let (facts, gate) = judge::shell(&told);
        match self.means() {
            Means::Waived => (facts, gate, Confinement::FullPower),
            Means::Lacking(why) => {
                let free = format!("nothing would confine it here: {why}");
                let gate = match gate {
                    Gate::Free => Gate::Ask { effects: told.effects, targets: told.targets, why: vec![free] },
                    Gate::Ask { effects, targets, why } => with_reason(effects, targets, why, free),
                    Gate::Refuse(reason) => Gate::Refuse(reason),
                };
                (facts, gate, Confinement::FullPower)
            }
            Means::Confining(_) => match gate {
                Gate::Free => (facts, gate, derive::unasked(&told, places)),
                Gate::Ask { effects, targets, why } => {
                    let confinement = derive::agreed(command, &told, places);
                    let gate = with_reason(effects, targets, why, derive::told(&confinement));
                    (facts, gate, confinement)
                }
                Gate::Refuse(reason) => (facts, Gate::Refuse(reason), Confinement::FullPower),
            },
        }
    }
}

fn with_reason(
    effects: Vec<EffectClass>,
    targets: Vec<String>,
    mut why: Vec<String>,
    reason: String,
) -> Gate {
    why.push(reason);
    Gate::Ask { effects, targets, why }
}

#[cfg(test)]
mod tests;
