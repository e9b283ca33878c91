//! `artoo schedule`: recurring tasks.

use std::path::PathBuf;

use artoo_protocol::v1::{
    AddScheduleRequest, ListSchedulesRequest, ListSchedulesResponse, RemoveScheduleRequest,
    RunScheduleRequest, Schedule,
};
use clap::Subcommand;
use jiff::tz::TimeZone;
use prost_types::Timestamp;

use crate::answers::token;
use crate::console::Console;
use crate::exit::{DONE, Failure};
use crate::one_shot::folder;
use crate::render::figures::short_id;
use crate::render::{Line, Tone};
use crate::terminal::{TerminalLook, spoken};

/// What to do with recurring tasks.
#[derive(Debug, Subcommand)]
pub enum ScheduleCommand {
    /// Run a request again and again, with nobody there to be asked
    #[command(
        after_help = "Examples: artoo schedule add \"every weekday 9:00\" \"how much space is left on my disks\"\n          \
                            artoo schedule add 每天九点 \"git status\"\n          artoo schedule add \"0 9 * * 1-5\" \"...\""
    )]
    Add {
        /// When: in words, or as a cron pattern of five fields
        when: String,
        /// What to do, in words
        #[arg(required = true)]
        text: Vec<String>,
        /// Where relative paths start [default: the current folder]
        #[arg(long, value_name = "DIR")]
        cwd: Option<PathBuf>,
        /// Leave out what was missed while the machine was off; else the last missed one runs when it is back
        #[arg(long)]
        skip_missed: bool,
    },
    /// All of them, with their next times
    List,
    /// Take one away; what it started goes on
    Remove {
        /// The schedule; the start of its id is enough
        id: String,
    },
    /// Run one now, besides its times
    Run {
        /// The schedule; the start of its id is enough
        id: String,
    },
}

/// Carries a command out.
///
/// # Errors
/// The daemon's: words that are no time, an unknown id.
pub async fn run(console: &mut Console, command: ScheduleCommand) -> Result<u8, Failure> {
    let daemon = console.daemon.clone();
    match command {
        ScheduleCommand::Add { when, text, cwd, skip_missed } => {
            let request = AddScheduleRequest {
                when,
                input: text.join(" "),
                working_directory: folder(cwd.as_deref())?,
                skip_missed,
                token: token(&daemon.paths)?,
            };
            let added = daemon.answer(console.client.add_schedule(request).await)?;
            console
                .print(&added, |added, look| added.schedule.iter().flat_map(|one| lines(one, look)).collect())
                .await?;
        }
        ScheduleCommand::List => {
            let all = daemon.answer(console.client.list_schedules(ListSchedulesRequest {}).await)?;
            console.print(&all, listed).await?;
        }
        ScheduleCommand::Remove { id } => {
            let request = RemoveScheduleRequest { schedule_id: id, token: token(&daemon.paths)? };
            let removed = daemon.answer(console.client.remove_schedule(request).await)?;
            console
                .print(&removed, |removed, _| {
                    let input = removed.schedule.as_ref().map(|one| one.input.as_str()).unwrap_or_default();
                    vec![Line::plain(spoken().screen("removed: ")).foreign(Tone::Plain, input)]
                })
                .await?;
        }
        ScheduleCommand::Run { id } => {
            let request_id = uuid::Uuid::now_v7().to_string();
            let request = RunScheduleRequest { schedule_id: id, request_id, token: token(&daemon.paths)? };
            let started = daemon.answer(console.client.run_schedule(request).await)?;
            console
                .print(&started, |started, _| {
                    let told = format!("started: artoo show {}", short_id(&started.task_id));
                    vec![Line::plain(spoken().screen(&told))]
                })
                .await?;
        }
    }
    Ok(DONE)
}

fn listed(all: &ListSchedulesResponse, look: &TerminalLook) -> Vec<Line> {
    if all.schedules.is_empty() {
        let hint = "none yet: artoo schedule add \"every weekday 9:00\" \"what to do\"";
        return vec![Line::new().add(Tone::Dim, spoken().screen(hint))];
    }
    all.schedules.iter().flat_map(|one| lines(one, look)).collect()
}

fn lines(one: &Schedule, look: &TerminalLook) -> Vec<Line> {
    let times: Vec<String> = one.next_at.iter().map(local).collect();
    let language = spoken();
    let next = format!("next {}", times.join(", "));
    let mut lines = vec![
        Line::new()
            .foreign(Tone::Accent, &one.schedule_id)
            .foreign(Tone::Strong, &format!("  {}", one.when))
            .foreign(Tone::Plain, &format!("  {}", one.input))
            .fit(look.width),
        Line::plain("          ").add(Tone::Dim, language.screen(&next)).fit(look.width),
    ];
    if !one.last_task_id.is_empty() {
        lines.push(
            Line::plain("          ").add(
                Tone::Dim,
                language.screen(&format!("last: artoo show {}", short_id(&one.last_task_id))),
            ),
        );
    }
    if !one.last_problem.is_empty() {
        lines.push(
            Line::plain("          ")
                .add(Tone::Warn, "! ")
                .foreign(Tone::Plain, &language.screen(&one.last_problem))
                .fit(look.width),
        );
    }
    lines
}

/// The time where the person is: `Mon 2026-11-23 09:00`.
fn local(time: &Timestamp) -> String {
    let zone = TimeZone::system();
    let at = jiff::Timestamp::from_second(time.seconds).unwrap_or_default().to_zoned(zone);
    let day = spoken().screen(&at.strftime("%a").to_string());
    format!("{day} {}", at.strftime("%Y-%m-%d %H:%M"))
}
