//! Programs that change files, some of them only in some uses.

use artoo_types::evidence::EffectClass::{self, Create, Delete, Overwrite};

use super::flags::{
    COPIES, DELETES, FILTER, Flags, LOOKS_LIKE_COMMAND, MAKES_NEW, MOVES, NONE, OVERWRITES, PASSES_LINES,
    RESERVES, SENDS, SETS_MODES, SPARES,
};
use super::row::{
    Changed, Changes, FileNeeds, Harmless, Help, Never, NewNames, Operands, Options, Program, ProgramOutput,
    ReadOnlyUse, Rule, Runs, SandboxNeeds,
};
use crate::printed;
use crate::{never, rules};

const CHMOD: FileNeeds = FileNeeds {
    writing: false,
    making: NewNames::No,
    replacing: false,
    removing: false,
    folder: false,
    modes: true,
    beside_new_folder: false,
    only_with: None,
};
const WRITING: FileNeeds = FileNeeds { writing: true, ..CHMOD };
const REMOVING: FileNeeds = FileNeeds { removing: true, modes: false, ..CHMOD };
const MAKING: FileNeeds = FileNeeds { making: NewNames::Yes, ..CHMOD };
const REPLACING: FileNeeds = FileNeeds { replacing: true, ..WRITING };
const fn without_modes(needs: FileNeeds) -> FileNeeds {
    FileNeeds { modes: false, ..needs }
}
const fn beside_new_folder(needs: FileNeeds) -> FileNeeds {
    FileNeeds { beside_new_folder: true, ..needs }
}

const fn exactly(operands: Changed, values: &'static str, except: Options) -> Changes {
    Changes::Exactly { operands, values, except }
}
const EACH: Changes = exactly(Changed::Each, "", ("", &[]));

const TO_LAST: Options = ("tTbS", &["target-directory", "backup", "suffix", "parents", "no-t"]);
const LINKED: Options = ("tTbSn", &["target-directory", "backup", "suffix", "no-"]);
const MOVED: Options = ("tTbS", &["target-directory", "backup", "suffix", "exchange", "no-t"]);

/// Programs that run nothing, print nothing that can be told and are not harmless in any use.
const fn acts(
    names: &'static str,
    effect: EffectClass,
    changes: Changes,
    never: Never,
    flags: Flags,
    sandbox: SandboxNeeds,
) -> Program {
    Program {
        names,
        runs: Runs::Nothing,
        effect,
        harmless: Harmless::No,
        help: Help::Long,
        changes,
        never,
        flags,
        output: ProgramOutput::Unknown,
        sandbox,
    }
}

/// Programs that a rule of their own lets pass in some uses.
#[allow(clippy::too_many_arguments)] // a column each
const fn judged(
    names: &'static str,
    effect: EffectClass,
    rule: Rule,
    changes: Changes,
    never: Never,
    flags: Flags,
    output: ProgramOutput,
    sandbox: SandboxNeeds,
) -> Program {
    let program = acts(names, effect, changes, never, flags, sandbox);
    Program { harmless: Harmless::Rule(rule), output, ..program }
}

/// Programs that pass text on, and write a file when one of these options says so.
const fn filters(
    names: &'static str,
    values: &'static str,
    except: Options,
    flags: Flags,
    output: ProgramOutput,
) -> Program {
    let reading = ReadOnlyUse { operands: Operands::Files, values, except: Some(except) };
    let program = acts(names, Overwrite, Changes::Operands, nothing, FILTER | flags, Nothing);
    Program { harmless: Harmless::Reading(reading), output, ..program }
}

use EffectClass::Unknown as NotKnown;
use ProgramOutput::{Text as Prints, Unknown};
use SandboxNeeds::{Files, Nothing, Unbounded};
use never::nothing;

pub(super) static ROWS: &[Program] = &[
    acts("rm", Delete, EACH, never::deletes_folders, DELETES | OVERWRITES, Files(REMOVING)),
    acts("rmdir", Delete, exactly(Changed::Each, "", ("p", &["parents"])), nothing, DELETES, Files(REMOVING)),
    acts("unlink", Delete, EACH, nothing, DELETES, Files(REMOVING)),
    acts(
        "shred",
        Delete,
        exactly(Changed::Each, "ns", ("", &["iterations", "size", "random-source"])),
        never::deletes,
        DELETES | OVERWRITES,
        Files(FileNeeds { removing: true, ..WRITING }),
    ),
    acts("srm trash trash-put", Delete, Changes::Operands, never::deletes, DELETES, Unbounded),
    acts("gio", Delete, Changes::Operands, never::gio, DELETES, Unbounded),
    acts("wipefs blkdiscard", Delete, Changes::Operands, never::erases, NONE, Unbounded),
    acts(
        "truncate",
        Overwrite,
        exactly(Changed::Each, "sr", ("", &[])),
        nothing,
        DELETES | OVERWRITES | RESERVES,
        Files(beside_new_folder(without_modes(WRITING))),
    ),
    acts(
        "chmod",
        Overwrite,
        exactly(Changed::AfterFirst, "", ("", &["reference"])),
        never::opens,
        LOOKS_LIKE_COMMAND | SETS_MODES,
        Files(CHMOD),
    ),
    acts(
        "chown",
        Overwrite,
        exactly(Changed::AfterFirst, "", ("", &["reference", "from"])),
        never::opens,
        LOOKS_LIKE_COMMAND,
        Unbounded,
    ),
    acts(
        "chgrp",
        Overwrite,
        exactly(Changed::AfterFirst, "", ("", &["reference"])),
        never::opens,
        NONE,
        Unbounded,
    ),
    acts("chattr chflags setfacl", Overwrite, Changes::Operands, never::opens, NONE, Unbounded),
    acts("install", Overwrite, Changes::IntoLast, nothing, OVERWRITES | SETS_MODES, Files(REPLACING)),
    acts("ditto", Overwrite, Changes::IntoLast, nothing, NONE, Unbounded),
    acts("rsync", Overwrite, Changes::AllOfLast, never::syncs, SENDS, Unbounded),
    acts("patch cpio", Overwrite, Changes::Folder, nothing, NONE, Files(MAKING)),
    acts("split", Overwrite, Changes::Folder, nothing, NONE, Files(without_modes(MAKING))),
    acts("bsdtar 7z 7za csplit ffmpeg", Overwrite, Changes::Folder, nothing, NONE, Unbounded),
    acts("zstd", Overwrite, Changes::Operands, nothing, NONE, Files(REPLACING)),
    acts(
        "link unzstd setfattr xattr rename sponge ed ex vi vim nano emacs plutil sips convert",
        Overwrite,
        Changes::Operands,
        nothing,
        NONE,
        Unbounded,
    ),
    acts("fallocate mkfile", Overwrite, Changes::Operands, nothing, RESERVES, Unbounded),
    judged("mktemp", Create, rules::temporary, Changes::Operands, nothing, NONE, Unknown, Unbounded),
    acts("mknod", Create, Changes::Operands, nothing, NONE, Unbounded),
    acts("mkfifo", Create, Changes::Operands, nothing, NONE, Files(without_modes(MAKING))),
    acts("zip", Create, Changes::Folder, nothing, NONE, Files(MAKING)),
    Program {
        names: "ddrescue",
        runs: Runs::Nothing,
        effect: EffectClass::Unknown,
        harmless: Harmless::No,
        help: Help::No,
        changes: Changes::Operands,
        never: nothing,
        flags: OVERWRITES,
        output: ProgramOutput::Unknown,
        sandbox: Unbounded,
    },
    judged(
        "cp",
        Overwrite,
        rules::copy,
        exactly(Changed::IntoLast, "", TO_LAST),
        nothing,
        OVERWRITES | MAKES_NEW | SPARES,
        Unknown,
        Files(FileNeeds { making: NewNames::IfUnlisted, ..WRITING }),
    ),
    judged(
        "mv",
        Overwrite,
        rules::rename,
        exactly(Changed::MovedIntoLast, "", MOVED),
        never::moves,
        OVERWRITES | MOVES | LOOKS_LIKE_COMMAND | SPARES,
        Unknown,
        Files(REPLACING),
    ),
    judged(
        "ln",
        Overwrite,
        rules::link,
        exactly(Changed::IntoLast, "", LINKED),
        nothing,
        OVERWRITES | MAKES_NEW,
        Unknown,
        Files(without_modes(MAKING)),
    ),
    judged(
        "tee",
        Overwrite,
        rules::tee,
        EACH,
        nothing,
        FILTER | OVERWRITES | MAKES_NEW,
        Prints(printed::tee),
        Files(beside_new_folder(without_modes(WRITING))),
    ),
    judged(
        "touch",
        Overwrite,
        rules::touch,
        exactly(Changed::Each, "drt", ("", &[])),
        nothing,
        MAKES_NEW,
        Unknown,
        Files(beside_new_folder(WRITING)),
    ),
    judged(
        "mkdir",
        Create,
        rules::mkdir,
        exactly(Changed::New, "m", ("", &[])),
        nothing,
        SETS_MODES | SPARES,
        Unknown,
        Files(beside_new_folder(MAKING)),
    ),
    judged(
        "dd",
        Overwrite,
        rules::dd,
        Changes::OutputFile,
        nothing,
        OVERWRITES | LOOKS_LIKE_COMMAND,
        Unknown,
        Nothing,
    ),
    judged("tar", Overwrite, rules::tar, Changes::Folder, nothing, NONE, Unknown, Files(MAKING)),
    judged("unzip", Overwrite, rules::unzip, Changes::Folder, nothing, NONE, Unknown, Files(MAKING)),
    judged(
        "gzip gunzip bzip2 xz",
        Overwrite,
        rules::compress,
        Changes::Operands,
        nothing,
        FILTER,
        Unknown,
        Files(REPLACING),
    ),
    judged("bunzip2 unxz", Overwrite, rules::compress, Changes::Operands, nothing, FILTER, Unknown, Nothing),
    judged(
        "sed",
        NotKnown,
        rules::script::sed,
        Changes::Operands,
        nothing,
        FILTER,
        Unknown,
        Files(FileNeeds { only_with: Some(("i", &["in-place"])), ..REPLACING }),
    ),
    filters("base64", "wbi", ("o", &["output"]), COPIES, Prints(printed::base64)),
    filters("iconv", "ft", ("o", &["output"]), NONE, Unknown),
    filters("shuf", "ni", ("o", &["output", "random-source"]), NONE, Unknown),
    judged(
        "uniq",
        Overwrite,
        rules::uniq,
        Changes::Operands,
        nothing,
        FILTER | PASSES_LINES,
        Unknown,
        Nothing,
    ),
    judged(
        "xxd",
        Overwrite,
        rules::xxd,
        Changes::Operands,
        nothing,
        FILTER | COPIES,
        Prints(printed::xxd),
        Nothing,
    ),
    judged("sqlite3", Overwrite, rules::sqlite, Changes::Operands, nothing, NONE, Unknown, Nothing),
    judged("git", NotKnown, rules::git, Changes::Operands, nothing, NONE, Unknown, Unbounded),
];
