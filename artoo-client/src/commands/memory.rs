//! What artoo remembers.

use std::io::Read;
use std::path::Path;

use artoo_protocol::v1::{
    ExportMemoryRequest, ForgetRequest, ImportMemoryRequest, LevelCount, ListMegramsRequest, Megram,
    MemoryCluster, QueryMemoryRequest, RememberRequest, Tag,
};

use crate::arguments::MemoryCommand;
use crate::commands::{Asking, age, audit};
use crate::exit::{ABANDONED, DONE, Failure};
use crate::output::raw;
use crate::render::figures::short_id;
use crate::render::text::pad;
use crate::render::{Line, Tone};
use crate::terminal::now_ms;

/// Bytes of lines in one import call: under the daemon's limit of 1 MiB a message, with room for what surrounds them.
const IMPORT_BYTES: usize = 512 * 1024;
/// Columns of the widest bar of the pyramid.
const BAR: u64 = 24;

/// Runs a command of the memory.
///
/// # Errors
/// The daemon's error.
pub async fn run(asking: &mut Asking, command: MemoryCommand) -> Result<u8, Failure> {
    match command {
        MemoryCommand::List { level, text, limit } => list(asking, level, text, limit).await,
        MemoryCommand::Why { space, entity } => why(asking, space, entity).await,
        MemoryCommand::Similar { text, to } => similar(asking, text, to).await,
        MemoryCommand::Pyramid => pyramid(asking).await,
        MemoryCommand::Remember { text, tag, level, constraint } => {
            let request = RememberRequest {
                text,
                tags: tag.iter().map(|tag| parse_tag(tag)).collect(),
                level: level.unwrap_or_default().to_uppercase(),
                constraint,
            };
            let response = asking.client.remember(request).await;
            let remembered = asking.answer(response)?;
            asking
                .print("RememberResponse", &remembered, |remembered, look| {
                    remembered.megrams.iter().map(|megram| row(megram).fit(look.width)).collect()
                })
                .await?;
            Ok(DONE)
        }
        MemoryCommand::Forget { ids, tag } => forget(asking, ids, &tag).await,
        MemoryCommand::Export { level } => export(asking, level).await,
        MemoryCommand::Import { file } => import(asking, &file).await,
        MemoryCommand::Verify => audit::verify(asking, true, Vec::new()).await,
    }
}

async fn list(
    asking: &mut Asking,
    level: Option<String>,
    text: Option<String>,
    limit: u32,
) -> Result<u8, Failure> {
    let request = ListMegramsRequest {
        tags: Vec::new(),
        level: level.unwrap_or_default().to_uppercase(),
        text: text.unwrap_or_default(),
        page_size: limit.clamp(1, 200),
        page_token: String::new(),
    };
    let response = asking.client.list_megrams(request).await;
    let page = asking.answer(response)?;
    asking
        .print("ListMegramsResponse", &page, |page, look| {
            if page.megrams.is_empty() {
                return vec![Line::new().add(Tone::Dim, "nothing remembered")];
            }
            page.megrams.iter().map(|megram| row(megram).fit(look.width)).collect()
        })
        .await?;
    Ok(DONE)
}

async fn why(asking: &mut Asking, space: String, entity: Option<String>) -> Result<u8, Failure> {
    let tag = Tag { space, entity: entity.unwrap_or_default() };
    let request = QueryMemoryRequest { tags: vec![tag], ..Default::default() };
    let response = asking.client.query_memory(request).await;
    let known = asking.answer(response)?;
    asking
        .print("QueryMemoryResponse", &known, |known, look| {
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
        asking.print("Relation", &relation, |_, _| Vec::new()).await?;
        return Ok(DONE);
    }
    asking
        .print("QueryMemoryResponse", &known, |known, look| {
            if known.relations.is_empty() {
                return vec![Line::new().add(Tone::Dim, "nothing like it is remembered")];
            }
            let rows = known.relations.iter().map(|relation| {
                Line::new()
                    .foreign(Tone::Strong, &format!("{:<6}", relation.relation))
                    .add(Tone::Plain, format!("  {:.2}  ", relation.similarity))
                    .foreign(Tone::Plain, &relation.other)
                    .foreign(Tone::Dim, &format!("  {}", relation.why))
                    .fit(look.width)
            });
            rows.collect()
        })
        .await?;
    Ok(DONE)
}

async fn pyramid(asking: &mut Asking) -> Result<u8, Failure> {
    let response =
        asking.client.list_megrams(ListMegramsRequest { page_size: 1, ..Default::default() }).await;
    let page = asking.answer(response)?;
    asking
        .print("ListMegramsResponse", &page, |page, look| {
            let most = page.levels.iter().map(|level| level.count).max().unwrap_or_default().max(1);
            page.levels.iter().map(|level| bar(level, most).fit(look.width)).collect()
        })
        .await?;
    Ok(DONE)
}

async fn forget(asking: &mut Asking, ids: Vec<String>, tags: &[String]) -> Result<u8, Failure> {
    if ids.is_empty() && tags.is_empty() {
        return Err(Failure::Usage("say what to forget: ids, or --tag SPACE,ENTITY".to_owned()));
    }
    let tags = tags.iter().map(|tag| parse_tag(tag)).collect();
    let response = asking.client.forget(ForgetRequest { megram_ids: ids, tags, level: String::new() }).await;
    let forgotten = asking.answer(response)?;
    asking
        .print("ForgetResponse", &forgotten, |forgotten, _| {
            vec![Line::plain(format!("{} forgotten", forgotten.forgotten))]
        })
        .await?;
    Ok(DONE)
}

async fn export(asking: &mut Asking, level: Option<String>) -> Result<u8, Failure> {
    let request = ExportMemoryRequest { level: level.unwrap_or_default().to_uppercase() };
    let response = asking.client.export_memory(request).await;
    let mut stream = asking.answer(response)?;
    while let Some(part) = stream.message().await.map_err(|status| asking.daemon.failure(status))? {
        raw(&part.lines)?;
    }
    Ok(DONE)
}

async fn import(asking: &mut Asking, file: &Path) -> Result<u8, Failure> {
    let unreadable = |error| Failure::Local(format!("{} cannot be read: {error}", file.display()));
    let text = if file == Path::new("-") {
        let mut text = String::new();
        std::io::stdin().read_to_string(&mut text).map_err(unreadable)?;
        text
    } else {
        std::fs::read_to_string(file).map_err(unreadable)?
    };
    let mut total = artoo_protocol::v1::ImportMemoryResponse::default();
    for lines in parts(&text, IMPORT_BYTES) {
        let response = asking.client.import_memory(ImportMemoryRequest { lines }).await;
        let part = asking.answer(response)?;
        total.imported += part.imported;
        total.known += part.known;
        total.errors.extend(part.errors);
    }
    asking
        .print("ImportMemoryResponse", &total, |total, _| {
            let mut lines =
                vec![Line::plain(format!("{} new, {} known already", total.imported, total.known))];
            lines.extend(total.errors.iter().map(|error| Line::plain("  ").foreign(Tone::Bad, error)));
            lines
        })
        .await?;
    Ok(if total.errors.is_empty() { DONE } else { ABANDONED })
}

fn cluster(cluster: &MemoryCluster) -> Vec<Line> {
    let tag = cluster.tag.clone().unwrap_or_default();
    let potentials = cluster.potentials.clone().unwrap_or_default();
    let fades = cluster.fades_at.as_ref().map(|at| {
        let days = crate::render::figures::millis(Some(at)).saturating_sub(now_ms()) / 86_400_000;
        format!("   fades in {} days", days.max(0))
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

fn row(megram: &Megram) -> Line {
    Line::new()
        .foreign(Tone::Accent, &megram.level)
        .add(Tone::Dim, format!("  {}", pad(short_id(&megram.id), 15)))
        .add(Tone::Dim, pad(&age(megram.created_at.as_ref()), 11))
        .add(Tone::Plain, format!("{:+.1}  ", megram.sigma))
        .foreign(Tone::Plain, &format!("{} {}", megram.space, megram.entity))
        .foreign(Tone::Dim, &format!("  {}", megram.content))
}

fn bar(level: &LevelCount, most: u64) -> Line {
    // At least one column for a level that holds anything.
    let columns = (level.count * BAR).div_ceil(most);
    let bar: String = (0..columns).map(|_| '█').collect();
    Line::plain("  ")
        .foreign(Tone::Strong, &level.level)
        .add(Tone::Accent, format!("  {}", pad(&bar, 24)))
        .add(Tone::Plain, format!("{:>8}", level.count))
        .foreign(Tone::Dim, &format!("   {}", level.remark))
}

/// `SPACE` or `SPACE,ENTITY`; a space has no comma, an entity may.
fn parse_tag(tag: &str) -> Tag {
    let (space, entity) = tag.split_once(',').unwrap_or((tag, ""));
    Tag { space: space.trim().to_owned(), entity: entity.trim().to_owned() }
}

/// Whole lines in parts of at most `bytes`; a single longer line is a part of its own.
fn parts(text: &str, bytes: usize) -> Vec<String> {
    let mut parts: Vec<String> = Vec::new();
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        match parts.last_mut() {
            Some(part) if part.len() + line.len() < bytes => {
                part.push_str(line);
                part.push('\n');
            }
            Some(_) | None => parts.push(format!("{line}\n")),
        }
    }
    parts
}

#[cfg(test)]
mod tests;
