//! Which way is taken: what exists on this machine, what a directive blocks, what failed, what memory prefers.

use std::collections::BTreeSet;

use artoo_types::brief::{AdviceForce, DraftFault, MemoryAdvice, PlanBrief, StepFault};
use artoo_types::memory::plans::{first_tools, has_steps};
use artoo_types::plan::BlockedTarget;
use artoo_types::situation::PathKind;
use artoo_types::tag::fold;

use crate::measure::{Alternative, Measure, MeasureStep};

/// What tools, earlier rounds and the memory say about the ways of a plan.
#[derive(Clone, Debug, Default)]
pub(crate) struct PlanSituation<'a> {
    tools: Vec<&'a str>,
    /// Class, and the folded intent that the block binds; empty: every intent.
    blocked_tools: Vec<(&'a str, String)>,
    /// Files that are known to be there: what one tool could not do with one of them, another may.
    there: Vec<&'a str>,
    /// Blocked, or failed before.
    blocked_targets: Vec<&'a BlockedTarget>,
    unmet: Vec<&'a str>,
    /// Set when a draft was the plan that failed before.
    repeated: bool,
    memory: &'a [MemoryAdvice],
    /// Folded intents of steps whose results are kept.
    established: Vec<String>,
    replan: usize,
}

/// The way to take for a measurement.
#[derive(Clone, Debug)]
pub(crate) enum Choice<'a> {
    /// Its result is there already.
    Established,
    /// This one.
    Take(&'a Alternative),
    /// None is left; the tool classes that were tried or are not there.
    Exhausted(Vec<String>),
}

impl<'a> PlanSituation<'a> {
    pub(crate) fn new(brief: &'a PlanBrief) -> Self {
        let mut situation = Self {
            tools: brief.setting.tools.iter().map(|tool| tool.name.as_str()).collect(),
            memory: &brief.memory,
            ..Self::default()
        };
        let asked = brief.situation.iter().flat_map(|seen| &seen.asked);
        let files = asked.filter(|asked| asked.kind == PathKind::File);
        situation.there = files.map(|asked| asked.path.as_str()).collect();
        if let Some(directive) = brief.directive.as_deref() {
            let tools = directive.blocked_tools.iter();
            situation.blocked_tools = tools.map(|tool| (tool.class.as_str(), fold(&tool.intent))).collect();
            situation.blocked_targets =
                directive.blocked_targets.iter().chain(&directive.failed_before).collect();
            situation.unmet = directive.unmet.iter().map(|unmet| unmet.criterion.as_str()).collect();
            situation.established = directive.established.iter().map(|o| fold(&o.subtask.intent)).collect();
            situation.replan = directive.replan as usize;
        }
        for fault in &brief.faults {
            situation.repeated |= matches!(fault, DraftFault::Repeated | DraftFault::RepeatedFromMemory(_));
            let DraftFault::Step { fault, .. } = fault else { continue };
            if let StepFault::UnknownTool(class) | StepFault::BlockedTool(class) = fault {
                situation.blocked_tools.push((class, String::new()));
            } else if let StepFault::BlockedTarget(target) = fault {
                situation.blocked_targets.push(target);
            }
        }
        situation
    }

    fn advice(&self, force: AdviceForce) -> impl Iterator<Item = &'a MemoryAdvice> {
        self.memory.iter().filter(move |advice| advice.force == force)
    }

    /// Whether the step with this intent already has a result that is kept.
    pub(crate) fn is_established(&self, intent: &str) -> bool {
        self.established.contains(&fold(intent))
    }

    /// The first way that is possible, allowed and untried.
    pub(crate) fn choose<'m>(&self, measure: &'m Measure) -> Choice<'m> {
        let last_intent =
            measure.alternatives.first().and_then(|way| way.steps.last()).map(|step| step.intent.as_str());
        if last_intent.is_some_and(|intent| self.is_established(intent)) {
            return Choice::Established;
        }
        let mut open: Vec<&Alternative> =
            measure.alternatives.iter().filter(|way| self.is_open(way)).collect();
        let excluded = measure.alternatives.len() - open.len();
        let file = OneFile::of(measure);
        open.sort_by_key(|way| (self.is_doubtful(way), !self.is_preferred(way, file.as_ref())));
        // A way that ran and missed its criteria is blocked by nobody, but the same plan again would be no plan.
        let ran = open.first().is_some_and(|way| self.was_unmet(way));
        if open.len() > 1 && ((ran && excluded < self.replan) || self.repeated) {
            open.remove(0);
        } else if ran && excluded < self.replan {
            open.clear();
        }
        match open.first() {
            Some(way) => Choice::Take(way),
            None => {
                let mut tried: Vec<String> = measure
                    .alternatives
                    .iter()
                    .flat_map(|way| way.steps.iter().filter_map(|step| step.tools.first().cloned()))
                    .collect();
                tried.sort_unstable();
                tried.dedup();
                Choice::Exhausted(tried)
            }
        }
    }

    fn is_open(&self, way: &Alternative) -> bool {
        let steps: Vec<&MeasureStep> =
            way.steps.iter().filter(|step| !self.is_established(&step.intent)).collect();
        let is_known = |advice: &MemoryAdvice| repeats(advice, &steps);
        !self.memory.iter().any(is_known)
            && steps.iter().all(|step| {
                let exists = step.tools.iter().all(|class| {
                    let tool = class.split(':').next().unwrap_or(class);
                    self.tools.is_empty() || self.tools.contains(&tool)
                });
                let intent = fold(&step.intent);
                let class_blocked = self
                    .blocked_tools
                    .iter()
                    .any(|(class, bound)| step.uses(class) && (bound.is_empty() || alike(bound, &intent)));
                let target_blocked = self.blocked_targets.iter().any(|blocked| {
                    let may_be_missing = step.one_file && !self.there.contains(&blocked.target.as_str());
                    (may_be_missing || step.uses(&blocked.class)) && step.targets.contains(&blocked.target)
                });
                let forbidden = self.memory.iter().any(|advice| forbids(advice, step));
                exists && !class_blocked && !target_blocked && !forbidden
            })
    }

    /// Whether memory praises the way. Praise of a plan for one file counts for that file and for others of its folder: they
    /// may have been moved with it, so that a way which begins with a search is told by hints as well.
    fn is_preferred(&self, way: &Alternative, file: Option<&OneFile>) -> bool {
        let Some(first) = way.steps.first() else { return false };
        let Some(class) = first.tools.first() else { return false };
        let searches = way.steps.len() > 1;
        let hints = self.advice(AdviceForce::Hint).filter(|_| file.is_some() && searches);
        self.advice(AdviceForce::Prefer).chain(hints).any(|advice| {
            // Praise of a tool on one input says nothing of it on others.
            let input =
                advice.subject.as_ref().map(|subject| &subject.target).filter(|path| !path.is_empty());
            praises(&advice.content, class)
                && input.is_none_or(|path| first.targets.contains(path))
                && file.is_none_or(|file| {
                    file.is_near(advice) || (!searches && first_tools(&advice.content).is_none())
                })
        })
    }

    /// Whether memory calls for caution with a tool of the way on the very input.
    fn is_doubtful(&self, way: &Alternative) -> bool {
        way.steps.iter().any(|step| {
            self.advice(AdviceForce::Caution).any(|advice| {
                (step.one_file || step.is_named_in(&advice.content))
                    && step.targets.iter().any(|target| advice.content.contains(target.as_str()))
            })
        })
    }

    /// The step as it goes out. Where memory had the search come first, nothing has failed yet: if the search finds the
    /// file where the request says, that one is meant.
    pub(crate) fn settled(&self, step: &MeasureStep) -> MeasureStep {
        let mut step = step.clone();
        if self.replan > 0 {
            return step;
        }
        for (_, line) in &mut step.recipe {
            if let Some(from) = line.get_mut("path_from").and_then(|from| from.as_object_mut())
                && let Some(named) = from.remove("not")
            {
                from.insert("rather".to_owned(), named);
            }
        }
        step
    }

    fn was_unmet(&self, way: &Alternative) -> bool {
        way.steps
            .iter()
            .flat_map(|step| &step.criteria)
            .filter_map(|criterion| criterion["text"].as_str())
            .any(|text| self.unmet.contains(&text))
    }
}

impl MeasureStep {
    fn uses(&self, class: &str) -> bool {
        self.tools.iter().any(|tool| tool == class)
    }

    fn is_named_in(&self, words: &str) -> bool {
        self.tools.iter().any(|class| mentions(words, class))
    }
}

/// Whether the steps are those of a plan that failed, or a part of it: it forbids them together, and neither one of them by
/// itself nor their tools.
fn repeats(advice: &MemoryAdvice, steps: &[&MeasureStep]) -> bool {
    let steps: Vec<(&[String], &str)> =
        steps.iter().map(|step| (step.tools.as_slice(), step.intent.as_str())).collect();
    advice.force == AdviceForce::MustNotRepeat
        && !steps.is_empty()
        && has_steps(&advice.content, &steps) == Some(true)
}

/// Whether the advice forbids the step by itself.
fn forbids(advice: &MemoryAdvice, step: &MeasureStep) -> bool {
    let words = &advice.content;
    let binds = match advice.force {
        // A plan that is named is no single step.
        AdviceForce::MustNotRepeat => has_steps(words, &[]).is_none(),
        AdviceForce::MustNot | AdviceForce::MustNotUse => true,
        AdviceForce::Law
        | AdviceForce::Rule
        | AdviceForce::Prefer
        | AdviceForce::Hint
        | AdviceForce::Caution
        | AdviceForce::FailedElsewhere
        | AdviceForce::Outdated
        | AdviceForce::Hypothesis
        | AdviceForce::Fact => false,
    };
    binds
        && step.is_named_in(words)
        && (!words.contains('/') || step.targets.iter().any(|target| words.contains(target.as_str())))
}

/// The one file that a measurement is about.
struct OneFile {
    /// The folder that it is said to lie in, as a part of a path: `reports/`.
    folder: String,
    name: String,
}

impl OneFile {
    /// The file; None when the measurement is about something else.
    fn of(measure: &Measure) -> Option<Self> {
        let step = measure.alternatives.first()?.steps.last().filter(|step| step.one_file)?;
        let (parent, name) = step.targets.first()?.rsplit_once('/')?;
        let folder = format!("{}/", parent.rsplit('/').next().unwrap_or_default());
        Some(Self { folder, name: name.to_owned() })
    }

    /// Whether the advice names it, or a file of its folder, or was learned under a request that does.
    fn is_near(&self, advice: &MemoryAdvice) -> bool {
        let request = advice.learned_from.as_ref().map(|from| from.request.as_str());
        std::iter::once(advice.content.as_str()).chain(request).any(|words| {
            words.contains(&self.name) || (self.folder.len() > 1 && words.contains(&self.folder))
        })
    }
}

/// Whether the words speak well of the tool class: where they tell of a plan, as what that plan began with. They may also
/// name what failed, which is no praise of that.
fn praises(words: &str, class: &str) -> bool {
    match first_tools(words) {
        Some(tools) => tools.contains(&class),
        None => mentions(words, class),
    }
}

/// Whether two folded intents have at least half of their words in common; single characters count as words in Chinese.
fn alike(one: &str, other: &str) -> bool {
    let words = |text: &str| -> BTreeSet<String> {
        let parts = text.split(|found: char| !found.is_alphanumeric()).filter(|word| !word.is_empty());
        parts
            .flat_map(|word| {
                if word.is_ascii() { vec![word.to_owned()] } else { word.chars().map(String::from).collect() }
            })
            .collect()
    };
    let (one, other) = (words(one), words(other));
    2 * one.intersection(&other).count() >= one.union(&other).count()
}

/// Whether the line names the tool class as a word of its own: `shell:find`, not `find`.
fn mentions(line: &str, class: &str) -> bool {
    line.match_indices(class).any(|(at, _)| {
        let part = |found: char| found.is_alphanumeric() || found == '_' || found == ':';
        let tagged = line[..at].ends_with("tool:");
        (tagged || !line[..at].chars().next_back().is_some_and(part))
            && !line[at + class.len()..].chars().next().is_some_and(part)
    })
}
