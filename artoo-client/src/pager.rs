//! Long answers of a conversation, in the program that this person reads long texts with.

use std::ffi::OsString;
use std::io::Write;
use std::process::{Command, Stdio};

use tokio::signal::unix::{SignalKind, signal};

use crate::exit::Failure;
use crate::output::raw;

/// What is used where `PAGER` says nothing: it ends at once where all fits, passes colours and links, and leaves the text there.
const USUAL: &str = "less -FRX";

/// Shows a text in the pager, or prints it where there is none. Standard output must be a terminal that nobody else uses now.
/// Ctrl+C is the pager's meanwhile, and does not end this process from then on.
///
/// # Errors
/// When nobody takes the output.
pub async fn page(text: String) -> Result<(), Failure> {
    let _caught = signal(SignalKind::interrupt())?;
    let shown = tokio::task::spawn_blocking(move || show(&text)).await;
    shown.unwrap_or_else(|error| Err(Failure::Local(format!("the pager broke down: {error}"))))
}

fn show(text: &str) -> Result<(), Failure> {
    let Some(mut command) = pager(|name| std::env::var_os(name)) else { return raw(text) };
    let Ok(mut reader) = command.stdin(Stdio::piped()).spawn() else { return raw(text) };
    if let Some(mut input) = reader.stdin.take() {
        // Whoever has read enough leaves the rest unread.
        drop(input.write_all(text.as_bytes()));
    }
    match reader.wait() {
        // As shells report a program that is not there.
        Ok(ended) if ended.code() == Some(127) => raw(text),
        Ok(_) | Err(_) => Ok(()),
    }
}

/// The pager of this environment; none where the person wants none.
fn pager(variable: impl Fn(&str) -> Option<OsString>) -> Option<Command> {
    let wanted = variable("PAGER").unwrap_or_else(|| USUAL.into());
    let words = wanted.to_string_lossy();
    if words.trim().is_empty() || words.trim() == "cat" {
        return None;
    }
    // It is a line for a shell, as `man` and `git` take it.
    let mut command = Command::new("sh");
    command.arg("-c").arg(&wanted);
    if variable("LESS").is_none() {
        command.env("LESS", "FRX");
    }
    Some(command)
}

#[cfg(test)]
mod tests {
    use std::ffi::OsString;

    use super::pager;

    #[test]
    fn the_persons_own_pager_is_taken() {
        for (wanted, line) in [
            (None, Some("less -FRX")),
            (Some("most -s"), Some("most -s")),
            (Some(""), None),
            (Some(" cat "), None),
        ] {
            let variable = |name: &str| (name == "PAGER").then_some(wanted).flatten().map(OsString::from);
            let command = pager(variable);
            let last = command.as_ref().and_then(|command| command.get_args().last());
            assert_eq!(last.and_then(|last| last.to_str()), line, "{wanted:?}");
        }
    }
}
