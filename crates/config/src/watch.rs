//! Whether what the daemon was started with is still what is written down.

use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::PathBuf;

use super::file::config_path;
use super::table::SETTINGS;
use crate::folder::Places;

/// `config.toml` as it was when the daemon started. It is compared by its content, so that a change that is taken back is none.
#[derive(Debug, Clone)]
pub struct ConfigWatch {
    path: PathBuf,
    at_start: Option<u64>,
}

impl ConfigWatch {
    /// As it is now; to be called before it is read.
    pub fn start(places: &Places) -> Self {
        let path = config_path(places);
        let at_start = content(&path);
        Self { path, at_start }
    }

    /// Whether it is another one now.
    pub fn has_changed(&self) -> bool {
        content(&self.path) != self.at_start
    }
}

/// The variables that configure anything, each once, in the order of their names.
pub fn variables() -> BTreeSet<&'static str> {
    SETTINGS.iter().filter_map(|setting| setting.environment).collect()
}

/// None where there is no file, or none that can be read.
fn content(path: &PathBuf) -> Option<u64> {
    // Opening a pipe would wait for a writer.
    std::fs::metadata(path).ok().filter(std::fs::Metadata::is_file)?;
    let mut hasher = DefaultHasher::new();
    std::fs::read(path).ok()?.hash(&mut hasher);
    Some(hasher.finish())
}

#[cfg(test)]
mod tests {
    use super::ConfigWatch;

    #[test]
    fn a_pipe_in_its_place_is_not_waited_for() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("config.toml");
        assert!(std::process::Command::new("mkfifo").arg(&path).status().unwrap().success());
        assert_eq!(super::content(&path), None);
    }

    #[test]
    fn a_change_is_seen_until_it_is_taken_back() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("config.toml");
        let write = |text: &str| std::fs::write(&path, text).unwrap();
        let none = ConfigWatch { path: path.clone(), at_start: None };
        assert!(!none.has_changed());
        write("a = 1\n");
        assert!(none.has_changed());
        let some = ConfigWatch { path: path.clone(), at_start: super::content(&path) };
        assert!(!some.has_changed());
        write("a = 2\n");
        assert!(some.has_changed());
        write("a = 1\n");
        assert!(!some.has_changed());
        std::fs::remove_file(&path).unwrap();
        assert!(some.has_changed() && !none.has_changed());
    }
}
