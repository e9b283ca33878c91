//! Measurements that read contents over a whole folder: duplicates, text search, types, disk usage, rename previews.

use artoo_request::Language;
use artoo_types::evidence::NO_MATCH;
use artoo_types::tool::names::GLOB;
use serde_json::json;

use crate::clause::{Clause, RequestKind};
use crate::measure::{Alternative, Measure, Scope, escape_regex};
use crate::shell::{
    GENERATED, INTERNAL, LISTED_END, PRIVATE, file_tests, hits, is_wide, list_end, listed, literal,
    own_folder, quote, sha256, shown_by, sized,
};

/// Folders that a table of disk usage shows unless the request says.
const DEFAULT_FOLDERS: u64 = 15;

/// Files with the same content: equal sizes first, then equal SHA-256 digests.
pub(crate) fn duplicates(scope: &Scope, clause: &Clause) -> Measure {
    let root = scope.folder(clause);
    let word = scope.files_word(&clause.slots);
    let intent = format!("{}{word}{}", scope.say("Find duplicate ", "找出重复的"), scope.at(&root));
    let nothing = scope.say("no duplicate files", "没有重复的文件");
    // A name over two lines would be read as two names further down the pipe.
    let tests = format!("{} -size +0 ! -name '*\n*'", file_tests(scope, &clause.slots));
    let sized = sized(scope, &root, &tests);
    let (program, digest) = sha256(scope);
    let same_size =
        "awk '{p=substr($0,length($1)+2); if($1==s){if(d==0)print q; print p; d=1}else d=0; s=$1; q=p}'";
    let groups = format!(
        "awk '{{h=substr($0,1,64); if(h==l){{if(g==0){{if(n)print \"\"; print q; n++}} print substr($0,1,12) \"\\t\" substr($0,67); n++; g=1}} else g=0; l=h; q=substr($0,1,12) \"\\t\" substr($0,67)}} END{{if(n==0)print \"{nothing}\"}}'"
    );
    let command = format!(
        "( {sized} | sort -k1,1n | {same_size} | tr '\\n' '\\0' | xargs -0 -r {digest} 2>/dev/null || test $? -eq 123 ) | sort | {groups} | {}",
        list_end(scope, nothing)
    );
    let programs = [shown_by(scope), &["sort", "awk", "tr", "xargs", program, "test"]].concat();
    Measure {
        heading: scope.heading(&format!("{}{word}", scope.say("Duplicate ", "重复的")), &root, ""),
        columns: Vec::new(),
        alternatives: vec![Alternative::single(scope.shell(
            &intent,
            &command,
            &programs,
            std::slice::from_ref(&root),
        ))],
        output: vec![scope.matches(
            "every line is a digest and a path, or the output says that there are none",
            "每一行是摘要和路径，或说明没有",
            &format!("\\A\\s*(?:{nothing}|[0-9a-f]{{12}}\\t/)"),
        )],
    }
}

/// Lines that hold a text.
pub(crate) fn search_text(scope: &Scope, clause: &Clause) -> Measure {
    let root = scope.folder(clause);
    let needle = clause.slots.text.clone().unwrap_or_default();
    let intent = match scope.language {
        Language::English => format!("Search for {}{}", quote(&needle), scope.at(&root)),
        Language::Chinese => format!("搜索 {}{}", quote(&needle), scope.at(&root)),
    };
    let heading =
        scope.heading(&format!("{} {}", scope.say("Lines with", "包含的行："), quote(&needle)), &root, "");
    grep(
        scope,
        clause,
        &intent,
        heading,
        &format!("-i -F -e {}", quote(&needle)),
        &format!("(?i){}", escape_regex(&needle)),
    )
}

/// Lines marked TODO or FIXME.
pub(crate) fn todo_list(scope: &Scope, clause: &Clause) -> Measure {
    let root = scope.folder(clause);
    let intent = format!(
        "{}{}",
        scope.say("List lines marked TODO or FIXME", "列出标有 TODO 或 FIXME 的行"),
        scope.at(&root)
    );
    let heading = scope.heading(scope.say("Open points", "待办事项"), &root, "");
    grep(scope, clause, &intent, heading, "-w -e TODO -e FIXME", "TODO|FIXME")
}

fn grep(
    scope: &Scope,
    clause: &Clause,
    intent: &str,
    heading: String,
    pattern: &str,
    expected: &str,
) -> Measure {
    let root = scope.folder(clause);
    let excluded: Vec<String> = GENERATED.iter().map(|name| format!("--exclude-dir={name}")).collect();
    let included: Vec<String> = crate::shell::endings(&clause.slots)
        .iter()
        .map(|ending| format!("--include={} ", quote(&format!("*.{ending}"))))
        .collect();
    // `grep` ends with status 1 when nothing matches, which is an answer, and with 2 when it could not read all, which is told.
    let needle = clause.slots.text.clone().unwrap_or_default();
    let end = hits(scope, &needle, "\\/[^:]*:[0-9]+:");
    let command = format!(
        "( grep -rnI {} {}{pattern} -- {} 2>&1 || test $? -le 2 ) | {end}",
        excluded.join(" "),
        included.concat(),
        quote(&root),
    );
    let listed = listed(scope, &root, &GENERATED, &file_tests(scope, &clause.slots), "-print0");
    // Below a home folder lies what programs keep for themselves, which is left out: the files that are read are listed first.
    let (command, programs): (String, &[&str]) =
        if is_wide(scope, &root) || own_folder(scope, &root).is_some() {
            let all = format!("( {listed} | xargs -0 -r grep -HnI {pattern} -- 2>&1 || test $? -eq 123 )");
            (format!("{all} | {end}"), &["find", "xargs", "grep", "test", "awk"])
        } else {
            (command, &["grep", "test", "awk"])
        };
    // The second way: without grep, in case that is what failed.
    let mut alternatives =
        vec![Alternative::single(scope.shell(intent, &command, programs, std::slice::from_ref(&root)))];
    if !needle.is_empty() {
        let scan = format!(
            "{listed} | xargs -0 -r awk -v needle={} 'index(tolower($0),tolower(needle)){{print FILENAME \":\" FNR \":\" $0}}' | sort | {end}",
            quote(&needle.replace('\\', "\\\\")),
        );
        alternatives.push(Alternative::single(scope.shell(
            intent,
            &scan,
            &["find", "xargs", "awk", "sort"],
            std::slice::from_ref(&root),
        )));
    }
    Measure {
        heading,
        columns: Vec::new(),
        alternatives,
        output: vec![scope.matches(
            "the output holds lines with the text, or says that there are none",
            "输出是包含该文字的行，或说明没有",
            &format!("{expected}|\\(no match\\)"),
        )],
    }
}

/// Number and bytes of files by ending.
pub(crate) fn file_types(scope: &Scope, clause: &Clause) -> Measure {
    let root = scope.folder(clause);
    let intent = format!("{}{}", scope.say("Count files by type", "按类型统计文件"), scope.at(&root));
    let sized = sized(scope, &root, "-type f");
    let programs = [shown_by(scope), &["awk", "sort"]].concat();
    let (none, nothing) = (scope.say("(no ending)", "（无扩展名）"), NO_MATCH);
    let command = format!(
        "{sized} | awk '{{p=substr($0,length($1)+2); m=split(p,a,\"/\"); k=split(a[m],e,\".\"); t=\"{none}\"; if(1<k && (e[1]!=\"\" && k==2 && e[2]!=\"\" )) t=\".\" tolower(e[k]); else if(2<k) t=\".\" tolower(e[k]); c[t]++; b[t]+=$1; n++}} \
         END{{for(t in c)printf \"%d\\t%.0f\\t%s\\n\",c[t],b[t],t; if(n==0)print \"{nothing}\"}}' | sort -k1,1nr -k3"
    );
    Measure {
        heading: scope.heading(scope.say("Files by type", "各类型的文件"), &root, ""),
        columns: ["files/文件数", "bytes/字节", "type/类型"].iter().map(|both| scope.half(both)).collect(),
        alternatives: vec![Alternative::single(scope.shell(
            &intent,
            &command,
            &programs,
            std::slice::from_ref(&root),
        ))],
        output: vec![scope.matches(
            "every line is a number of files, their bytes and a type, or the output says that there are none",
            "每一行是文件数、字节数和类型，或说明没有",
            "\\A\\s*(?:\\(no match\\)|\\d+\\t\\d+\\t)",
        )],
    }
}

/// Disk usage by subfolder, or of one folder.
pub(crate) fn disk_usage(scope: &Scope, clause: &Clause) -> Measure {
    let root = scope.folder(clause);
    let single = clause.kind == RequestKind::FolderSize;
    let entries = clause.kind == RequestKind::EntrySizes;
    let words = if single {
        scope.say("Disk usage", "磁盘占用")
    } else if entries {
        scope.say("Disk usage by file and folder", "各文件和文件夹的磁盘占用")
    } else {
        scope.say("Disk usage by folder", "各文件夹的磁盘占用")
    };
    let intent = format!("{words}{}", scope.at(&root));
    let count = if single { 1 } else { clause.slots.count.unwrap_or(DEFAULT_FOLDERS) };
    let depth = match (single, entries) {
        (true, _) => "-s",
        (_, true) => "-a -d 1",
        (..) => "-d 1",
    };
    // The folder itself is in the table too, as the total.
    let lines = if single { 1 } else { count + 1 };
    let own = left_out(scope, &root);
    // What programs keep in a home folder has its place in the sum, and no row.
    let hidden = PRIVATE.iter().filter(|_| is_wide(scope, &root));
    let kept: String = hidden.map(|name| format!(" {name} ")).collect();
    // What may not be read is counted and told: the sizes are those of the rest.
    let unread = match scope.language {
        Language::English => "(not readable: \" u \")",
        Language::Chinese => "（无法读取：\" u \"）",
    };
    let command = format!(
        "( du -k {depth}{own} -- {} 2>&1 || test $? -eq 1 ) | sort -k1,1nr | awk -v kept='{kept}' '$1 !~ /^[0-9]+$/{{u++; next}} {{m=split($0,p,\"/\"); if(index(kept,\" \" p[m] \" \"))next; n++}} n<={lines}{{printf \"%.0f\\t%s\\n\",$1*1024,substr($0,length($1)+2)}} END{{if(u)print \"{unread}\"}}'",
        quote(&root)
    );
    Measure {
        heading: scope.heading(words, &root, ""),
        columns: ["bytes/字节", "folder/文件夹"].iter().map(|both| scope.half(both)).collect(),
        alternatives: vec![Alternative::single(scope.shell(
            &intent,
            &command,
            &["du", "test", "sort", "awk"],
            std::slice::from_ref(&root),
        ))],
        output: vec![scope.matches(
            "every line is a number of bytes and a folder",
            "每一行是字节数和文件夹",
            &format!("\\A\\s*\\d+\\t{}", if root == "/" { "/" } else { "/[^\\n]+" }),
        )],
    }
}

/// The option by which `du` leaves out artoo's own folder; written as it lies below the root, for a call that names a path of it
/// never runs.
fn left_out(scope: &Scope, root: &str) -> String {
    own_folder(scope, root).map_or_else(String::new, |own| match scope.setting.macos {
        true => format!(" -I {}", quote(&literal(own.rsplit('/').next().unwrap_or(own)))),
        false => {
            format!(
                " --exclude={}",
                quote(&format!("*{}", literal(&own[root.trim_end_matches('/').len()..])))
            )
        }
    })
}

/// What is in a folder.
pub(crate) fn list_folder(scope: &Scope, clause: &Clause) -> Measure {
    let root = scope.folder(clause);
    let intent = format!("{}{}", scope.say("List what is in the folder", "列出文件夹内容"), scope.at(&root));
    let command = format!(
        "test -d {0} && ls -1Ap -- {0} | {LISTED_END} | {1}",
        quote(&root),
        list_end(scope, NO_MATCH)
    );
    let glob = scope.call(&intent, GLOB, &json!({"root": root, "pattern": "*"}), &[format!("{root}/*")]);
    Measure {
        heading: scope.heading(scope.say("Contents", "内容"), &root, ""),
        columns: Vec::new(),
        alternatives: vec![
            Alternative::single(scope.shell(&intent, &command, &["ls", "awk"], std::slice::from_ref(&root))),
            Alternative::single(glob),
        ],
        output: vec![scope.not_empty()],
    }
}

/// New names, shown and not given.
pub(crate) fn rename_preview(scope: &Scope, clause: &Clause) -> Measure {
    let root = scope.folder(clause);
    let lower = clause.kind == RequestKind::PreviewLowerCase;
    let words = if lower {
        scope.say("names in lower case", "小写文件名")
    } else {
        scope.say("names without spaces", "不含空格的文件名")
    };
    let intent = format!("{}{words}{}", scope.say("Preview ", "预览"), scope.at(&root));
    let change = if lower { "b=tolower(b)" } else { "gsub(/ /,\"_\",b)" };
    let wanted = if lower { file_tests(scope, &clause.slots) } else { "-type f".to_owned() };
    let clash = scope.say("two files would get the name ", "两个文件会重名：");
    let listed = listed(scope, &root, &INTERNAL, &wanted, "-print");
    let command = format!(
        "{listed} | sort | awk '{{m=split($0,a,\"/\"); b=a[m]; d=substr($0,1,length($0)-length(b)); {change}; t=d b; if(seen[t]++)print \"{clash}\" t; else if(t!=$0)print $0 \"\\t→\\t\" t}}' | {}",
        list_end(scope, NO_MATCH)
    );
    Measure {
        heading: scope.heading(&format!("{}{words}", scope.say("Preview: ", "预览：")), &root, ""),
        columns: Vec::new(),
        alternatives: vec![Alternative::single(scope.shell(
            &intent,
            &command,
            &["find", "sort", "awk"],
            std::slice::from_ref(&root),
        ))],
        output: vec![scope.matches(
            "every line is an old and a new name, or the output says that there is nothing to rename",
            "每一行是旧名和新名，或说明没有可改的",
            &format!("\\A\\s*(?:\\(no match\\)|/[^\\n]*\\t→\\t/|{clash})"),
        )],
    }
}
