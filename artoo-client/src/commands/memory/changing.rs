//! What the operator changes in the memory: writing down, forgetting, keeping apart.

use artoo_protocol::v1::{
    ExportMemoryRequest, ForgetRequest, ForgetResponse, LawProposalsRequest, RememberRequest,
    SeparateRequestsRequest, Tag,
};

use super::{LawDecision, level_word, parse_tag, related, row};
use crate::answers::{token, yes};
use crate::console::Console;
use crate::exit::{CANCELLED, DONE, Failure};
use crate::output::raw;
use crate::render::figures::{count, memories};
use crate::render::{Line, Tone};

/// `artoo memory remember`.
pub(super) async fn remember(
    console: &mut Console,
    text: String,
    tags: &[String],
    level: Option<String>,
    never: bool,
) -> Result<u8, Failure> {
    let tags = tags.iter().map(|tag| parse_tag(tag)).collect();
    let (level, token) = (level_word(level), token(&console.daemon.paths)?);
    let request = RememberRequest { text, tags, level, constraint: never, token };
    let remembered = console.daemon.answer(console.client.remember(request).await)?;
    console
        .print(&remembered, |remembered, look| {
            let known = remembered.megrams.len().saturating_sub(remembered.added as usize);
            let mut lines: Vec<Line> =
                remembered.megrams.iter().map(|megram| row(megram).fit(look.width)).collect();
            if known > 0 {
                lines.push(
                    Line::new().add(Tone::Dim, format!("{} known already", count(known as u64, "memory"))),
                );
            }
            lines
        })
        .await?;
    Ok(DONE)
}

/// `artoo memory forget`: shows what would go, asks, and deletes it.
pub(super) async fn forget(
    console: &mut Console,
    what: &[String],
    tags: &[String],
    level: Option<String>,
    yes: bool,
) -> Result<u8, Failure> {
    let (megram_ids, mut wanted) = ids_and_tags(what);
    wanted.extend(tags.iter().map(|tag| parse_tag(tag)));
    if megram_ids.is_empty() && wanted.is_empty() {
        let message = "say what to forget: ids or tags, as `artoo memory list` shows them";
        return Err(Failure::Usage(message.to_owned()));
    }
    let (level, token) = (level_word(level), token(&console.daemon.paths)?);
    let wish = ForgetRequest { megram_ids, tags: wanted, level, dry_run: false, token };
    if !yes {
        let doomed = console
            .daemon
            .answer(console.client.forget(ForgetRequest { dry_run: true, ..wish.clone() }).await)?;
        if doomed.forgotten == 0 {
            console
                .print(&doomed, |_, _| vec![Line::new().add(Tone::Dim, "nothing is remembered there")])
                .await?;
            return Ok(DONE);
        }
        if !agreed(console, &doomed).await? {
            return Ok(CANCELLED);
        }
    }
    let forgotten = console.daemon.answer(console.client.forget(wish).await)?;
    console
        .print(&forgotten, |forgotten, _| {
            vec![Line::plain(format!("{} forgotten for good", memories(forgotten.forgotten)))]
        })
        .await?;
    Ok(DONE)
}

/// Shows what would go, and asks. Without a person there is nobody to say yes.
async fn agreed(console: &mut Console, doomed: &ForgetResponse) -> Result<bool, Failure> {
    let many = memories(doomed.forgotten);
    if !console.json {
        let width = console.printer.look.width;
        let mut lines: Vec<Line> = doomed.megrams.iter().map(|megram| row(megram).fit(width)).collect();
        let more = doomed.forgotten.saturating_sub(doomed.megrams.len() as u64);
        if more > 0 {
            lines.push(Line::new().add(Tone::Dim, format!("and {more} more")));
        }
        console.printer.lines(&lines).await?;
    }
    if console.json || !console.printer.can_ask() {
        let message = format!("{many} would be forgotten for good; say --yes to do it");
        return Err(Failure::Usage(message));
    }
    yes(&format!("Forget {many} for good? [y/N] ")).await
}

/// `artoo memory export`.
pub(super) async fn export(console: &mut Console, level: Option<String>) -> Result<u8, Failure> {
    let request = ExportMemoryRequest { level: level_word(level) };
    let mut stream = console.daemon.answer(console.client.export_memory(request).await)?;
    while let Some(part) = stream.message().await.map_err(|status| console.daemon.failure(status))? {
        raw(&part.lines)?;
    }
    Ok(DONE)
}

/// `artoo memory separate`.
pub(super) async fn separate(
    console: &mut Console,
    first: String,
    second: String,
    undo: bool,
) -> Result<u8, Failure> {
    let request = SeparateRequestsRequest { first, second, undo, token: token(&console.daemon.paths)? };
    let now = console.daemon.answer(console.client.separate_requests(request).await)?;
    console
        .print(&now, |now, look| {
            let said = match (now.changed, undo) {
                (true, false) => "different tasks from now on; --undo takes it back",
                (false, false) => "they were kept apart already",
                (true, true) => "they relate by their words again",
                (false, true) => "nobody had kept them apart",
            };
            let mut lines = vec![Line::plain(said)];
            lines.extend(now.relation.as_ref().map(|relation| related(relation).fit(look.width)));
            lines
        })
        .await?;
    Ok(DONE)
}

/// `artoo memory proposals`.
pub(super) async fn proposals(
    console: &mut Console,
    decision: Option<LawDecision>,
    rule_id: String,
) -> Result<u8, Failure> {
    let request = LawProposalsRequest {
        rule_id,
        decide: decision.is_some(),
        accept: decision == Some(LawDecision::Accept),
        token: token(&console.daemon.paths)?,
    };
    let told = console.daemon.answer(console.client.law_proposals(request).await)?;
    console
        .print(&told, |told, look| {
            let said = match decision {
                Some(LawDecision::Accept) => "a law from now on; `artoo memory forget` takes it back",
                Some(LawDecision::Reject) => "it stays a rule, and is not proposed again",
                None if told.proposals.is_empty() => "no rule has lasted long enough to be proposed as a law",
                None => "artoo memory proposals accept ID, or reject ID",
            };
            let rules = told.proposals.iter().map(|proposal| {
                let rule = proposal.rule.clone().unwrap_or_default();
                let facts = format!("{} days, borne out {} times", proposal.age_days, proposal.confirmed);
                Line::plain(rule.id).add(Tone::Dim, format!("  {facts}  ")).add(Tone::Plain, rule.content)
            });
            let mut lines: Vec<Line> = rules.map(|line| line.fit(look.width)).collect();
            lines.push(Line::plain(said));
            lines
        })
        .await?;
    Ok(DONE)
}

/// What is meant by each word: hex digits and hyphens are an id, everything else is a tag.
fn ids_and_tags(what: &[String]) -> (Vec<String>, Vec<Tag>) {
    let is_id = |word: &str| word.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'-');
    let (ids, tags): (Vec<&String>, Vec<&String>) = what.iter().partition(|word| is_id(word));
    (ids.into_iter().cloned().collect(), tags.into_iter().map(|tag| parse_tag(tag)).collect())
}

#[cfg(test)]
mod tests {
    use super::ids_and_tags;

    #[test]
    fn digits_are_an_id_and_everything_else_is_a_tag() {
        let words = ["0197b2c4", "0197B2C4-12", "intent:find", "tool:glob,path:/x"].map(str::to_owned);
        let (ids, tags) = ids_and_tags(&words);
        assert_eq!(ids, ["0197b2c4", "0197B2C4-12"]);
        let tags: Vec<_> = tags.iter().map(|tag| (tag.space.as_str(), tag.entity.as_str())).collect();
        assert_eq!(tags, [("intent:find", ""), ("tool:glob", "path:/x")]);
    }
}
