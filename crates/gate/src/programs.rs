//! The programs that only read, and the options that keep them so. One table; what is not in it is asked about.

use super::survey::Survey;
use super::word::Arg;
use super::{script, special};

/// One program.
pub(super) struct Row {
    /// Its name.
    pub(super) name: &'static str,
    /// Whether it usually stands behind another program in a pipe, so that blame passes it by.
    pub(super) is_filter: bool,
    /// What its operands are.
    pub(super) operands: Operands,
    /// One-letter options that take the next word as their value.
    pub(super) values: &'static str,
    /// Which options and operands are harmless.
    pub(super) rule: Rule,
}

/// What the operands of a program are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Operands {
    /// Text that is printed or computed with.
    Text,
    /// Paths whose names and properties are shown.
    Names,
    /// Paths whose content is read.
    Files,
    /// Paths of whose content only a digest or a count is shown: one that is known only when it runs gives nothing away.
    Measured,
    /// A pattern or a program, then paths whose content is read.
    PatternThenFiles,
}

/// Which uses of a program are harmless.
pub(super) enum Rule {
    /// Every use.
    Any,
    /// Every use without these one-letter and long options.
    Without { short: &'static str, long: &'static [&'static str] },
    /// The uses that this function lets pass. It calls [`Survey::confirm`] otherwise, and looks at paths itself.
    Special(fn(&mut Survey<'_>, &[Arg])),
}

const fn row(name: &'static str, operands: Operands, values: &'static str) -> Row {
    Row { name, is_filter: false, operands, values, rule: Rule::Any }
}

const fn filter(name: &'static str, operands: Operands, values: &'static str) -> Row {
    Row { name, is_filter: true, operands, values, rule: Rule::Any }
}

const fn special(name: &'static str, operands: Operands, rule: fn(&mut Survey<'_>, &[Arg])) -> Row {
    Row { name, is_filter: false, operands, values: "", rule: Rule::Special(rule) }
}

impl Row {
    const fn without(self, short: &'static str, long: &'static [&'static str]) -> Self {
        Self { rule: Rule::Without { short, long }, ..self }
    }

    const fn filtering(self) -> Self {
        Self { is_filter: true, ..self }
    }
}

use Operands::{Files, Measured, Names, PatternThenFiles, Text};

/// The table. The rows that most commands look for stand first.
static PROGRAMS: &[Row] = &[
    special("[", Text, special::test),
    special("awk", PatternThenFiles, script::awk).filtering(),
    filter("b2sum", Measured, "l"),
    row("basename", Text, "s"),
    row("break", Text, ""),
    filter("cat", Files, ""),
    filter("cksum", Measured, "al"),
    row("cmp", Files, "in"),
    filter("column", Files, "csoNHRTOWEnpri"),
    row("comm", Files, ""),
    row("continue", Text, ""),
    filter("cut", Files, "bcdf"),
    special("date", Text, special::date),
    row("df", Names, "Bt"),
    row("diff", Files, "UCIxXFSW").without("l", &["paginate", "from-file", "to-file"]),
    row("dirname", Text, ""),
    row("du", Names, "dBtX").without("", &["files0-from"]),
    row("echo", Text, ""),
    special("env", Text, special::env),
    filter("egrep", PatternThenFiles, "eABCmfdD"),
    row("exit", Text, ""),
    row("expr", Text, ""),
    row("false", Text, ""),
    filter("fgrep", PatternThenFiles, "eABCmfdD"),
    row("file", Files, "mFPe").without("Cfz", &["compile", "files-from", "uncompress"]),
    special("find", Names, special::find),
    filter("fold", Files, "w"),
    row("free", Text, "sc"),
    special("git", Text, special::git),
    filter("grep", PatternThenFiles, "eABCmfdD"),
    filter("head", Files, "nc"),
    special("hostname", Text, special::hostname),
    row("id", Text, ""),
    filter("join", Files, "12aeotv"),
    special("jq", PatternThenFiles, special::jq).filtering(),
    row("ls", Names, "IwT"),
    row("md5sum", Measured, ""),
    filter("nl", Files, "bdfhilnsvw"),
    row("nproc", Text, ""),
    filter("paste", Files, "d"),
    special("printf", Text, special::printf),
    special("ps", Text, special::ps),
    row("pwd", Text, ""),
    special("read", Text, special::read_line).filtering(),
    row("readlink", Names, ""),
    row("realpath", Names, ""),
    filter("rev", Files, ""),
    special("rg", PatternThenFiles, special::ripgrep),
    special("sed", PatternThenFiles, script::sed).filtering(),
    row("seq", Text, "fs"),
    row("sha1sum", Measured, ""),
    row("sha256sum", Measured, ""),
    row("sleep", Text, ""),
    special("sort", Files, special::sort).filtering(),
    row("stat", Names, "cftx"),
    filter("tac", Files, "s"),
    filter("tail", Files, "ncs"),
    special("test", Text, special::test),
    filter("tr", Text, ""),
    row("true", Text, ""),
    row("type", Text, ""),
    row("uname", Text, ""),
    special("uniq", Files, special::uniq).filtering(),
    row("uptime", Text, ""),
    filter("wc", Measured, "").without("", &["files0-from"]),
    row("which", Text, ""),
    row("whoami", Text, ""),
    special("bunzip2", Files, special::compress).filtering(),
    special("bzip2", Files, special::compress).filtering(),
    special("gunzip", Files, special::compress).filtering(),
    special("gzip", Files, special::compress).filtering(),
    special("xz", Files, special::compress).filtering(),
    special("unxz", Files, special::compress).filtering(),
    filter("zcat", Files, ""),
    filter("bzcat", Files, ""),
    filter("xzcat", Files, ""),
    filter("zgrep", PatternThenFiles, "eABCmfdD"),
    special("cp", Files, special::copy),
    special("mv", Files, special::rename),
    special("ln", Files, special::link),
    special("mkdir", Names, special::mkdir),
    special("touch", Names, special::touch),
    special("tee", Files, special::tee).filtering(),
    special("dd", Files, special::dd),
    special("tar", Files, special::tar),
    special("unzip", Files, special::unzip),
    row("zipinfo", Files, ""),
    filter("base64", Files, "wbi").without("o", &["output"]),
    filter("base32", Files, "w"),
    filter("od", Files, "AjNtSw"),
    filter("hexdump", Files, "efns"),
    filter("hd", Files, "efns"),
    filter("strings", Files, "nteoT").without("", &[]),
    filter("expand", Files, "t"),
    filter("unexpand", Files, "t"),
    filter("fmt", Files, "wgp"),
    filter("pr", Files, "DhlNoWw"),
    filter("shuf", Files, "ni").without("o", &["output", "random-source"]),
    filter("tsort", Files, ""),
    filter("numfmt", Text, "d"),
    row("factor", Text, ""),
    filter("yes", Text, ""),
    row("sha224sum", Measured, ""),
    row("sha384sum", Measured, ""),
    row("sha512sum", Measured, ""),
    row("shasum", Measured, "a"),
    row("md5", Measured, "s"),
    row("sum", Measured, ""),
    row("cal", Text, ""),
    row("groups", Text, ""),
    row("tty", Text, ""),
    row("logname", Text, ""),
    row("users", Text, ""),
    row("who", Text, ""),
    row("w", Text, ""),
    row("locale", Text, ""),
    row("getconf", Text, ""),
    row("lscpu", Text, ""),
    row("lsblk", Text, "oIex"),
    row("vmstat", Text, ""),
    row("pgrep", Text, "dgGPstuUF"),
    row("pidof", Text, ""),
    row("pstree", Text, ""),
    row("lsof", Names, "pucidgFs").without("D", &[]),
    row("tree", Names, "LPIHT").without("oR", &["output"]),
    row("whereis", Text, ""),
    row("whatis", Text, ""),
    row("apropos", Text, ""),
    row("mdfind", Text, ""),
    row("mdls", Names, "n"),
    row("sw_vers", Text, ""),
    row("return", Text, ""),
    row("nm", Files, "").without("", &["plugin"]),
    row("size", Files, "").without("", &["plugin"]),
    row("readelf", Files, "xpR").without("", &["plugin"]),
    special("xxd", Files, special::xxd).filtering(),
    special("set", Text, special::set),
    special("man", Text, special::man),
    special("sqlite3", Files, special::sqlite),
    special("printenv", Text, special::env),
    filter("bc", Files, ""),
    row("help", Text, ""),
    row("system_profiler", Text, ""),
    row("netstat", Text, ""),
    row("ss", Text, "").without("KDF", &["kill", "diag"]),
    row("last", Text, ""),
    row("lspci", Text, "").without("Qq", &[]),
    row("lsusb", Text, ""),
    row("otool", Files, ""),
    filter("iconv", Files, "ft").without("o", &["output"]),
    row(":", Text, ""),
];

/// `jq` with a program of its own.
pub(super) static JQ: Row = filter("jq", PatternThenFiles, "").without("fL", &["from-file", "library-path"]);

/// `sort` without an output file.
pub(super) static SORT: Row = filter("sort", Files, "kt").without(
    "oTS",
    &[
        "output",
        "compress-program",
        "temporary-directory",
        "files0-from",
        "random-source",
        "buffer-size",
        "batch-size",
    ],
);

/// The row of a program.
pub(super) fn find(name: &str) -> Option<&'static Row> {
    PROGRAMS.iter().find(|row| row.name == name)
}

/// Folders whose programs are the ones that the table means.
const SYSTEM_FOLDERS: &[&str] = &["/bin", "/usr/bin", "/usr/local/bin"];

/// The name under which a program is looked up: a path counts only in a system folder.
pub(super) fn lookup_name(word: &str) -> Option<&str> {
    match word.rsplit_once('/') {
        None => Some(word),
        Some((folder, name)) => SYSTEM_FOLDERS.contains(&folder).then_some(name),
    }
}
