//! Archives: what is in one into a folder, and a file or a folder into a new one.

use artoo_types::evidence::NO_MATCH;

use super::{Deed, Doing, Order};
use crate::causes::taken_by;
use crate::clause::RequestKind;
use crate::measure::Measure;
use crate::shell::{list_end, quote};

/// Endings of archives that are unpacked, the longest first.
const ENDINGS: [&str; 8] = [".tar.gz", ".tar.xz", ".tar.bz2", ".tar.zst", ".tgz", ".txz", ".tar", ".zip"];

/// What is in an archive, in a folder of its own or in the one that is named.
pub(super) fn unpacked(deed: &Deed<'_>) -> Doing {
    let archive = deed.source(deed.clause.slots.file.as_ref(), false)?;
    let name = archive.rsplit('/').next().unwrap_or_default().to_owned();
    let lower = name.to_lowercase();
    let Some(ending) = ENDINGS.iter().find(|ending| lower.ends_with(*ending)) else {
        return Err(deed.refuse(
            (
                format!("{name} is no archive that the built-in rules can unpack ({})", ENDINGS.join(", ")),
                format!("{name} 不是内置规则能解压的压缩包（{}）", ENDINGS.join("、")),
            ),
            Default::default(),
        ));
    };
    let stem = name.get(..name.len() - ending.len()).unwrap_or(&name);
    // "unpack it here" is into a folder of its own here: many archives hold more than one thing.
    let folder = deed.new_path(deed.here()).filter(|folder| folder != deed.here());
    let own = folder.is_none();
    let folder = folder.unwrap_or_else(|| format!("{}/{stem}", deed.here()));
    if own && deed.is_there(&folder) {
        let shown = deed.shown(&folder);
        return Err(deed.refuse(
            (format!("{shown} is there already"), format!("{shown} 已经存在")),
            (format!("unpack {name} into {shown}-2"), format!("解压 {name} 到 {shown}-2 文件夹")),
        ));
    }
    let unpack = if *ending == ".zip" {
        format!("unzip -nq {} -d {}", quote(&archive), quote(&folder))
    } else {
        format!("tar -xkf {} -C {}", quote(&archive), quote(&folder))
    };
    let listed = format!("find {} -type f | sort | {}", quote(&folder), list_end(deed.scope, NO_MATCH));
    let shown = deed.shown(&folder);
    let programs = vec!["mkdir", if *ending == ".zip" { "unzip" } else { "tar" }, "find", "sort", "awk"];
    let measure = deed.done(Order {
        intent: deed.say(format!("Unpack {name} into {shown}"), format!("把 {name} 解压到 {shown}")),
        command: format!("mkdir -p -- {} && {unpack} && {listed}", quote(&folder)),
        programs,
        made: vec![folder],
        gone: Vec::new(),
    });
    Ok(measure)
}

/// A file or a folder in a new archive.
pub(super) fn packed(deed: &Deed<'_>) -> Doing {
    let slots = &deed.clause.slots;
    let source = deed.source(slots.file.as_ref().or(slots.place.as_ref()), slots.file.is_none())?;
    let (parent, name) = source.rsplit_once('/').unwrap_or(("", &source));
    let ending = if deed.clause.kind == RequestKind::PackZip { ".zip" } else { ".tar.gz" };
    let mut target = deed.new_path(deed.here()).unwrap_or_else(|| format!("{}/{name}{ending}", deed.here()));
    let last = target.rsplit('/').next().unwrap_or_default().to_lowercase();
    if !last.contains('.') {
        target.push_str(ending);
    }
    if deed.is_there(&target) {
        return Err(taken_by(deed.scope, &target));
    }
    let lower = target.to_lowercase();
    let made = target.clone();
    let (command, program) = if lower.ends_with(".zip") {
        (format!("cd {} && zip -qr {} {}", quote(parent), quote(&target), quote(name)), "zip")
    } else if lower.ends_with(".tar.gz") || lower.ends_with(".tgz") {
        (format!("tar -czf {} -C {} {}", quote(&target), quote(parent), quote(name)), "tar")
    } else if lower.ends_with(".tar") {
        (format!("tar -cf {} -C {} {}", quote(&target), quote(parent), quote(name)), "tar")
    } else {
        return Err(deed.refuse(
            (
                "an archive is called .zip, .tar.gz or .tar".to_owned(),
                "压缩包的名字应以 .zip、.tar.gz 或 .tar 结尾".to_owned(),
            ),
            Default::default(),
        ));
    };
    let (from, to) = (deed.shown(&source), deed.shown(&target));
    let measure: Measure = deed.done(Order {
        intent: deed.say(format!("Pack {from} into {to}"), format!("把 {from} 打包成 {to}")),
        command,
        programs: vec![program],
        made: vec![made],
        gone: Vec::new(),
    });
    Ok(measure)
}
