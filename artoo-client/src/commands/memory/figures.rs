//! Figures about the memory, and whether it is sound.

use artoo_protocol::v1::{
    FallingCluster, GetMemoryStatsRequest, GetMemoryStatsResponse, LevelCount, VerifyMemoryRequest,
    VerifyMemoryResponse,
};
use artoo_protocol::words::Level;

use crate::answers::token;
use crate::commands::age;
use crate::console::Console;
use crate::exit::{ABANDONED, DONE, Failure};
use crate::render::figures::{between, bytes, count, duration, memories};
use crate::render::text::pad;
use crate::render::{Line, Tone};
use crate::terminal::{TerminalLook, now_ms};

/// Columns of the widest bar of the pyramid.
const BAR: u64 = 24;
/// Column at which figures begin.
const COLUMN: usize = 22;
/// Most lines about what comes next, of each kind.
const NEXT: usize = 3;
/// Findings that are shown; the rest is counted.
const SHOWN: usize = 20;

/// `artoo memory pyramid`.
pub(super) async fn pyramid(console: &mut Console) -> Result<u8, Failure> {
    let stats = ask(console).await?;
    console.print(&stats, pyramid_lines).await?;
    Ok(DONE)
}

/// `artoo memory stats`.
pub(super) async fn stats(console: &mut Console) -> Result<u8, Failure> {
    let stats = ask(console).await?;
    console.print(&stats, stats_lines).await?;
    Ok(DONE)
}

/// `artoo memory verify`; exit code 1 when something is wrong.
pub(super) async fn verify(console: &mut Console, rebuild: bool) -> Result<u8, Failure> {
    let request = VerifyMemoryRequest { rebuild, token: token(&console.daemon.paths)? };
    let found = console.daemon.answer(console.client.verify_memory(request).await)?;
    console.print(&found, |found, look| verified(found, look.width)).await?;
    Ok(if found.intact { DONE } else { ABANDONED })
}

async fn ask(console: &mut Console) -> Result<GetMemoryStatsResponse, Failure> {
    console.daemon.answer(console.client.get_memory_stats(GetMemoryStatsRequest {}).await)
}

/// The levels, the highest on top, and what comes down and goes up next.
fn pyramid_lines(stats: &GetMemoryStatsResponse, look: &TerminalLook) -> Vec<Line> {
    let most = stats.levels.iter().map(|level| level.count).max().unwrap_or_default().max(1);
    let mut lines: Vec<Line> = stats.levels.iter().rev().map(|level| bar(level, most, stats)).collect();
    let told = |lines: &mut Vec<Line>, head: &str, next: &[FallingCluster]| {
        for (index, next) in next.iter().take(NEXT).enumerate() {
            let head = if index == 0 { head } else { "" };
            let line = Line::plain("  ").add(Tone::Dim, pad(head, 24)).foreign(Tone::Plain, &when(next));
            lines.push(line);
        }
    };
    for (index, danger) in stats.in_danger.iter().take(NEXT).enumerate() {
        let head = if index == 0 { "in danger of falling" } else { "" };
        let rule = danger.rule.clone().unwrap_or_default();
        let outdated = if danger.overwritten { "  outdated" } else { "" };
        lines.push(
            Line::plain("  ")
                .add(Tone::Warn, pad(head, 24))
                .add(Tone::Plain, format!("{:.2} left{outdated}  ", danger.margin))
                .foreign(Tone::Plain, &rule.content),
        );
    }
    told(&mut lines, "next to become a rule", &stats.rising_next);
    told(&mut lines, "next to be forgotten", &stats.forgotten_next);
    lines.into_iter().map(|line| line.fit(look.width)).collect()
}

/// `tool:glob path:~/tmp in 2 h`.
fn when(next: &FallingCluster) -> String {
    let tag = next.tag.clone().unwrap_or_default();
    let now = now_ms();
    let now = prost_types::Timestamp { seconds: now / 1_000, nanos: 0 };
    let when = match between(Some(&now), next.at.as_ref()) {
        0 => "now".to_owned(),
        ms => format!("in {}", duration(ms)),
    };
    format!("{} {} {when}", tag.space, tag.entity)
}

/// What a level holds, by its number.
fn noun(level: &LevelCount) -> &'static str {
    match (level.level(), level.count) {
        (Level::T, 1) => "law",
        (Level::T, _) => "laws",
        (Level::C, 1) => "rule",
        (Level::C, _) => "rules",
        (Level::K, _) => "knowledge",
        (Level::M, _) => "experience",
        (Level::Unknown(_), _) => "",
    }
}

fn bar(level: &LevelCount, most: u64, stats: &GetMemoryStatsResponse) -> Line {
    // At least one column for a level that holds anything.
    let columns = (level.count * BAR).div_ceil(most);
    let bar: String = (0..columns).map(|_| '█').collect();
    let remark = match level.level() {
        Level::C if level.count > 0 => format!("{} in danger of falling", stats.in_danger.len()),
        Level::M if level.count > 0 => format!("energy {:.1}, with knowledge", stats.energy),
        Level::M | Level::K | Level::C | Level::T | Level::Unknown(_) => String::new(),
    };
    Line::plain("  ")
        .foreign(Tone::Strong, &level.level)
        .add(Tone::Accent, format!("  {}", pad(&bar, 24)))
        .add(Tone::Plain, format!("{:>8}", level.count))
        .add(Tone::Dim, format!("   {}", pad(noun(level), 12)))
        .add(Tone::Dim, remark)
}

fn stats_lines(stats: &GetMemoryStatsResponse, look: &TerminalLook) -> Vec<Line> {
    let levels: Vec<String> =
        stats.levels.iter().rev().map(|level| format!("{} {}", level.level, level.count)).collect();
    let looked = stats.dreamer_looked_at.as_ref();
    let figures = [
        ("memories", levels.join(" · ")),
        ("tags with evidence", stats.clusters.to_string()),
        ("stay away", format!("{} (forgotten, or rules that fell)", stats.buried)),
        ("written", format!("{} since the memory was opened, {} refused", stats.written, stats.refused)),
        ("on the disk", format!("{}, schema {}", bytes(stats.disk_bytes), stats.schema)),
        ("dreamer looked", looked.map_or_else(|| "not yet".to_owned(), |at| age(Some(at)))),
        ("forgotten next", stats.forgotten_next.first().map_or_else(|| "nothing".to_owned(), when)),
    ];
    let mut lines: Vec<Line> = figures
        .iter()
        .map(|(name, figure)| {
            Line::plain("  ").add(Tone::Dim, *name).to_column(COLUMN).foreign(Tone::Plain, figure)
        })
        .collect();
    for (index, pair) in stats.separations.iter().enumerate() {
        let name = if index == 0 { "kept apart" } else { "" };
        lines.push(
            Line::plain("  ")
                .add(Tone::Dim, name)
                .to_column(COLUMN)
                .foreign(Tone::Plain, &format!("\"{}\" and \"{}\"", pair.first, pair.second)),
        );
    }
    lines.into_iter().map(|line| line.fit(look.width)).collect()
}

fn verified(found: &VerifyMemoryResponse, width: usize) -> Vec<Line> {
    let rebuilt = if found.rebuilt { "made anew; " } else { "" };
    let compared = format!("{rebuilt}{}, {}", memories(found.memories), count(found.clusters, "sum"));
    let mut lines = vec![if found.intact {
        Line::new().add(Tone::Good, "✓ ").add(Tone::Plain, format!("sound: {compared} compared"))
    } else {
        let things = count(found.total_findings, "finding");
        Line::new().add(Tone::Bad, "✗ ").add(Tone::Plain, format!("{things}: {compared} compared"))
    }];
    let shown = found.findings.iter().take(SHOWN);
    lines.extend(shown.flat_map(|finding| Line::plain("  ").hanging(Tone::Bad, finding, width, 3)));
    let more = found.total_findings.saturating_sub(found.findings.len().min(SHOWN) as u64);
    if more > 0 {
        lines.push(Line::plain("  ").add(Tone::Dim, format!("and {more} more")));
    }
    if !found.intact && !found.rebuilt {
        let hint = "  artoo memory verify --rebuild makes indexes and sums anew; memories stay as they are";
        lines.push(Line::new().add(Tone::Dim, hint));
    }
    lines
}

#[cfg(test)]
mod tests {
    use artoo_protocol::v1::{
        FallingCluster, GetMemoryStatsResponse, LevelCount, Megram, RuleInDanger, Tag, VerifyMemoryResponse,
    };
    use prost_types::Timestamp;

    use super::{bar, pyramid_lines, verified};
    use crate::terminal::TerminalLook;

    const LOOK: TerminalLook = TerminalLook { colour: false, live: false, links: false, width: 80 };

    fn level(level: &str, count: u64) -> LevelCount {
        LevelCount { level: level.to_owned(), count, remark: String::new() }
    }

    #[test]
    fn the_smallest_level_still_has_a_bar() {
        let stats = GetMemoryStatsResponse::default();
        assert!(bar(&level("C", 1), 100_000, &stats).text(false).contains('█'));
        assert!(!bar(&level("C", 0), 100_000, &stats).text(false).contains('█'));
    }

    #[test]
    fn the_laws_stand_on_top_and_what_goes_next_below() {
        let falling = |space: &str| FallingCluster {
            tag: Some(Tag { space: space.to_owned(), entity: "path:~/tmp".to_owned() }),
            potentials: None,
            at: Some(Timestamp { seconds: 1, nanos: 0 }),
        };
        let rule = Megram { content: "prefer find".to_owned(), ..Default::default() };
        let stats = GetMemoryStatsResponse {
            levels: vec![level("M", 12), level("K", 6), level("C", 1), level("T", 0)],
            forgotten_next: vec![falling("tool:glob"), falling("tool:find")],
            rising_next: vec![falling("tool:ls")],
            in_danger: vec![RuleInDanger { rule: Some(rule), margin: 0.25, ..Default::default() }],
            energy: 4.5,
            ..Default::default()
        };
        let lines: Vec<String> = pyramid_lines(&stats, &LOOK).iter().map(|line| line.text(false)).collect();
        assert_eq!(
            lines,
            [
                "  T                                 0   laws",
                "  C  ██                             1   rule        1 in danger of falling",
                "  K  ████████████                   6   knowledge",
                "  M  ████████████████████████      12   experience  energy 4.5, with knowledge",
                "  in danger of falling    0.25 left  prefer find",
                "  next to become a rule   tool:ls path:~/tmp now",
                "  next to be forgotten    tool:glob path:~/tmp now",
                "                          tool:find path:~/tmp now",
            ]
        );
    }

    #[test]
    fn a_verification_says_what_to_do() {
        let check = |found: VerifyMemoryResponse, expected: &[&str]| {
            let lines: Vec<String> = verified(&found, 100).iter().map(|line| line.text(false)).collect();
            assert_eq!(lines, expected);
        };
        let sound = VerifyMemoryResponse {
            intact: true,
            memories: 1,
            clusters: 2,
            rebuilt: true,
            ..Default::default()
        };
        check(sound, &["✓ sound: made anew; 1 memory, 2 sums compared"]);
        let unsound = VerifyMemoryResponse {
            memories: 3,
            clusters: 1,
            findings: vec!["x| belongs to no memory".to_owned()],
            total_findings: 2,
            ..Default::default()
        };
        check(
            unsound,
            &[
                "✗ 2 findings: 3 memories, 1 sum compared",
                "  x| belongs to no memory",
                "  and 1 more",
                "  artoo memory verify --rebuild makes indexes and sums anew; memories stay as they are",
            ],
        );
    }
}
