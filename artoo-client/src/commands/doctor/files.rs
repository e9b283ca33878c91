//! What can be seen without the daemon: files and their rights, the configuration.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use super::check::{DoctorCheck, SafeFix};
use crate::paths::{ClientPaths, short};
use crate::start::{CORRECT, StartError, TAKE_OUT, would_start};

/// Every check of files.
pub(super) fn of_files(paths: &ClientPaths) -> Vec<DoctorCheck> {
    let secrets = [
        ("data folder", paths.data.clone(), 0o700),
        ("socket", paths.socket.clone(), 0o600),
        ("token", paths.token(), 0o600),
        ("configuration", paths.data.join("config.toml"), 0o600),
    ];
    secrets.iter().filter_map(|(name, path, mode)| private(name, path, *mode)).collect()
}

/// Whether the daemon would start with `config.toml` as it is now; None where that cannot be asked.
pub(super) fn configuration(paths: &ClientPaths) -> Option<DoctorCheck> {
    match would_start(paths) {
        Ok(()) => Some(DoctorCheck::fine("config.toml", "the daemon starts with it".to_owned())),
        Err(StartError::Misconfigured(said)) => {
            Some(DoctorCheck::wrong("config.toml", said, CORRECT).by(TAKE_OUT.to_owned()))
        }
        Err(StartError::NotFound | StartError::NotRunnable { .. }) => None,
    }
}

/// That nobody else has a right to a file; None if it does not exist.
fn private(name: &'static str, path: &Path, mode: u32) -> Option<DoctorCheck> {
    let found = std::fs::metadata(path).ok()?.permissions().mode() & 0o777;
    let shown = short(path);
    if found & 0o077 == 0 {
        return Some(DoctorCheck::fine(name, format!("{shown} is yours alone")));
    }
    let wrong = DoctorCheck::wrong(name, format!("{shown} has mode {found:o}: others can reach it"), "");
    Some(wrong.by(format!("chmod {mode:o} {shown}")).fixed_by(SafeFix::Close(path.to_owned(), mode)))
}

#[cfg(test)]
mod tests {
    use std::fs::Permissions;
    use std::os::unix::fs::PermissionsExt;

    use super::super::check::CheckVerdict;
    use super::private;

    #[test]
    fn a_file_that_others_can_read_is_wrong() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let file = folder.path().join("confirm.token");
        assert_eq!(private("token", &file, 0o600), None, "what does not exist leaks nothing");
        std::fs::write(&file, "x").expect("it can be written");
        for (mode, verdict) in
            [(0o600, CheckVerdict::Fine), (0o640, CheckVerdict::Wrong), (0o604, CheckVerdict::Wrong)]
        {
            std::fs::set_permissions(&file, Permissions::from_mode(mode)).expect("its mode can be set");
            assert_eq!(private("token", &file, 0o600).map(|check| check.verdict), Some(verdict), "{mode:o}");
        }
    }
}
