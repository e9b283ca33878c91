//! What the file tools share.

use artoo_gate::paths::{PathAccess, PathRules};
use artoo_types::evidence::EffectClass;

use crate::tool::Permission;

pub(crate) mod content;
pub(crate) mod find_command;
pub(crate) mod index;
pub(crate) mod measure;
pub(crate) mod names;
pub(crate) mod own;
pub(crate) mod picture;
pub(crate) mod seen;
pub(crate) mod state;
pub(crate) mod walk;

/// Whether this normalised path may be read.
pub(crate) fn reading(path: &str, places: &PathRules) -> Permission {
    match places.opening(path) {
        PathAccess::Free => Permission::Free,
        PathAccess::Ask(why) => Permission::ask(EffectClass::Read, path, why),
        PathAccess::Never(why) => {
            Permission::refuse(format!("{why}, which no tool may read; name another path"))
        }
    }
}
