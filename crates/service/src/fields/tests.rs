use artoo_types::tag::Tag;
use tonic::Code;
use tonic_types::StatusExt;

use super::*;

fn refused_field<T: std::fmt::Debug>(result: Result<T, Status>) -> String {
    let status = result.expect_err("it is refused");
    assert_eq!(status.code(), Code::InvalidArgument);
    let details = status.get_error_details();
    let violations = &details.bad_request().expect("the field is named").field_violations;
    assert_eq!(violations.len(), 1);
    violations[0].field.clone()
}

#[test]
fn bad_ids_name_their_field() {
    assert_eq!(refused_field(task_id("01890a5d")), "task_id");
    assert_eq!(refused_field(confirmation_id(&"x".repeat(10_000))), "confirmation_id");
    assert!(task_id("01890a5d-ac96-774b-bcce-b302099a8057").is_ok());
}

#[test]
fn states_and_levels_are_the_words_of_the_protocol() {
    assert_eq!(task_state("").expect("no filter"), None);
    assert_eq!(task_state("finished").expect("known"), Some(TaskState::Finished));
    assert_eq!(
        task_state("waiting_for_confirmation").expect("known"),
        Some(TaskState::WaitingForConfirmation)
    );
    assert_eq!(refused_field(task_state("Finished")), "state");
    assert_eq!(level("").expect("no filter"), None);
    assert_eq!(level("T").expect("known"), Some(Level::T));
    assert_eq!(refused_field(level("m")), "level");
}

fn check_tag_form(space: &str, entity: &str, expected: &TagFilter) {
    let tag = v1::Tag { space: space.to_owned(), entity: entity.to_owned() };
    assert_eq!(tags(&[tag]).expect("a good tag"), std::slice::from_ref(expected), "{space} {entity}");
}

#[test]
fn tags_are_taken_as_they_are_shown_or_as_people_write_them() {
    let stored = Tag::new("tool:shell", "path:/tmp/100% a|b");
    check_tag_form(&stored.space, &stored.entity, &TagFilter::Tag(stored.clone()));
    check_tag_form("tool:shell", "path:/tmp/100% a|b", &TagFilter::Tag(stored.clone()));
    check_tag_form("tool:shell", "", &TagFilter::Space("tool:shell".to_owned()));
    assert!(TagFilter::Space("tool:shell".to_owned()).covers(&stored));
    assert!(!TagFilter::Space("tool:sh".to_owned()).covers(&stored));
}

#[test]
fn tags_without_space_and_too_many_tags_are_refused() {
    let tag = |space: &str| v1::Tag { space: space.to_owned(), entity: String::new() };
    assert_eq!(refused_field(tags(&[tag("")])), "tags");
    assert_eq!(refused_field(tags(&vec![tag("a"); MAX_TAGS + 1])), "tags");
}
