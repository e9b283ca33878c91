use artoo_journal::{read, task_path};
use artoo_types::machine::TaskInput;
use artoo_types::task::{TaskOptions, TaskSubmitted};

use super::prompts;
use crate::testing::{assembled, offline, places};

/// The journal holds neither the words of prompts nor schemas that no model is given; what went out is shown all the same.
#[tokio::test(flavor = "multi_thread")]
async fn prompts_are_folded_from_a_journal_that_does_not_hold_them() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    std::fs::create_dir(folder.path().join("home")).expect("a folder can be made");
    std::fs::write(folder.path().join("home/a.txt"), "one\n").expect("a file can be made");
    let places = places(folder.path());
    let daemon = assembled(&places, offline(), true);
    let submitted = TaskSubmitted {
        input: "list the files in this folder".to_owned(),
        session_id: String::new(),
        request_id: String::new(),
        working_directory: folder.path().join("home").to_string_lossy().into_owned(),
        options: TaskOptions::default(),
    };
    let task_id = daemon.tasks.submit(submitted).await.expect("it is accepted").task_id;
    let mut stream = daemon.tasks.events(task_id, 0, true).expect("it has events");
    while stream.next().await.expect("it can be read").is_some() {}

    let page = prompts(&daemon.tasks, task_id, 0, usize::MAX).expect("it has prompts");
    assert!(page.prompts.len() > 1 && !page.more, "{page:?}");
    for prompt in &page.prompts {
        assert!(prompt.request.messages[0].content.starts_with("# Role: "), "{prompt:?}");
        assert!(prompt.request.messages[1].content.contains("list the files"), "{prompt:?}");
    }
    let journal = task_path(&places.tasks(), task_id);
    let text = std::fs::read_to_string(&journal).expect("it has a journal");
    assert!(!text.contains("# Role: ") && text.contains("(not kept: "), "{text}");

    let first = read(&journal, 0).expect("a journal").next_record().expect("whole").expect("a step");
    let TaskInput::Submitted { setting, .. } = first.input else { panic!("not a submission") };
    assert!(
        setting.tools.iter().all(|tool| tool.schema.is_empty() && tool.signature.len() > 2),
        "{setting:?}"
    );
    daemon.shut_down(std::time::Duration::from_secs(10)).await;
}
