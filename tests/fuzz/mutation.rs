//! Inputs out of seeds: what a fuzzer does that knows nothing of the form.

use artoo_testing::dice::Dice;

/// Most bytes of an input: readers that are not linear would be slow with more, and forms repeat themselves by then.
const MAX_BYTES: usize = 16 << 10;

/// What readers of text tend to trip over.
const PIECES: &[&[u8]] = &[
    b"\"",
    b"'",
    b"\\",
    b"\n",
    b"\r\n",
    b"\0",
    b"$(",
    b")",
    b"`",
    b"{",
    b"}",
    b"[",
    b"]",
    b"<<E\n",
    b"E\n",
    b"|",
    b"&",
    b";",
    b"#",
    b"/*",
    b"//",
    b"*",
    b"~",
    b"=",
    b":",
    b"data: ",
    b"\n\n",
    b"\xff",
    b"\xc3",
    b"\xe2\x80\xae",
    "\u{200b}".as_bytes(),
    "\u{feff}".as_bytes(),
    "é".as_bytes(),
    "把".as_bytes(),
    "，".as_bytes(),
    "😀".as_bytes(),
    b"1e309",
    b"-0",
    b"18446744073709551616",
    b"9999-12-31",
    b"\\ud800",
    b"<think>",
    b"</think>",
    b"```json\n",
    b"../",
    b"%00",
    b"\x1b[31m",
];

/// One input.
pub(crate) fn input(seeds: &[Vec<u8>], dice: &mut Dice) -> Vec<u8> {
    let mut input = pick(seeds, dice).clone();
    for _ in 0..=dice.below(6) {
        change(&mut input, seeds, dice);
    }
    input.truncate(MAX_BYTES);
    input
}

fn change(input: &mut Vec<u8>, seeds: &[Vec<u8>], dice: &mut Dice) {
    let at = below(input.len() + 1, dice);
    let end = (at + below(input.len() - at + 1, dice)).min(at + 64);
    match dice.below(8) {
        0 => drop(input.drain(at..end)),
        1 => input.truncate(at),
        2 => drop(input.splice(at..at, pick(PIECES, dice).iter().copied())),
        3 => {
            let again = input[at..end].to_vec();
            input.splice(at..at, again.repeat(1 + below(40, dice)));
        }
        4 => {
            let other = pick(seeds, dice);
            let from = below(other.len() + 1, dice);
            let to = from + below(other.len() - from + 1, dice);
            input.splice(at..end, other[from..to].iter().copied());
        }
        5 => drop(input.splice(at..end, pick(PIECES, dice).iter().copied())),
        6 if at < input.len() => input[at] ^= 1 << dice.below(8),
        _ => {
            let nested: Vec<u8> = pick(PIECES, dice).repeat(1 + below(600, dice));
            input.splice(at..at, nested);
        }
    }
    input.truncate(MAX_BYTES);
}

fn pick<'a, T>(among: &'a [T], dice: &mut Dice) -> &'a T {
    &among[below(among.len(), dice)]
}

fn below(bound: usize, dice: &mut Dice) -> usize {
    usize::try_from(dice.below(bound as u64)).expect("it is below a length")
}
