use super::{bound_of, processes};

#[test]
fn a_process_may_have_half_of_the_memory_and_never_less_than_a_gibibyte() {
    let check = |text: &str, bytes| assert_eq!(bound_of(text), bytes, "{text}");
    check("MemTotal:       24684084 kB\nMemFree:        1 kB\n", Some(12_638_251_008));
    check("MemTotal:         500000 kB\n", Some(1 << 30));
    check("MemTotal: 99999999999999999999 kB\n", None);
    check("", None);
}

#[test]
fn processes_are_counted_from_those_that_there_are() {
    let check = |text: &str, most| assert_eq!(processes(text), most, "{text}");
    check("2.00 2.05 1.47 3/345 1234\n", Some(4_441));
    check("2.00 2.05 1.47\n", None);
    check("", None);
}
