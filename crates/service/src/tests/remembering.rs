//! What the operator does with the memory.

use artoo_journal::read_system;
use artoo_types::envelope::{MessageKind, Role};

use super::*;

/// The persona and the four laws.
const LAWS: u64 = 5;

impl Running {
    async fn remember(&mut self, text: &str) -> v1::RememberResponse {
        let request =
            v1::RememberRequest { text: text.to_owned(), token: TOKEN.to_owned(), ..Default::default() };
        self.client.remember(request).await.expect("it is remembered").into_inner()
    }

    async fn forget(&mut self, id: &str, dry_run: bool) -> Result<v1::ForgetResponse, Status> {
        let (megram_ids, token) = (vec![id.to_owned()], TOKEN.to_owned());
        let request = v1::ForgetRequest { megram_ids, dry_run, token, ..Default::default() };
        self.client.forget(request).await.map(tonic::Response::into_inner)
    }

    /// What is exported but for the laws, which every memory begins with.
    async fn exported(&mut self) -> String {
        let lines = self.exported_whole().await;
        let is_own = |line: &&str| !line.contains("\"space\":\"global:laws\"");
        lines.lines().filter(is_own).map(|line| format!("{line}\n")).collect()
    }

    async fn exported_whole(&mut self) -> String {
        let stream = self.client.export_memory(v1::ExportMemoryRequest::default()).await;
        let mut stream = stream.expect("it is exported").into_inner();
        let mut lines = String::new();
        while let Some(part) = stream.message().await.expect("it goes on") {
            lines.push_str(&part.lines);
        }
        lines
    }

    async fn import(&mut self, lines: &str) -> v1::ImportMemoryResponse {
        let request =
            v1::ImportMemoryRequest { lines: lines.to_owned(), first_line: 11, token: TOKEN.to_owned() };
        self.client.import_memory(request).await.expect("it is looked at").into_inner()
    }

    async fn is_sound(&mut self, rebuild: bool) -> v1::VerifyMemoryResponse {
        let request = v1::VerifyMemoryRequest { rebuild, token: TOKEN.to_owned() };
        let found = self.client.verify_memory(request).await.expect("it is compared").into_inner();
        assert!(found.intact, "{found:?}");
        found
    }

    /// The kinds of the messages from the operator to the memory that are journaled.
    fn journaled(&self) -> Vec<String> {
        let mut journal = read_system(self.daemon.system.path(), 0).expect("it is there");
        let mut kinds = Vec::new();
        while let Some(envelope) = journal.next_record().expect("it can be read") {
            assert!(!envelope.refused, "{envelope:?}");
            let kind = envelope.payload.kind();
            let is_wish = (envelope.from, envelope.to) == (Role::Operator, Role::Memory);
            if is_wish && kind != MessageKind::MemoryQuery {
                kinds.push(kind.as_str().to_owned());
            }
        }
        kinds
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_said_is_remembered_once_and_journaled() {
    let mut running = start(offline()).await;
    let first = running.remember("my invoices are in ~/bills").await;
    assert_eq!(first.added, 1);
    let megram = &first.megrams[0];
    assert_eq!((megram.level.as_str(), megram.space.as_str()), ("C", "global:user"));
    assert_eq!((megram.sigma, megram.k, megram.state.as_str()), (1.0, 0.0, "declared"));
    let again = running.remember(" my invoices  are in ~/bills").await;
    assert_eq!((again.added, &again.megrams[0].id), (0, &megram.id));
    assert_eq!(running.journaled(), ["megram_write"]);
    let read = running.daemon.system.path().to_owned();
    let queries = || std::fs::read_to_string(&read).expect("text").matches("memory_query").count();
    let before = queries();
    running.exported().await;
    assert_eq!(queries(), before + 1, "who reads it leaves a line too");
    assert_eq!(running.is_sound(false).await.memories, 1 + LAWS);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_forgotten_goes_by_the_start_of_its_id_and_stays_away() {
    let mut running = start(offline()).await;
    let id = running.remember("one").await.megrams[0].id.clone();
    let lines = running.exported().await;
    let would = running.forget(&id[..13], true).await.expect("it is told");
    assert_eq!((would.forgotten, would.megrams[0].content.as_str()), (1, "one"));
    assert_eq!(running.exported().await, lines, "nothing was done");
    assert_eq!(running.forget(&id[..13], false).await.expect("it is forgotten").forgotten, 1);
    assert_eq!(running.exported().await, "");
    let back = running.import(&lines).await;
    assert_eq!((back.imported, back.buried), (0, 1));
    refused(running.forget(&id, false).await, Code::NotFound, "NOT_FOUND");
    refused(running.forget("zz", false).await, Code::InvalidArgument, "INVALID_FIELD");
    assert_eq!(running.remember("one").await.added, 1, "it can be said again");
    assert_eq!(running.journaled(), ["megram_write", "memory_change", "megram_write"]);
    running.is_sound(false).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_tag_is_forgotten_but_for_its_laws() {
    let mut running = start(offline()).await;
    for (level, text) in [("M", "seen"), ("K", "known"), ("C", "a rule"), ("T", "a law")] {
        let request = v1::RememberRequest {
            text: text.to_owned(),
            level: level.to_owned(),
            constraint: true,
            token: TOKEN.to_owned(),
            ..Default::default()
        };
        running.client.remember(request).await.expect("it is remembered");
    }
    let tag = v1::Tag { space: "global:user".to_owned(), entity: String::new() };
    let wish = |level: &str| v1::ForgetRequest {
        tags: vec![tag.clone()],
        level: level.to_owned(),
        token: TOKEN.to_owned(),
        ..Default::default()
    };
    let forget = running.client.forget(wish("K")).await.expect("a level of it").into_inner();
    assert_eq!(forget.forgotten, 1);
    let forget = running.client.forget(wish("")).await.expect("the rest").into_inner();
    assert_eq!(forget.forgotten, 2);
    let left = running.exported().await;
    assert!(left.contains("a law") && left.lines().count() == 1, "{left}");
    running.is_sound(false).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_export_makes_the_same_memory_in_an_empty_home() {
    let mut first = start(offline()).await;
    first.remember("my invoices are in ~/bills").await;
    let megram = |number: u128, level: &str, k: f64| {
        serde_json::json!({
            "id": uuid::Uuid::from_u128(number), "level": level, "created_at": 1_767_225_600_000_i64,
            "last_recalled_at": 1_767_225_700_000_i64, "space": "tool:glob", "entity": "path:*",
            "content": "it answers fast", "state": "accept", "f": 0.9, "sigma": 1.0, "k": k,
            "agent_id": "artoo", "tainted": true, "about": "find them",
        })
        .to_string()
    };
    let lines =
        [megram(1, "M", 0.05), megram(2, "C", 0.0), megram(3, "T", 0.0), megram(1, "M", 0.05)].join("\n");
    let taken = first.import(&lines).await;
    assert_eq!((taken.imported, taken.known, taken.refused), (3, 1, 0), "{taken:?}");
    let exported = first.exported_whole().await;
    assert!(exported.contains("\"last_recalled_at\":1767225700000") && exported.contains("\"tainted\":true"));
    let mut second = start(offline()).await;
    let taken = second.import(&exported).await;
    assert_eq!((taken.imported, taken.known, taken.refused), (4, LAWS, 0), "{taken:?}");
    assert_eq!(second.exported_whole().await, exported);
    assert_eq!(second.is_sound(false).await.memories, 4 + LAWS);
    assert_eq!(second.import(&exported).await.known, 4 + LAWS, "nothing is taken twice");
    let journaled = second.journaled();
    assert_eq!(journaled.iter().filter(|kind| *kind == "megram_write").count(), 4, "{journaled:?}");
    assert_eq!(journaled.iter().filter(|kind| *kind == "memory_change").count(), 1, "{journaled:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_line_that_is_no_memory_is_refused_with_its_number() {
    let mut running = start(offline()).await;
    running.remember("one").await;
    let good = running.exported().await;
    let good = good.trim_end();
    let other = good.replace("\"one\"", "\"another\"");
    let heavy = good.replace("\"f\":0.9", "\"f\":1.5").replace("\"id\":\"0", "\"id\":\"1");
    let odd = heavy.replace("\"f\":1.5", "\"f\":0.9").replace("\"k\":0.0", "\"k\":0.3");
    let taken = running.import(&format!("{good}\nnot JSON\n\n{other}\n{heavy}\n{odd}\n")).await;
    assert_eq!((taken.imported, taken.known, taken.refused), (0, 1, 4), "{taken:?}");
    let starts: Vec<&str> = taken.errors.iter().map(|error| &error[..8]).collect();
    assert_eq!(starts, ["line 12:", "line 14:", "line 15:", "line 16:"]);
    assert!(taken.errors[1].contains("it was not overwritten"), "{taken:?}");
    assert!(taken.errors[2].contains("from 0 to 1"), "{taken:?}");
    assert!(taken.errors[3].contains("k is 0.3; a memory fades with k = 0, 0.05, 0.2 or 0.5"), "{taken:?}");
    assert_eq!(running.exported().await.trim_end(), good);
    let huge = format!("{{\"level\":\"{}\"}}\n", "x".repeat(900_000));
    let taken = running.import(&huge).await;
    assert!(taken.refused == 1 && taken.errors[0].len() < 500, "{} bytes", taken.errors[0].len());
    let flood = v1::ImportMemoryRequest { lines: "\n".repeat(5_001), first_line: 0, token: TOKEN.to_owned() };
    refused(running.client.import_memory(flood).await, Code::InvalidArgument, "INVALID_FIELD");
}

#[tokio::test(flavor = "multi_thread")]
async fn requests_that_are_kept_apart_relate_no_more_until_that_is_undone() {
    let mut running = start(offline()).await;
    let (a, b) = ("find the largest files", "show the biggest files");
    let relation = async |running: &mut Running| {
        let request =
            v1::QueryMemoryRequest { text: a.to_owned(), compare_to: b.to_owned(), ..Default::default() };
        let known = running.client.query_memory(request).await.expect("they are compared").into_inner();
        known.relations[0].relation.clone()
    };
    let separate = async |running: &mut Running, second: &str, undo| {
        let (first, second, token) = (a.to_owned(), second.to_owned(), TOKEN.to_owned());
        let request = v1::SeparateRequestsRequest { first, second, undo, token };
        running.client.separate_requests(request).await.map(tonic::Response::into_inner)
    };
    assert_eq!(relation(&mut running).await, "alias");
    let now = separate(&mut running, b, false).await.expect("they can be apart");
    assert!(now.changed);
    assert_eq!(relation(&mut running).await, "none");
    assert!(!separate(&mut running, b, false).await.expect("again").changed);
    let stats = running.client.get_memory_stats(v1::GetMemoryStatsRequest {}).await.expect("figures");
    assert_eq!(stats.into_inner().separations[0].second, b);
    assert!(separate(&mut running, b, true).await.expect("it is undone").changed);
    assert_eq!(relation(&mut running).await, "alias");
    let same = separate(&mut running, "Find the largest files!", false).await;
    refused(same, Code::InvalidArgument, "INVALID_FIELD");
    assert_eq!(running.journaled(), ["memory_change", "memory_change"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn figures_and_a_rebuild() {
    let mut running = start(offline()).await;
    running.remember("one").await;
    let stats = running.client.get_memory_stats(v1::GetMemoryStatsRequest {}).await.expect("figures");
    let stats = stats.into_inner();
    let counts: Vec<_> = stats.levels.iter().map(|level| (level.level.as_str(), level.count)).collect();
    assert_eq!(counts, [("M", 0), ("K", 0), ("C", 1), ("T", LAWS)]);
    assert_eq!((stats.written, stats.refused, stats.buried), (1 + LAWS, 0, 0));
    assert!(running.is_sound(true).await.rebuilt);
    assert_eq!(running.journaled(), ["megram_write", "memory_change"]);
}
