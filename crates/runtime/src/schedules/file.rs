//! The file of the schedules: replaced as a whole, so that after a crash the old or the new one is there.

use std::fs::{self, File, OpenOptions};
use std::io::{ErrorKind, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;

use artoo_schedule::MissedPolicy;
use artoo_types::{TaskId, Timestamp};
use serde::{Deserialize, Serialize};

/// Largest file that is read: a hundred schedules with the longest requests.
const MAX_BYTES: u64 = 8 << 20;

/// One recurring task.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Schedule {
    /// Eight hexadecimal digits.
    pub id: String,
    /// When, as the person said it.
    pub when: String,
    /// The same in the form of cron.
    pub cron: String,
    /// The request.
    pub input: String,
    /// Absolute folder in which it runs.
    pub working_directory: String,
    /// What becomes of missed occurrences.
    pub missed: MissedPolicy,
    /// When it was made.
    pub made_at: Timestamp,
    /// Everything up to here is over.
    pub handled: Timestamp,
    /// The task that its last occurrence became.
    #[serde(default)]
    pub last_task: Option<TaskId>,
    /// Why its last occurrence did not run.
    #[serde(default)]
    pub last_problem: Option<String>,
    /// When its request was refused for a reason that passes.
    #[serde(default)]
    pub refused_at: Option<Timestamp>,
}

/// None where there is no file; else what is wrong with it.
pub(super) fn read(path: &Path) -> Result<Vec<Schedule>, String> {
    match fs::metadata(path) {
        // Opening a pipe would wait for a writer.
        Ok(meta) if !meta.is_file() => return Err("it is not a file".to_owned()),
        Ok(meta) if meta.len() > MAX_BYTES => return Err(format!("it is larger than {MAX_BYTES} bytes")),
        Ok(_) => {}
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error.to_string()),
    }
    let bytes = fs::read(path).map_err(|error| error.to_string())?;
    serde_json::from_slice(&bytes).map_err(|error| error.to_string())
}

/// On the disk when this returns.
pub(super) fn write(path: &Path, schedules: &[Schedule]) -> std::io::Result<()> {
    let draft = path.with_extension("json.new");
    if let Err(error) = fs::remove_file(&draft)
        && error.kind() != ErrorKind::NotFound
    {
        return Err(error);
    }
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&draft)?;
    file.write_all(&serde_json::to_vec_pretty(schedules)?)?;
    file.sync_all()?;
    fs::rename(&draft, path)?;
    File::open(path.parent().unwrap_or(path))?.sync_all()
}
