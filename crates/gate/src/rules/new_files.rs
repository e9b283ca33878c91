//! Programs that make new files: followed where their new names are certain, asked about otherwise.

use std::path::Path;

use crate::CreationKind;
use crate::acts::{self, inside};
use crate::arg::Arg;
use crate::options::{self, folders};
use crate::paths::{PathAccess, canonical};
use crate::programs::row::{Call, Operands, ReadOnlyUse};
use crate::walk::Walk;
use crate::{quantity, vital};

/// Options and operands of a use with none but these one-letter and long options; none for any other use. Every word of
/// it is known text.
fn plain(args: &[Arg], short: &str, long: &[&str]) -> Option<(Vec<String>, Vec<String>)> {
    let (mut options, mut operands, mut ended) = (Vec::new(), Vec::new(), false);
    for arg in args {
        let text = arg.fixed()?;
        if !ended && text == "--" {
            ended = true;
        } else if !ended && text.starts_with("--") {
            long.contains(&text[2..].split('=').next()?).then_some(())?;
            options.push(text);
        } else if !ended && text.len() > 1 && text.starts_with('-') {
            text[1..].chars().all(|c| short.contains(c)).then_some(())?;
            options.push(text);
        } else {
            operands.push(text);
        }
    }
    Some((options, operands))
}

fn has(options: &[String], short: char, long: &str) -> bool {
    options.iter().any(|o| o.strip_prefix("--").map_or_else(|| o.contains(short), |name| name == long))
}

/// `tee`: writing its standard input into new files too.
pub(crate) fn tee(walk: &mut Walk<'_>, call: Call<'_>) {
    let args = call.args;
    let files = plain(args, "aip", &["append", "ignore-interrupts"]).map(|(_, files)| files);
    match files {
        Some(files) if files.iter().all(|f| is_sink(f) || !walk.is_there(f) || walk.is_made(f)) => {
            if walk.scope.pours && files.iter().any(|file| !is_sink(file)) {
                walk.found.exceed("it would write until the disk is full");
            }
            for file in files.iter().filter(|f| !is_sink(f)) {
                let file = Arg::plain(file);
                walk.make(&file, CreationKind::File, "writes into");
                walk.operand(&file);
                walk.fetched_into(&file);
            }
        }
        Some(_) | None => acts::judge(call, walk),
    }
}

fn is_sink(path: &str) -> bool {
    matches!(path, "/dev/null" | "/dev/stderr" | "/dev/stdout")
}

/// `touch`: making empty files.
pub(crate) fn touch(walk: &mut Walk<'_>, call: Call<'_>) {
    let args = call.args;
    match plain(args, "am", &[]) {
        Some((_, files)) if !files.iter().any(|f| walk.is_there(f) && !walk.is_made(f)) => {
            for file in files.iter().map(|f| Arg::plain(f)) {
                walk.make(&file, CreationKind::File, "makes");
                walk.operand(&file);
            }
        }
        Some(_) | None => acts::judge(call, walk),
    }
}

/// `mkdir`: making folders. Where something is there already, it changes nothing.
pub(crate) fn mkdir(walk: &mut Walk<'_>, call: Call<'_>) {
    let args = call.args;
    let Some((options, folders)) = plain(args, "pv", &["parents", "verbose"]) else {
        acts::judge(call, walk);
        return;
    };
    for folder in folders.iter().map(|f| Arg::plain(f)) {
        if has(&options, 'p', "parents") {
            walk.make_folders(&folder);
        } else if !folder.fixed().is_some_and(|text| Path::new(&walk.scope.resolve(&text)).exists()) {
            walk.make(&folder, CreationKind::OwnFolder, "makes");
        }
        walk.operand(&folder);
    }
}

/// `cp`: copying files to new names.
pub(crate) fn copy(walk: &mut Walk<'_>, call: Call<'_>) {
    let args = call.args;
    if copied(walk, args).is_none() {
        acts::judge(call, walk);
    }
}

fn copied(walk: &mut Walk<'_>, args: &[Arg]) -> Option<()> {
    let (options, operands) =
        plain(args, "nvfpLHaRr", &["no-clobber", "verbose", "preserve", "force", "archive", "recursive"])?;
    let (last, sources) = operands.split_last().filter(|(_, sources)| !sources.is_empty())?;
    let into = walk.is_folder(last);
    (into || sources.len() == 1).then_some(())?;
    let keeps = has(&options, 'n', "no-clobber");
    let follows = !(has(&options, 'a', "archive")
        || has(&options, 'r', "recursive")
        || has(&options, 'R', "recursive"));
    let mut pairs = Vec::new();
    for source in sources {
        let target = if into { inside(last, source) } else { last.clone() };
        let path = walk.scope.resolve(source);
        let meta = if follows { Path::new(&path).metadata() } else { Path::new(&path).symlink_metadata() };
        let is_file = meta.is_ok_and(|m| m.is_file()) || walk.is_made(source);
        let is_there = walk.is_there(&target);
        // `cp -n` would take the file that is made beforehand for one that is to be kept.
        let fits =
            if keeps { is_there && !walk.is_folder(&target) } else { !is_there && !target.ends_with('/') };
        (is_file && fits).then_some(())?;
        pairs.push((Arg::plain(source), Arg::plain(&target)));
    }
    let length = pairs.iter().filter_map(|(source, _)| Some(length_of(walk, &source.fixed()?))).sum();
    quantity::check(walk, length);
    for (source, target) in pairs {
        walk.path(&source, true);
        walk.operand(&source);
        if !keeps {
            walk.make(&target, CreationKind::File, "copies to");
        }
        walk.operand(&target);
    }
    Some(())
}

/// `mv`: safe only as `mv -n` onto files that are there, which moves nothing.
pub(crate) fn rename(walk: &mut Walk<'_>, call: Call<'_>) {
    let args = call.args;
    let is_idle =
        plain(args, "nv", &["no-clobber", "verbose"]).is_some_and(
            |(options, operands)| match &operands[..] {
                [_, target] => {
                    let meta = Path::new(&walk.scope.resolve(target)).symlink_metadata();
                    has(&options, 'n', "no-clobber") && meta.is_ok_and(|m| m.is_file())
                }
                _ => false,
            },
        );
    if is_idle {
        for arg in args.iter().filter(|a| !a.is_option()) {
            walk.path(arg, false);
            walk.operand(arg);
        }
    } else {
        acts::judge(call, walk);
    }
}

/// `ln`: one new link to something inside the roots.
pub(crate) fn link(walk: &mut Walk<'_>, call: Call<'_>) {
    let args = call.args;
    if linked(walk, args).is_none() {
        acts::judge(call, walk);
    }
}

fn linked(walk: &mut Walk<'_>, args: &[Arg]) -> Option<()> {
    let (options, operands) = plain(args, "sv", &["symbolic", "verbose"])?;
    let [target, name] = operands.as_slice() else { return None };
    // It would be taken for a home here, and is a name to the program.
    (!target.starts_with('~')).then_some(())?;
    let name = if walk.is_folder(name) { inside(name, target) } else { name.clone() };
    let is_symbolic = has(&options, 's', "symbolic");
    let leads_to = if is_symbolic && !target.starts_with('/') {
        // A symbolic link is read from the folder that it is in.
        let folder = name.rsplit_once('/').map_or(".", |(folder, _)| folder);
        walk.scope.resolve(&format!("{folder}/{target}"))
    } else {
        walk.scope.resolve(target)
    };
    let is_file = Path::new(&leads_to).symlink_metadata().is_ok_and(|m| m.is_file());
    let is_free = walk.scope.paths.writing(&leads_to) == PathAccess::Free && canonical(&leads_to) == leads_to;
    (is_free && (is_symbolic || is_file) && !walk.is_there(&name)).then_some(())?;
    let kind =
        if is_symbolic { CreationKind::Symlink(target.clone()) } else { CreationKind::HardLink(leads_to) };
    walk.make(&Arg::plain(&name), kind, "links");
    walk.operand(&Arg::plain(&name));
    Some(())
}

/// `dd`: copying to standard output or to a new file, a known amount.
pub(crate) fn dd(walk: &mut Walk<'_>, call: Call<'_>) {
    let args = call.args;
    if dumped(walk, args).is_none() {
        acts::judge(call, walk);
    }
}

fn dumped(walk: &mut Walk<'_>, args: &[Arg]) -> Option<()> {
    let (mut input, mut output, mut count, mut block) = (None, None, None, 512);
    for arg in args {
        let text = arg.fixed()?;
        let (key, value) = text.split_once('=')?;
        match key {
            "if" => input = Some(value.to_owned()),
            "of" => output = Some(value.to_owned()),
            "count" => count = Some(quantity::bytes(value)?),
            "bs" | "ibs" => block = quantity::bytes(value)?,
            "obs" | "skip" | "status" => {}
            _ => return None,
        }
    }
    let is_endless = input.as_deref().map_or(walk.scope.pours, |path| path.starts_with("/dev/"));
    let is_counted = count.is_some();
    let length = input.as_deref().filter(|_| !is_endless).map(|path| length_of(walk, path));
    let copied = count.map_or(u64::MAX, |count| block.saturating_mul(count)).min(length.unwrap_or(u64::MAX));
    match &output {
        Some(_) if is_endless || length.is_some() => quantity::check(walk, copied),
        Some(_) => {}
        None if is_counted => walk.flow.amount = copied,
        None => {}
    }
    let is_new = output.as_deref().is_none_or(|path| !walk.is_there(path) || walk.is_made(path));
    ((is_counted || !is_endless) && is_new).then_some(())?;
    if let Some(input) = input.map(|path| Arg::plain(&path)) {
        walk.path(&input, true);
        walk.operand(&input);
    }
    if let Some(output) = output.map(|path| Arg::plain(&path)) {
        vital::overwritten(&output, &walk.scope, &mut walk.found);
        walk.make(&output, CreationKind::File, "writes into");
        walk.operand(&output);
    }
    Some(())
}

/// The length of a file in bytes; 0 where none is known.
fn length_of(walk: &Walk<'_>, path: &str) -> u64 {
    Path::new(&walk.scope.resolve(path)).metadata().map_or(0, |meta| meta.len())
}

/// `sort` without an output file.
const SORT: ReadOnlyUse = ReadOnlyUse {
    operands: Operands::Files,
    values: "kt",
    except: Some((
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
    )),
};

/// `sort`, also into a new file.
pub(crate) fn sort(walk: &mut Walk<'_>, call: Call<'_>) {
    let args = call.args;
    let at = args.iter().position(|a| matches!(a.fixed().as_deref(), Some("-o" | "--output")));
    let (rest, output) = match at {
        Some(at) if at + 1 < args.len() => ([&args[..at], &args[at + 2..]].concat(), args[at + 1].fixed()),
        Some(_) | None => match args
            .iter()
            .position(|a| a.fixed().is_some_and(|t| t.starts_with("--output=")))
        {
            Some(at) => {
                let text = args[at].fixed().unwrap_or_default();
                ([&args[..at], &args[at + 1..]].concat(), text.strip_prefix("--output=").map(str::to_owned))
            }
            None => (args.to_vec(), None),
        },
    };
    let is_ended = args.iter().any(|a| a.fixed().as_deref() == Some("--"));
    match output.filter(|path| !is_ended && !path.starts_with('-')) {
        Some(path) => {
            options::judge(SORT, Call { args: &rest, ..call }, walk);
            let output = Arg::plain(&path);
            walk.make(&output, CreationKind::File, "writes into");
            walk.operand(&output);
        }
        None => options::judge(SORT, call, walk),
    }
}

/// `tar`: listing an archive, or packing into a new one.
pub(crate) fn tar(walk: &mut Walk<'_>, call: Call<'_>) {
    let args = call.args;
    if packed(walk, args).is_none() {
        acts::judge(call, walk);
    }
}

fn packed(walk: &mut Walk<'_>, args: &[Arg]) -> Option<()> {
    let (first, rest) = args.split_first()?;
    let letters = first.fixed()?;
    let letters = letters.strip_prefix('-').unwrap_or(&letters).to_owned();
    let lists = letters.contains('t') || letters.contains('x') && letters.contains('O');
    let packs = letters.contains('c');
    let known =
        letters.chars().all(|c| "tcxOvzjJaf".contains(c)) && letters.matches(['t', 'c', 'x']).count() == 1;
    (known && (lists || packs)).then_some(())?;
    let (archive, members) = if letters.contains('f') {
        letters.ends_with('f').then_some(())?;
        let (archive, members) = rest.split_first()?;
        (archive.fixed(), members)
    } else {
        (None, rest)
    };
    // A name with a colon is a file on another machine.
    let archive = match archive {
        Some(name) if name.contains(':') || name.starts_with('-') && name != "-" => return None,
        Some(name) if name != "-" => Some(name),
        Some(_) | None if letters.contains('f') => None,
        Some(_) | None => return None,
    };
    let is_option = |a: &Arg| a.is_option() || a.may_hide_option();
    (!members.iter().any(is_option)).then_some(())?;
    if lists {
        let archive = archive.map(|name| Arg::plain(&name));
        options::paths(Operands::Files, &archive.iter().collect::<Vec<_>>(), walk);
        return Some(());
    }
    (archive.as_deref().is_none_or(|name| !walk.is_there(name)) && !members.is_empty()).then_some(())?;
    let members: Vec<&Arg> = members.iter().collect();
    options::paths(Operands::Files, &members, walk);
    folders(&members, walk);
    if let Some(name) = archive {
        let archive = Arg::plain(&name);
        walk.make(&archive, CreationKind::File, "packs into");
        walk.operand(&archive);
    }
    Some(())
}

/// `gzip` and its like: reading, unless they replace a file by its packed form.
pub(crate) fn compress(walk: &mut Walk<'_>, call: Call<'_>) {
    let args = call.args;
    let reads = plain(
        args,
        "cdltvkfq0123456789",
        &["stdout", "to-stdout", "decompress", "list", "test", "best", "fast"],
    );
    match reads {
        Some((options, files))
            if files.is_empty()
                || has(&options, 'c', "stdout")
                || has(&options, 'c', "to-stdout")
                // Of several modes the last one counts.
                || !has(&options, 'd', "decompress")
                    && (has(&options, 'l', "list") || has(&options, 't', "test")) =>
        {
            let files: Vec<Arg> = files.iter().map(|f| Arg::plain(f)).collect();
            options::paths(Operands::Files, &files.iter().collect::<Vec<_>>(), walk);
        }
        Some(_) | None => acts::judge(call, walk),
    }
}

/// `unzip`: listing, testing, or printing.
pub(crate) fn unzip(walk: &mut Walk<'_>, call: Call<'_>) {
    let args = call.args;
    let shows = args.split_first().filter(|(first, rest)| {
        let looks = ["-l", "-v", "-t", "-p", "-c", "-Z", "-Z1", "-lv", "-qq", "-lq", "-z"];
        first.fixed().is_some_and(|t| looks.contains(&t.as_str()) && t != "-qq")
            && rest.iter().all(|a| a.fixed().is_some_and(|t| !t.starts_with('-')))
    });
    match shows {
        Some((_, rest)) => {
            let archive: Vec<&Arg> = rest.iter().take(1).collect();
            options::paths(Operands::Files, &archive, walk);
        }
        None => acts::judge(call, walk),
    }
}
