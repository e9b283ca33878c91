//! The gate against bash itself: commands of pieces that two readers may understand differently, each with an act in it. What the
//! gate calls safe is run in the throwaway folder of the fixture; the act must not have been carried out.

use std::time::{Duration, Instant};

use artoo_gate::Decision;

use crate::fixture::Fixture;
use artoo_testing::dice::{Dice, setting};

/// Acts that leave a trace: on the marked file, or by the marked program.
const ACTS: &[&str] = &[
    "rm notes.txt",
    "\nrm notes.txt\n",
    ";rm notes.txt;",
    "$(rm notes.txt)",
    "`rm notes.txt`",
    "&&rm notes.txt",
    "|rm notes.txt",
    "<(rm notes.txt)",
    " >notes.txt ",
    ">>notes.txt ",
    ";./marked;",
    "$(./marked)",
    "\n./marked\n",
    " sh marked ",
];
/// How a command begins.
const HEADS: &[&str] = &[
    "",
    "echo ",
    "ls ",
    "cat <<X\n",
    "echo \"",
    "echo ${x:-",
    "[[ x == ",
    "case x in ",
    "echo $(",
    "echo `",
    "x=",
    "echo $((",
    "for i in ",
    "printf %s ",
    "cat <<< ",
    "echo $$",
    "bash -c \"$(echo -e ",
    "bash -c $'ls ",
];
/// What stands around the act.
const PIECES: &[&str] = &[
    "\"",
    "'",
    "`",
    "\\",
    "\n",
    " ",
    ";",
    "&",
    "|",
    "&&",
    "||",
    "(",
    ")",
    "{ ",
    "; }",
    "}",
    "$(",
    " )",
    "${x:-",
    "${x#",
    "${x%%",
    "${x:+",
    "${#x}",
    "${x?",
    "$((",
    "))",
    "((",
    "[[ ",
    " ]]",
    " =~ ",
    " == ",
    "case x in ",
    "x) ",
    ";;",
    " esac",
    "if ",
    "; then ",
    "; fi",
    "for i in ",
    "; do ",
    "; done",
    "#",
    " #",
    "!",
    "|&",
    "<<<",
    "<<X\n",
    "<<'X'\n",
    "<<-X\n",
    "<<X ",
    "\nX\n",
    "X",
    "\\\n",
    "$'",
    "$\"",
    "\\'",
    "\\\"",
    "$",
    "x=",
    "x=(",
    "a[",
    "]",
    "$[",
    "~",
    "*",
    "?",
    "$$",
    "$#",
    "$?",
    "$@",
    "$1",
    "${",
    "{1..3}",
    "{}",
    "echo ",
    "ls ",
    "cat ",
    "true ",
    "printf %s ",
    "printf ",
    "2>&1",
    "</dev/null",
    ">/dev/null",
    "-n",
    "a",
    "1",
    ",",
    ":",
    "=",
    "+",
    "<(",
    "<",
    "\t",
    "\\x27",
    "\\047",
    "\\0125",
    "\\n",
    "\"${x:-'",
    "'}\"",
    "${HOME:+",
    "${x:-<(",
    "| tr a b",
    "| rev",
];
/// Most pieces in front of an act, and behind it.
const MOST_PIECES: u64 = 5;

/// For the time that `ARTOO_LAW1_FUZZ_SECONDS` gives, one safe command after the other is run.
#[test]
fn what_bash_does_with_a_safe_command_leaves_no_trace() {
    let fixture = Fixture::new();
    let mut dice = Dice::new(setting("ARTOO_LAW1_SEED", 3));
    let until = Instant::now() + Duration::from_secs(setting("ARTOO_LAW1_FUZZ_SECONDS", 3));
    let (mut judged, mut run) = (0u64, 0u64);
    while Instant::now() < until {
        let command = generated(&mut dice);
        judged += 1;
        if fixture.explain(&command).decision == Decision::Safe {
            run += 1;
            fixture.run(&command);
            assert!(fixture.is_untouched(), "called safe, and acted: {command:?}");
        }
    }
    println!("law1: bash ran {run} safe commands of {judged}, and none acted");
}

/// The trace of an act is seen, so that its absence means something.
#[test]
fn an_act_leaves_a_trace() {
    for act in ["rm notes.txt", "echo > notes.txt", "./marked", "sh marked"] {
        let fixture = Fixture::new();
        assert!(fixture.is_untouched());
        fixture.run(act);
        assert!(!fixture.is_untouched(), "{act}");
    }
}

fn generated(dice: &mut Dice) -> String {
    let pick = |dice: &mut Dice, among: &[&'static str]| {
        among[usize::try_from(dice.below(among.len() as u64)).expect("an index")]
    };
    let mut text = pick(dice, HEADS).to_owned();
    for _ in 0..dice.below(MOST_PIECES) {
        text.push_str(pick(dice, PIECES));
    }
    text.push_str(pick(dice, ACTS));
    for _ in 0..dice.below(MOST_PIECES) {
        text.push_str(pick(dice, PIECES));
    }
    if dice.below(3) > 0 {
        close(&mut text);
    }
    text
}

/// Closes what is open by the counts, so that more of the commands can be read at all.
fn close(text: &mut String) {
    for quote in ['"', '\'', '`'] {
        if text.matches(quote).count() % 2 == 1 {
            text.push(quote);
        }
    }
    for (open, close) in [("{", "}"), ("(", ")")] {
        let missing = text.matches(open).count().saturating_sub(text.matches(close).count());
        text.push_str(&close.repeat(missing));
    }
    if text.contains("<<X") && !text.ends_with("\nX\n") {
        text.push_str("\nX\n");
    }
}
