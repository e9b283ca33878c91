//! What leaves something different: the command that does it, with the file that it must leave, or why it is not done.
//!
//! Nothing here replaces or overwrites: a name that is taken is declined. Whether a person is asked first is decided where the
//! command is judged, and so is what is kept for an undo.

mod many;
mod pack;

use artoo_request::Language;
use artoo_types::plan::Decline;
use artoo_types::situation::PathKind;
use artoo_types::tool::names::WRITE_FILE;
use serde_json::{Value, json};

use crate::causes::{not_there, refusal, relative, taken_by};
use crate::clause::{Clause, RequestKind};
use crate::measure::{Alternative, Measure, MeasureStep, Scope, criterion};
use crate::named::Surroundings;
use crate::places::{NamedPlace, absolute, meanings};
use crate::shell::quote;

/// What a clause comes to.
pub(crate) type Doing = Result<Measure, Decline>;

/// The measurement of a clause that leaves something different, or why it is not done; none for every other clause.
pub(crate) fn measure(scope: &Scope, around: &Surroundings, clause: &Clause) -> Option<Doing> {
    let (_, doing) = DEEDS.iter().find(|(kind, _)| *kind == clause.kind)?;
    Some(doing(&Deed { scope, around, clause }))
}

type DeedOf = fn(&Deed<'_>) -> Doing;

/// What is done for each kind.
const DEEDS: [(RequestKind, DeedOf); 16] = [
    (RequestKind::MakeFolder, |deed| deed.folder()),
    (RequestKind::MakeFile, |deed| deed.file()),
    (RequestKind::Rename, |deed| deed.rename()),
    (RequestKind::Move, |deed| deed.moved()),
    (RequestKind::Copy, |deed| deed.moved()),
    (RequestKind::Delete, |deed| deed.deleted()),
    (RequestKind::MoveMany, many::files),
    (RequestKind::CopyMany, many::files),
    (RequestKind::DeleteMany, many::files),
    (RequestKind::RenameEnding, many::renamed),
    (RequestKind::RenameLowerCase, many::renamed),
    (RequestKind::RenameUnderscores, many::renamed),
    (RequestKind::RenameReplace, many::renamed),
    (RequestKind::Unpack, pack::unpacked),
    (RequestKind::PackZip, pack::packed),
    (RequestKind::PackTar, pack::packed),
];

/// One clause with all that is known of the place.
struct Deed<'a> {
    scope: &'a Scope,
    around: &'a Surroundings,
    clause: &'a Clause,
}

/// What a command does, for the plan.
struct Order {
    /// What the step is called, and what is told when it is done.
    intent: String,
    command: String,
    programs: Vec<&'static str>,
    /// What is there afterwards, and what is not.
    made: Vec<String>,
    gone: Vec<String>,
}

/// Where something goes.
struct Destination {
    path: String,
    /// The folder that has to be made first.
    folder: Option<String>,
}

impl Deed<'_> {
    fn say(&self, english: String, chinese: String) -> String {
        match self.scope.language {
            Language::English => english,
            Language::Chinese => chinese,
        }
    }

    fn refuse(&self, reason: (String, String), next: (String, String)) -> Decline {
        refusal(self.say(reason.0, reason.1), self.say(next.0, next.1))
    }

    fn shown(&self, path: &str) -> String {
        relative(self.scope, path)
    }

    /// What is at an absolute path, as far as that is known.
    fn kind(&self, path: &str) -> Option<PathKind> {
        if let Some(asked) = self.around.asked(path) {
            return Some(asked.kind);
        }
        let seen = self.around.seen.as_deref()?;
        let below = path.strip_prefix(&format!("{}/", self.scope.setting.working_directory))?;
        let is = |entry: &str| entry.trim_end_matches('/') == below;
        let entry = seen.entries.iter().find(|entry| is(&entry.path))?;
        Some(if entry.path.ends_with('/') { PathKind::Folder } else { PathKind::File })
    }

    fn is_there(&self, path: &str) -> bool {
        matches!(self.kind(path), Some(PathKind::File | PathKind::Folder))
    }

    /// The path of what is worked on: it is there, and it is neither the home folder nor the working folder or above it.
    fn source(&self, place: Option<&NamedPlace>, is_folder: bool) -> Result<String, Decline> {
        let unnamed = || {
            self.refuse(("no file is named".to_owned(), "没有说明是哪个文件".to_owned()), Default::default())
        };
        let path = absolute(place.ok_or_else(unnamed)?, &self.scope.setting);
        let Some(asked) = self.around.asked(&path).filter(|asked| asked.kind != PathKind::Missing) else {
            let asked = self.around.asked(&path).cloned();
            return Err(
                asked.map_or_else(unnamed, |asked| not_there(self.scope, self.around, &asked, is_folder))
            );
        };
        let holds =
            |inner: &str| inner == path || inner.starts_with(&format!("{}/", path.trim_end_matches('/')));
        if asked.kind == PathKind::Folder
            && (holds(&self.scope.setting.working_directory) || holds(&self.scope.setting.home))
        {
            let shown = self.shown(&path);
            return Err(self.refuse(
                (
                    format!("{shown} is the folder that you are in, or one above it"),
                    format!("{shown} 是你所在的文件夹或它的上级"),
                ),
                Default::default(),
            ));
        }
        Ok(path)
    }

    /// The path of something new; a name alone lies in `folder`.
    fn new_path(&self, folder: &str) -> Option<String> {
        let place = self.clause.slots.goal.target.as_ref()?;
        let paths = meanings(place, &self.scope.setting);
        let known = paths.iter().find(|path| self.kind(path) == Some(PathKind::Folder));
        if let Some(known) = known.or_else(|| paths.first().filter(|_| paths.len() > 1)) {
            return Some(known.clone());
        }
        Some(match place {
            NamedPlace::Path(name) if !name.contains('/') && !name.starts_with('~') => {
                format!("{folder}/{name}")
            }
            NamedPlace::Path(_) | NamedPlace::Here | NamedPlace::Home(..) => paths.first()?.clone(),
        })
    }

    fn here(&self) -> &str {
        self.scope.setting.working_directory.trim_end_matches('/')
    }

    fn folder(&self) -> Doing {
        let inside = self.clause.slots.place.as_ref().map(|place| absolute(place, &self.scope.setting));
        let path = self.new_path(inside.as_deref().unwrap_or(self.here())).unwrap_or_default();
        if self.is_there(&path) {
            return Err(taken_by(self.scope, &path));
        }
        let shown = self.shown(&path);
        Ok(self.done(Order {
            intent: self.say(format!("Make the folder {shown}"), format!("新建文件夹 {shown}")),
            command: format!("mkdir -p -- {}", quote(&path)),
            programs: vec!["mkdir"],
            made: vec![path],
            gone: Vec::new(),
        }))
    }

    fn file(&self) -> Doing {
        let path = self.new_path(self.here()).unwrap_or_default();
        if self.is_there(&path) {
            return Err(taken_by(self.scope, &path));
        }
        let content =
            self.clause.slots.goal.content.as_ref().map(|text| format!("{text}\n")).unwrap_or_default();
        let shown = self.shown(&path);
        let intent = self.say(format!("Make the file {shown}"), format!("新建文件 {shown}"));
        let then = json!({"compute": "told", "text": self.told(&intent)});
        let arguments = json!({"path": path, "content": content});
        let mut step = self.scope.compute(&intent, WRITE_FILE, &arguments, std::slice::from_ref(&path), then);
        step.criteria.push(self.there(&path));
        Ok(self.measured(step))
    }

    fn rename(&self) -> Doing {
        let slots = &self.clause.slots;
        let from = self.source(slots.file.as_ref().or(slots.place.as_ref()), slots.file.is_none())?;
        let (parent, name) = from.rsplit_once('/').unwrap_or(("", &from));
        let to = self.new_path(parent).unwrap_or_default();
        if self.kind(&to) == Some(PathKind::Folder) {
            let (from, to) = (self.shown(&from), self.shown(&to));
            return Err(self.refuse(
                (format!("{to} is a folder that is there"), format!("{to} 是已有的文件夹")),
                (format!("move {from} into the folder {to}"), format!("把 {from} 移动到 {to} 文件夹")),
            ));
        }
        if self.is_there(&to) {
            return Err(taken_by(self.scope, &to));
        }
        let ending = |name: &str| {
            name.rsplit_once('.').filter(|(stem, _)| !stem.is_empty()).map(|(_, ending)| ending.to_owned())
        };
        let new = to.rsplit('/').next().unwrap_or_default();
        if let (Some(ending), None, true) =
            (ending(name), ending(new), self.kind(&from) == Some(PathKind::File))
        {
            return Err(self.refuse(
                (
                    format!("\"{new}\" has no ending, and {name} has .{ending}"),
                    format!("“{new}”没有扩展名，而 {name} 是 .{ending}"),
                ),
                (format!("rename {name} to {new}.{ending}"), format!("把 {name} 重命名为 {new}.{ending}")),
            ));
        }
        let (old, new) = (self.shown(&from), self.shown(&to));
        Ok(self.done(Order {
            intent: self.say(format!("Rename {old} to {new}"), format!("把 {old} 重命名为 {new}")),
            command: format!("mv -n -- {} {} && test ! -e {}", quote(&from), quote(&to), quote(&from)),
            programs: vec!["mv", "test"],
            made: vec![to],
            gone: vec![from],
        }))
    }

    /// Where one file goes: into a folder, or under another name.
    fn destination(&self, from: &str) -> Result<Destination, Decline> {
        let (_, name) = from.rsplit_once('/').unwrap_or(("", from));
        let slots = &self.clause.slots;
        let path = match slots.goal.target {
            Some(_) => self.new_path(self.here()).unwrap_or_default(),
            None => self.beside(from),
        };
        let as_folder = slots.goal.as_folder
            || matches!(&slots.goal.target, Some(NamedPlace::Path(path)) if path.ends_with('/'));
        let found = self.kind(&path);
        let is_folder = found == Some(PathKind::Folder) || as_folder;
        let to = if is_folder { format!("{path}/{name}") } else { path.clone() };
        let has_ending = |name: &str| {
            name.rsplit('/').next().is_some_and(|last| last.trim_start_matches('.').contains('.'))
        };
        if found == Some(PathKind::File) && is_folder || self.is_there(&to) {
            return Err(taken_by(self.scope, if is_folder { &to } else { &path }));
        }
        if !is_folder && !has_ending(&to) && has_ending(name) {
            let (name, shown) = (self.shown(from), self.shown(&path));
            let verb = if self.clause.kind == RequestKind::Move {
                ("move", "移动到")
            } else {
                ("copy", "复制到")
            };
            return Err(self.refuse(
                (format!("there is no folder {shown}"), format!("没有文件夹 {shown}")),
                (
                    format!("{} {name} into the folder {shown}", verb.0),
                    format!("把 {name} {} {shown} 文件夹", verb.1),
                ),
            ));
        }
        let folder = (as_folder && found != Some(PathKind::Folder)).then_some(path);
        Ok(Destination { path: to, folder })
    }

    /// The name of a copy beside a file.
    fn beside(&self, from: &str) -> String {
        let (parent, name) = from.rsplit_once('/').unwrap_or(("", from));
        let (stem, ending) = match name.rsplit_once('.') {
            Some((stem, ending)) if !stem.is_empty() => (stem, format!(".{ending}")),
            _ => (name, String::new()),
        };
        format!("{parent}/{stem}{}{ending}", self.scope.say("-copy", "-副本"))
    }

    fn moved(&self) -> Doing {
        let slots = &self.clause.slots;
        let moves = self.clause.kind == RequestKind::Move;
        let first = self.source(slots.file.as_ref().or(slots.place.as_ref()), slots.file.is_none())?;
        let second = slots.second_file.as_ref().map(|file| self.source(Some(file), false)).transpose()?;
        let (mut command, mut made, mut gone) = (String::new(), Vec::new(), Vec::new());
        let mut shown = Vec::new();
        let mut programs = vec![if moves { "mv" } else { "cp" }];
        for from in [Some(&first), second.as_ref()].into_iter().flatten() {
            let Destination { path: to, folder } = self.destination(from)?;
            if let Some(folder) = folder.filter(|_| command.is_empty()) {
                command = format!("mkdir -p -- {} && ", quote(&folder));
                programs.push("mkdir");
            }
            let join = if made.is_empty() { "" } else { " && " };
            let program = match (moves, self.kind(from)) {
                (true, _) => "mv -n",
                (false, Some(PathKind::Folder)) => "cp -Rn",
                (false, _) => "cp -n",
            };
            command.push_str(&format!("{join}{program} -- {} {}", quote(from), quote(&to)));
            shown.push((self.shown(from), self.shown(&to)));
            made.push(to);
            gone.extend(moves.then(|| from.clone()));
        }
        let pairs = |middle: &str| {
            shown.iter().map(|(from, to)| format!("{from}{middle}{to}")).collect::<Vec<_>>().join(", ")
        };
        let intent = if moves {
            self.say(format!("Move {}", pairs(" to ")), format!("移动：{}", pairs(" → ")))
        } else {
            self.say(format!("Copy {}", pairs(" to ")), format!("复制：{}", pairs(" → ")))
        };
        Ok(self.done(Order { intent, command, programs, made, gone }))
    }

    fn deleted(&self) -> Doing {
        let slots = &self.clause.slots;
        let first = self.source(slots.file.as_ref().or(slots.place.as_ref()), slots.file.is_none())?;
        let second = slots.second_file.as_ref().map(|file| self.source(Some(file), false)).transpose()?;
        let all: Vec<String> = [Some(first), second].into_iter().flatten().collect();
        let flag = if all.iter().any(|path| self.kind(path) == Some(PathKind::Folder)) { "-r " } else { "" };
        let quoted: Vec<String> = all.iter().map(|path| quote(path)).collect();
        let shown: Vec<String> = all.iter().map(|path| self.shown(path)).collect();
        let shown = shown.join(", ");
        Ok(self.done(Order {
            intent: self.say(format!("Delete {shown}"), format!("删除 {shown}")),
            command: format!("rm {flag}-- {}", quoted.join(" ")),
            programs: vec!["rm"],
            made: Vec::new(),
            gone: all,
        }))
    }

    /// What is told when it is done: the intent, as a fact.
    fn told(&self, intent: &str) -> String {
        match self.scope.language {
            Language::English => format!("Done: {}{}", intent[..1].to_lowercase(), &intent[1..]),
            Language::Chinese => format!("已完成：{intent}"),
        }
    }

    fn done(&self, order: Order) -> Measure {
        let Order { intent, command, mut programs, made, gone } = order;
        let command = format!("{command} && printf '%s\\n' {}", quote(&self.told(&intent)));
        programs.push("printf");
        let targets: Vec<String> = gone.iter().chain(&made).cloned().collect();
        let mut step = self.scope.shell(&intent, &command, &programs, &targets);
        step.words = self
            .scope
            .say("One command that changes what it names.", "一条命令，只改动它写明的内容。")
            .to_owned();
        step.criteria.extend(gone.iter().take(MOST_LEFT).map(|path| self.absent(path)));
        step.criteria.extend(made.iter().take(MOST_LEFT).map(|path| self.there(path)));
        self.measured(step)
    }

    fn measured(&self, step: MeasureStep) -> Measure {
        // The whole task is what its step leaves.
        let output = step.criteria.iter().filter(|one| one["check"]["path"].is_string()).cloned().collect();
        Measure {
            heading: step.intent.clone(),
            columns: Vec::new(),
            alternatives: vec![Alternative::single(step)],
            output,
        }
    }

    fn there(&self, path: &str) -> Value {
        let shown = self.shown(path);
        let text = self.say(format!("`{shown}` is there"), format!("`{shown}` 已存在"));
        criterion(&text, json!({"kind": "file_exists", "path": path}))
    }

    fn absent(&self, path: &str) -> Value {
        let shown = self.shown(path);
        let text = self.say(format!("`{shown}` is gone"), format!("`{shown}` 已不在"));
        criterion(&text, json!({"kind": "file_absent", "path": path}))
    }
}

/// Most files of each kind that have a criterion of their own; the command looks at all of them itself.
const MOST_LEFT: usize = 5;
