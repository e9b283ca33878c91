use super::table::parse;
use super::{MAX_NAMES, Process, below, identities, names};

fn process(pid: i32, parent: i32, name: &str) -> Process {
    let name = name.to_owned();
    Process { pid, parent, group: pid, session: pid, is_dead: false, started: 0, name }
}

#[test]
fn a_name_cannot_pretend_to_be_fields() {
    let line = "71 (a) S 1 1 1) R (b\n) Z 7 8 9 0 -1 4194560 1 0 0 0 0 0 0 0 20 0 1 0 523 0 0\n";
    let seen = parse(71, line).expect("it is a line of the table");
    let shown = Process {
        pid: 71,
        parent: 7,
        group: 8,
        session: 9,
        is_dead: true,
        started: 523,
        name: "a) S 1 1 1) R (b?".to_owned(),
    };
    assert_eq!(seen, shown);
    for short in ["", "71", "71 (a) S 1", "71 (a) S x 1 1 0"] {
        assert_eq!(parse(71, short), None, "{short:?}");
    }
}

#[test]
fn this_process_is_in_the_table() {
    let own = super::own_id();
    let all = super::all();
    let seen = all.iter().find(|process| process.pid == own).expect("it runs");
    assert_eq!(super::table::started(own), Some(seen.started));
    assert!(all.is_sorted_by(|a, b| a.pid > b.pid), "the youngest first");
}

#[test]
fn only_what_is_below_a_root_is_found() {
    let table = [(2, 1), (3, 2), (4, 3), (5, 1), (6, 5), (7, 9), (9, 7)]
        .map(|(pid, parent)| process(pid, parent, "p"));
    let mut found: Vec<i32> =
        below(table.to_vec(), |p| p.pid == 2 || p.pid == 7).iter().map(|p| p.pid).collect();
    found.sort_unstable();
    assert_eq!(found, [2, 3, 4, 7, 9], "also where the table goes in a circle");
}

#[test]
fn names_are_counted_and_bounded() {
    let mut left: Vec<Process> = (0..3).map(|pid| process(pid, 1, "sleep")).collect();
    left.push(process(4, 1, "cat"));
    left.push(Process { is_dead: true, ..process(5, 1, "dead") });
    assert_eq!(names(&left), ["cat", "sleep (3)"]);
    let many: Vec<Process> = (0..20).map(|pid| process(pid, 1, &format!("p{pid:02}"))).collect();
    assert_eq!(names(&many).len(), MAX_NAMES + 1);
    assert_eq!(identities(&many)[..2], ["p00 (process 0)", "p01 (process 1)"]);
    assert_eq!(identities(&many).last().map(String::as_str), Some("and 12 more"));
}
