//! Programs that run others or text that they are given: shells, languages, wrappers.

use artoo_types::evidence::EffectClass::{self, System, Unknown};

use super::flags::{FILTER, Flags, LOOKS_LIKE_COMMAND, NONE, RUNS_TEXT, SHOWS_ENVIRONMENT};
use super::row::{Changes, Harmless, Help, Program, ProgramOutput, Runs, SandboxNeeds, ShellDialect};
use crate::{never, rules, run};

const fn runs(
    names: &'static str,
    runs: Runs,
    harmless: Harmless,
    help: Help,
    flags: Flags,
    sandbox: SandboxNeeds,
) -> Program {
    Program {
        names,
        runs,
        effect: EffectClass::Unknown,
        harmless,
        help,
        changes: Changes::Operands,
        never: never::nothing,
        flags,
        output: ProgramOutput::Unknown,
        sandbox,
    }
}

use Harmless::No;
use Help::{Long, LongOr};
use SandboxNeeds::{Escalation, Nothing, Unbounded};
use ShellDialect::{Bash, Foreign, Posix};

pub(super) static ROWS: &[Program] = &[
    runs("bash", Runs::Shell(Bash), No, Long, NONE, Unbounded),
    runs("sh zsh dash ksh ash", Runs::Shell(Posix), No, Long, NONE, Unbounded),
    runs("fish", Runs::Shell(Foreign), No, Long, NONE, Unbounded),
    runs("csh tcsh", Runs::Shell(Foreign), No, Help::No, NONE, Unbounded),
    runs("python python3", Runs::Language, No, LongOr(&["-V"]), NONE, Unbounded),
    runs("perl node php", Runs::Language, No, LongOr(&["-v"]), NONE, Unbounded),
    runs("python2 ruby deno bun pwsh", Runs::Language, No, Long, NONE, Unbounded),
    runs("lua tclsh", Runs::Language, No, Help::No, NONE, Unbounded),
    runs("eval", Runs::Arguments, No, Help::No, NONE, Unbounded),
    runs("source .", Runs::Input, No, Help::No, NONE, Unbounded),
    // Wrappers whose options are followed.
    runs("command", Runs::Program(run::command), No, Help::No, NONE, Unbounded),
    runs("nice", Runs::Program(run::nice), No, Help::No, NONE, Unbounded),
    runs("timeout", Runs::Program(run::timeout), No, Help::No, NONE, Unbounded),
    runs("env", Runs::Program(run::env), Harmless::Rule(rules::env), Help::No, NONE, Nothing),
    runs("xargs", Runs::Program(run::xargs), No, Help::No, NONE, Unbounded),
    runs("cd", Runs::Rest(run::cd), No, Help::No, FILTER, Unbounded),
    runs("pushd", Runs::Rest(run::pushd), No, Help::No, FILTER, Unbounded),
    // Wrappers that run a program with more power, or out of sight.
    runs("sudo", Runs::Something(System), No, Help::No, LOOKS_LIKE_COMMAND, Escalation),
    runs("doas su", Runs::Something(System), No, Help::No, NONE, Escalation),
    runs(
        "setsid nohup busybox stdbuf ionice watch strace",
        Runs::Something(Unknown),
        No,
        Long,
        NONE,
        Unbounded,
    ),
    runs("flock", Runs::Something(Unknown), No, Long, NONE, Unbounded),
    runs("parallel", Runs::Something(Unknown), No, Long, RUNS_TEXT, Unbounded),
    runs("exec", Runs::Something(Unknown), No, Help::No, RUNS_TEXT, Unbounded),
    runs(
        "toybox chroot unshare script chpst builtin",
        Runs::Something(Unknown),
        No,
        Help::No,
        NONE,
        Unbounded,
    ),
    runs("caffeinate time", Runs::Something(Unknown), No, Help::No, NONE, Unbounded),
    runs("pkexec newgrp bwrap", Runs::Nothing, No, Help::No, NONE, Escalation),
    // Words of the shell that print the environment or what was typed.
    runs("history fc export declare typeset", Runs::Nothing, No, Help::No, SHOWS_ENVIRONMENT, Unbounded),
];
