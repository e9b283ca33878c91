//! What artoo remembers.

mod changing;
mod figures;
mod importing;
mod reading;

use std::path::PathBuf;

use artoo_protocol::v1::{ListMegramsRequest, Megram, Relation, Tag};
use clap::Subcommand;

use crate::commands::age;
use crate::console::Console;
use crate::exit::Failure;
use crate::render::figures::short_id;
use crate::render::text::pad;
use crate::render::{Line, Tone};

/// Commands of the memory.
#[derive(Debug, Clone, Subcommand)]
pub enum MemoryCommand {
    /// Memories, newest first
    #[command(after_help = "Example: artoo memory list --level C          the rules\n\
        \x20        artoo memory list invoices           what mentions them")]
    List {
        /// Only this level: M, K, C or T
        #[arg(long)]
        level: Option<String>,
        /// Only memories under this tag: SPACE or SPACE,ENTITY
        #[arg(long, value_name = "TAG")]
        tag: Vec<String>,
        /// Only memories that contain this text
        text: Option<String>,
        /// How many, at most 200
        #[arg(long, default_value_t = 20)]
        limit: u32,
    },
    /// Everything about one memory
    #[command(after_help = "Example: artoo memory show 0197b2c4")]
    Show {
        /// Its id; the first digits are enough
        id: String,
    },
    /// What is known under a tag, and what each memory weighs
    #[command(after_help = "Example: artoo memory why intent:find_the_ten\n\
        \x20        artoo memory why tool:glob path:/tmp/x")]
    Why {
        /// SPACE or SPACE,ENTITY, for example intent:find_the_ten or tool:glob
        #[arg(value_name = "TAG")]
        space: String,
        /// For example path:/tmp/x; without it every entity of the space
        entity: Option<String>,
    },
    /// How two requests relate, or a request to what is remembered
    #[command(
        after_help = "Example: artoo memory similar \"find the largest files\" --to \"show the biggest files\""
    )]
    Similar {
        /// A request
        #[arg(required = true)]
        text: Vec<String>,
        /// Another one
        #[arg(long, value_name = "TEXT")]
        to: Option<String>,
    },
    /// What each level holds, and what is forgotten next
    #[command(after_help = "Example: artoo memory pyramid")]
    Pyramid,
    /// Figures: levels, writes and refusals, size, what comes next
    #[command(after_help = "Example: artoo memory stats --json")]
    Stats,
    /// Write a memory down
    #[command(after_help = "Example: artoo memory remember \"my invoices are in ~/Documents/bills\"\n\
        \x20        artoo memory remember --never \"write to /srv/photos\" --tag tool:write_file")]
    Remember {
        /// What to remember: one paragraph
        #[arg(required = true)]
        text: Vec<String>,
        /// Where to file it: SPACE or SPACE,ENTITY [default: facts about you, which every plan reads]
        #[arg(long, value_name = "TAG")]
        tag: Vec<String>,
        /// C stays, T is a law that no experience shakes, M and K fade [default: C]
        #[arg(long)]
        level: Option<String>,
        /// It says what must not be done
        #[arg(long, alias = "constraint")]
        never: bool,
    },
    /// Delete memories for good, after showing them
    #[command(after_help = "Example: artoo memory forget 0197b2c4\n\
        \x20        artoo memory forget intent:find_the_ten --yes")]
    Forget {
        /// Ids of memories (the first digits are enough), or tags: SPACE or SPACE,ENTITY
        what: Vec<String>,
        /// Everything under this tag: SPACE or SPACE,ENTITY
        #[arg(long, value_name = "TAG")]
        tag: Vec<String>,
        /// Under tags: only this level [default: all but the laws]
        #[arg(long)]
        level: Option<String>,
        /// Do not ask
        #[arg(long, short)]
        yes: bool,
    },
    /// Print every memory, one JSON object a line
    #[command(after_help = "Example: artoo memory export > memory.jsonl")]
    Export {
        /// Only this level
        #[arg(long)]
        level: Option<String>,
    },
    /// Take exported lines in; nothing is overwritten
    #[command(after_help = "Example: artoo memory import memory.jsonl")]
    Import {
        /// The file; "-" for standard input
        file: PathBuf,
    },
    /// Compare indexes and sums with the records
    #[command(after_help = "Example: artoo memory verify --rebuild")]
    Verify {
        /// Make indexes and sums anew from the records first
        #[arg(long)]
        rebuild: bool,
    },
    /// Rules that have lasted and may become laws: list them, or decide about one
    #[command(after_help = "Example: artoo memory proposals accept 0197b2c4")]
    Proposals {
        /// What becomes of the rule; without it the proposals are listed
        #[arg(requires = "id")]
        decision: Option<LawDecision>,
        /// The rule (the first digits of its id are enough)
        id: Option<String>,
    },
    /// Say that two requests are different tasks, whatever their words say
    #[command(
        after_help = "Example: artoo memory separate \"clean the build folder\" \"clear the build folder\""
    )]
    Separate {
        /// A request
        first: String,
        /// Another one
        second: String,
        /// Let them relate by their words again
        #[arg(long)]
        undo: bool,
    },
}
/// What a person decides about a rule that may become a law.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum LawDecision {
    /// It becomes a law.
    Accept,
    /// It stays a rule, and is not proposed again.
    Reject,
}

/// Runs a command of the memory.
pub async fn run(console: &mut Console, command: MemoryCommand) -> Result<u8, Failure> {
    match command {
        MemoryCommand::List { level, tag, text, limit } => {
            let request = ListMegramsRequest {
                tags: tag.iter().map(|tag| parse_tag(tag)).collect(),
                level: level_word(level),
                text: text.unwrap_or_default(),
                page_size: limit.clamp(1, 200),
                ..Default::default()
            };
            reading::list(console, request).await
        }
        MemoryCommand::Show { id } => reading::show(console, id).await,
        MemoryCommand::Why { space, entity } => reading::why(console, &space, entity).await,
        MemoryCommand::Similar { text, to } => reading::similar(console, text.join(" "), to).await,
        MemoryCommand::Pyramid => figures::pyramid(console).await,
        MemoryCommand::Stats => figures::stats(console).await,
        MemoryCommand::Remember { text, tag, level, never } => {
            changing::remember(console, text.join(" "), &tag, level, never).await
        }
        MemoryCommand::Forget { what, tag, level, yes } => {
            changing::forget(console, &what, &tag, level, yes).await
        }
        MemoryCommand::Export { level } => changing::export(console, level).await,
        MemoryCommand::Import { file } => importing::import(console, &file).await,
        MemoryCommand::Verify { rebuild } => figures::verify(console, rebuild).await,
        MemoryCommand::Proposals { decision, id } => {
            changing::proposals(console, decision, id.unwrap_or_default()).await
        }
        MemoryCommand::Separate { first, second, undo } => {
            changing::separate(console, first, second, undo).await
        }
    }
}

/// One relation: `alias   0.71  show the biggest files  the same but for the words`.
fn related(relation: &Relation) -> Line {
    Line::new()
        .foreign(Tone::Strong, &format!("{:<6}", relation.relation))
        .add(Tone::Plain, format!("  {:.2}  ", relation.similarity))
        .foreign(Tone::Plain, &relation.other)
        .foreign(Tone::Dim, &format!("  {}", relation.why))
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
    use super::parse_tag;

    #[test]
    fn a_tag_has_a_space_and_perhaps_an_entity() {
        let tag = parse_tag("tool:glob, path:/a,b");
        assert_eq!((tag.space.as_str(), tag.entity.as_str()), ("tool:glob", "path:/a,b"));
        assert_eq!(parse_tag("global:user").entity, "");
    }
}
