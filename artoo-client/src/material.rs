//! What is piped into a request: `cat log | artoo "why does it fail"`.
//!
//! It is handed over as a file that the request names, so that it counts as text of somebody else and never as an order.

use std::fs::OpenOptions;
use std::io::{IsTerminal, Read, Write};
use std::os::fd::AsFd;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::time::Duration;

use rustix::fs::{FileType, fstat};
use tempfile::TempDir;

use crate::exit::Failure;
use crate::output::Printer;
use crate::render::Language;

/// Most that is taken in: more than that is a file that the request can name itself.
const MOST_BYTES: u64 = 16 << 20;
/// How long whoever writes into the pipe may take to its end.
const PATIENCE: Duration = Duration::from_secs(600);
/// The words that a request may use for what is piped in, where they end it or stand behind one of [`BEFORE`].
const MEANT: [&str; 4] = ["this", "stdin", "这个", "这些"];
const BEFORE: [&str; 4] = ["of", "in", "from", "with"];

/// What was piped in, in a folder that goes with this value.
#[derive(Debug)]
pub struct PipedMaterial {
    folder: TempDir,
}

impl PipedMaterial {
    /// Everything on standard input, if that is a pipe or a file with something in it. A terminal, `/dev/null` and
    /// sockets are left alone: nobody has meant them.
    ///
    /// # Errors
    /// When there is more than is taken in, when it does not end in time, or when it cannot be kept.
    pub async fn read(printer: &mut Printer) -> Result<Option<Self>, Failure> {
        let stdin = std::io::stdin();
        let kind = fstat(stdin.as_fd()).map(|stat| FileType::from_raw_mode(stat.st_mode));
        if stdin.is_terminal() || !matches!(kind, Ok(FileType::Fifo | FileType::RegularFile)) {
            return Ok(None);
        }
        let reading = tokio::task::spawn_blocking(|| {
            let mut bytes = Vec::new();
            std::io::stdin().take(MOST_BYTES + 1).read_to_end(&mut bytes).map(|_| bytes)
        });
        let waiting = "reading standard input   Ctrl+C stops";
        let bytes = printer
            .spin_while(waiting, tokio::time::timeout(PATIENCE, reading))
            .await
            .map_err(|_| too_slow())?
            .map_err(|error| Failure::Local(format!("reading standard input broke down: {error}")))?
            .map_err(|error| Failure::Local(format!("standard input cannot be read: {error}")))?;
        if bytes.len() as u64 > MOST_BYTES {
            return Err(Failure::Usage(format!(
                "standard input holds more than {} MiB: write it to a file and name that in the request",
                MOST_BYTES >> 20
            )));
        }
        if bytes.is_empty() { Ok(None) } else { Self::keep(&bytes).map(Some) }
    }

    fn keep(bytes: &[u8]) -> Result<Self, Failure> {
        let keep = || -> std::io::Result<Self> {
            let folder = tempfile::Builder::new().prefix("artoo-").tempdir()?;
            let path = folder.path().join("stdin.txt");
            OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)?.write_all(bytes)?;
            Ok(Self { folder })
        };
        keep().map_err(|error| Failure::Local(format!("what was piped in cannot be kept: {error}")))
    }

    /// The request with the file in it.
    pub fn named_in(&self, request: &str) -> String {
        name_in(request, &self.folder.path().join("stdin.txt"))
    }
}

/// The file in the place of the word that means it, else behind the request.
fn name_in(request: &str, path: &Path) -> String {
    let request = request.trim_end();
    let path = path.display().to_string();
    let words: Vec<&str> = request.split(' ').collect();
    let bare = |word: &str| word.trim_matches(['?', '.', '!', '？', '。', '！']).to_lowercase();
    let meant = words.iter().enumerate().rposition(|(index, word)| {
        let behind = index > 0 && BEFORE.contains(&bare(words[index - 1]).as_str());
        MEANT.contains(&bare(word).as_str()) && (behind || index + 1 == words.len())
    });
    if let Some(at) = meant {
        let words = words.iter().enumerate();
        let named = words.map(|(index, word)| if index == at { path.as_str() } else { word });
        return named.collect::<Vec<_>>().join(" ");
    }
    match Language::of(request) {
        Language::English => format!("{request} (what was piped in is the file {path})"),
        Language::Chinese => format!("{request}（管道传入的内容在文件 {path} 里）"),
    }
}

/// The request with `@name` as the name itself, where a file or folder of that name is there: `@` asks the editor for names.
pub fn named_files(request: &str) -> String {
    let named =
        |word: &str| word.strip_prefix('@').filter(|name| Path::new(name).exists()).map(str::to_owned);
    let words = request.split(' ').map(|word| named(word).unwrap_or_else(|| word.to_owned()));
    words.collect::<Vec<_>>().join(" ")
}

fn too_slow() -> Failure {
    Failure::Local(format!("standard input did not end within {} minutes", PATIENCE.as_secs() / 60))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{PipedMaterial, name_in, named_files};

    #[test]
    fn the_file_stands_where_the_request_means_it() {
        for (request, named) in [
            ("count the lines of this", "count the lines of /t/stdin.txt"),
            ("how many words in this?", "how many words in /t/stdin.txt"),
            ("which of this is new", "which of /t/stdin.txt is new"),
            (
                "why does this program fail",
                "why does this program fail (what was piped in is the file /t/stdin.txt)",
            ),
            ("why does it fail", "why does it fail (what was piped in is the file /t/stdin.txt)"),
            ("为什么失败", "为什么失败（管道传入的内容在文件 /t/stdin.txt 里）"),
        ] {
            assert_eq!(name_in(request, Path::new("/t/stdin.txt")), named, "{request}");
        }
    }

    #[test]
    fn a_file_that_is_there_may_be_named_with_an_at() {
        assert_eq!(
            named_files("count @/etc and @/no/such/file, ask a@b"),
            "count /etc and @/no/such/file, ask a@b"
        );
    }

    #[test]
    fn what_was_piped_in_goes_with_its_value() {
        let material = PipedMaterial::keep(b"a\xff\n").expect("it can be kept");
        let path = material.folder.path().join("stdin.txt");
        assert_eq!(std::fs::read(&path).expect("it is there"), b"a\xff\n");
        drop(material);
        assert!(!path.exists());
    }
}
