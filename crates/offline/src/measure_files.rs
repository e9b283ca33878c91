//! Measurements of sets of files and folders.

use serde_json::json;

use super::kinds::{FileKind, KINDS, language_name};
use super::language::Language;
use super::measure::{Measure, NO_MATCH, Rung, Scope};
use super::request::{Clause, Kind};
use super::shell::{GENERATED, INTERNAL, endings, file_tests, find, first_lines, list_end, name_pattern};
use super::slots::{Slots, What};

/// How many files a ranking shows unless the request says.
const DEFAULT_COUNT: u64 = 10;

impl Scope {
    /// Files of a kind, with conditions.
    pub(super) fn find_files(&self, clause: &Clause) -> Measure {
        let root = self.folder(clause);
        let slots = &clause.slots;
        let word = self.files_word(slots);
        let intent = match self.language {
            Language::English => format!("Find {word}{}{}", self.conditions(slots), self.at(&root)),
            Language::Chinese => format!("找出{}{word}{}", self.conditions(slots), self.at(&root)),
        };
        let command = format!(
            "{} -print | sort | {}",
            find(&root, self.setting.macos, &INTERNAL, &file_tests(slots)),
            list_end(self.limit, NO_MATCH, self.language)
        );
        let shell = Rung::single(self.shell(
            &intent,
            &command,
            &["find", "sort", "awk"],
            std::slice::from_ref(&root),
        ));
        let named = slots.name.as_deref().map(name_pattern);
        let conditions = slots.larger.or(slots.smaller).or(slots.newer).or(slots.older).is_some();
        let mut ladder = Vec::new();
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
            ladder.push(Rung::single(self.call(
                &intent,
                "glob",
                &json!({"root": root, "pattern": pattern}),
                &[format!("{root}/{pattern}")],
            )));
        }
        ladder.extend(self.search_rung(&intent, &root, slots, named.as_deref()));
        if conditions {
            ladder.insert(0, shell);
        } else {
            ladder.push(shell);
        }
        Measure {
            heading: self.heading(&word, &root, &self.conditions(slots)),
            columns: Vec::new(),
            ladder,
            output: vec![self.path_list(&globs)],
        }
    }

    fn search_rung(&self, intent: &str, root: &str, slots: &Slots, named: Option<&str>) -> Option<Rung> {
        // What the search tool cannot say exactly is not asked of it.
        let kind = match &slots.what {
            Some(What::Kind(kind)) if !kind.endings.is_empty() => Some(kind.search_kind?),
            Some(What::Ending(_)) => return None,
            Some(What::Kind(_)) | None => None,
        };
        if slots.smaller.or(slots.older).is_some() {
            return None;
        }
        let query = named.unwrap_or("*");
        let mut arguments = json!({"query": query, "root": root, "limit": self.limit});
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
        Some(Rung::single(self.call(intent, self.file_search(), &arguments, &[format!("{root}/{query}")])))
    }

    /// Empty files or folders.
    pub(super) fn empty(&self, clause: &Clause) -> Measure {
        let root = self.folder(clause);
        let (letter, english, chinese) = if clause.kind == Kind::EmptyFolders {
            ("d", "empty folders", "空文件夹")
        } else {
            ("f", "empty files", "空文件")
        };
        let word = self.say(english, chinese);
        let intent = format!("{} {word}{}", self.say("Find", "找出"), self.at(&root));
        let tests = format!("-type {letter} -empty -print");
        let command = format!(
            "{} | sort | {}",
            find(&root, self.setting.macos, &INTERNAL, &tests),
            list_end(self.limit, NO_MATCH, self.language)
        );
        let ladder = vec![Rung::single(self.shell(
            &intent,
            &command,
            &["find", "sort", "awk"],
            std::slice::from_ref(&root),
        ))];
        Measure {
            heading: self.heading(word, &root, ""),
            columns: Vec::new(),
            ladder,
            output: vec![self.path_list(&[])],
        }
    }

    /// The largest files.
    pub(super) fn largest(&self, clause: &Clause) -> Measure {
        let root = self.folder(clause);
        let count = clause.slots.count.unwrap_or(DEFAULT_COUNT);
        let word = self.files_word(&clause.slots);
        let title = self.ranked("largest", "最大的", count, &word);
        let intent = format!("{} {title}{}", self.say("Find the", "找出"), self.at(&root));
        let tests = file_tests(&clause.slots);
        let sizes = if self.setting.macos {
            format!("{} -print0 | xargs -0 stat -f '%z%t%N'", find(&root, true, &GENERATED, &tests))
        } else {
            format!("{} -printf '%s\\t%p\\n'", find(&root, false, &GENERATED, &tests))
        };
        let command = format!("{sizes} | sort -k1,1nr -k2 | {}", first_lines(count, NO_MATCH));
        let programs: &[&str] = if self.setting.macos {
            &["find", "xargs", "stat", "sort", "awk"]
        } else {
            &["find", "sort", "awk"]
        };
        let shell = Rung::single(self.shell(&intent, &command, programs, std::slice::from_ref(&root)));
        let mut arguments =
            json!({"query": "*", "kind": "file", "root": root, "order": "size", "limit": count});
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
        let mut ladder = vec![shell];
        if searchable {
            let query = arguments["query"].as_str().unwrap_or("*").to_owned();
            let search = self.call(&intent, self.file_search(), &arguments, &[format!("{root}/{query}")]);
            ladder.insert(usize::from(!self.setting.macos), Rung::single(search));
        }
        Measure {
            heading: self.heading(&title, &root, ""),
            columns: vec![self.say("bytes", "字节").to_owned(), self.say("file", "文件").to_owned()],
            ladder,
            output: vec![self.ranked_list(), self.at_most_lines(count)],
        }
    }

    /// The files that changed last, or first.
    pub(super) fn by_time(&self, clause: &Clause) -> Measure {
        let root = self.folder(clause);
        let count = clause.slots.count.unwrap_or(DEFAULT_COUNT);
        let newest = clause.kind == Kind::NewestFiles;
        let word = self.files_word(&clause.slots);
        let title = if newest {
            self.ranked("most recently changed", "最近修改的", count, &word)
        } else {
            self.ranked("oldest", "最旧的", count, &word)
        };
        let intent = format!("{} {title}{}", self.say("Find the", "找出"), self.at(&root));
        let tests = file_tests(&clause.slots);
        let order = if newest { "-k1,1nr" } else { "-k1,1n" };
        let (times, programs): (String, &[&str]) = if self.setting.macos {
            let listed = find(&root, true, &GENERATED, &tests);
            let shape = "stat -f '%m%t%Sm%t%N' -t '%Y-%m-%d %H:%M'";
            (format!("{listed} -print0 | xargs -0 {shape}"), &["find", "xargs", "stat", "sort", "cut", "awk"])
        } else {
            let listed = find(&root, false, &GENERATED, &tests);
            (format!("{listed} -printf '%T@\\t%TY-%Tm-%Td %TH:%TM\\t%p\\n'"), &["find", "sort", "cut", "awk"])
        };
        let command = format!("{times} | sort {order} | cut -f2- | {}", first_lines(count, NO_MATCH));
        Measure {
            heading: self.heading(&title, &root, ""),
            columns: vec![self.say("changed", "修改时间").to_owned(), self.say("file", "文件").to_owned()],
            ladder: vec![Rung::single(self.shell(&intent, &command, programs, std::slice::from_ref(&root)))],
            output: vec![
                self.matches(
                    "every line is a time and a path, or the output says that there are none",
                    "每一行是时间和路径，或说明没有",
                    "\\A\\s*(?:\\(no match\\)|\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d\\t/)",
                ),
                self.at_most_lines(count),
            ],
        }
    }

    /// How many files or folders there are.
    pub(super) fn count(&self, clause: &Clause) -> Measure {
        let root = self.folder(clause);
        let folders = clause.kind == Kind::CountFolders;
        let word = if folders {
            self.say("folders", "文件夹").to_owned()
        } else {
            self.files_word(&clause.slots)
        };
        let intent = format!(
            "{} {word}{}{}",
            self.say("Count", "统计数量："),
            self.conditions(&clause.slots),
            self.at(&root)
        );
        let tests = if folders { "-type d".to_owned() } else { file_tests(&clause.slots) };
        let shape = self.say("print NR \" ", "print NR \" 个");
        // A final `/.` would not do: one line a file is counted, whatever its name holds.
        let listed = find(&root, self.setting.macos, &INTERNAL, &tests);
        let marks =
            if self.setting.macos { format!("{listed} -print") } else { format!("{listed} -printf '.\\n'") };
        let command = format!("{marks} | awk 'END{{{shape}{word}\"}}'");
        let mut ladder =
            vec![Rung::single(self.shell(&intent, &command, &["find", "awk"], std::slice::from_ref(&root)))];
        let globs = endings(&clause.slots);
        let slots = &clause.slots;
        let plain =
            slots.name.is_none() && slots.larger.or(slots.smaller).or(slots.newer).or(slots.older).is_none();
        if !folders && plain {
            let pattern =
                if globs.is_empty() { "*".to_owned() } else { format!("*.{{{}}}", globs.join(",")) };
            ladder.push(Rung::single(self.compute(
                &intent,
                "glob",
                &json!({"root": root, "pattern": pattern}),
                &[format!("{root}/{pattern}")],
                json!({"compute": "count_paths", "noun": word}),
            )));
        }
        Measure {
            heading: self.heading(&self.counted(&word), &root, ""),
            columns: Vec::new(),
            ladder,
            output: vec![self.starts_with_number()],
        }
    }

    /// Lines in all files of a kind.
    pub(super) fn count_lines(&self, clause: &Clause) -> Measure {
        let root = self.folder(clause);
        let word = self.files_word(&clause.slots);
        let intent = format!("{} {word}{}", self.say("Count the lines in", "统计行数："), self.at(&root));
        let sentence = match self.language {
            Language::English => format!("printf \"%.0f lines in %.0f {word}\\n\",n,f"),
            Language::Chinese => format!("printf \"%.0f 行，共 %.0f 个{word}\\n\",n,f"),
        };
        let listed = find(&root, self.setting.macos, &GENERATED, &file_tests(&clause.slots));
        let command = format!(
            "{listed} -print0 | xargs -0 -r wc -l | awk 'NF==2 && $2==\"total\"{{next}} {{n+=$1; f++}} END{{{sentence}}}'"
        );
        let ladder = vec![Rung::single(self.shell(
            &intent,
            &command,
            &["find", "xargs", "wc", "awk"],
            std::slice::from_ref(&root),
        ))];
        let heading = format!("{}{word}", self.say("Lines in ", "行数："));
        Measure {
            heading: self.heading(&heading, &root, ""),
            columns: Vec::new(),
            ladder,
            output: vec![self.starts_with_number()],
        }
    }

    /// Lines by programming language.
    pub(super) fn lines_by_language(&self, clause: &Clause) -> Measure {
        let root = self.folder(clause);
        let intent = format!("{}{}", self.say("Count lines by language", "按语言统计行数"), self.at(&root));
        let languages: Vec<&FileKind> = KINDS.iter().filter(|kind| kind.language).collect();
        let all: Vec<String> =
            languages.iter().flat_map(|kind| kind.endings).map(|ending| (*ending).to_owned()).collect();
        let names: Vec<&str> = languages.iter().map(|kind| language_name(kind)).collect();
        let groups: Vec<String> = languages.iter().map(|kind| kind.endings.join(" ")).collect();
        let tests: Vec<String> = all.iter().map(|ending| format!("-name '*.{ending}'")).collect();
        let listed =
            find(&root, self.setting.macos, &GENERATED, &format!("-type f \\( {} \\)", tests.join(" -o ")));
        let nothing = self.say("no source files", "没有源代码文件");
        let program = format!(
            "BEGIN{{n=split(\"{}\",names,\",\");split(\"{}\",groups,\",\");for(i=1;i<=n;i++){{m=split(groups[i],e,\" \");for(j=1;j<=m;j++)of[e[j]]=names[i]}}}} \
             NF==2 && $2==\"total\"{{next}} {{k=split($0,p,\".\");l=of[p[k]];if(l!=\"\"){{lines[l]+=$1;files[l]++}}}} \
             END{{c=0;for(l in lines){{c++;printf \"%.0f\\t%.0f\\t%s\\n\",lines[l],files[l],l}} if(c==0)print \"{nothing}\"}}",
            names.join(","),
            groups.join(",")
        );
        let command = format!("{listed} -print0 | xargs -0 -r wc -l | awk '{program}' | sort -k1,1nr -k3");
        Measure {
            heading: self.heading(self.say("Lines by language", "各语言的行数"), &root, ""),
            columns: ["lines/行数", "files/文件数", "language/语言"].iter().map(|both| self.half(both)).collect(),
            ladder: vec![Rung::single(self.shell(&intent, &command, &["find", "xargs", "wc", "awk", "sort"], std::slice::from_ref(&root)))],
            output: vec![self.matches(
                "every line is a number of lines, a number of files and a language, or the output says that there are none",
                "每一行是行数、文件数和语言，或说明没有",
                &format!("\\A\\s*(?:{nothing}|\\d+\\t\\d+\\t[^\\n]+(?:\\n\\d+\\t\\d+\\t[^\\n]+)*)\\s*\\z"),
            )],
        }
    }
}
