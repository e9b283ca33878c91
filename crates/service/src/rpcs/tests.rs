use artoo_protocol::FILE_DESCRIPTOR_SET;
use prost::Message;
use prost_types::field_descriptor_proto::Type;
use prost_types::{FileDescriptorProto, FileDescriptorSet};

use super::*;

fn files() -> Vec<FileDescriptorProto> {
    let set = FileDescriptorSet::decode(FILE_DESCRIPTOR_SET).expect("the protocol is described");
    set.file.into_iter().filter(|file| file.package() == "artoo.v1").collect()
}

#[test]
fn every_rpc_has_its_row_and_every_row_its_rpc() {
    let files = files();
    let service = files.iter().flat_map(|file| &file.service).next().expect("there is a service");
    let described: Vec<&str> = service.method.iter().map(|method| method.name()).collect();
    let rows: Vec<&str> = RPCS.iter().map(|rpc| rpc.name).collect();
    assert_eq!(rows, described);
    let inputs: Vec<&str> = service.method.iter().map(|method| method.input_type()).collect();
    let expected: Vec<String> = rows.iter().map(|name| format!(".artoo.v1.{name}Request")).collect();
    assert_eq!(inputs, expected);
}

#[test]
fn only_what_is_compared_or_ours_is_not_redacted() {
    let files = files();
    let messages: Vec<_> = files.iter().flat_map(|file| &file.message_type).collect();
    let mut texts = Vec::new();
    for (name, left) in LEFT {
        let request = format!("{name}Request");
        let message = messages.iter().find(|message| message.name() == request).expect("it has a request");
        for field in message.field.iter().filter(|field| left.contains(&field.name())) {
            let kind = field.r#type();
            if matches!(kind, Type::String | Type::Bytes) {
                texts.push((*name, field.name()));
            } else if kind == Type::Message {
                assert_eq!((*name, field.name()), ("SubmitTask", "options"), "it has no texts");
            }
        }
    }
    let expected = [
        ("ListTasks", "page_token"),
        ("ResolveConfirmation", "token"),
        ("ListMegrams", "page_token"),
        ("Remember", "token"),
        ("Forget", "token"),
        ("ImportMemory", "token"),
        ("SeparateRequests", "token"),
        ("LawProposals", "token"),
        ("VerifyMemory", "token"),
        ("ListFindings", "page_token"),
        ("AckFinding", "token"),
        ("ListReports", "page_token"),
        ("UndoTask", "token"),
        ("ApproveMcpServer", "digest"),
        ("ApproveMcpServer", "token"),
        ("AddSchedule", "token"),
        ("RemoveSchedule", "token"),
        ("RunSchedule", "token"),
        ("Diagnose", "token"),
    ];
    assert_eq!(texts, expected);
}

#[test]
fn what_only_people_may_do_is_what_it_was() {
    let of_people: Vec<&str> =
        RPCS.iter().filter(|rpc| rpc.callers != Callers::Anybody).map(|rpc| rpc.name).collect();
    let expected = [
        "ResolveConfirmation",
        "Remember",
        "Forget",
        "ImportMemory",
        "SeparateRequests",
        "LawProposals",
        "VerifyMemory",
        "AckFinding",
        "UndoTask",
        "ApproveMcpServer",
        "AddSchedule",
        "RemoveSchedule",
        "RunSchedule",
        "Diagnose",
    ];
    assert_eq!(of_people, expected);
}

#[tokio::test(start_paused = true)]
async fn a_slow_answer_ends_at_the_deadline_of_its_row_and_what_has_none_is_waited_for() {
    for rpc in RPCS {
        let slow = async {
            tokio::time::sleep(Duration::from_secs(24 * 3_600)).await;
            Ok(())
        };
        let code = within(rpc.deadline, slow).await.map(drop).map_err(|status| status.code());
        let expected = match rpc.name {
            "Forget" | "ImportMemory" | "VerifyMemory" => Ok(()),
            _ => Err(tonic::Code::DeadlineExceeded),
        };
        assert_eq!(code, expected, "{}", rpc.name);
    }
}
