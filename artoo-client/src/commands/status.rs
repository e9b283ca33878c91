//! The daemon's own state.

use std::path::Path;

use artoo_protocol::v1::{GetStatusRequest, GetStatusResponse};
use artoo_protocol::words::Level;

use crate::console::Console;
use crate::exit::{DONE, Failure};
use crate::one_shot::models;
use crate::paths::short;
use crate::render::figures::{count, memories};
use crate::render::line::LIST_LINES;
use crate::render::text::pad;
use crate::render::words::Phrase;
use crate::render::{Language, Line, Tone};
use crate::terminal::spoken;

/// `artoo status`.
pub async fn status(console: &mut Console) -> Result<u8, Failure> {
    let status = console.daemon.answer(console.client.get_status(GetStatusRequest {}).await)?;
    console.print(&status, |status, look| lines(status, spoken(), look.width)).await?;
    Ok(DONE)
}

/// One line about the daemon: the head of a conversation.
pub fn headline(status: &GetStatusResponse, language: Language) -> Line {
    let held = |level: Level| status.megrams.get(level.as_str()).copied().unwrap_or_default();
    let up = format!("daemon up {}", language.duration(status.uptime_ms));
    let (memories, rules) = (memories(held(Level::M) + held(Level::K)), count(held(Level::C), "rule"));
    Line::new()
        .foreign(Tone::Strong, &format!("artoo {}", status.version))
        .add(Tone::Dim, format!(" · {}", language.screen(&up)))
        .foreign(Tone::Plain, &format!(" · {}", language.screen(&models(status))))
        .add(
            Tone::Dim,
            format!(
                " · {}{}{}",
                language.screen(&memories),
                language.say(Phrase::Comma),
                language.screen(&rules)
            ),
        )
}

/// That the daemon runs with another configuration than is written down.
pub fn changed(status: &GetStatusResponse, language: Language) -> Option<Line> {
    let said = "config.toml was changed: artoo restart applies it";
    status
        .configuration_changed
        .then(|| Line::plain("  ").add(Tone::Warn, "! ").add(Tone::Plain, language.screen(said)))
}

/// What is missing for a model that somebody began to configure, in lines of this width.
pub fn missing(status: &GetStatusResponse, language: Language, width: usize) -> Vec<Line> {
    if status.model_missing.is_empty() {
        return Vec::new();
    }
    Line::plain("  ").add(Tone::Warn, "! ").hanging(
        Tone::Plain,
        &language.screen(&status.model_missing),
        width,
        LIST_LINES,
    )
}

/// Findings of the auditor that nobody has acknowledged.
fn open_findings(status: &GetStatusResponse, language: Language) -> Option<Line> {
    let mut kinds: Vec<_> = status.open_findings.iter().collect();
    kinds.sort();
    let said: Vec<String> = kinds.iter().map(|(kind, number)| format!("{number} {kind}")).collect();
    let all = kinds.iter().map(|(_, number)| **number).sum::<u64>();
    (all > 0).then(|| {
        Line::plain("  ").add(Tone::Warn, "! ").foreign(
            Tone::Plain,
            &language.screen(&format!("the auditor found {}: artoo audit list", said.join(", "))),
        )
    })
}

/// Everything about the daemon.
pub fn lines(status: &GetStatusResponse, language: Language, width: usize) -> Vec<Line> {
    let row = |label: &str, text: &str| {
        let label = pad(&language.screen(label), 12);
        Line::plain("  ").add(Tone::Dim, label).foreign(Tone::Plain, &language.screen(text)).fit(width)
    };
    let mut tasks: Vec<_> = status.tasks.iter().collect();
    tasks.sort();
    let told = |(state, number): (&String, &u64)| language.screen(&format!("{number} {state}"));
    let tasks: Vec<String> = tasks.into_iter().map(told).collect();
    let confinement = if status.confinement.is_empty() {
        "none: artoo asks before every command"
    } else {
        status.confinement.as_str()
    };
    let mut lines = vec![
        headline(status, language).fit(width),
        row("process", &format!("{} · protocol {}", status.pid, status.protocol_version)),
        row(
            "tasks",
            &if tasks.is_empty() { "none yet".to_owned() } else { tasks.join(language.say(Phrase::Comma)) },
        ),
        row("data", &short(Path::new(&status.data_directory))),
        row("workspace", &short(Path::new(&status.workspace))),
        row("confined by", confinement),
        row("dropped", &count(status.dropped_events, "event")),
    ];
    lines.extend(changed(status, language));
    lines.extend(open_findings(status, language));
    for warning in &status.warnings {
        lines.push(Line::plain("  ").add(Tone::Warn, "! ").foreign(Tone::Plain, &language.screen(warning)));
    }
    lines
}
