//! The commands of the memory.

use std::path::PathBuf;

use clap::Subcommand;

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
