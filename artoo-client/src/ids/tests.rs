use super::pick;

const IDS: [&str; 3] = [
    "0197b2c4-1a2b-7000-8000-000000000001",
    "0197b2c4-1a2b-7000-8000-000000000002",
    "0198aaaa-0000-7000-8000-000000000003",
];

fn check(prefix: &str, expected: Result<usize, u8>) {
    let found = pick(prefix, "task", IDS.into_iter()).map_err(|failure| failure.code());
    assert_eq!(found, expected.map(|index| IDS[index].to_owned()), "{prefix}");
}

#[test]
fn a_prefix_must_be_unique() {
    check("0198", Ok(2));
    check("0198AAAA0000", Ok(2));
    check("0197b2c4-1a2b-7000-8000-000000000002", Ok(1));
    check("0197b2c4", Err(2));
    check("ffff", Err(5));
    check("", Err(5));
}
