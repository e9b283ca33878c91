//! How memories tell of plans. Their contents are text, written when a task ends and looked through when the next one is
//! planned: whoever writes of a plan, and whoever looks for one, does so here.

use crate::tag::fold;

const WORKED: &str = ". Plan: ";
/// Before the plans whose approach was wrong.
const FAILED: &str = ". Failed plans: ";
/// Before those that the surroundings stopped, or that never ended: nothing is wrong with them.
const STOPPED: &str = ". Plans that were only stopped: ";
const UNMET: &str = ". Unmet: ";
/// Before the plan with which a task that went wrong on the way succeeded in the end, in English and Chinese.
const THEN_WORKED: [&str; 2] = ["What then worked: ", "后来成功的计划："];

/// The plans of a task that failed for good, one line each.
#[derive(Debug, Clone, Copy)]
pub struct FailedPlanLines<'a> {
    /// Those whose approach was wrong.
    pub wrong: &'a [&'a str],
    /// The others.
    pub stopped: &'a [&'a str],
}

/// One step of a plan: `1 [glob] list the files`.
pub fn step_line(sequence: u32, tools: &[String], intent: &str) -> String {
    format!("{sequence} [{}] {intent}", tools.join(", "))
}

/// What a task that ended well teaches about its request.
pub fn of_success(reason: &str, intent: &str, plan: &str) -> String {
    format!("{reason}: {intent}{WORKED}{plan}")
}

/// What a task that failed for good teaches about its request.
pub fn of_failure(
    reason: &str,
    intent: &str,
    plans: &FailedPlanLines<'_>,
    unmet: &[&str],
    said: &str,
) -> String {
    let list = |label: &str, plans: &[&str]| {
        if plans.is_empty() { String::new() } else { format!("{label}{}", plans.join(" | ")) }
    };
    let (wrong, stopped) = (list(FAILED, plans.wrong), list(STOPPED, plans.stopped));
    format!("{reason}: {intent}{wrong}{stopped}{UNMET}{}. {said}", unmet.join("; "))
}

/// The lesson that this trouble was overcome with this plan.
pub fn overcome(trouble: &str, plan: &str, chinese: bool) -> String {
    format!("{trouble}. {}{plan}", THEN_WORKED[usize::from(chinese)])
}

/// The plan that worked, in what [`of_success`] wrote.
pub fn worked(content: &str) -> Option<&str> {
    until_unmet(content.split_once(WORKED)?.1)
}

/// The plans whose approach was wrong, in what [`of_failure`] wrote.
pub fn failed(content: &str) -> Option<&str> {
    until_unmet(content.split_once(FAILED)?.1)
}

fn until_unmet(plans: &str) -> Option<&str> {
    let plans = plans.split(UNMET).next()?;
    plans.split(STOPPED).next().map(str::trim).filter(|plans| !plans.is_empty())
}

/// The tools of the first step of the plan that the content praises; None if it tells of no such plan.
pub fn first_tools(content: &str) -> Option<Vec<&str>> {
    let marks = std::iter::once(WORKED.trim_start_matches(". ")).chain(THEN_WORKED);
    let step = marks.into_iter().find_map(|mark| Some(content.split_once(&format!("{mark}1 ["))?.1))?;
    Some(step.split_once(']')?.0.split(", ").collect())
}

/// Whether one of the failed plans that the content tells of has all these steps, each with its tools and its intent; None if it
/// tells of no plan. Of plans that failed those count whose approach was wrong.
pub fn has_steps(content: &str, steps: &[(&[String], &str)]) -> Option<bool> {
    let told = match failed(content) {
        Some(plans) => plans,
        None => content.split(STOPPED).next()?,
    };
    let spelled = |(tools, intent): &(&[String], &str)| {
        let mut tools = tools.to_vec();
        tools.sort();
        format!("{}] {}", fold(&tools.join(", ")), fold(intent))
    };
    let wanted: Vec<String> = steps.iter().map(spelled).collect();
    let has_all = |plan: &str| {
        let steps: Vec<String> =
            plan.split("; ").filter_map(|step| Some(fold(step.split_once('[')?.1))).collect();
        wanted.iter().all(|step| steps.contains(step))
    };
    told.contains("] ").then(|| told.split(" | ").any(has_all))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_of_plans_is_found_again() {
        let step = step_line(1, &["glob".to_owned(), "shell:wc".to_owned()], "list the Files");
        let good = of_success("criteria_met", "count", &step);
        assert_eq!(good, "criteria_met: count. Plan: 1 [glob, shell:wc] list the Files");
        let plans = FailedPlanLines { wrong: &[&step, "1 [x] y"], stopped: &[] };
        let bad = of_failure("diverging", "count", &plans, &["a", "b"], "no");
        assert_eq!(
            bad,
            "diverging: count. Failed plans: 1 [glob, shell:wc] list the Files | 1 [x] y. Unmet: a; b. no"
        );
        assert_eq!(worked(&good), Some(step.as_str()));
        assert_eq!(failed(&bad), Some("1 [glob, shell:wc] list the Files | 1 [x] y"));
        assert_eq!((worked(&bad), failed(&good), worked("a. Plan: ")), (None, None, None));
        for praise in [good, overcome("it was gone", &step, false), overcome("没有了", &step, true)] {
            assert_eq!(first_tools(&praise), Some(vec!["glob", "shell:wc"]), "{praise}");
        }
        assert_eq!(first_tools(&bad), None);
    }

    #[test]
    fn a_failed_plan_is_known_by_all_its_steps_with_their_tools() {
        let tools = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<String>>();
        let (glob, both) = (tools(&["glob"]), tools(&["shell:wc", "glob"]));
        let two = "1 [glob] find it; 2 [glob, shell:wc] list the Files";
        let plans = FailedPlanLines { wrong: &[two, "1 [x] y"], stopped: &["1 [read_file] read it"] };
        let told = of_failure("diverging", "count", &plans, &["a"], "no");
        let check = |steps: &[(&[String], &str)], found: bool| {
            assert_eq!(has_steps(&told, steps), Some(found), "{steps:?}");
        };
        check(&[(&both, "list  the files")], true);
        check(&[(&glob, "Find it"), (&both, "list the files")], true);
        check(&[(&glob, "list the files")], false);
        check(&[(&glob, "find it"), (&tools(&["x"]), "y")], false);
        check(&[(&tools(&["read_file"]), "read it")], false);
        assert_eq!(has_steps("glob failed", &[(&glob, "x")]), None);
    }

    #[test]
    fn a_plan_that_was_only_stopped_is_told_and_is_no_failed_one() {
        let both = FailedPlanLines { wrong: &["1 [x] y"], stopped: &["1 [read_file] read it"] };
        let told = of_failure("diverging", "count", &both, &["a"], "no");
        assert_eq!(
            told,
            "diverging: count. Failed plans: 1 [x] y. Plans that were only stopped: 1 [read_file] read it. Unmet: a. no"
        );
        assert_eq!(failed(&told), Some("1 [x] y"));
        let none = FailedPlanLines { wrong: &[], stopped: &["1 [read_file] read it"] };
        let told = of_failure("diverging", "count", &none, &["a"], "no");
        assert_eq!((failed(&told), has_steps(&told, &[])), (None, None));
    }
}
