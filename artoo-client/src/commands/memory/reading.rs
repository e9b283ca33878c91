//! Looking into the memory.

use artoo_protocol::v1::{ListMegramsRequest, Megram, MemoryCluster, QueryMemoryRequest, Tag};
use artoo_protocol::words::Level;

use super::{parse_tag, related, row};
use crate::commands::age;
use crate::console::Console;
use crate::exit::{DONE, Failure};
use crate::render::figures::{millis, short_id};
use crate::render::{Line, Tone};
use crate::terminal::now_ms;

/// Column at which the facts about one memory begin.
const COLUMN: usize = 12;
/// Most lines of what a memory says, where it is shown alone: all that one may hold.
const CONTENT_LINES: usize = 200;

pub(super) async fn list(console: &mut Console, request: ListMegramsRequest) -> Result<u8, Failure> {
    let page = console.daemon.answer(console.client.list_megrams(request).await)?;
    console
        .print(&page, |page, look| {
            if page.megrams.is_empty() {
                return vec![Line::new().add(Tone::Dim, "nothing remembered")];
            }
            let mut lines: Vec<Line> =
                page.megrams.iter().map(|megram| row(megram).fit(look.width)).collect();
            if !page.next_page_token.is_empty() {
                lines.push(Line::new().add(Tone::Dim, "there is more; --limit shows it"));
            }
            lines
        })
        .await?;
    Ok(DONE)
}

pub(super) async fn show(console: &mut Console, id: String) -> Result<u8, Failure> {
    let request = ListMegramsRequest { ids: vec![id], ..Default::default() };
    let found = console
        .daemon
        .answer(console.client.list_megrams(request).await)?
        .megrams
        .into_iter()
        .next()
        .unwrap_or_default();
    console.print(&found, |megram, look| facts(megram, look.width)).await?;
    Ok(DONE)
}

pub(super) async fn why(console: &mut Console, space: &str, entity: Option<String>) -> Result<u8, Failure> {
    let tag = match entity {
        Some(entity) => Tag { space: space.to_owned(), entity },
        None => parse_tag(space),
    };
    let request = QueryMemoryRequest { tags: vec![tag], ..Default::default() };
    let known = console.daemon.answer(console.client.query_memory(request).await)?;
    console
        .print(&known, |known, look| {
            if known.clusters.is_empty() {
                return vec![Line::new().add(Tone::Dim, "nothing is known about it")];
            }
            known.clusters.iter().flat_map(cluster).map(|line| line.fit(look.width)).collect()
        })
        .await?;
    Ok(DONE)
}

pub(super) async fn similar(console: &mut Console, text: String, to: Option<String>) -> Result<u8, Failure> {
    let compare = to.is_some();
    let request = QueryMemoryRequest { text, compare_to: to.unwrap_or_default(), ..Default::default() };
    let known = console.daemon.answer(console.client.query_memory(request).await)?;
    if console.json && compare {
        // With one other text there is one relation: it is the whole answer.
        let relation = known.relations.first().cloned().unwrap_or_default();
        console.print(&relation, |_, _| Vec::new()).await?;
        return Ok(DONE);
    }
    console
        .print(&known, |known, look| {
            if known.relations.is_empty() {
                return vec![Line::new().add(Tone::Dim, "nothing like it is remembered")];
            }
            known.relations.iter().map(|relation| related(relation).fit(look.width)).collect()
        })
        .await?;
    Ok(DONE)
}

fn cluster(cluster: &MemoryCluster) -> Vec<Line> {
    let tag = cluster.tag.clone().unwrap_or_default();
    let potentials = cluster.potentials.clone().unwrap_or_default();
    let fades = cluster.fades_at.as_ref().map(|at| {
        let days = millis(Some(at)).saturating_sub(now_ms()) / 86_400_000;
        format!("   falls below 0.5 in {} days", days.max(0))
    });
    let mut lines = vec![
        Line::new().foreign(Tone::Strong, &format!("{} {}", tag.space, tag.entity)),
        Line::plain("  ").foreign(Tone::Accent, &potentials.action).add(
            Tone::Plain,
            format!(
                "   attention {:.2}   preference {:+.2}{}",
                potentials.attention,
                potentials.decision,
                fades.unwrap_or_default()
            ),
        ),
    ];
    for part in &cluster.contributions {
        let megram = part.megram.clone().unwrap_or_default();
        let sign = if part.decision < 0.0 { ("−", Tone::Bad) } else { ("+", Tone::Good) };
        let source = if megram.task_id.is_empty() {
            String::new()
        } else {
            format!("task {}  ", short_id(&megram.task_id))
        };
        let taint = if megram.tainted { "untrusted  " } else { "" };
        lines.push(
            Line::plain("    ")
                .add(sign.1, sign.0)
                .foreign(Tone::Plain, &format!(" {:<14} {:.2}", megram.state, part.attention))
                .foreign(Tone::Dim, &format!("  {}  {source}{taint}", age(megram.created_at.as_ref())))
                .add(Tone::Plain, "  ")
                .foreign(Tone::Plain, &megram.content),
        );
    }
    for rule in &cluster.sops {
        let word = if rule.sigma > 0.0 { "rule" } else { "must not" };
        lines.push(
            Line::plain("    ")
                .add(Tone::Warn, word)
                .foreign(Tone::Plain, &format!("  {}  {}", rule.level, rule.content)),
        );
    }
    lines
}

/// One memory with everything that is known of it.
fn facts(megram: &Megram, width: usize) -> Vec<Line> {
    let meaning = match (megram.level(), megram.sigma > 0.0) {
        (Level::T, _) => "a law",
        (Level::C, true) => "a rule",
        (Level::C, false) => "a rule: must not",
        (Level::K, _) => "knowledge",
        (Level::M | Level::Unknown(_), _) => "experience",
    };
    let fades = match megram.k {
        0.0 => "stays".to_owned(),
        k => format!("halves in {:.1} days", std::f64::consts::LN_2 / k),
    };
    let by = if megram.agent_id.is_empty() { String::new() } else { format!(" by {}", megram.agent_id) };
    let taint = if megram.tainted { ", from a task that had read strangers' text" } else { "" };
    let recalled = megram.last_recalled_at.as_ref().map(|at| age(Some(at))).unwrap_or_default();
    let more: [(&str, String); 7] = [
        ("tag", format!("{} {}", megram.space, megram.entity)),
        ("made", format!("{}{by}, as {}{taint}", age(megram.created_at.as_ref()), megram.state)),
        ("weighs", format!("f {:.2}   σ {:+.2}   k {} a day, {fades}", megram.f, megram.sigma, megram.k)),
        ("recalled", recalled),
        ("task", megram.task_id.clone()),
        ("request", megram.about.clone()),
        ("from", megram.parents.join(" ")),
    ];
    let head = Line::new()
        .foreign(Tone::Accent, &megram.level)
        .foreign(Tone::Strong, &format!("  {}", megram.id))
        .add(Tone::Dim, format!("  {meaning}"));
    let mut lines = vec![head.fit(width)];
    let says = Line::plain("  ").add(Tone::Dim, "says").to_column(COLUMN);
    lines.extend(says.hanging(Tone::Plain, &megram.content, width, CONTENT_LINES));
    for (name, fact) in more.into_iter().filter(|(_, fact)| !fact.is_empty()) {
        let line = Line::plain("  ").add(Tone::Dim, name).to_column(COLUMN);
        lines.extend(line.hanging(Tone::Plain, &fact, width, CONTENT_LINES));
    }
    lines
}

#[cfg(test)]
mod tests {
    use artoo_protocol::v1::Megram;

    use super::facts;

    #[test]
    fn one_memory_is_shown_with_what_is_known_of_it_alone() {
        let megram = Megram {
            id: "0197b2c4-0000-7000-8000-000000000001".to_owned(),
            level: "C".to_owned(),
            space: "global:user".to_owned(),
            entity: "env:local".to_owned(),
            content: "never write to /srv/photos, because a camera does so at night".to_owned(),
            state: "declared".to_owned(),
            f: 0.9,
            sigma: -1.0,
            agent_id: "operator".to_owned(),
            ..Megram::default()
        };
        let shown: Vec<String> = facts(&megram, 60).iter().map(|line| line.text(false)).collect();
        assert_eq!(
            shown,
            [
                "C  0197b2c4-0000-7000-8000-000000000001  a rule: must not",
                "  says      never write to /srv/photos, because a camera",
                "            does so at night",
                "  tag       global:user env:local",
                "  made      – by operator, as declared",
                "  weighs    f 0.90 σ -1.00 k 0 a day, stays",
            ]
        );
    }
}
