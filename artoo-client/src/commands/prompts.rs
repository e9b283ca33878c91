//! `artoo show ID --prompts`: what the models of a task were told, word for word.

use std::collections::BTreeMap;

use artoo_protocol::v1::{ListPromptsRequest, ListPromptsResponse, Prompt};

use crate::console::Console;
use crate::exit::{DONE, Failure};
use crate::ids;
use crate::render::figures::count;
use crate::render::{Line, Tone};

/// Prints every prompt in the order in which they were sent, and what each role read in all.
///
/// # Errors
/// The daemon's error.
pub async fn run(console: &mut Console, id: &str) -> Result<u8, Failure> {
    let task_id = ids::task(console, id).await?;
    let mut prompts: Vec<Prompt> = Vec::new();
    loop {
        let after_call = prompts.last().map_or(0, |prompt| prompt.call);
        let request = ListPromptsRequest { task_id: task_id.clone(), after_call };
        let page = console.daemon.answer(console.client.list_prompts(request).await)?;
        let is_last = !page.more || page.prompts.is_empty();
        prompts.extend(page.prompts);
        if is_last {
            break;
        }
    }
    let all = ListPromptsResponse { prompts, more: false };
    console.print(&all, |all, _| lines(&all.prompts)).await?;
    Ok(DONE)
}

/// What the calls of a role read.
#[derive(Default)]
struct Total {
    calls: u64,
    chars: u64,
    same: u64,
    tools: u64,
}

fn lines(prompts: &[Prompt]) -> Vec<Line> {
    let mut lines = Vec::new();
    let mut totals: BTreeMap<&str, Total> = BTreeMap::new();
    for prompt in prompts {
        let total = totals.entry(prompt.role.as_str()).or_default();
        total.calls += 1;
        total.chars += prompt.chars;
        total.same += prompt.same_chars;
        total.tools += prompt.tool_chars;
        lines.push(head(prompt));
        for message in &prompt.messages {
            lines.push(Line::plain("  ").foreign(Tone::Accent, &message.speaker));
            let text = message.content.lines();
            lines.extend(text.map(|line| Line::plain("  ").foreign(Tone::Plain, line)));
        }
        lines.push(Line::new());
    }
    for (role, total) in totals {
        let calls = count(total.calls, "call");
        let tools = if total.tools == 0 { String::new() } else { format!(", and {} of tools", total.tools) };
        let told =
            format!("{calls}, {} characters{tools}, {} as in the call before", total.chars, total.same);
        lines.push(Line::new().foreign(Tone::Strong, role).add(Tone::Dim, format!("   {told}")));
    }
    if lines.is_empty() {
        lines.push(Line::new().add(Tone::Dim, "no model was asked"));
    }
    lines
}

fn head(prompt: &Prompt) -> Line {
    let tools = match prompt.native_tools.len() as u64 {
        0 => String::new(),
        number => format!(" · {} of {} characters", count(number, "tool"), prompt.tool_chars),
    };
    Line::new()
        .add(Tone::Strong, format!("call {} · ", prompt.call))
        .foreign(Tone::Strong, &prompt.role)
        .add(Tone::Dim, " · ")
        .foreign(Tone::Dim, &prompt.schema)
        .add(
            Tone::Dim,
            format!(" · {} characters, {} as in the call before{tools}", prompt.chars, prompt.same_chars),
        )
}
