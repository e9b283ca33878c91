//! One run of all tasks.

use crate::families::Task;
use crate::figures::Figures;
use crate::{fixture, naive};
use artoo_testing::Home;
use artoo_testing::model_server::ModelServer;

/// Who plans.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Planner {
    /// A naive model behind an HTTP server.
    Naive,
    /// The built-in rules.
    Offline,
}

/// Whether tasks know what the tasks before them learned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Memory {
    /// All tasks share one data folder.
    On,
    /// Each task has a new one.
    Off,
}

/// Runs the tasks one after the other.
pub(crate) fn run(planner: Planner, memory: Memory, tasks: &[&'static Task]) -> Figures {
    let server = ModelServer::start(naive::reply);
    let mut figures = Figures::default();
    let mut home = None;
    for task in tasks {
        if memory == Memory::Off {
            home = None;
        }
        let home = home.get_or_insert_with(|| settle(planner, &server));
        let ended = home.run(task.request, &[]);
        let id = ended.id().parse().unwrap_or_else(|_| panic!("no id: {}", ended.outline()));
        figures.take(task, &home.data().join("tasks"), artoo_types::TaskId(id));
    }
    drop(home);
    figures.dreamed = server.dreams().len();
    figures
}

/// A new home with the files in it, and its daemon.
fn settle(planner: Planner, server: &ModelServer) -> Home {
    let mut home = match planner {
        Planner::Naive => Home::with_model(&server.base_url()),
        Planner::Offline => Home::new().variable("ARTOO_PROVIDER", "offline"),
    };
    fixture::fill(&home);
    home.start();
    home
}
