use artoo_protocol::v1::Megram;

use super::{facts, parse_tag};

#[test]
fn a_tag_has_a_space_and_perhaps_an_entity() {
    let tag = parse_tag("tool:glob, path:/a,b");
    assert_eq!((tag.space.as_str(), tag.entity.as_str()), ("tool:glob", "path:/a,b"));
    assert_eq!(parse_tag("global:user").entity, "");
}

#[test]
fn one_memory_is_shown_with_what_is_known_of_it_alone() {
    let megram = Megram {
        id: "0197b2c4-0000-7000-8000-000000000001".to_owned(),
        level: "C".to_owned(),
        space: "global:user".to_owned(),
        entity: "env:local".to_owned(),
        content: "never write to /srv/photos, because a camera does so at night".to_owned(),
        state: "declared".to_owned(),
        f: 0.9,
        sigma: -1.0,
        agent_id: "operator".to_owned(),
        ..Megram::default()
    };
    let shown: Vec<String> = facts(&megram, 60).iter().map(|line| line.text(false)).collect();
    assert_eq!(
        shown,
        [
            "C  0197b2c4-0000-7000-8000-000000000001  a rule: must not",
            "  says      never write to /srv/photos, because a camera",
            "            does so at night",
            "  tag       global:user env:local",
            "  made      – by operator, as declared",
            "  weighs    f 0.90 σ -1.00 k 0 a day, stays",
        ]
    );
}
