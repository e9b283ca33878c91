use std::collections::BTreeMap;

use artoo_journal::task_ids;
use artoo_types::task::TaskOptions;
use tempfile::TempDir;

use super::*;
use crate::testing::{assembled, places, silent};
use crate::wiring::Daemon;
use artoo_config::folder::Places;

fn start() -> (TempDir, Places, Daemon) {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let places = places(folder.path());
    let daemon = assembled(&places, silent(), true);
    (folder, places, daemon)
}

fn submitted(request_id: &str, input: &str) -> TaskSubmitted {
    TaskSubmitted {
        input: input.to_owned(),
        session_id: String::new(),
        request_id: request_id.to_owned(),
        working_directory: "/".to_owned(),
        options: TaskOptions::default(),
    }
}

/// Two bugs would show: a key that two batches, or one, take twice, and a caller that nobody answers.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn callers_at_once_with_the_same_keys_get_one_task_a_key() {
    let (_folder, places, daemon) = start();
    let calls: Vec<_> = (0..400)
        .map(|n| {
            let (tasks, key) = (daemon.tasks.clone(), format!("key {}", n % 40));
            tokio::spawn(async move {
                let submitted = submitted(&key, &format!("think of {key}"));
                (key, tasks.submit(submitted).await.expect("it is accepted"))
            })
        })
        .collect();
    let mut new: BTreeMap<String, TaskId> = BTreeMap::new();
    let mut all = Vec::new();
    for call in calls {
        let (key, accepted) = call.await.expect("it answers");
        if !accepted.already_known {
            assert_eq!(new.insert(key.clone(), accepted.task_id), None, "{key} was new twice");
        }
        all.push((key, accepted.task_id));
    }
    assert_eq!(new.len(), 40);
    assert!(all.iter().all(|(key, task_id)| new[key] == *task_id));
    assert_eq!(daemon.tasks.counts(), (40, 40));
    assert_eq!(task_ids(&places.tasks()).expect("a folder").len(), 40);
    let other = submitted("key 0", "think of something else");
    let other = daemon.tasks.submit(other).await;
    assert!(matches!(other, Err(TaskError::KeyReused(_))), "{other:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn more_tasks_than_can_run_are_refused_and_leave_nothing_behind() {
    let (_folder, places, daemon) = start();
    let calls: Vec<_> = (0..MAX_RUNNING + 20)
        .map(|_| {
            let tasks = daemon.tasks.clone();
            tokio::spawn(async move { tasks.submit(submitted("", "think")).await })
        })
        .collect();
    let mut refused = 0;
    for call in calls {
        match call.await.expect("it answers") {
            Ok(_) => {}
            Err(TaskError::Busy(_)) => refused += 1,
            Err(other) => panic!("{other}"),
        }
    }
    assert_eq!(refused, 20);
    assert_eq!(task_ids(&places.tasks()).expect("a folder").len(), MAX_RUNNING);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_disk_that_takes_no_journal_refuses_the_request_and_knows_nothing_of_it() {
    let (_folder, places, daemon) = start();
    std::fs::remove_dir_all(places.tasks()).ok();
    std::fs::write(places.tasks(), "not a folder").expect("it can be written");
    let submit = async || daemon.tasks.submit(submitted("key", "think")).await;
    let refused = submit().await;
    assert!(matches!(refused, Err(TaskError::Journal(_))), "{refused:?}");
    assert_eq!(daemon.tasks.counts(), (0, 0));
    std::fs::remove_file(places.tasks()).expect("it is ours");
    assert!(!submit().await.expect("there is room again").already_known);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_daemon_that_goes_down_still_knows_its_requests_and_takes_no_new_ones() {
    let (_folder, _, daemon) = start();
    let submit = async |key| daemon.tasks.submit(submitted(key, "think")).await;
    let first = submit("a").await.expect("it is accepted");
    daemon.tasks.close().await;
    assert_eq!(submit("a").await.expect("it is known").task_id, first.task_id);
    let new = submit("b").await;
    assert!(matches!(new, Err(TaskError::ShuttingDown)), "{new:?}");
}
