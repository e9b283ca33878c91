//! Where things are: the data folder and the daemon's socket.

use std::ffi::OsString;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use crate::exit::Failure;

/// Longest path of a socket in bytes: what fits in `sun_path` with its final zero.
pub const SOCKET_PATH_BYTES: usize = if cfg!(target_os = "macos") { 103 } else { 107 };

/// The paths that client and daemon share.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClientPaths {
    /// The data folder, absolute.
    pub data: PathBuf,
    /// The socket, absolute.
    pub socket: PathBuf,
}

impl ClientPaths {
    /// From `--socket`, the environment and the home folder.
    ///
    /// # Errors
    /// When there is no home folder to fall back on, or the socket's path is too long for the platform.
    pub fn find(socket: Option<&Path>) -> Result<Self, Failure> {
        Self::resolve(socket, |name| std::env::var_os(name), home())
    }

    /// Like [`ClientPaths::find`], with the environment as an argument. An empty variable counts as absent.
    ///
    /// # Errors
    /// As [`ClientPaths::find`].
    pub fn resolve(
        socket: Option<&Path>,
        variable: impl Fn(&str) -> Option<OsString>,
        home: Option<PathBuf>,
    ) -> Result<Self, Failure> {
        let variable = |name: &str| variable(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        let data = variable("ARTOO_DATA_DIR").or_else(|| home.map(|home| home.join(".artoo")));
        let data = data
            .ok_or_else(|| Failure::Local("no home folder is known: set ARTOO_DATA_DIR".to_owned()))
            .and_then(|data| Ok(std::path::absolute(data)?))?;
        let socket = socket.map(Path::to_owned).or_else(|| variable("ARTOO_SOCKET"));
        let socket = std::path::absolute(socket.unwrap_or_else(|| data.join("artoo.sock")))?;
        let length = socket.as_os_str().as_bytes().len();
        if length > SOCKET_PATH_BYTES {
            return Err(Failure::Local(format!(
                "the socket's path is {length} bytes long, and this system allows {SOCKET_PATH_BYTES}: {}. Set \
                 ARTOO_SOCKET (or --socket) to a shorter path, the same for client and daemon.",
                socket.display()
            )));
        }
        Ok(Self { data, socket })
    }

    /// The file whose content proves that a person of this account answers.
    pub fn token(&self) -> PathBuf {
        self.data.join("confirm.token")
    }

    /// What was typed in the REPL.
    pub fn history(&self) -> PathBuf {
        self.data.join("history.txt")
    }
}

/// A path as people write it, with `~` for the home folder.
pub fn short(path: &Path) -> String {
    match home().and_then(|home| path.strip_prefix(home).ok().map(Path::to_owned)) {
        Some(rest) if rest.as_os_str().is_empty() => "~".to_owned(),
        Some(rest) => format!("~/{}", rest.display()),
        None => path.display().to_string(),
    }
}

/// The home folder of this account, where one is known.
pub fn home() -> Option<PathBuf> {
    directories::BaseDirs::new().map(|dirs| dirs.home_dir().to_owned())
}

/// Who reads an answer on a screen, and from where.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct AnswerReader {
    /// The folder where the person is.
    pub here: PathBuf,
    /// The home folder, which is written `~`.
    pub home: Option<PathBuf>,
}

impl AnswerReader {
    /// Of this process.
    pub fn here() -> Self {
        Self { here: std::env::current_dir().unwrap_or_default(), home: home() }
    }

    /// A path as this person would write it.
    pub fn path(&self, path: &str) -> String {
        let whole = Path::new(path);
        match whole.strip_prefix(&self.here) {
            Ok(rest) if !rest.as_os_str().is_empty() && self.here.is_absolute() => rest.display().to_string(),
            Ok(_) | Err(_) => self.below_home(whole),
        }
    }

    fn below_home(&self, path: &Path) -> String {
        match self.home.as_ref().and_then(|home| path.strip_prefix(home).ok()) {
            Some(rest) if rest.as_os_str().is_empty() => "~".to_owned(),
            Some(rest) => format!("~/{}", rest.display()),
            None => path.display().to_string(),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::ffi::OsString;
    use std::path::{Path, PathBuf};

    use super::{ClientPaths, SOCKET_PATH_BYTES};

    /// With this flag and environment, and the home folder `/h`, the paths are these.
    fn check(flag: Option<&str>, environment: &[(&str, &str)], data: &str, socket: &str) {
        let variable = |name: &str| {
            environment.iter().find(|(key, _)| *key == name).map(|(_, value)| OsString::from(value))
        };
        let paths = ClientPaths::resolve(flag.map(Path::new), variable, Some(PathBuf::from("/h")))
            .expect("it resolves");
        assert_eq!(paths, ClientPaths { data: data.into(), socket: socket.into() });
    }

    #[test]
    fn the_flag_comes_before_the_environment_and_that_before_the_default() {
        check(None, &[], "/h/.artoo", "/h/.artoo/artoo.sock");
        check(None, &[("ARTOO_DATA_DIR", "/d")], "/d", "/d/artoo.sock");
        check(None, &[("ARTOO_DATA_DIR", "/d"), ("ARTOO_SOCKET", "/s/x")], "/d", "/s/x");
        check(Some("/f"), &[("ARTOO_SOCKET", "/s/x")], "/h/.artoo", "/f");
        check(None, &[("ARTOO_SOCKET", ""), ("ARTOO_DATA_DIR", "")], "/h/.artoo", "/h/.artoo/artoo.sock");
    }

    #[test]
    fn a_socket_path_over_the_limit_is_refused_with_limit_and_variable() {
        let fits = format!("/{}", "x".repeat(SOCKET_PATH_BYTES - 1));
        check(Some(&fits), &[], "/h/.artoo", &fits);
        let error = ClientPaths::resolve(Some(Path::new(&format!("{fits}x"))), |_| None, Some("/h".into()))
            .expect_err("one byte too long");
        let text = error.to_string();
        assert!(text.contains(&SOCKET_PATH_BYTES.to_string()) && text.contains("ARTOO_SOCKET"), "{text}");
    }

    #[test]
    fn without_a_home_folder_the_variable_is_asked_for() {
        let error = ClientPaths::resolve(None, |_| None, None).expect_err("nowhere to go");
        assert!(error.to_string().contains("ARTOO_DATA_DIR"));
    }
}
