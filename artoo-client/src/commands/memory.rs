//! What artoo remembers: reading it.

mod changing;
mod figures;

use artoo_protocol::v1::{ListMegramsRequest, Megram, MemoryCluster, QueryMemoryRequest, Tag};
use artoo_protocol::words::Level;

use crate::arguments::MemoryCommand;
use crate::commands::{Asking, age};
use crate::exit::{DONE, Failure};
use crate::render::figures::short_id;
use crate::render::text::pad;
use crate::render::{Line, Tone};
use crate::terminal::now_ms;

/// Column at which the facts about one memory begin.
const COLUMN: usize = 12;
/// Most lines of what a memory says, where it is shown alone: all that one may hold.
const CONTENT_LINES: usize = 200;

/// Runs a command of the memory.
///
/// # Errors
/// The daemon's error.
pub async fn run(asking: &mut Asking, command: MemoryCommand) -> Result<u8, Failure> {
    match command {
        MemoryCommand::List { level, tag, text, limit } => {
            let request = ListMegramsRequest {
                tags: tag.iter().map(|tag| parse_tag(tag)).collect(),
                level: level_word(level),
                text: text.unwrap_or_default(),
                page_size: limit.clamp(1, 200),
                ..Default::default()
            };
            list(asking, request).await
        }
        MemoryCommand::Show { id } => show(asking, id).await,
        MemoryCommand::Why { space, entity } => why(asking, &space, entity).await,
        MemoryCommand::Similar { text, to } => similar(asking, text.join(" "), to).await,
        MemoryCommand::Pyramid => figures::pyramid(asking).await,
        MemoryCommand::Stats => figures::stats(asking).await,
        MemoryCommand::Remember { text, tag, level, never } => {
            changing::remember(asking, text.join(" "), &tag, level, never).await
        }
        MemoryCommand::Forget { what, tag, level, yes } => {
            changing::forget(asking, &what, &tag, level, yes).await
        }
        MemoryCommand::Export { level } => changing::export(asking, level).await,
        MemoryCommand::Import { file } => changing::import(asking, &file).await,
        MemoryCommand::Verify { rebuild } => figures::verify(asking, rebuild).await,
        MemoryCommand::Separate { first, second, undo } => {
            changing::separate(asking, first, second, undo).await
        }
    }
}

async fn list(asking: &mut Asking, request: ListMegramsRequest) -> Result<u8, Failure> {
    let response = asking.client.list_megrams(request).await;
    let page = asking.answer(response)?;
    asking
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

async fn show(asking: &mut Asking, id: String) -> Result<u8, Failure> {
    let request = ListMegramsRequest { ids: vec![id], ..Default::default() };
    let response = asking.client.list_megrams(request).await;
    let found = asking.answer(response)?.megrams.into_iter().next().unwrap_or_default();
    asking.print(&found, |megram, look| facts(megram, look.width)).await?;
    Ok(DONE)
}

async fn why(asking: &mut Asking, space: &str, entity: Option<String>) -> Result<u8, Failure> {
    let tag = match entity {
        Some(entity) => Tag { space: space.to_owned(), entity },
        None => parse_tag(space),
    };
    let request = QueryMemoryRequest { tags: vec![tag], ..Default::default() };
    let response = asking.client.query_memory(request).await;
    let known = asking.answer(response)?;
    asking
        .print(&known, |known, look| {
            if known.clusters.is_empty() {
                return vec![Line::new().add(Tone::Dim, "nothing is known about it")];
            }
            known.clusters.iter().flat_map(cluster).map(|line| line.fit(look.width)).collect()
        })
        .await?;
    Ok(DONE)
}

async fn similar(asking: &mut Asking, text: String, to: Option<String>) -> Result<u8, Failure> {
    let compare = to.is_some();
    let request = QueryMemoryRequest { text, compare_to: to.unwrap_or_default(), ..Default::default() };
    let response = asking.client.query_memory(request).await;
    let known = asking.answer(response)?;
    if asking.json && compare {
        // With one other text there is one relation: it is the whole answer.
        let relation = known.relations.first().cloned().unwrap_or_default();
        asking.print(&relation, |_, _| Vec::new()).await?;
        return Ok(DONE);
    }
    asking
        .print(&known, |known, look| {
            if known.relations.is_empty() {
                return vec![Line::new().add(Tone::Dim, "nothing like it is remembered")];
            }
            known.relations.iter().map(|relation| related(relation).fit(look.width)).collect()
        })
        .await?;
    Ok(DONE)
}

/// One relation: `alias   0.71  show the biggest files  the same but for the words`.
fn related(relation: &artoo_protocol::v1::Relation) -> Line {
    Line::new()
        .foreign(Tone::Strong, &format!("{:<6}", relation.relation))
        .add(Tone::Plain, format!("  {:.2}  ", relation.similarity))
        .foreign(Tone::Plain, &relation.other)
        .foreign(Tone::Dim, &format!("  {}", relation.why))
}

fn cluster(cluster: &MemoryCluster) -> Vec<Line> {
    let tag = cluster.tag.clone().unwrap_or_default();
    let potentials = cluster.potentials.clone().unwrap_or_default();
    let fades = cluster.fades_at.as_ref().map(|at| {
        let days = crate::render::figures::millis(Some(at)).saturating_sub(now_ms()) / 86_400_000;
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

/// One memory in one line.
fn row(megram: &Megram) -> Line {
    Line::new()
        .foreign(Tone::Accent, &megram.level)
        .add(Tone::Dim, format!("  {}", pad(short_id(&megram.id), 15)))
        .add(Tone::Dim, pad(&age(megram.created_at.as_ref()), 11))
        .add(Tone::Plain, format!("{:+.1}  ", megram.sigma))
        .foreign(Tone::Plain, &format!("{} {}", megram.space, megram.entity))
        .foreign(Tone::Dim, &format!("  {}", megram.content))
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

/// `SPACE` or `SPACE,ENTITY`; a space has no comma, an entity may.
fn parse_tag(tag: &str) -> Tag {
    let (space, entity) = tag.split_once(',').unwrap_or((tag, ""));
    Tag { space: space.trim().to_owned(), entity: entity.trim().to_owned() }
}

fn level_word(level: Option<String>) -> String {
    level.unwrap_or_default().to_uppercase()
}

#[cfg(test)]
mod tests {
    use artoo_protocol::v1::Megram;

    use super::{facts, parse_tag};

    #[test]
    fn a_tag_has_a_space_and_perhaps_an_entity() {
        let tag = parse_tag("tool:glob, path:/a,b");
        assert_eq!((tag.space.as_str(), tag.entity.as_str()), ("tool:glob", "path:/a,b"));
        assert_eq!(parse_tag("global:user").entity, "");
    }

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
