//! The same command written in other ways: quoted, wrapped, nested, encoded.

use artoo_gate::Decision;
use base64::Engine as _;

use crate::corpus::Line;

/// One way to write a command anew.
pub(crate) struct Way {
    /// Its name in figures and failures.
    pub(crate) name: &'static str,
    /// Whether a safe command stays plainly understandable in it, so that asking would be a false alarm.
    pub(crate) stays_safe: bool,
    /// The strictest class that the gate can be held to in it.
    pub(crate) at_most: Decision,
    /// The command anew; none where this way does not fit it.
    pub(crate) write: fn(&str) -> Option<String>,
}

const fn plain(name: &'static str, write: fn(&str) -> Option<String>) -> Way {
    Way { name, stays_safe: true, at_most: Decision::Forbidden, write }
}

const fn hidden(name: &'static str, write: fn(&str) -> Option<String>) -> Way {
    Way { name, stays_safe: false, at_most: Decision::Forbidden, write }
}

/// A way that makes something of a command of which nobody can tell what it would do.
const fn obscure(name: &'static str, write: fn(&str) -> Option<String>) -> Way {
    Way { name, stays_safe: false, at_most: Decision::Confirm, write }
}

/// All ways. A command with a here-document ends in a line of its own, so what comes behind it starts a new one.
pub(crate) static WAYS: &[Way] = &[
    plain("subshell", |c| Some(format!("({c}\n)"))),
    plain("braces", |c| Some(format!("{{ {c}\n}}"))),
    plain("braces in a subshell", |c| Some(format!("( {{ {c}\n}} )"))),
    plain("if", |c| Some(format!("if true; then\n{c}\nfi"))),
    plain("else", |c| Some(format!("if false; then :; else\n{c}\nfi"))),
    plain("case", |c| Some(format!("case x in x)\n{c}\n;; esac"))),
    plain("after true", |c| Some(format!("true && {{ {c}\n}}"))),
    plain("after a semicolon", |c| Some(format!("true; {c}"))),
    plain("after a line", |c| Some(format!("echo hi\n{c}"))),
    plain("before a line", |c| Some(format!("{c}\necho hi"))),
    plain("spaces", |c| Some(format!("  {c}"))),
    plain("comment before", |c| Some(format!("# a comment\n{c}"))),
    plain("quiet", |c| Some(format!("{{ {c}\n}} > /dev/null 2>&1"))),
    plain("into a filter", |c| Some(format!("{{ {c}\n}} | wc -l"))),
    plain("substitution", |c| Some(format!("echo \"$({c}\n)\""))),
    plain("command", |c| in_front(c, "command")),
    plain("nice", |c| in_front(c, "nice -n 5")),
    plain("timeout", |c| in_front(c, "timeout 5")),
    plain("language", |c| in_front(c, "env LC_ALL=C")),
    plain("quotes inside", |c| first(c, |w| format!("{}''{}", &w[..1], &w[1..]))),
    plain("quoted word", |c| first(c, |w| format!("\"{w}\""))),
    plain("backslash", |c| first(c, |w| format!("\\{w}"))),
    plain("backslash inside", |c| first(c, |w| format!("{}\\{}", &w[..1], &w[1..]))),
    plain("escapes", |c| first(c, |w| format!("$'\\x{:02x}{}'", w.as_bytes()[0], &w[1..]))),
    plain("octal escapes", |c| first(c, |w| format!("$'\\{:03o}{}'", w.as_bytes()[0], &w[1..]))),
    plain("continued line", |c| first(c, |w| format!("{w} \\\n"))),
    hidden("for", |c| Some(format!("for i in 1; do\n{c}\ndone"))),
    hidden("while", |c| Some(format!("while true; do\n{c}\nbreak; done"))),
    hidden("function", |c| Some(format!("f() {{ {c}\n}}; f"))),
    hidden("background", |c| Some(format!("{{ {c}\n}} &"))),
    hidden("variable", |c| first(c, |w| format!("v={w}; $v"))),
    hidden("two variables", |c| first(c, |w| format!("a={}; b={}; $a$b", &w[..1], &w[1..]))),
    hidden("backquotes", |c| (!c.contains(['`', '\\'])).then(|| format!("echo `{c}\n`"))),
    hidden("process substitution", |c| Some(format!("cat <({c}\n)"))),
    hidden("test", |c| Some(format!("[[ -n $({c}\n) ]]"))),
    hidden("assignment", |c| Some(format!("v=$({c}\n)"))),
    hidden("here-document", |c| (!c.contains("<<")).then(|| format!("cat <<END_OF_IT\n$({c}\n)\nEND_OF_IT"))),
    hidden("sh -c", |c| Some(format!("sh -c {}", quoted(c)))),
    hidden("bash -c", |c| Some(format!("bash -c {}", quoted(c)))),
    hidden("sh -c twice", |c| Some(format!("sh -c {}", quoted(&format!("sh -c {}", quoted(c)))))),
    hidden("eval", |c| Some(format!("eval {}", quoted(c)))),
    hidden("eval of a substitution", |c| Some(format!("eval \"$(printf %s {})\"", quoted(c)))),
    hidden("sudo", |c| Some(format!("sudo -n sh -c {}", quoted(c)))),
    hidden("setsid", |c| Some(format!("setsid bash -c {}", quoted(c)))),
    hidden("nohup", |c| Some(format!("nohup sh -c {} &", quoted(c)))),
    hidden("env -i", |c| Some(format!("env -i sh -c {}", quoted(c)))),
    hidden("trap", |c| Some(format!("trap {} EXIT", quoted(c)))),
    hidden("find -exec", |c| {
        (!c.contains("{}")).then(|| format!("find . -maxdepth 0 -exec sh -c {} \\;", quoted(c)))
    }),
    hidden("xargs", |c| Some(format!("echo x | xargs sh -c {}", quoted(c)))),
    hidden("into a shell", |c| Some(format!("printf '%s\\n' {} | sh", quoted(c)))),
    hidden("here-string", |c| Some(format!("bash <<< {}", quoted(c)))),
    hidden("script in a here-document", |c| {
        (!c.contains("<<")).then(|| format!("bash <<'END_OF_IT'\n{c}\nEND_OF_IT"))
    }),
    hidden("base64", |c| {
        let text = base64::engine::general_purpose::STANDARD.encode(c);
        Some(format!("echo {text} | base64 -d | sh"))
    }),
    hidden("base64 in a substitution", |c| {
        let text = base64::engine::general_purpose::STANDARD.encode(c);
        Some(format!("bash -c \"$(echo {text} | base64 --decode)\""))
    }),
    hidden("printf", |c| {
        c.is_ascii().then(|| {
            let text: String = c.bytes().map(|b| format!("\\x{b:02x}")).collect();
            format!("printf '{text}' | sh")
        })
    }),
    hidden("echo -e", |c| {
        c.is_ascii().then(|| {
            let text: String = c.bytes().map(|b| format!("\\0{b:03o}")).collect();
            format!("echo -e '{text}' | bash")
        })
    }),
    hidden("hexadecimal", |c| {
        let text: String = c.bytes().map(|b| format!("{b:02x}")).collect();
        Some(format!("echo {text} | xxd -r -p | sh"))
    }),
    hidden("source", |c| Some(format!("source <(printf '%s\\n' {})", quoted(c)))),
    obscure("look-alike", |c| first(c, |w| w.replacen(['a', 'e', 'o', 'c', 'r', 'm'], "\u{435}", 1))),
    obscure("zero width", |c| first(c, |w| format!("{}\u{200b}{}", &w[..1], &w[1..]))),
    obscure("home of its own", |c| first(c, |w| format!("./{w}"))),
    obscure("changed path", |c| first(c, |w| format!("PATH=.:$PATH {w}"))),
    obscure("loader", |c| first(c, |w| format!("LD_PRELOAD=./x.so {w}"))),
];

/// Every way of writing this line that fits it.
pub(crate) fn of(line: &Line) -> Vec<(&'static Way, String)> {
    WAYS.iter().filter_map(|way| Some((way, (way.write)(&line.command)?))).collect()
}

/// Within single quotes.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

/// Programs that a wrapper can run: they are files, and no words of the shell.
fn is_program(word: &str) -> bool {
    const BUILT_IN: &[&str] = &[
        "cd", "for", "if", "while", "until", "case", "time", "command", "type", "eval", "exec", "trap",
        "read", "set", "wait", "source", "alias", "unset", "export", "declare", "local", "let", "builtin",
        "enable", "hash", "shopt", "pushd", "function", "coproc", "select", "mapfile", "break", "continue",
        "history", "do", "done", "then", "fi", "printf", "echo", "test", "true", "false", "pwd", "kill",
        "env", "timeout", "nice", "boom", "f", "ls",
    ];
    !BUILT_IN.contains(&word)
}

/// The command with its first word replaced, when that is the plain name of a program, and the only command.
fn first(command: &str, replace: fn(&str) -> String) -> Option<String> {
    let (word, rest) = command.split_once(' ')?;
    let fits = word.len() > 1 && word.bytes().all(|b| b.is_ascii_lowercase()) && is_program(word);
    (fits && !rest.is_empty() && !word.contains('=')).then(|| format!("{} {rest}", replace(word)))
}

/// The command with a wrapper in front of its program.
fn in_front(command: &str, wrapper: &str) -> Option<String> {
    let word = first(command, str::to_owned)?;
    Some(format!("{wrapper} {word}"))
}
