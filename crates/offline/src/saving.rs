//! "and save it as sorted.txt": what a step before has found goes into the file that the person names, in the form that the
//! name's ending says. A report around it is made only where a report can be meant.

use artoo_request::{Language, is_han};
use artoo_types::tool::names::{SHELL, WRITE_FILE};
use serde_json::{Value, json};

use crate::clause::{Clause, RequestKind};
use crate::measure::{Alternative, Measure, MeasureStep, Scope, criterion};
use crate::places::{NamedPlace, read_file};
use crate::query::QueryShape;
use crate::shell::{FOUND_FRONT, LISTED_END, literal, quote, without_case};

/// Lines of a list that goes into a file.
pub(crate) const SAVED_LINES: usize = 1_000_000;

/// Words before the name of a file that is to be written; a clause of their own.
const CHINESE_JOINTS: [&str; 12] = [
    "另存为",
    "保存为",
    "保存到",
    "保存成",
    "保存在",
    "写入",
    "写到",
    "写进",
    "存为",
    "存成",
    "存到",
    "输出到",
];

/// Calculations of a step whose result can be written as it is.
const WRITABLE: [&str; 2] = ["json_value", "table_query"];

/// What a name for the result comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Saving {
    /// The file is what the step found.
    Output,
    /// The file is a report that quotes it.
    Report,
    /// No such file can be made of it.
    Unfit,
}

/// What becomes of the results of `clauses` in a file of this name; `as_report`: the person says that it is a report.
pub(crate) fn saving(clauses: &[Clause], file: &NamedPlace, as_report: bool) -> Saving {
    let NamedPlace::Path(path) = file else { return Saving::Report };
    let ending = ending_of(path);
    match (ending.as_str(), clauses) {
        ("" | "md" | "markdown", _) => Saving::Report,
        ("txt" | "log", [_, _, ..]) => Saving::Report,
        ("txt", [_]) if as_report => Saving::Report,
        (_, [only]) if fits(only, &ending) => Saving::Output,
        _ => Saving::Unfit,
    }
}

/// Whether the answer to a clause, as it is, is a file with this ending.
fn fits(clause: &Clause, ending: &str) -> bool {
    let source = match &clause.slots.file {
        Some(NamedPlace::Path(path)) => ending_of(path),
        Some(NamedPlace::Here | NamedPlace::Home(..)) | None => String::new(),
    };
    let shape = clause.slots.query.as_ref().map(|query| query.shape);
    match (clause.kind, ending) {
        (RequestKind::CsvToJson, _) => ending == "json",
        (RequestKind::TableQuery, "csv") => matches!(shape, Some(QueryShape::Rows)) && source == "csv",
        (RequestKind::TableQuery, "tsv") => matches!(shape, Some(QueryShape::Groups(_))),
        (
            RequestKind::SortLines
            | RequestKind::SortUnique
            | RequestKind::UniqueLines
            | RequestKind::FirstLines
            | RequestKind::LastLines,
            _,
        ) => ending == source || ending == "txt",
        (_, ending) => ["txt", "log"].contains(&ending),
    }
}

fn ending_of(path: &str) -> String {
    let name = path.rsplit('/').next().unwrap_or(path);
    match name.rsplit_once('.') {
        Some((stem, ending)) if !stem.is_empty() => ending.to_lowercase(),
        _ => String::new(),
    }
}

/// The request with a comma before "into sorted.txt" or 另存为, when a file's name is all that follows: the words make a clause
/// of their own.
pub(crate) fn with_joint(text: &str) -> Option<String> {
    let names_file = |rest: &str| read_file(rest).iter().any(|(length, _)| *length == rest.len());
    if let Some(at) = text.rfind(" into ").filter(|at| names_file(&text[at + " into ".len()..])) {
        return Some(format!("{}, save it as {}", &text[..at], &text[at + " into ".len()..]));
    }
    let joint = |word: &&str| {
        let at = text.rfind(*word)?;
        let before = text[..at].chars().next_back()?;
        let follows = ["然后", "最后"].iter().any(|word| text[..at].ends_with(word));
        let is_joined = follows || matches!(before, ',' | ';' | '并' | '再' | '另' | '保');
        (!is_joined && (is_han(before) || before.is_alphanumeric()) && names_file(&text[at + word.len()..]))
            .then_some(at)
    };
    let at = CHINESE_JOINTS.iter().find_map(joint)?;
    Some(format!("{},{}", &text[..at], &text[at..]))
}

/// A measurement whose answer goes into a new file: the ways that can do that, each with the file as what it must leave.
pub(crate) fn saved(scope: &Scope, clause: &Clause, measure: Measure, target: &str) -> Measure {
    let alternatives = measure
        .alternatives
        .into_iter()
        .filter_map(|way| match <[MeasureStep; 1]>::try_from(way.steps) {
            Ok([step]) => step_to_file(scope, clause, step, target),
            Err(_) => None,
        })
        .map(Alternative::single)
        .collect();
    let told = scope.matches(
        "the output says how many lines the new file has",
        "输出说明了新文件有多少行",
        "\\A\\s*(?:Wrote \\d+|已写入 \\d+)",
    );
    Measure { alternatives, output: vec![told, exists(scope, target)], ..measure }
}

fn step_to_file(scope: &Scope, clause: &Clause, mut step: MeasureStep, target: &str) -> Option<MeasureStep> {
    let (_, first) = step.recipe.first()?;
    if first["tool"] == SHELL && step.recipe.len() == 1 {
        let mut action = first.clone();
        let command = without(action["arguments"]["command"].as_str()?, target);
        action["arguments"]["command"] = json!(format!(
            "out=$( {command} ) && printf '%s\\n' \"$out\" | {LINES} > {0} && {1} {0}",
            quote(target),
            told(scope, clause, target),
        ));
        step.recipe = vec![("do", action)];
        let programs = ["printf", "awk"].map(|program| format!("{SHELL}:{program}"));
        step.tools
            .extend(programs.into_iter().filter(|program| !step.tools.contains(program)).collect::<Vec<_>>());
    } else {
        let (_, then) = step.recipe.get_mut(1)?;
        let is_writable = then["compute"].as_str().is_some_and(|name| WRITABLE.contains(&name));
        if !is_writable {
            return None;
        }
        then["save"] = json!(target);
        step.tools.push(WRITE_FILE.to_owned());
        step.criteria.push(scope.exit_zero(WRITE_FILE));
    }
    step.targets.push(target.to_owned());
    step.criteria.push(exists(scope, target));
    step.words = format!("{} {} {target}", step.words, scope.say("Into the new file", "写入新文件"));
    Some(step)
}

/// The lines of an output, and none of an empty one.
const LINES: &str = "awk 'NR==1{f=$0; next} NR==2{print f} {print} END{if(NR==1 && f!=\"\")print f}'";

/// The program that tells what the new file holds: how many lines, and of a search whether the text stands in them in other
/// capitals alone.
fn told(scope: &Scope, clause: &Clause, target: &str) -> String {
    let (wrote, to) = (scope.say("Wrote ", "已写入 "), scope.say(" lines to ", " 行："));
    let nothing = scope.say("; nothing was found", "；没有找到内容");
    let searches = matches!(clause.kind, RequestKind::SearchText | RequestKind::MatchLines);
    let needle = clause.slots.text.as_deref().filter(|_| searches).unwrap_or_default();
    format!(
        "awk -v t={} -v needle={} 'index($0,needle) + (needle==\"\"){{e++}} END{{print \"{wrote}\" NR \"{to}\" t (NR ? \"\" : \"{nothing}\"); if(NR && e==0)print \"{}\"}}'",
        quote(&target.replace('\\', "\\\\")),
        quote(&needle.replace('\\', "\\\\")),
        without_case(scope),
    )
}

/// A command that lists a folder, without the new file: what confines the command makes it before the command starts.
fn without(command: &str, target: &str) -> String {
    let name = target.rsplit('/').next().unwrap_or(target).replace('\\', "\\\\");
    command
        .replace(FOUND_FRONT, &format!("{FOUND_FRONT}-path {} -o ", quote(&literal(target))))
        .replace(LISTED_END, &format!("awk -v t={} '$0!=\".artoo/\" && $0!=t'", quote(&name)))
}

fn exists(scope: &Scope, target: &str) -> Value {
    let text = match scope.language {
        Language::English => format!("the new file `{target}` is written"),
        Language::Chinese => format!("已写入新文件 `{target}`"),
    };
    criterion(&text, json!({"kind": "file_exists", "path": target}))
}

#[cfg(test)]
mod tests {
    use super::with_joint;
    use crate::clauses::{NotUnderstood, understand};
    use crate::places::NamedPlace;

    /// The file that the answer of the only clause goes into, or the file of the report.
    fn kept(request: &str) -> (Option<String>, Option<String>) {
        let read = understand(request).unwrap_or_else(|why| panic!("{request}: {why:?}"));
        let name = |place: Option<NamedPlace>| match place {
            Some(NamedPlace::Path(path)) => Some(path),
            Some(NamedPlace::Here | NamedPlace::Home(..)) | None => None,
        };
        let report = name(read.report.and_then(|report| report.file));
        (read.clauses.first().and_then(|clause| name(clause.slots.goal.save.clone())), report)
    }

    #[test]
    fn a_name_says_by_its_ending_whether_it_is_the_output_or_a_report() {
        for (request, output) in [
            ("convert sales.csv to json and save it as sales.json", "sales.json"),
            ("sort names.txt and write it to sorted.txt", "sorted.txt"),
            ("sort names.txt into sorted.txt", "sorted.txt"),
            ("find the ten largest files here and save the list to list.txt", "list.txt"),
            ("把sales.csv转成json并保存为销售.json", "销售.json"),
            ("把names.txt排序另存为sorted.txt", "sorted.txt"),
            ("把names.txt排序后保存为 sorted.txt", "sorted.txt"),
            ("把names.txt去重保存到clean.txt", "clean.txt"),
            ("dedupe names.txt into clean.txt", "clean.txt"),
        ] {
            assert_eq!(kept(request), (Some(output.to_owned()), None), "{request}");
        }
        for (request, report) in [
            ("sort names.txt and save it as sorted.md", "sorted.md"),
            ("find the ten largest files here and write a report to out.txt", "out.txt"),
            ("find empty files and find duplicate files and save them to both.txt", "both.txt"),
        ] {
            assert_eq!(kept(request), (None, Some(report.to_owned())), "{request}");
        }
    }

    #[test]
    fn a_name_that_the_result_does_not_fit_is_declined() {
        for (request, name) in [
            ("sort names.txt and save it as sorted.xlsx", "sorted.xlsx"),
            ("convert sales.csv to json and save it as sales.csv", "sales.csv"),
            ("find empty files and find duplicate files and save them to both.json", "both.json"),
        ] {
            assert_eq!(understand(request), Err(NotUnderstood::Unwritable(name.to_owned())), "{request}");
        }
    }

    #[test]
    fn a_comma_is_put_only_before_the_name_of_a_file() {
        assert_eq!(with_joint("sort a.txt into b.txt").as_deref(), Some("sort a.txt, save it as b.txt"));
        for text in ["look into it", "turn a.csv into json", "把a.csv另存为JSON", "sort a.txt,另存为b.txt"]
        {
            assert_eq!(with_joint(text), None, "{text}");
        }
    }
}
