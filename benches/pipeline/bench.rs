//! A daemon in this process, put together as the program does, and tasks that run on it.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, bail, ensure};
use artoo_bus::Delivery;
use artoo_config::folder::Places;
use artoo_model::Models;
use artoo_runtime::live::LiveReader;
use artoo_runtime::task::Tasks;
use artoo_runtime::wiring::{self, Daemon, DaemonOptions};
use artoo_types::control::{Ending, FinalResult};
use artoo_types::task::{TaskOptions, TaskSubmitted};
use artoo_types::{Message, TaskId};

use crate::model::PinnedModel;

/// What the one tool call of a task reads.
pub(crate) const NOTE: &str = "forty-two\n";

/// A running daemon with its model and the folder that its tasks work in.
pub(crate) struct Bench {
    daemon: Daemon,
    live: LiveReader,
    model: Arc<PinnedModel>,
    work: PathBuf,
    subtasks: u64,
    tasks: u64,
    folder: tempfile::TempDir,
}

impl Bench {
    /// A daemon whose plans have `subtasks` parallel subtasks, and that syncs its journals or only writes them.
    pub(crate) fn start(subtasks: u32, sync: bool) -> anyhow::Result<Self> {
        let folder = tempfile::Builder::new().prefix("artoo-bench-").tempdir()?;
        let below = |name: &str| folder.path().join(name);
        let places = Places {
            data: below("data"),
            socket: below("data/artoo.sock"),
            home: below("home"),
            workspace: below("home/workspace"),
        };
        places.prepare()?;
        let work = below("home/work");
        std::fs::create_dir_all(&work)?;
        std::fs::write(work.join("note.txt"), NOTE)?;
        let model = Arc::new(PinnedModel::new(subtasks)?);
        let models = Models::single(Arc::clone(&model) as _);
        let options = DaemonOptions { sync, ..DaemonOptions::without_keeper(models) };
        let daemon = wiring::assemble(&places, options)?;
        let live = daemon.live.subscribe();
        Ok(Self { daemon, live, model, work, subtasks: u64::from(subtasks), tasks: 0, folder })
    }

    /// Runs one task and returns when its result is there.
    pub(crate) async fn run_one(&mut self) -> anyhow::Result<()> {
        self.tasks += 1;
        let task_id = submit(self.daemon.tasks.clone(), self.submission()).await?;
        self.wait_for(BTreeSet::from([task_id])).await
    }

    /// Begins this many tasks at once and returns when the last result is there.
    pub(crate) async fn run_at_once(&mut self, count: u64) -> anyhow::Result<()> {
        self.tasks += count;
        let begin = |_| tokio::spawn(submit(self.daemon.tasks.clone(), self.submission()));
        let begun: Vec<_> = (0..count).map(begin).collect();
        let mut pending = BTreeSet::new();
        for task in begun {
            pending.insert(task.await??);
        }
        self.wait_for(pending).await
    }

    /// Returns when the auditor has read everything that happened.
    pub(crate) async fn settle(&self) -> anyhow::Result<()> {
        let report = self.daemon.auditor.report(false).await;
        report.map(|_| ()).context("the auditor does not catch up")
    }

    /// Bytes of a task's journal, and of one with everything in full.
    pub(crate) fn journal_sizes(&self) -> anyhow::Result<(f64, f64)> {
        crate::journals::sizes(&self.data().join("tasks"))
    }

    /// The data folder.
    pub(crate) fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    /// What the model answers in a task.
    pub(crate) fn replies(&self) -> Vec<String> {
        self.model.replies()
    }

    /// Ends the daemon. Says so when the pipeline did not do the work that is being compared.
    pub(crate) async fn stop(self) -> anyhow::Result<()> {
        // Plan, act, judge; several results are put together by one call more. The request is read by code.
        let a_task = 1 + 2 * self.subtasks + u64::from(self.subtasks > 1);
        let (calls, expected) = (self.model.calls(), self.tasks * a_task);
        let tasks = self.tasks;
        self.daemon.shut_down(Duration::from_secs(5)).await;
        ensure!(calls == expected, "{tasks} tasks made {calls} model calls instead of {expected}");
        self.folder.close().context("the temporary folder cannot be removed")
    }

    fn submission(&self) -> TaskSubmitted {
        TaskSubmitted {
            input: "Tell me what note.txt says.".to_owned(),
            session_id: String::new(),
            request_id: String::new(),
            working_directory: self.work.to_string_lossy().into_owned(),
            options: TaskOptions::default(),
        }
    }

    /// Follows the live stream until all of these have ended. A gap in it is closed by looking the tasks up.
    async fn wait_for(&mut self, mut pending: BTreeSet<TaskId>) -> anyhow::Result<()> {
        while !pending.is_empty() {
            match self.live.next().await {
                Delivery::Item(envelope) => {
                    if let (Some(task_id), Message::FinalResult(result)) =
                        (envelope.task_id, &envelope.payload)
                        && pending.remove(&task_id)
                    {
                        check_end(result)?;
                    }
                }
                Delivery::Lagged { .. } => {
                    for task_id in pending.clone() {
                        if let Some(result) = &self.daemon.tasks.get(task_id)?.result {
                            check_end(result)?;
                            pending.remove(&task_id);
                        }
                    }
                }
            }
        }
        Ok(())
    }
}

async fn submit(tasks: Tasks, submitted: TaskSubmitted) -> anyhow::Result<TaskId> {
    Ok(tasks.submit(submitted).await?.task_id)
}

fn check_end(result: &FinalResult) -> anyhow::Result<()> {
    match result.directive {
        Ending::Accept => Ok(()),
        Ending::Success | Ending::Abandon => bail!("a task was not accepted: {}", result.summary),
    }
}
