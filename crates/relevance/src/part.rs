//! Whether a figure of the whole was computed of a part.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use artoo_request::{Action, RequestClause, RequestReading};
use artoo_types::evidence::{FileChange, Receipt};
use regex::Regex;

use crate::figures;
use crate::left::left_at;
use crate::names::{is_among, mentions};
use crate::pattern;
use crate::shown::command;

/// Figures of a whole: a count, a sum, a mean.
static OF_THE_WHOLE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)\b(?:how many|number of|count(?:ed)?|sum|total|average|mean)\b|总数|总和|总计|合计|平均|数量|个数|行数|多少",
    )
});
/// Words by which a part is asked for.
static OF_A_PART: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)\b(?:first|last|top|head|tail|sample|latest|newest|oldest|largest|smallest|biggest|most|least|up to|lines? \d+|until)\b|前|后|最|样本|头",
    )
});
/// A part that is taken before something is computed.
static TAKES_A_PART: LazyLock<Vec<Regex>> = LazyLock::new(|| {
    [
        // "head -n 2 x | awk ...", but not "tail -n +2", which leaves out a heading.
        r"\bhead\b(?:\s+(?:-n\s*|-)?\d+)?(?:\s+[^|\s-][^|\s]*)?\s*\|[^|]*\b(?:wc|awk|paste|bc|python3?|datamash|sort|uniq|grep -c|perl|jq)\b",
        r"\btail\b\s+(?:-n\s*|-)?\d+(?:\s+[^|\s-][^|\s]*)?\s*\|[^|]*\b(?:wc|awk|paste|bc|python3?|datamash|grep -c|perl|jq)\b",
        r"\bsed\s+-n\s+'?\d+,\d+p'?[^|]*\|[^|]*\b(?:wc|awk|paste|bc|python3?|datamash)\b",
        r"\bawk\b[^|]*\bNR\s*<=?\s*\d+",
        // A heading may be left out: up to three lines.
        r"\btail\b\s+-n\s*\+(?:[5-9]|\d{2,})(?:\s+[^|\s-][^|\s]*)?\s*\|",
        r"\bsed\s+-n\s+['\x22]?\d+,\d+p['\x22]?(?:\s+[^|\s]+)?\s*\|",
        r"\bgrep\b(?:\s+-\S+)*\s+(?:-m\s*\d+|--max-count[= ]\d+)",
        r"\bshuf\b[^|]*-n\s*\d+[^|]*\|",
        r"\blist\([^\[\]]*\)\[\s*0?\s*:\s*\d+\s*\]|\breadlines\(\s*\d+\s*\)",
        r"\brange\(\s*\w+\s*,[^,()]*(?:\([^()]*\))?[^,()]*,\s*[2-9]\d*\s*\)",
        r"\b(?:sum|len|mean|fmean|Counter)\([^()]*(?:\([^()]*\)[^()]*)*\[\s*:\s*\d+\s*\]",
        r"(?i)\bselect\b[^;]*\b(?:count|sum|avg)\b[^;]*\bfrom\s*\([^)]*\blimit\s+\d+",
    ]
    .iter()
    .map(|text| pattern(text))
    .collect()
});

/// The first so many of the data themselves, before anything is computed: `.orders[:100] | map(...)`,
/// `limit(100; .orders[])`, `islice(rows, 100)`. A slice of what was sorted is none.
static TAKES_THE_FIRST: LazyLock<Vec<Regex>> = LazyLock::new(|| {
    [
        r#"\bjq\b[^\n]*?[\s'"(\[]\.\w+(?:\.\w+)*\[\s*\d*\s*:\s*(\d+)\s*\]\s*(?:\[\]|\|)"#,
        r"\bjq\b[^\n]*?\blimit\(\s*(\d+)\s*;\s*\.[\w.\[\]]*\s*\)",
        r"\bislice\([^;\n]*?,\s*(?:(?:\d+|None)\s*,\s*)?(\d+)\s*\)",
        // Of a document that was read: json.load(f)['orders'][:100].
        r#"['"]\s*\]\s*\[\s*0?\s*:\s*(\d+)\s*\]"#,
        r#"\bfor\s+\w+(?:\s*,\s*\w+)*\s+in\s+[\w.\[\]'"\\]+\[\s*0?\s*:\s*(\d+)\s*\]"#,
        r"\bif\s+\w+\s*(?:>=|==|>)\s*(\d+)\s*:\s*break\b",
        r"\bzip\(\s*range\(\s*(\d+)\s*\)",
        r"\bselect\(\s*\.(?:id|nr|no|number|index|row|line)\s*<=?\s*(\d+)\s*\)",
        r"(?i)\bwhere\s+(?:id|nr|no|number|rowid|row|line)\s*<=?\s*(\d+)\b",
    ]
    .iter()
    .map(|text| pattern(text))
    .collect()
});

/// A loop over so many places.
static COUNTS: LazyLock<Vec<Regex>> = LazyLock::new(|| {
    [r"\bfor\s+(\w+)\s+in\s+range\(\s*(?:0\s*,\s*)?(\d+)\s*\)", r"\bwhile\s*\(?\s*\$?(\w+)\s*<=?\s*(\d+)\b"]
        .iter()
        .map(|text| pattern(text))
        .collect()
});

/// Lines are counted.
static LINES: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?i)\blines?\b|行"));
/// Numbers as they are written.
static NUMBER: LazyLock<Regex> = LazyLock::new(|| pattern(r"\d+(?:\.\d+)?"));

/// The call did not compute of a part what is asked of the whole.
pub(crate) fn is_whole(receipt: &Receipt, text: &str, request: &str) -> Result<(), String> {
    let first = command(receipt).and_then(|command| {
        let taken = TAKES_THE_FIRST.iter().find_map(|form| Some(form.captures(&command)?[1].to_owned()));
        taken.or_else(|| counted_to(&command))
    });
    if let Some(first) = first.filter(|_| OF_THE_WHOLE.is_match(text)) {
        let is_named = |words: &str| NUMBER.find_iter(words).any(|number| number.as_str() == first);
        if !is_named(text) && !is_named(request) {
            return Err(format!(
                "{} computes it of the first {first} alone; compute it of all of them",
                receipt.id
            ));
        }
    }
    let asks_part = OF_A_PART.is_match(text) || OF_A_PART.is_match(request);
    if asks_part || !OF_THE_WHOLE.is_match(text) {
        return Ok(());
    }
    let takes =
        command(receipt).is_some_and(|command| TAKES_A_PART.iter().any(|part| part.is_match(&command)));
    if takes {
        return Err(format!("{} computes it of a part; compute it of the whole", receipt.id));
    }
    Ok(())
}

/// A figure of the whole that is told, or written, was not computed of a part alone: another call shows it as well, or wrote
/// the file anew.
pub(crate) fn rests_on_whole(request: &str, answer: &str, receipts: &[&Receipt]) -> Result<(), String> {
    let told = figures::missing(answer, request);
    let ran: Vec<&Receipt> = receipts.iter().copied().filter(|receipt| receipt.succeeded()).collect();
    let of_a_part: Vec<Option<String>> =
        ran.iter().map(|receipt| is_whole(receipt, request, request).err()).collect();
    let shows = |receipt: &&Receipt| {
        !told.is_empty() && told.iter().all(|figure| figures::missing(figure, &receipt.output).is_empty())
    };
    let is_shown_whole =
        ran.iter().zip(&of_a_part).any(|(receipt, partial)| partial.is_none() && shows(receipt));
    for (at, (receipt, partial)) in ran.iter().zip(&of_a_part).enumerate() {
        let Some(why) = partial else { continue };
        let is_written_again = |change: &FileChange| {
            ran[at + 1..].iter().flat_map(|later| &later.act.changes).any(|later| later.path == change.path)
        };
        let stays_written = receipt.act.changes.iter().any(|change| !is_written_again(change));
        if stays_written || shows(receipt) && !is_shown_whole {
            return Err(why.clone());
        }
    }
    Ok(())
}

/// The number to which a loop counts that takes what lies at each place: `for i in range(100): s += o[i]`.
fn counted_to(command: &str) -> Option<String> {
    let plain = command.replace([' ', '$'], "");
    let takes = |counting: regex::Captures<'_>| {
        let is_taken = plain.contains(&format!("[{}]", &counting[1])) || plain.contains("next(");
        is_taken.then(|| counting[2].to_owned())
    };
    COUNTS.iter().find_map(|counts| takes(counts.captures(command)?))
}

/// How many lines the file may have now by the numbers that these looks showed and the lines that were added and removed since;
/// nothing where lines are not what is counted, or the receipts do not show all that was written.
fn counted_lines(
    text: &str,
    file: &str,
    receipts: &[&Receipt],
    looks: impl Iterator<Item = usize>,
) -> Option<BTreeSet<String>> {
    if !LINES.is_match(text) {
        return None;
    }
    let mut counts = BTreeSet::new();
    for look in looks {
        let left = left_at(&receipts[look + 1..], file)?;
        let shown = NUMBER.find_iter(&receipts[look].output).filter_map(|m| m.as_str().parse::<usize>().ok());
        let before: Vec<usize> = if left.is_whole { vec![0] } else { shown.collect() };
        counts.extend(
            before.iter().map(|n| (n + left.added.len()).saturating_sub(left.removed.len()).to_string()),
        );
    }
    (!counts.is_empty()).then_some(counts)
}

/// A figure that is asked for after a change is not the one that was read before it.
pub(crate) fn is_fresh(
    text: &str,
    reading: &RequestReading,
    receipts: &[&Receipt],
    answer: &str,
) -> Result<(), String> {
    let counts =
        |clause: &RequestClause| clause.action == Action::Count || OF_THE_WHOLE.is_match(&clause.text);
    let clauses: Vec<&RequestClause> = reading.asked().collect();
    for (at, clause) in
        clauses.iter().enumerate().filter(|(_, clause)| counts(clause) && OF_THE_WHOLE.is_match(text))
    {
        let changed_first = |file: &&String| {
            clauses[..at].iter().any(|c| c.action == Action::Change && c.files.contains(*file))
        };
        for file in clause.files.iter().filter(changed_first).filter(|file| mentions(text, file)) {
            let about =
                |receipt: &&Receipt| mentions(&receipt.arguments, file) || mentions(&receipt.target, file);
            let changes =
                |receipt: &&Receipt| is_among(receipt.act.changes.iter().map(|c| c.path.as_str()), file);
            let Some(last) = receipts.iter().rposition(changes) else { continue };
            if receipts[last + 1..].iter().any(&about) {
                continue;
            }
            let mut told = NUMBER.find_iter(answer).map(|m| m.as_str()).peekable();
            let looks = receipts[..last].iter().enumerate();
            let looks = looks.filter(|(_, receipt)| about(receipt) && receipt.act.changes.is_empty());
            let is_stale = match counted_lines(&clause.text, file, receipts, looks.clone().map(|(at, _)| at))
            {
                Some(counts) => told.peek().is_some() && !told.any(|number| counts.contains(number)),
                None => {
                    let shown = looks.flat_map(|(_, r)| NUMBER.find_iter(&r.output)).map(|m| m.as_str());
                    let shown: BTreeSet<&str> = shown.collect();
                    told.peek().is_some() && told.all(|number| shown.contains(number))
                }
            };
            if is_stale {
                return Err(format!(
                    "the figure is from before {}, which changed {file}; take it again",
                    receipts[last].id
                ));
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use artoo_types::evidence::Receipt;
    use artoo_types::{EffectId, EvidenceId};

    use super::is_whole;

    #[test]
    fn a_part_is_told_from_the_whole() {
        let check = |text: &str, command: &str, expected: bool| {
            let receipt = Receipt {
                arguments: serde_json::json!({ "command": command }).to_string(),
                ..Receipt::quiet(EvidenceId::receipt(EffectId(1)), "shell")
            };
            assert_eq!(is_whole(&receipt, text, "").is_ok(), expected, "{command}");
        };
        let sum = "The sum of ./n.csv is given";
        let largest = "The customer with the largest sum of totals is named, with the sum";
        check(largest, "jq '.orders[:100] | group_by(.c) | map(map(.t)|add)' o.json", false);
        check(largest, "jq '[.orders[0:100][] | .t] | add' o.json", false);
        check(largest, "jq '.orders | group_by(.c) | map(map(.t)|add) | sort[:3][]' o.json", true);
        check(largest, "jq '[limit(100; .orders[]) | .t] | add' o.json", false);
        check(largest, "jq '[limit(3; .orders | sort_by(-.t)[])]' o.json", true);
        check(sum, "python3 -c 'print(sum(int(x) for x in islice(open(\"n.csv\"), 100)))'", false);
        check(sum, "python3 -c 'print(sum(int(x) for x in open(\"n.csv\")))'", true);
        let read = "import json; from itertools import islice; o = json.load(open('o.json'))";
        check(
            sum,
            &format!(
                "python3 -c \"{read}; print(sum(x['t'] for x in islice(json.load(open('o.json'))['orders'], 100)))\""
            ),
            false,
        );
        check(sum, &format!("python3 -c \"{read}; print(sum(x['t'] for x in o['orders'][:100]))\""), false);
        check(sum, &format!("python3 -c \"{read}; print(sum(x['t'] for x in o['orders'][1:]))\""), true);
        check("The sum of the first 100 orders", "jq '.orders[:100] | map(.t) | add' o.json", true);
        check(sum, "head -n 2 ./n.csv | awk '{s+=$1} END {print s}'", false);
        check(sum, "head -2 ./n.csv | paste -sd+ | bc", false);
        check(sum, "tail -n +2 ./n.csv | awk '{s+=$1} END {print s}'", true);
        check(sum, "awk 'NR<=2 {s+=$1} END {print s}' ./n.csv", false);
        check(sum, "awk 'NR>1 {s+=$1} END {print s}' ./n.csv", true);
        check(sum, "python3 -c \"print(sum([int(x) for x in open('n.csv')][:2]))\"", false);
        check(sum, "python3 -c \"x=list(open('n.csv')); print(x[:5]); print(len(x))\"", true);
        check(sum, "python3 -c 's=0\nfor x in o[:100]: s+=x\nprint(s)'", false);
        check(sum, "python3 -c 'print(sum(x[\"t\"] for x in d[\"orders\"][:100]))'", false);
        check(sum, "python3 -c 'print(sum(o[i] for i in range(100)))'", false);
        check(sum, "python3 -c 'print(sum(f(i) for i in range(100)))'", true);
        check(sum, "python3 -c 'print(sum(o[i] for i in range(len(o))))'", true);
        check(sum, "python3 -c 'i=0\nwhile i<100:\n  s+=o[i][\"t\"]; i+=1\nprint(s)'", false);
        check(sum, "python3 -c 'i=0\nwhile i<len(o):\n  s+=o[i]; i+=1\nprint(s)'", true);
        check(sum, "python3 -c 'while left > 3:\n  s += f(left)\nprint(s)'", true);
        check(sum, "python3 -c 'it=iter(o)\nfor _ in range(100): s+=next(it)'", false);
        check(sum, "python3 -c 'print(sum(x for _, x in zip(range(100), o)))'", false);
        check(sum, "python3 -c 'for i, x in enumerate(o):\n  if i >= 100: break\n  s += x\nprint(s)'", false);
        check(sum, "python3 -c 'for x in o:\n  if x == 7: continue\n  s += x\nprint(s)'", true);
        check(sum, "jq '[.[] | select(.id <= 100) | .t] | add' o.json", false);
        check("The number of minors is given", "jq '[.[] | select(.age < 18)] | length' p.json", true);
        check("The sum of the orders up to id 100", "jq '[.[] | select(.id<=100)|.t]|add' o.json", true);
        check(sum, "sqlite3 o.db 'select sum(t) from o where id <= 100'", false);
        check(sum, "tail -n +251 n.csv | wc -l", false);
        check(sum, "sed -n 1,150p n.csv | awk '{s+=$1} END {print s}'", false);
        check("How many lines hold 500", "grep -m 20 -c 500 access.log", false);
        check("How many lines hold 500", "grep -c 500 access.log", true);
        check(sum, "shuf -n 400 n.csv | wc -l", false);
        check(sum, "python3 -c 'print(sum(map(int, list(open(\"n.csv\"))[:250])))'", false);
        check(sum, "python3 -c 'print(len(open(\"n.csv\").readlines(9000)))'", false);
        check(sum, "python3 -c 'print(sum(o[i] for i in range(0, len(o), 2)))'", false);
        check(sum, "python3 -c 'print(sum(o[i] for i in range(1, len(o))))'", true);
        check("The number of files is given", "find . -type f | wc -l | head -n 1", true);
        check("The largest file and its size are named", "ls -S | head -n 1 | wc -c", true);
        check("The sum of the first two rows is given", "head -n 2 a | awk '{s+=$1} END {print s}'", true);
        check("给出./n.csv的总和", "head -n 2 ./n.csv | awk '{s+=$1} END {print s}'", false);
    }
}
