//! Text of shell commands: quoting, `find` expressions, the ends of pipelines. All of them only read.
//!
//! Programs of `awk` hold no `|`, `>`, `getline` or `system`, so that a reader of the command can tell that they
//! change nothing.

use std::sync::LazyLock;

use artoo_types::evidence::NO_MATCH;
use artoo_types::secret_places::names_in_home;

use crate::kinds::FileKind;
use crate::measure::Scope;
use crate::slots::{Slots, What};

/// Folders that hold generated files; measurements of a project leave them out.
pub(crate) const GENERATED: [&str; 3] = [".git", "target", "node_modules"];
/// Folders that hold no files of a person.
pub(crate) const INTERNAL: [&str; 1] = [".git"];

/// Folders and files below a home folder that are nobody's reading: keys, passwords, what browsers and artoo itself keep.
/// Searches and counts leave them out.
pub(crate) static PRIVATE: LazyLock<Vec<&'static str>> =
    LazyLock::new(|| [".artoo", ".env"].into_iter().chain(names_in_home()).collect());

/// What every `find` of the rules has before the names that it leaves out.
pub(crate) const FOUND_FRONT: &str = "-mindepth 1 \\( ";
/// The last program behind every list of one folder.
pub(crate) const LISTED_END: &str = "awk '$0!=\".artoo/\"'";

/// Functions of `awk` that cut a CSV record into `F[1..n]`: quoted fields, doubled quotes, records over several lines.
/// What stands between the fields is what stands in the heading: a comma, else a semicolon, else a tabulator; where it is a
/// semicolon, a number may have a comma in it.
pub(crate) const CSV_RECORD: &str = "NR==1{sub(/^\\357\\273\\277/,\"\"); h0=$0; gsub(/\"[^\"]*\"/,\"\",h0); sep=\",\"; \
     if(index(h0,\",\")==0){if(index(h0,\";\"))sep=\";\"; else if(index(h0,\"\\t\"))sep=\"\\t\"}} {line=buf $0; sub(/\\r$/,\"\",line); n=0; f=\"\"; q=0; L=length(line); \
     for(i=1;i<=L;i++){ch=substr(line,i,1); \
     if(q){if(ch==\"\\\"\"){if(substr(line,i+1,1)==\"\\\"\"){f=f ch; i++}else q=0}else f=f ch} \
     else if(ch==\"\\\"\")q=1; else if(ch==sep){F[++n]=f; f=\"\"} else f=f ch} \
     if(q){buf=line \"\\n\"; next} buf=\"\"; F[++n]=f; if(L==0)next; rec++; \
     if(sep==\";\")for(i=1;i<=n;i++)if(F[i] ~ /^ *[-+]?[0-9]+,[0-9]+ *$/)sub(/,/,\".\",F[i])}";

/// One word for the shell: single quotes around everything, single quotes inside written as `'\''`.
pub(crate) fn quote(word: &str) -> String {
    format!("'{}'", word.replace('\'', "'\\''"))
}

/// What `find` finds, printed by this action of it. Where `find` cannot tell beforehand what may not be read, it ends with 1 there:
/// that is no failure as long as the folder itself can be read.
pub(crate) fn listed(scope: &Scope, root: &str, pruned: &[&str], tests: &str, action: &str) -> String {
    let find = find(scope, root, pruned, tests);
    if scope.setting.macos {
        let root = quote(root);
        return format!("( {find} {action} 2>/dev/null || {{ test $? -eq 1 && ls -- {root} >/dev/null; }} )");
    }
    format!("{find} {action}")
}

/// Bytes and path of what `find` finds, a tabulator between them.
pub(crate) fn sized(scope: &Scope, root: &str, tests: &str) -> String {
    shown(scope, root, tests, "%s\\t%p\\n", "'%z%t%N'")
}

/// What `find` finds, each in this shape of `-printf`, or of the `stat` of systems whose `find` has none.
pub(crate) fn shown(scope: &Scope, root: &str, tests: &str, printf: &str, stat: &str) -> String {
    if scope.setting.macos {
        let listed = listed(scope, root, &GENERATED, tests, "-print0");
        return format!("{listed} | xargs -0 -r {STAT} -f {stat}");
    }
    listed(scope, root, &GENERATED, tests, &format!("-printf '{printf}'"))
}

/// The programs that [`shown`] needs.
pub(crate) fn shown_by(scope: &Scope) -> &'static [&'static str] {
    if scope.setting.macos { &["find", "test", "ls", "xargs", "stat"] } else { &["find"] }
}

/// The program that makes SHA-256 digests, and how it is called: a digest, two blanks, a path a line. `sha256sum` came with
/// macOS 15.
pub(crate) fn sha256(scope: &Scope) -> (&'static str, &'static str) {
    if scope.setting.macos { ("shasum", "shasum -a 256") } else { ("sha256sum", "sha256sum") }
}

/// The `stat` of macOS: another one may stand before it in `PATH`.
pub(crate) const STAT: &str = "/usr/bin/stat";

/// `find ROOT ... TESTS`, without folders named in `pruned`, without what programs keep in a home folder and, where `find` can tell, without what may not be read.
fn find(scope: &Scope, root: &str, pruned: &[&str], tests: &str) -> String {
    let private = PRIVATE.iter().filter(|_| is_wide(scope, root));
    let mut skipped: Vec<String> = pruned.iter().chain(private).map(|name| format!("-name {name}")).collect();
    // In a home folder its usual name is among the private ones.
    let own = own_folder(scope, root).filter(|own| !(is_wide(scope, root) && own.ends_with("/.artoo")));
    skipped.extend(own.map(|own| format!("-path {}", quote(&literal(own)))));
    if !scope.setting.macos {
        skipped.push("! -readable".to_owned());
    }
    format!("find {} {FOUND_FRONT}{} \\) -prune -o {tests}", quote(root), skipped.join(" -o "))
}

/// Whether a folder is the home folder, or holds it: what programs keep for themselves lies there.
pub(crate) fn is_wide(scope: &Scope, root: &str) -> bool {
    let home = scope.setting.home.trim_end_matches('/');
    let root = root.trim_end_matches('/');
    !home.is_empty() && (home == root || home.strip_prefix(root).is_some_and(|rest| rest.starts_with('/')))
}

/// artoo's own folder, if it lies below this one.
pub(crate) fn own_folder<'a>(scope: &'a Scope, root: &str) -> Option<&'a str> {
    let own = scope.setting.data.as_str();
    let rest = own.strip_prefix(root.trim_end_matches('/'))?;
    rest.starts_with('/').then_some(own)
}

/// The text as a pattern that matches it alone.
pub(crate) fn literal(text: &str) -> String {
    let mut pattern = String::with_capacity(text.len());
    for found in text.chars() {
        if matches!(found, '*' | '?' | '[' | ']' | '\\') {
            pattern.push('\\');
        }
        pattern.push(found);
    }
    pattern
}

/// The tests of `find` for the conditions of a request, beginning with `-type f`.
pub(crate) fn file_tests(scope: &Scope, slots: &Slots) -> String {
    let mut tests = vec!["-type f".to_owned()];
    tests.extend(ending_tests(&endings(slots)));
    if let Some(name) = &slots.name {
        tests.push(format!("-iname {}", quote(&name_pattern(name))));
    }
    tests.extend(slots.larger.map(|bytes| format!("-size +{bytes}c")));
    tests.extend(slots.smaller.map(|bytes| format!("-size -{bytes}c")));
    tests.extend(slots.newer.map(|minutes| format!("-mmin -{minutes}")));
    tests.extend(slots.older.map(|minutes| format!("-mmin +{minutes}")));
    let (from, until) =
        slots.goal.days.as_ref().map(|days| days.ends(&scope.setting.date)).unwrap_or_default();
    tests.extend(from.map(|day| format!("-newermt {}", quote(&day))));
    tests.extend(until.map(|day| format!("! -newermt {}", quote(&day))));
    tests.join(" ")
}

/// The file name endings that a request is about; empty for every file.
pub(crate) fn endings(slots: &Slots) -> Vec<String> {
    match &slots.what {
        Some(What::Kind(FileKind { endings, .. })) => {
            endings.iter().map(|ending| (*ending).to_owned()).collect()
        }
        Some(What::Ending(ending)) => vec![ending.clone()],
        None => Vec::new(),
    }
}

/// A name that the person gave, as a pattern: with its own wildcards, or anywhere in the file name.
pub(crate) fn name_pattern(name: &str) -> String {
    if name.contains(['*', '?']) { name.to_owned() } else { format!("*{name}*") }
}

/// The last program of a list: at most as many lines as the scope shows, a line for the rest, a sentence when there is nothing;
/// of a list that goes into a file no such sentence, for it is none of its lines.
pub(crate) fn list_end(scope: &Scope, nothing: &str) -> String {
    let limit = scope.limit;
    let empty = said_of_nothing(scope, nothing);
    let rest = rest_of(scope, "NR", limit);
    // "NR<=200" would say that what follows is computed of a part, and this shows or counts all of it.
    format!("awk '{limit}<NR{{next}} {{print}} END{{{empty}{rest}}}'")
}

/// The last program of a ranking: the first `count` lines. It reads to the end, so that the program before it is not
/// ended by a closed pipe.
pub(crate) fn first_lines(scope: &Scope, count: u64, nothing: &str) -> String {
    format!("awk 'NR<={count}{{print}} END{{{}}}'", said_of_nothing(scope, nothing))
}

/// The last program of a search without regard to case: the lines that hold the text as it is written; where there are none, the
/// others, and that they are. What is no line of a file, because it does not begin as `line` says, is counted as unread.
pub(crate) fn hits(scope: &Scope, needle: &str, line: &str) -> String {
    let limit = scope.limit;
    let list = |name: &str, count: &str| {
        format!("for(i=1;i<={count} && i<={limit};i++)print {name}[i]; {}", rest_of(scope, count, limit))
    };
    let (exact, other) = (list("e", "n"), list("o", "m"));
    let more = scope.say(" more without regard to case", " 个（不分大小写）");
    let before = scope.say("and ", "另有 ");
    let (unread, loosely, more) = if scope.saves {
        (String::new(), String::new(), String::new())
    } else {
        (
            format!(
                "if(u)print \"{}\" u \"{}\"",
                scope.say("(not readable: ", "（无法读取："),
                scope.say(")", "）")
            ),
            format!("print \"{}\"; ", without_case(scope)),
            format!("if(m)print \"({before}\" m \"{more})\""),
        )
    };
    let empty = if scope.saves { String::new() } else { format!("else print \"{NO_MATCH}\"; ") };
    format!(
        "awk -v needle={} '{{t=$0}} !sub(/^{line}/,\"\",t){{u++; next}} index(t,needle) + (needle==\"\"){{n++; if(n<={limit})e[n]=$0; next}} {{m++; if(m<={limit})o[m]=$0}} \
         END{{if(n){{{exact}{more}}} else if(m){{{loosely}{other}}} {empty}{unread}}}'",
        quote(&needle.replace('\\', "\\\\"))
    )
}

/// What is said where a text is found in other capitals alone.
pub(crate) fn without_case(scope: &Scope) -> &'static str {
    scope.language.pick(
        "(not in these capitals; without regard to case:)",
        "（没有大小写完全一致的；不分大小写的结果：）",
    )
}

fn said_of_nothing(scope: &Scope, nothing: &str) -> String {
    if scope.saves { String::new() } else { format!("if(NR==0)print \"{nothing}\"; ") }
}

/// The line for what is not shown of `count` lines.
fn rest_of(scope: &Scope, count: &str, limit: usize) -> String {
    let (before, after) = (scope.say("... and ", "... 还有 "), scope.say(" more", " 个"));
    format!("if({limit}<{count})print \"{before}\" {count}-{limit} \"{after}\"; ")
}

fn ending_tests(endings: &[String]) -> Option<String> {
    let tests: Vec<String> =
        endings.iter().map(|ending| format!("-iname {}", quote(&format!("*.{ending}")))).collect();
    match tests.as_slice() {
        [] => None,
        [only] => Some(only.clone()),
        many => Some(format!("\\( {} \\)", many.join(" -o "))),
    }
}
