//! Programs that only read, in all uses or in those that their rule lets pass.

use artoo_types::evidence::EffectClass;

use super::flags::{
    ARGUMENT_FILES, COPIES, COUNTS, ENDLESS, ENDS, FILTER, Flags, LISTS, LIVE, NONE, PASSES_LINES,
    READS_FOLDERS, READS_LINES, RECURSES, SHOWS_ENVIRONMENT,
};
use super::row::{
    Changes, Harmless, Help, Operands, Options, Program, ProgramOutput, ReadOnlyUse, Rule, Runs, SandboxNeeds,
};
use crate::printed;
use crate::{never, rules};

use Operands::{Files, Measured, Names, PatternThenFiles, Text};

/// No option makes it do something else.
const ALL: Option<Options> = None;

const fn except(short: &'static str, long: &'static [&'static str]) -> Option<Options> {
    Some((short, long))
}

/// Programs that only read: they run nothing, change nothing, and need nothing else in a sandbox.
const fn reads(
    names: &'static str,
    operands: Operands,
    values: &'static str,
    except: Option<Options>,
    help: Help,
    flags: Flags,
    output: ProgramOutput,
) -> Program {
    only(names, Harmless::Reading(ReadOnlyUse { operands, values, except }), help, flags, output)
}

/// The same with a rule of their own.
const fn judged(names: &'static str, rule: Rule, help: Help, flags: Flags, output: ProgramOutput) -> Program {
    only(names, Harmless::Rule(rule), help, flags, output)
}

const fn only(
    names: &'static str,
    harmless: Harmless,
    help: Help,
    flags: Flags,
    output: ProgramOutput,
) -> Program {
    Program {
        names,
        runs: Runs::Nothing,
        effect: EffectClass::Unknown,
        harmless,
        help,
        changes: Changes::Operands,
        never: never::nothing,
        flags,
        output,
        sandbox: SandboxNeeds::Nothing,
    }
}

use Help::{Long, No};
use ProgramOutput::{Text as Prints, Unknown};

const PLUGIN: Option<Options> = except("", &["plugin"]);
const LISTED: Option<Options> = except("", &["files0-from"]);

pub(super) static ROWS: &[Program] = &[
    // Text.
    reads("break continue dirname exit expr false id nproc pwd", Text, "", ALL, Long, NONE, Unknown),
    reads("sleep true uname whoami factor return help :", Text, "", ALL, Long, NONE, Unknown),
    reads("type uptime which cal whereis whatis apropos mdfind", Text, "", ALL, Long, LIVE, Unknown),
    reads("groups tty logname users who w locale getconf lscpu", Text, "", ALL, Long, LIVE, Unknown),
    reads("vmstat pidof pstree sw_vers system_profiler netstat", Text, "", ALL, Long, LIVE, Unknown),
    reads("last lsusb", Text, "", ALL, Long, LIVE, Unknown),
    reads("basename", Text, "s", ALL, Long, NONE, Unknown),
    reads("echo", Text, "", ALL, No, LISTS, Prints(printed::echo)),
    reads("free", Text, "sc", ALL, Long, LIVE, Unknown),
    reads("lsblk", Text, "oIex", ALL, Long, LIVE, Unknown),
    reads("lspci", Text, "", except("Qq", &[]), Long, LIVE, Unknown),
    reads("numfmt", Text, "d", ALL, Long, FILTER, Unknown),
    reads("pgrep", Text, "dgGPstuUF", ALL, Long, LIVE, Unknown),
    reads("seq", Text, "fs", ALL, Long, COUNTS, Unknown),
    reads("ss", Text, "", except("KDF", &["kill", "diag"]), Long, LIVE, Unknown),
    reads("tr", Text, "", ALL, Long, FILTER, Prints(printed::tr)),
    reads("yes", Text, "", ALL, Long, FILTER | ENDLESS, Unknown),
    judged("[ test", rules::test, No, NONE, Unknown),
    judged("date", rules::date, Long, LIVE, Unknown),
    judged("hostname", rules::hostname, Long, LIVE, Unknown),
    judged("man", rules::man, Long, NONE, Unknown),
    judged("printenv", rules::env, Long, SHOWS_ENVIRONMENT | LIVE, Unknown),
    judged("printf", rules::printf, No, LISTS, Prints(printed::printf)),
    judged("ps", rules::ps, Long, LIVE, Unknown),
    judged("read", rules::read_line, Long, FILTER | READS_LINES, Unknown),
    judged("set", rules::set, Long, SHOWS_ENVIRONMENT, Unknown),
    // Names of files.
    reads("df", Names, "Bt", ALL, Long, LIVE, Unknown),
    reads("du", Names, "dBtX", LISTED, Long, NONE, Unknown),
    reads("ls", Names, "IwT", ALL, Long, LISTS, Unknown),
    reads("lsof", Names, "pucidgFs", except("D", &[]), Long, LIVE, Unknown),
    reads("mdls", Names, "n", ALL, Long, NONE, Unknown),
    reads("readlink realpath", Names, "", ALL, Long, NONE, Unknown),
    reads("stat", Names, "cftx", ALL, Long, NONE, Unknown),
    reads("tree", Names, "LPIHT", except("oR", &["output"]), Long, NONE, Unknown),
    judged("find", rules::find, Long, LISTS, Unknown),
    // Digests and counts.
    reads("b2sum", Measured, "l", ALL, Long, FILTER, Unknown),
    reads("cksum", Measured, "al", ALL, Long, FILTER, Unknown),
    reads("md5", Measured, "s", ALL, Long, NONE, Unknown),
    reads("md5sum sha1sum sha224sum sha256sum sha384sum", Measured, "", ALL, Long, NONE, Unknown),
    reads("sha512sum sum", Measured, "", ALL, Long, NONE, Unknown),
    reads("shasum", Measured, "a", ALL, Long, NONE, Unknown),
    reads("wc", Measured, "", LISTED, Long, FILTER, Unknown),
    // Files.
    reads("base32 fold", Files, "w", ALL, Long, FILTER, Unknown),
    reads("bc bzcat tsort xzcat zcat", Files, "", ALL, Long, FILTER, Unknown),
    reads("cat", Files, "", ALL, Long, FILTER | COPIES, Prints(printed::cat)),
    reads("cmp", Files, "in", ALL, Long, NONE, Unknown),
    reads("column", Files, "csoNHRTOWEnpri", ALL, Long, FILTER, Unknown),
    reads("comm otool zipinfo", Files, "", ALL, Long, NONE, Unknown),
    reads("cut", Files, "bcdf", ALL, Long, FILTER, Unknown),
    reads(
        "diff",
        Files,
        "UCIxXFSW",
        except("l", &["paginate", "from-file", "to-file"]),
        Long,
        RECURSES | READS_FOLDERS,
        Unknown,
    ),
    reads("expand unexpand", Files, "t", ALL, Long, FILTER, Unknown),
    reads(
        "file",
        Files,
        "mFPe",
        except("Cfz", &["compile", "files-from", "uncompress"]),
        Long,
        NONE,
        Unknown,
    ),
    reads("fmt", Files, "wgp", ALL, Long, FILTER, Unknown),
    reads("hd", Files, "efns", ALL, Long, FILTER, Unknown),
    reads("head", Files, "nc", ALL, Long, FILTER | PASSES_LINES | ENDS, Unknown),
    reads("hexdump", Files, "efns", ALL, Long, FILTER | COPIES, Unknown),
    reads("join", Files, "12aeotv", ALL, Long, FILTER, Unknown),
    reads("nl", Files, "bdfhilnsvw", ALL, Long, FILTER, Unknown),
    reads("nm size", Files, "", PLUGIN, Long, ARGUMENT_FILES, Unknown),
    reads("od", Files, "AjNtSw", ALL, Long, FILTER | COPIES, Unknown),
    reads("paste", Files, "d", ALL, Long, FILTER, Unknown),
    reads("pr", Files, "DhlNoWw", ALL, Long, FILTER, Unknown),
    reads("readelf", Files, "xpR", PLUGIN, Long, ARGUMENT_FILES, Unknown),
    reads("rev", Files, "", ALL, Long, FILTER, Prints(printed::rev)),
    reads("strings", Files, "nteoT", except("", &[]), Long, FILTER | ARGUMENT_FILES, Unknown),
    reads("tac", Files, "s", ALL, Long, FILTER, Unknown),
    reads("tail", Files, "ncs", ALL, Long, FILTER | PASSES_LINES, Unknown),
    judged("sort", rules::sort, Long, FILTER | PASSES_LINES, Unknown),
    // Searching.
    reads("egrep fgrep grep", PatternThenFiles, "eABCmfdD", ALL, Long, FILTER | RECURSES, Unknown),
    reads("zgrep", PatternThenFiles, "eABCmfdD", ALL, Long, FILTER, Unknown),
    judged("awk", rules::script::awk, Long, FILTER, Unknown),
    judged("jq", rules::jq, Long, FILTER, Unknown),
    judged("rg", rules::ripgrep, Long, NONE, Unknown),
];
