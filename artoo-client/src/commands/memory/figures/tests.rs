use artoo_protocol::v1::{
    FallingCluster, GetMemoryStatsResponse, LevelCount, Megram, RuleInDanger, Tag, VerifyMemoryResponse,
};
use prost_types::Timestamp;

use super::{bar, pyramid_lines, verified};
use crate::terminal::Look;

const LOOK: Look = Look { colour: false, live: false, width: 80 };

fn level(level: &str, count: u64) -> LevelCount {
    LevelCount { level: level.to_owned(), count, remark: String::new() }
}

#[test]
fn the_smallest_level_still_has_a_bar() {
    let stats = GetMemoryStatsResponse::default();
    assert!(bar(&level("C", 1), 100_000, &stats).text(false).contains('█'));
    assert!(!bar(&level("C", 0), 100_000, &stats).text(false).contains('█'));
}

#[test]
fn the_laws_stand_on_top_and_what_goes_next_below() {
    let falling = |space: &str| FallingCluster {
        tag: Some(Tag { space: space.to_owned(), entity: "path:~/tmp".to_owned() }),
        potentials: None,
        at: Some(Timestamp { seconds: 1, nanos: 0 }),
    };
    let rule = Megram { content: "prefer find".to_owned(), ..Default::default() };
    let stats = GetMemoryStatsResponse {
        levels: vec![level("M", 12), level("K", 6), level("C", 1), level("T", 0)],
        forgotten_next: vec![falling("tool:glob"), falling("tool:find")],
        rising_next: vec![falling("tool:ls")],
        in_danger: vec![RuleInDanger { rule: Some(rule), margin: 0.25, ..Default::default() }],
        energy: 4.5,
        ..Default::default()
    };
    let lines: Vec<String> = pyramid_lines(&stats, &LOOK).iter().map(|line| line.text(false)).collect();
    assert_eq!(
        lines,
        [
            "  T                                 0   laws",
            "  C  ██                             1   rule        1 in danger of falling",
            "  K  ████████████                   6   knowledge",
            "  M  ████████████████████████      12   experience  energy 4.5, with knowledge",
            "  in danger of falling    0.25 left  prefer find",
            "  next to become a rule   tool:ls path:~/tmp now",
            "  next to be forgotten    tool:glob path:~/tmp now",
            "                          tool:find path:~/tmp now",
        ]
    );
}

#[test]
fn a_verification_says_what_to_do() {
    let check = |found: VerifyMemoryResponse, expected: &[&str]| {
        let lines: Vec<String> = verified(&found, 100).iter().map(|line| line.text(false)).collect();
        assert_eq!(lines, expected);
    };
    let sound =
        VerifyMemoryResponse { intact: true, memories: 1, clusters: 2, rebuilt: true, ..Default::default() };
    check(sound, &["✓ sound: made anew; 1 memory, 2 sums compared"]);
    let unsound = VerifyMemoryResponse {
        memories: 3,
        clusters: 1,
        findings: vec!["x| belongs to no memory".to_owned()],
        total_findings: 2,
        ..Default::default()
    };
    check(
        unsound,
        &[
            "✗ 2 findings: 3 memories, 1 sum compared",
            "  x| belongs to no memory",
            "  and 1 more",
            "  artoo memory verify --rebuild makes indexes and sums anew; memories stay as they are",
        ],
    );
}
