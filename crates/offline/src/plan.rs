//! R2: from the request to subtasks with machine-checked criteria, or to a decline.

use artoo_request::{Action, Language};
use artoo_types::brief::PlanBrief;
use artoo_types::form::OutputForm;
use artoo_types::plan::Decline;
use artoo_types::tool::names::{GLOB, WRITE_FILE};
use serde_json::{Value, json};

use crate::alternatives::{Choice, PlanSituation};
use crate::causes;
use crate::clause::{Clause, RequestKind, UnderstoodRequest};
use crate::decline;
use crate::doing;
use crate::form::form;
use crate::measure::{Alternative, Measure, MeasureStep, Scope, criterion};
use crate::measures::measures;
use crate::named::Surroundings;
use crate::places::absolute;
use crate::requests::name_of;
use crate::saving::{SAVED_LINES, saved};
use crate::setting::Setting;
use crate::specify::{ResolvedRequest, resolve};
use crate::too_slow;

/// Lines of all lists in one report: they travel through a context of 8,000 characters, and a line with a long path has
/// about 110.
const REPORT_LINES: usize = 70;
/// Characters of a report's file name before the date.
const NAME_CHARS: usize = 60;
/// Numbered names that are tried for a report.
const MOST_NAMES: usize = 99;
/// Most criteria that a task, or a step, may have.
const MOST_CRITERIA: usize = 12;

/// The reply to a planning request, as JSON text of the shape `plan`.
pub(crate) fn plan(brief: &PlanBrief) -> Value {
    if let Some(reply) = too_slow::reply(brief) {
        return reply;
    }
    let setting = Setting::of(brief);
    let ResolvedRequest { mut request, read_as } = match resolve(brief, &setting) {
        Ok(resolved) => resolved,
        Err(refusal) => return declined(&refusal),
    };
    let sections = request.clauses.len().max(if request.report.is_some() { 4 } else { 1 });
    let limit = if request.report.is_some() { (REPORT_LINES / sections).max(5) } else { SAVED_LINES };
    let scope = Scope { language: request.language, setting, limit, saves: false };
    let around = Surroundings {
        seen: brief.situation.clone(),
        request: brief.spec.raw_input.trim().to_owned(),
        key: request.clauses.first().and_then(|clause| clause.slots.key.clone()),
    };
    let mut remarks = causes::settle(&scope, &around, &mut request);
    remarks.extend(read_as.map(|words| match scope.language {
        Language::English => format!("read as: {words}"),
        Language::Chinese => format!("按“{words}”理解"),
    }));
    if let Some(refusal) = causes::cause(&scope, &around, &request) {
        return declined(&refusal);
    }
    if let Some(refusal) = decline::secret_place(&scope, &request) {
        return declined(&refusal);
    }
    let mut measured: Vec<Measure> = Vec::new();
    for clause in &request.clauses {
        match doing::measure(&scope, &around, clause) {
            Some(Ok(measure)) => measured.push(measure),
            Some(Err(refusal)) => return declined(&refusal),
            None => measured.extend(measured_or_saved(&scope, clause)),
        }
    }
    match assemble(brief, &scope, &request, &measured) {
        Ok(plan) => with_form(plan, form_of(&scope, &request, &remarks).as_ref()),
        Err(refusal) => declined(&refusal),
    }
}

/// The measurements of a clause; of one whose answer goes into a file, the ways that write it.
fn measured_or_saved(scope: &Scope, clause: &Clause) -> Vec<Measure> {
    let target = clause.slots.goal.save.as_ref().map(|place| absolute(place, &scope.setting));
    // The making of a JSON file has its own way to write.
    let Some(target) = target.filter(|_| clause.kind != RequestKind::CsvToJson) else {
        return measures(scope, clause);
    };
    let whole = Scope { limit: SAVED_LINES, saves: true, ..scope.clone() };
    measures(&whole, clause).into_iter().map(|measure| saved(scope, clause, measure, &target)).collect()
}

/// A reply that declines the whole request.
fn declined(decline: &Decline) -> Value {
    json!({"task_criteria": [], "subtasks": [], "output_from": null, "decline": decline})
}

fn assemble(
    brief: &PlanBrief,
    scope: &Scope,
    request: &UnderstoodRequest,
    measured: &[Measure],
) -> Result<Value, Decline> {
    let situation = PlanSituation::new(brief);
    let mut subtasks: Vec<Value> = Vec::new();
    let mut last_of_single = None;
    let mut highest = 0;
    let in_order = request.clauses.iter().any(|clause| clause.kind.is_doing());
    for measure in measured {
        // What changes something and what comes behind it go one after the other.
        let mut sequence = if in_order { highest } else { 0 };
        match situation.choose(measure) {
            Choice::Established => {}
            Choice::Exhausted(tried) => {
                return Err(decline::exhausted(scope.language, &measure.heading, &tried));
            }
            Choice::Take(way) => {
                let steps = way.steps.len();
                for (index, step) in way.steps.iter().enumerate() {
                    if situation.is_established(&step.intent) {
                        continue;
                    }
                    sequence += 1;
                    let last = index + 1 == steps;
                    let mut criteria = step.criteria.clone();
                    if last {
                        let new = measure.output.iter().filter(|one| !step.criteria.contains(one));
                        criteria.extend(new.cloned());
                    }
                    subtasks.push(subtask(sequence, &situation.settled(step), &criteria));
                    last_of_single = Some(subtasks.len() - 1);
                }
            }
        }
        highest = highest.max(sequence);
    }
    let mut task_criteria = task_criteria(scope, request, measured);
    let mut output_from = if measured.len() == 1 { last_of_single } else { None };
    if request.report.is_some() {
        let report = report_measure(scope, request, measured);
        match situation.choose(&report) {
            Choice::Established => {}
            Choice::Exhausted(tried) => {
                return Err(decline::exhausted(scope.language, &report.heading, &tried));
            }
            Choice::Take(way) => {
                let Some(step) = way.steps.first() else {
                    return Err(decline::nothing_left(scope.language));
                };
                subtasks.push(subtask(highest + 1, step, &step.criteria));
                output_from = Some(subtasks.len() - 1);
            }
        }
    }
    if subtasks.is_empty() {
        return Err(decline::nothing_left(scope.language));
    }
    say_what_is_shown(scope, request, &brief.spec.raw_input, &mut task_criteria);
    task_criteria.truncate(MOST_CRITERIA);
    Ok(json!({
        "task_criteria": task_criteria,
        "subtasks": subtasks,
        "output_from": output_from,
        "decline": null,
    }))
}

/// "Put the lines in order": words of an order that asks for nothing but an answer. All words of the request were read, and none of
/// them is left out: the criterion of the answer says which those are.
fn say_what_is_shown(scope: &Scope, request: &UnderstoodRequest, own: &str, criteria: &mut [Value]) {
    let only_looks = request.report.is_none()
        && request.clauses.iter().all(|clause| !clause.kind.is_doing() && clause.slots.goal.save.is_none());
    let reading = artoo_request::read(own);
    let orders: Vec<&str> = reading
        .asked()
        .filter(|clause| clause.action == Action::Make)
        .map(|clause| clause.text.as_str())
        .collect();
    if let ([first, ..], true, false) = (criteria, only_looks, orders.is_empty()) {
        let text = first["text"].as_str().unwrap_or_default();
        let shown = scope.say("shown for", "显示的是");
        first["text"] = json!(format!("{text} ({shown}: {})", orders.join("; ")));
    }
}

/// How the result is shown: of one answer that goes to the person and into no file; and what is told of any.
fn form_of(scope: &Scope, request: &UnderstoodRequest, remarks: &[String]) -> Option<OutputForm> {
    let of_answer = match request.clauses.as_slice() {
        [only] if request.report.is_none() && only.slots.goal.save.is_none() => form(scope, only),
        [_, _, ..] if request.report.is_none() => sections(scope, &request.clauses),
        _ => None,
    };
    let remark = remarks.join("; ");
    match of_answer {
        None if remark.is_empty() => None,
        form => Some(OutputForm { remark, ..form.unwrap_or_default() }),
    }
}

/// How several answers are shown, where one of them is a table.
fn sections(scope: &Scope, clauses: &[Clause]) -> Option<OutputForm> {
    let forms: Vec<Option<OutputForm>> = clauses.iter().map(|clause| form(scope, clause)).collect();
    let sections = || forms.iter().cloned().map(Option::unwrap_or_default).collect();
    forms.iter().any(Option::is_some).then(|| OutputForm { sections: sections(), ..OutputForm::default() })
}

fn with_form(mut plan: Value, form: Option<&OutputForm>) -> Value {
    plan["form"] = json!(form);
    plan
}

/// What the whole result must be. These hold for every way, because they are fixed by the first plan.
fn task_criteria(scope: &Scope, request: &UnderstoodRequest, measured: &[Measure]) -> Vec<Value> {
    match (&request.report, measured) {
        (Some(_), _) => {
            vec![report_exists(scope, &report_path(scope, request).1)]
        }
        (None, [only]) => only.output.clone(),
        (None, many) => many.iter().map(|measure| merged_criterion(scope, measure)).collect(),
    }
}

/// That a report was made, under its own name or a numbered one.
fn report_exists(scope: &Scope, pattern: &str) -> Value {
    let text = match scope.language {
        Language::English => format!("a file `{pattern}` exists"),
        Language::Chinese => format!("文件 `{pattern}` 存在"),
    };
    criterion(&text, json!({"kind": "files_match", "glob": pattern, "op": "ge", "n": 1}))
}

/// What the output of one measurement is, somewhere in the merged output: the form of the whole becomes that of lines.
fn merged_criterion(scope: &Scope, measure: &Measure) -> Value {
    let form = measure.output.iter().find(|criterion| criterion["check"]["kind"] == "output_matches");
    let form = form.cloned().unwrap_or_else(|| scope.not_empty());
    let text = form["text"].as_str().unwrap_or_default();
    let regex = form["check"]["regex"].as_str().unwrap_or_default().replace("\\A", "^").replace("\\z", "$");
    criterion(&format!("{}: {text}", measure.heading), json!({"kind": "output_matches", "regex": regex}))
}

/// The heading of a measurement in a merged output: the intent of its last step.
fn merged_heading(measure: &Measure) -> String {
    measure
        .alternatives
        .first()
        .and_then(|way| way.steps.last())
        .map(|step| step.intent.clone())
        .unwrap_or_default()
}

/// The absolute path of the report, and a glob for it and its numbered siblings.
fn report_path(scope: &Scope, request: &UnderstoodRequest) -> (String, String) {
    let setting = &scope.setting;
    let workspace = setting.workspace.trim_end_matches('/');
    let named = request.report.as_ref().and_then(|report| report.file.as_ref());
    let path = match named {
        Some(crate::places::NamedPlace::Path(name)) if !name.contains('/') => {
            format!("{}/{name}", setting.bare_names_folder())
        }
        Some(place) => absolute(place, setting),
        None => {
            let folder = setting.working_directory.rsplit('/').next().unwrap_or("");
            let folder: String = folder
                .chars()
                .map(
                    |found| if found.is_alphanumeric() || found == '-' || found == '_' { found } else { '_' },
                )
                .collect();
            let kinds: Vec<&str> = request.clauses.iter().map(|clause| name_of(clause.kind)).collect();
            let stem: String = format!("{folder}_{}", kinds.join("_")).chars().take(NAME_CHARS).collect();
            format!("{workspace}/{stem}-{}.md", setting.date)
        }
    };
    let (stem, ending) = match path.rsplit_once('.') {
        Some((stem, ending)) if !ending.contains('/') => (stem, format!(".{ending}")),
        _ => (path.as_str(), String::new()),
    };
    let pattern = format!("{stem}*{ending}");
    // A name that the person chose is tried as it is; a name of our own gives way to what is there.
    let is_taken = |path: &str| {
        named.is_none() && setting.workspace_files.iter().any(|name| path == format!("{workspace}/{name}"))
    };
    let free = std::iter::once(path.clone())
        .chain((2..=MOST_NAMES).map(|number| format!("{stem}-{number}{ending}")))
        .find(|path| !is_taken(path));
    (free.unwrap_or(path), pattern)
}

/// Writing the report, as a measurement with two ways: under its own name, or under the first free numbered one.
fn report_measure(scope: &Scope, request: &UnderstoodRequest, measured: &[Measure]) -> Measure {
    let (path, pattern) = report_path(scope, request);
    let headings: Vec<&str> = measured.iter().map(|measure| measure.heading.as_str()).collect();
    let intent =
        format!("{}{}", scope.say("Write a report: ", "写报告："), headings.join(scope.say(", ", "、")));
    let sections: Vec<Value> = measured
        .iter()
        .map(|measure| json!({"heading": measure.heading, "from": merged_heading(measure), "columns": measure.columns}))
        .collect();
    let step = |free_name: bool| {
        let mut criteria = vec![scope.exit_zero(WRITE_FILE)];
        let mut tools = vec![WRITE_FILE.to_owned()];
        let mut targets = Vec::new();
        if free_name {
            tools.push(GLOB.to_owned());
            criteria.push(report_exists(scope, &pattern));
        } else {
            criteria.extend(file_criteria(scope, &path, &headings));
            targets.push(path.clone());
        }
        criteria.truncate(MOST_CRITERIA);
        let recipe = json!({"report": {
            "path": path,
            "title": scope.say("Report", "报告"),
            "folder": scope.setting.working_directory,
            "date": scope.setting.date,
            "free_name": free_name,
            "chinese": scope.language == Language::Chinese,
            "sections": sections,
        }});
        MeasureStep {
            intent: intent.clone(),
            words: scope
                .say(
                    "One section for each prior output, copied as it is.",
                    "每个前置输出一节，内容原样抄录。",
                )
                .to_owned(),
            recipe: vec![("do", recipe)],
            tools,
            targets,
            criteria,
            one_file: false,
        }
    };
    Measure {
        heading: intent.clone(),
        columns: Vec::new(),
        alternatives: vec![Alternative::single(step(false)), Alternative::single(step(true))],
        output: Vec::new(),
    }
}

/// That the file exists and has all headings.
fn file_criteria(scope: &Scope, path: &str, headings: &[&str]) -> Vec<Value> {
    let exists = match scope.language {
        Language::English => format!("the file `{path}` exists"),
        Language::Chinese => format!("文件 `{path}` 存在"),
    };
    let mut criteria = vec![criterion(&exists, json!({"kind": "file_exists", "path": path}))];
    for heading in headings {
        let text = match scope.language {
            Language::English => format!("the file has a section `{heading}`"),
            Language::Chinese => format!("文件有“{heading}”一节"),
        };
        criteria.push(criterion(
            &text,
            json!({"kind": "file_contains", "path": path, "text": format!("## {heading}")}),
        ));
    }
    criteria
}

fn subtask(sequence: u32, step: &MeasureStep, criteria: &[Value]) -> Value {
    let mut context = step.words.clone();
    for (label, line) in &step.recipe {
        context.push_str(&format!("\n{label}: {line}"));
    }
    json!({
        "sequence": sequence,
        "intent": step.intent,
        "context": context,
        "tools": step.tools,
        "targets": step.targets,
        "success_criteria": criteria,
        "supersedes": [],
    })
}
