//! The data folder: where everything lies, and that nobody else can read it.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

/// Why the data folder cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    /// No home folder.
    #[error("no home folder was found; set ARTOO_DATA_DIR to the folder that artoo should use")]
    NoHome,
    /// It cannot be made or opened.
    #[error(
        "the data folder {path} cannot be used: {source}; make it writable for you, or set ARTOO_DATA_DIR"
    )]
    Unusable {
        /// The folder.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// Somebody else's.
    #[error("{path} {what}; artoo keeps private data there. {remedy}")]
    NotPrivate {
        /// The folder or file.
        path: PathBuf,
        /// What is wrong.
        what: String,
        /// What to do.
        remedy: String,
    },
    /// The socket's path is too long.
    #[error(
        "the socket path {path} has {length} bytes and this system allows {limit}; set ARTOO_SOCKET to a shorter path"
    )]
    SocketTooLong {
        /// The path.
        path: PathBuf,
        /// Its length.
        length: usize,
        /// The limit.
        limit: usize,
    },
}

/// Longest path of a Unix socket: `sun_path` without its final zero.
pub const SOCKET_PATH_LIMIT: usize = if cfg!(target_os = "macos") { 103 } else { 107 };

/// The data folder and the places beside it.
#[derive(Debug, Clone)]
pub struct Places {
    /// The data folder.
    pub data: PathBuf,
    /// The socket.
    pub socket: PathBuf,
    /// The person's home folder.
    pub home: PathBuf,
    /// Where generated files go.
    pub workspace: PathBuf,
}

impl Places {
    /// The places that the environment names, else the defaults.
    ///
    /// # Errors
    /// When there is no home folder, or the socket's path is too long.
    pub fn from_env() -> Result<Self, FolderError> {
        let variable = |name: &str| std::env::var_os(name).filter(|v| !v.is_empty()).map(PathBuf::from);
        let home = directories::BaseDirs::new().map(|d| d.home_dir().to_owned());
        let data = variable("ARTOO_DATA_DIR").or_else(|| Some(home.as_ref()?.join(".artoo")));
        let data = std::path::absolute(data.ok_or(FolderError::NoHome)?).map_err(|_| FolderError::NoHome)?;
        let home = home.unwrap_or_else(|| data.clone());
        let socket = variable("ARTOO_SOCKET").unwrap_or_else(|| data.join("artoo.sock"));
        let workspace = variable("ARTOO_WORKSPACE").unwrap_or_else(|| home.join("artoo_workspace"));
        let places =
            Self { socket, workspace: std::path::absolute(&workspace).unwrap_or(workspace), data, home };
        places.check_socket_length()?;
        Ok(places)
    }

    fn check_socket_length(&self) -> Result<(), FolderError> {
        let length = self.socket.as_os_str().len();
        if length > SOCKET_PATH_LIMIT {
            return Err(FolderError::SocketTooLong {
                path: self.socket.clone(),
                length,
                limit: SOCKET_PATH_LIMIT,
            });
        }
        Ok(())
    }

    /// Makes the data folder and its subfolders, mode 0700.
    ///
    /// # Errors
    /// When it cannot be written, is a link or is not ours. A folder that others can read is closed to them.
    pub fn prepare(&self) -> Result<(), FolderError> {
        make_private(&self.data)?;
        for sub in ["tasks", "journal", "audit", "artifacts", "memory"] {
            make_private(&self.data.join(sub))?;
        }
        if let Some(parent) = self.socket.parent() {
            check_socket_folder(parent)?;
        }
        Ok(())
    }

    /// The memory. Its copies lie beside it.
    pub fn memory(&self) -> PathBuf {
        self.data.join("memory")
    }

    /// Journals of tasks.
    pub fn tasks(&self) -> PathBuf {
        self.data.join("tasks")
    }

    /// The accept index.
    pub fn accept_index(&self) -> PathBuf {
        self.data.join("journal/accept.jsonl")
    }

    /// Envelopes that belong to no task.
    pub fn system_journal(&self) -> PathBuf {
        self.data.join("journal/system.jsonl")
    }

    /// The secret that a confirmation needs.
    pub fn confirm_token(&self) -> PathBuf {
        self.data.join("confirm.token")
    }

    /// What was found out of model servers.
    pub fn known_servers(&self) -> PathBuf {
        self.data.join("model-servers.json")
    }

    /// Recurring tasks.
    pub fn schedules(&self) -> PathBuf {
        self.data.join("schedules.json")
    }

    /// What MCP servers said of their tools when that was agreed to.
    pub fn mcp_pins(&self) -> PathBuf {
        self.data.join("mcp").join("pins.json")
    }
}

/// Makes the folder and what is missing above it. Each name is on the disk afterwards: what is synced in a folder that a
/// power loss takes away is lost all the same.
fn make(path: &Path) -> std::io::Result<()> {
    // Also a link or a file is something, and not replaced.
    if path.as_os_str().is_empty() || fs::symlink_metadata(path).is_ok() {
        return Ok(());
    }
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    make(parent)?;
    match fs::create_dir(path) {
        Err(error) if error.kind() != std::io::ErrorKind::AlreadyExists => Err(error),
        Ok(()) | Err(_) => fs::File::open(parent)?.sync_all(),
    }
}

fn make_private(path: &Path) -> Result<(), FolderError> {
    let unusable = |source| FolderError::Unusable { path: path.to_owned(), source };
    make(path).map_err(unusable)?;
    let metadata = fs::symlink_metadata(path).map_err(unusable)?;
    if !metadata.is_dir() {
        return Err(FolderError::NotPrivate {
            path: path.to_owned(),
            what: "is not a folder".to_owned(),
            remedy: "Move it away, or set ARTOO_DATA_DIR.".to_owned(),
        });
    }
    if metadata.uid() != rustix::process::geteuid().as_raw() {
        return Err(FolderError::NotPrivate {
            path: path.to_owned(),
            what: "belongs to another user".to_owned(),
            remedy: "Set ARTOO_DATA_DIR to a folder of your own.".to_owned(),
        });
    }
    if metadata.permissions().mode() & 0o077 != 0 {
        fs::set_permissions(path, fs::Permissions::from_mode(0o700)).map_err(unusable)?;
    }
    // A folder on a read-only disk exists and has the right mode, and still cannot be written.
    let probe = path.join(".writable");
    // What a crash left behind, or somebody's link, is not written through.
    let _ = fs::remove_file(&probe);
    match fs::File::create_new(&probe).map(drop) {
        // Reading goes on, and writing when there is room again.
        Err(full) if full.kind() == std::io::ErrorKind::StorageFull => Ok(()),
        written => written.and_then(|()| fs::remove_file(&probe)).map_err(unusable),
    }
}

/// A socket in a folder where anybody may replace it is refused, unless the folder is sticky like `/tmp`.
fn check_socket_folder(folder: &Path) -> Result<(), FolderError> {
    let unusable = |source| FolderError::Unusable { path: folder.to_owned(), source };
    let mode = fs::metadata(folder).map_err(unusable)?.permissions().mode();
    if mode & 0o022 != 0 && mode & 0o1000 == 0 {
        return Err(FolderError::NotPrivate {
            path: folder.to_owned(),
            what: "can be written by others".to_owned(),
            remedy: "Run chmod go-w on it, or set ARTOO_SOCKET to a private folder.".to_owned(),
        });
    }
    Ok(())
}
