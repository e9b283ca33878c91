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
    let has_remark = |open: &str, close| {
        text.match_indices(open)
            .any(|(at, _)| text[at + open.len()..].split(close).next().is_some_and(|t| t.contains('#')))
    };
    (has_remark("((", ')') || has_remark("$[", ']')).then_some("arithmetic with a # is not followed")
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
