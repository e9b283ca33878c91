//! What the gate would do with a shell command.

use std::io::BufRead;

use artoo_protocol::v1::{ExplainActionRequest, ExplainActionResponse};
use serde_json::json;

use crate::arguments::ExplainArguments;
use crate::commands::Asking;
use crate::exit::{DONE, Failure};
use crate::one_shot::folder;
use crate::render::{Line, Tone};

/// `artoo explain`.
///
/// # Errors
/// The daemon's error, or that standard input cannot be read.
pub async fn run(asking: &mut Asking, arguments: ExplainArguments) -> Result<u8, Failure> {
    let folder = folder(arguments.cwd.as_deref())?;
    if !arguments.stdin {
        let command = joined(&arguments.command);
        explain(asking, &command, &folder, false).await?;
        return Ok(DONE);
    }
    let end = if arguments.nul { b'\0' } else { b'\n' };
    let mut input = std::io::stdin().lock();
    let mut bytes = Vec::new();
    while input.read_until(end, &mut bytes)? > 0 {
        if bytes.last() == Some(&end) {
            bytes.pop();
        }
        let command = String::from_utf8_lossy(&bytes).into_owned();
        bytes.clear();
        if !command.trim().is_empty() {
            explain(asking, &command, &folder, true).await?;
        }
    }
    Ok(DONE)
}

async fn explain(asking: &mut Asking, command: &str, folder: &str, named: bool) -> Result<(), Failure> {
    let request = ExplainActionRequest {
        tool: "shell".to_owned(),
        arguments: json!({ "command": command }).to_string(),
        working_directory: folder.to_owned(),
    };
    let response = asking.client.explain_action(request).await;
    let verdict = asking.answer(response)?;
    if asking.json {
        return asking.printer.text(object(&verdict)).await;
    }
    let mut lines = Vec::new();
    if named {
        lines.push(Line::new().add(Tone::Accent, "$ ").foreign(Tone::Strong, command));
    }
    lines.extend(lines_of(&verdict));
    asking.printer.lines(&lines).await
}

/// The pinned form: `{"decision": ..., "effects": [...], "targets": [...], "why": [...]}`.
fn object(verdict: &ExplainActionResponse) -> String {
    json!({
        "decision": verdict.decision,
        "effects": verdict.effects,
        "targets": verdict.targets,
        "why": verdict.reasons,
    })
    .to_string()
}

fn lines_of(verdict: &ExplainActionResponse) -> Vec<Line> {
    let (tone, meaning) = match verdict.decision.as_str() {
        "safe" => (Tone::Good, "runs unasked"),
        "confirm" => (Tone::Warn, "a person must say yes"),
        _ => (Tone::Bad, "never runs"),
    };
    let mut lines = vec![
        Line::new()
            .foreign(tone, &verdict.decision)
            .add(Tone::Dim, format!("   {meaning}   "))
            .foreign(Tone::Plain, &verdict.effects.join(", ")),
    ];
    lines.extend(
        verdict
            .targets
            .iter()
            .map(|target| Line::plain("  ").add(Tone::Dim, "target  ").foreign(Tone::Plain, target)),
    );
    lines.extend(
        verdict
            .reasons
            .iter()
            .map(|why| Line::plain("  ").add(Tone::Dim, "why     ").foreign(Tone::Plain, why)),
    );
    lines
}

/// A command from words that a shell took apart: one word is the command itself, several are quoted where they need it.
fn joined(words: &[String]) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_./=:,@%+~*?".contains(c);
    match words {
        [command] => command.clone(),
        words => words
            .iter()
            .map(|word| {
                if !word.is_empty() && word.chars().all(plain) {
                    word.clone()
                } else {
                    format!("'{}'", word.replace('\'', r"'\''"))
                }
            })
            .collect::<Vec<_>>()
            .join(" "),
    }
}

#[cfg(test)]
mod tests;
