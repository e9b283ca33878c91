//! PathRules where the parser and bash read the same text in two ways. A command that has one is asked about: what the
//! walk sees of it would not be what bash runs.

/// Characters that, right behind `$$`, the parser takes for the rest of an expansion of the second `$`.
const BEHIND_PID: &[char] = &['{', '[', '(', '\''];
/// Characters at which an unquoted word ends, so that one with them inside was put together wrongly.
const ENDS_WORD: &[char] = &[';', '&', '|', '<', '>', '(', ')', ' ', '\t', '\n'];

/// Why this command may be read in two ways as a whole; returns None if nothing speaks for it.
pub(crate) fn of_command(text: &str) -> Option<&'static str> {
    let has_glued_pid = text.match_indices("$$").any(|(at, _)| text[at + 2..].starts_with(BEHIND_PID));
    if has_glued_pid || text.contains("\\$'") {
        return Some("where an expansion behind a dollar sign begins is not certain");
    }
    if has_glued_lines(text) {
        return Some("a line goes on within a word, which is not followed");
    }
    if text.match_indices("${").any(|(at, _)| has_doubtful_end(&text[at + 2..])) {
        return Some("where an expansion ends is not certain");
    }
    if has_body_outside(text) {
        return Some("a substitution shares a line with a here-document, whose body stands behind both");
    }
    if has_huge_number(text) {
        return Some("a number of a descriptor is larger than any");
    }
    let has_remark = |open: &str, close| {
        text.match_indices(open)
            .any(|(at, _)| text[at + open.len()..].split(close).next().is_some_and(|t| t.contains('#')))
    };
    (has_remark("((", ')') || has_remark("$[", ']')).then_some("arithmetic with a # is not followed")
}

/// Whether a number stands before a redirect or behind a tilde that no descriptor and no entry of a list has. The parser breaks on it.
fn has_huge_number(text: &str) -> bool {
    const MOST_DIGITS: usize = 9;
    let is_digit = |c: char| c.is_ascii_digit();
    let before = text.match_indices(['<', '>']).any(|(at, _)| {
        let digits = text[..at].len() - text[..at].trim_end_matches(is_digit).len();
        digits > MOST_DIGITS
    });
    let behind = text.match_indices('~').any(|(at, _)| {
        let rest = text[at + 1..].trim_start_matches(['+', '-']);
        rest.len() - rest.trim_start_matches(is_digit).len() > MOST_DIGITS
    });
    before || behind
}

/// Whether commands are run by bash 3.2, which is the bash of macOS.
pub(crate) const HAS_OLD_BASH: bool = cfg!(target_os = "macos");

/// Why bash 3.2 may read this command in another way than the parser, which reads as bash 5 does; returns None if nothing speaks
/// for it. What bash 3.2 takes for an error, such as `|&`, runs nothing.
pub(crate) fn of_old_bash(text: &str) -> Option<&'static str> {
    let has_code = text.match_indices("$'").any(|(at, _)| {
        let inside = text[at + 2..].split('\'').next().unwrap_or_default();
        inside.contains("\\u") || inside.contains("\\U")
    });
    if has_code {
        return Some("bash 3.2 knows no \\u in a quoted text");
    }
    // It looks for the bracket that ends a substitution without reading what stands inside.
    let is_hard = |inside: &str| {
        let words = || inside.split(|c: char| c.is_whitespace() || ";&|()".contains(c));
        words().any(|word| word == "case" || word.starts_with('#')) || inside.contains("<<")
    };
    let is_substituted = ["$(", "<(", ">("].iter().any(|open| {
        text.match_indices(open)
            .any(|(at, _)| !text[at..].starts_with("$((") && is_hard(&text[at + open.len()..]))
    });
    is_substituted.then_some("bash 3.2 looks for the end of a substitution in another way")
}

/// Whether a backslash joins two lines where no blank keeps their words apart. The parser joins them in some paths only.
fn has_glued_lines(text: &str) -> bool {
    text.match_indices("\\\n").any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let after = text[at + 2..].chars().next();
        before.zip(after).is_some_and(|(before, after)| !before.is_whitespace() && !after.is_whitespace())
    })
}

/// Whether a substitution may begin or end behind a here-document in the same line. The body stands behind both; and where a
/// substitution begins there, the parser drops it.
fn has_body_outside(text: &str) -> bool {
    let opens = ["$(", "<(", ">(", "`"];
    text.replace("<<<", "   ").match_indices("<<").any(|(at, _)| {
        let line = text_of_line(text, at + 2);
        let closes = line.matches(')').count() > line.matches('(').count() || line.contains('`');
        let ends_open = line.matches('"').count() % 2 == 1 || line.matches('\'').count() % 2 == 1;
        let begins = ["$(", "${", "$[", "<(", ">(", "`"].iter().any(|open| line.contains(open));
        begins || ends_open || closes && opens.iter().any(|open| text[..at].contains(open))
    })
}

/// The rest of a line, with the lines in which it goes on.
fn text_of_line(text: &str, from: usize) -> &str {
    let rest = &text[from..];
    let is_end = |at: &usize| !rest[..*at].ends_with('\\');
    let end = rest.match_indices('\n').map(|(at, _)| at).find(is_end);
    &rest[..end.unwrap_or(rest.len())]
}

/// Whether the text behind `${` holds, in front of the first `}`, what bash and the parser do not weigh alike when they look
/// for the end: quotes within quotes, escapes, remarks, here-documents.
fn has_doubtful_end(rest: &str) -> bool {
    let Some((inside, _)) = rest.split_once('}') else { return false };
    let (single, double) = (inside.matches('\'').count(), inside.matches('"').count());
    let opens_remark = inside
        .match_indices('#')
        .any(|(at, _)| inside[..at].ends_with(|c: char| c.is_whitespace() || ";&|()<>".contains(c)));
    single % 2 == 1
        || double % 2 == 1
        || single > 0 && double > 0
        || inside.contains("<<")
        || inside.contains('\\')
        || opens_remark
}

/// Why the word within an expansion may be read in two ways. `quoted`: the expansion stands in double quotes or in a
/// here-document, where single quotes are plain characters to bash.
pub(crate) fn of_inner_word(text: &str, quoted: bool) -> Option<&'static str> {
    if text.contains("<(") || text.contains(">(") {
        return Some("a process substitution within an expansion is not followed");
    }
    (quoted && text.contains('\'') && text.contains(['$', '`']))
        .then_some("an expansion between single quotes within double quotes is not followed")
}

/// Why the body of an expanded here-document may end elsewhere: its last line goes on in the line of its mark.
pub(crate) fn of_document(text: &str) -> Option<&'static str> {
    text.trim_end_matches('\n').ends_with('\\').then_some("where a here-document ends is not certain")
}

/// Why unquoted text of a word cannot be one: the parser did not end the word where bash does.
pub(crate) fn of_unquoted(text: &str) -> Option<&'static str> {
    text.contains(ENDS_WORD).then_some("where a word ends is not certain")
}

#[cfg(test)]
mod tests {
    use super::{of_command, of_old_bash};

    #[test]
    fn no_number_reaches_the_parser_that_it_breaks_on() {
        for text in ["echo a 99999999999>b", "cat ~99999999999", "cat ~+12345678901/x", "ls 12345678901<&2"] {
            assert!(of_command(text).is_some(), "{text}");
        }
        for text in ["echo a 2>b", "echo 99999999999 > b", "echo $((99999999999>1))x", "ls ~1"] {
            assert_eq!(of_command(text).is_some(), text.contains("99999999999>"), "{text}");
        }
    }

    #[test]
    fn what_bash_3_2_reads_otherwise_is_told_from_what_it_reads_alike() {
        for text in [
            r"rm $'\u0061'",
            r"echo $'x\U00000061' > new.txt",
            "echo $(case x in x) echo y;; esac)",
            "x=$(ls # it's here\n)",
            "cat <(cat <<X\n)\nX\n)",
        ] {
            assert!(of_old_bash(text).is_some(), "{text}");
        }
        for text in
            [r"printf $'a\tb\n'", "echo $(ls)", "echo $((2 # 3))", "case $x in a) ls;; esac", "ls # $'x'"]
        {
            assert_eq!(of_old_bash(text), None, "{text}");
        }
    }
}
