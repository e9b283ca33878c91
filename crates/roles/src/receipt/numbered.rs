//! Lines of a file with their numbers, as an executor reads them. The receipt holds the text alone: what is compared with it
//! takes no number of a line for a figure of the text.

use artoo_types::evidence::Receipt;
use artoo_types::text::around_cut;
use artoo_types::tool::{lacks_rest, names};
use serde_json::Value;

/// Characters that the number of one line takes at most, with what parts it from the line.
pub(super) const NUMBER_CHARS: usize = 7;

/// Whether the output is lines of a file.
pub(super) fn is_numbered(receipt: &Receipt) -> bool {
    receipt.tool == names::READ_FILE && receipt.succeeded()
}

/// What is shown of the output of a call that read lines of a file, each with its number in the file and a tab. Where the
/// middle was left out, the numbers behind it are those of the file as well, as long as the receipt has every line.
pub(super) fn numbered(receipt: &Receipt, text: &str) -> String {
    let arguments: Value = serde_json::from_str(&receipt.arguments).unwrap_or_default();
    let first = arguments.get("offset").and_then(Value::as_u64).unwrap_or(0) + 1;
    let has_all = receipt.handle.is_none();
    let is_cut = !has_all || text.len() != receipt.output.len();
    let Some((head, gap, tail)) = is_cut.then(|| around_cut(text)).flatten() else {
        return with_numbers(text, first);
    };
    let head = with_numbers(head, first);
    let tail = if has_all {
        let behind = receipt.output.lines().count().saturating_sub(tail.lines().count());
        with_numbers(tail, first + behind as u64)
    } else {
        tail.to_owned()
    };
    format!("{head}{gap}{tail}")
}

/// Each line with its number, but for the remark that the file goes on.
fn with_numbers(text: &str, first: u64) -> String {
    let lines = text.lines().count() - usize::from(lacks_rest(text));
    let line = |(at, line): (usize, &str)| {
        if at < lines { format!("{}\t{line}", first + at as u64) } else { line.to_owned() }
    };
    text.lines().enumerate().map(line).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use artoo_types::evidence::{CallEnd, Receipt};
    use artoo_types::text::head_tail;

    use super::numbered;
    use crate::testing::receipt;

    fn read(arguments: &str, output: &str) -> Receipt {
        Receipt {
            tool: "read_file".to_owned(),
            arguments: arguments.to_owned(),
            ..receipt(1, CallEnd::Ran, Some(0), output)
        }
    }

    #[test]
    fn lines_have_the_numbers_that_they_have_in_the_file() {
        assert_eq!(numbered(&read("{}", "a\n\nb\n"), "a\n\nb\n"), "1\ta\n2\t\n3\tb");
        let more = "a\nb\n[more lines follow; continue with offset 9]";
        let expected = "8\ta\n9\tb\n[more lines follow; continue with offset 9]";
        assert_eq!(numbered(&read(r#"{"offset":7}"#, more), more), expected);
    }

    #[test]
    fn behind_what_was_left_out_the_numbers_are_true_or_not_there() {
        let text: String = (1..=100).map(|n| format!("line {n}\n")).collect();
        let whole = read("{}", &text);
        let shown = numbered(&whole, &head_tail(&text, 40));
        assert!(shown.starts_with("1\tline 1\n2\tline 2\n"), "{shown}");
        assert!(shown.ends_with("99\tline 99\n100\tline 100"), "{shown}");
        assert!(shown.contains("\n[... ") && !shown.contains("\t[..."), "{shown}");
        let cut = Receipt { handle: Some("x".to_owned()), ..read("{}", &head_tail(&text, 40)) };
        let shown = numbered(&cut, &cut.output);
        assert!(shown.starts_with("1\tline 1\n") && shown.ends_with("\nline 99\nline 100\n"), "{shown}");
    }

    /// A text that holds such a line itself was not cut there.
    #[test]
    fn a_line_that_looks_like_a_cut_is_a_line() {
        let text = "a\n[... 5 characters omitted ...]\nb";
        assert_eq!(numbered(&read("{}", text), text), "1\ta\n2\t[... 5 characters omitted ...]\n3\tb");
    }
}
