//! Measurements of sets of files and folders.

use artoo_request::Language;
use artoo_types::evidence::NO_MATCH;
use artoo_types::tool::names::GLOB;
use serde_json::json;

use crate::clause::{Clause, RequestKind};
use crate::form::singular;
use crate::kinds::{FileKind, KINDS, language_name};
use crate::measure::{Alternative, Measure, Scope};
use crate::places::NamedPlace;
use crate::shell::{
    GENERATED, INTERNAL, endings, file_tests, first_lines, list_end, listed, name_pattern, quote, shown,
    shown_by, sized,
};
use crate::slots::{Slots, What};

/// How many files a ranking shows unless the request says.
const DEFAULT_COUNT: u64 = 10;

/// Files of a kind, with conditions.
pub(crate) fn find_files(scope: &Scope, clause: &Clause) -> Measure {
    let root = scope.folder(clause);
    let slots = &clause.slots;
    let word = scope.files_word(slots);
    let intent = match scope.language {
        Language::English => format!("Find {word}{}{}", scope.conditions(slots), scope.at(&root)),
        Language::Chinese => format!("找出{}{word}{}", scope.conditions(slots), scope.at(&root)),
    };
    let command = format!(
        "{} | sort | {}",
        listed(scope, &root, &INTERNAL, &file_tests(scope, slots), "-print"),
        list_end(scope, NO_MATCH)
    );
    let shell = Alternative::single(scope.shell(
        &intent,
        &command,
        &["find", "sort", "awk"],
        std::slice::from_ref(&root),
    ));
    let named = slots.name.as_deref().map(name_pattern);
    let conditions =
        slots.larger.or(slots.smaller).or(slots.newer).or(slots.older).is_some() || slots.goal.days.is_some();
    let mut alternatives = Vec::new();
    let globs = endings(slots);
    let pattern = match (&named, globs.as_slice()) {
        (Some(name), []) => Some(name.clone()),
        (None, []) => Some("*".to_owned()),
        (None, [only]) => Some(format!("*.{{{only},{}}}", only.to_uppercase())),
        (None, many) => {
            let upper: Vec<String> = many.iter().map(|ending| ending.to_uppercase()).collect();
            Some(format!("*.{{{},{}}}", many.join(","), upper.join(",")))
        }
        (Some(_), _) => None,
    };
    if let (Some(pattern), false) = (&pattern, conditions) {
        alternatives.push(Alternative::single(scope.call(
            &intent,
            GLOB,
            &json!({"root": root, "pattern": pattern}),
            &[format!("{root}/{pattern}")],
        )));
    }
    alternatives.extend(search_way(scope, &intent, &root, slots, named.as_deref()));
    if conditions {
        alternatives.insert(0, shell);
    } else {
        alternatives.push(shell);
    }
    Measure {
        heading: scope.heading(&word, &root, &scope.conditions(slots)),
        columns: Vec::new(),
        alternatives,
        output: vec![scope.path_list(&globs)],
    }
}

fn search_way(
    scope: &Scope,
    intent: &str,
    root: &str,
    slots: &Slots,
    named: Option<&str>,
) -> Option<Alternative> {
    // What the search tool cannot say exactly is not asked of it.
    let kind = match &slots.what {
        Some(What::Kind(kind)) if !kind.endings.is_empty() => Some(kind.search_kind?),
        Some(What::Ending(_)) => return None,
        Some(What::Kind(_)) | None => None,
    };
    if slots.smaller.or(slots.older).is_some() || slots.goal.days.is_some() {
        return None;
    }
    let query = named.unwrap_or("*");
    let mut arguments = json!({"query": query, "root": root, "limit": scope.limit});
    if let Some(kind) = kind {
        arguments["kind"] = json!(kind);
    }
    if let Some(bytes) = slots.larger {
        arguments["larger_than"] = json!(bytes);
    }
    if let Some(minutes) = slots.newer {
        // The tool knows whole days; other spans are not asked of it.
        if minutes % (24 * 60) != 0 {
            return None;
        }
        arguments["newer_than"] = json!(format!("{}d", minutes / (24 * 60)));
    }
    Some(Alternative::single(scope.call(
        intent,
        scope.file_search(),
        &arguments,
        &[format!("{root}/{query}")],
    )))
}

/// Empty files or folders.
pub(crate) fn empty(scope: &Scope, clause: &Clause) -> Measure {
    let root = scope.folder(clause);
    let (letter, english, chinese) = if clause.kind == RequestKind::EmptyFolders {
        ("d", "empty folders", "空文件夹")
    } else {
        ("f", "empty files", "空文件")
    };
    let word = scope.say(english, chinese);
    let intent = format!("{} {word}{}", scope.say("Find", "找出"), scope.at(&root));
    let tests = format!("-type {letter} -empty");
    let found = listed(scope, &root, &INTERNAL, &tests, "-print");
    let command = format!("{found} | sort | {}", list_end(scope, NO_MATCH));
    let alternatives = vec![Alternative::single(scope.shell(
        &intent,
        &command,
        &["find", "sort", "awk"],
        std::slice::from_ref(&root),
    ))];
    Measure {
        heading: scope.heading(word, &root, ""),
        columns: Vec::new(),
        alternatives,
        output: vec![scope.path_list(&[])],
    }
}

/// The largest files.
pub(crate) fn largest(scope: &Scope, clause: &Clause) -> Measure {
    let root = scope.folder(clause);
    let count = clause.slots.count.unwrap_or(DEFAULT_COUNT);
    let word = scope.files_word(&clause.slots);
    let smallest = clause.kind == RequestKind::SmallestFiles;
    let title = if smallest {
        scope.ranked("smallest", "最小的", count, &word)
    } else {
        scope.ranked("largest", "最大的", count, &word)
    };
    let intent = format!("{} {title}{}", scope.say("Find the", "找出"), scope.at(&root));
    let tests = file_tests(scope, &clause.slots);
    let sizes = sized(scope, &root, &tests);
    let order = if smallest { "-k1,1n" } else { "-k1,1nr" };
    let command = format!("{sizes} | sort {order} -k2 | {}", first_lines(scope, count, NO_MATCH));
    let programs = [shown_by(scope), &["sort", "awk"]].concat();
    let shell = Alternative::single(scope.shell(&intent, &command, &programs, std::slice::from_ref(&root)));
    let mut arguments = json!({"query": "*", "kind": "file", "root": root, "order": "size", "limit": count});
    let searchable = match &clause.slots.what {
        None => true,
        Some(What::Ending(ending)) => {
            arguments["query"] = json!(format!("*.{ending}"));
            true
        }
        Some(What::Kind(kind)) => {
            if let Some(name) = kind.search_kind {
                arguments["kind"] = json!(name);
            } else if let [only] = kind.endings {
                arguments["query"] = json!(format!("*.{only}"));
            }
            kind.search_kind.is_some() || kind.endings.len() < 2
        }
    };
    let mut alternatives = vec![shell];
    // The search knows conditions of its own alone, and no other order.
    if searchable && !smallest && scope.conditions(&clause.slots).is_empty() {
        let query = arguments["query"].as_str().unwrap_or("*").to_owned();
        let search = scope.call(&intent, scope.file_search(), &arguments, &[format!("{root}/{query}")]);
        alternatives.insert(usize::from(!scope.setting.macos), Alternative::single(search));
    }
    Measure {
        heading: scope.heading(&title, &root, ""),
        columns: vec![scope.say("bytes", "字节").to_owned(), scope.say("file", "文件").to_owned()],
        alternatives,
        output: vec![scope.ranked_list(), scope.at_most_lines(count)],
    }
}

/// The files that changed last, or first.
pub(crate) fn by_time(scope: &Scope, clause: &Clause) -> Measure {
    let root = scope.folder(clause);
    let count = clause.slots.count.unwrap_or(DEFAULT_COUNT);
    let newest = clause.kind == RequestKind::NewestFiles;
    let word = scope.files_word(&clause.slots);
    let title = if newest {
        scope.ranked("most recently changed", "最近修改的", count, &word)
    } else {
        scope.ranked("oldest", "最旧的", count, &word)
    };
    let intent = format!("{} {title}{}", scope.say("Find the", "找出"), scope.at(&root));
    let tests = file_tests(scope, &clause.slots);
    let order = if newest { "-k1,1nr" } else { "-k1,1n" };
    let times =
        shown(scope, &root, &tests, "%T@\\t%TY-%Tm-%Td %TH:%TM\\t%p\\n", "'%m%t%Sm%t%N' -t '%Y-%m-%d %H:%M'");
    let programs = [shown_by(scope), &["sort", "cut", "awk"]].concat();
    let command = format!("{times} | sort {order} | cut -f2- | {}", first_lines(scope, count, NO_MATCH));
    Measure {
        heading: scope.heading(&title, &root, ""),
        columns: vec![scope.say("changed", "修改时间").to_owned(), scope.say("file", "文件").to_owned()],
        alternatives: vec![Alternative::single(scope.shell(
            &intent,
            &command,
            &programs,
            std::slice::from_ref(&root),
        ))],
        output: vec![
            scope.matches(
                "every line is a time and a path, or the output says that there are none",
                "每一行是时间和路径，或说明没有",
                "\\A\\s*(?:\\(no match\\)|\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d\\t/)",
            ),
            scope.at_most_lines(count),
        ],
    }
}

/// How many files or folders there are.
pub(crate) fn count(scope: &Scope, clause: &Clause) -> Measure {
    let root = scope.folder(clause);
    let folders = clause.kind == RequestKind::CountFolders;
    let word =
        if folders { scope.say("folders", "文件夹").to_owned() } else { scope.files_word(&clause.slots) };
    let intent = format!(
        "{} {word}{}{}",
        scope.say("Count", "统计数量："),
        scope.conditions(&clause.slots),
        scope.at(&root)
    );
    let tests = if folders { "-type d".to_owned() } else { file_tests(scope, &clause.slots) };
    let which = scope.which(clause.slots.place.as_ref());
    let one = format!("{}{which}", singular(&word));
    let word = format!("{word}{which}");
    let noun = scope.noun("NR", [&format!(" {one}"), &format!(" {word}")], &format!(" 个{word}"));
    // A final `/.` would not do: one line a file is counted, whatever its name holds.
    let mark = if scope.setting.macos { "-print" } else { "-printf '.\\n'" };
    let marks = listed(scope, &root, &INTERNAL, &tests, mark);
    let command = format!("{marks} | awk 'END{{print NR {noun}}}'");
    let mut alternatives = vec![Alternative::single(scope.shell(
        &intent,
        &command,
        &["find", "awk"],
        std::slice::from_ref(&root),
    ))];
    let globs = endings(&clause.slots);
    let slots = &clause.slots;
    let plain = slots.name.is_none()
        && slots.larger.or(slots.smaller).or(slots.newer).or(slots.older).is_none()
        && slots.goal.days.is_none();
    if !folders && plain {
        let pattern = if globs.is_empty() { "*".to_owned() } else { format!("*.{{{}}}", globs.join(",")) };
        alternatives.push(Alternative::single(scope.compute(
            &intent,
            GLOB,
            &json!({"root": root, "pattern": pattern}),
            &[format!("{root}/{pattern}")],
            json!({"compute": "count_paths", "noun": word, "one": one}),
        )));
    }
    Measure {
        heading: scope.heading(&scope.counted(&word), &root, ""),
        columns: Vec::new(),
        alternatives,
        output: vec![scope.starts_with_number()],
    }
}

/// Lines in all files of a kind.
pub(crate) fn count_lines(scope: &Scope, clause: &Clause) -> Measure {
    let root = scope.folder(clause);
    let word = scope.files_word(&clause.slots);
    let intent = format!("{} {word}{}", scope.say("Count the lines in", "统计行数："), scope.at(&root));
    let sentence = match scope.language {
        Language::English => format!(
            "printf \"%.0f %s in %.0f %s\\n\",n,{},f,{}",
            scope.noun("n", ["line", "lines"], ""),
            scope.noun("f", [&singular(&word), &word], "")
        ),
        Language::Chinese => format!("printf \"%.0f 行，共 %.0f 个{word}\\n\",n,f"),
    };
    let listed = listed(scope, &root, &GENERATED, &file_tests(scope, &clause.slots), "-print0");
    let command = format!(
        "( {listed} | xargs -0 -r wc -l 2>/dev/null || test $? -eq 123 ) | awk 'NF==2 && $2==\"total\"{{next}} {{n+=$1; f++}} END{{{sentence}}}'"
    );
    let alternatives = vec![Alternative::single(scope.shell(
        &intent,
        &command,
        &["find", "xargs", "wc", "test", "awk"],
        std::slice::from_ref(&root),
    ))];
    let heading = format!("{}{word}", scope.say("Lines in ", "行数："));
    Measure {
        heading: scope.heading(&heading, &root, ""),
        columns: Vec::new(),
        alternatives,
        output: vec![scope.starts_with_number()],
    }
}

/// Lines by programming language.
pub(crate) fn lines_by_language(scope: &Scope, clause: &Clause) -> Measure {
    let root = scope.folder(clause);
    let intent = format!("{}{}", scope.say("Count lines by language", "按语言统计行数"), scope.at(&root));
    let languages: Vec<&FileKind> = KINDS.iter().filter(|kind| kind.language).collect();
    let all: Vec<String> =
        languages.iter().flat_map(|kind| kind.endings).map(|ending| (*ending).to_owned()).collect();
    let names: Vec<&str> = languages.iter().map(|kind| language_name(kind)).collect();
    let groups: Vec<String> = languages.iter().map(|kind| kind.endings.join(" ")).collect();
    let tests: Vec<String> = all.iter().map(|ending| format!("-name '*.{ending}'")).collect();
    let tests = format!("-type f \\( {} \\)", tests.join(" -o "));
    let listed = listed(scope, &root, &GENERATED, &tests, "-print0");
    let nothing = scope.say("no source files", "没有源代码文件");
    let program = format!(
        "BEGIN{{n=split(\"{}\",names,\",\");split(\"{}\",groups,\",\");for(i=1;i<=n;i++){{m=split(groups[i],e,\" \");for(j=1;j<=m;j++)of[e[j]]=names[i]}}}} \
         NF==2 && $2==\"total\"{{next}} {{k=split($0,p,\".\");l=of[p[k]];if(l!=\"\"){{lines[l]+=$1;files[l]++}}}} \
         END{{c=0;for(l in lines){{c++;printf \"%.0f\\t%.0f\\t%s\\n\",lines[l],files[l],l}} if(c==0)print \"{nothing}\"}}",
        names.join(","),
        groups.join(",")
    );
    let command = format!(
        "( {listed} | xargs -0 -r wc -l 2>/dev/null || test $? -eq 123 ) | awk '{program}' | sort -k1,1nr -k3"
    );
    Measure {
        heading: scope.heading(scope.say("Lines by language", "各语言的行数"), &root, ""),
        columns: ["lines/行数", "files/文件数", "language/语言"].iter().map(|both| scope.half(both)).collect(),
        alternatives: vec![Alternative::single(scope.shell(&intent, &command, &["find", "xargs", "wc", "test", "awk", "sort"], std::slice::from_ref(&root)))],
        output: vec![scope.matches(
            "every line is a number of lines, a number of files and a language, or the output says that there are none",
            "每一行是行数、文件数和语言，或说明没有",
            &format!("\\A\\s*(?:{nothing}|\\d+\\t\\d+\\t[^\\n]+(?:\\n\\d+\\t\\d+\\t[^\\n]+)*)\\s*\\z"),
        )],
    }
}

/// Where files of exactly this name lie.
pub(crate) fn find_named(scope: &Scope, clause: &Clause) -> Measure {
    let root = scope.folder(clause);
    let name = match &clause.slots.file {
        Some(NamedPlace::Path(path)) => path.rsplit('/').next().unwrap_or(path).to_owned(),
        Some(NamedPlace::Here | NamedPlace::Home(..)) | None => String::new(),
    };
    let intent =
        format!("{}{name}{}", scope.say("Find the files named ", "查找名为此的文件："), scope.at(&root));
    let nothing = match scope.language {
        Language::English => format!("no file named {name}, neither here nor in a folder below"),
        Language::Chinese => format!("没有名为 {name} 的文件，这里和下级文件夹里都没有"),
    };
    // A name that could end the text of a program stands in no program.
    let nothing = if name.contains(['"', '\\', '\'']) { NO_MATCH.to_owned() } else { nothing };
    let command = format!(
        "{} | sort | {}",
        listed(scope, &root, &INTERNAL, &format!("-iname {}", quote(&name)), "-print"),
        list_end(scope, &nothing)
    );
    Measure {
        heading: scope.heading(&name, &root, ""),
        columns: Vec::new(),
        alternatives: vec![Alternative::single(scope.shell(
            &intent,
            &command,
            &["find", "sort", "awk"],
            std::slice::from_ref(&root),
        ))],
        output: vec![scope.not_empty()],
    }
}
