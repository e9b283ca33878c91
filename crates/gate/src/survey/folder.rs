//! The folder that a command is in: `cd` is followed where it is certain.

use artoo_types::evidence::EffectClass;
use artoo_types::target::{Bases, normal_path};

use super::Survey;
use crate::places::canonical;
use crate::word::Arg;

impl Survey<'_> {
    /// The normalised form of a path that the command names at this point.
    pub(crate) fn resolve(&self, path: &str) -> String {
        normal_path(path, Bases { working_directory: &self.folder, ..self.places.bases() })
    }

    /// `cd`: what comes afterwards is judged in the other folder, when it is certain that the shell gets there.
    pub(crate) fn change_folder(&mut self, args: &[Arg]) {
        let args = if args.first().and_then(Arg::fixed).as_deref() == Some("--") { &args[1..] } else { args };
        let text = match args {
            [] => Some(self.places.home.clone()),
            [one] => one.fixed().filter(|text| !text.is_empty() && !text.starts_with('-')),
            _ => None,
        };
        let Some(text) = text else {
            self.confirm("which folder it goes to is known only when it runs");
            return;
        };
        self.path(&Arg::plain(&text), false);
        let folder = self.resolve(&text);
        let may_enter = rustix::fs::access(&*folder, rustix::fs::Access::EXEC_OK).is_ok();
        if !may_enter || canonical(&folder) != folder || !std::path::Path::new(&folder).is_dir() {
            self.confirm(&format!("the folder {folder} is not there, or a link leads to it"));
        }
        self.folder = folder;
        self.forget_listings();
    }

    /// Goes back to a folder after a part of the command that may not have been carried out, or not once.
    pub(super) fn back_from_uncertain(&mut self, folder: String) {
        if self.folder != folder {
            self.act(EffectClass::Unknown, "which folder it is in afterwards is not certain");
            self.folder = folder;
        }
    }
}
